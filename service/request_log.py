"""Log each request as one JSON line, with the seat, the game and the order id, but without a token.

Only the path is logged, never the query, because search words are private.
"""

import logging
import sys
import time
import traceback
from datetime import UTC, datetime
from typing import Any

import msgspec

LOG = logging.getLogger("umpire.service")
_FIELDS = "umpire_told"


class JsonLines(logging.Formatter):
    """A formatter that writes a log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")[:-6] + "Z",
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            "worker": record.process,
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            said["traceback"] = "".join(traceback.format_exception(*record.exc_info))
        return msgspec.json.encode(said, enc_hook=str).decode()


def to_standard_error(level: int = logging.INFO) -> None:
    """Write the log of this process and of its server to standard error as JSON lines."""
    lines = logging.StreamHandler(sys.stderr)
    lines.setFormatter(JsonLines())
    for name in ("umpire.service", "uvicorn", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = ([] if name == "uvicorn.error" else [lines]), name == "uvicorn.error"
        logger.setLevel(level if name == "umpire.service" else logging.WARNING)


def log_event(event: str, **fields: Any) -> None:
    """Log an event other than a request: a start, a stop, a dropped reader."""
    LOG.info(event, extra={"fields": fields})


def trouble(error: BaseException) -> None:
    """Log an error of the service, with its place in the code."""
    LOG.error("fault", exc_info=error)


def add_field(scope: Any, **fields: Any) -> None:
    """Add fields to the log line of this request."""
    scope.setdefault(_FIELDS, {}).update({name: value for name, value in fields.items() if value not in ("", None)})


def request_fields(scope: Any) -> dict[str, Any]:
    """Return the fields added so far."""
    found: dict[str, Any] = scope.get(_FIELDS, {})
    return found


def log_request(scope: Any, status: int, began: float, sent: int) -> None:
    """Write the log line of a request."""
    fields = {
        "method": scope["method"],
        "path": scope["path"],
        "status": status,
        "ms": round((time.perf_counter() - began) * 1000, 2),
        "bytes": sent,
        **request_fields(scope),
    }
    LOG.info("request", extra={"fields": fields})
