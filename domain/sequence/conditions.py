"""Define conditions as plain data, each with words for people, to be combined with `&`, `|` and `~`.

The lower-case functions at the end build them; `domain.flow.queries.evaluate` evaluates them.
"""

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import msgspec

from umpire_ledger.domain.game.events import Value
from umpire_ledger.domain.game.state import Game, Unit

if TYPE_CHECKING:
    from umpire_ledger.domain.game.orders import Order


Asks = Callable[[Game, str], bool]
"""Function with which a title answers a question, from the game and the side that asks ("" if none)."""
Concerned = Callable[[Game, str], Iterable[Unit | str]]
"""Function that returns the subjects of an answer for a side: units, ids of places, amounts with their names."""


class Condition(msgspec.Struct, frozen=True, tag=True):
    """A statement that is true or false at a position."""

    def __and__(self, other: "Condition") -> "AllOf":
        return AllOf(tuple(part for one in (self, other) for part in (one.parts if isinstance(one, AllOf) else (one,))))

    def __or__(self, other: "Condition") -> "AnyOf":
        return AnyOf(tuple(part for one in (self, other) for part in (one.parts if isinstance(one, AnyOf) else (one,))))

    def __invert__(self) -> "Condition":
        return self.part if isinstance(self, Not) else Not(self)


class Fact(Condition, frozen=True):
    """A question that the title answers from the game and the side that asks. `lasting`: the answer never changes.

    `words`: a clause for a yes; `otherwise`: one for a no. `owed`: the action of a side that a step with this condition
    requires; `who`: its subjects. `waits`: other sides must act first. `any_side`: the action of one side is enough for
    all.
    """

    name: str
    words: str
    asks: Asks
    otherwise: str = ""
    owed: str = ""
    who: Concerned | None = None
    secret: bool = False
    lasting: bool = False
    waits: bool = False
    orders: tuple[str, ...] = ()
    any_side: bool = False


class Option(Condition, frozen=True):
    """An option of the scenario has a value."""

    name: str
    value: Value = True


class Given(Condition, frozen=True):
    """An order of that name was carried out while the step was open."""

    order: str


class WasDone(Condition, frozen=True):
    """A step was closed in this pass, and something was done in it."""

    step: str


class Picked(Condition, frozen=True):
    """A loop is at a member; if `member` is given, at that one."""

    loop: str
    member: str = ""


class PassIs(Condition, frozen=True):
    """The number of a loop's pass is in a range. `last`: None for no upper limit; `loop`: by default, the innermost.

    Frames of borrowed stretches do not count.
    """

    first: int
    last: int | None
    loop: str = ""


class Inside(Condition, frozen=True):
    """Play is inside a place. Places that a trigger suspended do not count."""

    place: str


class Suspended(Condition, frozen=True):
    """Play was inside a place when the innermost trigger suspended it."""

    place: str


class Chose(Condition, frozen=True):
    """A step has this answer in this pass; if it has several answers, the last one."""

    step: str
    answer: str


class AnsweredEver(Condition, frozen=True):
    """A step had this answer in the present pass of the loop that keeps its answers."""

    step: str
    answer: str


class Latest(Condition, frozen=True):
    """A step has this as its last answer in the present pass of the loop that keeps its answers."""

    step: str
    answer: str


class AllOf(Condition, frozen=True):
    """Every part holds."""

    parts: tuple[Condition, ...]


class AnyOf(Condition, frozen=True):
    """At least one part holds."""

    parts: tuple[Condition, ...]


class Not(Condition, frozen=True):
    """The part does not hold."""

    part: Condition


def fact(
    words: str,
    asks: Asks,
    *,
    otherwise: str = "",
    owed: str = "",
    who: Concerned | None = None,
    name: str = "",
    secret: bool = False,
    lasting: bool = False,
    waits: bool = False,
    orders: tuple[str, ...] | None = None,
    any_side: bool = False,
) -> Fact:
    """Define a question about the game, with its words and the function that answers it.

    Args:
        words: A clause for a yes: "a ship burns".
        asks: The function that answers.
        otherwise: A clause for a no: "no ship burns".
        owed: The action that a side must take if a step needs the fact, or its opposite: "move or `stay`".
        who: The units, places or amounts that the question is about.
        name: The name of the fact, by default that of the function; required if functions made by another one share a
            name.
        secret: Whether only some seats may know the answer.
        lasting: Whether the answer never changes.
        waits: Whether the side must wait, because no order of its own can change the answer to yes.
        orders: The names of the orders that are the required action; by default those named in its words.
        any_side: Whether the action of one side is enough for all sides, as for one roll of the wind.
    """
    named = tuple(dict.fromkeys(_ORDER_NAME.findall(owed))) if orders is None else orders
    return Fact(name or asks.__name__, words, asks, otherwise, owed, who, secret, lasting, waits, named, any_side)


_ORDER_NAME = re.compile(r"`([a-z][a-z0-9-]*)[^`]*`")


def option(name: str, value: Value = True) -> Option:
    """Require that an option of the scenario has a value."""
    return Option(name, value)


def given(order: "type[Order]") -> Given:
    """Require an order of this type in the step. A fact that nothing is due is usually better."""
    return Given(order.tag())


def done(step: str) -> WasDone:
    """Require that the step was carried out in this pass."""
    return WasDone(step)


def picked(loop: str, member: str = "") -> Picked:
    """Require that the loop is at a member; if `member` is given, at that one."""
    return Picked(loop, member)


def nth(number: int, loop: str = "", *, to: int | None = 0) -> PassIs:
    """Require a pass of the loop; the first is 1. `to`: the last pass of a range; None for no upper limit."""
    return PassIs(number, number if to == 0 else to, loop)


def inside(place: str) -> Inside:
    """Require that play is inside the place."""
    return Inside(place)


def suspended(place: str) -> Suspended:
    """Require that play was inside the place when the innermost trigger suspended it."""
    return Suspended(place)


def chose(step: str, answer: str) -> Chose:
    """Require that the step got this answer in this pass. If it got several, the last one counts."""
    return Chose(step, answer)


def ever(step: str, answer: str) -> AnsweredEver:
    """Require that the step got this answer in the present pass of the loop that keeps its answers."""
    return AnsweredEver(step, answer)


def latest(step: str, answer: str) -> Latest:
    """Require that this is the step's last answer in the present pass of the loop that keeps its answers."""
    return Latest(step, answer)


def parts_of(condition: Condition | None) -> tuple[Condition, ...]:
    """Return all leaves of a condition, left to right; () for None."""
    match condition:
        case None:
            return ()
        case AllOf(parts=parts) | AnyOf(parts=parts):
            return tuple(leaf for part in parts for leaf in parts_of(part))
        case Not(part=part):
            return parts_of(part)
        case _:
            return (condition,)


def says(condition: Condition, holds: bool = True) -> str:
    """Return the condition in words, for people. `holds`: whether the words say that it holds, or that it does not."""
    match condition:
        case AllOf(parts=parts):
            return _joined(parts, "and" if holds else "or", holds)
        case AnyOf(parts=parts):
            return _joined(parts, "or" if holds else "and", holds)
        case Not(part=part):
            return says(part, not holds)
        case Fact(words=words, otherwise=otherwise):
            return words if holds else otherwise or f"it is not so that {words}"
        case Option(name=name, value=value):
            return _option(name.replace("_", " "), value, holds)
        case _:
            return _condition_text(condition, "" if holds else " not")


def _joined(parts: tuple[Condition, ...], word: str, holds: bool) -> str:
    """Join the words of parts; combined parts are in brackets."""
    bare = (part.part if isinstance(part, Not) else part for part in parts)
    rows = [isinstance(one, AllOf | AnyOf) for one in bare]
    return f" {word} ".join(
        f"({says(part, holds)})" if row else says(part, holds) for part, row in zip(parts, rows, strict=True)
    )


def _option(name: str, value: Value, holds: bool) -> str:
    if isinstance(value, bool):
        return f"option {name} is {'on' if value is holds else 'off'}"
    return f"option {name} is {value}" if holds else f"option {name} is not {value}"


def _condition_text(condition: Condition, no: str) -> str:
    """Return a condition on the sequence itself in words. `no`: " not" for its opposite."""
    match condition:
        case Given(order=order):
            return f"`{order}` was{no} given"
        case WasDone(step=step):
            return f"{step} was{no} carried out"
        case Picked(loop=loop, member=member) if member:
            return f"{member} is{no} picked in {loop}"
        case Picked(loop=loop):
            return f"{'nothing' if no else 'something'} is picked in {loop}"
        case PassIs(loop=loop):
            return f"it is{no} {_passes(condition)}" + (f" of {loop}" if loop else "")
        case Inside(place=place):
            return f"play is{no} inside {place}"
        case Suspended(place=place):
            return f"play was{no} suspended inside {place}"
        case Chose(step=step, answer=answer):
            return f"{step} was{no} answered «{answer}»"
        case AnsweredEver(step=step, answer=answer):
            return f"{step} was {'never' if no else 'once'} answered «{answer}»"
        case Latest(step=step, answer=answer):
            return f"the last answer to {step} was{no} «{answer}»"
        case _:
            return str(condition)


def _passes(condition: PassIs) -> str:
    first, last = condition.first, condition.last
    if last is None:
        return f"pass {first} or later"
    return f"pass {first}" if first == last else f"pass {first} to {last}"
