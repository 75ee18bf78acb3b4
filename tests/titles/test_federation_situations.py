"""Federation & Empire: situations read from the printed page, phase by phase, before a look at the code."""

from typing import Any

import pytest

from tests.face.domain import (
    AccountChanged,
    DiceRolled,
    StepPassed,
    UnitChanged,
    UnitMoved,
    UnitRemoved,
    hex_in_hand,
    phasing,
)
from tests.titles.federation_table import BASE, Line, War, battle, ship, war

A, C = "alliance", "coalition"
D7, F5 = ship("K-D7", "klingon", "1206"), ship("K-F5", "klingon", "1306")
CC = ship("Z-CC", "kzinti", "0902")
RAIDS = {"raids": True}


def empires(**changes: Line) -> list[Line]:
    """Return the empires of the border war, with some of them changed."""
    return [{**one, **changes.get(one["id"], {})} for one in BASE["empires"]]


def accepted(table: War, seat: str, order: str, *pips: int, **arguments: Any) -> bool:
    """Return whether an order is accepted, and continue the game with it if it is."""
    return table.tries(seat, order, *pips, **arguments).refusal is None


def passed(table: War, step: str) -> bool:
    return any(isinstance(event, StepPassed) and event.step == step for event in table.events)


def turn_of(table: War, side: str, step: str) -> War:
    """Play on to a step in the player turn of a side; the step of another side is left."""
    while step not in table.open or phasing(table.game) != side:
        if step in table.open:
            table.done(*table.game.cursor.waiting())
        table.to(step)
    return table


def next_round(table: War) -> War:
    """Keep both sides in the hex."""
    return table.to("5-7A1").done(A, answer="stay").done(C, answer="stay").done(A, answer="stay")


# --- phase 1: economics ----------------------------------------------------------------------------------------------


def test_supply_is_checked_by_both_players() -> None:
    """Check 1A2 (410.22)."""
    table = war(D7, CC).to("1A2").done(C)
    table.tries(A, "check-supply", out=["K-D7"]).then_refused("unit-of-another-side", rule="1A2")
    table.says(A, "check-supply", out=["Z-CC"]).done(A)
    assert "1A2" not in table.open


def test_interest_is_stated_of_empires_in_debt_only() -> None:
    """Check 1C2 (447.3)."""
    table = war(D7, CC).to("1C2")
    for empire in ("romulan", "kzinti"):
        table.tries(C, "state-interest", amount=3, empire=empire).then_refused(rule="447.3")
    table.says(C, "state-interest", amount=3, empire="klingon")


def test_interest_after_a_rewind_is_the_new_amount() -> None:
    """Check 1C2, 1C4 (447.3)."""
    table = war(D7, CC).to("1C2").says(C, "state-interest", amount=5, empire="klingon")
    table.says(C, "undo").says(C, "state-interest", amount=4, empire="klingon").to("1C4")
    table.says(C, "pay-interest", empire="klingon").story.then(AccountChanged, account="klingon/EP", amount=-4)
    table.tries(C, "pay-interest", empire="klingon").then_refused("no-interest-due", rule="447.3")


@pytest.mark.parametrize(("ep", "penalty", "taken"), [(5, 0, True), (5, 1, False), (4, 1, True)])
def test_penalty_is_for_interest_that_is_not_paid(ep: int, penalty: int, taken: bool) -> None:
    """Check 1C4 (447.4)."""
    table = war(D7, CC, empires=empires(klingon={"ep": ep})).to("1C2")
    table.says(C, "state-interest", amount=5, empire="klingon").to("1C4")
    assert accepted(table, C, "pay-interest", empire="klingon", penalty=penalty) is taken
    unpaid = max(0, 5 - ep)
    assert table.game.accounts["klingon/debt"] == 10 + (unpaid + penalty if taken else 0)


def test_loan_is_limited_for_each_empire() -> None:
    """Check 1C5 (430.62)."""
    table = war(D7, CC).to("1C3")
    table.tries(C, "borrow", ep=1, empire="klingon").then_refused(
        "not-allowed-now", rule="1C3", orders=("income", "scrap", "roll", "mark", "done")
    )
    table.to("1C5").says(C, "borrow", ep=19, empire="klingon")
    table.tries(C, "borrow", ep=2, empire="klingon").then_refused("borrows-too-much", rule="430.62", left=1)
    table.says(C, "borrow", ep=1, empire="klingon").says(C, "borrow", ep=10, empire="romulan")
    table.tries(C, "borrow", ep=1, empire="romulan").then_refused("borrowing-limit-reached", rule="430.62")


def test_reserve_marker_comes_off_in_the_turn_of_its_side() -> None:
    """Check 1D, 4B (507.1)."""
    table = war(D7, CC).to("9A").says(C, "form-reserve", fleet="K1", units=["K-D7"])
    turn_of(table, A, "4B")
    table.tries(A, "move-reserve", fleet="K1", path=["1106"]).then_refused("reserve-of-another-side", rule="203.7")
    turn_of(table, A, "9A").says(A, "form-reserve", fleet="Z1", units=["Z-CC"])
    turn_of(table, C, "2A1")
    assert [table.game.units[one].get("reserve") for one in ("K-D7", "Z-CC")] == [None, "Z1"]
    turn_of(table, A, "2A1")
    assert table.game.units["Z-CC"].get("reserve") is None


# --- phase 2: shipyard -----------------------------------------------------------------------------------------------


def yard(ep: int = 5) -> War:
    """Open a war with a dock at 1306 that repairs one ship, and cripples there and elsewhere."""
    units = [ship("K-FRD", "klingon", "1306", "frd", repairs=1), ship("K-1", "klingon", "1306", crippled=True)]
    units += [ship("K-2", "klingon", "1306", crippled=True), ship("K-3", "klingon", "1206", crippled=True)]
    return war(D7, CC, F5, *units, empires=empires(klingon={"ep": ep})).to("2A2")


@pytest.mark.parametrize(("name", "ep", "taken"), [("K-1", 5, True), ("K-1", 6, False), ("K-3", 1, False)])
def test_repair_is_paid_at_a_yard_from_the_purse(name: str, ep: int, taken: bool) -> None:
    """Check 2A2 (420.2)."""
    assert accepted(yard(), C, "repair", unit=name, ep=ep) is taken


def test_unit_is_flipped_only_if_its_repair_is_paid() -> None:
    """Check 2A4 (420.52)."""
    table = yard().says(C, "repair", unit="K-1", ep=2)
    table.tries(C, "repair", unit="K-2", ep=2).then_refused("no-yard-with-room", rule="420.2")
    table.tries(C, "repair", unit="K-F5", ep=2).then_refused(
        "cannot-be-repaired", rule="420.2", unit="K-F5", reason="not-crippled"
    )
    assert table.game.units["K-1"].get("crippled")
    table.to("2B1")
    assert [bool(table.game.units[one].get("crippled")) for one in ("K-1", "K-2")] == [False, True]


@pytest.mark.parametrize(("season", "year", "taken"), [("Fall", 180, False), ("Spring", 181, True)])
def test_division_is_formed_from_spring_181(season: str, year: int, taken: bool) -> None:
    """Check 2B2 (513.21)."""
    table = war(D7, CC, ship("R-WE", "romulan", "1206"), calendar={"season": season, "year": year}).to("2B2")
    assert not accepted(table, C, "form-division", division="77th", unit="R-WE")
    assert not accepted(table, C, "form-division", division="23rd", unit="Z-CC")
    assert accepted(table, C, "form-division", division="77th", unit="K-D7") is taken


def test_division_waits_one_turn_before_spring_181() -> None:
    """Check 2B2 (513.31)."""
    table = turn_of(war(D7, CC, calendar={"season": "Fall", "year": 180}), A, "2B2")
    table.tries(A, "form-division", division="23rd", unit="Z-CC").then_refused("division-too-early", rule="513.31")
    table.to("1A2")
    turn_of(table, A, "2B2").says(A, "form-division", division="23rd", unit="Z-CC")
    table.to("6G").says(A, "disband-division", division="23rd")
    table.tries(A, "disband-division", division="23rd").then_refused("no-such-division", rule="513.3")


def test_lost_fighters_are_replaced_in_supply_by_all_players() -> None:
    """Check 2B4, 6E (501.5)."""
    carriers = [ship("K-CV", "klingon", "1206", fighters=6, fighters_gone=3)]
    carriers += [ship("Z-CV", "kzinti", "0902", fighters=6, fighters_gone=3)]
    table = war(*carriers).to("2A1").says(C, "check-supply", out=["K-CV"]).to("2B4")
    for seat, name in ((C, "K-CV"), (A, "Z-CV")):
        table.tries(seat, "replace", unit=name, what="fighters", number=3, ep=0).then_refused(rule="501.5")
    table.to("6A").says(A, "check-supply", out=["Z-CV"]).to("6E")
    table.tries(A, "replace", unit="Z-CV", what="fighters", number=3, ep=0).then_refused(
        "replacement-out-of-supply", rule="501.5"
    )
    table.tries(C, "replace", unit="K-CV", what="fighters", number=4, ep=0).then_refused(
        "lacks-fewer", rule="501.5", limit=3
    )
    table.says(C, "replace", unit="K-CV", what="fighters", number=3, ep=0)


@pytest.mark.parametrize(("at", "taken"), [("1206", True), ("1209", True), ("1207", False), ("1208", False)])
def test_modular_ship_is_converted_at_a_starbase_of_its_side(at: str, taken: bool) -> None:
    """Federation & Empire 2B5 (433.432): a battle station is at 1207, and the enemy's starbase at 1208."""
    bases = [ship("K-SB", "klingon", "1206", "starbase", base=True), ship("K-BATS", "klingon", "1207", base=True)]
    bases += [ship("Z-SB", "kzinti", "1208", "starbase", base=True)]
    bases += [ship("K-SF", "klingon", "1209", "stellar-fortress", base=True)]
    table = war(D7, CC, *bases, ship("R-KR", "romulan", at, "modular")).to("2B5")
    factors = {"attack": 5, "defense": 5, "crippled_attack": 2, "crippled_defense": 2, "command": 4}
    assert accepted(table, C, "convert", unit="R-KR", kind="KRM", ep=1, **factors) is taken


def test_scuttling_is_for_units_that_a_player_controls() -> None:
    """Check 2B11, 10D (301.911)."""
    table = war(D7, F5, CC, ship("Z-FF", "kzinti", "0902")).to("2B11")
    table.tries(A, "scuttle", unit="K-F5").then_refused("unit-of-another-side", rule="301.911")
    table.says(A, "scuttle", unit="Z-FF").story.then(UnitRemoved, unit="Z-FF")
    table.to("10D").tries(A, "scuttle", unit="Z-FF").then_refused("unit-removed", rule="301.911")
    table.says(C, "scuttle", unit="K-F5")


# --- phase 3A: raids -------------------------------------------------------------------------------------------------


def pool(number: int) -> list[Line]:
    return [ship(f"K-P{n}", "klingon", "raid-pool") for n in range(number)]


def test_raid_pool_holds_its_limit_and_no_ship_more() -> None:
    """Federation & Empire 3A-1A (314.17): the pool of the Klingons has four places."""
    table = war(D7, ship("K-E4", "klingon", "1206"), *pool(3), CC, options=RAIDS).to("3A-1A")
    table.tries(A, "pool", unit="Z-CC").then_refused("step-of-another-side", rule="3A-1A", sides="Coalition")
    table.says(C, "pool", unit="K-D7").tries(C, "pool", unit="K-E4").then_refused("raid-pool-full", rule="314.17")
    table.says(C, "pool", unit="K-P0", to="1206").says(C, "pool", unit="K-E4")


def raided() -> War:
    """Raid 0902 and 1003, with two ships of the Kzintis at 1003."""
    enemies = [ship("Z-FF", "kzinti", "1003"), ship("Z-DD", "kzinti", "1003")]
    table = war(D7, *pool(3), CC, *enemies, options=RAIDS).to("3A-2B")
    return table.says(C, "raid", unit="K-P0", path=["0902"]).says(C, "raid", unit="K-P1", path=["1003"])


def test_police_or_reaction_answers_each_raid() -> None:
    """Check 3A-2C (314.241, 314.243)."""
    table = raided().to("3A-2C").says(A, "answer-raid", at="0902", unit="Z-POL", police=True, empire="kzinti")
    both = table.tries(A, "answer-raid", at="0902", unit="Z-FF", path=["0903", "0902"])
    both.then_refused("answered-otherwise", rule="314.241", answer="police")
    table.says(A, "answer-raid", at="1003", unit="Z-CC", path=["0903", "1003"])
    police = table.tries(A, "answer-raid", at="1003", unit="Z-POL-2", police=True, empire="kzinti")
    police.then_refused("answered-otherwise", rule="314.243", answer="reaction")


def test_crippled_raider_disrupts_nothing_and_its_neighbour_does() -> None:
    """Check 3A-2F, 3A-2H (314.244, 314.27, 314.28)."""
    table = raided().to("3A-2D").says(A, "fight-raiders", at="0902", units=["Z-CC"]).to("3A-2E").rolled()
    table.says(C, "suffer", unit="K-P0", outcome="crippled").to("3A-2F")
    table.tries(C, "recall", unit="K-P1").then_refused("goes-on-with-mission", rule="314.244")
    table.says(C, "recall", unit="K-P0").to("3A-2H")
    table.tries(C, "disrupt", unit="K-P0").then_refused("not-a-raider-on-map", rule="314.27")
    table.says(C, "disrupt", unit="K-P1")
    table.tries(C, "disrupt", unit="K-P1", how="alternate attack").then_refused("attack-made", rule="314.28")
    table.to("3A-5B").tries(C, "pool", unit="K-P1", to="1206").then_refused("raided-and-stays", rule="314.12")
    table.says(C, "pool", unit="K-P2", to="1206").to("3A-5C")
    table.tries(C, "pool", unit="K-P1", to="1306").then_refused("not-crippled-raiding", rule="320.11")
    table.says(C, "pool", unit="K-P0", to="1306")


def runs() -> War:
    """Two runners, one of them with 5 EP on a way past 1004 and 1003; it is on its way in."""
    enemies = [ship("Z-FF", "kzinti", "1003"), ship("Z-DD", "kzinti", "1004")]
    table = war(D7, *pool(2), CC, *enemies, options=RAIDS).to("3A-4A")
    table.says(C, "raid", unit="K-P0").says(C, "raid", unit="K-P1").to("3A-4B").says(C, "load", unit="K-P0", ep=5)
    table.to("3A-4C").says(C, "raid", unit="K-P0", path=["1105", "1004", "1003"])
    return table.says(C, "raid", unit="K-P1", path=["1105", "1004"]).to("3A-4D")


def test_attempt_that_failed_on_the_way_in_is_the_only_one() -> None:
    """Check 3A-4D, 3A-4K (320.54)."""
    table = runs().says(A, "roll-intercept", 1, at_least=4, runner="K-P0", units=["Z-FF"])
    again = table.tries(A, "roll-intercept", 6, at_least=4, runner="K-P0", units=["Z-DD"])
    again.then_refused("runner-tried-already", rule="320.54")
    table.done(A)
    assert passed(table, "3A-4E")
    late = table.to("3A-4K").tries(A, "roll-intercept", 6, at_least=4, runner="K-P0", units=["Z-FF"])
    late.then_refused("runner-tried-already", rule="320.54")
    table.says(A, "roll-intercept", 6, at_least=4, runner="K-P1", units=["Z-DD"]).story.then(DiceRolled)


@pytest.mark.parametrize(("outcome", "eps"), [("crippled", None), ("retreats", 5)])
def test_crippled_runner_alone_loses_its_eps(outcome: str, eps: int | None) -> None:
    """Check 3A-4F (320.54)."""
    table = runs().says(A, "roll-intercept", 6, at_least=4, runner="K-P0", units=["Z-FF"]).done(A).rolled()
    table.says(C, "suffer", unit="K-P0", outcome=outcome)
    assert table.game.units["K-P0"].get("cargo_ep") == eps


def test_runner_that_stays_is_not_a_ship_of_the_pool() -> None:
    """Check 3A-4H, 3A-4J (320.514, 320.11)."""
    table = runs().to("3A-4H").says(C, "stay-there", unit="K-P0").to("3A-4J")
    table.tries(C, "raid", unit="K-P0", path=["1004"]).then_refused("raider-not-in-pool", rule="320.512")
    table.to("3A-5B").tries(C, "pool", unit="K-P0", to="1206").then_refused("not-in-raid-pool", rule="314.12")
    assert [table.game.units[one].at for one in ("K-P0", "K-P1")] == ["1003", "raid-pool"]


# --- phases 3B and 4 -------------------------------------------------------------------------------------------------


def test_colony_is_paid_in_later_turns_before_it_is_established() -> None:
    """Check 2B7, 3B5, 2B3, 10A (446.11, 446.13, 446.14)."""
    table = war(D7, F5, CC, options={"colonies": True}).to("2B7").says(C, "colony", at="1307", empire="klingon")
    table.tries(C, "colony", at="0902", empire="klingon").then_refused("enemy-in-hex", rule="446.11")
    table.to("3B5").tries(C, "colony", at="1306", ep=2, empire="klingon").then_refused(
        "colony-in-other-state", rule="446.13"
    )
    table.tries(C, "colony", at="1307", ep=2, empire="romulan").then_refused("colony-in-other-state", rule="446.13")
    table.says(C, "colony", at="1307", ep=2, empire="klingon").to("10A")
    table.tries(C, "colony", at="1307", empire="klingon").then_refused("colony-in-other-state", rule="446.14")
    table.done(C)
    turn_of(table, C, "2B3").says(C, "colony", at="1307", ep=3, empire="klingon")
    table.to("10A").says(C, "colony", at="1307", empire="klingon")
    table.tries(C, "colony", at="1307", empire="klingon").then_refused("colony-in-other-state", rule="446.14")


def test_wyn_funds_arrive_at_the_end_of_the_player_turn() -> None:
    """Check 3B2, 10B (449.13, 449.131)."""
    table = war(D7, F5, ship("K-TUG", "klingon", "1306", "tug"), CC, options={"wyn": True}).to("3B2")
    table.tries(C, "trade", unit="K-F5", ep=5).then_refused("wrong-kind", rule="449.13", units="K-TUG")
    table.says(C, "trade", unit="K-TUG", ep=5).to("9A")
    before = table.game.accounts["klingon/EP"]
    assert turn_of(table, A, "2A1").game.accounts["klingon/EP"] == before + 5


# --- phase 6 to 8 ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("start", "taken"), [("0905", True), ("0906", False)])
def test_tactical_retrograde_is_three_hexes_long(start: str, taken: bool) -> None:
    """Check 6D1 (544.47)."""
    base = ship("Z-PB", "kzinti", "0902", "pacification", base=True)
    near = ship("Z-DD", "kzinti", "0904")
    table = war(D7, base, near, ship("Z-FF", "kzinti", start), options={"pacification": True}).to("6D1")
    table.tries(C, "retrograde", units=["K-D7"], path=["1207"]).then_refused(
        "step-of-another-side", rule="544.47", sides="Alliance"
    )
    whole = [f"09{row:02}" for row in range(int(start[2:]) - 1, 1, -1)]
    assert accepted(table, A, "retrograde", units=["Z-FF"], path=whole) is taken


def test_non_phasing_x_ships_alone_go_back_in_6d3() -> None:
    """Check 6D2, 6D3 (206.0, 523.242)."""
    table = war(D7, CC, ship("Z-X", "kzinti", "0902", "x"), options={"x_ships": True}).to("6D2")
    table.tries(A, "retrograde", units=["Z-X"], path=["0903"]).then_refused("step-of-another-side", rule="206.0")
    table.to("6D3").tries(A, "retrograde", units=["Z-CC", "Z-X"], path=["0903"]).then_refused(
        "wrong-kind", rule="523.242"
    )
    table.says(A, "retrograde", units=["Z-X"], path=["0903"]).story.then(UnitMoved, unit="Z-X")
    table.tries(A, "retrograde", units=["Z-X"], path=["0904"]).then_refused(
        "done-this-player-turn", rule="523.242", reason="retrograded"
    )


def test_transports_of_both_sides_have_missions_in_10c() -> None:
    """Check 1F, 10C (509.1)."""
    tugs = [ship("K-TUG", "klingon", "1206", "tug"), ship("Z-TUG", "kzinti", "0902", "tug")]
    table = war(D7, CC, *tugs).to("1F").says(C, "assign-mission", unit="K-TUG", code="E")
    table.tries(A, "assign-mission", unit="Z-TUG", code="E").then_refused("step-of-another-side", rule="509.32")
    table.to("10C").says(A, "assign-mission", unit="Z-TUG", code="E")
    table.tries(A, "assign-mission", unit="K-TUG", code="E").then_refused("unit-of-another-side", rule="509.1")


# --- phase 5: combat -------------------------------------------------------------------------------------------------

K1, K2 = ship("K-1", "klingon", "1105"), ship("K-2", "klingon", "1105")
Z1, Z2, Z3 = (ship(f"Z-{n}", "kzinti", "1105") for n in (1, 2, 3))
BASE_1105 = ship("Z-B", "kzinti", "1105", base=True, attack=12, defense=12)


def test_battle_hex_is_picked_by_the_phasing_player() -> None:
    """Check 5 (302.9)."""
    elsewhere = [ship("K-3", "klingon", "1003"), ship("Z-4", "kzinti", "1003"), D7, CC]
    table = war(K1, Z1, *elsewhere).to("5-HEX")
    table.tries(A, "pick", member="1105").then_refused("step-of-another-side", rule="302.9", sides="Coalition")
    for place in ("1206", "0902"):
        table.tries(C, "pick", member=place).then_refused("no-such-member", rule="302.9")
    table.says(C, "pick", member="1105").tries(C, "pick", member="1003").then_refused("nothing-to-pick", rule="5-1A")
    table.done(A, answer="withdraw").done(C, answer="let go").says(A, "withdraw", units=["Z-1"], path=["1104"]).done(A)
    assert hex_in_hand(table.game) == ""
    table.tries(C, "pick", member="1105").then_refused("no-such-member", rule="302.9", free=("1003",))


def test_named_flagship_serves_and_withdrawn_unit_does_not() -> None:
    """Check 5-1D, 5-3D (302.133)."""
    table = battle(K1, Z1, Z2, Z3).says(A, "announce-withdrawal", units=["Z-1"]).to("5-1C")
    table.says(A, "withdraw", units=["Z-1"], path=["1104"]).to("5-1D")
    table.tries(A, "name-flagship", unit="Z-1").then_refused("unit-not-there", rule="302.133")
    table.says(A, "name-flagship", unit="Z-2").to("5-3D")
    table.tries(A, "seal-flagship", unit="Z-3").then_refused("flagship-required", rule="302.133", flagship="Z-2")
    next_round(table).to("5-3D").says(A, "seal-flagship", unit="Z-3")


@pytest.mark.parametrize(("answer", "name", "taken"), [("accept", "Z-B", False), ("reject", "Z-B", True)])
def test_base_takes_part_in_the_base_battle_alone(answer: str, name: str, taken: bool) -> None:
    """Check 5-2A3, 5-2B2, 5-3E (302.22, 302.2)."""
    table = battle(K1, Z1, BASE_1105).to("5-2A2")
    table.tries(C, "done", answer="no offer").then_refused(
        "not-an-answer", rule="302.22", choices="offer", do="`done offer`"
    )
    table.done(C, answer="offer").tries(C, "done", answer=answer).then_refused(
        "step-of-another-side", rule="5-2A3", sides="Alliance"
    )
    table.done(A, answer=answer).to("5-3E")
    assert accepted(table, A, "seal-force", units=["Z-1", name]) is taken
    assert accepted(table, A, "seal-force", units=["Z-1"]) is not taken


def test_small_scale_combat_is_settled_in_the_first_round() -> None:
    """Check 5-3B, 5-3K (310.11)."""
    table = battle(K1, Z1).to("5-3B/size").done(C, answer="small").to("5-3K")
    table.tries(C, "suffer", unit="K-1", outcome="crippled").then_refused("skirmish-not-rolled", rule="310.0")
    table.says(C, "skirmish", 3, units=["K-1"]).tries(C, "done").then_refused(
        "others-act-first", rule="310.0", sides="Alliance"
    )
    table.says(A, "skirmish", 3, units=["Z-1"]).done(C, A)
    assert table.open == ("5-6X9",)
    next_round(table).to("5-3K")
    assert table.steps().count("5-3B/size") == 1
    assert not {"5-3X2", "5-5B"} & {*table.steps()}


def test_escorts_stay_as_they_are_until_a_pursuit() -> None:
    """Check 5-3C (515.15)."""
    table = battle(K1, Z1, Z2, Z3).to("5-3C").says(A, "seal-escorts", groups=["Z-1: Z-2"])
    table.tries(A, "seal-escorts", groups=["Z-1: Z-3"]).then_refused("sealed-already", rule="515.15")
    next_round(table).to("5-3C")
    for groups in (["Z-1: Z-3"], ["Z-1: Z-2"], []):
        table.tries(A, "seal-escorts", groups=groups).then_refused("escorts-set-already", rule="515.15")


def pinwheels() -> War:
    """Two Tholian ships form a pinwheel, a third does not."""
    ships = [ship(f"T-{n}", "tholian", "1105", "pinwheel") for n in (1, 2, 3)]
    table = battle(K1, *ships).to("5-3E").says(A, "seal-force", units=["T-1", "T-2", "T-3"], pinwheels=["T-1 T-2"])
    return table.to("5-3F1")


@pytest.mark.parametrize("number", [0, 2])
def test_pinwheels_are_declared_as_they_were_formed(number: int) -> None:
    """Check 5-3F1 (322.1)."""
    table = pinwheels()
    table.tries(A, "declare-pinwheels", number=number).then_refused("too-many-pinwheels", rule="322.1", limit=1)
    table.says(A, "declare-pinwheels", number=1).done(A)
    table.tries(A, "done", answer="offer").then_refused("step-of-another-side", rule="5-3F2", sides="Coalition")


@pytest.mark.parametrize(("answer", "opens"), [("accept", "5-3G"), ("refuse", "5-7A1")])
def test_pinwheel_ships_fight_no_approach_battle(answer: str, opens: str) -> None:
    """Check 5-3F3, 5-3F4."""
    table = pinwheels().to("5-3F3", s5_3F2="offer").done(A, answer=answer)
    assert opens in table.open
    assert table.game.markers.get("force of alliance") == (("T-3",) if answer == "accept" else None)


def test_damage_is_directed_by_the_phasing_player_first() -> None:
    """Check 5-5B, 5-5C, 5-6A, 5-6B (302.5, 302.6)."""
    table = battle(K1, K2, Z1, Z2).to("5-4C4").says(C, "score", points=12).says(A, "score", points=12).to("5-5B")
    table.tries(A, "direct", unit="K-1", result="crippled").then_refused(
        "step-of-another-side", rule="5-5B", sides="Coalition"
    )
    table.tries(C, "direct", unit="K-1", result="crippled").then_refused("not-a-fighting-enemy", rule="302.5")
    table.says(C, "direct", unit="Z-1", result="crippled").to("5-5C")
    table.says(A, "direct", unit="K-2", result="crippled").story.then(UnitChanged, unit="K-2", attribute="crippled")
    table.tries(A, "direct", unit="K-1", result="crippled").then_refused("one-target-a-round", rule="5-5")


def test_defender_moves_out_first_if_both_retreat() -> None:
    """Check 5-7A3, 5-7D (302.712)."""
    table = battle(K1, Z1, Z2).to("5-7A1").done(A, answer="stay").done(C, answer="retreat")
    assert table.open == ("5-7A3",)
    table.done(A, answer="retreat").to("5-7D")
    assert "5-7B" not in table.steps()
    table.tries(C, "retreat", units=["K-1"], path=["1106"]).then_refused(
        "step-of-another-side", rule="302.72", sides="Alliance"
    )
    table.says(A, "retreat", units=["Z-1"], path=["1104"])
    table.must(A, "retreat", "Z-2", rule="302.72")
    table.says(A, "retreat", units=["Z-2"], path=["1004"]).done(A)
    table.says(C, "retreat", units=["K-1"], path=["1106"])


def test_retreat_to_a_lone_enemy_makes_a_battle_hex() -> None:
    """Check 5, 5-7D, 5-3X1 (302.9, 302.772)."""
    table = war(K1, ship("K-3", "klingon", "1106"), Z1, CC).to("5-7A1").done(A, answer="retreat").to("5-7D")
    table.says(A, "retreat", units=["Z-1"], path=["1106"]).done(A).to("5-3X1")
    assert hex_in_hand(table.game) == "1106"
    table.tries(C, "fighting-retreat").then_refused("step-of-another-side", rule="302.772", sides="Alliance")
    table.says(A, "fighting-retreat").done(A)
    assert passed(table, "5-3X2")
    assert [table.game.choices[f"BIR/{side}"].choice for side in (A, C)] == [0, 10]
