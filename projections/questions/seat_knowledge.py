"""List the records that a seat could see at a position, including rewound records, which a rewind does not hide again.

The log shows only that a seat could read a record. It does not show that the seat read it.
"""

from collections.abc import Iterable

import msgspec

from umpire_ledger.domain.game.events import ChoiceMade, ChoiceRevealed, ChoiceSealed, DiceRolled
from umpire_ledger.projections.record.event_text import text_of
from umpire_ledger.projections.record.visible_record import VisibleRecord

TELLING = (ChoiceMade, ChoiceRevealed, ChoiceSealed, DiceRolled)


class LearntSecret(msgspec.Struct, frozen=True, kw_only=True):
    """A record that a seat could see. `own`: restricted to some seats; `counts`: not rewound at that position."""

    position: int
    seat: str
    text: str
    own: bool
    counts: bool


class PastKnowledge(msgspec.Struct, frozen=True, kw_only=True):
    """The records that a seat could see at a position. `secrets`: records that counted and only some seats could see.

    `undone`: rolls, choices and secrets that the seat could see and a rewind had already undone. `hidden`: positions of
    the records that the seat could not see.
    """

    secrets: tuple[LearntSecret, ...]
    undone: tuple[LearntSecret, ...]
    hidden: tuple[int, ...]


def knowledge_from(records: Iterable[VisibleRecord], counts: Iterable[tuple[int, int]]) -> PastKnowledge:
    """Return the knowledge of a seat at a position.

    Args:
        records: All records up to the position, as the seat may see them.
        counts: First and last position of each stretch that counted at the position.
    """
    stretches = tuple(counts)
    secrets: list[LearntSecret] = []
    undone: list[LearntSecret] = []
    hidden: list[int] = []
    for record in records:
        if record.event is None:
            hidden.append(record.position)
            continue
        on_line = any(first <= record.position <= last for first, last in stretches)
        own = record.visible_to is not None
        if not own and (on_line or not isinstance(record.event, TELLING)):
            continue
        learnt = LearntSecret(
            position=record.position, seat=record.seat, text=text_of(record.event), own=own, counts=on_line
        )
        (secrets if on_line else undone).append(learnt)
    return PastKnowledge(secrets=tuple(secrets), undone=tuple(undone), hidden=tuple(hidden))
