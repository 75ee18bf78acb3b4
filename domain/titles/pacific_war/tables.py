"""Define the rows of the tables that chapter 5.0 names but does not print."""

from typing import Annotated, Any, Literal

import msgspec

from umpire_ledger.domain.titles.pacific_war.pieces import ALLIES, JAPAN, Row
from umpire_ledger.domain.titles.pacific_war.units import Count, SideId
from umpire_ledger.kit import (
    Dice,
    Game,
    Modifier,
    ReadOff,
    RollTable,
    TableOutcome,
    TableRoll,
    look_up,
    on_table,
    verify_outcome,
)


class _Row(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row of a table."""


class LevelRow(_Row, frozen=True, kw_only=True):
    """A Strategic Intelligence level."""

    level: Count


class ConditionRow(_Row, frozen=True, kw_only=True):
    """An Operational Intelligence Condition, with its limits for the Reaction player.

    `forces`: the player may end the contact phase. `reach`: places to move in 5.1.T for each day at sea, -1 for any
    number. `points`: the most Command Points to spend, -1 for any number.
    """

    condition: str
    forces: bool = False
    reach: Annotated[int, msgspec.Meta(ge=-1, le=99)] = -1
    points: Annotated[int, msgspec.Meta(ge=-1, le=999)] = -1


class PointsRow(_Row, frozen=True, kw_only=True):
    """Command Points."""

    points: Count


class AttritionRow(_Row, frozen=True, kw_only=True):
    """Losses of either side to merchant shipping attrition."""

    merchant: Count = 0
    escorts: Count = 0
    submarines: Count = 0


class CombatRow(_Row, frozen=True, kw_only=True):
    """Result of an attack: hits on ships and bases, steps of air and ground units, and whether those break."""

    hits: Count = 0
    steps: Count = 0
    broken: bool = False


class BattleRow(_Row, frozen=True, kw_only=True):
    """Result of a roll for naval combat in the hex, with the side of Surprise."""

    combat: bool
    surprise: Literal["advantage", "disadvantage", "neither"] = "neither"


class ArrivalRow(_Row, frozen=True, kw_only=True):
    """Arrivals of a month other than units: points of several kinds, steps of air and ground units."""

    submarines: Count = 0
    merchant: Count = 0
    bombing: Count = 0
    air: Count = 0
    ground: Count = 0


BY_SIDE = (JAPAN, ALLIES)
ROWS: dict[str, Any] = {
    **{f"strategic-intelligence/{side}": LevelRow for side in BY_SIDE},
    "operational-intelligence": ConditionRow,
    **{f"command-points/{side}": PointsRow for side in BY_SIDE},
    "tied-bids": SideId,
    "lighting": str,
    "advantage": Literal["operation", "reaction"],
    "search": Literal["found", "nothing"],
    "naval-battle": BattleRow,
    "rally": Literal["rallied", "broken"],
    **dict.fromkeys(
        ("submarine-combat", "air-combat", "naval-combat", "bombardment", "ground-combat"),
        CombatRow,
    ),
}
"""Tables of every kind of scenario, each with the type of its rows."""
STRATEGIC: dict[str, Any] = {"strategic-bombing": PointsRow, "merchant-attrition": AttritionRow}
"""Tables of Strategic scenarios only."""
MAY_HAVE: dict[str, Any] = {
    "weather": Literal["clear", "foul"],
    "strategic-initiative": PointsRow,
    "command-points-by-shipping": PointsRow,
    "reaction-limits": PointsRow,
    **{f"reinforcements/{side}": ArrivalRow for side in BY_SIDE},
}
"""Tables that a scenario may leave out."""
BY_NUMBER = ("reinforcements/", "strategic-initiative", "command-points-by-shipping", "reaction-limits")
"""Prefixes of tables that are entered without a roll: by a month's number, a difference, points or a level."""


def roll_on(
    game: Game,
    dice: Dice,
    order: TableRoll,
    table: str,
    *,
    purpose: str,
    rule: str,
    subjects: tuple[str, ...] = (),
    modifiers: tuple[Modifier, ...] = (),
    seen_by: tuple[str, ...] | None = None,
) -> TableOutcome:
    """Roll on one of these tables with the scenario's dice, as `on_table` does."""
    row = {**ROWS, **STRATEGIC, **MAY_HAVE}[table]
    how = RollTable(table, row, "1d10")
    return on_table(
        game, dice, order, how, purpose=purpose, rule=rule, subjects=subjects, modifiers=modifiers, seen_by=seen_by
    )


def read_at(game: Game, order: ReadOff, table: str, number: int, rule: str) -> tuple[Row, str]:
    """Return the row for a number without a roll, or the row that the order states by the book, with its source."""
    read = order.by_the_book
    if read is None:
        return look_up(game, table, number)[1], table
    verify_outcome(game, read, RollTable(table, MAY_HAVE[table]), table.replace("-", " "), rule)
    return read.outcome, read.source


DAMAGE = 100
"""The largest difference of damage, up or down, for which the Strategic Initiative table must have a row."""
MODIFIED = 20
"""The largest change of a roll by modifiers, up or down, for which a table must have a row."""
