"""Disputes, seals, questions and cases on Federation & Empire: the first turn of the border war, a battle at 1105."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.desk.referee.tables import Desk
from tests.naming import Naming

BATTLE = "5-3H"


@pytest.fixture
def roll(border: Desk) -> dict[str, Any]:
    """Return the first combat roll of the battle."""
    found: dict[str, Any] = border.ask("audit", "--dice", "--step", BATTLE)[0]
    return found


class TestBattleRoll:
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

    def test_case_is_made_again_by_a_second_judge(self, border: Desk, roll: dict[str, Any], tmp_path: Path) -> None:
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


class TestQueries:
    def test_every_one_of_its_labels_is_accounted_for(self, border: Desk) -> None:
        found = border.ask("conformance", "--turn", "1")
        assert [one["id"] for one in found["labels"]] == [
            one["id"] for one in border.ok("sequence", "federation-and-empire", "--json").json
        ]
        assert found["counts"]["done"] > 150
        assert all(one["why"] for one in found["labels"] if one["state"] == "not applicable")

    def test_treasury_has_balance_and_turns(self, border: Desk) -> None:
        accounts = border.ask("status")["accounts"]
        found = border.ask("account", "klingon/EP")
        assert found["balance"] == accounts["klingon/EP"]
        assert [one["turn"] for one in found["turns"]] == [0, 1]

    def test_sealed_choices_of_coalition_are_hidden_from_alliance(self, border: Desk) -> None:
        last = str(border.size("g"))
        theirs = [one for one in border.ask("knew", "coalition", last)["secrets"] if one["seat"] == "coalition"]
        assert theirs
        alliance = border.ask("knew", "alliance", last)
        assert not {one["position"] for one in theirs} & {one["position"] for one in alliance["secrets"]}
        assert {one["position"] for one in theirs} <= set(alliance["hidden"])

    def test_edits_of_the_referee_are_counted_by_side(self, border: Desk) -> None:
        unit = next(one["id"] for one in border.ask("units", "--side", "alliance"))
        order = f'{{"order": "change", "unit": "{unit}", "attribute": "note", "to": "repaired"}}'
        border.ok("rule", "g", "it was repaired", "--grounds", "house", "--why", "forgotten", "--order", order)
        border.ok("peek", "g", "coalition", "--why", "whose decoy was it")
        counts = border.ask("referee")["counts"]
        assert (counts["alliance"]["edit"], counts["coalition"]["peek"]) == (1, 1)

    def test_sealed_history_verifies_and_cannot_be_undone(self, border: Desk) -> None:
        border.ok("seal", "g", "--as", "alliance", "-o", "kept")
        border.order("coalition", "done", step="1A2")
        border.ok("export", "g", "-o", "g.jsonl", "--as", "alliance")
        assert border.ok("verify", "g.jsonl", "--checkpoint", "kept").out.startswith("VALID")
        refusal = border.refused("undo", "g", "-n", "2")
        assert (refusal["refusal_code"], refusal["fields"]["stop"]) == ("reason-needed", Naming("alliance"))


class TestQuestions:
    def test_lost_ship_has_its_whole_life(self, border: Desk) -> None:
        found = border.ask("unit", "Z-DWE")
        assert [(one["event"], one["step"]) for one in found["life"]][:2] == [("unit.placed", ""), ("unit.moved", "4B")]
        lost = next(one for one in found["life"] if one["event"] == "unit.removed")
        assert (lost["step"], lost["seat"]) == ("5-5B", "coalition")
        assert lost["text"] == "Z-DWE is destroyed at 1105 (directed damage)"
        assert found["now"]["fate"] == "destroyed"
        assert "salvage" in found["life"][-1]["text"], "what is done with it afterwards is of its life too"

    def test_why_it_was_lost(self, border: Desk) -> None:
        lost = next(one for one in border.ask("unit", "Z-DWE")["life"] if one["event"] == "unit.removed")
        answer = border.ask("why", str(lost["position"]))
        assert (answer["order"]["order"], answer["order"]["unit"]) == ("direct", "Z-DWE")
        assert answer["record"]["rule"] == "5-5B (302.5)"
        assert ("unit", "Z-DWE") in [(one["kind"], one["id"]) for one in answer["built_on"]]

    def test_all_dice_and_whether_they_are_enough_to_complain(self, border: Desk) -> None:
        found = border.ask("dice")
        totals = {(one["of"], one["name"]): one for one in found["totals"]}
        die = totals["die", "d6"]["faces"]
        assert len(found["rolls"]) == totals["die", "d6"]["rolls"] == sum(die["counts"]) == 42
        assert (die["degrees"], die["warning"]) == (5, "")
        by_seat = [totals["seat", seat]["rolls"] for seat in ("alliance", "coalition")]
        assert sum(by_seat) == 42
        assert totals["purpose", "damage of Alliance"]["faces"]["counts"] == [0, 0, 4, 0, 0, 0]
        assert totals["purpose", "damage of Alliance"]["faces"]["warning"] == Naming(5)

    def test_battle_changes_are_in_the_diff(self, border: Desk, roll: dict[str, Any]) -> None:
        found = border.ask("diff", str(roll["position"] - 1), str(border.size("g")))
        changed = {(one["id"], one["what"]): (one["before"], one["after"]) for one in found}
        assert changed["Z-DWE", "fate"] == ("", "destroyed")
        assert changed["turn", ""] == (1, 2)

    def test_since_the_alliance_last_looked(self, border: Desk) -> None:
        border.ok("status", "g", "--as", "alliance", "--looked")
        border.ok("note", "g", "shall we stop here?", "--as", "coalition")
        border.order("coalition", "done", step="1A2")
        found = border.ask("since", "alliance")
        texts = [one["text"] for one in found["since"]]
        assert texts[0].startswith("Coalition ")
        assert texts[0].endswith(": shall we stop here?")
        assert len(texts) > 1
        assert border.ask("since", "orion")["looked"] == 0

    def test_alliance_knows_the_force_from_its_reveal_on(self, border: Desk) -> None:
        n = border.ask("audit", "--event", "choice.revealed", "--text", "K-D6S")[0]["position"]
        sealed = border.ask("knew", "coalition", str(n))["secrets"]
        force = next(one["position"] for one in sealed if one["text"].endswith("for force"))
        before, now = (border.ask("knew", "alliance", str(at), "--as", "alliance") for at in (n - 1, n))
        assert force in before["hidden"]
        assert "K-D6S" not in json.dumps(before["view"]["choices"])
        assert "K-D6S" in json.dumps(now["view"]["choices"])


class TestSealAndUndo:
    def test_sealed_order_is_undone_by_referee_with_a_reason(self, border: Desk) -> None:
        border.order("coalition", "done", step="1A2")
        border.ok("seal", "g", "--as", "alliance")
        assert "why" in border.refused("undo", "g")["remedy"]
        border.ok("undo", "g", "--why", "the check of supply was forgotten")
        act = border.ask("referee")["acts"][-1]
        assert (act["kind"], act["reason"]) == ("correction", "the check of supply was forgotten")

    def test_sealed_order_is_undone_by_consent_of_other_sides(self, border: Desk) -> None:
        where = border.ask("status")["where"]
        to = str(border.size("g"))
        border.order("coalition", "done", step="1A2")
        border.ok("seal", "g", "--as", "alliance")
        border.ok("ask-rewind", "g", "--to", to, "--why", "supply was forgotten", "--as", "coalition")
        border.ok("consent", "g", "--as", "alliance")
        border.ok("consent", "g", "--as", "orion")
        assert border.ask("status")["where"] == where
        assert border.ask("referee")["acts"] == []

    def test_ledger_older_than_the_seal_is_incomplete(self, border: Desk) -> None:
        before = border.folder / "before.db"
        shutil.copy(border.folder / "umpire.db", before)
        border.ok("seal", "g", "--as", "alliance", "-o", "kept")
        answer = border.type("verify", "g", "--checkpoint", "kept", "--ledger", str(before))
        assert answer.code == 5
        assert answer.out.startswith("INCOMPLETE")
