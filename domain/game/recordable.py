"""Check that an event can be read back as the same event, before it is written."""

import msgspec

from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import AnyEvent, decode, encode
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.refusals import REFUSALS

RULE = "events"
"""Rule that a refusal of an event names."""
LISTS = "a list can contain only text, so write its numbers as text"


def recordable(event: AnyEvent, where: str) -> bytes:
    """Return the encoded event.

    Raises:
        RuleViolation: The bytes would not decode to the same event.
    """
    try:
        raw = encode(event)
        back = decode(raw)
    except (msgspec.ValidationError, TypeError, ValueError, OverflowError) as error:
        raise _unreadable(event, str(error), where) from error
    if back != event and encode(back) != raw:  # A tuple in free JSON comes back as a list, but its bytes are equal.
        raise _unreadable(event, "reading it back would give a different value", where)
    return raw


def _unreadable(event: AnyEvent, why: str, where: str) -> RuleViolation:
    return refusal(
        RuleViolation,
        REFUSALS,
        "not-recordable",
        {"event": type(event).__struct_config__.tag, "why": why, "lists": LISTS},
        where=where,
        rule=RULE,
    )
