"""Test that an order that fails after its roll is not a success: only the roll is recorded."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from litestar.testing import TestClient

from tests.face.service import Service, ServiceSettings, build

SITE = Path(__file__).parents[1] / "titles" / "faulty"
MOST = 60


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.syspath_prepend(SITE)
    service = Service(ServiceSettings(where=str(tmp_path / "umpire.db")))
    service.desk.new("faulty", SITE / "scenario.toml", id="g", dice="ledger")
    yield service
    service.desk.close()


@pytest.fixture
def client(service: Service) -> Iterator[TestClient[Any]]:
    address = "http://umpire.test"
    with TestClient(build(service), base_url=address) as client:
        client.headers["Origin"] = address
        client.headers["Authorization"] = f"Bearer {service.desk.invitations.invite('g', 'red', form='program').token}"
        yield client


@pytest.mark.parametrize(
    ("what", "status", "code", "field"), [("odd_crash", 501, 8, "fault"), ("odd_refusal", 422, 3, "refused")]
)
def test_program_gets_a_problem_with_the_outcome(
    client: TestClient[Any], what: str, status: int, code: int, field: str
) -> None:
    for number in range(MOST):
        sent = {"order": "tell", "what": what, "id": str(number)}
        answer = client.post("/games/g/orders", json=sent)
        body = answer.json()
        if answer.status_code != 200:
            break
        assert body["carried_out"] is True
    assert (answer.status_code, body["code"], body["carried_out"]) == (status, code, False)
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["ETag"].startswith(f'"{body["outcome"]["position"]}-')
    assert body["outcome"][field] in body["what"]
    again = client.post("/games/g/orders", json=sent)
    assert (again.status_code, again.json()["outcome"]["repeated"]) == (status, True)
    assert again.json()["what"] == body["what"]


def test_page_shows_the_failure(service: Service, client: TestClient[Any]) -> None:
    link = service.desk.invitations.invite("g", "red").token
    del client.headers["Authorization"]
    client.post("/session", json={"token": link})
    for number in range(MOST):
        page = client.post("/table/g/typed?as=red", data={"key": str(number), "typed": "tell odd_crash"})
        if "ZeroDivisionError" in page.text:
            break
    assert 'role="alert"' in page.text
    assert "ZeroDivisionError" in page.text
