"""Federation & Empire: the sentences that say why a step is passed, all in one place."""

from collections.abc import Callable

import pytest

from tests.face.domain import StepPassed
from tests.titles.federation_table import War, battle, ship, war

A, C = "alliance", "coalition"
D7, CC = ship("K-D7", "klingon", "1206"), ship("Z-CC", "kzinti", "0902")
HERE, THERE = ship("K-D6", "klingon", "1105"), ship("Z-DD", "kzinti", "1105")


def base_wins() -> War:
    table = battle(HERE, ship("Z-BATS", "kzinti", "1105", base=True)).to("5-7A1")
    return table.done(A, answer="stay").done(C, answer="retreat").done(A, answer="stay")


def x_ship_of_the_phasing_side() -> War:
    return war(D7, ship("K-X", "klingon", "1206", "x"), CC, options={"x_ships": True}).to("6E")


def plain_round() -> War:
    return battle(HERE, THERE, options={"ground_combat": True, "prime_teams": True}).to("5-7A1")


def defender_with_few_points() -> War:
    table = battle({**HERE, "attack": 12}, THERE).to("5-4C4").says(C, "score", points=12)
    return table.says(A, "score", points=6).to("5-5B").done(C)


@pytest.mark.parametrize(
    ("step", "play", "why"),
    [
        ("1E", lambda: war(D7, CC).to("1F"), "option admirals is off"),
        ("11", lambda: war(D7, CC).to("10D").done(A, C).to("10D").done(A, C), "option orions is off"),
        ("5-3X1", plain_round, "nobody here has retreated to it"),
        ("5-4A5", plain_round, "no unit here has troops"),
        ("5-5C", defender_with_few_points, "no defender has enough points to direct at any unit"),
        ("5-6C", plain_round, "no Prime Team has lost its ship"),
        ("5-6H", plain_round, "no tug was assigned to rescue"),
        ("5-6X3", plain_round, "no unit was named for troop assaults"),
        ("5-6X4", plain_round, "no ground assault was designated"),
        ("5-7B", base_wins, "the pursuer has no ship in the hex"),
        ("6D3", x_ship_of_the_phasing_side, "no non-phasing side has an X-ship"),
        ("10B", lambda: war(D7, CC, options={"wyn": True}).to("10C"), "no WYN transfer funds are under way"),
    ],
)
def test_passed_step_says_why(step: str, play: Callable[[], War], why: str) -> None:
    assert [one.why for one in play().events if isinstance(one, StepPassed) and one.step == step] == [why]
