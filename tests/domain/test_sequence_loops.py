"""Loops: rounds, one pass for each member of a set, sides in rotation."""

import msgspec
import pytest

from tests.domain.teaching import (
    BOTH,
    NORTH,
    SOUTH,
    done,
    excuse,
    is_marked,
    lesson,
    mark,
    opened,
    pick,
    step,
    teach,
    title_of,
)
from tests.face.domain import (
    ACTIVE,
    EACH,
    OTHERS,
    Cursor,
    DeclarationError,
    Done,
    Each,
    LoopClosed,
    PassBegun,
    Pick,
    Rounds,
    Scenario,
    Side,
    SideDone,
    Step,
    StepClosed,
    Turns,
    page_of,
    pass_number,
    suggestions,
)
from tests.face.projections import turn_view
from tests.face.testing import Story


class TestRounds:
    def test_its_children_come_again_and_again(self) -> None:
        story = lesson(Rounds("R", "rounds", steps=(step("A"), step("B"))))
        story.play(*[done()] * 4).then(PassBegun, loop="R", nth=3)
        assert opened(story) == ["A", "B", "A", "B", "A"]

    def test_until_is_checked_at_the_end_of_each_pass(self) -> None:
        story = lesson(Rounds("R", "rounds", steps=(step("A"), step("B")), until=is_marked("dusk")), step("C"))
        story.play(mark("dusk"), done()).then_open("B")
        story.when(done()).then(LoopClosed, loop="R", why="the marker dusk lies on the table")
        story.then_open("C")

    def test_rounds_may_count_the_turns_of_the_game(self) -> None:
        story = lesson(Rounds("R", "turns", steps=(step("A"),), counts_turns=True))
        assert [story.game.turn, story.play(done()).game.turn, story.play(done()).game.turn] == [1, 2, 3]


class TestEach:
    HEXES = Each("H", "battles", of="hexes", by=NORTH, steps=(step("A"), step("B", SOUTH)))

    def test_member_loop_plays_one_pass_for_each_picked_member(self) -> None:
        story = teach(title_of(self.HEXES, step("C")), hexes=("0101", "0202"))
        story.then_open("H").play(pick("0202")).then(StepClosed, item="0202")
        assert story.game.cursor.item("H") == "0202"
        story.play(done(), done(by=SOUTH)).then_open("H")
        story.play(pick("0101"), done()).when(done(by=SOUTH)).then(LoopClosed, loop="H")
        story.then_open("C")

    def test_only_a_free_member_may_be_picked_and_only_by_the_picker(self) -> None:
        story = teach(title_of(self.HEXES, step("C")), hexes=("0101", "0202"))
        story.when(pick("0303")).then_refused("no-such-member", rule="H", member="0303", free=("0101", "0202"))
        story.when(pick("0101", by=SOUTH)).then_refused("step-of-another-side", rule="H", seat="south", sides="North")
        story.play(pick("0101"), done(), done(by=SOUTH))
        story.when(pick("0101")).then_refused("no-such-member", rule="H", free=("0202",))

    def test_member_loop_includes_members_that_join_later(self) -> None:
        story = teach(title_of(self.HEXES, step("C")), hexes=("0101",))
        story.play(pick("0101"), mark("hexes", ("0101", "0909")), done(), done(by=SOUTH)).then_open("H")
        story.play(pick("0909"), done(), done(by=SOUTH)).then_open("C")

    def test_member_loop_does_not_repeat_a_finished_member(self) -> None:
        story = teach(title_of(self.HEXES, step("C")), hexes=("0101",))
        story.play(pick("0101"), done(), done(by=SOUTH)).then_open("C")

    def test_member_loop_repeats_a_member_that_left_and_returned(self) -> None:
        story = teach(title_of(self.HEXES, step("C")), hexes=("0101", "0202"))
        story.play(pick("0101"), mark("hexes", ("0202",)), done(), done(by=SOUTH))
        story.play(pick("0202"), mark("hexes", ("0101", "0202")), done(), done(by=SOUTH)).then_open("H")
        story.play(pick("0101"), done(), done(by=SOUTH)).then_open("C")

    def test_member_loop_of_an_empty_set_is_passed(self) -> None:
        lesson(self.HEXES, step("C")).then_open("C")

    def test_without_a_picker_the_members_come_in_their_order(self) -> None:
        loop = Each("H", "ships", of="ships", steps=(step("A"),))
        story = teach(title_of(loop, step("C")), ships=("galley", "trireme"))
        items = [story.game.cursor.item("H"), story.play(done()).game.cursor.item("H")]
        assert items == ["galley", "trireme"]
        story.play(done()).then_open("C")

    def test_member_loop_without_a_pick_is_ended_by_the_referee(self) -> None:
        story = teach(title_of(self.HEXES, step("C")), hexes=("0101",))
        story.when(excuse()).then(LoopClosed, loop="H", why="the table agrees")
        story.then_open("C")

    def test_member_loop_of_an_undeclared_set_is_a_fault(self) -> None:
        loop = Each("H", "ships", of="ships", steps=(step("A"),))
        with pytest.raises(DeclarationError) as fault:
            teach(msgspec.structs.replace(title_of(loop), sets={}))
        assert fault.value.code == "not-declared"
        assert fault.value.fields == {"kind": "set", "name": "ships"}

    def test_members_that_are_sides_are_active_in_their_own_pass(self) -> None:
        """Take player turns from a set of sides, in the scenario's order, without a pick."""
        loop = Each("P", "player turn", of="players", steps=(step("A", ACTIVE), step("B", OTHERS)))
        story = teach(title_of(loop, step("C")), players=(SOUTH, NORTH))
        assert (story.game.cursor.side(), story.game.cursor.waiting()) == (SOUTH, (SOUTH,))
        story.play(done(by=SOUTH)).then_open("B")
        assert story.game.cursor.waiting() == (NORTH,)
        story.play(done(by=NORTH)).then_open("A")
        assert story.game.cursor.side() == NORTH


class TestEachWithEarlyEnd:
    """ "Any of your units": the picking side may stop after any member."""

    UNITS = Each("U", "units", of="units", by=NORTH, may_end=True, steps=(step("A"),))

    def units(self, *more: Step, **changed: object) -> Story:
        return teach(title_of(msgspec.structs.replace(self.UNITS, **changed), step("B"), *more), units=("1", "2", "3"))

    def test_early_end_by_done_closes_the_loop(self) -> None:
        story = self.units().play(pick("2"), done()).then_open("U")
        story.when(done()).then(StepClosed, step="U", side=NORTH, item="")
        story.then(LoopClosed, loop="U", why="North picks no more")
        assert len(story.then_open("B").game.cursor.frames) == 1

    def test_before_the_first_pick_too(self) -> None:
        self.units().play(done(step="U")).then_open("B")

    def test_early_end_does_not_cut_a_pass_short(self) -> None:
        self.units().play(pick("1"), done()).then_open("U")

    def test_when_nothing_is_left_it_is_over_without_a_word(self) -> None:
        self.units().play(*[one for member in "123" for one in (pick(member), done())]).then_open("B")

    def test_early_end_by_another_side_is_refused(self) -> None:
        self.units().when(done(by=SOUTH)).then_refused("step-of-another-side", rule="U", seat="south", sides="North")

    def test_early_end_with_an_answer_is_refused(self) -> None:
        self.units().when(done("enough")).then_refused("no-answer-asked-for-in-loop", rule="U")

    def test_where_several_sides_pick_the_last_done_ends_it(self) -> None:
        story = self.units(by=BOTH)
        story.when(done(by=SOUTH)).then(SideDone, step="U", side=SOUTH)
        story.then_open("U").play(done(by=NORTH)).then_open("B")

    def test_early_end_of_one_side_is_reset_by_a_pick(self) -> None:
        story = self.units(by=BOTH).play(done(by=SOUTH), pick("1"), done()).then_open("U")
        assert story.game.cursor.waiting() == BOTH

    def test_done_in_each_without_early_end_is_refused(self) -> None:
        story = self.units(may_end=False)
        story.when(done()).then_refused("pick-first", rule="U", members=("1", "2", "3"))

    def test_done_by_side_that_does_not_pick_is_refused(self) -> None:
        story = self.units(may_end=False)
        story.when(done(by=SOUTH)).then_refused("step-of-another-side", rule="U", seat="south", sides="North")

    def test_other_order_at_the_pick_names_pick_and_done(self) -> None:
        self.units().when(mark("flag")).then_refused("not-allowed-now", rule="U", order="mark", orders=("pick", "done"))

    def test_turn_view_offers_pick_and_done(self) -> None:
        story = self.units()
        view = turn_view(story.title, story.game, NORTH, story.tip)
        assert [(one.step, one.orders) for one in view.allowed] == [("U", ("pick", "done"))]
        assert view.pick is not None
        assert view.pick.may_end

    def test_among_the_orders_worth_trying_is_its_end(self) -> None:
        story = self.units()
        assert list(suggestions(story.title, story.game))[-1] == done(step="U")

    def test_sequence_page_shows_the_way_after_an_early_end(self) -> None:
        lines = {line["id"]: line for line in page_of(self.units().title)}
        assert lines["U"]["leads_to"] == ["A", "B"]


class TestTurns:
    FLEET = Turns("T", "squadrons", of="unused", sides="order", steps=(step("A", ACTIVE), step("B", OTHERS)))

    def play_pass(self, member: str, by: str) -> list[Done | Pick]:
        other = SOUTH if by == NORTH else NORTH
        return [pick(member, by=by), done(by=by), done(by=other)]

    def test_sides_in_rotation_each_picks_from_its_own_set(self) -> None:
        story = teach(title_of(self.FLEET, step("C")), order=BOTH, unused__north=("n1", "n2"), unused__south=("s1",))
        story.when(pick("s1", by=NORTH)).then_refused("no-such-member", rule="T", member="s1", free=("n1", "n2"))
        story.play(*self.play_pass("n2", NORTH))
        assert story.game.cursor.waiting() == (SOUTH,)
        story.play(*self.play_pass("s1", SOUTH))
        assert story.game.cursor.waiting() == (NORTH,)

    def test_three_sides_go_round_and_round(self) -> None:
        west = "west"
        markers = {"order": (*BOTH, west), **{f"unused/{side}": (f"{side}-1", f"{side}-2") for side in (*BOTH, west)}}
        sides = tuple(Side(id=side, name=side.title()) for side in (*BOTH, west))
        title = title_of(self.FLEET)
        story = Story(title, Scenario(title=title.id, name="a lesson", sides=sides, markers=markers))
        went = []
        for at in range(1, 3):
            for side in (NORTH, SOUTH, west):
                went.append(story.game.cursor.waiting())
                story.play(pick(f"{side}-{at}", by=side), done(by=side))
                for other in story.game.cursor.waiting() if story.game.cursor.open[0].step == "B" else ():
                    story.play(done(by=other))
        assert went == [(NORTH,), (SOUTH,), (west,)] * 2

    def test_outside_every_loop_there_is_no_pass(self) -> None:
        assert (pass_number(Cursor(), ""), pass_number(Cursor(), "T")) == (0, 0)

    def test_place_of_play_names_the_active_or_waiting_sides(self) -> None:
        both = Turns(
            "T", "squadrons", of="unused", sides="order", steps=(step("A", ACTIVE), step("B", OTHERS), step("C", EACH))
        )
        story = teach(title_of(both), order=BOTH, unused__north=("n1",), unused__south=("s1",))
        north, south = map(story.game.side_name, (NORTH, SOUTH))
        story.play(pick("n1"))
        assert story.game.where.endswith(f"A step A · {north}")
        story.play(done())
        assert story.game.where.endswith(f"B step B · {south}")
        story.play(done(by=SOUTH))
        assert story.game.where.endswith(f"C step C · {north}")
        story.play(done())
        assert story.game.where.endswith(f"C step C · {south}")

    def test_turns_skip_an_empty_side_and_end_when_all_are_empty(self) -> None:
        story = teach(title_of(self.FLEET, step("C")), order=BOTH, unused__north=("n1", "n2", "n3"))
        for member in ("n1", "n2", "n3"):
            assert story.game.cursor.waiting() == (NORTH,)
            story.play(*self.play_pass(member, NORTH))
        story.then_open("C")

    def test_turns_repeat_a_member_only_if_it_left_and_returned(self) -> None:
        story = teach(title_of(self.FLEET, step("C")), order=BOTH, unused__north=("n1", "n2"))
        story.play(pick("n1"), mark("unused/north", ("n2",)), done(), done(by=SOUTH))
        story.play(pick("n2"), mark("unused/north", ("n1", "n2")), done(), done(by=SOUTH)).then_open("T")
        story.when(pick("n2")).then_refused("no-such-member", rule="T", member="n2", free=("n1",))
        story.play(*self.play_pass("n1", NORTH)).then_open("C")

    def test_turns_follow_the_side_order_of_the_role(self) -> None:
        sides = (SOUTH, NORTH)
        story = teach(title_of(self.FLEET), order=sides, unused__north=("n1",), unused__south=("s1",))
        assert story.game.cursor.waiting() == (SOUTH,)
