"""Dice of several units in one order: a plan says whose they are, in order, and both asking and rolling go by it.

`throw_all` refuses any other number of pips and says the order; `in_words` says it in `status` and in refusals. Each
roll records whose dice it holds, in the same order, as its subjects.
"""

import msgspec

from umpire_ledger.domain.game.dice import Dice
from umpire_ledger.domain.game.dice_notation import parse
from umpire_ledger.domain.game.events import DiceRolled, Modifier


class PlannedThrow(msgspec.Struct, frozen=True, kw_only=True):
    """One roll of a plan. `subjects`: all that it is about, as its record has it.

    `whose`: the units whose dice they are, in order and with equal shares; the subjects if empty.
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
        """Each unit with the number of its dice."""
        owners = self.whose or self.subjects
        return tuple((one, parse(self.dice).number // len(owners)) for one in owners)


Throw = PlannedThrow
"""Deprecated name of `PlannedThrow`, kept for one release."""


Plan = tuple[PlannedThrow, ...]


def shares(plan: Plan) -> tuple[tuple[str, int], ...]:
    """Return the owners of a plan's dice, in order, with the number of each."""
    return tuple(share for throw in plan for share in throw.shares)


def in_words(plan: Plan) -> str:
    """Return the owners of a plan's dice in words: `carrier 1, cruiser 1, dreadnought 3`."""
    return ", ".join(f"{one} {number}" for one, number in shares(plan))


def throw_all(dice: Dice, plan: Plan) -> list[DiceRolled]:
    """Return the rolls of a plan.

    Raises:
        RuleViolation: When the order brings another number of results; it names the owners of the dice.
    """
    dice.expects(shares(plan))
    return [throw_one(dice, one) for one in plan]


def throw_one(dice: Dice, throw: PlannedThrow) -> DiceRolled:
    """Return one roll of a plan, for callers that need its result before the next; call `dice.expects` first."""
    return dice.roll(
        throw.dice,
        purpose=throw.purpose,
        modifiers=throw.modifiers,
        rule=throw.rule,
        subjects=throw.subjects,
        needed=throw.needed,
    )
