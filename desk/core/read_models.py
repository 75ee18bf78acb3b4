"""The read models of one ledger: a few followers that any thread may borrow, each caught up before it is looked at.

Those of a ledger in a file lie in a file beside it, those of a ledger in a database in a schema beside its own; where
neither can be written they are each program's own, in memory.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from umpire_ledger.desk.core.adapters import find_title
from umpire_ledger.desk.core.edition import EDITION
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.records.errors import StoreUnavailable
from umpire_ledger.ledger.records.places import is_database
from umpire_ledger.projections.tables.dialect import MayNotWrite
from umpire_ledger.projections.tables.game_rows import Progress
from umpire_ledger.projections.tables.mending import lay_anew, mend, mend_tables
from umpire_ledger.projections.tables.updater import Follower, Skip
from umpire_ledger.projections.tables.views_file import MEMORY, is_busy, trouble, views_path

PATIENCE = 0.8
"""Seconds that an order, once it is recorded, waits for another program that writes the read models."""
LOOKING = 10.0
"""Seconds that a look waits: it has nothing else to show."""


class ReadModels:
    """The read models beside a ledger; in memory where their file cannot be written. Safe for several threads."""

    def __init__(self, ledger: Ledger[Game], where: str) -> None:
        self._ledger = ledger
        self._where = where if is_database(where) else views_path(where)
        self._idle: list[Follower] = []
        self._lock = Lock()

    @contextmanager
    def caught_up(self, game: str) -> Iterator[Follower]:
        """A follower that has taken in everything recorded in a game. Raises NoSuchGame, StoreUnavailable."""
        follower = self._caught_up(game)
        try:
            with trouble(follower.path):
                yield follower
        except StoreUnavailable:
            follower.close()
            raise
        self._give_back(follower)

    def _caught_up(self, game: str) -> Follower:
        """One that is; another one where the server had dropped the connection while nobody used it."""
        while True:
            follower = self._taken() or self._new()
            try:
                follower.wait_for_others(LOOKING)
                follower.catch_up(game)
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
        """A follower as it is, caught up with nothing. Raises StoreUnavailable."""
        follower = self._taken() or self._new()
        try:
            yield follower
        except StoreUnavailable:
            follower.close()  # it may be its file that is hurt: the next one opens it anew
            raise
        self._give_back(follower)

    def _give_back(self, follower: Follower) -> None:
        with self._lock:
            self._idle.append(follower)

    def _taken(self, path: str = "") -> Follower | None:
        """One that is idle, of this file if one is named; those whose file was deleted or made anew are closed."""
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
            if is_database(self._where):  # the ledger itself is as far away
                raise
        return Follower(self._ledger, MEMORY, find_title, edition=EDITION)

    def follow(self, game: str, tell: Progress | None = None, *, views: bool = False) -> str:
        """Take in what was just recorded; gives a warning where that failed, else "".

        `views`: store every seat's turn view too, for `umpire status`, which else opens the ledger once.

        What fails here is made up for at the next look: the record itself stands. So nothing that can be wrong with
        read models makes an error of it, and nobody waits long for another program that writes them.
        """
        path = self._where
        try:
            self._follow(game, path, tell, views=views)
        except StoreUnavailable as error:
            return f"recorded, but {error.what}; {error.remedy}"
        except Exception as error:
            return f"recorded, but the read models in {path} could not follow: {error!r}; try `umpire rebuild`"
        return ""

    def _follow(self, game: str, path: str, tell: Progress | None, *, views: bool) -> None:
        """With a follower that is idle: opening and closing the file would cost ten times the following."""
        follower = self._taken(path) or self._new_of(path)
        try:
            follower.wait_for_others(PATIENCE)
            if views:
                follower.lay_views(game, tell)
            else:
                follower.follow(game, tell)
        except BaseException:
            follower.close()  # as above
            raise
        with self._lock:
            self._idle.append(follower)

    def _new_of(self, path: str) -> Follower:
        """One of that file, where it cannot be opened an error; a database that may not be written has none."""
        if is_database(path):
            return self._new()
        return Follower(self._ledger, path, find_title, edition=EDITION, timeout=PATIENCE)

    def rebuild(self, tell: Progress | None = None, skip: Skip | None = None) -> dict[str, int]:
        """Make all read models anew, in a new file where theirs is hurt; gives how many records of each game were read.

        `skip` is told of each game that cannot be read. Raises StoreUnavailable.
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
        lay_anew(path)  # the damage showed only when it was written to
        return self._rebuilt(path, tell, skip)

    def rebuild_game(self, game: str, tell: Progress | None = None) -> int:
        """Make those of one game anew, as `rebuild` does; gives how many records were read.

        Raises NoSuchGame, BrokenLedger, StoreUnavailable.
        """
        path = self._where
        self.close()
        if is_database(path):
            return self._rebuilt_game(game, tell)
        mend_tables(path)
        try:
            return self._rebuilt_game(game, tell)
        except StoreUnavailable as error:
            if path == MEMORY or error.__cause__ is None or is_busy(error.__cause__):
                raise
            self.close()
            mend(path)  # the whole file is read only where it shows that it is hurt
            return self._rebuilt_game(game, tell)

    def _rebuilt_game(self, game: str, tell: Progress | None) -> int:
        with self.lent() as follower:
            read = follower.rebuild(game, tell)
            follower.lay_views(game)
        return read

    def _rebuilt(self, path: str, tell: Progress | None, skip: Skip | None) -> dict[str, int]:
        with Follower(self._ledger, path, find_title, edition=EDITION) as following:
            return following.rebuild_all(tell, skip)

    def close(self) -> None:
        """Close what is idle. Nothing may be on loan."""
        with self._lock:
            for follower in self._idle:
                follower.close()
            self._idle.clear()
