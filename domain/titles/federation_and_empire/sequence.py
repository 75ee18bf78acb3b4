"""Declare the sequence of play 105.IW of Federation & Empire, updated for ISC WAR. Phase 5 is in `combat`.

Labels are as printed. A step that had to be split has a slash in its label, as has a loop that needs a label of its
own. 5-7B leads to step 8, although «Step #» is printed. The printed order of 1A3A to 1A3D is kept. 3A-4Q and 3B4, 3B6
and 8C, 5-7D and 5-8L are nearly the same and are all visited.

Readings, each next to its step: A1 retreating units leave before rounds continue against their base · A2 a pursuit
borrows 3X to 6, not 6X · A3 the approach offer is open after round 1 · A4 a side that is sent to step 7 enters at its
top · A5 a refused pinwheel battle is one round · A6 cripples that withdrew are pursued before the rest fights · A7
small-scale is tested in round 1 · A8 a failed pursuit leaves out 5-8D and 5-8F · A9 phasing X-ships react to reserves ·
A10 both sides scuttle in 2B11 · A11 a hex without one side is resolved · A12 Romulans record decoys phasing or not, and
the scenario lists the enemies of each side · A13 without pinwheels play continues at 5-3G; sabotage is announced in
3A-1B, rolled in 3A-2A.
"""

from umpire_ledger.domain.titles.federation_and_empire import (
    options,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.combat import COMBAT, PURSUIT, head, step
from umpire_ledger.domain.titles.federation_and_empire.combat.ground import PlaceGce
from umpire_ledger.domain.titles.federation_and_empire.combat.skirmish import CarryPoints, Skirmish, Suffer
from umpire_ledger.domain.titles.federation_and_empire.counters.counters import Annex, Count, Negotiate, Survey, Survive
from umpire_ledger.domain.titles.federation_and_empire.counters.turn_facts import (
    BIDS_AWAITED,
    BIDS_MISSING,
    CAUGHT_IN,
    CAUGHT_OUT,
    DRONES_COST,
    DRONES_OUT,
    FIGHTERS_UNNAMED,
    FORCE_WAITS,
    FORCED_BACK,
    FUNDS_DUE,
    HURT_IN,
    HURT_OUT,
    IN_DEBT,
    INTERCEPTION_NAMED,
    INTEREST_DUE,
    INTEREST_UNSTATED,
    MAY_EMPLACE,
    RAIDER_CRIPPLED,
    RAIDERS_HURT,
    RAIDERS_MET,
    RAIDS_OUT,
    RESISTANCE_WAITS,
    ROUND_AWAITED,
    ROUND_DUE,
    RUNNER_STAYS,
    RUNNERS_OUT,
    SHIP_WON,
    SPECIAL_STAYS,
    SPECIALS_OUT,
    TEAM_UNTESTED,
    UNTRIED,
    WAR_IS_OVER,
)
from umpire_ledger.domain.titles.federation_and_empire.economy.economy import (
    Borrow,
    CheckSupply,
    Income,
    JoinGrid,
    PayInterest,
    Scrap,
    StateInterest,
    Trade,
)
from umpire_ledger.domain.titles.federation_and_empire.economy.pods import ExchangePods, SendPods
from umpire_ledger.domain.titles.federation_and_empire.economy.reconfigure import Reconfigure
from umpire_ledger.domain.titles.federation_and_empire.economy.repairs import DeployRepair, Depot, FieldRepair, Repair
from umpire_ledger.domain.titles.federation_and_empire.economy.reserves import FormReserve, MoveReserve
from umpire_ledger.domain.titles.federation_and_empire.economy.shipyard import (
    Activate,
    Build,
    Convert,
    Deploy,
    Replace,
    Scuttle,
)
from umpire_ledger.domain.titles.federation_and_empire.economy.special_production import (
    Battleship,
    CallPolice,
    Colony,
    Construct,
    Defend,
    DisbandDivision,
    FormDivision,
    NewLeader,
    Squadrons,
    Swarm,
)
from umpire_ledger.domain.titles.federation_and_empire.movement.missions import (
    AssignMission,
    Designate,
    LoseLeader,
    Support,
    TransferLeader,
)
from umpire_ledger.domain.titles.federation_and_empire.movement.moving import MoveUnits
from umpire_ledger.domain.titles.federation_and_empire.movement.orions import (
    AcceptBribe,
    Bribe,
    Lease,
    OfferLease,
    OrionRepair,
    Pirate,
    SealBid,
)
from umpire_ledger.domain.titles.federation_and_empire.movement.reactions import React
from umpire_ledger.domain.titles.federation_and_empire.movement.retrograde import Dissolve, Retrograde
from umpire_ledger.domain.titles.federation_and_empire.movement.wyn import SellShip
from umpire_ledger.domain.titles.federation_and_empire.raids.decoys import AssignDecoy
from umpire_ledger.domain.titles.federation_and_empire.raids.interception import InterceptAt, Load, RollIntercept, Stay
from umpire_ledger.domain.titles.federation_and_empire.raids.raid_answers import AnswerRaid, Disrupt, Fighters
from umpire_ledger.domain.titles.federation_and_empire.raids.raid_pool import Emplace, Pool, Resist
from umpire_ledger.domain.titles.federation_and_empire.raids.raids import PayRaid, Raid, Recall
from umpire_ledger.kit import (
    ACTIVE,
    END,
    Answer,
    Condition,
    Each,
    Go,
    Order,
    Rounds,
    Sequence,
    Step,
    Together,
    chose,
)

NONPHASING, PLAYERS, ORIONS, ROMULANS = "nonphasing", "players", "orions", "romulans"
FLEET_OWNER = "fleet_owner"
KLINGONS, FEDERATION, AUTHORIZED = "klingons", "federation", "authorized"
RAIDED = "raided"
"""Role: the sides at whose empires raids are aimed."""

MEETING = "meeting"
"""Role: the sides other than the phasing side that fight raiders."""


def menu(label: str, name: str, *allows: type[Order], when: Condition | None = None, **more: str) -> Step:
    """Return an optional step of the phasing side; the role `also` may give the orders of `orders.BESIDE`."""
    return step(label, name, ACTIVE, *allows, when=when, need="optional", **more)


# fmt: off
# --- phase 1 ----------------------------------------------------------------------------------------------------------

ECONOMICS = head("1", "economics",
    head("1A", "planets and systems",
        step("1A1", "bases and PDUs that were begun work now"),
        step("1A2", "first check of supply, by both sides", PLAYERS, CheckSupply),
        head("1A3", "turns toward",
            menu("1A3A", "recovery of devastated planets", Count),
            menu("1A3B", "long term capture", Count),
            menu("1A3C", "annexation", Count, when=options.annexation),
            menu("1A3D", "diplomatic presence", Count, when=options.diplomacy))),
    step("1B", "survey points, annexed provinces", ACTIVE, Survey, Survive, Annex, needs=~TEAM_UNTESTED,
         when=options.survey | options.annexation, need="optional", rolls="1d6"),
    head("1C", "economic status",
        step("1C1", "overall debt, as the accounts have it"),
        step("1C2", "interest on it", ACTIVE, StateInterest, when=IN_DEBT, needs=~INTEREST_UNSTATED,
             need="conditional"),
        menu("1C3", "income, grids, scrapping, exhaustion, diplomacy", Income, JoinGrid, Scrap, Negotiate, rolls="1d6"),
        step("1C4", "the interest of 1C2 is paid", ACTIVE, PayInterest, when=INTEREST_DUE, needs=~INTEREST_DUE),
        menu("1C5", "borrowing", Borrow)),
    step("1D", "last turn's reserve markers come off"),
    menu("1E", "do admirals leave play", LoseLeader, when=options.admirals, rolls="1d6"),
    menu("1F", "missions of tugs and transports", AssignMission),
    menu("1G", "expeditionary fleets", Designate),
    menu("1H", "support lines and Forward Defense Units", Support))

# --- phase 2 ----------------------------------------------------------------------------------------------------------

SHIPYARD = head("2", "shipyard",
    head("2A", "repair",
        step("2A1", "supply for repairs", ACTIVE, CheckSupply),
        menu("2A2", "repairs are paid", Repair),
        menu("2A3", "bases are repaired", Repair, AssignMission),
        step("2A4", "repaired units are flipped")),
    head("2B", "production",
        menu("2B1", "mothballed units", Activate),
        menu("2B2", "the 77th and the 23rd division", FormDivision),
        menu("2B3", "new units, conversions, bases, colonies, police, shipyards, depot", Build, Convert, Depot,
             Colony, CallPolice, Construct, AssignMission),
        menu("2B4", "fighters, PFs and GCEs", Replace),
        menu("2B5", "modular ships", Convert),
        menu("2B6", "admirals and generals", TransferLeader, NewLeader, when=options.admirals),
        menu("2B7", "missions, decoys, colonies announced, Prime Teams", AssignMission, AssignDecoy, Pool,
             Colony, Defend),
        step("2B8", "the Swarm", KLINGONS, Swarm, when=options.swarm, need="optional", rolls="1d6"),
        step("2B9", "places of special fighters", FEDERATION, Squadrons, when=options.special_fighters,
             need="optional"),
        step("2B10", "battleships", AUTHORIZED, Battleship, need="optional"),
        step("2B11", "scuttling", PLAYERS, Scuttle, need="optional")))  # A10

# --- phase 3A ---------------------------------------------------------------------------------------------------------

RAIDS = head("3A", "raids", options.raids,
    head("3A-S1", "before the raids",
        menu("3A-1A", "the Raid Pool", Pool, TransferLeader),
        menu("3A-1B", "sabotage and infiltration", Resist)),
    head("3A-S2", "normal raids",
        step("3A-2A", "sabotage and infiltration are rolled", ACTIVE, Resist, needs=~RESISTANCE_WAITS,
             need="optional", rolls="1d6"),
        menu("3A-2B", "raiders go to their targets", Raid),
        step("3A-2C", "reaction or police", RAIDED, AnswerRaid, when=RAIDS_OUT, need="optional"),
        step("3A-2D", "who fights the raiders", RAIDED, Fighters, when=RAIDS_OUT, needs=~FIGHTERS_UNNAMED,
             need="conditional"),
        step("3A-2E", "one round of small-scale combat", (MEETING, ACTIVE), Skirmish, Suffer,
             when=RAIDS_OUT & RAIDERS_MET, needs=~ROUND_DUE & ~ROUND_AWAITED, need="conditional", rolls="1d6"),
        step("3A-2F", "raiders sent back", ACTIVE, Recall, when=RAIDERS_HURT, needs=~RAIDERS_HURT,
             need="conditional"),
        step("3A-2G", "reacting ships retreat", MEETING, MoveUnits, when=FORCED_BACK, needs=~FORCED_BACK,
             need="conditional"),
        step("3A-2H", "disruption or alternate attack", ACTIVE, Disrupt, when=RAIDS_OUT, need="conditional"),
        step("3A-2J", "raiders return to the pool", ACTIVE, Recall, when=RAIDS_OUT, needs=~RAIDS_OUT)),
    head("3A-S3", "special raids",
        menu("3A-3A", "special raiders", Raid),
        step("3A-3B", "to their hexes", ACTIVE, Raid, when=SPECIALS_OUT | SPECIAL_STAYS, needs=~SPECIAL_STAYS),
        step("3A-3C", "reaction or police", RAIDED, AnswerRaid, when=SPECIALS_OUT, need="optional"),
        step("3A-3D", "drone raids are paid", ACTIVE, PayRaid, when=DRONES_OUT, needs=~DRONES_COST),
        step("3A-3E", "the special raids, at BIR 4", (ACTIVE, MEETING), Skirmish, Suffer, CarryPoints,
             when=SPECIALS_OUT, needs=~ROUND_DUE & ~ROUND_AWAITED, rolls="1d6"),
        step("3A-3F", "where drone ships are intercepted", RAIDED, InterceptAt, when=DRONES_OUT,
             answers=(Answer("intercept", when=INTERCEPTION_NAMED),
                      Answer("let go", to="3A-3J"))),
        step("3A-3G", "the group, and its die", RAIDED, InterceptAt, RollIntercept, rolls="1d6",
             when=chose("3A-3F", "intercept"),
             answers=(Answer("success", by_dice=True), Answer("failure", to="3A-3J", by_dice=True))),
        step("3A-3H", "the interception, drone raiders at half", (MEETING, ACTIVE), Skirmish, Suffer,
             when=chose("3A-3G", "success"), needs=~ROUND_DUE & ~ROUND_AWAITED, need="conditional", rolls="1d6"),
        step("3A-3J", "special raiders return", ACTIVE, Recall, when=SPECIALS_OUT, needs=~SPECIALS_OUT),
        menu("3A-3K", "rebellions", Resist, rolls="1d6")),
    head("3A-S4", "blockade runs",
        menu("3A-4A", "blockade runners", Raid),
        menu("3A-4B", "their cargo", Load, when=RUNNER_STAYS),
        step("3A-4C", "to the target hex", ACTIVE, Raid, when=RUNNER_STAYS, needs=~RUNNER_STAYS, need="optional"),
        step("3A-4D", "one attempt on the way in", NONPHASING, RollIntercept, when=RUNNERS_OUT, need="optional",
             rolls="1d6"),
        step("3A-4E", "one round of small-scale combat", (NONPHASING, ACTIVE), Skirmish, Suffer, when=CAUGHT_IN,
             needs=~ROUND_DUE & ~ROUND_AWAITED, need="conditional", rolls="1d6"),
        step("3A-4F", "back to the pool, or on", ACTIVE, Recall, when=HURT_IN, need="conditional"),
        step("3A-4G", "interceptors retreat", NONPHASING, MoveUnits, when=FORCED_BACK, needs=~FORCED_BACK,
             need="conditional"),
        step("3A-4H", "cargo, or staying there", ACTIVE, Load, Stay, when=RUNNERS_OUT, need="conditional"),
        step("3A-4J", "on the way back", ACTIVE, Raid, when=RUNNERS_OUT, need="conditional"),
        step("3A-4K", "one attempt on the way out", NONPHASING, RollIntercept, when=RUNNERS_OUT & UNTRIED,
             need="optional", rolls="1d6"),
        step("3A-4L", "one round of small-scale combat", (NONPHASING, ACTIVE), Skirmish, Suffer, when=CAUGHT_OUT,
             needs=~ROUND_DUE & ~ROUND_AWAITED, need="conditional", rolls="1d6"),
        step("3A-4M", "back to the pool, or on", ACTIVE, Recall, when=HURT_OUT, need="conditional"),
        step("3A-4N", "interceptors retreat", NONPHASING, MoveUnits, when=FORCED_BACK, needs=~FORCED_BACK,
             need="conditional"),
        step("3A-4P", "runners return to the pool", ACTIVE, Recall, when=RUNNERS_OUT, needs=~RUNNERS_OUT),
        menu("3A-4Q", "ships sold to the WYN", SellShip, when=options.wyn)),
    head("3A-S5", "after the raids",
        menu("3A-5A", "casualties into the depot", Depot, when=options.depot_repair),
        menu("3A-5B", "ships that did not raid leave the pool", Pool),
        menu("3A-5C", "crippled raiders to the capital", Pool, when=RAIDER_CRIPPLED)),
    head("3A-S6", "pacification stations", options.pacification,
        menu("3A-6A", "a station is emplaced", Emplace, when=MAY_EMPLACE),
        step("3A-6B", "the enemy withdraws, uncontested", "in_station_hexes", MoveUnits, need="optional"),
        step("3A-6C", "is there another one", ACTIVE,
             answers=(Answer("another", to="3A-6A", when=MAY_EMPLACE), Answer("no more"))),
        menu("3A-6D", "Battle Forces to the stations", MoveUnits)))

# --- phases 3B and 4 --------------------------------------------------------------------------------------------------
# Reactions are open during the moves that they answer. Reserves belong to the non-phasing side; phasing X-ships may
# react (A9).

MOVEMENT = head("3B", "operational movement",
    step("3B1", "supply for movement", ACTIVE, CheckSupply),
    Together("3B2/3B3", "movement and reactions", steps=(
        menu("3B2", "movement, modules, WYN trade", MoveUnits, Reconfigure, AssignMission, Trade, React,
             also=NONPHASING, first_come="enemies react while the active side moves"),
        step("3B3", "reaction movement", NONPHASING, React, need="optional"))),
    menu("3B4", "ships sold to the WYN", SellShip, when=options.wyn),
    menu("3B5", "first payments for colonies", Colony, when=options.colonies),
    menu("3B6", "mobile bases, PDUs and modules are begun", Deploy))

X_SHIPS_REACT = "X-ships react while reserves move"
RESERVES = head("4", "reserve movement",
    step("4A", "TRFs are formed and move, one after another", NONPHASING, FormReserve, MoveReserve, React, also=ACTIVE,
         when=options.tactical_reserves, needs=~FORCE_WAITS, need="repeat", first_come=X_SHIPS_REACT),
    Each("4B/fleet", "Reserve Fleet", of="reserve_fleets", by=NONPHASING, steps=(
        step("4B", "a Reserve Fleet moves", FLEET_OWNER, MoveReserve, React, also=ACTIVE, need="repeat",
             first_come=X_SHIPS_REACT),)))

# --- phases 6 to 10 ---------------------------------------------------------------------------------------------------

RETROGRADE = head("6", "retrograde movement",
    step("6A", "supply for retrograde", PLAYERS, CheckSupply),
    menu("6B", "independent GCEs", PlaceGce, when=options.ground_combat),
    step("6C", "groups are dissolved", (ACTIVE, "others_in_groups"), Dissolve, need="optional"),
    head("6D", "retrograde",
        step("6D1", "tactical retrograde of the non-phasing side", NONPHASING, Retrograde, need="optional"),
        menu("6D2", "retrograde of the phasing side", Retrograde),
        step("6D3", "non-phasing X-ships", "nonphasing_x", Retrograde, when=options.x_ships, need="optional")),
    step("6E", "fighters and PFs, by all", PLAYERS, Replace, need="optional"),
    step("6F", "pods of crippled tugs", (ACTIVE, "others_with_pods"), SendPods, need="optional"),
    menu("6G", "divisions are disbanded", DisbandDivision))

REPAIRS = head("7", "field repairs",
    step("7A", "supply for field repairs", ACTIVE, CheckSupply),
    menu("7B", "repair ships are deployed", DeployRepair, AssignMission),
    menu("7C", "repairs, each within one empire", FieldRepair),
    step("7D", "repair ships and tugs leave"))

STRATEGIC = head("8", "strategic movement",
    menu("8A", "strategic movement, one admiral or general", MoveUnits, TransferLeader, AssignMission),
    menu("8B", "pods of expeditionary fleets", ExchangePods),
    menu("8C", "mobile bases, PDUs and modules are begun", Deploy))

MARKING = head("9", "reserves are set",
    menu("9A", "reserve markers", FormReserve, AssignMission),
    menu("9B", "admirals and generals change ships", TransferLeader, when=options.admirals))

FINAL = head("10", "final activity",
    menu("10A", "colonies are established", Colony, when=options.colonies),
    step("10B", "WYN transfer funds arrive", when=options.wyn & FUNDS_DUE),
    step("10C", "transport missions, by all", PLAYERS, AssignMission, need="optional"),
    step("10D", "scuttling, by all", PLAYERS, Scuttle, need="optional"))

# --- phase 11, once a game turn ---------------------------------------------------------------------------------------

PIRATES = head("11", "Orion pirates", options.orions,
    step("11A", "ships out for piracy come home"),
    step("11B", "leases end"),
    head("11C", "Orion shipyard",
        step("11C1", "repairs", ORIONS, OrionRepair, need="optional"),
        step("11C2", "new ships", ORIONS, Build, need="optional")),
    step("11D", "bribes are offered", PLAYERS, Bribe, need="optional"),
    step("11E", "bribes are accepted", ORIONS, AcceptBribe, need="optional"),
    step("11F", "ships for lease", ORIONS, OfferLease, need="optional"),
    step("11G", "bids, and the ships go to the fleets", PLAYERS, SealBid, Lease,
         needs=~BIDS_MISSING & ~SHIP_WON & ~BIDS_AWAITED, secret=True),
    step("11H", "piracy", ORIONS, Pirate, need="optional"))

SEQUENCE = Sequence(
    steps=(Rounds("turn", "game turn", counts_turns=True, steps=(
        Each("player-turn", "player turn", of="player_turns", steps=(
            ECONOMICS, SHIPYARD, head("3", "operations", RAIDS, MOVEMENT), RESERVES, COMBAT, RETROGRADE, REPAIRS,
            STRATEGIC, MARKING, FINAL,
            Step("END-PT", "the player turn is over"))),
        PIRATES,
        Step("END-SOP", "the turn marker advances", then=(Go(END, when=WAR_IS_OVER),)))),),
    procedures=(PURSUIT,))
# fmt: on
