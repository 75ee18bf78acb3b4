"""The checks of ledger dice in `umpire verify` and `umpire dice`, in addition to their results."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.attacks.damaged_logs import RAW, read, written_anew
from tests.cli.terminal import Terminal
from tests.face.desk import FORESEEN
from tests.face.testing import FIXTURES
from tests.naming import Naming

FORD = FIXTURES / "freeform" / "scenarios" / "ford.toml"
CRT = """
[tables.crt]
dice = "2d6"
rows."6 or less" = "miss"
rows."7..12" = "hit"
"""
RestrictedEvent = dict[str, Any]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Return a log with rolls on a table, whose dice are revealed."""
    with umpire.open(tmp_path / "club.ledger") as desk:
        text = FORD.read_text(encoding="utf-8") + CRT
        game = desk.new_from_text("freeform", text, id="ford", dice="ledger")
        for _ in range(3):
            game.seat("red").order("roll", dice="2d6", purpose="to hit", table="crt")
        game.referee.order("end", reason="night falls")
        game.referee.order("open-dice")
        game.referee.export(tmp_path / "log.jsonl")
    return tmp_path / "log.jsonl"


def forged(log: Path, change: Callable[[RestrictedEvent], object]) -> umpire.Checked:
    """Verify the log with its first roll changed, and every later hash correct."""
    name, records = read(log.read_bytes())
    at, told = next(
        (n, json.loads(bytes(one.event))) for n, one in enumerate(records) if b"dice.rolled" in bytes(one.event)
    )
    change(told)
    records[at] = replace(records[at], event=RAW(json.dumps(told, separators=(",", ":")).encode()))
    log.write_bytes(written_anew(name, records))
    return umpire.verify(log)


def first_roll(log: Path) -> int:
    """Return the position of the first roll of a log."""
    _, records = read(log.read_bytes())
    return next(at for at, one in enumerate(records, 1) if b"dice.rolled" in bytes(one.event))


OTHER: dict[str, str] = {"miss": "hit", "hit": "miss"}


class TestFindings:
    def test_honest_log_has_no_findings(self, log: Path) -> None:
        checked = umpire.verify(log)
        assert (checked.verdict.verdict, checked.dice, checked.findings) == ("VALID", 3, ())

    def test_another_outcome_than_the_table_has(self, log: Path) -> None:
        checked = forged(log, lambda told: told.update(outcome=OTHER[told["outcome"]]))
        [found] = checked.findings
        told = json.loads(bytes(read(log.read_bytes())[1][found.position - 1].event))
        assert found.what == Naming(told["row"], "crt", OTHER[told["outcome"]], told["outcome"])

    def test_another_row_than_that_of_the_total(self, log: Path) -> None:
        rows = {"hit": "6 or less", "miss": "7..12"}
        checked = forged(log, lambda told: told.update(row=rows[told["outcome"]], outcome=OTHER[told["outcome"]]))
        [found] = checked.findings
        assert " is in row " in found.what

    def test_row_missing_from_the_table_is_reported(self, log: Path) -> None:
        [found] = forged(log, lambda told: told.update(row="13")).findings
        assert found.what == Naming("crt", 13)

    def test_table_roll_in_a_game_of_ledger_dice_is_invalid(self, log: Path) -> None:
        checked = forged(log, lambda told: told.update(source="table"))
        assert (checked.valid, checked.dice, checked.verdict.first_bad) == (False, 0, first_roll(log))

    @pytest.mark.parametrize(
        "change", [{"total": 13}, {"roll": 2}, {"thrown": 1}, {"kept": 2}, {"pips": [6, 6, 6]}], ids=str
    )
    def test_roll_different_from_the_seed_is_invalid(self, log: Path, change: RestrictedEvent) -> None:
        assert forged(log, lambda told: told.update(change)).verdict.verdict == "INVALID"

    @pytest.mark.parametrize(
        ("part", "value"),
        [
            *(("roll", wrong) for wrong in (None, "1", -1, 1.5)),
            *(("dice", wrong) for wrong in (None, 7, "", "2d1", "dice")),
            *(("pips", wrong) for wrong in (None, "3, 4", [3, "4"], 7)),
            *(("thrown", wrong) for wrong in ("1", [1])),
            ("purpose", None),
        ],
    )
    def test_malformed_roll_is_invalid(self, log: Path, part: str, value: object) -> None:
        checked = forged(log, lambda told: told.update({part: value}))
        assert (checked.verdict.verdict, checked.verdict.first_bad) == ("INVALID", first_roll(log))

    def test_roll_from_a_revealed_seed_is_reported(self, log: Path) -> None:
        # The roll is recorded after the reveal of its seed, with correct results.
        name, records = read(log.read_bytes())
        rolled = next(at for at, one in enumerate(records) if b'"roll":3,' in bytes(one.event))
        last = records[-1]
        told = [*records[:rolled], *records[rolled + 1 :]]
        moved = [*told, replace(records[rolled], command="late", at=last.at, visible_to=None)]
        log.write_bytes(written_anew(name, [replace(one, position=at) for at, one in enumerate(moved, 1)]))
        checked = umpire.verify(log)
        assert (checked.valid, [one.what for one in checked.findings]) == (True, [FORESEEN])
        assert checked.findings[0].position == len(moved)


class TestDice:
    def test_dice_command_lists_the_seeds(self, tmp_path: Path) -> None:
        terminal = Terminal(tmp_path)
        terminal.new("ford", "--dice", "ledger")
        for purpose in at_least_one(("one", "two")):
            terminal.give("red", "roll", purpose=purpose, dice="2d6")
        terminal.give("referee", "open-dice")
        terminal.give("red", "roll", purpose="three", dice="2d6")
        first, second = terminal.ok("dice", "ford", "--json").json["seeds"]
        assert (first["rolls"], first["scheme"], second["rolls"]) == ([1, 2], 2, [3])
        assert (first["opened"] > first["position"], second["opened"]) == (True, 0)
        assert "1 to 2" in terminal.ok("dice", "ford").out

    def test_openings_of_the_scenario_without_play_are_counted(self, tmp_path: Path) -> None:
        terminal = Terminal(tmp_path)
        for number in range(4):
            terminal.new(f"g{number}", "--dice", "ledger")
        terminal.give_in("g1", "red", "roll", purpose="one", dice="2d6") if hasattr(
            terminal, "give_in"
        ) else terminal.ok("order", "g1", "roll", "one", "--as", "red")
        terminal.ok("note", "g2", "who is in?")
        terminal.new("table", "--dice", "table")
        terminal.new("last", "--dice", "ledger")
        found = terminal.ok("dice", "last", "--json").json
        assert (found["openings_before"], found["unplayed"]) == (3, ["g0", "g2", "g3"])
        assert terminal.ok("dice", "last").out == Naming(3, "g0", "g2", "g3")
        red = terminal.ok("dice", "last", "--json", "--as", "red").json
        assert (red["openings_before"], red["unplayed"]) == (3, []), "the ids of other games are the referee's"
        assert terminal.ok("dice", "g0", "--json").json["openings_before"] == 0
        assert terminal.ok("dice", "table", "--json").json["openings_before"] == 0
