"""Place command counters into systems (TA.1 and TR.1).

Only the player's own counter prevents activating a system again; in a transfer this applies to the first system only.
Both systems of a transfer must hold friendly units, at least one each, and no others: this is the stricter of two
printed sentences.
"""

from collections.abc import Iterator

from umpire_ledger.domain.titles.twilight_imperium_3.galaxy import (
    adjacent,
    is_activated_by,
    systems,
    units_in,
    verify_system,
)
from umpire_ledger.domain.titles.twilight_imperium_3.units import activation, refuse
from umpire_ledger.kit import Closes, Dice, Game, Order, PlaceName, Reason, Result, after, marked, names_in, paid

NO_COMMAND_COUNTER = Reason("no-command-counter", "no counter is left in the Command area")


class Activate(Order, frozen=True, kw_only=True, tag="activate"):
    """Place a command counter from the Command area into a system."""

    system: PlaceName


class Transfer(Order, frozen=True, kw_only=True, tag="transfer"):
    """Activate two adjacent systems: `first` with a counter from the Command area, `second` from reinforcements."""

    first: PlaceName
    second: PlaceName


def why_no_tactical(game: Game, side: str) -> Reason | None:
    """Return the reason why a side cannot activate any system; None if it can."""
    if game.accounts.get(f"command/{side}", 0) < 1:
        return NO_COMMAND_COUNTER
    if all(is_activated_by(game, system, side) for system in systems(game)):
        return Reason("activated-everywhere", "every system already has one of its counters")
    return None


def decide_activate(game: Game, order: Activate, _: Dice) -> list[Result]:
    """Activate a system with a counter from the Command area.

    Raises:
        RuleViolation: The system already holds a counter of this player.
    """
    side = game.side_of(order.seat)
    verify_system(game, order.system, "TA.1")
    if is_activated_by(game, order.system, side):
        free = ", ".join(one for one in systems(game) if not is_activated_by(game, one, side))
        raise refuse(game, "activated-already", "TA.1", system=order.system, side=game.side_name(side), free=free)
    return [
        *paid(game, f"command/{side}", -1, f"activates {order.system}", "TA.1"),
        *_activated(game, (order.system,), side, "TA.1"),
        Closes(),
    ]


def _activated(game: Game, activated: tuple[str, ...], side: str, rule: str) -> list[Result]:
    counters = (
        event
        for system in activated
        for event in marked(
            game, f"activated/{system}", (*names_in(game, f"activated/{system}"), side), "activated", rule
        )
    )
    return [
        *counters,
        *marked(game, "now/systems", activated, "activated", rule),
        *marked(game, "now/activation", activation(game) + 1, "activated", rule),
    ]


# --- transfer ---------------------------------------------------------------------------------------------------------


def why_not_both(game: Game, side: str, first: str, second: str) -> Reason | None:
    """Return the reason why two systems cannot be activated for a transfer; None if they can."""
    if second not in adjacent(game, first):
        return Reason("not-adjacent", f"{second} is not adjacent to {first}")
    if is_activated_by(game, first, side):
        return Reason("activated-already", f"{first} already has a counter of {game.side_name(side)}")
    for system in (first, second):
        here = {unit.side for unit in units_in(game, system)}
        if side not in here:
            return Reason("no-friendly-unit", f"{system} has no friendly unit")
        if here != {side}:
            return Reason("enemy-units", f"{system} has enemy units")
    return None


def pairs(game: Game, side: str) -> Iterator[tuple[str, str]]:
    """Yield every transfer that a side could make."""
    for first in systems(game):
        for second in adjacent(game, first):
            if not why_not_both(game, side, first, second):
                yield first, second


def why_no_transfer(game: Game, side: str) -> Reason | None:
    """Return the reason why a side cannot make any transfer; None if it can."""
    if game.accounts.get(f"command/{side}", 0) < 1:
        return NO_COMMAND_COUNTER
    if game.accounts.get(f"reinforcements/{side}", 0) < 1:
        return Reason("no-counter-in-reinforcements", "no counter is left in reinforcements")
    if next(pairs(game, side), None) is None:
        return Reason("no-pair-of-systems", "no two adjacent systems have only friendly units and none of its counters")
    return None


def decide_transfer(game: Game, order: Transfer, _: Dice) -> list[Result]:
    """Place a counter from the Command area into one system, and one from reinforcements into the other.

    Raises:
        RuleViolation: The systems are not adjacent, the first is already activated, or one of them has an enemy unit or
            no friendly unit.
    """
    side = game.side_of(order.seat)
    for system in (order.first, order.second):
        verify_system(game, system, "TR.1")
    if why := why_not_both(game, side, order.first, order.second):
        could = "; ".join(f"{first} and {second}" for first, second in pairs(game, side))
        raise refuse(game, "cannot-transfer", "TR.1", why=why, systems=could)
    results = paid(game, f"command/{side}", -1, f"activates {order.first}", "TR.1")
    results += paid(game, f"reinforcements/{side}", -1, f"activates {order.second}", "TR.1")
    both = _activated(after(game, results), (order.first, order.second), side, "TR.1")
    return [*results, *both, Closes()]
