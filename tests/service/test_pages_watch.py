"""The spectator's page and the replay page over HTTP: they only look, withhold what is secret, and keep a delay."""

import base64
import hashlib
import re
from pathlib import Path

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.at_least_one import at_least_one
from tests.cli.terminal import SCENARIO
from tests.face.desk import ShippedScenario, shipped_scenarios
from tests.face.ledger import NAME
from tests.service.page_reading import PageRead, page_at
from tests.service.served import Caller, Served
from tests.service.test_acts_and_looks import ok

NASTY = '<img src=x onerror=alert(1)>"><script>alert(2)</script>'
LATE = {"spectator_delay": "30m"}


class TestWatching:
    def test_spectator_link_redirects_to_the_watch_page(self, served: Served) -> None:
        game = served.game()
        somebody = served.nobody()
        somebody.http.headers["Origin"] = served.address
        answer = somebody.http.post("/in", data={"token": served.token(game, "spectator", "link")})
        assert answer.headers["location"] == f"/watch/{game}?as=spectator"
        page = page_at(somebody, answer.headers["location"])
        assert page.status == 200
        assert "Red" in page.words

    def test_player_is_redirected_to_the_seat_s_page(self, served: Served) -> None:
        game = served.game()
        for seat, page in (("red", "table"), ("referee", "referee")):
            answer = served.browser(game, seat).get(f"/watch/{game}?as={seat}")
            assert answer.headers["location"] == f"/{page}/{game}?as={seat}"

    def test_watch_page_has_no_form_that_writes(self, served: Served) -> None:
        game = served.game()
        browser = served.browser(game, "spectator")
        page = page_at(browser, f"/watch/{game}?as=spectator")
        assert [one for one in page.forms if one.method == "post"] == []
        assert browser.http.post(f"/watch/{game}?as=spectator", data={"text": "hm"}).status_code == 405
        assert browser.http.post(f"/table/{game}/note?as=spectator", data={"text": "hm"}).status_code == 422

    def test_watch_page_shows_any_position_order_by_order(self, served: Served) -> None:
        game = served.game()
        with served.desk() as desk:
            red = desk.game(game).seat("red")
            first = red.typed("move r1 0201").position
            red.typed("move r1 0301")
        browser = served.browser(game, "spectator")
        page = page_at(browser, f"/watch/{game}?as=spectator")
        assert "0301" in page.part("trail")
        link = next(one["href"] for tag, one in page.tags if tag == "a" and one.get("rel") == "prev")
        page = page_at(browser, link)
        assert f"#{first}" in page.part("when")
        link = next(one["href"] for tag, one in page.tags if tag == "a" and one.get("rel") == "next")
        assert page_at(browser, link).status == 200

    @pytest.mark.parametrize("at", ["999999", "soon", "-4", "1e9"])
    def test_unknown_position_is_named(self, served: Served, at: str) -> None:
        game = served.game()
        page = page_at(served.browser(game, "spectator"), f"/watch/{game}?as=spectator&at={at}")
        assert page.status == 200
        assert "position" in page.part("when")

    def test_sealed_choice_is_withheld_with_a_note(self, served: Served) -> None:
        game = served.game()
        with served.desk() as desk:
            desk.game(game).seat("red").order("seal-choice", question="plan", choice="left flank")
        page = page_at(served.browser(game, "spectator"), f"/watch/{game}?as=spectator")
        assert "left flank" not in page.answer.text
        assert "hidden until" in page.part("late")

    def test_user_text_is_escaped(self, served: Served) -> None:
        game = served.game(SCENARIO.replace('name = "Red"', f"name = '{NASTY}'"))
        with served.desk() as desk:
            red = desk.game(game).seat("red")
            last = red.order("pay", account=NASTY, amount=3, cause=NASTY).position
            red.order("mark", marker=NASTY, to=NASTY)
            red.note(NASTY)
        browser = served.browser(game, "spectator")
        for more in ("", f"&about={last}", f"&at={last}", "&at=%3Cscript%3E", "&text=%3Cscript%3E"):
            page = page_at(browser, f"/watch/{game}?as=spectator{more}")
            assert "<img" not in page.answer.text
            assert not [tag for tag, attributes in page.tags if tag == "script" and "src" not in attributes]
        assert "alert(2)" in page.words


class TestSpectatorDelay:
    @pytest.fixture
    def game(self, served: Served) -> str:
        """Red has moved a moment ago; spectators see it half an hour late."""
        game = served.game(options=LATE)
        with served.desk() as desk:
            desk.game(game).seat("red").typed("move r1 0201")
            desk.game(game).seat("red").note("marching")
        return game

    def test_delay_is_applied_and_named_by_the_page(self, served: Served, game: str) -> None:
        page = page_at(served.browser(game, "spectator"), f"/watch/{game}?as=spectator")
        assert "Delayed by 30 minutes" in page.part("late")
        assert "marching" not in page.answer.text
        assert "0201" not in page.part("trail")

    @pytest.mark.parametrize(
        "look",
        [
            *("status", "units", "state", "audit", "orders", "undo-points", "lines", "openings", "suggestions"),
            *("map.svg", "page.html", "export", "checkpoint", "scenario", "units/r1", "dice", "since", "times"),
            *("disputes", "rulings", "referee", "refusals", "conformance", "sitrep", "knew/spectator?at=1"),
        ],
    )
    def test_delay_is_applied_by_every_view(self, served: Served, game: str, look: str) -> None:
        with served.desk() as desk:
            size, seen = desk.game(game).size, desk.game(game).spectator.game.size
        assert seen < size
        answer = served.program(game, "spectator").get(f"/games/{game}/{look}")
        assert answer.status_code == 200, answer.text
        assert "marching" not in answer.text
        assert "0201" not in answer.text
        if tag := answer.headers.get("etag", ""):
            assert not tag.startswith(f'"{size}-')

    def test_positions_within_the_delay_are_unknown(self, served: Served, game: str) -> None:
        spectator = served.program(game, "spectator")
        with served.desk() as desk:
            size, seen = desk.game(game).size, desk.game(game).spectator.game.size
        for path in (
            f"status?at={size}",
            f"why/{size}",
            f"map.svg?at={size}",
            f"stream?after={size}",
            "diff?before=1&after=5",
        ):
            answer = spectator.get(f"/games/{game}/{path}")
            assert answer.status_code == 404, path
            assert f"#{seen}" in answer.json()["where"]
            assert "marching" not in answer.text
        answer = spectator.post(f"/games/{game}/notes", {"text": "hm"})
        assert answer.status_code == 422

    def test_delay_is_applied_by_the_lists_of_games(self, served: Served, game: str) -> None:
        with served.desk() as desk:
            size, seen = desk.game(game).size, desk.game(game).spectator.game.size
        assert [one["records"] for one in served.program(game, "spectator").get("/games").json()] == [seen]
        assert [one["records"] for one in served.program(game, "red").get("/games").json()] == [size]
        assert page_at(served.browser(game, "spectator"), "/").status == 200

    def test_delay_does_not_apply_to_players(self, served: Served, game: str) -> None:
        for seat in ("red", "blue", "referee"):
            assert "marching" in served.program(game, seat).get(f"/games/{game}/orders").text

    def test_delay_is_applied_by_the_stream(self, served: Served, game: str) -> None:
        with served.program(game, "spectator").http.stream("GET", f"/games/{game}/stream?after=0") as answer:
            lines = answer.iter_lines()
            told = [next(lines) for _ in range(14)]
        assert any(line.startswith("event: record") for line in told)
        assert not [line for line in told if "marching" in line]


class TestReplay:
    @pytest.mark.parametrize("seat", ["referee", "red", "spectator"])
    def test_replay_page_is_that_of_its_seat(self, served: Served, seat: str) -> None:
        game = served.game()
        with served.desk() as desk:
            desk.game(game).seat("blue").order("seal-choice", question="plan", choice="left-flank-or-so")
        answer = served.browser(game, seat).get(f"/replay/{game}?as={seat}")
        assert answer.status_code == 200
        assert NAME in answer.text or "umpire" in answer.text

    @pytest.mark.parametrize(("seat", "page"), [("referee", "referee"), ("red", "table"), ("spectator", "watch")])
    def test_replay_page_and_seat_s_page_link_to_each_other(self, served: Served, seat: str, page: str) -> None:
        game = served.game()
        browser, there = served.browser(game, seat), f"/{page}/{game}?as={seat}"
        replay = next(
            tag["href"]
            for name, tag in page_at(browser, there).tags
            if name == "a" and tag.get("href", "").startswith("/replay")
        )
        link = ("a", {"href": there})
        assert link in PageRead(browser, browser.http.get(replay, follow_redirects=True)).tags

    def test_replay_script_is_named_by_its_hash(self, served: Served) -> None:
        game = served.game()
        answer = served.browser(game, "red").get(f"/replay/{game}?as=red")
        policy = answer.headers["content-security-policy"]
        run = [text for kind, text in SCRIPTS.findall(answer.text) if "json" not in kind and "text/" not in kind]
        assert run
        for text in at_least_one(run):
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            assert f"'sha256-{digest}'" in policy
        script = next(part for part in policy.split("; ") if part.startswith("script-src"))
        assert "unsafe" not in script
        assert "sandbox allow-scripts" in policy
        assert "allow-same-origin" not in policy

    def test_replay_position_redirects_to_its_anchor(self, served: Served) -> None:
        game = served.game()
        answer = served.browser(game, "red").get(f"/replay/{game}?as=red&at=2")
        assert (answer.status_code, answer.headers["location"]) == (303, f"/replay/{game}?as=red#2")

    @pytest.mark.parametrize(("at", "status"), [("99999", 404), ("soon", 400), ("-1", 400)])
    def test_replay_of_unknown_position_is_refused(self, served: Served, at: str, status: int) -> None:
        game = served.game()
        assert served.browser(game, "red").get(f"/replay/{game}?as=red&at={at}").status_code == status


SCRIPTS = re.compile(r"<script([^>]*)>(.*?)</script>", re.DOTALL)


class TestNewGame:
    @pytest.fixture
    def keeper(self, served: Served) -> Caller:
        return served.browser("", "referee")

    def test_operator_opens_a_game(self, served: Served, keeper: Caller) -> None:
        assert ("a", {"class": "button", "href": "/new"}) in page_at(keeper, "/").tags
        page = page_at(keeper, "/new?title=freeform")
        assert "freeform" in page.form("new").value("title")
        id = f"opened-{served.game()}"
        said = {"id": id, "dice": "table", "delay": "2 turns", "options": "weather = true\nwind = 3"}
        page = page.send("new", scenario=SCENARIO, **said)
        assert page.status == 200
        assert id in str(page.answer.url)
        with served.desk() as desk:
            options = desk.game(id).referee.known().options
        assert options == {"spectator_delay": "2 turns", "weather": True, "wind": 3}

    def test_shipped_scenario_opens_with_its_options_and_invitations(self, served: Served, keeper: Caller) -> None:
        page = page_at(keeper, "/new?from=war-galley/off-naupactus")
        id = f"naupactus-{served.game()}"
        said = {"id": id, "name": 'The "Tuesday" table', "invite.athens": "yes", "who.athens": "Anna"}
        page = page.send("new", **said, **{"invite.corinth": "", "option.withdrawal": ""})
        assert page.status == 200
        with served.desk() as desk:
            game = desk.game(id)
            assert game.referee.known().options["withdrawal"] is False
            assert game.display_name == 'The "Tuesday" table'
            assert [(one.seat, one.who) for one in desk.invitations.listed(id)] == [("athens", "Anna")]

    def test_form_names_the_dice_that_the_scenario_sets(self, keeper: Caller) -> None:
        page = page_at(keeper, "/new?from=war-galley/off-naupactus")
        assert "table: you roll and enter the results (this scenario sets it)" in page.words
        assert "as the scenario below sets" in page_at(keeper, "/new?title=freeform").words

    def test_empty_lobby_of_the_operator_leads_to_a_new_game(self, place: Path) -> None:
        service = Served(place)
        try:
            with service.desk() as desk:
                desk.game("first").archive()
            page = page_at(service.browser("", "referee"), "/")
        finally:
            service.stop()
        assert "You have no games yet. Open a game from a scenario" in page.words
        assert ("a", {"href": "/new"}) in page.tags

    def test_unknown_scenario_is_refused(self, keeper: Caller) -> None:
        assert page_at(keeper, "/new?from=war-galley/salamis").status == 404
        assert keeper.get("/new/pictures/war-galley/salamis.svg").status_code == 404
        sent = keeper.http.post("/new", data={"from": "war-galley/salamis", "id": "s"})
        assert sent.status_code == 404

    @pytest.mark.parametrize("one", shipped_scenarios(), ids=lambda one: one.id)
    def test_every_shipped_scenario_has_a_card_and_a_picture(self, keeper: Caller, one: ShippedScenario) -> None:
        assert one.name in page_at(keeper, "/new").part("shipped")
        drawn = keeper.get(f"/new/pictures/{one.id}.svg")
        assert drawn.headers["content-type"].startswith("image/svg+xml")
        assert "script" not in drawn.headers["content-security-policy"]

    def test_first_look_of_the_operator_writes_nothing(self, served: Served, keeper: Caller) -> None:
        game = served.game()
        before = served.program(game, "red").get(f"/games/{game}/checkpoint").text
        for address in (f"/games/{game}/status", f"/referee/{game}?as=referee", f"/replay/{game}?as=referee"):
            assert keeper.get(address).status_code == 200
        assert served.program(game, "red").get(f"/games/{game}/checkpoint").text == before
        assert page_at(keeper, f"/referee/{game}?as=referee&show=game").status == 200
        ok(keeper.post(f"/games/{game}/orders", {"order": "note", "text": "hello"}))
        texts = [one["text"] for one in keeper.get(f"/games/{game}/audit?last=3").json()]
        assert sum("was let in" in text for text in texts) == 1

    def test_scenario_is_checked_without_opening_a_game(self, served: Served, keeper: Caller) -> None:
        before = keeper.get("/games").json()
        page = page_at(keeper, "/new?title=freeform")
        tried = page.send("new", id="tried", scenario="title = 'freeform'\nsides = 3", check="yes")
        assert "Line 2" in tried.part("open")
        assert "The scenario is valid" in page.send("new", id="tried", scenario=SCENARIO, check="yes").part("open")
        assert [one["game"] for one in keeper.get("/games").json()] == [one["game"] for one in before]

    @pytest.mark.parametrize(
        ("said", "words"),
        [
            ({"id": "a/b"}, "cannot be part of a URL"),
            ({"id": "first"}, "first"),
            ({"id": "x1", "delay": "soon"}, "spectator_delay"),
            ({"id": "x2", "options": "weather"}, "is not a valid option"),
            ({"id": "x3", "scenario": "title = "}, "TOML"),
        ],
    )
    def test_refused_scenario_keeps_what_was_typed(self, keeper: Caller, said: dict[str, str], words: str) -> None:
        page = page_at(keeper, "/new?title=freeform")
        page = page.send("new", **{"scenario": SCENARIO, **said})
        assert page.status >= 400
        assert words in page.part("open")
        form = next(one for one in page.forms if one.method == "post")
        assert form.value("id") == said["id"]

    def test_new_game_page_refuses_everyone_else(self, served: Served) -> None:
        browser = served.browser(served.game(), "referee")
        assert "/new" not in page_at(browser, "/").answer.text
        assert page_at(browser, "/new").status == 403
        assert browser.http.post("/new", data={"id": "mine", "title": "freeform"}).status_code == 403
        assert served.nobody().get("/new").status_code == 401
        picture = "/new/pictures/war-galley/off-naupactus.svg"
        assert (browser.get(picture).status_code, served.nobody().get(picture).status_code) == (403, 401)
