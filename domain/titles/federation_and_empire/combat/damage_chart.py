"""Read damage points off a scenario's chart, by COMPOT, Battle Intensity Rating, die and shift (5-4C4).

The publisher's chart is not printed in the sequence. A scenario may contain the group's own chart; without one, each
side enters its points once, with their source.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.combat.battle import chosen
from umpire_ledger.domain.titles.federation_and_empire.counters.sheets import Source
from umpire_ledger.kit import Game, Result, ScenarioFault, marked, names_in, scenario_fault

Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]


class DamageColumn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A column of the chart: from this `bir` on, the `percent` of the COMPOT for a die of 1, of 2 and so on."""

    bir: Annotated[int, msgspec.Meta(ge=0, le=99)]
    percent: Annotated[tuple[Percent, ...], msgspec.Meta(min_length=1, max_length=40)]


class DamageChart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Damage points in percent of the COMPOT, by the side's own BIR and damage die.

    `shift`: whether a shift of electronic warfare changes the die or the BIR of the side that states it. Values beyond
    the ends of the chart use its first or last entry. `parts`: whether parts of a point are left out or rounded up.
    """

    source: Source
    columns: Annotated[tuple[DamageColumn, ...], msgspec.Meta(min_length=1, max_length=40)]
    shift: Literal["die", "bir"] = "die"
    parts: Literal["left out", "up"] = "left out"


class ChartReading(msgspec.Struct, frozen=True):
    """The points that the chart gives a side in the current round, with the words of the reading."""

    points: int
    words: str


def faults_of_chart(chart: DamageChart | None) -> Iterator[ScenarioFault]:
    """Yield a fault for each column whose BIR is not above that of the column before it."""
    columns = () if chart is None else chart.columns
    for at, (one, next_one) in enumerate(pairwise(columns), 1):
        if next_one.bir <= one.bir:
            what = f"the column of BIR {next_one.bir} comes after that of BIR {one.bir}"
            yield scenario_fault(
                what,
                f"$.damage_chart.columns[{at}].bir",
                "write the columns in order of rising `bir`",
                code="columns-unordered",
            )


def has_chart(game: Game) -> bool:
    return "damage_chart" in game.tables


def die_marker(side: str) -> str:
    """Return the marker that keeps a side's damage die of the round for the chart."""
    return f"damage die of {side}"


def note_die(game: Game, side: str, total: int, rule: str) -> list[Result]:
    """Note the damage die for 5-4C4, if there is a chart."""
    return marked(game, die_marker(side), total, "", rule) if has_chart(game) else []


def forget_dice(game: Game) -> list[Result]:
    return [event for side in game.side_ids for event in marked(game, die_marker(side), None)]


def on_chart(game: Game, side: str, compot: int) -> ChartReading | None:
    """Return the points of a COMPOT with the BIR, die and shift of a side; None without a chart, a rating or a die."""
    chart = game.tables.get("damage_chart")
    rating, die = chosen(game, "BIR", side), game.markers.get(die_marker(side))
    if chart is None or not isinstance(rating, int) or not isinstance(die, int):
        return None
    shift = _shift_of(game, side)
    by_die, by_rating = (shift, 0) if chart["shift"] == "die" else (0, shift)
    columns = chart["columns"]
    reached = [one for one in columns if one["bir"] <= rating + by_rating] or columns[:1]
    entries = reached[-1]["percent"]
    percent = entries[max(0, min(die + by_die, len(entries)) - 1)]
    whole, part = divmod(compot * percent, 100)
    points: int = whole + 1 if chart["parts"] == "up" and part else whole
    shifted = f", shift {shift:+d}" if shift else ""
    return ChartReading(points, f"BIR {rating}, die {die}{shifted}: {percent} percent, {chart['source']}")


def _shift_of(game: Game, side: str) -> int:
    """Return the shift of electronic warfare that a side has stated for itself in this round."""
    whose, *number = names_in(game, "EW shift") or ("",)
    return int(number[0]) if whose == side and number else 0
