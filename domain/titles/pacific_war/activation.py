"""Activate units and pay for them (5.1.P, 5.1.S and 5.2.M).

An activated unit costs its Activation Points in Command Points of a headquarters (20.1). When a side has activated more
than 10 Activation Points, the headquarters that exceeded them also pays the cost of the operation. The Operation player
may spend at most the bid on all this, 5.2.M included; the rules print no minimum. A claim without a bid has no ceiling.
The Reaction player is limited by the Condition, and by the Operation Level if the scenario has a table for it.

In games with fog, payments are public but hidden units are activated in secret. With one order a side pays Activation
Points for hidden units without naming them; with another it activates hidden units worth at most these points.
"""

from collections.abc import Iterable
from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.pacific_war.command import purses
from umpire_ledger.domain.titles.pacific_war.intelligence import limit
from umpire_ledger.domain.titles.pacific_war.pieces import (
    COMBAT_ARMS,
    activated,
    entry,
    for_hidden,
    has,
    hidden_paid,
    of_arm,
    own_of_arm,
    phase_of,
    refuse,
)
from umpire_ledger.kit import (
    Dice,
    Game,
    Hide,
    Order,
    Result,
    Show,
    Unit,
    UnitName,
    UnitShown,
    changed,
    decide_hide,
    decide_show,
    is_foggy,
    look_up,
    marked,
    paid,
    word_in,
)

FREE_OF_COST = 10
"""The most Activation Points for which a headquarters pays no operation cost."""
CEILING_LASTS = "ceiling_lasts"
"""The option that the bid and the limits of the Reaction player apply in 5.2.M too."""
HOW_MANY = msgspec.Meta(max_length=60)
Hidden = Annotated[int, msgspec.Meta(ge=0, le=999)]


class Activate(Order, frozen=True, kw_only=True, tag="activate"):
    """Activate combat units with the Command Points of a headquarters, or `from_pool`.

    `hidden`: Activation Points paid for units that are hidden. Such units are activated by a separate order, which
    pays nothing.
    """

    units: Annotated[tuple[UnitName, ...], HOW_MANY]
    headquarters: UnitName
    from_pool: bool = False
    hidden: Hidden = 0


class Deactivate(Order, frozen=True, kw_only=True, tag="deactivate"):
    """Deactivate combat units of your own. `hidden`: Activation Points given up that were paid for hidden units."""

    units: Annotated[tuple[UnitName, ...], HOW_MANY]
    hidden: Hidden = 0


class PayTime(Order, frozen=True, kw_only=True, tag="pay-time"):
    """Pay further Time multiples for an extended operation."""

    multiples: Annotated[int, msgspec.Meta(ge=1, le=9)]
    headquarters: UnitName


class SetLevel(Order, frozen=True, kw_only=True, tag="set-operation-level"):
    """State the Operation Level at which the operation is conducted."""

    level: Annotated[int, msgspec.Meta(ge=1, le=9)]


# --- spending ---------------------------------------------------------------------------------------------------------


def ceiling(game: Game, side: str) -> tuple[int, str]:
    """Return the most points that a side may spend in this operation, -1 for any number, and the limit's source."""
    if phase_of(game) == "5.2.M" and not game.options.get(CEILING_LASTS, True):
        return -1, "nothing"
    if side == game.markers.get("operation_player"):
        bid = game.markers.get("bid")
        return (bid, "the bid") if isinstance(bid, int) else (-1, "no bid")
    if "reaction-limits" not in game.tables:
        return limit(game, "points"), "the Condition"
    level = max(1, game.number("operation_level"))
    by_level = entry(look_up(game, "reaction-limits", level)[1], "points")
    by_condition = limit(game, "points")
    if 0 <= by_condition <= by_level:
        return by_condition, "the Condition"
    return by_level, f"Operation Level {level}"


def rule_of(game: Game) -> str:
    cites = {"5.1.P": "20.1", "5.1.S": "22.0", "5.2.M": "20.4, 20.5 & 32.0"}
    step = phase_of(game)
    return f"{step} [{cites.get(step, '20.1')}]"


def spend(game: Game, side: str, account: str, points: int, cause: str) -> list[Result]:
    """Spend Command Points on the operation.

    Raises:
        RuleViolation: The points exceed the ceiling, or the account does not hold them.
    """
    rule = rule_of(game)
    most, source = ceiling(game, side)
    spent = has(game, f"spent/{side}")
    if most >= 0 and spent + points > most:
        raise refuse(
            game,
            "above-activation-limit",
            rule,
            cause=cause,
            given=points,
            spent=spent,
            source=source,
            limit=most,
            limit_2=most - spent,
        )
    if points > has(game, account):
        raise refuse(game, "too-few-points", rule, cause=cause, given=points, account=account, limit=has(game, account))
    return [*paid(game, account, -points, cause, rule), *paid(game, f"spent/{side}", points, cause, rule)]


# --- orders -----------------------------------------------------------------------------------------------------------


def decide_activate(game: Game, order: Activate, _: Dice) -> list[Result]:
    """Activate units and pay for them, and for the operation too when the side exceeds 10 Activation Points.

    Raises:
        RuleViolation: A unit is not a combat unit of the side on the map, or is already activated; the points exceed
            the ceiling or the account; the kind of scenario excludes activation; or the order names hidden and public
            units together, or hidden units worth more than was paid.
    """
    rule = rule_of(game)
    side = game.side_of(order.seat)
    verify_may_change(game, activating=True)
    headquarters = own_of_arm(game, order.seat, order.headquarters, ("headquarters",), rule)
    units = _named(game, order.seat, order.units, rule)
    if ready := [unit.id for unit in units if unit.get("activated")]:
        raise refuse(game, "activated-already", rule, units=ready)
    _verify_names(game, units, order.hidden, rule)
    activating = [event for unit in units for event in changed(unit, "activated", True, f"by {headquarters.id}", rule)]
    if any(unit.id in game.hidden for unit in units):
        _verify_covered(game, side, _worth(units), rule)
        return [*activating, *(event for unit in units for event in _used(game, unit))]
    worth = _worth(units) + order.hidden
    before = has(game, f"activation/{side}")
    crosses = before <= FREE_OF_COST < before + worth
    cost = headquarters.number("operation_cost") if crosses else 0
    account = f"pool/{side}" if order.from_pool else f"points/{headquarters.id}"
    cause = f"activating {_counted(len(units), 'unit')}" + (f", hidden ones for {order.hidden}" if order.hidden else "")
    cause += f", operation of {headquarters.id} {cost}" if crosses else ""
    return [
        *spend(game, side, account, worth + cost, cause),
        *paid(game, f"activation/{side}", worth, cause, rule),
        *paid(game, for_hidden(side), order.hidden, cause, rule),
        *paid(game, hidden_paid(side), order.hidden, cause, rule),
        *activating,
    ]


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _worth(units: Iterable[Unit]) -> int:
    return sum(unit.number("activation") for unit in units)


def _verify_names(game: Game, units: tuple[Unit, ...], points: int, rule: str) -> None:
    """Refuse an order that names no units and no points, or hidden units together with public ones.

    Raises:
        RuleViolation: The order names nothing, or mixes hidden and public activation.
    """
    hidden = [unit.id for unit in units if unit.id in game.hidden]
    if not units and not points:
        raise refuse(game, "no-unit-named", rule)
    if hidden and (points or len(hidden) < len(units)):
        raise refuse(game, "hidden-beside-open", rule, units=hidden)


def _verify_covered(game: Game, side: str, worth: int, rule: str) -> None:
    """Refuse hidden units that together are worth more than the side has paid for hidden units in this operation.

    Points count only once: if a unit is later shown, lost or deactivated, its points cannot activate another unit.

    Raises:
        RuleViolation: The points paid are too few.
    """
    paid_for = has(game, hidden_paid(side))
    used = sum(_used_by(game, unit) for unit in game.units.values() if unit.side == side)
    if used + worth > paid_for:
        raise refuse(game, "hidden-points-exceeded", rule, limit=paid_for, given=used + worth)


def _used_by(game: Game, unit: Unit) -> int:
    """Return the hidden points that a unit has used in this operation."""
    return unit.number("covered") if unit.get("covered_in") == game.number("operation") else 0


def _used(game: Game, unit: Unit) -> list[Result]:
    """Record the hidden points that a unit uses."""
    points = _used_by(game, unit) + unit.number("activation")
    return [*changed(unit, "covered", points), *changed(unit, "covered_in", game.number("operation"))]


def decide_show_units(game: Game, order: Show, dice: Dice) -> list[Result]:
    """Show units. Activated units that both sides now see no longer count as hidden points."""
    results = decide_show(game, order, dice)
    seen = [one.unit for one in results if isinstance(one, UnitShown) and not one.seen_by]
    return [*results, *_moved(game, seen, -1)]


def decide_hide_units(game: Game, order: Hide, dice: Dice) -> list[Result]:
    """Hide units. Activated units now count as hidden points, which are already paid."""
    gone = [one for one in dict.fromkeys((order.unit, *order.units)) if one not in game.hidden]
    hiding = decide_hide(game, order, dice)
    return [*_moved(game, gone, 1), *hiding]  # points first: without visible units the operation would end


def _moved(game: Game, names: Iterable[str], way: int) -> list[Result]:
    """Move the Activation Points of activated units into the account of hidden units (`way` 1) or out of it (-1)."""
    units = [game.units[one] for one in names if game.units[one].get("activated")]
    side = units[0].side if units else ""
    points = _worth(units) if way > 0 else min(_worth(units), has(game, for_hidden(side)))
    return paid(game, for_hidden(side), way * points, "hidden" if way > 0 else "shown")


def hidden_worth(game: Game, side: str) -> int:
    """Return the Activation Points of a side's activated hidden units that this copy of the game knows."""
    return _worth(unit for unit in activated(game, side) if unit.id in game.hidden)


def _named(game: Game, seat: str, names: tuple[str, ...], rule: str) -> tuple[Unit, ...]:
    return tuple(own_of_arm(game, seat, name, COMBAT_ARMS, rule) for name in names)


def is_in_the_note(game: Game, *, activating: bool) -> bool:
    """Return whether the scenario excludes deactivation (Engagement) or activation (Engagement, Battle) in 5.2.M."""
    kind = str(game.markers.get("kind"))
    return kind == "engagement" or (kind == "battle" and activating)


def can_deactivate(game: Game, side: str) -> bool:
    """Return whether a side has a unit to deactivate in 5.2.M."""
    return bool(activated(game, side)) and not is_in_the_note(game, activating=False)


def can_activate(game: Game, side: str) -> bool:
    """Return whether a side has a unit to activate in 5.2.M, and the points for the cheapest one."""
    idle = [one.number("activation") for one in of_arm(game, *COMBAT_ARMS, side=side) if not one.get("activated")]
    if not idle or not of_arm(game, "headquarters", side=side) or is_in_the_note(game, activating=True):
        return False
    most, _ = ceiling(game, side)
    left = most - has(game, f"spent/{side}") if most >= 0 else min(idle)
    accounts = (*purses(game, side)[1:], f"pool/{side}")
    return min(idle) <= min(left, max(has(game, one) for one in accounts))


def can_react(game: Game, _: str) -> bool:
    """Return whether the Reaction player can act in 5.1.S; always true if units may be hidden."""
    side = word_in(game, "reaction_player")
    ships = (one for one in of_arm(game, "naval", side=side) if one.get("activated"))
    return is_foggy(game) or can_activate(game, side) or any(ships)


def verify_may_change(game: Game, *, activating: bool) -> None:
    """Refuse a change of activation that the kind of scenario excludes in 5.2.M.

    Raises:
        RuleViolation: The scenario is an Engagement, or is a Battle and the order would activate units.
    """
    kind = str(game.markers.get("kind"))
    if phase_of(game) == "5.2.M" and is_in_the_note(game, activating=activating):
        raise refuse(
            game, "not-in-this-scenario", rule_of(game), phase="activation" if activating else "deactivation", kind=kind
        )


def decide_deactivate(game: Game, order: Deactivate, _: Dice) -> list[Result]:
    """Deactivate units. The operation ends with its last activated unit.

    Raises:
        RuleViolation: A unit is not activated, the hidden points are too few, the order names hidden and public units
            together, or the kind of scenario excludes deactivation.
    """
    rule = rule_of(game)
    verify_may_change(game, activating=False)
    units = _named(game, order.seat, order.units, rule)
    _verify_names(game, units, order.hidden, rule)
    side = game.side_of(order.seat)
    if idle := [unit.id for unit in units if not unit.get("activated")]:
        mine = ", ".join(unit.id for unit in activated(game, side)) or "none"
        raise refuse(game, "not-activated", rule, units=idle, activated=mine)
    if order.hidden > has(game, for_hidden(side)):
        raise refuse(game, "fewer-hidden-points", rule, limit=has(game, for_hidden(side)))
    given_up = paid(game, for_hidden(side), -order.hidden, "given up", rule)
    return [*given_up, *(event for unit in units for event in changed(unit, "activated", False, "deactivated", rule))]


def decide_pay_time(game: Game, order: PayTime, _: Dice) -> list[Result]:
    """Pay for more Time multiples as the Operation player; the first multiple is free.

    Raises:
        RuleViolation: The points exceed the ceiling, or the headquarters has too few.
    """
    side = game.side_of(order.seat)
    headquarters = own_of_arm(game, order.seat, order.headquarters, ("headquarters",), "5.1.P [20.2.5]")
    points = order.multiples * game.number("cost_of_time")
    multiple = max(1, game.number("time_multiple")) + order.multiples
    return [
        *spend(game, side, f"points/{headquarters.id}", points, _counted(order.multiples, "Time multiple")),
        *marked(game, "time_multiple", multiple, "paid", "5.1.P [20.2.5]"),
    ]


def decide_set_level(game: Game, order: SetLevel, _: Dice) -> list[Result]:
    if game.number("operation_level") == order.level:
        raise refuse(game, "level-already", "5.1.P [20.3]", level=order.level)
    return marked(game, "operation_level", order.level, "stated", "5.1.P [20.3]")
