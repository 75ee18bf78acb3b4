"""Find a key that occurs twice in a JSON object.

RFC 8259 does not say which of the two values counts, so two readers may read different values. Most readers, including
msgspec and JavaScript, silently use the last one.
"""

from __future__ import annotations

from typing import Any

import msgspec

from umpire_ledger.ledger.records.limits import without_strings

UNREADABLE = (msgspec.DecodeError, ValueError, RecursionError)

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder().decode


def repeated_key(raw: bytes) -> str | None:
    """Return a key that occurs twice in an object of this text; None if there is none, or if the text is not JSON."""
    try:
        value = decode(raw)
    except UNREADABLE:  # A number in a log may also be beyond any range.
        return _named(raw)
    # Each member has a colon, and a repeated member is not in the value. Most texts are flat and have no other colon.
    if isinstance(value, dict) and len(value) == raw.count(b":"):
        return None
    if encode(value) == raw or without_strings(b"", raw).count(b":") == _members(value):
        return None
    return _named(raw)


def _members(value: Any) -> int:
    if isinstance(value, dict):
        return len(value) + sum(map(_members, value.values()))
    return sum(map(_members, value)) if isinstance(value, list) else 0


class _FoundError(Exception):
    """Carries the key out of the decoder."""


def _named(raw: bytes) -> str | None:
    import json  # noqa: PLC0415 -- 1 ms: only a faulty text needs it

    try:
        json.loads(raw, object_pairs_hook=_verify_once, parse_int=str, parse_float=str)
    except _FoundError as found:
        return str(found)
    except (ValueError, RecursionError):
        pass
    return None


def _verify_once(pairs: list[tuple[str, Any]]) -> None:
    keys = set[str]()
    for key, _ in pairs:
        if key in keys:
            raise _FoundError(key)
        keys.add(key)
