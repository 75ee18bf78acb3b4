"""Asking a game: does a condition hold, who holds a role, what is left in a loop's set, what is still owed."""

from domain.cursor import Closed, Frame
from domain.errors import DeclarationError
from domain.game import Game
from domain.sequence.conditions import (
    AllOf,
    AnyOf,
    Chose,
    Condition,
    Ever,
    Fact,
    Given,
    Inside,
    Not,
    Nth,
    Option,
    Picked,
    Suspended,
    WasDone,
    says,
)
from domain.sequence.plan import Plan
from domain.sequence.words import ACTIVE, EACH, OTHERS, Each, Roles, Step, Turns, names
from domain.title import Title


def ask(title: Title, game: Game, condition: Condition, side: str = "", step: str = "") -> bool:
    """Whether a condition holds, asked by a side in a step where that matters."""
    cursor = game.cursor
    match condition:
        case AllOf(parts=parts):
            return all(ask(title, game, part, side, step) for part in parts)
        case AnyOf(parts=parts):
            return any(ask(title, game, part, side, step) for part in parts)
        case Not(part=part):
            return not ask(title, game, part, side, step)
        case Fact(name=name):
            return _fact(title, game, name, side)
        case Option(name=name, value=value):
            return game.options.get(name, False) == value
        case Given(order=order):
            return any(order in one.given for one in cursor.open if step in ("", one.step))
        case WasDone(step=other):
            closed = closed_in_pass(title.plan, game, other)
            return closed is not None and closed.how != "declined"
        case Picked(loop=loop, member=member):
            item = cursor.item(loop)
            return item == member if member else bool(item)
        case Nth(number=number, loop=loop):
            return _nth(game, loop) == number
        case Inside(place=place):
            return place in inside_of(title.plan, game)
        case Suspended(place=place):
            return place in suspended_in(title.plan, game)
        case Chose(step=other, answer=answer):
            closed = closed_in_pass(title.plan, game, other)
            return closed is not None and closed.answer == answer
        case Ever(step=other, answer=answer):
            return any(one.step == other and one.answer == answer for frame in cursor.frames for one in frame.kept)
        case _:
            raise _undeclared("condition", str(condition))


def _fact(title: Title, game: Game, name: str, side: str) -> bool:
    answer = title.facts.get(name)
    if answer is None:
        raise _undeclared("fact", name)
    return answer(game, side or game.cursor.side())


def _undeclared(kind: str, name: str) -> DeclarationError:
    return DeclarationError(
        f"the title has no {kind} {name}", where=name, rule="the sequence of play", remedy=f"declare the {kind}"
    )


def _nth(game: Game, loop: str) -> int:
    """The pass number of a loop; of the innermost real loop without a name."""
    for frame in reversed(game.cursor.frames):
        if frame.of == loop or (not loop and frame.kind == "loop" and frame.nth):
            return frame.nth
    return 0


def closed_in_pass(plan: Plan, game: Game, step: str) -> Closed | None:
    """How a step ended in this pass: in the innermost frame that it belongs to, in no earlier pass or outer copy."""
    for frame in reversed(game.cursor.frames):
        found = next((one for one in frame.closed if one.step == step), None)
        if found is not None or _belongs(plan, frame, step):
            return found
    return None


def _belongs(plan: Plan, frame: Frame, step: str) -> bool:
    if step not in plan.places:
        return False
    if frame.kind == "borrow":
        return plan.in_stretch(frame.stretch, step)
    return plan.holds(frame.of, step)


def inside_of(plan: Plan, game: Game, here: str = "") -> set[str]:
    """Every place that play is inside of, `here` with it; what an instant suspended is not looked at."""
    places = set(plan.around(here)) if here else set()
    for one in game.cursor.open:
        places.update(plan.around(one.step))
    for frame in reversed(game.cursor.frames):
        places.update(plan.around(frame.of))
        if frame.kind == "instant":
            return places
        places.update(plan.around(frame.back))
    return places


def suspended_in(plan: Plan, game: Game) -> set[str]:
    """Every place that play was inside of when the innermost instant came; empty where none did."""
    frames = game.cursor.frames
    at = max((at for at, frame in enumerate(frames) if frame.kind == "instant"), default=None)
    if at is None:
        return set()
    places = set(plan.around(frames[at].back))
    for one in frames[at].held:
        places.update(plan.around(one.step))
    for frame in frames[:at]:
        places.update(plan.around(frame.of))
    return places


def sides_in(title: Title, game: Game, roles: Roles) -> tuple[str, ...]:
    """The sides that hold any of the roles now and still play, in order, each once."""
    held = dict.fromkeys(side for role in names(roles) for side in holders(title, game, role))
    return tuple(side for side in held if title.plays_on(game, side))


def holders(title: Title, game: Game, role: str) -> tuple[str, ...]:
    """The sides that hold one role: the title's own word first, then the roles every title has, then a side's id."""
    if role in title.roles:
        return title.roles[role](game)
    active = game.cursor.side()
    match role:
        case str() if role == ACTIVE:
            return (active,) if active else ()
        case str() if role == OTHERS:
            return tuple(side for side in game.side_ids if side != active)
        case str() if role == EACH:
            return game.side_ids
    if role in game.side_ids:
        return (role,)
    raise _undeclared("role", role)


def members(title: Title, game: Game, loop: Each | Turns, frame: Frame) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Whose pass comes next, what may be picked, and which members are done: (side, free, finished).

    A member that left the set is no longer done, so it may be picked when it returns.
    """
    if isinstance(loop, Each):
        living = title.sets[loop.of](game, game.cursor.side())
        finished = tuple(member for member in frame.finished if member in living)
        return frame.side, tuple(member for member in living if member not in finished), finished
    sides = sides_in(title, game, loop.sides)
    living_of = {side: title.sets[loop.of](game, side) for side in sides}
    finished = tuple(one for one in frame.finished if any(one in living for living in living_of.values()))
    free_of = {side: tuple(one for one in living if one not in finished) for side, living in living_of.items()}
    side = next((side for side in _after(sides, frame.side) if free_of[side]), "")
    return side, free_of.get(side, ()), finished


def _after(sides: tuple[str, ...], last: str) -> tuple[str, ...]:
    """The sides in rotation, starting behind the last one."""
    at = sides.index(last) + 1 if last in sides else 0
    return sides[at:] + sides[:at]


def owed(title: Title, game: Game, step: Step, side: str) -> tuple[str, ...]:
    """What must still be done before a side may leave a step, in words; empty when it may."""
    if step.needs is None:
        return ()
    parts = step.needs.parts if isinstance(step.needs, AllOf) else (step.needs,)
    return tuple(_owed_words(part) for part in parts if not ask(title, game, part, side, step.id))


def _owed_words(part: Condition) -> str:
    return says(part.part) if isinstance(part, Not) else says(part)
