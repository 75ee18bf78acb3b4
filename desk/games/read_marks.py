"""Store the position that each seat read last, outside the records.

For a ledger in a file, the marks are in the file of its read models. If each program has its own read models, as for a
ledger in a database, they are metadata of the games.
"""

from contextlib import suppress

from umpire_ledger.desk.core.open_ledger import OpenLedger
from umpire_ledger.ledger.records.errors import StoreUnavailable
from umpire_ledger.ledger.records.ledger_address import is_database
from umpire_ledger.ledger.storage.metadata import MetadataEntry
from umpire_ledger.projections.tables.views_file import last_looked, mark_read

LOOKED = "looked"


def last_look(opened: OpenLedger, game_id: str, seat: str) -> int:
    """Return the position that a seat read last; 0 if it has read none, or its mark cannot be read."""
    if not is_database(opened.where):
        return last_looked(opened.where, game_id, seat)
    with suppress(StoreUnavailable):  # a read mark is a convenience
        found = opened.ledger.metadata_value(game_id, LOOKED, seat) or ""
        return int(found) if found.isdecimal() else 0
    return 0


def note_look(opened: OpenLedger, game_id: str, seat: str, position: int) -> None:
    """Store the position that a seat has read; ignore a failure to write."""
    if not is_database(opened.where):
        mark_read(opened.where, game_id, seat, position)
    elif last_look(opened, game_id, seat) != position:
        with suppress(StoreUnavailable), opened.ledger.metadata() as metadata:  # a read mark is a convenience
            metadata.put(MetadataEntry(game_id, LOOKED, seat, str(position)))
