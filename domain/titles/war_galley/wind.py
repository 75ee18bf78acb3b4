"""Roll the wind of the turn (A)."""

from umpire_ledger.domain.titles.war_galley.tables import WIND
from umpire_ledger.kit import Closes, Dice, Game, Result, TableRoll, marked, on_table, step_open


class RollWind(TableRoll, frozen=True, kw_only=True, tag="roll-wind"):
    """Roll two dice on the scenario's wind table; the result lasts for the turn. Either player may roll."""


def wind_is_open(game: Game, _: str) -> bool:
    """Check whether step A is open. The roll closes it, so the wind of an open step A has not been rolled."""
    return step_open(game) == "A"


def decide_roll_wind(game: Game, order: RollWind, dice: Dice) -> list[Result]:
    """Roll 2d6 on the wind table (A).

    The summary says only "2 dice"; its results 5-6 and 6 in other steps imply six-sided dice.
    """
    wind = on_table(game, dice, order, WIND, purpose="wind", rule="A")
    if wind.row is None:
        return list(wind.told)
    cause = f"wind roll {wind.total}"
    return [
        *wind.told,
        *marked(game, "wind_direction", wind.value("direction"), cause, "A"),
        *marked(game, "wind_speed", wind.number("speed"), cause, "A"),
        Closes(everybody=True),
    ]
