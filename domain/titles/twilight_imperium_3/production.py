"""Produce units at Space Docks, build docks, and scuttle units for trade goods (TA.7, TR.5 and the two scuttles).

The printed text has no costs. If a scenario sets costs and resources, players pay with planet cards and trade goods;
otherwise the group records payments with the generic orders. The printed text lets ships be produced next to enemy
ships. The option `blockade` forbids this, because the two fleets would be in one system without a battle.
"""

from collections.abc import Iterator
from itertools import count, islice
from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.twilight_imperium_3.casualties import stranded
from umpire_ledger.domain.titles.twilight_imperium_3.galaxy import (
    active_planets,
    at_place,
    controller,
    enemy_ships_in,
    planet,
    ships_in,
    system_of,
    verify_planet,
)
from umpire_ledger.domain.titles.twilight_imperium_3.movement import counted, fleet_limit
from umpire_ledger.domain.titles.twilight_imperium_3.units import (
    activation,
    active_systems,
    has_tech,
    ids,
    kinds,
    label,
    own_unit,
    own_units,
    player,
    refuse,
    unknown,
    verify_once,
    what_of,
)
from umpire_ledger.kit import (
    Dice,
    Game,
    Name,
    Order,
    PlaceName,
    Result,
    Unit,
    UnitName,
    UnitPlaced,
    after,
    changed,
    marked,
    paid,
    removed,
    word_in,
)

Number = Annotated[int, msgspec.Meta(ge=0, le=100)]
Built = Annotated[int, msgspec.Meta(ge=1, le=40)]
TECH = "transfabrication"
PRODUCED = ("ship", "fighter", "ground", "pds")


class Produce(Order, frozen=True, kw_only=True, tag="produce"):
    """Produce units at one Space Dock: a number of each kind. `exhaust` and `trade_goods` pay for them."""

    dock: UnitName
    units: Annotated[dict[str, Built], msgspec.Meta(min_length=1)]
    exhaust: tuple[PlaceName, ...] = ()
    trade_goods: Number = 0


class BuildDock(Order, frozen=True, kw_only=True, tag="build-dock"):
    """Build a new Space Dock on a planet that has been your own for the entire round."""

    planet: PlaceName
    kind: Name = "space-dock"
    exhaust: tuple[PlaceName, ...] = ()
    trade_goods: Number = 0


class Scuttle(Order, frozen=True, kw_only=True, tag="scuttle"):
    """Give up units on the board for a trade good each."""

    units: Annotated[tuple[UnitName, ...], msgspec.Meta(min_length=1)]


# --- scuttling --------------------------------------------------------------------------------------------------------


def can_scuttle(game: Game, _: str) -> bool:
    """Return whether the active player has Transfabrication, and a unit on the board."""
    return has_tech(game, player(game), TECH) and bool(game.in_play(player(game)))


def decide_scuttle(game: Game, order: Scuttle, _: Dice) -> list[Result]:
    """Scuttle units anywhere on the board; passengers are lost with their last ship."""
    side = game.side_of(order.seat)
    rule = label(game)
    units = own_units(game, side, order.units, rule)
    results = [event for unit in units for event in removed(unit, "scuttled", "for a trade good", rule)]
    for place in dict.fromkeys(unit.at for unit in units):
        results += stranded(after(game, results), place, rule)
    return [*results, *paid(game, f"trade-goods/{side}", len(units), "scuttled", rule)]


# --- producing --------------------------------------------------------------------------------------------------------


def docks(game: Game) -> tuple[Unit, ...]:
    """Return the active player's Space Docks in the activated systems."""
    here = (*active_systems(game), *active_planets(game))
    return tuple(
        unit for place in here for unit in at_place(game, place, player(game)) if what_of(game, unit) == "dock"
    )


def decide_produce(game: Game, order: Produce, _: Dice) -> list[Result]:
    """Place new ships in space, and other units on the dock's planet.

    Raises:
        RuleViolation: A dock was built in this activation; the dock is not the player's own there, or has produced; a
            transfer has produced in the other system; a kind is unknown or lacks pieces; enemy ships are in the system;
            the fleet would be too large; or the payment is wrong.
    """
    side, rule = game.side_of(order.seat), label(game)
    dock = _verify_dock(game, side, order.dock, rule)
    system = system_of(game, dock.at)
    for kind, number in order.units.items():
        _verify_kind(game, side, kind, number, system, rule)
    placed = [event for kind, number in order.units.items() for event in _placed(game, side, kind, number, dock, rule)]
    _verify_fleet(after(game, placed), side, system, rule)
    return [
        *_payment(game, side, _cost(game, order.units), order.exhaust, order.trade_goods, rule),
        *placed,
        *changed(dock, "produced", activation(game), "produces", rule),
        *marked(game, "now/produced-in", system, "produces", rule),
    ]


def _verify_dock(game: Game, side: str, name: str, rule: str) -> Unit:
    dock = own_unit(game, side, name, rule)
    if dock not in docks(game):
        raise refuse(game, "no-such-dock" if docks(game) else "no-dock", rule, dock=name, docks=ids(docks(game)))
    if new := _new_docks(game, rule):
        raise refuse(game, "dock-built-now", rule, docks=ids(new))
    if dock.get("produced") == activation(game):
        raise refuse(game, "dock-has-produced", rule, dock=name)
    before = word_in(game, "now/produced-in")
    if rule == "TR.5" and before not in ("", system_of(game, dock.at)):
        raise refuse(game, "transfer-produces-elsewhere", rule, system=before)
    return dock


def _new_docks(game: Game, rule: str) -> tuple[Unit, ...]:
    """Return the docks built in this activation: marked as having produced, although `now/produced-in` is empty."""
    if rule != "TA.7" or word_in(game, "now/produced-in"):
        return ()
    return tuple(dock for dock in docks(game) if dock.get("produced") == activation(game))


def _verify_kind(game: Game, side: str, kind: str, number: int, system: str, rule: str) -> None:
    known = kinds(game).get(kind)
    if known is None or known["what"] not in PRODUCED:
        could = ", ".join(name for name, one in kinds(game).items() if one["what"] in PRODUCED)
        raise unknown(game, "kind-not-produced", rule, kind=kind, kinds=could)
    limit = known["limit"]
    left = limit - sum(unit.kind == kind for unit in game.in_play(side))
    if limit and number > left:
        raise refuse(game, "too-few-pieces", rule, left=max(0, left), limit=limit, kind=kind)
    if _is_blockaded(game, known["what"]) and (foes := enemy_ships_in(game, system, side)):
        raise refuse(game, "enemy-ships-in-system", rule, system=system, enemies=ids(foes))


def _is_blockaded(game: Game, what: str) -> bool:
    """Return whether the option `blockade` stops production of such units next to enemy ships."""
    return what in ("ship", "fighter") and bool(game.options.get("blockade", True))


def _placed(game: Game, side: str, kind: str, number: int, dock: Unit, rule: str) -> list[Result]:
    """Place new units, with the lowest numbers that no unit ever had."""
    in_space = kinds(game)[kind]["what"] in ("ship", "fighter")
    at = system_of(game, dock.at) if in_space else dock.at
    return [
        UnitPlaced(unit=name, side=side, kind=kind, at=at, cause=f"produced at {dock.id}", rule=rule)
        for name in islice(_free_names(game, side, kind), number)
    ]


def _free_names(game: Game, side: str, kind: str) -> Iterator[str]:
    names = (f"{side}-{kind}-{number}" for number in count(1))
    return (name for name in names if name not in game.units)


def _verify_fleet(game: Game, side: str, system: str, rule: str) -> None:
    """Check that new ships stay within the fleet limit, if it counts the ships in a system."""
    if game.options.get("fleet_limit") != "system":
        return
    number, most = counted(game, ships_in(game, system, side)), fleet_limit(game, side)
    if number > most:
        raise refuse(
            game, "fleet-too-large-to-produce", rule, given=number, system=system, limit=most, excess=number - most
        )


# --- paying -----------------------------------------------------------------------------------------------------------


def _cost(game: Game, units: dict[str, int]) -> int:
    """Return the resources that units cost; an incomplete set of units that share one price costs the full price."""
    return sum(-(-number // kinds(game)[kind]["per"]) * kinds(game)[kind]["cost"] for kind, number in units.items())


def _payment(game: Game, side: str, cost: int, cards: tuple[str, ...], goods: int, rule: str) -> list[Result]:
    verify_once(game, cards, rule)
    ready = ready_planets(game, side)
    for card in cards:
        if card not in ready:
            could = ", ".join(ready) or "none is left"
            raise refuse(game, "planet-not-ready", rule, planet=card, planets=could)
    if goods > (held := game.accounts.get(f"trade-goods/{side}", 0)):
        raise refuse(game, "too-few-trade-goods", rule, side=side, limit=held)
    worth = goods + sum(planet(game, card).get("resources", 0) for card in cards)
    if worth < cost:
        raise refuse(game, "paid-too-little", rule, cost=cost, given=worth, missing=cost - worth)
    return [
        *(event for card in cards for event in marked(game, f"exhausted/{card}", True, f"pays {cost}", rule)),
        *paid(game, f"trade-goods/{side}", -goods, f"pays {cost}", rule),
    ]


def ready_planets(game: Game, side: str) -> tuple[str, ...]:
    """Return planets of a side whose cards are not exhausted."""
    owned = (marker.removeprefix("control/") for marker, owner in game.markers.items() if owner == side)
    every = sorted(name for name in owned if controller(game, name) == side)
    return tuple(name for name in every if not game.markers.get(f"exhausted/{name}"))


# --- docks ------------------------------------------------------------------------------------------------------------


def decide_build_dock(game: Game, order: BuildDock, _: Dice) -> list[Result]:
    """Build a new Space Dock; it cannot produce in this activation.

    Raises:
        RuleViolation: Units were produced or a dock was built before; the planet is not the player's own, was won
            during this round or has a dock; the kind is not a dock or has no piece left; or the payment is wrong.
    """
    side, rule = game.side_of(order.seat), "TA.7"
    verify_planet(game, order.planet, rule)
    if word_in(game, "now/produced-in") or _new_docks(game, rule):
        done = "units were produced" if word_in(game, "now/produced-in") else "a Space Dock was built"
        raise refuse(game, "built-or-produced-already", rule, done=done)
    _verify_site(game, side, order.planet, rule)
    known = kinds(game).get(order.kind)
    if known is None or known["what"] != "dock":
        could = ", ".join(name for name, one in kinds(game).items() if one["what"] == "dock")
        raise unknown(game, "kind-is-no-dock", rule, kind=order.kind, kinds=could)
    if known["limit"] and sum(unit.kind == order.kind for unit in game.in_play(side)) >= known["limit"]:
        raise refuse(game, "no-dock-left", rule)
    built = UnitPlaced(
        unit=next(_free_names(game, side, order.kind)),
        side=side,
        kind=order.kind,
        at=order.planet,
        attributes={"produced": activation(game)},
        cause="built",
        rule=rule,
    )
    return [*_payment(game, side, known["cost"], order.exhaust, order.trade_goods, rule), built]


def _verify_site(game: Game, side: str, name: str, rule: str) -> None:
    if controller(game, name) != side:
        raise refuse(game, "planet-not-yours", rule, planet=name)
    if game.number(f"since/{name}") >= game.turn:
        raise refuse(game, "planet-not-yours-for-a-round", rule, planet=name)
    if any(what_of(game, unit) == "dock" for unit in at_place(game, name)):
        raise refuse(game, "dock-there-already", rule, planet=name)
