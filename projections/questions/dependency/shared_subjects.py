"""Find the dependents of a record by last touch: compare the things that orders change and name, without the rules.

This method serves orders that cannot be decided again (see `prerequisites`).

A later order on the same branch depends on a contested record if it changes or names a thing that the record changed or
decided: a unit, account, marker, roll, choice or pick. The things that this order changes count as touched in turn, one
degree further away. The later records of the contested order depend on the contested record directly. The method finds
too much rather than too little: it lists two orders about one unit even if the rules do not connect them.
"""

from collections.abc import Collection, Iterable, Iterator

import msgspec

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.projections.questions.dependency.model import IN_THE_LOG, Cause, Dependent, ListingReason
from umpire_ledger.projections.record.event_text import text_of
from umpire_ledger.projections.tables.order_history import RecordedOrder, Thing, names_in, own_step, subjects_of
from umpire_ledger.projections.tables.step_index import SEQUENCE

FRESH = frozenset(("pick", "answer", "choice"))
"""Kinds of things whose new decision does not depend on an earlier decision."""

NAMED = ("unit", "account", "marker")
"""Kinds of things that an order names by their id; a question is named without the side that answers it."""


class _Touched(msgspec.Struct, frozen=True):
    position: int
    degree: int


def dependents(deeds: Iterable[RecordedOrder], contested: Collection[int]) -> Iterator[Dependent]:
    """Yield the orders that depend on these records, oldest first. `deeds`: the orders of one branch, oldest first."""
    touched: dict[Thing, _Touched] = {}
    for recorded_order in deeds:
        own = [one.position for one in recorded_order.records if one.position in contested]
        for part in contested_parts(recorded_order, own):
            here = [position for position in own if part.first <= position <= part.last]
            if here:
                yield from _contested(part, here, touched)
            elif touched or recorded_order.first > min(contested):
                yield from _later(part, contested, touched)


def contested_parts(recorded_order: RecordedOrder, own: Collection[int]) -> list[RecordedOrder]:
    """Return the parts of a contested order; the whole order if a contested record advances the sequence."""
    moves = any(at in own and type(event) in SEQUENCE for at, event in recorded_order.events)
    return [recorded_order] if moves else list(_parts(recorded_order))


def _parts(recorded_order: RecordedOrder) -> Iterator[RecordedOrder]:
    """Split an order into its records up to the end of its step, and the automatic records of each later step.

    Play would have reached the later steps in any case, so their records are examined separately.
    """
    start = 0
    for at, record in enumerate(recorded_order.records, 1):
        if isinstance(record.event, e.StepClosed) or at == len(recorded_order.records):
            records = recorded_order.records[start:at]
            if start == 0:
                yield msgspec.structs.replace(recorded_order, records=records)
            else:
                yield msgspec.structs.replace(
                    recorded_order, records=records, cause={}, step=own_step(records[0].event)
                )
            start = at


def _contested(recorded_order: RecordedOrder, own: list[int], touched: dict[Thing, _Touched]) -> Iterator[Dependent]:
    """Yield the contested order with the records that it wrote after the contested record."""
    for position, event in recorded_order.events:
        if position >= own[0]:
            _touch(touched, event, position, 0)
    yield from same_order(recorded_order, own)


def same_order(recorded_order: RecordedOrder, own: list[int]) -> Iterator[Dependent]:
    """Yield the records that a contested order wrote after its contested records."""
    rest = tuple(position for position, _ in recorded_order.events if position > own[0] and position not in own)
    if rest:
        why = ListingReason(how="order", since=own[0])
        yield Dependent(deed=recorded_order, positions=rest, why=(why,), degree=1, found_by=IN_THE_LOG)


def _later(
    recorded_order: RecordedOrder, contested: Collection[int], touched: dict[Thing, _Touched]
) -> Iterator[Dependent]:
    speaking = tuple(refers_to(recorded_order, contested))
    if speaking:
        for position, event in recorded_order.events:
            if any(reason.how == "keeps" for reason in speaking):
                _touch(touched, event, position, 1)
        yield Dependent(
            deed=recorded_order, positions=positions_of(recorded_order), why=speaking, degree=1, found_by=IN_THE_LOG
        )
        return
    found = dict(shared_subjects(recorded_order, touched))
    if not found:
        for _, event in recorded_order.events:
            for thing in subjects_of(event):
                if thing[0] in FRESH:
                    touched.pop(thing, None)
        return
    degree = 1 + min(touched[thing].degree for thing in found)
    why = tuple(
        ListingReason(how=how, kind=thing[0], id=thing[1], since=touched[thing].position)
        for thing, how in found.items()
    )
    for position, event in recorded_order.events:
        _touch(touched, event, position, degree)
    yield Dependent(deed=recorded_order, positions=positions_of(recorded_order), why=why, degree=degree)


def positions_of(recorded_order: RecordedOrder) -> tuple[int, ...]:
    return tuple(one.position for one in recorded_order.records)


def _touch(touched: dict[Thing, _Touched], event: AnyEvent, position: int, degree: int) -> None:
    for thing in subjects_of(event):
        if isinstance(event, e.MarkerSet) and event.after is None:
            touched.pop(thing, None)  # A removed marker leaves no connection to a later one with its name.
        elif thing not in touched:
            touched[thing] = _Touched(position, degree)


def shared_subjects(recorded_order: RecordedOrder, touched: Collection[Thing]) -> Iterator[tuple[Thing, str]]:
    """Yield the touched things that a later order changes or names, with the relation; a change is yielded last."""
    for item in recorded_order.items:
        if ("pick", item) in touched:
            yield ("pick", item), "within"
    for name in dict.fromkeys(names_in(recorded_order.cause)):
        yield from ((thing, "names") for kind in NAMED if (thing := (kind, name)) in touched)
    questions = {thing[1].rpartition("/")[0]: thing for thing in touched if thing[0] == "choice"}
    yield from ((questions[name], "names") for name in names_in(recorded_order.cause) if name in questions)
    for _, event in recorded_order.events:
        for thing in subjects_of(event):
            if thing in touched and thing[0] not in FRESH:
                yield thing, "changes"
        if isinstance(event, e.ChoiceRevealed) and subjects_of(event)[0] in touched:
            yield subjects_of(event)[0], "changes"


def refers_to(recorded_order: RecordedOrder, contested: Collection[int]) -> Iterator[ListingReason]:
    """Yield the reasons why an order refers to contested records: notes, disputes, seals, and reused rolls."""
    for _, event in recorded_order.events:
        match event:
            case e.NoteAdded(about=about) if about in contested:
                yield ListingReason(how="speaks", since=about)
            case e.DisputeOpened(positions=positions):
                yield from (ListingReason(how="speaks", since=one) for one in positions if one in contested)
            case e.DiceRolled(kept=kept) if kept in contested:
                yield ListingReason(how="keeps", since=kept)
            case e.LineSealed(position=position) if any(one <= position for one in contested):
                yield ListingReason(how="seals", since=max(one for one in contested if one <= position))
            case _:
                pass


# --- causes -----------------------------------------------------------------------------------------------------------


def causes(deeds: Iterable[RecordedOrder], of: int) -> list[Cause]:
    """Return the last earlier record about each thing that the order of record `of` changes or names."""
    last: dict[Thing, tuple[int, AnyEvent]] = {}
    for part in (part for recorded_order in deeds for part in _parts(recorded_order)):
        if part.first <= of <= part.last:
            found = sorted((last[thing][0], thing) for thing in set(_wanted(part, last)))
            return [Cause(kind=t[0], id=t[1], position=at, text=text_of(last[t][1])) for at, t in found]
        for position, event in part.events:
            for thing in subjects_of(event):
                last[thing] = position, event
    return []


def _wanted(recorded_order: RecordedOrder, last: dict[Thing, tuple[int, AnyEvent]]) -> Iterator[Thing]:
    named = set(names_in(recorded_order.cause))
    yield from (thing for thing in last if thing[1] in named and thing[0] != "roll")
    yield from (thing for _, event in recorded_order.events for thing in subjects_of(event) if thing in last)
    yield from (("pick", item) for item in recorded_order.items if ("pick", item) in last)
