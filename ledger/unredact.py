"""Complete a redacted log later: withheld records are filled in, and the root does not change (FORMAT.md, section 12).

The keys are record lines of the whole log. They are in a file of keys, another replay log of the game, or a proof. Both
files are read as streams in the order of positions, so memory use does not depend on their length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import IO, TYPE_CHECKING, Any

import msgspec

from umpire_ledger.ledger import replay_log
from umpire_ledger.ledger.merkle import inclusion_proof
from umpire_ledger.ledger.merkle.tree import Checkpoint
from umpire_ledger.ledger.records.errors import BrokenLedger, WrongKeys
from umpire_ledger.ledger.records.limits import MOST_LINE, RECORD_DEPTH, RECORD_DIGITS, fault_of_json
from umpire_ledger.ledger.records.log_lines import Header, LogEnd
from umpire_ledger.ledger.records.record import UNREADABLE, Record
from umpire_ledger.ledger.verification.log_checker import LogChecker

if TYPE_CHECKING:
    from umpire_ledger.ledger.ledger import Ledger

NAME = "keys"
FORMAT = 1
NAMES = (NAME, replay_log.NAME, inclusion_proof.NAME)
"""Kinds of files that contain keys."""
NO_RECORD = (b'{"checkpoint":', b'{"path":')
"""Beginnings of lines in logs and proofs that do not contain a record."""

_encode = msgspec.json.Encoder().encode


class Opened(msgspec.Struct, frozen=True, kw_only=True):
    """A redacted log that was completed."""

    checkpoint: Checkpoint
    """Checkpoint of the completed log: size and root."""
    opened: int
    """Number of records that were filled in."""
    private: int
    """Number of private records that are still withheld."""
    public: int
    """Number of public records that are still withheld."""


def write(ledger: Ledger[Any], game_id: str, out: IO[bytes], see: Callable[[Record], bool] | None = None) -> int:
    """Write the private records of a game that `see` accepts (None: all) as keys, and return their number."""
    lines = ledger.lines(game_id, 1, ledger.checkpoint(game_id).size)
    out.write(_encode(Header(umpire=NAME, format=FORMAT, game=game_id)) + b"\n")
    number = 0
    for line in keys_in(lines, see, game_id):
        out.write(line + b"\n")
        number += 1
    return number


def keys_in(lines: Iterable[bytes], see: Callable[[Record], bool] | None, game_id: str = "") -> Iterator[bytes]:
    """Yield the lines with a private record that `see` accepts.

    Raises:
        BrokenLedger: A line is not a record.
    """
    for position, line in enumerate(lines, 1):
        try:
            record = Record.decode(line)
        except UNREADABLE as error:
            raise BrokenLedger(game=game_id, position=position, reason=f"not a record: {error}") from error
        if record.visible_to is not None and not record.redacted and (see is None or see(record)):
            yield line


def unredact(log: Iterable[bytes], keys: Iterable[bytes], out: IO[bytes]) -> Opened:
    """Write a log again with each withheld record for which there is a key.

    Both inputs are lines with their line feeds.

    The output is valid only after this function has returned, because even the last line may have a fault.

    Raises:
        WrongKeys: A key is of another game, or does not match the withheld record at its position.
        BrokenLedger: The log is damaged or truncated.
    """
    lines = iter(log)
    game, check = replay_log.begun(lines)
    known, done, opened = _Keys(iter(keys), game), LogChecker(game), 0
    out.write(_encode(Header(umpire=replay_log.NAME, format=replay_log.FORMAT, game=game)) + b"\n")
    with replay_log.whole(check):
        for line in replay_log.record_lines(check, lines):
            check.add_line(line)
            key = known.at(check.size)
            shown = line if key is None else _fitting(key, line, check)
            try:
                done.add_line(shown)
            except BrokenLedger as error:
                raise WrongKeys(error.reason, game=game, position=check.size) from error
            opened += shown is not line
            out.write(shown + b"\n")
    known.pass_over_the_rest()
    said = Checkpoint(game=game, size=done.size, root=done.root())
    out.write(_encode(LogEnd(checkpoint=said.text(), size=said.size, root=said.hex)) + b"\n")
    left = done.withheld
    return Opened(checkpoint=said, opened=opened, private=left.all - left.public, public=left.public)


def _fitting(key: Record, line: bytes, check: LogChecker) -> bytes:
    """Return the key in place of a withheld line; return a line unchanged if it is not withheld.

    Raises:
        WrongKeys: The key belongs to another record.
    """
    if key.redact().encode() == line:
        return key.encode()
    if key.encode() != line:
        reason = "it is not the withheld record: its envelope or hashes differ"
        raise WrongKeys(reason, game=check.game, position=check.size)
    return line


class _Keys:
    """The records in a file of keys that have their event, one after the other."""

    def __init__(self, lines: Iterator[bytes], game_id: str) -> None:
        self._game = game_id
        self._verify_header(next(lines, b""))
        self._records = self._read(lines)
        self._next = next(self._records, None)

    def at(self, position: int) -> Record | None:
        """Return the key for a position; None if there is none. Callers ask in the order of positions."""
        if self._next is None or self._next.position != position:
            return None
        key, self._next = self._next, next(self._records, None)
        return key

    def pass_over_the_rest(self) -> None:
        """Read the keys for records after the end of the log. They are for a longer log and cannot be compared."""
        for _ in self._records:
            pass

    def _verify_header(self, line: bytes) -> None:
        try:
            header = msgspec.json.decode(line, type=Header)
        except UNREADABLE:
            header = Header(umpire="", format=0)
        if header.umpire not in NAMES:
            remedy = "give a file from `umpire export --keys`, another log of the game, or a proof"
            raise WrongKeys("the file has no keys", game=self._game, remedy=remedy)
        if header.format > FORMAT:
            raise WrongKeys(f"format {header.format} was written by a newer Umpire", remedy="update Umpire")
        if header.game != self._game:
            reason = f"the keys belong to another game, {header.game}"
            raise WrongKeys(reason, game=self._game, remedy=f"give the keys of {self._game}")
        if line != _encode(Header(umpire=header.umpire, format=FORMAT, game=header.game)) + b"\n":
            raise self._wrong("the header is not in the form that Umpire writes", 0)

    def _read(self, lines: Iterator[bytes]) -> Iterator[Record]:
        before = 0
        for line in lines:
            if line.startswith(NO_RECORD):
                continue
            record = self._record(line, before)
            before = record.position
            if not record.redacted:
                yield record

    def _record(self, line: bytes, before: int) -> Record:
        beyond = fault_of_json(line, RECORD_DEPTH, RECORD_DIGITS)
        if beyond or len(line) > MOST_LINE:
            raise self._wrong(f"a record exceeds a limit: {beyond or 'too long'}", before)
        if not line.endswith(b"\n"):
            raise self._wrong("the last line is cut off", before)
        try:
            record = Record.decode(line[:-1])
            line.decode()
        except UNREADABLE as error:
            raise self._wrong(f"a line is not a record: {error}", before) from error
        if record.encode() != line[:-1] or (record.salt is None) != record.redacted:
            raise self._wrong("a line is not in the form that Umpire writes", before)
        if record.position <= before:
            raise self._wrong(f"#{record.position} is out of order: it comes after #{before}", before)
        try:
            record.hashes()
        except ValueError as error:
            raise WrongKeys(f"its salt is malformed: {error}", game=self._game, position=record.position) from error
        return record

    def _wrong(self, reason: str, before: int) -> WrongKeys:
        """Return the error for the record after position `before`."""
        return WrongKeys(f"{reason}{f', after #{before}' if before else ''}", game=self._game)
