"""Test lists of names in remedies: all names if there are few, the likeliest if there are many."""

import re

from tests.face.domain import MOST_LISTED, listed


def test_few_names_are_listed_as_they_come() -> None:
    assert listed(["K-D7", "K-D6", "K-D7"], "K-D6") == "K-D7, K-D6"
    assert listed([]) == "none"


def test_long_list_begins_with_the_nearest_and_counts_the_rest() -> None:
    ships = [f"K-F5-{number}" for number in range(100, 130)] + ["Z-CVA"]
    told = listed(ships, "Z-CV")
    assert told.startswith("Z-CVA, K-F5-100")
    assert re.findall(r" (\d+) ", told) == [f"{len(ships) - MOST_LISTED}"]
    assert listed(ships).startswith("K-F5-100, ")
