"""Check `umpire dice-share`: it draws, commits and reveals shares, and names the seats that the dice wait for."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal
from tests.naming import Naming


@pytest.fixture
def shared(tmp_path: Path) -> Terminal:
    table = Terminal(tmp_path)
    table.new("ford", "--dice", "shared")
    return table


@pytest.fixture
def witnessed(tmp_path: Path) -> Terminal:
    table = Terminal(tmp_path)
    table.new("ford", "--dice", "witnessed")
    for side in ("red", "blue"):
        table.ok("seat-dice", "ford", "--as", side)
    return table


def fire(table: Terminal) -> str:
    return table.give("red", "roll", purpose="fire", dice="2d6").out


def waits_for(table: Terminal) -> object:
    """Return the seats whose shares the dice wait for."""
    return table.ok("status", "ford", "--json").json["dice"]["waits_for"]


def records_of(table: Terminal, event: str) -> list[str]:
    """Return the seats of the records with such an event."""
    return [one["seat"] for one in table.ok("audit", "ford", "--json").json if one["event"] == event]


class TestShared:
    def test_two_short_orders_of_each_side_and_the_dice_fall(self, shared: Terminal) -> None:
        assert waits_for(shared) == ["red", "blue"]
        assert shared.ok("seat-dice", "ford", "--as", "red").out == Naming("blue")
        assert shared.ok("seat-dice", "ford", "--as", "red", "--json").json == {"due": False, "waits_for": ["blue"]}
        shared.ok("seat-dice", "ford", "--as", "blue")
        assert records_of(shared, "dice.pledged") == ["red", "blue"]
        assert records_of(shared, "dice.shared") == ["blue"]
        shared.ok("seat-dice", "ford", "--as", "red")
        assert waits_for(shared) == []
        fire(shared)
        assert records_of(shared, "dice.rolled") == ["red"]

    def test_programs_hear_what_is_due(self, shared: Terminal) -> None:
        given = shared.ok("seat-dice", "ford", "--as", "red", "--json").json
        assert [one["type"] for one in given["events"]] == ["dice.pledged"]
        assert shared.ok("seat-dice", "ford", "--as", "red", "--json").json == {"due": False, "waits_for": ["blue"]}
        dice = shared.ok("status", "ford", "--json").json["dice"]
        assert (dice["mode"], dice["waits_for"], dice["order_of"]) == ("shared", ["blue"], "")

    def test_for_a_ledger_elsewhere_the_order_is_printed(self, shared: Terminal) -> None:
        size = shared.size()
        line = shared.ok("seat-dice", "ford", "--as", "red", "--print").out
        assert shared.size() == size
        assert list(json.loads(line)) == ["as", "order", "pledge"]
        shared.ok("order", "ford", line.strip())
        again = shared.ok("seat-dice", "ford", "--as", "red", "--print", "--json").json
        assert again == {"due": False, "waits_for": ["blue"]}

    def test_dice_that_take_no_shares_are_refused(self, tmp_path: Path) -> None:
        table = Terminal(tmp_path)
        table.new("ford")
        answer = table.type("seat-dice", "ford", "--as", "red", "--json")
        assert (answer.code, answer.error["rule"]) == (2, "dice")
        assert "--dice shared" in answer.error["remedy"]

    def test_share_of_an_unknown_seat_is_refused(self, shared: Terminal) -> None:
        answer = shared.type_json("seat-dice", "ford", "--as", "green")
        assert (answer.code, answer.error["refusal_code"], answer.error["what"]) == (3, "no-such-seat", Naming("green"))
        assert shared.type("seat-dice", "nowhere", "--as", "red").code == 6

    def test_referee_has_no_share_to_give(self, shared: Terminal) -> None:
        assert shared.ok("seat-dice", "ford").out == Naming("referee", "red", "blue")
        assert shared.ok("seat-dice", "ford", "--json").json == {"due": False, "waits_for": ["red", "blue"]}


class TestWitnessed:
    def test_status_names_the_seat_that_an_order_waits_for(self, witnessed: Terminal) -> None:
        fire(witnessed)
        dice = witnessed.ok("status", "ford", "--json").json["dice"]
        assert (dice["order_of"], dice["waits_for"]) == ("red", ["blue"])
        assert " ford --as blue`" in witnessed.ok("status", "ford").out
        answer = witnessed.type("done", "ford", "--as", "blue")
        assert answer.code == 3
        assert records_of(witnessed, "dice.rolled") == []
        witnessed.ok("seat-dice", "ford", "--as", "blue")
        assert records_of(witnessed, "dice.rolled") == ["red"]
        assert witnessed.ok("verify", "ford").out.startswith("VALID")

    def test_order_file_stops_after_an_order_that_waits(self, witnessed: Terminal) -> None:
        roll = {"as": "red", "order": "roll", "purpose": "fire", "dice": "2d6"}
        file = witnessed.orders(roll, {"as": "red", "order": "note", "text": "x"}, {**roll, "purpose": "more"})
        answer = witnessed.type_json("play", "ford", file)
        assert answer.code == 3
        assert answer.error["rule"] == "dice"
        assert answer.error["where"] == Naming("orders.jsonl", 3)
        assert answer.error["what"] == Naming("Red")
        witnessed.ok("seat-dice", "ford", "--as", "blue")
        assert witnessed.ok("play", "ford", file).out == Naming(1)
        assert len(records_of(witnessed, "dice.rolled")) == 1
        assert witnessed.ok("status", "ford", "--json").json["dice"]["order_of"] == "red"

    def test_follow_is_refused_if_dice_take_no_shares(self, ford: Terminal) -> None:
        """Refuse, because the command would wait without end."""
        answer = ford.type_json("seat-dice", "ford", "--as", "red", "--follow")
        assert (answer.code, answer.error["rule"]) == (2, "dice")
        assert "--dice shared" in answer.error["remedy"]

    @pytest.mark.skipif(os.name != "posix", reason="a signal of POSIX ends it")
    def test_follow_reveals_requested_shares_until_stopped(self, witnessed: Terminal) -> None:
        words = witnessed.command("seat-dice", "ford", "--as", "blue", "--follow")
        with subprocess.Popen(
            words, cwd=witnessed.folder, env=witnessed.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as blue:
            try:
                fire(witnessed)
                late = time.monotonic() + 60
                while not records_of(witnessed, "dice.rolled"):
                    assert time.monotonic() < late
                    time.sleep(0.2)
                blue.send_signal(signal.SIGTERM)
                _, err = blue.communicate(timeout=30)
            finally:
                blue.kill()
        assert b"Traceback" not in err

    def test_kill_9_between_the_share_and_the_throw_loses_nothing(self, witnessed: Terminal) -> None:
        fire(witnessed)
        cut = (
            "import os, signal, sys\n"
            "from umpire_ledger.desk.core.game_session import GameSession\n"
            "from umpire_ledger.domain.game.dice_shares import awaited\n"
            "kill = lambda: os.kill(os.getpid(), signal.SIGKILL)\n"
            "GameSession.resolve_witnessed_order = lambda self: () if awaited(self.game) else kill()\n"
            "from umpire_ledger.cli.main import umpire\n"
            "umpire(['seat-dice', 'ford', '--as', 'blue'])\n"
        )
        words = [witnessed.command()[0], "-c", cut]
        done = subprocess.run(words, cwd=witnessed.folder, env=witnessed.environment, capture_output=True, check=False)
        assert done.returncode == -signal.SIGKILL, done.stderr
        assert records_of(witnessed, "dice.rolled") == []
        witnessed.ok("seat-dice", "ford", "--as", "blue")
        assert records_of(witnessed, "dice.rolled") == ["red"]
        assert witnessed.ok("verify", "ford").out.startswith("VALID")
