"""Copy a ledger in PostgreSQL into an SQLite file, for backups and for taking games to another machine."""

from __future__ import annotations

import sqlite3
from typing import Any

from umpire_ledger.ledger.storage import metadata, refusal_log
from umpire_ledger.ledger.storage.sqlite_connection import SCHEMA

GAMES = "SELECT game FROM umpire.record WHERE position = 1 ORDER BY number"
RECORDS = "SELECT position, command, follows, topic, line FROM umpire.record WHERE game = %s ORDER BY position"
EDGE = "SELECT size, peaks, root FROM umpire.edge WHERE game = %s"
ASIDE = "SELECT game, after, at, seat, told, hash FROM umpire.aside ORDER BY game, id"
BESIDE = "SELECT game, kind, name, value FROM umpire.beside ORDER BY game, kind, name"
AT_ONCE = 500


def fill(copy: sqlite3.Connection, connection: Any) -> None:
    """Copy everything that this connection sees, except snapshots. Its transaction sees one moment."""
    for statement in SCHEMA:
        copy.execute(statement)
    copy.execute("BEGIN")
    for key, (game,) in enumerate(connection.execute(GAMES).fetchall(), 1):
        copy.execute("INSERT INTO game (key, id) VALUES (?, ?)", (key, game))
        insert = f"INSERT INTO record (game, position, command, follows, topic, line) VALUES ({key:d}, ?, ?, ?, ?, ?)"
        with connection.cursor(name="records", binary=True) as records:
            records.execute(RECORDS, (game,))
            while rows := records.fetchmany(AT_ONCE):
                copy.executemany(insert, rows)
        for edge in connection.execute(EDGE, (game,), binary=True).fetchall():
            copy.execute(f"INSERT INTO edge (game, size, peaks, root) VALUES ({key:d}, ?, ?, ?)", edge)
    _beside(copy, connection)
    copy.execute("COMMIT")


def _beside(copy: sqlite3.Connection, connection: Any) -> None:
    """Copy refusals and metadata. An SQLite ledger has those tables only if they have rows."""
    refusals = connection.execute(ASIDE, binary=True).fetchall()
    if refusals:
        for statement in refusal_log.ASIDE:
            copy.execute(statement)
        copy.executemany("INSERT INTO aside (game, after, at, seat, told, hash) VALUES (?, ?, ?, ?, ?, ?)", refusals)
    entries = connection.execute(BESIDE).fetchall()
    if entries:
        copy.execute(metadata.TABLE)
        copy.executemany("INSERT INTO beside (game, kind, name, value) VALUES (?, ?, ?, ?)", entries)
