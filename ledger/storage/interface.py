"""What the ledger asks of a store beyond the library's recorder: the seam behind which all SQL of the ledger lies.

A store is a module beside this one that gives an infrastructure factory of the `eventsourcing` library whose
application recorder is a `LineStore` too, and whose recorder of snapshots is a `SnapshotStore`. There are two:

    sqlite.py      a file or memory; sqlite_connection.py opens it, sqlite_snapshots.py, refusal_log.py and metadata.py
                   store the rest
    postgres.py    a database; postgres_connection.py connects to it, postgres_schema.py creates and guards its tables

`stores.py` chooses one by the name of the ledger, and imports no other. Everything above (reading, branches, states,
edges, writing, verifying, replay logs) knows these two protocols and no SQL, so that a store is tested by the tests of
the ledger, on each store. What looks at a file from outside without opening the ledger (quick_read.py, health.py,
database_checks.py, backup.py) is of SQLite alone.
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

Aside = tuple[int, str, str, bytes, Kept]
"""(last position of the game then, time, seat, JSON, whether it is as it was written): kept beside a game"""


Away = Callable[[StoreUnavailable], None]
"""Told of each server that cannot be reached, where games are spread over several"""

Hear = Callable[[float], bool]
"""Waits at most so many seconds, and says whether it was told meanwhile that something was recorded"""


class LineStore(Protocol):
    """Lines of records, in games. Every call may raise StoreUnavailable."""

    def insert_lines(self, game: str, rows: Iterable[Row], edge: KeptEdge | None = None) -> None:
        """Append rows in one transaction, and keep the right edge behind them with it.

        Raises:
            IntegrityError: the library's; a gap, a taken position, a command id that was recorded before.
        """

    def transaction(self) -> AbstractContextManager[object]:
        """Several insert_lines as one: all of them land, or an exception undoes them."""

    def reopen(self) -> bool:
        """After a commit of unknown outcome: connect again; return whether what is found from now on is final."""

    def lock_game(self, game: str) -> AbstractContextManager[object]:
        """Wait until nobody else who asks for a turn at a game has it; whoever asks for none writes all the same."""

    def size(self, game: str) -> int:
        """The last position, 0 for no such game."""

    def kept_edge(self, game: str) -> tuple[int, KeptEdge | None]:
        """(last position, the right edge that was kept last), both as of one moment; older ledgers have no edge."""

    def lines(self, game: str, first: int, last: int) -> Iterator[bytes]:
        """The lines from `first` to `last`, both included."""

    def lines_back(self, game: str, first: int, last: int) -> Iterator[bytes]:
        """The same from `last` down to `first`."""

    def lines_with(self, game: str, mark: bytes, first: int, last: int) -> list[bytes]:
        """Of the lines from `first` to `last` those that hold these bytes; the store looks, and gives no other."""

    def rows(self, game: str, first: int, last: int) -> Iterator[Row]:
        """Whole rows, so that the indexed fields can be checked against the lines."""

    def position_of(self, game: str, command: str) -> int | None:
        """Where the order with this command id begins."""

    def commands(self, game: str, prefix: str) -> list[tuple[int, str]]:
        """(position, command id) of the orders whose command id begins so, the oldest first."""

    def rewinds(self, game: str, after: int) -> list[tuple[int, int]]:
        """(position, follows) of the records behind `after` that do not continue their predecessor."""

    def append_refusal(self, game: str, after: int, at: str, seat: str, told: bytes) -> None:
        """Keep words beside a game, outside its records; does not wait for another writer."""

    def refusals(self, game: str, after: int = 0) -> list[tuple[int, Aside]]:
        """What was kept beside a game behind a number, the oldest first, each with its number."""

    def last_aside(self, game: str) -> int:
        """The number of what was kept last, 0 where nothing was."""

    def notes(self) -> AbstractContextManager[MetadataStore]:
        """Notes beside the games that may be changed, in a transaction that waits for other writers."""

    def noted(self, kind: str, game: str | None = None) -> list[MetadataEntry]:
        """The notes of a kind, of one game or of all."""

    def note(self, game: str, kind: str, name: str) -> str | None:
        """The value of one note; None where it is not there."""

    def notes_named(self, kind: str, name: str) -> list[MetadataEntry]:
        """The notes of one name, of whichever game."""

    def home(self) -> str:
        """Where the store's file is (`copies.home_of`); "" for a store without a file."""

    def copy_to(self, copy: Connection) -> None:
        """Fill an empty SQLite database with everything, as of one moment."""

    def games(self, away: Away | None = None) -> list[str]:
        """Ids of the games that have records, oldest first; all of them, or all but those of whom is told `away`."""

    def sizes(self, away: Away | None = None) -> dict[str, int]:
        """The size of each game, where one cheap question tells it; else nothing. `away`: as in `games`."""

    def own_connection(self) -> Any:
        """A connection for somebody else's tables beside it, that nobody else uses."""

    def newest(self) -> int:
        """Where the ledger stands: a number to give to `news`."""

    def changed_games(self, after: int) -> tuple[int, list[str]]:
        """(number, games): which games may have records behind a number, and the number to ask with next.

        A game may be named again that has nothing new; none that has is ever passed over.
        """

    def hearing(self) -> AbstractContextManager[Hear | None]:
        """What waits to be told that something was recorded; None in a store that tells nothing."""


class SnapshotStore(Protocol):
    """Folded states by game and position; a cache that may be lost at any time."""

    def keep(self, game: str, position: int, schema: str, state: bytes) -> None:
        """Write one, over an older one at the same position."""

    def positions(self, game: str, schema: str, most: int) -> list[int]:
        """Positions up to `most` that have a snapshot of this schema, newest first."""

    def state(self, game: str, position: int, schema: str) -> bytes | None:
        """The bytes that were kept."""

    def drop(self, game: str | None = None) -> None:
        """Forget them all."""
