"""Run the saved queries in plain sqlite3, and open the file as a user of sqlite-utils does."""

import csv
import io
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.face.projections import (
    QUERIES,
    TABLES,
    Query,
    config_text,
)
from tests.naming import Naming
from tests.projections.read_models_of_games import SECRET, make

BY_NAME = {query.name: query for query in QUERIES}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("club") / "umpire.db")


@pytest.fixture
def views(file: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(file)) as connection:
        connection.row_factory = sqlite3.Row
        yield connection


def ask(views: sqlite3.Connection, name: str, **values: str) -> list[dict[str, Any]]:
    query = BY_NAME[name]
    return [dict(row) for row in views.execute(query.sql, {**query.examples, **values})]


class TestQueries:
    @pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.name)
    def test_finds_something_in_recorded_games(self, views: sqlite3.Connection, query: Query) -> None:
        assert query.examples.keys() == set(query.parameters)
        assert views.execute(query.sql, query.examples).fetchall()

    @pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.name)
    def test_answers_an_empty_form_and_a_strange_word(self, views: sqlite3.Connection, query: Query) -> None:
        """Run each query with the empty texts that Datasette sends when a query is first opened."""
        asked = [dict.fromkeys(query.parameters, value) for value in ("", "nothing of this name")]
        assert len([views.execute(query.sql, one).fetchall() for one in asked]) == 2

    @pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.name)
    def test_saved_query_reveals_no_secret(self, views: sqlite3.Connection, query: Query) -> None:
        values = {"game": "ford", "unit": "red-horse", "account": "points/blue", "rule": "4", "words": "north"}
        asked = {name: values[name] for name in query.parameters}
        assert SECRET not in repr([tuple(row) for row in views.execute(query.sql, asked)])
        assert SECRET in repr([tuple(row) for row in views.execute("SELECT text FROM audit")])


class TestAnswers:
    def test_ships_burned_have_owner_and_burner(self, views: sqlite3.Connection) -> None:
        found = ask(views, "who_burned_whose_ship")
        assert [(one["ship"], one["whose"], one["by_order_of"], one["rolled"], one["rule"]) for one in found] == [
            ("athens-3", "athens", "syracuse", None, "E.1"),
            ("syracuse-3", "syracuse", "syracuse", "[5]", "G.2b [8.55]"),
        ]

    def test_dice_by_seat(self, views: sqlite3.Connection) -> None:
        """Compare with the rolls themselves."""
        (athens,) = [one for one in ask(views, "dice_by_seat") if (one["seat"], one["dice"]) == ("athens", "1d6")]
        select = "SELECT pips FROM dice WHERE seat = 'athens' AND dice = '1d6' AND counts"
        pips = [int(row[0].strip("[]")) for row in views.execute(select)]
        assert athens["rolls"] == len(pips) > 3
        assert athens["mean"] == round(sum(pips) / len(pips), 2)

    def test_unit_history_lists_its_places(self, views: sqlite3.Connection) -> None:
        assert [(one["position"], one["text"]) for one in ask(views, "where_a_unit_was")] == [
            (12, Naming("syracuse-3 (trireme, syracuse)", "0606")),
            (155, Naming("syracuse-3", "0606 → 0607 → 0608 → 0609")),
        ]

    def test_evening_lists_refused_and_undone_orders(self, views: sqlite3.Connection) -> None:
        told = [(one["outcome"], one["text"]) for one in ask(views, "an_evening_order_by_order", game="ford")]
        assert [text for outcome, text in told if outcome == "refused"] == [Naming("move:", "ghost", "[units]")]
        assert [text for outcome, text in told if outcome == "taken back"] == [
            Naming("Red", "red-foot: village → road")
        ]
        assert [outcome for outcome, _ in told].count("stands") == len(told) - 2

    def test_dispute_has_its_records_and_its_ruling(self, views: sqlite3.Connection) -> None:
        found = ask(views, "disputes_with_their_records")
        assert [(one["state"], one["position"], one["ruling"]) for one in found] == [
            ("settled", 9, "it was"),
            ("settled", 10, "it was"),
        ]
        assert "a secret record" in [one["contested"] for one in found]


class TestExports:
    def test_read_models_of_an_export_hold_no_more_than_it(self, file: Path, tmp_path: Path) -> None:
        """Follow docs/reference/read-models.md: export as a seat, import elsewhere, and open that file."""
        with umpire.open(file.with_name("umpire.db")) as desk:
            desk.game("ford").export(tmp_path / "blue.jsonl", seat="blue")
        with umpire.open(tmp_path / "blue.db") as desk:
            desk.import_log(tmp_path / "blue.jsonl")
            theirs = Path(desk.views().file)
        for name, held in ((theirs, False), (file, True)):
            with closing(sqlite3.connect(name)) as views:
                rows = [views.execute(f"SELECT * FROM {table}").fetchall() for table in at_least_one(TABLES)]
                assert (SECRET in repr(rows)) is held


def run(*words: object) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "sqlite_utils", *map(str, words)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


class TestSqliteUtils:
    def test_tables_and_their_counts(self, file: Path) -> None:
        told = csv.DictReader(io.StringIO(run("tables", file, "--counts", "--csv")))
        counted = {row["table"]: int(row["count"]) for row in told}
        assert counted["game"] == 5
        assert counted["orders"] > 400
        assert TABLES.keys() <= counted.keys()

    def test_rows_come_with_what_people_read_first(self, file: Path) -> None:
        first = next(csv.reader(io.StringIO(run("rows", file, "orders", "--csv", "--limit", 3))))
        assert first[:7] == ["game", "first", "last", "turn", "step", "seat", "text"]

    def test_query_runs_as_csv(self, file: Path) -> None:
        values = [word for name, value in BY_NAME["where_a_unit_was"].examples.items() for word in ("-p", name, value)]
        rows = list(csv.DictReader(io.StringIO(run("query", file, BY_NAME["where_a_unit_was"].sql, *values, "--csv"))))
        assert [row["position"] for row in rows] == ["12", "155"]

    def test_search(self, file: Path) -> None:
        found = run("search", file, "audit", "athens fire", "-c", "text", "--csv")
        assert "athens-3: fire none → yes" in found

    def test_foreign_keys_are_seen(self, file: Path) -> None:
        laid = run("schema", file, "audit")
        assert 'REFERENCES "orders"("id")' in laid.replace("[", '"').replace("]", '"')

    def test_units_of_a_title(self, file: Path) -> None:
        where = ("--where", "seat = 'referee' AND fire")
        found = run("rows", file, "units_war_galley", *where, "--csv", "-c", "id", "-c", "fire")
        assert found.split() == ["id,fire", "syracuse-3,1"]


def test_datasette_file_is_the_same_each_time(views: sqlite3.Connection) -> None:
    text, again = (config_text("club/umpire.views.db", views) for _ in range(2))
    assert again == text
    assert '  "umpire.views":\n' in text
    names = (*TABLES, *BY_NAME, "units_war_galley")
    assert [name for name in names if f"\n      {name}:\n" not in text] == []
