"""The index of order ids is damaged and the records are whole: an answer says so, and none is a traceback."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import umpire_ledger as umpire
from tests.desk.game import FORD

Ask = Callable[[umpire.PlayedGame], object]
ASKS: dict[str, Ask] = {
    "preview": lambda game: game.referee.preview("rewind", to=4),
    "rewind": lambda game: game.referee.rewind(4, why="too early"),
    "fork": lambda game: game.fork("copy", at=4),
    "opening": lambda game: game.opening,
    "page": lambda game: game.referee.page(Path(game.desk.where).with_name("page.html"), first=4, last=4),
    "rulings": lambda game: game.referee.rulings(),
}


def damaged(folder: Path, change: str) -> umpire.Desk:
    """Return a desk on a ledger in which the column of order ids was changed."""
    where = folder / "umpire.db"
    with umpire.open(where) as desk:
        ford = desk.new_from_text("freeform", FORD, id="ford", dice="table")
        ford.seat("red").note("one", id="n")
        ford.seat("red").dispute([4], "too far")
        ford.referee.rule("it stands", why="it does", grounds="house rule", dispute="d1")
    with closing(sqlite3.connect(where, isolation_level=None)) as ledger:
        ledger.execute("DROP TRIGGER record_stays")
        ledger.execute(change)
    return umpire.open(where)


class TestDamagedIndex:
    @pytest.mark.parametrize("ask", ASKS, ids=str)
    @pytest.mark.parametrize("other", ["NULL", "'x' || command"])
    def test_lost_id_is_reported(self, tmp_path: Path, ask: str, other: str) -> None:
        change = f"UPDATE record SET command = {other} WHERE command IS NOT NULL"
        with damaged(tmp_path, change) as desk, pytest.raises(umpire.BrokenLedger) as broken:
            ASKS[ask](desk.game("ford"))
        assert broken.value.position in (1, 4, 6), "the first record of an order"

    def test_id_at_another_record_is_reported(self, tmp_path: Path) -> None:
        """Otherwise the order would be recorded a second time."""
        with (
            damaged(tmp_path, "UPDATE record SET command = iif(position = 5, 'n', NULL) WHERE position > 3") as desk,
            pytest.raises(umpire.BrokenLedger) as broken,
        ):
            desk.game("ford").seat("red").note("one", id="n")
        assert broken.value.position == 5
