"""Answer questions about a game: conditions, holders of roles, members of a loop's set, and required actions."""

from collections.abc import Iterator
from typing import NamedTuple

from umpire_ledger.domain.game.cursor import Frame, pass_number
from umpire_ledger.domain.game.errors import DeclarationError, RuleViolation
from umpire_ledger.domain.game.hidden_units import known_to
from umpire_ledger.domain.game.orders import Order, ReadOff
from umpire_ledger.domain.game.state import Game, Unit
from umpire_ledger.domain.kit.changes import same
from umpire_ledger.domain.kit.roll_plans import RollPlan, in_words
from umpire_ledger.domain.kit.table_rolls import still_to_read
from umpire_ledger.domain.kit.title import Called, Title, takes_arguments
from umpire_ledger.domain.kit.title_errors import call
from umpire_ledger.domain.sequence.conditions import (
    AllOf,
    AnsweredEver,
    AnyOf,
    Chose,
    Condition,
    Fact,
    Given,
    Inside,
    Latest,
    Not,
    Option,
    PassIs,
    Picked,
    Suspended,
    WasDone,
    parts_of,
    says,
)
from umpire_ledger.domain.sequence.constructs import ACTIVE, EACH, OTHERS, Each, Roles, Step, Turns, names
from umpire_ledger.domain.sequence.frames import closed_in_pass, inside_of, last_kept, suspended_in, was_kept


def evaluate(title: Title, game: Game, condition: Condition, side: str = "", step: str = "") -> bool:
    """Return whether a condition holds, for a given side and step if they matter."""
    cursor = game.cursor
    match condition:
        case AllOf(parts=parts):
            return all(evaluate(title, game, part, side, step) for part in parts)
        case AnyOf(parts=parts):
            return any(evaluate(title, game, part, side, step) for part in parts)
        case Not(part=part):
            return not evaluate(title, game, part, side, step)
        case Fact(name=name, asks=asks):
            return bool(call(title.id, name, asks, (game, side or cursor.side())))
        case Option(name=name, value=value):
            return same(game.options.get(name, title.options.get(name, False)), value)
        case Given(order=order):
            return any(order in one.given for one in cursor.open if step in ("", one.step))
        case WasDone(step=other):
            closed = closed_in_pass(title.plan, cursor, other)
            return closed is not None and closed.how not in ("declined", "idle")
        case Picked(loop=loop, member=member):
            item = cursor.item(loop)
            return item == member if member else bool(item)
        case PassIs(first=first, last=last, loop=loop):
            now = pass_number(cursor, loop)
            return first <= now and (last is None or now <= last)
        case Inside(place=place):
            return place in inside_of(title.plan, cursor)
        case Suspended(place=place):
            return place in suspended_in(title.plan, cursor)
        case Chose(step=other, answer=answer):
            closed = closed_in_pass(title.plan, cursor, other)
            return closed is not None and closed.answer == answer
        case AnsweredEver(step=other, answer=answer):
            return was_kept(cursor, other, answer)
        case Latest(step=other, answer=answer):
            return last_kept(cursor, other) == answer
        case _:
            raise _undeclared("condition", str(condition))


def _undeclared(kind: str, name: str) -> DeclarationError:
    return DeclarationError(
        f"the title has no {kind} {name}",
        where=name,
        rule="the sequence of play",
        remedy=f"declare the {kind}",
        code="not-declared",
        fields={"kind": kind, "name": name},
    )


def sides_in(title: Title, game: Game, roles: Roles) -> tuple[str, ...]:
    """Return the sides that hold any of the roles now and still play, in order, each once."""
    held = dict.fromkeys(side for role in names(roles) for side in holders(title, game, role))
    return tuple(side for side in held if title.plays_on(game, side))


def holders(title: Title, game: Game, role: str) -> tuple[str, ...]:
    """Return the sides that hold one role.

    The title's own role comes first, then the roles that every title has, then a side's id. If the title names a side
    that this game does not have, no side holds the role.

    Raises:
        DeclarationError: The role is not declared.
    """
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
    if role in title.sides:
        return ()
    raise _undeclared("role", role)


def no_holder_text(title: Title, game: Game, roles: Roles) -> str:
    """Return a sentence saying that no side holds any of the roles now."""
    return " and ".join(dict.fromkeys(_nobody(title, game, role) for role in names(roles)))


def _nobody(title: Title, game: Game, role: str) -> str:
    held = title.roles.get(role)
    if isinstance(held, Called):
        return held.none
    if role in (ACTIVE, OTHERS, EACH):
        return f"no {'other ' if role == OTHERS else ''}side is {'active' if role == ACTIVE else 'left'}"
    if role in game.side_ids or role in title.sides:
        return game.side_does(role, "is not in play")
    return f"nobody is {role.replace('_', ' ')}"


def empty_set_text(title: Title, loop: Each | Turns) -> str:
    """Return a sentence saying that the set of a loop is empty."""
    held = title.sets.get(loop.of)
    return held.none if isinstance(held, Called) else f"nothing is left of {loop.of.replace('_', ' ')}"


def members(title: Title, game: Game, loop: Each | Turns, frame: Frame) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Return the side of the next pass, the members that may be picked, and the finished ones.

    A member that left the set is no longer finished, so it may be picked when it returns.
    """
    set_of = title.sets.get(loop.of)
    if set_of is None:
        raise _undeclared("set", loop.of)
    if isinstance(loop, Each):
        living = set_of(game, game.cursor.side())
        finished = tuple(member for member in frame.finished if member in living)
        return frame.side, tuple(member for member in living if member not in finished), finished
    sides = sides_in(title, game, loop.sides)
    living_of = {side: set_of(game, side) for side in sides}
    finished = tuple(one for one in frame.finished if any(one in living for living in living_of.values()))
    free_of = {side: tuple(one for one in living if one not in finished) for side, living in living_of.items()}
    side = next((side for side in _after(sides, frame.side) if free_of[side]), "")
    return side, free_of.get(side, ()), finished


def _after(sides: tuple[str, ...], last: str) -> tuple[str, ...]:
    """Return the sides in rotation, starting after the last one."""
    at = sides.index(last) + 1 if last in sides else 0
    return sides[at:] + sides[:at]


def why(title: Title, game: Game, condition: Condition, side: str = "", step: str = "") -> str:
    """Return why a condition holds now, or does not: the parts that decide it, in words."""
    return " and ".join(dict.fromkeys(_deciding(title, game, condition, side, step)))


def _deciding(title: Title, game: Game, condition: Condition, side: str, step: str) -> Iterator[str]:
    match condition:
        case AllOf(parts=parts) | AnyOf(parts=parts):
            holds = evaluate(title, game, condition, side, step)
            for part in parts:
                if evaluate(title, game, part, side, step) == holds:
                    yield from _deciding(title, game, part, side, step)
        case Not(part=part):
            yield from _deciding(title, game, part, side, step)
        case _:
            yield says(condition, evaluate(title, game, condition, side, step))


class RequiredAction(NamedTuple):
    """A required action of a side: a description and the names of its subjects.

    `waits`: the side can only wait for others. `any_side`: if one side does it, no other side needs to.
    """

    words: str
    about: tuple[str, ...] = ()
    waits: bool = False
    orders: tuple[str, ...] = ()
    any_side: bool = False

    @property
    def sentence(self) -> str:
        """The words, followed by the names of the subjects."""
        return f"{self.words}: {', '.join(self.about)}" if self.about else self.words


def required_actions(title: Title, game: Game, step: Step, side: str) -> tuple[RequiredAction, ...]:
    """Return the actions that a side must still take before it may end a step; () if it may end the step now."""
    readers = tuple(order.tag() for order in step.allows if issubclass(order, ReadOff))
    unread = tuple(RequiredAction(words, orders=readers) for words in still_to_read(game, step.allows, step.id, side))
    if step.needs is None:
        return unread
    parts = step.needs.parts if isinstance(step.needs, AllOf) else (step.needs,)
    due = tuple(_duty(title, game, part, side) for part in parts if not evaluate(title, game, part, side, step.id))
    dice = dice_asked_for(title, game, step, side) if any(not one.waits for one in due) else ()
    return (*unread, *due, *map(RequiredAction, dice))


def dice_asked_for(title: Title, game: Game, step: Step, side: str) -> tuple[str, ...]:
    """Return sentences that name the owners of the table dice in a side's orders, in order; () for ledger dice."""
    if game.dice != "table" or not any(order in title.rolls for order in step.allows):
        return ()
    plans = ((order.tag(), _plan(title, game, order, side)) for order in step.allows if order in title.rolls)
    return tuple(f"`{name}` takes dice results in this order: {in_words(plan)}" for name, plan in plans if plan)


def _plan(title: Title, game: Game, order: type[Order], side: str) -> RollPlan:
    """Return the roll plan of an order without arguments; () if it requires arguments or would be refused."""
    if takes_arguments(order, required=True):
        return ()
    try:
        return title.rolls[order](game, order(seat=side))
    except RuleViolation:
        return ()


def owed(title: Title, game: Game, step: Step, side: str) -> tuple[str, ...]:
    """Return the required actions as sentences."""
    return tuple(duty.sentence for duty in required_actions(title, game, step, side))


def forfeits(title: Title, game: Game, step: str, side: str) -> tuple[str, ...]:
    """Return what a side gives up if it leaves a step now, in words, as that side knows the game."""
    loses = title.forfeits.get(step)
    return loses(known_to(game, side), side) if loses is not None else ()


def _duty(title: Title, game: Game, part: Condition, side: str) -> RequiredAction:
    """Return the required action for a part of `needs` that does not hold.

    The first fact that names an action counts. If there is none, the orders that the part requires are named.
    """
    facts = [leaf for leaf in parts_of(part) if isinstance(leaf, Fact)]
    task = next((one for one in facts if one.owed), None)
    orders = [leaf.order for leaf in parts_of(part) if isinstance(leaf, Given)]
    if task is None and orders:
        give = " or ".join(f"give `{order}`" for order in orders)
        return RequiredAction(give, orders=tuple(orders), any_side=True)
    if task is None:  # Without words for the opposite, a fact is worded as the state to reach.
        return RequiredAction(part.words if isinstance(part, Fact) and not part.otherwise else says(part, holds=False))
    about = call(title.id, task.name, task.who, (game, side), tuple) if task.who else ()
    names_of = tuple(one.id if isinstance(one, Unit) else one for one in about)
    return RequiredAction(task.owed, names_of, task.waits, task.orders, task.any_side)
