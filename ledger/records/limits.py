"""Limit the input that a reader accepts. Larger input is refused before it is parsed, and the refusal names the limit.

The limits are far above what play needs, and low enough that no input makes a reader hang or fail. FORMAT.md and
docs/reference/exit-codes-and-limits.md list them; the limits of a scenario are in `domain/game/scenario_limits.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import IO

MIB = 2**20
MOST_LINE = 4 * MIB
"""Bytes of a line of a replay log."""
MOST_OBJECT = 2 * MIB - 2**10
"""Bytes of an event, and of the order in its cause. With the envelope, they fit in one line."""
RECORD_DEPTH = 100
"""Levels of arrays and objects in a record."""
ORDER_DEPTH = 64
"""Levels of arrays and objects in an order, whose text is part of a record."""
MOST_ORDER = MIB
"""Bytes of an order in JSON, and of a line of an order file."""
MOST_TYPED = 4 * 2**10
"""Bytes of an order that is typed as one line of words."""
MOST_ORDER_FILE = 64 * MIB
MOST_SCENARIO = MIB
MOST_CHECKPOINT = 64 * 2**10
"""Bytes of an order file, a scenario file and a checkpoint file (three limits)."""
MOST_DIGITS = 20
"""Digits of a number in an order; the largest whole number that an event may hold, 2^53 - 1, has 16."""
RECORD_DIGITS = 4000
"""Digits of a number in a record. It is higher because earlier editions accepted more; Python reads 4,300."""
POSITION_DIGITS = 16
"""Digits of a position, a turn or a count."""

_long_number = re.compile(rb"[0-9]{%d,}" % (MOST_DIGITS + 1))
without_strings = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL).sub
"""Remove the strings from a JSON text. Call it as `without_strings(b"", text)`."""


def fault_of_json(raw: bytes, depth: int, digits: int = MOST_DIGITS) -> str:
    """Return a phrase for the limit that a JSON text exceeds; "" for none. The text need not be valid JSON."""
    is_flat = raw.count(b"[") + raw.count(b"{") <= depth
    if is_flat and (len(raw) <= digits or _long_number.search(raw) is None):
        return ""
    bare = without_strings(b"", raw)
    if not is_flat and _is_deeper(bare, depth):
        return f"nested deeper than {depth} levels"
    longest = max(map(len, _long_number.findall(bare)), default=0)
    return f"a number has more than {digits} digits" if longest > digits else ""


def _is_deeper(bare: bytes, depth: int) -> bool:
    level = 0
    for sign in bare:
        if sign in b"[{":
            level += 1
            if level > depth:
                return True
        elif sign in b"]}":
            level -= 1
    return False


def lines_of(stream: IO[bytes]) -> Iterator[bytes]:
    """Return the lines of a log, with their newlines. A line longer than `MOST_LINE` comes in pieces without one."""
    return iter(partial(stream.readline, MOST_LINE + 1), b"")


def said(size: int) -> str:
    """Return a size in bytes in a form for people."""
    return f"{size // MIB} MiB" if size >= MIB else f"{size // 2**10} KiB"
