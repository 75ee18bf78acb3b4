"""End a game, and check the scenario's victory conditions.

5.3 and 5.4 end the game and refer to the victory conditions of the scenario. `ends` contains the conditions that Umpire
can check; the first one that is met determines the winner and the sentence at the end. If the scenario has none, the
sentence asks the players to declare the result.
"""

import msgspec

from umpire_ledger.domain.titles.pacific_war.month import last_month
from umpire_ledger.domain.titles.pacific_war.operation import final_operation
from umpire_ledger.domain.titles.pacific_war.pieces import enemy_of, has, of_arm
from umpire_ledger.domain.titles.pacific_war.units import SideId
from umpire_ledger.kit import Game, GameEnded, Result

ENDS = "victory-conditions"
"""The sheet of the scenario that contains the victory conditions."""


class Ending(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One way to win or draw a scenario; all its conditions must hold, and no others are checked.

    `says`: the sentence at the end. `winner`: left out for a draw. `holds`: places in which `by`, the winner if left
    out, has a ground unit or base and the enemy no ground unit. `sunk`: units of either side that are lost. `account`
    and `at_least`: an account and its least balance, `initiative/japan` for instance.
    """

    says: str
    winner: SideId | None = None
    by: SideId | None = None
    holds: tuple[str, ...] = ()
    sunk: tuple[str, ...] = ()
    account: str = ""
    at_least: int = 0


def after_the_last_operation(game: Game) -> list[Result]:
    """End the game if this was the final operation (5.3)."""
    return conclude(game) if final_operation(game, "") else []


def after_the_last_month(game: Game) -> list[Result]:
    """End the game if this was the last month (5.4)."""
    return conclude(game) if last_month(game, "") else []


def conclude(game: Game) -> list[Result]:
    """End the game with a winner, if there is one, and a sentence that names the condition that is met, if any."""
    when = f"at the end of month {game.number('month')}"
    held = game.tables.get(ENDS)
    if not held:
        return [GameEnded(why=f"the game is over {when}; the scenario names no victory conditions: declare the result")]
    for one in msgspec.convert(held, tuple[Ending, ...]):
        if is_met(game, one):
            return [GameEnded(why=f"{one.says} {when}", winner=one.winner or "")]
    return [GameEnded(why=f"the game is over {when}; no victory condition of the scenario is met")]


def is_met(game: Game, ending: Ending) -> bool:
    """Return whether all parts of a condition are true now."""
    by = ending.by or ending.winner or ""
    return (
        all(holds(game, by, place) for place in ending.holds)
        and all(bool(game.units[one].fate) for one in ending.sunk if one in game.units)
        and (not ending.account or has(game, ending.account) >= ending.at_least)
    )


def holds(game: Game, side: str, place: str) -> bool:
    """Return whether a side holds a place: it has a ground unit or base there, and the enemy no ground unit."""
    there = [one for one in of_arm(game, "ground", "base") if one.at == place and not one.get("aboard")]
    own = any(one.side == side for one in there)
    return own and not any(one.side == enemy_of(side) and one.get("arm") == "ground" for one in there)
