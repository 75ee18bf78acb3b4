"""Test the answers when the ledger fails in the middle of a request: helpful, without details of the machine."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from litestar.testing import TestClient

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.cli.terminal import SCENARIO
from tests.face.desk import Invitations
from tests.face.service import (
    BEAT,
    RETRY,
    ChangeFeed,
    Service,
    ServiceSettings,
    Stream,
    build,
)

Client = TestClient[Any]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Return a service in this process, so that its ledger can be made to fail."""
    service = Service(ServiceSettings(where=str(tmp_path / "umpire.db")))
    service.desk.new_from_text("freeform", SCENARIO, id="ford")
    yield service
    service.desk.close()


@pytest.fixture
def client(service: Service) -> Iterator[Client]:
    address = "http://umpire.test"
    with TestClient(build(service), base_url=address, raise_server_exceptions=False) as client:
        client.headers["Origin"] = address
        yield client


class TestLinkExchange:
    def test_link_exchange_during_failed_record_keeps_the_cookie(
        self, service: Service, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Send the cookie, because the link is spent; the next request records that the referee was let in."""

        def record_nothing(*_: Any) -> None:
            raise umpire.PositionConflict(game="ford", expected=1, found=2)

        link = service.desk.invitations.invite("ford", "referee").token
        with monkeypatch.context() as failing:
            failing.setattr(Invitations, "record", record_nothing)
            answer = client.post("/session", json={"token": link})
        assert (answer.status_code, list(answer.cookies)) == (200, ["umpire"])
        assert client.get("/games/ford/status").status_code == 200
        invitation = link.partition(".")[0]
        told = [line.text for line in service.desk.game("ford").spectator.audit()]
        assert sum(invitation in text for text in told) == 1


class TestUnavailableLedger:
    def away(self, *_: Any, **__: Any) -> Any:
        raise umpire.StoreUnavailable("/srv/secret/umpire.db is locked", where="/srv/secret/umpire.db", remedy="wait")

    def test_error_reveals_nothing_about_the_machine(
        self, service: Service, client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        token = service.desk.invitations.invite("ford", "red", form="program").token
        monkeypatch.setattr(service.desk, "game", self.away)
        with caplog.at_level("INFO", "umpire.service"):
            answer = client.get("/games/ford/status", headers={"Authorization": f"Bearer {token}"})
        assert (answer.status_code, answer.json()["refusal_code"]) == (503, "store")
        assert answer.json()["code"] == 7
        assert "/srv" not in answer.text
        (said,) = [line for line in caplog.records if line.message == "ledger unavailable"]
        assert vars(said)["fields"]["where"] == "/srv/secret/umpire.db"

    def test_order_of_unknown_outcome_is_named(
        self, service: Service, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Repeat the order with its key: it is recorded once, with or without the first attempt."""
        headers = {"Authorization": f"Bearer {service.desk.invitations.invite('ford', 'red', form='program').token}"}
        note = {"order": "note", "text": "wind"}
        store = service.desk.ledger._store
        insert_lines = store.insert_lines

        def fail(*rows: Any) -> None:
            insert_lines(*rows)
            raise umpire.CommitUnknown("/srv/secret/umpire.db: disk I/O error", where="/srv/secret/umpire.db")

        with monkeypatch.context() as failing:
            failing.setattr(store, "insert_lines", fail)
            failing.setattr(store, "reopen", lambda: False)
            failing.setattr("umpire_ledger.ledger.storage.commits.TRIES", 1)
            answer = client.post("/games/ford/orders", json=note, headers=headers)
        found = answer.json()
        assert (answer.status_code, found["error"], found["code"]) == (503, "commit-unknown", 7)
        assert "/srv" not in answer.text
        key = found["remedy"].partition("Idempotency-Key: ")[2].partition("`")[0]
        again = client.post("/games/ford/orders", json=note, headers={**headers, "Idempotency-Key": key}).json()
        assert again["repeated"]

    def test_stream_waits_for_the_ledger(self, service: Service) -> None:
        red = service.desk.game("ford").seat("red")
        service.settings = msgspec.structs.replace(service.settings, heartbeat=0.01)
        away = umpire.StoreUnavailable("it is locked", where="umpire.db", remedy="wait")
        look = Mock(still_admitted=Mock(side_effect=[away, None]))
        stream = Stream(service, look, red, red.game.size - 1, "")

        async def read() -> list[bytes]:
            events = stream.events()
            came = [await anext(events) for _ in range(3)]
            await events.aclose()
            return came

        retry, beat, record = asyncio.run(read())
        assert (retry, beat) == (RETRY, BEAT)
        assert b"event: record" in record

    def test_stream_that_sent_a_record_is_quiet_until_the_next_beat(
        self, service: Service, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Listen anew after each record: a stream that kept the old signal would ask the ledger without pause."""
        red = service.desk.game("ford").seat("red")
        service.settings = msgspec.structs.replace(service.settings, heartbeat=0.05)
        stream = Stream(service, Mock(still_admitted=Mock(return_value=None)), red, red.game.size, "")
        grown = asyncio.Event()
        monkeypatch.setattr(service.watch, "listen", lambda game: grown)

        async def read() -> list[bytes]:
            events = stream.events()
            came = [await anext(events)]
            red.order("note", text="hm")
            grown.set()
            came += [await asyncio.wait_for(anext(events), 5) for _ in range(3)]
            await events.aclose()
            return came

        _, record, *beats = asyncio.run(read())
        assert b"event: record" in record
        assert beats == [BEAT, BEAT]


class TestIdleChangeFeed:
    def test_ledger_is_not_polled_without_streams(self, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[int | None] = []

        def changed_games(before: int | None) -> tuple[int, list[str]]:
            asked.append(before)
            return 1, []

        monkeypatch.setattr(service.desk.ledger, "changed_games", changed_games)
        watch = ChangeFeed(service.desk, 0.001)

        async def wait(event: asyncio.Event | None) -> None:
            running = asyncio.ensure_future(watch.run())
            await asyncio.sleep(0.1)
            running.cancel()
            if event:
                watch.leave("ford", event)

        asyncio.run(wait(None))
        assert asked == []

        async def listen() -> None:
            await wait(watch.listen("ford"))

        asyncio.run(listen())
        assert asked[:2] == [None, 1]


class TestReadMark:
    def test_record_during_since_is_shown_next_time(
        self, service: Service, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        token = service.desk.invitations.invite("ford", "red", form="program").token
        bearer = {"Authorization": f"Bearer {token}"}
        since = umpire.Seat.since

        def somebody_writes(self: umpire.Seat, *asked: Any, **more: Any) -> Any:
            told = since(self, *asked, **more)
            service.desk.game("ford").seat("blue").note("at the last moment")
            return told

        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(umpire.Seat, "since", somebody_writes)
            assert "last moment" not in client.post("/games/ford/looked", headers=bearer).text
        assert "last moment" in client.post("/games/ford/looked", headers=bearer).text
        assert "last moment" not in client.post("/games/ford/looked", headers=bearer).text


class TestMetrics:
    def test_unknown_methods_share_one_counter(self, service: Service, client: Client) -> None:
        for method in ("BREW", "WHEN", "GET"):
            service.counts.request(method, "/games", 405, 0.1)
        lines = [line for line in service.counts.text().splitlines() if line.startswith("umpire_requests_total{")]
        assert sorted(line.partition('"')[2].partition('"')[0] for line in lines) == ["GET", "other"]

    def test_each_answer_is_counted_once_and_a_stream_has_no_time(self, service: Service) -> None:
        """Count 0.1 s in the bucket of 0.1 s, and not in the one below."""
        for seconds in (0.1, 0.1, None):
            service.counts.request("GET", "/games", 200, seconds)
        said = dict(line.rsplit(" ", 1) for line in service.counts.text().splitlines() if not line.startswith("#"))
        counted = {name: float(number) for name, number in said.items()}
        assert counted['umpire_requests_total{method="GET",route="/games",status="200"}'] == 3
        assert counted["umpire_request_seconds_count"] == 2
        assert counted["umpire_request_seconds_sum"] == pytest.approx(0.2)
        buckets = [counted.get(f'umpire_request_seconds_bucket{{le="{edge}"}}', 0) for edge in ("0.05", "0.1", "+Inf")]
        assert buckets == [0, 2, 2]


class TestSession:
    @pytest.mark.parametrize("depth", [100, 1500])
    def test_body_nested_too_deeply_is_refused(self, client: Client, depth: int) -> None:
        deep = '{"token": ' + "[" * depth + "]" * depth + "}"
        answer = client.post("/session", content=deep, headers={"Content-Type": "application/json"})
        assert (answer.status_code, answer.json()["error"]) == (400, "usage")
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        assert client.post("/in", content="token=" + "[" * depth, headers=form).status_code == 401

    def test_body_larger_than_any_token_is_refused(self, client: Client) -> None:
        assert client.post("/session", json={"token": "x" * 4096}).status_code == 413
        assert client.post("/in", data={"token": "x" * 4096}).status_code == 413


class TestAddresses:
    def test_game_id_invalid_in_address_is_refused(self, service: Service, client: Client) -> None:
        bearer = {"Authorization": f"Bearer {service.desk.invitations.invite('', 'referee', form='program').token}"}
        for id in at_least_one(("a/b", "..", ".")):
            opening = {"id": id, "title": "freeform", "scenario": SCENARIO}
            for path, body in (("/games", opening), ("/games/ford/fork", {"id": id})):
                answer = client.post(path, json=body, headers=bearer)
                assert (answer.status_code, answer.json()["rule"]) == (400, "addresses"), path
        opened = client.post("/games", json={**opening, "id": "what#if"}, headers=bearer)
        assert opened.status_code == 201
        assert client.get(opened.headers["location"], headers=bearer).json()["game"] == "what#if"

    def test_archive_answer_does_not_name_the_folder(self, service: Service, client: Client, tmp_path: Path) -> None:
        bearer = {"Authorization": f"Bearer {service.desk.invitations.invite('ford', 'referee', form='program').token}"}
        done, again = (client.post("/games/ford/archive", headers=bearer) for _ in range(2))
        assert done.json()["file"] == "ford.jsonl"
        assert (again.json()["refusal_code"], again.json()["rule"]) == ("wrong-use", "archive")
        assert str(tmp_path) not in done.text + again.text
