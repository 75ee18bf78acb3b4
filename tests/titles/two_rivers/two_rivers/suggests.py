"""Orders worth trying, for the list of what is possible and for random play."""

from collections.abc import Iterator

from two_rivers.rafting import Drift
from two_rivers.tolls import SealToll
from two_rivers.water import RollWater
from umpire_ledger.kit import Game, Order


def roll_water(_: Game, side: str) -> Iterator[Order]:
    """The one die."""
    yield RollWater(seat=side)


def seal_toll(_: Game, side: str) -> Iterator[Order]:
    """Every toll."""
    return (SealToll(seat=side, coins=coins) for coins in range(4))


def drift(_: Game, side: str) -> Iterator[Order]:
    """As far as the water may carry."""
    return (Drift(seat=side, stretches=stretches) for stretches in (1, 2, 3))
