"""Keeping the read models up to date: after every order, and before a look when somebody else wrote."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from umpire_ledger.desk import EDITION
from umpire_ledger.desk.sitting import open_ledger
from umpire_ledger.desk.wiring import find_title
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.application import Ledger
from umpire_ledger.ledger.errors import StoreUnavailable
from umpire_ledger.projections.tables.file import MEMORY, is_fresh, open_views, views_path
from umpire_ledger.projections.tables.follower import Follower, Progress


def follower(ledger: Ledger[Game], where: str) -> Follower:
    """Who keeps the read models of a ledger; in memory where their file cannot be written."""
    try:
        return Follower(ledger, views_path(where), find_title, edition=EDITION)
    except StoreUnavailable:
        return Follower(ledger, MEMORY, find_title, edition=EDITION)


def follow(ledger: Ledger[Game], where: str, game: str, tell: Progress | None = None) -> str:
    """Take in what was just recorded; gives a warning where that failed, else "".

    What fails here is made up for at the next look: the record itself stands.
    """
    try:
        with Follower(ledger, views_path(where), find_title, edition=EDITION) as following:
            following.catch_up(game, tell)
    except StoreUnavailable as error:
        return f"recorded, but {error.what}; {error.remedy}"
    return ""


def rebuild_all(ledger: Ledger[Game], where: str, tell: Progress | None = None) -> dict[str, int]:
    """Make all read models anew; gives how many records of each game were read."""
    with Follower(ledger, views_path(where), find_title, edition=EDITION) as following:
        return following.rebuild_all(tell)


@contextmanager
def views_of(where: str, game: str) -> Iterator[sqlite3.Connection]:
    """The read models of a game, up to date. Raises NoSuchGame, StoreUnavailable."""
    if Path(where).is_file() and (views := open_views(where)) is not None:
        with closing(views):
            if is_fresh(where, views, game, EDITION):
                yield views
                return
    with open_ledger(where, read_only=True) as ledger, follower(ledger, where) as following:
        following.catch_up(game)
        yield following.connection
