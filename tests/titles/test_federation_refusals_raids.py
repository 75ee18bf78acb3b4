"""Check the refusals of raid orders in phase 3A of Federation & Empire, each with its rule and remedy."""

import pytest

from tests.face.domain import (
    AccountChanged,
    DiceRolled,
    MarkerSet,
    UnitChanged,
    UnitMoved,
    UnitPlaced,
    way,
)
from tests.titles.federation_table import Line, War, figures, ship, war

A, C = "alliance", "coalition"
D7, CC, FF = ship("K-D7", "klingon", "1206"), ship("Z-CC", "kzinti", "0902"), ship("Z-FF", "kzinti", "1003")
RAIDER, IDLE = ship("K-F5", "klingon", "raid-pool"), ship("K-E4", "klingon", "raid-pool")
LAME = ship("K-D5", "klingon", "raid-pool", crippled=True)
DRONE = ship("K-D6D", "klingon", "1306", "drone")
THERE = list(way("1306", "0902"))
OPTIONS = {"raids": True, "pacification": True}


def raids(*more: Line) -> War:
    return war(D7, RAIDER, IDLE, CC, FF, *more, options=OPTIONS)


def raid() -> War:
    """Let K-F5 raid 0902; K-E4 stays in the pool."""
    return raids().to("3A-2B").says(C, "raid", unit="K-F5", path=["0902"])


def special_raid() -> War:
    """Let K-D6D raid 0902."""
    table = raids(DRONE).to("3A-3A").says(C, "raid", unit="K-D6D").to("3A-3B")
    return table.says(C, "raid", unit="K-D6D", path=THERE)


def runner() -> War:
    """Designate K-F5 as a blockade runner, which is still in the pool."""
    return raids().to("3A-4A").says(C, "raid", unit="K-F5").to("3A-4B")


class TestThePool:
    def test_ship_joins_it_from_outside_and_leaves_it_from_inside(self) -> None:
        table = raids().to("3A-1A")
        again = table.tries(C, "pool", unit="K-F5")
        again.then_refused("in-raid-pool", rule="3A-1A", unit="K-F5")
        out = table.tries(C, "pool", unit="K-D7", to="1306")
        out.then_refused("not-in-raid-pool", rule="3A-1A", unit="K-D7")
        table.says(C, "pool", unit="K-F5", to="1206").story.then(UnitMoved, unit="K-F5", path=("raid-pool", "1206"))
        table.says(C, "pool", unit="K-D7").story.then(UnitMoved, unit="K-D7", path=("1206", "raid-pool"))

    def test_crippled_raider_goes_to_its_capital(self) -> None:
        """Use the border war, in which only the Kzinti have a capital, 0902."""
        units = D7, ship("Z-DD", "kzinti", "raid-pool"), ship("Z-DE", "kzinti", "raid-pool")
        table = war(*units, turn_order=[A, C], options=OPTIONS).to("3A-2B")
        table.says(A, "raid", unit="Z-DD", path=["1206"]).to("3A-2E").rolled().says(
            A, "suffer", unit="Z-DD", outcome="crippled"
        )
        table.to("3A-5C")
        whole = table.tries(A, "pool", unit="Z-DE", to="0902")
        whole.then_refused("not-crippled-raiding", rule="320.11", unit="Z-DE")
        elsewhere = table.tries(A, "pool", unit="Z-DD", to="1003")
        elsewhere.then_refused("not-the-capital", rule="320.11", place="1003", empire="kzinti", capital="0902")
        table.says(A, "pool", unit="Z-DD", to="0902")
        assert table.game.units["Z-DD"].at == "0902"


class TestNormalRaids:
    def test_raider_comes_whole_from_the_pool_and_names_its_hex(self) -> None:
        table = raids(LAME).to("3A-2B")
        map_ship = table.tries(C, "raid", unit="K-D7", path=["0902"])
        map_ship.then_refused("raider-not-in-pool", rule="314.21", unit="K-D7")
        crippled = table.tries(C, "raid", unit="K-D5", path=["0902"])
        crippled.then_refused("raider-crippled", rule="314.21", unit="K-D5")
        nowhere = table.tries(C, "raid", unit="K-F5")
        nowhere.then_refused("path-missing", rule="3A-2B")
        table.says(C, "raid", unit="K-F5", path=["0902"]).story.then(UnitMoved, unit="K-F5", path=("raid-pool", "0902"))
        assert table.game.units["K-F5"].get("raid_kind") == "normal"

    def test_sabotage_without_a_table_needs_a_number(self) -> None:
        table = raids().to("3A-1B").says(C, "resist", kind="sabotage", at="0902").to("3A-2A")
        unsaid = table.tries(C, "resist", 5, kind="sabotage", at="0902")
        unsaid.then_refused("die-result-missing", rule="3A-2A")
        table.says(C, "resist", 5, kind="sabotage", at="0902", at_least=4).story.then(DiceRolled, outcome="success")

    def test_reaction_ends_in_the_hex_of_the_raider(self) -> None:
        table = raid().to("3A-2C")
        for path in ([], ["0903"]):
            short = table.tries(A, "answer-raid", at="0902", unit="Z-FF", path=path)
            short.then_refused("does-not-reach", rule="314.241", unit="Z-FF", at="0902")
        table.says(A, "answer-raid", at="0902", unit="Z-FF", path=["0903", "0902"])
        table.story.then(UnitMoved, unit="Z-FF", cause="reaction")

    def test_police_have_an_id_of_their_own(self) -> None:
        table = raid().to("3A-2C")
        call = {"at": "0902", "police": True, "empire": "kzinti"}
        taken = table.tries(A, "answer-raid", unit="Z-FF", **call)
        taken.then_refused("police-id-used", rule="314.243", unit="Z-FF")
        table.says(A, "answer-raid", unit="Z-POL", **call).story.then(UnitPlaced, unit="Z-POL", kind="POL")

    def test_raiders_are_fought_in_their_hex_by_units_there(self) -> None:
        table = raid().to("3A-2D")
        quiet = table.tries(A, "fight-raiders", at="1003", units=["Z-FF"])
        quiet.then_refused("nobody-raids-there-now", rule="314.251", at="1003", hexes="0902")
        absent = table.tries(A, "fight-raiders", at="0902", units=["Z-FF"])
        absent.then_refused("fighters-elsewhere", rule="314.251", unit="Z-FF", at="1003", place="0902")
        table.says(A, "fight-raiders", at="0902", units=["Z-CC"])
        table.story.then(MarkerSet, marker="fights 0902", after=("Z-CC",))

    def test_round_of_combat_is_fought_in_one_hex(self) -> None:
        table = raid().says(C, "raid", unit="K-E4", path=["1003"]).to("3A-2E")
        apart = table.tries(A, "skirmish", 3, units=["Z-CC", "Z-FF"])
        apart.then_refused("units-in-several-hexes", rule="3A-2E", places="0902 and 1003")
        assert figures(table.says(A, "skirmish", 3, units=["Z-CC"]).story.then(DiceRolled).purpose) == ["0902", "6"]

    def test_cripple_is_not_crippled_again_and_bases_do_not_retreat(self) -> None:
        base, hurt = ship("Z-BS", "kzinti", "0902", base=True), ship("Z-DD", "kzinti", "0902", crippled=True)
        table = raids(base, hurt).to("3A-2B").says(C, "raid", unit="K-F5", path=["0902"]).to("3A-2E").rolled()
        again = table.tries(A, "suffer", unit="Z-DD", outcome="crippled")
        again.then_refused("crippled-before", rule="3A-2E", unit="Z-DD")
        away = table.tries(A, "suffer", unit="Z-BS", outcome="retreats")
        away.then_refused("base-or-carried-stays", rule="3A-2E", unit="Z-BS", kind="a base")
        table.says(A, "suffer", unit="Z-BS", outcome="crippled").story.then(UnitChanged, unit="Z-BS", after=True)

    def test_only_a_raider_at_its_target_disrupts(self) -> None:
        table = raid().to("3A-2H")
        pooled = table.tries(C, "disrupt", unit="K-E4")
        pooled.then_refused("not-a-raider-on-map", rule="314.27", unit="K-E4")
        table.says(C, "disrupt", unit="K-F5").story.then(MarkerSet, marker="disrupted 0902", after=1)

    def test_only_a_raider_that_is_out_comes_back(self) -> None:
        table = raid().to("3A-2J")
        for stays in ("K-D7", "K-E4"):
            never = table.tries(C, "recall", unit=stays)
            never.then_refused("not-out-raiding", rule="314.273", unit=stays)
        table.says(C, "recall", unit="K-F5").story.then(UnitMoved, unit="K-F5", cause="back")


class TestSpecialRaids:
    def test_special_raider_was_designated(self) -> None:
        table = raids(DRONE).to("3A-3A").says(C, "raid", unit="K-D6D").to("3A-3B")
        other = table.tries(C, "raid", unit="K-D7", path=["0902"])
        other.then_refused("not-designated-to-raid", rule="320.311", unit="K-D7", letter=3)
        table.says(C, "raid", unit="K-D6D", path=THERE).story.then(UnitMoved, path=("1306", *THERE))
        assert table.game.units["K-D6D"].get("raid_kind") == "special"

    def test_drones_are_intercepted_on_their_way(self) -> None:
        table = special_raid().to("3A-3F")
        quiet = table.tries(A, "intercept-at", at="1003")
        quiet.then_refused("no-drone-raider", rule="320.35", at="1003", hexes="0902")
        table.says(A, "intercept-at", at="0902").story.then(MarkerSet, marker="interception", after=("0902",))


class TestBlockadeRuns:
    def test_runner_is_loaded_from_the_treasury(self) -> None:
        table = runner()
        other = table.tries(C, "load", unit="K-E4", ep=1)
        other.then_refused("not-designated-runner", rule="320.52", unit="K-E4")
        table.tries(C, "load", unit="K-F5", ep=61).then_refused("loads-too-much", rule="320.52", held=60, limit=60)
        table.says(C, "load", unit="K-F5", ep=60).story.then(AccountChanged, account="klingon/EP", amount=-60)

    @pytest.mark.parametrize("named", ["K-E4", "Z-FF", ""])
    def test_only_a_runner_is_tried(self, named: str) -> None:
        table = runner().to("3A-4C").says(C, "raid", unit="K-F5", path=["0902"]).to("3A-4D")
        other = table.tries(A, "roll-intercept", 4, runner=named, at_least=4)
        other.then_refused("not-a-blockade-runner", rule="320.5", runners="K-F5")
        table.says(A, "roll-intercept", 4, runner="K-F5", at_least=4).story.then(DiceRolled, outcome="success")

    def test_only_a_runner_at_its_target_stays_there(self) -> None:
        table = runner().to("3A-4C").says(C, "raid", unit="K-F5", path=["0902"]).to("3A-4H")
        other = table.tries(C, "stay-there", unit="K-D7")
        other.then_refused("runner-not-at-target", rule="320.514", unit="K-D7")
        table.says(C, "stay-there", unit="K-F5").story.then(UnitChanged, attribute="raid_kind", after=None)


class TestStations:
    def test_station_has_an_id_of_its_own(self) -> None:
        table = raids().to("3A-6A")
        taken = table.tries(C, "emplace", unit="K-D7", at="1206", empire="klingon")
        taken.then_refused("id-used-already", rule="544.21", unit="K-D7")
        table.says(C, "emplace", unit="K-PS", at="1206", empire="klingon").story.then(UnitPlaced, kind="PS")
