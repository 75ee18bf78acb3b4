"""Define the sequence of play of In Red Coat Rags Attired, version 11-09-2015.

Labels are as printed; there are no steps 7 to 10. Step 2b is printed as "required", but only "if required". Step 2e is
printed as optional, but pieces out of command are removed in any case. In step 4 the order of actions is free: fire
is resolved in 4b as soon as it is declared in 4a, and close combat in 4c when the unit has done all its actions. Step 5
is inside the loop of steps 3 to 6, because a CO moves with each wing. Step 11 returns to 2 only for a player who has
not had a phase; otherwise the turn would never end.
"""

from umpire_ledger.domain.titles.red_coat_rags.actions import Form, Load, MovePiece, Special
from umpire_ledger.domain.titles.red_coat_rags.activation import (
    Activate,
    activation_failed,
    unit_is_active,
    units_are_left,
)
from umpire_ledger.domain.titles.red_coat_rags.chance import LetDieDecide
from umpire_ledger.domain.titles.red_coat_rags.close_combat import ResolveClose, contact_is_open, contacts_to_resolve
from umpire_ledger.domain.titles.red_coat_rags.command import (
    MoveCommand,
    OutOfCommand,
    Reposition,
    has_officers,
    line_command_matters,
)
from umpire_ledger.domain.titles.red_coat_rags.contact import Engage, LockCorner
from umpire_ledger.domain.titles.red_coat_rags.fire import (
    Fire,
    ResolveFire,
    fire_is_declared,
    fire_to_resolve,
    may_answer,
)
from umpire_ledger.domain.titles.red_coat_rags.initiative import RollInitiative, initiative_is_owed, initiative_is_won
from umpire_ledger.domain.titles.red_coat_rags.locks import BreakLock, lock_may_break
from umpire_ledger.domain.titles.red_coat_rags.morale import (
    CheckMorale,
    Rally,
    morale_is_due,
    pieces_to_rally,
    rally_is_due,
    units_to_check,
)
from umpire_ledger.domain.titles.red_coat_rags.special_moves import MoveOfficer, SpecialMove, special_is_open
from umpire_ledger.domain.titles.red_coat_rags.turn import Concede, decided, has_conditions, phase_is_left
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
    Touch,
    chose,
    fact,
)

PHASING, OTHER = "phasing_player", "other_player"
"""Roles of the player whose phase it is, and of the opponent."""

# --- conditions -------------------------------------------------------------------------------------------------------

INITIATIVE_IS_OWED = fact(
    "the initiative is not rolled yet",
    initiative_is_owed,
    otherwise="the initiative is rolled",
    owed="roll the initiative: `roll-initiative`",
)
INITIATIVE_IS_WON = fact("one side has the higher total", initiative_is_won, otherwise="the totals are tied")
HAS_OFFICERS = fact("the phasing player has an officer", has_officers, otherwise="the phasing player has no officer")
LINE_COMMAND_MATTERS = fact(
    "the phasing player has line command, or the table measures who is out of it",
    line_command_matters,
    otherwise="the phasing player has no line command to move",
)
MORALE_IS_DUE = fact(
    "a unit has at least as many disrupted pieces as its casualty value",
    morale_is_due,
    otherwise="no unit has to check its morale",
    owed="check the morale with `check-morale`",
    who=units_to_check,
)
RALLY_IS_DUE = fact(
    "a disrupted piece has not rolled yet",
    rally_is_due,
    otherwise="no disrupted piece has to roll",
    owed="roll for the disrupted with `rally`",
    who=pieces_to_rally,
)
LOCK_MAY_BREAK = fact(
    "a piece of the phasing player is locked at exactly one corner",
    lock_may_break,
    otherwise="no piece of the phasing player is locked at exactly one corner",
)
ACTIVATION_FAILED = fact(
    "an activation has failed", activation_failed, otherwise="every activation of this phase succeeded"
)
UNIT_IS_ACTIVE = fact(
    "a unit is activated and has pieces left", unit_is_active, otherwise="no unit with pieces is activated"
)
FIRE_IS_DECLARED = fact(
    "fire is declared and waits for its dice",
    fire_is_declared,
    otherwise="no fire waits for its dice",
    owed="roll the dice of the fire with `resolve-fire`",
    who=fire_to_resolve,
)
MAY_ANSWER = fact(
    "a loaded piece of the other player reaches the unit",
    may_answer,
    otherwise="no loaded piece of the other player reaches the unit",
)
CONTACT_IS_OPEN = fact(
    "pieces are edge to edge",
    contact_is_open,
    otherwise="no pieces are edge to edge",
    owed="roll the dice of the close combat with `resolve-close`",
    who=contacts_to_resolve,
)
SPECIAL_IS_OPEN = fact(
    "the active FO or a free CO may move", special_is_open, otherwise="no officer may make a special move"
)
UNITS_ARE_LEFT = fact(
    "a unit was not tried in this phase", units_are_left, otherwise="every unit was tried in this phase"
)
PHASE_IS_LEFT = fact(
    "a player has not yet had a phase in this turn",
    phase_is_left,
    otherwise="every player has had a phase in this turn",
)
HAS_CONDITIONS = fact(
    "the scenario has conditions in words", has_conditions, otherwise="the scenario has no conditions in words"
)
DECIDED = fact("the battle is over", decided, otherwise="the battle continues")

ACTS = (MovePiece, Form, Load, Special, Fire, Engage, LockCorner, Change, Roll)
"""Orders allowed in 4a. `change` and `roll` record results of special actions."""
OF_THE_UNIT = Touch(units="activated", attributes=("facing",), by=PHASING)
"""Results of special actions concern only the activated unit, its card and its pieces; the other player only fires."""

SOMEBODY_FIRED = chose("4a", "fire") | chose("4a.answer", "fire")

# fmt: off
# --- the steps --------------------------------------------------------------------------------------------------------

INITIATIVE = Rounds("1.rolls", "roll until there is no tie", until=INITIATIVE_IS_WON, steps=(
    Step("1", "initiative", by=EACH, allows=(RollInitiative,), needs=~INITIATIVE_IS_OWED, rolls="1d6 + LV"),
))

PRE_ACTIVATION = Heading("2", "before any activation", steps=(
    Step("2a", "FO and CO reposition", by=PHASING, when=HAS_OFFICERS, allows=(Reposition,),
         need="optional"),
    Step("2b", "unit morale", by=PHASING, when=MORALE_IS_DUE, allows=(CheckMorale,), needs=~MORALE_IS_DUE, rolls="1d6"),
    Step("2c", "disruption", by=PHASING, when=RALLY_IS_DUE, allows=(Rally,), needs=~RALLY_IS_DUE, rolls="1d6"),
    Step("2d", "breaking free from a corner lock", by=PHASING, when=LOCK_MAY_BREAK, allows=(BreakLock,),
         need="optional", rolls="1d6"),
    Heading("2e", "line command", steps=(
        Step("2e.move", "line command repositions", by=PHASING, when=LINE_COMMAND_MATTERS,
             allows=(MoveCommand, OutOfCommand), need="optional"),
        Step("2e.lost", "pieces out of command are lost"),
    )),
))

ACTIVATION = Step("3", "activation of a unit", by=PHASING, allows=(Activate,), need="optional", rolls="1d6 to 3d6",
                  answers=(Answer("activated", by_dice=True), Answer("failed", to="6", by_dice=True),
                           Answer("none", to="11")))

# The other player may fire while 4a is open, and has a last chance before it ends. Then the unit continues.
EXECUTION = Heading("4", "the unit acts", when=UNIT_IS_ACTIVE, steps=(
    Rounds("4.actions", "actions, and fire between them", until=~(SOMEBODY_FIRED & UNIT_IS_ACTIVE), steps=(
        Step("4a", "actions", by=PHASING, also=OTHER, allows=ACTS, touches=OF_THE_UNIT, need="optional",
             answers=(Answer("fire", by_dice=True), Answer("finished")),
             first_come="the other player fires between the actions of the unit"),
        Step("4a.answer", "opportunity and defensive fire", by=OTHER, when=chose("4a", "finished") & MAY_ANSWER,
             allows=(Fire,), need="optional", answers=(Answer("fire", by_dice=True), Answer("none"))),
        Step("4b", "fire combat", by=EACH, when=FIRE_IS_DECLARED, allows=(ResolveFire,), needs=~FIRE_IS_DECLARED,
             need="conditional", rolls="1d6 + factor each"),
    )),
    Step("4c", "close combat", by=EACH, when=CONTACT_IS_OPEN, allows=(ResolveClose,), needs=~CONTACT_IS_OPEN,
         need="conditional", rolls="1d6 + factor each"),
))

SPECIAL = Step("5", "special move of FO and CO", by=PHASING, when=SPECIAL_IS_OPEN, allows=(SpecialMove, MoveOfficer),
               need="optional", rolls="1d6")

REPEAT = Step("6", "another unit, or enough", by=PHASING, when=~ACTIVATION_FAILED & UNITS_ARE_LEFT, need="repeat",
              answers=(Answer("another", to="3"), Answer("enough")))

CHANGE = Step("11", "the phase changes", then=(Go("2", when=PHASE_IS_LEFT, note="for the player who has not had it"),))

END_OF_TURN = Heading("12", "the turn ends", steps=(
    Step("12.say", "the scenario's conditions in words", by=EACH, when=HAS_CONDITIONS, allows=(Concede,),
         need="conditional"),
    Step("12.end", "victory, or a new turn", then=(Go(END, when=DECIDED),)),
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
