"""Games that were opened from the same scenario and never played: whoever opens often enough finds a seed to like."""

from collections.abc import Iterator

from umpire_ledger.desk.core.adapters import LedgerPast, event_of
from umpire_ledger.domain.game.events import GameOpened
from umpire_ledger.domain.game.state import Game, replace
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.records.errors import LedgerError

MOST_TALK = 20
"""Orders behind which a game counts as played without being read."""


def unplayed_before(ledger: Ledger[Game], game: str) -> tuple[str, ...]:
    """The ids of the games that this ledger opened from the scenario of a game before it, and in which nobody did
    anything but talk; the oldest first."""
    opened = _opening(ledger, game)
    return () if opened is None else tuple(_unplayed(ledger, game, opened))


def _unplayed(ledger: Ledger[Game], game: str, opened: GameOpened) -> Iterator[str]:
    for other in ledger.game_ids():
        if other == game:
            return
        try:
            if _opening(ledger, other) == opened and not _is_played(ledger, other):
                yield other
        except LedgerError:  # nobody can say of a broken game
            continue


def _opening(ledger: Ledger[Game], game: str) -> GameOpened | None:
    """What a game was opened with, its id apart."""
    event = event_of(ledger.record(game, 1))
    return replace(event, game="") if isinstance(event, GameOpened) else None


def _is_played(ledger: Ledger[Game], game: str) -> bool:
    for number, taken in enumerate(LedgerPast(ledger, game).newest_first()):
        if taken.first == 1:
            return False
        if not taken.is_talk or number == MOST_TALK:
            return True
    return False
