"""Phase 5 as it is printed: the battle hexes one by one, each in rounds of steps 2 to 7, and pursuit as a procedure.

Readings, beside the steps that they settle: A1 to A9, A11, A13 of the list in `sequence`. Every way out of a hex is a
way out of `5-ROUND`: its rounds end when one side has no unit left there (A11), which is also how a retreat ends them.
"""

from umpire_ledger.domain.titles.federation_and_empire import fighting as f
from umpire_ledger.domain.titles.federation_and_empire import forces as b
from umpire_ledger.domain.titles.federation_and_empire import intensity as n
from umpire_ledger.domain.titles.federation_and_empire import missions as m
from umpire_ledger.domain.titles.federation_and_empire import options as x
from umpire_ledger.domain.titles.federation_and_empire import retreat as r
from umpire_ledger.domain.titles.federation_and_empire import stasis as z
from umpire_ledger.domain.titles.federation_and_empire.economy import CheckSupply, Receive, Spend
from umpire_ledger.domain.titles.federation_and_empire.labels import CITES
from umpire_ledger.domain.titles.federation_and_empire.moving import Dissolve
from umpire_ledger.domain.titles.federation_and_empire.raids import Skirmish, Suffer
from umpire_ledger.domain.titles.federation_and_empire.shipyard import Depot, Repair, Scuttle
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
    chose,
    ever,
    fact,
    inside,
    nth,
)

DEFENDER, DEFENDERS, BOTH, ROMULANS = "defender", "defenders", "battlers", "romulans"
Orders = tuple[type[Order], ...]
AGREED: Orders = (Roll, Mark)
"""What happens under rules that we do not have: dice, and what comes of them."""

# --- what is asked ----------------------------------------------------------------------------------------------------

both_here = fact("both_are_here", "both sides still have units in the hex")
base_here = fact("base_is_here", "a base of the defender's is in the hex")
has_ships = fact("defender_has_ships", "the defender has ships beside the base")
recorded = fact("decoys_recorded", "where the decoys are is recorded, even if there are none")
stays = fact("defenders_stay", "a defender stays in the hex")
flagship = fact("has_flagship", "the flagship of those who stay is named")
crippled_withdrew = fact("crippled_withdrew", "a crippled unit has withdrawn")
attacker_cloaks = fact("attacker_cloaks", "the attacker has cloaking devices here")
defender_cloaks = fact("defender_cloaks", "the defender has cloaking devices here")
escorts = fact("escorts_sealed", "escort groups are sealed, even if there are none")
flagships = fact("flagship_sealed", "the flagship is sealed")
force = fact("force_sealed", "the Battle Force is sealed")
no_force = fact("nobody_here", "nobody of the side is left in the battle")
pinwheels = fact("pinwheel_here", "ships that can form pinwheels are here")
declared = fact("pinwheels_declared", "the number of pinwheels is declared")
formed = fact("pinwheels_formed", "a pinwheel is formed")
penal = fact("penal_here", "a penal ship is here")
fighting = fact("is_fighting_retreat", "this is a fighting retreat")
bir = fact("bir_sealed", "the Battle Intensity Rating is sealed")
ew = fact("ew_sealed", "electronic warfare is sealed")
xbase = fact("xbase_here", "an X-base is here")
sfg = fact("sfg_here", "a ship with a stasis field generator is here")
attempts = fact("stasis_waits", "an attempt with a stasis field generator is declared and not rolled")
broke_down = fact("stasis_broke_down", "a stasis field generator broke down")
targets_missing = fact("targets_missing", "the targets of the random result are not named")
random_due = fact("random_is_due", "the random ship is not rolled")
ew_frozen = fact("ew_is_frozen", "a frozen unit produced electronic warfare")
rolled = fact("has_rolled", "the damage die is rolled")
scored = fact("has_scored", "the damage is stated: `score`")
damage_left = fact("damage_is_left", "damage is not allotted: `allot`, or `carry-over` what cannot be")
mauler = fact("mauler_here", "a ship subject to shock is here")
defender_retreats = fact("defender_retreats", "the defender retreats")
nobody_retreats = fact("nobody_retreats", "neither side retreats")
one_retreats = fact("one_retreats", "one side retreats")
leaves_base = fact("leaves_base", "those who retreat leave a base behind")
may_go = fact("can_retreat", "the side has ships in the hex: bases do not retreat")
must_go = fact("has_to_go", "ships of the retreating side are still in the hex")
pursuit = fact("pursuit_sealed", "the pursuit force is sealed")
slow_fight = fact("slow_units_fight", "Slow Units are pursued")
able = fact("can_pursue", "the pursuer has ships in the hex")
pursuit_die = fact("pursuit_die_sealed", "the pursuit die is rolled")


def step(label: str, name: str, by: str | tuple[str, ...] = "", *allows: type[Order], **more: object) -> Step:
    """A printed step with the rule numbers of its label; who acts there may also do what is agreed on."""
    rules = CITES.get(label.partition("/")[0], ())
    return Step(label, name, by=by, allows=(*allows, *(AGREED if by else ())), rules=rules, **more)  # type: ignore[arg-type]


def head(label: str, name: str, *parts: AnyPlace | Condition) -> Heading:
    """A printed heading: its guard first where it has one, then its children."""
    when = next((one for one in parts if isinstance(one, Condition)), None)
    steps = tuple(one for one in parts if not isinstance(one, Condition))
    return Heading(label, name, steps=steps, when=when, rules=CITES.get(label, ()))


# fmt: off
# --- step 1, once a hex -----------------------------------------------------------------------------------------------

STEP_1 = head("5-S1", "withdrawal before combat",
    step("5-1A/decoys", "number and types of cloaked decoys", ROMULANS, m.AnnounceDecoys, when=x.decoys),
    step("5-1A", "does the defender withdraw", DEFENDER, answers=(Answer("withdraw"), Answer("stay"))),
    step("5-1B", "is the withdrawal opposed", ACTIVE, when=chose("5-1A", "withdraw"),
         answers=(Answer("oppose"), Answer("let go"))),
    step("5-1C", "the withdrawal", DEFENDERS, b.Withdraw, when=chose("5-1A", "withdraw"), need="conditional"),
    step("5-1C/decoys", "where the decoys are, secretly", ROMULANS, b.RecordDecoys, when=x.decoys, secret=True,
         needs=recorded),  # A12
    step("5-1D", "the flagship of those who stay", DEFENDER, b.NameFlagship, when=stays, needs=flagship),
    step("5-1E", "cloaked evasion", DEFENDER, b.Evade, b.NameFlagship, when=stays & defender_cloaks, needs=flagship,
         need="optional", rolls="1d6"),
    # Cripples are pursued first; if others stayed, their battle follows (A6).
    step("5-1F", "are the crippled pursued", ACTIVE, when=crippled_withdrew, need="conditional",
         answers=(Answer("pursue", to="5-S8", when=able), Answer("do not"))))

# --- step 2, every round ----------------------------------------------------------------------------------------------
# The offer must be made in the first round; later it may be (A3), until an approach battle was won (5-4G).

STEP_2 = head("5-S2", "action with bases", base_here,
    head("5-2A", "approach battle", ~ever("5-4G", "enough"),
        step("5-2A1", "cloak past the approach battle", ACTIVE, when=attacker_cloaks, keep="5-HEX",
             answers=(Answer("cloak", to="5-S3"), Answer("go openly"))),
        step("5-2A2", "offer of an approach battle", ACTIVE,
             answers=(Answer("offer"), Answer("no offer", to="5-2B", when=~nth(1, "5-ROUND")))),
        step("5-2A3", "accepted or rejected", DEFENDER,
             answers=(Answer("accept", when=has_ships), Answer("reject"))),
        step("5-2A4", "the approach battle: without the base", when=chose("5-2A3", "accept"), then=(Go("5-S3"),))),
    head("5-2B", "base battle",
        step("5-2B1", "does the attacker retreat before it", ACTIVE,
             answers=(Answer("retreat", to="5-S7", when=may_go), Answer("fight"))),
        step("5-2B2", "the base battle: with the base")))

# --- step 3 -----------------------------------------------------------------------------------------------------------
# Small-scale combat is tested in the first round and holds for the hex (A7). No pinwheel declared: straight on (A13);
# a refused battle is one round without combat, counted once (A5).

STEP_3 = head("5-S3", "battle forces",
    step("5-3A", "second check of supply", BOTH, CheckSupply),
    step("5-3B", "forces are organised", BOTH, m.Designate, need="optional"),
    step("5-3B/size", "small-scale combat or not", ACTIVE, when=nth(1, "5-ROUND"), keep="5-HEX",
         answers=(Answer("small"), Answer("full"))),
    step("5-3C", "escort groups, secretly", BOTH, b.SealEscorts, m.AssignMission, secret=True,
         needs=escorts | ~nth(1, "5-ROUND") | no_force),
    step("5-3D", "flagships, secretly", BOTH, b.SealFlagship, secret=True, needs=flagships | no_force),
    step("5-3E", "battle forces, secretly", BOTH, b.SealForce, m.TransferLeader, Spend, secret=True,
         needs=force | no_force),
    head("5-3F", "pinwheels", pinwheels,
        step("5-3F1", "how many pinwheels", "tholians", b.DeclarePinwheels, needs=declared),
        step("5-3F2", "is an approach battle offered", "foes_of_pinwheels", when=formed,
             answers=(Answer("offer"), Answer("none", to="5-3G"))),
        step("5-3F3", "do the Tholians accept it", "tholians", when=chose("5-3F2", "offer"),
             answers=(Answer("accept", to="5-3G"), Answer("refuse"))),
        step("5-3F4", "refused: no combat in this round", when=chose("5-3F3", "refuse"), then=(Go("5-S7"),))),  # A5
    step("5-3G", "forces are announced together", BOTH, m.Designate, also=ROMULANS, need="optional"),
    step("5-3G/decoys", "decoys that give a formation bonus", ROMULANS, m.RevealDecoy, when=x.decoys,
         need="optional"),
    step("5-3H", "honor duel", BOTH, Skirmish, Suffer, when=x.honor_duels & penal, need="optional", rolls="1d6"),
    step("5-3J", "web casters against COMPOT", BOTH, m.Designate, when=x.web, need="optional"),
    step("5-3K", "small-scale combat", BOTH, Skirmish, Suffer, when=ever("5-3B/size", "small"), need="conditional",
         rolls="1d6", then=(Go("5-S6"),)))

STEP_3X = head("5-S3X", "battle intensity",
    step("5-3X1", "is it a fighting retreat", BOTH, n.FightingRetreat, need="optional"),
    step("5-3X2", "ratings", BOTH, n.SealIntensity, when=~fighting, needs=bir, secret=True),
    step("5-3X3", "offensive cloaking", ACTIVE, m.Designate, when=attacker_cloaks & ~ever("5-2A1", "cloak"),
         need="optional", rolls="1d6"),
    step("5-3X4", "variable intensity", BOTH, n.VaryIntensity, rolls="1d6"),
    step("5-3X5", "web casters against the ISC", BOTH, n.AdjustIntensity, when=x.isc & x.web, need="optional"))

# --- step 4 -----------------------------------------------------------------------------------------------------------

STASIS = head("5-4A7", "stasis field generators", sfg,
    step("5-4A7A", "attempts are declared", "owners_of_sfg", z.DeclareStasis, need="optional"),
    Rounds("5-4A7/attempt", "one attempt after another", until=~attempts, steps=(
        step("5-4A7B", "the attempt", "owners_of_sfg", z.RollStasis, when=attempts, rolls="sfg", answers=(
            Answer("frozen", by_dice=True), Answer("missed", by_dice=True), Answer("random", by_dice=True),
            Answer("breakdown", to="5-4A7D", by_dice=True))),
        step("5-4A7C", "random targets", BOTH, z.NameTargets, z.RollTarget, when=chose("5-4A7B", "random"),
             needs=~targets_missing & ~random_due, need="conditional", rolls="1d6"))),
    step("5-4A7D", "a breakdown voids every attempt", when=broke_down, then=(Go("5-4B"),)),
    step("5-4A7E", "the EW shift anew", BOTH, n.ShiftEW, when=ew_frozen, need="conditional"),
    step("5-4A7F", "decoys divert a stasis field", (ROMULANS, "iscs"), m.RevealDecoy, when=x.decoys | x.isc,
         need="optional", rolls="1d6"))

STEP_4 = head("5-S4", "damage is determined",
    step("5-4A1", "SWAC missions", BOTH, m.Designate, when=x.swac, need="optional"),
    step("5-4A2", "electronic warfare, secretly", BOTH, n.SealEW, n.ShiftEW, needs=ew, secret=True),
    step("5-4A3", "EW of X-ships", BOTH, n.ShiftEW, when=x.x_ships, need="optional"),
    step("5-4A4", "X-bases choose after the reveal", "owners_of_xbase", n.ShiftEW, when=xbase, need="conditional"),
    step("5-4A5", "units for troop assaults", BOTH, n.Announce, when=x.ground_combat, need="optional"),
    step("5-4A6", "SAF against fixed units", ACTIVE, n.Announce, when=x.saf, need="optional"),
    STASIS,
    step("5-4B", "shock factors and web fists", BOTH, n.Announce, need="optional"),
    head("5-4C", "combat potential",
        step("5-4C1", "SWACs and honor duels", BOTH, m.Designate, when=x.swac | x.honor_duels, need="optional"),
        step("5-4C2", "captured ships and war-plans", BOTH, b.UseCaptured, n.AdjustIntensity, need="optional"),
        step("5-4C3", "damage dice", BOTH, f.RollDamage, needs=rolled, rolls="1d6"),
        step("5-4C4", "the damage", BOTH, f.Score, needs=scored)),
    step("5-4D", "captured ships that were used are gone"),
    step("5-4E", "minus points"),
    step("5-4F", "do SWACs survive", BOTH, Suffer, when=x.swac, need="conditional", rolls="1d6"),
    step("5-4G", "enough damage to go on to the base", ACTIVE, keep="5-HEX",
         when=chose("5-2A3", "accept") & ~inside("5-S8"), answers=(Answer("enough"), Answer("too little"))))

# --- steps 5 to 6X ----------------------------------------------------------------------------------------------------

STEP_5 = head("5-S5", "directed damage",
    step("5-5A", "penal ships sacrifice themselves", BOTH, f.Sacrifice, when=penal, need="optional"),
    step("5-5B", "the phasing side directs", ACTIVE, f.Direct, m.RevealDecoy, also=ROMULANS, need="optional"),
    step("5-5C", "the non-phasing side directs", DEFENDERS, f.Direct, m.RevealDecoy, also=ROMULANS, need="optional"),
    step("5-5D", "plus points"),
    step("5-5E", "damage by SAF", BOTH, Suffer, when=x.saf, need="conditional", rolls="1d6"))

STEP_6 = head("5-S6", "damage is allotted",
    step("5-6A", "the non-phasing side to its units", DEFENDERS, f.Allot, f.CarryOver, needs=~damage_left),
    step("5-6B", "the phasing side to its units", ACTIVE, f.Allot, f.CarryOver, needs=~damage_left),
    step("5-6C", "fate of Prime Teams", BOTH, m.LoseLeader, when=x.prime_teams, need="conditional", rolls="1d6"),
    step("5-6D", "shock", BOTH, Suffer, when=mauler, need="conditional", rolls="1d6"),
    step("5-6E", "fighters and PFs change ships", BOTH, m.Designate, need="optional"),
    step("5-6F", "towed out of the web", BOTH, m.Designate, when=x.web, need="optional"),
    step("5-6G", "pinwheels are dissolved", BOTH, b.DissolvePinwheel, when=formed, need="optional"),
    step("5-6H", "tugs rescue ships", BOTH, r.Rescue, need="optional", rolls="1d6"))

STEP_6X = head("5-S6X", "troops",
    step("5-6X1", "captured ships", BOTH, f.Capture, need="optional", rolls="capture"),
    step("5-6X2", "fate of admirals and generals", BOTH, m.LoseLeader, m.TransferLeader, when=x.admirals, rolls="1d6"),
    step("5-6X3", "units for a ground assault", BOTH, n.Announce, when=x.ground_combat, need="optional"),
    step("5-6X4", "ground assaults", BOTH, Skirmish, Suffer, when=x.ground_combat, need="optional", rolls="1d6"),
    step("5-6X5", "fighters of lost battalions; GCEs return", BOTH, m.Designate, when=x.ground_combat,
         need="conditional"),
    step("5-6X6", "GCEs change ships", BOTH, m.Designate, when=x.ground_combat, need="optional"),
    step("5-6X7", "depot repair and salvage", BOTH, Receive, Depot, need="conditional"),
    step("5-6X8", "bases are repaired", BOTH, Repair, need="optional"),
    step("5-6X9", "scuttling", BOTH, Scuttle, need="optional"))

# --- step 7 -----------------------------------------------------------------------------------------------------------
# Sent here from 5-2B1 or 5-3F4, the defender still has both his chances (A4). Those who leave a base behind go first,
# pursued or not; the next round is against the base alone (A1).

STEP_7 = head("5-S7", "retreat", both_here,
    step("5-7A1", "the defender's first chance", DEFENDER, answers=(Answer("retreat", when=may_go), Answer("stay"))),
    step("5-7A2", "the attacker's chance", ACTIVE, when=~chose("5-2B1", "retreat"),
         answers=(Answer("retreat", when=may_go), Answer("stay"))),
    step("5-7A3", "the defender's last chance", DEFENDER, when=~defender_retreats,
         answers=(Answer("retreat", when=may_go), Answer("stay"))),
    step("5-7A4", "neither: the next round; both: the defender first", then=(Go("5-ROUND", when=nobody_retreats),)),
    step("5-7A5", "a base is left behind", when=leaves_base),
    step("5-7B", "is there a pursuit", "pursuer", when=one_retreats, need="optional",  # printed: «Step #»
         answers=(Answer("pursue", to="5-S8", when=able), Answer("do not"))),
    step("5-7C", "paths of retreat", "who_goes", when=~chose("5-7B", "pursue"), need="conditional"),
    step("5-7D", "the retreat", "who_goes", r.RetreatUnits, m.AssignMission, when=~chose("5-7B", "pursue"),
         needs=~must_go, need="conditional", in_turn=True))

# --- step 8, called from 5-1F and 5-7B --------------------------------------------------------------------------------
# A failed die leaves out 5-8D and 5-8F (A8). Borrowed are steps 3X to 6, not 6X (A2); a pursuit has no step 7.

PURSUIT = head("5-S8", "pursuit",
    step("5-8A", "the pursuit force, secretly", "pursuer", r.SealPursuit, b.SealEscorts, secret=True,
         needs=pursuit | ~able),
    step("5-8B", "the pursuit die", "pursuer", r.RollPursuit, needs=pursuit_die, secret=True, rolls="1d6"),
    step("5-8C", "its result is announced", "pursuer", answers=(Answer("success"), Answer("failure"))),
    step("5-8D", "the pursued set up", "pursued", r.Stand, m.RevealDecoy, when=chose("5-8C", "success")),
    step("5-8E", "the pursuer reveals", "pursuer"),
    step("5-8F", "pursuit battle", ("pursued", ROMULANS), r.Rescue, m.RevealDecoy, when=chose("5-8C", "success"),
         runs=("5-S3X", "5-S6"), need="conditional", rolls="1d6"),
    step("5-8G", "battle of the Slow Units", "pursued", r.Rescue, when=slow_fight, runs=("5-S3X", "5-S6"),
         need="conditional", rolls="1d6"),
    step("5-8H", "obsolete", need="obsolete"),
    step("5-8J", "pursuit is over: the retreat follows"),
    step("5-8K", "paths of retreat", "who_goes"),
    step("5-8L", "the retreat", "who_goes", r.RetreatUnits, needs=~must_go, in_turn=True))

# --- the phase --------------------------------------------------------------------------------------------------------

COMBAT = head("5", "combat",
    Each("5-HEX", "battle hex", of="battle_hexes", by=ACTIVE, rules=("302.9",), steps=(
        STEP_1,
        Rounds("5-ROUND", "round of combat", when=both_here, until=~both_here, steps=(
            STEP_2, STEP_3, STEP_3X, STEP_4, STEP_5, STEP_6, STEP_6X, STEP_7)))),
    step("5-END", "groups may be disbanded", "players", Dissolve, need="optional"))
# fmt: on
