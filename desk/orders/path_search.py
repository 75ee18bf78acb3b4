"""Search for the shortest legal paths from a place to all others, one step longer at a time."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

Way = tuple[str, ...]
Beside = Callable[[str], Iterable[str]]
Refusal = Callable[[Way], str | None]
"""Returns why the rules refuse a way without its start, in words; None if they accept it."""
TRIES = 2
"""Maximum number of paths of one length to try to a place, because the rules may depend on the last neighbor."""


def shortest_ways(start: str, beside: Beside, refusal: Refusal) -> Iterator[Way]:
    """Yield one way to each place that can be reached, without its start, shorter ways first."""
    return (way[1:] for way, is_accepted in _searched((start,), beside, refusal) if is_accepted)


def way_over(start: str, stops: Sequence[str], beside: Beside, refusal: Refusal) -> Way | None:
    """Return a short way over these places to the last of them, without its start; None if there is none.

    The rules may refuse a way that ends at a place in between; if they refuse the whole, it is returned all the same.
    """
    way: Way = (start,)
    for stop in stops:
        found = next((one for one, _ in _searched(way, beside, refusal) if one[-1] == stop), None)
        if found is None:
            return None
        way = found
    return way[1:]


def _searched(begun: Way, beside: Beside, refusal: Refusal) -> Iterator[tuple[Way, bool]]:
    """Yield paths that extend a given one, including its start, and whether the rules accept each.

    A refused path is extended only if the refusal names its last place: some titles let a unit pass through a place but
    not stop there, and in some steps a path is refused until it ends at the right place.
    """
    reached, edge = {begun[-1]}, list[Way]([begun])
    while edge:
        accepted, refused, tries = list[Way](), list[Way](), Counter[str]()
        for way in edge:
            for there in beside(way[-1]):
                if there in reached or there in way or tries[there] == TRIES:
                    continue
                tries[there] += 1
                longer = (*way, there)
                why = refusal(longer[1:])
                if why is None:
                    reached.add(there)
                    accepted.append(longer)
                    yield longer, True
                elif re.search(rf"(?<!\w){re.escape(there)}(?!\w)", why):
                    refused.append(longer)
                    yield longer, False
        edge = [*accepted, *(way for way in refused if way[-1] not in reached)]
