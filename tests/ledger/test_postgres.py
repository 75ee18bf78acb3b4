"""Test PostgreSQL only: triggers and rights, server failures, and errors when it cannot be used."""

from __future__ import annotations

import contextlib
import io
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from tests.naming import Naming

pytest.importorskip("psycopg")

import psycopg
from eventsourcing.persistence import IntegrityError

from tests.at_least_one import at_least_one
from tests.benchmarks.games import SCENARIO
from tests.databases import Databases, connected, cutting
from tests.face.desk import (
    Desk,
    WrongUse,
    lay_store,
    need_title,
    new_game,
    open_ledger,
    take_in,
)
from tests.face.ledger import (
    MOST_IDLE,
    TRIES,
    CannotBeWritten,
    CommitUnknown,
    ConnectionBroken,
    Datastore,
    GameExists,
    Ledger,
    PendingOrder,
    PositionConflict,
    StoreUnavailable,
    look_at_database,
    postgres_admin,
    postgres_schema,
)
from tests.face.testing import FIXTURES
from tests.ledger.table import Numbers, number, open_table, play
from umpire_ledger.ledger import replay_log


def sql(url: str, statement: str) -> list[tuple[Any, ...]]:
    """Run a statement as a user of `psql`."""
    with connected(url) as connection:
        found = connection.execute(statement)
        return list(found.fetchall()) if found.description else []


def connections(url: str) -> set[int]:
    """Return the process numbers of Umpire's connections to this database."""
    umpire = "application_name = 'umpire' AND datname = current_database()"
    return {pid for (pid,) in sql(url, f"SELECT pid FROM pg_stat_activity WHERE {umpire}")}


def take_at_once(datastore: Datastore, number: int) -> None:
    """Run `number` queries at the same time."""
    datastore.asked(lambda _: take_at_once(datastore, number - 1) if number > 1 else None)


@pytest.fixture
def written(database: str) -> str:
    with open_table(database) as ledger:
        play(ledger, "g", [1, 2], [3])
    return database


@pytest.fixture
def player(database: str) -> Iterator[str]:
    """Yield the URL of a role that may only play, in a ledger that another role created."""
    name = f"player_{database.partition('/umpire_')[2].partition('?')[0]}"
    with connected(database) as connection:
        connection.execute(f"DROP ROLE IF EXISTS {name}")
        connection.execute(f"CREATE ROLE {name} LOGIN")
    postgres_admin.init(database, role=name)
    yield database.replace("postgres:@", f"{name}:@")
    with connected(database) as connection:
        connection.execute(f"DROP OWNED BY {name}")
        connection.execute(f"DROP ROLE {name}")


class TestGuards:
    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE umpire.record SET line = '{}'",
            "DELETE FROM umpire.record WHERE position = 3",
            "TRUNCATE umpire.record",
            "INSERT INTO umpire.record (game, position, line) VALUES ('g', 5, '{}')",
            "INSERT INTO umpire.record (game, position, line) VALUES ('g', 2, '{}')",
            "INSERT INTO umpire.record (game, position, line) VALUES ('g', 0, '{}')",
            "INSERT INTO umpire.record (game, position, line) VALUES ('h', 2, '{}')",
            "INSERT INTO umpire.record (game, position, command, line) VALUES ('g', 4, 'order 1', '{}')",
            "INSERT INTO umpire.record (game, position, line) VALUES ('g', 2, '{}')"
            " ON CONFLICT (game, position) DO UPDATE SET line = excluded.line",
        ],
    )
    def test_table_owner_cannot_change_a_record(self, written: str, statement: str) -> None:
        before = sql(written, "SELECT game, position, command, line FROM umpire.record ORDER BY 1, 2")
        with pytest.raises(psycopg.IntegrityError):
            sql(written, statement)
        assert sql(written, "SELECT game, position, command, line FROM umpire.record ORDER BY 1, 2") == before

    @pytest.mark.parametrize("table", ["record", "aside"])
    @pytest.mark.parametrize("act", ["UPDATE umpire.{} SET game = 'x'", "DELETE FROM umpire.{}", "TRUNCATE umpire.{}"])
    def test_player_role_has_no_right_to_change_tables(self, player: str, table: str, act: str) -> None:
        with open_table(player) as ledger:
            play(ledger, "g", [1], [2])
            assert ledger.append_refusal("g", "athens", b"{}")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            sql(player, act.format(table))

    def test_player_role_can_play(self, player: str) -> None:
        with open_table(player, snapshot_every=2) as ledger:
            play(ledger, "g", [1], [2], [3])
            ledger.fork("g", 2, "h")
            with ledger.metadata() as metadata:
                metadata.put(("g", "kind", "", "x"))  # type: ignore[arg-type]
                assert metadata.drop("g", "kind")
            ledger.drop_snapshots()
            assert ledger.verify("h").valid
        checks = {one.check: one.state for one in look_at_database(player)}
        assert checks["rights"] == "ok"

    def test_player_role_without_tables_gets_remedy_db_init(self, player: str, database: str) -> None:
        sql(database, "DROP SCHEMA umpire CASCADE")
        with pytest.raises(StoreUnavailable, match="permission denied") as refusal:
            open_table(player)
        assert "umpire db init" in refusal.value.remedy


def _falls_silent(ledger: Ledger[Numbers], after: int) -> bool:
    """Return whether reports of changes stop in the end.

    Games are reported repeatedly while a transaction is open on the server.
    """
    until = monotonic() + 20
    while monotonic() < until:
        after, heard = ledger.changed_games(after)
        if not heard:
            return True
        sleep(0.02)
    return False


class TestPartitions:
    def test_partitioned_ledger_guards_each_partition(self, database: str) -> None:
        postgres_admin.init(database, partitions=4)
        with open_table(database) as ledger:
            for n in range(16):
                play(ledger, f"g{n}", [1], [2, 3])
            assert all(ledger.verify(game).valid for game in ledger.game_ids())
        spread = dict(sql(database, "SELECT tableoid::regclass::text, count(*) FROM umpire.record GROUP BY 1"))
        assert set(spread) == {f"umpire.record_0{n}" for n in range(4)}
        for table in at_least_one(sorted(spread)):
            for act in (f"UPDATE {table} SET position = 9", f"DELETE FROM {table}", f"TRUNCATE {table}"):
                with pytest.raises(psycopg.IntegrityError):
                    sql(database, act)
        assert {one.check for one in look_at_database(database) if one.state == "bad"} == set()
        sql(database, "ALTER TABLE umpire.record_02 DISABLE TRIGGER record_stays")
        assert {one.check for one in look_at_database(database) if one.state == "bad"} == {"guards"}

    def test_existing_ledger_gets_no_partitions(self, written: str) -> None:
        with pytest.raises(StoreUnavailable) as refusal:
            postgres_admin.init(written, partitions=4)
        assert refusal.value.remedy == Naming("--partitions", "export")
        with pytest.raises(WrongUse) as refused:
            lay_store("umpire.db", partitions=4)
        assert f"{refused.value.what}; {refused.value.where}" == Naming("umpire.db")


class TestServerFailures:
    def test_changed_games_include_late_commits(self, written: str) -> None:
        # A writer begins before another and commits after it, so the later one is reported first. While a transaction
        # is open on the server, games that were reported may be reported again.
        with open_table(written) as slow, open_table(written) as ledger:
            after, _ = ledger.changed_games()
            with slow._store.transaction():
                play(slow, "slow", [1])
                play(ledger, "quick", [1])
                after, heard = ledger.changed_games(after)
                assert "quick" in heard
                assert "slow" not in heard
            after, heard = ledger.changed_games(after)
            assert "slow" in heard
            assert _falls_silent(ledger, after)

    def test_follower_of_library_gets_late_commits(self, written: str) -> None:
        with open_table(written) as slow, open_table(written) as ledger:
            asked = ThreadPoolExecutor(1)
            with slow._store.transaction():
                play(slow, "slow", [1])
                play(ledger, "quick", [1])
                answer = asked.submit(ledger.recorder.select_notifications, 4, 10)
                assert not answer.done()
            assert [one.originator_id for one in answer.result(timeout=10)] == ["slow", "quick"]

    def test_order_with_answer_lost_after_commit_is_acknowledged(self, written: str) -> None:
        with open_table(written) as ledger, answers_lost(ledger, committed=True) as lost:
            answer = play(ledger, "g", [4])
            assert (len(lost), [one.position for one in answer]) == (1, [4])
            assert ledger.state("g") == (1, 2, 3, 4)
            assert ledger.verify("g").valid
            assert [one.position for one in play(ledger, "g", [5])] == [5]

    def test_order_with_answer_lost_before_commit_is_recorded_once(self, written: str) -> None:
        with open_table(written) as ledger, answers_lost(ledger, committed=False) as lost:
            answer = play(ledger, "g", [4])
            assert (len(lost), [one.position for one in answer]) == (1, [4])
            assert ledger.state("g") == (1, 2, 3, 4)
            assert ledger.verify("g").valid

    def test_order_without_any_answer_has_unknown_commit(self, written: str) -> None:
        with open_table(written) as ledger, answers_lost(ledger, committed=False, times=TRIES):
            with pytest.raises(CommitUnknown) as refusal:
                play(ledger, "g", [4])
            assert refusal.value.remedy == Naming("id", "order 4")
            again = ledger.append("g", after=3, seat="athens", command="order 4", drafts=[number(4)])
            assert [one.position for one in again] == [4]
            assert ledger.size("g") == 4

    @pytest.mark.parametrize("committed", [True, False])
    def test_copy_with_lost_answer_is_made_once(self, written: str, committed: bool) -> None:
        then = PendingOrder(seat="athens", command="then", drafts=[number(9)])
        with open_table(written) as ledger, answers_lost(ledger, committed=committed) as lost:
            assert ledger.fork("g", 2, "copy", then) == 3
            assert len(lost) == 1
            assert ledger.state("copy") == (1, 2, 9)
            assert ledger.verify("copy").valid
            with pytest.raises(GameExists, match="copy"):
                ledger.fork("g", 2, "copy", then)

    def test_copy_by_another_writer_is_refused(self, written: str) -> None:
        with open_table(written) as ledger, open_table(written) as other, answers_lost(ledger, committed=False):
            honest = ledger._store.insert_lines
            calls: list[str] = []

            def insert_lines(game_id: str, rows: Any, edge: Any = None) -> None:
                calls.append(game_id)
                if len(calls) == 2:
                    other.fork("g", 2, "copy")
                honest(game_id, rows, edge)

            ledger._store.insert_lines = insert_lines  # type: ignore[method-assign]
            with pytest.raises(GameExists) as refusal:
                ledger.fork("g", 2, "copy")
            assert str(refusal.value) == Naming("copy", 2)
            assert len(calls) == 2

    @pytest.mark.parametrize("committed", [True, False])
    def test_log_with_lost_answer_is_imported_once(self, databases: Databases, committed: bool) -> None:
        log = io.BytesIO()
        with open_table(databases()) as elsewhere:
            play(elsewhere, "g", [1, 2], [3])
            replay_log.write(elsewhere, "g", log)
        with open_table(databases()) as ledger, answers_lost(ledger, committed=committed) as lost:
            log.seek(0)
            if committed:
                assert replay_log.read_into(ledger, log) == "g"
            else:
                with pytest.raises(CommitUnknown):
                    replay_log.read_into(ledger, log)
                log.seek(0)
                assert replay_log.read_into(ledger, log) == "g"
            assert len(lost) == 1
            assert ledger.state("g") == (1, 2, 3)
            assert ledger.verify("g").valid

    @pytest.mark.parametrize("committed", [True, False])
    def test_desk_repeats_import_after_lost_answer(self, databases: Databases, tmp_path: Path, committed: bool) -> None:
        file = FIXTURES / "formats" / "1-edge" / "ford.whole.jsonl"
        with open_ledger(databases(), create=True) as ledger, answers_lost(ledger, committed=committed) as lost:
            game = take_in(ledger, file)
            assert len(lost) == 1
            assert ledger.verify(game).valid

    def test_connection_lost_inside_an_order_is_retried(self, written: str) -> None:
        # The connection breaks after the rows and before the commit: nothing was recorded, and the order is repeated.
        cut = cutting("state LIKE 'idle in transaction%'")
        broken: list[object] = []
        with open_table(written) as ledger:
            honest = ledger._store.insert_lines

            def insert_lines(game_id: str, rows: Any, edge: Any = None) -> None:
                with ledger._store.transaction():
                    honest(game_id, rows, edge)
                    if not broken:
                        broken.extend(sql(written, cut))
                        honest(game_id, [(99, None, None, b"{}")])

            ledger._store.insert_lines = insert_lines  # type: ignore[method-assign]
            assert [one.position for one in play(ledger, "g", [4])] == [4]
            assert len(broken) == 1
            assert ledger.state("g") == (1, 2, 3, 4)
            assert ledger.verify("g").valid

    def test_connection_lost_before_each_commit_records_no_order(self, written: str) -> None:
        with open_table(written) as ledger:
            honest = ledger._store.insert_lines

            def insert_lines(game_id: str, rows: Any, edge: Any = None) -> None:
                with ledger._store.transaction():
                    honest(game_id, rows, edge)
                    sql(written, cutting("state LIKE 'idle in transaction%'"))
                    honest(game_id, [(99, None, None, b"{}")])

            ledger._store.insert_lines = insert_lines  # type: ignore[method-assign]
            with pytest.raises(ConnectionBroken):
                play(ledger, "g", [4])
            assert ledger.size("g") == 3

    def test_order_without_server_at_retry_has_unknown_commit(self, written: str) -> None:
        with open_table(written) as ledger, answers_lost(ledger, committed=True):
            ledger.factory.datastore._url = "postgresql://127.0.0.1:1/umpire"  # type: ignore[attr-defined]
            with pytest.raises(CommitUnknown) as refusal:
                play(ledger, "g", [4])
            assert refusal.value.remedy == Naming("id", "order 4")

    def test_concurrent_first_starts_create_one_ledger(self, database: str) -> None:
        together = threading.Barrier(8)

        def start(n: int) -> int:
            together.wait()
            with open_table(database) as ledger:
                play(ledger, f"game-{n}", [n])
                return ledger.size(f"game-{n}")

        with ThreadPoolExecutor(8) as starters:
            assert list(starters.map(start, range(8))) == [1] * 8
        with open_table(database) as ledger:
            assert len(ledger.game_ids()) == 8

    def test_unfinished_reader_holds_no_snapshot(self, written: str) -> None:
        with open_table(written) as ledger:
            play(ledger, "g", *[[n] for n in range(4, 700)])
            reading = ledger.records("g")
            next(reading)
            held = (
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'umpire' AND backend_xmin IS NOT NULL"
                " AND datname = current_database()"
            )
            assert sql(written, held) == [(0,)]

    def test_foreign_snapshot_blocks_no_writer(self, written: str) -> None:
        with connected(written) as foreign, open_table(written) as ledger:
            foreign.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
            assert foreign.execute("SELECT count(*) FROM umpire.record").fetchone() == (3,)
            after, _ = ledger.changed_games()
            play(ledger, "g", [4])
            assert ledger.changed_games(after)[1] == ["g"]
            assert ledger.state("g") == (1, 2, 3, 4)
            assert foreign.execute("SELECT count(*) FROM umpire.record").fetchone() == (3,)

    def test_second_writer_waits_and_gets_position_conflict(self, written: str) -> None:
        with open_table(written) as first, open_table(written) as second, ThreadPoolExecutor(1) as other:
            with first._store.transaction():
                play(first, "g", [4])
                late = other.submit(second.append, "g", after=3, seat="syracuse", command="s", drafts=[number(5)])
            with pytest.raises(PositionConflict):
                late.result(timeout=10)

    @pytest.mark.parametrize(("at_once", "kept"), [(1, 1), (2, 2), (MOST_IDLE, MOST_IDLE), (MOST_IDLE + 1, MOST_IDLE)])
    def test_connections_are_kept_up_to_a_limit(self, written: str, at_once: int, kept: int) -> None:
        with open_table(written) as ledger:
            take_at_once(ledger.recorder.datastore, at_once)
            until = monotonic() + 10
            while (found := len(connections(written))) > kept and monotonic() < until:
                sleep(0.02)
            assert found == kept
            before = connections(written)
            play(ledger, "g", [4], [5])
            assert connections(written) == before, "the next orders use them again"

    @pytest.mark.parametrize(("said", "seconds"), [("", "5"), ("&connect_timeout=4", "4"), ("&connect_timeout=6", "6")])
    def test_url_sets_another_time_limit_for_connecting(self, written: str, said: str, seconds: str) -> None:
        with (
            open_table(written + said) as ledger,
            contextlib.closing(ledger.recorder.datastore.own_connection()) as connection,
        ):
            assert connection.info.get_parameters()["connect_timeout"] == seconds

    def test_dropped_idle_connection_is_reopened(self, written: str) -> None:
        with open_table(written) as ledger:
            for act in (lambda: play(ledger, "g", [4]), lambda: ledger.size("g")):
                assert act()
                sql(written, cutting("application_name = 'umpire'"))
            assert ledger.size("g") == 4
            assert play(ledger, "g", [5])


class TestGameLocks:
    def test_locked_game_blocks_other_programs_per_game(self, written: str) -> None:
        with open_table(written) as ledger, open_table(written, lock_timeout=0.2) as other:
            with ledger.lock_game("g"):
                with pytest.raises(StoreUnavailable, match="locked by another program"), other.lock_game("g"):
                    pass
                with other.lock_game("h"):
                    assert play(other, "h", [1])
            with other.lock_game("g"):
                assert [one.position for one in play(other, "g", [4])] == [4]

    def test_order_without_lock_is_recorded_during_a_lock(self, written: str) -> None:
        with open_table(written) as ledger, open_table(written) as other, ledger.lock_game("g"):
            assert [one.position for one in play(other, "g", [4])] == [4]

    def test_desk_waits_for_the_lock_of_a_game(self, database: str) -> None:
        with open_ledger(database, create=True) as ledger:
            new_game(ledger, need_title("freeform"), SCENARIO, game_id="g")
        with Desk(database) as one, Desk(database) as two:
            first, second = one.game("g").seat("red"), two.game("g").seat("blue")
            turns: list[str] = []
            honest = two.ledger.lock_game
            two.ledger.lock_game = lambda game: turns.append(game) or honest(game)  # type: ignore[method-assign,func-returns-value]
            second.note("alone")
            second.note("still alone")
            first.note("so am I")
            second.note("no longer")
            assert turns == []
            second.note("in turn")
            assert turns == ["g"]
            second.note("alone again")
            assert turns == ["g"]
            assert first.note("hm").position == two.game("g").size


@contextmanager
def answers_lost(ledger: Ledger[Any], *, committed: bool, times: int = 1) -> Iterator[list[bool]]:
    """Break the connection in the next commits, before or after the server has carried them out."""
    datastore: Datastore = ledger.factory.datastore  # type: ignore[attr-defined]
    honest, lost = datastore._commit, list[bool]()

    def commit(connection: Any) -> None:
        if len(lost) < times:
            lost.append(committed)
            if committed:
                connection.execute("COMMIT")
            connection.close()
            raise CommitUnknown("gone", where="there")
        honest(connection)

    datastore._commit = commit  # type: ignore[method-assign]
    yield lost


class TestUnusableStores:
    def test_unreachable_server_is_refused_without_password(self) -> None:
        with pytest.raises(StoreUnavailable, match="cannot be reached") as refusal:
            open_table("postgresql://me:se%40cret@127.0.0.1:1/umpire")
        said = f"{refusal.value.what} {refusal.value.where} {refusal.value.remedy}"
        assert "me@127.0.0.1:1/umpire" in said
        assert "cret" not in said

    @pytest.mark.parametrize(
        "url",
        ["postgresql://me:s%zzecret@here/umpire", "postgresql://me:secret@here/umpire?speed=9"],
    )
    def test_invalid_url_is_refused_without_repeating_it(self, url: str) -> None:
        with pytest.raises(StoreUnavailable, match="is not the address") as refusal:
            open_table(url)
        assert "ecret" not in f"{refusal.value.what} {refusal.value.where} {refusal.value.remedy}"
        assert refusal.value.__cause__ is None

    def test_empty_database_is_refused_to_readers(self, database: str) -> None:
        for settings in ({"create": False}, {"read_only": True}):
            with pytest.raises(StoreUnavailable, match="has no ledger yet") as refusal:
                open_table(database, **settings)
            assert "umpire db init" in refusal.value.remedy
        assert sql(database, "SELECT to_regnamespace('umpire')") == [(None,)]

    def test_foreign_schema_is_refused(self, database: str) -> None:
        sql(database, "CREATE SCHEMA umpire")
        with pytest.raises(StoreUnavailable, match="not Umpire's"):
            open_table(database)
        with pytest.raises(StoreUnavailable, match="not Umpire's"):
            postgres_admin.init(database)

    def test_newer_format_is_refused(self, written: str) -> None:
        sql(written, "COMMENT ON SCHEMA umpire IS 'Umpire ledger, store format 99'")
        with pytest.raises(StoreUnavailable, match="newer Umpire"):
            open_table(written)
        with pytest.raises(StoreUnavailable, match="newer"):
            postgres_admin.upgrade(written)

    def test_older_format_is_upgraded_by_its_owner(self, written: str, monkeypatch: pytest.MonkeyPatch) -> None:
        for module in ("postgres_schema", "postgres_connection", "postgres_admin"):
            monkeypatch.setattr(f"umpire_ledger.ledger.storage.{module}.FORMAT", 2)
        more = {**postgres_schema.MIGRATIONS, 1: ("ALTER TABLE umpire.beside ADD COLUMN later text",)}
        monkeypatch.setattr("umpire_ledger.ledger.storage.postgres_schema.MIGRATIONS", more)
        with pytest.raises(StoreUnavailable, match="format 1") as refusal:
            open_table(written)
        assert "umpire db upgrade" in refusal.value.remedy
        with pytest.raises(StoreUnavailable, match="older ledger"):
            postgres_admin.init(written)
        assert postgres_admin.upgrade(written).format == 1
        assert postgres_admin.status(written).format == 2
        assert postgres_admin.upgrade(written).format == 2
        with open_table(written) as ledger:
            assert ledger.state("g") == (1, 2, 3)

    def test_read_only_ledger_refuses_orders(self, written: str) -> None:
        with open_table(written, read_only=True) as ledger:
            assert ledger.state("g") == (1, 2, 3)
            with pytest.raises(StoreUnavailable, match="read-only"):
                play(ledger, "g", [4])

    def test_unknown_role_is_refused_with_remedy(self, database: str) -> None:
        with pytest.raises(StoreUnavailable, match="no role nobody") as refusal:
            postgres_admin.init(database, role="nobody")
        assert "CREATE ROLE" in refusal.value.remedy
        assert postgres_admin.status(database).format == 0

    def test_text_that_the_server_has_no_place_for(self, written: str) -> None:
        with open_table(written) as ledger:
            with pytest.raises(CannotBeWritten, match="NUL"):
                ledger.append("g", after=3, seat="athens", command="a\0b", drafts=[number(4)])
            assert ledger.size("g") == 3

    def test_closed_ledger_is_refused(self, database: str) -> None:
        ledger = open_table(database)
        ledger.close()
        with pytest.raises(StoreUnavailable, match="closed"):
            ledger.size("g")


class TestHealth:
    def states(self, url: str) -> dict[str, str]:
        return {one.check: one.state for one in look_at_database(url)}

    def test_sound_ledger_has_only_ok_states(self, written: str) -> None:
        found = self.states(written)
        assert {name for name, state in found.items() if state != "ok"} == {"flush", "rights"}

    @pytest.mark.parametrize(
        ("damage", "check"),
        [
            ("ALTER TABLE umpire.record DISABLE TRIGGER record_stays", "guards"),
            ("DROP TRIGGER aside_stays ON umpire.aside", "guards"),
            ("ALTER TABLE umpire.record DROP COLUMN follows", "tables"),
            ("DROP INDEX umpire.record_command", "tables"),
            ("SET session_replication_role = replica; DELETE FROM umpire.record WHERE position = 2", "rows"),
            ("UPDATE umpire.edge SET size = size + 1", "kept roots"),
        ],
    )
    def test_damage_by_sql_is_reported(self, written: str, damage: str, check: str) -> None:
        with connected(written) as connection:
            connection.execute(damage)
        assert self.states(written)[check] in ("bad", "warn")

    def test_changed_refusal_is_reported(self, written: str) -> None:
        with open_table(written) as ledger:
            assert ledger.append_refusal("g", "athens", b"{}")
        assert self.states(written)["refusals"] == "ok"
        sql(written, "SET session_replication_role = replica; UPDATE umpire.aside SET seat = 'syracuse'")
        assert self.states(written)["refusals"] == "bad"

    def test_missing_schema_or_server_is_reported(self, database: str) -> None:
        assert self.states(database)["format"] == "bad"
        assert self.states("postgresql://127.0.0.1:1/umpire")["database"] == "bad"


class TestListening:
    def test_listener_hears_committed_changes_only(self, written: str) -> None:
        with open_table(written) as listening, open_table(written) as ledger, listening.record_signals() as wait:
            assert wait is not None
            assert not wait(0.01)
            with contextlib.suppress(ZeroDivisionError), ledger._store.transaction():
                play(ledger, "g", [4])
                _ = 1 / 0
            assert not wait(0.05)
            play(ledger, "g", [5])
            assert wait(5)
            assert not wait(0.01)

    def test_changes_before_listening_are_found_by_query(self, written: str) -> None:
        with open_table(written) as ledger:
            after, _ = ledger.changed_games()
            play(ledger, "g", [4])
            with ledger.record_signals() as wait:
                assert wait is not None
                assert not wait(0.05)
                assert ledger.changed_games(after)[1] == ["g"]

    def test_lost_server_raises_in_listener(self, written: str) -> None:
        cut = cutting("query LIKE 'LISTEN%'")
        with open_table(written) as ledger, pytest.raises(StoreUnavailable, match="reached"):
            listen_while(ledger, lambda: sql(written, cut))


def listen_while(ledger: Ledger[Numbers], act: Callable[[], object]) -> None:
    with ledger.record_signals() as wait:
        assert wait is not None
        act()
        wait(5)


class TestMetadata:
    def test_refusals_of_a_game_are_numbered_without_gap(self, written: str) -> None:
        with open_table(written) as one, open_table(written) as two, ThreadPoolExecutor(4) as many:
            kept = [
                many.submit(ledger.append_refusal, "g", "athens", b"{}") for _ in range(10) for ledger in (one, two)
            ]
            assert all(done.result() for done in kept)
            assert [n for n, _ in one.refusals("g", 0)] == list(range(1, 21))

    def test_notes_are_written_one_after_the_other(self, written: str) -> None:
        def add(ledger: Ledger[Numbers]) -> None:
            with ledger.metadata() as metadata:
                count = int(metadata.one("g", "count") or 0)
                metadata.put(("g", "count", "", str(count + 1)))  # type: ignore[arg-type]

        with open_table(written) as one, open_table(written) as two, ThreadPoolExecutor(4) as many:
            list(many.map(add, [one, two] * 10))
            assert one.metadata_value("g", "count") == "20"

    def test_copy_in_a_file_is_the_same_ledger(self, written: str, tmp_path: Any) -> None:
        with open_table(written) as ledger:
            ledger.append_refusal("g", "athens", b'{"what":"no"}')
            with ledger.metadata() as metadata:
                metadata.put(("g", "display name", "", "Harbour"))  # type: ignore[arg-type]
            ledger.fork("g", 2, "h")
            ledger.back_up(tmp_path / "copy.db", lambda file: None)
            with open_table(tmp_path / "copy.db") as copy:
                assert copy.game_ids() == ledger.game_ids() == ("g", "h")
                assert list(copy.lines("g")) == list(ledger.lines("g"))
                assert copy.checkpoint("h") == ledger.checkpoint("h")
                assert [kept[1:] for _, kept in copy.refusals("g", 0)] == [
                    kept[1:] for _, kept in ledger.refusals("g", 0)
                ]
                assert copy.metadata_value("g", "display name") == "Harbour"
                assert play(copy, "g", [9])


def test_second_insert_of_a_game_is_refused_by_server(databases: Databases) -> None:
    url = databases()
    with open_table(url) as one, open_table(url) as two:
        play(one, "g", [1])
        with pytest.raises(IntegrityError):
            two._store.insert_lines("g", [(1, None, None, b"{}")])
