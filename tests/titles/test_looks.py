"""Check that hidden units of the other side change no answer: checks look only at units that all sides see."""

import pytest

from tests.at_least_one import at_least_one
from tests.face.domain import (
    REFEREE,
    Title,
    known_to,
    replace,
)
from tests.face.testing import titles
from tests.titles.looks import PAGE, Check, hidden_from, looks, page, starts_of, without


@pytest.mark.parametrize("title", titles(), ids=lambda title: title.id)
def test_hidden_unit_changes_no_answer_to_another_seat(title: Title) -> None:
    for check, game in at_least_one(list(looks(title))):
        here, elsewhere = (hidden_from(game, check.side, elsewhere=moved) for moved in (False, True))
        assert here.hidden
        gone = replace(without(game, check.side), options=here.options)
        assert check.answer(here) == check.answer(elsewhere) == check.answer(gone), check[:3]


def test_check_that_looks_at_hidden_units_is_found() -> None:
    game = starts_of("war-galley")[0].game
    nosy = Check("question", "a foe lies near", "athens", lambda game: known_to(game, REFEREE).in_play("syracuse"))
    assert nosy.answer(hidden_from(game, "athens", elsewhere=False)) != nosy.answer(
        hidden_from(game, "athens", elsewhere=True)
    )


def test_page_lists_the_checks() -> None:
    """If it does not: `python -m tests.titles.looks`."""
    assert PAGE.read_text(encoding="utf-8") == page()
