"""Spread the tables of a ledger over hash partitions by game, a feature of PostgreSQL.

The table `beside` has no partitions, because a browser session has seats of several games. Row triggers apply to each
partition automatically. TRUNCATE triggers do not, so each partition gets its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

SPREAD = ("record", "edge", "aside", "snapshot")


def partitioned(statements: Iterable[str], number: int, kept: Iterable[str]) -> Iterator[str]:
    """Yield the statements that create a ledger with tables in `number` partitions.

    `kept`: tables that are never emptied.
    """
    for statement in statements:
        table = next((name for name in SPREAD if statement.startswith(f"CREATE TABLE umpire.{name} (")), None)
        yield statement + (" PARTITION BY HASH (game)" if table else "")
        if table:
            yield from (_partition(table, at, number) for at in range(number))
    for table in kept:
        yield from (_kept(table, at) for at in range(number))


def _partition(table: str, at: int, number: int) -> str:
    values = f"FOR VALUES WITH (MODULUS {number:d}, REMAINDER {at:d})"
    return f"CREATE TABLE umpire.{table}_{at:02d} PARTITION OF umpire.{table} {values}"


def _kept(table: str, at: int) -> str:
    return (
        f"CREATE TRIGGER {table}_is_kept BEFORE TRUNCATE ON umpire.{table}_{at:02d}"
        " FOR EACH STATEMENT EXECUTE FUNCTION umpire.stays()"
    )
