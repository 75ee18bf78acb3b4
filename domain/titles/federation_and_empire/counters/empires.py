"""Look up what all chapters need: sides and their empires, accounts, units, the current battle hex, the calendar.

A unit has these attributes from the scenario: empire, attack, defense, crippled_attack, crippled_defense, command,
base, and `traits`, which list its abilities (`tug`, `scout`, `cloak`, `sfg`, `pinwheel`, `x`, …). Play adds these
attributes, each absent until it happens:

    crippled    flipped to its crippled side        supply      `out` or `partial`; absent if in supply
    repair      EP paid for a repair, not flipped   mothballed  needs activation        operational  false: being set up
    mission     code of a transport's mission       begun       turn in which a base was begun
    reserve     its reserve fleet                   fleet       expeditionary fleet     group  its escort group
    raid, raid_kind, response, tried, cargo, outcome            the raid of a raider
    withdrew    the hex it withdrew from            evaded      the hex in which it evaded
    retreated   the hex with enemies to which it retreated in this Phase 5
    sids        damage of a base that flipped nothing, until it is repaired (420.6)
    frozen, shock, eligible, designated, rescuing, rescued_by, capture_tried, fought, absorbed
                marks for one round of combat; lost: the hex and round in which a unit was destroyed
"""

from collections.abc import Callable, Iterable
from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.house_values import DIE
from umpire_ledger.domain.titles.federation_and_empire.refusals import REFUSALS
from umpire_ledger.domain.titles.federation_and_empire.rule_numbers import CITES
from umpire_ledger.kit import (
    Dice,
    Game,
    Modifier,
    Order,
    Reason,
    RestrictedEvent,
    Result,
    RollTable,
    RuleViolation,
    TableOutcome,
    TableRoll,
    Unit,
    UnitName,
    changed,
    listed,
    modifiers_of,
    moved,
    names_in,
    on_table,
    paid,
    pass_number,
    refusing,
    replace,
    step_open,
    unit_of,
    word_of,
)

NAME = "Federation & Empire"
ORION = "orion"
"""The side of the pirates."""
POOL, DEPOT, OFF_MAP, ORION_POOL = "raid-pool", "DLR", "off-map", "orion-pool"
RIDERS = frozenset(("leader", "team", "diplomat"))
"""Traits of units that are aboard a ship and move with it."""
NO_SHIPS = frozenset(("decoy", "frd", *RIDERS))
"""Traits of units that are not ships; bases are not ships either."""
GCE = "GCE"
"""The kind of an independent ground combat element (6B), which is not a ship either."""

Units = Annotated[tuple[UnitName, ...], msgspec.Meta(min_length=1)]
Pips = Annotated[int, msgspec.Meta(ge=1, le=6)]

# --- refusing and citing ----------------------------------------------------------------------------------------------


refused = refusing(NAME, REFUSALS)


def printed(step: str) -> str:
    """Return a step's printed label: the part of a split step before the slash."""
    return step.partition("/")[0]


def rule_of(game: Game, number: str = "") -> str:
    """Return the label of the open step, with the given rule number or else with all those printed there."""
    step = printed(step_open(game))
    cited = number or ", ".join(CITES.get(step, ()))
    return f"{step} ({cited})" if cited else step


def refuse(game: Game, code: str, number: str = "", /, **fields: object) -> RuleViolation:
    """Return a refusal under the label of the open step and a printed rule number."""
    return refused(game, code, rule_of(game, number), **fields)


# --- sides and empires ------------------------------------------------------------------------------------------------


def turn_order(game: Game, _: str = "") -> tuple[str, ...]:
    """Return the sides that have player turns, in the scenario's order."""
    return names_in(game, "turn order")


def phasing(game: Game) -> str:
    """Return the side whose player turn it is; "" between player turns."""
    return game.cursor.side()


def enemies(game: Game, side: str) -> tuple[str, ...]:
    """Return the sides at war with a side, in turn order; pirates on the map are enemies of all sides (11H)."""
    wars = names_in(game, "wars")
    at_war = tuple(one for one in turn_order(game) if f"{side} {one}" in wars or f"{one} {side}" in wars)
    return (*at_war, ORION) if pirates_are_out(game) and side != ORION else at_war


def pirates_are_out(game: Game) -> bool:
    """Check whether the Orions play and have a ship on the map."""
    if not game.options.get("orions") or ORION not in game.side_ids:
        return False
    return any(unit.side == ORION and not unit.fate and unit.at != ORION_POOL for unit in game.units.values())


def empires_of(game: Game, side: str) -> tuple[str, ...]:
    """Return the empires that a side plays."""
    return names_in(game, f"empires of {side}")


def every_empire(game: Game) -> tuple[str, ...]:
    """Return the empires of the game, by side."""
    return tuple(empire for side in game.side_ids for empire in empires_of(game, side))


def side_of_empire(game: Game, empire: str) -> str:
    """Return the side that plays an empire; "" if no side does."""
    return next((side for side in game.side_ids if empire in empires_of(game, side)), "")


def own_empire(game: Game, order: Order, empire: str) -> str:
    """Return the named empire of the side that gives the order, or its only one if none is named.

    Raises:
        RuleViolation: The empire belongs to another side, or none is named although the side has several.
    """
    side = game.side_of(order.seat)
    mine = empires_of(game, side)
    if not empire and len(mine) == 1:
        return mine[0]
    if empire not in mine:
        raise refuse(
            game,
            "not-an-empire-of-the-side" if empire else "empire-missing",
            empire=empire,
            side=game.side_name(side),
            empires=", ".join(mine) or "none",
        )
    return empire


def owner_name(game: Game, empire: str) -> str:
    """Return an empire's name, from the scenario."""
    return printed_of(game, empire, "name") or empire


PRINTED = ("letter", "name", "capital", "borrowing", "raid pool")
"""Facts in an empire's marker, in this order; a number is written in digits."""


def printed_of(game: Game, empire: str, what: str) -> str:
    """Return a fact about an empire from the scenario; "" if it has no such empire."""
    said = names_in(game, f"empire {empire}")
    return said[PRINTED.index(what)] if said else ""


# --- units ------------------------------------------------------------------------------------------------------------


def has(unit: Unit, trait: str) -> bool:
    """Check whether a unit has a trait."""
    return trait in unit.names("traits")


def empire_of(unit: Unit) -> str:
    return str(unit.get("empire") or "")


def payer_of(game: Game, unit: Unit) -> str:
    """Return the empire that pays for a unit: its own; its lessee; for a captured ship the first of its side."""
    mine = empires_of(game, unit.side)
    return next((one for one in (empire_of(unit), str(unit.get("lessee"))) if one in mine), next(iter(mine), ""))


def is_base(unit: Unit) -> bool:
    """Check whether a unit is a base or base-like: it does not move, retreat or withdraw."""
    return unit.get("base") is True


def kind_of(unit: Unit) -> str:
    """Return a unit's present kind, after conversions."""
    return str(unit.get("converted") or unit.kind)


def is_crippled(unit: Unit) -> bool:
    return unit.get("crippled") is True


def own_unit(game: Game, order: Order, unit: str) -> Unit:
    """Return a unit in play that belongs to the side that gives the order.

    Raises:
        RuleViolation: The unit is not in play, or belongs to another side.
    """
    found = unit_of(game, unit, f"{NAME} {rule_of(game)}")
    if found.side != game.side_of(order.seat):
        raise refuse(game, "unit-of-another-side", unit=unit, side=game.side_name(found.side))
    return found


def own_units(game: Game, order: Order, units: Iterable[str]) -> tuple[Unit, ...]:
    """Return units of the side that gives the order, each once."""
    return tuple(own_unit(game, order, unit) for unit in dict.fromkeys(units))


def has_units(game: Game, side: str) -> bool:
    """Check whether a side has a unit in play."""
    return any(unit.side == side for unit in living(game))


def living(game: Game) -> tuple[Unit, ...]:
    """Return the units in play, sorted by id, so that results that depend on their order are the same in each process.

    The last result is cached, because one order asks for it dozens of times and sorting a thousand units is slow.
    """
    units, found = _LIVING[0]
    if units is not game.units:
        found = game.in_play()
        _LIVING[0] = (game.units, found)
    return found


_LIVING: list[tuple[object, tuple[Unit, ...]]] = [(None, ())]
"""Input and result of the last call of `living`, in one pair, so that another thread reads both or neither."""


def units_where(game: Game, fits: Callable[[Unit], bool], side: str | None = None) -> tuple[Unit, ...]:
    """Return the units in play that match, of one side or of all, by id."""
    return tuple(unit for unit in living(game) if (side is None or unit.side == side) and fits(unit))


def at_hex(game: Game, place: str, side: str = "") -> tuple[Unit, ...]:
    """Return the units in a place, of one side or of all, by id."""
    return tuple(unit for unit in living(game) if unit.at == place and side in ("", unit.side))


def held_by_enemy(game: Game, side: str, place: str) -> bool:
    """Check whether an enemy of the side has units in a hex where the side has none; riders do not count.

    [reading] A single enemy, for instance a pirate, does not close a hex that the side holds (2B3, 3A-1A).
    """
    here = [unit for unit in at_hex(game, place) if RIDERS.isdisjoint(unit.names("traits"))]
    foes = enemies(game, side)
    return any(unit.side in foes for unit in here) and not any(unit.side == side for unit in here)


def fortified_by_enemy(game: Game, side: str, place: str) -> bool:
    """Check whether an enemy has a working base in a hex and the side has none; ships do not count."""
    bases = {unit.side for unit in at_hex(game, place) if is_base(unit) and unit.get("operational") is not False}
    return side not in bases and not bases.isdisjoint(enemies(game, side))


def verify_ground(game: Game, side: str, place: str, number: str = "") -> None:
    """Check that a side may build in a hex.

    Raises:
        RuleViolation: The enemy holds the hex, or has the only base there.
    """
    if held_by_enemy(game, side, place) or fortified_by_enemy(game, side, place):
        raise refuse(game, "enemy-in-hex", number, place=place)


def verify_not_held(game: Game, side: str, place: str, number: str = "") -> None:
    """Check that the enemy does not hold a hex.

    Raises:
        RuleViolation: The enemy holds it.
    """
    if held_by_enemy(game, side, place):
        raise refuse(game, "enemy-in-hex", number, place=place)


def is_ship(unit: Unit) -> bool:
    """Check whether a unit is a ship: not a base, FRD, decoy, ground combat element, leader, team or diplomat."""
    return not is_base(unit) and unit.kind != GCE and NO_SHIPS.isdisjoint(unit.names("traits"))


def is_carried(unit: Unit) -> bool:
    """Check whether a unit is an FRD or ground combat element, which moves only with a transport or ship."""
    return has(unit, "frd") or unit.kind == GCE


def verify_own_ship(game: Game, unit: Unit, number: str) -> None:
    """Check that a unit is a ship that its side may give up.

    Raises:
        RuleViolation: The unit is not a ship, or it is leased.
    """
    if not is_ship(unit):
        raise refuse(game, "not-a-ship", number, unit=unit.id)
    if unit.get("lessee") is not None:
        raise refuse(game, "leased-ship", number, unit=unit.id, empire=owner_name(game, empire_of(unit)))


def need_trait(game: Game, unit: Unit, trait: str, words: str, number: str = "") -> None:
    """Check that a unit has a trait; `words` names such units in the refusal.

    Raises:
        RuleViolation: The unit does not have it.
    """
    if not has(unit, trait):
        mine = [one for one in living(game) if one.side == unit.side and has(one, trait)]
        fight = serving(game, unit.side) if hex_in_hand(game) else mine
        able = [one.id for one in mine if one in fight or not NO_SHIPS.isdisjoint(one.names("traits"))]
        raise refuse(
            game,
            "wrong-kind" if able else "no-unit-of-kind",
            number,
            unit=unit.id,
            kind=words,
            units=listed(able, unit.id),
        )


def hex_in_hand(game: Game) -> str:
    """Return the battle hex that is being resolved, or ""."""
    return game.cursor.item("5-HEX")


def chases_withdrawn(game: Game) -> bool:
    """Check whether the current pursuit is of units that withdrew before combat: no round has begun (5-1F)."""
    return game.cursor.frame("5-S8") is not None and game.cursor.frame("5-ROUND") is None


def in_battle(game: Game, side: str = "") -> tuple[Unit, ...]:
    """Return the units of the battle: those in the hex that did not evade.

    In the pursuit of a withdrawal, the defenders' units are those that withdrew from the hex.
    """
    place, chased, active = hex_in_hand(game), chases_withdrawn(game), phasing(game)
    units = (unit for unit in living(game) if side in ("", unit.side))
    return tuple(unit for unit in units if _is_in(unit, place, chased, active))


def _is_in(unit: Unit, place: str, chased: bool, active: str) -> bool:
    if not chased or unit.side == active:
        return fights_at(unit, place)
    return unit.attributes.get("withdrew") == place and RIDERS.isdisjoint(unit.names("traits"))


def fights_at(unit: Unit, place: str) -> bool:
    """Check whether a unit is in a hex and did not evade there; leaders fight with their ship."""
    attributes = unit.attributes
    return unit.at == place and attributes.get("evaded") != place and RIDERS.isdisjoint(unit.names("traits"))


def force_of(game: Game, side: str) -> tuple[str, ...] | None:
    """Return the revealed Battle Force of a side in this round or pursuit; None before it is revealed."""
    return names_in(game, f"force of {side}") if game.markers.get(f"force of {side}") is not None else None


def serving(game: Game, side: str = "") -> tuple[Unit, ...]:
    """Return the units that fight: those left of the revealed Battle Forces; before the reveal, all of the battle."""
    found = in_battle(game, side)
    forces = {one: force_of(game, one) for one in {unit.side for unit in found}}
    return tuple(
        unit
        for unit in found
        if ((force := forces[unit.side]) is None or unit.id in force) and "escaped" not in unit.attributes
    )


def battle_unit(game: Game, order: Order, unit: str, number: str = "") -> Unit:
    """Return a unit in the current battle that belongs to the side that gives the order.

    Raises:
        RuleViolation: The unit is not in the battle, or belongs to another side.
    """
    found = own_unit(game, order, unit)
    here = in_battle(game, found.side)
    if found not in here:
        raise _absent(game, found, "in the battle", here, number)
    return found


def serving_unit(game: Game, order: Order, unit: str, number: str = "") -> Unit:
    """Return a unit that fights in the Battle Force of the side that gives the order and is not frozen.

    Raises:
        RuleViolation: The unit is not in the Battle Force, belongs to another side, or is frozen.
    """
    found = own_unit(game, order, unit)
    here = serving(game, found.side)
    if found not in here:
        raise _absent(game, found, "in the Battle Force", here, number)
    verify_not_frozen(game, found)
    return found


def verify_not_frozen(game: Game, unit: Unit) -> None:
    """Check that a unit is not in stasis, in which no action by it or on it is possible this round (312.20).

    Raises:
        RuleViolation: The unit is frozen.
    """
    if unit.get("frozen"):
        raise refuse(game, "frozen-this-round", "312.20", unit=unit.id)


def _absent(game: Game, unit: Unit, where: str, here: tuple[Unit, ...], number: str) -> RuleViolation:
    place = hex_in_hand(game)
    gone = ": it withdrew in 5-1C" if unit.get("withdrew") == place and unit.at != place else ""
    able = listed((one.id for one in here), unit.id)
    return refuse(game, "unit-not-there", number, unit=unit.id, where=where, place=place, more=gone, units=able)


def round_mark(game: Game) -> str:
    """Return the current hex, turn and round as the text with which attributes date an action or loss."""
    pursuit = " in pursuit" if game.cursor.frame("5-S8") is not None else ""
    return f"{hex_in_hand(game)} in turn {game.turn}, round {pass_number(game.cursor, '5-ROUND')}{pursuit}"


def named_once(game: Game, unit: Unit, attribute: str, what: Reason, remedy: str, number: str = "") -> list[Result]:
    """Note on a unit an action that it may take once in a player turn.

    Raises:
        RuleViolation: The unit has already taken it in this player turn.
    """
    now = this_turn(game)
    if unit.get(attribute) == now:
        raise refuse(game, "done-this-player-turn", number, unit=unit.id, why=what, remedy=remedy)
    return changed(unit, attribute, now, str(what), rule_of(game, number))


def this_turn(game: Game) -> str:
    """Return the current player turn, as in `turn 2 of coalition`."""
    return f"turn {game.turn} of {phasing(game)}"


# --- units that travel, treasuries, dice ------------------------------------------------------------------------------


def aboard_of(game: Game, ships: Iterable[Unit]) -> tuple[Unit, ...]:
    """Return the units that are aboard these ships, by id: leaders, teams and cargo."""
    ids = {ship.id for ship in ships}
    return tuple(unit for unit in living(game) if unit.get("aboard") in ids)


def everybody_aboard(game: Game, ships: Iterable[Unit]) -> tuple[Unit, ...]:
    """Return the units aboard these ships and, in turn, those aboard these units, by id."""
    found: dict[str, Unit] = {}
    new = aboard_of(game, ships)
    while new:
        found |= {unit.id: unit for unit in new}
        new = tuple(unit for unit in aboard_of(game, new) if unit.id not in found)
    return tuple(found[name] for name in sorted(found))


def stepped_off(game: Game, ship: Unit, cause: str, rule: str) -> list[Result]:
    """Return the events with which all units aboard a ship leave it and stay at its place."""
    return [event for unit in aboard_of(game, (ship,)) for event in changed(unit, "aboard", None, cause, rule)]


def regrouped(game: Game, ship: Unit, rule: str) -> list[Result]:
    """Return the events with which a group or pinwheel takes the name of its next unit when a ship leaves [reading]."""
    return [event for name in ("group", "pinwheel") for event in _renamed(game, name, ship, rule)]


def _renamed(game: Game, name: str, ship: Unit, rule: str) -> list[Result]:
    rest = [unit for unit in living(game) if unit.get(name) == ship.id and unit.id != ship.id]
    cause = f"{ship.id} is gone"
    return [event for unit in rest for event in changed(unit, name, rest[0].id, cause, rule)]


def travelled(game: Game, units: Iterable[Unit], path: tuple[str, ...], cause: str, rule: str) -> list[Result]:
    """Return the events that move units along a path together, with all units aboard them."""
    going = tuple(units)
    ids = {unit.id for unit in going}
    riders = [unit for unit in everybody_aboard(game, going) if unit.id not in ids]
    return [event for unit in (*going, *riders) for event in moved(unit, path, cause, rule)]


def spent(game: Game, empire: str, ep: int, cause: str, rule: str = "") -> list[Result]:
    """Return the events that take EPs from an empire's treasury.

    Raises:
        RuleViolation: The treasury holds fewer EPs.
    """
    held = game.accounts.get(f"{empire}/EP", 0)
    if ep > held:
        name = owner_name(game, empire)
        raise refuse(game, "too-few-economic-points", "430.1", cause=cause, given=ep, empire=name, limit=held)
    return paid(game, f"{empire}/EP", -ep, cause, rule)


def try_for(
    game: Game,
    dice: Dice,
    order: TableRoll,
    table: str,
    at_least: int | None,
    purpose: str,
    subjects: tuple[str, ...] = (),
    *,
    modifiers: tuple[Modifier, ...] = (),
    seen_by: tuple[str, ...] | None = None,
) -> TableOutcome:
    """Roll on a table of the scenario or the group, or against a number that the order states.

    Args:
        modifiers: Those of the rules; the order's own follow them.
        seen_by: The only viewers of the roll; None for all.

    Raises:
        RuleViolation: There is neither a table nor a number; the rule with the number is one that we do not have.
    """
    rule = rule_of(game)
    if table in game.tables or order.by_the_book is not None:
        how = RollTable(table, Literal["success", "failure"], word_of(game, DIE))
        return on_table(
            game,
            dice,
            order,
            how,
            purpose=purpose,
            rule=rule,
            subjects=subjects,
            modifiers=modifiers,
            seen_by=seen_by,
        )
    if at_least is None:
        raise refuse(game, "die-result-missing", purpose=purpose)
    rolled = dice.roll(
        word_of(game, DIE),
        purpose=purpose,
        modifiers=(*modifiers, *modifiers_of(order)),
        rule=rule,
        subjects=subjects,
        needed=f"{at_least} or more",
    )
    outcome = "success" if rolled.total >= at_least else "failure"
    known = replace(rolled, outcome=outcome)
    return TableOutcome((known if seen_by is None else RestrictedEvent(known, seen_by),), rolled.total, outcome)


# --- the calendar -----------------------------------------------------------------------------------------------------


def calendar(game: Game, turn: int = 0) -> tuple[str, int]:
    """Return the season and year of a turn (0: the current one), counted from the scenario's first turn.

    [reading] Spring comes before Fall in a year: the printed text only names them in that order.
    """
    first, year = names_in(game, "calendar") or ("Spring", "168")
    halves = (turn or game.turn or 1) - 1 + (first == "Fall")
    return ("Fall" if halves % 2 else "Spring"), int(year) + halves // 2


def date_of(game: Game) -> str:
    """Return the turn as players write it: `Turn 3, Fall Y168`."""
    season, year = calendar(game)
    return f"Turn {game.turn}, {season} Y{year}"


def is_before(game: Game, season: str, year: int) -> bool:
    """Check whether the current turn is before a season of a year."""
    now, this_year = calendar(game)
    return (this_year, now == "Fall") < (year, season == "Fall")


def war_is_over(game: Game, _: str) -> bool:
    """Check whether the scenario's last turn has been reached."""
    last = game.number("last turn")
    return bool(last) and game.turn >= last
