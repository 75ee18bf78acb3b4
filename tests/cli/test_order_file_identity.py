"""Check that `umpire play` recognizes an order file by its path and orders, and never skips a line silently."""

import json
import signal
import subprocess
import time
from typing import Any

import pytest

from tests.cli.terminal import Answer, Terminal

PAY = {"as": "red", "order": "pay", "account": "points"}
MARK = "file-"


@pytest.fixture
def ford(terminal: Terminal) -> Terminal:
    terminal.new()
    return terminal


def paid(*amounts: object) -> list[dict[str, Any]]:
    return [{**PAY, "amount": amount} for amount in amounts]


def points(terminal: Terminal, game_id: str = "ford") -> int:
    found: int = terminal.ok("status", game_id, "--json").json["accounts"].get("points", 0)
    return found


def skipped(answer: Answer) -> list[tuple[int, str]]:
    return [(one["line"], one["reason"]) for one in answer.json["skipped"]]


def refused_at(ford: Terminal, *words: str) -> str:
    """Return the place where `umpire play ford` is refused, with no order recorded."""
    before = ford.size()
    answer = ford.type("play", "ford", *words, "--json")
    assert (answer.code, answer.error["rule"], ford.size()) == (3, "files of orders", before), answer
    return answer.error["where"]


class TestSameFile:
    def test_complete_file_again_lists_every_line(self, ford: Terminal) -> None:
        file = ford.orders(*paid(1, 2))
        ford.ok("play", "ford", file)
        answer = ford.ok("play", "ford", file, "--json")
        assert answer.json["skipped"] == [
            {"line": 1, "position": 4, "reason": "recorded"},
            {"line": 2, "position": 5, "reason": "recorded"},
        ]
        assert " 1-2 (#4-#5)" in ford.ok("play", "ford", file).out
        assert points(ford) == 3

    @pytest.mark.parametrize("way", ["./orders.jsonl", "sub/../orders.jsonl", "link.jsonl"])
    def test_other_spelling_of_a_path_is_the_same_file(self, ford: Terminal, way: str) -> None:
        (ford.folder / "sub").mkdir()
        ford.ok("play", "ford", ford.orders(*paid(1)))
        (ford.folder / "link.jsonl").symlink_to("orders.jsonl")
        ford.orders(*paid(1, 2))
        assert skipped(ford.ok("play", "ford", way, "--json")) == [(1, "recorded")]
        assert points(ford) == 3

    def test_interrupt_keeps_whole_orders_and_resumes(self, ford: Terminal) -> None:
        _broken_off(ford, signal.SIGINT, 130)

    def test_kill_keeps_whole_batches_and_resumes(self, ford: Terminal) -> None:
        _broken_off(ford, signal.SIGKILL, -signal.SIGKILL)

    def test_line_inserted_before_recorded_ones_is_refused(self, ford: Terminal) -> None:
        ford.ok("play", "ford", ford.orders(*paid(1, 2)))
        assert refused_at(ford, ford.orders(*paid(9, 1, 2))) == "orders.jsonl, line 1"
        assert refused_at(ford, ford.orders(*paid(1, 9, 2))) == "orders.jsonl, line 2"

    def test_line_deleted_before_recorded_ones_is_refused(self, ford: Terminal) -> None:
        ford.ok("play", "ford", ford.orders(*paid(1, 2, 4)))
        assert refused_at(ford, ford.orders(*paid(2, 4, 8))) == "orders.jsonl, line 1"

    def test_true_is_not_one(self, ford: Terminal) -> None:
        ford.ok("play", "ford", ford.orders(*paid(1, 2)))
        assert refused_at(ford, ford.orders(*paid(True, 2))) == "orders.jsonl, line 1"

    def test_windows_text_and_comments_change_nothing(self, ford: Terminal) -> None:
        ford.ok("play", "ford", ford.orders(*paid(1, 2)))
        lines = ["# the second evening", "", *map(json.dumps, paid(1)), "   ", *map(json.dumps, paid(2, 4))]
        (ford.folder / "orders.jsonl").write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode() + b"\r\n")
        assert skipped(ford.ok("play", "ford", "orders.jsonl", "--json")) == [(3, "recorded"), (5, "recorded")]
        assert points(ford) == 7

    def test_byte_order_mark_before_an_order_is_ignored(self, ford: Terminal) -> None:
        (ford.folder / "orders.jsonl").write_bytes(b"\xef\xbb\xbf" + json.dumps(paid(1)[0]).encode())
        ford.ok("play", "ford", "orders.jsonl")
        assert points(ford) == 1

    def test_order_after_a_bad_line_waits_for_its_correction(self, ford: Terminal) -> None:
        ford.ok("play", "ford", ford.orders(*paid(1, 2, 4), name="first.jsonl"))
        text = "\n".join([json.dumps(paid(8)[0]), "{", json.dumps(paid(16)[0])])
        bad = ford.type("play", "ford", str(ford.write("second.jsonl", text)), "--json")
        assert (bad.code, bad.error["where"]) == (2, "second.jsonl, line 2, column 2")
        assert points(ford) == 15
        ford.write("second.jsonl", text.replace("\n{\n", "\n"))
        assert skipped(ford.ok("play", "ford", "second.jsonl", "--json")) == [(1, "recorded")]
        assert points(ford) == 31


def _broken_off(ford: Terminal, with_signal: signal.Signals, code: int) -> None:
    file = ford.orders(*paid(*[1] * 3000))
    started = ford.size()
    with subprocess.Popen(
        ford.command("play", "ford", file), cwd=ford.folder, env=ford.environment, stdout=subprocess.DEVNULL
    ) as process:
        limit = time.monotonic() + 60
        while ford.size() < started + 20 and time.monotonic() < limit:
            time.sleep(0.01)
        process.send_signal(with_signal)
        assert process.wait(60) == code
    recorded = ford.size() - started
    assert 0 < recorded < 3000
    answer = ford.ok("play", "ford", file, "--json").json
    assert (answer["orders"], len(answer["skipped"])) == (3000 - recorded, recorded)
    assert points(ford) == 3000


class TestAnotherFile:
    def test_shorter_file_after_one_with_ids_is_played(self, ford: Terminal) -> None:
        first = [*({**one, "id": f"mail-{at}"} for at, one in enumerate(paid(1, 2))), *paid(4)]
        ford.ok("play", "ford", ford.orders(*first, name="mail.jsonl"))
        for name, amount in (("second.jsonl", 8), ("mail.jsonl", 16)):
            answer = ford.ok("play", "ford", ford.orders(*paid(amount), name=name), "--json")
            assert (answer.json["orders"], answer.json["skipped"]) == (1, [])
        assert points(ford) == 31

    def test_same_beginning_and_another_end_is_played(self, ford: Terminal) -> None:
        ford.ok("play", "ford", ford.orders(*paid(1, 2, 4), name="monday.jsonl"))
        answer = ford.ok("play", "ford", ford.orders(*paid(1, 2, 8), name="tuesday.jsonl"), "--json")
        assert (answer.json["orders"], answer.json["skipped"]) == (3, [])
        assert points(ford) == 7 + 11

    @pytest.mark.parametrize("amounts", [(1, 2), (1,), (1, 2, 4)])
    def test_file_with_the_same_beginning_is_refused(self, ford: Terminal, amounts: tuple[int, ...]) -> None:
        ford.ok("play", "ford", ford.orders(*paid(1, 2), name="monday.jsonl"))
        tuesday = ford.orders(*paid(*amounts), name="tuesday.jsonl")
        assert refused_at(ford, tuesday) == "tuesday.jsonl, line 1"
        assert refused_at(ford, tuesday, "--check") == "tuesday.jsonl, line 1"
        ford.ok("play", "ford", tuesday, "--again")
        assert points(ford) == 3 + sum(amounts)

    def test_same_name_in_another_folder_is_refused(self, ford: Terminal) -> None:
        for folder in ("a", "b"):
            (ford.folder / folder).mkdir()
            ford.orders(*paid(1, 2), name=f"{folder}/orders.jsonl")
        ford.ok("play", "ford", "a/orders.jsonl")
        assert refused_at(ford, "b/orders.jsonl") == "orders.jsonl, line 1"

    def test_renamed_file_resumes_on_request(self, ford: Terminal) -> None:
        ford.ok("play", "ford", ford.orders(*paid(1, 2), name="monday.jsonl"))
        (ford.folder / "monday.jsonl").rename(ford.folder / "harbour.jsonl")
        ford.orders(*paid(1, 2, 4), name="harbour.jsonl")
        assert refused_at(ford, "harbour.jsonl") == "harbour.jsonl, line 1"
        answer = ford.ok("play", "ford", "harbour.jsonl", "--resume", "--json")
        assert skipped(answer) == [(1, "recorded"), (2, "recorded")]
        assert skipped(ford.ok("play", "ford", "harbour.jsonl", "--json"))[2:] == [(3, "recorded")]
        assert points(ford) == 7

    def test_resume_of_an_unknown_file_is_refused(self, ford: Terminal) -> None:
        ford.ok("play", "ford", ford.orders(*paid(1, 2), name="monday.jsonl"))
        assert refused_at(ford, ford.orders(*paid(4), name="new.jsonl"), "--resume") == "new.jsonl, line 1"
        assert refused_at(ford, ford.orders(*paid(1, 4), name="new.jsonl"), "--resume") == "new.jsonl, line 2"

    def test_older_file_is_found_among_newer_ones(self, ford: Terminal) -> None:
        monday = ford.orders(*paid(1, 2), name="monday.jsonl")
        ford.ok("play", "ford", monday)
        ford.ok("play", "ford", ford.orders(*paid(1), name="tuesday.jsonl"), "--again")
        assert skipped(ford.ok("play", "ford", monday, "--json")) == [(1, "recorded"), (2, "recorded")]
        assert points(ford) == 4

    def test_another_game_records_all_of_it(self, ford: Terminal) -> None:
        ford.new("other")
        file = ford.orders(*paid(1, 2))
        for game in ("ford", "other"):
            assert ford.ok("play", game, file, "--json").json["orders"] == 2
        assert (points(ford), points(ford, "other")) == (3, 3)


class TestOnPurpose:
    def test_again_rolls_new_dice_each_time(self, terminal: Terminal) -> None:
        text = (terminal.folder / "scenario.toml").read_text(encoding="utf-8").replace('"table"', '"ledger"')
        terminal.write("scenario.toml", text)
        terminal.new()
        file = terminal.orders({"as": "red", "order": "roll", "dice": "20d100", "purpose": "fate"})
        for more in ((), ("--again",), ("--again",)):
            assert terminal.ok("play", "ford", file, *more, "--json").json["orders"] == 1
        rolls = terminal.ok("dice", "ford", "--json").out
        assert rolls.count('"fate"') >= 3

    def test_again_with_a_recorded_id_is_refused(self, ford: Terminal) -> None:
        file = ford.orders(*paid(1), {**paid(2)[0], "id": "mail-2"})
        ford.ok("play", "ford", file)
        assert refused_at(ford, file, "--again") == "orders.jsonl, line 2"

    def test_again_and_resume_exclude_each_other(self, ford: Terminal) -> None:
        assert ford.type("play", "ford", ford.orders(*paid(1)), "--again", "--resume").code == 2

    def test_from_a_line_skips_recorded_ones(self, ford: Terminal) -> None:
        ford.type("play", "ford", ford.orders(*paid(1, 2, "many", 8)))
        answer = ford.ok("play", "ford", "orders.jsonl", "--from", "4", "--json")
        assert (answer.json["orders"], answer.json["skipped"]) == (1, [])
        ford.orders(*paid(1, 2, 4, 8))
        assert refused_at(ford, "orders.jsonl") == "orders.jsonl, line 3"
        assert points(ford) == 11

    def test_standard_input_is_played_as_it_comes(self, ford: Terminal) -> None:
        text = "\n".join(map(json.dumps, paid(1, 2)))
        for _ in range(2):
            answer = ford.type("play", "ford", "-", "--json", stdin=text)
            assert (answer.json["orders"], answer.json["skipped"]) == (2, [])
        assert refused_at(ford, str(ford.write("saved.jsonl", text))) == "saved.jsonl, line 1"
        assert ford.type("play", "ford", "-", "--resume", stdin=text).code == 2


class TestOwnIds:
    def test_known_ids_are_listed(self, ford: Terminal) -> None:
        file = ford.orders(*({**one, "id": f"mail-{at}"} for at, one in enumerate(paid(1, 2))))
        ford.ok("play", "ford", file)
        answer = ford.ok("play", "ford", file, "--json")
        assert skipped(answer) == [(1, "same id"), (2, "same id")]
        assert " 1-2 (#4-#5)" in ford.ok("play", "ford", file).out

    def test_id_added_to_a_recorded_line_records_nothing(self, ford: Terminal) -> None:
        ford.ok("play", "ford", ford.orders(*paid(1, 2)))
        file = ford.orders(*({**one, "id": f"mail-{at}"} for at, one in enumerate(paid(1, 2))))
        assert skipped(ford.ok("play", "ford", file, "--json")) == [(1, "recorded"), (2, "recorded")]
        assert points(ford) == 3

    def test_id_taken_off_a_recorded_line_is_refused(self, ford: Terminal) -> None:
        ford.ok("play", "ford", ford.orders({**paid(1)[0], "id": "mail-1"}, *paid(2)))
        assert refused_at(ford, ford.orders(*paid(1, 2))) == "orders.jsonl, line 1"

    def test_rewound_id_is_refused(self, ford: Terminal) -> None:
        file = ford.orders(*({**one, "id": f"mail-{at}"} for at, one in enumerate(paid(1, 2))))
        ford.ok("play", "ford", file)
        ford.ok("rewind", "ford", "--to", f"#{ford.size() - 1}", "--why", "too early")
        answer = ford.type("play", "ford", file, "--json")
        assert (answer.code, answer.error["where"]) == (3, "orders.jsonl, line 2")
        assert points(ford) == 1

    def test_order_undone_by_its_own_file_is_listed(self, ford: Terminal) -> None:
        orders = [{**one, "id": f"mail-{at}"} for at, one in enumerate([*paid(1), {"as": "red", "order": "undo"}])]
        file = ford.orders(*orders, *paid(2))
        ford.ok("play", "ford", file)
        assert skipped(ford.ok("play", "ford", file, "--json"))[0] == (1, "rewound")
        assert points(ford) == 2


class TestAfterARewind:
    def test_rewound_orders_are_recorded_again(self, ford: Terminal) -> None:
        file = ford.orders(*paid(1, 2, 4))
        ford.ok("play", "ford", file)
        ford.ok("undo", "ford", "--as", "red")
        assert skipped(ford.ok("play", "ford", file, "--json")) == [(1, "recorded"), (2, "recorded")]
        assert points(ford) == 7

    def test_note_that_stays_is_not_written_twice(self, ford: Terminal) -> None:
        file = ford.orders(*paid(1), {"as": "red", "order": "note", "text": "fog"})
        ford.ok("play", "ford", file)
        ford.ok("rewind", "ford", "--to", "#3", "--why", "from the beginning")
        answer = ford.ok("play", "ford", file, "--json")
        assert (answer.json["orders"], skipped(answer)) == (1, [(2, "recorded")])
        assert (points(ford), ford.ok("export", "ford", "-o", "-").out.count('"text":"fog"')) == (1, 2)


class TestEarlierEdition:
    """Order ids of an earlier edition, which contain no mark of a path."""

    @pytest.fixture
    def old(self, ford: Terminal) -> Terminal:
        ford.ok("play", "ford", ford.orders(*paid(1, 2)))
        ford.ok("new", "freeform", "--id", "old", "--scenario", "scenario.toml")
        for number, order in enumerate(paid(1, 2), 1):
            line = json.dumps({**order, "id": f"{MARK}0a1b2c3d-{number}-0000000{number}"})
            ford.ok("order", "old", line)
        return ford

    def test_file_resumes_on_request(self, old: Terminal) -> None:
        file = old.orders(*paid(1, 2, 4))
        assert old.type("play", "old", file, "--json").error["where"] == "orders.jsonl, line 1"
        assert points(old, "old") == 3
        answer = old.ok("play", "old", file, "--resume", "--json")
        assert [one["line"] for one in answer.json["skipped"]] == [1, 2]
        old.ok("play", "old", file)
        assert points(old, "old") == 7

    def test_changed_file_is_refused(self, old: Terminal) -> None:
        error = old.type("play", "old", old.orders(*paid(1, 3)), "--json")
        assert (error.code, error.error["where"]) == (3, "orders.jsonl, line 2")

    def test_other_file_is_played(self, old: Terminal) -> None:
        old.ok("play", "old", old.orders(*paid(8)))
        assert points(old, "old") == 11


class TestOneFileTwiceAtOnce:
    def test_second_writer_records_no_line_twice(self, ford: Terminal) -> None:
        file = ford.orders(*paid(*[1] * 40))
        processes = [
            subprocess.Popen(
                ford.command("play", "ford", file),
                cwd=ford.folder,
                env=ford.environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for _ in range(2)
        ]
        for process in processes:
            process.wait(60)
        ford.ok("play", "ford", file)
        assert points(ford) == 40


def test_order_ids_do_not_hold_the_path(ford: Terminal) -> None:
    ford.ok("play", "ford", ford.orders(*paid(1), name="secret-plan.jsonl"))
    log = ford.ok("export", "ford", "-o", "-").out
    assert '"command":"file-' in log
    assert "secret-plan" not in log
