"""The arrows of the house: cli → projections → ledger, cli and projections → domain; ledger and domain never meet."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("ledger", "domain", "projections", "cli")
MAY_IMPORT = {
    "ledger": set(),
    "domain": set(),
    "projections": {"ledger", "domain"},
    "cli": {"ledger", "domain", "projections"},
}
FOREIGN = {
    "eventsourcing": {"ledger", "projections"},
    "sqlite_utils": {"projections"},
    "click": {"cli"},
    "rich": {"cli"},
}
PURE = {"msgspec", "immutables"}
IMPURE = {"os", "io", "time", "datetime", "random", "secrets", "pathlib", "socket", "sqlite3", "subprocess", "tempfile"}
IMPURE_CALLS = {"open", "input", "print"}


def files(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imports(file: Path) -> Iterator[str]:
    """The top-level names a file imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_only_along_the_arrows(package: str) -> None:
    for file in files(package):
        crossing = set(imports(file)) & (set(PACKAGES) - {package})
        assert crossing <= MAY_IMPORT[package], f"{file.relative_to(ROOT)} imports {crossing - MAY_IMPORT[package]}"


@pytest.mark.parametrize(("library", "homes"), FOREIGN.items())
def test_a_library_is_imported_only_where_it_belongs(library: str, homes: set[str]) -> None:
    for package in set(PACKAGES) - homes:
        for file in files(package):
            assert library not in set(imports(file)), f"{file.relative_to(ROOT)} imports {library}"


def test_domain_is_pure() -> None:
    for file in files("domain"):
        names = set(imports(file)) - {"domain"}
        assert names <= PURE | set(sys.stdlib_module_names), f"{file.relative_to(ROOT)} imports {names}"
        assert not names & IMPURE, f"{file.relative_to(ROOT)} imports {names & IMPURE}"
        calls = {
            node.func.id
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not calls & IMPURE_CALLS, f"{file.relative_to(ROOT)} calls {calls & IMPURE_CALLS}"


def test_the_command_line_holds_no_sql() -> None:
    words = ("SELECT ", "INSERT ", "UPDATE ", "DELETE ", "PRAGMA ")
    for file in files("cli"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not any(word in node.value for word in words), f"{file.relative_to(ROOT)}: {node.value!r}"


def test_titles_share_functions_never_each_other() -> None:
    titles = ROOT / "domain" / "titles"
    folders = [folder for folder in titles.iterdir() if folder.is_dir() and folder.name != "__pycache__"]
    for folder in folders:
        others = {f"domain.titles.{other.name}" for other in folders if other != folder}
        for file in folder.rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            assert not any(other in text for other in others), f"{file.relative_to(ROOT)} imports another title"
