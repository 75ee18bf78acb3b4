"""Copy the read models of a database into a file, so that they can be checked like read models in a file."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from umpire_ledger.projections.tables import search_index
from umpire_ledger.projections.tables.catalogue import TABLES
from umpire_ledger.projections.tables.postgres_tables import TableConnection, format_of
from umpire_ledger.projections.tables.row_check import CopyCheck
from umpire_ledger.projections.tables.schema import open_for_writing
from umpire_ledger.projections.tables.views_file import FORMAT, trouble

if TYPE_CHECKING:
    import psycopg


def copied_from_database(connection: psycopg.Connection[Any], name: str, copy: Path) -> CopyCheck | None:
    """Copy all rows from one consistent snapshot; return None if there are no read models of this format.

    The search index and the views of titles are not checked.

    Args:
        name: The name of the database, for messages.
        copy: The path of the new file.

    Raises:
        StoreUnavailable: When the database cannot be read or the copy cannot be written.
    """
    with closing(TableConnection(connection, name)) as stored, trouble(str(copy)):
        if format_of(stored) != FORMAT:
            return None
        stored.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        with closing(open_for_writing(str(copy))) as target:
            for table, one in TABLES.items():
                columns = ", ".join(f'"{column}"' for column in one.names)
                insert = f"INSERT INTO {table} ({columns}) VALUES ({', '.join('?' * len(one.names))})"
                target.executemany(insert, stored.execute(f"SELECT {columns} FROM {table}"))
            target.execute("UPDATE game SET searched = 0")
            search_index.fill_all(target)
            looked = target.execute("SELECT count(*) FROM looked").fetchone()[0]
        stored.execute("COMMIT")
    return CopyCheck(looked=looked)
