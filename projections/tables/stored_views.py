"""Store turn views for `umpire status`, which reads one row and opens no ledger.

Turn views are stored for readers, and the next order deletes them, so that no stored view is older than its game's last
record. A program that ends after one order stores the new views before it ends.
"""

from collections.abc import Sequence

import msgspec

from umpire_ledger.projections.tables.dialect import Tables
from umpire_ledger.projections.tables.game_rows import INSERT
from umpire_ledger.projections.tables.turn_view import TurnView

_json = msgspec.json.Encoder().encode


def drop(connection: Tables, game_id: str) -> None:
    """Delete the stored views of a game that has new records."""
    connection.execute("DELETE FROM turn_view WHERE game = ?", (game_id,))


def are_laid(connection: Tables, game_id: str) -> bool:
    """Return whether every seat of a game has a stored view."""
    bare = "SELECT 1 FROM seat WHERE game = ? AND seat NOT IN (SELECT seat FROM turn_view WHERE game = ?) LIMIT 1"
    return connection.execute(bare, (game_id, game_id)).fetchone() is None


def put(connection: Tables, game_id: str, views: Sequence[TurnView]) -> None:
    """Store these views of a game, and no others."""
    drop(connection, game_id)
    connection.executemany(INSERT["turn_view"], [_row(game_id, view) for view in views])


def _row(game_id: str, view: TurnView) -> tuple[str, str, int, int, str, str, str, str]:
    steps, waiting = ", ".join(view.open), ", ".join(view.waiting)
    return game_id, view.seat, view.position, view.turn, view.where, steps, waiting, str(_json(view), "utf-8")
