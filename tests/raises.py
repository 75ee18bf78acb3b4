"""Find the refusals of `domain/` that no directed test reaches; random play proves nothing about a rule.

A full run of the tests fails if a `raise` is unreached and not listed in `unreached_raises.txt`, or if a listed one is
reached. So the list can only shrink. The same applies to every `scenario_fault` and to every call of a `_faults_of…`
function: a check for two tables must have found a fault in each. To print the list:

    python -m tests.raises
"""

import ast
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.face.domain import DomainError, scenario
from umpire_ledger import kit

assert kit.scenario_fault is scenario.scenario_fault  # titles import it from there

ROOT = Path(__file__).parent.parent
LIST = Path(__file__).parent / "unreached_raises.txt"
AT_RANDOM = ("test_every_title", "test_sequence_random", "tests/attacks", "tests/testing", "test_federation_thousand")
"""Parts of the paths of tests that give random orders."""
DEEPEST = 6
"""The most stack frames between the creation of an error and its `raise` statement: the catalogue and helpers."""


class Raise(NamedTuple):
    """A `raise` statement. `name`: its file, function and number in the function, so that lines may move."""

    name: str
    file: str
    first: int
    last: int


def every_raise() -> Iterator[Raise]:
    """Yield the `raise` statements of `domain/` that create an error, without those that raise an existing error."""
    for file in sorted((ROOT / "domain").rglob("*.py")):
        relative = file.relative_to(ROOT).as_posix()
        module = ast.parse(file.read_text(encoding="utf-8"))
        for function, statements in _by_function(module):
            for number, one in enumerate(statements, 1):
                yield Raise(f"{relative} {function} {number}", relative, one.lineno, one.end_lineno or one.lineno)
        for name, call in _checks_asked_for(module) if file.name.startswith("scenario") else ():
            yield Raise(f"{relative} {name}", relative, call.lineno, call.end_lineno or call.lineno)


def _checks_asked_for(module: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """Yield every statement that creates or collects faults of a scenario, named by caller, callee and number."""
    for function in (node for node in ast.walk(module) if isinstance(node, ast.FunctionDef)):
        calls = [node for node in ast.walk(function) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
        asked = sorted((one for one in calls if _is_fault(one)), key=lambda one: one.lineno)
        for number, call in enumerate(asked, 1):
            yield f"{function.name} asks {_name(call)} {number}", call


def _is_fault(call: ast.Call) -> bool:
    return _name(call).startswith("_faults_of") or _name(call) == "scenario_fault"


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _by_function(module: ast.Module) -> Iterator[tuple[str, list[ast.Raise]]]:
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef):
            found = [one for one in ast.walk(node) if isinstance(one, ast.Raise) and isinstance(one.exc, ast.Call)]
            inner = {id(one) for other in ast.walk(node) if _is_inner(other, node) for one in ast.walk(other)}
            own = [one for one in found if id(one) not in inner and not _is_not_ours(one)]
            if own:
                yield node.name, sorted(own, key=lambda one: one.lineno)


def _is_inner(node: ast.AST, outer: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and node is not outer


def _is_not_ours(statement: ast.Raise) -> bool:
    """Return whether a statement raises a programming error, which no order can cause."""
    made = statement.exc.func if isinstance(statement.exc, ast.Call) else None
    return isinstance(made, ast.Name) and made.id in ("AssertionError", "TypeError", "ValueError", "KeyError")


class Watch:
    """Notes the places in `domain/` that create errors while directed tests run, and the rules that they cite."""

    def __init__(self) -> None:
        self.directed = False
        self.seen: set[tuple[str, int]] = set()
        self.cited: set[str] = set()
        self._make = DomainError.__init__

    def begin(self) -> None:
        make, watch = self._make, self

        def noted(error: DomainError, *words: Any, **parts: Any) -> None:
            if watch.directed:
                watch.cited.add(str(parts.get("rule", "")))
                watch.note()
            make(error, *words, **parts)

        DomainError.__init__ = noted  # type: ignore[method-assign] # put back by nobody: the tests end with it
        self._watch_faults()

    def _watch_faults(self) -> None:
        """Note each call that creates a scenario fault, in every module, because such faults are not raised."""
        make, watch = scenario.scenario_fault, self

        def noted(*parts: str, **more: str) -> scenario.ScenarioFault:
            if watch.directed:
                watch.note()
            return make(*parts, **more)

        for module in list(sys.modules.values()):
            if getattr(module, "scenario_fault", None) is make:
                module.scenario_fault = noted  # type: ignore[attr-defined]

    def note(self) -> None:
        frame: Any = sys._getframe(2)
        for _ in range(DEEPEST):
            if frame is None:
                break
            self._note_line(frame.f_code.co_filename, frame.f_lineno)
            frame = frame.f_back
        self._note_causes()

    def _note_causes(self) -> None:
        """Note the causes of an error that was converted to another error."""
        cause = sys.exception()
        while cause is not None:
            for frame, line in traceback.walk_tb(cause.__traceback__):
                self._note_line(frame.f_code.co_filename, line)
            cause = cause.__cause__

    def _note_line(self, file: str, line: int) -> None:
        _, inside, path = file.rpartition("/domain/")
        if inside:
            self.seen.add((f"domain/{path}", line))


WATCH = Watch()


def unreached(seen: set[tuple[str, int]]) -> set[str]:
    """Return the `raise` statements that no directed test reached."""
    lines: dict[str, set[int]] = {}
    for file, line in seen:
        lines.setdefault(file, set()).add(line)
    return {one.name for one in every_raise() if not any(one.first <= at <= one.last for at in lines.get(one.file, ()))}


def listed() -> set[str]:
    """Return the `raise` statements that are listed as unreached."""
    lines = LIST.read_text(encoding="utf-8").splitlines() if LIST.is_file() else []
    return {line for line in lines if line and not line.startswith("#")}


def is_directed(path: str) -> bool:
    return not any(part in path for part in AT_RANDOM)


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", "-n", "auto", "--print-unreached", *sys.argv[1:]]))
