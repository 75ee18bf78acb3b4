"""Check that no test of this repository may pass with any behavior of the product (`idle_tests.py`)."""

import ast
from functools import cache
from textwrap import dedent

import pytest

from tests.idle_tests import Idle, idle_tests, modules

MAY_BE_IDLE = {
    "tests/docs/test_library.py::test_python_blocks_of_the_page_run_and_print_as_shown": (
        "a block that fails raises; what it prints is compared where the page says what it prints"
    ),
    "tests/desk/test_from_state.py::TestEveryTitle.test_recorded_game_continues_from_each_of_its_scenarios": (
        "a game that is over is taken over by nobody; no recorded game is over at its first order"
    ),
    "tests/desk/test_from_state.py::TestEveryTitle.test_random_game_continues_from_each_of_its_scenarios": (
        "a game that is over is taken over by nobody; no random game is over at its first order"
    ),
    "tests/domain/test_leaving_many.py::TestAnySequence.test_until_equals_single_orders": (
        "of the generated sequences many refuse to be left; that the others are not is seen in the tests above it"
    ),
    "tests/titles/test_stories_by_label.py::test_labels_with_a_source_line_have_no_test_class": (
        "it is best when every label has stories and none needs a line instead"
    ),
    "tests/test_mutants.py::test_faults_declared_equivalent_can_still_be_planted": (
        "it is best when nothing is declared equivalent"
    ),
}
"""Tests that may have no check of their own, each with the reason."""


@cache
def in_this_house() -> tuple[Idle, ...]:
    return tuple(idle_tests(modules()))


def test_every_test_can_fail() -> None:
    found = {f"{one.test}: {one.why}" for one in in_this_house() if one.test not in MAY_BE_IDLE}
    assert not found


def test_listed_idle_tests_exist_and_are_idle() -> None:
    assert not MAY_BE_IDLE.keys() - {one.test for one in in_this_house()}


def faults(body: str, helpers: str = "") -> list[str]:
    """Return the faults that are found in a test with this body, in a module with these helpers."""
    module = ast.parse(
        dedent(helpers) + "def test_it(things):\n" + "".join(f"    {line}\n" for line in body.split("\n"))
    )
    return [one.why for one in idle_tests({"tests/test_it.py": module})]


NOTHING = ["nothing in it surely checks anything"]


class TestIdleTests:
    @pytest.mark.parametrize(
        "body",
        [
            "table.play(says('athens', 'done'))",  # nothing is asserted
            "assert True",
            "for one in things:\n    assert one.fits",  # there may be none
            "assert all(one.fits for one in things)",
            "if things:\n    assert things[0].fits",
            "for one in (1, 2):\n    if one in things:\n        continue\n    assert one",
            "with suppress(RuleViolation):\n    assert decide(things)",
            "try:\n    assert decide(things)\nexcept AssertionError:\n    pass",
            "[check(one) for one in things]",
            "def check():\n    assert things",  # it is never called
        ],
    )
    def test_body_without_a_sure_check_is_found(self, body: str) -> None:
        assert faults(body, "def check(one):\n    assert one\n") == NOTHING

    @pytest.mark.parametrize(
        "body",
        [
            "assert things == [1]",
            "for one in (1, 2):\n    assert one in things",
            "for one in at_least_one(things):\n    assert one.fits",
            "assert all(one.fits for one in at_least_one(things))",
            "with pytest.raises(RuleViolation, match='not now'):\n    decide(things)",
            "if things:\n    assert things[0]\nelse:\n    assert done",
            "check(things)",
            "assert not [one for one in things if one.wrong]",
        ],
    )
    def test_body_with_a_sure_check_is_not_found(self, body: str) -> None:
        helpers = (
            "def check(one):\n    if one:\n        raise AssertionError\ndef at_least_one(those):\n    assert those\n"
        )
        assert faults(body, helpers) == []

    @pytest.mark.parametrize("error", ["Exception", "BaseException"])
    def test_any_error_at_all(self, error: str) -> None:
        assert faults(f"with pytest.raises({error}):\n    decide(things)") == ["it waits for any error at all (line 2)"]
        passes = f"assert things\ntry:\n    decide(things)\nexcept {error}:\n    pass"
        assert faults(passes) == ["it lets any error pass (line 5)"]
        assert faults(f"assert things\nwith suppress({error}):\n    decide()") == ["it lets any error pass (line 3)"]

    def test_assertion_of_a_value_just_written_is_found(self) -> None:
        assert faults("ship.level = 'cruise'\nassert ship.level == 'cruise'") == [
            "it asserts what it has just written (line 3)"
        ]

    def test_helper_that_checks_only_sometimes_does_not_count(self) -> None:
        assert faults("check(things)", "def check(those):\n    for one in those:\n        assert one\n") == NOTHING
