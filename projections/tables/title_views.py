"""A view of units for each title, their attributes as columns: `units_war_galley`.

The columns are the attributes that units of its games have had on any line, for everybody to see: the name of a secret
attribute would tell something too. What has no name fit for a column is in `units.attributes` all the same.
"""

import re
import sqlite3

from umpire_ledger.projections.tables.catalogue import VIEWS, Column, View

PREFIX = "units_"
COLUMNS = tuple(column for column in VIEWS["units"].columns if column.name != "attributes")
MOST = 500
"""Columns of attributes; a log may name as many as it likes."""

_is_title = re.compile(r"[a-z0-9][a-z0-9_-]{0,99}").fullmatch
_is_attribute = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}").fullmatch
_ATTRIBUTES = (
    "SELECT DISTINCT game.title, attribute.name FROM game LEFT JOIN attribute ON attribute.game = game.id"
    " WHERE typeof(game.title) = 'text' AND typeof(attribute.name) IN ('text', 'null') ORDER BY 1, 2"
)
_LAID = f"SELECT name, sql FROM sqlite_master WHERE type = 'view' AND name GLOB '{PREFIX}*'"


def view_name(title: str) -> str:
    """The name of a title's view; titles whose ids differ in their hyphens alone cannot both be installed."""
    return PREFIX + title.replace("-", "_")


def columns(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """The titles of the file's games, each with the attributes that have a column."""
    found: dict[str, dict[str, str]] = {}
    for title, name in connection.execute(_ATTRIBUTES).fetchall():
        if _is_title(title):
            of_title = found.setdefault(title, {column.name: "" for column in COLUMNS})
            if name is not None and _is_attribute(name):
                of_title.setdefault(name.casefold(), name)
    return {title: [name for name in names.values() if name][:MOST] for title, names in found.items()}


def views(connection: sqlite3.Connection) -> dict[str, View]:
    """The views that the games of the file ask for."""
    return {view_name(title): _view(title, names) for title, names in columns(connection).items()}


def _view(title: str, names: list[str]) -> View:
    shown = [f"units.{column.name}" for column in COLUMNS]
    shown += [f"""json_extract(units.attributes, '$."{name}"') AS "{name}\"""" for name in names]
    return View(
        f"Units of {title} as each seat knows them, an attribute a column: choose a seat.",
        (*COLUMNS, *(Column(name, str, "") for name in names)),
        f"SELECT {', '.join(shown)} FROM units JOIN game ON game.id = units.game WHERE game.title = '{title}'",
        facets=VIEWS["units"].facets,
    )


def wanted(connection: sqlite3.Connection) -> dict[str, str]:
    """Name and text of the views that should lie in the file."""
    return {name: f'CREATE VIEW "{name}" AS {view.select}' for name, view in views(connection).items()}


def refresh(connection: sqlite3.Connection) -> None:
    """Lay those that are new or have other columns now, and take away those of titles that have no game any more."""
    new, laid = wanted(connection), dict(connection.execute(_LAID))
    for name in laid.keys() - {name for name, sql in new.items() if laid.get(name) == sql}:
        connection.execute(f'DROP VIEW "{name}"')
    for name, sql in new.items():
        if laid.get(name) != sql:
            connection.execute(sql)


def lacks(connection: sqlite3.Connection, title: str, names: set[str]) -> bool:
    """Whether a title's view is missing, or has no column for some of these attributes."""
    if not _is_title(title):
        return False
    there = {column.casefold() for _, column, *_ in connection.execute(f"PRAGMA table_info({view_name(title)})")}
    return not there or any(name.casefold() not in there for name in names if _is_attribute(name))


def are_sound(connection: sqlite3.Connection) -> bool:
    """Whether the views are as the games of the file ask for."""
    return bool(dict(connection.execute(_LAID)) == wanted(connection))
