"""Sell ships to the WYN, with their price credited in 3A-4Q and 3B4 (449.23)."""

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    DEPOT,
    empire_of,
    is_ship,
    living,
    own_unit,
    refuse,
    regrouped,
    rule_of,
    stepped_off,
    verify_own_ship,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.sheets import Points
from umpire_ledger.domain.titles.federation_and_empire.raids.raids import unloaded
from umpire_ledger.kit import (
    Dice,
    Game,
    Order,
    Result,
    Unit,
    UnitName,
    paid,
    removed,
)


class SellShip(Order, frozen=True, kw_only=True, tag="sell-ship"):
    """Sell a ship to the WYN: it leaves play, and its empire is credited."""

    unit: UnitName
    ep: Points


def can_sell(game: Game, side: str) -> bool:
    """Check whether a side has a ship in service that it owns."""
    return any(unit.side == side and is_own_in_service(unit) for unit in living(game))


def is_own_in_service(unit: Unit) -> bool:
    """Check whether a unit is a ship of its empire, not leased, and in service."""
    return is_ship(unit) and unit.get("lessee") is None and _serves(unit)


def _serves(unit: Unit) -> bool:
    """Check whether a ship is in service, neither in mothballs nor in the depot."""
    return unit.get("mothballed") is not True and unit.at != DEPOT


def decide_sell_ship(game: Game, order: SellShip, _: Dice) -> list[Result]:
    """Remove a ship from play and credit its price to its empire.

    Raises:
        RuleViolation: The unit is not a ship, is leased, in mothballs or in the depot, or has another price in the
            scenario.
    """
    unit, rule = own_unit(game, order, order.unit), rule_of(game, "449.23")
    verify_own_ship(game, unit, "449.23")
    if not _serves(unit):
        raise refuse(game, "not-a-sold-ship", "449.23", unit=unit.id)
    price = unit.get("wyn_price")
    if isinstance(price, int) and order.ep != price:
        raise refuse(game, "wrong-sale-price", "449.23", price=price, unit=unit.id)
    return [
        *stepped_off(game, unit, "its ship is sold", rule),
        *regrouped(game, unit, rule),
        *(unloaded(game, unit, rule) if unit.get("cargo_ep") else ()),
        *removed(unit, "sold", "to the WYN", rule),
        *paid(game, f"{empire_of(unit)}/EP", order.ep, f"{unit.id} sold to the WYN", rule),
    ]
