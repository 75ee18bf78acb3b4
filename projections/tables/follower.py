"""Following a ledger: catching up with what was recorded, and making the read models anew.

All rows of a game and the position they stand at change in one transaction, so a record that is delivered twice
changes nothing, and whatever is half done when the power goes was not done at all.
"""

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Self

from umpire_ledger.domain.flow.offers import where_now
from umpire_ledger.domain.game.state import Game, replace
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.ledger.application import Ledger
from umpire_ledger.ledger.errors import NoSuchGame
from umpire_ledger.projections.tables import refusal_rows, title_views
from umpire_ledger.projections.tables.catalogue import TABLES
from umpire_ledger.projections.tables.copies import copied_from
from umpire_ledger.projections.tables.game_rows import NOTHING, Followed, GameRows, Passing, Progress, told_of
from umpire_ledger.projections.tables.knowledge import Knowledge, open_to
from umpire_ledger.projections.tables.schema import open_for_writing
from umpire_ledger.projections.tables.seat_rows import SeatRows
from umpire_ledger.projections.tables.standing import Standing, standing_at, standing_of
from umpire_ledger.projections.tables.told import Teller, newest_orders
from umpire_ledger.projections.tables.turn_view import TitleOf, TurnView, turn_view
from umpire_ledger.projections.tables.views_file import MOST_SINCE, row_id, trouble, typed

Skip = Callable[[str, Exception], None]
"""Told of a game that cannot be read, and why."""


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
        self._rows = GameRows(self.connection, ledger, title_of)
        self._seats = SeatRows(self.connection, ledger, self._knowledge, title_of)
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
                self._forget(game)
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
            self._forget(game)
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
        key = followed.key or self._rows.new_game(game)
        position, new = followed.position, set[str]()
        if position < size:
            told = Passing(told_of(lines, progress) if progress else lines)
            new = self._rows.write_trail(key, game, followed, size, told)
            last = told.last.decode()
        else:
            last = self._line(game, size)
        state = self._ledger.state(game, size)
        self._seats.write(game, state, followed.position if followed.edition == self._edition else 0, size)
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

    def _wipe(self, game: str) -> None:
        """Forget a game's rows but for where its seats last looked."""
        self._lay_views = True
        self._rows.wipe(game)
        self._forget(game)

    def _forget(self, game: str) -> None:
        """Let go of what is in hand of a game."""
        self._knowledge.forget(game)
        self._seats.forget(game)

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
