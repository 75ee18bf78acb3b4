"""Define the plain types that the state and the events share. Imports run values, state, events."""

from typing import Annotated, Literal

import msgspec

Int = Annotated[int, msgspec.Meta(ge=-(2**53) + 1, le=2**53 - 1)]

Value = bool | Int | str | tuple[str, ...] | None
"""What an attribute, a marker, an option or a choice can hold."""

DiceSource = Literal["ledger", "table"]
"""Who threw a roll: the ledger from a seed, or the group on its table."""

DiceMode = Literal["ledger", "shared", "witnessed", "table"]
"""How a game's dice are thrown: from a seed that is committed to at the opening, alone or with shares of the sides, or
by the group at its table. All but the last are the ledger's."""

DicePolicy = Literal["reroll", "keep", "keep-unless-new"]
"""What happens to the dice of what is played again after a rewind."""


class Side(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A party of the game, for instance `syracuse`, Syracuse. `plural`: its name takes plural verbs, as Allies does."""

    id: str
    name: str
    plural: bool = False


class Where(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A place in the sequence as the table sees it. `turn` and `round` count from 1; 0: none is running."""

    turn: int = 0
    side: str = ""
    items: tuple[str, ...] = ()
    round: int = 0


class Pledge(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a side has given to the dice: its pledge, and the share that it showed last; "" where it showed none.

    `since`: whether that was since the newest order that asked for dice.
    """

    pledge: str
    share: str = ""
    since: bool = False
