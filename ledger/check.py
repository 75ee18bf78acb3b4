"""Checking a history: line after line, each against all before it.

The same check serves a replay log, an import and the ledger's own file. Memory stays flat: only the right edge
of the tree and the order in progress are kept.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from umpire_ledger.ledger.errors import BrokenLedger
from umpire_ledger.ledger.record import Record, fault, is_time
from umpire_ledger.ledger.tree import Checkpoint, Edge, add_leaf, root_of

VALID = "VALID"
REDACTED = "VALID WITH REDACTIONS"
INCOMPLETE = "INCOMPLETE"
INVALID = "INVALID"


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a check."""

    verdict: Literal["VALID", "VALID WITH REDACTIONS", "INCOMPLETE", "INVALID"]
    game: str = ""
    size: int = 0
    """Records that were read and stand: all of them, or those before the first bad one."""
    root: str = ""
    """Over `size` records, in hex."""
    redacted: int = 0
    """How many of them are withheld."""
    first_bad: int | None = None
    """Position of the first record that nobody vouches for; 0 is the header of a replay log. Damage that only a hash
    shows is seen at the next `prior`, so it may lie in a later record, up to that one."""
    reason: str = ""
    expected: str = ""
    found: str = ""

    @property
    def valid(self) -> bool:
        """Nothing is wrong and nothing is missing, though some records may be withheld."""
        return self.verdict in (VALID, REDACTED)


class Check:
    """One game's lines, seen in order.

    `checkpoint` is somebody's, `kept` the right edge that a ledger keeps beside the game: each is compared when its
    size is reached.
    """

    def __init__(self, game: str, checkpoint: Checkpoint | None = None, kept: Edge | None = None) -> None:
        self.game = game
        self.size = 0
        self.redacted = 0
        self.vouched = 0
        """So many records are known to be as they were written, from a later `prior`, a checkpoint or the kept edge."""
        self._peaks: list[bytes] = []
        self._command = ""
        self._at = ""
        self._seat = ""
        self._has_cause = False
        self._checkpoint = checkpoint
        self._kept = kept
        self._known_at = {known.size for known in (checkpoint, kept) if known is not None}
        if checkpoint is not None and checkpoint.game != game:
            raise BrokenLedger(
                position=0, game=game, reason="the checkpoint is of another game", expected=checkpoint.game, found=game
            )
        self._compare_with_known()

    def root(self) -> bytes:
        """Over the records seen so far."""
        return root_of(self._peaks)

    def edge(self) -> Edge:
        """Right edge over the records seen so far."""
        return Edge(self.size, tuple(self._peaks))

    def see(self, line: bytes) -> Record:
        """Add one line (without its newline). Raises BrokenLedger."""
        record = self._read(line)
        if record.prior is not None or record.command != self._command:
            self._begin_order(record)
        elif record.at != self._at or record.seat != self._seat:
            raise self.broken("the records of one order differ in seat or time")
        if record.cause or record.cause_hash is not None:
            if self._has_cause:
                raise self.broken("an order has two causes")
            self._has_cause = True
        add_leaf(self._peaks, self.size, record.leaf(self.game))
        self.size += 1
        if record.inner is not None:
            self.redacted += 1
        if self.size in self._known_at:
            self._compare_with_known()
        return record

    def _read(self, line: bytes) -> Record:
        try:
            record = Record.decode(line)
            if not line.isascii():
                line.decode()
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self.broken(f"the line is not a record: {error}") from error
        if record.position != self.size + 1:
            expected = f"#{self.size + 1}"
            raise self.broken("a record is missing, doubled or out of order", expected, f"#{record.position}")
        # The hash is over the fields; that there is only one way to write them makes every byte of the line count.
        if record.encode() != line:
            raise self.broken("the line is not written as a ledger writes it (were line ends or blanks changed?)")
        wrong = fault(record, line)
        if wrong:
            raise self.broken(wrong)
        return record

    def _begin_order(self, record: Record) -> None:
        if record.prior is None:
            raise self.broken("an order's first record has no `prior`")
        if record.command == self._command:
            raise self.broken("a `prior` in the middle of an order")
        root = self.root().hex()
        if not is_time(record.at):
            raise self.broken("`at` is not a UTC time with microseconds")
        if record.prior != root:
            suspects = f"#{self.vouched + 1} to #{record.position}"
            raise self._mismatch(f"a record from {suspects} was changed", record.prior, root)
        self.vouched = self.size
        self._command, self._at, self._seat, self._has_cause = record.command, record.at, record.seat, False

    def finish(self, size: int, root: str) -> None:
        """Compare with the size and root (hex) that the log itself ends with. Raises BrokenLedger."""
        if size != self.size:
            raise self.broken("records are missing before the checkpoint", f"{size} records", f"{self.size} records")
        found = self.root().hex()
        if root != found:
            raise self._mismatch(f"a record from #{self.vouched + 1} on was changed", root, found)
        self.vouched = self.size

    def _compare_with_known(self) -> None:
        if self.size not in self._known_at:
            return
        root = self.root()
        if self._kept is not None and self._kept.size == self.size and self._kept.root() != root:
            reason = f"a record from #{self.vouched + 1} to #{self.size} was changed: the ledger keeps another root"
            raise self._mismatch(reason, self._kept.root().hex(), root.hex())
        if self._checkpoint is not None and self._checkpoint.size == self.size and self._checkpoint.root != root:
            reason = f"this is not the history that the checkpoint at #{self.size} was made of"
            raise self._mismatch(reason, self._checkpoint.hex, root.hex())
        self.vouched = self.size

    def _mismatch(self, reason: str, expected: str, found: str) -> BrokenLedger:
        return BrokenLedger(position=self.vouched + 1, game=self.game, reason=reason, expected=expected, found=found)

    def broken(self, reason: str, expected: str = "", found: str = "") -> BrokenLedger:
        """The error for the record that would come next."""
        return BrokenLedger(position=self.size + 1, game=self.game, reason=reason, expected=expected, found=found)

    def complete(self) -> Verdict:
        """The verdict when nothing is wrong; INCOMPLETE when a checkpoint or the kept edge knows of more records."""
        if self._checkpoint is not None and self._checkpoint.size > self.size:
            return self.incomplete(f"the checkpoint was made of {self._checkpoint.size} records")
        if self._kept is not None and self._kept.size > self.size:
            return self.incomplete(f"the ledger had {self._kept.size} records")
        verdict: Literal["VALID", "VALID WITH REDACTIONS"] = "VALID WITH REDACTIONS" if self.redacted else "VALID"
        return Verdict(verdict=verdict, game=self.game, size=self.size, root=self.root().hex(), redacted=self.redacted)

    def incomplete(self, reason: str) -> Verdict:
        """The verdict when the log just ends."""
        return Verdict(
            verdict="INCOMPLETE",
            game=self.game,
            size=self.size,
            root=self.root().hex(),
            redacted=self.redacted,
            reason=f"nothing after #{self.size}: {reason}",
        )

    def invalid(self, error: BrokenLedger) -> Verdict:
        """The verdict after `see` or `finish` raised."""
        return Verdict(
            verdict="INVALID",
            game=self.game,
            size=min(self.size, max(error.position - 1, 0)),
            redacted=self.redacted,
            first_bad=error.position,
            reason=error.reason,
            expected=error.expected,
            found=error.found,
        )
