"""Define the sequence of play of Pacific War, chapter 5.0, for Strategic and Campaign scenarios.

The printed letters repeat (5.1.O is bidding, 5.2.O moves the Day marker) and the heading levels are inconsistent. So
each label contains its chapter; a part of a printed phase follows a slash. The procedures are not part of the main
sequence: the instants at the end of this file call them.
"""

from typing import Any

from umpire_ledger.domain.titles.pacific_war.activation import Activate, Deactivate, PayTime, SetLevel
from umpire_ledger.domain.titles.pacific_war.bidding import BreakTie, ClaimOperation, MakeBid
from umpire_ledger.domain.titles.pacific_war.combat import Attack
from umpire_ledger.domain.titles.pacific_war.command import AllocatePoints, ReceivePoints
from umpire_ledger.domain.titles.pacific_war.conditions import (
    ADVANTAGE_IS_OPEN,
    ALL_VANISHED,
    ATTRITION_IS_OPEN,
    BID_IS_OPEN,
    CAN_REACT,
    CASE_A,
    CASE_B,
    CASE_C,
    CASE_D,
    CLAIM_IS_OPEN,
    CLOSING_CYCLE,
    CONDITION_IS_HIDDEN,
    CONDITION_IS_OPEN,
    COUNT_IS_OPEN,
    DAMAGE_IS_UNCOUNTED,
    FINAL_OPERATION,
    HAS_BOMBERS,
    HAS_ESCORTS,
    HAS_WEATHER,
    IS_CLAIMED,
    ISOLATION_IS_OPEN,
    LAST_MONTH,
    LEVEL_IS_OPEN,
    LIGHTING_IS_OPEN,
    LINKS_ARE_UNPAID,
    MISSION_IS_LAUNCHED,
    MONTH_ENTERED,
    MONTH_IS_OVER,
    MONTH_PASSED,
    NOBODY_BID,
    NOBODY_IS_ACTIVATED,
    OPERATION_IS_OVER,
    PENALTY_IS_DUE,
    POINTS_ARE_OPEN,
    PRIORITY_IS_OPEN,
    SEALED_BIDS,
    STRATEGIC,
    STRIKE_IS_OPEN,
    SURPRISE_LASTS,
    TIE_IS_OPEN,
    TIED,
    WEATHER,
    has_movers,
    on_track,
)
from umpire_ledger.domain.titles.pacific_war.cycle import Demolish, DetermineBattle, Rally, RollAdvantage, RollLighting
from umpire_ledger.domain.titles.pacific_war.flying import LaunchMission, Paradrop
from umpire_ledger.domain.titles.pacific_war.forces import (
    AllocateSubmarines,
    BuildCommand,
    PayLink,
    PlaceOsb,
    PlacePatrol,
    Reinforce,
    RepairBase,
    RepairShip,
    ReplaceSteps,
)
from umpire_ledger.domain.titles.pacific_war.intelligence import (
    DetermineCondition,
    DetermineLevel,
    ForceEnd,
    RevealCondition,
)
from umpire_ledger.domain.titles.pacific_war.movement import (
    AdvanceDay,
    Disembark,
    Embark,
    FormTaskForce,
    Search,
    Undetect,
)
from umpire_ledger.domain.titles.pacific_war.operation import CountDamage
from umpire_ledger.domain.titles.pacific_war.pieces import ALLIES, JAPAN
from umpire_ledger.domain.titles.pacific_war.regroup import BreakDown, IsolationPenalty, Recombine
from umpire_ledger.domain.titles.pacific_war.returning import BringBack
from umpire_ledger.domain.titles.pacific_war.shipping import (
    AllocateEscorts,
    BombHomeland,
    CountAttrition,
    RollWeather,
    SetPriority,
)
from umpire_ledger.kit import (
    BACK,
    EACH,
    END,
    Answer,
    Change,
    Each,
    Go,
    Heading,
    Instant,
    Move,
    Pay,
    Place,
    Remove,
    Roll,
    Rounds,
    Sequence,
    Step,
    Together,
    Touch,
    chose,
    given,
    inside,
    suspended,
)

OPERATION_PLAYER, REACTION_PLAYER = "operation_player", "reaction_player"
ADVANTAGE, DISADVANTAGE = "advantage_player", "disadvantage_player"

RECORD = (Roll, Change, Remove)
"""Orders to record results of chapters that are not available."""
LOSSES = Touch(attributes=("hits", "steps", "broken", "interdicted", "linked"))
"""Attributes that record losses of a side's own units, by the printed tables."""
ISOLATION = Touch(attributes=("isolated", "broken"))
REFIT = Touch(attributes=("status", "strength"))
ENGINEERING = Touch(attributes=("hits", "interdicted", "linked", "demolished"), accounts=("points/*",))
REPAIR = Touch(attributes=("hits", "interdicted"))
# Reasons why orders of several sides take effect in the order in which they arrive.
SUNK_ON_THE_WAY = "a crippled ship is attacked after it has moved, and one that is sunk moves no farther"
SEARCHED_WHILE_THERE = (
    "a Task Force that its owner records as lost cannot be found; the last side that searches ends the step"
)
ATTACKED_WHILE_THERE = (
    "a unit that its owner records as lost neither attacks nor is attacked; the last side that attacks ends the step"
)
STRUCK_WHILE_THERE = (
    "the other side only records losses: a unit recorded as lost cannot be attacked; the side that flies ends the step"
)

# fmt: off
# --- 5.1: once a month ------------------------------------------------------------------------------------------------

A_TO_F = (
    Step("5.1.A", "weather", by=EACH, when=STRATEGIC & WEATHER & HAS_WEATHER, allows=(RollWeather, Roll),
         need="optional", rules=("6.0",), rolls="weather"),
    Step("5.1.B", "Strategic Intelligence", by=EACH, allows=(DetermineLevel,), needs=~LEVEL_IS_OPEN, secret=True,
         rules=("7.0", "9.0"), rolls="strategic-intelligence"),
    Step("5.1.C", "Strategic Bombing", by=ALLIES, when=STRATEGIC & HAS_BOMBERS, allows=(BombHomeland,),
         need="optional", rules=("8.0",), rolls="strategic-bombing"),
    Step("5.1.D", "Japanese escorts", by=JAPAN, when=STRATEGIC & HAS_ESCORTS, allows=(AllocateEscorts,),
         need="optional", rules=("9.1",)),
    Step("5.1.E", "what Allied submarines are after", by=ALLIES, when=STRATEGIC, allows=(SetPriority,),
         needs=~PRIORITY_IS_OPEN, rules=("9.2",)),
    # The Allies roll, because the roll would reveal their level; both sides see the losses.
    Step("5.1.F", "merchant shipping attrition", by=ALLIES, when=STRATEGIC, allows=(CountAttrition, Roll),
         needs=~ATTRITION_IS_OPEN, secret=True, rules=("7.0", "9.3"), rolls="merchant-attrition"),
)

COMMAND_POINTS = Heading("5.1.G", "Command Points", rules=("10.0", "10.3", "10.4"), steps=(
    Step("5.1.G/unused", "what was not used last month", rules=("10.0",)),
    Step("5.1.G/table", "by the Command Point Tables", by=EACH, when=STRATEGIC, allows=(ReceivePoints,),
         needs=~POINTS_ARE_OPEN,
         rules=("10.0",), rolls="command-points"),
    Step("5.1.G/assigned", "as the scenario assigns them", when=~STRATEGIC, rules=("10.0",)),
    Step("5.1.G/allocate", "to headquarters and Future Operation Pools", by="allocators", allows=(AllocatePoints,),
         need="optional", rules=("10.3", "10.4")),
))

H_TO_N = (
    Step("5.1.H", "isolation penalties", by=EACH, when=on_track("5.1.H"),
         allows=(IsolationPenalty, Roll, Change), touches=ISOLATION,
         needs=~PENALTY_IS_DUE & ~ISOLATION_IS_OPEN, rules=("12.0",)),
    Step("5.1.I", "Strategic Transport", by="transporters", when=on_track("5.1.I"), allows=(Move, Attack, Roll),
         need="optional", first_come=SUNK_ON_THE_WAY, rules=("13.0", "13.2.5"), rolls="submarine-combat"),
    # Points and steps arrive here, and patrols leave in 5.1.N, even if no side has anything to do.
    Step("5.1.J/arrivals", "the month's points and steps arrive", when=on_track("5.1.J"), rules=("14.0",)),
    Step("5.1.J", "reinforcements", by="owners_of_reinforcements", when=on_track("5.1.J"), needs=~LINKS_ARE_UNPAID,
         allows=(Reinforce, BringBack, AllocateSubmarines, BuildCommand, PayLink, Remove),
         rules=("14.0", "15.0", "11.2.1.3", "20.2.3.F", "14.6", "14.1", "14.2", "11.7")),
    Step("5.1.K", "naval repair", by="repairers", when=on_track("5.1.K"),
         allows=(RepairShip, Recombine, Roll), need="optional", rules=("15.0", "15.2.3", "15.1")),
    Step("5.1.L", "replacements", by="owners_of_replacements", when=on_track("5.1.L"),
         allows=(ReplaceSteps, Recombine, BreakDown, Place, Roll, Change), touches=REFIT, need="optional",
         rules=("16.0", "16.9", "16.3.4", "16.5", "15.2.4")),
    Step("5.1.M", "engineering", by=EACH, when=on_track("5.1.M"),
         allows=(RepairBase, PlaceOsb, Place, Pay, Roll, Change), touches=ENGINEERING, need="optional",
         rules=("17.1.A", "11.3.1", "17.0")),
    Step("5.1.N/removal", "all patrols leave the map", when=on_track("5.1.N"), rules=("25.0",)),
    Step("5.1.N", "Submarine Patrols", by="payers_of_patrols", when=on_track("5.1.N"), allows=(PlacePatrol,),
         rules=("25.0",)),
)

# --- 5.1: once an operation -------------------------------------------------------------------------------------------

OPERATION_PLAYER_DETERMINATION = Heading("5.1.O", "who is the Operation player", steps=(
    Step("5.1.O/claim", "the last Reaction player may claim it", by="claimant", when=CLAIM_IS_OPEN,
         allows=(ClaimOperation,), then=(Go("5.1.O/player", when=IS_CLAIMED),), need="conditional", rules=("5.4",)),
    Step("5.1.O/bid", "both bid Command Points", by=EACH, when=SEALED_BIDS, allows=(MakeBid,), needs=~BID_IS_OPEN,
         rules=("18.0",)),
    Step("5.1.O/bid-openly", "both bid Command Points, one after the other", by=EACH, in_turn=True, when=~SEALED_BIDS,
         allows=(MakeBid,), needs=~BID_IS_OPEN, rules=("18.0",)),
    Step("5.1.O/open", "the bids are laid open", rules=("18.0",)),
    Step("5.1.O/tie", "tied bids", by=EACH, when=TIED, allows=(BreakTie,), needs=~TIE_IS_OPEN, need="conditional",
         rules=("18.0",), rolls="tied-bids"),
    Step("5.1.O/player", "the Operation player receives a free Offensive Support Base", rules=("20.0", "11.3.1")),
), rules=("18.0", "20.0", "11.3.1"))

# The printed text cites 20.2.5 for Time multiples and for the cost of a headquarters.
ACTIVATION = Heading("5.1.P", "the Operation player activates", rules=("18.0", "20.1", "20.2.5"), steps=(
    Step("5.1.P/activate", "units, time and headquarters are paid for", by=OPERATION_PLAYER,
         allows=(Activate, PayTime, SetLevel, PlaceOsb, FormTaskForce), rules=("20.1", "20.2.5")),
    Step("5.1.P/launch", "the operation is under way"),
))

INTELLIGENCE = Step("5.1.Q", "Operational Intelligence", by=REACTION_PLAYER, allows=(DetermineCondition,),
                    needs=~CONDITION_IS_OPEN,
                    secret=True, rules=("21.0",), rolls="operational-intelligence")

# The Reaction player reveals the Condition at any time in R; the step of that player stays open until then.
CONTACT = Together("5.1.R", "the Operation player's contact", rules=("23.4", "24.0", "23.5"), steps=(
    Step("5.1.R/move", "the Operation player moves, and days pass", by=OPERATION_PLAYER, rules=("23.4",),
         allows=(Move, AdvanceDay, FormTaskForce, Embark, Disembark)),
    Step("5.1.R/search", "both search", by="searchers_beside_operation_player", also=EACH,
         allows=(Search, *RECORD), touches=LOSSES, need="optional", first_come=SEARCHED_WHILE_THERE,
         rules=("24.0",), rolls="search"),
    Step("5.1.R/condition", "the Condition is revealed and may end the phase", by=REACTION_PLAYER,
         allows=(RevealCondition, ForceEnd), needs=~CONDITION_IS_HIDDEN, then=(Go("5.1.S", when=given(ForceEnd)),),
         rules=("23.5",)),
))

REACTION = Step("5.1.S", "the Reaction player activates", by=REACTION_PLAYER, when=CAN_REACT,
                allows=(Activate, FormTaskForce), need="optional", rules=("22.0", "20.3", "20.2.5"))

REACTION_CONTACT = Together("5.1.T", "the Reaction player's contact", rules=("23.5.1", "24.0", "22.0"), steps=(
    Step("5.1.T/move", "the Reaction player moves a limited distance", by=REACTION_PLAYER,
         when=has_movers(REACTION_PLAYER), rules=("23.5.1", "22.0"), allows=(Move, FormTaskForce, Embark, Disembark)),
    Step("5.1.T/search", "both search", by="searchers_beside_reaction_player", also=EACH,
         allows=(Search, *RECORD), touches=LOSSES, need="optional", first_come=SEARCHED_WHILE_THERE,
         rules=("24.0",), rolls="search"),
))

# --- 5.2: the battle cycle, again and again ---------------------------------------------------------------------------


def movement(label: str, name: str, mover: str) -> Together:
    """Return 5.2.C or 5.2.K: searches and submarine combat in parallel with the movement of one side."""
    return Together(label, name, rules=("23.6", "34.1", "34.2", "25.2", "24.0"), steps=(
        Step(f"{label}/move", "ground and naval units move, embark and disembark", by=mover, need="optional",
             when=has_movers(mover.removesuffix("_player")), allows=(Move, Embark, Disembark, FormTaskForce),
             rules=("23.6",)),
        Step(f"{label}/search", "both search", by=f"searchers_beside_{mover}", allows=(Search, Roll), need="optional",
             rules=("24.0",), rolls="search"),
        Step(f"{label}/submarines", "submarine combat", by=f"owners_of_patrols_beside_{mover}", also=EACH,
             first_come=ATTACKED_WHILE_THERE, allows=(Attack, *RECORD), touches=LOSSES, need="optional",
             rules=("25.2",), rolls="submarine-combat"),
    ))


def missions(label: str, name: str, flyer: str, other: str, **more: Any) -> Step:
    """Return 5.2.D or 5.2.L: the missions of one side. The other side records losses and may interfere."""
    return Step(label, name, by=f"flying_{flyer}", also=other, touches=LOSSES, need="optional", rolls="air-combat",
                first_come=STRUCK_WHILE_THERE, allows=(LaunchMission, Attack, Paradrop, Move, *RECORD), **more)


def naval_combat(number: int) -> tuple[Step, ...]:
    """Return one phase of 5.2.E.b: the side with Surprise fires first; then all other ships fire at the same time.

    Ships that have their last hit still fire, because they sink at the end of the phase.
    """
    label, late = f"5.2.E.b/{number}", "" if number == 1 else "_later"
    fire: dict[str, Any] = {"allows": (Attack, *RECORD), "touches": LOSSES, "rules": ("29.2",), "rolls": "naval-combat"}
    return (
        Step(f"{label}/surprise", "who has Surprise fires first", by="surprising", need="conditional",
             when=SURPRISE_LASTS if number > 1 else None, **fire),
        Step(label, f"naval combat phase {number}", by=f"yet_to_fire{late}", need="conditional", **fire),
        Step(f"{label}/losses", "ships with their last hit sink", rules=("29.2",)),
    )


NAVAL_BATTLES = Each("5.2.E", "naval battle", of="battle_hexes", by=EACH, steps=(
    Step("5.2.E.a", "is there combat, and who has Surprise", by=EACH, allows=(DetermineBattle,),
         answers=(Answer("combat", by_dice=True), Answer("no combat", by_dice=True)), rules=("29.1",),
         rolls="naval-battle"),
    Heading("5.2.E.b", "naval combat", when=chose("5.2.E.a", "combat"), rules=("29.2",), steps=(
        *naval_combat(1), *naval_combat(2), *naval_combat(3),
    )),
))

BATTLE_CYCLE = Rounds("5.2", "battle cycle", steps=(
    Step("5.2.A", "lighting", by=EACH, allows=(RollLighting, Roll),
         needs=~LIGHTING_IS_OPEN, rules=("26.0",), rolls="lighting"),
    Step("5.2.B", "advantage", by=EACH, allows=(RollAdvantage,),
         needs=~ADVANTAGE_IS_OPEN, rules=("27.0",), rolls="advantage"),
    movement("5.2.C", "the Advantage player moves", ADVANTAGE),
    missions("5.2.D", "the Advantage player's air missions", ADVANTAGE, DISADVANTAGE, rules=("28.0", "28.12", "28.14")),
    NAVAL_BATTLES,
    Step("5.2.F", "bombardment", by="bombarders", also=EACH, first_come=ATTACKED_WHILE_THERE, allows=(Attack, *RECORD),
         touches=LOSSES, need="optional",
         rules=("29.3",), rolls="bombardment"),
    Step("5.2.G", "demolition", by="demolishers", allows=(Demolish, Roll), need="optional", rules=("30.0",)),
    Step("5.2.H", "ground combat", by="fighters_on_land", allows=(Attack, *RECORD), touches=LOSSES, need="optional",
         rules=("31.0",), rolls="ground-combat"),
    Step("5.2.H/losses", "ground units without steps are lost", rules=("31.0",)),
    Step("5.2.H/retreat", "ground units that fought may retreat", by="owners_of_retreating", in_turn=True,
         allows=(Move,), need="optional", rules=("31.0",)),
    Step("5.2.I", "airbase repair", by="owners_of_damaged_airbases", allows=(RepairBase, Roll, Change),
         touches=REPAIR, need="optional",
         rules=("2.3.2.1", "31.7")),
    Step("5.2.J", "rally", by="owners_of_broken", allows=(Rally, Roll), need="optional", rules=("12.2", "31.8"),
         rolls="rally"),
    movement("5.2.K", "the Disadvantage player moves", DISADVANTAGE),
    missions("5.2.L", "the Disadvantage player's air missions", DISADVANTAGE, ADVANTAGE, rules=("28.0",)),
    Step("5.2.M", "activation and deactivation", by="activators", allows=(Activate, Deactivate), need="optional",
         rules=("20.4", "20.5", "32.0")),
    Step("5.2.N", "detection is removed", by="owners_of_detected", allows=(Undetect,), need="optional",
         rules=("32.2",)),
    # The marker never moves twice: if the operation is over, play goes from here to the end of 5.3.
    Step("5.2.O", "the Day marker goes two days on", then=(Go("5.3", when=OPERATION_IS_OVER),), rules=("32.3",)),
))


def mission(label: str, flyer: str, other: str) -> Heading:
    """Return the part of 5.2.D or 5.2.L in which the other side may interfere before a mission is resolved."""
    return Heading(f"{label}/28.0", "a mission is flown", steps=(
        Step(f"{label}/28.0/interfere", "the other side may interfere", by=f"interfering_{other}",
             allows=(Attack, *RECORD), touches=LOSSES, need="optional", rules=("28.0",), rolls="air-combat"),
        Step(f"{label}/28.0/strike", "the mission is resolved", by=f"on_mission_{flyer}", also=other,
             first_come=STRUCK_WHILE_THERE, allows=(Attack, Paradrop, *RECORD), touches=LOSSES, need="optional",
             rules=("28.0",), rolls="air-combat"),
        Step(f"{label}/28.0/over", "the mission is over"),
    ))


def simultaneous_strike(label: str, answers: str) -> Heading:
    """Return the part of 5.2.D or 5.2.L in which the other side strikes back when its carriers are attacked."""
    return Heading(f"{label}/28.12", "Simultaneous Strike", steps=(
        Step(f"{label}/28.12/strike", "the other side strikes at the same time", by=answers, allows=(Attack, *RECORD),
             touches=LOSSES, need="optional", rolls="air-combat"),
        Step(f"{label}/28.12/over", "the strike is over"),
    ))


# --- 5.3: an operation ends -------------------------------------------------------------------------------------------

OPERATION_END = Heading("5.3", "an operation ends", rules=("20.5", "19.3"), steps=(
    Step("5.3/over", "the operation is over", when=~OPERATION_IS_OVER, rules=("20.5",)),
    Step("5.3/damage", "both calculate the damage they inflicted", by=EACH, when=DAMAGE_IS_UNCOUNTED,
         allows=(CountDamage,), needs=~COUNT_IS_OPEN, rules=("19.3",)),
    Step("5.3/final", "was it the final operation", then=(Go(END, when=FINAL_OPERATION),)),
    # The recommended reading: complete the last cycle with 5.2.N and 5.2.O, unless the change of month ended it.
    Step("5.3/cycle", "is a battle cycle to be closed",
         then=(Go("5.2.N", when=CLOSING_CYCLE & suspended("5.2") & ~inside("5.4")),)),
    Step("5.3/a", "the month ends on the same day", when=MONTH_IS_OVER, then=(Go("5.4"),), need="conditional",
         rules=("5.1",)),
    Step("5.3/b", "days remain in the month", then=(Go("5.1.O"),), need="conditional", rules=("5.1",)),
))

# --- 5.4: a month ends ------------------------------------------------------------------------------------------------

MONTH_END = Heading("5.4", "a month ends", steps=(
    Heading("5.4/when", "why it ends", steps=(
        Step("5.4/when/a", "the Day marker entered Month Begin", when=MONTH_ENTERED, need="conditional"),
        Step("5.4/when/b", "the Day marker passed through Month Begin", when=MONTH_PASSED, need="conditional"),
        Step("5.4/when/c", "neither player bid", when=NOBODY_BID, need="conditional"),
    )),
    Step("5.4/suspend", "an operation in progress is suspended"),
    Step("5.4/gameend", "was it the last month", then=(Go(END, when=LAST_MONTH),)),
    Heading("5.4/restart", "the new month", rules=("5.1",), steps=(
        Step("5.4/restart/month", "the Month marker goes one space on", counts_turns=True),
        Step("5.4/restart/phases", "its phases A to N are played", runs=("5.1.A", "5.1.N")),
    )),
    Heading("5.4/resume", "where play goes on", steps=(
        Step("5.4/resume/left", "is a unit still activated", then=(Go("5.3", when=ALL_VANISHED),)),
        Step("5.4/resume/a", "the contact phase goes on", when=CASE_A, then=(Go(BACK),), need="conditional",
             rules=("5.1",)),
        Step("5.4/resume/b", "the operation is over", when=CASE_B, then=(Go("5.3"),), need="conditional",
             rules=("5.1",)),
        Step("5.4/resume/c", "the next battle cycle", when=CASE_C & suspended("5.2"), then=(Go("5.2.A"),),
             need="conditional", rules=("5.2",)),
        Step("5.4/resume/d", "the operation was over", when=CASE_D, then=(Go("5.1.O"),), need="conditional",
             rules=("5.1",)),
        Step("5.4/resume/o", "there was no operation", then=(Go("5.1.O"),), need="conditional"),
    )),
))

WHILE_IT_LASTS = ("5.1.P/launch", "5.1.Q", "5.1.R", "5.1.S", "5.1.T", "5.2")

SEQUENCE = Sequence(
    steps=(
        Step("5.0", "the first month begins", counts_turns=True),
        Heading("5.1", "strategic phases", steps=(
            *A_TO_F, COMMAND_POINTS, *H_TO_N,
            OPERATION_PLAYER_DETERMINATION, ACTIVATION, INTELLIGENCE, CONTACT, REACTION, REACTION_CONTACT,
        )),
        BATTLE_CYCLE,
    ),
    procedures=(
        OPERATION_END, MONTH_END,
        mission("5.2.D", ADVANTAGE, DISADVANTAGE), mission("5.2.L", DISADVANTAGE, ADVANTAGE),
        simultaneous_strike("5.2.D", DISADVANTAGE), simultaneous_strike("5.2.L", ADVANTAGE),
    ),
    instants=(
        Instant(name="the month ends", when=MONTH_IS_OVER & (NOBODY_BID | ~OPERATION_IS_OVER), to="5.4",
                during=("5.1.O", "5.1.R", "5.2.O"), rules=("5.4",)),
        Instant(name="a Simultaneous Strike may be launched", when=STRIKE_IS_OPEN, to="5.2.D/28.12",
                during=("5.2.D", "5.2.D/28.0"), rules=("28.12",)),
        Instant(name="a Simultaneous Strike may be launched", when=STRIKE_IS_OPEN, to="5.2.L/28.12",
                during=("5.2.L", "5.2.L/28.0"), rules=("28.12",)),
        Instant(name="a mission is launched", when=MISSION_IS_LAUNCHED, to="5.2.D/28.0", during=("5.2.D",),
                rules=("28.0",)),
        Instant(name="a mission is launched", when=MISSION_IS_LAUNCHED, to="5.2.L/28.0", during=("5.2.L",),
                rules=("28.0",)),
        Instant(name="the operation ends", when=NOBODY_IS_ACTIVATED, to="5.3",
                during=(*WHILE_IT_LASTS, "5.2.D/28.0", "5.2.L/28.0"),
                rules=("5.3", "20.5")),
    ),
)
# fmt: on
