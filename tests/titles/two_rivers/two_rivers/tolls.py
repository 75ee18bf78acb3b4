"""Set the toll of each mill: both sides seal a number, and both are revealed together (2)."""

from typing import Annotated

import msgspec

from umpire_ledger.kit import Dice, Game, Order, Result, choice_key, leave_when_nothing_is_due, reveal_all, seal

QUESTION = "toll"


class SealToll(Order, frozen=True, kw_only=True, tag="seal-toll"):
    """Seal the toll of your mill for this turn, in coins."""

    coins: Annotated[int, msgspec.Meta(ge=0, le=3)]


def toll_is_owed(game: Game, side: str) -> bool:
    """Return whether a side has not sealed a toll."""
    choice = game.choices.get(choice_key(QUESTION, side))
    return choice is None or not choice.sealed


def decide_seal_toll(game: Game, order: SealToll, _: Dice) -> list[Result]:
    """Seal a side's toll; the last side to seal ends the step.

    Raises:
        RuleViolation: The side has already sealed its toll.
    """
    sealed = seal(game, game.side_of(order.seat), QUESTION, order.coins, rule="Two Rivers 2a")
    return leave_when_nothing_is_due(game, [*sealed], toll_is_owed)


def lay_open(game: Game) -> list[Result]:
    """Reveal both tolls together (2b)."""
    return [*reveal_all(game, QUESTION, game.side_ids, rule="2b")]


def toll_of(game: Game, side: str) -> int:
    """Return the toll that a side takes at its mill this turn."""
    choice = game.choices.get(choice_key(QUESTION, side))
    return choice.choice if choice is not None and isinstance(choice.choice, int) else 0
