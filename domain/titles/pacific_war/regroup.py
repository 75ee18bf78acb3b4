"""Penalize isolation, recombine ships and ground units, and break down ground units (5.1.H, 5.1.K and 5.1.L).

An isolated air or ground unit loses the scenario's `isolation_steps` (12.0). Without this number, and for ships, the
owner states the loss with its source. The players determine which units are isolated: each side marks its own, or
states that it has none.
"""

from collections.abc import Iterator
from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.pacific_war import task_forces
from umpire_ledger.domain.titles.pacific_war.combat import hit
from umpire_ledger.domain.titles.pacific_war.pieces import (
    COMBAT_ARMS,
    arm,
    of_arm,
    own_of_arm,
    own_unit,
    phase_of,
    refuse,
    with_what_follows,
)
from umpire_ledger.kit import (
    Closes,
    Dice,
    Game,
    Name,
    Order,
    Reason,
    Result,
    Unit,
    UnitName,
    UnitOrNone,
    UnitPlaced,
    Value,
    changed,
    removed,
)

ISOLATION, SHIPS, GROUND = "5.1.H [12.0]", "5.1.K [15.2.3]", "5.1.L [16.9]"
BROKEN_DOWN = "broken down"
TROUBLES = ("broken", "isolated")
"""Troubles that a unit has if one of its parts has them, because recombining repairs nothing."""


class IsolationPenalty(Order, frozen=True, kw_only=True, tag="isolation-penalty"):
    """Take the scenario's steps from an isolated unit of your own. Without `unit`: no other unit is isolated.

    `loses`: steps of an air or ground unit, hits on a ship, if the scenario has no number; `source`: the rule.
    """

    unit: UnitOrNone = ""
    loses: Annotated[int, msgspec.Meta(ge=0, le=99)] | None = None
    source: str = ""


class Recombine(Order, frozen=True, kw_only=True, tag="recombine"):
    """Combine units in one place: `unit` takes them in, or is the unit that they broke down from."""

    unit: UnitName
    units: Annotated[tuple[UnitName, ...], msgspec.Meta(min_length=1, max_length=20)]


class BreakDown(Order, frozen=True, kw_only=True, tag="break-down"):
    """Break a ground unit down into several units with the same total of steps, each with a new id."""

    unit: UnitName
    into: Annotated[dict[Name, Annotated[int, msgspec.Meta(ge=1, le=99)]], msgspec.Meta(min_length=2, max_length=20)]


# --- isolation --------------------------------------------------------------------------------------------------------


def penalized(game: Game, side: str = "") -> tuple[Unit, ...]:
    """Return the isolated units that have yet to suffer their penalty this month."""
    month = game.number("month")
    isolated = (one for one in of_arm(game, *COMBAT_ARMS, side=side) if one.get("isolated"))
    return tuple(one for one in isolated if one.get("penalized") != month)


def penalty_is_due(game: Game, side: str) -> bool:
    return bool(penalized(game, side))


def isolation_is_open(game: Game, side: str) -> bool:
    """Return whether a side has penalized no unit this month, and so must state that it has no other isolated unit."""
    month = game.number("month")
    return not any(one.get("penalized") == month for one in of_arm(game, *COMBAT_ARMS, side=side))


def decide_isolation_penalty(game: Game, order: IsolationPenalty, _: Dice) -> list[Result]:
    """Take steps from a unit, or give hits to a ship, once a month; without a unit, end the side's part.

    Raises:
        RuleViolation: The unit is not isolated or is already penalized, no unit is named although one is isolated, or
            a loss that the scenario does not set has no source.
    """
    side = game.side_of(order.seat)
    due = penalized(game, side)
    names = ", ".join(one.id for one in due)
    if not order.unit:
        if due:
            raise refuse(game, "penalty-not-due", ISOLATION, units=names)
        return [Closes()]
    unit = own_unit(game, order.seat, order.unit, ISOLATION)
    if unit not in due:
        raise refuse(game, "not-isolated", ISOLATION, unit=unit.id, units=names or "none")
    loss = _loss(game, unit, order)
    cause = f"isolated, {order.source}" if order.source else "isolated"
    noted = changed(unit, "penalized", game.number("month"), rule=ISOLATION)
    if arm(unit) == "naval":
        harm, _damage = hit(unit, loss, cause, ISOLATION)
        return with_what_follows(game, [*noted, *harm], ISOLATION)
    left = unit.number("steps") - loss
    if left <= 0:
        return with_what_follows(game, removed(unit, "lost", cause, ISOLATION), ISOLATION)
    return [*changed(unit, "steps", left, cause, ISOLATION), *noted]


def _loss(game: Game, unit: Unit, order: IsolationPenalty) -> int:
    """Return the loss of a unit: the scenario's steps, or another number with a source.

    Raises:
        RuleViolation: The scenario sets no such loss, and the order names no source.
    """
    known = game.number("isolation_steps") if arm(unit) != "naval" else 0
    loss = known if order.loses is None else order.loses
    if not order.source and (loss != known or not known):
        other = Reason("other-loss", f"the scenario gives no loss of {loss} for {unit.id}")
        none = Reason("no-loss", f"the scenario gives no isolation loss for {unit.id}")
        what = none if order.loses is None else other
        raise refuse(game, "loss-not-in-table", ISOLATION, why=what)
    return loss


# --- together and apart -----------------------------------------------------------------------------------------------


def decide_recombine(game: Game, order: Recombine, _: Dice) -> list[Result]:
    """Combine units into one: ships of one kind add up their hits (5.1.K), ground units their steps (5.1.L).

    Raises:
        RuleViolation: The units differ in place, type of ship, arm or activation, have more steps than a full unit, or
            are not parts of the unit to restore.
    """
    at_sea = phase_of(game) == "5.1.K"
    arms, rule = (("naval",), SHIPS) if at_sea else (("ground",), GROUND)
    parts = [own_of_arm(game, order.seat, one, arms, rule) for one in order.units if one != order.unit]
    whole = game.units.get(order.unit)
    if whole is not None and whole.fate == BROKEN_DOWN and not at_sea:
        return _whole_again(game, whole, parts, rule)
    whole = own_of_arm(game, order.seat, order.unit, arms, rule)
    _verify_alike(game, [whole, *parts], rule)
    joined = [event for one in parts for event in removed(one, "recombined", f"into {whole.id}", rule)]
    joined = [*_goes_along(game, whole, parts, rule), *joined]
    return with_what_follows(game, [*(_ships if at_sea else _steps)(game, whole, parts, rule), *joined], rule)


def _verify_alike(game: Game, units: list[Unit], rule: str) -> None:
    """Refuse a single unit, units aboard ships, and units that differ in place, type of ship or activation.

    Raises:
        RuleViolation: The units cannot recombine.
    """
    if len({one.at for one in units}) > 1 or any(one.get("aboard") for one in units):
        raise refuse(game, "units-apart", rule)
    if rule == SHIPS and len({one.kind for one in units}) > 1:
        raise refuse(game, "ships-of-several-types", rule)
    if not units[1:]:
        raise refuse(game, "one-unit-alone", rule)
    if len({bool(one.get("activated")) for one in units}) > 1:
        raise refuse(game, "unlike-activation", rule)


def _goes_along(game: Game, whole: Unit, parts: list[Unit], rule: str) -> Iterator[Result]:
    """Yield the changes that the parts pass on to the whole: cargo, detection, and being broken or isolated."""
    names = {one.id for one in parts}
    for one in of_arm(game, "air", "ground"):
        if one.get("aboard") in names:
            yield from changed(one, "aboard", whole.id, f"with {one.get('aboard')}", rule)
    if rule == SHIPS and any(task_forces.is_detected(game, one) for one in parts):
        yield from changed(task_forces.force_of(game, whole) or whole, "detected", True, "recombined", rule)
    for trouble in TROUBLES:
        if any(one.get(trouble) for one in parts):
            yield from changed(whole, trouble, True, "recombined", rule)


def _ships(game: Game, whole: Unit, parts: list[Unit], rule: str) -> list[Result]:
    total = {name: sum(one.number(name) for one in (whole, *parts)) for name in ("hits", "cripples", "sinks")}
    most = max(one.number("activation") for one in (whole, *parts))
    cause = f"with {', '.join(one.id for one in parts)}"
    values: dict[str, Value] = {**total, "crippled": total["hits"] >= total["cripples"], "activation": most}
    return [event for name, value in values.items() for event in changed(whole, name, value, cause, rule)]


def _steps(game: Game, whole: Unit, parts: list[Unit], rule: str) -> list[Result]:
    steps = sum(one.number("steps") for one in (whole, *parts))
    if steps > whole.number("full_steps"):
        raise refuse(game, "recombined-above-full", rule, unit=whole.id, given=steps, limit=whole.number("full_steps"))
    return changed(whole, "steps", steps, f"with {', '.join(one.id for one in parts)}", rule)


def _whole_again(game: Game, whole: Unit, parts: list[Unit], rule: str) -> list[Result]:
    """Bring a unit that had broken down back into play, with the steps of its parts."""
    if wrong := [one.id for one in parts if one.get("part_of") != whole.id]:
        raise refuse(game, "not-its-parts", rule, units=wrong, unit=whole.id)
    _verify_alike(game, parts, rule)
    steps = sum(one.number("steps") for one in parts)
    attributes = {**whole.attributes, "steps": steps, "activated": bool(parts[0].get("activated"))}
    attributes |= {trouble: any(bool(one.get(trouble)) for one in parts) for trouble in TROUBLES}
    back = UnitPlaced(unit=whole.id, side=whole.side, kind=whole.kind, at=parts[0].at, attributes=attributes, rule=rule)
    return [back, *(event for one in parts for event in removed(one, "recombined", f"into {whole.id}", rule))]


def decide_break_down(game: Game, order: BreakDown, _: Dice) -> list[Result]:
    """Split a ground unit's steps into several units, each with the id of the original unit in `part_of`.

    Raises:
        RuleViolation: The total of steps differs, an id is taken, or the unit is activated or aboard a ship.
    """
    unit = own_of_arm(game, order.seat, order.unit, ("ground",), GROUND)
    steps = sum(order.into.values())
    if steps != unit.number("steps"):
        raise refuse(game, "parts-differ-in-steps", GROUND, given=steps, unit=unit.id, limit=unit.number("steps"))
    if taken := [one for one in order.into if one in game.units]:
        raise refuse(game, "part-id-used", GROUND, units=taken)
    if unit.get("activated") or unit.get("aboard"):
        raise refuse(game, "activated-or-aboard", GROUND, unit=unit.id)
    placed = [
        UnitPlaced(
            unit=name,
            side=unit.side,
            kind=f"{unit.kind}-part",
            at=unit.at,
            attributes={**unit.attributes, "steps": count, "full_steps": count, "part_of": unit.id},
            rule=GROUND,
        )
        for name, count in order.into.items()
    ]
    return [*removed(unit, BROKEN_DOWN, f"into {', '.join(order.into)}", GROUND), *placed]
