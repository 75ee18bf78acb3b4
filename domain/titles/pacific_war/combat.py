"""Attacks of every kind: one roll on the scenario's table for the phase, and what it does to its target.

Who may attack whom, and with which modifiers, stands in chapters that we do not have; modifiers come with the order,
each with its source. What the text says is checked: sides, arms, the hex in hand, activated units.
"""

from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.pacific_war.pieces import (
    Row,
    arm,
    entry,
    hostile_unit,
    own_of_arm,
    phase_of,
    refuse,
    with_what_follows,
)
from umpire_ledger.domain.titles.pacific_war.tables import roll_on
from umpire_ledger.kit import (
    Dice,
    Game,
    Name,
    Result,
    TableRoll,
    Unit,
    changed,
    paid,
    removed,
)


class Kind(msgspec.Struct, frozen=True):
    """A kind of combat: its table, its printed rule, who attacks and who is attacked."""

    table: str
    rule: str
    attackers: tuple[str, ...]
    targets: tuple[str, ...]
    same_place: bool = False


SUBMARINES = Kind("submarine-combat", "25.2", ("patrol", "submarine-command", "naval"), ("naval", "patrol"))
AIR = Kind("air-combat", "28.0", ("air", "naval", "base"), ("naval", "air", "ground", "base"))
NAVAL = Kind("naval-combat", "29.2", ("naval",), ("naval",), same_place=True)
BOMBARDMENT = Kind("bombardment", "29.3", ("naval",), ("ground", "base"))
GROUND = Kind("ground-combat", "31.0", ("ground",), ("ground",), same_place=True)
KINDS = {
    "5.1.I": msgspec.structs.replace(SUBMARINES, rule="13.2.5"),
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


class Attack(TableRoll, frozen=True, kw_only=True, tag="attack"):
    """Units attack one enemy unit, with the table of the phase."""

    units: Annotated[tuple[Name, ...], msgspec.Meta(min_length=1, max_length=40)]
    target: Name


def decide_attack(game: Game, order: Attack, dice: Dice) -> list[Result]:
    """A roll, and hits or steps for the target; what it loses counts as damage inflicted in the operation.

    Raises:
        RuleViolation: the arms do not fight so in this phase; not in one place where they must; not activated.
    """
    kind = KINDS[phase_of(game)]
    rule = f"{phase_of(game)} [{kind.rule}]"
    attackers = [own_of_arm(game, order.seat, one, kind.attackers, rule) for one in dict.fromkeys(order.units)]
    target = hostile_unit(game, order.seat, order.target, rule)
    _verify_may_attack(game, kind, attackers, target, rule)
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
    harm, damage = suffers(target, rolled.row, f"attacked by {attackers[0].id}", rule)
    account = f"damage/{game.side_of(order.seat)}"
    damages = paid(game, account, damage, f"inflicted on {target.id}", rule)
    return with_what_follows(game, [*rolled.told, *damages, *harm], rule)


def _verify_may_attack(game: Game, kind: Kind, attackers: list[Unit], target: Unit, rule: str) -> None:
    if arm(target) not in kind.targets:
        what = f"{target.id} is no {' or '.join(kind.targets)} unit, and nothing else is attacked in this phase"
        raise refuse(game, what, "choose another target", rule)
    hex_in_hand = game.cursor.item("5.2.E")
    place = hex_in_hand if phase_of(game) == "5.2.E" else target.at
    if kind.same_place and (apart := [one.id for one in (*attackers, target) if one.at != place]):
        what = f"{', '.join(apart)}: not in {place}"
        raise refuse(game, what, f"name units in {place}", rule)
    in_operation = phase_of(game) != "5.1.I"
    idle = [one.id for one in attackers if in_operation and "activated" in one.attributes and not one.get("activated")]
    if idle:
        raise refuse(game, f"{', '.join(idle)}: not activated", "attack with activated units", rule)


def suffers(unit: Unit, row: Row, cause: str, rule: str) -> tuple[list[Result], int]:
    """What a row of a combat table does to a unit, and the damage that counts: hits or steps lost."""
    match arm(unit):
        case "naval":
            return hit(unit, entry(row, "hits"), cause, rule)
        case "air" | "ground":
            return _lose_steps(unit, row, cause, rule)
        case "base":
            hits = entry(row, "hits")
            return changed(unit, "hits", unit.number("hits") + hits, cause, rule), hits
        case _:
            hits = entry(row, "hits")
            return (removed(unit, "destroyed", cause, rule), hits) if hits else ([], 0)


def hit(ship: Unit, hits: int, cause: str, rule: str) -> tuple[list[Result], int]:
    """Hits on a ship: some cripple it, more sink it."""
    total = ship.number("hits") + hits
    results = changed(ship, "hits", total, cause, rule)
    if total >= ship.number("sinks"):
        return [*results, *removed(ship, "sunk", cause, rule)], hits
    return [*results, *changed(ship, "crippled", total >= ship.number("cripples"), cause, rule)], hits


def _lose_steps(unit: Unit, row: Row, cause: str, rule: str) -> tuple[list[Result], int]:
    lost = min(entry(row, "steps"), unit.number("steps"))
    results = changed(unit, "steps", unit.number("steps") - lost, cause, rule)
    if lost and lost == unit.number("steps"):
        return [*results, *removed(unit, "eliminated", cause, rule)], lost
    breaks = arm(unit) == "ground" and isinstance(row, dict) and row.get("broken") is True
    return [*results, *(changed(unit, "broken", True, cause, rule) if breaks else [])], lost
