"""Build the orders that a scenario defines, with their types, decisions and faults.

An order in a scenario file, for example:

[orders.assault]
words = "Assault a unit beside one's own"
takes = { attacker = "unit", target = "unit" }
requires = [{ is = "side_of(attacker) = asking", words = "{attacker} is not yours", remedy = "name a unit of yours" }]
does = [{ table = "assault" }, { remove = "id = target", when = "result = 'destroyed'" }]
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal, NamedTuple, cast

import msgspec

from umpire_ledger.domain.titles.freeform.action_script import RESULT, TOTAL, ScriptLine, Thrower, carry_out, read_lines
from umpire_ledger.domain.titles.freeform.language import Node
from umpire_ledger.domain.titles.freeform.names import Names
from umpire_ledger.domain.titles.freeform.refusals import REFUSALS
from umpire_ledger.domain.titles.freeform.texts import OrderText, RequireText, TakesText
from umpire_ledger.domain.titles.freeform.values import NAMES, OF_A_UNIT, EvaluationContext, filled, holds
from umpire_ledger.kit import (
    Closes,
    Decide,
    Dice,
    Game,
    Modified,
    Order,
    PlaceName,
    PlaceOrNone,
    Result,
    RuleViolation,
    SideName,
    TableRoll,
    UnitName,
    UnitOrNone,
    UnknownName,
    Value,
    Words,
    refusal,
    unit_of,
)

TAKEN = {"seat", "order", "modifiers", "by_the_book", "id", "pips", "leave", "happened_at", "witness", "again"}
TAKEN |= {"as", "entered_by", TOTAL, RESULT, *OF_A_UNIT, *NAMES, "and", "or", "not", "in"}
"""Names that an argument cannot have, because they already have a meaning."""
MOST_TAKEN = 12
"""The most arguments of one order."""
_name = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class Requirement(NamedTuple):
    """A parsed requirement of an order. `about`: the arguments that it mentions."""

    node: Node
    text: RequireText
    rule: str
    about: frozenset[str]


class OwnOrder(NamedTuple):
    """An order that the scenario defines. `takes`: its arguments by name, in the order of the file."""

    type: type[Order]
    text: OrderText
    takes: Mapping[str, TakesText]
    requires: tuple[Requirement, ...]
    lines: tuple[ScriptLine, ...]

    @property
    def rule(self) -> str:
        """The rule that its refusals cite, unless a requirement names its own."""
        return rule_of(self.text, self.type.tag())

    def given(self, order: Order) -> dict[str, Value]:
        """Return the arguments of an order, by name."""
        return {name: getattr(order, name) for name in self.takes}

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables on which it rolls, without those whose names contain braces."""
        said = (getattr(line.text, "table", "") for line in self.lines)
        return tuple(dict.fromkeys(table for table in said if table and "{" not in table))


def rule_of(text: OrderText, name: str) -> str:
    """Return the first rule of an order, or its name if it cites none."""
    return text.rules[0] if text.rules else f"order {name}"


# --- types ------------------------------------------------------------------------------------------------------------


def takes_of(said: str | tuple[str, ...] | TakesText) -> TakesText:
    """Return the full entry of an argument, from a type, a list of choices, or a full entry.

    Raises:
        ValidationError: The type does not exist.
    """
    if isinstance(said, TakesText):
        return said
    return msgspec.convert(
        {"type": "choice", "choices": said} if isinstance(said, tuple) else {"type": said}, TakesText
    )


@lru_cache(1024)
def _type_of(name: str, doc: str, throws: str, takes: tuple[tuple[str, TakesText], ...]) -> type[Order]:
    """Return the type of an order. The cache returns the same type if the same text is read again."""
    base = {"table": TableRoll, "dice": Modified}.get(throws, Order)
    fields = [(name, *_field(one)) for name, one in takes]
    made: Any = msgspec.defstruct(
        "".join(word.capitalize() for word in name.split("-")),
        fields,
        bases=(base,),
        frozen=True,
        kw_only=True,
        tag=name,
        module=__name__,
        namespace={"__doc__": doc},
    )
    return cast(type[Order], made)


def _field(takes: TakesText) -> tuple[Any, ...]:
    """Return the type of an argument, and its default if it has one."""
    left_out = takes.default is not None
    literal: Any = Literal
    made: Any
    match takes.type:
        case "unit":
            made = UnitOrNone if left_out else UnitName
        case "place":
            made = PlaceOrNone if left_out else PlaceName
        case "units":
            made = Annotated[tuple[UnitName, ...], msgspec.Meta(min_length=1, max_length=100)]
        case "path":
            made = Annotated[tuple[PlaceName, ...], msgspec.Meta(min_length=1, max_length=200)]
        case "side":
            made = SideName
        case "number":
            made = Annotated[int, msgspec.Meta(ge=takes.least, le=takes.most)]
        case "choice":
            made = literal[takes.choices]
        case _:
            made = Words
    return (made, takes.default) if left_out else (made,)


def _doc(text: OrderText, takes: Mapping[str, TakesText]) -> str:
    said = " ".join(f"`{name}`: {one.words}." for name, one in takes.items() if one.words)
    return f"{text.words.rstrip('.')}.\n\n    {said}\n    " if said else f"{text.words.rstrip('.')}."


# --- reading ----------------------------------------------------------------------------------------------------------


def read_types(names: Names, texts: Mapping[str, OrderText], known: Mapping[str, type[Order]]) -> dict[str, OwnOrder]:
    """Return the orders of a file by name, with their types only; `read_order` adds requirements and lines."""
    found: dict[str, OwnOrder] = {}
    for name, text in texts.items():
        path = f"$.orders.{name}"
        if not _name.fullmatch(name) or len(name) > 40:
            names.fault(
                f"{name!r} is not a valid name of an order", path, "use small letters, digits and hyphens, at most 40"
            )
        elif name in known:
            names.fault(f"the order {name} already exists", path, "choose another name")
        else:
            takes = dict(_arguments(names, text, f"{path}.takes"))
            made = _type_of(name, _doc(text, takes), _throws(text), tuple(takes.items()))
            found[name] = OwnOrder(made, text, takes, (), ())
    return found


def _throws(text: OrderText) -> str:
    said = [line for line in text.does if line.throw or line.table]
    return "table" if any(line.table for line in said) else "dice" if said else ""


def _arguments(names: Names, text: OrderText, path: str) -> Iterator[tuple[str, TakesText]]:
    if len(text.takes) > MOST_TAKEN:
        names.fault(f"the order takes {len(text.takes)} arguments", path, f"an order takes at most {MOST_TAKEN}")
        return
    for name, said in text.takes.items():
        where = f"{path}.{name}"
        attributes = names.known.names.get("attribute", frozenset())
        if not name.isidentifier() or not name.isascii() or name.startswith("_"):
            names.fault(
                f"{name!r} is not a valid name of an argument",
                where,
                "begin with a letter, then use letters, digits and _",
            )
        elif name in TAKEN or name in attributes:
            names.fault(f"the name {name} already has another meaning", where, "choose another name for the argument")
        elif (takes := _takes(names, said, where)) is not None:
            yield name, takes


def _takes(names: Names, said: str | tuple[str, ...] | TakesText, path: str) -> TakesText | None:
    try:
        takes = takes_of(said)
    except msgspec.ValidationError:
        names.fault(f"there is no type {said}", path, f"write one of: {', '.join(TYPES)}, or a list of choices")
        return None
    if what := _misfit(takes):
        names.fault(what, path, 'write, for example, { type = "number", least = 1, most = 6, default = 1 }')
        return None
    return takes


TYPES = ("unit", "units", "place", "path", "side", "number", "text", "choice")
WITHOUT_DEFAULT = ("units", "path", "side")


def _misfit(takes: TakesText) -> str:
    """Return the fault of an argument; "" for none."""
    default = takes.default
    if (takes.type == "choice") is not bool(takes.choices):
        return f"the type {takes.type} {'cannot have' if takes.choices else 'needs'} choices"
    if takes.type == "number" and takes.least > takes.most:
        return f"no number is between {takes.least} and {takes.most}"
    if default is None:
        return ""
    if takes.type in WITHOUT_DEFAULT:
        return f"{takes.type} cannot be left out"
    if takes.type == "number":
        fits = isinstance(default, int) and takes.least <= default <= takes.most
    else:
        fits = isinstance(default, str) and (takes.type != "choice" or default in takes.choices)
    return "" if fits else f"the default {default} is not a valid {takes.type}"


def read_order(names: Names, name: str, order: OwnOrder) -> OwnOrder:
    """Return an order with its requirements and lines added."""
    path, rule = f"$.orders.{name}", rule_of(order.text, name)
    bare = frozenset(order.takes)
    requires = tuple(_requirements(names, order.text, path, rule, bare))
    cited = order.text.rules[0] if order.text.rules else ""
    lines = read_lines(names, order.text.does, path, cited, bare)
    thrown = [line for line in lines if line.kind == "throw"]
    if len(thrown) > 1 and any(getattr(line.text, "table", "") for line in thrown):
        names.fault(
            f"{name} rolls {len(thrown)} times, with a table",
            f"{path}.does",
            "an order with a table can roll only once; split it into two orders",
        )
    return order._replace(requires=requires, lines=lines)


def _requirements(names: Names, text: OrderText, path: str, rule: str, bare: frozenset[str]) -> Iterator[Requirement]:
    for at, requirement in enumerate(text.requires):
        where = f"{path}.requires[{at}]"
        names.within(requirement.words, f"{where}.words", bare)
        names.within(requirement.remedy, f"{where}.remedy", bare)
        node = names.expression(requirement.asks, f"{where}.is", bare=bare)
        if node is not None:
            about = frozenset(re.findall(r"\w+", requirement.asks)) & bare
            yield Requirement(node, requirement, requirement.rule or rule, about)


# --- deciding ---------------------------------------------------------------------------------------------------------


def decide_own(own: OwnOrder) -> Decide:
    """Return the `decide` function of an order.

    It checks the names in the order, then the requirements, then carries out the lines.
    """

    def decide(game: Game, order: Order, dice: Dice) -> list[Result]:
        given = own.given(order)
        for name, takes in own.takes.items():
            _verify_named(game, takes, given[name], own.rule)
        asked = EvaluationContext(game, game.side_of(order.seat) or order.seat, given=given)
        for one in own.requires:
            verify(one, asked)
        results, finished = carry_out(own.lines, asked, Thrower(dice, order, _subjects(own, given)))
        return [*results, *_closing(own.text.closes)] if finished else results

    return decide


def _closing(closes: bool | str) -> list[Result]:
    return [Closes(answer=closes)] if isinstance(closes, str) else [Closes()] if closes else []


def verify(requirement: Requirement, asked: EvaluationContext) -> None:
    """Check a requirement.

    Raises:
        RuleViolation: The requirement does not hold.
    """
    if not holds(requirement.node, asked):
        raise RuleViolation(
            filled(requirement.text.words, asked),
            where=asked.game.where,
            rule=requirement.rule,
            remedy=filled(requirement.text.remedy, asked),
            code="requirement-not-met",
        )


def _subjects(own: OwnOrder, given: Mapping[str, Value]) -> tuple[str, ...]:
    """Return the units that an order names, in the order of its arguments."""
    found: list[str] = []
    for name, takes in own.takes.items():
        said = given[name]
        if takes.type in ("unit", "units"):
            found += said if isinstance(said, tuple) else [said] if isinstance(said, str) and said else []
    return tuple(dict.fromkeys(found))


def _verify_named(game: Game, takes: TakesText, said: Value, rule: str) -> None:
    """Check that named units and sides exist.

    Raises:
        UnknownName: The unit or side does not exist.
        RuleViolation: The unit has left play.
    """
    if takes.type in ("unit", "units"):
        for unit in said if isinstance(said, tuple) else (said,) if said else ():
            unit_of(game, str(unit), rule)
    if takes.type == "side" and said not in game.side_ids:
        fields = {"side": said, "sides": game.side_ids}
        raise refusal(UnknownName, REFUSALS, "no-such-side", fields, where=game.where, rule=rule)
