"""The rows of one game as they are written: its trail with all that is told of every order, and how they are wiped.

All of it happens inside a transaction of `Follower`.
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
    number of the last refused order. `searched`: the last position that the search index has. `sure`: that the line is
    this ledger's; `bare`: that no turn view is stored.
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


NOTHING = Followed()
_FOLLOWED = (
    "SELECT key, position, coalesce(last_line, ''), coalesce(edition, ''), coalesce(waits, '[]'),"
    " coalesce(disputes, '[]'), coalesce(refused, 0), coalesce(searched, 0) FROM game WHERE id = ?"
)


class Taken(msgspec.Struct, frozen=True):
    """What was taken in: waits and disputes as they are kept, and when the last record was made.

    `touched`: the pieces that may have changed, None for any of them. `secrets`: whether there are new kinds of secret
    records. `attributes`: names that units have now, or had, and never had before.
    """

    waits: str
    disputes: str
    at: str
    touched: set[Piece] | None
    secrets: bool
    attributes: set[str]


class GameRows:
    """Writes and wipes the rows of games in one file of read models, but for what each seat sees."""

    def __init__(self, connection: Tables, ledger: Ledger[Game], title_of: TitleOf) -> None:
        self.connection = connection
        self._ledger = ledger
        self._title_of = cache(title_of)
        self._attributes: dict[str, set[str]] = {}

    def followed(self, game: str) -> Followed:
        """Up to where a game's rows are made, and by which edition."""
        found = typed(self.connection.execute(_FOLLOWED, (game,)), tuple[int, int, str, str, str, str, int, int])
        return next((Followed(*row) for row in found), NOTHING)

    def columns(self, game: str) -> set[tuple[str, str | None]]:
        """What a game asks of the view of its title: (title, attribute) for each name that its units have had.

        (title, None) of one without.
        """
        joined = "game LEFT JOIN attribute ON attribute.game = game.id"
        select = f"SELECT game.title, attribute.name FROM {joined} WHERE game.id = ?"
        return set(self.connection.execute(select, (game,)).fetchall())

    def new_game(self, game: str) -> int:
        """A row for a game that was not followed yet; gives its key."""
        key = dialect_of(self.connection).next_key(self.connection)
        self.connection.execute(
            "INSERT INTO game (key, id, position, refused, searched) VALUES (?, ?, 0, 0, 0)", (key, game)
        )
        return key

    def wipe(self, game: str) -> None:
        """Forget a game's rows but for where its seats last looked."""
        self.forget(game)
        key = key_of(self.connection, game)
        span = (row_id(key, 0), row_id(key + 1, -1))
        search_index.empty(self.connection, key, self.followed(game).searched)
        for table in BY_ROW:
            self.connection.execute(f"DELETE FROM {table} WHERE id BETWEEN ? AND ?", span)
        for table in FOLLOWED:
            self.connection.execute(f"DELETE FROM {table} WHERE game = ?", (game,))
        self.connection.execute(
            "UPDATE game SET position = 0, refused = 0, searched = 0, waits = '[]', disputes = '[]' WHERE id = ?",
            (game,),
        )

    def forget(self, game: str) -> None:
        """Let go of what is in hand of a game."""
        self._attributes.pop(game, None)

    def write_trail(self, key: int, game: str, followed: Followed, size: int, lines: Iterable[bytes]) -> Taken:
        """The rows of the records behind what was followed, and what a rewind among them changes in older rows."""
        position = followed.position
        branch = self._ledger.branch(game, size)
        start = self._ledger.state(game, position) if position else Game()
        places = StepPlaces(position, start, lambda earlier: self._ledger.state(game, earlier))
        waiting = Waiting(self._title_of, read_waits(followed.waits))
        trail = AuditTrail(key, game, places, branch.after(position), waiting)
        rows = trail.rows(lines)
        while batch := list(islice(rows, BATCH)):
            self.connection.executemany(INSERT["audit"], batch)
            self._write_beside(key, game, trail)
        trail.finish()
        self._write_beside(key, game, trail)
        turned = bool(position) and self._turn_over(game, key, position, branch)
        return Taken(
            waits=waits_text(waiting.waits) if waiting.changed else followed.waits,
            disputes=_disputes(followed.disputes, trail.disputes) if trail.disputes else followed.disputes,
            at=trail.at,
            touched=None if turned or not position else trail.touched,
            secrets=bool(trail.secrets) and self._write_secrets(game, trail),
            attributes=self._write_attributes(game, trail.attributes) if trail.attributes else set(),
        )

    def _write_secrets(self, game: str, trail: AuditTrail) -> bool:
        rows = [(game, *secret, first) for secret, first in trail.secrets.items()]
        insert = 'INSERT INTO secret (game, visible_to, event, "first") VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING'
        return self.connection.executemany(insert, rows).rowcount > 0

    def _write_attributes(self, game: str, names: set[str]) -> set[str]:
        there = self._attributes.get(game)
        if there is None:
            there = {name for (name,) in self.connection.execute("SELECT name FROM attribute WHERE game = ?", (game,))}
        new = names - there
        if new:
            self.connection.executemany(INSERT["attribute"], [(game, name) for name in sorted(new)])
        self._attributes[game] = there | new
        return new

    def _write_beside(self, key: int, game: str, trail: AuditTrail) -> None:
        """What the trail has left for other tables so far."""
        for table, rows in trail.beside():
            if rows:
                self.connection.executemany(INSERT[table], rows)
                rows.clear()
        if trail.replaced:
            self._take_back(key, trail.replaced)
            trail.replaced.clear()
        if trail.acts:
            desk_rows.write(self.connection, key, game, trail.acts)
            trail.acts.clear()

    def _take_back(self, key: int, notes: Iterable[int]) -> None:
        """Notes in whose place others stand count no more."""
        rows = [(False, row_id(key, position)) for position in notes]
        for table in BUT_NOTES:
            self.connection.executemany(f"UPDATE {table} SET counts = ? WHERE id = ?", rows)

    def _turn_over(self, game: str, key: int, position: int, new: Branch) -> bool:
        """Older rows that a rewind took off the present branch, or put back on it; says whether there are any."""
        first, last = new.stretches[-1]
        if first <= position <= last:
            return False
        before = self._ledger.branch(game, position).stretches
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
"""Notes are words, and go on counting: their rows, and their orders."""


class Passing:
    """Lines on their way; `last` is the one that was taken last."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        self.last = b""

    def __iter__(self) -> Iterator[bytes]:
        for line in self._lines:
            self.last = line
            yield line


def _disputes(before: str, changed: dict[str, bool]) -> str:
    """The disputes that are open, as they are kept. `changed`: each that was opened or settled, and which it is."""
    every = {**dict.fromkeys(read_names(before), True), **changed}
    return str(_json([name for name, is_open in every.items() if is_open]), "utf-8")


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
