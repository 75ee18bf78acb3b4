"""Test the required and allowed orders in the turn view, which uses the functions that decide orders."""

import msgspec
import pytest

from tests.face.domain import (
    EACH,
    REFEREE,
    SPECTATOR,
    Answer,
    Game,
    RuleViolation,
    Sequence,
    Step,
    StepOpened,
    Together,
    fact,
    fold,
)
from tests.face.projections import (
    Allowed,
    RequiredActionView,
    StepAnswers,
    TurnView,
    fresh_turn_view,
    seats_of,
    stored_turn_view,
    turn_view,
)
from tests.projections.table import BLUE, LESSON, RED, Table

STATUS_KEYS = {
    *("game", "title", "position", "turn", "where", "open", "waiting", "orders", "owed", "ended", "sides", "accounts"),
    *("markers", "answers", "pick", "units", "since"),
}


def view(table: Table, seat: str = REFEREE) -> TurnView:
    return turn_view(table.title, table.ledger.state("g"), seat, table.size)


class TestRequiredActions:
    def test_required_action_has_its_words_and_rule(self, lesson: Table) -> None:
        lesson.play(RED, "seal-choice", question="plan", choice="north")
        seen = view(lesson)
        assert seen.open == ("1",)
        assert seen.waiting == (RED, BLUE)
        assert seen.owed == (RequiredActionView(step="1", side=BLUE, words="a plan is sealed", rule="Lesson 1 [2.1]"),)

    def test_done_is_listed_only_if_it_would_be_accepted(self, lesson: Table) -> None:
        lesson.play(RED, "seal-choice", question="plan", choice="north")
        assert view(lesson).allowed == (
            Allowed(step="1", side=RED, orders=("seal-choice", "done")),
            Allowed(step="1", side=BLUE, orders=("seal-choice",)),
        )
        with pytest.raises(RuleViolation) as refusal:
            lesson.play(BLUE, "done")
        assert "Lesson 1" in refusal.value.rule
        assert refusal.value.code == "orders-required"
        lesson.play(RED, "done")
        assert view(lesson).waiting == (BLUE,)

    def test_waiting_loop_lists_the_members_to_pick(self, lesson: Table) -> None:
        both_plan(lesson)
        seen = view(lesson)
        assert seen.pick is not None
        assert (seen.pick.loop, seen.pick.side, seen.pick.members) == ("3", RED, ("0101", "0202"))
        assert seen.allowed == (Allowed(step="3", side=RED, orders=("pick",)),)

    def test_answers_that_end_a_step_are_listed(self, lesson: Table) -> None:
        both_plan(lesson).play(RED, "pick", member="0202")
        seen = view(lesson)
        assert seen.answers == (StepAnswers(step="3.1", side=RED, answers=("stand", "give up")),)
        assert seen.allowed == (Allowed(step="3.1", side=RED, orders=("roll", "change", "move", "pay", "done")),)
        assert seen.where.endswith(" 1 · 3.1 fight · Red")

    def test_ended_game_requires_no_action(self, lesson: Table) -> None:
        both_plan(lesson).play(RED, "pick", member="0202").play(RED, "done", answer="give up")
        seen = view(lesson)
        assert seen.ended
        assert (seen.open, seen.waiting, seen.orders, seen.owed, seen.pick) == ((), (), (), (), None)

    def test_game_without_sequence_allows_every_order_of_the_table(self, table: Table) -> None:
        (red, blue) = view(table).allowed
        assert (red.step, red.side, blue.side) == ("", RED, BLUE)
        assert "move" in red.orders
        assert view(table).orders == red.orders
        assert "undo" not in red.orders


def both_plan(table: Table) -> Table:
    for side in (RED, BLUE):
        table.play(side, "seal-choice", question="plan", choice="north").play(side, "done")
    return table


class TestConditions:
    def test_condition_is_evaluated_once(self, lesson: Table) -> None:
        # Orders, answers and required actions depend on the same conditions.
        asked: list[str] = []

        def counted(game: Game, side: str) -> bool:
            asked.append(side)
            return True

        free = fact("the way is free", counted)
        answers = (Answer("stand"), Answer("go", when=free))
        sequence = Sequence(steps=(Step("1", "plans", by=EACH, needs=free, answers=answers),))
        title = msgspec.structs.replace(LESSON, sequence=sequence)
        seen = turn_view(title, lesson.ledger.state("g"), REFEREE, lesson.size)
        assert [one.answers for one in seen.answers] == [("stand", "go"), ("stand", "go")]
        assert sorted(asked) == [BLUE, BLUE, RED, RED], "once for `needs`, once for the answer"


class TestSecretAnswers:
    """Red's fleet is hidden in 0101; only Red's seats know this and the answers that it allows."""

    HIDDEN = fact("the fleet is hidden", lambda game, side: bool(side == RED and game.turn), name="hidden", secret=True)
    ANSWERS = (Answer("surface", when=HIDDEN), Answer("stay", when=~HIDDEN), Answer("sunk", by_dice=True))

    def seen_by(self, lesson: Table, seat: str, **options: bool) -> tuple[dict[str, tuple[str, ...]], set[str]]:
        """Return the answers by side, and the sides with a required action, in a step that depends on the secret."""
        asks = Step("1", "waters", by=EACH, needs=~self.HIDDEN)
        answers = Step("2", "fleets", by=EACH, answers=self.ANSWERS)
        title = msgspec.structs.replace(LESSON, sequence=Sequence(steps=(Together("T", "now", steps=(asks, answers)),)))
        opened = [StepOpened(step="2", name="fleets", waits=(RED, BLUE))]
        game = msgspec.structs.replace(fold(lesson.ledger.state("g"), opened), options=options)
        seen = turn_view(title, game, seat, lesson.size)
        return {one.side: one.answers for one in seen.answers}, {one.side for one in seen.owed}

    def test_secret_answers_are_shown_to_own_side_and_referee(self, lesson: Table) -> None:
        for seat in (RED, REFEREE):
            answers, owed = self.seen_by(lesson, seat)
            assert answers[RED] == ("surface",)
            assert owed == {RED}
        assert self.seen_by(lesson, REFEREE)[0][BLUE] == ("stay",)

    def test_others_see_every_answer_and_no_required_action(self, lesson: Table) -> None:
        for seat in (BLUE, SPECTATOR):
            answers, owed = self.seen_by(lesson, seat)
            assert answers[RED] == ("surface", "stay")
            assert owed == set()
        assert self.seen_by(lesson, BLUE)[0][BLUE] == ("stay",)

    def test_referee_closed_to_secrets_sees_what_others_see(self, lesson: Table) -> None:
        answers, owed = self.seen_by(lesson, REFEREE, secrets_closed_to_referee=True)
        assert answers == {RED: ("surface", "stay"), BLUE: ("surface", "stay")}
        assert owed == set()


class TestWithoutTitle:
    def test_view_without_title_has_step_and_waiting_sides(self, lesson: Table) -> None:
        seen = turn_view(None, lesson.ledger.state("g"), REFEREE, lesson.size)
        assert (seen.open, seen.waiting, seen.where) == (("1",), (RED, BLUE), lesson.ledger.state("g").where)
        assert seen.orders == ()
        assert "not installed" in seen.note

    def test_view_of_incompatible_title_has_a_note(self, lesson: Table) -> None:
        # The installed edition names a role that it does not declare.
        broken = msgspec.structs.replace(LESSON, sequence=Sequence(steps=(Step("1", "plans", also="admirals"),)))
        seen = turn_view(broken, lesson.ledger.state("g"), REFEREE, lesson.size)
        assert seen.open == ("1",)
        assert "does not match" in seen.note

    def test_step_dropped_by_the_title_is_shown_by_its_name(self, lesson: Table) -> None:
        game = fold(lesson.ledger.state("g"), [StepOpened(step="9", name="the old step", waits=(RED,))])
        assert [step.name for step in turn_view(LESSON, game, REFEREE, 1).steps] == ["plans", "the old step"]


class TestStored:
    def test_turn_view_is_stored_for_every_seat(self, lesson: Table) -> None:
        lesson.play(REFEREE, "take-seat", taker="anna", side=RED).follow()
        assert seats_of(lesson.views.connection, "g") == {REFEREE: "", RED: RED, BLUE: BLUE, "anna": RED, SPECTATOR: ""}

    def test_stored_view_equals_the_computed_view(self, file_lesson: Table) -> None:
        lesson = file_lesson
        both_plan(lesson).follow()
        for seat in (REFEREE, RED, BLUE, SPECTATOR):
            stored = stored_turn_view(lesson.views.connection, "g", seat)
            assert stored is not None
            stored.pop("since")
            assert stored == msgspec.json.decode(msgspec.json.encode(lesson.views.turn_view("g", seat)))

    def test_scripts_find_the_keys_they_rely_on(self, file_lesson: Table) -> None:
        lesson = file_lesson
        lesson.follow()
        stored = fresh_turn_view(lesson.path, "g", RED)
        assert stored is not None
        assert stored.keys() >= STATUS_KEYS
        assert stored["accounts"] == {"vp/red": 0}
        assert stored["markers"] == {"wind": "NE"}
        assert [side["units"] for side in stored["sides"]] == [1, 1]

    def test_earlier_position_has_its_own_view(self, lesson: Table) -> None:
        then = lesson.size
        before = lesson.views.turn_view("g", RED)
        both_plan(lesson)
        assert lesson.views.turn_view("g", RED, then) == before
        assert lesson.views.turn_view("g", RED).open == ("3",)

    def test_rewound_position_keeps_its_view(self, table: Table) -> None:
        table.play(RED, "move", unit="red-1", path=["0102"]).play(RED, "pay", account="vp/red", amount=5)
        paid = table.size
        table.play(RED, "undo")
        assert table.views.turn_view("g", RED, paid).accounts == {"vp/red": 5}
        assert table.views.turn_view("g", RED).accounts == {"vp/red": 0}

    def test_empty_game_has_a_view(self) -> None:
        assert turn_view(None, Game(), SPECTATOR, 0).waiting == ()
