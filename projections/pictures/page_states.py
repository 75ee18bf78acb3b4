"""Build the states that a replay page shows at each position, as plain data, and the changes between them.

The page does not rebuild the game. It contains the first state in full, followed by merge patches (RFC 7396). So a
state contains no null, and values that change often have their own keys instead of places in a list.
"""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any, NamedTuple, get_args

from immutables import Map

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.board import Board
from umpire_ledger.domain.game.events import AnyEvent, inner_events
from umpire_ledger.domain.game.events.phrases import say
from umpire_ledger.domain.game.hidden_units import dated, known_to, sighting
from umpire_ledger.domain.game.state import REFEREE, Game, Unit, place_of, replace
from umpire_ledger.projections.pictures.counters import counter_of
from umpire_ledger.projections.pictures.facing import bearing_of
from umpire_ledger.projections.pictures.layout import Layout
from umpire_ledger.projections.pictures.table_picture import joined_path, stands_at

Plain = dict[str, Any]
Path = tuple[str, ...]
IsKept = Callable[[str, str], bool]
"""Returns whether only the rules use a value. Its arguments: `attributes`, `markers` or `accounts`, and a name."""
UNIT_EVENTS = get_args(e.UnitEvent)


class Demands(NamedTuple):
    """The current step, the sides that must act and their required actions, in sentences."""

    where: str = ""
    wait: tuple[str, ...] = ()
    owed: tuple[str, ...] = ()
    side_to_act: tuple[str, ...] = ()


class ReturnPoint(NamedTuple):
    """The facts about a position that a later rewind to it needs."""

    game: Game
    tip: "_Node | None"
    opened: Map[str, int]


class _Node(NamedTuple):
    """A move or a loss on the current branch, with a link to the previous one."""

    position: int
    event: e.UnitMoved | e.UnitRemoved
    before: "_Node | None"


class PageStates:
    """Builds the state of a page after each record, as the page's readers know the game."""

    def __init__(self, board: Board, layout: Layout, is_kept: IsKept, seat: str) -> None:
        self._seat = seat
        self._board = board
        self._layout = layout
        self._is_kept = is_kept
        self._units: Plain = {}
        self._since = _Since()
        self.symbols: dict[str, str] = {}
        """The name of the drawing for each kind of unit in the states."""

    def mark(self, game: Game) -> ReturnPoint:
        """Return the facts about the current position that a later rewind to it needs."""
        return ReturnPoint(self._known(game), self._since.tip, self._since.opened)

    def return_to(self, mark: ReturnPoint) -> None:
        """Continue from an earlier position after a rewind."""
        self._since.tip, self._since.opened = mark.tip, mark.opened
        game = mark.game
        names = sorted({*game.units, *(one.unit.id for one in game.sightings.values())})
        self._units = {name: plain for name in names if (plain := self._plain(game, name)) is not None}

    def _known(self, game: Game) -> Game:
        """Return a game with its hidden units visible, because the page's readers may see them.

        Only units that the seat no longer sees are sightings.
        """
        known = known_to(game, REFEREE)
        return known if not game.sightings else replace(known, sightings=known_to(game, self._seat).sightings)

    def after(self, position: int, event: AnyEvent | None, game: Game, demands: Demands) -> Plain:
        """Return the state after a record. `event`: None if it is hidden; `game`: the game after it, as known."""
        game = self._known(game)
        for one in inner_events(event) if event is not None else ():
            if isinstance(one, UNIT_EVENTS):
                self._follow(game, one.unit)
            self._since.take(position, one)
        paths, lost = self._since.since(game)
        state: Plain = {
            "turn": game.turn,
            "where": demands.where,
            "steps": [[one.step, one.name] for one in game.cursor.open],
            "wait": demands.wait,
            "owed": demands.owed,
            "side_to_act": demands.side_to_act,
            "units": self._units,
            "accounts": {},
            "markers": {},
            "ways": paths,
            "lost": lost,
            "contested": [item for item in dict.fromkeys(place_of(game).items) if self._layout.spot(item) is not None],
        }
        kept: Plain = {}
        for name, amount in game.accounts.items():
            _put(state, kept, "accounts", name, amount, self._is_kept)
        for name, value in game.markers.items():
            _put(state, kept, "markers", name, say(value), self._is_kept)
        if kept:
            state["kept"] = kept
        if game.ended:
            state["ended"] = game.ended
        return state

    def _follow(self, game: Game, unit: str) -> None:
        """Update a unit and all units aboard it."""
        units = dict(self._units)
        waiting = [unit]
        while waiting:
            name = waiting.pop()
            if (plain := self._plain(game, name)) is None:
                units.pop(name, None)
            else:
                units[name] = plain
                waiting += [other for other, one in units.items() if one.get("at") == name and other != unit]
        self._units = units

    def _plain(self, game: Game, name: str) -> Plain | None:
        """Return a unit as it is or as it was last seen; None if it is not known."""
        if (unit := game.units.get(name)) is not None:
            return self._unit(game, unit)
        seen = sighting(game, name)
        return {**self._unit(game, seen.unit), "seen": dated(seen)} if seen is not None else None

    def _unit(self, game: Game, unit: Unit) -> Plain:
        counter = counter_of(self._board, unit, game.side_ids)
        stands = stands_at(game, unit)
        place = self._board.within.get(stands, stands)
        plain: Plain = {
            "side": unit.side,
            "kind": unit.kind,
            "label": counter.label,
            "signs": counter.signs,
            "place": place,
            "about": {},
        }
        if counter.number:
            plain["number"] = counter.number
        if counter.symbol:
            self.symbols[unit.kind] = counter.symbol
        bearing = bearing_of(self._board, self._layout, place, counter.facing) if counter.facing else None
        if bearing is not None:
            plain["bearing"] = round(bearing)
        if unit.at != place:
            plain["at"] = unit.at
        if unit.fate:
            plain["fate"] = unit.fate
        for name, value in unit.attributes.items():
            if value is None:
                continue
            if self._is_kept("attributes", name):
                plain.setdefault("kept", {})[name] = value
            else:
                plain["about"][name] = value
        return plain


def _put(state: Plain, kept: Plain, kind: str, name: str, value: Any, is_kept: IsKept) -> None:
    if is_kept(kind, name):
        kept.setdefault(kind, {})[name] = value
    else:
        state[kind][name] = value


class _Since:
    """The paths and losses of units since the oldest open step began."""

    def __init__(self) -> None:
        self.tip: _Node | None = None
        self.opened: Map[str, int] = Map()
        self._begin = 0
        self._last: _Node | None = None
        self._paths: dict[str, Path] = {}
        self._fates: dict[str, e.UnitRemoved] = {}

    def take(self, position: int, event: AnyEvent | None) -> None:
        match event:
            case e.StepOpened(step=step):
                self.opened = self.opened.set(step, position)
            case e.UnitMoved() | e.UnitRemoved():
                self.tip = _Node(position, event, self.tip)
            case _:
                pass

    def since(self, game: Game) -> tuple[Plain, Plain]:
        """Return the path of each unit that moved, and the place and fate of each lost unit."""
        if not game.cursor.open:
            return {}, {}
        self._catch_up(min(self.opened.get(one.step, 0) for one in game.cursor.open))
        ways = {unit: path for unit, path in self._paths.items() if len(path) > 1 and unit in game.units}
        lost: Plain = {}
        for name, event in self._fates.items():
            if (unit := game.units.get(name)) is not None and unit.fate:
                lost[name] = [event.at or unit.at, event.fate]
        return ways, lost

    def _catch_up(self, begin: int) -> None:
        """Read the new moves and losses since the last call; all of them again if the step or the branch changed."""
        known = self._last if begin == self._begin else None
        new: list[_Node] = []
        node = self.tip
        while node is not None and node.position > begin and node is not known:
            new.append(node)
            node = node.before
        if known is None or node is not known:
            self._paths, self._fates = {}, {}
        for one in reversed(new):
            self._add(one.event)
        self._begin, self._last = begin, self.tip

    def _add(self, event: e.UnitMoved | e.UnitRemoved) -> None:
        if isinstance(event, e.UnitRemoved):
            self._fates[event.unit] = event
            return
        self._paths[event.unit] = joined_path(self._paths.get(event.unit, ()), event.path)


# --- patches ----------------------------------------------------------------------------------------------------------


def merge_patch(before: Plain, after: Plain) -> Plain:
    """Return the merge patch (RFC 7396) that turns one state into another; {} if they are equal."""
    patch: Plain = dict.fromkeys(before.keys() - after.keys())
    for name, value in after.items():
        was = before.get(name)
        if was is value or was == value:
            continue
        patch[name] = merge_patch(was, value) if isinstance(was, dict) and isinstance(value, dict) else value
    return dict(sorted(patch.items()))


def places_of(events: Iterable[AnyEvent]) -> list[str]:
    """Return every place of units in the order of first use, without units that carry others."""
    places: dict[str, None] = {}
    units: set[str] = set()
    for event in chain.from_iterable(map(inner_events, events)):
        match event:
            case e.UnitPlaced(unit=unit, at=at) | e.UnitShown(unit=unit, at=at):
                units.add(unit)
                places[at] = None
            case e.UnitMoved(path=path):
                places.update(dict.fromkeys(path))
            case e.UnitRemoved(at=at):
                places[at] = None
            case _:
                pass
    return [place for place in places if place and place not in units]
