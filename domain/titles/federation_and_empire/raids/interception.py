"""Decide steps 3 and 4 of Phase 3A: interception of special raids, blockade runs and their one attempt in or out.

[reading] The one attempt is for each runner, not for all together.
"""

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    POOL,
    Pips,
    at_hex,
    empire_of,
    enemies,
    has,
    is_base,
    is_crippled,
    is_ship,
    living,
    own_unit,
    own_units,
    phasing,
    refuse,
    rule_of,
    try_for,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.sheets import Points
from umpire_ledger.domain.titles.federation_and_empire.house_values import SHIPS_AS_CARGO
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import Hex, is_hex
from umpire_ledger.domain.titles.federation_and_empire.raids.raids import hexes_of_raid, raiders
from umpire_ledger.kit import (
    Asks,
    Closes,
    Dice,
    Game,
    Name,
    Order,
    Result,
    TableRoll,
    Unit,
    UnitName,
    UnitOrNone,
    changed,
    marked,
    names_in,
    number_of,
    paid,
    step_open,
    word_in,
)


class InterceptAt(Order, frozen=True, kw_only=True, tag="intercept-at"):
    """Name the hex in which drone raiders will be intercepted, or the units that intercept them."""

    at: Hex
    units: tuple[UnitName, ...] = ()


class RollIntercept(TableRoll, frozen=True, kw_only=True, tag="roll-intercept"):
    """Roll for the interception of drone raiders (those met `at` a hex), or of the named blockade runner."""

    at_least: Pips | None = None
    runner: UnitOrNone = ""
    units: tuple[UnitName, ...] = ()
    at: str = ""


class Load(Order, frozen=True, kw_only=True, tag="load"):
    """Load cargo or EPs aboard a blockade runner; name none to unload it."""

    unit: UnitName
    cargo: tuple[Name, ...] = ()
    ep: Points = 0


class Stay(Order, frozen=True, kw_only=True, tag="stay-there"):
    """End a blockade runner's movement in the target hex; it leaves the Raid Pool."""

    unit: UnitName


def forget_interception(game: Game) -> list[Result]:
    """Clear the hexes, groups and rolls of earlier interceptions (3A-3F)."""
    old = (name for name in sorted(game.markers) if name.startswith(("interception", "intercept group", "intercepted")))
    return [event for name in old for event in marked(game, name, None)]


def decide_intercept_at(game: Game, order: InterceptAt, _: Dice) -> list[Result]:
    """Name a hex of interception in 3A-3F, or the group for it in 3A-3G.

    Raises:
        RuleViolation: The hex has no drone raiders or no ship of the side, or its raiders are met in another hex; in
            3A-3G the hex was not named, or was rolled for; or a unit is in another hex.
    """
    _verify_interceptors(game, order, order.units, order.at)
    named, group = names_in(game, "interception"), f"intercept group {order.at}"
    if step_open(game) == "3A-3F":
        _verify_hex(game, order, named)
    elif order.at not in named or word_in(game, f"intercepted {order.at}"):
        raise refuse(
            game,
            "hex-not-open",
            "320.351",
            at=order.at,
            state="rolled for" if order.at in named else "not named",
            hexes=", ".join(_open_hexes(game)) or "none",
        )
    rule = rule_of(game)
    return [
        *marked(game, "interception", (*named, order.at) if order.at not in named else named, "", rule),
        *marked(game, group, order.units or None, "", rule),
    ]


def _verify_hex(game: Game, order: InterceptAt, named: tuple[str, ...]) -> None:
    drones = [unit for unit in raiders(game, "special") if has(unit, "drone")]
    free = [unit for unit in drones if not set(hexes_of_raid(unit)) & set(named) - {order.at}]
    on_the_way = {place for unit in free for place in hexes_of_raid(unit)}
    if drones and not free:
        raise refuse(game, "intercepts-stated", "320.35", hexes=named)
    if order.at not in on_the_way:
        known = ", ".join(sorted(on_the_way)) or "none"
        raise refuse(game, "no-drone-raider", "320.35", at=order.at, hexes=known)
    side = game.side_of(order.seat)
    guarded = sorted(at for at in on_the_way if any(can_intercept(unit) for unit in at_hex(game, at, side)))
    if order.at not in guarded:
        raise refuse(
            game, "no-interceptor-there" if guarded else "no-interceptor", "320.35", at=order.at, hexes=guarded
        )


def _open_hexes(game: Game) -> tuple[str, ...]:
    """Return the hexes of interception that have not been rolled for."""
    return tuple(at for at in names_in(game, "interception") if not word_in(game, f"intercepted {at}"))


def decide_roll_intercept(game: Game, order: RollIntercept, dice: Dice) -> list[Result]:
    """Roll for a group against drone raiders, or make the one attempt on a runner, on its way in or out.

    Raises:
        RuleViolation: There is no such runner, or an attempt on it was already made; the interceptors are not on its
            way; or, in 3A-3G, `_roll_for_drones` refuses the roll.
    """
    _verify_interceptors(game, order, order.units)
    if step_open(game) == "3A-3G":
        return _roll_for_drones(game, order, dice)
    runner = game.units.get(order.runner)
    if (
        runner is None
        or runner not in raiders(game, "blockade")
        or runner.side not in enemies(game, game.side_of(order.seat))
    ):
        out = ", ".join(unit.id for unit in raiders(game, "blockade")) or "none"
        number = "320.5" if step_open(game) == "3A-4D" else "320.54"
        raise refuse(game, "not-a-blockade-runner", number, runner=order.runner or "nothing", runners=out)
    if runner.get("tried"):
        raise refuse(game, "runner-tried-already", "320.54", runner=runner.id, way=runner.get("tried"))
    _verify_on_the_way(game, order, runner)
    way = "in" if step_open(game) == "3A-4D" else "out"
    about = (runner.id, *order.units)
    tried = try_for(game, dice, order, "blockade-intercept", order.at_least, f"interception of {runner.id}", about)
    if tried.row is None:
        return list(tried.told)
    caught = f"{way} in turn {game.turn}" if tried.row == "success" else None
    rule = rule_of(game)
    group = order.units or tuple(one.id for one in _ready_at(game, runner.at, game.side_of(order.seat)))
    met = marked(game, f"intercepts {runner.id}", group, "", rule) if caught else []
    noted = [*changed(runner, "tried", way, tried.said, rule), *changed(runner, "caught", caught, "", rule)]
    return [*tried.told, *noted, *met]


def _verify_on_the_way(game: Game, order: RollIntercept, runner: Unit) -> None:
    """Check that the interceptors are in one hex of the runner's way.

    Raises:
        RuleViolation: An interceptor is in another hex, or the side has no ship that could intercept.
    """
    course, side = runner.names("course") or (runner.at,), game.side_of(order.seat)
    if not order.units and not _ready_at(game, runner.at, side):
        raise refuse(game, "no-ship-on-course", at=runner.at, runner=runner.id, course=course)
    places = sorted({unit.at for unit in own_units(game, order, order.units)})
    if len(places) > 1:
        raise refuse(game, "interceptors-in-several-hexes", places=" and ".join(places))
    away = next((unit for unit in own_units(game, order, order.units) if unit.at not in course), None)
    if away is not None:
        raise refuse(game, "unit-off-course", unit=away.id, at=away.at, runner=runner.id, course=course)


def _ready_at(game: Game, place: str, side: str) -> tuple[Unit, ...]:
    """Return the ships of a side in a hex that could intercept; they do if the order names no `units` [reading]."""
    return tuple(unit for unit in at_hex(game, place, side) if can_intercept(unit))


def can_intercept(unit: Unit) -> bool:
    """Check whether a unit is a ship in service on the map."""
    return is_ship(unit) and is_hex(unit.at) and unit.get("mothballed") is not True


def _verify_interceptors(game: Game, order: Order, units: tuple[str, ...], at: str = "") -> None:
    """Check that the named units can intercept.

    Raises:
        RuleViolation: A unit is another side's, is not a ship in service on the map, or is not in the hex `at`.
    """
    for unit in own_units(game, order, units):
        if not can_intercept(unit):
            raise refuse(game, "not-an-active-ship-on-map", unit=unit.id)
        if at and unit.at != at:
            number = "320.35" if step_open(game) == "3A-3F" else "320.351"
            raise refuse(game, "interceptors-elsewhere", number, unit=unit.id, at=unit.at, place=at)


def _roll_for_drones(game: Game, order: RollIntercept, dice: Dice) -> list[Result]:
    """Roll once for a group; the last group closes the step, with success if one succeeded.

    Raises:
        RuleViolation: A runner is named; the hex is not one of interception, or was rolled for; or the group is
            missing, or is another one.
    """
    if order.runner:
        raise refuse(game, "raiders-only", "320.35")
    waiting = _open_hexes(game)
    at = order.at or _hex_of(game, order, waiting)
    if at not in waiting:
        raise refuse(game, "no-group-waits", "320.352", place=at or "a hex", groups=waiting)
    group = names_in(game, f"intercept group {at}") or order.units
    if not group:
        raise refuse(game, "group-missing", "320.351")
    _verify_interceptors(game, order, order.units, at)
    if order.units and order.units != group:
        raise refuse(game, "other-group-intercepted", "320.351", group=group)
    tried = try_for(game, dice, order, "special-intercept", order.at_least, f"interception at {at}", group)
    if tried.row is None:
        return list(tried.told)
    said = "success" if tried.row == "success" else "failure"
    noted = [
        *marked(game, f"intercept group {at}", group, "", rule_of(game, "320.351")),
        *marked(game, f"intercepted {at}", said, "", rule_of(game, "320.352")),
    ]
    succeeded = said == "success" or any(
        word_in(game, f"intercepted {one}") == "success" for one in names_in(game, "interception")
    )
    more = any(_ships_at(game, one) for one in waiting if one != at)
    return [*noted, *tried.told, *(() if more else (Closes("success" if succeeded else "failure"),))]


def _hex_of(game: Game, order: RollIntercept, waiting: tuple[str, ...]) -> str:
    """Return the hex of the group that the order names, or the only hex left; "" if the order leaves it open."""
    mine = [at for at in waiting if order.units and names_in(game, f"intercept group {at}") == order.units]
    return mine[0] if mine else waiting[0] if len(waiting) == 1 else ""


def _ships_at(game: Game, at: str) -> bool:
    """Check whether an enemy of the raiders has a ship in a hex that could intercept."""
    foes = enemies(game, phasing(game))
    return any(one.side in foes and can_intercept(one) for one in at_hex(game, at))


def interception_named(game: Game, _: str) -> bool:
    """Check whether a hex of interception is named."""
    return game.markers.get("interception") is not None


def drones_out(game: Game, _: str) -> bool:
    """Check whether a drone raider is out: no other special raider can be intercepted (320.35)."""
    return any(has(unit, "drone") for unit in raiders(game, "special"))


def caught(way: str) -> Asks:
    """Return a fact: a runner was caught in this turn on its way in or out, even if it is back in the pool."""

    def asked(game: Game, _: str) -> bool:
        side, now = phasing(game), f"{way} in turn {game.turn}"
        return any(unit.side == side and unit.get("caught") == now for unit in living(game))

    return asked


def must_retreat(game: Game, _: str) -> bool:
    """Check whether a unit that reacted or intercepted must still retreat."""
    return bool(forced_back(game, ""))


def forced_back(game: Game, _: str) -> tuple[Unit, ...]:
    """Return the units that reacted or intercepted and are forced to retreat."""
    side = phasing(game)
    forced = (unit for unit in living(game) if unit.get("outcome") == "retreats" and is_hex(unit.at))
    return tuple(unit for unit in forced if unit.side != side)


def untried(game: Game, _: str) -> bool:
    """Check whether a runner without an attempt on it is out."""
    return any(not unit.get("tried") for unit in raiders(game, "blockade"))


def decide_load(game: Game, order: Load, _: Dice) -> list[Result]:
    """Load or unload a runner: EPs come from the treasury or the grid of the hex, or return to it.

    Raises:
        RuleViolation: The unit is not a runner; cargo is foreign; the treasury, the grid there or the hold is too
            small; or the runner is crippled.
    """
    unit, rule = own_unit(game, order, order.unit), rule_of(game)
    if unit.get("raid_kind") != "blockade":
        raise refuse(game, "not-designated-runner", unit=unit.id)
    foreign = next((name for name in order.cargo if name in game.units and not _may_carry(game, unit, name)), "")
    if foreign:
        raise refuse(game, "foreign-cargo", "320.52", cargo=foreign, unit=unit.id)
    aboard, empire = unit.number("cargo_ep"), empire_of(unit)
    held = game.accounts.get(f"{empire}/EP", 0)
    if unit.at == POOL and order.ep - aboard > held:
        raise refuse(game, "loads-too-much", "320.52", empire=empire, held=held, limit=held + aboard)
    account = f"{empire}/EP" if unit.at == POOL else f"{empire}/grid {unit.at}"
    room = unit.get("hold")
    if isinstance(room, int) and order.ep > room:
        raise refuse(game, "cargo-room-too-small", unit=unit.id, limit=room)
    there, allotted = game.accounts.get(account, 0), step_open(game) == "3A-4B"
    if unit.at != POOL and order.ep - aboard > there:
        raise refuse(
            game,
            "too-few-points-there",
            "320.52" if allotted else "320.512",
            held=there,
            empire=empire,
            at=unit.at,
            limit=there + aboard,
        )
    if unit.at != POOL and is_crippled(unit) and (order.ep or order.cargo):
        number = "320.52" if allotted else "320.54"
        raise refuse(game, "cargo-lost", number, unit=unit.id)
    return [
        *changed(unit, "cargo", order.cargo or None, "cargo", rule),
        *_loaded(game, unit, order.cargo, rule),
        *changed(unit, "cargo_ep", order.ep or None, "cargo", rule),
        *paid(game, account, aboard - order.ep, f"cargo of {unit.id}", rule),
        *(changed(unit, "unloaded", game.turn, "cargo", rule) if step_open(game) == "3A-4H" else ()),
    ]


def _loaded(game: Game, runner: Unit, cargo: tuple[str, ...], rule: str) -> list[Result]:
    """Return the events that put units of the cargo aboard their runner, and unloaded ones ashore."""
    before = [game.units[name] for name in runner.names("cargo") if name in game.units]
    off = [unit for unit in before if unit.id not in cargo and unit.get("aboard") == runner.id]
    on = [game.units[name] for name in cargo if name in game.units]
    return [
        *(event for unit in off for event in changed(unit, "aboard", None, "unloaded", rule)),
        *(event for unit in on for event in changed(unit, "aboard", runner.id, "cargo", rule)),
    ]


def _may_carry(game: Game, runner: Unit, name: str) -> bool:
    """Check whether a unit may be cargo: in play, with the runner, of its side, aboard no other ship, and not a base.

    [reading] A ship is cargo only with `ships-as-cargo`; PFs and fighters always may be.
    """
    unit = game.units[name]
    own = not unit.fate and unit.side == runner.side and unit.at == runner.at and unit.id != runner.id
    small = not is_ship(unit) or has(unit, "pf") or has(unit, "fighter") or number_of(game, SHIPS_AS_CARGO) > 0
    return own and small and not is_base(unit) and unit.get("aboard") in (None, runner.id)


def decide_stay(game: Game, order: Stay, _: Dice) -> list[Result]:
    """End a runner's raid in its target hex; EPs aboard go to the grid there.

    Raises:
        RuleViolation: The unit is not a runner at its target, or has loaded or unloaded there in this turn.
    """
    unit, rule = own_unit(game, order, order.unit), rule_of(game, "320.11")
    if unit not in raiders(game, "blockade"):
        raise refuse(game, "runner-not-at-target", "320.514", unit=unit.id)
    if unit.get("unloaded") == game.turn:
        raise refuse(game, "cargo-handled-already", "320.514", unit=unit.id)
    aboard, grid = unit.number("cargo_ep"), f"{empire_of(unit)}/grid {unit.at}"
    told = ("raid_kind", "raid", "course", "outcome", "tried", "cargo_ep")
    return [
        *(event for name in told for event in changed(unit, name, None, "stays", rule)),
        *paid(game, grid, aboard, f"cargo of {unit.id}", rule),
    ]
