"""Check a history line by line, each against all lines before it.

Replay logs, imports and the ledger's own file share this check. It keeps little in memory: the compact range of the
tree, the current order, and the ids of earlier orders, which must not be repeated.
"""

from __future__ import annotations

from msgspec.structs import replace

from umpire_ledger.ledger.merkle.tree import Checkpoint, CompactRange, add_leaf, root_of
from umpire_ledger.ledger.records.errors import BrokenLedger, record_count
from umpire_ledger.ledger.records.limits import RECORD_DEPTH, RECORD_DIGITS, fault_of_json
from umpire_ledger.ledger.records.record import UNREADABLE, Record, Row, fault, is_time, row_of
from umpire_ledger.ledger.records.verdict import (
    INCOMPLETE,
    INVALID,
    MOST,
    REDACTED,
    VALID,
    ClockBack,
    Verdict,
    Withheld,
)
from umpire_ledger.ledger.verification.batch_hashing import SameOrder
from umpire_ledger.ledger.verification.seen_order_ids import OrderIds

__all__ = ["INCOMPLETE", "INVALID", "REDACTED", "VALID", "LogChecker", "Verdict"]


class LogChecker:
    """Checks the lines of one game in order.

    `checkpoint` is an external checkpoint; `kept` is the compact range that a ledger stores with the game. Each is
    compared when its size is reached.
    """

    def __init__(self, game_id: str, checkpoint: Checkpoint | None = None, kept: CompactRange | None = None) -> None:
        self.game = game_id
        self.size = 0
        self.withheld = Withheld()
        self.finished = False
        """Whether the log's own end was reached and matches."""
        self.vouched = 0
        """The number of records verified by a later `prior`, a checkpoint or the stored compact range."""
        self._clock_back: list[ClockBack] = []
        self._clock_back_left_out = 0
        self._peaks: list[bytes] = []
        self._command = ""
        self._orders = OrderIds()
        self._at = ""
        self._seat = ""
        self._has_cause = False
        self._order: SameOrder | None = None
        self._checkpoint = checkpoint
        self._kept = kept
        self._known_at = {known.size for known in (checkpoint, kept) if known is not None}
        if checkpoint is not None and checkpoint.game != game_id:
            reason = "the checkpoint belongs to another game"
            raise BrokenLedger(position=0, game=game_id, reason=reason, expected=checkpoint.game, found=game_id)
        self._compare_with_known()

    def root(self) -> bytes:
        """Return the root over the records so far."""
        return root_of(self._peaks)

    def edge(self) -> CompactRange:
        """Return the compact range of the records so far."""
        return CompactRange(self.size, tuple(self._peaks))

    def add_line(self, line: bytes) -> Row:
        """Add one line (without its newline), and return its row for a store.

        Raises:
            BrokenLedger: The line does not continue the history.
        """
        position = self.size + 1
        leaf = None if self._order is None else self._order.leaf(position, line)
        if leaf is not None:
            row: Row = (position, None, None, line)
        else:
            record = self._see_whole(line)
            leaf, row = record.leaf(self.game), row_of(record, line)
        if self.size & 1:
            add_leaf(self._peaks, self.size, leaf)
        else:  # a leaf with an even number has no sibling yet
            self._peaks.append(leaf)
        self.size = position
        if position in self._known_at:
            self._compare_with_known()
        return row

    def _see_whole(self, line: bytes) -> Record:
        """Check a line of any form.

        Raises:
            BrokenLedger: The line does not continue the history.
        """
        record = self._read(line)
        if record.prior is not None or record.command != self._command:
            self._begin_order(record, line)
        elif record.at != self._at or record.seat != self._seat:
            raise self._disagreeing("the records of one order differ in seat or time")
        if record.cause or record.cause_hash is not None:
            if self._has_cause:
                raise self._disagreeing("an order has two causes")
            self._has_cause = True
        if record.inner is not None:
            self.withheld.see(record.position, public=record.visible_to is None)
        return record

    def _read(self, line: bytes) -> Record:
        beyond = fault_of_json(line, RECORD_DEPTH, RECORD_DIGITS)
        if beyond:
            raise self.broken(f"the line exceeds a limit: {beyond}")
        try:
            record = Record.decode(line)
            if not line.isascii():
                line.decode()
        except UNREADABLE as error:
            raise self.broken(f"the line is not a record: {error}") from error
        if record.position != self.size + 1:
            expected = f"#{self.size + 1}"
            raise self.broken("a record is missing, duplicated or out of order", expected, f"#{record.position}")
        # The hash covers the fields. Because there is only one way to write them, it covers every byte of the line.
        if record.encode() != line:
            raise self.broken("the line is not in the form that Umpire writes (were line endings or spaces changed?)")
        wrong = fault(record, line)
        if wrong:
            raise self.broken(wrong)
        return record

    def _begin_order(self, record: Record, line: bytes) -> None:
        if record.prior is None:
            raise self._disagreeing("an order's first record has no `prior`")
        if record.command == self._command:
            raise self._disagreeing("a record in the middle of an order has a `prior`")
        if self._orders.add(record.command):
            raise self._disagreeing("the records of an order are not consecutive")
        root = self.root().hex()
        if not is_time(record.at):
            raise self.broken("`at` is not a UTC time with microseconds")
        if record.prior != root:
            raise self._mismatch(self._why_no_prior(record.position), record.position, record.prior, root)
        self.vouched = self.size
        if record.at < self._at:
            self._note_clock(record)
        self._command, self._at, self._seat, self._has_cause = record.command, record.at, record.seat, False
        self._order = SameOrder(self.game, record, line)

    def _why_no_prior(self, position: int) -> str:
        """Return the reason for a wrong `prior`: it does not match, although the last one before it does."""
        low = self.vouched + 1
        if position == 1:
            return "the `prior` of #1 is not the root of an empty log: #1 was changed"
        changed = _changed(low, position)
        return f"{changed}: the `prior` of #{low} matches the records before it, but the one of #{position} does not"

    def _note_clock(self, record: Record) -> None:
        if len(self._clock_back) < MOST:
            self._clock_back.append(ClockBack(record.position, record.at, self._at))
        else:
            self._clock_back_left_out += 1

    def finish(self, size: int, root: str) -> None:
        """Compare the history with the size and root (hex) in the log's checkpoint line.

        Raises:
            BrokenLedger: They differ.
        """
        if size != self.size:
            raise self.broken("records are missing before the checkpoint", record_count(size), record_count(self.size))
        found = self.root().hex()
        if root != found:
            reason = f"a record from #{self.vouched + 1} on was changed, or the checkpoint line was"
            raise self._mismatch(reason, self.size, root, found)
        self.vouched = self.size
        self.finished = True

    def _compare_with_known(self) -> None:
        if self.size not in self._known_at:
            return
        root = self.root()
        if self._kept is not None and self._kept.size == self.size and self._kept.root() != root:
            reason = f"{_changed(self.vouched + 1, self.size)}: the ledger has a different root"
            raise self._mismatch(reason, self.size, self._kept.root().hex(), root.hex())
        if self._checkpoint is not None and self._checkpoint.size == self.size and self._checkpoint.root != root:
            raise self._another_history(self._checkpoint, root)
        self.vouched = self.size

    def _another_history(self, checkpoint: Checkpoint, root: bytes) -> BrokenLedger:
        """Return the error for another history.

        A forger computes each `prior` again, so a correct one proves nothing.
        """
        first = min(self.vouched + 1, self.size)
        since = f"{_changed(first, self.size)}, or an earlier one and every `prior` after it"
        reason = f"history differs from the checkpoint at #{self.size}: {since}"
        changed = (1, self.size) if self.size else None
        return BrokenLedger(
            position=1,
            game=self.game,
            reason=reason,
            expected=checkpoint.hex,
            found=root.hex(),
            changed_between=changed,
        )

    def _mismatch(self, reason: str, last: int, expected: str, found: str) -> BrokenLedger:
        """Return the error for a change in one or more of the records `vouched` + 1 to `last`."""
        low = self.vouched + 1
        return BrokenLedger(
            position=low, game=self.game, reason=reason, expected=expected, found=found, changed_between=(low, last)
        )

    def _disagreeing(self, reason: str) -> BrokenLedger:
        """Return the error for a record that contradicts the order before it. Either may have been changed."""
        reason = f"{reason}, seen at #{self.size + 1}" if self.vouched < self.size else reason
        return self._mismatch(reason, self.size + 1, "", "")

    def broken(self, reason: str, expected: str = "", found: str = "") -> BrokenLedger:
        """Return the error for the next record, which alone shows the fault."""
        at = self.size + 1
        return BrokenLedger(
            position=at, game=self.game, reason=reason, expected=expected, found=found, changed_between=(at, at)
        )

    def complete(self) -> Verdict:
        """Return the verdict without a fault; INCOMPLETE if known records are missing or public ones are withheld."""
        if self._checkpoint is not None and self._checkpoint.size > self.size:
            return self.incomplete(f"the checkpoint covers {record_count(self._checkpoint.size)}")
        if self._kept is not None and self._kept.size > self.size:
            return self.incomplete(f"the ledger had {record_count(self._kept.size)}")
        if self.withheld.public:
            return replace(self._seen(), verdict="INCOMPLETE", reason=self.withheld.reason)
        return replace(self._seen(), verdict="VALID WITH REDACTIONS") if self.withheld.all else self._seen()

    def incomplete(self, reason: str) -> Verdict:
        """Return the verdict for a log that ends too early."""
        return replace(self._seen(), verdict="INCOMPLETE", reason=f"the log ends at #{self.size}: {reason}")

    def invalid(self, error: BrokenLedger) -> Verdict:
        """Return the verdict after an error of `add_line` or `finish`."""
        return replace(
            self._seen(),
            verdict="INVALID",
            size=min(self.size, max(error.position - 1, 0)),
            root="",
            first_bad=error.position,
            changed_between=error.changed_between,
            reason=error.reason,
            expected=error.expected,
            found=error.found,
        )

    def _seen(self) -> Verdict:
        """Return the facts about the records so far, on which every verdict is based."""
        checkpoint = self._checkpoint
        return Verdict(
            verdict="VALID",
            game=self.game,
            size=self.size,
            root=self.root().hex(),
            redacted=self.withheld.all,
            public_withheld=self.withheld.public,
            public_withheld_at=tuple(self.withheld.public_at),
            private_withheld_at=tuple(self.withheld.private_at),
            held_against=checkpoint.size if checkpoint and checkpoint.size <= self.size else None,
            clock_back=tuple(self._clock_back),
            clock_back_left_out=self._clock_back_left_out,
        )


def _changed(first: int, last: int) -> str:
    """Return a phrase for a change somewhere in a range of records."""
    return f"record #{last} was changed" if first == last else f"one of the records #{first} to #{last} was changed"
