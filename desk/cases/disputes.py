"""Find a dispute of a game."""

from umpire_ledger.desk.core.errors import not_there
from umpire_ledger.desk.core.open_ledger import OpenLedger
from umpire_ledger.projections.reports.disputes import DisputeLine, disputes, records_at
from umpire_ledger.projections.tables.desk_rows import positions_of


def find_disputes(opened: OpenLedger, game_id: str) -> list[DisputeLine]:
    """Return the disputes of a game, the oldest first."""
    with opened.read_models.caught_up(game_id) as following:
        positions = positions_of(following.connection, game_id, "disputes")
    return list(disputes(game_id, records_at(opened.ledger, game_id, positions)))


def need_dispute(opened: OpenLedger, game_id: str, dispute: str) -> DisputeLine:
    """Return a dispute by id.

    Raises:
        NotThere: When the game has no such dispute.
    """
    known = {one.dispute: one for one in find_disputes(opened, game_id)}
    if dispute not in known:
        raise not_there("dispute", dispute, known, game_id)
    return known[dispute]
