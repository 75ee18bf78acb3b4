"""Steps 4C to 6X of Phase 5: damage determined, directed and allotted, and captured ships.

The damage tables are not in the printed sequence: the players state the points that come of a die. The order of what is
added and taken is carried out: minus points before directed damage, plus points after it, the phasing side directs
first, the non-phasing side allots first.
"""

from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.battle import battlers, foe_in_battle
from umpire_ledger.domain.titles.federation_and_empire.empires import (
    battle_unit,
    fights_at,
    hex_in_hand,
    in_battle,
    is_crippled,
    need_trait,
    refuse,
    rule_of,
    try_for,
)
from umpire_ledger.domain.titles.federation_and_empire.intensity import Points
from umpire_ledger.domain.titles.federation_and_empire.ours import DIE
from umpire_ledger.domain.titles.federation_and_empire.skirmish import factor_of
from umpire_ledger.kit import (
    Dice,
    Game,
    Modified,
    Modifier,
    Name,
    Order,
    Result,
    TableRoll,
    Unit,
    changed,
    marked,
    modifiers_of,
    names_in,
    paid,
    removed,
    word_of,
)


class RollDamage(Modified, frozen=True, kw_only=True, tag="roll-damage"):
    """Roll for your damage coefficient; captured ships that are used give +1. What it brings, `score` states."""


class Score(Order, frozen=True, kw_only=True, tag="score"):
    """State the damage points that your COMPOT brings with this die, BIR and shift."""

    points: Points
    compot: Points


class Direct(Order, frozen=True, kw_only=True, tag="direct"):
    """Direct damage at one enemy unit: it is crippled or destroyed for that many points."""

    unit: Name
    result: Literal["crippled", "destroyed", "missed"]
    points: Points


class Sacrifice(Order, frozen=True, kw_only=True, tag="sacrifice"):
    """A penal ship sacrifices itself before damage is directed."""

    unit: Name


class Allot(Order, frozen=True, kw_only=True, tag="allot"):
    """Take damage on a unit of your own: crippled or destroyed, for what its factors absorb or the points given."""

    unit: Name
    result: Literal["crippled", "destroyed", "absorbed"]
    points: Points | None = None


class CarryOver(Order, frozen=True, kw_only=True, tag="carry-over"):
    """What damage is left after allotting becomes plus points of the enemy's; what was too much, minus points."""


class Capture(TableRoll, frozen=True, kw_only=True, tag="capture"):
    """Roll for the capture of a crippled or destroyed enemy ship; `at_least` where no table `capture` is there."""

    unit: Name
    at_least: Annotated[int, msgspec.Meta(ge=1, le=9)] | None = None


def decide_roll_damage(game: Game, order: RollDamage, dice: Dice) -> list[Result]:
    """One die a side and round. Raises RuleViolation for a second one."""
    side, rule = game.side_of(order.seat), rule_of(game, "302.42")
    if has_rolled(game, side):
        raise refuse(game, "your damage die is rolled", "`done`", "302.42")
    used = tuple(unit for unit in names_in(game, "captured used") if game.units[unit].side == side)
    plus = tuple(Modifier(amount=1, source=f"captured {unit}") for unit in used)
    every = (*plus, *modifiers_of(order))
    rolled = dice.roll(word_of(game, DIE), purpose=f"damage of {game.side_name(side)}", modifiers=every, rule=rule)
    return [rolled, *marked(game, "rolled", (*names_in(game, "rolled"), side), "", rule)]


def has_rolled(game: Game, side: str) -> bool:
    return side in names_in(game, "rolled")


def clear_rolls(game: Game) -> list[Result]:
    """5-4C3: nobody has rolled."""
    return marked(game, "rolled", None)


def has_scored(game: Game, side: str) -> bool:
    return side in names_in(game, "scored")


def clear_scores(game: Game) -> list[Result]:
    """5-4C4: nobody has scored, no damage waits."""
    old = [event for side in battlers(game) for event in _set_damage(game, side, 0, "a new round")]
    return [*marked(game, "scored", None), *old]


def damage_of(game: Game, side: str) -> int:
    """The points that a side has scored and its enemy has still to take."""
    return game.accounts.get(f"{side}/damage", 0)


def _set_damage(game: Game, side: str, points: int, cause: str) -> list[Result]:
    return paid(game, f"{side}/damage", points - damage_of(game, side), cause, rule_of(game))


def decide_score(game: Game, order: Score, _: Dice) -> list[Result]:
    """Raises RuleViolation for a second score, or for more damage than the COMPOT."""
    side = game.side_of(order.seat)
    if has_scored(game, side):
        raise refuse(game, "your damage is stated", "`done`", "302.42")
    if order.points > order.compot:
        raise refuse(game, f"{order.points} points of {order.compot} COMPOT", "damage is at most the COMPOT", "302.42")
    noted = marked(game, "scored", (*names_in(game, "scored"), side), f"COMPOT {order.compot}", rule_of(game, "308.51"))
    return [*noted, *_set_damage(game, side, order.points, f"damage of COMPOT {order.compot}")]


def carried(game: Game, side: str) -> int:
    """Plus or minus points that a side brings along to the hex in hand."""
    return game.accounts.get(carry_account(game, side), 0)


def carry_account(game: Game, side: str) -> str:
    return f"{side}/carried {hex_in_hand(game)}"


def take_minus_points(game: Game) -> list[Result]:
    """5-4E: minus points come off before damage is directed."""
    return [event for side in battlers(game) if carried(game, side) < 0 for event in _adjust(game, side)]


def add_plus_points(game: Game) -> list[Result]:
    """5-5D: plus points are added after damage was directed."""
    return [event for side in battlers(game) if carried(game, side) > 0 for event in _adjust(game, side)]


def _adjust(game: Game, side: str) -> list[Result]:
    """A side's damage and what it carries are settled with each other; damage never goes below 0."""
    points = max(carried(game, side), -damage_of(game, side))
    words = "plus points" if points > 0 else "minus points"
    rule = rule_of(game, "308.2")
    return [
        *paid(game, carry_account(game, side), -points, words, rule),
        *paid(game, f"{side}/damage", points, words, rule),
    ]


def enemy_unit(game: Game, side: str, unit: str) -> Unit:
    """A unit of the opponents in the battle in hand. Raises RuleViolation for any other."""
    found = game.units.get(unit)
    if found is None or found.fate or found.side == side or not fights_at(found, hex_in_hand(game)):
        here = [one.id for foe in foe_in_battle(game, side) for one in in_battle(game, foe)]
        raise refuse(game, f"{unit} is no enemy unit in this battle", f"name one of: {', '.join(here[:8]) or 'none'}")
    return found


def decide_direct(game: Game, order: Direct, _: Dice) -> list[Result]:
    """One unit a side: its owner's step leaves the choice to the enemy.

    Raises RuleViolation: a second unit; frozen; more points than were scored; crippling a crippled unit.
    """
    side, rule = game.side_of(order.seat), rule_of(game, "302.5")
    target = enemy_unit(game, side, order.unit)
    if game.markers.get(f"directed by {side}"):
        raise refuse(game, "one unit is directed at in a round", "`done`", "302.5")
    if target.get("frozen"):
        raise refuse(game, f"{target.id} is frozen", "name a unit that is not", "312.212")
    if order.points > damage_of(game, side):
        raise refuse(game, f"{damage_of(game, side)} points are left", "direct at most those", "302.5")
    noted = marked(game, f"directed by {side}", target.id, "", rule)
    return [
        *noted,
        *paid(game, f"{side}/damage", -order.points, f"directed at {target.id}", rule),
        *harm(game, target, order.result, "directed damage", rule),
    ]


def clear_directed(game: Game) -> list[Result]:
    """5-5A: nobody has directed damage in this round."""
    return [event for side in battlers(game) for event in marked(game, f"directed by {side}", None)]


def harm(game: Game, unit: Unit, result: str, cause: str, rule: str) -> list[Result]:
    """The unit is crippled or destroyed. Raises RuleViolation for crippling a crippled unit."""
    if result == "destroyed":
        return removed(unit, "destroyed", cause, rule)
    if result != "crippled":
        return []
    if is_crippled(unit):
        raise refuse(game, f"{unit.id} is crippled already", "destroy it, or name another unit")
    return changed(unit, "crippled", True, cause, rule)


def decide_sacrifice(game: Game, order: Sacrifice, _: Dice) -> list[Result]:
    unit = battle_unit(game, order, order.unit)
    need_trait(game, unit, "penal", "penal ship", "528.41")
    return removed(unit, "sacrificed", "", rule_of(game, "528.41"))


def absorbs(unit: Unit, result: str) -> int:
    """The points that a unit takes with it: its defense when crippled, its crippled defense when destroyed too."""
    full, left = unit.number("defense"), unit.number("crippled_defense")
    if result == "crippled":
        return full
    return left if is_crippled(unit) else full + left


def decide_allot(game: Game, order: Allot, _: Dice) -> list[Result]:
    """Damage of the enemy's is taken on one's own units; too much taken becomes the enemy's minus points.

    Raises RuleViolation: another side's unit; frozen; no damage left; crippling a crippled unit.
    """
    unit, rule = battle_unit(game, order, order.unit), rule_of(game, "302.6")
    foe = next((side for side in foe_in_battle(game, unit.side) if damage_of(game, side)), "")
    if not foe:
        raise refuse(game, "no damage is left to allot", "`done`", "302.6")
    if unit.get("frozen"):
        raise refuse(game, f"{unit.id} is frozen", "name a unit that is not", "312.20")
    points = absorbs(unit, order.result) if order.points is None else order.points
    if order.result == "absorbed" and order.points is None:
        raise refuse(game, "the order does not say how much is absorbed", "give `points`", "302.6")
    taken = min(points, damage_of(game, foe))
    over = paid(
        game, carry_account(game, foe), taken - points, f"more than due taken on {unit.id}", rule_of(game, "308.2")
    )
    return [
        *harm(game, unit, order.result, "damage", rule),
        *paid(game, f"{foe}/damage", -taken, f"taken on {unit.id}", rule),
        *over,
    ]


def decide_carry_over(game: Game, order: CarryOver, _: Dice) -> list[Result]:
    """What is left is the enemy's to add in the next round. Raises RuleViolation when nothing is."""
    side, rule = game.side_of(order.seat), rule_of(game, "308.2")
    left = [(foe, damage_of(game, foe)) for foe in foe_in_battle(game, side) if damage_of(game, foe)]
    if not left:
        raise refuse(game, "no damage is left", "`done`", "308.2")
    return [
        event
        for foe, points in left
        for event in (
            *paid(game, f"{foe}/damage", -points, "left over", rule),
            *paid(game, carry_account(game, foe), points, "plus points", rule),
        )
    ]


def damage_is_left(game: Game, side: str) -> bool:
    """Whether a side still has to take damage and has units to take it on."""
    return any(damage_of(game, foe) for foe in foe_in_battle(game, side)) and bool(in_battle(game, side))


def decide_capture(game: Game, order: Capture, dice: Dice) -> list[Result]:
    """A success makes a crippled enemy ship one's own. Raises RuleViolation: not crippled, or destroyed."""
    side, rule = game.side_of(order.seat), rule_of(game, "305.1")
    found = game.units.get(order.unit)
    if found is None or found.side == side or found.fate or not is_crippled(found):
        raise refuse(game, f"{order.unit} is no crippled enemy ship", "name one that is", "305.1")
    tried = try_for(game, dice, order, "capture", order.at_least, f"capture of {order.unit}", (order.unit,))
    if tried.row != "success":
        return list(tried.told)
    traits = (*found.names("traits"), "captured")
    return [
        *tried.told,
        *changed(found, "side", side, "captured", rule),
        *changed(found, "traits", traits, "captured", rule),
    ]


def compot_of(units: tuple[Unit, ...]) -> int:
    """The attack factors of a force as they stand, frozen units left out."""
    return sum(factor_of(unit) for unit in units if not unit.get("frozen"))
