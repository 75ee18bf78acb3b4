"""Check that a roll of ledger dice has the outcome that its table gives.

A log with correct dice may still record an outcome that differs from the table. If a title looks up more than the
total, it may put a prefix before the words of the row. Then only the words of the row are compared.
"""

from umpire_ledger.domain.game.errors import UnknownName
from umpire_ledger.domain.game.events import AnyEvent, DiceRolled
from umpire_ledger.domain.game.scenario import look_up
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.changes import row_text

FIRST_SCHEME = 2
"""The first dice scheme whose lookups are checked; logs of older schemes are not checked."""


def wrong_row(game: Game, event: AnyEvent) -> str:
    """Return the fault of a roll's table row; "" if there is none or the table is unknown. `game`: before the roll."""
    if not isinstance(event, DiceRolled) or not event.row or event.book or game.scheme < FIRST_SCHEME:
        return ""
    table = game.tables.get(event.table)
    rows = table.get("rows") if isinstance(table, dict) else None
    if not isinstance(rows, dict) or not rows:
        return ""
    if event.row not in rows:
        return f"table {event.table} has no row '{event.row}'"
    said = row_text(rows[event.row])
    if not event.outcome.endswith(said):
        return f"row '{event.row}' of table {event.table} is {said}, not {event.outcome}"
    if event.outcome != said:
        return ""
    try:
        row, _ = look_up(game, event.table, event.total)
    except UnknownName:
        return f"table {event.table} has no row for {event.total}"
    if row == event.row:
        return ""
    return f"{event.total} is in row '{row}' of table {event.table}, not in row '{event.row}'"
