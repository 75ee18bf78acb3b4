"""Read ships as units: their attributes, and small questions that several steps share.

From the scenario: crew, manpower, ram_defense, cruise, maximum (hexes), natural_sails, commander, leads (the squadron),
command_range, admiral, initiative. From play, absent until it happens:

    squadron    a command squadron's id; its own id: an individual squadron of one ship; null: none this turn
    level       cruise or maximum            fatigue     F counters
    moved       turn of its last move        restrained  turn in which its crew test failed
    rigged      turn in which its sails were changed
    grappled    ids, on both ships           fouled      ids, on both ships
    fire        it burns                     caught      turn in which fire spread to it
    sails_up    sails raised                 masts_down  it lost them in a collision
    facing      N, NE, SE, S, SW or NW, if it is on record
    rammed, aground                          worth_to    the enemy who may count its ram defense for that, or both
    captured_by the side that took it        sent        manpower that boards in the current segment
    boarded, disengaging, firefighting, spread_tested, sinking_tested: the turn in which it was tried
    ram_points, capture_points: the side that holds the points for it, or both
"""

from collections.abc import Iterable

from umpire_ledger.domain.titles.war_galley.hexes import distance
from umpire_ledger.domain.titles.war_galley.refusals import REFUSALS
from umpire_ledger.kit import Game, Result, Unit, Value, changed, refusing, unit_of

NAME = "War Galley"
refuse = refusing(NAME, REFUSALS)
"""Under a printed label, for instance `E.2`."""


def enemy_of(game: Game, side: str) -> str:
    """Return the other side; a game has two."""
    return next((one for one in game.side_ids if one != side), "")


def afloat(game: Game, side: str = "") -> tuple[Unit, ...]:
    """Return the ships in play, of one side or of both, by id."""
    return game.in_play(side)


def own_ship(game: Game, side: str, ship: str, rule: str) -> Unit:
    """Return a ship in play that belongs to the side.

    Raises:
        RuleViolation: The ship is another side's, or not in play.
    """
    found = unit_of(game, ship, f"{NAME} {rule}")
    if found.side != side:
        raise refuse(game, "ship-of-other-side", rule, ship=ship, side=game.side_name(found.side))
    return found


def hostile_ship(game: Game, side: str, ship: str, rule: str) -> Unit:
    """Return a ship in play that belongs to the enemy.

    Raises:
        RuleViolation: The ship is the side's own, or not in play.
    """
    found = unit_of(game, ship, f"{NAME} {rule}")
    if found.side == side:
        raise refuse(game, "own-ship", rule, ship=ship)
    return found


def beside_enemy(game: Game, side: str, at: str) -> bool:
    """Check whether an enemy of the side is in or next to a hex."""
    return any(distance(at, enemy.at) <= 1 for enemy in afloat(game, enemy_of(game, side)))


def is_captured(ship: Unit) -> bool:
    return bool(ship.get("captured_by"))


def sides_in(ship: Unit, attribute: str) -> tuple[str, ...]:
    """Return the sides that an attribute of a ship names: none, one or both."""
    value = ship.get(attribute)
    return (value,) if isinstance(value, str) else ship.names(attribute)


def as_value(sides: tuple[str, ...]) -> Value:
    """Return sides as an attribute stores them: one side as its id alone, as in games of every edition."""
    return sides if len(sides) > 1 else next(iter(sides), None)


def counted_by(ship: Unit) -> tuple[str, ...]:
    """Return the sides whose enemy the ship was when it was rammed or ran aground."""
    return sides_in(ship, "worth_to")


def also_to(ship: Unit, side: str) -> Value:
    """Return the sides that count the ram defense of a ship, with one added: both sides may ram a prize."""
    return as_value(tuple(dict.fromkeys((*counted_by(ship), side))))


def has_sails(ship: Unit) -> bool:
    """Check for natural sails, or Sails Up."""
    return bool(ship.get("natural_sails") or ship.get("sails_up"))


def partners(ship: Unit) -> tuple[str, ...]:
    """Return the ships directly grappled or fouled with it, each once."""
    return tuple(dict.fromkeys((*ship.names("grappled"), *ship.names("fouled"))))


def untied(game: Game, ships: Iterable[str], ties: tuple[str, ...], cause: str, rule: str) -> list[Result]:
    """Remove the ties of all other ships to these ships."""
    gone = set(ships)
    results: list[Result] = []
    for ship in afloat(game):
        for tie in ties if ship.id not in gone else ():
            left = tuple(one for one in ship.names(tie) if one not in gone)
            if left != ship.names(tie):
                results += changed(ship, tie, left, cause, rule)
    return results
