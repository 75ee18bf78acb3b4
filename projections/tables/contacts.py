"""Find contacts: two units of different sides meet at one place, and at least one side does not see the other's unit.

Only the referee may see contacts, and rules on each. Contacts are not recorded, because the number of records must not
depend on hidden facts.
"""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from umpire_ledger.domain.game.events import AnyEvent, NoteAdded, UnitMoved, UnitPlaced, UnitShown, inner_events
from umpire_ledger.domain.game.evolve import evolve
from umpire_ledger.domain.game.hidden_units import known_to
from umpire_ledger.domain.game.state import REFEREE, Game, Hidden, Unit
from umpire_ledger.projections.record.visible_record import decode


class Contact(msgspec.Struct, frozen=True, kw_only=True):
    """A contact. `unit` came to the place of `other`, or through it (`passing`). `position`: the record of its move.

    `hidden`: ids of the units that the opposing side does not see.
    """

    position: int
    place: str
    unit: str
    other: str
    hidden: tuple[str, ...]
    passing: bool = False


def contacts(lines: Iterable[bytes]) -> tuple[Contact, ...]:
    """Return the open contacts of a branch, oldest first.

    A contact ends when the opposing side sees the hidden unit, when one of the two units leaves play, or when the
    referee adds a note about its record. Unless the unit only passed through, it also ends when one of the two leaves
    the place.
    """
    game, found, ruled = Game(), list[Contact](), set[int]()
    for record in map(decode, lines):
        if isinstance(record.event, NoteAdded) and record.seat == REFEREE:
            ruled.add(record.event.about)
        for event in inner_events(record.event) if record.event is not None else ():
            before, game = game.hidden, evolve(game, event)
            if game.hidden and not _is_old(event, before, game.hidden):
                found += _met(known_to(game, REFEREE), record.position, event)
    known = known_to(game, REFEREE)
    return tuple(one for one in found if one.position not in ruled and _is_open(known, one))


def _is_old(event: AnyEvent, before: Mapping[str, Hidden], now: Mapping[str, Hidden]) -> bool:
    """Return whether a unit is shown only to seats that already see it.

    This happens because a find is recorded separately for each side.
    """
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
    """Return the ids of two units that the other unit's side does not see; () if both are of one side."""
    if unit.side == other.side:
        return ()
    pairs = ((unit, other.side), (other, unit.side))
    return tuple(one.id for one, side in pairs if one.id in known.hidden and side not in known.hidden[one.id].seen_by)


def _is_open(known: Game, contact: Contact) -> bool:
    unit, other = known.units.get(contact.unit), known.units.get(contact.other)
    if unit is None or other is None:  # One record of the order removed it, and the next hides it.
        return False
    if unit.fate or other.fate or not _unseen(known, unit, other):
        return False
    return contact.passing or unit.at == other.at == contact.place
