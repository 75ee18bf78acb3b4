"""Use the primary ability (STRAT), then the secondaries clockwise, each for one counter from the Strategy area.

Effects of Strategy cards are not printed here: the group records them with the generic orders. The printed sentence on
how often a player takes part is incomplete. Our reading is once for each secondary, for one counter each time.
"""

from umpire_ledger.domain.titles.twilight_imperium_3.galaxy import clockwise
from umpire_ledger.domain.titles.twilight_imperium_3.units import player, refuse
from umpire_ledger.kit import Closes, Dice, Game, Order, Result, paid, word_in


class JoinSecondary(Order, frozen=True, kw_only=True, tag="join-secondary"):
    """Take part in the secondary ability for one counter from the Strategy area."""


def the_others(game: Game, _: str) -> tuple[str, ...]:
    """Return all sides but the active player, clockwise from it; players who have passed are included."""
    return clockwise(game, player(game))


def secondary_player(game: Game) -> tuple[str, ...]:
    """Return the side that may use the secondary ability now."""
    offered = game.cursor.item("STRAT.secondaries")
    return (offered,) if offered else ()


def can_join(game: Game, _: str) -> bool:
    """Check whether the offered side has a counter in the Strategy area."""
    return any(game.accounts.get(f"strategy/{side}", 0) > 0 for side in secondary_player(game))


def decide_join_secondary(game: Game, order: JoinSecondary, _: Dice) -> list[Result]:
    """Pay one counter for one secondary ability.

    Raises:
        RuleViolation: No counter is left in the Strategy area.
    """
    side = game.side_of(order.seat)
    if game.accounts.get(f"strategy/{side}", 0) < 1:
        what = game.side_does(side, "has no counter left in the Strategy area")
        raise refuse(game, "cannot-use-secondary", "STRAT", why=what)
    cause = f"secondary ability of {word_in(game, 'now/strategy-card')}"
    return [*paid(game, f"strategy/{side}", -1, cause, "STRAT"), Closes()]
