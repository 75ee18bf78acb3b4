"""The border war of Federation & Empire at the referee's desk, played to a moment of its first battle."""

import json
from pathlib import Path
from typing import Any

from tests.desk.game import DeskGame, fixture_game

FLAGSHIP = 188
"""Orders until the Alliance has sealed its flagship, and the Coalition has not (5-3D is open)."""
FORCES = 194
"""Orders until both battle forces are sealed: flagships and forces are still secret (5-3F1 is open)."""
DAMAGE = 252
"""Orders until the Coalition has stated its damage of round 1, and the Alliance has not (5-4C4 is open)."""


def border_war(path: Path | str, orders: int = DAMAGE) -> DeskGame:
    """The first so many orders of the fixture; the battle at 1105 begins with order 165."""
    return fixture_game(path, "federation-and-empire", "border-war.toml", "border-war.jsonl", orders)


def position_of(game: DeskGame, order: str, **words: Any) -> int:
    """The record that keeps the words of the newest order that counts and says this."""
    for record in game.ledger.branch_records("g"):
        said: dict[str, Any] = json.loads(bytes(record.cause)) if record.cause else {}
        if said.get("order") == order and all(said.get(name) == value for name, value in words.items()):
            return record.position
    raise AssertionError(f"nobody gave {order} {words}")
