"""Create a view of units for each title, with their attributes as columns: `units_war_galley`.

The columns are the public attributes that units of the title's games have had on any branch. Secret attributes have no
column, because their name alone could reveal something. An attribute whose name is not valid for a column is only in
`units.attributes`.
"""

import re

from umpire_ledger.projections.tables.catalogue import VIEWS, Column, View
from umpire_ledger.projections.tables.dialect import Dialect, Tables, dialect_of

PREFIX = "units_"
COLUMNS = tuple(column for column in VIEWS["units"].columns if column.name != "attributes")
MOST = 500
"""The most columns of attributes, because a log may name any number of attributes."""

_is_title = re.compile(r"[a-z0-9][a-z0-9_-]{0,99}").fullmatch
_is_attribute = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}").fullmatch
_ATTRIBUTES = (
    "SELECT DISTINCT game.title, attribute.name FROM game LEFT JOIN attribute ON attribute.game = game.id"
    " WHERE game.title IS NOT NULL ORDER BY 1, 2"
)


def view_name(title: str) -> str:
    """Return the name of a title's view. It is unique, because ids of installed titles differ in more than hyphens."""
    return PREFIX + title.replace("-", "_")


def is_one(name: str, kind: str) -> bool:
    """Return whether a database object is the view of a title."""
    return kind == "view" and name.startswith(PREFIX)


def columns(connection: Tables) -> dict[str, list[str]]:
    """Return the titles of all stored games, each with the attributes that get a column."""
    found: dict[str, dict[str, str]] = {}
    dialect = dialect_of(connection)
    for title, name in connection.execute(_ATTRIBUTES).fetchall():
        if isinstance(title, str) and _is_title(title) and dialect.fits(view_name(title)):
            of_title = found.setdefault(title, {column.name: "" for column in COLUMNS})
            if isinstance(name, str) and _is_attribute(name) and dialect.fits(name):
                of_title.setdefault(name.casefold(), name)
    return {title: [name for name in names.values() if name][:MOST] for title, names in found.items()}


def views(connection: Tables) -> dict[str, View]:
    """Return the views that the stored games need."""
    dialect = dialect_of(connection)
    return {view_name(title): _view(title, names, dialect) for title, names in columns(connection).items()}


def _view(title: str, names: list[str], dialect: Dialect) -> View:
    shown = [f"units.{column.name}" for column in COLUMNS]
    shown += [f'{dialect.attribute(name)} AS "{name}"' for name in names]
    return View(
        f"Units of {title} as each seat knows them, an attribute a column: choose a seat.",
        (*COLUMNS, *(Column(name, str, "") for name in names)),
        f"SELECT {', '.join(shown)} FROM units JOIN game ON game.id = units.game WHERE game.title = '{title}'",
        facets=VIEWS["units"].facets,
    )


def wanted(connection: Tables) -> dict[str, str]:
    """Return the names and statements of the views that should exist."""
    return {name: f'CREATE VIEW "{name}" AS {view.select}' for name, view in views(connection).items()}


def refresh(connection: Tables) -> None:
    """Create the views that are new or whose columns changed, and drop views of titles without games."""
    dialect = dialect_of(connection)
    new, laid = wanted(connection), dialect.laid_views(connection)
    for name in laid.keys() - {name for name, sql in new.items() if laid.get(name) == sql}:
        connection.execute(f'DROP VIEW "{name}"')
    for name, sql in new.items():
        if laid.get(name) != sql:
            dialect.lay_view(connection, name, sql)


def lacks(connection: Tables, title: str, names: set[str]) -> bool:
    """Return whether a title's view is missing, or lacks a column for any of these attributes."""
    if not _is_title(title):
        return False
    dialect = dialect_of(connection)
    there = {column.casefold() for column in dialect.columns_of(connection, view_name(title))}
    return not there or any(name.casefold() not in there for name in names if _is_attribute(name))


def are_sound(connection: Tables) -> bool:
    """Return whether the existing views are exactly those that the stored games need."""
    return dialect_of(connection).laid_views(connection) == wanted(connection)
