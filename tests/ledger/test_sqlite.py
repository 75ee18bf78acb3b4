"""Check that the store returns the stored records and reports its failures: one test for each failure in DESIGN 11."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from eventsourcing.persistence import IntegrityError, StoredEvent

from tests.face.ledger import (
    Ledger,
    LedgerRecorder,
    StoreUnavailable,
    sqlite_Datastore as Datastore,
)
from tests.ledger.table import Numbers, number, open_table, play


@pytest.fixture
def written(path: Path) -> Path:
    """Return a ledger file with a game of three records."""
    with open_table(path) as ledger:
        play(ledger, "g", [1, 2], [3])
    return path


@pytest.fixture
def somebodys() -> Iterator[Path]:
    """Yield a ledger file with a game of three records, as a user other than root, because root may write any file."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    me = os.geteuid()
    if me == 0:
        os.seteuid(65534)
    try:
        file = folder / "mine" / "umpire.db"
        file.parent.mkdir()
        with open_table(file) as ledger:
            play(ledger, "g", [1, 2], [3])
        yield file
    finally:
        file.parent.chmod(0o755)
        os.seteuid(me)
        shutil.rmtree(folder)


def raw(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


class TestImmutability:
    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE record SET line = x''",
            "UPDATE record SET position = 9 WHERE position = 3",
            "DELETE FROM record",
            "DELETE FROM record WHERE position = 3",
            "INSERT OR REPLACE INTO record (id, game, position, line) VALUES (1, 1, 4, x'')",
            "INSERT OR REPLACE INTO record (game, position, line) VALUES (1, 2, x'')",
            "INSERT OR REPLACE INTO record (game, position, command, line) VALUES (1, 4, 'order 1', x'')",
            "REPLACE INTO record (id, game, position, line) VALUES (3, 1, 3, x'')",
            "INSERT INTO record (game, position, line) VALUES (1, 3, x'') ON CONFLICT DO UPDATE SET line = x''",
            "UPDATE game SET id = 'h'",
            "DELETE FROM game",
            "INSERT OR REPLACE INTO game (key, id) VALUES (1, 'h')",
            "INSERT OR REPLACE INTO game (id) VALUES ('g')",
        ],
    )
    def test_plain_sql_cannot_change_a_record(self, written: Path, statement: str) -> None:
        before = list(raw(written).iterdump())
        with pytest.raises(sqlite3.IntegrityError):
            raw(written).execute(statement)
        assert list(raw(written).iterdump()) == before

    @pytest.mark.parametrize("position", [0, 2, 3, 5, 100])
    def test_plain_sql_cannot_leave_a_gap(self, written: Path, position: int) -> None:
        with pytest.raises(sqlite3.IntegrityError, match="without a gap"):
            raw(written).execute("INSERT INTO record (game, position, line) VALUES (1, ?, x'')", (position,))

    def test_library_insert_leaves_no_gap(self) -> None:
        recorder = LedgerRecorder(Datastore(":memory:"))
        recorder.create_table()
        for positions in ([2], [1, 3], [1, 1]):
            with pytest.raises(IntegrityError):
                recorder.insert_events([StoredEvent("g", position, "record", b"{}") for position in positions])
        assert recorder.max_notification_id() is None
        assert recorder.size("g") == 0


class TestNotificationIds:
    def test_vacuum_does_not_renumber_them(self, written: Path) -> None:
        def ids() -> list[int]:
            with open_table(written) as ledger:
                return [notice.id for notice in ledger.recorder.select_notifications(None, 100)]

        with open_table(written) as ledger:
            play(ledger, "h", [1])
        before = ids()
        raw(written).execute("VACUUM")
        assert ids() == before == [1, 2, 3, 4]
        with open_table(written) as ledger:
            play(ledger, "g", [5])
        assert ids() == [1, 2, 3, 4, 5]


class TestFile:
    def test_file_header_marks_a_ledger(self, written: Path) -> None:
        header = written.read_bytes()[:100]
        assert header[68:72] == b"UMPR"
        assert header[60:64] == b"\0\0\0\1"

    def test_acknowledged_order_is_durable(self, path: Path) -> None:
        with open_table(path) as ledger:
            writer = ledger.recorder.datastore._writer  # type: ignore[attr-defined]
            assert writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
            assert writer.execute("PRAGMA synchronous").fetchone() == (2,)

    def test_records_are_readable_with_sqlite_alone(self, written: Path) -> None:
        rows = raw(written).execute("SELECT game, position, json_extract(line, '$.event.n') FROM records").fetchall()
        assert rows == [("g", 1, 1), ("g", 2, 2), ("g", 3, 3)]

    def test_file_name_with_special_characters_is_opened(self, tmp_path: Path) -> None:
        path = tmp_path / "what? 100%#1 ünd.db"
        with open_table(path) as ledger:
            play(ledger, "g", [1])
        assert path.exists()
        with open_table(path, read_only=True) as ledger:
            assert ledger.state("g") == (1,)

    def test_two_first_starts_at_once_make_one_ledger(self, path: Path) -> None:
        start, errors = threading.Barrier(4), list[BaseException]()

        def first_start(n: int) -> None:
            start.wait()
            try:
                with open_table(path) as ledger:
                    play(ledger, f"game-{n}", [n])
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=first_start, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not errors
        with open_table(path) as ledger:
            assert {game.id for game in ledger.games()} == {f"game-{n}" for n in range(4)}


class TestUnusableFiles:
    """Files that cannot be used: each raises one StoreUnavailable with the file and a remedy."""

    def refused(self, path: Path, says: str, **settings: object) -> StoreUnavailable:
        with pytest.raises(StoreUnavailable, match=says) as refusal:
            open_table(path, **settings)
        assert refusal.value.where == str(path)
        assert refusal.value.remedy
        return refusal.value

    def test_file_other_than_a_database_is_refused(self, path: Path) -> None:
        path.write_text("my notes, " * 100)
        self.refused(path, "is not a ledger")
        assert path.read_text() == "my notes, " * 100

    def test_database_other_than_a_ledger_is_refused(self, path: Path) -> None:
        raw(path).execute("CREATE TABLE stamps (id)")
        before = path.read_bytes()
        self.refused(path, "not a ledger")
        assert path.read_bytes() == before
        assert os.listdir(path.parent) == [path.name]

    def test_newer_format_is_refused_with_remedy_update(self, written: Path) -> None:
        raw(written).execute("PRAGMA user_version = 2")
        assert "update" in self.refused(written, "newer").remedy

    def test_missing_file_is_refused_unless_created(self, path: Path) -> None:
        self.refused(path, "does not exist", create=False)
        self.refused(path, "does not exist", read_only=True)
        assert not path.exists()

    def test_missing_folder_is_refused(self, tmp_path: Path) -> None:
        assert "create the folder" in self.refused(tmp_path / "no" / "umpire.db", "folder that does not exist").remedy

    def test_folder_as_ledger_is_refused(self, tmp_path: Path) -> None:
        self.refused(tmp_path, "is a folder")

    def test_unsupported_store_is_refused_without_password(self) -> None:
        with pytest.raises(StoreUnavailable, match="mysql") as refusal:
            open_table("mysql://me:secret@here/umpire")
        assert "secret" not in f"{refusal.value.what} {refusal.value.where} {refusal.value.remedy}"

    def test_read_only_ledger_refuses_orders(self, written: Path) -> None:
        with open_table(written, read_only=True) as ledger:
            assert ledger.state("g") == (1, 2, 3)
            with pytest.raises(StoreUnavailable, match="read-only"):
                play(ledger, "g", [4])
            assert ledger.size("g") == 3

    def test_file_without_write_permission_is_read_only(self, somebodys: Path) -> None:
        somebodys.chmod(0o444)
        with open_table(somebodys) as ledger, pytest.raises(StoreUnavailable, match="read-only"):
            play(ledger, "g", [4])

    @pytest.mark.parametrize("read_only", [True, False])
    def test_folder_without_write_permission_is_readable(self, somebodys: Path, read_only: bool) -> None:
        """Read the game, although SQLite writes next to the file even to read it."""
        somebodys.chmod(0o444)
        somebodys.parent.chmod(0o555)
        with open_table(somebodys, read_only=read_only) as ledger:
            assert ledger.state("g") == (1, 2, 3)
            with pytest.raises(StoreUnavailable, match="read-only"):
                play(ledger, "g", [4])
        with pytest.raises(StoreUnavailable, match="cannot be opened"):
            open_table(somebodys.with_name("new.db"))

    def test_file_without_any_permission_is_refused(self, somebodys: Path) -> None:
        somebodys.chmod(0)
        assert "read and write" in self.refused(somebodys, "cannot be opened").remedy

    def test_locked_ledger_refuses_orders_after_timeout(self, written: Path) -> None:
        """Read a locked ledger; an order is refused as `locked` after its timeout, and succeeds after the lock ends."""
        other = raw(written)
        other.execute("BEGIN IMMEDIATE")
        with open_table(written, lock_timeout=0.05) as ledger:
            assert ledger.state("g") == (1, 2, 3)
            with pytest.raises(StoreUnavailable, match="locked") as refusal:
                play(ledger, "g", [4])
            assert "try again" in refusal.value.remedy
            other.execute("ROLLBACK")
            play(ledger, "g", [4])
            assert ledger.state("g") == (1, 2, 3, 4)

    def test_ledger_locked_by_thread_refuses_orders_after_timeout(self, written: Path) -> None:
        # Each of several waiting threads waits for one timeout, as for another program, and not for their sum.
        with open_table(written, lock_timeout=0.05) as ledger, ledger.metadata():
            refused: list[StoreUnavailable] = []

            def write() -> None:
                try:
                    play(ledger, "g", [4])
                except StoreUnavailable as refusal:
                    refused.append(refusal)

            waiting = [threading.Thread(target=write) for _ in range(4)]
            for one in waiting:
                one.start()
            for one in waiting:
                one.join(20)
            assert [refusal.what.endswith("is locked by another program") for refusal in refused] == [True] * 4
        with open_table(written) as ledger:
            play(ledger, "g", [4])

    def test_order_on_full_disk_is_not_recorded(self, path: Path) -> None:
        # The order that is too large is not recorded at all; with more room it is.
        with open_table(path) as ledger:
            play(ledger, "g", [1])
            writer = ledger.recorder.datastore._writer  # type: ignore[attr-defined]
            (pages,) = writer.execute("PRAGMA page_count").fetchone()
            writer.execute(f"PRAGMA max_page_count = {pages + 1}")
            drafts = [number(n) for n in range(2, 500)]
            with pytest.raises(StoreUnavailable, match="disk is full"):
                ledger.append("g", after=1, seat="a", command="big", drafts=drafts)
            assert (ledger.size("g"), ledger.state("g")) == (1, (1,))
            writer.execute("PRAGMA max_page_count = 100000")
            ledger.append("g", after=1, seat="a", command="big", drafts=drafts)
            assert ledger.size("g") == 499
            assert ledger.verify("g").valid

    def test_first_game_on_full_disk_is_not_recorded(self, path: Path) -> None:
        # The key of the game is forgotten with the transaction that created it.
        with open_table(path) as ledger:
            writer = ledger.recorder.datastore._writer  # type: ignore[attr-defined]
            (pages,) = writer.execute("PRAGMA page_count").fetchone()
            writer.execute(f"PRAGMA max_page_count = {pages}")
            with pytest.raises(StoreUnavailable, match="disk is full"):
                ledger.append("g", after=0, seat="a", command="big", drafts=[number(n) for n in range(500)])
            writer.execute("PRAGMA max_page_count = 100000")
            play(ledger, "other", [7])
            play(ledger, "g", [1])
            assert (ledger.state("g"), ledger.state("other")) == ((1,), (7,))

    def test_damaged_file_is_refused(self, path: Path) -> None:
        with open_table(path) as ledger:
            ledger.append("g", after=0, seat="a", command="big", drafts=[number(n) for n in range(2000)])
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2 // 4096 * 4096])
        with pytest.raises(StoreUnavailable, match="damaged"), open_table(path) as ledger:
            ledger.state("g")

    def test_closed_ledger_is_refused(self, written: Path) -> None:
        ledger = open_table(written)
        ledger.close()
        ledger.close()
        with pytest.raises(StoreUnavailable, match="closed"):
            ledger.state("g")
        with pytest.raises(StoreUnavailable, match="closed"):
            ledger.append("g", after=0, seat="a", command="c", drafts=[number(1)])


class TestThreads:
    def test_readers_see_whole_orders_during_a_write(self, path: Path) -> None:
        with open_table(path) as ledger:
            play(ledger, "g", [0, 0])
            done, seen = threading.Event(), list[int]()

            def read() -> None:
                while not done.is_set():
                    seen.append(ledger.size("g"))

            reader = threading.Thread(target=read)
            reader.start()
            for _ in range(50):
                play(ledger, "g", [1, 2])
            with ledger.recorder.datastore.writing():  # type: ignore[attr-defined]
                count = len(seen)
                while len(seen) < count + 2:
                    pass
            done.set()
            reader.join()
            assert all(size % 2 == 0 for size in seen)
            assert seen == sorted(seen)

    def test_interrupted_transaction_is_undone(self, ledger: Ledger[Numbers]) -> None:
        """Interrupt between the rows of an order, as Ctrl-C does."""
        play(ledger, "g", [1])

        def rows() -> object:
            yield (2, "c", None, b"{}")
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            ledger._store.insert_lines("g", rows())  # type: ignore[arg-type]
        assert ledger.size("g") == 1
        play(ledger, "g", [2])
        assert ledger.state("g") == (1, 2)
