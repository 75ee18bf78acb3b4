"""List a title's sequence of play: one entry per place, in printed order, including headings."""

from typing import Any

from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.sequence.conditions import Condition, says
from umpire_ledger.domain.sequence.constructs import (
    BACK,
    END,
    NEXT,
    AnyPlace,
    Each,
    Rounds,
    Step,
    Together,
    Turns,
    names,
)


def page_of(title: Title) -> list[dict[str, Any]]:
    """Return an entry for every place, as a dictionary with the keys that `_line` lists.

    `when`, `until` and `needs` are conditions in words, "" for none: to enter the place, to end its rounds, and to end
    a side's part. `first_come` is the reason why it matters in which order several sides' orders arrive; "" if it does
    not.
    """
    plan = title.plan
    return [_line(title, place, len(plan.path(one))) for one, place in plan.places.items()]


def _line(title: Title, place: AnyPlace, depth: int) -> dict[str, Any]:
    step = place if isinstance(place, Step) else None
    return {
        "id": place.id,
        "parent": title.plan.parent[place.id],
        "name": place.name,
        "by": list(_who(place)),
        "need": step.need if step else _need_of(place),
        "cites": list(place.rules),
        "secret": bool(step and step.secret),
        "rolls": step.rolls if step else "",
        "orders": [order.tag() for order in step.allows] if step else [],
        "leads_to": leads_to(title, place),
        "when": _words(place.when),
        "until": _words(place.until) if isinstance(place, Rounds) else "",
        "needs": _words(step.needs) if step else "",
        "first_come": step.first_come if step else "",
        "printed": title.printed.get(place.id, place.id),
        "kind": type(place).__name__.lower(),
        "depth": depth,
    }


def _words(condition: Condition | None) -> str:
    return says(condition) if condition is not None else ""


def _who(place: AnyPlace) -> tuple[str, ...]:
    match place:
        case Step(by=by, also=also):
            return (*names(by), *names(also))
        case Each(by=by):
            return names(by)
        case Turns(sides=sides):
            return (sides,)
        case _:
            return ()


def _need_of(place: AnyPlace) -> str:
    if type(place).__name__ in ("Rounds", "Each", "Turns"):
        return "repeat"
    return "conditional" if place.when is not None else "required"


def leads_to(title: Title, place: AnyPlace) -> list[str]:
    """Return the places that can follow a place, each once. `end` ends the game; `back` returns to the caller."""
    plan = title.plan
    following = following_of(title, place.id)
    if not isinstance(place, Step):
        children = plan.siblings[place.id]
        if isinstance(place, Together):
            return list(children)
        return [*children[:1], following] if isinstance(place, Each) and place.may_end else list(children[:1])
    said = [answer.to or NEXT for answer in place.answers]
    ways = [go.to for go in place.then]
    unconditional = any(go.when is None for go in place.then)
    own = [] if unconditional or (said and not place.then) else [NEXT]
    return list(dict.fromkeys(following if to == NEXT else to for to in (*said, *ways, *own)))


def following_of(title: Title, place: str) -> str:
    """Return the place that `next` leads to: a sibling, the loop whose pass ends, BACK to the caller, or END."""
    plan = title.plan
    while place:
        if place in plan.procedures or any(one.id == place for one in plan.anytime):
            return BACK
        following = plan.after(place)
        if following:
            return following
        parent = plan.parent[place]
        if parent and plan.has_frame(parent) and parent not in plan.procedures:
            return parent
        place = parent
    return END
