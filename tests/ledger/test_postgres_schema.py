"""Check that each key begins with the game and each statement is about one game, so that servers can share games."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest

pytest.importorskip("psycopg")

from tests.databases import connected
from tests.face.ledger import MetadataEntry, look_at_database
from tests.ledger.table import number, open_table, play
from tests.statements import ALL_GAMES, TABLES, WHOLE, Given, faults, noted, read

LEDGER = Path(__file__).parents[2] / "ledger"


def test_every_primary_and_unique_key_begins_with_the_game(database: str) -> None:
    with open_table(database), connected(database) as connection:
        keys = connection.execute(
            "SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid, 1, true) FROM pg_index"
            " JOIN pg_class ON pg_class.oid = indrelid"
            " WHERE relnamespace = to_regnamespace('umpire') AND (indisunique OR indisprimary)"
        ).fetchall()
    assert len(keys) >= 6
    assert {first for _, first in keys} == {"game"}


def test_schema_has_no_foreign_key_to_another_game(database: str) -> None:
    """Find no foreign key, and no trigger that reads another game than that of its own row."""
    with open_table(database), connected(database) as connection:
        assert connection.execute("SELECT count(*) FROM pg_constraint WHERE contype = 'f'").fetchone() == (0,)
        bodies = connection.execute(
            "SELECT prosrc FROM pg_proc WHERE pronamespace = to_regnamespace('umpire')"
        ).fetchall()
    asked = [where for (body,) in bodies for where in re.findall(r"FROM umpire\.\w+ WHERE (.*)", body)]
    assert asked
    assert all(where.startswith("game = NEW.game") for where in asked)


class TestStatements:
    """The check at the end of each test with a database."""

    def test_statement_is_about_one_game_or_a_listed_query(self, database: str) -> None:
        with noted() as given:
            use_everything(database)
        assert faults(given) == []
        assert {read(one.text).writes for one in given} == {"", *TABLES}

    def test_listed_queries_about_all_games_are_used(self, database: str) -> None:
        with noted() as given:
            use_everything(database)
            list(look_at_database(database))
        unasked = [name for name, piece in ALL_GAMES.items() if not any(piece in one.text for one in given)]
        assert unasked == []

    @pytest.mark.parametrize(
        "text",
        [
            "DELETE FROM umpire.snapshot",
            "DELETE FROM umpire.snapshot WHERE game = %s OR position = 1",
            "UPDATE umpire.edge SET size = 1 WHERE size > %s",
            "SELECT line FROM umpire.record WHERE position = %s",
            "SELECT line FROM umpire.record WHERE game > %s",
            "SELECT 1 FROM umpire.record WHERE game = %s AND EXISTS (SELECT 1 FROM umpire.edge WHERE size = 1)",
            "INSERT INTO umpire.edge (size, game) VALUES (1, %s)",
            "INSERT INTO umpire.edge (game, size) SELECT game, 1 FROM umpire.record WHERE game = %s",
            "INSERT INTO umpire.edge (game) VALUES ('g') ON CONFLICT (game) DO NOTHING",
        ],
    )
    def test_statement_without_game_is_reported(self, text: str) -> None:
        assert faults([Given(text, ("g",), 0)])

    def test_two_games_in_one_statement_or_one_transaction_are_found(self) -> None:
        add = "INSERT INTO umpire.edge (game) VALUES (%s)"
        both = "SELECT (SELECT size FROM umpire.edge WHERE game = %s), size FROM umpire.edge WHERE game = %s"
        assert faults([Given(both, ("g", "h"), 0)])
        assert not faults([Given(both, ("g", "g"), 0)])
        assert faults([Given(add, ("g",), 1), Given(add, ("h",), 1)])
        assert not faults([Given(add, ("g",), 1), Given(add, ("h",), 2), Given(add, ("g",), 1)])
        assert not faults([Given(add.replace("edge", WHOLE), (game,), 1) for game in "gh"])

    def test_changing_statements_call_no_volatile_function(self, database: str) -> None:
        # A server in front of others would run the function in another place, or refuse it.
        with noted() as given:
            use_everything(database)
        changes = {one.text for one in given if read(one.text).writes and one.text.startswith(("UPDATE", "DELETE"))}
        called = sorted({name for text in changes for name in re.findall(r"(\w+)\(", text)})
        assert called == ["pg_current_xact_id"]
        with connected(database) as connection:
            (kind,) = connection.execute("SELECT provolatile FROM pg_proc WHERE proname = %s", called).fetchone()
        assert kind == "s"

    def test_statements_have_no_upsert(self) -> None:
        # Partitions on other servers support only ON CONFLICT DO NOTHING without a key.
        text = "".join(file.read_text(encoding="utf-8") for file in sorted(LEDGER.rglob("*postgres*.py")))
        assert set(re.findall(r'ON CONFLICT[^"]*', text.replace("No ON CONFLICT", ""))) == {"ON CONFLICT DO NOTHING"}


def use_everything(url: str) -> None:
    """Run each statement of the store at least once."""
    with open_table(url, snapshot_every=2) as ledger:
        play(ledger, "g", [1, 2], [3])
        ledger.append("g", after=3, seat="athens", command="back", drafts=[number(4, follows=1)])
        ledger.fork("g", 2, "h")
        after, _ = ledger.changed_games()
        assert ledger.append_refusal("g", "athens", b"{}")
        with ledger.metadata() as metadata:
            for value in "12":
                metadata.put(MetadataEntry("g", "kind", "name", value))
            metadata.of("kind")
            metadata.drop("g", "kind", "name")
        ledger.metadata_of_kind("kind")
        ledger.metadata_of_kind("kind", "g")
        ledger.metadata_named("kind", "name")
        assert ledger.game_ids() == ("g", "h")
        assert ledger.sizes() == {"g": 4, "h": 2}
        ledger.state("g")
        ledger.take_snapshots("g")
        ledger.drop_snapshots()
        ledger.changed_games(after)
        ledger.commands("g", "order")
        ledger.back_up(Path(tempfile.mkdtemp()) / "copy.db", lambda file: None)
        ledger.recorder.select_notifications(1, 10)
        ledger.recorder.max_notification_id()
        assert ledger.verify("g").valid
