"""What somebody is told when the ledger fails in the middle of a request: enough, and nothing of the machine."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from litestar.testing import TestClient

import umpire_ledger as umpire
from tests.cli.terminal import SCENARIO
from umpire_ledger.desk.invitations import Invitations
from umpire_ledger.service.app import build
from umpire_ledger.service.service import Service
from umpire_ledger.service.settings import Settings

Client = TestClient[Any]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A service in this process, so that its ledger can be made to fail."""
    service = Service(Settings(where=str(tmp_path / "umpire.db")))
    service.desk.new_from_text("freeform", SCENARIO, id="ford")
    yield service
    service.desk.close()


@pytest.fixture
def client(service: Service) -> Iterator[Client]:
    address = "http://umpire.test"
    with TestClient(build(service), base_url=address, raise_server_exceptions=False) as client:
        client.headers["Origin"] = address
        yield client


class TestALinkThatIsExchanged:
    def test_is_not_lost_where_the_log_cannot_say_it_now(
        self, service: Service, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The link is spent, so the cookie must come; the next request records that the referee was let in."""

        def record_nothing(*_: Any) -> None:
            raise umpire.SomebodyWroteFirst(game="ford", expected=1, found=2)

        link = service.desk.invitations.invite("ford", "referee").token
        with monkeypatch.context() as failing:
            failing.setattr(Invitations, "record", record_nothing)
            answer = client.post("/session", json={"token": link})
        assert (answer.status_code, list(answer.cookies)) == (200, ["umpire"])
        assert client.get("/games/ford/status").status_code == 200
        told = [line.text for line in service.desk.game("ford").spectator.audit()]
        assert sum("let in" in text for text in told) == 1
