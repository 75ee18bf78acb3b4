"""Checking a game where it lies: every line against all before it, its index, and the edge that is kept beside it."""

from __future__ import annotations

from umpire_ledger.ledger.check import Check, Verdict
from umpire_ledger.ledger.edges import Edges
from umpire_ledger.ledger.errors import BrokenLedger
from umpire_ledger.ledger.orders import row_of
from umpire_ledger.ledger.store import LineStore
from umpire_ledger.ledger.tree import Checkpoint


def verify_game(store: LineStore, edges: Edges, game: str, checkpoint: Checkpoint | None = None) -> Verdict:
    """Check every record and every `prior` of a game that the store has."""
    size, kept = edges.kept(game)
    try:
        check = Check(game, checkpoint, kept)
    except BrokenLedger as error:
        return Verdict(verdict="INVALID", game=game, first_bad=0, reason=error.reason)
    try:
        for row in store.rows(game, 1, size):
            # The indexed columns steer what counts, so they must say what the line says.
            if row_of(check.see(row[3]), row[3]) != row:
                raise BrokenLedger(game=game, position=row[0], reason="the store's index does not fit the record")
        if check.size != size:
            raise check.broken("records are missing", f"{size} records", f"{check.size} records")
    except BrokenLedger as error:
        return check.invalid(error)
    return check.complete()
