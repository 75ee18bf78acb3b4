"""Build the roles and sets of a scenario's own sequence: the sides that hold a role, and the members of a loop."""

from collections.abc import Callable, Iterable

from umpire_ledger.domain.titles.freeform.names import Names
from umpire_ledger.domain.titles.freeform.texts import RoleText, SetText
from umpire_ledger.domain.titles.freeform.values import EvaluationContext, holds, units
from umpire_ledger.kit import Called, Game, called

PLACE = "place"
"""The name of the current place in an expression about places."""


CanGive = Callable[[Game, str], bool]
"""A check whether a side could give an order."""


def read_role(names: Names, text: RoleText, path: str, can_give: CanGive | None = None) -> Called:
    """Return a role: a function that finds its sides, with its words.

    If the role has a marker, the marker names one side or lists several.
    """
    node = names.expression(text.when, f"{path}.when") if text.when else None
    for at, side in enumerate(text.sides):
        names.named("side", side, f"{path}.sides[{at}]")
    if text.marker:
        names.named("marker", text.marker, f"{path}.marker")
    if text.sides and text.marker:
        names.fault("a role cannot have both `sides` and `marker`", path, "leave out `sides` or `marker`")

    def held(game: Game) -> tuple[str, ...]:
        sides = _marked(game, text.marker) if text.marker else text.sides or game.side_ids
        found = tuple(side for side in sides if side in game.side_ids)
        if text.others:
            found = tuple(side for side in game.side_ids if side not in found)
        found = tuple(side for side in found if node is None or holds(node, EvaluationContext(game, side)))
        return tuple(side for side in found if can_give is None or can_give(game, side))

    return called(text.words, held, none=text.none)


def read_set(names: Names, text: SetText, path: str) -> Called:
    """Return a set: a function that finds its members, with its words.

    The members are units in play (sorted by id), places of units, or a list.
    """
    said = [one for one in ("units", "places", "marker", "members") if getattr(text, one)]
    if len(said) != 1:
        what = f"this set has several kinds of members: {', '.join(said)}" if said else "this set has no members"
        names.fault(what, path, "write exactly one of: units, places, marker, members")
    node = names.expression(text.units, f"{path}.units", of_units=True) if text.units else None
    where = names.expression(text.places, f"{path}.places", bare=frozenset((PLACE,))) if text.places else None
    if text.marker:
        names.named("marker", text.marker, f"{path}.marker")

    def members(game: Game, side: str) -> Iterable[str]:
        if text.marker:
            return tuple(dict.fromkeys(_marked(game, text.marker)))
        if where is not None:
            stood_on = sorted({unit.at for unit in game.in_play()})
            return tuple(one for one in stood_on if holds(where, EvaluationContext(game, side, given={PLACE: one})))
        return text.members or tuple(unit.id for unit in units(node, EvaluationContext(game, side)) if node is not None)

    return called(text.words, lambda game, side: tuple(members(game, side)), none=text.none)


def _marked(game: Game, marker: str) -> tuple[str, ...]:
    """Return the members that a marker lists, or the single one that it names."""
    value = game.markers.get(marker)
    return value if isinstance(value, tuple) else (value,) if isinstance(value, str) else ()
