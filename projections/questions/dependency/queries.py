"""Find the dependents and the causes of a record, with or without the title of its game."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from umpire_ledger.domain.game.state import Game, replace
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.questions.dependency import shared_subjects
from umpire_ledger.projections.questions.dependency.dependents import DependentFinder
from umpire_ledger.projections.questions.dependency.model import DECIDED_AGAIN, LAST_TOUCH, Cause, Dependent
from umpire_ledger.projections.questions.dependency.prerequisites import (
    Prerequisite,
    VisibleHistory,
    foundations,
    why_undecidable,
)
from umpire_ledger.projections.record.event_text import text_of
from umpire_ledger.projections.record.sentence import sentence
from umpire_ledger.projections.tables.order_history import RecordedOrder, orders_after, placed


class Telling(NamedTuple):
    """The title and the names of sides and seats that sentences about orders need."""

    title: Title | None
    names: Game

    def of(self, recorded_order: RecordedOrder) -> str:
        """Return an order in a sentence, limited to the records that may be seen."""
        return sentence(
            self.title,
            self.names,
            recorded_order.seat,
            recorded_order.cause,
            [event for _, event in recorded_order.events],
        )


KnownAt = Callable[[int], Game]
"""Returns the game at a position, as the asking seat knows it."""


def dependents_in(
    ledger: Ledger[Game],
    game_id: str,
    seat: str,
    contested: Collection[int],
    title: Title | None = None,
    *,
    at: int | None = None,
    known_at: KnownAt | None = None,
) -> Iterator[Dependent]:
    """Return the orders that depend on these records.

    Args:
        at: Search only orders that count at this position. None: the current position.
        known_at: Returns the game as the seat knew it. With it, only records from the contested order on are read.

    Raises:
        NoSuchGame: When the ledger has no such game.
        NoSuchRecord: When the game has no such position.
    """
    start, opened = (0, 0) if known_at is None else _before(ledger, game_id, min(contested), at)
    known = VisibleHistory(known_at(start), opened) if start and known_at is not None else VisibleHistory()
    return dependents(orders_after(ledger, game_id, seat, start, at), contested, title, known=known)


def _before(ledger: Ledger[Game], game_id: str, contested: int, at: int | None) -> tuple[int, int]:
    """Return the last position before a contested order on a branch, and the last position of the opening.

    Both are 0 if the contested order is the opening or the first order of play.
    """
    first = ledger.order_at(game_id, contested)[0].position
    opened = ledger.order_at(game_id, 1)[-1].position
    stretches = [(low, min(high, first - 1)) for low, high in ledger.branch(game_id, at).stretches if low < first]
    start = stretches[-1][1] if stretches else 0
    return (start, opened) if start >= opened else (0, 0)


class Causes(NamedTuple):
    """The causes of a record and the method that found them. `because`: the reason for using last touch, or ""."""

    causes: tuple[Cause, ...]
    found_by: str
    because: str = ""


def dependents(
    deeds: Iterable[RecordedOrder],
    contested: Collection[int],
    title: Title | None = None,
    *,
    direct: bool = False,
    known: VisibleHistory | None = None,
) -> Iterator[Dependent]:
    """Return the orders that depend on these records, oldest first.

    Without a title, dependents are found by last touch.

    Args:
        deeds: The orders of one branch, oldest first.
        direct: Return only orders that depend on the records themselves.
        known: The state before the first order of `deeds`, if that order is not the first of the branch.
    """
    if title is None:
        found = shared_subjects.dependents(deeds, contested)
        return (one for one in found if one.degree == 1) if direct else found
    traces = DependentFinder(title, contested, direct=direct, known=known or VisibleHistory())
    return (one for recorded_order in deeds for one in traces.add_order(recorded_order))


NOBODY = Game()
"""A game without names, so that sentences show the ids of sides."""


def causes(deeds: Sequence[RecordedOrder], of: int, title: Title | None = None, names: Game = NOBODY) -> Causes:
    """Return the causes of record `of`.

    If its order cannot be decided again, these are the last records about the same things.

    Args:
        names: A game with the names of sides and seats for the sentences.
    """
    telling = Telling(title, names)
    found = foundations(title, deeds, of)
    if found is not None:
        return Causes(tuple(_in_full(deeds, _cause_of(one), telling) for one in found), DECIDED_AGAIN)
    touched = tuple(_in_full(deeds, one, telling) for one in shared_subjects.causes(deeds, of))
    recorded_order = next((one for one in deeds if one.first <= of <= one.last), None)
    return Causes(touched, LAST_TOUCH, why_undecidable(title, recorded_order))


def _cause_of(one: Prerequisite) -> Cause:
    kind, name, attribute = one.fact
    return Cause(kind=kind, id=name, attribute=attribute, position=one.position, text=text_of(one.event))


def _in_full(deeds: Sequence[RecordedOrder], cause: Cause, telling: Telling) -> Cause:
    """Return a cause with the details of the order that wrote it."""
    recorded_order = next(one for one in deeds if one.first <= cause.position <= one.last)
    turn, step = next(((turn, step) for at, _, turn, step in placed(recorded_order) if at == cause.position), (0, ""))
    of_order = {
        "seat": recorded_order.seat,
        "turn": turn,
        "step": step,
        "order": recorded_order.order,
        "sentence": telling.of(recorded_order),
    }
    return replace(cause, set_up=recorded_order is deeds[0], **of_order)
