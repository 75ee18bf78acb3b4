"""Copy refused orders from the ledger's refusal log into rows, as the referee may see them.

Refused orders are not records, so no log can rebuild them. In a game whose secrets are closed to the referee, a side's
refused orders are withheld here too.
"""

import msgspec

from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.record.refusal import KeptRefusal, for_the_referee, kept_refusal
from umpire_ledger.projections.tables.dialect import Tables
from umpire_ledger.projections.tables.game_rows import INSERT, LastFollowedRecord
from umpire_ledger.projections.tables.views_file import row_id

_json = msgspec.json.Encoder().encode


def write(connection: Tables, ledger: Ledger[Game], now: LastFollowedRecord, game_id: str, state: Game) -> int:
    """Write the rows of orders refused since the last update, and return the number of the last one."""
    found = ledger.refusals(game_id, now.refused) if ledger.last_aside(game_id) != now.refused else []
    if not found:
        return now.refused
    told = ((number, for_the_referee(state, kept_refusal(kept))) for number, kept in found)
    connection.executemany(INSERT["refusals"], [_row(now.key, game_id, now.position, *one) for one in told])
    last = max(number for number, _ in found)
    connection.execute("UPDATE game SET refused = ? WHERE key = ?", (last, now.key))
    return last


def _row(key: int, game_id: str, size: int, number: int, refusal: KeptRefusal) -> tuple[object, ...]:
    eyes = (REFEREE,) if refusal.seat == REFEREE else (refusal.seat, REFEREE)
    return (
        game_id,
        refusal.after,
        refusal.seat,
        refusal.order,
        refusal.what,
        refusal.where,
        refusal.rule,
        refusal.remedy,
        str(_json(refusal.allowed), "utf-8"),
        refusal.code,
        str(_json(refusal.fields), "utf-8"),
        refusal.text,
        refusal.at,
        refusal.kept,
        str(_json(eyes), "utf-8"),
        row_id(key, refusal.after) if 1 <= refusal.after <= size else None,
        row_id(key, number),
    )
