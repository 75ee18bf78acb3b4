"""Build small teaching sequences: titles made only of their sequence, played by North and South.

Facts are markers on the table. The marker with the name of a role lists its sides, and the marker with the name of a
set lists its members (`set/side` for Turns). So a story can change all of them with `mark`.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from tests.face.domain import (
    ACTIVE,
    EACH,
    OTHERS,
    AnyPlace,
    Asks,
    Choose,
    Done,
    Each,
    Excuse,
    Fact,
    Game,
    Heading,
    Instant,
    Mark,
    MarkerSet,
    Order,
    Pay,
    Pick,
    Plan,
    Roll,
    Ruled,
    Scenario,
    Sequence,
    Side,
    Step,
    StepOpened,
    StepPassed,
    Title,
    Turns,
    Value,
    constructs_REFEREE as REFEREE,
    fact,
    roles_asked,
    set_up_pieces,
)
from tests.face.testing import Story

NORTH, SOUTH = "north", "south"
BOTH = (NORTH, SOUTH)
TABLE_ORDERS: tuple[type[Order], ...] = (Mark, Pay, Roll, Choose)


def step(place: str, by: str | tuple[str, ...] = NORTH, **more: Any) -> Step:
    """Return a step of North that allows every generic order."""
    return Step(place, f"step {place}", by=by, allows=more.pop("allows", TABLE_ORDERS if by else ()), **more)


def auto(place: str, **more: Any) -> Step:
    """Return a step that waits for no side and closes at once."""
    return step(place, by="", **more)


def sets_marker(marker: str, to: Value = True) -> Callable[[Game], list[Any]]:
    """Return the automatic act of a step that sets a marker."""
    return lambda game: [MarkerSet(marker=marker, before=game.markers.get(marker), after=to)]


def heading(place: str, *steps: AnyPlace, **more: Any) -> Heading:
    return Heading(place, f"heading {place}", steps=steps, **more)


def is_marked(marker: str) -> Fact:
    """Return the fact that a marker with this name is on the table."""
    words, otherwise = f"the marker {marker} lies on the table", f"the marker {marker} is off the table"
    return laid(marker, words, otherwise=otherwise)


def laid(marker: str, words: str, **more: Any) -> Fact:
    """Return a fact with these words, which is true while a marker with this name is on the table."""
    return fact(words, _lies(marker), name=marker, **more)


@cache
def _lies(marker: str) -> Asks:
    return lambda game, side: bool(game.markers.get(marker))


def title_of(
    *steps: AnyPlace,
    procedures: tuple[Heading, ...] = (),
    instants: tuple[Instant, ...] = (),
    anytime: tuple[Step, ...] = (),
    **more: Any,
) -> Title:
    """Return a title whose roles and sets are the markers that its sequence names."""
    plan = Plan(sequence := Sequence(steps=steps, procedures=procedures, instants=instants, anytime=anytime))
    roles = {role for _, role in roles_asked(Title(id="", name="", version="", sequence=sequence, set_up=_nothing))}
    entries: dict[str, Mapping[str, Any]] = {
        "roles": {role: _role(role) for role in roles - {ACTIVE, OTHERS, EACH, REFEREE, *BOTH}},
        "sets": {loop.of: _set(loop) for loop in plan.places.values() if isinstance(loop, Each | Turns)},
    }
    more.setdefault("ruled", Ruled(owner=_nobody))
    for entry, declared in entries.items():
        more[entry] = {**declared, **more.get(entry, {})}
    return Title(
        id="teaching", name="Teaching", version="1", sequence=sequence, sides=BOTH, set_up=set_up_pieces, **more
    )


def _nothing(scenario: Scenario) -> list[Any]:
    return []


def _nobody(game: Game, word: str) -> str:
    """Return "", because markers are facts here and belong to no side, even if they have a side's name."""
    return ""


def _role(name: str) -> Callable[[Game], tuple[str, ...]]:
    return lambda game: _names(game.markers.get(name))


def _set(loop: Each | Turns) -> Callable[[Game, str], tuple[str, ...]]:
    if isinstance(loop, Turns):
        return lambda game, side: _names(game.markers.get(f"{loop.of}/{side}"))
    return lambda game, side: _names(game.markers.get(loop.of))


def _names(value: Value) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else ()


def teach(title: Title, **markers: Value) -> Story:
    """Open a game; markers named `a__b` are laid as `a/b`."""
    laid = {name.replace("__", "/"): value for name, value in markers.items()}
    sides = tuple(Side(id=side, name=side.title()) for side in BOTH)
    return Story(title, Scenario(title=title.id, name="a lesson", sides=sides, markers=laid))


def lesson(*steps: AnyPlace, **more: Any) -> Story:
    """Open a game of a sequence without markers on the table."""
    return teach(title_of(*steps, **more))


# --- orders -----------------------------------------------------------------------------------------------------------


def done(answer: str = "", *, by: str = NORTH, step: str = "") -> Done:
    return Done(seat=by, answer=answer, step=step)


def mark(marker: str, to: Value = True, *, by: str = NORTH) -> Mark:
    return Mark(seat=by, marker=marker, to=to)


def pick(member: str, *, by: str = NORTH) -> Pick:
    return Pick(seat=by, member=member)


def excuse(step: str = "", side: str = "") -> Excuse:
    return Excuse(seat="referee", step=step, side=side, reason="the table agrees")


# --- what was seen ----------------------------------------------------------------------------------------------------


def opened(story: Story, kinds: Iterable[type] = (StepOpened,)) -> list[str]:
    """Return the steps opened so far, in order, automatic ones included."""
    events = (event for taken in story.taken for event in taken.events)
    return [event.step for event in events if isinstance(event, StepOpened | StepPassed) and type(event) in (*kinds,)]


def passed(story: Story) -> list[str]:
    """Return the places passed so far."""
    return opened(story, (StepPassed,))
