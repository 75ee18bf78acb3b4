"""Test what the form of a new game proposes, in this process and in a ledger of its own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from litestar.testing import TestClient

from tests.cli.terminal import SCENARIO
from tests.face.service import Service, ServiceSettings, build
from tests.service.page_reading import PageRead

Client = TestClient[Any]
ADDRESS = "http://umpire.test"
WANTED = "off-naupactus"


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Return a service in this process, with a ledger that has no game."""
    service = Service(ServiceSettings(where=str(tmp_path / "umpire.db")))
    yield service
    service.desk.close()


@pytest.fixture
def operator(service: Service) -> Iterator[Client]:
    with TestClient(build(service), base_url=ADDRESS) as client:
        client.headers["Origin"] = ADDRESS
        client.post("/session", json={"token": service.desk.invitations.invite("", "referee").token})
        yield client


def form_of(operator: Client, scenario: str) -> PageRead:
    caller: Any = None  # the form is only read
    return PageRead(caller, operator.get(f"/new?from={scenario}"))


@pytest.mark.parametrize(
    ("taken", "free"),
    [
        ([], WANTED),
        (["another"], WANTED),
        ([f"{WANTED}-2"], WANTED),
        ([WANTED], f"{WANTED}-2"),
        ([WANTED, f"{WANTED}-3"], f"{WANTED}-2"),
        ([WANTED, f"{WANTED}-2"], f"{WANTED}-3"),
        ([WANTED, f"{WANTED}-2", f"{WANTED}-3", "another"], f"{WANTED}-4"),
    ],
)
def test_proposed_id_is_the_first_one_without_a_game(
    service: Service, operator: Client, taken: list[str], free: str
) -> None:
    for id in taken:
        service.desk.new_from_text("freeform", SCENARIO, id=id)
    page = form_of(operator, f"war-galley/{WANTED}")
    assert (page.status, page.form("new").value("id")) == (200, free)


@pytest.mark.parametrize(
    ("scenario", "label"),
    [
        ("war-galley/off-naupactus", "Withdrawal"),
        ("red-coat-rags/mill-ford", "Own wing cubes"),
        ("pacific-war/solomons", "Closing cycle"),
    ],
)
def test_option_has_its_name_in_words(operator: Client, scenario: str, label: str) -> None:
    assert label in form_of(operator, scenario).part("open")
