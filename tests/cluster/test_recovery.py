"""docs/how-to/postgresql-operations.md: backup, and recovery to a second before a mistake, as the page has it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

pytest.importorskip("psycopg")

from tests.cli.terminal import SCENARIO, Terminal
from tests.cluster.servers import Server, needed, own_folder, run, until
from tests.cluster.spread import PAGE
from tests.databases import connected


def settings_of(name: str) -> dict[str, str]:
    """Return the settings of the page with this name."""
    found = re.search(rf"^```ini {name}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert found, name
    lines = [line.partition("#")[0].partition("=") for line in found[1].splitlines()]
    return {name.strip(): value.strip().strip("'") for name, _, value in lines if value}


@pytest.fixture
def folder() -> Iterator[Path]:
    needed("initdb", "pg_basebackup")
    with own_folder() as found:
        yield found


@pytest.fixture
def server(folder: Path) -> Iterator[Server]:
    """Yield a server that archives as on the page."""
    run("mkdir", folder / "wal")
    given = {name: value.replace("/backups", str(folder)) for name, value in settings_of("archive").items()}
    found = Server(folder, "club", given).lay()
    yield found.start()
    found.stop()


@pytest.fixture
def table(tmp_path: Path) -> Terminal:
    found = Terminal(tmp_path)
    found.write("scenario.toml", SCENARIO)
    return found


def test_restore_to_before_a_mistake_keeps_sealed_records(server: Server, folder: Path, table: Terminal) -> None:
    here = ("--ledger", server.url())
    table.ok("new", "freeform", "--id", "ford", "--scenario", "scenario.toml", *here)
    base = folder / "base"
    run(server.bin / "pg_basebackup", "-d", server.url(), "-D", base, "-X", "stream", "-c", "fast")
    table.ok("order", "ford", "move", "r1", "0101,0102", "--as", "red", *here)
    table.ok("seal", "ford", "--as", "blue", "-o", "blue.checkpoint", *here)
    time.sleep(1.1)
    before = datetime.now(UTC)
    time.sleep(1.1)
    with connected(server.url()) as connection:  # an operator dropped the wrong database
        connection.execute("DROP SCHEMA umpire CASCADE")
    assert table.type("verify", "ford", *here).code != 0
    with connected(server.url()) as connection:
        archived = "SELECT last_archived_wal >= pg_walfile_name(%s) FROM pg_stat_archiver"
        (last,) = connection.execute("SELECT pg_switch_wal()").fetchone()
        until(lambda: connection.execute(archived, (last,)).fetchone()[0], "the last of it is in the archive")
    server.stop()

    given = settings_of("recovery")
    given["recovery_target_time"] = before.isoformat()
    given["restore_command"] = given["restore_command"].replace("/backups", str(folder))
    run("touch", base / "recovery.signal")
    restored = Server(folder, "base", given).start()
    try:
        with connected(restored.url()) as connection:
            recovers = "SELECT pg_is_in_recovery()"
            until(lambda: not connection.execute(recovers).fetchone()[0], "it takes writes")
        there = ("--ledger", restored.url())
        found = table.ok("verify", "ford", "--checkpoint", "blue.checkpoint", "--json", *there).json
        assert found["verdict"] == "VALID"
        assert table.type("doctor", *there).code == 0
        table.ok("order", "ford", "move", "b1", "0102,0103", "--as", "blue", *there)
    finally:
        restored.stop()


def test_restored_to_before_the_seal_it_is_found_out(server: Server, folder: Path, table: Terminal) -> None:
    """Restore too early: the checkpoint shows that records are missing."""
    here = ("--ledger", server.url())
    table.ok("new", "freeform", "--id", "ford", "--scenario", "scenario.toml", *here)
    base = folder / "base"
    run(server.bin / "pg_basebackup", "-d", server.url(), "-D", base, "-X", "stream", "-c", "fast")
    table.ok("seal", "ford", "--as", "blue", "-o", "blue.checkpoint", *here)
    restored = Server(folder, "base").start()
    try:
        answer = table.type("verify", "ford", "--checkpoint", "blue.checkpoint", "--ledger", restored.url())
        assert answer.code == 5
        assert "INCOMPLETE" in answer.out or "INVALID" in answer.out
    finally:
        restored.stop()
