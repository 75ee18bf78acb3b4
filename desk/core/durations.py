"""Read lengths of time as people write them."""

import re
from datetime import timedelta

from umpire_ledger.desk.core.errors import WrongUse

UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_span = re.compile(r"([0-9]{1,6})([mhdw])", re.ASCII).fullmatch


def span(text: str) -> timedelta:
    """Return a length of time as people write it: 90m, 36h, 3d, 2w.

    Raises:
        WrongUse: When the text is not such a length.
    """
    found = _span(text.strip())
    if found is None:
        raise WrongUse(
            f"{text!r} is not a length of time",
            where="the arguments",
            rule="times",
            remedy="write a whole number and m, h, d or w, for example 90m, 36h, 3d or 2w",
        )
    return int(found[1]) * UNITS[found[2]]
