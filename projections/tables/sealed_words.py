"""List sealed orders as a seat may see them: waiting, revealed or withdrawn."""

from collections.abc import Callable

import msgspec

from umpire_ledger.domain.game.events import NoteOpened, NoteSealed
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.record.visible_record import VisibleRecord, decode

Sees = Callable[[int, tuple[str, ...] | None], bool]
"""Returns whether a record may be seen, given its position and the seats that may see it."""
SEALED = "note.sealed"
MARK = b'"type":"note.'


class SealedWords(msgspec.Struct, frozen=True, kw_only=True):
    """A sealed order. `opened`: the record that revealed or withdrew it, 0 while it waits."""

    position: int
    at: str
    side: str
    condition: str
    text: str
    opened: int = 0
    withdrawn: bool = False


def notes(ledger: Ledger[Game], game_id: str, upto: int) -> list[VisibleRecord]:
    """Return the notes of a game up to a position, including rewound notes, because notes are not part of play.

    Raises:
        NoSuchGame: When the ledger has no such game.
    """
    return [one for one in map(decode, ledger.lines_with(game_id, MARK)) if one.position <= upto]


def sealed_words(found: list[VisibleRecord], game: Game, sees: Sees) -> list[SealedWords]:
    """Return the sealed orders among notes that may be read, oldest first."""
    ends = {one.event.note: (one.position, one.event.withdrawn) for one in found if isinstance(one.event, NoteOpened)}
    return [
        SealedWords(
            position=one.position,
            at=one.at,
            side=game.side_of(one.seat),
            condition=one.event.condition,
            text=one.event.text,
            opened=ends.get(one.position, (0, False))[0],
            withdrawn=ends.get(one.position, (0, False))[1],
        )
        for one in found
        if isinstance(one.event, NoteSealed) and not one.event.again and sees(one.position, one.visible_to)
    ]


def waiting(words: list[SealedWords]) -> tuple[SealedWords, ...]:
    """Return the sealed orders that are neither revealed nor withdrawn."""
    return tuple(one for one in words if not one.opened)
