"""Where each seat last looked, which no record tells.

Beside a ledger in a file it lies in the file of read models. Where the read models are each program's own, as for a
ledger in a database, it is a note beside the games.
"""

from contextlib import suppress

from umpire_ledger.desk.core.open_ledger import OpenLedger
from umpire_ledger.ledger.records.errors import StoreUnavailable
from umpire_ledger.ledger.records.places import is_database
from umpire_ledger.ledger.storage.metadata import MetadataEntry
from umpire_ledger.projections.tables.views_file import last_looked, mark_read

LOOKED = "looked"


def last_look(opened: OpenLedger, game: str, seat: str) -> int:
    """The position at which a seat last looked, 0 if it never did or where that cannot be read."""
    if not is_database(opened.where):
        return last_looked(opened.where, game, seat)
    with suppress(StoreUnavailable):  # a read mark is a convenience
        found = opened.ledger.note(game, LOOKED, seat) or ""
        return int(found) if found.isdecimal() else 0
    return 0


def note_look(opened: OpenLedger, game: str, seat: str, position: int) -> None:
    """Note that a seat has looked at a position; let go where it cannot be written."""
    if not is_database(opened.where):
        mark_read(opened.where, game, seat, position)
    elif last_look(opened, game, seat) != position:
        with suppress(StoreUnavailable), opened.ledger.notes() as notes:  # as above
            notes.put(MetadataEntry(game, LOOKED, seat, str(position)))
