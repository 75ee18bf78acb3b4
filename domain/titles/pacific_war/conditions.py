"""Define the conditions of the sequence of play of Pacific War, each with the words that a referee reads."""

from umpire_ledger.domain.titles.pacific_war.activation import can_react
from umpire_ledger.domain.titles.pacific_war.bidding import SEALED, BreakTie, MakeBid, claim_is_open, is_claimed, tied
from umpire_ledger.domain.titles.pacific_war.command import ReceivePoints, on_the_track, strategic
from umpire_ledger.domain.titles.pacific_war.cycle import SURPRISE_LASTS as LASTS, RollAdvantage, RollLighting
from umpire_ledger.domain.titles.pacific_war.flying import mission_is_launched, strike_is_open
from umpire_ledger.domain.titles.pacific_war.forces import links_are_unpaid, unpaid_links
from umpire_ledger.domain.titles.pacific_war.intelligence import DetermineCondition, DetermineLevel, condition_is_hidden
from umpire_ledger.domain.titles.pacific_war.month import (
    all_vanished,
    last_month,
    month_entered,
    month_is_over,
    month_passed,
    nobody_bid,
    resumes_by,
)
from umpire_ledger.domain.titles.pacific_war.movement import has_units_to_move
from umpire_ledger.domain.titles.pacific_war.operation import (
    CountDamage,
    damage_is_uncounted,
    final_operation,
    nobody_is_activated,
    operation_is_over,
)
from umpire_ledger.domain.titles.pacific_war.regroup import isolation_is_open, penalized, penalty_is_due
from umpire_ledger.domain.titles.pacific_war.shipping import (
    CountAttrition,
    has_bombers,
    has_escorts,
    has_weather,
    priority_is_open,
)
from umpire_ledger.kit import Condition, Game, Order, fact, option


def due(game: Game, side: str) -> bool:
    """Return True: a phase that one order settles cannot end before that order, which itself closes the step."""
    return True


def on_track(phase: str) -> Condition:
    """Return the condition that the scenario's Phase Track has a phase."""
    return fact(
        f"the scenario's Phase Track has {phase}",
        on_the_track(phase),
        otherwise=f"the scenario's Phase Track omits {phase}",
        name=f"on_track_{phase}",
        lasting=True,
    )


def open_until(order: type[Order], what: str) -> Condition:
    """Return the condition that a phase is open until the order that settles it has closed the step."""
    return fact(
        f"{what} is not settled yet",
        due,
        otherwise=f"{what} is settled",
        owed=f"settle {what} with `{order.tag()}`",
        name=f"due: {order.tag()}",
        lasting=True,
    )


STRATEGIC = fact("this is a Strategic scenario", strategic, otherwise="this is a Campaign scenario", lasting=True)
WEATHER = option("weather")
CLOSING_CYCLE = option("closing_cycle")
SEALED_BIDS = option(SEALED)
SURPRISE_LASTS = option(LASTS)
HAS_WEATHER = fact(
    "the scenario has a weather table",
    has_weather,
    otherwise="the scenario has no weather table",
    lasting=True,
)
HAS_BOMBERS = fact(
    "the Allies have Strategic Bombing Points", has_bombers, otherwise="there are no Strategic Bombing Points"
)
HAS_ESCORTS = fact("Japan has escorts", has_escorts, otherwise="there are no escorts")
CAN_REACT = fact(
    "the Reaction player can activate a unit, or has activated ships",
    can_react,
    otherwise="the Reaction player lacks units to activate, or the points to activate them",
)
LEVEL_IS_OPEN = open_until(DetermineLevel, "the Strategic Intelligence level")
ATTRITION_IS_OPEN = open_until(CountAttrition, "the attrition of merchant shipping")
POINTS_ARE_OPEN = open_until(ReceivePoints, "the number of Command Points")
BID_IS_OPEN = open_until(MakeBid, "the bid")
TIE_IS_OPEN = open_until(BreakTie, "the tie")
CONDITION_IS_OPEN = open_until(DetermineCondition, "the Operational Intelligence Condition")
LIGHTING_IS_OPEN = open_until(RollLighting, "the lighting")
ADVANTAGE_IS_OPEN = open_until(RollAdvantage, "the advantage")
COUNT_IS_OPEN = open_until(CountDamage, "the amount of damage")
PRIORITY_IS_OPEN = fact(
    "the priority of the submarines is not set yet",
    priority_is_open,
    otherwise="the priority of the submarines is set",
    owed="set the priority of the submarines with `set-priority`",
)
PENALTY_IS_DUE = fact(
    "an isolated unit has not taken its penalty yet",
    penalty_is_due,
    otherwise="every isolated unit has taken its penalty",
    owed="apply the penalty with `isolation-penalty`",
    who=penalized,
)
ISOLATION_IS_OPEN = fact(
    "a side has not yet stated which units are isolated",
    isolation_is_open,
    otherwise="each side has stated which units are isolated",
    owed="mark isolated units with `change`; if you have none, give `isolation-penalty` alone",
)
LINKS_ARE_UNPAID = fact(
    "an Emergency Command Link is neither paid for nor removed yet",
    links_are_unpaid,
    otherwise="every Emergency Command Link is paid for",
    owed="pay for each link with `pay-link`, or remove it with `remove`",
    who=unpaid_links,
)
CLAIM_IS_OPEN = fact(
    "the last Reaction player may claim the operation", claim_is_open, otherwise="no player can claim the operation"
)
IS_CLAIMED = fact("the operation is claimed", is_claimed, otherwise="the operation is unclaimed")
TIED = fact("both bids are the same", tied, otherwise="one bid is higher, or both are nothing")
CONDITION_IS_HIDDEN = fact(
    "the Operational Intelligence Condition is hidden",
    condition_is_hidden,
    otherwise="the Operational Intelligence Condition is revealed",
    owed="reveal the Condition with `reveal-condition`",
)
MONTH_IS_OVER = fact("the month has ended", month_is_over, otherwise="the month continues")
MONTH_ENTERED = fact(
    "the Day marker has entered Month Begin",
    month_entered,
    otherwise="the Day marker did not enter Month Begin",
)
MONTH_PASSED = fact(
    "the Day marker has passed through Month Begin",
    month_passed,
    otherwise="the Day marker did not pass through Month Begin",
)
NOBODY_BID = fact("neither player has bid", nobody_bid, otherwise="a player has bid")
LAST_MONTH = fact("it was the last month of the scenario", last_month, otherwise="another month follows")
OPERATION_IS_OVER = fact(
    "the operation is over", operation_is_over, otherwise="the operation continues, or has not begun"
)
MISSION_IS_LAUNCHED = fact("an air mission is launched", mission_is_launched, otherwise="no air mission is launched")
STRIKE_IS_OPEN = fact(
    "a Simultaneous Strike may be launched", strike_is_open, otherwise="no Simultaneous Strike may be launched"
)
NOBODY_IS_ACTIVATED = fact(
    "all units of both sides are deactivated", nobody_is_activated, otherwise="units are still activated"
)
ALL_VANISHED = fact(
    "the last activated unit vanished while the month changed",
    all_vanished,
    otherwise="an activated unit remains after the change of month",
)
DAMAGE_IS_UNCOUNTED = fact(
    "the damage of this operation has not been counted yet",
    damage_is_uncounted,
    otherwise="the damage of this operation has been counted",
)
FINAL_OPERATION = fact(
    "it was the final operation of the scenario", final_operation, otherwise="another operation may follow"
)
CASE_A = fact(
    "the month ended in 5.1.R and the Operation player has activated units",
    resumes_by("a"),
    otherwise="case a of 5.4 does not apply",
    name="case_a",
)
CASE_B = fact(
    "the month ended in 5.1.R and the Operation player has no activated unit",
    resumes_by("b"),
    otherwise="case b of 5.4 does not apply",
    name="case_b",
)
CASE_C = fact(
    "the month ended in 5.2.O and a player has activated units",
    resumes_by("c"),
    otherwise="case c of 5.4 does not apply",
    name="case_c",
)
CASE_D = fact(
    "the month ended in 5.2.O and no player has activated units",
    resumes_by("d"),
    otherwise="case d of 5.4 does not apply",
    name="case_d",
)


def has_movers(marker: str) -> Condition:
    """Return the condition that the side named by a marker has units that may move."""
    who = marker.removesuffix("_player").capitalize()
    return fact(
        f"the {who} player has units that may move",
        has_units_to_move(marker),
        otherwise=f"all units of the {who} player are deactivated",
        name=f"movers: {marker}",
    )
