"""Decide attacks of every kind: one roll on the scenario's table for the phase, and its effect on the target.

The chapters on targets and modifiers are not available, so the order states the modifiers, each with its source. Rules
in the printed text are checked: sides, arms, the hex being resolved, and activated units. A unit attacks only once: a
ship in each naval combat phase and in the bombardment, a ground unit in the ground combat.
"""

from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.pacific_war import flying
from umpire_ledger.domain.titles.pacific_war.pieces import (
    Row,
    arm,
    entry,
    has,
    hostile_unit,
    of_arm,
    own_of_arm,
    phase_of,
    refuse,
    this_phase,
    this_use,
    with_what_follows,
)
from umpire_ledger.domain.titles.pacific_war.tables import roll_on
from umpire_ledger.kit import Dice, Game, Result, TableRoll, Unit, UnitName, changed, names_in, paid, removed, step_open


class Kind(msgspec.Struct, frozen=True):
    """A kind of combat: its table, its printed rule, who attacks and who is attacked.

    `idle`: whether units that are not activated fight too. `once`: whether a unit attacks once in a step; of
    submarines, by an option, once in a phase.
    """

    table: str
    rule: str
    attackers: tuple[str, ...]
    targets: tuple[str, ...]
    same_place: bool = False
    idle: bool = False
    once: bool = False


SUBMARINES = Kind("submarine-combat", "25.2", ("patrol",), ("naval",), same_place=True)
TRANSPORT = Kind("submarine-combat", "13.2.5", ("patrol", "submarine-command"), ("naval",))
AIR = Kind("air-combat", "28.0", ("air",), flying.TARGETS, idle=True)
NAVAL = Kind("naval-combat", "29.2", ("naval",), ("naval",), same_place=True, idle=True, once=True)
BOMBARDMENT = Kind("bombardment", "29.3", ("naval",), ("ground", "base"), same_place=True, once=True)
GROUND = Kind("ground-combat", "31.0", ("ground",), ("ground",), same_place=True, once=True)
KINDS = {
    "5.1.I": TRANSPORT,
    "5.2.C": SUBMARINES,
    "5.2.D": AIR,
    "5.2.E": NAVAL,
    "5.2.F": BOMBARDMENT,
    "5.2.H": GROUND,
    "5.2.K": SUBMARINES,
    "5.2.L": AIR,
}
"""The kind of combat of each phase that has one."""
TABLES = tuple(dict.fromkeys(kind.table for kind in KINDS.values()))


SUBMARINES_ONCE = "submarines_attack_once"
"""The option that a patrol or submarine Command attacks only once in a phase."""

FIRES_TOGETHER = ("5.2.E.b/1", "5.2.E.b/2", "5.2.E.b/3", "5.2.H")
"""Steps in which both sides fight at the same time: destroyed units leave play when the step is over."""


class Attack(TableRoll, frozen=True, kw_only=True, tag="attack"):
    """Attack one enemy unit with one or more units, on the table of the phase."""

    units: Annotated[tuple[UnitName, ...], msgspec.Meta(min_length=1, max_length=40)]
    target: UnitName


def decide_attack(game: Game, order: Attack, dice: Dice) -> list[Result]:
    """Roll for an attack, and apply hits or lost steps, which count as damage inflicted in the operation.

    Raises:
        RuleViolation: The arms do not fight in this phase, units are not in the required place, are not activated or
            have already attacked, or a mission is not allowed (see `flying.verify_mission`).
    """
    kind = KINDS[phase_of(game)]
    rule = f"{phase_of(game)} [{flying.AT_ONCE if flying.is_simultaneous(game) else kind.rule}]"
    attackers = _attackers(game, order, kind, rule)
    target = hostile_unit(game, order.seat, order.target, rule)
    _verify_may_attack(game, kind, attackers, target, rule)
    if kind is AIR:
        flying.verify_mission(game, attackers, target, rule)
    rolled = roll_on(
        game,
        dice,
        order,
        kind.table,
        purpose=f"{kind.table.replace('-', ' ')} against {target.id}",
        rule=rule,
        subjects=(*(one.id for one in attackers), target.id),
    )
    if rolled.row is None:
        return list(rolled.told)
    harm, damage = suffers(target, rolled.row, f"attacked by {attackers[0].id}", rule, later=fires_together(game))
    account = f"damage/{game.side_of(order.seat)}"
    damages = paid(game, account, damage, f"inflicted on {target.id}", rule) if phase_of(game) != "5.1.I" else []
    uses = flying.notes(game, attackers) if kind is AIR else _uses(game, kind, attackers, target)
    told = with_what_follows(game, [*rolled.told, *uses, *damages, *harm], rule)
    return [*told, *(flying.calls_for(game, attackers, target) if kind is AIR else [])]


def _attackers(game: Game, order: Attack, kind: Kind, rule: str) -> list[Unit]:
    """Return the attackers; in a Simultaneous Strike they fly even if their carrier has just sunk."""
    if flying.is_simultaneous(game):
        return flying.strikers(game, order.units, rule)
    return [own_of_arm(game, order.seat, one, kind.attackers, rule) for one in order.units]


def _uses(game: Game, kind: Kind, attackers: list[Unit], target: Unit) -> list[Result]:
    """Record the units that have attacked, and ground units that have fought, because these may retreat."""
    fought = attackers if _is_once(game, kind) else []
    noted = [event for one in fought for event in changed(one, "used", _use(game, kind))]
    if kind is not GROUND:
        return noted
    return [*noted, *(event for one in (*attackers, target) for event in changed(one, "fought", this_use(game)))]


def _is_once(game: Game, kind: Kind) -> bool:
    """Return whether a unit attacks once, by the kind of combat or, for submarines, by the option."""
    return kind.once or (kind.table == SUBMARINES.table and bool(game.options.get(SUBMARINES_ONCE, True)))


def _use(game: Game, kind: Kind) -> str:
    """Return the value of `used`: the step, or the phase for submarines, which attack in parallel with other steps."""
    return this_phase(game) if kind.table == SUBMARINES.table else this_use(game)


def _verify_may_attack(game: Game, kind: Kind, attackers: list[Unit], target: Unit, rule: str) -> None:
    if arm(target) not in kind.targets:
        raise refuse(game, "wrong-kind-of-target", rule, target=target.id, targets=" or ".join(kind.targets))
    hex_in_hand = game.cursor.item("5.2.E")
    place = hex_in_hand if phase_of(game) == "5.2.E" else target.at
    if kind.same_place and (apart := [one.id for one in (*attackers, target) if one.at != place]):
        raise refuse(game, "units-elsewhere", rule, units=apart, place=place)
    _verify_ready(game, kind, attackers, rule)
    if kind is TRANSPORT and target.get("moved_in") != game.number("month"):
        raise refuse(game, "not-moved-by-transport", rule, target=target.id)
    shore = names_in(game, "shoreline")
    if kind is BOMBARDMENT and shore and target.at not in shore:
        raise refuse(game, "not-a-shoreline", rule, at=target.at, shoreline=shore)
    if at_sea := [one.id for one in (*attackers, target) if arm(one) == "ground" and one.get("aboard")]:
        raise refuse(game, "aboard-ship", rule, units=at_sea)


def _verify_ready(game: Game, kind: Kind, attackers: list[Unit], rule: str) -> None:
    active = [one for one in attackers if "activated" in one.attributes and not kind.idle]
    if idle := [one.id for one in active if not one.get("activated")]:
        raise refuse(game, "attackers-not-activated", rule, units=idle)
    if unpaid := [one.id for one in attackers if arm(one) == "patrol" and one.get("paid") is False]:
        raise refuse(game, "patrol-not-paid-for", rule, units=unpaid)
    commands = [one.id for one in attackers if arm(one) == "submarine-command"]
    if empty := [one for one in commands if not has(game, f"submarines/{one}")]:
        raise refuse(game, "no-submarines", rule, units=empty)
    if again := [one.id for one in attackers if _is_once(game, kind) and one.get("used") == _use(game, kind)]:
        raise refuse(game, "attacked-already", rule, units=again)


def suffers(unit: Unit, row: Row, cause: str, rule: str, *, later: bool = False) -> tuple[list[Result], int]:
    """Return the effects of a combat table's row on a unit, and the damage: the number of hits or steps lost.

    Args:
        later: Leave it to `take_losses` to remove a destroyed unit from play.
    """
    match arm(unit):
        case "naval":
            return hit(unit, entry(row, "hits"), cause, rule, later=later)
        case "air" | "ground":
            return _lose_steps(unit, row, cause, rule, later=later)
        case _:
            hits = entry(row, "hits")
            return changed(unit, "hits", unit.number("hits") + hits, cause, rule), hits


def hit(ship: Unit, hits: int, cause: str, rule: str, *, later: bool = False) -> tuple[list[Result], int]:
    """Apply hits to a ship, at most up to the number that sinks it; see `suffers` for `later` and the result."""
    total = min(ship.number("hits") + hits, max(ship.number("sinks"), ship.number("hits")))
    scored = total - ship.number("hits")
    results = changed(ship, "hits", total, cause, rule)
    if total >= ship.number("sinks") and not later:
        return [*results, *removed(ship, "sunk", cause, rule)], scored
    return [*results, *changed(ship, "crippled", total >= ship.number("cripples"), cause, rule)], scored


def _lose_steps(unit: Unit, row: Row, cause: str, rule: str, *, later: bool) -> tuple[list[Result], int]:
    lost = min(entry(row, "steps"), unit.number("steps"))
    results = changed(unit, "steps", unit.number("steps") - lost, cause, rule)
    if lost and lost == unit.number("steps") and not later:
        return [*results, *removed(unit, "eliminated", cause, rule)], lost
    breaks = arm(unit) == "ground" and isinstance(row, dict) and row.get("broken") is True
    return [*results, *(changed(unit, "broken", True, cause, rule) if breaks else [])], lost


# --- both sides at the same time --------------------------------------------------------------------------------------


def fires_together(game: Game) -> bool:
    """Return whether both sides fight at the same time in the open step, so that the order of attacks has no effect."""
    return step_open(game) in FIRES_TOGETHER


def take_losses(game: Game) -> list[Result]:
    """End a step in which both sides fought: ships with their last hit sink, ground units without steps leave play."""
    rule = f"{phase_of(game)} [{KINDS[phase_of(game)].rule}]"
    sunk = (one for one in of_arm(game, "naval") if one.number("hits") >= one.number("sinks"))
    gone = (one for one in of_arm(game, "ground") if not one.number("steps"))
    lost = [event for one in sunk for event in removed(one, "sunk", "its last hit", rule)]
    lost += [event for one in gone for event in removed(one, "eliminated", "its last step", rule)]
    return with_what_follows(game, lost, rule)
