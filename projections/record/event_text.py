"""Return the text of an event and the units that it is about. Each event class defines them."""

from umpire_ledger.domain.game.events import AnyEvent


def text_of(event: AnyEvent) -> str:
    """Return the line of the audit trail for an event."""
    return event.audit_line()


def units_of(event: AnyEvent) -> tuple[str, ...]:
    """Return the ids of the units that an event is about."""
    return event.units()
