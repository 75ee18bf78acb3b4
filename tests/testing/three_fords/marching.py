"""3a and 3c: companies march along roads; a side may post one lookout."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated

import msgspec

from three_fords.board import ROADS, own_company, refuse, verify_place
from umpire_ledger.kit import Dice, Game, Order, PlaceName, Result, UnitName, changed, marked, moved

MARCH, WATCH = "3a", "3c"


class March(Order, frozen=True, kw_only=True, tag="march"):
    """March with a company, from road to road."""

    company: UnitName
    path: Annotated[tuple[PlaceName, ...], msgspec.Meta(min_length=1, max_length=2)]


class Watch(Order, frozen=True, kw_only=True, tag="watch"):
    """Post the lookout of your side at a place."""

    place: PlaceName


def decide_march(game: Game, order: March, _: Dice) -> list[Result]:
    """Move a company along adjacent places; a company marches once in a turn."""
    company = own_company(game, order.seat, order.company, MARCH)
    if company.get("marched"):
        raise refuse(game, f"{company.id} has marched", "name another company, or `done`", MARCH)
    for here, there in pairwise((company.at, *order.path)):
        if there not in ROADS[here]:
            raise refuse(game, f"no road leads from {here} to {there}", f"next: {', '.join(ROADS[here])}", MARCH)
    return [*moved(company, order.path, rule=MARCH), *changed(company, "marched", True, rule=MARCH)]


def decide_watch(game: Game, order: Watch, _: Dice) -> list[Result]:
    """Set the lookout, a marker; an attack at its place gets one more."""
    verify_place(game, order.place, WATCH)
    lookout = f"lookout/{game.side_of(order.seat)}"
    if game.markers.get(lookout) == order.place:
        raise refuse(game, f"your lookout is at {order.place} already", "name another place", WATCH)
    return marked(game, lookout, order.place, rule=WATCH)


def marches(game: Game, side: str) -> Iterator[Order]:
    """Yield a march of one road, or two, for every company."""
    for company in game.in_play(side):
        for first in ROADS[company.at]:
            yield March(seat=side, company=company.id, path=(first,))
            yield March(seat=side, company=company.id, path=(first, ROADS[first][0]))


def watches(_: Game, side: str) -> Iterator[Order]:
    """Return a lookout at every place."""
    return (Watch(seat=side, place=place) for place in ROADS)
