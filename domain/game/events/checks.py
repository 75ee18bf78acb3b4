"""Check conditions that the transition rules of several families share."""

from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.game.values import Value

VALID = ""
"""The result of a transition rule that accepts an event."""


def differs(said: Value, have: Value) -> bool:
    """Return whether two values differ; 1 and true are different."""
    return said != have or type(said) is not type(have)


def quoted_value(value: Value) -> str:
    return "not set" if value is None else repr(value)


def unknown_side(game: Game, side: str) -> str:
    return VALID if any(one.id == side for one in game.sides) else f"the game has no side {side}"
