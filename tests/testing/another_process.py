"""Decide scripts again in another process, without waiting for its imports each time.

A process with another hash seed and time zone imports Umpire once, and copies itself for each request. Like a new
process, a copy has not imported the package of any title.
"""

import os
import subprocess
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO, NoReturn

import msgspec

from umpire_ledger.testing.promises.determinism import environment
from umpire_ledger.testing.subprocess_replay import answer

OURS = "umpire_ledger.testing.subprocess_replay:answer"


class Request(msgspec.Struct, frozen=True):
    """A request to a copy of the process. `path`: its search path for modules."""

    path: list[str]
    given: bytes


class Answer(msgspec.Struct, frozen=True):
    """The result of a copy: its exit code, its answer, and its traceback."""

    code: int
    text: bytes


class Copying:
    """A running process that copies itself for each request."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process

    def decide(self, given: bytes, environment: Mapping[str, str]) -> subprocess.CompletedProcess[bytes]:
        """Decide a request in a copy, and return the same as `determinism.another_process`."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        request = Request(environment["PYTHONPATH"].split(os.pathsep), given)
        self.process.stdin.write(msgspec.json.encode(request) + b"\n")
        self.process.stdin.flush()
        found = msgspec.json.decode(self.process.stdout.readline(), type=Answer)
        return subprocess.CompletedProcess([], found.code, found.text, found.text)


@contextmanager
def copying() -> Iterator[Copying]:
    """Yield a running process that copies itself for each request."""
    command = [sys.executable, "-m", "tests.testing.another_process"]
    with subprocess.Popen(command, env=environment(OURS), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield Copying(process)
        process.terminate()


def _copies(stream: IO[bytes]) -> Iterator[Answer]:
    for line in stream:
        request = msgspec.json.decode(line, type=Request)
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            _answer(request, writer)
        os.close(writer)
        with open(reader, "rb") as pipe:
            text = pipe.read()
        yield Answer(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), text)


def _answer(request: Request, writer: int) -> NoReturn:
    """Write the answer of this copy, or its traceback, and end the process."""
    code = 1
    try:
        sys.path[:0] = request.path
        text = answer(request.given)
        code = 0
    except BaseException:  # whatever it is, the other process shows it
        text = traceback.format_exc().encode()
    with open(writer, "wb") as pipe:
        pipe.write(text)
    os._exit(code)


if __name__ == "__main__":
    for one in _copies(sys.stdin.buffer):
        sys.stdout.buffer.write(msgspec.json.encode(one) + b"\n")
        sys.stdout.buffer.flush()
