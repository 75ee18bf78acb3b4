"""Find undefined names of places, options, roles, sets, answers and orders, and unused entries."""

from collections.abc import Iterable, Iterator

from umpire_ledger.domain.flow.sequence_checks.fault import ConditionUse, Fault, condition_leaves, named_targets
from umpire_ledger.domain.game.orders import COVERS, SEQUENCE_ORDERS
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.sequence.conditions import (
    AnsweredEver,
    Chose,
    Inside,
    Latest,
    Option,
    PassIs,
    Picked,
    Suspended,
    WasDone,
    says,
)
from umpire_ledger.domain.sequence.constructs import (
    ACTIVE,
    BACK,
    EACH,
    END,
    NEXT,
    OTHERS,
    REFEREE,
    Each,
    Rounds,
    Step,
    Turns,
    names,
)
from umpire_ledger.domain.sequence.plan import children_of


def duplicates(title: Title) -> Iterator[Fault]:
    """Yield ids that two places share, and ids that are reserved targets."""
    for place in title.plan.duplicates:
        yield Fault(place=place, what="two places have this id", remedy="give every place its own id")
    for place in title.plan.places:
        if place in ("", NEXT, BACK, END):
            yield Fault(
                place=place, what=f"{place!r} cannot be an id: it is a reserved target", remedy="choose another id"
            )


def empty(title: Title) -> Iterator[Fault]:
    """Yield empty headings and loops."""
    for place in title.plan.places.values():
        if not isinstance(place, Step) and not children_of(place):
            yield Fault(place=place.id, what="it contains no step", remedy="remove it, or declare it as a step")


def unknown_targets(title: Title) -> Iterator[Fault]:
    """Yield targets, borrowed stretches, watched places and `keep` entries that name no place in the sequence."""
    plan = title.plan
    for origin, target in named_targets(plan):
        yield from _known(title, origin, target, "leads to")
    for step in plan.leaves():
        for end in step.runs or ():
            yield from _known(title, step.id, end, "runs")
        if step.keep:
            yield from _known(title, step.id, step.keep, "keeps its answers in")
    for instant in plan.instants:
        if instant.to in (NEXT, BACK):
            yield Fault(
                place=instant.name, what=f"a trigger cannot lead to {instant.to}", remedy="name a place, or END"
            )
        for place in instant.during:
            yield from _known(title, instant.name, place, "watches")


def _known(title: Title, origin: str, place: str, verb: str) -> Iterator[Fault]:
    if place not in title.plan.places and place not in (NEXT, BACK):
        yield Fault(
            place=origin, what=f"it {verb} {place}, which does not exist", remedy="name a place in the sequence"
        )


def unknown_in_conditions(title: Title) -> Iterator[Fault]:
    """Yield conditions that name undeclared options, steps, answers, loops or places, and impossible pass numbers."""
    for use in condition_leaves(title.plan):
        what, remedy = _unknown(title, use)
        if what:
            yield Fault(place=use.place, what=what, remedy=remedy)


def _unknown(title: Title, use: ConditionUse) -> tuple[str, str]:
    places = title.plan.places
    match use.leaf:
        case Option(name=name) if name not in title.options:
            return f"it tests the option {name}, which no scenario can set", "add it to the title's options"
        case Chose(step=step) | AnsweredEver(step=step) | Latest(step=step) | WasDone(step=step) if not isinstance(
            places.get(step), Step
        ):
            return f"it tests {step}, which is not a step", "name a step in the sequence"
        case (
            Chose(step=step, answer=answer) | AnsweredEver(step=step, answer=answer) | Latest(step=step, answer=answer)
        ) if not _answered(title, step, answer):
            return f"it tests the answer {answer} of step {step}, which does not offer it", "name one of its answers"
        case Picked(loop=loop) if not isinstance(places.get(loop), Each | Turns):
            return f"it tests the picked member of {loop}, which picks none", "name an Each or Turns"
        case PassIs(loop=loop) if loop and not isinstance(places.get(loop), Rounds | Each | Turns):
            return f"it counts the passes of {loop}, which is not a loop", "name a loop"
        case PassIs(first=first, last=last) if first < 1 or (last is not None and last < first):
            return f"«{says(use.leaf)}» is never true", "count passes from 1; the last one cannot be before the first"
        case Inside(place=place) | Suspended(place=place) if place not in places:
            return f"it tests whether play is inside {place}, which does not exist", "name a place in the sequence"
        case _:
            return "", ""


def _answered(title: Title, step: str, answer: str) -> bool:
    place = title.plan.step(step)
    return place is not None and any(one.name == answer for one in place.answers)


def roles_asked(title: Title) -> Iterator[tuple[str, str]]:
    """Yield every role that the sequence names, with the place."""
    for place in title.plan.places.values():
        match place:
            case Step():
                held = (*names(place.by), *names(place.also), *names(place.touches.by))
                said = (role for answer in place.answers for role in names(answer.by))
                yield from ((place.id, role) for role in (*held, *said))
            case Each(by=by):
                yield from ((place.id, role) for role in names(by))
            case Turns(sides=sides):
                yield place.id, sides
            case _:
                pass


def unknown_roles(title: Title) -> Iterator[Fault]:
    """Yield roles that no side can hold."""
    known = {ACTIVE, OTHERS, EACH, *title.roles, *title.sides}
    anytime = {step.id for step in title.plan.anytime}
    for place, role in roles_asked(title):
        if role not in known and not (role == REFEREE and place in anytime):
            yield Fault(
                place=place,
                what=f"there is no role {role}",
                remedy="add it to the title's roles, or to its sides if it is the id of a side",
            )


def unknown_sets(title: Title) -> Iterator[Fault]:
    """Yield sets that the title does not define."""
    for place, of in sets_asked(title):
        if of not in title.sets:
            yield Fault(place=place, what=f"there is no set {of}", remedy="add it to the title's sets")


def sets_asked(title: Title) -> Iterator[tuple[str, str]]:
    """Yield every set that the sequence names, with the place."""
    for place in title.plan.places.values():
        match place:
            case Each(of=of) | Turns(of=of):
                yield place.id, of
            case Step() if place.touches.units:
                yield place.id, place.touches.units
            case _:
                pass


def idle_entries(title: Title) -> Iterator[Fault]:
    """Yield entries of the title that its sequence does not use, because they are misspelt or obsolete."""
    plan = title.plan
    allowed = {order for step in plan.leaves() for order in step.allows}
    steps = {step.id for step in plan.leaves()}
    roles = {role for _, role in roles_asked(title)}
    sets = {of for _, of in sets_asked(title)}
    yield from _idle("acts", title.acts, steps, "no step has this id")
    yield from _idle("tables", title.tables, steps, "no step has this id")
    yield from _idle("printed", title.printed, plan.places, "no place has this id")
    yield from _idle("roles", title.roles, roles, "no step names it")
    yield from _idle("sets", title.sets, sets, "no loop runs over it, and no step touches it")
    tags = {order.tag() for order in (*allowed, *SEQUENCE_ORDERS)}
    own = (one.order.tag() for one in title.orders if one.order not in COVERS)  # COVERS orders are allowed in any step.
    yield from _idle("orders", own, tags, "no step allows it")


def _idle(entry: str, declared: Iterable[str], asked_for: Iterable[str], what: str) -> Iterator[Fault]:
    known = set(asked_for)
    for name in declared:
        if name not in known:
            yield Fault(
                place=name, what=f"it is one of the title's {entry}, but {what}", remedy="fix the name, or remove it"
            )
