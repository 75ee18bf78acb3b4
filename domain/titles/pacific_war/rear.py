"""Move a limited number of ground and air units in rear areas, and crippled ships (5.1.I, 13.0)."""

from umpire_ledger.domain.titles.pacific_war.pieces import COMBAT_ARMS, arm, enemies_before, of_arm, refuse
from umpire_ledger.kit import Game, Reason, Unit

RULE = "5.1.I [13.0]"
NOT_TRANSPORTED = Reason(
    "not-transported", "only ground units, air units and crippled ships move by Strategic Transport"
)


def why_no_transport(game: Game, unit: Unit) -> Reason | None:
    """Return the reason why a unit cannot move by Strategic Transport; None if it can."""
    if arm(unit) == "naval":
        return None if unit.get("crippled") else NOT_TRANSPORTED
    if arm(unit) not in COMBAT_ARMS:
        return NOT_TRANSPORTED
    if unit.get("aboard"):
        return Reason("aboard", f"it is aboard {unit.get('aboard')}")
    if unit.get("moved_in") == game.number("month"):
        return Reason("moved-this-month", "it has already moved this month")
    if foes := enemies_before(game, unit.side, unit.at):
        return Reason("not-a-rear-area", f"{unit.at} is not a rear area, because of {', '.join(foes)}")
    limit = game.markers.get(f"transport/{arm(unit)}")
    moved = [one for one in of_arm(game, arm(unit), side=unit.side) if one.get("moved_in") == game.number("month")]
    if isinstance(limit, int) and len(moved) >= limit:
        gone = ", ".join(one.id for one in moved)
        return Reason("month-used", f"the limit of {arm(unit)} units this month is {limit}, and {gone} already moved")
    return None


def verify_rear(game: Game, unit: Unit, path: tuple[str, ...]) -> None:
    """Refuse ground or air units that would leave the rear areas.

    Raises:
        RuleViolation: The enemy is in a place of the path.
    """
    if arm(unit) == "naval":
        return
    for place in path:
        if foes := enemies_before(game, unit.side, place):
            raise refuse(game, "enemy-in-rear-area", RULE, place=place, enemies=foes)
