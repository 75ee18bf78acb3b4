"""Read recorded games order by order, so that random play can start from positions deep in a game."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from umpire_ledger.desk.core.adapters import GameStateBuilder, LedgerHistory
from umpire_ledger.domain.game.dice import SCHEME
from umpire_ledger.domain.game.dice_notation import commitment_of
from umpire_ledger.domain.game.state import Game, replace
from umpire_ledger.ledger import replay_log
from umpire_ledger.ledger.ledger import Ledger

LABEL = "random"


class Start(NamedTuple):
    """A recorded game before one of its orders, and that order as JSON."""

    game: Game
    order: dict[str, Any]


def starts_in(files: list[Path]) -> list[Start]:
    """Return every order of every recorded game."""
    return [start for file in files for start in _of(file)]


def _of(file: Path) -> Iterator[Start]:
    with Ledger.open(":memory:", GameStateBuilder()) as ledger, file.open("rb") as stream:
        name = replay_log.read_into(ledger, stream)
        for taken in sorted(LedgerHistory(ledger, name).newest_first(), key=lambda one: one.first):
            if taken.cause and not (before := ledger.state(name, taken.first - 1)).ended:
                yield Start(before, msgspec.json.decode(taken.cause))


def with_ledger_dice(game: Game, seed: str) -> Game:
    """Return the game as if it had been opened with ledger dice. `seed`: 64 hex digits."""
    own = {"seed": seed, "label": LABEL, "commitment": commitment_of(seed), "dice_open": False}
    return replace(game, dice="ledger", keep=None, scheme=SCHEME, **own)
