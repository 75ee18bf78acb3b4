"""The sequence of play of Pacific War, chapter 5.0, for Strategic and Campaign scenarios.

Letters repeat in print (5.1.O is bidding, 5.2.O the Day Marker) and heading levels are broken, so labels are always
qualified; parts of a printed phase follow a slash. The two procedures stand off the main line: the engine calls them
at the instants that are declared at the end.
"""

from umpire_ledger.domain.titles.pacific_war.activation import Activate, Deactivate, PayTime, SetLevel
from umpire_ledger.domain.titles.pacific_war.bidding import BreakTie, ClaimOperation, MakeBid
from umpire_ledger.domain.titles.pacific_war.combat import Attack
from umpire_ledger.domain.titles.pacific_war.command import AllocatePoints, ReceivePoints
from umpire_ledger.domain.titles.pacific_war.cycle import (
    Demolish,
    DetermineBattle,
    Rally,
    RollAdvantage,
    RollLighting,
)
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
    chose,
    fact,
    given,
    inside,
    option,
    suspended,
)

OPERATION_PLAYER, REACTION_PLAYER = "operation_player", "reaction_player"
ADVANTAGE, DISADVANTAGE = "advantage_player", "disadvantage_player"

CITES = {
    "5.1.A": ("6.0",),
    "5.1.B": ("7.0", "9.0"),
    "5.1.C": ("8.0",),
    "5.1.D": ("9.1",),
    "5.1.E": ("9.2",),
    "5.1.F": ("7.0", "9.3"),
    "5.1.G": ("10.0", "10.3", "10.4"),
    "5.1.H": ("12.0",),
    "5.1.I": ("13.0", "13.2.5"),
    "5.1.J": ("14.0", "15.0", "11.2.1.3", "20.2.3.F", "14.6", "14.1", "14.2", "11.7"),
    "5.1.K": ("15.0", "15.2.3", "15.1"),
    "5.1.L": ("16.0", "16.9", "16.3.4", "16.5", "15.2.4"),
    "5.1.M": ("17.1.A", "11.3.1", "17.0"),
    "5.1.N": ("25.0",),
    "5.1.O": ("18.0", "20.0", "11.3.1"),
    "5.1.P": ("18.0", "20.1", "20.2.5"),
    "5.1.Q": ("21.0",),
    "5.1.R": ("23.4", "24.0", "23.5"),
    "5.1.S": ("22.0", "20.3", "20.2.5"),
    "5.1.T": ("23.5.1", "24.0", "22.0"),
    "5.2.A": ("26.0",),
    "5.2.B": ("27.0",),
    "5.2.C": ("23.6", "34.1", "34.2", "25.2", "24.0"),
    "5.2.D": ("28.0", "28.12", "28.14"),
    "5.2.E.a": ("29.1",),
    "5.2.E.b": ("29.2",),
    "5.2.F": ("29.3",),
    "5.2.G": ("30.0",),
    "5.2.H": ("31.0",),
    "5.2.I": ("2.3.2.1", "31.7"),
    "5.2.J": ("12.2", "31.8"),
    "5.2.K": ("23.6", "34.1", "34.2", "25.2", "24.0"),
    "5.2.L": ("28.0",),
    "5.2.M": ("20.4", "20.5", "32.0"),
    "5.2.N": ("32.2",),
    "5.2.O": ("32.3",),
    "5.3": ("20.5", "19.3"),
}
"""The rule numbers printed with each label; 20.2.5 stands there for Time multiples and for a headquarters' cost."""
PROCEDURES = (
    "5.3/a",
    "5.3/b",
    "5.4",
    "5.4/when",
    "5.4/when/a",
    "5.4/when/b",
    "5.4/when/c",
    "5.4/suspend",
    "5.4/gameend",
    "5.4/restart",
    "5.4/resume",
    "5.4/resume/a",
    "5.4/resume/b",
    "5.4/resume/c",
    "5.4/resume/d",
)
LABELS = ("5.0", "5.1", *CITES, "5.2", "5.2.E", *PROCEDURES)

# --- what is asked ----------------------------------------------------------------------------------------------------

strategic = fact("strategic", "this is a Strategic scenario", lasting=True)
weather = option("weather")
closing_cycle = option("closing_cycle")
due = fact("due", "what this phase determines is open")
priority_is_open = fact("priority_is_open", "the priority of the submarines is open: `set-priority`")
links_are_unpaid = fact("links_are_unpaid", "an Emergency Command Link is neither paid nor removed")
claim_is_open = fact("claim_is_open", "the last Reaction player may claim the operation")
is_claimed = fact("is_claimed", "the operation is claimed")
tied = fact("tied", "both bids are the same")
condition_is_hidden = fact("condition_is_hidden", "the Operational Intelligence Condition is not revealed")
month_is_over = fact("month_is_over", "the month has ended")
month_entered = fact("month_entered", "the Day marker has entered Month Begin")
month_passed = fact("month_passed", "the Day marker has passed through Month Begin")
nobody_bid = fact("nobody_bid", "neither player has bid")
last_month = fact("last_month", "it was the last month of the scenario")
operation_is_over = fact("operation_is_over", "the operation is over")
nobody_is_activated = fact("nobody_is_activated", "no unit is activated on either side")
all_vanished = fact("all_vanished", "the last activated unit vanished while the month changed")
damage_is_uncounted = fact("damage_is_uncounted", "the damage of this operation is not counted")
final_operation = fact("final_operation", "it was the final operation of the scenario")
case_a = fact("case_a", "the month ended in 5.1.R and the Operation player has activated units")
case_b = fact("case_b", "the month ended in 5.1.R and the Operation player has no activated unit")
case_c = fact("case_c", "the month ended in 5.2.O and somebody has activated units")
case_d = fact("case_d", "the month ended in 5.2.O and nobody has activated units")

RECORD = (Roll, Change, Remove)
"""For what stands in chapters that we do not have."""


def printed(label: str) -> tuple[str, ...]:
    return CITES[label]


# fmt: off
# --- 5.1: once a month ------------------------------------------------------------------------------------------------

A_TO_F = (
    Step("5.1.A", "weather", by=EACH, when=strategic & weather, allows=(RollWeather,), need="optional",
         rules=printed("5.1.A"), rolls="weather"),
    Step("5.1.B", "Strategic Intelligence", by=EACH, allows=(DetermineLevel,), needs=~due, secret=True,
         rules=printed("5.1.B"), rolls="strategic-intelligence"),
    Step("5.1.C", "Strategic Bombing", by=ALLIES, when=strategic, allows=(BombHomeland,), need="optional",
         rules=printed("5.1.C"), rolls="strategic-bombing"),
    Step("5.1.D", "Japanese escorts", by=JAPAN, when=strategic, allows=(AllocateEscorts,), need="optional",
         rules=printed("5.1.D")),
    Step("5.1.E", "what Allied submarines are after", by=ALLIES, when=strategic, allows=(SetPriority,),
         needs=~priority_is_open, rules=printed("5.1.E")),
    # The Allies roll, for the roll would tell their level; both see what is lost.
    Step("5.1.F", "merchant shipping attrition", by=ALLIES, when=strategic, allows=(CountAttrition,), needs=~due,
         secret=True, rules=printed("5.1.F"), rolls="merchant-attrition"),
)

COMMAND_POINTS = Heading("5.1.G", "Command Points", rules=printed("5.1.G"), steps=(
    Step("5.1.G/unused", "what was not used last month", rules=("10.0",)),
    Step("5.1.G/table", "by the Command Point Tables", by=EACH, when=strategic, allows=(ReceivePoints,), needs=~due,
         rules=("10.0",), rolls="command-points"),
    Step("5.1.G/assigned", "as the scenario assigns them", when=~strategic, rules=("10.0",)),
    Step("5.1.G/allocate", "to headquarters and Future Operation Pools", by=EACH, allows=(AllocatePoints,),
         need="optional", rules=("10.3", "10.4")),
))

H_TO_N = (
    Step("5.1.H", "isolation penalties", by=EACH, allows=RECORD, rules=printed("5.1.H")),
    Step("5.1.I", "Strategic Transport", by=EACH, allows=(Move, Attack, Roll), need="optional",
         rules=printed("5.1.I"), rolls="submarine-combat"),
    Step("5.1.J", "reinforcements", by=EACH, needs=~links_are_unpaid, rules=printed("5.1.J"),
         allows=(Reinforce, AllocateSubmarines, BuildCommand, PayLink, Place, Remove)),
    Step("5.1.K", "naval repair", by=EACH, allows=(RepairShip, Change, Roll), need="optional",
         rules=printed("5.1.K")),
    Step("5.1.L", "replacements", by=EACH, allows=(ReplaceSteps, Place, *RECORD), need="optional",
         rules=printed("5.1.L")),
    Step("5.1.M", "engineering", by=EACH, allows=(RepairBase, PlaceOsb, Place, Pay, *RECORD), need="optional",
         rules=printed("5.1.M")),
    Step("5.1.N", "Submarine Patrols", by=EACH, allows=(PlacePatrol,), rules=printed("5.1.N")),
)

# --- 5.1: once an operation -------------------------------------------------------------------------------------------

OPERATION_PLAYER_DETERMINATION = Heading("5.1.O", "who is the Operation player", rules=printed("5.1.O"), steps=(
    Step("5.1.O/claim", "the last Reaction player may claim it", by="claimant", when=claim_is_open,
         allows=(ClaimOperation,), then=(Go("5.1.O/player", when=is_claimed),), need="conditional", rules=("5.4",)),
    Step("5.1.O/bid", "both bid Command Points", by=EACH, allows=(MakeBid,), needs=~due, rules=("18.0",)),
    Step("5.1.O/open", "the bids are laid open", rules=("18.0",)),
    Step("5.1.O/tie", "tied bids", by=EACH, when=tied, allows=(BreakTie,), needs=~due, need="conditional",
         rules=("18.0",), rolls="tied-bids"),
    Step("5.1.O/player", "the Operation player receives a free Offensive Support Base", rules=("20.0", "11.3.1")),
))

ACTIVATION = Heading("5.1.P", "the Operation player activates", rules=printed("5.1.P"), steps=(
    Step("5.1.P/activate", "units, time and headquarters are paid for", by=OPERATION_PLAYER,
         allows=(Activate, PayTime, SetLevel, PlaceOsb, FormTaskForce), rules=("20.1", "20.2.5")),
    Step("5.1.P/launch", "the operation is under way"),
))

INTELLIGENCE = Step("5.1.Q", "Operational Intelligence", by=REACTION_PLAYER, allows=(DetermineCondition,), needs=~due,
                    secret=True, rules=printed("5.1.Q"), rolls="operational-intelligence")

# The Condition is revealed somewhere inside R; its owner's step stays open until it is.
CONTACT = Together("5.1.R", "the Operation player's contact", rules=printed("5.1.R"), steps=(
    Step("5.1.R/move", "he moves, and days pass", by=OPERATION_PLAYER, rules=("23.4",),
         allows=(Move, AdvanceDay, FormTaskForce, Embark, Disembark)),
    Step("5.1.R/search", "both search", by=EACH, allows=(Search, *RECORD), need="optional", rules=("24.0",),
         rolls="search"),
    Step("5.1.R/condition", "the Condition is revealed and may end the phase", by=REACTION_PLAYER,
         allows=(RevealCondition, ForceEnd), needs=~condition_is_hidden, then=(Go("5.1.S", when=given(ForceEnd)),),
         rules=("23.5",)),
))

REACTION = Step("5.1.S", "the Reaction player activates", by=REACTION_PLAYER, allows=(Activate, FormTaskForce),
                need="optional", rules=printed("5.1.S"))

REACTION_CONTACT = Together("5.1.T", "the Reaction player's contact", rules=printed("5.1.T"), steps=(
    Step("5.1.T/move", "he moves a limited distance", by=REACTION_PLAYER, rules=("23.5.1", "22.0"),
         allows=(Move, FormTaskForce, Embark, Disembark)),
    Step("5.1.T/search", "both search", by=EACH, allows=(Search, *RECORD), need="optional", rules=("24.0",),
         rolls="search"),
))

# --- 5.2: the battle cycle, again and again ---------------------------------------------------------------------------


def movement(label: str, name: str, mover: str) -> Together:
    """5.2.C and 5.2.K: searches and submarine combat are open beside the movement of one side."""
    return Together(label, name, rules=printed(label), steps=(
        Step(f"{label}/move", "ground and naval units move, embark and disembark", by=mover, need="optional",
             allows=(Move, Embark, Disembark, FormTaskForce), rules=("23.6",)),
        Step(f"{label}/search", "both search", by=EACH, allows=(Search, Roll), need="optional", rules=("24.0",),
             rolls="search"),
        Step(f"{label}/submarines", "submarine combat", by=EACH, allows=(Attack, *RECORD), need="optional",
             rules=("25.2",), rolls="submarine-combat"),
    ))


NAVAL_BATTLES = Each("5.2.E", "naval battle", of="battle_hexes", by=EACH, steps=(
    Step("5.2.E.a", "is there combat, and who has Surprise", by=EACH, allows=(DetermineBattle,),
         answers=(Answer("combat", by_dice=True), Answer("no combat", by_dice=True)), rules=printed("5.2.E.a"),
         rolls="naval-battle"),
    Heading("5.2.E.b", "naval combat", when=chose("5.2.E.a", "combat"), rules=printed("5.2.E.b"), steps=tuple(
        Step(f"5.2.E.b/{number}", f"naval combat phase {number}", by="owners_in_hand", allows=(Attack, *RECORD),
             need="conditional", rules=("29.2",), rolls="naval-combat") for number in (1, 2, 3)
    )),
))

BATTLE_CYCLE = Rounds("5.2", "battle cycle", steps=(
    Step("5.2.A", "lighting", by=EACH, allows=(RollLighting,), needs=~due, rules=printed("5.2.A"), rolls="lighting"),
    Step("5.2.B", "advantage", by=EACH, allows=(RollAdvantage,), needs=~due, rules=printed("5.2.B"),
         rolls="advantage"),
    movement("5.2.C", "the Advantage player moves", ADVANTAGE),
    Step("5.2.D", "the Advantage player's air missions", by=ADVANTAGE, also=DISADVANTAGE, allows=(Attack, *RECORD),
         need="optional", rules=printed("5.2.D"), rolls="air-combat"),
    NAVAL_BATTLES,
    Step("5.2.F", "bombardment", by=EACH, allows=(Attack, *RECORD), need="optional", rules=printed("5.2.F"),
         rolls="bombardment"),
    Step("5.2.G", "demolition", by=EACH, allows=(Demolish, Roll), need="optional", rules=printed("5.2.G")),
    Step("5.2.H", "ground combat", by=EACH, allows=(Attack, *RECORD), need="optional", rules=printed("5.2.H"),
         rolls="ground-combat"),
    Step("5.2.I", "airbase repair", by="owners_of_damaged_airbases", allows=(RepairBase,), need="optional",
         rules=printed("5.2.I")),
    Step("5.2.J", "rally", by="owners_of_broken", allows=(Rally,), need="optional", rules=printed("5.2.J"),
         rolls="rally"),
    movement("5.2.K", "the Disadvantage player moves", DISADVANTAGE),
    Step("5.2.L", "the Disadvantage player's air missions", by=DISADVANTAGE, also=ADVANTAGE,
         allows=(Attack, *RECORD), need="optional", rules=printed("5.2.L"), rolls="air-combat"),
    Step("5.2.M", "activation and deactivation", by=EACH, allows=(Activate, Deactivate), need="optional",
         rules=printed("5.2.M")),
    Step("5.2.N", "detection is removed", by="owners_of_detected", allows=(Undetect,), need="optional",
         rules=printed("5.2.N")),
    # The marker never moves twice: an operation that is over goes from here to the end of 5.3.
    Step("5.2.O", "the Day marker goes two days on", then=(Go("5.3", when=operation_is_over),),
         rules=printed("5.2.O")),
))

# --- 5.3: an operation ends -------------------------------------------------------------------------------------------

OPERATION_END = Heading("5.3", "an operation ends", rules=printed("5.3"), steps=(
    Step("5.3/over", "the operation is over", when=~operation_is_over, rules=("20.5",)),
    Step("5.3/damage", "both calculate the damage they inflicted", by=EACH, when=damage_is_uncounted,
         allows=(CountDamage,), needs=~due, rules=("19.3",)),
    Step("5.3/final", "was it the final operation", then=(Go(END, when=final_operation),)),
    # The reading recommended: the last cycle is closed with 5.2.N and 5.2.O. Not where the month's change ended it.
    Step("5.3/cycle", "is a battle cycle to be closed",
         then=(Go("5.2.N", when=closing_cycle & suspended("5.2") & ~inside("5.4")),)),
    Step("5.3/a", "the month ends on the same day", when=month_is_over, then=(Go("5.4"),), need="conditional"),
    Step("5.3/b", "days remain in the month", then=(Go("5.1.O"),), need="conditional"),
))

# --- 5.4: a month ends ------------------------------------------------------------------------------------------------

MONTH_END = Heading("5.4", "a month ends", steps=(
    Heading("5.4/when", "why it ends", steps=(
        Step("5.4/when/a", "the Day marker entered Month Begin", when=month_entered, need="conditional"),
        Step("5.4/when/b", "the Day marker passed through Month Begin", when=month_passed, need="conditional"),
        Step("5.4/when/c", "neither player bid", when=nobody_bid, need="conditional"),
    )),
    Step("5.4/suspend", "an operation in progress is suspended"),
    Step("5.4/gameend", "was it the last month", then=(Go(END, when=last_month),)),
    Heading("5.4/restart", "the new month", steps=(
        Step("5.4/restart/month", "the Month marker goes one space on", counts_turns=True),
        Step("5.4/restart/phases", "its phases A to N are played", runs=("5.1.A", "5.1.N")),
    )),
    Heading("5.4/resume", "where play goes on", steps=(
        Step("5.4/resume/left", "is a unit still activated", then=(Go("5.3", when=all_vanished),)),
        Step("5.4/resume/a", "the contact phase goes on", when=case_a, then=(Go(BACK),), need="conditional"),
        Step("5.4/resume/b", "the operation is over", when=case_b, then=(Go("5.3"),), need="conditional"),
        Step("5.4/resume/c", "the next battle cycle", when=case_c & suspended("5.2"), then=(Go("5.2.A"),),
             need="conditional"),
        Step("5.4/resume/d", "the operation was over", when=case_d, then=(Go("5.1.O"),), need="conditional"),
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
    procedures=(OPERATION_END, MONTH_END),
    instants=(
        Instant(name="the month ends", when=month_is_over & ~operation_is_over, to="5.4",
                during=("5.1.O", "5.1.R", "5.2.O"), rules=("5.4",)),
        Instant(name="the operation ends", when=nobody_is_activated, to="5.3", during=WHILE_IT_LASTS,
                rules=("5.3", "20.5")),
    ),
)
# fmt: on
