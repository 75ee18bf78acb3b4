"""Find unplayed games from the same scenario, because a player who opens many games can choose a seed."""

from collections.abc import Iterator

from umpire_ledger.desk.core.adapters import LedgerHistory, event_of
from umpire_ledger.domain.game.events import GameOpened
from umpire_ledger.domain.game.state import Game, replace
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.records.errors import LedgerError

MOST_TALK = 20
"""Number of orders after which a game counts as played without reading it."""


def unplayed_before(ledger: Ledger[Game], game_id: str) -> tuple[str, ...]:
    """Return the ids of the unplayed games that this ledger opened from the same scenario before, the oldest first.

    A game with comments only is unplayed.
    """
    opened = _opening(ledger, game_id)
    return () if opened is None else tuple(_unplayed(ledger, game_id, opened))


def _unplayed(ledger: Ledger[Game], game_id: str, opened: GameOpened) -> Iterator[str]:
    for other in ledger.game_ids():
        if other == game_id:
            return
        try:
            if _opening(ledger, other) == opened and not _is_played(ledger, other):
                yield other
        except LedgerError:  # a broken game cannot be compared
            continue


def _opening(ledger: Ledger[Game], game_id: str) -> GameOpened | None:
    """Return the event that opened a game, without its id."""
    event = event_of(ledger.record(game_id, 1))
    return replace(event, game="") if isinstance(event, GameOpened) else None


def _is_played(ledger: Ledger[Game], game_id: str) -> bool:
    for number, taken in enumerate(LedgerHistory(ledger, game_id).newest_first()):
        if taken.first == 1:
            return False
        if not taken.is_talk or number == MOST_TALK:
            return True
    return False
