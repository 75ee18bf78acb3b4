"""The border war of Federation & Empire at the referee's desk, played to a moment of its first battle."""

import json
from pathlib import Path
from typing import Any

from tests.desk.game import DeskGame, fixture_game
from tests.face.testing import FIXTURES

FLAGSHIP = "the Alliance has sealed its flagship, and the Coalition has not (5-3D is open)"
FORCES = "both battle forces are sealed: flagships and forces are still secret (5-3F1 is open)"
DAMAGE = "the Coalition has stated its damage of round 1, and the Alliance has not (5-4C4 is open)"
"""Moments of the first battle, at 1105."""

LAST_ORDERS = {
    FLAGSHIP: [{"order": "seal-flagship", "as": "alliance"}],
    FORCES: [{"order": "seal-force", "as": "alliance"}, {"order": "seal-force", "as": "coalition"}],
    DAMAGE: [{"order": "score", "as": "coalition"}],
}
"""The orders that precede a moment, in any order; then the sides end the step."""


def border_war(path: Path | str, moment: str = DAMAGE) -> DeskGame:
    """Play the fixture's first orders, up to a moment."""
    text = (FIXTURES / "federation-and-empire" / "orders" / "border-war.jsonl").read_text(encoding="utf-8")
    orders = [json.loads(line) for line in text.splitlines() if line]
    upto = max(_first(orders, words) for words in LAST_ORDERS[moment])
    while orders[upto]["order"] == "done":
        upto += 1
    return fixture_game(path, "federation-and-empire", "border-war.toml", "border-war.jsonl", upto)


def _first(orders: list[dict[str, Any]], words: dict[str, str]) -> int:
    """Return the number of orders up to and including the first with these words."""
    return next(at for at, order in enumerate(orders, 1) if words.items() <= order.items())


def position_of(game: DeskGame, order: str, **words: Any) -> int:
    """Return the record with the words of the newest current order with this name and these words."""
    for record in game.ledger.branch_records("g"):
        said: dict[str, Any] = json.loads(bytes(record.cause)) if record.cause else {}
        if said.get("order") == order and all(said.get(name) == value for name, value in words.items()):
            return record.position
    raise AssertionError(f"nobody gave {order} {words}")
