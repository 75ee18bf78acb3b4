"""Twilight Imperium: situations in which the printed page expects something else."""

from tests.titles.twilight_imperium_3_table import invade, says, some, unit


def test_ground_casualties_of_the_defender_may_come_first() -> None:
    """IC.4: each player assigns its casualties; only SB.3 prints an order."""
    table = invade(2, *some("mentak-ground-force", 2, "quann")).then_open("IC.3")
    table.play(says("sol", "roll-combat", 10, 1), says("mentak", "roll-combat", 10, 1)).then_open("IC.4")
    table.when(says("mentak", "assign-hits", to=["mentak-ground-force-1"])).then_accepted()
    table.when(says("sol", "assign-hits", to=["sol-ground-force-1"])).then_open("IC.3")


def test_bombardment_of_a_planet_without_ground_forces_is_passed() -> None:
    """IC.1: a hit removes a Ground Force, and only a Space Dock is there."""
    table = invade(1, unit("sol-war-sun-1", "wellon-space"), unit("mentak-space-dock-1", "quann"))
    assert table.game.cursor.opened("IC.1") is None
