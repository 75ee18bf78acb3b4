"""Copies of the tree in which faults are planted, and the tests that reach a line, measured once in such a copy."""

import contextlib
import hashlib
import json
import os
import shutil
import signal
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from tests.mutants.children import SITE
from tests.mutants.declared import ROOT, part_of, relative
from tests.mutants.faults import Fault, runs_at_import
from tests.mutants.warm import Warm
from tests.mutants.watch import TOOK_TOO_LONG

LEFT_OUT = (".git", ".umpire*", ".venv", ".hypothesis", "__pycache__", ".*_cache", ".tests*")
NO_TESTS = 5
"""The exit code of pytest if it ran no tests."""
NEAR = 15
"""Lines before and after a fault."""
COMMON = 99
"""More than any number of tests has digits."""
FIRST = 30
"""Tests that are run before the others are even collected: most faults are caught by them."""
LONGEST = 3600
"""Seconds by the clock for the tests of one fault."""
PATIENCE = (1, 4)
"""Factors of a test's time: a test that fails without the fault too is tried with more time, then left out."""
PYTEST = ("-q", "-p", "no:cacheprovider", "-p", "tests.mutants.watch")


class Failed(NamedTuple):
    """The result of some tests. `test`: the one that failed, "" if all passed."""

    test: str = ""
    held_up: bool = False


class Tree:
    """A copy of the tree."""

    def __init__(self, folder: Path, tests: Sequence[str] = ("tests",)) -> None:
        """Copy the tree, and compile it as far as `tests` need it."""
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(ROOT, folder, symlinks=True, ignore=shutil.ignore_patterns(*LEFT_OUT))
        (folder / "sitecustomize.py").write_text(SITE)
        self.pytest(["--collect-only", *tests], {"PYTHONDONTWRITEBYTECODE": ""}, longest=None)  # compiled once for all

    def run(self, fault: Fault, tests: Mapping[str, float]) -> Failed:
        """Plant a fault, and say which of the tests fails with it, and passes without it right afterwards.

        A machine that is busy holds tests up too: a test that fails either way says nothing.
        """
        left = dict(tests)
        doubted: dict[str, int] = {}
        while left:
            with self._planted(fault):
                failed = self._first_of(left, doubted)
            if not failed.test:
                return failed
            if not self._failed({failed.test: left[failed.test]}, doubted).test:
                return failed
            doubted[failed.test] = doubted.get(failed.test, 0) + 1
            if doubted[failed.test] == len(PATIENCE):
                del left[failed.test]
        return Failed()

    @contextlib.contextmanager
    def _planted(self, fault: Fault) -> Iterator[None]:
        file = self.folder / fault.file
        source, stat = file.read_bytes(), file.stat()
        file.write_bytes(fault.planted(source))
        os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns + 10**12))  # so that what is compiled is not taken
        try:
            yield
        finally:
            file.write_bytes(source)
            os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))

    def _first_of(self, tests: Mapping[str, float], doubted: Mapping[str, int]) -> Failed:
        names = list(tests.items())
        failed = self._failed(dict(names[:FIRST]), doubted)
        return failed if failed.test or not names[FIRST:] else self._failed(dict(names[FIRST:]), doubted)

    def verify_sound(self, tests: Mapping[str, float]) -> None:
        """Check that the tests pass here without a fault; otherwise their failures would prove nothing.

        Raises:
            RuntimeError: a test fails without a fault.
        """
        some = dict(list(tests.items())[:FIRST])
        if failed := self._failed(some, {}).test:
            raise RuntimeError(f"with nothing planted this fails in {self.folder}: {failed}")

    def _failed(self, tests: Mapping[str, float], doubted: Mapping[str, int]) -> Failed:
        chosen, at = self.folder / ".tests.json", self.folder / ".test"
        limits = {test: round(10 + 5 * took) * PATIENCE[doubted.get(test, 0)] for test, took in tests.items()}
        chosen.write_text(json.dumps(limits))
        at.write_text(next(iter(tests)))  # where not one can be collected
        environment = {"MUTANTS_TESTS": str(chosen), "MUTANTS_AT": str(at), "PYTHONDONTWRITEBYTECODE": "1"}
        code = self.pytest(["-x", *files_of(tests)], environment)
        if code in (0, NO_TESTS):
            return Failed()
        return Failed(at.read_text(), code in (TOOK_TOO_LONG, -signal.SIGKILL))

    def pytest(self, words: Sequence[str], environment: Mapping[str, str], longest: float | None = LONGEST) -> int:
        """Run pytest here and return its exit code; the negative signal if it took longer than `longest` seconds."""
        return self.warm.run([*PYTEST, "--basetemp", str(self.folder / ".tests"), *words], environment, longest)

    @cached_property
    def warm(self) -> Warm:
        return Warm(self.folder)


class Reach:
    """The lines that each test reaches, and its time, stored in a folder.

    A second run measures only the changed test files, if no other file has changed.
    """

    def __init__(self, folder: Path, never: Iterable[str], only: Iterable[str] = ()) -> None:
        """Keep the measures in `folder`. `only`: the tests that are measured; all but `never` if it is empty."""
        self.folder = folder / "measures"
        self.never = tuple(never)
        self.only = sorted({name for pattern in only for name in map(relative, ROOT.glob(pattern))})
        self.tree = folder / "0"
        self.seconds: dict[str, float] = {}

    def measure(self, tree: Tree, jobs: int) -> None:
        now, kept = self._prints(), self.folder / "prints.json"
        before = json.loads(kept.read_text()) if kept.is_file() else {}
        changed = sorted(name for name in {*now, *before} if now.get(name) != before.get(name))
        if any(not Path(name).name.startswith("test_") for name in changed):
            shutil.rmtree(self.folder, ignore_errors=True)
            changed = [*(self.only or ["tests"]), *(f"--ignore={name}" for name in self.never)]
        if changed := [name for name in changed if name in now or not name.endswith(".py")]:
            self.folder.mkdir(parents=True, exist_ok=True)
            tree.pytest(["-n", str(jobs), *changed], {"MUTANTS_MEASURE": str(self.folder)}, longest=None)
        kept.write_text(json.dumps(now))
        for file in sorted(self.folder.glob("*.seconds.json"), key=lambda file: file.stat().st_mtime):
            self.seconds |= json.loads(file.read_text())

    def product(self) -> str:
        """Return one hash of everything that is tested and of the files that all tests share."""
        names = {name: of for name, of in self._prints().items() if not Path(name).name.startswith("test_")}
        return hashlib.sha256(json.dumps(names, sort_keys=True).encode()).hexdigest()[:12]

    def _prints(self) -> dict[str, str]:
        files = [
            file
            for part in ("cli", "desk", "domain", "ledger", "projections", "service", "tests", "umpire_ledger")
            for file in part_of(part)
        ]
        return {
            name: hashlib.sha256((ROOT / name).read_bytes()).hexdigest()
            for name in files
            if not name.startswith(("tests/mutants/", *self.never)) and self._is_measured(name)
        }

    def _is_measured(self, name: str) -> bool:
        is_test = Path(name).name.startswith("test_")
        return not (is_test and self.only) or _is_in(name, set(self.only))

    def tests_of(self, fault: Fault, about: Iterable[str], always: Iterable[str], most: float) -> dict[str, float]:
        """Return tests that reach a fault, for at most `most` seconds, with their times.

        First come tests that reach a line near it that few others reach, a refusal for instance; among them tests
        about the fault, and short ones. Then follow other tests while time is left: short ones about the fault.

        A line that runs at import, such as a declaration or a limit of a scenario, is reached by the first test to
        import it. For such a line, take the tests that reach the file and those about it, because an order that is
        refused early never reaches the file.
        """
        lines = self._lines(fault.file)
        names = {name for pattern in about for name in map(relative, ROOT.glob(pattern))}
        found = {test for line in range(fault.first, fault.last + 1) for test in lines.get(line, ())}
        if not found or runs_at_import((ROOT / fault.file).read_bytes(), fault.line):
            found = {test for tests in lines.values() for test in tests}
            found |= {test for test in self.seconds if _is_in(test, names)}
        rarest: dict[str, int] = {}
        for line in range(fault.first - NEAR, fault.last + NEAR + 1):
            for test in lines.get(line, ()):
                rarest[test] = min(rarest.get(test, COMMON), len(lines[line]).bit_length())
        chosen: dict[str, float] = {}
        rare = sorted(
            found, key=lambda test: (rarest.get(test, COMMON), not _is_in(test, names), self.seconds[test], test)
        )
        short = sorted(rare[FIRST:], key=lambda test: (not _is_in(test, names), self.seconds[test], test))
        for test in (*rare[:FIRST], *short):
            if sum(chosen.values()) + self.seconds[test] <= most or not chosen:
                chosen[test] = self.seconds[test]
        return chosen | {test: self.seconds[test] for test in always if test in self.seconds}

    @cache  # noqa: B019 # one of them lives as long as the run
    def _lines(self, file: str) -> dict[int, set[str]]:
        from coverage import CoverageData  # noqa: PLC0415 -- of an extra that the tests of this tool do without

        lines: dict[int, set[str]] = {}
        for measured in self.folder.glob("*.coverage"):
            data = CoverageData(basename=str(measured))
            data.read()
            for line, tests in data.contexts_by_lineno(str(self.tree / file)).items():
                lines.setdefault(line, set()).update(test for test in tests if test in self.seconds)
        return lines


def files_of(tests: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(test.partition("::")[0] for test in tests))


def _is_in(test: str, names: set[str]) -> bool:
    file = Path(test.partition("::")[0])
    return not names.isdisjoint(map(str, (file, *file.parents)))
