"""Present an order as a form: a field for each argument with its choices, and the rolls of the filled-in order.

Fields come from the type of the order, choices from the title's suggestions and from the game as the seat knows it. The
module knows no specific order. A filled-in form is tried on that knowledge, with dice from their own seed. So it shows
whether the rules accept the order and which dice the table has to roll; nothing is recorded.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import inspect as shape

from umpire_ledger.desk.core.errors import EXPECTED, Problem, problem_of
from umpire_ledger.desk.orders.completion import CompletionContext, choices_for
from umpire_ledger.desk.orders.order_arguments import (
    Argument,
    UnreadableWord,
    arguments_of,
    commas_in_places,
    joined,
    pieces,
    positional,
    range_of,
    whole_places,
)
from umpire_ledger.desk.orders.typed_orders import Typed, order_named, short_form, usage_of
from umpire_ledger.domain.game.dice_notation import parse
from umpire_ledger.domain.game.events import DiceRolled
from umpire_ledger.domain.game.orders import UNIT, Order
from umpire_ledger.domain.kit.title import Title

FieldKind = Literal["flag", "number", "choice", "name", "path", "text", "lines", "words"]
MOST_LIKELY, MOST_OTHERS = 24, 400
"""Maximum numbers of choices to show, and of names to offer below them."""
MOST_DIGITS = 10
Given = Mapping[str, Sequence[str]]
"""The filled-in form: the words of each argument, as a person would type them."""


class FormField(msgspec.Struct, frozen=True, kw_only=True):
    """An argument as a field. `names`: the kind of thing that it names; `several`: several may be chosen.

    `kind`: flag; number, from `least` to `most`; choice, from `choices` only; name, even one that is not listed; path,
    places in sequence; text, a sentence; lines, one word on each; words, in the `form`. `choices`: likely values; for a
    path, the next places; for counted names, each name with the count 1. `others`: more values of the kind. `chosen`:
    the filled-in values, `text`: the same as typed. `beside`: the argument is optional, not the subject of the order.
    """

    name: str
    kind: FieldKind
    names: str
    says: str
    form: str
    required: bool
    several: bool
    beside: bool
    choices: tuple[str, ...]
    others: tuple[str, ...]
    chosen: tuple[str, ...]
    text: str
    least: int | None = None
    most: int | None = None


class RollAsked(msgspec.Struct, frozen=True, kw_only=True):
    """Dice that the order would roll. `pips`: the number of dice results that it takes, each from 1 to `faces`."""

    purpose: str
    dice: str
    pips: int
    faces: int


class OrderForm(msgspec.Struct, frozen=True, kw_only=True):
    """An order as a form. `from_table`: the group rolls and enters the results; else the ledger rolls.

    `complete`: all required fields are filled in, and the order was tried. Then the form has `rolls` and `typed`, or
    the refusal `problem`. The number of dice may depend on the results of earlier dice.
    """

    order: str
    help: str
    usage: str
    fields: tuple[FormField, ...]
    from_table: bool
    complete: bool
    typed: str = ""
    rolls: tuple[RollAsked, ...] = ()
    problem: Problem | None = None


def words_of_form(name: str, given: Given, pips: Sequence[int] = ()) -> list[str]:
    """Return the filled-in form as the words that a person would type."""
    words = [name]
    for argument, said in given.items():
        option = "--" + argument.replace("_", "-")
        words += [f"{option}={one}" for one in said if one.strip()]
    return [*words, *([f"--pips={','.join(map(str, pips))}"] if pips else [])]


def fields_of(context: CompletionContext, name: str, given: Given) -> tuple[FormField, ...]:
    """Return the fields of an order with their choices, required ones first.

    Raises:
        UnknownName: When the title does not have the order.
    """
    order = order_named(context.title, name, context.game.where)
    words = {one: list(said) for one, said in given.items()}
    placed = positional(order)
    arguments = sorted(arguments_of(order), key=lambda one: (one not in placed, not one.own))
    return tuple(_field(context, order, one, words, one in placed) for one in arguments)


def _field(
    context: CompletionContext, order: type[Order], argument: Argument, given: Mapping[str, list[str]], placed: bool
) -> FormField:
    kind, said = _kind_of(argument), given.get(argument.name, [])
    chosen = _chosen(context, argument, said) if kind in ("name", "path", "choice") else tuple(said)
    likely: Sequence[str] = ()
    others: Sequence[str] = ()
    if kind not in ("flag", "number"):
        typed = Typed([], {name: words for name, words in given.items() if name != argument.name}, "")
        before = chosen if kind == "path" else ()
        likely, others = choices_for(context, order, typed, argument, before)
    if kind == "choice":
        likely, others = argument.choices, ()
    if kind == "path" and (
        chosen or any(given.get(other.name) for other in arguments_of(order) if other.names == UNIT)
    ):
        likely, others = list(dict.fromkeys((*likely, *others))), ()
    if not likely and kind != "path":
        likely, others = others, ()
    if kind == "lines" and argument.is_counted:
        likely = ["{}", *likely]
    number = _number_of(argument.type)
    return FormField(
        name=argument.name,
        kind=kind,
        names=argument.names,
        says="; ".join(filter(None, (argument.says, range_of(argument.type)))),
        form=argument.metavar,
        required=argument.required,
        several=argument.is_many,
        beside=not placed,
        choices=tuple(likely[:MOST_LIKELY]),
        others=tuple(one for one in (*likely[MOST_LIKELY:], *others) if one not in likely[:MOST_LIKELY])[:MOST_OTHERS],
        chosen=chosen,
        text=("\n" if kind == "lines" else ",").join(said) if kind != "path" else joined(chosen),
        least=number.ge if number else None,
        most=number.le if number else None,
    )


def _kind_of(argument: Argument) -> FieldKind:
    item = argument.type.item_type if isinstance(argument.type, shape.VarTupleType) else argument.type
    if argument.is_flag:
        return "flag"
    if isinstance(argument.type, shape.IntType):
        return "number"
    if argument.choices:
        return "choice"
    if argument.lists_places:
        return "path"
    if isinstance(item, shape.DictType) and item is not argument.type:
        return "lines"
    if argument.names and not isinstance(argument.type, shape.DictType):
        return "name"
    if argument.is_text:
        return "text"
    if isinstance(item, shape.StructType):
        return "lines" if argument.is_many else "words"
    return "name" if isinstance(item, shape.StrType) else "words"


def with_choices(title: Title, name: str, given: Given, more: Given) -> dict[str, list[str]]:
    """Return the filled-in fields with further choices: a list gets one more, a count goes up, a word is replaced.

    Raises:
        UnknownName: When the title does not have the order.
    """
    arguments = {one.name: one for one in arguments_of(order_named(title, name))}
    nested = {one.name for one in arguments.values() if one.is_nested}
    found = {
        one: [line for word in said for line in word.splitlines()] if one in nested else list(said)
        for one, said in given.items()
    }
    for one, words in more.items():
        for word in words:
            found[one] = _with_word(arguments.get(one), found.get(one, []), word)
    return found


def _with_word(argument: Argument | None, said: list[str], word: str) -> list[str]:
    if argument is not None and argument.may_list:
        return _toggled(said, word)
    if argument is None or not argument.is_many:
        return [word]
    return _counted([*said, word]) if argument.is_counted and not argument.is_nested else [*said, word]


def _toggled(said: Sequence[str], word: str) -> list[str]:
    """Return the words with one more; without it if it was among them."""
    words = [piece for one in said for piece in pieces(one)]
    return [",".join([one for one in words if one != word] if word in words else [*words, word])]


def _counted(words: Sequence[str]) -> list[str]:
    """Return counted names with the sum of each: cruiser=1, cruiser=1 becomes cruiser=2."""
    counts = Counter[str]()
    for piece in (piece for word in words for piece in pieces(word)):
        name, _, count = piece.partition("=")
        counts[name] += int(count) if count.isdecimal() and len(count) < MOST_DIGITS else 1
    return [f"{name}={count}" for name, count in counts.items()]


def _number_of(type: shape.Type) -> shape.IntType | None:
    return type if isinstance(type, shape.IntType) else None


def _chosen(context: CompletionContext, argument: Argument, said: Sequence[str]) -> tuple[str, ...]:
    """Return the names in a filled-in field."""
    try:
        read = (
            argument.read(whole_places(said, commas_in_places(context.game)) if argument.lists_places else said)
            if said
            else []
        )
    except UnreadableWord:
        return tuple(said)
    return tuple(map(str, read if isinstance(read, (list, tuple)) else [read]))


def _as_said(order: type[Order], given: Given) -> Iterator[tuple[str, list[str]]]:
    """Yield the arguments that are not empty; for an argument with one value, the last word."""
    several = {one.name for one in arguments_of(order) if one.is_many}
    for name, said in given.items():
        words = [word for word in said if word.strip()]
        if words:
            yield name, words if name in several else words[-1:]


def _asked(roll: DiceRolled) -> RollAsked:
    dice = parse(roll.dice)
    return RollAsked(purpose=roll.purpose, dice=roll.dice, pips=dice.number, faces=dice.faces)


def form_of(
    context: CompletionContext,
    name: str,
    given: Given,
    read: Callable[[list[str]], dict[str, Any]],
    thrown: Callable[[Mapping[str, Any]], Iterable[DiceRolled]],
) -> OrderForm:
    """Return the filled-in form of an order.

    Args:
        read: Returns the words as an order.
        thrown: Returns the rolls of that order.

    Raises:
        UnknownName: When the title does not have the order.
    """
    order = order_named(context.title, name, context.game.where)
    given = dict(_as_said(order, given))
    fields = fields_of(context, name, given)
    complete = all(one.chosen for one in fields if one.required)
    rolls: tuple[RollAsked, ...] = ()
    typed, problem = "", None
    if complete:
        try:
            raw = read(words_of_form(name, given))
            typed = short_form(context.title, raw, commas=commas_in_places(context.game))
            rolls = tuple(map(_asked, thrown(raw)))
        except EXPECTED as error:
            problem = problem_of(error)
    return OrderForm(
        order=name,
        help=" ".join((order.__doc__ or "").split("\n\n")[0].split()),
        usage=usage_of(order),
        fields=fields,
        from_table=context.game.dice == "table",
        complete=complete,
        typed=typed,
        rolls=rolls,
        problem=problem,
    )
