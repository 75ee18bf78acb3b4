"""Check a game in its store: every line against all lines before it, the indexes, and the stored compact range."""

from __future__ import annotations

from umpire_ledger.ledger.merkle.compact_ranges import CompactRanges
from umpire_ledger.ledger.merkle.tree import Checkpoint
from umpire_ledger.ledger.records.errors import BrokenLedger, record_count
from umpire_ledger.ledger.storage.interface import LineStore
from umpire_ledger.ledger.verification.log_checker import LogChecker, Verdict


def verify_game(store: LineStore, edges: CompactRanges, game_id: str, checkpoint: Checkpoint | None = None) -> Verdict:
    """Check every record and every `prior` of a game that the store has."""
    size, kept = edges.kept(game_id)
    try:
        check = LogChecker(game_id, checkpoint, kept)
    except BrokenLedger as error:
        return Verdict(verdict="INVALID", game=game_id, first_bad=0, reason=error.reason)
    rewinds: list[tuple[int, int]] = []
    try:
        for row in store.rows(game_id, 1, size):
            # The indexed columns determine which records count, so they must agree with the lines.
            position, _, follows, _ = told = check.add_line(row[3])
            if told != row:
                raise index_mismatch(game_id, position)
            if follows is not None:
                rewinds.append((position, follows))
        if check.size != size:
            raise check.broken("records are missing", record_count(size), record_count(check.size))
        verify_rewinds(game_id, rewinds, store.rewinds(game_id, 0))
    except BrokenLedger as error:
        return check.invalid(error)
    return check.complete()


def index_mismatch(game_id: str, position: int) -> BrokenLedger:
    """Return the error for an index of the store that differs from the lines."""
    reason = "the store's index does not match the record"
    return BrokenLedger(game=game_id, position=position, reason=reason, changed_between=(position, position))


def verify_rewinds(game_id: str, told: list[tuple[int, int]], indexed: list[tuple[int, int]]) -> None:
    """Check that the index of rewinds, which defines the branches, agrees with the lines.

    Raises:
        BrokenLedger: It does not agree.
    """
    if told != indexed:
        position = min((one[0] for one in set(told) ^ set(indexed) if isinstance(one[0], int)), default=1)
        raise index_mismatch(game_id, max(position, 1))
