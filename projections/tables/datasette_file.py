"""Write the configuration of Datasette for the read models: titles, descriptions, facets and saved queries, as YAML.

Every text is a quoted JSON string, which YAML can read, because a title or an attribute may contain any word. SQL is a
block, so that people can read and change it.
"""

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from textwrap import dedent
from typing import Any

from umpire_ledger.projections.tables import title_views
from umpire_ledger.projections.tables.catalogue import TABLES, VIEWS, ReadModelTable, View
from umpire_ledger.projections.tables.saved_queries import QUERIES, Query

ENDING = ".datasette.yaml"
WARNING = (
    "These tables contain every secret of their games. Serve them to the referee only. For other users, import"
    " the output of `umpire export --as SEAT` into a separate ledger, and serve the read models of that ledger."
)
TITLE = "Umpire: games and their records"
SEARCH_INDEX = tuple(f"audit_fts{ending}" for ending in ("", "_data", "_idx", "_docsize", "_config"))
WIDE = "<style>.col-text, .col-claim, .col-ruling, .col-reason, .col-what, .col-remedy { min-width: 22em }</style>"
"""Style for columns of sentences, which Datasette would otherwise squeeze to one word per line."""
MOST_FACETS = 8
"""The most values of a facet to show at once; more would push the rows off the page."""
NEWEST_FIRST = ("orders", "audit", "roll", "refusals")


def config_path(views: str) -> Path:
    """Return the path of the configuration: `umpire.views.datasette.yaml` next to `umpire.views.db`."""
    return Path(views).with_name(Path(views).stem + ENDING)


def link_path(views: str) -> Path:
    """Return a path for the read models without dots and spaces: `umpire-views.db` for `umpire.views.db`.

    Datasette 0.65 cannot link from one row to another if the name of the file contains such characters.
    """
    file = Path(views)
    name = file.name if file.suffix == ".views" else file.stem
    return file.with_name(re.sub(r"[^A-Za-z0-9_-]+", "-", name) + ".db")


def database_name(views: str) -> str:
    """Return Datasette's name for the file, which is its name without the ending."""
    return Path(views).stem


def config_text(views: str, connection: sqlite3.Connection) -> str:
    """Return the YAML for the read models and their views of titles.

    Args:
        views: The path of the read models that Datasette opens.
        connection: A connection to them.
    """
    return "\n".join(
        ["# Written by `umpire read-models --open`, and overwritten each time.", *_mapping(_config(views, connection))]
    )


def _config(views: str, connection: sqlite3.Connection) -> dict[str, Any]:
    laid = VIEWS | title_views.views(connection)
    tables = {name: _table(name, table) for name, table in TABLES.items()}
    tables |= {name: _described(view) for name, view in laid.items()}
    tables |= {name: {"hidden": True} for name in SEARCH_INDEX}
    return {
        "title": TITLE,
        "description_html": _html(WARNING),
        "databases": {
            database_name(views): {
                "description_html": _html(WARNING),
                "queries": {query.name: _query(query) for query in QUERIES},
                "tables": tables,
            }
        },
    }


def _table(name: str, table: ReadModelTable) -> dict[str, Any]:
    found = _described(table)
    if table.label:
        found["label_column"] = table.label
    if name in NEWEST_FIRST:
        found["sort_desc"] = "id"
    if table.hidden:
        found["hidden"] = True
    return found


def _described(table: ReadModelTable | View) -> dict[str, Any]:
    found: dict[str, Any] = {"description_html": f"{WIDE}<p>{_html(table.what)}</p>{_columns(table)}"}
    return found | ({"facets": list(table.facets), "facet_size": MOST_FACETS} if table.facets else {})


def _columns(table: ReadModelTable | View) -> str:
    """Return the descriptions of columns in a collapsed section, so that they do not push the rows off the page."""
    listed = "".join(f"<dt>{_html(one.name)}</dt><dd>{_html(one.what)}</dd>" for one in table.columns if one.what)
    return f"<details><summary>What the columns mean</summary><dl>{listed}</dl></details>"


def _html(words: str) -> str:
    """Return plain text as HTML, with text between backticks as code."""
    parts = escape(words).split("`")
    return "".join(f"<code>{part}</code>" if at % 2 else part for at, part in enumerate(parts))


def _query(query: Query) -> dict[str, Any]:
    found: dict[str, Any] = {"title": query.title, "description_html": _html(query.what)}
    if query.parameters:
        found["params"] = list(query.parameters)
    return found | {"sql": TextBlock(dedent(query.sql).strip())}


# --- YAML -------------------------------------------------------------------------------------------------------------


class TextBlock(str):
    """Text of several lines that is written unchanged."""

    __slots__ = ()


def _mapping(values: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    for name, value in values.items():
        key = f"{indent}{name if name.isidentifier() and name.isascii() else _quoted(name)}:"
        if isinstance(value, Mapping):
            yield key
            yield from _mapping(value, indent + "  ")
        elif isinstance(value, TextBlock):
            yield f"{key} |-"
            yield from (f"{indent}  {line}" for line in value.split("\n"))
        else:
            yield f"{key} {_quoted(value)}"


def _quoted(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
