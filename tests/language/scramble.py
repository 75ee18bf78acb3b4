"""Count the tests that depend on wording: scramble each sentence of the product, and see which test functions fail.

    python -m pytest -n auto -p tests.language.scramble

A test that fails only because a sentence changed has to be edited whenever a sentence gets better; it should assert the
code and the fields of a refusal, or the event. Sentences are f-strings of three
and other strings of four or more words; names of markers, SQL and HTML stay as they are, and so do programs that a test
starts as a process of its own.
"""

import ast
import re
import sys
from collections.abc import Iterator
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType

import pytest

PRODUCT = "umpire_ledger"
UNTOUCHED = ("umpire_ledger.testing", "umpire_ledger.ledger.storage", "umpire_ledger.projections.tables")
"""Packages that are not scrambled; nearly all strings of the last two are SQL, often in pieces."""
NOT_PROSE = re.compile(
    r"\b(?:SELECT|INSERT|CREATE|UPDATE|DELETE|PRAGMA|WHERE|FROM|VALUES)\b|^distances|[<>\\]|\n|^https?:"
)
WORD = re.compile(r"(?<![\w`$\"'./{-])[a-z]{4,}(?![\w`\"'/}=-])")
LEAST_WORDS, LEAST_OF_F_STRING = 4, 3
"""Shorter strings are often names in the log: `fights 0902`, `flagship of kzinti`. The rules read them back."""


def scrambled(text: str) -> str:
    """Return a text with the letters of each longer word reversed, except in code, options and names."""
    return WORD.sub(lambda word: word[0][::-1], text)


class _Scrambler(ast.NodeTransformer):
    """Scramble the sentences of a module, except docstrings and strings in a `match` or a `Literal`."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        return node if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_Match(self, node: ast.Match) -> ast.AST:
        node.subject = self.visit(node.subject)
        for case in node.cases:
            case.body = [self.visit(statement) for statement in case.body]
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        words = "".join(_constants(node))
        if len(words.split()) >= LEAST_OF_F_STRING and not NOT_PROSE.search(words):
            for part in node.values:
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    part.value = scrambled(part.value)
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                part.value = self.visit(part.value)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, str) and len(node.value.split()) >= LEAST_WORDS and not NOT_PROSE.search(node.value):
            return ast.copy_location(ast.Constant(scrambled(node.value)), node)
        return node


def _constants(node: ast.JoinedStr) -> Iterator[str]:
    return (part.value for part in node.values if isinstance(part, ast.Constant) and isinstance(part.value, str))


class _Loader(SourceFileLoader):
    """Load a module of the product with its sentences scrambled, without a compiled file."""

    def get_code(self, fullname: str) -> CodeType:
        tree = ast.fix_missing_locations(_Scrambler().visit(ast.parse(self.get_data(self.path))))
        return compile(tree, self.path, "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        if not fullname.startswith(PRODUCT) or fullname.startswith(UNTOUCHED):
            return None
        spec = PathFinder.find_spec(fullname, path)  # type: ignore[arg-type]  # the protocol leaves its type open
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = _Loader(fullname, spec.loader.path)
        return spec


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Scramble all modules that are imported from now on, before `conftest.py` imports the product."""
    sys.meta_path.insert(0, _Finder())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many test functions failed, each counted once."""

    def functions(*outcomes: str) -> set[str]:
        reports = [one for outcome in outcomes for one in terminalreporter.stats.get(outcome, ())]
        return {re.sub(r"\[.*", "", one.nodeid) for one in reports}

    failed = functions("failed", "error")
    ran = failed | functions("passed")
    share = len(failed) / max(len(ran), 1)
    terminalreporter.write_line(f"{len(failed)} of {len(ran)} test functions pin wording ({share:.1%})")
