"""Provide the content of a scenario template: two empires with a ship and a base each. Everything in it is made up."""

from typing import Any


def _unit(id: str, side: str, empire: str, kind: str, at: str, strength: int, **more: Any) -> dict[str, Any]:
    half = (strength + 1) // 2
    sides = {"attack": strength, "defense": strength, "crippled_attack": half, "crippled_defense": half}
    return {"id": id, "side": side, "kind": kind, "at": at, "empire": empire, **sides, **more}


STARTER: dict[str, Any] = {
    "sides": [{"id": "coalition", "name": "Coalition"}, {"id": "alliance", "name": "Alliance"}],
    "turn_order": ["coalition", "alliance"],
    "calendar": {"season": "Fall", "year": 168, "last_turn": 4},
    "empires": [
        {
            "id": "east",
            "side": "coalition",
            "name": "Eastern Empire",
            "letter": "E",
            "capital": "1411",
            "ep": 50,
            "nodes": ["1206", "1411"],
        },
        {
            "id": "west",
            "side": "alliance",
            "name": "Western Empire",
            "letter": "W",
            "capital": "0902",
            "ep": 50,
            "nodes": ["0902", "1004"],
        },
    ],
    "units": [
        _unit("E-CA-1", "coalition", "east", "CA", "1206", 8, command=8),
        _unit("E-SB", "coalition", "east", "SB", "1411", 36, command=10, base=True, repairs=3),
        _unit("W-CA-1", "alliance", "west", "CA", "1004", 8, command=8),
        _unit("W-SB", "alliance", "west", "SB", "0902", 36, command=10, base=True, repairs=3),
    ],
}
