"""Collect the entries of a replay page for its records, and the marks of its time line."""

from typing import Any, NamedTuple

import msgspec

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.projections.pictures.layout import Layout

Mark = tuple[int, str]
"""A position and its event in words."""
_json = msgspec.json.Encoder().encode


class PageRow(NamedTuple):
    """A row of the audit trail for a page. `first`: the first position of its order.

    `kept`: whether the record sets a value that only the rules use.
    """

    first: int
    position: int
    turn: int
    step: str
    seat: str
    text: str
    rule: str
    tag: str
    units: tuple[str, ...]
    counts: bool
    kept: bool


class Entries:
    """The entries of a page, and the positions of turns, steps, rolls, disputes, seals and rulings.

    `entries`: JSON objects with short keys: o first position of the order, t turn, s step, w seat, e event, r rule,
    u units, c 1 on the current branch, k 1 for values that only the rules use, m text of the record, p places, x roll.
    Empty values are omitted.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self.entries: list[bytes] = []
        self.turns: list[tuple[int, int]] = []
        self.steps: list[tuple[int, str, str]] = []
        self.rolls: list[int] = []
        self.disputes: list[Mark] = []
        self.seals: list[Mark] = []
        self.rulings: list[Mark] = []

    def take(self, line: PageRow, event: AnyEvent | None) -> None:
        """Add one record. `event`: None if it is hidden."""
        entry: dict[str, Any] = {
            "o": line.first,
            "t": line.turn,
            "s": line.step,
            "w": line.seat,
            "e": line.tag,
            "r": line.rule,
            "u": line.units,
            "c": int(line.counts),
            "k": int(line.kept),
            "m": line.text,
        }
        if event is not None:
            entry["p"] = [place for place in _places(event) if self._layout.spot(place) is not None]
        if isinstance(event, e.DiceRolled):
            entry["x"] = _roll(event)
        self.entries.append(_json({name: value for name, value in entry.items() if value}))
        if not self.turns or self.turns[-1][1] != line.turn:
            self.turns.append((line.position, line.turn))
        self._mark(line, event)

    def _mark(self, line: PageRow, event: AnyEvent | None) -> None:
        match event:
            case e.StepOpened(step=step, name=name):
                self.steps.append((line.position, step, name))
            case e.DiceRolled():
                self.rolls.append(line.position)
            case e.DisputeOpened() | e.DisputeSettled():
                self.disputes.append((line.position, line.text))
            case e.LineSealed():
                self.seals.append((line.position, line.text))
            case e.RulingMade():
                self.rulings.append((line.position, line.text))
            case _:
                pass


def _places(event: AnyEvent) -> tuple[str, ...]:
    """Return the names in an event that may be names of places."""
    match event:
        case e.UnitPlaced(at=at) | e.UnitRemoved(at=at) | e.UnitCovered(at=at) | e.UnitShown(at=at):
            return (at,)
        case e.HiddenDone(events=events):
            return tuple(dict.fromkeys(place for one in events for place in _places(one)))
        case e.UnitMoved(path=path):
            return tuple(dict.fromkeys(path))
        case e.DiceRolled(about=about, subjects=subjects):
            return tuple(dict.fromkeys((*about, *subjects)))
        case e.StepClosed(item=item) | e.PassBegun(item=item):
            return (item,)
        case _:
            return ()


def _roll(event: e.DiceRolled) -> dict[str, Any]:
    """Return the data from which the page draws a roll."""
    modifiers = [f"{one.amount:+d} {one.source}" for one in event.modifiers]
    words = {"needed": event.needed, "outcome": event.outcome, "modifiers": modifiers}
    said = {name: value for name, value in words.items() if value}
    return {"words": f"{event.purpose}: {event.dice}", "pips": event.pips, "total": event.total, **said}
