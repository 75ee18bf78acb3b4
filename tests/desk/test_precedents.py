"""Rulings across games: read models have their positions, and games without current read models are read."""

from collections.abc import Callable
from pathlib import Path

import pytest

import umpire_ledger as umpire
from tests.face.testing import FIXTURES

FORD = FIXTURES / "freeform/scenarios/ford.toml"
Doing = Callable[[umpire.Desk, Path], object]


def _behind(desk: umpire.Desk, _: Path) -> None:
    """Add a record to one game after its read models were updated."""
    desk.game("ford").referee.note("the light fails")


def _unknown(desk: umpire.Desk, views: Path) -> None:
    desk.read_models.close()
    for file in views.parent.glob(f"{views.name}*"):
        file.unlink()


def _noise(desk: umpire.Desk, views: Path) -> None:
    desk.read_models.close()
    if views.exists():
        views.write_bytes(b"noise" * 4000)


STATES: dict[str, Doing] = {
    "up to date": lambda desk, views: [desk.game(one.game).catch_up() for one in desk.games()],
    "one game behind": _behind,
    "none": _unknown,
    "hurt": _noise,
}


@pytest.mark.parametrize("state", STATES)
def test_rulings_are_found_for_any_state_of_the_read_models(place: str, tmp_path: Path, state: str) -> None:
    with umpire.open(place) as desk:
        for number, name in enumerate(("ford", "bridge", "hill")):
            game = desk.new("freeform", FORD, id=name, dice="table")
            if number < 2:
                game.referee.rule(f"the move of {name} stands", why="it was seen", grounds="house rule", rule="4.2")
        game = desk.game("bridge")
        game.referee.rule("no bridge", why="none is drawn", grounds="house rule", rule="7.1")
        for one in desk.games():
            desk.game(one.game).catch_up()
        STATES[state](desk, tmp_path / "umpire.views.db")
        found = [(one.game, one.rule, one.ruling) for one in desk.rulings()]
        assert found == [
            ("ford", "4.2", "the move of ford stands"),
            ("bridge", "4.2", "the move of bridge stands"),
            ("bridge", "7.1", "no bridge"),
        ]
        assert [one.game for one in desk.precedents("4.2")] == ["ford", "bridge"]
        assert [one.ruling for one in desk.game("bridge").referee.rulings(rule="7.1")] == ["no bridge"]
