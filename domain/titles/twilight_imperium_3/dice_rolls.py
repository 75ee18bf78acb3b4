"""Roll volleys: units of one kind roll their d10s together, and each die at or above the combat value is a hit.

The firing units, their dice and their order are planned first, so that `status` can ask for the dice in the words of
the plan. Modifiers from cards and abilities apply to each die; the record keeps the natural die.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby

from umpire_ledger.domain.titles.twilight_imperium_3.units import value
from umpire_ledger.kit import (
    MOST_DICE,
    Dice,
    DiceRolled,
    Game,
    Modified,
    PlannedThrow,
    Result,
    RollPlan,
    Unit,
    modifiers_of,
    replace,
    throw_all,
)


def volley_plan(
    game: Game, units: Iterable[Unit], *, purpose: str, rule: str, each: int = 0, order: Modified | None = None
) -> RollPlan:
    """Plan the rolls of units, by kind and then by id; the dice of a roll are in the order of its subjects.

    Args:
        each: Dice per unit; 0 for each unit's own number.
        order: The order whose modifiers apply to each die.
    """
    return tuple(_throw(game, group, purpose, rule, each, order) for group in _groups(game, units, each))


def _throw(game: Game, group: list[Unit], purpose: str, rule: str, each: int, order: Modified | None) -> PlannedThrow:
    first = group[0]
    modifiers = modifiers_of(order) if order is not None else ()
    plus = sum(one.amount for one in modifiers)
    return PlannedThrow(
        dice=f"{len(group) * (each or value(game, first, 'dice'))}d10",
        purpose=f"{purpose}: {len(group)} {first.kind} of {game.side_name(first.side)}",
        rule=rule,
        subjects=tuple(unit.id for unit in group),
        needed=f"{value(game, first, 'combat')} or more{f', each die {plus:+d}' if modifiers else ''}",
        modifiers=modifiers,
    )


def volley(game: Game, dice: Dice, plan: RollPlan) -> tuple[list[Result], int]:
    """Roll a plan; return the rolls and the number of hits."""
    rolls = [_scored(game, rolled) for rolled in throw_all(dice, plan)]
    return [rolled for rolled, _ in rolls], sum(hits for _, hits in rolls)


def _scored(game: Game, rolled: DiceRolled) -> tuple[DiceRolled, int]:
    combat = value(game, game.units[rolled.subjects[0]], "combat")
    plus = sum(one.amount for one in rolled.modifiers)
    hits = sum(pip + plus >= combat for pip in rolled.pips)
    return replace(rolled, outcome=_words(hits)), hits


def _words(hits: int) -> str:
    return "no hit" if hits == 0 else "1 hit" if hits == 1 else f"{hits} hits"


def _groups(game: Game, units: Iterable[Unit], each: int) -> Iterator[list[Unit]]:
    """Yield groups of one kind and one set of values, within the limit of dice; units that cannot fight do not roll."""

    def key(unit: Unit) -> tuple[str, int, int]:
        return unit.kind, value(game, unit, "combat"), value(game, unit, "dice")

    fighting = sorted((unit for unit in units if can_fight(game, unit)), key=lambda unit: (*key(unit), unit.id))
    for (_, _, own), found in groupby(fighting, key=key):
        group = list(found)
        at_once = MOST_DICE // (each or own or 1)
        yield from (group[at : at + at_once] for at in range(0, len(group), at_once))


def can_fight(game: Game, unit: Unit) -> bool:
    """Return whether a unit has a combat value and a die to roll."""
    return value(game, unit, "combat") > 0 and value(game, unit, "dice") > 0
