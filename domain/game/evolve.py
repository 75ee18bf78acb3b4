"""`evolve`: the game after each event, the same for every title.

It never refuses, never rolls, reads no clock and no declaration of a sequence: whoever holds the log holds the game,
with or without the title installed.

A `play.rewound` event is folded on the state of the position it goes back to: the ledger keeps which record follows
which, and hands over that line.
"""

from collections.abc import Iterable

from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.game.folding_game import FoldingGame
from umpire_ledger.domain.game.state import Game


def fold(game: Game, events: Iterable[AnyEvent]) -> Game:
    """The game after many events of one line, in order."""
    draft = FoldingGame(game)
    for event in events:
        event.apply(draft)
    return draft.freeze()


def evolve(game: Game, event: AnyEvent) -> Game:
    """The game after one event."""
    return fold(game, (event,))
