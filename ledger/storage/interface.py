"""Define the protocols that a store implements in addition to the library's recorder.

All SQL is in their implementations.

A store is a module in this folder with an infrastructure factory of the `eventsourcing` library. The factory's
application recorder is also a `LineStore`, and its recorder of snapshots is a `SnapshotStore`. There are two stores:

    sqlite.py      a file or memory; sqlite_connection.py opens it, sqlite_snapshots.py, refusal_log.py and metadata.py
                   store the rest
    postgres.py    a database; postgres_connection.py connects to it, postgres_schema.py creates and guards its tables

`stores.py` chooses one by the name of the ledger, and imports no other. All other modules (reading, branches, states,
compact ranges, writing, verification, replay logs) use only these two protocols and no SQL, so the tests of the ledger
test each store. Modules that read a file without opening the ledger (quick_read.py, health.py, database_checks.py,
backup.py) are for SQLite only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from sqlite3 import Connection
from typing import Any, Protocol

from umpire_ledger.ledger.merkle.compact_ranges import KeptEdge
from umpire_ledger.ledger.records.errors import StoreUnavailable
from umpire_ledger.ledger.records.record import Row
from umpire_ledger.ledger.storage.metadata import MetadataEntry, MetadataStore
from umpire_ledger.ledger.storage.refusal_log import Kept

LoggedRefusal = tuple[int, str, str, bytes, Kept]
"""A refusal stored with a game: its last position then, time, seat, JSON, and whether the row is as it was written."""


Away = Callable[[StoreUnavailable], None]
"""Function that is called with the error of each unreachable server, if games are spread over several."""

SignalWait = Callable[[float], bool]
"""Function that waits at most this number of seconds, and returns whether a record was announced in the meantime."""


class LineStore(Protocol):
    """Stored lines of records, by game. Every call may raise StoreUnavailable."""

    def insert_lines(self, game_id: str, rows: Iterable[Row], edge: KeptEdge | None = None) -> None:
        """Append rows in one transaction, together with the compact range after them.

        Raises:
            IntegrityError: From the library: there is a gap, a taken position, or an order id that was recorded before.
        """

    def transaction(self) -> AbstractContextManager[object]:
        """Return a context in which several insert_lines are one transaction; an exception undoes all of them."""

    def reopen(self) -> bool:
        """Connect again after a commit of unknown outcome; return whether later reads are final."""

    def lock_game(self, game_id: str) -> AbstractContextManager[object]:
        """Return a context that waits for the caller's turn at a game. Writers that do not use it are not excluded."""

    def size(self, game_id: str) -> int:
        """Return the last position; 0 if there is no such game."""

    def kept_edge(self, game_id: str) -> tuple[int, KeptEdge | None]:
        """Return (last position, last stored compact range) as of one moment. Older ledgers have no compact ranges."""

    def lines(self, game_id: str, first: int, last: int) -> Iterator[bytes]:
        """Return the lines from `first` to `last`, both included."""

    def lines_back(self, game_id: str, first: int, last: int) -> Iterator[bytes]:
        """Return the lines from `last` down to `first`."""

    def lines_with(self, game_id: str, mark: bytes, first: int, last: int) -> list[bytes]:
        """Return the lines from `first` to `last` that contain these bytes; the store itself searches for them."""

    def rows(self, game_id: str, first: int, last: int) -> Iterator[Row]:
        """Yield whole rows, so that the indexed fields can be checked against the lines."""

    def position_of(self, game_id: str, command: str) -> int | None:
        """Return the first position of the order with this order id; None if it is unknown."""

    def commands(self, game_id: str, prefix: str) -> list[tuple[int, str]]:
        """Return (position, order id) of the orders whose id begins with `prefix`, the oldest first."""

    def rewinds(self, game_id: str, after: int) -> list[tuple[int, int]]:
        """Return (position, follows) of the records after `after` that do not continue their predecessor."""

    def append_refusal(self, game_id: str, after: int, at: str, seat: str, told: bytes) -> None:
        """Store a refusal with a game, outside its records, without waiting for another writer."""

    def refusals(self, game_id: str, after: int = 0) -> list[tuple[int, LoggedRefusal]]:
        """Return the refusals of a game after a number, the oldest first, each with its number."""

    def last_aside(self, game_id: str) -> int:
        """Return the number of the newest refusal; 0 if there is none."""

    def metadata(self) -> AbstractContextManager[MetadataStore]:
        """Return a transaction on the changeable metadata of the games. It waits for other writers."""

    def metadata_of_kind(self, kind: str, game_id: str | None = None) -> list[MetadataEntry]:
        """Return the metadata entries of a kind, of one game or of all."""

    def metadata_value(self, game_id: str, kind: str, name: str) -> str | None:
        """Return the value of one metadata entry; None if there is none."""

    def metadata_named(self, kind: str, name: str) -> list[MetadataEntry]:
        """Return the metadata entries with one name, of any game."""

    def home(self) -> str:
        """Return the identity of the store's file (`copies.home_of`); "" for a store without a file."""

    def copy_to(self, copy: Connection) -> None:
        """Copy the whole ledger, as of one moment, into an empty SQLite database."""

    def games(self, away: Away | None = None) -> list[str]:
        """Return the ids of the games that have records, oldest first; `away` permits unreachable servers."""

    def sizes(self, away: Away | None = None) -> dict[str, int]:
        """Return the size of each game if one cheap query finds it; otherwise an empty mapping.

        `away`: as in `games`.
        """

    def own_connection(self) -> Any:
        """Return a separate connection for the caller's own tables in the same database."""

    def newest(self) -> int:
        """Return the newest number of the whole ledger, for `changed_games`."""

    def changed_games(self, after: int) -> tuple[int, list[str]]:
        """Return (number, games): the games that may have records after a number, and the number for the next call.

        A game without new records may be named again; a game with new records is never left out.
        """

    def record_signals(self) -> AbstractContextManager[SignalWait | None]:
        """Return a context with a function that waits for signals of new records; None in a store without signals."""


class SnapshotStore(Protocol):
    """Snapshots by game and position. They are a cache that may be lost at any time."""

    def keep(self, game_id: str, position: int, schema: str, state: bytes) -> None:
        """Store a snapshot; it replaces an older one at the same position."""

    def positions(self, game_id: str, schema: str, most: int) -> list[int]:
        """Return the positions up to `most` that have a snapshot of this schema, newest first."""

    def state(self, game_id: str, position: int, schema: str) -> bytes | None:
        """Return the stored snapshot; None if there is none."""

    def drop(self, game_id: str | None = None) -> None:
        """Delete the snapshots of a game (None: of all games)."""
