"""Define the fault of a static check, and small queries that every check shares."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

import msgspec

from umpire_ledger.domain.sequence.conditions import Condition, parts_of
from umpire_ledger.domain.sequence.constructs import BACK, END, NEXT, Rounds, Step
from umpire_ledger.domain.sequence.plan import Plan

Moment = Literal["guard", "until", "needs", "way", "answer", "instant"]


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """A fault in a declaration: its place, a description, and the remedy."""

    place: str
    what: str
    remedy: str


class ConditionUse(NamedTuple):
    """A leaf of a condition, the place and the moment of its use. `place` is the instant's name for an instant."""

    place: str
    moment: Moment
    leaf: Condition


class StepExit(NamedTuple):
    """An exit of a step. `when` is the condition of the answer or of the way."""

    step: Step
    target: str
    when: Condition | None


def asked(plan: Plan) -> Iterator[tuple[str, Moment, Condition]]:
    """Yield every whole condition of a sequence."""
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
    """Yield every leaf of every condition of a sequence."""
    return (ConditionUse(place, moment, leaf) for place, moment, whole in asked(plan) for leaf in parts_of(whole))


def step_exits(step: Step) -> Iterator[StepExit]:
    """Yield every exit of a step, including NEXT if no way excludes it."""
    for answer in step.answers:
        if answer.to:
            yield StepExit(step, answer.to, answer.when)
    if not step.answers or any(not answer.to for answer in step.answers):
        yield from (StepExit(step, go.to, go.when) for go in step.then)
        if all(go.when is not None for go in step.then):
            yield StepExit(step, NEXT, None)


def named_targets(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield every target of a step or an instant, with its origin; also `then` of any step with answers."""
    for step in plan.leaves():
        for target in (*(answer.to for answer in step.answers), *(go.to for go in step.then)):
            if target not in ("", NEXT, BACK, END):
                yield step.id, target
    yield from ((instant.name, instant.to) for instant in plan.instants if instant.to != END)
