"""Define the facts that steps outside Phase 5 ask for, each with words for the referee. Phase 5 has `combat_facts`."""

from umpire_ledger.domain.titles.federation_and_empire.counters import counters, empires
from umpire_ledger.domain.titles.federation_and_empire.economy import economy, reserves
from umpire_ledger.domain.titles.federation_and_empire.movement import orions
from umpire_ledger.domain.titles.federation_and_empire.raids import (
    interception,
    raid_answers,
    raid_pool,
    raid_rounds,
    raids,
)
from umpire_ledger.kit import fact

INTEREST_DUE = fact(
    "the interest stated in 1C2 is not paid yet",
    economy.interest_is_due,
    otherwise="the interest stated in 1C2 has been paid",
    owed="pay the interest with `pay-interest`",
    who=economy.interest_to_pay,
)
INTEREST_UNSTATED = fact(
    "the interest on a debt is not stated yet",
    economy.interest_unstated,
    otherwise="the interest on every debt is stated",
    owed="state the interest with `state-interest` (0 for none)",
    who=economy.unstated,
)
IN_DEBT = fact("an empire has a debt", economy.in_debt, otherwise="no empire has a debt")
TEAM_UNTESTED = fact(
    "a survey team has not rolled for survival yet",
    counters.team_is_untested,
    otherwise="no survey team has to roll for survival",
    owed="roll for each team with `survive`",
    who=counters.untested_teams,
)
FUNDS_DUE = fact(
    "WYN transfer funds are on their way", economy.funds_are_due, otherwise="no WYN transfer funds are on their way"
)
RAIDS_OUT = fact(
    "a normal raider is still out",
    raids.raids_are_out,
    otherwise="no normal raider is out",
    owed="bring each raider back with `recall`",
    who=raids.out("normal"),
)
SPECIALS_OUT = fact(
    "a special raider is still out",
    raids.specials_are_out,
    otherwise="no special raider is out",
    owed="bring each raider back with `recall`",
    who=raids.out("special"),
)
DRONES_OUT = fact("a drone raider is still out", interception.drones_out, otherwise="no drone raider is out")
FIGHTERS_UNNAMED = fact(
    "the units that fight the raiders are not named yet",
    raid_answers.fighters_unnamed,
    otherwise="the units that fight the raiders are named",
    owed="use `fight-raiders` to name the units that fight, for each hex",
    who=raid_answers.raids_to_meet,
)
RESISTANCE_WAITS = fact(
    "an action of a resistance movement has not been rolled for",
    raid_pool.resistance_waits,
    otherwise="every action of a resistance movement has been rolled for",
    owed="roll for each action with `resist`",
    who=raid_pool.announced,
)
ROUND_DUE = fact(
    "a round against raiders has not been rolled for",
    raid_rounds.round_is_due,
    otherwise="every round against raiders has been rolled for",
    owed="roll for the round in each hex with `skirmish`",
    who=raid_rounds.rounds_due,
)
RAIDERS_MET = fact(
    "a unit fights the raiders",
    raid_answers.raiders_are_met,
    otherwise="no unit fights the raiders",
    name="raiders_met",
)
ROUND_AWAITED = fact(
    "an enemy has not rolled for a round against your units",
    raid_rounds.round_is_awaited,
    otherwise="every enemy has rolled against your units",
    owed="wait until the enemy has rolled or ended the step, then state the losses in each hex",
    who=raid_rounds.rounds_awaited,
    waits=True,
)
DRONES_COST = fact(
    "a drone raid has not been paid for",
    raids.drones_cost,
    otherwise="every drone raid has been paid for",
    owed="pay for the drone raid of each unit with `pay-raid`",
    who=raids.drones_unpaid,
)
MAY_EMPLACE = fact(
    "another station may be emplaced", raid_pool.may_emplace, otherwise="no other station may be emplaced"
)
SPECIAL_STAYS = fact(
    "a special raider has not moved to its hex yet",
    raids.special_stays,
    otherwise="every special raider is at its hex",
    owed="move each raider to its hex with `raid`",
    who=raids.specials_to_move,
)
RAIDER_CRIPPLED = fact(
    "a raider that was crippled is in the pool",
    raid_pool.raider_is_crippled,
    otherwise="no raider that was crippled is in the pool",
)
RUNNER_STAYS = fact(
    "a blockade runner has not moved to its target hex yet",
    raids.runner_stays,
    otherwise="every blockade runner has moved to its target hex",
    owed="move each runner to its target hex with `raid`",
    who=raids.runners_to_move,
)
RUNNERS_OUT = fact(
    "a blockade runner is still out",
    raids.runners_are_out,
    otherwise="no blockade runner is out",
    owed="bring each runner back with `recall`",
    who=raids.out("blockade"),
)
RAIDERS_HURT = fact(
    "a raider is crippled or must retreat",
    raids.must_go_back("normal"),
    otherwise="no raider is crippled or must retreat",
    owed="bring each raider back with `recall`",
    who=raids.going_back("normal"),
    name="raiders_are_hurt",
)
HURT_IN = fact(
    "a runner is crippled or must retreat",
    raids.hurt_on("in"),
    otherwise="no runner is crippled or must retreat",
    owed="bring each runner back with `recall`",
    who=raids.caught_now("in"),
    name="runners_hurt_in",
)
HURT_OUT = fact(
    "a runner is crippled or must retreat",
    raids.hurt_on("out"),
    otherwise="no runner is crippled or must retreat",
    owed="bring each runner back with `recall`",
    who=raids.caught_now("out"),
    name="runners_hurt_out",
)
CAUGHT_IN = fact(
    "a runner was caught on its way in",
    interception.caught("in"),
    otherwise="no runner was caught on its way in",
    name="caught_in",
)
CAUGHT_OUT = fact(
    "a runner was caught on its way out",
    interception.caught("out"),
    otherwise="no runner was caught on its way out",
    name="caught_out",
)
FORCED_BACK = fact(
    "a unit that answered a raid is forced to retreat",
    interception.must_retreat,
    otherwise="no unit that answered a raid is forced to retreat",
    owed="retreat each unit with `move-units`",
    who=interception.forced_back,
)
UNTRIED = fact(
    "a runner has not faced an attempt yet", interception.untried, otherwise="every runner has faced an attempt"
)
FORCE_WAITS = fact(
    "a Tactical Reserve Force has been formed but has not moved",
    reserves.force_waits,
    otherwise="every Tactical Reserve Force that was formed has moved",
    owed="move the force with `move-reserve`",
    who=reserves.forces_waiting,
)
BIDS_MISSING = fact(
    "a ship on offer still needs a bid",
    orions.bids_missing,
    otherwise="no ship on offer needs a bid",
    owed="bid with `seal-bid`",
    who=orions.on_offer,
)
BIDS_AWAITED = fact(
    "the auction continues",
    orions.bids_awaited,
    otherwise="the auction is over",
    owed="wait until the other sides have bid for the first ship, or deployed it",
    who=orions.on_offer,
    waits=True,
)
INTERCEPTION_NAMED = fact(
    "a hex of interception is named", interception.interception_named, otherwise="no hex of interception is named"
)
SHIP_WON = fact(
    "a ship won at auction has not joined a fleet yet",
    orions.ship_is_won,
    otherwise="every ship won at auction has joined a fleet",
    owed="deploy the ship with `lease`",
    who=orions.won_ships,
)
WAR_IS_OVER = fact("the last turn of the scenario is over", empires.war_is_over, otherwise="another turn follows")
