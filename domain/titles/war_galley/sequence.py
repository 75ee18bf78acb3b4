"""The sequence of play of War Galley, as printed on the summary, with its lost letters restored.

The copy that we have numbers everything 1 to 5.5.7: it lost the letters A to H and hung two phases and their tails
under item 5. `PRINTED` gives the path as it stands there, beside each label. Status resolution comes once a turn, not
once for each individual squadron.
"""

from umpire_ledger.domain.titles.war_galley.activation import ActivateBoth, CrewTest
from umpire_ledger.domain.titles.war_galley.boarding import Board
from umpire_ledger.domain.titles.war_galley.contact import CastOff, Foul, Grapple, Hit, Ram, RunAground, SetFire
from umpire_ledger.domain.titles.war_galley.fatigue import Tire
from umpire_ledger.domain.titles.war_galley.initiative import NameFirst, RollInitiative
from umpire_ledger.domain.titles.war_galley.levels import SetLevels
from umpire_ledger.domain.titles.war_galley.movement import MoveShip, SetSails, Stay
from umpire_ledger.domain.titles.war_galley.squadrons import Join
from umpire_ledger.domain.titles.war_galley.status import CheckSinking, CheckSpread, Disengage, FightFire
from umpire_ledger.domain.titles.war_galley.wind import RollWind
from umpire_ledger.kit import ACTIVE, EACH, END, Go, Heading, Roll, Rounds, Sequence, Step, Turns, fact

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
CITES = {
    "B": ("6.1",),
    "D": ("6.22",),
    "E": ("6.18",),
    "F": ("6.16",),
    "G.1": ("8.35",),
    "G.2a": ("8.54",),
    "G.2b": ("8.55",),
    "G.4": ("7.17",),
}

# --- what is asked ----------------------------------------------------------------------------------------------------

wind_is_open = fact("wind_is_open", "the wind of this turn is not rolled")
ships_choose = fact("ships_choose", "a ship is in range of several commanders")
initiative_is_owed = fact("initiative_is_owed", "the initiative is not rolled")
initiative_is_won = fact("initiative_is_won", "one side has the higher total")
first_is_open = fact("first_is_open", "the first player is not named")
levels_are_open = fact("levels_are_open", "the squadron has no level yet: `set-levels`")
admiral_may_join = fact("admiral_may_join", "the Admiral could go along with his own squadron")
ships_wait = fact("ships_wait", "ships of the squadron have neither moved nor been told to `stay`")
grappled = fact("grappled", "a ship of the squadron is grappled to an enemy")
test_is_due = fact("test_is_due", "the ship is not next to an enemy")
fouled = fact("fouled", "a ship is fouled")
burning = fact("burning", "a ship burns")
exposed = fact("exposed", "a ship is attached to one that still burns, and its die is not thrown")
rammed = fact("rammed", "a ship is rammed, and its die is not thrown")
decided = fact("decided", "the battle is over")

ACTS = (MoveShip, Stay, SetSails, Ram, Grapple, Foul, CastOff, RunAground, SetFire, Hit, Tire, Roll)
"""What ships may do while their squadron moves. Its printed list is lost, so the outcome of the rest is recorded."""

# fmt: off
# --- the phases -------------------------------------------------------------------------------------------------------

WIND = Step("A", "the wind", by=EACH, allows=(RollWind,), needs=~wind_is_open, rolls="2d6")

SQUADRONS = Heading("B", "squadrons", rules=("6.1",), steps=(
    Step("B.range", "ships within a commander's range are his"),
    Step("B.choice", "ships in several ranges", by="choosers", when=ships_choose, allows=(Join,), needs=~ships_choose,
         need="conditional", rules=("6.1",)),
))

INITIATIVE = Heading("C", "initiative", steps=(
    Rounds("C.rolls", "roll until there is no tie", until=initiative_is_won, steps=(
        Step("C.roll", "the sides roll", by=EACH, allows=(RollInitiative,), needs=~initiative_is_owed, rolls="1d6"),
    )),
    Step("C.first", "the winner names the first player", by="winner", allows=(NameFirst,), needs=~first_is_open),
))

# Levels are chosen openly; whoever has no squadron left is skipped.
LEVELS = Turns("D", "levels", of="squadrons", sides="turn_order", rules=("6.22",), steps=(
    Step("D.level", "cruise or maximum, ship by ship", by=ACTIVE, allows=(SetLevels,), needs=~levels_are_open),
))

# A double activation is tried with the other squadron in hand, so that its failure leaves the Admiral's unused.
# Boarding waits until every ship of the squadron has moved or stayed. Nobody presses anything in E.3: play passes to
# the opponent, or stays with the same player when the opponent has no squadron left.
COMMAND = Heading("E", "command squadrons", rules=("6.18",), steps=(
    Turns("E.squadron", "command squadron", of="unused_squadrons", sides="turn_order", steps=(
        Step("E.double", "double activation", by=ACTIVE, when=admiral_may_join, allows=(ActivateBoth,),
             need="optional", rules=("6.18",), rolls="double-activation"),
        Step("E.1", "movement", by=ACTIVE, allows=ACTS, needs=~ships_wait),
        Step("E.2", "boarding", by=ACTIVE, when=grappled, allows=(Board, Tire, Roll), need="conditional", rolls="2d6"),
        Step("E.3", "the turn passes", need="repeat"),
    )),
    Step("E.4", "all command squadrons have gone"),
))

# The first player of C begins, whoever moved last in E. Individual squadrons are single ships.
INDIVIDUAL = Heading("F", "individual squadrons", rules=("6.16",), steps=(
    Turns("F.ship", "individual ship", of="individual_squadrons", sides="turn_order", steps=(
        Step("F.crew", "does the crew act freely", by=ACTIVE, when=test_is_due, allows=(CrewTest,), needs=~test_is_due,
             need="conditional", rules=("6.16",), rolls="1d6"),
        Step("F.1", "movement of a single ship", by=ACTIVE, allows=ACTS, needs=~ships_wait),
        Step("F.2", "fatigue", by=ACTIVE, allows=(Tire, Roll)),
        Step("F.3", "boarding by a single ship", by=ACTIVE, when=grappled, allows=(Board, Roll), need="conditional",
             rolls="2d6"),
        Step("F.4", "the next ship", need="repeat"),
    )),
    Step("F.5", "all individual squadrons have gone"),
))

STATUS = Heading("G", "state of the ships", steps=(
    Step("G.1", "disengaging", by="owners_of_fouled", when=fouled, allows=(Disengage,), need="optional",
         rules=("8.35",), rolls="disengage"),
    Heading("G.2", "ship recovery", steps=(
        Step("G.2a", "fighting fires", by="owners_of_burning", when=burning, allows=(FightFire,), need="optional",
             rules=("8.54",), rolls="firefight"),
        Step("G.2b", "fire spreads", by="owners_of_exposed", when=exposed, allows=(CheckSpread,), needs=~exposed,
             need="conditional", rules=("8.55",), rolls="1d6"),
        Step("G.2c", "Masts Down are cleared"),
    )),
    Step("G.3", "fatigue recovers"),
    Step("G.4", "rammed ships may sink", by="owners_of_rammed", when=rammed, allows=(CheckSinking,), needs=~rammed,
         need="conditional", rules=("7.17",), rolls="1d6"),
))

VICTORY = Heading("H", "victory", steps=(
    Step("H.a", "points for ships rammed or aground"),
    Step("H.b", "points for ships captured"),
    Step("H.end", "has anybody won", then=(Go(END, when=decided),)),
))

SEQUENCE = Sequence(steps=(
    Rounds("turn", "game turn", counts_turns=True,
           steps=(WIND, SQUADRONS, INITIATIVE, LEVELS, COMMAND, INDIVIDUAL, STATUS, VICTORY)),
))
# fmt: on
