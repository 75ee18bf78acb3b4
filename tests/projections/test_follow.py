"""Check that following, delivering twice and rebuilding produce the same rows, with every event type in the history."""

import contextlib
import io
import os
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import get_args

import pytest

from tests.face.desk import GameStateBuilder
from tests.face.domain import (
    AnyEvent,
    ChoiceMade,
    PlayRewound,
    RestrictedEvent,
)
from tests.face.ledger import Ledger, NoSuchGame, StoreUnavailable
from tests.face.projections import (
    HIDDEN,
    Filter,
    Follower,
    audit_lines,
    fresh_turn_view,
    is_views,
    open_for_writing,
    views_file_WITHHELD as WITHHELD,
    views_path,
)
from tests.projections.table import RED, TITLES, Table, laid, one_of_each, rows
from umpire_ledger.ledger import replay_log


def full_history(table: Table) -> Table:
    """Record every event type, a secret, and a rewind and redo, followed order by order."""
    for event in one_of_each():
        table.lay_down(event).follow()
    table.lay_down(
        RestrictedEvent(ChoiceMade(question="plan", side=RED, choice="north", sealed=True), (RED, "referee"))
    ).follow()
    tip = table.size
    table.lay_down(PlayRewound(to=12, kind="rewind", why="from here", rolls=1, tip=tip)).follow()
    return table.lay_down(PlayRewound(to=tip, kind="redo", rolls=1, tip=table.size)).follow()


def make_and_close(path: str) -> bool:
    with contextlib.closing(open_for_writing(path)) as connection:
        return is_views(connection)


class TestFollowedRows:
    def test_full_history_has_every_event_type(self, table: Table) -> None:
        full_history(table)
        (kinds,) = zip(*table.views.connection.execute("SELECT DISTINCT event FROM audit"), strict=True)
        assert set(kinds) == {str(kind.__struct_config__.tag) for kind in get_args(AnyEvent)}

    def test_followed_order_by_order_is_read_in_one_go_is_rebuilt(self, file_table: Table, tmp_path: Path) -> None:
        table = file_table
        followed = rows(full_history(table).views)
        stored = laid(table.views)
        with Follower(table.ledger, tmp_path / "other.db", TITLES.get) as other:
            assert other.catch_up("g") == table.size
            assert (rows(other), laid(other)) == (followed, stored)
        assert table.views.rebuild("g") == table.size
        assert (rows(table.views), laid(table.views)) == (followed, stored)
        assert table.views.rebuild_all() == {"g": table.size}
        assert (rows(table.views), laid(table.views)) == (followed, stored)

    def test_catch_up_without_new_records_changes_no_row(self, table: Table) -> None:
        before = rows(full_history(table).views)
        assert table.views.catch_up("g") == 0
        assert rows(table.views) == before

    def test_two_programs_follow_the_same_ledger(self, file_table: Table) -> None:
        table = file_table
        with Follower(table.ledger, table.views.path, TITLES.get) as other:
            table.lay_down(*one_of_each())
            assert other.catch_up("g") == table.size
            assert table.views.catch_up("g") == 0
            assert rows(other) == rows(table.views)

    def test_followed_by_a_new_program_after_every_order(self, table: Table) -> None:
        """Follow as `umpire order` does, with only the ledger and the rows of the previous order."""
        table.follow()
        secret = RestrictedEvent(ChoiceMade(question="plan", side=RED, choice="north", sealed=True), (RED, "referee"))
        for event in (*one_of_each(), secret, PlayRewound(to=12, kind="rewind", why="from here", rolls=1, tip=99)):
            table.lay_down(event)
            with (
                Ledger.open(table.path, GameStateBuilder()) as ledger,
                Follower(ledger, table.views.path, TITLES.get) as it,
            ):
                assert it.catch_up("g") == 1
        followed = rows(table.views)
        table.views.rebuild("g")
        assert rows(table.views) == followed

    def test_new_follower_writes_changed_rows_only(self, file_table: Table) -> None:
        table = file_table
        table.follow()
        table.play(RED, "move", unit="red-1", path=["0102"])
        with Follower(table.ledger, table.views.path, TITLES.get) as other:
            statements: list[str] = []
            other.connection.set_trace_callback(statements.append)
            other.follow("g")
        written = [one for one in statements if one.startswith(("INSERT INTO unit", "DELETE FROM unit"))]
        assert len(written) == 1  # here all seats know the same
        assert "'red-1'" in written[0]
        assert "'0102'" in written[0]

    def test_another_program_writes_and_follows_while_this_one_looks(
        self, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # A program reads the size; before it may write, another has added rows for later records. It rebuilds nothing.
        table.follow()
        table.play(RED, "move", unit="red-1", path=["0102"])
        ask = table.ledger.size

        def slowly(game_id: str) -> int:
            size = ask(game_id)
            monkeypatch.setattr(table.ledger, "size", ask)
            table.play(RED, "move", unit="red-1", path=["0103"])
            with Follower(table.ledger, table.views.path, TITLES.get) as other:
                other.catch_up("g")
            return size

        def refuse(game_id: str) -> None:
            raise AssertionError(f"the rows of {game_id} are made anew")

        monkeypatch.setattr(table.ledger, "size", slowly)
        monkeypatch.setattr(table.views, "_wipe", refuse)
        assert table.views.catch_up("g") == 0
        monkeypatch.undo()
        followed = rows(table.views)
        table.views.rebuild("g")
        assert rows(table.views) == followed

    def test_rows_written_by_another_follower_are_read_again(self, table: Table) -> None:
        # This follower writes, the other follows a move, this one follows its undo: the unit has its first place.
        table.follow()
        with Follower(table.ledger, table.views.path, TITLES.get) as other:
            table.play(RED, "move", unit="red-1", path=["0102"])
            other.catch_up("g")
        table.play(RED, "undo").follow()
        followed = rows(table.views)
        table.views.rebuild("g")
        assert rows(table.views) == followed
        ask = "SELECT DISTINCT at FROM units WHERE id = 'red-1'"
        assert table.views.connection.execute(ask).fetchall() == [("0101",)]

    def test_deleted_read_models_are_rebuilt_with_same_rows(self, file_table: Table) -> None:
        table = file_table
        before = rows(full_history(table).views)
        table.views.close()
        Path(table.views.path).unlink()
        table.views = Follower(table.ledger, table.views.path, TITLES.get)
        table.follow()
        assert rows(table.views) == before

    def test_several_games_do_not_touch_each_other(self, table: Table, tmp_path: Path) -> None:
        full_history(table)
        second = Table(tmp_path, game_id="h", ledger=table.ledger)
        second.lay_down(*one_of_each()).follow()
        before = rows(table.views)
        table.views.rebuild("g")
        assert rows(table.views) == before
        assert len(list(audit_lines(second.views.connection, "h", "referee"))) == second.size
        second.views.close()

    def test_ledger_in_memory_has_read_models_in_memory(self) -> None:
        with (
            Ledger.open(":memory:", GameStateBuilder()) as ledger,
            Follower(ledger, views_path(":memory:"), TITLES.get) as it,
        ):
            with pytest.raises(NoSuchGame):
                it.catch_up("g")
            assert it.catch_up_all() == {}


class TestWithheldRecords:
    def test_log_with_redactions_is_followed(self, table: Table, tmp_path: Path) -> None:
        """Blue's export lacks Red's plan, so no seat can read it there, including the referee."""
        table.play(RED, "seal-choice", question="plan", choice="north").follow()
        with io.BytesIO() as sent, Ledger.open(tmp_path / "blue.db", GameStateBuilder()) as ledger:
            replay_log.write(table.ledger, "g", sent, lambda record: record.visible_to is None)
            sent.seek(0)
            replay_log.read_into(ledger, sent)
            with Follower(ledger, views_path(tmp_path / "blue.db"), TITLES.get) as follower:
                follower.catch_up("g")
                last = list(audit_lines(follower.connection, "g", "referee"))[-1]
                assert (last.position, last.seat, last.event, last.text) == (table.size, RED, HIDDEN, WITHHELD)
                choices = follower.turn_view("g", "referee").choices
                assert [(choice.sealed, choice.known) for choice in choices] == [(True, False)]


class TestTrouble:
    def test_interrupted_follower_writes_no_row(self, table: Table) -> None:
        table.follow()
        before = rows(table.views)
        table.lay_down(*one_of_each())

        def pull_the_plug(_: str) -> None:
            raise KeyboardInterrupt

        table.views._title_of = pull_the_plug  # type: ignore[assignment,method-assign]
        with pytest.raises(KeyboardInterrupt):
            table.follow()
        assert rows(table.views) == before
        table.views._title_of = TITLES.get  # type: ignore[method-assign]
        assert table.views.catch_up("g") > 0

    def test_read_models_of_another_ledger_are_rebuilt(self, file_table: Table, tmp_path: Path) -> None:
        # The file is a wrong copy: same game id, same number of records, another history.
        table = file_table
        table.lay_down(*one_of_each()).follow()
        other = Table(tmp_path / "other" if (tmp_path / "other").mkdir() is None else tmp_path)
        other.lay_down(*one_of_each()).follow()
        expected = rows(other.views)
        other.views.close()
        table.views.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.copy(table.views.path, other.views.path)
        assert fresh_turn_view(other.path, "g", "referee") is None
        other.views = Follower(other.ledger, other.views.path, TITLES.get)
        other.follow()
        assert rows(other.views) == expected
        other.close()

    def test_turn_views_of_another_edition_are_rebuilt(self, file_table: Table) -> None:
        table = file_table
        table.follow()
        with Follower(table.ledger, table.views.path, TITLES.get, edition="2.0") as newer:
            assert fresh_turn_view(table.path, "g", "referee", "2.0") is None
            assert newer.lay_views("g") == 0
            assert fresh_turn_view(table.path, "g", "referee", "2.0") is not None

    def test_read_models_of_another_format_are_deleted(self, file_table: Table) -> None:
        table = file_table
        table.follow()
        before = rows(table.views)
        table.views.connection.execute("PRAGMA user_version = 999")
        table.views.close()
        table.views = Follower(table.ledger, table.views.path, TITLES.get)
        table.follow()
        assert rows(table.views) == before

    def test_foreign_file_is_refused_and_kept(self, table: Table, tmp_path: Path) -> None:
        stranger = tmp_path / "stranger.db"
        with sqlite3.connect(stranger) as connection:
            connection.execute("CREATE TABLE recipes (name TEXT)")
        with pytest.raises(StoreUnavailable, match="not a file of read models") as refusal:
            Follower(table.ledger, stranger, TITLES.get)
        assert refusal.value.remedy == "move it elsewhere"
        assert sqlite3.connect(stranger).execute("SELECT count(*) FROM recipes").fetchone() == (0,)

    def test_two_first_starts_at_once_make_one_file(self, tmp_path: Path) -> None:
        path = str(tmp_path / "umpire.views.db")
        with ThreadPoolExecutor(4) as programs:
            opened = [programs.submit(make_and_close, path) for _ in range(4)]
            assert [one.result() for one in opened] == [True] * 4
        assert [name.name for name in tmp_path.iterdir()] == ["umpire.views.db"]

    def test_damaged_file_is_refused_with_remedy(self, table: Table, tmp_path: Path) -> None:
        damaged = tmp_path / "damaged.db"
        damaged.write_bytes(os.urandom(8192))
        with pytest.raises(StoreUnavailable, match="cannot be used") as refusal:
            Follower(table.ledger, damaged, TITLES.get)
        assert "delete this file" in refusal.value.remedy

    def test_locked_file_is_refused(self, file_table: Table) -> None:
        table = file_table
        with sqlite3.connect(table.views.path, isolation_level=None) as other:
            other.execute("BEGIN IMMEDIATE")
            with (
                Follower(table.ledger, table.views.path, TITLES.get, timeout=0.05) as late,
                pytest.raises(StoreUnavailable, match="locked"),
            ):
                late.catch_up("g")
            other.execute("ROLLBACK")
        assert table.views.catch_up("g") == table.size


class TestPlainTables:
    def test_units_accounts_and_markers_are_plain_tables(self, table: Table) -> None:
        table.play(RED, "move", unit="red-1", path=["0102"]).play(RED, "pay", account="vp/red", amount=3).follow()
        ask = table.views.connection.execute
        assert ask("SELECT at FROM units WHERE seat = 'blue' AND id = 'red-1'").fetchall() == [("0102",)]
        assert ask("SELECT amount FROM accounts WHERE seat = 'referee'").fetchall() == [(3,)]
        assert ask("SELECT id, value FROM markers WHERE seat = 'spectator'").fetchall() == [("wind", '"NE"')]

    def test_rewind_removes_current_rows_and_redo_restores_them(self, table: Table) -> None:
        table.play(RED, "move", unit="red-1", path=["0102"]).follow()
        moved = table.size
        table.play(RED, "undo").follow()
        assert [
            line.position for line in audit_lines(table.views.connection, "g", RED, Filter(event="unit.moved"))
        ] == []
        table.play(RED, "redo").follow()
        lines = audit_lines(table.views.connection, "g", RED, Filter(event="unit.moved"))
        assert [line.position for line in lines] == [moved]
