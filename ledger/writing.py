"""Writing into the ledger: orders behind the last record, copies of games, logs from elsewhere. Whole, or nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import chain
from threading import RLock
from typing import Any

from eventsourcing.persistence import IntegrityError

from umpire_ledger.ledger.branches import Branches
from umpire_ledger.ledger.edges import Edges, to_keep
from umpire_ledger.ledger.errors import (
    AnswerLost,
    BrokenLedger,
    CannotBeWritten,
    GameExists,
    SomebodyWroteFirst,
    StoreUnavailable,
)
from umpire_ledger.ledger.orders import PendingOrder, batches, orders_of, write_down
from umpire_ledger.ledger.reading import Reading
from umpire_ledger.ledger.record import Record, Row, check_game_id, row_of
from umpire_ledger.ledger.snapshots import Snapshots
from umpire_ledger.ledger.states import States
from umpire_ledger.ledger.store import LineStore
from umpire_ledger.ledger.tree import Edge

AT_ONCE = 100  # orders of a copy in one insert
TRIES = 3
"""How often an order is given to a store that goes away while it records."""

Answers = tuple[tuple[Record, ...], ...]
"""The records of each of several orders."""


class Importing:
    """One game's log being taken in, inside a transaction."""

    def __init__(self, store: LineStore, game: str) -> None:
        self._store = store
        self._game = game

    def insert(self, rows: Iterable[Row]) -> None:
        """Append checked records."""
        self._store.insert_lines(self._game, rows)

    def settle(self, edge: Edge) -> None:
        """Keep the right edge behind the last of them."""
        self._store.insert_lines(self._game, (), to_keep(edge))


class Writing:
    """Writes into the games of one store, and lets those who keep something in hand know of it."""

    def __init__(
        self,
        store: LineStore,
        reading: Reading,
        edges: Edges,
        branches: Branches,
        states: States[Any],
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

    def append(self, game: str, after: int, orders: Sequence[PendingOrder]) -> Answers:
        """Record orders in one transaction behind record `after`. Raises as `Ledger.append` does."""
        if not orders:
            return ()
        if after == 0:
            check_game_id(game)
        with self._lock:
            edge = self._edges.for_writing(game, after)
            if edge is None:
                return self._refused(game, after, orders)
            answers, edges, rows = self._write_down(game, edge, orders)
            try:
                self._insert(game, rows, edges[-1])
            except IntegrityError:
                self._edges.let_go(game)
                return self._refused(game, after, orders)
            self._remember(game, after, orders, edges, rows)
            return answers

    def _insert(self, game: str, rows: list[Row], edge: Edge) -> None:
        """Insert them; where the store went away meanwhile, again before anybody is told that it failed.

        The same rows again are taken once: if the first were recorded, or are just being, these collide with them, and
        whoever gave the orders gets the first answers by their command ids. A store that takes over is waited for by
        the store itself; one that stays away leaves it open what became of the first.
        """
        lost: AnswerLost | None = None
        for _ in range(TRIES):
            try:
                self._store.insert_lines(game, rows, to_keep(edge))
            except AnswerLost as error:
                lost = lost or error
            except StoreUnavailable as error:
                raise lost or error from error
            else:
                return
        if lost is not None:
            raise lost

    def _write_down(
        self, game: str, edge: Edge, orders: Iterable[PendingOrder]
    ) -> tuple[Answers, list[Edge], list[Row]]:
        """The records of orders behind `edge`, the edge behind each order, and the rows of them all."""
        answers: list[tuple[Record, ...]] = []
        edges: list[Edge] = []
        rows: list[Row] = []
        for order in orders:
            records = write_down(game, edge, order, self._clock)
            edge = edge.grow([record.leaf(game) for record in records])
            answers.append(records)
            edges.append(edge)
            rows += map(row_of, records)
        return tuple(answers), edges, rows

    def _refused(self, game: str, after: int, orders: Sequence[PendingOrder]) -> Answers:
        """The first answers, where all the orders are known already. Raises SomebodyWroteFirst, CannotBeWritten."""
        answers = tuple(self._reading.answer(game, order.command) for order in orders)
        if all(answers):
            return answers
        size = self._reading.size(game)
        if size != after:
            raise SomebodyWroteFirst(game=game, expected=after, found=size)
        known = next((order.command for order, answer in zip(orders, answers, strict=True) if answer), "")
        raise CannotBeWritten(
            f"the command id {known or orders[0].command} comes twice",
            where=f"{game} #{size}",
            remedy="give every order its own command id",
        )

    def _remember(
        self, game: str, after: int, orders: Sequence[PendingOrder], edges: Sequence[Edge], rows: Sequence[Row]
    ) -> None:
        self._edges.hold(game, edges[-1])
        self._reading.wrote(game, after, [line for *_, line in rows])
        rewinds = [(position, follows) for position, _, follows, _ in rows if follows is not None]
        self._branches.grew(game, after, edges[-1].size, rewinds)
        for order, edge in zip(orders, edges, strict=True):
            if order.state is not None:
                self._states.keep(game, edge.size, order.state)
                self._snapshots.take_when_due(game, edge, order.state)

    # --- whole games ---

    def fork(self, game: str, at: int, new_game: str, then: PendingOrder | None) -> int:
        """Copy records 1 to `at` into a new game. Raises as `Ledger.fork` does.

        Where the store went away meanwhile it is asked whether the copy is there, and else given it again: the salts of
        a copy are new, so nobody else's has its root.
        """
        check_game_id(new_game)
        given: list[Edge] = []
        lost: AnswerLost | None = None
        for _ in range(TRIES):
            try:
                with self._store.transaction():
                    given.append(self._copied(game, at, new_game, then))
                return given[-1].size
            except IntegrityError:
                if not self._is_one_of(new_game, given):
                    reason = f"it has {self._reading.size(new_game)} records"
                    raise GameExists(game=new_game, reason=reason) from None
                return given[-1].size
            except AnswerLost as error:
                lost = lost or error
            except StoreUnavailable as error:
                raise lost or error from error
        assert lost is not None
        raise lost

    def _copied(self, game: str, at: int, new_game: str, then: PendingOrder | None) -> Edge:
        """The right edge behind the copied orders, which are inserted in the transaction that is open."""
        edge = Edge()
        copied = orders_of(game, self._reading.records(game, 1, at))
        for batch in batches(chain(copied, () if then is None else (then,)), AT_ONCE):
            _, edges, rows = self._write_down(new_game, edge, batch)
            edge = edges[-1]
            self._store.insert_lines(new_game, rows, to_keep(edge))
        return edge

    def _is_one_of(self, game: str, given: Sequence[Edge]) -> bool:
        """Whether a game begins as one of the copies that were given to the store."""
        size = self._reading.size(game)
        return any(edge.size <= size and self._edges.at(game, edge.size).root() == edge.root() for edge in given)

    @contextlib.contextmanager
    def importing(self, game: str) -> Iterator[Importing]:
        """A transaction for a log; an exception undoes all of it. Raises BrokenLedger when a command id comes twice."""
        with self._lock:
            try:
                with self._store.transaction():
                    yield Importing(self._store, game)
            except IntegrityError as error:
                size = self._reading.size(game)
                raise BrokenLedger(game=game, position=size + 1, reason=str(error)) from error
