"""Collect the facts about one order for its sentence, and the names that the sentence uses so far."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.game.events.phrases import step_words
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR, Game
from umpire_ledger.domain.game.verb_agreement import in_plural
from umpire_ledger.domain.kit.phrasing import InWords, value_words
from umpire_ledger.domain.kit.title import Title

NO_WORDS = InWords()
UNIT_EVENTS = (e.UnitPlaced, e.UnitMoved, e.UnitChanged, e.UnitRemoved, e.UnitCovered, e.UnitShown)


class SentenceContext:
    """The facts for the sentence of an order: its text, its visible events, and the seat that gave it."""

    def __init__(
        self, title: Title | None, game: Game, seat: str, cause: Mapping[str, Any], events: Sequence[AnyEvent]
    ) -> None:
        self.title = title
        self.words = words_of(title)
        self.game = game
        self.seat = seat
        self.cause = cause
        """The order as it was given."""
        self.events = tuple(_each_once(events))
        self.says = tuple(event.says for event in events if isinstance(event, e.HiddenDone) and event.says)
        """Sentences about hidden units, for seats that see these units."""
        self.units = {event.unit for event in events if isinstance(event, UNIT_EVENTS)}
        """The units that the events are about."""
        self.covered = {event.unit for event in self.events if isinstance(event, e.UnitCovered)}
        """The units that became hidden."""
        self.said: set[str] = set()
        """Names and values that the sentence contains so far."""
        self.arguments: set[str] = set()
        """The arguments of the order that the sentence contains so far."""

    def mention(self, value: Any) -> None:
        """Note that the order's own words contain a value and all its parts."""
        if isinstance(value, str):
            self.said.add(value)
            self.arguments.add(value)
        elif isinstance(value, list | tuple):
            for one in value:
                self.mention(one)
        elif isinstance(value, Mapping):
            self.mention((*value, *value.values()))
        elif value is not None:
            self.said.add(value_words(value))

    def step(self, step: str) -> str:
        """Return the id and name of a step for a sentence."""
        place = self.title.plan.places.get(step) if self.title is not None else None
        return step_words(step, place.name if place is not None else "")

    def does(self, side: str, phrase: str) -> str:
        """Return a side and its act; the verb is plural if the side's name takes plural verbs."""
        return f"{self.game.side_name(side)} {in_plural(phrase) if self._is_plural(side) else phrase}"

    def acts(self, phrase: str) -> str:
        """Return the seat that gave the order, and its act."""
        is_side = self.game.side_of(self.seat) == self.seat
        return self.does(self.seat, phrase) if is_side else f"{who(self.game, self.seat)} {phrase}"

    def _is_plural(self, side: str) -> bool:
        return side in self.words.plural or self.game.is_plural(side)


def _each_once(events: Sequence[AnyEvent]) -> Iterator[AnyEvent]:
    """Yield each event once, because a revealed unit may be recorded once for each side that sees it."""
    shown: list[AnyEvent] = []
    for event in chain.from_iterable(map(e.inner_events, events)):
        if isinstance(event, e.UnitShown):
            if event in shown:
                continue
            shown.append(event)
        yield event


def words_of(title: Title | None) -> InWords:
    """Return a title's words; `NO_WORDS` if it is not installed."""
    return title.words if title is not None else NO_WORDS


def who(game: Game, seat: str) -> str:
    """Return a seat as the subject of a sentence."""
    if seat in (REFEREE, SPECTATOR):
        return f"the {seat}"
    side = game.side_of(seat)
    if not side or side == seat:
        return game.side_name(seat) if side else seat
    return f"{seat} ({game.side_name(side)})"
