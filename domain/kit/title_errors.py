"""Report faults in a title's own code: exceptions other than refusals, and inconsistent events.

`call` is the one place where an exception of a title becomes a `TitleFault`. `Title` wraps every function that it
receives, and a condition calls its fact through it. So other callers of a title need no guard.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from umpire_ledger.domain.game.errors import DomainError, NothingDecided, TitleFault
from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.game.state import Game

F = TypeVar("F", bound=Callable[..., Any])
Made = Callable[[Any], Any]
"""Function that converts a result to its expected type: `list`, `tuple`. A failure is also the title's fault."""

LONGEST = 200
"""Limit of characters that are shown of an exception's text."""


def guarded(title: str, what: str, function: F, made: Made | None = None) -> F:
    """Return a title's function wrapped in `call`; wrapping it twice has no further effect."""
    bare = getattr(function, "unguarded", function)

    @wraps(bare)
    def calling(*words: Any) -> Any:
        return call(title, what, bare, words, made)

    calling.unguarded = bare  # type: ignore[attr-defined] # a function takes any attribute
    return calling  # type: ignore[return-value] # it is called as the other is


def call(title: str, what: str, function: Callable[..., Any], words: tuple[Any, ...], made: Made | None = None) -> Any:
    """Call a function of a title with some arguments. `what`: its purpose, for instance `fact boarding_is_open`.

    Raises:
        DomainError: The function refuses.
        TitleFault: The function raises any other exception.
    """
    try:
        result = function(*words)
        return result if made is None else made(result)
    except DomainError:
        raise
    except Exception as error:
        raise _raised(title, what, function, words, error) from error


def _raised(
    title: str, what: str, function: Callable[..., Any], words: tuple[Any, ...], error: Exception
) -> TitleFault:
    game = next((one for one in words if isinstance(one, Game)), Game())
    said = " ".join(str(error).split())[:LONGEST]
    return TitleFault(
        f"the title {title} is at fault: {_found(function)}, for {what}, raised"
        f" {type(error).__name__}{said and f': {said}'}",
        title=title,
        decision=name_of(function),
        where=game.where,
        rule="a title raises only refusals, each with its four parts",
        remedy=to_the_author(title, game),
    )


def untrue(title: str, game: Game, decision: Callable[..., Any] | None, event: AnyEvent, why: str) -> TitleFault:
    """Return the fault of an event that is not valid in the game.

    `decision`: its source, None for the sequence itself.
    """
    tag = getattr(getattr(type(event), "__struct_config__", None), "tag", None) or type(event).__name__
    return TitleFault(
        f"the title {title} is at fault: {_found(decision)} returns `{tag}`, which is not a valid transition: {why}",
        title=title,
        decision=name_of(decision),
        event=event,
        where=game.where,
        rule="each event is a valid transition",
        remedy=to_the_author(title, game),
    )


def unexpected(game: Game, error: Exception) -> TitleFault:
    """Return the fault of a title whose results cause an error in Umpire itself."""
    fault = TitleFault(
        f"the title {game.title} is at fault: the results of an order cannot be applied: {type(error).__name__}: "
        f"{' '.join(str(error).split())[:LONGEST]}",
        title=game.title,
        decision="",
        where=game.where,
        rule="the results of an order can be applied",
        remedy=to_the_author(game.title, game),
    )
    fault.__cause__ = error
    return fault


def no_part(title: str, game: Game, decision: Callable[..., Any] | None, side: str, step: str) -> TitleFault:
    """Return the fault of an order with `Closes()` if the step does not wait for its side or is closed."""
    return TitleFault(
        f"the title {title} is at fault: {_found(decision)} ends step {step} for {side},"
        f" but the step waits for {', '.join(game.cursor.waiting()) or 'no side'}",
        title=title,
        decision=name_of(decision),
        where=game.where,
        rule="Closes() ends the step for a side that it waits for, Closes(everybody=True) closes the step",
        remedy=to_the_author(title, game),
    )


def nothing_decided(title: str, game: Game, decision: Callable[..., Any]) -> NothingDecided:
    """Return the fault of a decision that accepts an order but returns no event."""
    return NothingDecided(
        f"the title {title} is at fault: {_found(decision)} accepts an order and returns no event",
        title=title,
        decision=name_of(decision),
        where=game.where,
        rule="an accepted order returns at least one event",
        remedy=to_the_author(title, game),
    )


def to_the_author(title: str, game: Game) -> str:
    """Return the remedy: which information to send to the title's author."""
    log = f"`umpire export {game.id} -o FILE`" if game.title else "the scenario"
    return f"nothing was recorded; send the author of {title} the output of this command with `--debug`, and {log}"


def name_of(function: Callable[..., Any] | None) -> str:
    """Return a function's name."""
    return "the sequence of play" if function is None else getattr(function, "__name__", type(function).__name__)


def _found(function: Callable[..., Any] | None) -> str:
    """Return a function's name and module."""
    module = getattr(function, "__module__", "") if function is not None else ""
    return f"{name_of(function)} ({module})" if module else name_of(function)
