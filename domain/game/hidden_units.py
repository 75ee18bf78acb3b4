"""Hidden units: the open table that everybody sees, and what lies under covers that only some see through.

`Game.units` is the open table. The sequence of play, other sides and every look ask of it, so nothing that forgets
about hidden units can tell of one. Whoever may see more asks `known_to`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from umpire_ledger.domain.game.events import HiddenDone, RestrictedEvent, UnitEvent
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR, Game, Sighting, replace

FOG = "fog"
"""The option of a scenario under which units may be hidden."""
RULE = "hidden units"


def is_foggy(game: Game) -> bool:
    """Whether units may be hidden in this game."""
    return game.options.get(FOG) is True


def known_to(game: Game, seat: str) -> Game:
    """The game with the hidden units that a seat sees beside those on the open table; the referee sees all of them.

    Of sightings only its own are left. Without hidden units it is the very same game.
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


def looked_at(fold: Game, seat: str, now: Game, at: int) -> Game:
    """A seat's own fold at a position with the hidden units that it sees, or all where they are laid open `now`."""
    return known_to(fold, REFEREE if now.secrets_open >= at else seat)


def in_the_open(game: Game) -> Game:
    """The same game with its hidden units under their covers again: `known_to` taken back."""
    laid = [name for name in game.hidden if name in game.units]
    if not laid:
        return game
    units = game.units.mutate()
    for name in laid:
        del units[name]
    return replace(game, units=units.finish())


def sighting(game: Game, unit: str) -> Sighting | None:
    """Where a unit was seen last that is out of sight, in a game as a seat knows it; None where it knows of none."""
    if unit in game.units:
        return None
    return next((one for one in game.sightings.values() if one.unit.id == unit), None)


def last_seen(one: Sighting) -> str:
    """A sighting in words: `last seen turn 3 at 0610`."""
    return f"{dated(one)} at {one.unit.at}"


def dated(one: Sighting) -> str:
    """When that was: `last seen turn 3`, or `last seen` in a game that counts no turns."""
    return f"last seen turn {one.turn}" if one.turn else "last seen"


def laid_hidden(game: Game, hidden: Mapping[str, Iterable[UnitEvent]]) -> Iterator[RestrictedEvent]:
    """What lies hidden at the beginning, by the side that is told of it.

    Each side has one private record, so that their number does not tell who has anything.
    """
    for side in game.side_ids:
        yield RestrictedEvent(HiddenDone(events=tuple(hidden.get(side, ()))), viewers_of(game, (side,)))


def named_by(game: Game, unit: str, together: frozenset[str] = frozenset()) -> str:
    """What in the open names a unit, in words, so that a rule may look it up; "" where nothing does.

    What is sealed does not count: who may hide a unit must not tell of it. Nor do units that are hidden `together`.
    """
    word, silent = id_pattern(unit), {unit, *together}
    return next((what for by, what, text in said_in_the_open(game) if by not in silent and word.search(text)), "")


def id_pattern(unit: str) -> re.Pattern[str]:
    """An id where it stands as a word of its own."""
    return re.compile(rf"(?<![\w-]){re.escape(unit)}(?![\w-])")


def said_in_the_open(game: Game) -> Iterator[tuple[str, str, str]]:
    """The unit that says it ("": none does), what says it in words, and what it says."""
    yield from (("", f"`{frame.of}`, which is played for it,", frame.item) for frame in game.cursor.frames)
    yield from (("", f"the marker `{name}`", f"{name} {value}") for name, value in game.markers.items())
    told = (one for one in game.choices.values() if not one.sealed)
    yield from (("", f"the choice `{one.question}`", f"{one.choice}") for one in told)
    for unit in game.in_play():
        yield from ((unit.id, f"{unit.id} ({name})", f"{value}") for name, value in unit.attributes.items())


def viewers_of(game: Game, seen_by: tuple[str, ...]) -> tuple[str, ...]:
    """Who may see what happens to a hidden unit: these sides, in the order of the scenario, and the referee."""
    return (*(side for side in game.side_ids if side in seen_by), REFEREE)
