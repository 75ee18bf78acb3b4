"""Check each step: it can end, its orders have decisions, its dice have an owner, and it reveals no secret."""

from collections.abc import Iterator

from umpire_ledger.domain.flow.sequence_checks.fault import Fault, condition_leaves, conditions_of
from umpire_ledger.domain.kit.generic import GENERIC
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.sequence.conditions import Condition, Fact, Given, parts_of
from umpire_ledger.domain.sequence.constructs import Answer, Each, Heading, Step


def answers(title: Title) -> Iterator[Fault]:
    """Yield steps with answers that may all be impossible, or that no side can give."""
    for step in title.plan.leaves():
        if step.answers:
            yield from _answers_of(step, by_itself=step.id in title.acts)


def _answers_of(step: Step, *, by_itself: bool) -> Iterator[Fault]:
    said = [answer.name for answer in step.answers]
    if len(set(said)) < len(said):
        yield Fault(place=step.id, what="two answers have the same name", remedy="give every answer its own name")
    if not step.by and not by_itself:
        yield Fault(place=step.id, what="it has answers, but no side gives them", remedy="name the side: `by`")
    if all(answer.by_dice for answer in step.answers) and not step.allows:
        yield Fault(place=step.id, what="only dice can answer, and no order rolls them", remedy="allow the order")
    if not _always_answerable(step.answers):
        yield Fault(
            place=step.id,
            what="every answer has a condition, so there may be no possible answer",
            remedy="remove the condition of one answer",
        )


def _always_answerable(possible: tuple[Answer, ...]) -> bool:
    """Return whether an answer is always possible: one has no condition, or two conditions exclude each other."""
    conditions = [answer.when for answer in possible]
    return None in conditions or any(~one in conditions for one in conditions if one is not None)


def orders(title: Title) -> Iterator[Fault]:
    """Yield allowed orders without a decision, and conditions on orders that cannot be given."""
    for step in title.plan.leaves():
        for order in step.allows:
            if order not in title.decisions and order not in GENERIC:
                what = f"it allows {order.tag()}, which the title does not decide"
                yield Fault(place=step.id, what=what, remedy="add it to the title's `decides`")
        if step.allows and not step.by:
            what = "it allows orders, but ends immediately, because it waits for no side"
            yield Fault(place=step.id, what=what, remedy="name the sides it waits for: `by`")
    for use in condition_leaves(title.plan):
        if isinstance(use.leaf, Given):
            yield from _given(title, use.place, use.moment, use.leaf.order)


def _given(title: Title, place: str, moment: str, order: str) -> Iterator[Fault]:
    if moment not in ("needs", "way", "answer"):
        remedy = "require it at the end of the step, or require a fact"
        yield Fault(place=place, what=f"it requires the order {order} when no step is open", remedy=remedy)
        return
    step = title.plan.step(place)
    if step is not None and order not in {one.tag() for one in step.allows}:
        yield Fault(place=place, what=f"it requires the order {order}, which it does not allow", remedy="allow it")


def secret_guards(title: Title) -> Iterator[Fault]:
    """Yield conditions on secrets whose result is public: a passed step, a missing answer, or the end of a loop."""
    secrets = {use.leaf.name for use in condition_leaves(title.plan) if isinstance(use.leaf, Fact) and use.leaf.secret}
    for place, moment, condition in conditions_of(title.plan):
        if moment in ("guard", "way", "answer", "until") and (told := _facts(condition) & secrets):
            what = f"its {_WORDS[moment]} reveals the secret {', '.join(sorted(told))}"
            remedy = "open the step always, and refuse the order when the owner of the secret gives it"
            yield Fault(place=place, what=what, remedy=remedy)


_WORDS = {"guard": "guard", "way": "next step", "answer": "list of answers", "until": "end"}


def _facts(condition: Condition) -> set[str]:
    return {leaf.name for leaf in parts_of(condition) if isinstance(leaf, Fact)}


def dice(title: Title) -> Iterator[Fault]:
    """Yield steps with dice but without a side to roll them."""
    for step in title.plan.leaves():
        if step.rolls and not step.by:
            yield Fault(
                place=step.id, what=f"it rolls {step.rolls}, but no side can roll", remedy="name the side: `by`"
            )


def together(title: Title) -> Iterator[Fault]:
    """Yield parts of tracks that are neither headings nor plain steps: loops, and steps that borrow a stretch."""
    for place in title.plan.places.values():
        if not title.plan.track(place.id):
            continue
        if not isinstance(place, Step | Heading):
            what = f"a track contains steps and headings, but this is a {type(place).__name__}"
            yield Fault(
                place=place.id, what=what, remedy="let a step of the track lead to a procedure that contains it"
            )
        elif isinstance(place, Step) and place.runs:
            what = "it borrows a stretch while other steps of the track are open"
            yield Fault(place=place.id, what=what, remedy="let it lead to a procedure that borrows")


def endings(title: Title) -> Iterator[Fault]:
    """Yield loops that the picking side may end although no side picks."""
    for place in title.plan.places.values():
        if isinstance(place, Each) and place.may_end and not place.by:
            what = "a side that picks may end it, but no side picks"
            yield Fault(place=place.id, what=what, remedy="name the side that picks: `by`")


def anytime(title: Title) -> Iterator[Fault]:
    """Yield steps open at any time that declare more than sides and orders, or that allow no order."""
    for step in title.plan.anytime:
        led = step.answers or step.then or step.runs or step.keep or step.when or step.needs
        if led or step.id in title.acts:
            what = "it is open at any time: it cannot have needs, answers, next steps, guards or automatic acts"
            yield Fault(place=step.id, what=what, remedy="declare only sides and orders")
        if not step.allows:
            yield Fault(place=step.id, what="it is open at any time, but allows no order", remedy="allow one")
