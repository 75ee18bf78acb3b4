"""Define the rows of the tables that the rules name and do not print."""

from typing import Annotated, Any, Literal

import msgspec

Suffers = Literal["stands", "disrupted", "destroyed"]


class FireRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Result for the target."""

    target: Suffers


class CloseRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Results for the phasing player's piece and its enemy; `lock`: survivors stay corner locked."""

    piece: Suffers
    enemy: Suffers
    lock: bool = False


class ActivationRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Result of a number of successes."""

    actions: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    fails: bool = False
    fewer: Annotated[int, msgspec.Meta(ge=0, le=2)] = 0


MOST_DICE = 3
"""Dice of an activation: one to three, as printed."""
ROWS: dict[str, Any] = {
    "fire": FireRow,
    "close": CloseRow,
    "activation": ActivationRow,
    **{f"activation-{dice}": ActivationRow for dice in range(1, MOST_DICE + 1)},
}
"""Table to what its rows hold."""
FAR = 40
"""Differences of two dice with their factors that a table must answer, up and down."""
