"""The sequence of a title as a page: one line a place, in printed order, headings included."""

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
    """Return every place: `id, parent, name, by, need, cites, secret, rolls, orders, leads_to`, and `printed, depth,
    kind`.

    `when, until, needs`: conditions in words, "" for none: to walk in, to end its rounds, to end a side's part.
    `first_come`: the reason why orders of several sides count in the order in which they come; "" if that makes no
    difference.
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
    """Return the next places of a place, each once; `end` is the end of the game, `back` the return to the caller."""
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
    """Return the target of `next` from a place: a sibling, the loop that it ends a pass of, the caller, or the end."""
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
