"""The sequence of play 105.IW of Federation & Empire, updated for ISC WAR. Phase 5 is in `combat`.

Labels stand as printed; a step that had to be split has a slash, a loop that needs a place of its own likewise. Faults
of print that were mended: 5-7B leads to step 8 where «Step #» stands; the printed order of 1A3A to 1A3D is kept; 3A-4Q
and 3B4, 3B6 and 8C, 5-7D and 5-8L say nearly the same and are all visited.

Readings, each beside its step: A1 retreating units leave before rounds go on against their base · A2 a pursuit borrows
3X to 6, not 6X · A3 the approach offer is open after round 1 · A4 whoever is sent to step 7 enters at its top · A5 a
refused pinwheel battle is one round · A6 cripples that withdrew are pursued before the rest fights · A7 small-scale is
tested in round 1 · A8 a failed pursuit leaves out 5-8D and 5-8F · A9 phasing X-ships react to reserves · A10 both sides
scuttle in 2B11 · A11 a hex without one side is resolved · A12 Romulans record decoys phasing or not, and the scenario
says who is whose enemy · A13 without pinwheels play goes on at 5-3G; sabotage is announced in 3A-1B, rolled in 3A-2A.
"""

from umpire_ledger.domain.titles.federation_and_empire import economy as e
from umpire_ledger.domain.titles.federation_and_empire import interception as i
from umpire_ledger.domain.titles.federation_and_empire import missions as m
from umpire_ledger.domain.titles.federation_and_empire import moving as v
from umpire_ledger.domain.titles.federation_and_empire import options as x
from umpire_ledger.domain.titles.federation_and_empire import orions as o
from umpire_ledger.domain.titles.federation_and_empire import raids as r
from umpire_ledger.domain.titles.federation_and_empire import shipyard as s
from umpire_ledger.domain.titles.federation_and_empire.combat import COMBAT, PURSUIT, head, step
from umpire_ledger.kit import (
    ACTIVE,
    END,
    Answer,
    Choose,
    Condition,
    Each,
    Go,
    Order,
    Remove,
    Rounds,
    Sequence,
    Step,
    Together,
    chose,
    fact,
)

NONPHASING, PLAYERS, ORIONS, ROMULANS = "nonphasing", "players", "orions", "romulans"

interest_due = fact("interest_is_due", "interest that 1C2 stated is not paid")
raids_out = fact("raids_are_out", "a normal raider is out")
specials_out = fact("specials_are_out", "a special raider is out")
runners_out = fact("runners_are_out", "a blockade runner is out")
raiders_hurt = fact("raiders_are_hurt", "a raider is crippled or must retreat")
runners_hurt = fact("runners_are_hurt", "a runner is crippled or must retreat")
caught_in = fact("caught_in", "a runner was caught on its way in")
caught_out = fact("caught_out", "a runner was caught on its way out")
forced = fact("must_retreat", "a unit that answered a raid is forced to retreat")
untried = fact("untried", "no attempt was made on a runner")
force_waits = fact("force_waits", "a Tactical Reserve Force was formed and has not moved")
bids_missing = fact("bids_missing", "a ship is on offer, and there is no bid")
over = fact("war_is_over", "the last turn of the scenario is over")


def menu(label: str, name: str, *allows: type[Order], when: Condition | None = None, rolls: str = "") -> Step:
    """A step that the phasing side may use or not."""
    return step(label, name, ACTIVE, *allows, when=when, need="optional", rolls=rolls)


# fmt: off
# --- phase 1 ----------------------------------------------------------------------------------------------------------

ECONOMICS = head("1", "economics",
    head("1A", "planets and systems",
        step("1A1", "bases and PDUs that were begun work now"),
        step("1A2", "first check of supply, by both sides", PLAYERS, e.CheckSupply),
        head("1A3", "turns toward",
            menu("1A3A", "recovery of devastated planets", e.Count),
            menu("1A3B", "long term capture", e.Count),
            menu("1A3C", "annexation", e.Count, when=x.annexation),
            menu("1A3D", "diplomatic presence", e.Count, when=x.diplomacy))),
    menu("1B", "survey points, annexed provinces", e.Survey, e.Annex, m.LoseLeader, when=x.survey | x.annexation),
    head("1C", "economic status",
        menu("1C1", "overall debt", e.StateDebt),
        menu("1C2", "interest on it", e.StateInterest),
        menu("1C3", "income, grids, scrapping, exhaustion, diplomacy", e.Income, e.JoinGrid, e.Scrap, rolls="1d6"),
        step("1C4", "the interest of 1C2 is paid", ACTIVE, e.PayInterest, needs=~interest_due),
        menu("1C5", "borrowing", e.Borrow)),
    step("1D", "last turn's reserve markers come off"),
    menu("1E", "do admirals leave play", m.LoseLeader, when=x.admirals, rolls="1d6"),
    menu("1F", "missions of tugs and transports", m.AssignMission),
    menu("1G", "expeditionary fleets", m.Designate),
    menu("1H", "support lines and Forward Defense Units", m.Support))

# --- phase 2 ----------------------------------------------------------------------------------------------------------

SHIPYARD = head("2", "shipyard",
    head("2A", "repair",
        step("2A1", "supply for repairs", ACTIVE, e.CheckSupply),
        menu("2A2", "repairs are paid", s.Repair),
        menu("2A3", "bases are repaired", s.Repair, m.AssignMission),
        step("2A4", "repaired units are flipped")),
    head("2B", "production",
        menu("2B1", "mothballed units", s.Activate),
        menu("2B2", "the 77th and the 23rd division", s.FormDivision),
        menu("2B3", "new units, conversions, bases, colonies, police, shipyards, depot", s.Build, s.Convert, s.Depot,
             s.Colony, m.AssignMission, e.Spend),
        menu("2B4", "fighters, PFs and GCEs", s.Replace),
        menu("2B5", "modular ships", s.Convert),
        menu("2B6", "admirals and generals", m.TransferLeader, s.Build, when=x.admirals),
        menu("2B7", "missions, decoys, colonies announced, Prime Teams", m.AssignMission, m.AssignDecoy, r.Pool,
             s.Colony, m.Designate),
        menu("2B8", "the Swarm", s.Build, when=x.swarm, rolls="1d6"),
        menu("2B9", "places of special fighters", Choose, when=x.special_fighters),
        menu("2B10", "battleships", s.Battleship),
        step("2B11", "scuttling", PLAYERS, s.Scuttle, need="optional")))  # A10

# --- phase 3A ---------------------------------------------------------------------------------------------------------

RAIDS = head("3A", "raids", x.raids,
    head("3A-S1", "before the raids",
        menu("3A-1A", "the Raid Pool", r.Pool),
        menu("3A-1B", "sabotage and infiltration", r.Resist)),
    head("3A-S2", "normal raids",
        menu("3A-2A", "sabotage and infiltration are rolled", r.Resist, rolls="1d6"),
        menu("3A-2B", "raiders go to their targets", r.Raid),
        step("3A-2C", "reaction or police", NONPHASING, r.AnswerRaid, when=raids_out, need="optional"),
        step("3A-2D", "who fights the raiders", NONPHASING, r.Fighters, when=raids_out, need="conditional"),
        step("3A-2E", "one round of small-scale combat", (NONPHASING, ACTIVE), r.Skirmish, r.Suffer, when=raids_out,
             need="conditional", rolls="1d6"),
        step("3A-2F", "raiders sent back", ACTIVE, r.Recall, when=raiders_hurt, needs=~raiders_hurt,
             need="conditional"),
        step("3A-2G", "reacting ships retreat", NONPHASING, v.MoveUnits, when=forced, needs=~forced,
             need="conditional"),
        step("3A-2H", "disruption or alternate attack", ACTIVE, r.Disrupt, when=raids_out, need="conditional"),
        step("3A-2J", "raiders return to the pool", ACTIVE, r.Recall, when=raids_out, needs=~raids_out)),
    head("3A-S3", "special raids",
        menu("3A-3A", "special raiders", r.Raid),
        step("3A-3B", "to their hexes", ACTIVE, r.Raid, when=specials_out),
        step("3A-3C", "reaction or police", NONPHASING, r.AnswerRaid, when=specials_out, need="optional"),
        step("3A-3D", "drone raids are paid", ACTIVE, e.Spend, when=specials_out),
        step("3A-3E", "the special raids, at BIR 4", (ACTIVE, NONPHASING), r.Skirmish, r.Suffer, r.CarryPoints,
             when=specials_out, rolls="1d6"),
        step("3A-3F", "where drone ships are intercepted", NONPHASING, i.InterceptAt, when=specials_out,
             answers=(Answer("intercept", when=fact("interception_named", "a hex of interception is named")),
                      Answer("let go", to="3A-3J"))),
        step("3A-3G", "the group, and its die", NONPHASING, i.InterceptAt, i.RollIntercept, rolls="1d6",
             when=chose("3A-3F", "intercept"),
             answers=(Answer("success", by_dice=True), Answer("failure", to="3A-3J", by_dice=True))),
        step("3A-3H", "the interception, drone raiders at half", (NONPHASING, ACTIVE), r.Skirmish, r.Suffer,
             when=chose("3A-3G", "success"), need="conditional", rolls="1d6"),
        step("3A-3J", "special raiders return", ACTIVE, r.Recall, when=specials_out, needs=~specials_out),
        menu("3A-3K", "rebellions", r.Resist, rolls="1d6")),
    head("3A-S4", "blockade runs",
        menu("3A-4A", "blockade runners", r.Raid),
        menu("3A-4B", "their cargo", i.Load),
        menu("3A-4C", "to the target hex", r.Raid),
        step("3A-4D", "one attempt on the way in", NONPHASING, i.RollIntercept, when=runners_out, need="optional",
             rolls="1d6"),
        step("3A-4E", "one round of small-scale combat", (NONPHASING, ACTIVE), r.Skirmish, r.Suffer, when=caught_in,
             need="conditional", rolls="1d6"),
        step("3A-4F", "back to the pool, or on", ACTIVE, r.Recall, when=runners_hurt, need="conditional"),
        step("3A-4G", "interceptors retreat", NONPHASING, v.MoveUnits, when=forced, needs=~forced, need="conditional"),
        step("3A-4H", "cargo, or staying there", ACTIVE, i.Load, i.Stay, when=runners_out, need="conditional"),
        step("3A-4J", "on the way back", ACTIVE, r.Raid, when=runners_out, need="conditional"),
        step("3A-4K", "one attempt on the way out", NONPHASING, i.RollIntercept, when=runners_out & untried,
             need="optional", rolls="1d6"),
        step("3A-4L", "one round of small-scale combat", (NONPHASING, ACTIVE), r.Skirmish, r.Suffer, when=caught_out,
             need="conditional", rolls="1d6"),
        step("3A-4M", "back to the pool, or on", ACTIVE, r.Recall, when=runners_hurt, need="conditional"),
        step("3A-4N", "interceptors retreat", NONPHASING, v.MoveUnits, when=forced, needs=~forced, need="conditional"),
        step("3A-4P", "runners return to the pool", ACTIVE, r.Recall, i.Load, when=runners_out, needs=~runners_out),
        menu("3A-4Q", "ships sold to the WYN", e.Receive, Remove, when=x.wyn)),
    head("3A-S5", "after the raids",
        menu("3A-5A", "casualties into the depot", s.Depot, when=x.depot_repair),
        menu("3A-5B", "ships that did not raid leave the pool", r.Pool),
        menu("3A-5C", "crippled raiders to the capital", r.Pool)),
    head("3A-S6", "pacification stations", x.pacification,
        menu("3A-6A", "a station is emplaced", r.Emplace),
        step("3A-6B", "the enemy withdraws, uncontested", NONPHASING, v.MoveUnits, need="optional"),
        step("3A-6C", "is there another one", ACTIVE, answers=(Answer("another", to="3A-6A"), Answer("no more"))),
        menu("3A-6D", "Battle Forces to the stations", v.MoveUnits)))

# --- phases 3B and 4 --------------------------------------------------------------------------------------------------
# Reactions are open beside the moves that they answer. Reserves: the non-phasing side; phasing X-ships may react (A9).

MOVEMENT = head("3B", "operational movement",
    step("3B1", "supply for movement", ACTIVE, e.CheckSupply),
    Together("3B2/3B3", "movement and reactions", steps=(
        menu("3B2", "movement, modules, WYN trade", v.MoveUnits, s.Convert, m.AssignMission, e.Spend),
        step("3B3", "reaction movement", NONPHASING, v.React, need="optional"))),
    menu("3B4", "ships sold to the WYN", e.Receive, Remove, when=x.wyn),
    menu("3B5", "first payments for colonies", s.Colony, when=x.colonies),
    menu("3B6", "mobile bases, PDUs and modules are begun", s.Deploy))

RESERVES = head("4", "reserve movement",
    Rounds("4A/force", "one Tactical Reserve Force after another", when=x.tactical_reserves,
        until=chose("4A", "no more"), steps=(
               step("4A", "a TRF is formed and moves", NONPHASING, v.FormReserve, v.MoveReserve, v.React, also=ACTIVE,
                    needs=~force_waits, need="repeat", answers=(Answer("another"), Answer("no more"))),)),
    Each("4B/fleet", "Reserve Fleet", of="reserve_fleets", by=NONPHASING, steps=(
        step("4B", "a Reserve Fleet moves", NONPHASING, v.MoveReserve, v.React, also=ACTIVE, need="repeat"),)))

# --- phases 6 to 10 ---------------------------------------------------------------------------------------------------

RETROGRADE = head("6", "retrograde movement",
    step("6A", "supply for retrograde", PLAYERS, e.CheckSupply),
    menu("6B", "independent GCEs", s.Build, when=x.ground_combat),
    menu("6C", "groups are dissolved", v.Dissolve),
    head("6D", "retrograde",
        step("6D1", "tactical retrograde of the non-phasing side", NONPHASING, v.Retrograde, need="optional"),
        menu("6D2", "retrograde of the phasing side", v.Retrograde),
        step("6D3", "non-phasing X-ships", NONPHASING, v.Retrograde, when=x.x_ships, need="optional")),
    step("6E", "fighters and PFs, by all", PLAYERS, s.Replace, need="optional"),
    menu("6F", "pods of crippled tugs", m.Pods),
    menu("6G", "divisions are disbanded", s.DisbandDivision))

REPAIRS = head("7", "field repairs",
    step("7A", "supply for field repairs", ACTIVE, e.CheckSupply),
    menu("7B", "repair ships are deployed", v.DeployRepair, m.AssignMission),
    menu("7C", "repairs, each within one empire", v.FieldRepair),
    step("7D", "repair ships and tugs leave"))

STRATEGIC = head("8", "strategic movement",
    menu("8A", "strategic movement, one admiral or general", v.MoveUnits, m.TransferLeader, m.AssignMission),
    menu("8B", "pods of expeditionary fleets", m.Pods),
    menu("8C", "mobile bases, PDUs and modules are begun", s.Deploy))

MARKING = head("9", "reserves are set",
    menu("9A", "reserve markers", v.FormReserve, m.AssignMission),
    menu("9B", "admirals and generals change ships", m.TransferLeader, when=x.admirals))

FINAL = head("10", "final activity",
    menu("10A", "colonies are established", s.Colony, when=x.colonies),
    menu("10B", "WYN transfer funds", e.Receive, when=x.wyn),
    step("10C", "transport missions, by all", PLAYERS, m.AssignMission, need="optional"),
    step("10D", "scuttling, by all", PLAYERS, s.Scuttle, need="optional"))

# --- phase 11, once a game turn ---------------------------------------------------------------------------------------

PIRATES = head("11", "Orion pirates", x.orions,
    step("11A", "ships out for piracy come home"),
    step("11B", "leases end"),
    head("11C", "Orion shipyard",
        step("11C1", "repairs", ORIONS, o.OrionRepair, need="optional"),
        step("11C2", "new ships", ORIONS, s.Build, need="optional")),
    step("11D", "bribes are offered", PLAYERS, o.Bribe, need="optional"),
    step("11E", "bribes are accepted", ORIONS, o.AcceptBribe, need="optional"),
    step("11F", "ships for lease", ORIONS, o.OfferLease, need="optional"),
    step("11G", "bids, and the ships go to the fleets", PLAYERS, o.SealBid, o.Lease, needs=~bids_missing, secret=True),
    step("11H", "piracy", ORIONS, o.Pirate, need="optional"))

SEQUENCE = Sequence(
    steps=(Rounds("turn", "game turn", counts_turns=True, steps=(
        Each("player-turn", "player turn", of="player_turns", steps=(
            ECONOMICS, SHIPYARD, head("3", "operations", RAIDS, MOVEMENT), RESERVES, COMBAT, RETROGRADE, REPAIRS,
            STRATEGIC, MARKING, FINAL,
            Step("END-PT", "the player turn is over"))),
        PIRATES,
        Step("END-SOP", "the turn marker advances", then=(Go(END, when=over),)))),),
    procedures=(PURSUIT,))
# fmt: on
