"""Detect that a ledger lacks records that were read earlier, because it is an older copy or lost its last records.

`verify` cannot notice that a ledger was copied without its write-ahead log, or replaced by a backup. But the read
models next to the ledger store the position up to which they were built, and the read marks of seats. An update from
such a ledger keeps that position, until `umpire rebuild` accepts the ledger as it is.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from umpire_ledger.projections.tables.views_file import UNREADABLE, StorePath, followed, looked, open_views

if TYPE_CHECKING:
    from umpire_ledger.ledger.ledger import Ledger
    from umpire_ledger.projections.tables.dialect import Tables
    from umpire_ledger.projections.tables.game_rows import LastFollowedRecord

NO_SEAT = ""
"""Seat in table `looked` for the newest position of the read models that the ledger lacked."""


def missing(views: Tables, game_id: str, size: int) -> int:
    """Return the newest position, read earlier, that a ledger of `size` records lacks; 0 if none.

    A ledger that has since grown past that position still lacks the old records.
    """
    select = "SELECT max(position) FROM looked WHERE game = ? AND (seat = ? OR position > ?)"
    found = views.execute(select, (game_id, NO_SEAT, size)).fetchone()
    return found[0] if found and isinstance(found[0], int) else 0


def missing_beside(ledger: StorePath, game_id: str, size: int) -> int:
    """Return the newest missing position for a ledger in a file, also before its read models are updated from it."""
    views = open_views(ledger)
    if views is None:
        return 0
    with contextlib.closing(views), contextlib.suppress(*UNREADABLE):  # `umpire doctor` reports damage.
        known = followed(ledger, game_id)
        return max(known if known > size else 0, missing(views, game_id, size))
    return 0


def missing_words(game_id: str, size: int, known: int) -> tuple[str, str]:
    """Return the fault of a ledger that lacks records, and the remedy."""
    what = f"this machine has seen {game_id} up to #{known}, but in the ledger it ends at #{size}"
    return what, f"restore a newer copy with its -wal file, or accept this one: `umpire rebuild {game_id}`"


def keep(views: Tables, ledger: Ledger[Any], game_id: str, before: LastFollowedRecord) -> None:
    """Store the position up to which an earlier copy of a game was read, before the rows that show it are deleted.

    If the ledger has a different game with the same id, opened at another time, the read marks are deleted instead.
    """
    row = views.execute("SELECT opened_at FROM game WHERE key = ?", (before.key,)).fetchone()
    if not before.position or row is None:
        return
    if row[0] != ledger.record(game_id, 1).at:
        views.execute("DELETE FROM looked WHERE game = ?", (game_id,))
        return
    newest = max(before.position, looked(views, game_id, NO_SEAT))
    views.execute("DELETE FROM looked WHERE game = ? AND seat = ?", (game_id, NO_SEAT))
    views.execute("INSERT INTO looked (game, seat, position) VALUES (?, ?, ?)", (game_id, NO_SEAT, newest))


def accept(views: Tables, game_id: str, size: int) -> None:
    """Accept a ledger of `size` records as complete, and delete the read marks beyond it."""
    views.execute("DELETE FROM looked WHERE game = ? AND (seat = ? OR position > ?)", (game_id, NO_SEAT, size))
