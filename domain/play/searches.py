"""Find hidden units in a search. The decision of the order sees only what its seat sees; this module sees every unit.

Whatever its result, a search leaves one public record that it took place, and one private record for each side. The
private record names the finds of the searching side, or the found units of another side (usually none). So the records
reveal neither the hidden units nor whether there are any.
"""

from collections.abc import Iterator

from umpire_ledger.domain.game import orders as o
from umpire_ledger.domain.game.events import HiddenDone, HiddenOrdered, RestrictedEvent, UnitShown
from umpire_ledger.domain.game.hidden_units import is_foggy, known_to, viewers_of
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.kit.changes import after
from umpire_ledger.domain.kit.title import Finds, Result


def searched(game: Game, order: o.Order, results: list[Result]) -> list[Result]:
    """Return the results of an order, with the finds of its searches last.

    `game`: a game in which every unit is public.
    """
    searches = [one for one in results if isinstance(one, Finds)]
    if not searches:
        return results
    others: list[Result] = [one for one in results if not isinstance(one, Finds)]
    if is_foggy(game):
        others += _search_results(known_to(after(game, others), REFEREE), order, searches)
    return others


def _search_results(whole: Game, order: o.Order, searches: list[Finds]) -> Iterator[Result]:
    side = whole.side_of(order.seat)
    found = [tuple(_found(whole, side, one)) for one in searches]
    shown = tuple({one.unit: one for some in found for one in some}.values())
    words = (one.nothing for one, some in zip(searches, found, strict=True) if one.which is not None and not some)
    says = "; ".join(dict.fromkeys(filter(None, words)))
    yield HiddenOrdered(side=side, search=True, rule=searches[0].rule)
    # The sentence for its readers is in the first private record.
    yield RestrictedEvent(HiddenDone(events=shown if side else (), says=says), viewers_of(whole, (side,)))
    for other in whole.side_ids:
        if other != side:
            yield RestrictedEvent(
                HiddenDone(events=tuple(one for one in shown if other in one.seen_by)), viewers_of(whole, (other,))
            )


def _found(whole: Game, side: str, search: Finds) -> Iterator[UnitShown]:
    """Yield events that show the found units to a side. Earlier viewers still see the units, and see who else does."""
    for name in search.which(whole) if search.which is not None and side else ():
        held = whole.hidden.get(name)
        if held is not None and side not in held.seen_by:
            seers = tuple(one for one in whole.side_ids if one in (*held.seen_by, side))
            unit = held.unit
            yield UnitShown(
                unit=unit.id, side=unit.side, kind=unit.kind, at=unit.at,
                attributes=dict(unit.attributes), seen_by=seers, rule=search.rule,
            )  # fmt: skip
