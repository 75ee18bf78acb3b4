"""Test each rule of authentication against its nearest variants, in this process."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from litestar import Request

import umpire_ledger as umpire
from tests.cli.terminal import SCENARIO
from tests.face.desk import Admission, GrantedSeat, NotAuthorized
from tests.face.service import (
    Allowance,
    Authenticator,
    RequestRefused,
    ServiceSettings,
    Streams,
    UnderWay,
)
from umpire_ledger.service import authentication

HOST = "umpire.example:8000"
REVOKED_AT = 100.0


class Clock:
    """Seconds that a test sets."""

    def __init__(self) -> None:
        self.now = REVOKED_AT

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def desk() -> Iterator[umpire.Desk]:
    with umpire.open(":memory:") as desk:
        for game in ("ford", "bridge"):
            desk.new_from_text("freeform", SCENARIO, id=game)
        yield desk


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    for module in ("umpire_ledger.service.authentication", "umpire_ledger.service.limits"):
        monkeypatch.setattr(f"{module}.time", clock)
    return clock


def doors(desk: umpire.Desk, **settings: Any) -> Authenticator:
    return Authenticator(desk, ServiceSettings(where=":memory:", **settings))


def request(method: str = "GET", client: str = "192.0.2.1", **headers: str) -> Request[Any, Any, Any]:
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in {"host": HOST, **headers}.items()]
    scope: Any = {"type": "http", "method": method, "path": "/", "query_string": b"", "client": (client, 1)}
    scope["headers"] = named
    return Request(scope)


def bearing(token: str, method: str = "GET", **more: str) -> Request[Any, Any, Any]:
    return request(method, authorization=f"Bearer {token}", **more)


def holding(*held: tuple[str, str]) -> Admission:
    seats = tuple(GrantedSeat(game=game, seat=seat, invitation="i", expires_at="") for game, seat in held)
    return Admission(id="somebody", held=seats)


OF_ANOTHER_GAME = ("bridge", "referee")
OF_EVERY_GAME = ("", "referee")


@pytest.mark.parametrize(
    ("held", "asked", "given"),
    [
        ([("ford", "red")], "", "red"),
        ([("ford", "red")], "red", "red"),
        ([("ford", "red")], "blue", None),
        ([("ford", "red")], "anna", None),
        ([("ford", "red")], "spectator", None),
        ([("ford", "red")], "referee", None),
        ([("ford", "anna")], "", "anna"),
        ([("ford", "anna")], "red", None),
        ([("ford", "spectator")], "", "spectator"),
        ([("ford", "spectator")], "red", None),
        ([("ford", "spectator")], "referee", None),
        ([("ford", "referee")], "", "referee"),
        ([("ford", "referee")], "red", "red"),
        ([("ford", "referee")], "spectator", "spectator"),
        ([("ford", "red"), ("ford", "blue")], "", None),
        ([("ford", "red"), ("ford", "blue")], "blue", "blue"),
        ([("ford", "red"), ("ford", "referee")], "", "referee"),
        ([("ford", "red"), OF_ANOTHER_GAME], "", "red"),
        ([("ford", "red"), OF_ANOTHER_GAME], "blue", None),
        ([OF_ANOTHER_GAME], "", None),
        ([OF_ANOTHER_GAME], "red", None),
        ([OF_EVERY_GAME], "", "referee"),
        ([OF_EVERY_GAME], "red", "red"),
        ([], "", None),
    ],
)
def test_seat_of_a_request(desk: umpire.Desk, held: list[tuple[str, str]], asked: str, given: str | None) -> None:
    problem = None
    seat = None
    try:
        seat = doors(desk).seat_of(holding(*held), "ford", asked)
    except RequestRefused as refused:
        problem = (refused.problem.status, refused.problem.error, refused.problem.rule, bool(refused.problem.remedy))
    assert (seat, problem) == (given, None if given is not None else (403, "not-your-seat", "seats", True))


@pytest.mark.parametrize(
    ("at", "headers", "own"),
    [
        ("", {"origin": f"http://{HOST}"}, True),
        ("", {"origin": f"HTTP://{HOST.upper()}"}, True),
        ("", {"origin": f"https://{HOST}"}, False),
        ("", {"origin": "http://umpire.example"}, False),
        ("", {"origin": f"http://{HOST}0"}, False),
        ("", {"origin": f"http://evil.{HOST}"}, False),
        ("", {"origin": "null"}, False),
        ("", {"origin": "http://", "host": ""}, False),
        ("", {"origin": "http://evil.example", "sec_fetch_site": "same-origin"}, False),
        ("", {"sec_fetch_site": "same-origin"}, True),
        ("", {"sec_fetch_site": "none"}, True),
        ("", {"sec_fetch_site": "same-site"}, False),
        ("", {"sec_fetch_site": "cross-site"}, False),
        ("https://umpire.example", {"origin": "https://umpire.example"}, True),
        ("https://umpire.example", {"origin": "http://umpire.example"}, False),
        ("https://umpire.example", {"origin": f"http://{HOST}"}, False),
    ],
)
def test_origin_of_a_request(desk: umpire.Desk, at: str, headers: dict[str, str], own: bool) -> None:
    found = []
    for needed in (False, True):
        try:
            doors(desk, at=at).verify_own_page(request("POST", **headers), needed=needed)
            found.append((200, ""))
        except RequestRefused as refused:
            found.append((refused.problem.status, refused.problem.error))
    assert found == [(200, "") if own else (403, "foreign-page")] * 2


def test_request_without_origin_is_refused_only_if_needed(desk: umpire.Desk) -> None:
    doors(desk).verify_own_page(request("POST"), needed=False)
    with pytest.raises(RequestRefused):
        doors(desk).verify_own_page(request("POST"), needed=True)


@pytest.mark.parametrize("form", ["program", "link"])
@pytest.mark.parametrize(("method", "refused"), [("GET", False), ("HEAD", False), ("POST", True), ("DELETE", True)])
def test_foreign_page_only_looks(desk: umpire.Desk, form: Any, method: str, refused: bool) -> None:
    at_door, token = doors(desk), desk.invitations.invite("ford", "red", form=form).token
    sent = {"authorization": f"Bearer {token}"}
    if form == "link":
        sent = {"cookie": f"umpire={desk.invitations.exchange(token).token}"}
    if refused:
        with pytest.raises(RequestRefused):
            at_door.admit(request(method, origin="http://evil.example", **sent), "ford")
    else:
        assert at_door.admit(request(method, origin="http://evil.example", **sent), "ford").seats("ford") == ("red",)


def test_only_a_cookie_needs_an_origin(desk: umpire.Desk) -> None:
    at_door = doors(desk)
    program = desk.invitations.invite("ford", "red", form="program").token
    session = desk.invitations.exchange(desk.invitations.invite("ford", "red").token).token
    assert at_door.admit(bearing(program, "POST"), "ford").seats("ford") == ("red",)
    with pytest.raises(RequestRefused):
        at_door.admit(request("POST", cookie=f"umpire={session}"), "ford")
    assert at_door.admit(bearing(program, "POST", cookie="umpire=worth-nothing"), "ford").seats("ford") == ("red",)


@pytest.mark.parametrize(("after", "is_in"), [(0.0, True), (authentication.STALE, True), (1.01, False)])
def test_revoked_while_a_body_comes(desk: umpire.Desk, clock: Clock, after: float, is_in: bool) -> None:
    at_door, made = doors(desk), desk.invitations.invite("ford", "red", form="program")
    under_way = bearing(made.token)
    at_door.admit(under_way, "ford")
    desk.invitations.revoke(made.invitation.id)
    clock.now += after
    if is_in:
        assert at_door.admit(under_way, "ford").seats("ford") == ("red",)
    else:
        with pytest.raises(NotAuthorized):
            at_door.admit(under_way, "ford")
    with pytest.raises(NotAuthorized):
        at_door.admit(bearing(made.token), "ford")


def test_revoked_seat_leaves_the_others_of_a_session(desk: umpire.Desk) -> None:
    red, blue = desk.invitations.invite("ford", "red"), desk.invitations.invite("ford", "blue")
    elsewhere = desk.invitations.invite("bridge", "red")
    session = desk.invitations.exchange(red.token).token
    session = desk.invitations.exchange(blue.token, session).token
    session = desk.invitations.exchange(elsewhere.token, session).token
    stranger = desk.invitations.exchange(desk.invitations.invite("ford", "red").token).token
    desk.invitations.revoke(red.invitation.id)
    assert desk.invitations.by_session(session).seats("ford") == ("blue",)
    assert desk.invitations.by_session(session).seats("bridge") == ("red",)
    assert desk.invitations.by_session(stranger).seats("ford") == ("red",)


@pytest.mark.parametrize("form", ["program", "link"])
@pytest.mark.parametrize(("seconds", "is_in"), [(3599, True), (3600, False), (3601, False)])
def test_invitation_at_its_end(desk: umpire.Desk, form: Any, seconds: int, is_in: bool) -> None:
    now = desk.ledger.clock()
    desk.ledger.clock = lambda: now
    made = desk.invitations.invite("ford", "red", form=form, lasts=timedelta(hours=1))
    token = made.token if form == "program" else desk.invitations.exchange(made.token).token
    ask = desk.invitations.by_program if form == "program" else desk.invitations.by_session
    desk.ledger.clock = lambda: now + timedelta(seconds=seconds)
    if is_in:
        assert ask(token).seats("ford") == ("red",)
    else:
        with pytest.raises(NotAuthorized):
            ask(token)


def test_wrong_tokens_of_one_address_are_counted(desk: umpire.Desk, clock: Clock) -> None:
    at_door, wrong = doors(desk), f"{'0' * 16}.{'A' * 43}"
    right = desk.invitations.invite("ford", "red", form="program").token
    for _ in range(10):
        with pytest.raises(NotAuthorized):
            at_door.known(bearing(wrong), "ford")
    with pytest.raises(RequestRefused) as refused:
        at_door.known(bearing(wrong), "ford")
    assert refused.value.problem.error == "too-often"
    assert at_door.known(bearing(right), "ford").seats("ford") == ("red",)
    with pytest.raises(NotAuthorized):
        at_door.known(bearing(wrong, client="192.0.2.2"), "ford")
    clock.now += 5.01
    with pytest.raises(NotAuthorized):
        at_door.known(bearing(wrong), "ford")


def test_requests_of_one_seat_are_counted_once_each(desk: umpire.Desk, clock: Clock) -> None:
    at_door = doors(desk, rate=1.0, burst=2)
    red, blue = (desk.invitations.invite("ford", seat, form="program").token for seat in ("red", "blue"))
    first = bearing(red)
    for _ in range(5):
        at_door.admit(first, "ford")
    at_door.admit(bearing(red), "ford")
    with pytest.raises(RequestRefused):
        at_door.admit(bearing(red), "ford")
    at_door.admit(bearing(blue), "ford")


def test_looks_and_acts_under_way_are_counted_apart(desk: umpire.Desk) -> None:
    at_door = doors(desk, looks_at_once=1, acts_at_once=1)
    red, blue = (desk.invitations.invite("ford", seat, form="program").token for seat in ("red", "blue"))

    def begin(token: str, method: str) -> Request[Any, Any, Any]:
        begun = bearing(token, method)
        at_door.begin(begun.scope)
        at_door.admit(begun, "ford")
        return begun

    look = begin(red, "GET")
    begin(red, "POST")
    begin(blue, "GET")
    for method in ("GET", "POST"):
        with pytest.raises(RequestRefused):
            begin(red, method)
    at_door.release(look.scope)
    at_door.release(look.scope)
    begin(red, "GET")
    with pytest.raises(RequestRefused):
        begin(red, "GET")


@pytest.mark.parametrize(
    ("method", "looks", "acts", "most"),
    [("GET", 3, 1, 3), ("HEAD", 3, 1, 3), ("POST", 3, 1, 1), ("GET", 1, 3, 1), ("POST", 1, 3, 3), ("DELETE", 1, 3, 3)],
)
def test_open_requests_are_limited_by_method(desk: umpire.Desk, method: str, looks: int, acts: int, most: int) -> None:
    at_door = doors(desk, looks_at_once=looks, acts_at_once=acts)
    token = desk.invitations.invite("ford", "red", form="program").token

    def begin() -> None:
        begun = bearing(token, method)
        at_door.begin(begun.scope)
        at_door.admit(begun, "ford")

    for _ in range(most):
        begin()
    with pytest.raises(RequestRefused) as refused:
        begin()
    assert refused.value.problem.error == "too-often"


def test_allowance_at_its_boundary(clock: Clock) -> None:
    bucket = Allowance(2.0, 3)
    assert [bucket.take("red") for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]
    clock.now += 0.25
    assert bucket.take("red") == 0.25
    clock.now += 0.25
    assert (bucket.take("red"), bucket.take("blue")) == (0.0, 0.0)
    clock.now += 100
    assert (bucket.used("red"), bucket.used("blue")) == (0.0, 0.0)
    bucket.spend("red", 3)
    assert bucket.wait("red") > 0.0
    assert bucket.wait("blue") == 0.0
    clock.now += 0.01
    assert bucket.wait("red") == 0.0


def test_allowance_forgets_full_buckets(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("umpire_ledger.service.limits.FORGOTTEN", 2)
    bucket = Allowance(1.0, 2)
    bucket.take("rested")
    clock.now += 1
    for _ in range(2):
        bucket.take("busy")
    bucket.take("new")
    assert set(bucket._left) == {"busy", "new"}
    assert bucket.take("busy") > 0.0


def test_counts_at_their_boundary() -> None:
    under_way, streams = UnderWay(2), Streams(3, 2)
    assert [under_way.enter(who) for who in ("red", "red", "red", "blue")] == [True, True, False, True]
    with streams.counted("red"):
        assert not streams.is_full("red")
        with streams.counted("red"):
            assert (streams.is_full("red"), streams.is_full("blue"), streams.open) == (True, False, 2)
            with streams.counted("blue"):
                assert streams.is_full("green")
        assert not streams.is_full("red")
    assert streams.open == 0
