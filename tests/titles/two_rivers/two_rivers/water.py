"""Roll how far the rivers carry (1)."""

from umpire_ledger.kit import Closes, Dice, Game, Order, Result, marked, replace


class RollWater(Order, frozen=True, kw_only=True, tag="roll-water"):
    """Roll the one die that says how far the rivers carry this turn."""


def water_is_open(game: Game, _: str) -> bool:
    """Return whether the water of this turn is not rolled yet; 4a removes the marker."""
    return game.markers.get("water") is None


def decide_roll_water(game: Game, _: RollWater, dice: Dice) -> list[Result]:
    """Roll the water: 1 or 2 carries one stretch, 3 to 5 two, 6 three."""
    rolled = dice.roll("1d6", purpose="water", rule="1")
    carries = 1 if rolled.total <= 2 else 2 if rolled.total <= 5 else 3
    return [
        replace(rolled, outcome=f"carries {carries}"),
        *marked(game, "water", carries, rule="1"),
        Closes(everybody=True),
    ]
