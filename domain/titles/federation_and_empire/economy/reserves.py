"""Form and move reserves: Tactical Reserve Forces in 4A; Reserve Fleets, marked in 9A, moved in 4B, unmarked in 1D."""

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    Units,
    at_hex,
    empire_of,
    enemies,
    fights_at,
    is_ship,
    living,
    own_units,
    phasing,
    refuse,
    rule_of,
    this_turn,
    units_where,
)
from umpire_ledger.domain.titles.federation_and_empire.house_values import RESERVES
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import is_hex
from umpire_ledger.domain.titles.federation_and_empire.movement.paths import Path, go
from umpire_ledger.kit import Dice, Game, Name, Order, Result, Unit, changed, number_of, step_open


class FormReserve(Order, frozen=True, kw_only=True, tag="form-reserve"):
    """Form a reserve: a Tactical Reserve Force in 4A, a Reserve Fleet in 9A."""

    fleet: Name
    units: Units


class MoveReserve(Order, frozen=True, kw_only=True, tag="move-reserve"):
    """Move a reserve to its battle, all its units along one path."""

    fleet: Name
    path: Path


def fleet_of(unit: Unit) -> str:
    return str(unit.get("reserve") or "")


def decide_form_reserve(game: Game, order: FormReserve, _: Dice) -> list[Result]:
    """Make units a Tactical Reserve Force in 4A, or a Reserve Fleet in 9A.

    Raises:
        RuleViolation: The units are in different places; a unit may not join; in 4A the side is the phasing side, or
            has a force that waits to move; or another reserve has the name.
    """
    units = own_units(game, order, order.units)
    tactical = step_open(game) == "4A"
    if tactical and game.side_of(order.seat) == phasing(game):
        raise refuse(game, "only-non-phasing-reserve", "543.1")
    waiting = forces_waiting(game, game.side_of(order.seat))
    if tactical and waiting:
        raise refuse(game, "reserve-waits", "543.22", fleet=waiting[0])
    others = {fleet_of(unit) for unit in living(game) if unit.side != game.side_of(order.seat)}
    if order.fleet in others:
        raise refuse(game, "reserve-name-of-another-side", fleet=order.fleet)
    if len({unit.at for unit in units}) > 1:
        raise refuse(game, "reserve-in-several-hexes", "543.1" if tactical else "507.1")
    for unit in units:
        _verify_may_stand_by(game, unit)
    if not tactical:
        _verify_mark(game, order, units)
    name = f"TRF {order.fleet}" if tactical else order.fleet
    return [event for unit in units for event in changed(unit, "reserve", name, "reserve", rule_of(game))]


def _verify_mark(game: Game, order: FormReserve, units: tuple[Unit, ...]) -> None:
    """Check that a reserve marker may be placed with these units.

    Raises:
        RuleViolation: Another reserve has the name, or the empire has placed all markers that the scenario allows.
    """
    others = [one for one in living(game) if fleet_of(one)]
    if any(fleet_of(one) == order.fleet and (one.side, one.at) != (units[0].side, units[0].at) for one in others):
        raise refuse(game, "reserve-name-used", "507.1", fleet=order.fleet)
    for empire in dict.fromkeys(map(empire_of, units)):
        most = game.markers.get(f"reserves of {empire}")
        placed = {fleet_of(one) for one in others if empire_of(one) == empire} - {order.fleet}
        if isinstance(most, int) and len(placed) >= most:
            raise refuse(
                game, "no-reserve-marker-left", "507.1", empire=empire, limit=len(placed), fleets=tuple(sorted(placed))
            )


def _verify_may_stand_by(game: Game, unit: Unit) -> None:
    """Check that a unit may join a reserve.

    Raises:
        RuleViolation: The unit is in another reserve, has moved in one in this player turn, or is not a ship in service
            on the map.
    """
    number = "543.1" if step_open(game) == "4A" else "507.1"
    if fleet_of(unit):
        raise refuse(game, "in-a-reserve", number, unit=unit.id, fleet=fleet_of(unit))
    if unit.get("reserve_moved") == this_turn(game):
        raise refuse(game, "reserve-moved-already", number, unit=unit.id)
    if not is_ship(unit) or not is_hex(unit.at):
        raise refuse(game, "not-on-map", number, unit=unit.id)
    if unit.get("mothballed") is True:
        raise refuse(game, "mothballed", number, unit=unit.id)


def decide_move_reserve(game: Game, order: MoveReserve, _: Dice) -> list[Result]:
    """Move a reserve along its path; it stops being a reserve.

    Raises:
        RuleViolation: The side has no such reserve, another one was picked, or the path does not lead to an enemy.
    """
    picked = game.cursor.item("4B/fleet")
    fleet = order.fleet if picked else f"TRF {order.fleet.removeprefix('TRF ')}"
    every = units_where(game, lambda unit: fleet_of(unit) == fleet)
    units = tuple(unit for unit in every if unit.side == game.side_of(order.seat))
    if every and not units and picked in ("", fleet):
        whose = game.side_name(every[0].side)
        raise refuse(game, "reserve-of-another-side", fleet=order.fleet, owner=whose)
    if not units and picked == fleet:
        raise refuse(game, "reserve-has-moved", fleet=order.fleet)
    if not units or picked not in ("", fleet):
        raise refuse(game, "other-reserve-moves", fleet=order.fleet, next_fleet=picked or "a TRF that was formed")
    units = _of_one_hex(game, order, units)
    _verify_to_battle(game, units, order.path[-1])
    went = [event for unit in units for event in changed(unit, "reserve_moved", this_turn(game), "", rule_of(game))]
    return [*go(game, units, order.path, f"reserve {fleet}"), *stand_down(units, rule_of(game)), *went]


def _verify_to_battle(game: Game, units: tuple[Unit, ...], end: str) -> None:
    """Check that a reserve moves to an enemy, if the house value for reserves requires it.

    Raises:
        RuleViolation: There is no enemy in the last hex.
    """
    foes = enemies(game, units[0].side)
    if number_of(game, RESERVES) and not any(one.side in foes and fights_at(one, end) for one in at_hex(game, end)):
        number = "543.22" if step_open(game) == "4A" else "203.7"
        raise refuse(game, "no-enemy-at-end", number, place=end)


def _of_one_hex(game: Game, order: MoveReserve, units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """Return the units of the reserve; if it is in several hexes, those in the first hex of the path [reading].

    Raises:
        RuleViolation: The reserve is in several hexes and the path begins in none of them.
    """
    places = sorted({unit.at for unit in units})
    if len(places) > 1 and order.path[0] not in places:
        raise refuse(game, "path-starts-elsewhere", fleet=order.fleet, places=" and ".join(places))
    return tuple(unit for unit in units if len(places) == 1 or unit.at == order.path[0])


def stand_down(units: tuple[Unit, ...], rule: str) -> list[Result]:
    return [event for unit in units for event in changed(unit, "reserve", None, "no reserve any more", rule)]


def reserve_fleets(game: Game, side: str) -> tuple[str, ...]:
    """Return the names of the Reserve Fleets of all sides except the phasing side."""
    return tuple(sorted({fleet_of(unit) for unit in living(game) if unit.side != side} - {""} - set(_forces(game))))


def owner_of_fleet(game: Game) -> tuple[str, ...]:
    """Return the side whose Reserve Fleet was picked."""
    picked = game.cursor.item("4B/fleet")
    sides = {unit.side for unit in living(game) if fleet_of(unit) == picked}
    return tuple(side for side in game.side_ids if side in sides)


def _forces(game: Game) -> tuple[str, ...]:
    return tuple(fleet for fleet in map(fleet_of, living(game)) if fleet.startswith("TRF "))


def forces_waiting(game: Game, side: str) -> tuple[str, ...]:
    """Return the Tactical Reserve Forces of this side, or of all sides, that have not moved since they were formed."""
    mine = (fleet_of(unit) for unit in living(game) if side in ("", unit.side))
    return tuple(dict.fromkeys(fleet for fleet in mine if fleet.startswith("TRF ")))


def force_waits(game: Game, side: str) -> bool:
    """Check whether a Tactical Reserve Force of this side was formed and has not moved."""
    return bool(forces_waiting(game, side))


def take_off_reserves(game: Game) -> list[Result]:
    """Take off the reserve markers that the phasing side placed on its last turn (1D)."""
    side = phasing(game)
    return stand_down(units_where(game, lambda unit: bool(fleet_of(unit)), side), "1D (507.1)")
