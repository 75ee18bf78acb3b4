"""Make the part of `docs/reference/read-models.md` that comes from the catalogue and the canned queries.

    python -m tests.docs.read_models_page

writes it between the marks of the page; a test fails when the page is out of date.
"""

from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

from tests.face.projections import (
    QUERIES,
    TABLES,
    VIEWS,
    Query,
    ReadModelTable,
    View,
)

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "read-models.md"
BEGINS, ENDS = "<!-- made by tests.docs.read_models_page -->", "<!-- end of what is made -->"
SQL_TYPES = {int: "INTEGER", str: "TEXT", bytes: "BLOB"}


def made() -> str:
    """Return the text between the marks."""
    read = [name for name, table in TABLES.items() if not table.hidden]
    own = [name for name, table in TABLES.items() if table.hidden]
    parts = [
        "## Tables",
        *(_table(name, TABLES[name]) for name in read),
        "## Views",
        *(_view(name, view) for name, view in VIEWS.items()),
        "## Internal tables",
        *(_table(name, TABLES[name]) for name in own),
        "## Saved queries",
        *map(_query, QUERIES),
    ]
    return "\n\n".join(parts)


def _table(name: str, table: ReadModelTable) -> str:
    public = " *Public: contains no secrets.*" if table.public else ""
    lines = [f"### `{name}`", "", f"{table.what}{public} Key: {_names(table.key)}.", "", *_columns(table)]
    return "\n".join(lines)


def _view(name: str, view: View) -> str:
    return "\n".join([f"### `{name}`", "", view.what, "", *_columns(view)])


def _columns(table: ReadModelTable | View) -> Iterator[str]:
    yield "| column | type | contents |"
    yield "|---|---|---|"
    for column in table.columns:
        refers = f" → `{column.refers}`" if column.refers else ""
        what = column.what.replace("|", "\\|")
        yield f"| `{column.name}` | {SQL_TYPES[column.type]} | {what}{refers} |"


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _query(query: Query) -> str:
    asked = f" Parameters: {_names(query.parameters)}." if query.parameters else ""
    return f"### {query.title}\n\n`{query.name}`. {query.what}{asked}\n\n```sql\n{dedent(query.sql).strip()}\n```"


def main() -> None:
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGINS)
    after = rest.partition(ENDS)[2]
    PAGE.write_text(f"{before}{BEGINS}\n\n{made()}\n\n{ENDS}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
