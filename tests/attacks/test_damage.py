"""Damage: to a log, to a line in the store, to the read models. Everything that reads them says so in words."""

import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from tests.attacks.attack import run
from tests.attacks.hurt_views import HURT, SOMEBODY_ELSES, Hurt
from tests.cli.terminal import ROOT, Terminal
from tests.face.projections import views_path

LOOKS = (
    *(("status", "ford"), ("status", "ford", "--as", "red"), ("audit", "ford"), ("audit", "ford", "--text", "ford")),
    *(("units", "ford"), ("undo-points", "ford"), ("since", "ford", "red"), ("knew", "ford", "red", "10")),
)


def test_flipped_bits_of_a_log_and_of_a_store() -> None:
    """Run 80 flips; the long form is `python -m tests.attacks.damage --count 88160 --seed 1`."""
    words = (sys.executable, "-m", "tests.attacks.damage", "--count", "80", "--seed", "7")
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert ": 0 faults" in done.stdout


class TestLog:
    @pytest.fixture
    def log(self, tmp_path: Path) -> Path:
        terminal = Terminal(tmp_path)
        terminal.new("ford", "--dice", "ledger")
        terminal.give("red", "roll", purpose="to hit", dice="2d6")
        terminal.give("referee", "end", reason="nightfall")
        terminal.give("referee", "open-dice")
        terminal.ok("export", "ford", "-o", "log.jsonl", "--as", "referee", "--whole")
        return tmp_path / "log.jsonl"

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            (b'"dice":"2d6"', b'"dice":"2d7"'),
            (b'"dice":"2d6"', b'"dice":"2z6"'),
            (b'"dice":"2d6"', b'"dice":"2\xff6"'),
            (b'"dice.rolled"', b'"dice.rollee"'),
            (b'"dice.opened"', b'"dice.openee"'),
            (b'"dice.opened","seed":"', b'"dice.opened","seed":"z'),
            (b'"dice.opened","seed":', b'"dice.opened","seed" '),
        ],
    )
    def test_changed_roll_or_seed_is_invalid(self, log: Path, old: bytes, new: bytes) -> None:
        raw = log.read_bytes()
        assert old in raw
        log.write_bytes(raw.replace(old, new))
        for words in (("verify", log.name), ("referee", log.name), ("import", log.name, "--ledger", "other.db")):
            answer = run(words, log.parent)
            assert (answer.crash, answer.code) == ("", 5), words

    def test_truncated_log_shows_no_referee_acts(self, log: Path) -> None:
        log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:4]))
        answer = run(("referee", log.name), log.parent)
        assert answer.code == 5
        assert "the log ends at #3" in answer.err
        assert "umpire verify log.jsonl" in answer.err

    def test_record_without_line_in_store_does_not_crash(self, log: Path) -> None:
        with closing(sqlite3.connect(log.parent / "umpire.db", isolation_level=None)) as connection:
            connection.execute("DROP TRIGGER record_stays")
            connection.execute("PRAGMA writable_schema = ON")
            connection.execute("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '') WHERE name = 'record'")
        with closing(sqlite3.connect(log.parent / "umpire.db", isolation_level=None)) as connection:
            connection.execute("UPDATE record SET line = NULL WHERE position = 4")
        answer = run(("verify", "ford"), log.parent)
        assert (answer.crash, answer.code) == ("", 5)
        for words in (("status", "ford"), ("audit", "ford"), ("export", "ford", "-o", "out"), ("games",), ("rebuild",)):
            assert not run(words, log.parent).crash, words


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a ledger with read models of several pages and read marks of two seats."""
    terminal = Terminal(tmp_path_factory.mktemp("home"))
    terminal.new()
    for number in range(10):
        terminal.give("red", "note", text=f"note {number} of the ford")
    terminal.give("red", "seal-choice", question="flank", choice="left")
    terminal.ok("status", "ford", "--as", "red", "--looked")
    return terminal.folder


class TestReadModels:
    @pytest.fixture
    def hurt(self, home: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
        folder = tmp_path / "hurt"
        shutil.copytree(home, folder)
        how: Hurt = request.param
        how(folder / "umpire.views.db")
        return folder

    every_kind = pytest.mark.parametrize("hurt", HURT.values(), ids=HURT, indirect=True)

    @every_kind
    def test_view_of_damaged_read_models_answers_or_names_remedy(self, hurt: Path) -> None:
        for words in LOOKS:
            answer = run(words, hurt)
            assert not answer.crash, words
            assert answer.code in (0, 7), answer
            assert answer.code == 0 or "umpire rebuild" in answer.err or "move it elsewhere" in answer.err, answer

    @every_kind
    def test_order_with_damaged_read_models_is_recorded(self, hurt: Path) -> None:
        answer = run(("note", "ford", "still there"), hurt)
        assert (answer.crash, answer.code) == ("", 0), answer
        assert "still there" in answer.out

    @every_kind
    def test_rebuild_repairs_the_read_models(self, hurt: Path) -> None:
        answer = run(("rebuild",), hurt)
        assert (answer.crash, answer.code) == ("", 0), answer
        fresh = hurt.with_name("fresh")
        fresh.mkdir()
        shutil.copy(hurt / "umpire.db", fresh)
        for words in LOOKS:
            assert _answer_of(words, hurt) == _answer_of(words, fresh), words

    @pytest.mark.parametrize("hurt", [HURT["noise"], HURT["a ledger"]], ids=["noise", "a ledger"], indirect=True)
    def test_rebuild_keeps_a_copy_of_an_unknown_file(self, hurt: Path) -> None:
        before = (hurt / "umpire.views.db").read_bytes()
        run(("rebuild",), hurt)
        assert (hurt / "umpire.views.db.hurt1").read_bytes() == before

    @pytest.mark.parametrize("hurt", [HURT["noise in the fifth page"]], indirect=True)
    def test_rebuild_keeps_no_copy_of_its_own_file(self, hurt: Path) -> None:
        run(("rebuild",), hurt)
        assert not list(hurt.glob("*.hurt*"))

    @pytest.mark.parametrize("hurt", [HURT["a table more"]], indirect=True)
    def test_rebuild_keeps_the_read_marks(self, hurt: Path) -> None:
        run(("rebuild",), hurt)
        assert "red last looked at #15" in run(("since", "ford", "red"), hurt).out

    @pytest.mark.parametrize("hurt", SOMEBODY_ELSES.values(), ids=SOMEBODY_ELSES, indirect=True)
    def test_rebuild_leaves_a_foreign_file_in_place(self, hurt: Path) -> None:
        views = hurt / "umpire.views.db"
        before = views.read_bytes() if views.is_file() else sorted(views.iterdir())
        answer = run(("rebuild",), hurt)
        assert answer.code == 7
        assert "is not a file of read models" in answer.err
        assert "move it elsewhere" in answer.err
        assert before == (views.read_bytes() if views.is_file() else sorted(views.iterdir()))
        assert run(("note", "ford", "still there"), hurt).code == 0

    @pytest.mark.parametrize("lock", ["IMMEDIATE", "EXCLUSIVE"])
    def test_order_during_lock_of_read_models_is_recorded(self, home: Path, tmp_path: Path, lock: str) -> None:
        folder = tmp_path / "locked"
        shutil.copytree(home, folder)
        with closing(sqlite3.connect(folder / "umpire.views.db", isolation_level=None)) as other:
            other.execute(f"BEGIN {lock}")
            start = time.monotonic()
            answer = run(("note", "ford", "still there"), folder)
            assert time.monotonic() - start < 3, "0.8 s, on a machine that has nothing else to do"
        assert answer.code == 0
        assert answer.err.startswith("Warning: recorded, but ")
        assert "another program is writing this file" in answer.err

    def test_two_ledgers_of_one_stem_have_each_their_own(self, home: Path, tmp_path: Path) -> None:
        for name in ("two", "two.db", "two.sqlite"):
            shutil.copy(home / "umpire.db", tmp_path / name)
            run(("status", "ford", "--ledger", name), tmp_path)
        theirs = ["two.views", "two.views.db", "two.views.sqlite"]
        assert [views_path(name) for name in ("two", "two.db", "two.sqlite")] == theirs
        assert sorted(one.name for one in tmp_path.glob("two.views*")) == theirs


def _answer_of(words: tuple[str, ...], folder: Path) -> object:
    """Return the answer of a view, without the read marks that a rebuild keeps."""
    answer = run((*words, "--json"), folder)
    assert not answer.code, answer
    told = msgspec.json.decode(answer.out)
    return {**told, "since": 0, "looked": 0} if isinstance(told, dict) else told
