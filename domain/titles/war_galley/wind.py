"""A: the wind of the turn."""

from umpire_ledger.kit import Closes, Dice, Game, Order, Result, marked, roll_on_table, step_open


class RollWind(Order, frozen=True, kw_only=True, tag="roll-wind"):
    """Roll two dice on the scenario's wind table; direction and speed hold for the turn. Either player may."""


def wind_is_open(game: Game, _: str) -> bool:
    """The roll closes A, so the wind is not rolled as long as A is open."""
    return step_open(game) == "A"


def decide_roll_wind(game: Game, _: RollWind, dice: Dice) -> list[Result]:
    """2d6 on the wind table (A). The dice are six-sided, as the results 5-6 and 6 elsewhere imply."""
    rolled, wind = roll_on_table(game, dice, "wind", purpose="wind", rule="A", default="2d6")
    assert isinstance(wind, dict), "the scenario was checked"
    cause = f"wind roll {rolled.total}"
    return [
        rolled,
        *marked(game, "wind_direction", wind["direction"], cause, "A"),
        *marked(game, "wind_speed", wind["speed"], cause, "A"),
        Closes(everybody=True),
    ]
