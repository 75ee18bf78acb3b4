"""Refused orders are stored outside the log: time, seat, order, reason, and the orders allowed at that moment."""

import io
import json
import sqlite3
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal
from tests.desk.game import FORD, DeskGame
from tests.face.desk import need_title, new_game, open_session
from tests.face.domain import REFEREE, RuleViolation
from tests.face.projections import WITHHELD, refusals
from umpire_ledger.ledger import replay_log


class TestStoredRefusals:
    def test_refusal_has_time_seat_order_reason_and_alternatives(self, harbour: DeskGame) -> None:
        harbour.refused("athens", "board", ships=["athens-1"], target="syracuse-2")
        (kept,) = refusals(harbour.ledger, "g", REFEREE)
        assert (kept.after, kept.seat, kept.order) == (harbour.size, "athens", "board")
        assert json.loads(kept.text)["target"] == "syracuse-2"
        assert "board" in kept.what.split()
        assert "War Galley A" in kept.rule
        assert kept.allowed == ("roll-wind",)
        assert kept.at.endswith("Z")
        assert kept.remedy

    def test_orders_that_cannot_even_be_read_are_kept(self, ford: DeskGame) -> None:
        ford.refused("red", "no-such-order")
        ford.refused("nobody", "pay", account="a", amount=1)
        ford.refused("red", "pay", account="a")
        assert [one.order for one in refusals(ford.ledger, "g", REFEREE)] == ["no-such-order", "pay", "pay"]

    def test_refused_amendment_is_stored(self, ford: DeskGame) -> None:
        ford.refused(REFEREE, "amend", at=1, how="drop", why="a slip")
        assert [one.order for one in refusals(ford.ledger, "g", REFEREE)] == ["amend"]

    def test_newest_refusals_are_listed_up_to_a_number(self, ford: DeskGame) -> None:
        for amount in ("one", "two", "three"):
            ford.refused("red", "pay", account="a", amount=amount)
        found = refusals(ford.ledger, "g", REFEREE, last=2)
        assert [json.loads(one.text)["amount"] for one in found] == ["two", "three"]

    def test_accepted_order_is_not_a_refusal(self, ford: DeskGame) -> None:
        ford.give("red", "pay", account="a", amount=1)
        assert refusals(ford.ledger, "g", REFEREE) == []


class TestVisibility:
    def test_refusals_are_read_by_the_referee_and_their_seat(self, ford: DeskGame) -> None:
        ford.refused("red", "pay", account="a", amount="x")
        ford.refused("blue", "pay", account="b", amount="x")
        assert len(refusals(ford.ledger, "g", REFEREE)) == 2
        assert [one.seat for one in refusals(ford.ledger, "g", "red")] == ["red"]
        assert refusals(ford.ledger, "g", "spectator") == []

    def test_refusals_are_read_by_all_seats_of_the_side(self, ford: DeskGame) -> None:
        ford.give(REFEREE, "take-seat", taker="anna", side="red")
        ford.refused("anna", "pay", account="a", amount="x")
        assert [one.seat for one in refusals(ford.ledger, "g", "red")] == ["anna"]

    def test_refusals_are_hidden_from_referee_in_a_closed_game(self) -> None:
        game = DeskGame(
            ":memory:",
            scenario=FORD.replace("[[units]]", "options = { secrets_closed_to_referee = true }\n[[units]]", 1),
        )
        game.give("red", "seal-choice", question="plan", choice="north")
        game.refused("red", "seal-choice", question="plan", choice="south")
        (kept,) = refusals(game.ledger, "g", REFEREE)
        assert (kept.text, kept.order) == (WITHHELD, "seal-choice")
        assert "south" in refusals(game.ledger, "g", "red")[0].text
        game.close()


class TestStorage:
    def test_log_exports_and_hashes_know_nothing_of_them(self, ford: DeskGame) -> None:
        ford.give("red", "pay", account="a", amount=1)
        before, root = io.BytesIO(), ford.ledger.checkpoint("g")
        replay_log.write(ford.ledger, "g", before)
        ford.refused("red", "pay", account="a", amount="x")
        after = io.BytesIO()
        replay_log.write(ford.ledger, "g", after)
        assert before.getvalue() == after.getvalue()
        assert ford.ledger.verify("g", root).verdict == "VALID"

    def test_stored_refusals_cannot_be_changed_or_deleted(self, desk_file: Path) -> None:
        game = DeskGame(desk_file)
        game.refused("red", "pay", account="a", amount="x")
        game.close()
        with sqlite3.connect(desk_file) as connection:
            for statement in ("UPDATE aside SET seat = 'blue'", "DELETE FROM aside"):
                with pytest.raises(sqlite3.IntegrityError, match="never"):
                    connection.execute(statement)

    def test_ledger_without_refusals_has_no_table_for_them(self, desk_file: Path) -> None:
        game = DeskGame(desk_file)
        game.give("red", "pay", account="a", amount=1)
        assert refusals(game.ledger, "g", REFEREE) == []
        game.close()
        with sqlite3.connect(desk_file) as connection:
            assert connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'aside'").fetchone() == (0,)

    def test_locked_ledger_still_reports_the_refusal(self, desk_file: Path) -> None:
        """Another program holds the write lock: the refusal is reported at once, and not stored."""
        game = DeskGame(desk_file)
        other = sqlite3.connect(desk_file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(RuleViolation, match="amount"):
            game.give("red", "pay", account="a", amount="x")
        other.execute("ROLLBACK")
        other.close()
        assert refusals(game.ledger, "g", REFEREE) == []
        game.give("red", "pay", account="a", amount=1)
        game.close()

    def test_two_games_keep_them_apart(self, ford: DeskGame) -> None:
        new_game(ford.ledger, need_title("freeform"), FORD, game_id="other")
        with pytest.raises(RuleViolation):
            open_session(ford.ledger, "other").order({"as": "red", "order": "nothing"})
        assert refusals(ford.ledger, "g", REFEREE) == []
        assert len(refusals(ford.ledger, "other", REFEREE)) == 1


def test_refusals_are_listed_on_the_command_line(terminal: Terminal) -> None:
    terminal.new()
    answer = terminal.give("red", "pay", account="a", amount="x")
    assert answer.code == 3
    (kept,) = terminal.ok("refusals", "ford", "--json").json
    assert (kept["seat"], kept["order"]) == ("red", "pay")
    assert "pay" in kept["allowed"]
    assert "pay" in terminal.ok("refusals", "ford", "--as", "red").out
    assert terminal.ok("refusals", "ford", "--as", "blue", "--json").json == []
