"""Store an order of random play with its game and its events, and write decisions as text for comparison."""

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

    `scenario`: the number of its scenario, or NO_SCENARIO. `told`: all events of that game; empty if play continued
    from a recorded game. `until`: the number of these events before the order.
    """

    game: Game
    order: Order
    scenario: int
    seed: int
    number: int
    told: list[AnyEvent | RestrictedEvent]
    until: int

    def finding(self, what: str, remedy: str, *, about: str = "", differs: str = "", order: object = None) -> Finding:
        """Return a finding about this order, or about `order` if given instead."""
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
    """A random game that another process can play again. `orders`: as JSON; `events`: the events of each order."""

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
    """Return whether any record of a decision is visible only to some seats. Records for no seat do not count."""
    return any(isinstance(one, RestrictedEvent) and one.visible_to for one in decision.told)


# --- what a title refuses ---------------------------------------------------------------------------------------------

REFUSALS = 5
"""The most refusals that a finding shows."""


def refusal_texts(refused: Iterable[tuple[Order, RuleViolation]]) -> tuple[str, ...]:
    """Return the last `REFUSALS` distinct refusals, each with its order, side, reason, rule and remedy."""
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
    """Return the name of the promise that an error breaks.

    The error means that an order has no event, or an inconsistent event, or that the title raises an exception.
    """
    if isinstance(error, NothingDecided):
        return TELLS
    return FITS if isinstance(error, TitleFault) and error.event is not None else EXCEPTIONS


def given_text(order: Order, pips: tuple[int, ...]) -> str:
    """Return an order as JSON, with its dice results."""
    return text_of({**msgspec.to_builtins(order), **({"pips": pips} if pips else {})})


def rolls_text(decision: Decision) -> str:
    """Return the rolls of a decision in words: dice and results."""
    rolls = (event for event in events_of(decision.told) if isinstance(event, DiceRolled))
    return ", ".join(f"{roll.dice} shows {' '.join(map(str, roll.pips))} ({roll.purpose})" for roll in rolls)


def fault(error: Exception, doing: str, example: Example | None = None) -> Finding:
    """Return the finding about an error. `doing`: the name of the order or action that raised it."""
    kind, differs = broken_by(error), ""
    what, remedy = f"{doing} raised {error_text(error)}", _MEND[kind]
    if isinstance(error, TitleFault) and kind != EXCEPTIONS:
        what = f"{doing}: {error.what}"
        differs = text_of(error.event) if error.event is not None else ""
    return example.finding(what, remedy, differs=differs) if example else Finding(what=what, remedy=remedy, about=doing)


def error_text(error: Exception) -> str:
    """Return an error and the line that raised it, as one line; for a title's fault, the exception that caused it."""
    root = error.__cause__ if isinstance(error, TitleFault) and error.__cause__ is not None else error
    where = root.__traceback__
    while where is not None and where.tb_next is not None:
        where = where.tb_next
    code = where.tb_frame.f_code if where else None
    place = f" in {code.co_qualname} ({code.co_filename}, line {where.tb_lineno})" if code and where else ""
    return f"{type(root).__name__}: {root}{place}"
