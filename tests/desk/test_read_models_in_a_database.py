"""Read models of a ledger in PostgreSQL: shared by all programs; a program that may not write keeps its own."""

from collections.abc import Iterator

import pytest

from tests.naming import Naming

pytest.importorskip("psycopg")

import umpire_ledger as umpire
from tests.databases import connected, cutting
from tests.face.desk import check_up, games_list
from tests.face.projections import StatementResult, TableConnection, Values
from tests.face.testing import FIXTURES

FORD = FIXTURES / "freeform/scenarios/ford.toml"


@pytest.fixture
def ford(database: str) -> Iterator[umpire.PlayedGame]:
    with umpire.open(database) as desk:
        game = desk.new("freeform", FORD, id="ford", dice="table")
        game.referee.order("note", text="rain at the ford")
        game.catch_up()
        yield game


def followed(database: str) -> list[tuple[str, int]]:
    with connected(database) as connection:
        return list(connection.execute("SELECT id, position FROM umpire_views.game").fetchall())


def test_read_models_are_updated_with_the_position(ford: umpire.PlayedGame, database: str) -> None:
    assert followed(database) == [("ford", ford.size)]
    ford.referee.order("note", text="and snow")
    ford.catch_up()
    assert followed(database) == [("ford", ford.size)]


def test_another_program_finds_them_made(ford: umpire.PlayedGame, monkeypatch: pytest.MonkeyPatch) -> None:
    with umpire.open(ford.desk.place) as desk:

        def refuse(*_: object) -> None:
            raise AssertionError("the trail is written again")

        monkeypatch.setattr("umpire_ledger.projections.tables.game_rows.GameRows.write_trail", refuse)
        assert [line.text for line in desk.game("ford").referee.audit(text="rains")] == ["note: rain at the ford"]


def test_update_repeats_no_query_unless_another_program_wrote(
    ford: umpire.PlayedGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Each query costs a round trip. Visibility is read once, and again after an update by another program.
    ford.referee.order("note", text="and snow")
    ford.catch_up()
    asked: list[str] = []
    execute = TableConnection.execute

    def noting(self: TableConnection, sql: str, values: Values = (), /) -> StatementResult:
        asked.append(sql)
        return execute(self, sql, values)

    monkeypatch.setattr(TableConnection, "execute", noting)
    ford.referee.order("note", text="and hail")
    ford.catch_up()
    assert len([sql for sql in asked if "INSERT INTO audit" in sql]) == 1
    assert not [sql for sql in asked if "FROM secret" in sql or "FROM seat" in sql or "FROM sees" in sql]
    with umpire.open(ford.desk.place) as desk:
        desk.game("ford").referee.order("note", text="and sun")
        desk.game("ford").catch_up()
    asked.clear()
    ford.referee.order("note", text="and a rainbow")
    ford.catch_up()
    assert [sql for sql in asked if "FROM seat" in sql]
    assert [line.text for line in ford.referee.audit()][-2:] == ["note: and sun", "note: and a rainbow"]


def test_turn_view_of_another_program_is_removed_by_an_order(ford: umpire.PlayedGame, database: str) -> None:
    # The row of the game is unchanged, so only the turn view shows it.
    stored = "SELECT DISTINCT game FROM umpire_views.turn_view"
    with umpire.open(ford.desk.place) as desk:
        assert desk.game("ford").catch_up(views=True) == ""
    with connected(database) as connection:
        assert connection.execute(stored).fetchall() == [("ford",)]
        ford.referee.order("note", text="and snow")
        ford.catch_up()
        assert connection.execute(stored).fetchall() == []


def test_list_of_games_rebuilds_no_state(ford: umpire.PlayedGame, monkeypatch: pytest.MonkeyPatch) -> None:
    before = ford.desk.games()

    def refuse(*_: object) -> None:
        raise AssertionError("a game is folded")

    monkeypatch.setattr(games_list, "listed", refuse)
    assert ford.desk.games() == before
    assert [(one.game, one.records, one.trouble) for one in before] == [("ford", ford.size, "")]


def test_game_without_current_read_models_is_listed(ford: umpire.PlayedGame) -> None:
    ford.referee.order("note", text="and snow")
    assert [(one.game, one.records, one.trouble) for one in ford.desk.games()] == [("ford", ford.size, "")]


def test_place_of_read_models_is_shown(ford: umpire.PlayedGame) -> None:
    found = ford.desk.views()
    assert found.file == f"schema umpire_views of {ford.desk.where}"
    assert {one.name: one.rows for one in found.tables}["audit"] == ford.size
    with pytest.raises(umpire.WrongUse) as refusal:
        ford.desk.for_datasette()
    assert refusal.value.remedy == Naming("`umpire read-models`", "umpire_views", "`umpire backup`")


def test_dropped_connection_is_reopened(ford: umpire.PlayedGame, database: str) -> None:
    # As after a failover: the next query uses another connection, and its caller sees no error.
    assert ford.referee.audit()
    with connected(database) as connection:
        connection.execute(cutting("pid <> pg_backend_pid()"))
    assert len(ford.referee.audit()) == ford.size


def test_read_models_are_rebuilt(ford: umpire.PlayedGame, database: str) -> None:
    with connected(database) as connection:
        connection.execute("DELETE FROM umpire_views.audit")
    assert ford.desk.rebuild() == {"ford": ford.size}
    assert len(ford.referee.audit()) == ford.size


def test_read_models_of_another_format_are_rebuilt(ford: umpire.PlayedGame, database: str) -> None:
    with connected(database) as connection:
        connection.execute("COMMENT ON SCHEMA umpire_views IS 'Umpire read models, format 1'")
    with umpire.open(database) as later:
        assert len(later.game("ford").referee.audit()) == ford.size
    assert followed(database) == [("ford", ford.size)]


def test_reader_without_write_permission_uses_memory(ford: umpire.PlayedGame, database: str) -> None:
    with connected(database) as connection:
        connection.execute("DROP OWNED BY umpire_looker") if _there(connection) else None
        connection.execute("DROP ROLE IF EXISTS umpire_looker")
        connection.execute("CREATE ROLE umpire_looker LOGIN")
        connection.execute("GRANT USAGE ON SCHEMA umpire TO umpire_looker")
        connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA umpire TO umpire_looker")
    with umpire.open(database.replace("postgres:@", "umpire_looker@"), read_only=True) as looker:
        assert len(looker.game("ford").referee.audit()) == ford.size
        assert [one.game for one in looker.games()] == ["ford"]
        with pytest.raises(umpire.WrongUse) as refusal:
            looker.views()
        assert refusal.value.remedy == Naming("`umpire read-models`", "umpire_views", "`umpire backup`")


def _there(connection: object) -> bool:
    found = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = 'umpire_looker'")  # type: ignore[attr-defined]
    return found.fetchone() is not None


def test_text_that_the_server_has_no_place_for_is_followed(ford: umpire.PlayedGame) -> None:
    ford.referee.order("note", text="a\0b")
    assert ford.catch_up() == ""
    assert ford.referee.audit()[-1].text == "note: a\N{REPLACEMENT CHARACTER}b"


def deep(database: str) -> list[tuple[str, str, str]]:
    return [(one.check, one.state, one.what) for one in check_up(database, deep=True).games]


def test_doctor_holds_them_against_the_records(ford: umpire.PlayedGame, database: str) -> None:
    """Check that outdated rows are updated in a copy; NUL, which the server cannot store, is not a difference."""
    ford.referee.order("note", text="a\0b")
    ford.catch_up()
    ford.referee.order("note", text="and snow")
    valid, tables, folded = deep(database)
    assert valid[:2] == folded[:2] == ("ford", "ok")
    assert tables == ("read models", "ok", Naming(0))
    assert followed(database) == [("ford", ford.size - 1)]


FORGED = {
    "audit": "UPDATE umpire_views.audit SET text = 'nothing' WHERE position = 3",
    "unit": "DELETE FROM umpire_views.unit WHERE id = 'blue-guard'",
    "seat": "UPDATE umpire_views.seat SET side = 'blue' WHERE seat = 'red'",
}


@pytest.mark.parametrize("table", FORGED)
def test_doctor_names_a_forged_row(ford: umpire.PlayedGame, database: str, table: str) -> None:
    assert ford.seat("red").status.title == "freeform"
    with connected(database) as connection:
        assert connection.execute(FORGED[table]).rowcount
    bad = [what for _, state, what in deep(database) if state == "bad"]
    assert bad
    assert all(what.startswith(f"read models, table {table}, key") for what in bad)
    ford.desk.rebuild()
    assert not [what for _, state, what in deep(database) if state == "bad"]


def test_doctor_without_read_models_is_ok(ford: umpire.PlayedGame, database: str) -> None:
    with connected(database) as connection:
        connection.execute("COMMENT ON SCHEMA umpire_views IS 'Umpire read models, format 1'")
    (said,) = [what for check, state, what in deep(database) if (check, state) == ("read models", "ok")]
    assert not any(letter.isdigit() for letter in said), "nothing was counted"


def test_doctor_that_cannot_read_them_says_so(ford: umpire.PlayedGame, database: str) -> None:
    with connected(database) as connection:
        connection.execute("ALTER TABLE umpire_views.seat RENAME COLUMN side TO sides")
    ((what, state),) = [(what, state) for check, state, what in deep(database) if check == "read models"]
    assert state == "bad"
    assert "cannot be used" in what
