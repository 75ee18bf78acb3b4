"""What happened, in one plain English line an event, from the event alone. Each event brings its words."""

from umpire_ledger.domain.game.events import AnyEvent


def text_of(event: AnyEvent) -> str:
    """The line of the audit trail for an event."""
    return event.audit_line()


def units_of(event: AnyEvent) -> tuple[str, ...]:
    """The ids of the units that an event is about."""
    return event.units()
