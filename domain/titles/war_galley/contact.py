"""Record contacts between moving ships in E.1 and F.1, as the players report them.

The summary lost its list of activities, and it does not print the tables for ramming, grappling, collisions and
missiles. So these orders record the outcome; `roll` may record the dice used for it. The range of fire and missiles is
not printed either: it is the house value `missile-range`, which a scenario may set.
"""

from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.war_galley import house_values
from umpire_ledger.domain.titles.war_galley.activation import active_ship, active_ships
from umpire_ledger.domain.titles.war_galley.hexes import distance
from umpire_ledger.domain.titles.war_galley.movement import held_fast
from umpire_ledger.domain.titles.war_galley.ships import NAME, also_to, counted_by, enemy_of, hostile_ship, refuse
from umpire_ledger.kit import Dice, Game, Order, Result, Unit, UnitName, changed, number_of, step_open, unit_of


class Ram(Order, frozen=True, kw_only=True, tag="ram"):
    """Ram an enemy next to an active ship."""

    ship: UnitName
    target: UnitName


class Grapple(Order, frozen=True, kw_only=True, tag="grapple"):
    """Grapple an enemy next to an active ship."""

    ship: UnitName
    target: UnitName


class Foul(Order, frozen=True, kw_only=True, tag="foul"):
    """Foul an active ship with a friend or enemy next to it after a collision; raised sails of both go down."""

    ship: UnitName
    target: UnitName


class CastOff(Order, frozen=True, kw_only=True, tag="cast-off"):
    """Cast off an active ship from another that it is grappled to."""

    ship: UnitName
    target: UnitName


class RunAground(Order, frozen=True, kw_only=True, tag="run-aground"):
    """Report that an active ship has run aground in its hex."""

    ship: UnitName


class SetFire(Order, frozen=True, kw_only=True, tag="set-fire"):
    """Set an enemy within range of an active ship on fire."""

    ship: UnitName
    target: UnitName


class Hit(Order, frozen=True, kw_only=True, tag="hit"):
    """Take crew or manpower from an active ship, or from one in range of it: missiles, a raked oar bank, …"""

    ship: UnitName
    loses: Literal["crew", "manpower"]
    amount: Annotated[int, msgspec.Meta(ge=1, le=9)] = 1
    cause: str = ""


def decide_ram(game: Game, order: Ram, _: Dice) -> list[Result]:
    """Ram the target: it may sink in G.4, and the ramming side counts its ram defense in H.

    Raises:
        RuleViolation: The ramming ship is held fast, or the target is not next to it, is not an enemy, or was already
            rammed by this side.
    """
    ship, target = _pair(game, order, order.ship, order.target)
    verify_can_ram(game, ship, target)
    cause = f"rammed by {ship.id}"
    return [
        *changed(target, "rammed", True, cause, step_open(game)),
        *changed(target, "worth_to", also_to(target, ship.side), cause, step_open(game)),
    ]


def verify_can_ram(game: Game, ship: Unit, target: Unit) -> None:
    rule = step_open(game)
    why, remedy = held_fast(ship)
    if why:
        raise refuse(game, "cannot-ram", f"{rule} [8.35]", ship=ship.id, why=why, remedy=remedy)
    _verify_beside(game, ship, target, "ram")
    if target.get("rammed") and ship.side in counted_by(target):
        raise refuse(game, "rammed-already", rule, target=target.id)


def decide_grapple(game: Game, order: Grapple, _: Dice) -> list[Result]:
    """Grapple two ships to each other.

    Raises:
        RuleViolation: The ships are not next to each other or are already grappled, or the target is not an enemy.
    """
    rule = step_open(game)
    ship, target = _pair(game, order, order.ship, order.target)
    _verify_beside(game, ship, target, "grapple")
    if target.id in ship.names("grappled"):
        raise refuse(game, "grappled-already", rule, ship=ship.id, target=target.id)
    return _tied(ship, target, "grappled", f"{ship.id} grapples {target.id}", rule)


def decide_foul(game: Game, order: Foul, _: Dice) -> list[Result]:
    """Foul two ships; raised sails become Masts Down (companion notes of the summary).

    Raises:
        RuleViolation: The ships are not next to each other or are already fouled, or the target is the ship itself.
    """
    rule = step_open(game)
    ship = active_ship(game, order.seat, order.ship, rule)
    target = unit_of(game, order.target, f"{NAME} {rule}")
    if target.id == ship.id:
        raise refuse(game, "same-ship", rule, ship=ship.id)
    _verify_beside(game, ship, target, "collide with")
    if target.id in ship.names("fouled"):
        raise refuse(game, "fouled-already", rule, ship=ship.id, target=target.id)
    cause = f"{ship.id} collides with {target.id}"
    masts = [event for one in (ship, target) for event in _masts_fall(one, cause, rule)]
    return [*_tied(ship, target, "fouled", cause, rule), *masts]


def _masts_fall(ship: Unit, cause: str, rule: str) -> list[Result]:
    if not ship.get("sails_up"):
        return []
    return [*changed(ship, "sails_up", False, cause, rule), *changed(ship, "masts_down", True, cause, rule)]


def decide_cast_off(game: Game, order: CastOff, _: Dice) -> list[Result]:
    """End the grapple of two ships.

    Raises:
        RuleViolation: The ships are not grappled to each other.
    """
    rule = step_open(game)
    ship = active_ship(game, order.seat, order.ship, rule)
    target = unit_of(game, order.target, f"{NAME} {rule}")
    if target.id not in ship.names("grappled"):
        tied = ", ".join(ship.names("grappled")) or "nobody"
        raise refuse(game, "grappled-to-others", rule, ship=ship.id, target=target.id, tied=tied)
    cause = f"{ship.id} casts off {target.id}"
    return [
        event
        for one, other in ((ship, target), (target, ship))
        for event in changed(one, "grappled", _without(one.names("grappled"), other.id), cause, rule)
    ]


def decide_run_aground(game: Game, order: RunAground, _: Dice) -> list[Result]:
    """Run a ship aground: it stays in its hex, and the enemy counts its ram defense in H.

    Raises:
        RuleViolation: It is aground already.
    """
    rule = step_open(game)
    ship = active_ship(game, order.seat, order.ship, rule)
    if ship.get("aground"):
        raise refuse(game, "aground-already", rule, ship=ship.id)
    return [
        *changed(ship, "aground", True, "runs aground", rule),
        *changed(ship, "worth_to", also_to(ship, enemy_of(game, ship.side)), "runs aground", rule),
    ]


def decide_set_fire(game: Game, order: SetFire, _: Dice) -> list[Result]:
    """Set the target on fire.

    Raises:
        RuleViolation: The target is out of range, not an enemy, or burning already.
    """
    ship, target = _pair(game, order, order.ship, order.target)
    verify_in_range(game, (ship,), target, f"{ship.id} cannot set fire to {target.id}")
    if target.get("fire"):
        raise refuse(game, "burns-already", step_open(game), target=target.id)
    return changed(target, "fire", True, f"set on fire by {ship.id}", step_open(game))


def decide_hit(game: Game, order: Hit, _: Dice) -> list[Result]:
    """Reduce the crew or manpower of a ship that is active or in range of an active ship.

    Raises:
        RuleViolation: No active ship is in range of the ship, or the ship would lose more than it has.
    """
    rule = step_open(game)
    ship = unit_of(game, order.ship, f"{NAME} {rule}")
    verify_in_range(game, active_ships(game), ship, f"{ship.id} cannot be hit")
    has = ship.number(order.loses)
    if order.amount > has:
        raise refuse(
            game,
            "loses-too-much" if has else "nothing-to-lose",
            rule,
            ship=ship.id,
            given=order.amount,
            loses=order.loses,
            limit=has,
        )
    return changed(ship, order.loses, has - order.amount, order.cause or "hit", rule)


def _pair(game: Game, order: Order, ship: str, target: str) -> tuple[Unit, Unit]:
    rule = step_open(game)
    return active_ship(game, order.seat, ship, rule), hostile_ship(game, game.side_of(order.seat), target, rule)


def verify_in_range(game: Game, ships: tuple[Unit, ...], target: Unit, what: str) -> None:
    """Check that the target is in range of fire and missiles from one of the ships.

    Raises:
        RuleViolation: All ships are too far away.
    """
    reach = number_of(game, house_values.MISSILES)
    apart = min((distance(one.at, target.at) for one in ships), default=0)
    if reach and apart > reach:
        name = house_values.MISSILES.name
        raise refuse(game, "too-far", step_open(game), what=what, given=apart, name=name, limit=reach, at=target.at)


def _verify_beside(game: Game, ship: Unit, target: Unit, act: str) -> None:
    apart = distance(ship.at, target.at)
    if apart > 1:
        raise refuse(
            game,
            "not-adjacent",
            step_open(game),
            ship=ship.id,
            act=act,
            target=target.id,
            given=apart,
            target_at=target.at,
            ship_at=ship.at,
        )


def _tied(ship: Unit, target: Unit, tie: str, cause: str, rule: str) -> list[Result]:
    return [
        event
        for one, other in ((ship, target), (target, ship))
        for event in changed(one, tie, (*_without(one.names(tie), other.id), other.id), cause, rule)
    ]


def _without(names: tuple[str, ...], one: str) -> tuple[str, ...]:
    return tuple(name for name in names if name != one)
