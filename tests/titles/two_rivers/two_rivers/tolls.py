"""2: what a side takes at its mill, sealed by both and laid open together."""

from typing import Annotated

import msgspec

from umpire_ledger.kit import Closes, Dice, Game, Order, Result, SideDone, choice_key, reveal_all, seal

QUESTION = "toll"


class SealToll(Order, frozen=True, kw_only=True, tag="seal-toll"):
    """Seal the toll of your mill for this turn, in coins."""

    coins: Annotated[int, msgspec.Meta(ge=0, le=3)]


def is_owed(game: Game, side: str) -> bool:
    """Whether a side has nothing sealed."""
    choice = game.choices.get(choice_key(QUESTION, side))
    return choice is None or not choice.sealed


def decide_seal_toll(game: Game, order: SealToll, _: Dice) -> list[Result]:
    """The last side to seal ends the step, whatever was sealed.

    Raises:
        RuleViolation: the side has sealed its toll.
    """
    side = game.side_of(order.seat)
    sealed = seal(game, side, QUESTION, order.coins, rule="Two Rivers 2a")
    others = game.cursor.open[0].waits != (side,)
    return [*sealed, SideDone(step="2a", side=side) if others else Closes()]


def lay_open(game: Game) -> list[Result]:
    """2b: nobody opens alone."""
    return [*reveal_all(game, QUESTION, game.side_ids, rule="2b")]


def toll_of(game: Game, side: str) -> int:
    """What a side takes at its mill this turn."""
    choice = game.choices.get(choice_key(QUESTION, side))
    return choice.choice if choice is not None and isinstance(choice.choice, int) else 0
