"""List the records that a seat could see at a position, rewound records too: a rewind does not hide them again.

The log shows that a seat could read a record, not that it did.
"""

from collections.abc import Iterable

import msgspec

from umpire_ledger.domain.game.events import ChoiceMade, ChoiceRevealed, ChoiceSealed, DiceRolled
from umpire_ledger.projections.record.event_text import text_of
from umpire_ledger.projections.record.visible_record import Seen

TELLING = (ChoiceMade, ChoiceRevealed, ChoiceSealed, DiceRolled)


class LearntSecret(msgspec.Struct, frozen=True, kw_only=True):
    """A record that a seat could see. `own`: restricted to some seats; `counts`: not undone by then."""

    position: int
    seat: str
    text: str
    own: bool
    counts: bool


class PastKnowledge(msgspec.Struct, frozen=True, kw_only=True):
    """The records that a seat could see at a position. `secrets`: those restricted to some seats.

    `undone`: rolls, choices and secrets that it could see and that a rewind had undone by then. `hidden`: positions of
    records that it could not see.
    """

    secrets: tuple[LearntSecret, ...]
    undone: tuple[LearntSecret, ...]
    hidden: tuple[int, ...]


def knowledge_from(records: Iterable[Seen], counts: Iterable[tuple[int, int]]) -> PastKnowledge:
    """Return the knowledge from all records up to a position as the seat may see them.

    Args:
        counts: First and last position of each stretch that counted at that position.
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
