"""The page of a sequence: one line a place, in printed order."""

from typing import Any

from tests.domain.teaching import heading, is_marked, step, title_of
from tests.face.domain import (
    Rounds,
    Title,
    nth,
    page_of,
    says,
)


def lines(title: Title) -> dict[str, dict[str, Any]]:
    return {line["id"]: line for line in page_of(title)}


class TestConditionsInWords:
    def test_guard_until_and_needs_are_shown_in_words(self) -> None:
        storm, wind, fog = is_marked("storm"), is_marked("wind"), is_marked("fog")
        steps = (step("A", needs=wind & ~fog), step("B", when=nth(2, to=4)))
        page = lines(title_of(heading("1", Rounds("R", "rounds", steps=steps, until=storm), when=~storm)))
        assert page["1"]["when"] == "the marker storm is off the table"
        assert page["R"]["until"] == "the marker storm lies on the table"
        assert page["A"]["needs"] == "the marker wind lies on the table and the marker fog is off the table"
        assert page["B"]["when"] == says(nth(2, to=4))

    def test_step_without_conditions_has_no_words(self) -> None:
        page = lines(title_of(step("A")))
        assert [page["A"][key] for key in ("when", "until", "needs")] == ["", "", ""]
