"""Define the plain types that the state and the events share. Imports run values, state, events."""

from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.game.looks import Color

Int = Annotated[int, msgspec.Meta(ge=-(2**53) + 1, le=2**53 - 1)]

Value = bool | Int | str | tuple[str, ...] | None
"""The values of an attribute, a marker, an option or a choice."""

DiceSource = Literal["ledger", "table"]
"""The source of a roll: the ledger's seed, or the group at its table."""

DiceMode = Literal["ledger", "shared", "witnessed", "table"]
"""The dice of a game: rolled by the ledger, alone or with shares of the sides, or rolled by the group at its table.

The ledger's dice are drawn from a seed to which it commits at the opening.
"""

DicePolicy = Literal["reroll", "keep", "keep-unless-new"]
"""The policy for the dice of re-played orders after a rewind."""


class Side(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A side of the game, for example `syracuse`, Syracuse. `plural`: its name takes plural verbs, as Allies does.

    `color`: the color of its counters, by name or as #rrggbb; `letter`: the letter on them.
    """

    id: str
    name: str
    plural: bool = False
    color: Color = ""
    letter: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9]?$")] = ""


class Where(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A place in the sequence as players see it. `turn` and `round` count from 1; 0 if none is running."""

    turn: int = 0
    side: str = ""
    items: tuple[str, ...] = ()
    round: int = 0


class Pledge(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A side's part in the dice: its commitment, and its newest revealed share; "" if it has revealed none.

    `since`: whether it revealed that share after the newest order that asked for dice.
    """

    pledge: str
    share: str = ""
    since: bool = False
