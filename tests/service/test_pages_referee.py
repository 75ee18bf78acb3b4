"""Test the referee's page over HTTP: each form once, tokens shown once, and other seats refused."""

import httpx
import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.cli.terminal import SCENARIO
from tests.face.service import ACTS, ALL_PANELS, Fields, target_of
from tests.service.page_reading import PageRead, page_at
from tests.service.served import Caller, Served

NASTY = '<img src=x onerror=alert(1)>"><script>alert(2)</script>'


@pytest.fixture
def game(served: Served) -> str:
    """Open a game in which Red moved twice and Blue contests the second move: d1 about #5."""
    game = served.game()
    with served.desk() as desk:
        red, blue = desk.game(game).seat("red"), desk.game(game).seat("blue")
        red.typed("move r1 0201")
        second = red.typed("move r1 0301")
        blue.dispute([second.position], "too far", rule="5.2")
    return game


@pytest.fixture
def browser(served: Served, game: str) -> Caller:
    return served.browser(game, "referee")


def panel(browser: Caller, game: str, name: str = "desk", **more: object) -> PageRead:
    query = "".join(f"&{key}={value}" for key, value in more.items())
    return page_at(browser, f"/referee/{game}?as=referee&show={name}{query}")


def orders(served: Served, game: str) -> list[str]:
    with served.desk() as desk:
        return [one.text for one in desk.game(game).referee.orders()]


class TestAccess:
    def test_referee_link_redirects_to_the_referee_s_page(self, served: Served, game: str) -> None:
        somebody = served.nobody()
        somebody.http.headers["Origin"] = served.address
        answer = somebody.http.post("/in", data={"token": served.token(game, "referee", "link")})
        assert answer.headers["location"] == f"/referee/{game}?as=referee"

    @pytest.mark.parametrize("seat", ["red", "spectator"])
    def test_other_seats_are_led_to_their_own_page(self, served: Served, game: str, seat: str) -> None:
        answer = served.browser(game, seat).get(f"/referee/{game}?as={seat}")
        assert answer.status_code == 303
        assert f"as={seat}" in answer.headers["location"]
        assert not answer.headers["location"].startswith("/referee")

    @pytest.mark.parametrize("seat", ["red", "spectator"])
    @pytest.mark.parametrize("act", ACTS)
    def test_referee_forms_refuse_other_seats(self, served: Served, game: str, seat: str, act: str) -> None:
        before = orders(served, game)
        said = {"typed": "note hm", "why": "hm", "form": "link", "seat": "blue", "to": "3", "id": "mine", "who": "blue"}
        answer = served.browser(game, seat).http.post(f"/referee/{game}/{act}?as={seat}", data=said)
        assert answer.status_code == 403
        assert f"your seat is {seat}" in answer.text
        assert "Rule seats" in PageRead(served.nobody(), answer).words
        assert orders(served, game) == before
        with served.desk() as desk:
            assert "mine" not in [one.game for one in desk.games()]

    def test_every_panel_is_there_without_a_script(self, browser: Caller, game: str) -> None:
        for name in at_least_one(ALL_PANELS):
            page = panel(browser, game, name)
            assert page.status == 200
            assert page.part("panel"), name
            assert page.part("trail")


class TestTheDesk:
    def test_order_is_entered_for_its_side(self, served: Served, browser: Caller, game: str) -> None:
        page = panel(browser, game).send("enter", typed="move b1 0202", who="blue")
        assert page.status == 200
        assert "b1" in page.part("news")
        with served.desk() as desk:
            last = desk.game(game).referee.orders(last=1)[0]
        assert (last.seat, last.entered_by) == ("blue", "referee")

    def test_seats_are_offered_by_their_names(self, browser: Caller, game: str) -> None:
        assert "referee Red Blue" in panel(browser, game).part("panel")

    def test_order_entered_late_keeps_time_and_witness(self, served: Served, browser: Caller, game: str) -> None:
        typed = {"typed": "move b1 0202", "who": "blue", "happened_at": "2026-01-03T19:30", "witness": "Anna"}
        assert panel(browser, game).send("enter", **typed).status == 200
        with served.desk() as desk:
            last = desk.game(game).referee.orders(last=1)[0]
        assert (last.happened_at, last.witness) == ("2026-01-03T19:30:00+00:00", "Anna")

    def test_refused_entry_keeps_every_field(self, browser: Caller, game: str) -> None:
        page = panel(browser, game).send("enter", typed="mvoe b1 0202", witness="Anna", happened_at="2026-01-03T19:30")
        assert page.status == 422
        assert "try move" in page.part("panel")
        assert page.form("enter").value("witness") == "Anna"
        assert page.form("enter").value("happened_at") == "2026-01-03T19:30"

    def test_form_sent_twice_counts_once(self, served: Served, browser: Caller, game: str) -> None:
        page = panel(browser, game)
        form = page.form("note")
        said = [*((name, value) for name, value in form.fields if name != "text"), ("text", "once")]
        page.sent(form.action, said)
        assert "counts once" in page.sent(form.action, said).part("news")
        assert len([one for one in orders(served, game) if one.endswith("once")]) == 1

    def test_seal_shows_the_checkpoint_once(self, browser: Caller, game: str) -> None:
        page = panel(browser, game).send("seal")
        assert f"umpire/{game}" in page.part("once")
        assert "sealed" not in panel(browser, game).part("once")


class TestIdleSide:
    def test_idle_side_is_excused_with_reason(self, served: Served) -> None:
        with served.desk() as desk:
            text = desk_scenario("war-galley")
            desk.new_from_text("war-galley", text, id="excused", dice="table")
            game = desk.game("excused")
            step = game.referee.status.steps[0]
        browser = served.browser("excused", "referee")
        page = panel(browser, "excused").send("excuse", side=step.waits[0], step=step.step, why="asleep")
        assert page.status == 200, page.words
        assert "excused" in page.part("news")
        assert "asleep" in panel(browser, "excused", "acts").part("panel")


def desk_scenario(title: str) -> str:
    from umpire_ledger.testing.fixtures import FIXTURES  # noqa: PLC0415 -- one story needs it

    return next((FIXTURES / title / "scenarios").glob("*.toml")).read_text(encoding="utf-8")


class TestRewind:
    def test_rewind_is_previewed_before_it_is_recorded(self, served: Served, browser: Caller, game: str) -> None:
        before = orders(served, game)
        page = panel(browser, game, "rewind", to=4)
        assert "Preview" in page.part("panel")
        assert "0301" in page.part("panel")
        assert orders(served, game) == before
        page = page.send("rewind", why="too far")
        assert "too far" in page.part("news")
        with served.desk() as desk:
            assert desk.game(game).referee.known().units["r1"].at == "0201"

    def test_rewind_names_the_dice_policy(self, browser: Caller, game: str) -> None:
        page = panel(browser, game, "rewind", to="4").send("rewind", why="x", dice="keep")
        assert "dice: keep" in page.part("news")
        page = panel(browser, game, "rewind", to="4").send("rewind", why="x", dice="always")
        assert "no dice policy always" in page.part("panel")

    def test_ruling_with_a_rewind_names_the_dice_policy(self, browser: Caller, game: str) -> None:
        said = {"ruling": "no", "why": "x", "grounds": "house rule", "orders": "rewind 4"}
        page = panel(browser, game, "rulings").send("rule", **said, dice="keep-unless-new")
        assert "dice: keep-unless-new" in page.part("news")

    def test_redo_takes_the_line_up_again(self, served: Served, browser: Caller, game: str) -> None:
        panel(browser, game, "rewind", to=4).send("rewind", why="too far")
        page = panel(browser, game, "rewind", back="redo").send("redo")
        assert page.status == 200
        with served.desk() as desk:
            assert desk.game(game).referee.known().units["r1"].at == "0301"

    def test_undo_says_first_what_it_takes_back(self, browser: Caller, game: str) -> None:
        page = panel(browser, game, "rewind", back="undo", orders=1)
        assert "Preview" in page.part("panel")
        assert page.send("undo", why="a slip").status == 200

    @pytest.mark.parametrize(("to", "target"), [("4", 4), ("#4", 4), (" 4 ", 4), ("turn 1", "turn 1"), ("x4", "x4")])
    def test_rewind_target_is_a_position_or_words(self, to: str, target: int | str) -> None:
        assert target_of(Fields([("to", to)])) == target

    @pytest.mark.parametrize("fields", [[], [("to", "")], [("to", " ")], [("why", "4")]])
    def test_rewind_without_target_is_refused_at_the_field(self, fields: list[tuple[str, str]]) -> None:
        with pytest.raises(umpire.WrongUse) as refusal:
            target_of(Fields(fields))
        assert (refusal.value.rule, refusal.value.where) == ("rewind", "To")

    def test_rewind_to_unknown_target_is_refused_at_the_field(self, browser: Caller, game: str) -> None:
        page = panel(browser, game, "rewind", to="nowhere")
        assert page.status == 200
        assert "Do" in page.part("panel")


class TestAmend:
    def test_amendment_is_tried_without_recording(self, served: Served, browser: Caller, game: str) -> None:
        before = orders(served, game)
        page = panel(browser, game, "amend", at=4)
        assert page.form("amend").value("given").startswith("move r1")
        page = page.send("amend", given="move r1 0211", why="misread", check="yes")
        assert "Dry run" in page.part("once")
        assert "nothing was recorded" in page.part("news")
        assert orders(served, game) == before

    def test_amendment_is_recorded_and_shown(self, served: Served, browser: Caller, game: str) -> None:
        page = panel(browser, game, "amend", at=4).send("amend", given="move r1 0211", why="misread")
        assert page.status == 200, page.words
        with served.desk() as desk:
            assert desk.game(game).referee.unit("r1").now is not None
        assert "0211" in page.part("news") + page.part("trail")

    @pytest.mark.parametrize(("how", "stands"), [("skip", False), ("abort", True)])
    def test_amendment_that_stopped_is_continued(
        self, served: Served, browser: Caller, game: str, how: str, stands: bool
    ) -> None:
        with served.desk() as desk:
            red = desk.game(game).seat("red")
            placed = red.typed("place r9 red foot 0101").position
            red.typed("move r9 0102")
        page = panel(browser, game, "amend", at=placed).send("amend", how="drop", why="it was lost before")
        assert "The amendment stopped" in page.part("news")
        page = panel(browser, game, "amend")
        assert "An amendment waits" in page.part("panel")
        assert page.send("amending", how=how, why="hm", check="yes").part("once")
        page = panel(browser, game, "amend").send("amending", how=how, why="hm")
        assert "An amendment waits" not in page.part("panel")
        with served.desk() as desk:
            assert ("r9" in desk.game(game).referee.known().units) == stands

    def test_amendment_without_valid_way_or_position_is_refused(self, browser: Caller, game: str) -> None:
        page = panel(browser, game, "amend", at=4)
        assert page.send("amend", how="burn", why="hm").status == 404
        assert "order to amend" in page.send("amend", at="", why="hm").part("panel")


class TestDisputes:
    def test_dispute_shows_dependents_and_earlier_rulings(self, served: Served, browser: Caller, game: str) -> None:
        with served.desk() as desk:
            desk.game(game).referee.rule("one hex", why="printed", grounds="printed rule", rule="5.2")
        page = panel(browser, game, "disputes", dispute="d1")
        assert "too far" in page.part("panel")
        assert "one hex" in page.part("panel")

    def test_ruling_settles_dispute_and_applies_its_remedy(self, served: Served, browser: Caller, game: str) -> None:
        page = panel(browser, game, "disputes", dispute="d1").send(
            "rule", ruling="too far", why="see 5.2", grounds="printed rule", orders="change r1 strength 3\n"
        )
        assert page.status == 200, page.words
        with served.desk() as desk:
            known = desk.game(game).referee
            assert known.known().units["r1"].attributes["strength"] == 3
            assert known.disputes("open") == []
        assert "see 5.2" in panel(browser, game, "acts").part("panel")

    def test_dispute_is_settled_without_ruling(self, browser: Caller, game: str) -> None:
        page = panel(browser, game, "disputes", dispute="d1").send("settle", ruling="play on", why="agreed")
        assert "play on" in page.part("news") + page.part("panel")
        page = panel(browser, game, "disputes", about=4).send("dispute", claim="this one too")
        assert "this one too" in page.part("panel")
        assert panel(browser, game, "disputes").send("dispute", records="six", claim="hm").status == 400

    def test_link_to_a_record_shows_the_map_at_that_record(self, browser: Caller, game: str) -> None:
        links = [given.get("href", "") for tag, given in panel(browser, game, "disputes").tags if tag == "a"]
        asked = [httpx.URL(one).params for one in links if "about=" in one]
        assert all(int(one["map"]) >= int(one["about"]) for one in at_least_one(asked))
        assert ("5", "5") in [(one["about"], one["map"]) for one in asked]


class TestInvitations:
    def test_link_is_shown_once_and_works_once(self, served: Served, browser: Caller, game: str) -> None:
        page = panel(browser, game, "invitations").send("invite", seat="blue", form="link", who="Bea", lasts="2d")
        token = next(attributes["value"] for _, attributes in page.tags if attributes.get("id") == "token")
        assert token.startswith(f"{served.address}/in#")
        again = panel(browser, game, "invitations")
        assert "Bea" in again.part("panel")
        assert token not in again.answer.text
        somebody = Caller(served.address, Origin=served.address)
        assert somebody.post("/session", {"token": token.partition("#")[2]}).status_code == 200

    @pytest.mark.parametrize("seat", ["blue", "spectator"])
    def test_program_token_ends_when_revoked(self, served: Served, browser: Caller, game: str, seat: str) -> None:
        page = panel(browser, game, "invitations").send("invite", seat=seat, form="program", lasts="36h")
        token = next(attributes["value"] for _, attributes in page.tags if attributes.get("id") == "token")
        program = Caller(served.address, token)
        assert program.get(f"/games/{game}/status").status_code == 200
        with served.desk() as desk:
            made = desk.invitations.listed(game)[-1].id
        page = panel(browser, game, "invitations").send("revoke", {"invitation": made})
        assert "is revoked" in page.part("news")
        assert program.get(f"/games/{game}/status").status_code == 401

    def test_invitation_of_invalid_duration_is_refused(self, browser: Caller, game: str) -> None:
        page = panel(browser, game, "invitations").send("invite", seat="blue", form="link", lasts="soon", who="Bea")
        assert page.status == 400
        assert page.form("invite").value("who") == "Bea"


class TestSecrets:
    CLOSED = SCENARIO.replace("[[units]]", "[options]\nsecrets_closed_to_referee = true\n\n[[units]]", 1)

    def test_peek_at_closed_secrets_is_recorded(self, served: Served) -> None:
        game = served.game(self.CLOSED)
        with served.desk() as desk:
            desk.game(game).seat("red").order("seal-choice", question="plan", choice="left flank")
        browser = served.browser(game, "referee")
        page = panel(browser, game, "views", who="red")
        assert "hidden from the referee" in page.words
        assert "left flank" not in page.answer.text
        page = page.send("peek", who="red", why="a doubt")
        assert "left flank" in page.part("once")
        assert "left flank" not in panel(browser, game, "views", who="red").answer.text
        assert [one for one in orders(served, game) if "a doubt" in one]

    def test_open_secrets_appear_in_the_seat_s_view(self, served: Served, browser: Caller, game: str) -> None:
        with served.desk() as desk:
            desk.game(game).seat("red").order("seal-choice", question="plan", choice="left flank")
        page = panel(browser, game, "views", who="red")
        assert "left flank" in page.part("map")
        assert "left flank" not in panel(browser, game, "views", who="blue").part("map")


class TestWholeGame:
    def test_fork_invites_its_referee(self, served: Served, browser: Caller, game: str) -> None:
        page = panel(browser, game, "game").send("fork", id=f"{game}-what-if", at="4")
        token = next(attributes["value"] for _, attributes in page.tags if attributes.get("id") == "token")
        somebody = Caller(served.address, Origin=served.address)
        assert somebody.post("/session", {"token": token.partition("#")[2]}).status_code == 200
        assert page_at(somebody, f"/referee/{game}-what-if").status == 200

    def test_fork_under_taken_id_is_refused(self, browser: Caller, game: str) -> None:
        page = panel(browser, game, "game").send("fork", id=game)
        assert page.status >= 400
        assert page.form("fork").value("id") == game

    def test_secrets_are_revealed_after_the_end(self, served: Served, browser: Caller, game: str) -> None:
        with served.desk() as desk:
            desk.game(game).seat("red").note("we wade at night", to=["referee"])
            assert "Reveal all secrets" not in panel(browser, game, "game").part("panel")
            desk.game(game).referee.order("end", reason="dawn")
        page = panel(browser, game, "game").send("open-secrets")
        assert "reveals every secret" in page.part("news")
        with served.desk() as desk:
            assert any("we wade at night" in one.text for one in desk.game(game).seat("blue").orders())

    def test_game_is_archived_and_unarchived(self, served: Served, browser: Caller, game: str) -> None:
        page = panel(browser, game, "game").send("archive")
        assert "no longer shows the game" in page.part("news")
        assert str(served.folder) not in page.answer.text
        assert "shows the game again" in page.send("unarchive").part("news")

    def test_game_is_renamed_and_seat_given(self, served: Served, browser: Caller, game: str) -> None:
        assert "Friday" in panel(browser, game, "game").send("rename", name="Friday night").part("news")
        page = panel(browser, game, "game").send("give-seat", taker="anna", side="red", name="Anna")
        assert page.status == 200
        with served.desk() as desk:
            assert "anna" in desk.game(game).seats


class TestUserText:
    def test_user_text_is_escaped_on_every_panel(self, served: Served) -> None:
        text = SCENARIO.replace("Skirmish at the ford", NASTY.replace('"', '\\"')).replace(
            'name = "Red"', f"name = '{NASTY}'"
        )
        game = served.game(text)
        with served.desk() as desk:
            played = desk.game(game)
            red, referee = played.seat("red"), played.referee
            last = red.order("pay", account=NASTY, amount=3, cause=NASTY).position
            red.order("mark", marker=NASTY, to=NASTY)
            red.order("seal-choice", question=NASTY, choice=NASTY)
            red.note(NASTY)
            red.dispute([last], NASTY, rule=NASTY, dispute=NASTY[:40])
            referee.rule(NASTY, why=NASTY, grounds="house rule", rule=NASTY, remedy=NASTY)
            referee.order("change", unit="r1", attribute=NASTY, to=NASTY, cause=NASTY)
            desk.invitations.invite(game, "red", who=NASTY)
            played.rename(NASTY)
        browser = served.browser(game, "referee")
        for name in at_least_one(ALL_PANELS):
            for more in ({}, {"to": "4", "at": str(last), "dispute": "%3Cimg", "about": str(last), "who": "red"}):
                page = panel(browser, game, name, **more)
                assert page.status == 200
                assert "<img" not in page.answer.text
                assert not [tag for tag, attributes in page.tags if tag == "script" and "src" not in attributes]
                assert "alert(2)" in page.words
