"""Declare Phase 5 as it is printed: the battle hexes in turn, each in rounds of steps 2 to 7; pursuit is a procedure.

Readings are next to the steps that they settle: A1 to A9, A11, A13 of the list in `sequence`. Play leaves a hex only
through `5-ROUND`: its rounds end when one side has no unit left there (A11). A retreat ends them in the same way.
"""

from umpire_ledger.domain.titles.federation_and_empire import (
    options,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.combat_facts import (
    APPROACH_IS_SET,
    APPROACH_LOST,
    APPROACH_WON,
    ASSAULT_DUE,
    ATTACKER_CLOAKS,
    ATTACKER_SAF,
    BASE_HERE,
    BIR_SEALED,
    BOTH_HERE,
    CAN_PURSUE,
    CAN_WITHDRAW,
    CRIPPLED_WITHDREW,
    DAMAGE_LEFT,
    DECOYS_RECORDED,
    DECOYS_UNANNOUNCED,
    DEFENDER_CLOAKS,
    DEFENDER_RETREATS,
    DEFENDERS_STAY,
    DIE_AWAITED,
    ESCORTS_SEALED,
    EW_FROZEN,
    EW_SEALED,
    FATE_DUE,
    FIGHTING_RETREAT,
    FLAGSHIP_NAMED,
    FLAGSHIP_SEALED,
    FORCE_SEALED,
    HAS_ROLLED,
    HAS_SCORED,
    HAS_SHIPS,
    HAS_STOOD,
    IS_SMALL,
    LEAVES_BASE,
    MAULER_HERE,
    MAY_GO,
    MUST_GO,
    NOBODY_HERE,
    NOBODY_RETREATS,
    ONE_RETREATS,
    PENAL_HERE,
    PINWHEEL_HERE,
    PINWHEELS_DECLARED,
    PINWHEELS_FORMED,
    PINWHEELS_STAND,
    PURSUIT_DIE_SEALED,
    PURSUIT_SEALED,
    RANDOM_IS_DUE,
    SAF_DUE,
    SECOND_RETREATS,
    SFG_HERE,
    SHOCK_DUE,
    SIZE_IS_SET,
    SLOW_UNITS_FIGHT,
    SMALL_ROUND_DUE,
    SOMEBODY_STANDS,
    STASIS_BROKE_DOWN,
    STASIS_WAITS,
    TARGETS_MISSING,
    THIRD_RETREATS,
    THREE_DEFEND,
    TWO_DEFEND,
    VARIABLE_DUE,
    WEB_READY,
    WITHDRAWAL_OWED,
    WITHDRAWS,
    XBASE_HERE,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.damage import RollDamage, Score
from umpire_ledger.domain.titles.federation_and_empire.combat.directed import Direct, Sacrifice
from umpire_ledger.domain.titles.federation_and_empire.combat.electronic_warfare import SealEW, ShiftEW
from umpire_ledger.domain.titles.federation_and_empire.combat.fates import RollFate, StrikeSaf
from umpire_ledger.domain.titles.federation_and_empire.combat.forces import SealEscorts, SealFlagship, SealForce
from umpire_ledger.domain.titles.federation_and_empire.combat.intensity import (
    AdjustIntensity,
    Announce,
    FightingRetreat,
    RaiseIntensity,
    SealIntensity,
    VaryIntensity,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.pinwheels import DeclarePinwheels, DissolvePinwheel
from umpire_ledger.domain.titles.federation_and_empire.combat.prizes import Capture, UseCaptured
from umpire_ledger.domain.titles.federation_and_empire.combat.pursuit import AddSlow, RollPursuit, SealPursuit, Stand
from umpire_ledger.domain.titles.federation_and_empire.combat.rescues import Rescue
from umpire_ledger.domain.titles.federation_and_empire.combat.retreat import RetreatUnits
from umpire_ledger.domain.titles.federation_and_empire.combat.skirmish import Skirmish, Suffer
from umpire_ledger.domain.titles.federation_and_empire.combat.withdrawal import (
    AnnounceWithdrawal,
    Evade,
    NameFlagship,
    Withdraw,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import printed
from umpire_ledger.domain.titles.federation_and_empire.economy.allotment import Allot, CarryOver
from umpire_ledger.domain.titles.federation_and_empire.economy.economy import CheckSupply, Receive
from umpire_ledger.domain.titles.federation_and_empire.economy.repairs import Depot, Repair
from umpire_ledger.domain.titles.federation_and_empire.economy.shipyard import Scuttle
from umpire_ledger.domain.titles.federation_and_empire.movement.missions import (
    AssignMission,
    Designate,
    LoseLeader,
    RevealAdmiral,
    TransferLeader,
)
from umpire_ledger.domain.titles.federation_and_empire.movement.retrograde import Dissolve
from umpire_ledger.domain.titles.federation_and_empire.movement.stasis import (
    DeclareStasis,
    NameTargets,
    RollStasis,
    RollTarget,
)
from umpire_ledger.domain.titles.federation_and_empire.raids.decoys import (
    AnnounceDecoys,
    RecordDecoys,
    RevealDecoy,
    WithdrawDecoy,
)
from umpire_ledger.domain.titles.federation_and_empire.raids.designations import (
    AssignSwac,
    AttackCloaked,
    CastWeb,
    GiveBonus,
    PullOut,
    ReturnGce,
    TakeCore,
    Tow,
    TransferFighters,
    TransferGce,
)
from umpire_ledger.domain.titles.federation_and_empire.rule_numbers import CITES
from umpire_ledger.kit import (
    ACTIVE,
    Answer,
    AnyPlace,
    Condition,
    Each,
    Go,
    Heading,
    Mark,
    Order,
    Roll,
    Rounds,
    Step,
    Touch,
    chose,
    done,
    ever,
    inside,
    nth,
)

MUST_OFFER = (ever("5-4G", "too little") | APPROACH_LOST) & HAS_SHIPS
DEFENDER, DEFENDERS, BOTH = "defender", "defenders", "battlers"
APPROACH_DEFENDER = "approach_defender"
SECOND, THIRD, WITHDRAWERS = "second_defender", "third_defender", "withdrawers"
DECOY_SHIPS, DECOYS_GONE, DECOYS_HIT_B, DECOYS_HIT_C = "decoy_ships", "decoys_gone", "decoys_hit_b", "decoys_hit_c"
DECOYS_FROZEN, DECOYS_ESCAPE = "decoys_frozen", "decoys_escape"
"""Roles: the Romulans if they have something to decide, by facts that all sides can see."""
Orders = tuple[type[Order], ...]
RETREAT_OR_STAY = (Answer("retreat", when=MAY_GO), Answer("stay"))
AGREED: Orders = (Roll, Mark)
"""Orders for events under rules that we do not have: dice and their results."""
AGREEMENTS = Touch(markers=("agreed*",), questions=("special fighters",))
"""Markers and questions in which players may note agreements; orders write all others."""


def step(label: str, name: str, by: str | tuple[str, ...] = "", *allows: type[Order], **more: object) -> Step:
    """Return a printed step with the rule numbers of its label; a side that acts there may also record agreements."""
    rules = CITES.get(printed(label), ())
    agreed = AGREED if by else ()
    return Step(label, name, by=by, allows=(*allows, *agreed), touches=AGREEMENTS, rules=rules, **more)  # type: ignore[arg-type]


def head(label: str, name: str, *parts: AnyPlace | Condition) -> Heading:
    """Return a printed heading with its children; a condition among the parts is its guard."""
    when = next((one for one in parts if isinstance(one, Condition)), None)
    steps = tuple(one for one in parts if not isinstance(one, Condition))
    return Heading(label, name, steps=steps, when=when, rules=CITES.get(label, ()))


# fmt: off
# --- step 1, once a hex -----------------------------------------------------------------------------------------------

STEP_1 = head("5-S1", "withdrawal before combat",
    step("5-1A/decoys", "number and types of cloaked decoys", DECOY_SHIPS, AnnounceDecoys, when=options.decoys,
         needs=~DECOYS_UNANNOUNCED),
    step("5-1A", "does the defender withdraw", DEFENDER, AnnounceWithdrawal,
         answers=(Answer("withdraw", when=CAN_WITHDRAW), Answer("stay"))),
    step("5-1A/second", "does the second defender withdraw", SECOND, AnnounceWithdrawal, when=TWO_DEFEND,
         answers=(Answer("withdraw", when=CAN_WITHDRAW), Answer("stay"))),
    step("5-1A/third", "does the third defender withdraw", THIRD, AnnounceWithdrawal, when=THREE_DEFEND,
         answers=(Answer("withdraw", when=CAN_WITHDRAW), Answer("stay"))),
    step("5-1B", "is the withdrawal opposed", ACTIVE, when=WITHDRAWS, answers=(Answer("oppose"), Answer("let go"))),
    # Rule 302.13, which we do not have, says whether an opposed withdrawal succeeds.
    step("5-1C", "the withdrawal", WITHDRAWERS, Withdraw, AssignMission, when=WITHDRAWS,
         needs=~WITHDRAWAL_OWED | chose("5-1B", "oppose"), need="conditional", in_turn=True),
    step("5-1C/further", "decoys withdraw further", DECOYS_GONE, WithdrawDecoy, when=options.decoys & WITHDRAWS,
         need="optional"),
    step("5-1C/decoys", "where the decoys are, secretly", DECOY_SHIPS, RecordDecoys, when=options.decoys, secret=True,
         needs=DECOYS_RECORDED),  # A12
    step("5-1D", "the flagship of those who stay", DEFENDERS, NameFlagship, when=DEFENDERS_STAY, needs=FLAGSHIP_NAMED),
    step("5-1E", "cloaked evasion", DEFENDERS, Evade, NameFlagship, when=DEFENDERS_STAY & DEFENDER_CLOAKS,
         needs=FLAGSHIP_NAMED, need="optional", rolls="1d6"),
    # Cripples are pursued first; if others stayed, their battle follows (A6).
    step("5-1F", "are the crippled pursued", ACTIVE, when=CRIPPLED_WITHDREW, need="conditional",
         answers=(Answer("pursue", to="5-S8", when=CAN_PURSUE), Answer("do not"))))

# --- step 2, every round ----------------------------------------------------------------------------------------------
# The offer must be made in the first round; later it may be (A3), until an approach battle was won (5-4G). After one
# that did too little damage it must be made again while the defender has ships: only enough damage leads to the base.

STEP_2 = head("5-S2", "action with bases", BASE_HERE,
    head("5-2A", "approach battle", ~(ever("5-4G", "enough") | APPROACH_WON),
        step("5-2A1", "cloak past the approach battle", ACTIVE, when=ATTACKER_CLOAKS & ~ever("5-2A1", "go openly"),
             keep="5-HEX", answers=(Answer("cloak", to="5-S3"), Answer("go openly"))),
        step("5-2A2", "offer of an approach battle", ACTIVE,
             answers=(Answer("offer"), Answer("no offer", to="5-2B", when=~nth(1, "5-ROUND") & ~MUST_OFFER))),
        step("5-2A3", "accepted or rejected", APPROACH_DEFENDER, when=HAS_SHIPS,
             answers=(Answer("accept"), Answer("reject"))),
        step("5-2A4", "the approach battle: without the base", when=chose("5-2A3", "accept"), then=(Go("5-S3"),))),
    head("5-2B", "base battle",
        step("5-2B1", "does the attacker retreat before it", ACTIVE,
             answers=(Answer("retreat", to="5-S7", when=MAY_GO), Answer("fight"))),
        step("5-2B2", "the base battle: with the base")))

# --- step 3 -----------------------------------------------------------------------------------------------------------
# Small-scale combat is tested in the first round and applies to the whole hex (A7). If no pinwheel is declared, play
# continues at 5-3G (A13). A refused battle is one round without combat, counted once (A5).

STEP_3 = head("5-S3", "battle forces",
    step("5-3A", "second check of supply", "battlers_left", CheckSupply),
    step("5-3B", "forces are organised", BOTH, Designate, need="optional"),
    step("5-3B/size", "small-scale combat or not", ACTIVE, when=nth(1, "5-ROUND") & ~SIZE_IS_SET,
         keep="5-HEX", answers=(Answer("small"), Answer("full"))),
    step("5-3C", "escort groups, secretly", BOTH, SealEscorts, AssignMission, secret=True,
         needs=ESCORTS_SEALED | ~nth(1, "5-ROUND") | NOBODY_HERE),
    step("5-3D", "flagships, secretly", BOTH, SealFlagship, secret=True, needs=FLAGSHIP_SEALED | NOBODY_HERE),
    step("5-3E", "battle forces, secretly", BOTH, SealForce, TransferLeader, secret=True,
         needs=FORCE_SEALED | NOBODY_HERE),
    head("5-3F", "pinwheels", PINWHEEL_HERE,
        step("5-3F1", "how many pinwheels", "tholians", DeclarePinwheels, needs=PINWHEELS_DECLARED),
        step("5-3F2", "is an approach battle offered", "foes_of_pinwheels", when=PINWHEELS_FORMED,
             answers=(Answer("offer"), Answer("none", to="5-3G"))),
        step("5-3F3", "do the Tholians accept it", "tholians", when=chose("5-3F2", "offer"),
             answers=(Answer("accept", to="5-3G"), Answer("refuse"))),
        step("5-3F4", "refused: no combat in this round", when=chose("5-3F3", "refuse"), then=(Go("5-S7"),))),  # A5
    step("5-3G", "forces are announced together", BOTH, GiveBonus, TakeCore, Tow, need="optional"),
    step("5-3G/decoys", "decoys that give a formation bonus", DECOY_SHIPS, RevealDecoy, when=options.decoys,
         need="optional"),
    step("5-3H", "honor duel", BOTH, Skirmish, Suffer, when=options.honor_duels & PENAL_HERE,
         needs=~DIE_AWAITED, need="optional", rolls="1d6",
         first_come="a duel is declined if the opponent has ended the step"),
    step("5-3J", "web casters against COMPOT", "web_casters", CastWeb, when=options.web, need="optional"),
    step("5-3K", "small-scale combat", BOTH, Skirmish, Suffer, when=ever("5-3B/size", "small") | IS_SMALL,
         needs=~SMALL_ROUND_DUE & ~DIE_AWAITED, need="conditional", rolls="1d6", then=(Go("5-S6"),)))

STEP_3X = head("5-S3X", "battle intensity",
    step("5-3X1", "is it a fighting retreat", "retreated_here", FightingRetreat, need="optional",
         first_come="one side declares it for all"),
    step("5-3X2", "ratings", BOTH, SealIntensity, RaiseIntensity, when=~FIGHTING_RETREAT, needs=BIR_SEALED,
         secret=True),
    step("5-3X3", "offensive cloaking", ACTIVE, AttackCloaked, when=ATTACKER_CLOAKS & ~ever("5-2A1", "cloak"),
         need="optional", rolls="1d6"),
    step("5-3X4", "variable intensity", BOTH, VaryIntensity, needs=~VARIABLE_DUE, rolls="1d6"),
    step("5-3X5", "web casters against the ISC", "casters_at_isc", CastWeb, when=options.isc & options.web,
         need="optional"))

# --- step 4 -----------------------------------------------------------------------------------------------------------

STASIS = head("5-4A7", "stasis field generators", SFG_HERE,
    step("5-4A7A", "attempts are declared", "owners_of_sfg", DeclareStasis, need="optional"),
    step("5-4A7B/web", "web casters protect a ship", "web_casters", CastWeb, need="optional",
         when=options.web & STASIS_WAITS & WEB_READY),
    Rounds("5-4A7/attempt", "one attempt after another", until=~STASIS_WAITS, steps=(
        step("5-4A7B", "the attempt", "sfg_to_roll", RollStasis, when=STASIS_WAITS, rolls="sfg", answers=(
            Answer("frozen", by_dice=True), Answer("missed", by_dice=True), Answer("random", by_dice=True),
            Answer("breakdown", to="5-4A7D", by_dice=True))),
        step("5-4A7C", "random targets", BOTH, NameTargets, RollTarget, when=chose("5-4A7B", "random"),
             needs=~TARGETS_MISSING & ~RANDOM_IS_DUE, need="conditional", rolls="1d6",
             first_come="a ship that one side has named cannot be a target of another side"))),
    step("5-4A7D", "a breakdown voids every attempt", when=STASIS_BROKE_DOWN, then=(Go("5-4B"),)),
    step("5-4A7E", "the EW shift anew", BOTH, ShiftEW, when=EW_FROZEN, need="conditional",
         first_come="a shift that is stated later corrects the earlier one"),
    step("5-4A7F", "decoys divert a stasis field", (DECOYS_FROZEN, "iscs_frozen"), RevealDecoy,
         when=options.decoys | options.isc, need="optional", rolls="1d6"))

STEP_4 = head("5-S4", "damage is determined",
    step("5-4A1", "SWAC missions", "owners_of_swac", AssignSwac, when=options.swac, need="optional"),
    step("5-4A2", "electronic warfare, secretly", BOTH, SealEW, ShiftEW, needs=EW_SEALED, secret=True,
         first_come="a shift that is stated later corrects the earlier one"),
    step("5-4A3", "EW of X-ships", "owners_of_x", ShiftEW, when=options.x_ships, need="optional"),
    step("5-4A4", "X-bases choose after the reveal", "owners_of_xbase", ShiftEW, when=XBASE_HERE, need="conditional"),
    step("5-4A5", "units for troop assaults", "owners_of_troops", Announce, when=options.ground_combat,
         need="optional"),
    step("5-4A6", "SAF against fixed units", ACTIVE, Announce, when=options.saf & ATTACKER_SAF, need="optional"),
    STASIS,
    step("5-4B", "shock factors and web fists", "announcers", Announce, CastWeb, need="optional"),
    head("5-4C", "combat potential",
        step("5-4C1", "SWACs and honor duels", "affected", when=options.swac | options.honor_duels, need="optional"),
        step("5-4C2", "captured ships and war-plans", "owners_of_booty", UseCaptured, AdjustIntensity, need="optional"),
        step("5-4C3", "damage dice", BOTH, RollDamage, RevealAdmiral, needs=HAS_ROLLED, rolls="1d6"),
        step("5-4C4", "the damage", BOTH, Score, needs=HAS_SCORED)),
    step("5-4D", "captured ships that were used are gone"),
    step("5-4E", "minus points"),
    step("5-4F", "do SWACs survive", "owners_of_lost_swacs", RollFate, when=options.swac, needs=~FATE_DUE,
         need="conditional", rolls="1d6"),
    step("5-4G", "enough damage to go on to the base", ACTIVE, keep="5-HEX",
         when=chose("5-2A3", "accept") & ~APPROACH_IS_SET & ~inside("5-S8"),
         answers=(Answer("enough"), Answer("too little"))))

# --- steps 5 to 6X ----------------------------------------------------------------------------------------------------

STEP_5 = head("5-S5", "directed damage",
    step("5-5A", "penal ships sacrifice themselves", "penal_owners", Sacrifice, when=PENAL_HERE, need="optional"),
    step("5-5B", "the phasing side directs", "attacker_who_directs", Direct, need="optional"),
    step("5-5B/decoys", "decoys divert it", DECOYS_HIT_B, RevealDecoy, when=options.decoys, need="optional",
         rolls="1d6"),
    step("5-5C", "the non-phasing side directs", "defenders_who_direct", Direct, need="optional"),
    step("5-5C/decoys", "decoys divert it", DECOYS_HIT_C, RevealDecoy, when=options.decoys, need="optional",
         rolls="1d6"),
    step("5-5D", "plus points"),
    step("5-5E", "damage by SAF", ACTIVE, StrikeSaf, when=options.saf & SAF_DUE, needs=~SAF_DUE, need="conditional",
         rolls="1d6"))

STEP_6 = head("5-S6", "damage is allotted",
    step("5-6A", "the non-phasing side to its units", "defenders_hurt", Allot, CarryOver, needs=~DAMAGE_LEFT,
         first_come="sides that defend together share the damage as they allot it"),
    step("5-6B", "the phasing side to its units", "attacker_hurt", Allot, CarryOver, needs=~DAMAGE_LEFT),
    step("5-6B/lost", "points that no unit can take are lost"),
    step("5-6C", "fate of Prime Teams", "losers_of_teams", LoseLeader, RollFate, when=options.prime_teams,
         needs=~FATE_DUE, need="conditional", rolls="1d6"),
    step("5-6D", "shock", "owners_of_shock", RollFate, Suffer, when=MAULER_HERE, needs=~FATE_DUE & ~SHOCK_DUE,
         need="conditional", rolls="1d6"),
    step("5-6E", "fighters and PFs change ships", "owners_of_fighters", TransferFighters, need="optional"),
    step("5-6F", "towed out of the web", "owners_of_tows", PullOut, when=options.web, need="optional"),
    step("5-6G", "pinwheels are dissolved", "pinwheel_owners", DissolvePinwheel, when=PINWHEELS_STAND, need="optional"),
    step("5-6H", "tugs rescue ships", "rescuers", Rescue, need="optional", rolls="1d6"))

STEP_6X = head("5-S6X", "troops",
    step("5-6X1", "captured ships", "captors", Capture, need="optional", rolls="capture"),
    step("5-6X2", "fate of admirals and generals", "owners_of_leaders", LoseLeader, RollFate, TransferLeader,
         when=options.admirals, needs=~FATE_DUE, rolls="1d6"),
    step("5-6X3", "units for a ground assault", "assaulters", Announce, when=options.ground_combat, need="optional"),
    step("5-6X4", "ground assaults", "in_assaults", Skirmish, Suffer, RollFate, when=options.ground_combat,
         needs=~ASSAULT_DUE & ~DIE_AWAITED, need="conditional", rolls="1d6"),
    step("5-6X5", "fighters of lost battalions; GCEs return", "owners_of_troops_to_move", TransferFighters, ReturnGce,
         TransferLeader, when=options.ground_combat | options.prime_teams, need="conditional"),
    step("5-6X5/lost", "GCEs that have not returned are lost", when=options.ground_combat),
    step("5-6X6", "GCEs change ships", "owners_of_gces", TransferGce, when=options.ground_combat, need="optional"),
    step("5-6X7", "depot repair and salvage", "owners_of_casualties", Receive, Depot, need="conditional"),
    step("5-6X8", "bases are repaired", "owners_of_hurt_bases", Repair, need="optional"),
    step("5-6X9", "scuttling", "scuttlers", Scuttle, need="optional"))

# --- step 7 -----------------------------------------------------------------------------------------------------------
# A defender sent here from 5-2B1 or 5-3F4 still has both its chances (A4). A side that leaves a base in the hex goes
# first, pursued or not; the next round is against the base alone (A1).

STEP_7 = head("5-S7", "retreat", BOTH_HERE,
    step("5-7A1", "the defender's first chance", DEFENDER, answers=RETREAT_OR_STAY),
    step("5-7A1/second", "the second defender's first chance", SECOND, when=TWO_DEFEND, answers=RETREAT_OR_STAY),
    step("5-7A1/third", "the third defender's first chance", THIRD, when=THREE_DEFEND, answers=RETREAT_OR_STAY),
    step("5-7A2", "the attacker's chance", ACTIVE, when=~chose("5-2B1", "retreat"), answers=RETREAT_OR_STAY),
    step("5-7A3", "the defender's last chance", DEFENDER, when=~DEFENDER_RETREATS, answers=RETREAT_OR_STAY),
    step("5-7A3/second", "the second defender's last chance", SECOND, when=TWO_DEFEND & ~SECOND_RETREATS,
         answers=RETREAT_OR_STAY),
    step("5-7A3/third", "the third defender's last chance", THIRD, when=THREE_DEFEND & ~THIRD_RETREATS,
         answers=RETREAT_OR_STAY),
    step("5-7A4", "neither: the next round; both: the defender first", then=(Go("5-ROUND", when=NOBODY_RETREATS),)),
    step("5-7A5", "a base is left behind", when=LEAVES_BASE),
    step("5-7B", "is there a pursuit", "pursuer", when=ONE_RETREATS & CAN_PURSUE, need="optional",
         answers=(Answer("pursue", to="5-S8"), Answer("do not"))),  # printed: «Step #»
    step("5-7C", "paths of retreat", "who_goes", when=~chose("5-7B", "pursue"), need="conditional"),
    step("5-7D", "the retreat", "who_goes", RetreatUnits, AssignMission, when=~chose("5-7B", "pursue"),
         needs=~MUST_GO, need="conditional", in_turn=True))

# --- step 8, called from 5-1F and 5-7B --------------------------------------------------------------------------------
# A failed roll leaves out 5-8D and 5-8F (A8). A pursuit borrows steps 3X to 6, not 6X (A2), and has no step 7.

PURSUIT = head("5-S8", "pursuit",
    step("5-8A", "the pursuit force, secretly", "pursuer", SealPursuit, SealEscorts, secret=True,
         needs=PURSUIT_SEALED | ~CAN_PURSUE),
    step("5-8B", "the pursuit die", "pursuer", RollPursuit, needs=PURSUIT_DIE_SEALED, secret=True, rolls="1d6"),
    step("5-8C", "its result is announced", "pursuer", answers=(Answer("success"), Answer("failure"))),
    step("5-8D", "the pursued set up", "pursued", Stand, SealEscorts, when=chose("5-8C", "success"), needs=HAS_STOOD),
    step("5-8E", "the pursuer reveals", "pursuer", AddSlow),
    step("5-8F/forces", "the forces of its battle", when=chose("5-8C", "success") & SOMEBODY_STANDS),
    step("5-8F", "pursuit battle", "pursued", Rescue, when=chose("5-8C", "success") & SOMEBODY_STANDS,
         runs=("5-S3X", "5-S6"), need="conditional", rolls="1d6"),
    step("5-8F/decoys", "decoys to escape by", DECOYS_ESCAPE, RevealDecoy,
         when=chose("5-8C", "success") & options.decoys, need="optional", rolls="1d6"),
    step("5-8G/forces", "the forces of its battle", when=SLOW_UNITS_FIGHT),
    step("5-8G", "battle of the Slow Units", "pursued", Rescue, when=done("5-8G/forces"), runs=("5-S3X", "5-S6"),
         need="conditional", rolls="1d6"),
    step("5-8H", "obsolete", need="obsolete"),
    step("5-8J", "pursuit is over: the retreat follows"),
    step("5-8K", "paths of retreat", "who_goes"),
    step("5-8L", "the retreat", "who_goes", RetreatUnits, needs=~MUST_GO, in_turn=True))

# --- the phase --------------------------------------------------------------------------------------------------------

COMBAT = head("5", "combat",
    Each("5-HEX", "battle hex", of="battle_hexes", by=ACTIVE, rules=("302.9",), steps=(
        STEP_1,
        Rounds("5-ROUND", "round of combat", when=BOTH_HERE, until=~BOTH_HERE, steps=(
            STEP_2, STEP_3, STEP_3X, STEP_4, STEP_5, STEP_6, STEP_6X, STEP_7)), step("5-HEX/over", "the battle ends"))),
    step("5-END", "groups may be disbanded", "players", Dissolve, need="optional"))
# fmt: on
