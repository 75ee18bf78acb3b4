"""Check that `doctor` and `rebuild` handle the sound games if others or the read models are damaged."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import umpire_ledger as umpire
from tests.cli.terminal import Terminal, without_root
from tests.cli.test_verify import alter, clock_back
from tests.face.cli import STORE
from tests.face.desk import check_up
from tests.face.projections import mending
from tests.face.testing import FIXTURES

BREAK = "UPDATE record SET line = x'7b' WHERE position = 2 AND game = (SELECT key FROM game WHERE id = 'bad')"


@pytest.fixture
def three(terminal: Terminal) -> Terminal:
    """Return a ledger with three games, the second with a line that is not a record."""
    for game in ("first", "bad", "last"):
        terminal.new(game)
        terminal.give("red", "move", game, unit="r1", path=["0101", "0202"])
    terminal.ok("rebuild")
    alter(terminal.folder / "umpire.db", "DROP TRIGGER record_stays", BREAK)
    return terminal


def test_doctor_checks_the_games_after_a_broken_one(three: Terminal) -> None:
    for words in (("doctor",), ("doctor", "--deep")):
        answer = three.type(*words, "--json")
        found = {}
        for one in answer.json:
            found.setdefault(one["check"], one)
        assert found["first"]["state"] == found["last"]["state"] == "ok"
        assert found["bad"]["state"] == "bad"
        assert "INVALID" in found["bad"]["what"]
        assert answer.code == 7  # a guard is missing


def test_doctor_continues_after_a_game_that_cannot_be_listed(three: Terminal) -> None:
    statements = ("DROP TRIGGER game_stays", "UPDATE game SET id = CAST(x'ff80' AS TEXT) WHERE id = 'bad'")
    alter(three.folder / "umpire.db", *statements)
    found = [(one["check"], one["state"]) for one in three.type("doctor", "--json").json][-3:]
    assert [state for _, state in found] == ["ok", "bad", "ok"]


def test_rebuild_of_one_game_leaves_the_others_as_they_are(three: Terminal) -> None:
    views = three.folder / "umpire.views.db"
    three.ok("rebuild", "first", "last")
    alter(views, "UPDATE unit SET at = 'nowhere'")
    assert three.ok("rebuild", "last", "last", "--json").json.keys() == {"last"}
    with closing(sqlite3.connect(views)) as connection:
        hurt = connection.execute("SELECT DISTINCT game FROM unit WHERE at = 'nowhere'").fetchall()
    assert ("first",) in hurt
    assert ("last",) not in hurt
    with umpire.open(three.folder / "umpire.db") as desk:
        assert desk.game("first").rebuild() == desk.game("first").size
    with closing(sqlite3.connect(views)) as connection:
        left = connection.execute("SELECT DISTINCT game FROM unit WHERE at = 'nowhere'").fetchall()
    assert ("first",) not in left


def test_rebuild_of_one_game_reads_only_that_game(three: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check all pages only after a sign of damage, because that took 8 s with 10,000 games."""
    looked: list[str] = []
    checked = mending._is_sound

    def noted(path: str) -> bool:
        looked.append(path)
        return checked(path)

    monkeypatch.setattr(mending, "_is_sound", noted)
    with umpire.open(three.folder / "umpire.db") as desk:
        desk.game("last").rebuild()
        assert not looked
        desk.rebuild(skip=lambda game, why: None)
        assert looked


def test_rebuild_of_a_game_throws_its_snapshots_away_too(three: Terminal) -> None:
    with umpire.open(three.folder / "umpire.db") as desk:
        for game in ("first", "last"):
            desk.ledger.take_snapshots(game)
            desk.ledger._snapshots.take(game, desk.ledger._edges.at(game, 2), desk.ledger.state(game, 2))
        desk.game("last").rebuild()
        assert desk.ledger._snapshots.kept_at("first") == [2]
        assert desk.ledger._snapshots.kept_at("last") == []


def test_rebuild_of_a_broken_game_or_one_that_is_not_there(three: Terminal) -> None:
    answer = three.type("rebuild", "bad", "last", "--json")
    assert answer.code == 5
    assert answer.json["last"] > 0
    assert answer.json["bad"]["skipped"].endswith(": Input data was truncated")
    unknown = three.type("rebuild", "last", "frist")
    assert unknown.code == 6
    assert " first?" in unknown.err


def test_rebuild_skips_a_broken_game_and_repairs_the_others(three: Terminal) -> None:
    views = three.folder / "umpire.views.db"
    alter(views, "UPDATE unit SET at = 'nowhere'")
    answer = three.type("rebuild", "--json")
    assert answer.code == 5
    assert answer.json["first"] == answer.json["last"] > 0
    assert answer.json["bad"]["skipped"].endswith(": Input data was truncated")
    assert "Warning: bad " in answer.err
    with closing(sqlite3.connect(views)) as connection:
        games = {game for (game,) in connection.execute("SELECT DISTINCT game FROM unit")}
        assert games == {"first", "last"}
        assert connection.execute("SELECT count(*) FROM unit WHERE at = 'nowhere'").fetchone() == (0,)
    assert three.ok("units", "last").code == 0


@pytest.mark.parametrize("games", [(), ("ford",)])
def test_rebuild_of_a_read_only_ledger_is_an_error(ford: Terminal, games: tuple[str, ...]) -> None:
    """Refuse, because a forged snapshot in the read-only ledger would still be read."""
    (ford.folder / "umpire.db").chmod(0o444)
    answer = without_root(lambda: ford.type("rebuild", *games))
    assert (answer.code, "umpire.db is read-only" in answer.err) == (STORE, True)


def test_rebuild_throws_snapshots_away(ford: Terminal) -> None:
    """Delete snapshots, because later states would be built from a forged one."""
    ford.orders(*({"as": "red", "order": "pay", "account": "vp", "amount": 1} for _ in range(520)))
    ford.ok("play", "ford", "orders.jsonl")
    ledger = ford.folder / "umpire.db"
    with closing(sqlite3.connect(ledger)) as raw:
        before = raw.execute("SELECT position, state FROM snapshot").fetchall()
    assert before
    alter(ledger, "UPDATE snapshot SET state = x'00'")
    assert any("Umpire skips it" in one["what"] for one in ford.ok("doctor", "--deep", "--json").json)
    ford.ok("rebuild")
    with closing(sqlite3.connect(ledger)) as raw:
        after = raw.execute("SELECT position, state FROM snapshot").fetchall()
    assert after
    assert all(len(state) > 1 for _, state in after)


@pytest.mark.parametrize(
    "hurt",
    [
        lambda raw: b"not a database at all" + raw[21:],
        lambda raw: raw[:5000],
        lambda raw: raw[:8192] + b"\xff" * 4096 + raw[12288:],
        lambda raw: b"",
    ],
    ids=["a wrong header", "cut off", "a page of ones", "empty"],
)
@pytest.mark.parametrize("what", [(), ("ford",)], ids=["all", "that game"])
def test_rebuild_repairs_damaged_read_models(ford: Terminal, hurt: object, what: tuple[str, ...]) -> None:
    ford.ok("status", "ford")
    views = ford.folder / "umpire.views.db"
    assert callable(hurt)
    views.write_bytes(hurt(views.read_bytes()))
    ford.ok("rebuild", *what)
    assert ford.ok("audit", "ford").out
    assert ford.ok("doctor", "--deep").code == 0


def test_read_marks_survive_a_rebuild(ford: Terminal) -> None:
    ford.ok("status", "ford", "--as", "red", "--looked")
    views = ford.folder / "umpire.views.db"
    with closing(sqlite3.connect(views)) as raw:
        before = raw.execute("SELECT * FROM looked").fetchall()
    alter(views, "DROP VIEW units")
    ford.ok("rebuild")
    with closing(sqlite3.connect(views)) as raw:
        assert raw.execute("SELECT * FROM looked").fetchall() == before != []
        assert raw.execute("SELECT count(*) FROM units").fetchone() != (0,)


def test_doctor_warns_of_a_clock_that_went_back(terminal: Terminal) -> None:
    clock_back(terminal.folder)
    found = [one for one in terminal.ok("doctor", "--json").json if one["check"] == "g"]
    assert [one["state"] for one in found] == ["ok", "warn"]
    assert found[1]["what"].startswith("#2: ")


def test_records_that_are_gone_are_missed_by_the_read_models(ford: Terminal) -> None:
    """Find orders that a damaged write-ahead log lost whole, with their root."""
    ledger = ford.folder / "umpire.db"
    before = ledger.read_bytes()
    ford.give("red", "move", unit="r1", path=["0101", "0202"])
    size = ford.size()
    ledger.write_bytes(before)
    for ending in ("-wal", "-shm"):
        ledger.with_name(ledger.name + ending).unlink(missing_ok=True)
    for _ in range(2):  # before and after a look, which makes the read models again
        (told,) = [one for one in ford.ok("doctor", "--json").json if "this machine has seen" in one["what"]]
        assert (told["check"], told["state"]) == ("ford", "warn")
        assert f"has seen ford up to #{size}" in told["what"]
        assert f"ends at #{size - 1}" in told["what"]
        ford.ok("status", "ford")


def test_changed_refusal_is_marked_as_changed(ford: Terminal) -> None:
    ford.give("red", "move", unit="nobody", path=["0101"])
    assert ford.ok("refusals", "ford", "--json").json[0]["kept"] == "sound"
    alter(ford.folder / "umpire.db", "DROP TRIGGER aside_stays", "UPDATE aside SET seat = 'blue'")
    (told,) = ford.ok("refusals", "ford", "--json").json
    assert told["kept"] == "changed"
    assert ford.ok("refusals", "ford", "--json", "--as", "blue").json == []
    answer = ford.type("doctor", "--json")
    assert answer.code == 5
    assert any(one["check"] == "refusals" and one["state"] == "bad" for one in answer.json)


@pytest.mark.parametrize("edition", sorted(one.parent.name for one in FIXTURES.glob("formats/*/club.ledger")))
def test_doctor_finds_nothing_bad_in_what_earlier_editions_wrote(edition: str, tmp_path: Path) -> None:
    shutil.copyfile(FIXTURES / "formats" / edition / "club.ledger", tmp_path / "club.ledger")
    found = check_up(str(tmp_path / "club.ledger"), deep=True)
    assert [one.what for one in (*found.machine, *found.games) if one.state == "bad"] == []
