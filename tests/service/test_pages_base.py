"""Test the pages over HTTP: links, the lobby, forms and their redirects, refusals, and security headers."""

import re
import sqlite3
from contextlib import closing

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.at_least_one import at_least_one
from tests.face.projections import views_path
from tests.service.page_reading import page_at
from tests.service.served import Served
from tests.service.test_pages_table import harbour


class TestLogin:
    def test_link_redirects_to_the_seat_s_page(self, served: Served) -> None:
        game = served.game()
        somebody = served.nobody()
        somebody.http.headers["Origin"] = served.address
        answer = somebody.http.post("/in", data={"token": served.token(game, "red", "link")})
        assert (answer.status_code, answer.headers["location"]) == (303, f"/table/{game}?as=red")
        page = page_at(somebody, answer.headers["location"])
        assert page.status == 200
        assert "Red" in page.words

    def test_page_without_session_explains_the_login(self, served: Served) -> None:
        page = page_at(served.nobody(), "/")
        assert page.status == 401
        assert "the request has no token or session" in page.words
        assert ("a", {"href": "/in"}) in page.tags

    def test_unknown_page_is_answered_in_html(self, served: Served) -> None:
        answer = served.browser(served.game(), "red").get("/no-such-page", headers={"Accept": "text/html,*/*"})
        assert answer.status_code == 404
        assert answer.headers["content-type"] == "text/html; charset=utf-8"


class TestLobby:
    def test_lobby_lists_only_games_with_own_seat(self, served: Served) -> None:
        mine, other = served.game(), served.game()
        page = page_at(served.browser(mine, "red"), "/")
        assert mine in page.words
        assert other not in page.words

    def test_lobby_marks_new_records_until_they_are_seen(self, served: Served) -> None:
        game = served.game()
        browser = served.browser(game, "red")
        assert "Red · new" in page_at(browser, "/").words
        page = page_at(browser, f"/table/{game}?as=red").send("looked")
        assert "Marked as read" in page.part("news")
        assert "Red · new" not in page_at(browser, "/").words

    def test_mark_that_cannot_be_stored_is_not_called_stored(self, served: Served) -> None:
        game = served.game()
        page = page_at(served.browser(game, "red"), f"/table/{game}?as=red")
        with closing(sqlite3.connect(views_path(served.ledger))) as other:
            other.execute("BEGIN IMMEDIATE")
            page = page.send("looked")
        assert "was not stored" in page.part("news")
        assert "was not stored" not in page.send("looked").part("news")

    def test_lobby_names_sides_and_roles(self, served: Served) -> None:
        game = harbour(served, 0)
        page = page_at(served.browser(game, "athens", "referee"), "/")
        assert "Waiting for Athens, Syracuse" in page.words
        assert "Athens · your turn" in page.words
        assert "Referee" in page.words
        assert "athens" not in page.words


class TestForms:
    def test_form_redirects_and_shows_its_result_once(self, served: Served) -> None:
        game = served.game()
        browser = served.browser(game, "red")
        page = page_at(browser, f"/table/{game}?as=red").send("note", text="wind from the west")
        assert page.status == 200
        assert "wind from the west" in page.part("news")
        assert "wind from the west" not in page_at(browser, f"/table/{game}?as=red").part("news")

    def test_form_sent_twice_counts_once(self, served: Served) -> None:
        game = served.game()
        page = page_at(served.browser(game, "red"), f"/table/{game}?as=red")
        form = page.form("note")
        said = [*((name, value) for name, value in form.fields if name != "text"), ("text", "once")]
        first, second = page.sent(form.action, said), page.sent(form.action, said)
        assert "counts once" not in first.part("news")
        assert "counts once" in second.part("news")
        with served.desk() as desk:
            assert [one.seat for one in desk.game(game).referee.orders(text="once")] == ["red"]

    def test_refusal_appears_at_its_form_with_typed_words(self, served: Served) -> None:
        game = served.game()
        page = page_at(served.browser(game, "red"), f"/table/{game}?as=red").send("typed", typed="mvoe r1 ford")
        assert page.status == 422
        assert "try move" in page.part("order")
        assert page.form("typed").value("typed") == "mvoe r1 ford"
        assert "try move" not in page.part("acts")

    def test_json_body_to_form_route_is_refused(self, served: Served) -> None:
        game = served.game()
        answer = served.browser(game, "red").post(f"/table/{game}/note?as=red", {"text": "hm"})
        assert answer.status_code == 415


class TestPagePolicy:
    def test_page_has_only_scripts_and_styles_of_the_service(self, served: Served) -> None:
        game = served.game()
        page = page_at(served.browser(game, "red"), f"/table/{game}?as=red")
        assert "script-src 'self'; style-src 'self'" in page.answer.headers["content-security-policy"]
        for tag, attributes in at_least_one(page.tags):
            assert tag != "style"
            assert "style" not in attributes
            assert not [name for name in attributes if name.startswith("on")]
            assert tag != "script" or attributes["src"].startswith("/pages/")

    def test_static_files_are_kept_by_the_hash_of_their_content(self, served: Served) -> None:
        game = served.game()
        page = page_at(served.browser(game, "red"), f"/table/{game}?as=red")
        for address in at_least_one(set(re.findall(r'"(/pages/[^"]+)"', page.answer.text))):
            answer = served.nobody().get(address)
            assert answer.status_code == 200
            assert "immutable" in answer.headers["cache-control"]
            other = served.nobody().get(re.sub(r"v=.*", "v=0", address))
            assert other.headers["cache-control"] == "public, no-cache"

    def test_page_is_not_cached_by_the_browser(self, served: Served) -> None:
        game = served.game()
        page = page_at(served.browser(game, "red"), f"/table/{game}?as=red")
        assert "no-store" in page.answer.headers["cache-control"]


def test_pages_share_the_colors_of_the_replay_page(served: Served) -> None:
    """Define the colors in one file only."""
    from tests.cli.terminal import ROOT  # noqa: PLC0415 -- as the others

    shown = served.nobody().get("/pages/palette.css").text
    sheets = [ROOT / "projections/pictures/page" / name for name in ("palette.css", "ground.css")]
    assert shown == "".join(sheet.read_text(encoding="utf-8") for sheet in sheets)
    assert len(re.findall(r"--[a-z-]+: #[0-9a-f]{3,6}", shown)) > 20
    for sheet in ("service/pages/static/pages.css", "projections/pictures/page/page.css"):
        assert not re.findall(r"--[a-z-]+: #", (ROOT / sheet).read_text(encoding="utf-8"))
