"""One small sequence for each construct and each of its meanings (DESIGN 6, the table)."""

import msgspec
import pytest

from tests.domain.teaching import (
    BOTH,
    NORTH,
    SOUTH,
    auto,
    done,
    excuse,
    heading,
    is_marked,
    lesson,
    mark,
    opened,
    passed,
    pick,
    sets_marker,
    step,
    teach,
    title_of,
)
from tests.story import Story
from umpire_ledger.domain.flow.page import page_of
from umpire_ledger.domain.game.dice import Dice
from umpire_ledger.domain.game.errors import DeclarationError, TitleFault
from umpire_ledger.domain.game.events import (
    GameEnded,
    LoopClosed,
    LoopOpened,
    PassBegun,
    PlayJumped,
    SideDone,
    StepClosed,
    StepOpened,
)
from umpire_ledger.domain.game.orders import Done, Mark, Pay, Pick
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.changes import leave_when_nothing_is_due
from umpire_ledger.domain.kit.title import Closes, Result, does
from umpire_ledger.domain.play.candidates import suggestions
from umpire_ledger.domain.sequence.conditions import chose, ever, given, inside, nth, option, picked, says
from umpire_ledger.domain.sequence.conditions import done as was_done
from umpire_ledger.domain.sequence.constructs import (
    ACTIVE,
    BACK,
    EACH,
    END,
    NEXT,
    OTHERS,
    Answer,
    Each,
    Go,
    Instant,
    Rounds,
    Step,
    Together,
    Turns,
)
from umpire_ledger.projections.tables.turn_view import turn_view


class TestStep:
    def test_a_step_waits_for_every_side_named_in_by(self) -> None:
        story = lesson(step("A", BOTH), step("B"))
        story.when(done(by=SOUTH)).then(SideDone, step="A", side=SOUTH)
        story.then_open("A")
        story.when(done(by=NORTH)).then(StepClosed, step="A")
        story.then_open("B")

    def test_a_step_with_nobody_in_by_is_read_out_and_left_at_once(self) -> None:
        story = lesson(auto("A"), step("B")).then_open("B")
        assert opened(story) == ["A", "B"]

    def test_a_step_whose_role_nobody_holds_is_passed_with_the_reason(self) -> None:
        story = lesson(step("A", "admiral"), step("B")).then_open("B")
        assert "nobody is admiral" in {getattr(event, "why", "") for event in story.events}
        assert passed(story) == ["A"]

    def test_a_role_may_be_held_by_several_sides(self) -> None:
        teach(title_of(step("A", "admirals"), step("B")), admirals=BOTH).play(done(by=NORTH)).then_open("A")

    def test_a_guard_passes_a_step_and_says_why_in_the_words_of_the_condition(self) -> None:
        story = lesson(step("A", when=is_marked("storm")), step("B")).then_open("B")
        assert "not so: the marker storm lies on the table" in {getattr(event, "why", "") for event in story.events}

    def test_sides_in_turn_act_one_after_the_other(self) -> None:
        story = lesson(step("A", BOTH, in_turn=True), step("B"))
        story.when(mark("flag", by=SOUTH)).then_refused(rule="A", says="south may not act", do="wait for North")
        story.play(done(by=NORTH), mark("flag", by=SOUTH), done(by=SOUTH)).then_open("B")

    def test_a_step_cannot_be_left_while_something_is_owed(self) -> None:
        story = lesson(step("A", needs=is_marked("wind") & is_marked("tide"), rules=("7.3",)), step("B"))
        story.play(mark("wind"))
        refused = story.when(done()).then_refused(rule="A [7.3]", says="the marker tide", do="do first what is owed")
        assert "wind" not in (refused.refusal.what if refused.refusal else "")
        story.play(mark("tide"), done()).then_open("B")

    def test_needs_may_ask_for_an_order_given_in_the_step(self) -> None:
        story = lesson(step("A", needs=given(Pay)), step("B"))
        story.when(done()).then_refused(rule="A", says="`pay` was given", do="do first what is owed")
        story.play(Pay(seat=NORTH, account="gold", amount=3), done()).then_open("B")

    def test_only_the_orders_that_a_step_allows_are_admitted(self) -> None:
        story = lesson(step("A", allows=(Pay,)), step("B", allows=(Mark,)))
        story.when(mark("flag")).then_refused(rule="A", says="belongs to B", do="allowed here: pay, done")

    def test_a_role_in_also_may_give_orders_without_being_waited_for(self) -> None:
        story = lesson(step("A", NORTH, also=OTHERS), step("B"))
        story.play(mark("shout", by=SOUTH))
        story.when(done(by=SOUTH)).then_refused(rule="A", says="south may not act", do="wait for North")
        story.play(done(by=NORTH)).then_open("B")

    def test_then_leads_where_its_first_open_way_leads(self) -> None:
        ways = (Go("C", when=is_marked("short")), Go("D"))
        for marker, leads_to in (("short", "C"), ("long", "D")):
            story = lesson(step("A", then=ways), step("B"), step("C"), step("D"))
            story.play(mark(marker)).when(done()).then(StepClosed, step="A", to=leads_to)
            story.then_open(leads_to)

    def test_a_step_none_of_whose_ways_is_open_leads_to_the_next(self) -> None:
        lesson(step("A", then=(Go("C", when=is_marked("short")),)), step("B"), step("C")).play(done()).then_open("B")

    def test_what_happens_of_itself_happens_when_the_step_opens(self) -> None:
        story = lesson(step("A"), auto("B"), step("C"), acts={"B": sets_marker("tide", "high")})
        story.play(done()).then_open("C")
        assert story.game.markers["tide"] == "high"

    def test_what_happens_of_itself_may_close_the_step_with_an_answer(self) -> None:
        settled = auto("A", answers=(Answer("calm", to="C"), Answer("storm", to="B")))
        story = lesson(settled, step("B"), step("C"), acts={"A": lambda game: [Closes(answer="calm")]})
        story.then(StepClosed, step="A", answer="calm", to="C")
        story.then_open("C")

    def test_a_step_that_counts_turns_begins_one_where_no_rounds_do(self) -> None:
        story = lesson(step("A"), auto("B", counts_turns=True), step("C"))
        assert story.game.turn == 0
        assert story.play(done()).game.turn == 1
        assert story.game.where == "turn 1 · C step C · North"

    def test_a_step_borrows_a_stretch_and_opens_itself_afterwards(self) -> None:
        story = lesson(step("A"), step("B"), step("C"), step("D", runs=("A", "B")), step("E"))
        story.play(done(), done(), done()).then(LoopOpened, loop="D", kind="borrow", stretch=("A", "B"))
        story.then_open("A").play(done()).then_open("B")
        story.when(done()).then(LoopClosed, loop="D")
        story.then_open("D").play(done()).then_open("E")


class TestHeading:
    def test_its_children_come_in_order(self) -> None:
        story = lesson(heading("1", step("1A"), heading("1B", step("1B1"), step("1B2"))), step("2"))
        story.play(*[done()] * 4)
        assert opened(story) == ["1A", "1B1", "1B2", "2"]

    def test_a_heading_is_passed_whole(self) -> None:
        story = lesson(heading("1", step("1A"), step("1B"), when=is_marked("war")), step("2")).then_open("2")
        assert passed(story) == ["1"]

    def test_behind_the_last_place_the_game_is_over(self) -> None:
        lesson(heading("1", step("1A"))).when(done()).then(GameEnded, why="the sequence of play is over")


class TestRounds:
    def test_its_children_come_again_and_again(self) -> None:
        story = lesson(Rounds("R", "rounds", steps=(step("A"), step("B"))))
        story.play(*[done()] * 4).then(PassBegun, loop="R", nth=3)
        assert opened(story) == ["A", "B", "A", "B", "A"]

    def test_until_is_asked_at_the_end_of_each_pass_and_not_before(self) -> None:
        story = lesson(Rounds("R", "rounds", steps=(step("A"), step("B")), until=is_marked("dusk")), step("C"))
        story.play(mark("dusk"), done()).then_open("B")
        story.when(done()).then(LoopClosed, loop="R", why="the marker dusk lies on the table")
        story.then_open("C")

    def test_rounds_may_count_the_turns_of_the_game(self) -> None:
        story = lesson(Rounds("R", "turns", steps=(step("A"),), counts_turns=True))
        assert [story.game.turn, story.play(done()).game.turn, story.play(done()).game.turn] == [1, 2, 3]


class TestEach:
    HEXES = Each("H", "battles", of="hexes", by=NORTH, steps=(step("A"), step("B", SOUTH)))

    def test_one_pass_for_each_member_picked_by_the_side_in_by(self) -> None:
        story = teach(title_of(self.HEXES, step("C")), hexes=("0101", "0202"))
        story.then_open("H").play(pick("0202")).then(StepClosed, item="0202")
        assert story.game.cursor.item("H") == "0202"
        story.play(done(), done(by=SOUTH)).then_open("H")
        story.play(pick("0101"), done()).when(done(by=SOUTH)).then(LoopClosed, why="nothing is left of hexes")
        story.then_open("C")

    def test_only_a_free_member_may_be_picked_and_only_by_the_picker(self) -> None:
        story = teach(title_of(self.HEXES, step("C")), hexes=("0101", "0202"))
        story.when(pick("0303")).then_refused(rule="H", says="0303 cannot be picked", do="pick one of: 0101, 0202")
        story.when(pick("0101", by=SOUTH)).then_refused(rule="H", says="south may not act", do="wait for North")
        story.play(pick("0101"), done(), done(by=SOUTH))
        story.when(pick("0101")).then_refused(rule="H", says="cannot be picked", do="pick one of: 0202")

    def test_the_set_is_living_a_member_may_join_while_the_loop_runs(self) -> None:
        story = teach(title_of(self.HEXES, step("C")), hexes=("0101",))
        story.play(pick("0101"), mark("hexes", ("0101", "0909")), done(), done(by=SOUTH)).then_open("H")
        story.play(pick("0909"), done(), done(by=SOUTH)).then_open("C")

    def test_a_member_done_does_not_come_back_while_it_stays_in_the_set(self) -> None:
        story = teach(title_of(self.HEXES, step("C")), hexes=("0101",))
        story.play(pick("0101"), done(), done(by=SOUTH)).then_open("C")

    def test_a_member_done_comes_back_if_it_left_the_set_and_returned(self) -> None:
        story = teach(title_of(self.HEXES, step("C")), hexes=("0101", "0202"))
        story.play(pick("0101"), mark("hexes", ("0202",)), done(), done(by=SOUTH))
        story.play(pick("0202"), mark("hexes", ("0101", "0202")), done(), done(by=SOUTH)).then_open("H")
        story.play(pick("0101"), done(), done(by=SOUTH)).then_open("C")

    def test_an_empty_set_is_left_at_once(self) -> None:
        lesson(self.HEXES, step("C")).then_open("C")

    def test_without_a_picker_the_members_come_in_their_order(self) -> None:
        loop = Each("H", "ships", of="ships", steps=(step("A"),))
        story = teach(title_of(loop, step("C")), ships=("galley", "trireme"))
        items = [story.game.cursor.item("H"), story.play(done()).game.cursor.item("H")]
        assert items == ["galley", "trireme"]
        story.play(done()).then_open("C")

    def test_the_referee_may_give_up_a_pick_that_nobody_makes(self) -> None:
        story = teach(title_of(self.HEXES, step("C")), hexes=("0101",))
        story.when(excuse()).then(LoopClosed, loop="H", why="the table agrees")
        story.then_open("C")

    def test_members_that_are_sides_are_active_in_their_own_pass(self) -> None:
        """Player turns: the set gives the sides in the order of the scenario, and nobody picks."""
        loop = Each("P", "player turn", of="players", steps=(step("A", ACTIVE), step("B", OTHERS)))
        story = teach(title_of(loop, step("C")), players=(SOUTH, NORTH))
        assert (story.game.cursor.side(), story.game.cursor.waiting()) == (SOUTH, (SOUTH,))
        story.play(done(by=SOUTH)).then_open("B")
        assert story.game.cursor.waiting() == (NORTH,)
        story.play(done(by=NORTH)).then_open("A")
        assert story.game.cursor.side() == NORTH


class TestAnEachThatMayBeEnded:
    """«Any of your units»: whoever picks stops when he has had enough."""

    UNITS = Each("U", "units", of="units", by=NORTH, may_end=True, steps=(step("A"),))

    def units(self, *more: Step, **changed: object) -> Story:
        return teach(title_of(msgspec.structs.replace(self.UNITS, **changed), step("B"), *more), units=("1", "2", "3"))

    def test_whoever_picks_may_say_done_instead(self) -> None:
        story = self.units().play(pick("2"), done()).then_open("U")
        story.when(done()).then(StepClosed, step="U", side=NORTH, item="")
        story.then(LoopClosed, loop="U", why="North picks no more")
        assert len(story.then_open("B").game.cursor.frames) == 1

    def test_before_the_first_pick_too(self) -> None:
        self.units().play(done(step="U")).then_open("B")

    def test_a_pass_that_has_begun_is_played_to_its_end(self) -> None:
        self.units().play(pick("1"), done()).then_open("U")

    def test_when_nothing_is_left_it_is_over_without_a_word(self) -> None:
        self.units().play(*[one for member in "123" for one in (pick(member), done())]).then_open("B")

    def test_nobody_else_may_end_it(self) -> None:
        self.units().when(done(by=SOUTH)).then_refused(rule="U", says="south may not act", do="wait for North")

    def test_it_is_ended_without_an_answer(self) -> None:
        self.units().when(done("enough")).then_refused(rule="U", says="asks for no answer", do="`done` alone")

    def test_where_several_sides_pick_the_last_done_ends_it(self) -> None:
        story = self.units(by=BOTH)
        story.when(done(by=SOUTH)).then(SideDone, step="U", side=SOUTH)
        story.then_open("U").play(done(by=NORTH)).then_open("B")

    def test_after_a_pick_everybody_is_asked_again(self) -> None:
        story = self.units(by=BOTH).play(done(by=SOUTH), pick("1"), done()).then_open("U")
        assert story.game.cursor.waiting() == BOTH

    def test_one_that_may_not_be_ended_says_so(self) -> None:
        story = self.units(may_end=False)
        story.when(done()).then_refused(rule="U", says="a member must be picked first", do="`pick` one")

    def test_an_order_out_of_place_is_told_both_ways_on(self) -> None:
        self.units().when(mark("flag")).then_refused(rule="U", says="mark is not allowed now", do="here: pick, done")

    def test_the_turn_view_offers_both(self) -> None:
        story = self.units()
        view = turn_view(story.title, story.game, NORTH, story.tip)
        assert [(one.step, one.orders) for one in view.allowed] == [("U", ("pick", "done"))]
        assert view.pick is not None
        assert view.pick.may_end

    def test_among_the_orders_worth_trying_is_its_end(self) -> None:
        story = self.units()
        assert list(suggestions(story.title, story.game))[-1] == done(step="U")

    def test_the_page_says_where_its_end_leads(self) -> None:
        lines = {line["id"]: line for line in page_of(self.units().title)}
        assert lines["U"]["leads_to"] == ["A", "B"]


class TestTurns:
    FLEET = Turns("T", "squadrons", of="unused", sides="order", steps=(step("A", ACTIVE), step("B", OTHERS)))

    def play_pass(self, member: str, by: str) -> list[Done | Pick]:
        other = SOUTH if by == NORTH else NORTH
        return [pick(member, by=by), done(by=by), done(by=other)]

    def test_sides_in_rotation_each_picks_from_its_own_set(self) -> None:
        story = teach(title_of(self.FLEET, step("C")), order=BOTH, unused__north=("n1", "n2"), unused__south=("s1",))
        story.when(pick("s1", by=NORTH)).then_refused(rule="T", says="s1 cannot be picked", do="pick one of: n1, n2")
        story.play(*self.play_pass("n2", NORTH))
        assert story.game.cursor.waiting() == (SOUTH,)
        story.play(*self.play_pass("s1", SOUTH))
        assert story.game.cursor.waiting() == (NORTH,)

    def test_a_side_with_nothing_left_is_skipped_and_it_is_over_when_all_are_empty(self) -> None:
        story = teach(title_of(self.FLEET, step("C")), order=BOTH, unused__north=("n1", "n2", "n3"))
        for member in ("n1", "n2", "n3"):
            assert story.game.cursor.waiting() == (NORTH,)
            story.play(*self.play_pass(member, NORTH))
        story.then_open("C")

    def test_the_order_of_the_sides_is_the_one_that_the_role_gives(self) -> None:
        sides = (SOUTH, NORTH)
        story = teach(title_of(self.FLEET), order=sides, unused__north=("n1",), unused__south=("s1",))
        assert story.game.cursor.waiting() == (SOUTH,)


class TestTogether:
    MENU = Together("M", "menu", steps=(step("A"), step("B", SOUTH), step("X", when=is_marked("fog"))))

    def test_its_steps_are_open_at_once_and_closed_each_on_its_own(self) -> None:
        story = lesson(self.MENU, step("C")).then_open("A", "B")
        story.play(done(by=SOUTH)).then_open("A").play(done()).then_open("C")
        assert passed(story) == ["X"]

    def test_a_side_with_several_open_steps_says_which_it_leaves(self) -> None:
        story = teach(title_of(self.MENU, step("C")), fog=True).then_open("A", "B", "X")
        story.when(done()).then_refused(rule="A", says="several steps are open for you: A, X", do="say which")
        story.play(done(step="X")).then_open("A", "B")

    def test_a_step_that_leads_elsewhere_breaks_the_others_off(self) -> None:
        menu = Together("M", "menu", steps=(step("A", then=(Go("D"),)), step("B", SOUTH)))
        story = lesson(menu, step("C"), step("D"))
        story.when(done()).then(PlayJumped, to="D", broke_off=("B",))
        story.then_open("D")

    def test_a_step_that_returns_from_a_procedure_breaks_the_others_off(self) -> None:
        menu = Together("M", "menu", steps=(step("P1", answers=(Answer("enough", to=BACK),)), step("P2", SOUTH)))
        story = lesson(step("A", then=(Go("P"),)), step("B"), procedures=(heading("P", menu),))
        story.play(done()).then_open("P1", "P2")
        story.when(done("enough")).then(PlayJumped, to=BACK, broke_off=("P2",))
        story.then_open("B")

    def test_a_reaction_beside_a_move_leaves_the_move_open(self) -> None:
        story = lesson(Together("M", "move", steps=(step("move"), step("react", SOUTH))), step("C"))
        story.play(mark("ambush", by=SOUTH), done(by=SOUTH)).then_open("move")

    def test_when_none_of_its_steps_waits_play_goes_on(self) -> None:
        lesson(Together("M", "menu", steps=(auto("A"), auto("B"))), step("C")).then_open("C")


class TestAnswer:
    def test_an_answer_closes_the_step_and_says_where_it_leads(self) -> None:
        ask = step("A", answers=(Answer("stay"), Answer("leave", to="C")))
        lesson(ask, step("B"), step("C")).play(done("stay")).then_open("B")
        story = lesson(ask, step("B"), step("C"))
        story.when(done("leave")).then(StepClosed, step="A", answer="leave", to="C", side=NORTH)
        story.then_open("C")

    def test_a_step_with_answers_is_not_left_without_one(self) -> None:
        story = lesson(step("A", answers=(Answer("stay"), Answer("leave"))), step("B"))
        story.when(done()).then_refused(rule="A", says="asks for an answer", do="answer with one of: stay, leave")
        story.when(done("fly")).then_refused(rule="A", says="'fly' is no answer", do="stay, leave")

    def test_an_answer_may_be_open_only_under_a_condition(self) -> None:
        ask = step("A", answers=(Answer("stay"), Answer("leave", when=is_marked("road"))))
        story = lesson(ask, step("B"))
        story.when(done("leave")).then_refused(rule="A", says="no answer here", do="answer with one of: stay")
        story.play(mark("road"), done("leave")).then_open("B")

    def test_an_answer_may_belong_to_one_of_the_sides(self) -> None:
        ask = step("A", BOTH, answers=(Answer("attack", by=NORTH), Answer("defend", by=SOUTH)))
        story = lesson(ask, step("B"))
        story.when(done("attack", by=SOUTH)).then_refused(rule="A", says="no answer", do="answer with one of: defend")
        story.play(done("defend", by=SOUTH)).then_open("B")

    def test_what_a_die_says_no_side_may_say(self) -> None:
        ask = step("A", answers=(Answer("hit", to="C", by_dice=True), Answer("miss", by_dice=True)))
        story = lesson(ask, step("B"), step("C"))
        story.when(done("hit")).then_refused(rule="A", says="'hit' is no answer here", do="an order that decides it")

    def test_an_order_whose_dice_answer_closes_the_step(self) -> None:
        ask = step("A", allows=(Pay,), answers=(Answer("hit", to="C", by_dice=True), Answer("miss", by_dice=True)))
        title = title_of(ask, step("B"), step("C"), orders=(does(Pay, answer_hit),))
        story = teach(title).when(pay(NORTH))
        story.then(StepClosed, step="A", answer="hit", to="C")
        story.then_open("C")


class TestAnOrderThatEndsItsSidesPart:
    """`Closes` among the results of a decision."""

    def deciding(self, closes: Closes, **more: object) -> Story:
        """Two sides in step A, where `pay` is decided so; North and South, and nobody else, are waited for."""
        pays = does(Pay, lambda game, order, dice: [closes])
        return lesson(step("A", BOTH, allows=(Pay,), **more), step("B"), step("C"), orders=(pays,))

    def test_of_one_side_ends_that_sides_part_and_the_others_are_waited_for(self) -> None:
        story = self.deciding(Closes())
        story.when(pay(SOUTH)).then(SideDone, step="A", side=SOUTH, how="done")
        story.then_not(StepClosed)
        assert story.then_open("A").game.cursor.waiting() == (NORTH,)

    def test_of_the_last_side_closes_the_step(self) -> None:
        self.deciding(Closes()).play(pay(SOUTH), pay(NORTH)).then_open("B")

    def test_where_the_others_have_said_done_it_closes_the_step(self) -> None:
        self.deciding(Closes()).play(done(by=NORTH), pay(SOUTH)).then_open("B")

    def test_in_turn_the_next_side_acts(self) -> None:
        story = self.deciding(Closes(), in_turn=True).play(pay(NORTH))
        story.when(pay(NORTH)).then_refused(rule="A", says="north may not act", do="wait for South")
        story.play(pay(SOUTH)).then_open("B")

    def test_everybody_closes_it_for_all(self) -> None:
        story = self.deciding(Closes(everybody=True)).when(pay(SOUTH))
        story.then_not(SideDone)
        story.then_open("B")

    def test_an_answer_closes_it_for_all(self) -> None:
        answers = (Answer("stay"), Answer("leave", to="C"))
        story = self.deciding(Closes("leave"), answers=answers).when(pay(SOUTH))
        story.then(StepClosed, step="A", answer="leave", to="C")
        story.then_open("C")

    def test_a_side_that_is_not_waited_for_has_no_part_to_end(self) -> None:
        pays = does(Pay, lambda game, order, dice: [Closes()])
        story = lesson(step("A", NORTH, also=OTHERS, allows=(Pay,)), step("B"), orders=(pays,))
        with pytest.raises(TitleFault, match="ends the part of south in A, which waits for north") as fault:
            story.when(pay(SOUTH))
        assert "Closes(everybody=True) closes the step" in fault.value.rule
        assert "nothing was recorded" in fault.value.remedy

    def test_whoever_has_nothing_left_to_do_is_done_and_with_the_last_of_them_the_step(self) -> None:
        """`leave_when_nothing_is_due` may end the part of a side that gave no order."""
        title = title_of(step("A", BOTH, allows=(Mark,)), step("B"), orders=(does(Mark, mark_and_leave),))
        story = teach(title, due__north=2, due__south=1)
        story.when(mark("due/south", None, by=NORTH)).then(SideDone, step="A", side=SOUTH)
        story.play(mark("due/north", None)).then_open("B")


def pay(by: str) -> Pay:
    return Pay(seat=by, account="gold", amount=1)


def answer_hit(game: Game, order: Pay, dice: Dice) -> list[Result]:
    return [Closes("hit")]


def mark_and_leave(game: Game, order: Mark, dice: Dice) -> list[Result]:
    return leave_when_nothing_is_due(game, sets_marker(order.marker, order.to)(game), is_due)


def light(game: Game, order: Mark, dice: Dice) -> list[Result]:
    return [*sets_marker(order.marker, order.to)(game), Closes("light")]


def is_due(game: Game, side: str) -> bool:
    return bool(game.markers.get(f"due/{side}"))


class TestInstant:
    def test_it_is_asked_after_every_order(self) -> None:
        alarm = Instant(name="the alarm", when=is_marked("smoke"), to="P")
        story = lesson(step("A"), procedures=(heading("P", step("P1")),), instants=(alarm,))
        story.then_open("A").when(mark("smoke")).then(LoopOpened, loop="P", kind="instant", name="the alarm")
        story.then_open("P1")

    def test_it_is_asked_whenever_somebody_is_waited_for(self) -> None:
        """The opening of a game is no order of a seat."""
        alarm = Instant(name="the alarm", when=is_marked("smoke"), to="P")
        title = title_of(step("A"), procedures=(heading("P", step("P1")),), instants=(alarm,))
        teach(title, smoke=True).then_open("P1")

    def test_it_is_asked_where_a_step_closes_of_itself_before_play_goes_on(self) -> None:
        alarm = Instant(name="the alarm", when=is_marked("smoke"), to="P", during=("B",))
        story = lesson(
            step("A"),
            auto("B"),
            step("C"),
            procedures=(heading("P", step("P1")),),
            instants=(alarm,),
            acts={"B": sets_marker("smoke")},
        )
        story.play(done()).then_open("P1")
        assert opened(story) == ["A", "B", "P1"]

    def test_the_procedure_suspends_what_is_going_on_and_gives_it_back(self) -> None:
        alarm = Instant(name="the alarm", when=is_marked("smoke"), to="P")
        procedure = heading("P", step("P1"), step("P2", SOUTH))
        story = lesson(step("A", BOTH), step("B"), procedures=(procedure,), instants=(alarm,))
        story.play(done(by=NORTH))
        before = story.game.cursor
        story.play(mark("smoke", by=SOUTH), mark("smoke", None), done()).then_open("P2")
        story.play(done(by=SOUTH)).then_open("A")
        assert story.game.cursor == before

    def test_a_step_that_closed_at_the_instant_is_gone_on_from_afterwards(self) -> None:
        """North's answer is given and the step closed; only then, at the same instant, the alarm."""
        alarm = Instant(name="the alarm", when=is_marked("smoke"), to="P", during=("A",))
        ask = step("A", allows=(Mark,), answers=(Answer("light", to="C"),))
        places = (ask, step("B"), step("C"))
        procedure = heading("P", step("P1"), auto("P2"))
        put_out = {"P2": sets_marker("smoke", None)}
        story = lesson(*places, procedures=(procedure,), instants=(alarm,), orders=(does(Mark, light),), acts=put_out)
        story.when(mark("smoke")).then(StepClosed, step="A", to="C")
        story.then_open("P1").play(done()).then_open("C")

    def test_during_limits_where_it_is_watched(self) -> None:
        alarm = Instant(name="the alarm", when=is_marked("smoke"), to="P", during=("2",))
        places = (heading("1", step("1A")), heading("2", step("2A")))
        story = lesson(*places, procedures=(heading("P", step("P1")),), instants=(alarm,))
        story.play(mark("smoke")).then_open("1A")
        story.play(done()).then_open("P1")

    def test_it_may_jump_instead(self) -> None:
        alarm = Instant(name="nightfall", when=is_marked("dark"), to="3", during=("1", "2"))
        story = lesson(step("1"), step("2"), step("3"), instants=(alarm,))
        story.when(mark("dark")).then(PlayJumped, to="3", broke_off=("1",), note="from nightfall")
        story.then_open("3")

    def test_it_may_end_the_game(self) -> None:
        story = lesson(step("A"), instants=(Instant(name="the king is dead", when=is_marked("dead"), to=END),))
        story.when(mark("dead")).then(GameEnded, why="the king is dead")

    def test_it_may_begin_the_next_pass_of_an_open_loop(self) -> None:
        """An open loop is not being dealt with, so the instant is asked although play is inside its target."""
        round_over = Instant(name="the round is over", when=is_marked("over"), to="R", during=("B",))
        loop = Rounds("R", "rounds", steps=(auto("clear"), step("A"), step("B")))

        story = lesson(loop, instants=(round_over,), acts={"clear": sets_marker("over", None)})
        story.play(done()).when(mark("over")).then(PassBegun, loop="R", nth=2)
        story.then_open("A")


class TestProcedure:
    def test_going_to_it_calls_it_and_it_comes_back_behind_its_caller(self) -> None:
        story = lesson(step("A", then=(Go("P"),)), step("B"), procedures=(heading("P", step("P1"), step("P2")),))
        story.when(done()).then(LoopOpened, loop="P", kind="call", back="A")
        story.play(done(), done()).then_open("B")

    def test_back_returns_before_its_end(self) -> None:
        procedure = heading("P", step("P1", then=(Go(BACK),)), step("P2"))
        lesson(step("A", then=(Go("P"),)), step("B"), procedures=(procedure,)).play(done(), done()).then_open("B")

    def test_back_out_of_a_loop_in_the_procedure_leaves_the_loop(self) -> None:
        loop = Rounds("R", "rounds", steps=(step("P1", answers=(Answer("on"), Answer("enough", to=BACK))),))
        story = lesson(step("A", then=(Go("P"),)), step("B"), procedures=(heading("P", loop),))
        story.play(done(), done("on"), done("enough")).then_open("B")
        assert len(story.game.cursor.frames) == 1

    def test_it_may_be_left_for_another_place_of_an_open_loop(self) -> None:
        loop = Rounds("R", "rounds", steps=(step("A", then=(Go("P"),)), step("B"), step("C")))
        procedure = heading("P", step("P1", then=(Go("C"),)))
        story = lesson(loop, procedures=(procedure,)).play(done(), done()).then_open("C")
        assert [frame.of for frame in story.game.cursor.frames] == ["", "R"]

    def test_its_guard_is_asked_when_it_is_called(self) -> None:
        procedure = heading("P", step("P1"), when=is_marked("storm"))
        story = lesson(step("A", then=(Go("P"),)), step("B"), procedures=(procedure,)).play(done()).then_open("B")
        assert passed(story) == ["P"]

    def test_a_call_from_a_menu_goes_on_behind_the_menu(self) -> None:
        menu = Together("M", "menu", steps=(step("A", then=(Go("P"),)), step("B", SOUTH)))
        story = lesson(menu, step("C"), procedures=(heading("P", step("P1")),))
        story.when(done()).then(PlayJumped, broke_off=("B",))
        story.then_open("P1").play(done()).then_open("C")

    def test_back_outside_a_procedure_is_a_fault_of_the_declaration(self) -> None:
        with pytest.raises(DeclarationError, match="no procedure to return from"):
            lesson(step("A", then=(Go(BACK),))).when(done())

    def test_a_procedure_may_call_another(self) -> None:
        first = heading("P", step("P1", then=(Go("Q"),)), step("P2"))
        story = lesson(step("A", then=(Go("P"),)), step("B"), procedures=(first, heading("Q", step("Q1"))))
        story.play(done(), done(), done()).then_open("P2")


class TestConditions:
    def test_option_asks_the_scenario_and_else_the_titles_default(self) -> None:
        title = title_of(
            step("A", when=option("fog")), step("B", when=option("level", 2)), options={"fog": True, "level": 1}
        )
        assert opened(teach(title)) == ["A"]

    def test_chose_asks_for_an_answer_of_this_pass(self) -> None:
        ask = step("A", answers=(Answer("yes"), Answer("no")))
        lesson(ask, step("B", when=chose("A", "yes")), step("C")).play(done("yes")).then_open("B")
        lesson(ask, step("B", when=chose("A", "yes")), step("C")).play(done("no")).then_open("C")

    def test_done_asks_whether_a_step_was_carried_out_and_not_declined(self) -> None:
        steps = (step("A"), step("B", when=was_done("A")), step("C"))
        lesson(*steps).play(mark("flag"), done()).then_open("B")
        lesson(*steps).play(done()).then_open("C")

    def test_ever_asks_the_loop_that_keeps_the_answer(self) -> None:
        """Answered in round 1, still known in round 3, forgotten for the next hex."""
        ask = step("A", answers=(Answer("yes"), Answer("no")), keep="H", when=nth(1, "R"))
        inner = Rounds("R", "rounds", steps=(ask, step("B", when=ever("A", "yes")), step("C")), until=is_marked("over"))
        loop = Each("H", "hexes", of="hexes", by=NORTH, steps=(inner,))
        story = teach(title_of(loop, step("Z")), hexes=("1", "2"))
        story.play(pick("1"), done("yes"), done(), done()).then_open("B")
        story.play(done(), mark("over"), done()).then_open("H")
        story.play(pick("2"), mark("over", None), done("no")).then_open("C")

    def test_nth_asks_for_the_pass_of_a_loop(self) -> None:
        loop = Rounds("R", "rounds", steps=(step("A", when=nth(1)), step("B", when=nth(2, "R")), step("C")))
        story = lesson(loop).play(done(), done(), done())
        assert opened(story) == ["A", "C", "B", "C"]

    def test_nth_asks_for_a_range_of_passes(self) -> None:
        early, late = step("A", when=nth(1, "R", to=2)), step("B", when=nth(3, to=None))
        story = lesson(Rounds("R", "rounds", steps=(early, late, step("C")))).play(*[done()] * 7)
        assert opened(story) == ["A", "C", "A", "C", "B", "C", "B", "C"]

    def test_a_range_of_passes_reads_as_a_referee_reads(self) -> None:
        assert says(nth(2, to=4)) == "it is pass 2 to 4"
        assert says(nth(5, "R", to=None)) == "it is pass 5 or later of R"
        assert says(nth(3, "R")) == "it is pass 3 of R"

    def test_ever_is_true_of_every_answer_that_was_given_in_the_pass(self) -> None:
        """Asked in each round, answered yes and then no: it was ever both; the next hex has heard neither."""
        ask = step("A", answers=(Answer("yes"), Answer("no"), Answer("perhaps")), keep="H")
        asked = (step(f"B/{answer}", when=ever("A", answer)) for answer in ("yes", "no", "perhaps"))
        inner = Rounds("R", "rounds", steps=(ask, *asked, step("C")), until=is_marked("over"))
        story = teach(title_of(Each("H", "hexes", of="hexes", by=NORTH, steps=(inner,))), hexes=("1", "2"))
        story.play(pick("1"), done("yes")).then_open("B/yes").play(done(), done(), done("no")).then_open("B/yes")
        story.play(done()).then_open("B/no").play(done()).then_open("C")
        story.play(mark("over"), done(), pick("2"), done("perhaps")).then_open("B/perhaps")
        assert opened(story)[-2:] == ["A", "B/perhaps"]

    def test_chose_is_true_of_the_last_answer_only(self) -> None:
        ask = step("A", answers=(Answer("yes"), Answer("no")))
        again = step("B", then=(Go("A", when=chose("A", "yes")),))
        story = lesson(ask, again, step("C", when=chose("A", "yes")), step("D"))
        story.play(done("yes"), done(), done("no"), done()).then_open("D")

    def test_picked_asks_what_a_loop_has_in_hand(self) -> None:
        only = step("B", when=picked("H", "2"))
        loop = Each("H", "hexes", of="hexes", by=NORTH, steps=(step("A", when=picked("H")), only))
        story = teach(title_of(loop, step("Z", when=picked("H")), step("C")), hexes=("1", "2"))
        story.play(pick("1"), done(), pick("2"), done()).then_open("B")
        story.play(done()).then_open("C")

    def test_inside_asks_where_play_is_through_every_call(self) -> None:
        procedure = heading("P", step("P1", when=inside("1")), step("P2"))
        places = (heading("1", step("1A", then=(Go("P"),))), step("2", then=(Go("P"),)))
        story = lesson(*places, procedures=(procedure,)).play(done(), done(), done(), done())
        assert opened(story) == ["1A", "P1", "P2", "2", "P2"]

    def test_conditions_combine_and_read_as_a_referee_reads(self) -> None:
        wind, tide, fog = is_marked("wind"), is_marked("tide"), is_marked("fog")
        both = lesson(step("A", when=wind & ~tide), step("B", when=wind | fog), step("C"))
        assert opened(both) == ["C"]
        assert ~~wind == wind
        assert wind & (tide & fog) == wind & tide & fog
        assert wind | (tide | fog) == wind | tide | fog
        assert says((wind | tide) & ~fog) == (
            "(the marker wind lies on the table or the marker tide lies on the table) "
            "and not (the marker fog lies on the table)"
        )

    def test_every_part_of_a_long_condition_is_owed_on_its_own(self) -> None:
        wind, tide, fog = is_marked("wind"), is_marked("tide"), is_marked("fog")
        story = lesson(step("A", needs=wind & tide & fog), step("B"))
        story.play(mark("wind"), mark("tide"))
        story.when(done()).then_refused(rule="A", says="left: the marker fog lies on the table", do="what is owed")


class TestTargets:
    def test_next_is_the_place_behind(self) -> None:
        lesson(step("A", then=(Go(NEXT),)), step("B")).when(done()).then(StepClosed, to=NEXT)

    def test_end_is_the_end_of_the_game(self) -> None:
        story = lesson(step("A", then=(Go(END),)), step("B"))
        story.when(done()).then(GameEnded, why="A step A")
        story.when(mark("flag")).then_refused(rule="the end", says="the game is over", do="`undo` or `rewind`")

    def test_any_id_is_a_place_to_lead_to(self) -> None:
        story = lesson(step("A"), heading("1", step("1A"), step("1B")), step("B", then=(Go("1B"),)))
        story.play(*[done()] * 4).then_open("1B")

    def test_a_step_left_while_nobody_is_waited_for_has_no_side(self) -> None:
        story = lesson(auto("A"), Step("B", "nobody", by="ghosts"), step("C"))
        story.then(StepOpened, step="A", waits=())
        assert EACH not in story.game.cursor.waiting()
