"""Every route, made from the router, as everybody who may not come in there."""

from datetime import timedelta

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

import httpx

from tests.at_least_one import at_least_one
from tests.service.routes import Route, is_open, routes
from tests.service.served import Caller, Served

ROUTES = list(routes("GAME"))
CLOSED = [route for route in ROUTES if not is_open(route)]
OF_A_GAME = [route for route in CLOSED if route.is_of_a_game]


def name(route: Route) -> str:
    return f"{route.method} {route.path}"


def call(caller: Caller, route: Route, game_id: str, **headers: str) -> httpx.Response:
    path = route.path.replace("GAME", game_id)
    if route.path.endswith("/order-files"):
        lines = {"Content-Type": "application/x-ndjson", **headers}
        return caller.http.post(path, params=route.query, content=b'{"order": "note", "text": "hm"}\n', headers=lines)
    if route.is_page and route.method == "POST":
        return caller.http.post(path, params=route.query, data=route.body, headers=headers)
    if (route.method, route.path) == ("POST", "/in"):
        return caller.http.post(path, data={"token": "0123456789abcdef." + "A" * 43}, headers=headers)
    return caller.http.request(route.method, path, params=route.query, json=route.body, headers=headers)


def size(served: Served, game_id: str) -> int:
    with served.desk() as desk:
        return desk.game(game_id).size


@pytest.fixture(scope="module")
def wrong(served: Served) -> tuple[str, str, dict[str, Caller]]:
    """Return a game, another game, and callers without a seat in the first."""
    game, other = served.game(), served.game()
    revoked = served.program(game, "red")
    with served.desk() as desk:
        desk.invitations.revoke(desk.invitations.listed(game)[-1].id)
        expired = desk.invitations.invite(game, "red", form="program", lasts=timedelta(microseconds=1))
    callers = {
        "an expired token": Caller(served.address, expired.token),
        "nobody": served.nobody(),
        "a token of another game": served.program(other, "referee"),
        "a session of another game": served.browser(other, "red", "referee"),
        "a revoked token": revoked,
        "a link's token as a bearer": Caller(served.address, served.token(game, "referee", "link")),
        "rubbish": Caller(served.address, "0123456789abcdef." + "A" * 43),
        "no token at all": Caller(served.address, "hello"),
    }
    return game, other, callers


class TestCallersWithoutSeat:
    @pytest.mark.parametrize("route", OF_A_GAME, ids=name)
    def test_caller_without_seat_learns_nothing_of_the_game(
        self, wrong: tuple[str, str, dict[str, Caller]], served: Served, route: Route
    ) -> None:
        """Answer as for a game that does not exist, apart from the name."""
        game, _, callers = wrong
        before = size(served, game)
        for who, caller in at_least_one(callers.items()):
            answer, missing = call(caller, route, game), call(caller, route, "no-such-game")
            assert answer.status_code == (403 if "another game" in who else 401), (who, answer.text)
            kind = "text/html; charset=utf-8" if route.is_page else "application/problem+json"
            assert answer.headers["content-type"] == kind
            assert answer.text.replace(game, "X") == missing.text.replace("no-such-game", "X"), who
        assert size(served, game) == before, "something was recorded"

    @pytest.mark.parametrize("route", [route for route in CLOSED if not route.is_of_a_game], ids=name)
    def test_ledger_routes_refuse_callers_without_valid_token(
        self, wrong: tuple[str, str, dict[str, Caller]], served: Served, route: Route
    ) -> None:
        _, _, callers = wrong
        for who in ("nobody", "a revoked token", "an expired token", "rubbish", "a link's token as a bearer"):
            assert call(callers[who], route, "").status_code == 401, who

    @pytest.mark.parametrize("route", OF_A_GAME, ids=name)
    def test_as_parameter_of_another_seat_is_refused(self, served: Served, route: Route) -> None:
        """Refuse another seat in `?as=`: only the referee reads other seats' views, and acts for none that way."""
        game = served.game()
        answer = call(served.program(game, "red"), route._replace(query={**route.query, "as": "blue"}), game)
        assert answer.status_code == 403
        assert f"blue in {game} is not your seat" in (answer.text if route.is_page else answer.json()["what"])

    @pytest.mark.parametrize("route", [route for route in OF_A_GAME if route.method == "POST"], ids=name)
    def test_referee_may_not_act_as_side_by_address(self, served: Served, route: Route) -> None:
        game = served.game()
        referee = served.program(game, "referee")
        referee.get(f"/games/{game}/status")
        before = size(served, game)
        answer = call(referee, route._replace(query={**route.query, "as": "blue"}), game)
        assert answer.status_code == 403
        assert size(served, game) == before


class TestForeignOrigin:
    @pytest.mark.parametrize("route", [route for route in ROUTES if route.method == "POST"], ids=name)
    def test_foreign_page_with_cookie_is_refused(self, served: Served, route: Route) -> None:
        game = served.game()
        browser = served.browser(game, "referee")
        before = size(served, game)
        for foreign in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
            caller = Caller(served.address, **foreign)
            caller.http.cookies = browser.http.cookies
            answer = call(caller, route, game)
            assert answer.status_code == 403, (foreign, answer.text)
        assert size(served, game) == before

    @pytest.mark.parametrize("route", [route for route in OF_A_GAME if route.method == "POST"], ids=name)
    def test_cookie_without_origin_is_refused(self, served: Served, route: Route) -> None:
        game = served.game()
        silent = Caller(served.address)
        silent.http.cookies = served.browser(game, "referee").http.cookies
        assert call(silent, route, game).status_code == 403

    @pytest.mark.parametrize("route", [route for route in OF_A_GAME if route.method == "POST"], ids=name)
    def test_foreign_page_with_program_token_is_refused(self, served: Served, route: Route) -> None:
        game = served.game()
        caller = Caller(served.address, served.token(game, "referee"), Origin="https://evil.example")
        assert call(caller, route, game).status_code == 403


@pytest.mark.parametrize("route", ROUTES, ids=name)
def test_every_answer_says_what_it_may_do_in_a_browser(served: Served, route: Route) -> None:
    answer = call(served.nobody(), route, "no-such-game")
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "server" not in answer.headers


@pytest.mark.parametrize("route", [route for route in OF_A_GAME if route.template != "/stream"], ids=name)
@pytest.mark.parametrize("seat", ["referee", "red", "spectator"])
def test_every_route_answers_its_own_seats(served: Served, route: Route, seat: str) -> None:
    """Answer with success or a four-part problem, never with an internal error."""
    game = served.game()
    answer = call(served.program(game, seat), route._replace(body=route.body and dict(route.body)), game)
    if route.is_page:
        not_mine = (403,) if route.path.startswith("/referee") and seat != "referee" else ()
        assert answer.status_code in (200, 303, 422, *not_mine), answer.text
        assert "no-store" in answer.headers["cache-control"]
    elif answer.status_code >= 400:
        problem = answer.json()
        assert problem["error"] in ("refused", "unknown", "usage", "not-your-seat"), problem
        assert problem["what"]
    else:
        assert answer.headers.get("etag") or answer.headers["cache-control"] == "no-store"
