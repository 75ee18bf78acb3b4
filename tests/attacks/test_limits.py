"""Every reader has limits, says them, and keeps them in a moment: no traceback, no hang, nothing recorded."""

import gc
import json
import time
from collections.abc import Iterator
from itertools import accumulate, pairwise
from pathlib import Path

import pytest

from tests.cli.terminal import Answer, Terminal
from tests.face.domain import ScenarioError, scenario_limits
from tests.face.ledger import CannotBeWritten, check_object, limits
from tests.naming import Naming

AS_MANY = 24
"""Limit in units of `_work`, which takes an eighth of a second on a machine of the year 2026. The slowest test takes
four times that alone, and twice as long next to tests that want the same memory; quadratic growth would take minutes.
"""
BIG = "9" * 5000
HEAD = 'title = "freeform"\nname = "x"\nsides = [{ id = "red", name = "Red" }]\n'


def refused(answer: Answer, *limit: str | int, code: int = 2) -> None:
    """Check for an error of four parts: fault, place, limit with these figures, remedy."""
    assert answer.code == code, answer
    assert not answer.out
    lines = answer.err.splitlines()
    assert [line[:8] for line in lines[1:]] == ["  at:   ", "  rule: ", "  do:   "], answer.err
    assert lines[0].startswith("Error: ")
    assert lines[2] == Naming(*limit), answer.err
    assert max(map(len, lines)) < 2100, "a message does not repeat a book"


def _work() -> float:
    """Return this thread's CPU seconds for a fixed amount of work, the best of three."""
    took = []
    for _ in range(3):
        start = time.thread_time()
        sum(number * number for number in range(1_500_000))
        took.append(time.thread_time() - start)
    return min(took)


@pytest.fixture(scope="module")
def _unit(tmp_path_factory: pytest.TempPathFactory) -> float:
    """Measure `_work` after the imports of a first command, which do not count.

    Objects of earlier tests are frozen for good, because a collection would look through them.
    """
    Terminal(tmp_path_factory.mktemp("warm")).new()
    gc.collect()
    gc.freeze()
    return _work()


@pytest.fixture(autouse=True)
def _quickly(_unit: float) -> Iterator[None]:
    """Compare this thread's CPU seconds with those of a fixed amount of work, so that a slow machine fails nothing."""
    start = time.thread_time()
    yield
    assert time.thread_time() - start < AS_MANY * _unit


@pytest.fixture
def ford(terminal: Terminal) -> Terminal:
    terminal.new()
    return terminal


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path)


def nested(levels: int) -> str:
    return '{"order": "rule", "orders": ' + "[" * (levels - 1) + "]" * (levels - 1) + "}"


class TestOrders:
    LIMITS = (1, "MiB", 64, 20)

    @pytest.mark.parametrize("levels", [65, 900, 3_000, 100_000])
    def test_depth(self, ford: Terminal, levels: int) -> None:
        refused(ford.type("order", "ford", "-", stdin=nested(levels)), *self.LIMITS)
        carried = ("rule", "ford", "x", "--why", "y", "--grounds", "house", "--order", nested(levels))
        refused(ford.type(*carried), *self.LIMITS)
        refused(ford.type("amend", "ford", "#4", nested(levels), "--why", "x"), *self.LIMITS)

    def test_as_deep_as_may_be(self, ford: Terminal) -> None:
        answer = ford.type("order", "ford", "-", stdin=nested(64))
        assert answer.code == 3
        assert "rule: rule" not in answer.err
        assert "limits" not in answer.err

    @pytest.mark.parametrize("number", [BIG, "9" * 21, f"-{BIG}", f"0.{BIG}"], ids=["big", "21", "minus", "fraction"])
    def test_digits(self, ford: Terminal, number: str) -> None:
        order = f'{{"order": "pay", "account": "vp", "amount": {number}}}'
        refused(ford.type("order", "ford", order, "--as", "red"), *self.LIMITS)

    def test_digits_in_a_text_are_not_a_number(self, ford: Terminal) -> None:
        assert ford.give("red", "note", text=f'\\"{"9" * 1000}').code == 0

    def test_bytes(self, ford: Terminal) -> None:
        order = json.dumps({"order": "note", "text": "x" * 2**20})
        refused(ford.type("order", "ford", "-", stdin=order), *self.LIMITS)

    def test_file_with_bad_line_names_it_and_keeps_earlier_orders(self, ford: Terminal) -> None:
        good = '{"as": "red", "order": "pay", "account": "vp", "amount": 1}\n'
        for bad in (nested(70), json.dumps({"order": "note", "text": "x" * 2**20}), f'{{"order": {BIG}}}'):
            ford.write("orders.jsonl", good + bad + "\n" + good)
            answer = ford.type("play", "ford", "orders.jsonl")
            refused(answer, *self.LIMITS)
            assert "orders.jsonl, line 2" in answer.err
        assert ford.ok("status", "ford", "--json").json["accounts"] == {"vp": 1}

    def test_file_without_end_is_refused(self, ford: Terminal) -> None:
        refused(ford.type("play", "ford", "/dev/zero"), 64, "MiB")

    def test_record_beyond_reader_limits_cannot_be_written(self) -> None:
        for raw, why in (
            (b'{"a":' + b"[" * 99 + b"]" * 99 + b"}", Naming(99)),
            (b'{"a":' + b"9" * 21 + b"}", Naming(20)),
            (b'{"a":"' + b"x" * limits.MOST_OBJECT + b'"}', Naming(1, "MiB")),
        ):
            with pytest.raises(CannotBeWritten) as refusal:
                check_object(raw, "event", "g #1")
            assert str(refusal.value) == why


class TestArguments:
    def test_position_of_most_digits_is_read(self, ford: Terminal) -> None:
        answer = ford.type("why", "ford", f"#{'9' * 16}")
        assert answer.code == 6, "read, and there is no such record"

    @pytest.mark.parametrize(
        "words",
        [
            ("audit", "ford", "--from", BIG),
            ("audit", "ford", "--to", BIG),
            ("audit", "ford", "--last", BIG),
            ("audit", "ford", "--last", "9" * 17),
            ("status", "ford", "--at", f"#{BIG}"),
            ("units", "ford", "--at", BIG),
            ("diff", "ford", BIG, "1"),
            ("diff", "ford", "1", BIG),
            ("why", "ford", f"#{BIG}"),
            ("knew", "ford", "red", BIG),
            ("undo", "ford", "-n", BIG),
            ("undo-points", "ford", "--last", BIG),
            ("lines", "ford", "--last", BIG),
            ("refusals", "ford", "--last", BIG),
            ("rewind", "ford", "--to", BIG),
            ("rewind", "ford", "--to", f"#{BIG}"),
            ("rewind", "ford", "--to", f"turn {BIG}", "--preview"),
            ("ask-rewind", "ford", "--to", BIG, "--why", "x"),
            ("note", "ford", "x", "--about", BIG),
            ("amend", "ford", f"#{BIG}", "--drop", "--why", "x"),
            ("dispute", "open", "ford", BIG, "--claim", "x"),
            ("rule", "ford", "x", "--why", "y", "--grounds", "house", "--rewind", BIG),
            ("rule", "ford", "x", "--why", "y", "--grounds", "house", "--pips", BIG),
            ("fork", "ford", "--id", "copy", "--at", BIG),
            ("conformance", "ford", "--turn", BIG),
            ("sitrep", "ford", "--turn", BIG),
        ],
        ids=lambda words: " ".join(words).replace(BIG, "big"),
    )
    def test_digits(self, ford: Terminal, words: tuple[str, ...]) -> None:
        refused(ford.type(*words), 16)

    def test_digits_of_an_option(self, terminal: Terminal) -> None:
        words = ("new", "freeform", "--id", "n", "--scenario", "scenario.toml", "--option", f"k={BIG}")
        refused(terminal.type(*words), 20)

    def test_target_of_too_many_digits_in_order_is_not_found(self, ford: Terminal) -> None:
        for to in (f"#{BIG}", f"turn {BIG}", f"{BIG}"):
            assert ford.give("referee", "rewind", to=to).code in (3, 6)

    @pytest.mark.parametrize(
        "words",
        [
            ("status", "fo\udcffrd"),
            ("order", "ford", "\udcff"),
            ("note", "ford", "\udcff"),
            ("status", "ford", "--as", "\udcff"),
            ("verify", "\udcff.jsonl"),
            ("games", "--ledger", "\udcff.db"),
            ("\udcff",),
        ],
    )
    def test_argument_in_invalid_utf_8_is_refused(self, ford: Terminal, words: tuple[str, ...]) -> None:
        answer = ford.type(*words)
        refused(answer, "UTF-8")
        assert "<U+DCFF>" in answer.err
        assert "<U+DCFF>" in ford.type(*words, "--json").error["what"]

    @pytest.mark.parametrize("words", [("order", "ford", "-"), ("amend", "ford", "#1", "-", "--why", "x")])
    def test_nor_what_comes_by_standard_input(self, ford: Terminal, words: tuple[str, ...]) -> None:
        answer = ford.type(*words, stdin=b'{"order": "note", "text": "\xf3"}')
        refused(answer, "UTF-8")

    def test_nor_in_the_environment(self, ford: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("UMPIRE_SEAT", "\udcff")
        refused(ford.type("status", "ford"), "UTF-8")

    @pytest.mark.parametrize("name", ["x" * 300, "x" * 5000, "x/" * 3000], ids=["300", "5000", "folders"])
    @pytest.mark.parametrize(
        ("words", "codes"),
        [
            (("verify",), {6}),
            (("referee",), {6}),
            (("import",), {2}),
            (("play", "ford"), {2}),
            (("new", "freeform", "--id", "n", "--scenario"), {2}),
            (("verify", "ford", "--checkpoint"), {2}),
            (("export", "ford", "-o"), {2}),
            (("games", "--ledger"), {7}),
            (("status", "ford", "--ledger"), {7}),
            (("doctor", "--ledger"), {7}),
        ],
    )
    def test_name_impossible_for_a_file_is_refused(
        self, ford: Terminal, words: tuple[str, ...], codes: set[int], name: str
    ) -> None:
        assert ford.type(*words, name).code in codes

    def test_file_without_end_is_refused(self, ford: Terminal) -> None:
        refused(ford.type("new", "freeform", "--id", "n", "--scenario", "/dev/zero"), 1, "MiB")
        refused(ford.type("verify", "ford", "--checkpoint", "/dev/zero"), 64, "KiB")
        answer = ford.type_json("import", "/dev/zero")
        assert answer.code == 5
        assert (answer.error["error"], answer.error["where"]) == ("broken", "the log its header")


class TestScenarios:
    @pytest.mark.parametrize(
        ("body", "limit"),
        [
            ("victory." + ".".join("a" * 20_000) + " = 1", (16,)),
            ("victory." + ' . "a"' * 17 + " = 1", (16,)),
            ("[" + ".".join("a" * 20_000) + "]", (16,)),
            ("options = {a" + ".a" * 17 + " = 1}", (16,)),
            ("options = {a=" + "[" * 5_000 + "]" * 5_000 + "}", (32,)),
            ("options = " + "{a=" * 5_000 + "1" + "}" * 5_000, (32,)),
            (f"accounts = {{a={BIG}}}", (20,)),
            (f"accounts = {{a=0x{'F' * 5000}}}", (20,)),
            (f"accounts = {{a={'9_' * 500}9}}", (20,)),
            ("\n".join(f"markers.k{number} = 1" for number in range(30_001)), ("30,000",)),
            ("options = {a=[" + "1," * 100_001 + "]}", ("100,000",)),
            ('about = "' + "a" * 2**20 + '"', (1, "MiB")),
        ],
        ids=lambda value: value[:12] if isinstance(value, str) else str(value[0]),
    )
    def test_beyond_a_limit(self, terminal: Terminal, body: str, limit: tuple[str | int, ...]) -> None:
        terminal.write("large.toml", HEAD + body)
        refused(terminal.type("new", "freeform", "--id", "n", "--scenario", "large.toml"), *limit)

    def test_brackets_in_text_or_comment_do_not_count(self, terminal: Terminal) -> None:
        dotted = ".".join("a" * 40)
        about = f"'''{dotted} = {BIG}\n{'[' * 40}\n\"'''"
        terminal.write(
            "small.toml", f"{HEAD}about = {about} # {dotted} {'[' * 40}\nmarkers = {{ 'a.b' = \"{'[' * 40}\" }}"
        )
        terminal.ok("new", "freeform", "--id", "n", "--scenario", "small.toml")

    def test_table_row_for_impossible_total_is_refused(self, terminal: Terminal) -> None:
        terminal.write("row.toml", f"{HEAD}[tables.t]\nrows = {{ '{BIG}' = 'x' }}")
        answer = terminal.type("new", "freeform", "--id", "n", "--scenario", "row.toml")
        assert answer.code == 2
        assert answer.err.splitlines()[-1] == Naming("do", 7, "3..5", "`2 or less`", "`12 or more`")

    def test_scenario_text_by_api_has_the_same_limit(self) -> None:
        with pytest.raises(ScenarioError) as refusal:
            scenario_limits.verify_size("x" * (scenario_limits.MOST_CHARACTERS + 1))
        assert refusal.value.rule == Naming("1,048,576")


class TestReplayLogs:
    def changed(self, ford: Terminal, old: bytes, new: bytes) -> str:
        ford.ok("export", "ford", "-o", "log.jsonl", "--as", "referee")
        file = ford.folder / "log.jsonl"
        raw = file.read_bytes()
        assert old in raw
        file.write_bytes(raw.replace(old, new, 1))
        return file.name

    @pytest.mark.parametrize(
        ("new", "limit"),
        [
            (b'"event":{"a":' + b"[" * 101 + b"]" * 101 + b',"type":', (100,)),
            (b'"event":{"a":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b',"type":', (100,)),
            (b'"event":{"a":' + BIG.encode() + b',"type":', (4000,)),
            (b'"event":{"a":"' + b"x" * limits.MOST_LINE + b'","type":', (4, "MiB")),
            (b'"cause":{"a":' + b"[" * 3_000 + b"]" * 3_000 + b'},"event":{"type":', (100,)),
        ],
        ids=["deep", "very deep", "digits", "long", "cause"],
    )
    def test_beyond_a_limit(self, ford: Terminal, new: bytes, limit: tuple[str | int, ...]) -> None:
        file = self.changed(ford, b'"event":{"type":', new)
        for command in ("verify", "import", "referee"):
            answer = ford.type(command, file, *(("--ledger", "other.db") if command == "import" else ()))
            assert answer.code == 5, answer
            assert answer.out + answer.err == Naming(*limit)

    def test_line_without_end_is_refused(self, ford: Terminal) -> None:
        (ford.folder / "log.jsonl").write_bytes(b'{"umpire":"replay log","format":1,"game":"g"}\n' + b"x" * 50_000_000)
        for command in ("verify", "import", "referee"):
            answer = ford.type(command, "log.jsonl")
            assert answer.code == 5
            assert answer.out + answer.err == Naming(4, "MiB")


class TestJsonScan:
    @pytest.mark.parametrize(
        ("raw", "is_deep"),
        [
            (b'{"a":' * 800_000, True),
            (b"[" * limits.MOST_LINE, True),
            (b"[]," * 1_400_000, False),
            (b'"' + b'\\"' * 2_000_000, False),
            (b'"' * limits.MOST_LINE, False),
            (b'{"a":"b"},' * 400_000, False),
        ],
    )
    def test_scan_of_any_input_is_quick(self, raw: bytes, is_deep: bool) -> None:
        found = limits.fault_of_json(raw[: limits.MOST_LINE], limits.RECORD_DEPTH)
        assert found == (Naming(limits.RECORD_DEPTH) if is_deep else "")

    def test_scan_counts_brackets_outside_of_texts(self) -> None:
        for text in ('{"a":"[[[["}', '{"a":"\\"[[[["}', '["\\\\",[1]]'):
            assert not limits.fault_of_json(text.encode(), 2)
            levels = [0, *accumulate(1 if sign == "[" else -1 if sign == "]" else 0 for sign in text)]
            assert any(after > before for before, after in pairwise(levels)), "the text has brackets"
        assert limits.fault_of_json(b'["\\\\",[[1]]]', 2)
