"""Use a ledger that is older than its read models: copied without its write-ahead log, or restored from a backup."""

import shutil
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal
from tests.cli.test_commit_unknown import held_open

WARNING = "this machine has seen ford up to #5"


@pytest.fixture
def copy(ford: Terminal, tmp_path: Path) -> Terminal:
    """Copy an open ledger without its file `umpire.db-wal`."""
    with held_open(ford):
        for text in ("one", "two"):
            ford.ok("note", "ford", text, "--as", "red")
        ford.ok("status", "ford")
        folder = tmp_path / "copy"
        folder.mkdir()
        for name in ("umpire.db", "umpire.views.db"):
            shutil.copy(ford.folder / name, folder)
    return Terminal(folder)


class TestACopyWithoutItsNewestOrders:
    @pytest.mark.parametrize("words", [("doctor",), ("status", "ford"), ("verify", "ford"), ("audit", "ford")])
    def test_missing_records_are_reported_at_each_look(self, copy: Terminal, words: tuple[str, ...]) -> None:
        for _ in range(2):
            answer = copy.type(*words)
            assert WARNING in answer.out + answer.err

    def test_order_reports_them_also_after_growth(self, copy: Terminal) -> None:
        for text in ("three", "four", "five", "six"):
            assert WARNING in copy.ok("note", "ford", text, "--as", "red").err
        assert WARNING in copy.ok("status", "ford").err

    def test_rebuild_accepts_the_copy(self, copy: Terminal) -> None:
        assert WARNING in copy.ok("status", "ford").err
        copy.ok("rebuild", "ford")
        assert "Warning" not in copy.ok("status", "ford").err
        assert "this machine has seen" not in copy.type("doctor").out

    def test_backup_in_the_place_of_its_ledger_is_reported(self, ford: Terminal) -> None:
        ford.ok("backup", "older.db")
        ford.ok("note", "ford", "one", "--as", "red")
        ford.ok("status", "ford", "--as", "blue")
        for name in ("umpire.db-wal", "umpire.db-shm"):
            (ford.folder / name).unlink(missing_ok=True)
        shutil.copy(ford.folder / "older.db", ford.folder / "umpire.db")
        assert "this machine has seen ford up to #4" in ford.ok("units", "ford").err


class TestALedgerThatLacksNothing:
    def test_whole_copy_is_not_warned_of(self, ford: Terminal, tmp_path: Path) -> None:
        ford.ok("note", "ford", "one", "--as", "red")
        ford.ok("backup", "whole.db")
        assert ford.ok("status", "ford", "--ledger", "whole.db").err == ""

    def test_rewind_is_not_warned_of(self, ford: Terminal) -> None:
        ford.give("red", "pay", account="points/red", amount=1)
        ford.ok("status", "ford")
        assert ford.ok("rewind", "ford", "--to", "#3", "--why", "too early").err == ""
        assert ford.ok("status", "ford").err == ""

    def test_another_game_of_the_same_id_is_not_warned_of(self, ford: Terminal) -> None:
        ford.ok("note", "ford", "one", "--as", "red")
        ford.ok("status", "ford")
        (ford.folder / "umpire.db").unlink()
        ford.new()
        for look in ("status", "units"):
            assert ford.ok(look, "ford").err == ""
