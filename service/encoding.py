"""Encode answers: values as JSON, with the same bytes as the command line prints, and records as events of a stream."""

from typing import Any

import immutables
import msgspec

from umpire_ledger.desk.core.outcomes import SeenRecord
from umpire_ledger.projections.record.escaping import inert_json


def encoded(value: Any) -> bytes:
    """Encode a value as JSON, with invisible characters escaped, as the command line does."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    return inert_json(msgspec.json.encode(value, enc_hook=_plain).decode("utf-8", "surrogatepass")).encode()


def encoded_record(record: SeenRecord) -> bytes:
    """Encode a record as an event of a stream; its id is its position."""
    return b"id: %d\nevent: record\ndata: %b\n\n" % (record.position, encoded(record))


def _plain(value: Any) -> Any:
    if isinstance(value, immutables.Map):
        return dict(value)
    raise TypeError(f"{type(value).__name__} has no JSON")
