"""Volleys: d10 for units of one kind together, each pip at or above the combat value a hit."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from umpire_ledger.domain.titles.twilight_imperium_3.units import value
from umpire_ledger.kit import MOST_DICE, Dice, Game, Result, Unit, replace


def volley(
    game: Game, dice: Dice, units: Iterable[Unit], *, purpose: str, rule: str, each: int = 0
) -> tuple[list[Result], int]:
    """The rolls of these units and their hits. `each`: dice a unit; its combat strength multiplier if 0.

    The dice of a roll stand in the order of its subjects.
    """
    results: list[Result] = []
    hits = 0
    for group in _groups(game, units, each):
        first = group[0]
        number = len(group) * (each or value(game, first, "dice"))
        combat = value(game, first, "combat")
        rolled = dice.roll(
            f"{number}d10",
            purpose=f"{purpose}: {len(group)} {first.kind} of {game.side_name(first.side)}",
            rule=rule,
            subjects=tuple(unit.id for unit in group),
            needed=f"{combat} or more",
        )
        scored = sum(pip >= combat for pip in rolled.pips)
        hits += scored
        results.append(replace(rolled, outcome=_words(scored)))
    return results, hits


def _words(hits: int) -> str:
    return "no hit" if hits == 0 else "1 hit" if hits == 1 else f"{hits} hits"


def _groups(game: Game, units: Iterable[Unit], each: int) -> Iterator[list[Unit]]:
    """Units of one kind and one set of values, as many as can roll at once; who cannot fight rolls nothing."""

    def key(unit: Unit) -> tuple[str, int, int]:
        return unit.kind, value(game, unit, "combat"), value(game, unit, "dice")

    fighting = sorted((unit for unit in units if can_fight(game, unit)), key=lambda unit: (*key(unit), unit.id))
    for (_, _, own), found in groupby(fighting, key=key):
        group = list(found)
        at_once = MOST_DICE // (each or own or 1)
        yield from (group[at : at + at_once] for at in range(0, len(group), at_once))


def can_fight(game: Game, unit: Unit) -> bool:
    """It has a combat value and a die to roll."""
    return value(game, unit, "combat") > 0 and value(game, unit, "dice") > 0
