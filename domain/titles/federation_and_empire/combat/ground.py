"""Decide the purchase and placing of independent ground combat elements in 6B (521.83)."""

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    empire_of,
    has,
    is_base,
    living,
    own_empire,
    printed_of,
    refuse,
    rule_of,
    spent,
    verify_not_held,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.sheets import Points
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import Hex
from umpire_ledger.kit import Dice, Game, Name, Order, Result, UnitPlaced, Value, listed


class PlaceGce(Order, frozen=True, kw_only=True, tag="place-gce"):
    """Buy an independent GCE and place it at a base, an FRD or the capital of its empire."""

    unit: Name
    at: Hex
    ep: Points
    empire: str = ""


def decide_place_gce(game: Game, order: PlaceGce, _: Dice) -> list[Result]:
    """Buy and place an independent ground combat element.

    Raises:
        RuleViolation: The id is taken; the hex has no working base, FRD or capital of the empire, or an enemy holds it;
            or the empire has too few EPs.
    """
    if order.unit in game.units:
        raise refuse(game, "unit-id-used", "521.83", unit=order.unit)
    empire = own_empire(game, order, order.empire)
    works = (one for one in living(game) if empire_of(one) == empire and one.get("operational") is not False)
    bases = {unit.at for unit in works if is_base(unit) or has(unit, "frd")}
    places = sorted(bases | {printed_of(game, empire, "capital")} - {""})
    if order.at not in places:
        raise refuse(game, "no-base-there", "521.83", empire=empire, at=order.at, places=listed(places))
    rule, side = rule_of(game), game.side_of(order.seat)
    verify_not_held(game, side, order.at, "521.83")
    attributes: dict[str, Value] = {"empire": empire, "traits": ("gce",)}
    return [
        *spent(game, empire, order.ep, f"the GCE {order.unit}", rule),
        UnitPlaced(
            unit=order.unit, side=side, kind="GCE", at=order.at, attributes=attributes, cause="bought", rule=rule
        ),
    ]
