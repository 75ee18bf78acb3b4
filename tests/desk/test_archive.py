"""The default place of an archived game's log: next to the ledger's file, or named for its database."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.games import SCENARIO
from tests.face.desk import (
    Desk,
    WrongUse,
    need_title,
    new_game,
    open_ledger,
)
from tests.face.ledger import database_in


def test_archive_of_a_database_is_in_the_current_folder(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with open_ledger(database, create=True) as ledger:
        new_game(ledger, need_title("freeform"), SCENARIO, game_id="a/b")
    with Desk(database) as desk:
        first = desk.game("a/b").archive()
        desk.game("a/b").unarchive()
        desk.game("a/b").seat("red").note("played on")
        second = desk.game("a/b").archive()
        assert [one.id for one in desk.games()] == []
    folder = tmp_path / f"{database_in(database)}.archive"
    assert sorted(file.name for file in folder.iterdir()) == [f"a%2Fb-{second.size}.jsonl", "a%2Fb.jsonl"]
    assert (second.size, Path(first.file).name) == (first.size + 1, "a%2Fb.jsonl")


def test_ledger_in_memory_has_no_archive_folder() -> None:
    with Desk(":memory:") as desk:
        new_game(desk.ledger, need_title("freeform"), SCENARIO, game_id="g")
        with pytest.raises(WrongUse) as refusal:
            desk.game("g").archive()
        assert (refusal.value.where, refusal.value.rule) == (":memory:", "archive")


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("postgresql://umpire@host/club", "club"),
        ("postgresql://u:secret@one,two:5433/club?target_session_attrs=read-write", "club"),
        ("postgresql:///old%20club?host=/tmp", "old club"),
        ("postgresql://host?dbname=other", "other"),
        ("postgresql://host", ""),
    ],
)
def test_database_name_is_read_from_its_url(url: str, name: str) -> None:
    assert database_in(url) == name
