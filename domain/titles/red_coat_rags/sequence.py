"""The sequence of play of In Red Coat Rags Attired, version 11-09-2015.

Labels are as printed: 7 to 10 do not exist. 2b is carried out "if required", 2e removes pieces although it is optional.
In 4 the order of actions is free: fire is resolved in 4b as soon as it is declared in 4a, close combat in 4c when the
unit has done all its actions. 5 stands inside the loop of 3 to 6, because a CO moves with each wing. 11 leads to 2 as
long as somebody has not had his phase, or the turn would never end.
"""

from umpire_ledger.domain.titles.red_coat_rags.actions import Engage, Form, Load, LockCorner, MovePiece, Special
from umpire_ledger.domain.titles.red_coat_rags.activation import Activate
from umpire_ledger.domain.titles.red_coat_rags.chance import LetDieDecide
from umpire_ledger.domain.titles.red_coat_rags.close_combat import ResolveClose
from umpire_ledger.domain.titles.red_coat_rags.command import MoveCommand, OutOfCommand, Reposition
from umpire_ledger.domain.titles.red_coat_rags.fire import Fire, ResolveFire
from umpire_ledger.domain.titles.red_coat_rags.initiative import RollInitiative
from umpire_ledger.domain.titles.red_coat_rags.locks import BreakLock
from umpire_ledger.domain.titles.red_coat_rags.morale import CheckMorale, Rally
from umpire_ledger.domain.titles.red_coat_rags.special import MoveOfficer, SpecialMove
from umpire_ledger.domain.titles.red_coat_rags.turn import Concede
from umpire_ledger.kit import (
    EACH,
    END,
    REFEREE,
    Answer,
    Change,
    Go,
    Heading,
    Move,
    Place,
    Remove,
    Roll,
    Rounds,
    Sequence,
    Step,
    chose,
    fact,
)

LABELS = ("1", "2", "2a", "2b", "2c", "2d", "2e", "3", "4", "4a", "4b", "4c", "5", "6", "11", "12", "catch-all")

PHASING = "phasing_player"
"""Whose phase it is."""

# --- what is asked ----------------------------------------------------------------------------------------------------

initiative_is_owed = fact("initiative_is_owed", "the initiative is not rolled")
initiative_is_won = fact("initiative_is_won", "one side has the higher total")
morale_is_due = fact(
    "morale_is_due", "a unit has as many disrupted pieces as its casualty value, or more: `check-morale`"
)
rally_is_due = fact("rally_is_due", "a piece is disrupted and has not rolled: `rally`")
lock_may_break = fact("lock_may_break", "a piece is locked at a single corner")
activation_failed = fact("activation_failed", "an activation has failed")
unit_is_active = fact("unit_is_active", "a unit is activated and has pieces left")
fire_is_declared = fact("fire_is_declared", "fire is declared and not resolved: `resolve-fire`")
contact_is_open = fact("contact_is_open", "pieces are edge to edge: `resolve-close`")
special_is_open = fact("special_is_open", "the active FO or a free CO may move")
units_are_left = fact("units_are_left", "a unit was not tried in this phase")
phase_is_left = fact("phase_is_left", "a player has not had his phase in this turn")
has_conditions = fact("has_conditions", "the scenario has conditions in words")
decided = fact("decided", "the battle is over")

ACTS = (MovePiece, Form, Load, Special, Fire, Engage, LockCorner, Change, Roll)
"""What may be done in 4a. `change` and `roll` record what comes of special actions."""

# fmt: off
# --- the steps --------------------------------------------------------------------------------------------------------

INITIATIVE = Rounds("1.rolls", "roll until there is no tie", until=initiative_is_won, steps=(
    Step("1", "initiative", by=EACH, allows=(RollInitiative,), needs=~initiative_is_owed, rolls="1d6 + LV"),
))

PRE_ACTIVATION = Heading("2", "before any activation", steps=(
    Step("2a", "FO and CO reposition", by=PHASING, allows=(Reposition,), need="optional"),
    Step("2b", "unit morale", by=PHASING, when=morale_is_due, allows=(CheckMorale,), needs=~morale_is_due, rolls="1d6"),
    Step("2c", "disruption", by=PHASING, when=rally_is_due, allows=(Rally,), needs=~rally_is_due, rolls="1d6"),
    Step("2d", "breaking free from a corner lock", by=PHASING, when=lock_may_break, allows=(BreakLock,),
         need="optional", rolls="1d6"),
    Heading("2e", "line command", steps=(
        Step("2e.move", "line command repositions", by=PHASING, allows=(MoveCommand, OutOfCommand), need="optional"),
        Step("2e.lost", "pieces out of command are lost"),
    )),
))

ACTIVATION = Step("3", "activation of a unit", by=PHASING, allows=(Activate,), need="optional", rolls="1d6 to 3d6",
                  answers=(Answer("activated", by_dice=True), Answer("failed", to="6", by_dice=True),
                           Answer("none", to="11")))

# The other player is not waited for in 4a: as long as it is open he may fire at the activated unit.
EXECUTION = Heading("4", "the unit acts", when=unit_is_active, steps=(
    Rounds("4.actions", "actions, and fire between them", until=~(chose("4a", "fire") & unit_is_active), steps=(
        Step("4a", "actions", by=PHASING, also="other_player", allows=ACTS, need="optional",
             answers=(Answer("fire", by_dice=True), Answer("finished"))),
        Step("4b", "fire combat", by=EACH, when=fire_is_declared, allows=(ResolveFire,), needs=~fire_is_declared,
             need="conditional", rolls="1d6 + factor each"),
    )),
    Step("4c", "close combat", by=EACH, when=contact_is_open, allows=(ResolveClose,), needs=~contact_is_open,
         need="conditional", rolls="1d6 + factor each"),
))

SPECIAL = Step("5", "special move of FO and CO", by=PHASING, when=special_is_open, allows=(SpecialMove, MoveOfficer),
               need="optional", rolls="1d6")

REPEAT = Step("6", "another unit, or enough", by=PHASING, when=~activation_failed, need="repeat",
              answers=(Answer("another", to="3", when=units_are_left), Answer("enough")))

CHANGE = Step("11", "the phase changes", then=(Go("2", when=phase_is_left, note="for the player who has not had it"),))

END_OF_TURN = Heading("12", "the turn ends", steps=(
    Step("12.say", "the scenario's conditions in words", by=EACH, when=has_conditions, allows=(Concede,),
         need="conditional"),
    Step("12.end", "victory, or a new turn", then=(Go(END, when=decided),)),
))

CATCH_ALL = Step("catch-all", "a die decides", by=REFEREE, allows=(LetDieDecide, Move, Place, Change, Remove),
                 need="conditional", rolls="1d6")

SEQUENCE = Sequence(
    steps=(
        Rounds("turn", "game turn", counts_turns=True,
               steps=(INITIATIVE, PRE_ACTIVATION, ACTIVATION, EXECUTION, SPECIAL, REPEAT, CHANGE, END_OF_TURN)),
    ),
    anytime=(CATCH_ALL,),
)
# fmt: on
