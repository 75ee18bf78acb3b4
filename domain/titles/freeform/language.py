"""Parse the expressions of a scenario. They never run as Python code.

    not over and count(side = asking and kind = 'gun' and not spent) >= 2

Precedence, lowest first: `or`, `and`, `not`, one comparison (= != < <= > >= in), `+ -`, `*`. Words are in quotes, and
lists in brackets; `2..4` and `2..` are ranges. This module does not know the meaning of names and functions.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from umpire_ledger.kit import ScenarioError, Value

LONGEST = 2000
"""The most characters of one expression."""
DEEPEST = 30
"""The most levels of nested brackets."""
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=", "in")
_token = re.compile(
    r"\s*(?:(?P<number>[0-9]{1,15})(?![\w])|(?P<text>'[^']*'|\"[^\"]*\")|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>\.\.|!=|<=|>=|[=<>+*()\[\],-]))"
)


class ExpressionError(ScenarioError):
    """An expression that is not valid, or an unknown name in it. `remedy`: a correct form."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what, where="$", rule="the language of conditions", remedy=remedy)


class Node(msgspec.Struct, frozen=True):
    """A part of an expression."""


class Literal(Node, frozen=True):
    """A number or a word in quotes."""

    value: Value


class Name(Node, frozen=True):
    """A bare word."""

    word: str


class Several(Node, frozen=True):
    """A list in brackets."""

    parts: tuple[Node, ...]


class Range(Node, frozen=True):
    """A range such as `2..4`; `last` is None for an open range such as `2..`."""

    first: int
    last: int | None


class Call(Node, frozen=True):
    """A call of a function with its arguments."""

    name: str
    parts: tuple[Node, ...]


class Without(Node, frozen=True):
    """A part with a `sign` before it: a condition with `not`, or a number with `-`."""

    sign: str
    part: Node


class Both(Node, frozen=True):
    """Two parts with a `sign` between them: a comparison or arithmetic sign, `in`, `and` or `or`."""

    sign: str
    left: Node
    right: Node


class _Token(NamedTuple):
    kind: str
    text: str


def parse(text: str) -> Node:
    """Parse an expression.

    Raises:
        ExpressionError: The text is too long or not an expression.
    """
    if len(text) > LONGEST:
        raise ExpressionError(
            f"the expression has {len(text)} characters", f"write at most {LONGEST}, or split it into two facts"
        )
    return _Parser(_tokens(text)).whole()


def _tokens(text: str) -> list[_Token]:
    found, at = list[_Token](), 0
    while text[at:].strip():
        token = _token.match(text, at)
        if token is None:
            what = f"the expression cannot be read at «{text[at:].strip()[:20]}»"
            raise ExpressionError(what, "write words in quotes; valid signs are = != < <= > >= + - * ( ) [ ] , ..")
        kind = token.lastgroup or ""
        found.append(_Token(kind, token[kind]))
        at = token.end()
    return found


class _Parser:
    """A recursive descent parser, with one method for each rule of the language."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    def whole(self) -> Node:
        node = self._either()
        if self._at < len(self._tokens):
            raise ExpressionError(f"«{self._shown()}» is unexpected", "join two conditions with `and` or `or`")
        return node

    def _either(self) -> Node:
        node = self._all()
        while self._take("or"):
            node = Both("or", node, self._all())
        return node

    def _all(self) -> Node:
        node = self._negated()
        while self._take("and"):
            node = Both("and", node, self._negated())
        return node

    def _negated(self) -> Node:
        negations = 0
        while self._take("not"):
            negations += 1
        node = self._compared()
        return Without("not", node) if negations % 2 else node

    def _compared(self) -> Node:
        node = self._sum()
        sign = next((one for one in COMPARISONS if self._take(one)), "")
        return Both(sign, node, self._sum()) if sign else node

    def _sum(self) -> Node:
        node = self._product()
        while sign := next((one for one in ("+", "-") if self._take(one)), ""):
            node = Both(sign, node, self._product())
        return node

    def _product(self) -> Node:
        node = self._single()
        while self._take("*"):
            node = Both("*", node, self._single())
        return node

    def _single(self) -> Node:
        if self._take("-"):
            return Without("-", self._single_bare())
        return self._single_bare()

    def _single_bare(self) -> Node:
        if self._take("("):
            node = self._within(self._either)
            self._need(")")
            return node
        if self._take("["):
            return Several(self._parts("]"))
        token = self._next()
        match token.kind:
            case "number":
                return self._number(int(token.text))
            case "text":
                return Literal(token.text[1:-1])
            case "name" if token.text not in ("and", "or", "not", "in"):
                return Call(token.text, self._parts(")")) if self._take("(") else Name(token.text)
            case _:
                raise ExpressionError(f"«{token.text}» is not a value", "write a value in its place")

    def _number(self, first: int) -> Node:
        if not self._take(".."):
            return Literal(first)
        after = self._tokens[self._at] if self._at < len(self._tokens) else _Token("", "")
        if after.kind != "number":
            return Range(first, None)
        self._at += 1
        return Range(first, int(after.text))

    def _parts(self, end: str) -> tuple[Node, ...]:
        if self._take(end):
            return ()
        parts = [self._within(self._either)]
        while self._take(","):
            parts.append(self._within(self._either))
        self._need(end)
        return tuple(parts)

    def _within(self, rule: Callable[[], Node]) -> Node:
        self._depth += 1
        if self._depth > DEEPEST:
            raise ExpressionError(f"more than {DEEPEST} brackets are nested", "split it into two facts")
        node = rule()
        self._depth -= 1
        return node

    def _take(self, text: str) -> bool:
        """Consume the next token and return True if it is this sign or word."""
        here = self._tokens[self._at] if self._at < len(self._tokens) else _Token("", "")
        if here.kind not in ("sign", "name") or here.text != text:
            return False
        self._at += 1
        return True

    def _need(self, sign: str) -> None:
        if not self._take(sign):
            raise ExpressionError(f"«{sign}» is missing before «{self._shown()}»", f"close the bracket with {sign}")

    def _next(self) -> _Token:
        if self._at == len(self._tokens):
            raise ExpressionError("a value is missing at the end", "add the value, or remove the last sign")
        self._at += 1
        return self._tokens[self._at - 1]

    def _shown(self) -> str:
        return self._tokens[self._at].text if self._at < len(self._tokens) else "the end"
