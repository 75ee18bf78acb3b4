"""Step 5-3B: whether combat is small-scale, by the number of units where the scenario gives it (310.11)."""

from umpire_ledger.domain.titles.federation_and_empire.battle import round_number
from umpire_ledger.domain.titles.federation_and_empire.empires import in_battle
from umpire_ledger.domain.titles.federation_and_empire.ours import SMALL_SCALE
from umpire_ledger.kit import Game, Result, marked, number_of


def size_is_set(game: Game, _: str) -> bool:
    return number_of(game, SMALL_SCALE) > 0


def is_small(game: Game, _: str) -> bool:
    return game.markers.get("small-scale") is not None


def note_size(game: Game) -> list[Result]:
    """5-3A: in the first round of a hex its units are counted; what comes of it holds for all rounds (A7)."""
    small = round_number(game) == 1 and len(in_battle(game)) <= number_of(game, SMALL_SCALE)
    return marked(game, "small-scale", True, "the units of both sides", "5-3B (310.11)") if small else []
