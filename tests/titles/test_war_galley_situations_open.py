"""War Galley: situations in which the printed page expects something else."""

from tests.titles.test_war_galley_situations import board, points, ram, rests
from tests.titles.war_galley_table import battle, finish_activations, flag, says, ship, tie, to_command


def test_boarding_segment_without_manpower_is_passed() -> None:
    """E.2: boarding requires at least an M1 rating."""
    table = battle(
        flag("athens-1", "0505", "a1", manpower=0), flag("syracuse-1", "0506", "s1"), ship("syracuse-9", "2015")
    )
    tie(table, "athens-1", "syracuse-1")
    to_command(table).play(says("athens", "pick", member="a1"))
    table.when(says("athens", "done")).then_open("E.squadron")


def test_prize_rammed_by_both_sides_counts_for_both() -> None:
    """H.a and H.b: rammed and taken by Athens, then rammed by Syracuse."""
    table = battle(
        ship("athens-1", "0505"),
        ship("athens-2", "0605"),
        ship("syracuse-1", "0506"),
        ship("syracuse-2", "0507"),
        ship("syracuse-3", "1515"),
    )
    tie(table, "athens-2", "syracuse-1")
    ram(to_command(table), "athens-1", "syracuse-1")
    table.play(says("syracuse", "pick", member="syracuse-3"), says("syracuse", "test-crew", 1))
    rests(table, "syracuse")
    board(table, "athens-2", "syracuse-1")
    ram(table, "syracuse-2", "syracuse-1")
    finish_activations(table).play(says("athens", "check-sinking", 1)).then_open("A")
    assert points(table) == (4, 3)
