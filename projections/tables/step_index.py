"""Find the place in the sequence at each position, from the public events of the sequence alone.

A place is small enough to keep one for every order, so that a rewind can return to it. It contains no secrets, so it is
the same for every seat.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator

from immutables import Map

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.cursor import OpenStep
from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.game.evolve import fold
from umpire_ledger.domain.game.state import Game, replace
from umpire_ledger.projections.record.visible_record import VisibleRecord, decode

SEQUENCE = frozenset(
    {
        e.GameOpened,
        e.SeatTaken,
        e.GameEnded,
        e.StepOpened,
        e.SideDone,
        e.StepClosed,
        e.PlayJumped,
        e.LoopOpened,
        e.PassBegun,
        e.LoopClosed,
        e.PlayResumed,
    }
)
MOST_KEPT = 8192
"""The most places of earlier orders in memory, about 1 KB each; older places come from the ledger."""

OWN_STEP: dict[type, Callable[..., str]] = {
    e.StepOpened: lambda event: event.step,
    e.OrderGiven: lambda event: event.step,
    e.SideDone: lambda event: event.step,
    e.StepClosed: lambda event: event.step,
    e.StepPassed: lambda event: event.step,
    e.LoopOpened: lambda event: event.loop,
    e.PassBegun: lambda event: event.loop,
    e.LoopClosed: lambda event: event.loop,
}


class StepPlaces:
    """Tracks the place in the sequence after each record. `earlier`: returns the game at any older position."""

    def __init__(self, position: int, game: Game, earlier: Callable[[int], Game]) -> None:
        self._earlier = earlier
        self._pending: list[AnyEvent] = []
        self._now = bare(game)
        self._kept_at = [position]
        self._kept = [self._now]
        self._step: str | None = None

    def see(self, event: AnyEvent) -> None:
        """Read one public event of a kind in `SEQUENCE`; for a rewind, call `return_to` instead."""
        self._pending.append(event)
        if type(event) in (e.PassBegun, e.PlayResumed):
            self.now()

    def now(self) -> Game:
        """Apply pending events, and return the place as a game without its pieces."""
        if self._pending:
            self._now = bare(fold(self._now, self._pending))
            self._pending = []
            self._step = None
        return self._now

    @property
    def turn(self) -> int:
        return self._now.turn

    def order_ends(self, position: int) -> Game:
        """Keep the place after an order, to which a rewind may return."""
        if self.now() is not self._kept[-1]:
            self._kept_at.append(position)
            self._kept.append(self._now)
            if len(self._kept) > MOST_KEPT:
                del self._kept_at[: MOST_KEPT // 2], self._kept[: MOST_KEPT // 2]
        return self._now

    def return_to(self, position: int) -> None:
        """Return to the place at an earlier position."""
        self._pending = []
        self._step = None
        at = bisect_right(self._kept_at, position) - 1
        self._now = self._kept[at] if at >= 0 else bare(self._earlier(position))

    def step_for(self, seat: str) -> str:
        """Return the open step that waits for a seat's side; all open steps, joined with ` / `, if none does."""
        if self._pending or self._step is None:
            return self._find_step(seat)
        return self._step

    def _find_step(self, seat: str) -> str:
        now = self.now()
        steps = now.cursor.open
        if len(steps) < 2:
            self._step = steps[0].step if steps else ""
            return self._step
        side = now.side_of(seat)
        mine = tuple(one for one in steps if side in one.waits)
        return " / ".join(one.step for one in mine or steps)

    def open_of(self, steps: dict[str, int]) -> list[OpenStep]:
        """Return which of these steps are open."""
        return [one for one in self.now().cursor.open if one.step in steps]


def order_by_order(
    lines: Iterable[bytes], earlier: Callable[[int], Game], after: int = 0
) -> Iterator[tuple[list[VisibleRecord], Game]]:
    """Yield the records of each order of a log and the place after it, on all branches.

    Args:
        earlier: Returns the game at any position.
        lines: The lines after position `after`.
        after: The last position of an order, 0 for the whole log.

    Raises:
        BrokenLedger: When a line is not a valid record.
    """
    places = StepPlaces(after, earlier(after) if after else Game(), earlier)
    order: list[VisibleRecord] = []
    for record in map(decode, lines):
        if record.prior is not None and order:
            yield order, places.order_ends(order[-1].position)
            order = []
        order.append(record)
        if isinstance(record.event, e.PlayRewound):
            places.return_to(record.event.to)
        elif record.event is not None and record.visible_to is None and type(record.event) in SEQUENCE:
            places.see(record.event)
    if order:
        yield order, places.order_ends(order[-1].position)


def bare(game: Game) -> Game:
    """Return a game without its pieces, choices, tables and options."""
    if not (game.units or game.accounts or game.markers or game.choices or game.tables or game.options):
        return game
    nothing: Map[str, int] = Map()
    return replace(game, units=nothing, accounts=nothing, markers=nothing, choices=nothing, tables={}, options={})
