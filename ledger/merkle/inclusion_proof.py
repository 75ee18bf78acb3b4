"""Check one record and its path up the tree to a checkpoint, without the rest of the log (FORMAT.md, section 11).

The path is the audit path of RFC 6962, section 2.1.1: the roots of the sibling subtrees of the record's leaf, lowest
first. Checking a proof does not load `eventsourcing`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from umpire_ledger.ledger.merkle.tree import HASH, NODE, Checkpoint, FirstLines, sha256
from umpire_ledger.ledger.records.errors import BrokenLedger, BrokenProof, CannotBeWritten, NoSuchRecord, record_count
from umpire_ledger.ledger.records.limits import MIB, MOST_LINE, RECORD_DEPTH, RECORD_DIGITS, fault_of_json
from umpire_ledger.ledger.records.log_lines import Header, LogEnd
from umpire_ledger.ledger.records.record import UNREADABLE, Record, check_game_id, fault, is_time

NAME = "proof"
FORMAT = 1
BEGINNING = b'{"umpire":"proof"'
MOST_PROOF = MOST_LINE + MIB
"""Limit of the file in bytes: a record, and three short lines."""


class ProofPath(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The third line of a proof: the path."""

    path: tuple[str, ...]


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """A record and its path to a checkpoint. The reader needs an independent copy of the checkpoint."""

    game: str
    line: bytes
    """The record as it is in the log, or redacted."""
    path: tuple[bytes, ...]
    """Hashes of 32 bytes each, from the leaf upwards."""
    checkpoint: Checkpoint

    @property
    def record(self) -> Record:
        """The record that the proof is about."""
        return Record.decode(self.line)

    def encode(self) -> bytes:
        """Return the file, four lines."""
        said = self.checkpoint
        parts = (
            _encode(Header(umpire=NAME, format=FORMAT, game=self.game)),
            self.line,
            _encode(ProofPath(path=tuple(one.hex() for one in self.path))),
            _encode(LogEnd(checkpoint=said.text(), size=said.size, root=said.hex)),
        )
        return b"".join(part + b"\n" for part in parts)

    @staticmethod
    def read(raw: bytes) -> Proof:
        """Return the proof in a file, without checking its path.

        Raises:
            BrokenProof: The file is not in the form that Umpire writes.
        """
        header, line, way, ending = _four_lines(raw)
        _verify_header(header)
        record = _record(line)
        try:
            path = tuple(map(bytes.fromhex, msgspec.json.decode(way, type=ProofPath).path))
            said = Checkpoint.read(msgspec.json.decode(ending, type=LogEnd).checkpoint)
        except UNREADABLE as error:
            raise BrokenProof(
                f"its path or its checkpoint cannot be read: {error}", position=record.position
            ) from error
        proof = Proof(game=msgspec.json.decode(header, type=Header).game, line=line, path=path, checkpoint=said)
        if any(len(one) != HASH for one in path) or proof.encode() != raw:
            raise BrokenProof("it is not in the form that Umpire writes", game=proof.game, position=record.position)
        return proof

    def verify(self, checkpoint: Checkpoint) -> None:
        """Check that the record is part of the history from which the checkpoint was made.

        Raises:
            BrokenProof: It is not part of that history.
        """
        record, said = self.record, self.checkpoint
        reason, remedy = "", "get an undamaged copy of the proof, or a new one"
        if checkpoint.game != self.game:
            reason = f"the checkpoint belongs to another game, {checkpoint.game}"
            remedy = f"give a checkpoint of {self.game}"
        elif said.game != self.game:
            reason = f"it leads to a checkpoint of another game, {said.game}"
        elif said.size != checkpoint.size:
            reason = f"it leads to a checkpoint at #{said.size}, not to the one at #{checkpoint.size}"
            remedy = "give the checkpoint that the proof was made for, or ask for a proof against yours"
        elif said.root != checkpoint.root:
            reason = "it leads to a different root, so to a different history"
        elif root_above(record.leaf(self.game), record.position - 1, said.size, self.path) != said.root:
            reason = "the record does not lead to the checkpoint's root: the record or its path was changed"
        if reason:
            raise BrokenProof(reason, game=self.game, position=record.position, remedy=remedy)


_encode = msgspec.json.Encoder().encode


def _four_lines(raw: bytes) -> list[bytes]:
    if not raw.startswith(BEGINNING):
        raise BrokenProof("this is not a proof", remedy="give an unchanged file from `umpire prove`")
    lines = raw.split(b"\n")
    if len(raw) > MOST_PROOF or len(lines) != 5 or lines[4]:
        raise BrokenProof("expected four lines, each ending with a line feed")
    return lines[:4]


def _verify_header(line: bytes) -> None:
    try:
        header = msgspec.json.decode(line, type=Header)
        check_game_id(header.game)
    except (*UNREADABLE, CannotBeWritten) as error:
        raise BrokenProof(f"its header cannot be read: {error}") from error
    if header.format > FORMAT:
        reason = f"format {header.format} was written by a newer Umpire; this one reads up to format {FORMAT}"
        raise BrokenProof(reason, remedy="update Umpire")


def _record(line: bytes) -> Record:
    beyond = fault_of_json(line, RECORD_DEPTH, RECORD_DIGITS)
    if beyond or len(line) >= MOST_LINE:
        raise BrokenProof(f"its record exceeds a limit: {beyond or 'too long'}")
    try:
        record = Record.decode(line)
        line.decode()
    except UNREADABLE as error:
        raise BrokenProof(f"its second line is not a record: {error}") from error
    wrong = fault(record, line)
    if not 1 <= record.position < 1 << 64 or record.encode() != line or not is_time(record.at):
        wrong = wrong or "it is not in the form that Umpire writes"
    if wrong:
        raise BrokenProof(f"its record is malformed: {wrong}", position=max(record.position, 0))
    return record


def prove(
    now: Checkpoint,
    lines: FirstLines,
    position: int,
    checkpoint: Checkpoint | None = None,
    see: Callable[[Record], bool] | None = None,
) -> Proof:
    """Return the proof of a record for a checkpoint (None: the present one).

    The record is redacted if `see` rejects it.

    `now`: the present checkpoint of the game; `lines`: reads its first lines.

    Raises:
        NoSuchRecord: The game has no such position.
        CannotBeWritten: The checkpoint belongs to another game, or was made before the record.
        BrokenLedger: The checkpoint was made from another history.
    """
    game = now.game
    if not 1 <= position <= now.size:
        raise NoSuchRecord(game=game, position=position, size=now.size)
    said = now if checkpoint is None else checkpoint
    _verify_reaches(said, now, position)
    try:
        records = list(map(Record.decode, lines(said.size)))
        leaves = [record.leaf(game) for record in records]
    except UNREADABLE as error:
        raise BrokenLedger(game=game, position=-1, reason=f"not a record: {error}") from error
    path = audit_path(leaves, position - 1)
    if root_above(leaves[position - 1], position - 1, said.size, path) != said.root:
        reason = f"its first {record_count(said.size)} differ from the checkpoint"
        raise BrokenLedger(game=game, position=said.size, reason=reason, remedy=f"`umpire verify {game}` shows more")
    record = records[position - 1]
    shown = record if record.redacted or see is None or see(record) else record.redact()
    return Proof(game=game, line=shown.encode(), path=path, checkpoint=said)


def _verify_reaches(said: Checkpoint, now: Checkpoint, position: int) -> None:
    if said.game != now.game:
        raise CannotBeWritten(
            f"the checkpoint belongs to another game, {said.game}",
            where=f"{now.game} #{position}",
            remedy=f"give a checkpoint of {now.game}, or none to use the current one",
        )
    if said.size < position:
        raise CannotBeWritten(
            f"the checkpoint covers #1-#{said.size}, not #{position}",
            where=f"{now.game} #{position}",
            remedy=f"give a checkpoint of {record_count(position)} or more, or none to use the current one",
        )
    if said.size > now.size:
        raise BrokenLedger(
            game=now.game,
            position=now.size,
            reason=f"the checkpoint covers {record_count(said.size)}, but this ledger has {now.size}",
            remedy="use the ledger that has all these records",
        )


def audit_path(leaves: Sequence[bytes], index: int) -> tuple[bytes, ...]:
    """Return the roots of the sibling subtrees of a leaf, lowest first. `index`: its number, from 0."""
    path, level = [], list(leaves)
    while len(level) > 1:
        beside = index ^ 1
        if beside < len(level):
            path.append(level[beside])
        odd = level[-1:] if len(level) & 1 else []  # a node without a sibling moves up unchanged
        level = [sha256(NODE + left + right).digest() for left, right in zip(level[::2], level[1::2], strict=False)]
        level += odd
        index >>= 1
    return tuple(path)


def root_above(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """Return the root that a path leads to (RFC 9162, section 2.1.3.2); None if it does not match index and size."""
    if not 0 <= index < size:
        return None
    at, last, root = index, size - 1, leaf
    for beside in path:
        if not last:
            return None
        if at & 1 or at == last:
            root = sha256(NODE + beside + root).digest()
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            root = sha256(NODE + root + beside).digest()
        at, last = at >> 1, last >> 1
    return None if last else root
