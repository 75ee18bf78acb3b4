"""List the seeds of a game's dice, their rolls, and whether they are revealed."""

from collections.abc import Iterable

import msgspec

from umpire_ledger.domain.game.events import DiceCommitted, DiceOpened, DiceRolled
from umpire_ledger.projections.tables.order_history import RecordedOrder


class DiceEpoch(msgspec.Struct, frozen=True, kw_only=True):
    """A seed of the dice. `commitment`: its SHA-256. `position`: the record that first commits to it.

    `scheme`: the number of the method that draws dice from the seed. `opened`: the record that reveals the seed, 0
    while it is secret. `rolls`: the numbers of the rolls made with the seed.
    """

    commitment: str
    position: int
    scheme: int
    opened: int = 0
    rolls: tuple[int, ...] = ()


def epochs_in(deeds: Iterable[RecordedOrder]) -> tuple[DiceEpoch, ...]:
    """Return the seeds of a log, oldest first, including those of abandoned branches.

    A reused roll counts only for the seed that first produced it.
    """
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
