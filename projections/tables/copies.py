"""Find the origin of a copied game, which every view of the copy names after the copy's own name."""

import msgspec

from umpire_ledger.domain.game.events import DiceCommitted, GameCopied
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.record.visible_record import decode

MARKS = (b'"type":"game.copied"', b'"type":"dice.committed"')


class CopyOrigin(msgspec.Struct, frozen=True, kw_only=True):
    """The origin of a copied game. `at`: the last copied position; 0 if an old log does not say."""

    of: str
    at: int


def copied_from(ledger: Ledger[Game], game_id: str) -> CopyOrigin | None:
    """Return the newest origin of a game; None if it is not a copy.

    The state contains the origin, unless the copy was rewound to a position before the copying, or was made before
    copies recorded their origin. In these cases the log is read.

    Raises:
        NoSuchGame: When the ledger has no such game.
    """
    state = ledger.state(game_id)
    if state.id == game_id:
        return None if state.copied is None else CopyOrigin(of=state.copied, at=state.copied_at)
    found = CopyOrigin(of=state.id, at=0)
    for line in ledger.lines(game_id):
        if any(mark in line for mark in MARKS):
            record = decode(line)
            if isinstance(record.event, GameCopied) and record.event.game == game_id and not record.event.is_same_game:
                return CopyOrigin(of=record.event.of, at=record.event.at)
            if isinstance(record.event, DiceCommitted) and record.event.label == game_id:
                found = CopyOrigin(of=state.id, at=record.position - 1)
    return found


def copied_in(game_id: str, state: Game) -> CopyOrigin | None:
    """Return the origin of a copied game from its last state alone; None if it is not a copy.

    Args:
        game_id: The id of the game in its log.
        state: The last state of the game.
    """
    if state.id in ("", game_id):
        return None if state.copied is None else CopyOrigin(of=state.copied, at=state.copied_at)
    return CopyOrigin(of=state.id, at=0)


def copy_words(copied: CopyOrigin | None) -> str:
    """Return the origin in words, `a copy of harbour at #585`; "" if there is none."""
    if copied is None:
        return ""
    return f"a copy of {copied.of}" + (f" at #{copied.at}" if copied.at else "")


def full_name(game_id: str, copied: CopyOrigin | None) -> str:
    """Return the name of a game with its origin: `what-if (a copy of harbour at #585)`."""
    words = copy_words(copied)
    return f"{game_id} ({words})" if words else game_id
