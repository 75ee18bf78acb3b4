"""Designate single units in a round, each by its own order: bonuses, towing, web casters, SWACs, transfers."""

from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.combat.battle import battlers, chosen, enemy_unit, foe_in_battle
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    Units,
    has,
    hex_in_hand,
    is_crippled,
    living,
    need_trait,
    printed,
    refuse,
    round_mark,
    rule_of,
    serving,
    serving_unit,
)
from umpire_ledger.domain.titles.federation_and_empire.house_values import SHIPS_PER_CORE
from umpire_ledger.kit import (
    ChoiceMade,
    Dice,
    Game,
    Name,
    Order,
    Reason,
    Result,
    Unit,
    UnitName,
    UnitOrNone,
    changed,
    number_of,
    step_open,
    unit_of,
)

Few = Annotated[int, msgspec.Meta(ge=1, le=99)]
BONUSES = {"formation": "308.7", "scout": "308.53"}
"""The bonuses of 5-3G, each for one unit per side, with their rule numbers."""


class GiveBonus(Order, frozen=True, kw_only=True, tag="give-bonus"):
    """Give one unit of your force the formation bonus, or one scout the scout bonus."""

    unit: UnitName
    bonus: Literal["formation", "scout"]


class TakeCore(Order, frozen=True, kw_only=True, tag="take-core"):
    """Put ISC ships in the core of their echelon."""

    units: Units


class Tow(Order, frozen=True, kw_only=True, tag="tow"):
    """Tow a crippled ship in the web with an uncrippled ship, which pulls it out in 5-6F."""

    ship: UnitName
    cripple: UnitName


class PullOut(Order, frozen=True, kw_only=True, tag="pull-out"):
    """Pull a cripple out of the web with the ship that towed it, if that ship has survived."""

    ship: UnitName


class CastWeb(Order, frozen=True, kw_only=True, tag="cast-web"):
    """Use a web caster, once in a round.

    `by`: the COMPOT it takes from the target (5-3J), the BIR from the ISC (5-3X5), or the attack it adds (5-4B). In
    5-4A7B it keeps the target, a ship of its own side, from being frozen.
    """

    caster: UnitName
    target: UnitOrNone = ""
    by: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0


class AttackCloaked(Order, frozen=True, kw_only=True, tag="attack-cloaked"):
    """Use the cloaking devices of ships to attack."""

    units: Units


class AssignSwac(Order, frozen=True, kw_only=True, tag="assign-swac"):
    """Give a SWAC its mission for this round."""

    unit: UnitName
    mission: Name


class TransferFighters(Order, frozen=True, kw_only=True, tag="transfer-fighters"):
    """Move fighters or PFs from one unit, even a destroyed one, to another that has room for them."""

    unit: UnitName
    to: UnitName
    number: Few
    sort: Literal["fighters", "pfs"] = "fighters"


class ReturnGce(Order, frozen=True, kw_only=True, tag="return-gce"):
    """Return ground combat elements that survived an assault to their own ships."""

    units: Units


class TransferGce(Order, frozen=True, kw_only=True, tag="transfer-gce"):
    """Move a ground combat element from one ship to another that has none."""

    unit: UnitName
    to: UnitName


# --- 5-3G, 5-6F -------------------------------------------------------------------------------------------------------


def decide_give_bonus(game: Game, order: GiveBonus, _: Dice) -> list[Result]:
    """Give a unit the formation bonus, or a scout the scout bonus.

    Raises:
        RuleViolation: The unit is not in the force or not a scout, or another unit has the bonus.
    """
    number = BONUSES[order.bonus]
    unit = serving_unit(game, order, order.unit, number)
    has_it = next((one.id for one in serving(game, unit.side) if one.get("bonus") == order.bonus), "")
    if has_it:
        raise refuse(game, "bonus-given-to-another", number, unit=has_it, bonus=order.bonus)
    if order.bonus == "scout":
        need_trait(game, unit, "scout", "scout", number)
    return changed(unit, "bonus", order.bonus, f"{order.bonus} bonus", rule_of(game, number))


def decide_take_core(game: Game, order: TakeCore, _: Dice) -> list[Result]:
    """Put ISC ships in core positions of their force.

    Raises:
        RuleViolation: A ship is not an ISC ship, or there are more ships than positions, which depend on the number of
            ISC ships.
    """
    units = [serving_unit(game, order, unit, "324.21") for unit in dict.fromkeys(order.units)]
    for unit in units:
        need_trait(game, unit, "isc", "ISC ship", "324.21")
    most, taken = core_positions(game, units[0].side), {one.id for one in serving(game) if one.get("core")}
    if most is not None and len(taken | {unit.id for unit in units}) > most:
        free = max(0, most - len(taken))
        raise refuse(
            game, "core-positions-taken" if free else "core-full", "324.21", limit=most, given=len(taken), units=free
        )
    return [event for unit in units for event in changed(unit, "core", True, "core position", rule_of(game, "324.21"))]


def core_positions(game: Game, side: str) -> int | None:
    """Return the number of core positions that an ISC force has now, without frozen ships; None without a limit."""
    each = number_of(game, SHIPS_PER_CORE)
    ships = sum(has(unit, "isc") and not unit.get("frozen") for unit in serving(game, side))
    return ships // each if each else None


def decide_tow(game: Game, order: Tow, _: Dice) -> list[Result]:
    """Let a ship tow a cripple that is in the web.

    Raises:
        RuleViolation: The towing ship is crippled or in the web, the other is not a cripple in the web, or either is
            already in a pair.
    """
    ship, cripple = (serving_unit(game, order, one, "512.32") for one in (order.ship, order.cripple))
    if is_crippled(ship) or ship.get("in_web"):
        why = Reason("crippled", "crippled") if is_crippled(ship) else Reason("in-web", "in the web")
        raise refuse(game, "cannot-tow", "512.32", ship=ship.id, why=why)
    if not is_crippled(cripple) or not cripple.get("in_web"):
        raise refuse(game, "not-a-cripple-in-web", "512.32", unit=cripple.id)
    other = next((one.id for one in serving(game, ship.side) if one.get("tows") == cripple.id), "")
    if other or ship.get("tows"):
        raise refuse(
            game,
            "towed-already" if other else "tows-already",
            "512.32",
            other=other,
            cripple=cripple.id,
            ship=ship.id,
            towed=ship.get("tows"),
        )
    return changed(ship, "tows", cripple.id, "towing", rule_of(game, "512.32"))


def towed_by(game: Game, ship: Unit) -> Unit | None:
    """Return the cripple in the web that a ship tows; None if there is none."""
    towed = game.units.get(str(ship.get("tows") or ""))
    return towed if towed is not None and not towed.fate and towed.get("in_web") else None


def decide_pull_out(game: Game, order: PullOut, _: Dice) -> list[Result]:
    """Pull a towed cripple out of the web.

    Raises:
        RuleViolation: The ship has not survived or tows no ship, or its cripple is lost.
    """
    ship = serving_unit(game, order, order.ship, "512.32")
    towed = towed_by(game, ship)
    if towed is None:
        raise refuse(game, "tows-nobody", "512.32", ship=ship.id)
    rule = rule_of(game, "512.32")
    return [*changed(towed, "in_web", None, f"pulled by {ship.id}", rule), *changed(ship, "tows", None, "", rule)]


# --- web casters, cloaks, SWACs ---------------------------------------------------------------------------------------


def decide_cast_web(game: Game, order: CastWeb, _: Dice) -> list[Result]:
    """Use a web caster on its target.

    Raises:
        RuleViolation: The unit is not a web caster of the force, was used in this round, or has no valid target in this
            step.
    """
    step = printed(step_open(game))
    number = {"5-3J": "525.74A", "5-3X5": "525.74C", "5-4A7B": "525.74E"}.get(step, "525.74A")
    caster, rule = serving_unit(game, order, order.caster, number), rule_of(game, number)
    need_trait(game, caster, "web", "web caster", number)
    if order.target:
        unit_of(game, order.target, rule)
    if caster.get("caster"):
        raise refuse(game, "caster-used", number, caster=caster.id, step=caster.get("caster"))
    return [*changed(caster, "caster", step, "web caster", rule), *_cast(game, order, caster, number, rule)]


def _cast(game: Game, order: CastWeb, caster: Unit, number: str, rule: str) -> list[Result]:
    if number == "525.74C":
        return _against_isc(game, order, caster, rule)
    if number == "525.74E":
        target = serving_unit(game, order, order.target, number)
        return changed(target, "shielded", caster.id, "web caster", rule)
    if step_open(game) == "5-4B":
        return changed(caster, "fist", order.by, "web fist", rule)
    target = enemy_unit(game, caster.side, order.target, number)
    return changed(target, "weakened", target.number("weakened") + order.by, f"web caster {caster.id}", rule)


def _against_isc(game: Game, order: CastWeb, caster: Unit, rule: str) -> list[Result]:
    for foe in foe_in_battle(game, caster.side):
        now = chosen(game, "BIR", foe)
        if isinstance(now, int) and any(has(unit, "isc") for unit in serving(game, foe)):
            return [ChoiceMade(question="BIR", side=foe, choice=max(0, now - order.by), rule=rule)]
    raise refuse(game, "no-force-against-you", "525.74C")


def is_unused_caster(unit: Unit) -> bool:
    """Return whether a unit has a web caster that it did not use in this round."""
    return has(unit, "web") and not unit.get("caster")


def web_casters(game: Game) -> tuple[str, ...]:
    """Return the sides with a web caster that was not used in this round."""
    ready = {unit.side for unit in serving(game) if is_unused_caster(unit)}
    return tuple(side for side in battlers(game) if side in ready)


def web_is_ready(game: Game, _: str) -> bool:
    return bool(web_casters(game))


def decide_attack_cloaked(game: Game, order: AttackCloaked, _: Dice) -> list[Result]:
    """Note that ships attack with their cloaking devices.

    Raises:
        RuleViolation: A ship has no cloak, or is not in the force.
    """
    units = [serving_unit(game, order, unit, "306.2") for unit in dict.fromkeys(order.units)]
    for unit in units:
        need_trait(game, unit, "cloak", "ship with a cloaking device", "306.2")
    return [
        event for unit in units for event in changed(unit, "cloaked", True, "offensive cloak", rule_of(game, "306.2"))
    ]


def decide_assign_swac(game: Game, order: AssignSwac, _: Dice) -> list[Result]:
    """Give a SWAC its mission for this round.

    Raises:
        RuleViolation: The unit is not a SWAC of the force, or already has a mission.
    """
    unit = serving_unit(game, order, order.unit, "518.4")
    need_trait(game, unit, "swac", "SWAC", "518.4")
    if unit.get("task") is not None:
        raise refuse(game, "one-mission-a-round", "518.4", unit=unit.id, mission=unit.get("task"))
    return changed(unit, "task", order.mission, "SWAC mission", rule_of(game, "518.4"))


# --- fighters, PFs, ground combat elements ----------------------------------------------------------------------------


def aboard(unit: Unit, sort: str) -> int:
    """Return the number of fighters or PFs on a unit: those on its counter less those lost or given away."""
    return max(0, unit.number(sort) - unit.number(f"{sort}_gone"))


def decide_transfer_fighters(game: Game, order: TransferFighters, _: Dice) -> list[Result]:
    """Move fighters or PFs from one unit to another.

    Raises:
        RuleViolation: The unit is not one of the side's in this round, has fewer aboard, or the other one has less
            room.
    """
    number = {"fighters": "501.6", "pfs": "502.45"}[order.sort] if step_open(game) == "5-6E" else ""
    giver, side = unit_of_round(game, order, order.unit, number), game.side_of(order.seat)
    taker = serving_unit(game, order, order.to, number)
    if order.number > aboard(giver, order.sort) or giver.id == taker.id:
        has_now = aboard(giver, order.sort)
        raise refuse(game, "too-few-aboard", number, giver=giver.id, limit=has_now, kind=order.sort)
    room = taker.number(f"{order.sort}_gone")
    if order.number > room:
        able = [one.id for one in serving(game, side) if one.number(f"{order.sort}_gone")]
        raise refuse(
            game,
            "too-little-room",
            number,
            taker=taker.id,
            limit=room,
            kind=order.sort,
            units=", ".join(able) or "none",
        )
    rule, gone = rule_of(game, number), f"{order.sort}_gone"
    return [
        *changed(giver, gone, giver.number(gone) + order.number, f"to {taker.id}", rule),
        *changed(taker, gone, room - order.number or None, f"from {giver.id}", rule),
    ]


def unit_of_round(game: Game, order: Order, name: str, number: str) -> Unit:
    """Return a unit of the side that gives the order, if it fights or was destroyed in this round.

    Raises:
        RuleViolation: It is any other unit.
    """
    found = game.units.get(name)
    mine = found is not None and found.side == game.side_of(order.seat)
    if found is not None and mine and found.fate == "destroyed" and found.get("lost") == round_mark(game):
        return found
    unit_of(game, name, f"Federation & Empire {rule_of(game, number)}")
    return serving_unit(game, order, name, number)


def decide_return_gce(game: Game, order: ReturnGce, _: Dice) -> list[Result]:
    """Return landed ground combat elements to their ships.

    Raises:
        RuleViolation: A ship has landed none.
    """
    units = [serving_unit(game, order, unit, "521.34") for unit in dict.fromkeys(order.units)]
    for unit in units:
        if unit.get("gce") != "landed":
            able = ", ".join(one.id for one in serving(game, unit.side) if one.get("gce") == "landed") or "none"
            raise refuse(game, "no-landed-element", "521.34", unit=unit.id, units=able)
    return [event for unit in units for event in changed(unit, "gce", "aboard", "returned", rule_of(game, "521.34"))]


def lose_landed(game: Game) -> list[Result]:
    """Remove the ground combat elements that did not return (5-6X5)."""
    landed = [unit for unit in living(game) if unit.get("gce") == "landed" and unit.at == hex_in_hand(game)]
    rule = rule_of(game, "521.34")
    return [event for unit in landed for event in changed(unit, "gce", None, "not returned", rule)]


def decide_transfer_gce(game: Game, order: TransferGce, _: Dice) -> list[Result]:
    """Move a ground combat element from one ship to another.

    Raises:
        RuleViolation: The ship has none aboard, or the other one already has one.
    """
    giver, taker = (serving_unit(game, order, one, "521.22") for one in (order.unit, order.to))
    if giver.get("gce") != "aboard" or taker.get("gce") is not None:
        taken = Reason("taken", f"{taker.id} already has one")
        none_aboard = Reason("none-aboard", f"{giver.id} has none aboard")
        why = taken if giver.get("gce") == "aboard" else none_aboard
        raise refuse(game, "element-cannot-change-ship", "521.22", giver=giver.id, taker=taker.id, why=why)
    rule = rule_of(game, "521.22")
    return [
        *changed(giver, "gce", None, f"to {taker.id}", rule),
        *changed(taker, "gce", "aboard", f"from {giver.id}", rule),
    ]
