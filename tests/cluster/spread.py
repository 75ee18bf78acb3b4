"""A ledger whose sixteen partitions are on three servers, made by docs/how-to/postgresql-operations.md."""

from __future__ import annotations

import re
from pathlib import Path

from tests.cluster.servers import Server
from tests.databases import connected
from tests.face.ledger import postgres_admin

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "postgresql-operations.md").read_text(encoding="utf-8")
PARTITIONS = 16


def block(name: str) -> str:
    """Return the statements of the page with this name."""
    found = re.search(rf"^```sql {name}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert found, name
    return found[1]


class Spread:
    """A partitioned ledger. `url`: the one address; `servers`: the servers of the partitions, in turn."""

    def __init__(self, folder: Path, settings: dict[str, str] | None = None) -> None:
        self.folder = folder
        self.servers = [Server(folder, name, settings).lay().start() for name in ("one", "two", "three")]
        self.router = Server(folder, "router", settings).lay().start()
        for server in (*self.servers, self.router):
            with connected(server.url()) as connection:
                connection.execute("CREATE ROLE umpire_app LOGIN")
        for number in range(PARTITIONS):
            self._lay_partition(number)
        with connected(self.router.url()) as connection:
            connection.execute("CREATE DATABASE club")
        postgres_admin.init(self.router.url("club"), role="umpire_app", partitions=PARTITIONS)
        with connected(self.router.url("club")) as connection:
            connection.execute(self._statements())
        self.url = self.router.url("club", "umpire_app")

    def _lay_partition(self, number: int) -> None:
        server, name = self.servers[number % len(self.servers)], f"club_{number:02d}"
        with connected(server.url()) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        postgres_admin.init(server.url(name), role="umpire_app")
        with connected(server.url(name)) as connection:
            connection.execute(block("partition"))

    def _statements(self) -> str:
        """Those of the page, with the servers of this test; these ask for no password."""
        places = ", ".join(f"'127.0.0.1:{server.port}'" for server in self.servers)
        text, count = re.subn(r"ARRAY\['one:5432'.*?\]", f"ARRAY[{places}]", block("router"))
        text, mappings = re.subn("password ''secret''", "password_required ''false''", text)
        assert (count, mappings) == (1, 1)
        return text

    def partition_of(self, game_id: str) -> int:
        """Return the partition of a game, as the router computes it."""
        select = (
            "SELECT n FROM generate_series(0, 15) AS n WHERE"
            " satisfies_hash_partition('umpire.record'::regclass, 16, n, %s::text COLLATE \"C\")"
        )
        with connected(self.router.url("club")) as connection:
            (found,) = connection.execute(select, (game_id,)).fetchall()
        return int(found[0])

    def server_of(self, game_id: str) -> Server:
        return self.servers[self.partition_of(game_id) % len(self.servers)]

    def stop(self) -> None:
        for server in (*self.servers, self.router):
            server.stop()
