"""Write disputes, rulings and seals as rows, from the public records that make them."""

from collections.abc import Iterable
from itertools import chain
from typing import Any, Literal, NamedTuple

from umpire_ledger.domain.game.events import DisputeOpened, DisputeSettled, LineSealed, RulingMade
from umpire_ledger.projections.record.visible_record import VisibleRecord
from umpire_ledger.projections.tables.catalogue import TABLES
from umpire_ledger.projections.tables.dialect import Tables
from umpire_ledger.projections.tables.views_file import key_of, row_id, typed


class Act(NamedTuple):
    """A record for these tables, with whether it counts and the row id of its order."""

    record: VisibleRecord
    counts: bool
    order_id: int | None


_LAST_DISPUTE = "SELECT max(id) FROM disputes WHERE game = ? AND dispute = ? AND id <= ?"
_SETTLE = "UPDATE disputes SET state = 'settled', ruling = ?, reason = ?, settled_id = ? WHERE id = ?"


def write(connection: Tables, key: int, game_id: str, acts: Iterable[Act]) -> None:
    """Write the rows of these records, oldest first. The rows of earlier records must already exist."""
    for act in acts:
        base = _base(key, game_id, act)
        match act.record.event:
            case DisputeOpened() as event:
                _put(connection, "disputes", base | _dispute(event))
                _contest(connection, key, base, event.positions)
            case DisputeSettled(dispute=dispute, ruling=ruling, reason=reason):
                settled = _find(connection, base, dispute)
                connection.execute(_SETTLE, (ruling, reason, base["id"], settled))
            case RulingMade() as event:
                found = _find(connection, base, event.dispute) if event.dispute else None
                _put(connection, "rulings", base | _ruling(event) | {"dispute_id": found})
            case LineSealed(seat=seat, position=sealed):
                there = row_id(key, sealed) if 1 <= sealed <= act.record.position else None
                _put(connection, "seals", base | {"seat": seat, "sealed": sealed, "sealed_id": there})
            case _:
                pass


def positions_of(connection: Tables, game_id: str, table: Literal["disputes", "rulings"]) -> list[int]:
    """Return the positions of the records that wrote or settled a game's rows in one of these tables, in order."""
    settled = "settled_id" if table == "disputes" else "NULL"
    key = key_of(connection, game_id)
    select = f"SELECT id, {settled} FROM {table} WHERE id BETWEEN ? AND ?"
    rows = connection.execute(select, (row_id(key, 0), row_id(key + 1, -1)))
    ids = chain.from_iterable(typed(rows, tuple[int, int | None]))
    return sorted({id - row_id(key, 0) for id in ids if id is not None})


def _base(key: int, game_id: str, act: Act) -> dict[str, Any]:
    record = act.record
    return {
        "game": game_id,
        "position": record.position,
        "seat": record.seat,
        "at": record.at,
        "counts": act.counts,
        "order_id": act.order_id,
        "id": row_id(key, record.position),
    }


def _dispute(event: DisputeOpened) -> dict[str, Any]:
    return {"dispute": event.dispute, "state": "open", "claim": event.claim, "rule": event.rule}


def _ruling(event: RulingMade) -> dict[str, Any]:
    return {name: getattr(event, name) for name in ("rule", "ruling", "reason", "grounds", "remedy", "overrides")}


def _contest(connection: Tables, key: int, base: dict[str, Any], positions: tuple[int, ...]) -> None:
    for position in dict.fromkeys(positions):
        if 1 <= position <= base["position"]:  # A foreign log may name positions that it does not have.
            ids = {"dispute_id": base["id"], "record_id": row_id(key, position)}
            _put(connection, "contested", {"game": base["game"], "position": position, **ids})


def _find(connection: Tables, base: dict[str, Any], dispute: str) -> int | None:
    """Return the row id of the newest dispute with that name."""
    found: int | None = connection.execute(_LAST_DISPUTE, (base["game"], dispute, base["id"])).fetchone()[0]
    return found


def _put(connection: Tables, table: str, row: dict[str, Any]) -> None:
    names = [name for name in TABLES[table].names if name in row]
    values = ", ".join(f":{name}" for name in names)
    connection.execute(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({values})", row)
