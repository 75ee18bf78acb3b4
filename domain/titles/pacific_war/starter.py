"""Provide a scenario template: each side has a headquarters, a ship and a base. All its values are invented.

All tables without a row are read by the book.
"""

from typing import Any

from umpire_ledger.domain.titles.pacific_war.tables import ROWS


def _tables() -> dict[str, Any]:
    """Return the tables: Command Points by the number of the month, all others by a roll read by the book."""
    rolled = {name: {"dice": "1d10", "by_the_book": f"Pacific War, {name}"} for name in ROWS}
    by_month = {"source": "made up", "rows": {"1": {"points": 12}, "2": {"points": 14}}}
    return {**rolled, **{name: by_month for name in ROWS if name.startswith("command-points/")}}


def _unit(id: str, side: str, kind: str, at: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "side": side, "kind": kind, "at": at, **more}


STARTER: dict[str, Any] = {
    "kind": "campaign",
    "sides": [{"id": "japan", "name": "Japan"}, {"id": "allies", "name": "Allies"}],
    "months": ["May 1942", "June 1942"],
    "tables": _tables(),
    "headquarters": [
        _unit("eighth-fleet", "japan", "headquarters", "rabaul", operation_cost=2),
        _unit("south-pacific", "allies", "headquarters", "noumea", operation_cost=2),
    ],
    "bases": [_unit("rabaul-port", "japan", "port", "rabaul"), _unit("noumea-port", "allies", "port", "noumea")],
    "naval": [
        _unit("kako", "japan", "cruiser", "rabaul", cripples=2, sinks=3),
        _unit("astoria", "allies", "cruiser", "noumea", cripples=2, sinks=3),
    ],
}
