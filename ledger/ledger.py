"""The ledger as its users see it: games, records, the branch that counts, states at any position.

`Ledger` is the one door; behind it each part has one task:

    reading.py     what is stored: sizes, lines, records, the answer to an order
    branches.py    which records count
    state_cache.py    the state at any position; snapshots.py keeps some of them
    merkle/compact_ranges.py    the right edge of a game's tree: checkpoints, the next `prior`
    writing.py     orders, copies, imports; order_batches.py makes records of an order
    verification/stored_game.py    whether all of it is as it was written

What a part keeps in hand is only a help: whatever another writer does is noticed at the next question.
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
from umpire_ledger.ledger.records.places import MEMORY
from umpire_ledger.ledger.records.record import Draft, Record
from umpire_ledger.ledger.snapshots import Snapshots
from umpire_ledger.ledger.state_builder import S, StateBuilder
from umpire_ledger.ledger.state_cache import StateCache
from umpire_ledger.ledger.storage.backup import T, back_up
from umpire_ledger.ledger.storage.in_memory_overlay import Overlay, ReadOnlySnapshots
from umpire_ledger.ledger.storage.interface import Aside, Away, Hear, LineStore, SnapshotStore
from umpire_ledger.ledger.storage.metadata import MetadataEntry, MetadataStore
from umpire_ledger.ledger.storage.record_mapper import RecordMapper
from umpire_ledger.ledger.storage.stores import settings_of
from umpire_ledger.ledger.verification.log_checker import Verdict
from umpire_ledger.ledger.verification.stored_game import verify_game
from umpire_ledger.ledger.writing import Importing, OrderRecords, Writing

__all__ = ["Ledger", "StateBuilder", "StoredGame"]

SNAPSHOT_EVERY = 500  # records: +15 % of file, at most so many events to fold for any position


def utc_now() -> datetime:
    """The clock that is used unless another is given."""
    return datetime.now(UTC)


class Ledger(Application[str], Generic[S]):
    """All records of all games in one store. `Ledger.open(...)` makes one."""

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
            StoreUnavailable: missing, locked, not a ledger, of a newer format, on a store that is not supported.
        """
        env = settings_of(str(where), create=create, read_only=read_only, lock_timeout=lock_timeout)
        return cls(env, folding, clock=clock, snapshot_every=snapshot_every)

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        """Only what was given: a stray COMPRESSOR_TOPIC of the shell must not change what is stored."""
        return Environment(name, {"IS_SNAPSHOTTING_ENABLED": "y", **(env or {})})

    def construct_mapper(self) -> Mapper[str]:
        """Records, not objects with `__dict__`."""
        return self.factory.mapper(transcoder=self.construct_transcoder(), mapper_class=RecordMapper)

    # --- what there is ------------------------------------------------------------------------------------------------

    def games(self) -> tuple[StoredGame, ...]:
        """All games, the oldest first."""
        return self._reading.games()

    def game_ids(self, away: Away | None = None) -> tuple[str, ...]:
        """The ids of all games, the oldest first: whatever state their records are in.

        `away`: where they are spread over several servers, it is told of each that cannot be reached, and the ids of
        its games are left out. Without it that is an error. Raises StoreUnavailable.
        """
        return self._reading.game_ids(away)

    def size(self, game: str) -> int:
        """How many records the game has; 0: no such game."""
        return self._reading.size(game)

    def sizes(self, away: Away | None = None) -> dict[str, int]:
        """How many records each game has, in one question, where a store can say it so; else nothing.

        `away`: as for `game_ids`.
        """
        return self._store.sizes(away)

    def own_connection(self) -> Any:
        """A connection of one's own to the database that the ledger lies in, for read models beside it.

        It is autocommitting, and its caller's to close. Raises StoreUnavailable, also for a ledger in no database.
        """
        return self._store.own_connection()

    def changed_games(self, after: int | None = None) -> tuple[int, list[str]]:
        """(number, games): which games have records behind a number of the whole ledger, and the newest number.

        None: no games, only where the ledger stands. Cheap: for whoever waits for what other processes write.
        """
        return (self._store.newest(), []) if after is None else self._store.changed_games(after)

    def hearing(self) -> AbstractContextManager[Hear | None]:
        """What waits until a store tells that something was recorded; None where it tells nothing and is to be asked.

        What it tells may be lost: whoever must miss nothing asks for the news now and then. Raises StoreUnavailable.
        """
        return self._store.hearing()

    def record(self, game: str, position: int) -> Record:
        """One record. Raises NoSuchGame, NoSuchRecord."""
        return self._reading.record(game, position)

    def records(self, game: str, start: int = 1, stop: int | None = None) -> Iterator[Record]:
        """Records from `start` to `stop`, both included, in order, as a stream. Raises NoSuchGame."""
        return self._reading.records(game, start, stop)

    def lines(self, game: str, start: int = 1, stop: int | None = None) -> Iterator[bytes]:
        """The same as stored bytes, without newlines. Raises NoSuchGame."""
        return self._reading.lines(game, start, stop)

    def first_lines(self, game: str) -> FirstLines:
        """Return how to read the first lines of a game, for a proof."""
        return lambda size: self._reading.lines(game, 1, size)

    def lines_with(self, game: str, mark: bytes) -> list[bytes]:
        """The stored lines that hold these bytes, for whoever looks for few. Raises NoSuchGame.

        The store looks through the whole game the first time, and then through what is new.
        """
        return self._reading.lines_with(game, mark)

    def answer(self, game: str, command: str) -> tuple[Record, ...]:
        """The records of the order with this command id; () when it is unknown."""
        return self._reading.answer(game, command)

    def order_at(self, game: str, position: int) -> tuple[Record, ...]:
        """Return the records of the order that wrote a position; never none. Raises NoSuchRecord, BrokenLedger."""
        return self._reading.order_at(game, position)

    def commands(self, game: str, prefix: str) -> list[tuple[int, str]]:
        """(first position, command id) of the orders whose command id begins so, the oldest first."""
        return self._reading.commands(game, prefix)

    # --- writing ------------------------------------------------------------------------------------------------------

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

        A command id that this game knows already gives the first answer's records again and writes nothing: they may
        be those of another order.
        `state` is the caller's state after the drafts; with it no event is folded twice.

        Raises:
            PositionConflict: the game does not end at `after`.
            CannotBeWritten: an id, a reference or an event that the format has no place for.
            BrokenLedger: records at the end of the game are gone.
            StoreUnavailable: nothing was recorded.
        """
        order = PendingOrder(seat=seat, command=command, drafts=drafts, state=state)
        return self._writing.append(game, after, (order,))[0]

    def append_many(self, game: str, *, after: int, orders: Sequence[PendingOrder]) -> OrderRecords:
        """Record several orders in one transaction, each with its own `prior`: all of them or none.

        When all their order ids are known, it writes nothing and returns the first answers, with `repeated` set. The
        caller compares them with its orders: the same id does not make the same order. Raises as `append` does.
        """
        return self._writing.append(game, after, orders)

    def lock_game(self, game: str) -> AbstractContextManager[object]:
        """For whoever wrote too late: those who ask for a turn come one behind the other, and decide inside it.

        Without one, of many who write to one game in a database all but one decide for nothing, again and again. It is
        no lock: who asks for none writes between. Raises StoreUnavailable where it does not come in time.
        """
        return self._store.lock_game(game)

    def fork(self, game: str, at: int, new_game: str, then: PendingOrder | None = None) -> int:
        """Copy records 1 to `at`, abandoned ones too, into a new game; gives its size.

        `then` is recorded behind them in the same transaction. Same events, times, seats, commands and causes; new
        salts, and new hashes under the new id.

        Raises:
            NoSuchGame, NoSuchRecord, CannotBeWritten: a record is redacted, or the id is not allowed.
            GameExists: there is a game of that id already.
        """
        return self._writing.fork(game, self._reading.need_position(game, at), new_game, then)

    def importing(self, game: str) -> AbstractContextManager[Importing]:
        """For replay_log: a transaction, and what inserts checked records into it. An exception undoes all.

        Raises:
            BrokenLedger: a command id comes twice.
        """
        return self._writing.importing(game)

    def tried(self, game: str) -> Ledger[S]:
        """This ledger to try orders of one game in: it holds them in memory, and this one is left as it is.

        Only that game is there. Raises NoSuchGame.
        """
        size = self._reading.need_game(game)
        trial = Ledger.open(MEMORY, self.folding, clock=self.clock)
        trial._put_together(
            Overlay(self._store, game), ReadOnlySnapshots(self._snapshot_store, size), self._snapshots.every
        )
        return trial

    # --- which records count, and the states they give ----------------------------------------------------------------

    def branch(self, game: str, at: int | None = None) -> Branch:
        """Which positions count at `at` (None: now). Raises NoSuchGame, NoSuchRecord."""
        return self._branches.to(game, self._reading.need_position(game, at))

    def branch_records(self, game: str, at: int | None = None) -> Iterator[Record]:
        """The records that count at `at`, the newest first, read as they are asked for. Raises as `branch` does."""
        lines = self._branches.lines_back(game, self.branch(game, at))
        return (self._reading.decode(game, position, line) for position, line in lines)

    def branch_bytes(self, game: str, at: int | None = None, *, after: int = 0) -> Iterator[bytes]:
        """The stored lines that count at `at` and lie behind position `after`, the oldest first."""
        return self._branches.lines(game, self.branch(game, at), after)

    def rewinds(self, game: str) -> list[tuple[int, int]]:
        """(position, follows) of records that do not continue their predecessor. Raises NoSuchGame, BrokenLedger."""
        self._reading.need_game(game)
        return rewinds_of(self._store, game)

    def state(self, game: str, at: int | None = None) -> S:
        """The state at a position (None: now; 0: before the first record): the fold of the branch that ends there.

        Raises:
            NoSuchGame, NoSuchRecord: there is no such position.
        """
        return self._states.at(game, self._reading.need_position(game, at))

    def take_snapshots(self, game: str) -> int:
        """Fold a game once and leave snapshots behind, e.g. after an import; gives how many."""
        every = self._snapshots.every
        positions = range(every, self._reading.need_game(game) + 1, every)
        for at in positions:
            self._snapshots.take(game, self._edges.at(game, at), self._states.at(game, at))
        return len(positions)

    def drop_snapshots(self, game: str | None = None) -> None:
        """Forget a game's snapshots, None: all, and the states in hand. Nothing is lost but time.

        Raises StoreUnavailable.
        """
        self._states.forget()
        self._snapshots.drop(game)

    def doubt_snapshots(self) -> None:
        """Use none from now on, though they stay where they are: every state is folded from the records."""
        self._snapshots.used = False
        self._states.forget()

    def false_snapshots(self, game: str) -> Iterator[FalseSnapshot]:
        """The snapshots of a game that are not what its records give; doubts them all. Raises NoSuchGame."""
        self.doubt_snapshots()
        return SnapshotCheck(self._snapshots, self._states, self._reading, self.folding).find(game)

    # --- beside the records -------------------------------------------------------------------------------------------

    def append_refusal(self, game: str, seat: str, told: bytes) -> bool:
        """Keep words beside a game, outside its tree; says whether that could be done. Never raises StoreUnavailable.

        `told`: JSON. Whoever gives an order must not be held up by what only remembers that it was refused.
        """
        try:
            self._store.append_refusal(game, self._store.size(game), timestamp(self.clock()), seat, told)
        except (StoreUnavailable, IntegrityError, OperationalError):
            return False
        return True

    def aside(self, game: str) -> list[Aside]:
        """What was kept beside a game, the oldest first: (size of the game then, time, seat, JSON, whether sound)."""
        return [kept for _, kept in self._store.refusals(game)]

    def refusals(self, game: str, after: int) -> list[tuple[int, Aside]]:
        """What was kept behind a number, each with its own; numbers go up, and the games of a ledger share them."""
        return self._store.refusals(game, after)

    def last_aside(self, game: str) -> int:
        """The number of what was kept last, 0 where nothing was."""
        return self._store.last_aside(game)

    def notes(self) -> AbstractContextManager[MetadataStore]:
        """What is noted beside the games and may be changed, in a transaction. Raises StoreUnavailable."""
        return self._store.notes()

    def noted(self, kind: str, game: str | None = None) -> list[MetadataEntry]:
        """The notes of a kind, of one game or of all."""
        return self._store.noted(kind, game)

    def notes_named(self, kind: str, name: str) -> list[MetadataEntry]:
        """The notes of one name, of whichever game."""
        return self._store.notes_named(kind, name)

    def note(self, game: str, kind: str, name: str = "") -> str | None:
        """The value of one note; None where it is not there."""
        return self._store.note(game, kind, name)

    def home(self) -> str:
        """Where the ledger's file is, to recognize a copied file; "" for a ledger without a file."""
        return self._store.home()

    def back_up(self, to: Path, check: Callable[[Path], T]) -> T:
        """Copy everything into a new file, as of one moment; `check` looks at it before it gets its name.

        Raises StoreUnavailable for a name that is taken, and for a copy that cannot be made: then it is not there.
        """
        return back_up(self._store.copy_to, to, check)

    # --- hashes -------------------------------------------------------------------------------------------------------

    def checkpoint(self, game: str, at: int | None = None) -> Checkpoint:
        """The root over the first `at` records (None: all). Raises NoSuchGame, NoSuchRecord."""
        at = self._reading.need_position(game, at)
        return Checkpoint(game=game, size=at, root=self._edges.at(game, at).root())

    def verify(self, game: str, checkpoint: Checkpoint | None = None) -> Verdict:
        """Check every record and every `prior` of a game in this ledger. Raises NoSuchGame."""
        self._reading.need_game(game)
        return verify_game(self._store, self._edges, game, checkpoint)

    def __enter__(self) -> Self:
        super().__enter__()
        return self
