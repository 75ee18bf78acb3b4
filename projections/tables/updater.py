"""Update the read models from a ledger, and rebuild them.

All rows of a game and the position that they show change in one transaction. So a record that is delivered twice
changes nothing, and a power cut leaves no partial update.

    follow      after every order: write its rows and the pieces that it touched
    catch_up    before reading: also write refused orders and complete the search index
    lay_views   for readers that do not open the ledger: also store the turn view of every seat
"""

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Self

from umpire_ledger.domain.flow.available_orders import where_now
from umpire_ledger.domain.game.hidden_units import known_at_position
from umpire_ledger.domain.game.state import REFEREE, Game, replace
from umpire_ledger.domain.kit.title import Title, title_as_played
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.records.errors import NoSuchGame, StoreUnavailable
from umpire_ledger.ledger.records.ledger_address import is_database
from umpire_ledger.projections.tables import missing_records, refusal_rows, search_index, stored_views, title_views
from umpire_ledger.projections.tables.catalogue import TABLES
from umpire_ledger.projections.tables.contacts import contacts
from umpire_ledger.projections.tables.copies import copied_from
from umpire_ledger.projections.tables.dialect import Tables, dialect_of
from umpire_ledger.projections.tables.game_rows import (
    NOTHING,
    GameRows,
    LastFollowedRecord,
    Passing,
    Progress,
    ReadResult,
    told_of,
)
from umpire_ledger.projections.tables.game_status import GameStatus, standing_at, standing_of
from umpire_ledger.projections.tables.last_seen import LastSeen, last_seen
from umpire_ledger.projections.tables.order_sentences import OrderSentence, SentenceBuilder, newest_orders
from umpire_ledger.projections.tables.schema import open_for_writing
from umpire_ledger.projections.tables.sealed_words import SEALED, notes, sealed_words, waiting
from umpire_ledger.projections.tables.seat_rows import SeatRows
from umpire_ledger.projections.tables.seat_visibility import Knowledge, Visibility, open_to, seats_at
from umpire_ledger.projections.tables.turn_view import SharedView, TitleOf, TurnView, turn_view
from umpire_ledger.projections.tables.views_file import MOST_SINCE, UNREADABLE, row_id, trouble

NOT_WRITTEN = (sqlite3.Error, StoreUnavailable)
"""Errors that mean that the read models cannot be written, not that a game is faulty."""
Skip = Callable[[str, Exception], None]
"""Called with the id of each game that cannot be read, and the reason."""


class Follower:
    """Updates the read models of one ledger. `path`: their file, from `views_file.views_path`.

    `title_of`: returns a title by its id. `edition`: the program's version; rows of other editions are rebuilt.
    `timeout`: seconds to wait for another program that writes. `connection`: the connection to the read models.

    Raises:
        StoreUnavailable: When the file cannot be used; the ledger is not changed.
    """

    def __init__(
        self, ledger: Ledger[Game], path: str | Path, title_of: TitleOf, *, edition: str = "", timeout: float = 10.0
    ) -> None:
        self.path = str(path)
        self._ledger = ledger
        self._title_of = title_of
        self._edition = edition
        self._patience = timeout
        with trouble(self.path):
            self.connection = open_tables(ledger, self.path, timeout)
        self._dialect = dialect_of(self.connection)
        self._file = _file_at(self.path)
        self._knowledge = Knowledge(ledger, self.connection)
        self._rows = GameRows(self.connection, ledger, title_of)
        self._seats = SeatRows(self.connection, self._knowledge)
        self._lay_title_views = False
        self._written = -1
        self._in_hand: dict[str, LastFollowedRecord] = {}
        """The cached progress of the rows of each game."""
        self._doubted: set[str] = set()
        """The games that another program may have updated since they were cached."""

    # --- catching up --------------------------------------------------------------------------------------------------

    def follow(self, game_id: str, progress: Progress | None = None) -> int:
        """Read the new records of a game, and return their number.

        If there are new records, stored turn views are deleted, and the search index may lag by a few records. Refused
        orders are not records; `catch_up` reads them.

        Raises:
            NoSuchGame: When the ledger has no such game.
            StoreUnavailable: When the read models cannot be written.
        """
        with trouble(self.path):
            followed = self._followed(game_id)  # Read first, so that it is not beyond the size.
            size = self._size(game_id)
            if self._is_followed(game_id, followed, size):
                return 0
            with self._writing(game_id):
                again = self._followed(game_id)
                if again is not followed:  # Another program wrote during the wait for the lock.
                    followed, size = again, self._size(game_id)
                return self._follow(game_id, followed, size, progress)

    def catch_up(self, game_id: str, progress: Progress | None = None) -> int:
        """Read the new records and refused orders of a game, fill the search index, and return the number of records.

        Errors are those of `follow`.
        """
        read = self.follow(game_id, progress)
        with trouble(self.path):
            followed = self._followed(game_id)
            if followed.searched < followed.position or followed.refused != self._ledger.last_aside(game_id):
                with self._writing(game_id):
                    self._complete(game_id)
        return read

    def catch_up_all(self, progress: Progress | None = None) -> dict[str, int]:
        """Read the new records and refused orders of every game, and return the numbers of records."""
        return {entry.id: self.catch_up(entry.id, progress) for entry in self._ledger.games()}

    def lay_views(self, game_id: str, progress: Progress | None = None) -> int:
        """Read the new records as `catch_up` does, and store every seat's turn view. Errors are those of `follow`."""
        read = self.catch_up(game_id, progress)
        with trouble(self.path):
            if stored_views.are_laid(self.connection, game_id):
                return read
            seats = tuple(seats_at(self._ledger.state(game_id, self._followed(game_id).position)))
            views = self._views(game_id, seats, None)
            with self._writing(game_id):
                now = self._followed(game_id)
                if now.position == views[0].position:
                    stored_views.put(self.connection, game_id, views)
                    self._in_hand[game_id] = replace(now, bare=False)
        return read

    def rebuild(self, game_id: str, progress: Progress | None = None) -> int:
        """Rebuild a game's rows, and return the number of records read.

        Raises:
            NoSuchGame: When the ledger has no such game.
            StoreUnavailable: When the read models cannot be written.
        """
        with trouble(self.path), self._writing(game_id):
            before = self._rows.columns(game_id)
            self._wipe(game_id)
            missing_records.accept(self.connection, game_id, self._size(game_id))
            read = self._follow(game_id, self._followed(game_id), self._size(game_id), progress)
            self._complete(game_id)
            # `_follow` notices new columns. Only removed columns require a check of every game.
            self._lay_title_views |= not before <= self._rows.columns(game_id)
            return read

    def rebuild_all(self, progress: Progress | None = None, skip: Skip | None = None) -> dict[str, int]:
        """Rebuild all games in one transaction, keep the read marks, and return the numbers of records read.

        Args:
            skip: Called with each unreadable game and the reason. That game gets no rows; all others are rebuilt. If
                it is None, the error of an unreadable game is raised, and nothing changes.
        """
        games = self._ledger.game_ids()
        with trouble(self.path), self._writing(None):
            self._lay_title_views = True
            search_index.empty_all(self.connection)
            for table in TABLES:
                if table != "looked":
                    self.connection.execute(f"DELETE FROM {table}")
            self._dialect.emptied(self.connection)
            for game in games:
                self._forget(game)
                missing_records.accept(self.connection, game, self._size(game))
            read = {game: self._anew(game, progress, skip) for game in games}
            return {game: records for game, records in read.items() if records is not None}

    def _anew(self, game_id: str, progress: Progress | None, skip: Skip | None) -> int | None:
        """Rebuild one of several games, in a savepoint of their transaction; return None if it was skipped."""
        self.connection.execute("SAVEPOINT game")
        read: int | None
        try:
            read = self._follow(game_id, NOTHING, self._size(game_id), progress)
            self._complete(game_id)
            stored_views.put(
                self.connection, game_id, self._views(game_id, tuple(seats_at(self._ledger.state(game_id))), None)
            )
            self._in_hand.pop(game_id)
        except Exception as error:
            if skip is None or isinstance(error, NOT_WRITTEN):
                raise
            self.connection.execute("ROLLBACK TO game")
            self._forget(game_id)
            skip(game_id, error)
            read = None
        self.connection.execute("RELEASE game")
        return read

    @contextlib.contextmanager
    def _writing(self, game_id: str | None) -> Iterator[None]:
        """Write the rows of a game, or of all games if None, in one transaction; an exception undoes everything.

        Views of titles are created at the end of the transaction if necessary.
        """
        self._lay_title_views = False
        self.connection.execute(self._dialect.begin)
        try:
            self._dialect.hold(self.connection, game_id)
            yield
            if self._lay_title_views:
                title_views.refresh(self.connection)
            self.connection.execute("COMMIT")
        except BaseException:
            self._read_anew()
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise

    def _followed(self, game_id: str) -> LastFollowedRecord:
        """Return the progress of a game's rows, from the cache if no other connection may have written them."""
        written = self._dialect.written(self.connection)
        if written != self._written:  # Another connection may have written the read models.
            self._doubted = set(self._in_hand)
            self._written = written
        found = self._in_hand.get(game_id)
        if found is None or game_id in self._doubted:
            found = self._in_hand[game_id] = self._asked_for(game_id, found)
            self._doubted.discard(game_id)
        return found

    def _asked_for(self, game_id: str, before: LastFollowedRecord | None) -> LastFollowedRecord:
        """Return the progress of a game's rows from the tables, and drop cached facts if it has changed.

        If it is unchanged, all rows are too, except turn views, which any reader may have stored.
        """
        now = self._rows.followed(game_id)
        if before is not None and now == replace(before, sure=False, bare=False):
            return replace(before, bare=False) if before.bare else before
        self._rows.forget(game_id)
        self._seats.forget(game_id)
        return now

    def _is_followed(self, game_id: str, followed: LastFollowedRecord, size: int) -> bool:
        return (
            followed.position == size
            and followed.edition == self._edition
            and (followed.sure or followed.line == self._line(game_id, size))
        )  # fmt: skip

    def _size(self, game_id: str) -> int:
        size = self._ledger.size(game_id)
        if not size:
            raise NoSuchGame(game=game_id)
        return size

    def _line(self, game_id: str, position: int) -> str:
        return b"".join(self._ledger.lines(game_id, position, position)).decode()

    def _follow(self, game_id: str, followed: LastFollowedRecord, size: int, progress: Progress | None) -> int:
        """Write the rows of new records and the knowledge of each seat. Called in a transaction."""
        lines = self._lines_behind(game_id, followed, size)
        if lines is None:
            missing_records.keep(self.connection, self._ledger, game_id, followed)
            self._wipe(game_id)
            self._lay_title_views = True
            followed = LastFollowedRecord(followed.key)
            lines = self._ledger.lines(game_id, 1, size)
        key = followed.key or self._rows.new_game(game_id)
        followed = replace(followed, key=key)
        state = self._ledger.state(game_id, size)
        if not followed.bare:
            stored_views.drop(self.connection, game_id)
        if followed.position < size:
            told = Passing(told_of(lines, progress) if progress else lines)
            taken = self._rows.write_trail(key, game_id, followed, size, told)
            last = told.last.decode()
        else:
            taken, last = self._nothing_taken(followed), followed.line
        touched = taken.touched if followed.edition == self._edition else None
        self._seats.write(game_id, state, size, touched, secrets=taken.secrets)
        self._lay_title_views |= bool(taken.attributes or not followed.position) and title_views.lacks(
            self.connection, state.title, taken.attributes
        )
        now = replace(
            followed, key=key, position=size, line=last, edition=self._edition, waits=taken.waits,
            disputes=taken.disputes, sure=True, bare=True,
        )  # fmt: skip
        self._write_game(state, now, taken.at, first=not followed.position)
        self._in_hand[game_id] = now
        if size - now.searched >= search_index.LAG:
            self._fill_index(game_id)
        return size - followed.position

    def _lines_behind(self, game_id: str, followed: LastFollowedRecord, size: int) -> Iterator[bytes] | None:
        """Return the new lines of a game; None if the ledger does not have the last stored record."""
        if followed.position > size:
            return None
        if followed.sure:
            return self._ledger.lines(game_id, followed.position + 1, size)
        lines = self._ledger.lines(game_id, followed.position, size)
        if followed.position and next(lines, b"").decode() != followed.line:
            return None
        return lines

    def _complete(self, game_id: str) -> None:
        """Complete the search index, and write the refused orders. Called in a transaction."""
        self._fill_index(game_id)
        now = self._followed(game_id)
        state = self._ledger.state(game_id, now.position)
        refused = refusal_rows.write(self.connection, self._ledger, now, game_id, state)
        self._in_hand[game_id] = replace(now, refused=refused)

    def _fill_index(self, game_id: str) -> None:
        """Fill the search index of a game. Called in a transaction."""
        followed = self._followed(game_id)
        search_index.fill(self.connection, followed.key, followed.searched, followed.position)
        self._in_hand[game_id] = replace(followed, searched=followed.position)

    def _wipe(self, game_id: str) -> None:
        """Delete a game's rows except the read marks of its seats."""
        self._rows.wipe(game_id)
        self._forget(game_id)

    def _forget(self, game_id: str) -> None:
        """Drop all cached facts of a game."""
        self._in_hand.pop(game_id, None)
        self._knowledge.forget(game_id)
        self._rows.forget(game_id)
        self._seats.forget(game_id)

    def _read_anew(self) -> None:
        """Drop all cached facts, because another program may have changed the read models."""
        for game in self._in_hand:
            self._rows.forget(game)
            self._seats.forget(game)
        self._in_hand.clear()

    def _nothing_taken(self, followed: LastFollowedRecord) -> ReadResult:
        """Return the result of reading no records."""
        return ReadResult(followed.waits, followed.disputes, "", touched=set(), secrets=False, attributes=set())

    def _write_game(self, state: Game, now: LastFollowedRecord, at: str, *, first: bool) -> None:
        """Write the status of the game and its last record. `at`: the time of that record; "" if it is not new."""
        values = {
            "position": now.position, "last_line": now.line, "edition": now.edition, "waits": now.waits,
            "disputes": now.disputes, "title": state.title, "name": state.name,
            "turn": state.turn, "place": where_now(title_as_played(self._title_of, state), state), "ended": state.ended,
            "unreadable": state.unreadable, "secrets_open": state.secrets_open,
        }  # fmt: skip
        if at:
            values["last_at"] = at
        names = ", ".join(f"{name} = ?" for name in values)
        self.connection.execute(f"UPDATE game SET {names} WHERE key = ?", (*values.values(), now.key))
        if first:
            opened = "UPDATE game SET opened_at = (SELECT at FROM audit WHERE id = ?) WHERE key = ?"
            self.connection.execute(opened, (row_id(now.key, 1), now.key))

    # --- as a seat knows it -------------------------------------------------------------------------------------------

    def known_to(self, game_id: str, seat: str, at: int | None = None) -> Game:
        """Return the game as a seat knows it at any position (None: the last), after a call of `catch_up`.

        Raises:
            NoSuchGame: When the ledger has no such game.
            NoSuchRecord: When the game has no such position.
        """
        self.catch_up(game_id)
        at = self._ledger.branch(game_id, at).at
        secrets = self._knowledge.secrets(game_id)
        whole = self._ledger.state(game_id)
        return known_at_position(
            self._knowledge.state(game_id, secrets, open_to(secrets, seat, whole), at), seat, whole, at
        )

    def known_along(self, game_id: str, seat: str, positions: Iterable[int]) -> Iterator[Game]:
        """Yield the game as a seat knew it at each position, in ascending order; the read models must be up to date."""
        secrets = self._knowledge.secrets(game_id)
        for at in positions:
            then = self._ledger.state(game_id, at)
            yield known_at_position(
                self._knowledge.state(game_id, secrets, open_to(secrets, seat, then), at), seat, then, at
            )

    def title_of(self, game_id: str) -> Title | None:
        """Return the title of a game; None if it is not installed.

        Raises:
            NoSuchGame: When the ledger has no such game.
        """
        return title_as_played(self._title_of, self._ledger.state(game_id))

    def turn_view(self, game_id: str, seat: str, at: int | None = None) -> TurnView:
        """Return a seat's turn view at any position (None: the last), computed now.

        Raises:
            NoSuchGame: When the ledger has no such game.
            NoSuchRecord: When the game has no such position.
        """
        self.catch_up(game_id)
        return self._views(game_id, (seat,), None if at is None else self._ledger.branch(game_id, at).at)[0]

    def _views(self, game_id: str, seats: Sequence[str], at: int | None) -> list[TurnView]:
        """Return the turn views of seats. The read models must be up to date. Seats with equal knowledge share data."""
        position = self._followed(game_id).position if at is None else at
        whole = self._ledger.state(game_id)
        title = title_as_played(self._title_of, whole)
        secrets = self._knowledge.secrets(game_id)
        seen = {seat: open_to(secrets, seat, whole) for seat in seats}
        standing, copied = self._standing(game_id, at), copied_from(self._ledger, game_id)
        orders = newest_orders(self._ledger, game_id, position, MOST_SINCE)
        known, told = dict[Visibility, tuple[Game, SharedView]](), dict[Visibility, tuple[OrderSentence, ...]]()
        for mine in set(seen.values()):
            known[mine] = self._knowledge.state(game_id, secrets, mine, position), SharedView()
            told[mine] = tuple(filter(None, map(SentenceBuilder(title, whole, mine).told, orders)))
        written = notes(self._ledger, game_id, position) if any(one.event == SEALED for one in secrets) else []
        views = []
        for seat, mine in seen.items():
            mine_now = known_at_position(known[mine][0], seat, whole, position)
            view = turn_view(title, mine_now, seat, position, known[mine][1], replace(standing, last=told[mine]))
            lost = last_seen(self.connection, game_id, seat, mine_now, position)
            met = contacts(self._ledger.branch_bytes(game_id, position)) if seat == REFEREE and mine_now.hidden else ()
            words = waiting(sealed_words(written, whole, mine.see))
            views.append(replace(view, game=game_id, copied=copied, last_seen=lost, contacts=met, sealed=words))
        return views

    def last_seen(self, game_id: str, seat: str, at: int | None = None) -> tuple[LastSeen, ...]:
        """Return the last known places of units that a seat no longer sees.

        Raises:
            NoSuchGame: When the ledger has no such game.
            NoSuchRecord: When the game has no such position.
        """
        known = self.known_to(game_id, seat, at)
        return last_seen(self.connection, game_id, seat, known, self._ledger.branch(game_id, at).at)

    def _standing(self, game_id: str, at: int | None) -> GameStatus:
        if at is None:
            return standing_of(self.connection, game_id)
        return standing_at(self.connection, self._ledger, game_id, at, self._title_of)

    def teller(self, game_id: str, seat: str) -> SentenceBuilder:
        """Return the builder of sentences for a seat. The read models must be up to date."""
        state = self._ledger.state(game_id)
        return SentenceBuilder(
            title_as_played(self._title_of, state), state, open_to(self._knowledge.secrets(game_id), seat, state)
        )

    def wait_for_others(self, seconds: float) -> None:
        """Set how many seconds to wait while another program writes the read models."""
        if seconds != self._patience:
            self._dialect.wait(self.connection, seconds)
            self._patience = seconds

    def is_of_the_file(self) -> bool:
        """Return whether the connection is open, and the path still has the file that this object writes."""
        return _file_at(self.path) == self._file and getattr(self.connection, "is_open", True)

    def close(self) -> None:
        """Close the read models after filling the search index; the ledger stays open."""
        with contextlib.suppress(*UNREADABLE, StoreUnavailable):  # The next updater fills the index.
            self._fill_behind()
        self.connection.close()

    def _fill_behind(self) -> None:
        """Complete the search index of the games that this object has updated."""
        behind = [game for game, followed in self._in_hand.items() if followed.searched < followed.position]
        if behind:
            self.wait_for_others(0.0)
            for game in behind:
                with self._writing(game):
                    self._fill_index(game)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _file_at(path: str) -> tuple[int, int] | None:
    """Return the device and inode of a file, which identify it even after renaming; None if there is no file."""
    with contextlib.suppress(OSError):  # There is no file.
        found = os.stat(path)
        return found.st_dev, found.st_ino
    return None


def open_tables(ledger: Ledger[Game], path: str, timeout: float) -> Tables:
    """Open the read models for writing, in a file or in the ledger's own database.

    Raises:
        StoreUnavailable: When they cannot be used.
    """
    if not is_database(path):
        return open_for_writing(path, timeout=timeout)
    from umpire_ledger.projections.tables import postgres_tables  # noqa: PLC0415 -- 79 ms: an extra

    return postgres_tables.open_for_writing(ledger.own_connection(), path, timeout)
