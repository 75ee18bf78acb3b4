"""Refused orders are stored outside the log: time, seat, order, reason, and the orders allowed at that moment."""

import io
import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal
from tests.desk.game import FORD, DeskGame
from tests.face.desk import need_title, new_game, open_ledger, open_session
from tests.face.domain import REFEREE, RuleViolation
from tests.face.projections import LONGEST, WITHHELD, allowed_to, refusals, refused as refused_order
from umpire_ledger.ledger import replay_log

FIXTURES = Path(__file__).parents[2] / "fixtures"


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

    @pytest.mark.parametrize("seat", ["red", "anna", "blue", "spectator", REFEREE])
    def test_alternatives_are_the_orders_of_its_side(self, ford: DeskGame, seat: str) -> None:
        ford.give(REFEREE, "take-seat", taker="anna", side="red")
        ford.refused(seat, "move", unit="r9", path=["0201"])
        (kept,) = refusals(ford.ledger, "g", REFEREE)
        side = ford.game.side_of(seat)
        assert kept.allowed == allowed_to(ford.title, ford.game, side or seat)
        assert bool(kept.allowed) == bool(side)

    @pytest.mark.parametrize("more", [-1, 0, 1])
    def test_long_parts_of_a_refusal_are_cut(self, ford: DeskGame, more: int) -> None:
        long = "x" * (LONGEST + more)
        wrong = RuleViolation(long, where=long, rule=long, remedy=long)
        told = json.loads(refused_order(ford.title, ford.game, "red", {"as": "red", "order": long}, wrong))
        assert [len(told[part]) for part in ("what", "where", "rule", "remedy")] == [min(len(long), LONGEST)] * 4
        assert (len(told["text"]), len(told["order"])) == (LONGEST, 80)

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


class TestCodes:
    def test_code_and_fields_are_stored(self, ford: DeskGame) -> None:
        refused = ford.refused("nobody", "pay", account="a", amount=1)
        (kept,) = refusals(ford.ledger, "g", REFEREE)
        assert (kept.code, kept.fields["seat"]) == ("no-such-seat", "nobody")
        assert (kept.code, dict(kept.fields)) == (refused.code, refused.fields)

    def test_reason_is_stored_among_the_fields(self, harbour: DeskGame) -> None:
        title = need_title("war-galley")
        fields = {"ship": "athens-1", "reason": "fouled", "limits": (1, 2)}
        error = RuleViolation("no", where="E.1", rule="8.35", remedy="stay", code="cannot-move", fields=fields)
        told = refused_order(title, harbour.game, "athens", {"order": "move-ship"}, error)
        stored = json.loads(told)
        assert (stored["code"], stored["fields"]) == ("cannot-move", {**fields, "limits": [1, 2]})

    def test_fields_too_long_to_store_are_left_out(self, ford: DeskGame) -> None:
        error = RuleViolation("no", where="", rule="", remedy="", code="too-far", fields={"unit": "x" * 5000})
        stored = json.loads(refused_order(need_title("freeform"), ford.game, "red", {"order": "move"}, error))
        assert (stored["code"], stored["fields"]) == ("too-far", {})

    def test_code_is_hidden_from_the_referee_in_a_closed_game(self) -> None:
        options = "options = { secrets_closed_to_referee = true }\n[[units]]"
        game = DeskGame(":memory:", scenario=FORD.replace("[[units]]", options, 1))
        game.refused("red", "move", unit="ghost", path=["0101"])
        (kept,) = refusals(game.ledger, "g", REFEREE)
        assert (kept.code, kept.fields) == ("", {})
        assert refusals(game.ledger, "g", "red")[0].code == "unknown-name"
        game.close()

    @pytest.mark.parametrize("edition", ["1-aside", "1-refusals"])
    def test_refusal_of_an_old_ledger_has_no_code(self, tmp_path: Path, edition: str) -> None:
        file = tmp_path / "club.ledger"
        shutil.copyfile(FIXTURES / "formats" / edition / "club.ledger", file)
        with open_ledger(file) as ledger:
            (old,) = refusals(ledger, "ford", REFEREE)
            with pytest.raises(RuleViolation):
                open_session(ledger, "ford").order({"as": "red", "order": "nothing"})
            *_, new = refusals(ledger, "ford", REFEREE)
        assert (old.what, old.code, old.fields) == ("there is no unit ghost", "", {})
        assert new.code.startswith("no-such-order")


class TestVisibility:
    def test_refusals_are_read_by_the_referee_and_their_seat(self, ford: DeskGame) -> None:
        ford.refused("red", "pay", account="a", amount="x")
        ford.refused("blue", "pay", account="b", amount="x")
        assert len(refusals(ford.ledger, "g", REFEREE)) == 2
        assert [one.seat for one in refusals(ford.ledger, "g", "red")] == ["red"]
        assert refusals(ford.ledger, "g", "spectator") == []

    def test_spectator_reads_no_refusal_of_an_unknown_seat(self, ford: DeskGame) -> None:
        for seat in ("nobody", REFEREE, "spectator"):
            ford.refused(seat, "pay", account="a", amount="x")
        assert [one.seat for one in refusals(ford.ledger, "g", "spectator")] == ["spectator"]
        assert [one.seat for one in refusals(ford.ledger, "g", "red")] == []

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
    assert (kept["seat"], kept["order"], kept["code"]) == ("red", "pay", "unreadable-order")
    assert kept["fields"]["name"] == "pay"
    assert "pay" in kept["allowed"]
    assert "pay" in terminal.ok("refusals", "ford", "--as", "red").out
    assert terminal.ok("refusals", "ford", "--as", "blue", "--json").json == []
