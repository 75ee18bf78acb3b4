"""Separate the public board from hidden units, which only some sides see.

`Game.units` is the public board. The sequence of play, other sides and every view read it, so code that ignores hidden
units cannot reveal one. Code that may see more calls `known_to`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from umpire_ledger.domain.game.events import HiddenDone, RestrictedEvent, UnitEvent
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR, Game, Sighting, replace

FOG = "fog"
"""The option of a scenario under which units may be hidden."""
RULE = "hidden units"


def is_foggy(game: Game) -> bool:
    """Return whether units may be hidden in this game."""
    return game.options.get(FOG) is True


def known_to(game: Game, seat: str) -> Game:
    """Return the game with the hidden units that a seat sees added to the public ones; the referee sees all of them.

    Only the seat's own sightings remain. Without hidden units and sightings it is the same object.
    """
    if not game.hidden and not game.sightings:
        return game
    side = "" if seat == REFEREE else game.side_of(seat)
    mine = {name: one for name, one in game.hidden.items() if seat == REFEREE or side in one.seen_by}
    watcher = side or (SPECTATOR if seat != REFEREE else "")
    seen = {key: one for key, one in game.sightings.items() if one.side == watcher}
    units = game.units.mutate()
    for name, one in mine.items():
        units[name] = one.unit
    return replace(game, units=units.finish(), hidden=mine, sightings=seen)


def known_at_position(fold: Game, seat: str, now: Game, at: int) -> Game:
    """Return the game at a position with the hidden units that a seat sees, or with all if they are revealed now.

    Args:
        fold: The game at the position.
        now: The present game, which knows up to which position secrets are revealed.
        at: The position.
    """
    return known_to(fold, REFEREE if now.secrets_open >= at else seat)


def in_the_open(game: Game) -> Game:
    """Return the game without the hidden units that `known_to` added to the board."""
    laid = [name for name in game.hidden if name in game.units]
    if not laid:
        return game
    units = game.units.mutate()
    for name in laid:
        del units[name]
    return replace(game, units=units.finish())


def sighting(game: Game, unit: str) -> Sighting | None:
    """Return the last sighting of a unit that a seat does not see; None if there is none.

    `game`: as the seat knows it.
    """
    if unit in game.units:
        return None
    return next((one for one in game.sightings.values() if one.unit.id == unit), None)


def last_seen(one: Sighting) -> str:
    """Return a sighting in words: `last seen turn 3 at 0610`."""
    return f"{dated(one)} at {one.unit.at}"


def dated(one: Sighting) -> str:
    """Return the time of a sighting: `last seen turn 3`, or `last seen` in a game without turns."""
    return f"last seen turn {one.turn}" if one.turn else "last seen"


def laid_hidden(game: Game, hidden: Mapping[str, Iterable[UnitEvent]]) -> Iterator[RestrictedEvent]:
    """Yield one private record per side with the units that begin hidden.

    Sides without hidden units get a record too, so that the number of records does not reveal which sides have them.
    """
    for side in game.side_ids:
        yield RestrictedEvent(HiddenDone(events=tuple(hidden.get(side, ()))), viewers_of(game, (side,)))


def named_by(game: Game, unit: str, together: frozenset[str] = frozenset()) -> str:
    """Return the source of a public text that names a unit and that a rule may look up, in words; "" if there is none.

    Sealed answers are not searched, because the refusal would reveal the unit. Neither are attributes of the unit
    itself and of units that are hidden `together` with it.
    """
    word, silent = id_pattern(unit), {unit, *together}
    return next((what for by, what, text in said_in_the_open(game) if by not in silent and word.search(text)), "")


def id_pattern(unit: str) -> re.Pattern[str]:
    """Return a pattern that finds an id as a whole word."""
    return re.compile(rf"(?<![\w-]){re.escape(unit)}(?![\w-])")


def said_in_the_open(game: Game) -> Iterator[tuple[str, str, str]]:
    """Yield each public text with its unit ("" for none) and its source in words."""
    yield from (("", f"`{frame.of}`, which is played for it,", frame.item) for frame in game.cursor.frames)
    yield from (("", f"the marker `{name}`", f"{name} {value}") for name, value in game.markers.items())
    told = (one for one in game.choices.values() if not one.sealed)
    yield from (("", f"the choice `{one.question}`", f"{one.choice}") for one in told)
    for unit in game.in_play():
        yield from ((unit.id, f"{unit.id} ({name})", f"{value}") for name, value in unit.attributes.items())


def viewers_of(game: Game, seen_by: tuple[str, ...]) -> tuple[str, ...]:
    """Return the viewers of a hidden unit: the given sides, in the order of the scenario, and the referee."""
    return (*(side for side in game.side_ids if side in seen_by), REFEREE)
