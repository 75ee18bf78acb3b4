"""Compress answers for clients that accept gzip."""

import asyncio
import secrets
import zlib
from collections.abc import Mapping
from typing import Any

LEAST = 1024
"""Minimum size of an answer to compress, in bytes."""
AT_ONCE = 64 * 2**10
"""Maximum number of bytes to compress in the loop; more bytes would delay other requests too long."""
LEVEL = 5
MOST_PADDING = 64
"""Maximum number of random bytes to add, so that the length of an answer does not show an attacker how well a guess at
its content compresses (BREACH)."""
KINDS = (b"text/", b"application/json", b"application/problem+json", b"application/x-ndjson", b"image/svg+xml")
HEAD = b"\x1f\x8b\x08\x08" + bytes(4) + b"\x00\xff"
"""Magic number, deflate, a file name follows, no time, no level, no system (RFC 1952)."""


def may_be_compressed(asked: Mapping[bytes, bytes], start: Mapping[str, Any]) -> bool:
    """Return whether an answer is text without an encoding, and the client accepts gzip.

    Args:
        asked: The headers of the request, names in lower case.
        start: The first message of the answer, with its headers.
    """
    headers = {name.lower(): value for name, value in start["headers"]}
    kind = headers.get(b"content-type", b"")
    return (
        _accepts_gzip(asked.get(b"accept-encoding", b""))
        and b"content-encoding" not in headers
        and kind.startswith(KINDS)
        and not kind.startswith(b"text/event-stream")
    )


def is_worth_it(asked: Mapping[bytes, bytes], start: Mapping[str, Any], message: Mapping[str, Any]) -> bool:
    """Return whether to compress an answer: it may be compressed, and its body is complete and long enough.

    Args:
        asked: The headers of the request, names in lower case.
        start: The first message of the answer, with its headers.
        message: The first part of its body.
    """
    return not message.get("more_body") and len(message.get("body", b"")) >= LEAST and may_be_compressed(asked, start)


async def compressed(start: dict[str, Any], message: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the two messages of an answer, compressed."""
    body = message["body"]
    small = _gzipped(body) if len(body) <= AT_ONCE else await asyncio.to_thread(_gzipped, body)
    kept = [(name, value) for name, value in start["headers"] if name.lower() not in (b"content-length", b"vary")]
    vary = [value for name, value in start["headers"] if name.lower() == b"vary"]
    more = [
        (b"content-length", str(len(small)).encode()),
        (b"content-encoding", b"gzip"),
        (b"vary", b", ".join([*vary, b"Accept-Encoding"])),
    ]
    return {**start, "headers": [*kept, *more]}, {**message, "body": small}


def _gzipped(body: bytes) -> bytes:
    """Return a gzip file with a name of random length."""
    name = b"0" * secrets.randbelow(MOST_PADDING)
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    tail = zlib.crc32(body).to_bytes(4, "little") + (len(body) % 2**32).to_bytes(4, "little")
    return HEAD + name + b"\x00" + packer.compress(body) + packer.flush() + tail


def _accepts_gzip(said: bytes) -> bool:
    """Return whether a client accepts gzip: the header has `gzip` or `*`, and not with quality 0."""
    for one in said.lower().split(b","):
        name, _, quality = one.partition(b";")
        if name.strip() in (b"gzip", b"*"):
            return quality.replace(b" ", b"") not in (b"q=0", b"q=0.0", b"q=0.00", b"q=0.000")
    return False
