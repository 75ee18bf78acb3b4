"""Conditions as plain data, each with the words a referee reads; combined with `&`, `|` and `~`.

They are built with the lower-case functions at the end and asked by `asking.ask`.
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
"""Whom or what an answer is about, for the side that asks: units, ids of places, amounts with their names."""


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

    `words` say that it is so, `otherwise` that it is not. `owed`: what a side has to do about it, where a step needs
    it; `who`: whom or what that is about. `waits`: it is the others' turn to do something first. `orders`: the names of
    the required orders.
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
    """A loop has a member in hand; that one, if one is named."""

    loop: str
    member: str = ""


class Nth(Condition, frozen=True):
    """The pass of a loop, without a name of the innermost, is one of a range; `last` None: there is no last.

    Borrowed frames do not count.
    """

    first: int
    last: int | None
    loop: str = ""


class Inside(Condition, frozen=True):
    """Play is somewhere inside a place; what an instant suspended does not count."""

    place: str


class Suspended(Condition, frozen=True):
    """What the innermost instant suspended was inside a place."""

    place: str


class Chose(Condition, frozen=True):
    """A step was answered so in this pass: its last answer there, if it was asked again."""

    step: str
    answer: str


class Ever(Condition, frozen=True):
    """A step was answered so in the present pass of the loop that keeps its answers, whatever was answered later."""

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
) -> Fact:
    """A question put to the game: the words a referee reads, and the function that answers it.

    `words` stand where it is so and `otherwise` where it is not, each a clause of its own: "a ship burns", "no ship
    burns". Where a step needs the fact, or its opposite, `owed` tells a side what to do ("move or `stay`") and `who`
    names the units, places or amounts that this is about; both may be left out. `name`: that of the function, unless a
    function made by another needs one of its own. `secret` if only some seats may know the answer, `lasting` if it
    never changes. `waits` if what is owed is to wait: no order of the side's own can bring it about. `orders`: the
    names of the required orders; by default those in backquotes.
    """
    named = tuple(dict.fromkeys(_ORDER_NAME.findall(owed))) if orders is None else orders
    return Fact(name or asks.__name__, words, asks, otherwise, owed, who, secret, lasting, waits, named)


_ORDER_NAME = re.compile(r"`([a-z][a-z0-9-]*)[^`]*`")


def option(name: str, value: Value = True) -> Option:
    """The scenario's option has that value."""
    return Option(name, value)


def given(order: "type[Order]") -> Given:
    """An order of that kind was carried out in the step; prefer a fact that says nothing is due."""
    return Given(order.tag())


def done(step: str) -> WasDone:
    """The step was carried out in this pass."""
    return WasDone(step)


def picked(loop: str, member: str = "") -> Picked:
    """The loop has a member, or that member, in hand."""
    return Picked(loop, member)


def nth(number: int, loop: str = "", *, to: int | None = 0) -> Nth:
    """It is that pass of the loop; the first is 1. `to`: the last pass of a range; None: every later one too."""
    return Nth(number, number if to == 0 else to, loop)


def inside(place: str) -> Inside:
    """Play is inside the place."""
    return Inside(place)


def suspended(place: str) -> Suspended:
    """Play was inside the place when the instant came."""
    return Suspended(place)


def chose(step: str, answer: str) -> Chose:
    """The step was answered so in this pass; asked twice, its last answer counts."""
    return Chose(step, answer)


def ever(step: str, answer: str) -> Ever:
    """The step was answered so at some time in this pass of the loop that keeps its answers, whatever it said later."""
    return Ever(step, answer)


def latest(step: str, answer: str) -> Latest:
    """The step's last answer, in this pass of the loop that keeps them, is this one: a later answer takes its place."""
    return Latest(step, answer)


def parts_of(condition: Condition | None) -> tuple[Condition, ...]:
    """All the leaves of a condition, left to right."""
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
    """The condition in a referee's words: that it is so, or that it is not."""
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
            return _said(condition, "" if holds else " not")


def _joined(parts: tuple[Condition, ...], word: str, holds: bool) -> str:
    """Parts in a row; a row within a row is put in brackets."""
    bare = (part.part if isinstance(part, Not) else part for part in parts)
    rows = [isinstance(one, AllOf | AnyOf) for one in bare]
    return f" {word} ".join(
        f"({says(part, holds)})" if row else says(part, holds) for part, row in zip(parts, rows, strict=True)
    )


def _option(name: str, value: Value, holds: bool) -> str:
    if isinstance(value, bool):
        return f"option {name} is {'on' if value is holds else 'off'}"
    return f"option {name} is {value}" if holds else f"option {name} is not {value}"


def _said(condition: Condition, no: str) -> str:
    """What the sequence itself knows: `no` is " not" where it is not so."""
    match condition:
        case Given(order=order):
            return f"`{order}` was{no} given"
        case WasDone(step=step):
            return f"{step} was{no} carried out"
        case Picked(loop=loop, member=member) if member:
            return f"{member} is{no} picked in {loop}"
        case Picked(loop=loop):
            return f"{'nothing' if no else 'something'} is picked in {loop}"
        case Nth(loop=loop):
            return f"it is{no} {_passes(condition)}" + (f" of {loop}" if loop else "")
        case Inside(place=place):
            return f"play is{no} inside {place}"
        case Suspended(place=place):
            return f"play was{no} suspended inside {place}"
        case Chose(step=step, answer=answer):
            return f"{step} was{no} answered «{answer}»"
        case Ever(step=step, answer=answer):
            return f"{step} was {'never' if no else 'once'} answered «{answer}»"
        case Latest(step=step, answer=answer):
            return f"the last answer to {step} was{no} «{answer}»"
        case _:
            return str(condition)


def _passes(condition: Nth) -> str:
    first, last = condition.first, condition.last
    if last is None:
        return f"pass {first} or later"
    return f"pass {first}" if first == last else f"pass {first} to {last}"
