"""Check orders that a scenario defines: they are admitted, refused, decided, offered and recorded like a title's."""

from pathlib import Path
from typing import Any

import pytest

import umpire_ledger as umpire
from tests.face.desk import examined
from tests.face.domain import (
    AccountChanged,
    DiceRolled,
    GameEnded,
    MarkerSet,
    Modifier,
    StepClosed,
    StepPassed,
    UnitChanged,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
    freeform_TITLE as TITLE,
    read_scenario,
    suggested,
)
from tests.face.testing import Story
from tests.naming import Naming
from tests.titles.test_own_sequences import SCENARIOS, first_of, scenario_of, text_of


def outpost(*mended: tuple[str, str]) -> Story:
    return Story(TITLE, scenario_of("outpost", *mended))


def advance(unit: str, *path: str, seat: str = "east") -> dict[str, Any]:
    return {"as": seat, "order": "advance", "unit": unit, "path": list(path)}


def fire(gun: str, target: str, seat: str = "west") -> dict[str, Any]:
    return {"as": seat, "order": "fire", "gun": gun, "target": target}


def in_sight() -> Story:
    """Bring the tanks within range of the gun, in the woods."""
    return outpost().play(advance("e-tanks", "0203", "0304"))


class TestOwnOrder:
    def test_order_moves_the_unit_and_answers_the_step(self) -> None:
        table = outpost().when(advance("e-tanks", "0203", "0304"))
        table.then(UnitMoved, unit="e-tanks", path=("0103", "0203", "0304"), rule="4.1")
        table.then(UnitChanged, unit="e-tanks", attribute="moved", after=True, rule="4.1")
        table.then(StepClosed, step="4.1", answer="moved", to="4.4")
        table.then_open("4.4")

    def test_unmet_requirement_is_refused_in_its_own_words(self) -> None:
        table = outpost()
        table.when(advance("w-foot", "0603")).then_refused("requirement-not-met", rule="4.1")
        table.when(advance("e-tanks", "0303")).then_refused("requirement-not-met", rule="4.1")
        table.when(advance("e-foot", "0204", "0304")).then_refused("requirement-not-met", rule="4.3")

    def test_refusal_names_the_first_unmet_requirement(self) -> None:
        table = outpost(("moves = 4, moved = false, fired = false, disrupted = false", "moves = 4, disrupted = true"))
        table.when(advance("e-tanks", "0909")).then_refused("requirement-not-met", rule="4.2")

    def test_unknown_or_destroyed_unit_is_refused(self) -> None:
        table = in_sight()
        table.when(fire("w-gun", "nobody")).then_refused("no-such-unit", rule="5.1", unit="nobody")
        table.when(fire("w-gun", "e-tanks"), pips=(6, 6)).then_accepted()
        table.when(fire("w-foot", "e-tanks")).then_refused("unit-removed", rule="5.1", unit="e-tanks", fate="destroyed")

    def test_argument_of_another_type_is_refused(self) -> None:
        raw = {**advance("e-tanks"), "path": "0203"}
        outpost().when(raw).then_refused(
            "unreadable-order",
            rule="advance",
            name="advance",
            error="Expected `array`, got `str` - at `$.path`",
            title="freeform",
        )

    def test_order_outside_its_step_is_refused(self) -> None:
        table = outpost().when(fire("e-tanks", "w-gun", "east"))
        table.then_refused("not-allowed-now", rule="4.1", order="fire", orders=("advance", "done"))

    def test_reaction_to_a_unit_that_does_not_move_is_refused(self) -> None:
        table = in_sight()
        table.when(fire("w-foot", "e-tanks")).then_refused("requirement-not-met", rule="5.2")
        table.when(fire("w-gun", "e-foot")).then_refused("requirement-not-met", rule="5.4")

    def test_order_without_effect_is_refused(self) -> None:
        """Send an army to the port that it heads for already: there would be nothing to record."""
        table = Story(TITLE, scenario_of("courts"))
        for side in ("north", "south", "east"):
            table.play({"as": side, "order": "seal-choice", "question": "orders", "choice": "s-1 to port"})
        heads = {"as": "south", "order": "head-for", "unit": "s-1", "goal": "port"}
        table.play(heads)
        table.when(heads).then_refused("changes-nothing", rule="3", order="head-for")


class TestOwnDice:
    def test_modifiers_name_attributes_and_map_as_their_sources(self) -> None:
        table = in_sight().when(fire("w-gun", "e-tanks"), pips=(3, 3))
        sources = (
            Modifier(amount=4, source="strength of w-gun"),
            Modifier(amount=-3, source="distance"),
            Modifier(amount=-2, source="woods"),
        )
        table.then(
            DiceRolled, purpose="w-gun fires at e-tanks", total=5, modifiers=sources, subjects=("w-gun", "e-tanks")
        )
        table.then(DiceRolled, table="fire", outcome="disrupted", rule="5.1")
        table.then(UnitChanged, unit="e-tanks", attribute="disrupted", after=True)
        table.then_not(UnitRemoved)

    def test_modifier_of_zero_is_left_out(self) -> None:
        table = outpost().play(advance("e-tanks", "0203", "0204")).when(fire("w-gun", "e-tanks"), pips=(3, 3))
        (rolled,) = (event for event in table.events if isinstance(event, DiceRolled))
        assert [one.source for one in rolled.modifiers] == ["strength of w-gun", "distance"]

    def test_roll_removes_the_loser_and_pays_the_winner(self) -> None:
        table = in_sight().when(fire("w-gun", "e-tanks"), pips=(6, 6))
        table.then(UnitRemoved, unit="e-tanks", fate="destroyed", rule="5.1")
        table.then(AccountChanged, account="points/west", amount=3, rule="5.1")

    def test_order_adds_modifiers_that_the_scenario_lacks(self) -> None:
        plus = {"amount": 5, "source": "smoke"}
        table = in_sight().when({**fire("w-gun", "e-tanks"), "modifiers": [plus]}, pips=(3, 3))
        table.then(UnitRemoved, unit="e-tanks")

    def test_actions_wait_until_the_book_is_read(self) -> None:
        rows = text_of("outpost").partition('[tables.fire]\ndice = "2d6"\n')[2].partition("\n\n")[0]
        table = outpost((rows, 'by_the_book = "our own chart"')).play(advance("e-tanks", "0203", "0304"))
        table.when(fire("w-gun", "e-tanks"), pips=(6, 6)).then(DiceRolled, table="fire")
        table.then_not(UnitChanged)
        read = {"outcome": "destroyed", "source": "our own chart"}
        table.when({**fire("w-gun", "e-tanks"), "by_the_book": read}).then(UnitRemoved, unit="e-tanks")


CHARGE = """
[orders.charge]
words = "Charge"
closes = true
does = [
  { throw = "1d6", times = "dice", least = "5 - pace", called = "hits", into = "hits", purpose = "{rider} charges" },
  { let = "worth", to = "hits * 10 + pace" },
  { change = "strength", of = "id = rider", to = "strength - 1", when = "how = 'wild'" },
  { pay = "points/{asking}", amount = "worth" },
]
[orders.charge.takes]
rider = "unit"
dice = { type = "number", most = 3, words = "how many dice" }
how = ["wild", "steady"]
pace = { type = "number", default = 2 }

[orders.oath]
words = "Swear an oath to a side"
takes = { side_sworn = "side", words_said = "text" }
does = [{ set = "oath/{asking}", to = "side_sworn + ': ' + words_said" }]

[orders.gather]
words = "Bring units to a place"
takes = { who = "units", where = "place" }
does = [
  { move = "id in who and at != where", to = "where" },
  { let = "n", to = "size(who)" },
  { throw = "2d6", called = "a" },
  { throw = "1d6", when = "a >= 7 and n = 2" },
]

[orders.muster]
words = "Call somebody up"
takes = { who = "text", where = "text", whose = "text" }
rules = ["6.1"]
does = [
  { place = "{asking}-{who}", kind = "foot", side = "whose", to = "place_of(where)", has = { raw = true } },
]

[orders.yield]
words = "Give the game up"
does = [
  { wins = "'east'", why = "{asking} gives up", when = "asking = 'west'" },
  { wins = "'west'", why = "{asking} gives up" },
]

[facts.can_move]"""


FIRE_STEP = 'by = "gunners"\nallows = ["fire"]\nrules = ["5"]'
ALL_ALLOWED = (
    'by = ["gunners", "active"]\nallows = ["fire", "charge", "oath", "gather", "muster", "yield"]\nrules = ["5"]'
)


def charges() -> Story:
    table = outpost(("[facts.can_move]", CHARGE), (FIRE_STEP, ALL_ALLOWED))
    return table.play({"as": "east", "order": "done", "answer": "halt"})


class TestArgumentsAndActions:
    def charge(self, **more: Any) -> dict[str, Any]:
        return {"as": "east", "order": "charge", "rider": "e-foot", "dice": 3, "how": "steady", **more}

    def test_dice_that_show_enough_are_counted_and_named(self) -> None:
        table = charges().when(self.charge(), pips=(2, 3, 6))
        table.then(DiceRolled, dice="3d6", needed=Naming(3), outcome=Naming(2, 3), purpose=Naming("e-foot"))
        table.then(MarkerSet, marker="hits", after=2)
        table.then(AccountChanged, account="points/east", amount=22)
        table.then(StepClosed, step="5")

    def test_zero_dice_count_nothing(self) -> None:
        charges().when(self.charge(dice=0)).then_not(DiceRolled).then(AccountChanged, amount=2)

    def test_action_with_a_true_condition_is_carried_out(self) -> None:
        charges().when(self.charge(how="wild"), pips=(1, 1, 1)).then(
            UnitChanged, attribute="strength", before=2, after=1
        )

    def test_number_out_of_range_or_unknown_choice_is_refused(self) -> None:
        charges().when(self.charge(dice=4)).then_refused(
            "unreadable-order", rule="charge", error="Expected `int` <= 3 - at `$.dice`"
        )
        charges().when(self.charge(how="mad")).then_refused(
            "unreadable-order", rule="charge", error="Invalid enum value 'mad' - at `$.how`"
        )

    def test_arguments_for_a_side_and_words_are_checked(self) -> None:
        oath = {"as": "east", "order": "oath", "side_sworn": "west", "words_said": "we part as friends"}
        charges().when(oath).then(MarkerSet, marker="oath/east", after="west: we part as friends")
        charges().when({**oath, "side_sworn": "north"}).then_refused(
            "no-such-side", rule="oath", side="north", sides=("east", "west")
        )

    def test_several_units_move_and_dice_are_thrown_twice(self) -> None:
        table = charges().when(
            {"as": "east", "order": "gather", "who": ["e-foot", "e-tanks"], "where": "0104"}, pips=(4, 4, 1)
        )
        table.then(UnitMoved, unit="e-tanks", path=("0103", "0104"))
        assert sum(isinstance(event, DiceRolled) for event in table.events) == 2

    def test_new_unit_with_a_used_name_gets_a_number(self) -> None:
        muster = {"as": "east", "order": "muster", "who": "guard", "where": "e-foot", "whose": "east"}
        table = charges().when(muster)
        table.then(UnitPlaced, unit="east-guard", side="east", kind="foot", at="0104", rule="6.1")
        assert table.game.units["east-guard"].attributes == {"raw": True}
        table.when(muster).then(UnitPlaced, unit="east-guard-2")
        table.when({**muster, "who": "g" * 300}).then(UnitPlaced, unit=f"east-{'g' * 65}")

    def test_new_unit_for_an_unknown_side_or_place_is_refused(self) -> None:
        muster = {"as": "east", "order": "muster", "who": "guard", "where": "e-foot", "whose": "east"}
        for wrong in ({"whose": "north"}, {"where": "nobody"}):
            charges().when({**muster, **wrong}).then_refused("changes-nothing", rule="", order="muster")

    def test_win_ends_the_game_and_skips_later_actions(self) -> None:
        table = charges().when({"as": "east", "order": "yield"})
        table.then(GameEnded, why="east gives up", winner="west")
        assert table.game.ended


class TestGameEnd:
    def test_end_step_names_the_winner(self) -> None:
        table = outpost(('id = "e-foot"\nside = "east"', 'id = "e-foot"\nside = "west"'))
        table.play(advance("e-tanks", "0203", "0304"))
        table.play({**fire("w-gun", "e-tanks"), "pips": [6, 6]})
        table.when({"as": "west", "order": "done"}).then(
            StepPassed, step="5", why="no gun of the active side reaches a target"
        )
        table.when({"as": "west", "order": "done", "answer": "halt"}).then(
            GameEnded, why="East has no unit left", winner="west", rule="7"
        )

    def test_end_step_with_units_on_both_sides_is_passed(self) -> None:
        table = outpost().play({"as": "east", "order": "done", "answer": "halt"})
        table.play({"as": "west", "order": "done", "answer": "halt"})
        table.when({"as": "west", "order": "done"}).then(StepPassed, step="7", why="both sides have units")
        assert not table.game.ended


class TestSuggestions:
    def test_units_and_paths_that_what_it_requires_allows(self) -> None:
        table = outpost()
        order = table.title.every_order["advance"]
        found = [(one.unit, one.path) for one in suggested(table.title, table.game, order, "east")]  # type: ignore[attr-defined] # made by the scenario
        assert ("e-foot", ("0204",)) in found
        assert {unit for unit, _ in found} == {"e-tanks", "e-foot"}
        for unit, path in found:
            outpost().when(advance(unit, *path)).then_accepted()

    def test_step_asks_side_whose_gun_reaches_a_target(self) -> None:
        table = outpost().when({"as": "east", "order": "done", "answer": "halt"})
        table.then(StepPassed, step="5", why="no gun of the active side reaches a target")
        table.when({"as": "west", "order": "done", "answer": "halt"}).then_open("5")
        table.when({**fire("w-gun", "e-tanks"), "pips": [2, 2]}).then_accepted()

    def test_suggestions_are_empty_if_the_order_is_not_allowed(self) -> None:
        table = outpost().play({"as": "east", "order": "done", "answer": "halt"})
        order = table.title.every_order["fire"]
        assert list(suggested(table.title, table.game, order, "east")) == []

    def test_at_the_desk_it_is_typed_shown_and_filled_in(self, tmp_path: Path) -> None:
        with umpire.open(tmp_path / "o.db") as desk:
            game = desk.new("freeform", SCENARIOS / "outpost.toml", id="o")
            east, west = game.seat("east"), game.seat("west")
            assert "advance" in east.status.orders
            form = east.order_form("advance")
            assert [field.name for field in form.fields][:2] == ["unit", "path"]
            east.order(east.read("advance e-tanks 0203,0304"))
            assert east.status.open == ("4.4",)
            west.order(west.read("fire w-gun e-tanks @6,6"))
            game.export(tmp_path / "o.jsonl")
        with umpire.open(tmp_path / "two.db") as desk:
            again = desk.import_log(tmp_path / "o.jsonl")
            assert [unit.id for unit in again.referee.units()] == ["e-foot", "w-foot", "w-gun"]

    def test_its_page_has_the_words_of_the_file(self) -> None:
        with umpire.open(":memory:") as desk:
            text = text_of("outpost", ("[facts.can_move]", CHARGE), (FIRE_STEP, ALL_ALLOWED))
            game = desk.new_from_text("freeform", text, id="o")
            page = str(game.seat("east").order_page("charge"))
        assert "Charge" in page
        assert "how many dice" in page


class TestOrdersWithoutASequence:
    TEXT = (
        'title = "freeform"\nname = "A walk"\ndice = "table"\nsides = [{ id = "red", name = "Red" }]\n'
        '[orders.walk]\nwords = "Walk"\ntakes = { who = "unit", to_where = "place" }\n'
        'does = [{ move = "id = who", to = "to_where" }]\n'
        '[[units]]\nid = "a"\nside = "red"\nkind = "foot"\nat = "inn"\n'
    )

    def test_orders_without_a_sequence_are_allowed_at_any_time(self) -> None:
        table = Story(TITLE, read_scenario(self.TEXT, TITLE.scenario))
        table.when({"as": "red", "order": "walk", "who": "a", "to_where": "mill"}).then(UnitMoved, path=("inn", "mill"))
        table.when({"as": "red", "order": "move", "unit": "a", "path": ["inn"]}).then(UnitMoved, path=("mill", "inn"))


def test_orders_are_in_the_first_record() -> None:
    scenario = scenario_of("outpost")
    first = first_of(scenario)
    assert first.sequence["orders"].keys() == {"advance", "fire"}
    assert "orders" not in first.scenario


def test_order_of_the_same_text_is_the_same_type() -> None:
    scenario = scenario_of("outpost")
    one = TITLE.with_sequence(scenario.sequence(), {}).every_order["fire"]
    other = TITLE.with_sequence(scenario.sequence(), {"night": True}).every_order["fire"]
    assert one is other


FIRE_TAKES = 'takes = { gun = "unit", target = "unit" }'
BOARD = "board = { hexes = { columns = 8, rows = 6 } }\n"
FAULTS: list[tuple[str, str, str, str, str]] = [
    ("[orders.fire]", "[orders.Fire]", "$.orders.Fire", "'Fire' is not a valid name", "small letters"),
    ("[orders.fire]", "[orders.move]", "$.orders.move", "order move already exists", "another name"),
    ("[orders.fire]", "[orders.undo]", "$.orders.undo", "order undo already exists", "another name"),
    (FIRE_TAKES, 'takes = { gun = "unti" }', "$.orders.fire.takes.gun", "no type unti", "write one of: unit"),
    (
        FIRE_TAKES,
        'takes = { side = "unit" }',
        "$.orders.fire.takes.side",
        "side already has another meaning",
        "another name",
    ),
    (
        FIRE_TAKES,
        'takes = { range = "unit" }',
        "$.orders.fire.takes.range",
        "range already has another meaning",
        "another name",
    ),
    (FIRE_TAKES, 'takes = { "a b" = "unit" }', "$.orders.fire.takes.a b", "'a b' is not a valid name", "digits and _"),
    (FIRE_TAKES, "takes = { gun = [] }", "$.orders.fire.takes.gun", "needs choices", "write, for example,"),
    (
        FIRE_TAKES,
        'takes = { gun = { type = "number", least = 3, most = 1 } }',
        "$.orders.fire.takes.gun",
        "between 3 and 1",
        "write, for example,",
    ),
    (
        FIRE_TAKES,
        'takes = { gun = { type = "number", default = 100 } }',
        "$.orders.fire.takes.gun",
        "default 100",
        "write, for example,",
    ),
    (
        FIRE_TAKES,
        'takes = { gun = { type = "path", default = "x" } }',
        "$.orders.fire.takes.gun",
        "cannot be left out",
        "write, for example,",
    ),
    (
        FIRE_TAKES,
        "takes = { " + ", ".join(f"a{n} = 'unit'" for n in range(13)) + " }",
        "$.orders.fire.takes",
        "takes 13 arguments",
        "at most 12",
    ),
    ("side_of(gun) = asking", "side_of(gnu) = asking", "$.orders.fire.requires[0].is", "gnu is not known", "gun"),
    ("{gun} is not of {asking}", "{gnu} is not yours", "$.orders.fire.requires[0].words", "{gnu} is not known", "gun"),
    (
        'table = "fire", purpose',
        'table = "fier", purpose',
        "$.orders.fire.does[0].table",
        "no table fier",
        "did you mean fire?",
    ),
    (
        'table = "fire", purpose',
        'throw = "2x6", purpose',
        "$.orders.fire.does[0].throw",
        "is not a dice notation",
        "write, for example, 2d6",
    ),
    (
        'table = "fire", purpose = "{gun}',
        'table = "fire", called = "a b", purpose = "{gun}',
        "$.orders.fire.does[0].called",
        "'a b' is not a valid name",
        "digits and _",
    ),
    (
        '{ change = "fired", of = "id = gun", to = true },',
        '{ throw = "1d6" },',
        "$.orders.fire.does",
        "rolls 2 times",
        "two orders",
    ),
    (
        "when = \"result = 'disrupted'\"",
        'when = "resut = 1"',
        "$.orders.fire.does[2].when",
        "resut is not known",
        "result",
    ),
    (
        'pay = "points/{asking}"',
        'pay = "pints/{asking}"',
        "$.orders.fire.does[3].pay",
        "no account like pints/{asking}",
        "points/east",
    ),
    (
        'pay = "points/{asking}"',
        'pay = "points/{axing}"',
        "$.orders.fire.does[3].pay",
        "{axing} is not known",
        "asking",
    ),
    (
        '{ move = "id = unit", to = "path" }',
        '{ move = "id = unit" }',
        "$.orders.advance.does[0]",
        "is missing",
        "to =",
    ),
    (
        '{ move = "id = unit", to = "path" }',
        '{ place = "{gnu}-1", kind = "foot", side = "active", to = "last(path)" }',
        "$.orders.advance.does[0].place",
        "{gnu} is not known",
        "sides, path, unit",
    ),
    (
        '{ move = "id = unit", to = "path" }',
        '{ place = "new", side = "active" }',
        "$.orders.advance.does[0]",
        "has no kind and no to",
        "write, for example,",
    ),
    (
        "{ wins = \"'east'\", why",
        '{ throw = "1d6", why',
        "$.play[9].does[0].throw",
        "there is no entry throw",
        "show",
    ),
    (
        'closes = "moved"',
        'closes = "gone"',
        "$.play[3].allows[0]",
        "closes with gone",
        "answers of the step: moved, halt",
    ),
    (BOARD, "", "$.orders.fire.requires[3].is", "needs a map", "board = { hexes"),
    ('allows = ["advance"]', 'allows = ["advnace"]', "$.play[3].allows[0]", "no order advnace", "advance"),
    ("given('advance')", "given('advnace')", "$.play[3].answers[0].when", "no order advnace", "advance"),
]


@pytest.mark.parametrize(
    ("old", "new", "path", "what", "do"), FAULTS, ids=[f"{one[2]} {one[3][:20]}" for one in FAULTS]
)
def test_fault_of_an_order_is_found_at_its_line(old: str, new: str, path: str, what: str, do: str) -> None:
    found = examined(text_of("outpost", (old, new)), "freeform").findings
    here = [one for one in found if one.path == path]
    assert here, found
    assert what in here[0].what
    assert do in here[0].remedy
    assert here[0].line > 1


def test_fixture_has_no_findings() -> None:
    assert not examined(text_of("outpost"), "freeform").findings
