"""Throwing every die of a log again, once its seed has been opened.

A log is read twice: first for the seeds that were opened, then, while its hashes are checked, for the rolls. Only
the roll in hand is kept, so memory stays flat.
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
    """A record that tells of dice what cannot be, and why. `position` counts from 1."""

    position: int
    why: str


class DiceContext(msgspec.Struct, frozen=True):
    """What must be known of a log before its dice are thrown again.

    `seeds`: those that it opens, by their commitment, both in hex; `kept`: the records whose pips a roll repeats;
    `thrown`: the numbers under which rolls say that such pips were thrown first.
    """

    seeds: dict[str, str]
    kept: frozenset[int]
    thrown: frozenset[int]


class _Line(msgspec.Struct, frozen=True):
    """Of a stored line only what is looked at here."""

    position: int
    seat: str = ""
    command: str = ""
    visible_to: tuple[str, ...] | None = None
    event: Raw = Raw(b"")


class _Told(NamedTuple):
    """A record. `event`: as plain JSON, so that no field which this edition does not know hides a roll.

    None: it is withheld, and some seats may see it, so that it may be a roll. What nobody may see is none: it has {}.
    """

    position: int
    event: dict[str, Any] | None
    seat: str = ""
    command: str = ""


class _Gap:
    """Where a withheld record stands that a roll keeps: the numbers of the rolls before and behind it; 0 for none."""

    def __init__(self, before: int) -> None:
        self.before, self.behind = before, 0


KEEPING = ("keep", "keep-unless-new")
"""What a rewind says whose dice are kept."""
_line = msgspec.json.Decoder(_Line).decode
_is_seed = re.compile("(?:[0-9a-fA-F]{2})+").fullmatch


def opened_seeds(lines: Iterable[bytes]) -> DiceContext:
    """The first reading of a log."""
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
    """The seed that an event opens, by its commitment."""
    seed = event.get("seed") if event.get("type") == "dice.opened" else None
    return {commitment_of(seed): seed} if isinstance(seed, str) and _is_seed(seed) else {}


def _about_dice(lines: Iterable[bytes]) -> Iterator[_Told]:
    """Each record that may be about dice; what is damaged is passed over, others will find it."""
    for line in lines:
        if not (  # written out, because each line of a log comes here twice
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
            yield _Told(read.position, event, read.seat, read.command)


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


class _Seeded(NamedTuple):
    """From where on dice are thrown from a seed, or with other shares. `epoch.seed`: "" while it is not open.

    `first`: the number of the roll for which the shares were asked; 0: for all.
    """

    commitment: str
    epoch: Epoch
    first: int = 0


def _bare(seeded: _Seeded) -> _Seeded:
    """The same, before any share was shown."""
    return _Seeded(seeded.commitment, seeded.epoch._replace(shares=()))


class ThrownAgain:
    """Watches the lines of a log go by and throws the dice of each roll again. `checked`: rolls that were thrown.

    `closed`: rolls of the ledger that cannot be thrown, their seed is not open. `wrong`: the first record that does not
    fit. `foreseen`: rolls from a seed that had been opened before.
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
        """The lines as they are."""
        for line in lines:
            for told in _about_dice((line,)):
                self._see(told)
            yield line

    def _see(self, told: _Told) -> None:
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
            if self._seeded and _bare(self._seeded[-1]) == seeded:
                return  # behind a rewind, once more
            if not self._is_due(position, seeded):
                self._found(position, "it commits to other dice, and those before it are not open")
            self._seeded.append(seeded)
            self._shares = Shares(seeded.epoch.scheme)

    def _is_due(self, position: int, new: _Seeded) -> bool:
        """Whether dice may change here to these: so no roll leaves the check by a seed that is never opened."""
        if not self._seeded:
            return True
        if all(new.epoch.label != one.epoch.label for one in self._seeded):  # a copy, which scheme 1 did not tell
            return new.epoch.scheme == 1 or self._copied_at == position - 1
        return self._seeded[-1].commitment in self._open_now

    def _open(self, position: int, event: dict[str, Any]) -> None:
        opened = _seed_in(event).keys() & {one.commitment for one in self._seeded}
        self._open_now |= opened
        if not opened:
            self._found(position, "no commitment before it is to the seed that is opened here")

    # --- shares of the sides ------------------------------------------------------------------------------------------

    def _share(self, position: int, event: dict[str, Any]) -> None:
        """A side pledges a share, or shows the next one: then dice are thrown with it."""
        if not self._shares.take(event):
            self._found(position, "a pledge or a share does not fit those before it")
        elif event["type"] == "dice.shared":
            now = self._seeded[-1]
            epoch = now.epoch._replace(shares=tuple(self._shares.shown.values()))
            self._seeded.append(now._replace(epoch=epoch, first=self._shares.asked))

    def _ask(self, told: _Told, event: dict[str, Any]) -> None:
        """From here on new shares are for the rolls of one order."""
        number = _whole(event.get("roll")) or 0
        if not self._follows(number):
            self._found(told.position, f"no roll of this number can be next: {number}")
        if not self._shares.ask(number, told.seat, self._sides.get(told.seat, told.seat)):
            self._found(told.position, "an order waits already, and shares are shown for it")

    def _take_seat(self, seat: object, side: object) -> None:
        if isinstance(seat, str) and isinstance(side, str):
            self._sides[seat] = side

    # --- rolls --------------------------------------------------------------------------------------------------------

    def _roll(self, told: _Told) -> None:
        position, event = told.position, told.event or {}
        number = _whole(event.get("roll"))
        for gap in self._gaps if number else ():
            gap.behind = number or 0
        self._gaps = [] if number else self._gaps
        if event.get("source", "ledger") != "ledger":
            if self._seeded:
                self._found(position, "its dice are not the ledger's, to which the game is committed")
        elif self._seeded and not _whole(event.get("kept", 0)) and not self._is_allowed(told, number):
            self._found(position, "it is thrown before the sides have shown their shares for it")
        elif self._seeded and self._seeded[-1].epoch.seed:
            self._throw(position, event)
        else:
            self.closed += 1
        self._last, self._withheld = number or self._last, []
        if position in self._opened.kept:
            self._kept[position] = roll_of(event)
        if number in self._opened.thrown:
            self._shown.setdefault(number, set()).add(_wholes(event.get("pips")))

    def _is_allowed(self, told: _Told, number: int | None) -> bool:
        return self._shares.allow(number or 0, told.seat, told.command, self._withheld.count(told.command))

    def _throw(self, position: int, event: dict[str, Any]) -> None:
        if self._seeded[-1].commitment in self._open_now and not event.get("kept"):
            self.foreseen.append(position)
        roll = roll_of(event)
        is_given = roll is not None and self._is_given(roll)
        self.checked += is_given
        self.closed += not is_given
        if roll is None:
            self._found(position, "a roll of ledger dice is not written as one")
        elif why := self._why_not(event, roll, is_given=is_given):
            self._found(position, why)

    def _is_given(self, roll: DiceRolled) -> bool:
        """Whether an open seed gives it. Kept pips may be of the game that this one was copied from."""
        seeded = self._kept_from(roll) if roll.kept else self._seeded[-1:]
        return any(one.epoch.seed and check_roll(one.epoch, roll) for one in seeded)

    def _kept_from(self, roll: DiceRolled) -> Iterable[_Seeded]:
        """Of each seed what it was, with its shares, when kept pips were thrown first."""
        return {one.commitment: one for one in self._seeded if one.first <= (roll.thrown or roll.roll)}.values()

    def _found(self, position: int, why: str) -> None:
        self.wrong = self.wrong or WrongRoll(position=position, why=why)

    def _why_not(self, event: dict[str, Any], roll: DiceRolled, *, is_given: bool) -> str:
        """What does not fit a roll of an open seed; "" where all does."""
        if not is_given and not (roll.kept and any(not one.epoch.seed for one in self._seeded)):
            return f"the seed gives other dice for this roll ({roll.purpose}: {roll.pips}){self._expected(roll)}"
        if self._seeded[-1].epoch.scheme == 1:
            return ""
        return _wrong_total(event, roll) or self._wrong_number(roll) or self._not_repeated(roll)

    def _expected(self, roll: DiceRolled) -> str:
        """What the newest seed gives; nothing of kept pips, which may be of any seed."""
        epoch = self._seeded[-1].epoch
        if roll.kept or epoch.scheme not in KNOWN_SCHEMES:
            return ""
        return f"; it gives {draw(epoch, roll.thrown or roll.roll, parse(roll.dice), roll.purpose)}"

    def _wrong_number(self, roll: DiceRolled) -> str:
        """Numbers go on by one; where records are withheld, as many of them may be rolls."""
        return "" if self._follows(roll.roll) else f"its number is not one that follows the roll before it: {roll.roll}"

    def _follows(self, number: int) -> bool:
        return self._last < number <= self._last + 1 + len(self._withheld)

    def _not_repeated(self, roll: DiceRolled) -> str:
        """A roll that keeps old pips repeats the roll of a record that a rewind left; a fresh one repeats none."""
        if not roll.kept:
            repeats = not roll.thrown
        elif not any(to < roll.kept < back for to, back in self._left):
            repeats = False
        elif isinstance(old := self._kept.get(roll.kept), _Gap):
            repeats = self._may_be(old, roll)
        else:
            repeats = old is not None and (old.pips, old.thrown or old.roll) == (roll.pips, roll.thrown)
        return "" if repeats else "it does not repeat the roll that it keeps"

    def _may_be(self, gap: _Gap, roll: DiceRolled) -> bool:
        """Whether a withheld record may be the roll that is kept: a number is left out where it stands, and the pips
        are of no later roll, nor those of one that is seen and shows others."""
        is_earlier = gap.before + 1 < gap.behind and 0 < roll.thrown < gap.behind
        return is_earlier and self._shown.get(roll.thrown, {roll.pips}) == {roll.pips}


def _wrong_total(event: dict[str, Any], roll: DiceRolled) -> str:
    """The total is that of pips and modifiers, of which the dice's own comes first."""
    modifiers, notation = event.get("modifiers", []), parse(roll.dice)
    given = modifiers if isinstance(modifiers, list) else [None]
    added = _wholes([one.get("amount") if isinstance(one, dict) else None for one in given])
    own = (notation.plus,) if notation.plus else ()
    if added is None or added[: len(own)] != own or _whole(event.get("total")) != sum(roll.pips) + sum(added):
        return "its total is not that of its pips and modifiers"
    return ""
