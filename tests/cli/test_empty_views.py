"""A file of read models with nothing in it: one is taken for none, and none is left behind."""

from pathlib import Path

import pytest

from tests.cli.terminal import Terminal
from tests.face.projections import connect, is_views

VIEWS = "umpire.views.db"
LOOKS = [
    ("unit", "ford", "r1"),
    ("audit", "ford"),
    ("units", "ford"),
    ("games",),
    ("undo-points", "ford"),
    ("rebuild",),
]


def emptied(terminal: Terminal) -> Path:
    """As a full disk, or somebody who was in a hurry, leaves it."""
    for file in terminal.folder.glob(f"{VIEWS}*"):
        file.unlink()
    views = terminal.folder / VIEWS
    views.touch()
    return views


@pytest.mark.parametrize("words", LOOKS, ids=[words[0] for words in LOOKS])
def test_an_empty_file_is_taken_for_none(ford: Terminal, words: tuple[str, ...]) -> None:
    ford.give("red", "move", unit="r1", path=["0103"])
    ford.ok(*words)  # now everybody has looked
    whole = ford.ok(*words)
    views = emptied(ford)
    assert ford.ok(*words) == whole
    assert views.stat().st_size in (0, (ford.folder / VIEWS).stat().st_size)
    assert ford.give("red", "move", unit="r1", path=["0104"]).err == ""
    assert is_views(connect(views))


def test_an_order_into_an_empty_file_is_recorded_without_a_word_of_it(ford: Terminal) -> None:
    views = emptied(ford)
    answer = ford.give("red", "move", unit="r1", path=["0103"])
    assert (answer.code, answer.err) == (0, "")
    assert is_views(connect(views))
    assert ford.ok("units", "ford", "--json").json[1]["at"] == "0103"


def test_only_where_each_seat_last_looked_is_lost_with_it(ford: Terminal) -> None:
    ford.ok("status", "ford")
    before = ford.ok("status", "ford", "--json").json
    emptied(ford)
    after = ford.ok("status", "ford", "--json").json
    assert [one["position"] for one in before.pop("since")] == []
    assert [one["position"] for one in after.pop("since")] == [1]
    assert before == after


REFUSED = {
    "a ledger that is not there": ("status", "ford"),
    "games of no ledger": ("games",),
    "a scenario that is not there": ("new", "freeform", "--id", "ford", "--scenario", "none.toml"),
    "a title that is not there": ("new", "chess", "--id", "ford", "--scenario", "scenario.toml"),
    "an id that is none": ("new", "freeform", "--id", "a b", "--scenario", "scenario.toml"),
    "read models of nothing": ("rebuild",),
}


@pytest.mark.parametrize("words", REFUSED.values(), ids=REFUSED.keys())
def test_what_is_refused_leaves_no_file_behind(terminal: Terminal, words: tuple[str, ...]) -> None:
    answer = terminal.type(*words)
    assert answer.code != 0 or words == ("games",), answer
    assert [file.name for file in terminal.folder.iterdir()] == ["scenario.toml"]
