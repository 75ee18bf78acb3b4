"""Recompute every roll of a log whose seed was revealed.

A log is read twice: once for the revealed seeds, and once for the rolls, while its hashes are checked. Memory holds
the current roll and earlier results that are reused, but not the log.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec
from msgspec import Raw

from umpire_ledger.domain.game.dice import KNOWN_SCHEMES, Epoch, check_roll, draw
from umpire_ledger.domain.game.dice_notation import DiceNotation, commitment_of, parse
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import DiceRolled
from umpire_ledger.ledger.records.record import UNREADABLE
from umpire_ledger.projections.questions.verification.dice_shares import Shares


class WrongRoll(msgspec.Struct, frozen=True, kw_only=True):
    """A faulty record about dice, and the reason. `position` counts from 1."""

    position: int
    why: str


class DiceContext(msgspec.Struct, frozen=True):
    """Facts from the whole log that are needed to recompute its dice.

    `seeds`: the revealed seeds by their commitments, both in hex. `kept`: positions of the records whose results a
    later roll reuses. `thrown`: the roll numbers with which these results were first rolled.
    """

    seeds: dict[str, str]
    kept: frozenset[int]
    thrown: frozenset[int]


class _DiceLine(msgspec.Struct, frozen=True):
    """The part of a stored record that this check reads."""

    position: int
    seat: str = ""
    command: str = ""
    visible_to: tuple[str, ...] | None = None
    event: Raw = Raw(b"")


class _DiceRecord(NamedTuple):
    """A record that may be about dice. `event`: plain JSON, so that a field unknown to this edition cannot hide a roll.

    `event` is None if the record is withheld and some seats may see it, because it may be a roll. It is {} if the
    record is withheld and no seat may see it, because then it cannot be a roll.
    """

    position: int
    event: dict[str, Any] | None
    seat: str = ""
    command: str = ""


class _Gap:
    """A withheld record whose result a roll reuses. Its fields: the roll numbers before and after it, 0 if none."""

    def __init__(self, before: int) -> None:
        self.before, self.behind = before, 0


KEEPING = ("keep", "keep-unless-new")
"""Values of `dice` in a rewind that reuses rolls."""
_line = msgspec.json.Decoder(_DiceLine).decode
_is_seed = re.compile("(?:[0-9a-fA-F]{2})+").fullmatch


def opened_seeds(lines: Iterable[bytes]) -> DiceContext:
    """Read a log, and return its revealed seeds and the rolls that later rolls reuse."""
    seeds: dict[str, str] = {}
    kept: set[int] = set()
    thrown: set[int] = set()
    for told in _about_dice(lines):
        event = told.event or {}
        seeds |= _seed_in(event)
        if event.get("type") == "dice.rolled" and (at := _whole(event.get("kept", 0))):
            kept.add(at)
            thrown.add(_whole(event.get("thrown")) or 0)
    return DiceContext(seeds, frozenset(kept), frozenset(thrown))


def _seed_in(event: dict[str, Any]) -> dict[str, str]:
    """Return the seed that an event reveals, keyed by its commitment; {} if it reveals none."""
    seed = event.get("seed") if event.get("type") == "dice.opened" else None
    return {commitment_of(seed): seed} if isinstance(seed, str) and _is_seed(seed) else {}


def _about_dice(lines: Iterable[bytes]) -> Iterator[_DiceRecord]:
    """Yield each record that may be about dice; damaged lines are skipped, because other checks report them."""
    for line in lines:
        if not (  # Written out for speed, because each line of a log is tested twice.
            (b'"dice.' in line or b'"play.rewound"' in line or b'"seat.taken"' in line)
            or (b'"game.copied"' in line or b"\\u" in line or b'"inner":"' in line)
        ):
            continue
        try:
            read = _line(line)
            raw = bytes(read.event)
            event = json.loads(raw) if raw else {} if read.visible_to == () else None
        except UNREADABLE:
            continue
        if event is None or isinstance(event, dict):
            yield _DiceRecord(read.position, event, read.seat, read.command)


def roll_of(event: dict[str, Any]) -> DiceRolled | None:
    """Return the recomputable part of a roll; None if a field is missing or has another type."""
    numbers = [_whole(event.get(name, 0)) for name in ("roll", "thrown", "kept")]
    purpose, dice, pips = event.get("purpose"), event.get("dice"), _wholes(event.get("pips"))
    roll, thrown, kept = numbers
    if "roll" not in event or not isinstance(purpose, str) or not isinstance(dice, str) or pips is None:
        return None
    if roll is None or thrown is None or notation_of(dice) is None:
        return None
    return DiceRolled(roll=roll, purpose=purpose, dice=dice, pips=pips, total=0, kept=kept or 0, thrown=thrown)


def notation_of(dice: str) -> DiceNotation | None:
    """Return the notation of a roll; None if it is not valid."""
    try:
        return parse(dice)
    except RuleViolation:
        return None


def _whole(value: object) -> int | None:
    """Return a whole number of at most 53 bits, including one written as 6.0; None for any other value."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 2**53:
        return None
    return int(value) if value == int(value) else None


def _wholes(values: object) -> tuple[int, ...] | None:
    """Return the whole numbers of a list; None if any value is not a whole number."""
    if not isinstance(values, list):
        return None
    found = tuple(number for value in values if (number := _whole(value)) is not None)
    return found if len(found) == len(values) else None


class _Seeded(NamedTuple):
    """A seed period with a set of shares. `epoch.seed`: "" while the seed is secret.

    `first`: the number of the first roll that the shares apply to; 0 if they apply to all rolls.
    """

    commitment: str
    epoch: Epoch
    first: int = 0


def _without_shares(seeded: _Seeded) -> _Seeded:
    """Return a seed period without its shares."""
    return _Seeded(seeded.commitment, seeded.epoch._replace(shares=()))


class RollChecker:
    """Reads the records of a log in order and recomputes each roll. `checked`: the number of recomputed rolls.

    `closed`: the number of rolls that could not be recomputed, usually because their seed is secret. `wrong`: the first
    faulty record. `foreseen`: positions of rolls made after their seed was revealed.
    """

    def __init__(self, opened: DiceContext) -> None:
        self._opened = opened
        self._seeded: list[_Seeded] = []
        self._shares = Shares()
        self._sides: dict[str, str] = {}
        self._open_now: set[str] = set()
        self._copied_at = 0
        self._left: list[tuple[int, int]] = []
        self._kept: dict[int, DiceRolled | _Gap | None] = {}
        self._gaps: list[_Gap] = []
        self._shown: dict[int, set[tuple[int, ...] | None]] = {}
        self._last = 0
        self._withheld: list[str] = []
        self.checked = self.closed = 0
        self.wrong: WrongRoll | None = None
        self.foreseen: list[int] = []

    def watch(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Check the rolls in the lines of a log, and yield the lines unchanged."""
        for line in lines:
            for told in _about_dice((line,)):
                self._see(told)
            yield line

    def _see(self, told: _DiceRecord) -> None:
        position, event = told.position, told.event
        if event is None:
            self._withheld.append(told.command)
            self._shares.withheld()
            if position in self._opened.kept:
                self._kept[position] = gap = _Gap(self._last)
                self._gaps.append(gap)
            return
        match event.get("type"):
            case "dice.committed":
                self._commit(position, event)
            case "dice.opened":
                self._open(position, event)
            case "game.copied":
                self._copied_at = position
            case "dice.pledged" | "dice.shared":
                self._share(position, event)
            case "dice.asked":
                self._ask(told, event)
            case "seat.taken":
                self._take_seat(event.get("seat"), event.get("side"))
            case "play.rewound":
                self._shares.forget()
                self._rewind(position, event)
            case "dice.rolled":
                self._roll(told)

    def _rewind(self, position: int, event: dict[str, Any]) -> None:
        if event.get("dice") in KEEPING and (to := _whole(event.get("to"))) is not None:
            self._left.append((to, position))

    # --- seeds --------------------------------------------------------------------------------------------------------

    def _commit(self, position: int, event: dict[str, Any]) -> None:
        commitment, label, scheme = event.get("commitment"), event.get("label"), _whole(event.get("scheme", 1))
        if isinstance(commitment, str) and isinstance(label, str):
            seed = self._opened.seeds.get(commitment, "")
            seeded = _Seeded(commitment, Epoch(seed, label, 0 if scheme is None else scheme))
            if self._seeded and _without_shares(self._seeded[-1]) == seeded:
                return  # A rewind repeats the commitment.
            if not self._is_due(position, seeded):
                self._found(position, "it commits to new dice before the earlier seed is revealed")
            self._seeded.append(seeded)
            self._shares = Shares(seeded.epoch.scheme)

    def _is_due(self, position: int, new: _Seeded) -> bool:
        """Return whether the game may change to a new seed here: only a copy, or after the earlier seed is revealed.

        Otherwise rolls could escape the check under a seed that is never revealed.
        """
        if not self._seeded:
            return True
        if all(new.epoch.label != one.epoch.label for one in self._seeded):  # a copy, which scheme 1 did not record
            return new.epoch.scheme == 1 or self._copied_at == position - 1
        return self._seeded[-1].commitment in self._open_now

    def _open(self, position: int, event: dict[str, Any]) -> None:
        opened = _seed_in(event).keys() & {one.commitment for one in self._seeded}
        self._open_now |= opened
        if not opened:
            self._found(position, "no earlier record commits to the seed that it reveals")

    # --- shares of the sides ------------------------------------------------------------------------------------------

    def _share(self, position: int, event: dict[str, Any]) -> None:
        """Add a side's pledge or its next share, which later dice use."""
        if not self._shares.take(event):
            self._found(position, "a pledge or dice share does not match the earlier ones")
        elif event["type"] == "dice.shared":
            now = self._seeded[-1]
            epoch = now.epoch._replace(shares=tuple(self._shares.shown.values()))
            self._seeded.append(now._replace(epoch=epoch, first=self._shares.asked))

    def _ask(self, told: _DiceRecord, event: dict[str, Any]) -> None:
        """Begin to collect the shares for the rolls of one order."""
        number = _whole(event.get("roll")) or 0
        if not self._follows(number):
            self._found(told.position, f"roll number {number} is out of sequence")
        if not self._shares.ask(number, told.seat, self._sides.get(told.seat, told.seat)):
            self._found(told.position, "an order already waits for dice, and shares for it are revealed")

    def _take_seat(self, seat: object, side: object) -> None:
        if isinstance(seat, str) and isinstance(side, str):
            self._sides[seat] = side

    # --- rolls --------------------------------------------------------------------------------------------------------

    def _roll(self, told: _DiceRecord) -> None:
        position, event = told.position, told.event or {}
        number = _whole(event.get("roll"))
        for gap in self._gaps if number else ():
            gap.behind = number or 0
        self._gaps = [] if number else self._gaps
        if event.get("source", "ledger") != "ledger":
            if self._seeded:
                self._found(position, "its dice are not ledger dice, to which the game is committed")
        elif self._seeded and not _whole(event.get("kept", 0)) and not self._is_allowed(told, number):
            self._found(position, "it is rolled before the sides reveal their shares for it")
        elif self._seeded and self._seeded[-1].epoch.seed:
            self._throw(position, event)
        else:
            self.closed += 1
        self._last, self._withheld = number or self._last, []
        if position in self._opened.kept:
            self._kept[position] = roll_of(event)
        if number in self._opened.thrown:
            self._shown.setdefault(number, set()).add(_wholes(event.get("pips")))

    def _is_allowed(self, told: _DiceRecord, number: int | None) -> bool:
        return self._shares.allow(number or 0, told.seat, told.command, self._withheld.count(told.command))

    def _throw(self, position: int, event: dict[str, Any]) -> None:
        if self._seeded[-1].commitment in self._open_now and not event.get("kept"):
            self.foreseen.append(position)
        roll = roll_of(event)
        is_given = roll is not None and self._is_given(roll)
        self.checked += is_given
        self.closed += not is_given
        if roll is None:
            self._found(position, "a roll of ledger dice is malformed")
        elif why := self._why_not(event, roll, is_given=is_given):
            self._found(position, why)

    def _is_given(self, roll: DiceRolled) -> bool:
        """Return whether a revealed seed produces the roll.

        A reused result may come from an earlier seed, including the seed of the game that this one copies.
        """
        seeded = self._kept_from(roll) if roll.kept else self._seeded[-1:]
        return any(one.epoch.seed and check_roll(one.epoch, roll) for one in seeded)

    def _kept_from(self, roll: DiceRolled) -> Iterable[_Seeded]:
        """Return each seed period with the shares that applied when a reused result was first rolled."""
        return {one.commitment: one for one in self._seeded if one.first <= (roll.thrown or roll.roll)}.values()

    def _found(self, position: int, why: str) -> None:
        self.wrong = self.wrong or WrongRoll(position=position, why=why)

    def _why_not(self, event: dict[str, Any], roll: DiceRolled, *, is_given: bool) -> str:
        """Return the fault of a roll whose seed is revealed; "" if it has none."""
        if not is_given and not (roll.kept and any(not one.epoch.seed for one in self._seeded)):
            why = f"the seed produces different results for this roll ({roll.purpose}: {roll.pips})"
            return f"{why}{self._expected(roll)}"
        if self._seeded[-1].epoch.scheme == 1:
            return ""
        return _wrong_total(event, roll) or self._wrong_number(roll) or self._not_repeated(roll)

    def _expected(self, roll: DiceRolled) -> str:
        """Return the correct result in words; "" for a reused roll, which any seed may have produced."""
        epoch = self._seeded[-1].epoch
        if roll.kept or epoch.scheme not in KNOWN_SCHEMES:
            return ""
        return f"; it gives {draw(epoch, roll.thrown or roll.roll, parse(roll.dice), roll.purpose)}"

    def _wrong_number(self, roll: DiceRolled) -> str:
        """Return the fault if a roll's number does not follow the previous roll; each withheld record may be a roll."""
        return "" if self._follows(roll.roll) else f"its roll number does not follow the previous roll: {roll.roll}"

    def _follows(self, number: int) -> bool:
        return self._last < number <= self._last + 1 + len(self._withheld)

    def _not_repeated(self, roll: DiceRolled) -> str:
        """Return the fault if a reused roll differs from the abandoned roll, or if a new roll names an earlier roll."""
        if not roll.kept:
            repeats = not roll.thrown
        elif not any(to < roll.kept < back for to, back in self._left):
            repeats = False
        elif isinstance(old := self._kept.get(roll.kept), _Gap):
            repeats = self._may_be(old, roll)
        else:
            repeats = old is not None and (old.pips, old.thrown or old.roll) == (roll.pips, roll.thrown)
        return "" if repeats else "it does not repeat the roll that it reuses"

    def _may_be(self, gap: _Gap, roll: DiceRolled) -> bool:
        """Return whether a withheld record may be the reused roll.

        A roll number must be missing at its position. The reused result must not come from a later roll, and must equal
        any visible result with its roll number.
        """
        is_earlier = gap.before + 1 < gap.behind and 0 < roll.thrown < gap.behind
        return is_earlier and self._shown.get(roll.thrown, {roll.pips}) == {roll.pips}


def _wrong_total(event: dict[str, Any], roll: DiceRolled) -> str:
    """Return the fault if the total is not the sum of results and modifiers.

    The modifier in the dice notation, if any, must come first.
    """
    modifiers, notation = event.get("modifiers", []), parse(roll.dice)
    given = modifiers if isinstance(modifiers, list) else [None]
    added = _wholes([one.get("amount") if isinstance(one, dict) else None for one in given])
    own = (notation.plus,) if notation.plus else ()
    if added is None or added[: len(own)] != own or _whole(event.get("total")) != sum(roll.pips) + sum(added):
        return "its total is not the sum of its results and modifiers"
    return ""
