"""Read a seat's status from one row without opening the ledger, because players may query it after every order.

The module imports nothing from the domain or from the ledger's store.
"""

import os
import sqlite3
from collections.abc import Mapping
from typing import Any

from umpire_ledger.desk.core.edition import EDITION
from umpire_ledger.ledger.records.ledger_address import is_database
from umpire_ledger.projections.tables.views_file import display_name, fresh_turn_view, lag, last_looked, mark_read

__all__ = ["display_name", "earlier_news", "game_ids", "lag", "last_look", "note_look", "stored_status"]


def stored_status(where: str, game_id: str, seat: str) -> dict[str, Any] | None:
    """Return a seat's turn view as plain data, with its news under `since`; None if that requires an open ledger.

    The spectator's view always requires an open ledger, because it may be delayed.

    Raises:
        StoreUnavailable: When the read models cannot be read.
    """
    if seat == "spectator":
        return None
    return fresh_turn_view(where, game_id, seat, EDITION)


def earlier_news(where: str, game_id: str, seat: str, view: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return the first and the last position of a seat's news before the orders in its view; None if there are none."""
    since = view["since"]
    if not since or len(since) < len(view["last"]) or since[0]["position"] == 1:
        return None
    first, last = last_look(where, game_id, seat) + 1, since[0]["position"] - 1
    return (first, last) if first <= last else None


def last_look(where: str, game_id: str, seat: str) -> int:
    """Return the position that a seat read last; 0 if it has read none, or its mark cannot be read."""
    if not is_database(where):
        return last_looked(where, game_id, seat)
    from umpire_ledger.desk.core.open_ledger import OpenLedger  # noqa: PLC0415 -- 224 ms: a database cannot be looked at without being opened
    from umpire_ledger.desk.games.read_marks import last_look as last_look_at  # noqa: PLC0415 -- 216 ms: a database cannot be looked at without being opened

    with OpenLedger(where, read_only=True) as opened:
        return last_look_at(opened, game_id, seat)


def note_look(where: str, game_id: str, seat: str, position: int) -> None:
    """Store the position that a seat has read; ignore a failure to write."""
    if not is_database(where):
        mark_read(where, game_id, seat, position)
        return
    from umpire_ledger.desk.core.open_ledger import OpenLedger  # noqa: PLC0415 -- 209 ms: a database cannot be looked at without being opened
    from umpire_ledger.desk.games.read_marks import note_look as note_look_at  # noqa: PLC0415 -- 217 ms: a database cannot be looked at without being opened

    with OpenLedger(where) as opened:
        note_look_at(opened, game_id, seat, position)


def game_ids(where: str) -> list[str]:
    """Return the ids of a ledger's games for completion; [] if there is no ledger, or it cannot be read."""
    from pathlib import Path  # noqa: PLC0415 -- 3 ms: only completion needs it

    from umpire_ledger.ledger.storage import quick_read  # noqa: PLC0415 -- 5 ms: only completion needs it

    if not os.path.isfile(where):
        return []
    try:
        return list(quick_read.game_ids(Path(where)))
    except (sqlite3.Error, UnicodeDecodeError):
        return []
