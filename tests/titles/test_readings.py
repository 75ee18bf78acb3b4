"""Check that every option of every title explains its values, as `umpire titles TITLE` shows them."""

import pytest

from tests.face.domain import Title
from tests.face.testing import titles

TITLES = titles()


@pytest.mark.parametrize("title", TITLES, ids=[title.id for title in TITLES])
def test_every_option_has_its_readings_and_no_other_has(title: Title) -> None:
    assert title.readings.keys() == title.options.keys()
    assert all(len(words.split()) > 2 for words in title.readings.values())
