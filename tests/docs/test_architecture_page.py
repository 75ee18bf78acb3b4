"""CONTRIBUTING.md and docs/explanation/architecture.md: every file and folder that they name exists."""

import re

import pytest

from tests.docs import pages

PLACES = re.compile(r"`((?:[a-z_]+/)+(?:[a-z_]+\.py|[a-z_]+\.toml)?)`")


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/explanation/architecture.md"])
def test_pages_name_only_places_that_exist(page: str) -> None:
    named = PLACES.findall((pages.ROOT / page).read_text("utf-8"))
    assert len(named) > 10
    assert [place for place in named if not (pages.ROOT / place).exists()] == []
