"""Decide Step 7 of Phase 5: which sides retreat, which may pursue, and the way out of the hex.

[reading] A side whose answer in 5-2B1 or 5-3F3 sends play to Step 7 enters it at its top (A4). A side that leaves a
base in the hex retreats first, pursued or not; then rounds continue against the base alone (A1).
"""

from umpire_ledger.domain.titles.federation_and_empire.combat.battle import answered, defenders, foe_in_battle
from umpire_ledger.domain.titles.federation_and_empire.combat.withdrawal import Path, into_battle
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    Units,
    fights_at,
    hex_in_hand,
    in_battle,
    is_base,
    is_carried,
    is_ship,
    living,
    own_units,
    phasing,
    refuse,
    rule_of,
    travelled,
)
from umpire_ledger.domain.titles.federation_and_empire.movement.paths import verify_together
from umpire_ledger.kit import Asks, Dice, Game, Order, Result, Unit, marked


class RetreatUnits(Order, frozen=True, kw_only=True, tag="retreat"):
    """Retreat units along a path out of the battle hex."""

    units: Units
    path: Path


def retreating(game: Game) -> tuple[str, ...]:
    """Return the sides that have announced their retreat in this round, the defenders first (302.712)."""
    asked = zip(defenders(game), ("", "/second", "/third"), strict=False)
    said = tuple(
        side for side, which in asked if "retreat" in (answered(game, f"5-7A1{which}"), answered(game, f"5-7A3{which}"))
    )
    goes = "retreat" in (answered(game, "5-7A2"), answered(game, "5-2B1"))
    return (*said, *((phasing(game),) if goes else ()))


def nobody_retreats(game: Game, _: str) -> bool:
    return not retreating(game)


def one_retreats(game: Game, _: str) -> bool:
    """Check whether a side retreats from an opponent that stays."""
    sides = retreating(game)
    attacker_goes = phasing(game) in sides
    stays = [side for side in defenders(game) if side not in sides]
    return bool(stays) if attacker_goes else bool(sides)


def defender_retreats(game: Game, _: str) -> bool:
    return answered(game, "5-7A1") == "retreat"


def further_retreats(which: str) -> Asks:
    """Return a fact: the second or third defender has answered in 5-7A1 that it retreats."""
    return lambda game, _: answered(game, f"5-7A1/{which}") == "retreat"


def leaves_base(game: Game, _: str) -> bool:
    """Check whether a retreating side leaves a base in the hex."""
    sides = retreating(game)
    return any(unit.side in sides and is_base(unit) for unit in in_battle(game))


def leave_base(game: Game) -> list[Result]:
    """Note that a base was left in the hex, because it limits pursuit (5-7A5)."""
    return marked(game, "base left", hex_in_hand(game), "pursuit is limited", "5-7A5 (302.741)")


def pursuer(game: Game) -> tuple[str, ...]:
    """Return the side that may pursue: one that does not retreat, or the attacker after a withdrawal."""
    sides = retreating(game)
    return tuple(side for side in (*defenders(game), phasing(game)) if side not in sides)[-1:]


def can_pursue(game: Game, _: str) -> bool:
    """Check whether the pursuer has a ship in the hex; bases and docks do not pursue."""
    return any(is_ship(unit) for side in pursuer(game) for unit in in_battle(game, side))


def pursued(game: Game) -> tuple[str, ...]:
    """Return the sides that are pursued: those that retreat, or withdrew."""
    if sides := retreating(game):
        foes = {foe for side in pursuer(game) for foe in foe_in_battle(game, side)}
        return tuple(side for side in sides if side in foes)
    place = hex_in_hand(game)
    gone = {unit.side for unit in living(game) if unit.get("withdrew") == place}
    return tuple(side for side in defenders(game) if side in gone)


def who_goes(game: Game) -> tuple[str, ...]:
    """Return the sides that retreat, in order; the pursued sides after a withdrawal."""
    return retreating(game) or pursued(game)


def can_retreat(game: Game, side: str) -> bool:
    """Check whether a side has ships in the hex; bases do not retreat."""
    place = hex_in_hand(game)
    return any(unit.side == side and unit.at == place and _goes(unit, place) for unit in living(game))


def ships_to_go(game: Game, side: str) -> tuple[Unit, ...]:
    """Return the ships of a side that are still in the hex."""
    place = hex_in_hand(game)
    return tuple(unit for unit in living(game) if unit.side == side and unit.at == place and _goes(unit, place))


def _goes(unit: Unit, place: str) -> bool:
    return fights_at(unit, place) and not is_base(unit) and not is_carried(unit)


def has_to_go(game: Game, side: str) -> bool:
    """Check whether units of a retreating side are still in the hex."""
    return side in retreating(game) and can_retreat(game, side)


def decide_retreat(game: Game, order: RetreatUnits, _: Dice) -> list[Result]:
    """Move retreating units out of the battle hex along a path.

    Raises:
        RuleViolation: The side does not retreat; a unit is not in the battle hex or is a base; or the path has a gap,
            or ends in the hex.
    """
    units, place = own_units(game, order, order.units), hex_in_hand(game)
    if game.side_of(order.seat) not in retreating(game):
        raise refuse(game, "side-does-not-retreat", "302.72")
    for unit in units:
        if unit.at != place:
            raise refuse(game, "units-elsewhere", "302.72", unit=unit.id, at=unit.at, place=place)
    verify_together(game, units, order.path)
    if order.path[-1] == place:
        raise refuse(game, "path-ends-where-it-began", "302.72", place=place)
    rule = rule_of(game, "302.72")
    return [*travelled(game, units, order.path, "retreat", rule), *into_battle(game, units, order.path[-1], rule)]


def note_declined(game: Game) -> list[Result]:
    """Note that the defender has declined an approach battle in this hex, which modifies pursuit (5-2B1, 302.23)."""
    declined = answered(game, "5-2A3") == "reject"
    return marked(game, "declined", True, "approach battle", rule_of(game, "302.23")) if declined else []
