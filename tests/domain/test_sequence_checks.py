"""Run each static check on a faulty teaching sequence, which it reports, and on the fixed one, which it accepts."""

import functools
import operator
import time
from typing import NamedTuple

import pytest

from tests.domain.teaching import NORTH, SOUTH, auto, heading, is_marked, laid, step, title_of
from tests.face.domain import (
    BACK,
    END,
    Answer,
    Each,
    Fault,
    Go,
    Instant,
    Mark,
    Note,
    Order,
    Pay,
    Roll,
    Rounds,
    Sequence,
    Step,
    Title,
    Together,
    Turns,
    check,
    chose,
    does,
    done,
    ever,
    given,
    inside,
    nth,
    option,
    picked,
    suspended,
)

A, B, Z = step("A"), step("B"), step("Z", then=(Go(END),))
ASK = step("A", answers=(Answer("yes"), Answer("no")))
SECRET = laid("decoys", "there are decoys", secret=True)


class Lesson(NamedTuple):
    """A faulty title, the expected faults, and the fixed title."""

    name: str
    faulty: Title
    place: str
    says: str
    do: str
    mended: Title


def loop(*steps: Step, place: str = "R", **more: object) -> Rounds:
    return Rounds(place, f"rounds {place}", steps=steps, until=is_marked("over"), **more)  # type: ignore[arg-type]


def hexes(*steps: Step, by: str = NORTH) -> Each:
    return Each("H", "hexes", of="hexes", by=by, steps=steps)


def call(procedure: str = "P", place: str = "A") -> Step:
    """Return a step that may call a procedure."""
    return step(place, then=(Go(procedure, when=is_marked("called")),))


def alarm(to: str = "P", *during: str) -> Instant:
    return Instant(name="alarm", when=is_marked("smoke"), to=to, during=during)


NAMES = [
    Lesson(
        "duplicate id",
        title_of(A, A, Z),
        "A",
        "two places have this id",
        "its own id",
        title_of(A, B, Z),
    ),
    Lesson(
        "an id that is a target",
        title_of(step("back"), Z),
        "back",
        "cannot be an id: it is a reserved target",
        "choose another id",
        title_of(A, Z),
    ),
    Lesson(
        "empty heading",
        title_of(heading("1"), Z),
        "1",
        "it contains no step",
        "declare it as a step",
        title_of(heading("1", A), Z),
    ),
    Lesson(
        "unknown target",
        title_of(step("A", then=(Go("X", when=is_marked("far")),)), Z),
        "A",
        "it leads to X, which does not exist",
        "name a place",
        title_of(step("A", then=(Go("Z", when=is_marked("far")),)), Z),
    ),
    Lesson(
        "unknown target of an answer",
        title_of(step("A", answers=(Answer("yes", to="X"), Answer("no"))), Z),
        "A",
        "leads to X",
        "name a place",
        title_of(step("A", answers=(Answer("yes", to="Z"), Answer("no"))), Z),
    ),
    Lesson(
        "unknown target of an instant",
        title_of(A, Z, instants=(alarm("X"),)),
        "alarm",
        "leads to X",
        "name a place",
        title_of(A, Z, instants=(alarm("Z", "A"),)),
    ),
    Lesson(
        "an instant that leads back",
        title_of(A, Z, instants=(alarm(BACK),)),
        "alarm",
        "a trigger cannot lead to back",
        "name a place, or END",
        title_of(A, Z, instants=(alarm(END),)),
    ),
    Lesson(
        "unknown place watched by an instant",
        title_of(A, Z, instants=(alarm(END, "X"),)),
        "alarm",
        "watches X",
        "name a place",
        title_of(A, Z, instants=(alarm(END, "A"),)),
    ),
    Lesson(
        "unknown end of a borrowed stretch",
        title_of(A, step("B", runs=("A", "X")), Z),
        "B",
        "runs X",
        "name a place",
        title_of(A, step("B", runs=("A", "A")), Z),
    ),
    Lesson(
        "unknown keeper",
        title_of(step("A", keep="X"), Z),
        "A",
        "keeps its answers in X",
        "name a place",
        title_of(loop(step("A", keep="R"), B), Z),
    ),
    Lesson(
        "unknown option",
        title_of(step("A", when=option("fog")), Z),
        "A",
        "option fog, which no scenario can set",
        "the title's options",
        title_of(step("A", when=option("fog")), Z, options={"fog": False}),
    ),
    Lesson(
        "unknown step asked for an answer",
        title_of(ASK, step("B", when=chose("X", "yes")), Z),
        "B",
        "it tests X, which is not a step",
        "name a step",
        title_of(ASK, step("B", when=chose("A", "yes")), Z),
    ),
    Lesson(
        "unknown answer",
        title_of(ASK, step("B", when=chose("A", "perhaps")), Z),
        "B",
        "it tests the answer perhaps of step A, which does not offer it",
        "one of its answers",
        title_of(ASK, step("B", when=chose("A", "no")), Z),
    ),
    Lesson(
        "unknown answer of a loop that keeps it",
        title_of(loop(step("A", answers=ASK.answers, keep="R"), step("B", when=ever("A", "perhaps"))), Z),
        "B",
        "it tests the answer perhaps of step A, which does not offer it",
        "one of its answers",
        title_of(loop(step("A", answers=ASK.answers, keep="R"), step("B", when=ever("A", "yes"))), Z),
    ),
    Lesson(
        "a heading is not done",
        title_of(heading("1", A), step("B", when=done("1")), Z),
        "B",
        "it tests 1, which is not a step",
        "name a step",
        title_of(heading("1", A), step("B", when=done("A")), Z),
    ),
    Lesson(
        "picked in a loop where nothing is",
        title_of(loop(A, step("B", when=picked("R"))), Z),
        "B",
        "it tests the picked member of R, which picks none",
        "Each or Turns",
        title_of(hexes(A, step("B", when=picked("H"))), Z),
    ),
    Lesson(
        "passes of a place that has none",
        title_of(A, step("B", when=nth(2, "A")), Z),
        "B",
        "counts the passes of A",
        "name a loop",
        title_of(loop(A, step("B", when=nth(2, "R"))), Z),
    ),
    Lesson(
        "passes that never come",
        title_of(loop(A, step("B", when=nth(5, "R", to=3))), Z),
        "B",
        "«it is pass 5 to 3 of R» is never true",
        "count passes from 1",
        title_of(loop(A, step("B", when=nth(3, "R", to=5))), Z),
    ),
    Lesson(
        "a pass before the first",
        title_of(loop(A, step("B", when=nth(0, "R", to=None))), Z),
        "B",
        "«it is pass 0 or later of R» is never true",
        "count passes from 1",
        title_of(loop(A, step("B", when=nth(1, "R", to=None))), Z),
    ),
    Lesson(
        "inside a place that does not exist",
        title_of(call(), Z, procedures=(heading("P", step("P1", when=inside("X"))),)),
        "P1",
        "it tests whether play is inside X, which does not exist",
        "name a place",
        title_of(call(), Z, procedures=(heading("P", step("P1", when=inside("A"))),)),
    ),
    Lesson(
        "suspended in a place that does not exist",
        title_of(A, Z, procedures=(heading("P", step("P1", when=suspended("X"))),), instants=(alarm(),)),
        "P1",
        "it tests whether play is inside X, which does not exist",
        "name a place",
        title_of(A, Z, procedures=(heading("P", step("P1", when=suspended("A"))),), instants=(alarm(),)),
    ),
    Lesson(
        "unknown role",
        Title(
            id="t",
            name="T",
            version="1",
            sequence=Sequence(steps=(step("A", "admiral"), Z)),
            sides=(NORTH,),
            set_up=lambda scenario: [],
        ),
        "A",
        "there is no role admiral",
        "the title's roles",
        title_of(step("A", "admiral"), Z),
    ),
    Lesson(
        "unknown set",
        Title(
            id="t",
            name="T",
            version="1",
            sequence=Sequence(steps=(hexes(A), Z)),
            sides=(NORTH,),
            set_up=lambda scenario: [],
        ),
        "H",
        "there is no set hexes",
        "the title's sets",
        title_of(hexes(A), Z),
    ),
]

ENTRIES = [
    Lesson(
        f"an entry of {entry} that names nothing",
        title_of(A, Z, **{entry: {"ghost": lambda *asked: ()}}),
        "ghost",
        f"it is one of the title's {entry}",
        "fix the name",
        title_of(A, Z),
    )
    for entry in ("acts", "roles", "sets", "printed")
] + [
    Lesson(
        "an order that no step allows",
        title_of(step("A", allows=(Mark,)), step("Z", allows=(), then=(Go(END),)), orders=(does(Pay),)),
        "pay",
        "one of the title's orders",
        "fix the name",
        title_of(step("A", allows=(Mark, Pay)), Z, orders=(does(Pay),)),
    )
]

STEPS = [
    Lesson(
        "every answer conditional",
        title_of(step("A", answers=(Answer("yes", when=is_marked("x")), Answer("no", when=is_marked("y")))), Z),
        "A",
        "every answer has a condition, so there may be no possible answer",
        "remove the condition of one answer",
        title_of(step("A", answers=(Answer("yes", when=is_marked("x")), Answer("no"))), Z),
    ),
    Lesson(
        "two answers of one name",
        title_of(step("A", answers=(Answer("yes"), Answer("yes"))), Z),
        "A",
        "the same name",
        "give every answer its own name",
        title_of(ASK, Z),
    ),
    Lesson(
        "answers that nobody gives",
        title_of(auto("A", answers=ASK.answers), Z),
        "A",
        "it has answers, but no side gives them",
        "name the side",
        title_of(ASK, Z),
    ),
    Lesson(
        "dice answer and no order rolls them",
        title_of(step("A", allows=(), answers=(Answer("hit", by_dice=True), Answer("miss", by_dice=True))), Z),
        "A",
        "no order rolls them",
        "allow the order",
        title_of(step("A", allows=(Roll,), answers=(Answer("hit", by_dice=True), Answer("miss", by_dice=True))), Z),
    ),
    Lesson(
        "an order without a decision",
        title_of(step("A", allows=(Note,)), Z),
        "A",
        "it allows note, which the title does not decide",
        "the title's `decides`",
        title_of(step("A", allows=(Note,)), Z, orders=(does(Note, lambda game, order, dice: []),)),
    ),
    Lesson(
        "orders in a step that is left at once",
        title_of(Step("A", "weather", allows=(Roll,)), Z),
        "A",
        "it allows orders, but ends immediately, because it waits for no side",
        "name the side",
        title_of(Step("A", "weather", by=NORTH, allows=(Roll,)), Z),
    ),
    Lesson(
        "an order needed that the step does not allow",
        title_of(step("A", allows=(Mark,), needs=given(Pay)), Z),
        "A",
        "it requires the order pay, which it does not allow",
        "allow it",
        title_of(step("A", allows=(Mark, Pay), needs=given(Pay)), Z),
    ),
    Lesson(
        "a way that asks for an order the step does not allow",
        title_of(step("A", allows=(Mark,), then=(Go("Z", when=given(Pay)),)), B, Z),
        "A",
        "it requires the order pay, which it does not allow",
        "allow it",
        title_of(step("A", allows=(Pay,), then=(Go("Z", when=given(Pay)),)), B, Z),
    ),
    Lesson(
        "an order asked for when no step is open",
        title_of(A, step("B", when=given(Pay)), Z),
        "B",
        "when no step is open",
        "require it at the end of the step, or require a fact",
        title_of(A, step("B", when=is_marked("paid")), Z),
    ),
    Lesson(
        "a guard on a secret",
        title_of(A, step("B", when=SECRET), Z),
        "B",
        "its guard reveals the secret decoys",
        "open the step always",
        title_of(A, step("B", secret=True), Z),
    ),
    Lesson(
        "a way on a secret",
        title_of(step("A", then=(Go("Z", when=~SECRET),)), B, Z),
        "A",
        "its next step reveals the secret decoys",
        "open the step always",
        title_of(step("A", needs=~SECRET), B, Z),
    ),
    Lesson(
        "an answer on a secret, marked as one elsewhere only",
        title_of(
            step("A", answers=(Answer("no"), Answer("show", when=laid("decoys", "decoys")))), step("B", needs=SECRET), Z
        ),
        "A",
        "its list of answers reveals the secret decoys",
        "open the step always",
        title_of(step("A", answers=(Answer("no"), Answer("show"))), step("B", needs=SECRET), Z),
    ),
    Lesson(
        "dice without anybody who rolls",
        title_of(A, auto("B", rolls="2d6"), Z),
        "B",
        "it rolls 2d6, but no side can roll",
        "name the side",
        title_of(A, step("B", rolls="2d6"), Z),
    ),
    Lesson(
        "a loop in a track",
        title_of(Together("M", "menu", steps=(heading("1", A, loop(step("C"))), B)), Z),
        "R",
        "a track contains steps and headings, but this is a Rounds",
        "a procedure that contains it",
        title_of(
            Together("M", "menu", steps=(heading("1", A, call(place="C")), B)),
            Z,
            procedures=(heading("P", loop(step("D"))),),
        ),
    ),
    Lesson(
        "a borrowed stretch in a track",
        title_of(A, Together("M", "menu", steps=(B, heading("1", step("D"), step("C", runs=("A", "A"))))), Z),
        "C",
        "it borrows a stretch while other steps of the track are open",
        "a procedure that borrows",
        title_of(A, Together("M", "menu", steps=(B, heading("1", step("D"), step("C")))), Z),
    ),
    Lesson(
        "a loop that may be ended by nobody",
        title_of(Each("H", "hexes", of="hexes", may_end=True, steps=(A,)), Z),
        "H",
        "a side that picks may end it, but no side picks",
        "name the side that picks",
        title_of(Each("H", "hexes", of="hexes", by=NORTH, may_end=True, steps=(A,)), Z),
    ),
    Lesson(
        "a borrowed stretch beside open steps",
        title_of(A, Together("M", "menu", steps=(B, step("C", runs=("A", "A")))), Z),
        "C",
        "it borrows a stretch while other steps of the track are open",
        "a procedure that borrows",
        title_of(
            A,
            Together("M", "menu", steps=(B, call(place="C"))),
            Z,
            procedures=(heading("P", step("P1", runs=("A", "A"))),),
        ),
    ),
]

FRAMES = [
    Lesson(
        "an answer asked outside the loop that holds it",
        title_of(loop(ASK, B), step("C", when=chose("A", "yes")), Z),
        "C",
        "an answer of A after R has forgotten it",
        "ask inside the loop",
        title_of(loop(ASK, B, step("C", when=chose("A", "yes"))), Z),
    ),
    Lesson(
        "an answer asked outside the procedure that holds it",
        title_of(call(place="0"), step("B", when=chose("A", "yes")), Z, procedures=(heading("P", ASK),)),
        "B",
        "after P has forgotten it",
        "a loop around both",
        title_of(call(place="0"), B, Z, procedures=(heading("P", ASK, step("P2", when=chose("A", "yes"))),)),
    ),
    Lesson(
        "an answer asked outside the loop that keeps it",
        title_of(loop(step("A", answers=ASK.answers, keep="R"), B), step("C", when=ever("A", "yes")), Z),
        "C",
        "after R has forgotten it",
        "ask inside the loop",
        title_of(loop(step("A", answers=ASK.answers, keep="R"), step("C", when=ever("A", "yes"))), Z),
    ),
    Lesson(
        "an earlier answer that no loop keeps",
        title_of(loop(ASK, step("B", when=ever("A", "yes"))), Z),
        "B",
        "an earlier answer of A, which no loop keeps",
        "ask inside the loop, or keep the answer in a loop around both",
        title_of(loop(step("A", answers=ASK.answers, keep="R"), step("B", when=ever("A", "yes"))), Z),
    ),
    Lesson(
        "its own answer before it is given",
        title_of(step("A", answers=ASK.answers, then=(Go("Z", when=chose("A", "yes")),)), B, Z),
        "A",
        "its own answer before that answer exists",
        "ask inside the loop",
        title_of(step("A", answers=(Answer("yes", to="Z"), Answer("no"))), B, Z),
    ),
    Lesson(
        "an answer forgotten when the borrowed stretch returned",
        title_of(ASK, B, step("C", runs=("A", "B"), then=(Go("Z", when=chose("A", "yes")),)), step("D"), Z),
        "C",
        "forgotten when the borrowed stretch returned",
        "ask inside the loop",
        title_of(ASK, step("B", when=chose("A", "yes")), step("C", runs=("A", "B")), step("D"), Z),
    ),
    Lesson(
        "answers kept by a loop that is not around",
        title_of(loop(B), step("A", answers=ASK.answers, keep="R"), Z),
        "A",
        "it keeps its answers in R, which is not a loop around it",
        "the loop or procedure that it is in",
        title_of(loop(B, step("A", answers=ASK.answers, keep="R")), Z),
    ),
    Lesson(
        "a jump into the middle of a closed loop",
        title_of(step("A", then=(Go("C", when=is_marked("far")),)), loop(B, step("C")), Z),
        "A",
        "it leads to C, in the middle of R, which may not be open",
        "lead to R itself",
        title_of(step("A", then=(Go("R", when=is_marked("far")),)), loop(B, step("C")), Z),
    ),
    Lesson(
        "a jump into the middle of a procedure",
        title_of(
            step("A", then=(Go("P2", when=is_marked("far")), Go("P", when=is_marked("near")))),
            Z,
            procedures=(heading("P", step("P1"), step("P2")),),
        ),
        "A",
        "in the middle of P",
        "lead to P itself",
        title_of(call(), Z, procedures=(heading("P", step("P1"), step("P2")),)),
    ),
    Lesson(
        "a procedure that leads into a loop from which only one caller comes",
        title_of(
            call(place="0"),
            loop(call(), B),
            Z,
            procedures=(heading("P", step("P1", then=(Go("B", when=is_marked("far")),))),),
        ),
        "P1",
        "in the middle of R",
        "first test whether play is inside it",
        title_of(
            call(place="0"),
            loop(call(), B),
            Z,
            procedures=(heading("P", step("P1", then=(Go("B", when=is_marked("far") & inside("R")),))),),
        ),
    ),
    Lesson(
        "an instant that jumps into a loop from outside of it",
        title_of(A, loop(B, step("C")), Z, instants=(alarm("C"),)),
        "alarm",
        "in the middle of R",
        "lead to R itself",
        title_of(A, loop(B, step("C")), Z, instants=(alarm("C", "R"),)),
    ),
    Lesson(
        "back outside a procedure",
        title_of(step("A", then=(Go(BACK, when=is_marked("far")),)), Z),
        "A",
        "leads back, but is not in a procedure",
        "name the place",
        title_of(call(), Z, procedures=(heading("P", step("P1", then=(Go(BACK),))),)),
    ),
    Lesson(
        "a stretch that goes backwards",
        title_of(A, B, step("C", runs=("B", "A")), Z),
        "C",
        "B to A cannot be borrowed: a stretch runs forward, inside one loop",
        "in printed order",
        title_of(A, B, step("C", runs=("A", "B")), Z),
    ),
    Lesson(
        "a stretch that begins in a loop and ends outside",
        title_of(loop(A), B, step("C", runs=("A", "B")), Z),
        "C",
        "inside one loop",
        "two places of the same loop",
        title_of(loop(A), B, step("C", runs=("R", "B")), Z),
    ),
    Lesson(
        "a stretch that holds the step that borrows it",
        title_of(A, step("B", runs=("A", "B")), Z),
        "B",
        "contains this step itself",
        "name another stretch",
        title_of(A, step("B", runs=("A", "A")), Z),
    ),
    Lesson(
        "a stretch that ends inside a track",
        title_of(
            A, Together("M", "menu", steps=(heading("1", B, step("C")), step("E"))), step("D", runs=("A", "C")), Z
        ),
        "D",
        "open at the same time",
        "borrow all of these",
        title_of(
            A, Together("M", "menu", steps=(heading("1", B, step("C")), step("E"))), step("D", runs=("A", "M")), Z
        ),
    ),
    Lesson(
        "a stretch that ends among steps open at once",
        title_of(A, Together("M", "menu", steps=(B, step("C"))), step("D", runs=("A", "B")), Z),
        "D",
        "open at the same time",
        "borrow all of these",
        title_of(A, Together("M", "menu", steps=(B, step("C"))), step("D", runs=("A", "M")), Z),
    ),
]

FLOW = [
    Lesson(
        "unreachable step",
        title_of(step("A", then=(Go("Z"),)), B, Z),
        "B",
        "play never reaches this place",
        "make it a procedure",
        title_of(call("P"), Z, procedures=(heading("P", B),)),
    ),
    Lesson(
        "unreachable because every answer leads elsewhere",
        title_of(step("A", answers=(Answer("yes", to="Z"), Answer("no", to="Z"))), B, Z),
        "B",
        "play never reaches this place",
        "lead to it",
        title_of(step("A", answers=(Answer("yes", to="Z"), Answer("no"))), B, Z),
    ),
    Lesson(
        "unreachable behind a procedure that never comes back",
        title_of(step("A", then=(Go("P"),)), B, Z, procedures=(heading("P", step("P1", then=(Go("Z"),))),)),
        "B",
        "play never reaches this place",
        "lead to it",
        title_of(step("A", then=(Go("P"),)), B, Z, procedures=(heading("P", step("P1")),)),
    ),
    Lesson(
        "unreachable in a track",
        title_of(Together("M", "menu", steps=(heading("1", step("A", then=(Go("C"),)), B, step("C")), step("D"))), Z),
        "B",
        "play never reaches this place",
        "lead to it",
        title_of(Together("M", "menu", steps=(heading("1", A, B, step("C")), step("D"))), Z),
    ),
    Lesson(
        "automatic circle in a track",
        title_of(
            A,
            Together(
                "M", "menu", steps=(heading("1", auto("B"), auto("C", then=(Go("B", when=is_marked("x")),))), step("D"))
            ),
            Z,
        ),
        "B",
        "play loops through B, C without waiting for a side",
        "wait for a side",
        title_of(
            A,
            Together(
                "M", "menu", steps=(heading("1", step("B"), auto("C", then=(Go("B", when=is_marked("x")),))), step("D"))
            ),
            Z,
        ),
    ),
    Lesson(
        "dead end",
        title_of(step("A", then=(Go("R", when=is_marked("far")), Go("Z"))), Rounds("R", "rounds", steps=(B,)), Z),
        "R",
        "the game cannot end from here",
        "let a step lead out",
        title_of(step("A", then=(Go("R", when=is_marked("far")), Go("Z"))), loop(B), Z),
    ),
    Lesson(
        "no end at all",
        title_of(Rounds("R", "rounds", steps=(A,))),
        "R",
        "the game never ends",
        "lead to END",
        title_of(Rounds("R", "rounds", steps=(A,)), instants=(alarm(END),)),
    ),
    Lesson(
        "automatic circle",
        title_of(A, loop(auto("B"), auto("C")), Z),
        "B",
        "play loops through B, C without waiting for a side",
        "wait for a side",
        title_of(A, loop(auto("B"), step("C")), Z),
    ),
    Lesson(
        "automatic circle of a step that leads back",
        title_of(A, auto("B"), auto("C", then=(Go("B", when=is_marked("again")),)), Z),
        "B",
        "play loops through B, C without waiting for a side",
        "wait for a side",
        title_of(A, auto("B"), auto("C", then=(Go("A", when=is_marked("again")),)), Z),
    ),
    Lesson(
        "automatic circle into a heading",
        title_of(A, heading("H", auto("B")), auto("C", then=(Go("H", when=is_marked("again")),)), Z),
        "H",
        "play loops through B, C without waiting for a side",
        "wait for a side",
        title_of(A, heading("H", step("B")), auto("C", then=(Go("H", when=is_marked("again")),)), Z),
    ),
    Lesson(
        "automatic circle through a procedure",
        title_of(
            A,
            auto("B", then=(Go("P"),)),
            auto("C", then=(Go("B", when=is_marked("again")),)),
            Z,
            procedures=(heading("P", auto("P1")),),
        ),
        "B",
        "play loops through B, C without waiting for a side",
        "wait for a side",
        title_of(
            A,
            auto("B", then=(Go("P"),)),
            auto("C", then=(Go("B", when=is_marked("again")),)),
            Z,
            procedures=(heading("P", step("P1")),),
        ),
    ),
    Lesson(
        "a procedure that nobody calls",
        title_of(A, Z, procedures=(heading("P", step("P1")),)),
        "P",
        "no step calls this procedure",
        "let a step lead to it",
        title_of(A, Z, procedures=(heading("P", step("P1")),), instants=(alarm(),)),
    ),
]

LESSONS = [*NAMES, *ENTRIES, *STEPS, *FRAMES, *FLOW]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name.replace(" ", "_"))
class TestEveryFaultIsFound:
    def test_in_the_faulty_sequence_and_nothing_else(self, lesson: Lesson) -> None:
        found = check(lesson.faulty)
        assert [fault.place for fault in found] == [lesson.place], found
        assert lesson.says in found[0].what
        assert lesson.do in found[0].remedy

    def test_fixed_sequence_is_valid(self, lesson: Lesson) -> None:
        assert check(lesson.mended) == ()


class TestLongConditions:
    def seconds(self, equalities: int) -> float:
        """Return the fastest of three checks of a sequence whose guards name `equalities` passes, one by one."""
        asked = functools.reduce(operator.or_, (nth(number, "R") for number in range(1, equalities + 1)))
        title = title_of(loop(A, *(step(f"B{number}", when=asked) for number in range(4))), Z)
        times = []
        for _ in range(3):
            begun = time.perf_counter()
            assert check(title) == ()
            times.append(time.perf_counter() - begun)
        return min(times)

    def test_check_time_grows_linearly_with_conditions(self) -> None:
        """Guard against quadratic growth, if every leaf computes the implications of the whole condition."""
        assert self.seconds(1_000) < 9 * self.seconds(250)


class TestValidSequences:
    def test_title_without_sequence_is_valid(self) -> None:
        assert check(Title(id="t", name="T", version="1", set_up=lambda scenario: [])) == ()

    def test_two_answers_that_exclude_each_other_are_always_one(self) -> None:
        both = (Answer("yes", when=is_marked("x")), Answer("no", when=~is_marked("x")))
        assert check(title_of(step("A", answers=both), Z)) == ()

    def test_loop_over_members_is_not_a_circle(self) -> None:
        assert check(title_of(A, hexes(auto("B"), by=""), Z)) == ()

    def test_rotation_waits_for_the_picking_side(self) -> None:
        turns = Turns("T", "squadrons", of="unused", sides="order", steps=(auto("B"),))
        assert check(title_of(Rounds("R", "turns", steps=(turns,), until=is_marked("over")), Z)) == ()

    def test_borrowed_step_may_lead_out_of_its_stretch(self) -> None:
        leads = step("B", then=(Go("D", when=is_marked("far")),))
        assert check(title_of(A, leads, step("C", runs=("A", "B")), step("D"), Z)) == ()

    def test_borrowed_stretch_that_leads_elsewhere_ends_there(self) -> None:
        """Lead from B to D in every stretch, so that this ends the stretch that E borrows."""
        leads_on = step("B", then=(Go("D"),))
        assert check(title_of(A, leads_on, step("D"), step("E", runs=("B", "B")), step("F"), Z)) == ()

    def test_answers_may_come_from_an_automatic_act(self) -> None:
        assert check(title_of(auto("A", answers=ASK.answers), Z, acts={"A": lambda game: []})) == ()

    def test_side_id_is_a_role_if_the_title_names_the_side(self) -> None:
        assert check(title_of(step("A", SOUTH), Z)) == ()

    def test_fault_in_names_suppresses_faults_that_depend_on_it(self) -> None:
        found = check(title_of(step("A", then=(Go("X"),)), B, Z))
        assert [fault.place for fault in found] == ["A"]

    def test_several_faults_are_all_reported(self) -> None:
        orders: tuple[type[Order], ...] = (Note,)
        found = check(title_of(step("A", allows=orders), auto("B", rolls="d6"), Z))
        assert {fault.place for fault in found} == {"A", "B"}
        assert all(isinstance(fault, Fault) for fault in found)
