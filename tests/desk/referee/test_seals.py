"""Seals: a seat accepts all records so far, and keeps a checkpoint of three lines."""

import shutil

from tests.desk.referee.tables import Desk
from tests.face.domain import (
    Change,
    LineSealed,
    PlayRewound,
    Rewind,
    Seal,
    Undo,
)
from tests.face.testing import Story
from tests.naming import Naming


class TestSealedRecords:
    def test_seat_cannot_undo_a_sealed_order(self, freeform: Story) -> None:
        freeform.play(Change(seat="red", unit="red-horse", attribute="strength", to=9), Seal(seat="blue"))
        freeform.when(Undo(seat="red")).then_refused("only-the-referee-undoes", rule="undo", stop=Naming("blue"))

    def test_owner_of_a_seal_cannot_undo_a_sealed_order(self, freeform: Story) -> None:
        freeform.play(Change(seat="red", unit="red-horse", attribute="strength", to=9), Seal(seat="red"))
        freeform.when(Undo(seat="red")).then_refused("only-the-referee-undoes", rule="undo", stop=Naming("red"))

    def test_referee_needs_a_reason_to_undo_a_sealed_order(self, freeform: Story) -> None:
        freeform.play(Change(seat="red", unit="red-horse", attribute="strength", to=9), Seal(seat="blue"))
        freeform.when(Undo(seat="referee")).then_refused("reason-needed", rule="undo", stop=Naming("blue"))
        freeform.when(Rewind(seat="referee", to=freeform.tip - 2)).then_refused(
            "reason-needed-to-return", rule="undo", stop=Naming("blue")
        )
        freeform.when(Undo(seat="referee", why="a slip of the pen")).then(PlayRewound, why="a slip of the pen")
        assert freeform.game.units["red-horse"].number("strength") == 2

    def test_sealed_order_is_undone_by_consent_of_all_sides(self, harbour: Desk) -> None:
        harbour.ok("seal", "g", "--as", "syracuse")
        harbour.ok("ask-rewind", "g", "--to", "#595", "--why", "the die was cocked", "--as", "athens")
        assert harbour.ask("status")["turn"] == 3
        harbour.ok("consent", "g", "--as", "syracuse")
        assert harbour.ask("status")["turn"] == 2
        assert harbour.ask("referee")["acts"] == [], "the referee had no part in it"

    def test_order_after_the_seal_can_be_undone_by_its_seat(self, freeform: Story) -> None:
        freeform.play(Seal(seat="blue"), Change(seat="red", unit="red-horse", attribute="strength", to=9))
        freeform.play(Undo(seat="red"))
        freeform.when(Undo(seat="red")).then_refused("nothing-to-undo", rule="undo")

    def test_seal_has_the_last_sealed_position(self, freeform: Story) -> None:
        tip = freeform.tip
        freeform.when(Seal(seat="blue")).then(LineSealed, seat="blue", position=tip)

    def test_second_seal_without_new_orders_is_refused(self, freeform: Story) -> None:
        freeform.play(Seal(seat="blue"))
        freeform.when(Seal(seat="blue")).then_refused("sealed-already", rule="seals")
        freeform.play(Seal(seat="red"), Seal(seat="blue"))


class TestKeptCheckpoint:
    def test_seal_checkpoint_verifies_ledger_and_export(self, harbour: Desk) -> None:
        said = harbour.ok("seal", "g", "--as", "athens", "-o", "athens.checkpoint", "--json").json
        kept = (harbour.folder / "athens.checkpoint").read_text()
        assert kept == said["checkpoint"]
        assert kept.splitlines()[:2] == ["umpire/g", "612"]
        harbour.order("athens", "roll-wind", pips=[3, 3])
        harbour.ok("export", "g", "-o", "g.jsonl")
        for what in ("g", "g.jsonl"):
            assert harbour.ok("verify", what, "--checkpoint", "athens.checkpoint").out.startswith("VALID")

    def test_printed_it_is_the_same_three_lines(self, harbour: Desk) -> None:
        lines = harbour.ok("seal", "g", "--as", "athens").out.splitlines()
        harbour.write("kept", "\n".join(lines[-3:]) + "\n")
        assert harbour.ok("verify", "g", "--checkpoint", "kept").out.startswith("VALID")

    def test_another_history_is_found_out(self, harbour: Desk) -> None:
        shutil.copy(harbour.folder / "umpire.db", harbour.folder / "other.db")
        harbour.order("athens", "roll-wind", pips=[3, 3])
        harbour.ok("seal", "g", "--as", "athens", "-o", "kept")
        harbour.ok("order", "g", '{"order": "roll-wind", "pips": [2, 4]}', "--as", "athens", "--ledger", "other.db")
        harbour.ok("seal", "g", "--as", "athens", "--ledger", "other.db")
        answer = harbour.type("verify", "g", "--checkpoint", "kept", "--ledger", "other.db", "--json")
        size, found = harbour.size("g"), answer.json
        assert (answer.code, found["verdict"], found["changed_between"]) == (5, "INVALID", [1, size])
        assert found["reason"] == Naming(f"#{size}", f"#{size}", "`prior`")
        assert found["expected"] != found["found"]

    def test_cut_tail_is_reported_by_the_kept_checkpoint(self, harbour: Desk) -> None:
        shutil.copy(harbour.folder / "umpire.db", harbour.folder / "old.db")
        harbour.ok("seal", "g", "--as", "athens", "-o", "kept")
        answer = harbour.type("verify", "g", "--checkpoint", "kept", "--ledger", "old.db")
        assert answer.code == 5
        assert answer.out.startswith("INCOMPLETE")

    def test_unwritable_checkpoint_file_is_reported_after_the_seal(self, harbour: Desk) -> None:
        answer = harbour.type("seal", "g", "--as", "athens", "-o", "no/such/folder")
        assert answer.code == 2
        assert "no/such/folder" in answer.err
        assert len(harbour.ask("audit", "--event", "line.sealed")) == 1
