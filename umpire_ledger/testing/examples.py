"""Keep an order of random play with its game and its events, as text that can be compared."""

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from umpire_ledger.domain.game.decision import Decision, events_of
from umpire_ledger.domain.game.errors import NothingDecided, RuleViolation, TitleFault
from umpire_ledger.domain.game.events import AnyEvent, DiceRolled, DiceSource, RestrictedEvent, Value
from umpire_ledger.domain.game.orders import Order
from umpire_ledger.domain.game.state import Game
from umpire_ledger.testing.finding import Finding

NO_SCENARIO = -1

_json = msgspec.json.Encoder().encode


class Example(NamedTuple):
    """An accepted order, and the game before it.

    `scenario`: its number, or NO_SCENARIO. `told`: all events of that game, `until` this order; empty if play
    continued from a recorded game.
    """

    game: Game
    order: Order
    scenario: int
    seed: int
    number: int
    told: list[AnyEvent | RestrictedEvent]
    until: int

    def finding(self, what: str, remedy: str, *, about: str = "", differs: str = "", order: object = None) -> Finding:
        """Return a finding about this order, or about `order` given in its place."""
        return Finding(
            what=what,
            remedy=remedy,
            about=about or self.order.tag(),
            differs=differs,
            order=text_of(self.order if order is None else order),
            seed=self.seed,
            number=self.number,
        )


class Script(msgspec.Struct, kw_only=True):
    """A random game as it can be played again elsewhere: orders as JSON, and the events of each."""

    scenario: int
    seed: int
    dice: DiceSource = "ledger"
    options: dict[str, Value] = {}
    opening: str = ""
    orders: list[str] = []
    events: list[str] = []


def text_of(value: object) -> str:
    """Return a value as one line of JSON."""
    return str(_json(value), "utf-8")


def told_text(decision: Decision) -> str:
    """Return every event of a decision with its viewers, as text."""
    return text_of(
        [[one.event, one.visible_to] if isinstance(one, RestrictedEvent) else [one, None] for one in decision.told],
    )


def tells_secret(decision: Decision) -> bool:
    """Return whether some seats may see a record that others may not; a record for no seat does not count."""
    return any(isinstance(one, RestrictedEvent) and one.visible_to for one in decision.told)


# --- what a title refuses ---------------------------------------------------------------------------------------------

REFUSALS = 5
"""Refusals that a finding shows."""


def refusal_texts(refused: Iterable[tuple[Order, RuleViolation]]) -> tuple[str, ...]:
    """Return the last refusals of each kind of order and side, each with its what, rule and remedy."""
    last = {(order.tag(), order.seat, refusal.what): refusal for order, refusal in refused}
    texts = [
        f"{tag} by {seat}: {what}; rule: {refusal.rule}; do: {refusal.remedy}"
        for (tag, seat, what), refusal in last.items()
    ]
    return tuple(texts[-REFUSALS:])


# --- what a title raises ----------------------------------------------------------------------------------------------

EXCEPTIONS, FITS, TELLS = "no-exceptions", "events-fit", "something-told"
_MEND = {
    EXCEPTIONS: "refuse what the rules forbid with `refusing(TITLE)`; anything else raised is a fault of the title",
    FITS: "take before, place and unit from the game as it stands when the event is told: `kit.after(game, results)`",
    TELLS: "tell an event, give `Closes()`, or refuse the order",
}


def broken_by(error: Exception) -> str:
    """Return the promise that an error breaks: no event, an inconsistent one, or an exception of the title."""
    if isinstance(error, NothingDecided):
        return TELLS
    return FITS if isinstance(error, TitleFault) and error.event is not None else EXCEPTIONS


def given_text(order: Order, pips: tuple[int, ...]) -> str:
    """Return an order as JSON, with its dice."""
    return text_of({**msgspec.to_builtins(order), **({"pips": pips} if pips else {})})


def rolls_text(decision: Decision) -> str:
    """Return the rolls of a decision in words: dice and results."""
    rolls = (event for event in events_of(decision.told) if isinstance(event, DiceRolled))
    return ", ".join(f"{roll.dice} shows {' '.join(map(str, roll.pips))} ({roll.purpose})" for roll in rolls)


def fault(error: Exception, doing: str, example: Example | None = None) -> Finding:
    """Return the finding about an error. `doing`: the name of an order or other action."""
    kind, differs = broken_by(error), ""
    what, remedy = f"{doing} raised {error_text(error)}", _MEND[kind]
    if isinstance(error, TitleFault) and kind != EXCEPTIONS:
        what = f"{doing}: {error.what}"
        differs = text_of(error.event) if error.event is not None else ""
    return example.finding(what, remedy, differs=differs) if example else Finding(what=what, remedy=remedy, about=doing)


def error_text(error: Exception) -> str:
    """Return an error and the line that raised it, in one line; for a title's fault its own exception."""
    root = error.__cause__ if isinstance(error, TitleFault) and error.__cause__ is not None else error
    where = root.__traceback__
    while where is not None and where.tb_next is not None:
        where = where.tb_next
    code = where.tb_frame.f_code if where else None
    place = f" in {code.co_qualname} ({code.co_filename}, line {where.tb_lineno})" if code and where else ""
    return f"{type(root).__name__}: {root}{place}"
