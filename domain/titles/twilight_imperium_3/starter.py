"""Provide the start of a scenario template: two home systems with an empty one between them, all invented."""

from typing import Any


def _player(race: str, card: str) -> dict[str, Any]:
    counters = {"command": 3, "fleet": 3, "strategy": 2, "reinforcements": 8}
    return {"race": race, "strategy_cards": [card], **counters}


STARTER: dict[str, Any] = {
    "sides": [{"id": "red", "name": "Red"}, {"id": "blue", "name": "Blue"}],
    "victory": {"rounds": 3},
    "cards": {"Initiative": 1, "Diplomacy": 2},
    "players": {"red": _player("Red", "Initiative"), "blue": _player("Blue", "Diplomacy")},
    "kinds": {
        "cruiser": {"what": "ship", "combat": 7, "move": 2, "cost": 2, "limit": 8},
        "ground-force": {"what": "ground", "combat": 8, "cost": 1, "per": 2},
    },
    "systems": {
        "home-red": {"adjacent": ["middle"], "planets": {"redland": {"owner": "red", "resources": 4, "influence": 2}}},
        "middle": {"planets": {"midway": {"resources": 1, "influence": 1}}},
        "home-blue": {"adjacent": ["middle"], "planets": {"azure": {"owner": "blue", "resources": 4, "influence": 2}}},
    },
    "units": [
        {"id": "red-cruiser-1", "side": "red", "kind": "cruiser", "at": "home-red"},
        {"id": "red-ground-1", "side": "red", "kind": "ground-force", "at": "redland"},
        {"id": "blue-cruiser-1", "side": "blue", "kind": "cruiser", "at": "home-blue"},
        {"id": "blue-ground-1", "side": "blue", "kind": "ground-force", "at": "azure"},
    ],
}
