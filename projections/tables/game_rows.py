"""Write and delete the rows of one game: its audit trail and the rows of every order.

Called only inside a transaction of `Follower`.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice

import msgspec

from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.branches import Branch
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.tables import desk_rows, search_index
from umpire_ledger.projections.tables.audit_trail import STAY, AuditTrail
from umpire_ledger.projections.tables.catalogue import BY_ROW, COUNTING, TABLES
from umpire_ledger.projections.tables.dialect import Tables, dialect_of
from umpire_ledger.projections.tables.pieces import Piece
from umpire_ledger.projections.tables.step_index import StepPlaces
from umpire_ledger.projections.tables.turn_view import TitleOf
from umpire_ledger.projections.tables.views_file import key_of, row_id, typed
from umpire_ledger.projections.tables.waiting import Waiting, read_names, read_waits, waits_text

Progress = Callable[[int], None]
"""Called from time to time with the number of records read so far."""

TELL_EVERY = 1000
INSERT = {name: f"INSERT INTO {name} VALUES ({', '.join('?' * len(table.columns))})" for name, table in TABLES.items()}
"""The statement that inserts a whole row, by table."""
BATCH = 1000
"""The number of records whose rows are written together, so that memory does not grow with the game."""
FOLLOWED = tuple(table for table in TABLES if table not in (*BY_ROW, "game", "looked"))
"""Tables whose rows are found by the game's id instead of by row ids."""
_json = msgspec.json.Encoder().encode


class LastFollowedRecord(msgspec.Struct, frozen=True):
    """The progress of a game's rows: the game's key, position and line of the last record, and the rows' edition.

    `waits`, `disputes`: waits and open disputes at that position, as stored. `refused`: the number of the last refused
    order. `searched`: the last position in the search index. `sure`: whether the line is known to be in this ledger.
    `bare`: whether no turn view is known to be stored.
    """

    key: int = 0
    position: int = 0
    line: str = ""
    edition: str = ""
    waits: str = "[]"
    disputes: str = "[]"
    refused: int = 0
    searched: int = 0
    sure: bool = False
    bare: bool = False


NOTHING = LastFollowedRecord()
_FOLLOWED = (
    "SELECT key, position, coalesce(last_line, ''), coalesce(edition, ''), coalesce(waits, '[]'),"
    " coalesce(disputes, '[]'), coalesce(refused, 0), coalesce(searched, 0) FROM game WHERE id = ?"
)


class ReadResult(msgspec.Struct, frozen=True):
    """The result of reading records. `waits`, `disputes`: as stored; `at`: the time of the last record.

    `touched`: the pieces that may have changed; None if all may have changed. `secrets`: whether there are new kinds of
    secret records. `attributes`: names of unit attributes that are new to the game.
    """

    waits: str
    disputes: str
    at: str
    touched: set[Piece] | None
    secrets: bool
    attributes: set[str]


class GameRows:
    """Writes and deletes the rows of games in one set of read models, except rows for a single seat."""

    def __init__(self, connection: Tables, ledger: Ledger[Game], title_of: TitleOf) -> None:
        self.connection = connection
        self._ledger = ledger
        self._title_of = cache(title_of)
        self._attributes: dict[str, set[str]] = {}

    def followed(self, game_id: str) -> LastFollowedRecord:
        """Return the progress of a game's rows from the tables; `NOTHING` for an unknown game."""
        found = typed(self.connection.execute(_FOLLOWED, (game_id,)), tuple[int, int, str, str, str, str, int, int])
        return next((LastFollowedRecord(*row) for row in found), NOTHING)

    def columns(self, game_id: str) -> set[tuple[str, str | None]]:
        """Return the columns that a game needs in the view of its title, as pairs of title and attribute.

        A game without attributes has the pair (title, None).
        """
        joined = "game LEFT JOIN attribute ON attribute.game = game.id"
        select = f"SELECT game.title, attribute.name FROM {joined} WHERE game.id = ?"
        return set(self.connection.execute(select, (game_id,)).fetchall())

    def new_game(self, game_id: str) -> int:
        """Add a row for a new game, and return its key."""
        key = dialect_of(self.connection).next_key(self.connection)
        self.connection.execute(
            "INSERT INTO game (key, id, position, refused, searched) VALUES (?, ?, 0, 0, 0)", (key, game_id)
        )
        return key

    def wipe(self, game_id: str) -> None:
        """Delete a game's rows except the read marks of its seats."""
        self.forget(game_id)
        key = key_of(self.connection, game_id)
        span = (row_id(key, 0), row_id(key + 1, -1))
        search_index.empty(self.connection, key, self.followed(game_id).searched)
        for table in BY_ROW:
            self.connection.execute(f"DELETE FROM {table} WHERE id BETWEEN ? AND ?", span)
        for table in FOLLOWED:
            self.connection.execute(f"DELETE FROM {table} WHERE game = ?", (game_id,))
        self.connection.execute(
            "UPDATE game SET position = 0, refused = 0, searched = 0, waits = '[]', disputes = '[]' WHERE id = ?",
            (game_id,),
        )

    def forget(self, game_id: str) -> None:
        """Drop the cached attributes of a game."""
        self._attributes.pop(game_id, None)

    def write_trail(
        self, key: int, game_id: str, followed: LastFollowedRecord, size: int, lines: Iterable[bytes]
    ) -> ReadResult:
        """Write the rows of new records, and update the older rows that a rewind changes."""
        position = followed.position
        branch = self._ledger.branch(game_id, size)
        start = self._ledger.state(game_id, position) if position else Game()
        places = StepPlaces(position, start, lambda earlier: self._ledger.state(game_id, earlier))
        waiting = Waiting(self._title_of, read_waits(followed.waits))
        trail = AuditTrail(key, game_id, places, branch.after(position), waiting)
        rows = trail.rows(lines)
        while batch := list(islice(rows, BATCH)):
            self.connection.executemany(INSERT["audit"], batch)
            self._write_other_tables(key, game_id, trail)
        trail.finish()
        self._write_other_tables(key, game_id, trail)
        turned = bool(position) and self._turn_over(game_id, key, position, branch)
        return ReadResult(
            waits=waits_text(waiting.waits) if waiting.changed else followed.waits,
            disputes=_disputes(followed.disputes, trail.disputes) if trail.disputes else followed.disputes,
            at=trail.at,
            touched=None if turned or not position else trail.touched,
            secrets=bool(trail.secrets) and self._write_secrets(game_id, trail),
            attributes=self._write_attributes(game_id, trail.attributes) if trail.attributes else set(),
        )

    def _write_secrets(self, game_id: str, trail: AuditTrail) -> bool:
        rows = [(game_id, *secret, first) for secret, first in trail.secrets.items()]
        insert = 'INSERT INTO secret (game, visible_to, event, "first") VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING'
        return self.connection.executemany(insert, rows).rowcount > 0

    def _write_attributes(self, game_id: str, names: set[str]) -> set[str]:
        there = self._attributes.get(game_id)
        if there is None:
            there = {
                name for (name,) in self.connection.execute("SELECT name FROM attribute WHERE game = ?", (game_id,))
            }
        new = names - there
        if new:
            self.connection.executemany(INSERT["attribute"], [(game_id, name) for name in sorted(new)])
        self._attributes[game_id] = there | new
        return new

    def _write_other_tables(self, key: int, game_id: str, trail: AuditTrail) -> None:
        """Write the rows that the audit trail collected for other tables."""
        for table, rows in trail.rows_of_other_tables():
            if rows:
                self.connection.executemany(INSERT[table], rows)
                rows.clear()
        if trail.replaced:
            self._take_back(key, trail.replaced)
            trail.replaced.clear()
        if trail.acts:
            desk_rows.write(self.connection, key, game_id, trail.acts)
            trail.acts.clear()

    def _take_back(self, key: int, notes: Iterable[int]) -> None:
        """Mark replaced notes as no longer counting."""
        rows = [(False, row_id(key, position)) for position in notes]
        for table in BUT_NOTES:
            self.connection.executemany(f"UPDATE {table} SET counts = ? WHERE id = ?", rows)

    def _turn_over(self, game_id: str, key: int, position: int, new: Branch) -> bool:
        """Update older rows that rewinds removed from the current branch or put back; return whether there were any."""
        first, last = new.stretches[-1]
        if first <= position <= last:
            return False
        before = self._ledger.branch(game_id, position).stretches
        now = tuple((first, min(last, position)) for first, last in new.stretches if first <= position)
        if before == now:
            return False
        for counts, stretches, others in ((False, before, now), (True, now, before)):
            for first, last in _without(stretches, others):
                for table in COUNTING:
                    self.connection.execute(
                        f"UPDATE {table} SET counts = ? WHERE id BETWEEN ? AND ?{BUT_NOTES.get(table, '')}",
                        (counts, row_id(key, first), row_id(key, last)),
                    )
        return True


STAYING = tuple(str(event.__struct_config__.tag) for event in STAY)
BUT_NOTES = {
    "audit": f" AND event NOT IN {STAYING}",
    "orders": f" AND NOT EXISTS (SELECT 1 FROM audit WHERE audit.id = orders.id AND event IN {STAYING})",
}
"""Conditions that exclude notes and their orders, because these continue to count after a rewind."""


class Passing:
    """Iterates over lines. `last`: the line returned last."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        self.last = b""

    def __iter__(self) -> Iterator[bytes]:
        for line in self._lines:
            self.last = line
            yield line


def _disputes(before: str, changed: dict[str, bool]) -> str:
    """Return the open disputes in stored form. `changed`: opened and settled disputes, and whether each is open."""
    every = {**dict.fromkeys(read_names(before), True), **changed}
    return str(_json([name for name, is_open in every.items() if is_open]), "utf-8")


def told_of(lines: Iterator[bytes], progress: Progress) -> Iterator[bytes]:
    """Yield the lines unchanged, and report their number every `TELL_EVERY` lines."""
    for number, line in enumerate(lines, 1):
        if number % TELL_EVERY == 0:
            progress(number)
        yield line


def _without(stretches: tuple[tuple[int, int], ...], others: tuple[tuple[int, int], ...]) -> Iterator[tuple[int, int]]:
    """Yield the parts of some stretches that overlap none of the others."""
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
