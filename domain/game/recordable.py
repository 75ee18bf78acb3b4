"""Check that an event can be recorded: read it back as a reader will, before it is written."""

import msgspec

from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import AnyEvent, decode, encode
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.refusals import REFUSALS

RULE = "events"
"""The rule under which an event that cannot be recorded is refused."""
LISTS = "a list can contain only text, so write its numbers as text"


def recordable(event: AnyEvent, where: str) -> bytes:
    """Return the bytes of an event.

    Raises:
        RuleViolation: When the bytes would not decode to the same event.
    """
    try:
        raw = encode(event)
        back = decode(raw)
    except (msgspec.ValidationError, TypeError, ValueError, OverflowError) as error:
        raise _unreadable(event, str(error), where) from error
    if back != event and encode(back) != raw:  # a tuple in free JSON comes back as a list
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
