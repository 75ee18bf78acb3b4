"""Markers that list names take one name as it is typed by hand, and a counter lies in a system of the map."""

from tests.face.domain import MarkerSet, has_tech
from tests.face.testing import Story
from tests.titles.twilight_imperium_3_table import galaxy, says, unit


def primary() -> Story:
    """Let Sol carry out the primary ability of its card."""
    return galaxy(unit("sol-cruiser-1", "home-sol")).play(says("sol", "take-action", action="strategic"))


def test_mark_counter_as_one_word_is_a_list() -> None:
    table = primary()
    table.when(says("sol", "mark", marker="activated/void", to="sol"))
    table.then(MarkerSet, marker="activated/void", after=("sol",))


def test_mark_counter_of_another_is_refused() -> None:
    primary().when(says("sol", "mark", marker="activated/void", to="letnev")).then_refused(
        "counter-of-another-side", rule="STRAT"
    )


def test_mark_counter_outside_the_map_is_refused() -> None:
    primary().when(says("sol", "mark", marker="activated/viod", to="sol")).then_refused("no-such-system", rule="STRAT")


def test_mark_one_technology_as_a_word_counts() -> None:
    table = primary().play(says("sol", "mark", marker="tech/sol", to="transfabrication"))
    assert has_tech(table.game, "sol", "transfabrication")
