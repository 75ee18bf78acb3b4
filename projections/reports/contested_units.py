"""Compare the place and attributes of contested units before and after the contested orders of a case."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from umpire_ledger.domain.game.events import Value
from umpire_ledger.domain.game.state import Game
from umpire_ledger.projections.questions.differences import facts_of
from umpire_ledger.projections.record.event_text import units_of
from umpire_ledger.projections.tables.order_history import RecordedOrder


class ContestedUnit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit with its facts by name: side, kind, at, fate, each attribute. They are {} while it is not in the game."""

    id: str
    before: dict[str, Value]
    after: dict[str, Value]

    @property
    def facts(self) -> Iterator[tuple[str, Value, Value]]:
        """Name of each fact, and its value before and after."""
        for name in dict.fromkeys((*self.before, *self.after)):
            yield name, self.before.get(name), self.after.get(name)


def contested_units(
    deeds: Iterable[RecordedOrder], contested: Iterable[int], before: Game, after: Game
) -> list[ContestedUnit]:
    """Return the units that the contested records are about, and those that their orders name."""
    positions = frozenset(contested)
    named: dict[str, None] = {}
    for deed in deeds:
        if any(record.position in positions for record in deed.records):
            named.update(dict.fromkeys(words_in(deed.cause)))
        for record in deed.records:
            if record.position in positions and record.event is not None:
                named.update(dict.fromkeys(units_of(record.event)))
    known = sorted(name for name in named if name in before.units or name in after.units)
    return [
        ContestedUnit(id=name, before=facts_of(before.units.get(name)), after=facts_of(after.units.get(name)))
        for name in known
    ]


def words_in(value: Any) -> Iterator[str]:
    """Yield every string in an order, including keys, because a mapping may have the ids of units as keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield name
            yield from words_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from words_in(inner)
