"""The faults that can be planted in a source file: each a small change that a tired programmer could have made."""

import ast
import copy
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Lt: ast.Gt,
    ast.LtE: ast.GtE,
    ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
}
SHIFTED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
SIGNS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
}
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
OF_A_PROGRAMMER = ("AssertionError", "TypeError", "NotImplementedError")
"""Errors that no order or file of a user causes: a raise of one is not a refusal."""
SYMMETRIC = ("max", "min", "math.gcd")
WRONG_RULE = "999.1"


class Fault(NamedTuple):
    """A replacement of a text in a file. `line`: its line; `first`, `last`: the lines of its statement, from 1.

    `start`, `end`: its place in bytes; `was`, `becomes`: the lines that change.
    """

    file: str
    kind: str
    line: int
    first: int
    last: int
    start: int
    end: int
    new: str
    was: str
    becomes: str

    @property
    def at(self) -> str:
        return f"{self.file}:{self.line}"

    @property
    def name(self) -> tuple[str, str, str]:
        """The name of the fault in the declarations, which stays when lines move."""
        return self.file, self.was, self.becomes

    @property
    def change(self) -> str:
        return f"{self.was} => {self.becomes}"

    def planted(self, source: bytes) -> bytes:
        """Return the source with the fault; the lines after it keep their numbers."""
        return source[: self.start] + self.new.encode() + source[self.end :]


def fault_by_hand(file: str, source: bytes, was: str, becomes: str) -> Fault:
    """Return the fault that replaces a text in a file.

    Raises:
        ValueError: the text is not in the file exactly once.
    """
    if source.count(was.encode()) != 1:
        raise ValueError(f"{was!r} stands {source.count(was.encode())} times in {file}")
    start = source.index(was.encode())
    line = source.count(b"\n", 0, start) + 1
    return Fault(file, "by hand", line, line, line, start, start + len(was.encode()), becomes, was, becomes)


def faults_of(file: str, source: bytes) -> Iterator[Fault]:
    """Yield every fault that can be planted in a file, in the order of its lines."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node, around in _code(ast.parse(source), None):
        for kind, change in CHANGES.items():
            for new in change(node):
                yield _fault(file, kind, node, around, new, source, starts)


def runs_at_import(source: bytes, line: int) -> bool:
    """Return whether a line, from 1, is outside all functions: a declaration, a default, a limit of a scenario."""
    functions = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))
    return not any(node.body[0].lineno <= line <= (node.end_lineno or line) for node in functions)


def _fault(file: str, kind: str, node: Any, around: Any, new: ast.AST, source: bytes, starts: list[int]) -> Fault:
    start, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
    text = ast.unparse(new)
    lines = "\n" * source[start:end].count(b"\n")
    text = f"({text}{lines})" if isinstance(new, ast.expr) else text + lines
    behind = starts[node.end_lineno]
    was = source[starts[node.lineno - 1] : behind].decode()
    becomes = source[starts[node.lineno - 1] : start].decode() + text + source[end:behind].decode()
    return Fault(
        file, kind, node.lineno, around.lineno, around.end_lineno, start, end, text, _shown(was), _shown(becomes)
    )


def _shown(lines: str) -> str:
    return " ".join(lines.split())


def _code(node: ast.AST, around: ast.AST | None) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Yield the nodes that run, each with its statement, or itself if its statement contains others.

    Annotations do not run, and the parts of an f-string have no position of their own.
    """
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                own = child if isinstance(child, ast.stmt) and not hasattr(child, "body") else around
                yield child, own or child
                yield from _code(child, own)


def _compared(to: dict[type[ast.cmpop], type[ast.cmpop]]) -> Callable[[ast.AST], Iterator[ast.AST]]:
    def change(node: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, ast.Compare):
            for at, sign in enumerate(node.ops):
                if type(sign) in to:
                    new = copy.deepcopy(node)
                    new.ops[at] = to[type(sign)]()
                    yield new

    return change


def _negated(node: ast.AST) -> Iterator[ast.AST]:
    """Planted at the condition itself, so that what it decides stays as it is written."""
    if getattr(node, "is_condition", False):
        yield ast.UnaryOp(ast.Not(), node)  # type: ignore[arg-type] # a condition is an expression
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        node.test.is_condition = True  # type: ignore[attr-defined] # read when the walk comes to it


def _exchanged(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)


def _one_more(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.Constant(node.value + 1)


def _dropped(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a return of None, or of the opposite value if it returns True or False."""
    if isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        truth = node.value.value if isinstance(node.value, ast.Constant) else None
        yield ast.Return(ast.Constant(not truth) if isinstance(truth, bool) else None)


def _not_called(node: ast.AST) -> Iterator[ast.AST]:
    """Yield `pass` for a call whose result is unused: it checks or changes something."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield ast.Pass()


def _swapped(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Call) and ast.unparse(node.func) not in SYMMETRIC:
        for at in range(len(node.args) - 1):
            one, other = node.args[at : at + 2]
            plain = not isinstance(one, ast.Starred) and not isinstance(other, ast.Starred)
            if plain and ast.unparse(one) != ast.unparse(other):
                yield ast.Call(node.func, [*node.args[:at], other, one, *node.args[at + 2 :]], node.keywords)


def _unfiltered(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, COMPREHENSIONS):
        for at, loop in enumerate(node.generators):
            for condition in range(len(loop.ifs)):
                new = copy.deepcopy(node)
                del new.generators[at].ifs[condition]
                yield new


def _other_sign(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.BinOp) and type(node.op) in SIGNS:
        yield ast.BinOp(node.left, SIGNS[type(node.op)](), node.right)
    if isinstance(node, ast.AugAssign) and type(node.op) in SIGNS:
        yield ast.AugAssign(node.target, SIGNS[type(node.op)](), node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield node.operand


def _not_raised(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Raise) and node.exc is not None:
        made = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if ast.unparse(made) not in OF_A_PROGRAMMER:
            yield ast.Pass()


def _other_rule(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a wrong rule number for `rule="E.2"`, the last argument of a refusal, or a constant named for a rule."""
    if getattr(node, "is_rule", False):
        yield ast.Constant(WRONG_RULE)
    given: list[ast.expr] = []
    if isinstance(node, ast.Call):
        given = [word.value for word in node.keywords if word.arg in ("rule", "rules")]
        given += node.args[-1:] if "refuse" in ast.unparse(node.func) else []
    elif isinstance(node, ast.Assign) and "RULE" in ast.unparse(node.targets[0]):
        given = [node.value]
    for one in given:
        for part in one.elts if isinstance(one, ast.Tuple) else [one]:
            part.is_rule = isinstance(part, ast.Constant) and bool(part.value)  # type: ignore[attr-defined] # as above


CHANGES: dict[str, Callable[[ast.AST], Iterator[ast.AST]]] = {
    "comparison flipped": _compared(FLIPPED),
    "boundary shifted": _compared(SHIFTED),
    "condition negated": _negated,
    "and/or exchanged": _exchanged,
    "constant + 1": _one_more,
    "returned value dropped": _dropped,
    "call removed": _not_called,
    "arguments exchanged": _swapped,
    "filter removed": _unfiltered,
    "sign exchanged": _other_sign,
    "raise removed": _not_raised,
    "another rule": _other_rule,
}
