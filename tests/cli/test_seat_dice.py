"""Check `umpire dice-share`: it draws, commits and reveals shares, and names the seats that the dice wait for."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal


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


class TestShared:
    def test_two_short_orders_of_each_side_and_the_dice_fall(self, shared: Terminal) -> None:
        assert "no roll before the share of red and blue" in shared.ok("status", "ford").out
        assert shared.ok("seat-dice", "ford", "--as", "red").out.endswith("the dice wait for blue\n")
        assert shared.ok("seat-dice", "ford", "--as", "red").out == (
            "nothing is due of red now; the dice wait for blue\n"
        )
        told = shared.ok("seat-dice", "ford", "--as", "blue").out
        assert "Blue pledges a share in the dice" in told
        assert "Blue shows a share in the dice" in told
        assert shared.ok("seat-dice", "ford", "--as", "red").out.endswith("the dice wait for nobody\n")
        assert "Red rolls for fire: " in fire(shared)

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
        assert shared.ok("seat-dice", "ford", "--as", "red", "--print").out.startswith("nothing is due of red now")

    def test_dice_that_take_no_shares_are_refused(self, tmp_path: Path) -> None:
        table = Terminal(tmp_path)
        table.new("ford")
        answer = table.type("seat-dice", "ford", "--as", "red", "--json")
        assert (answer.code, answer.error["rule"]) == (2, "dice")
        assert "--dice shared" in answer.error["remedy"]

    def test_share_of_an_unknown_seat_is_refused(self, shared: Terminal) -> None:
        answer = shared.type("seat-dice", "ford", "--as", "green")
        assert (answer.code, "there is no seat green" in answer.err) == (3, True)
        assert shared.type("seat-dice", "nowhere", "--as", "red").code == 6

    def test_referee_has_no_share_to_give(self, shared: Terminal) -> None:
        said = shared.ok("seat-dice", "ford").out
        assert said == "nothing is due of referee now; the dice wait for red and blue\n"


class TestWitnessed:
    def test_status_names_the_seat_that_an_order_waits_for(self, witnessed: Terminal) -> None:
        assert "Red rolls for fire, and waits for its dice" in fire(witnessed)
        assert "the order of red waits for the share of blue: `umpire dice-share ford --as blue`" in (
            witnessed.ok("status", "ford").out
        )
        answer = witnessed.type("done", "ford", "--as", "blue")
        assert answer.code == 3
        told = witnessed.ok("seat-dice", "ford", "--as", "blue").out
        assert "Red rolls for fire: " in told
        assert witnessed.ok("verify", "ford").out.startswith("VALID")

    def test_order_file_stops_after_an_order_that_waits(self, witnessed: Terminal) -> None:
        roll = {"as": "red", "order": "roll", "purpose": "fire", "dice": "2d6"}
        file = witnessed.orders(roll, {"as": "red", "order": "note", "text": "x"}, {**roll, "purpose": "more"})
        answer = witnessed.type("play", "ford", file)
        assert answer.code == 3
        assert "line 3" in answer.err
        assert "an order of red waits for its dice" in answer.err
        witnessed.ok("seat-dice", "ford", "--as", "blue")
        assert "1 order recorded" in witnessed.ok("play", "ford", file).out
        assert "Red rolls for more, and waits for its dice" in witnessed.ok("audit", "ford").out

    def test_follow_is_refused_if_dice_take_no_shares(self, ford: Terminal) -> None:
        """Refuse, because the command would wait without end."""
        answer = ford.type("seat-dice", "ford", "--as", "red", "--follow")
        assert answer.code == 2
        assert "the dice of this game take no shares" in answer.err
        assert "--dice shared" in answer.err

    @pytest.mark.skipif(os.name != "posix", reason="a signal of POSIX ends it")
    def test_follow_reveals_requested_shares_until_stopped(self, witnessed: Terminal) -> None:
        words = witnessed.command("seat-dice", "ford", "--as", "blue", "--follow")
        with subprocess.Popen(
            words, cwd=witnessed.folder, env=witnessed.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as blue:
            try:
                fire(witnessed)
                late = time.monotonic() + 60
                while "Red rolls for fire: " not in witnessed.ok("audit", "ford").out:
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
        assert "Red rolls for fire: " not in witnessed.ok("audit", "ford").out
        assert witnessed.ok("seat-dice", "ford", "--as", "blue").out.startswith("an order that was cut off")
        assert "Red rolls for fire: " in witnessed.ok("audit", "ford").out
        assert witnessed.ok("verify", "ford").out.startswith("VALID")
