"""Throwing every die of a log again, once its seed has been opened.

A log is read twice: first for the seeds that were opened, then, while its hashes are checked, for the rolls. Only
the roll in hand is kept, so memory stays flat.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Raw

from umpire_ledger.domain.game.dice import DiceNotation, Epoch, check_roll, commitment_of, parse
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import DiceRolled
from umpire_ledger.ledger.record import UNREADABLE


class WrongRoll(msgspec.Struct, frozen=True, kw_only=True):
    """A record that tells of dice what cannot be, and why. `position` counts from 1."""

    position: int
    why: str


class Opened(msgspec.Struct, frozen=True):
    """What must be known of a log before its dice are thrown again.

    `seeds`: those that it opens, by their commitment, both in hex; `kept`: the records whose pips a roll repeats.
    """

    seeds: dict[str, str]
    kept: frozenset[int]


class _Line(msgspec.Struct, frozen=True):
    """Of a stored line only what is looked at here."""

    position: int
    event: Raw = Raw(b"")


_line = msgspec.json.Decoder(_Line).decode
_is_seed = re.compile("(?:[0-9a-fA-F]{2})+").fullmatch
WITHHELD: dict[str, Any] = {}
"""Stands for the event of a withheld record."""
WITHHELD_ROLL = DiceRolled(roll=0, purpose="", dice="", pips=(), total=0)
"""Stands for the roll that a withheld record may hold."""


def opened_seeds(lines: Iterable[bytes]) -> Opened:
    """The first reading of a log."""
    seeds: dict[str, str] = {}
    kept: set[int] = set()
    for _, event in _about_dice(lines):
        seeds |= _seed_in(event)
        if event.get("type") == "dice.rolled" and (at := _whole(event.get("kept", 0))):
            kept.add(at)
    return Opened(seeds, frozenset(kept))


def _seed_in(event: dict[str, Any]) -> dict[str, str]:
    """The seed that an event opens, by its commitment."""
    seed = event.get("seed") if event.get("type") == "dice.opened" else None
    return {commitment_of(seed): seed} if isinstance(seed, str) and _is_seed(seed) else {}


def _about_dice(lines: Iterable[bytes]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Position and event of each line that may be about dice; what is damaged is passed over, others will find it.

    Events are read as plain JSON, so that no field which this edition does not know hides a roll.
    """
    for line in lines:
        if b'"dice.' not in line and b"\\u" not in line and b'"inner":"' not in line:
            continue
        try:
            read = _line(line)
            raw = bytes(read.event)
            event = json.loads(raw) if raw else WITHHELD
        except UNREADABLE:
            continue
        if isinstance(event, dict) and (event or not raw):
            yield read.position, event


def roll_of(event: dict[str, Any]) -> DiceRolled | None:
    """Of a roll what is thrown again; None for one that lacks a field, or has one of another type."""
    numbers = [_whole(event.get(name, 0)) for name in ("roll", "thrown", "kept")]
    purpose, dice, pips = event.get("purpose"), event.get("dice"), _wholes(event.get("pips"))
    roll, thrown, kept = numbers
    if "roll" not in event or not isinstance(purpose, str) or not isinstance(dice, str) or pips is None:
        return None
    if roll is None or thrown is None or notation_of(dice) is None:
        return None
    return DiceRolled(roll=roll, purpose=purpose, dice=dice, pips=pips, total=0, kept=kept or 0, thrown=thrown)


def notation_of(dice: str) -> DiceNotation | None:
    """The notation of a roll; None where these are no dice."""
    try:
        return parse(dice)
    except RuleViolation:
        return None


def _whole(value: object) -> int | None:
    """A whole number of at most 53 bits; 6.0 is one, true is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 2**53:
        return None
    return int(value) if value == int(value) else None


def _wholes(values: object) -> tuple[int, ...] | None:
    """Whole numbers, all of them."""
    if not isinstance(values, list):
        return None
    found = tuple(number for value in values if (number := _whole(value)) is not None)
    return found if len(found) == len(values) else None


class ThrownAgain:
    """Watches the lines of a log go by and throws the dice of each roll again. `checked`: rolls that were thrown.

    `wrong`: the first record that does not fit. `foreseen`: rolls from a seed that had been opened before.
    """

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._epochs: list[tuple[str, Epoch]] = []
        self._open_now: set[str] = set()
        self._kept: dict[int, DiceRolled | None] = {}
        self._last = self._withheld = 0
        self.checked = 0
        self.wrong: WrongRoll | None = None
        self.foreseen: list[int] = []

    def watch(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """The lines as they are."""
        for line in lines:
            for position, event in _about_dice((line,)):
                self._see(position, event)
            yield line

    def _see(self, position: int, event: dict[str, Any]) -> None:
        if not event:
            self._withheld += 1
        match event.get("type"):
            case "dice.committed":
                self._commit(event)
            case "dice.opened":
                self._open(position, event)
            case "dice.rolled":
                if event.get("source", "ledger") == "ledger" and self._epochs and self._epochs[-1][1].seed:
                    self._throw(position, event)
                self._last, self._withheld = _whole(event.get("roll")) or self._last, 0
        if position in self._opened.kept and (not event or event.get("type") == "dice.rolled"):
            self._kept[position] = roll_of(event) if event else WITHHELD_ROLL

    def _commit(self, event: dict[str, Any]) -> None:
        commitment, label, scheme = event.get("commitment"), event.get("label"), _whole(event.get("scheme", 1))
        if isinstance(commitment, str) and isinstance(label, str):
            seed = self._opened.seeds.get(commitment, "")
            self._epochs.append((commitment, Epoch(seed, label, 0 if scheme is None else scheme)))

    def _open(self, position: int, event: dict[str, Any]) -> None:
        opened = _seed_in(event).keys() & {commitment for commitment, _ in self._epochs}
        self._open_now |= opened
        if not opened:
            self._found(position, "no commitment before it is to the seed that is opened here")

    def _throw(self, position: int, event: dict[str, Any]) -> None:
        self.checked += 1
        if self._epochs[-1][0] in self._open_now and not event.get("kept"):
            self.foreseen.append(position)
        if self.wrong is None and (why := self._why_not(position, event)):
            self._found(position, why)

    def _found(self, position: int, why: str) -> None:
        self.wrong = self.wrong or WrongRoll(position=position, why=why)

    def _why_not(self, position: int, event: dict[str, Any]) -> str:
        """What does not fit a roll of an open seed; "" where all does."""
        roll, last = roll_of(event), self._epochs[-1][1]
        if roll is None:
            return "a roll of ledger dice is not written as one"
        # Kept pips may have been thrown from the seed of the game that this one was copied from.
        before = self._epochs[:-1] if roll.kept else []
        if not check_roll(last, roll) and not any(not one.seed or check_roll(one, roll) for _, one in before):
            return f"the seed gives other dice for this roll ({roll.purpose}: {roll.pips})"
        if last.scheme == 1:
            return ""
        return _wrong_total(event, roll) or self._wrong_number(roll) or self._not_repeated(position, roll)

    def _wrong_number(self, roll: DiceRolled) -> str:
        """Numbers go on by one; where records are withheld, as many of them may be rolls."""
        fits = self._last < roll.roll <= self._last + 1 + self._withheld
        return "" if fits else f"its number is not one that follows the roll before it: {roll.roll}"

    def _not_repeated(self, position: int, roll: DiceRolled) -> str:
        """A roll that keeps old pips repeats the roll of that record; a fresh one repeats none."""
        if not roll.kept:
            repeats = not roll.thrown
        else:
            old = self._kept.get(roll.kept) if roll.kept < position else None
            is_same = old is not None and (old.pips, old.thrown or old.roll) == (roll.pips, roll.thrown)
            repeats = is_same or old is WITHHELD_ROLL
        return "" if repeats else "it does not repeat the roll that it keeps"


def _wrong_total(event: dict[str, Any], roll: DiceRolled) -> str:
    """The total is that of pips and modifiers, of which the dice's own comes first."""
    modifiers, notation = event.get("modifiers", []), parse(roll.dice)
    amounts = (one.get("amount") if isinstance(one, dict) else None for one in modifiers)
    added = _wholes(list(amounts)) if isinstance(modifiers, list) else None
    own = (notation.plus,) if notation.plus else ()
    if added is None or added[: len(own)] != own or _whole(event.get("total")) != sum(roll.pips) + sum(added):
        return "its total is not that of its pips and modifiers"
    return ""
