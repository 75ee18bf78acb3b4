"""Define a title: its sequence, its orders with their decisions, its facts, and the setup of its scenarios."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, partial
from typing import Any, cast

import msgspec

from umpire_ledger.domain.game.board import Board
from umpire_ledger.domain.game.dice import Dice
from umpire_ledger.domain.game.errors import TitleFault
from umpire_ledger.domain.game.events import AnyEvent, RestrictedEvent, Value
from umpire_ledger.domain.game.orders import ANYTIME_ORDERS, COVERS, REFEREE_ORDERS, SEQUENCE_ORDERS, Order
from umpire_ledger.domain.game.scenario import Scenario
from umpire_ledger.domain.game.state import Game, Unit
from umpire_ledger.domain.kit.house_values import HouseValue
from umpire_ledger.domain.kit.phrasing import InWords
from umpire_ledger.domain.kit.roll_plans import RollPlan
from umpire_ledger.domain.kit.title_errors import Made, call, guarded
from umpire_ledger.domain.sequence.constructs import Sequence
from umpire_ledger.domain.sequence.plan import Plan


class Closes(msgspec.Struct, frozen=True):
    """A result of a decision: the order's side has finished its part of the step.

    If it is the last side that play waits for, the step closes; so `Closes()` is right in steps of one side and of
    several. An `answer` closes the step for all sides, as `done` with an answer does, and so does `everybody`. An act
    at the opening of a step belongs to no side, so there `Closes()` closes the step.
    """

    answer: str = ""
    everybody: bool = False


class Finds(msgspec.Struct, frozen=True):
    """A result of a decision: a search for hidden units, which the decision itself does not see.

    `which`: a function that returns the ids found for the order's side, from a game in which no unit is hidden; None:
    the search fails. `nothing`: the sentence for that side if it finds none. The number of records is the same for
    every result.
    """

    which: Callable[[Game], Iterable[str]] | None = None
    nothing: str = ""
    rule: str = ""


Result = AnyEvent | RestrictedEvent | Closes | Finds
Decide = Callable[[Game, Any, Dice], list[Result]]
"""A decision; the order is of the type under which the title lists it."""
Members = Callable[[Game, str], tuple[str, ...]]
Roles = Callable[[Game], tuple[str, ...]]
Acts = Callable[[Game], list[Result]]
Forfeits = Callable[[Game, str], tuple[str, ...]]
Suggest = Callable[[Game, str], Iterable[Order]]
NextTo = Callable[[Game, str], tuple[str, ...]]
"""Function that returns the neighbors of a place on the map; () if they are unknown."""
Brought = Callable[[Mapping[str, Any], Mapping[str, Value]], "Title"]
"""Function that returns the title of one game, from the scenario's own sequence of play and the game's options."""
MOST_KEPT = 64
"""Limit of cached titles of games with a sequence of their own."""
Rolls = Callable[[Game, Any], RollPlan]
"""Function that returns the owners of an order's dice, in order. The order has the type under which it is listed."""
Offered = Callable[[Game, str], bool]


class OrderDeclaration(msgspec.Struct, frozen=True, kw_only=True):
    """One order of a title: its decision, its suggested orders, and the tables it needs; made by `does`."""

    order: type[Order]
    decide: Decide | None = None
    tries: Suggest | None = None
    tables: tuple[str, ...] = ()
    rolls: Rolls | None = None
    offered: Offered | None = None
    closed: Offered | None = None


Does = OrderDeclaration
"""Deprecated name of `OrderDeclaration`, kept for one release."""


def does(
    order: type[Order],
    decide: Decide | None = None,
    *,
    tries: Suggest | None = None,
    tables: tuple[str, ...] = (),
    rolls: Rolls | None = None,
    offered: Offered | None = None,
    closed: Offered | None = None,
) -> OrderDeclaration:
    """Build a line of a title's table of orders.

    Args:
        order: The type of the order.
        decide: Its decision; omit it for a generic order without a special decision.
        tries: Suggested orders for a side now, for the list of available orders and for random play. An order without
            required arguments is suggested as it is.
        tables: The scenario's tables that the decision looks up. Without them, a game cannot be opened if its options
            allow a step with the order.
        rolls: The owners of the order's dice, in order, if the dice belong to several units. The decision rolls by the
            same plan (`throw_all`), and `status` names the owners.
        offered: Whether the order could be accepted from a side now with some arguments. It must be fast. By default,
            the order is listed while any suggestion of `tries` is accepted, so `tries` should then cover every legal
            case.
        closed: Whether public facts show every seat that the side cannot give the order again, for instance because its
            choice is sealed. A closed order is listed for no seat.
    """
    return OrderDeclaration(
        order=order, decide=decide, tries=tries, tables=tables, rolls=rolls, offered=offered, closed=closed
    )


def always(game: Game, side: str) -> bool:
    """Return true. Use it as `offered` of an order that is possible whenever its step allows it."""
    return True


def without_arguments(order: type[Order]) -> Suggest | None:
    """Return a function that suggests an order without arguments; None if the order requires some."""
    if takes_arguments(order, required=True):
        return None
    return lambda game, side: (order(seat=side),)


def takes_arguments(order: type[Order], *, required: bool = False) -> bool:
    """Return whether an order takes arguments other than its seat. `required`: only required arguments count."""
    return any(field.required or not required for field in msgspec.structs.fields(order) if field.name != "seat")


class Called(msgspec.Struct, frozen=True):
    """A role or a set with its words: its name, and a sentence for when it is empty.

    `asked_again`: after each order, an open step stops waiting for a side that has lost the role. `is_public`: every
    seat sees the members of the set, because no sealed choice changes it.
    """

    words: str
    none: str
    asks: Callable[..., tuple[str, ...]]
    asked_again: bool = False
    is_public: bool = False

    def __call__(self, *asked: Any) -> tuple[str, ...]:
        return self.asks(*asked)


def called(
    words: str,
    asks: Callable[..., tuple[str, ...]],
    *,
    none: str,
    asked_again: bool = False,
    is_public: bool = False,
) -> Called:
    """Name a role or a set of a title in words: "owners of burning ships", `none="no ship burns"`.

    `asked_again`: only for a role that a side cannot regain while a step that waits for it is open. `is_public`: only
    for a set that no sealed choice changes. If such a set has one member, it is picked even if a side has a sealed
    choice.
    """
    return Called(words, none, asks, asked_again, is_public)


def _turn(game: Game) -> str:
    return f"Turn {game.turn}"


def _by_id(_: Game, units: Iterable[Unit]) -> str:
    return ", ".join(sorted(unit.id for unit in units))


def _losses(game: Game, place: str, lost: Iterable[Unit], crippled: Iterable[Unit]) -> str:
    gone, hurt = _by_id(game, lost), _by_id(game, crippled)
    said = [*([f"lost {gone}"] if gone else []), *([f"crippled {hurt}"] if hurt else [])]
    return f"{place}: {'; '.join(said) or 'no losses'}"


def _same_step(step: str) -> str:
    return step


class Notation(msgspec.Struct, frozen=True, kw_only=True):
    """The notation of a title's players; omitted parts are written as in a title without a notation.

    `tells`: lines about the game for the turn view. `losses` receives the place of a battle, the units lost there and
    those crippled. `step`: the players' name of a step, for the subject of a report.
    """

    tells: Callable[[Game], tuple[str, ...]]
    date: Callable[[Game], str] = _turn
    stack: Callable[[Game, Iterable[Unit]], str] = _by_id
    losses: Callable[[Game, str, Iterable[Unit], Iterable[Unit]], str] = _losses
    step: Callable[[str], str] = _same_step


def owner_by_id(game: Game, word: str) -> str:
    """Return the side that a word names, or the side of the unit that it names; "" for any other word."""
    unit = game.units.get(word)
    return word if word in game.side_ids else unit.side if unit is not None else ""


class Ruled(msgspec.Struct, frozen=True, kw_only=True):
    """State that only the rules of a title may write, not generic orders of players. A name may end in `*`.

    A step permits some of it again by `touches`; the referee records anything by a ruling. `attributes`: attributes of
    units; a title that decides `place` itself also checks those of new units itself. `questions`: of `choose`,
    `seal-choice` and `reveal`. `notes`: attributes that players may write although no unit of the kind has them yet.
    `instead`: the remedy of a refusal, by attribute. `owner`: the side to which a word in the name of an account or
    marker belongs; `/` separates the words; by default, ids of sides and units are known. No other side may change it.
    """

    attributes: tuple[str, ...] = ()
    accounts: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    instead: Mapping[str, str] = {}
    owner: Callable[[Game, str], str] = owner_by_id


class Title(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One published game. Everything in it is a table to look up by name; nothing is called at import.

    A role or a set is a function, or better `called`, which names it. Every function is guarded (`kit.title_errors`):
    an exception of its own reaches the caller as a TitleFault.

    `orders`: one line per order, made by `does`. `roles`: the sides that hold a role, in order. `sets` receive the game
    and the side that asks ("" if none). `acts`: automatic actions when a step opens, by step id. `printed`: the printed
    path next to each label if it differs. `options`: every option that a scenario may set, with its default;
    `readings`: the meaning of its values, by option. `sides`: ids of sides that the sequence names itself. `plays_on`:
    whether a side is still in the game; play no longer waits for one that is not. `notation`: the notation of its
    players. `next_to`: the neighbors of a place, for completing a path. `names`: names of a kind that only this title
    has, by the argument of its orders or by `order argument`, for completion. `tables`: the scenario's tables that an
    act looks up, by step id; an order names its own. `ruled`: the state that its rules write and generic orders leave
    alone. `ours`: the house values. `rows`: the type of a row's result, by table, for templates and editors;
    `victory`: that of the table `victory`.
    `starter`: a small scenario as plain data for templates, with made-up values; omitted fields are shown
    with their defaults. `traits`: marks that a scenario's units may have, and their meaning. `forfeits`: the losses of
    a side by `done`, in words, by step id, computed from the game as a seat knows it. `asides`: generic orders that its
    steps allow in addition to their own, for agreements of the table: a step in which no side can do anything else ends
    automatically (`flow.automatic_moves`). `words`: the phrases of its orders, and the marks that only its rules keep.
    `carriers`: attributes that name the unit that carries a unit: its ship, its stack, its towing unit. `brought`:
    makes the title of a game whose scenario has its own sequence of play. `board`: its map and the marks of its
    counters; no rule reads it.
    """

    id: str
    name: str
    version: str
    publisher: str = ""
    sequence: Sequence | None = None
    printed: Mapping[str, str] = {}
    options: Mapping[str, Value] = {}
    readings: Mapping[str, str] = {}
    sides: tuple[str, ...] = ()
    orders: tuple[OrderDeclaration, ...] = ()
    roles: Mapping[str, Roles | Called] = {}
    sets: Mapping[str, Members | Called] = {}
    acts: Mapping[str, Acts] = {}
    forfeits: Mapping[str, Forfeits] = {}
    asides: tuple[type[Order], ...] = ()
    tables: Mapping[str, tuple[str, ...]] = {}
    ours: tuple[HouseValue, ...] = ()
    rows: Mapping[str, Any] = {}
    victory: Any = None
    starter: Mapping[str, Any] = {}
    traits: Mapping[str, str] = {}
    scenario: type[Scenario] = Scenario
    set_up: Callable[[Scenario], Iterable[AnyEvent | RestrictedEvent]]
    plays_on: Callable[[Game, str], bool] = lambda game, side: True
    notation: Notation | None = None
    next_to: NextTo = lambda game, place: ()
    ruled: Ruled = Ruled()
    names: Mapping[str, Roles] = {}
    words: InWords = InWords()
    carriers: tuple[str, ...] = ()
    board: Callable[[Game], Board] = lambda game: Board()
    brought: Brought | None = None

    def __post_init__(self) -> None:
        guard = partial(guarded, self.id)
        for field, what, made in _TABLES:
            table = {key: _guarded(guard, f"{what} {key}", one, made) for key, one in getattr(self, field).items()}
            msgspec.structs.force_setattr(self, field, table)
        msgspec.structs.force_setattr(self, "orders", tuple(_guarded_order(self.id, one) for one in self.orders))
        msgspec.structs.force_setattr(self, "set_up", guard("the setup", self.set_up, list))
        msgspec.structs.force_setattr(self, "plays_on", guard("the next side", self.plays_on))
        msgspec.structs.force_setattr(self, "next_to", guard("neighbors of a place", self.next_to, tuple))
        msgspec.structs.force_setattr(self, "board", guard("its board", self.board))
        owner = guard("owner of a name", self.ruled.owner)
        msgspec.structs.force_setattr(self, "ruled", msgspec.structs.replace(self.ruled, owner=owner))
        if self.notation is not None:
            how = {name: guard(f"notation {name}", one) for name, one in msgspec.structs.asdict(self.notation).items()}
            msgspec.structs.force_setattr(self, "notation", Notation(**how))

    def of(self, game: Game) -> "Title":
        """Return the title as this game plays it, with the scenario's own sequence.

        Raises:
            TitleFault: The title's code fails.
        """
        if not game.sequence or self.brought is None:
            return self
        last = self._brought_last
        if not (last and last[0] is game.sequence and last[1] is game.options):  # the same objects need no comparison
            made = self.with_sequence(game.sequence, game.options)
            last[:] = [game.sequence, game.options, made]
        return cast(Title, last[2])

    def with_sequence(self, sequence: Mapping[str, Any], options: Mapping[str, Value]) -> "Title":
        """Return the title for a scenario's sequence and options, from a cache if possible."""
        if not sequence or self.brought is None:
            return self
        key = msgspec.json.encode((sequence, options))
        if key not in self._brought_before:
            if len(self._brought_before) >= MOST_KEPT:
                self._brought_before.clear()
            made = call(self.id, "the sequence of a scenario", self.brought, (sequence, options))
            self._brought_before[key] = made
        return self._brought_before[key]

    @cached_property
    def _brought_before(self) -> dict[bytes, "Title"]:
        return {}

    @cached_property
    def _brought_last(self) -> list[Any]:
        return []

    @cached_property
    def plan(self) -> Plan:
        """The sequence, indexed; empty for a title without one."""
        return Plan(self.sequence or Sequence(steps=()))

    @cached_property
    def decisions(self) -> Mapping[type[Order], Decide]:
        """The title's own decisions, by order, without the generic ones."""
        return {one.order: one.decide for one in self.orders if one.decide is not None}

    @cached_property
    def lines(self) -> Mapping[type[Order], OrderDeclaration]:
        """The title's own lines of its table of orders, by order."""
        return {one.order: one for one in self.orders}

    def names_for(self, order: type[Order], argument: str, kind: str) -> Roles | None:
        """Return the names for an argument: those of this order alone, `order argument`, else those of its kind."""
        return self.names.get(f"{order.tag()} {argument}") or self.names.get(kind or argument)

    @cached_property
    def tries(self) -> Mapping[type[Order], Suggest]:
        """The title's own suggestions, by order."""
        ideas = {one.order: one.tries or without_arguments(one.order) for one in self.orders}
        return {order: idea for order, idea in ideas.items() if idea is not None}

    @cached_property
    def rolls(self) -> Mapping[type[Order], Rolls]:
        """The owners of the dice of the title's orders, by order."""
        return {one.order: one.rolls for one in self.orders if one.rolls is not None}

    @cached_property
    def every_order(self) -> Mapping[str, type[Order]]:
        """Every order that may be read, by name, including permitted generic orders and orders for any title or the
        referee.
        """
        own = tuple(one.order for one in self.orders)
        anytime = (*COVERS, *ANYTIME_ORDERS, *REFEREE_ORDERS)
        if self.sequence is None:
            return {order.tag(): order for order in (*own, *anytime)}
        allowed = (order for step in self.plan.leaves() for order in step.allows)
        return {order.tag(): order for order in (*own, *allowed, *SEQUENCE_ORDERS, *anytime)}


def title_as_played(title_of: Callable[[str], Title | None], game: Game) -> Title | None:
    """Return the title as a game plays it; None if it is not installed or cannot make the game's sequence."""
    found = title_of(game.title)
    try:
        return found and found.of(game)
    except TitleFault:
        return None


_TABLES: tuple[tuple[str, str, Made], ...] = (
    ("roles", "role", tuple),
    ("sets", "set", tuple),
    ("acts", "act", list),
    ("forfeits", "forfeits of a step", tuple),
)
"""A title's tables of functions, the purpose of each, and the conversion of its results."""


def _guarded(guard: Callable[..., Any], what: str, one: Any, made: Made) -> Any:
    """Return a guarded function. A `Called` keeps its words."""
    if isinstance(one, Called):
        return msgspec.structs.replace(one, asks=guard(what, one.asks, made))
    return guard(what, one, made)


def _guarded_order(title: str, does: OrderDeclaration) -> OrderDeclaration:
    tag = does.order.tag()
    return OrderDeclaration(
        order=does.order,
        decide=does.decide and guarded(title, f"order {tag}", does.decide, list),
        tries=does.tries and guarded(title, f"ideas for {tag}", does.tries, list),
        tables=does.tables,
        rolls=does.rolls and guarded(title, f"the dice of {tag}", does.rolls, tuple),
        offered=does.offered and guarded(title, f"prospect of {tag}", does.offered, bool),
        closed=does.closed and guarded(title, f"end of {tag}", does.closed, bool),
    )
