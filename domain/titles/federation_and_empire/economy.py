"""Phase 1 and every payment: supply, counters toward recovery and capture, survey, income, debt and its interest.

The rates of interest and exhaustion are in rules that we do not have (447.3, 447.2): the players state the amounts.
The interest that 1C2 states is what 1C4 pays, to the point.
"""

from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.empires import (
    empires_of,
    hex_in_hand,
    own_empire,
    own_unit,
    own_units,
    owner_name,
    phasing,
    printed,
    printed_of,
    refuse,
    round_mark,
    rule_of,
    spent,
    units_where,
)
from umpire_ledger.kit import (
    Dice,
    Game,
    Name,
    Order,
    PlaceName,
    Result,
    UnitName,
    UnitOrNone,
    after,
    changed,
    marked,
    paid,
    removed,
    step_open,
)

Points = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Some = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
COUNTERS = {"1A3A": "recovery", "1A3B": "capture", "1A3C": "annexation", "1A3D": "diplomacy"}


class CheckSupply(Order, frozen=True, kw_only=True, tag="check-supply"):
    """State which of your units are out of supply or on a partial grid; all others are in supply."""

    out: tuple[UnitName, ...] = ()
    partial: tuple[UnitName, ...] = ()


class Count(Order, frozen=True, kw_only=True, tag="count"):
    """Note turns toward recovery, capture, annexation or diplomatic presence; `turns` of 0 takes the counter off."""

    counter: Literal["recovery", "capture", "annexation", "diplomacy"]
    place: Name
    turns: Annotated[int, msgspec.Meta(ge=0, le=9)] = 1
    helped: tuple[UnitName, ...] = ()


class Survey(Order, frozen=True, kw_only=True, tag="survey"):
    """Add survey points to an empire's total; `team`: those that a survey Prime Team adds."""

    points: Points
    team: Points = 0
    empire: str = ""


class Annex(Order, frozen=True, kw_only=True, tag="annex"):
    """Declare a province annexed by an empire of yours, or transferred to another."""

    province: PlaceName
    empire: str = ""
    to: str = ""


class StateDebt(Order, frozen=True, kw_only=True, tag="state-debt"):
    """Set what an empire owes in all."""

    debt: Points
    empire: str = ""


class StateInterest(Order, frozen=True, kw_only=True, tag="state-interest"):
    """Set the interest of this turn; it is paid unchanged in 1C4."""

    amount: Points
    empire: str = ""


class Income(Order, frozen=True, kw_only=True, tag="income"):
    """EPs and XTPs come in; `exhausted`: EPs lost to economic exhaustion."""

    ep: Points
    xtp: Points = 0
    exhausted: Points = 0
    empire: str = ""


class JoinGrid(Order, frozen=True, kw_only=True, tag="join-grid"):
    """EPs of a partial supply grid that is connected again go to the main grid."""

    grid: Name
    ep: Some
    empire: str = ""


class Scrap(Order, frozen=True, kw_only=True, tag="scrap"):
    """A ship is scrapped for EPs."""

    unit: UnitName
    ep: Points


class PayInterest(Order, frozen=True, kw_only=True, tag="pay-interest"):
    """Pay what 1C2 stated; what the treasury cannot pay, and the penalty, become debt."""

    penalty: Points = 0
    empire: str = ""


class Borrow(Order, frozen=True, kw_only=True, tag="borrow"):
    """Borrow EPs, up to the scenario's limit for a turn."""

    ep: Some
    empire: str = ""


class Spend(Order, frozen=True, kw_only=True, tag="spend"):
    """Pay EPs or XTPs for something that this step asks for."""

    purpose: Name
    ep: Points = 0
    xtp: Points = 0
    empire: str = ""


class Receive(Order, frozen=True, kw_only=True, tag="receive"):
    """EPs come in outside 1C3: ships sold to the WYN, transfer funds, salvage of a destroyed unit."""

    ep: Some
    source: Name
    unit: UnitOrNone = ""
    empire: str = ""


# --- supply and counters ----------------------------------------------------------------------------------------------


def decide_check_supply(game: Game, order: CheckSupply, _: Dice) -> list[Result]:
    """The side's units get the state of supply that the order says. Raises RuleViolation for a unit in both lists."""
    both = set(order.out) & set(order.partial)
    if both:
        raise refuse(game, f"{min(both)} is in both lists", "name each unit once")
    own_units(game, order, (*order.out, *order.partial))
    said = {**dict.fromkeys(order.out, "out"), **dict.fromkeys(order.partial, "partial")}
    side = game.side_of(order.seat)
    mine = units_where(game, lambda unit: unit.id in said or bool(unit.get("supply")), side)
    return [event for unit in mine for event in changed(unit, "supply", said.get(unit.id), "supply", rule_of(game))]


def decide_count(game: Game, order: Count, _: Dice) -> list[Result]:
    """The counter of a place goes up. Raises RuleViolation for a counter that belongs to another step."""
    wanted = COUNTERS.get(printed(step_open(game)), order.counter)
    if order.counter != wanted:
        home = next(step for step, counter in COUNTERS.items() if counter == order.counter)
        raise refuse(game, f"{order.counter} is not counted here", f"count {wanted} now, {order.counter} in {home}")
    marker = f"{order.counter} {order.place}"
    cause = f"helped by {', '.join(order.helped)}" if order.helped else ""
    return marked(game, marker, game.number(marker) + order.turns if order.turns else None, cause, rule_of(game))


def decide_survey(game: Game, order: Survey, _: Dice) -> list[Result]:
    """Survey points and those of the Prime Team, each on a line of its own."""
    account = f"{own_empire(game, order, order.empire)}/survey"
    results = paid(game, account, order.points, "survey", rule_of(game, "505.21"))
    later = after(game, results)
    return [*results, *paid(later, account, order.team, "survey Prime Team", rule_of(game, "522.44"))]


def decide_annex(game: Game, order: Annex, _: Dice) -> list[Result]:
    """The province belongs to the empire, or to the one it is transferred to."""
    empire = own_empire(game, order, order.empire)
    cause = f"transferred by {owner_name(game, empire)}" if order.to else "annexed"
    return marked(
        game, f"province {order.province}", order.to or empire, cause, rule_of(game, "448.24" if order.to else "448.23")
    )


# --- debt and income --------------------------------------------------------------------------------------------------


def decide_state_debt(game: Game, order: StateDebt, _: Dice) -> list[Result]:
    empire = own_empire(game, order, order.empire)
    now = game.accounts.get(f"{empire}/debt", 0)
    return paid(game, f"{empire}/debt", order.debt - now, "overall debt", rule_of(game))


def decide_state_interest(game: Game, order: StateInterest, _: Dice) -> list[Result]:
    empire = own_empire(game, order, order.empire)
    now = game.accounts.get(f"{empire}/interest", 0)
    return paid(game, f"{empire}/interest", order.amount - now, "interest of this turn", rule_of(game))


def decide_income(game: Game, order: Income, _: Dice) -> list[Result]:
    """Income less exhaustion. Raises RuleViolation when exhaustion takes more than comes in."""
    empire = own_empire(game, order, order.empire)
    if order.exhausted > order.ep:
        what = f"exhaustion takes {order.exhausted} of {order.ep} EP"
        raise refuse(game, what, f"give `exhausted` up to {order.ep}", "447.2")
    cause = f"income, {order.exhausted} lost to exhaustion" if order.exhausted else "income"
    return [
        *paid(game, f"{empire}/EP", order.ep - order.exhausted, cause, rule_of(game, "430.1")),
        *paid(game, f"{empire}/XTP", order.xtp, "income", rule_of(game, "523.12")),
    ]


def decide_join_grid(game: Game, order: JoinGrid, _: Dice) -> list[Result]:
    """EPs go from the partial grid's own account to the treasury. Raises RuleViolation for more than it holds."""
    empire = own_empire(game, order, order.empire)
    grid = f"{empire}/grid {order.grid}"
    held = game.accounts.get(grid, 0)
    if order.ep > held:
        raise refuse(game, f"the grid {order.grid} holds {held} EP", f"transfer at most {held}", "413.44")
    cause, rule = f"partial grid {order.grid} is connected", rule_of(game, "413.44")
    return [*paid(game, grid, -order.ep, cause, rule), *paid(game, f"{empire}/EP", order.ep, cause, rule)]


def decide_scrap(game: Game, order: Scrap, _: Dice) -> list[Result]:
    unit = own_unit(game, order, order.unit)
    rule = rule_of(game, "447.5")
    return [
        *removed(unit, "scrapped", "", rule),
        *paid(game, f"{unit.get('empire')}/EP", order.ep, f"scrapped {unit.id}", rule),
    ]


def interest_to_pay(game: Game, side: str) -> tuple[str, ...]:
    """Empires and what they owe, in words."""
    owed = {empire: game.accounts.get(f"{empire}/interest", 0) for empire in empires_of(game, side or phasing(game))}
    return tuple(f"{amount} EP of {empire}" for empire, amount in owed.items() if amount)


def interest_is_due(game: Game, side: str) -> bool:
    """Whether an empire of the phasing side still owes the interest that 1C2 stated."""
    return any(game.accounts.get(f"{empire}/interest", 0) for empire in empires_of(game, side or phasing(game)))


def decide_pay_interest(game: Game, order: PayInterest, _: Dice) -> list[Result]:
    """The stated interest leaves the treasury; what is missing becomes debt, with the penalty.

    Raises RuleViolation: nothing is due.
    """
    empire = own_empire(game, order, order.empire)
    due, held = game.accounts.get(f"{empire}/interest", 0), game.accounts.get(f"{empire}/EP", 0)
    if not due:
        raise refuse(
            game, f"{owner_name(game, empire)} owes no interest", "name an empire that does, or `done`", "447.3"
        )
    settled = max(0, min(due, held))
    added = due - settled + order.penalty
    rule = rule_of(game, "447.3")
    return [
        *paid(game, f"{empire}/interest", -due, "interest of 1C2", rule),
        *paid(game, f"{empire}/EP", -settled, "interest of 1C2", rule),
        *paid(game, f"{empire}/debt", added, "unpaid interest and penalty", rule_of(game, "447.4")),
    ]


def decide_borrow(game: Game, order: Borrow, _: Dice) -> list[Result]:
    """EPs and debt go up together. Raises RuleViolation past the scenario's limit for this turn."""
    empire = own_empire(game, order, order.empire)
    borrowed = game.number(f"borrowed {empire}")
    year = int(printed_of(game, empire, "borrowing") or 0)
    if borrowed + order.ep > year:
        what = f"{owner_name(game, empire)} may borrow {year} EP a turn and has borrowed {borrowed}"
        raise refuse(game, what, f"borrow at most {year - borrowed}", "430.62")
    rule = rule_of(game, "447.1")
    return [
        *paid(game, f"{empire}/EP", order.ep, "borrowed", rule),
        *paid(game, f"{empire}/debt", order.ep, "borrowed", rule),
        *marked(game, f"borrowed {empire}", borrowed + order.ep, "borrowed this turn", rule),
    ]


def forget_borrowing(game: Game) -> list[Result]:
    """The limit on borrowing counts each turn anew."""
    empires = empires_of(game, phasing(game))
    return [event for one in empires for event in marked(game, f"borrowed {one}", None, "a new turn", "1C5 (430.62)")]


# --- paying and receiving ---------------------------------------------------------------------------------------------


def decide_spend(game: Game, order: Spend, _: Dice) -> list[Result]:
    """EPs or XTPs leave the treasury. Raises RuleViolation for nothing, or for more than it holds."""
    empire = own_empire(game, order, order.empire)
    if not order.ep and not order.xtp:
        raise refuse(game, "nothing is spent", "give `ep` or `xtp`", "430.1")
    held = game.accounts.get(f"{empire}/XTP", 0)
    if order.xtp > held:
        raise refuse(game, f"{owner_name(game, empire)} holds {held} XTP", f"spend at most {held}", "523.12")
    rule = rule_of(game)
    return [
        *spent(game, empire, order.ep, order.purpose, rule),
        *paid(game, f"{empire}/XTP", -order.xtp, order.purpose, rule),
    ]


def decide_receive(game: Game, order: Receive, _: Dice) -> list[Result]:
    """EPs come in, each destroyed unit counted once. Raises RuleViolation for a unit in play or one salvaged before."""
    empire, rule = own_empire(game, order, order.empire), rule_of(game)
    gained = paid(game, f"{empire}/EP", order.ep, order.source, rule)
    if not order.unit:
        if hex_in_hand(game):
            raise refuse(
                game, "the order does not say what is salvaged", "name a unit destroyed in this round", "439.1"
            )
        return gained
    lost = game.units.get(order.unit)
    if lost is None or not lost.fate:
        raise refuse(game, f"{order.unit} is not lost", "name a destroyed unit of your own", "439.1")
    if lost.side != game.side_of(order.seat) or lost.get("salvaged"):
        what = f"{order.unit} was salvaged" if lost.get("salvaged") else f"{order.unit} was not yours"
        raise refuse(game, what, "name a destroyed unit of your own that was not salvaged", "439.1")
    if hex_in_hand(game) and (lost.get("lost") != round_mark(game) or lost.fate != "destroyed"):
        raise refuse(game, f"{order.unit} was not destroyed in this round", "name a unit that was", "439.1")
    return [*gained, *changed(lost, "salvaged", game.turn, order.source, rule)]
