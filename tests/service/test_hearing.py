"""Test that streams report records of another process: at once if the store notifies, otherwise by polling."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("litestar")

import umpire_ledger as umpire
from tests.cli.terminal import SCENARIO
from tests.databases import STORES, connected, cutting
from tests.face.service import ChangeFeed
from tests.service.reading import reading
from tests.service.served import Served
from umpire_ledger.service import store_listener


async def heard(watch: ChangeFeed, desk: umpire.Desk, ready: Callable[[], None] = lambda: None) -> float:
    """Return the seconds until a stream reports a note of another desk."""
    event = watch.listen("ford")
    await asyncio.sleep(0.6)
    ready()
    await asyncio.sleep(0.3)
    event.clear()
    began = time.monotonic()
    await asyncio.to_thread(desk.game("ford").referee.note, "rain")
    await asyncio.wait_for(event.wait(), 20)
    return time.monotonic() - began


@pytest.mark.parametrize("store", STORES)
def test_stream_reports_record_of_another_process(
    store: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that PostgreSQL notifies: the feed does not poll it after the first time."""
    where = tmp_path / "umpire.db" if store == "sqlite" else request.getfixturevalue("database")
    monkeypatch.setattr(store_listener, "SELDOM", 0.1)
    with umpire.open(where) as own, umpire.open(where) as other:
        other.new_from_text("freeform", SCENARIO, id="ford")

        async def story() -> float:
            watch = ChangeFeed(own, 0.02)
            running = asyncio.ensure_future(watch.run())
            try:
                return await heard(watch, other, lambda: monkeypatch.setattr(store_listener, "SELDOM", 60.0))
            finally:
                running.cancel()

        assert asyncio.run(story()) < 10


def test_stream_polls_after_listener_connection_is_lost(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Find records by polling after the listening connection is cut."""
    monkeypatch.setattr(store_listener, "STEP", 0.05)
    with umpire.open(database) as own, umpire.open(database) as other:
        other.new_from_text("freeform", SCENARIO, id="ford")

        async def story() -> float:
            watch = ChangeFeed(own, 0.05)
            running = asyncio.ensure_future(watch.run())
            try:
                await asyncio.sleep(0.3)
                with connected(database) as connection:
                    connection.execute(cutting("query LIKE 'LISTEN%'"))
                return await heard(watch, other)
            finally:
                running.cancel()

        assert asyncio.run(story()) < 15


@pytest.mark.parametrize("workers", ["1", "2"])
def test_postgresql_ledger_is_served(database: str, tmp_path: Path, workers: str) -> None:
    """Test orders, streams and invitations; the password appears in no output."""
    served = Served(tmp_path, "--workers", workers, ledger=database.replace("postgres:@", "postgres:se%40cret@"))
    try:
        game = served.game()
        red, blue = served.program(game, "red"), served.program(game, "blue")
        with reading(blue, f"/games/{game}/stream") as stream:
            given = red.post(f"/games/{game}/orders", {"order": "note", "text": "one"}).json()["position"]
            came = stream.next()
        assert came is not None
        assert (came.id, came.data["text"]) == (str(given), "note: one")
        assert blue.get(f"/games/{game}/status").json()["position"] == given
        assert served.browser(game, "blue").get(f"/games/{game}/audit").status_code == 200
    finally:
        served.stop()
    assert "umpire_" in served.said
    assert "cret" not in served.said + "".join(served.log)
