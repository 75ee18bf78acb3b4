"""Decide movement that the phasing side orders or a raid forces: operational, strategic, to new stations."""

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    Units,
    at_hex,
    enemies,
    fights_at,
    has,
    named_once,
    own_units,
    refuse,
    rule_of,
    this_turn,
)
from umpire_ledger.domain.titles.federation_and_empire.house_values import RAIDERS_MOVE
from umpire_ledger.domain.titles.federation_and_empire.movement.paths import (
    ONCE,
    Path,
    go,
    verify_network,
    verify_speed,
)
from umpire_ledger.kit import Dice, Game, Order, Reason, Result, Unit, changed, names_in, number_of, step_open

BEATEN_OFF = ("3A-2G", "3A-4G", "3A-4N")
"""Steps in which only units that are forced to retreat move."""
CAUSES = {"8A": "Strategic Movement", "3A-2G": "retreat", "3A-4G": "retreat", "3A-4N": "retreat", "3A-6B": "withdrawal"}


class MoveUnits(Order, frozen=True, kw_only=True, tag="move-units"):
    """Move units that are in one place along one path, hex by hex."""

    units: Units
    path: Path


def decide_move_units(game: Game, order: MoveUnits, _: Dice) -> list[Result]:
    """Move units along a path within the limits of the open step.

    Raises:
        RuleViolation: The units cannot move together (`verify_together`), or a unit is mothballed or may not move in
            this step.
    """
    units, step = own_units(game, order, order.units), step_open(game)
    for unit in units:
        if unit.get("mothballed") is True:
            raise refuse(game, "mothballed-unit", unit=unit.id)
        _verify_may_move(game, unit, step)
    if step == "3A-6D" and order.path[-1] not in new_stations(game):
        raise refuse(
            game, "not-a-new-station", "544.3", place=order.path[-1], stations=", ".join(new_stations(game)) or "none"
        )
    if step == "3B2":
        verify_speed(game, units, order.path)
    if step == "8A":
        verify_network(game, units, order.path)
    if step in (*BEATEN_OFF, "3A-6B"):
        _verify_away(game, units, order.path[-1], "544.231" if step == "3A-6B" else "314.244")
    noted = [event for unit in units for event in _noted(game, unit, step)]
    return [*go(game, units, order.path, CAUSES.get(step, "operational movement")), *noted]


def _verify_may_move(game: Game, unit: Unit, step: str) -> None:
    """Check that a unit may move in a step.

    Raises:
        RuleViolation: The unit is not forced to retreat in a step of retreats, is not at a new station in 3A-6B, or has
            raided or was reconfigured before 3B2.
    """
    if step in BEATEN_OFF and unit.get("outcome") != "retreats":
        raise refuse(game, "not-forced-to-retreat", "314.244", unit=unit.id)
    if step == "3A-6B" and unit.at not in new_stations(game):
        raise refuse(
            game, "no-new-station-here", "544.231", at=unit.at, stations=", ".join(new_stations(game)) or "nowhere"
        )
    if step == "3B2" and unit.get("raided") == game.turn and not number_of(game, RAIDERS_MOVE):
        raise refuse(game, "raided-this-turn", unit=unit.id)
    if step == "3B2" and unit.get("reconfigured") == this_turn(game):
        number = "525.222" if has(unit, "hdw") else "433.432"
        raise refuse(game, "reconfigured-this-turn", number, unit=unit.id)


def _verify_away(game: Game, units: tuple[Unit, ...], end: str, number: str) -> None:
    """Check the end of a retreat or withdrawal.

    Raises:
        RuleViolation: The path ends in its first hex or, as we read it, in a hex that the enemy holds.
    """
    if any(unit.at == end for unit in units):
        raise refuse(game, "move-ends-where-it-began", number, place=end)
    if is_held_against(game, units[0].side, end):
        raise refuse(game, "enemy-at-end", number, place=end)


def is_held_against(game: Game, side: str, place: str) -> bool:
    """Check whether a hex has enemies of a side and no other units; raiders do not count."""
    foes, there = enemies(game, side), [one for one in at_hex(game, place) if not one.get("raid_kind")]
    return any(one.side in foes and fights_at(one, place) for one in there) and all(one.side in foes for one in there)


def _noted(game: Game, unit: Unit, step: str) -> list[Result]:
    if step in ONCE:
        noted = named_once(game, unit, ONCE[step], Reason("moved", "has moved"), "name units that have not")
        deployed = changed(unit, "deployed", this_turn(game), "", rule_of(game)) if step == "3A-6D" else []
        return [*noted, *deployed]
    return changed(unit, "outcome", None, "it has retreated", rule_of(game))


def new_stations(game: Game) -> tuple[str, ...]:
    """Return the hexes in which pacification stations were emplaced in this player turn."""
    stations = (game.units.get(name) for name in names_in(game, "stations"))
    return tuple(dict.fromkeys(one.at for one in stations if one is not None and not one.fate))
