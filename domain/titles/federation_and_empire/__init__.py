"""Federation & Empire (Amarillo Design Bureau): a strategic war of empires, played by its sequence of play 105.IW."""

from umpire_ledger.domain.titles.federation_and_empire import forfeits, house_values
from umpire_ledger.domain.titles.federation_and_empire.board import board
from umpire_ledger.domain.titles.federation_and_empire.combat import (
    able_sides,
    battle,
    battle_marks,
    damage,
    dice_awaited,
    directed,
    fates,
    forces,
    intensity,
    pinwheels,
    prizes,
    pursuit,
    rescues,
    retreat,
    withdrawal,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.combat import AGREED
from umpire_ledger.domain.titles.federation_and_empire.counters import counters
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import NAME, every_empire, turn_order
from umpire_ledger.domain.titles.federation_and_empire.counters.notation import NOTATION
from umpire_ledger.domain.titles.federation_and_empire.counters.traits import TRAITS
from umpire_ledger.domain.titles.federation_and_empire.economy import (
    economy,
    repairs,
    reserves,
    shipyard,
    special_production,
)
from umpire_ledger.domain.titles.federation_and_empire.movement import missions, orions, reactions, retrograde, stasis
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import neighbours
from umpire_ledger.domain.titles.federation_and_empire.options import OPTIONS, READINGS
from umpire_ledger.domain.titles.federation_and_empire.orders import ORDERS, heard
from umpire_ledger.domain.titles.federation_and_empire.raids import (
    decoys,
    designations,
    interception,
    raid_answers,
    raid_pool,
    raids,
)
from umpire_ledger.domain.titles.federation_and_empire.scenario import FederationScenario, set_up
from umpire_ledger.domain.titles.federation_and_empire.sequence import SEQUENCE
from umpire_ledger.domain.titles.federation_and_empire.starter import STARTER
from umpire_ledger.domain.titles.federation_and_empire.suggestions.combat import called_modifiers, possible_attempts
from umpire_ledger.domain.titles.federation_and_empire.tables import ROWS
from umpire_ledger.domain.titles.federation_and_empire.words import WORDS
from umpire_ledger.kit import Ruled, Title, called

TITLE = Title(
    id="federation-and-empire",
    name=NAME,
    version="1",
    publisher="Amarillo Design Bureau",
    sequence=SEQUENCE,
    options=OPTIONS,
    readings=READINGS,
    ours=house_values.OURS,
    rows=ROWS,
    starter=STARTER,
    traits=TRAITS,
    scenario=FederationScenario,
    set_up=set_up,
    words=WORDS,
    board=board,
    orders=tuple(heard(line) for line in ORDERS),
    roles={
        "players": called("both sides, in turn order", turn_order, none="no side has a player turn"),
        "nonphasing": called("non-phasing side", battle.nonphasing, none="no non-phasing side is left"),
        "meeting": called("sides that meet the raiders", raid_answers.meeting, none="no unit meets the raiders"),
        "raided": called("sides whose empires are raided", raid_answers.raided, none="no side is raided"),
        "fleet_owner": called("owner of the fleet", reserves.owner_of_fleet, none="no side has that fleet now"),
        "defender": called("defender", battle.defender, none="there is no defender"),
        "approach_defender": called(
            "defender with ships", battle.approach_defender, none="there is no defender with ships"
        ),
        "second_defender": called(
            "second defender", battle.further_defender("second"), none="there is no second defender"
        ),
        "third_defender": called("third defender", battle.further_defender("third"), none="there is no third defender"),
        "withdrawers": called("defenders who withdraw", withdrawal.withdrawers, none="no defender withdraws"),
        "web_casters": called("owners of web casters", designations.web_casters, none="no web caster is ready"),
        "pinwheel_owners": called("owners of pinwheels", pinwheels.pinwheel_owners, none="there is no pinwheel"),
        "defenders": called("defenders", battle.who_fight, none="there is no defender"),
        "battlers_left": called("sides with units here", battle.battlers_left, none="no side is in the battle"),
        "battlers": called("both sides of the battle", battle.battlers, none="no side is in the battle"),
        "retreated_here": called(
            "sides that have retreated to the hex", intensity.retreated_here, none="no unit has retreated to the hex"
        ),
        "owners_of_troops": called("owners of troops", intensity.owners_of_troops, none="no unit here has troops"),
        "losers_of_teams": called(
            "sides with a Prime Team of a lost ship", fates.losers_of_teams, none="no Prime Team has lost its ship"
        ),
        "owners_of_shock": called(
            "sides with ships subject to shock", fates.owners_of_shock, none="no ship used shock factors"
        ),
        "rescuers": called("owners of rescue tugs", rescues.rescuers, none="no tug was assigned to rescue"),
        "casters_at_isc": called(
            "sides with a web caster against the ISC",
            able_sides.casters_at_isc,
            none="no web caster is ready against an ISC ship",
        ),
        "announcers": called(
            "sides with web casters or ships subject to shock",
            able_sides.announcers,
            none="no web caster or ship subject to shock is here",
        ),
        "affected": called(
            "sides with a SWAC or an honor duel", able_sides.affected, none="no SWAC or penal ship fights"
        ),
        "owners_of_booty": called(
            "sides with a captured ship or war-plans",
            able_sides.owners_of_booty,
            none="no side has a captured ship or war-plans",
        ),
        "owners_of_lost_swacs": called(
            "sides with a SWAC on a mission", able_sides.owners_of_lost_swacs, none="no SWAC was on a mission"
        ),
        "penal_owners": called("sides with penal ships", able_sides.penal_owners, none="no penal ship fights"),
        "attacker_who_directs": called(
            "phasing side with points to direct",
            able_sides.attacker_who_directs,
            none="the phasing side has too few points to direct at any unit",
        ),
        "defenders_who_direct": called(
            "defenders with points to direct",
            able_sides.defenders_who_direct,
            none="no defender has enough points to direct at any unit",
        ),
        "defenders_hurt": called(
            "defenders with damage to take", able_sides.defenders_hurt, none="no damage was scored against a defender"
        ),
        "attacker_hurt": called(
            "phasing side with damage to take",
            able_sides.attacker_hurt,
            none="no damage was scored against the phasing side",
        ),
        "in_station_hexes": called(
            "sides with units at a new station", raid_pool.in_station_hexes, none="no enemy unit is at a new station"
        ),
        "owners_of_fighters": called(
            "sides with fighters or PFs that have room on another unit",
            able_sides.owners_of_fighters,
            none="no fighters or PFs have room on another unit",
        ),
        "owners_of_tows": called(
            "sides that tow a cripple in the web", able_sides.owners_of_tows, none="no ship tows a cripple in the web"
        ),
        "captors": called("sides that may capture a ship", able_sides.captors, none="no crippled ship can be captured"),
        "owners_of_leaders": called(
            "sides with an admiral or general of a lost or crippled ship",
            able_sides.owners_of_leaders,
            none="no admiral or general has lost a ship",
        ),
        "owners_of_troops_to_move": called(
            "sides with fighters or troops to move",
            able_sides.owners_of_troops_to_move,
            none="no fighters or troops can move",
        ),
        "owners_of_gces": called(
            "sides with a GCE and room for it", able_sides.owners_of_gces, none="no GCE has room on another ship"
        ),
        "owners_of_casualties": called(
            "sides with a crippled ship or a destroyed unit",
            able_sides.owners_of_casualties,
            none="no unit was crippled or destroyed",
        ),
        "owners_of_hurt_bases": called(
            "sides with a damaged base", able_sides.owners_of_hurt_bases, none="no base here is damaged"
        ),
        "scuttlers": called("sides with ships or bases here", able_sides.scuttlers, none="no ship or base is here"),
        "assaulters": called(
            "sides with units named in 5-4A5", intensity.assaulters, none="no unit was named for troop assaults"
        ),
        "in_assaults": called(
            "both sides of an assault", dice_awaited.in_assaults, none="no ground assault was designated"
        ),
        "pursuer": called("pursuer", retreat.pursuer, none="no side may pursue"),
        "pursued": called("pursued side", retreat.pursued, none="no side is pursued"),
        "who_goes": called("retreating side", retreat.who_goes, none="no side retreats"),
        "tholians": called(
            "owners of pinwheel ships", battle.owners_of("pinwheel"), none="no ship here can form a pinwheel"
        ),
        "foes_of_pinwheels": called(
            "opponents of the pinwheels", battle.foes_of_pinwheels, none="no opponent of a pinwheel is here"
        ),
        "owners_of_sfg": called(
            "owners of stasis field generators", battle.owners_of("sfg"), none="no stasis field generator is here"
        ),
        "sfg_to_roll": called("owner of the next attempt", stasis.next_to_roll, none="no attempt is left to roll for"),
        "owners_of_x": called("owners of X-ships here", battle.owners_of("x"), none="no X-ship fights here"),
        "owners_of_swac": called("owners of SWACs here", battle.owners_of("swac"), none="no SWAC is here"),
        "nonphasing_x": called(
            "non-phasing owners of X-ships", retrograde.nonphasing_x, none="no non-phasing side has an X-ship"
        ),
        "others_in_groups": called(
            "non-phasing owners of groups", retrograde.others_in_groups, none="no non-phasing side has a group"
        ),
        "others_with_pods": called(
            "non-phasing owners of pods on crippled tugs",
            retrograde.others_with_pods,
            none="no non-phasing side has pods on a crippled tug",
        ),
        "owners_of_xbase": called("owners of X-bases", battle.owners_of("xbase"), none="no X-base is here"),
        "decoy_ships": called(
            "Romulans with ships and unrevealed decoys here", decoys.decoy_ships, none="no cloaked decoy can be here"
        ),
        "decoys_gone": called(
            "Romulans whose ships have withdrawn", decoys.decoys_gone, none="no cloaked decoy can have withdrawn"
        ),
        "decoys_hit_b": called(
            "Romulans against whom the phasing side directs damage",
            decoys.decoys_hit(True),
            none="no decoy can divert damage",
        ),
        "decoys_hit_c": called(
            "Romulans against whom the other side directs damage",
            decoys.decoys_hit(False),
            none="no decoy can divert damage",
        ),
        "decoys_frozen": called(
            "Romulans with a frozen ship", decoys.decoys_frozen, none="no frozen ship can have a decoy"
        ),
        "decoys_escape": called(
            "Romulans who escape by decoy", decoys.decoys_escape, none="no ship is due to escape by decoy"
        ),
        "iscs_frozen": called("ISC with a frozen unit", battle.frozen_iscs, none="no ISC unit is frozen"),
        "klingons": called(
            "Klingon player", special_production.player_of("klingon"), none="it is not the Klingon player's turn"
        ),
        "federation": called(
            "Federation player",
            special_production.player_of("federation"),
            none="it is not the Federation player's turn",
        ),
        "authorized": called(
            "players with battleship options",
            special_production.authorized,
            none="no empire here has battleship options",
        ),
        "orions": called("Orions", orions.orions, none="the Orions are not in this game"),
    },
    sets={
        "player_turns": called("player turns", turn_order, none="every player turn is over"),
        "battle_hexes": called("battle hexes", battle.battle_hexes, none="no battle hex is left"),
        "reserve_fleets": called("Reserve Fleets", reserves.reserve_fleets, none="no Reserve Fleet is left"),
    },
    forfeits={
        "1B": forfeits.surveys_left,
        "1C3": forfeits.incomes_left,
        "2A2": forfeits.ships_unrepaired,
        "2A3": forfeits.bases_unrepaired,
        "2B3": forfeits.production_left,
        "2B4": forfeits.replacements_left,
        "2B8": forfeits.swarm_left,
        "2B10": forfeits.battleships_left,
        "3A-2H": forfeits.attacks_left,
        "3B3": reactions.not_waited_for,
        "3B5": forfeits.colonies_unbegun,
        "5-4C4": prizes.captured_to_go,
        "5-6X7": forfeits.salvage_left,
        "6E": forfeits.replacements_left,
        "9A": forfeits.markers_left,
        "10A": forfeits.colonies_unestablished,
        "11E": orions.bribes_to_lapse,
    },
    acts={
        "1A1": shipyard.make_operational,
        "1A2": economy.judge_anew(),
        "1A3A": counters.count_on("recovery"),
        "1A3B": counters.count_on("capture"),
        "1A3C": counters.count_on("annexation"),
        "1A3D": counters.count_on("diplomacy"),
        "1C1": economy.forget_borrowing,
        "1C2": economy.state_interest,
        "1D": reserves.take_off_reserves,
        "1F": missions.end_missions,
        "1H": missions.end_lines,
        "2A1": economy.judge_anew("phasing"),
        "2A4": repairs.flip_repaired,
        "3A-1A": raids.forget_old_raids,
        "3A-2C": raids.clear_answers,
        "3A-3C": raids.clear_answers,
        "3A-5B": raids.unload_the_rest,
        "3A-6A": raid_pool.begin_station,
        "3B1": lambda game: [*raids.end_raids(game), *economy.judge_anew("phasing")(game)],
        "3A-3F": interception.forget_interception,
        "6A": economy.judge_anew(),
        "7A": economy.judge_anew("phasing"),
        "7D": repairs.return_repairers,
        "5-1A": battle_marks.begin_battle,
        "5-1D": withdrawal.note_defenders,
        "5-2B1": retreat.note_declined,
        "5-3A": lambda game: [*withdrawal.begin_the_round(game), *economy.judge_the_hex(game)],
        "5-3C": battle.afresh("escorts"),
        "5-3D": battle.afresh("flagship"),
        "5-3E": battle.afresh("force", "assignments", "decoy places"),
        "5-3G": forces.announce_forces,
        "5-3X2": battle.afresh("BIR"),
        "5-4A2": battle.afresh("EW"),
        "5-4A7A": stasis.begin_stasis,
        "5-4A7C": stasis.clear_targets,
        "5-4A7D": stasis.void_stasis,
        "5-4C3": damage.clear_rolls,
        "5-4C4": damage.clear_scores,
        "5-4D": prizes.remove_used,
        "5-4E": damage.settle_minus,
        "5-5C": directed.take_hits,
        "5-5D": directed.add_plus,
        "5-6B/lost": damage.lose_damage,
        "5-6X5/lost": designations.lose_landed,
        "5-7A5": retreat.leave_base,
        "5-8A": pursuit.begin_pursuit,
        "5-8C": pursuit.announce_pursuit,
        "5-8E": pursuit.open_pursuit,
        "5-8F/forces": pursuit.begin_pursuit_battle,
        "5-8F": pursuit.no_tug_waits,
        "5-8G/forces": pursuit.begin_pursuit_battle,
        "5-8G": pursuit.no_tug_waits,
        "5-8J": pursuit.end_pursuit,
        "5-HEX/over": battle_marks.end_battle,
        "5-END": battle_marks.end_combat,
        "10B": economy.funds_arrive,
        "11A": orions.recover,
        "11B": orions.end_leases,
        "11F": orions.decline_bribes,
        "11G": battle.afresh("bid"),
        "11H": orions.close_auction,
    },
    asides=AGREED,
    carriers=("aboard", "tows", "pinwheel"),
    notation=NOTATION,
    next_to=lambda game, place: neighbours(place),
    names={
        "empire": every_empire,
        "declare-stasis attempts": possible_attempts,
        "score modifiers": called_modifiers,
    },
    ruled=Ruled(attributes=("*",), accounts=("*",), markers=("*",), questions=("*",)),
)
