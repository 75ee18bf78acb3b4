"""Spread games over three servers with one address, by PostgreSQL's own partitions and `postgres_fdw`."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator

import pytest

pytest.importorskip("psycopg")

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.cli.terminal import SCENARIO, Terminal
from tests.cluster.servers import needed, own_folder, run
from tests.cluster.spread import PARTITIONS, Spread
from tests.databases import connected
from tests.face.ledger import (
    CommitUnknown,
    Ledger,
    PositionConflict,
    look_at_database,
)
from tests.ledger.table import number, open_table, play

UNREACHABLE = 7
GAMES = tuple(f"ford{n}" for n in range(12))


@pytest.fixture(scope="module")
def spread() -> Iterator[Spread]:
    needed("initdb")
    with own_folder() as folder:
        found = Spread(folder, {"fsync": "off"})
        yield found
        found.stop()


@pytest.fixture(scope="module")
def evening(spread: Spread, tmp_path_factory: pytest.TempPathFactory) -> Terminal:
    """Twelve games, opened through the one address."""
    table = Terminal(tmp_path_factory.mktemp("table"))
    table.write("scenario.toml", SCENARIO)
    for game in GAMES:
        table.ok("new", "freeform", "--id", game, "--scenario", "scenario.toml", "--ledger", spread.url)
    return table


def on_each_server(spread: Spread) -> list[str]:
    """Return a game on each of the three."""
    return [next(game for game in GAMES if spread.server_of(game) is server) for server in spread.servers]


def test_games_on_all_servers_are_played_through_one_address(spread: Spread, evening: Terminal) -> None:
    for game in at_least_one(on_each_server(spread)):
        for words in (
            ("order", game, "move", "r1", "0101,0102", "--as", "red"),
            ("order", game, "roll", "attack", "--dice", "2d6", "--pips", "3,4", "--as", "red"),
            ("order", game, "move", "b1", "0102,0103", "--as", "blue"),
            ("undo", game, "--as", "blue"),
            ("rewind", game, "--to", "#4", "--why", "a slip"),
            ("fork", game, "--at", "4", "--id", f"{game}-if"),
        ):
            evening.ok(*words, "--ledger", spread.url)
        assert evening.ok("verify", game, "--ledger", spread.url, "--json").json["verdict"] == "VALID"
        evening.ok("export", game, "-o", f"{game}.jsonl", "--ledger", spread.url)
        evening.ok("import", f"{game}.jsonl", "--ledger", "home.db")
        there, here = (evening.ok("verify", game, "--ledger", at, "--json").json for at in (spread.url, "home.db"))
        assert (there["size"], there["root"]) == (here["size"], here["root"])
    listed = {one["game"] for one in evening.ok("games", "--json", "--ledger", spread.url).json}
    assert listed >= {*GAMES, *(f"{game}-if" for game in on_each_server(spread))}


def test_records_are_in_their_own_partition_only(spread: Spread, evening: Terminal) -> None:
    found: list[str] = []
    for at in range(PARTITIONS):
        server = spread.servers[at % len(spread.servers)]
        with connected(server.url(f"club_{at:02d}")) as connection:
            games = [game for (game,) in connection.execute("SELECT DISTINCT game FROM umpire.record").fetchall()]
        assert {spread.partition_of(game) for game in games} <= {at}
        found += games
    assert len(found) == len(set(found))
    assert set(found) >= set(GAMES)


def test_router_and_partitions_pass_the_doctor(spread: Spread, evening: Terminal) -> None:
    first = spread.servers[0].url("club_00", "umpire_app")
    for url in (spread.url, first):
        states = {one.check: one.state for one in look_at_database(url) if one.check != "flush"}
        assert set(states.values()) == {"ok"}, states
    assert evening.ok("games", "--ledger", first).out


def test_query_about_one_game_goes_to_one_server(spread: Spread, evening: Terminal) -> None:
    with connected(spread.url) as connection:
        select = "SELECT line FROM umpire.record WHERE game = 'ford1' AND position BETWEEN 1 AND 9 ORDER BY position"
        plan = "\n".join(line for (line,) in connection.execute(f"EXPLAIN (VERBOSE) {select}").fetchall())
    assert plan.count("Foreign Scan on umpire.record_") == 1
    assert f"record_{spread.partition_of('ford1'):02d}" in plan


def test_second_of_two_writers_is_refused(spread: Spread) -> None:
    with open_table(spread.url) as one, open_table(spread.url) as two:
        play(one, "race", [1])
        assert two.state("race") == (1,)
        play(one, "race", [2])
        with pytest.raises(PositionConflict):
            two.append("race", after=1, seat="blue", command="late", drafts=[number(3)])
        assert [one.position for one in play(two, "race", [3])] == [3]


def test_server_down_stops_its_own_games_only(spread: Spread, evening: Terminal) -> None:
    hit, *others = on_each_server(spread)
    spread.servers[0].stop(signal.SIGQUIT)
    try:
        refused = evening.type("order", hit, "roll", "attack", "--pips", "1", "--as", "red", "--ledger", spread.url)
        assert refused.code == UNREACHABLE
        assert "cannot be reached" in refused.err
        assert "club_" in refused.err
        for game in others:
            evening.ok("order", game, "roll", "attack", "--pips", "1", "--as", "red", "--ledger", spread.url)
            evening.ok("status", game, "--ledger", spread.url)
    finally:
        spread.servers[0].start()
    evening.ok("order", hit, "roll", "attack", "--pips", "1", "--as", "red", "--ledger", spread.url)


def test_list_of_games_names_the_server_that_is_missing(spread: Spread, evening: Terminal) -> None:
    """Exit with an error code, so that a script does not take it for the whole list."""
    listed = evening.ok("games", "--json", "--ledger", spread.url).json
    reached = [one for one in listed if spread.server_of(one["game"]) is not spread.servers[0]]
    assert 0 < len(reached) < len(listed)
    spread.servers[0].stop(signal.SIGQUIT)
    try:
        some = evening.type("games", "--json", "--ledger", spread.url)
        assert (some.code, some.json) == (UNREACHABLE, reached)
        assert json.loads(some.err)["error"] == "store"
        for form in ((), ("--csv",), ("--waiting", "red")):
            some = evening.type("games", *form, "--ledger", spread.url)
            assert some.code == UNREACHABLE
            assert f"127.0.0.1:{spread.servers[0].port} cannot be reached" in some.err
            assert "missing here: club_00, club_03, club_06, club_09, club_12, club_15" in some.err
            assert "do:   start that server" in some.err
            assert form[:1] == ("--waiting",) or all(one["game"] in some.out for one in reached)
        with umpire.open(spread.url) as desk:
            with pytest.raises(umpire.StoreUnavailable, match="club_"):
                desk.games()
            away: list[umpire.StoreUnavailable] = []
            assert [one.game for one in desk.games(away=away.append)] == [one["game"] for one in reached]
            assert len(away) == 1
        with connected(spread.router.url("club")) as connection:
            connection.execute("REVOKE SELECT ON umpire.record_01 FROM umpire_app")
        nothing = evening.type("games", "--json", "--ledger", spread.url)
        assert (nothing.code, nothing.out) == (UNREACHABLE, "")
        assert "club_" in nothing.err
    finally:
        spread.servers[0].start()
        with connected(spread.router.url("club")) as connection:
            connection.execute("GRANT SELECT ON umpire.record_01 TO umpire_app")
    assert evening.ok("games", "--json", "--ledger", spread.url).json == listed


def test_server_that_fails_before_the_commit_records_nothing(
    spread: Spread,
) -> None:
    """Let the router pass the commit on; its own connection is still open."""
    game = next(f"lost{n}" for n in range(50) if spread.server_of(f"lost{n}") is spread.servers[1])
    with open_table(spread.url) as ledger:
        play(ledger, game, [1])
        try:
            with pytest.raises(CommitUnknown):
                break_off(ledger, game, spread)
        finally:
            spread.servers[1].start()
        assert ledger.size(game) == 1
        assert [one.position for one in play(ledger, game, [2])] == [2]
        assert ledger.verify(game).valid


def break_off(ledger: Ledger[tuple[int, ...]], game_id: str, spread: Spread) -> None:
    with ledger._store.transaction():
        play(ledger, game_id, [2])
        spread.servers[1].stop(signal.SIGQUIT)


def test_partition_moves_to_another_server_like_any_database(spread: Spread, evening: Terminal) -> None:
    """Use `pg_dump` and `pg_restore` while no one writes there; then update the router."""
    game = GAMES[0]
    at = spread.partition_of(game)
    before, name = spread.server_of(game), f"club_{at:02d}"
    after = spread.servers[(spread.servers.index(before) + 1) % 3]
    with open_table(spread.url) as ledger:
        checkpoint = ledger.checkpoint(game)
    dump = spread.folder / "moved.dump"
    run(before.bin / "pg_dump", "-Fc", "-f", dump, before.url(name))
    with connected(after.url()) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    run(before.bin / "pg_restore", "-d", after.url(name), dump)
    with connected(spread.router.url("club")) as connection:
        connection.execute(f"ALTER SERVER {name} OPTIONS (SET port '{after.port}')")
    try:
        with open_table(spread.url) as ledger:
            assert ledger.checkpoint(game) == checkpoint
    finally:
        with connected(spread.router.url("club")) as connection:
            connection.execute(f"ALTER SERVER {name} OPTIONS (SET port '{before.port}')")
