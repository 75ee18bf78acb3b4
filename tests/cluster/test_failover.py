"""The primary is killed with -9 while eight play; the long form is `python -m tests.cluster.failover 20`."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("psycopg")

from tests.cluster.failover import WRITERS, play_a_round
from tests.cluster.servers import Cluster, needed, own_folder


@pytest.fixture
def folder() -> Iterator[Path]:
    if not os.environ.get("UMPIRE_CLUSTER"):
        pytest.skip("takes a minute or two and both cores: UMPIRE_CLUSTER=needed python -m pytest tests/cluster")
    needed("etcd", "patroni", "initdb")
    with own_folder() as found:
        yield found


@pytest.fixture
def cluster(folder: Path) -> Iterator[Cluster]:
    found = Cluster(folder)
    try:
        found.start()
        yield found
    finally:
        print(found.said())  # shown if the test fails
        found.stop()


def test_acknowledged_orders_exist_once_and_play_continues(cluster: Cluster, folder: Path) -> None:
    found = play_a_round(cluster, folder, 1)
    assert found.changed
    assert found.acknowledged >= 12 * len(WRITERS)
    assert (found.missing, found.twice) == (0, 0)
    assert len(found.waited) == len(WRITERS)
