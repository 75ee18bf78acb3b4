"""Check phase 3A as printed: answers to a raid, its one fight, the return of raiders, and moves hex by hex."""

import pytest

from tests.face.domain import (
    AccountChanged,
    MarkerSet,
    StepPassed,
    UnitChanged,
    UnitMoved,
    way,
)
from tests.titles.federation_table import BASE, Line, War, ship, war

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
    def test_general_goes_with_a_ship_of_the_pool(self) -> None:
        general = ship("K-GEN", "klingon", "1206", "leader", "general")
        table = raids(general).to("3A-1A")
        on_map = table.tries(C, "transfer-leader", leader="K-GEN", ship="K-D7")
        on_map.then_refused("ship-not-in-raid-pool", rule="320.45", ship="K-D7")
        table.says(C, "transfer-leader", leader="K-GEN", ship="K-R1")
        again = table.tries(C, "transfer-leader", leader="K-GEN", ship="K-R2")
        again.then_refused("done-this-player-turn", rule="320.45", unit="K-GEN", reason="changed-ships")
        table.to("3A-2B").says(C, "raid", unit="K-R1", path=["0902"])
        assert table.game.units["K-GEN"].at == "0902"
        table.to("3A-3A")
        assert table.game.units["K-GEN"].at == "raid-pool"

    def test_admiral_has_no_commando_raid(self) -> None:
        table = raids(ship("K-ADM", "klingon", "1206", "leader")).to("3A-1A")
        admiral = table.tries(C, "transfer-leader", leader="K-ADM", ship="K-R1")
        admiral.then_refused("no-unit-of-kind", rule="320.45", kind="Marine general")

    def test_base_and_box_are_not_for_the_pool(self) -> None:
        base = ship("K-SB", "klingon", "1206", base=True)
        table = raids(base).to("3A-1A")
        table.tries(C, "pool", unit="K-SB").then_refused("not-active-on-map", rule="3A-1A")
        nowhere = table.tries(C, "pool", unit="K-R1", to="the-moon")
        nowhere.then_refused("not-a-map-hex", rule="3A-1A", place="the-moon")

    def test_ships_join_it_before_the_raids_alone(self) -> None:
        late = raids().to("3A-5B").tries(C, "pool", unit="K-D7")
        late.then_refused("joins-pool-elsewhere", rule="314.12")
        early = raids().to("2B7").tries(C, "pool", unit="K-D7")
        early.then_refused("ships-join-elsewhere", rule="538.51", unit="K-D7")

    def test_team_takes_no_place_and_a_leader_goes_with_a_ship(self) -> None:
        full = [ship(f"K-{n}", "klingon", "raid-pool") for n in range(2)]
        team, admiral = (
            ship("K-PT", "klingon", "1206", "team", aboard="K-D7"),
            ship("K-ADM", "klingon", "1206", "leader"),
        )
        table = raids(*full, team, admiral).to("3A-1A").says(C, "pool", unit="K-PT")
        table.story.then(UnitChanged, unit="K-PT", attribute="aboard", after=None)
        alone = table.tries(C, "pool", unit="K-ADM")
        alone.then_refused("pool-needs-ship", rule="3A-1A")
        table.tries(C, "pool", unit="K-D7").then_refused("raid-pool-full", rule="3A-1A", limit=4)
        table.says(C, "pool", unit="K-0", to="1206").says(C, "pool", unit="K-D7")

    def test_ship_that_leaves_it_is_on_the_map_with_its_general(self) -> None:
        general = ship("K-GEN", "klingon", "1206", "leader", "general")
        table = raids(general).to("3A-1A").says(C, "transfer-leader", leader="K-GEN", ship="K-R1")
        table.says(C, "pool", unit="K-R1", to="1306")
        assert [table.game.units[name].at for name in ("K-R1", "K-GEN")] == ["1306", "1306"]
        table.tries(C, "pool", unit="K-R1", to="1206").then_refused("not-in-raid-pool", rule="3A-1A")

    def test_decoy_does_not_leave_it_for_the_map(self) -> None:
        decoy = ship("R-DCY", "romulan", "raid-pool", "decoy")
        table = raids(decoy).to("3A-1A")
        out = table.tries(C, "pool", unit="R-DCY", to="1206")
        out.then_refused("stays-with-recorded-ship", rule="3A-1A")

    def test_other_side_adds_nothing(self) -> None:
        raids().to("3A-1A").tries(A, "pool", unit="Z-CC").then_refused(
            "step-of-another-side", rule="3A-1A", seat="alliance"
        )


class Test3A1APlaces:
    def test_ship_leaves_the_pool_to_its_own_side_only(self) -> None:
        table = raids().to("3A-1A")
        enemy = table.tries(C, "pool", unit="K-R1", to="0902")
        enemy.then_refused("enemy-in-hex", rule="3A-1A", place="0902")
        nowhere = table.tries(C, "pool", unit="K-R1", to="1401")
        nowhere.then_refused("nothing-of-yours-there", rule="3A-1A", place="1401", places="1206, 1306")
        table.says(C, "pool", unit="K-R1", to="1206")

    def test_pirate_does_not_close_a_hex_that_is_held(self) -> None:
        pirate = ship("O-P", "orion", "1206")
        table = raids(pirate, orions=True).to("3A-1A").says(C, "pool", unit="K-R1", to="1206")
        assert table.game.units["K-R1"].at == "1206"

    def test_docks_diplomats_and_decoys_do_not_raid(self) -> None:
        frd, dip = ship("K-FRD", "klingon", "1206", "frd"), ship("K-DIP", "klingon", "1206", "diplomat")
        table = raids(frd, dip, ship("R-DCY", "romulan", "off-map", "decoy")).to("3A-1A")
        table.tries(C, "pool", unit="K-FRD").then_refused("not-active-on-map", rule="3A-1A")
        for name in ("K-DIP", "R-DCY"):
            no = table.tries(C, "pool", unit=name)
            no.then_refused("not-ship-nor-team", rule="314.17", unit=name)


class Test3A1BResistance:
    def test_resistance_is_not_tried_in_a_hex_of_the_own_side(self) -> None:
        base = ship("K-SB", "klingon", "1206", base=True)
        table = raids(base).to("3A-1B")
        for at in ("1206", "1306"):
            own = table.tries(C, "resist", kind="sabotage", at=at)
            own.then_refused("own-hex", rule="537.1", at=at)
        table.says(C, "resist", kind="sabotage", at="0902")

    def test_announced_resistance_is_rolled(self) -> None:
        table = raids().to("3A-1B").says(C, "resist", kind="sabotage", at="0902").done(C)
        table.must(C, "resist", "sabotage 0902", rule="3A-2A")
        table.says(C, "resist", 5, kind="sabotage", at="0902", at_least=5).done(C)
        assert table.open == ("3A-2B",)


class Test3A2ERounds:
    def met(self, *more: Line) -> War:
        return raid_on_0902(*more).to("3A-2D").says(A, "fight-raiders", at="0902", units=["Z-CC"]).done(A)

    def test_both_sides_roll_for_the_declared_round(self) -> None:
        table = self.met()
        table.tries(A, "done").then_refused("orders-required", rule="314.244", orders=("skirmish",))
        table.says(A, "skirmish", 3, units=["Z-CC"])
        table.must(C, "skirmish", "0902", rule="314.244")
        table.says(C, "skirmish", 3, units=["K-R1"]).done(A, C)

    def test_step_does_not_end_while_the_enemy_die_may_bring_losses(self) -> None:
        table = self.met().says(A, "skirmish", 3, units=["Z-CC"])
        early = table.tries(A, "done")
        early.then_refused("others-act-first", rule="314.244", sides="Coalition")
        table.says(C, "skirmish", 3, units=["K-R1"]).says(A, "suffer", unit="Z-CC", outcome="crippled").done(A)

    def test_losses_come_after_the_dice(self) -> None:
        table = self.met()
        first = table.tries(C, "suffer", unit="K-R1", outcome="crippled")
        first.then_refused("round-not-rolled", rule="314.244", at="0902")
        table.says(C, "skirmish", 3, units=["K-R1"])
        alone = table.tries(C, "suffer", unit="K-R1", outcome="crippled")
        alone.then_refused("round-not-rolled-by-all", rule="314.244", at="0902", sides="Alliance")
        table.says(A, "skirmish", 3, units=["Z-CC"]).says(C, "suffer", unit="K-R1", outcome="crippled")

    def test_raid_elsewhere_does_not_keep_a_side(self) -> None:
        """Let units that fight at 0902 leave after the dice of 0902; the pirate's die at 1003 does not concern them."""
        pirate = ship("O-P", "orion", "1003")
        table = war(R1, R2, D7, CC, pirate, options={**OPTIONS, "orions": True}).to("3A-2B")
        table.says(C, "raid", unit="K-R1", path=["0902"]).says(C, "raid", unit="K-R2", path=["1003"]).to("3A-2D")
        table.says(A, "fight-raiders", at="0902", units=["Z-CC"]).to("3A-2E")
        table.says(A, "skirmish", 3, units=["Z-CC"]).says(C, "skirmish", 3, units=["K-R1"]).done(A)

    def test_raider_without_an_opponent_has_no_round(self) -> None:
        table = raid_on_0902().says(C, "raid", unit="K-R2", path=["1003"]).to("3A-2D")
        table.says(A, "fight-raiders", at="0902", units=["Z-CC"]).says(A, "fight-raiders", at="1003").done(A)
        for order in (("skirmish", {"units": ["K-R2"]}), ("suffer", {"unit": "K-R2", "outcome": "crippled"})):
            alone = table.tries(C, order[0], *((3,) if order[0] == "skirmish" else ()), **order[1])
            alone.then_refused("no-part-in-round", rule="314.244", unit="K-R2", units="K-R1")

    def test_destroyer_of_a_raider_still_suffers(self) -> None:
        admiral = ship("K-ADM", "klingon", "raid-pool", "leader", aboard="K-R1")
        table = self.met(admiral).rolled()
        table.says(C, "suffer", unit="K-R1", outcome="destroyed")
        assert [table.game.units[one].fate for one in ("K-R1", "K-ADM")] == ["destroyed", "lost"]
        table.says(A, "suffer", unit="Z-CC", outcome="crippled").done(A, C)

    def test_raid_is_met_by_units_it_is_aimed_at(self) -> None:
        pirate = ship("O-P", "orion", "1003")
        units = (R1, D7, CC, pirate)
        table = war(*units, options={**OPTIONS, "orions": True}).to("3A-2B")
        table.says(C, "raid", unit="K-R1", path=["1003"]).to("3A-2D")
        theirs = table.tries(A, "fight-raiders", at="1003")
        theirs.then_refused("step-of-another-side", rule="3A-2D", seat="alliance", sides="Orion Pirates")
        table.says("orion", "fight-raiders", at="1003", units=["O-P"]).done("orion")
        table.rolled().says("orion", "suffer", unit="O-P", outcome="retreats")
        table.to("3A-2G").says("orion", "move-units", units=["O-P"], path=["1002"])

    def test_two_raids_each_are_met_by_their_own(self) -> None:
        table = raid_on_0902().says(C, "raid", unit="K-R2", path=["1004"]).to("3A-2D")
        table.says(A, "fight-raiders", at="1004", units=["T-PC"])
        pirate = ship("O-P", "orion", "1107")
        both = war(R1, R2, D7, CC, pirate, options={**OPTIONS, "orions": True}).to("3A-2B")
        both.says(C, "raid", unit="K-R1", path=["1107"]).says(C, "raid", unit="K-R2", path=["0902"]).to("3A-2D")
        wrong = both.tries(A, "fight-raiders", at="1107")
        wrong.then_refused("raid-not-aimed-at-side", rule="314.251", at="1107", side="Alliance", empires="orion")
        both.says(A, "fight-raiders", at="0902", units=["Z-CC"])


class Test3A2BWars:
    def test_raid_is_aimed_at_an_enemy(self) -> None:
        other = {"id": "isc", "side": "isc", "name": "ISC", "letter": "I"}
        sides = [*BASE["sides"], {"id": "isc", "name": "ISC"}]
        table = war(
            *(R1, D7, CC, ship("I-CA", "isc", "1003")),
            options=OPTIONS, sides=sides, empires=[*BASE["empires"], other],
            turn_order=["coalition", "alliance", "isc"], wars=[["coalition", "alliance"]],
        )  # fmt: skip
        table.to("3A-2B")
        peace = table.tries(C, "raid", unit="K-R1", path=["1003"])
        peace.then_refused("not-at-war", rule="314.21", side_is="Coalition is", empires="ISC")
        table.says(C, "raid", unit="K-R1", path=["0902"]).to("3A-2C")
        assert table.game.cursor.waiting() == (A,)


class Test3A2B:
    def test_ship_raids_once_and_a_decoy_never(self) -> None:
        table = raid_on_0902(ship("R-DCY", "romulan", "raid-pool", "decoy"))
        again = table.tries(C, "raid", unit="K-R1", path=["1003"])
        again.then_refused("raider-has-gone", rule="314.21", unit="K-R1", at="0902")
        decoy = table.tries(C, "raid", unit="R-DCY", path=["1003"])
        decoy.then_refused("not-a-raider", rule="314.21")

    def test_raider_runs_no_blockade(self) -> None:
        table = raid_on_0902().to("3A-4A")
        table.tries(C, "raid", unit="K-R1").then_refused("raider-has-raided", rule="320.51")
        table.says(C, "raid", unit="K-R2")

    def test_way_out_of_the_pool_has_no_gaps(self) -> None:
        table = raids().to("3A-2B")
        gap = table.tries(C, "raid", unit="K-R1", path=["1003", "0901"])
        gap.then_refused("raid-path-gap", rule="314.21", gap="1003 to 0901")
        table.says(C, "raid", unit="K-R1", path=["1003", "0903", "0902"])

    def test_raider_comes_out_of_the_pool_and_only_the_pool_raids(self) -> None:
        table = raid_on_0902()
        assert table.game.units["K-R1"].at == "0902"
        table.tries(C, "raid", unit="K-D7", path=["0902"]).then_refused("raider-not-in-pool", rule="314.21")

    def test_team_goes_to_its_target_once(self) -> None:
        table = raids(ship("K-PT", "klingon", "raid-pool", "team")).to("3A-2B")
        table.says(C, "raid", unit="K-PT", path=["0902"])
        twice = table.tries(C, "raid", unit="K-PT", path=["1003"])
        twice.then_refused("raider-has-gone", rule="3A-2B", unit="K-PT", at="0902")


class Test3A1APool:
    def test_frd_does_not_raid(self) -> None:
        table = raids(ship("K-FRD", "klingon", "1206", "frd")).to("3A-1A")
        dock = table.tries(C, "pool", unit="K-FRD")
        dock.then_refused("not-active-on-map", rule="3A-1A", unit="K-FRD")
        table.says(C, "pool", unit="K-D7")


class Test3A2EUnmet:
    """314.244: without a unit named in 3A-2D there is no round."""

    def test_unopposed_raider_has_no_round(self) -> None:
        table = raid_on_0902().says(C, "raid", unit="K-R2", path=["1003"]).to("3A-2D")
        table.says(A, "fight-raiders", at="0902", units=["Z-CC"]).says(A, "fight-raiders", at="1003").to("3A-2E")
        alone = table.tries(C, "skirmish", 3, units=["K-R2"])
        alone.then_refused("no-part-in-round", rule="3A-2E", unit="K-R2", units="K-R1")
        unhurt = table.tries(C, "suffer", unit="K-R2", outcome="crippled")
        unhurt.then_refused("no-part-in-round", rule="3A-2E", unit="K-R2", units="K-R1")
        table.says(C, "skirmish", 3, units=["K-R1"])


class Test3A2CReserves:
    """314.241, 507.1: a ship that reacts to a raid leaves its reserve; the rest of the reserve continues."""

    def test_others_of_the_fleet_still_move(self) -> None:
        fleet = [ship(name, "kzinti", "0903", reserve="1st") for name in ("Z-R1", "Z-R2")]
        table = raid_on_0902(*fleet).to("3A-2C")
        table.says(A, "answer-raid", at="0902", unit="Z-R1", path=["0902"])
        table.to("4B").says(A, "move-reserve", fleet="1st", path=["1003"])
        assert (table.game.units["Z-R1"].at, table.game.units["Z-R2"].at) == ("0902", "1003")


class Test3A2C:
    def test_target_empire_alone_answers(self) -> None:
        table = raid_on_0902().to("3A-2C")
        other = table.tries(A, "answer-raid", at="0902", unit="T-PC", path=["1003", "0903", "0902"])
        other.then_refused("raid-aimed-at-others", rule="314.241", empire="tholian", empires="kzinti")
        police = {"at": "0902", "police": True}
        called = table.tries(A, "answer-raid", unit="T-POL", empire="tholian", **police)
        called.then_refused("raid-aimed-at-others", rule="314.243", empire="tholian", empires="kzinti")
        table.says(A, "answer-raid", unit="Z-POL", empire="kzinti", **police)
        more = table.tries(A, "answer-raid", unit="Z-POL2", empire="kzinti", **police)
        more.then_refused("police-called-already", rule="314.243")

    def test_reaction_goes_hex_by_hex_from_the_place_of_the_ship(self) -> None:
        table = raid_on_0902().to("3A-2C")
        jump = table.tries(A, "answer-raid", at="0902", unit="Z-FF", path=["0902"])
        jump.then_refused("path-gap", rule="3A-2C", gap="1003 to 0902")
        there = table.tries(A, "answer-raid", at="0902", unit="Z-CC", path=["0903", "0902"])
        there.then_refused("at-raid-already", rule="314.241", unit="Z-CC", at="0902")
        table.says(A, "answer-raid", at="0902", unit="Z-FF", path=["0903", "0902"])
        assert table.game.units["Z-FF"].at == "0902"

    def test_police_empire_is_not_stated_for_a_ship_that_reacts(self) -> None:
        table = raid_on_0902().to("3A-2C")
        way = {"at": "0902", "unit": "Z-FF", "path": ["0903", "0902"]}
        other = table.tries(A, "answer-raid", **way, empire="klingon")
        other.then_refused("police-of-another-empire", rule="314.241", unit="Z-FF", owner="kzinti", empire="klingon")
        table.says(A, "answer-raid", **way, empire="kzinti")

    def three(self, isc: str = "1401") -> War:
        sides = [{"id": side, "name": side.title()} for side in (C, A, ISC)]
        empires = [
            {"id": empire, "side": side, "name": empire.title(), "letter": letter}
            for empire, side, letter in (("klingon", C, "K"), ("kzinti", A, "Z"), ("isc", ISC, "I"))
        ]
        units = (R1, D7, ship("Z-CC", "kzinti", "0902"), ship("I-CA", "isc", isc))
        return war(*units, sides=sides, empires=empires, turn_order=[C, A, ISC], options=OPTIONS)

    @pytest.mark.parametrize(("target", "asked"), [("0902", (A,)), ("1401", (ISC,)), ("1502", (A, ISC))])
    def test_owner_of_the_hex_answers_with_three_players(self, target: str, asked: tuple[str, ...]) -> None:
        """If no side has units in the hex, all sides that do not move answer."""
        table = self.three().to("3A-2B").says(C, "raid", unit="K-R1", path=[target]).to("3A-2C")
        assert table.game.cursor.waiting() == asked

    def test_second_player_without_a_unit_changes_nothing(self) -> None:
        table = self.three(isc="0902").to("3A-2B").says(C, "raid", unit="K-R1", path=["0902"]).to("3A-2D")
        table.says(A, "fight-raiders", at="0902", units=["Z-CC"])
        nobody = table.tries(ISC, "fight-raiders", at="0902")
        nobody.then_refused("nobody-fights-stated", rule="314.251", of_whom=" of Isc", at="0902")
        table.says(ISC, "fight-raiders", at="0902", units=["I-CA"])
        assert table.game.markers["fights 0902"] == ("Z-CC", "I-CA")

    def test_ship_reacts_to_one_raid(self) -> None:
        table = raid_on_0902().says(C, "raid", unit="K-R2", path=["1003"])
        table.to("3A-2C").says(A, "answer-raid", at="0902", unit="Z-FF", path=["0903", "0902"])
        again = table.tries(A, "answer-raid", at="1003", unit="Z-FF", path=["0903", "1003"])
        again.then_refused("reacted-already", rule="314.241")
        table.says(A, "answer-raid", at="1003", unit="Z-CC", path=["0903", "1003"])

    def test_mothballed_ship_does_not_react(self) -> None:
        table = raid_on_0902(ship("Z-OLD", "kzinti", "0903", mothballed=True)).to("3A-2C")
        old = table.tries(A, "answer-raid", at="0902", unit="Z-OLD", path=["0902"])
        old.then_refused("mothballed-answer", rule="314.241")

    def test_police_are_limited_by_the_scenario(self) -> None:
        table = war(R1, R2, D7, CC, FF, options=OPTIONS, empires=limited_police(1)).to("3A-2B")
        table.says(C, "raid", unit="K-R1", path=["0902"]).says(C, "raid", unit="K-R2", path=["1003"]).to("3A-2C")
        table.says(A, "answer-raid", at="0902", unit="Z-P1", police=True)
        more = table.tries(A, "answer-raid", at="1003", unit="Z-P2", police=True)
        more.then_refused("too-many-police", rule="314.243", given=1, limit=1, do="`done`")

    def test_police_and_reactions_are_for_raided_hexes(self) -> None:
        table = raid_on_0902().to("3A-2C")
        nobody = table.tries(A, "answer-raid", at="1003", unit="Z-CC", path=["0903", "1003"])
        nobody.then_refused("hex-not-raided", rule="3A-2C", at="1003", hexes="0902")

    def test_reaction_or_police_not_both(self) -> None:
        table = raid_on_0902().to("3A-2C").says(A, "answer-raid", at="0902", unit="Z-FF", path=["0903", "0902"])
        both = table.tries(A, "answer-raid", at="0902", unit="Z-P", police=True, empire="kzinti")
        both.then_refused("answered-otherwise", rule="314.243", answer="reaction")


class Test3A2D:
    def test_opponents_are_required_and_none_is_an_answer(self) -> None:
        table = raid_on_0902().to("3A-2D")
        table.must(A, "fight-raiders", "0902", rule="314.251")
        table.says(A, "fight-raiders", at="0902").done(A)
        assert table.open == ("3A-2H",)

    def test_refusal_to_fight_is_stated_once(self) -> None:
        table = raid_on_0902().to("3A-2D").says(A, "fight-raiders", at="0902")
        again = table.tries(A, "fight-raiders", at="0902")
        again.then_refused("nobody-fights-stated", rule="314.251", at="0902")
        table.says(A, "fight-raiders", at="0902", units=["Z-CC"])

    def test_unnamed_unit_neither_fights_nor_suffers(self) -> None:
        table = raid_on_0902(ship("Z-DD", "kzinti", "0902")).to("3A-2D")
        table.says(A, "fight-raiders", at="0902", units=["Z-CC"]).done(A)
        table.tries(A, "skirmish", 3, units=["Z-CC", "Z-DD"]).then_refused(
            "no-part-in-round", rule="314.244", unit="Z-DD", units="Z-CC"
        )
        hurt = table.tries(A, "suffer", unit="Z-DD", outcome="crippled")
        hurt.then_refused("no-part-in-round", rule="314.244", unit="Z-DD", units="Z-CC")
        table.tries(C, "skirmish", 3, units=["K-R2"]).then_refused(
            "no-part-in-round", rule="314.244", unit="K-R2", units="K-R1"
        )
        table.rolled().says(A, "suffer", unit="Z-CC", outcome="crippled")
        table.story.then(UnitChanged, unit="Z-CC", attribute="crippled", after=True)


class Test3A2E:
    def test_raid_has_one_round(self) -> None:
        table = raid_on_0902().to("3A-2E").says(A, "skirmish", 3, units=["Z-CC"]).says(C, "skirmish", 4, units=["K-R1"])
        again = table.tries(A, "skirmish", 6, units=["Z-CC"])
        again.then_refused("fought-this-raid", rule="314.244")

    def test_designated_runner_is_not_a_runner_after_the_raids(self) -> None:
        table = raids().to("3A-4A").says(C, "raid", unit="K-R1").to("3B2")
        assert table.game.units["K-R1"].get("raid_kind") is None

    def test_raid_leaves_nothing_for_movement(self) -> None:
        table = raid_on_0902().to("3A-2E").says(A, "skirmish", 3, units=["Z-CC"]).to("3B2")
        assert not [name for name in table.game.markers if name.startswith(("answer", "fights", "fought"))]

    def test_admiral_does_not_fight_alone(self) -> None:
        table = raid_on_0902(ship("Z-ADM", "kzinti", "0902", "leader", aboard="Z-CC")).to("3A-2E")
        alone = table.tries(A, "suffer", unit="Z-ADM", outcome="retreats")
        alone.then_refused("no-part-in-round", rule="314.244", unit="Z-ADM", units="Z-CC")

    def test_points_of_a_raid_fall_on_its_own_fighters(self) -> None:
        table = raid_on_0902().says(C, "raid", unit="K-R2", path=["1003"])
        table.to("3A-2D").says(A, "fight-raiders", at="0902", units=["Z-CC"])
        table.says(A, "fight-raiders", at="1003", units=["Z-FF"]).done(A)
        both = table.tries(C, "skirmish", 3, units=["K-R1", "K-R2"])
        both.then_refused("units-in-several-hexes", rule="3A-2E", places="0902 and 1003")

    def test_round_needs_an_opponent(self) -> None:
        table = raids().to("3A-2B").says(C, "raid", unit="K-R1", path=["1401"]).to("3A-2H")
        assert any(isinstance(event, StepPassed) and event.step == "3A-2E" for event in table.events)


class Test3A2G:
    def test_beaten_off_units_alone_move(self) -> None:
        table = raid_on_0902().to("3A-2E").rolled().says(A, "suffer", unit="Z-CC", outcome="retreats").to("3A-2G")
        other = table.tries(A, "move-units", units=["Z-FF"], path=["1002"])
        other.then_refused("not-forced-to-retreat", rule="314.244", unit="Z-FF")
        table.says(A, "move-units", units=["Z-CC"], path=["0901"]).story.then(UnitMoved, unit="Z-CC", cause="retreat")

    def test_beaten_off_unit_must_go(self) -> None:
        table = raid_on_0902().to("3A-2E").rolled().says(A, "suffer", unit="Z-CC", outcome="retreats").to("3A-2G")
        table.must(A, "move-units", "Z-CC", rule="314.244")

    def test_cripple_that_was_not_beaten_off_stays(self) -> None:
        table = raid_on_0902().to("3A-2E").rolled().says(A, "suffer", unit="Z-CC", outcome="crippled").to("3A-2H")
        assert table.game.units["Z-CC"].at == "0902"


class Test3A5BUnused:
    """320.52: cargo of runners that did not leave the pool returns to the empire, for each of them."""

    def test_two_runners_of_an_empire_are_unloaded(self) -> None:
        """Use ships that stayed in the pool, as in games begun by earlier rules."""
        table = raids(depot_repair=True).to("3A-5A")
        for name, ep in (("K-R1", 2), ("K-R2", 3)):
            table.story.given(
                UnitChanged(unit=name, attribute="raid_kind", before=None, after="blockade"),
                UnitChanged(unit=name, attribute="cargo_ep", before=None, after=ep),
            )
        table.story.given(AccountChanged(account="klingon/EP", amount=-5, before=60, after=55))
        table.to("3A-5B")
        assert table.game.accounts["klingon/EP"] == 60


class Test3A2GWhere:
    """314.244: [reading] a forced retreat leads out of the hex, and to none that the enemy holds; raiders hold none."""

    def test_forced_retreat_avoids_enemy_bases_and_the_way_back(self) -> None:
        base = ship("K-BATS", "klingon", "1002", base=True)
        table = raid_on_0902(base).to("3A-2E").rolled().says(A, "suffer", unit="Z-CC", outcome="retreats").to("3A-2G")
        there = table.tries(A, "move-units", units=["Z-CC"], path=["1002"])
        there.then_refused("enemy-at-end", rule="314.244", place="1002")
        back = table.tries(A, "move-units", units=["Z-CC"], path=["0901", "0902"])
        back.then_refused("move-ends-where-it-began", rule="314.244", place="0902")
        table.says(A, "move-units", units=["Z-CC"], path=["0901"])

    def test_held_hex_next_to_the_enemy_is_open(self) -> None:
        both = ship("K-BATS", "klingon", "1002", base=True), ship("Z-DD", "kzinti", "1002")
        table = raid_on_0902(*both).to("3A-2E").rolled().says(A, "suffer", unit="Z-CC", outcome="retreats").to("3A-2G")
        table.says(A, "move-units", units=["Z-CC"], path=["1002"])
        assert table.game.units["Z-CC"].at == "1002"


class Test3A2HStands:
    """314.27: [reading] what was disrupted counts until every side has had its Phase 1 since."""

    def test_disruption_ends_with_the_last_player_turn_of_next_turn(self) -> None:
        table = raid_on_0902().to("3A-2H").says(C, "disrupt", unit="K-R1")
        table.to("6A").to("2A1").to("6A").to("1C3")
        assert (table.game.turn, table.game.markers["disrupted 0902"]) == (2, 1)
        table.to("3A-1A")
        assert "disrupted 0902" in table.game.markers
        table.to("6A").to("3A-1A")
        assert "disrupted 0902" not in table.game.markers

    def test_raid_of_this_turn_is_kept(self) -> None:
        table = raid_on_0902().to("3A-2H").says(C, "disrupt", unit="K-R1").to("6A").to("3A-1B")
        assert (table.game.cursor.side(), table.game.markers["disrupted 0902"]) == (A, 1)


class Test3A6C:
    def test_stations_are_limited_by_the_scenario(self) -> None:
        table = war(R1, D7, CC, options=OPTIONS, empires=limited(stations=1)).to("3A-6A")
        table.says(C, "emplace", unit="K-PS", at="1401", empire="klingon").to("3A-6C")
        table.tries(C, "done", answer="another").then_refused(
            "not-an-answer",
            rule="544.223",
            answer="another",
            choices="no more",
            do="`done 'no more'`",
        )
        table.done(C, answer="no more")
        assert table.open == ("3A-6D",)


class Test3A6D:
    def test_forces_go_to_the_new_stations_and_the_enemy_leaves_them(self) -> None:
        table = raids().to("3A-6A").says(C, "emplace", unit="K-PS", at="1003", empire="klingon").to("3A-6B")
        far = table.tries(A, "move-units", units=["Z-CC"], path=["0901"])
        far.then_refused("no-new-station-here", rule="544.231", at="0902", stations="1003")
        table.says(A, "move-units", units=["Z-FF"], path=["1002"]).to("3A-6D")
        away = table.tries(C, "move-units", units=["K-D7"], path=["1106"])
        away.then_refused("not-a-new-station", rule="544.3", place="1106", stations="1003")
        table.says(C, "move-units", units=["K-D7"], path=list(way("1206", "1003"))).to("3B2")
        again = table.tries(C, "move-units", units=["K-D7"], path=["1002"])
        again.then_refused("done-this-player-turn", rule="3B2", unit="K-D7", reason="moved")


def limited_police(most: int) -> list[Line]:
    """Return the same empires, with a limit on the police ships of the Kzintis."""
    return [{**one, "police": most} if one["id"] == "kzinti" else one for one in limited()]


def limited(**limits: int) -> list[Line]:
    """Return the Klingons, with limits of their own, and the Kzintis."""
    return [
        {"id": "klingon", "side": C, "name": "Klingon Empire", "letter": "K", "ep": 60, **limits},
        {"id": "kzinti", "side": A, "name": "Kzinti Hegemony", "letter": "Z", "capital": "0902", "ep": 50},
        {"id": "orion", "side": "orion", "name": "Orion Cartel", "letter": "O"},
    ]


class Test3A1B:
    def test_action_is_announced_for_a_place_once(self) -> None:
        table = raids().to("3A-1B").says(C, "resist", kind="sabotage", at="0902")
        table.story.then(MarkerSet, marker="sabotage 0902", after="announced")
        again = table.tries(C, "resist", kind="sabotage", at="0902")
        again.then_refused("changes-nothing", rule="3A-1B")
        rebels = table.tries(C, "resist", kind="rebellion", at="0902")
        rebels.then_refused("mission-not-tried-here", rule="3A-1B", kind="rebellion")


class Test3A2A:
    def test_announced_action_is_rolled_once(self) -> None:
        table = raids().to("3A-1B").says(C, "resist", kind="infiltration", at="0902").to("3A-2A")
        other = table.tries(C, "resist", 5, kind="infiltration", at="1003", at_least=5)
        other.then_refused("raid-not-announced", rule="537.1")
        table.says(C, "resist", 5, kind="infiltration", at="0902", at_least=5)
        again = table.tries(C, "resist", 6, kind="infiltration", at="0902", at_least=5)
        again.then_refused("raid-not-announced", rule="537.1")


class Test3A2F:
    def test_crippled_raider_goes_back_and_disrupts_nothing(self) -> None:
        table = raid_on_0902().to("3A-2E").rolled().says(C, "suffer", unit="K-R1", outcome="crippled").to("3A-2F")
        table.must(C, "recall", "K-R1", rule="314.244")
        table.says(C, "recall", unit="K-R1").done(C)
        assert table.game.units["K-R1"].at == "raid-pool"
        assert "3A-2H" not in table.open

    def test_sound_raider_continues(self) -> None:
        table = raid_on_0902().says(C, "raid", unit="K-R2", path=["1003"]).to("3A-2E")
        table.rolled().says(C, "suffer", unit="K-R2", outcome="retreats").to("3A-2F")
        sound = table.tries(C, "recall", unit="K-R1")
        sound.then_refused("goes-on-with-mission", rule="314.244")


class Test3A2H:
    def test_disruption_or_another_attack_once(self) -> None:
        table = raid_on_0902().to("3A-2H").says(C, "disrupt", unit="K-R1")
        table.story.then(MarkerSet, marker="disrupted 0902", before=None)
        both = table.tries(C, "disrupt", unit="K-R1", how="alternate attack")
        both.then_refused("attack-made", rule="314.28")
        idle = table.tries(C, "disrupt", unit="K-R2")
        idle.then_refused("not-a-raider-on-map", rule="314.27")

    def test_missions_are_for_prime_teams(self) -> None:
        table = raid_on_0902(ship("K-PT", "klingon", "raid-pool", "team")).says(C, "raid", unit="K-PT", path=["1003"])
        table.to("3A-2H")
        team = table.tries(C, "disrupt", unit="K-PT")
        team.then_refused(
            "team-how-differs", rule="534.12", unit="K-PT", kind="a Prime Team", ways="espionage or sabotage mission"
        )
        crew = table.tries(C, "disrupt", unit="K-R1", how="espionage")
        crew.then_refused(
            "team-how-differs", rule="534.12", unit="K-R1", kind="no Prime Team", ways="disruption or alternate attack"
        )
        table.says(C, "disrupt", unit="K-PT", how="espionage")
        table.story.then(MarkerSet, marker="espionage 1003", cause="K-PT")
        table.tries(C, "disrupt", unit="K-PT", how="sabotage mission").then_refused("attack-made", rule="314.28")


class Test3A2J:
    def test_every_raider_comes_back(self) -> None:
        general = ship("K-GEN", "klingon", "raid-pool", "leader", aboard="K-R1")
        table = raid_on_0902(general).to("3A-2J")
        table.must(C, "recall", "K-R1", rule="314.273")
        table.says(C, "recall", unit="K-R1").done(C)
        assert [table.game.units[name].at for name in ("K-R1", "K-GEN")] == ["raid-pool", "raid-pool"]


class Test3A5A:
    def test_ship_crippled_by_raiding_goes_to_the_depot(self) -> None:
        old = ship("K-OLD", "klingon", "1206", crippled=True)
        table = (
            war(R1, D7, CC, old, options={"raids": True, "depot_repair": True})
            .to("3A-2B")
            .says(C, "raid", unit="K-R1", path=["0902"])
        )
        table.to("3A-2E").rolled().says(C, "suffer", unit="K-R1", outcome="crippled").to("3A-5A")
        other = table.tries(C, "depot", unit="K-OLD", act="add")
        other.then_refused("not-crippled-in-raids", rule="424.32", units="K-R1")
        table.tries(C, "depot", unit="K-R1", act="salvage").then_refused("only-casualties-enter", rule="424.32")
        table.says(C, "depot", unit="K-R1", act="add")
        table.story.then(UnitMoved, unit="K-R1", path=("raid-pool", "DLR"))


class Test3A5B:
    def test_raider_stays_in_the_pool_and_the_others_may_leave(self) -> None:
        table = raid_on_0902().to("3A-5B")
        raider = table.tries(C, "pool", unit="K-R1", to="1206")
        raider.then_refused("raided-and-stays", rule="314.12", unit="K-R1")
        enemy = table.tries(C, "pool", unit="K-R2", to="0902")
        enemy.then_refused("enemy-in-hex", rule="314.12", place="0902")
        table.says(C, "pool", unit="K-R2", to="1206")
        again = table.tries(C, "pool", unit="K-R2", to="1306")
        again.then_refused("not-in-raid-pool", rule="314.12")


class Test3A5C:
    def test_ship_crippled_in_these_raids_goes_to_the_capital(self) -> None:
        lame = ship("K-LAME", "klingon", "raid-pool", crippled=True)
        table = war(R1, lame, D7, CC, options=OPTIONS, empires=limited(capital="1411")).to("3A-2B")
        table.says(C, "raid", unit="K-R1", path=["0902"])
        table.to("3A-2E").rolled().says(C, "suffer", unit="K-R1", outcome="crippled").to("3A-5C")
        before = table.tries(C, "pool", unit="K-LAME", to="1411")
        before.then_refused("not-crippled-raiding", rule="320.11")
        away = table.tries(C, "pool", unit="K-R1", to="1306")
        away.then_refused("not-the-capital", rule="320.11", place="1306", capital="1411")
        table.says(C, "pool", unit="K-R1", to="1411")


class Test3A6A:
    def test_pass_brings_one_station(self) -> None:
        table = raids().to("3A-6A").says(C, "emplace", unit="K-PS", at="1401", empire="klingon")
        second = table.tries(C, "emplace", unit="K-PS2", at="1402", empire="klingon")
        second.then_refused("station-emplaced", rule="544.21")
        table.to("3A-6C").done(C, answer="another").says(C, "emplace", unit="K-PS2", at="1402", empire="klingon")

    def test_limit_of_one_empire_is_not_that_of_the_others(self) -> None:
        romulan = {"id": "romulan", "side": C, "name": "Romulans", "letter": "R", "ep": 5}
        table = war(R1, D7, CC, options=OPTIONS, empires=[*limited(stations=1), romulan]).to("3A-6A")
        table.says(C, "emplace", unit="K-PS", at="1401", empire="klingon").to("3A-6C").done(C, answer="another")
        more = table.tries(C, "emplace", unit="K-PS2", at="1402", empire="klingon")
        more.then_refused("too-many-stations", rule="3A-6A", owner=1, limit=1)
        table.says(C, "emplace", unit="R-PS", at="1402", empire="romulan")

    def test_step_is_passed_if_the_scenario_allows_none(self) -> None:
        empires = [one for one in limited(stations=0) if one["id"] != "romulan"]
        table = war(R1, D7, CC, options=OPTIONS, empires=empires).to("3A-6A", passed=True)
        assert "3A-6A" not in table.open


class Test3A6B:
    def test_units_that_leave_are_not_fought_and_the_rest_will_be(self) -> None:
        table = raids(ship("Z-DD", "kzinti", "1003")).to("3A-6A")
        table.says(C, "emplace", unit="K-PS", at="1003", empire="klingon").to("3A-6B")
        table.tries(C, "move-units", units=["Z-FF"], path=["1002"]).then_refused(
            "step-of-another-side", rule="3A-6B", seat="coalition"
        )
        table.says(A, "move-units", units=["Z-FF"], path=["1002"])
        table.story.then(UnitMoved, unit="Z-FF", cause="withdrawal")
        table.to("5-1A")
        assert table.game.cursor.item("5-HEX") == "1003"


class Test3AOrder:
    def test_heads_of_raids_come_once_in_printed_order(self) -> None:
        steps = raids(wyn=True, depot_repair=True).to("3B1").steps()
        found = list(dict.fromkeys(step.partition("-")[2][0] for step in steps if step.startswith("3A-")))
        assert found == ["1", "2", "3", "4", "5", "6"]


class Test3AS1BeforeTheRaids:
    def test_pool_precedes_resistance(self) -> None:
        assert [one for one in raids().to("3A-2A").steps() if one.startswith("3A-1")] == ["3A-1A", "3A-1B"]


class Test3AS2NormalRaids:
    def test_normal_raid_steps_pass_without_a_raid(self) -> None:
        steps = [one for one in raids().to("3A-3A").steps() if one.startswith("3A-2")]
        assert steps == ["3A-2A", "3A-2B"]


class Test3AS3SpecialRaids:
    def test_special_raid_steps_pass_without_a_raid(self) -> None:
        steps = [one for one in raids().to("3A-4A").steps() if one.startswith("3A-3")]
        assert steps == ["3A-3A", "3A-3K"]


class Test3AS4BlockadeRuns:
    def test_runs_without_a_runner_are_passed(self) -> None:
        steps = [one for one in raids().to("3A-5B").steps() if one.startswith("3A-4")]
        assert steps == ["3A-4A"]


class Test3AS5AfterTheRaids:
    def test_depot_precedes_pool_and_capital(self) -> None:
        steps = raids(depot_repair=True).to("3A-6A").steps()
        assert [one for one in steps if one.startswith("3A-5")] == ["3A-5A", "3A-5B"]


class Test3AS6Stations:
    def test_step_without_pacification_is_passed(self) -> None:
        assert not any(one.startswith("3A-6") for one in raids(pacification=False).to("3B1").steps())
