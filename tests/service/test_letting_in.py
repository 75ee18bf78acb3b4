"""Coming in by a link or with a program's token, and everything that others try instead."""

import re
from http.cookies import SimpleCookie
from pathlib import Path

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.at_least_one import at_least_one
from tests.service.served import Caller, Served

WRONG = "0123456789abcdef." + "A" * 43


class TestLinks:
    def test_link_is_exchanged_for_an_http_only_cookie(self, served: Served) -> None:
        game = served.game()
        answer = Caller(served.address, Origin=served.address).post(
            "/session", {"token": served.token(game, "red", "link")}
        )
        assert [one["seat"] for one in answer.json()["held"]] == ["red"]
        cookie = SimpleCookie(answer.headers["set-cookie"])["umpire"]
        assert (cookie["httponly"], cookie["samesite"].lower(), cookie["path"]) == (True, "lax", "/")
        assert 29 * 86400 < int(cookie["max-age"]) <= 30 * 86400
        assert answer.headers["cache-control"] == "private, no-cache"

    def test_link_page_sends_the_token_in_its_own_form(self, served: Served) -> None:
        """Keep the token in the fragment after `#`, which a browser never sends in a request's address."""
        game = served.game()
        page = served.nobody().get("/in")
        assert 'action="/in"' in page.text
        assert "script-src 'self'" in page.headers["content-security-policy"]
        assert "replaceState" in served.nobody().get("/in.js").text
        browser = Caller(served.address, Origin=served.address)
        answer = browser.http.post("/in", data={"token": served.token(game, "blue", "link")})
        assert (answer.status_code, answer.headers["location"]) == (303, f"/table/{game}?as=blue")
        assert browser.get(f"/games/{game}/status").json()["seat"] == "blue"

    def test_link_used_twice_is_refused(self, served: Served) -> None:
        game = served.game()
        token = served.token(game, "red", "link")
        first, second = (Caller(served.address, Origin=served.address) for _ in range(2))
        assert first.post("/session", {"token": token}).status_code == 200
        refused = second.post("/session", {"token": token})
        assert refused.status_code == 401
        assert refused.json()["what"] == "this link has already been used"
        assert "set-cookie" not in refused.headers

    def test_person_with_several_seats_names_one_by_as(self, served: Served) -> None:
        game, other = served.game(), served.game()
        browser = served.browser(game, "red", "blue")
        browser.post("/session", {"token": served.token(other, "referee", "link")})
        assert browser.get(f"/games/{game}/status").status_code == 403
        assert browser.get(f"/games/{game}/status", params={"as": "blue"}).json()["seat"] == "blue"
        assert browser.get(f"/games/{other}/status").json()["seat"] == "referee"
        assert {one["game"] for one in browser.get("/games").json()} == {game, other}

    def test_revoked_the_session_is_out_at_the_next_request(self, served: Served) -> None:
        game = served.game()
        browser, referee = served.browser(game, "red"), served.program(game, "referee")
        (mine,) = [one for one in referee.get(f"/games/{game}/invitations").json() if one["seat"] == "red"]
        assert referee.post(f"/games/{game}/invitations/{mine['id']}/revoke").status_code == 200
        assert browser.get(f"/games/{game}/status").status_code == 403

    def test_session_left_makes_its_cookie_invalid(self, served: Served) -> None:
        game = served.game()
        browser = served.browser(game, "red")
        kept = dict(browser.http.cookies)
        assert browser.post("/session/leave").status_code == 200
        thief = Caller(served.address, Origin=served.address)
        thief.http.cookies.update(kept)
        assert thief.get(f"/games/{game}/status").status_code == 401

    def test_session_left_can_be_followed_by_another_link(self, served: Served) -> None:
        """Test a browser that still sends the cookie of an ended session."""
        game = served.game()
        browser = served.browser(game, "red")
        kept = dict(browser.http.cookies)
        gone = SimpleCookie(browser.post("/session/leave").headers["set-cookie"])["umpire"]
        assert (gone["max-age"], gone["path"], gone["httponly"], gone["samesite"].lower()) == ("0", "/", True, "lax")
        browser.http.cookies.update(kept)
        answer = browser.post("/session", {"token": served.token(game, "blue", "link")})
        assert [one["seat"] for one in answer.json()["held"]] == ["blue"]

    def test_invitation_token_is_shown_once(self, served: Served) -> None:
        game = served.game()
        referee = served.program(game, "referee")
        made = referee.post(f"/games/{game}/invitations", {"seat": "red", "form": "program", "lasts": "1d"}).json()
        assert Caller(served.address, made["token"]).get(f"/games/{game}/status").json()["seat"] == "red"
        listed = referee.get(f"/games/{game}/invitations").text
        assert made["invitation"]["id"] in listed
        assert made["token"].partition(".")[2] not in listed

    def test_session_from_foreign_page_is_refused(self, served: Served) -> None:
        """Else it could seat a browser where its owner does not mean to sit."""
        token = served.token(served.game(), "red", "link")
        for caller in (Caller(served.address, Origin="https://evil.example"), Caller(served.address)):
            assert caller.post("/session", {"token": token}).status_code == 403
        assert Caller(served.address, Origin=served.address).post("/session", {"token": token}).status_code == 200


class TestInvalidTokens:
    def test_invalid_tokens_get_identical_answers(self, served: Served) -> None:
        game = served.game()
        token = served.token(game, "red")
        id, _, secret = token.partition(".")
        near = [
            f"{id}.{'A' * 43}",
            f"{'f' * 16}.{secret}",
            WRONG,
            f"{id}.{secret[:-1]}_",
            token.upper(),
            "",
            "x" * 5000,
        ]
        answers = {
            (answer.status_code, answer.text)
            for one in at_least_one(near)
            if (answer := Caller(served.address, one or "-").get(f"/games/{game}/status"))
        }
        assert len(answers) == 1
        assert answers.pop()[0] == 401

    def test_caller_guessing_tokens_is_slowed_down(self, place: Path) -> None:
        served = Served(place)
        guesses = [Caller(served.address, WRONG).get("/games/first/status") for _ in range(14)]
        assert [one.status_code for one in guesses[:10]] == [401] * 10
        assert guesses[-1].status_code == 429
        assert int(guesses[-1].headers["retry-after"]) >= 1
        assert served.program("first", "red").get("/games/first/status").status_code == 200, "who has a seat waits not"
        served.stop()

    def test_two_who_come_with_one_link_at_once(self, served: Served) -> None:
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 -- here alone

        token = served.token(served.game(), "red", "link")
        callers = [Caller(served.address, Origin=served.address) for _ in range(6)]
        with ThreadPoolExecutor(6) as together:
            codes = sorted(together.map(lambda one: one.post("/session", {"token": token}).status_code, callers))
        assert codes == [200, *[401] * 5]


class TestRequestLog:
    def test_request_log_has_order_ids_and_no_tokens(self, place: Path) -> None:
        served = Served(place)
        program, link = served.token("first", "red"), served.token("first", "blue", "link")
        browser = Caller(served.address, Origin=served.address)
        browser.post("/session", {"token": link})
        browser.get("/games/first/status", params={"text": "secret words"})
        caller = Caller(served.address, program)
        order = {"order": "note", "text": "not for the log"}
        caller.post("/games/first/orders", order, Idempotency_Key="evening-1")
        Caller(served.address).get(f"/games/first/status?token={program}")
        served.stop()
        log = "".join(served.log)
        for token in (program, link, browser.http.cookies["umpire"]):
            assert token.partition(".")[2] not in log
        assert "secret words" not in log
        assert "not for the log" not in log
        (one,) = [line for line in served.requests() if line["method"] == "POST" and line["path"].endswith("/orders")]
        assert (one["command"], one["seat"], one["game"], one["status"]) == ("evening-1", "red", "first", 200)

    def test_cookie_over_tls_is_secure_and_bound_to_origin(self, place: Path) -> None:
        served = Served(place, "--at", "https://umpire.example.org")
        inside = Caller(served.address, Origin=served.address)
        token = served.token("first", "red", "link")
        assert inside.post("/session", {"token": token}).status_code == 403
        outside = Caller(served.address, Origin="https://umpire.example.org")
        answer = outside.post("/session", {"token": token})
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-umpire=")
        assert re.search(r";\s*secure", cookie, re.IGNORECASE)
        assert answer.headers["strict-transport-security"]
        name, _, value = cookie.partition(";")[0].partition("=")
        gone = outside.http.post("/session/leave", headers={"Cookie": f"{name}={value}"}).headers["set-cookie"]
        assert gone.startswith("__Host-umpire=")
        assert re.search(r";\s*secure", gone, re.IGNORECASE), "else a browser keeps the old one"
        served.stop()
