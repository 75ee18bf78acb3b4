"""An order file that stopped is fixed and played again: recorded orders are not given twice."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.terminal import Terminal
from tests.desk.game import DeskGame, great_harbour
from tests.face.desk import Played, play_lines
from tests.face.testing import FIXTURES
from tests.naming import Naming

PAY = {"as": "red", "order": "pay", "account": "points"}
ORDERS = FIXTURES / "war-galley" / "orders" / "great-harbour.jsonl"


@pytest.fixture
def ford(terminal: Terminal) -> Terminal:
    terminal.new()
    return terminal


def paid(*amounts: object) -> list[dict[str, Any]]:
    return [{**PAY, "amount": amount} for amount in amounts]


def points(terminal: Terminal) -> int:
    found: int = terminal.ok("status", "ford", "--json").json["accounts"].get("points", 0)
    return found


class TestStoppedFile:
    def test_fixed_order_file_is_played_without_repeated_orders(self, ford: Terminal) -> None:
        refused = ford.type_json("play", "ford", ford.orders(*paid(1, 2, "many", 8)))
        assert (refused.code, refused.error["refusal_code"]) == (3, "unreadable-order")
        assert refused.error["where"] == Naming("orders.jsonl", 3)
        assert points(ford) == 3
        again = ford.ok("play", "ford", ford.orders(*paid(1, 2, 4, 8)))
        assert again.out == Naming("orders.jsonl", 2, "1-2", "(#4-#5)", "ford", 2, "#7")
        assert points(ford) == 15

    def test_orders_given_by_hand_between_are_ignored(self, ford: Terminal) -> None:
        ford.type("play", "ford", ford.orders(*paid(1, "many")))
        ford.give("blue", "pay", account="points", amount=100)
        ford.ok("play", "ford", ford.orders(*paid(1, 2)))
        assert points(ford) == 103

    def test_lines_other_than_orders_may_change(self, ford: Terminal) -> None:
        ford.ok("play", "ford", ford.orders(*paid(1, 2)))
        text = "# mended\n\n" + "\n\n".join(map(json.dumps, paid(1, 2, 4)))
        ford.ok("play", "ford", str(ford.write("orders.jsonl", text)))
        assert points(ford) == 7

    def test_played_to_its_end_it_grows_from_evening_to_evening(self, ford: Terminal) -> None:
        for evening in range(1, 5):
            found = ford.ok("play", "ford", ford.orders(*paid(*range(evening))), "--json").json
            assert (found["orders"], found["stood"], found["stood_to"]) == (1, evening - 1, evening - 1)
        assert points(ford) == 0 + 1 + 2 + 3

    def test_recorded_order_file_adds_no_order(self, ford: Terminal) -> None:
        file = ford.orders(*paid(1, 2))
        ford.ok("play", "ford", file)
        size = ford.size()
        assert "0 orders recorded" in ford.ok("play", "ford", file).out
        assert ford.size() == size
        ford.ok("play", "ford", file, "--again")
        assert points(ford) == 6
        ford.ok("play", "ford", ford.orders(*paid(1, 2, 4)))
        assert points(ford) == 10

    def test_file_cut_before_recorded_orders_is_refused(self, ford: Terminal) -> None:
        ford.ok("play", "ford", ford.orders(*paid(1, 2, 4)))
        error = ford.type("play", "ford", ford.orders(*paid(1, 2)), "--json")
        assert (error.code, error.error["where"]) == (3, "orders.jsonl, line 2")
        assert f"#{ford.size()}" in error.error["what"]
        assert points(ford) == 7

    def test_same_path_with_other_orders_is_another_file(self, ford: Terminal) -> None:
        ford.ok("play", "ford", ford.orders(*paid(1, 2)))
        ford.ok("play", "ford", ford.orders(*paid(3, 4)))
        assert points(ford) == 10

    def test_first_recorded_line_changed_is_refused(self, ford: Terminal) -> None:
        ford.ok("play", "ford", ford.orders(*paid(1, 2)))
        error = ford.type("play", "ford", ford.orders(*paid(3, 2)), "--json")
        assert (error.code, error.error["where"]) == (3, "orders.jsonl, line 1")
        assert points(ford) == 3

    def test_changed_line_that_was_recorded_is_refused(self, ford: Terminal) -> None:
        ford.ok("play", "ford", ford.orders(*paid(1, 2, 4)))
        at = ford.size() - 1
        mended = ford.orders(*paid(1, 3, 4, 8))
        error = ford.type("play", "ford", mended, "--json")
        assert (error.code, error.error["rule"]) == (3, "files of orders")
        assert error.error["where"] == "orders.jsonl, line 2"
        assert f"(#{at})" in error.error["what"]
        assert f"`umpire amend` #{at}" in error.error["remedy"]
        assert points(ford) == 7
        given = json.dumps({"order": "pay", "account": "points", "amount": 3})
        ford.ok("amend", "ford", f"#{at}", given, "--why", "a slip in the file")
        ford.ok("play", "ford", mended)
        assert points(ford) == 16

    def test_rewound_orders_are_given_again(self, ford: Terminal) -> None:
        opened = ford.size()
        file = ford.orders(*paid(1, 2, 4))
        ford.ok("play", "ford", file)
        for _ in range(2):
            ford.ok("rewind", "ford", "--to", f"#{ford.size() - 2}", "--why", "once more")
            assert points(ford) == 1
            played = ford.ok("play", "ford", file, "--json").json
            assert ([one["line"] for one in played["skipped"]], played["orders"]) == ([1], 2)
            assert points(ford) == 7
        ford.ok("rewind", "ford", "--to", f"#{opened}", "--why", "from the beginning")
        played = ford.ok("play", "ford", file, "--json").json
        assert (played["skipped"], played["orders"]) == ([], 3)
        assert points(ford) == 7

    def test_order_dropped_by_an_amendment_is_skipped(self, ford: Terminal) -> None:
        file = ford.orders(*paid(1, 2, 4))
        ford.ok("play", "ford", file)
        ford.ok("amend", "ford", f"#{ford.size() - 1}", "--drop", "--why", "never happened")
        skipped = ford.ok("play", "ford", file, "--json").json["skipped"]
        assert [(one["line"], one["reason"]) for one in skipped] == [(1, "recorded"), (2, "amended"), (3, "recorded")]
        assert points(ford) == 5

    def test_last_order_dropped_by_an_amendment_is_skipped(self, ford: Terminal) -> None:
        file = ford.orders(*paid(1, 2, 4))
        ford.ok("play", "ford", file)
        ford.ok("amend", "ford", f"#{ford.size()}", "--drop", "--why", "never happened")
        assert ford.ok("play", "ford", file, "--json").json["skipped"][-1]["reason"] == "amended"
        assert points(ford) == 3

    def test_file_played_for_a_side_is_separate(self, ford: Terminal) -> None:
        file = ford.orders(*paid(1, 2))
        ford.ok("play", "ford", file, "--as", "red")
        again = ford.ok("play", "ford", file, "--as", "red", "--json").json
        assert ([one["line"] for one in again["skipped"]], again["orders"]) == ([1, 2], 0)
        ford.ok("play", "ford", file)
        assert points(ford) == 6

    def test_secret_orders_are_recognized_and_their_ids_are_opaque(self, ford: Terminal) -> None:
        choice = {"as": "red", "order": "seal-choice", "question": "plan", "choice": "north"}
        ford.ok("play", "ford", ford.orders(choice), "--as", "red")
        ford.ok("play", "ford", ford.orders(choice, *paid(1)), "--as", "red")
        assert points(ford) == 1
        log = ford.ok("export", "ford", "-o", "-").out
        ids = [json.loads(line)["command"] for line in log.splitlines() if '"command"' in line]
        numbers = [one.split("-")[2] for one in ids if one.startswith("file-")]
        assert numbers == ["1", "1", "2"]

    def test_order_with_its_own_id_is_answered_as_repeated(self, ford: Terminal) -> None:
        orders = [{**one, "id": f"mail-{at}"} for at, one in enumerate(paid(1, 2))]
        ford.ok("play", "ford", ford.orders(*orders))
        assert ford.ok("play", "ford", ford.orders(*orders), "--json").json["repeated"] == 2
        assert points(ford) == 3

    def test_copy_of_the_game_continues_the_file(self, ford: Terminal) -> None:
        ford.ok("play", "ford", ford.orders(*paid(1, 2)))
        ford.ok("fork", "ford", "--id", "other")
        ford.ok("play", "other", ford.orders(*paid(1, 2, 4)))
        assert ford.ok("status", "other", "--json").json["accounts"] == {"points": 7}
        assert points(ford) == 3

    def test_ids_with_an_invalid_line_are_ignored(self, ford: Terminal) -> None:
        for at, made_up in enumerate(("file-", "file-x-", "file-x-0-a", f"file-x-{'9' * 30}-a", "file-x-١-a")):
            ford.give("red", "pay", account="points", amount=at, id=made_up)
        ford.ok("play", "ford", ford.orders(*paid(0, 1)))
        assert points(ford) == 0 + 1 + 2 + 3 + 4 + 1

    def test_real_game_continues_from_any_line(self, terminal: Terminal) -> None:
        lines = [line for line in ORDERS.read_text(encoding="utf-8").splitlines() if line.strip()]
        scenario = FIXTURES / "war-galley" / "scenarios" / "great-harbour.toml"
        terminal.ok("new", "war-galley", "--id", "h", "--scenario", str(scenario))
        for upto in (1, 40, 41, 200, len(lines)):
            terminal.ok("play", "h", str(terminal.write("night.jsonl", "\n".join(lines[:upto]))))
        whole = great_harbour(":memory:")
        assert terminal.ok("status", "h", "--json").json["position"] == whole.size
        whole.close()


class TestStartLine:
    def test_play_begins_at_the_given_line(self, ford: Terminal) -> None:
        file = ford.orders(*paid(1, 2, 4))
        ford.ok("play", "ford", file, "--from", "2")
        assert points(ford) == 6
        again = ford.ok("play", "ford", file, "--from", "2", "--json").json
        assert (again["orders"], [one["line"] for one in again["skipped"]]) == (0, [2, 3])
        never = ford.type("play", "ford", file, "--json")
        assert (never.code, never.error["where"]) == (3, "orders.jsonl, line 1")
        assert points(ford) == 6

    def test_line_after_the_last_order_is_refused(self, ford: Terminal) -> None:
        error = ford.type("play", "ford", ford.orders(*paid(1, 2)), "--from", "3", "--json")
        assert (error.code, error.error["rule"]) == (2, "files of orders")
        assert (error.error["where"], error.error["what"]) == (Naming(3), Naming(3, 2))
        assert error.error["remedy"] == Naming(1, 2)

    @pytest.mark.parametrize("line", ["0", "-1", "x", "9" * 40])
    def test_line_must_be_a_number_from_1(self, ford: Terminal, line: str) -> None:
        assert ford.type("play", "ford", ford.orders(*paid(1)), "--from", line).code == 2


class TestDryRun:
    def test_dry_run_records_nothing_and_counts_recorded_orders(self, ford: Terminal) -> None:
        file = ford.orders(*paid(1, 2))
        ford.ok("play", "ford", file)
        size = ford.size()
        tried = ford.ok("play", "ford", ford.orders(*paid(1, 2, 4)), "--check", "--json").json
        assert (tried["orders"], tried["stood"], tried["recorded"], tried["position"]) == (1, 2, False, size + 1)
        assert ford.size() == size

    def test_refused_order_of_a_dry_run_is_not_logged(self, ford: Terminal) -> None:
        assert ford.type("play", "ford", ford.orders(*paid(1, "many")), "--check").code == 3
        assert ford.ok("refusals", "ford", "--json").json == []

    def test_dry_run_of_an_undo_uses_a_copy(self, ford: Terminal) -> None:
        file = ford.orders(*paid(1, 2), {"as": "red", "order": "undo"}, *paid(4))
        size = ford.size()
        assert ford.ok("play", "ford", file, "--check", "--json").json["orders"] == 4
        assert ford.size() == size

    def test_repeated_id_is_one_order_unless_the_order_differs(self, ford: Terminal) -> None:
        same = [{**one, "id": "a"} for one in paid(1, 1)]
        found = ford.ok("play", "ford", ford.orders(*same), "--check", "--json").json
        assert (found["orders"], found["repeated"]) == (1, 1)
        other = [{**one, "id": "a"} for one in paid(1, 2)]
        refused = ford.type("play", "ford", ford.orders(*other), "--check", "--json")
        assert refused.error["rule"] == "command ids"

    def test_dry_run_of_a_whole_game_ends_as_the_game(self, tmp_path: Path) -> None:
        whole = great_harbour(tmp_path / "whole.db")
        half = great_harbour(tmp_path / "half.db", upto=100)
        orders = [json.loads(line) for line in ORDERS.read_text(encoding="utf-8").splitlines() if line.strip()]
        tried = _play(half, orders[100:], check=True)
        assert (tried.position, tried.where) == (whole.size, whole.game.where)
        assert half.size < whole.size
        whole.close()
        half.close()


def _play(game: DeskGame, orders: list[dict[str, Any]], *, check: bool) -> Played:
    return play_lines(game.ledger, "g", list(enumerate(orders, 1)), "orders", check=check)


class TestStandardInput:
    """`-` is standard input, and standard output, wherever there is a file."""

    def test_orders_are_given_as_they_come(self, ford: Terminal) -> None:
        text = "\n".join(map(json.dumps, paid(1, 2)))
        for _ in range(2):
            assert json.loads(ford.type("play", "ford", "-", "--json", stdin=text).out)["orders"] == 2
        assert points(ford) == 6
        refused = ford.type("play", "ford", "-", "--json", stdin=json.dumps(PAY | {"amount": "many"}))
        assert (refused.error["refusal_code"], refused.error["where"]) == ("unreadable-order", Naming(1))

    def test_scenarios_logs_and_checkpoints(self, ford: Terminal) -> None:
        scenario = (ford.folder / "scenario.toml").read_text(encoding="utf-8")
        assert ford.type("new", "freeform", "--id", "two", "--scenario", "-", stdin=scenario).code == 0
        log = ford.type("export", "two", "-o", "-").out
        assert ford.type("verify", "-", stdin=log).out.startswith("VALID (hashes only): two")
        taken = ford.type("import", "-", "--ledger", "other.db", stdin=log)
        assert taken.out == Naming("two", "other.db", 3)
        sealed = ford.ok("seal", "two", "-o", "-", "--as", "red").out
        lines = "\n".join(sealed.splitlines()[-3:]) + "\n"
        assert ford.type("verify", "two", "--checkpoint", "-", stdin=lines).code == 0
        assert 'title = "freeform"' in ford.ok("scenario", "two", "-o", "-").out
        assert sorted(os.listdir(ford.folder)) == sorted(
            {"scenario.toml", "orders.jsonl"} & set(os.listdir(ford.folder))
            | {name for name in os.listdir(ford.folder) if name.startswith(("umpire.", "other."))}
        )
