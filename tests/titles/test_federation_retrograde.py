"""Phases 6 to 8 as printed: retrograde, replacements, field repair, strategic movement."""

from tests.face.domain import (
    AccountChanged,
    StepPassed,
    UnitChanged,
    UnitMoved,
    UnitPlaced,
)
from tests.titles.federation_table import Line, War, ship, war

A, C = "alliance", "coalition"
D7, CC = ship("K-D7", "klingon", "1206"), ship("Z-CC", "kzinti", "0902")
BASE = ship("K-SB", "klingon", "1206", base=True)
KZINTI = {"id": "kzinti", "side": A, "name": "Kzintis", "letter": "Z", "capital": "0902"}


def klingons(**limits: object) -> list[Line]:
    """Return the Klingons, with limits of their own, and the Kzintis."""
    return [{"id": "klingon", "side": C, "name": "Klingons", "letter": "K", "ep": 10, **limits}, KZINTI]


class Test6D1:
    def test_tactical_retrograde_has_three_hexes(self) -> None:
        base = ship("Z-PS", "kzinti", "0903", "pacification", base=True)
        table = war(D7, CC, base).to("6D1")
        round_about = ["0901", "1001", "1002", "0903"]
        far = table.tries(A, "retrograde", units=["Z-CC"], path=round_about)
        far.then_refused("freighter-path-too-long", rule="544.47", given=4)
        table.says(A, "retrograde", units=["Z-CC"], path=["0903"])

    def test_unit_goes_to_an_own_pacification_base_once(self) -> None:
        base = ship("Z-PS", "kzinti", "0903", "pacification", base=True)
        table = war(D7, CC, base).to("6D1")
        mine = table.tries(C, "retrograde", units=["K-D7"], path=["1106"])
        mine.then_refused("step-of-another-side", rule="6D1", seat="coalition")
        table.says(A, "retrograde", units=["Z-CC"], path=["0903"])
        again = table.tries(A, "retrograde", units=["Z-CC"], path=["0902"])
        again.then_refused("no-pacification-base", rule="544.47", place="0902")


class Test6D2:
    def test_unit_goes_back_once(self) -> None:
        table = war(D7, CC).to("6D2").says(C, "retrograde", units=["K-D7"], path=["1306"])
        again = table.tries(C, "retrograde", units=["K-D7"], path=["1206"])
        again.then_refused("done-this-player-turn", rule="206.0", unit="K-D7", reason="retrograded")

    def test_passengers_go_along_hex_by_hex(self) -> None:
        admiral = ship("K-ADM", "klingon", "1206", "leader", aboard="K-D7")
        table = war(D7, admiral, CC).to("6D2")
        gap = table.tries(C, "retrograde", units=["K-D7"], path=["1304"])
        gap.then_refused("path-gap", rule="206.0", gap="1206 to 1304")
        table.says(C, "retrograde", units=["K-D7"], path=["1306", "1307"])
        assert table.game.units["K-ADM"].at == "1307"

    def test_unit_goes_to_a_named_supply_point(self) -> None:
        table = war(D7, CC, empires=klingons(supply_points=["1306"])).to("6D2")
        short = table.tries(C, "retrograde", units=["K-D7"], path=["1106"])
        short.then_refused("not-a-supply-point", rule="206.0", place="1106", empire="klingon", places="1306")
        table.says(C, "retrograde", units=["K-D7"], path=["1306"])

    def test_distance_is_limited_and_mothballs_do_not_move(self) -> None:
        units = ship("K-F5", "klingon", "1206", speed=1), ship("K-OLD", "klingon", "1206", mothballed=True)
        table = war(*units, CC).to("6D2")
        far = table.tries(C, "retrograde", units=["K-F5"], path=["1306", "1307"])
        far.then_refused("path-too-long", rule="206.0", limit=1, given=2)
        old = table.tries(C, "retrograde", units=["K-OLD"], path=["1306"])
        old.then_refused("mothballed-reactor", rule="206.0")
        table.says(C, "retrograde", units=["K-F5"], path=["1306"])


class Test6A:
    def test_players_judge_their_own_units_again(self) -> None:
        table = war(D7, CC).to("6A")
        table.tries(A, "check-supply", out=["K-D7"]).then_refused(
            "unit-of-another-side", rule="6A", unit="K-D7", side="Coalition"
        )
        table.says(C, "check-supply", out=["K-D7"]).says(A, "check-supply", partial=["Z-CC"]).to("6D2")
        back = table.tries(C, "retrograde", units=["K-D7"], path=["1106"])
        back.then_refused("reaction-out-of-supply", rule="410.24", unit="K-D7")


class Test6B:
    def test_gce_is_paid_for_and_placed_at_a_base_of_its_empire(self) -> None:
        table = war(D7, BASE, CC, options={"ground_combat": True}, empires=klingons(ep=5)).to("6B")
        away = table.tries(C, "place-gce", unit="K-G1", at="0902", ep=2)
        away.then_refused("no-base-there", rule="521.83", at="0902", places="1206")
        table.says(C, "place-gce", unit="K-G1", at="1206", ep=2).story.then(UnitPlaced, unit="K-G1", kind="GCE")
        twice = table.tries(C, "place-gce", unit="K-G1", at="1206", ep=2)
        twice.then_refused("unit-id-used", rule="521.83", unit="K-G1")
        table.says(C, "place-gce", unit="K-G2", at="1206", ep=2)
        short = table.tries(C, "place-gce", unit="K-G3", at="1206", ep=2)
        short.then_refused("too-few-economic-points", rule="6B", given=2, limit=1)
        assert table.game.accounts["klingon/EP"] == 1


class Test6C:
    def test_sides_dissolve_their_own_groups(self) -> None:
        table = war(D7, ship("K-D6", "klingon", "1206"), CC, ship("Z-FF", "kzinti", "0902"))
        table.story.given(
            *(
                UnitChanged(unit=unit, attribute="group", before=None, after=group)
                for unit, group in (("K-D7", "K-D7"), ("K-D6", "K-D7"), ("Z-CC", "Z-CC"), ("Z-FF", "Z-CC"))
            )
        )
        table.to("6C")
        other = table.tries(C, "dissolve", group="Z-CC")
        other.then_refused("no-such-group", rule="6C", group="Z-CC")
        table.says(A, "dissolve", group="Z-CC").says(C, "dissolve", group="K-D7")
        again = table.tries(C, "dissolve", group="K-D7")
        again.then_refused("no-such-group", rule="6C", group="K-D7")
        assert table.game.units["Z-FF"].get("group") is None


class Test6D:
    def test_tactical_then_the_phasing_side_then_x_ships(self) -> None:
        table = war(D7, CC, ship("Z-X", "kzinti", "0902", "x"), options={"x_ships": True}).to("7A")
        order = [step for step in table.steps() if step.startswith("6D")]
        assert order == ["6D1", "6D2", "6D3"]


class Test6D3:
    def test_step_passes_if_the_other_side_has_none(self) -> None:
        table = war(D7, ship("K-X", "klingon", "1206", "x"), CC, options={"x_ships": True}).to("6E")
        assert any(isinstance(event, StepPassed) and event.step == "6D3" for event in table.events)

    def test_x_ships_of_the_other_side_alone(self) -> None:
        mine = ship("K-X", "klingon", "1206", "x")
        table = war(D7, mine, CC, ship("Z-X", "kzinti", "0902", "x"), options={"x_ships": True}).to("6D3")
        phasing = table.tries(C, "retrograde", units=["K-X"], path=["1106"])
        phasing.then_refused("step-of-another-side", rule="6D3", seat="coalition")
        slow = table.tries(A, "retrograde", units=["Z-CC"], path=["0901"])
        slow.then_refused("wrong-kind", rule="523.242", unit="Z-CC", kind="X-ship", units="Z-X")
        table.says(A, "retrograde", units=["Z-X"], path=["0901"])
        again = table.tries(A, "retrograde", units=["Z-X"], path=["0902"])
        again.then_refused("done-this-player-turn", rule="523.242", unit="Z-X", reason="retrograded")


class Test6E:
    def test_all_players_replace_by_kind_for_units_in_supply(self) -> None:
        carrier = ship("K-CV", "klingon", "1206", fighters_gone=3, pfs_gone=2)
        cut_off = ship("K-CVE", "klingon", "1306", fighters_gone=1)
        table = war(carrier, cut_off, ship("Z-CV", "kzinti", "0902", fighters_gone=2)).to("6A")
        table.says(C, "check-supply", out=["K-CVE"]).to("6E")
        assert table.game.cursor.waiting() == (C, A)
        out = table.tries(C, "replace", unit="K-CVE", what="fighters", ep=1)
        out.then_refused("replacement-out-of-supply", rule="501.5")
        other = table.tries(C, "replace", unit="Z-CV", what="fighters", ep=1)
        other.then_refused("unit-of-another-side", rule="6E", unit="Z-CV", side="Alliance")
        table.says(C, "replace", unit="K-CV", what="fighters", number=2, ep=1)
        table.says(C, "replace", unit="K-CV", what="PFs", ep=1).says(C, "replace", unit="K-CV", what="fighters", ep=1)
        assert [table.game.units["K-CV"].get(name) for name in ("fighters_gone", "pfs_gone")] == [None, None]
        more = table.tries(C, "replace", unit="K-CV", what="fighters", ep=1)
        more.then_refused("lacks-none", rule="501.5", limit=0, what="fighters")
        ground = table.tries(C, "replace", unit="K-CV", what="GCE", ep=1)
        ground.then_refused("no-ground-elements-here", rule="6E")
        pfs = table.tries(A, "replace", unit="Z-CV", what="PFs", ep=1)
        pfs.then_refused("lacks-none", rule="502.43", limit=0, what="PFs")
        table.says(A, "replace", unit="Z-CV", what="fighters", ep=1)


class Test6F:
    def test_crippled_tug_sends_its_pods_to_the_pool_of_its_fleet(self) -> None:
        hurt = ship("K-T1", "klingon", "1206", "tug", crippled=True, pods=["SP", "BP"])
        sound = ship("K-T2", "klingon", "1206", "tug", pods=["SP"])
        theirs = ship("Z-T", "kzinti", "0902", "tug", crippled=True, pods=["SP"])
        table = war(hurt, sound, CC, theirs).to("6F")
        whole = table.tries(C, "send-pods", unit="K-T2")
        whole.then_refused(
            "not-a-crippled-tug-with-pods", rule="509.43", unit="K-T2", why="is not crippled", reason="not-crippled"
        )
        table.says(C, "send-pods", unit="K-T1").story.then(AccountChanged, account="klingon/pods", amount=2)
        table.story.then(UnitChanged, unit="K-T1", attribute="pods", after=None)
        again = table.tries(C, "send-pods", unit="K-T1")
        again.then_refused(
            "not-a-crippled-tug-with-pods", rule="509.43", unit="K-T1", why="has no pods", reason="no-pods"
        )
        table.tries(C, "send-pods", unit="Z-T").then_refused("unit-of-another-side", rule="6F", side="Alliance")
        table.says(A, "send-pods", unit="Z-T").story.then(AccountChanged, account="kzinti/pods", amount=1)


class Test6G:
    def test_empire_disbands_its_division_once_in_its_own_turn(self) -> None:
        table = war(D7, CC, calendar={"season": "Spring", "year": 181})
        table.to("2B2").says(C, "form-division", division="77th", unit="K-D7").to("6G")
        table.tries(C, "disband-division", division="23rd").then_refused(
            "not-an-empire-of-the-side", rule="6G", empire="kzinti", side="Coalition"
        )
        table.says(C, "disband-division", division="77th")
        assert table.game.units["K-D7"].at == "1206"
        again = table.tries(C, "disband-division", division="77th")
        again.then_refused("no-such-division", rule="513.2", division="77th")


class Test7A:
    def test_supply_of_the_phasing_side_is_judged_for_repairs(self) -> None:
        repairer = ship("K-RS", "klingon", "1206", "repair")
        table = war(repairer, ship("K-F5", "klingon", "1206", crippled=True), CC).to("7A")
        table.tries(A, "check-supply", out=["Z-CC"]).then_refused("step-of-another-side", rule="7A", seat="alliance")
        table.says(C, "check-supply", out=["K-F5"])
        assert table.game.units["K-F5"].get("supply") == "out"


class Test7B:
    def test_repairers_go_to_an_smn_or_frd_once(self) -> None:
        frd = ship("K-FRD", "klingon", "1306", "frd")
        units = ship("K-RS", "klingon", "off-map", "repair"), ship("K-RT", "klingon", "1205", "repair", "tug"), frd
        table = war(D7, *units, CC, empires=klingons(nodes=["1206"], capital="1411")).to("7B")
        away = table.tries(C, "deploy-repair", unit="K-RS", at="1205")
        away.then_refused("no-node-or-dock", rule="422.3", place="1205", places="1206, 1306")
        tug = table.tries(C, "deploy-repair", unit="K-RT", at="1206")
        tug.then_refused("not-at-capital", rule="422.8", unit="K-RT", capital="1411")
        table.says(C, "deploy-repair", unit="K-RS", at="1306")
        again = table.tries(C, "deploy-repair", unit="K-RS", at="1206")
        again.then_refused("deployed-already", rule="422.3", at="1306")
        table.tries(C, "deploy-repair", unit="K-D7", at="1206").then_refused("wrong-kind", rule="422.3")


class Test7C:
    def test_repairs_are_limited_to_ships_of_the_empire_in_the_hex(self) -> None:
        lame = [ship(f"K-F{n}", "klingon", "1206", crippled=True) for n in (1, 2)]
        repairer = ship("K-RS", "klingon", "off-map", "repair", field_repairs=1)
        away = ship("K-F3", "klingon", "1306", crippled=True)
        table = war(*lame, away, repairer, CC, empires=klingons(ep=3)).to("7B")
        table.says(C, "deploy-repair", unit="K-RS", at="1206").to("7C")
        far = table.tries(C, "field-repair", repairer="K-RS", unit="K-F3", ep=2)
        far.then_refused("ship-not-repaired", rule="422.22", unit="K-F3", says="1306", at="1206", reason="elsewhere")
        dear = table.tries(C, "field-repair", repairer="K-RS", unit="K-F1", ep=4)
        dear.then_refused("too-few-economic-points", rule="7C", given=4, limit=3)
        table.says(C, "field-repair", repairer="K-RS", unit="K-F1", ep=2)
        table.story.then(UnitChanged, unit="K-F1", attribute="crippled", after=None)
        sound = table.tries(C, "field-repair", repairer="K-RS", unit="K-F1", ep=1)
        sound.then_refused("ship-not-repaired", rule="422.22", unit="K-F1", at="1206", reason="not-crippled")
        more = table.tries(C, "field-repair", repairer="K-RS", unit="K-F2", ep=1)
        more.then_refused("repairer-has-repaired", rule="422.22", limit=1)
        assert table.game.accounts["klingon/EP"] == 1


class Test7D:
    def test_repair_ships_leave_the_map_and_tugs_go_to_the_capital(self) -> None:
        units = ship("K-RS", "klingon", "off-map", "repair"), ship("K-RT", "klingon", "1411", "repair", "tug")
        table = war(D7, *units, CC, empires=klingons(capital="1411")).to("7B")
        table.says(C, "deploy-repair", unit="K-RS", at="1206").says(C, "deploy-repair", unit="K-RT", at="1206").to("8A")
        assert [table.game.units[name].at for name in ("K-RS", "K-RT")] == ["off-map", "1411"]
        assert table.game.units["K-RS"].get("repairs_from") is None


class Test8A:
    def test_network_moves_a_limited_number_and_one_leader(self) -> None:
        leaders = [ship(f"K-ADM{n}", "klingon", "1206", "leader") for n in (1, 2)]
        units = D7, ship("K-D6", "klingon", "1206"), ship("K-D5", "klingon", "1410"), *leaders
        table = war(*units, CC, empires=klingons(nodes=["1206", "1410"], strategic_moves=1)).to("8A")
        off = table.tries(C, "move-units", units=["K-D7"], path=["1306"])
        off.then_refused("not-a-node", rule="204.2", hex="1306", empire="klingon", nodes="1206, 1410")
        both = table.tries(C, "move-units", units=["K-D7", "K-D6"], path=["1410"])
        both.then_refused("too-many-strategic-moves", rule="204.2", given=2)
        table.says(C, "move-units", units=["K-D7"], path=["1410"])
        table.story.then(UnitMoved, unit="K-D7", path=("1206", "1410"), cause="Strategic Movement")
        more = table.tries(C, "move-units", units=["K-D6"], path=["1410"])
        more.then_refused("too-many-strategic-moves", rule="204.2", limit=1)
        table.says(C, "transfer-leader", leader="K-ADM1", ship="K-D5")
        second = table.tries(C, "transfer-leader", leader="K-ADM2", ship="K-D5")
        second.then_refused("moved-strategically", rule="316.144C", unit="K-ADM1")

    def test_unit_moves_strategically_once(self) -> None:
        table = war(D7, CC).to("8A").says(C, "move-units", units=["K-D7"], path=["1306"])
        again = table.tries(C, "move-units", units=["K-D7"], path=["1206"])
        again.then_refused("done-this-player-turn", rule="8A", unit="K-D7", reason="moved")


class Test8B:
    def fleets(self) -> War:
        tugs = [
            ship("K-T1", "klingon", "1206", "tug", pods=["SP"]),
            ship("K-T2", "klingon", "1206", "tug", pods=["BP", "SP"]),
            ship("K-T3", "klingon", "1306", "tug"),
            ship("K-T4", "klingon", "1206", "tug", pods=["VP"]),
        ]
        table = war(D7, *tugs, CC).to("1G").says(C, "designate", units=["K-T1", "K-T2", "K-T3"], role="west")
        return table.to("8B")

    def test_pods_change_holders_and_none_is_lost(self) -> None:
        table = self.fleets()
        strange = table.tries(C, "exchange-pods", unit="K-T1", other="K-T2", pods=["VP"])
        strange.then_refused("pods-not-held", rule="411.75", pods="VP", limit="SP, BP, SP")
        table.says(C, "exchange-pods", unit="K-T1", other="K-T2", pods=["SP", "SP"])
        assert [table.game.units[name].get("pods") for name in ("K-T1", "K-T2")] == [("SP", "SP"), ("BP",)]
        again = table.tries(C, "exchange-pods", unit="K-T2", other="K-T1", pods=["SP"])
        again.then_refused("done-this-player-turn", rule="411.75", unit="K-T2", reason="pods-exchanged")

    def test_only_tugs_of_expeditionary_fleets_in_one_hex(self) -> None:
        table = self.fleets()
        alone = table.tries(C, "exchange-pods", unit="K-T1", other="K-T4", pods=["VP"])
        alone.then_refused("not-in-expeditionary-fleet", rule="411.75", unit="K-T4")
        far = table.tries(C, "exchange-pods", unit="K-T1", other="K-T3")
        far.then_refused("tugs-apart", rule="411.75", other="K-T3", at="1206")
        itself = table.tries(C, "exchange-pods", unit="K-T1", other="K-T1")
        itself.then_refused("exchanges-with-a-tug", rule="411.75")


class Test8C:
    def test_base_begun_in_3b6_is_not_begun_again(self) -> None:
        table = war(D7, CC).to("3B6").says(C, "deploy", unit="K-MB", kind="MB", at="1206", empire="klingon").to("8C")
        again = table.tries(C, "deploy", unit="K-MB", kind="MB", at="1206", empire="klingon")
        again.then_refused("unit-id-used", rule="8C", unit="K-MB")
        table.says(C, "deploy", unit="K-MB2", kind="MB", at="1206", empire="klingon").to("10D").to("1A2")
        assert table.game.turn == 1
        assert table.game.units["K-MB2"].get("operational") is False
        table.to("10D").to("1A2")
        assert table.game.units["K-MB2"].get("operational") is True


class Test6Order:
    def test_steps_of_phase_6_come_in_order_once_a_player_turn(self) -> None:
        options = {"x_ships": True, "ground_combat": True}
        fast = ship("Z-X", "kzinti", "0902", "x")
        steps = [one for one in war(D7, CC, fast, options=options).to("7A").steps() if one.startswith("6")]
        assert steps == ["6A", "6B", "6C", "6D1", "6D2", "6D3", "6E", "6F", "6G"]


class Test7Order:
    def test_supply_deployment_repairs_and_the_way_home(self) -> None:
        table = war(D7, CC).to("8A")
        assert [one for one in table.steps() if one.startswith("7")] == ["7A", "7B", "7C", "7D"]


class Test8Order:
    def test_moves_precede_pods_and_begun_bases(self) -> None:
        table = war(D7, CC).to("9A")
        assert [one for one in table.steps() if one.startswith("8")] == ["8A", "8B", "8C"]


class Test9BLeaders:
    def test_leader_changes_from_ship_to_ship(self) -> None:
        admiral = ship("K-ADM", "klingon", "1206", "leader", aboard="K-D7")
        table = war(D7, ship("K-D6", "klingon", "1206"), admiral, CC, options={"admirals": True}).to("9B")
        off = table.tries(C, "transfer-leader", leader="K-ADM")
        off.then_refused("leader-changes-on-map", rule="316.144B")
        table.says(C, "transfer-leader", leader="K-ADM", ship="K-D6")
