"""Check reports of `verify`: changed records, possible faults, redactions, and a clock that went back."""

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal
from tests.face.desk import GameStateBuilder, drafts_of
from tests.face.domain import events as e
from tests.face.ledger import Ledger, Record
from tests.naming import Naming
from umpire_ledger.ledger import replay_log

RED = e.Side(id="red", name="Red")


def alter(ledger: Path, *statements: str) -> None:
    """Change a ledger with `sqlite3` in spite of its triggers."""
    raw = sqlite3.connect(ledger, isolation_level=None)
    for statement in statements:
        raw.execute(statement)
    raw.close()


def exported(folder: Path, see: Callable[[Record], bool]) -> str:
    with (
        Ledger.open(folder / "umpire.db", GameStateBuilder(), read_only=True) as ledger,
        (folder / "log").open("wb") as out,
    ):
        replay_log.write(ledger, "ford", out, see)
    return "log"


@pytest.fixture
def played(ford: Terminal) -> Terminal:
    """Return a game whose last record is a move."""
    ford.give("red", "move", unit="r1", path=["0101", "0202"])
    ford.give("blue", "move", unit="b1", path=["0102", "0207"])
    return ford


def test_changed_digit_in_the_last_record_is_found(played: Terminal) -> None:
    last = played.size()
    changed = "UPDATE record SET line = CAST(replace(line, '\"0207\"', '\"0208\"') AS BLOB) WHERE position = "
    alter(played.folder / "umpire.db", "DROP TRIGGER record_stays", f"{changed}{last}")
    told = played.type("verify", "ford", "--json")
    assert told.code == 5
    assert told.json["verdict"] == "INVALID"
    low, high = told.json["changed_between"]
    assert low <= last <= high
    assert told.json["first_bad"] == low
    named = Naming(*dict.fromkeys((f"#{low}", f"#{high}")))
    assert told.json["reason"] == named
    assert played.type("verify", "ford").out == named


def test_public_records_that_are_withheld_are_counted_and_named(played: Terminal) -> None:
    last = played.size()
    log = exported(played.folder, lambda record: record.position < last - 1)
    told = played.type("verify", log)
    assert told.code == 5
    assert told.out.startswith("INCOMPLETE: ford")
    assert told.out.splitlines()[1] == Naming(0, 2)
    answer = played.type("verify", log, "--json").json
    assert answer["public_withheld_at"] == [[last - 1, last]]
    assert (answer["redacted"], answer["public_withheld"], answer["private_withheld"]) == (2, 2, 0)
    refused = played.type_json("import", log, "--ledger", "other.db")
    assert refused.code == 5
    assert refused.error["what"] == Naming(2, f"#{last - 1}", f"#{last}")


def test_private_records_that_are_withheld_leave_a_log_valid(terminal: Terminal) -> None:
    terminal.new("ford", "--dice", "ledger")
    terminal.ok("export", "ford", "-o", "ford.jsonl")
    told = terminal.ok("verify", "ford.jsonl")
    assert told.out.startswith("VALID WITH REDACTIONS (1 private record withheld · hashes only): ford")
    assert told.out == Naming(1, 0, "#3")
    assert terminal.ok("verify", "ford.jsonl", "--json").json["private_withheld_at"] == [[3, 3]]


class TestWhatIsKnown:
    """The first line of a verdict, which names the checks that passed and the rolls not checked."""

    def first_line(self, terminal: Terminal, *words: str) -> str:
        return terminal.type("verify", "ford", *words).out.splitlines()[0]

    def test_verdict_of_a_log_alone_is_hashes_only(self, played: Terminal) -> None:
        assert self.first_line(played) == f"VALID (hashes only): ford, {played.size()} records"
        assert played.ok("verify", "ford", "--json").json["known"] == ["hashes only"]

    def test_verdict_names_the_position_of_the_checkpoint(self, played: Terminal) -> None:
        played.ok("seal", "ford", "--as", "red", "-o", "red.checkpoint")
        sealed = played.size()
        played.give("red", "note", text="that was all")
        against = ("--checkpoint", "red.checkpoint")
        assert self.first_line(played, *against) == Naming("VALID", f"#{sealed}", "ford", played.size())
        assert played.ok("verify", "ford", *against, "--json").json["known"] == [Naming(f"#{sealed}")]

    def test_verdict_counts_verified_and_unverifiable_rolls(self, terminal: Terminal) -> None:
        terminal.new("ford", "--dice", "ledger")
        terminal.give("red", "roll", dice="2d6", purpose="fire")
        terminal.give("red", "roll", dice="2d6", purpose="smoke")
        assert self.first_line(terminal) == Naming("VALID", 2, "ford")
        answer = terminal.ok("verify", "ford", "--json").json
        assert (answer["known"], answer["dice_closed"]) == (["hashes only", Naming(2)], 2)
        terminal.give("referee", "open-dice")
        terminal.give("red", "roll", dice="2d6", purpose="dust")
        assert self.first_line(terminal) == Naming("VALID", 2, "·", 1, "ford")
        answer = terminal.ok("verify", "ford", "--json").json
        assert (answer["known"], answer["dice_closed"]) == ([Naming(2), Naming(1)], 1)

    def test_of_a_log_that_is_changed_or_cut_nothing_is_known(self, played: Terminal) -> None:
        played.ok("export", "ford", "-o", "log")
        log = played.folder / "log"
        log.write_bytes(log.read_bytes().replace(b'"0207"', b'"0208"'))
        told = played.type("verify", "log", "--json")
        assert (told.json["known"], told.json["verdict"]) == ([], "INVALID")
        assert played.type("verify", "log").out.startswith(f"INVALID from #{told.json['first_bad']}: ford")
        log.write_bytes(log.read_bytes()[:-1])
        told = played.type("verify", "log")
        assert (told.code, told.out.splitlines()[0].startswith("INCOMPLETE: ford")) == (5, True)

    def test_which_private_records_are_withheld(self, terminal: Terminal) -> None:
        terminal.new("ford")
        terminal.give("red", "seal-choice", question="where", choice="the wood")
        at = terminal.size()
        terminal.ok("export", "ford", "-o", "log", "--as", "blue")
        told = terminal.ok("verify", "log")
        assert told.out.startswith("VALID WITH REDACTIONS (1 private record withheld · hashes only): ford")
        assert any(line.endswith(f": #{at}") for line in told.out.splitlines())
        assert terminal.ok("verify", "log", "--json").json["private_withheld_at"] == [[at, at]]


def clock_back(folder: Path) -> None:
    """Record a game whose second record is an hour earlier than its first."""
    noon = datetime(2026, 11, 21, 12, tzinfo=UTC)
    times = iter((noon, noon - timedelta(hours=1)))
    told = e.GameOpened(game="g", title="rafts", version="1", name="The river", sides=(RED,), dice="table")
    with Ledger.open(folder / "umpire.db", GameStateBuilder(), clock=lambda: next(times)) as ledger:
        ledger.append("g", after=0, seat="referee", command="c", drafts=drafts_of((told,), None))
        ledger.append("g", after=1, seat="referee", command="d", drafts=drafts_of((e.NoteAdded(text="ho"),), None))


def test_clock_that_went_back_is_a_finding(terminal: Terminal) -> None:
    clock_back(terminal.folder)
    answer = terminal.ok("verify", "g", "--json").json
    assert answer["verdict"] == "VALID"
    back = Naming("2026-11-21T11:00:00.000000Z", "2026-11-21T12:00:00.000000Z")
    assert answer["findings"] == [{"position": 2, "what": back}]
    finding = f"#2 {answer['findings'][0]['what']}"
    assert any(line.endswith(finding) for line in terminal.ok("verify", "g").out.splitlines())
