"""The audit of the referee's own acts."""

import json
from pathlib import Path

import pytest

from tests.desk.referee.tables import Desk
from tests.naming import Naming

CHANGE = json.dumps({"order": "change", "unit": "syracuse-3", "attribute": "fire", "to": None})


class TestCounted:
    def test_override_is_counted_by_side(self, harbour: Desk) -> None:
        harbour.order("referee", "excuse", reason="no wind", side="athens")
        found = harbour.ask("referee")
        assert [(one["kind"], one["sides"], one["reason"]) for one in found["acts"]] == [
            ("override", ["athens"], "no wind")
        ]
        assert found["counts"]["athens"]["override"] == 1

    def test_edit_by_ruling_is_counted_by_side(self, harbour: Desk) -> None:
        harbour.ok("rule", "g", "not burnt", "--grounds", "house", "--why", "no wind", "--order", CHANGE)
        found = harbour.ask("referee")
        assert [(one["kind"], one["sides"]) for one in found["acts"]] == [("edit", ["syracuse"])]

    def test_edit_without_ruling_is_counted(self, ford: Desk) -> None:
        ford.order("referee", "pay", account="points/blue", amount=2)
        assert ford.ask("referee")["counts"]["blue"]["edit"] == 1

    def test_edit_under_an_always_open_step_is_counted(self, harbour: Desk) -> None:
        """Beeston Bridge: the referee's die sends a piece home, by the catch-all of In Red Coat Rags Attired."""
        replay = Path(__file__).parents[3] / "fixtures" / "red-coat-rags" / "replays" / "beeston-bridge.jsonl"
        found = harbour.ok("referee", str(replay), "--json").json
        assert [act["text"] for act in found["acts"] if act["kind"] == "edit"] == [
            "burghers-2 is withdrawn at in the churchyard (by the die)"
        ]

    def test_correction_counts_for_sides_with_undone_orders(self, harbour: Desk) -> None:
        harbour.ok("undo", "g", "--why", "cocked")
        act = harbour.ask("referee")["acts"][0]
        assert (act["kind"], act["sides"], act["reason"]) == ("correction", ["athens"], "cocked")

    def test_undone_acts_still_count_they_were_done(self, harbour: Desk) -> None:
        harbour.ok("rule", "g", "not burnt", "--grounds", "house", "--why", "no wind", "--order", CHANGE)
        harbour.ok("undo", "g", "--why", "in haste")
        assert harbour.ask("referee")["counts"]["all"] == {"override": 0, "edit": 1, "peek": 0, "correction": 1}

    def test_setting_up_and_the_sides_own_acts_do_not(self, harbour: Desk) -> None:
        assert harbour.ask("referee")["acts"] == []
        assert harbour.ok("referee", "g").out.splitlines()[2:] == ["all"]

    def test_referee_counts_are_in_the_export_and_from_it_alone(self, harbour: Desk) -> None:
        harbour.order("referee", "excuse", reason="no wind")
        harbour.ok("peek", "g", "athens", "--why", "a quarrel")
        assert "1 override, 1 peek" in harbour.ok("export", "g", "-o", "g.jsonl", "--as", "athens").out
        from_file = harbour.ok("referee", "g.jsonl", "--json").json
        assert from_file == harbour.ask("referee")


class TestPeeks:
    @pytest.fixture
    def closed(self, tmp_path: Path) -> Desk:
        desk = Desk(tmp_path)
        desk.new("g", "--option", "secrets_closed_to_referee=true")
        desk.order("red", "seal-choice", question="flank", choice="through-the-marsh")
        return desk

    def test_peek_is_recorded_publicly_before_it_is_shown(self, closed: Desk) -> None:
        answer = closed.ok("peek", "g", "red", "--why", "red says it chose the marsh")
        assert "through-the-marsh" in answer.out
        for seat in ("red", "blue", "spectator"):
            trail = closed.ask("audit", "--event", "secret.peeked", "--as", seat)
            assert [one["text"] for one in trail] == [Naming("red", "red says it chose the marsh")]
            assert "through-the-marsh" not in json.dumps(trail)

    def test_peek_is_needed_if_secrets_are_closed_to_the_referee(self, closed: Desk) -> None:
        n = str(closed.size("g"))
        refusal = closed.refused("knew", "g", "red", n)
        assert "umpire peek" in refusal["remedy"]
        assert "through-the-marsh" not in closed.ok("why", "g", n).out
        assert "through-the-marsh" in closed.ok("knew", "g", "red", n, "--as", "red").out

    def test_peek_is_refused_to_seats_and_at_seats_without_secrets(self, closed: Desk) -> None:
        order = '{"order": "peek", "who": "red", "reason": "curious"}'
        assert closed.refused("order", "g", order, "--as", "blue")["rule"] == "seats"
        for who, code in (("spectator", "seat-keeps-no-secrets"), ("green", "no-such-keeper")):
            refusal = closed.refused("peek", "g", who, "--why", "x")
            assert (refusal["refusal_code"], refusal["fields"]) == (code, {"who": who, "known": "red, blue"})
