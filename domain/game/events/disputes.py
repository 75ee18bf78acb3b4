"""Disputes and rulings: each event with its effect, its validity and its audit text."""

from typing import Literal

from umpire_ledger.domain.game.events.base import Event
from umpire_ledger.domain.game.events.phrases import in_brackets

Grounds = Literal["", "house rule", "official answer", "printed rule"]


class RulingMade(Event, frozen=True, kw_only=True, tag="ruling.made"):
    """The referee rules, with a reason. The changes of an override follow in the same batch.

    `overrides`: the step or the rule that it overrules. `rule`: the rule it is about, for later searches. `grounds`:
    its basis. `remedy`: the action to take. `dispute`: the dispute that it settles.
    """

    ruling: str
    reason: str
    overrides: str = ""
    grounds: Grounds = ""
    remedy: str = ""
    dispute: str = ""

    def audit_text(self) -> str:
        overrides = f", against {self.overrides}" if self.overrides else ""
        about = f" on {self.rule}" if self.rule else ""
        rests = f"; {self.grounds}" if self.grounds else ""
        remedy = f"; remedy: {self.remedy}" if self.remedy else ""
        return f"the referee rules{about}{overrides}: {self.ruling} ({self.reason}{rests}){remedy}"


class DisputeOpened(Event, frozen=True, kw_only=True, tag="dispute.opened"):
    """A seat contests records by position. `rule`: the rule that the dispute is about."""

    dispute: str
    claim: str
    positions: tuple[int, ...] = ()
    seat: str = ""

    def audit_text(self) -> str:
        about = f" about {', '.join(f'#{position}' for position in self.positions)}" if self.positions else ""
        by = f" by {self.seat}" if self.seat else ""
        return f"dispute {self.dispute} is opened{by}{about}: {self.claim}"


class DisputeSettled(Event, frozen=True, kw_only=True, tag="dispute.settled"):
    """A dispute is settled with an answer."""

    dispute: str
    ruling: str
    reason: str = ""

    def audit_text(self) -> str:
        return f"dispute {self.dispute} is settled: {self.ruling}{in_brackets(self.reason)}"


DisputesEvent = RulingMade | DisputeOpened | DisputeSettled
