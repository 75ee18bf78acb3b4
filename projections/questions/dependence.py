"""What depends on a record, and what a record rested on.

An order rests on a record when, decided again as if the record had not been, it does not come to the same
(`foundations`). What such an order brought about otherwise is followed in its turn, one degree further away, and so on
(`traces`). The other records of the contested order depend on it directly.

An order that cannot be decided again is answered by last touch (`last_touch`), which finds too much rather than too
little; each answer says how it was found. Orders that merely came later, about other things, are listed by neither.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from umpire_ledger.domain.game.state import replace
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.projections.questions import last_touch
from umpire_ledger.projections.questions.deeds import Deed, placed
from umpire_ledger.projections.questions.foundations import Foundation, foundations, why_not
from umpire_ledger.projections.questions.reasons import DECIDED_AGAIN, LAST_TOUCH, Cause, Dependent
from umpire_ledger.projections.questions.traces import Traces
from umpire_ledger.projections.record.prose import text_of


class Causes(NamedTuple):
    """What a record rested on, how that was found, and, where it was not by deciding again, why not."""

    causes: tuple[Cause, ...]
    found_by: str
    because: str = ""


def dependents(
    deeds: Iterable[Deed], contested: Collection[int], title: Title | None = None, *, direct: bool = False
) -> Iterator[Dependent]:
    """What depends on these records, in the order it happened; the deeds are those of one line, oldest first.

    `direct`: only on the records themselves. Without a title everything is found by last touch.
    """
    if title is None:
        found = last_touch.dependents(deeds, contested)
        return (one for one in found if one.degree == 1) if direct else found
    traces = Traces(title, contested, direct=direct)
    return (one for deed in deeds for one in traces.see(deed))


def causes(deeds: Sequence[Deed], of: int, title: Title | None = None) -> Causes:
    """What record `of` rested on; its order, where that cannot be decided again: then who touched what it is about."""
    found = foundations(title, deeds, of)
    if found is not None:
        return Causes(tuple(_cause(deeds, one) for one in found), DECIDED_AGAIN)
    touched = tuple(_in_full(deeds, one) for one in last_touch.causes(deeds, of))
    deed = next((one for one in deeds if one.first <= of <= one.last), None)
    return Causes(touched, LAST_TOUCH, why_not(title, deed))


def _cause(deeds: Sequence[Deed], one: Foundation) -> Cause:
    kind, name, attribute = one.fact
    bare = Cause(kind=kind, id=name, attribute=attribute, position=one.position, text=text_of(one.event))
    return _in_full(deeds, bare)


def _in_full(deeds: Sequence[Deed], cause: Cause) -> Cause:
    """A cause with the order that wrote it."""
    deed = next(one for one in deeds if one.first <= cause.position <= one.last)
    turn, step = next(((turn, step) for at, _, turn, step in placed(deed) if at == cause.position), (0, ""))
    return replace(cause, seat=deed.seat, turn=turn, step=step, order=deed.order, set_up=deed is deeds[0])
