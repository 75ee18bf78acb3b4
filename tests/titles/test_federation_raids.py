"""Phase 3A as printed: who is asked about a raid, who fights it, once, and what comes back; moves hex by hex, once."""

import pytest

from tests.titles.federation_table import Line, War, ship, war
from umpire_ledger.domain.game.events import AccountChanged, MarkerSet, StepPassed, UnitChanged, UnitMoved
from umpire_ledger.domain.titles.federation_and_empire.hexes import way

A, C, ISC = "alliance", "coalition", "isc"
R1, R2 = ship("K-R1", "klingon", "raid-pool"), ship("K-R2", "klingon", "raid-pool")
D7 = ship("K-D7", "klingon", "1206")
CC, FF, PC = ship("Z-CC", "kzinti", "0902"), ship("Z-FF", "kzinti", "1003"), ship("T-PC", "tholian", "1004")
DRONE = ship("K-D6D", "klingon", "1306", "drone", attack=7)
OPTIONS = {"raids": True, "pacification": True}


def raids(*more: Line, **options: bool) -> War:
    return war(R1, R2, D7, CC, FF, PC, *more, options={**OPTIONS, **options})


def raid_on_0902(*more: Line) -> War:
    return raids(*more).to("3A-2B").says(C, "raid", unit="K-R1", path=["0902"])


class Test3A1A:
    def test_a_general_goes_with_a_ship_of_the_pool(self) -> None:
        general = ship("K-GEN", "klingon", "1206", "leader", "general")
        table = raids(general).to("3A-1A")
        on_map = table.tries(C, "transfer-leader", leader="K-GEN", ship="K-D7")
        on_map.then_refused(rule="320.45", says="K-D7 is not in the Raid Pool", do="ship of the Raid Pool")
        table.says(C, "transfer-leader", leader="K-GEN", ship="K-R1")
        again = table.tries(C, "transfer-leader", leader="K-GEN", ship="K-R2")
        again.then_refused(rule="320.45", says="changed ships already", do="leave him")
        table.to("3A-2B").says(C, "raid", unit="K-R1", path=["0902"])
        assert table.game.units["K-GEN"].at == "0902"
        table.to("3A-3A")
        assert table.game.units["K-GEN"].at == "raid-pool"

    def test_an_admiral_has_no_commando_raid(self) -> None:
        table = raids(ship("K-ADM", "klingon", "1206", "leader")).to("3A-1A")
        admiral = table.tries(C, "transfer-leader", leader="K-ADM", ship="K-R1")
        admiral.then_refused(rule="320.45", says="no Marine general", do="there is none")

    def test_a_base_and_a_box_are_not_for_the_pool(self) -> None:
        base = ship("K-SB", "klingon", "1206", base=True)
        table = raids(base).to("3A-1A")
        table.tries(C, "pool", unit="K-SB").then_refused(rule="3A-1A", says="no ship that is active", do="one that is")
        nowhere = table.tries(C, "pool", unit="K-R1", to="the-moon")
        nowhere.then_refused(rule="3A-1A", says="the-moon is no hex", do="four digits")

    def test_ships_join_it_before_the_raids_alone(self) -> None:
        late = raids().to("3A-5B").tries(C, "pool", unit="K-D7")
        late.then_refused(rule="314.12", says="3A-1A alone", do="where it goes")
        early = raids().to("2B7").tries(C, "pool", unit="K-D7")
        early.then_refused(rule="538.51", says="K-D7 is a ship", do="3A-1A")


class Test3A2B:
    def test_a_ship_raids_once_and_a_decoy_never(self) -> None:
        table = raid_on_0902(ship("R-DCY", "romulan", "raid-pool", "decoy"))
        again = table.tries(C, "raid", unit="K-R1", path=["1003"])
        again.then_refused(rule="314.21", says="K-R1 has gone to 0902", do="name another")
        decoy = table.tries(C, "raid", unit="R-DCY", path=["1003"])
        decoy.then_refused(rule="314.21", says="no ship and no team", do="a raider")

    def test_who_raided_runs_no_blockade(self) -> None:
        table = raid_on_0902().to("3A-4A")
        table.tries(C, "raid", unit="K-R1").then_refused(rule="320.51", says="has raided", do="a unit that has not")
        table.says(C, "raid", unit="K-R2")

    def test_the_way_out_of_the_pool_has_no_gaps(self) -> None:
        table = raids().to("3A-2B")
        gap = table.tries(C, "raid", unit="K-R1", path=["1003", "0901"])
        gap.then_refused(rule="314.21", says="gap: 1003 to 0901", do="every hex")
        table.says(C, "raid", unit="K-R1", path=["1003", "0903", "0902"])


class Test3A2C:
    def test_the_target_empire_answers_and_nobody_else(self) -> None:
        table = raid_on_0902().to("3A-2C")
        other = table.tries(A, "answer-raid", at="0902", unit="T-PC", path=["1003", "0903", "0902"])
        other.then_refused(rule="314.241", says="not aimed at tholian", do="for kzinti")
        police = {"at": "0902", "police": True}
        called = table.tries(A, "answer-raid", unit="T-POL", empire="tholian", **police)
        called.then_refused(rule="314.243", says="not aimed at tholian", do="for kzinti")
        table.says(A, "answer-raid", unit="Z-POL", empire="kzinti", **police)
        more = table.tries(A, "answer-raid", unit="Z-POL2", empire="kzinti", **police)
        more.then_refused(rule="314.243", says="police were called", do="`done`")

    def test_a_reaction_goes_hex_by_hex_from_where_the_ship_is(self) -> None:
        table = raid_on_0902().to("3A-2C")
        jump = table.tries(A, "answer-raid", at="0902", unit="Z-FF", path=["0902"])
        jump.then_refused(rule="3A-2C", says="gap: 1003 to 0902", do="every hex")
        table.says(A, "answer-raid", at="0902", unit="Z-FF", path=["0903", "0902"])
        assert table.game.units["Z-FF"].at == "0902"

    def three(self) -> War:
        sides = [{"id": side, "name": side.title()} for side in (C, A, ISC)]
        empires = [
            {"id": empire, "side": side, "name": empire.title(), "letter": letter}
            for empire, side, letter in (("klingon", C, "K"), ("kzinti", A, "Z"), ("isc", ISC, "I"))
        ]
        units = (R1, D7, ship("Z-CC", "kzinti", "0902"), ship("I-CA", "isc", "1401"))
        return war(*units, sides=sides, empires=empires, turn_order=[C, A, ISC], options=OPTIONS)

    @pytest.mark.parametrize(("target", "asked"), [("0902", (A,)), ("1401", (ISC,)), ("1502", (A, ISC))])
    def test_with_three_players_the_one_whose_hex_it_is_is_asked(self, target: str, asked: tuple[str, ...]) -> None:
        """Where nobody's units are, all who do not move are asked."""
        table = self.three().to("3A-2B").says(C, "raid", unit="K-R1", path=[target]).to("3A-2C")
        assert table.game.cursor.waiting() == asked


class Test3A2D:
    def test_it_is_owed_and_nobody_is_an_answer(self) -> None:
        table = raid_on_0902().to("3A-2D")
        table.tries(A, "done").then_refused(rule="314.251", says="who fights", do="fight-raiders")
        table.says(A, "fight-raiders", at="0902").done(A).to("3A-2E")
        nobody = table.tries(A, "skirmish", 3, units=["Z-CC"])
        nobody.then_refused(rule="314.244", says="Z-CC takes no part", do="none")

    def test_who_was_not_named_neither_fights_nor_suffers(self) -> None:
        table = raid_on_0902(ship("Z-DD", "kzinti", "0902")).to("3A-2D")
        table.says(A, "fight-raiders", at="0902", units=["Z-CC"]).done(A)
        table.tries(A, "skirmish", 3, units=["Z-CC", "Z-DD"]).then_refused(rule="314.244", says="Z-DD", do="Z-CC")
        hurt = table.tries(A, "suffer", unit="Z-DD", outcome="crippled")
        hurt.then_refused(rule="314.244", says="Z-DD takes no part", do="Z-CC")
        table.tries(C, "skirmish", 3, units=["K-R2"]).then_refused(rule="314.244", says="K-R2", do="K-R1")
        table.says(A, "skirmish", 3, units=["Z-CC"]).says(A, "suffer", unit="Z-CC", outcome="crippled")
        table.story.then(UnitChanged, unit="Z-CC", attribute="crippled", after=True)


class Test3A2E:
    def test_one_round_a_raid(self) -> None:
        table = raid_on_0902().to("3A-2E").says(A, "skirmish", 3, units=["Z-CC"]).says(C, "skirmish", 4, units=["K-R1"])
        again = table.tries(A, "skirmish", 6, units=["Z-CC"])
        again.then_refused(rule="314.244", says="one round a raid", do="`done`")

    def test_who_was_to_run_a_blockade_and_did_not_is_no_runner_any_more(self) -> None:
        table = raids().to("3A-4A").says(C, "raid", unit="K-R1").to("3B2")
        assert table.game.units["K-R1"].get("raid_kind") is None

    def test_nothing_of_a_raid_is_left_for_movement(self) -> None:
        table = raid_on_0902().to("3A-2E").says(A, "skirmish", 3, units=["Z-CC"]).to("3B2")
        assert not [name for name in table.game.markers if name.startswith(("answer", "fights", "fought"))]

    def test_an_admiral_does_not_fight_by_himself(self) -> None:
        table = raid_on_0902(ship("Z-ADM", "kzinti", "0902", "leader", aboard="Z-CC")).to("3A-2E")
        alone = table.tries(A, "suffer", unit="Z-ADM", outcome="retreats")
        alone.then_refused(rule="314.244", says="Z-ADM takes no part", do="Z-CC")


class Test3A2G:
    def test_only_who_was_beaten_off_moves(self) -> None:
        table = raid_on_0902().to("3A-2E").says(A, "suffer", unit="Z-CC", outcome="retreats").to("3A-2G")
        other = table.tries(A, "move-units", units=["Z-FF"], path=["1002"])
        other.then_refused(rule="314.244", says="Z-FF is not forced to retreat", do="a unit that is")
        table.says(A, "move-units", units=["Z-CC"], path=["0901"]).story.then(UnitMoved, unit="Z-CC", cause="retreat")


class Test3A3:
    def drones(self) -> War:
        return raids(DRONE, ship("K-FI", "klingon", "1306", "fighter")).to("3A-3A")

    def test_drones_fighters_and_pfs_raid_and_nobody_else(self) -> None:
        table = self.drones()
        table.tries(C, "raid", unit="K-D7").then_refused(rule="320.31", says="no drones", do="fighter")
        table.says(C, "raid", unit="K-FI")

    def test_each_owes_its_move_hex_by_hex(self) -> None:
        table = self.drones().says(C, "raid", unit="K-D6D").says(C, "raid", unit="K-FI").to("3A-3B")
        jump = table.tries(C, "raid", unit="K-D6D", path=["1105"])
        jump.then_refused(rule="320.311", says="gap: 1306 to 1105", do="every hex")
        table.says(C, "raid", unit="K-D6D", path=["1205", "1105"])
        table.tries(C, "done").then_refused(rule="320.311", says="K-FI", do="owed")
        table.says(C, "raid", unit="K-FI", path=["1305"]).done(C)

    def test_drones_are_aimed_at_a_hex_of_their_own(self) -> None:
        table = self.drones().says(C, "raid", unit="K-D6D").says(C, "raid", unit="K-FI").to("3A-3B")
        aimed = table.tries(C, "raid", unit="K-FI", path=["1305"], target="1004")
        aimed.then_refused(rule="320.311", says="no drones to aim", do="leave `target` out")
        table.says(C, "raid", unit="K-D6D", path=["1205", "1105"], target="1004")
        assert (table.game.units["K-D6D"].at, table.game.units["K-D6D"].get("raid")) == ("1105", "1004")
        table.says(C, "raid", unit="K-FI", path=["1305"]).to("3A-3F")
        table.tries(A, "intercept-at", at="1305").then_refused(rule="320.35", says="no drone raider", do="1004, 1105")
        table.says(A, "intercept-at", at="1004")

    def test_fighters_are_not_intercepted(self) -> None:
        table = self.drones().says(C, "raid", unit="K-FI").to("3A-3J")
        assert any(isinstance(event, StepPassed) and event.step == "3A-3F" for event in table.events)

    def test_a_group_is_named_and_rolls_and_fights(self) -> None:
        table = self.drones().says(C, "raid", unit="K-D6D").to("3A-3B")
        table.says(C, "raid", unit="K-D6D", path=list(way("1306", "0902"))).to("3A-3F")
        table.says(A, "intercept-at", at="0902").done(A, answer="intercept")
        none = table.tries(A, "roll-intercept", 5, at_least=4)
        none.then_refused(rule="320.351", says="no group", do="`units`")
        table.says(A, "intercept-at", at="0902", units=["Z-CC"])
        other = table.tries(A, "roll-intercept", 5, at_least=4, units=["Z-FF"])
        other.then_refused(rule="320.351", says="the group is Z-CC", do="roll for it")
        table.says(A, "roll-intercept", 5, at_least=4)
        third = table.tries(A, "skirmish", 3, units=["Z-FF"])
        third.then_refused(rule="320.353", says="Z-FF takes no part", do="Z-CC")
        table.says(A, "skirmish", 3, units=["Z-CC"])

    def test_a_base_intercepts_nobody(self) -> None:
        table = raids(DRONE, ship("Z-SB", "kzinti", "0902", base=True)).to("3A-3A").says(C, "raid", unit="K-D6D")
        table.to("3A-3B").says(C, "raid", unit="K-D6D", path=list(way("1306", "0902"))).to("3A-3F")
        base = table.tries(A, "intercept-at", at="0902", units=["Z-SB"])
        base.then_refused(rule="320.35", says="no ship on the map", do="ships on the map")

    def test_a_raider_of_the_map_goes_home_on_the_map(self) -> None:
        table = self.drones().says(C, "raid", unit="K-D6D").to("3A-3B")
        table.says(C, "raid", unit="K-D6D", path=["1205", "1105"]).to("3A-3J")
        pool = table.tries(C, "recall", unit="K-D6D")
        pool.then_refused(rule="320.36", says="came from 1306", do="hex by hex")
        enemy = table.tries(C, "recall", unit="K-D6D", path=["1004"])
        enemy.then_refused(rule="320.36", says="the enemy is at 1004", do="of your own")
        table.says(C, "recall", unit="K-D6D", path=["1205", "1306"]).done(C)
        table.to("3B2").tries(C, "move-units", units=["K-D6D"], path=["1305"]).then_refused(
            rule="3B2", says="has raided", do="leave it out"
        )

    def test_a_rebellion_is_rolled_for_once(self) -> None:
        table = raids().to("3A-3K").says(C, "resist", 3, kind="rebellion", at="0902", at_least=5)
        again = table.tries(C, "resist", 6, kind="rebellion", at="0902", at_least=5)
        again.then_refused(rule="537.3", says="rolled for already", do="another place")


class Test3A4:
    def out(self, **about: int) -> War:
        runner = ship("K-RUN", "klingon", "raid-pool", **about)
        return raids(runner).to("3A-4A").says(C, "raid", unit="K-RUN").to("3A-4B")

    def test_what_comes_home_with_a_runner_is_its_empires_again(self) -> None:
        table = self.out().says(C, "load", unit="K-RUN", ep=3).to("3A-4C").says(C, "raid", unit="K-RUN", path=["1401"])
        table.to("3A-4H").says(C, "load", unit="K-RUN", ep=2).to("3A-4P")
        before = table.game.accounts["klingon/EP"]
        table.says(C, "recall", unit="K-RUN").story.then(AccountChanged, account="klingon/EP", amount=2)
        assert table.game.accounts["klingon/EP"] == before + 2
        assert table.game.accounts["klingon/grid 1401"] == 1
        assert table.game.units["K-RUN"].get("cargo_ep") is None

    def test_a_hold_has_the_room_that_the_scenario_gives_it(self) -> None:
        table = self.out(hold=3)
        table.tries(C, "load", unit="K-RUN", ep=4).then_refused(rule="320.52", says="room for 3", do="at most 3")
        table.says(C, "load", unit="K-RUN", ep=3)

    def test_nothing_is_picked_up_where_nothing_is(self) -> None:
        table = self.out().says(C, "load", unit="K-RUN", ep=3).to("3A-4C").says(C, "raid", unit="K-RUN", path=["1401"])
        table.to("3A-4H")
        more = table.tries(C, "load", unit="K-RUN", ep=5)
        more.then_refused(rule="320.512", says="there are 0 EP", do="at most 3 aboard")
        table.says(C, "load", unit="K-RUN").says(C, "load", unit="K-RUN", ep=2)
        assert table.game.accounts["klingon/grid 1401"] == 1

    def test_a_crippled_runner_loads_nothing(self) -> None:
        table = self.out().to("3A-4C").says(C, "raid", unit="K-RUN", path=["0902"]).to("3A-4D")
        table.says(A, "roll-intercept", 6, runner="K-RUN", at_least=4, units=["Z-FF"]).to("3A-4E")
        table.says(C, "suffer", unit="K-RUN", outcome="crippled").to("3A-4H")
        table.tries(C, "load", unit="K-RUN", cargo=["GCE"]).then_refused(rule="320.54", says="crippled", do="`done`")

    def test_the_runner_that_was_caught_and_its_interceptors_fight(self) -> None:
        table = self.out().to("3A-4C").says(C, "raid", unit="K-RUN", path=["0902"]).to("3A-4D")
        table.says(A, "roll-intercept", 6, runner="K-RUN", at_least=4, units=["Z-FF"])
        table.story.then(MarkerSet, marker="intercepts K-RUN", after=("Z-FF",))
        other = table.to("3A-4E").tries(A, "skirmish", 3, units=["Z-CC"])
        other.then_refused(rule="314.244", says="Z-CC takes no part", do="Z-FF")
        table.says(A, "skirmish", 3, units=["Z-FF"]).says(C, "skirmish", 3, units=["K-RUN"])
        again = table.tries(C, "skirmish", 3, units=["K-RUN"])
        again.then_refused(rule="314.244", says="one round", do="`done`")

    def test_a_runner_goes_back_to_the_pool_and_nowhere_else(self) -> None:
        table = self.out().to("3A-4C").says(C, "raid", unit="K-RUN", path=["1401"]).to("3A-4P")
        away = table.tries(C, "recall", unit="K-RUN", path=["1306"])
        away.then_refused(rule="314.273", says="back to the Raid Pool", do="leave `path` out")
        table.says(C, "recall", unit="K-RUN")


class Test3A6:
    def test_no_more_stations_than_the_scenario_allows(self) -> None:
        table = war(R1, D7, CC, options=OPTIONS, empires=limited(stations=1)).to("3A-6A")
        table.says(C, "emplace", unit="K-PS", at="1401", empire="klingon")
        more = table.tries(C, "emplace", unit="K-PS2", at="1402", empire="klingon")
        more.then_refused(rule="3A-6A", says="1 are allowed", do="`done`")

    def test_forces_go_to_the_new_stations_and_the_enemy_leaves_them(self) -> None:
        table = raids().to("3A-6A").says(C, "emplace", unit="K-PS", at="1003", empire="klingon").to("3A-6B")
        far = table.tries(A, "move-units", units=["Z-CC"], path=["0901"])
        far.then_refused(rule="544.231", says="no station was emplaced at 0902", do="1003")
        table.says(A, "move-units", units=["Z-FF"], path=["1002"]).to("3A-6D")
        away = table.tries(C, "move-units", units=["K-D7"], path=["1106"])
        away.then_refused(rule="544.3", says="no station was emplaced at 1106", do="1003")
        table.says(C, "move-units", units=["K-D7"], path=list(way("1206", "1003"))).to("3B2")
        again = table.tries(C, "move-units", units=["K-D7"], path=["1002"])
        again.then_refused(rule="3B2", says="has moved already", do="that have not")


def limited(**limits: int) -> list[Line]:
    """The Klingons and the Kzintis, the Klingons with limits of their own."""
    return [
        {"id": "klingon", "side": C, "name": "Klingon Empire", "letter": "K", "ep": 60, **limits},
        {"id": "kzinti", "side": A, "name": "Kzinti Hegemony", "letter": "Z", "capital": "0902", "ep": 50},
        {"id": "orion", "side": "orion", "name": "Orion Cartel", "letter": "O"},
    ]


class TestMovesOnce:
    def test_a_unit_moves_once_hex_by_hex(self) -> None:
        table = war(D7, CC).to("3B2").says(C, "move-units", units=["K-D7"], path=["1106"])
        again = table.tries(C, "move-units", units=["K-D7"], path=["1105"])
        again.then_refused(rule="3B2", says="has moved already", do="that have not")

    def test_nobody_leaves_the_pool_by_moving(self) -> None:
        table = raids().to("3B2")
        pooled = table.tries(C, "move-units", units=["K-R2"], path=["1106"])
        pooled.then_refused(rule="3B2", says="raid-pool is no hex", do="units on the map")
        box = table.tries(C, "move-units", units=["K-D7"], path=["the-moon"])
        box.then_refused(rule="3B2", says="the-moon is no hex", do="the hexes they go to")

    def test_an_admiral_goes_nowhere_without_a_ship(self) -> None:
        admiral = ship("K-ADM", "klingon", "1206", "leader", aboard="K-D7")
        table = war(D7, admiral, CC).to("3B2")
        alone = table.tries(C, "move-units", units=["K-ADM"], path=["1106"])
        alone.then_refused(rule="3B2", says="goes with a ship", do="transfer-leader")
        table.says(C, "move-units", units=["K-D7", "K-ADM"], path=["1106"])
        assert table.game.units["K-ADM"].at == "1106"

    def test_a_reserve_that_moved_is_not_formed_again(self) -> None:
        table = war(D7, CC, ship("Z-SB", "kzinti", "0902", base=True), options={"tactical_reserves": True}).to("4A")
        base = table.tries(A, "form-reserve", fleet="2", units=["Z-SB"])
        base.then_refused(rule="543.1", says="no ship on the map", do="ships on the map")
        table.says(A, "form-reserve", fleet="1", units=["Z-CC"]).says(A, "move-reserve", fleet="1", path=["0903"])
        again = table.tries(A, "form-reserve", fleet="1", units=["Z-CC"])
        again.then_refused(rule="543.1", says="has moved as a reserve", do="other units")

    def test_a_unit_goes_back_once(self) -> None:
        table = war(D7, CC).to("6D2").says(C, "retrograde", units=["K-D7"], path=["1306"])
        again = table.tries(C, "retrograde", units=["K-D7"], path=["1206"])
        again.then_refused(rule="206.0", says="went back already", do="that have not")

    def test_a_tactical_retrograde_has_three_hexes(self) -> None:
        base = ship("Z-PS", "kzinti", "0903", "pacification", base=True)
        table = war(D7, CC, base).to("6D1")
        round_about = ["0901", "1001", "1002", "0903"]
        far = table.tries(A, "retrograde", units=["Z-CC"], path=round_about)
        far.then_refused(rule="544.47", says="4 hexes", do="three hexes")
        table.says(A, "retrograde", units=["Z-CC"], path=["0903"])

    def test_the_enemys_x_ships_do_not_react_to_their_own_reserves(self) -> None:
        table = war(D7, CC, ship("Z-X", "kzinti", "0902", "x"), options={"tactical_reserves": True}).to("4A")
        own = table.tries(A, "react", units=["Z-X"], path=["0901"])
        own.then_refused(rule="523.222", says="reserves of their enemy", do="move-reserve")

    def test_who_reacts_leaves_his_reserve(self) -> None:
        fleet = [ship(name, "kzinti", "0902", reserve="R1") for name in ("Z-CC", "Z-FF")]
        table = war(D7, *fleet).to("3B2").says(A, "react", units=["Z-FF"], path=["0903"])
        table.to("4B").says(A, "move-reserve", fleet="R1", path=["0901"])
        assert (table.game.units["Z-CC"].at, table.game.units["Z-FF"].at) == ("0901", "0903")
