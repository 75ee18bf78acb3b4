"""Test orders and views over HTTP: idempotency keys, `If-Match` positions and 304 answers."""

import json
import re
from typing import Any

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

import httpx

from tests.at_least_one import at_least_one
from tests.cli.terminal import SCENARIO, Terminal
from tests.face.desk import store_background
from tests.service.served import Caller, Served

MOVE = {"order": "move", "unit": "r1", "path": ["0101", "0102"]}
NOTE = {"order": "note", "text": "hm"}
LINE = b'{"order": "note", "text": "hm"}\n'


@pytest.fixture
def game(served: Served) -> str:
    return served.game()


@pytest.fixture
def red(served: Served, game: str) -> Caller:
    return served.program(game, "red")


@pytest.fixture
def referee(served: Served, game: str) -> Caller:
    return served.program(game, "referee")


def size(served: Served, game: str) -> int:
    with served.desk() as desk:
        return desk.game(game).size


def ok(answer: httpx.Response) -> Any:
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def problem(answer: httpx.Response, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    found: dict[str, Any] = answer.json()
    assert found["status"] == status
    assert found["detail"] == found["what"]
    return found


class TestDicePolicies:
    def test_routes_that_go_back_take_and_name_one(self, served: Served, game: str, referee: Caller) -> None:
        start = size(served, game)
        for route, body in (
            ("rewind", {"to": start, "why": "x"}),
            ("undo", {"why": "x"}),
            ("rulings", {"ruling": "no", "why": "x", "grounds": "house rule", "orders": [f"rewind {start}"]}),
        ):
            ok(referee.post(f"/games/{game}/orders", NOTE))
            ok(referee.post(f"/games/{game}/orders", {"order": "pay", "account": "vp", "amount": 1}))
            for dice in ("keep", None):
                more = {"dice": dice} if dice else {}
                outcome = ok(referee.post(f"/games/{game}/{route}", {**body, **more}))
                assert outcome["dice"]["policy"] == (dice or "reroll"), route
                ok(referee.post(f"/games/{game}/orders", {"order": "pay", "account": "vp", "amount": 1}))


class TestOrders:
    def test_order_is_recorded_with_its_sentence(self, served: Served, game: str, red: Caller) -> None:
        outcome = ok(red.post(f"/games/{game}/orders", MOVE))
        assert outcome["seat"] == "red"
        assert outcome["told"]
        assert ok(red.get(f"/games/{game}/units/r1"))["now"]["at"] == "0102"

    def test_order_typed_is_recorded(self, game: str, red: Caller) -> None:
        outcome = ok(red.post(f"/games/{game}/orders", {"typed": "move r1 0101,0102"}))
        assert outcome["records"][0]["event"]["type"] == "unit.moved"

    def test_order_repeated_with_key_is_recorded_once(self, served: Served, game: str, red: Caller) -> None:
        first = ok(red.post(f"/games/{game}/orders", NOTE, Idempotency_Key="evening-1"))
        again = ok(red.post(f"/games/{game}/orders", NOTE, Idempotency_Key="evening-1"))
        assert again == {**first, "repeated": True}
        assert first["command"] == "evening-1"
        assert size(served, game) == first["position"]

    def test_key_of_another_order_is_refused(self, game: str, red: Caller) -> None:
        ok(red.post(f"/games/{game}/orders", NOTE, Idempotency_Key="k"))
        refused = problem(red.post(f"/games/{game}/orders", MOVE, Idempotency_Key="k"), 422)
        assert (refused["error"], refused["code"], refused["rule"]) == ("refused", 3, "command ids")

    def test_key_of_another_seat_reveals_no_answer(self, served: Served, game: str, red: Caller) -> None:
        ok(red.post(f"/games/{game}/orders", {"order": "note", "text": "mine"}, Idempotency_Key="k"))
        blue = served.program(game, "blue")
        refused = problem(
            blue.post(f"/games/{game}/orders", {"order": "note", "text": "mine"}, Idempotency_Key="k"), 422
        )
        assert "mine" not in json.dumps(refused)

    def test_id_in_body_and_other_id_in_header_is_refused(self, game: str, red: Caller) -> None:
        answer = red.post(f"/games/{game}/orders", {**NOTE, "id": "a"}, Idempotency_Key="b")
        assert problem(answer, 400)["remedy"] == "send only one of them"

    def test_order_for_another_seat_is_allowed_to_referee_only(
        self, served: Served, game: str, red: Caller, referee: Caller
    ) -> None:
        refused = problem(red.post(f"/games/{game}/orders", {**NOTE, "as": "blue"}), 422)
        assert refused["what"] == "this is an order of blue, but red gives it"
        assert ok(referee.post(f"/games/{game}/orders", {**NOTE, "as": "blue"}))["records"][0]["seat"] == "blue"

    def test_refusal_has_four_parts_and_exit_code(self, game: str, red: Caller) -> None:
        refused = problem(red.post(f"/games/{game}/orders", {"order": "move", "unit": "r9", "path": ["1"]}), 422)
        assert refused["code"] == 3
        assert refused["type"] == "urn:umpire:refused"
        assert all(refused[part] for part in ("what", "where", "rule", "remedy"))


class TestClicks:
    def test_unit_offers_orders_that_are_accepted(
        self, served: Served, game: str, red: Caller, referee: Caller
    ) -> None:
        found = ok(red.get(f"/games/{game}/clickable", params={"unit": "r1"}))
        assert (found["unit"], found["side"], found["root_at"]) == ("r1", "red", size(served, game))
        move = next(one for one in found["orders"] if one["order"] == "move")
        assert move["form"] == {"unit": ["r1"]}
        of_all = ok(referee.get(f"/games/{game}/clickable", params={"unit": "r1"}))
        assert {one["seat"] for one in of_all["orders"] if one["targets"]} == {"red"}
        assert ok(red.post(f"/games/{game}/orders", {"typed": move["targets"][0]["typed"]}))["seat"] == "red"
        as_red = referee.get(f"/games/{game}/clickable", params={"unit": "r1", "as": "red"})
        assert ok(as_red) == ok(red.get(f"/games/{game}/clickable", params={"unit": "r1"}))

    def test_unknown_unit_is_a_problem(self, game: str, red: Caller) -> None:
        refused = problem(red.get(f"/games/{game}/clickable", params={"unit": "r9"}), 404)
        assert "r9" in refused["what"]

    def test_answer_is_cached_until_the_next_record(self, game: str, red: Caller) -> None:
        seen = red.get(f"/games/{game}/clickable").headers["etag"]
        again = red.get(f"/games/{game}/clickable", headers={"If-None-Match": seen})
        assert again.status_code == 304


class TestIfMatch:
    def test_order_at_seen_position_is_recorded(self, served: Served, game: str, red: Caller) -> None:
        tag = red.get(f"/games/{game}/status").headers["etag"]
        outcome = red.post(f"/games/{game}/orders", NOTE, If_Match=tag)
        assert ok(outcome)["position"] == size(served, game)
        assert ok(red.post(f"/games/{game}/orders", NOTE, If_Match=outcome.headers["etag"]))

    def test_order_at_stale_position_names_newer_records(self, served: Served, game: str, red: Caller) -> None:
        before = size(served, game)
        ok(served.program(game, "blue").post(f"/games/{game}/orders", {"order": "note", "text": "first"}))
        late = problem(red.post(f"/games/{game}/orders", NOTE, If_Match=f'"{before}"'), 412)
        assert (late["error"], late["code"]) == ("somebody-wrote-first", 4)
        assert "blue: note: first" in late["remedy"]
        assert size(served, game) == before + 1

    def test_without_it_an_order_is_judged_on_what_is_there(self, served: Served, game: str, red: Caller) -> None:
        ok(served.program(game, "blue").post(f"/games/{game}/orders", NOTE))
        assert ok(red.post(f"/games/{game}/orders", NOTE))["position"] == size(served, game)

    def test_order_repeated_with_key_and_stale_position_is_answered(
        self, served: Served, game: str, red: Caller
    ) -> None:
        """Repeat an order whose answer was lost: by now the game has this order and another."""
        blue = served.program(game, "blue")
        sent = {"Idempotency_Key": "evening-1", "If_Match": f'"{size(served, game)}"'}
        first = red.post(f"/games/{game}/orders", NOTE, **sent)
        ok(blue.post(f"/games/{game}/orders", NOTE))
        again = red.post(f"/games/{game}/orders", NOTE, **sent)
        assert ok(again) == {**ok(first), "repeated": True}
        assert again.headers["etag"] == first.headers["etag"], "of the position of its answer, not of blue's order"
        for somebody, order in ((red, MOVE), (blue, NOTE)):
            problem(somebody.post(f"/games/{game}/orders", order, **sent), 412)

    @pytest.mark.parametrize("seen", ["soon", '"a"', "-1", '"3", "4"', "9" * 30])
    def test_if_match_without_position_is_refused(self, served: Served, game: str, red: Caller, seen: str) -> None:
        before = size(served, game)
        assert problem(red.post(f"/games/{game}/orders", NOTE, If_Match=seen), 400)["error"] == "usage"
        assert size(served, game) == before


class TestPositionAhead:
    """The client saw records that this copy of the game does not have."""

    def test_if_match_ahead_of_the_game_says_so(self, served: Served, game: str, red: Caller) -> None:
        before = size(served, game)
        ok(red.post(f"/games/{game}/orders", NOTE, If_Match=f'"{before}"'))
        ahead = problem(red.post(f"/games/{game}/orders", NOTE, If_Match=f'"{before + 2}"'), 412)
        assert (ahead["error"], ahead["code"]) == ("position-ahead", 4)
        assert f"has only {before + 1} records" in ahead["what"]
        assert "meanwhile" not in ahead["remedy"]
        assert "another copy" in ahead["remedy"]
        assert problem(red.post(f"/games/{game}/orders", NOTE, If_Match=f'"{before}"'), 412)["error"] == (
            "somebody-wrote-first"
        )
        assert size(served, game) == before + 1

    @pytest.mark.parametrize("path", ["notes", "looked", "rewind?preview=true", "order-files", "archive"])
    def test_if_match_ahead_is_refused_by_every_kind_of_act(self, served: Served, game: str, path: str) -> None:
        referee, before = served.program(game, "referee"), size(served, game)
        bodies = {"notes": {"text": "hm"}, "rewind?preview=true": {"to": 2, "why": "hm"}}
        kind = "application/x-ndjson" if path == "order-files" else "application/json"
        body = json.dumps(bodies[path]).encode() if path in bodies else b""
        sent = {"If-Match": '"9999"', "Content-Type": kind}
        answer = referee.http.post(
            f"/games/{game}/{path}", content=body or (LINE if path == "order-files" else b""), headers=sent
        )
        assert problem(answer, 412)["error"] == "position-ahead"
        assert size(served, game) in (before, before + 1), "that the referee was let in"

    def test_etag_of_another_game_is_refused(self, served: Served, game: str, red: Caller) -> None:
        other = served.game()
        foreign = served.program(other, "red").get(f"/games/{other}/status").headers["etag"].strip('"').split("-")[1]
        refused = red.post(f"/games/{game}/orders", NOTE, If_Match=f'"{size(served, game)}-{foreign}"')
        assert problem(refused, 412)["error"] == "not-of-this-game"

    def test_etag_of_another_seat_names_the_position(self, served: Served, game: str, red: Caller) -> None:
        tag = served.program(game, "blue").get(f"/games/{game}/status").headers["etag"]
        ok(red.post(f"/games/{game}/orders", NOTE, If_Match=tag))

    def test_etag_from_before_a_rename_is_refused_unless_answered(self, served: Served, game: str, red: Caller) -> None:
        sent = {"If_Match": red.get(f"/games/{game}/status").headers["etag"], "Idempotency_Key": "k"}
        first = ok(red.post(f"/games/{game}/orders", NOTE, **sent))
        with served.desk() as desk:
            desk.game(game).rename("Evening at the ford")
        assert ok(red.post(f"/games/{game}/orders", NOTE, **sent)) == {**first, "repeated": True}
        late = red.post(f"/games/{game}/orders", NOTE, If_Match=sent["If_Match"])
        assert problem(late, 412)["error"] == "not-of-this-game"

    @pytest.mark.parametrize(
        ("tag", "what"), [('W/"3-abc"', "a weak ETag"), ('"3", "4"', "several ETags"), ('"abc"', "no position")]
    )
    def test_etag_without_position_is_refused(self, game: str, red: Caller, tag: str, what: str) -> None:
        assert what in problem(red.post(f"/games/{game}/orders", NOTE, If_Match=tag), 400)["what"]

    def test_page_after_the_last_record_is_refused(self, served: Served, game: str, red: Caller) -> None:
        last = size(served, game)
        for look in ("audit", "orders"):
            assert red.get(f"/games/{game}/{look}?after={last}").json() == []
            assert problem(red.get(f"/games/{game}/{look}?after={last + 1}"), 404)["error"] == "unknown"

    def test_stream_that_begins_ahead_is_refused(self, served: Served, game: str, red: Caller) -> None:
        last = size(served, game)
        ahead = red.http.get(f"/games/{game}/stream", headers={"Last-Event-ID": str(last + 1)})
        assert f"has no record #{last + 1}" in problem(ahead, 404)["what"]
        assert problem(red.get(f"/games/{game}/stream?after={last + 1}"), 404)["error"] == "unknown"


class TestOrderFiles:
    LINES = b'{"order": "note", "text": "one"}\n# a remark\n{"order": "note", "text": "two"}\n'

    def send(self, caller: Caller, game: str, lines: bytes, **more: Any) -> httpx.Response:
        headers = {"Content-Type": "application/x-ndjson", **more.pop("headers", {})}
        return caller.http.post(f"/games/{game}/order-files", content=lines, headers=headers, **more)

    def test_order_file_is_played(self, served: Served, game: str, red: Caller) -> None:
        assert ok(self.send(red, game, self.LINES))["orders"] == 2

    def test_with_a_key_the_same_file_is_played_once(self, served: Served, game: str, red: Caller) -> None:
        first = ok(self.send(red, game, self.LINES, headers={"Idempotency-Key": "evening"}))
        again = ok(self.send(red, game, self.LINES, headers={"Idempotency-Key": "evening"}))
        assert (first["orders"], again["orders"], again["repeated"]) == (2, 0, 2)
        assert size(served, game) == first["position"]

    @pytest.mark.parametrize("lines", [b"# first a remark\n" + LINES, LINES[: LINES.index(b"#")]])
    def test_key_of_other_lines_is_refused(self, served: Served, game: str, red: Caller, lines: bytes) -> None:
        """Refuse the key: a remark above the orders shifts their ids, so each would be recorded twice."""
        played = ok(self.send(red, game, self.LINES, headers={"Idempotency-Key": "evening"}))
        refused = problem(self.send(red, game, lines, headers={"Idempotency-Key": "evening"}), 422)
        assert refused["rule"] == "command ids"
        assert size(served, game) == played["position"]

    def test_key_of_longer_file_records_new_lines(self, served: Served, game: str, red: Caller) -> None:
        ok(self.send(red, game, self.LINES, headers={"Idempotency-Key": "evening"}))
        longer = self.LINES + b'{"order": "note", "text": "three"}\n'
        again = ok(self.send(red, game, longer, headers={"Idempotency-Key": "evening"}))
        assert (again["orders"], [one["line"] for one in again["skipped"]]) == (1, [1, 3])

    def test_order_file_stops_at_first_refusal_with_line(self, game: str, red: Caller) -> None:
        refused = problem(self.send(red, game, self.LINES + b'{"order": "move", "unit": "r9", "path": ["1"]}\n'), 422)
        assert "line 4" in refused["where"]

    def test_order_file_over_500_orders_is_refused(self, served: Served, game: str, red: Caller) -> None:
        """Refuse ten thousand orders at once: they would block every other player of the game."""
        before = size(served, game)
        line = b'{"order": "note", "text": "x"}\n'
        refused = problem(self.send(red, game, line * 501), 413)
        assert (refused["error"], refused["rule"]) == ("too-large", "limits: 500 orders per file")
        assert size(served, game) == before
        assert ok(self.send(red, game, line * 40 + b"# a remark\n" * 600))["orders"] == 40

    def test_order_file_with_invalid_line_records_no_order(self, served: Served, game: str, red: Caller) -> None:
        before = size(served, game)
        assert "line 4" in problem(self.send(red, game, self.LINES + b"{\n"), 400)["where"]
        assert size(served, game) == before

    def test_others_come_to_the_game_between_two_pieces_of_it(self, served: Served, game: str, red: Caller) -> None:
        """On what was seen: then the rest of it is refused, and says what came."""
        many = b"".join(b'{"order": "note", "text": "n%d"}\n' % number for number in range(60))
        first = size(served, game)
        played = ok(self.send(red, game, many, headers={"If-Match": f'"{first}"'}))
        assert (played["orders"], played["position"]) == (60, first + 60)

    def test_to_try_it_records_nothing(self, served: Served, game: str, red: Caller) -> None:
        before = size(served, game)
        ok(self.send(red, game, self.LINES, params={"check": "true"}))
        assert size(served, game) == before

    def test_too_late_none_of_it_is_given(self, served: Served, game: str, red: Caller) -> None:
        before = size(served, game)
        ok(red.post(f"/games/{game}/orders", NOTE))
        problem(self.send(red, game, self.LINES, headers={"If-Match": f'"{before}"'}), 412)
        assert size(served, game) == before + 1

    def test_on_what_was_seen_it_is_answered_again_with_its_key(self, served: Served, game: str, red: Caller) -> None:
        headers = {"Idempotency-Key": "evening", "If-Match": f'"{size(served, game)}"'}
        first = ok(self.send(red, game, self.LINES, headers=headers))
        ok(served.program(game, "blue").post(f"/games/{game}/orders", NOTE))
        again = ok(self.send(red, game, self.LINES, headers=headers))
        assert (first["orders"], again["orders"], again["repeated"]) == (2, 0, 2)
        other = b'{"order": "note", "text": "x", "as": "blue"}\n'
        problem(self.send(red, game, other, headers=headers), 422)  # the key belongs to another file
        problem(self.send(red, game, other, headers={**headers, "Idempotency-Key": "night"}), 412)


class TestRewind:
    def test_rewind_is_previewed_before_it_is_recorded(
        self, served: Served, game: str, referee: Caller, red: Caller
    ) -> None:
        moved = ok(red.post(f"/games/{game}/orders", MOVE))["position"]
        referee.get(f"/games/{game}/status")  # that the referee was let in is a record
        before = size(served, game)
        preview = ok(referee.post(f"/games/{game}/rewind?preview=true", {"to": moved - 1, "why": "too early"}))
        assert [one["position"] for one in preview["orders"]][:1] == [moved]
        assert size(served, game) == before
        ok(referee.post(f"/games/{game}/rewind", {"to": moved - 1, "why": "too early"}))
        assert ok(red.get(f"/games/{game}/units/r1"))["now"]["at"] == "0101"

    def test_undo_and_redo(self, game: str, red: Caller) -> None:
        ok(red.post(f"/games/{game}/orders", MOVE))
        ok(red.post(f"/games/{game}/undo"))
        assert ok(red.get(f"/games/{game}/units/r1"))["now"]["at"] == "0101"
        ok(red.post(f"/games/{game}/redo"))
        assert ok(red.get(f"/games/{game}/units/r1"))["now"]["at"] == "0102"

    def test_rewind_asked_by_side_happens_after_consent(self, served: Served, game: str, red: Caller) -> None:
        moved = ok(red.post(f"/games/{game}/orders", MOVE))["position"]
        ok(red.post(f"/games/{game}/ask-rewind", {"to": moved - 1, "why": "too early"}))
        ok(served.program(game, "blue").post(f"/games/{game}/consent"))
        assert ok(red.get(f"/games/{game}/units/r1"))["now"]["at"] == "0101"

    def test_rewind_by_side_without_consent_is_refused(self, game: str, red: Caller) -> None:
        assert problem(red.post(f"/games/{game}/rewind", {"to": 2, "why": "hm"}), 422)["code"] == 3

    def test_amended_order_replaces_the_old_one(self, game: str, red: Caller, referee: Caller) -> None:
        at = ok(red.post(f"/games/{game}/orders", MOVE))["position"]
        mended = {"at": at, "given": {**MOVE, "path": ["0101", "0201"]}, "why": "misheard"}
        ok(referee.post(f"/games/{game}/amend?check=true", mended))
        assert ok(red.get(f"/games/{game}/units/r1"))["now"]["at"] == "0102"
        ok(referee.post(f"/games/{game}/amend", mended))
        assert ok(red.get(f"/games/{game}/units/r1"))["now"]["at"] == "0201"

    def test_words_to_be_amended_are_read_for_the_referee_alone(self, game: str, red: Caller) -> None:
        """Refuse a side's amendment unread: near matches from the whole game would reveal hidden units."""
        at = ok(red.post(f"/games/{game}/orders", MOVE))["position"]
        for check in ("true", "false"):
            answer = red.post(f"/games/{game}/amend?check={check}", {"at": at, "given": "move b9 0101", "why": "hm"})
            assert problem(answer, 422)["what"] == "only the referee can amend an order"


class TestTheReferee:
    def test_dispute_is_opened_ruled_on_and_found_again(self, game: str, red: Caller, referee: Caller) -> None:
        at = ok(red.post(f"/games/{game}/orders", MOVE))["position"]
        ok(red.post(f"/games/{game}/disputes", {"records": [at], "claim": "the ford was closed", "rule": "7.1"}))
        assert [one["dispute"] for one in ok(red.get(f"/games/{game}/disputes?answer=open"))] == ["d1"]
        ruling = {"ruling": "it stands", "why": "7.1", "grounds": "printed rule", "rule": "7.1", "dispute": "d1"}
        ok(referee.post(f"/games/{game}/rulings", ruling))
        page = ok(red.get(f"/games/{game}/disputes/d1"))
        assert page["dispute"]["settled"]
        assert page["precedents"] == []
        ok(red.post(f"/games/{game}/disputes", {"records": [at], "claim": "the ford is open", "rule": "7.1"}))
        assert [one["game"] for one in ok(red.get(f"/games/{game}/disputes/d2"))["precedents"]] == [game]

    def test_another_group_s_rulings_are_not_shown(self, served: Served, game: str, red: Caller) -> None:
        other = served.game()
        ruling = {"ruling": "never", "why": "hm", "grounds": "house rule", "rule": "99.1"}
        ok(served.program(other, "referee").post(f"/games/{other}/rulings", ruling))
        ok(red.post(f"/games/{game}/disputes", {"records": [2], "claim": "hm", "rule": "99.1"}))
        assert ok(red.get(f"/games/{game}/disputes/d1"))["precedents"] == []

    def test_seal_returns_the_checkpoint(self, served: Served, game: str, red: Caller) -> None:
        sealed = ok(red.post(f"/games/{game}/seals"))
        assert sealed["checkpoint"] == red.get(f"/games/{game}/checkpoint").text
        assert sealed["checkpoint"].splitlines()[1] == str(sealed["outcome"]["position"])

    def test_peek_is_recorded_before_it_shows_secrets(self, served: Served) -> None:
        game = served.game(options={"secrets_closed_to_referee": True})
        red, referee = served.program(game, "red"), served.program(game, "referee")
        ok(red.post(f"/games/{game}/orders", {"order": "seal-choice", "question": "plan", "choice": "left"}))
        refused = problem(referee.get(f"/games/{game}/status", params={"as": "red"}), 422)
        assert refused["rule"] == "secrets"
        peeked = ok(referee.post(f"/games/{game}/peeks", {"who": "red", "why": "a quarrel"}))
        assert "left" in json.dumps(peeked["secrets"])
        assert any(
            "peek" in one["event"] or "look" in one["text"] for one in ok(red.get(f"/games/{game}/audit?last=3"))
        )

    def test_referee_reads_view_of_a_seat(self, game: str, referee: Caller) -> None:
        assert ok(referee.get(f"/games/{game}/status", params={"as": "red"}))["seat"] == "red"

    def test_that_the_referee_was_let_in_is_recorded(self, served: Served, game: str, referee: Caller) -> None:
        before = size(served, game)
        for _ in range(2):
            ok(referee.get(f"/games/{game}/status"))
        assert size(served, game) == before + 1

    def test_fork_invites_its_referee(self, served: Served, game: str, referee: Caller) -> None:
        copy = ok(referee.post(f"/games/{game}/fork", {"id": f"{game}-what-if", "at": 3}))
        browser = Caller(served.address, Origin=served.address)
        ok(browser.post("/session", {"token": copy["invited"]["token"]}))
        assert copy["game"].startswith(f"{game}-what-if-")
        assert ok(browser.get(f"/games/{copy['game']}/status"))["copied"]

    def test_fork_under_taken_id_does_not_reveal_it(self, served: Served, game: str, referee: Caller) -> None:
        """Give a fork another id if the wished one is taken by a game that the referee may not know."""
        other = served.game()
        for wished in (other, other, "nobody-has-this"):
            copy = ok(referee.post(f"/games/{game}/fork", {"id": wished}))
            assert copy["game"].startswith(f"{wished}-")
        taken = problem(served.program("", "referee").post(f"/games/{game}/fork", {"id": other}), 400)
        assert other in taken["what"], "whoever keeps the ledger names it as they like"

    @pytest.mark.parametrize("act", ["fork", "archive", "unarchive", "invitations", "looked"])
    def test_key_without_order_is_refused(self, served: Served, game: str, referee: Caller, act: str) -> None:
        """Refuse the key before anything is done: the request could not be answered a second time."""
        referee.get(f"/games/{game}/status")
        before = size(served, game)
        body = {"fork": {"id": "mine"}, "invitations": {"seat": "blue"}}.get(act)
        refused = problem(referee.post(f"/games/{game}/{act}", body, Idempotency_Key="k"), 400)
        assert refused["rule"] == "Idempotency-Key"
        assert refused["remedy"].startswith("send it without")
        assert size(served, game) == before
        assert len(ok(referee.get(f"/games/{game}/invitations"))) == 1, "the referee's own"

    @pytest.mark.parametrize("act", ["fork", "archive", "invitations", "looked", "undo?preview=true"])
    def test_if_match_without_order_is_checked(
        self, served: Served, game: str, red: Caller, referee: Caller, act: str
    ) -> None:
        referee.get(f"/games/{game}/status")
        seen = size(served, game)
        ok(red.post(f"/games/{game}/orders", MOVE))
        body = {"fork": {"id": "mine"}, "invitations": {"seat": "blue"}}.get(act)
        late = problem(referee.post(f"/games/{game}/{act}", body, If_Match=f'"{seen}"'), 412)
        assert "red: r1 moves" in late["remedy"]
        ok(referee.post(f"/games/{game}/{act}", body, If_Match=f'"{seen + 1}"'))

    def test_game_is_archived_and_unarchived(self, game: str, referee: Caller) -> None:
        assert ok(referee.post(f"/games/{game}/archive"))["game"] == game
        assert ok(referee.get("/games")) == []
        ok(referee.post(f"/games/{game}/unarchive"))
        assert [one["game"] for one in ok(referee.get("/games"))] == [game]

    @pytest.mark.parametrize("act", ["fork", "archive", "unarchive", "invitations"])
    def test_side_may_not_do_referee_work(self, game: str, red: Caller, act: str) -> None:
        body = {"fork": {"id": "mine"}, "invitations": {"seat": "blue"}}.get(act)
        assert problem(red.post(f"/games/{game}/{act}", body), 403)["error"] == "not-your-seat"


class TestOperator:
    def test_games_are_opened_listed_and_refereed(self, served: Served) -> None:
        operator = served.program("", "referee")
        opening = {"id": "brand-new", "title": "freeform", "scenario": SCENARIO}
        assert operator.post("/games", opening).status_code == 201
        assert problem(operator.post("/games", opening), 400)["code"] == 2
        keyed = problem(operator.post("/games", {**opening, "id": "keyed"}, Idempotency_Key="k"), 400)
        assert keyed["rule"] == "Idempotency-Key"
        assert "brand-new" in [one["game"] for one in ok(operator.get("/games"))]
        assert ok(operator.get("/games/brand-new/status"))["seat"] == "referee"
        assert problem(operator.get("/games/no-such-game/status"), 404)["code"] == 6

    def test_new_game_by_other_seat_is_refused(self, red: Caller) -> None:
        opening = {"id": "mine", "title": "freeform", "scenario": SCENARIO}
        assert problem(red.post("/games", opening), 403)["error"] == "not-your-seat"

    def test_seat_lists_only_its_own_games(self, served: Served, game: str, red: Caller) -> None:
        assert [one["game"] for one in ok(red.get("/games"))] == [game]
        missing = problem(red.get("/games?title=war-galley"), 404)
        assert "war-galley" not in missing["remedy"]


class TestViews:
    def test_unchanged_it_costs_a_304(self, game: str, red: Caller) -> None:
        for path in at_least_one(("status", "units", "audit", "lines", "undo-points", "map.svg", "export")):
            first = red.get(f"/games/{game}/{path}")
            again = red.get(f"/games/{game}/{path}", headers={"If-None-Match": first.headers["etag"]})
            assert (again.status_code, again.content) == (304, b""), path
        ok(red.post(f"/games/{game}/orders", NOTE))
        assert red.get(f"/games/{game}/status", headers={"If-None-Match": first.headers["etag"]}).status_code == 200

    def test_background_of_a_game_without_one_is_not_found(self, game: str, red: Caller) -> None:
        missing = problem(red.get(f"/games/{game}/background"), 404)
        assert (missing["error"], missing["where"]) == ("unknown", game)

    @pytest.mark.parametrize("stored", ["data:text/html;base64,PHA+", "data:image/png\r\nX: y;base64,AAAA", "AAAA", ""])
    def test_background_that_is_damaged_is_not_sent(self, served: Served, game: str, red: Caller, stored: str) -> None:
        with served.desk() as desk:
            store_background(desk.ledger_for_writing, game, stored)
        assert problem(red.get(f"/games/{game}/background"), 404)["error"] == "unknown"
        assert "<image" not in red.get(f"/games/{game}/map.svg").text

    def test_background_is_sent_as_an_image_in_a_sandbox(self, served: Served, game: str, red: Caller) -> None:
        with served.desk() as desk:
            store_background(desk.ledger_for_writing, game, "data:image/webp;base64,UklGRg==")
        answer = red.get(f"/games/{game}/background")
        assert (answer.status_code, answer.content, answer.headers["content-type"]) == (200, b"RIFF", "image/webp")
        assert "sandbox" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"

    def test_background_is_not_sent_again_after_a_record(self, served: Served, game: str, red: Caller) -> None:
        with served.desk() as desk:
            store_background(desk.ledger_for_writing, game, "data:image/webp;base64,UklGRg==")
        known = {"If-None-Match": red.get(f"/games/{game}/background").headers["etag"]}
        ok(red.post(f"/games/{game}/orders", NOTE))
        again = red.get(f"/games/{game}/background", headers=known)
        assert (again.status_code, again.content) == (304, b"")
        stranger = served.program(served.game(), "red")
        assert stranger.get(f"/games/{game}/background", headers=known).status_code == 403
        with served.desk() as desk:
            store_background(desk.ledger_for_writing, game, "data:image/webp;base64,UklGRgAA")
        assert red.get(f"/games/{game}/background", headers=known).status_code == 200

    def test_etag_of_one_seat_is_not_valid_for_another(self, served: Served, game: str, red: Caller) -> None:
        tag = red.get(f"/games/{game}/status").headers["etag"]
        blue = served.program(game, "blue")
        assert blue.get(f"/games/{game}/status", headers={"If-None-Match": tag}).status_code == 200

    def test_audit_trail_is_read_page_by_page(self, game: str, red: Caller) -> None:
        for number in range(5):
            ok(red.post(f"/games/{game}/orders", {"order": "note", "text": f"n{number}"}))
        path, seen, pages = f"/games/{game}/audit?limit=2", [], 0
        while path:
            answer = red.get(path)
            seen += [one["position"] for one in ok(answer)]
            link = re.fullmatch(r'<(.*)>; rel="next"', answer.headers.get("link", ""))
            path, pages = (link[1] if link else ""), pages + 1
        assert seen == list(range(1, len(seen) + 1))
        assert pages > 2

    def test_audit_trail_is_filtered(self, game: str, red: Caller) -> None:
        ok(red.post(f"/games/{game}/orders", MOVE))
        found = ok(red.get(f"/games/{game}/audit", params={"unit": "r1", "event": "unit.moved"}))
        assert [one["event"] for one in found] == ["unit.moved"]
        assert problem(red.get(f"/games/{game}/audit?unit=r9"), 404)["code"] == 6

    def test_state_at_position_stays_the_same(self, served: Served, game: str, red: Caller) -> None:
        before = size(served, game)
        ok(red.post(f"/games/{game}/orders", MOVE))
        then = ok(red.get(f"/games/{game}/state", params={"at": before}))
        assert [one["at"] for one in then["units"] if one["id"] == "r1"] == ["0101"]
        differs = ok(red.get(f"/games/{game}/diff", params={"before": before, "after": before + 1}))
        assert [(one["id"], one["after"]) for one in differs] == [("r1", "0102")]
        assert problem(red.get(f"/games/{game}/state?at=9999"), 404)["code"] == 6

    def test_json_has_the_bytes_of_the_command_line(self, served: Served, game: str, red: Caller) -> None:
        ok(red.post(f"/games/{game}/orders", {"order": "note", "text": "seen\u202eunseen"}))
        terminal = Terminal(served.folder)
        for path, words in (
            ("units", ("units", game)),
            ("lines", ("lines", game)),
            ("undo-points", ("undo-points", game)),
            ("audit", ("audit", game)),
            ("dice", ("dice", game)),
        ):
            typed = terminal.ok(*words, "--json", "--as", "red", "--ledger", str(served.ledger)).out
            assert json.loads(red.get(f"/games/{game}/{path}").text) == json.loads(typed), path
        assert r"\u202e" in red.get(f"/games/{game}/audit?last=1").text

    def test_since_begins_at_the_seat_s_last_look(self, game: str, red: Caller) -> None:
        ok(red.post(f"/games/{game}/looked"))
        ok(red.post(f"/games/{game}/orders", NOTE))
        assert len(ok(red.get(f"/games/{game}/since"))["since"]) == 1

    def test_export_of_seat_equals_that_of_the_command_line(self, served: Served, game: str, red: Caller) -> None:
        terminal = Terminal(served.folder)
        terminal.ok("export", game, "-o", "log.jsonl", "--as", "red", "--ledger", str(served.ledger))
        assert red.get(f"/games/{game}/export").content == (served.folder / "log.jsonl").read_bytes()


class TestTheLibrary:
    def test_titles_sequences_and_orders_are_open_to_everybody(self, served: Served) -> None:
        nobody = served.nobody()
        assert "war-galley" in [one["id"] for one in ok(nobody.get("/titles"))]
        assert ok(nobody.get("/titles/war-galley/sequence"))
        orders = ok(nobody.get("/titles/war-galley/orders"))
        assert all(one["schema"]["type"] == "object" for one in at_least_one(orders))
        assert "[[units]]" in nobody.get("/titles/war-galley/scenario").text
        assert problem(nobody.get("/titles/war-gallery"), 404)["code"] == 6

    def test_openapi_document_describes_every_route(self, served: Served) -> None:
        document = ok(served.nobody().get("/schema/openapi.json"))
        assert document["openapi"].startswith("3.")
        assert {"get", "post"} <= set(document["paths"]["/games/{game}/orders"])
        assert len(document["paths"]) > 60

    @pytest.mark.parametrize(
        ("path", "method", "may_be_shut_out"),
        [
            ("/games/{game}/orders", "get", True),
            ("/games/{game}/orders", "post", True),
            ("/session", "get", True),
            ("/session", "post", True),
            ("/titles", "get", False),
            ("/health/live", "get", False),
        ],
    )
    def test_openapi_document_says_where_a_caller_may_be_shut_out(
        self, served: Served, path: str, method: str, may_be_shut_out: bool
    ) -> None:
        answers = ok(served.nobody().get("/schema/openapi.json"))["paths"][path][method]["responses"]
        assert {"401" in answers, "403" in answers} == {may_be_shut_out}
        assert {"400", "429", "503"} <= answers.keys()
