"""Share the parts of every attack: seed, count, commands run in this process or a child, and one line of figures."""

import argparse
import contextlib
import os
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

from tests.face.cli import umpire

SHOWN = 30
"""Kinds of fault that are written out, each with its first case."""
LONGEST = 1500
"""Characters of a fault that are written out."""


MASKS = (
    (re.compile(rb"[0-9a-f]{16,}"), b"HASH"),
    (re.compile(rb"[A-Za-z0-9+/]{43}="), b"ROOT"),
    (re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?"), b"TIME"),
    (re.compile(rb"[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}"), b"TIME"),
    (re.compile(rb"^(From \S+) .*$", re.MULTILINE), rb"\1 TIME"),
    (re.compile(rb"\d+ MiB are free"), b"ROOM"),
    (re.compile(rb"\b\d{8}\b"), b"SECONDS"),  # since the hour that every world is dated
)
"""Random values and times in an output, with their masks."""


class Answer(NamedTuple):
    """The answer of a command. `crash`: an unexpected error and its place in the program; "" for none."""

    code: int
    out: str
    err: str
    crash: str = ""


class Findings:
    """Results of an attack: a count for each outcome, and a description of each fault by kind."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []
        self.kinds: dict[str, list[str]] = {}

    def fault(self, what: str, kind: str = "") -> None:
        self.faults.append(what)
        self.kinds.setdefault(kind or what, []).append(what)


Attack = Callable[..., None]
"""Takes a count, a seed and the findings; more options by their names."""


def main(
    name: str, what: str, attack: Attack, *, count: int, doc: str | None, more: Mapping[str, str] | None = None
) -> int:
    """Run the command line of an attack and return its exit code.

    Args:
        name: Name of the attack's module.
        what: The counted things, for the line of figures.
        more: Options of this attack alone, each with its help.
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m tests.attacks.{name}", description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=count, help=f"how many {what}")
    parser.add_argument("--seed", type=int, default=1)
    for option, help_text in (more or {}).items():
        parser.add_argument(f"--{option}", default="", help=help_text)
    asked = parser.parse_args()
    began = time.monotonic()
    found = Findings()
    attack(asked.count, asked.seed, found, **{option: getattr(asked, option) for option in more or {}})
    for kind, faults in list(found.kinds.items())[:SHOWN]:
        print(f"{len(faults)} x {kind[:LONGEST]}", file=sys.stderr)
        if faults[0] != kind:
            print(f"    first: {faults[0][:LONGEST]}", file=sys.stderr)
    counts = " · ".join(f"{of} {number}" for of, number in sorted(found.counts.items()))
    took = time.monotonic() - began
    print(f"{name}: {asked.count} {what}, seed {asked.seed}: {len(found.faults)} faults ({counts}) in {took:.0f} s")
    return 1 if found.faults else 0


def run(words: Sequence[str], folder: Path, stdin: str | None = None) -> Answer:
    """Run `umpire …` in this process, in a folder."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        typed = None if stdin is None else stdin.encode("utf-8", "surrogateescape")
        own = {"XDG_CONFIG_HOME": str(folder / "config")}  # keeps an attack away from the user's own keys
        result = CliRunner(env=own).invoke(umpire, list(words), input=typed)
    finally:
        os.chdir(before)
    crash = ""
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        crash = crash_of(result.exception)
    return Answer(result.exit_code, result.stdout, result.stderr, crash)


def masked(raw: bytes) -> bytes:
    """Return an output without random values and times."""
    for pattern, mask in MASKS:
        raw = pattern.sub(mask, raw)
    return raw


def crash_of(error: BaseException) -> str:
    """Return one line: the kind of error and the last three places of the program in its traceback."""
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if "umpire_ledger" in frame.filename]
    through = " ← ".join(
        f"{frame.filename.partition('umpire_ledger/')[2]}:{frame.name}" for frame in reversed(own[-3:])
    )
    return f"{type(error).__name__} in {through}: {str(error)[:200]}"


def start(words: Sequence[str], folder: Path, said: Path, before: Callable[[], None] | None = None) -> int:
    """Start `umpire …` in a child of this process, in a folder, and return its process id; `said` takes its output.

    A fork saves the fifth of a second that a new program needs to start: the attack hits the work, not the start.
    """
    said.write_bytes(b"")
    said.with_suffix(".err").write_bytes(b"")
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child:
        return child
    code = 99
    try:
        os.chdir(folder)
        with said.open("wb", buffering=0) as out, said.with_suffix(".err").open("wb", buffering=0) as err:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
        if before is not None:
            before()
        umpire.main(list(words))
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def finished(child: int) -> int:
    """Wait for a child; its exit code, negative for the signal that ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def in_child(words: Sequence[str], folder: Path, said: Path, before: Callable[[], None] | None = None) -> Answer:
    """Run `umpire …` in a child until it ends."""
    code = finished(start(words, folder, said, before))
    err = said.with_suffix(".err").read_text(encoding="utf-8", errors="replace")
    crash = err if code == 99 or "Traceback" in err else ""
    return Answer(code, said.read_text(encoding="utf-8", errors="replace"), err, crash)


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """Yield a folder for one attack. UMPIRE_ATTACKS names its parent folder, for instance on another disk."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("UMPIRE_ATTACKS")) as name:
        yield Path(name)
