"""Prove that a longer log begins with a shorter one, by the consistency proofs of RFC 6962, section 2.1.2.

A proof is a list of subtree roots. Both roots can be computed from it, without any record.
"""

from __future__ import annotations

from collections.abc import Sequence

from umpire_ledger.ledger.merkle.tree import NODE, Checkpoint, CompactRange, FirstLines, sha256
from umpire_ledger.ledger.records.errors import BrokenLedger, CannotBeWritten
from umpire_ledger.ledger.records.record import UNREADABLE, Record

MOST_HASHES = 63
"""Limit of hashes in a proof, as in C2SP tlog-witness."""


def consistency_path(leaves: Sequence[bytes], old: int) -> tuple[bytes, ...]:
    """Return the proof that the tree over all leaves begins with the tree over the first `old` leaves."""
    if not 0 < old < len(leaves):
        return ()
    return tuple(_path(leaves, old, is_whole=True))


def _path(leaves: Sequence[bytes], old: int, *, is_whole: bool) -> list[bytes]:
    """Compute `SUBPROOF` of the RFC. `is_whole`: the verifier knows the old tree's root."""
    if old == len(leaves):
        return [] if is_whole else [_root(leaves)]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    if old <= split:
        return [*_path(leaves[:split], old, is_whole=is_whole), _root(leaves[split:])]
    return [*_path(leaves[split:], old - split, is_whole=False), _root(leaves[:split])]


def _root(leaves: Sequence[bytes]) -> bytes:
    return CompactRange().grow(leaves).root()


def extends(old: int, old_root: bytes, size: int, root: bytes, path: Sequence[bytes]) -> bool:
    """Return whether a proof leads from `old_root` to `root` (RFC 9162, section 2.1.4.2).

    Every log extends an empty one.
    """
    if old in (0, size):
        return not path and (old == 0 or old_root == root)
    if old > size or not path:
        return False
    rest = [old_root, *path] if old & (old - 1) == 0 else list(path)
    first, last = old - 1, size - 1
    while first & 1:
        first, last = first >> 1, last >> 1
    was = now = rest[0]
    for node in rest[1:]:
        if not last:
            return False
        if first & 1 or first == last:
            was, now = sha256(NODE + node + was).digest(), sha256(NODE + node + now).digest()
            while first and not first & 1:
                first, last = first >> 1, last >> 1
        else:
            now = sha256(NODE + now + node).digest()
        first, last = first >> 1, last >> 1
    return not last and (was, now) == (old_root, root)


def prove_growth(now: Checkpoint, lines: FirstLines, old: int, size: int) -> tuple[bytes, ...]:
    """Return the proof that the first `size` records of a game begin with its first `old` records.

    `now`: the present checkpoint of the game; `lines`: reads its first lines.

    Raises:
        CannotBeWritten: The game does not have these positions.
        BrokenLedger: A line is not a record.
    """
    game = now.game
    if not 0 <= old <= size <= now.size:
        what, where = f"a proof cannot lead from #{old} to #{size}", f"{game} #{now.size}, the last one"
        raise CannotBeWritten(what, where=where, remedy=f"name two positions up to #{now.size}, the smaller first")
    try:
        leaves = [Record.decode(line).leaf(game) for line in lines(size)]
    except UNREADABLE as error:
        raise BrokenLedger(game=game, position=-1, reason=f"not a record: {error}") from error
    return consistency_path(leaves, old)
