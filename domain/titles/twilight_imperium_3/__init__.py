"""Twilight Imperium, third edition (Fantasy Flight Games): the action phase, after a fan's summary of it."""

from umpire_ledger.domain.titles.twilight_imperium_3 import (
    abilities,
    activation,
    battle,
    cards,
    casualties,
    domain_counters,
    galaxy,
    generic_order_rules,
    house_values,
    invasion,
    landing,
    mines,
    movement,
    pds,
    production,
    strategy,
    suggests,
    turn,
)
from umpire_ledger.domain.titles.twilight_imperium_3.board import board
from umpire_ledger.domain.titles.twilight_imperium_3.galaxy import adjacent
from umpire_ledger.domain.titles.twilight_imperium_3.scenario import Ending, TwilightScenario, set_up
from umpire_ledger.domain.titles.twilight_imperium_3.sequence import SEQUENCE
from umpire_ledger.domain.titles.twilight_imperium_3.starter import STARTER
from umpire_ledger.domain.titles.twilight_imperium_3.units import NAME
from umpire_ledger.domain.titles.twilight_imperium_3.words import WORDS
from umpire_ledger.kit import Change, Mark, Move, Pay, Place, Remove, Roll, Ruled, Title, Value, called, does

OPTIONS: dict[str, Value] = {"fleet_limit": "moved", "sabotage_runs": True, "board_cleared": True, "blockade": True}
READINGS = {
    "fleet_limit": "moved: ships that moved in count, Fighters too; system: all ships there, Fighters beyond capacity",
    "sabotage_runs": "Sabotage Run is offered before battles; false: the group plays without it",
    "board_cleared": "command counters leave the board between rounds; false: they stay",
    "blockade": "true: no ships are produced in a system with enemy ships (a limit that is not printed)",
}

ORDERS = (
    does(turn.TakeAction, turn.decide_take_action, tries=suggests.take_action),
    does(turn.ChooseStrategy, turn.decide_choose_strategy, tries=suggests.choose_strategy),
    does(strategy.JoinSecondary, strategy.decide_join_secondary, tries=suggests.join_secondary),
    does(cards.PlayCard, cards.decide_play_card, tries=suggests.play_card),
    does(cards.DrawCard, cards.decide_draw_card, tries=suggests.draw_card),
    does(activation.Activate, activation.decide_activate, tries=suggests.activate),
    does(activation.Transfer, activation.decide_transfer, tries=suggests.transfer),
    does(movement.MoveShips, movement.decide_move_ships, tries=suggests.move_ships, offered=movement.can_move),
    does(domain_counters.Probe, domain_counters.decide_probe, tries=suggests.probe),
    does(domain_counters.Raze, domain_counters.decide_raze, tries=suggests.raze),
    does(domain_counters.ResolveDomain, domain_counters.decide_resolve_domain, tries=suggests.resolve_domain),
    does(pds.FirePds, pds.decide_fire_pds, tries=suggests.fire_pds, rolls=pds.fire_plan),
    does(mines.RollMine, mines.decide_roll_mine, tries=suggests.roll_mine),
    does(casualties.AssignHits, casualties.decide_assign_hits, tries=suggests.assign_hits),
    does(abilities.Barrage, abilities.decide_barrage, tries=suggests.barrage, rolls=abilities.barrage_plan),
    does(battle.Announce, battle.decide_announce, tries=suggests.announce),
    does(battle.RollCombat, battle.decide_roll_combat, tries=suggests.roll_combat, rolls=battle.combat_plan),
    does(battle.Retreat, battle.decide_retreat, tries=suggests.retreat),
    does(landing.LandFriendly, landing.decide_land_friendly, tries=suggests.land_friendly),
    does(landing.LandNeutral, landing.decide_land_neutral, tries=suggests.land_neutral),
    does(landing.LandHostile, landing.decide_land_hostile, tries=suggests.land_hostile),
    does(landing.LandPds, landing.decide_land_pds, tries=suggests.land_pds),
    does(invasion.Bombard, invasion.decide_bombard, tries=suggests.bombard),
    does(production.Produce, production.decide_produce, tries=suggests.produce),
    does(production.BuildDock, production.decide_build_dock, tries=suggests.build_dock),
    does(production.Scuttle, production.decide_scuttle, tries=suggests.scuttle),
    does(
        Move,
        generic_order_rules.record_move,
        tries=suggests.move,
        offered=generic_order_rules.has_units_to_touch,
    ),
    does(Place, generic_order_rules.record_place, tries=suggests.place, offered=generic_order_rules.can_place),
    does(
        Remove,
        generic_order_rules.record_remove,
        tries=suggests.remove,
        offered=generic_order_rules.has_units_to_touch,
    ),
    does(Pay, generic_order_rules.record_pay, tries=suggests.pay),
    does(Mark, generic_order_rules.record_mark, tries=suggests.mark, offered=generic_order_rules.can_mark),
    does(Roll, tries=suggests.roll),
    does(Change, generic_order_rules.record_change, tries=suggests.change, offered=generic_order_rules.can_change),
)

RULED = Ruled(
    attributes=generic_order_rules.WRITTEN,
    accounts=(
        *("action-cards/*", "command/*", "fleet/*", "hits/*", "mines/*"),
        *("reinforcements/*", "strategy/*", "trade-goods/*"),
    ),
    markers=(
        *("activated/*", "control/*", "domain/*", "exhausted/*", "last-round", "now/*", "passed/*", "probed/*"),
        *("race/*", "seen/*", "since/*", "strategy-cards/*", "tech/*", "used-cards/*"),
    ),
    questions=("action card", "domain/*", "hand"),
    owner=galaxy.owner,
)

TITLE = Title(
    id="twilight-imperium-3",
    name=NAME,
    version="1",
    publisher="Fantasy Flight Games",
    sequence=SEQUENCE,
    orders=ORDERS,
    victory=Ending,
    starter=STARTER,
    scenario=TwilightScenario,
    next_to=adjacent,
    set_up=set_up,
    words=WORDS,
    names=suggests.NAMES,
    board=board,
    options=OPTIONS,
    readings=READINGS,
    ruled=RULED,
    ours=house_values.OURS,
    roles={
        "player": called("active player", turn.the_player, none="no player is active"),
        "secondary_player": called(
            "player with the secondary ability", strategy.secondary_player, none="no player can use a secondary ability"
        ),
        "enemy_gunners": called(
            "enemies whose PDS reach", pds.enemy_gunners, none="no enemy PDS reaches the active player's ships"
        ),
        "own_gunner": called(
            "active player with PDS", pds.own_gunner, none="no PDS of the active player reaches enemy ships"
        ),
        "ground_gunner": called("defender with PDS", pds.ground_gunner, none="the defender has no PDS on the planet"),
        "sides_hit": called("players with hits to take", casualties.sides_hit, none="no hits are to be taken"),
        "attacker": called("attacker", battle.attacker, none="there is no attacker"),
        "defender": called("defender", battle.defender, none="there is no defender"),
        "may_retreat": called(
            "sides with a system to retreat to", battle.may_retreat, none="no side has a system to retreat to"
        ),
        "with_dice": called("sides with combat dice", battle.with_dice, none="no side has combat dice"),
        "retreating": called("retreating player", battle.retreating, none="no player retreats"),
        "barrage_sides": called(
            "players with an anti-Fighter barrage", abilities.barrage_owners, none="no player has a barrage"
        ),
        "assault_sides": called(
            "players with Assault Cannons", abilities.assault_owners, none="no player has Assault Cannons"
        ),
        "mentak_sides": called("the Mentak", abilities.mentak_owners, none="the Mentak are not in the battle"),
        "whose_counter_lies_open": called(
            "player with the face-up domain counter",
            domain_counters.whose_counter_lies_open,
            none="the domain counter is face down",
        ),
        "whose_card_lies_open": called(
            "player with the face-up card", cards.whose_card_lies_open, none="no card is face up"
        ),
    },
    sets={
        "the_others": called(
            "the other players, clockwise", strategy.the_others, none="every other player has answered"
        ),
        "abilities": called("abilities before the battle", abilities.abilities, none="no ability is left to use"),
        "invaded": called("invaded planets", landing.invaded, none="no invaded planet is left"),
        "in_battle": battle.in_battle,
        "in_reach_of_a_card": cards.in_reach_of_a_card,
    },
    forfeits={
        "TA.3.enemy": pds.shots_left_out,
        "TA.3.own": pds.shots_left_out,
        "TR.3.enemy": pds.shots_left_out,
    },
    acts={
        "begins": turn.begin_round,
        "PASS.flag": turn.set_passed,
        "ROUND": turn.pass_on,
        "over": turn.clear_board,
        "TA.4.begins": battle.begin_battle,
        "TA.4.ends": battle.end_space_battle,
        "SB.4": battle.cancel_retreat,
        "SB.5": battle.end_round,
        "TA.6.combat": invasion.begin_invasion,
        "TA.6.claim": invasion.claim,
        "IC.5": invasion.conclude,
    },
)
