"""Record fixture replays with all four dice modes, and check that refusals have four parts."""

from pathlib import Path

import msgspec
import pytest

from tests.face.desk import event_of, open_ledger
from tests.face.domain import DiceMode, DiceRolled
from umpire_ledger.ledger import replay_log
from umpire_ledger.testing import record as recording

FORD = "two-fords.toml"
SCENARIO = """
title = "freeform"
name = "Two fords"
about = "Made up for this test."
sides = [{ id = "red", name = "Red" }, { id = "blue", name = "Blue" }]
"""
ORDERS = """# Both sides roll, then red again.
{"as": "red", "order": "roll", "purpose": "the wind"}
{"as": "blue", "order": "roll", "purpose": "the current", "dice": "2d6"}
{"as": "red", "order": "roll", "purpose": "the bridge"}
"""
MODES: tuple[DiceMode, ...] = ("ledger", "shared", "witnessed")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder of fixtures of freeform with one scenario and one order file."""
    home = tmp_path / "fixtures"
    (home / "scenarios").mkdir(parents=True)
    (home / "orders").mkdir()
    (home / "scenarios" / FORD).write_text(SCENARIO)
    (home / "orders" / "rolls.jsonl").write_text(ORDERS)
    with_pips = ORDERS.replace('"the wind"', '"the wind", "pips": [4]').replace('"2d6"', '"2d6", "pips": [1, 2]')
    (home / "orders" / "pips.jsonl").write_text(with_pips.replace('"the bridge"', '"the bridge", "pips": [6]'))
    monkeypatch.setattr(recording, "folder_of", lambda _: home)
    return home


def pips_in(file: Path) -> list[tuple[int, ...]]:
    """Return the dice of a replay log, which must be valid."""
    with file.open("rb") as stream:
        assert replay_log.verify(stream).verdict == "VALID"
    with open_ledger(":memory:", create=True) as ledger, file.open("rb") as stream:
        records = ledger.records(replay_log.read_into(ledger, stream))
        return [event.pips for record in records if isinstance(event := event_of(record), DiceRolled)]


@pytest.mark.parametrize("dice", MODES)
def test_record_with_dice_of_the_ledger_rolls_the_same_twice(folder: Path, tmp_path: Path, dice: DiceMode) -> None:
    first = recording.record("freeform", FORD, "rolls.jsonl", tmp_path / "first", dice=dice)
    again = recording.record("freeform", FORD, "rolls.jsonl", tmp_path / "again", dice=dice)
    assert [len(pips) for pips in pips_in(first)] == [1, 2, 1]
    assert pips_in(first) == pips_in(again)
    assert first.with_suffix(".end.json").read_bytes() == again.with_suffix(".end.json").read_bytes()


def test_record_with_table_dice_takes_the_pips_of_the_file(folder: Path, tmp_path: Path) -> None:
    file = recording.record("freeform", FORD, "pips.jsonl", tmp_path, dice="table")
    assert pips_in(file) == [(4,), (1, 2), (6,)]


@pytest.mark.parametrize("dice", MODES)
def test_record_pips_with_ledger_dice_names_line_and_remedy(
    folder: Path, tmp_path: Path, dice: DiceMode, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        recording.main(["freeform", FORD, "pips.jsonl", "--output", str(tmp_path / "out"), "--dice", dice])
    said = capsys.readouterr().err
    assert left.value.code == 3
    assert "pips.jsonl, line 2" in said
    assert "rule: dice" in said
    assert "--dice table" in said
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        pytest.param(["freeform", FORD, "rolls.jsonl", "--dice", "table"], 3, id="no pips for dice of the table"),
        pytest.param(["freeform", "none.toml", "rolls.jsonl"], 2, id="no such scenario"),
        pytest.param(["freeform", FORD, "none.jsonl"], 2, id="no such order file"),
        pytest.param(["no-such-title", FORD, "rolls.jsonl"], 6, id="no such title"),
    ],
)
def test_record_that_is_refused_exits_with_its_code(
    folder: Path, words: list[str], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        recording.main(words)
    assert left.value.code == code
    assert capsys.readouterr().err.startswith("Error: ")


def test_record_game_that_is_over_states_its_winner(folder: Path, tmp_path: Path) -> None:
    (folder / "orders" / "over.jsonl").write_text(
        '{"as": "referee", "order": "end", "reason": "dusk", "winner": "red"}'
    )
    file = recording.record("freeform", FORD, "over.jsonl", tmp_path)
    stated = msgspec.json.decode(file.with_suffix(".end.json").read_bytes())
    assert (stated["ended"], stated["winner"]) == ("dusk", "red")
