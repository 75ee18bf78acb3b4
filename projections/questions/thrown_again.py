"""Throwing every die of a log again, once its seed has been opened.

A log is read twice: first for the seeds that were opened, then, while its hashes are checked, for the rolls. Only
the roll in hand is kept, so memory stays flat.
"""

import contextlib
from collections.abc import Iterable, Iterator
from string import hexdigits

import msgspec

from umpire_ledger.domain.game.dice import check_roll, commitment_of
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import AnyEvent, DiceCommitted, DiceOpened, DiceRolled
from umpire_ledger.ledger.errors import BrokenLedger
from umpire_ledger.projections.record.stored_line import Heard, hear


class WrongRoll(msgspec.Struct, frozen=True, kw_only=True):
    """A recorded roll that the seed does not give. `position` counts from 1."""

    position: int
    purpose: str
    pips: tuple[int, ...]


def opened_seeds(lines: Iterable[bytes]) -> dict[str, str]:
    """Commitment to seed, both in hex, for every seed that the log opens."""
    opened = (heard.event for line in lines if b'"dice.opened"' in line for heard in _heard(line))
    seeds = (event.seed for event in opened if isinstance(event, DiceOpened) and _is_seed(event.seed))
    return {commitment_of(seed): seed for seed in seeds}


def _is_seed(text: str) -> bool:
    """Hex; a damaged log may have anything there."""
    return len(text) % 2 == 0 and not set(text) - set(hexdigits)


def _heard(line: bytes) -> Iterator[Heard]:
    """What a record line says; nothing for one that is damaged, whose fault others will find."""
    with contextlib.suppress(BrokenLedger):
        yield hear(line)


class ThrownAgain:
    """Watches the lines of a log go by and throws the dice of each roll again. `checked`: rolls that were thrown."""

    def __init__(self, seeds: dict[str, str]) -> None:
        self._seeds = seeds
        self._seed = self._label = ""
        self._before: list[tuple[str, str]] = []
        self.checked = 0
        self.wrong: WrongRoll | None = None

    def watch(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """The lines as they are."""
        for line in lines:
            if b'"dice.' in line:
                for heard in _heard(line):
                    self._see(heard.position, heard.event)
            yield line

    def _see(self, position: int, event: AnyEvent | None) -> None:
        if isinstance(event, DiceCommitted):
            self._seed, self._label = self._seeds.get(event.commitment, ""), event.label
            self._before.append((self._seed, self._label))
        if isinstance(event, DiceRolled) and event.source == "ledger" and self._seed:
            self.checked += 1
            if self.wrong is None and not self._is_right(event):
                self.wrong = WrongRoll(position=position, purpose=event.purpose, pips=event.pips)

    def _is_right(self, event: DiceRolled) -> bool:
        """Kept pips may have been thrown from the seed of the game that this one was copied from."""
        if _gives(self._seed, self._label, event):
            return True
        before = self._before[:-1] if event.kept else []
        return any(not seed or _gives(seed, label, event) for seed, label in before)


def _gives(seed: str, label: str, event: DiceRolled) -> bool:
    """Whether a seed gives a roll; dice that are none it never gives."""
    try:
        return check_roll(seed, label, event)
    except RuleViolation:
        return False
