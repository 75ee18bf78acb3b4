"""Start one real PostgreSQL server for each run of the tests, from the wheel `pgserver`; without it, tests are skipped.

The server does not flush to disk, because recovery from a power cut is PostgreSQL's own task. A test with the fixture
`databases` gets an empty database with each call. They are emptied after the test, and its statements are checked
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
"""A function that returns the URL of an empty database."""
SETTINGS = {"fsync": "off", "full_page_writes": "off", "max_connections": "200", "autovacuum": "off"}
PARTITIONS = int(os.environ.get("UMPIRE_PARTITIONS", "0"))
"""Number of partitions in every ledger of the tests, so that the same tests can run on partitioned ledgers."""
STORES = ("sqlite", "postgresql")
SCHEMAS = ("umpire", "umpire_views")


def folder_of(run: str) -> Path:
    """Return the folder of a run's server."""
    return Path(tempfile.gettempdir()) / f"umpire-postgres-{run[:12]}"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """URL of the server, which all workers of a run share. The last worker stops it."""
    pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
    pgserver = pytest.importorskip("pgserver", reason="without the wheel `pgserver` there is no server to test with")
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    folder = folder_of(run)
    with _alone():
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


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Keep other test processes of this machine out, because as root each would create the server's system user."""
    if not hasattr(os, "geteuid"):
        yield
        return
    import fcntl  # noqa: PLC0415 -- Windows has none, and its server needs no user of its own

    with (Path(tempfile.gettempdir()) / "umpire-postgres.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def _made(postgres_server: str) -> list[str]:
    return []


@pytest.fixture
def databases(postgres_server: str, _made: list[str]) -> Iterator[Databases]:
    """Function that returns the URL of another empty database with each call."""
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
    """URL of an empty database."""
    return databases()


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest) -> str:
    """Name of a store. A test with this fixture, or with `place`, runs on each store."""
    return str(request.param)


@pytest.fixture
def place(store: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Place for a persistent ledger: a file, or the URL of an empty database."""
    return str(tmp_path / "umpire.db") if store == "sqlite" else str(request.getfixturevalue("database"))


def _new(server: str, number: int) -> str:
    name = f"umpire_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}_{number}"
    with connected(server) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return server.replace("/postgres?", f"/{name}?")


def cutting(which: str) -> str:
    """Return the statement that breaks such connections to its own database only, because parallel tests use others."""
    connections = f"pg_stat_activity WHERE datname = current_database() AND {which}"
    return f"SELECT pg_terminate_backend(pid, 2000) FROM {connections}"


def emptied(url: str) -> None:
    """Empty a database after ending the connections that a failed test left open."""
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
    """Yield a direct connection to a database, as `psql` opens it."""
    import psycopg  # noqa: PLC0415 -- an extra

    with psycopg.connect(url, autocommit=True, **settings) as connection:
        yield connection
