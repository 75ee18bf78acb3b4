"""Test that a record which this edition cannot read spoils neither its game nor its ledger."""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import umpire_ledger as umpire
from tests.cli.terminal import Terminal
from tests.desk.game import FORD
from tests.face.desk import open_ledger
from tests.face.ledger import Draft

LATER = b'{"type":"weather.changed","wind":"north"}'
TOO_LARGE = (
    b'{"type":"dice.rolled","roll":1,"purpose":"x","dice":"1d6","pips":[1],"total":18014398509481983,"source":"table"}'
)


def ruined(folder: Path, event: bytes) -> Path:
    """Return a ledger with two games, one with a record that another edition has written."""
    file = folder / "umpire.db"
    with umpire.open(file) as desk:
        desk.new_from_text("freeform", FORD, id="good")
        desk.new_from_text("freeform", FORD, id="bad", dice="table").seat("red").order("note", text="before")
    with open_ledger(file) as ledger:
        ledger.append("bad", after=ledger.size("bad"), seat="red", command="later", drafts=[Draft(event=event)])
    return file


@pytest.fixture(params=[LATER, TOO_LARGE], ids=["a later vocabulary", "a number too large"])
def desk(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[umpire.Desk]:
    with umpire.open(ruined(tmp_path, request.param)) as desk:
        yield desk


class TestReadBack:
    """New records are read back before they are stored, exactly as a reader will read them."""

    def test_total_beyond_reader_limits_is_refused(self, tmp_path: Path) -> None:
        with umpire.open(tmp_path / "umpire.db") as desk:
            ford = desk.new_from_text("freeform", FORD, id="ford", dice="table")
            size = ford.size
            huge = [{"amount": 2**53 - 1, "source": one} for one in ("a", "b")]
            with pytest.raises(umpire.Refused) as refusal:
                ford.seat("red").order("roll", purpose="x", dice="1d6", modifiers=huge, pips=[3])
            assert refusal.value.rule
            assert refusal.value.remedy
            assert ford.size == size
            assert desk.games()[0].trouble == ""

    def test_option_or_account_out_of_range_opens_no_game(self, tmp_path: Path) -> None:
        with umpire.open(tmp_path / "umpire.db") as desk:
            with pytest.raises(umpire.Refused, match=r"game\.opened"):
                desk.new_from_text("freeform", FORD, id="a", options={"k": 9999999999999999999})
            with pytest.raises(umpire.ScenarioError):
                desk.new_from_text("freeform", FORD + "\n[accounts]\nep = 9223372036854775808\n", id="b")
        assert not (tmp_path / "umpire.db").exists()


class TestUnreadableRecord:
    def test_every_game_is_listed_and_the_bad_one_with_what_is_wrong(self, desk: umpire.Desk) -> None:
        good, bad = desk.games()
        assert (good.game, good.trouble) == ("good", "")
        assert bad.trouble.startswith("this version of Umpire cannot read #5")

    def test_views_of_unreadable_record_name_it(self, desk: umpire.Desk) -> None:
        bad = desk.game("bad")
        view = bad.seat("red").status
        assert "this version of Umpire cannot read #5" in view.note
        assert "cannot read" in bad.seat("red").audit(last=1)[0].text
        assert [unit.id for unit in bad.seat("red").units()] == ["b1", "r1"]
        assert bad.at(4).known.unreadable == ""

    def test_unreadable_record_refuses_moves_and_allows_notes(self, desk: umpire.Desk) -> None:
        red = desk.game("bad").seat("red")
        with pytest.raises(umpire.Refused, match="this version of Umpire cannot read") as refusal:
            red.order("move", unit="r1", path=["0201"])
        assert (refusal.value.rule, "rewind" in refusal.value.remedy) == ("unreadable records", True)
        red.order("note", text="what is this?")

    def test_rewind_before_unreadable_record_continues_play(self, desk: umpire.Desk) -> None:
        bad = desk.game("bad")
        bad.referee.rewind(4, why="a record that we cannot read")
        bad.seat("red").order("move", unit="r1", path=["0201"])
        assert bad.seat("red").status.note == ""
        assert desk.games()[1].trouble == ""

    def test_unreadable_record_is_exported_verified_and_imported(self, desk: umpire.Desk, tmp_path: Path) -> None:
        bad = desk.game("bad")
        assert bad.verify().valid
        out = io.BytesIO()
        bad.export(out, seat="referee")
        (tmp_path / "bad.jsonl").write_bytes(out.getvalue())
        assert umpire.verify(tmp_path / "bad.jsonl").valid
        with umpire.open(tmp_path / "other.db") as other:
            taken = other.import_log(tmp_path / "bad.jsonl")
            assert taken.unreadable
            again = io.BytesIO()
            taken.export(again, seat="referee")
        assert again.getvalue() == out.getvalue()

    def test_read_models_with_unreadable_record_are_rebuilt(self, desk: umpire.Desk) -> None:
        assert set(desk.rebuild()) == {"good", "bad"}


@pytest.mark.parametrize("event", [LATER, TOO_LARGE], ids=["later", "large"])
def test_at_the_command_line_too(tmp_path: Path, event: bytes) -> None:
    ruined(tmp_path, event)
    terminal = Terminal(tmp_path)
    assert {one["game"] for one in terminal.ok("games", "--json").json} == {"good", "bad"}
    assert "this version of Umpire cannot read" in terminal.ok("status", "bad").out
    for words in (["units", "bad"], ["audit", "bad"], ["undo-points", "bad"], ["dice", "bad"], ["lines", "bad"]):
        assert "Note: this version of Umpire cannot read #5" in terminal.ok(*words).err, words
    assert terminal.ok("rebuild").code == 0
    assert terminal.ok("verify", "bad").out.startswith("VALID")
    assert terminal.ok("export", "bad", "-o", "bad.jsonl").code == 0
    answer = terminal.type("order", "bad", json.dumps({"order": "move", "unit": "r1", "path": ["0201"]}), "--as", "red")
    assert answer.code == 3
    assert terminal.ok("status", "good").code == 0
