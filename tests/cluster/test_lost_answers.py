"""An answer is lost while the commit waits for the standby: the repetition is answered when that one has it too."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("psycopg")

from tests.cluster.servers import Server, needed, own_folder, until
from tests.databases import connected
from tests.ledger.table import open_table, play

WAITS = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"


@pytest.fixture
def server() -> Iterator[Server]:
    needed("initdb")
    with own_folder() as folder:
        found = Server(folder, "alone").lay()
        yield found.start()
        found.stop()


def standby(server: Server, name: str) -> None:
    with connected(server.url()) as connection:
        connection.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{name}'")
        connection.execute("SELECT pg_reload_conf()")


def test_order_on_the_primary_alone_is_not_acknowledged(server: Server) -> None:
    with open_table(server.url()) as ledger, ThreadPoolExecutor(1) as other, connected(server.url()) as observer:
        play(ledger, "g", [1])
        standby(server, "one_that_is_away")
        given = other.submit(play, ledger, "g", [2])
        until(lambda: observer.execute(WAITS).fetchone()[0] == 1, "the commit waits for the standby")
        observer.execute(CUT)
        until(lambda: ledger.size("g") == 2, "the order is on the primary")
        time.sleep(1)
        assert not given.done()
        standby(server, "")
        assert [one.position for one in given.result(timeout=60)] == [2]
        assert ledger.verify("g").valid
