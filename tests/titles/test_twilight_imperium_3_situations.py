"""Twilight Imperium: situations read from the printed page, sentence by sentence."""

from typing import Any

import pytest

from tests.face.domain import (
    AccountChanged,
    DiceRolled,
    MarkerSet,
    StepPassed,
    UnitChanged,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
)
from tests.face.testing import Story
from tests.naming import Naming
from tests.titles.twilight_imperium_3_table import (
    BASE,
    WAY,
    activate,
    attack,
    battle,
    cruisers,
    galaxy,
    here,
    invade,
    land,
    leave,
    move,
    nobody_retreats,
    owned_by_mentak,
    pass_abilities,
    says,
    some,
    systems,
    to_dice,
    troops,
    unit,
)

NO_MINES = {"mines": {}, "planets": {}}


def waiting(table: Story) -> tuple[str, ...]:
    return table.game.cursor.waiting()


def step(table: Story) -> str:
    return table.game.cursor.open[0].step


def strategic(table: Story, seat: str) -> Story:
    """Play a strategic action; no player takes part in its secondary ability."""
    table.play(says(seat, "take-action", action="strategic"), says(seat, "done"))
    while step(table) == "STRAT.offer":
        table.play(says(waiting(table)[0], "done"))
    return table


def everybody_strategic(*units: dict[str, Any], **more: Any) -> Story:
    table = galaxy(*units, **more)
    for seat in ("sol", "letnev", "mentak"):
        strategic(table, seat)
    return table


def idle(table: Story, seat: str, system: str = "mecatol") -> Story:
    """Play a tactical action without any effect."""
    activate(table, system, seat)
    while waiting(table) == (seat,) and step(table).startswith("TA"):
        table.play(says(seat, "done"))
    return table


def owner(table: Story, planet: str) -> object:
    return table.game.markers.get(f"control/{planet}")


# --- AP, STRAT and PASS -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "first"),
    [
        (("Initiative", "Trade", "Imperial"), "sol"),
        (("Imperial", "Trade", "Initiative"), "mentak"),
        (("Trade", "Diplomacy", "Imperial"), "letnev"),
    ],
)
def test_lowest_card_acts_first_and_order_is_kept(cards: tuple[str, str, str], first: str) -> None:
    """AP."""
    seats = ("sol", "letnev", "mentak")
    table = galaxy(sheets={seat: {"strategy_cards": [card]} for seat, card in zip(seats, cards, strict=True)})
    assert waiting(table) == (first,)
    order = sorted(seats, key=lambda seat: BASE["cards"][cards[seats.index(seat)]])
    for seat in (*order, *order):
        assert waiting(table) == (seat,)
        idle(table, seat, "mecatol" if table.game.markers.get("activated/mecatol", ()).count(seat) == 0 else "void")


@pytest.mark.parametrize("seat", ["letnev", "mentak"])
def test_action_of_another_player_waits(seat: str) -> None:
    """AP."""
    galaxy().when(says(seat, "take-action", action="tactical")).then_refused("step-of-another-side", rule="AP.turn")


def test_strategic_action_may_come_later_in_the_round() -> None:
    """STRAT."""
    table = galaxy()
    for seat in ("sol", "letnev", "mentak"):
        idle(table, seat)
    table.when(says("sol", "take-action", action="strategic")).then_open("STRAT.primary")


def test_secondary_is_offered_to_both_others_and_joined_by_both() -> None:
    """STRAT: clockwise from the active player."""
    table = galaxy(sheets={"mentak": {"strategy": 1}})
    table.play(says("sol", "take-action", action="strategic"), says("sol", "done"))
    for seat in ("letnev", "mentak"):
        assert waiting(table) == (seat,)
        table.when(says(seat, "join-secondary")).then(AccountChanged, account=f"strategy/{seat}", amount=-1)
        table.play(says(seat, "done"))
    assert waiting(table) == ("letnev",)
    table.then_open("AP.turn")


def test_secondaries_end_with_the_counters_of_the_strategy_area() -> None:
    """STRAT: as many as counters, in three strategic actions."""
    table = galaxy(sheets={"sol": {"strategy": 1}})
    strategic(table, "sol")
    table.play(says("letnev", "take-action", action="strategic"), says("letnev", "done"), says("mentak", "done"))
    table.play(says("sol", "join-secondary"), says("sol", "done"))
    table.play(says("mentak", "take-action", action="strategic")).when(says("mentak", "done"))
    table.then(StepPassed, step="STRAT.offer")
    assert waiting(table) == ("letnev",)


def test_secondary_declined_may_be_joined_at_the_next_card() -> None:
    """STRAT."""
    table = galaxy(sheets={"sol": {"strategy": 1}})
    for seat in ("sol", "letnev"):
        strategic(table, seat)
    table.play(says("mentak", "take-action", action="strategic"), says("mentak", "done"))
    table.when(says("sol", "join-secondary")).then(AccountChanged, account="strategy/sol", after=0)


def test_secondary_joined_is_undone_before_the_next_player_acts() -> None:
    """STRAT."""
    table = galaxy().play(says("sol", "take-action", action="strategic"), says("sol", "done"))
    table.play(says("letnev", "join-secondary"), says("letnev", "undo")).then_open("STRAT.offer")
    assert table.game.accounts["strategy/letnev"] == 1


def test_passed_player_plays_no_card_as_an_action() -> None:
    """PASS."""
    table = everybody_strategic(hands={"sol": ["Emergency Repairs"], "letnev": [], "mentak": []})
    table.play(says("sol", "take-action", action="pass"))
    table.when(says("sol", "take-action", action="card")).then_refused("step-of-another-side", rule="AP.turn")


def test_passed_players_are_skipped_until_the_last_passes() -> None:
    """PASS and ROUND."""
    table = everybody_strategic()
    table.play(says("sol", "take-action", action="pass"), says("letnev", "take-action", action="pass"))
    idle(table, "mentak")
    assert waiting(table) == ("mentak",)
    table.when(says("mentak", "take-action", action="pass")).then_open("between")


def test_pass_is_undone_until_the_next_player_acts() -> None:
    """PASS."""
    table = everybody_strategic().play(says("sol", "take-action", action="pass"))
    table.when(says("sol", "undo")).then_refused("only-the-referee-undoes", rule="undo")
    table.play(says("referee", "undo", why="meant to move"))
    assert waiting(table) == ("sol",)
    table.when(says("sol", "take-action", action="tactical")).then_open("TA.1")


@pytest.mark.parametrize("seat", ["sol", "letnev", "mentak"])
def test_pass_waits_for_the_strategic_action_of_each_player(seat: str) -> None:
    """PASS."""
    table = galaxy()
    for other in ("sol", "letnev", "mentak"):
        if other == seat:
            break
        strategic(table, other)
    table.when(says(seat, "take-action", action="pass")).then_refused(
        "cannot-pass-before-strategic-action", rule="PASS"
    )
    for other in ("sol", "letnev", "mentak")[("sol", "letnev", "mentak").index(seat) :]:
        strategic(table, other)


# --- TA.1 and TA.2 ----------------------------------------------------------------------------------------------------


def test_last_command_counter_can_be_spent_only_once() -> None:
    """TA.1."""
    table = galaxy(sheets={"sol": {"command": 1}})
    for seat in ("sol", "letnev", "mentak"):
        idle(table, seat)
    table.when(says("sol", "take-action", action="tactical")).then_refused(
        "cannot-take-tactical-action", rule="TA.1", reason="no-command-counter"
    )


def test_three_players_activate_the_same_system() -> None:
    """TA.1."""
    table = galaxy()
    for seat in ("sol", "letnev", "mentak"):
        idle(table, seat, "void")
    assert table.game.markers["activated/void"] == ("sol", "letnev", "mentak")


def test_activation_is_undone_before_ships_move() -> None:
    """TA.1."""
    table = activate(galaxy(), "void").play(says("sol", "undo")).then_open("TA.1")
    assert table.game.accounts["command/sol"] == 3
    table.when(says("sol", "activate", system="mecatol")).then_open("TA.2")


def test_ships_come_from_two_systems() -> None:
    """TA.2."""
    table = activate(galaxy(unit("sol-cruiser-1", "home-sol"), unit("sol-cruiser-2", "void")), "wellon-space")
    table.play(says("sol", "move-ships", units=["sol-cruiser-1"], path=["home-sol", "wellon-space"]))
    table.when(says("sol", "move-ships", units=["sol-cruiser-2"], path=["void", "wellon-space"])).then(UnitMoved)


def test_path_leads_through_a_system_with_ones_own_counter() -> None:
    """TA.2: only the origin must be unactivated."""
    table = galaxy(unit("sol-cruiser-1", "home-sol"), systems=systems(wellon_space={"activated": ["sol"]}))
    activate(table, "quann-space")
    path = ["home-sol", "wellon-space", "quann-space"]
    table.when(says("sol", "move-ships", units=["sol-cruiser-1"], path=path)).then(UnitMoved)


def test_path_leads_past_ones_own_ships_and_enemy_mines() -> None:
    """TA.2 and TA.mines."""
    table = galaxy(unit("sol-cruiser-1", "lodor-space"), unit("sol-cruiser-2", "vefut-space"))
    attack(table, ("lodor-space", "vefut-space", "arnor-space"), "sol-cruiser-1").then(StepPassed, step="TA.mines")


@pytest.mark.parametrize("kind", ["fighter", "destroyer", "war-sun"])
def test_path_does_not_lead_through_enemy_ships(kind: str) -> None:
    """TA.2: a Fighter among them."""
    enemies = [unit(f"mentak-{kind}-1", "wellon-space")]
    if kind == "fighter":
        enemies.append(unit("mentak-carrier-1", "wellon-space"))
    table = activate(galaxy(unit("sol-cruiser-1", "home-sol"), *enemies), "quann-space")
    path = ["home-sol", "wellon-space", "quann-space"]
    table.when(says("sol", "move-ships", units=["sol-cruiser-1"], path=path)).then_refused("way-blocked", rule="TA.2")


@pytest.mark.parametrize(("ships", "allowed"), [(3, True), (4, True), (5, False)])
def test_fleet_area_limits_ships_that_move(ships: int, allowed: bool) -> None:
    """TA.2: 4 counters."""
    table = activate(galaxy(*some("sol-cruiser", ships, "home-sol")), "void")
    names = here(table, "home-sol")
    table.when(says("sol", "move-ships", units=names, path=["home-sol", "void"]))
    assert (table.refusal is None) is allowed


def test_ground_forces_do_not_count_as_ships_that_move() -> None:
    """TA.2."""
    table = activate(
        galaxy(unit("sol-carrier-1", "home-sol"), *some("sol-ground-force", 6, "jord"), sheets={"sol": {"fleet": 1}}),
        "void",
    )
    names = ["sol-carrier-1", *here(table, "jord")]
    table.when(says("sol", "move-ships", units=names, path=["home-sol", "void"])).then_accepted()


def test_moved_ships_stay_in_the_activated_system() -> None:
    """TA.2: only into the activated system, so it holds them next time."""
    table = move(activate(galaxy(unit("sol-cruiser-1", "home-sol")), "void"), ("home-sol", "void"), "sol-cruiser-1")
    leave(table, "TA.7", "TA.5")
    idle(table, "letnev")
    idle(table, "mentak")
    activate(table, "mecatol").when(says("sol", "move-ships", units=["sol-cruiser-1"], path=["void", "mecatol"]))
    table.then_refused("ships-held-by-counter", rule="TA.2")


def test_moves_undone_are_made_with_other_ships() -> None:
    """TA.2."""
    table = activate(galaxy(*some("sol-cruiser", 2, "home-sol"), sheets={"sol": {"fleet": 1}}), "void")
    table.play(says("sol", "move-ships", units=["sol-cruiser-1"], path=["home-sol", "void"]), says("sol", "undo"))
    table.when(says("sol", "move-ships", units=["sol-cruiser-2"], path=["home-sol", "void"])).then(UnitMoved)


# --- TA.probe ---------------------------------------------------------------------------------------------------------


def test_fighter_already_in_the_system_probes() -> None:
    """TA.probe: present in the activated system."""
    units = (unit("sol-carrier-1", "vefut-space"), unit("sol-fighter-1", "vefut-space"))
    table = activate(galaxy(*units, systems=systems(vefut_space={"mines": {}})), "vefut-space")
    table.play(says("sol", "done")).then_open("TA.probe")


def test_fighter_of_the_enemy_does_not_probe() -> None:
    """TA.probe."""
    units = (unit("sol-cruiser-1", "lodor-space"), unit("mentak-carrier-1", "vefut-space"))
    table = galaxy(*units, unit("mentak-fighter-1", "vefut-space"), systems=systems(vefut_space={"mines": {}}))
    attack(table, ("lodor-space", "vefut-space"), "sol-cruiser-1").then(StepPassed, step="TA.probe")


def test_probed_planet_leaves_the_other_planet_to_land_on() -> None:
    """TA.probe."""
    planets = {"quann": {"domain": True}, "rahn": {}}
    units = (unit("sol-carrier-1", "wellon-space"), unit("sol-fighter-1", "wellon-space"))
    table = galaxy(*units, *some("sol-ground-force", 2, "wellon"), systems=systems(quann_space={"planets": planets}))
    attack(table, WAY, "sol-carrier-1", "sol-fighter-1", "sol-ground-force-1", "sol-ground-force-2")
    table.play(says("sol", "probe", planets=["quann"]))
    table.when(says("sol", "land-neutral", planet="quann", units=["sol-ground-force-1"])).then_refused(
        "probed-planet", rule="TA.probe"
    )
    table.when(says("sol", "land-neutral", planet="rahn", units=["sol-ground-force-2"])).then_accepted()


# --- TA.3 -------------------------------------------------------------------------------------------------------------


def test_pds_fire_at_ships_that_have_not_moved() -> None:
    """TA.3."""
    table = activate(galaxy(unit("sol-cruiser-1", "void"), unit("letnev-pds-1", "arc-prime", range=1)), "void")
    table.play(says("sol", "done")).then_open("TA.3.enemy")
    assert waiting(table) == ("letnev",)


def test_pds_of_a_third_player_fire_before_a_battle() -> None:
    """TA.3: a battle with the Mentak under fire of the Letnev."""
    table = galaxy(
        *some("sol-cruiser", 2, "home-sol"),
        unit("mentak-cruiser-1", "void"),
        unit("letnev-pds-1", "arc-prime", range=1),
    )
    attack(table, ("home-sol", "void"), "sol-cruiser-1", "sol-cruiser-2").then_open("TA.3.enemy")
    table.play(says("letnev", "fire-pds", 10), says("sol", "assign-hits", to=["sol-cruiser-1"]))
    table.then_open("SB.pre.order")
    assert waiting(table) == ("mentak",)


@pytest.mark.parametrize(("pip", "hits"), [(5, 0), (6, 1), (10, 1)])
def test_pds_hit_from_their_combat_value_on(pip: int, hits: int) -> None:
    """TA.3: combat value 6."""
    table = galaxy(*some("sol-cruiser", 2, "home-sol"), unit("letnev-pds-1", "arc-prime", range=1))
    attack(table, ("home-sol", "void"), "sol-cruiser-1", "sol-cruiser-2").play(says("letnev", "fire-pds", pip))
    assert (step(table) == "TA.3.losses") is bool(hits)


def test_pds_hit_damages_a_ship_that_sustains() -> None:
    """TA.3."""
    table = galaxy(unit("sol-dreadnought-1", "home-sol"), unit("letnev-pds-1", "arc-prime", range=1))
    attack(table, ("home-sol", "void"), "sol-dreadnought-1").play(says("letnev", "fire-pds", 9))
    table.when(says("sol", "assign-hits", to=["sol-dreadnought-1"])).then(UnitChanged, attribute="damaged", after=True)


def test_own_pds_fire_though_the_enemy_did_not() -> None:
    """TA.3."""
    table = galaxy(
        unit("sol-cruiser-1", "home-sol"), unit("letnev-cruiser-1", "void"), unit("sol-pds-1", "jord", range=1)
    )
    attack(table, ("home-sol", "void"), "sol-cruiser-1").then_open("TA.3.own")
    table.play(says("sol", "fire-pds", 6), says("letnev", "assign-hits", to=["letnev-cruiser-1"])).then_open("TA.7")


def test_pds_losses_are_taken_before_the_next_enemy_fires() -> None:
    """TA.3: casualties are removed before own PDS fire."""
    table = galaxy(
        unit("sol-cruiser-1", "home-sol"),
        unit("letnev-pds-1", "arc-prime", range=1),
        unit("letnev-cruiser-1", "void"),
        unit("sol-pds-1", "jord", range=1),
    )
    attack(table, ("home-sol", "void"), "sol-cruiser-1").play(says("letnev", "fire-pds", 6))
    table.when(says("sol", "fire-pds", 6)).then_refused("not-allowed-now", rule="TA.3.losses")


# --- TA.mines ---------------------------------------------------------------------------------------------------------


def mined(*units: dict[str, Any], mines: dict[str, int]) -> Story:
    table = galaxy(*units, systems=systems(vefut_space={"mines": mines, "planets": {}}), domains={})
    return attack(table, ("lodor-space", "vefut-space"), *here(table, "lodor-space", "sol"))


@pytest.mark.parametrize(("pip", "hit"), [(8, False), (9, True), (10, True)])
def test_mines_hit_on_9_and_10(pip: int, hit: bool) -> None:
    """TA.mines."""
    table = mined(unit("sol-cruiser-1", "lodor-space"), mines={"mentak": 1})
    table.play(says("sol", "roll-mine", pip, ship="sol-cruiser-1"))
    assert bool(table.game.units["sol-cruiser-1"].fate) is hit


@pytest.mark.parametrize("order", [("carrier", "cruiser"), ("cruiser", "carrier")])
def test_mines_are_rolled_ship_by_ship_in_any_order(order: tuple[str, str]) -> None:
    """TA.mines."""
    table = mined(unit("sol-carrier-1", "lodor-space"), unit("sol-cruiser-1", "lodor-space"), mines={"mentak": 1})
    for kind in order:
        table.then_open("TA.mines").play(says("sol", "roll-mine", 3, ship=f"sol-{kind}-1"))
    table.then_open("TA.7")


def test_mines_of_two_owners_are_rolled_for_once() -> None:
    """TA.mines: one token goes."""
    table = mined(unit("sol-cruiser-1", "lodor-space"), mines={"mentak": 1, "letnev": 1})
    table.play(says("sol", "roll-mine", 1, ship="sol-cruiser-1")).then_open("TA.7")
    assert sum(table.game.accounts[f"mines/vefut-space/{seat}"] for seat in ("mentak", "letnev")) == 1


def test_mines_that_sink_the_only_carrier_lose_what_it_carries() -> None:
    """TA.mines and TA.5."""
    table = galaxy(
        unit("sol-carrier-1", "lodor-space"),
        unit("sol-ground-force-1", "lodor"),
        systems=systems(vefut_space={"mines": {"mentak": 1}, "planets": {"vefut": {}}}),
        domains={},
    )
    attack(table, ("lodor-space", "vefut-space"), "sol-carrier-1", "sol-ground-force-1").then_open("TA.mines")
    table.play(says("sol", "roll-mine", 9, ship="sol-carrier-1")).then_open("TA.7")
    assert table.game.units["sol-ground-force-1"].fate


def test_mines_come_before_the_battle() -> None:
    """TA.mines and TA.4."""
    table = mined(
        unit("sol-cruiser-1", "lodor-space"), unit("mentak-cruiser-1", "vefut-space"), mines={"mentak": 1}
    ).then_open("TA.mines")
    table.when(says("sol", "roll-mine", 9, ship="sol-cruiser-1")).then(StepPassed, step="TA.4")
    assert here(table, "vefut-space") == ["mentak-cruiser-1"]


def test_mines_spent_by_the_first_fleet_spare_the_second() -> None:
    """TA.mines: in a later activation."""
    table = mined(unit("sol-cruiser-1", "lodor-space"), mines={"mentak": 1})
    table.play(says("sol", "roll-mine", 1, ship="sol-cruiser-1"), says("sol", "done"))
    table.given(UnitPlaced(unit="letnev-cruiser-1", side="letnev", kind="cruiser", at="home-letnev"))
    activate(table, "vefut-space", "letnev")
    move(table, ("home-letnev", "vefut-space"), "letnev-cruiser-1", seat="letnev")
    table.then_open("SB.pre.order")


# --- SB ---------------------------------------------------------------------------------------------------------------


def test_battle_of_two_others_has_attacker_and_defender() -> None:
    """TA.4 and SB.pre: the Letnev attack the Mentak."""
    table = galaxy(unit("letnev-cruiser-1", "home-letnev"), unit("mentak-cruiser-1", "void"))
    strategic(table, "sol")
    activate(table, "void", "letnev")
    move(table, ("home-letnev", "void"), "letnev-cruiser-1", seat="letnev").then_open("SB.pre.order")
    assert waiting(table) == ("mentak",)
    nobody_retreats(pass_abilities(table)).then_open("SB.2")
    assert set(waiting(table)) == {"letnev", "mentak"}


@pytest.mark.parametrize("order", [("sol", "mentak"), ("mentak", "sol")])
def test_combat_dice_in_either_order_lead_to_losses_in_order(order: tuple[str, str]) -> None:
    """SB.2 and SB.3."""
    table = to_dice(cruisers(2, 2))
    for seat in order:
        table.then_open("SB.2").play(says(seat, "roll-combat", 7, 1))
    table.when(says("mentak", "assign-hits", to=["mentak-cruiser-1"])).then_refused("step-of-another-side", rule="SB.3")
    table.play(says("sol", "assign-hits", to=["sol-cruiser-1"]))
    assert waiting(table) == ("mentak",)


def test_ship_destroyed_this_round_has_rolled() -> None:
    """SB.2: simultaneous, so both last ships go."""
    table = to_dice(cruisers(1, 1)).play(says("mentak", "roll-combat", 10), says("sol", "roll-combat", 10))
    table.play(says("sol", "assign-hits", to=["sol-cruiser-1"]), says("mentak", "assign-hits", to=["mentak-cruiser-1"]))
    assert here(table, "quann-space") == []
    table.then_open("TA.7")


@pytest.mark.parametrize(("to", "left"), [(["dreadnought", "dreadnought"], 1), (["dreadnought", "cruiser"], 1)])
def test_two_hits_fall_on_one_ship_or_on_two(to: list[str], left: int) -> None:
    """SB.3."""
    table = battle(
        unit("sol-dreadnought-1", "wellon-space"),
        unit("sol-cruiser-1", "wellon-space"),
        *some("mentak-cruiser", 2, "quann-space"),
    )
    to_dice(table).play(says("mentak", "roll-combat", 9, 9), says("sol", "roll-combat", 1, 1))
    table.play(says("sol", "assign-hits", to=[f"sol-{kind}-1" for kind in to]))
    assert len(here(table, "quann-space", "sol")) == left


def test_damaged_ship_fights_its_next_round() -> None:
    """SB.3 and SB.5."""
    table = battle(unit("sol-dreadnought-1", "wellon-space"), unit("mentak-cruiser-1", "quann-space"))
    to_dice(table).play(says("mentak", "roll-combat", 9), says("sol", "roll-combat", 1))
    table.play(says("sol", "assign-hits", to=["sol-dreadnought-1"]))
    nobody_retreats(table).then_open("SB.2").when(says("sol", "roll-combat", 5)).then(DiceRolled, outcome=Naming(1))


def test_three_hits_on_a_sound_ship_alone_destroy_it_once() -> None:
    """SB.3."""
    table = battle(unit("sol-dreadnought-1", "wellon-space"), *some("mentak-cruiser", 3, "quann-space"))
    to_dice(table).play(says("mentak", "roll-combat", 9, 9, 9), says("sol", "roll-combat", 1))
    table.when(says("sol", "assign-hits", to=["sol-dreadnought-1"] * 2)).then(UnitRemoved, unit="sol-dreadnought-1")
    table.then_open("TA.7")


def test_retreat_of_the_attacker_announced_stops_the_defenders() -> None:
    """SB.1."""
    more = systems(arnor_space={"activated": ["mentak"]}, mecatol={"activated": ["sol"]})
    table = pass_abilities(cruisers(2, 2, systems=more)).play(says("sol", "announce-retreat")).then_open("SB.2")
    table.when(says("mentak", "announce-retreat")).then_refused("not-allowed-now", rule="SB.2")


def test_retreat_is_announced_in_a_later_round() -> None:
    """SB.1 and SB.5."""
    table = to_dice(cruisers(2, 2)).play(says("sol", "roll-combat", 1, 1), says("mentak", "roll-combat", 1, 1))
    table.then_open("SB.1").when(says("mentak", "announce-retreat")).then_open("SB.2")
    table.play(says("sol", "roll-combat", 1, 1), says("mentak", "roll-combat", 1, 1)).then_open("SB.4")
    table.when(says("mentak", "retreat", to="arnor-space")).then_open("TA.7")


def test_withdrawn_attacker_does_not_land() -> None:
    """SB.4 and TA.5."""
    table = battle(
        unit("sol-carrier-1", "wellon-space"),
        unit("sol-ground-force-1", "wellon-space"),
        unit("mentak-cruiser-1", "quann-space"),
        systems=systems(mecatol={"activated": ["sol"]}),
    )
    pass_abilities(table).play(says("sol", "announce-retreat"), says("sol", "roll-combat", 1))
    table.play(says("mentak", "roll-combat", 1)).when(says("sol", "retreat", to="mecatol"))
    table.then(UnitMoved, unit="sol-ground-force-1")
    table.then_open("TA.7")


def test_attacker_whose_enemy_retreats_lands() -> None:
    """SB.4 and TA.5."""
    table = battle(
        unit("sol-carrier-1", "wellon-space"),
        unit("sol-ground-force-1", "wellon-space"),
        unit("mentak-cruiser-1", "quann-space"),
    )
    pass_abilities(table).play(says("mentak", "announce-retreat"), says("sol", "roll-combat", 1))
    table.play(says("mentak", "roll-combat", 1), says("mentak", "retreat", to="arnor-space"))
    table.then_open("TA.5.neutral")


def test_retreat_to_the_activated_system_itself_is_refused() -> None:
    """SB.4."""
    table = pass_abilities(cruisers(2, 2)).play(says("mentak", "announce-retreat"))
    table.play(says("sol", "roll-combat", 1, 1), says("mentak", "roll-combat", 1, 1))
    table.when(says("mentak", "retreat", to="quann-space")).then_refused("cannot-retreat-there", rule="SB.4")


def test_retreat_with_a_damaged_ship_leaves_it_damaged() -> None:
    """SB.4."""
    table = battle(unit("sol-cruiser-1", "wellon-space"), unit("mentak-dreadnought-1", "quann-space"))
    pass_abilities(table).play(says("mentak", "announce-retreat"))
    table.play(says("sol", "roll-combat", 9), says("mentak", "roll-combat", 1))
    table.play(says("mentak", "assign-hits", to=["mentak-dreadnought-1"]), says("mentak", "retreat", to="arnor-space"))
    ship = table.game.units["mentak-dreadnought-1"]
    assert (ship.at, ship.get("damaged")) == ("arnor-space", True)


def test_barrage_of_every_fighter_leaves_a_battle_of_ships() -> None:
    """SB.pre.afb."""
    table = battle(
        unit("sol-destroyer-1", "wellon-space"),
        unit("mentak-carrier-1", "quann-space"),
        unit("mentak-fighter-1", "quann-space"),
    )
    table.play(says("mentak", "pick", member="barrage"), says("sol", "barrage", 9, 10))
    to_dice(table).when(says("mentak", "roll-combat", 9)).then(DiceRolled, subjects=("mentak-carrier-1",))


@pytest.mark.parametrize(("pips", "fighters"), [((8, 8), 2), ((9, 8), 1), ((10, 9), 0)])
def test_barrage_hits_from_the_ships_combat_value_on(pips: tuple[int, int], fighters: int) -> None:
    """SB.pre.afb: combat value 9."""
    table = battle(
        unit("sol-destroyer-1", "wellon-space"),
        unit("mentak-carrier-1", "quann-space"),
        *some("mentak-fighter", 2, "quann-space"),
    )
    table.play(says("mentak", "pick", member="barrage"), says("sol", "barrage", *pips))
    assert len(here(table, "quann-space", "mentak")) == 1 + fighters


def test_barrage_is_fired_once_a_battle_though_fighters_remain() -> None:
    """SB.pre.afb."""
    table = battle(
        unit("sol-destroyer-1", "wellon-space"),
        unit("mentak-carrier-1", "quann-space"),
        *some("mentak-fighter", 2, "quann-space"),
    )
    table.play(says("mentak", "pick", member="barrage"), says("sol", "barrage", 1, 1))
    table.when(says("mentak", "pick", member="barrage")).then_refused("no-such-member", rule="SB.pre.order")


def test_fighters_alone_lose_the_system_with_their_carrier() -> None:
    """SB.3: Fighters are ships of the battle and may outlive the Carrier."""
    table = battle(
        unit("sol-cruiser-1", "wellon-space"),
        unit("mentak-carrier-1", "quann-space"),
        unit("mentak-fighter-1", "quann-space"),
    )
    table = to_dice(table).play(says("sol", "roll-combat", 7), says("mentak", "roll-combat", 1, 1))
    table.when(says("mentak", "assign-hits", to=["mentak-fighter-1"])).then_open("SB.1")


# --- TA.5, TA.6 and IC ------------------------------------------------------------------------------------------------


def test_friendly_landing_is_on_a_planet_under_ones_control() -> None:
    """TA.5.friendly."""
    table = galaxy(unit("sol-carrier-1", "wellon-space"), unit("sol-ground-force-1", "wellon-space"))
    leave(activate(table, "wellon-space"), "TA.2").then_open("TA.5.friendly")
    table.when(says("sol", "land-friendly", planet="wellon", units=["sol-ground-force-1"]))
    table.then(UnitMoved, path=("wellon-space", "wellon"))
    assert owner(table, "wellon") == "sol"


def test_unowned_planet_with_enemy_units_is_a_hostile_landing() -> None:
    """TA.5.hostile."""
    table = troops(1, unit("mentak-ground-force-1", "quann"))
    table.when(says("sol", "land-neutral", planet="quann", units=["sol-ground-force-1"])).then_refused(
        "wrong-landing", rule="TA.5"
    )
    land(table, "quann", 1).then_open("TA.6.planets" if step(table) == "TA.6.planets" else step(table))
    assert here(table, "quann", "sol") == ["sol-ground-force-1"]


def test_landing_in_two_orders_of_planets_leads_to_both_fights() -> None:
    """TA.6: the active player decides the order."""
    for order in (("quann", "rahn"), ("rahn", "quann")):
        table = troops(2, unit("mentak-ground-force-1", "quann"), unit("mentak-ground-force-2", "rahn"))
        leave(table, "TA.5.friendly", "TA.5.neutral")
        for number, planet in enumerate(("quann", "rahn"), 1):
            table.play(says("sol", "land-hostile", planet=planet, units=[f"sol-ground-force-{number}"]))
        leave(table, "TA.5", "TA.landpds", "TA.raze", "TA.6.suns")
        table.play(says("sol", "pick", member=order[0]))
        table.play(says("sol", "roll-combat", 10), says("mentak", "roll-combat", 1))
        table.play(says("mentak", "assign-hits", to=here(table, order[0], "mentak")))
        assert owner(table, order[0]) == "sol"
        assert owner(table, order[1]) is None


@pytest.mark.parametrize(("ours", "theirs", "winner"), [(10, 1, "sol"), (1, 10, "mentak"), (10, 10, "mentak")])
def test_invasion_goes_to_the_survivor_or_to_the_defender(ours: int, theirs: int, winner: str) -> None:
    """IC.5."""
    table = invade(1, unit("mentak-ground-force-1", "quann"), systems=owned_by_mentak())
    table.play(says("sol", "roll-combat", ours), says("mentak", "roll-combat", theirs))
    while step(table) == "IC.4":
        seat = waiting(table)[0]
        table.play(says(seat, "assign-hits", to=[f"{seat}-ground-force-1"]))
    assert owner(table, "quann") == winner
    assert bool(table.game.markers.get("exhausted/quann")) is (winner == "sol")


def test_unowned_planet_on_which_all_fell_stays_unowned() -> None:
    """IC.5."""
    table = invade(1, unit("mentak-ground-force-1", "quann"))
    table.play(says("sol", "roll-combat", 10), says("mentak", "roll-combat", 10))
    table.play(says("sol", "assign-hits", to=["sol-ground-force-1"]))
    table.play(says("mentak", "assign-hits", to=["mentak-ground-force-1"]))
    assert (owner(table, "quann"), here(table, "quann")) == (None, [])


def invade_with_mercenary(*defenders: dict[str, Any]) -> Story:
    """Land a Ground Force and a mercenary of Sol on Quann, which the Mentak own."""
    table = troops(1, unit("sol-mercenary-1", "wellon-space"), *defenders, systems=owned_by_mentak())
    while step(table) != "TA.5.hostile":
        table.play(says("sol", "done"))
    table.play(says("sol", "land-hostile", planet="quann", units=["sol-ground-force-1", "sol-mercenary-1"]))
    return leave(table, "TA.5", "TA.landpds", "TA.raze", "TA.6.suns").play(says("sol", "pick", member="quann"))


def test_mercenary_that_survives_alone_claims_nothing() -> None:
    """IC.5: at least one attacking Ground Force survives."""
    table = invade_with_mercenary(unit("mentak-ground-force-1", "quann")).then_open("IC.3")
    table.play(says("sol", "roll-combat", 10, 10), says("mentak", "roll-combat", 10))
    table.play(says("sol", "assign-hits", to=["sol-ground-force-1"]))
    table.play(says("mentak", "assign-hits", to=["mentak-ground-force-1"]))
    assert owner(table, "quann") == "mentak"


def test_mercenary_falls_in_place_of_a_ground_force() -> None:
    """IC.4 and IC.5: each player assigns its casualties."""
    table = invade_with_mercenary(unit("mentak-ground-force-1", "quann"))
    table.play(says("sol", "roll-combat", 10, 10), says("mentak", "roll-combat", 10))
    table.play(says("sol", "assign-hits", to=["sol-mercenary-1"]))
    table.play(says("mentak", "assign-hits", to=["mentak-ground-force-1"]))
    assert owner(table, "quann") == "sol"


def test_pds_fire_on_a_planet_removes_no_mercenary() -> None:
    """IC.2: an invading Ground Force is destroyed."""
    table = invade_with_mercenary(unit("mentak-pds-1", "quann"), unit("mentak-ground-force-1", "quann"))
    table.then_open("IC.2").when(says("mentak", "fire-pds", 6)).then(UnitRemoved, unit="sol-ground-force-1")
    table.then_not(UnitRemoved, unit="sol-mercenary-1")


def test_own_pds_that_landed_does_not_stop_the_dreadnought() -> None:
    """IC.1: at least one enemy PDS."""
    table = troops(
        1,
        unit("sol-pds-1", "wellon-space"),
        unit("sol-dreadnought-1", "wellon-space"),
        unit("mentak-ground-force-1", "quann"),
    )
    land(table, "quann", 1).then_open("TA.landpds").play(says("sol", "land-pds", planet="quann", units=["sol-pds-1"]))
    leave(table, "TA.landpds", "TA.raze", "TA.6.suns").play(says("sol", "pick", member="quann")).then_open("IC.1")
    table.when(says("sol", "bombard", 5, ship="sol-dreadnought-1")).then(UnitRemoved, unit="mentak-ground-force-1")


def test_pds_on_the_other_planet_does_not_stop_the_dreadnought() -> None:
    """IC.1: a planet that contains an enemy PDS."""
    table = troops(1, unit("sol-dreadnought-1", "wellon-space"), unit("mentak-ground-force-1", "quann"))
    table.given(UnitPlaced(unit="mentak-pds-1", side="mentak", kind="pds", at="rahn"))
    land(table, "quann", 1)
    leave(table, "TA.landpds", "TA.raze", "TA.6.suns").play(says("sol", "pick", member="quann")).then_open("IC.1")
    table.when(says("sol", "bombard", 5, ship="sol-dreadnought-1")).then(UnitRemoved, unit="mentak-ground-force-1")


@pytest.mark.parametrize(("pip", "falls"), [(4, False), (5, True)])
def test_bombardment_hits_from_the_ships_combat_value_on(pip: int, falls: bool) -> None:
    """IC.1: combat value 5."""
    table = invade(1, unit("sol-dreadnought-1", "wellon-space"), *some("mentak-ground-force", 2, "quann"))
    table.play(says("sol", "bombard", pip, ship="sol-dreadnought-1"))
    assert len(here(table, "quann", "mentak")) == (1 if falls else 2)


def test_bombardment_is_left_out() -> None:
    """IC.1: ships may bombard."""
    table = invade(1, unit("sol-dreadnought-1", "wellon-space"), unit("mentak-ground-force-1", "quann"))
    table.then_open("IC.1").when(says("sol", "done")).then_open("IC.3")


def test_bombardment_of_the_last_defender_takes_the_planet() -> None:
    """IC.1 and IC.5."""
    table = invade(
        1, unit("sol-dreadnought-1", "wellon-space"), unit("mentak-ground-force-1", "quann"), systems=owned_by_mentak()
    )
    table.when(says("sol", "bombard", 9, ship="sol-dreadnought-1"))
    table.then(MarkerSet, marker="control/quann", after="sol", rule="IC.5")


def test_war_sun_that_bombarded_another_planet_is_spent() -> None:
    """TA.raze and IC.1: a single bombardment only."""
    table = troops(
        1,
        unit("sol-war-sun-1", "wellon-space"),
        unit("mentak-ground-force-1", "quann"),
        unit("mentak-ground-force-2", "rahn"),
    )
    land(table, "quann", 1)
    leave(table, "TA.landpds", "TA.raze").then_open("TA.6.suns")
    table.play(says("sol", "bombard", 9, 1, 1, ship="sol-war-sun-1", planet="rahn"))
    leave(table, "TA.6.suns").play(says("sol", "pick", member="quann"))
    table.when(says("sol", "bombard", 9, 9, 9, ship="sol-war-sun-1"))
    assert table.refusal is not None


def test_two_ships_bombard_one_planet_once_each() -> None:
    """IC.1."""
    table = invade(1, *some("sol-dreadnought", 2, "wellon-space"), *some("mentak-ground-force", 3, "quann"))
    for number in (2, 1):
        table.play(says("sol", "bombard", 9, ship=f"sol-dreadnought-{number}"))
    assert len(here(table, "quann", "mentak")) == 1


def test_hostile_landing_is_undone_before_combat() -> None:
    """TA.5: minds change until invasion combat begins."""
    table = troops(2, unit("mentak-ground-force-1", "quann"))
    while step(table) != "TA.5.hostile":
        table.play(says("sol", "done"))
    table.play(says("sol", "land-hostile", planet="quann", units=["sol-ground-force-1"]), says("sol", "undo"))
    assert here(table, "quann", "sol") == []
    names = ["sol-ground-force-1", "sol-ground-force-2"]
    table.when(says("sol", "land-hostile", planet="quann", units=names)).then_accepted()


# --- TA.7 and TA.scuttle ----------------------------------------------------------------------------------------------


def docked(*units: dict[str, Any], **more: Any) -> Story:
    table = galaxy(unit("sol-space-dock-1", "jord"), unit("sol-carrier-1", "home-sol"), *units, **more)
    return activate(table, "home-sol").play(says("sol", "done"))


def test_dock_of_another_system_produces_nothing() -> None:
    """TA.7."""
    table = docked(unit("sol-space-dock-2", "wellon"))
    table.when(says("sol", "produce", dock="sol-space-dock-2", units={"fighter": 1}, exhaust=["wellon"]))
    table.then_refused("no-such-dock", rule="TA.7")


def test_docks_of_one_system_produce_one_after_the_other() -> None:
    """TA.7: at one or more docks."""
    planets = {"quann": {"owner": "sol", "resources": 2}, "rahn": {"owner": "sol", "resources": 2}}
    table = galaxy(
        unit("sol-space-dock-1", "quann"),
        unit("sol-space-dock-2", "rahn"),
        systems=systems(quann_space={"planets": planets}),
        domains={},
    )
    activate(table, "quann-space").play(says("sol", "done")).then_open("TA.7")
    table.play(says("sol", "produce", dock="sol-space-dock-2", units={"fighter": 2}, exhaust=["rahn"]))
    table.when(says("sol", "produce", dock="sol-space-dock-1", units={"fighter": 2}, exhaust=["quann"]))
    table.then(UnitPlaced, at="quann-space")


def test_planet_taken_in_the_same_activation_gets_no_dock() -> None:
    """TA.7: under control for the entire round."""
    table = land(troops(1), "quann", 1, "neutral").play(says("sol", "pick", member="quann")).then_open("TA.7")
    table.when(says("sol", "build-dock", planet="quann", exhaust=["wellon"], trade_goods=9)).then_refused(
        "planet-not-yours-for-a-round", rule="TA.7"
    )


def scuttling(*units: dict[str, Any]) -> Story:
    sheet = {"sol": {"tech": ["transfabrication"], "trade_goods": 0}}
    return docked(unit("sol-cruiser-1", "void"), *some("sol-fighter", 2, "home-sol"), *units, sheets=sheet)


@pytest.mark.parametrize(
    ("names", "goods"), [(["sol-fighter-1"], 1), (["sol-fighter-1", "sol-fighter-2"], 2), (["sol-cruiser-1"], 1)]
)
def test_units_on_the_board_are_scuttled_for_a_good_each(names: list[str], goods: int) -> None:
    """TA.scuttle: units on the board, wherever they are."""
    table = scuttling().then_open("TA.scuttle").play(says("sol", "scuttle", units=names))
    assert table.game.accounts["trade-goods/sol"] == goods


def test_goods_of_scuttled_units_pay_for_new_ones() -> None:
    """TA.scuttle and TA.7."""
    table = scuttling().play(says("sol", "scuttle", units=["sol-fighter-1", "sol-fighter-2"]), says("sol", "done"))
    table.when(says("sol", "produce", dock="sol-space-dock-1", units={"cruiser": 1}, trade_goods=2))
    table.then(UnitPlaced, kind="cruiser", at="home-sol")


def test_scuttling_in_several_orders_adds_up() -> None:
    """TA.scuttle."""
    table = scuttling().play(says("sol", "scuttle", units=["sol-fighter-1"]))
    table.play(says("sol", "scuttle", units=["sol-cruiser-1"]))
    assert table.game.accounts["trade-goods/sol"] == 2


def test_scuttling_is_undone() -> None:
    """TA.scuttle."""
    table = scuttling().play(says("sol", "scuttle", units=["sol-fighter-1"]), says("sol", "undo"))
    assert table.game.accounts["trade-goods/sol"] == 0
    assert "sol-fighter-1" in here(table, "home-sol")


# --- TR ---------------------------------------------------------------------------------------------------------------


def transfer(*units: dict[str, Any], first: str = "home-sol", second: str = "void", **more: Any) -> Story:
    ours = (
        unit("sol-carrier-1", "home-sol"),
        unit("sol-ground-force-1", "jord"),
        unit("sol-cruiser-1", "void"),
        unit("sol-ground-force-2", "wellon"),
    )
    table = galaxy(*ours, *units, **more).play(says("sol", "take-action", action="transfer"))
    return table.when(says("sol", "transfer", first=first, second=second))


@pytest.mark.parametrize(("first", "second"), [("home-sol", "void"), ("void", "home-sol")])
def test_transfer_takes_a_counter_from_each_source(first: str, second: str) -> None:
    """TR.1."""
    table = transfer(first=first, second=second).then_open("TR.2")
    assert (table.game.accounts["command/sol"], table.game.accounts["reinforcements/sol"]) == (2, 4)
    for system in (first, second):
        assert table.game.markers[f"activated/{system}"] == ("sol",)


@pytest.mark.parametrize("enemy", ["letnev-cruiser-1", "letnev-fighter-1"])
def test_transfer_meets_no_enemy_in_space(enemy: str) -> None:
    """TR.1."""
    transfer(unit(enemy, "void"), unit("letnev-carrier-1", "void")).then_refused(
        "cannot-transfer", rule="TR.1", reason="enemy-units"
    )


def test_transfer_meets_no_enemy_pds_on_a_planet() -> None:
    """TR.1: only friendly units."""
    transfer(
        unit("sol-cruiser-2", "lodor-space"), unit("letnev-pds-1", "lodor"), first="void", second="lodor-space"
    ).then_refused(rule="TR.1")


def test_transfer_swaps_ships_of_both_systems() -> None:
    """TR.2."""
    table = transfer()
    table.play(says("sol", "move-ships", units=["sol-cruiser-1"], path=["void", "home-sol"]))
    table.when(says("sol", "move-ships", units=["sol-carrier-1", "sol-ground-force-1"], path=["home-sol", "void"]))
    table.then(UnitMoved, unit="sol-carrier-1")


def test_transfer_sets_no_mines_off() -> None:
    """TR: mines are no part of it."""
    table = galaxy(
        unit("sol-cruiser-1", "lodor-space"),
        unit("sol-cruiser-2", "vefut-space"),
        systems=systems(vefut_space={"mines": {"mentak": 1}}),
    )
    table.play(says("sol", "take-action", action="transfer"))
    table.play(says("sol", "transfer", first="lodor-space", second="vefut-space"))
    table.play(says("sol", "move-ships", units=["sol-cruiser-1"], path=["lodor-space", "vefut-space"]))
    while waiting(table) == ("sol",) and step(table).startswith("TR"):
        table.play(says("sol", "done"))
    assert table.game.accounts["mines/vefut-space/mentak"] == 1


def test_transfer_claims_no_neutral_planet() -> None:
    """TR.4."""
    table = galaxy(
        unit("sol-carrier-1", "vefut-space"),
        unit("sol-ground-force-1", "vefut-space"),
        unit("sol-cruiser-1", "lodor-space"),
        systems=systems(vefut_space={"mines": {}}),
    )
    table.play(says("sol", "take-action", action="transfer"))
    table.play(says("sol", "transfer", first="lodor-space", second="vefut-space"), says("sol", "done"))
    if step(table) == "TR.4":
        table.when(says("sol", "land-friendly", planet="vefut", units=["sol-ground-force-1"])).then_refused(rule="TR.4")
    table.when(says("sol", "land-neutral", planet="vefut", units=["sol-ground-force-1"]))
    assert table.refusal is not None


def test_transfer_after_which_both_systems_hold_ones_counter() -> None:
    """TR.1 and TA.2: ships of both are held there for the round."""
    table = transfer()
    while waiting(table) == ("sol",):
        table.play(says("sol", "done"))
    idle(table, "letnev")
    idle(table, "mentak")
    activate(table, "wellon-space")
    table.when(says("sol", "move-ships", units=["sol-carrier-1"], path=["home-sol", "wellon-space"]))
    table.then_refused("ships-held-by-counter", rule="TA.2")


def test_transfer_under_fire_of_two_enemies_takes_hits_in_both() -> None:
    """TR.3."""
    table = transfer(unit("letnev-pds-1", "arc-prime", range=2), unit("mentak-pds-1", "moll-primus", range=9))
    table.play(says("sol", "done")).then_open("TR.3.enemy")
    table.play(says("letnev", "fire-pds", 9, at="void"), says("mentak", "fire-pds", 9, at="home-sol"))
    table.then_open("TR.3.losses").play(says("sol", "assign-hits", to=["sol-cruiser-1", "sol-carrier-1"]))
    assert here(table, "void") + here(table, "home-sol") == []


def test_transfer_produces_in_the_second_system_too() -> None:
    """TR.5: in one of the two."""
    table = galaxy(
        unit("sol-cruiser-1", "home-sol"),
        unit("sol-cruiser-2", "wellon-space"),
        unit("sol-space-dock-1", "wellon"),
        unit("sol-space-dock-2", "jord"),
    )
    table.play(says("sol", "take-action", action="transfer"))
    table.play(says("sol", "transfer", first="home-sol", second="wellon-space"), says("sol", "done"))
    leave(table, "TR.3", "TR.4").then_open("TR.5")
    table.play(says("sol", "produce", dock="sol-space-dock-1", units={"fighter": 2}, exhaust=["wellon"]))
    table.when(says("sol", "produce", dock="sol-space-dock-2", units={"fighter": 2}, exhaust=["jord"]))
    table.then_refused("transfer-produces-elsewhere", rule="TR.5")


# --- the rounds of ground combat, and what carries over ---------------------------------------------------------------


def test_ground_casualties_of_both_sides_lead_to_another_round() -> None:
    """IC.4."""
    table = invade(2, *some("mentak-ground-force", 2, "quann")).then_open("IC.3")
    table.play(says("sol", "roll-combat", 10, 1), says("mentak", "roll-combat", 10, 1))
    for seat in ("sol", "mentak"):
        table.then_open("IC.4").play(says(seat, "assign-hits", to=[f"{seat}-ground-force-1"]))
    table.then_open("IC.3")


def test_pds_fire_again_in_the_next_activation() -> None:
    """TA.3: a shot in each activation."""
    table = galaxy(
        unit("sol-cruiser-1", "home-sol"),
        unit("mentak-cruiser-1", "quann-space"),
        unit("letnev-pds-1", "jord", range=9),
    )
    attack(table, ("home-sol", "void"), "sol-cruiser-1").play(says("letnev", "fire-pds", 1), says("sol", "done"))
    idle(table, "letnev", "wellon-space")
    activate(table, "mecatol", "mentak")
    move(table, ("quann-space", "mecatol"), "mentak-cruiser-1", seat="mentak").then_open("TA.3.enemy")
    table.when(says("letnev", "fire-pds", 6)).then_open("TA.3.losses")


def test_barrage_comes_again_in_a_second_battle() -> None:
    """TA.4 and SB.pre.afb: two defenders, one after the other."""
    table = battle(
        *some("sol-destroyer", 2, "wellon-space"),
        unit("mentak-carrier-1", "quann-space"),
        unit("mentak-fighter-1", "quann-space"),
        unit("letnev-carrier-1", "quann-space"),
        unit("letnev-fighter-1", "quann-space"),
    )
    first, second = waiting(table)[0], "mentak" if waiting(table) == ("letnev",) else "letnev"
    table.play(says(first, "pick", member="barrage"), says("sol", "barrage", 9, 1, 1, 1))
    to_dice(table).play(says("sol", "roll-combat", 9, 1), says(first, "roll-combat", 1))
    table.play(says(first, "assign-hits", to=[f"{first}-carrier-1"])).then_open("SB.pre.order")
    assert waiting(table) == (second,)
    table.play(says(second, "pick", member="barrage")).when(says("sol", "barrage", 9, 1, 1, 1))
    table.then(UnitRemoved, unit=f"{second}-fighter-1")


def test_war_sun_alone_bombards_without_troops() -> None:
    """IC.1: even if there will be no invasion combat."""
    table = galaxy(
        unit("sol-war-sun-1", "wellon-space"),
        unit("mentak-ground-force-1", "quann"),
        systems=owned_by_mentak(),
        domains={},
    )
    attack(table, WAY, "sol-war-sun-1").then_open("TA.6.suns")
    table.play(says("sol", "bombard", 3, 1, 1, ship="sol-war-sun-1", planet="quann"))
    assert (here(table, "quann"), owner(table, "quann")) == ([], "mentak")


def test_own_pds_fire_into_a_system_without_own_ships() -> None:
    """TA.3: the active player may fire PDS in range."""
    table = activate(galaxy(unit("letnev-cruiser-1", "void"), unit("sol-pds-1", "jord", range=1)), "void")
    table.play(says("sol", "done")).then_open("TA.3.own").play(says("sol", "fire-pds", 6))
    table.when(says("letnev", "assign-hits", to=["letnev-cruiser-1"])).then(UnitRemoved)


# --- nobody is asked for what is refused in any form ------------------------------------------------------------------


@pytest.mark.parametrize("order", [("sol", "mentak"), ("mentak", "sol")])
def test_ground_casualties_come_in_either_order(order: tuple[str, str]) -> None:
    """IC.4: each player assigns its casualties; only SB.3 prints an order."""
    table = invade(2, *some("mentak-ground-force", 2, "quann")).then_open("IC.3")
    table.play(says("sol", "roll-combat", 10, 1), says("mentak", "roll-combat", 10, 1)).then_open("IC.4")
    for seat in order:
        table.when(says(seat, "assign-hits", to=[f"{seat}-ground-force-1"])).then_accepted()
    table.then_open("IC.3")


def test_bombardment_of_a_planet_without_ground_forces_is_passed() -> None:
    """IC.1: a hit removes a Ground Force, and only a Space Dock is there."""
    table = invade(1, unit("sol-war-sun-1", "wellon-space"), unit("mentak-space-dock-1", "quann"))
    table.then(StepPassed, step="IC.1")


@pytest.mark.parametrize("ship", ["sol-dreadnought-1", "sol-war-sun-1"])
def test_bombardment_under_pds_is_offered_to_war_suns(ship: str) -> None:
    """IC.1: no Dreadnought beside an enemy PDS."""
    table = invade(1, unit(ship, "wellon-space"), unit("mentak-pds-1", "quann"), unit("mentak-ground-force-1", "quann"))
    table.then_open("IC.1" if "war-sun" in ship else "IC.2")


def test_bombardment_by_the_last_ship_ends_the_step() -> None:
    """IC.1: a single bombardment only, so no ship is left to ask for."""
    table = invade(1, unit("sol-dreadnought-1", "wellon-space"), *some("mentak-ground-force", 2, "quann"))
    table.then_open("IC.1").when(says("sol", "bombard", 1, ship="sol-dreadnought-1")).then_open("IC.3")


def test_war_sun_bombards_an_invaded_planet_when_it_is_picked() -> None:
    """IC.1: TA.6.suns is for planets without an invasion."""
    heavy = unit("sol-war-sun-1", "wellon-space")
    table = troops(1, heavy, unit("mentak-ground-force-1", "quann"), unit("mentak-ground-force-2", "rahn"))
    land(table, "quann", 1).then_open("TA.6.suns")
    table.when(says("sol", "bombard", 9, 9, 9, ship="sol-war-sun-1", planet="quann")).then_refused(
        "bombarded-when-fought-for", rule="IC.1"
    )
    leave(table, "TA.6.suns").play(says("sol", "pick", member="quann")).then_open("IC.1")


def test_war_sun_does_not_bombard_an_empty_planet() -> None:
    """IC.1: nothing there can be hit."""
    table = troops(0, unit("sol-war-sun-1", "wellon-space"), unit("mentak-ground-force-1", "quann"))
    table.then_open("TA.6.suns").when(says("sol", "bombard", 9, 9, 9, ship="sol-war-sun-1", planet="rahn"))
    table.then_refused("no-enemy-to-bombard", rule="IC.1")


def test_pds_of_a_planet_do_not_fire_at_mercenaries_alone() -> None:
    """IC.2: a hit destroys an invading Ground Force."""
    table = troops(0, unit("sol-mercenary-1", "wellon-space"), unit("mentak-pds-1", "quann"), systems=owned_by_mentak())
    while step(table) != "TA.5.hostile":
        table.play(says("sol", "done"))
    table.play(says("sol", "land-hostile", planet="quann", units=["sol-mercenary-1"]))
    leave(table, "TA.5", "TA.6.suns").when(says("sol", "pick", member="quann")).then(StepPassed, step="IC.2")


def test_pds_of_a_planet_stop_when_no_target_remains() -> None:
    """IC.2: the second PDS has no target."""
    table = invade(1, *some("mentak-pds", 2, "quann"), unit("mentak-ground-force-1", "quann")).then_open("IC.2")
    table.when(says("mentak", "fire-pds", 9, pds=["mentak-pds-1"])).then(UnitRemoved, unit="sol-ground-force-1")
    table.then_open("TA.7")


@pytest.mark.parametrize(("counters", "asked"), [(0, False), (1, True)])
def test_secondary_is_offered_for_a_counter_only(counters: int, asked: bool) -> None:
    """STRAT: using a counter of the Strategy area."""
    table = galaxy(sheets={"letnev": {"strategy": counters}})
    table.play(says("sol", "take-action", action="strategic"), says("sol", "done"))
    assert waiting(table) == (("letnev",) if asked else ("mentak",))


@pytest.mark.parametrize(
    ("counter", "asked"), [("sol", ("sol", "mentak")), ("letnev", ("mentak",)), ("mentak", ("mentak",))]
)
def test_retreat_is_offered_to_a_side_with_a_system_to_go_to(counter: str, asked: tuple[str, ...]) -> None:
    """SB.1 and SB.4: adjacent and activated by that player."""
    table = pass_abilities(cruisers(1, 1, systems=systems(mecatol={"activated": [counter]})))
    table.then_open("SB.1")
    assert waiting(table) == asked


def test_retreat_without_a_system_left_is_not_carried_out() -> None:
    """SB.4: a card closes the way after the announcement; nobody must do what cannot be done."""
    table = pass_abilities(cruisers(1, 1)).play(says("mentak", "announce-retreat"))
    table.given(UnitPlaced(unit="letnev-cruiser-9", side="letnev", kind="cruiser", at="arnor-space"))
    table.play(says("sol", "roll-combat", 1)).when(says("mentak", "roll-combat", 1)).then(StepPassed, step="SB.4")
    assert here(table, "quann-space", "mentak") == ["mentak-cruiser-1"]


def test_ships_without_dice_are_not_asked_to_roll() -> None:
    """SB.2: both roll for each ship, and this one has no combat value."""
    table = battle(unit("sol-cruiser-1", "wellon-space"), unit("mentak-carrier-1", "quann-space", combat=0))
    to_dice(table)
    assert waiting(table) == ("sol",)
    table.when(says("sol", "roll-combat", 1)).then_open("SB.1")


def test_probe_of_the_last_counter_ends_the_step() -> None:
    """TA.probe."""
    units = (unit("sol-carrier-1", "lodor-space"), unit("sol-fighter-1", "lodor-space"))
    table = galaxy(*units, systems=systems(vefut_space={"mines": {}}))
    attack(table, ("lodor-space", "vefut-space"), "sol-carrier-1", "sol-fighter-1").then_open("TA.probe")
    table.when(says("sol", "probe", planets=["vefut"])).then_open("TA.7")


def test_landing_of_the_last_pds_ends_the_step() -> None:
    """TA.landpds."""
    table = troops(1, *some("sol-pds", 2, "wellon-space"), unit("mentak-ground-force-1", "quann"))
    land(table, "quann", 1).then_open("TA.landpds")
    table.when(says("sol", "land-pds", planet="quann", units=["sol-pds-1"])).then_open("TA.landpds")
    table.when(says("sol", "land-pds", planet="quann", units=["sol-pds-2"])).then_open("TA.6.planets")


# --- what the group records, where the step is about it ---------------------------------------------------------------


def test_face_down_counter_has_no_effect_yet() -> None:
    """TA.5.neutral: it is turned up before its effect is recorded."""
    planets = {"quann": {"domain": True}}
    table = land(troops(2, systems=systems(quann_space={"planets": planets})), "quann", 2, "neutral")
    table.play(says("sol", "pick", member="quann")).then_open("TA.6.counter")
    loss = says("sol", "remove", unit="sol-ground-force-1", cause="radiation")
    table.when(loss).then_refused("not-in-this-step", rule="TA.6.counter", first="resolve-domain")
    table.play(says("sol", "resolve-domain", counter="radiation")).when(loss).then(UnitRemoved)


def test_production_takes_goods_and_gives_none() -> None:
    """TA.7."""
    table = docked(sheets={"sol": {"trade_goods": 2}})
    table.when(says("sol", "pay", account="trade-goods/sol", amount=1)).then_refused("account-cannot-grow", rule="TA.7")
    table.when(says("sol", "pay", account="trade-goods/sol", amount=-1)).then(AccountChanged, after=1)


def test_production_exhausts_planet_cards_and_refreshes_none() -> None:
    """TA.7."""
    table = docked().play(says("sol", "mark", marker="exhausted/jord", to=True))
    table.when(says("sol", "mark", marker="exhausted/jord", to=None)).then_refused("cannot-be-readied", rule="TA.7")


@pytest.mark.parametrize(("system", "taken"), [("home-sol", True), ("void", False)])
def test_production_lays_mines_in_the_activated_system(system: str, taken: bool) -> None:
    """TA.7."""
    table = docked().when(says("sol", "pay", account=f"mines/{system}/sol", amount=1))
    assert (table.refusal is None) is taken
