"""Write and read a game as a file that anyone can check: a header line, a line for each record, a checkpoint line.

The file has JSON Lines, each with a newline. The record lines are the stored bytes (FORMAT.md, section 6). Reading and
writing are streams, so memory use does not depend on the length. Verification does not load `eventsourcing`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

import msgspec

from umpire_ledger.ledger.merkle.tree import Checkpoint
from umpire_ledger.ledger.records.errors import BrokenLedger, CannotBeWritten, CommitUnknown, GameExists, record_count
from umpire_ledger.ledger.records.limits import MOST_LINE, said
from umpire_ledger.ledger.records.log_lines import Header, LogEnd
from umpire_ledger.ledger.records.record import UNREADABLE, Record, Row, check_game_id
from umpire_ledger.ledger.verification.log_checker import LogChecker, Verdict

if TYPE_CHECKING:
    from umpire_ledger.ledger.ledger import Ledger

__all__ = ["FORMAT", "Verdict", "read_into", "verify", "verify_importable", "write"]

NAME = "replay log"
FORMAT = 1
BEGINNING = b'{"umpire":"replay log"'


_encode = msgspec.json.Encoder().encode
_header = msgspec.json.Decoder(Header).decode


def game_in(header: bytes) -> str:
    """Return the game id in the first line of a log; "" if the line is not a header."""
    try:
        return _header(header).game
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""


_ending = msgspec.json.Decoder(LogEnd).decode


class CutShortError(Exception):
    """The log ends before its checkpoint line. The message says how."""


def write(
    ledger: Ledger[Any],
    game_id: str,
    out: IO[bytes],
    see: Callable[[Record], bool] | None = None,
    *,
    at: int | None = None,
) -> Checkpoint:
    """Write a game's records 1 to `at` (None: all), and return the checkpoint. Records that `see` rejects are redacted.

    `see` is not called for records that are already redacted.

    Raises:
        NoSuchGame: There is no such game. Nothing was written.
        NoSuchRecord: The game has no such position. Nothing was written.
    """
    checkpoint = ledger.checkpoint(game_id, at)
    out.write(_encode(Header(umpire=NAME, format=FORMAT, game=game_id)) + b"\n")
    lines = ledger.lines(game_id, 1, checkpoint.size)
    for line in lines if see is None else withheld(lines, see, game_id):
        out.write(line + b"\n")
    out.write(_encode(LogEnd(checkpoint=checkpoint.text(), size=checkpoint.size, root=checkpoint.hex)) + b"\n")
    return checkpoint


def withheld(lines: Iterable[bytes], see: Callable[[Record], bool], game_id: str = "") -> Iterator[bytes]:
    """Yield the lines; records that `see` rejects are redacted.

    Raises:
        BrokenLedger: A line is not a record.
    """
    for position, line in enumerate(lines, 1):
        try:
            record = Record.decode(line)
            shown = line if record.redacted or see(record) else record.redact().encode()
        except (ValueError, RecursionError) as error:
            raise BrokenLedger(game=game_id, position=position, reason=f"not a record: {error}") from error
        yield shown


def verify(stream: IO[bytes] | Iterable[bytes], checkpoint: Checkpoint | None = None) -> Verdict:
    """Check a replay log, including every `prior`; with a checkpoint, also check that the log continues its history."""
    lines = iter(stream)
    try:
        check = LogChecker(read_header(lines), checkpoint)
    except BrokenLedger as error:
        return Verdict(
            verdict="INVALID",
            game=error.game,
            first_bad=error.position,
            reason=error.reason,
            expected=error.expected,
            found=error.found,
        )
    except CutShortError as cut:
        return Verdict(verdict="INCOMPLETE", reason=f"the log ends at #0: {cut}")
    try:
        for line in record_lines(check, lines):
            check.add_line(line)
    except BrokenLedger as error:
        return check.invalid(error)
    except CutShortError as cut:
        return check.incomplete(str(cut))
    return check.complete()


def read_into(ledger: Ledger[Any], stream: IO[bytes] | Iterable[bytes]) -> str:
    """Import a replay log and return the game's id. Everything is checked before anything is recorded.

    A log that the ledger already has changes nothing. A log that continues its game adds the rest.

    Raises:
        BrokenLedger: The file is not a replay log, or it is of a newer format, changed, truncated, or without its
            public records. Nothing was recorded.
        GameExists: The ledger has that game with another history or with more records.
        CommitUnknown: The store failed during the commit and does not show the log now. The import can be repeated.
        StoreUnavailable: The store cannot be used. Nothing was recorded.
    """
    lines = iter(stream)
    game, check = begun(lines)
    try:
        with whole(check), ledger.importing(game) as into:
            size = ledger.size(game)
            has = KnownRecords(game, size, ledger.checkpoint(game).root if size else b"")
            into.insert(has.new(check, record_lines(check, lines)))
            has.compare(check)
            if check.size > has.size:
                into.settle(check.edge())
    except CommitUnknown:
        if not _has_arrived(ledger, check):
            raise
    return game


def _has_arrived(ledger: Ledger[Any], check: LogChecker) -> bool:
    """Return whether the ledger has a log whose acknowledgment was lost.

    A log that was not read to its end was not stored.
    """
    if not check.finished or ledger.size(check.game) < check.size:
        return False
    return ledger.checkpoint(check.game, check.size).root == check.root()


def verify_importable(stream: IO[bytes] | Iterable[bytes]) -> None:
    """Check that a replay log could be imported into an empty ledger; record nothing.

    Raises:
        BrokenLedger: As in `read_into`.
    """
    lines = iter(stream)
    game, check = begun(lines)
    with whole(check):
        has = KnownRecords(game)
        for _ in has.new(check, record_lines(check, lines)):
            pass
        has.compare(check)


def begun(lines: Iterator[bytes]) -> tuple[str, LogChecker]:
    """Return the game of a log, and a checker for its records.

    Raises:
        BrokenLedger: The header is missing or wrong.
    """
    try:
        game = read_header(lines)
    except CutShortError as cut:
        raise BrokenLedger(position=0, reason=f"the log ends at #0: {cut}") from None
    return game, LogChecker(game)


@contextmanager
def whole(check: LogChecker) -> Iterator[None]:
    """Require that the log that is read in this context ends with a checkpoint line.

    Raises:
        BrokenLedger: It ends before.
    """
    try:
        yield
    except CutShortError as cut:
        raise BrokenLedger(
            game=check.game,
            position=check.size + 1,
            reason=f"the log ends at #{check.size}: {cut}",
            remedy="get the whole file; its last line is a checkpoint",
        ) from None


class KnownRecords:
    """The records of a game that the ledger already has, compared with a log while it is read."""

    def __init__(self, game_id: str, size: int = 0, root: bytes = b"") -> None:
        self.game = game_id
        self.size = size
        self.root = root

    def new(self, check: LogChecker, lines: Iterable[bytes]) -> Iterator[Row]:
        """Check the lines, and yield the rows that the ledger does not have.

        Raises:
            BrokenLedger: A line is wrong.
            GameExists: The ledger has another history of the game.
        """
        for line in lines:
            row = check.add_line(line)
            if row[0] > self.size:
                yield row
            elif row[0] == self.size and check.root() != self.root:
                raise GameExists(game=self.game, reason=f"its first {record_count(self.size)} differ")

    def compare(self, check: LogChecker) -> None:
        """Compare the log with the ledger's game after its last line.

        Raises:
            BrokenLedger: The log has no records, or lacks public ones.
            GameExists: The ledger has more records.
        """
        if check.size == 0:
            raise BrokenLedger(position=0, game=self.game, reason="the log has no records")
        if check.withheld.public:
            raise BrokenLedger(
                game=self.game,
                position=check.withheld.public_at[0][0],
                reason=check.withheld.reason,
                remedy="get a log with every public record, as `umpire export` writes it",
            )
        if check.size < self.size:
            raise GameExists(game=self.game, reason=f"it has {record_count(self.size)}, but the log has {check.size}")


def read_header(lines: Iterator[bytes]) -> str:
    """Return the game id in a log's first line.

    Raises:
        BrokenLedger: The line is not the header of a replay log.
        CutShortError: The header is incomplete.
    """
    line = next(lines, b"")
    if not line:
        raise CutShortError("the file is empty")
    if not line.endswith(b"\n") and line[: len(BEGINNING)] == BEGINNING[: len(line)]:
        if len(line) > MOST_LINE:
            raise BrokenLedger(position=0, reason=f"the header exceeds a limit: longer than {said(MOST_LINE)}")
        raise CutShortError(f"its header is cut off after {len(line)} bytes")
    try:
        header = _header(line)
    except UNREADABLE:
        header = Header(umpire="", format=0)
    if header.umpire != NAME:
        raise BrokenLedger(
            position=0, reason="this is not a replay log", remedy="give an unchanged file from `umpire export`"
        )
    if header.format > FORMAT:
        raise BrokenLedger(
            position=0,
            reason=f"format {header.format} was written by a newer Umpire; this one reads up to format {FORMAT}",
            remedy="update Umpire",
        )
    if not header.game or line != _encode(Header(umpire=NAME, format=FORMAT, game=header.game)) + b"\n":
        raise BrokenLedger(position=0, reason="the header is not in the form that Umpire writes")
    try:
        check_game_id(header.game)
    except CannotBeWritten as error:
        raise BrokenLedger(position=0, reason=error.what, remedy=error.remedy) from None
    return header.game


def record_lines(check: LogChecker, lines: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the record lines for `check`; after the last one, compare the checkpoint line with the checked records.

    Raises:
        BrokenLedger: The checkpoint line does not match the records.
        CutShortError: The log ends without a checkpoint line.
    """
    for line in lines:
        if len(line) > MOST_LINE:
            raise check.broken(f"the line exceeds a limit: longer than {said(MOST_LINE)}")
        if line[-1:] != b"\n":
            raise CutShortError(f"its last line is cut off after {len(line)} bytes")
        if line[:14] == b'{"checkpoint":':
            finish(check, line, lines)
            return
        yield line[:-1]
    raise CutShortError("it has no checkpoint line")


def finish(check: LogChecker, line: bytes, rest: Iterator[bytes]) -> None:
    """Compare the records with the checkpoint line, which must be the last line.

    Raises:
        BrokenLedger: They differ, or more lines follow.
    """
    try:
        ending = _ending(line)
        said = Checkpoint.read(ending.checkpoint)
    except UNREADABLE as error:
        raise check.broken(f"the checkpoint line cannot be read: {error}") from error
    if said.game != check.game:
        raise check.broken("the checkpoint line belongs to another game", check.game, said.game)
    check.finish(said.size, said.hex)
    if line != _encode(LogEnd(checkpoint=said.text(), size=said.size, root=said.hex)) + b"\n":
        raise check.broken("the checkpoint line is not in the form that Umpire writes")
    if any(True for _ in rest):
        raise check.broken("data follows the checkpoint line")
