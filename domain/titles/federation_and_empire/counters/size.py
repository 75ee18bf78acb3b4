"""Decide in step 5-3B whether combat is small-scale, by the scenario's number of units if it has one (310.11)."""

from umpire_ledger.domain.titles.federation_and_empire.combat.battle import foe_in_battle, round_number
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import in_battle, round_mark, serving
from umpire_ledger.domain.titles.federation_and_empire.house_values import SMALL_SCALE
from umpire_ledger.kit import Game, Result, Unit, marked, number_of


def size_is_set(game: Game, _: str) -> bool:
    return number_of(game, SMALL_SCALE) > 0


def is_small(game: Game, _: str) -> bool:
    return game.markers.get("small-scale") is not None


def note_size(game: Game) -> list[Result]:
    """Count the units in the first round of a hex (5-3A); the result applies to all its rounds (A7)."""
    small = round_number(game) == 1 and len(in_battle(game)) <= number_of(game, SMALL_SCALE)
    return marked(game, "small-scale", True, "the units of both sides", "5-3B (310.11)") if small else []


def small_round_is_due(game: Game, side: str) -> bool:
    """Check whether a side that has an opponent left has not rolled for the round of small-scale combat (310.0)."""
    opposed = any(serving(game, foe) for foe in foe_in_battle(game, side))
    return opposed and bool(serving(game, side)) and not _has_fought(game, side)


def who_may_fight(game: Game, side: str) -> tuple[Unit, ...]:
    """Return the units of a side with which it may roll for the round."""
    return serving(game, side)


def _has_fought(game: Game, side: str) -> bool:
    """Check whether a unit of the side has fought in this round's 5-3K, even if it was lost there."""
    mine = (unit for unit in game.units.values() if unit.side == side and unit.get("fought") == "5-3K")
    return any(not unit.fate or unit.get("lost") == round_mark(game) for unit in mine)
