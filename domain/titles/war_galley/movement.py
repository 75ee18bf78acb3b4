"""Move ships along recorded paths in E.1 and F.1, or declare that they stay.

"The first player" in the printed text of E.1 is the active player. The printed list of a ship's other activities is
lost; `contact.py` records them as the players report them.
"""

from itertools import pairwise
from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.war_galley import house_values
from umpire_ledger.domain.titles.war_galley.activation import active_ship, active_ships
from umpire_ledger.domain.titles.war_galley.hexes import HexSide, column_and_row, direction, is_hex
from umpire_ledger.domain.titles.war_galley.ships import beside_enemy, is_captured, refuse
from umpire_ledger.kit import (
    Dice,
    Game,
    Order,
    PlaceName,
    Reason,
    Result,
    RulingMade,
    Unit,
    UnitName,
    changed,
    moved,
    number_of,
    step_open,
)

Path = Annotated[tuple[PlaceName, ...], msgspec.Meta(min_length=1, max_length=40)]


class MoveShip(Order, frozen=True, kw_only=True, tag="move-ship"):
    """Move a ship of the active squadron from hex to neighbouring hex; `path` may leave out its own hex.

    `facing`: the side of its hex that it faces afterwards, for the map; no rule depends on it.
    """

    ship: UnitName
    path: Path
    facing: HexSide | Literal[""] = ""


class Stay(Order, frozen=True, kw_only=True, tag="stay"):
    """Declare that ships of the active squadron do not move; without `ships`, all that have not moved."""

    ships: tuple[UnitName, ...] = ()


class SetSails(Order, frozen=True, kw_only=True, tag="set-sails"):
    """Raise or lower the sails of a ship before it moves; it costs one hex of movement."""

    ship: UnitName
    to: Literal["up", "down"]


# --- movement allowance ---------------------------------------------------------------------------------------------


def allowance(game: Game, ship: Unit) -> int:
    """Return the number of hexes that a ship may move this turn.

    It depends on the ship's speed level, or on the wind speed for a ship with natural sails. A captured ship uses
    cruise speed; a captured ship with natural sails moves half the wind speed, rounded up. Setting the sails costs
    `rigging-cost` hexes (companion notes of the summary).
    """
    maximum = ship.get("level") == "maximum" and not is_captured(ship)
    hexes = ship.number("maximum" if maximum else "cruise")
    if ship.get("natural_sails"):
        wind = game.number("wind_speed")
        hexes = (wind + 1) // 2 if is_captured(ship) else wind
    cost = number_of(game, house_values.RIGGING) if ship.get("rigged") == game.turn else 0
    return max(0, hexes - cost)


def bonus(game: Game, ship: Unit, path: tuple[str, ...]) -> int:
    """Return the extra hexes for raised sails, at cruise speed on a path entirely before the wind (companion notes)."""
    raised = ship.get("sails_up") and ship.get("level") != "maximum"
    astern = all(direction(one, other) == game.markers.get("wind_direction") for one, other in _steps(path))
    return number_of(game, house_values.ASTERN) if raised and astern else 0


def _steps(path: tuple[str, ...]) -> list[tuple[str, str]]:
    return list(pairwise(path))


# --- permission to move ---------------------------------------------------------------------------------------------


def held_fast(ship: Unit) -> tuple[Reason | None, str]:
    """Return the reason why a ship cannot leave its hex, and the remedy; None and "" if it can.

    The summary prints only "fouled" [8.35].
    """
    if ship.names("fouled"):
        return (
            Reason("fouled", f"it is fouled with {', '.join(ship.names('fouled'))}"),
            "try to disengage it in step G.1, or let it `stay`",
        )
    if ship.names("grappled"):
        grappled = Reason("grappled", f"it is grappled to {', '.join(ship.names('grappled'))}")
        return grappled, "`cast-off` first, or let it `stay` and board"
    return (Reason("aground", "it is aground"), "let it `stay`") if ship.get("aground") else (None, "")


def has_moved(game: Game, ship: Unit) -> bool:
    """Check whether a ship has moved, or was declared to stay, this turn."""
    return ship.get("moved") == game.turn


def waits_to_move(game: Game, _: str = "") -> tuple[Unit, ...]:
    """Return active ships that could move and have neither moved nor been declared to stay."""
    return tuple(ship for ship in active_ships(game) if not has_moved(game, ship) and not held_fast(ship)[0])


def ships_wait(game: Game, side: str) -> bool:
    return bool(waits_to_move(game, side))


def verify_can_move(game: Game, ship: Unit) -> None:
    """Check that a ship can move.

    Raises:
        RuleViolation: It has moved already, or is fouled, grappled or aground.
    """
    if has_moved(game, ship):
        others = ", ".join(one.id for one in waits_to_move(game)) or "none is left, so end the segment: `done`"
        raise refuse(game, "moved-already", step_open(game), ship=ship.id, others=others)
    why, remedy = held_fast(ship)
    if why:
        raise refuse(game, "cannot-move", f"{step_open(game)} [8.35]", ship=ship.id, why=why, remedy=remedy)


def verify_path(game: Game, ship: Unit, path: tuple[str, ...]) -> None:
    """Check that a ship may follow a path.

    Raises:
        RuleViolation: The path leaves the map, has a gap, is too long, or touches an enemy after a failed crew test.
    """
    rule = step_open(game)
    for one in path[1:]:
        if not _on_map(game, one):
            raise refuse(game, "no-such-hex", rule, hex=one, format=_size(game))
    for one, other in _steps(path):
        if not direction(one, other):
            raise refuse(game, "not-neighbours", rule, one=one, other=other)
    most = allowance(game, ship) + bonus(game, ship, path)
    if len(path) - 1 > most:
        raise refuse(
            game,
            "path-too-long" if most else "may-only-stay",
            f"{rule} [6.22]",
            ship=ship.id,
            given=len(path) - 1,
            allowance=_why_so_far(game, ship),
            limit=most,
        )
    _verify_keeps_away(game, ship, path)


def _verify_keeps_away(game: Game, ship: Unit, path: tuple[str, ...]) -> None:
    """Check that a ship that failed its crew test enters no hex next to an enemy."""
    near = next((one for one in path[1:] if beside_enemy(game, ship.side, one)), "")
    if ship.get("restrained") == game.turn and near:
        raise refuse(game, "restrained", "F [6.16]", ship=ship.id, near=near)


def _on_map(game: Game, name: str) -> bool:
    if not is_hex(name):
        return False
    column, row = column_and_row(name)
    return column <= (game.number("columns") or column) and row <= (game.number("rows") or row)


def _size(game: Game) -> str:
    columns, rows = game.number("columns"), game.number("rows")
    return f", up to {columns:02}{rows:02}" if columns and rows else ", for example 0203"


def _why_so_far(game: Game, ship: Unit) -> str:
    if ship.get("natural_sails"):
        return f"{'half ' if is_captured(ship) else ''}the wind of {game.number('wind_speed')}"
    return "maximum speed" if ship.get("level") == "maximum" and not is_captured(ship) else "cruise speed"


# --- decisions ------------------------------------------------------------------------------------------------------


def decide_move_ship(game: Game, order: MoveShip, _: Dice) -> list[Result]:
    """Move a ship along a path, once a turn.

    Raises:
        RuleViolation: See `verify_can_move` and `verify_path`; or the ship is not active, or does not leave its hex.
    """
    rule = step_open(game)
    ship = active_ship(game, order.seat, order.ship, rule)
    verify_can_move(game, ship)
    path = order.path if order.path[0] == ship.at else (ship.at, *order.path)
    if len(path) == 1:
        raise refuse(game, "already-there", rule, ship=ship.id, at=ship.at)
    verify_path(game, ship, path)
    return [
        *_ruling(game, ship),
        *moved(ship, path, rule=rule),
        *changed(ship, "moved", game.turn, rule=rule),
        *(changed(ship, "facing", order.facing, rule=rule) if order.facing else []),
    ]


def _ruling(game: Game, ship: Unit) -> list[Result]:
    """Record the ruling that half of an odd wind speed is rounded up, because the printed rule does not say."""
    wind = game.number("wind_speed")
    if not (ship.get("natural_sails") and is_captured(ship) and wind % 2):
        return []
    said = f"half of wind speed {wind} is {(wind + 1) // 2} for the captured {ship.id}: fractions are rounded up"
    return [RulingMade(ruling=said, reason="the rule prints no rounding", rule="E.2")]


def decide_stay(game: Game, order: Stay, _: Dice) -> list[Result]:
    """Declare that ships do not move, so that boarding may begin.

    Raises:
        RuleViolation: A ship has moved already or is not active, or no ship is left to declare.
    """
    rule = step_open(game)
    named = [active_ship(game, order.seat, ship, rule) for ship in dict.fromkeys(order.ships)]
    ships = named or list(waits_to_move(game))
    if not ships:
        raise refuse(game, "all-moved", rule)
    for ship in ships:
        if has_moved(game, ship):
            raise refuse(game, "cannot-stay-after-move", rule, ship=ship.id)
    return [event for ship in ships for event in changed(ship, "moved", game.turn, "stays", rule)]


def decide_set_sails(game: Game, order: SetSails, _: Dice) -> list[Result]:
    """Raise or lower the sails before the ship moves (companion notes: only at cruise speed, at the cost of one hex).

    Raises:
        RuleViolation: The ship has natural sails, Masts Down or maximum speed, has moved or set its sails this turn, or
            the sails do not change.
    """
    rule = step_open(game)
    ship = active_ship(game, order.seat, order.ship, rule)
    raised = order.to == "up"
    verify_can_set_sails(game, ship, raised)
    cause = f"sails {order.to}"
    return [*changed(ship, "sails_up", raised, cause, rule), *changed(ship, "rigged", game.turn, cause, rule)]


def verify_can_set_sails(game: Game, ship: Unit, raised: bool) -> None:
    why, remedy = None, "move it with its sails as they are"
    if ship.get("natural_sails"):
        why = Reason("natural-sails", "its sails are always set")
    elif ship.get("masts_down"):
        why, remedy = Reason("masts-down", "its masts are down"), "wait until G.2c clears Masts Down"
    elif ship.get("level") == "maximum":
        why, remedy = Reason("maximum-speed", "it is moving at maximum speed"), "choose cruise for it in step D"
    elif has_moved(game, ship) or ship.get("rigged") == game.turn:
        why = Reason("acted-already", "it has already moved or set its sails this turn")
    elif bool(ship.get("sails_up")) == raised:
        why = Reason("set-so-already", f"they are already {'up' if raised else 'down'}")
    if why:
        raise refuse(game, "cannot-set-sails", step_open(game), ship=ship.id, why=why, remedy=remedy)
