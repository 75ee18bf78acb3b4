"""A real PostgreSQL server for the tests: one a run, from the wheel `pgserver`; without that wheel they are left out.

Nothing is flushed to the disk: what a power cut leaves is PostgreSQL's own affair. A test that asks for `databases`
gets as many empty ones as it calls for; they are emptied behind it, and what was asked of them is judged
(`statements.py`).
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server_watch import watch
from tests.statements import faults, noted

Databases = Callable[[], str]
"""Gives the URL of an empty database."""
SETTINGS = {"fsync": "off", "full_page_writes": "off", "max_connections": "200", "autovacuum": "off"}
PARTITIONS = int(os.environ.get("UMPIRE_PARTITIONS", "0"))
"""So many in every ledger that a test lays: the same tests are told on a ledger that is spread."""
STORES = ("sqlite", "postgresql")
SCHEMAS = ("umpire", "umpire_views")


def folder_of(run: str) -> Path:
    """Where the server of a run keeps its files."""
    return Path(tempfile.gettempdir()) / f"umpire-postgres-{run[:12]}"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of the server, the same for all workers of a run. The one that leaves last stops it."""
    pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
    pgserver = pytest.importorskip("pgserver", reason="without the wheel `pgserver` there is no server to test with")
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    folder = folder_of(run)
    server = pgserver.get_server(folder, cleanup_mode="delete")
    watching = watch(folder)
    url = server.get_uri()
    with connected(url) as connection:
        for name, value in SETTINGS.items():
            connection.execute(f"ALTER SYSTEM SET {name} = {value}")
        connection.execute("SELECT pg_reload_conf()")
    if PARTITIONS:
        _lay_partitions()
    yield url
    server.cleanup()
    watching.communicate()


@pytest.fixture(scope="session")
def _made(postgres_server: str) -> list[str]:
    return []


@pytest.fixture
def databases(postgres_server: str, _made: list[str]) -> Iterator[Databases]:
    """Empty databases, each call another one."""
    taken: list[str] = []

    def another() -> str:
        if len(taken) == len(_made):
            _made.append(_new(postgres_server, len(_made)))
        taken.append(_made[len(taken)])
        return taken[-1]

    with noted() as given:
        yield another
    for url in taken:
        emptied(url)
    assert not (found := faults(given)), found


@pytest.fixture
def database(databases: Databases) -> str:
    """One empty database."""
    return databases()


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest) -> str:
    """The name of a store: what asks for it, or for `place`, is told on each."""
    return str(request.param)


@pytest.fixture
def place(store: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a ledger may be opened that lasts: a file, or the URL of an empty database."""
    return str(tmp_path / "umpire.db") if store == "sqlite" else str(request.getfixturevalue("database"))


def _new(server: str, number: int) -> str:
    name = f"umpire_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}_{number}"
    with connected(server) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return server.replace("/postgres?", f"/{name}?")


def cutting(which: str) -> str:
    """The statement that breaks such connections, of one's own database only: tests beside this one have others."""
    connections = f"pg_stat_activity WHERE datname = current_database() AND {which}"
    return f"SELECT pg_terminate_backend(pid, 2000) FROM {connections}"


def emptied(url: str) -> None:
    """Whoever is still connected, because a test broke off, is shown out first."""
    with connected(url) as connection:
        connection.execute(cutting("pid <> pg_backend_pid()"))
        connection.execute(f"DROP SCHEMA IF EXISTS {', '.join(SCHEMAS)} CASCADE")


def _lay_partitions() -> None:
    from umpire_ledger.ledger.storage import postgres_admin, postgres_connection, postgres_schema  # noqa: PLC0415 -- an extra

    honest = postgres_schema.bring_up
    for module in (postgres_admin, postgres_connection):
        module.bring_up = lambda connection, _=0: honest(connection, PARTITIONS)  # type: ignore[attr-defined]


@contextlib.contextmanager
def connected(url: str, **settings: Any) -> Iterator[Any]:
    """Somebody with `psql`."""
    import psycopg  # noqa: PLC0415 -- an extra

    with psycopg.connect(url, autocommit=True, **settings) as connection:
        yield connection
