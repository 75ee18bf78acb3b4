"""List the tables and views in a file of read models that people read."""

import msgspec

from umpire_ledger.projections.tables import title_views
from umpire_ledger.projections.tables.catalogue import TABLES, VIEWS
from umpire_ledger.projections.tables.dialect import Tables


class TableInFile(msgspec.Struct, frozen=True, kw_only=True):
    """A table or a view that people read. `rows`: number of rows, None for a view; `public`: it has no secrets."""

    name: str
    what: str
    rows: int | None
    public: bool


def contents(views: Tables) -> list[TableInFile]:
    """Return the tables, then the views, those of titles last.

    Raises:
        sqlite3.Error: When the file cannot be read.
    """
    tables = [
        TableInFile(name=name, what=table.what, rows=_count(views, name), public=table.public)
        for name, table in TABLES.items()
        if not table.hidden
    ]
    laid = VIEWS | title_views.views(views)
    return [*tables, *(TableInFile(name=name, what=view.what, rows=None, public=False) for name, view in laid.items())]


def _count(views: Tables, table: str) -> int:
    return int(views.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
