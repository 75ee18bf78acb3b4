"""Find numbers that are written next to a plural noun: `counted(n, "record")` writes "1 record" and "2 records"."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.at_least_one import at_least_one

ROOT = Path(__file__).parents[2]
ROOMS = ("cli", "desk", "domain", "ledger", "projections", "service", "umpire_ledger")
NOUNS = frozenset(
    ("orders", "records", "rolls", "units", "games", "events", "findings", "files", "rows", "faults", "ships", "hits")
)
ELSEWHERE = ("domain/titles/", "ledger/records/errors.py", "service/order_files.py")
"""Files with other checks: of catalogues, of the ledger's own `record_count`, of a limit that is above one."""


def _plurals(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            for value, after in zip(node.values, node.values[1:], strict=False):
                if isinstance(value, ast.FormattedValue) and isinstance(after, ast.Constant):
                    word = str(after.value).removeprefix(" more").lstrip(" ").split(" ")[0].rstrip(".,;:")
                    if str(after.value).startswith(" ") and word in NOUNS and not _is_constant(value.value):
                        yield f"{file.relative_to(ROOT)}:{node.lineno}: {{{ast.unparse(value.value)}}} {word}"


def _is_constant(value: ast.expr) -> bool:
    """Return whether a value is a limit of the program, in capitals."""
    return isinstance(value, ast.Name | ast.Attribute) and ast.unparse(value).rpartition(".")[2].isupper()


def test_number_and_plural_noun_are_written_by_counted() -> None:
    files = at_least_one([file for room in ROOMS for file in sorted((ROOT / room).rglob("*.py"))])
    found = [plural for file in files for plural in _plurals(file)]
    assert [plural for plural in found if not plural.startswith(ELSEWHERE)] == []
