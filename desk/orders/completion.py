"""Complete a typed order: suggest the next order, option or value of an argument, the likeliest first.

Values come from the title's suggested orders that agree with the typed words, then from the game by the kind of thing
that the argument names: units of the seat, places next to the last one, open steps, loop members. The game is read as
the seat knows it, so suggestions reveal nothing else.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.desk.orders.order_arguments import (
    Argument,
    UnreadableWord,
    arguments_of,
    commas_in_places,
    positional,
)
from umpire_ledger.desk.orders.typed_orders import BESIDE, Typed, sort_words
from umpire_ledger.desk.orders.typo_check import given_at, givers_now
from umpire_ledger.domain.flow.automatic_moves import ahead_of
from umpire_ledger.domain.flow.available_orders import offers_here, passes_until_dice
from umpire_ledger.domain.flow.open_steps import answers_for, free_members, open_steps, waiting_loop, waits_in
from umpire_ledger.domain.game.errors import RuleViolation, TitleFault
from umpire_ledger.domain.game.orders import ANYTIME_ORDERS, PLACE, REFEREE_ORDERS, SIDE, UNIT, Order, Rewind, Roll
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.suggested_orders import suggested
from umpire_ledger.projections.tables.seat_visibility import seats_at

DICE = tuple(f"{number}d{faces}" for faces in (6, 10) for number in (1, 2, 3, 4))
"""Dice that games often roll."""


class Completion(NamedTuple):
    """A word that may come next, with its description. `ends`: the word is complete."""

    word: str
    says: str = ""
    ends: bool = True


class CompletionContext(NamedTuple):
    """A title, a seat, and the game as that seat knows it. `disputes`: returns the open disputes from the log."""

    title: Title
    game: Game
    seat: str
    disputes: Callable[[], Iterable[str]] = tuple

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides for which the seat may type: its own; for the referee, all."""
        side = self.game.side_of(self.seat)
        return (side,) if side else self.game.side_ids if self.seat == REFEREE else ()


def completions(context: CompletionContext, words: Sequence[str], incomplete: str) -> list[Completion]:
    """Return the words that may come next and begin with the incomplete word."""
    if not words:
        return list(_orders(context, incomplete))
    order = context.title.every_order.get(words[0])
    if order is None:
        return []
    try:
        typed = sort_words(context.title, order, words[1:])
    except WrongUse:
        return []
    if typed.open_option:
        return list(_behind_option(context, order, typed, incomplete))
    if incomplete.startswith("-"):
        return list(_options(order, typed, incomplete))
    argument, before = _in_hand(order, typed)
    if argument is None:
        return list(_options(order, typed, incomplete))
    return _values(context, order, typed, argument, [*before, incomplete])


# --- orders and options -----------------------------------------------------------------------------------------------


def order_names(context: CompletionContext) -> list[str]:
    """Return the orders that the seat can give now, those of its sides first, then those allowed at any time."""
    title, game = context.title, context.game
    now = [name for side in context.sides for name in _offered(title, game, side)]
    always = [order.tag() for order in ANYTIME_ORDERS if context.sides]
    referee = [order.tag() for order in REFEREE_ORDERS if context.seat == REFEREE]
    return list(dict.fromkeys((*now, *always, *referee)))


def _offered(title: Title, game: Game, side: str) -> list[str]:
    try:
        if title.sequence is None:
            return [one.order.tag() for one in title.orders]
        if game.ended:
            return []
        ahead = ahead_of(title, game, side)
        return [*offers_here(title, game, side), *(offers_here(title, ahead.game, side) if ahead else ())]
    except TitleFault:
        return []


def _orders(context: CompletionContext, incomplete: str) -> Iterator[Completion]:
    """Yield the available orders that begin with the word; if there are none, all such orders of the seat."""
    known = context.title.every_order
    found = [one for one in order_names(context) if one.startswith(incomplete)]
    for name in found or [one for one in known if one.startswith(incomplete) and _may_ever_give(context, known[one])]:
        yield Completion(name, (known[name].__doc__ or "").split("\n")[0])


def _may_ever_give(context: CompletionContext, order: type[Order]) -> bool:
    """Return whether the seat could give the order at some step. Only the referee gives the referee's orders."""
    is_of_the_referee = order in REFEREE_ORDERS and order is not Rewind
    return bool(context.sides) and (context.seat == REFEREE or not is_of_the_referee)


def _options(order: type[Order], typed: Typed, incomplete: str) -> Iterator[Completion]:
    given = {*typed.by_option, *(one.name for one in positional(order)[: len(typed.by_position)])}
    for one in arguments_of(order):
        if one.name not in given and one.option.startswith(incomplete):
            yield Completion(one.option, one.says or one.metavar)
    for option, (name, _, says) in BESIDE.items():
        if name not in given and option.startswith(incomplete):
            yield Completion(option, says)


def _behind_option(
    context: CompletionContext, order: type[Order], typed: Typed, incomplete: str
) -> Iterable[Completion]:
    argument = next((one for one in arguments_of(order) if one.option.startswith(typed.open_option)), None)
    if argument is not None:
        return _values(context, order, typed, argument, [*typed.by_option.get(argument.name, ()), incomplete])
    seats = _authors(context) if typed.open_option == "--as" else ()
    return [Completion(seat) for seat in seats if seat.startswith(incomplete)]


def _authors(context: CompletionContext) -> Iterable[str]:
    """Return the seats whose orders this seat may enter: all seats for the referee, else only the seat itself."""
    return seats_at(context.game) if context.seat == REFEREE else (context.seat,)


def _in_hand(order: type[Order], typed: Typed) -> tuple[Argument | None, list[str]]:
    """Return the argument of the next word, and the words that it already has; None if all arguments are complete."""
    places = [one for one in positional(order) if one.name not in typed.by_option]
    at = len(typed.by_position)
    if at < len(places):
        return places[at], []
    if places and places[-1].is_many:
        return places[-1], list(typed.by_position[len(places) - 1 :])
    return None, []


def choices_for(
    context: CompletionContext, order: type[Order], typed: Typed, argument: Argument, before: Sequence[str] = ()
) -> tuple[list[str], list[str]]:
    """Return values of an argument that agree with the other arguments: the likely ones, and all of its kind.

    Args:
        before: The places that a path already has; the values are then the next places.
    """
    given = _given(order, typed, argument)
    likely = _likely(context, order, given, argument, before)
    every = _of_its_kind(context, order, given, argument, before)
    return [one for one in dict.fromkeys(likely) if one not in before], [
        one for one in dict.fromkeys(map(str, every)) if one not in before
    ]


# --- values of an argument --------------------------------------------------------------------------------------------


def _values(
    context: CompletionContext, order: type[Order], typed: Typed, argument: Argument, words: Sequence[str]
) -> list[Completion]:
    """Return completions of the last word, whose last name is incomplete."""
    *whole, last = words
    by_semicolon = ";" in last or (argument.lists_places and commas_in_places(context.game) > 0)
    separator = (";" if by_semicolon else ",") if argument.is_many else ""
    head, found, tail = last.rpartition(separator) if separator else ("", "", last)
    before = _names(argument, [*whole, head] if head else whole)
    given = _given(order, typed, argument)
    likely = list(_likely(context, order, given, argument, before))
    values = [one for one in likely if one.startswith(tail)] or [
        one for one in _of_its_kind(context, order, given, argument, before) if one.startswith(tail)
    ]
    more = argument.is_many
    return [Completion(f"{head}{found}{one}", ends=not more) for one in dict.fromkeys(values) if one not in before]


def _names(argument: Argument, words: Sequence[str]) -> list[str]:
    try:
        read = argument.read(words) if words else []
    except UnreadableWord:
        return []
    return [str(one) for one in read] if isinstance(read, (list, dict)) else []


def _given(order: type[Order], typed: Typed, argument: Argument) -> dict[str, Any]:
    """Return the values of the other arguments."""
    places = [one for one in positional(order) if one.name not in typed.by_option]
    words = {one.name: [word] for one, word in zip(places, typed.by_position, strict=False)} | typed.by_option
    found: dict[str, Any] = {}
    for one in arguments_of(order):
        if one.name in words and one.name != argument.name:
            try:
                found[one.name] = one.read(words[one.name])
            except UnreadableWord:
                continue
    return found | ({"as": typed.by_option["as"][-1]} if "as" in typed.by_option else {})


def _likely(
    context: CompletionContext, order: type[Order], given: Mapping[str, Any], argument: Argument, before: Sequence[str]
) -> Iterator[str]:
    """Yield the values of the argument in the suggested orders that agree with the typed words."""
    for raw in _ideas(context, order, given):
        value = raw.get(argument.name)
        if isinstance(value, dict):
            yield from (f"{name}={one}" for name, one in value.items())
        elif argument.is_nested:
            yield from argument.write(value) if value else ()
        elif not isinstance(value, (list, tuple)):
            yield from argument.write(value) if value not in (None, "") else ()
        elif argument.names != PLACE:
            yield from map(str, value)
        elif list(value[: len(before)]) == list(before) and len(value) > len(before):
            yield str(value[len(before)])


def _ideas(context: CompletionContext, order: type[Order], given: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for side in _givers(context, order, given):
        try:
            stands = given_at(context.title, context.game, order, side)
            tried = [one for one in suggested(context.title, stands, order, side) if isinstance(one, order)]
        except TitleFault:
            continue
        for one in tried if order in context.title.tries else ():
            raw: dict[str, Any] = msgspec.to_builtins(one)
            if all(_agrees(raw.get(name), value) for name, value in given.items() if name != "as"):
                yield raw


def _agrees(idea: object, typed: object) -> bool:
    if isinstance(idea, (list, tuple, dict)) and isinstance(typed, (list, tuple, dict)):
        return set(map(str, typed)) <= set(map(str, idea))
    return idea == typed


def _givers(context: CompletionContext, order: type[Order], given: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the sides that could give the order."""
    if "as" in given:
        return (context.game.side_of(str(given["as"])),)
    now = [one for one in givers_now(context.title, context.game, order) if one in context.sides]
    return tuple(now) or context.sides


def _of_its_kind(
    context: CompletionContext, order: type[Order], given: Mapping[str, Any], argument: Argument, before: Sequence[str]
) -> Iterable[str]:
    title, game, kind = context.title, context.game, argument.names
    if argument.choices:
        return [one.replace(" ", "-") for one in argument.choices]
    of_the_title = title.names_for(order, argument.name, kind)
    if of_the_title is not None:
        return of_the_title(game)
    if kind == PLACE:
        return _places(context, order, given, argument, before)
    if kind == UNIT and argument.is_counted:
        return (f"{unit.id}=1" for side in _givers(context, order, given) for unit in game.in_play(side))
    if kind == UNIT:
        own = [unit.id for side in _givers(context, order, given) for unit in game.in_play(side)]
        return (*own, *sorted(unit.id for unit in game.units.values() if not unit.fate))
    found: Mapping[str, Iterable[str]] = {
        SIDE: game.side_ids,
        "seat": tuple(seats_at(game)),
        "step": (one.step for one in game.cursor.open),
        "any step": title.plan.places,
        "answer": _answers(context),
        "member": _members(context),
        "account": sorted(game.accounts),
        "dice": DICE,
        "marker": sorted(game.markers),
        "dispute": context.disputes() if kind == "dispute" else (),
    }
    return found.get(kind or ("dice" if issubclass(order, Roll) and argument.name == "dice" else ""), ())


def _answers(context: CompletionContext) -> Iterator[str]:
    title, game = context.title, context.game
    for step in open_steps(title, game):
        for side in waits_in(game, step):
            if side in context.sides:
                yield from (answer.name for answer in answers_for(title, game, step, side))


def _members(context: CompletionContext) -> tuple[str, ...]:
    loop = waiting_loop(context.title, context.game)
    is_awaited = any(side in context.sides for side in context.game.cursor.waiting())
    return free_members(context.title, context.game, loop) if loop is not None and is_awaited else ()


def _places(
    context: CompletionContext, order: type[Order], given: Mapping[str, Any], argument: Argument, before: Sequence[str]
) -> list[str]:
    """Return the places, next to the last one or else with units, that the rules allow; all if the rules allow none."""
    title, game = context.title, context.game
    units = [game.units[name] for name in _units_in(order, given) if name in game.units]
    at = before[-1] if before else units[0].at if units else ""
    if units and not before and argument.begins_at_start:
        return [at]
    beside = title.next_to(game, at) if at else ()
    places = list(beside) or sorted({unit.at for unit in game.units.values() if not unit.fate})
    seat = next(iter(_givers(context, order, given)), "")
    allowed = [one for one in places if _may_go(context, order, {**given, "as": seat}, argument, [*before, one])]
    return allowed or places


def _units_in(order: type[Order], given: Mapping[str, Any]) -> Iterator[str]:
    for one in arguments_of(order):
        if one.names == UNIT and one.required and one.name in given:
            value = given[one.name]
            yield from [value] if isinstance(value, str) else value


def _may_go(
    context: CompletionContext, order: type[Order], given: Mapping[str, Any], argument: Argument, path: Sequence[str]
) -> bool:
    try:
        one = msgspec.convert(
            {"order": order.tag(), **given, argument.name: list(path) if argument.is_many else path[-1]}, order
        )
        return passes_until_dice(context.title, given_at(context.title, context.game, order, str(given["as"])), one)
    except (msgspec.ValidationError, RuleViolation, TitleFault):
        return False
