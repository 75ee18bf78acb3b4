"""Define what every event has and does."""

import msgspec

from umpire_ledger.domain.game.events.checks import VALID
from umpire_ledger.domain.game.folding_game import FoldingGame
from umpire_ledger.domain.game.state import Game


class Event(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True
):
    """A fact the ledger holds. Frozen: it cannot be argued with later. `rule` is the rule number that caused it.

    `overridden`: no rule brought it about, a ruling of the referee did.
    """

    rule: str = ""
    overridden: bool = False

    def apply(self, draft: FoldingGame) -> None:
        """Change a game by this event. Never refuses; words for the record change nothing."""

    def transition_error(self, game: Game) -> str:
        """Return why the event is not valid in the state before it; "" if it is."""
        return VALID

    def transition_error_in_part(self, game: Game) -> str:
        """Return the same for a game of which some records are withheld: only what those cannot explain."""
        return self.transition_error(game)

    def audit_text(self) -> str:
        """Return the event in one plain English line, from the event alone; its tag if its class has no words."""
        return str(self.__struct_config__.tag)

    def audit_line(self) -> str:
        """Return the line of the audit trail: the text, marked if no rule caused the event."""
        return f"{self.audit_text()} [by ruling]" if self.overridden else self.audit_text()

    def units(self) -> tuple[str, ...]:
        """Return the ids of the units that the event is about."""
        return ()
