"""2: each side seals a plan; both become public together."""

from collections.abc import Iterator
from typing import Literal

from umpire_ledger.kit import Dice, Game, Order, Result, choice_key, leave_when_nothing_is_due, reveal_all, seal

QUESTION = "plan"


class SealPlan(Order, frozen=True, kw_only=True, tag="seal-plan"):
    """Seal the plan of your side for this turn."""

    plan: Literal["hold", "assault"]


def plan_is_due(game: Game, side: str) -> bool:
    """Return whether a side has sealed no plan."""
    choice = game.choices.get(choice_key(QUESTION, side))
    return choice is None or not choice.sealed


def decide_seal_plan(game: Game, order: SealPlan, _: Dice) -> list[Result]:
    """Seal a plan; the last one ends the step."""
    sealed = seal(game, game.side_of(order.seat), QUESTION, order.plan, rule="2a")
    return leave_when_nothing_is_due(game, [*sealed], plan_is_due)


def reveal_plans(game: Game) -> list[Result]:
    """Reveal both plans at once in step 2b."""
    return [*reveal_all(game, QUESTION, game.side_ids, rule="2b")]


def assaults(game: Game, side: str) -> bool:
    """Return whether the public plan of a side is an assault."""
    choice = game.choices.get(choice_key(QUESTION, side))
    return choice is not None and not choice.sealed and choice.choice == "assault"


def every_plan(_: Game, side: str) -> Iterator[Order]:
    """Both plans."""
    yield SealPlan(seat=side, plan="hold")
    yield SealPlan(seat=side, plan="assault")
