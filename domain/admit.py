"""Admitting: which open step an order belongs to, who may act there now, what may be answered or picked."""

from domain import orders as o
from domain.errors import RuleViolation
from domain.game import REFEREE, Game
from domain.sequence.asking import ask, holders, members
from domain.sequence.conditions import AllOf, Condition, Fact, Option, parts_of, says
from domain.sequence.words import Answer, Each, Step, Turns, names
from domain.title import Title


def admit(title: Title, game: Game, order: o.Order) -> str:
    """The open step under which an order is given; "" in a title without a sequence.

    Raises RuleViolation: no open step allows the order, or not to this seat.
    """
    if title.sequence is None:
        return ""
    side = game.side_of(order.seat)
    allowing = [step for step in open_steps(title, game) if type(order) in step.allows]
    for step in allowing:
        if side in acting(title, game, step):
            return step.id
    beside = [step for step in title.plan.anytime if type(order) in step.allows]
    for step in beside:
        if (side or order.seat) in acting_anytime(title, game, step):
            return step.id
    if not allowing and beside and not _belongs_to(title, order):
        raise not_yours(title, game, order.seat, beside[0].id, acting_anytime(title, game, beside[0]))
    if not allowing:
        raise _not_allowed_here(title, game, order)
    step = allowing[0]
    raise not_yours(title, game, order.seat, step.id, acting(title, game, step))


def open_steps(title: Title, game: Game) -> tuple[Step, ...]:
    """The steps that are open now, without the loops that wait for a pick."""
    found = (title.plan.step(one.step) for one in game.cursor.open)
    return tuple(step for step in found if step is not None)


def acting(title: Title, game: Game, step: Step) -> tuple[str, ...]:
    """The sides that may give orders in an open step now: those waited for, then those admitted beside them."""
    one = game.cursor.opened(step.id)
    waits = one.waits if one else ()
    first = waits[:1] if step.in_turn else waits
    beside = (side for role in names(step.also) for side in holders(title, game, role))
    return tuple(dict.fromkeys((*first, *beside)))


def acting_anytime(title: Title, game: Game, step: Step) -> tuple[str, ...]:
    """Who may give orders in a step that is open at any moment: sides, and the referee where it is the referee's."""
    roles = names(step.by)
    sides = (side for role in roles if role != REFEREE for side in holders(title, game, role))
    return tuple(dict.fromkeys((*sides, *(role for role in roles if role == REFEREE))))


def _belongs_to(title: Title, order: o.Order) -> list[str]:
    """The steps of the sequence that allow an order, those that are open at any moment left out."""
    return [step.id for step in title.plan.leaves() if type(order) in step.allows and step not in title.plan.anytime]


def _not_allowed_here(title: Title, game: Game, order: o.Order) -> RuleViolation:
    elsewhere = _belongs_to(title, order)
    here = sorted({one.tag() for step in open_steps(title, game) for one in step.allows})
    here += ["pick"] if waiting_loop(title, game) else ["done"]
    places = f"; it belongs to {', '.join(elsewhere[:6])}" if elsewhere else ""
    if elsewhere and all(never := [why_never(title, game, step) for step in elsewhere]):
        places += f", played only when {never[0]}"
    return RuleViolation(
        f"{order.tag()} is not allowed now{places}",
        where=game.where,
        rule=rule_of(title, game),
        remedy=f"allowed here: {', '.join(here)}",
    )


def why_never(title: Title, game: Game, step: str) -> str:
    """The guard that keeps a step out of this game from beginning to end; "" where it may be played."""
    guards = (title.plan.places[one].when for one in title.plan.around(step))
    parts = (part for guard in guards for part in (guard.parts if isinstance(guard, AllOf) else (guard,)) if part)
    lasting = (part for part in parts if all(map(_is_lasting, parts_of(part))))
    return next((says(part) for part in lasting if not ask(title, game, part)), "")


def _is_lasting(leaf: Condition) -> bool:
    return isinstance(leaf, Option) or (isinstance(leaf, Fact) and leaf.lasting and not leaf.secret)


def not_yours(title: Title, game: Game, seat: str, step: str, may: tuple[str, ...]) -> RuleViolation:
    who = " or ".join(map(game.side_name, may)) or "nobody"
    what = "the referee plays for no side" if seat == REFEREE else f"{seat} may not act in {step} now"
    remedy = f"wait for {who}" if seat != REFEREE else f"give the order as {' or '.join(may) or 'a side'}: --as SIDE"
    if may == (REFEREE,):
        what, remedy = f"{step} is the referee's", "ask the referee"
    return RuleViolation(what, where=game.where, rule=rule_of(title, game, step), remedy=remedy)


def rule_of(title: Title, game: Game, step: str = "") -> str:
    """The title's name with the rule numbers of a step, or of the steps that are open."""
    ids = [step] if step else [one.step for one in game.cursor.open]
    found = (title.plan.places.get(one) for one in ids)
    rules = [place.id + (f" [{', '.join(place.rules)}]" if place.rules else "") for place in found if place]
    return f"{title.name} {', '.join(rules)}".strip()


def waits_in(game: Game, step: Step) -> tuple[str, ...]:
    """The sides an open step waits for now; only the first where they act in turn."""
    one = game.cursor.opened(step.id)
    waits = one.waits if one else ()
    return waits[:1] if step.in_turn else waits


def answers_for(title: Title, game: Game, step: Step, side: str) -> tuple[Answer, ...]:
    """The answers that a side may give in a step now."""
    return tuple(
        answer
        for answer in step.answers
        if not answer.by_dice
        and (not answer.by or any(side in holders(title, game, role) for role in names(answer.by)))
        and (answer.when is None or ask(title, game, answer.when, side, step.id))
    )


def waiting_loop(title: Title, game: Game) -> Each | Turns | None:
    """The loop that waits for a pick, or None."""
    found = (title.plan.places.get(one.step) for one in game.cursor.open)
    return next((place for place in found if isinstance(place, Each | Turns)), None)


def free_members(title: Title, game: Game, loop: Each | Turns) -> tuple[str, ...]:
    """What may be picked for a loop now, by the side whose pass it is."""
    top = game.cursor.top
    if isinstance(loop, Turns):
        return tuple(one for one in title.sets[loop.of](game, top.side) if one not in top.finished)
    return members(title, game, loop, top)[1]


def refuse(game: Game, what: str, remedy: str, rule: str) -> RuleViolation:
    return RuleViolation(what, where=game.where, rule=rule, remedy=remedy)
