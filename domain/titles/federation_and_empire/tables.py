"""Check the tables of a scenario and their rows. Without a table, the order states the number needed."""

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
    """Yield a fault for each row whose result no rule knows: a die with that result would have no effect."""
    for table in sorted(set(rows) & set(ROWS)):
        known = get_args(ROWS[table])
        for row, said in rows[table].items():
            if known and said not in known:
                yield scenario_fault(
                    f"{said!r} is not a result of {table}",
                    f"$.tables.{table}.rows.{row}",
                    _one_of(known),
                    code="not-a-result",
                )


def _one_of(known: tuple[str, ...]) -> str:
    return f"name one of: {', '.join(known)}"
