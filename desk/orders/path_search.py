"""Search the shortest ways from a place to all others that the rules accept, one step longer at a time."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

Way = tuple[str, ...]
TRIES = 2
"""The number of ways of one length to a place that are tried: which neighbor a way comes from may matter."""


def shortest_ways(
    start: str, beside: Callable[[str], Iterable[str]], refusal: Callable[[Way], str | None]
) -> Iterator[Way]:
    """Yield one way to each place that can be reached, without its start, shorter ways first.

    A refused way is continued only if its refusal names its end: some titles refuse to stop at a place and not to pass
    it, and in some steps a way is refused until it ends at the right place.

    Args:
        refusal: Returns why the rules refuse a way, in words; None if they accept it.
    """
    reached, edge = {start}, list[Way]([(start,)])
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
                    yield longer[1:]
                elif re.search(rf"(?<!\w){re.escape(there)}(?!\w)", why):
                    refused.append(longer)
        edge = [*accepted, *(way for way in refused if way[-1] not in reached)]
