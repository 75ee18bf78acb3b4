"""The ledger as its users see it: games, records, the line that counts, states at any position.

It keeps three things in hand, all of them only a help: the tip of each game it writes (size and right edge), the
rewinds of each game, and the last few states. Whatever another writer does is noticed at the next question.
"""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path
from threading import RLock
from typing import Generic, Protocol, Self, TypeVar, cast

import msgspec
from eventsourcing.application import Application
from eventsourcing.persistence import IntegrityError, Mapper, OperationalError
from eventsourcing.utils import Environment, EnvType

from umpire_ledger.ledger.branch import Branch, branch_to
from umpire_ledger.ledger.check import Check, Verdict
from umpire_ledger.ledger.codec import RecordMapper
from umpire_ledger.ledger.errors import (
    BrokenLedger,
    CannotBeWritten,
    GameExists,
    NoSuchGame,
    NoSuchRecord,
    SomebodyWroteFirst,
    StoreUnavailable,
)
from umpire_ledger.ledger.record import Draft, Record, check_game_id
from umpire_ledger.ledger.snapshots import pack_snapshot, unpack_snapshot
from umpire_ledger.ledger.store import Aside, LineStore, Row, SnapshotStore
from umpire_ledger.ledger.tree import Checkpoint, Edge
from umpire_ledger.ledger.writing import PendingOrder, batches, orders_of, row_of, timestamp, write_down

__all__ = ["Folding", "GameEntry", "Ledger"]

S = TypeVar("S")

STORES = {"sqlite": "umpire_ledger.ledger.store_sqlite:LedgerFactory"}
SNAPSHOT_EVERY = 500  # records: +15 % of file, at most so many events to fold for any position
STATES_IN_HAND = 64  # undo points are recent ones, and an immutable state costs a reference
STRIDE = 25  # records from one state in hand to the next


class Folding(Protocol[S]):
    """How the caller's state is made; handed in, because the ledger knows no game. States must not be altered."""

    @property
    def schema(self) -> str:
        """Names the shape of the dumped state; snapshots kept under another schema are ignored."""

    def start(self) -> S:
        """The state before the first record."""

    def fold(self, state: S, lines: Iterable[bytes]) -> S:
        """The state after these stored lines: whole JSON objects as in FORMAT.md 1, the event in field `event`.

        A redacted record's line has no `event`: it must be passed over.
        """

    def dump(self, state: S) -> bytes:
        """For a snapshot."""

    def load(self, raw: bytes) -> S:
        """From a snapshot."""


class GameEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A game in the list of games. Times are UTC, as in the records."""

    id: str
    size: int
    opened_at: str
    last_at: str


def utc_now() -> datetime:
    """The clock that is used unless another is given."""
    return datetime.now(UTC)


class Ledger(Application[str], Generic[S]):
    """All records of all games in one store. `Ledger.open(...)` makes one."""

    is_snapshotting_enabled = True

    def __init__(
        self,
        env: EnvType,
        folding: Folding[S],
        *,
        clock: Callable[[], datetime] = utc_now,
        snapshot_every: int = SNAPSHOT_EVERY,
    ) -> None:
        super().__init__(env)
        self.folding = folding
        self.clock = clock
        self.snapshot_every = snapshot_every
        self._store = cast(LineStore, self.recorder)
        assert self.snapshots is not None
        self._snapshots = cast(SnapshotStore, self.snapshots.recorder)
        self._lock = RLock()
        self._tips: dict[str, Edge] = {}
        self._states: OrderedDict[tuple[str, int], S] = OrderedDict()
        self._rewinds: dict[str, tuple[int, list[tuple[int, int]]]] = {}
        self._last_snapshot: dict[str, int] = {}

    @classmethod
    def open(
        cls,
        where: str | Path,
        folding: Folding[S],
        *,
        create: bool = True,
        read_only: bool = False,
        clock: Callable[[], datetime] = utc_now,
        snapshot_every: int = SNAPSHOT_EVERY,
        lock_timeout: float = 5.0,
    ) -> Ledger[S]:
        """Open the ledger in an SQLite file, or in ":memory:". `lock_timeout` is in seconds.

        Raises:
            StoreUnavailable: missing, locked, not a ledger, of a newer format, on a store that is not supported.
        """
        name = str(where)
        if "://" in name:
            raise StoreUnavailable(
                f"no store for {name.partition('://')[0]} yet", where=name, remedy="give the path of an SQLite file"
            )
        env = {
            "PERSISTENCE_MODULE": STORES["sqlite"],
            "SQLITE_DBNAME": name,
            "SQLITE_CREATE": "y" if create else "n",
            "SQLITE_READ_ONLY": "y" if read_only else "n",
            "SQLITE_LOCK_TIMEOUT": str(lock_timeout),
        }
        return cls(env, folding, clock=clock, snapshot_every=snapshot_every)

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        """Only what was given: a stray COMPRESSOR_TOPIC of the shell must not change what is stored."""
        return Environment(name, {"IS_SNAPSHOTTING_ENABLED": "y", **(env or {})})

    def construct_mapper(self) -> Mapper[str]:
        """Records, not objects with `__dict__`."""
        return self.factory.mapper(transcoder=self.construct_transcoder(), mapper_class=RecordMapper)

    # What there is.

    def games(self) -> tuple[GameEntry, ...]:
        """All games, the oldest first."""
        return tuple(map(self._entry, self._store.games()))

    def _entry(self, game: str) -> GameEntry:
        size = self._store.size(game)
        return GameEntry(id=game, size=size, opened_at=self.record(game, 1).at, last_at=self.record(game, size).at)

    def size(self, game: str) -> int:
        """How many records the game has; 0: no such game."""
        return self._store.size(game)

    def record(self, game: str, position: int) -> Record:
        """One record. Raises NoSuchGame, NoSuchRecord."""
        for line in self._store.lines(game, position, position):
            return self._decode(game, position, line)
        raise NoSuchRecord(game=game, position=position, size=self._require(game))

    def records(self, game: str, start: int = 1, stop: int | None = None) -> Iterator[Record]:
        """Records from `start` to `stop`, both included, in order, as a stream. Raises NoSuchGame."""
        lines = self.lines(game, start, stop)
        return (self._decode(game, position, line) for position, line in enumerate(lines, max(start, 1)))

    def lines(self, game: str, start: int = 1, stop: int | None = None) -> Iterator[bytes]:
        """The same as stored bytes, without newlines. Raises NoSuchGame."""
        size = self._require(game)
        return self._store.lines(game, max(start, 1), size if stop is None else min(stop, size))

    def answer(self, game: str, command: str) -> tuple[Record, ...]:
        """The records of the order with this command id; () when it is unknown."""
        start = self._store.position_of(game, command)
        return () if start is None else tuple(self._order_from(game, start, command))

    def _order_from(self, game: str, start: int, command: str) -> Iterator[Record]:
        size = self._store.size(game)
        for low in range(start, size + 1, 32):
            for line in self._store.lines(game, low, min(size, low + 31)):
                record = self._decode(game, low, line)
                if record.command != command:
                    return
                yield record

    # Writing.

    def append(
        self,
        game: str,
        *,
        after: int,
        seat: str,
        command: str,
        drafts: Sequence[Draft],
        state: S | None = None,
    ) -> tuple[Record, ...]:
        """Record one order in one transaction, behind record `after` (0: a new game).

        A command id that this game knows already gives the first answer's records again and writes nothing.
        `state` is the caller's state after the drafts; with it no event is folded twice.

        Raises:
            SomebodyWroteFirst: the game does not end at `after`.
            CannotBeWritten: an id, a reference or an event that the format has no place for.
            StoreUnavailable: nothing was recorded.
        """
        return self.append_many(
            game, after=after, orders=(PendingOrder(seat=seat, command=command, drafts=drafts, state=state),)
        )[0]

    def append_many(self, game: str, *, after: int, orders: Sequence[PendingOrder]) -> tuple[tuple[Record, ...], ...]:
        """Record several orders in one transaction, each with its own `prior`: all of them or none.

        Raises as `append` does. When all their command ids are known, the first answers are given again.
        """
        if not orders:
            return ()
        if after == 0:
            check_game_id(game)
        with self._lock:
            edge = self._edge_for_writing(game, after)
            if edge is None:
                return self._refused(game, after, orders)
            answers: list[tuple[Record, ...]] = []
            edges: list[Edge] = []
            rows: list[Row] = []
            for order in orders:
                records = write_down(game, edge, order, self.clock)
                edge = edge.grow([record.leaf(game) for record in records])
                answers.append(records)
                edges.append(edge)
                rows += map(row_of, records)
            try:
                self._store.insert_lines(game, rows)
            except IntegrityError:
                self._tips.pop(game, None)
                return self._refused(game, after, orders)
            self._tips[game] = edge
            self._remember(game, after, orders, edges, rows)
            return tuple(answers)

    def _edge_for_writing(self, game: str, after: int) -> Edge | None:
        """The right edge at `after`; None when the game does not end there."""
        edge = self._tips.get(game)
        if edge is not None and edge.size == after:
            return edge
        return self._edge(game, after) if self._store.size(game) == after else None

    def _refused(self, game: str, after: int, orders: Sequence[PendingOrder]) -> tuple[tuple[Record, ...], ...]:
        answers = tuple(self.answer(game, order.command) for order in orders)
        if all(answers):
            return answers
        size = self._store.size(game)
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
        known, rewinds = self._rewinds.get(game, (0, []))
        if known == after:
            new = [(position, follows) for position, _, follows, _ in rows if follows is not None]
            self._rewinds[game] = edges[-1].size, rewinds + new if new else rewinds
        for order, edge in zip(orders, edges, strict=True):
            if order.state is not None:
                self._keep_state(game, edge.size, order.state)
                self._maybe_snapshot(game, edge, order.state)

    def fork(self, game: str, at: int, new_game: str, then: PendingOrder | None = None) -> int:
        """Copy records 1 to `at`, abandoned ones too, into a new game; gives its size.

        `then` is recorded behind them in the same transaction. Same events, times, seats, commands and causes; new
        salts, and new hashes under the new id.

        Raises:
            NoSuchGame, NoSuchRecord, CannotBeWritten: a record is redacted, or the id is not allowed.
            GameExists: there is a game of that id already.
        """
        self._check_position(game, at)
        check_game_id(new_game)
        edge = Edge()
        try:
            with self._store.transaction():
                copied = orders_of(game, self.records(game, 1, at))
                for batch in batches(chain(copied, () if then is None else (then,)), 100):
                    rows: list[Row] = []
                    for order in batch:
                        records = write_down(new_game, edge, order, self.clock)
                        edge = edge.grow([record.leaf(new_game) for record in records])
                        rows += map(row_of, records)
                    self._store.insert_lines(new_game, rows)
        except IntegrityError:
            raise GameExists(game=new_game, reason=f"it has {self.size(new_game)} records") from None
        return edge.size

    @contextlib.contextmanager
    def importing(self, game: str) -> Iterator[Callable[[Iterable[tuple[Record, bytes]]], None]]:
        """For replay_log: a transaction, and what inserts checked records into it. An exception undoes all.

        Raises:
            BrokenLedger: a command id comes twice.
        """

        def insert(records: Iterable[tuple[Record, bytes]]) -> None:
            self._store.insert_lines(game, (row_of(record, line) for record, line in records))

        with self._lock:
            try:
                with self._store.transaction():
                    yield insert
            except IntegrityError as error:
                raise BrokenLedger(game=game, position=self.size(game) + 1, reason=str(error)) from error

    # The line that counts, and states.

    def branch(self, game: str, at: int | None = None) -> Branch:
        """Which positions count at `at` (None: now). Raises NoSuchGame, NoSuchRecord."""
        at = self._check_position(game, at)
        with self._lock:
            known, rewinds = self._rewinds.get(game, (0, []))
            if known < at:
                rewinds = rewinds + self._store.rewinds(game, known)
                # Behind `at` there may be records that came meanwhile: only up to `at` all is known for certain.
                known = max(at, rewinds[-1][0]) if rewinds else at
                self._rewinds[game] = known, rewinds
            return branch_to(at, rewinds)

    def branch_records(self, game: str, at: int | None = None) -> Iterator[Record]:
        """The records that count at `at`, the newest first, read as they are asked for."""
        branch = self.branch(game, at)
        lines = (self._store.lines_back(game, first, last) for first, last in reversed(branch.stretches))
        return (self._decode(game, *found) for found in zip(branch, chain.from_iterable(lines), strict=True))

    def branch_bytes(self, game: str, at: int | None = None, *, after: int = 0) -> Iterator[bytes]:
        """The stored lines that count at `at` and lie behind position `after`, the oldest first."""
        return self._along(game, self.branch(game, at), after)

    def _along(self, game: str, branch: Branch, after: int) -> Iterator[bytes]:
        return chain.from_iterable(self._store.lines(game, first, last) for first, last in branch.after(after))

    def state(self, game: str, at: int | None = None) -> S:
        """The state at a position (None: now; 0: before the first record): the fold of the branch that ends there.

        Raises:
            NoSuchGame, NoSuchRecord: there is no such position.
        """
        at = self._check_position(game, at)
        with self._lock:
            state = self._states.get((game, at))
            if state is not None:
                self._states.move_to_end((game, at))
                return state
            branch = self.branch(game, at)
            base, state = self._nearest(game, branch)
            state = self._fold_along(game, branch, base, state)
            self._keep_state(game, at, state)
            return state

    def _fold_along(self, game: str, branch: Branch, base: int, state: S) -> S:
        """Fold on from `base` to the end of a branch. On a short way states stay in hand for those who step back."""
        lines = self._along(game, branch, base)
        if branch.at - base > self.snapshot_every:
            return self.folding.fold(state, lines)
        for first, last in branch.after(base):
            for start in range(first, last + 1, STRIDE):
                end = min(start + STRIDE - 1, last)
                state = self.folding.fold(state, islice(lines, end - start + 1))
                self._keep_state(game, end, state)
        return state

    def _nearest(self, game: str, branch: Branch) -> tuple[int, S]:
        """(position, state) to fold on from: a state in hand, a snapshot, or the start."""
        in_hand = max((at for name, at in self._states if name == game and at in branch), default=0)
        for position in self._snapshots.positions(game, self.folding.schema, branch.at):
            if position <= in_hand:
                break
            if position in branch:
                snapshot = self._snapshot(game, position)
                if snapshot is not None:
                    return position, self.folding.load(snapshot[1])
        return (in_hand, self._states[game, in_hand]) if in_hand else (0, self.folding.start())

    def _keep_state(self, game: str, at: int, state: S) -> None:
        self._states[game, at] = state
        self._states.move_to_end((game, at))
        while len(self._states) > STATES_IN_HAND:
            self._states.popitem(last=False)

    # Snapshots: a cache, droppable at any time.

    def take_snapshots(self, game: str) -> int:
        """Fold a game once and leave snapshots behind, e.g. after an import; gives how many."""
        size, taken = self._require(game), 0
        for at in range(self.snapshot_every, size + 1, self.snapshot_every):
            self._take_snapshot(game, self._edge(game, at), self.state(game, at))
            taken += 1
        return taken

    def drop_snapshots(self) -> None:
        """Forget all snapshots, and what is kept in hand. Nothing is lost but time."""
        with self._lock:
            self._snapshots.drop()
            self._states.clear()
            self._last_snapshot.clear()

    def _maybe_snapshot(self, game: str, edge: Edge, state: S) -> None:
        if edge.size < self.snapshot_every:
            return
        last = self._last_snapshot.get(game)
        if last is None:
            last = max(self._snapshots.positions(game, self.folding.schema, edge.size), default=0)
            self._last_snapshot[game] = last
        if edge.size - last >= self.snapshot_every:
            self._take_snapshot(game, edge, state)

    def _take_snapshot(self, game: str, edge: Edge, state: S) -> None:
        self._last_snapshot[game] = edge.size
        # The events are safe by now: a snapshot that cannot be written costs only time.
        with contextlib.suppress(StoreUnavailable, IntegrityError, OperationalError):
            self._snapshots.keep(game, edge.size, self.folding.schema, pack_snapshot(edge, self.folding.dump(state)))

    def _snapshot(self, game: str, position: int) -> tuple[Edge, bytes] | None:
        raw = self._snapshots.state(game, position, self.folding.schema)
        snapshot = None if raw is None else unpack_snapshot(raw)
        return snapshot if snapshot is not None and snapshot[0].size == position else None

    def rewinds(self, game: str) -> list[tuple[int, int]]:
        """(position, follows) of every record that does not continue its predecessor. Raises NoSuchGame."""
        self._require(game)
        return self._store.rewinds(game, 0)

    # Beside the records.

    def keep_aside(self, game: str, seat: str, told: bytes) -> bool:
        """Keep words beside a game, outside its tree; says whether that could be done. Never raises StoreUnavailable.

        `told`: JSON. Whoever gives an order must not be held up by what only remembers that it was refused.
        """
        try:
            self._store.keep_aside(game, self._store.size(game), timestamp(self.clock()), seat, told)
        except (StoreUnavailable, IntegrityError, OperationalError):
            return False
        return True

    def aside(self, game: str) -> list[Aside]:
        """What was kept beside a game, the oldest first: (size of the game then, time, seat, JSON)."""
        return self._store.aside(game)

    # Hashes.

    def checkpoint(self, game: str, at: int | None = None) -> Checkpoint:
        """The root over the first `at` records (None: all). Raises NoSuchGame, NoSuchRecord."""
        at = self._check_position(game, at)
        return Checkpoint(game=game, size=at, root=self._edge(game, at).root())

    def _edge(self, game: str, at: int) -> Edge:
        """The right edge at `at`: of the tip in hand, or of a snapshot and the leaves since then."""
        with self._lock:
            edge = self._tips.get(game)
            if edge is None or edge.size > at:
                edge = Edge()
            for position in self._snapshots.positions(game, self.folding.schema, at):
                if position <= edge.size:
                    break
                snapshot = self._snapshot(game, position)
                if snapshot is not None:
                    edge = snapshot[0]
                    break
        if edge.size == at:
            return edge
        return edge.grow(record.leaf(game) for record in self.records(game, edge.size + 1, at))

    def verify(self, game: str, checkpoint: Checkpoint | None = None) -> Verdict:
        """Check every record and every `prior` of a game in this ledger. Raises NoSuchGame."""
        size = self._require(game)
        try:
            check = Check(game, checkpoint)
        except BrokenLedger as error:
            return Verdict(verdict="INVALID", game=game, first_bad=0, reason=error.reason)
        try:
            for row in self._store.rows(game, 1, size):
                # The indexed columns steer what counts, so they must say what the line says.
                if row_of(check.see(row[3]), row[3]) != row:
                    raise BrokenLedger(game=game, position=row[0], reason="the store's index does not fit the record")
            check.finish(size, check.root().hex())
        except BrokenLedger as error:
            return check.invalid(error)
        return check.complete()

    # Small things.

    def _require(self, game: str) -> int:
        size = self._store.size(game)
        if size == 0:
            raise NoSuchGame(game=game)
        return size

    def _check_position(self, game: str, at: int | None) -> int:
        size = self._require(game)
        if at is None:
            return size
        if not 0 <= at <= size:
            raise NoSuchRecord(game=game, position=at, size=size)
        return at

    def _decode(self, game: str, position: int, line: bytes) -> Record:
        try:
            return Record.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BrokenLedger(game=game, position=position, reason=f"not a record: {error}") from error

    def __enter__(self) -> Self:
        super().__enter__()
        return self
