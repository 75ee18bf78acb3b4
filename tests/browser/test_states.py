"""Check that the page has the same state as the ledger at every position of every recorded game."""

import hashlib
from pathlib import Path
from typing import Any

import msgspec
import pytest

import umpire_ledger as umpire
from tests.browser.conftest import Open, Pages
from tests.face.domain import Game, Unit
from tests.face.testing import FIXTURES

REDACTED = (
    *(("ford.whole", "referee"), ("ford.red", "red")),
    *(("duel.spectator", "spectator"), ("harbour.spectator", "spectator")),
)
GAMES = [
    *((str(file.relative_to(FIXTURES)), "referee") for file in sorted(FIXTURES.glob("*/replays/*.jsonl"))),
    *((f"formats/1-edge/{name}.jsonl", seat) for name, seat in REDACTED),
]
IN_THE_PAGE = (Path(__file__).parent / "state_of_page.js").read_text(encoding="utf-8")


def plain(game: Game, units: dict[str, tuple[Unit, Any]]) -> dict[str, Any]:
    """Return the expected state of the page, from the game as the seat knows it."""
    for name, unit in game.units.items():
        if name not in units or units[name][0] is not unit:
            units[name] = unit, _unit(unit)
    return {
        "turn": game.turn,
        "steps": [[one.step, one.name] for one in game.cursor.open],
        "ended": game.ended,
        "accounts": dict(game.accounts),
        "markers": {name: _marker(value) for name, value in game.markers.items()},
        "units": {name: units[name][1] for name in game.units},
    }


def _unit(unit: Unit) -> dict[str, Any]:
    attributes = {name: value for name, value in unit.attributes.items() if value is not None}
    return {"side": unit.side, "kind": unit.kind, "at": unit.at, "fate": unit.fate, "attributes": attributes}


def _marker(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) or "nothing" if isinstance(value, tuple) else str(value)


def canonical(value: Any) -> bytes:
    return msgspec.json.encode(value, order="sorted")


@pytest.mark.parametrize(("log", "seat"), GAMES, ids=lambda one: Path(str(one)).stem)
def test_state_of_the_page_is_right_at_every_position(log: str, seat: str, pages: Pages, opened: Open) -> None:
    page = opened(pages.of(log, seat))
    theirs = page.evaluate(f"({IN_THE_PAGE})()")
    with umpire.open(":memory:") as desk:
        game = desk.import_log(FIXTURES / log)
        assert len(theirs) == game.size
        units: dict[str, tuple[Unit, Any]] = {}
        for position in range(1, game.size + 1):
            ours = canonical(plain(game.seat(seat).known(position), units))
            if hashlib.sha256(ours).hexdigest() != theirs[position - 1]:
                pytest.fail(f"#{position}: {page.evaluate(f'({IN_THE_PAGE})({position})')} is not {ours.decode()}")


def test_state_is_the_same_from_both_directions(pages: Pages, opened: Open) -> None:
    """Step back and jump, because these start from a cached state instead of the previous one."""
    page = opened(pages.of("formats/1-edge/ford.whole.jsonl"))
    forward = page.evaluate(f"({IN_THE_PAGE})()")
    backward = page.evaluate(f"({IN_THE_PAGE})(0, true)")
    assert forward == backward
    assert len(forward) == 29
