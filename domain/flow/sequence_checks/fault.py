"""Define the fault that a static check reports, and small queries that several checks share."""

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
    """A leaf of a condition, with the place and the moment of its use. For a trigger, `place` is the trigger's name."""

    place: str
    moment: Moment
    leaf: Condition


class StepExit(NamedTuple):
    """An exit of a step. `when` is the condition of its answer or of its entry in `then`."""

    step: Step
    target: str
    when: Condition | None


def conditions_of(plan: Plan) -> Iterator[tuple[str, Moment, Condition]]:
    """Yield every condition of a sequence, with its place and its moment."""
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


def condition_leaves(plan: Plan) -> Iterator[ConditionUse]:
    """Yield every leaf of every condition in a sequence."""
    return (
        ConditionUse(place, moment, leaf) for place, moment, whole in conditions_of(plan) for leaf in parts_of(whole)
    )


def step_exits(step: Step) -> Iterator[StepExit]:
    """Yield every exit of a step, and also NEXT if every entry of its `then` has a condition."""
    for answer in step.answers:
        if answer.to:
            yield StepExit(step, answer.to, answer.when)
    if not step.answers or any(not answer.to for answer in step.answers):
        yield from (StepExit(step, go.to, go.when) for go in step.then)
        if all(go.when is not None for go in step.then):
            yield StepExit(step, NEXT, None)


def named_targets(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield every place that a step or a trigger leads to, with its origin.

    Entries of `then` are included even if the step's answers make them unreachable.
    """
    for step in plan.leaves():
        for target in (*(answer.to for answer in step.answers), *(go.to for go in step.then)):
            if target not in ("", NEXT, BACK, END):
                yield step.id, target
    yield from ((instant.name, instant.to) for instant in plan.instants if instant.to != END)
