"""Translate typed orders, such as `board athens-3 syracuse-1 @3,4`, to JSON objects as in an order file, and back.

`order_arguments` reads each argument. Every order also takes `--as`, `--pips`, `--id`, `--leave`, `--happened-at` and
`--witness`.
"""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.desk.core.tokenizer import split, typed_sentence
from umpire_ledger.desk.orders.order_arguments import (
    Argument,
    UnreadableWord,
    arguments_of,
    commas_in_places,
    pieces,
    plain_place,
    positional,
    whole_places,
)
from umpire_ledger.desk.orders.typo_check import givers_now, unknown_name, wrong_step
from umpire_ledger.domain.game.dice_notation import NOTATION
from umpire_ledger.domain.game.nearest import nearest
from umpire_ledger.domain.game.order_json import no_such_order
from umpire_ledger.domain.game.orders import UNIT, Order
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.kit.title import Title

BESIDE = {
    "--as": ("as", "SEAT", "the seat that gives the order"),
    "--pips": ("pips", "N,…", "dice results from the table, in order"),
    "--id": ("id", "ID", "an order sent twice with the same id counts once"),
    "--leave": ("leave", "here|STEP", "also end the step, or every step up to that one"),
    "--happened-at": ("happened_at", "TIME", "when it happened, if it is entered late (RFC 3339)"),
    "--witness": ("witness", "NAME", "who saw it"),
}
"""Options of every order: each with its name in JSON, its form and its description."""


DICE = re.compile(r"@[0-9]+(,[0-9]+)*")
"""`@3,4` is short for `--pips 3,4`, because dice are entered often."""


class Typed(NamedTuple):
    """The typed words, by position and by option. An option has its name in JSON."""

    by_position: list[str]
    by_option: dict[str, list[str]]
    open_option: str
    """The last option as typed, if it has no value yet; else ""."""


def read_typed(
    title: Title,
    words: Sequence[str],
    where: str = "",
    commas: int = 0,
    known: Mapping[str, type[Order]] | None = None,
) -> dict[str, Any]:
    """Return the JSON object of a typed order.

    Args:
        commas: The number of commas in the name of every place.
        known: The orders that may be typed, by name; by default those of the title.

    Raises:
        UnknownName: When the title does not have the order.
        WrongUse: When an option is unknown, or an argument is missing, surplus or invalid.
    """
    order = order_named(title, words[0] if words else None, where, known)
    typed = sort_words(title, order, words[1:])
    if typed.open_option:
        raise _wrong(title, order, f"{typed.open_option} needs a value", "write it after the option")
    typed = _dice_as_option(order, typed)
    given = {**_by_position(title, order, typed), **typed.by_option}
    return {"order": order.tag(), **dict(_values(title, order, given, commas))}


def typed_by(title: Title, game: Game, words: str | Sequence[str], hand: str) -> dict[str, Any]:
    """Return the JSON object of a typed order with its seat.

    The seat is `--as`; else, if the referee types, the only seat that can give the order; else the typing seat. An
    order at a wrong step is refused before its arguments are checked.

    Raises:
        RuleViolation: When no open step accepts the order.
    """
    said = split(words) if isinstance(words, str) else list(words)
    order = order_named(title, said[0] if said else None, game.where)
    try:
        raw = read_typed(title, said, game.where, commas_in_places(game))
    except WrongUse:
        givers = givers_now(title, game, order)
        misplaced = wrong_step(title, game, order, givers[0] if givers and hand == REFEREE else hand)
        if misplaced is not None:
            raise misplaced from None
        raise
    return raw if "as" in raw else {"as": _author_of(title, game, order, raw, hand), **raw}


def typed_in_place(
    title: Title, game: Game, words: str | Sequence[str], seat: str, *, before: bool = False
) -> dict[str, Any]:
    """Return the JSON object of an order that will replace an order of this seat, or come before it.

    The author is this seat, except that the referee enters an order before it that only other seats can give. The
    errors are those of `typed_by`.
    """
    said = split(words) if isinstance(words, str) else list(words)
    if before and said:
        givers = givers_now(title, game, order_named(title, said[0], game.where))
        seat = REFEREE if givers and seat not in givers else seat
    return typed_by(title, game, said, seat)


def _author_of(title: Title, game: Game, order: type[Order], raw: Mapping[str, Any], hand: str) -> str:
    """Return the author of an order without `--as`: the typing seat; for the referee, the side that can give it.

    If several sides can give it, the author is the owner of its first unit.

    Raises:
        UnknownName: When a name in the order is unknown.
        WrongUse: When several sides could be the author.
    """
    givers = givers_now(title, game, order) if hand == REFEREE else ()
    if hand in givers or not givers:
        return hand
    unit = game.units.get(_first_unit(order, raw))
    owner = unit.side if unit is not None else ""
    if len(givers) == 1 or owner in givers:
        return owner if owner in givers else givers[0]
    if (slip := unknown_name(title, game, order, raw)) is not None:
        raise slip
    what = f"{' and '.join(map(game.side_name, givers))} can both give {order.tag()} now"
    remedy = f"choose one: {' or '.join(f'--as {one}' for one in givers)}"
    raise WrongUse(what, where=game.where, rule="seats", remedy=remedy)


def _first_unit(order: type[Order], raw: Mapping[str, Any]) -> str:
    """Return the first unit that an order names; "" if it names none."""
    for one in positional(order):
        if one.names == UNIT and (value := raw.get(one.name)):
            return value if isinstance(value, str) else next(iter(value))
    return ""


def order_named(
    title: Title, name: str | None, where: str = "", known: Mapping[str, type[Order]] | None = None
) -> type[Order]:
    """Return the order with a name from the known orders, by default those of the title.

    Raises:
        UnknownName: When there is no such order; its remedy suggests similar names.
    """
    orders = title.every_order if known is None else known
    found = orders.get(name) if name is not None else None
    if found is None:
        raise no_such_order(name, orders, where)
    return found


def sort_words(title: Title, order: type[Order], words: Sequence[str]) -> Typed:
    """Sort the words after an order's name by position and by option.

    Raises:
        WrongUse: When an option is unknown.
    """
    options = {one.option: one for one in arguments_of(order)}
    left, waits = iter(words), ""
    by_position: list[str] = []
    by_option: dict[str, list[str]] = {}
    for word in left:
        if word == "--":
            by_position += left
            break
        if DICE.fullmatch(word):
            by_option.setdefault("pips", []).append(word.removeprefix("@"))
            continue
        if not _is_option(word):
            by_position.append(word)
            continue
        option, equals, value = word.partition("=")
        name, flag = _option_named(title, order, option, options)
        if equals:
            by_option.setdefault(name, []).append(value)
        elif flag:
            by_option.setdefault(name, []).append(flag)
        elif (following := next(left, None)) is not None:
            by_option.setdefault(name, []).append(following)
        else:
            waits = option
    return Typed(by_position, by_option, waits)


def _is_option(word: str) -> bool:
    return word.startswith("--") and word[2:3].isalpha()


def _option_named(title: Title, order: type[Order], option: str, options: Mapping[str, Argument]) -> tuple[str, str]:
    """Return the JSON name of an option, which may be abbreviated, and the value of a flag."""
    known = (*options, *BESIDE)
    alone = [one for one in known if one.startswith(option)] if option not in known else [option]
    if len(alone) == 1:
        found = options.get(alone[0])
        return (found.name, "true" if found.is_flag else "") if found else (BESIDE[alone[0]][0], "")
    positive = options.get(option.replace("--no-", "--", 1))
    if positive is not None and positive.is_flag:
        return positive.name, "false"
    near = alone or nearest(option, options) or nearest(option, BESIDE)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    raise _wrong(title, order, f"{order.tag()} has no option {option}", f"{hint}it takes: {usage_of(order)}")


def _dice_as_option(order: type[Order], typed: Typed) -> Typed:
    """Read dice that are the first or last word, as in `roll 2d6 ram`, as the order's `--dice`."""
    words = typed.by_position
    takes_dice = any(one.name == "dice" for one in arguments_of(order) if one not in positional(order))
    at = next((at for at in (0, -1) if len(words) > 1 and NOTATION.fullmatch(words[at])), None)
    if at is None or not takes_dice or "dice" in typed.by_option:
        return typed
    rest = words[1:] if at == 0 else words[:-1]
    return typed._replace(by_position=rest, by_option={**typed.by_option, "dice": [words[at]]})


def _by_position(title: Title, order: type[Order], typed: Typed) -> dict[str, list[str]]:
    """Assign words by position to the arguments that were not given as options.

    Surplus words belong to the only list among the arguments, or to a sentence at the end.
    """
    places = [one for one in positional(order) if one.name not in typed.by_option]
    words, spare = list(typed.by_position), len(typed.by_position) - len(places)
    lists = [one for one in places if one.is_many] or [one for one in places[-1:] if one.is_text]
    if spare > 0 and len(lists) > 1:
        raise _words_of_lists(title, order, words, places)
    if spare > 0 and not lists:
        raise _too_many(title, order, words[len(places) :], typed.by_option)
    found: dict[str, list[str]] = {}
    for one in places:
        count = 1 + max(spare, 0) if lists and one is lists[0] else 1
        taken, words = words[:count], words[count:]
        if taken:
            found[one.name] = [typed_sentence(taken)] if one.is_text else taken
    missing = [one for one in places if one.required and one.name not in found]
    if missing:
        what = f"{order.tag()} needs {' and '.join(one.metavar for one in missing)}"
        raise _wrong(title, order, what, f"write: {usage_of(order)}")
    return found


def _words_of_lists(title: Title, order: type[Order], words: Sequence[str], places: Sequence[Argument]) -> WrongUse:
    """Return the refusal of words of several lists, with an example in which the last list is one word."""
    what = f"{order.tag()} has no place for {' '.join(words[len(places) :])}"
    last = max(at for at, one in enumerate(places) if one.is_many)
    after = len(words) - (len(places) - last - 1)
    example = shlex.join([order.tag(), *words[:last], ",".join(words[last:after]), *words[after:]])
    return _wrong(title, order, what, f"write each list as one word with commas, for example `{example}`")


def _too_many(
    title: Title, order: type[Order], words: Sequence[str], by_option: Mapping[str, Sequence[str]]
) -> WrongUse:
    what = f"{order.tag()} has no place for {' '.join(words)}"
    lists = [one for one in arguments_of(order) if one.is_many and one.name in by_option]
    if lists and not all(re.fullmatch(r"[0-9]{1,2}", word) for word in words):  # else they may be dice
        whole = shlex.quote(",".join([*by_option[lists[-1].name], *words]))
        return _wrong(title, order, what, f"write a list as one word with commas: `{lists[-1].option} {whole}`")
    if all(re.fullmatch(r"[0-9, ]+", word) for word in words):
        numbers = [f"{one.option} {words[0]}" for one in arguments_of(order) if one.is_number and not one.required]
        by_name = f"name the number: {' or '.join(numbers)}; " if numbers and len(words) == 1 else ""
        return _wrong(title, order, what, f"{by_name}write dice after @ or --pips: @{','.join(words)}")
    return _wrong(title, order, what, f"write: {usage_of(order)}")


def _values(title: Title, order: type[Order], given: Mapping[str, list[str]], commas: int) -> Iterator[tuple[str, Any]]:
    arguments = {one.name: one for one in arguments_of(order)}
    for name, typed in given.items():
        words = [str(word) for word in typed]  # drop the quotation marks that the words of a line keep
        if name == "pips":
            yield name, _pips(title, order, words)
        elif name not in arguments:
            if len(words) > 1:
                raise _wrong(title, order, f"--{name.replace('_', '-')} is given twice", "give it once")
            yield name, words[0]
        else:
            one = arguments[name]
            yield name, _value(title, order, one, whole_places(words, commas) if one.lists_places else words)


def _pips(title: Title, order: type[Order], words: Sequence[str]) -> list[int]:
    thrown = [piece for word in words for piece in pieces(word.replace(" ", ","))]
    if not all(re.fullmatch(r"[0-9]{1,6}", one) for one in thrown):
        raise _wrong(title, order, f"--pips takes numbers, not {','.join(thrown)}", "for example --pips 3,4")
    return [int(one) for one in thrown]


def _value(title: Title, order: type[Order], argument: Argument, words: Sequence[str]) -> Any:
    try:
        return argument.read(words)
    except UnreadableWord as error:
        what = f"{argument.name} of {order.tag()} takes {error}"
        raise _wrong(title, order, what, f"write: {usage_of(order)}") from error


def _wrong(title: Title, order: type[Order], what: str, remedy: str) -> WrongUse:
    remedy = f"{remedy}; `umpire orders {title.id} {order.tag()}` shows an example"
    return WrongUse(what, where="", rule=f"order {order.tag()}", remedy=remedy)


# --- the short form of an order ---------------------------------------------------------------------------------------


def usage_of(order: type[Order], *, beside: bool = False) -> str:
    """Return `board SHIPS,… TARGET [--send NAME=N,…]`; with `beside`, also the options of every order."""
    placed = positional(order)
    words = [order.tag(), *(one.metavar if one.required else f"[{one.metavar}]" for one in placed)]
    options = [one for one in arguments_of(order) if one not in placed]
    words += [f"[{one.option}]" if one.is_flag else f"[{one.option} {one.metavar}]" for one in options]
    if beside:
        words += [f"[{option} {form}]" for option, (_, form, _) in BESIDE.items()]
    return " ".join(words)


def short_form(
    title: Title,
    raw: Mapping[str, Any],
    *,
    seat: bool = False,
    commas: int = 0,
    given: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """Return an order's JSON object as the line that a person would type; with `seat`, also its author.

    Args:
        commas: The number of commas in the name of every place in the game.
        given: The words of the order's arguments, if they are known.
    """
    return shlex.join(words_of_order(title, raw, seat=seat, commas=commas, given=given))


def words_of_arguments(order: type[Order], raw: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the words of each argument in an order's JSON object."""
    return {one.name: tuple(one.write(raw[one.name])) for one in arguments_of(order) if one.name in raw}


def words_of_order(
    title: Title,
    raw: Mapping[str, Any],
    *,
    seat: bool = False,
    commas: int = 0,
    given: Mapping[str, Sequence[str]] | None = None,
) -> list[str]:
    """Return an order's JSON object as typed words.

    Raises:
        UnknownName: When the title does not have the order.
    """
    order = order_named(title, raw.get("order"))
    placed = positional(order)
    late: list[str] = []
    words, skipped = [order.tag()], False
    given = words_of_arguments(order, raw) if given is None else given
    for argument in arguments_of(order):
        written = list(given.get(argument.name, ()))
        if commas and argument.lists_places:
            written = [plain_place(word, commas) for word in written]
        fits = len(written) == 1 or (argument.is_many and argument in placed[-1:])
        if argument in placed and fits and not skipped and not any(map(_is_option, written)):
            words += written
        else:
            skipped |= argument in placed
            late += _as_option(argument, written)
    for option, (name, _, _) in BESIDE.items():
        if raw.get(name) not in (None, "") and (name != "as" or seat):
            late += [option, ",".join(map(str, raw[name])) if name == "pips" else str(raw[name])]
    return [*words, *late]


def _as_option(argument: Argument, written: Sequence[str]) -> Iterator[str]:
    """Yield an argument as an option, repeated for a list of nested values."""
    for word in written:
        if argument.is_flag and word in ("true", "false"):
            yield argument.option if word == "true" else argument.option.replace("--", "--no-", 1)
        elif _is_option(word):
            yield f"{argument.option}={word}"
        else:
            yield argument.option
            yield word
