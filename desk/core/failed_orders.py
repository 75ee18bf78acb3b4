"""Report an order that was not carried out although its dice were rolled, as an error in four parts.

Its rolls are recorded, so that no seat sees dice for nothing; everything else that was ordered did not happen. What a
seat may not see of the rolls says nothing here but that the order failed.
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
    """Why an order was not carried out: the refusal of a rule, or a fault of the title; the other one is empty."""

    refused: str = ""
    fault: str = ""

    def error(self, where: str) -> DomainError:
        """The same as an error. `where`: the place in the sequence."""
        what = f"the order was not carried out after its roll: {self.refused or self.fault}"
        if self.refused:
            remedy = "the roll is recorded and used up; give another order, or let the referee rule on its result"
            return RuleViolation(what, where=where, rule=RULE, remedy=remedy)
        remedy = "the roll is recorded and used up: let the referee rule on its result; send the title's author the log"
        return TitleFault(what, title="", decision="", where=where, rule=RULE, remedy=remedy)


def failure_in(rolls: Iterable[tuple[DiceRolled, bool]]) -> Failure | None:
    """The failure that the rolls of an order record, each with whether the seat sees it; None for no failure."""
    for roll, is_seen in rolls:
        if roll.failed:
            why = roll.outcome.partition(": ")[2] if is_seen else ""
            return Failure(refused=why or SECRET) if roll.failed == "refused" else Failure(fault=why or SECRET)
    return None


def failure_of(decision: Decision, seat: str) -> Failure | None:
    """The same for a decision that is about to be recorded, as the seat that ordered it may know it."""
    if decision.failure is None:
        return None
    game = decision.game
    told = (
        (one.event, is_for(game, seat, one.visible_to)) if isinstance(one, RestrictedEvent) else (one, True)
        for one in decision.told
    )
    return failure_in((event, is_seen) for event, is_seen in told if isinstance(event, DiceRolled))
