"""Does an event fit the state it is told to? Each kind of event answers from the state alone.

`evolve` folds whatever the log holds, and never refuses. So what is about to be recorded is held against the state
first, and so is a log that somebody else wrote. Words without an effect, and what only the log knows (positions,
disputes), fit any state.
"""

from typing import Literal

from umpire_ledger.domain.game.events import AnyEvent, Event
from umpire_ledger.domain.game.state import Game


def transition_error(game: Game, event: AnyEvent) -> str:
    """Why an event does not fit the game that it is told to, in words; "" when it does.

    `game`: as it stands just before. For a rewind that is the line that is left.
    """
    return _error(game, event, "transition_error")


def transition_error_in_part(game: Game, event: AnyEvent) -> str:
    """The same for a game of which some records are withheld: what those may have changed is not asked.

    What remains is the sequence of play, which is public, and what contradicts itself: sums, dice, a path to nowhere.
    """
    return _error(game, event, "transition_error_in_part")


def _error(game: Game, event: AnyEvent, rule: Literal["transition_error", "transition_error_in_part"]) -> str:
    if not isinstance(event, Event):
        return f"{event!r} is no event"
    try:
        return str(getattr(event, rule)(game))
    except (TypeError, AttributeError, ValueError, LookupError) as error:  # a field of a type that it cannot have
        return f"a field of it cannot be read: {error}"
