"""Report the dice policy of an order that goes back (a rewind or an amendment), and the rolls that it reuses."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from umpire_ledger.desk.core.adapters import LedgerHistory, event_of, find_title_of
from umpire_ledger.domain.game.events import (
    AmendmentEnded,
    AmendmentStopped,
    AnyEvent,
    DicePolicy,
    DiceRolled,
    PlayRewound,
    RewindAsked,
)
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.history.reused_rolls import abandoned_rolls
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.records.record import Record
from umpire_ledger.projections.tables.seat_visibility import sees

GOING_BACK = (PlayRewound, RewindAsked, AmendmentStopped, AmendmentEnded)
MOST_NAMED = 12
"""Maximum number of rolls that a sentence names by position."""


class DiceUse(msgspec.Struct, frozen=True, kw_only=True):
    """The dice policy of an order that goes back. Both lists have only the rolls that the seat may see."""

    policy: DicePolicy
    """`reroll`, `keep` or `keep-unless-new`."""
    reused: tuple[int, ...] = ()
    """Positions of old rolls whose results this order used again."""
    reusable: tuple[int, ...] = ()
    """Positions of old rolls whose results later orders may use again."""

    @property
    def text(self) -> str:
        """One sentence for people, for example `dice: keep; later rolls can reuse #13, #15`."""
        said = [f"reused {_named(self.reused)}"] if self.reused else []
        said += [f"later rolls can reuse {_named(self.reusable)}"] if self.reusable else []
        return f"dice: {self.policy}; {'; '.join(said) or 'no old result is reused'}"


def _named(positions: Sequence[int]) -> str:
    more = f" and {len(positions) - MOST_NAMED} more" if len(positions) > MOST_NAMED else ""
    return f"{', '.join(f'#{one}' for one in positions[:MOST_NAMED])}{more}"


def dice_use(ledger: Ledger[Game], game_id: str, records: Sequence[Record], seat: str) -> DiceUse | None:
    """Return the dice policy of an order from its records, as a seat may see it; None if it does not go back."""
    events = {record.position: event for record in records if (event := event_of(record)) is not None}
    moves = [event for event in events.values() if isinstance(event, GOING_BACK)]
    if not moves:
        return None
    state = ledger.state(game_id, records[-1].position)
    seen = (events.get(one.position) for one in records if sees(state, seat, one.position, one.visible_to))
    return DiceUse(
        policy=_policy(moves, state),
        reused=reused_in(seen),
        reusable=tuple(reusable_in(ledger, game_id, state, seat)),
    )


def reused_in(events: Iterable[AnyEvent | None]) -> tuple[int, ...]:
    """Return the positions of the old rolls whose results these events use again."""
    return tuple(event.kept for event in events if isinstance(event, DiceRolled) and event.kept)


def _policy(moves: Sequence[AnyEvent], state: Game) -> DicePolicy:
    """Return the policy that the newest of these events sets; if none sets one, the policy in force."""
    for event in reversed(moves):
        if isinstance(event, RewindAsked) or (isinstance(event, PlayRewound) and event.kind != "redo"):
            return event.dice
    ended = any(isinstance(event, AmendmentEnded) and event.how == "played" for event in moves)
    keep = state.keep if ended else state.active_keep
    return keep.policy if keep else "reroll"


def reusable_in(ledger: Ledger[Game], game_id: str, state: Game, seat: str) -> Iterator[int]:
    """Yield the positions of the rolls that later orders may reuse and that the seat may see."""
    keep, title = state.active_keep, find_title_of(state)
    if keep is None or title is None:
        return
    rolls = abandoned_rolls(title, keep, LedgerHistory(ledger, game_id)).rolls
    for position in sorted({old.position for alike in rolls.values() for old in alike} - set(keep.used)):
        if sees(state, seat, position, ledger.record(game_id, position).visible_to):
            yield position
