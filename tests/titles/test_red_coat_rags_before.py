"""In Red Coat Rags Attired, 1 and 2: initiative, and everything before the first activation."""

import pytest

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
from umpire_ledger.domain.flow.available_orders import offers
from umpire_ledger.domain.game.events import (
    DiceRolled,
    MarkerSet,
    StepPassed,
    UnitChanged,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
)
from umpire_ledger.domain.sequence.conditions import says as in_words
from umpire_ledger.domain.titles.red_coat_rags import TITLE
from umpire_ledger.domain.titles.red_coat_rags.tables import ROWS
from umpire_ledger.projections.tables.turn_view import turn_view
from umpire_ledger.testing.story import Story


class Test1Initiative:
    def test_each_side_rolls_one_die_and_adds_its_co_s_leadership_value(self) -> None:
        story = table().when(says(KING, "roll-initiative", 3))
        roll = story.then(DiceRolled, total=5, rule="1", dice="1d6")
        assert [(one.amount, one.source) for one in roll.modifiers] == [(2, "LV of ashby")]

    def test_the_higher_total_has_the_first_phase(self) -> None:
        story = table().play(says(KING, "roll-initiative", 1)).when(says(PARLIAMENT, "roll-initiative", 3))
        story.then(MarkerSet, marker="phasing", after=PARLIAMENT, cause="highest total")
        story.then_open("2a")

    def test_a_tie_is_rolled_again(self) -> None:
        story = table().play(says(KING, "roll-initiative", 1)).when(says(PARLIAMENT, "roll-initiative", 2))
        story.then(MarkerSet, marker="initiative/king", after=None, cause="tie, roll again")
        story.then_open("1")
        assert story.game.cursor.waiting() == (KING, PARLIAMENT)

    def test_a_side_that_has_lost_its_co_adds_nothing(self) -> None:
        story = table().given(UnitRemoved(unit="ashby", fate="killed"))
        story.when(says(KING, "roll-initiative", 3)).then(DiceRolled, total=3, modifiers=())

    def test_a_side_rolls_once(self) -> None:
        story = table().play(says(KING, "roll-initiative", 3))
        story.when(says(KING, "roll-initiative", 4)).then_refused(rule="1", says="has rolled", do="wait for Parliament")

    def test_nobody_leaves_it_without_a_roll(self) -> None:
        table().when(says(KING, "done")).then_refused(rule="1", says="roll the initiative", do="roll-initiative")

    def test_the_reader_of_the_page_is_told_what_is_owed(self) -> None:
        step = TITLE.plan.step("1")
        assert step is not None
        assert step.needs is not None
        assert "initiative" in in_words(step.needs)

    def test_leadership_does_not_come_with_the_die(self) -> None:
        table().when(says(KING, "roll-initiative", 3, cubes={"ashby": 1})).then_refused(rule="order", says="cubes")


class Test2aOfficers:
    def test_an_officer_is_repositioned_within_his_movement_allowance(self) -> None:
        story = to_phase(table()).when(says(KING, "reposition", officer="ashby", path=["24,10", "26,10"]))
        story.then(UnitMoved, unit="ashby", path=("24,4", "24,10", "26,10"), rule="2a")

    def test_he_may_not_go_farther(self) -> None:
        story = to_phase(table()).when(says(KING, "reposition", officer="ashby", path=["24,12.5"]))
        story.then_refused(rule="2a", says="8.5 inches, and may go 8", do="within 8 inches")

    def test_each_of_them_once_a_phase(self) -> None:
        story = to_phase(table()).play(says(KING, "reposition", officer="digby", path=["12,8"]))
        again = story.when(says(KING, "reposition", officer="digby", path=["12,9"]))
        again.then_refused(rule="2a", says="was repositioned", do="another figure")

    def test_only_officers(self) -> None:
        story = to_phase(table()).when(says(KING, "reposition", officer="forlorn-1", path=["19,13"]))
        story.then_refused(rule="2a", says="no CO or FO", do="name a CO or FO")

    def test_only_ones_own(self) -> None:
        story = to_phase(table()).when(says(KING, "reposition", officer="rudd", path=["36,25"]))
        story.then_refused(rule="2a", says="belongs to Parliament", do="one of your own")

    def test_the_other_player_waits(self) -> None:
        story = to_phase(table()).when(says(PARLIAMENT, "reposition", officer="rudd", path=["36,25"]))
        story.then_refused(rule="2a", says="may not act", do="wait for The King")

    def test_a_place_must_be_a_point_of_the_table(self) -> None:
        story = to_phase(table()).when(says(KING, "reposition", officer="ashby", path=["behind the mill"]))
        story.then_refused(rule="2a", says="measured in inches", do="12.5,30")

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
            rule="2a", says="201 millimetres, and may go 200"
        )
        story.when(says(KING, "reposition", officer="a", path=["220,260"])).then(UnitMoved, unit="a")

    def test_in_plain_words_the_table_measures(self) -> None:
        story = table(WORDS).play(says("column", "roll-initiative", 6), says("garrison", "roll-initiative", 1))
        story.when(says("column", "reposition", officer="lisle", path=["by the mill"]))
        story.then(UnitMoved, unit="lisle", path=("on the road", "by the mill"))


class Test2bMorale:
    def test_a_unit_checks_when_as_many_pieces_are_disrupted_as_its_casualty_value(self) -> None:
        """At the value itself nothing is taken off."""
        story = to_step(disrupt(table(), "carrs-1", "carrs-2"), "2b")
        story.when(says(KING, "check-morale", 3, unit="carrs-horse"))
        story.then(DiceRolled, total=3, modifiers=(), needed="3 or more", outcome="stays", rule="2b")

    def test_each_disrupted_piece_over_it_takes_one_off(self) -> None:
        story = to_step(disrupt(table(), "carrs-1", "carrs-2", "carrs-3"), "2b")
        roll = story.when(says(KING, "check-morale", 3, unit="carrs-horse")).then(DiceRolled, total=2, outcome="breaks")
        assert [(one.amount, one.source) for one in roll.modifiers] == [(-1, "1 disrupted over the casualty value")]

    def test_a_unit_that_fails_is_gone_and_one_marker_stands_for_it(self) -> None:
        story = to_step(disrupt(table(), "carrs-1", "carrs-2"), "2b")
        story.when(says(KING, "check-morale", 2, unit="carrs-horse"))
        gone = {event.unit for event in story.events if isinstance(event, UnitRemoved) and event.fate == "routed"}
        assert gone == {"carrs-1", "carrs-2", "carrs-3", "carrs-horse", "carrs-horse-command"}
        story.then(UnitPlaced, unit="carrs-horse-casualty", kind="unit casualty marker", at="34,10")

    def test_pieces_of_a_unit_that_failed_do_not_rally(self) -> None:
        story = to_step(disrupt(table(), "carrs-1", "carrs-2"), "2b")
        story.when(says(KING, "check-morale", 1, unit="carrs-horse")).then(StepPassed, step="2c")

    def test_a_white_cube_adds_one(self) -> None:
        story = to_step(disrupt(table(), "carrs-1", "carrs-2"), "2b")
        story.when(says(KING, "check-morale", 2, unit="carrs-horse", cubes={"carr": 1}))
        story.then(DiceRolled, total=3, outcome="stays")
        story.then(UnitChanged, unit="carr", attribute="cubes", before=2, after=1)

    def test_below_the_casualty_value_nobody_checks(self) -> None:
        to_step(disrupt(table(), "carrs-1"), "2c").then(StepPassed, step="2b")

    def test_a_unit_with_too_few_disrupted_pieces_is_refused_a_check(self) -> None:
        story = to_step(disrupt(table(), "carrs-1", "carrs-2"), "2b")
        story.when(says(KING, "check-morale", 5, unit="forlorn"))
        story.then_refused(rule="2b", says="fewer disrupted pieces", do="check one of: carrs-horse")

    def test_it_cannot_be_left_while_a_unit_must_check(self) -> None:
        story = to_step(disrupt(table(), "carrs-1", "carrs-2"), "2b")
        story.when(says(KING, "done")).then_refused(
            rule="2b", says="check the morale with `check-morale`: carrs-horse", do="check-morale"
        )

    def test_each_unit_checks_once_in_a_phase(self) -> None:
        story = to_step(disrupt(table(), "carrs-1", "carrs-2", "forlorn-1", "forlorn-2"), "2b")
        story.play(says(KING, "check-morale", 6, unit="carrs-horse"))
        story.when(says(KING, "check-morale", 6, unit="carrs-horse"))
        story.then_refused(rule="2b", says="it has checked", do="check one of: forlorn")

    def test_pieces_that_are_gone_are_not_disrupted(self) -> None:
        story = disrupt(table(), "carrs-1", "carrs-2").given(UnitRemoved(unit="carrs-1", fate="destroyed"))
        to_step(story, "2c").then(StepPassed, step="2b")

    def test_a_1_is_not_fatal_here(self) -> None:
        story = change(table(), "carrs-horse", "qv", 1)
        story = to_step(disrupt(story, "carrs-1", "carrs-2"), "2b")
        story.when(says(KING, "check-morale", 1, unit="carrs-horse")).then(DiceRolled, outcome="stays")

    def test_who_stays_is_disrupted_as_before(self) -> None:
        story = to_step(disrupt(table(), "carrs-1", "carrs-2"), "2b")
        story.play(says(KING, "check-morale", 6, unit="carrs-horse")).then_open("2c")
        assert all(story.game.units[one].get("disrupted") for one in ("carrs-1", "carrs-2"))

    def test_a_unit_that_is_gone_locks_nobody(self) -> None:
        story = lock(disrupt(table(), "carrs-1", "carrs-2"), "carrs-3", "rudds-1")
        story = to_step(story, "2b").when(says(KING, "check-morale", 1, unit="carrs-horse"))
        story.then(UnitChanged, unit="rudds-1", attribute="locked", after=())


class Test2cDisruption:
    def test_the_die_at_the_pieces_quality_takes_the_disruption_off(self) -> None:
        story = to_step(disrupt(table(), "forlorn-1"), "2c").when(says(KING, "rally", 4, piece="forlorn-1"))
        story.then(DiceRolled, outcome="rallied", rule="2c")
        story.then(UnitChanged, unit="forlorn-1", attribute="disrupted", after=None)

    def test_below_it_the_piece_stays_disrupted(self) -> None:
        story = to_step(disrupt(table(), "forlorn-1"), "2c").when(says(KING, "rally", 3, piece="forlorn-1"))
        story.then(DiceRolled, outcome="stays disrupted")
        assert story.game.units["forlorn-1"].get("disrupted")

    def test_a_natural_1_removes_the_piece_even_with_cubes(self) -> None:
        story = to_step(disrupt(table(), "forlorn-1"), "2c")
        story.when(says(KING, "rally", 1, piece="forlorn-1", cubes={"ashby": 2}))
        story.then(DiceRolled, total=3, outcome="removed")
        story.then(UnitRemoved, unit="forlorn-1", fate="casualty", cause="a 1 on the die")
        story.then(UnitPlaced, unit="forlorn-1-casualty", kind="casualty marker", at="19,12")

    def test_a_natural_1_removes_it_even_where_its_quality_is_1(self) -> None:
        story = disrupt(change(table(), "forlorn-1", "qv", 1), "forlorn-1")
        to_step(story, "2c").when(says(KING, "rally", 1, piece="forlorn-1")).then(UnitRemoved, unit="forlorn-1")

    def test_a_piece_tries_once_a_phase(self) -> None:
        story = to_step(disrupt(table(), "forlorn-1", "tyldesley-1"), "2c")
        story.play(says(KING, "rally", 2, piece="forlorn-1"))
        story.when(says(KING, "rally", 6, piece="forlorn-1"))
        story.then_refused(rule="2c", says="has rolled", do="rally one of: tyldesley-1")

    def test_a_piece_in_order_has_nothing_to_rally(self) -> None:
        story = to_step(disrupt(table(), "forlorn-1"), "2c").when(says(KING, "rally", 6, piece="carrs-1"))
        story.then_refused(rule="2c", says="not disrupted", do="forlorn-1")

    def test_nothing_is_activated_before_2c_is_finished(self) -> None:
        story = to_step(disrupt(table(), "forlorn-1"), "2c")
        story.when(says(KING, "activate", 6, unit="carrs-horse", dice=1))
        story.then_refused(rule="2c", says="belongs to 3", do="rally")

    def test_2c_cannot_be_left_while_a_piece_has_not_rolled(self) -> None:
        story = to_step(disrupt(table(), "forlorn-1"), "2c")
        story.when(says(KING, "done")).then_refused(
            rule="2c", says="roll for the disrupted with `rally`: forlorn-1", do="rally"
        )

    def test_only_ones_own_pieces_rally(self) -> None:
        story = to_step(disrupt(table(), "forlorn-1", "blues-1"), "2c")
        story.when(says(KING, "rally", 6, piece="blues-1")).then_refused(rule="2c", says="belongs to Parliament")

    def test_the_value_of_the_piece_counts_and_not_the_units(self) -> None:
        story = disrupt(change(table(), "forlorn-1", "qv", 5), "forlorn-1")
        to_step(story, "2c").when(says(KING, "rally", 4, piece="forlorn-1")).then(DiceRolled, outcome="stays disrupted")

    def test_a_piece_that_is_lost_locks_nobody(self) -> None:
        story = lock(disrupt(table(), "forlorn-1"), "forlorn-1", "blues-3")
        story = to_step(story, "2c").when(says(KING, "rally", 1, piece="forlorn-1"))
        story.then(UnitChanged, unit="blues-3", attribute="locked", after=())


class TestWhiteCubes:
    def rally(self, **cubes: int) -> dict[str, object]:
        return says(KING, "rally", 3, piece="forlorn-1", cubes=cubes)

    def test_an_officer_out_of_reach_adds_nothing(self) -> None:
        story = to_step(disrupt(table(), "forlorn-1"), "2c").when(self.rally(carr=1))
        story.then_refused(rule="2c", says="out of carr's reach of 8", do="officers in reach with cubes: ashby")

    def test_he_cannot_spend_more_than_he_has(self) -> None:
        story = to_step(disrupt(table(), "forlorn-1"), "2c").when(self.rally(ashby=3))
        story.then_refused(rule="2c", says="2 white cubes left, not 3", do="at most 2")

    def test_spent_cubes_are_gone(self) -> None:
        story = to_step(disrupt(change(table(), "ashby", "cubes", 0), "forlorn-1"), "2c").when(self.rally(ashby=1))
        story.then_refused(rule="2c", says="0 white cubes left", do="roll without his cubes")

    def test_the_enemys_officers_do_not_help(self) -> None:
        story = to_step(disrupt(table(), "forlorn-1"), "2c").when(self.rally(waite=1))
        story.then_refused(rule="2c", says="belongs to Parliament")

    def test_by_option_only_officers_of_the_wing_help(self) -> None:
        story = table(options={"own_wing_cubes": True})
        to_step(disrupt(change(story, "carr", "reach", 40), "forlorn-1"), "2c").when(self.rally(carr=1))
        story.then_refused(rule="2c", says="commands the right wing", do="same wing")
        story.when(says(KING, "rally", 3, piece="forlorn-1", cubes={"ashby": 1})).then(DiceRolled, total=4)


class Test2dCornerLock:
    def locked(self) -> dict[str, object]:
        return says(KING, "break-lock", 4, piece="forlorn-1", to="19,10.5")

    def test_freed_it_goes_back_one_piece_length_and_its_enemy_is_free_too(self) -> None:
        story = to_step(lock(table(), "forlorn-1", "blues-3"), "2d").when(self.locked())
        story.then(DiceRolled, outcome="free", needed="4 or more", rule="2d")
        story.then(UnitMoved, unit="forlorn-1", path=("19,12", "19,10.5"))
        story.then(UnitChanged, unit="blues-3", attribute="locked", after=())
        assert not story.game.units["forlorn-1"].get("locked")

    def test_freed_it_can_be_activated_and_moved(self) -> None:
        story = to_step(lock(table(), "forlorn-1", "blues-3"), "2d").play(self.locked(), says(KING, "done"))
        story.play(says(KING, "activate", 5, unit="forlorn", dice=1))
        story.when(says(KING, "move-piece", piece="forlorn-1", path=["19,9"])).then(UnitMoved, unit="forlorn-1")

    def test_a_failure_leaves_it_locked_and_it_cannot_move(self) -> None:
        story = to_step(lock(table(), "forlorn-1", "blues-3"), "2d")
        story.when(says(KING, "break-lock", 3, piece="forlorn-1", to="19,10.5"))
        story.then(DiceRolled, outcome="stays locked")
        story.play(says(KING, "done"), says(KING, "activate", 5, unit="forlorn", dice=1))
        story.when(says(KING, "move-piece", piece="forlorn-1", path=["19,9"]))
        story.then_refused(rule="4a", says="corner locked", do="2d of your next phase")

    def test_a_two_corner_lock_cannot_be_broken(self) -> None:
        story = lock(table(), "forlorn-1", "blues-3", "blues-4")
        to_step(lock(story, "forlorn-2", "blues-2"), "2d").when(self.locked())
        story.then_refused(rule="2d", says="locked at two corners", do="single corner may try: forlorn-2")

    def test_two_corners_alone_do_not_open_the_step(self) -> None:
        story = to_step(lock(table(), "forlorn-1", "blues-3", "blues-4"), "2e.move")
        story.then(StepPassed, step="2d", why="no piece is locked at a single corner")

    def test_a_piece_that_is_not_locked_has_nothing_to_break(self) -> None:
        story = to_step(lock(table(), "forlorn-1", "blues-3"), "2d")
        story.when(says(KING, "break-lock", 6, piece="carrs-1", to="34,8.5"))
        story.then_refused(rule="2d", says="it is not locked", do="forlorn-1")

    def test_once_a_phase(self) -> None:
        story = lock(lock(table(), "forlorn-1", "blues-3"), "forlorn-2", "blues-2")
        to_step(story, "2d").play(says(KING, "break-lock", 1, piece="forlorn-1", to="19,10.5"))
        story.when(self.locked()).then_refused(rule="2d", says="has tried", do="another piece")

    def test_back_is_one_piece_length(self) -> None:
        story = to_step(lock(table(), "forlorn-1", "blues-3"), "2d")
        story.when(says(KING, "break-lock", 6, piece="forlorn-1", to="19,8"))
        story.then_refused(rule="2d", says="4 away, and forlorn-1 goes back 1.5", do="1.5 away")

    def test_back_is_not_where_it_stands(self) -> None:
        story = to_step(lock(table(), "forlorn-1", "blues-3"), "2d")
        story.when(says(KING, "break-lock", 6, piece="forlorn-1", to="19,12"))
        story.then_refused(rule="2d", says="forlorn-1 is at 19,12 already", do="one piece length back")

    def test_back_is_away_from_the_piece_that_locks_it(self) -> None:
        story = to_step(lock(table(), "forlorn-1", "blues-3"), "2d")
        for nearer in ("19,13.5", "17.5,12"):
            story.when(says(KING, "break-lock", 6, piece="forlorn-1", to=nearer))
            story.then_refused(rule="2d", says="does not lie away from blues-3", do="straight back, away from 13,20")

    @pytest.mark.parametrize(
        ("to", "facing", "way"),
        [
            ("20.5,12", "S", "E"),  # aside
            ("20.06,10.94", "S", "NE"),  # two points off
            ("19,10.5", "W", "N"),
            ("19,10.5", "N", "N"),  # ahead
        ],
    )
    def test_back_is_neither_aside_nor_ahead(self, to: str, facing: str, way: str) -> None:
        """In Red Coat Rags Attired 2d: back one piece length, measured from the facing."""
        story = to_step(change(lock(table(), "forlorn-1", "blues-3"), "forlorn-1", "facing", facing), "2d")
        story.when(says(KING, "break-lock", 6, piece="forlorn-1", to=to))
        story.then_refused(rule="2d", says=f"{to} lies {way} of forlorn-1, which faces {facing}", do="to the ")

    @pytest.mark.parametrize(("to", "facing"), [("19.57,10.61", "S"), ("18.43,10.61", "S"), ("20.06,10.94", "SSW")])
    def test_back_may_be_one_point_of_the_compass_off(self, to: str, facing: str) -> None:
        story = to_step(change(lock(table(), "forlorn-1", "blues-3"), "forlorn-1", "facing", facing), "2d")
        story.when(says(KING, "break-lock", 6, piece="forlorn-1", to=to)).then(UnitMoved, unit="forlorn-1")

    @pytest.mark.parametrize("before", ["", "the ford"])
    def test_facing_that_no_record_says_comes_with_the_order(self, before: str) -> None:
        """A facing in free words, from an older log, is none: the player says it once."""
        story = to_step(change(lock(table(), "forlorn-1", "blues-3"), "forlorn-1", "facing", before), "2d")
        story.when(self.locked()).then_refused(rule="2d", says="which way forlorn-1 faces", do="facing")
        story.when({**self.locked(), "facing": "SE"}).then_refused(rule="2d", says="19,10.5 lies N")
        story.when({**self.locked(), "facing": "S"}).then(UnitChanged, attribute="facing", before=before, after="S")

    def test_facing_of_a_locked_piece_does_not_change(self) -> None:
        story = to_step(lock(table(), "forlorn-1", "blues-3"), "2d")
        story.when(says(KING, "break-lock", 6, piece="forlorn-1", to="20.5,12", facing="W"))
        story.then_refused(rule="2d", says="forlorn-1 faces S, not W", do="leave `facing` out")

    def test_it_is_optional(self) -> None:
        to_step(lock(table(), "forlorn-1", "blues-3"), "2d").play(says(KING, "done")).then_open("2e.move")

    def test_a_1_fails_and_costs_nothing_else(self) -> None:
        story = to_step(lock(table(), "forlorn-1", "blues-3"), "2d")
        story.when(says(KING, "break-lock", 1, piece="forlorn-1", to="19,10.5")).then_not(UnitRemoved)

    def test_a_white_cube_adds_one(self) -> None:
        story = to_step(lock(table(), "forlorn-1", "blues-3"), "2d")
        story.when(says(KING, "break-lock", 3, piece="forlorn-1", to="19,10.5", cubes={"ashby": 1}))
        story.then(DiceRolled, total=4, outcome="free")
        story.then(UnitChanged, unit="ashby", attribute="cubes", before=2, after=1)


class Test2eLineCommand:
    def test_line_command_is_repositioned(self) -> None:
        story = to_step(table(), "2e.move")
        story.when(says(KING, "move-command", command="forlorn-command", path=["20,14"]))
        story.then(UnitMoved, unit="forlorn-command", path=("20,11", "20,14"), rule="2e")

    def test_a_piece_out_of_its_reach_is_lost_as_a_casualty_wished_or_not(self) -> None:
        story = to_step(table(), "2e.move")
        story.play(says(KING, "move-command", command="tyldesley-command", path=["14,9"]))
        story.when(says(KING, "done"))
        story.then(UnitRemoved, unit="tyldesley-1", fate="casualty", cause="out of command", rule="2e")
        story.then(UnitPlaced, unit="tyldesley-1-casualty", kind="casualty marker")
        story.then_not(UnitRemoved, unit="tyldesley-4")

    def test_who_will_be_lost_is_named_before_the_step_is_left(self) -> None:
        story = to_step(table(), "2e.move")
        assert turn_view(TITLE, story.game, KING, story.tip).on_done == ()
        story.play(says(KING, "move-command", command="tyldesley-command", path=["14,9"]))
        (named,) = turn_view(TITLE, story.game, KING, story.tip).on_done
        assert (named.side, named.words) == (KING, "pieces out of command: tyldesley-1")
        story.when(says(KING, "done")).then(UnitRemoved, unit="tyldesley-1")

    def test_the_enemys_pieces_are_looked_at_in_his_own_phase(self) -> None:
        story = to_step(change(table(), "blues-command", "reach", 1), "2e.move")
        story.when(says(KING, "done")).then_not(UnitRemoved, unit="blues-1")

    def test_a_unit_without_line_command_is_commanded_by_an_officer_of_its_wing(self) -> None:
        """Digby reaches 8 from 12,6, so the pieces at 9,10 to 15,10 are safe; Carr is of the other wing."""
        story = table().given(UnitRemoved(unit="tyldesley-command", fate="killed"))
        to_activation(story).then_not(UnitRemoved, unit="tyldesley-1")

    def test_and_lost_where_none_of_them_reaches_it(self) -> None:
        story = table().given(
            *(UnitRemoved(unit=one, fate="killed") for one in ("carrs-horse-command", "carr", "ashby"))
        )
        to_step(story, "2e.move").when(says(KING, "done")).then(UnitRemoved, unit="carrs-2", cause="out of command")

    def test_where_points_are_measured_nobody_needs_to_say_it(self) -> None:
        story = to_step(table(), "2e.move").when(says(KING, "out-of-command", pieces=["forlorn-1"]))
        story.then_refused(rule="2e", says="measured from the points", do="`done`")

    def test_in_plain_words_the_table_says_who_is_out_of_command(self) -> None:
        story = table(WORDS).play(says("column", "roll-initiative", 6), says("garrison", "roll-initiative", 1))
        story.play(says("column", "done"))
        story.when(says("column", "out-of-command", pieces=["greycoats-3"]))
        story.then(UnitRemoved, unit="greycoats-3", fate="casualty", rule="2e")

    def test_a_line_command_moves_once(self) -> None:
        story = to_step(table(), "2e.move")
        story.play(says(KING, "move-command", command="forlorn-command", path=["20,12"]))
        story.when(says(KING, "move-command", command="forlorn-command", path=["20,13"]))
        story.then_refused(rule="2e", says="was repositioned", do="another figure")

    def test_officers_are_no_combat_pieces(self) -> None:
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
    def test_the_steps_keep_their_order(self, order: dict[str, object]) -> None:
        to_phase(table()).when(order).then_refused(rule="2a", says="is not allowed now")

    def test_nobody_is_activated_while_another_unit_still_has_to_check(self) -> None:
        story = to_step(disrupt(table(), "carrs-1", "carrs-2"), "2b")
        story.when(says(KING, "activate", 6, unit="forlorn", dice=1)).then_refused(rule="2b", says="belongs to 3")

    def test_what_is_over_does_not_come_back(self) -> None:
        story = to_step(lock(table(), "forlorn-1", "blues-3"), "2d")
        story.when(says(KING, "move-officer", officer="carr", path=["30,8"]))
        story.then_refused(rule="2d", says="is not allowed now")

    def test_where_nothing_is_disrupted_or_locked_the_steps_between_are_passed_with_a_reason(self) -> None:
        story = to_phase(table()).when(says(KING, "done")).then_open("2e.move")
        for step in ("2b", "2c", "2d"):
            assert story.then(StepPassed, step=step).why.startswith("no ")

    def test_the_other_player_has_no_part_in_it(self) -> None:
        """Neither by his own orders nor by those that record what no rule covers: his pieces wait for his own phase."""
        story = to_step(disrupt(lock(table(), "forlorn-1", "blues-3"), "blues-1"), "2d")
        story.when(says(PARLIAMENT, "break-lock", 6, piece="blues-3", to="13,21.5"))
        story.then_refused(rule="2d", says="parliament may not act", do="King")
        story.when(says(PARLIAMENT, "change", unit="blues-1", attribute="disrupted", to=False))
        story.then_refused(rule="2d", says="is not allowed now", do="wait for The King")
        for order in (
            says(PARLIAMENT, "move", unit="blues-3", path=["13,20", "13,21.5"]),
            says(PARLIAMENT, "remove", unit="forlorn-1", fate="destroyed"),
        ):
            story.when(order).then_refused(rule="catch-all", says="is the referee's", do="ask the referee")
        assert (story.game.units["blues-1"].get("disrupted"), story.game.markers["phasing"]) == (True, KING)


def test_an_activation_has_one_to_three_dice_and_a_table_for_each() -> None:
    """2a: there is no fourth die, so no table is looked up for it."""
    assert {name for name in ROWS if name.startswith("activation-")} == {f"activation-{dice}" for dice in (1, 2, 3)}


# --- what is offered --------------------------------------------------------------------------------------------------


def offered_in(story: Story, step: str) -> tuple[str, ...]:
    found = TITLE.plan.step(step)
    assert found is not None
    return offers(TITLE, story.game, found, KING)


def test_reposition_is_offered_while_an_officer_waits() -> None:
    """2a: also to officers who stand where their own pieces are."""
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
    """2e: out-of-command only if the table measures."""
    story = to_step(table(), "2e.move")
    assert "move-command" in offered_in(story, "2e.move")
    for one in story.game.in_play(KING):
        change(story, one.id, "repositioned", 1)
    assert not {"move-command", "out-of-command"} & set(offered_in(story, "2e.move"))
    assert "out-of-command" in offered_in(to_step(table(measure="words"), "2e.move"), "2e.move")


@pytest.mark.parametrize("step", ["2a", "2e.move"])
def test_side_without_figures_is_not_asked_to_move_them(step: str) -> None:
    """2a, 2e: a side that has nothing to reposition has declined nothing."""
    story, kinds = table(), ("CO", "FO") if step == "2a" else ("line command",)
    gone = [one.id for one in story.game.in_play(KING) if one.kind in kinds]
    story.given(*(UnitRemoved(unit=one, fate="killed") for one in gone))
    story.play(says(PARLIAMENT, "roll-initiative", 1), says(KING, "roll-initiative", 6))
    if step != "2a":
        story.then_open("2a").play(says(KING, "done"))
    assert gone
    assert step not in {one.step for one in story.game.cursor.open}
