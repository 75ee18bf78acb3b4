"""Throwing every die of a log again, once its seed has been opened.

A log is read twice: first for the seeds that were opened, then, while its hashes are checked, for the rolls. Only
the roll in hand is kept, so memory stays flat.
"""

from collections.abc import Iterable, Iterator

import msgspec

from domain.dice import check_roll, commitment_of
from domain.events import AnyEvent, DiceCommitted, DiceOpened, DiceRolled


class _Line(msgspec.Struct):
    event: AnyEvent | None = None


_decode = msgspec.json.Decoder(_Line).decode


class WrongRoll(msgspec.Struct, frozen=True, kw_only=True):
    """A recorded roll that the seed does not give. `position` counts from 1."""

    position: int
    purpose: str
    pips: tuple[int, ...]


def opened_seeds(lines: Iterable[bytes]) -> dict[str, str]:
    """Commitment to seed, both in hex, for every seed that the log opens."""
    opened = (event for line in lines if b'"dice.opened"' in line for event in _events(line))
    return {commitment_of(event.seed): event.seed for event in opened if isinstance(event, DiceOpened)}


def _events(line: bytes) -> Iterator[AnyEvent]:
    """The event of a record line; nothing for a redacted record or another line, whose fault others will find."""
    try:
        event = _decode(line).event
    except msgspec.DecodeError:
        return
    if event is not None:
        yield event


class ThrownAgain:
    """Watches the lines of a log go by and throws the dice of each roll again. `checked`: rolls that were thrown."""

    def __init__(self, seeds: dict[str, str]) -> None:
        self._seeds = seeds
        self._seed = self._label = ""
        self._position = 0
        self.checked = 0
        self.wrong: WrongRoll | None = None

    def watch(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """The lines as they are."""
        for line in lines:
            if b'"dice.' in line:
                for event in _events(line):
                    self._see(line, event)
            yield line

    def _see(self, line: bytes, event: AnyEvent) -> None:
        if isinstance(event, DiceCommitted):
            self._seed, self._label = self._seeds.get(event.commitment, ""), event.label
        if isinstance(event, DiceRolled) and event.source == "ledger" and self._seed:
            self.checked += 1
            if self.wrong is None and not check_roll(self._seed, self._label, event):
                position = msgspec.json.decode(line)["position"]
                self.wrong = WrongRoll(position=position, purpose=event.purpose, pips=event.pips)
