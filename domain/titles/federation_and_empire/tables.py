"""The tables that a scenario may bring, and what their rows hold. Without one the order says what the die must show."""

from typing import Any, Literal

Tried = Literal["success", "failure"]
TRIED_ON = (
    *("blockade-intercept", "capture", "decoy", "diplomacy", "evasion", "rescue", "resistance"),
    *("special-intercept", "survey-team"),
)
ROWS: dict[str, Any] = {
    "sfg": Literal["frozen", "missed", "random", "breakdown"],
    "variable-bir": str,
    **dict.fromkeys(TRIED_ON, Tried),
}
