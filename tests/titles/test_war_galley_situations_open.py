"""War Galley: situations in which the printed page expects something else."""

from tests.titles.war_galley_table import battle, flag, says, ship, tie, to_command


def test_boarding_segment_without_manpower_is_passed() -> None:
    """E.2: boarding requires at least an M1 rating."""
    table = battle(
        flag("athens-1", "0505", "a1", manpower=0), flag("syracuse-1", "0506", "s1"), ship("syracuse-9", "2015")
    )
    tie(table, "athens-1", "syracuse-1")
    to_command(table).play(says("athens", "pick", member="a1"))
    table.when(says("athens", "done")).then_open("E.squadron")
