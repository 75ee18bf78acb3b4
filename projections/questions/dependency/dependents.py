"""Find the orders that depend on contested records, by deciding later orders again without those records.

A trace marks a fact that a contested record, or an order that depends on one, wrote last. Each order that reads such a
fact is decided again without the records that wrote it. The records that are then missing leave traces in turn. An
order that writes the fact in any case removes its trace.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from umpire_ledger.domain.game.events import AccountChanged, AnyEvent, UnitPlaced
from umpire_ledger.domain.game.state_facts import Fact, facts_of
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.projections.questions.dependency.model import DECIDED_AGAIN, IN_THE_LOG, Dependent, ListingReason
from umpire_ledger.projections.questions.dependency.prerequisites import (
    Decided,
    Prerequisite,
    VisibleHistory,
    order_of,
    recorded,
)
from umpire_ledger.projections.questions.dependency.shared_subjects import (
    contested_parts,
    positions_of,
    refers_to,
    same_order,
    shared_subjects,
)
from umpire_ledger.projections.tables.order_history import RecordedOrder, Thing

MOST_AGAIN = 2000
"""The most orders that are decided again for one answer; later ones are found by last touch."""


class _Trace(NamedTuple):
    """The records that wrote a fact, and their distance from the contested records.

    `left_by`: every entry of an account; otherwise the last record that wrote the fact.
    """

    degree: int
    left_by: tuple[Prerequisite, ...]

    @property
    def position(self) -> int:
        return self.left_by[0].position


class DependentFinder:
    """Finds dependent orders on one branch by the traces of contested records.

    `direct`: whether to find only orders that depend on the contested records themselves. `known`: the state before the
    first added order, at the start of the branch or at any position before all contested records.
    """

    def __init__(self, title: Title, contested: Collection[int], *, direct: bool, known: VisibleHistory) -> None:
        self._title = title
        self._contested = contested
        self._direct = direct
        self._known = known
        self._live: dict[Fact, _Trace] = {}
        self._again = MOST_AGAIN

    def add_order(self, recorded_order: RecordedOrder) -> Iterator[Dependent]:
        """Add the next order, and yield it if it depends on the contested records."""
        own = [one.position for one in recorded_order.records if one.position in self._contested]
        if own:
            yield from self._own(recorded_order, own)
        elif recorded_order.first > min(self._contested):
            yield from self._later(recorded_order)
        self._known.add_order(recorded_order)

    # --- the contested order ------------------------------------------------------------------------------------------

    def _own(self, recorded_order: RecordedOrder, own: list[int]) -> Iterator[Dependent]:
        """Record the traces of a contested order, and yield its dependent records.

        Within the step of the contested record, all later records of the order depend on it. After that step, only
        records about the same things do. The opening of a game is not decided, so its records have no dependents
        within it.
        """
        if not self._known.opened:
            self._leave(((position, event) for position, event in recorded_order.events if position in own), 0)
            return
        for part in contested_parts(recorded_order, own):
            here = [position for position in own if part.first <= position <= part.last]
            if here:
                self._leave(((position, event) for position, event in part.events if position >= here[0]), 0)
                yield from same_order(part, here)
            elif self._live:
                yield from self._by_touch(part)

    # --- later orders -------------------------------------------------------------------------------------------------

    def _later(self, recorded_order: RecordedOrder) -> Iterator[Dependent]:
        speaking = tuple(refers_to(recorded_order, self._contested))
        if speaking:
            if any(reason.how == "keeps" for reason in speaking):
                self._leave_on(recorded_order.events, 1)
            yield Dependent(
                deed=recorded_order, positions=positions_of(recorded_order), why=speaking, degree=1, found_by=IN_THE_LOG
            )
        elif self._live:
            yield from (
                self._by_rules(recorded_order)
                if self._again and recorded_order.cause
                else self._by_touch(recorded_order)
            )

    def _by_rules(self, recorded_order: RecordedOrder) -> Iterator[Dependent]:
        """Yield an order if deciding it again shows that it depends on traces.

        It is first decided without all traced records. For most orders, one decision shows that nothing changes.
        """
        self._again -= 1
        order = order_of(self._title, recorded_order)
        if order is None:
            yield from self._by_touch(recorded_order)
            return
        if order.events(self._known.without(self._left_by(self._live))) == recorded(recorded_order):
            yield from self._found(recorded_order, ())
            return
        decided = Decided(order, self._known, recorded_order)
        yield from self._asking(recorded_order, decided) if decided.is_as_recorded else self._by_touch(recorded_order)

    def _asking(self, recorded_order: RecordedOrder, decided: Decided) -> Iterator[Dependent]:
        """Decide an order without all the traces that it read, then without each one, and yield it if it changes."""
        asked = [fact for fact in decided.asked if fact in self._live]
        changed = decided.changes_without(self._left_by(asked)) if asked else ()
        by_record: dict[int, list[Fact]] = {}
        for fact in asked if changed else ():
            by_record.setdefault(self._live[fact].position, []).append(fact)
        groups = list(by_record.values())
        if len(groups) > 1:
            groups = [one for one in groups if decided.changes_without(self._left_by(one))] or groups
        yield from self._found(recorded_order, changed, tuple(one[0] for one in groups))

    def _found(
        self, recorded_order: RecordedOrder, changed: Collection[int], facts: tuple[Fact, ...] = ()
    ) -> Iterator[Dependent]:
        """Yield an order with its changed records and its entries on traced accounts; nothing if it has none."""
        added = [(at, one) for at, one in recorded_order.events if isinstance(one, AccountChanged) and one.before]
        balances = [(at, fact) for at, one in added if (fact := ("account", one.account, "")) in self._live]
        facts = tuple(dict.fromkeys((*facts, *(fact for _, fact in balances))))
        positions = sorted({*changed, *(at for at, _ in balances)})
        degree = 1 + min((self._live[fact].degree for fact in facts), default=0)
        why = tuple(self._reason(fact) for fact in facts)
        for position, event in recorded_order.events:
            self._cover(event)
            if position in positions:
                self._leave_on(((position, event),), degree)
        if positions:
            yield Dependent(
                deed=recorded_order, positions=tuple(positions), why=why, degree=degree, found_by=DECIDED_AGAIN
            )

    def _by_touch(self, recorded_order: RecordedOrder) -> Iterator[Dependent]:
        """Yield an order that cannot be decided again if it changes or names a thing with a trace."""
        things: dict[Thing, _Trace] = {}
        for (kind, name, _), trace in self._live.items():
            things.setdefault((kind, name), trace)
        found = dict(shared_subjects(recorded_order, things))
        if not found:
            return
        why = tuple(
            ListingReason(how=how, kind=thing[0], id=thing[1], since=things[thing].position)
            for thing, how in found.items()
        )
        degree = 1 + min(things[thing].degree for thing in found)
        self._leave_on(recorded_order.events, degree)
        yield Dependent(deed=recorded_order, positions=positions_of(recorded_order), why=why, degree=degree)

    def _reason(self, fact: Fact) -> ListingReason:
        kind, name, attribute = self._live[fact].left_by[0].fact
        return ListingReason(how="rests", kind=kind, id=name, attribute=attribute, since=self._live[fact].position)

    # --- traces -------------------------------------------------------------------------------------------------------

    def _left_by(self, facts: Collection[Fact]) -> Iterator[Prerequisite]:
        """Yield the records to leave out, each once, because a placed unit writes several facts."""
        found = {(one.position, one.fact): one for fact in facts for one in self._live[fact].left_by}
        yield from found.values()

    def _leave_on(self, events: Iterator[tuple[int, AnyEvent]] | tuple[tuple[int, AnyEvent], ...], degree: int) -> None:
        if not self._direct:
            self._leave(events, degree)

    def _leave(self, events: Iterator[tuple[int, AnyEvent]] | tuple[tuple[int, AnyEvent], ...], degree: int) -> None:
        for position, event in events:
            for fact in facts_of(event):
                before = self._live.get(fact) if fact[0] == "account" else None
                whole = (*fact[:2], "") if isinstance(event, UnitPlaced) else fact
                mine = Prerequisite(position, event, whole)
                self._live[fact] = (
                    _Trace(degree, (mine,)) if before is None else before._replace(left_by=(mine, *before.left_by))
                )

    def _cover(self, event: AnyEvent) -> None:
        """Remove the traces of facts that an event writes; for an account, only if its balance was 0 before."""
        if not isinstance(event, AccountChanged) or not event.before:
            for fact in facts_of(event):
                self._live.pop(fact, None)
