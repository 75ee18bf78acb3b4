"""Describe a map in words for readers who cannot see it: stacks, paths and losses."""

from collections.abc import Iterator

from umpire_ledger.projections.pictures.counters import DrawnCounter
from umpire_ledger.projections.pictures.table_picture import Picture


def picture_words(picture: Picture) -> list[str]:
    """Return a sentence for each stack, path and loss, and one for the contested places."""
    return list(_words(picture)) or ["There are no units on the map."]


def _words(picture: Picture) -> Iterator[str]:
    for stack in picture.stacks:
        side = picture.sides.get(stack.side, picture.sides[""]).name
        yield f"{stack.place}, {side}: {', '.join(map(counter_words, stack.counters))}."
    for way in picture.ways:
        yield f"{way.unit} moved {' → '.join(way.path)}."
    for loss in picture.losses:
        yield f"{loss.unit} was lost at {loss.place}: {loss.fate}."
    if picture.contested:
        yield f"Contested: {', '.join(picture.contested)}."


def counter_words(counter: DrawnCounter) -> str:
    """Return a unit's id and kind, with the signs on its counter."""
    seen = [one for one in (counter.seen, counter.number) if one]
    more = ", ".join([*seen, *counter.signs, *([f"facing {counter.facing}"] if counter.facing else [])])
    return f"{counter.unit} {counter.kind}" + (f" ({more})" if more else "")
