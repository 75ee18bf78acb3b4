"""Check late entries: orders that carry the time when they happened at the table, and a witness.

    {"as": "king", "order": "rally", "piece": "forlorn-1", "pips": [4],
     "happened_at": "2026-01-03T19:30:00+01:00", "witness": "Anna"}

Both are stored in the order's cause; the record also has the ledger's own time. The check is not in the domain, because
the domain has no clock.
"""

import re
from collections.abc import Callable
from datetime import datetime

from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.order_json import Sent

RFC_3339 = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII)
REMEDY = "use RFC 3339 with a time zone, for example 2026-01-03T19:30:00+01:00, or Z for UTC"


def verify_happened(sent: Sent, clock: Callable[[], datetime], where: str) -> None:
    """Verify the time of a late entry.

    Raises:
        RuleViolation: When it is not a time, has no time zone, or is in the future by the ledger's clock.
    """
    if not sent.happened_at:
        return
    happened = read_time(sent.happened_at)
    if happened is None:
        raise _refuse(f"happened_at {sent.happened_at!r} is not a time", REMEDY, where)
    now = clock()
    if happened > now:
        said = now.isoformat(timespec="seconds")
        what = f"{sent.happened_at} is in the future: the ledger's clock shows {said}"
        raise _refuse(what, "give the time when it happened, or leave out `happened_at`", where)


def read_time(text: str) -> datetime | None:
    """Return a time in RFC 3339; None for anything else, such as the 30th of February."""
    text = text.upper()
    if not RFC_3339.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _refuse(what: str, remedy: str, where: str) -> RuleViolation:
    return RuleViolation(what, where=where, rule="late entry", remedy=remedy)
