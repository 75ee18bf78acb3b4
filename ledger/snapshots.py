"""A snapshot's bytes: the tree's right edge and the folded state, compressed together.

zlib ends with a checksum: a snapshot that was damaged is seen as no snapshot, and can never give a wrong `prior`.
"""

from __future__ import annotations

import zlib

from umpire_ledger.ledger.tree import Edge

LEVEL = 1  # states repeat themselves: the first level saves nearly as much as the last, in a tenth of the time


def pack_snapshot(edge: Edge, state: bytes) -> bytes:
    """The edge, then the state."""
    return zlib.compress(edge.encode() + state, LEVEL)


def unpack_snapshot(raw: bytes) -> tuple[Edge, bytes] | None:
    """(edge, state), None when these bytes are not a snapshot."""
    try:
        plain = zlib.decompress(raw)
        edge, end = Edge.decode(plain)
    except (zlib.error, ValueError):
        return None
    return edge, plain[end:]
