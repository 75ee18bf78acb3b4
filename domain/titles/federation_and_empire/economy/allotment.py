"""Allot damage to the side's own units in steps 6A and 6B of Phase 5, and carry over damage that no unit can take."""

from typing import Literal

from umpire_ledger.domain.titles.federation_and_empire.combat.battle import foe_in_battle
from umpire_ledger.domain.titles.federation_and_empire.combat.damage import carry_account, damage_of
from umpire_ledger.domain.titles.federation_and_empire.combat.intensity import Points
from umpire_ledger.domain.titles.federation_and_empire.combat.losses import absorbs, account_of, harm, stated_points
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    is_crippled,
    refuse,
    rule_of,
    serving,
    serving_unit,
)
from umpire_ledger.domain.titles.federation_and_empire.house_values import CARRY_OVER
from umpire_ledger.kit import Dice, Game, Order, Result, Unit, UnitName, changed, listed, number_of, paid


class Allot(Order, frozen=True, kw_only=True, tag="allot"):
    """Take damage on one of your own units: it is crippled or destroyed, or absorbs the `points`."""

    unit: UnitName
    result: Literal["crippled", "destroyed", "absorbed"]
    points: Points | None = None


class CarryOver(Order, frozen=True, kw_only=True, tag="carry-over"):
    """Carry over the damage left after allotting, as plus points of the enemy; any excess becomes minus points."""


def decide_allot(game: Game, order: Allot, _: Dice) -> list[Result]:
    """Take the enemy's damage on a unit of the side; any excess becomes minus points of the enemy.

    Raises:
        RuleViolation: The unit does not fight or is frozen; no damage is left; the order states other points than the
            unit absorbs; or a crippled unit would be crippled again.
    """
    unit, rule = serving_unit(game, order, order.unit, "302.6"), rule_of(game, "302.6")
    due = due_to(game, unit.side)
    if not due:
        raise refuse(game, "no-damage-to-allot", "302.6")
    if order.result == "absorbed":
        return _absorb(game, order, unit, due)
    points = stated_points(game, order.points, absorbs(unit, order.result), unit, "damage on", "302.6")
    over = points - sum(due.values())
    return [
        *harm(game, unit, order.result, "damage", rule),
        *_taken(game, due, points, unit),
        *(_too_much(game, [*due][-1], over, unit) if over > 0 else ()),
    ]


def due_to(game: Game, side: str) -> dict[str, int]:
    """Return the damage that a side must still take, by the enemy that scored it; the side takes it as one sum."""
    scored = {foe: damage_of(game, foe) for foe in foe_in_battle(game, side)}
    return {foe: points for foe, points in scored.items() if points}


def _taken(game: Game, due: dict[str, int], points: int, unit: Unit) -> list[Result]:
    """Return the events that take points from the damage of each enemy in turn."""
    results: list[Result] = []
    for foe, scored in due.items():
        taken = min(points, scored)
        results += paid(game, f"{foe}/damage", -taken, f"taken on {unit.id}", rule_of(game, "302.6"))
        points -= taken
    return results


def _too_much(game: Game, foe: str, points: int, unit: Unit) -> list[Result]:
    cause, rule = f"more than due taken on {unit.id}", rule_of(game, "308.2")
    return paid(game, carry_account(game, foe, "minus"), points, cause, rule)


def _absorb(game: Game, order: Allot, unit: Unit, due: dict[str, int]) -> list[Result]:
    """Take points that flip no counter: lost fighters, or damage to a base that is too little to cripple it."""
    if not order.points:
        raise refuse(game, "absorbed-points-missing", "302.6")
    account = account_of(unit)
    if not account:
        raise refuse(game, "cannot-absorb", "302.6", unit=unit.id)
    most = absorbs(unit, "destroyed" if is_crippled(unit) else "crippled") - 1
    if account == "fighters_gone" and unit.get("fighters") is not None:
        most = unit.number("fighters") - unit.number("fighters_gone")
    if order.points > min(most, sum(due.values())):
        raise refuse(game, "absorbs-too-much", "302.6", unit=unit.id, limit=most, given=sum(due.values()))
    taken = changed(unit, account, unit.number(account) + order.points, "damage", rule_of(game, "302.6"))
    return [*taken, *_taken(game, due, order.points, unit)]


def takers(game: Game, side: str) -> list[Unit]:
    """Return the units of a side that can take damage."""
    return [unit for unit in serving(game, side) if not unit.get("frozen")]


def decide_carry_over(game: Game, order: CarryOver, _: Dice) -> list[Result]:
    """Carry over damage that no unit can take; the enemy adds it in the next round [reading].

    Raises:
        RuleViolation: No damage is left, a unit can take a whole step of it, or there is more than the limit.
    """
    side, rule = game.side_of(order.seat), rule_of(game, "308.2")
    left = due_to(game, side)
    if not left:
        raise refuse(game, "no-damage-left", "308.2")
    most = sum(left.values())
    for unit in takers(game, side):
        result = "destroyed" if is_crippled(unit) else "crippled"
        if 0 < absorbs(unit, result) <= most:
            raise refuse(
                game, "can-take-the-rest", "308.2", unit=unit.id, given=absorbs(unit, result), limit=most, result=result
            )
    _verify_not_too_many(game, side, most)
    return [
        event
        for foe, points in left.items()
        for event in (
            *paid(game, f"{foe}/damage", -points, "left over", rule),
            *paid(game, carry_account(game, foe, "plus"), points, "plus points", rule),
        )
    ]


def _verify_not_too_many(game: Game, side: str, left: int) -> None:
    """Check the points against the number that the scenario lets a side carry over (308.2).

    Raises:
        RuleViolation: The side has more points left.
    """
    limit = number_of(game, CARRY_OVER)
    if limit and left > limit:
        able = listed(f"{unit.id} {'destroyed' if is_crippled(unit) else 'crippled'}" for unit in takers(game, side))
        raise refuse(game, "too-many-points-left", "308.2", given=left, limit=limit, units=able)


def damage_to_allot(game: Game, side: str) -> tuple[str, ...]:
    """Describe the points that a side must still take from each enemy."""
    points = {foe: damage_of(game, foe) for foe in foe_in_battle(game, side)}
    return tuple(f"{number} point{'s' * (number > 1)} scored by {foe}" for foe, number in points.items() if number)


def damage_is_left(game: Game, side: str) -> bool:
    """Check whether a side still has damage to take and units to take it."""
    return any(damage_of(game, foe) for foe in foe_in_battle(game, side)) and bool(takers(game, side))
