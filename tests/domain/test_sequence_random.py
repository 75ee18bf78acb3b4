"""Walk randomly over random small sequences: properties of every declaration, valid or not.

Every circle of a generated sequence waits for a side (only steps of a side have ways, and rounds end in a step that is
never passed), because the static checks cannot evaluate facts.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from hypothesis import HealthCheck, given, strategies as st

from tests.at_least_one import at_least_one
from tests.domain.teaching import (
    BOTH,
    NORTH,
    SOUTH,
    auto,
    done,
    excuse,
    heading,
    is_marked,
    mark,
    pick,
    sets_marker,
    step,
    teach,
    title_of,
)
from tests.examples import examples
from tests.face.domain import (
    ACTIVE,
    BACK,
    END,
    NEXT,
    Answer,
    AnyPlace,
    Condition,
    Cursor,
    DeclarationError,
    Each,
    Go,
    Heading,
    Instant,
    Order,
    Plan,
    Rounds,
    RuleViolation,
    ScenarioError,
    Sent,
    Sequence,
    Step,
    Title,
    TitleFault,
    Together,
    Turns,
    answers_for,
    check,
    chose,
    decide,
    free_members,
    inside,
    may_end,
    nth,
    open_steps,
    suspended,
    waiting_loop,
)
from tests.face.testing import Story

MOST_ORDERS = 20
INSERTED = "inserted"
LAID: dict[str, Any] = {
    "order": BOTH,
    "admirals": BOTH,
    "hexes": ("1", "2"),
    "unused__north": ("n1", "n2"),
    "unused__south": ("s1",),
}


class Maker:
    """Draws the places of a sequence first, and then, with all of them known, the way and condition of each step."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.count = 0
        self.acts: dict[str, Any] = {}
        self.plan = Plan(Sequence(steps=()))

    def often(self, times_in_ten: int) -> bool:
        return self.draw(st.integers(0, 9)) < times_in_ten

    def one_of(self, choices: Iterable[Any]) -> Any:
        return self.draw(st.sampled_from(tuple(choices)))

    # --- places -------------------------------------------------------------------------------------------------------

    def name(self) -> str:
        self.count += 1
        return f"s{self.count}"

    def step(self) -> Step:
        if self.often(2):
            return auto(self.name())
        answers = (Answer("yes"), Answer("no")) if self.often(4) else ()
        return step(self.name(), self.one_of((NORTH, SOUTH, BOTH, ACTIVE, "admirals")), answers=answers)

    def places(self, depth: int) -> tuple[AnyPlace, ...]:
        return tuple(self.place(depth) for _ in range(self.draw(st.integers(1, 3))))

    def place(self, depth: int) -> AnyPlace:
        kind = self.draw(st.integers(0, 9)) if depth else 9
        name = self.name() if kind < 6 else ""
        match kind:
            case 0 | 1:
                return heading(name, *self.places(depth - 1))
            case 2:
                last = step(self.name(), answers=(Answer("yes"), Answer("no")))
                return Rounds(name, "rounds", steps=(*self.places(depth - 1), last), until=is_marked("x"))
            case 3:
                by = self.one_of(("", NORTH, BOTH))
                may_end = bool(by) and self.often(5)
                return Each(name, "hexes", of="hexes", by=by, may_end=may_end, steps=self.places(depth - 1))
            case 4:
                return Turns(name, "squadrons", of="unused", sides="order", steps=self.places(depth - 1))
            case 5:
                return Together(name, "menu", steps=tuple(self.track() for _ in range(self.draw(st.integers(1, 3)))))
            case _:
                return self.step()

    def track(self) -> Step | Heading:
        if self.often(4):
            return self.step()
        steps = [self.step() for _ in range(self.draw(st.integers(1, 3)))]
        return heading(self.name(), *steps, *([heading(self.name(), self.step())] if self.often(2) else []))

    def procedure(self, name: str) -> Heading:
        clears = auto(f"{name}-clears")
        self.acts[clears.id] = sets_marker("smoke" if name == "P" else "water", None)
        return heading(name, clears, *self.places(1))

    # --- ways and conditions ------------------------------------------------------------------------------------------

    def near(self, step: str) -> list[str]:
        """Return the places of the loops and procedures that a step is in."""
        homes = {"", *self.plan.around(step)}
        return [place for place in self.plan.places if self.plan.home(place) in homes - self.plan.procedures]

    def condition(self, place: str) -> Condition:
        asked = self.one_of(self.near(place))
        found = [is_marked("x"), is_marked("y"), nth(1), inside(asked), suspended(asked)]
        step = self.plan.step(asked)
        if step is not None and step.answers:
            found += [chose(asked, "yes")] * 4
        one: Condition = self.one_of(found)
        return self.one_of((one, ~one, one & is_marked("x"), one | is_marked("y")))  # type: ignore[no-any-return]

    def target(self, step: str) -> str:
        back = [BACK] * 3 if self.plan.around(step)[-1] in self.plan.procedures else []
        other = list(self.plan.places) if self.often(1) else []
        end = [END] if self.often(1) else []
        return self.one_of((NEXT, *end, "P", "Q", *back, *self.near(step), *other))  # type: ignore[no-any-return]

    def stretch(self, step: str) -> tuple[str, str] | None:
        """Two places printed before a step, in one container."""
        before = self.plan.siblings[self.one_of(self.plan.around(step)[1:] or [""])]
        free = [
            one for one in before if self.plan.order[one] < self.plan.order[step] and one not in self.plan.around(step)
        ]
        if not free or self.plan.track(free[0]):
            return None
        first, last = sorted((self.one_of(free), self.one_of(free)), key=lambda one: self.plan.order[one])
        return first, last

    def led(self, one: Step) -> Step:
        """Return a step with its guard and its ways."""
        guard = None
        if one.id in ("start", "call") or one.id.endswith("-clears"):
            return one
        is_last_of_rounds = isinstance(self.plan.places.get(self.plan.parent[one.id]), Rounds) and not self.plan.after(
            one.id
        )
        if self.often(3) and not is_last_of_rounds:
            guard = self.condition(one.id)
        if one.answers:
            answers = (Answer("yes", to=self.target(one.id)), Answer("no"))
            return msgspec.structs.replace(one, answers=answers, when=guard)
        if one.by and self.often(4):
            return msgspec.structs.replace(
                one, then=(Go(self.target(one.id), when=self.condition(one.id)),), when=guard
            )
        if self.often(3):
            return msgspec.structs.replace(one, runs=self.stretch(one.id), when=guard)
        return msgspec.structs.replace(one, when=guard)

    def lead(self, sequence: Sequence) -> Sequence:
        self.plan = Plan(sequence)
        return edit_steps(sequence, lambda one: (self.led(one),))


def edit_steps(sequence: Sequence, change: Callable[[Step], tuple[Step, ...]]) -> Sequence:
    """Return the sequence with every step replaced by others."""

    def edit(place: Any) -> Any:
        steps = tuple(
            new for child in place.steps for new in (change(child) if isinstance(child, Step) else (edit(child),))
        )
        return msgspec.structs.replace(place, steps=steps)

    top = edit(Heading("", "", steps=sequence.steps))
    return msgspec.structs.replace(sequence, steps=top.steps, procedures=tuple(map(edit, sequence.procedures)))


@st.composite
def titles(draw: st.DrawFn) -> Title:
    """Draw a title with a main line, two procedures and perhaps triggers that call them."""
    maker = Maker(draw)
    start = step("start", then=(Go("P", when=is_marked("x")),))
    call = step("call", then=(Go("Q", when=is_marked("x")),))
    main = (start, call, *maker.places(3))
    procedures = (maker.procedure("P"), maker.procedure("Q"))
    alarm = Instant(name="alarm", when=is_marked("smoke"), to="P", during=draw(st.sampled_from([(), ("call",)])))
    flood = Instant(
        name="flood", when=is_marked("water"), to="Q", during=draw(st.sampled_from([(), ("P",), ("start",)]))
    )
    instants = draw(st.sampled_from([(), (alarm,), (alarm, flood), (flood, alarm)]))
    sequence = maker.lead(Sequence(steps=main, procedures=procedures, instants=instants))
    return title_of(*sequence.steps, procedures=sequence.procedures, instants=sequence.instants, acts=maker.acts)


def candidates(story: Story) -> Iterator[Order]:
    """Yield suggested orders: ends of steps, answers, picks, and changes of the facts in conditions."""
    title, game = story.title, story.game
    for one in open_steps(title, game):
        opened = game.cursor.opened(one.id)
        for side in opened.waits if opened else ():
            for answer in answers_for(title, game, one, side) if one.answers else ():
                yield done(answer.name, by=side, step=one.id)
            if not one.answers:
                yield done(by=side, step=one.id)
    loop = waiting_loop(title, game)
    for member in free_members(title, game, loop) if loop else ():
        yield pick(member, by=game.cursor.waiting()[0])
    if loop is not None and may_end(loop):
        yield from (done(by=side, step=loop.id) for side in game.cursor.waiting())
    for marker in ("x", "y", "smoke", "water"):
        yield mark(marker, not game.markers.get(marker), by=(*game.cursor.waiting(), NORTH)[0])
    yield excuse(step=game.cursor.open[0].step if game.cursor.open else "")


def walk(title: Title, choices: list[int]) -> Iterator[tuple[Story, Order]]:
    """Yield the story before each order; `Story` itself checks that the events lead to the decided state."""
    story = teach(title, **LAID)
    for choice in choices:
        if story.game.ended:
            return
        orders = list(candidates(story))
        order = orders[choice % len(orders)]
        yield story, order
        story.when(order)


CHOICES = st.lists(st.integers(0, 50), min_size=5, max_size=MOST_ORDERS)
QUICK = examples(150, suppress_health_check=list(HealthCheck))


@contextmanager
def no_fault_unfound(*titles: Title) -> Iterator[None]:
    """Allow play to fail in a declaration, or to give no mid-game setup, only if the checks report a fault."""
    try:
        yield
    except (DeclarationError, ScenarioError, TitleFault) as failed:
        if not any(map(check, titles)):
            raise AssertionError(f"play failed in a sequence without a fault: {failed} at {failed.where}") from failed


class TestAnySequence:
    @QUICK
    @given(titles(), CHOICES)
    def test_play_fails_only_if_the_checks_find_a_fault(self, title: Title, choices: list[int]) -> None:
        """Play on: `Story` asserts after every order that the events lead to the decided state."""
        check(title)
        with no_fault_unfound(title):
            for story, _ in at_least_one(walk(title, choices)):
                assert story.game.cursor.waiting(), f"nobody is waited for: {story.game.cursor}"

    @QUICK
    @given(titles(), CHOICES)
    def test_cursor_survives_a_round_trip_through_json(self, title: Title, choices: list[int]) -> None:
        with no_fault_unfound(title):
            for story, _ in at_least_one(walk(title, choices)):
                cursor = story.game.cursor
                assert msgspec.json.decode(msgspec.json.encode(cursor), type=Cursor) == cursor

    @QUICK
    @given(titles(), CHOICES, st.integers(0, 30))
    def test_cursor_survives_sequence_with_inserted_step(self, title: Title, choices: list[int], at: int) -> None:
        """At every position, the new edition accepts what the old one accepts, or first asks for the new step."""
        edited = with_inserted(title, at)
        with no_fault_unfound(title, edited):
            for story, order in at_least_one(walk(title, choices)):
                is_accepted, found = refusal(title, story, order) is None, refusal(edited, story, order)
                is_same = found is None or is_at_inserted_step(found)
                assert is_accepted <= is_same, f"{order} at {story.game.where}: {found}"


class TestInsertedStep:
    """An order that picks the only member first may meet a step that the new edition inserted before its own."""

    def test_order_at_open_step_is_accepted(self) -> None:
        story, edited = squadrons_of_south("s1", "s2")
        assert refusal(edited, story, pick("s1", by=SOUTH)) is None

    def test_order_past_inserted_step_is_refused_there(self) -> None:
        story, edited = squadrons_of_south("s1")
        order = mark("x", by=SOUTH)
        assert refusal(story.title, story, order) is None
        found = refusal(edited, story, order)
        assert found is not None
        assert is_at_inserted_step(found)


def squadrons_of_south(*squadrons: str) -> tuple[Story, Title]:
    """Return a story in which South picks a squadron, and its title with a step of North's before South's step."""
    title = title_of(Turns("squadron", "squadrons", of="unused", sides="order", steps=(step("ram", SOUTH),)))
    return teach(title, order=(SOUTH,), unused__south=squadrons), with_inserted(title, 0)


def is_at_inserted_step(refusal: RuleViolation) -> bool:
    """Return whether an order was refused at the inserted step, where play moved first."""
    return refusal.where.startswith(INSERTED)


def refusal(title: Title, story: Story, order: Order) -> RuleViolation | None:
    """Return the refusal of an order by an edition of the title, if it is refused."""
    try:
        decide(title, story.game, Sent(order=order), story)
    except RuleViolation as found:
        return found
    return None


def with_inserted(title: Title, at: int) -> Title:
    """Return the title with a new step before one of its places."""
    before = list(title.plan.leaves())[at % len(list(title.plan.leaves()))].id
    edited = edit_steps(title.plan.sequence, lambda one: (step(INSERTED), one) if one.id == before else (one,))
    return msgspec.structs.replace(title, sequence=edited)
