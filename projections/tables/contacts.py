"""Find contacts: units of different sides that came to one place, of which one does not see the other.

Only the referee may ask for them, and rules on each. They are not recorded: the number of records must not depend on
hidden facts.
"""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from umpire_ledger.domain.game.events import AnyEvent, NoteAdded, UnitMoved, UnitPlaced, UnitShown, unrolled
from umpire_ledger.domain.game.evolve import evolve
from umpire_ledger.domain.game.hidden_units import known_to
from umpire_ledger.domain.game.state import REFEREE, Game, Hidden, Unit
from umpire_ledger.projections.record.visible_record import decode


class Contact(msgspec.Struct, frozen=True, kw_only=True):
    """A contact. `unit` came to or through (`passing`) the place of `other`; `hidden`: those the other does not see.

    `position`: the record by which it came.
    """

    position: int
    place: str
    unit: str
    other: str
    hidden: tuple[str, ...]
    passing: bool = False


def contacts(lines: Iterable[bytes]) -> tuple[Contact, ...]:
    """Return the open contacts of a branch, oldest first.

    A contact is open until the hidden unit is seen, one of the two leaves play or (if it did not pass through) the
    place, or the referee adds a note about its record.
    """
    game, found, ruled = Game(), list[Contact](), set[int]()
    for record in map(decode, lines):
        if isinstance(record.event, NoteAdded) and record.seat == REFEREE:
            ruled.add(record.event.about)
        for event in unrolled(record.event) if record.event is not None else ():
            before, game = game.hidden, evolve(game, event)
            if game.hidden and not _is_old(event, before, game.hidden):
                found += _met(known_to(game, REFEREE), record.position, event)
    known = known_to(game, REFEREE)
    return tuple(one for one in found if one.position not in ruled and _is_open(known, one))


def _is_old(event: AnyEvent, before: Mapping[str, Hidden], now: Mapping[str, Hidden]) -> bool:
    """Return whether a unit is shown to seats that see it already: each side gets its own record of a find."""
    return isinstance(event, UnitShown) and event.unit in before and before[event.unit] == now.get(event.unit)


def _met(known: Game, position: int, event: AnyEvent) -> Iterator[Contact]:
    match event:
        case UnitMoved(unit=unit, path=path):
            places = path[1:]
        case UnitPlaced(unit=unit, at=at) | UnitShown(unit=unit, at=at):
            places = (at,)
        case _:
            return
    for nth, place in enumerate(places, start=1):
        for other in known.in_play():
            if other.at == place and (hidden := _unseen(known, known.units[unit], other)):
                passing = nth < len(places)
                yield Contact(position=position, place=place, unit=unit, other=other.id, hidden=hidden, passing=passing)


def _unseen(known: Game, unit: Unit, other: Unit) -> tuple[str, ...]:
    """Return, of two units of different sides, those that the other's side does not see."""
    if unit.side == other.side:
        return ()
    pairs = ((unit, other.side), (other, unit.side))
    return tuple(one.id for one, side in pairs if one.id in known.hidden and side not in known.hidden[one.id].seen_by)


def _is_open(known: Game, contact: Contact) -> bool:
    unit, other = known.units.get(contact.unit), known.units.get(contact.other)
    if unit is None or other is None:  # inside an order: one record took it off the table, the next one hides it
        return False
    if unit.fate or other.fate or not _unseen(known, unit, other):
        return False
    return contact.passing or unit.at == other.at == contact.place
