"""Compute the Merkle tree over one game's leaves (RFC 6962, section 2.1), and its checkpoints.

Only the compact range is stored: the roots of the complete subtrees, largest first, one for each bit that is set in the
size. That is enough to add leaves and to compute the root. Every snapshot contains it.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from struct import error as StructError, pack, unpack_from

import msgspec

sha256 = hashlib.sha256
HASH = 32  # bytes
NODE = b"\x01"  # RFC 6962 section 2.1: the prefix of an inner node
EMPTY_ROOT = sha256(b"").digest()
ORIGIN = "umpire/"
NOT_A_CHECKPOINT = "not a checkpoint: expected three lines, umpire/<game>, the size and the base64 root"


class CompactRange(msgspec.Struct, frozen=True):
    """The compact range of a tree of `size` leaves."""

    size: int = 0
    peaks: tuple[bytes, ...] = ()

    def grow(self, leaves: Iterable[bytes]) -> CompactRange:
        """Return the compact range after adding leaves, which are 32-byte hashes, in order."""
        peaks, size = list(self.peaks), self.size
        for leaf in leaves:
            add_leaf(peaks, size, leaf)
            size += 1
        return CompactRange(size, tuple(peaks))

    def root(self) -> bytes:
        """Return the tree's root, 32 bytes; for an empty tree, the SHA-256 of nothing."""
        return _root_again(self.peaks)

    def encode(self) -> bytes:
        """Return the size (8 bytes, big-endian), then the peaks."""
        return pack(">Q", self.size) + b"".join(self.peaks)

    @staticmethod
    def decode(raw: bytes) -> tuple[CompactRange, int]:
        """Return the compact range at the beginning of `raw`, and its number of bytes.

        Raises:
            ValueError: `raw` is truncated.
        """
        try:
            (size,) = unpack_from(">Q", raw)
        except StructError as error:
            raise ValueError("not a compact range") from error
        end = 8 + HASH * size.bit_count()
        if len(raw) < end:
            raise ValueError("compact range is truncated")
        return CompactRange(size, tuple(raw[start : start + HASH] for start in range(8, end, HASH))), end


def add_leaf(peaks: list[bytes], size: int, leaf: bytes) -> None:
    """Add the leaf with number `size` (from 0) to `peaks` in place."""
    while size & 1:
        leaf = sha256(NODE + peaks.pop() + leaf).digest()
        size >>= 1
    peaks.append(leaf)


def root_of(peaks: Sequence[bytes]) -> bytes:
    """Return the root above a compact range, by hashing the peaks together from the right."""
    if not peaks:
        return EMPTY_ROOT
    root = peaks[-1]
    for peak in peaks[-2::-1]:
        root = sha256(NODE + peak + root).digest()
    return root


_root_again = lru_cache(maxsize=16)(root_of)
"""Cached, because the root after an order is stored with it and is also the `prior` of the next order."""


FirstLines = Callable[[int], Iterable[bytes]]
"""Function that returns the first lines of a game, a given number of them, as they are stored."""


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """A game, its number of records, and the root over them, which identify one history."""

    game: str
    size: int
    root: bytes

    @property
    def hex(self) -> str:
        """The root in hex."""
        return self.root.hex()

    def text(self) -> str:
        """Return three lines, each with its newline: origin, size, base64 root (C2SP tlog-checkpoint)."""
        return f"{ORIGIN}{self.game}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"

    @staticmethod
    def read(text: str) -> Checkpoint:
        """Return the checkpoint in a text.

        Raises:
            ValueError: The text is not a checkpoint.
        """
        lines = text.split("\n")
        try:
            origin, size, root, _ = lines
            checkpoint = Checkpoint(
                game=origin.removeprefix(ORIGIN), size=int(size), root=base64.b64decode(root, validate=True)
            )
        except ValueError as error:
            raise ValueError(NOT_A_CHECKPOINT) from error
        # A checkpoint has only one spelling: no blanks, no +5, no missing newline.
        if checkpoint.text() != text or len(checkpoint.root) != HASH or checkpoint.size < 0:
            raise ValueError(NOT_A_CHECKPOINT)
        return checkpoint
