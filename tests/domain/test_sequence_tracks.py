"""Test the tracks of a Together: each continues separately, and the whole ends when all have ended."""

import pytest
from hypothesis import given, strategies as st

from tests.domain.teaching import (
    BOTH,
    NORTH,
    SOUTH,
    auto,
    done,
    heading,
    is_marked,
    lesson,
    mark,
    opened,
    passed,
    sets_marker,
    step,
    teach,
    title_of,
)
from tests.examples import examples
from tests.face.domain import (
    BACK,
    END,
    Answer,
    DeclarationError,
    GameEnded,
    Go,
    Heading,
    Instant,
    LoopOpened,
    PlayJumped,
    Step,
    StepClosed,
    Together,
    check,
    chose,
    inside,
    page_of,
)
from tests.face.projections import turn_view
from tests.face.testing import Story


def preparations(*steps: Step, **more: object) -> Heading:
    """South's track."""
    return heading("2", *(steps or (step("2A", SOUTH), step("2B", SOUTH))), **more)


def both_prepare(*norths: Step, souths: Heading | None = None, **more: object) -> Story:
    """North and South prepare at the same time, North in steps 1A and 1B, South in 2A and 2B; then comes the battle."""
    first = heading("1", *(norths or (step("1A"), step("1B"))))
    prepare = Together("M", "preparations", steps=(first, souths or preparations()))
    return lesson(prepare, step("battle"), step("rest", SOUTH), **more)


class TestTracks:
    def test_track_opens_its_first_step(self) -> None:
        both_prepare().then_open("1A", "2A")

    def test_closed_step_is_followed_by_the_next_of_its_track(self) -> None:
        both_prepare().play(done(by=SOUTH)).then_open("1A", "2B").play(done()).then_open("2B", "1B")

    def test_together_ends_when_all_tracks_have_ended(self) -> None:
        story = both_prepare().play(done(), done()).then_open("2A")
        story.play(done(by=SOUTH), done(by=SOUTH)).then_open("battle")

    def test_single_step_is_a_track(self) -> None:
        prepare = Together("M", "preparations", steps=(step("1"), preparations()))
        story = lesson(prepare, step("battle")).then_open("1", "2A")
        story.play(done(by=SOUTH), done(), done(by=SOUTH)).then_open("battle")

    def test_headings_in_a_track_come_in_order(self) -> None:
        nested = preparations(heading("2A", step("2A1", SOUTH), step("2A2", SOUTH)), step("2B", SOUTH))  # type: ignore[arg-type]
        story = both_prepare(souths=nested).play(*[done(by=SOUTH)] * 2).then_open("1A", "2B")
        assert [one for one in opened(story) if one[0] == "2"] == ["2A1", "2A2", "2B"]

    def test_track_with_false_guard_is_passed_whole(self) -> None:
        story = both_prepare(souths=preparations(when=is_marked("war"))).then_open("1A")
        assert passed(story) == ["2"]

    def test_automatic_step_in_track_closes_at_once(self) -> None:
        tolls = preparations(auto("2A"), step("2B", SOUTH), auto("2C"))
        both_prepare(souths=tolls).then_open("1A", "2B").play(done(by=SOUTH)).then_open("1A")

    def test_answer_is_known_in_the_other_tracks(self) -> None:
        """They share the pass."""
        ask = step("1A", answers=(Answer("attack"), Answer("wait")))
        story = both_prepare(
            ask, step("1B"), souths=preparations(step("2A", SOUTH), step("2B", when=chose("1A", "wait")))
        )
        story.play(done("wait"), done(by=SOUTH)).then_open("1B", "2B")

    def test_side_with_a_step_in_each_track_must_name_one(self) -> None:
        story = both_prepare(souths=preparations(step("2A"), step("2B")))
        story.when(done()).then_refused("several-steps-open", rule="1A", steps="1A, 2A")
        story.play(done(step="2A")).then_open("1A", "2B")

    def test_trigger_restores_every_track(self) -> None:
        alarm = Instant(name="alarm", when=is_marked("smoke"), to="P", during=("2",))
        procedure = heading("P", auto("P1"), step("P2"))
        acts = {"P1": sets_marker("smoke", None)}
        story = both_prepare(procedures=(procedure,), instants=(alarm,), acts=acts).play(done(by=SOUTH))
        before = story.game.cursor
        story.play(mark("smoke")).then_open("P2").play(done())
        assert story.game.cursor == before

    def test_trigger_at_closed_step_continues_in_its_track(self) -> None:
        alarm = Instant(name="alarm", when=is_marked("smoke"), to="P", during=("2B",))
        souths = preparations(step("2A", SOUTH), auto("2B"), step("2C", SOUTH))
        acts = {"2B": sets_marker("smoke"), "P1": sets_marker("smoke", None)}
        procedure = heading("P", auto("P1"), step("P2"))
        story = both_prepare(souths=souths, procedures=(procedure,), instants=(alarm,), acts=acts)
        story.when(done(by=SOUTH)).then(LoopOpened, loop="P", back="2B")
        story.then_open("P2").play(done()).then_open("1A", "2C")

    def test_trigger_during_the_start_is_checked_after_all_tracks(self) -> None:
        alarm = Instant(name="alarm", when=is_marked("smoke"), to="P", during=("M",))
        acts = {"1A": sets_marker("smoke"), "P1": sets_marker("smoke", None)}
        procedure = heading("P", auto("P1"), step("P2"))
        story = both_prepare(auto("1A"), step("1B"), procedures=(procedure,), instants=(alarm,), acts=acts)
        story.then_open("P2").play(done()).then_open("1B", "2A")


class TestTrackWithoutWait:
    def test_track_that_never_waits_opens_no_game(self) -> None:
        souths = preparations(auto("2A"), auto("2B", then=(Go("2A"),)))
        with pytest.raises(DeclarationError) as fault:
            both_prepare(souths=souths)
        assert (fault.value.code, fault.value.where) == ("endless-circle", "2")
        assert fault.value.remedy

    def test_with_a_step_that_waits_it_does(self) -> None:
        both_prepare(souths=preparations(auto("2A"), step("2B", SOUTH, then=(Go("2A"),)))).then_open("1A", "2B")


class TestWaysInATrack:
    BACK_TO_1A = step("1B", answers=(Answer("ready"), Answer("again", to="1A")))

    def test_jump_within_a_track_leaves_the_others_open(self) -> None:
        story = both_prepare(step("1A"), self.BACK_TO_1A).play(done(), done(by=SOUTH))
        story.when(done("again")).then(PlayJumped, to="1A", broke_off=(), stays=("2B",))
        story.then_open("2B", "1A").play(done(), done("ready"), done(by=SOUTH)).then_open("battle")

    def test_jump_within_a_track_keeps_answers_of_the_others(self) -> None:
        ask = step("2A", SOUTH, answers=(Answer("yes"), Answer("no")))
        only = step("2B", SOUTH, when=chose("2A", "yes"))
        souths = preparations(ask, step("2A2", SOUTH), only)
        story = both_prepare(step("1A"), self.BACK_TO_1A, souths=souths).play(done("yes", by=SOUTH), done())
        story.when(done("again")).then(PlayJumped, forgets=("1A", "1B"))
        story.play(done(by=SOUTH)).then_open("1A", "2B")

    def test_to_the_head_of_its_track_is_within_it(self) -> None:
        again = step("1B", answers=(Answer("ready"), Answer("again", to="1")))
        both_prepare(step("1A"), again).play(done(), done("again")).then_open("2A", "1A")

    def test_jump_out_of_a_track_breaks_off_the_others(self) -> None:
        leaves = step("1A", answers=(Answer("stay"), Answer("flee", to="rest")))
        story = both_prepare(leaves)
        story.when(done("flee")).then(PlayJumped, to="rest", broke_off=("2A",), stays=())
        story.then_open("rest")

    def test_so_does_a_jump_into_another_track(self) -> None:
        crosses = step("1A", then=(Go("2B"),))
        story = both_prepare(crosses)
        story.when(done()).then(PlayJumped, to="2B", broke_off=("2A",))
        story.then_open("2B").play(done(by=SOUTH)).then_open("battle")

    def test_call_in_a_track_breaks_off_others_and_returns(self) -> None:
        calls = step("1A", then=(Go("P"),))
        story = both_prepare(calls, step("1B"), procedures=(heading("P", step("P1")),))
        story.when(done()).then(PlayJumped, broke_off=("2A",))
        story.then_open("P1").play(done()).then_open("1B").play(done()).then_open("battle")

    def test_back_breaks_the_others_off(self) -> None:
        first = heading("1", step("1A", then=(Go(BACK),)), step("1B"))
        procedure = heading("P", Together("M", "preparations", steps=(first, preparations())))
        story = lesson(step("0", then=(Go("P"),)), step("battle"), procedures=(procedure,)).play(done())
        story.when(done()).then(PlayJumped, to=BACK, broke_off=("2A",))
        story.then_open("battle")

    def test_way_to_end_ends_the_game(self) -> None:
        both_prepare(step("1A", then=(Go(END),))).when(done()).then(GameEnded)

    def test_track_leading_elsewhere_at_once_starts_no_other(self) -> None:
        story = both_prepare(auto("1A", then=(Go("battle"),)), step("1B")).then_open("battle")
        assert "2A" not in opened(story)

    def test_jump_into_a_track_plays_it_alone(self) -> None:
        prepare = Together("M", "preparations", steps=(heading("1", step("1A"), step("1B")), preparations()))
        story = lesson(step("0", then=(Go("1B"),)), prepare, step("battle"))
        story.play(done()).then_open("1B").play(done()).then_open("battle")

    def test_inside_asks_for_the_track_too(self) -> None:
        last = step("1B", needs=inside("2"))
        story = both_prepare(step("1A"), last).play(done(), done())
        story.play(done(by=SOUTH), done(by=SOUTH))
        assert story.game.cursor.waiting() == (NORTH,)

    def test_borrowed_stretch_may_contain_tracks(self) -> None:
        prepare = Together("M", "preparations", steps=(heading("1", step("1A"), step("1B")), preparations()))
        story = lesson(prepare, step("battle", runs=("M", "M")), step("rest"))
        story.play(*[done(by=side) for side in BOTH * 2]).then_open("1A", "2A")
        story.play(*[done(by=side) for side in BOTH * 2]).then_open("battle")


class TestTrackViews:
    def test_sequence_page_leads_into_and_out_of_each_track(self) -> None:
        leads = {line["id"]: line["leads_to"] for line in page_of(both_prepare().title)}
        assert leads["M"] == ["1", "2"]
        assert (leads["1"], leads["1A"]) == (["1A"], ["1B"])
        assert leads["1B"] == leads["2B"] == ["battle"]

    def test_turn_view_shows_the_open_steps_of_each_track(self) -> None:
        story = both_prepare().play(done(by=SOUTH))
        view = turn_view(story.title, story.game, NORTH, story.tip)
        assert [(one.step, one.side) for one in view.allowed] == [("1A", NORTH), ("2B", SOUTH)]

    def test_sound_tracks_have_no_fault(self) -> None:
        first = heading("1", step("1A"), TestWaysInATrack.BACK_TO_1A)
        prepare = Together("M", "preparations", steps=(first, preparations(), step("3")))
        assert check(title_of(prepare, step("battle", then=(Go(END),)))) == ()


NAMES = "ABC"


class TestAnyTracks:
    @examples(60)
    @given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.lists(st.integers(0, 9), max_size=20))
    def test_tracks_play_their_own_steps_in_order(self, lengths: list[int], choices: list[int]) -> None:
        tracks = {f"{at}": [f"{at}{number}" for number in range(length)] for at, length in enumerate(lengths)}
        places = tuple(heading(track, *map(step, steps)) for track, steps in tracks.items())
        story = teach(title_of(Together("M", "tracks", steps=places), step("behind")))
        played: dict[str, list[str]] = {track: [] for track in tracks}
        for choice in [*choices, *[0] * sum(lengths)]:
            waiting = [one.step for one in story.game.cursor.open]
            left = {steps[len(played[track])] for track, steps in tracks.items() if len(played[track]) < len(steps)}
            assert set(waiting) == left or waiting == ["behind"]
            if waiting == ["behind"]:
                break
            chosen = waiting[choice % len(waiting)]
            story.when(done(step=chosen)).then(StepClosed, step=chosen)
            played[chosen[0]].append(chosen)
        assert played == tracks
        story.then_open("behind")
