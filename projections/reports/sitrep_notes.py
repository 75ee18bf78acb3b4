"""Collect facts from the records of a player turn, for its situation report."""

from collections.abc import Collection, Iterable, Mapping

import msgspec

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.game.state import Game, Unit, place_of
from umpire_ledger.domain.kit.phrasing import InWords, Patterns, patterns
from umpire_ledger.projections.questions.by_turn import HURT, LOSSES
from umpire_ledger.projections.record.outcome_phrases import dice_said, is_kept

BACK = ("retreat", "withdraw")
"""Words at the start of a cause of movement away from the enemy."""


class Fight(msgspec.Struct):
    """The facts of a battle. `dice`: position and words of each roll. `harm`: damage by attribute and unit."""

    lost: list[Unit]
    hurt: list[Unit]
    dice: list[tuple[int, str]]
    harm: dict[str, dict[str, int]]


class Notes:
    """The facts of one player turn. `fates`: unit texts by fate; `sums`: the first and last value of each account."""

    def __init__(self, words: InWords) -> None:
        self._words = words
        self._battles, self._retreats = patterns(words.battles), patterns(words.retreats)
        self._owner: dict[str, str] = {}
        self.positions: list[int] = []
        self.fights: dict[str, Fight] = {}
        self.fates: dict[str, list[str]] = {}
        self.turned: dict[str, list[str]] = {}
        self.placed: list[Unit] = []
        self.moved: dict[str, tuple[str, str]] = {}
        self.sums: dict[str, tuple[int, int]] = {}
        self.harm: dict[str, dict[str, int]] = {}
        self.rulings: list[str] = []
        self.step = ""

    def learn(self, event: AnyEvent) -> None:
        """Note the side of a unit when it is placed, also before this turn."""
        if isinstance(event, e.UnitPlaced):
            self._owner[event.unit] = event.side

    def see(self, position: int, event: AnyEvent, before: Game, *, set_up: bool = False) -> None:
        """Read one event and the game before it. `set_up`: whether the event belongs to the opening."""
        self.positions.append(position)
        self.step = event.step if isinstance(event, e.StepOpened) else self.step
        match event:
            case e.UnitPlaced(unit=unit, side=side, kind=kind, at=at, attributes=attributes) if not set_up:
                self.placed.append(Unit(id=unit, side=side, kind=kind, at=at, attributes=attributes))
            case e.UnitMoved():
                self._see_move(event, before)
            case e.UnitRemoved(unit=unit) if unit in before.units:
                self._see_fate(event, before)
            case e.UnitChanged(unit=unit) if unit in before.units:
                self._see_change(event, before)
            case e.AccountChanged(account=account, before=held, after=after) if not is_kept(self._words, event):
                self.sums[account] = self.sums.get(account, (held, 0))[0], after
            case e.DiceRolled():
                self._see_roll(position, event, before)
            case e.StepClosed(item=item) if item and _in(self._battles, before) and item in _places(before):
                self._fight(item)
            case e.RulingMade(ruling=ruling, reason=reason):
                self.rulings.append(f"#{position} {ruling}: {reason}")
            case _:
                pass

    def _see_move(self, event: e.UnitMoved, before: Game) -> None:
        start, end = event.path[0], event.path[-1]
        if event.cause.startswith(BACK) or _in(self._retreats, before):
            self.fates.setdefault("retreated", []).append(f"{event.unit} {start} → {end}")
        else:
            self.moved[event.unit] = self.moved.get(event.unit, (start, ""))[0], end

    def _see_fate(self, event: e.UnitRemoved, before: Game) -> None:
        unit = before.units[event.unit]
        at = event.at or unit.at
        if event.fate in LOSSES and _in(self._battles, before):
            self._fight(self._place(before, at)).lost.append(unit)
        else:
            self.fates.setdefault(event.fate, []).append(f"{event.unit} at {at}")

    def _see_change(self, event: e.UnitChanged, before: Game) -> None:
        unit, attribute = before.units[event.unit], event.attribute
        if attribute == "side":
            fate = "recaptured" if event.after == self._owner.get(event.unit) else "captured"
            by = before.side_name(str(event.after))
            self.fates.setdefault(fate, []).append(f"{event.unit} by {by} at {unit.at}")
        elif (harm := self._harm(event)) > 0:
            in_battle = _in(self._battles, before)
            counted = self._fight(self._place(before, unit.at)).harm if in_battle else self.harm
            by_unit = counted.setdefault(attribute, {})
            by_unit[event.unit] = by_unit.get(event.unit, 0) + harm
        elif attribute in HURT and event.after is True and _in(self._battles, before):
            self._fight(self._place(before, unit.at)).hurt.append(unit)
        elif attribute in (*HURT, *self._words.called) and True in (event.before, event.after):
            yes, no = self._words.called.get(attribute, (attribute, f"no longer {attribute}"))
            self.turned.setdefault(yes if event.after is True else no, []).append(event.unit)

    def _harm(self, event: e.UnitChanged) -> int:
        """Return the amount of damage that a change causes; 0 or less if it causes none."""
        way, before, after = self._words.harm.get(event.attribute, 0), event.before, event.after
        is_counted = type(after) is int and (type(before) is int or before is None)
        return way * (int(str(after)) - int(str(before or 0))) if way and is_counted else 0

    def _see_roll(self, position: int, event: e.DiceRolled, before: Game) -> None:
        if _in(self._battles, before):
            about = [before.units[one].at for one in event.subjects if one in before.units]
            place = self._place(before, about[-1] if about else self.step)
            self._fight(place).dice.append((position, f"#{position} {event.purpose}: {dice_said(event)}"))

    def _place(self, before: Game, otherwise: str) -> str:
        """Return the place that the current loop picked for the battle; `otherwise` if it picked none."""
        places = _places(before)
        return next((item for item in reversed(place_of(before).items) if item in places), otherwise)

    def _fight(self, place: str) -> Fight:
        return self.fights.setdefault(place, Fight([], [], [], {}))


def _in(steps: Patterns, game: Game) -> bool:
    """Return whether one of these steps is open."""
    return any(steps.fit(one.step) for one in game.cursor.open)


def harm_in_words(harm: dict[str, dict[str, int]], way: Mapping[str, int], without: Collection[str] = ()) -> list[str]:
    """Return damage by attribute, such as `hits: chokai 2, hiei 1` and `steps lost: ichiki 1`.

    Args:
        way: The sign of damage for each attribute: -1 if a lower value is damage.
        without: Units to leave out, because they are gone.
    """
    said = []
    for attribute, by_unit in sorted(harm.items()):
        units = ", ".join(f"{unit} {amount}" for unit, amount in sorted(by_unit.items()) if unit not in without)
        if units:
            said.append(f"{attribute}{' lost' if way.get(attribute) == -1 else ''}: {units}")
    return said


def _places(game: Game) -> set[str]:
    return {unit.at for unit in game.units.values()}


def ids(units: Iterable[Unit]) -> str:
    """Return units by their ids."""
    return ", ".join(sorted({unit.id for unit in units}))
