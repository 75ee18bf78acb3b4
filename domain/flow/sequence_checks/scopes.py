"""Find the frames that are certainly open at a place, to detect forgotten answers, bad jumps and bad returns."""

from collections.abc import Iterator

from umpire_ledger.domain.flow.sequence_checks.fault import ConditionUse, Fault, Moment, conditions_of, step_exits
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.sequence.conditions import (
    AllOf,
    AnsweredEver,
    AnyOf,
    Chose,
    Condition,
    Inside,
    Latest,
    PassIs,
    Picked,
    Suspended,
    WasDone,
    parts_of,
)
from umpire_ledger.domain.sequence.constructs import BACK, END, NEXT, Instant
from umpire_ledger.domain.sequence.plan import Plan

Frames = frozenset[str]
"""Ids of loops and procedures."""


class Scopes:
    """The frames that are certainly open at a place by any path. A procedure has those that all its callers share."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._around: dict[str, Frames] = {"": frozenset()}
        for place in plan.places.values():  # In printed order, a place comes after the places around it.
            self._around[place.id] = self._within_parent(plan.parent[place.id]) | self.implied(place.when)
        everything = frozenset(place for place in plan.places if plan.has_frame(place))
        self._below: dict[str, Frames] = dict.fromkeys(plan.procedures, everything)
        changed = True
        while changed:
            found = {procedure: self._of_callers(procedure, everything) for procedure in plan.procedures}
            changed = found != self._below
            self._below = found

    def _within_parent(self, parent: str) -> Frames:
        return self._around[parent] | ({parent} if parent and self.plan.has_frame(parent) else set())

    def _of_callers(self, procedure: str, everything: Frames) -> Frames:
        surely = everything
        for step in self.plan.leaves():
            for way in step_exits(step):
                if way.target == procedure and not self.plan.holds(procedure, step.id):
                    surely &= self.at(step.id) | self.implied(way.when)
        for instant in self.plan.instants:
            if instant.to == procedure:
                surely &= self.of_instant(instant)
        return surely

    def at(self, place: str) -> Frames:
        """Return the frames that are open when play enters a place or leaves a step.

        The place's own frame is not open.
        """
        outermost = self.plan.around(place)[-1]
        is_called = outermost in self.plan.procedures and outermost != place
        return self._around[place] | self._below[outermost] if is_called else self._around[place]

    def within(self, place: str) -> Frames:
        """Return the frames that are open anywhere inside a place, including its own."""
        return self.at(place) | ({place} if self.plan.has_frame(place) else set())

    def of_instant(self, instant: Instant) -> Frames:
        """Return the frames that are open in every place in which a trigger is watched."""
        watched = [self.within(place) for place in instant.during if place in self.plan.places]
        everywhere: Frames = frozenset()
        return (watched[0].intersection(*watched[1:]) if watched else everywhere) | self.implied(instant.when)

    def implied(self, condition: Condition | None) -> Frames:
        """Return the frames that must be open for a condition to hold."""
        match condition:
            case AllOf(parts=parts):
                return frozenset[str]().union(*map(self.implied, parts))
            case AnyOf(parts=parts):
                first, *others = map(self.implied, parts)
                return first.intersection(*others)
            case Inside(place=place) | Suspended(place=place) if place in self.plan.places:
                return frozenset(one for one in self.plan.around(place) if self.plan.has_frame(one))
            case Picked(loop=loop) | PassIs(loop=loop) if loop:
                return frozenset((loop,))
            case _:
                return frozenset()


def closed_loops(title: Title) -> Iterator[Fault]:
    """Yield jumps into the middle of a closed loop.

    A loop itself is a valid target, and so is a place in an open loop.
    """
    plan, scopes = title.plan, Scopes(title.plan)
    for step in plan.leaves():
        for way in step_exits(step):
            open_now = scopes.at(step.id) | scopes.implied(way.when)
            yield from _closed(plan, step.id, way.target, open_now)
    for instant in plan.instants:
        yield from _closed(plan, instant.name, instant.to, scopes.of_instant(instant))


def _closed(plan: Plan, origin: str, target: str, open_now: Frames) -> Iterator[Fault]:
    if target in (NEXT, BACK, END) or target in plan.procedures:
        return
    home = plan.home(target)
    if home and home not in open_now:
        yield Fault(
            place=origin,
            what=f"it leads to {target}, in the middle of {home}, which may not be open",
            remedy=f"lead to {home} itself, or first test whether play is inside it",
        )


def returns(title: Title) -> Iterator[Fault]:
    """Yield returns (BACK) from a place that is not in a procedure, so that there is nothing to return from."""
    plan = title.plan
    for step in plan.leaves():
        goes_back = any(way.target == BACK for way in step_exits(step))
        if goes_back and plan.around(step.id)[-1] not in plan.procedures:
            yield Fault(
                place=step.id, what="it leads back, but is not in a procedure", remedy="name the place it leads to"
            )


def stretches(title: Title) -> Iterator[Fault]:
    """Yield borrowed stretches that go backward, leave their loop, or contain the step that borrows them."""
    plan = title.plan
    for step in plan.leaves():
        if step.runs is not None and all(end in plan.places for end in step.runs):
            first, last = step.runs
            if plan.home(first) != plan.home(last) or plan.order[first] > plan.order[last]:
                what = f"{first} to {last} cannot be borrowed: a stretch runs forward, inside one loop"
                yield Fault(place=step.id, what=what, remedy="name two places of the same loop, in printed order")
            elif plan.in_stretch(step.runs, step.id):
                yield Fault(
                    place=step.id,
                    what="it borrows a stretch that contains this step itself",
                    remedy="name another stretch",
                )
            elif any(plan.track(end) for end in step.runs):
                what = "a stretch cannot begin or end among steps that are open at the same time"
                yield Fault(place=step.id, what=what, remedy="borrow all of these steps")


def keepers(title: Title) -> Iterator[Fault]:
    """Yield steps whose `keep` names something other than an open loop or procedure around them."""
    plan, scopes = title.plan, Scopes(title.plan)
    for step in plan.leaves():
        if step.keep and step.keep not in scopes.at(step.id):
            what = f"it keeps its answers in {step.keep}, which is not a loop around it"
            yield Fault(place=step.id, what=what, remedy="name the loop or procedure that it is in")


def forgotten(title: Title) -> Iterator[Fault]:
    """Yield conditions on answers that are forgotten when the condition is evaluated, so that it is always false."""
    plan, scopes = title.plan, Scopes(title.plan)
    for place, moment, whole in conditions_of(plan):
        open_now = _open_when(plan, scopes, place, moment)
        for leaf in parts_of(whole):
            what = _forgotten(plan, ConditionUse(place, moment, leaf), open_now)
            if what:
                yield Fault(
                    place=place, what=what, remedy="ask inside the loop, or keep the answer in a loop around both"
                )


def _forgotten(plan: Plan, use: ConditionUse, open_now: Frames) -> str:
    match use.leaf:
        case AnsweredEver(step=step) | Latest(step=step):
            answered = plan.step(step)
            if answered is None or not answered.keep:
                return f"it asks for an earlier answer of {step}, which no loop keeps"
            forgets = f"it asks for an answer of {step} after {answered.keep} has forgotten it"
            return "" if answered.keep in open_now else forgets
        case Chose(step=step) | WasDone(step=step):
            return _forgotten_in_pass(plan, use, step, open_now)
        case _:
            return ""


def _forgotten_in_pass(plan: Plan, use: ConditionUse, step: str, open_now: Frames) -> str:
    home = plan.home(step)
    asking = plan.step(use.place)
    if home and home not in open_now:
        return f"it asks for an answer of {step} after {home} has forgotten it"
    if asking is not None and asking.id == step and use.moment in ("way", "answer", "needs"):
        return "it asks for its own answer before that answer exists"
    if asking is not None and use.moment != "guard" and asking.runs and plan.in_stretch(asking.runs, step):
        return f"it asks for an answer of {step}, forgotten when the borrowed stretch returned"
    return ""


def _open_when(plan: Plan, scopes: Scopes, place: str, moment: Moment) -> Frames:
    if moment == "instant":
        found = [scopes.of_instant(one) for one in plan.instants if one.name == place]
        return frozenset[str]().union(*found)
    return scopes.within(place) if moment == "until" else scopes.at(place)
