"""Bring back repaired ships, disbanded headquarters and penalized ships (5.1.J)."""

from umpire_ledger.domain.titles.pacific_war.pieces import coming, refuse, verify_on_map
from umpire_ledger.kit import Dice, Game, Order, PlaceName, Reason, Result, UnitName, UnitPlaced, Words


class BringBack(Order, frozen=True, kw_only=True, tag="bring-back"):
    """Bring back a unit that left play as repaired, disbanded or penalized; `source`: the rule."""

    unit: UnitName
    at: PlaceName
    source: Words


COMES_BACK = {"repaired": "5.1.J [15.0]", "disbanded": "5.1.J [11.2.1.3]", "penalized": "5.1.J [20.2.3.F]"}
"""The fates from which units can return, each with its rule: repaired ships, headquarters, penalized ships."""


def waiting_to_return(game: Game, side: str) -> list[str]:
    """Return the ids of a side's units that left play and can return."""
    return sorted(one.id for one in game.units.values() if one.side == side and one.fate in COMES_BACK)


def decide_bring_back(game: Game, order: BringBack, _: Dice) -> list[Result]:
    """Put a unit that left play back on the map, alone, undetected and inactive, with its other attributes.

    Raises:
        RuleViolation: The unit is in play, is lost for good, or belongs to the other side; or the place is not on the
            map.
    """
    unit = game.units.get(order.unit)
    side = game.side_of(order.seat)
    if unit is None or unit.side != side or unit.fate not in COMES_BACK:
        mine = waiting_to_return(game, side)
        fate = unit.fate if unit else ""
        what = Reason(
            "gone-for-good" if fate else "not-gone",
            f"{order.unit} is not due to return" + (f": it is {fate}" if fate else ""),
        )
        raise refuse(game, "cannot-return-there", "5.1.J [14.0]", why=what, places=", ".join(mine) or "none")
    rule = COMES_BACK[unit.fate]
    verify_on_map(game, order.at, rule)
    attributes = {
        name: value for name, value in unit.attributes.items() if name not in ("aboard", "task_force", "detected")
    }
    whole = {**attributes, **({"activated": False} if "activated" in attributes else {}), "came": coming(game)}
    return [
        UnitPlaced(
            unit=unit.id, side=side, kind=unit.kind, at=order.at, attributes=whole, cause=order.source, rule=rule
        )
    ]
