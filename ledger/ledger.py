"""Give access to a ledger: games, records, the current branch, and the state at any position.

`Ledger` is the only entry; each part has one task:

    reading.py                     stored data: sizes, lines, records, the records of an order
    branches.py                    which records count
    state_cache.py                 the state at any position; snapshots.py stores some of them
    merkle/compact_ranges.py       the compact range of a game's tree: checkpoints, the next `prior`
    writing.py                     orders, copies, imports; order_batches.py makes the records of an order
    verification/stored_game.py    checks that all stored data is as it was written

Caches only save time: each read notices changes by other writers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Generic, Self, cast

from eventsourcing.application import Application
from eventsourcing.persistence import IntegrityError, Mapper, OperationalError
from eventsourcing.utils import Environment, EnvType

from umpire_ledger.ledger.branches import Branch, Branches, rewinds_of
from umpire_ledger.ledger.false_snapshots import FalseSnapshot, SnapshotCheck
from umpire_ledger.ledger.merkle.compact_ranges import CompactRanges
from umpire_ledger.ledger.merkle.tree import Checkpoint, FirstLines
from umpire_ledger.ledger.order_batches import PendingOrder, timestamp
from umpire_ledger.ledger.reading import GameReader, StoredGame
from umpire_ledger.ledger.records.errors import StoreUnavailable
from umpire_ledger.ledger.records.ledger_address import MEMORY
from umpire_ledger.ledger.records.record import Draft, Record
from umpire_ledger.ledger.snapshots import Snapshots
from umpire_ledger.ledger.state_builder import S, StateBuilder
from umpire_ledger.ledger.state_cache import StateCache
from umpire_ledger.ledger.storage.backup import T, back_up
from umpire_ledger.ledger.storage.in_memory_overlay import Overlay, ReadOnlySnapshots
from umpire_ledger.ledger.storage.interface import Away, LineStore, LoggedRefusal, SignalWait, SnapshotStore
from umpire_ledger.ledger.storage.metadata import MetadataEntry, MetadataStore
from umpire_ledger.ledger.storage.record_mapper import RecordMapper
from umpire_ledger.ledger.storage.stores import settings_of
from umpire_ledger.ledger.verification.log_checker import Verdict
from umpire_ledger.ledger.verification.stored_game import verify_game
from umpire_ledger.ledger.writing import Importing, OrderRecords, Writing

__all__ = ["Ledger", "StateBuilder", "StoredGame"]

SNAPSHOT_EVERY = 500  # records; adds 15 % to the file, and limits the events to apply for any state


def utc_now() -> datetime:
    """Return the present time in UTC, the default clock."""
    return datetime.now(UTC)


class Ledger(Application[str], Generic[S]):
    """All records of all games in one store. Use `Ledger.open(...)` to make one."""

    is_snapshotting_enabled = True

    def __init__(
        self,
        env: EnvType,
        folding: StateBuilder[S],
        *,
        clock: Callable[[], datetime] = utc_now,
        snapshot_every: int = SNAPSHOT_EVERY,
    ) -> None:
        super().__init__(env)
        self.folding = folding
        self.clock = clock
        assert self.snapshots is not None
        snapshots = cast(SnapshotStore, self.snapshots.recorder)
        self._put_together(cast(LineStore, self.recorder), snapshots, snapshot_every)

    def _put_together(self, store: LineStore, snapshots: SnapshotStore, snapshot_every: int) -> None:
        self._store = store
        self._snapshot_store = snapshots
        self._reading = GameReader(store)
        self._branches = Branches(store)
        self._snapshots = Snapshots(snapshots, self.folding, snapshot_every)
        self._states = StateCache(self._branches, self._snapshots, self.folding)
        self._edges = CompactRanges(store.kept_edge, self._reading.records, self._snapshots)
        self._writing = Writing(
            store, self._reading, self._edges, self._branches, self._states, self._snapshots, self.clock
        )

    @classmethod
    def open(
        cls,
        where: str | Path,
        folding: StateBuilder[S],
        *,
        create: bool = True,
        read_only: bool = False,
        clock: Callable[[], datetime] = utc_now,
        snapshot_every: int = SNAPSHOT_EVERY,
        lock_timeout: float = 5.0,
    ) -> Ledger[S]:
        """Open the ledger in an SQLite file, in ":memory:", or at a URL. `lock_timeout` is in seconds.

        Raises:
            StoreUnavailable: The store is missing, locked, not a ledger, of a newer format, or not supported.
        """
        env = settings_of(str(where), create=create, read_only=read_only, lock_timeout=lock_timeout)
        return cls(env, folding, clock=clock, snapshot_every=snapshot_every)

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        """Return only the given settings.

        A stray COMPRESSOR_TOPIC in the environment must not change what is stored.
        """
        return Environment(name, {"IS_SNAPSHOTTING_ENABLED": "y", **(env or {})})

    def construct_mapper(self) -> Mapper[str]:
        """Return a mapper that yields `Record` instead of objects with `__dict__`."""
        return self.factory.mapper(transcoder=self.construct_transcoder(), mapper_class=RecordMapper)

    # --- games and records --------------------------------------------------------------------------------------------

    def games(self) -> tuple[StoredGame, ...]:
        """Return all games, the oldest first."""
        return self._reading.games()

    def game_ids(self, away: Away | None = None) -> tuple[str, ...]:
        """Return the ids of all games, oldest first, without reading their records.

        `away`: for a ledger spread over several servers. It is called with the error of each server that cannot be
        reached, and the ids of that server's games are left out. Without it, an unreachable server is an error.

        Raises:
            StoreUnavailable: A server cannot be reached.
        """
        return self._reading.game_ids(away)

    def size(self, game_id: str) -> int:
        """Return the number of records of the game; 0 if there is no such game."""
        return self._reading.size(game_id)

    def sizes(self, away: Away | None = None) -> dict[str, int]:
        """Return the number of records of each game, with one query; empty if the store does not have such a query.

        `away`: as for `game_ids`.
        """
        return self._store.sizes(away)

    def own_connection(self) -> Any:
        """Open another connection to the ledger's database, for read models stored next to the ledger.

        It commits automatically, and the caller closes it.

        Raises:
            StoreUnavailable: When it cannot be opened, or the ledger is not in a database.
        """
        return self._store.own_connection()

    def changed_games(self, after: int | None = None) -> tuple[int, list[str]]:
        """Return (number, games): the newest number of the whole ledger, and the games with records after number
        `after`.

        With None, return no games and the newest number. This is cheap enough to poll for records of other processes.
        """
        return (self._store.newest(), []) if after is None else self._store.changed_games(after)

    def record_signals(self) -> AbstractContextManager[SignalWait | None]:
        """Return a context with a function that waits for a signal of new records; None if the store must be polled.

        A signal can be lost, so a caller that must not miss a record also polls from time to time.

        Raises:
            StoreUnavailable: The store cannot be reached.
        """
        return self._store.record_signals()

    def record(self, game_id: str, position: int) -> Record:
        """Return one record.

        Raises:
            NoSuchGame: When there is no such game.
            NoSuchRecord: When the game has no such position.
        """
        return self._reading.record(game_id, position)

    def records(self, game_id: str, start: int = 1, stop: int | None = None) -> Iterator[Record]:
        """Return an iterator over the records from `start` to `stop`, both included, in order.

        Raises:
            NoSuchGame: When there is no such game.
        """
        return self._reading.records(game_id, start, stop)

    def lines(self, game_id: str, start: int = 1, stop: int | None = None) -> Iterator[bytes]:
        """Return the stored bytes of the records from `start` to `stop`, without newlines.

        Raises:
            NoSuchGame: When there is no such game.
        """
        return self._reading.lines(game_id, start, stop)

    def first_lines(self, game_id: str) -> FirstLines:
        """Return a function that reads the first lines of a game, for a proof."""
        return lambda size: self._reading.lines(game_id, 1, size)

    def lines_with(self, game_id: str, mark: bytes) -> list[bytes]:
        """Return the stored lines that contain these bytes; meant for few hits.

        The store searches the whole game the first time, and later only new records.

        Raises:
            NoSuchGame: There is no such game.
        """
        return self._reading.lines_with(game_id, mark)

    def answer(self, game_id: str, command: str) -> tuple[Record, ...]:
        """Return the records of the order with this order id; () if it is unknown."""
        return self._reading.answer(game_id, command)

    def order_at(self, game_id: str, position: int) -> tuple[Record, ...]:
        """Return the records of the order that wrote a position; at least one.

        Raises:
            NoSuchRecord: The game has no such position.
            BrokenLedger: The records of the order are damaged.
        """
        return self._reading.order_at(game_id, position)

    def commands(self, game_id: str, prefix: str) -> list[tuple[int, str]]:
        """Return (first position, order id) of the orders whose id begins with `prefix`, the oldest first."""
        return self._reading.commands(game_id, prefix)

    # --- writing ------------------------------------------------------------------------------------------------------

    def append(
        self,
        game_id: str,
        *,
        after: int,
        seat: str,
        command: str,
        drafts: Sequence[Draft],
        state: S | None = None,
    ) -> tuple[Record, ...]:
        """Record one order in one transaction, after record `after` (0: a new game).

        If the game already has this order id, return the records of the first order with it and write nothing. That may
        be a different order. `state` is the caller's state after the drafts; with it, no event is applied twice.

        Raises:
            PositionConflict: The game does not end at `after`.
            CannotBeWritten: The format cannot hold an id, a reference or an event.
            BrokenLedger: Records at the end of the game are missing.
            StoreUnavailable: The store cannot be used. Nothing was recorded.
            CommitUnknown: The outcome of the commit is unknown.
        """
        order = PendingOrder(seat=seat, command=command, drafts=drafts, state=state)
        return self._writing.append(game_id, after, (order,))[0]

    def append_many(self, game_id: str, *, after: int, orders: Sequence[PendingOrder]) -> OrderRecords:
        """Record several orders in one transaction, each with its own `prior`: all of them or none.

        If all their order ids are known, write nothing and return the first answers, with `repeated` set. The caller
        compares them with its orders, because an order with the same id may be different.

        Raises:
            LedgerError: As `append` does.
        """
        return self._writing.append(game_id, after, orders)

    def lock_game(self, game_id: str) -> AbstractContextManager[object]:
        """Return a context in which callers that wrote too late decide one after another.

        Without it, all except one of many writers to one game decide in vain, again and again. It does not exclude
        writers that do not use it.

        Raises:
            StoreUnavailable: The caller's turn does not come in time.
        """
        return self._store.lock_game(game_id)

    def fork(self, game_id: str, at: int, new_game: str, then: PendingOrder | None = None) -> int:
        """Copy records 1 to `at`, including abandoned ones, into a new game, and return its size.

        `then` is recorded after them in the same transaction. The copy has the same events, times, seats, order ids and
        causes, but new salts, and new hashes under the new id.

        Raises:
            NoSuchGame: There is no such game.
            NoSuchRecord: The game has no such position.
            CannotBeWritten: A record is redacted, or the id is not allowed.
            GameExists: There is already a game with that id.
        """
        return self._writing.fork(game_id, self._reading.need_position(game_id, at), new_game, then)

    def importing(self, game_id: str) -> AbstractContextManager[Importing]:
        """Open a transaction for `replay_log` that inserts checked records; an exception undoes all of it.

        Raises:
            BrokenLedger: An order id occurs twice.
        """
        return self._writing.importing(game_id)

    def tried(self, game_id: str) -> Ledger[S]:
        """Return a ledger in memory in which to try orders of one game. This ledger stays unchanged.

        The other games are not in it.

        Raises:
            NoSuchGame: There is no such game.
        """
        size = self._reading.need_game(game_id)
        trial = Ledger.open(MEMORY, self.folding, clock=self.clock)
        trial._put_together(
            Overlay(self._store, game_id), ReadOnlySnapshots(self._snapshot_store, size), self._snapshots.every
        )
        return trial

    # --- branches and states ------------------------------------------------------------------------------------------

    def branch(self, game_id: str, at: int | None = None) -> Branch:
        """Return the branch that ends at `at` (None: now).

        Raises:
            NoSuchGame: There is no such game.
            NoSuchRecord: The game has no such position.
        """
        return self._branches.to(game_id, self._reading.need_position(game_id, at))

    def branch_records(self, game_id: str, at: int | None = None) -> Iterator[Record]:
        """Return the records of the branch that ends at `at`, newest first. Each is read when the caller takes it.

        Raises:
            NoSuchGame: There is no such game.
            NoSuchRecord: The game has no such position.
        """
        lines = self._branches.lines_back(game_id, self.branch(game_id, at))
        return (self._reading.decode(game_id, position, line) for position, line in lines)

    def branch_bytes(self, game_id: str, at: int | None = None, *, after: int = 0) -> Iterator[bytes]:
        """Return the stored lines after position `after` on the branch that ends at `at`, the oldest first."""
        return self._branches.lines(game_id, self.branch(game_id, at), after)

    def rewinds(self, game_id: str) -> list[tuple[int, int]]:
        """Return (position, follows) of the records that do not continue their predecessor.

        Raises:
            NoSuchGame: When there is no such game.
            BrokenLedger: When the index of rewinds is damaged.
        """
        self._reading.need_game(game_id)
        return rewinds_of(self._store, game_id)

    def state(self, game_id: str, at: int | None = None) -> S:
        """Return the state at a position (None: now; 0: before the first record), built from its branch.

        Raises:
            NoSuchGame: There is no such game.
            NoSuchRecord: The game has no such position.
        """
        return self._states.at(game_id, self._reading.need_position(game_id, at))

    def take_snapshots(self, game_id: str) -> int:
        """Rebuild the newest state of a game and store snapshots on the way, for example after an import.

        Return the number of snapshots.
        """
        every = self._snapshots.every
        positions = range(every, self._reading.need_game(game_id) + 1, every)
        for at in positions:
            self._snapshots.take(game_id, self._edges.at(game_id, at), self._states.at(game_id, at))
        return len(positions)

    def drop_snapshots(self, game_id: str | None = None) -> None:
        """Delete the snapshots of a game (None: of all games), and the cached states. They can be computed again.

        Raises:
            StoreUnavailable: The store cannot be written.
        """
        self._states.forget()
        self._snapshots.drop(game_id)

    def doubt_snapshots(self) -> None:
        """Ignore stored snapshots from now on, and build every state from the records."""
        self._snapshots.used = False
        self._states.forget()

    def false_snapshots(self, game_id: str) -> Iterator[FalseSnapshot]:
        """Return the snapshots of a game that differ from its records, and ignore all snapshots from now on.

        Raises:
            NoSuchGame: When there is no such game.
        """
        self.doubt_snapshots()
        return SnapshotCheck(self._snapshots, self._states, self._reading, self.folding).find(game_id)

    # --- refusals, metadata, files ------------------------------------------------------------------------------------

    def append_refusal(self, game_id: str, seat: str, told: bytes) -> bool:
        """Store a refusal next to a game, outside its hash tree; return False if it could not be stored.

        `told`: JSON. A store that cannot be written causes no error here, because the refusal log must not delay an
        order.
        """
        try:
            self._store.append_refusal(game_id, self._store.size(game_id), timestamp(self.clock()), seat, told)
        except (StoreUnavailable, IntegrityError, OperationalError):
            return False
        return True

    def refusal_log(self, game_id: str) -> list[LoggedRefusal]:
        """Return the refusals of a game, the oldest first."""
        return [kept for _, kept in self._store.refusals(game_id)]

    def refusals(self, game_id: str, after: int) -> list[tuple[int, LoggedRefusal]]:
        """Return the refusals after a number, each with its own number.

        All games of a ledger share increasing numbers.
        """
        return self._store.refusals(game_id, after)

    def last_aside(self, game_id: str) -> int:
        """Return the number of the newest refusal; 0 if there is none."""
        return self._store.last_aside(game_id)

    def metadata(self) -> AbstractContextManager[MetadataStore]:
        """Open a transaction on the changeable metadata of the games.

        Raises:
            StoreUnavailable: When the store cannot be reached.
        """
        return self._store.metadata()

    def metadata_of_kind(self, kind: str, game_id: str | None = None) -> list[MetadataEntry]:
        """Return the metadata entries of a kind, of one game or of all."""
        return self._store.metadata_of_kind(kind, game_id)

    def metadata_named(self, kind: str, name: str) -> list[MetadataEntry]:
        """Return the metadata entries with one name, of any game."""
        return self._store.metadata_named(kind, name)

    def metadata_value(self, game_id: str, kind: str, name: str = "") -> str | None:
        """Return the value of one metadata entry; None if there is none."""
        return self._store.metadata_value(game_id, kind, name)

    def home(self) -> str:
        """Return the place of the ledger's file, which identifies a copied file; "" for a ledger without a file."""
        return self._store.home()

    def back_up(self, to: Path, check: Callable[[Path], T]) -> T:
        """Copy the whole ledger as of one moment into a new file. `check` examines it before it gets its final name.

        Raises:
            StoreUnavailable: The name is taken, or the copy cannot be made. No file of that name is left.
        """
        return back_up(self._store.copy_to, to, check)

    # --- hashes -------------------------------------------------------------------------------------------------------

    def checkpoint(self, game_id: str, at: int | None = None) -> Checkpoint:
        """Return the checkpoint of the first `at` records (None: all).

        Raises:
            NoSuchGame: There is no such game.
            NoSuchRecord: The game has no such position.
        """
        at = self._reading.need_position(game_id, at)
        return Checkpoint(game=game_id, size=at, root=self._edges.at(game_id, at).root())

    def verify(self, game_id: str, checkpoint: Checkpoint | None = None) -> Verdict:
        """Check every record and every `prior` of a game in this ledger.

        Raises:
            NoSuchGame: When there is no such game.
        """
        self._reading.need_game(game_id)
        return verify_game(self._store, self._edges, game_id, checkpoint)

    def __enter__(self) -> Self:
        super().__enter__()
        return self
