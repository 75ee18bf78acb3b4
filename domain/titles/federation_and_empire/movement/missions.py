"""Give missions to transports by code; manage expeditionary fleets, admirals, generals and support lines."""

from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.combat.fates import rolled_for, survived_its_die
from umpire_ledger.domain.titles.federation_and_empire.counters import sheets
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    DEPOT,
    POOL,
    RIDERS,
    battle_unit,
    empire_of,
    has,
    hex_in_hand,
    is_base,
    is_crippled,
    is_ship,
    living,
    named_once,
    need_trait,
    own_unit,
    own_units,
    payer_of,
    phasing,
    printed,
    refuse,
    round_mark,
    rule_of,
    serving,
    spent,
    this_turn,
    units_where,
    verify_not_frozen,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.sheets import Points
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import is_hex
from umpire_ledger.domain.titles.federation_and_empire.rule_numbers import CITES
from umpire_ledger.kit import (
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
    moved,
    removed,
    step_open,
)

Code = Annotated[str, msgspec.Meta(pattern=r"^[A-Z][0-9]{0,2}$")]
LINES = {
    "homeless": ("homeless", "homeless ship", "410.56"),
    "forward defense": ("forward", "Forward Defense Unit", "536.15"),
}
"""The units that a line supports: trait, name in words, rule number."""
CODES = {"2A3": ("J1",), "2B3": ("J2", "J3", "J4"), "2B7": ("D",), "5-1C": ("F",), "5-7D": ("F",), "7B": ("E",)}
"""The missions that a step names; other steps refer to 509.1, which we do not have."""


class AssignMission(Order, frozen=True, kw_only=True, tag="assign-mission"):
    """Give a tug or transport its mission, by its code in 509.1."""

    unit: UnitName
    code: Code


class Designate(Order, frozen=True, kw_only=True, tag="designate"):
    """Note the role of units: an expeditionary fleet (1G), or a part of the organised forces (5-3B)."""

    units: Annotated[tuple[UnitName, ...], msgspec.Meta(min_length=1)]
    role: Name


class Support(Order, frozen=True, kw_only=True, tag="support"):
    """Buy or name a support line for a homeless ship, or a Forward Defense Unit."""

    unit: UnitName
    line: Literal["homeless", "forward defense"]
    ep: Points | None = None


class TransferLeader(Order, frozen=True, kw_only=True, tag="transfer-leader"):
    """Move an admiral or general aboard another ship, or off the map (no ship)."""

    leader: UnitName
    ship: UnitOrNone = ""


class LoseLeader(Order, frozen=True, kw_only=True, tag="lose-leader"):
    """Record that an admiral, general or Prime Team is lost or leaves play."""

    leader: UnitName
    fate: Name = "killed"


class RevealAdmiral(Order, frozen=True, kw_only=True, tag="reveal-admiral"):
    """Reveal the effectiveness of an admiral who was deployed initially, once per game."""

    leader: UnitName
    effect: Annotated[int, msgspec.Meta(ge=-9, le=9)]


# --- transports -------------------------------------------------------------------------------------------------------


def decide_assign_mission(game: Game, order: AssignMission, _: Dice) -> list[Result]:
    """Give a tug or transport a mission, once in a step.

    Raises:
        RuleViolation: The unit is not a tug or transport, is not in the battle hex of a battle, or already has a
            mission of this step; or the code is unknown, or belongs to another step.
    """
    unit, place = own_unit(game, order, order.unit), hex_in_hand(game)
    if place and unit.at != place:
        raise refuse(game, "mission-elsewhere", _number_here(game), unit=unit.id, at=unit.at, place=place)
    if not has(unit, "transport"):
        need_trait(game, unit, "tug", "tug or transport", _number_here(game))
    step = printed(step_open(game))
    known, here = sheets.missions(game), _codes_here(game, unit, step)
    if known and order.code not in known:
        raise refuse(game, "no-such-mission", mission=order.code, missions=known)
    now = f"{step} in {this_turn(game)}"
    if unit.get("assigned") == now:
        raise refuse(game, "mission-given-already", unit=unit.id, mission=unit.get("mission"))
    if here is not None and order.code not in here:
        home = next((one for one, codes in CODES.items() if order.code in codes), "1F")
        raise refuse(
            game,
            "mission-of-another-step",
            _number_here(game),
            mission=order.code,
            step=step,
            missions=" or ".join(here),
            steps=home,
        )
    rule = rule_of(game, "509.1")
    return [
        *changed(unit, "mission", order.code, f"mission {order.code} in {step}", rule),
        *changed(unit, "assigned", now, f"mission {order.code} in {step}", rule),
    ]


def _number_here(game: Game) -> str:
    """Return the rule number for missions that is printed at the open step; "" if there is none."""
    cited = CITES.get(printed(step_open(game)), ())
    return next((one for one in cited if one.startswith("509.1")), "")


def transports_free(game: Game, side: str) -> tuple[Unit, ...]:
    """Return the tugs and transports of a side that have no mission of this step."""
    now = f"{printed(step_open(game))} in {this_turn(game)}"
    able = (unit for unit in living(game) if unit.side == side and (has(unit, "tug") or has(unit, "transport")))
    place = hex_in_hand(game)
    return tuple(unit for unit in able if unit.get("assigned") != now and place in ("", unit.at))


def _codes_here(game: Game, unit: Unit, step: str) -> tuple[str, ...] | None:
    """Return the codes that a step allows; None for any, as in 2B7 for a unit that is new in this turn (509.35)."""
    return None if step == "2B7" and unit.get("new") == this_turn(game) else CODES.get(step)


def end_missions(game: Game) -> list[Result]:
    """End the missions of the phasing side's last player turn (1F)."""
    side, rule = phasing(game), rule_of(game, "509.32")
    mine = units_where(game, lambda unit: str(unit.get("assigned") or "").endswith(f" of {side}"), side)
    return [
        event
        for unit in mine
        for name in ("mission", "assigned")
        for event in changed(unit, name, None, "a new turn", rule)
    ]


def decide_designate(game: Game, order: Designate, _: Dice) -> list[Result]:
    units, rule = own_units(game, order, order.units), rule_of(game)
    if step_open(game) == "1G":
        return [event for unit in units for event in _into_fleet(game, order, unit)]
    if hex_in_hand(game):
        for unit in units:
            battle_unit(game, order, unit.id)
    return [event for unit in units for event in changed(unit, "designated", order.role, order.role, rule)]


def _into_fleet(game: Game, order: Designate, unit: Unit) -> list[Result]:
    """Put a ship in the expeditionary fleet of the order, in place of an earlier one (1G).

    Raises:
        RuleViolation: The unit is not a ship in service.
    """
    if not is_ship(unit):
        raise refuse(game, "mission-needs-ships", "411.7", unit=unit.id)
    if unit.at == DEPOT or unit.get("mothballed") is True:
        raise refuse(game, "mission-needs-service", "411.7", unit=unit.id)
    return changed(unit, "fleet", order.role, order.role, rule_of(game, "411.7"))


def decide_support(game: Game, order: Support, _: Dice) -> list[Result]:
    """Buy or name a support line for a unit.

    Raises:
        RuleViolation: The unit is of another sort, already has its line, or its treasury is short.
    """
    unit = own_unit(game, order, order.unit)
    trait, words, number = LINES[order.line]
    need_trait(game, unit, trait, words, number)
    if unit.get("support") == order.line:
        raise refuse(game, "line-given-already", number, unit=unit.id)
    rule, cause = rule_of(game, number), f"{order.line} line for {unit.id}"
    ep = sheets.price(game, order.ep, f"support {order.line}", number, free=True)
    return [*spent(game, payer_of(game, unit), ep, cause, rule), *changed(unit, "support", order.line, cause, rule)]


def end_lines(game: Game) -> list[Result]:
    """End the support lines for homeless ships, which last one turn (1H); those for Forward Defense Units stay."""
    mine = units_where(game, lambda unit: unit.get("support") == "homeless", phasing(game))
    return [event for unit in mine for event in changed(unit, "support", None, "a new turn", rule_of(game, "410.56"))]


# --- admirals and generals --------------------------------------------------------------------------------------------


def decide_transfer_leader(game: Game, order: TransferLeader, _: Dice) -> list[Result]:
    """Move the leader aboard a ship, to the place of that ship.

    Raises:
        RuleViolation: The unit is not a leader; the goal is neither ship nor base, or in another hex, except in 2B6,
            3A-1A and 8A; or it is the second leader to move by Strategic Movement (8A).
    """
    leader, step, rule = own_unit(game, order, order.leader), step_open(game), rule_of(game)
    if step == "5-6X5":
        need_trait(game, leader, "team", "Prime Team", "522.34")
    else:
        need_trait(game, leader, "leader", "admiral or general")
    ship = own_unit(game, order, order.ship) if order.ship else None
    once = _verify_post(game, leader, ship) if step in POSTS else []
    if step == "8A" and (gone := _moved_leader(game, leader)):
        raise refuse(game, "moved-strategically", "316.144C", unit=gone)
    if ship is not None and step != "5-6X5" and not (is_ship(ship) or is_base(ship)):
        raise refuse(
            game, "neither-ship-nor-base", POSTS.get(step, "316.144C" if step == "8A" else "316.144"), ship=ship.id
        )
    if ship is not None and step == "8A" and not is_hex(ship.at):
        raise refuse(game, "ship-off-map", "316.144C", ship=ship.id, at=ship.at)
    if ship is not None and ship.at != leader.at and step not in ("2B6", "8A", "3A-1A"):
        raise refuse(
            game,
            "ship-and-leader-apart",
            "316.144",
            ship=ship.id,
            ship_at=ship.at,
            leader=leader.id,
            leader_at=leader.at,
        )
    if hex_in_hand(game):
        _verify_in_combat(game, leader, "transfers")
        _verify_fate_known(game, leader)
        once = _in_combat_once(game, leader, ship)
    strategic = changed(leader, "strategic", game.turn, "Strategic Movement", rule) if step == "8A" else []
    to = ship.at if ship else "off-map"
    return [
        *once,
        *strategic,
        *changed(leader, "aboard", order.ship or None, "", rule),
        *moved(leader, (to,), f"aboard {order.ship}", rule),
    ]


POSTS = {"2B6": "316.33", "3A-1A": "320.45", "9B": "316.144B"}
"""Steps that give each leader one post."""


def _verify_post(game: Game, leader: Unit, ship: Unit | None) -> list[Result]:
    """Check a leader's new post and note it; a general who leaves the pool may go to any ship, or off the map.

    Raises:
        RuleViolation: It is a second post in this step, or the ship is not one of the empire; in 3A-1A the leader is
            not a general, or neither they nor the ship are in the pool; in 9B no ship on the map is named.
    """
    step = step_open(game)
    number = POSTS[step]
    if ship is not None and (empire_of(ship) != empire_of(leader) or not is_ship(ship)):
        raise refuse(game, "leader-needs-own-empire", number, ship=ship.id, empire=empire_of(leader))
    if step == "3A-1A":
        need_trait(game, leader, "general", "Marine general", number)
        if leader.at != POOL and (ship is None or ship.at != POOL):
            raise refuse(game, "ship-not-in-raid-pool", number, ship=ship.id if ship else "nothing")
    if step == "9B" and (ship is None or not is_hex(ship.at)):
        raise refuse(game, "leader-changes-on-map", number)
    attribute = f"posted_{step.replace('-', '_').lower()}"
    return named_once(
        game, leader, attribute, Reason("changed-ships", "changed ships"), "leave the leader out of the order", number
    )


def _moved_leader(game: Game, leader: Unit) -> str:
    others = (one for one in living(game) if one.side == leader.side and has(one, "leader"))
    return next((one.id for one in others if one.get("strategic") == game.turn), "")


def _verify_in_combat(game: Game, leader: Unit, does: str) -> None:
    """Check that a leader is in the battle hex and, except in 5-3E and 5-6X5, is off a crippled or lost ship.

    The rules are 316.144A and 522.32.
    """
    place = hex_in_hand(game)
    number = {"5-3E": "316.144", "5-6C": "522.32", "5-6X5": "522.34"}.get(step_open(game), "316.144A")
    if leader.at != place:
        raise refuse(game, "leader-elsewhere", number, leader=leader.id, at=leader.at, place=place)
    needs = "destroyed" if step_open(game) == "5-6C" else "crippled or destroyed"
    if step_open(game) not in ("5-3E", "5-6X5") and not is_off_ship(game, leader, crippled=step_open(game) != "5-6C"):
        raise refuse(game, "not-from-this-ship", number, action=does, ship=leader.get("aboard"), wanted=needs)


def is_off_ship(game: Game, leader: Unit, *, crippled: bool = True) -> bool:
    """Return whether a leader's ship is missing, lost or, if that counts, crippled (316.144A)."""
    ship = game.units.get(str(leader.get("aboard") or ""))
    return ship is None or bool(ship.fate) or (crippled and is_crippled(ship))


def _verify_fate_known(game: Game, leader: Unit) -> None:
    """Check that the leader's die is rolled, since only survivors transfer (316.144A).

    Raises:
        RuleViolation: The die is still to be rolled.
    """
    if leader in rolled_for(game, leader.side):
        raise refuse(game, "leader-fate-open", "316.144A", leader=leader.id)


def _in_combat_once(game: Game, leader: Unit, ship: Unit | None) -> list[Result]:
    """Note a leader's transfer in this step of a battle.

    Raises:
        RuleViolation: It is a second transfer in one step, the goal is not a ship, or a ship is frozen.
    """
    number = {"5-3E": "316.144", "5-6X5": "522.34"}.get(step_open(game), "316.144A")
    if ship is None or not RIDERS.isdisjoint(ship.names("traits")):
        raise refuse(game, "no-transfer-there", number, leader=leader.id, at=leader.at)
    for one in (ship, game.units.get(str(leader.get("aboard") or ""))):
        if one is not None:
            verify_not_frozen(game, one)
    now = f"{step_open(game)} at {round_mark(game)}"
    if leader.get("transferred") == now:
        raise refuse(game, "ship-changed-already", number, leader=leader.id, step=step_open(game))
    return changed(leader, "transferred", now, "", rule_of(game, number))


FATES = {"5-6C": ("team", "Prime Team", "522.32"), "5-6X2": ("leader", "admiral or general", "316.31")}
"""By step of a battle: the trait of the riders whose fate it decides, their name and the printed rule."""


def decide_lose_leader(game: Game, order: LoseLeader, _: Dice) -> list[Result]:
    leader = own_unit(game, order, order.leader)
    if step_open(game) == "1E":
        need_trait(game, leader, "leader", "admiral", "316.229")
        if has(leader, "general"):
            raise refuse(game, "not-for-generals", "316.229", leader=leader.id)
    if hex_in_hand(game):
        trait, who, number = FATES[step_open(game)]
        need_trait(game, leader, trait, who, number)
        _verify_in_combat(game, leader, "is lost")
        if survived_its_die(game, leader):
            raise refuse(game, "leader-survived", leader=leader.id)
    return removed(leader, order.fate, "", rule_of(game))


def decide_reveal_admiral(game: Game, order: RevealAdmiral, _: Dice) -> list[Result]:
    """Note the effectiveness of an admiral aboard a ship of the Battle Force, once.

    Raises:
        RuleViolation: The unit is not an admiral aboard a ship of the force, or the effectiveness is known.
    """
    leader = own_unit(game, order, order.leader)
    need_trait(game, leader, "leader", "admiral", "316.22")
    if leader.get("aboard") not in {unit.id for unit in serving(game, leader.side)}:
        raise refuse(game, "leader-not-in-force", "316.22", leader=leader.id)
    if leader.get("effect") is not None:
        raise refuse(game, "effectiveness-known", "316.22", leader=leader.id, effect=leader.get("effect"))
    return changed(leader, "effect", order.effect, "effectiveness", rule_of(game, "316.22"))
