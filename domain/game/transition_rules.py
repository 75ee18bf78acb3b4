"""Check that an event is valid in the current state. The class of each event decides this from the state alone.

`evolve` applies every event of a log and never refuses. So new events are checked before they are recorded, and so are
the events of a log from another writer. Comments are valid in any state, and so are facts that only the log knows
(positions, disputes).
"""

from typing import Literal

from umpire_ledger.domain.game.events import AnyEvent, Event
from umpire_ledger.domain.game.state import Game


def transition_error(game: Game, event: AnyEvent) -> str:
    """Return the reason why an event is not valid in the game before it, in words; "" if it is valid.

    `game`: for a rewind, the state on the branch that play leaves.
    """
    return _error(game, event, "transition_error")


def transition_error_in_part(game: Game, event: AnyEvent) -> str:
    """Return `transition_error` for a game with withheld records, ignoring facts that these records may have changed.

    The remaining checks cover the public sequence of play, and contradictions within an event: sums, dice, paths.
    """
    return _error(game, event, "transition_error_in_part")


def _error(game: Game, event: AnyEvent, rule: Literal["transition_error", "transition_error_in_part"]) -> str:
    if not isinstance(event, Event):
        return f"{event!r} is not an event"
    try:
        return str(getattr(event, rule)(game))
    except (TypeError, AttributeError, ValueError, LookupError) as error:  # a field may have a value of the wrong type
        return f"a field of it cannot be read: {error}"
