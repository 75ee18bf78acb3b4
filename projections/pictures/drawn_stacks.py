"""Draw stacks, fanned out at their place, or counter by counter below the map."""

from collections.abc import Iterator, Sequence
from math import dist
from xml.etree.ElementTree import Element, SubElement

import msgspec

from umpire_ledger.projections.pictures.counters import DrawnCounter
from umpire_ledger.projections.pictures.drawn_counters import draw_card, draw_front
from umpire_ledger.projections.pictures.facing import ahead
from umpire_ledger.projections.pictures.grids import Spot
from umpire_ledger.projections.pictures.picture_words import counter_words
from umpire_ledger.projections.pictures.shapes import circle, number, numbers, points, text
from umpire_ledger.projections.pictures.spread import BELOW, BESIDE, COUNTER
from umpire_ledger.projections.pictures.table_picture import Picture, Stack
from umpire_ledger.projections.record.escaping import inert

FAN = 2.0
"""Horizontal and vertical distance between the counters of a fanned stack."""
MOST_FANNED = 5
"""The most visible counters of a fanned stack; a higher stack looks the same."""
UNDER = COUNTER / 2 + 5
"""Distance from the center of a counter beyond which the counter does not cover a point."""
ROW_HIGH, HEADING_HIGH = COUNTER + 12, 12.0
LETTER = 6.6
"""Approximate width of a letter in a note, in any font."""


class OpenedStack(msgspec.Struct, frozen=True):
    """A stack that is laid out below the map. `corner`: its upper left corner, relative to all such stacks."""

    stack: Stack
    heading: str
    rows: tuple[tuple[DrawnCounter, ...], ...]
    corner: Spot = (0.0, 0.0)

    @property
    def wide(self) -> float:
        return max(len(self.rows[0]) * (COUNTER + BESIDE), LETTER * len(self.heading)) + 14

    @property
    def high(self) -> float:
        return HEADING_HIGH + ROW_HIGH * len(self.rows)


def draw_leader(root: Element, picture: Picture, stack: Stack, spot: Spot) -> None:
    """Draw a dot at the place of a stack and a line to its counters, unless the counters cover the place."""
    layout = picture.layout
    plot = layout.plots[layout.within.get(stack.place, stack.place)]
    if plot.sort == "point" and dist(plot.at, (spot[0], spot[1] - BELOW)) > UNDER:
        SubElement(root, "path", {"d": f"M{numbers(*plot.at)}L{numbers(*spot)}", "class": "leader"})
        circle(root, plot.at, 1.8, "dot")


def draw_stack(root: Element, picture: Picture, stack: Stack, spot: Spot) -> None:
    """Draw a stack at a spot: a top card with the drawings, number and signs of all counters, the others fanned out."""
    units = " ".join(counter.unit for counter in stack.counters)
    kind = "stack past" if stack.seen else "stack"
    names = {"data-place": inert(stack.place), "data-units": inert(units), "data-side": inert(stack.side)}
    group = SubElement(root, "g", {"class": kind, **names})
    look = picture.sides.get(stack.side, picture.sides[""])
    SubElement(group, "title").text = inert(
        f"{look.name} at {stack.place}: {', '.join(map(counter_words, stack.counters))}"
    )
    count, shown = len(stack.counters), stack.counters[:MOST_FANNED]
    for behind in range(len(shown) - 1, 0, -1):
        draw_card(group, picture, stack.side, (spot[0] + behind * FAN, spot[1] - behind * FAN))
    draw_front(group, picture, stack.counters, spot)
    marked = [counter for counter in stack.counters if counter.signs]
    if stack.seen:
        _date(group, stack.counters, spot)
    if count > 1 and marked:
        text(group, (spot[0] + COUNTER / 2 + 1, spot[1] + COUNTER / 2 + 3), str(len(marked)), "many")


def draw_bearings(root: Element, picture: Picture, stack: Stack, spot: Spot) -> None:
    """Draw each direction that units of a stack face once; the facing of units out of sight is unknown."""
    known = () if stack.seen else stack.counters
    for bearing in sorted({picture.bearings[one.unit] for one in known if one.unit in picture.bearings}):
        _facing(root, bearing, spot)


def opened(picture: Picture, wide: float) -> tuple[OpenedStack, ...]:
    """Return the stacks with more than one counter, arranged from (0, 0) on and within `wide` map units."""
    many = max(int(wide // (COUNTER + BESIDE)), 1)
    placed: list[OpenedStack] = []
    across = down = high = 0.0
    for stack in picture.stacks:
        if len(stack.counters) > 1:
            past = ", out of sight" if stack.seen else ""
            heading = f"{stack.place} · {picture.sides.get(stack.side, picture.sides['']).name}{past}"
            one = OpenedStack(stack, heading, tuple(_rows(stack.counters, many)))
            if across and across + one.wide > wide:
                across, down, high = 0.0, down + high, 0.0
            placed.append(msgspec.structs.replace(one, corner=(across, down)))
            across, high = across + one.wide, max(high, one.high)
    return tuple(placed)


def _rows(counters: Sequence[DrawnCounter], many: int) -> Iterator[tuple[DrawnCounter, ...]]:
    for at in range(0, len(counters), many):
        yield tuple(counters[at : at + many])


def opened_high(stacks: Sequence[OpenedStack]) -> float:
    """Return the total height of opened stacks."""
    return max((one.corner[1] + one.high for one in stacks), default=0.0)


def draw_opened(root: Element, picture: Picture, stack: OpenedStack, corner: Spot) -> None:
    """Draw a stack counter by counter. `corner`: the upper left corner of all opened stacks."""
    left, top = corner[0] + stack.corner[0], corner[1] + stack.corner[1]
    text(root, (left, top + 8), stack.heading, "note")
    for down, row in enumerate(stack.rows):
        y = top + HEADING_HIGH + BESIDE + down * ROW_HIGH + COUNTER / 2
        for across, counter in enumerate(row):
            draw_single(root, picture, counter, (left + across * (COUNTER + BESIDE) + COUNTER / 2, y))


def draw_single(root: Element, picture: Picture, counter: DrawnCounter, spot: Spot) -> Element:
    """Draw one counter of a stack, with its facing or the time of its last sighting."""
    group = SubElement(root, "g", {"class": "past"} if counter.seen else {})
    SubElement(group, "title").text = inert(counter_words(counter))
    draw_front(group, picture, (counter,), spot)
    if counter.seen:
        _date(group, (counter,), spot)
    if counter.unit in picture.bearings and not counter.seen:
        _facing(group, picture.bearings[counter.unit], spot)
    return group


# --- marks ------------------------------------------------------------------------------------------------------------


def _date(group: Element, counters: Sequence[DrawnCounter], spot: Spot) -> None:
    """Write the turn of the last sighting below a counter; for a stack, the newest sighting."""
    newest = max((one.seen for one in counters), key=lambda seen: (len(seen), seen))
    text(group, (spot[0], spot[1] + COUNTER / 2 + 6), newest.removeprefix("last seen "), "date")


def _facing(group: Element, bearing: float, spot: Spot) -> None:
    """Draw a small arrow head at the edge of the counter that the unit faces."""
    base = ahead(spot, bearing, COUNTER / 2 / _reach(bearing))
    tip, left, right = ahead(base, bearing, 5), ahead(base, bearing - 90, 3.5), ahead(base, bearing + 90, 3.5)
    mark = {"points": points((tip, left, right)), "class": "facing", "data-bearing": number(bearing)}
    SubElement(group, "polygon", mark)


def _reach(bearing: float) -> float:
    """Return the larger component of the unit vector in a direction, from 1 toward an edge to 0.71 toward a corner."""
    x, y = ahead((0.0, 0.0), bearing, 1.0)
    return max(abs(x), abs(y))
