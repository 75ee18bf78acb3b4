"""Compute the game after each event, the same for every title.

`evolve` never refuses or rolls, and reads neither a clock nor the declaration of a sequence. So the log alone
determines the game, with or without the title installed.

A `play.rewound` event applies to the state at the position it returns to. The ledger stores the parent of each record
and passes that branch.
"""

from collections.abc import Iterable

from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.game.folding_game import FoldingGame
from umpire_ledger.domain.game.state import Game


def fold(game: Game, events: Iterable[AnyEvent]) -> Game:
    """Return the game after the events of one branch, in order."""
    draft = FoldingGame(game)
    for event in events:
        event.apply(draft)
    return draft.freeze()


def evolve(game: Game, event: AnyEvent) -> Game:
    """Return the game after one event."""
    return fold(game, (event,))
