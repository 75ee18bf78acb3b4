"""Compress answers for clients that accept gzip.

A compressed answer has an ETag of its own (RFC 9110, 8.8.3.3): that of the text with `-gzip` and the number of bytes of
padding. The routes know the ETag of the text only, so the mark is taken off the conditions of a request.
"""

import asyncio
import re
import secrets
import zlib
from collections.abc import Mapping
from functools import lru_cache
from http import HTTPStatus
from typing import Any

LEAST = 1024
"""Minimum size of an answer to compress, in bytes."""
AT_ONCE = 64 * 2**10
"""Maximum number of bytes to compress in the loop; more bytes would delay other requests too long."""
LEVEL = 5
LEVEL_ONCE = 9
MOST_KEPT = 64
"""Public answers whose compressed form is cached: static files and the pages of titles."""
MOST_PADDING = 64
"""Maximum number of random bytes to add, so that the length of an answer does not show an attacker how well a guess at
its content compresses (BREACH)."""
KINDS = (
    b"text/",
    b"application/json",
    b"application/problem+json",
    b"application/x-ndjson",
    b"application/vnd.oai.openapi+json",
    b"image/svg+xml",
)
HEAD = b"\x1f\x8b\x08\x08" + bytes(4) + b"\x00\xff"
"""Magic number, deflate, a file name follows, no time, no level, no system (RFC 1952)."""
CONDITIONS = (b"if-none-match", b"if-match")
_marked = re.compile(rb'-gzip[0-9]{0,2}(?=")')
Headers = list[tuple[bytes, bytes]]


def unmarked(headers: Headers) -> Headers:
    """Return the headers of a request, with the ETags of the text in the place of those of its compressed form."""
    return [(name, _marked.sub(b"", value) if name in CONDITIONS else value) for name, value in headers]


def negotiated(asked: Mapping[bytes, bytes], start: dict[str, Any]) -> dict[str, Any]:
    """Return the first message of an answer with `Vary`, and a 304 with the ETag that the client sent.

    Args:
        asked: The headers of the request, names in lower case.
        start: The first message of the answer, with its headers.
    """
    is_unchanged = start["status"] == HTTPStatus.NOT_MODIFIED
    if not (is_unchanged or _is_text(dict(start["headers"]).get(b"content-type", b""))):
        return start
    headers = _varying(start["headers"])
    if is_unchanged:
        known = asked.get(b"if-none-match", b"")
        headers = [(name, _as_asked(value, known) if name == b"etag" else value) for name, value in headers]
    return {**start, "headers": headers}


def _varying(headers: Headers) -> Headers:
    vary = [value for name, value in headers if name == b"vary"]
    return [one for one in headers if one[0] != b"vary"] + [(b"vary", b", ".join([*vary, b"Accept-Encoding"]))]


def _as_asked(tag: bytes, known: bytes) -> bytes:
    """Return an ETag of the text as it is in If-None-Match: that of the compressed form, if only that is there."""
    tags = [one.strip().removeprefix(b"W/") for one in known.split(b",")]
    return tag if tag in tags else next((one for one in tags if _marked.sub(b"", one) == tag), tag)


def _is_text(kind: bytes) -> bool:
    return kind.startswith(KINDS) and not kind.startswith(b"text/event-stream")


def may_be_compressed(asked: Mapping[bytes, bytes], start: Mapping[str, Any]) -> bool:
    """Return whether an answer is text without an encoding, and the client accepts gzip.

    Args:
        asked: The headers of the request, names in lower case.
        start: The first message of the answer, with its headers.
    """
    headers = dict(start["headers"])
    return (
        _accepts_gzip(asked.get(b"accept-encoding", b""))
        and b"content-encoding" not in headers
        and _is_text(headers.get(b"content-type", b""))
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
    """Return the two messages of an answer, compressed: a public one once, any other with random padding."""
    body, headers = message["body"], start["headers"]
    if dict(headers).get(b"cache-control", b"").startswith(b"public"):
        small, mark = await _beside(body, _gzipped_once, body), b"-gzip"
    else:
        padding = secrets.randbelow(MOST_PADDING)
        small, mark = await _beside(body, _gzipped, body, padding), b"-gzip%d" % padding
    kept = [(name, _with_mark(value, mark) if name == b"etag" else value) for name, value in headers]
    more = [(b"content-length", str(len(small)).encode()), (b"content-encoding", b"gzip")]
    return (
        {**start, "headers": [one for one in kept if one[0] != b"content-length"] + more},
        {**message, "body": small},
    )


async def _beside(body: bytes, pack: Any, *arguments: Any) -> bytes:
    """Run a packer: in a thread if the body is large, else at once."""
    return pack(*arguments) if len(body) <= AT_ONCE else await asyncio.to_thread(pack, *arguments)


def _with_mark(tag: bytes, mark: bytes) -> bytes:
    return tag.removesuffix(b'"') + mark + b'"'


@lru_cache(maxsize=MOST_KEPT)
def _gzipped_once(body: bytes) -> bytes:
    """Return a gzip file of an answer without secrets, so without padding."""
    return _gzipped(body, 0, LEVEL_ONCE)


def _gzipped(body: bytes, padding: int, level: int = LEVEL) -> bytes:
    """Return a gzip file whose name has `padding` characters."""
    name = b"0" * padding
    packer = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    tail = zlib.crc32(body).to_bytes(4, "little") + (len(body) % 2**32).to_bytes(4, "little")
    return HEAD + name + b"\x00" + packer.compress(body) + packer.flush() + tail


def _accepts_gzip(said: bytes) -> bool:
    """Return whether a client accepts gzip: the header has `gzip` or `*`, and not with quality 0."""
    for one in said.lower().split(b","):
        name, _, quality = one.partition(b";")
        if name.strip() in (b"gzip", b"*"):
            return quality.replace(b" ", b"") not in (b"q=0", b"q=0.0", b"q=0.00", b"q=0.000")
    return False
