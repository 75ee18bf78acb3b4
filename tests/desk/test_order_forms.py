"""Orders as forms: fields from the type, choices from the game as a seat knows it, and the rolls of the order."""

import json
from collections.abc import Iterator

import pytest

import umpire_ledger as umpire
from tests.face.desk import EXPECTED, FormField, OrderForm, need_title, with_choices
from tests.face.testing import FIXTURES


@pytest.fixture
def desk() -> Iterator[umpire.Desk]:
    with umpire.open(":memory:") as found:
        yield found


def game_after(desk: umpire.Desk, title: str, name: str, orders: int, scenario: str = "") -> umpire.PlayedGame:
    """Return a recorded game after this number of orders; its scenario has the same name, unless one is given."""
    folder = FIXTURES / title
    game = desk.new(title, folder / "scenarios" / f"{scenario or name}.toml", id=f"{name}-{orders}")
    lines = (folder / "orders" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    game.play([(at, json.loads(line)) for at, line in enumerate(lines[:orders], 1)])
    return game


def field(form: OrderForm, name: str) -> FormField:
    return next(one for one in form.fields if one.name == name)


class TestFields:
    def test_argument_has_the_field_of_its_kind(self, desk: umpire.Desk) -> None:
        athens = game_after(desk, "war-galley", "great-harbour", 60).seat("athens")
        kinds = {
            (order, one.name): one.kind
            for order in ("move-ship", "hit", "roll", "activate-both", "set-levels")
            for one in athens.order_form(order).fields
        }
        assert kinds["move-ship", "ship"] == "name"
        assert kinds["move-ship", "path"] == "path"
        assert kinds["hit", "loses"] == "choice"
        assert kinds["hit", "amount"] == "number"
        assert kinds["roll", "purpose"] == "text"
        assert kinds["roll", "modifiers"] == "lines"

    def test_list_of_counted_names_has_a_line_for_each(self, desk: umpire.Desk) -> None:
        king = desk.new("red-coat-rags", FIXTURES / "red-coat-rags/scenarios/mill-ford.toml", id="ford").seat("king")
        assert field(king.order_form("activate"), "cubes").kind == "lines"

    def test_lines_have_choices_for_each_line(self, desk: umpire.Desk) -> None:
        king = desk.new("red-coat-rags", FIXTURES / "red-coat-rags/scenarios/mill-ford.toml", id="ford").seat("king")
        cubes = field(king.order_form("activate"), "cubes")
        assert cubes.choices[0] == "{}", "a die without a cube"
        assert "carr=1" in (*cubes.choices, *cubes.others)

    def test_words_of_the_table_are_choices(self, desk: umpire.Desk) -> None:
        sol = game_after(desk, "twilight-imperium-3", "full-round", 1, "three-players").seat("sol")
        assert "wellon-space" in field(sol.order_form("choose"), "choice").choices
        assert "Trade" in field(sol.order_form("choose-strategy"), "cards").others

    def test_direction_is_one_of_sixteen_choices(self, desk: umpire.Desk) -> None:
        king = desk.new("red-coat-rags", FIXTURES / "red-coat-rags/scenarios/mill-ford.toml", id="ford").seat("king")
        facing = field(king.order_form("move-piece"), "facing")
        assert (facing.kind, len(facing.choices)) == ("choice", 16)

    def test_path_of_two_places_begins_where_its_units_are(self, desk: umpire.Desk) -> None:
        mentak = game_after(desk, "twilight-imperium-3", "full-round", 62, "three-players").seat("mentak")
        path = field(mentak.order_form("move-ships", {"units": ["mentak-carrier-1", "mentak-pds-1"]}), "path")
        assert "home-mentak" in path.choices

    def test_choices_agree_with_what_is_filled_in(self, desk: umpire.Desk) -> None:
        athens = game_after(desk, "war-galley", "great-harbour", 60).seat("athens")
        assert field(athens.order_form("move-ship"), "ship").choices == ("athens-7",)
        path = field(athens.order_form("move-ship", {"ship": ["athens-7"], "path": ["1509"]}), "path")
        assert path.chosen == ("1509",)
        assert "1508" in path.choices
        assert "0310" not in path.choices, "it is not next to 1509"

    def test_last_value_of_a_single_argument_counts(self, desk: umpire.Desk) -> None:
        """Use a choice and a free text, which are two fields of a page for one argument."""
        athens = game_after(desk, "war-galley", "great-harbour", 60).seat("athens")
        form = athens.order_form("ram", {"ship": ["athens-8", "", "athens-7"], "target": ["syracuse-7"]})
        assert (form.problem, form.typed) == (None, "ram athens-7 syracuse-7")

    def test_unknown_order_has_no_form(self, desk: umpire.Desk) -> None:
        athens = game_after(desk, "war-galley", "great-harbour", 60).seat("athens")
        with pytest.raises(EXPECTED, match="mvoe"):
            athens.order_form("mvoe")


class TestDryRun:
    def test_form_lists_the_rolls_for_table_dice(self, desk: umpire.Desk) -> None:
        syracuse = game_after(desk, "war-galley", "great-harbour", 41).seat("syracuse")
        assert not syracuse.order_form("board").complete
        form = syracuse.order_form("board", {"ships": ["syracuse-1,syracuse-2"], "target": ["athens-2"]})
        assert form.complete
        assert form.from_table
        assert [(one.dice, one.pips, one.faces) for one in form.rolls] == [("2d6", 2, 6)]

    def test_form_shows_a_refusal_without_logging_it(self, desk: umpire.Desk) -> None:
        game = game_after(desk, "war-galley", "great-harbour", 60)
        form = game.seat("athens").order_form("ram", {"ship": ["athens-7"], "target": ["syracuse-4"]})
        assert form.problem is not None
        assert form.problem.error == "refused"
        assert form.problem.remedy
        assert game.referee.refusals() == []

    def test_form_repeats_its_rolls_and_reveals_no_ledger_dice(self, desk: umpire.Desk) -> None:
        game = desk.new("freeform", FIXTURES / "freeform/scenarios/ford.toml", id="ford", dice="ledger")
        red = game.seat(game.sides[0])
        form = red.order_form("roll", {"purpose": ["wind"]})
        assert not form.from_table
        assert [one.purpose for one in form.rolls] == ["wind"]
        assert not any("pips" in name for name in form.rolls[0].__struct_fields__ if name != "pips")
        assert form == red.order_form("roll", {"purpose": ["wind"]})


class TestSecrets:
    def test_last_seal_is_offered_even_if_it_reveals_the_others(self, desk: umpire.Desk) -> None:
        """Offer the order, because this seat's copy lacks the other seals and cannot tell that the rules refuse it."""
        alliance = game_after(desk, "federation-and-empire", "border-war", 201).seat("alliance")
        assert "seal-intensity" in [one.order for one in alliance.openings().now]
        assert "seal-intensity" in alliance.status.orders
        form = alliance.order_form("seal-intensity", {"bir": ["4"]})
        assert (form.complete, form.problem) == (True, None)


class TestUndo:
    def test_refusal_of_an_undo_is_shown_in_advance(self, desk: umpire.Desk) -> None:
        game = game_after(desk, "war-galley", "great-harbour", 60)
        refusal = game.seat("athens").refusal_of("undo")
        assert refusal is not None
        assert (refusal.refusal_code, refusal.fields["seat"]) == ("order-of-another-seat", "syracuse")
        assert game.referee.refusals() == [], "it was only asked"

    def test_possible_undo_has_no_refusal(self, desk: umpire.Desk) -> None:
        game = game_after(desk, "war-galley", "great-harbour", 60)
        game.seat("athens").typed("move-ship athens-7 1509")
        assert game.seat("athens").refusal_of("undo") is None

    def test_order_is_found_by_its_order_id(self, desk: umpire.Desk) -> None:
        athens = game_after(desk, "war-galley", "great-harbour", 60).seat("athens")
        given = athens.typed("move-ship athens-7 1509", id="evening-1")
        found = athens.answered("evening-1")
        assert found is not None
        assert found.told == given.told
        assert athens.answered("evening-2") is None


class TestChoices:
    """Add a choice to what is filled in."""

    def added(self, title: str, order: str, argument: str, said: list[str], word: str) -> list[str]:
        given = {argument: said} if said else {}
        return with_choices(need_title(title), order, given, {argument: [word]})[argument]

    @pytest.mark.parametrize(
        ("said", "word", "found"),
        [
            ([], "cruiser=1", ["cruiser=1"]),
            (["cruiser=1,fighter=2"], "cruiser=1", ["cruiser=2", "fighter=2"]),
            (["cruiser=many"], "fighter=1", ["cruiser=1", "fighter=1"]),
        ],
    )
    def test_count_goes_up(self, said: list[str], word: str, found: list[str]) -> None:
        assert self.added("twilight-imperium-3", "produce", "units", said, word) == found

    def test_list_of_lines_gets_one_more(self) -> None:
        assert self.added("red-coat-rags", "activate", "cubes", ["{}\ncarr=1"], "{}") == ["{}", "carr=1", "{}"]

    def test_single_word_is_replaced(self) -> None:
        assert self.added("red-coat-rags", "form", "formation", ["line"], "column") == ["column"]

    def test_value_that_may_be_a_list_takes_a_word_and_gives_it_back(self) -> None:
        once = self.added("twilight-imperium-3", "mark", "to", ["hylar-v"], "war-sun")
        assert once == ["hylar-v,war-sun"]
        assert self.added("twilight-imperium-3", "mark", "to", once, "war-sun") == ["hylar-v"]
