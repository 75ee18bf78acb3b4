"""Federation & Empire: situations of the printed page about posts, places and kinds that an order may name."""

from typing import Any

import pytest

from tests.face.domain import (
    AccountChanged,
    UnitChanged,
    UnitMoved,
    UnitRemoved,
)
from tests.titles.federation_table import Line, War, battle, ship, war
from tests.titles.test_federation_forces import numbers
from tests.titles.test_federation_situations import turn_of

A, C, ORION = "alliance", "coalition", "orion"
RAIDS = {"raids": True}
D7, F5 = ship("K-D7", "klingon", "1206"), ship("K-F5", "klingon", "1306")
CC = ship("Z-CC", "kzinti", "0902")


def accepted(table: War, seat: str, order: str, *pips: int, **arguments: Any) -> bool:
    """Return whether an order is accepted, and continue the game with it if it is."""
    return table.tries(seat, order, *pips, **arguments).refusal is None


# --- 5-1E: the flagship of those who failed to evade -----------------------------------------------------------------


def evading() -> War:
    """Three Tholians stay: two are cloaked, and the flagship is one of them."""
    tholians = [ship(f"T-{n}", "tholian", "1105", *(("cloak",) if n < 3 else ())) for n in (1, 2, 3)]
    table = battle(ship("K-D7", "klingon", "1105"), *tholians).to("5-1D").says(A, "name-flagship", unit="T-1")
    return table.to("5-1E").says(A, "evade", 6, unit="T-1", at_least=3)


def test_flagship_that_never_tried_to_evade_is_refused() -> None:
    """Check 5-1E (306.1)."""
    table = evading().says(A, "evade", 1, unit="T-2", at_least=3)
    table.tries(A, "name-flagship", unit="T-3").then_refused("not-failed-to-evade", rule="306.1", units="T-2")
    table.says(A, "name-flagship", unit="T-2")


def test_flagship_if_none_failed_is_any_that_stays() -> None:
    """Check 5-1E (306.1)."""
    table = evading()
    table.tries(A, "name-flagship", unit="T-1").then_refused("unit-not-there", rule="306.1")
    table.says(A, "name-flagship", unit="T-3")


# --- 8A, 5-3E, 2B6: who carries an admiral ---------------------------------------------------------------------------


def admirals(step: str) -> War:
    """Return an admiral aboard K-D7 at 1206, and units that carry none."""
    units = [
        ship("K-ADM", "klingon", "1206", "leader", aboard="K-D7"),
        ship("K-GEN", "klingon", "1306", "leader", "general"),
        ship("K-FRD", "klingon", "1306", "frd"),
        ship("K-GCE", "klingon", "1306", kind="GCE"),
        ship("K-DIP", "klingon", "1306", "diplomat"),
        ship("K-POOL", "klingon", "raid-pool"),
        ship("K-BATS", "klingon", "1306", base=True),
    ]
    return war(D7, F5, CC, *units, options={"admirals": True}).to(step)


@pytest.mark.parametrize("post", ["K-ADM", "K-GEN", "K-FRD", "K-GCE", "K-DIP", "K-POOL"])
def test_admiral_moves_to_no_post_that_carries_none(post: str) -> None:
    """Check 8A (316.144C)."""
    code = "ship-off-map" if post == "K-POOL" else "neither-ship-nor-base"
    admirals("8A").tries(C, "transfer-leader", leader="K-ADM", ship=post).then_refused(code, rule="316.144C", ship=post)


@pytest.mark.parametrize("post", ["K-F5", "K-BATS"])
def test_admiral_moves_to_a_ship_or_base_far_away(post: str) -> None:
    """Check 8A (316.144C)."""
    table = admirals("8A").says(C, "transfer-leader", leader="K-ADM", ship=post)
    table.story.then(UnitMoved, unit="K-ADM")
    table.tries(C, "transfer-leader", leader="K-GEN", ship="K-F5").then_refused("moved-strategically", rule="316.144C")


@pytest.mark.parametrize(("post", "taken"), [("Z-2", True), ("Z-FRD", False), ("Z-GCE", False)])
def test_admiral_in_battle_transfers_to_ships(post: str, taken: bool) -> None:
    """Check 5-3E (316.144)."""
    units = [ship(name, "kzinti", "1105") for name in ("Z-1", "Z-2")]
    units += [ship("Z-FRD", "kzinti", "1105", "frd"), ship("Z-GCE", "kzinti", "1105", kind="GCE")]
    table = battle(ship("K-D7", "klingon", "1105"), *units, ship("Z-ADM", "kzinti", "1105", "leader", aboard="Z-1"))
    assert accepted(table.to("5-3E"), A, "transfer-leader", leader="Z-ADM", ship=post) is taken


# --- 3B3, 6D: who moves by himself -----------------------------------------------------------------------------------


def riders(empire: str, at: str) -> tuple[Line, ...]:
    """Return a general and a diplomat at a place, aboard nothing."""
    return ship("X-GEN", empire, at, "leader", "general"), ship("X-DIP", empire, at, "diplomat")


@pytest.mark.parametrize("rider", ["X-GEN", "X-DIP"])
def test_rider_reacts_with_a_ship_alone(rider: str) -> None:
    """Check 3B3 (205.0)."""
    table = war(D7, CC, *riders("kzinti", "0902")).to("3B2").says(C, "move-units", units=["K-D7"], path=["1106"])
    table.tries(A, "react", units=[rider], path=["0903"]).then_refused("leader-moves-with-ship", rule="205.0")
    table.says(A, "react", units=["Z-CC"], path=["0903"])


@pytest.mark.parametrize("rider", ["X-GEN", "X-DIP"])
def test_rider_goes_back_with_a_ship_alone(rider: str) -> None:
    """Check 6D2 (206.0)."""
    table = war(D7, CC, *riders("klingon", "1206")).to("6D2")
    table.tries(C, "retrograde", units=[rider], path=["1207"]).then_refused("leader-moves-with-ship", rule="206.0")
    table.says(C, "retrograde", units=["K-D7"], path=["1207"])


def test_admiral_aboard_goes_back_with_their_ship() -> None:
    """Check 6D2 (206.0)."""
    table = war(D7, CC, ship("K-ADM", "klingon", "1206", "leader", aboard="K-D7")).to("6D2")
    table.tries(C, "retrograde", units=["K-ADM"], path=["1207"]).then_refused("leader-moves-with-ship", rule="206.0")
    table.says(C, "retrograde", units=["K-D7"], path=["1207"])
    assert table.game.units["K-ADM"].at == "1207"


# --- 7C: ships alone are repaired in the field -----------------------------------------------------------------------


@pytest.mark.parametrize(("name", "taken"), [("K-LAME", True), ("K-BATS", False), ("K-FRD", False), ("K-GCE", False)])
def test_field_repair_is_for_ships_only(name: str, taken: bool) -> None:
    """Check 7C (420.434)."""
    hurt = [ship("K-LAME", "klingon", "1306", crippled=True), ship("K-FRD", "klingon", "1306", "frd", crippled=True)]
    hurt += [ship("K-GCE", "klingon", "1306", kind="GCE", crippled=True)]
    hurt += [ship("K-BATS", "klingon", "1306", base=True, crippled=True)]
    table = war(D7, CC, *hurt, ship("K-REP", "klingon", "off-map", "repair")).to("7B")
    table.says(C, "deploy-repair", unit="K-REP", at="1306").to("7C")
    tried = table.tries(C, "field-repair", repairer="K-REP", unit=name, ep=1)
    if taken:
        tried.then(UnitChanged, unit=name, attribute="crippled", after=None)
    else:
        tried.then_refused("not-a-ship-to-repair", rule="420.434")


def test_field_repair_of_a_friend_is_refused() -> None:
    """Check 7C (420.434)."""
    friend = ship("R-WE", "romulan", "1306", crippled=True)
    table = war(D7, CC, friend, ship("K-REP", "klingon", "off-map", "repair")).to("7B")
    table.says(C, "deploy-repair", unit="K-REP", at="1306").to("7C")
    table.tries(C, "field-repair", repairer="K-REP", unit="R-WE", ep=1).then_refused(
        "other-empires-repairer", rule="420.434"
    )
    table.to("8A")
    assert table.game.units["K-REP"].at == "off-map"


# --- 5-6X7, 2B3: the depot -------------------------------------------------------------------------------------------

LAME = {"crippled": True}


def after_battle() -> War:
    """Open 5-6X7 at 1105, with cripples in the hex and elsewhere, and one in the depot."""
    units = [ship("Z-1", "kzinti", "1105", kind="FF", **LAME), ship("Z-2", "kzinti", "0902", kind="FF", **LAME)]
    units += [ship("Z-3", "kzinti", "DLR", kind="CM", **LAME), ship("Z-4", "kzinti", "1105", defense=12)]
    return battle(ship("K-1", "klingon", "1105"), *units, options={"depot_repair": True}).to("5-6X7")


def test_cripple_of_another_hex_is_not_a_casualty() -> None:
    """Check 5-6X7 (424.33)."""
    table = after_battle()
    table.tries(A, "depot", unit="Z-2", act="add").then_refused("unit-not-there", rule="424.33")
    table.says(A, "depot", unit="Z-1", act="add").story.then(UnitMoved, unit="Z-1", path=("1105", "DLR"))


@pytest.mark.parametrize("act", ["progress", "place", "salvage"])
def test_depot_after_a_battle_only_takes_casualties(act: str) -> None:
    """Check 5-6X7 (424.33)."""
    table = after_battle()
    table.tries(A, "depot", unit="Z-3", act=act, at="0902", ep=1).then_refused("only-casualties-enter", rule="424.33")


@pytest.mark.parametrize(("at", "taken"), [("1206", True), ("0902", False), ("1105", False)])
def test_depot_places_no_ship_with_the_enemy(at: str, taken: bool) -> None:
    """Check 2B3 (424.3)."""
    units = [ship("K-DLR", "klingon", "DLR", **LAME), ship("Z-BATS", "kzinti", "1105", base=True)]
    table = war(D7, CC, *units, options={"depot_repair": True}).to("2B3")
    tried = table.tries(C, "depot", unit="K-DLR", act="place", at=at)
    tried.then(UnitMoved, unit="K-DLR") if taken else tried.then_refused("enemy-in-hex", rule="424.3")


def test_casualty_of_the_type_does_not_count_as_the_chosen_one() -> None:
    """Federation & Empire 2B3 (424.35): one of each type is chosen; casualties of 5-6X7 enter in the same turn."""
    table = after_battle().says(A, "depot", unit="Z-1", act="add").to("2B3")
    table.says(A, "depot", unit="Z-2", act="add")
    third = ship("Z-5", "kzinti", "0902", kind="FF", **LAME)
    table = war(D7, CC, third, ship("Z-6", "kzinti", "0902", kind="FF", **LAME), options={"depot_repair": True})
    table.to("3B2").to("2B3").says(A, "depot", unit="Z-5", act="add")
    table.tries(A, "depot", unit="Z-6", act="add").then_refused("type-entered-this-turn", rule="424.35")
    table.says(A, "undo").says(A, "depot", unit="Z-6", act="add")


# --- 11: the ships of the Orions -------------------------------------------------------------------------------------


def cartel(step: str, **more: Any) -> War:
    """Return pirate ships of the Force Pool, one crippled, with a leader and a base that are not ships."""
    units = [ship("O-1", "orion", "orion-pool"), ship("O-2", "orion", "orion-pool", crippled=True)]
    units += [ship("O-ADM", "orion", "orion-pool", "leader", aboard="O-1")]
    units += [ship("O-BASE", "orion", "orion-pool", base=True, crippled=True)]
    return war(D7, CC, *units, options={"orions": True}, **more).to(step)


@pytest.mark.parametrize(("name", "taken"), [("O-1", True), ("O-ADM", False), ("O-BASE", False), ("K-D7", False)])
def test_lease_is_offered_of_ships_only(name: str, taken: bool) -> None:
    """Check 11F (504.33)."""
    assert accepted(cartel("11F"), ORION, "offer-lease", unit=name) is taken


@pytest.mark.parametrize(("name", "taken"), [("O-1", True), ("O-2", True), ("O-ADM", False), ("O-BASE", False)])
def test_pirates_deploy_ships_only(name: str, taken: bool) -> None:
    """Check 11H (504.34)."""
    table = cartel("11H")
    assert accepted(table, ORION, "pirate", unit=name, at="1401") is taken
    assert table.game.units["O-ADM"].at == ("1401" if name == "O-1" else "orion-pool")


@pytest.mark.parametrize(("name", "taken"), [("O-2", True), ("O-1", False), ("O-BASE", False)])
def test_pirates_repair_crippled_ships_only(name: str, taken: bool) -> None:
    """Check 11C1."""
    assert accepted(cartel("11C1"), ORION, "orion-repair", unit=name, ep=1) is taken


def test_pirates_act_once_after_both_player_turns() -> None:
    """Check 11, END."""
    table = cartel("11C1")
    assert table.steps().count("10D") == 2
    table.done(ORION).to("1A2").to("11C1")
    assert table.steps().count("10D") == 4


# --- 3B4: ships sold to the WYN --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "taken"), [("K-D7", True), ("K-DLR", False), ("K-OLD", False), ("K-ADM", False)])
def test_ship_out_of_service_is_not_sold(name: str, taken: bool) -> None:
    """Check 3B4 (449.23)."""
    units = [ship("K-DLR", "klingon", "DLR", crippled=True), ship("K-OLD", "klingon", "1306", mothballed=True)]
    units += [ship("K-ADM", "klingon", "1306", "leader", aboard="K-F5")]
    table = war(D7, F5, CC, *units, options={"wyn": True}).to("3B4")
    tried = table.tries(C, "sell-ship", unit=name, ep=5)
    if taken:
        tried.then(AccountChanged, account="klingon/EP", amount=5)
    else:
        tried.then_refused("not-a-ship" if name == "K-ADM" else "not-a-sold-ship", rule="449.23", unit=name)


def test_side_with_ships_in_the_depot_alone_sells_none() -> None:
    """Check 3B4 (449.23)."""
    table = war(ship("K-DLR", "klingon", "DLR", crippled=True), CC, options={"wyn": True}).to("3B4")
    table.tries(C, "sell-ship", unit="K-DLR", ep=5).then_refused("not-a-sold-ship", rule="449.23")
    table.done(C)


# --- 2B6: a new leader -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("post", ["K-GEN", "K-FRD", "K-GCE", "K-DIP", "K-BATS", "R-WE", "Z-CC"])
def test_new_leader_is_posted_to_a_ship_of_the_empire(post: str) -> None:
    """Check 2B6 (316.32)."""
    units = [ship("K-ADM", "klingon", "1206", "leader", aboard="K-D7"), ship("K-GEN", "klingon", "1306", "leader")]
    units += [ship("K-FRD", "klingon", "1306", "frd"), ship("K-GCE", "klingon", "1306", kind="GCE")]
    units += [ship("K-DIP", "klingon", "1306", "diplomat"), ship("K-BATS", "klingon", "1306", base=True)]
    table = war(D7, F5, CC, *units, ship("R-WE", "romulan", "1306"), options={"admirals": True}).to("1E")
    table.says(C, "lose-leader", leader="K-ADM").to("2B6")
    table.tries(C, "new-leader", leader="K-NEW", replaces="K-ADM", ship=post).then_refused(rule="2B6")
    table.says(C, "new-leader", leader="K-NEW", replaces="K-ADM", ship="K-F5")
    table.tries(C, "new-leader", leader="K-NEXT", replaces="K-ADM", ship="K-F5").then_refused(
        "no-leader-lost", rule="316.142", reason="replaced-already"
    )


# --- 5-1C, 5-3C, 5-7D: missions in a battle --------------------------------------------------------------------------


@pytest.mark.parametrize(("step", "code"), [("5-3C", "D"), ("5-7D", "F")])
def test_mission_in_a_battle_is_for_a_tug_of_the_hex(step: str, code: str) -> None:
    """Check 5-3C, 5-7D (509.1)."""
    tugs = [ship("K-1", "klingon", "1105", "tug"), ship("K-2", "klingon", "1206", "tug")]
    table = battle(*tugs, ship("Z-1", "kzinti", "1105")).to(step)
    table.tries(C, "assign-mission", unit="K-2", code=code).then_refused(
        "mission-elsewhere", rule="509.1", place="1105"
    )
    table.says(C, "assign-mission", unit="K-1", code=code)
    table.to("8A").says(C, "assign-mission", unit="K-2", code="E")


# --- 3A-4: cargo -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "taken"), [("K-GCE", True), ("K-PF", True), ("K-2", False), ("K-1", False)])
def test_ship_is_not_cargo_of_a_runner(name: str, taken: bool) -> None:
    """Check 3A-4B (320.52)."""
    pool = [ship(f"K-{n}", "klingon", "raid-pool") for n in (1, 2)]
    pool += [ship("K-GCE", "klingon", "raid-pool", kind="GCE"), ship("K-PF", "klingon", "raid-pool", "pf")]
    table = war(D7, CC, *pool, options={"raids": True}).to("3A-4A").says(C, "raid", unit="K-1").to("3A-4B")
    assert accepted(table, C, "load", unit="K-1", cargo=[name]) is taken


# --- 2B7: defensive missions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", ["1306", "1401", "0902"])
def test_team_defends_any_hex(at: str) -> None:
    """Federation & Empire 2B7 (537.3): the page closes no hex to a team."""
    team = ship("K-PT", "klingon", "1206", "team", aboard="K-D7")
    table = war(D7, F5, CC, team, options={"prime_teams": True}).to("2B7")
    table.tries(C, "defend", team="K-PT", at=at).then(UnitMoved, unit="K-PT")


# --- 5-8: pursuit ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("pips", "steps"), [(4, {"5-8D"}), (3, set())])
def test_pursued_set_up_only_if_the_die_succeeds(pips: int, steps: set[str]) -> None:
    """Check 5-8B, 5-8C, 5-8D."""
    fighters = [ship("K-1", "klingon", "1105"), *(ship(f"Z-{n}", "kzinti", "1105") for n in (1, 2))]
    table = battle(*fighters).to("5-7A1").done(A, answer="retreat").done(C, answer="stay")
    table.tries(A, "done", answer="pursue").then_refused("step-of-another-side", rule="5-7B", sides="Coalition")
    table.done(C, answer="pursue")
    table.tries(C, "seal-pursuit", units=["Z-1"]).then_refused("unit-of-another-side", rule="302.742")
    table.says(C, "seal-pursuit", units=["K-1"]).done(C).says(C, "roll-pursuit", pips, at_least=4).done(C)
    table.to("5-8L")
    assert {"5-8D"} & {*table.steps()} == steps
    assert table.steps().count("5-7A1") == 1


# --- 3A-2C, 3A-2D: who meets a raid ----------------------------------------------------------------------------------


def raid(*more: Line) -> War:
    """Raid 0902, the hex of a ship, a general and a diplomat of the Kzintis."""
    raider = ship("K-1", "klingon", "raid-pool")
    table = war(D7, raider, CC, *riders("kzinti", "0902"), *more, options={"raids": True}).to("3A-2B")
    return table.says(C, "raid", unit="K-1", path=["0902"])


@pytest.mark.parametrize("rider", ["X-GEN", "X-DIP"])
def test_raid_is_answered_by_no_rider_without_a_ship(rider: str) -> None:
    """Check 3A-2C (314.241)."""
    raider, other = ship("K-1", "klingon", "raid-pool"), ship("Z-FF", "kzinti", "0903")
    table = war(D7, raider, CC, *riders("kzinti", "0903"), other, options={"raids": True}).to("3A-2B")
    table.says(C, "raid", unit="K-1", path=["0902"]).to("3A-2C")
    table.tries(A, "answer-raid", at="0902", unit=rider, path=["0902"]).then_refused(
        "not-a-ship-to-react", rule="3A-2C"
    )
    table.says(A, "answer-raid", at="0902", unit="Z-FF", path=["0902"])


@pytest.mark.parametrize("name", ["X-GEN", "X-DIP", "Z-OLD"])
def test_raider_is_fought_only_by_units_that_fight(name: str) -> None:
    """Check 3A-2D (314.251)."""
    table = raid(ship("Z-OLD", "kzinti", "0902", mothballed=True)).to("3A-2D")
    table.tries(A, "fight-raiders", at="0902", units=[name]).then_refused("cannot-fight-alone", rule="314.251")
    table.says(A, "fight-raiders", at="0902", units=["Z-CC", name]).to("3A-2E")


def test_raider_that_only_a_diplomat_would_meet_has_no_round() -> None:
    """Check 3A-2D, 3A-2E (314.251, 314.244)."""
    table = raid().to("3A-2D").says(A, "fight-raiders", at="0902").done(A)
    assert table.open == ("3A-2H",)


@pytest.mark.parametrize(("name", "taken"), [("Z-FRD", True), ("Z-2", True), ("Z-DIP", False), ("Z-9", False)])
def test_team_is_reassigned_to_any_friendly_unit_of_the_hex(name: str, taken: bool) -> None:
    """Check 5-6X5 (522.34)."""
    units = [ship("Z-1", "kzinti", "1105"), ship("Z-2", "kzinti", "1105"), ship("Z-FRD", "kzinti", "1105", "frd")]
    units += [ship("Z-DIP", "kzinti", "1105", "diplomat"), ship("Z-9", "kzinti", "0902")]
    team = ship("Z-PT", "kzinti", "1105", "team", aboard="Z-1")
    table = battle(ship("K-1", "klingon", "1105"), *units, team, options={"prime_teams": True}).to("5-6X5")
    assert accepted(table, A, "transfer-leader", leader="Z-PT", ship=name) is taken


@pytest.mark.parametrize(("name", "taken"), [("K-ADM", True), ("K-GEN", False)])
def test_admirals_alone_are_removed_in_1e(name: str, taken: bool) -> None:
    """Check 1E (316.229)."""
    tried = admirals("1E").tries(C, "lose-leader", leader=name)
    tried.then(UnitRemoved, unit=name) if taken else tried.then_refused("not-for-generals", rule="316.229")


@pytest.mark.parametrize(("post", "at"), [("K-D7", "1206"), ("K-2", "raid-pool"), ("", "off-map")])
def test_general_is_removed_from_a_ship_of_the_pool(post: str, at: str) -> None:
    """Check 3A-1A (320.45)."""
    units = [ship(f"K-{n}", "klingon", "raid-pool") for n in (1, 2)]
    units += [ship("K-GEN", "klingon", "raid-pool", "leader", "general", aboard="K-1")]
    table = war(D7, CC, *units, options=RAIDS).to("3A-1A")
    table.tries(C, "transfer-leader", leader="K-GEN", ship="Z-CC").then_refused("unit-of-another-side", rule="3A-1A")
    table.says(C, "transfer-leader", leader="K-GEN", ship=post)
    assert (table.game.units["K-GEN"].at, table.game.units["K-GEN"].get("aboard")) == (at, post or None)
    table.tries(C, "transfer-leader", leader="K-GEN", ship="K-1").then_refused(
        "done-this-player-turn", rule="320.45", reason="changed-ships"
    )


def test_general_on_the_map_goes_to_a_ship_of_the_pool_alone() -> None:
    """Check 3A-1A (320.45)."""
    units = [ship("K-1", "klingon", "raid-pool"), ship("K-GEN", "klingon", "1306", "leader", "general")]
    table = war(D7, F5, CC, *units, options=RAIDS).to("3A-1A")
    for post in ("K-D7", ""):
        table.tries(C, "transfer-leader", leader="K-GEN", ship=post).then_refused(
            "ship-not-in-raid-pool", rule="320.45"
        )
    table.says(C, "transfer-leader", leader="K-GEN", ship="K-1")


def test_repair_tugs_without_a_limit_are_deployed_together() -> None:
    """Federation & Empire 7B (422.8): `repair-tugs` is the title's own number."""
    tugs = [ship(f"K-T{n}", "klingon", "1306", "tug", "repair") for n in (1, 2)]
    none = numbers(repair_tugs=0)
    table = war(D7, CC, *tugs, ship("K-FRD", "klingon", "1206", "frd"), numbers=none).to("7B")
    table.says(C, "deploy-repair", unit="K-T1", at="1206").says(C, "deploy-repair", unit="K-T2", at="1206")


def test_repair_tug_of_the_capital_is_deployed_alone() -> None:
    """Check 7B, 7D (422.8)."""
    tugs = [ship(f"K-T{n}", "klingon", "1306", "tug", "repair") for n in (1, 2)]
    ships = [ship(f"K-R{n}", "klingon", "off-map", "repair") for n in (1, 2)]
    table = war(D7, CC, *tugs, *ships, ship("K-FRD", "klingon", "1206", "frd")).to("7B")
    table.says(C, "deploy-repair", unit="K-T1", at="1206")
    table.tries(C, "deploy-repair", unit="K-T2", at="1206").then_refused("too-many-deployed", rule="422.8")
    table.says(C, "deploy-repair", unit="K-R1", at="1206").says(C, "deploy-repair", unit="K-R2", at="1206").to("8A")
    assert [table.game.units[one].at for one in ("K-T1", "K-T2", "K-R1")] == ["1306", "1306", "off-map"]
    turn_of(table, C, "7B").says(C, "deploy-repair", unit="K-T2", at="1206")


@pytest.mark.parametrize(("at", "taken"), [("1207", True), ("1206", False), ("1306", False)])
def test_element_is_placed_at_a_base_that_works(at: str, taken: bool) -> None:
    """Federation & Empire 6B, 1A1 (521.83): a mobile base is set up at 1206; the enemy holds the capital, 1306."""
    units = [ship("K-BATS", "klingon", "1207", base=True), ship("Z-FF", "kzinti", "1306")]
    table = war(D7, CC, *units, options={"ground_combat": True}).to("3B6")
    table.says(C, "deploy", unit="K-MB", kind="MB", at="1206", ep=1, empire="klingon", defense=3).to("6B")
    assert accepted(table, C, "place-gce", unit="K-GCE", at=at, ep=1, empire="klingon") is taken


@pytest.mark.parametrize(("name", "taken"), [("K-D7", True), ("K-POOL", True), ("K-DLR", False), ("K-OLD", False)])
def test_expeditionary_fleet_has_ships_in_service(name: str, taken: bool) -> None:
    """Check 1G (411.7)."""
    units = [ship("K-POOL", "klingon", "raid-pool"), ship("K-OLD", "klingon", "1306", mothballed=True)]
    units += [ship("K-DLR", "klingon", "DLR", crippled=True)]
    table = war(D7, CC, *units).to("1G")
    assert accepted(table, C, "designate", units=[name], role="Expeditionary Fleet") is taken


def test_shipyard_builds_for_its_empire_up_to_its_places() -> None:
    """Federation & Empire 2B3 (431.0): one place in a player turn."""
    d5 = {"kind": "D5", "attack": 7, "defense": 7, "crippled_attack": 4, "crippled_defense": 4, "command": 6}
    table = war(D7, F5, CC, yards=[{"empire": "klingon", "at": "1306", "places": 1}], kinds=[d5]).to("2B3")
    table.tries(C, "build", unit="R-1", kind="D5", at="1306", ep=5, empire="romulan").then_refused(
        "shipyard-of-another", rule="431.0"
    )
    table.tries(C, "build", unit="K-1", kind="D5", at="1206", ep=5, empire="klingon").then_refused(
        "no-shipyard", rule="431.0"
    )
    table.says(C, "build", unit="K-1", kind="D5", at="1306", ep=5, empire="klingon")
    table.tries(C, "build", unit="K-2", kind="D5", at="1306", ep=5, empire="klingon").then_refused(
        "all-shipyards-at-limit", rule="431.0"
    )
    turn_of(table, C, "3B2").says(C, "move-units", units=["K-1"], path=["1305"])
    turn_of(table.done(C), C, "2B3").says(C, "build", unit="K-2", kind="D5", at="1306", ep=5, empire="klingon")


def test_sids_of_a_ship_are_refused_under_the_rule_of_2a2() -> None:
    """Federation & Empire 2A2 (420.2): SIDS belong to bases, in 2A3."""
    war(D7, CC).to("2A2").tries(C, "repair", unit="K-D7", sids=1, ep=1).then_refused(rule="2A2 (420.2)")
