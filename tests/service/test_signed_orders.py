"""Orders of a seat with a key over HTTP: signed elsewhere, taken as they are, and refused without."""

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.desk.test_keys import RED
from tests.face.desk import signed
from tests.face.ledger import Checkpoint
from tests.service.served import Served

NOTE = {"as": "red", "order": "note", "text": "over the wire"}


@pytest.fixture
def game(served: Served) -> str:
    return served.game(keys={"red": RED.key.text()})


def test_order_with_signature_is_recorded_and_without_refused(served: Served, game: str) -> None:
    red = served.program(game, "red")
    seen = Checkpoint.read(red.get(f"/games/{game}/checkpoint").text)
    refused = red.post(f"/games/{game}/orders", NOTE)
    assert (refused.status_code, refused.json()["rule"]) == (422, "keys")
    assert "give it as red on the computer with that key" in refused.json()["remedy"]
    line = signed(NOTE, RED, seen)
    assert red.post(f"/games/{game}/orders", {**line, "text": "other words"}).status_code == 422
    assert red.post(f"/games/{game}/orders", line).status_code == 200
    assert red.post(f"/games/{game}/orders", line).json()["repeated"]
    with served.desk() as desk:
        (one,) = desk.game(game).verify().signed
    assert (one.seat, one.orders, one.vouches) == ("red", 1, seen.size)


def test_page_of_signing_seat_says_that_browsers_cannot_sign(served: Served, game: str) -> None:
    browser = served.browser(game, "red", "blue")
    page = browser.get(f"/table/{game}?as=red").text
    assert f"signs each order with the key {RED.key.short}" in page
    assert 'id="signs"' not in browser.get(f"/table/{game}?as=blue").text
