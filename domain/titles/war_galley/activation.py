"""Activate squadrons and single ships in E and F, with the Admiral's double activation and the crew test.

A side may pick either of two squadrons, the Admiral's or another one, and try once to activate both, before the picked
squadron does anything else. After a failure the other squadron acts alone. If the side picked the Admiral's squadron,
the other one replaces it in this pass, and the Admiral's squadron stays unused, without penalty.
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
    Reason,
    Result,
    TableRoll,
    Unit,
    changed,
    marked,
    names_in,
    on_table,
    picked_instead,
    replace,
    step_open,
    unread_roll,
)

DOUBLE = "E [6.18]"
ALONE = "F [6.16]"
LOOP = "E.squadron"
MOVEMENT = "E.1"
ADMIRAL_HAS_ACTED = Reason("admiral-has-acted", "the Admiral's squadron has already acted")


class ActivateBoth(TableRoll, frozen=True, kw_only=True, tag="activate-both"):
    """Activate the Admiral's own squadron and another in command range together, by the double activation table.

    `squadron`: the other one, if the Admiral's own was picked and several are in range.
    """

    squadron: str = ""


class CrewTest(Order, frozen=True, kw_only=True, tag="test-crew"):
    """Roll one die for the current individual ship, which acts freely on its crew rating or less."""


# --- active squadrons -----------------------------------------------------------------------------------------------


def in_hand(game: Game) -> tuple[str, ...]:
    """Return the active squadrons: the picked one, and the one that joined it in a double activation."""
    picked = game.cursor.item(LOOP) or game.cursor.item("F.ship")
    return (picked, *names_in(game, "joined")) if picked else ()


def active_ships(game: Game) -> tuple[Unit, ...]:
    """Return the ships that act now."""
    squadrons = in_hand(game)
    return tuple(ship for ship in afloat(game, game.cursor.side()) if ship.get("squadron") in squadrons)


def active_ships_of(game: Game, _: str) -> tuple[Unit, ...]:
    """Return the active ships of the current side, regardless of the seat that asks."""
    return active_ships(game)


def active_ship(game: Game, seat: str, ship: str, rule: str) -> Unit:
    """Return a ship of the seat's own side that acts now.

    Raises:
        RuleViolation: The ship is of another side, or does not act now.
    """
    found = own_ship(game, game.side_of(seat), ship, rule)
    acting = active_ships(game)
    if found not in acting:
        of_them = ", ".join(one.id for one in acting) or "none"
        raise refuse(game, "not-in-acting-squadron", rule, ship=ship, squadron=of_them)
    return found


def unused_squadrons(game: Game, side: str) -> tuple[str, ...]:
    """Return the command squadrons that have not joined a picked one this turn; the loop excludes picked ones."""
    return tuple(one for one in command_squadrons(game, side) if one not in names_in(game, "used"))


# --- double activation ----------------------------------------------------------------------------------------------


def partners_of_admiral(game: Game, side: str) -> tuple[str, ...]:
    """Return the unused squadrons with a commander in the Admiral's range that may now act with the Admiral's own."""
    ship, picked = admiral(game, side), game.cursor.item(LOOP)
    if ship is None:
        return ()
    own = str(ship.get("leads"))
    others = (picked,) if picked != own else tuple(one for one in _not_gone(game, side) if one != own)
    return tuple(one for one in others if _in_range(game, ship, one))


def _not_gone(game: Game, side: str) -> tuple[str, ...]:
    """Return squadrons that have not acted in E this turn; the picked one counts as gone."""
    frame = game.cursor.frame(LOOP)
    gone = frame.finished if frame else ()
    return tuple(one for one in unused_squadrons(game, side) if one not in gone)


def _in_range(game: Game, admirals: Unit, squadron: str) -> bool:
    other = flagship(game, admirals.side, squadron)
    return other is not None and distance(admirals.at, other.at) <= admirals.number("command_range")


def why_not_both(game: Game, side: str) -> Reason | None:
    """Return the reason why the Admiral cannot act with two squadrons now; None if a try is possible."""
    ship, picked = admiral(game, side), game.cursor.item(LOOP)
    if ship is None or not picked:
        return Reason("no-admiral", game.side_does(side, "has no Admiral"))
    own = str(ship.get("leads"))
    if own != picked and own not in _not_gone(game, side):
        return ADMIRAL_HAS_ACTED
    if not partners_of_admiral(game, side):
        alone = Reason("none-in-range", "no squadron that can still act is in the Admiral's range")
        return alone if own == picked else Reason("out-of-range", f"{picked} is out of the Admiral's range")
    return _why_too_late(game, own, picked)


def _why_too_late(game: Game, own: str, picked: str) -> Reason | None:
    """Return the reason why it is too late for an attempt; None if it is not.

    In E.1 only a picked Admiral's squadron may still try, as its first act. If the attempt is already rolled, its
    result may always be read off the table.
    """
    movement, others = game.cursor.opened(MOVEMENT), partners_of_admiral(game, game.cursor.side())
    if movement is None or any(unread_roll(game, _purpose(one, own)) for one in others):
        return None
    if own != picked:
        return Reason("attempt-over", f"the attempt with {picked} has ended, so it acts alone")
    return None if movement.acts == game.acts else ADMIRAL_HAS_ACTED


def _purpose(other: str, own: str) -> str:
    return f"double activation of {other} and {own}"


def admiral_may_join(game: Game, side: str) -> bool:
    """Check whether the Admiral's squadron may join the picked one. If picked itself, it makes its attempt in E.1."""
    ship = admiral(game, side)
    return why_not_both(game, side) is None and ship is not None and ship.get("leads") != game.cursor.item(LOOP)


def decide_activate_both(game: Game, order: ActivateBoth, dice: Dice) -> list[Result]:
    """Roll on the double activation table for the Admiral's squadron and one led from within the Admiral's range.

    Raises:
        RuleViolation: The side has no Admiral, the Admiral's squadron is used, no other is in range, the order names
            none of several in range, the attempt of this pass is over, or the squadron has acted.
    """
    side = game.side_of(order.seat)
    other = _partner(game, side, order)
    ship = admiral(game, side)
    assert ship is not None
    own, picked = str(ship.get("leads")), game.cursor.item(LOOP)
    purpose = _purpose(other, own)
    tried = on_table(game, dice, order, DOUBLE_ACTIVATION, purpose=purpose, rule=DOUBLE, subjects=(ship.id,))
    if tried.row is None:
        return list(tried.told)
    ends = () if step_open(game) == MOVEMENT else (Closes(),)
    if tried.row != "success":
        return [*tried.told, *picked_instead(game, LOOP, other), *ends]
    along = own if picked == other else other
    used = (*names_in(game, "used"), along)
    joined = marked(game, "joined", (along,), purpose, DOUBLE)
    return [*tried.told, *joined, *marked(game, "used", used, purpose, DOUBLE), *ends]


def _partner(game: Game, side: str, order: ActivateBoth) -> str:
    """Return the squadron that will act with the Admiral's own.

    Raises:
        RuleViolation: No squadron may, the named one may not, or the order names none of several that may.
    """
    if why := why_not_both(game, side):
        raise refuse(game, "no-double-activation", DOUBLE, why=why)
    possible = partners_of_admiral(game, side)
    if order.squadron in possible:
        return order.squadron
    if not order.squadron and len(possible) == 1:
        return possible[0]
    raise refuse(
        game,
        "not-with-admiral" if order.squadron else "squadron-not-named",
        DOUBLE,
        squadron=order.squadron,
        possible=possible,
    )


def pass_on(game: Game) -> list[Result]:
    """Clear the marks that count for one activation only, after a squadron has finished."""
    return [
        *marked(game, "joined", None),
        *marked(game, "boarded", None),
        *(event for ship in afloat(game) for event in changed(ship, "sent", None)),
    ]


def end_of_command(game: Game) -> list[Result]:
    """Clear the marker of used squadrons after all command squadrons have acted."""
    return marked(game, "used", None)


# --- individual squadrons -------------------------------------------------------------------------------------------


def test_is_due(game: Game, side: str) -> bool:
    """Check whether the active ship needs a crew test, because it is not next to an enemy."""
    return any(not beside_enemy(game, side, ship.at) for ship in active_ships(game))


def decide_test_crew(game: Game, _: CrewTest, dice: Dice) -> list[Result]:
    """Roll one unmodified die. On its crew rating or less, the ship acts freely.

    Otherwise it uses cruise speed and may not move next to an enemy this turn.
    """
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
