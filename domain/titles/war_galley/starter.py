"""Provide a scenario template with two squadrons of two galleys. All its values are invented."""

from typing import Any


def _galley(id: str, side: str, at: str, **more: Any) -> dict[str, Any]:
    own = {"id": id, "side": side, "kind": "trireme", "at": at, "name": id.title(), **more}
    return {**own, "crew": 4, "manpower": 3, "ram_defense": 3, "cruise": 4, "maximum": 6}


def _by_the_book(table: str, dice: str) -> dict[str, Any]:
    return {"dice": dice, "by_the_book": f"War Galley, the {table} table"}


def _admiral(id: str, name: str) -> dict[str, Any]:
    return {"commander": name, "leads": id, "command_range": 5, "admiral": True, "initiative": 1}


STARTER: dict[str, Any] = {
    "sides": [{"id": "red", "name": "Red fleet"}, {"id": "blue", "name": "Blue fleet"}],
    "map": {"columns": 30, "rows": 20},
    "victory": {"points": 25, "turns": 12},
    "accounts": {"vp/red": 0, "vp/blue": 0},
    "tables": {
        "wind": _by_the_book("wind", "2d6"),
        "double-activation": _by_the_book("double activation", "1d6"),
        "boarding": _by_the_book("boarding", "2d6"),
        "disengage": _by_the_book("disengage", "1d6"),
        "firefight": _by_the_book("firefight", "1d6"),
    },
    "units": [
        _galley("red-1", "red", "0505", **_admiral("red-squadron", "First Red")),
        _galley("red-2", "red", "0606"),
        _galley("blue-1", "blue", "2005", **_admiral("blue-squadron", "First Blue")),
        _galley("blue-2", "blue", "2006"),
    ],
}
