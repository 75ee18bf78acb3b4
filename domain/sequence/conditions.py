"""Conditions as plain data, each with the words a referee reads; combined with `&`, `|` and `~`.

They are built with the lower-case functions at the end and asked by `domain.flow.queries.evaluate`.
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
"""A question that a title answers from the game and the side that asks ("" if none)."""
Concerned = Callable[[Game, str], Iterable[Unit | str]]
"""The subjects of an answer, for the side that asks: units, ids of places, amounts with their names."""


class Condition(msgspec.Struct, frozen=True, tag=True):
    """Something that is true or not at a position."""

    def __and__(self, other: "Condition") -> "AllOf":
        return AllOf(tuple(part for one in (self, other) for part in (one.parts if isinstance(one, AllOf) else (one,))))

    def __or__(self, other: "Condition") -> "AnyOf":
        return AnyOf(tuple(part for one in (self, other) for part in (one.parts if isinstance(one, AnyOf) else (one,))))

    def __invert__(self) -> "Condition":
        return self.part if isinstance(self, Not) else Not(self)


class Fact(Condition, frozen=True):
    """A question that the title answers from the game and the side that asks. `lasting`: for the whole game.

    `words` for a yes, `otherwise` for a no. `owed`: the required action of a side, if a step needs it; `who`: its
    subjects. `waits`: the other sides must act first. `any_side`: the action of one side is enough for all.
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
    """A loop is at a member; at that one, if one is named."""

    loop: str
    member: str = ""


class PassIs(Condition, frozen=True):
    """The pass of a loop, without a name of the innermost, is one of a range; `last` None: there is no last.

    Borrowed frames do not count.
    """

    first: int
    last: int | None
    loop: str = ""


class Inside(Condition, frozen=True):
    """Play is somewhere inside a place; places that a trigger suspended do not count."""

    place: str


class Suspended(Condition, frozen=True):
    """The innermost trigger suspended play inside a place."""

    place: str


class Chose(Condition, frozen=True):
    """A step has this answer in this pass: the last one if it has several."""

    step: str
    answer: str


class AnsweredEver(Condition, frozen=True):
    """A step had this answer at some time in the present pass of the loop that keeps its answers."""

    step: str
    answer: str


class Latest(Condition, frozen=True):
    """The last answer that a step was given in the present pass of the loop that keeps its answers."""

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
    """Put a question to the game: the words a referee reads, and the function that answers it.

    Args:
        words: A clause for a yes: "a ship burns".
        asks: The function that answers.
        otherwise: A clause for a no: "no ship burns".
        owed: The action that a side must take if a step needs the fact, or its opposite: "move or `stay`".
        who: The units, places or amounts that this is about.
        name: By default that of the function; required if a function made by another one needs its own.
        secret: Whether only some seats may know the answer.
        lasting: Whether the answer never changes.
        waits: Whether the side must wait, because no order of its own can bring the fact about.
        orders: The names of the orders that are the required action; by default those that the words name.
        any_side: Whether the action of one side is enough for all sides, as for one roll of the wind.
    """
    named = tuple(dict.fromkeys(_ORDER_NAME.findall(owed))) if orders is None else orders
    return Fact(name or asks.__name__, words, asks, otherwise, owed, who, secret, lasting, waits, named, any_side)


_ORDER_NAME = re.compile(r"`([a-z][a-z0-9-]*)[^`]*`")


def option(name: str, value: Value = True) -> Option:
    """Require a value of the scenario's option."""
    return Option(name, value)


def given(order: "type[Order]") -> Given:
    """Require an order of that kind in the step; prefer a fact that says nothing is due."""
    return Given(order.tag())


def done(step: str) -> WasDone:
    """Require that the step was carried out in this pass."""
    return WasDone(step)


def picked(loop: str, member: str = "") -> Picked:
    """Require that the loop is at a member, or at that member."""
    return Picked(loop, member)


def nth(number: int, loop: str = "", *, to: int | None = 0) -> PassIs:
    """Require that pass of the loop; the first is 1. `to`: the last pass of a range; None: every later one, too."""
    return PassIs(number, number if to == 0 else to, loop)


def inside(place: str) -> Inside:
    """Play is inside the place."""
    return Inside(place)


def suspended(place: str) -> Suspended:
    """Play was inside the place when the instant came."""
    return Suspended(place)


def chose(step: str, answer: str) -> Chose:
    """Require that the step got this answer in this pass; of several answers, the last one counts."""
    return Chose(step, answer)


def ever(step: str, answer: str) -> AnsweredEver:
    """Require this answer of the step at some time in this pass of the loop that keeps its answers."""
    return AnsweredEver(step, answer)


def latest(step: str, answer: str) -> Latest:
    """Require this as the step's last answer in this pass of the loop that keeps its answers."""
    return Latest(step, answer)


def parts_of(condition: Condition | None) -> tuple[Condition, ...]:
    """Return all the leaves of a condition, left to right."""
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
    """Return the condition in a referee's words: that it holds, or that it does not."""
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
    """Join parts in a row; a row within a row is put in brackets."""
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
    """Return a condition on the sequence itself in words: `no` is " not" if it does not hold."""
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
