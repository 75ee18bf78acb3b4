"""Check which tests a quick run leaves out."""

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.thorough import LIST, is_thorough, listed

ROOT = Path(__file__).parent.parent
pytest_plugins = ("pytester",)


@cache
def functions_of(file: str) -> frozenset[str]:
    found: set[str] = set()
    for node in ast.parse((ROOT / file).read_text("utf-8")).body:
        inner = node.body if isinstance(node, ast.ClassDef) else ()
        found |= {f"{node.name}::{one.name}" for one in inner if isinstance(one, ast.FunctionDef)}
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        if isinstance(node, ast.Assign):
            found |= {one.id for one in node.targets if isinstance(one, ast.Name)}
    return frozenset(found)


def is_there(name: str) -> bool:
    file, _, function = name.partition("::")
    if name.endswith("/"):
        return (ROOT / file).is_dir()
    return (ROOT / file).is_file() and (not function or function in functions_of(file))


def test_listed_tests_exist() -> None:
    assert [name for name in listed() if not is_there(name)] == [], f"take them out of {LIST.name}"


@pytest.mark.parametrize(
    ("nodeid", "store", "left_out"),
    [
        ("tests/a.py::long", "", True),
        ("tests/a.py::longer", "", False),
        ("tests/a.py::titles[x-freeform-1]", "", False),
        ("tests/a.py::titles[x-chess-1]", "", True),
        ("tests/browser/test_a.py::any", "", True),
        ("tests/file.py::any", "", True),
        ("tests/a.py::short[postgresql]", "postgresql", True),
        ("tests/a.py::short[sqlite]", "sqlite", False),
        ("tests/ledger/test_conformance.py::any[postgresql]", "postgresql", False),
    ],
)
def test_quick_run_leaves_out_thorough_tests(nodeid: str, store: str, left_out: bool) -> None:
    names = {"tests/a.py::long": "", "tests/a.py::titles": "freeform", "tests/browser/": "", "tests/file.py": ""}
    assert is_thorough(nodeid, store, names) is left_out


CONFTEST = """
from tests.thorough import add_options, choose

def pytest_addoption(parser):
    add_options(parser)

def pytest_collection_modifyitems(config, items):
    choose(config, items)
"""


@pytest.mark.parametrize(
    ("words", "passed"),
    [((), 1), (("--thorough",), 2), (("--only-thorough",), 1), (("tests/test_hash_seeds.py",), 1)],
)
def test_run_has_the_tests_asked_for(pytester: pytest.Pytester, words: tuple[str, ...], passed: int) -> None:
    name = next(one.partition("::")[2] for one in listed() if one.startswith("tests/test_hash_seeds.py"))
    pytester.makeini("[pytest]\ntestpaths = tests\nmarkers = thorough\n")
    pytester.makeconftest(CONFTEST)
    folder = pytester.mkdir("tests")
    (folder / "test_hash_seeds.py").write_text(f"def {name}(): pass\n")
    (folder / "test_other.py").write_text("def test_other(): pass\n")
    pytester.syspathinsert(ROOT)
    done = pytester.runpytest_inprocess("-p", "no:cacheprovider", *words)
    assert done.parseoutcomes()["passed"] == passed
