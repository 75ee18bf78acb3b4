"""Check that every statement that a test sends to a PostgreSQL ledger is about one game.

The same tables and statements must work if games are distributed by a hash of their id over partitions or servers.
There, a key that does not begin with the game could not be enforced, a statement without a game would go to all
servers, and a transaction over two games could be half done. Statements that must read all games are listed in
`ALL_GAMES`. Metadata (table `beside`) belongs to the whole ledger and is small, because a session may have seats of
several games. It is not distributed, and one transaction may change the metadata of several games.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count
from typing import Any, NamedTuple

SPREAD = ("record", "edge", "aside", "snapshot")
WHOLE = "beside"
TABLES = (*SPREAD, WHOLE)
ALL_GAMES = {
    "the list of games": "SELECT number, game FROM umpire.record WHERE position = 1 ORDER BY number",
    "the games of a backup": "SELECT game FROM umpire.record WHERE position = 1 ORDER BY number",
    "news": "SELECT array_agg(game) FROM umpire.edge WHERE xact >=",
    "notes of a kind": "FROM umpire.beside WHERE kind = %s ORDER BY game, name",
    "notes of a name": "FROM umpire.beside WHERE kind = %s AND name = %s",
    "the games that have snapshots": "SELECT DISTINCT game FROM umpire.snapshot",
    "a backup": "FROM umpire.aside ORDER BY game, id",
    "a backup's notes": "FROM umpire.beside ORDER BY game, kind, name",
    "the library's followers": "FROM umpire.record WHERE number >=",
    "the library's last number": "SELECT max(number) FROM umpire.record",
    "doctor: gaps": "FROM umpire.record GROUP BY game HAVING",
    "doctor: roots": "FROM umpire.edge ORDER BY game",
    "doctor: refusals": "FROM umpire.aside ORDER BY id",
}
"""Pieces of the text of statements about all games. None of these statements writes, and no order waits for one."""
THE_LIBRARYS = "RETURNING number"
"""Part of the library's own insert for events of several aggregates, which our code never calls."""


class Given(NamedTuple):
    """A statement as it was sent. `transaction`: the number of its transaction; 0 if it has its own."""

    text: str
    values: Sequence[Any]
    transaction: int


@contextlib.contextmanager
def noted() -> Iterator[list[Given]]:
    """Yield a list that collects the statements that a `Datastore` of this process sends in the meantime."""
    from psycopg import Cursor  # noqa: PLC0415 -- an extra

    from umpire_ledger.ledger.storage.postgres_connection import Datastore  # noqa: PLC0415 -- likewise

    given: list[Given] = []
    numbers, honest = count(1), Datastore._connection

    def connection(store: Datastore) -> Any:
        found, current = honest(store), [0]

        class Noting(Cursor[Any]):
            def execute(self, query: Any, params: Any = None, **rest: Any) -> Any:
                text = query if isinstance(query, str) else query.as_string(self)
                if text in ("BEGIN", "COMMIT", "ROLLBACK"):
                    current[0] = next(numbers) if text == "BEGIN" else 0
                given.append(Given(text, tuple(params or ()), current[0]))
                return super().execute(query, params, **rest)

        found.cursor_factory = Noting
        return found

    Datastore._connection = connection  # type: ignore[method-assign]
    try:
        yield given
    finally:
        Datastore._connection = honest  # type: ignore[method-assign]


class Asked(NamedTuple):
    """The tables of Umpire that a statement uses. `writes`: tables that it changes.

    `games`: numbers of the values that are its game; `free`: tables for which it names no game.
    """

    writes: str
    games: tuple[int, ...]
    free: tuple[str, ...]


def faults(given: Sequence[Given]) -> list[str]:
    """Return the statements that would not work if games were distributed, in words."""
    found, written = [], dict[int, set[Any]]()
    for one in given:
        asked = read(one.text)
        games = {one.values[number - 1] for number in asked.games}
        if asked.free and (asked.writes or not any(known in one.text for known in ALL_GAMES.values())):
            found.append(f"names no game for {', '.join(asked.free)}: {one.text}")
        if len(games) > 1:
            found.append(f"is about several games: {one.text}")
        if asked.writes in SPREAD and one.transaction and THE_LIBRARYS not in one.text:
            written.setdefault(one.transaction, set()).update(games)
    several = [f"one transaction writes to {sorted(map(str, games))}" for games in written.values() if len(games) > 1]
    return found + several


@cache
def read(text: str) -> Asked:
    """Parse a statement, and return its use of Umpire's tables."""
    import sqlglot  # noqa: PLC0415 -- only with a server
    from sqlglot import exp  # noqa: PLC0415

    if re.match(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b", text) is None or "umpire." not in text:
        return Asked(writes="", games=(), free=())
    numbers = iter(range(1, 1000))
    tree = sqlglot.parse_one(re.sub("%s", lambda _: f"${next(numbers)}", text), dialect="postgres")
    games, free = [], []
    if isinstance(tree, exp.Insert):
        games += _inserted(tree) or [0]
    for table in tree.find_all(exp.Table):
        if table.db == "umpire" and table.name in TABLES and not _is_target(table):
            asked = _game_in_where(table)
            games += asked
            free += [] if asked else [table.name]
    free += ["inserted rows"] * games.count(0)
    writes = "" if isinstance(tree, exp.Select) else tree.find(exp.Table).name
    return Asked(writes=writes, games=tuple(filter(None, games)), free=tuple(free))


def _is_target(table: Any) -> bool:
    from sqlglot import exp  # noqa: PLC0415

    return isinstance(table.parent, exp.Schema) and isinstance(table.parent.parent, exp.Insert)


def _inserted(insert: Any) -> list[int]:
    """Return the numbers of the values for column `game`, which is the first; [] if it is not named."""
    from sqlglot import exp  # noqa: PLC0415

    columns = [column.name for column in insert.this.expressions]
    if columns[:1] != ["game"]:
        return []
    rows = insert.expression
    firsts = [rows.selects[0]] if isinstance(rows, exp.Select) else [row.expressions[0] for row in rows.expressions]
    return [_number(first) for first in firsts] if all(map(_number, firsts)) else []


def _game_in_where(table: Any) -> list[int]:
    """Return the numbers of the values to which the WHERE clause of a table's query compares the game."""
    from sqlglot import exp  # noqa: PLC0415

    query = table.find_ancestor(exp.Select, exp.Update, exp.Delete)
    where = query.args.get("where")
    if where is None:
        return []
    conditions = where.this.flatten() if isinstance(where.this, exp.And) else [where.this]
    pairs = [(one.this, one.expression) for one in conditions if isinstance(one, exp.EQ)]
    found = [_number(value) for name, value in pairs if isinstance(name, exp.Column) and name.name == "game"]
    return list(filter(None, found))


def _number(value: Any) -> int:
    """Return the number of a value that is passed with the statement; 0 for anything else."""
    from sqlglot import exp  # noqa: PLC0415

    return int(value.this.name) if isinstance(value, exp.Parameter) else 0
