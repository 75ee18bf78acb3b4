"""Find the open steps, the sides that may act in them, their possible answers, and the members that may be picked."""

from umpire_ledger.domain.flow.queries import evaluate, holders, members
from umpire_ledger.domain.game.state import REFEREE, Game, replace
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.sequence.constructs import Answer, Each, Step, Turns, names


def open_steps(title: Title, game: Game) -> tuple[Step, ...]:
    """Return the steps that are open now, without the loops that wait for a pick."""
    found = (title.plan.step(one.step) for one in game.cursor.open)
    return tuple(step for step in found if step is not None)


def at_step(game: Game, step: str) -> Game:
    """Return the game as a decision under one of several open steps sees it, with that step listed first."""
    here = game.cursor.opened(step)
    if here is None or here is game.cursor.open[0]:
        return game
    others = tuple(one for one in game.cursor.open if one is not here)
    return replace(game, cursor=replace(game.cursor, open=(here, *others)))


def acting(title: Title, game: Game, step: Step) -> tuple[str, ...]:
    """Return the sides that may give orders in an open step now: those it waits for, then others that it admits."""
    one = game.cursor.opened(step.id)
    waits = one.waits if one else ()
    first = waits[:1] if step.in_turn else waits
    beside = (side for role in names(step.also) for side in holders(title, game, role))
    return tuple(dict.fromkeys((*first, *beside)))


def acting_anytime(title: Title, game: Game, step: Step) -> tuple[str, ...]:
    """Return the seats that may give orders in a step open at any time: sides, and the referee if declared."""
    roles = names(step.by)
    sides = (side for role in roles if role != REFEREE for side in holders(title, game, role))
    return tuple(dict.fromkeys((*sides, *(role for role in roles if role == REFEREE))))


def rule_of(title: Title, game: Game, step: str = "") -> str:
    """Return the title's name with the rule numbers of a step, or of the steps that are open."""
    ids = [step] if step else [one.step for one in game.cursor.open]
    found = (title.plan.places.get(one) for one in ids)
    rules = [place.id + (f" [{', '.join(place.rules)}]" if place.rules else "") for place in found if place]
    return f"{title.name} {', '.join(rules)}".strip()


def waits_in(game: Game, step: Step) -> tuple[str, ...]:
    """Return the sides an open step waits for now; only the first if they act in turn."""
    one = game.cursor.opened(step.id)
    waits = one.waits if one else ()
    return waits[:1] if step.in_turn else waits


def answers_for(title: Title, game: Game, step: Step, side: str) -> tuple[Answer, ...]:
    """Return the answers that a side may give in a step now."""
    return tuple(
        answer
        for answer in step.answers
        if not answer.by_dice
        and (not answer.by or any(side in holders(title, game, role) for role in names(answer.by)))
        and (answer.when is None or evaluate(title, game, answer.when, side, step.id))
    )


def waiting_loop(title: Title, game: Game) -> Each | Turns | None:
    """Return the loop that waits for a pick, or None."""
    found = (title.plan.places.get(one.step) for one in game.cursor.open)
    return next((place for place in found if isinstance(place, Each | Turns)), None)


def may_end(loop: Each | Turns) -> bool:
    """Return whether the picking side may give `done` instead of a pick."""
    return isinstance(loop, Each) and loop.may_end


def free_members(title: Title, game: Game, loop: Each | Turns) -> tuple[str, ...]:
    """Return the members that may be picked for a loop now, by the side whose pass it is."""
    top = game.cursor.top
    if isinstance(loop, Turns):
        return tuple(one for one in title.sets[loop.of](game, top.side) if one not in top.finished)
    return members(title, game, loop, top)[1]
