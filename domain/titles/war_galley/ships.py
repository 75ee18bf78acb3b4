"""Read the attributes of ships, and answer small questions that several steps share.

From the scenario: crew, manpower, ram_defense, cruise, maximum (hexes), natural_sails, sails_up, commander, leads (the
squadron), command_range, admiral, initiative, facing. From play, each absent until it is set:

    squadron        id of its command squadron; its own id if it sails alone; null if it has none this turn
    level           cruise or maximum
    moved           turn in which it last moved or stayed
    restrained      turn in which its crew test failed
    rigged          turn in which its sails were changed
    sails_up        its sails are raised
    masts_down      its raised sails fell in a collision
    facing          N, NE, SE, S, SW or NW, if recorded
    fatigue         number of Fatigue counters
    grappled        ids of the ships that it is grappled to, on both ships
    fouled          ids of the ships that it is fouled with, on both ships
    fire            it burns
    caught          turn in which fire spread to it
    rammed          it was rammed
    aground         it ran aground
    worth_to        the side or sides that may count its ram defense, because it was rammed or ran aground
    captured_by     the side that captured it
    sent            manpower that has boarded in the current segment
    disengaging     turn of its attempt to disengage
    firefighting    turn of the attempt to put out its fire
    spread_tested   turn of its roll for the spread of fire
    sinking_tested  turn of its roll for sinking
    ram_points      the side or sides that hold the points for ramming or grounding it
    capture_points  the side that holds the points for capturing it
"""

from collections.abc import Iterable

from umpire_ledger.domain.titles.war_galley.hexes import distance
from umpire_ledger.domain.titles.war_galley.refusals import REFUSALS
from umpire_ledger.kit import Game, Result, Unit, Value, changed, refusing, unit_of

NAME = "War Galley"
refuse = refusing(NAME, REFUSALS)
"""Builder of this title's refusals; their rule is a printed label, for instance `E.2`."""


def enemy_of(game: Game, side: str) -> str:
    """Return the other side; a game has two."""
    return next((one for one in game.side_ids if one != side), "")


def afloat(game: Game, side: str = "") -> tuple[Unit, ...]:
    """Return the ships in play, sorted by id; if no side is named, the ships of both sides."""
    return game.in_play(side)


def own_ship(game: Game, side: str, ship: str, rule: str) -> Unit:
    """Return a ship in play that belongs to the side.

    Raises:
        RuleViolation: The ship belongs to another side, or is not in play.
    """
    found = unit_of(game, ship, f"{NAME} {rule}")
    if found.side != side:
        raise refuse(game, "ship-of-other-side", rule, ship=ship, side=game.side_name(found.side))
    return found


def hostile_ship(game: Game, side: str, ship: str, rule: str) -> Unit:
    """Return a ship in play that belongs to the enemy.

    Raises:
        RuleViolation: The ship belongs to the side itself, or is not in play.
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
    """Return sides as the value of an attribute: None, a single id, or several ids.

    Recorded games of all editions store a single side as its id, not as a tuple.
    """
    return sides if len(sides) > 1 else next(iter(sides), None)


def counted_by(ship: Unit) -> tuple[str, ...]:
    """Return the sides that may count a ship's ram defense: its enemies when it was rammed or ran aground."""
    return sides_in(ship, "worth_to")


def also_to(ship: Unit, side: str) -> Value:
    """Return the sides that may count a ship's ram defense, and one more: both sides may ram a captured ship."""
    return as_value(tuple(dict.fromkeys((*counted_by(ship), side))))


def has_sails(ship: Unit) -> bool:
    """Check for natural sails, or Sails Up."""
    return bool(ship.get("natural_sails") or ship.get("sails_up"))


def partners(ship: Unit) -> tuple[str, ...]:
    """Return the ids of the ships directly grappled or fouled with a ship, each once."""
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
