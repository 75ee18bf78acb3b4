"""Every key begins with the game, and what is written is about one game: so games can be spread over servers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("psycopg")

from tests.databases import connected
from tests.ledger.table import open_table

LEDGER = Path(__file__).parents[2] / "ledger"


def test_every_primary_and_unique_key_begins_with_the_game(database: str) -> None:
    with open_table(database), connected(database) as connection:
        keys = connection.execute(
            "SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid, 1, true) FROM pg_index"
            " JOIN pg_class ON pg_class.oid = indrelid"
            " WHERE relnamespace = to_regnamespace('umpire') AND (indisunique OR indisprimary)"
        ).fetchall()
    assert len(keys) == 6
    assert {first for _, first in keys} == {"game"}


def test_no_key_refers_to_another_game(database: str) -> None:
    """No foreign key, and no trigger that asks for anything but the game of its own row."""
    with open_table(database), connected(database) as connection:
        assert connection.execute("SELECT count(*) FROM pg_constraint WHERE contype = 'f'").fetchone() == (0,)
        bodies = connection.execute(
            "SELECT prosrc FROM pg_proc WHERE pronamespace = to_regnamespace('umpire')"
        ).fetchall()
    asked = [where for (body,) in bodies for where in re.findall(r"FROM umpire\.\w+ WHERE (.*)", body)]
    assert asked
    assert all(where.startswith("game = NEW.game") for where in asked)


def test_every_statement_that_writes_names_one_game() -> None:
    """What reads over all games is a list of games, or a follower's; nothing that writes does."""
    text = "".join(file.read_text(encoding="utf-8") for file in sorted(LEDGER.glob("*postgres*.py")))
    changes = re.findall(r"(?:DELETE FROM|UPDATE) umpire\.\w+[^;]*?WHERE (\w+ = )", text)
    inserts = re.findall(r"INSERT INTO umpire\.(?:\w+|\{\w+\}) \((\w+)", text)
    assert len(inserts) >= 6
    assert len(changes) >= 2
    assert set(changes) == {"game = "}
    assert set(inserts) == {"game"}
