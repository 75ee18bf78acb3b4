"""Test that a seat which makes the log grow too fast waits, and the others do not."""

from pathlib import Path

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.service.served import Caller, Served

ROLL = {"order": "roll", "dice": "100d256", "purpose": "noise", "pips": [256] * 100}
HM = {"order": "note", "text": "hm"}
FILE = b'{"order": "roll", "dice": "100d256", "purpose": "noise", "pips": [' + b"256," * 99 + b"256]}\n"
KIB = 8
"""At once, with --growth 1."""


def status(caller: Caller, body: object = HM, path: str = "first/orders") -> int:
    return caller.post(f"/games/{path}", body).status_code


def spend(caller: Caller) -> int:
    """Roll until an order is refused, and return the number of accepted ones."""
    for taken in range(100):
        if status(caller, ROLL) == 429:
            return taken
    raise AssertionError("never refused")


@pytest.fixture
def served(place: Path) -> Served:
    return Served(place, "--rate", "5000", "--growth", "1")


def grown(served: Served, before: int) -> int:
    with served.desk() as desk:
        return sum(map(len, desk.ledger.lines("first", before + 1)))


def test_growth_up_to_the_limit_is_recorded_and_then_refused(served: Served) -> None:
    red = served.program("first", "red")
    with served.desk() as desk:
        before = desk.game("first").size
    taken = spend(red)
    refusal = red.post("/games/first/orders", HM)
    problem = refusal.json()
    assert (refusal.status_code, problem["error"]) == (429, "too-often")
    assert "add 1 KiB to the log per minute" in problem["rule"]
    assert "orders of red have made the log grow by" in problem["what"]
    assert int(refusal.headers["retry-after"]) >= 1
    size = grown(served, before)
    assert size >= KIB * 2**10 > size - size // taken, "the last one began below the limit"
    assert red.get("/games/first/status").status_code == 200
    served.stop()


def test_growth_of_a_seat_limits_no_other_seat(served: Served) -> None:
    red = served.program("first", "red")
    spend(red)
    second = served.game()
    assert status(served.program("first", "blue")) == 200
    assert status(served.program("first", "referee")) == 200
    assert status(served.program(second, "red"), path=f"{second}/orders") == 200
    with served.desk() as desk:
        desk.game("first").seat("referee").order({"order": "take-seat", "taker": "anna", "side": "red"})
    assert status(served.program("first", "anna")) == 200
    assert status(served.program("first", "red")) == 429, "another token of the seat has no allowance of its own"
    served.stop()


def test_growth_counts_files_refusals_and_copies(served: Served) -> None:
    red, referee = served.program("first", "red"), served.program("first", "referee")
    lines = {"Content-Type": "application/x-ndjson"}
    played = red.http.post("/games/first/order-files", content=FILE * 16, headers=lines)
    assert played.status_code == 200
    assert status(red) == 429
    blue = served.program("first", "blue")
    codes = [status(blue, {"order": "x" * 4000}) for _ in range(5)]
    assert codes[0] == 422
    assert codes[-1] == 429
    assert status(referee, {"id": "copy"}, "first/fork") == 200
    assert status(referee, {"id": "copy"}, "first/fork") == 429
    served.stop()


def test_growth_of_what_is_only_tried_is_not_counted(served: Served) -> None:
    red = served.program("first", "red")
    lines = {"Content-Type": "application/x-ndjson"}
    for _ in range(3):
        tried = red.http.post("/games/first/order-files?check=true", content=FILE * 16, headers=lines)
        assert tried.status_code == 200
    assert status(red) == 200
    served.stop()


def test_growth_after_a_restart_begins_again(served: Served) -> None:
    red = served.program("first", "red")
    token = red.http.headers["authorization"]
    spend(red)
    served.stop()
    served.start()
    again = Caller(served.address, token.removeprefix("Bearer "))
    assert status(again) == 200
    served.stop()


def test_growth_by_a_form_is_limited_too(served: Served) -> None:
    red = served.browser("first", "red")
    text = {"order": "note", "text": "x" * 1900}
    codes = [red.http.post("/table/first/note", data=text).status_code for _ in range(6)]
    assert codes[0] == 303
    assert codes[-1] == 429
    served.stop()
