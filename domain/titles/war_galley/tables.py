"""Define the five tables that the summary names but does not print: the columns of their rows and any printed dice."""

from typing import Annotated, Literal

import msgspec

from umpire_ledger.kit import RollTable


class WindRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A wind. `direction`: the side towards which it blows. `speed`: hexes of a sailing ship."""

    direction: Literal["N", "NE", "SE", "S", "SW", "NW"]
    speed: Annotated[int, msgspec.Meta(ge=0, le=20)]


class BoardingRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Result of a boarding: the ship is captured or not, and the manpower that either side loses."""

    result: Literal["captured", "repelled"]
    boarders_lose: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    target_loses: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0


WIND = RollTable("wind", WindRow, "2d6")
DOUBLE_ACTIVATION = RollTable("double-activation", Literal["success", "failure"])
BOARDING = RollTable("boarding", BoardingRow, "2d6")
DISENGAGE = RollTable("disengage", Literal["free", "held"])
FIREFIGHT = RollTable("firefight", Literal["out", "burning"])

TABLES = {one.name: one for one in (WIND, DOUBLE_ACTIVATION, BOARDING, DISENGAGE, FIREFIGHT)}
PRINTED_DICE = {"wind": "2d6", "boarding": "2d6"}
"""Dice printed in the summary; for the other tables the scenario sets them."""
