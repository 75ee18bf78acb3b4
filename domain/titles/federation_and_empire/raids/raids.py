"""Decide the raids of Phase 3A: designate normal, special and blockade raiders, move them, and recall them."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    POOL,
    at_hex,
    empire_of,
    empires_of,
    enemies,
    has,
    is_base,
    is_crippled,
    living,
    own_unit,
    phasing,
    printed,
    printed_of,
    refuse,
    rule_of,
    spent,
    travelled,
    turn_order,
    units_where,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.sheets import Points, listed_price
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import Hex, distance
from umpire_ledger.domain.titles.federation_and_empire.movement.paths import verify_supply_point, verify_together
from umpire_ledger.kit import (
    Asks,
    Concerned,
    Dice,
    Game,
    Order,
    Result,
    Unit,
    UnitName,
    after,
    changed,
    marked,
    paid,
    step_open,
)

Path = Annotated[tuple[Hex, ...], msgspec.Meta(min_length=1)]

KINDS = {"2": "normal", "3": "special", "4": "blockade"}
"""The kind of raid, by the first digit of a label after `3A-`."""


class Raid(Order, frozen=True, kw_only=True, tag="raid"):
    """Designate a raider for this kind of raid; in a step that moves raiders, also move it to its target hex.

    `target`: the hex at which drones are aimed, if it is not the last of the path (320.311).
    """

    unit: UnitName
    path: tuple[Hex, ...] = ()
    target: Annotated[str, msgspec.Meta(pattern=r"^([0-9]{4})?$")] = ""


class PayRaid(Order, frozen=True, kw_only=True, tag="pay-raid"):
    """Pay for the drone raid of a unit (320.32)."""

    unit: UnitName
    ep: Points


class Recall(Order, frozen=True, kw_only=True, tag="recall"):
    """Return a raider to the Raid Pool, or along a path to a supply point."""

    unit: UnitName
    path: tuple[Hex, ...] = ()


def kind_of_raid(game: Game) -> str:
    """Return the kind of raid of the open step."""
    return KINDS.get(printed(step_open(game)).partition("-")[2][:1], "normal")


def raiders(game: Game, kind: str = "") -> tuple[Unit, ...]:
    """Return the phasing side's raiders that are out, by id."""
    side = phasing(game)
    out = (unit for unit in living(game) if unit.side == side and unit.get("raid_kind") and unit.at != POOL)
    return tuple(sorted((unit for unit in out if kind in ("", unit.get("raid_kind"))), key=lambda unit: unit.id))


def decide_raid(game: Game, order: Raid, _: Dice) -> list[Result]:
    """Designate a raider and move it along its path.

    Raises:
        RuleViolation: A normal raider or a runner is not in the pool; the unit is crippled, raids or moves a second
            time, or cannot make a special raid; a step of moves has no path; or the path has a gap, or does not end at
            an enemy.
    """
    unit, kind, step = own_unit(game, order, order.unit), kind_of_raid(game), step_open(game)
    rule = rule_of(game)
    started = unit.get("raid_kind") == kind
    _verify_raider(game, unit, kind, started=started)
    named = changed(unit, "raid_kind", kind, f"{kind} raid", rule)
    if step in ("3A-3A", "3A-4A"):
        if order.path or order.target:
            raise refuse(
                game, "designated-moves-later", unit=unit.id, step=step[:-1], letter="B" if step == "3A-3A" else "C"
            )
        return named
    if kind != "normal" and not started:
        raise refuse(game, "not-designated-to-raid", unit=unit.id, letter=3 if kind == "special" else 4)
    if not order.path:
        raise refuse(game, "path-missing")
    number = "320.512" if step == "3A-4J" else ""
    if unit.get("way_back" if step == "3A-4J" else "raided") == game.turn:
        raise refuse(game, "raider-has-gone", number, unit=unit.id, at=unit.at)
    _verify_way(game, unit, order)
    alone = changed(unit, "aboard", None, "raids without its ship", rule) if unit.get("aboard") else []
    origin = changed(unit, "raid_from", unit.at, "origin", rule) if step == "3A-3B" and unit.at != POOL else []
    return [
        *named,
        *alone,
        *origin,
        *changed(unit, "raid", order.target or order.path[-1], "target", rule),
        *changed(unit, "raided", game.turn, "", rule),
        *(changed(unit, "way_back", game.turn, "", rule) if step == "3A-4J" else ()),
        *(changed(unit, "course", _course(unit, order), "", rule) if kind == "blockade" else ()),
        *travelled(game, (unit,), order.path, f"{kind} raid", rule),
    ]


def _course(unit: Unit, order: Raid) -> tuple[str, ...]:
    """Return the hexes of a runner's path, with the hex in which it starts."""
    return order.path if unit.at == POOL else (unit.at, *order.path)


SPECIAL = ("drone", "fighter", "pf")
"""Traits of units that can make a special raid (320.31)."""


def _verify_raider(game: Game, unit: Unit, kind: str, *, started: bool) -> None:
    if kind != "special" and not started and unit.at != POOL:
        raise refuse(game, "raider-not-in-pool", unit=unit.id)
    if is_crippled(unit):
        raise refuse(game, "raider-crippled", unit=unit.id)
    if not started and unit.get("raided") == game.turn:
        raise refuse(game, "raider-has-raided", unit=unit.id)
    if has(unit, "decoy") or has(unit, "leader") or unit.get("mothballed") is True:
        raise refuse(game, "not-a-raider", unit=unit.id)
    if step_open(game) == "3A-3A" and (is_base(unit) or not any(has(unit, trait) for trait in SPECIAL)):
        raise refuse(game, "no-special-weapons", "320.31", unit=unit.id, traits=SPECIAL)


def _verify_way(game: Game, unit: Unit, order: Raid) -> None:
    """Check a raider's path, hex by hex; a raider from the pool may begin at any hex."""
    whole = _course(unit, order)
    gap = next((f"{a} to {b}" for a, b in pairwise(whole) if distance(a, b) > 1), "")
    if gap:
        raise refuse(game, "raid-path-gap", gap=gap)
    _verify_at_war(game, unit, order.target or whole[-1])
    if unit.get("raid_kind") != "blockade":
        _verify_not_own(game, unit.side, order.target or whole[-1])
    if order.target and not has(unit, "drone"):
        raise refuse(game, "no-drones-to-aim", "320.311", unit=unit.id)


def _verify_at_war(game: Game, unit: Unit, place: str) -> None:
    """Check that a side with units in the raided hex, if any, is at war with the raider's side.

    Raises:
        RuleViolation: No side there is at war with it.
    """
    foes = enemies(game, unit.side)
    there = {one.side for one in at_hex(game, place)} - {unit.side}
    if unit.get("raid_kind") != "blockade" and there and there.isdisjoint(foes):
        names = " and ".join(game.side_name(side) for side in sorted(there))
        raise refuse(game, "not-at-war", side_is=game.side_does(unit.side, "is"), empires=names, place=place)


def _verify_not_own(game: Game, side: str, place: str) -> None:
    """Check that a raid is not on a hex of its own side.

    Raises:
        RuleViolation: A capital or units of the raider's side are there, and no enemy.
    """
    foes = enemies(game, side)
    there = [one for one in at_hex(game, place) if not one.get("raid_kind")]
    capitals = {printed_of(game, empire, "capital") for empire in empires_of(game, side)}
    if (place in capitals or any(one.side == side for one in there)) and all(one.side not in foes for one in there):
        number = "320.311" if kind_of_raid(game) == "special" else "314.21"
        raise refuse(game, "raid-on-own-hex", number, place=place)


def special_stays(game: Game, _: str) -> bool:
    """Check whether a special raider was designated and has not gone to its hex."""
    return bool(specials_to_move(game, ""))


def specials_to_move(game: Game, _: str) -> tuple[Unit, ...]:
    """Return the special raiders that were designated, on the map or in the pool, and have not gone to their hexes."""
    side = phasing(game)
    named = (unit for unit in living(game) if unit.side == side and unit.get("raid_kind") == "special")
    return tuple(unit for unit in named if unit.get("raided") != game.turn)


def drones_unpaid(game: Game, _: str) -> tuple[Unit, ...]:
    """Return the drone raiders that are not paid for, of empires that can pay."""
    drones = (unit for unit in raiders(game, "special") if has(unit, "drone") and not unit.get("raid_paid"))
    return tuple(
        unit for unit in drones if game.accounts.get(f"{empire_of(unit)}/EP", 0) >= (raid_cost(game, unit) or 0)
    )


def raid_cost(game: Game, unit: Unit) -> int | None:
    """Return the cost of a unit's drone raid: its own, or else the scenario's; None if neither sets one."""
    own = unit.get("raid_cost")
    return own if isinstance(own, int) else listed_price(game, "drone raid")


def drones_cost(game: Game, _: str) -> bool:
    """Check whether a drone raider is not paid for."""
    return bool(drones_unpaid(game, ""))


def decide_pay_raid(game: Game, order: PayRaid, _: Dice) -> list[Result]:
    """Pay for the drone raid of a unit.

    Raises:
        RuleViolation: The unit is not a drone raider, or is already paid for; the price is not the scenario's; or the
            treasury has less.
    """
    unit = own_unit(game, order, order.unit)
    if unit not in raiders(game, "special") or not has(unit, "drone") or unit.get("raid_paid"):
        waiting = ", ".join(one.id for one in drones_unpaid(game, "")) or "none"
        raise refuse(
            game,
            "not-to-be-paid-for",
            "320.32",
            unit=unit.id,
            state="already paid for" if unit.get("raid_paid") else "not a drone raider",
            units=waiting,
        )
    cost = raid_cost(game, unit)
    if cost is not None and order.ep != cost:
        raise refuse(game, "drone-raid-price", "320.32", unit=unit.id, limit=cost)
    rule, cause = rule_of(game), f"drone raid of {unit.id}"
    return [
        *changed(unit, "raid_paid", True, cause, rule),
        *spent(game, empire_of(unit), order.ep, cause, rule),
    ]


def runners_to_move(game: Game, _: str) -> tuple[Unit, ...]:
    """Return the blockade runners that were designated and are still in the pool (3A-4C)."""
    side = phasing(game)
    named = (unit for unit in living(game) if unit.side == side and unit.get("raid_kind") == "blockade")
    return tuple(unit for unit in named if unit.at == POOL and unit.get("raided") != game.turn)


def runner_stays(game: Game, _: str) -> bool:
    """Check whether a blockade runner was designated and has not gone to its target hex."""
    return bool(runners_to_move(game, ""))


def raids_are_out(game: Game, _: str) -> bool:
    return bool(raiders(game, "normal"))


def specials_are_out(game: Game, _: str) -> bool:
    return bool(raiders(game, "special"))


def runners_are_out(game: Game, _: str) -> bool:
    return bool(raiders(game, "blockade"))


def struck(unit: Unit) -> str:
    """Return the hex that a special raider attacks: drones may be aimed at another hex than their own (320.311)."""
    return str(unit.get("raid") or unit.at)


def hexes_of_raid(unit: Unit) -> tuple[str, ...]:
    """Return the hexes in which a raider is met: its own and, in a special raid, the hex it strikes (320.35)."""
    return tuple(dict.fromkeys((unit.at, struck(unit)))) if unit.get("raid_kind") == "special" else (unit.at,)


def targets(game: Game) -> tuple[str, ...]:
    """Return the hexes raided by the open step's kind of raid; in 3A-3E those that are struck."""
    strike = step_open(game) == "3A-3E"
    out = raiders(game, kind_of_raid(game))
    return tuple(dict.fromkeys(at for unit in out for at in ((struck(unit),) if strike else hexes_of_raid(unit))))


STAND = ("disrupted ", "alternate attack ", "espionage ")
"""Prefixes of the markers that keep the turn of each effect that 3A-2H records for a hex."""


def forget_old_raids(game: Game) -> list[Result]:
    """Clear the effects of an earlier turn's raids when every side has had a Phase 1 since (3A-1A) [reading]."""
    if phasing(game) != turn_order(game)[-1]:
        return []
    told = sorted(one for one in game.markers if one.startswith(STAND) and 0 < game.number(one) < game.turn)
    return [event for one in told for event in marked(game, one, None, "it is over", rule_of(game, "314.27"))]


OF_RAIDERS = ("raid_kind", "raid_from", "raid_paid", "course", "way_back", "outcome", "tried", "answered")

OF_RAIDS = ("answer ", "fights ", "fought ", "intercept", "rebellion ", "sabotage ", "infiltration ", "stations now")


def clear_answers(game: Game) -> list[Result]:
    """Clear the answers and fights of the last kind of raid before the next one is answered."""
    return _forgotten(game, OF_RAIDS[:4])


def end_raids(game: Game) -> list[Result]:
    """Clear all notes of the raids except their effects (3B1); stations are no longer new."""
    rule = rule_of(game)
    noted = units_where(game, lambda unit: any(unit.get(name) is not None for name in OF_RAIDERS))
    unused = units_where(game, lambda unit: unit.get("raid_kind") == "blockade")
    ashore = _all_unloaded(game, unused, rule)
    over = [
        event for unit in noted for name in OF_RAIDERS for event in changed(unit, name, None, "raids are over", rule)
    ]
    return [*_forgotten(game, OF_RAIDS), *marked(game, "stations", None, "", rule), *ashore, *over]


def unload_the_rest(game: Game) -> list[Result]:
    """Pay the EPs aboard runners that did not leave the pool back to their empires (3A-5B)."""
    unused = units_where(game, lambda unit: unit.get("raid_kind") == "blockade" and unit.at == POOL)
    return _all_unloaded(game, unused, rule_of(game))


def _all_unloaded(game: Game, runners: Iterable[Unit], rule: str) -> list[Result]:
    """Unload the runners one after the other, since several may pay into the same account."""
    results: list[Result] = []
    for unit in runners:
        results += unloaded(after(game, results), unit, rule)
    return results


def unloaded(game: Game, unit: Unit, rule: str) -> list[Result]:
    """Return the events that pay the EPs aboard a runner back to its empire."""
    return [
        *changed(unit, "cargo_ep", None, "back", rule),
        *paid(game, f"{empire_of(unit)}/EP", unit.number("cargo_ep"), f"cargo of {unit.id}", rule),
    ]


def _forgotten(game: Game, kinds: tuple[str, ...]) -> list[Result]:
    old = sorted(marker for marker in game.markers if marker.startswith(kinds))
    return [event for marker in old for event in marked(game, marker, None, "", rule_of(game))]


RETREATS = ("3A-2F", "3A-4F", "3A-4M")
"""Steps in which only raiders that are crippled or forced to retreat go back."""


def _back_by(step: str) -> str:
    """Return the rule by which raiders return in a step."""
    return "314.244" if step in RETREATS else "314.273"


def decide_recall(game: Game, order: Recall, _: Dice) -> list[Result]:
    """Return a raider to the pool, or to a supply point; EPs aboard a runner go back to its empire.

    Raises:
        RuleViolation: The raider is not out; in 3A-2F, 3A-4F and 3A-4M it is neither crippled nor forced to retreat; a
            raider of the pool has a path; or a raider of the map has none, or one with a gap.
    """
    unit, step, rule = own_unit(game, order, order.unit), step_open(game), rule_of(game)
    if not unit.get("raid_kind") or unit.at == POOL or unit.get("raid_kind") != kind_of_raid(game):
        raise refuse(game, "not-out-raiding", _back_by(step), unit=unit.id)
    ways = {"3A-4F": "in", "3A-4M": "out"}
    hurt = unit in tuple(caught_now(ways[step])(game, "")) if step in ways else bool(unit.get("outcome"))
    if step in RETREATS and not hurt:
        raise refuse(game, "goes-on-with-mission", "314.244", unit=unit.id)
    told = ("raid_kind", "raid", "raid_from", "raid_paid", "course", "way_back", "outcome", "tried")
    return [
        *(event for name in told for event in changed(unit, name, None, "back", rule)),
        *unloaded(game, unit, rule),
        *travelled(game, (unit,), _way_back(game, unit, order), "back", rule),
    ]


def _way_back(game: Game, unit: Unit, order: Recall) -> tuple[str, ...]:
    """Return the way to the pool; for a raider from the map, the path to a hex without an enemy (320.36)."""
    if unit.get("raid_kind") != "special" or unit.get("raid_from") is None:
        if order.path:
            raise refuse(game, "returns-to-pool", _back_by(step_open(game)), unit=unit.id)
        return (POOL,)
    if not order.path:
        raise refuse(game, "not-from-pool", "320.36", unit=unit.id, place=unit.get("raid_from"))
    end = order.path[-1]
    if any(one.side in enemies(game, unit.side) for one in at_hex(game, end)):
        raise refuse(game, "enemy-at-supply-point", "320.36", place=end)
    verify_supply_point(game, (unit,), end, "320.36")
    verify_together(game, (unit,), order.path)
    return order.path


def out(kind: str) -> Concerned:
    """Return a function for the raiders of a kind that are out."""
    return lambda game, _: raiders(game, kind)


def going_back(kind: str) -> Concerned:
    """Return a function for the raiders of a kind that are crippled or must retreat."""
    return lambda game, _: (unit for unit in raiders(game, kind) if unit.get("outcome"))


def caught_now(way: str) -> Concerned:
    """Return a function for the runners that were caught and hurt on their way in, or out, in this turn."""
    return lambda game, _: (
        unit
        for unit in raiders(game, "blockade")
        if unit.get("outcome") and unit.get("caught") == f"{way} in turn {game.turn}"
    )


def hurt_on(way: str) -> Asks:
    """Return a fact: a runner that was caught on that way is crippled or must retreat."""
    return lambda game, side: any(caught_now(way)(game, side))


def must_go_back(kind: str) -> Asks:
    """Return a fact: a raider of that kind is out and is crippled or must retreat."""
    return lambda game, _: any(unit.get("outcome") for unit in raiders(game, kind))
