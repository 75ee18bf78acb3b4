"""Check that each module named in backticks in a docstring or comment exists, so that a moved module is renamed there.

A name may be short: `queries.evaluate`, `flow.queries`, `queries.py` and `domain/flow/queries.py` all name that module.
"""

import ast
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import umpire_ledger
from tests.at_least_one import at_least_one
from tests.import_graph import ROOT, modules
from umpire_ledger.kit import AnyEvent

OWN = ROOT / "umpire_ledger"
SOURCES = [*modules().values(), *sorted(OWN.glob("*.py")), *sorted((OWN / "testing").rglob("*.py"))]
NO_MODULE = {
    *("str.translate", "msgspec.inspect", "sqlite3.Error", "desk.invitations", "dice.expects", "epoch.seed"),
    *("game.searched", "units.attributes", "board.tiles", "moves.unit", "numbers.NAME", "umpire.titles"),
    *("game.dtd", "promises.toml", "pyproject.toml", "umpire.toml", "umpire.db", "umpire.archive", "umpire.views.db"),
    *("umpire.views.datasette.yaml", "umpire.views.db.hurt1", "page.html"),
}
"""Dotted names in backticks that are attributes, columns, keys or files instead of modules."""


def quoted(source: str) -> Iterator[str]:
    """Yield the words in backticks in the docstrings and comments of a module, without the parentheses of calls."""
    found = (node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Expr))
    texts = [node.value for node in found if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    lines = iter(source.splitlines(keepends=True))
    tokens = tokenize.generate_tokens(lambda: next(lines, ""))
    texts += [token.string for token in tokens if token.type == tokenize.COMMENT]
    for text in texts:
        yield from re.findall(r"`([\w./-]+)(?:\(\))?`", text)


@cache
def ends_of_modules() -> dict[str, list[Path]]:
    """Return the files of modules by each possible end of their dotted names."""
    found: dict[str, list[Path]] = {}
    for file in SOURCES:
        parts = file.relative_to(ROOT).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        parts = parts if parts[0] == "umpire_ledger" else ("umpire_ledger", *parts)
        for start in range(len(parts)):
            found.setdefault(".".join(parts[start:]), []).append(file)
    return found


@cache
def defined(file: Path) -> set[str]:
    """Return the names that a module assigns, defines or imports."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    names |= {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    imports = (node for node in tree.body if isinstance(node, ast.ImportFrom))
    return names | {alias.asname or alias.name for node in imports for alias in node.names}


@cache
def tags() -> set[str]:
    """Return the names of events in a log, because many of them look like modules: `side.leaves`."""
    return {str(event.__struct_config__.tag) for event in get_args(AnyEvent)}


@cache
def files() -> str:
    folders = ("cli", "desk", "docs", "domain", "ledger", "projections", "service", "tests", "umpire_ledger")
    return "\n".join(f"/{file.relative_to(ROOT).as_posix()}" for one in folders for file in (ROOT / one).rglob("*.py"))


def is_of_the_facade(word: str) -> bool:
    """Return whether a word is an attribute of the package, a game or a seat, such as `seat.chart`."""
    owner, _, name = word.partition(".")
    owners = {"umpire": umpire_ledger, "game": umpire_ledger.PlayedGame, "seat": umpire_ledger.Seat}
    return owner in owners and hasattr(owners[owner], name)


def exists(word: str) -> bool:
    """Return whether a quoted word is not a module, or is an existing module, perhaps with a name in it."""
    if word.endswith(".py"):
        return f"/{word}\n" in f"{files()}\n"
    is_dotted = "." in word and all(part.isidentifier() for part in word.split("."))
    if not is_dotted or not word[0].islower() or word in NO_MODULE | tags() or is_of_the_facade(word):
        return True
    ends, (module, _, name) = ends_of_modules(), word.rpartition(".")
    return word in ends or any(name in defined(file) for file in ends.get(module, ()))


def test_quoted_modules_exist() -> None:
    missing = [
        f"{file.relative_to(ROOT)}: {word}"
        for file in at_least_one(SOURCES)
        for word in quoted(file.read_text(encoding="utf-8"))
        if not exists(word)
    ]
    assert not missing


def test_missing_modules_are_found() -> None:
    text = '"""See `asking.ask` and `queries.evaluate()`."""\n# `domain/flow/asking.py`, `queries.py`, `side.leaves`\n'
    assert [word for word in quoted(text) if not exists(word)] == ["asking.ask", "domain/flow/asking.py"]
