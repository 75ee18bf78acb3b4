"""Generate generic orders that touch another side's property, or state that the rules write; each must be refused.

The title's own orders in random play show which state the rules write (`WrittenFacts`), not the title's declaration.
State that a step permits by its `touches` is left out.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from typing import NamedTuple

from umpire_ledger.domain.flow.open_steps import acting, open_steps
from umpire_ledger.domain.flow.order_scope import matches
from umpire_ledger.domain.game import events as e, orders as o
from umpire_ledger.domain.game.decision import Decision, events_of
from umpire_ledger.domain.game.events import Value
from umpire_ledger.domain.game.state import Game, Unit
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.sequence.constructs import Touch

TRIED = 3
"""The most orders of each kind and side to try at a position."""
NEW = "nobody-wrote-this"


class WrittenFacts:
    """The state that a title's own orders and their automatic acts wrote in random play."""

    def __init__(self) -> None:
        self.attributes: dict[str, None] = {}
        self.accounts: dict[str, None] = {}
        self.markers: dict[str, None] = {}
        self.questions: dict[str, None] = {}
        self.removed: dict[str, dict[str, None]] = {}
        """Names of the orders that removed units, by kind of unit."""
        self.placed: dict[str, dict[str, None]] = {}
        """Names of the orders that placed units, by kind of unit."""

    def note(self, order: o.Order, decision: Decision) -> None:
        """Note the state that an order wrote. A generic order is ignored, because the title does not decide it."""
        if isinstance(order, o.GENERIC_ORDERS):
            return
        for event in events_of(decision.told):
            match event:
                case e.UnitChanged(attribute=name) if name != "side":
                    self.attributes[name] = None
                case e.AccountChanged(account=name):
                    self.accounts[name] = None
                case e.MarkerSet(marker=name):
                    self.markers[name] = None
                case e.ChoiceMade(question=name) | e.ChoiceSealed(question=name) | e.ChoiceRevealed(question=name):
                    self.questions[name] = None
                case e.UnitRemoved(unit=unit) if unit in decision.game.units:
                    self.removed.setdefault(decision.game.units[unit].kind, {})[order.tag()] = None
                case e.UnitPlaced(kind=kind):
                    self.placed.setdefault(kind, {})[order.tag()] = None
                case _:
                    pass


class ActingSide(NamedTuple):
    """A side that may act in an open step. `touches`: the state that the step lets generic orders change."""

    title: Title
    game: Game
    side: str
    touches: Touch
    written: WrittenFacts

    @property
    def opened(self) -> set[str]:
        """Ids of the units that generic orders may touch in this step."""
        if self.touches.units:
            return set(self.title.sets[self.touches.units](self.game, self.side))
        return {unit.id for unit in self.game.in_play(self.side)}


def trespasses(title: Title, game: Game, written: WrittenFacts, chance: Random) -> Iterator[o.Order]:
    """Yield generic orders that the open steps allow and that must be refused, some of each kind for each side."""
    if title.sequence is None:
        return  # Without a sequence, no step limits generic orders.
    asked: set[tuple[str, type[o.Order]]] = set()
    for step in open_steps(title, game):
        for side in acting(title, game, step):
            for kind in step.allows:
                if kind in _TRIES and (side, kind) not in asked:  # An order is given in the first step that allows it.
                    asked.add((side, kind))
                    found = [*_TRIES[kind](ActingSide(title, game, side, step.touches, written))]
                    yield from chance.sample(found, min(TRIED, len(found)))


def _foreign(seat: ActingSide) -> list[Unit]:
    return [unit for unit in seat.game.in_play() if unit.side not in (seat.side, "")]


def _others(seat: ActingSide) -> list[str]:
    return [side for side in seat.game.side_ids if side != seat.side]


def _moves(seat: ActingSide) -> Iterator[o.Order]:
    for unit in _foreign(seat):
        yield o.Move(seat=seat.side, unit=unit.id, path=(NEW,))


def _removals(seat: ActingSide) -> Iterator[o.Order]:
    opened = seat.opened
    for unit in _foreign(seat):
        if unit.id not in opened:
            yield o.Remove(seat=seat.side, unit=unit.id)


def _changes(seat: ActingSide) -> Iterator[o.Order]:
    """Yield forbidden changes: of another side's units, of a unit's side, and of attributes that are new or ruled."""
    opened = seat.opened
    for unit in _foreign(seat):
        for name in unit.attributes:
            if unit.id not in opened or (name in seat.written.attributes and not _open(name, seat, "attributes")):
                yield o.Change(seat=seat.side, unit=unit.id, attribute=name, to=_other(unit.get(name)))
        yield o.Change(seat=seat.side, unit=unit.id, attribute="side", to=seat.side)
    names = [name for name in seat.written.attributes if not _open(name, seat, "attributes")]
    for unit in seat.game.in_play(seat.side):
        yield from (o.Change(seat=seat.side, unit=unit.id, attribute="side", to=side) for side in _others(seat))
        for name in names:
            yield o.Change(seat=seat.side, unit=unit.id, attribute=name, to=_other(unit.get(name)))
        if not matches(NEW, seat.title.ruled.notes):
            yield o.Change(seat=seat.side, unit=unit.id, attribute=NEW, to=1)


def _places(seat: ActingSide) -> Iterator[o.Order]:
    """Yield orders that place a unit of another side, or a unit that has left play."""
    units = [*seat.game.units.values()]
    for unit in units[:1]:
        for side in _others(seat):
            attributes = {**unit.attributes}
            yield o.Place(seat=seat.side, unit=NEW, side=side, kind=unit.kind, at=unit.at, attributes=attributes)
    for unit in units:
        if unit.fate:
            attributes = {**unit.attributes}
            yield o.Place(
                seat=seat.side, unit=unit.id, side=seat.side, kind=unit.kind, at=unit.at, attributes=attributes
            )


def _payments(seat: ActingSide) -> Iterator[o.Order]:
    for name in _names(seat, seat.game.accounts, seat.written.accounts, "accounts"):
        yield o.Pay(seat=seat.side, account=name, amount=1)
        yield o.Pay(seat=seat.side, account=name, amount=-1)


def _marks(seat: ActingSide) -> Iterator[o.Order]:
    for name in _names(seat, seat.game.markers, seat.written.markers, "markers"):
        yield o.Mark(seat=seat.side, marker=name, to=_other(seat.game.markers.get(name)))


def _choices(seat: ActingSide) -> Iterator[o.Order]:
    for name in seat.written.questions:
        if not _open(name, seat, "questions"):
            yield o.Choose(seat=seat.side, question=name, choice=NEW)


def _names(seat: ActingSide, known: Iterable[str], written: Iterable[str], where: str) -> list[str]:
    """Return names that belong to another side, and names that the rules write and the step does not permit."""
    theirs = {*_others(seat)} | {unit.id for unit in _foreign(seat)}
    foreign = [name for name in known if theirs.intersection(name.split("/"))]
    ruled = [name for name in written if not _open(name, seat, where)]
    return [*dict.fromkeys((*foreign, *ruled))]


def _open(name: str, seat: ActingSide, where: str) -> bool:
    return matches(name, getattr(seat.touches, where))


def _other(value: Value) -> Value:
    """Return a different value of the same type."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case _:
            return NEW


_TRIES: Mapping[type[o.Order], Callable[[ActingSide], Iterator[o.Order]]] = {
    o.Move: _moves,
    o.Remove: _removals,
    o.Change: _changes,
    o.Place: _places,
    o.Pay: _payments,
    o.Mark: _marks,
    o.Choose: _choices,
}
