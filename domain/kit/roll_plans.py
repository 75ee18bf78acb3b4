"""Roll dice of several units in one order by a plan, which lists the owners of the dice in order.

`throw_all` refuses any other number of results and names the order; `in_words` words it for `status` and for refusals.
The subjects of each roll's record are the owners of its dice, in the same order.
"""

import msgspec

from umpire_ledger.domain.game.dice import Dice
from umpire_ledger.domain.game.dice_notation import parse
from umpire_ledger.domain.game.events import DiceRolled, Modifier


class PlannedThrow(msgspec.Struct, frozen=True, kw_only=True):
    """One roll of a plan. `subjects`: the units that the roll is about, as in its record.

    `whose`: the owners of the dice, in order and with equal shares; by default, the subjects.
    """

    dice: str
    purpose: str
    subjects: tuple[str, ...]
    rule: str = ""
    needed: str = ""
    modifiers: tuple[Modifier, ...] = ()
    whose: tuple[str, ...] = ()

    @property
    def shares(self) -> tuple[tuple[str, int], ...]:
        """The owners of the dice, each with its number of dice."""
        owners = self.whose or self.subjects
        return tuple((one, parse(self.dice).number // len(owners)) for one in owners)


Throw = PlannedThrow
"""Deprecated name of `PlannedThrow`, kept for one release."""


RollPlan = tuple[PlannedThrow, ...]

Plan = RollPlan
"""Deprecated name of `RollPlan`, kept for one release."""


def shares(plan: RollPlan) -> tuple[tuple[str, int], ...]:
    """Return the owners of a plan's dice, in order, each with its number of dice."""
    return tuple(share for throw in plan for share in throw.shares)


def in_words(plan: RollPlan) -> str:
    """Return the owners of a plan's dice in words, with their numbers: `carrier 1, cruiser 1, dreadnought 3`."""
    return ", ".join(f"{one} {number}" for one, number in shares(plan))


def throw_all(dice: Dice, plan: RollPlan) -> list[DiceRolled]:
    """Return the rolls of a plan.

    Raises:
        RuleViolation: The order contains another number of results. The refusal names the owners of the dice.
    """
    dice.expects(shares(plan))
    return [throw_one(dice, one) for one in plan]


def throw_one(dice: Dice, throw: PlannedThrow) -> DiceRolled:
    """Return one roll of a plan, for callers that need its result before the next. Call `dice.expects` first."""
    return dice.roll(
        throw.dice,
        purpose=throw.purpose,
        modifiers=throw.modifiers,
        rule=throw.rule,
        subjects=throw.subjects,
        needed=throw.needed,
    )
