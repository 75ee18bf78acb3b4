"""Keeping the read models up to date: after every order, and before a look when somebody else wrote."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click

from cli import EDITION
from cli.desk import open_ledger
from cli.printing import progress
from cli.wiring import find_title
from domain.game import Game
from ledger.application import Ledger
from ledger.errors import StoreUnavailable
from projections.follow import Follower
from projections.views import MEMORY, is_fresh, open_views, views_path


def follower(ledger: Ledger[Game], where: str) -> Follower:
    """Who keeps the read models of a ledger; in memory where their file cannot be written."""
    try:
        return Follower(ledger, views_path(where), find_title, edition=EDITION)
    except StoreUnavailable:
        return Follower(ledger, MEMORY, find_title, edition=EDITION)


def follow(ledger: Ledger[Game], where: str, game: str) -> None:
    """Take in what was just recorded. What fails here is made up for at the next look: the record itself stands."""
    try:
        with Follower(ledger, views_path(where), find_title, edition=EDITION) as following:
            behind = ledger.size(game)
            with progress(f"following {game}", behind) as tell:
                following.catch_up(game, tell)
    except StoreUnavailable as error:
        click.echo(f"Warning: recorded, but {error.what}; {error.remedy}", err=True)


def rebuild_all(ledger: Ledger[Game], where: str) -> dict[str, int]:
    """Make all read models anew; gives how many records of each game were read."""
    total = sum(entry.size for entry in ledger.games())
    with (
        Follower(ledger, views_path(where), find_title, edition=EDITION) as following,
        progress("reading", total) as tell,
    ):
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
