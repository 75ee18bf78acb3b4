"""Does a roll say what its table gives? Asked of ledger dice, beside what a fold asks of every event.

A log whose dice are right may still tell another outcome than the table has. The words of an outcome may stand behind
others, of a title that enters a table with more than the total; then only the row's own words are compared.
"""

from umpire_ledger.domain.game.errors import UnknownName
from umpire_ledger.domain.game.events import AnyEvent, DiceRolled
from umpire_ledger.domain.game.scenario import look_up
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.changes import row_text

FIRST_SCHEME = 2
"""Rolls of older logs are not asked."""


def wrong_row(game: Game, event: AnyEvent) -> str:
    """What a roll says of its table that is not so; "" where all is, or nobody can tell. `game`: before the roll."""
    if not isinstance(event, DiceRolled) or not event.row or event.book or game.scheme < FIRST_SCHEME:
        return ""
    table = game.tables.get(event.table)
    rows = table.get("rows") if isinstance(table, dict) else None
    if not isinstance(rows, dict) or not rows:
        return ""
    if event.row not in rows:
        return f"the table {event.table} has no row {event.row}"
    said = row_text(rows[event.row])
    if not event.outcome.endswith(said):
        return f"the table {event.table} says {said} in its row {event.row}, not {event.outcome}"
    if event.outcome != said:
        return ""
    try:
        row, _ = look_up(game, event.table, event.total)
    except UnknownName:
        return f"the table {event.table} has no row for {event.total}"
    return "" if row == event.row else f"{event.total} is in the row {row} of the table {event.table}, not {event.row}"
