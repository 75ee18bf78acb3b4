"""E and F: which ships act now; the Admiral's double activation, the test of a ship that sails alone.

A double activation is tried with the other squadron in hand. So a failure needs no undoing: that squadron alone goes,
and the Admiral's own is still unused and acts later in E, without penalty.
"""

from umpire_ledger.domain.titles.war_galley.hexes import distance
from umpire_ledger.domain.titles.war_galley.ships import afloat, beside_enemy, own_ship, refuse
from umpire_ledger.domain.titles.war_galley.squadrons import admiral, command_squadrons, flagship
from umpire_ledger.domain.titles.war_galley.tables import DOUBLE_ACTIVATION
from umpire_ledger.kit import (
    Closes,
    Dice,
    Game,
    Order,
    Result,
    TableRoll,
    Unit,
    changed,
    marked,
    names_in,
    on_table,
    replace,
)

DOUBLE = "E [6.18]"
ALONE = "F [6.16]"


class ActivateBoth(TableRoll, frozen=True, kw_only=True, tag="activate-both"):
    """The Admiral tries to take his own squadron along with the one that was picked, on the double activation table."""


class CrewTest(Order, frozen=True, kw_only=True, tag="test-crew"):
    """Roll one die for the individual ship in hand: at or under its crew rating it acts freely."""


# --- who acts -------------------------------------------------------------------------------------------------------


def in_hand(game: Game) -> tuple[str, ...]:
    """The squadrons that are active now: the one picked, and the Admiral's where he went along."""
    picked = game.cursor.item("E.squadron") or game.cursor.item("F.ship")
    return (picked, *names_in(game, "joined")) if picked else ()


def active_ships(game: Game) -> tuple[Unit, ...]:
    """The ships that act now."""
    squadrons = in_hand(game)
    return tuple(ship for ship in afloat(game, game.cursor.side()) if ship.get("squadron") in squadrons)


def active_ship(game: Game, seat: str, ship: str, rule: str) -> Unit:
    """A ship of one's own that acts now; raises RuleViolation for any other."""
    found = own_ship(game, game.side_of(seat), ship, rule)
    acting = active_ships(game)
    if found not in acting:
        of_them = ", ".join(one.id for one in acting) or "none is left"
        raise refuse(game, f"{ship} is not in the squadron that acts now", f"name one of its ships: {of_them}", rule)
    return found


def unused_squadrons(game: Game, side: str) -> tuple[str, ...]:
    """Command squadrons that have not gone along with another this turn; the loop itself knows which were picked."""
    return tuple(one for one in command_squadrons(game, side) if one not in names_in(game, "used"))


# --- double activation ----------------------------------------------------------------------------------------------


def why_not_both(game: Game, side: str) -> str:
    """Why the Admiral cannot go along with the squadron in hand; "" when he may try."""
    ship, frame = admiral(game, side), game.cursor.frame("E.squadron")
    if ship is None or frame is None:
        return f"{game.side_name(side)} has no Admiral"
    own = str(ship.get("leads"))
    if own == frame.item:
        return "the Admiral's own squadron is the one that was picked"
    if own in frame.finished or own not in unused_squadrons(game, side):
        return "the Admiral's squadron has gone already"
    other = flagship(game, side, frame.item)
    if other is None or distance(ship.at, other.at) > ship.number("command_range"):
        return f"{frame.item} is out of the Admiral's range"
    return ""


def admiral_may_join(game: Game, side: str) -> bool:
    return why_not_both(game, side) == ""


def decide_activate_both(game: Game, order: ActivateBoth, dice: Dice) -> list[Result]:
    """The Admiral's squadron and one whose commander's ship is within his range, on the double activation table.

    Raises:
        RuleViolation: no Admiral, his squadron is used or the one in hand, or the other one is out of his range.
    """
    side = game.side_of(order.seat)
    if why := why_not_both(game, side):
        raise refuse(game, f"two squadrons cannot be activated: {why}", "`done` goes on with one squadron", DOUBLE)
    ship = admiral(game, side)
    assert ship is not None
    own = str(ship.get("leads"))
    purpose = f"double activation of {game.cursor.item('E.squadron')} and {own}"
    tried = on_table(game, dice, order, DOUBLE_ACTIVATION, purpose=purpose, rule=DOUBLE, subjects=(ship.id,))
    if tried.row is None:
        return list(tried.told)
    if tried.row != "success":
        return [*tried.told, Closes()]
    used = (*names_in(game, "used"), own)
    joined = marked(game, "joined", (own,), purpose, DOUBLE)
    return [*tried.told, *joined, *marked(game, "used", used, purpose, DOUBLE), Closes()]


def pass_on(game: Game) -> list[Result]:
    """A squadron is finished: what only counted for its activation is taken off."""
    return [
        *marked(game, "joined", None),
        *marked(game, "boarded", None),
        *(event for ship in afloat(game) for event in changed(ship, "sent", None)),
    ]


def end_of_command(game: Game) -> list[Result]:
    """All command squadrons have gone."""
    return marked(game, "used", None)


# --- individual squadrons -------------------------------------------------------------------------------------------


def test_is_due(game: Game, side: str) -> bool:
    """The ship in hand is not next to an enemy, so a die decides how it may act."""
    return any(not beside_enemy(game, side, ship.at) for ship in active_ships(game))


def decide_test_crew(game: Game, _: CrewTest, dice: Dice) -> list[Result]:
    """One unmodified die: at or under the crew rating the ship is free; else cruise, and it keeps away from enemies."""
    (ship,) = active_ships(game)
    crew = ship.number("crew")
    rolled = dice.roll("1d6", purpose=f"crew of {ship.id}", rule=ALONE, subjects=(ship.id,), needed=f"{crew} or less")
    if rolled.total <= crew:
        return [replace(rolled, outcome="acts freely"), Closes()]
    cause = f"crew test {rolled.total} over {crew}"
    return [
        replace(rolled, outcome="cruise, and not next to an enemy"),
        *changed(ship, "level", "cruise", cause, ALONE),
        *changed(ship, "restrained", game.turn, cause, ALONE),
        Closes(),
    ]
