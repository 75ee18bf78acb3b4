"""`doctor --deep`: cached data of a game is compared with its records, and forged data is named."""

import re
import shutil
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import pytest

import umpire_ledger as umpire
from tests.attacks.bits_of_a_store import make_store
from tests.face.desk import GameStateBuilder, check_up
from tests.face.domain import Game, replace
from tests.face.ledger import (
    Draft,
    Ledger,
    pack_snapshot,
    unpack_snapshot,
)
from tests.face.projections import TABLES, views_path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two small games with secrets, rewinds, snapshots, and their read models."""
    return make_store(tmp_path_factory.mktemp("made"))


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Path:
    for file in made.parent.iterdir():
        shutil.copyfile(file, tmp_path / file.name)
    return tmp_path / made.name


def bad(store: Path) -> list[tuple[str, str]]:
    return [(one.check, one.what) for one in check_up(str(store), deep=True).games if one.state == "bad"]


def named_in(what: str) -> list[str]:
    """Return the names and numbers of a finding in their order, and its other words."""
    return re.findall(r"[\w#/\[\]-]+", what)


def forge(file: Path | str, *statements: str) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as raw:
        for statement in statements:
            raw.execute(statement)


def test_sound_store_matches_its_records(store: Path) -> None:
    found = check_up(str(store), deep=True)
    assert found.unbroken
    assert {one.check for one in found.games if one.state == "ok"} >= {"ford1", "ford3"}


def test_deep_check_leaves_the_files_unchanged(store: Path) -> None:
    """Outdated read models are updated in a copy."""
    before = {file.name: file.read_bytes() for file in store.parent.iterdir() if file.suffix == ".db"}
    check_up(str(store), deep=True)
    assert {file.name: file.read_bytes() for file in store.parent.iterdir() if file.suffix == ".db"} == before


def test_forged_snapshot_with_a_correct_hash_is_reported(store: Path) -> None:
    # It would be shown: the state of a later position is built from it.
    with Ledger.open(store, GameStateBuilder()) as ledger:
        kept, schema = ledger._snapshots._store, ledger._snapshots.schema
        raw = kept.state("ford1", 21, schema)
        assert raw is not None
        unpacked = unpack_snapshot(raw, "ford1", schema)
        assert unpacked is not None
        edge, dumped = unpacked
        game: Game = ledger.folding.load(dumped)
        rich = replace(game, accounts=game.accounts.set("points/blue", 99))
        kept.keep("ford1", 21, schema, pack_snapshot("ford1", schema, edge, ledger.folding.dump(rich)))
    with Ledger.open(store, GameStateBuilder()) as ledger:
        assert ledger.state("ford1", 21).accounts["points/blue"] == 99
        assert ledger.verify("ford1").valid
    ((checked, what),) = bad(store)
    assert (checked, "#21" in named_in(what)) == ("ford1", True)


def test_snapshot_beyond_the_end_is_reported(store: Path) -> None:
    forge(store, "UPDATE snapshot SET position = 99 WHERE game = 'ford1' AND position = 21")
    ((game, what),) = bad(store)
    assert game == "ford1"
    assert {"#99", "26"} <= set(named_in(what)), "the position, and the size of the game"


FORGED = {
    "game": "UPDATE game SET name = 'other' WHERE id = 'ford1'",
    "seat": "UPDATE seat SET side = 'blue' WHERE game = 'ford1' AND seat = 'anna'",
    "secret": "DELETE FROM secret WHERE game = 'ford1' AND event = 'choice.made'",
    "sees": """INSERT INTO sees VALUES ('ford1', 'blue', '["red","referee"]')""",
    "audit": "UPDATE audit SET text = 'nothing' WHERE game = 'ford1' AND position = 12",
    "orders": "UPDATE orders SET text = 'nothing' WHERE game = 'ford1' AND name = 'pay'",
    "disputes": "UPDATE disputes SET claim = 'nothing' WHERE game = 'ford1'",
    "contested": "DELETE FROM contested WHERE game = 'ford1' AND position = 7",
    "rulings": "UPDATE rulings SET dispute_id = NULL WHERE game = 'ford1'",
    "seals": "UPDATE seals SET sealed = 1 WHERE game = 'ford1'",
    "refusals": "DELETE FROM refusals WHERE game = 'ford1' AND name = 'pay'",
    "attribute": "INSERT INTO attribute VALUES ('ford1', 'morale')",
    "roll": "UPDATE roll SET pips = '[6,6]' WHERE game = 'ford1'",
    "undo_point": "UPDATE undo_point SET step = 'elsewhere' WHERE game = 'ford1'",
    "waited": """INSERT INTO waited SELECT 'ford1', 12, '[]', key * 10000000000 + 12 FROM game WHERE id = 'ford1'""",
    "turn_view": """UPDATE turn_view SET view = replace(view, '"amount":3', '"amount":9')"""
    " || ' ' WHERE game = 'ford1' AND seat = 'red'",
    "unit": "UPDATE unit SET at = 'hill' WHERE game = 'ford1' AND id = 'blue-guard' AND knows = 'red'",
    "account": "DELETE FROM account WHERE game = 'ford1' AND id = 'points/blue' AND knows = 'red'",
    "marker": "INSERT INTO marker (game, knows, id, value) VALUES ('ford1', 'red', 'weather', '\"rain\"')",
}


def test_every_table_of_the_read_models_is_forged_here() -> None:
    assert FORGED.keys() == TABLES.keys() - {"looked", "snapshot"}


@pytest.mark.parametrize("table", FORGED)
def test_forged_row_is_reported_by_table_and_key_and_rebuilt(store: Path, table: str) -> None:
    forge(views_path(store), FORGED[table])
    found = bad(store)
    assert found
    assert {game for game, _ in found} - {"search index", "read models"} == {"ford1"}
    assert any(table in named_in(what) for _, what in found)


def test_finding_names_the_row(store: Path) -> None:
    forge(views_path(store), FORGED["unit"], FORGED["account"], FORGED["marker"], FORGED["audit"])
    found = [named_in(what) for game, what in bad(store) if game == "ford1"]
    assert len({words[-1] for words in found}) == 3, "it differs, it is missing, it is not in the ledger"
    rows = (
        ["audit", "12"],
        ["unit", "red", "blue-guard"],
        ["account", "red", "points/blue"],
        ["marker", "red", "weather"],
    )
    for words, row in zip(found, rows, strict=True):
        assert [word for word in words if word in row] == row


def test_forged_snapshot_of_seat_knowledge_is_reported(store: Path) -> None:
    state = zlib.compress(GameStateBuilder().dump(Game()))
    with closing(sqlite3.connect(views_path(store), isolation_level=None)) as views:
        values = ("ford1", 20, "[]", GameStateBuilder.schema, state)
        views.execute("INSERT INTO snapshot (game, position, sees, schema, state) VALUES (?, ?, ?, ?, ?)", values)
    ((checked, what),) = bad(store)
    assert (checked, [word for word in named_in(what) if word in ("snapshot", "20", "[]")]) == (
        "ford1",
        ["snapshot", "20", "[]"],
    )


def test_forged_view_of_a_title_is_reported(store: Path) -> None:
    # The rows do not show it: they are correct, and the view names another attribute.
    false = "CREATE VIEW units_freeform AS SELECT game, seat, id, 9 AS strength FROM units"
    forge(views_path(store), "DROP VIEW units_freeform", false)
    assert [check for check, _ in bad(store)] == ["read models"]
    with umpire.open(store) as desk:
        desk.rebuild()
    assert bad(store) == []


def test_inconsistent_search_index_is_reported(store: Path) -> None:
    forge(views_path(store), "INSERT INTO audit_fts (audit_fts) VALUES ('delete-all')")
    assert [check for check, _ in bad(store)] == ["search index"]


def test_outdated_read_models_are_sound(store: Path) -> None:
    with Ledger.open(store, GameStateBuilder()) as ledger:
        last = ledger.record("ford1", ledger.size("ford1"))
        again = Draft(event=b'{"type":"note.added","text":"again"}')
        ledger.append("ford1", after=last.position, seat="red", command="again", drafts=[again])
    assert bad(store) == []
