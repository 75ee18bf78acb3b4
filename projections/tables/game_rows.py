"""The rows of one game as they are written: its trail with all that is told of every order, and how they are wiped.

All of it happens inside a transaction of `Follower`.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

import msgspec

from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.application import Ledger
from umpire_ledger.ledger.branches import Branch
from umpire_ledger.projections.tables import desk_rows
from umpire_ledger.projections.tables.audit_trail import Trail
from umpire_ledger.projections.tables.catalogue import BY_ROW, COUNTING, TABLES
from umpire_ledger.projections.tables.places import Places
from umpire_ledger.projections.tables.schema import SEARCHED
from umpire_ledger.projections.tables.turn_view import TitleOf
from umpire_ledger.projections.tables.views_file import key_of, row_id
from umpire_ledger.projections.tables.waiting import Waiting, read_names, read_waits, waits_text

Progress = Callable[[int], None]
"""Told now and then how many records of a game were taken in."""

TELL_EVERY = 1000
INSERT = {name: f"INSERT INTO {name} VALUES ({', '.join('?' * len(table.columns))})" for name, table in TABLES.items()}
"""A whole row into each table."""
BATCH = 1000
"""Records whose rows are made and written together: memory stays flat however many follow."""
FOLLOWED = tuple(table for table in TABLES if table not in (*BY_ROW, "game", "looked"))
"""Tables of a game that are keyed by its id; the others by row ids."""
_json = msgspec.json.Encoder().encode


class Followed(msgspec.Struct, frozen=True):
    """Up to where a game's rows are made: its key in the read models, the last record and its line, the edition.

    `waits`, `disputes`: who was waited for there, and the disputes that were open, as they are kept. `refused`: the
    number of the last refused order.
    """

    key: int = 0
    position: int = 0
    line: str = ""
    edition: str = ""
    waits: str = "[]"
    disputes: str = "[]"
    refused: int = 0


NOTHING = Followed()


class GameRows:
    """Writes and wipes the rows of games in one file of read models, but for what each seat sees."""

    def __init__(self, connection: sqlite3.Connection, ledger: Ledger[Game], title_of: TitleOf) -> None:
        self.connection = connection
        self._ledger = ledger
        self._title_of = title_of

    def new_game(self, game: str) -> int:
        """A row for a game that was not followed yet; gives its key."""
        key = self.connection.execute("SELECT coalesce(max(key), 0) + 1 FROM game").fetchone()[0]
        self.connection.execute("INSERT INTO game (key, id, position) VALUES (?, ?, 0)", (key, game))
        return int(key)

    def wipe(self, game: str) -> None:
        """Forget a game's rows but for where its seats last looked."""
        key = key_of(self.connection, game)
        span = (row_id(key, 0), row_id(key + 1, -1))
        names = ", ".join(SEARCHED)
        self.connection.execute(
            f"INSERT INTO audit_fts (audit_fts, rowid, {names}) SELECT 'delete', id, {names} FROM audit"
            " WHERE id BETWEEN ? AND ?",
            span,
        )
        for table in BY_ROW:
            self.connection.execute(f"DELETE FROM {table} WHERE id BETWEEN ? AND ?", span)
        for table in FOLLOWED:
            self.connection.execute(f"DELETE FROM {table} WHERE game = ?", (game,))
        self.connection.execute(
            "UPDATE game SET position = 0, refused = 0, waits = '[]', disputes = '[]' WHERE id = ?", (game,)
        )

    def write_trail(self, key: int, game: str, followed: Followed, size: int, lines: Iterable[bytes]) -> set[str]:
        """The rows of the records behind what was followed, and what a rewind among them changes in older rows.

        Gives the attributes that units of the game have now, or had, and that they never had before.
        """
        position = followed.position
        branch = self._ledger.branch(game, size)
        start = self._ledger.state(game, position) if position else Game()
        places = Places(position, start, lambda earlier: self._ledger.state(game, earlier))
        waiting = Waiting(self._title_of, read_waits(followed.waits))
        trail = Trail(key, game, places, branch.after(position), waiting)
        rows = trail.rows(lines)
        while batch := list(islice(rows, BATCH)):
            self.connection.executemany(INSERT["audit"], batch)
            self._write_beside(key, game, trail)
        trail.finish()
        self._write_beside(key, game, trail)
        self._fill_index(row_id(key, position + 1), row_id(key, size))
        self.connection.executemany(
            "INSERT OR IGNORE INTO secret (game, visible_to, event, first) VALUES (?, ?, ?, ?)",
            [(game, *secret, first) for secret, first in trail.secrets.items()],
        )
        disputes = {**dict.fromkeys(read_names(followed.disputes), True), **trail.disputes}
        self.connection.execute(
            "UPDATE game SET waits = ?, disputes = ? WHERE key = ?",
            (waits_text(waiting.waits), _text([name for name, is_open in disputes.items() if is_open]), key),
        )
        if position:
            self._turn_over(key, position, self._ledger.branch(game, position), branch)
        return self._write_attributes(game, trail.attributes) if trail.attributes else set()

    def _write_attributes(self, game: str, names: set[str]) -> set[str]:
        there = {name for (name,) in self.connection.execute("SELECT name FROM attribute WHERE game = ?", (game,))}
        new = names - there
        self.connection.executemany(INSERT["attribute"], [(game, name) for name in sorted(new)])
        return new

    def _write_beside(self, key: int, game: str, trail: Trail) -> None:
        """What the trail has left for other tables so far."""
        for table, rows in trail.beside():
            if rows:
                self.connection.executemany(INSERT[table], rows)
                rows.clear()
        if trail.acts:
            desk_rows.write(self.connection, key, game, trail.acts)
            trail.acts.clear()

    def _fill_index(self, first: int, last: int) -> None:
        names = ", ".join(SEARCHED)
        self.connection.execute(
            f"INSERT INTO audit_fts (rowid, {names}) SELECT id, {names} FROM audit WHERE id BETWEEN ? AND ?",
            (first, last),
        )

    def _turn_over(self, key: int, position: int, old: Branch, new: Branch) -> None:
        """Older rows that a rewind took off the present branch, or put back on it."""
        before = old.stretches
        now = tuple((first, min(last, position)) for first, last in new.stretches if first <= position)
        if before == now:
            return
        for counts, stretches, others in ((0, before, now), (1, now, before)):
            for first, last in _without(stretches, others):
                for table in COUNTING:
                    self.connection.execute(
                        f"UPDATE {table} SET counts = ? WHERE id BETWEEN ? AND ?",
                        (counts, row_id(key, first), row_id(key, last)),
                    )


class Passing:
    """Lines on their way; `last` is the one that was taken last."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        self.last = b""

    def __iter__(self) -> Iterator[bytes]:
        for line in self._lines:
            self.last = line
            yield line


def _text(value: object) -> str:
    return str(_json(value), "utf-8")


def told_of(lines: Iterator[bytes], progress: Progress) -> Iterator[bytes]:
    """The same lines; who waits is told now and then how many there were."""
    for number, line in enumerate(lines, 1):
        if number % TELL_EVERY == 0:
            progress(number)
        yield line


def _without(stretches: tuple[tuple[int, int], ...], others: tuple[tuple[int, int], ...]) -> Iterator[tuple[int, int]]:
    """The positions of some stretches that lie in none of the others, as stretches."""
    for first, last in stretches:
        start = first
        for low, high in sorted(others):
            if high < start or low > last:
                continue
            if low > start:
                yield start, low - 1
            start = high + 1
        if start <= last:
            yield start, last
