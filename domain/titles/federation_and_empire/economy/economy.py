"""Check supply and make every payment: income, debt and its interest, loans, salvage, trade with the WYN.

The scenario sets the rate of interest; without one, and for exhaustion (447.2), the players state the amounts. 1C4
pays exactly the interest that 1C2 states.
"""

from collections.abc import Iterator

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    DEPOT,
    RIDERS,
    aboard_of,
    battle_unit,
    empires_of,
    has,
    hex_in_hand,
    in_battle,
    kind_of,
    named_once,
    need_trait,
    own_empire,
    own_unit,
    own_units,
    owner_name,
    payer_of,
    phasing,
    printed_of,
    refuse,
    regrouped,
    round_mark,
    rule_of,
    this_turn,
    units_where,
    verify_own_ship,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.sheets import (
    Points,
    Some,
    interest_on,
    listed_price,
    price,
)
from umpire_ledger.kit import (
    Acts,
    Dice,
    Game,
    Name,
    Order,
    Reason,
    Result,
    Unit,
    UnitName,
    UnitOrNone,
    changed,
    marked,
    paid,
    removed,
)


class CheckSupply(Order, frozen=True, kw_only=True, tag="check-supply"):
    """State which of your units are out of supply or on a partial grid; all others are in supply."""

    out: tuple[UnitName, ...] = ()
    partial: tuple[UnitName, ...] = ()


class StateInterest(Order, frozen=True, kw_only=True, tag="state-interest"):
    """Set the interest of this turn, 0 for none; it is paid unchanged in 1C4."""

    amount: Points
    empire: str = ""


class Income(Order, frozen=True, kw_only=True, tag="income"):
    """Take in EPs and XTPs; `exhausted`: EPs lost to economic exhaustion."""

    ep: Points
    xtp: Points = 0
    exhausted: Points = 0
    empire: str = ""


class JoinGrid(Order, frozen=True, kw_only=True, tag="join-grid"):
    """Move the EPs of a partial supply grid that is connected again to the main grid."""

    grid: Name
    ep: Some
    empire: str = ""


class Scrap(Order, frozen=True, kw_only=True, tag="scrap"):
    """Scrap a ship for EPs."""

    unit: UnitName
    ep: Points | None = None


class PayInterest(Order, frozen=True, kw_only=True, tag="pay-interest"):
    """Pay the interest stated in 1C2; the part that the treasury cannot pay becomes debt, with the penalty."""

    penalty: Points = 0
    empire: str = ""


class Borrow(Order, frozen=True, kw_only=True, tag="borrow"):
    """Borrow EPs, up to the scenario's limit for a turn."""

    ep: Some
    empire: str = ""


class Receive(Order, frozen=True, kw_only=True, tag="receive"):
    """Receive EPs as salvage of a destroyed unit, paid to its empire."""

    ep: Points | None = None
    source: Name
    unit: UnitOrNone = ""
    empire: str = ""


class Trade(Order, frozen=True, kw_only=True, tag="trade"):
    """Trade with the WYN using a transport or tug: the EPs arrive in 10B."""

    unit: UnitName
    ep: Some


# --- supply ----------------------------------------------------------------------------------------------------


def decide_check_supply(game: Game, order: CheckSupply, _: Dice) -> list[Result]:
    """Set the supply status of the side's units; in a battle, only of the units in it.

    Raises:
        RuleViolation: A unit is in both lists; no unit is named and none is out of supply; or, in 5-3A, a unit is not
            in the battle.
    """
    both = set(order.out) & set(order.partial)
    if both:
        raise refuse(game, "in-both-lists", unit=min(both))
    for unit in own_units(game, order, (*order.out, *order.partial)):
        _verify_is_judged(game, order, unit)
    said = {**dict.fromkeys(order.out, "out"), **dict.fromkeys(order.partial, "partial")}
    side = game.side_of(order.seat)
    judged = {unit.id for unit in in_battle(game, side)} if hex_in_hand(game) else game.units
    mine = units_where(game, lambda one: one.id in judged and (one.id in said or bool(one.get("supply"))), side)
    if not mine:
        raise refuse(game, "supply-not-stated")
    return [event for unit in mine for event in changed(unit, "supply", said.get(unit.id), "supply", rule_of(game))]


def _verify_is_judged(game: Game, order: CheckSupply, unit: Unit) -> None:
    """Check, in a battle, that the unit takes part in it (5-3A).

    Raises:
        RuleViolation: The unit is elsewhere.
    """
    if hex_in_hand(game):
        battle_unit(game, order, unit.id, "410.22")


def judge_the_hex(game: Game) -> list[Result]:
    """Clear, at the start of 5-3A, the supply status set in the last round of this battle."""
    told = (unit for unit in in_battle(game) if unit.get("supply"))
    return [event for unit in told for event in changed(unit, "supply", None, "judged anew", rule_of(game))]


def judge_anew(*sides: str) -> Acts:
    """Return a step action that clears the supply status set by an earlier check.

    With "phasing" among the roles, it clears that of the phasing side's units only; otherwise that of all units.
    """

    def act(game: Game) -> list[Result]:
        own = phasing(game) if "phasing" in sides else None
        told = units_where(game, lambda unit: bool(unit.get("supply")), own)
        return [event for unit in told for event in changed(unit, "supply", None, "judged anew", rule_of(game))]

    return act


# --- debt and income --------------------------------------------------------------------------------------------------


def in_debt(game: Game, _: str) -> bool:
    """Check whether an empire of the phasing side has a debt."""
    return any(game.accounts.get(f"{empire}/debt", 0) > 0 for empire in empires_of(game, phasing(game)))


def state_interest(game: Game) -> list[Result]:
    """State the interest on the debts of the phasing side's empires, if the scenario has a rate (1C2)."""
    results: list[Result] = []
    for empire in empires_of(game, phasing(game)):
        due = interest_on(game, game.accounts.get(f"{empire}/debt", 0))
        now = game.accounts.get(f"{empire}/interest", 0)
        results += paid(game, f"{empire}/interest", due - now, "interest of this turn", rule_of(game)) if due else []
    return results


def unstated(game: Game, side: str) -> tuple[str, ...]:
    """Return the phasing side's empires with a debt but no interest stated this turn; none if there is a rate."""
    mine = empires_of(game, side or phasing(game)) if interest_on(game, 0) is None else ()
    owing = (one for one in mine if game.accounts.get(f"{one}/debt", 0) > 0)
    waits = (one for one in owing if not game.accounts.get(f"{one}/interest", 0))
    return tuple(one for one in waits if game.markers.get(f"no interest {one}") != this_turn(game))


def interest_unstated(game: Game, side: str) -> bool:
    """Check whether the phasing side must still state the interest on a debt."""
    return bool(unstated(game, side))


def decide_state_interest(game: Game, order: StateInterest, _: Dice) -> list[Result]:
    """State the interest of an empire for this turn.

    Raises:
        RuleViolation: The empire has no debt, or the amount differs from the one that the scenario's rate gives.
    """
    empire = own_empire(game, order, order.empire)
    debt, now = game.accounts.get(f"{empire}/debt", 0), game.accounts.get(f"{empire}/interest", 0)
    if not debt:
        raise refuse(game, "no-debt", "447.3", empire=owner_name(game, empire))
    due = interest_on(game, debt)
    if due not in (None, order.amount):
        raise refuse(game, "interest-stated", "447.3", debt=debt, due=due)
    none = marked(game, f"no interest {empire}", None if order.amount else this_turn(game), "", rule_of(game))
    return [*none, *paid(game, f"{empire}/interest", order.amount - now, "interest of this turn", rule_of(game))]


def decide_income(game: Game, order: Income, _: Dice) -> list[Result]:
    """Pay in the income of an empire less exhaustion, once in a player turn.

    Raises:
        RuleViolation: The empire has had its income, or exhaustion takes more than comes in.
    """
    empire, now = own_empire(game, order, order.empire), this_turn(game)
    if game.markers.get(f"income {empire}") == now:
        raise refuse(game, "income-stated", "430.1", empire=owner_name(game, empire))
    if order.exhausted > order.ep:
        raise refuse(game, "exhaustion-too-large", "447.2", given=order.exhausted, limit=order.ep)
    cause = f"income, {order.exhausted} lost to exhaustion" if order.exhausted else "income"
    return [
        *marked(game, f"income {empire}", now, "", rule_of(game, "430.1")),
        *paid(game, f"{empire}/EP", order.ep - order.exhausted, cause, rule_of(game, "430.1")),
        *paid(game, f"{empire}/XTP", order.xtp, "income", rule_of(game, "523.12")),
    ]


def decide_join_grid(game: Game, order: JoinGrid, _: Dice) -> list[Result]:
    """Move EPs from the partial grid's own account to the treasury.

    Raises:
        RuleViolation: The grid holds fewer EPs.
    """
    empire = own_empire(game, order, order.empire)
    grid = f"{empire}/grid {order.grid}"
    held = game.accounts.get(grid, 0)
    if order.ep > held:
        raise refuse(game, "grid-too-low" if held else "grid-empty", "413.44", grid=order.grid, limit=held)
    cause, rule = f"partial grid {order.grid} is connected", rule_of(game, "413.44")
    return [*paid(game, grid, -order.ep, cause, rule), *paid(game, f"{empire}/EP", order.ep, cause, rule)]


def decide_scrap(game: Game, order: Scrap, _: Dice) -> list[Result]:
    """Remove the ship and pay its EPs to its empire.

    Raises:
        RuleViolation: The unit is not a ship, is leased, or is in the depot's box.
    """
    unit, rule = _own_ship(game, order, order.unit, "447.5"), rule_of(game, "447.5")
    ep = price(game, order.ep, f"scrap {kind_of(unit)}", "447.5")
    return [
        *left_behind(game, unit, rule),
        *removed(unit, "scrapped", "", rule),
        *paid(game, f"{payer_of(game, unit)}/EP", ep, f"scrapped {unit.id}", rule),
    ]


def _own_ship(game: Game, order: Order, name: str, number: str) -> Unit:
    """Return a ship of the side that gives the order, neither leased nor in the depot."""
    unit = own_unit(game, order, name)
    if unit.at == DEPOT:
        raise refuse(game, "in-depot-box", number, unit=name)
    verify_own_ship(game, unit, number)
    return unit


def left_behind(game: Game, ship: Unit, rule: str) -> list[Result]:
    """Return the events for units aboard a ship that is given up: leaders and teams stay, the others are lost."""
    off = [
        event
        for unit in aboard_of(game, (ship,))
        for event in (
            (*left_behind(game, unit, rule), *removed(unit, "lost", f"aboard {ship.id}", rule))
            if RIDERS.isdisjoint(unit.names("traits"))
            else changed(unit, "aboard", None, f"{ship.id} is gone", rule)
        )
    ]
    return [*off, *regrouped(game, ship, rule)]


def interest_to_pay(game: Game, side: str) -> tuple[str, ...]:
    """Describe the interest that each empire must pay."""
    owed = {empire: game.accounts.get(f"{empire}/interest", 0) for empire in empires_of(game, side or phasing(game))}
    return tuple(f"{amount} EP of {empire}" for empire, amount in owed.items() if amount)


def interest_is_due(game: Game, side: str) -> bool:
    """Check whether an empire of a side must still pay the interest stated in 1C2."""
    return any(game.accounts.get(f"{empire}/interest", 0) for empire in empires_of(game, side))


def decide_pay_interest(game: Game, order: PayInterest, _: Dice) -> list[Result]:
    """Pay the stated interest from the treasury; the part that is missing becomes debt, with the penalty.

    Raises:
        RuleViolation: No interest is due, or a penalty is stated although the treasury pays it all.
    """
    empire = own_empire(game, order, order.empire)
    due, held = game.accounts.get(f"{empire}/interest", 0), game.accounts.get(f"{empire}/EP", 0)
    if not due:
        raise refuse(game, "no-interest-due", "447.3", empire=owner_name(game, empire))
    settled = max(0, min(due, held))
    if order.penalty and settled == due:
        raise refuse(game, "interest-paid", "447.4", empire=owner_name(game, empire), due=due)
    added = due - settled + order.penalty
    rule = rule_of(game, "447.3")
    return [
        *paid(game, f"{empire}/interest", -due, "interest of 1C2", rule),
        *paid(game, f"{empire}/EP", -settled, "interest of 1C2", rule),
        *paid(game, f"{empire}/debt", added, "unpaid interest and penalty", rule_of(game, "447.4")),
    ]


def decide_borrow(game: Game, order: Borrow, _: Dice) -> list[Result]:
    """Add the EPs to both treasury and debt.

    Raises:
        RuleViolation: The sum is over the scenario's limit for a turn.
    """
    empire = own_empire(game, order, order.empire)
    borrowed = game.number(f"borrowed {empire}")
    limit = printed_of(game, empire, "borrowing")
    if limit and borrowed + order.ep > int(limit):
        left = int(limit) - borrowed
        raise refuse(
            game,
            "borrows-too-much" if left > 0 else "borrowing-limit-reached",
            "430.62",
            empire=owner_name(game, empire),
            limit=limit,
            borrowed=borrowed,
            left=left,
        )
    rule = rule_of(game, "447.1")
    return [
        *paid(game, f"{empire}/EP", order.ep, "borrowed", rule),
        *paid(game, f"{empire}/debt", order.ep, "borrowed", rule),
        *marked(game, f"borrowed {empire}", borrowed + order.ep, "borrowed this turn", rule),
    ]


def forget_borrowing(game: Game) -> list[Result]:
    """Clear the borrowed sums, since the limit on borrowing counts each turn separately."""
    empires = empires_of(game, phasing(game))
    return [event for one in empires for event in marked(game, f"borrowed {one}", None, "a new turn", "1C5 (430.62)")]


# --- paying and receiving ---------------------------------------------------------------------------------------------


def spent_xtp(game: Game, empire: str, xtp: int, cause: str, rule: str) -> list[Result]:
    """Return the events that take XTPs from an empire's treasury.

    Raises:
        RuleViolation: The treasury holds fewer XTPs.
    """
    held = game.accounts.get(f"{empire}/XTP", 0)
    if xtp > held:
        raise refuse(game, "too-few-tactical-points", "523.12", empire=owner_name(game, empire), limit=held)
    return paid(game, f"{empire}/XTP", -xtp, cause, rule)


def unsalvaged(game: Game, side: str) -> Iterator[Unit]:
    """Return the units of a side that were destroyed in this round and are not salvaged (5-6X7)."""
    lost = (unit for unit in game.units.values() if unit.side == side and unit.fate == "destroyed")
    return (unit for unit in lost if unit.get("lost") == round_mark(game) and not unit.get("salvaged"))


def decide_receive(game: Game, order: Receive, _: Dice) -> list[Result]:
    """Pay the salvage of a destroyed unit to its empire, once.

    Raises:
        RuleViolation: The order names no unit, or one that is in play, belongs to another side, was not destroyed in
            this round or is already salvaged; or it names another empire than the unit's.
    """
    if not order.unit:
        raise refuse(game, "salvage-missing", "439.1")
    lost, own = game.units.get(order.unit), "name a destroyed unit of your own"
    if lost is None or not lost.fate:
        raise refuse(game, "not-lost", "439.1", unit=order.unit)
    if lost.side != game.side_of(order.seat) or lost.get("salvaged"):
        raise refuse(
            game,
            "salvaged-already" if lost.get("salvaged") else "salvage-not-yours",
            "439.1",
            unit=order.unit,
            remedy=own,
        )
    if lost.get("lost") != round_mark(game) or lost.fate != "destroyed":
        raise refuse(game, "not-destroyed-this-round", "439.1", unit=order.unit)
    empire, rule = payer_of(game, lost), rule_of(game, "439.1")
    if order.empire not in ("", empire):
        raise refuse(game, "empire-differs", "439.1", unit=order.unit, empire=empire, given=order.empire)
    ep = price(game, order.ep, f"salvage {kind_of(lost)}", "439.1")
    return [
        *paid(game, f"{empire}/EP", ep, order.source, rule),
        *changed(lost, "salvaged", game.turn, order.source, rule),
    ]


# --- the WYN ----------------------------------------------------------------------------------------------------------


def decide_trade(game: Game, order: Trade, _: Dice) -> list[Result]:
    """Put the sum of a trade on a separate account until 10B.

    Raises:
        RuleViolation: The unit is not a transport or tug, or has traded; or the sum is over the scenario's limit for
            one trade.
    """
    unit = own_unit(game, order, order.unit)
    if not has(unit, "transport"):
        need_trait(game, unit, "tug", "tug or transport", "449.13")
    noted = named_once(
        game, unit, "traded", Reason("traded", "has traded"), "name another, or end the step: `done`", "449.13"
    )
    most = listed_price(game, "WYN trade")
    if most is not None and order.ep > most:
        raise refuse(game, "trade-limit", "449.13", limit=most)
    rule = rule_of(game, "449.13")
    return [*noted, *paid(game, f"{payer_of(game, unit)}/WYN", order.ep, f"trade by {unit.id}", rule)]


def funds_are_due(game: Game, _: str) -> bool:
    """Check whether WYN transfer funds of the phasing side are still to arrive."""
    return any(game.accounts.get(f"{empire}/WYN", 0) for empire in empires_of(game, phasing(game)))


def funds_arrive(game: Game) -> list[Result]:
    """Move the sums traded in 3B2 to the treasuries of the empires that traded (10B)."""
    sums = {empire: game.accounts.get(f"{empire}/WYN", 0) for empire in empires_of(game, phasing(game))}
    cause, rule = "WYN transfer funds", rule_of(game)
    return [
        event
        for empire, ep in sums.items()
        for event in (*paid(game, f"{empire}/WYN", -ep, cause, rule), *paid(game, f"{empire}/EP", ep, cause, rule))
    ]
