"""Run pytest again and again in forks of one warm process, which has imported all that no fault can be planted in.

A new interpreter takes longer to import than most faults need to be caught. Nothing of the product and of the tests is
imported before a fork, because a fault may be in it. Each line that is read asks for one run, as JSON of its words and
its environment. Two lines answer: the number of the process, so that the reader may end it, and then its exit code.
"""

import json
import os
import pkgutil
import select
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

WANTED = (
    "asyncio",
    "click",
    "eventsourcing.persistence",
    "eventsourcing.application",
    "hypothesis",
    "immutables",
    "jinja2",
    "jsonschema",
    "litestar",
    "litestar.openapi",
    "litestar.testing",
    "msgspec",
    "pytest",
    "sqlite3",
    "uvicorn",
)
"""Packages that the product and the tests import, if they are installed."""


class Warm:
    """A warm process that works in a copy of the tree."""

    def __init__(self, folder: Path) -> None:
        there = os.pathsep.join([str(folder), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
        self._process = subprocess.Popen(
            ["nice", "-n", "10", sys.executable, "-m", "tests.mutants.warm"],
            bufsize=0,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": there},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def run(self, words: Sequence[str], environment: Mapping[str, str], longest: float | None) -> int:
        """Run pytest and return its exit code; the negative signal if it took longer than `longest` seconds."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"words": words, "environment": dict(environment)}).encode() + b"\n")
        child = self._answer(None)
        try:
            return self._answer(longest)
        except TimeoutError:
            os.killpg(child, signal.SIGKILL)
            return self._answer(None)

    def _answer(self, longest: float | None) -> int:
        """Return the next number.

        Raises:
            TimeoutError: none came for `longest` seconds.
        """
        assert self._process.stdout is not None
        if not select.select([self._process.stdout], [], [], longest)[0]:
            raise TimeoutError
        return int(self._process.stdout.readline())


def import_wanted() -> None:
    """Import what every run would import again."""
    for name in WANTED:
        with suppress(ImportError):
            import_module(name)
    for plugin in entry_points(group="pytest11"):
        with suppress(ImportError):
            plugin.load()
    import_module("_pytest._code.code")
    import_module("_pytest.assertion.rewrite")
    for module in pkgutil.iter_modules(import_module("_pytest").__path__, "_pytest."):
        with suppress(ImportError):
            import_module(module.name)


def run(words: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run pytest in this process, a fork."""
    os.environ.update(environment)
    sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    import pytest  # noqa: PLC0415 # imported long before

    return int(pytest.main(list(words)))


def forked(words: Sequence[str], environment: Mapping[str, str]) -> int:
    """Return the number of a new process that runs pytest, with a process group of its own."""
    child = os.fork()
    if child:
        with suppress(OSError):  # it may have done so itself
            os.setpgid(child, child)
        return child
    code = 1
    try:
        os.setpgid(0, 0)
        code = run(words, environment)
    finally:
        os._exit(code)


def ended(child: int) -> int:
    """Wait for a run, end its processes, and return its exit code; the negative signal that ended it."""
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main() -> None:
    import_wanted()
    for line in sys.stdin:
        asked = json.loads(line)
        child = forked(asked["words"], asked["environment"])
        print(child, flush=True)
        print(ended(child), flush=True)


if __name__ == "__main__":
    main()
