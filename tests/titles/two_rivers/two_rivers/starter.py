"""Provide a scenario template."""

from typing import Any

STARTER: dict[str, Any] = {
    "sides": [{"id": "hills", "name": "The hills"}, {"id": "delta", "name": "The delta"}],
    "turns": 5,
    "mills": {"north": "delta", "south": "hills"},
    "units": [
        {"id": "heron", "side": "hills", "kind": "raft", "at": "north/spring", "bales": 3},
        {"id": "pike", "side": "delta", "kind": "raft", "at": "south/bend", "bales": 2},
    ],
}
