"""Following a ledger: catching up with what was recorded, and making the read models anew.

All rows of a game and the position they stand at change in one transaction, so a record that is delivered twice
changes nothing, and whatever is half done when the power goes was not done at all.
"""

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Self

import msgspec

from umpire_ledger.domain.flow.offers import where_now
from umpire_ledger.domain.game.state import Game, replace
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.ledger.application import Ledger
from umpire_ledger.ledger.branches import Branch
from umpire_ledger.ledger.errors import NoSuchGame
from umpire_ledger.projections.tables import desk_rows, pieces, refusal_rows, title_views
from umpire_ledger.projections.tables.audit_trail import Trail, seats_text
from umpire_ledger.projections.tables.catalogue import BY_ROW, COUNTING, TABLES
from umpire_ledger.projections.tables.copies import copied_from
from umpire_ledger.projections.tables.knowledge import Knowledge, Seats, open_to, seats_at
from umpire_ledger.projections.tables.places import Places
from umpire_ledger.projections.tables.schema import SEARCHED, open_for_writing
from umpire_ledger.projections.tables.standing import Standing, standing_at, standing_of
from umpire_ledger.projections.tables.told import NewestTold, Teller, newest_orders
from umpire_ledger.projections.tables.turn_view import Shared, TitleOf, TurnView, turn_view
from umpire_ledger.projections.tables.views_file import MOST_SINCE, key_of, row_id, trouble, typed
from umpire_ledger.projections.tables.waiting import Waiting, read_names, read_waits

Progress = Callable[[int], None]
"""Told now and then how many records of a game were taken in."""

Skip = Callable[[str, Exception], None]
"""Told of a game that cannot be read, and why."""

TELL_EVERY = 1000
_json = msgspec.json.Encoder().encode
_INSERT = {name: f"INSERT INTO {name} VALUES ({', '.join('?' * len(table.columns))})" for name, table in TABLES.items()}
_PUT_VIEW = _INSERT["turn_view"].replace("INSERT", "INSERT OR REPLACE")
BATCH = 1000
"""Records whose rows are made and written together: memory stays flat however many follow."""
FOLLOWED = tuple(table for table in TABLES if table not in (*BY_ROW, "game", "looked"))
"""Tables of a game that are keyed by its id; the others by row ids."""


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


class Follower:
    """Keeps the read models of one ledger. `path`: their file, from `file.views_path`; `connection` reads them.

    `title_of` looks a title up. `edition`: the program's version; turn views made by another one are made anew.

    Raises StoreUnavailable when the file cannot be used; the ledger is not touched.
    """

    def __init__(
        self, ledger: Ledger[Game], path: str | Path, title_of: TitleOf, *, edition: str = "", timeout: float = 10.0
    ) -> None:
        self.path = str(path)
        self._ledger = ledger
        self._title_of = title_of
        self._edition = edition
        with trouble(self.path):
            self.connection = open_for_writing(self.path, timeout=timeout)
        self._file = _file_at(self.path)
        self._knowledge = Knowledge(ledger, self.connection)
        self._newest = NewestTold(ledger)
        self._lay_views = False

    # --- catching up --------------------------------------------------------------------------------------------------

    def catch_up(self, game: str, progress: Progress | None = None) -> int:
        """Take in what was recorded since; gives how many records that were. Raises NoSuchGame, StoreUnavailable."""
        with trouble(self.path):
            written = self._written_by_others()
            followed = self._followed(game)  # before the size: so nobody has followed further than that
            size = self._size(game)
            if self._is_caught_up(game, followed, size):
                return 0
            with self._writing():
                if self._written_by_others() != written:  # while this one waited for its turn
                    followed, size = self._followed(game), self._size(game)
                return self._catch_up(game, followed, size, progress)

    def catch_up_all(self, progress: Progress | None = None) -> dict[str, int]:
        """The same for every game of the ledger."""
        return {entry.id: self.catch_up(entry.id, progress) for entry in self._ledger.games()}

    def rebuild(self, game: str, progress: Progress | None = None) -> int:
        """Make a game's rows anew; gives how many records were read. Raises NoSuchGame, StoreUnavailable."""
        with trouble(self.path), self._writing():
            self._wipe(game)
            return self._catch_up(game, self._followed(game), self._size(game), progress)

    def rebuild_all(self, progress: Progress | None = None, skip: Skip | None = None) -> dict[str, int]:
        """Make everything anew, in one transaction. Where each seat last looked is kept.

        `skip` is told of each game that cannot be read, and why; it gets no rows, and the others get theirs. Without
        it such a game is an error, and everything stays as it was.
        """
        games = self._ledger.game_ids()
        with trouble(self.path), self._writing():
            self._lay_views = True
            self.connection.execute("INSERT INTO audit_fts (audit_fts) VALUES ('delete-all')")
            for table in TABLES:
                if table != "looked":
                    self.connection.execute(f"DELETE FROM {table}")
            for game in games:
                self._knowledge.forget(game)
                self._newest.forget(game)
            read = {game: self._anew(game, progress, skip) for game in games}
            return {game: records for game, records in read.items() if records is not None}

    def _anew(self, game: str, progress: Progress | None, skip: Skip | None) -> int | None:
        """One game of several, in a transaction of its own inside theirs; None where it was skipped."""
        self.connection.execute("SAVEPOINT game")
        read: int | None
        try:
            read = self._catch_up(game, NOTHING, self._size(game), progress)
        except Exception as error:
            if skip is None or isinstance(error, sqlite3.Error):  # that is: the read models cannot be written
                raise
            self.connection.execute("ROLLBACK TO game")
            self._knowledge.forget(game)
            self._newest.forget(game)
            skip(game, error)
            read = None
        self.connection.execute("RELEASE game")
        return read

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction; an exception undoes everything. The views of titles are laid once, at its end."""
        self._lay_views = False
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            if self._lay_views:
                title_views.refresh(self.connection)
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise

    def _written_by_others(self) -> int:
        """Another number whenever another connection has written the read models."""
        return int(self.connection.execute("PRAGMA data_version").fetchone()[0])

    def _followed(self, game: str) -> Followed:
        """Up to where a game's rows are made, and by which edition."""
        select = (
            "SELECT key, position, coalesce(last_line, ''), coalesce(edition, ''), coalesce(waits, '[]'),"
            " coalesce(disputes, '[]'), coalesce(refused, 0) FROM game WHERE id = ?"
        )
        found = typed(self.connection.execute(select, (game,)), tuple[int, int, str, str, str, str, int])
        return next((Followed(*row) for row in found), NOTHING)

    def _is_caught_up(self, game: str, followed: Followed, size: int) -> bool:
        return (
            followed.position == size
            and followed.edition == self._edition
            and followed.line == self._line(game, size)
            and followed.refused == self._ledger.last_aside(game)
        )  # fmt: skip

    def _size(self, game: str) -> int:
        size = self._ledger.size(game)
        if not size:
            raise NoSuchGame(game=game)
        return size

    def _line(self, game: str, position: int) -> str:
        return b"".join(self._ledger.lines(game, position, position)).decode()

    def _catch_up(self, game: str, followed: Followed, size: int, progress: Progress | None) -> int:
        """Inside a transaction: the rows of the records behind what was followed, and what each seat sees now."""
        lines = self._lines_behind(game, followed, size)
        if lines is None:
            self._wipe(game)
            followed = Followed(followed.key)
            lines = self._ledger.lines(game, 1, size)
        key = followed.key or self._new_game(game)
        position, new = followed.position, set[str]()
        if position < size:
            told = Passing(_told(lines, progress) if progress else lines)
            new = self._write_trail(key, game, followed, size, told)
            last = told.last.decode()
        else:
            last = self._line(game, size)
        state = self._ledger.state(game, size)
        self._write_views(game, state, followed, size)
        refused = refusal_rows.write(self.connection, self._ledger, key, game, state, size, followed.refused)
        self._write_game(key, state, (size, last, self._edition, refused))
        self._lay_views |= bool(new or not position) and title_views.lacks(self.connection, state.title, new)
        return size - position

    def _lines_behind(self, game: str, followed: Followed, size: int) -> Iterator[bytes] | None:
        """The lines behind what was followed; None where that was another ledger's game of this id."""
        if followed.position > size:
            return None
        lines = self._ledger.lines(game, followed.position, size)
        if followed.position and next(lines, b"").decode() != followed.line:
            return None
        return lines

    # --- one game's rows ----------------------------------------------------------------------------------------------

    def _new_game(self, game: str) -> int:
        key = self.connection.execute("SELECT coalesce(max(key), 0) + 1 FROM game").fetchone()[0]
        self.connection.execute("INSERT INTO game (key, id, position) VALUES (?, ?, 0)", (key, game))
        return int(key)

    def _wipe(self, game: str) -> None:
        """Forget a game's rows but for where its seats last looked."""
        self._lay_views = True
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
        self.connection.execute("UPDATE game SET position = 0, refused = 0 WHERE id = ?", (game,))
        self._knowledge.forget(game)
        self._newest.forget(game)

    def _write_trail(self, key: int, game: str, followed: Followed, size: int, lines: Iterable[bytes]) -> set[str]:
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
            self.connection.executemany(_INSERT["audit"], batch)
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
            (_text(waiting.waits), _text([name for name, is_open in disputes.items() if is_open]), key),
        )
        if position:
            self._turn_over(key, position, self._ledger.branch(game, position), branch)
        return self._write_attributes(game, trail.attributes) if trail.attributes else set()

    def _write_attributes(self, game: str, names: set[str]) -> set[str]:
        there = {name for (name,) in self.connection.execute("SELECT name FROM attribute WHERE game = ?", (game,))}
        new = names - there
        self.connection.executemany(_INSERT["attribute"], [(game, name) for name in sorted(new)])
        return new

    def _write_beside(self, key: int, game: str, trail: Trail) -> None:
        """What the trail has left for other tables so far."""
        for table, rows in (("roll", trail.rolls), ("orders", trail.orders), ("undo_point", trail.points)):
            if rows:
                self.connection.executemany(_INSERT[table], rows)
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

    def _write_views(self, game: str, state: Game, followed: Followed, size: int) -> None:
        """What each seat sees now. Seats that know the same share one fold and one set of pieces."""
        secrets = self._knowledge.secrets(game)
        seats = seats_at(state)
        seen = {seat: open_to(secrets, seat, state) for seat in seats}
        first = {known: seat for seat, known in reversed(seen.items())}
        as_before = self._write_seats(game, seats, seen, first) and followed.edition == self._edition

        def known_at(position: int) -> dict[str, Game]:
            return {seat: self._knowledge.state(game, secrets, known, position) for known, seat in first.items()}

        before = known_at(followed.position) if as_before and followed.position else None
        now = known_at(size)
        pieces.write(self.connection, game, now, before)
        title = self._title_of(state.title)
        shared = {seat: Shared() for seat in first.values()}
        told, standing = self._newest.told(game, title, state, size, first), standing_of(self.connection, game)
        views = [
            turn_view(title, now[who], seat, size, shared[who], replace(standing, last=told[seen[seat]]))
            for seat in seats
            for who in (first[seen[seat]],)
        ]
        if not as_before:
            self.connection.execute("DELETE FROM turn_view WHERE game = ?", (game,))
        copied = copied_from(self._ledger, game)
        self.connection.executemany(
            _PUT_VIEW, [view_row(game, replace(view, game=game, copied=copied)) for view in views]
        )

    def _write_seats(
        self, game: str, seats: dict[str, str], seen: dict[str, frozenset[Seats]], first: dict[frozenset[Seats], str]
    ) -> bool:
        """Who has a view of the game, and who sees which secrets; says whether all of it was so before."""
        wanted: dict[str, list[tuple[str, ...]]] = {
            "seat": [(game, seat, side, first[seen[seat]]) for seat, side in seats.items()],
            "sees": [(game, *pair) for pair in _pairs(seen)],
        }
        same = True
        for table, rows in wanted.items():
            there = self.connection.execute(f"SELECT * FROM {table} WHERE game = ? ORDER BY rowid", (game,)).fetchall()
            if there != rows:
                same = False
                self.connection.execute(f"DELETE FROM {table} WHERE game = ?", (game,))
                self.connection.executemany(_INSERT[table], rows)
        return same

    def _write_game(self, key: int, state: Game, followed: tuple[int, str, str, int]) -> None:
        """Where the game stands, and up to where it is `followed`: position, line, edition, refused."""
        where = where_now(self._title_of(state.title), state)
        stands = (state.title, state.name, state.turn, where, state.ended, state.unreadable)
        self.connection.execute(
            "UPDATE game SET position = ?, last_line = ?, edition = ?, refused = ?, title = ?, name = ?, turn = ?,"
            " place = ?, ended = ?, unreadable = ?, opened_at = (SELECT at FROM audit WHERE id = ?),"
            " last_at = (SELECT at FROM audit WHERE id = ?) WHERE key = ?",
            (*followed, *stands, row_id(key, 1), row_id(key, followed[0]), key),
        )

    # --- as a seat knows it -------------------------------------------------------------------------------------------

    def known_to(self, game: str, seat: str, at: int | None = None) -> Game:
        """The game as a seat knows it at any position (None: the last). Catches up first.

        Raises NoSuchGame, NoSuchRecord.
        """
        self.catch_up(game)
        at = self._ledger.branch(game, at).at
        secrets = self._knowledge.secrets(game)
        return self._knowledge.state(game, secrets, open_to(secrets, seat, self._ledger.state(game)), at)

    def title_of(self, game: str) -> Title | None:
        """The title of a game; None where it is not installed. Raises NoSuchGame."""
        return self._title_of(self._ledger.state(game).title)

    def turn_view(self, game: str, seat: str, at: int | None = None) -> TurnView:
        """A seat's turn view at any position (None: the last), computed now. Raises NoSuchGame, NoSuchRecord."""
        known = self.known_to(game, seat, at)
        position = self._ledger.size(game) if at is None else at
        orders = newest_orders(self._ledger, game, position, MOST_SINCE)
        last = tuple(filter(None, map(self.teller(game, seat).told, orders)))
        view = turn_view(
            self._title_of(known.title), known, seat, position, standing=replace(self._standing(game, at), last=last)
        )
        return replace(view, game=game, copied=copied_from(self._ledger, game))

    def _standing(self, game: str, at: int | None) -> Standing:
        if at is None:
            return standing_of(self.connection, game)
        return standing_at(self.connection, self._ledger, game, at, self._title_of)

    def teller(self, game: str, seat: str) -> Teller:
        """Who tells a seat the orders of a game, which must have been caught up with."""
        state = self._ledger.state(game)
        return Teller(self._title_of(state.title), state, open_to(self._knowledge.secrets(game), seat, state))

    def wait_for_others(self, seconds: float) -> None:
        """How long to wait for another program that writes the read models."""
        self.connection.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")

    def is_of_the_file(self) -> bool:
        """Whether the file that it writes still lies where it was: somebody may have deleted it, or made it anew."""
        return _file_at(self.path) == self._file

    def close(self) -> None:
        """Close the read models; the ledger stays open."""
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _file_at(path: str) -> tuple[int, int] | None:
    """What tells one file from another of the same name; None where there is none."""
    with contextlib.suppress(OSError):
        found = os.stat(path)
        return found.st_dev, found.st_ino
    return None


class Passing:
    """Lines on their way; `last` is the one that was taken last."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        self.last = b""

    def __iter__(self) -> Iterator[bytes]:
        for line in self._lines:
            self.last = line
            yield line


def view_row(game: str, view: TurnView) -> tuple[str, str, int, int, str, str, str, str]:
    """A turn view as it is stored."""
    steps, waiting = ", ".join(view.open), ", ".join(view.waiting)
    return game, view.seat, view.position, view.turn, view.where, steps, waiting, str(_json(view), "utf-8")


def _text(value: object) -> str:
    return str(_json(value), "utf-8")


def _pairs(open_to: dict[str, frozenset[Seats]]) -> list[tuple[str, str]]:
    return sorted((seat, seats_text(visible_to)) for seat, known in open_to.items() for visible_to in known)


def _told(lines: Iterator[bytes], progress: Progress) -> Iterator[bytes]:
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
