"""Lend the read models of one ledger: several followers, each brought up to date before it is read.

For a ledger file, they are in a file next to it; for a database, in a schema next to its own. If they cannot be
written, each program keeps its own in memory.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from umpire_ledger.desk.core.adapters import find_title
from umpire_ledger.desk.core.edition import EDITION
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.records.errors import StoreUnavailable
from umpire_ledger.ledger.records.ledger_address import is_database
from umpire_ledger.projections.tables.dialect import MayNotWrite
from umpire_ledger.projections.tables.game_rows import Progress
from umpire_ledger.projections.tables.mending import lay_anew, mend, mend_tables
from umpire_ledger.projections.tables.updater import Follower, Skip
from umpire_ledger.projections.tables.views_file import MEMORY, is_busy, trouble, views_path

PATIENCE = 0.8
"""Seconds that a recorded order waits for another program that writes the read models."""
LOOKING = 10.0
"""Seconds that a query waits for another program that writes the read models."""


class ReadModels:
    """The read models of a ledger; in memory if their file cannot be written. Safe for several threads."""

    def __init__(self, ledger: Ledger[Game], where: str) -> None:
        self._ledger = ledger
        self._where = where if is_database(where) else views_path(where)
        self._idle: list[Follower] = []
        self._lock = Lock()

    @contextmanager
    def caught_up(self, game_id: str) -> Iterator[Follower]:
        """Lend a follower that has read every record of a game.

        Raises:
            NoSuchGame: When the ledger has no such game.
            StoreUnavailable: When the ledger or the read models cannot be read.
        """
        follower = self._caught_up(game_id)
        try:
            with trouble(follower.path):
                yield follower
        except StoreUnavailable:
            follower.close()
            raise
        self._give_back(follower)

    def _caught_up(self, game_id: str) -> Follower:
        """Return an up-to-date follower; try another one if the server has closed an idle connection."""
        while True:
            follower = self._taken() or self._new()
            try:
                follower.wait_for_others(LOOKING)
                follower.catch_up(game_id)
            except StoreUnavailable:
                broke = is_database(follower.path) and not follower.is_of_the_file()
                follower.close()
                if not broke:
                    raise
            except BaseException:
                follower.close()
                raise
            else:
                return follower

    @contextmanager
    def lent(self) -> Iterator[Follower]:
        """Lend a follower without updating it.

        Raises:
            StoreUnavailable: When the read models cannot be opened.
        """
        follower = self._taken() or self._new()
        try:
            yield follower
        except StoreUnavailable:
            follower.close()  # its file may be damaged: the next follower opens it again
            raise
        self._give_back(follower)

    def _give_back(self, follower: Follower) -> None:
        with self._lock:
            self._idle.append(follower)

    def _taken(self, path: str = "") -> Follower | None:
        """Return an idle follower, of this file if one is named; close followers of deleted or replaced files."""
        with self._lock:
            gone = [one for one in self._idle if not one.is_of_the_file()]
            self._idle = [one for one in self._idle if one not in gone]
            fit = [one for one in self._idle if not path or one.path == path]
            if fit:
                self._idle.remove(fit[-1])
        for one in gone:
            one.close()
        return fit[-1] if fit else None

    def _new(self) -> Follower:
        try:
            return Follower(self._ledger, self._where, find_title, edition=EDITION, timeout=LOOKING)
        except MayNotWrite:
            self._where = MEMORY
        except StoreUnavailable:
            if is_database(self._where):  # the ledger is in the same database, and is unreachable, too
                raise
        return Follower(self._ledger, MEMORY, find_title, edition=EDITION)

    def follow(self, game_id: str, tell: Progress | None = None, *, views: bool = False) -> str:
        """Read the newest records of a game; return a warning if that failed, else "".

        The order is recorded already, and the next query reads the rest. So no fault of the read models raises an error
        here, and the wait for another writer is short.

        Args:
            views: Also store the turn view of every seat for `umpire status`, which otherwise opens the ledger once.
        """
        path = self._where
        try:
            self._follow(game_id, path, tell, views=views)
        except StoreUnavailable as error:
            return f"recorded, but {error.what}; {error.remedy}"
        except Exception as error:
            return f"recorded, but the read models in {path} were not updated: {error!r}; try `umpire rebuild`"
        return ""

    def _follow(self, game_id: str, path: str, tell: Progress | None, *, views: bool) -> None:
        """Update an idle follower: opening and closing the file would cost ten times the update."""
        follower = self._taken(path) or self._new_of(path)
        try:
            follower.wait_for_others(PATIENCE)
            if views:
                follower.lay_views(game_id, tell)
            else:
                follower.follow(game_id, tell)
        except BaseException:
            follower.close()  # its file may be damaged
            raise
        with self._lock:
            self._idle.append(follower)

    def _new_of(self, path: str) -> Follower:
        """Return a follower of this file, or raise if it cannot be opened; for a read-only database, one in memory."""
        if is_database(path):
            return self._new()
        return Follower(self._ledger, path, find_title, edition=EDITION, timeout=PATIENCE)

    def rebuild(self, tell: Progress | None = None, skip: Skip | None = None) -> dict[str, int]:
        """Rebuild all read models, in a new file if theirs is damaged; return the number of records read by game.

        Args:
            skip: Called with each game that cannot be read.

        Raises:
            StoreUnavailable: When the ledger or the read models cannot be used.
        """
        path = self._where
        self.close()
        if is_database(path):
            with self.lent() as follower:
                return follower.rebuild_all(tell, skip)
        mend(path)
        try:
            return self._rebuilt(path, tell, skip)
        except StoreUnavailable as error:
            if path == MEMORY or error.__cause__ is None or is_busy(error.__cause__):
                raise
        lay_anew(path)  # the damage appeared only when the file was written
        return self._rebuilt(path, tell, skip)

    def rebuild_game(self, game_id: str, tell: Progress | None = None) -> int:
        """Rebuild the read models of one game, as `rebuild` does; return the number of records read.

        Raises:
            NoSuchGame: When the ledger has no such game.
            BrokenLedger: When its log is broken.
            StoreUnavailable: When the ledger or the read models cannot be used.
        """
        path = self._where
        self.close()
        if is_database(path):
            return self._rebuilt_game(game_id, tell)
        mend_tables(path)
        try:
            return self._rebuilt_game(game_id, tell)
        except StoreUnavailable as error:
            if path == MEMORY or error.__cause__ is None or is_busy(error.__cause__):
                raise
            self.close()
            mend(path)  # check the whole file only if it shows damage
            return self._rebuilt_game(game_id, tell)

    def _rebuilt_game(self, game_id: str, tell: Progress | None) -> int:
        with self.lent() as follower:
            read = follower.rebuild(game_id, tell)
            follower.lay_views(game_id)
        return read

    def _rebuilt(self, path: str, tell: Progress | None, skip: Skip | None) -> dict[str, int]:
        with Follower(self._ledger, path, find_title, edition=EDITION) as following:
            return following.rebuild_all(tell, skip)

    def close(self) -> None:
        """Close the idle followers. None may be lent."""
        with self._lock:
            for follower in self._idle:
                follower.close()
            self._idle.clear()
