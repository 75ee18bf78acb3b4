"""What a check finds, and the small questions that every check puts to a sequence."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

import msgspec

from umpire_ledger.domain.sequence.conditions import Condition, parts_of
from umpire_ledger.domain.sequence.constructs import BACK, END, NEXT, Rounds, Step
from umpire_ledger.domain.sequence.plan import Plan

Moment = Literal["guard", "until", "needs", "way", "answer", "instant"]


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """Something wrong in a declaration: at which place, what, and what to do about it."""

    place: str
    what: str
    remedy: str


class ConditionUse(NamedTuple):
    """A leaf of a condition, where it is asked and when. `place` is the instant's name for an instant."""

    place: str
    moment: Moment
    leaf: Condition


class StepExit(NamedTuple):
    """Where a step may lead. `when` is the condition of the answer or of the way."""

    step: Step
    target: str
    when: Condition | None


def asked(plan: Plan) -> Iterator[tuple[str, Moment, Condition]]:
    """Every whole condition of a sequence."""
    for place in plan.places.values():
        if place.when is not None:
            yield place.id, "guard", place.when
        if isinstance(place, Rounds) and place.until is not None:
            yield place.id, "until", place.until
        if isinstance(place, Step):
            if place.needs is not None:
                yield place.id, "needs", place.needs
            yield from ((place.id, "way", go.when) for go in place.then if go.when is not None)
            yield from ((place.id, "answer", one.when) for one in place.answers if one.when is not None)
    yield from ((instant.name, "instant", instant.when) for instant in plan.instants)


def uses(plan: Plan) -> Iterator[ConditionUse]:
    """Every leaf of every condition of a sequence."""
    return (ConditionUse(place, moment, leaf) for place, moment, whole in asked(plan) for leaf in parts_of(whole))


def step_exits(step: Step) -> Iterator[StepExit]:
    """Everywhere a step may lead, NEXT included where nothing stands against it."""
    for answer in step.answers:
        if answer.to:
            yield StepExit(step, answer.to, answer.when)
    if not step.answers or any(not answer.to for answer in step.answers):
        yield from (StepExit(step, go.to, go.when) for go in step.then)
        if all(go.when is not None for go in step.then):
            yield StepExit(step, NEXT, None)


def named_targets(plan: Plan) -> Iterator[tuple[str, str]]:
    """Every id to which a step or an instant leads, with who leads there; `then` of any step with answers too."""
    for step in plan.leaves():
        for target in (*(answer.to for answer in step.answers), *(go.to for go in step.then)):
            if target not in ("", NEXT, BACK, END):
                yield step.id, target
    yield from ((instant.name, instant.to) for instant in plan.instants if instant.to != END)
