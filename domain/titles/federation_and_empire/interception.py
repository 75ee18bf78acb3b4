"""Phase 3A, steps 3 and 4: interception of special raids, blockade runs and their one attempt in or out.

[reading] The one attempt is for each runner, not for all together.
"""

from umpire_ledger.domain.titles.federation_and_empire.economy import Points
from umpire_ledger.domain.titles.federation_and_empire.empires import (
    POOL,
    Pips,
    empire_of,
    enemies,
    has,
    is_base,
    is_crippled,
    living,
    own_unit,
    own_units,
    phasing,
    refuse,
    rule_of,
    try_for,
)
from umpire_ledger.domain.titles.federation_and_empire.hexes import Hex, is_hex
from umpire_ledger.domain.titles.federation_and_empire.raids import raiders
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
    paid,
    step_open,
    word_in,
)


class InterceptAt(Order, frozen=True, kw_only=True, tag="intercept-at"):
    """Name the hex in which drone raiders will be intercepted, or the units that do it."""

    at: Hex
    units: tuple[UnitName, ...] = ()


class RollIntercept(TableRoll, frozen=True, kw_only=True, tag="roll-intercept"):
    """Roll whether raiders, or the blockade runner that is named, are intercepted."""

    at_least: Pips | None = None
    runner: UnitOrNone = ""
    units: tuple[UnitName, ...] = ()


class Load(Order, frozen=True, kw_only=True, tag="load"):
    """A blockade runner takes cargo or EPs aboard, or unloads them (nothing named)."""

    unit: UnitName
    cargo: tuple[Name, ...] = ()
    ep: Points = 0


class Stay(Order, frozen=True, kw_only=True, tag="stay-there"):
    """A blockade runner ends its movement in the target hex and leaves the Raid Pool."""

    unit: UnitName


def forget_interception(game: Game) -> list[Result]:
    """3A-3F: no hex of interception is named, no group chosen."""
    return [*marked(game, "interception", None), *marked(game, "intercept group", None)]


def decide_intercept_at(game: Game, order: InterceptAt, _: Dice) -> list[Result]:
    """The hex is named in 3A-3F, the group in 3A-3G. Raises RuleViolation for a hex without drone raiders."""
    _verify_interceptors(game, order, order.units)
    drones = [unit for unit in raiders(game, "special") if has(unit, "drone")]
    on_the_way = {place for unit in drones for place in (unit.at, str(unit.get("raid")))}
    if order.at not in on_the_way:
        known = ", ".join(sorted(on_the_way)) or "none"
        raise refuse(game, f"no drone raider is at {order.at}", f"name one of: {known}", "320.35")
    rule = rule_of(game)
    return [
        *marked(game, "interception", order.at, "", rule),
        *marked(game, "intercept group", order.units or None, "", rule),
    ]


def decide_roll_intercept(game: Game, order: RollIntercept, dice: Dice) -> list[Result]:
    """Special raids: one roll closes the step with success or failure. Runners: one attempt on each, in or out.

    Raises RuleViolation: no such runner, or none is meant here; an attempt on it was made already.
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
        raise refuse(game, f"{order.runner or 'nothing'} is no blockade runner", f"name one of: {out}", "320.5")
    if runner.get("tried"):
        what = f"an attempt on {runner.id} was made on its way {runner.get('tried')}: one a run"
        raise refuse(game, what, "name a runner that was not tried, or `done`", "320.54")
    way = "in" if step_open(game) == "3A-4D" else "out"
    about = (runner.id, *order.units)
    tried = try_for(game, dice, order, "blockade-intercept", order.at_least, f"interception of {runner.id}", about)
    if tried.row is None:
        return list(tried.told)
    caught = f"{way} in turn {game.turn}" if tried.row == "success" else None
    rule = rule_of(game)
    met = marked(game, f"intercepts {runner.id}", order.units, "", rule) if caught and order.units else []
    noted = [*changed(runner, "tried", way, tried.said, rule), *changed(runner, "caught", caught, "", rule)]
    return [*tried.told, *noted, *met]


def _verify_interceptors(game: Game, order: Order, units: tuple[str, ...]) -> None:
    """Raises RuleViolation for another side's unit, a base, or one that is not on the map."""
    for unit in own_units(game, order, units):
        if is_base(unit) or not is_hex(unit.at):
            raise refuse(game, f"{unit.id} is no ship on the map", "name ships on the map")


def _roll_for_drones(game: Game, order: RollIntercept, dice: Dice) -> list[Result]:
    """One roll of the group that was named, or that the order names."""
    if order.runner:
        raise refuse(game, "special raiders are intercepted here, no runner", "leave `runner` out", "320.35")
    group = names_in(game, "intercept group") or order.units
    if not group:
        raise refuse(game, "no group is named", "name its `units`", "320.351")
    if order.units and order.units != group:
        raise refuse(
            game, f"the group is {', '.join(group)}", "roll for it, or name another by `intercept-at`", "320.351"
        )
    at = word_in(game, "interception")
    tried = try_for(game, dice, order, "special-intercept", order.at_least, f"interception at {at}", group)
    if tried.row is None:
        return list(tried.told)
    noted = marked(game, "intercept group", group, "", rule_of(game, "320.351"))
    return [*noted, *tried.told, Closes("success" if tried.row == "success" else "failure")]


def interception_named(game: Game, _: str) -> bool:
    """Whether a hex of interception is named."""
    return game.markers.get("interception") is not None


def drones_out(game: Game, _: str) -> bool:
    """Whether a drone raider is out: it alone can be intercepted (320.35)."""
    return any(has(unit, "drone") for unit in raiders(game, "special"))


def caught(way: str) -> Asks:
    """A fact: a runner was caught in this turn on its way in or out, even if it is back in the pool."""

    def asked(game: Game, _: str) -> bool:
        side, now = phasing(game), f"{way} in turn {game.turn}"
        return any(unit.side == side and unit.get("caught") == now for unit in living(game))

    return asked


def must_retreat(game: Game, _: str) -> bool:
    """Whether a unit that reacted or intercepted is forced to retreat and has not."""
    return bool(forced_back(game, ""))


def forced_back(game: Game, _: str) -> tuple[Unit, ...]:
    """The units that reacted or intercepted and are forced to retreat."""
    side = phasing(game)
    forced = (unit for unit in living(game) if unit.get("outcome") == "retreats" and is_hex(unit.at))
    return tuple(unit for unit in forced if unit.side != side)


def untried(game: Game, _: str) -> bool:
    """Whether a runner is out on which no attempt was made."""
    return any(not unit.get("tried") for unit in raiders(game, "blockade"))


def decide_load(game: Game, order: Load, _: Dice) -> list[Result]:
    """EPs aboard leave the treasury, EPs unloaded go to the grid of the place.

    Raises RuleViolation: no runner; more than the treasury, the grid there or the hold has; a crippled runner.
    """
    unit, rule = own_unit(game, order, order.unit), rule_of(game)
    if unit.get("raid_kind") != "blockade":
        raise refuse(game, f"{unit.id} is no blockade runner", "designate it in 3A-4A", "320.52")
    aboard, empire = unit.number("cargo_ep"), empire_of(unit)
    held = game.accounts.get(f"{empire}/EP", 0)
    if unit.at == POOL and order.ep - aboard > held:
        raise refuse(game, f"{empire} holds {held} EP", f"load at most {held + aboard}", "320.52")
    account = f"{empire}/EP" if unit.at == POOL else f"{empire}/grid {unit.at}"
    room = unit.get("hold")
    if isinstance(room, int) and order.ep > room:
        raise refuse(game, f"{unit.id} has room for {room} EP", f"load at most {room}", "320.52")
    there = game.accounts.get(account, 0)
    if unit.at != POOL and order.ep - aboard > there:
        what = f"there are {there} EP of {empire} at {unit.at}"
        raise refuse(game, what, f"have at most {there + aboard} aboard", "320.512")
    if unit.at != POOL and is_crippled(unit) and (order.ep or order.cargo):
        raise refuse(game, f"{unit.id} is crippled: its EPs are lost", "`done`, or let it stay", "320.54")
    return [
        *changed(unit, "cargo", order.cargo or None, "cargo", rule),
        *changed(unit, "cargo_ep", order.ep or None, "cargo", rule),
        *paid(game, account, aboard - order.ep, f"cargo of {unit.id}", rule),
        *(changed(unit, "unloaded", game.turn, "cargo", rule) if step_open(game) == "3A-4H" else ()),
    ]


def decide_stay(game: Game, order: Stay, _: Dice) -> list[Result]:
    """Cargo or staying, not both. Raises RuleViolation: no runner at its target; cargo was dropped or taken."""
    unit, rule = own_unit(game, order, order.unit), rule_of(game, "320.11")
    if unit not in raiders(game, "blockade"):
        raise refuse(game, f"{unit.id} is no blockade runner at its target", "name one that is", "320.514")
    if unit.get("unloaded") == game.turn:
        raise refuse(game, f"{unit.id} has handled cargo here", "it goes back to the Raid Pool", "320.514")
    return [
        event
        for name in ("raid_kind", "raid", "outcome", "tried")
        for event in changed(unit, name, None, "stays", rule)
    ]
