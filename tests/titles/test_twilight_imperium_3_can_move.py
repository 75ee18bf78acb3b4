"""Check that play waits for moves only if a ship can move: range, counters, enemies on its way, Fleet area."""

import pytest

from tests.face.domain import (
    MoveShips,
    StepClosed,
    offered,
    twilight_imperium_3_TITLE as TITLE,
)
from tests.face.testing import Story
from tests.titles.twilight_imperium_3_table import activate, galaxy, says, unit

CRUISER = unit("sol-cruiser-1", "home-sol")
FLEETS = {"sol": {"fleet": 0}}


def is_offered(table: Story) -> bool:
    return offered(TITLE, table.game, MoveShips, "sol", TITLE.plan.step(table.game.cursor.open[0].step))


def test_move_ships_within_range_is_offered() -> None:
    """Twilight Imperium TA.2: a Cruiser moves two systems."""
    assert is_offered(activate(galaxy(CRUISER), "quann-space"))


@pytest.mark.parametrize(
    ("units", "more"),
    [
        ((), {}),
        ((unit("sol-carrier-1", "home-sol"),), {}),
        ((unit("sol-ground-force-1", "jord"),), {}),
        ((CRUISER,), {"sheets": FLEETS}),
        ((unit("sol-cruiser-1", "home-sol"), unit("mentak-cruiser-1", "wellon-space")), {}),
    ],
    ids=["no unit", "too far", "no ship", "no counter in Fleet", "enemies on the way"],
)
def test_move_ships_if_none_can_is_idle(units: tuple[dict[str, object], ...], more: dict[str, object]) -> None:
    """Twilight Imperium TA.2."""
    table = activate(galaxy(*units, **more), "quann-space")
    assert not is_offered(table)
    table.when(says("sol", "done")).then(StepClosed, step="TA.2", side="sol", how="idle")


def test_move_ships_in_the_activated_system_is_not_offered() -> None:
    """Twilight Imperium TA.2: ships do not leave a system that holds a counter."""
    assert not is_offered(activate(galaxy(CRUISER), "home-sol"))


def test_move_ships_in_a_transfer_is_offered() -> None:
    """Twilight Imperium TR.2: between the two systems that were activated."""
    table = galaxy(CRUISER, unit("sol-ground-force-1", "wellon"))
    table.play(says("sol", "take-action", action="transfer"))
    table.play(says("sol", "transfer", first="home-sol", second="wellon-space"))
    assert is_offered(table.then_open("TR.2"))
