"""Provide a scenario template: each side has an officer and a unit of two pieces. All values are invented."""

from typing import Any


def _officer(id: str, side: str, at: str) -> dict[str, Any]:
    return {
        "id": id,
        "side": side,
        "kind": "CO",
        "at": at,
        "wing": "centre",
        "lv": 2,
        "cubes": 2,
        "reach": 12,
        "move": 8,
    }


def _unit(id: str, side: str) -> dict[str, Any]:
    return {"id": id, "side": side, "wing": "centre", "qv": 3, "casualty_value": 2}


def _command(unit: str, side: str, at: str) -> dict[str, Any]:
    return {"id": f"{unit}-command", "side": side, "unit": unit, "at": at, "reach": 4, "move": 6}


def _piece(id: str, side: str, unit: str, kind: str, at: str, **more: Any) -> dict[str, Any]:
    own = {"id": id, "side": side, "unit": unit, "kind": kind, "at": at, "qv": 3, "length": 2, "move": 6}
    return {**own, "facing": "S" if side == "red" else "N", **more}


STARTER: dict[str, Any] = {
    "measure": "inches",
    "sides": [{"id": "red", "name": "Red"}, {"id": "blue", "name": "Blue"}],
    "victory": {"turns": 6, "conditions": "the side that holds the bridge wins"},
    "breaks": {"red": 2, "blue": 2},
    "tables": {
        "fire": {"by_the_book": "In Red Coat Rags Attired, the fire table"},
        "close": {"by_the_book": "In Red Coat Rags Attired, the close combat table"},
    },
    "officers": [_officer("red-co", "red", "24,4"), _officer("blue-co", "blue", "24,40")],
    "units": [_unit("red-foot", "red"), _unit("blue-foot", "blue")],
    "line_command": [_command("red-foot", "red", "24,8"), _command("blue-foot", "blue", "24,36")],
    "pieces": [
        _piece("red-foot-1", "red", "red-foot", "shot", "22,10", fire=1, range=8, red_cube="loaded"),
        _piece("red-foot-2", "red", "red-foot", "pike", "24,10", close=1),
        _piece("blue-foot-1", "blue", "blue-foot", "shot", "22,34", fire=1, range=8, red_cube="loaded"),
        _piece("blue-foot-2", "blue", "blue-foot", "pike", "24,34", close=1),
    ],
}
