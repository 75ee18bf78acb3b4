"""Record fatigue counters (F.2). The summary does not print how to determine them.

Printed under F only; E lost its list, so a command squadron may record it in E.1 and E.2, and need not.
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
    """Add F counters; in F.2 that is the whole step.

    Raises:
        RuleViolation: a ship is not active.
    """
    rule = step_open(game)
    ships = [active_ship(game, order.seat, ship, rule) for ship in dict.fromkeys(order.ships)]
    results = [
        event
        for ship in ships
        for event in changed(ship, "fatigue", ship.number("fatigue") + order.counters, "tired", rule)
    ]
    return [*results, Closes()] if rule == "F.2" else results
