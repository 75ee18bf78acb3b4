"""Words under seal, as a seat may see them: what waits, what was opened, what was withdrawn."""

import msgspec

from umpire_ledger.domain.game.events import NoteOpened, NoteSealed
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.application import Ledger
from umpire_ledger.projections.questions.deeds import seen_by


class SealedWords(msgspec.Struct, frozen=True, kw_only=True):
    """Words that a side sealed. `opened`: the record that opened or withdrew them, 0 while they wait."""

    position: int
    at: str
    side: str
    condition: str
    text: str
    opened: int = 0
    withdrawn: bool = False


def sealed_words(ledger: Ledger[Game], game: str, seat: str) -> list[SealedWords]:
    """All that a seat may read, the oldest first. Raises NoSuchGame."""
    ends = {
        one.event.note: (one.position, one.event.withdrawn)
        for one in seen_by(ledger, game, seat, ledger.lines_with(game, b'"type":"note.opened"'))
        if isinstance(one.event, NoteOpened)
    }
    state, found = ledger.state(game), ledger.lines_with(game, b'"type":"note.sealed"')
    return [
        SealedWords(
            position=one.position,
            at=one.at,
            side=state.side_of(one.seat),
            condition=one.event.condition,
            text=one.event.text,
            opened=ends.get(one.position, (0, False))[0],
            withdrawn=ends.get(one.position, (0, False))[1],
        )
        for one in seen_by(ledger, game, seat, found)
        if isinstance(one.event, NoteSealed)
    ]
