"""Set the speed level of each ship to cruise or maximum (D).

The sides alternate, one squadron at a time, starting with the first player. The levels are public. A side with no
squadron left is skipped. A ship that sails alone is a squadron too.
"""

from typing import Literal

from umpire_ledger.domain.titles.war_galley.ships import is_captured, refuse
from umpire_ledger.domain.titles.war_galley.squadrons import ships_of
from umpire_ledger.kit import Closes, Dice, Game, Order, Reason, Result, Unit, UnitName, changed

RULE = "D [6.22]"
Level = Literal["cruise", "maximum"]


class SetLevels(Order, frozen=True, kw_only=True, tag="set-levels"):
    """Set every ship of the squadron to `level`, and the ships in `but` to the other level."""

    level: Level
    but: tuple[UnitName, ...] = ()


def squadron_in_hand(game: Game, side: str) -> tuple[Unit, ...]:
    return ships_of(game, side, game.cursor.item("D"))


def levels_are_open(game: Game, side: str) -> bool:
    """Check whether the active squadron has ships, which then need levels: setting the levels closes the step."""
    return bool(squadron_in_hand(game, side))


def decide_set_levels(game: Game, order: SetLevels, _: Dice) -> list[Result]:
    """Set a level for every ship of the active squadron.

    Raises:
        RuleViolation: The order names a ship of another squadron, or sets maximum for a captured ship or one without
            crew.
    """
    ships = squadron_in_hand(game, game.side_of(order.seat))
    strangers = set(order.but) - {ship.id for ship in ships}
    if strangers:
        of_it = ", ".join(ship.id for ship in ships)
        raise refuse(
            game,
            "not-in-squadron",
            RULE,
            strangers=tuple(sorted(strangers)),
            squadron=game.cursor.item("D"),
            of_it=of_it,
        )
    verify_can_have_levels(game, ships, order)
    return [*(one for ship in ships for one in changed(ship, "level", _level(order, ship), rule=RULE)), Closes()]


def _level(order: SetLevels, ship: Unit) -> Level:
    if ship.id not in order.but:
        return order.level
    return "cruise" if order.level == "maximum" else "maximum"


def why_cruise_only(ship: Unit) -> Reason | None:
    """Return the reason why a ship may not use maximum speed; None if it may.

    The rule for ships without crew is from the companion notes.
    """
    if is_captured(ship):
        return Reason("captured", "a captured ship may use cruise speed only")
    return None if ship.number("crew") else Reason("no-crew", "a ship without crew cannot use maximum speed")


def verify_can_have_levels(game: Game, ships: tuple[Unit, ...], order: SetLevels) -> None:
    for ship in ships:
        why = why_cruise_only(ship) if _level(order, ship) == "maximum" else None
        if why:
            raise refuse(
                game,
                "no-maximum" if order.level == "maximum" else "no-maximum-unless-excepted",
                f"{RULE}, E.2",
                ship=ship.id,
                why=why,
            )
