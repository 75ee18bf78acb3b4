"""Find the prerequisites of a record by deciding its order again, first as it was, then without one earlier record.

The decision notes the facts that it reads. For each fact, the order is decided again without the record that wrote the
fact last. If the examined record is then missing, it depended on the omitted one. So a rule that reads all units, or
the admission check of a step, does not make a record depend on everything.

Only facts that the seat knows are read, so two games that differ only in hidden facts have the same answer. If the
known facts do not reproduce the recorded order, this module finds nothing, and `queries` answers by last touch.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from umpire_ledger.domain.game.dice_notation import parse
from umpire_ledger.domain.game.events import (
    AccountChanged,
    AnyEvent,
    DiceRolled,
    HiddenOrdered,
    MarkerSet,
    StepClosed,
    UnitCovered,
    UnitPlaced,
    UnitShown,
)
from umpire_ledger.domain.game.evolve import fold
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.game.state_facts import Fact, Writers, played_facts, without
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.re_decide import OrderAgain, alike, order_again, without_words
from umpire_ledger.projections.tables.order_history import RecordedOrder, names_in, subjects_of

MOST_TRIED = 250
"""The most earlier records to leave out for one answer, the likeliest first; each takes one more decision."""
MOST_TOGETHER = 4
"""The most prerequisites to name if only leaving out all of them changes the record."""


class Prerequisite(NamedTuple):
    """An earlier record, and the fact that it wrote and an order read."""

    position: int
    event: AnyEvent
    fact: Fact


class VisibleHistory:
    """The game as a seat knows it along one branch, the writers of its facts, and the last position of the opening."""

    def __init__(self, game: Game | None = None, opened: int = 0) -> None:
        """Start from the game after a given order, or from an empty game; earlier writers are unknown."""
        self._game = game or Game()
        self._unfolded: list[AnyEvent] = []
        self.writers = Writers()
        self.opened = opened

    def add_order(self, recorded_order: RecordedOrder) -> None:
        """Add the next order."""
        for position, event in recorded_order.events:
            self._unfolded.append(event)
            self.writers.see(position, event)
        self.opened = self.opened or recorded_order.last

    @property
    def game(self) -> Game:
        """The game after all added orders."""
        if self._unfolded:
            self._game = fold(self._game, self._unfolded)
            self._unfolded = []
        return self._game

    def without(self, taken: Iterable[Prerequisite]) -> Game:
        """Return the game without the effects of some records; a unit of the opening lacks only the attribute read."""
        game = self.game
        for one in taken:
            only = (one.fact,) if one.position <= self.opened and one.fact[2] else ()
            game = without(game, one.event, only)
        return game


class Decided:
    """An order, decided again on the state before it as a seat knows that state.

    Events are compared in the current wording, because an earlier edition of Umpire may have written the records.
    """

    def __init__(self, again: OrderAgain, known: VisibleHistory, recorded_order: RecordedOrder) -> None:
        self._again = again
        self._known = known
        self._deed = recorded_order
        self.told, asked = again.asked(known.game)
        self.asked = dict.fromkeys((*asked, *played_facts(known.game)))

    @property
    def is_as_recorded(self) -> bool:
        """Whether deciding the order again has the recorded result."""
        return self.told == recorded(self._deed) or _all_without_words(self.told) == _all_without_words(
            recorded(self._deed)
        )

    def changes_without(self, taken: Iterable[Prerequisite]) -> tuple[int, ...]:
        """Return the records of the order that would be missing without some earlier records.

        If the order would then be refused, only the records that it causes itself are missing, because the automatic
        records of the sequence could also follow another order.
        """
        told = self._again.events(self._known.without(taken))
        upto = own_part(self._deed)
        events = zip(self._deed.events, self.told, strict=True)
        return tuple(position for (position, _), now in events if (told or position <= upto) and now not in told)

    def prerequisites_of(self, position: int) -> list[Prerequisite]:
        """Return the prerequisites of one record of the order, the likeliest first."""
        event = self._now(position)
        tried = list(self._candidates(event))[:MOST_TRIED]
        found = [one for one in tried if self._falls(position, event, (one,))]
        found = found or self._together(position, event, tried)
        named = {one.position for one in found}
        balance = (one for one in self._balance(event) if one.position not in named)
        return [*self._dice(position, event), *found, *balance]

    def _now(self, position: int) -> AnyEvent:
        """Return the event of a record from the new decision."""
        positions = [at for at, _ in self._deed.events]
        return self.told[positions.index(position)]

    def _dice(self, position: int, event: AnyEvent) -> Iterator[Prerequisite]:
        """Yield the order's own earlier rolls if the record would be missing with other results.

        Results with which the order would be refused are ignored.
        """
        rolls = [(at, one) for at, one in self._deed.events if isinstance(one, DiceRolled)]
        for at, roll in rolls:
            if at >= position:
                return
            for other in _otherwise(roll):
                pips = chain.from_iterable(other if at == one[0] else one[1].pips for one in rolls)
                told = self._again.thrown(tuple(pips)).events(self._known.game)
                if told and event not in told:
                    yield Prerequisite(at, roll, ("roll", str(roll.roll), ""))
                    break

    def _falls(self, position: int, event: AnyEvent, taken: Iterable[Prerequisite]) -> bool:
        """Return whether a record would be missing without some earlier records."""
        told = self._again.events(self._known.without(taken))
        if told or position <= own_part(self._deed):
            return event not in told
        about = {name for _, name in subjects_of(event)}
        return any(one.fact[1] in about for one in taken)

    def _together(self, position: int, event: AnyEvent, tried: list[Prerequisite]) -> list[Prerequisite]:
        """Return records whose absence matters only together, such as two burning neighbors of a ship."""
        needed = [one for one in tried if one.position > self._known.opened and not _is_cleared(one)]
        if not self._falls(position, event, needed):
            return []
        for one in list(needed):
            rest = [other for other in needed if other is not one]
            if self._falls(position, event, rest):
                needed = rest
        return needed if len(needed) <= MOST_TOGETHER else []

    def _candidates(self, event: AnyEvent) -> Iterator[Prerequisite]:
        """Yield the writers of the facts that were read, the likeliest prerequisites first.

        Facts that the order or the record names come first, then the newest. Current picks and answers follow. The
        opening is last, with only its attributes of named units.
        """
        named, opened = {*names_in(self._deed.cause), *(name for _, name in subjects_of(event))}, self._known.opened
        found: dict[int, Prerequisite] = {}
        for fact in self.asked:
            for written in self._known.writers.of(fact):
                found.setdefault(written[0], Prerequisite(*written, fact))
        play = (one for one in found.values() if one.position > opened)
        yield from sorted(play, key=lambda one: (_is_cleared(one), one.fact[1] not in named, -one.position))
        for fact in self.asked:
            given = (Prerequisite(*written, fact) for written in self._known.writers.of(fact))
            yield from (one for one in given if one.position <= opened and fact[1] in named and _is_given(one))

    def _balance(self, event: AnyEvent) -> Iterator[Prerequisite]:
        """Yield the previous entry of an account."""
        if isinstance(event, AccountChanged):
            fact = ("account", event.account, "")
            yield from (Prerequisite(*written, fact) for written in self._known.writers.of(fact)[:1])


def _otherwise(roll: DiceRolled) -> Iterator[tuple[int, ...]]:
    """Yield other results of a roll: all dice lowest, all highest, and each die turned to its opposite face."""
    faces = parse(roll.dice).faces
    yield from dict.fromkeys(
        other
        for other in ((1,) * len(roll.pips), (faces,) * len(roll.pips), tuple(faces + 1 - pip for pip in roll.pips))
        if other != roll.pips
    )


def own_part(recorded_order: RecordedOrder) -> int:
    """Return the last position that an order causes itself; its later records are automatic moves of the sequence."""
    return next((at for at, event in recorded_order.events if isinstance(event, StepClosed)), recorded_order.last)


def _is_cleared(one: Prerequisite) -> bool:
    """Return whether a record concerns a current pick or answer, or removes a marker; such a record explains less."""
    return one.fact[0] in ("pick", "answer") or (isinstance(one.event, MarkerSet) and not one.event.after)


def _is_given(one: Prerequisite) -> bool:
    """Return whether the opening set this attribute of the unit; its mere existence and its side explain nothing."""
    return isinstance(one.event, UnitPlaced) and one.fact[2] in one.event.attributes


def order_of(title: Title | None, recorded_order: RecordedOrder) -> OrderAgain | None:
    """Return an order that can be decided again; None if it is not an order of play, or the seat cannot see all of it.

    Returns None also for an order about hidden units, because it reads hidden facts that are not noted.
    """
    if (
        title is None
        or not recorded_order.cause
        or any(one.event is None for one in recorded_order.records)
        or _is_hidden(recorded_order)
    ):
        return None
    return order_again(title, recorded_order.cause, (event for _, event in recorded_order.events))


def _is_hidden(recorded_order: RecordedOrder) -> bool:
    return any(isinstance(event, UnitCovered | UnitShown | HiddenOrdered) for _, event in recorded_order.events)


def recorded(recorded_order: RecordedOrder) -> tuple[AnyEvent, ...]:
    """Return the recorded events of an order in the form in which a new decision returns them."""
    return tuple(alike(event) for _, event in recorded_order.events)


def _all_without_words(events: Iterable[AnyEvent]) -> tuple[AnyEvent, ...]:
    return tuple(map(without_words, events))


def decided_again(title: Title | None, known: VisibleHistory, recorded_order: RecordedOrder) -> Decided | None:
    """Return an order, decided again; None if that is impossible, or its result differs from the recorded one."""
    order = order_of(title, recorded_order)
    decided = None if order is None else Decided(order, known, recorded_order)
    return decided if decided is not None and decided.is_as_recorded else None


def why_undecidable(title: Title | None, recorded_order: RecordedOrder | None) -> str:
    """Return the reason why an order cannot be decided again, as a clause that reveals nothing hidden from the seat."""
    if recorded_order is None or not recorded_order.cause:
        return "its order is not recorded, or this seat cannot see it"
    if title is None:
        return "its title is not installed"
    if any(one.event is None for one in recorded_order.records):
        return "this seat cannot see every record of its order"
    if _is_hidden(recorded_order):
        return "it is about hidden units"
    if order_again(title, recorded_order.cause, ()) is None:
        return f"{recorded_order.order} is not an order of this title"
    return "its order now has another result, or this seat lacks some of its information"


def foundations(title: Title | None, deeds: Iterable[RecordedOrder], position: int) -> list[Prerequisite] | None:
    """Return the prerequisites of the record at a position; None if its order cannot be decided again."""
    known = VisibleHistory()
    for recorded_order in deeds:
        if recorded_order.first <= position <= recorded_order.last:
            decided = decided_again(title, known, recorded_order)
            return None if decided is None else decided.prerequisites_of(position)
        known.add_order(recorded_order)
    return None
