"""Decide Phase 3A before and after the raids: the Raid Pool, resistance movements, pacification stations."""

from typing import Literal

from umpire_ledger.domain.titles.federation_and_empire import house_values
from umpire_ledger.domain.titles.federation_and_empire.combat.battle import nonphasing
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    POOL,
    RIDERS,
    Pips,
    at_hex,
    empire_of,
    empires_of,
    has,
    is_base,
    is_crippled,
    is_ship,
    living,
    own_empire,
    own_unit,
    phasing,
    printed_of,
    refuse,
    rule_of,
    this_turn,
    travelled,
    try_for,
    verify_not_held,
)
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import Hex, is_hex
from umpire_ledger.domain.titles.federation_and_empire.raids.decoys import is_decoy
from umpire_ledger.domain.titles.federation_and_empire.raids.raids import unloaded
from umpire_ledger.kit import (
    Dice,
    Game,
    Name,
    Order,
    PlaceOrNone,
    Result,
    TableRoll,
    Unit,
    UnitName,
    UnitPlaced,
    Value,
    changed,
    listed,
    marked,
    names_in,
    number_of,
    step_open,
    word_in,
)


class Pool(Order, frozen=True, kw_only=True, tag="pool"):
    """Put a ship or Prime Team into the Raid Pool, or take it out to a place."""

    unit: UnitName
    to: PlaceOrNone = ""


class Resist(TableRoll, frozen=True, kw_only=True, tag="resist"):
    """Try sabotage, infiltration or rebellion with a resistance movement; `at_least` if the scenario has no table."""

    kind: Literal["sabotage", "infiltration", "rebellion"]
    at: Hex
    at_least: Pips | None = None


def decide_pool(game: Game, order: Pool, _: Dice) -> list[Result]:
    """Put a unit into the Raid Pool, or take it out to a hex.

    Raises:
        RuleViolation: The pool is full, or the unit is not in it; in 3A-5B the ship has raided, in 3A-5C it was not
            crippled; or the hex has no units of the side, or the enemy holds it.
    """
    unit, step = own_unit(game, order, order.unit), step_open(game)
    if not order.to:
        return _into_pool(game, unit)
    if not is_hex(order.to):
        raise refuse(game, "not-a-map-hex", place=order.to)
    if unit.at != POOL:
        raise refuse(game, "not-in-raid-pool", unit=unit.id)
    if has(unit, "decoy"):
        raise refuse(game, "stays-with-recorded-ship", unit=unit.id)
    verify_not_held(game, unit.side, order.to)
    if step == "3A-5B" and unit.get("raided") == game.turn:
        raise refuse(game, "raided-and-stays", "314.12", unit=unit.id)
    if step == "3A-5C":
        _verify_to_capital(game, unit, order.to)
    _verify_own_place(game, unit, order.to)
    rule = rule_of(game)
    cargo = unloaded(game, unit, rule) if unit.get("cargo_ep") else []
    alone = [] if _counts(unit) else changed(unit, "aboard", None, "leaves the Raid Pool", rule)
    return [*cargo, *alone, *travelled(game, (unit,), (order.to,), "leaves the Raid Pool", rule)]


def _verify_own_place(game: Game, unit: Unit, to: str) -> None:
    """Check that a unit leaves the pool for its capital or for units of its side [reading, `pool-to-own`]."""
    if not number_of(game, house_values.POOL_TO_OWN):
        return
    capital = printed_of(game, empire_of(unit), "capital")
    friends = sorted({one.at for one in living(game) if one.side == unit.side and is_hex(one.at)} | {capital} - {""})
    if friends and to not in friends:
        raise refuse(game, "nothing-of-yours-there", place=to, places=listed(friends))


def raider_is_crippled(game: Game, _: str) -> bool:
    """Return whether a raider of the phasing side that was crippled in this player turn is in the pool (3A-5C)."""
    return any(_was_crippled(game, unit) for unit in at_hex(game, POOL, phasing(game)))


def _was_crippled(game: Game, unit: Unit) -> bool:
    return is_crippled(unit) and unit.get("raid_hurt") == this_turn(game)


def _verify_to_capital(game: Game, unit: Unit, to: str) -> None:
    capital = printed_of(game, empire_of(unit), "capital")
    if not _was_crippled(game, unit):
        raise refuse(game, "not-crippled-raiding", "320.11", unit=unit.id)
    if capital and to != capital:
        raise refuse(game, "not-the-capital", "320.11", place=to, empire=empire_of(unit), capital=capital)


def _into_pool(game: Game, unit: Unit) -> list[Result]:
    limit = int(printed_of(game, empire_of(unit), "raid pool") or 0)
    held = sum(empire_of(one) == empire_of(unit) and _counts(one) for one in at_hex(game, POOL, unit.side))
    if step_open(game) not in ("3A-1A", "2B7"):
        raise refuse(game, "joins-pool-elsewhere", unit=unit.id)
    if unit.at == POOL:
        raise refuse(game, "in-raid-pool", unit=unit.id)
    if has(unit, "leader"):
        raise refuse(game, "pool-needs-ship", unit=unit.id)
    if _counts(unit):
        _verify_pool_ship(game, unit)
    elif not has(unit, "team") and not (is_decoy(unit) and step_open(game) == "2B7"):
        number = "538.51" if step_open(game) == "2B7" else "314.17"
        raise refuse(game, "not-ship-nor-team", number, unit=unit.id)
    if held >= limit and _counts(unit):
        raise refuse(game, "raid-pool-full", empire=empire_of(unit), limit=held)
    rule = rule_of(game)
    alone = [] if _counts(unit) else changed(unit, "aboard", None, "joins the Raid Pool", rule)
    return [*alone, *travelled(game, (unit,), (POOL,), "joins the Raid Pool", rule)]


def _counts(unit: Unit) -> bool:
    """Check whether a unit counts against the limit of the Raid Pool; decoys, teams and leaders do not."""
    return not has(unit, "decoy") and RIDERS.isdisjoint(unit.names("traits"))


def _verify_pool_ship(game: Game, unit: Unit) -> None:
    """Check that a ship may join the Raid Pool.

    Raises:
        RuleViolation: The step is 2B7, or the unit is a base, mothballed or not on the map.
    """
    if step_open(game) == "2B7":
        raise refuse(game, "ships-join-elsewhere", "538.51", unit=unit.id)
    if not is_ship(unit) or unit.get("mothballed") is True or not is_hex(unit.at):
        raise refuse(game, "not-active-on-map", unit=unit.id)


def decide_resist(game: Game, order: Resist, dice: Dice) -> list[Result]:
    """Announce sabotage or infiltration in 3A-1B and roll for it in 3A-2A; roll for a rebellion in 3A-3K.

    Raises:
        RuleViolation: The action belongs to another step; a roll was not announced, or was already made; or the hex is
            the side's own.
    """
    step, marker = step_open(game), f"{order.kind} {order.at}"
    if (order.kind == "rebellion") != (step == "3A-3K"):
        raise refuse(game, "mission-not-tried-here", "537.3", kind=order.kind)
    _verify_not_own(game, order)
    if step == "3A-1B":
        return marked(game, marker, "announced", "", rule_of(game))
    if step == "3A-2A" and game.markers.get(marker) != "announced":
        raise refuse(game, "raid-not-announced", "537.1", marker=marker)
    if game.markers.get(marker) == this_turn(game):
        raise refuse(game, "raid-rolled-already", "537.3", marker=marker)
    tried = try_for(game, dice, order, "resistance", order.at_least, f"{order.kind} at {order.at}")
    then = this_turn(game) if step == "3A-3K" else None
    return [*tried.told, *(marked(game, marker, then, "resolved", rule_of(game)) if tried.row is not None else [])]


def announced(game: Game, _: str) -> tuple[str, ...]:
    """Return the actions of resistance movements that are announced and not rolled for."""
    names = (name for name in sorted(game.markers) if name.startswith(ACTIONS))
    return tuple(name for name in names if word_in(game, name) == "announced")


def resistance_waits(game: Game, _: str) -> bool:
    """Check whether an action of a resistance movement is announced and not rolled for."""
    return bool(announced(game, ""))


ACTIONS = ("sabotage ", "infiltration ")


def _verify_not_own(game: Game, order: Resist) -> None:
    """Check that a resistance movement does not act against its own side.

    Raises:
        RuleViolation: A capital or base of the side is in the hex.
    """
    side = game.side_of(order.seat)
    capitals = {printed_of(game, empire, "capital") for empire in empires_of(game, side)}
    if order.at in capitals or any(is_base(unit) for unit in at_hex(game, order.at, side)):
        number = "537.3" if step_open(game) == "3A-3K" else "537.1"
        raise refuse(game, "own-hex", number, at=order.at)


class Emplace(Order, frozen=True, kw_only=True, tag="emplace"):
    """Put a pacification station in a hex."""

    unit: Name
    at: Hex
    empire: str = ""


NEW = "stations now"
"""The marker of the station that was emplaced in this pass of 3A-6A to 3A-6C."""


def decide_emplace(game: Game, order: Emplace, _: Dice) -> list[Result]:
    """Place a station, one in each pass; the owner of the hex may withdraw in the next step.

    Raises:
        RuleViolation: The id is taken, a station was already emplaced in this pass, or the empire's limit is reached.
    """
    if order.unit in game.units:
        raise refuse(game, "id-used-already", "544.21", unit=order.unit)
    if game.markers.get(NEW) is not None:
        raise refuse(game, "station-emplaced", "544.21")
    empire, side, rule = own_empire(game, order, order.empire), game.side_of(order.seat), rule_of(game)
    allowed, here = game.markers.get(f"stations of {empire}"), names_in(game, "stations")
    its = sum(empire_of(game.units[name]) == empire for name in here)
    if isinstance(allowed, int) and its >= allowed:
        raise refuse(game, "too-many-stations", owner=its, limit=allowed)
    attributes: dict[str, Value] = {
        "empire": empire,
        "base": True,
        "defense": number_of(game, house_values.STATION_DEFENSE),
        "traits": ("pacification",),
    }
    placed = UnitPlaced(
        unit=order.unit, side=side, kind="PS", at=order.at, attributes=attributes, cause="ROMP", rule=rule
    )
    return [
        placed,
        *marked(game, "stations", (*here, order.unit), "", rule),
        *marked(game, NEW, order.unit, "", rule),
    ]


def begin_station(game: Game) -> list[Result]:
    """Clear the note of the last pass's station (3A-6A)."""
    return marked(game, NEW, None)


def in_station_hexes(game: Game) -> tuple[str, ...]:
    """Return the non-phasing sides with a unit that may withdraw from a new station (3A-6B)."""
    new = {game.units[name].at for name in names_in(game, "stations")}
    here = [unit for unit in living(game) if unit.at in new and not is_base(unit) and unit.get("aboard") is None]
    return tuple(side for side in nonphasing(game) if any(unit.side == side for unit in here))


def may_emplace(game: Game, _: str) -> bool:
    """Check whether an empire of the phasing side may still emplace a station in this player turn."""
    here = [game.units[name] for name in names_in(game, "stations")]

    def left(empire: str) -> bool:
        allowed = game.markers.get(f"stations of {empire}")
        return not isinstance(allowed, int) or sum(empire_of(one) == empire for one in here) < allowed

    return any(left(empire) for empire in empires_of(game, phasing(game)))
