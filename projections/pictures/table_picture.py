"""Collect the contents of a map at a position: stacks, contested places, and moves and losses in the current step."""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.board import Board
from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.game.hidden_units import dated
from umpire_ledger.domain.game.state import Game, Unit, place_of
from umpire_ledger.projections.pictures.counters import DrawnCounter, SideLook, counter_of, looks_of, with_colors
from umpire_ledger.projections.pictures.facing import bearing_of
from umpire_ledger.projections.pictures.layout import Layout, laid_out


class Stack(msgspec.Struct, frozen=True):
    """The counters of one side at a place, sorted by id. `seen`: whether they are out of sight and last seen there."""

    place: str
    side: str
    counters: tuple[DrawnCounter, ...]
    seen: bool = False

    @property
    def key(self) -> tuple[str, str, bool]:
        """Key that distinguishes the stack from other stacks."""
        return self.place, self.side, self.seen


class UnitPath(msgspec.Struct, frozen=True):
    """The path of a unit since the step began. `path`: its places in order, from the first."""

    unit: str
    side: str
    path: tuple[str, ...]


class Loss(msgspec.Struct, frozen=True):
    """A unit that left play since the step began. `place`: its last place."""

    unit: str
    side: str
    place: str
    fate: str


class Picture(msgspec.Struct, frozen=True):
    """All contents of a map of a game, which `svg` draws. `contested`: the places of the current picks.

    `bearings`: the known directions of units, in degrees clockwise from the top. `game`: the game's
    name in the ledger; `copied`: the origin of a copied game, in words, or "". `background`: the address of the
    background picture, "" for none.
    """

    game: str
    copied: str
    name: str
    where: str
    turn: int
    layout: Layout
    sides: Mapping[str, SideLook]
    stacks: tuple[Stack, ...]
    ways: tuple[UnitPath, ...] = ()
    losses: tuple[Loss, ...] = ()
    contested: tuple[str, ...] = ()
    bearings: Mapping[str, float] = {}
    background: str = ""


def picture_of(game: Game, board: Board, since: Iterable[AnyEvent] = (), *, called: str, copied: str = "") -> Picture:
    """Return the picture of a game as a seat knows it.

    Args:
        since: The events that the seat knows, since the step began.
        called: The game's name in the ledger, which differs from the name at the opening if the game is a copy.
        copied: The origin of a copied game, in words.
    """
    events = tuple(since)
    ways = tuple(_ways(game, events))
    losses = tuple(_losses(game, events))
    stacks = tuple(_stacks(game, board))
    places = [stack.place for stack in stacks]
    places += [place for way in ways for place in way.path]
    places += [loss.place for loss in losses]
    layout = laid_out(board, places)
    return Picture(
        game=called,
        copied=copied,
        name=game.name,
        where=game.where,
        turn=game.turn,
        layout=layout,
        sides=looks_of(with_colors(game.sides, board)),
        stacks=stacks,
        ways=ways,
        losses=losses,
        contested=tuple(dict.fromkeys(item for item in place_of(game).items if layout.spot(item) is not None)),
        bearings=bearings(board, layout, stacks),
    )


def stands_at(game: Game, unit: Unit) -> str:
    """Return the place of a unit, or of the unit that carries it. Units that carry each other in a ring are allowed."""
    seen = {unit.id}
    while (carrier := game.units.get(unit.at)) is not None and carrier.id not in seen:
        seen.add(carrier.id)
        unit = carrier
    return unit.at


def bearings(board: Board, layout: Layout, stacks: Iterable[Stack]) -> dict[str, float]:
    """Return the bearings of units by id, for units whose facing names a direction."""
    found = (
        (one.unit, bearing_of(board, layout, stack.place, one.facing)) for stack in stacks for one in stack.counters
    )
    return {unit: bearing for unit, bearing in found if bearing is not None}


def _stacks(game: Game, board: Board) -> Iterator[Stack]:
    """Yield stacks sorted by place, then by side, then units in sight before units out of sight."""
    found: dict[tuple[str, str, bool], list[DrawnCounter]] = {}
    there = [(unit, "") for unit in game.in_play()]
    seen = [(one.unit, dated(one)) for one in game.sightings.values()]
    for unit, when in (*there, *sorted(seen, key=lambda one: one[0].id)):
        place = stands_at(game, unit)
        counter = counter_of(board, unit, game.side_ids, when)
        found.setdefault((board.within.get(place, place), unit.side, bool(when)), []).append(counter)
    order = {side: at for at, side in enumerate(game.side_ids)}
    for place, side, past in sorted(found, key=lambda key: (key[0], order.get(key[1], len(order)), *key[1:])):
        yield Stack(place, side, tuple(found[place, side, past]), past)


def _ways(game: Game, events: Iterable[AnyEvent]) -> Iterator[UnitPath]:
    """Yield one path for each unit that moved, in the order of the first moves; consecutive moves are joined."""
    paths: dict[str, tuple[str, ...]] = {}
    for event in events:
        if isinstance(event, e.UnitMoved):
            paths[event.unit] = joined_path(paths.get(event.unit, ()), event.path)
    for name, path in paths.items():
        if len(path) > 1 and (unit := game.units.get(name)) is not None:
            yield UnitPath(name, unit.side, path)


def joined_path(before: tuple[str, ...], path: tuple[str, ...]) -> tuple[str, ...]:
    """Return a path followed by another; the last place of the first, if equal to the next, occurs once."""
    return before + path[1:] if before[-1:] == path[:1] else before + path


def _losses(game: Game, events: Iterable[AnyEvent]) -> Iterator[Loss]:
    for event in events:
        if isinstance(event, e.UnitRemoved) and (unit := game.units.get(event.unit)) is not None and unit.fate:
            yield Loss(unit.id, unit.side, event.at or unit.at, event.fate)
