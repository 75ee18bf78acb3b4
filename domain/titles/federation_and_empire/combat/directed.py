"""Decide Step 5 of Phase 5: directed damage, the phasing side first, decoys that divert it, maulers and penal ships."""

from typing import Literal

from umpire_ledger.domain.titles.federation_and_empire import options
from umpire_ledger.domain.titles.federation_and_empire.combat.battle import enemy_unit
from umpire_ledger.domain.titles.federation_and_empire.combat.damage import add_plus_points, damage_of
from umpire_ledger.domain.titles.federation_and_empire.combat.intensity import Points
from umpire_ledger.domain.titles.federation_and_empire.combat.losses import absorbs, destroyed, harm, stated_points
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    empire_of,
    is_crippled,
    need_trait,
    refuse,
    rule_of,
    serving_unit,
)
from umpire_ledger.domain.titles.federation_and_empire.house_values import DIRECTED
from umpire_ledger.kit import (
    Dice,
    Game,
    Order,
    Result,
    Unit,
    UnitName,
    UnitOrNone,
    changed,
    marked,
    names_in,
    number_of,
    paid,
)


class Direct(Order, frozen=True, kw_only=True, tag="direct"):
    """Direct damage at one enemy unit to cripple or destroy it; `points` may repeat the cost of that result.

    `mauler`: your mauler that directs the damage. It suffers shock in 5-6D and captures nothing this round.
    """

    unit: UnitName
    result: Literal["crippled", "destroyed", "missed"]
    points: Points | None = None
    mauler: UnitOrNone = ""


class Sacrifice(Order, frozen=True, kw_only=True, tag="sacrifice"):
    """Sacrifice a penal ship before damage is directed."""

    unit: UnitName


def cost_of(game: Game, unit: Unit, result: str) -> int:
    """Return the cost of directing damage: the points that the unit absorbs, times the house value for it [reading]."""
    step = result if result != "missed" else "destroyed" if is_crippled(unit) else "crippled"
    return absorbs(unit, step) * number_of(game, DIRECTED)


def decide_direct(game: Game, order: Direct, _: Dice) -> list[Result]:
    """Direct damage at one enemy unit per side, at its cost; a hit on a unit that may have a decoy waits.

    Raises:
        RuleViolation: The side has already directed damage; the target does not fight, is frozen, or is to be crippled
            although it is; the points differ from the cost or exceed the points left; or the mauler was used.
    """
    side, rule = game.side_of(order.seat), rule_of(game, "302.5")
    target = enemy_unit(game, side, order.unit, "302.5")
    if game.markers.get(f"directed by {side}"):
        raise refuse(game, "one-target-a-round", "302.5")
    if target.get("frozen"):
        raise refuse(game, "target-frozen", "312.212", target=target.id)
    hit = harm(game, target, order.result, "directed damage", rule)
    points = stated_points(game, order.points, cost_of(game, target, order.result), target, "directing at", "302.5")
    if points > damage_of(game, side):
        raise refuse(game, "too-few-damage-points", "302.5", given=points, limit=damage_of(game, side))
    noted = marked(game, f"directed by {side}", target.id, "", rule)
    used = (
        changed(mauler_of(game, order, order.mauler, "302.5"), "mauls", True, "directed damage", rule)
        if order.mauler
        else []
    )
    if hit and _may_be_a_decoy(game, target):
        hit = marked(game, "hits", (*names_in(game, "hits"), f"{target.id} {order.result}"), "decoys are asked", rule)
    return [*noted, *used, *paid(game, f"{side}/damage", -points, f"directed at {target.id}", rule), *hit]


def mauler_of(game: Game, order: Order, name: str, number: str) -> Unit:
    """Return a mauler of the side that gives the order, unused in this round.

    Raises:
        RuleViolation: The unit is not such a mauler.
    """
    mauler = serving_unit(game, order, name, number)
    need_trait(game, mauler, "mauler", "mauler", number)
    if mauler.get("mauls"):
        raise refuse(game, "mauler-used", number, mauler=mauler.id)
    return mauler


def _may_be_a_decoy(game: Game, target: Unit) -> bool:
    """Check whether a hit waits for the Romulans' answer about a decoy (538.34)."""
    return bool(game.options.get(options.decoys.name)) and empire_of(target) == "romulan"


def take_hits(game: Game) -> list[Result]:
    """Apply the hits that no decoy has diverted (5-5C, 5-5D)."""
    told = [one.partition(" ") for one in names_in(game, "hits")]
    rule = rule_of(game, "302.5")
    hurt = [
        event for name, _, result in told for event in harm(game, game.units[name], result, "directed damage", rule)
    ]
    return [*hurt, *marked(game, "hits", None)]


def add_plus(game: Game) -> list[Result]:
    """Apply the hits that waited for a decoy, and add plus points (5-5D)."""
    return [*take_hits(game), *add_plus_points(game)]


def decide_sacrifice(game: Game, order: Sacrifice, _: Dice) -> list[Result]:
    """Sacrifice a penal ship.

    Raises:
        RuleViolation: The ship does not fight, or is not a penal ship.
    """
    unit = serving_unit(game, order, order.unit, "528.41")
    need_trait(game, unit, "penal", "penal ship", "528.41")
    rule = rule_of(game, "528.41")
    return destroyed(game, unit, "sacrificed", "", rule)
