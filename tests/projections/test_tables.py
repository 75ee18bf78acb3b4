"""Test the tables that people read: orders, disputes, rulings, seals, refusals, units by title, and their keys."""

import io
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.face.desk import GameStateBuilder
from tests.face.domain import (
    ChoiceMade,
    DisputeOpened,
    DisputeSettled,
    LineSealed,
    PlayRewound,
    RestrictedEvent,
    RulingMade,
    UnitChanged,
    UnitPlaced,
)
from tests.face.ledger import Ledger
from tests.face.projections import (
    TABLES,
    VIEWS,
    Follower,
    dialect_of,
    key_of,
    make,
    title_views,
)
from tests.face.testing import FIXTURES
from tests.naming import Naming
from tests.projections.table import BLUE, RED, TITLES, Table, rows
from tests.projections.test_follow import full_history
from umpire_ledger.ledger import replay_log

FORD = FIXTURES / "freeform/scenarios/ford.toml"
PUBLIC = ("orders", "disputes", "contested", "rulings", "seals", "attribute", "views")
RED_AND_REFEREE = (RED, "referee")


def ask(table: Table, select: str, *values: object) -> list[tuple[Any, ...]]:
    return table.views.connection.execute(select, values).fetchall()


def last_order(table: Table, columns: str) -> tuple[Any, ...]:
    (row,) = ask(table.follow(), f"SELECT {columns} FROM orders ORDER BY id DESC LIMIT 1")
    return tuple(row)


class TestSchema:
    def test_schema_matches_the_catalogue(self) -> None:
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
            make(connection)
            for name, table in TABLES.items():
                laid = connection.execute(f"PRAGMA table_info({name})").fetchall()
                assert tuple(column for _, column, *_ in laid) == table.names
                in_key = sorted((place, column) for _, column, _, _, _, place in laid if place)
                assert tuple(column for _, column in in_key) == table.key
                foreign = connection.execute(f"PRAGMA foreign_key_list({name})").fetchall()
                refers = {(column, other) for _, _, other, column, to, *_ in foreign if to == "id"}
                assert refers == {(column.name, column.refers) for column in table.columns if column.refers}
            for name, view in VIEWS.items():
                shown = [column for _, column, *_ in connection.execute(f"PRAGMA table_info({name})")]
                assert shown == [column.name for column in view.columns]

    def test_every_key_that_refers_to_a_row_finds_it(self, file_table: Table) -> None:
        table = file_table
        full_history(table)
        assert ask(table, "PRAGMA foreign_key_check") == []

    def test_foreign_log_with_unknown_references_is_followed(self, file_table: Table) -> None:
        """Use a log that refers to records it does not have, and to a dispute that was never opened."""
        table = file_table
        table.lay_down(DisputeOpened(dispute="d1", claim="all of it", positions=(0, 3, 3, 2**40)))
        table.lay_down(LineSealed(seat=RED, position=2**40))
        table.lay_down(DisputeSettled(dispute="d9", ruling="no"), RulingMade(ruling="no", reason="so", dispute="d9"))
        table.follow()
        assert ask(table, "PRAGMA foreign_key_check") == []
        assert ask(table, "SELECT position FROM contested") == [(3,)]
        assert ask(table, "SELECT sealed, sealed_id FROM seals") == [(2**40, None)]
        assert ask(table, "SELECT ruling, dispute_id FROM rulings") == [("no", None)]

    def test_record_id_combines_game_and_position(self, table: Table) -> None:
        table.follow()
        assert ask(table, "SELECT DISTINCT id - position FROM audit") == [(10_000_000_000,)]


class TestOrders:
    def test_order_is_one_row(self, table: Table) -> None:
        table.play(RED, "move", unit="red-1", path=["0101", "0102"])
        row = last_order(table, "seat, name, arguments, first = last, last, text, counts, visible_to")
        arguments = '{"unit":"red-1","path":["0101","0102"]}'
        assert row == (RED, "move", arguments, 1, table.size, "Red moves red-1: 0101 → 0102", 1, None)

    def test_order_is_joined_to_its_records(self, table: Table) -> None:
        table.play(RED, "move", unit="red-1", path=["0101", "0102"]).play(RED, "pay", account="vp/red", amount=1)
        table.follow()
        joined = ask(
            table,
            "SELECT orders.name, audit.event FROM audit JOIN orders ON orders.id = audit.order_id"
            " WHERE audit.seat = ? ORDER BY audit.id",
            RED,
        )
        assert joined == [("move", "unit.moved"), ("pay", "account.changed")]
        assert ask(table, "SELECT count(*) FROM audit WHERE order_id IS NULL") == [(0,)]

    def test_order_that_ends_a_step_belongs_to_it(self, lesson: Table) -> None:
        # The order leads out of step 1, and belongs to it.
        lesson.play(RED, "seal-choice", question="plan", choice="north")
        lesson.play(BLUE, "seal-choice", question="plan", choice="hold").play(RED, "done").play(BLUE, "done")
        assert last_order(lesson, "name, turn, step") == ("done", 1, "1")

    def test_rewind_uncounts_an_order_and_redo_counts_it(self, table: Table) -> None:
        table.play(RED, "move", unit="red-1", path=["0101", "0102"]).follow()
        counts = "SELECT counts FROM orders WHERE name = 'move'"
        assert ask(table, counts) == [(1,)]
        table.play(RED, "undo").follow()
        assert ask(table, counts) == [(0,)]
        assert last_order(table, "name, counts") == ("undo", 1)
        table.play(RED, "redo").follow()
        assert ask(table, counts) == [(1,)]

    def test_secret_of_an_order_is_not_in_its_row(self, table: Table) -> None:
        """Check arguments and secret results; a seat that may see them finds them in the audit trail."""
        table.play(RED, "seal-choice", question="plan", choice="the-north-road")
        row = last_order(table, "seat, name, arguments, text, visible_to")
        eyes = '["red","referee"]'
        assert row == (RED, "", "{}", "Red makes a secret choice for plan", eyes)
        found = rows(table.views)
        for name in PUBLIC:
            assert "the-north-road" not in repr(found[name])
        (cause,) = ask(table, "SELECT cause FROM audit WHERE cause LIKE '%north%' AND visible_to = ?", eyes)
        assert "the-north-road" in cause[0]

    def test_redacted_order_is_labelled_as_withheld(self, table: Table, tmp_path: Path) -> None:
        # In Blue's export the order's record is empty, and so is its cause.
        table.play(RED, "seal-choice", question="plan", choice="the-north-road")
        with io.BytesIO() as sent, Ledger.open(tmp_path / "blue.db", GameStateBuilder()) as ledger:
            replay_log.write(table.ledger, "g", sent, lambda record: record.visible_to is None)
            sent.seek(0)
            replay_log.read_into(ledger, sent)
            with Follower(ledger, tmp_path / "blue.views.db", TITLES.get) as blue:
                blue.catch_up("g")
                select = "SELECT name, arguments, text, visible_to FROM orders ORDER BY id DESC LIMIT 1"
                (row,) = blue.connection.execute(select).fetchall()
        assert row == ("", "{}", "Red makes a secret choice for plan", '["red","referee"]')

    def test_order_without_public_record_is_labelled_as_secret(self, table: Table) -> None:
        table.lay_down(
            RestrictedEvent(ChoiceMade(question="x", side=RED, choice="the-north-road"), RED_AND_REFEREE), seat=RED
        )
        assert last_order(table, "name, text") == ("", "something that is hidden from this seat")


class TestRefereeTables:
    def test_dispute_has_records_and_ruling(self, table: Table) -> None:
        table.play(RED, "move", unit="red-1", path=["0101", "0102"])
        contested = table.size
        table.play(BLUE, "dispute", records=[contested], claim="it was not adjacent", rule="4.2").follow()
        assert ask(table, "SELECT dispute, state, seat, claim, rule FROM disputes") == [
            ("d1", "open", BLUE, "it was not adjacent", "4.2")
        ]
        table.play(
            "referee", "rule", ruling="it was", reason="the map", rule="4.2", grounds="printed rule", dispute="d1"
        )
        table.follow()
        joined = ask(
            table,
            "SELECT disputes.state, disputes.ruling, disputes.reason, rulings.ruling, rulings.grounds, audit.text"
            " FROM disputes JOIN rulings ON rulings.dispute_id = disputes.id"
            " JOIN contested ON contested.dispute_id = disputes.id JOIN audit ON audit.id = contested.record_id",
        )
        assert joined == [("settled", "it was", "the map", "it was", "printed rule", "red-1 moves 0101 → 0102")]
        (settled,) = ask(table, "SELECT audit.event FROM disputes JOIN audit ON audit.id = disputes.settled_id")
        assert settled == ("dispute.settled",)

    def test_dispute_followed_or_read_at_once_is_the_same(self, table: Table, tmp_path: Path) -> None:
        # A dispute is settled and ruled on long after it was opened.
        table.lay_down(DisputeOpened(dispute="d1", claim="no", positions=(3,))).follow()
        table.lay_down(RulingMade(ruling="yes", reason="so", dispute="d1"), DisputeSettled(dispute="d1", ruling="yes"))
        followed = rows(table.follow().views)
        table.views.rebuild("g")
        assert rows(table.views) == followed
        assert ask(table, "SELECT state, dispute_id > 0 FROM disputes, rulings") == [("settled", 1)]

    def test_rewound_ruling_does_not_count_and_dispute_remains(self, table: Table) -> None:
        before = table.size
        table.lay_down(DisputeOpened(dispute="d1", claim="no", positions=(3,)))
        table.lay_down(RulingMade(ruling="yes", reason="so")).follow()
        table.lay_down(PlayRewound(to=before, kind="rewind", why="again", tip=table.size)).follow()
        assert ask(table, "SELECT counts FROM rulings") == [(0,)]
        assert ask(table, "SELECT state FROM disputes") == [("open",)]

    def test_seal_names_the_last_record_it_accepts(self, table: Table) -> None:
        size = table.size
        table.play(RED, "seal").follow()
        joined = "SELECT seals.seat, sealed, audit.position FROM seals JOIN audit ON audit.id = seals.sealed_id"
        assert ask(table, joined) == [(RED, size, size)]

    def test_restricted_rulings_and_disputes_are_in_no_table(self, table: Table) -> None:
        for event in (RulingMade(ruling="yes", reason="so"), DisputeOpened(dispute="d1", claim="no")):
            table.lay_down(RestrictedEvent(event, RED_AND_REFEREE))
        table.follow()
        assert ask(table, "SELECT (SELECT count(*) FROM rulings), (SELECT count(*) FROM disputes)") == [(0, 0)]


@pytest.fixture
def ford(tmp_path: Path) -> Iterator[umpire.PlayedGame]:
    with umpire.open(tmp_path / "umpire.db") as desk:
        yield desk.new("freeform", FORD, id="ford", dice="table")


def refuse(game: umpire.PlayedGame, seat: str, **order: Any) -> None:
    with pytest.raises(umpire.Refused):
        game.seat(seat).order(order)


class TestRefusals:
    def test_refused_order_is_a_row_at_the_next_query(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        ford.catch_up()
        refuse(ford, "red", order="move", unit="ghost", path=["hill"])
        ford.referee.audit()
        with closing(sqlite3.connect(tmp_path / "umpire.views.db")) as views:
            select = "SELECT after, seat, name, what, rule, visible_to, code, fields ->> 'unit' FROM refusals"
            assert views.execute(select).fetchall() == [
                (ford.size, "red", "move", Naming("ghost"), "units", '["red","referee"]', "unknown-name", None)
            ]
            joined = "SELECT audit.position FROM refusals JOIN audit ON audit.id = refusals.after_id"
            assert views.execute(joined).fetchall() == [(ford.size,)]

    def test_followed_one_by_one_or_read_in_one_go_they_are_the_same(
        self, ford: umpire.PlayedGame, tmp_path: Path
    ) -> None:
        for unit in ("ghost", "spook", "wraith"):
            refuse(ford, "red", order="move", unit=unit, path=["hill"])
            ford.catch_up(views=True)
        with closing(sqlite3.connect(tmp_path / "umpire.views.db")) as views:
            followed = views.execute("SELECT * FROM refusals").fetchall()
            assert len(followed) == 3
            ford.desk.rebuild()
            assert views.execute("SELECT * FROM refusals").fetchall() == followed

    def test_refusal_in_a_game_closed_to_referee_is_closed_here(self, tmp_path: Path) -> None:
        with umpire.open(tmp_path / "umpire.db") as desk:
            closed = {"secrets_closed_to_referee": True}
            game = desk.new("freeform", FORD, id="ford", dice="table", options=closed)
            refuse(game, "red", order="move", unit="the-north-road", path=["hill"])
            game.catch_up(views=True)
            kept = [msgspec.structs.astuple(one) for one in game.referee.refusals()]
        with closing(sqlite3.connect(tmp_path / "umpire.views.db")) as views:
            ((row,),) = (views.execute(f"SELECT {', '.join(TABLES['refusals'].names)} FROM refusals").fetchall(),)
        assert "the-north-road" not in repr(kept)
        assert "the-north-road" not in repr(row)
        assert "hidden from this seat" in row


class TestUnitsByTitle:
    def test_attributes_are_columns(self, table: Table) -> None:
        table.lay_down(UnitPlaced(unit="red-2", side=RED, kind="galley", at="0303", attributes={"crew": 3})).follow()
        select = "SELECT id, side, kind, at, crew FROM units_freeform WHERE seat = 'blue' AND id = 'red-2'"
        assert ask(table, select) == [("red-2", RED, "galley", "0303", 3)]

    def test_new_attribute_is_a_new_column(self, table: Table) -> None:
        table.follow()
        assert "masts_down" not in columns(table)
        table.lay_down(UnitChanged(unit="red-1", attribute="masts_down", before=None, after=True)).follow()
        assert "masts_down" in columns(table)
        select = "SELECT id, masts_down FROM units_freeform WHERE seat = 'blue' AND masts_down IS NOT NULL"
        assert ask(table, select) == [("red-1", 1)]

    def test_secret_attribute_adds_no_column(self, table: Table) -> None:
        hidden = UnitChanged(unit="red-1", attribute="is_a_decoy", before=None, after=True)
        table.lay_down(RestrictedEvent(hidden, RED_AND_REFEREE)).follow()
        assert "is_a_decoy" not in repr(rows(table.views)["views"]) + repr(rows(table.views)["attribute"])
        known = ask(table, "SELECT attributes FROM units WHERE seat = ? AND id = 'red-1'", RED)
        assert "is_a_decoy" in known[0][0]

    def test_attribute_with_impossible_column_name_is_accepted(self, table: Table) -> None:
        # Quotes, blanks, the name of an existing column, the same name in capitals, a thousand names.
        odd = ('x" FROM game; --', "two words", "at", "AT", "Crew", "crew", "né", "", "id", "a-b")
        many = {f"n{number}": number for number in range(1000)}
        placed = UnitPlaced(unit="red-2", side=RED, kind="galley", at="0303", attributes=dict.fromkeys(odd, 1) | many)
        table.lay_down(placed).follow()
        assert {"Crew", "a-b"} <= set(columns(table))
        assert len(columns(table)) == 507
        assert len({name.casefold() for name in columns(table)}) == 507
        assert ask(table, "SELECT at, \"a-b\" FROM units_freeform WHERE id = 'red-2' LIMIT 1") == [("0303", 1)]

    def test_rebuilt_game_leaves_no_column_of_the_old_one(self, file_table: Table, tmp_path: Path) -> None:
        # The file is a wrong copy: the other ledger's game has other attributes.
        table = file_table
        table.lay_down(UnitChanged(unit="red-1", attribute="masts_down", before=None, after=True)).follow()
        (tmp_path / "other").mkdir()
        other = Table(tmp_path / "other")
        with Follower(other.ledger, table.views.path, TITLES.get) as follower:
            follower.catch_up("g")
            assert "masts_down" not in columns(table)
        other.close()

    def test_rebuilt_game_drops_columns_without_attribute(self, file_table: Table) -> None:
        table = file_table.follow()
        with closing(sqlite3.connect(table.views.path, isolation_level=None)) as views:  # as in a damaged file
            views.execute("INSERT INTO attribute VALUES ('g', 'masts_down')")
        table.lay_down(UnitChanged(unit="red-1", attribute="crew", before=4, after=3)).follow()
        title_views.refresh(table.views.connection)
        assert "masts_down" in columns(table)
        table.views.rebuild("g")
        assert "masts_down" not in columns(table)

    def test_rebuilding_one_game_asks_no_other(self, tmp_path: Path) -> None:
        """Check that rebuilding one of ten thousand games costs as much as rebuilding a single game."""
        with umpire.open(tmp_path / "umpire.db") as desk:
            for number in range(3):
                desk.new("freeform", FORD, id=f"ford{number}", dice="table").catch_up()
            with desk.read_models.lent() as follower:
                asked: list[str] = []
                assert isinstance(follower.connection, sqlite3.Connection)
                follower.connection.set_trace_callback(asked.append)
                follower.rebuild("ford1")
                follower.connection.set_trace_callback(None)
                key = key_of(follower.connection, "ford1")
        reads = [sql for sql in asked if sql.startswith(("SELECT", "DELETE", "UPDATE")) and "audit_fts" not in sql]
        assert len(reads) > 10
        # By its id, its key, the span of its rows, or one of these.
        of_one = ("'ford1'", f"key = {key}", "BETWEEN", " id = ")
        assert [sql for sql in reads if not any(words in sql for words in of_one)] == []

    def test_every_recorded_game_has_its_view(self, tmp_path: Path) -> None:
        with umpire.open(tmp_path / "umpire.db") as desk:
            for title in at_least_one(sorted(FIXTURES.glob("*/replays"))):
                desk.import_log(min(title.glob("*.jsonl"))).catch_up()
        with closing(sqlite3.connect(tmp_path / "umpire.views.db")) as views:
            assert views.execute("PRAGMA foreign_key_check").fetchall() == []
            names = [name for (name,) in views.execute("SELECT name FROM sqlite_master WHERE name GLOB 'units_*'")]
            assert len(names) == 6
            for name in names:
                counted = views.execute(f"SELECT count(*) FROM {name} WHERE seat = 'referee'").fetchone()
                assert counted[0] > 0, name


def columns(table: Table) -> list[str]:
    return sorted(dialect_of(table.views.connection).columns_of(table.views.connection, "units_freeform"))


class TestEarlierFormat:
    def test_file_of_format_1_is_rebuilt_with_its_read_marks(self, file_table: Table) -> None:
        """Format 1 had other columns, no orders, and rows with other ids."""
        table = file_table
        before = rows(table.follow().views)
        table.views.close()
        with closing(sqlite3.connect(table.views.path, isolation_level=None)) as views:
            views.execute("INSERT INTO looked VALUES ('g', 'red', 7)")
            views.execute("PRAGMA user_version = 1")
            views.execute("DROP TABLE orders")
            views.execute("UPDATE audit SET id = (1 << 32) + position")
        table.views = Follower(table.ledger, table.views.path, TITLES.get)
        assert rows(table.follow().views) == before
        assert ask(table, "SELECT seat, position FROM looked") == [(RED, 7)]
