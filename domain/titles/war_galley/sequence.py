"""Declare the sequence of play of War Galley, as printed on the summary, with its lost letters restored.

The scanned copy lost the letters A to H: it numbers all items from 1 to 5.5.7, and it nests phases F, G and H inside
item 5. `PRINTED` maps each label to its number in that copy. Status resolution (G) happens once a turn, not once for
each individual squadron.
"""

from umpire_ledger.domain.titles.war_galley.activation import (
    ActivateBoth,
    CrewTest,
    active_ships_of,
    admiral_may_join,
    test_is_due,
)
from umpire_ledger.domain.titles.war_galley.boarding import Board, has_boarders, is_grappled
from umpire_ledger.domain.titles.war_galley.contact import CastOff, Foul, Grapple, Hit, Ram, RunAground, SetFire
from umpire_ledger.domain.titles.war_galley.fatigue import Tire
from umpire_ledger.domain.titles.war_galley.initiative import (
    NameFirst,
    RollInitiative,
    all_sides,
    first_is_open,
    initiative_is_owed,
    initiative_is_won,
)
from umpire_ledger.domain.titles.war_galley.levels import SetLevels, levels_are_open, squadron_in_hand
from umpire_ledger.domain.titles.war_galley.movement import MoveShip, SetSails, Stay, ships_wait, waits_to_move
from umpire_ledger.domain.titles.war_galley.squadrons import Join, ships_choose, unassigned
from umpire_ledger.domain.titles.war_galley.status import (
    CheckSinking,
    CheckSpread,
    Disengage,
    FightFire,
    exposed,
    is_burning,
    is_exposed,
    is_fouled,
    is_sinking,
    sinking,
)
from umpire_ledger.domain.titles.war_galley.victory import is_decided
from umpire_ledger.domain.titles.war_galley.wind import RollWind, wind_is_open
from umpire_ledger.domain.titles.war_galley.withdrawal import STEP, FleetTest, is_leaderless
from umpire_ledger.kit import (
    ACTIVE,
    EACH,
    END,
    Go,
    Heading,
    Instant,
    Roll,
    Rounds,
    Sequence,
    Step,
    Turns,
    fact,
    option,
)

PRINTED = {
    "A": "1",
    "B": "2",
    "C": "3",
    "D": "4",
    "E": "5",
    "E.1": "5.1",
    "E.2": "5.2",
    "E.3": "5.3",
    "E.4": "5.4",
    "F": "5.5",
    "F.1": "5.5.1",
    "F.2": "5.5.2",
    "F.3": "5.5.3",
    "F.4": "5.5.4",
    "F.5": "5.5.5",
    "G": "5.5.6",
    "G.1": "5.5.6.1",
    "G.2": "5.5.6.2",
    "G.2a": "5.5.6.2/a",
    "G.2b": "5.5.6.2/b",
    "G.2c": "5.5.6.2/c",
    "G.3": "5.5.6.3",
    "G.4": "5.5.6.4",
    "H": "5.5.7",
    "H.a": "5.5.7/a",
    "H.b": "5.5.7/b",
}

# --- conditions -------------------------------------------------------------------------------------------------------

WIND_IS_OPEN = fact(
    "the wind of this turn is not rolled yet",
    wind_is_open,
    otherwise="the wind is rolled",
    owed="roll the wind: `roll-wind`",
    any_side=True,
)
SHIPS_CHOOSE = fact(
    "a ship is in range of several commanders",
    ships_choose,
    otherwise="every ship in range of several commanders has its squadron",
    owed="choose a squadron with `join`",
    who=unassigned,
)
INITIATIVE_IS_OWED = fact(
    "the initiative is not rolled yet",
    initiative_is_owed,
    otherwise="the initiative is rolled",
    owed="roll the initiative: `roll-initiative`",
)
INITIATIVE_IS_WON = fact("one side has the higher total", initiative_is_won, otherwise="the totals are tied")
FIRST_IS_OPEN = fact(
    "the first player is not named yet",
    first_is_open,
    otherwise="the first player is named",
    owed="name the first player with `name-first`",
    who=all_sides,
)
LEVELS_ARE_OPEN = fact(
    "the squadron has no level yet",
    levels_are_open,
    otherwise="the squadron has its levels",
    owed="set the levels with `set-levels`",
    who=squadron_in_hand,
)
ADMIRAL_MAY_JOIN = fact(
    "the Admiral's own squadron could act too",
    admiral_may_join,
    otherwise="the Admiral's own squadron cannot act too",
)
SHIPS_WAIT = fact(
    "ships of the squadron wait for orders",
    ships_wait,
    otherwise="every ship of the squadron has moved, stays or is held fast",
    owed="move each ship, or let it `stay`",
    orders=("move-ship", "stay"),
    who=waits_to_move,
)
GRAPPLED = fact(
    "a ship of the squadron is grappled to an enemy",
    is_grappled,
    otherwise="no ship of the squadron is grappled to an enemy",
)
HAS_BOARDERS = fact(
    "a grappled ship of the squadron has manpower",
    has_boarders,
    otherwise="no grappled ship of the squadron has manpower",
)
TEST_IS_DUE = fact(
    "the ship is not next to an enemy",
    test_is_due,
    otherwise="the ship is next to an enemy",
    owed="roll for the crew with `test-crew`",
    who=active_ships_of,
)
FOULED = fact("a ship is fouled", is_fouled, otherwise="no ship is fouled")
BURNING = fact("a ship burns", is_burning, otherwise="no ship burns")
EXPOSED = fact(
    "a ship attached to a burning ship has not rolled yet",
    is_exposed,
    otherwise="no ship is exposed to a fire that still burns",
    owed="roll for the spread of fire with `check-spread`",
    who=exposed,
)
RAMMED = fact(
    "a rammed ship has not rolled yet",
    is_sinking,
    otherwise="no rammed ship has to roll",
    owed="roll for sinking with `check-sinking`",
    who=sinking,
)
DECIDED = fact("the battle is over", is_decided, otherwise="the battle continues")
LEADERLESS = fact(
    "a fleet that lost its Admiral has not rolled yet",
    is_leaderless,
    otherwise="no fleet has to test for the loss of its Admiral",
    owed="roll for the loss of the Admiral with `test-fleet`",
)

ACTS = (MoveShip, Stay, SetSails, Ram, Grapple, Foul, CastOff, RunAground, SetFire, Hit, Tire, Roll)
"""Orders for ships while their squadron moves. The printed list is lost, so most of these orders record an outcome."""

# fmt: off
# --- the phases -------------------------------------------------------------------------------------------------------

WIND = Step("A", "the wind", by=EACH, allows=(RollWind,), needs=~WIND_IS_OPEN, rolls="2d6")

SQUADRONS = Heading("B", "squadrons", rules=("6.1",), steps=(
    Step("B.range", "ships within a commander's range are his"),
    Step("B.choice", "ships in several ranges", by="choosers", when=SHIPS_CHOOSE, allows=(Join,), needs=~SHIPS_CHOOSE,
         need="conditional", rules=("6.1",)),
))

INITIATIVE = Heading("C", "initiative", steps=(
    Rounds("C.rolls", "roll until there is no tie", until=INITIATIVE_IS_WON, steps=(
        Step("C.roll", "the sides roll", by=EACH, allows=(RollInitiative,), needs=~INITIATIVE_IS_OWED, rolls="1d6"),
    )),
    Step("C.first", "the winner names the first player", by="winner", allows=(NameFirst,), needs=~FIRST_IS_OPEN),
))

# Levels are chosen openly; a side with no squadron left is skipped.
LEVELS = Turns("D", "levels", of="squadrons", sides="turn_order", rules=("6.22",), steps=(
    Step("D.level", "cruise or maximum, ship by ship", by=ACTIVE, allows=(SetLevels,), needs=~LEVELS_ARE_OPEN),
))

# If a side picked the Admiral's squadron, it tries a double activation as its first act in E.1, otherwise in E.double.
# Boarding waits until every ship of the squadron has moved or stayed. E.3 needs no order: play passes to the
# opponent, or stays with the same player when the opponent has no squadron left.
COMMAND = Heading("E", "command squadrons", rules=("6.18",), steps=(
    Turns("E.squadron", "command squadron", of="unused_squadrons", sides="turn_order", steps=(
        Step("E.double", "double activation", by=ACTIVE, when=ADMIRAL_MAY_JOIN, allows=(ActivateBoth,),
             need="optional", rules=("6.18",), rolls="double-activation"),
        Step("E.1", "movement", by=ACTIVE, allows=(ActivateBoth, *ACTS), needs=~SHIPS_WAIT),
        Step("E.2", "boarding", by=ACTIVE, when=GRAPPLED & HAS_BOARDERS, allows=(Board, Tire, Roll), need="conditional",
             rolls="2d6"),
        Step("E.3", "the turn passes", need="repeat"),
    )),
    Step("E.4", "all command squadrons have gone"),
))

# The first player of C begins, even if that side moved last in E. Individual squadrons are single ships.
INDIVIDUAL = Heading("F", "individual squadrons", rules=("6.16",), steps=(
    Turns("F.ship", "individual ship", of="individual_squadrons", sides="turn_order", steps=(
        Step("F.crew", "does the crew act freely", by=ACTIVE, when=TEST_IS_DUE, allows=(CrewTest,), needs=~TEST_IS_DUE,
             need="conditional", rules=("6.16",), rolls="1d6"),
        Step("F.1", "movement of a single ship", by=ACTIVE, allows=ACTS, needs=~SHIPS_WAIT),
        Step("F.2", "fatigue", by=ACTIVE, allows=(Tire, Roll)),
        Step("F.3", "boarding by a single ship", by=ACTIVE, when=GRAPPLED & HAS_BOARDERS, allows=(Board, Roll),
             need="conditional", rolls="2d6"),
        Step("F.4", "the next ship", need="repeat"),
    )),
    Step("F.5", "all individual squadrons have gone"),
))

STATUS = Heading("G", "state of the ships", steps=(
    Step("G.1", "disengaging", by="owners_of_fouled", when=FOULED, allows=(Disengage,), need="optional",
         rules=("8.35",), rolls="disengage", first_come="a ship that another has freed does not roll"),
    Heading("G.2", "ship recovery", steps=(
        Step("G.2a", "fighting fires", by="owners_of_burning", when=BURNING, allows=(FightFire,), need="optional",
             rules=("8.54",), rolls="firefight"),
        Step("G.2b", "fire spreads", by="owners_of_exposed", when=EXPOSED, allows=(CheckSpread,), needs=~EXPOSED,
             need="conditional", rules=("8.55",), rolls="1d6"),
        Step("G.2c", "Masts Down are cleared"),
    )),
    Step("G.3", "fatigue recovers"),
    Step("G.4", "rammed ships may sink", by="owners_of_rammed", when=RAMMED, allows=(CheckSinking,), needs=~RAMMED,
         need="conditional", rules=("7.17",), rolls="1d6"),
))

VICTORY = Heading("H", "victory", steps=(
    Step("H.a", "points for ships rammed or aground"),
    Step("H.b", "points for ships captured"),
    Step("H.end", "has anybody won", then=(Go(END, when=DECIDED),)),
))

# This rule is from the companion notes, not from the printed page, so it is an option, off by default.
LOSS = Heading("loss", "an Admiral is lost", steps=(
    Step(STEP, "does the fleet withdraw", by="leaderless", allows=(FleetTest,), needs=~LEADERLESS, rolls="1d6"),
))

SEQUENCE = Sequence(
    steps=(
        Rounds("turn", "game turn", counts_turns=True,
               steps=(WIND, SQUADRONS, INITIATIVE, LEVELS, COMMAND, INDIVIDUAL, STATUS, VICTORY)),
    ),
    procedures=(LOSS,),
    instants=(Instant(name="an Admiral is lost", when=LEADERLESS & option("withdrawal"), to="loss"),),
)
# fmt: on
