"""Decide Steps 4C to 4E and 4G of Phase 5: dice, COMPOT, the damage that each side has scored, minus and plus points.

The damage tables are not in the printed sequence: a scenario's `damage_chart` gives the points for a die, or the
players enter them once. Minus points are taken off before directed damage, plus points are added after it.
"""

from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.combat.battle import answered, battlers
from umpire_ledger.domain.titles.federation_and_empire.combat.damage_chart import (
    ChartReading,
    forget_dice,
    note_die,
    on_chart,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.intensity import Points
from umpire_ledger.domain.titles.federation_and_empire.combat.skirmish import factor_of
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    hex_in_hand,
    phasing,
    refuse,
    rule_of,
    serving,
)
from umpire_ledger.domain.titles.federation_and_empire.house_values import APPROACH, DIE
from umpire_ledger.kit import (
    Dice,
    Game,
    Modified,
    Modifier,
    Result,
    Unit,
    after,
    marked,
    modifiers_of,
    names_in,
    number_of,
    paid,
    word_of,
)


class RollDamage(Modified, frozen=True, kw_only=True, tag="roll-damage"):
    """Roll for your damage coefficient; a used captured ship gives +1. `score` then states the damage points."""


class Score(Modified, frozen=True, kw_only=True, tag="score"):
    """State the damage points of your COMPOT with this die, BIR and shift.

    The scenario's `damage_chart` gives the points; without a chart, state `points` and their `source`. Umpire adds up
    the COMPOT of the units that fight; `modifiers` name other factors that count, each with its source. `compot` may
    repeat the sum.
    """

    points: Points | None = None
    compot: Points | None = None
    source: Annotated[str, msgspec.Meta(max_length=80)] = ""


def decide_roll_damage(game: Game, order: RollDamage, dice: Dice) -> list[Result]:
    """Roll a side's one damage die of the round.

    Raises:
        RuleViolation: The side has already rolled in this round.
    """
    side, rule = game.side_of(order.seat), rule_of(game, "302.42")
    if has_rolled(game, side):
        raise refuse(game, "damage-rolled-already", "302.42")
    used = tuple(unit for unit in names_in(game, "captured used") if game.units[unit].side == side)
    plus = tuple(Modifier(amount=1, source=f"captured {unit}") for unit in used)
    every = (*plus, *modifiers_of(order))
    rolled = dice.roll(word_of(game, DIE), purpose=f"damage of {game.side_name(side)}", modifiers=every, rule=rule)
    noted = marked(game, "rolled", (*names_in(game, "rolled"), side), "", rule)
    return [rolled, *noted, *note_die(game, side, rolled.total, rule)]


def has_rolled(game: Game, side: str) -> bool:
    return side in names_in(game, "rolled")


def clear_rolls(game: Game) -> list[Result]:
    """Clear the marks and dice of sides that have rolled (5-4C3)."""
    return [*marked(game, "rolled", None), *forget_dice(game)]


def decide_score(game: Game, order: Score, _: Dice) -> list[Result]:
    """Score the damage points of a side's COMPOT.

    Raises:
        RuleViolation: The side has already scored; the order states another COMPOT than the units have, or other points
            than the chart gives; or, without a chart, it states no points, or more than the COMPOT.
    """
    side = game.side_of(order.seat)
    plus = sum(one.amount for one in modifiers_of(order))
    compot = max(0, compot_of(serving(game, side)) + plus)
    if has_scored(game, side):
        raise refuse(game, "damage-stated-already", "302.42")
    if order.compot not in (None, compot):
        raise refuse(game, "compot-differs", "302.4", limit=compot, given=order.compot)
    sources = "".join(f", {one.source} {one.amount:+d}" for one in modifiers_of(order))
    read = _read(game, order, side, compot)
    cause = f"COMPOT {compot}{sources}{f', {read.words}' if read.words else ''}"
    noted = marked(game, "scored", (*names_in(game, "scored"), side), cause, rule_of(game, "308.51"))
    return [*noted, *_set_damage(game, side, read.points, f"damage of {cause}")]


def _read(game: Game, order: Score, side: str, compot: int) -> ChartReading:
    """Return the points of a score: those of the chart, which the order may repeat, or else those of the order."""
    found = on_chart(game, side, compot)
    if found is not None and order.points not in (None, found.points):
        raise refuse(
            game,
            "points-differ",
            "308.51",
            limit=found.points,
            given=order.points,
            compot=compot,
            calculation=found.words,
        )
    if found is not None:
        return found
    if order.points is None:
        raise refuse(game, "points-missing", "302.42")
    if order.points > compot:
        raise refuse(game, "points-above-compot", "302.42", given=order.points, limit=compot)
    return ChartReading(order.points, order.source)


def has_scored(game: Game, side: str) -> bool:
    return side in names_in(game, "scored")


def clear_scores(game: Game) -> list[Result]:
    """Clear the marks of sides that have scored, and their damage (5-4C4)."""
    old = [event for side in battlers(game) for event in _set_damage(game, side, 0, "a new round")]
    return [*marked(game, "scored", None), *old]


def compot_of(units: tuple[Unit, ...]) -> int:
    """Return the COMPOT of a force: its present attack factors, without frozen units.

    A ship subject to shock counts with the factors that it announced. The points by which web casters weaken a unit are
    subtracted, not below 0; web fists and drone bombardment are added.
    """
    return sum(max(0, _used(unit) - unit.number("weakened")) for unit in units if not unit.get("frozen"))


def _used(unit: Unit) -> int:
    more = unit.number("fist") + (unit.number("drones") if unit.get("bombards") else 0)
    factors = factor_of(unit) if unit.get("shock") is None else min(unit.number("shock"), factor_of(unit))
    return factors + more


def damage_of(game: Game, side: str) -> int:
    """Return the points that a side has scored and its enemy has not yet taken."""
    return game.accounts.get(f"{side}/damage", 0)


def _set_damage(game: Game, side: str, points: int, cause: str) -> list[Result]:
    return paid(game, f"{side}/damage", points - damage_of(game, side), cause, rule_of(game))


def lose_damage(game: Game) -> list[Result]:
    """Clear points that no unit was left to take (5-6B/lost)."""
    return [event for side in battlers(game) for event in _set_damage(game, side, 0, "nobody is left to take it")]


def carry_account(game: Game, side: str, sort: str) -> str:
    """Return the account of a side's plus or minus points in the current battle hex."""
    return f"{side}/{sort} {hex_in_hand(game)}"


def take_minus_points(game: Game) -> list[Result]:
    """Take minus points off the damage before it is directed, down to 0 (5-4E)."""
    return [event for side in battlers(game) for event in _settle(game, side, "minus")]


def add_plus_points(game: Game) -> list[Result]:
    """Add plus points after damage was directed (5-5D)."""
    return [event for side in battlers(game) for event in _settle(game, side, "plus")]


def _settle(game: Game, side: str, sort: str) -> list[Result]:
    """Transfer a side's carried points to its damage; minus points do not take it below 0."""
    account = carry_account(game, side, sort)
    held = game.accounts.get(account, 0)
    points = held if sort == "plus" else min(held, damage_of(game, side))
    words, rule = f"{sort} points", rule_of(game, "308.2")
    return [
        *paid(game, account, -points, words, rule),
        *paid(game, f"{side}/damage", points if sort == "plus" else -points, words, rule),
    ]


def approach_is_set(game: Game, _: str) -> bool:
    return number_of(game, APPROACH) > 0


def approach_won(game: Game, _: str) -> bool:
    return game.markers.get("approach won") is True


def approach_lost(game: Game, _: str) -> bool:
    """Check whether the last approach battle did less damage than required; the next round then offers one."""
    return game.markers.get("approach won") is False


def settle_minus(game: Game) -> list[Result]:
    """Take minus points, and note whether the damage left from an approach battle leads to the base (5-4E, 308.3)."""
    results = take_minus_points(game)
    needed = number_of(game, APPROACH)
    if not needed or answered(game, "5-2A3") != "accept" or game.cursor.frame("5-S8") is not None:
        return results
    won = damage_of(after(game, results), phasing(game)) >= needed
    cause = f"{needed} points or more" if won else f"fewer than {needed} points"
    return [*results, *marked(game, "approach won", won, cause, "5-4G (308.3)")]
