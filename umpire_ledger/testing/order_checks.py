"""Check one order in detail: it must leave the old state unchanged, survive JSON, and have the same result twice."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

import msgspec

from umpire_ledger.domain.game.decision import Decision
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.order_json import Sent, read_order
from umpire_ledger.domain.game.snapshot import dump, load
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.testing.examples import Example, told_text
from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.random_play import NO_HISTORY, Pips

STAY, JSON, DICE = "old-states-stay", "same-from-json", "dice-only"
AHEAD = 3977
"""The number of seconds by which the clock is ahead when an order is decided again."""

_WRITES = "tell an event instead; attributes, options and tables of a game are never written to"
_READS = "give every field of the order a type that JSON can hold, and compare by value"
_CHANCE = "roll with the `dice` that the decision is given; use no `random`, `secrets`, `time` or `id()`"

Found = tuple[str, Finding]
"""The name of a promise, and a finding against it."""


def check_order(
    title: Title, example: Example, before: bytes, decision: Decision | None, pips: Pips | None = None
) -> Found | None:
    """Return the fault of a decided order, or None.

    Args:
        title: The title of the game.
        example: The order and the game, after the decision.
        before: The game, saved before the decision.
        decision: The decision; None if the order was refused.
        pips: The dice results for the order, if the game uses table dice.
    """
    order, name = example.order, example.order.tag()
    if dump(example.game) != before:
        differs = _difference(load(before), example.game)
        return STAY, example.finding(f"{name} changed the state it was given", _WRITES, differs=differs)
    try:
        read = read_order(title, msgspec.json.decode(msgspec.json.encode(order))).order
    except RuleViolation as violation:
        return JSON, example.finding(f"{name} cannot be read from its own JSON: {violation.what}", _READS)
    if read != order:
        return JSON, example.finding(f"{name} read from its own JSON is another order", _READS, differs=str(read))
    first, again = (
        (told_text(decision) if decision else "a refusal"),
        _again(title, load(before), Sent(order=read, pips=pips)),
    )
    if first == again:
        return None
    what = f"the same {name}, decided twice on the same state, gave two results"
    return DICE, example.finding(what, _CHANCE, differs=f"first {first}, then {again}")


def _again(title: Title, game: Game, sent: Sent) -> str:
    """Decide an order again with new objects at another time, and return its events as text."""
    with other_chances():
        try:
            return told_text(decide(title, game, sent, NO_HISTORY))
        except Exception:  # The first decision reports the exception.
            return "a refusal"


@contextmanager
def other_chances() -> Iterator[None]:
    """Run with another state of `random` and another time of day, and restore both afterwards."""
    state = random.getstate()
    random.seed(AHEAD)
    try:
        with patch.multiple(time, time=_later(time.time, AHEAD), time_ns=_later(time.time_ns, AHEAD * 10**9)):
            yield
    finally:
        random.setstate(state)


def _later(clock: Callable[[], float], ahead: int) -> Callable[[], float]:
    return lambda: clock() + ahead


def _difference(old: Game, game: Game) -> str:
    """Return the first unit, marker, account or choice that changed, with both values."""
    found = (
        f"{name} {key}: {had} became {getattr(game, name).get(key)}"
        for name in ("units", "markers", "accounts", "choices")
        for key, had in getattr(old, name).items()
        if had != getattr(game, name).get(key)
    )
    return next(found, "options, tables or the place in the sequence")
