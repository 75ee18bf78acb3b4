"""Compare every printed label and rule number with text typed from the page (`labels/SOURCE.md`), never from code."""

import pytest

from tests.at_least_one import at_least_one
from tests.face.domain import AnyPlace
from tests.typed_pages import LABELS, page
from umpire_ledger.testing import titles

ASKED_EARLIER = {
    "5.4/gameend": "the page says in its last note what is asked before a new month begins",
    "TA.scuttle": "units are scuttled first, before production; the page says so behind it",
    "TR.scuttle": "as TA.scuttle",
    "TA.landpds": "it is part of the landing, and razing looks at what was landed",
}
"""Labels that precede others of their heading although they are printed after them, with the reason."""


TITLES = {title.id: title for title in titles() if (LABELS / f"{title.id}.txt").is_file()}
every_page = pytest.mark.parametrize("title_id", TITLES)


def test_five_titles_have_a_typed_page() -> None:
    five = {"war-galley", "pacific-war", "federation-and-empire", "twilight-imperium-3", "red-coat-rags"}
    assert set(TITLES) == five


def place_of(title_id: str, label: str) -> AnyPlace:
    places = TITLES[title_id].plan.places
    assert label in places, f"{label} is printed, but not in the sequence"
    return places[label]


@every_page
def test_every_printed_label_is_in_the_sequence(title_id: str) -> None:
    for line in at_least_one(page(title_id)):
        place_of(title_id, line.label)


@every_page
def test_printed_rule_numbers_belong_to_their_labels(title_id: str) -> None:
    wrong = [
        f"{line.label}: printed {line.rules}, declared {place.rules}"
        for line in page(title_id)
        if set((place := place_of(title_id, line.label)).rules) != set(line.rules)
    ]
    assert not wrong, "\n".join(wrong)


@every_page
def test_under_one_heading_labels_come_in_printed_order(title_id: str) -> None:
    """Compare the order heading by heading, because procedures follow the main line in the sequence."""
    plan = TITLES[title_id].plan
    printed = [line.label for line in page(title_id)]
    for heading in at_least_one({plan.parent[label] for label in printed} - {""}):
        under = [label for label in printed if plan.parent[label] == heading and label not in ASKED_EARLIER]
        assert under == sorted(under, key=lambda label: plan.order[label]), heading


@every_page
def test_restored_label_has_its_printed_path(title_id: str) -> None:
    printed = TITLES[title_id].printed
    for line in at_least_one(page(title_id)):
        assert printed.get(line.label, "") == line.path, line.label
