"""Steps 4C to 6X of Phase 5: damage determined, directed and allotted, and captured ships.

The damage tables are not in the printed sequence: the players state the points that come of a die. The order of what is
added and taken is carried out: minus points before directed damage, plus points after it, the phasing side directs
first, the non-phasing side allots first.
"""

from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.federation_and_empire import options
from umpire_ledger.domain.titles.federation_and_empire.battle import answered, battlers, enemy_unit, foe_in_battle
from umpire_ledger.domain.titles.federation_and_empire.empires import (
    empire_of,
    has,
    hex_in_hand,
    is_base,
    is_crippled,
    need_trait,
    phasing,
    refuse,
    round_mark,
    rule_of,
    serving,
    serving_unit,
    try_for,
)
from umpire_ledger.domain.titles.federation_and_empire.intensity import Points
from umpire_ledger.domain.titles.federation_and_empire.ours import APPROACH, DIE, DIRECTED
from umpire_ledger.domain.titles.federation_and_empire.skirmish import factor_of
from umpire_ledger.kit import (
    Dice,
    Game,
    Modified,
    Modifier,
    Order,
    Result,
    TableRoll,
    Unit,
    UnitName,
    UnitOrNone,
    after,
    changed,
    marked,
    modifiers_of,
    names_in,
    number_of,
    paid,
    removed,
    word_of,
)


class RollDamage(Modified, frozen=True, kw_only=True, tag="roll-damage"):
    """Roll for your damage coefficient; captured ships that are used give +1. What it brings, `score` states."""


class Score(Modified, frozen=True, kw_only=True, tag="score"):
    """State the damage points that your COMPOT brings with this die, BIR and shift.

    The COMPOT is added up from the units that fight; `modifiers` name what else counts, each with its source. `compot`
    may say it again.
    """

    points: Points
    compot: Points | None = None


class Direct(Order, frozen=True, kw_only=True, tag="direct"):
    """Direct damage at one enemy unit: it is crippled or destroyed for what that costs; `points` may say it again.

    `mauler`: your mauler that does it. It suffers shock in 5-6D, and captures nothing in this round.
    """

    unit: UnitName
    result: Literal["crippled", "destroyed", "missed"]
    points: Points | None = None
    mauler: UnitOrNone = ""


class Sacrifice(Order, frozen=True, kw_only=True, tag="sacrifice"):
    """A penal ship sacrifices itself before damage is directed."""

    unit: UnitName


class Allot(Order, frozen=True, kw_only=True, tag="allot"):
    """Take damage on a unit of your own: crippled or destroyed, for what its factors absorb or the points given."""

    unit: UnitName
    result: Literal["crippled", "destroyed", "absorbed"]
    points: Points | None = None


class CarryOver(Order, frozen=True, kw_only=True, tag="carry-over"):
    """What damage is left after allotting becomes plus points of the enemy's; what was too much, minus points."""


class Capture(TableRoll, frozen=True, kw_only=True, tag="capture"):
    """Roll for the capture of a crippled enemy ship; `at_least` where no table `capture` is there.

    `mauler`: a mauler that tries a ship for itself, in lieu of directing damage.
    """

    unit: UnitName
    mauler: UnitOrNone = ""
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
    """Raises RuleViolation: a second score; another COMPOT than the units have; more damage than it."""
    side = game.side_of(order.seat)
    plus = sum(one.amount for one in modifiers_of(order))
    compot = max(0, compot_of(serving(game, side)) + plus)
    if has_scored(game, side):
        raise refuse(game, "your damage is stated", "`done`", "302.42")
    if order.compot not in (None, compot):
        what = f"the units that fight have a COMPOT of {compot}, not {order.compot}"
        raise refuse(game, what, "leave `compot` out, or give `modifiers` with their sources", "302.4")
    if order.points > compot:
        raise refuse(game, f"{order.points} points of {compot} COMPOT", "damage is at most the COMPOT", "302.42")
    sources = "".join(f", {one.source} {one.amount:+d}" for one in modifiers_of(order))
    cause = f"COMPOT {compot}{sources}"
    noted = marked(game, "scored", (*names_in(game, "scored"), side), cause, rule_of(game, "308.51"))
    return [*noted, *_set_damage(game, side, order.points, f"damage of {cause}")]


def carry_account(game: Game, side: str, sort: str) -> str:
    """The account of a side's plus or minus points in the hex in hand."""
    return f"{side}/{sort} {hex_in_hand(game)}"


def take_minus_points(game: Game) -> list[Result]:
    """5-4E: minus points come off before damage is directed, as far as there is damage."""
    return [event for side in battlers(game) for event in _settle(game, side, "minus")]


def add_plus_points(game: Game) -> list[Result]:
    """5-5D: plus points are added after damage was directed."""
    return [event for side in battlers(game) for event in _settle(game, side, "plus")]


def _settle(game: Game, side: str, sort: str) -> list[Result]:
    """What a side brings along goes into its damage; damage never goes below 0."""
    account = carry_account(game, side, sort)
    held = game.accounts.get(account, 0)
    points = held if sort == "plus" else min(held, damage_of(game, side))
    words, rule = f"{sort} points", rule_of(game, "308.2")
    return [
        *paid(game, account, -points, words, rule),
        *paid(game, f"{side}/damage", points if sort == "plus" else -points, words, rule),
    ]


def cost_of(game: Game, unit: Unit, result: str) -> int:
    """What directing costs: the points that the unit takes with it, times the title's number [reading]."""
    step = result if result != "missed" else "destroyed" if is_crippled(unit) else "crippled"
    return absorbs(unit, step) * number_of(game, DIRECTED)


def decide_direct(game: Game, order: Direct, _: Dice) -> list[Result]:
    """One unit a side, for what it costs: its owner's step leaves the choice to the enemy.

    Raises:
        RuleViolation: not the side whose step it is; a second unit; not fighting; frozen; other points than it costs,
            or more than are left; crippling a crippled unit.
    """
    side, rule = game.side_of(order.seat), rule_of(game, "302.5")
    target = enemy_unit(game, side, order.unit, "302.5")
    if game.markers.get(f"directed by {side}"):
        raise refuse(game, "one unit is directed at in a round", "`done`", "302.5")
    if target.get("frozen"):
        raise refuse(game, f"{target.id} is frozen", "name a unit that is not", "312.212")
    hit = harm(game, target, order.result, "directed damage", rule)
    points = _stated(game, order.points, cost_of(game, target, order.result), target, "directing at", "302.5")
    if points > damage_of(game, side):
        what = f"it costs {points} points, and {damage_of(game, side)} are left"
        raise refuse(game, what, f"direct for at most {damage_of(game, side)}, or `done`", "302.5")
    noted = marked(game, f"directed by {side}", target.id, "", rule)
    used = changed(_mauler(game, order, "302.5"), "mauls", True, "directed damage", rule) if order.mauler else []
    if hit and _may_be_a_decoy(game, target):
        hit = marked(game, "hits", (*names_in(game, "hits"), f"{target.id} {order.result}"), "decoys are asked", rule)
    return [*noted, *used, *paid(game, f"{side}/damage", -points, f"directed at {target.id}", rule), *hit]


def _may_be_a_decoy(game: Game, target: Unit) -> bool:
    """Whether the hit waits until the Romulans were asked for a decoy (538.34)."""
    return bool(game.options.get(options.decoys.name)) and empire_of(target) == "romulan"


def take_hits(game: Game) -> list[Result]:
    """5-5C, 5-5D: what no decoy has diverted hits."""
    told = [one.partition(" ") for one in names_in(game, "hits")]
    rule = rule_of(game, "302.5")
    hurt = [
        event for name, _, result in told for event in harm(game, game.units[name], result, "directed damage", rule)
    ]
    return [*hurt, *marked(game, "hits", None)]


def add_plus(game: Game) -> list[Result]:
    """5-5D: hits that waited for a decoy, and plus points."""
    return [*take_hits(game), *add_plus_points(game)]


def _mauler(game: Game, order: Direct | Capture, number: str) -> Unit:
    mauler = serving_unit(game, order, order.mauler, number)
    need_trait(game, mauler, "mauler", "mauler", number)
    if mauler.get("mauls") or mauler.get("frozen"):
        why = "frozen" if mauler.get("frozen") else "used in this round"
        raise refuse(game, f"{mauler.id} is {why}", "name another mauler, or leave it out", number)
    return mauler


def _stated(game: Game, said: int | None, counted: int, unit: Unit, doing: str, number: str) -> int:
    """The points of an order: what its unit's factors come to, or what is said where its counter has none."""
    printed = unit.number("defense") or unit.number("crippled_defense")
    if not printed:
        return said or 0
    if said not in (None, counted):
        raise refuse(
            game, f"{doing} {unit.id} is {counted} points, not {said}", f"give {counted}, or leave `points` out", number
        )
    return counted


def clear_directed(game: Game) -> list[Result]:
    """5-5A: nobody has directed damage in this round."""
    return [event for side in battlers(game) for event in marked(game, f"directed by {side}", None)]


def harm(game: Game, unit: Unit, result: str, cause: str, rule: str) -> list[Result]:
    """The unit is crippled or destroyed. Raises RuleViolation for crippling a crippled unit."""
    if result == "destroyed":
        return [*changed(unit, "lost", round_mark(game), "", rule), *removed(unit, "destroyed", cause, rule)]
    if result != "crippled":
        return []
    if is_crippled(unit):
        raise refuse(game, f"{unit.id} is crippled already", "destroy it, or name another unit")
    return [*changed(unit, "crippled", True, cause, rule), *changed(unit, "absorbed", None, cause, rule)]


def decide_sacrifice(game: Game, order: Sacrifice, _: Dice) -> list[Result]:
    """Raises RuleViolation for a ship that does not fight, or is no penal ship."""
    unit = serving_unit(game, order, order.unit, "528.41")
    need_trait(game, unit, "penal", "penal ship", "528.41")
    rule = rule_of(game, "528.41")
    return [*changed(unit, "lost", round_mark(game), "", rule), *removed(unit, "sacrificed", "", rule)]


def absorbs(unit: Unit, result: str) -> int:
    """The points that a unit takes with it: its defense when crippled, its crippled defense when destroyed too.

    What it has absorbed in this round without a loss is taken off.
    """
    full, left, had = unit.number("defense"), unit.number("crippled_defense"), unit.number("absorbed")
    if result == "crippled":
        return max(0, full - had)
    return max(0, (left if is_crippled(unit) else full + left) - had)


def decide_allot(game: Game, order: Allot, _: Dice) -> list[Result]:
    """Damage of the enemy's is taken on one's own units; too much taken becomes the enemy's minus points.

    Raises:
        RuleViolation: not fighting; frozen; no damage left; other points than the unit has; crippling a crippled unit.
    """
    unit, rule = serving_unit(game, order, order.unit, "302.6"), rule_of(game, "302.6")
    foe = next((side for side in foe_in_battle(game, unit.side) if damage_of(game, side)), "")
    if not foe:
        raise refuse(game, "no damage is left to allot", "`done`", "302.6")
    if unit.get("frozen"):
        raise refuse(game, f"{unit.id} is frozen", "name a unit that is not", "312.20")
    if order.result == "absorbed":
        return _absorb(game, order, unit, foe)
    points = _stated(game, order.points, absorbs(unit, order.result), unit, "damage on", "302.6")
    taken = min(points, damage_of(game, foe))
    over = paid(
        game,
        carry_account(game, foe, "minus"),
        points - taken,
        f"more than due taken on {unit.id}",
        rule_of(game, "308.2"),
    )
    return [
        *harm(game, unit, order.result, "damage", rule),
        *paid(game, f"{foe}/damage", -taken, f"taken on {unit.id}", rule),
        *over,
    ]


def _absorb(game: Game, order: Allot, unit: Unit, foe: str) -> list[Result]:
    """Points that flip nothing: fighters, and what a base takes in part; never as much as would cripple it."""
    if not order.points:
        raise refuse(game, "the order does not say how much is absorbed", "give `points`", "302.6")
    if not (is_base(unit) or has(unit, "fighters")):
        raise refuse(game, f"{unit.id} has nothing that absorbs points", "cripple or destroy it", "302.6")
    most = absorbs(unit, "destroyed" if is_crippled(unit) else "crippled") - 1
    if not is_base(unit) and unit.get("fighters") is not None:
        most = unit.number("fighters") - unit.number("fighters_gone")
    if order.points > min(most, damage_of(game, foe)):
        what = f"{unit.id} absorbs {most} at most, and {damage_of(game, foe)} are due"
        raise refuse(game, what, "give fewer points, or cripple or destroy it", "302.6")
    rule = rule_of(game, "302.6")
    lost = unit.number("fighters_gone") + order.points
    flown = not is_base(unit) and unit.get("fighters") is not None
    return [
        *(
            changed(unit, "fighters_gone", lost, "damage", rule)
            if flown
            else changed(unit, "absorbed", unit.number("absorbed") + order.points, "damage", rule)
        ),
        *paid(game, f"{foe}/damage", -order.points, f"taken on {unit.id}", rule),
    ]


def takers(game: Game, side: str) -> list[Unit]:
    """The units of a side that can take damage."""
    return [unit for unit in serving(game, side) if not unit.get("frozen")]


def decide_carry_over(game: Game, order: CarryOver, _: Dice) -> list[Result]:
    """What no unit can take is the enemy's to add in the next round [reading].

    Raises RuleViolation when nothing is left, or while a unit takes a whole step for what is.
    """
    side, rule = game.side_of(order.seat), rule_of(game, "308.2")
    left = [(foe, damage_of(game, foe)) for foe in foe_in_battle(game, side) if damage_of(game, foe)]
    if not left:
        raise refuse(game, "no damage is left", "`done`", "308.2")
    most = max(points for _, points in left)
    for unit in takers(game, side):
        result = "destroyed" if is_crippled(unit) else "crippled"
        if 0 < absorbs(unit, result) <= most:
            what = f"{unit.id} can take {absorbs(unit, result)} of the {most} that are left"
            raise refuse(game, what, f"`allot` them: {unit.id} {result}", "308.2")
    return [
        event
        for foe, points in left
        for event in (
            *paid(game, f"{foe}/damage", -points, "left over", rule),
            *paid(game, carry_account(game, foe, "plus"), points, "plus points", rule),
        )
    ]


def damage_to_allot(game: Game, side: str) -> tuple[str, ...]:
    """The points that a side has still to take, in words."""
    points = {foe: damage_of(game, foe) for foe in foe_in_battle(game, side)}
    return tuple(f"{number} point{'s' * (number > 1)} scored by {foe}" for foe, number in points.items() if number)


def damage_is_left(game: Game, side: str) -> bool:
    """Whether a side still has to take damage and has units to take it on."""
    return any(damage_of(game, foe) for foe in foe_in_battle(game, side)) and bool(takers(game, side))


def lose_damage(game: Game) -> list[Result]:
    """5-6E: points that nobody was left to take are lost."""
    return [event for side in battlers(game) for event in _set_damage(game, side, 0, "nobody is left to take it")]


def decide_capture(game: Game, order: Capture, dice: Dice) -> list[Result]:
    """A success makes a crippled enemy ship one's own.

    Raises RuleViolation: no crippled ship that fought; a base; tried in this round; nobody fights here who captures.
    """
    side, rule = game.side_of(order.seat), rule_of(game, "305.1")
    found = enemy_unit(game, side, order.unit, "305.1")
    if is_base(found) or not is_crippled(found):
        raise refuse(game, f"{order.unit} is no crippled enemy ship", "name one that is", "305.1")
    mauler = _mauler(game, order, "308.47") if order.mauler else None
    tries = found.names("capture_tried")
    if order.mauler in tries or (not order.mauler and "" in tries):
        raise refuse(game, f"the capture of {order.unit} was tried in this round", "name another ship", "305.1")
    if not takers(game, side):
        raise refuse(game, "nobody of yours is left to capture it", "`done`", "305.1")
    tried = try_for(game, dice, order, "capture", order.at_least, f"capture of {order.unit}", (order.unit,))
    if tried.row is None:
        return list(tried.told)
    noted = changed(found, "capture_tried", (*tries, order.mauler), "", rule)
    noted += changed(mauler, "mauls", True, "capture", rule) if mauler else []
    if tried.row != "success":
        return [*tried.told, *noted]
    traits = (*found.names("traits"), "captured")
    return [
        *tried.told,
        *noted,
        *changed(found, "side", side, "captured", rule),
        *changed(found, "traits", traits, "captured", rule),
    ]


def compot_of(units: tuple[Unit, ...]) -> int:
    """The attack factors of a force as they stand: frozen units left out, ships under shock with what they use.

    Web casters take theirs off, never below 0, and add web fists; drone bombardment counts as its counter says.
    """
    return sum(max(0, _used(unit) - unit.number("weakened")) for unit in units if not unit.get("frozen"))


def _used(unit: Unit) -> int:
    more = unit.number("fist") + (unit.number("drones") if unit.get("bombards") else 0)
    factors = factor_of(unit) if unit.get("shock") is None else min(unit.number("shock"), factor_of(unit))
    return factors + more


def approach_is_set(game: Game, _: str) -> bool:
    return number_of(game, APPROACH) > 0


def approach_won(game: Game, _: str) -> bool:
    return game.markers.get("approach won") is not None


def settle_minus(game: Game) -> list[Result]:
    """5-4E: minus points, and whether what is left of an approach battle's damage leads to the base (308.3)."""
    results = take_minus_points(game)
    needed = number_of(game, APPROACH)
    if not needed or answered(game, "5-2A3") != "accept" or game.cursor.frame("5-S8") is not None:
        return results
    if damage_of(after(game, results), phasing(game)) < needed:
        return results
    return [*results, *marked(game, "approach won", True, f"{needed} points or more", "5-4G (308.3)")]
