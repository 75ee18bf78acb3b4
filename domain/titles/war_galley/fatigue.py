"""Record Fatigue counters (F.2). The summary does not print how to determine their number.

It prints fatigue only under F. The list in E is lost, so a command squadron may record fatigue in E.1 and E.2, but
need not.
"""

from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.war_galley.activation import active_ship
from umpire_ledger.kit import Closes, Dice, Game, Order, Result, UnitName, changed, step_open


class Tire(Order, frozen=True, kw_only=True, tag="tire"):
    """Add Fatigue counters to ships of the active squadron."""

    ships: Annotated[tuple[UnitName, ...], msgspec.Meta(min_length=1, max_length=40)]
    counters: Annotated[int, msgspec.Meta(ge=1, le=9)] = 1


def decide_tire(game: Game, order: Tire, _: Dice) -> list[Result]:
    """Add Fatigue counters; in F.2 the order also closes the step.

    Raises:
        RuleViolation: A ship is not active.
    """
    rule = step_open(game)
    ships = [active_ship(game, order.seat, ship, rule) for ship in dict.fromkeys(order.ships)]
    results = [
        event
        for ship in ships
        for event in changed(ship, "fatigue", ship.number("fatigue") + order.counters, "tired", rule)
    ]
    return [*results, Closes()] if rule == "F.2" else results
