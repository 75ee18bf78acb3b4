"""Mark the thorough tests, which take long and are left out of a quick run.

    python -m pytest                    a quick run: all other tests
    python -m pytest --only-thorough    the rest: the thorough tests, and property tests with new examples
    python -m pytest --thorough         both
    python -m pytest tests/service      all tests of a named file or folder

`thorough.txt` lists them by name. A test is thorough because of the time it takes, not because of its subject.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

import pytest

LIST = Path(__file__).parent / "thorough.txt"
TWINS = (
    "tests/ledger/test_conformance.py",
    "tests/ledger/test_processes.py",
    "tests/ledger/test_postgres",
    "tests/projections/test_follow.py",
    "tests/projections/test_two_followers.py",
)
"""Files that use PostgreSQL even in a quick run: conformance, followers, locking."""
IN_ONE_PROCESS = "tests/test_every_title.py"
"""A file whose cases share a minute's work by title. Idle processes take cases from the end of another's list; those at
its beginning stay in one process, which does the work once.
"""


def add_options(parser: pytest.Parser) -> None:
    parser.addoption("--thorough", action="store_true", help="run the thorough tests too (tests/thorough.txt)")
    parser.addoption("--only-thorough", action="store_true", help="run only the tests that a quick run leaves out")


def listed() -> Mapping[str, str]:
    """Return the listed tests and folders, each with the word in the names of cases that always run."""
    lines = (line.partition(" except ") for line in LIST.read_text("utf-8").splitlines() if not line.startswith("#"))
    return {name: word for name, _, word in lines}


def is_thorough(nodeid: str, store: object = "", names: Mapping[str, str] | None = None) -> bool:
    """Return whether a quick run leaves a test out."""
    names = listed() if names is None else names
    function, _, case = nodeid.partition("[")
    if function in names:
        return not (names[function] and names[function] in case)
    file = function.partition("::")[0]
    folders = (f"{folder}/" for folder in PurePosixPath(file).parents)
    if file in names or any(folder in names for folder in folders):
        return True
    return store == "postgresql" and not function.startswith(TWINS)


def draw_new_examples(config: pytest.Config) -> None:
    """Let property tests draw random examples in a thorough run; a failure prints the seed that repeats it."""
    if config.getoption("--thorough") or config.getoption("--only-thorough"):
        os.environ.setdefault("UMPIRE_EXAMPLES", "1")


def choose(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the thorough tests and deselect those that this run leaves out."""
    names = listed()
    for item in items:
        if is_thorough(item.nodeid, _store_of(item), names):
            item.add_marker("thorough")
    if config.getoption("--only-thorough"):
        _leave_out(config, items, (item for item in items if not (_is_marked(item) or _is_property(item))))
        items.sort(key=lambda item: not item.nodeid.startswith(IN_ONE_PROCESS))
    elif not config.getoption("--thorough") and names_nothing(config):
        _leave_out(config, items, (item for item in items if _is_marked(item)))


def names_nothing(config: pytest.Config) -> bool:
    """Return whether the command line names no test, word or mark."""
    chosen = config.option.keyword or config.option.markexpr or getattr(config.option, "lf", False)
    return not chosen and config.args in (["tests"], config.getini("testpaths"))


def _leave_out(config: pytest.Config, items: list[pytest.Item], unwanted: Iterable[pytest.Item]) -> None:
    out = set(unwanted)
    config.hook.pytest_deselected(items=list(out))
    items[:] = [item for item in items if item not in out]


def _is_marked(item: pytest.Item) -> bool:
    return item.get_closest_marker("thorough") is not None


def _is_property(item: pytest.Item) -> bool:
    return getattr(getattr(item, "obj", None), "is_hypothesis_test", False)


def _store_of(item: pytest.Item) -> object:
    return (
        item.callspec.params.get("store", "") if isinstance(item, pytest.Function) and hasattr(item, "callspec") else ""
    )
