"""Bring in and restore forces (5.1.J to 5.1.N): reinforcements, repairs, replacements, engineering, patrols."""

from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.pacific_war import house_values
from umpire_ledger.domain.titles.pacific_war.command import Points, strategic
from umpire_ledger.domain.titles.pacific_war.pieces import (
    ALLIES,
    TO_COME,
    arm,
    coming,
    enemies_before,
    entry,
    has,
    of_arm,
    of_month,
    off_map,
    own_of_arm,
    own_unit,
    refuse,
    verify_on_map,
)
from umpire_ledger.kit import (
    Dice,
    Game,
    Name,
    Order,
    PlaceName,
    Reason,
    Result,
    Unit,
    UnitMoved,
    UnitName,
    UnitOrNone,
    UnitPlaced,
    Value,
    after,
    changed,
    names_in,
    number_of,
    paid,
    removed,
)

ENTRY, ALLOCATION, LINKS = "5.1.J [14.0]", "5.1.J [14.1 & 14.2]", "5.1.J [11.7]"
REPAIR, REPLACEMENT, BASES, OSB, PATROLS = (
    "5.1.K [15.0]",
    "5.1.L [16.0]",
    "5.1.M [17.0]",
    "5.1.M [11.3.1 & 17.0]",
    "5.1.N [25.0]",
)
ANTI_SHIPPING = "anti-shipping"
OSB_KIND = "offensive-support-base"
SUBMARINES_STAY = "submarines_stay"
"""The option that submarine points stay allocated from month to month."""


class Reinforce(Order, frozen=True, kw_only=True, tag="reinforce"):
    """Bring a unit in at a place, in its month. `source`: the rule for any other place than the known ones."""

    unit: UnitName
    at: PlaceName
    source: str = ""


class AllocateSubmarines(Order, frozen=True, kw_only=True, tag="allocate-submarines"):
    """Give submarine points to a submarine Command, or (Allies) to `anti-shipping`, for the next month.

    `source`: the Command or `anti-shipping` that loses them; if left out, points not yet allocated.
    """

    to: Name
    points: Points
    source: Name = "hand"


class BuildCommand(Order, frozen=True, kw_only=True, tag="build-submarine-command"):
    """Build a submarine Command at a linked port. `headquarters`: the one that pays the cost, if there is a cost.

    `cost`: Command Points; if left out, the scenario's cost. Another number needs its `source`.
    """

    unit: Name
    port: UnitName
    headquarters: UnitOrNone = ""
    cost: Annotated[int, msgspec.Meta(ge=0, le=999)] | None = None
    source: str = ""


class PayLink(Order, frozen=True, kw_only=True, tag="pay-link"):
    """Pay the maintenance of an Emergency Command Link from a headquarters; a link that is not kept is removed."""

    link: UnitName
    headquarters: UnitName


class RepairShip(Order, frozen=True, kw_only=True, tag="repair-ship"):
    """Remove one hit from a ship in a Dry Dock port or a holding box: once per ship and phase."""

    unit: UnitName


class ReplaceSteps(Order, frozen=True, kw_only=True, tag="replace-steps"):
    """Introduce available steps into an air or ground unit, up to its full strength."""

    unit: UnitName
    steps: Annotated[int, msgspec.Meta(ge=1, le=99)]


class RepairBase(Order, frozen=True, kw_only=True, tag="repair-base"):
    """Remove damage from a linked base: a hit by engineering, or all hits and interdiction by airbase repair."""

    unit: UnitName


class PlaceOsb(Order, frozen=True, kw_only=True, tag="place-osb"):
    """Put an unplaced Offensive Support Base of the side on the map."""

    unit: Name
    at: PlaceName


class PlacePatrol(Order, frozen=True, kw_only=True, tag="place-patrol"):
    """Put a Submarine Patrol on the map, mark its submarines and pay a headquarters' points to activate it."""

    unit: Name
    at: PlaceName
    submarines: Annotated[int, msgspec.Meta(ge=1, le=99)]
    headquarters: UnitName


# --- J: reinforcements ------------------------------------------------------------------------------------------------


def open_reinforcements(game: Game) -> list[Result]:
    """Add the month's points and steps, and mark every Emergency Command Link as unpaid."""
    results: list[Result] = [] if game.options.get(SUBMARINES_STAY, True) else _back_in_hand(game)
    for side in game.side_ids:
        row = of_month(game, f"reinforcements/{side}")
        accounts = {
            f"submarines/{side}": entry(row, "submarines"),
            f"steps/{side}/air": entry(row, "air"),
            f"steps/{side}/ground": entry(row, "ground"),
        }
        if strategic(game, ""):
            what = "bombing" if side == ALLIES else "merchant"
            accounts[what] = entry(row, what)
        for account, amount in accounts.items():
            results += paid(after(game, results), account, amount, "reinforcement", ENTRY)
    return [*results, *(one for link in of_arm(game, "link") for one in changed(link, "paid", False, rule=LINKS))]


def _back_in_hand(game: Game) -> list[Result]:
    """Return all submarine points to the sides, which allocate them again each month."""
    commands = of_arm(game, "submarine-command")
    allocated = {f"submarines/{one.id}": one.side for one in commands} | {ANTI_SHIPPING: ALLIES}
    results: list[Result] = []
    for account, side in allocated.items():
        points = has(game, account)
        results += paid(game, account, -points, "back in hand", ALLOCATION)
        results += paid(after(game, results), f"submarines/{side}", points, "back in hand", ALLOCATION)
    return results


def waiting_to_come(game: Game, side: str) -> tuple[Unit, ...]:
    """Return the units of a side that may enter because their month has come."""
    month = game.number("month")
    return tuple(one for one in game.in_play(side) if one.at == TO_COME and one.number("arrives") <= month)


def decide_reinforce(game: Game, order: Reinforce, _: Dice) -> list[Result]:
    """Place a unit on the map, at one of its entry ports if the scenario names them.

    Raises:
        RuleViolation: The unit is on the map, its month has not come, or without a source the place is not one of its
            entry ports or contains enemies.
    """
    unit = own_unit(game, order.seat, order.unit, ENTRY)
    if unit not in waiting_to_come(game, unit.side):
        ready = ", ".join(one.id for one in waiting_to_come(game, unit.side)) or "none this month"
        raise refuse(
            game,
            "enters-later" if unit.at == TO_COME else "enters-not",
            ENTRY,
            unit=unit.id,
            month=unit.number("arrives"),
            units=ready,
        )
    verify_on_map(game, order.at, ENTRY)
    if not order.source:
        _verify_entry(game, unit, order.at)
    cause = order.source or "reinforcement"
    entered = UnitMoved(unit=unit.id, path=(TO_COME, order.at), cause=cause, rule=ENTRY)
    return [entered, *changed(unit, "came", coming(game), rule=ENTRY)]


def _verify_entry(game: Game, unit: Unit, at: str) -> None:
    """Refuse a place that is not an entry port of the unit, or that has units of the enemy.

    Raises:
        RuleViolation: The unit cannot enter there without a source.
    """
    ports = unit.get("enters")
    if isinstance(ports, tuple) and at not in ports:
        raise refuse(game, "enters-at-ports", ENTRY, unit=unit.id, ports=" or ".join(ports))
    if foes := enemies_before(game, unit.side, at):
        raise refuse(game, "enemy-at-entry", ENTRY, at=at, enemies=foes)


def decide_allocate_submarines(game: Game, order: AllocateSubmarines, _: Dice) -> list[Result]:
    """Move submarine points between a side's unallocated points, its Commands and anti-shipping.

    Raises:
        RuleViolation: The source has too few points, a Command is not the side's own, the side or the scenario has no
            anti-shipping role, or source and target are the same.
    """
    source = _submarine_account(game, order.seat, order.source)
    target = _submarine_account(game, order.seat, order.to)
    if source == target:
        raise refuse(game, "points-there-already", ALLOCATION, holder=order.to)
    if order.points > has(game, source):
        is_in_hand = order.source == "hand"
        where = "in hand" if is_in_hand else f"with {order.source}"
        what = Reason(
            "too-few-in-hand" if is_in_hand else "too-few-there",
            f"only {has(game, source)} submarine points are {where}",
        )
        raise refuse(game, "too-many-points-allocated", ALLOCATION, why=what)
    cause = f"allocated to {order.to}" if order.source == "hand" else f"from {order.source} to {order.to}"
    return [
        *paid(game, source, -order.points, cause, ALLOCATION),
        *paid(game, target, order.points, cause, ALLOCATION),
    ]


def _submarine_account(game: Game, seat: str, name: str) -> str:
    """Return the account of a side's submarine points: unallocated, against shipping, or with one of its Commands.

    Raises:
        RuleViolation: The Command is not the side's own, or the side or the scenario has no anti-shipping role.
    """
    side = game.side_of(seat)
    if name == "hand":
        return f"submarines/{side}"
    if name != ANTI_SHIPPING:
        return f"submarines/{own_of_arm(game, seat, name, ('submarine-command',), ALLOCATION).id}"
    if side != ALLIES:
        raise refuse(game, "only-allies-raid-shipping", ALLOCATION)
    if not strategic(game, ""):
        raise refuse(game, "no-shipping-account", ALLOCATION)
    return ANTI_SHIPPING


def decide_build_command(game: Game, order: BuildCommand, _: Dice) -> list[Result]:
    """Build a submarine Command at one of the side's linked ports (14.6).

    Raises:
        RuleViolation: The port is not linked, the side has built a Command this month, another cost has no source, or
            the headquarters cannot pay.
    """
    rule = "5.1.J [14.6]"
    port = own_of_arm(game, order.seat, order.port, ("base",), rule)
    if port.kind != "port" or not port.get("linked"):
        raise refuse(game, "port-not-linked", rule, port=port.id)
    month = game.number("month")
    if built := commands_of_the_month(game, port.side):
        raise refuse(game, "built-this-month", rule, built=built[0])
    paid_for = _cost_of_a_command(game, order, rule)
    attributes: dict[str, Value] = {"arm": "submarine-command", "built": month}
    return [*paid_for, _placed(game, order.unit, port.side, "submarine-command", port.at, attributes, rule)]


def commands_of_the_month(game: Game, side: str) -> tuple[str, ...]:
    """Return the submarine Commands that a side has built this month."""
    commands = of_arm(game, "submarine-command", side=side)
    return tuple(one.id for one in commands if one.get("built") == game.number("month"))


def _cost_of_a_command(game: Game, order: BuildCommand, rule: str) -> list[Result]:
    """Let a headquarters pay the scenario's cost, or another cost with a source.

    Raises:
        RuleViolation: Another cost has no source, or no headquarters is named to pay.
    """
    known = game.number("cost_of_a_command")
    cost = known if order.cost is None else order.cost
    if cost != known and not order.source:
        raise refuse(game, "wrong-cost", rule, given=cost, limit=known)
    if not cost:
        return []
    what = f"submarine Command {order.unit}" + (f", {order.source}" if order.source else "")
    if not order.headquarters:
        raise refuse(game, "payer-missing", rule, bought=what, cost=cost)
    return spend_from(game, order.seat, order.headquarters, cost, what, rule)


def _placed(
    game: Game, unit: str, side: str, kind: str, at: str, attributes: dict[str, Value], rule: str
) -> UnitPlaced:
    known = game.units.get(unit)
    if known is not None and not known.fate:
        raise refuse(game, "unit-in-play", rule, unit=unit, at=known.at)
    if known is not None and (arm(known), known.side, attributes["arm"]) != ("patrol", side, "patrol"):
        raise refuse(game, "unit-id-used", rule, unit=unit, fate=known.fate)
    whole = {**attributes, "came": coming(game)}
    return UnitPlaced(unit=unit, side=side, kind=kind, at=at, attributes=whole, rule=rule)


def links_are_unpaid(game: Game, side: str) -> bool:
    """Return whether a link of the side, or of any side if none is named, is neither paid nor removed."""
    return bool(unpaid_links(game, side))


def unpaid_links(game: Game, side: str) -> tuple[Unit, ...]:
    """Return the links that are neither paid nor removed."""
    return tuple(link for link in of_arm(game, "link", side=side) if not link.get("paid"))


def decide_pay_link(game: Game, order: PayLink, _: Dice) -> list[Result]:
    """Let a headquarters pay a link's maintenance for the month.

    Raises:
        RuleViolation: The link is already paid, or the headquarters has too few points.
    """
    link = own_of_arm(game, order.seat, order.link, ("link",), LINKS)
    if link.get("paid"):
        raise refuse(game, "link-paid-for", LINKS, link=link.id)
    cost = spend_from(game, order.seat, order.headquarters, link.number("maintenance"), f"link {link.id}", LINKS)
    return [*cost, *changed(link, "paid", True, rule=LINKS)]


def spend_from(game: Game, seat: str, headquarters: str, points: int, cause: str, rule: str) -> list[Result]:
    """Spend Command Points of one of the side's headquarters.

    Raises:
        RuleViolation: The headquarters has too few points.
    """
    unit = own_of_arm(game, seat, headquarters, ("headquarters",), rule)
    account = f"points/{unit.id}"
    if points > has(game, account):
        raise refuse(
            game, "command-points-too-few", rule, cause=cause, given=points, unit=unit.id, limit=has(game, account)
        )
    return paid(game, account, -points, cause, rule)


# --- K, L, M, 5.2.I: repairs ------------------------------------------------------------------------------------------


def may_be_repaired_at(game: Game, ship: Unit) -> bool:
    """Return whether a ship is in a Dry Dock port of its side, or (Allies) in a holding box off the map."""
    in_box = ship.side == ALLIES and ship.at in names_in(game, "holding_boxes")
    docks = (one for one in of_arm(game, "base", side=ship.side) if one.get("dry_dock"))
    return in_box or any(dock.at == ship.at for dock in docks)


def can_repair(game: Game, side: str) -> bool:
    """Return whether a side has a ship to repair in 5.1.K, or two of a kind in one place that could recombine."""
    kinds = [(ship.at, ship.kind) for ship in of_arm(game, "naval", side=side)]
    return len(set(kinds)) < len(kinds) or bool(repairs_to_leave(game, side))


def repairs_to_leave(game: Game, side: str) -> tuple[str, ...]:
    """Return the ships of a side that could still be repaired, and keep a hit if 5.1.K ends now."""
    ships = [one.id for one in _to_repair(game, side) if one.get("repaired") != game.number("month")]
    return (f"repairs of {', '.join(ships)}",) if ships else ()


def _to_repair(game: Game, side: str) -> list[Unit]:
    ships = of_arm(game, "naval", side=side)
    return [ship for ship in ships if ship.number("hits") and may_be_repaired_at(game, ship)]


def decide_repair_ship(game: Game, order: RepairShip, _: Dice) -> list[Result]:
    """Remove one hit, and end the crippled state of a ship that now has too few hits for it.

    Raises:
        RuleViolation: The ship has no hit, is not at a place for repairs, or was already repaired in this phase.
    """
    ship = own_of_arm(game, order.seat, order.unit, ("naval",), REPAIR)
    month = game.number("month")
    if ship.get("repaired") == month:
        raise refuse(game, "repaired-already", REPAIR, ship=ship.id)
    if not ship.number("hits"):
        raise refuse(game, "no-hit-to-repair", REPAIR, ship=ship.id)
    if not may_be_repaired_at(game, ship):
        raise refuse(game, "no-repair-there", "5.1.K [15.1]", ship=ship.id, at=ship.at)
    hits = ship.number("hits") - 1
    return [
        *changed(ship, "hits", hits, "repaired", REPAIR),
        *changed(ship, "crippled", hits >= ship.number("cripples"), "repaired", REPAIR),
        *changed(ship, "repaired", month, rule=REPAIR),
    ]


def decide_replace_steps(game: Game, order: ReplaceSteps, _: Dice) -> list[Result]:
    """Add steps that the schedule has made available to a unit.

    Raises:
        RuleViolation: The steps are more than are available, or would exceed the unit's full strength.
    """
    unit = own_of_arm(game, order.seat, order.unit, ("air", "ground"), REPLACEMENT)
    account = f"steps/{unit.side}/{arm(unit)}"
    most = min(has(game, account), unit.number("full_steps") - unit.number("steps"))
    if order.steps > most:
        raise refuse(game, "too-many-steps", REPLACEMENT, unit=unit.id, limit=most)
    return [
        *paid(game, account, -order.steps, f"into {unit.id}", REPLACEMENT),
        *changed(unit, "steps", unit.number("steps") + order.steps, "replacement", REPLACEMENT),
    ]


def is_damaged(base: Unit) -> bool:
    return bool(base.number("hits") or base.get("interdicted"))


def damaged_airbases(game: Game, side: str = "") -> tuple[Unit, ...]:
    """Return the linked airbases with damage, which 5.2.I removes."""
    bases = of_arm(game, "base", side=side)
    return tuple(one for one in bases if one.kind == "airbase" and one.get("linked") and is_damaged(one))


def decide_repair_base(game: Game, order: RepairBase, _: Dice) -> list[Result]:
    """Remove hits and interdiction of a linked base by engineering; in 5.2.I remove all damage of a linked airbase.

    Raises:
        RuleViolation: The base is not linked or not damaged, or is not an airbase in 5.2.I.
    """
    in_cycle = game.cursor.opened("5.2.I") is not None
    rule = "5.2.I [31.7]" if in_cycle else BASES
    base = own_of_arm(game, order.seat, order.unit, ("base",), rule)
    if not base.get("linked") or not is_damaged(base) or (in_cycle and base.kind != "airbase"):
        raise refuse(game, "no-linked-base", rule, base=base.id, kind="airbase" if in_cycle else "base")
    left = 0 if in_cycle else max(0, base.number("hits") - number_of(game, house_values.ENGINEERING))
    return [
        *changed(base, "hits", left, "repaired", rule),
        *changed(base, "interdicted", False, "repaired", rule),
    ]


# --- M and N: new pieces ----------------------------------------------------------------------------------------------


def verify_no_enemy(game: Game, side: str, at: str, rule: str) -> None:
    """Refuse a base in a place with combat units or bases of the enemy, because it would not be linked.

    Raises:
        RuleViolation: The enemy is in the place.
    """
    if foes := enemies_before(game, side, at):
        raise refuse(game, "enemy-at-site", rule, at=at, enemies=foes)


def decide_place_osb(game: Game, order: PlaceOsb, _: Dice) -> list[Result]:
    """Place one of the side's available Offensive Support Bases.

    Raises:
        RuleViolation: The side has none available, an enemy is at the place, or the id is taken.
    """
    side = game.side_of(order.seat)
    account = f"osb/{side}"
    if not has(game, account):
        what = game.side_does(side, "has no Offensive Support Base in hand")
        raise refuse(game, "support-base-not-free", OSB, why=what)
    verify_on_map(game, order.at, OSB)
    verify_no_enemy(game, side, order.at, OSB)
    attributes: dict[str, Value] = {"arm": "base", "linked": True, "hits": 0, "interdicted": False}
    base = _placed(game, order.unit, side, OSB_KIND, order.at, attributes, OSB)
    return [base, *paid(game, account, -1, f"{order.unit} at {order.at}", OSB)]


def patrols_to_leave(game: Game, side: str) -> tuple[str, ...]:
    """Return the side's Submarine Patrols that leave the map when 5.1.M ends; they may be paid for again."""
    left = ", ".join(patrol.id for patrol in of_arm(game, "patrol", side=side))
    return (f"Submarine Patrols that leave the map: {left}",) if left else ()


def take_patrols_off(game: Game) -> list[Result]:
    """Remove all Submarine Patrols; those that are paid for are placed again, even in the same place."""
    patrols = of_arm(game, "patrol")
    return [event for patrol in patrols for event in removed(patrol, "recalled", "a new month", PATROLS)]


def free_submarines(game: Game, side: str) -> int:
    """Return the number of a side's submarine points with its Commands, minus those in patrols on the map."""
    commands = (has(game, f"submarines/{one.id}") for one in of_arm(game, "submarine-command", side=side))
    return sum(commands) - sum(one.number("submarines") for one in of_arm(game, "patrol", side=side))


def decide_place_patrol(game: Game, order: PlacePatrol, _: Dice) -> list[Result]:
    """Place a patrol with a number of submarines, at the cost that the scenario sets.

    Raises:
        RuleViolation: The place is off the map, Commands have too few submarine points, the headquarters has too few
            points, or the id is taken.
    """
    free = free_submarines(game, game.side_of(order.seat))
    if order.submarines > free:
        raise refuse(game, "too-few-submarine-points", PATROLS, limit=free)
    verify_on_map(game, order.at, PATROLS)
    cost = game.number("cost_of_a_patrol")
    paid_for = spend_from(game, order.seat, order.headquarters, cost, f"patrol {order.unit}", PATROLS)
    if order.at in off_map(game):
        raise refuse(game, "off-map", PATROLS, at=order.at)
    attributes: dict[str, Value] = {"arm": "patrol", "submarines": order.submarines, "paid": True}
    side = game.side_of(order.seat)
    return [*paid_for, _placed(game, order.unit, side, "submarine-patrol", order.at, attributes, PATROLS)]
