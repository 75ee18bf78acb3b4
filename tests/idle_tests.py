"""Find tests that cannot fail, by reading them.

On every path, a test must run an assertion, expect an error, or call a helper that does. A check that may be skipped
does not count: under an `if` without an `else`, in a loop over an iterable that may be empty, in a comprehension, or
under a suppressed error. A test must not expect just any error, ignore every error, or assert a value that it has just
assigned itself.
"""

import ast
import itertools
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
HELPERS = ("tests", "umpire_ledger/testing")
ANY_ERROR = ("Exception", "BaseException")
WAITS = ("raises", "warns", "fail", "exit")
"""Functions of pytest that fail a test."""
AS_MANY = ("enumerate", "sorted", "zip", "reversed", "list", "tuple", "set")
"""Functions that return as many items as they get."""


class Idle(NamedTuple):
    """A test, and the reason why it may pass with any behavior of the product."""

    test: str
    why: str


def idle_tests(modules: dict[str, ast.Module]) -> Iterator[Idle]:
    """Yield the tests of these modules that may pass with any behavior of the product. `modules`: by path."""
    helpers = _checking(modules)
    for path, module in modules.items():
        sure = Sure(path, module, helpers)
        for name, test in _functions(module):
            if name.rpartition(".")[2].startswith("test_"):
                yield from (Idle(f"{path}::{name}", why) for why in sure.faults(test))


# --- who checks -------------------------------------------------------------------------------------------------------


def _checking(modules: dict[str, ast.Module]) -> dict[str, bool]:
    """Return whether each helper surely checks, by `path::name` and by name alone.

    If several modules have helpers with the same name, the bare name counts only if all of them check.
    """
    defined = [
        (path, name.rpartition(".")[2], function) for path in modules for name, function in _functions(modules[path])
    ]
    found: dict[str, bool] = {}
    while True:
        now: dict[str, bool] = {}
        for path, name, function in defined:
            checks = Sure(path, modules[path], found).checks(function.body)
            for key in (f"{path}::{name}", name):
                now[key] = now.get(key, True) and checks
        if now == found:
            return found
        found = now


def _functions(module: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in module.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{one.name}", one) for one in node.body if isinstance(one, ast.FunctionDef))


class Sure:
    """Decides whether statements of a module surely check something. `helpers`: whether each helper does."""

    def __init__(self, path: str, module: ast.Module, helpers: dict[str, bool]) -> None:
        self.path = path
        self.module = module
        self.helpers = helpers

    def faults(self, test: ast.FunctionDef) -> Iterator[str]:
        if not self.checks(test.body):
            yield "nothing in it surely checks anything"
        for node in ast.walk(test):
            match node:
                case ast.Call(func=called, args=[error, *_]) if _name(called) == "raises" and _name(error) in ANY_ERROR:
                    yield f"it waits for any error at all (line {node.lineno})"
                case ast.Call(func=called, args=[error, *_]) if (
                    _name(called) == "suppress" and _name(error) in ANY_ERROR
                ):
                    yield f"it lets any error pass (line {node.lineno})"
                case ast.ExceptHandler(type=error) if _lets_any_pass(node, error):
                    yield f"it lets any error pass (line {node.lineno})"
        yield from _written_itself(test)

    def checks(self, statements: list[ast.stmt]) -> bool:
        for one in statements:
            if self._checks(one):
                return True
            if _may_leave(one):
                return False
        return False

    def _checks(self, one: ast.stmt) -> bool:
        match one:
            case ast.Assert(test=test):
                return not isinstance(test, ast.Constant) and not _is_idle_all(test, self.module)
            case ast.Raise(exc=exc):
                return exc is not None
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                return self._with(items, body)
            case ast.For(iter=over, body=body):
                return (self._calls(over) or is_filled(over, self.module)) and self.checks(body)
            case ast.While(test=ast.Constant(value=True), body=body):
                return self.checks(body)
            case ast.If(test=test, body=body, orelse=other):
                both = self.checks(body) and (self.checks(other) or (not other and _raises_at_once(body)))
                return both or self._calls(test)
            case ast.Try(body=body, handlers=handlers, finalbody=last):
                kept = not any(_swallows(handler) for handler in handlers) and self.checks(body)
                return kept or self.checks(last)
            case ast.Expr() | ast.Assign() | ast.AnnAssign() | ast.Return() | ast.AugAssign():
                return one.value is not None and self._calls(one.value)
            case _:
                return False

    def _with(self, items: list[ast.withitem], body: list[ast.stmt]) -> bool:
        names = {name for item in items for name in _called_in(item.context_expr)}
        if any(map(self._is_check, names)):
            return True
        return "suppress" not in names and self.checks(body)

    def _calls(self, expression: ast.expr) -> bool:
        return any(self._is_check(name) for name in _called_in(expression))

    def _is_check(self, name: str) -> bool:
        return name in WAITS or self.helpers.get(f"{self.path}::{name}", self.helpers.get(name, False))


# --- reading ----------------------------------------------------------------------------------------------------------


@cache  # asked again for each helper in every round
def _called_in(expression: ast.expr) -> tuple[str, ...]:
    return tuple(_name(call.func) for call in _calls_in(expression))


def _calls_in(node: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls that an expression surely makes, which excludes those in a comprehension or a lambda."""
    if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp | ast.Lambda):
        return
    if isinstance(node, ast.Call):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _calls_in(child)


def _name(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


@cache
def _may_leave(one: ast.stmt) -> bool:
    """Return whether a statement may skip those that follow it, like `if …: continue`."""
    leaves = ast.Return | ast.Continue | ast.Break
    return isinstance(one, ast.If) and any(isinstance(node, leaves) for node in ast.walk(one))


def _lets_any_pass(handler: ast.ExceptHandler, error: ast.expr | None) -> bool:
    return _swallows(handler) and (error is None or _name(error) in ANY_ERROR)


def _raises_at_once(body: list[ast.stmt]) -> bool:
    """Return whether a body is an assertion: `if wrong: raise AssertionError(…)`."""
    return isinstance(body[-1], ast.Raise) and "AssertionError" in ast.dump(body[-1])


def _called(one: ast.expr) -> str:
    return _name(one.func) if isinstance(one, ast.Call) else ""


def _swallows(handler: ast.ExceptHandler) -> bool:
    return all(isinstance(one, ast.Pass | ast.Continue | ast.Break | ast.Return) for one in handler.body)


def is_filled(over: ast.expr, module: ast.Module) -> bool:
    """Return whether an iterable surely has items: a nonempty literal, a range of numbers, or a constant table."""
    match over:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return any(not isinstance(part, ast.Starred) or is_filled(part.value, module) for part in parts)
        case ast.Dict(keys=keys):
            return bool(keys)
        case ast.Constant(value=str(text)):
            return bool(text)
        case ast.Call(func=ast.Name(id="range"), args=[*_, ast.Constant(value=int(most))]):
            return most > 0
        case ast.Call(func=ast.Name(id="range"), args=[*_, ast.Name()]):
            return True
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in AS_MANY:
            return is_filled(first, module)
        case ast.Call(func=ast.Attribute(value=inner, attr="items" | "values" | "keys" | "split"), args=_):
            return is_filled(inner, module)
        case ast.Name(id=name):
            return _is_written_down(name, module)
        case _:
            return False


@cache
def _is_written_down(name: str, module: ast.Module) -> bool:
    for node in ast.walk(module):
        match node:
            case ast.Assign(targets=[ast.Name(id=written)], value=value) if written == name:
                return not isinstance(value, ast.Name) and is_filled(value, module)
            case ast.AnnAssign(target=ast.Name(id=written), value=ast.expr() as value) if written == name:
                return not isinstance(value, ast.Name) and is_filled(value, module)
    return name.isupper() and _is_imported(name, module)


def _is_imported(name: str, module: ast.Module) -> bool:
    froms = (node for node in ast.walk(module) if isinstance(node, ast.ImportFrom))
    return any(one.name == name for node in froms for one in node.names)


def _is_idle_all(test: ast.expr, module: ast.Module) -> bool:
    """Return whether a test is `all(… for one in many)` over a possibly empty iterable."""
    match test:
        case ast.Call(func=ast.Name(id="all"), args=[ast.GeneratorExp(generators=[first, *_])]):
            return bool(first.ifs) or not (is_filled(first.iter, module) or _called(first.iter) == "at_least_one")
        case _:
            return False


def _written_itself(test: ast.FunctionDef) -> Iterator[str]:
    """Yield a fault if a test asserts a value that it has assigned itself, and nothing in between could change it."""
    for body in (node.body for node in ast.walk(test) if isinstance(getattr(node, "body", None), list)):
        for before, one in itertools.pairwise(body):
            if isinstance(before, ast.Assign) and isinstance(one, ast.Assert) and isinstance(one.test, ast.Compare):
                left, right = ast.dump(one.test.left), ast.dump(one.test.comparators[0])
                target = ast.dump(before.targets[0]).replace("Store()", "Load()")
                if target == left and ast.dump(before.value) == right:
                    yield f"it asserts what it has just written (line {one.lineno})"


@cache
def modules() -> dict[str, ast.Module]:
    """Return the modules of the tests and of the test kit for titles, by path."""
    files = (file for folder in HELPERS for file in sorted((ROOT / folder).rglob("*.py")))
    return {file.relative_to(ROOT).as_posix(): ast.parse(file.read_text(encoding="utf-8")) for file in files}
