"""Check refusals of bad input: four parts, exit code, no change to the ledger, no traceback."""

import json
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.terminal import Answer, Terminal, without_root
from tests.face.cli import COMMANDS, RENAMED, refusal_of
from tests.face.domain import EVERYWHERE, GENERIC_ORDERS


def refused(
    answer: Answer,
    exit_code: int,
    code: str,
    *,
    rule: str | None = "",
    where: str = "",
    names: str = "",
    do: str = "",
    **fields: Any,
) -> None:
    """Check that an error in JSON has this code, these fields, and these names in its fault, place and remedy."""
    assert answer.code == exit_code, answer
    error = answer.error
    assert error["refusal_code"] == code, error
    assert rule in (None, error["rule"]), error
    assert where in error["where"], error
    assert names in error["what"], error
    assert do in error["remedy"], error
    assert fields.items() <= dict(error["fields"]).items(), error


class TestOrders:
    @pytest.fixture(autouse=True)
    def _nothing_is_recorded(self, ford: Terminal) -> object:
        before = ford.size()
        yield
        assert ford.size() == before

    def test_order_of_an_unknown_seat_is_refused(self, ford: Terminal) -> None:
        answer = ford.give_json("purple", "move", unit="r1", path=["0201"])
        refused(answer, 3, "no-such-seat", rule="seats", seat="purple", known="red, blue, referee")

    def test_referee_order_from_a_player_is_refused(self, ford: Terminal) -> None:
        answer = ford.give_json("red", "peek", who="blue", reason="curious")
        refused(answer, 3, "only-for-the-referee", rule="seats", order="peek")

    def test_unknown_order_of_an_amendment_is_refused(self, ford: Terminal) -> None:
        """Read the words of the order from the line, which has the position of each word."""
        refused(ford.type_json("amend", "ford", "1", "mvoe", "r1", "--why", "x"), 3, "no-such-order-nearest", rule=None)

    def test_typed_names_of_a_refusal_are_plain_text(self, ford: Terminal) -> None:
        """Refuse a name in an amended order and a list of names; JSON cannot encode words with positions."""
        for words in (("move", "r9", "0201"), ("hide", "--units", "r1,r9"), ("move", "r1", "0201,9999")):
            answer = ford.type_json("amend", "ford", "1", *words, "--why", "x")
            assert (answer.code != 0, isinstance(answer.error["fields"], dict)) == (True, True), answer

    def test_unknown_order_suggests_the_nearest(self, ford: Terminal) -> None:
        answer = ford.give_json("red", "mvoe", unit="r1", path=["0201"])
        refused(answer, 3, "no-such-order-nearest", rule="orders", name="mvoe", near=["move"])

    def test_unknown_unit_is_refused(self, ford: Terminal) -> None:
        answer = ford.give_json("red", "move", unit="r9", path=["0201"])
        refused(answer, 3, "unknown-name", rule="units", names=" r9", do="`umpire units`")

    def test_missing_misspelt_or_invalid_argument_is_refused(self, ford: Terminal) -> None:
        for arguments, names in (
            ({"unit": "r1"}, "`path`"),
            ({"unit": "r1", "path": ["0201"], "fast": True}, "`fast`"),
            ({"unit": "r1", "path": []}, "`$.path`"),
            ({"unit": 7, "path": ["0201"]}, "$.unit"),
        ):
            answer = ford.give_json("red", "move", **arguments)
            refused(answer, 3, "unreadable-order", rule=None, names=names, do=" freeform move`")
        answer = ford.give_json("red", "pay", account="vp", amount=2**60)
        refused(answer, 3, "unreadable-order", rule=None, names="$.amount", do=" freeform pay`")

    def test_result_of_7_on_a_d6_is_refused(self, ford: Terminal) -> None:
        answer = ford.give_json("red", "roll", purpose="to hit", dice="1d6", pips=[7])
        refused(answer, 3, "no-such-face", rule="dice", limit=6, given=7)

    def test_too_few_and_too_many_pips(self, ford: Terminal) -> None:
        answer = ford.give_json("red", "roll", purpose="to hit", dice="2d6", pips=[3])
        refused(answer, 3, "pips-missing", rule="dice", number=2, faces=6, as_json='"pips": [N, N]')
        answer = ford.give_json("red", "roll", purpose="to hit", dice="2d6", pips=[3, 4, 5])
        refused(answer, 3, "too-many-pips", rule="dice", unused=1, given=3, pips="[5]")

    def test_dice_that_are_none(self, ford: Terminal) -> None:
        answer = ford.give_json("red", "roll", purpose="to hit", dice="two dice", pips=[3])
        refused(answer, 3, "not-dice", rule="dice", do="2d6", dice="two dice")

    def test_malformed_json_is_shown_by_line_and_column(self, ford: Terminal) -> None:
        answer = ford.type_json("order", "ford", '{"order": "move",\n "unit" "r1"}', "--as", "red")
        refused(answer, 2, "wrong-use", where=" 2,", do='{"order": "done"}')
        assert answer.error["where"].endswith(" 9")

    def test_json_other_than_an_object_is_refused(self, ford: Terminal) -> None:
        answer = ford.type_json("order", "ford", "[1, 2]")
        refused(answer, 2, "wrong-use", names="`array`", do='{"order": "done"}')

    def test_order_without_a_name_is_refused(self, ford: Terminal) -> None:
        answer = ford.type_json("order", "ford", "{}", "--as", "red")
        refused(answer, 3, "order-name-missing-nearest", rule="orders", near=["note"])

    def test_choice_is_sealed_once_and_revealed_only_if_sealed(self, ford: Terminal) -> None:
        answer = ford.give_json("red", "reveal", question="flank")
        refused(answer, 3, "nothing-sealed", rule="sealed choices", do="`seal-choice`", question="flank")

    def test_with_json_an_error_is_one_object(self, ford: Terminal) -> None:
        answer = ford.type("order", "ford", '{"order": "move", "unit": "r9", "path": ["1"]}', "--as", "red", "--json")
        assert set(answer.error) == {"error", "what", "where", "rule", "remedy", "refusal_code", "fields"}
        assert answer.error["error"] == "refused"
        assert answer.code == 3

    def test_usage_errors_are_json_too(self, ford: Terminal) -> None:
        answer = ford.type("status", "--json")
        assert answer.code == 2
        assert answer.error["error"] == "usage"

    def test_unknown_game_command_title_or_position_is_refused(self, ford: Terminal) -> None:
        refused(ford.type_json("status", "froD"), 6, "unknown", where="froD", do=" ford?")
        answer = ford.type_json("sequence", "war-gallery")
        refused(answer, 6, "no-such-title", rule="titles", names="war-gallery", do="war-galley")
        refused(ford.type_json("status", "ford", "--at", "999"), 6, "unknown", where="#3", names="#999")
        answer = ford.type_json("rewind", "ford", "--to", "999")
        refused(answer, 6, "no-such-position", rule="rewind", found=999, tip=3)
        answer = ford.type("stauts", "ford")
        assert answer.code == 2
        assert " status?" in answer.err

    @pytest.mark.parametrize(
        "order", sorted({one.tag() for one in (*EVERYWHERE, *GENERIC_ORDERS)} - {*COMMANDS, *RENAMED})
    )
    def test_order_typed_as_a_command_explains_how_to_give_it(self, ford: Terminal, order: str) -> None:
        answer = ford.type(order, "ford")
        assert answer.code == 2
        assert f" GAME {order}`" in answer.err
        typed = ford.type_json("order", "ford", order, "--as", "referee")
        unknown = bool(typed.err) and typed.error["refusal_code"].startswith("no-such-order")
        assert unknown == (order == "pick"), "it is about steps, of which freeform has none"

    def test_view_as_an_unknown_seat_is_refused(self, ford: Terminal) -> None:
        for words in (
            ("status", "ford"),
            ("units", "ford"),
            ("audit", "ford"),
            ("undo-points", "ford"),
            ("diff", "ford", "1", "2"),
        ):
            answer = ford.type_json(*words, "--as", "purple")
            refused(answer, 3, "no-such-seat", rule="seats", names="purple", do="referee, red, blue, spectator")


class TestTheSameOrderTwice:
    def test_same_order_id_repeats_the_first_answer(self, ford: Terminal) -> None:
        first = ford.give_json("red", "move", unit="r1", path=["0201"], id="red-1").json
        size = ford.size()
        second = ford.give_json("red", "move", unit="r1", path=["0201"], id="red-1").json
        assert (first["repeated"], second["repeated"]) == (False, True)
        assert (second["position"], second["told"]) == (4, first["told"])
        assert ford.size() == size

    def test_file_played_twice_is_recorded_once(self, ford: Terminal) -> None:
        file = ford.orders(
            {"as": "red", "order": "pay", "account": "vp", "amount": 1, "id": "1"},
            {"as": "red", "order": "pay", "account": "vp", "amount": 1, "id": "2"},
        )
        first, second = (ford.ok("play", "ford", file, "--json").json for _ in range(2))
        assert (first["orders"], first["repeated"]) == (2, 0)
        assert (second["orders"], second["repeated"]) == (0, 2)
        assert ford.ok("status", "ford", "--json").json["accounts"] == {"vp": 2}


class TestAFileOfOrders:
    def lines(self, count: int) -> list[dict[str, object]]:
        return [{"as": "red", "order": "pay", "account": "vp", "amount": 1} for _ in range(count)]

    def test_order_file_fails_at_line_57(self, ford: Terminal) -> None:
        orders = [*self.lines(56), {"as": "red", "order": "pay", "account": "vp", "amount": "many"}, *self.lines(10)]
        answer = ford.type_json("play", "ford", ford.orders(*orders))
        refused(answer, 3, "unreadable-order", rule=None, names="pay: ", do=" 56 ", name="pay")
        assert answer.error["where"].startswith("orders.jsonl, line 57 ")
        assert ford.ok("status", "ford", "--json").json["accounts"] == {"vp": 56}

    def test_its_line_57_is_not_json(self, ford: Terminal) -> None:
        text = "".join(json.dumps(one) + "\n" for one in self.lines(56)) + '{"as": "red" "order": "pay"}\n'
        file = ford.write("broken.jsonl", text)
        answer = ford.type_json("play", "ford", str(file))
        refused(answer, 2, "wrong-use", where="broken.jsonl, line 57", do='{"order": "done"}')
        assert answer.error["where"].endswith(" 14")
        assert ford.ok("status", "ford", "--json").json["accounts"] == {"vp": 56}

    def test_with_check_nothing_is_recorded(self, ford: Terminal) -> None:
        before = ford.size()
        file = ford.orders(*self.lines(20), {"as": "red", "order": "undo"})
        answer = ford.ok("play", "ford", file, "--check", "--json").json
        assert (answer["orders"], answer["recorded"]) == (21, False)
        assert ford.size() == before

    def test_missing_order_file_is_refused(self, ford: Terminal) -> None:
        refused(ford.type_json("play", "ford", "nowhere.jsonl"), 2, "wrong-use", names="nowhere.jsonl")

    def test_ctrl_c_in_the_middle_stops_between_two_orders(self, ford: Terminal) -> None:
        file = ford.orders(*self.lines(20_000))
        process = subprocess.Popen(
            ford.command("play", "ford", file), cwd=ford.folder, env=ford.environment, stderr=subprocess.PIPE, text=True
        )
        wait_for(lambda: count(ford.folder / "umpire.db") > 100)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
        assert process.returncode == 130
        assert "Traceback" not in said
        assert "Interrupted" in said
        recorded = ford.size() - 3
        assert 0 < recorded < 20_000
        assert ford.ok("status", "ford", "--json").json["accounts"] == {"vp": recorded}
        assert ford.ok("verify", "ford").out.startswith("VALID")

    def test_kill_9_in_the_middle_leaves_whole_orders(self, ford: Terminal) -> None:
        file = ford.orders(
            *({"as": "red", "order": "seal-choice", "question": f"q{n}", "choice": n} for n in range(20_000))
        )
        process = subprocess.Popen(ford.command("play", "ford", file), cwd=ford.folder, env=ford.environment)
        wait_for(lambda: count(ford.folder / "umpire.db") > 100)
        process.kill()
        process.wait(timeout=30)
        assert ford.ok("verify", "ford").out.startswith("VALID")
        recorded = ford.size() - 3
        assert recorded % 2 == 0, "half an order was recorded"


def wait_for(condition: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def count(ledger: Path) -> int:
    with sqlite3.connect(f"file:{ledger}?mode=ro", uri=True) as connection:
        found: int = connection.execute("SELECT count(*) FROM record").fetchone()[0]
        return found


class TestOpening:
    @pytest.mark.parametrize(
        ("words", "code"),
        [
            (("freeform", "--id", "ford", "--scenario", "misspelt.toml"), 2),
            (("freeform", "--id", "ford", "--scenario", "missing.toml"), 2),
            (("freeform", "--id", "the ford", "--scenario", "scenario.toml"), 2),
            (("freeform", "--id", "ford", "--scenario", "scenario.toml", "--option", "k=9999999999999999999"), 3),
            (("war-galley", "--id", "ford", "--scenario", "scenario.toml"), 2),
            (("no-such-title", "--id", "ford", "--scenario", "scenario.toml"), 6),
        ],
    )
    def test_refused_new_game_leaves_no_ledger(self, terminal: Terminal, words: tuple[str, ...], code: int) -> None:
        text = (terminal.folder / "scenario.toml").read_text().replace("attributes =", "atributes =")
        terminal.write("misspelt.toml", text)
        before = sorted(terminal.folder.iterdir())
        assert terminal.type("new", *words).code == code
        assert sorted(terminal.folder.iterdir()) == before

    def test_misspelt_key_is_named_with_its_path(self, terminal: Terminal) -> None:
        text = (terminal.folder / "scenario.toml").read_text().replace("attributes =", "atributes =")
        terminal.write("misspelt.toml", text)
        answer = terminal.type_json("new", "freeform", "--id", "ford", "--scenario", "misspelt.toml")
        refused(answer, 2, "scenario-error", rule=None, where="$.units[0]", names=" atributes", do=" attributes?")

    def test_toml_that_is_none_is_shown_by_line_and_column(self, terminal: Terminal) -> None:
        terminal.write("broken.toml", 'title = "freeform"\nname = \n')
        answer = terminal.type_json("new", "freeform", "--id", "ford", "--scenario", "broken.toml")
        refused(answer, 2, "scenario-error", rule=None, where=" 2, ", names="TOML")

    def test_units_of_no_side_and_two_of_one_name(self, terminal: Terminal) -> None:
        text = (terminal.folder / "scenario.toml").read_text()
        terminal.write("side.toml", text.replace('side = "blue"', 'side = "green"'))
        terminal.write("twice.toml", text.replace('id = "b1"', 'id = "r1"'))
        answer = terminal.type_json("new", "freeform", "--id", "ford", "--scenario", "side.toml")
        refused(answer, 2, "scenario-error", rule=None, where="$.units[1].side", names="green", do="blue, red")
        answer = terminal.type_json("new", "freeform", "--id", "ford", "--scenario", "twice.toml")
        refused(answer, 2, "scenario-error", rule=None, where="$.units[1].id", names="r1")

    def test_existing_game_id_is_refused(self, ford: Terminal) -> None:
        answer = ford.type_json("new", "freeform", "--id", "ford", "--scenario", "scenario.toml")
        refused(answer, 2, "usage", where="ford", names="ford")

    def test_pips_in_a_game_with_ledger_dice(self, terminal: Terminal) -> None:
        terminal.new("ford", "--dice", "ledger")
        answer = terminal.give_json("red", "roll", purpose="to hit", dice="1d6", pips=[6])
        refused(answer, 3, "ledger-rolls", rule="dice", do="`--dice table`")

    def test_roll_without_results_is_refused_with_table_dice(self, ford: Terminal) -> None:
        answer = ford.give_json("red", "roll", purpose="to hit", dice="1d6")
        refused(answer, 3, "pips-missing", rule="dice", number=1, faces=6, as_json='"pips": [N]')

    def test_scenario_of_another_title_is_refused(self, terminal: Terminal) -> None:
        answer = terminal.type("new", "war-galley", "--id", "ford", "--scenario", "scenario.toml")
        assert answer.code == 2
        assert "freeform" in answer.err


class TestReplayLogs:
    @pytest.fixture
    def log(self, ford: Terminal) -> Path:
        for number in range(10):
            ford.give("red", "pay", account="vp", amount=number)
        ford.ok("export", "ford", "-o", "ford.jsonl")
        return ford.folder / "ford.jsonl"

    def damaged(self, log: Path, change: Callable[[list[bytes]], list[bytes]]) -> str:
        file = log.with_name("damaged.jsonl")
        file.write_bytes(b"".join(change(log.read_bytes().splitlines(keepends=True))))
        return str(file)

    @pytest.mark.parametrize(
        ("fault", "change", "verdict"),
        [
            ("cut short", lambda lines: lines[:8], "INCOMPLETE"),
            ("cut inside a line", lambda lines: [*lines[:8], lines[8][:40]], "INCOMPLETE"),
            (
                "a flipped bit",
                lambda lines: [*lines[:6], lines[6].replace(b'"amount":2', b'"amount":3'), *lines[7:]],
                "INVALID",
            ),
            ("two lines swapped", lambda lines: [*lines[:6], lines[7], lines[6], *lines[8:]], "INVALID"),
            ("a line doubled", lambda lines: [*lines[:7], *lines[6:]], "INVALID"),
            ("a line left out", lambda lines: [*lines[:6], *lines[7:]], "INVALID"),
            ("a future format", lambda lines: [lines[0].replace(b'"format":1', b'"format":99'), *lines[1:]], "INVALID"),
            ("no replay log", lambda lines: [b"hello\n"], "INVALID"),
            ("empty", lambda lines: [], "INCOMPLETE"),
        ],
    )
    def test_damaged_log_is_detected_and_not_imported(
        self, ford: Terminal, log: Path, fault: str, change: Callable[[list[bytes]], list[bytes]], verdict: str
    ) -> None:
        file = self.damaged(log, change)
        answer = ford.type("verify", file, "--json")
        assert answer.code == 5, fault
        assert answer.json["verdict"] == verdict, (fault, answer)
        imported = ford.type("import", file, "--ledger", "other.db")
        assert imported.code == 5, (fault, imported)
        assert imported.err.startswith("Error: ")
        assert not list(ford.folder.glob("other*")), "no empty ledger is left behind"
        ford.ok("import", str(log), "--ledger", "other.db")
        again = ford.type("import", file, "--ledger", "other.db")
        assert again.code == 5, (fault, again)
        assert len(ford.ok("games", "--ledger", "other.db", "--json").json) == 1

    def test_first_bad_position_is_named(self, ford: Terminal, log: Path) -> None:
        file = self.damaged(log, lambda lines: [*lines[:6], lines[7], lines[6], *lines[8:]])
        assert ford.type("verify", file, "--json").json["first_bad"] == 6

    def test_log_of_a_missing_title_can_be_read_but_not_played(self, ford: Terminal) -> None:
        from tests.cli.other_title import record_a_game_of_another_title  # noqa: PLC0415 -- as above
        from umpire_ledger.ledger.ledger import Ledger  # noqa: PLC0415 -- a log nobody can make at the command line

        with Ledger.open(ford.folder / "alien.db", record_a_game_of_another_title.folding) as ledger:
            record_a_game_of_another_title(ledger)
        view = ford.ok("status", "alien", "--ledger", "alien.db").out
        assert "crater-of-doom" in view
        answer = ford.type_json("order", "alien", '{"order": "note", "text": "x"}', "--ledger", "alien.db")
        refused(answer, 6, "no-such-title", rule="titles", names="crater-of-doom", do="freeform")

    def test_log_imports_once_and_another_of_its_name_is_refused(self, ford: Terminal, log: Path) -> None:
        ford.ok("import", str(log), "--ledger", "other.db")
        ford.ok("import", str(log), "--ledger", "other.db")
        assert len(ford.ok("games", "--ledger", "other.db", "--json").json) == 1
        ford.new("ford", "--ledger", "third.db")
        answer = ford.type_json("import", str(log), "--ledger", "third.db")
        refused(answer, 2, "usage", where="ford", names=" 3 ")


class TestTheStore:
    def test_missing_ledger_is_an_error(self, terminal: Terminal) -> None:
        refused(terminal.type_json("status", "ford"), 7, "store", where="umpire.db", names="umpire.db")

    def test_file_that_is_not_a_ledger_is_an_error(self, terminal: Terminal) -> None:
        terminal.write("umpire.db", "a shopping list, long enough not to be taken for an empty file" * 20)
        refused(terminal.type_json("games"), 7, "store", where="umpire.db", names="file is not a database")

    def test_locked_ledger_is_an_error(self, ford: Terminal) -> None:
        lock = sqlite3.connect(ford.folder / "umpire.db", isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        try:
            answer = ford.give_json("red", "move", unit="r1", path=["0201"])
            refused(answer, 7, "store", where="umpire.db", names="database is locked")
        finally:
            lock.execute("ROLLBACK")
        assert ford.give("red", "move", unit="r1", path=["0201"]).code == 0

    def test_read_only_ledger_is_an_error(self) -> None:
        """Run as an ordinary user, because root may write everywhere."""
        with tempfile.TemporaryDirectory() as name:
            terminal = Terminal(Path(name))
            terminal.new()
            terminal.folder.chmod(0o555)
            for file in terminal.folder.iterdir():
                file.chmod(0o444)
            try:
                wrote = without_root(lambda: terminal.give_json("red", "move", unit="r1", path=["0201"]))
                looked = without_root(lambda: terminal.type("status", "ford"))
            finally:
                terminal.folder.chmod(0o755)
        refused(wrote, 7, "store", where="umpire.db", names="umpire.db")
        assert looked.code == 0
        assert "Skirmish at the ford" in looked.out

    def test_full_disk_is_an_error(self, ford: Terminal) -> None:
        """Simulate a full disk by a limit on file size, reached in the middle of a file of orders."""
        file = ford.orders(*({"as": "red", "order": "note", "text": "x" * 1500} for _ in range(400)))
        limit = "import resource, sys, runpy; resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000));"
        run = f"{limit} sys.argv = ['umpire', 'play', 'ford', {file!r}]; "
        run += "runpy.run_module('umpire_ledger.cli.main', run_name='__main__')"
        done = subprocess.run(
            [ford.command()[0], "-c", run],
            cwd=ford.folder,
            env=ford.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 7, done
        assert "of the file" in done.stderr
        assert "Traceback" not in done.stderr
        assert ford.ok("verify", "ford").out.startswith("VALID")
        assert ford.give("red", "move", unit="r1", path=["0201"]).code == 0

    def test_order_after_another_process_wrote_is_an_error(self, ford: Terminal) -> None:
        from umpire_ledger.desk.core.open_ledger import open_ledger  # noqa: PLC0415 -- two hands at one table need two ledgers
        from umpire_ledger.desk.orders.sessions import open_session  # noqa: PLC0415 -- two hands at one table need two ledgers
        from umpire_ledger.ledger.records.errors import PositionConflict  # noqa: PLC0415 -- as above

        with open_ledger(ford.folder / "umpire.db") as one, open_ledger(ford.folder / "umpire.db") as other:
            slow, quick = open_session(one, "ford"), open_session(other, "ford")
            quick.order({"as": "blue", "order": "move", "unit": "b1", "path": ["0202"]})
            with pytest.raises(PositionConflict) as refusal:
                slow.order({"as": "red", "order": "move", "unit": "r1", "path": ["0201"]})
            assert one.size("ford") == 4, "nothing of the late order is recorded"
        assert (refusal.value.expected, refusal.value.found) == (3, 4)
        assert "#4 blue: b1 " in refusal.value.remedy
        assert refusal_of(refusal.value).code == 4
