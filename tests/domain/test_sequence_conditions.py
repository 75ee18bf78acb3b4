"""Test conditions: the meaning of each, and combinations."""

import pytest

from tests.domain.teaching import (
    NORTH,
    done,
    heading,
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
    Answer,
    Condition,
    DeclarationError,
    Each,
    Go,
    Rounds,
    chose,
    done as was_done,
    ever,
    inside,
    latest,
    nth,
    option,
    picked,
    says,
    why,
)


class Weather(Condition, frozen=True):
    """A kind of condition that Umpire does not know."""


class TestConditions:
    def test_condition_of_unknown_kind_is_refused(self) -> None:
        with pytest.raises(DeclarationError) as fault:
            lesson(step("A", when=Weather()))
        assert fault.value.code == "not-declared"
        assert fault.value.fields == {"kind": "condition", "name": "Weather()"}

    def test_option_asks_the_scenario_and_else_the_titles_default(self) -> None:
        title = title_of(
            step("A", when=option("fog")), step("B", when=option("level", 2)), options={"fog": True, "level": 1}
        )
        assert opened(teach(title)) == ["A"]

    def test_chose_asks_for_an_answer_of_this_pass(self) -> None:
        ask = step("A", answers=(Answer("yes"), Answer("no")))
        lesson(ask, step("B", when=chose("A", "yes")), step("C")).play(done("yes")).then_open("B")
        lesson(ask, step("B", when=chose("A", "yes")), step("C")).play(done("no")).then_open("C")

    def test_was_done_is_true_only_if_the_step_was_not_declined(self) -> None:
        steps = (step("A"), step("B", when=was_done("A")), step("C"))
        lesson(*steps).play(mark("flag"), done()).then_open("B")
        lesson(*steps).play(done()).then_open("C")

    def test_ever_asks_the_loop_that_keeps_the_answer(self) -> None:
        """Answer in round 1; the answer is still known in round 3, and forgotten in the next hex."""
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

    @pytest.mark.parametrize(
        ("condition", "holds", "words"),
        [
            (nth(2, to=4), True, "it is pass 2 to 4"),
            (nth(5, "R", to=None), True, "it is pass 5 or later of R"),
            (nth(3, "R"), True, "it is pass 3 of R"),
            (chose("A", "yes"), True, "A was answered «yes»"),
            (ever("A", "yes"), True, "A was once answered «yes»"),
            (~ever("A", "yes"), True, "A was never answered «yes»"),
            (latest("A", "yes"), False, "the last answer to A was not «yes»"),
        ],
    )
    def test_condition_reads(self, condition: Condition, holds: bool, words: str) -> None:
        assert says(condition, holds=holds) == words

    def test_ever_is_true_of_every_answer_that_was_given_in_the_pass(self) -> None:
        """Answer yes and then no in two rounds; both were ever true, and neither is known in the next hex."""
        ask = step("A", answers=(Answer("yes"), Answer("no"), Answer("perhaps")), keep="H")
        asked = (step(f"B/{answer}", when=ever("A", answer)) for answer in ("yes", "no", "perhaps"))
        inner = Rounds("R", "rounds", steps=(ask, *asked, step("C")), until=is_marked("over"))
        story = teach(title_of(Each("H", "hexes", of="hexes", by=NORTH, steps=(inner,))), hexes=("1", "2"))
        story.play(pick("1"), done("yes")).then_open("B/yes").play(done(), done(), done("no")).then_open("B/yes")
        story.play(done()).then_open("B/no").play(done()).then_open("C")
        story.play(mark("over"), done(), pick("2"), done("perhaps")).then_open("B/perhaps")
        assert opened(story)[-2:] == ["A", "B/perhaps"]

    def test_latest_is_true_of_the_last_answer_that_the_loop_keeps(self) -> None:
        """Keep the last answer: yes in round 1, no in round 2, and no question in round 3."""
        ask = step("A", answers=(Answer("yes"), Answer("no")), keep="H", when=nth(1, "R", to=2))
        asked = (step(f"B/{answer}", when=latest("A", answer)) for answer in ("yes", "no"))
        inner = Rounds("R", "rounds", steps=(ask, *asked, step("C")), until=is_marked("over"))
        story = teach(title_of(Each("H", "hexes", of="hexes", by=NORTH, steps=(inner,)), step("Z")), hexes=("1", "2"))
        story.play(pick("1"), done("yes")).then_open("B/yes").play(done(), done(), done("no")).then_open("B/no")
        story.play(done(), done()).then_open("B/no").play(mark("over"), done(), done(), pick("2")).then_open("A")

    def test_chose_is_true_of_the_last_answer_only(self) -> None:
        ask = step("A", answers=(Answer("yes"), Answer("no")))
        again = step("B", then=(Go("A", when=chose("A", "yes")),))
        story = lesson(ask, again, step("C", when=chose("A", "yes")), step("D"))
        story.play(done("yes"), done(), done("no"), done()).then_open("D")

    def test_picked_is_true_for_the_loop_s_current_member(self) -> None:
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
            "and the marker fog is off the table"
        )
        assert says((wind | tide) & ~fog, holds=False) == (
            "(the marker wind is off the table and the marker tide is off the table) "
            "or the marker fog lies on the table"
        )

    def test_why_names_the_parts_that_decide(self) -> None:
        """Name the false parts of "and", or all true ones; the other way round for "or"."""
        war, truce = is_marked("war"), is_marked("truce")
        story = teach(title_of(step("A")), war=True)
        asked = {
            "the marker truce is off the table": war & truce,
            "the marker war lies on the table": war | truce,
            "the marker war lies on the table and the marker truce is off the table": war & ~truce,
        }
        assert {why(story.title, story.game, one): one for one in asked.values()} == asked

    def test_long_condition_requires_each_part_separately(self) -> None:
        wind, tide, fog = is_marked("wind"), is_marked("tide"), is_marked("fog")
        story = lesson(step("A", needs=wind & tide & fog), step("B"))
        story.play(mark("wind"), mark("tide"))
        story.when(done()).then_refused(
            "orders-required",
            rule="A",
            required="the marker fog is off the table",
            orders=("mark", "pay", "roll", "choose"),
        )
