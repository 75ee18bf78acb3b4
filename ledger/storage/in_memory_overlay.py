"""Keep additional records of one game in memory, to try orders that must not be recorded.

Records of the underlying store are read when needed, so a trial costs only what it reads. The store is not changed, and
records that others add to it in the meantime are not seen.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from itertools import chain
from sqlite3 import Connection
from typing import Any

from eventsourcing.persistence import IntegrityError

from umpire_ledger.ledger.merkle.compact_ranges import KeptEdge
from umpire_ledger.ledger.records.errors import StoreUnavailable
from umpire_ledger.ledger.records.record import Row
from umpire_ledger.ledger.storage.interface import Away, LineStore, LoggedRefusal, SignalWait, SnapshotStore
from umpire_ledger.ledger.storage.metadata import MetadataEntry, MetadataStore


class Overlay:
    """A line store with one game of another store and additional records of it in memory."""

    def __init__(self, below: LineStore, game_id: str) -> None:
        self._below = below
        self._game = game_id
        self._base, self._edge = below.kept_edge(game_id)
        self._rows: list[Row] = []

    def insert_lines(self, game_id: str, rows: Iterable[Row], edge: KeptEdge | None = None) -> None:
        """Append rows.

        Raises:
            IntegrityError: A store would refuse them, because of a gap or an order id that was recorded before.
        """
        some = list(rows)
        commands = [command for _, command, _, _ in some if command is not None]
        behind = range(self.size(game_id) + 1, self.size(game_id) + 1 + len(some))
        if [position for position, _, _, _ in some] != list(behind):
            raise IntegrityError("a record must directly follow the last one")
        if len(set(commands)) < len(commands) or any(self.position_of(game_id, one) for one in commands):
            raise IntegrityError("this command was recorded before")
        self._rows += some
        self._edge = edge or self._edge

    def transaction(self) -> AbstractContextManager[object]:
        """Return an empty context: each insert is atomic, and a trial has only one game."""
        return contextlib.nullcontext()

    def reopen(self) -> bool:
        """Return False, because no insert in memory has an unknown outcome."""
        return False

    def lock_game(self, game_id: str) -> AbstractContextManager[object]:
        """Return an empty context, because there are no other writers here."""
        return contextlib.nullcontext()

    def size(self, game_id: str) -> int:
        """Return the last position."""
        return self._base + len(self._rows) if game_id == self._game else 0

    def sizes(self, away: Away | None = None) -> dict[str, int]:
        """Return an empty mapping, because no list shows a trial."""
        return {}

    def own_connection(self) -> Any:
        """Refuse, because a trial has no read models.

        Raises:
            StoreUnavailable: Always.
        """
        what = "a dry run is not stored in a database"
        raise StoreUnavailable(what, where=self._game, remedy="ask the ledger itself")

    def kept_edge(self, game_id: str) -> tuple[int, KeptEdge | None]:
        """Return the last position, and the last stored compact range."""
        return self.size(game_id), self._edge if game_id == self._game else None

    def rows(self, game_id: str, first: int, last: int) -> Iterator[Row]:
        """Yield the rows of the underlying store, then those in memory."""
        return chain(self._below.rows(game_id, first, min(last, self._base)), self._own(first, last))

    def lines(self, game_id: str, first: int, last: int) -> Iterator[bytes]:
        """Return the lines from `first` to `last`, both included."""
        below = self._below.lines(game_id, first, min(last, self._base))
        return chain(below, (line for *_, line in self._own(first, last)))

    def lines_back(self, game_id: str, first: int, last: int) -> Iterator[bytes]:
        """Return the lines from `last` down to `first`."""
        below = self._below.lines_back(game_id, first, min(last, self._base))
        return chain((line for *_, line in self._own(first, last)[::-1]), below)

    def lines_with(self, game_id: str, mark: bytes, first: int, last: int) -> list[bytes]:
        """Return those lines from `first` to `last` that contain these bytes."""
        below = self._below.lines_with(game_id, mark, first, min(last, self._base))
        return [*below, *(line for *_, line in self._own(first, last) if mark in line)]

    def position_of(self, game_id: str, command: str) -> int | None:
        """Return the first position of the order with this order id; None if it is unknown."""
        below = self._below.position_of(game_id, command)
        own = (position for position, known, _, _ in self._rows if known == command)
        return below if below is not None and below <= self._base else next(own, None)

    def commands(self, game_id: str, prefix: str) -> list[tuple[int, str]]:
        """Return (position, order id) of the orders whose id begins with `prefix`."""
        below = [one for one in self._below.commands(game_id, prefix) if one[0] <= self._base]
        return below + [(at, command) for at, command, _, _ in self._rows if command and command.startswith(prefix)]

    def rewinds(self, game_id: str, after: int) -> list[tuple[int, int]]:
        """Return (position, follows) of the records after `after` that do not continue their predecessor."""
        below = [one for one in self._below.rewinds(game_id, after) if one[0] <= self._base]
        return below + [(at, follows) for at, _, follows, _ in self._rows if at > after and follows is not None]

    def _own(self, first: int, last: int) -> list[Row]:
        return self._rows[max(first - self._base - 1, 0) : max(last - self._base, 0)]

    def games(self, away: Away | None = None) -> list[str]:
        """Return the id of the game."""
        return [self._game]

    def newest(self) -> int:
        """Return the newest number of the underlying store; no caller waits for a trial."""
        return self._below.newest()

    def changed_games(self, after: int) -> tuple[int, list[str]]:
        """Return the changed games of the underlying store."""
        return self._below.changed_games(after)

    def record_signals(self) -> AbstractContextManager[SignalWait | None]:
        """Return an empty context: an overlay sends no signals."""
        return contextlib.nullcontext()

    def append_refusal(self, game_id: str, after: int, at: str, seat: str, told: bytes) -> None:
        """Drop the refusal, because a trial does not add to the refusals."""

    def refusals(self, game_id: str, after: int = 0) -> list[tuple[int, LoggedRefusal]]:
        """Return the refusals of the underlying store."""
        return self._below.refusals(game_id, after)

    def last_aside(self, game_id: str) -> int:
        """Return the number of the newest refusal in the underlying store."""
        return self._below.last_aside(game_id)

    def metadata(self) -> AbstractContextManager[MetadataStore]:
        """Refuse, because a trial stores no metadata."""
        raise NotImplementedError

    def metadata_of_kind(self, kind: str, game_id: str | None = None) -> list[MetadataEntry]:
        """Return the metadata entries of a kind in the underlying store."""
        return self._below.metadata_of_kind(kind, game_id)

    def metadata_value(self, game_id: str, kind: str, name: str) -> str | None:
        """Return the value of a metadata entry in the underlying store."""
        return self._below.metadata_value(game_id, kind, name)

    def metadata_named(self, kind: str, name: str) -> list[MetadataEntry]:
        """Return the metadata entries with one name in the underlying store."""
        return self._below.metadata_named(kind, name)

    def home(self) -> str:
        """Return "", because a trial has no file."""
        return ""

    def copy_to(self, copy: Connection) -> None:
        """Refuse, because a trial is not backed up."""
        raise NotImplementedError


class ReadOnlySnapshots:
    """The snapshots of the underlying store, up to the end of the tried game. None is added."""

    def __init__(self, below: SnapshotStore, base: int) -> None:
        self._below = below
        self._base = base

    def keep(self, game_id: str, position: int, schema: str, state: bytes) -> None:
        """Do nothing: a trial stores no snapshots."""

    def positions(self, game_id: str, schema: str, most: int) -> list[int]:
        """Return the positions of snapshots of records that this trial and the store share."""
        return self._below.positions(game_id, schema, min(most, self._base))

    def state(self, game_id: str, position: int, schema: str) -> bytes | None:
        """Return the stored snapshot."""
        return self._below.state(game_id, position, schema)

    def drop(self, game_id: str | None = None) -> None:
        """Do nothing: the snapshots belong to the underlying store."""
