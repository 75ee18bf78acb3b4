"""Define the rows of the tables that the rules name but do not print."""

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
"""The most dice of an activation, as printed: one to three."""
ROWS: dict[str, Any] = {
    "fire": FireRow,
    "close": CloseRow,
    "activation": ActivationRow,
    **{f"activation-{dice}": ActivationRow for dice in range(1, MOST_DICE + 1)},
}
"""The row type of each table."""
FAR = 40
"""The largest difference of two totals, up or down, for which a combat table must have a row."""
