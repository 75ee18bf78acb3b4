"""Position stacks side by side at their place, and on points and tables without overlap."""

from collections.abc import Iterable, Mapping, Sequence

from umpire_ledger.projections.pictures.grids import Spot
from umpire_ledger.projections.pictures.layout import Layout
from umpire_ledger.projections.pictures.table_picture import Stack

COUNTER = 22.0
BELOW = 3.5
"""Distance from the center of a place down to the center of a counter, so that the name above it is readable."""
BESIDE = 4.0
"""Distance between the stacks at a place."""
ROOM = COUNTER + 7.0
"""Smallest horizontal or vertical distance between the centers of two stacks, with room for an arrow of facing."""
Key = tuple[str, str, bool]
MOST_PUSHES = 200
"""The most attempts to move stacks apart; on a crowded table, some may still overlap."""


def stack_spots(layout: Layout, stacks: Sequence[Stack]) -> dict[Key, Spot]:
    """Return the center of each stack by its key. Stacks on points and tables are moved until none overlap."""
    spots = {key: spot for place, stacked in _by_place(stacks).items() for key, spot in _row(layout, place, stacked)}
    free = [key for key in spots if _is_free(layout, key[0])]
    return {**spots, **dict(zip(free, _apart([spots[key] for key in free], layout.extent), strict=True))}


def _by_place(stacks: Iterable[Stack]) -> Mapping[str, list[Key]]:
    found: dict[str, list[Key]] = {}
    for stack in stacks:
        found.setdefault(stack.place, []).append(stack.key)
    return found


def _row(layout: Layout, place: str, keys: Sequence[Key]) -> Iterable[tuple[Key, Spot]]:
    """Yield the stacks of a place with their centers, side by side around the center of the place."""
    middle = layout.spot(place)
    if middle is not None:
        for at, key in enumerate(keys):
            x = middle[0] + (at - (len(keys) - 1) / 2) * (COUNTER + BESIDE)
            yield key, (x, middle[1] + BELOW)


def _is_free(layout: Layout, place: str) -> bool:
    return layout.plots[layout.within.get(place, place)].sort == "point"


def _apart(spots: Sequence[Spot], extent: tuple[float, float, float, float]) -> list[Spot]:
    """Return the centers of stacks, moved apart by the shortest way within the edges of the picture."""
    moved = list(spots)
    for _ in range(MOST_PUSHES):
        pairs = list(_touching(moved))
        if not pairs:
            break
        for one, other in pairs:
            moved[one], moved[other] = _pushed(moved[one], moved[other])
        moved = [_within(spot, extent) for spot in moved]
    return moved


def _touching(spots: Sequence[Spot]) -> Iterable[tuple[int, int]]:
    """Yield the indexes of pairs of stacks that overlap, from left to right."""
    order = sorted(range(len(spots)), key=lambda at: (spots[at], at))
    for number, one in enumerate(order):
        for other in order[number + 1 :]:
            if spots[other][0] - spots[one][0] >= ROOM - 0.1:
                break
            if abs(spots[other][1] - spots[one][1]) < ROOM - 0.1:
                yield one, other


def _pushed(spot: Spot, other: Spot) -> tuple[Spot, Spot]:
    """Return two centers moved apart, sideways or vertically, whichever is shorter; sideways if they are equal."""
    (x, y), (u, v) = spot, other
    across, down = ROOM - abs(u - x), ROOM - abs(v - y)
    if across <= 0 or down <= 0:
        return spot, other
    if across <= down:
        push = across / 2 if u >= x else -across / 2
        return (x - push, y), (u + push, v)
    push = down / 2 if v >= y else -down / 2
    return (x, y - push), (u, v + push)


def _within(spot: Spot, extent: tuple[float, float, float, float]) -> Spot:
    left, top, wide, high = extent
    half = ROOM / 2
    return (
        max(left + half, min(spot[0], left + wide - half)),
        max(top + half, min(spot[1], top + high - half)),
    )
