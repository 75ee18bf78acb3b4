"""Parse the expressions of a scenario, and check that the scenario has every name in them.

Faults are collected with their paths, not raised.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from umpire_ledger.domain.titles.freeform.language import (
    Both,
    Call,
    ExpressionError,
    Literal,
    Name,
    Node,
    Range,
    Several,
    Without,
    parse,
)
from umpire_ledger.domain.titles.freeform.values import FUNCTIONS, NAMES, OF_A_UNIT, OF_UNITS, fits, names_within
from umpire_ledger.kit import (
    Condition,
    Fact,
    Order,
    ScenarioFault,
    chose,
    done,
    ever,
    given,
    inside,
    latest,
    nearest,
    nth,
    option,
    picked,
    scenario_fault,
    suspended,
)

OF_THE_BOARD = ("distance", "beside", "stepwise")
BOARD = "add a board at the top of the file, for example board = { hexes = { columns = 20, rows = 16 } }"
AS_A_FACT = "declare a fact `[facts.NAME]` with `is` and `words`, and name that fact here"


class KnownNames(NamedTuple):
    """The names of a scenario, by kind: marker, account, option, attribute, side, table, board or place."""

    names: Mapping[str, frozenset[str]]

    def lacks(self, kind: str, name: str) -> str:
        """Return a remedy for an unknown name; "" for a known one."""
        have = self.names.get(kind)
        if have is None or name in have:
            return ""
        near = nearest(name, have)
        listed = ", ".join(sorted(have)) or "none"
        return f"did you mean {' or '.join(near)}?" if near else f"the scenario has: {listed}"


class Names:
    """Reader of the expressions of one scenario. `known`: names that they may use; `faults`: faults found so far."""

    def __init__(self, known: KnownNames, orders: Mapping[str, type[Order]]) -> None:
        self.known = known
        self.orders = orders
        self.facts: dict[str, Fact] = {}
        self.faults: list[ScenarioFault] = []

    def fault(self, what: str, path: str, remedy: str, code: str = "wrong-declaration") -> None:
        self.faults.append(scenario_fault(what, path, remedy, code=code))

    def named(self, kind: str, name: str, path: str) -> None:
        """Record a fault if the scenario has no marker, table or other item of this kind and name."""
        if remedy := self.known.lacks(kind, name):
            self.fault(f"there is no {kind} {name}", path, remedy, "unknown-name")

    def within(self, text: str, path: str, bare: Iterable[str] = ()) -> None:
        """Record a fault for each name in braces in a text that is neither one of `NAMES` nor one of `bare`."""
        have = (*NAMES, *sorted(bare))
        for name in names_within(text):
            if name not in have:
                near = nearest(name, have)
                known = f"did you mean {' or '.join(near)}?" if near else f"in braces, write one of: {', '.join(have)}"
                self.fault(f"{{{name}}} is not known here", path, known, "unknown-name")

    def template(self, kind: str, name: str, path: str, bare: Iterable[str] = ()) -> None:
        """Check a name that may contain names in braces: at least one item of this kind must match it."""
        if not names_within(name):
            self.named(kind, name, path)
            return
        self.within(name, path, bare)
        have = self.known.names.get(kind)
        if have is not None and not any(fits(name, one) for one in have):
            known = ", ".join(sorted(have)) or "none"
            self.fault(f"there is no {kind} like {name}", path, f"the scenario has: {known}", "unknown-name")

    def expression(
        self, text: str, path: str, *, of_units: bool = False, bare: frozenset[str] = frozenset()
    ) -> Node | None:
        """Parse an expression about the game; record a fault and return None if it is not valid.

        Args:
            of_units: The expression is evaluated for each unit in play.
            bare: Further bare words that it may use: the arguments of an order.
        """

        def verified(node: Node) -> Node:
            _verify(node, _Scope(self.known, of_units, bare))
            return node

        found: Node | None = self._read(text, path, verified)
        return found

    def condition(self, text: str, path: str) -> Condition | None:
        """Parse a condition of facts and functions of the sequence; return None if the text is empty or not valid."""
        found: Condition | None = self._read(text, path, self._condition) if text else None
        return found

    def _read(self, text: str, path: str, make: Callable[[Node], Any]) -> Any:
        try:
            return make(parse(text))
        except ExpressionError as error:
            self.fault(f"«{text[:60]}»: {error.what}", path, error.remedy, "wrong-expression")
            return None

    # --- conditions of the sequence -----------------------------------------------------------------------------------

    def _condition(self, node: Node) -> Condition:
        match node:
            case Both(sign="and", left=left, right=right):
                return self._condition(left) & self._condition(right)
            case Both(sign="or", left=left, right=right):
                return self._condition(left) | self._condition(right)
            case Without(sign="not", part=part):
                return ~self._condition(part)
            case Name(word=word):
                return self._fact(word)
            case Both(
                sign="=" | "!=" as sign, left=Call(name="option", parts=(Literal(value=str(name)),)), right=right
            ):
                asked = option(name, _plain(right))
                return asked if sign == "=" else ~asked
            case Call(name=name, parts=parts) if name in SEQUENCE_WORDS:
                return self._asked(name, parts)
            case _:
                raise ExpressionError("a condition can contain only facts and functions of the sequence", AS_A_FACT)

    def _fact(self, word: str) -> Condition:
        if word not in self.facts:
            near = nearest(word, self.facts)
            raise ExpressionError(
                f"there is no fact {word}", f"did you mean {' or '.join(near)}?" if near else AS_A_FACT
            )
        return self.facts[word]

    def _asked(self, name: str, parts: tuple[Node, ...]) -> Condition:
        if name == "nth":
            return _passes(parts)
        least, most = SEQUENCE_WORDS[name]
        words = tuple(_text(part, name) for part in parts)
        if not least <= len(words) <= most:
            raise ExpressionError(f"`{name}` takes {_many(least, most)}", f"write, for example, {EXAMPLES[name]}")
        if name == "given":
            return given(self._order(words[0]))
        made: Condition = MAKES[name](*words)
        return made

    def _order(self, name: str) -> type[Order]:
        if name not in self.orders:
            raise ExpressionError(f"there is no order {name}", f"name one of: {', '.join(sorted(self.orders))}")
        return self.orders[name]


MAKES: Mapping[str, Callable[..., Condition]] = {
    "option": option,
    "done": done,
    "picked": picked,
    "inside": inside,
    "suspended": suspended,
    "chose": chose,
    "ever": ever,
    "latest": latest,
}
SEQUENCE_WORDS: Mapping[str, tuple[int, int]] = {
    **dict.fromkeys(("option", "given", "done", "inside", "suspended"), (1, 1)),
    **dict.fromkeys(("chose", "ever", "latest"), (2, 2)),
    **dict.fromkeys(("picked", "nth"), (1, 2)),
}
"""Functions of the sequence, each with the fewest and most arguments that it takes."""
EXAMPLES: Mapping[str, str] = {
    "option": "option('night')",
    "given": "given('roll')",
    "done": "done('3a')",
    "inside": "inside('3')",
    "suspended": "suspended('3')",
    "chose": "chose('3a', 'fire')",
    "ever": "ever('3a', 'fire')",
    "latest": "latest('3a', 'fire')",
    "picked": "picked('3') or picked('3', 'red-1')",
    "nth": "nth(1), nth(2..), nth(1..3, 'turn')",
}


def _passes(parts: tuple[Node, ...]) -> Condition:
    match parts:
        case (Literal(value=int(number)), *rest) if len(rest) < 2:
            return nth(number, *(_text(part, "nth") for part in rest))
        case (Range(first=first, last=last), *rest) if len(rest) < 2:
            return nth(first, *(_text(part, "nth") for part in rest), to=last)
        case _:
            raise ExpressionError(
                "`nth` takes the number of a pass, or a range", f"write, for example, {EXAMPLES['nth']}"
            )


def _text(node: Node, name: str) -> str:
    if isinstance(node, Literal) and isinstance(node.value, str):
        return node.value
    raise ExpressionError(f"`{name}` takes words in quotes", f"write, for example, {EXAMPLES[name]}")


def _plain(node: Node) -> bool | int | str:
    match node:
        case Literal(value=str() | int() as known):
            return known
        case Name(word="true" | "false" as word):
            return word == "true"
        case _:
            raise ExpressionError("compare an option with a value", "write, for example, option('night') = true")


def _many(least: int, most: int) -> str:
    return f"{least} word{'s' * (least > 1)}" if least == most else f"{least} to {most} words"


# --- expressions about the game ---------------------------------------------------------------------------------------


class _Scope(NamedTuple):
    """The names that an expression may use. `of_units`: also the words of a unit; `bare`: further bare words."""

    known: KnownNames
    of_units: bool
    bare: frozenset[str]


def _verify(node: Node, scope: _Scope) -> None:
    """Check the names and functions of an expression.

    Raises:
        ExpressionError: A name or function is unknown.
    """
    match node:
        case Name(word=word):
            _verify_name(word, scope)
        case Range():
            raise ExpressionError("only `nth` can have a range", "write two comparisons and join them with `and`")
        case Call(name=name, parts=parts):
            _verify_call(name, parts, scope.known)
            for part in parts:
                _verify(part, scope._replace(of_units=scope.of_units or name in OF_UNITS))
        case Without(part=part):
            _verify(part, scope)
        case Both(left=left, right=right):
            _verify(left, scope)
            _verify(right, scope)
        case Several(parts=parts):
            for part in parts:
                _verify(part, scope)
        case _:
            pass


def _verify_name(word: str, scope: _Scope) -> None:
    if word in NAMES or word in scope.bare:
        return
    if not scope.of_units:
        quoted = (
            f"if it is a text, write it in quotes: '{word}'; words without quotes are {_list((*NAMES, *scope.bare))}"
        )
        raise ExpressionError(f"{word} is not known here", quoted)
    if word not in OF_A_UNIT and (remedy := scope.known.lacks("attribute", word)):
        raise ExpressionError(
            f"no unit has the attribute {word}", f"{remedy}; or, if it is a text, write it in quotes: '{word}'"
        )


def _verify_call(name: str, parts: tuple[Node, ...], known: KnownNames) -> None:
    if name not in FUNCTIONS:
        of_sequence = name in SEQUENCE_WORDS
        remedy = f"use it in `when`, `until` or `needs`, not in a fact: {EXAMPLES[name]}" if of_sequence else ""
        raise ExpressionError(f"there is no function {name}", remedy or f"use one of: {_list(FUNCTIONS)}")
    function = FUNCTIONS[name]
    if name in OF_THE_BOARD and known.names.get("board") == frozenset():
        raise ExpressionError(f"`{name}` needs a map, but the scenario has no `board`", BOARD)
    least, most = function.takes
    if not least <= len(parts) <= most:
        how_many = str(least) if least == most else f"{least} or {most}"
        raise ExpressionError(
            f"`{name}` takes {how_many} argument{'s' * (most > 1)}, not {len(parts)}", "separate them with commas"
        )
    first = parts[0] if parts else None
    if function.names and isinstance(first, Literal) and (remedy := known.lacks(function.names, str(first.value))):
        raise ExpressionError(f"there is no {function.names} {first.value}", remedy)


def _list(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
