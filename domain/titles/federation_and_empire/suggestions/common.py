"""Build suggestions from an order: unchanged, for some units, or for each empire of a side."""

from collections.abc import Callable, Iterator
from itertools import islice

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    empires_of,
    has,
    in_battle,
    is_base,
    units_where,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.sheets import listed_price
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import is_hex
from umpire_ledger.kit import Game, Mark, Order, Roll, Suggest, Unit, step_open

FEW = 3
Pick = Callable[[Unit], bool]
Made = Callable[..., Order]
Orders = Iterator[Order]


def any_unit(_: Unit) -> bool:
    return True


def ships(unit: Unit) -> bool:
    """Check whether a unit is on the map and is neither a base nor a leader."""
    return not is_base(unit) and is_hex(unit.at) and not has(unit, "leader")


def trait(name: str) -> Pick:
    """Return a test for units with the trait."""
    return lambda unit: has(unit, name)


def mine(game: Game, side: str, pick: Pick = any_unit, most: int = FEW) -> list[Unit]:
    """Return some of a side's units, by id."""
    return list(units_where(game, pick, side)[:most])


def new_id(game: Game, side: str) -> str:
    """Return an id that no unit has."""
    return f"{side}-new-{len(game.units) + 1}"


def guess(game: Game, what: str, ep: int = 1) -> int | None:
    """Return a price to try; None if the scenario lists the price."""
    return ep if listed_price(game, what) is None else None


def plain(order: Made, **more: object) -> Suggest:
    """Suggest the order, unchanged."""
    return lambda game, side: iter((order(seat=side, **more),))


def each_unit(order: Made, pick: Pick = any_unit, **more: object) -> Suggest:
    """Suggest the order for each of some units."""
    return lambda game, side: (order(seat=side, unit=unit.id, **more) for unit in mine(game, side, pick))


def each_in_battle(order: Made, pick: Pick = any_unit, **more: object) -> Suggest:
    """Suggest the order for each of some units of the current battle."""

    def suggest(game: Game, side: str) -> Orders:
        found = (unit for unit in in_battle(game, side) if pick(unit))
        return (order(seat=side, unit=unit.id, **more) for unit in islice(found, FEW))

    return suggest


def each_empire(order: Made, **more: object) -> Suggest:
    """Suggest the order for each empire of the side."""
    return lambda game, side: (order(seat=side, empire=empire, **more) for empire in empires_of(game, side))


# --- generic orders --------------------------------------------------------------------------------------------------


def agreed_rolls(game: Game, side: str) -> Orders:
    """Suggest a die for a rule that we do not have, if the count of acts is a multiple of six."""
    if game.acts % 6 == 0:
        yield Roll(seat=side, dice="1d6", purpose="as the rule requires")


def agreed_marks(game: Game, side: str) -> Orders:
    if game.acts % 7 == 0:
        yield Mark(seat=side, marker="agreed", to=step_open(game))
