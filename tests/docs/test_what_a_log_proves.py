"""Check the rows of docs/explanation/what-a-log-proves.md: each names a test of a kind of cheat; most are here."""

import ast
import io
import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.attacks.damaged_logs import RAW, read, written_anew
from tests.attacks.vectors import FOLDER
from tests.face.desk import event_of
from tests.face.domain import (
    DiceRolled,
    Epoch,
    draw,
    parse,
)
from tests.face.ledger import Checkpoint, Record
from tests.face.testing import FIXTURES
from tests.naming import Naming
from umpire_ledger.ledger import replay_log

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "explanation" / "what-a-log-proves.md"
FORD = FIXTURES / "freeform" / "scenarios" / "ford.toml"
FIRE: dict[str, Any] = {"order": "roll", "dice": "20d6", "purpose": "fire"}
HASHES_ONLY = "hashes only"


@pytest.fixture
def ford(tmp_path: Path) -> Iterator[umpire.PlayedGame]:
    """Red has thrown from the ledger's dice, and Blue has sealed a choice."""
    with umpire.open(tmp_path / "club.ledger") as desk:
        game = desk.new("freeform", FORD, id="ford", dice="ledger")
        game.seat("red").order({"as": "red", **FIRE})
        game.seat("blue").order("seal-choice", question="where", choice="the wood")
        yield game


@pytest.fixture
def sealed(ford: umpire.PlayedGame) -> Checkpoint:
    """Return the checkpoint that Red keeps of the game so far; Blue continues after it."""
    _, checkpoint = ford.seat("red").seal()
    ford.seat("blue").note("good night")
    return checkpoint


def log_of(game: umpire.PlayedGame) -> bytes:
    """Return the whole log, secrets included."""
    out = io.BytesIO()
    replay_log.write(game.ledger, game.id, out)
    return out.getvalue()


def forged(log: bytes, change: Callable[[list[Record]], list[Record]]) -> bytes:
    """Another history: every hash, every `prior` and the checkpoint line are computed again."""
    game, records = read(log)
    return written_anew(game, change(records))


def told_otherwise(old: bytes, new: bytes, kind: bytes = b"") -> Callable[[list[Record]], list[Record]]:
    """Return a change of the first event of a kind that contains the old words, to the new ones."""

    def change(records: list[Record]) -> list[Record]:
        events = [bytes(record.event) for record in records]
        at = next(at for at, event in enumerate(events) if old in event and kind in event)
        event = RAW(bytes(records[at].event).replace(old, new, 1))
        return [*records[:at], replace(records[at], event=event), *records[at + 1 :]]

    return change


def checked(log: bytes, folder: Path, checkpoint: Checkpoint | None = None) -> tuple[str, tuple[str, ...]]:
    """Return the verdict, and the grounds for it."""
    (folder / "given.jsonl").write_bytes(log)
    found = umpire.verify(folder / "given.jsonl", checkpoint=checkpoint)
    return found.verdict.verdict, found.known


def opened(game: umpire.PlayedGame) -> None:
    game.referee.order("end", reason="night falls")
    game.referee.order("open-dice")


def seed_in_the_file(game: umpire.PlayedGame, folder: Path) -> str:
    """Return the seed that `sqlite3` shows to a reader of the file."""
    rows = sqlite3.connect(folder / "club.ledger").execute("SELECT CAST(line AS TEXT) FROM record")
    return next(found[1] for (line,) in rows if (found := re.search('"seed":"([0-9a-f]{64})"', line)))


# --- the page ---------------------------------------------------------------------------------------------------------


def named_tests() -> list[tuple[str, str]]:
    """File and name of the test of each row of a table."""
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    cells = [row.strip("| ").split(" | ")[-1] for row in rows if "::" in row or "---" not in row]
    return [(found[1], found[2]) for cell in cells if (found := re.fullmatch(r"`(\S+?)::(\S+)`", cell))]


def test_every_row_names_a_test() -> None:
    """Skip headings."""
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    headings = [row for row in rows if row.endswith("| Shown by |")]
    assert len(headings) == 4
    assert len(named_tests()) == len(rows) - len(headings)


@pytest.mark.parametrize(("file", "name"), named_tests(), ids=[name for _, name in named_tests()])
def test_named_test_exists_and_is_not_skipped(file: str, name: str) -> None:
    body: list[ast.stmt] = ast.parse((ROOT / file).read_text(encoding="utf-8")).body
    for part in name.split("::"):
        [found] = [one for one in body if isinstance(one, ast.ClassDef | ast.FunctionDef) and one.name == part]
        assert not any("skip" in ast.dump(mark) or "xfail" in ast.dump(mark) for mark in found.decorator_list), name
        body = found.body
    assert isinstance(found, ast.FunctionDef)


def test_tests_of_this_page_are_in_a_row() -> None:
    here = ast.parse(Path(__file__).read_text(encoding="utf-8"))
    classes = [one for one in here.body if isinstance(one, ast.ClassDef)]
    tests = {f"{one.name}::{test.name}" for one in classes for test in one.body if isinstance(test, ast.FunctionDef)}
    assert [test for test in at_least_one(tests) if test not in {name for _, name in named_tests()}] == []


# --- cheats -----------------------------------------------------------------------------------------------------------


class TestPlayer:
    def test_order_for_the_other_side_is_refused(self, ford: umpire.PlayedGame) -> None:
        size = ford.size
        with pytest.raises(umpire.Refused):
            ford.seat("red").order({"as": "blue", **FIRE})
        assert ford.size == size

    def test_undo_of_a_roll_is_refused(self, ford: umpire.PlayedGame) -> None:
        ford.seat("red").order({"as": "red", **FIRE})
        with pytest.raises(umpire.Refused) as refused:
            ford.seat("red").undo()
        assert refused.value.fields["stop"] == Naming("(fire)")

    def test_choice_revealed_differently_is_a_finding(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        """Change the revealed choice in a forged log."""
        ford.seat("blue").order("reveal", question="where")
        log = forged(log_of(ford), told_otherwise(b"the wood", b"the hill", b"choice.revealed"))
        (tmp_path / "given.jsonl").write_bytes(log)
        findings = umpire.verify(tmp_path / "given.jsonl").findings
        assert [one.what for one in findings] == [Naming("where", "'the wood'", "'the hill'")]

    def test_log_changed_is_invalid(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        log = log_of(ford)
        assert checked(log.replace(b'"purpose":"fire"', b'"purpose":"wind"', 1), tmp_path)[0] == "INVALID"

    def test_operator_without_keys_can_speak_for_any_seat(self, ford: umpire.PlayedGame) -> None:
        ford.seat("blue").note("we resign")
        assert ford.verify().verdict.verdict == "VALID"


class TestReferee:
    def test_rolls_that_were_rewound_stay_in_the_log(self, ford: umpire.PlayedGame) -> None:
        at = ford.size
        for _ in range(3):
            ford.seat("red").order({"as": "red", **FIRE})
            ford.referee.rewind(at, why="a cocked die")
        rolls = [event.roll for event in map(event_of, ford.ledger.records("ford")) if isinstance(event, DiceRolled)]
        assert rolls == [1, 2, 3, 4]
        assert len(ford.referee.dice(all_lines=True).rolls) == len(rolls)

    def test_pips_are_kept_only_of_what_a_rewind_left(self, tmp_path: Path) -> None:
        for name in ("without-a-rewind", "from-what-was-not-left", "as-another"):
            log = (FOLDER / f"roll-with-kept-{name}.jsonl").read_bytes()
            assert checked(log, tmp_path)[0] == "INVALID", name


class TestOperator:
    def test_another_history_is_seen_only_against_a_checkpoint(
        self, ford: umpire.PlayedGame, sealed: Checkpoint, tmp_path: Path
    ) -> None:
        log = forged(log_of(ford), told_otherwise(b"the wood", b"the hill"))
        assert checked(log, tmp_path) == ("VALID", (HASHES_ONLY, Naming(1)))
        assert checked(log, tmp_path, sealed) == ("INVALID", ())

    def test_cut_tail_is_found_only_with_a_checkpoint(
        self, ford: umpire.PlayedGame, sealed: Checkpoint, tmp_path: Path
    ) -> None:
        log = forged(log_of(ford), lambda records: records[: sealed.size - 1])
        assert checked(log, tmp_path)[0] == "VALID"
        assert checked(log, tmp_path, sealed)[0] == "INCOMPLETE"

    def test_change_after_the_last_checkpoint_is_not_found(
        self, ford: umpire.PlayedGame, sealed: Checkpoint, tmp_path: Path
    ) -> None:
        log = forged(log_of(ford), told_otherwise(b"good night", b"we resign"))
        assert checked(log, tmp_path, sealed)[0] == "VALID"

    def test_public_record_redacted_as_private_is_invalid(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        ford.seat("blue").note("good night")
        _, checkpoint = ford.seat("blue").seal()

        def hidden(records: list[Record]) -> list[Record]:
            at = next(at for at, record in enumerate(records) if b"good night" in bytes(record.event))
            return [*records[:at], replace(records[at], visible_to=("blue",)).redact(), *records[at + 1 :]]

        log = forged(log_of(ford), hidden)
        assert checked(log, tmp_path)[0] == "VALID WITH REDACTIONS"
        assert checked(log, tmp_path, checkpoint)[0] == "INVALID"

    def test_another_die_is_seen_when_the_seed_is_open(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        opened(ford)
        assert checked(log_of(ford), tmp_path) == ("VALID", ("1 roll recomputed",))
        assert checked(forged(log_of(ford), _first_pip_is_another), tmp_path)[0] == "INVALID"

    def test_another_die_is_not_seen_while_the_seed_is_closed(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        """Report that rolls of the closed seed are not checked."""
        known = (HASHES_ONLY, Naming(1))
        assert checked(forged(log_of(ford), _first_pip_is_another), tmp_path) == ("VALID", known)

    def test_seed_never_revealed_leaves_its_rolls_in_the_check(self, tmp_path: Path) -> None:
        assert checked((FOLDER / "commitment-around-a-roll.jsonl").read_bytes(), tmp_path)[0] == "INVALID"

    def test_nor_does_a_roll_that_keeps_what_is_withheld(self, tmp_path: Path) -> None:
        for log in at_least_one(FOLDER.glob("roll-with-kept-from-a-withheld-*.jsonl")):
            assert checked(log.read_bytes(), tmp_path)[0] == "INVALID", log.name

    def test_nor_does_a_roll_that_is_called_the_table_s(self, tmp_path: Path) -> None:
        assert checked((FOLDER / "roll-of-the-table.jsonl").read_bytes(), tmp_path)[0] == "INVALID"

    def test_reader_of_the_seed_in_the_file_knows_the_dice(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        foreseen = draw(Epoch(seed_in_the_file(ford, tmp_path), "ford"), 2, parse("20d6"))
        ford.seat("red").order({"as": "red", **FIRE})
        thrown = [event for event in map(event_of, ford.ledger.records("ford")) if isinstance(event, DiceRolled)]
        assert thrown[-1].pips == foreseen
        opened(ford)
        assert checked(log_of(ford), tmp_path) == ("VALID", ("2 rolls recomputed",))

    def test_seed_chosen_in_discarded_ledgers_is_not_found(self, tmp_path: Path) -> None:
        """Open each game in a ledger of its own: in one ledger such openings are counted."""
        for number in at_least_one(range(3)):
            with umpire.open(tmp_path / f"{number}.ledger") as desk:
                game = desk.new("freeform", FORD, id="ford", dice="ledger")
                assert game.referee.dice().openings_before == 0
                assert checked(log_of(game), tmp_path) == ("VALID", (HASHES_ONLY,))

    def test_secrets_are_read_in_the_file_without_a_trace(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        rows = sqlite3.connect(tmp_path / "club.ledger").execute("SELECT CAST(line AS TEXT) FROM record")
        assert any('"choice":"the wood"' in line for (line,) in rows)
        assert ford.verify().verdict.verdict == "VALID"

    def test_false_times_that_go_forward_are_not_seen(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        later = forged(log_of(ford), lambda records: [replace(one, at=f"2099{one.at[4:]}") for one in records])
        (tmp_path / "given.jsonl").write_bytes(later)
        found = umpire.verify(tmp_path / "given.jsonl")
        assert (found.verdict.verdict, found.findings) == ("VALID", ())


def _first_pip_is_another(records: list[Record]) -> list[Record]:
    at = next(at for at, record in enumerate(records) if b'"pips":[' in bytes(record.event))
    first = re.search(rb'"pips":\[([0-9]+)', bytes(records[at].event))
    assert first is not None
    old, new = int(first[1]), int(first[1]) % 6 + 1
    event = bytes(records[at].event).replace(first[0], b'"pips":[%d' % new, 1)
    total = re.search(rb'"total":([0-9]+)', event)
    assert total is not None
    event = event.replace(total[0], b'"total":%d' % (int(total[1]) + new - old), 1)
    return [*records[:at], replace(records[at], event=RAW(event)), *records[at + 1 :]]


class TestAllTogether:
    def test_other_history_is_found_only_with_an_older_checkpoint(
        self, ford: umpire.PlayedGame, sealed: Checkpoint, tmp_path: Path
    ) -> None:
        log = forged(log_of(ford), told_otherwise(b"the wood", b"the hill"))
        (tmp_path / "anew.jsonl").write_bytes(log)
        with umpire.open(tmp_path / "anew.ledger") as desk:
            _, agreed = desk.import_log(tmp_path / "anew.jsonl").seat("red").seal()
            anew = log_of(desk.game("ford"))
        assert checked(anew, tmp_path, agreed)[0] == "VALID"
        assert checked(anew, tmp_path, sealed)[0] == "INVALID"

    def test_dice_of_the_table_are_what_they_type(self, tmp_path: Path) -> None:
        with umpire.open(tmp_path / "table.ledger") as desk:
            game = desk.new("freeform", FORD, id="ford", dice="table")
            game.seat("red").order({"as": "red", **FIRE}, pips=[6] * 20)
            assert checked(log_of(game), tmp_path) == ("VALID", (HASHES_ONLY,))
