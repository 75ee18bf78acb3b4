"""5 to 7, 9 and 10 on Federation & Empire: the first turn of the small border war, with a battle at 1105."""

from pathlib import Path
from typing import Any

import pytest

from tests.desk.referee.tables import Desk

BATTLE = "5-3H"


@pytest.fixture
def roll(border: Desk) -> dict[str, Any]:
    """The first roll for combat of the battle."""
    found: dict[str, Any] = border.ask("audit", "--dice", "--step", BATTLE)[0]
    return found


class TestTheBattleRoll:
    def test_why_it_was_rolled(self, border: Desk, roll: dict[str, Any]) -> None:
        answer = border.ask("why", str(roll["position"]))
        assert (answer["step"], answer["turn"], answer["seat"]) == (BATTLE, 1, roll["seat"])
        assert answer["record"]["rule"].startswith(BATTLE)
        assert answer["order"]["pips"]

    def test_contested_played_on_ruled_and_found_again(self, border: Desk, roll: dict[str, Any]) -> None:
        n = str(roll["position"])
        border.ok(
            "dispute", "open", "g", n, "--claim", "a drone frigate was missing", "--rule", "310.0", "--as", "alliance"
        )
        depends = border.ask("dispute show", "d1")["depends"]
        assert depends
        assert all(min(one["positions"]) > int(n) and one["why"] for one in depends)
        border.order("coalition", "done", step="1A2")
        words = ("the roll stands", "--rule", "310.0", "--grounds", "printed", "--why", "it was not in the force")
        border.ok("rule", "g", *words, "--dispute", "d1")
        assert [one["reason"] for one in border.ok("rulings", "--rule", "310.0", "--json").json][-1] == words[-1]
        assert border.ask("dispute list", "--open") == []

    def test_its_case_is_made_again_by_a_second_judge(self, border: Desk, roll: dict[str, Any], tmp_path: Path) -> None:
        n = str(roll["position"])
        border.ok("dispute", "open", "g", n, "--claim", "a drone frigate was missing", "--as", "alliance")
        border.ok("case", "g", "d1", "-o", "case", "--as", "alliance")
        case, folder = border.folder / "case", tmp_path / "judge"
        folder.mkdir()
        judge = Desk(folder)
        judge.ok("import", str(case / "replay.jsonl"))
        judge.ok("case", "g", "d1", "-o", "again", "--as", "alliance")
        for file in case.iterdir():
            assert (folder / "again" / file.name).read_bytes() == file.read_bytes(), file.name


class TestTheTable:
    def test_every_one_of_its_labels_is_accounted_for(self, border: Desk) -> None:
        found = border.ask("conformance", "--turn", "1")
        assert [one["id"] for one in found["labels"]] == [
            one["id"] for one in border.ok("sequence", "federation-and-empire", "--json").json
        ]
        assert found["counts"]["done"] > 150
        assert all(one["why"] for one in found["labels"] if one["state"] == "not applicable")

    def test_a_treasury_s_statement(self, border: Desk) -> None:
        accounts = border.ask("status")["accounts"]
        found = border.ask("account", "klingon/EP")
        assert found["balance"] == accounts["klingon/EP"]
        assert [one["turn"] for one in found["turns"]] == [0, 1]

    def test_what_the_alliance_knew_of_the_coalition_s_sealed_choices(self, border: Desk) -> None:
        last = str(border.size("g"))
        theirs = [one for one in border.ask("knew", "coalition", last)["secrets"] if one["seat"] == "coalition"]
        assert theirs
        alliance = border.ask("knew", "alliance", last)
        assert not {one["position"] for one in theirs} & {one["position"] for one in alliance["secrets"]}
        assert {one["position"] for one in theirs} <= set(alliance["hidden"])

    def test_the_referee_s_edits_are_counted_by_side(self, border: Desk) -> None:
        unit = next(one["id"] for one in border.ask("units", "--side", "alliance"))
        order = f'{{"order": "change", "unit": "{unit}", "attribute": "note", "to": "repaired"}}'
        border.ok("rule", "g", "it was repaired", "--grounds", "house", "--why", "forgotten", "--order", order)
        border.ok("peek", "g", "coalition", "--why", "whose decoy was it")
        counts = border.ask("referee")["counts"]
        assert (counts["alliance"]["edit"], counts["coalition"]["peek"]) == (1, 1)

    def test_sealed_it_is_the_same_history_for_ever(self, border: Desk) -> None:
        border.ok("seal", "g", "--as", "alliance", "-o", "kept")
        border.order("coalition", "done", step="1A2")
        border.ok("export", "g", "-o", "g.jsonl", "--as", "alliance")
        assert border.ok("verify", "g.jsonl", "--checkpoint", "kept").out.startswith("VALID")
        assert "sealed" in border.refused("undo", "g", "-n", "2")["what"]
