"""The tables that a scenario may bring, and what their rows hold. Without one the order says what the die must show."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args

from umpire_ledger.kit import ScenarioFault, scenario_fault

Tried = Literal["success", "failure"]
TRIED_ON = (
    *("blockade-intercept", "capture", "decoy", "diplomacy", "evasion", "pursuit", "rescue", "resistance"),
    *("leader-fate", "prime-team", "shock", "special-intercept", "survey-team", "swac-survival", "swarm"),
)
ROWS: dict[str, Any] = {
    "saf": Literal["crippled", "destroyed", "missed"],
    "sfg": Literal["frozen", "missed", "random", "breakdown"],
    "variable-bir": str,
    **dict.fromkeys(TRIED_ON, Tried),
}


def faults_of_tables(rows: Mapping[str, Mapping[str, Any]]) -> Iterator[ScenarioFault]:
    """Results that no rule knows, by table and row: where the die fell on one, nothing could come of it."""
    for table in sorted(set(rows) & set(ROWS)):
        known = get_args(ROWS[table])
        for row, said in rows[table].items():
            if known and said not in known:
                yield scenario_fault(
                    f"{said!r} is no result of {table}", f"$.tables.{table}.rows.{row}", _one_of(known)
                )


def _one_of(known: tuple[str, ...]) -> str:
    return f"name one of: {', '.join(known)}"
