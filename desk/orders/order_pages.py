"""Explain an order by its typed form, its arguments and an example, and list the orders that are available now."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import msgspec

from umpire_ledger.desk.orders.completion import CompletionContext, order_names
from umpire_ledger.desk.orders.order_arguments import Argument, arguments_of, commas_in_places, positional, range_of
from umpire_ledger.desk.orders.order_examples import example_of
from umpire_ledger.desk.orders.typed_orders import BESIDE, order_named, short_form, usage_of, words_of_arguments
from umpire_ledger.domain.game.orders import ANYTIME_ORDERS, REFEREE_ORDERS, Order
from umpire_ledger.domain.kit.title import Title

KINDS = {
    "unit": "a unit",
    "place": "a place",
    "side": "a side",
    "seat": "a seat",
    "step": "an open step",
    "any step": "a step or heading in the sequence",
    "answer": "an answer that the step asks for",
    "member": "one that can be picked",
    "attribute": "an attribute of the unit",
    "account": "an account",
    "marker": "a marker",
    "dispute": "a dispute that is open",
}
MOST = 12
"""Maximum number of suggested orders to show."""


class ArgumentLine(msgspec.Struct, frozen=True, kw_only=True):
    """An argument of an order. `form`: its typed form; `by_position`: whether it is positional, not an option."""

    name: str
    form: str
    says: str
    required: bool
    by_position: bool


class OrderPage(msgspec.Struct, frozen=True, kw_only=True):
    """An explained order. `usage`: its short form; `example`: a typed example with its seat.

    `here`: whether the rules would accept the example now; else it comes from another game.
    """

    order: str
    help: str
    usage: str
    arguments: tuple[ArgumentLine, ...]
    beside: tuple[ArgumentLine, ...]
    example: str
    example_json: str
    steps: tuple[str, ...]
    here: bool = False


class AvailableOrder(msgspec.Struct, frozen=True, kw_only=True):
    """An order that can be given now."""

    order: str
    usage: str
    help: str


class Suggestion(msgspec.Struct, frozen=True, kw_only=True):
    """A concrete order that the rules would accept. `dice`: the number of dice results that the table enters with it.

    `given`: the words of each argument, as a form takes them.
    """

    order: dict[str, Any]
    given: dict[str, tuple[str, ...]]
    typed: str
    dice: int


class Openings(msgspec.Struct, frozen=True, kw_only=True):
    """The orders that a seat can give now. `worth_trying`: concrete orders that the rules would accept, as typed.

    `suggestions`: the same orders as objects.
    """

    where: str
    now: tuple[AvailableOrder, ...]
    always: tuple[str, ...]
    worth_trying: tuple[str, ...]
    suggestions: tuple[Suggestion, ...] = ()


def page_of_order(
    title: Title, name: str, example: dict[str, Any] | None = None, where: str = "", commas: int = 0
) -> OrderPage:
    """Return the explanation of an order.

    Args:
        example: An order from the current game, whose places each have `commas` commas.

    Raises:
        UnknownName: When the title does not have the order; its remedy suggests similar names.
    """
    order = order_named(title, name, where)
    shown = example or example_of(title, order)
    return OrderPage(
        order=order.tag(),
        help=" ".join((order.__doc__ or "").split("\n\n")[0].split()),
        usage=usage_of(order),
        arguments=tuple(_lines(order)),
        beside=tuple(
            ArgumentLine(name=name, form=f"{option} {form}", says=says, required=False, by_position=False)
            for option, (name, form, says) in BESIDE.items()
            if name != "as"
        ),
        example=short_form(title, shown, seat=True, commas=commas if example else 0),
        example_json=msgspec.json.encode(shown).decode(),
        steps=tuple(step.id for step in title.plan.leaves() if order in step.allows),
        here=example is not None,
    )


def page_in_game(context: CompletionContext, name: str, worth: Iterable[tuple[Order, tuple[int, ...]]]) -> OrderPage:
    """Return the explanation with an example that the rules would accept now, if `worth` has such an order."""
    order_named(context.title, name, context.game.where)
    found = next(((one, pips) for one, pips in worth if one.tag() == name), None)
    shown = {**msgspec.to_builtins(found[0]), **({"pips": list(found[1])} if found[1] else {})} if found else None
    return page_of_order(context.title, name, shown, context.game.where, commas_in_places(context.game))


def _unthrown(pips: Sequence[int]) -> dict[str, Any]:
    """Return one placeholder for each die that the table has to roll."""
    return {"pips": ["N"] * len(pips)} if pips else {}


def _lines(order: type[Order]) -> Iterator[ArgumentLine]:
    placed = positional(order)
    for argument in (*placed, *(one for one in arguments_of(order) if one not in placed)):
        form = (
            argument.metavar
            if argument in placed
            else argument.option
            if argument.is_flag
            else f"{argument.option} {argument.metavar}"
        )
        yield ArgumentLine(
            name=argument.name,
            form=form,
            says=_says(order, argument),
            required=argument.required,
            by_position=argument in placed,
        )


def _says(order: type[Order], argument: Argument) -> str:
    """Return the description of an argument, or its kind if it has none, and its range."""
    kind = KINDS.get(argument.names, "")
    several = f"{kind}, several separated by commas" if kind and argument.is_many else kind
    return "; ".join(filter(None, (argument.says or several, range_of(argument.type))))


def openings_of(context: CompletionContext, worth: Iterable[tuple[Order, tuple[int, ...]]]) -> Openings:
    """Return the orders that the seat can give now. `worth`: concrete orders that the rules would accept."""
    title, known = context.title, context.title.every_order
    anytime = {order.tag() for order in (*ANYTIME_ORDERS, *REFEREE_ORDERS)}
    names, commas = order_names(context), commas_in_places(context.game)
    few = list(islice(worth, MOST))
    return Openings(
        where=context.game.where or "no sequence of play: any order, any time",
        now=tuple(
            AvailableOrder(order=name, usage=usage_of(known[name]), help=(known[name].__doc__ or "").split("\n")[0])
            for name in names
            if name not in anytime and name in known
        ),
        always=tuple(name for name in names if name in anytime),
        worth_trying=tuple(
            short_form(title, {**msgspec.to_builtins(one), **_unthrown(pips)}, seat=True, commas=commas)
            for one, pips in few
        ),
        suggestions=tuple(
            Suggestion(
                order=msgspec.to_builtins(one),
                given=words_of_arguments(type(one), msgspec.to_builtins(one)),
                typed=short_form(title, msgspec.to_builtins(one), commas=commas),
                dice=len(pips),
            )
            for one, pips in few
        ),
    )
