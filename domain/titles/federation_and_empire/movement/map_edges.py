"""Check that orders name hexes within the map's edges and do not build in another empire's hexes."""

from collections.abc import Iterator
from functools import cache

import msgspec

from umpire_ledger.domain.titles.federation_and_empire import house_values
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    every_empire,
    owner_name,
    printed_of,
    refuse,
)
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import is_hex
from umpire_ledger.kit import Game, Order, Reason, names_in, word_in

PLACES = ("at", "path", "to", "target", "place", "province")
"""The arguments of this title's orders that hold places, alone or among other names."""


def verify_on_map(game: Game, order: Order) -> None:
    """Check that all hexes in the arguments of an order are on the map.

    Raises:
        RuleViolation: A hex is beyond the edges of the map.
    """
    columns, rows = edges(game)
    off = next((place for place in _hexes_of(game, order) if not is_on_map(place, columns, rows)), "")
    if off:
        raise refuse(game, "outside-the-map", hex=off, columns=columns, rows=rows)


def is_on_map(place: str, columns: int, rows: int) -> bool:
    return 1 <= int(place[:2]) <= columns and 1 <= int(place[2:]) <= rows


def edges(game: Game) -> tuple[int, int]:
    """Return the last column and the last row: the scenario's, otherwise the house value."""
    columns, rows = names_in(game, "map") or (str(house_values.MAP_EDGE.value), str(house_values.MAP_EDGE.value))
    return int(columns), int(rows)


def _hexes_of(game: Game, order: Order) -> Iterator[str]:
    """Yield the hexes that an order names, leaving out unit ids that happen to have four digits."""
    for name in _arguments_with_places(type(order)):
        value = getattr(order, name)
        for one in (value,) if isinstance(value, str) else value or ():
            if is_hex(one) and one not in game.units:
                yield one


@cache
def _arguments_with_places(order: type[Order]) -> tuple[str, ...]:
    """Return the arguments of an order that hold places. Cached: every dry run of a click on the board needs them."""
    return tuple(field.name for field in msgspec.structs.fields(order) if field.name in PLACES)


def verify_not_foreign(game: Game, empire: str, place: str, number: str = "") -> None:
    """Check that a hex in which an empire builds does not belong to another empire, not even to an ally.

    Raises:
        RuleViolation: The hex is the capital or a province of another empire.
    """
    others = [one for one in every_empire(game) if one != empire]
    capital = next((one for one in others if printed_of(game, one, "capital") == place), "")
    province = word_in(game, f"province {place}")
    if capital or province in others:
        raise refuse(
            game,
            "not-own-territory",
            number,
            place=place,
            what=Reason("capital", "the capital") if capital else Reason("province", "a province"),
            owner=owner_name(game, capital or province),
            empire=owner_name(game, empire),
        )
