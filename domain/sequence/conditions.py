"""Conditions as plain data, each with the words a referee reads; combined with `&`, `|` and `~`.

They are built with the lower-case functions at the end and asked by `asking.ask`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from umpire_ledger.domain.game.events import Value
from umpire_ledger.domain.game.state import Game

if TYPE_CHECKING:
    from umpire_ledger.domain.game.orders import Order


Asks = Callable[[Game, str], bool]
"""A question that a title answers from the game and the side that asks ("" if none)."""


class Condition(msgspec.Struct, frozen=True, tag=True):
    """Something that is true or not at a position."""

    def __and__(self, other: "Condition") -> "AllOf":
        return AllOf(tuple(part for one in (self, other) for part in (one.parts if isinstance(one, AllOf) else (one,))))

    def __or__(self, other: "Condition") -> "AnyOf":
        return AnyOf(tuple(part for one in (self, other) for part in (one.parts if isinstance(one, AnyOf) else (one,))))

    def __invert__(self) -> "Condition":
        return self.part if isinstance(self, Not) else Not(self)


class Fact(Condition, frozen=True):
    """A question that the title answers from the game and the side that asks. `lasting`: for the whole game."""

    name: str
    words: str
    asks: Asks
    secret: bool = False
    lasting: bool = False


class Option(Condition, frozen=True):
    """An option of the scenario has a value."""

    name: str
    value: Value = True


class Given(Condition, frozen=True):
    """An order of that name was carried out while the step was open."""

    order: str


class WasDone(Condition, frozen=True):
    """A step was closed in this pass, and not declined."""

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
    """A step was answered so in this pass."""

    step: str
    answer: str


class Ever(Condition, frozen=True):
    """A step was answered so in the present pass of the loop that keeps its answers, whatever was answered later."""

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


def fact(words: str, asks: Asks, *, name: str = "", secret: bool = False, lasting: bool = False) -> Fact:
    """A question put to the game: the words a referee reads, and the function that answers it.

    `name`: that of the function, unless a function made by another needs one of its own. `secret` if only some seats
    may know the answer, `lasting` if it never changes.
    """
    return Fact(name or asks.__name__, words, asks, secret, lasting)


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
    """The step was answered so in this pass."""
    return Chose(step, answer)


def ever(step: str, answer: str) -> Ever:
    """The step was answered so at some time in this pass of the loop that keeps its answers."""
    return Ever(step, answer)


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


def says(condition: Condition) -> str:
    """The condition in a referee's words."""
    match condition:
        case AllOf(parts=parts):
            return " and ".join(f"({says(part)})" if isinstance(part, AnyOf) else says(part) for part in parts)
        case AnyOf(parts=parts):
            return " or ".join(map(says, parts))
        case Not(part=part):
            return f"not ({says(part)})"
        case Fact(words=words):
            return words
        case Option(name=name, value=value):
            return f"option {name} is {value}"
        case Given(order=order):
            return f"`{order}` was given"
        case WasDone(step=step):
            return f"{step} was carried out"
        case Picked(loop=loop, member=member):
            return f"{member or 'something'} is picked in {loop}"
        case Nth(loop=loop):
            return f"it is {_passes(condition)}" + (f" of {loop}" if loop else "")
        case Inside(place=place):
            return f"play is inside {place}"
        case Suspended(place=place):
            return f"play was suspended inside {place}"
        case Chose(step=step, answer=answer) | Ever(step=step, answer=answer):
            return f"{step} was answered {answer}"
        case _:
            return str(condition)


def _passes(condition: Nth) -> str:
    first, last = condition.first, condition.last
    if last is None:
        return f"pass {first} or later"
    return f"pass {first}" if first == last else f"pass {first} to {last}"
