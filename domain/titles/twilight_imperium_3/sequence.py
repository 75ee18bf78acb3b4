"""Define the action phase of Twilight Imperium, third edition, as on the printed fan summary, with its gaps closed.

The page prints no ids but speaks of "steps 2-7"; the labels here are invented. Probing belongs between 2 and 3, mines
between 3 and 4, razing and landing PDS to the landings of 6, scuttling before 7. A tactical action never goes back.
The page leaves out the parts of a round before and after the action phase: the step `between` records them.
"""

from umpire_ledger.domain.titles.twilight_imperium_3.abilities import Barrage
from umpire_ledger.domain.titles.twilight_imperium_3.activation import Activate, Transfer
from umpire_ledger.domain.titles.twilight_imperium_3.battle import (
    Announce,
    Retreat,
    RollCombat,
    battle_is_due,
    both_fight,
    dice_are_due,
    fleet_to_retreat,
    retreat_is_due,
)
from umpire_ledger.domain.titles.twilight_imperium_3.cards import DrawCard, PlayCard
from umpire_ledger.domain.titles.twilight_imperium_3.casualties import (
    AssignHits,
    any_hits_owed,
    hits_are_owed,
    hits_to_take,
)
from umpire_ledger.domain.titles.twilight_imperium_3.domain_counters import (
    Probe,
    Raze,
    ResolveDomain,
    can_probe,
    can_raze,
    counter_is_due,
    counter_to_resolve,
)
from umpire_ledger.domain.titles.twilight_imperium_3.invasion import (
    Bombard,
    both_on_planet,
    can_bombard,
    invasion_is_due,
    is_contested,
    suns_can_bombard,
)
from umpire_ledger.domain.titles.twilight_imperium_3.landing import (
    LandFriendly,
    LandHostile,
    LandNeutral,
    LandPds,
    can_land_friendly,
    can_land_hostile,
    can_land_neutral,
    can_land_pds,
    troops_aboard,
)
from umpire_ledger.domain.titles.twilight_imperium_3.mines import RollMine, mines_are_due, ships_among_mines
from umpire_ledger.domain.titles.twilight_imperium_3.movement import MoveShips
from umpire_ledger.domain.titles.twilight_imperium_3.pds import FirePds, anybody_can_fire
from umpire_ledger.domain.titles.twilight_imperium_3.production import BuildDock, Produce, Scuttle, can_scuttle
from umpire_ledger.domain.titles.twilight_imperium_3.strategy import JoinSecondary, can_join
from umpire_ledger.domain.titles.twilight_imperium_3.turn import (
    ChooseStrategy,
    TakeAction,
    everyone_passed,
    is_last_round,
    strategy_is_owed,
)
from umpire_ledger.kit import (
    EACH,
    END,
    Answer,
    Change,
    Choose,
    Condition,
    Each,
    Go,
    Heading,
    Mark,
    Move,
    Pay,
    Place,
    Remove,
    Roll,
    Rounds,
    Sequence,
    Step,
    Touch,
    done,
    fact,
    given,
    picked,
    replace,
)

# --- conditions -------------------------------------------------------------------------------------------------------

EVERYONE_PASSED = fact("every player has passed", everyone_passed, otherwise="a player has not passed yet")
STRATEGY_OWED = fact(
    "a player still has to choose a Strategy card",
    strategy_is_owed,
    otherwise="every player has chosen Strategy cards",
    owed="choose a Strategy card with `choose-strategy`",
)
LAST_ROUND = fact("it was the last round", is_last_round, otherwise="another round follows")
CAN_JOIN = fact(
    "the player has a counter in the Strategy area",
    can_join,
    otherwise="the player has no counter in the Strategy area",
)
CAN_PROBE = fact(
    "a Fighter is at a face-down domain counter",
    can_probe,
    otherwise="no Fighter is at a face-down domain counter",
)
PDS_CAN_FIRE = fact("a PDS reaches enemy ships", anybody_can_fire, otherwise="no PDS reaches enemy ships")
HITS_OWED = fact(
    "hits wait to be assigned",
    hits_are_owed,
    otherwise="all hits are assigned",
    owed="take the hits with `assign-hits`",
    who=hits_to_take,
)
ANY_HITS = fact("hits are to be taken", any_hits_owed, otherwise="no hits are to be taken")
MINES_DUE = fact(
    "a ship has not rolled for the mines yet",
    mines_are_due,
    otherwise="no ship has to roll for mines",
    owed="roll for the mines with `roll-mine`",
    who=ships_among_mines,
)
BATTLE_DUE = fact(
    "ships of two players are in the system", battle_is_due, otherwise="ships of one player at most are in the system"
)
TROOPS_ABOARD = fact(
    "troops are in space in the system", troops_aboard, otherwise="no troops are in space in the system"
)
INVASION_DUE = fact(
    "a planet is invaded, or a War Sun could bombard one",
    invasion_is_due,
    otherwise="no planet is invaded or within reach of a War Sun",
)
LANDS_FRIENDLY = fact(
    "troops are in space at a planet of their own",
    can_land_friendly,
    otherwise="no troops are in space at a planet of their own that may be landed on",
)
LANDS_NEUTRAL = fact(
    "troops are in space at an unowned planet",
    can_land_neutral,
    otherwise="no troops are in space at an unowned planet that may be landed on",
)
LANDS_HOSTILE = fact(
    "troops are in space at an enemy planet",
    can_land_hostile,
    otherwise="no troops are in space at an enemy planet that may be landed on",
)
CAN_LAND_PDS = fact(
    "PDS are in space at a planet that is invaded",
    can_land_pds,
    otherwise="no PDS are in space at a planet that is invaded",
)
CAN_RAZE = fact(
    "a War Sun or Dreadnought is at a counter on a planet that is invaded",
    can_raze,
    otherwise="no War Sun or Dreadnought is at a counter on a planet that is invaded",
)
SUNS_BOMBARD = fact(
    "a War Sun can bombard from orbit alone",
    suns_can_bombard,
    otherwise="no War Sun can bombard from orbit alone",
)
COUNTER_DUE = fact(
    "the domain counter is face down",
    counter_is_due,
    otherwise="no domain counter is left to resolve",
    owed="resolve the domain counter with `resolve-domain`",
    who=counter_to_resolve,
)
CONTESTED = fact(
    "the planet belongs to an enemy, or enemy units are on it",
    is_contested,
    otherwise="no enemy owns the planet or is on it",
)
CAN_SCUTTLE = fact(
    "the active player has Transfabrication and units",
    can_scuttle,
    otherwise="the active player lacks Transfabrication, or has no unit",
)
BOTH_FIGHT = fact(
    "both sides have something left to fight with",
    both_fight,
    otherwise="one side at least has nothing left to fight with",
)
DICE_DUE = fact(
    "the dice are not rolled yet", dice_are_due, otherwise="the dice are rolled", owed="roll the dice: `roll-combat`"
)
RETREAT_DUE = fact(
    "a retreat is announced and waits",
    retreat_is_due,
    otherwise="no fleet has announced a retreat to a system that is open to it",
    owed="carry out the retreat with `retreat`",
    who=fleet_to_retreat,
)
CAN_BOMBARD = fact(
    "a ship may bombard an enemy Ground Force", can_bombard, otherwise="no ship may bombard an enemy Ground Force"
)
BOTH_ON_PLANET = fact(
    "both sides have units that fight on the planet",
    both_on_planet,
    otherwise="one side at least has no unit that fights on the planet",
)

RECORDED = (Roll, Move, Place, Change, Remove, Pay, Mark, Choose)
"""Orders that record the effects of a card, a technology or a counter, whose text is not on the page."""
ABILITY = (Roll, Change, Remove, Pay, Mark, Choose)

OF_THEIR_OWN = Touch(
    attributes=("damaged", "range"),
    accounts=(*("trade-goods/*", "command/*", "fleet/*", "strategy/*", "reinforcements/*"), "mines/*"),
    markers=("tech/*", "exhausted/*"),
)
"""Counters, goods, technologies and planets of the player, and the player's units anywhere."""
STRATEGY = replace(OF_THEIR_OWN, markers=(*OF_THEIR_OWN.markers, "activated/*"))
"""`OF_THEIR_OWN`, and the player's own command counters on the board (`generic_order_rules.record_mark`)."""
OF_A_COUNTER = replace(OF_THEIR_OWN, by="whose_counter_lies_open")
"""`OF_THEIR_OWN`, once the domain counter is turned up."""
OF_A_CARD = replace(OF_THEIR_OWN, units="in_reach_of_a_card", by="whose_card_lies_open")
"""`OF_THEIR_OWN`, once a card is revealed; it may damage and destroy units of any side."""
IN_BATTLE = Touch(units="in_battle", attributes=("damaged",), accounts=("trade-goods/*",), markers=("exhausted/*",))
"""Units of both sides at the place of the battle."""
PRODUCING = Touch(accounts=("trade-goods/*", "mines/*"), markers=("exhausted/*",))
"""Goods and cards spent in addition to the price of `produce`, and mines (`generic_order_rules.SPENT`)."""


def _picked(ability: str) -> Condition:
    """Return the condition that the defender has picked an ability, of either side."""
    one, *others = (picked("SB.pre.order", name) for name in (ability, f"{ability}-attacker", f"{ability}-defender"))
    return one | others[0] | others[1]


# fmt: off
# --- the turn ---------------------------------------------------------------------------------------------------------

# A player does exactly one thing in a turn. Passing is locked until the player's Strategy cards are all played.
ACTION_PHASE = Rounds("AP", "action phase", until=EVERYONE_PASSED, steps=(
    Step("AP.turn", "one action", by="player", allows=(TakeAction,), answers=(
        Answer("strategic", to="STRAT", by_dice=True),
        Answer("tactical", to="TA", by_dice=True),
        Answer("transfer", to="TR", by_dice=True),
        Answer("card", to="AP.card", by_dice=True),
        Answer("pass", to="PASS", by_dice=True),
    )),
    Step("ROUND", "the turn passes on until all have passed", need="repeat"),
))

CARD = Heading("AP.card", "an action card that is played as an action", steps=(
    Step("AP.card.play", "play it and do what it says", by="player", allows=(PlayCard, *RECORDED), touches=OF_A_CARD,
         needs=given(PlayCard)),
))

# The page names two moments for cards; the cards name many more, so a card may be played at any moment.
OTHER_CARDS = Step("card", "an action card whose own text says when", by=EACH, allows=(PlayCard, *RECORDED),
                   touches=OF_A_CARD, need="optional")

PASS = Heading("PASS", "passing", steps=(
    Step("PASS.flag", "no more actions this round, but secondary abilities", need="optional"),
))

STRATEGIC = Heading("STRAT", "strategic action", steps=(
    Step("STRAT.primary", "primary ability", by="player", allows=(*RECORDED, DrawCard),
         touches=STRATEGY, need="conditional"),
    Each("STRAT.secondaries", "secondary abilities, clockwise", of="the_others", steps=(
        Step("STRAT.offer", "take part for one counter", by="secondary_player", when=CAN_JOIN,
             allows=(JoinSecondary,), need="optional"),
        Step("STRAT.secondary", "secondary ability", by="secondary_player", when=done("STRAT.offer"),
             allows=(*RECORDED, DrawCard), touches=OF_THEIR_OWN, need="conditional"),
    )),
))

# --- the tactical action ----------------------------------------------------------------------------------------------

# Enemies fire one after another from the active player's left; the player's own PDS wait until the hits are taken.
PDS_FIRE = Heading("TA.3", "PDS fire", when=PDS_CAN_FIRE, steps=(
    Step("TA.3.enemy", "enemy PDS fire", by="enemy_gunners", in_turn=True, allows=(FirePds,), need="optional",
         rolls="1d10"),
    Step("TA.3.losses", "hits on the active player", by="sides_hit", when=ANY_HITS, allows=(AssignHits,),
         needs=~HITS_OWED, need="conditional"),
    Step("TA.3.own", "PDS of the active player fire", by="own_gunner", allows=(FirePds,), need="optional",
         rolls="1d10"),
    Step("TA.3.hits", "hits on the enemies", by="sides_hit", when=ANY_HITS, allows=(AssignHits,), needs=~HITS_OWED,
         need="conditional"),
))

# If ships of a third player are there, the attacker fights again; the page does not cover this case.
BATTLE = Rounds("TA.4", "space battle", when=BATTLE_DUE, until=~BATTLE_DUE, steps=(
    Step("TA.4.begins", "attacker and defender", then=(Go("SB"),), need="conditional"),
    Step("TA.4.ends", "one fleet is left, or none"),
))

LANDINGS = Heading("TA.5", "planetary landings", when=TROOPS_ABOARD, steps=(
    Step("TA.5.friendly", "on planets of one's own", by="player", when=LANDS_FRIENDLY, allows=(LandFriendly,),
         need="optional"),
    Step("TA.5.neutral", "on planets of nobody", by="player", when=LANDS_NEUTRAL, allows=(LandNeutral,),
         need="optional"),
    Step("TA.5.hostile", "invasion", by="player", when=LANDS_HOSTILE, allows=(LandHostile,), need="optional"),
))

# A domain counter is resolved before a fight for the planet or a claim to it.
INVASIONS = Heading("TA.6", "invasion combat", when=INVASION_DUE, steps=(
    Step("TA.landpds", "PDS land with the invasion", by="player", when=CAN_LAND_PDS, allows=(LandPds,),
         need="optional"),
    Step("TA.raze", "domain counters are razed", by="player", when=CAN_RAZE, allows=(Raze,), need="optional"),
    Step("TA.6.suns", "War Suns bombard without an invasion", by="player", when=SUNS_BOMBARD, allows=(Bombard,),
         need="optional", rolls="1d10"),
    Each("TA.6.planets", "planets landed on, in the active player's order", of="invaded", by="player", steps=(
        Step("TA.6.counter", "the domain counter is resolved", by="player", when=COUNTER_DUE,
             allows=(ResolveDomain, *RECORDED), touches=OF_A_COUNTER, needs=~COUNTER_DUE, need="conditional"),
        Step("TA.6.combat", "the planet is fought for", when=CONTESTED, then=(Go("IC"),), need="conditional"),
        Step("TA.6.claim", "a planet of nobody is claimed", when=~CONTESTED, need="conditional"),
    )),
))

TACTICAL = Heading("TA", "tactical action", steps=(
    Step("TA.1", "activate a system", by="player", allows=(Activate,), needs=given(Activate)),
    Step("TA.2", "ships move in", by="player", allows=(MoveShips,), need="optional"),
    Step("TA.probe", "Fighters probe domain counters", by="player", when=CAN_PROBE, allows=(Probe,), need="optional",
         secret=True),
    PDS_FIRE,
    Step("TA.mines", "space mines", by="player", when=MINES_DUE, allows=(RollMine,), needs=~MINES_DUE,
         need="conditional", rolls="1d10"),
    BATTLE,
    LANDINGS,
    INVASIONS,
    Step("TA.scuttle", "units are scuttled", by="player", when=CAN_SCUTTLE, allows=(Scuttle,), need="optional"),
    Step("TA.7", "units are produced", by="player", allows=(Produce, BuildDock, Pay, Mark),
         touches=PRODUCING, need="optional"),
))

# --- the transfer action ----------------------------------------------------------------------------------------------

TRANSFER = Heading("TR", "transfer action", steps=(
    Step("TR.1", "activate two systems", by="player", allows=(Transfer,), needs=given(Transfer)),
    Step("TR.2", "ships move between the two", by="player", allows=(MoveShips,), need="optional"),
    Heading("TR.3", "PDS fire", when=PDS_CAN_FIRE, steps=(
        Step("TR.3.enemy", "enemy PDS fire, each into one system", by="enemy_gunners", in_turn=True, allows=(FirePds,),
             need="optional", rolls="1d10"),
        Step("TR.3.losses", "hits on the active player", by="sides_hit", when=ANY_HITS, allows=(AssignHits,),
             needs=~HITS_OWED, need="conditional"),
    )),
    Step("TR.4", "friendly landings", by="player", when=LANDS_FRIENDLY, allows=(LandFriendly,), need="optional"),
    Step("TR.scuttle", "units are scuttled", by="player", when=CAN_SCUTTLE, allows=(Scuttle,), need="optional"),
    Step("TR.5", "units are produced in one system", by="player", allows=(Produce, Pay, Mark),
         touches=PRODUCING, need="optional"),
))

# --- space battles ----------------------------------------------------------------------------------------------------

# Each ability is used once per battle. Cards are always offered, to keep secret whether a hand has one.
BEFORE_BATTLE = Heading("SB.pre", "before the battle", steps=(
    Each("SB.pre.order", "abilities, in the defender's order", of="abilities", by="defender", steps=(
        Step("SB.pre.cards", "cards before a battle", by=("attacker", "defender"),
             when=picked("SB.pre.order", "cards"), allows=(PlayCard, *ABILITY),
             touches=replace(IN_BATTLE, by="whose_card_lies_open"), need="optional"),
        Step("SB.pre.afb", "anti-Fighter barrage", by="barrage_sides", when=_picked("barrage"),
             allows=(Barrage,), need="optional", rolls="2d10"),
        Step("SB.pre.assault", "Assault Cannons", by="assault_sides", when=_picked("assault"),
             allows=ABILITY, touches=IN_BATTLE, need="optional"),
        Step("SB.pre.mentak", "ability of the Mentak", by="mentak_sides", when=_picked("mentak"),
             allows=ABILITY, touches=IN_BATTLE, need="optional"),
        Step("SB.pre.sabotage", "Sabotage Run", by=("attacker", "defender"),
             when=picked("SB.pre.order", "sabotage"), allows=ABILITY, touches=IN_BATTLE,
             need="optional"),
    )),
))

# A withdrawal is announced before the dice and carried out after the casualties, if there is still an enemy.
SPACE_BATTLE = Heading("SB", "space battle", steps=(
    BEFORE_BATTLE,
    Rounds("SB.rounds", "rounds of the battle", when=BOTH_FIGHT, until=~BOTH_FIGHT, steps=(
        Step("SB.1", "withdrawal, or else retreat, is announced", by="may_retreat", in_turn=True,
             allows=(Announce,), need="optional"),
        Step("SB.2", "both roll", by="with_dice", allows=(RollCombat,), needs=~DICE_DUE, rolls="1d10"),
        Step("SB.3", "casualties, attacker first", by="sides_hit", in_turn=True, when=ANY_HITS, allows=(AssignHits,),
             needs=~HITS_OWED),
        Step("SB.4", "withdrawal or retreat is carried out", by="retreating", when=RETREAT_DUE, allows=(Retreat,),
             needs=~RETREAT_DUE, need="conditional"),
        Step("SB.5", "another round while both have ships", need="repeat"),
    )),
))

# --- invasion combat --------------------------------------------------------------------------------------------------

INVASION = Heading("IC", "invasion combat on one planet", steps=(
    Step("IC.1", "bombardment", by="attacker", when=CAN_BOMBARD, allows=(Bombard,), need="optional", rolls="1d10"),
    Step("IC.2", "PDS of the planet fire", by="ground_gunner", allows=(FirePds,), need="optional", rolls="1d10"),
    Rounds("IC.rounds", "rounds of ground combat", when=BOTH_ON_PLANET, until=~BOTH_ON_PLANET, steps=(
        Step("IC.3", "both roll", by="with_dice", allows=(RollCombat,), needs=~DICE_DUE, rolls="1d10"),
        Step("IC.4", "casualties", by="sides_hit", when=ANY_HITS, allows=(AssignHits,), needs=~HITS_OWED),
    )),
    Step("IC.5", "success or failure", need="conditional"),
))

SEQUENCE = Sequence(
    steps=(
        Rounds("round", "game round", counts_turns=True, steps=(
            Step("begins", "initiative order is settled"),
            ACTION_PHASE,
            Step("over", "the action phase is over", then=(Go(END, when=LAST_ROUND),)),
            Step("between", "status and strategy phases, as the group plays them", by=EACH,
                 allows=(ChooseStrategy, DrawCard, *RECORDED), touches=OF_THEIR_OWN, needs=~STRATEGY_OWED,
                 need="optional",
                 first_come="a Strategy card goes to the first side that chooses it"),
        )),
    ),
    anytime=(OTHER_CARDS,),
    procedures=(STRATEGIC, TACTICAL, TRANSFER, CARD, PASS, SPACE_BATTLE, INVASION),
)
# fmt: on
