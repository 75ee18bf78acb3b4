"""Let a command finish if its output cannot be written, so that its exit code shows what it did.

A closed pipe (`umpire import logs | head -1`) must not stop an import halfway. A full disk must not cause a traceback
after an order was recorded. So standard output accepts everything, and stores the first error of the system.
"""

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Buffer


class LastingOutput(io.RawIOBase):
    """A file descriptor that accepts everything. After its first error, it discards all output."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.error: OSError | None = None

    def write(self, part: "Buffer") -> int:
        size = len(memoryview(part))
        if self.error is None:
            try:
                return os.write(self.number, part)
            except OSError as error:
                self.error = error
        return size

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.number

    def isatty(self) -> bool:
        return self.error is None and os.isatty(self.number)


@contextmanager
def lasting_output() -> Iterator[LastingOutput]:
    """Replace standard output and standard error by lasting streams, and yield the new standard output.

    A stream that a test has replaced stays as it is.
    """
    out, err = LastingOutput(1), LastingOutput(2)
    before = sys.stdout, sys.stderr
    sys.stdout = _through(out) if sys.stdout is sys.__stdout__ else sys.stdout
    sys.stderr = _through(err) if sys.stderr is sys.__stderr__ else sys.stderr
    try:
        yield out
    finally:
        sys.stdout, sys.stderr = before


def _through(raw: LastingOutput) -> io.TextIOWrapper:
    """Return a text stream like Python's own, line-buffered on a terminal."""
    own = sys.__stdout__ if raw.number == 1 else sys.__stderr__
    encoding, errors = (own.encoding, own.errors) if own is not None else ("utf-8", "backslashreplace")
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding=encoding, errors=errors, line_buffering=raw.isatty())


def reader_is_gone() -> bool:
    """Return whether the reader of standard output has closed its end, so that an endless command can stop."""
    error = _kept_error()
    return error is not None and error.errno == errno.EPIPE


def verify_written() -> None:
    """Check that everything so far was written to standard output, for a command whose output is its work.

    Raises:
        OSError: When anything could not be written.
    """
    sys.stdout.flush()
    if error := _kept_error():
        raise error


def _kept_error() -> OSError | None:
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return raw.error if isinstance(raw, LastingOutput) else None
