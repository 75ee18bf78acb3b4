"""In Red Coat Rags Attired, 3 and 4: activating a unit, its actions, the fire between them, close combat."""

import re

import pytest

from tests.face.domain import (
    DiceRolled,
    MarkerSet,
    StepClosed,
    StepPassed,
    UnitChanged,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
    offers,
    pieces,
    pieces_of,
    red_coat_rags_TITLE as TITLE,
)
from tests.face.testing import Story
from tests.titles.red_coat_rags_table import (
    BASE,
    KING,
    PARLIAMENT,
    WORDS,
    change,
    disrupt,
    face_to_face,
    finish,
    lock,
    says,
    table,
    to_actions,
    to_activation,
)


class Test3Activation:
    def test_activation_compares_each_die_with_the_quality(self) -> None:
        story = to_activation(table()).when(says(KING, "activate", 3, 2, 6, unit="carrs-horse", dice=3))
        rolls = [event for event in story.events if isinstance(event, DiceRolled)]
        assert [(one.pips, one.outcome) for one in rolls] == [((3,), "success"), ((2,), "failure"), ((6,), "success")]
        story.then(MarkerSet, marker="actions", after=2, rule="3")
        story.then_open("4a")

    def test_activation_with_a_fourth_die_is_refused(self) -> None:
        story = to_activation(table()).when(says(KING, "activate", 6, 6, 6, 6, unit="carrs-horse", dice=4))
        story.then_refused(
            "too-many-dice", rule="3", unit="carrs-horse", given=4, limit=3, reason="one-for-each-action"
        )

    def test_activation_without_dice_is_refused(self) -> None:
        story = to_activation(table()).when(says(KING, "activate", unit="carrs-horse", dice=0))
        story.then_refused("too-many-dice", rule="3", given=0, limit=3, reason="one-for-each-action")

    def test_white_cubes_go_to_one_die_each(self) -> None:
        story = to_activation(table())
        story.when(says(KING, "activate", 3, 2, unit="forlorn", dice=2, cubes=[{"ashby": 1}, {"ashby": 1}]))
        rolls = [(event.total, event.outcome) for event in story.events if isinstance(event, DiceRolled)]
        assert rolls == [(4, "success"), (3, "failure")]
        assert story.game.units["ashby"].get("cubes") == 0

    def test_cube_spent_on_two_dice_is_refused(self) -> None:
        story = to_activation(change(table(), "ashby", "cubes", 1))
        story.when(says(KING, "activate", 3, 2, unit="forlorn", dice=2, cubes=[{"ashby": 1}, {"ashby": 1}]))
        story.then_refused("no-cubes-left", rule="3", limit=0)

    def test_cubes_for_a_die_that_is_not_rolled_are_refused(self) -> None:
        story = to_activation(table())
        story.when(says(KING, "activate", 3, unit="forlorn", dice=1, cubes=[{}, {"ashby": 1}]))
        story.then_refused("wrong-number-of-cubes", rule="3", given=2)

    def test_activation_with_the_wrong_wing_is_refused(self) -> None:
        story = to_activation(table()).when(says(KING, "activate", 5, wing="left", unit="carrs-horse", dice=1))
        story.then_refused("other-wing", rule="3", unit_wing="right")

    def test_unit_activated_twice_in_a_phase_is_refused(self) -> None:
        story = finish(to_actions(table(), "forlorn")).play(says(KING, "done"))
        story.play(says(KING, "done", answer="another"))
        story.when(says(KING, "activate", 6, unit="forlorn", dice=1))
        story.then_refused(
            "cannot-be-activated", rule="3", unit="forlorn", left="carrs-horse, tyldesley", reason="tried-already"
        )

    def test_only_a_unit_is_activated_not_a_piece(self) -> None:
        story = to_activation(table()).when(says(KING, "activate", 6, unit="forlorn-1", dice=1))
        story.then_refused("wrong-kind", rule="3", wanted="unit", kind="shot")

    def test_activation_of_an_enemy_unit_is_refused(self) -> None:
        story = to_activation(table()).when(says(KING, "activate", 6, unit="blues", dice=1))
        story.then_refused("piece-of-another-side", rule="3", owner="Parliament")

    def test_activation_without_success_ends_the_phase(self) -> None:
        story = to_activation(table()).when(says(KING, "activate", 2, 1, unit="tyldesley", dice=2))
        assert [event.outcome for event in story.events if isinstance(event, DiceRolled)] == ["failure", "failure"]
        story.then(MarkerSet, marker="failed", after="tyldesley", rule="3")
        story.then(StepClosed, step="3", answer="failed", to="6")
        story.then(StepPassed, step="6")
        story.then(MarkerSet, marker="phasing", before=KING, after=PARLIAMENT, rule="11")
        story.then_open("2a")

    def test_phase_ends_without_any_activation(self) -> None:
        story = to_activation(table()).when(says(KING, "done", answer="none"))
        story.then(StepClosed, step="3", answer="none", to="11")
        story.then_open("2a")

    def test_only_the_dice_say_that_it_succeeded(self) -> None:
        story = to_activation(table()).when(says(KING, "done", answer="activated"))
        story.then_refused("not-an-answer", rule="3", answer="activated", choices="none")


class Test3ActivationTable:
    """The scenario's own tables, by the number of dice: failed dice may cost the next unit dice."""

    def column(self) -> Story:
        story = table(WORDS).play(says("column", "roll-initiative", 6), says("garrison", "roll-initiative", 1))
        return story.play(says("column", "done"), says("column", "done")).then_open("3")

    def test_two_of_three_successes_cost_the_next_unit_a_die(self) -> None:
        story = self.column().when(says("column", "activate", 3, 6, 1, unit="redcoats", dice=3))
        story.then(MarkerSet, marker="actions", after=2)
        story.then(MarkerSet, marker="fewer_dice", after=1)
        finish(story, "column").play(says("column", "done"))
        story.play(says("column", "done", answer="another"))
        story.when(says("column", "activate", 6, 6, 6, unit="greycoats", dice=3))
        story.then_refused("too-many-dice", rule="3", given=3, limit=2, reason="dice-lost")

    def test_lost_die_counts_for_the_next_activation_only(self) -> None:
        story = self.column().play(says("column", "activate", 3, 6, 1, unit="redcoats", dice=3))
        finish(story, "column").play(says("column", "done"))
        story.play(says("column", "done", answer="another"))
        story.when(says("column", "activate", 6, 6, unit="greycoats", dice=2))
        story.then(MarkerSet, marker="fewer_dice", before=1, after=None)

    def test_all_of_several_failing_end_the_phase(self) -> None:
        story = self.column().when(says("column", "activate", 1, 2, unit="redcoats", dice=2))
        story.then(MarkerSet, marker="failed", after="redcoats")
        story.then_open("2a")

    def test_single_failed_die_costs_its_action_only(self) -> None:
        story = self.column().when(says("column", "activate", 1, unit="redcoats", dice=1))
        story.then(MarkerSet, marker="actions", after=0)
        story.when(says("column", "move-piece", piece="redcoats-1", path=["on the bridge"]))
        story.then_refused("no-action-left", rule="4a", action="move", given=0, was_rolled="were")


class Test4aActions:
    def test_piece_moves_along_a_path_within_its_allowance(self) -> None:
        story = to_actions(table())
        story.when(says(KING, "move-piece", piece="forlorn-1", path=["19,15", "21,15"], facing="NNE"))
        story.then(UnitMoved, unit="forlorn-1", path=("19,12", "19,15", "21,15"), rule="4a")
        story.then(UnitChanged, unit="forlorn-1", attribute="facing", after="NNE")

    def test_move_longer_than_the_allowance_by_its_path_is_refused(self) -> None:
        story = to_actions(table())
        story.when(says(KING, "move-piece", piece="forlorn-1", path=["19,16", "19,13"]))
        story.then_refused("too-far", rule="4a", given="7", measure="inches", limit="6")

    def test_every_piece_of_the_unit_moves_in_one_action(self) -> None:
        story = to_actions(table(), dice=1)
        story.play(says(KING, "move-piece", piece="forlorn-1", path=["19,15"]))
        story.when(says(KING, "move-piece", piece="forlorn-2", path=["21,15"])).then(UnitMoved, unit="forlorn-2")

    def test_second_move_of_a_piece_is_refused_by_one_of_each(self) -> None:
        """Red Coat Rags Attired 3: one of each action, so the second die is for another one."""
        story = to_actions(table(), dice=2).play(says(KING, "move-piece", piece="forlorn-1", path=["19,15"]))
        story.when(says(KING, "move-piece", piece="forlorn-1", path=["19,18"]))
        story.then_refused("action-taken-already", rule="4a", action="move")
        story.play(says(KING, "move-piece", piece="forlorn-2", path=["21,15"]), says(KING, "form", formation="line"))
        assert story.game.markers["taken"] == ("move", "formation")

    def test_second_move_counts_as_an_action_by_option(self) -> None:
        story = to_actions(table(options={"actions_repeat": True}), dice=2)
        story.play(says(KING, "move-piece", piece="forlorn-1", path=["19,15"]))
        story.when(says(KING, "move-piece", piece="forlorn-1", path=["19,18"]))
        story.then(MarkerSet, marker="taken", after=("move", "move"))
        story.when(says(KING, "move-piece", piece="forlorn-1", path=["19,19"]))
        story.then_refused("no-action-left", rule="4a", action="move", given=2, was_rolled="were")

    def test_action_beyond_the_successes_is_refused(self) -> None:
        story = to_actions(table(), dice=1).play(says(KING, "move-piece", piece="forlorn-1", path=["19,15"]))
        story.when(says(KING, "form", formation="line"))
        story.then_refused("no-action-left", rule="4a", action="formation", given=1, was_rolled="was", pieces="move")

    def test_special_action_named_as_an_ordinary_one_is_refused(self) -> None:
        story = to_actions(table(), dice=2).when(says(KING, "special-action", what="Move"))
        story.then_refused("not-a-special-action", rule="4a", action="Move")

    def test_piece_turns_in_place_as_its_move(self) -> None:
        story = to_actions(table(), dice=1).when(
            says(KING, "move-piece", piece="forlorn-1", path=["19,12"], facing="W")
        )
        story.then(UnitChanged, unit="forlorn-1", attribute="facing", before="S", after="W")
        story.then_not(UnitMoved)
        story.when(says(KING, "move-piece", piece="forlorn-2", path=["21,12"], facing="S"))
        story.then_refused("already-there", rule="4a", at="21,12")

    def test_facing_in_free_words_is_refused(self) -> None:
        story = to_actions(table()).when(says(KING, "move-piece", piece="forlorn-1", path=["19,15"], facing="the ford"))
        story.then_refused(
            "unreadable-order", rule="order move-piece", error="Invalid enum value 'the ford' - at `$.facing`"
        )

    def test_actions_come_in_any_order(self) -> None:
        story = to_actions(table(), dice=3)
        story.play(
            says(KING, "form", formation="line"),
            says(KING, "move-piece", piece="forlorn-1", path=["19,15"]),
            says(KING, "special-action", what="cheer"),
        )
        assert story.game.markers["taken"] == ("formation", "move", "cheer")

    def test_change_of_formation_shifts_pieces(self) -> None:
        story = to_actions(table()).when(says(KING, "form", formation="column", places={"forlorn-2": "19,11"}))
        story.then(UnitChanged, unit="forlorn", attribute="formation", after="column")
        story.then(UnitMoved, unit="forlorn-2", path=("21,12", "19,11"), cause="column")

    def test_formation_shift_beyond_the_allowance_is_refused(self) -> None:
        story = to_actions(table())
        story.when(says(KING, "form", formation="column", places={"forlorn-1": "19,18.5"}))
        story.then_refused("too-far", rule="4a", given="6.5", measure="inches", limit="6")
        story.when(says(KING, "form", formation="column", places={"forlorn-1": "19,18"})).then(UnitMoved)

    def test_change_to_the_same_formation_is_refused(self) -> None:
        story = to_actions(table(), dice=3).play(says(KING, "form", formation="column"))
        story.when(says(KING, "form", formation="column")).then_refused(
            "formation-already", rule="4a", formation="column"
        )

    def test_formation_shift_of_a_locked_piece_is_refused(self) -> None:
        story = to_actions(lock(table(), "forlorn-2", "blues-3", "blues-2"))
        story.when(says(KING, "form", formation="column", places={"forlorn-2": "19,11"}))
        story.then_refused("piece-corner-locked", rule="4a")

    def test_pieces_of_other_units_do_nothing(self) -> None:
        story = to_actions(table()).when(says(KING, "move-piece", piece="carrs-1", path=["34,12"]))
        story.then_refused("not-in-active-unit", rule="4a", unit="forlorn", left="forlorn-1, forlorn-2")

    def test_other_player_in_4a_may_only_fire(self) -> None:
        story = to_actions(table()).when(says(PARLIAMENT, "move-piece", piece="blues-1", path=["9,19"]))
        story.then_refused("only-fire", rule="4a", phasing="The King")
        story.when(says(PARLIAMENT, "special-action", what="jeer")).then_refused("only-fire", rule="4a")

    def test_change_after_a_special_action_is_recorded(self) -> None:
        story = to_actions(table()).play(says(KING, "special-action", what="light matches"))
        story.when(says(KING, "change", unit="forlorn-1", attribute="match", to="lit"))
        story.then(UnitChanged, unit="forlorn-1", attribute="match", after="lit")

    def test_change_of_side_or_of_another_unit_is_refused(self) -> None:
        story = to_actions(table())
        story.when(says(PARLIAMENT, "change", unit="forlorn-1", attribute="side", to=PARLIAMENT))
        story.then_refused("wait-for-others", rule="4a", order="change", side="Parliament", step="4a", may="The King")
        story.when(says(KING, "change", unit="blues-1", attribute="side", to=KING))
        story.then_refused("belongs-to-another-side", rule="4a", named="blues-1", owner="Parliament", kind="a unit")
        story.when(says(KING, "change", unit="carrs-1", attribute="match", to="lit"))
        story.then_refused(
            "unit-not-in-this-step", rule="4a", unit="carrs-1", can="forlorn, forlorn-1, forlorn-2, forlorn-command"
        )

    def test_change_of_printed_or_ruled_attributes_is_refused(self) -> None:
        story = to_actions(table())
        for attribute, to in (("qv", 1), ("disrupted", False), ("red_cube", "loaded"), ("did", [])):
            story.when(says(KING, "change", unit="forlorn-1", attribute=attribute, to=to))
            story.then_refused(
                "written-by-the-rules-alone", rule="4a", order="change", written=f"{attribute} of forlorn-1"
            )

    def test_change_without_a_special_action_is_refused(self) -> None:
        """Red Coat Rags Attired 4a: `change` records the result of a special action, so there must be one."""
        story = to_actions(table()).play(says(KING, "form", formation="line"))
        story.when(says(KING, "change", unit="forlorn-1", attribute="match", to="lit"))
        story.then_refused("special-action-not-taken", rule="4a", unit="forlorn")
        story.when(says(KING, "change", unit="forlorn-1", attribute="facing", to="W")).then_refused(
            "special-action-not-taken", rule="4a"
        )

    def test_roll_without_a_special_action_is_refused(self) -> None:
        story, step = to_actions(table()), TITLE.plan.step("4a")
        assert step is not None
        assert "roll" not in offers(TITLE, story.game, step, KING)
        story.when(says(KING, "roll", 4, dice="1d6", purpose="do the trumpets carry"))
        story.then_refused("special-action-not-taken", rule="4a", unit="forlorn")
        story.play(says(KING, "special-action", what="sound the charge"))
        assert "roll" in offers(TITLE, story.game, step, KING)
        story.when(says(KING, "roll", 4, dice="1d6", purpose="do the trumpets carry")).then(DiceRolled, total=4)

    def test_facing_changed_by_a_special_action_is_a_point(self) -> None:
        story = to_actions(lock(table(), "forlorn-2", "blues-3", "blues-2"))
        story.play(says(KING, "special-action", what="wheel"))
        story.when(says(KING, "change", unit="forlorn-1", attribute="facing", to="west"))
        story.then_refused(
            "not-a-direction",
            rule="4a",
            direction="west",
            directions=(
                "N",
                "NNE",
                "NE",
                "ENE",
                "E",
                "ESE",
                "SE",
                "SSE",
                "S",
                "SSW",
                "SW",
                "WSW",
                "W",
                "WNW",
                "NW",
                "NNW",
            ),
        )
        story.when(says(KING, "change", unit="forlorn-1", attribute="facing", to="W"))
        story.then(UnitChanged, unit="forlorn-1", attribute="facing", after="W")
        story.when(says(KING, "change", unit="forlorn-2", attribute="facing", to="W"))
        story.then_refused("locked-cannot-turn", rule="4a")

    def test_done_in_4a_requires_the_answer_finished(self) -> None:
        story = (
            to_actions(table())
            .when(says(KING, "done"))
            .then_refused("answer-missing", rule="4a", step="4a", choices="finished")
        )
        story.when(says(KING, "done", answer="fire")).then_refused(
            "not-an-answer", rule="4a", answer="fire", choices="finished"
        )

    def test_move_to_the_present_place_is_refused(self) -> None:
        story = to_actions(table()).when(says(KING, "move-piece", piece="forlorn-1", path=["19,12"]))
        story.then_refused("already-there", rule="4a", unit="forlorn-1", at="19,12")

    def test_unit_without_pieces_can_only_finish(self) -> None:
        story = to_actions(table())
        for piece in ("forlorn-1", "forlorn-2"):
            story.given(UnitRemoved(unit=piece, fate="removed", at=story.game.units[piece].at))
        story.when(says(KING, "special-action", what="cheer"))
        story.then_refused("unit-has-no-piece-left", rule="4a")
        finish(story).then_open("5")


def near(story: Story, *, dice: int = 3) -> Story:
    """Activate the forlorn hope within reach of the Blues' muskets."""
    for piece in ("forlorn-1", "forlorn-2"):
        change(story, piece, "range", 12)
    return to_actions(story, dice=dice)


class Test4bFire:
    def test_fire_opens_4b_at_once_and_returns_to_4a(self) -> None:
        story = near(table()).play(says(KING, "fire", piece="forlorn-1", target="blues-4")).then_open("4b")
        story.play(says(KING, "resolve-fire", 3, 3)).then_open("4a")

    def test_fire_adds_factor_and_modifiers_to_each_die(self) -> None:
        story = near(table()).play(says(KING, "fire", piece="forlorn-1", target="blues-4"))
        more = [{"amount": 1, "source": "close range"}]
        story.when(says(PARLIAMENT, "resolve-fire", 5, 3, firing=more))
        first, second = [event for event in story.events if isinstance(event, DiceRolled)]
        assert (first.total, second.total) == (7, 4)
        assert [one.amount for one in first.modifiers] == [1, 1]
        assert "forlorn-1" in first.modifiers[0].source
        assert first.modifiers[1].source == "close range"
        assert (second.table, second.row, second.rule) == ("fire", "2..4", "4b")
        story.then(UnitChanged, unit="blues-4", attribute="disrupted", after=True)

    def test_fire_unloads_the_red_cube(self) -> None:
        story = near(table()).play(says(KING, "fire", piece="forlorn-1", target="blues-4"))
        story.when(says(KING, "resolve-fire", 1, 6))
        story.then(UnitChanged, unit="forlorn-1", attribute="red_cube", before="loaded", after="unloaded", rule="4b")

    def test_piece_destroyed_by_fire_leaves_a_casualty_marker(self) -> None:
        story = near(table()).play(says(KING, "fire", piece="forlorn-1", target="blues-4"))
        story.when(says(KING, "resolve-fire", 6, 1))
        assert named(story.then(UnitRemoved, unit="blues-4", fate="destroyed", rule="4b").cause) == ["forlorn-1"]
        story.then(UnitPlaced, unit="blues-4-casualty", kind="casualty marker", at="15,20")

    def test_fire_at_a_target_removed_before_the_dice_is_refused(self) -> None:
        """Take the target off as the referee before the dice are rolled."""
        story = near(table()).play(says(KING, "fire", piece="forlorn-1", target="blues-4"))
        story.given(UnitRemoved(unit="blues-4", fate="removed", at=story.game.units["blues-4"].at))
        story.when(says(KING, "resolve-fire", 6, 1)).then_refused("no-fire-declared", rule="4b")
        story.play(says(KING, "done"), says(PARLIAMENT, "done")).then_open("4a")

    def test_fire_is_at_a_combat_piece(self) -> None:
        story = near(table()).when(says(KING, "fire", piece="forlorn-1", target="blues-command"))
        story.then_refused("not-a-combat-piece", rule="4a", kind="line command")

    def test_fire_of_an_unloaded_piece_is_refused(self) -> None:
        story = change(near(table()), "forlorn-1", "red_cube", "unloaded")
        story.when(says(KING, "fire", piece="forlorn-1", target="blues-4"))
        story.then_refused("cannot-fire-unloaded", rule="4a")

    def test_fire_of_a_piece_without_muskets_is_refused(self) -> None:
        story = to_actions(table(), "carrs-horse").when(says(KING, "fire", piece="carrs-1", target="rudds-1"))
        story.then_refused("cannot-fire", rule="4a", piece="carrs-1")

    def test_loading_is_an_action(self) -> None:
        story = change(near(table()), "forlorn-1", "red_cube", "unloaded")
        story.when(says(KING, "load"))
        story.then(UnitChanged, unit="forlorn-1", attribute="red_cube", after="loaded")
        story.then(MarkerSet, marker="taken", after=("load",))

    def test_load_of_a_loaded_piece_is_refused(self) -> None:
        story = near(table()).when(says(KING, "load", pieces=["forlorn-1"]))
        story.then_refused("all-loaded-already", rule="4a")

    def test_fire_out_of_range_is_refused(self) -> None:
        story = near(table()).when(says(KING, "fire", piece="forlorn-1", target="rudds-1"))
        story.then_refused("out-of-range", rule="4a", limit="12")

    def test_fire_at_an_own_piece_is_refused(self) -> None:
        story = near(table()).when(says(KING, "fire", piece="forlorn-1", target="tyldesley-1"))
        story.then_refused("own-piece", rule="4a")

    def test_piece_firing_twice_in_an_action_is_refused(self) -> None:
        story = near(table(), dice=1).play(says(KING, "fire", piece="forlorn-1", target="blues-4"))
        story.play(says(KING, "resolve-fire", 1, 1))
        change(story, "forlorn-1", "red_cube", "loaded")
        story.when(says(KING, "fire", piece="forlorn-1", target="blues-4"))
        story.then_refused("action-taken-already", rule="4a")

    def test_fire_step_ended_without_dice_is_refused(self) -> None:
        story = near(table()).play(says(KING, "fire", piece="forlorn-1", target="blues-4"))
        story.when(says(KING, "done")).then_refused(
            "orders-required",
            rule="4b",
            orders=("resolve-fire",),
        )

    def test_disrupted_target_disrupted_again_is_unchanged(self) -> None:
        story = disrupt(near(table()), "blues-4").play(says(KING, "fire", piece="forlorn-1", target="blues-4"))
        story.when(says(KING, "resolve-fire", 5, 2)).then_not(UnitRemoved).then_not(UnitChanged, unit="blues-4")


class Test4OpportunityFire:
    def fire(self, piece: str = "blues-4", target: str = "forlorn-1") -> dict[str, object]:
        return says(PARLIAMENT, "fire", piece=piece, target=target, kind="opportunity")

    def enemy_in_reach(self) -> Story:
        return near(change(table(), "blues-4", "range", 12))

    def test_opportunity_fire_between_actions_returns_to_4a(self) -> None:
        story = self.enemy_in_reach().play(says(KING, "move-piece", piece="forlorn-1", path=["19,14"]))
        story.when(self.fire()).then(MarkerSet, marker="firing", after="blues-4", cause="opportunity fire")
        story.play(says(PARLIAMENT, "resolve-fire", 5, 2)).then_open("4a")
        story.when(says(KING, "move-piece", piece="forlorn-2", path=["21,14"])).then(UnitMoved, unit="forlorn-2")

    def test_opportunity_fire_costs_the_unit_no_action(self) -> None:
        story = self.enemy_in_reach().play(self.fire(), says(PARLIAMENT, "resolve-fire", 5, 2))
        assert story.game.markers["taken"] == ()

    def test_its_red_cube_is_the_limit(self) -> None:
        story = self.enemy_in_reach().play(self.fire(), says(PARLIAMENT, "resolve-fire", 1, 2))
        story.when(self.fire()).then_refused("cannot-fire-unloaded", rule="4a")

    def test_opportunity_fire_at_another_unit_is_refused(self) -> None:
        story = change(self.enemy_in_reach(), "blues-4", "range", 0)
        story.when(self.fire(target="tyldesley-1"))
        story.then_refused("fire-at-active-unit-only", rule="4a", targets="forlorn-1, forlorn-2")

    def test_unit_destroyed_by_opportunity_fire_ends_its_actions(self) -> None:
        story = self.enemy_in_reach().given(UnitRemoved(unit="forlorn-2", fate="destroyed"))
        story.play(self.fire()).when(says(PARLIAMENT, "resolve-fire", 6, 1)).then(UnitRemoved, unit="forlorn-1")
        story.then_open("5")


class Test4OpportunityFireRequest:
    def test_4a_is_not_over_before_the_other_player_has_answered(self) -> None:
        story = near(change(table(), "blues-4", "range", 12)).play(says(KING, "done", answer="finished"))
        story.then_open("4a.answer")
        assert story.game.cursor.waiting() == (PARLIAMENT,)
        story.when(says(KING, "done")).then_refused(
            "step-of-another-side", rule="4a.answer", seat="king", sides="Parliament"
        )
        story.when(says(PARLIAMENT, "move-piece", piece="blues-1", path=["9,19"])).then_refused(
            "not-allowed-now", rule="4", orders=("fire", "done")
        )
        story.play(says(PARLIAMENT, "done", answer="none")).then_open("5")

    def test_unit_acts_again_after_defensive_fire(self) -> None:
        story = near(change(table(), "blues-4", "range", 12)).play(says(KING, "done", answer="finished"))
        story.play(says(PARLIAMENT, "fire", piece="blues-4", target="forlorn-1", kind="defensive")).then_open("4b")
        story.play(says(PARLIAMENT, "resolve-fire", 5, 2)).then_open("4a")
        story.when(says(KING, "move-piece", piece="forlorn-2", path=["21,14"])).then(UnitMoved, unit="forlorn-2")

    def test_defensive_fire_without_a_loaded_piece_is_passed(self) -> None:
        story = near(table())
        for piece in pieces(story.game, PARLIAMENT):
            if piece.get("red_cube"):
                change(story, piece.id, "red_cube", "unloaded")
        story.when(says(KING, "done", answer="finished")).then(StepPassed, step="4a.answer")
        story.then_open("5")


def named(cause: str) -> list[str]:
    """Return the pieces that the cause of an event names, without its words."""
    return re.findall(r"[a-z]+-\d+", cause)


TWO_ON_ONE = (("carrs-1", "rudds-2"), ("carrs-2", "rudds-2"))
CHAIN = (("carrs-1", "rudds-1"), ("carrs-2", "rudds-1"), ("carrs-2", "rudds-2"))


def in_a_chain(story: Story, pairs: tuple[tuple[str, str], ...]) -> Story:
    """Place two against two; for `CHAIN` the inner ones touch two enemies edge to edge."""
    moves = (("carrs-2", "35.5,18.5"), ("rudds-1", "34.75,20"), ("rudds-2", "36.25,20")) if pairs == CHAIN else ()
    for piece, place in moves:
        story.given(UnitMoved(unit=piece, path=(story.game.units[piece].at, place)))
    return story


def charging(story: Story | None = None, *pairs: tuple[str, str]) -> Story:
    """Put Carr's horse edge to edge with Rudd's, and finish its actions."""
    story = in_a_chain(face_to_face(to_actions(story or table(), "carrs-horse")), pairs)
    for piece, foe in pairs or (("carrs-1", "rudds-1"),):
        story.play(says(KING, "engage", piece=piece, enemy=foe))
    return finish(story).then_open("4c")


class Test4cCloseCombat:
    def test_close_combat_follows_the_last_action(self) -> None:
        charging()

    def test_close_combat_adds_the_factor_to_each_die(self) -> None:
        story = charging().when(says(KING, "resolve-close", 5, 2, piece="carrs-1", enemy="rudds-1"))
        rolls = [event for event in story.events if isinstance(event, DiceRolled)]
        assert [(one.total, one.rule) for one in rolls] == [(7, "4c"), (4, "4c")]
        assert rolls[1].outcome == "carrs-1 +3: piece stands, enemy disrupted"
        story.then(UnitChanged, unit="rudds-1", attribute="disrupted", after=True)
        story.then_open("5")

    def test_close_combat_ends_the_contact(self) -> None:
        story = charging().play(says(PARLIAMENT, "resolve-close", 3, 3, piece="carrs-1", enemy="rudds-1"))
        assert not story.game.units["carrs-1"].get("contact")

    def test_but_some_stay_corner_locked(self) -> None:
        story = charging().play(says(KING, "resolve-close", 3, 3, piece="carrs-1", enemy="rudds-1"))
        assert story.game.units["carrs-1"].get("locked") == ("rudds-1",)
        assert story.game.units["rudds-1"].get("locked") == ("carrs-1",)

    def test_close_combat_locks_no_third_corner(self) -> None:
        story = lock(charging(), "carrs-1", "rudds-2", "rudds-3")
        story.play(says(KING, "resolve-close", 3, 3, piece="carrs-1", enemy="rudds-1"))
        assert story.game.units["carrs-1"].get("locked") == ("rudds-2", "rudds-3")
        assert not story.game.units["rudds-1"].get("locked")

    def test_close_combat_badly_lost_destroys_the_piece(self) -> None:
        story = charging().when(says(KING, "resolve-close", 1, 6, piece="carrs-1", enemy="rudds-1"))
        assert named(story.then(UnitRemoved, unit="carrs-1", fate="destroyed", rule="4c").cause) == ["rudds-1"]
        story.then(UnitPlaced, unit="carrs-1-casualty", kind="casualty marker")

    def test_every_pair_is_resolved(self) -> None:
        story = charging(None, ("carrs-1", "rudds-1"), ("carrs-3", "rudds-3"))
        story.play(says(KING, "resolve-close", 5, 2, piece="carrs-1", enemy="rudds-1")).then_open("4c")
        story.when(says(KING, "done")).then_refused(
            "orders-required",
            rule="4c",
            says="`resolve-close`: carrs-3 with rudds-3",
            orders=("resolve-close",),
        )
        story.play(says(KING, "resolve-close", 5, 2, piece="carrs-3", enemy="rudds-3")).then_open("5")

    def test_two_against_one_are_three_dice_of_one_throw(self) -> None:
        """Red Coat Rags Attired 4c: one die for each piece in edge contact, compared, then applied."""
        story = charging(None, *TWO_ON_ONE).when(says(KING, "resolve-close", 3, 4, piece="carrs-1", enemy="rudds-2"))
        story.then_refused("wrong-number-of-pips", rule="dice", dice="carrs-1 1, carrs-2 1, rudds-2 1")
        story.when(says(KING, "resolve-close", 3, 5, 4, piece="carrs-2", enemy="rudds-2"))
        rolls = [event for event in story.events if isinstance(event, DiceRolled)]
        assert [(one.purpose, one.total) for one in rolls] == [
            ("close: carrs-1 against rudds-2", 5),
            ("close: carrs-2 against rudds-2", 7),
            ("close: rudds-2 against carrs-1 and carrs-2", 6),
        ]
        assert rolls[2].outcome == (
            "carrs-1 -1 against rudds-2: piece stands, enemy stands, lock True;"
            " carrs-2 +1 against rudds-2: piece stands, enemy stands, lock True"
        )
        story.then_open("5")

    @pytest.mark.parametrize("pips", [(1, 6, 6), (6, 1, 1), (6, 6, 1), (3, 3, 3), (1, 1, 6), (2, 6, 4)])
    def test_close_combat_of_three_ignores_the_order_of_pairs(self, pips: tuple[int, ...]) -> None:
        """Red Coat Rags Attired 4c: neither the pair that is typed first nor its seat decides."""
        ends = []
        for piece, enemy in TWO_ON_ONE:
            for seat in (KING, PARLIAMENT):
                story = charging(None, *TWO_ON_ONE)
                story.play(says(seat, "resolve-close", *pips, piece=piece, enemy=enemy)).then_open("5")
                ends.append((story.game.units, dict(story.game.markers)))
        assert all(one == ends[0] for one in ends)

    def test_piece_that_is_destroyed_counts_against_all_its_enemies(self) -> None:
        """Rule 4c: 6+2 against 1+2 destroys each enemy; rudds-2 against carrs-2 counts although carrs-1 destroys it."""
        story = charging(None, *TWO_ON_ONE).when(says(KING, "resolve-close", 6, 1, 1, piece="carrs-1", enemy="rudds-2"))
        assert named(story.then(UnitRemoved, unit="rudds-2").cause) == ["carrs-1"]
        assert not story.game.units["carrs-2"].get("locked"), "its enemy is gone"
        story = charging(None, *TWO_ON_ONE).when(says(KING, "resolve-close", 6, 1, 4, piece="carrs-1", enemy="rudds-2"))
        for piece, enemy in (("rudds-2", "carrs-1"), ("carrs-2", "rudds-2")):
            disrupted = story.then(UnitChanged, unit=piece, attribute="disrupted", after=True)
            assert named(disrupted.cause) == [enemy]

    def test_piece_that_two_enemies_destroy_falls_to_both(self) -> None:
        story = charging(None, *TWO_ON_ONE).when(says(KING, "resolve-close", 6, 6, 1, piece="carrs-1", enemy="rudds-2"))
        assert named(story.then(UnitRemoved, unit="rudds-2").cause) == ["carrs-1", "carrs-2"]
        story.then_open("5")

    def test_chain_of_four_throws_four_dice_for_three_pairs(self) -> None:
        story = charging(None, *CHAIN)
        story.when(says(KING, "resolve-close", 3, 4, 4, 3, piece="carrs-2", enemy="rudds-2")).then_open("5")
        assert len([event for event in story.events if isinstance(event, DiceRolled)]) == 4
        assert story.game.units["carrs-2"].get("locked") == ("rudds-1", "rudds-2")
        assert not any(unit.get("contact") for unit in story.game.units.values())

    def test_modifiers_of_a_group_are_given_by_piece(self) -> None:
        story, hill = charging(None, *TWO_ON_ONE), [{"amount": 2, "source": "uphill"}]
        fight = {"piece": "carrs-1", "enemy": "rudds-2", "enemy_plus": hill}
        story.when(says(KING, "resolve-close", 3, 3, 3, **fight, plus={"carrs-3": hill}))
        story.then_refused(
            "not-of-this-combat", rule="4c", strangers=("carrs-3",), pieces=("carrs-1", "carrs-2", "rudds-2")
        )
        story.when(says(KING, "resolve-close", 3, 3, 3, **fight, plus={"carrs-1": hill})).then_refused(
            "not-of-this-combat", rule="4c"
        )
        story.when(says(KING, "resolve-close", 3, 3, 3, **fight, plus={"carrs-2": hill}))
        rolls = [event for event in story.events if isinstance(event, DiceRolled)]
        assert [one.total for one in rolls] == [5, 7, 7]

    @pytest.mark.parametrize("order", [CHAIN, CHAIN[::-1]])
    @pytest.mark.parametrize("at_once", [True, False])
    def test_outcomes_read_off_the_book_wait_for_each_other(
        self, order: tuple[tuple[str, str], ...], at_once: bool
    ) -> None:
        """Rule 4c by the group's own table: dice once, every pair read, then all results happen."""
        tables = {**BASE["tables"], "close": {"by_the_book": "the club's chart"}}
        story = charging(table(tables=tables), *CHAIN)
        rows = {pair: {"piece": "stands", "enemy": "disrupted"} for pair in CHAIN}
        rows[CHAIN[0]] = {"piece": "destroyed", "enemy": "stands", "lock": True}
        left = list(order)
        if not at_once:
            story.play(says(KING, "resolve-close", 3, 4, 4, 3, piece="carrs-1", enemy="rudds-1"))
            story.when(says(KING, "done")).then_refused(
                "orders-required",
                rule="4c",
                orders=("resolve-close",),
            )
            story.when(says(KING, "resolve-close", piece="carrs-1", enemy="rudds-1"))
            story.then_refused("cannot-be-read-so", rule="4c", says="rudds-1 against carrs-1", reason="not-read-yet")
        for piece, enemy in left:
            read = {"outcome": rows[piece, enemy], "source": "the club's chart"}
            thrown = (3, 4, 4, 3) if at_once and (piece, enemy) == left[0] else ()
            assert not story.game.units["carrs-1"].fate
            story.play(says(PARLIAMENT, "resolve-close", *thrown, piece=piece, enemy=enemy, by_the_book=read))
        assert named(story.then(UnitRemoved, unit="carrs-1").cause) == ["rudds-1"]
        assert named(story.then(UnitChanged, unit="rudds-1", attribute="disrupted", after=True).cause) == ["carrs-2"]
        story.then(UnitChanged, unit="rudds-2", attribute="disrupted", after=True)
        story.then_open("5")
        assert not [one for one in story.game.markers if one.startswith(("close/", "unread/"))]

    def test_outcome_of_a_pair_is_read_once(self) -> None:
        tables = {**BASE["tables"], "close": {"by_the_book": "the club's chart"}}
        story = charging(table(tables=tables), *CHAIN)
        fight = {"piece": "carrs-1", "enemy": "rudds-1"}
        read = {"outcome": {"piece": "stands", "enemy": "stands"}, "source": "the club's chart"}
        story.play(says(KING, "resolve-close", 3, 4, 4, 3, **fight, by_the_book=read))
        story.when(says(KING, "resolve-close", **fight, by_the_book=read))
        story.then_refused("outcome-not-read", rule="4c", pair="carrs-1 with rudds-1")

    def test_die_thrown_in_an_older_edition_counts(self) -> None:
        """Continue a game begun when pairs were resolved separately: rudds-2 has rolled a 4 and keeps it."""
        story = change(charging(None, *TWO_ON_ONE), "rudds-2", "close_die", 4)
        story.when(says(KING, "resolve-close", 3, 5, piece="carrs-1", enemy="rudds-2"))
        story.then(UnitChanged, unit="rudds-2", attribute="close_die", after=None)
        assert [event.total for event in story.events if isinstance(event, DiceRolled)] == [5, 7]
        story.then_open("5")

    def test_pieces_that_are_not_in_contact_do_not_fight(self) -> None:
        story = charging().when(says(KING, "resolve-close", 5, 2, piece="carrs-2", enemy="rudds-2"))
        story.then_refused("not-in-close-combat", rule="4c", pairs="carrs-1 with rudds-1")

    def test_contact_made_twice_is_refused(self) -> None:
        story = face_to_face(to_actions(table(), "carrs-horse"))
        story.play(says(KING, "engage", piece="carrs-1", enemy="rudds-1"))
        story.when(says(KING, "engage", piece="carrs-1", enemy="rudds-1"))
        story.then_refused("contact-already", rule="4a", contact="contact")

    def test_pieces_that_do_not_touch_are_in_no_contact(self) -> None:
        story = to_actions(table(), "carrs-horse").when(says(KING, "engage", piece="carrs-1", enemy="rudds-1"))
        story.then_refused("not-touching", rule="4a", apart="10 inches apart")
        story.when(says(KING, "lock-corner", piece="carrs-1", enemy="rudds-1"))
        story.then_refused("not-touching", rule="4a")

    def test_pieces_without_facing_touch_within_their_diagonals(self) -> None:
        story = change(to_actions(table(), "carrs-horse"), "rudds-1", "facing", "")
        story.when(says(KING, "engage", piece="carrs-1", enemy="rudds-1"))
        story.then_refused("too-far-apart", rule="4a", given="10", measure="inches", limit="2.14")

    def test_where_places_are_words_the_table_has_seen_to_it(self) -> None:
        story = table(WORDS).play(says("column", "roll-initiative", 6), says("garrison", "roll-initiative", 1))
        story.play(says("column", "done"), says("column", "done"))
        story.play(says("column", "activate", 3, 6, 4, unit="redcoats", dice=3))
        ours = next(one.id for one in pieces_of(story.game, "redcoats"))
        theirs = next(one.id for one in pieces(story.game, "garrison"))
        story.when(says("column", "engage", piece=ours, enemy=theirs)).then(UnitChanged, unit=ours, attribute="contact")

    def test_lock_of_a_third_corner_is_refused(self) -> None:
        story = face_to_face(to_actions(lock(table(), "carrs-2", "rudds-1", "rudds-2"), "carrs-horse"))
        story.given(UnitMoved(unit="rudds-3", path=("38,20", "37.5,20")))
        story.when(says(KING, "lock-corner", piece="carrs-2", enemy="rudds-3"))
        story.then_refused("two-corners-locked", rule="4a")

    def test_corner_to_corner_both_are_locked(self) -> None:
        story = face_to_face(to_actions(table(), "carrs-horse"))
        story.given(UnitMoved(unit="rudds-1", path=("34,20", "32.5,20")))
        story.play(says(KING, "lock-corner", piece="carrs-1", enemy="rudds-1"))
        assert story.game.units["rudds-1"].get("locked") == ("carrs-1",)

    @pytest.mark.parametrize(("order", "other"), [("engage", "lock-corner"), ("lock-corner", "engage")])
    def test_edge_and_corner_contact_exclude_each_other(self, order: str, other: str) -> None:
        """Rule 4c: a corner lock and edge contact become each other only by a move, even if facings are unknown."""
        for facing in ("", "the ford"):
            story = to_actions(table(), "carrs-horse")
            story.given(UnitMoved(unit="carrs-1", path=("34,10", "34,18.5")))
            change(change(story, "carrs-1", "facing", facing), "rudds-1", "facing", facing)
            story.play(says(KING, order, piece="carrs-1", enemy="rudds-1"))
            story.when(says(KING, other, piece="carrs-1", enemy="rudds-1")).then_refused("contact-already", rule="4a")

    @pytest.mark.parametrize(
        ("at", "facing", "found"),
        [
            ("34,18.5", "S", "engage"),  # front to front
            ("35.2,18.5", "S", "engage"),  # side by side along 0.3, more than the slack of 0.15
            ("35.4,18.5", "S", "lock-corner"),  # along 0.1
            ("35.5,18.5", "W", "lock-corner"),
            ("34,18.5", "W", "engage"),  # its flank
            ("34,18.36", "S", "engage"),
            ("34,18.2", "S", ""),  # 0.3 away
            ("34,18.3", "SW", "lock-corner"),  # a corner of the turned piece on the edge
            ("35.7,18.3", "S", ""),
            ("34,17", "S", ""),
        ],
    )
    def test_contact_is_measured_from_places_and_facings(self, at: str, facing: str, found: str) -> None:
        """Red Coat Rags Attired 4a, 4c: rudds-1 is at 34,20, looks N and is 1.5 inches square."""
        for order in ("engage", "lock-corner"):
            story = to_actions(table(), "carrs-horse").given(UnitMoved(unit="carrs-1", path=("34,10", at)))
            change(story, "carrs-1", "facing", facing).when(says(KING, order, piece="carrs-1", enemy="rudds-1"))
            if order == found:
                story.then(UnitChanged, unit="rudds-1", after=("carrs-1",))
            else:
                refused = {"code": "other-contact", "order": found} if found else {"code": "not-touching"}
                story.then_refused(refused.pop("code"), rule="4a", **refused)

    def test_width_of_a_piece_counts_along_its_front(self) -> None:
        story = change(to_actions(table(), "carrs-horse"), "carrs-1", "width", 4)
        story.given(UnitMoved(unit="carrs-1", path=("34,10", "36.5,18.5")))
        story.when(says(KING, "engage", piece="carrs-1", enemy="rudds-1")).then(UnitChanged, attribute="contact")

    def test_piece_that_moves_on_is_in_contact_no_longer(self) -> None:
        story = face_to_face(to_actions(table(), "carrs-horse"))
        story.play(says(KING, "engage", piece="carrs-1", enemy="rudds-1"))
        story.when(says(KING, "move-piece", piece="carrs-1", path=["34,15"]))
        story.then(UnitChanged, unit="rudds-1", attribute="contact", before=("carrs-1",), after=None)
        finish(story).then_open("5")


class TestRefereeExcuses:
    def test_fire_that_is_declared_and_excused_does_not_come_back(self) -> None:
        story = near(table()).play(says(KING, "fire", piece="forlorn-1", target="blues-4"))
        story.play(says("referee", "excuse", reason="the die was lost")).then_open("4a")
        finish(story).then_open("5")

    def test_close_combat_that_is_excused_does_not_come_back(self) -> None:
        story = charging().play(says("referee", "excuse", reason="both sides agree to part"), says(KING, "done"))
        story.play(says(KING, "done", answer="another"), says(KING, "activate", 6, unit="forlorn", dice=1))
        story.play(says(KING, "done", answer="finished"))
        story.when(says(PARLIAMENT, "done", answer="none")).then(StepPassed, step="4c")
