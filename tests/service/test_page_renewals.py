"""A page that is read again after each record is sent as what changed, to the seat that has the earlier page alone."""

import json
import re
import secrets
from statistics import median

import httpx
import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from litestar import Response

from tests.at_least_one import at_least_one
from tests.face.service import SentPages, changes
from tests.face.testing import FIXTURES
from tests.service.served import Caller, Served

GAMES = (("war-galley", "great-harbour", 40), ("pacific-war", "coral-sea-at-once", 20))
MOST = 16_000
"""Bytes of the median answer after an order, before compression: whole pages have 70 to 145 kB."""
PIECES = {"A-IM": "pieces"}


def path_of(game_id: str, seat: str) -> str:
    return f"/{ {'spectator': 'watch', 'referee': 'referee'}.get(seat, 'table') }/{game_id}?as={seat}"


def patched(old: str, said: str) -> str:
    """Return the page that an answer makes of an earlier page, as the script does."""
    pieces = old.split("<")
    return "<".join(one if isinstance(one, str) else "<".join(pieces[one[0] : one[1]]) for one in json.loads(said))


def again(caller: Caller, path: str, tag: str = "", **headers: str) -> httpx.Response:
    known = {"If-None-Match": tag} if tag else {}
    return caller.get(path, headers={**PIECES, **known, **headers})


class Listener:
    """A script that reads the page of a seat again and again."""

    def __init__(self, served: Served, game_id: str, seat: str) -> None:
        self.caller, self.path = served.program(game_id, seat), path_of(game_id, seat)
        self.text, self.tag = "", ""
        self.sizes: list[int] = []

    def renew(self) -> int:
        """Read the page again, and return the status."""
        answer = again(self.caller, self.path, self.tag)
        self.text = patched(self.text, answer.text) if answer.status_code == 226 else answer.text
        self.tag = answer.headers["etag"]
        self.sizes.append(len(answer.content))
        return answer.status_code


def played(served: Served, title: str, name: str, start: int) -> tuple[str, list[tuple[int, dict[str, object]]]]:
    """Open a recorded game after some of its orders; return it with the orders that follow."""
    folder = FIXTURES / title
    scenario = next((folder / "scenarios").glob(f"{name.removesuffix('-at-once')}.toml"))
    game = served.game(scenario.read_text(encoding="utf-8"), title)
    lines = (folder / "orders" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    orders = list(enumerate((json.loads(line) for line in lines if not line.startswith("#")), 1))
    with served.desk() as desk:
        desk.game(game).play(orders[:start])
    return game, orders[start : start + 15]


class TestRenewal:
    @pytest.mark.parametrize(("title", "name", "start"), GAMES)
    def test_listeners_get_less_than_16_kb_for_an_order(
        self, served: Served, title: str, name: str, start: int
    ) -> None:
        game, orders = played(served, title, name, start)
        with served.desk() as desk:
            listeners = [Listener(served, game, seat) for seat in desk.game(game).seats]
            assert {one.renew() for one in listeners} == {200}
            for order in at_least_one(orders):
                desk.game(game).play([order])
                assert {one.renew() for one in listeners} == {226}
        for one in at_least_one(listeners):
            assert one.sizes[0] > 3 * MOST
            assert median(one.sizes[1:]) < MOST, one.path
            assert one.text.endswith("</html>")

    def test_renewed_page_is_the_page_that_a_reload_shows(self, served: Served) -> None:
        game, orders = played(served, *GAMES[0])
        listener = Listener(served, game, "athens")
        with served.desk() as desk:
            for order in orders:
                desk.game(game).play([order])
                listener.renew()
        loaded = listener.caller.get(listener.path).text
        assert without_keys(listener.text) == without_keys(loaded)

    def test_reader_without_script_gets_the_whole_page(self, served: Served) -> None:
        game = served.game()
        listener = Listener(served, game, "red")
        listener.renew()
        for headers in ({}, {"If-None-Match": listener.tag}, {"A-IM": "vcdiff", "If-None-Match": listener.tag}):
            answer = listener.caller.get(listener.path, headers=headers)
            assert (answer.status_code, answer.headers.get("etag")) == (200, None)
            assert answer.text.startswith("<!doctype html>")

    def test_reader_of_a_forgotten_page_gets_the_whole_page(self, served: Served) -> None:
        listener = Listener(served, served.game(), "red")
        listener.renew()
        listener.tag = f'"{"0" * 32}"'
        assert listener.renew() == 200

    def test_reader_that_missed_renewals_gets_all_changes(self, served: Served) -> None:
        game = served.game()
        late, busy = Listener(served, game, "red"), Listener(served, game, "red")
        late.renew()
        for text in ("one", "two", "three"):
            served.program(game, "blue").post(f"/games/{game}/orders", {"order": "note", "text": text})
            busy.renew()
        assert late.renew() == 226
        assert without_keys(late.text) == without_keys(busy.text)

    def test_renewal_is_not_kept_by_caches(self, served: Served) -> None:
        listener = Listener(served, served.game(), "red")
        listener.renew()
        answer = again(listener.caller, listener.path, listener.tag)
        base = listener.tag.partition("-gzip")[0].strip('"')
        assert (answer.status_code, answer.headers["im"]) == (226, "pieces")
        assert answer.headers["delta-base"].strip('"') == base
        assert "no-store" in answer.headers["cache-control"]


class TestSecrets:
    def test_page_of_a_seat_is_not_sent_from_that_of_another(self, served: Served) -> None:
        game = served.game()
        red, blue = Listener(served, game, "red"), Listener(served, game, "blue")
        red.renew()
        answer = again(blue.caller, blue.path, red.tag)
        assert answer.status_code == 200
        assert "im" not in answer.headers

    def test_page_of_a_game_is_not_sent_from_that_of_another(self, served: Served) -> None:
        first, second = served.game(), served.game()
        red = Listener(served, first, "red")
        red.renew()
        other = Listener(served, second, "red")
        assert again(other.caller, other.path, red.tag).status_code == 200

    def test_revoked_reader_gets_no_renewal(self, served: Served) -> None:
        game = served.game()
        red = Listener(served, game, "red")
        red.renew()
        stranger = served.program(served.game(), "red")
        assert again(stranger, red.path, red.tag).status_code == 403
        assert again(served.nobody(), red.path, red.tag).status_code == 401


class TestChanges:
    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("", ""),
            ("", "<p>one</p>"),
            ("<p>one</p>", ""),
            ("<p>one</p>", "<p>one</p>"),
            ("<p>one</p><p>two</p>", "<p>two</p><p>one</p>"),
            ("<p>one</p>", "<p>one</p><p>one</p><p>one</p>"),
            ('<p>[0,1] "</p>', '<p>[0,1] "\u2028𝄞</p>'),
            ("no border", "another"),
        ],
    )
    def test_changes_make_the_new_page_of_the_old(self, old: str, new: str) -> None:
        assert patched(old, json.dumps(changes(old, new))) == new

    def test_equal_pages_are_one_run(self) -> None:
        text = "<ol>" + "<li>one</li>" * 50 + "<li>two</li></ol>"
        assert changes(text, text) == [[0, text.count("<") + 1]]

    def test_oldest_pages_are_forgotten_first(self) -> None:
        sent = SentPages(most=500)
        tags = [sent.shortened({"a-im": "pieces"}, "g", "red", whole(nth)).headers["ETag"] for nth in range(20)]
        for tag, status in ((tags[0], 200), (tags[-1], 226)):
            asked = {"a-im": "pieces", "if-none-match": tag}
            assert sent.shortened(asked, "g", "red", whole(20)).status_code == status


def whole(nth: int) -> Response[str]:
    """Return one of several pages, each with its own bytes."""
    return Response(f"<p>{nth}</p>" + secrets.token_hex(20), status_code=200)


def without_keys(text: str) -> str:
    """Return a page without the order ids and ages, which differ in every answer."""
    return re.sub(r'name="key" value="[^"]*"|<time[^>]*>[^<]*', "", text)
