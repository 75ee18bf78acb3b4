"""In Red Coat Rags Attired, 5 to 12 and the catch-all; the scenarios, the fixtures."""

import re
from typing import Any

import pytest

from tests.face.domain import (
    DiceRolled,
    GameEnded,
    RedCoatScenario,
    RulingMade,
    ScenarioError,
    StepOpened,
    StepPassed,
    UnitChanged,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
    offers,
    pieces_of,
    read_scenario,
    red_coat_rags_TITLE as TITLE,
    units,
    untied,
)
from tests.face.testing import Story
from tests.titles.red_coat_rags_table import (
    FIXTURES,
    KING,
    PARLIAMENT,
    change,
    disrupt,
    finish,
    fixture_orders,
    lock,
    says,
    table,
    to_actions,
    to_activation,
    to_phase,
    to_special,
    to_step,
)


class Test5SpecialMove:
    @pytest.mark.parametrize(("pip", "moves"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
    def test_special_move_die_grants_one_to_three_moves(self, pip: int, moves: int) -> None:
        story = to_special(table()).when(says(KING, "special-move", pip, officer="digby"))
        story.then(UnitChanged, unit="digby", attribute="moves_left", after=moves, rule="5")

    def test_moves_are_taken_one_after_the_other_or_together(self) -> None:
        story = to_special(table()).play(says(KING, "special-move", 5, officer="digby"))
        story.when(says(KING, "move-officer", officer="digby", path=["12,20"], moves=2))
        story.then(UnitMoved, unit="digby", path=("12,6", "12,20"))
        story.when(says(KING, "move-officer", officer="digby", path=["12,22"])).then(UnitMoved, unit="digby")

    def test_special_move_beyond_its_moves_is_refused(self) -> None:
        story = to_special(table()).play(says(KING, "special-move", 3, officer="digby"))
        story.when(says(KING, "move-officer", officer="digby", path=["12,15"]))
        story.then_refused("too-far", rule="5", given="9", measure="inches", limit="8")
        story.when(says(KING, "move-officer", officer="digby", path=["12,15"], moves=3))
        story.then_refused("too-many-moves", rule="5", limit=2, given=3)

    def test_special_move_without_the_die_is_refused(self) -> None:
        story = to_special(table()).when(says(KING, "move-officer", officer="digby", path=["12,8"]))
        story.then_refused("too-many-moves", rule="5", limit=0, do="`special-move`")

    def test_only_the_officer_of_the_activated_wing_has_it(self) -> None:
        story = to_special(table()).when(says(KING, "special-move", 3, officer="carr"))
        story.then_refused("other-wings-command", rule="5", active="digby")
        story.when(says(KING, "move-officer", officer="carr", path=["36,8"]))
        story.then_refused("other-wings-move", rule="5")

    def test_once_a_phase(self) -> None:
        story = to_special(table()).play(says(KING, "special-move", 1, officer="digby"))
        story.when(says(KING, "special-move", 1, officer="digby"))
        story.then_refused("special-move-taken", rule="5")

    def test_special_move_of_a_co_with_a_wing_is_rolled(self) -> None:
        story = to_special(table(), "saker", PARLIAMENT).when(says(PARLIAMENT, "special-move", 6, officer="waite"))
        story.then(UnitChanged, unit="waite", attribute="moves_left", after=3)

    def test_and_no_move_of_a_free_co(self) -> None:
        story = to_special(table(), "rudds-horse", PARLIAMENT)
        story.when(says(PARLIAMENT, "move-officer", officer="waite", path=["12,25"]))
        story.then_refused("other-wings-move", rule="5")

    def test_free_co_moves_once_with_each_wing(self) -> None:
        story = to_special(table()).play(says(KING, "move-officer", officer="ashby", path=["24,10"]))
        story.when(says(KING, "move-officer", officer="ashby", path=["24,12"]))
        story.then_refused("moved-with-wing", rule="5", wing="left")
        story.play(says(KING, "done"), says(KING, "done", answer="another"))
        finish(story.play(says(KING, "activate", 6, unit="carrs-horse", dice=1)))
        story.when(says(KING, "move-officer", officer="ashby", path=["24,12"])).then(UnitMoved, unit="ashby")

    def test_free_co_with_two_moves_is_refused(self) -> None:
        story = to_special(table()).when(says(KING, "move-officer", officer="ashby", path=["24,18"], moves=2))
        story.then_refused("one-move-each-wing", rule="5")

    def test_moves_that_are_not_taken_are_gone(self) -> None:
        story = to_special(table()).play(says(KING, "special-move", 6, officer="digby"))
        story.when(says(KING, "done")).then(UnitChanged, unit="digby", attribute="moves_left", before=3, after=None)

    def test_special_move_without_officers_is_passed(self) -> None:
        story = to_actions(table(), dice=1).given(
            UnitRemoved(unit="digby", fate="killed"), UnitRemoved(unit="ashby", fate="killed")
        )
        story.play(says(KING, "done", answer="finished"))
        story.when(says(PARLIAMENT, "done", answer="none")).then(StepPassed, step="5")

    def test_special_move_with_cubes_is_refused(self) -> None:
        to_special(table()).when(says(KING, "special-move", 3, officer="digby", cubes={"digby": 1})).then_refused(
            "unreadable-order", rule="order", error="Object contains unknown field `cubes`"
        )

    def test_officers_of_the_other_side_have_no_part_in_it(self) -> None:
        story = to_special(table())
        story.when(says(PARLIAMENT, "move-officer", officer="digby", path=["12,7"]))
        story.then_refused("step-of-another-side", rule="5", seat="parliament")


class Test6Repeat:
    def test_another_unit_may_be_activated(self) -> None:
        story = to_special(table()).play(says(KING, "done"))
        story.play(says(KING, "done", answer="another")).then_open("3")

    def test_enough_changes_the_phase(self) -> None:
        story = to_special(table()).play(says(KING, "done"))
        story.play(says(KING, "done", answer="enough")).then_open("2a")
        assert story.game.cursor.waiting() == (PARLIAMENT,)

    def test_repeat_after_the_last_unit_is_passed(self) -> None:
        story = table()
        for unit in ("tyldesley", "carrs-horse"):
            change(story, unit, "activated", 1)
        story = to_special(story).when(says(KING, "done"))
        story.then(StepPassed, step="6")
        story.then_open("2a")
        assert "active_unit" not in story.game.markers


class Test11PhaseChange:
    def test_turn_ends_after_the_phase_of_the_other_player(self) -> None:
        story = to_activation(table()).play(says(KING, "done", answer="none")).then_open("2a")
        story.play(says(PARLIAMENT, "done"), says(PARLIAMENT, "done"))
        story.when(says(PARLIAMENT, "done", answer="none")).then(StepOpened, step="12.end")
        story.then_open("1")
        assert story.game.turn == 2

    def test_phase_change_clears_the_markers_of_the_phase(self) -> None:
        story = to_activation(table()).play(says(KING, "activate", 1, unit="tyldesley", dice=1))
        assert not {"failed", "active_unit", "actions", "taken"} & set(story.game.markers)

    def test_side_that_failed_activates_again_next_turn(self) -> None:
        story = to_activation(table()).play(says(KING, "activate", 1, unit="tyldesley", dice=1))
        story.play(says(PARLIAMENT, "done"), says(PARLIAMENT, "done"), says(PARLIAMENT, "done", answer="none"))
        to_activation(story).play(says(KING, "activate", 6, unit="tyldesley", dice=1)).then_open("4a")

    def test_phase_change_waits_for_the_next_player_only(self) -> None:
        story = disrupt(table(), "blues-1")
        to_activation(story).play(says(KING, "done", answer="none")).then_open("2a")
        assert story.game.cursor.waiting() == (PARLIAMENT,)
        story.when(says(KING, "done")).then_refused("step-of-another-side", rule="2a", seat="king", sides="Parliament")
        story.when(says(PARLIAMENT, "done")).then_open("2c")

    def test_sequence_has_no_steps_7_to_10(self) -> None:
        """Go from 6 to 11, as printed."""
        assert not {"7", "8", "9", "10"} & set(TITLE.plan.places)


def last_phase(story: Story) -> Story:
    """Play both phases of the turn without an action; the last order is Parliament's."""
    to_phase(story).play(says(KING, "done"), says(KING, "done"), says(KING, "done", answer="none"))
    story.play(says(PARLIAMENT, "done"), says(PARLIAMENT, "done"))
    return story.when(says(PARLIAMENT, "done", answer="none"))


class Test12Victory:
    def test_side_at_its_break_value_is_beaten(self) -> None:
        lost = [UnitRemoved(unit=f"blues-{n}", fate="destroyed") for n in (1, 2, 3, 4)]
        story = last_phase(table(breaks={PARLIAMENT: 4}).given(*lost))
        story.then(GameEnded, winner=KING, rule="12")

    def test_pieces_that_withdrew_are_not_lost(self) -> None:
        gone = [UnitRemoved(unit=f"blues-{n}", fate="withdrawn") for n in (1, 2, 3, 4)]
        last_phase(table(breaks={PARLIAMENT: 4}).given(*gone)).then_not(GameEnded)

    def test_side_without_pieces_is_beaten(self) -> None:
        gone = [UnitRemoved(unit=one["id"], fate="destroyed") for one in BASE_PIECES if one["side"] == PARLIAMENT]
        story = to_activation(table()).given(*gone)
        story.when(says(KING, "done", answer="none")).then(GameEnded, winner=KING, rule="12")

    def test_both_beaten_is_a_draw(self) -> None:
        lost = [UnitRemoved(unit=one, fate="destroyed") for one in ("blues-1", "carrs-1")]
        last_phase(table(breaks={KING: 1, PARLIAMENT: 1}).given(*lost)).then(GameEnded, winner="")

    def test_last_turn_ends_the_battle(self) -> None:
        story = last_phase(table(victory={"turns": 1}))
        story.then(GameEnded, winner="", rule="12")

    def test_turn_before_the_last_opens_the_next(self) -> None:
        last_phase(table()).then_not(GameEnded).then_open("1")

    def test_conditions_in_words_are_for_the_players(self) -> None:
        story = last_phase(table(victory={"turns": 6, "conditions": "whoever holds the mill"})).then_open("12.say")
        story.when(says(PARLIAMENT, "concede")).then(GameEnded, winner=KING)

    def test_concession_is_optional(self) -> None:
        story = last_phase(table(victory={"turns": 6, "conditions": "whoever holds the mill"}))
        story.play(says(KING, "done"), says(PARLIAMENT, "done")).then_open("1")

    def test_conceding_belongs_to_the_end_of_a_turn(self) -> None:
        to_phase(table()).when(says(KING, "concede")).then_refused(
            "not-allowed-now", rule="2a", order="concede", orders=("reposition", "done")
        )

    def test_white_cubes_return_only_by_option(self) -> None:
        spent = change(table(), "digby", "cubes", 0)
        last_phase(spent).then_not(UnitChanged, unit="digby", attribute="cubes")
        spent = change(table(options={"cubes_return_each_turn": True}), "digby", "cubes", 0)
        last_phase(spent).then(UnitChanged, unit="digby", attribute="cubes", after=2)

    def test_victory_is_judged_after_both_phases(self) -> None:
        lost = [UnitRemoved(unit=f"blues-{n}", fate="destroyed") for n in (1, 2, 3, 4)]
        story = to_activation(table(breaks={PARLIAMENT: 4})).given(*lost)
        story.when(says(KING, "done", answer="none")).then_not(GameEnded).then_open("2a")

    def test_locks_and_cubes_stay_for_the_next_turn(self) -> None:
        story = lock(table(), "forlorn-1", "blues-3", "blues-4")
        story = change(lock(story, "tyldesley-1", "blues-3", "blues-4"), "forlorn-2", "red_cube", "unloaded")
        for foe in ("blues-3", "blues-4"):
            change(story, foe, "locked", ("forlorn-1", "tyldesley-1"))
        story = last_phase(story).then_open("1")
        assert story.game.turn == 2
        assert story.game.units["forlorn-1"].get("locked") == ("blues-3", "blues-4")
        assert story.game.units["forlorn-2"].get("red_cube") == "unloaded"


BASE_PIECES: list[dict[str, Any]] = [
    {"id": one.id, "side": one.side} for one in table().game.units.values() if one.get("unit") and one.kind != "unit"
]


class TestCatchAll:
    ODDS = {"1..2": "the powder is wet", "3 or more": "it fires"}  # noqa: RUF012 -- never changed

    def ask(self, *pips: int, **more: Any) -> dict[str, Any]:
        return says("referee", "let-die-decide", *pips, **{"question": "Is it dry?", "odds": self.ODDS, **more})

    def test_die_decides_and_records_question_odds_and_ruling(self) -> None:
        story = to_actions(table()).when(self.ask(2))
        story.then(StepOpened, step="catch-all")
        rolled = story.then(DiceRolled, pips=(2,), purpose="Is it dry?", rule="catch-all")
        ruling = story.then(RulingMade, ruling="the powder is wet", rule="catch-all")
        for typed in (*self.ODDS, *self.ODDS.values()):
            assert typed in rolled.needed
            assert typed in ruling.reason
        assert ruling.reason.startswith("Is it dry?")
        story.then_open("4a")

    @pytest.mark.parametrize(
        "story",
        [
            table(),
            to_phase(table()),
            to_step(disrupt(table(), "carrs-1", "carrs-2"), "2b"),
            to_step(disrupt(table(), "carrs-1"), "2c"),
            to_activation(table()),
            to_actions(table()),
            to_special(table()),
        ],
        ids=["1", "2a", "2b", "2c", "3", "4a", "5"],
    )
    def test_die_decides_in_every_step(self, story: Story) -> None:
        before = story.game.cursor.open
        story.when(self.ask(6)).then(RulingMade, ruling="it fires")
        assert [one.step for one in story.game.cursor.open] == [one.step for one in before]

    def test_only_the_referee_lets_it_decide(self) -> None:
        story = table().when({**self.ask(6), "as": KING})
        story.then_refused("step-of-the-referee", rule="catch-all")

    def test_referee_moves_a_piece_after_the_die(self) -> None:
        story = table()
        at = story.game.units["forlorn-1"].at
        story.when(says("referee", "move", unit="forlorn-1", path=["20,20"], cause="swept away by the ford"))
        story.then(UnitMoved, unit="forlorn-1", path=(at, "20,20"), cause="swept away by the ford")
        assert story.game.units["forlorn-1"].at == "20,20"

    @pytest.mark.parametrize("order", [{"order": "move", "path": ["19,2"]}, {"order": "remove", "fate": "withdrawn"}])
    def test_piece_taken_away_by_the_referee_unlocks_the_enemy(self, order: dict[str, object]) -> None:
        """Rule catch-all: a lock that only one of two pieces knew returned when the piece was placed again."""
        story = to_phase(lock(table(), "forlorn-1", "blues-3", "blues-2"))
        story.play({"as": "referee", "unit": "forlorn-1", **order})
        held = [one.id for one in story.game.in_play() if one.names("locked")]
        assert held == []

    def test_referee_places_a_piece_after_the_die(self) -> None:
        new = {"unit": "barrel-1", "side": KING, "kind": "marker", "at": "20,20"}
        story = table().when(says("referee", "place", **new))
        story.then(UnitPlaced, **new)
        story.when(says(KING, "place", **{**new, "unit": "barrel-2"}))
        story.then_refused("step-of-the-referee", rule="catch-all")

    @pytest.mark.parametrize("story", [to_phase(table()), to_activation(table()), to_actions(table())])
    def test_change_is_offered_to_the_referee_in_every_step(self, story: Story) -> None:
        """Rule catch-all: to record the result of the die; the phasing player needs a special action first."""
        step = TITLE.plan.step("catch-all")
        assert step is not None
        assert "change" in offers(TITLE, story.game, step, "referee")
        assert "change" not in offers(TITLE, story.game, step, KING)

    def test_every_total_needs_an_answer(self) -> None:
        story = table().when(self.ask(6, odds={"1..5": "yes"}))
        story.then_refused("odds-incomplete", rule="catch-all", total=6)

    def test_other_dice_may_be_agreed(self) -> None:
        story = table().when(self.ask(6, 6, dice="2d6", odds={"2..11": "no", "12": "a miracle"}))
        story.then(RulingMade, ruling="a miracle")

    def test_referee_records_the_result_of_the_die(self) -> None:
        story = to_actions(table()).play(self.ask(1))
        story.when(says("referee", "change", unit="forlorn-1", attribute="red_cube", to="unloaded"))
        story.then(UnitChanged, unit="forlorn-1", attribute="red_cube", after="unloaded")
        story.then_open("4a")


class TestLosses:
    def test_unit_without_pieces_is_not_counted(self) -> None:
        """Keep its counter on the table until a player removes it."""
        story = table()
        assert "forlorn" in [one.id for one in units(story.game, KING)]
        for piece in pieces_of(story.game, "forlorn"):
            story.given(UnitRemoved(unit=piece.id, fate="destroyed", at=piece.at))
        assert "forlorn" not in [one.id for one in units(story.game, KING)]

    def test_pieces_lost_together_unlock_only_those_that_stay(self) -> None:
        """Emit no event about a lost piece, even if it was locked with another."""
        story = lock(lock(table(), "forlorn-1", "blues-3"), "forlorn-2", "blues-3")
        change(story, "blues-3", "locked", ("forlorn-1", "forlorn-2"))
        told = untied(story.game, ("forlorn-1", "blues-3"), "lost together", "4c")
        assert told == [
            UnitChanged(
                unit="forlorn-2", attribute="locked", before=("blues-3",), after=(), cause="lost together", rule="4c"
            )
        ]


class TestScenarios:
    TEXT = (FIXTURES / "scenarios" / "mill-ford.toml").read_text()

    def refused(self, old: str, new: str) -> ScenarioError:
        assert old in self.TEXT
        with pytest.raises(ScenarioError) as refusal:
            read_scenario(self.TEXT.replace(old, new, 1), RedCoatScenario)
        return refusal.value

    @pytest.mark.parametrize(
        ("old", "new", "path", "names"),
        [
            ('at = "24,4"', 'at = "the hill"', "$.officers[0].at", "'the hill'"),
            ('wing = "left"', 'wing = ""', "$.officers[1].wing", "digby FO"),
            ('wing = "left"', 'wing = "right"', "$.officers[2].wing", "right king"),
            ("[tables.fire]", "[tables.fires]", "$.tables.fires", "fires"),
            ('rows."5 or more" = { target = "destroyed" }', "", "$.tables.fire.rows", "5"),
            ('{ target = "stands" }', '{ target = "runs" }', "$.tables.fire.rows.1 or less.target", '"runs" "stands"'),
            ("victory = { turns = 6 }", "victory = { turn = 6 }", "$.victory.turn", "turn"),
            ("parliament = 7", "scots = 7", "$.breaks.scots", "scots"),
            ('unit = "saker"\nkind', 'unit = "sakers"\nkind', "$.pieces", "parliament sakers"),
            ('kind = "guns"', 'kind = "unit"', "$.pieces", "unit"),
            ('kind = "CO"', 'kind = "FO"\nwing = "x"', "$.officers", "king CO"),
        ],
    )
    def test_scenario_fault_names_its_path(self, old: str, new: str, path: str, names: str) -> None:
        error = self.refused(old, new)
        assert path in error.where
        assert all(name in error.what for name in names.split(" "))

    def test_scenario_side_without_combat_pieces_is_refused(self) -> None:
        """Remove the pieces of the King's units; officers, units and line command stay."""
        kings = r'\[\[pieces\]\]\nid = "[^"]*"\nside = "king"\n(?:[^\[\n].*\n)*'
        with pytest.raises(ScenarioError) as refusal:
            read_scenario(re.sub(kings, "", self.TEXT), RedCoatScenario)
        error = refusal.value
        assert (error.what.split()[0], error.where) == ("king", "$.pieces")


class TestFixtures:
    def play(self, name: str) -> Story:
        text = (FIXTURES / "scenarios" / f"{name}.toml").read_text()
        story = Story(table().title, read_scenario(text, RedCoatScenario))
        return story.play(*fixture_orders(name))

    def events(self, story: Story) -> list[Any]:
        return [event for taken in story.taken for event in taken.events]

    def test_mill_ford_first_turn_has_rout_casualty_and_failure(self) -> None:
        """Find a unit lost to morale, a piece lost to a natural 1, and a failed activation that ends the phase."""
        story = self.play("mill-ford")
        events = self.events(story)
        second = next(at for at, event in enumerate(events) if isinstance(event, StepOpened) and event.where.turn == 2)
        first = events[:second]
        assert any(isinstance(one, UnitRemoved) and one.rule == "2b" and one.unit == "rudds-horse" for one in first)
        assert any(isinstance(one, UnitRemoved) and one.rule == "2c" for one in first)
        assert any(isinstance(one, StepPassed) and one.step == "6" for one in first)
        assert (story.game.winner, story.game.turn) == (KING, 3)

    def test_between_them_they_open_every_step(self) -> None:
        opened = {
            event.step
            for name in ("mill-ford", "beeston-bridge")
            for event in self.events(self.play(name))
            if isinstance(event, StepOpened)
        }
        assert {step.id for step in table().title.plan.leaves()} <= opened

    def test_bridge_ends_with_a_concession(self) -> None:
        assert self.play("beeston-bridge").game.winner == "column"
