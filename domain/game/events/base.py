"""Define the base class of every event."""

import msgspec

from umpire_ledger.domain.game.events.checks import VALID
from umpire_ledger.domain.game.folding_game import FoldingGame
from umpire_ledger.domain.game.state import Game


class Event(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True
):
    """A recorded fact, which never changes. `rule`: the number of the rule that caused it.

    `overridden`: a ruling of the referee caused it, not a rule.
    """

    rule: str = ""
    overridden: bool = False

    def apply(self, draft: FoldingGame) -> None:
        """Apply this event to a game. It never refuses; an event that is only a comment changes nothing."""

    def transition_error(self, game: Game) -> str:
        """Return why the event is not valid in the state before it; "" if it is valid."""
        return VALID

    def transition_error_in_part(self, game: Game) -> str:
        """Return the error in a game with withheld records; "" for errors that these records could explain."""
        return self.transition_error(game)

    def audit_text(self) -> str:
        """Return the event as one plain English line, from the event alone; by default, its tag."""
        return str(self.__struct_config__.tag)

    def audit_line(self) -> str:
        """Return the line of the audit trail: the text, marked if the event results from a ruling."""
        return f"{self.audit_text()} [by ruling]" if self.overridden else self.audit_text()

    def units(self) -> tuple[str, ...]:
        """Return the ids of the units that the event is about."""
        return ()
