"""Assign ships to squadrons (B). A squadron's id is the value of `leads` on its commander's ship."""

from umpire_ledger.domain.titles.war_galley.hexes import distance
from umpire_ledger.domain.titles.war_galley.ships import afloat, is_captured, own_ship, refuse
from umpire_ledger.kit import Dice, Game, Name, Order, Result, Unit, UnitName, changed, leave_when_nothing_is_due

RULE = "B [6.1]"


class Join(Order, frozen=True, kw_only=True, tag="join"):
    """Put a ship that is within the range of several commanders into the squadron of one of them."""

    ship: UnitName
    squadron: Name


def flagships(game: Game, side: str) -> tuple[Unit, ...]:
    """Return the commanders' ships that still sail for their own side; a captured ship leads no squadron."""
    return tuple(ship for ship in afloat(game, side) if ship.get("leads") and not is_captured(ship))


def flagship(game: Game, side: str, squadron: str) -> Unit | None:
    """Return the ship from which a squadron is led, or None if it is lost."""
    return next((ship for ship in flagships(game, side) if ship.get("leads") == squadron), None)


def admiral(game: Game, side: str) -> Unit | None:
    """Return the ship of a side's Admiral, or None if the side has no Admiral or has lost it."""
    return next((ship for ship in flagships(game, side) if ship.get("admiral")), None)


def open_to(game: Game, ship: Unit) -> tuple[str, ...]:
    """Return the squadrons that a ship may join.

    A commander's ship belongs to the squadron that it leads. Other ships may join a squadron if they are within its
    commander's command range.
    """
    leaders = flagships(game, ship.side)
    if ship in leaders:
        return (str(ship.get("leads")),)
    near = (one for one in leaders if distance(one.at, ship.at) <= one.number("command_range"))
    return tuple(str(one.get("leads")) for one in near)


def determine(game: Game) -> list[Result]:
    """Assign each ship to the only squadron in range, or let it sail alone if no squadron is in range.

    The owners of ships in range of several squadrons choose.
    """
    return [event for ship in afloat(game) for event in changed(ship, "squadron", _place_of(game, ship), rule=RULE)]


def _place_of(game: Game, ship: Unit) -> str | None:
    squadrons = open_to(game, ship)
    if len(squadrons) > 1:
        return None
    return squadrons[0] if squadrons else ship.id


def unassigned(game: Game, side: str) -> tuple[Unit, ...]:
    """Return the ships whose owner must still choose their squadron; if no side is named, the ships of both sides."""
    return tuple(ship for ship in afloat(game, side) if ship.get("squadron") is None and len(open_to(game, ship)) > 1)


def choosers(game: Game) -> tuple[str, ...]:
    return tuple(side for side in game.side_ids if unassigned(game, side))


def ships_choose(game: Game, side: str) -> bool:
    return bool(unassigned(game, side))


def decide_join(game: Game, order: Join, _: Dice) -> list[Result]:
    """Assign a ship in range of several commanders. The owner may change the choice while step B is open.

    Raises:
        RuleViolation: The ship belongs to another side, has no choice, or is out of the commander's range.
    """
    side = game.side_of(order.seat)
    ship = own_ship(game, side, order.ship, RULE)
    verify_can_join(game, ship, order.squadron)
    return leave_when_nothing_is_due(game, changed(ship, "squadron", order.squadron, "chosen", RULE), ships_choose)


def verify_can_join(game: Game, ship: Unit, squadron: str) -> None:
    squadrons = open_to(game, ship)
    if len(squadrons) < 2:
        waiting = ", ".join(one.id for one in unassigned(game, ship.side)) or "none"
        raise refuse(
            game,
            "no-choice-of-squadron",
            RULE,
            ship=ship.id,
            in_range=squadrons[0] if squadrons else "no commander",
            waiting=waiting,
        )
    if squadron not in squadrons:
        raise refuse(game, "out-of-command-range", RULE, ship=ship.id, squadron=squadron, squadrons=squadrons)


# --- for the other chapters -----------------------------------------------------------------------------------------


def ships_of(game: Game, side: str, squadron: str) -> tuple[Unit, ...]:
    """Return the ships of a squadron that are still in play under its side."""
    return tuple(ship for ship in afloat(game, side) if ship.get("squadron") == squadron)


def command_squadrons(game: Game, side: str) -> tuple[str, ...]:
    """Return the squadrons of a side that are led by a commander, each once, in the order of their ships."""
    names = (ship.get("squadron") for ship in afloat(game, side) if ship.get("squadron") != ship.id)
    return tuple(dict.fromkeys(str(name) for name in names if name))


def individual_squadrons(game: Game, side: str) -> tuple[str, ...]:
    """Return the ships of a side that sail alone, each a squadron of one ship."""
    return tuple(ship.id for ship in afloat(game, side) if ship.get("squadron") == ship.id)


def all_squadrons(game: Game, side: str) -> tuple[str, ...]:
    return (*command_squadrons(game, side), *individual_squadrons(game, side))
