"""Decide Steps 4A2 to 4A4 and 4A7E of Phase 5: the points of electronic warfare and the resulting shift.

The points are those on the counters (`ew`). If no unit of a scenario has any, the players state them.
"""

from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.combat.battle import (
    battlers,
    chosen,
    commit_and_open,
    foe_in_battle,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.intensity import Points
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    has,
    is_base,
    refuse,
    rule_of,
    serving,
    serving_unit,
)
from umpire_ledger.kit import Dice, Game, Order, Result, UnitName, marked, names_in, step_open


class SealEW(Order, frozen=True, kw_only=True, tag="seal-ew"):
    """Secretly choose the electronic warfare of your variable units, starbases and BATS."""

    points: Points
    units: tuple[UnitName, ...] = ()


class ShiftEW(Order, frozen=True, kw_only=True, tag="shift-ew"):
    """State the electronic warfare shift, and state it again when X-ships count or a unit is frozen."""

    shift: Annotated[int, msgspec.Meta(ge=-9, le=9)]
    why: str = ""


def is_printed(game: Game) -> bool:
    """Check whether the scenario gives the points of any unit."""
    return any(unit.get("ew") is not None for unit in game.units.values())


def decide_seal_ew(game: Game, order: SealEW, _: Dice) -> list[Result]:
    """Seal the points of electronic warfare and the units that give them.

    Raises:
        RuleViolation: A unit does not fight, has no electronic warfare or is an X-base; points are stated without
            units; or there are more points than the units have.
    """
    units = [serving_unit(game, order, unit, "308.51") for unit in dict.fromkeys(order.units)]
    if (late := next((unit for unit in units if has(unit, "xbase")), None)) is not None:
        raise refuse(game, "chooses-later", "523.44", unit=late.id)
    for unit in units if order.points else ():
        if not (has(unit, "scout") or is_base(unit)):
            raise refuse(game, "no-electronic-warfare", "308.51", unit=unit.id)
    if order.points and not order.units:
        raise refuse(game, "no-unit-gives-points", "308.51")
    most = sum(unit.number("ew") for unit in units)
    if order.points > most and is_printed(game):
        raise refuse(game, "points-above-warfare", "308.51", limit=most)
    choice = (str(order.points), *order.units)
    return commit_and_open(game, game.side_of(order.seat), "EW", choice, "308.51", battlers(game))


def decide_shift_ew(game: Game, order: ShiftEW, _: Dice) -> list[Result]:
    """State the shift of electronic warfare.

    Raises:
        RuleViolation: In 5-4A2 a side has not sealed its points; the side has fewer points than its opponents; or the
            shift is greater than the difference in points, plus those of X-units.
    """
    side = game.side_of(order.seat)
    waits = [one for one in battlers(game) if f"{one} EW" not in names_in(game, "sealed")]
    if step_open(game) == "5-4A2" and waits:
        raise refuse(game, "warfare-not-sealed", "308.51", side_has=game.side_does(waits[0], "has"))
    mine, theirs = points_of(game, side), sum(points_of(game, foe) for foe in foe_in_battle(game, side))
    more = _of_x(game)
    if mine < theirs and step_open(game) in ("5-4A2", "5-4A7E"):
        raise refuse(game, "other-side-sets-shift", "308.51", theirs=theirs, own=mine)
    if abs(order.shift) > abs(mine - theirs) + more and (is_printed(game) or step_open(game) == "5-4A2"):
        beside = f", and X-units give {more}" if more else ""
        raise refuse(
            game,
            "wrong-shift",
            given=order.shift,
            own=mine,
            theirs=theirs,
            others=beside,
            limit=abs(mine - theirs) + more,
        )
    return marked(game, "EW shift", (side, str(order.shift)), order.why or "electronic warfare", rule_of(game))


def points_of(game: Game, side: str) -> int:
    """Return the points that a side has revealed in this round, less those of its units that are frozen or gone."""
    sealed = _sealed_by(game, side)
    if not sealed:
        return 0
    here = {unit.id for unit in serving(game, side) if not unit.get("frozen")}
    lost = sum(game.units[name].number("ew") for name in dict.fromkeys(sealed[1:]) if name not in here)
    return max(0, int(sealed[0]) - lost)


def _sealed_by(game: Game, side: str) -> tuple[str, ...]:
    """Return the points that a side has revealed in this round and the units that give them; () before the reveal."""
    sealed = chosen(game, "EW", side)
    return sealed if isinstance(sealed, tuple) else ()


LATER = {"5-4A3": ("x",), "5-4A4": ("x", "xbase"), "5-4A7E": ("x", "xbase")}
"""By step: traits of units on both sides that count in addition to those sealed in 5-4A2, if they are not frozen."""


def _of_x(game: Game) -> int:
    traits = LATER.get(step_open(game), ())
    given = (_sealed_by(game, side) for side in battlers(game))
    sealed = {name for points, *units in filter(None, given) if int(points) for name in units}
    counted = (unit for unit in serving(game) if not unit.get("frozen") and unit.id not in sealed)
    return sum(unit.number("ew") for unit in counted if any(has(unit, trait) for trait in traits))
