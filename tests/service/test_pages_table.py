"""The seat's page over HTTP, by forms alone: orders, dice, leaving, going back, disputes, seals, what is new."""

import json
from pathlib import Path
from urllib.parse import urlencode

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.at_least_one import at_least_one
from tests.face.service import acting_ACTS as ACTS
from tests.face.testing import FIXTURES
from tests.service.page_reading import PageRead, page_at
from tests.service.served import Served

HARBOUR = FIXTURES / "war-galley/scenarios/great-harbour.toml"
ORDERS = FIXTURES / "war-galley/orders/great-harbour.jsonl"


def harbour(served: Served, orders: int) -> str:
    """Open the Great Harbour after this number of its recorded orders."""
    game = served.game(HARBOUR.read_text(encoding="utf-8"), "war-galley")
    lines = ORDERS.read_text(encoding="utf-8").splitlines()[:orders]
    with served.desk() as desk:
        desk.game(game).play([(at, json.loads(line)) for at, line in enumerate(lines, 1)])
    return game


def seat_page(served: Served, game_id: str, seat: str, query: str = "") -> PageRead:
    return page_at(served.browser(game_id, seat), f"/table/{game_id}?as={seat}{query}")


def opened(page: PageRead) -> list[str]:
    """Return the orders whose forms are open on a page."""
    return [words for one in page.forms for name, words in one.fields if name == "order"]


class TestOrders:
    @pytest.mark.parametrize(
        ("orders", "seat", "form"),
        [
            (17, "syracuse", ["set-levels"]),
            (18, "athens", ["pick"]),
            (18, "syracuse", []),
            (20, "syracuse", ["set-levels"]),  # the pick before it is automatic
            (20, "athens", []),
            (21, "syracuse", ["set-levels"]),
            (24, "syracuse", ["pick"]),
        ],
    )
    def test_first_order_that_is_not_automatic_is_open(
        self, served: Served, orders: int, seat: str, form: list[str]
    ) -> None:
        assert opened(seat_page(served, harbour(served, orders), seat)) == form

    def test_order_is_given_by_its_form(self, served: Served) -> None:
        game = harbour(served, 26)
        page = seat_page(served, game, "syracuse", "&order=move-ship")
        assert "Your turn" in page.part("standing")
        done = page.send("order", **{"f.ship": "syracuse-1", "f.path": "0406,0407,0408,0409"})
        assert "Syracuse moves syracuse-1: 0506 → 0406 → 0407 → 0408 → 0409" in done.part("news")

    def test_form_asks_for_each_table_die(self, served: Served) -> None:
        """Without a script the form is looked at once more, and says which dice it takes."""
        game = harbour(served, 34)
        words = "&order=roll&f.purpose=syracuse-5 rams athens-5&f.dice=2d6"
        page = seat_page(served, game, "syracuse", words)
        assert "2d6 · syracuse-5 rams athens-5" in page.part("order")
        fields = {"f.purpose": "syracuse-5 rams athens-5", "f.dice": "2d6", "pip.1": "6", "pip.2": "4"}
        done = page.send("order", **fields)
        assert "6 4 = 10" in done.part("news")

    def test_each_die_of_a_form_has_its_own_number_and_keeps_its_face(self, served: Served) -> None:
        game = harbour(served, 34)
        page = seat_page(served, game, "syracuse", "&order=roll&f.purpose=ram&f.dice=2d6&pip.2=4")
        faces = [given["name"] for _, given in page.tags if given.get("name", "").startswith("pip.")]
        assert faces == ["pip.1"] * 6 + ["pip.2"] * 6
        fields = dict(page.form("order").fields)
        assert (fields.get("pip.1"), fields.get("pip.2")) == (None, "4")

    def test_form_has_the_fields_of_an_order_and_those_beside_it(self, served: Served) -> None:
        page = seat_page(served, harbour(served, 34), "syracuse", "&order=roll")
        names = [name for name, _ in page.form("order").fields if name.startswith("f.")]
        assert names[:1] == ["f.purpose"]
        assert [names.count(one) for one in ("f.purpose", "f.dice", "f.table")] == [1, 1, 1]
        assert {"f.dice", "f.modifiers", "f.table", "f.subjects"} <= set(names[1:])

    def test_order_without_dice_is_refused_and_asks_for_them(self, served: Served) -> None:
        game = harbour(served, 0)
        page = seat_page(served, game, "syracuse", "&order=roll-wind").send("order", **{"pip.1": "", "pip.2": ""})
        assert page.status == 422
        assert "pips" in page.part("order")
        done = page.send("order", **{"pip.1": "3", "pip.2": "4"})
        assert done.status == 200
        assert "wind" in done.part("news")

    def test_suggested_order_is_given_or_filled_in_by_one_click(self, served: Served) -> None:
        game = harbour(served, 60)
        page = seat_page(served, game, "athens")
        links = [given["href"] for tag, given in page.tags if tag == "a" and "f.path=1509" in given.get("href", "")]
        filled = page_at(page.caller, links[0])
        assert ("f.ship", "athens-7") in filled.form("order").fields
        assert filled.form("order").value("f.path") == "1509"
        done = page.send("typed", {"typed": "move-ship athens-7 1509"})
        assert "Athens moves athens-7" in done.part("news")

    def test_path_grows_and_shrinks_by_one_place(self, served: Served) -> None:
        game = harbour(served, 60)
        longer = seat_page(served, game, "athens", "&order=move-ship&f.ship=athens-7&f.path=1509&add.path=1508")
        assert longer.form("order").value("f.path") == "1509,1508"
        shorter = seat_page(served, game, "athens", "&order=move-ship&f.ship=athens-7&f.path=1509,1508&drop.path=1")
        assert shorter.form("order").value("f.path") == "1509"

    def test_choice_of_a_list_is_given_without_a_script(self, served: Served) -> None:
        """Take what a list of further names has chosen, even if the form was not looked at since."""
        game = harbour(served, 60)
        page = seat_page(served, game, "athens", "&order=move-ship&f.path=1509")
        done = page.send("order", **{"add.ship": "athens-7", "f.path": "1509"})
        assert "Athens moves athens-7" in done.part("news")

    def test_form_shows_refusal_before_the_order_is_given(self, served: Served) -> None:
        game = harbour(served, 60)
        page = seat_page(served, game, "athens", "&order=ram&f.ship=athens-7&f.target=syracuse-4")
        assert "This order would be refused" in page.part("order")
        with served.desk() as desk:
            assert desk.game(game).referee.refusals() == [], "it was only tried"

    def test_refused_order_keeps_its_fields(self, served: Served) -> None:
        game = harbour(served, 60)
        page = seat_page(served, game, "athens", "&order=ram").send(
            "order", **{"f.ship": "athens-7", "f.target": "syracuse-4"}
        )
        assert page.status == 422
        assert "Rule" in page.part("order")
        assert ("f.target", "syracuse-4") in page.form("order").fields

    def test_unknown_order_shows_the_nearest_name(self, served: Served) -> None:
        page = seat_page(served, harbour(served, 26), "syracuse", "&order=mvoe-ship")
        assert page.status == 200
        assert "move-ship" in page.part("order")

    def test_step_is_ended_by_its_button(self, served: Served) -> None:
        game = harbour(served, 40)
        page = seat_page(served, game, "syracuse")
        assert "End step E.1" in page.part("leaving")
        assert "Syracuse ends step E.1 (movement)" in page.send("done").part("news")

    def test_form_does_not_ask_for_ledger_dice(self, served: Served) -> None:
        game = served.game(dice="ledger")
        page = seat_page(served, game, "red", "&order=roll&f.purpose=wind")
        assert "Umpire rolls 1d6" in page.part("order")
        assert "wind" in page.send("order", **{"f.purpose": "wind"}).part("news")


class TestRequiredOrders:
    def test_wind_that_either_side_rolls_is_one_line(self, served: Served) -> None:
        page = seat_page(served, harbour(served, 0), "athens")
        assert "Athens or Syracuse: roll the wind: roll-wind" in page.part("standing")

    def test_action_of_each_side_is_a_line_for_each(self, served: Served) -> None:
        page = seat_page(served, harbour(served, 3), "athens")
        assert "Athens or Syracuse" not in page.part("standing")


class TestUndo:
    def test_undo_and_redo_of_last_order(self, served: Served) -> None:
        game = served.game()
        page = seat_page(served, game, "red").send("typed", typed="move r1 0102")
        assert "Undo my last order" in page.part("acts")
        back = page.send("undo")
        assert "undoes the orders after #3" in back.part("news")
        assert "Redo" in back.part("acts")
        assert back.send("redo").status == 200
        with served.desk() as desk:
            assert desk.game(game).referee.known().units["r1"].at == "0102"

    def test_undo_of_another_seat_s_order_shows_the_reason(self, served: Served) -> None:
        game = served.game()
        seat_page(served, game, "red").send("typed", typed="move r1 0102")
        assert "is an order of Red" in seat_page(served, game, "blue").part("acts")

    def test_rewind_is_requested_shown_and_agreed(self, served: Served) -> None:
        game, start = served.game(), "3"
        moved = seat_page(served, game, "red").send("typed", typed="move r1 0102")
        asked = moved.send("ask-rewind", other=start, why="the wrong unit")
        assert "Waiting for Blue" in asked.part("asked")
        blue = seat_page(served, game, "blue")
        assert "Red asked for a rewind to #3" in blue.part("asked")
        assert "This would undo 1 order" in blue.part("asked")
        blue.send("consent")
        with served.desk() as desk:
            assert desk.game(game).referee.known().units["r1"].at == "0101"

    def test_consent_to_unseen_records_shows_them_first(self, served: Served) -> None:
        game, start = served.game(), "3"
        seat_page(served, game, "red").send("typed", typed="move r1 0102")
        seat_page(served, game, "red").send("ask-rewind", other=start, why="the wrong unit")
        blue = seat_page(served, game, "blue")
        seat_page(served, game, "red").send("note", text="and the wrong hex")
        late = blue.send("consent")
        assert late.status == 412
        assert "and the wrong hex" in late.part("asked")
        assert late.send("consent").status == 200

    def test_rewind_is_declined_with_reason(self, served: Served) -> None:
        game, start = served.game(), "3"
        seat_page(served, game, "red").send("typed", typed="move r1 0102")
        seat_page(served, game, "red").send("ask-rewind", other=start, why="the wrong unit")
        seat_page(served, game, "blue").send("refuse", why="it was seen")
        page = seat_page(served, game, "red")
        assert "asks to go back" not in page.words
        assert "it was seen" in page.part("trail")


class TestTheTable:
    def test_record_is_disputed_and_dispute_withdrawn(self, served: Served) -> None:
        game = served.game()
        seat_page(served, game, "red").send("typed", typed="move r1 0102")
        blue = seat_page(served, game, "blue", "&about=4")
        assert "Red moves r1" in blue.part("about")
        assert blue.form("dispute").value("records") == "#4"
        disputed = blue.send("dispute", claim="too far", rule="4.2")
        assert "too far" in disputed.part("standing")
        withdrawn = disputed.send("settle")
        assert "too far" not in withdrawn.part("standing")

    def test_everything_so_far_is_accepted_with_three_lines_to_keep(self, served: Served) -> None:
        game = served.game()
        page = seat_page(served, game, "red").send("seal")
        with served.desk() as desk:
            kept = desk.game(game).checkpoint().text()
        assert " ".join(kept.split()) in " ".join(page.part("news").split())

    def test_unknown_record_is_named(self, served: Served) -> None:
        assert "There is no record #99" in seat_page(served, served.game(), "red", "&about=99").part("about")

    def test_note_keeps_the_record_it_is_about(self, served: Served) -> None:
        game = served.game()
        seat_page(served, game, "red", "&about=1").send("note", text="a fine morning")
        with served.desk() as desk:
            cause = desk.game(game).referee.audit(text="fine")[0].cause
        assert cause == {"as": "red", "order": "note", "text": "a fine morning", "about": 1}

    def test_trail_is_filtered_by_the_address(self, served: Served) -> None:
        game = served.game()
        seat_page(served, game, "red").send("note", text="wind from the west")
        assert "wind from the west" in seat_page(served, game, "blue", "&text=wind").part("trail")
        assert "wind from the west" not in seat_page(served, game, "blue", "&side=blue").part("trail")
        assert "there is no rule 99" in seat_page(served, game, "blue", "&rule=99").part("trail")

    def test_unknown_form_is_named_with_the_nearest(self, served: Served) -> None:
        game = served.game()
        page = seat_page(served, game, "red").sent(f"/table/{game}/consnet?as=red", [("key", "1")])
        assert page.status == 404
        assert "did you mean consent" in page.words


BAD = ("", " ", "²", "\0", "-1", "9" * 30, "x" * 5000, "%ff", "<script>", "\ud800", "#", "None", "é" * 90)


@pytest.mark.parametrize("act", ACTS)
def test_form_with_any_input_is_answered_in_words(served: Served, act: str) -> None:
    """Answer with a problem and its remedy, never with an internal error."""
    game = served.game()
    browser = served.browser(game, "red")
    names = ("typed", "order", "f.text", "f.unit", "add.path", "drop.path", "pip.1", "pip.²", "pips", "to", "other")
    names += (
        "why",
        "records",
        "claim",
        "rule",
        "dispute",
        "text",
        "about",
        "upto",
        "answer",
        "step",
        "far",
        "seen",
        "key",
        "condition",
        "arrives",
        "note",
        "withdraw",
    )
    for bad in at_least_one(BAD):
        said = [(name, bad.encode("utf-8", "surrogatepass")) for name in names]
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        answer = browser.http.post(f"/table/{game}/{act}?as=red", content=urlencode(said), headers=headers)
        assert answer.status_code in (303, 400, 404, 412, 422), (bad, answer.text)
        asked = urlencode([(name, value[:100]) for name, value in said])
        looked = browser.http.get(f"/table/{game}?as=red&{asked}")
        assert looked.status_code == 200, (bad, looked.text)


def test_search_for_nul_byte_finds_no_record(served: Served) -> None:
    """NUL ended the store's own search in the middle, which looked like a ledger that cannot be used."""
    game = served.game()
    program = served.program(game, "red")
    for text in ("\0", "a\0b", '"\0"'):
        assert program.get(f"/games/{game}/audit", params={"text": text}).json() == []


def test_address_with_too_many_fields_is_refused(served: Served) -> None:
    game = served.game()
    many = "&".join(f"f.a{nth}=1" for nth in range(1100))
    assert served.browser(game, "red").http.get(f"/table/{game}?as=red&{many}").status_code == 400


def test_secret_appears_on_no_other_seat_s_page(served: Served) -> None:
    game = served.game()
    page = seat_page(served, game, "red").send("typed", typed="seal-choice ambush 0407")
    assert "0407" in page.words
    blue = seat_page(served, game, "blue")
    assert "0407" not in blue.answer.text
    assert "ambush" in blue.words, "that it was answered is public"


class TestDelayedWords:
    """A courier message and a sealed order by forms: other seats read only that they exist."""

    def test_courier_message_arrives_later(self, served: Served) -> None:
        game = harbour(served, 26)
        page = seat_page(served, game, "athens")
        late = page.send("send-message", text="hold the boom", to="syracuse", arrives="1", step="")
        assert late.status == 422
        assert "turn 2 or later" in late.part("acts")
        sent = page.send("send-message", text="hold the boom", to="syracuse", arrives="9", step="")
        assert "hold the boom" in sent.part("news")
        assert "hold the boom" not in seat_page(served, game, "syracuse").words
        assert (
            seat_page(served, game, "athens").send("send-message", text="hm", to="", arrives="9", step="").status == 422
        )

    def test_words_are_sealed_withdrawn_and_opened(self, served: Served) -> None:
        game = harbour(served, 26)
        for condition in ("they sally", "they flee"):
            page = seat_page(served, game, "athens").send("seal-words", condition=condition, text="back to the beach")
            assert page.status == 200
        assert "if they sally: back to the beach" in page.part("acts")
        assert "back to the beach" not in seat_page(served, game, "syracuse").words
        with served.desk() as desk:
            first, second = (one.position for one in desk.game(game).referee.sealed_words())
        page.send("open-words", note=str(first), withdraw="yes")
        referee = page_at(served.browser(game, "referee"), f"/referee/{game}?as=referee")
        assert "if they flee" in referee.words
        referee.send("open-words", note=str(second))
        words = seat_page(served, game, "syracuse").words
        assert "if they flee: back to the beach" in words
        assert "they sally" not in words


def test_forms_of_orders_are_in_the_api(served: Served) -> None:
    game = harbour(served, 60)
    athens = served.program(game, "athens")
    form = athens.get(f"/games/{game}/forms/move-ship", params={"given": ["ship=athens-7", "path=1509"]}).json()
    assert (form["complete"], form["typed"], form["rolls"]) == (True, "move-ship athens-7 1509", [])
    path = next(one for one in form["fields"] if one["name"] == "path")
    assert (path["kind"], path["chosen"], "1508" in path["choices"]) == ("path", ["1509"], True)


def test_wheel_contains_scripts_and_styles() -> None:
    static = Path(__file__).parents[2] / "service/pages/static"
    assert {one.suffix for one in static.iterdir()} == {".css", ".js", ".svg"}
