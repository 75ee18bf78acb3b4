"""In Red Coat Rags Attired, 1 and 2: initiative, and everything before the first activation."""

import pytest

from tests.face.domain import (
    DiceRolled,
    MarkerSet,
    StepPassed,
    UnitChanged,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
    offers,
    red_coat_rags_tables_ROWS as ROWS,
    red_coat_rags_TITLE as TITLE,
)
from tests.face.projections import turn_view
from tests.face.testing import Story
from tests.titles.red_coat_rags_table import (
    KING,
    PARLIAMENT,
    WORDS,
    change,
    disrupt,
    lock,
    says,
    table,
    to_activation,
    to_phase,
    to_step,
)


class Test1Initiative:
    def test_initiative_adds_the_leadership_value_of_the_co(self) -> None:
        story = table().when(says(KING, "roll-initiative", 3))
        roll = story.then(DiceRolled, total=5, rule="1", dice="1d6")
        assert [(one.amount, one.source) for one in roll.modifiers] == [(2, "LV of ashby")]

    def test_initiative_higher_total_has_the_first_phase(self) -> None:
        story = table().play(says(KING, "roll-initiative", 1)).when(says(PARLIAMENT, "roll-initiative", 3))
        story.then(MarkerSet, marker="phasing", after=PARLIAMENT, cause="highest total")
        story.then_open("2a")

    def test_initiative_tie_is_rolled_again(self) -> None:
        story = table().play(says(KING, "roll-initiative", 1)).when(says(PARLIAMENT, "roll-initiative", 2))
        story.then(MarkerSet, marker="initiative/king", before=3, after=None)
        story.then_open("1")
        assert story.game.cursor.waiting() == (KING, PARLIAMENT)

    def test_initiative_without_a_co_adds_nothing(self) -> None:
        story = table().given(UnitRemoved(unit="ashby", fate="killed"))
        story.when(says(KING, "roll-initiative", 3)).then(DiceRolled, total=3, modifiers=())

    def test_initiative_rolled_twice_by_a_side_is_refused(self) -> None:
        story = table().play(says(KING, "roll-initiative", 3))
        story.when(says(KING, "roll-initiative", 4)).then_refused(
            "initiative-decided", rule="1", side_has="The King has", other="Parliament"
        )

    def test_initiative_step_ended_without_a_roll_is_refused(self) -> None:
        table().when(says(KING, "done")).then_refused(
            "orders-required",
            rule="1",
            step_name="initiative",
            orders=("roll-initiative",),
        )

    def test_leadership_does_not_come_with_the_die(self) -> None:
        table().when(says(KING, "roll-initiative", 3, cubes={"ashby": 1})).then_refused(
            "unreadable-order", rule="order", error="Object contains unknown field `cubes`"
        )


class Test2aOfficers:
    def test_officer_repositions_within_the_allowance(self) -> None:
        story = to_phase(table()).when(says(KING, "reposition", officer="ashby", path=["24,10", "26,10"]))
        story.then(UnitMoved, unit="ashby", path=("24,4", "24,10", "26,10"), rule="2a")

    def test_officer_repositioned_beyond_the_allowance_is_refused(self) -> None:
        story = to_phase(table()).when(says(KING, "reposition", officer="ashby", path=["24,12.5"]))
        story.then_refused("too-far", rule="2a", given="8.5", measure="inches", limit="8")

    def test_officer_repositioned_twice_in_a_phase_is_refused(self) -> None:
        story = to_phase(table()).play(says(KING, "reposition", officer="digby", path=["12,8"]))
        again = story.when(says(KING, "reposition", officer="digby", path=["12,9"]))
        again.then_refused("repositioned-already", rule="2a")

    def test_only_officers(self) -> None:
        story = to_phase(table()).when(says(KING, "reposition", officer="forlorn-1", path=["19,13"]))
        story.then_refused("wrong-kind", rule="2a", wanted="CO or FO")

    def test_only_ones_own(self) -> None:
        story = to_phase(table()).when(says(KING, "reposition", officer="rudd", path=["36,25"]))
        story.then_refused("piece-of-another-side", rule="2a", owner="Parliament")

    def test_officer_of_the_other_player_is_refused(self) -> None:
        story = to_phase(table()).when(says(PARLIAMENT, "reposition", officer="rudd", path=["36,25"]))
        story.then_refused("step-of-another-side", rule="2a", sides="The King")

    def test_reposition_to_a_place_without_coordinates_is_refused(self) -> None:
        story = to_phase(table()).when(says(KING, "reposition", officer="ashby", path=["behind the mill"]))
        story.then_refused("not-a-point", rule="2a", measure="inches", example="12.5,30")

    def test_in_millimetres_it_is_the_same(self) -> None:
        officers = [
            {"id": "a", "side": KING, "kind": "CO", "at": "100,100", "move": 200},
            {"id": "b", "side": PARLIAMENT, "kind": "CO", "at": "900,900", "move": 200},
        ]
        units = [{"id": f"u-{s}", "side": s, "wing": "w", "qv": 3, "casualty_value": 1} for s in (KING, PARLIAMENT)]
        pieces = [
            {"id": f"p-{s}", "side": s, "unit": f"u-{s}", "kind": "pike", "at": "150,150", "qv": 3}
            for s in (KING, PARLIAMENT)
        ]
        story = table(measure="millimetres", officers=officers, units=units, line_command=[], pieces=pieces)
        to_phase(story).when(says(KING, "reposition", officer="a", path=["301,100"])).then_refused(
            "too-far", rule="2a", unit="a", given="201", measure="millimetres", limit="200"
        )
        story.when(says(KING, "reposition", officer="a", path=["220,260"])).then(UnitMoved, unit="a")

    def test_in_plain_words_the_table_measures(self) -> None:
        story = table(WORDS).play(says("column", "roll-initiative", 6), says("garrison", "roll-initiative", 1))
        story.when(says("column", "reposition", officer="lisle", path=["by the mill"]))
        story.then(UnitMoved, unit="lisle", path=("on the road", "by the mill"))


class Test2bMorale:
    def test_morale_is_checked_at_the_casualty_value(self) -> None:
        """At the value itself nothing is taken off."""
        story = to_step(disrupt(table(), "carrs-1", "carrs-2"), "2b")
        story.when(says(KING, "check-morale", 3, unit="carrs-horse"))
        story.then(DiceRolled, total=3, modifiers=(), outcome="stays", rule="2b")

    def test_morale_loses_1_for_each_piece_over_the_value(self) -> None:
        story = to_step(disrupt(table(), "carrs-1", "carrs-2", "carrs-3"), "2b")
        roll = story.when(says(KING, "check-morale", 3, unit="carrs-horse")).then(DiceRolled, total=2, outcome="breaks")
        assert [one.amount for one in roll.modifiers] == [-1]

    def test_morale_failed_replaces_the_unit_by_a_marker(self) -> None:
        story = to_step(disrupt(table(), "carrs-1", "carrs-2"), "2b")
        story.when(says(KING, "check-morale", 2, unit="carrs-horse"))
        gone = {event.unit for event in story.events if isinstance(event, UnitRemoved) and event.fate == "routed"}
        assert gone == {"carrs-1", "carrs-2", "carrs-3", "carrs-horse", "carrs-horse-command"}
        story.then(UnitPlaced, unit="carrs-horse-casualty", kind="unit casualty marker", at="34,10")

    def test_pieces_of_a_unit_that_failed_do_not_rally(self) -> None:
        story = to_step(disrupt(table(), "carrs-1", "carrs-2"), "2b")
        story.when(says(KING, "check-morale", 1, unit="carrs-horse")).then(StepPassed, step="2c")

    def test_break_lock_adds_1_for_a_white_cube(self) -> None:
        story = to_step(disrupt(table(), "carrs-1", "carrs-2"), "2b")
        story.when(says(KING, "check-morale", 2, unit="carrs-horse", cubes={"carr": 1}))
        story.then(DiceRolled, total=3, outcome="stays")
        story.then(UnitChanged, unit="carr", attribute="cubes", before=2, after=1)

    def test_morale_below_the_casualty_value_is_passed(self) -> None:
        to_step(disrupt(table(), "carrs-1"), "2c").then(StepPassed, step="2b")

    def test_morale_check_without_enough_disruption_is_refused(self) -> None:
        story = to_step(disrupt(table(), "carrs-1", "carrs-2"), "2b")
        story.when(says(KING, "check-morale", 5, unit="forlorn"))
        story.then_refused(
            "no-morale-check",
            rule="2b",
            unit="forlorn",
            left="carrs-horse",
            reason="below-casualty-value",
        )

    def test_morale_step_ended_before_a_check_is_refused(self) -> None:
        story = to_step(disrupt(table(), "carrs-1", "carrs-2"), "2b")
        story.when(says(KING, "done")).then_refused(
            "orders-required",
            rule="2b",
            says="`check-morale`: carrs-horse",
            orders=("check-morale",),
        )

    def test_morale_checked_twice_in_a_phase_is_refused(self) -> None:
        story = to_step(disrupt(table(), "carrs-1", "carrs-2", "forlorn-1", "forlorn-2"), "2b")
        story.play(says(KING, "check-morale", 6, unit="carrs-horse"))
        story.when(says(KING, "check-morale", 6, unit="carrs-horse"))
        story.then_refused("no-morale-check", rule="2b", unit="carrs-horse", left="forlorn", reason="checked-already")

    def test_pieces_that_are_gone_are_not_disrupted(self) -> None:
        story = disrupt(table(), "carrs-1", "carrs-2").given(UnitRemoved(unit="carrs-1", fate="destroyed"))
        to_step(story, "2c").then(StepPassed, step="2b")

    def test_morale_die_of_1_is_not_fatal(self) -> None:
        story = change(table(), "carrs-horse", "qv", 1)
        story = to_step(disrupt(story, "carrs-1", "carrs-2"), "2b")
        story.when(says(KING, "check-morale", 1, unit="carrs-horse")).then(DiceRolled, outcome="stays")

    def test_morale_passed_keeps_the_disruption(self) -> None:
        story = to_step(disrupt(table(), "carrs-1", "carrs-2"), "2b")
        story.play(says(KING, "check-morale", 6, unit="carrs-horse")).then_open("2c")
        assert all(story.game.units[one].get("disrupted") for one in ("carrs-1", "carrs-2"))

    def test_morale_failed_unlocks_the_enemy(self) -> None:
        story = lock(disrupt(table(), "carrs-1", "carrs-2"), "carrs-3", "rudds-1")
        story = to_step(story, "2b").when(says(KING, "check-morale", 1, unit="carrs-horse"))
        story.then(UnitChanged, unit="rudds-1", attribute="locked", after=())


class Test2cDisruption:
    def test_rally_at_the_quality_ends_the_disruption(self) -> None:
        story = to_step(disrupt(table(), "forlorn-1"), "2c").when(says(KING, "rally", 4, piece="forlorn-1"))
        story.then(DiceRolled, outcome="rallied", rule="2c")
        story.then(UnitChanged, unit="forlorn-1", attribute="disrupted", after=None)

    def test_below_it_the_piece_stays_disrupted(self) -> None:
        story = to_step(disrupt(table(), "forlorn-1"), "2c").when(says(KING, "rally", 3, piece="forlorn-1"))
        story.then(DiceRolled, outcome="stays disrupted")
        assert story.game.units["forlorn-1"].get("disrupted")

    def test_rally_natural_1_with_cubes_removes_the_piece(self) -> None:
        story = to_step(disrupt(table(), "forlorn-1"), "2c")
        story.when(says(KING, "rally", 1, piece="forlorn-1", cubes={"ashby": 2}))
        story.then(DiceRolled, total=3, outcome="removed")
        story.then(UnitRemoved, unit="forlorn-1", fate="casualty", rule="2c")
        story.then(UnitPlaced, unit="forlorn-1-casualty", kind="casualty marker", at="19,12")

    def test_rally_natural_1_with_quality_1_removes_the_piece(self) -> None:
        story = disrupt(change(table(), "forlorn-1", "qv", 1), "forlorn-1")
        to_step(story, "2c").when(says(KING, "rally", 1, piece="forlorn-1")).then(UnitRemoved, unit="forlorn-1")

    def test_rally_tried_twice_in_a_phase_is_refused(self) -> None:
        story = to_step(disrupt(table(), "forlorn-1", "tyldesley-1"), "2c")
        story.play(says(KING, "rally", 2, piece="forlorn-1"))
        story.when(says(KING, "rally", 6, piece="forlorn-1"))
        story.then_refused("cannot-rally", rule="2c", piece="forlorn-1", left="tyldesley-1", reason="rolled-already")

    def test_rally_of_an_undisrupted_piece_is_refused(self) -> None:
        story = to_step(disrupt(table(), "forlorn-1"), "2c").when(says(KING, "rally", 6, piece="carrs-1"))
        story.then_refused("cannot-rally", rule="2c", piece="carrs-1", left="forlorn-1", reason="not-disrupted")

    def test_activation_before_the_end_of_2c_is_refused(self) -> None:
        story = to_step(disrupt(table(), "forlorn-1"), "2c")
        story.when(says(KING, "activate", 6, unit="carrs-horse", dice=1))
        story.then_refused("not-allowed-now", rule="2c", order="activate", orders=("rally",))

    def test_2c_cannot_be_left_while_a_piece_has_not_rolled(self) -> None:
        story = to_step(disrupt(table(), "forlorn-1"), "2c")
        story.when(says(KING, "done")).then_refused(
            "orders-required",
            rule="2c",
            says="`rally`: forlorn-1",
            orders=("rally",),
        )

    def test_only_ones_own_pieces_rally(self) -> None:
        story = to_step(disrupt(table(), "forlorn-1", "blues-1"), "2c")
        story.when(says(KING, "rally", 6, piece="blues-1")).then_refused(
            "piece-of-another-side", rule="2c", owner="Parliament"
        )

    def test_rally_uses_the_quality_of_the_piece(self) -> None:
        story = disrupt(change(table(), "forlorn-1", "qv", 5), "forlorn-1")
        to_step(story, "2c").when(says(KING, "rally", 4, piece="forlorn-1")).then(DiceRolled, outcome="stays disrupted")

    def test_rally_that_removes_a_piece_unlocks_the_enemy(self) -> None:
        story = lock(disrupt(table(), "forlorn-1"), "forlorn-1", "blues-3")
        story = to_step(story, "2c").when(says(KING, "rally", 1, piece="forlorn-1"))
        story.then(UnitChanged, unit="blues-3", attribute="locked", after=())


class TestWhiteCubes:
    def rally(self, **cubes: int) -> dict[str, object]:
        return says(KING, "rally", 3, piece="forlorn-1", cubes=cubes)

    def test_cube_of_an_officer_out_of_reach_is_refused(self) -> None:
        story = to_step(disrupt(table(), "forlorn-1"), "2c").when(self.rally(carr=1))
        story.then_refused("out-of-reach", rule="2c", officer="carr", limit=8, officers="ashby")

    def test_cubes_beyond_the_supply_of_an_officer_are_refused(self) -> None:
        story = to_step(disrupt(table(), "forlorn-1"), "2c").when(self.rally(ashby=3))
        story.then_refused("too-many-cubes", rule="2c", limit=2, given=3)

    def test_spent_cubes_are_gone(self) -> None:
        story = to_step(disrupt(change(table(), "ashby", "cubes", 0), "forlorn-1"), "2c").when(self.rally(ashby=1))
        story.then_refused("no-cubes-left", rule="2c", limit=0)

    def test_cube_of_an_enemy_officer_is_refused(self) -> None:
        story = to_step(disrupt(table(), "forlorn-1"), "2c").when(self.rally(waite=1))
        story.then_refused("piece-of-another-side", rule="2c", owner="Parliament")

    def test_by_option_only_officers_of_the_wing_help(self) -> None:
        story = table(options={"own_wing_cubes": True})
        to_step(disrupt(change(story, "carr", "reach", 40), "forlorn-1"), "2c").when(self.rally(carr=1))
        story.then_refused("other-wings-officer", rule="2c", wing="right")
        story.when(says(KING, "rally", 3, piece="forlorn-1", cubes={"ashby": 1})).then(DiceRolled, total=4)


class Test2dCornerLock:
    def locked(self) -> dict[str, object]:
        return says(KING, "break-lock", 4, piece="forlorn-1", to="19,10.5")

    def test_lock_broken_moves_the_piece_back_and_frees_the_enemy(self) -> None:
        story = to_step(lock(table(), "forlorn-1", "blues-3"), "2d").when(self.locked())
        story.then(DiceRolled, pips=(4,), outcome="free", rule="2d")
        story.then(UnitMoved, unit="forlorn-1", path=("19,12", "19,10.5"))
        story.then(UnitChanged, unit="blues-3", attribute="locked", after=())
        assert not story.game.units["forlorn-1"].get("locked")

    def test_freed_it_can_be_activated_and_moved(self) -> None:
        story = to_step(lock(table(), "forlorn-1", "blues-3"), "2d").play(self.locked(), says(KING, "done"))
        story.play(says(KING, "activate", 5, unit="forlorn", dice=1))
        story.when(says(KING, "move-piece", piece="forlorn-1", path=["19,9"])).then(UnitMoved, unit="forlorn-1")

    def test_lock_that_held_prevents_a_move(self) -> None:
        story = to_step(lock(table(), "forlorn-1", "blues-3"), "2d")
        story.when(says(KING, "break-lock", 3, piece="forlorn-1", to="19,10.5"))
        story.then(DiceRolled, pips=(3,), outcome="stays locked")
        story.play(says(KING, "done"), says(KING, "activate", 5, unit="forlorn", dice=1))
        story.when(says(KING, "move-piece", piece="forlorn-1", path=["19,9"]))
        story.then_refused("corner-locked", rule="4a")

    def test_break_of_a_two_corner_lock_is_refused(self) -> None:
        story = lock(table(), "forlorn-1", "blues-3", "blues-4")
        to_step(lock(story, "forlorn-2", "blues-2"), "2d").when(self.locked())
        story.then_refused("cannot-disengage", rule="2d", piece="forlorn-1", pieces="forlorn-2", reason="locked-twice")

    def test_two_corners_alone_do_not_open_the_step(self) -> None:
        story = to_step(lock(table(), "forlorn-1", "blues-3", "blues-4"), "2e.move")
        story.then(StepPassed, step="2d")

    def test_break_lock_of_an_unlocked_piece_is_refused(self) -> None:
        story = to_step(lock(table(), "forlorn-1", "blues-3"), "2d")
        story.when(says(KING, "break-lock", 6, piece="carrs-1", to="34,8.5"))
        story.then_refused("cannot-disengage", rule="2d", piece="carrs-1", pieces="forlorn-1", reason="not-locked")

    def test_once_a_phase(self) -> None:
        story = lock(lock(table(), "forlorn-1", "blues-3"), "forlorn-2", "blues-2")
        to_step(story, "2d").play(says(KING, "break-lock", 1, piece="forlorn-1", to="19,10.5"))
        story.when(self.locked()).then_refused("disengage-tried-already", rule="2d")

    def test_back_is_one_piece_length(self) -> None:
        story = to_step(lock(table(), "forlorn-1", "blues-3"), "2d")
        story.when(says(KING, "break-lock", 6, piece="forlorn-1", to="19,8"))
        story.then_refused("wrong-distance-back", rule="2d", given="4", piece="forlorn-1", limit="1.5")

    def test_break_lock_to_the_present_place_is_refused(self) -> None:
        story = to_step(lock(table(), "forlorn-1", "blues-3"), "2d")
        story.when(says(KING, "break-lock", 6, piece="forlorn-1", to="19,12"))
        story.then_refused("locked-piece-there", rule="2d", piece="forlorn-1", place="19,12")

    def test_back_is_away_from_the_piece_that_locks_it(self) -> None:
        story = to_step(lock(table(), "forlorn-1", "blues-3"), "2d")
        for nearer in ("19,13.5", "17.5,12"):
            story.when(says(KING, "break-lock", 6, piece="forlorn-1", to=nearer))
            story.then_refused("not-away", rule="2d", enemy="blues-3", enemy_at="13,20")

    @pytest.mark.parametrize(
        ("to", "facing", "way"),
        [
            ("20.5,12", "S", "E"),  # aside
            ("20.06,10.94", "S", "NE"),  # two points off
            ("19,10.5", "W", "N"),
            ("19,10.5", "N", "N"),  # ahead
        ],
    )
    def test_break_lock_sideways_or_ahead_is_refused(self, to: str, facing: str, way: str) -> None:
        """Red Coat Rags Attired 2d: back one piece length, measured from the facing."""
        story = to_step(change(lock(table(), "forlorn-1", "blues-3"), "forlorn-1", "facing", facing), "2d")
        story.when(says(KING, "break-lock", 6, piece="forlorn-1", to=to))
        story.then_refused(
            "not-straight-back",
            rule="2d",
            place=to,
            way=way,
            piece="forlorn-1",
            facing=facing,
        )

    @pytest.mark.parametrize(("to", "facing"), [("19.57,10.61", "S"), ("18.43,10.61", "S"), ("20.06,10.94", "SSW")])
    def test_back_may_be_one_point_of_the_compass_off(self, to: str, facing: str) -> None:
        story = to_step(change(lock(table(), "forlorn-1", "blues-3"), "forlorn-1", "facing", facing), "2d")
        story.when(says(KING, "break-lock", 6, piece="forlorn-1", to=to)).then(UnitMoved, unit="forlorn-1")

    @pytest.mark.parametrize("before", ["", "the ford"])
    def test_facing_that_no_record_says_comes_with_the_order(self, before: str) -> None:
        """Ask for the facing once if an older log has it in free words."""
        story = to_step(change(lock(table(), "forlorn-1", "blues-3"), "forlorn-1", "facing", before), "2d")
        story.when(self.locked()).then_refused("facing-unknown", rule="2d", piece="forlorn-1")
        story.when({**self.locked(), "facing": "SE"}).then_refused(
            "not-straight-back", rule="2d", place="19,10.5", way="N"
        )
        story.when({**self.locked(), "facing": "S"}).then(UnitChanged, attribute="facing", before=before, after="S")

    def test_facing_of_a_locked_piece_does_not_change(self) -> None:
        story = to_step(lock(table(), "forlorn-1", "blues-3"), "2d")
        story.when(says(KING, "break-lock", 6, piece="forlorn-1", to="20.5,12", facing="W"))
        story.then_refused("facing-differs", rule="2d", piece="forlorn-1", limit="S", given="W")

    def test_break_lock_is_optional(self) -> None:
        to_step(lock(table(), "forlorn-1", "blues-3"), "2d").play(says(KING, "done")).then_open("2e.move")

    def test_break_lock_die_of_1_removes_no_piece(self) -> None:
        story = to_step(lock(table(), "forlorn-1", "blues-3"), "2d")
        story.when(says(KING, "break-lock", 1, piece="forlorn-1", to="19,10.5")).then_not(UnitRemoved)

    def test_break_lock_adds_1_for_a_white_cube(self) -> None:
        story = to_step(lock(table(), "forlorn-1", "blues-3"), "2d")
        story.when(says(KING, "break-lock", 3, piece="forlorn-1", to="19,10.5", cubes={"ashby": 1}))
        story.then(DiceRolled, total=4, outcome="free")
        story.then(UnitChanged, unit="ashby", attribute="cubes", before=2, after=1)


class Test2eLineCommand:
    def test_line_command_is_repositioned(self) -> None:
        story = to_step(table(), "2e.move")
        story.when(says(KING, "move-command", command="forlorn-command", path=["20,14"]))
        story.then(UnitMoved, unit="forlorn-command", path=("20,11", "20,14"), rule="2e")

    def test_piece_out_of_line_command_is_lost(self) -> None:
        story = to_step(table(), "2e.move")
        story.play(says(KING, "move-command", command="tyldesley-command", path=["14,9"]))
        story.when(says(KING, "done"))
        story.then(UnitRemoved, unit="tyldesley-1", fate="casualty", rule="2e")
        story.then(UnitPlaced, unit="tyldesley-1-casualty", kind="casualty marker")
        story.then_not(UnitRemoved, unit="tyldesley-4")

    def test_line_command_names_the_pieces_lost_on_done(self) -> None:
        story = to_step(table(), "2e.move")
        assert turn_view(TITLE, story.game, KING, story.tip).on_done == ()
        story.play(says(KING, "move-command", command="tyldesley-command", path=["14,9"]))
        (named,) = turn_view(TITLE, story.game, KING, story.tip).on_done
        assert (named.side, named.words.rpartition(": ")[2]) == (KING, "tyldesley-1")
        story.when(says(KING, "done")).then(UnitRemoved, unit="tyldesley-1")

    def test_line_command_of_the_enemy_waits_for_its_phase(self) -> None:
        story = to_step(change(table(), "blues-command", "reach", 1), "2e.move")
        story.when(says(KING, "done")).then_not(UnitRemoved, unit="blues-1")

    def test_unit_without_line_command_uses_an_officer_of_its_wing(self) -> None:
        """Digby reaches 8 from 12,6, so the pieces at 9,10 to 15,10 are safe; Carr is of the other wing."""
        story = table().given(UnitRemoved(unit="tyldesley-command", fate="killed"))
        to_activation(story).then_not(UnitRemoved, unit="tyldesley-1")

    def test_unit_without_line_command_or_officer_is_lost(self) -> None:
        story = table().given(
            *(UnitRemoved(unit=one, fate="killed") for one in ("carrs-horse-command", "carr", "ashby"))
        )
        to_step(story, "2e.move").when(says(KING, "done")).then(UnitRemoved, unit="carrs-2", rule="2e")

    def test_out_of_command_order_with_points_is_refused(self) -> None:
        story = to_step(table(), "2e.move").when(says(KING, "out-of-command", pieces=["forlorn-1"]))
        story.then_refused("limits-are-measured", rule="2e")

    def test_in_plain_words_the_table_says_who_is_out_of_command(self) -> None:
        story = table(WORDS).play(says("column", "roll-initiative", 6), says("garrison", "roll-initiative", 1))
        story.play(says("column", "done"))
        story.when(says("column", "out-of-command", pieces=["greycoats-3"]))
        story.then(UnitRemoved, unit="greycoats-3", fate="casualty", rule="2e")

    def test_line_command_moved_twice_is_refused(self) -> None:
        story = to_step(table(), "2e.move")
        story.play(says(KING, "move-command", command="forlorn-command", path=["20,12"]))
        story.when(says(KING, "move-command", command="forlorn-command", path=["20,13"]))
        story.then_refused("repositioned-already", rule="2e")

    def test_officer_out_of_command_is_not_lost(self) -> None:
        story = to_step(table(), "2e.move").given(UnitMoved(unit="carr", path=("30,8", "59,39")))
        story.when(says(KING, "done")).then_not(UnitRemoved, unit="carr")


class Test2BeforeAnyActivation:
    @pytest.mark.parametrize(
        "order",
        [
            says(KING, "check-morale", 3, unit="forlorn"),
            says(KING, "move-command", command="forlorn-command", path=["20,12"]),
        ],
        ids=["2b", "2e"],
    )
    def test_order_of_another_step_in_2a_is_refused(self, order: dict[str, object]) -> None:
        to_phase(table()).when(order).then_refused("not-allowed-now", rule="2a")

    def test_activation_before_another_unit_checks_is_refused(self) -> None:
        story = to_step(disrupt(table(), "carrs-1", "carrs-2"), "2b")
        story.when(says(KING, "activate", 6, unit="forlorn", dice=1)).then_refused(
            "not-allowed-now", rule="2b", order="activate"
        )

    def test_order_of_an_ended_step_is_refused(self) -> None:
        story = to_step(lock(table(), "forlorn-1", "blues-3"), "2d")
        story.when(says(KING, "move-officer", officer="carr", path=["30,8"]))
        story.then_refused("not-allowed-now", rule="2d")

    def test_steps_2b_to_2d_without_need_are_passed_with_a_reason(self) -> None:
        story = to_phase(table()).when(says(KING, "done")).then_open("2e.move")
        reasons = {story.then(StepPassed, step=step).why for step in ("2b", "2c", "2d")}
        assert len(reasons - {""}) == 3

    def test_other_player_before_activation_is_refused(self) -> None:
        """Refuse the other player's own orders and those that record what no rule covers: its phase comes later."""
        story = to_step(disrupt(lock(table(), "forlorn-1", "blues-3"), "blues-1"), "2d")
        story.when(says(PARLIAMENT, "break-lock", 6, piece="blues-3", to="13,21.5"))
        story.then_refused("step-of-another-side", rule="2d", seat="parliament")
        story.when(says(PARLIAMENT, "change", unit="blues-1", attribute="disrupted", to=False))
        story.then_refused("wait-for-side", rule="2d", sides="The King")
        for order in (
            says(PARLIAMENT, "move", unit="blues-3", path=["13,20", "13,21.5"]),
            says(PARLIAMENT, "remove", unit="forlorn-1", fate="destroyed"),
        ):
            story.when(order).then_refused("step-of-the-referee", rule="catch-all")
        assert (story.game.units["blues-1"].get("disrupted"), story.game.markers["phasing"]) == (True, KING)


def test_activation_tables_cover_one_to_three_dice() -> None:
    """Rule 2a: there is no fourth die, so no table is looked up for it."""
    assert {name for name in ROWS if name.startswith("activation-")} == {f"activation-{dice}" for dice in (1, 2, 3)}


# --- what is offered --------------------------------------------------------------------------------------------------


def offered_in(story: Story, step: str) -> tuple[str, ...]:
    found = TITLE.plan.step(step)
    assert found is not None
    return offers(TITLE, story.game, found, KING)


def test_reposition_is_offered_while_an_officer_waits() -> None:
    """Rule 2a: also to officers who are where their own pieces are."""
    story = to_phase(table())
    places = {"ashby": "forlorn-1", "digby": "tyldesley-1", "carr": "carrs-1"}
    for officer, piece in places.items():
        units = story.game.units
        story.given(UnitMoved(unit=officer, path=(units[officer].at, units[piece].at)))
    assert "reposition" in offered_in(story, "2a")
    for officer in places:
        change(story, officer, "repositioned", 1)
    assert "reposition" not in offered_in(story, "2a")


def test_command_is_offered_while_a_line_command_waits() -> None:
    """Rule 2e: out-of-command only if the table measures."""
    story = to_step(table(), "2e.move")
    assert "move-command" in offered_in(story, "2e.move")
    for one in story.game.in_play(KING):
        change(story, one.id, "repositioned", 1)
    assert not {"move-command", "out-of-command"} & set(offered_in(story, "2e.move"))
    assert "out-of-command" in offered_in(to_step(table(measure="words"), "2e.move"), "2e.move")


@pytest.mark.parametrize("step", ["2a", "2e.move"])
def test_side_without_figures_is_not_asked_to_move_them(step: str) -> None:
    """Red Coat Rags Attired 2a, 2e: a side that has nothing to reposition has declined nothing."""
    story, kinds = table(), ("CO", "FO") if step == "2a" else ("line command",)
    gone = [one.id for one in story.game.in_play(KING) if one.kind in kinds]
    story.given(*(UnitRemoved(unit=one, fate="killed") for one in gone))
    story.play(says(PARLIAMENT, "roll-initiative", 1), says(KING, "roll-initiative", 6))
    if step != "2a":
        story.then_open("2a").play(says(KING, "done"))
    assert gone
    assert step not in {one.step for one in story.game.cursor.open}
