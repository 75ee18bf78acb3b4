"""Suggest orders for lists of possible actions and for random play."""

from collections.abc import Iterator

from two_rivers.rafting import Drift
from two_rivers.tolls import SealToll
from two_rivers.water import RollWater
from umpire_ledger.kit import Game, Order


def roll_water(_: Game, side: str) -> Iterator[Order]:
    """Yield the roll of the water."""
    yield RollWater(seat=side)


def seal_toll(_: Game, side: str) -> Iterator[Order]:
    """Return every toll."""
    return (SealToll(seat=side, coins=coins) for coins in range(4))


def drift(_: Game, side: str) -> Iterator[Order]:
    """Return every distance that the water may carry: 1 to 3 stretches."""
    return (Drift(seat=side, stretches=stretches) for stretches in (1, 2, 3))
