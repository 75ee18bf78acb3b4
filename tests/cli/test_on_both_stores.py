"""Check that commands print the same on each store, except the name of the ledger."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.terminal import Answer, Terminal
from tests.databases import Databases, connected

SECRET = "se%40cret"


class Evening:
    """A terminal that adds `--ledger` with its ledger to each command."""

    def __init__(self, folder: Path, where: str) -> None:
        folder.mkdir()
        self.terminal = Terminal(folder)
        self.where = where

    def __call__(self, *words: str) -> Answer:
        return self.terminal.type(*words, "--ledger", self.where)


@pytest.fixture
def evening(tmp_path: Path, place: str) -> Evening:
    return Evening(tmp_path / "table", place)


@pytest.fixture
def database_evening(tmp_path: Path, database: str) -> Evening:
    return Evening(tmp_path / "table", database)


ORDERS = (
    ("new", "freeform", "--id", "ford", "--scenario", "scenario.toml"),
    ("order", "ford", "move", "r1", "0101,0102", "--as", "red"),
    ("order", "ford", "roll", "2d6", "--pips", "3,4", "--as", "red"),
    ("note", "ford", "a draw was offered", "--as", "blue"),
    ("order", "ford", "move", "r9", "0101,0102", "--as", "red"),
    ("order", "ford", "move", "b1", "0102,0103", "--as", "blue"),
    ("undo", "ford", "--as", "blue"),
    ("redo", "ford", "--as", "blue"),
    ("rewind", "ford", "--to", "#4", "--why", "a slip"),
    ("dispute", "open", "ford", "#4", "--claim", "too far", "--as", "blue"),
    ("rule", "ford", "it stands", "--rule", "1.1", "--dispute", "d1"),
    ("seal", "ford", "--as", "blue"),
    ("fork", "ford", "--at", "4", "--id", "what-if"),
    ("rename", "ford", "Summer league"),
)
LOOKS = (
    ("games",),
    ("games", "--json"),
    ("status", "ford", "--json"),
    ("status", "ford", "--at", "4"),
    ("units", "ford"),
    ("audit", "ford", "--all", "--records"),
    ("audit", "ford", "--text", "draw", "--json"),
    ("dice", "ford"),
    ("undo-points", "ford"),
    ("lines", "ford"),
    ("refusals", "ford"),
    ("dispute", "list", "ford"),
    ("rulings",),
    ("diff", "ford", "2", "4"),
    ("why", "ford", "#4"),
    ("verify", "ford"),
    ("rebuild",),
)
_varying = re.compile(
    r"[A-Za-z0-9+/]{43}=|\d{4}-\d\d-\d\d[T ][\d:.]+Z?|\b\d\d:\d\d\b|[0-9a-f]{32,}|[0-9a-f]{16}|\b\d+ (?:s|min) ago"
)


def plain(answer: Answer) -> tuple[int, str, str]:
    """Return an answer without times, hashes and order ids, which always differ."""
    return answer.code, _varying.sub("~", answer.out), _varying.sub("~", answer.err)


def test_orders_and_views_are_answered_alike_on_both_stores(tmp_path: Path, database: str) -> None:
    file, server = (Evening(tmp_path / name, where) for name, where in (("file", "umpire.db"), ("server", database)))
    codes = set()
    for words in ORDERS + LOOKS:
        answer, other = plain(file(*words)), plain(server(*words))
        assert answer == other, words
        codes.add(answer[0])
    assert {0, 3} <= codes


class TestOnEach:
    def test_exported_game_imports_unchanged(self, evening: Evening, databases: Databases) -> None:
        for words in ORDERS:
            evening(*words)
        evening("export", "ford", "-o", "out.jsonl")
        for where in ("elsewhere.db", databases()):
            elsewhere = Evening.__new__(Evening)
            elsewhere.terminal, elsewhere.where = evening.terminal, where
            assert elsewhere("import", "out.jsonl").code == 0
            assert elsewhere("verify", "ford").code == 0
            elsewhere("export", "ford", "-o", "again.jsonl")
            folder = evening.terminal.folder
            assert (folder / "again.jsonl").read_bytes() == (folder / "out.jsonl").read_bytes()

    def test_backup_is_a_ledger_in_a_file(self, evening: Evening) -> None:
        for words in ORDERS:
            evening(*words)
        assert evening("backup", "copy.db").code == 0
        assert evening.terminal.type("verify", "ford", "--ledger", "copy.db").code == 0
        listed, copied = evening("games", "--json"), evening.terminal.type("games", "--json", "--ledger", "copy.db")
        assert listed.json == copied.json

    def test_new_records_of_a_seat_are_shown_once(self, evening: Evening) -> None:
        for words in ORDERS[:4]:
            evening(*words)
        first = evening("status", "ford", "--as", "blue", "--looked", "--json").json
        assert [one["position"] for one in first["since"]]
        evening("note", "ford", "rain", "--as", "red")
        again = evening("status", "ford", "--as", "blue", "--looked", "--json").json
        (news,) = again["since"]
        assert news["text"].endswith(": rain")
        assert evening("status", "ford", "--as", "blue", "--json").json["since"] == []
        assert evening("since", "ford", "blue").code == 0

    def test_unknown_game_suggests_the_nearest(self, evening: Evening) -> None:
        evening(*ORDERS[0])
        answer = evening("status", "fort", "--json")
        assert answer.code == 6
        assert "ford" in answer.error["remedy"]

    def test_view_of_a_missing_ledger_creates_no_ledger(self, evening: Evening) -> None:
        assert evening("games").code == 7
        assert evening("games").code == 7


class TestDb:
    def test_database_is_created_checked_and_used(self, database_evening: Evening) -> None:
        assert database_evening("db", "status").code == 7
        assert "db init" in database_evening("db", "status").out
        befores = [
            database_evening("db", *words, "--json").json["before"] for words in (("init",), ("init",), ("upgrade",))
        ]
        assert befores == [0, 1, 1]
        state = database_evening("db", "status", "--json").json
        assert (state["format"], state["program"]) == (1, 1)
        assert database_evening(*ORDERS[0]).code == 0

    def test_db_commands_accept_a_ledger_in_a_file(self, tmp_path: Path) -> None:
        file = Evening(tmp_path / "table", "club.db")
        assert file("db", "status").code == 7
        assert file("db", "init").code == 0
        assert file("db", "upgrade", "--json").json["store"] == "SQLite"

    def test_to_bring_up_what_is_not_there_says_what_to_do(self, database_evening: Evening) -> None:
        answer = database_evening("db", "upgrade", "--json")
        assert answer.code == 7
        assert "umpire db init" in answer.error["remedy"]

    def test_missing_role_is_an_error(self, database_evening: Evening) -> None:
        answer = database_evening("db", "init", "--role", "nobody", "--json")
        assert answer.code == 7
        assert "CREATE ROLE" in answer.error["remedy"]


class TestThePassword:
    """The password of a database URL, which no output may contain."""

    @pytest.fixture
    def guarded(self, tmp_path: Path, database: str) -> Evening:
        """Return a database address with a password, which this server does not require."""
        return Evening(tmp_path / "table", database.replace("postgres:@", f"postgres:{SECRET}@"))

    @pytest.mark.parametrize(
        "words", [*ORDERS[:3], *LOOKS, ("db", "status"), ("doctor",), ("archive", "ford"), ("views",)]
    )
    @pytest.mark.parametrize("there", [True, False])
    def test_password_is_not_printed(self, guarded: Evening, words: tuple[str, ...], there: bool) -> None:
        if there:
            guarded(*ORDERS[0])
        else:
            guarded.where = f"postgresql://me:{SECRET}@127.0.0.1:1/umpire?password={SECRET}"
        answers = [guarded(*words), guarded(*(word for word in words if word != "--json"), "--json")]
        # Some texts contain the word "secrets", so the password must not contain it.
        assert not [one for one in answers if "cret" in re.sub("(?i)\\bsecret", "", one.out + one.err)]

    def test_password_is_not_in_texts_of_the_library(self, guarded: Evening) -> None:
        from umpire_ledger.desk.desk import Desk  # noqa: PLC0415

        guarded(*ORDERS[0])
        with Desk(guarded.where) as desk:
            assert "cret" not in repr(desk) + desk.where + repr(desk.game("ford"))
            assert desk.game("ford").size


def test_doctor_checks_server_tables_and_games(database_evening: Evening) -> None:
    database_evening(*ORDERS[0])
    found = {one["check"]: one["state"] for one in database_evening("doctor", "--json").json}
    assert found["ford"] == "ok"
    assert {found[check] for check in ("server", "format", "tables", "guards", "rows", "kept roots")} == {"ok"}
    with connected(database_evening.where) as connection:
        connection.execute("ALTER TABLE umpire.record DISABLE TRIGGER ALL")
    answer = database_evening("doctor")
    assert answer.code == 7
    assert "triggers were removed" in answer.out


def test_another_store_is_refused(tmp_path: Path) -> None:
    answer = Terminal(tmp_path).type("games", "--ledger", "mysql://me:secret@here/umpire", "--json")
    assert answer.code == 7
    assert answer.error["what"] == "Umpire cannot use mysql as a store"
    assert "secret" not in json.dumps(answer.error)


def test_without_the_driver_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: Any = None
    monkeypatch.setattr("umpire_ledger.ledger.storage.stores.find_spec", lambda name: found)
    for words in (("games",), ("doctor",), ("db", "status")):
        answer = Terminal(tmp_path).type(*words, "--ledger", "postgresql://here/umpire", "--json")
        assert answer.code == 7
        assert "umpire-ledger[postgres]" in answer.error["remedy"]


def test_view_of_a_file_ledger_loads_no_driver(tmp_path: Path) -> None:
    table = Terminal(tmp_path)
    table.type("new", "freeform", "--id", "ford", "--scenario", "scenario.toml")
    code = "import sys; from umpire_ledger.cli.main import umpire; sys.argv[1:] = ['status', 'ford']\n"
    code += "try: umpire()\nexcept SystemExit: pass\nprint(*sys.modules)"
    loaded = table.run(code)
    assert "Skirmish" in loaded
    assert "psycopg" not in loaded
