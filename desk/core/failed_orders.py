"""Report an order that was not carried out although its dice were rolled, as an error in four parts.

Its rolls are recorded, so that no seat can look at dice and give another order; the rest of the order did not happen.
If a seat may not see the roll, it reads only that the order failed.
"""

from collections.abc import Iterable

import msgspec

from umpire_ledger.domain.game.decision import Decision
from umpire_ledger.domain.game.errors import DomainError, RuleViolation, TitleFault
from umpire_ledger.domain.game.events import DiceRolled, RestrictedEvent
from umpire_ledger.projections.tables.seat_visibility import is_for

RULE = "dice"
SECRET = "the reason is secret"


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """The reason why an order failed: a refusal by the rules or a fault of the title; the other field is empty."""

    refused: str = ""
    fault: str = ""

    def error(self, where: str) -> DomainError:
        """Return the failure as an error. `where`: the step in the sequence."""
        what = f"dice were rolled, but the order was not carried out: {self.refused or self.fault}"
        if self.refused:
            remedy = "the roll is recorded and used up; give another order, or ask the referee to rule on the result"
            return RuleViolation(what, where=where, rule=RULE, remedy=remedy)
        remedy = "the roll is recorded and used up; ask the referee for a ruling, and send the title's author the log"
        return TitleFault(what, title="", decision="", where=where, rule=RULE, remedy=remedy)


def failure_in(rolls: Iterable[tuple[DiceRolled, bool]]) -> Failure | None:
    """Return the failure in the rolls of an order; None if there is none.

    Args:
        rolls: Each roll, and whether the seat may see it.
    """
    for roll, is_seen in rolls:
        if roll.failed:
            why = roll.outcome.partition(": ")[2] if is_seen else ""
            return Failure(refused=why or SECRET) if roll.failed == "refused" else Failure(fault=why or SECRET)
    return None


def failure_of(decision: Decision, seat: str) -> Failure | None:
    """Return the failure of a decision that is not recorded yet, as the seat may see it; None if it has none."""
    if decision.failure is None:
        return None
    game = decision.game
    told = (
        (one.event, is_for(game, seat, one.visible_to)) if isinstance(one, RestrictedEvent) else (one, True)
        for one in decision.told
    )
    return failure_in((event, is_seen) for event, is_seen in told if isinstance(event, DiceRolled))
