"""Check the answer of a command whose commit fails, and the ledger after it."""

import inspect
import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from tests.cli.terminal import Answer, Terminal
from tests.face.cli import COMMANDS, umpire
from tests.ledger.failing_disk import ALWAYS, failing

AFTER_HEADER = "2-999999"
"""Every flush of a new write-ahead log except the first, so that the first try leaves a complete transaction in it."""
READER = """
import sqlite3, time
ledger = sqlite3.connect("umpire.db")
ledger.execute("SELECT count(*) FROM record").fetchone()
print("reads", flush=True)
time.sleep(600)
"""


def typed(ford: Terminal, flushes: str, *words: str) -> Answer:
    """Run a command in a separate process, in which flushes of the ledger fail."""
    done = subprocess.run(
        ford.command(*words),
        cwd=ford.folder,
        env={**ford.environment, **failing(flushes)},
        capture_output=True,
        text=True,
        check=False,
    )
    return Answer(done.returncode, done.stdout, done.stderr)


@contextmanager
def held_open(ford: Terminal) -> Iterator[None]:
    """Keep the ledger open in another program, and kill it, so that the next program recovers the write-ahead log."""
    reader = subprocess.Popen([sys.executable, "-c", READER], cwd=ford.folder, stdout=subprocess.PIPE, text=True)
    assert reader.stdout
    reader.stdout.readline()
    try:
        yield
    finally:
        reader.kill()
        reader.communicate()


def notes(ford: Terminal) -> list[str]:
    """Return the notes in the table of records."""
    with closing(sqlite3.connect(ford.folder / "umpire.db")) as ledger:
        lines = ledger.execute("SELECT CAST(line AS TEXT) FROM record ORDER BY position").fetchall()
    events = [json.loads(line)["event"] for (line,) in lines]
    return [event["text"] for event in events if event["type"] == "note.added"]


class TestAFailedFlush:
    @pytest.mark.parametrize("flushes", ["1-1", "2-2", "2-3", "3-3"])
    def test_single_failure_is_retried_and_recorded_once(self, ford: Terminal, flushes: str) -> None:
        answer = typed(ford, flushes, "note", "ford", "wind", "--as", "red")
        assert (answer.code, notes(ford)) == (0, ["wind"]), answer

    @pytest.mark.parametrize("flushes", [ALWAYS, AFTER_HEADER])
    def test_absent_order_is_reported_as_not_recorded(self, ford: Terminal, flushes: str) -> None:
        """Close the ledger in every program, so that SQLite deletes its log and the order cannot reappear."""
        answer = typed(ford, flushes, "note", "ford", "wind", "--as", "red", "--json")
        assert (answer.code, answer.error["error"]) == (7, "store")
        assert "nothing was recorded" in answer.error["what"]
        assert notes(ford) == []

    @pytest.mark.parametrize("flushes", [ALWAYS, "2-2", AFTER_HEADER])
    def test_acknowledgement_and_ledger_agree(self, ford: Terminal, flushes: str) -> None:
        with held_open(ford):
            answer = typed(ford, flushes, "note", "ford", "wind", "--as", "red", "--json")
        there = notes(ford)
        if answer.code == 0:
            assert there == ["wind"]
        else:
            assert (answer.code, answer.error["error"]) == (7, "commit-unknown")
            again = re.search(r"--order-id (\w+)", answer.error["remedy"])
            assert again
            assert again[1] in answer.error["what"]
            ford.ok("note", "ford", "wind", "--as", "red", "--order-id", again[1])
            assert notes(ford) == ["wind"]

    def test_file_whose_commit_is_unknown_is_played_again(self, ford: Terminal) -> None:
        texts = [str(n) for n in range(20)]
        file = ford.orders(*({"order": "note", "text": text} for text in texts))
        with held_open(ford):
            answer = typed(ford, AFTER_HEADER, "play", "ford", file, "--json")
        assert (answer.code, answer.error["error"]) == (7, "commit-unknown")
        assert "the outcome of lines 1 to 16 is unknown" in answer.error["remedy"]
        ford.ok("play", "ford", file)
        assert notes(ford) == texts

    def test_game_that_may_be_open_is_looked_for(self, terminal: Terminal) -> None:
        words = ("new", "freeform", "--scenario", "scenario.toml", "--id")
        terminal.ok(*words, "one")
        with held_open(terminal):
            answer = typed(terminal, AFTER_HEADER, *words, "two", "--json")
        assert (answer.code, answer.error["error"]) == (7, "commit-unknown")
        assert "the game two was opened" in answer.error["what"]
        assert "umpire games" in answer.error["remedy"]


ORDERS = [
    ["order", "ford", "note", "one", "--as", "red"],
    ["order", "ford", '{"order": "note", "text": "one"}', "--as", "red"],
    ["note", "ford", "one", "--as", "red"],
    ["undo", "ford", "--as", "red"],
    ["rewind", "ford", "--to", "#3", "--why", "too early"],
    ["ask-rewind", "ford", "--to", "#3", "--why", "too early", "--as", "red"],
    ["amend", "ford", "#4", "--drop", "--why", "misread"],
    ["dispute", "open", "ford", "#4", "--claim", "too far", "--as", "blue"],
    ["rule", "ford", "it stands", "--why", "it does", "--grounds", "house"],
    ["seal", "ford", "--as", "red"],
    ["peek", "ford", "red", "--why", "a doubt"],
]


class TestAnOrderId:
    @pytest.mark.parametrize("words", ORDERS, ids=lambda words: words[0])
    def test_command_repeated_under_its_id_is_recorded_once(self, ford: Terminal, words: list[str]) -> None:
        ford.give("red", "move", unit="r1", path=["0201"])
        first = ford.type(*words, "--order-id", "evening-1")
        assert first.code == 0, first
        size = ford.size()
        ford.ok(*words, "--order-id", "evening-1")
        assert ford.size() == size

    def test_two_ids_are_refused(self, ford: Terminal) -> None:
        answer = ford.type("order", "ford", '{"order": "note", "text": "a", "id": "x"}', "--order-id", "y", "--json")
        assert (answer.code, answer.error["rule"]) == (2, "command ids")

    def test_another_order_under_the_id_is_refused(self, ford: Terminal) -> None:
        ford.ok("note", "ford", "one", "--order-id", "n")
        answer = ford.type("note", "ford", "two", "--order-id", "n", "--json")
        assert (answer.code, answer.error["rule"]) == (3, "command ids")

    def test_commands_that_give_orders_take_an_id(self) -> None:
        """Read the sources: a command that uses `giving` must have the option."""
        context = umpire.make_context("umpire", ["--help"], resilient_parsing=True)
        for name in COMMANDS:
            command = umpire.get_command(context, name)
            assert command
            for one in (command, *getattr(command, "commands", {}).values()):
                names = inspect.unwrap(one.callback).__code__.co_names if one.callback else ()
                takes = any("--order-id" in option.opts for option in one.params)
                assert takes or not {"giving", "_go"} & set(names), name
