"""Measure which tests reach which line, or run chosen tests in a chosen order, as a pytest plugin.

The environment selects the work: MUTANTS_MEASURE names the folder that the measures go into (each process writes
files of its own), MUTANTS_TESTS a file with the tests and the seconds that each may work. MUTANTS_AT names the file
into which each test writes its name before it begins: with `-x` the name that stays is the test that failed. A process
that a test starts, such as a service, reads there for which test it works.
"""

import json
import os
import resource
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.mutants.children import coverage_in

MEMORY = 4 * 2**30
"""Bytes that a fault may make a test take."""
TOOK_TOO_LONG = 124
"""The exit code of a run that a test held up."""
WAITING = 10
"""Times as long as it may work, a test may take by the clock: it may wait for other processes, on a busy machine."""


def pytest_configure(config: pytest.Config) -> None:
    if folder := os.environ.get("MUTANTS_MEASURE"):
        config.pluginmanager.register(Measure(Path(folder)))
    if chosen := os.environ.get("MUTANTS_TESTS"):
        tests = json.loads(Path(chosen).read_text(encoding="utf-8"))
        config.pluginmanager.register(Chosen(tests, Path(os.environ["MUTANTS_AT"])))


class Measure:
    """A plugin that notes the lines that each passed test reaches, and its processor time, not its clock time."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / f"{os.getpid()}.seconds.json"
        self.at = folder / f"{os.getpid()}.at"
        os.environ["MUTANTS_AT"] = str(self.at)
        self.coverage = coverage_in(folder)
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()

    def pytest_sessionstart(self) -> None:
        self.coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[Any]:
        self.coverage.switch_context(item.nodeid)
        self.at.write_text(item.nodeid, encoding="utf-8")
        began = _worked()
        found = yield
        self.seconds[item.nodeid] = _worked() - began
        self.coverage.switch_context("")
        return found

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self.coverage.stop()
        if not self.seconds:
            return  # it only handed the tests out
        self.coverage.save()
        passed = {test: took for test, took in self.seconds.items() if test not in self.failed}
        self.file.write_text(json.dumps(passed), encoding="utf-8")


def _worked() -> float:
    """Return the processor seconds of this process and of its ended children."""
    here = os.times()
    return here.user + here.system + here.children_user + here.children_system


class Chosen:
    """A plugin that runs only these tests; one that takes far too long ends the run."""

    def __init__(self, tests: dict[str, int], at: Path) -> None:
        self.tests = tests
        self.at = at
        self.place = {test: place for place, test in enumerate(tests)}
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        for limit in (signal.SIGPROF, signal.SIGALRM):
            signal.signal(limit, lambda *_: os._exit(TOOK_TOO_LONG))

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self.tests), key=lambda item: self.place[item.nodeid]
        )

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[Any]:
        self.at.write_text(item.nodeid, encoding="utf-8")
        seconds = self.tests[item.nodeid]
        signal.setitimer(signal.ITIMER_PROF, seconds)  # its own work: others may use the machine too
        signal.setitimer(signal.ITIMER_REAL, WAITING * seconds)
        found = yield
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        return found

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Iterator[None]:
        """Exit without a summary, because the results are already known."""
        yield
        os._exit(int(session.exitstatus))
