"""Declare the facts that the steps of Phase 5 depend on, each with the words that a referee reads."""

from umpire_ledger.domain.titles.federation_and_empire.combat import (
    battle,
    damage,
    dice_awaited,
    fates,
    intensity,
    pinwheels,
    pursuit,
    retreat,
    withdrawal,
)
from umpire_ledger.domain.titles.federation_and_empire.counters import size
from umpire_ledger.domain.titles.federation_and_empire.economy import allotment
from umpire_ledger.domain.titles.federation_and_empire.movement import stasis
from umpire_ledger.domain.titles.federation_and_empire.raids import decoys, designations
from umpire_ledger.kit import fact

BOTH_HERE = fact(
    "both sides still have units in the hex",
    battle.both_are_here,
    otherwise="at least one side has no units left in the hex",
)
BASE_HERE = fact(
    "the defender has a base in the hex", battle.base_is_here, otherwise="the defender has no base in the hex"
)
HAS_SHIPS = fact(
    "the defender has ships with the base", battle.defender_has_ships, otherwise="the defender has only the base"
)
DECOYS_RECORDED = fact(
    "the places of the decoys are recorded",
    battle.has_sealed("decoys"),
    otherwise="the places of the decoys are not recorded yet",
    owed="record the places of the decoys, even if there are none: `record-decoys`",
    name="decoys_recorded",
)
DEFENDERS_STAY = fact("a defender stays in the hex", battle.defenders_stay, otherwise="no defender stays in the hex")
FLAGSHIP_NAMED = fact(
    "the flagship of the units that stay is named",
    withdrawal.has_flagship,
    otherwise="the flagship of the units that stay is not named yet",
    owed="name the flagship with `name-flagship`, one of",
    who=withdrawal.who_may_lead,
)
CRIPPLED_WITHDREW = fact(
    "a crippled unit has withdrawn", battle.crippled_withdrew, otherwise="no crippled unit has withdrawn"
)
ATTACKER_CLOAKS = fact(
    "the attacker has cloaking devices here",
    battle.attacker_has("cloak"),
    otherwise="the attacker has no cloaking devices here",
    name="attacker_cloaks",
)
ATTACKER_SAF = fact(
    "the attacker has a SAF here, and a fixed unit fights",
    intensity.saf_has_target,
    otherwise="the attacker lacks a SAF here, or no fixed unit fights",
    name="attacker_has_saf",
)
DEFENDER_CLOAKS = fact(
    "the defender has cloaking devices here",
    battle.defender_has("cloak"),
    otherwise="the defender has no cloaking devices here",
    name="defender_cloaks",
)
ESCORTS_SEALED = fact(
    "the escort groups are sealed",
    battle.has_sealed("escorts"),
    otherwise="the escort groups are not sealed yet",
    owed="seal the escort groups, even if there are none: `seal-escorts`",
    name="escorts_sealed",
)
FLAGSHIP_SEALED = fact(
    "the flagship is sealed",
    battle.has_sealed("flagship"),
    otherwise="the flagship is not sealed yet",
    owed="seal the flagship with `seal-flagship`",
    name="flagship_sealed",
)
FORCE_SEALED = fact(
    "the Battle Force is sealed",
    battle.has_sealed("force"),
    otherwise="the Battle Force is not sealed yet",
    owed="seal the Battle Force with `seal-force`",
    name="force_sealed",
)
NOBODY_HERE = fact(
    "the side has no unit left in the battle", battle.nobody_here, otherwise="the side has units in the battle"
)
PINWHEEL_HERE = fact(
    "ships that can form pinwheels are here",
    battle.a_here("pinwheel"),
    otherwise="no ship that can form pinwheels is here",
    name="pinwheel_here",
)
PINWHEELS_DECLARED = fact(
    "the number of pinwheels is declared",
    pinwheels.pinwheels_declared,
    otherwise="the number of pinwheels is not declared yet",
    owed="declare the number of pinwheels with `declare-pinwheels`",
)
PINWHEELS_FORMED = fact("a pinwheel is formed", pinwheels.pinwheels_formed, otherwise="no pinwheel is formed")
PENAL_HERE = fact("a penal ship is here", battle.a_here("penal"), otherwise="no penal ship is here", name="penal_here")
FIGHTING_RETREAT = fact(
    "this is a fighting retreat",
    intensity.is_fighting_retreat,
    otherwise="this is an ordinary battle, not a fighting retreat",
)
BIR_SEALED = fact(
    "the Battle Intensity Rating is sealed",
    battle.has_sealed("BIR"),
    otherwise="the Battle Intensity Rating is not sealed yet",
    owed="seal the Battle Intensity Rating with `seal-intensity`",
    name="bir_sealed",
)
EW_SEALED = fact(
    "electronic warfare is sealed",
    battle.has_sealed("EW"),
    otherwise="electronic warfare is not sealed yet",
    owed="seal electronic warfare with `seal-ew`",
    name="ew_sealed",
)
VARIABLE_DUE = fact(
    "variable intensity has not been rolled for",
    intensity.variable_is_due,
    otherwise="variable intensity is determined, or has no table",
    owed="roll for variable intensity with `vary-intensity`",
)
XBASE_HERE = fact("an X-base is here", battle.a_here("xbase"), otherwise="no X-base is here", name="xbase_here")
SFG_HERE = fact(
    "a ship with a stasis field generator is here",
    battle.a_here("sfg"),
    otherwise="no ship with a stasis field generator is here",
    name="sfg_here",
)
STASIS_WAITS = fact(
    "an attempt with a stasis field generator has not been rolled for",
    stasis.stasis_waits,
    otherwise="no attempt with a stasis field generator is left to roll for",
)
STASIS_BROKE_DOWN = fact(
    "a stasis field generator broke down", stasis.stasis_broke_down, otherwise="no stasis field generator broke down"
)
TARGETS_MISSING = fact(
    "the targets of the random result are not named yet",
    stasis.targets_missing,
    otherwise="the targets of the random result are named",
    owed="name the targets with `name-targets`",
)
RANDOM_IS_DUE = fact(
    "the random ship has not been rolled for",
    stasis.random_is_due,
    otherwise="the random ship has been rolled for",
    owed="roll for the random ship with `roll-target`",
)
EW_FROZEN = fact(
    "a frozen unit produced electronic warfare",
    stasis.ew_is_frozen,
    otherwise="no frozen unit produced electronic warfare",
)
HAS_ROLLED = fact(
    "the damage die is rolled",
    damage.has_rolled,
    otherwise="the damage die is not rolled yet",
    owed="roll the damage die with `roll-damage`",
)
HAS_SCORED = fact(
    "the damage is stated",
    damage.has_scored,
    otherwise="the damage is not stated yet",
    owed="state the damage with `score`",
)
DAMAGE_LEFT = fact(
    "some damage is not allotted yet",
    allotment.damage_is_left,
    otherwise="all damage is allotted",
    owed="allot the damage with `allot`; use `carry-over` for points that no unit can take",
    who=allotment.damage_to_allot,
)
MAULER_HERE = fact("a ship subject to shock is here", battle.mauler_here, otherwise="no ship subject to shock is here")
DEFENDER_RETREATS = fact("the defender retreats", retreat.defender_retreats, otherwise="the defender stays")
NOBODY_RETREATS = fact("neither side retreats", retreat.nobody_retreats, otherwise="a side retreats")
ONE_RETREATS = fact("one side retreats", retreat.one_retreats, otherwise="both sides retreat, or neither does")
LEAVES_BASE = fact("a retreating side leaves a base", retreat.leaves_base, otherwise="no side leaves a base")
MAY_GO = fact(
    "the side has ships in the hex",
    retreat.can_retreat,
    otherwise="the side has no ship in the hex; bases stay in place",
)
MUST_GO = fact(
    "ships of the retreating side are still in the hex",
    retreat.has_to_go,
    otherwise="every ship of the retreating side has left the hex",
    owed="move out of the hex with `retreat`",
    who=retreat.ships_to_go,
)
PURSUIT_SEALED = fact(
    "the pursuit force is sealed",
    battle.has_sealed("pursuit"),
    otherwise="the pursuit force is not sealed yet",
    owed="seal the pursuit force with `seal-pursuit`",
    name="pursuit_sealed",
)
SLOW_UNITS_FIGHT = fact("Slow Units are pursued", pursuit.slow_units_fight, otherwise="no Slow Units are pursued")
CAN_PURSUE = fact(
    "the pursuer has ships in the hex", retreat.can_pursue, otherwise="the pursuer has no ship in the hex"
)
PURSUIT_DIE_SEALED = fact(
    "the pursuit die is rolled",
    battle.has_sealed("pursuit die"),
    otherwise="the pursuit die is not rolled yet",
    owed="roll the pursuit die with `roll-pursuit`",
    name="pursuit_die_sealed",
)
HAS_STOOD = fact(
    "the retreating Battle Force is set up",
    pursuit.has_stood,
    otherwise="the retreating Battle Force is not set up yet",
    owed="set up the retreating Battle Force with `stand`",
)
SOMEBODY_STANDS = fact(
    "a retreating Battle Force is set up", pursuit.somebody_stands, otherwise="no retreating Battle Force is set up"
)
TWO_DEFEND = fact(
    "two sides defend the hex", battle.there_is_a("second"), otherwise="one side defends the hex", name="two_defend"
)
THREE_DEFEND = fact(
    "three sides defend the hex",
    battle.there_is_a("third"),
    otherwise="fewer than three sides defend the hex",
    name="three_defend",
)
SECOND_RETREATS = fact(
    "the second defender retreats",
    retreat.further_retreats("second"),
    otherwise="the second defender stays or is not asked",
    name="second_retreats",
)
THIRD_RETREATS = fact(
    "the third defender retreats",
    retreat.further_retreats("third"),
    otherwise="the third defender stays or is not asked",
    name="third_retreats",
)
DECOYS_UNANNOUNCED = fact(
    "decoys recorded for ships here are not announced yet",
    decoys.decoys_unannounced,
    otherwise="the decoys recorded for ships here are announced",
    owed="announce their number and types with `announce-decoys`",
    who=decoys.decoys_present,
    secret=True,
)
CAN_WITHDRAW = fact(
    "the side has ships that can withdraw", withdrawal.can_withdraw, otherwise="the side has no unit that can withdraw"
)
WITHDRAWS = fact("a defender withdraws", withdrawal.somebody_withdraws, otherwise="no defender withdraws")
WITHDRAWAL_OWED = fact(
    "units that withdraw are still in the hex",
    withdrawal.withdrawal_owed,
    otherwise="the withdrawing units have left the hex",
    owed="move out of the hex with `withdraw`",
    who=withdrawal.who_is_to_go,
)
SIZE_IS_SET = fact(
    "the scenario defines small-scale combat",
    size.size_is_set,
    otherwise="the players decide whether combat is small-scale",
)
IS_SMALL = fact(
    "the forces were small in the first round", size.is_small, otherwise="the forces were too large in the first round"
)
SMALL_ROUND_DUE = fact(
    "the round of small-scale combat has not been rolled for",
    size.small_round_is_due,
    otherwise="the round of small-scale combat has been rolled for",
    owed="roll for the round with `skirmish`, using any of",
    who=size.who_may_fight,
)
DIE_AWAITED = fact(
    "an opponent's die may still cause losses",
    dice_awaited.die_is_awaited,
    otherwise="no opponent's die can still cause losses",
    owed="state the losses after each of these sides has rolled or ended the step",
    who=dice_awaited.dice_awaited,
    waits=True,
)
ASSAULT_DUE = fact(
    "a designated ground assault has not been rolled for",
    dice_awaited.assault_is_due,
    otherwise="every designated ground assault has been rolled for",
    owed="roll for the assault of each unit with `skirmish`",
    who=dice_awaited.assaults_due,
)
WEB_READY = fact(
    "a web caster can still be used this round",
    designations.web_is_ready,
    otherwise="no web caster is left to use this round",
)
APPROACH_IS_SET = fact(
    "the scenario states how much damage leads to the base",
    damage.approach_is_set,
    otherwise="the players decide whether the damage leads to the base",
)
APPROACH_WON = fact(
    "an approach battle did enough damage", damage.approach_won, otherwise="no approach battle did enough damage"
)
APPROACH_LOST = fact(
    "the last approach battle did too little damage",
    damage.approach_lost,
    otherwise="no approach battle did too little damage",
)
FATE_DUE = fact(
    "a unit has a die to roll",
    fates.fate_is_due,
    otherwise="no unit has a die to roll",
    owed="roll the die of each unit with `roll-fate`",
    who=fates.rolled_for,
)
SHOCK_DUE = fact(
    "a ship has not yet taken the result of its shock die",
    fates.shock_is_due,
    otherwise="every ship has taken the result of its shock die",
    owed="use `suffer` to state whether each ship is crippled or destroyed",
    who=fates.shock_to_suffer,
)
SAF_DUE = fact(
    "a SAF that was aimed has not struck yet",
    fates.saf_is_due,
    otherwise="every SAF that was aimed has struck",
    owed="strike with each SAF: `strike-saf`",
    who=fates.aimed,
)
PINWHEELS_STAND = fact("a pinwheel is in the hex", pinwheels.pinwheels_stand, otherwise="no pinwheel is in the hex")
