"""Find the facts that events write and decisions read, and compute the game without them.

A fact is one attribute of a unit, one account, marker or choice, one answer, or one picked member.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from immutables import Map

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.cursor import Cursor, Frame
from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.game.state import Game, Unit, choice_key, replace

Fact = tuple[str, str, str]
"""Kind, id and attribute: `unit athens-3 fire`. Accounts, markers, choices, answers and picks have no attribute.

`unit athens-3` without an attribute is the fact that the unit exists.
"""

FIELDS = ("at", "fate", "kind", "side")
"""Facts of a unit other than its attributes."""
Written = tuple[int, AnyEvent]
"""A record: its position and its event."""
MOST_ENTRIES = 20
"""Limit of newest entries of an account that are read."""


def facts_of(event: AnyEvent) -> tuple[Fact, ...]:
    """Return the facts that an event writes; () for rolls and comments."""
    match event:
        case e.UnitPlaced(unit=unit, attributes=attributes):
            return (("unit", unit, ""), *(("unit", unit, name) for name in (*FIELDS, *attributes)))
        case e.UnitShown(unit=unit, attributes=attributes):
            return (("unit", unit, ""), *(("unit", unit, name) for name in (*FIELDS, *attributes)))
        case e.UnitCovered(unit=unit):
            return (("unit", unit, ""),)
        case e.HiddenDone(events=events):
            return tuple(dict.fromkeys(fact for one in events for fact in facts_of(one)))
        case e.UnitMoved(unit=unit):
            return (("unit", unit, "at"),)
        case e.UnitChanged(unit=unit, attribute=attribute):
            return (("unit", unit, attribute),)
        case e.UnitRemoved(unit=unit):
            return (("unit", unit, "fate"),)
        case e.AccountChanged(account=account):
            return (("account", account, ""),)
        case e.MarkerSet(marker=marker):
            return (("marker", marker, ""),)
        case e.ChoiceMade() | e.ChoiceSealed() | e.ChoiceRevealed():
            return (("choice", choice_key(event.question, event.side), ""),)
        case e.PassBegun(item=item) if item:
            return (("pick", item, ""),)
        case e.StepClosed(item=item) if item:
            return (("pick", item, ""),)
        case e.StepClosed(step=step):
            return (("answer", step, ""),)
        case _:
            return ()


class Writers:
    """The last record that wrote each fact, on one branch, read from its beginning."""

    def __init__(self) -> None:
        self._last: dict[Fact, Written] = {}
        self._placed: dict[str, Written] = {}
        self._entries: dict[str, list[Written]] = {}

    def see(self, position: int, event: AnyEvent) -> None:
        """Add one more record of the branch."""
        if isinstance(event, e.UnitPlaced | e.UnitShown):
            self._placed[event.unit] = position, event  # a new unit replaces all facts of an earlier one
            return
        if isinstance(event, e.AccountChanged):
            entries = self._entries.setdefault(event.account, [])
            if not event.before:
                entries.clear()
            entries.append((position, event))
            return
        for fact in facts_of(event):
            self._last[fact] = position, event

    def of(self, fact: Fact) -> tuple[Written, ...]:
        """Return the record that wrote a fact last; () if there is none.

        For an account, return the entries since its balance was last 0, newest first, at most `MOST_ENTRIES`.
        """
        kind, name, _ = fact
        if kind == "account":
            return tuple(self._entries.get(name, ())[: -MOST_ENTRIES - 1 : -1])
        last, placed = self._last.get(fact), self._placed.get(name) if kind == "unit" else None
        newest = max(filter(None, (last, placed)), key=lambda one: one[0], default=None)
        return () if newest is None else (newest,)


def played_facts(game: Game) -> Iterator[Fact]:
    """Yield the facts of the cursor: the picked members, and the closed steps, with their answers."""
    for frame in game.cursor.frames:
        if frame.item:
            yield "pick", frame.item, ""
        yield from (("answer", one.step, "") for one in (*frame.closed, *frame.kept))


# --- the game without a fact ------------------------------------------------------------------------------------------


def without(game: Game, event: AnyEvent, facts: Iterable[Fact] = ()) -> Game:
    """Return the game as if an event had not happened. The event must be the last that wrote its facts.

    `facts`: for a placed unit, the only attributes to remove; the unit itself stays.
    """
    match event:
        case e.UnitPlaced(unit=unit):
            return _without_placing(game, unit, tuple(facts))
        case e.UnitMoved(unit=unit, path=path):
            return _with_unit(game, unit, at=path[0])
        case e.UnitChanged(unit=unit, attribute="side", before=before):
            return _with_unit(game, unit, side=before)
        case e.UnitChanged(unit=unit, attribute=attribute, before=before):
            return _with_attribute(game, unit, attribute, before)
        case e.UnitRemoved(unit=unit):
            return _with_unit(game, unit, fate="")
        case e.AccountChanged(account=account, amount=amount):
            return replace(game, accounts=game.accounts.set(account, game.accounts.get(account, 0) - amount))
        case e.MarkerSet(marker=marker, before=before):
            return replace(game, markers=_with(game.markers, marker, before))
        case e.ChoiceMade() | e.ChoiceSealed() | e.ChoiceRevealed():
            return replace(game, choices=_with(game.choices, choice_key(event.question, event.side), None))
        case e.PassBegun(item=item) | e.StepClosed(item=item) if item:
            return _with_frames(game, (_unpicked(frame, item) for frame in game.cursor.frames))
        case e.StepClosed(step=step):
            return _with_frames(game, (_unanswered(frame, step) for frame in game.cursor.frames))
        case _:
            return game


def _with(values: Map[str, Any], name: str, before: Any) -> Map[str, Any]:
    if before is None:
        return values.delete(name) if name in values else values
    return values.set(name, before)


def _with_unit(game: Game, name: str, **fields: Any) -> Game:
    unit = game.units.get(name)
    return game if unit is None else replace(game, units=game.units.set(name, replace(unit, **fields)))


def _with_attribute(game: Game, name: str, attribute: str, before: Any) -> Game:
    unit = game.units.get(name)
    return game if unit is None else _with_unit(game, name, attributes=_attributes(unit, (attribute,), before))


def _attributes(unit: Unit, names: tuple[str, ...], before: Any = None) -> dict[str, Any]:
    rest = {name: value for name, value in unit.attributes.items() if name not in names}
    return rest if before is None else {**rest, **dict.fromkeys(names, before)}


def _without_placing(game: Game, name: str, facts: tuple[Fact, ...]) -> Game:
    unit = game.units.get(name)
    if unit is None or not facts:
        return replace(game, units=_with(game.units, name, None))
    names = tuple(attribute for _, _, attribute in facts)
    return _with_unit(game, name, attributes=_attributes(unit, names))


def _with_frames(game: Game, frames: Iterable[Frame]) -> Game:
    return replace(game, cursor=Cursor(frames=tuple(frames), open=game.cursor.open))


def _unpicked(frame: Frame, item: str) -> Frame:
    return replace(frame, item="") if frame.item == item else frame


def _unanswered(frame: Frame, step: str) -> Frame:
    closed, kept = (tuple(one for one in every if one.step != step) for every in (frame.closed, frame.kept))
    return frame if (closed, kept) == (frame.closed, frame.kept) else replace(frame, closed=closed, kept=kept)
