"""Evaluate expressions about a game: its markers, accounts, units, choices and current loop members.

Evaluation never fails. A missing value is `nothing`: it counts as 0 in arithmetic, and comparisons of its size are
false. A sealed answer is `nothing` until it is revealed, so that no condition reveals it.
"""

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import NamedTuple

from umpire_ledger.domain.titles.freeform.language import Both, Call, Literal, Name, Node, Several, Without
from umpire_ledger.kit import Game, Unit, Value, board_in, choice_key, distance, pass_number

MOST = 2**53 - 1
"""The largest absolute value of a number in a log."""
OF_UNITS = ("count", "sum")
"""Functions whose parts are evaluated for each unit in play."""


class EvaluationContext(NamedTuple):
    """The game, the side ("" for none) and the unit of an evaluation.

    `given`: the arguments of an order and the names that its lines have defined so far; `row`: the row of its latest
    roll on a table.
    """

    game: Game
    side: str
    unit: Unit | None = None
    given: Mapping[str, Value] = {}
    row: Mapping[str, Value] = {}


def value(node: Node, asked: EvaluationContext) -> Value:
    """Return the value of a part of an expression."""
    match node:
        case Literal(value=known):
            return known
        case Name(word=word):
            return _named(word, asked)
        case Several(parts=parts):
            return tuple(str(value(part, asked)) for part in parts)
        case Without(sign="not", part=part):
            return not value(part, asked)
        case Without(part=part):
            return -_number(value(part, asked))
        case Both(sign="and", left=left, right=right):
            return bool(value(left, asked)) and bool(value(right, asked))
        case Both(sign="or", left=left, right=right):
            return bool(value(left, asked)) or bool(value(right, asked))
        case Both(sign=sign, left=left, right=right):
            return SIGNS[sign](value(left, asked), value(right, asked))
        case Call(name="count", parts=parts):
            return sum(1 for _ in units(parts[0] if parts else None, asked))
        case Call(name="sum", parts=parts):
            found = units(parts[1] if len(parts) > 1 else None, asked)
            return bounded(sum(_number(value(parts[0], asked._replace(unit=unit))) for unit in found))
        case Call(name=name, parts=parts):
            return FUNCTIONS[name].asks(asked, *(value(part, asked) for part in parts))
        case _:
            return None


_in_braces = re.compile(r"\{(\w+)\}")


def names_within(text: str) -> tuple[str, ...]:
    """Return the names in braces in a text, for example `asking` in `ep/{asking}`."""
    return tuple(_in_braces.findall(text))


def filled(text: str, asked: EvaluationContext) -> str:
    """Return a text with each name in braces replaced by its value."""
    return _in_braces.sub(lambda found: _in_words(_named(found[1], asked)), text)


def fits(text: str, name: str) -> bool:
    """Check whether a text can become this name if its braces are filled."""
    parts = _in_braces.split(text)[::2]
    return re.fullmatch(".*".join(map(re.escape, parts)), name) is not None


def _in_words(found: Value) -> str:
    return ", ".join(found) if isinstance(found, tuple) else "nothing" if found is None else str(found)


def holds(node: Node, asked: EvaluationContext) -> bool:
    """Check whether an expression is true."""
    return bool(value(node, asked))


def units(node: Node | None, asked: EvaluationContext) -> tuple[Unit, ...]:
    """Return the units in play for which an expression is true, or all of them without an expression, sorted by id."""
    every = asked.game.in_play()
    return every if node is None else tuple(one for one in every if holds(node, asked._replace(unit=one)))


# --- names ------------------------------------------------------------------------------------------------------------

NAMES: Mapping[str, Callable[[EvaluationContext], Value]] = {
    "true": lambda asked: True,
    "false": lambda asked: False,
    "nothing": lambda asked: None,
    "asking": lambda asked: asked.side,
    "active": lambda asked: asked.game.cursor.side(),
    "turn": lambda asked: asked.game.turn,
    "sides": lambda asked: asked.game.side_ids,
}
"""Bare words with the same meaning in every expression."""
OF_A_UNIT = ("id", "side", "kind", "at")
"""Bare words for the fields of a unit; its attributes are bare words too."""


def _named(word: str, asked: EvaluationContext) -> Value:
    if word in asked.given:
        return asked.given[word]
    if word in NAMES:
        return NAMES[word](asked)
    if asked.unit is None:
        return None
    if word in OF_A_UNIT:
        return str(getattr(asked.unit, word))
    return asked.unit.get(word)


# --- signs ------------------------------------------------------------------------------------------------------------


def _number(found: Value) -> int:
    return found if isinstance(found, int) else 0


def _same(left: Value, right: Value) -> bool:
    """Compare two values. A boolean equals only the same boolean, so 1 is not true. A missing value equals false."""
    if isinstance(left, bool) or isinstance(right, bool):
        return _or_false(left) is _or_false(right)
    return left == right


def _or_false(found: Value) -> Value:
    return False if found is None else found


def bounded(number: int) -> int:
    """Return a number limited to the range that a log can store."""
    return max(-MOST, min(MOST, number))


def _plus(left: Value, right: Value) -> Value:
    if isinstance(left, str) and isinstance(right, str):
        return left + right
    if isinstance(left, tuple):
        return (*left, *(right if isinstance(right, tuple) else (str(right),)))
    return bounded(_number(left) + _number(right))


def _minus(left: Value, right: Value) -> Value:
    """Return the difference of two numbers, or a list without the given members.

    Each given member removes only one of several equal members: two cards in a hand can be equal.
    """
    if isinstance(left, tuple):
        kept = list(left)
        for one in right if isinstance(right, tuple) else (right,):
            if one in kept:
                kept.remove(one)
        return tuple(kept)
    return bounded(_number(left) - _number(right))


def _in(left: Value, right: Value) -> bool:
    return isinstance(right, tuple) and left in right


def _sized(compare: Callable[[int, int], bool]) -> Callable[[Value, Value], bool]:
    return lambda left, right: isinstance(left, int) and isinstance(right, int) and compare(left, right)


SIGNS: Mapping[str, Callable[[Value, Value], Value]] = {
    "=": _same,
    "!=": lambda left, right: not _same(left, right),
    "<": _sized(int.__lt__),
    "<=": _sized(int.__le__),
    ">": _sized(int.__gt__),
    ">=": _sized(int.__ge__),
    "in": _in,
    "+": _plus,
    "-": _minus,
    "*": lambda left, right: bounded(_number(left) * _number(right)),
}


# --- functions --------------------------------------------------------------------------------------------------------


class Function(NamedTuple):
    """A function of the language.

    `asks`: computes the value. `takes`: the fewest and most arguments. `names`: the kind of name that the first
    argument is, if it is a name.
    """

    asks: Callable[..., Value]
    takes: tuple[int, int]
    names: str = ""


def _unit(asked: EvaluationContext, unit: Value) -> Unit | None:
    found = asked.game.units.get(unit) if isinstance(unit, str) else None
    return None if found is None or found.fate else found


def _of_unit(field: str) -> Callable[[EvaluationContext, Value], Value]:
    def asks(asked: EvaluationContext, unit: Value) -> Value:
        found = _unit(asked, unit)
        return None if found is None else str(getattr(found, field))

    return asks


def _attribute(asked: EvaluationContext, unit: Value, name: Value) -> Value:
    found = _unit(asked, unit)
    return None if found is None else found.get(str(name))


def _choice(asked: EvaluationContext, question: Value, side: Value = None) -> Value:
    found = asked.game.choices.get(choice_key(str(question), str(side or asked.side)))
    return None if found is None or found.sealed or not found.known else found.choice


def _answered(asked: EvaluationContext, question: Value, side: Value = None) -> bool:
    return choice_key(str(question), str(side or asked.side)) in asked.game.choices


def _sealed(asked: EvaluationContext, question: Value, side: Value = None) -> bool:
    return has_sealed(asked.game, str(side or asked.side), str(question))


def has_sealed(game: Game, side: str, question: str) -> bool:
    """Check whether a side's answer to a question is sealed, which every side may know."""
    found = game.choices.get(choice_key(question, side))
    return found is not None and found.sealed


def _several(found: Value) -> tuple[str, ...]:
    return found if isinstance(found, tuple) else ()


def _size(asked: EvaluationContext, several: Value) -> int:
    return len(_several(several))


def _divided(asked: EvaluationContext, number: Value, by: Value) -> int:
    return _number(number) // _number(by) if _number(by) else 0


def _distance(asked: EvaluationContext, one: Value, other: Value) -> int | None:
    if not isinstance(one, str) or not isinstance(other, str):
        return None
    return distance(board_in(asked.game.tables), one, other)


def _beside(asked: EvaluationContext, one: Value, other: Value) -> bool:
    return _distance(asked, one, other) == 1


def _stepwise(asked: EvaluationContext, start: Value, path: Value) -> bool:
    """Check that consecutive places of a path are neighbors. The path may begin with the start itself."""
    places = (str(start), *_several(path))
    return all(_distance(asked, *two) == 1 for two in pairwise(places) if two[0] != two[1] or two != places[:2])


FUNCTIONS: Mapping[str, Function] = {
    "marker": Function(lambda asked, name: asked.game.markers.get(str(name)), (1, 1), "marker"),
    "account": Function(lambda asked, name: asked.game.accounts.get(str(name), 0), (1, 1), "account"),
    "option": Function(lambda asked, name: asked.game.options.get(str(name)), (1, 1), "option"),
    "count": Function(lambda asked, *parts: 0, (0, 1)),
    "sum": Function(lambda asked, *parts: 0, (1, 2)),
    "size": Function(_size, (1, 1)),
    "first": Function(lambda asked, several: next(iter(_several(several)), None), (1, 1)),
    "last": Function(lambda asked, several: next(reversed(_several(several)), None), (1, 1)),
    "shared": Function(lambda asked, one, other: sum(each in _several(other) for each in _several(one)), (2, 2)),
    "smaller": Function(lambda asked, one, other: min(_number(one), _number(other)), (2, 2)),
    "larger": Function(lambda asked, one, other: max(_number(one), _number(other)), (2, 2)),
    "divided": Function(_divided, (2, 2)),
    "distance": Function(_distance, (2, 2)),
    "beside": Function(_beside, (2, 2)),
    "stepwise": Function(_stepwise, (2, 2)),
    "row": Function(lambda asked, name: asked.row.get(str(name)), (1, 1)),
    "attribute": Function(_attribute, (2, 2)),
    "side_of": Function(_of_unit("side"), (1, 1)),
    "kind_of": Function(_of_unit("kind"), (1, 1)),
    "place_of": Function(_of_unit("at"), (1, 1)),
    "in_play": Function(lambda asked, unit: _unit(asked, unit) is not None, (1, 1)),
    "choice": Function(_choice, (1, 2)),
    "answered": Function(_answered, (1, 2)),
    "sealed": Function(_sealed, (1, 2)),
    "member": Function(lambda asked, loop: asked.game.cursor.item(str(loop)), (1, 1), "place"),
    "passes": Function(lambda asked, loop: pass_number(asked.game.cursor, str(loop)), (1, 1), "place"),
}
"""All functions by name. The function `value` evaluates `count` and `sum` itself, for each unit."""
