"""Steps 3X to 4B of Phase 5: battle intensity, electronic warfare, what is announced for one round."""

from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.battle import battlers, chosen, commit_and_open, foe_in_battle
from umpire_ledger.domain.titles.federation_and_empire.empires import (
    Units,
    has,
    is_base,
    need_trait,
    refuse,
    rule_of,
    serving_unit,
)
from umpire_ledger.domain.titles.federation_and_empire.ours import DIE
from umpire_ledger.domain.titles.federation_and_empire.skirmish import factor_of
from umpire_ledger.kit import (
    ChoiceMade,
    Dice,
    Game,
    Name,
    Order,
    Result,
    RollTable,
    TableRoll,
    UnitName,
    changed,
    marked,
    modifiers_of,
    names_in,
    on_table,
    step_open,
    word_of,
)

Rating = Annotated[int, msgspec.Meta(ge=0, le=10)]
Points = Annotated[int, msgspec.Meta(ge=0, le=999)]
RETREATING_BIR, BLOCKING_BIR = 0, 10


VARIABLE_BIR = RollTable("variable-bir", str)


class FightingRetreat(Order, frozen=True, kw_only=True, tag="fighting-retreat"):
    """This battle is a fighting retreat of yours: BIR 0 for you, 10 for those who block you."""


class SealIntensity(Order, frozen=True, kw_only=True, tag="seal-intensity"):
    """Choose a Battle Intensity Rating; both are opened together [reading: the printed text states no secrecy]."""

    bir: Rating


class VaryIntensity(TableRoll, frozen=True, kw_only=True, tag="vary-intensity"):
    """Roll the variable battle intensity of your side."""


class AdjustIntensity(Order, frozen=True, kw_only=True, tag="adjust-intensity"):
    """Your BIR becomes another: a web caster against the ISC, stolen war-plans (+1)."""

    by: Annotated[int, msgspec.Meta(ge=-5, le=5)]
    why: Name


class SealEW(Order, frozen=True, kw_only=True, tag="seal-ew"):
    """Secretly choose the electronic warfare of your variable units, starbases and BATS."""

    points: Points
    units: tuple[UnitName, ...] = ()


class ShiftEW(Order, frozen=True, kw_only=True, tag="shift-ew"):
    """State the shift that comes of electronic warfare; worked out anew when X-ships count or a unit is frozen."""

    shift: Annotated[int, msgspec.Meta(ge=-9, le=9)]
    why: str = ""


class Announce(Order, frozen=True, kw_only=True, tag="announce"):
    """Announce units for something in this round: troop assaults, an SAF against a target, shock factors, a fist."""

    units: Units
    purpose: Name
    factors: Points = 0
    target: str = ""


def decide_fighting_retreat(game: Game, order: FightingRetreat, _: Dice) -> list[Result]:
    """Raises RuleViolation when the other side has declared it."""
    side, rule = game.side_of(order.seat), rule_of(game, "302.772")
    if game.markers.get("fighting retreat"):
        raise refuse(game, "a fighting retreat is declared", "`done`", "302.772")
    ratings = {side: RETREATING_BIR, **dict.fromkeys(foe_in_battle(game, side), BLOCKING_BIR)}
    made = [ChoiceMade(question="BIR", side=one, choice=bir, rule=rule) for one, bir in ratings.items()]
    return [*made, *marked(game, "fighting retreat", side, "BIR 0 against 10", rule)]


def is_fighting_retreat(game: Game, _: str) -> bool:
    return bool(game.markers.get("fighting retreat"))


def decide_seal_intensity(game: Game, order: SealIntensity, _: Dice) -> list[Result]:
    return commit_and_open(game, game.side_of(order.seat), "BIR", order.bir, "304.1", battlers(game))


def decide_vary_intensity(game: Game, order: VaryIntensity, dice: Dice) -> list[Result]:
    """One die; on the scenario's table `variable-bir` its result changes the rating. Once a side and round."""
    side, rule = game.side_of(order.seat), rule_of(game, "304.3")
    done = names_in(game, "variable rolled")
    if side in done:
        raise refuse(game, "your variable intensity is rolled", "`done`", "304.3")
    purpose = f"variable battle intensity of {game.side_name(side)}"
    noted = marked(game, "variable rolled", (*done, side), "", rule)
    if "variable-bir" not in game.tables and order.by_the_book is None:
        return [dice.roll(word_of(game, DIE), purpose=purpose, modifiers=modifiers_of(order), rule=rule), *noted]
    rolled = on_table(game, dice, order, VARIABLE_BIR, purpose=purpose, rule=rule)
    if rolled.row is None:
        return list(rolled.told)
    by = int(rolled.said) if rolled.said.lstrip("+-").isdigit() else 0
    return [*rolled.told, *noted, *_rated(game, side, by, rule)]


def _rated(game: Game, side: str, by: int, rule: str) -> list[Result]:
    now = chosen(game, "BIR", side)
    if not by or not isinstance(now, int):
        return []
    return [ChoiceMade(question="BIR", side=side, choice=max(0, now + by), rule=rule)]


def decide_adjust_intensity(game: Game, order: AdjustIntensity, _: Dice) -> list[Result]:
    """Raises RuleViolation: nothing to adjust; war-plans for anything but +1."""
    if step_open(game) == "5-4C2" and order.by != 1:
        raise refuse(game, f"war-plans do not give {order.by:+d}", "they give +1 BIR", "534.243")
    side = game.side_of(order.seat) if order.by > 0 else foe_in_battle(game, game.side_of(order.seat))[0]
    results = _rated(game, side, order.by, rule_of(game))
    if not results:
        raise refuse(game, f"{game.side_name(side)} has no BIR to adjust", "give `by` other than 0", "304.1")
    return results


def decide_seal_ew(game: Game, order: SealEW, _: Dice) -> list[Result]:
    """Raises RuleViolation for a unit that does not serve or has no EW; for points that no unit gives."""
    for unit in order.units:
        one = serving_unit(game, order, unit, "308.51")
        if order.points and not (has(one, "scout") or is_base(one)):
            raise refuse(game, f"{one.id} has no electronic warfare", "name scouts, starbases and BATS", "308.51")
    if order.points and not order.units:
        raise refuse(game, "no unit gives those points", "name the units, or seal 0 points", "308.51")
    choice = (str(order.points), *order.units)
    return commit_and_open(game, game.side_of(order.seat), "EW", choice, "308.51", battlers(game))


def decide_shift_ew(game: Game, order: ShiftEW, _: Dice) -> list[Result]:
    """Raises RuleViolation in 5-4A2 before both sides have sealed."""
    side = game.side_of(order.seat)
    rule = rule_of(game)
    waits = [one for one in battlers(game) if f"{one} EW" not in names_in(game, "sealed")]
    if step_open(game) == "5-4A2" and waits:
        what = f"{game.side_name(waits[0])} has not sealed its electronic warfare"
        raise refuse(game, what, "wait until both are open", "308.51")
    why = order.why or "electronic warfare"
    return marked(game, "EW shift", (side, str(order.shift)), why, rule)


def decide_announce(game: Game, order: Announce, _: Dice) -> list[Result]:
    """Raises RuleViolation: a frozen unit; in 5-4A6 no SAF or no fixed target; in 5-4B a mauler."""
    step, rule = step_open(game), rule_of(game)
    units = tuple(serving_unit(game, order, unit) for unit in dict.fromkeys(order.units))
    for unit in units:
        if unit.get("frozen"):
            raise refuse(game, f"{unit.id} is frozen this round", "leave it out", "312.20")
        if step == "5-6X3" and not unit.get("eligible"):
            raise refuse(game, f"{unit.id} was not named in 5-4A5", "name units of 5-4A5, or `done`", "521.36")
        if step == "5-4A6":
            need_trait(game, unit, "saf", "SAF", "520.4")
        if step == "5-4B" and has(unit, "mauler"):
            raise refuse(game, f"{unit.id} is a mauler", "maulers are not announced here", "311.2")
        if step == "5-4B" and order.factors > factor_of(unit):
            what = f"{unit.id} has {factor_of(unit)} attack factors"
            raise refuse(game, what, f"announce at most {factor_of(unit)}", "311.2")
    attribute = {"5-4B": "shock", "5-6X3": "assaults"}.get(step, "eligible")
    value = order.factors if step == "5-4B" else f"{order.purpose} {order.target}".strip()
    return [event for unit in units for event in changed(unit, attribute, value, order.purpose, rule)]
