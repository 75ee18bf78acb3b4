"""Write orders, copies of games, and imported logs, each atomically."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import chain
from threading import RLock
from typing import Any

from eventsourcing.persistence import IntegrityError

from umpire_ledger.ledger.branches import Branches
from umpire_ledger.ledger.merkle.compact_ranges import CompactRanges, to_keep
from umpire_ledger.ledger.merkle.tree import CompactRange
from umpire_ledger.ledger.order_batches import PendingOrder, batches, orders_of, write_down
from umpire_ledger.ledger.reading import GameReader
from umpire_ledger.ledger.records.errors import (
    BrokenLedger,
    CannotBeWritten,
    CommitUnknown,
    GameExists,
    PositionConflict,
    StoreUnavailable,
    record_count,
)
from umpire_ledger.ledger.records.record import Record, Row, check_game_id, row_of
from umpire_ledger.ledger.snapshots import Snapshots
from umpire_ledger.ledger.state_cache import StateCache
from umpire_ledger.ledger.storage.commits import until_known
from umpire_ledger.ledger.storage.copies import copied_entry
from umpire_ledger.ledger.storage.interface import LineStore

AT_ONCE = 100  # orders of a copy in one insert


class OrderRecords(tuple[tuple[Record, ...], ...]):
    """The records of each of several orders. `repeated`: they were recorded before this call, which wrote nothing.

    Then the orders may differ from those of the call: the ledger compares only ids, and the caller must compare the
    orders.
    """

    repeated = False

    @classmethod
    def known(cls, answers: Iterable[tuple[Record, ...]]) -> OrderRecords:
        """Return the answers of an earlier call."""
        found = cls(answers)
        found.repeated = True
        return found


LOOK_AT_GAMES = "check with `umpire games`; if the game is not listed, repeat the command"


class Importing:
    """The import of one game's log, inside a transaction."""

    def __init__(self, store: LineStore, game_id: str) -> None:
        self._store = store
        self._game = game_id

    def insert(self, rows: Iterable[Row]) -> None:
        """Append checked records."""
        self._store.insert_lines(self._game, rows)

    def settle(self, edge: CompactRange) -> None:
        """Store the compact range after the last record, and mark the game as a copy."""
        self._store.insert_lines(self._game, (), to_keep(edge))
        with self._store.metadata() as metadata:
            metadata.put(copied_entry(self._game, "import", edge.size))


class Writing:
    """Writes into the games of one store, and updates the caches."""

    def __init__(
        self,
        store: LineStore,
        reading: GameReader,
        edges: CompactRanges,
        branches: Branches,
        states: StateCache[Any],
        snapshots: Snapshots[Any],
        clock: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._reading = reading
        self._edges = edges
        self._branches = branches
        self._states = states
        self._snapshots = snapshots
        self._clock = clock
        self._lock = RLock()

    # --- orders ---

    def append(self, game_id: str, after: int, orders: Sequence[PendingOrder]) -> OrderRecords:
        """Record orders in one transaction after record `after`.

        Raises:
            LedgerError: As in `Ledger.append`.
        """
        if not orders:
            return OrderRecords()
        if after == 0:
            check_game_id(game_id)
        with self._lock:
            edge = self._edges.for_writing(game_id, after)
            if edge is None:
                return self._refused(game_id, after, orders)
            answers, edges, rows = self._write_down(game_id, edge, orders)
            try:
                self._insert(game_id, rows, edges[-1])
            except IntegrityError:
                self._edges.invalidate(game_id)
                found = self._refused(game_id, after, orders)
                if found != answers:
                    return found  # otherwise an attempt whose acknowledgement was lost wrote these very records
            except CommitUnknown as unknown:
                self._edges.invalidate(game_id)
                self._verify_recorded(game_id, answers, unknown)
            self._remember(game_id, after, orders, edges, rows)
            return answers

    def _verify_recorded(self, game_id: str, answers: OrderRecords, unknown: CommitUnknown) -> None:
        """Look the orders up after a commit of unknown outcome.

        Raises:
            CommitUnknown: The present answer is not final. The error has the ids of the orders.
            StoreUnavailable: The orders are not recorded and will not be.
        """
        ids = tuple(records[0].command for records in answers)
        if not self._is_final():
            raise unknown.of_orders(ids) from unknown
        if tuple(self._reading.answer(game_id, one) for one in ids) != answers:
            what = f"{unknown.fault}; nothing was recorded"
            raise StoreUnavailable(what, where=unknown.where, remedy="check the disk, then repeat it") from unknown

    def _is_final(self) -> bool:
        with contextlib.suppress(StoreUnavailable):  # then the outcome stays unknown, and that is reported
            return self._store.reopen()
        return False

    def _insert(self, game_id: str, rows: list[Row], edge: CompactRange) -> None:
        """Insert rows; after a commit of unknown outcome, insert the same rows again.

        The store accepts the same rows only once. If the first attempt recorded them or is still recording them, the
        next one conflicts with them, and the caller finds its records by their order ids. If the next attempt records
        them, they are as durable as after any commit. If no attempt succeeds, the outcome of the first one stays
        unknown.
        """
        until_known(lambda: self._store.insert_lines(game_id, rows, to_keep(edge)))

    def _write_down(
        self, game_id: str, edge: CompactRange, orders: Iterable[PendingOrder]
    ) -> tuple[OrderRecords, list[CompactRange], list[Row]]:
        """Return the records of orders after `edge`, the compact range after each order, and all rows."""
        answers: list[tuple[Record, ...]] = []
        edges: list[CompactRange] = []
        rows: list[Row] = []
        for order in orders:
            records = write_down(game_id, edge, order, self._clock)
            edge = edge.grow([record.leaf(game_id) for record in records])
            answers.append(records)
            edges.append(edge)
            rows += map(row_of, records)
        return OrderRecords(answers), edges, rows

    def _refused(self, game_id: str, after: int, orders: Sequence[PendingOrder]) -> OrderRecords:
        """Return the first answers if all the orders are known already.

        Raises:
            PositionConflict: The game does not end at `after`.
            CannotBeWritten: Only some of the orders are known, or an id occurs twice.
        """
        answers = OrderRecords.known(self._reading.answer(game_id, order.command) for order in orders)
        if all(answers):
            return answers
        size = self._reading.size(game_id)
        if size != after:
            raise PositionConflict(game=game_id, expected=after, found=size)
        known = next((order.command for order, answer in zip(orders, answers, strict=True) if answer), "")
        raise CannotBeWritten(
            f"the order id {known or orders[0].command} is used twice",
            where=f"{game_id} #{size}",
            remedy="give every order its own id",
        )

    def _remember(
        self,
        game_id: str,
        after: int,
        orders: Sequence[PendingOrder],
        edges: Sequence[CompactRange],
        rows: Sequence[Row],
    ) -> None:
        self._edges.cache(game_id, edges[-1])
        self._reading.wrote(game_id, after, [line for *_, line in rows])
        rewinds = [(position, follows) for position, _, follows, _ in rows if follows is not None]
        self._branches.grew(game_id, after, edges[-1].size, rewinds)
        for order, edge in zip(orders, edges, strict=True):
            if order.state is not None:
                self._states.keep(game_id, edge.size, order.state)
                self._snapshots.take_when_due(game_id, edge, order.state)

    # --- whole games ---

    def fork(self, game_id: str, at: int, new_game: str, then: PendingOrder | None) -> int:
        """Copy records 1 to `at` into a new game.

        After a commit of unknown outcome, look for the copy, and make it again if it is not there. The salts of a copy
        are new, so its root is unique.

        Raises:
            LedgerError: As in `Ledger.fork`.
        """
        check_game_id(new_game)
        given: list[CompactRange] = []

        def copied() -> int:
            try:
                with self._store.transaction():
                    given.append(self._copied(game_id, at, new_game, then))
            except IntegrityError:
                if not self._is_one_of(new_game, given):
                    reason = f"it has {record_count(self._reading.size(new_game))}"
                    raise GameExists(game=new_game, reason=reason) from None
            return given[-1].size

        try:
            return until_known(copied)
        except CommitUnknown as unknown:
            raise unknown.of(f"the copy {new_game} was made", remedy=LOOK_AT_GAMES) from unknown

    def _copied(self, game_id: str, at: int, new_game: str, then: PendingOrder | None) -> CompactRange:
        """Insert the copied orders in the open transaction, and return the compact range after them."""
        edge = CompactRange()
        copied = orders_of(game_id, self._reading.records(game_id, 1, at))
        for batch in batches(chain(copied, () if then is None else (then,)), AT_ONCE):
            _, edges, rows = self._write_down(new_game, edge, batch)
            edge = edges[-1]
            self._store.insert_lines(new_game, rows, to_keep(edge))
        return edge

    def _is_one_of(self, game_id: str, given: Sequence[CompactRange]) -> bool:
        """Return whether a game begins with one of the copies that were given to the store."""
        size = self._reading.size(game_id)
        return any(edge.size <= size and self._edges.at(game_id, edge.size).root() == edge.root() for edge in given)

    @contextlib.contextmanager
    def importing(self, game_id: str) -> Iterator[Importing]:
        """Open a transaction for a log; an exception undoes all of it.

        Raises:
            BrokenLedger: An order id occurs twice.
        """
        with self._lock:
            try:
                with self._store.transaction():
                    yield Importing(self._store, game_id)
            except IntegrityError as error:
                size = self._reading.size(game_id)
                raise BrokenLedger(game=game_id, position=size + 1, reason=str(error)) from error
