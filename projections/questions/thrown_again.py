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

from umpire_ledger.domain.game.dice import Epoch, check_roll, commitment_of
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import DiceRolled
from umpire_ledger.ledger.record import UNREADABLE


class WrongRoll(msgspec.Struct, frozen=True, kw_only=True):
    """A recorded roll that the seed does not give, and why. `position` counts from 1."""

    position: int
    why: str


class _Line(msgspec.Struct, frozen=True):
    """Of a stored line only what is looked at here."""

    position: int
    event: Raw = Raw(b"")


_line = msgspec.json.Decoder(_Line).decode
_is_seed = re.compile("(?:[0-9a-fA-F]{2})+").fullmatch


def opened_seeds(lines: Iterable[bytes]) -> dict[str, str]:
    """Commitment to seed, both in hex, for every seed that the log opens."""
    opened = (event.get("seed") for _, event in _about_dice(lines) if event.get("type") == "dice.opened")
    seeds = (seed for seed in opened if isinstance(seed, str) and _is_seed(seed))
    return {commitment_of(seed): seed for seed in seeds}


def _about_dice(lines: Iterable[bytes]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Position and event of each line that may be about dice; what is damaged is passed over, others will find it.

    Events are read as plain JSON, so that no field which this edition does not know hides a roll.
    """
    for line in lines:
        if b'"dice.' not in line and b"\\u" not in line:
            continue
        try:
            read = _line(line)
            event = json.loads(bytes(read.event))
        except UNREADABLE:
            continue
        if isinstance(event, dict):
            yield read.position, event


def roll_of(event: dict[str, Any]) -> DiceRolled | None:
    """Of a roll what is thrown again; None for one that lacks a field, or has one of another type."""
    numbers = [_whole(event.get(name, 0)) for name in ("roll", "thrown", "kept")]
    purpose, dice, pips = event.get("purpose"), event.get("dice"), event.get("pips")
    if "roll" not in event or not isinstance(purpose, str) or not isinstance(dice, str) or not isinstance(pips, list):
        return None
    shown = [_whole(pip) for pip in pips]
    roll, thrown, kept = numbers
    if roll is None or thrown is None or None in shown:
        return None
    found = tuple(pip for pip in shown if pip is not None)
    return DiceRolled(roll=roll, purpose=purpose, dice=dice, pips=found, total=0, kept=kept or 0, thrown=thrown)


def _whole(value: object) -> int | None:
    """A whole number of at most 53 bits; 6.0 is one, true is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 2**53:
        return None
    return int(value) if value == int(value) else None


class ThrownAgain:
    """Watches the lines of a log go by and throws the dice of each roll again. `checked`: rolls that were thrown."""

    def __init__(self, seeds: dict[str, str]) -> None:
        self._seeds = seeds
        self._epochs: list[Epoch] = []
        self.checked = 0
        self.wrong: WrongRoll | None = None

    def watch(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """The lines as they are."""
        for line in lines:
            for position, event in _about_dice((line,)):
                self._see(position, event)
            yield line

    def _see(self, position: int, event: dict[str, Any]) -> None:
        commitment, label = event.get("commitment"), event.get("label")
        if event.get("type") == "dice.committed" and isinstance(commitment, str) and isinstance(label, str):
            scheme = _whole(event.get("scheme", 1))
            self._epochs.append(Epoch(self._seeds.get(commitment, ""), label, 0 if scheme is None else scheme))
        is_opened = bool(self._epochs) and bool(self._epochs[-1].seed)
        if event.get("type") == "dice.rolled" and event.get("source", "ledger") == "ledger" and is_opened:
            self._see_roll(position, roll_of(event))

    def _see_roll(self, position: int, roll: DiceRolled | None) -> None:
        self.checked += 1
        if self.wrong is not None or (roll is not None and self._is_right(roll)):
            return
        why = "a roll of ledger dice is not written as one"
        if roll is not None:
            why = f"the seed gives other dice for this roll ({roll.purpose}: {roll.pips})"
        self.wrong = WrongRoll(position=position, why=why)

    def _is_right(self, event: DiceRolled) -> bool:
        """Kept pips may have been thrown from the seed of the game that this one was copied from."""
        if _gives(self._epochs[-1], event):
            return True
        before = self._epochs[:-1] if event.kept else []
        return any(not epoch.seed or _gives(epoch, event) for epoch in before)


def _gives(epoch: Epoch, event: DiceRolled) -> bool:
    """Whether a seed gives a roll; dice that are none it never gives."""
    try:
        return check_roll(epoch, event)
    except RuleViolation:
        return False
