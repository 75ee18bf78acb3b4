"""War Galley, the companion notes: a fleet that has lost its only Admiral may withdraw."""

import pytest

from tests.face.domain import (
    AccountChanged,
    DiceRolled,
    GameEnded,
)
from tests.face.testing import Story
from tests.titles.test_war_galley_status import to_status
from tests.titles.war_galley_table import battle, change, flag, says, ship, tie, to_movement

RULE = "withdrawal"
NOTES = {"withdrawal": True}
"""The scenario plays by the companion notes."""


def boarded(*, behind: int = 0, **more: object) -> Story:
    """Take Syracuse's flagship, with an Admiral of initiative 3; `behind`: points that Athens has in advance."""
    table = battle(
        flag("athens-1", "0505", "left", manpower=5),
        ship("athens-9", "1915"),
        flag("syracuse-1", "0504", "foe", admiral=True, initiative=3, ram_defense=1),
        ship("syracuse-2", "1505"),
        **{"options": NOTES, **more},
    )
    tie(table, "athens-1", "syracuse-1")
    if behind:
        change(table, "syracuse-2", "worth_to", "athens")
    to_movement(table, "left")
    if table.when(says("athens", "done")).refusal:
        table.play(says("athens", "stay"), says("athens", "done"))
    return table.play(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1"))


def added(table: Story) -> list[int]:
    """Return what was added to the die of the last order, in order."""
    return [one.amount for event in table.events if isinstance(event, DiceRolled) for one in event.modifiers]


class TestLossOfTheAdmiral:
    def test_loss_of_the_admiral_stops_play_for_a_roll(self) -> None:
        table = boarded().then_open("withdrawal")
        assert table.game.cursor.waiting() == ("syracuse",)
        table.when(says("syracuse", "done")).then_refused(
            "orders-required",
            rule="War Galley withdrawal",
            orders=("test-fleet",),
        )
        table.when(says("athens", "test-fleet", 1)).then_refused(
            "step-of-another-side", rule="withdrawal", seat="athens"
        )

    def test_total_of_7_withdraws_the_fleet_for_25_points(self) -> None:
        """Roll 3 + 3 + 1 = 7: the captured flagship is worth 2 already, so Syracuse has fewer points."""
        table = boarded().when(says("syracuse", "test-fleet", 3))
        table.then(DiceRolled, total=7, outcome="withdraws", rule=RULE)
        assert added(table) == [3, 1], "the Admiral's initiative, and one for fewer points"
        table.then(AccountChanged, account="vp/athens", amount=2)
        table.then(AccountChanged, account="vp/athens", amount=25, after=27)
        table.then(GameEnded, winner="athens", rule=RULE)

    def test_total_of_6_continues_the_segment(self) -> None:
        table = boarded().when(says("syracuse", "test-fleet", 2))
        table.then(DiceRolled, total=6, outcome="fights on")
        assert not table.game.ended
        assert table.game.cursor.open[0].step != "withdrawal"

    def test_equal_points_add_nothing(self) -> None:
        table = battle(
            flag("athens-1", "0505", "left", manpower=5),
            flag("syracuse-1", "0504", "foe", admiral=True, initiative=3, ram_defense=1),
            ship("syracuse-2", "1505"),
            options=NOTES,
        )
        tie(table, "athens-1", "syracuse-1")
        change(table, "athens-1", "rammed", True)
        change(table, "athens-1", "worth_to", "syracuse")
        to_movement(table, "left")
        if table.when(says("athens", "done")).refusal:
            table.play(says("athens", "stay"), says("athens", "done"))
        table.play(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1"))
        table.when(says("syracuse", "test-fleet", 3))
        table.then(DiceRolled, total=6)
        assert added(table) == [3], "the Admiral's initiative alone"

    @pytest.mark.parametrize("options", [{}, {"withdrawal": False}])
    def test_admiral_lost_without_the_notes_ends_nothing(self, options: dict[str, bool]) -> None:
        """Play without the rule if the scenario is silent: the page has no such rule."""
        table = boarded(options=options)
        assert table.game.cursor.open[0].step != "withdrawal"
        assert table.game.options == {"withdrawal": False}

    def test_flagship_sunk_in_g4_loses_the_admiral(self) -> None:
        table = battle(
            flag("athens-1", "0505", "left", admiral=True, initiative=1),
            ship("athens-2", "0905"),
            ship("syracuse-1", "1515"),
            options=NOTES,
        )
        change(table, "athens-1", "rammed", True)
        change(table, "athens-1", "worth_to", "syracuse")
        to_status(table).then_open("G.4")
        table.when(says("athens", "check-sinking", 6)).then_open("withdrawal")
        table.when(says("athens", "test-fleet", 4)).then(DiceRolled, total=6, outcome="fights on")
        table.then_open("A")

    def test_side_without_ships_loses_without_a_withdrawal_roll(self) -> None:
        table = battle(flag("athens-1", "0505", "left", admiral=True), ship("syracuse-1", "1515"))
        change(table, "athens-1", "rammed", True)
        to_status(table).when(says("athens", "check-sinking", 6)).then(GameEnded, winner="syracuse")

    @pytest.mark.parametrize("admiral", [True, False])
    def test_only_an_admirals_ship_counts(self, admiral: bool) -> None:
        table = battle(
            flag("athens-1", "0505", "left", admiral=admiral),
            ship("athens-2", "0905"),
            ship("syracuse-1", "1515"),
            options=NOTES,
        )
        change(table, "athens-1", "rammed", True)
        to_status(table).when(says("athens", "check-sinking", 6))
        assert (table.game.cursor.open[0].step == "withdrawal") is admiral
