"""Search for the shortest legal paths from a place to all others, one step longer at a time."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

Way = tuple[str, ...]
TRIES = 2
"""Maximum number of paths of one length to try to a place, because the rules may depend on the last neighbor."""


def shortest_ways(
    start: str, beside: Callable[[str], Iterable[str]], refusal: Callable[[Way], str | None]
) -> Iterator[Way]:
    """Yield one path to each reachable place, without its start, shorter paths first.

    A refused path is continued only if the refusal names its end: some titles refuse to stop at a place but not to pass
    it, and at some steps a path is refused until it ends at the right place.

    Args:
        refusal: Returns in words why the rules refuse a path; None if they accept it.
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
