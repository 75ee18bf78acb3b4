"""Faults of Federation & Empire that were found when it was played by hand."""

from tests.face.domain import UnitChanged, way
from tests.titles.federation_table import War, battle, ship, war
from tests.titles.test_federation_offers import offered

A, C = "alliance", "coalition"
D7, CC, FF = ship("K-D7", "klingon", "1206"), ship("Z-CC", "kzinti", "0902"), ship("Z-FF", "kzinti", "1003")


def test_fourth_raider_that_was_designated_is_offered_its_raid() -> None:
    """Federation & Empire 3A-3B (320.311)."""
    drones = [ship(f"K-D{n}D", "klingon", "1306", "drone") for n in range(1, 5)]
    table = war(D7, CC, FF, *drones, options={"raids": True}).to("3A-3A").says(C, "raid", unit="K-D4D").to("3A-3B")
    assert "raid" in offered(table, C)


def test_prime_team_at_its_target_is_offered_its_mission() -> None:
    """Federation & Empire 3A-2H (534.12)."""
    team = ship("K-PT", "klingon", "raid-pool", "team")
    table = war(D7, CC, FF, team, options={"raids": True, "prime_teams": True}).to("3A-2B")
    table.says(C, "raid", unit="K-PT", path=["0902"]).to("3A-2H")
    assert "disrupt" in offered(table, C)
    table.says(C, "disrupt", unit="K-PT", how="espionage")


class TestNoReactionToAStation:
    """Federation & Empire 3B3 (205.0): a unit deployed in 3A-6D has not moved in 3B2."""

    def deployed(self) -> War:
        other = ship("K-F5", "klingon", "1306")
        table = war(D7, other, CC, FF, options={"raids": True, "pacification": True}).to("3A-6A")
        table.says(C, "emplace", unit="K-PS", at="1205", empire="klingon").to("3A-6D")
        return table.says(C, "move-units", units=["K-D7"], path=["1205"]).to("3B2")

    def test_reaction_before_a_move_is_refused(self) -> None:
        table = self.deployed()
        early = table.tries(A, "react", units=["Z-FF"], path=["1103"])
        early.then_refused("no-enemy-moved", rule="205.0")

    def test_reaction_after_a_move_is_accepted(self) -> None:
        table = self.deployed().says(C, "move-units", units=["K-F5"], path=["1305"])
        table.says(A, "react", units=["Z-FF"], path=list(way("1003", "1103")))


def test_small_scale_combat_makes_no_unit_retreat() -> None:
    """Federation & Empire 5-3K (310.0): a side retreats in 5-7."""
    table = battle(ship("K-D7", "klingon", "1105"), ship("Z-CC", "kzinti", "1105"))
    table.to("5-3B/size").done(C, answer="small").to("5-3K").rolled()
    table.tries(C, "suffer", unit="K-D7", outcome="retreats").then_refused("retreats-later", rule="5-3K", unit="K-D7")


def test_web_caster_without_an_isc_ship_passes_5_3x5() -> None:
    """Federation & Empire 5-3X5 (525.74C)."""
    web = ship("T-D", "tholian", "1105", "web")
    on = {"web": True, "isc": True}
    assert "5-3X5" not in battle(ship("K-D7", "klingon", "1105"), web, options=on).to("5-4C3").steps()
    isc = ship("K-ISC", "klingon", "1105", "isc")
    table = battle(ship("K-D7", "klingon", "1105"), isc, web, options=on).to("5-3X5")
    assert table.game.cursor.waiting() == (A,)


def test_captured_ship_keeps_no_move_as_a_reserve_of_its_owner() -> None:
    """Federation & Empire 5-6X1 (305.1), 9A (507.1)."""
    lame = ship("Z-FF", "kzinti", "1105", crippled=True)
    other = ship("Z-CC", "kzinti", "1105")
    table = battle(ship("K-D7", "klingon", "1105"), other, lame).to("5-6X1")
    table.story.given(UnitChanged(unit="Z-FF", attribute="reserve_moved", before=None, after="turn 1 of coalition"))
    table.says(C, "capture", 6, unit="Z-FF", at_least=5)
    assert table.game.units["Z-FF"].get("reserve_moved") is None
