"""From which seeds the dice of a game were thrown, and which of them are open."""

from collections.abc import Iterable

import msgspec

from umpire_ledger.domain.game.events import DiceCommitted, DiceOpened, DiceRolled
from umpire_ledger.projections.tables.order_history import RecordedOrder


class DiceEpoch(msgspec.Struct, frozen=True, kw_only=True):
    """A seed. `commitment`: its SHA-256; `position`: where it was first committed to; `scheme`: how it is thrown from.

    `opened`: where it was laid open, 0 while it is closed. `rolls`: the numbers of the rolls thrown from it.
    """

    commitment: str
    position: int
    scheme: int
    opened: int = 0
    rolls: tuple[int, ...] = ()


def epochs_in(deeds: Iterable[RecordedOrder]) -> tuple[DiceEpoch, ...]:
    """The seeds of a log, those of abandoned lines too, the oldest first. Kept pips are of an earlier roll."""
    found: dict[str, DiceEpoch] = {}
    rolls: dict[str, list[int]] = {}
    now = ""
    for deed in deeds:
        for position, event in deed.events:
            match event:
                case DiceCommitted(commitment=now):
                    found.setdefault(now, DiceEpoch(commitment=now, position=position, scheme=event.scheme))
                case DiceOpened() if now:
                    found[now] = msgspec.structs.replace(found[now], opened=position)
                case DiceRolled(source="ledger", kept=0) if now:
                    rolls.setdefault(now, []).append(event.roll)
                case _:
                    pass
    return tuple(msgspec.structs.replace(one, rolls=tuple(rolls.get(one.commitment, ()))) for one in found.values())
