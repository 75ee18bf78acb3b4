"""Read models are updated with an open connection: the file may be deleted, rebuilt or locked meanwhile."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import umpire_ledger as umpire
from tests.face.projections import schema
from tests.face.testing import FIXTURES

FORD = FIXTURES / "freeform/scenarios/ford.toml"


@pytest.fixture
def ford(tmp_path: Path) -> Iterator[umpire.PlayedGame]:
    with umpire.open(tmp_path / "umpire.db") as desk:
        game = desk.new("freeform", FORD, id="ford", dice="table")
        game.catch_up()
        yield game


def note(game: umpire.PlayedGame, text: str) -> None:
    game.referee.order("note", text=text)
    assert game.catch_up() == ""


def followed(game: umpire.PlayedGame) -> int:
    with closing(sqlite3.connect(Path(game.desk.where).with_name("umpire.views.db"))) as views:
        return int(views.execute("SELECT position FROM game").fetchone()[0])


def test_read_models_are_opened_once_for_several_orders(
    ford: umpire.PlayedGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opening and closing it costs more than the update."""
    opened: list[str] = []
    monkeypatch.setattr(schema, "connect", lambda path, **_: opened.append(path))
    for number in range(3):
        note(ford, f"note {number}")
    assert opened == []
    assert followed(ford) == ford.size


def test_deleted_read_models_are_rebuilt(ford: umpire.PlayedGame) -> None:
    views = Path(ford.desk.where).with_name("umpire.views.db")
    for file in views.parent.glob(f"{views.name}*"):
        file.unlink()
    note(ford, "after")
    assert followed(ford) == ford.size


def test_read_models_rebuilt_by_another_program_are_updated(ford: umpire.PlayedGame) -> None:
    views = Path(ford.desk.where).with_name("umpire.views.db")
    with closing(sqlite3.connect(views, isolation_level=None)) as other:
        other.execute("PRAGMA user_version = 1")
    with umpire.open(ford.desk.where) as later:
        later.game("ford").catch_up()
    note(ford, "after")
    assert followed(ford) == ford.size
    assert ford.referee.audit()[-1].text == "note: after"


def test_locked_read_models_report_it_and_are_updated_later(ford: umpire.PlayedGame) -> None:
    views = Path(ford.desk.where).with_name("umpire.views.db")
    ford.referee.order("note", text="while it is locked")
    with closing(sqlite3.connect(views, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "try again later" in ford.catch_up()
    note(ford, "after")
    assert followed(ford) == ford.size


def test_first_act_of_a_program_can_be_a_read_mark(tmp_path: Path) -> None:
    """Store the first mark of a ledger without read models, which has no file for it yet."""
    with umpire.open(tmp_path / "umpire.db") as desk:
        desk.new("freeform", FORD, id="ford", dice="table")
    assert not (tmp_path / "umpire.views.db").exists()
    with umpire.open(tmp_path / "umpire.db") as desk:
        referee = desk.game("ford").referee
        referee.note_look()
        assert referee.looked == desk.game("ford").size
