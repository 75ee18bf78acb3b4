"""What a title brings: a sequence, orders with their decisions, answers to its facts, and how a scenario is set up."""

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
from umpire_ledger.domain.kit.roll_plans import Plan as RollPlan
from umpire_ledger.domain.kit.title_errors import Made, call, guarded
from umpire_ledger.domain.sequence.constructs import Sequence
from umpire_ledger.domain.sequence.plan import Plan


class Closes(msgspec.Struct, frozen=True):
    """Among the results of a decision: the side that gives the order has done its part of the step.

    The last side that is waited for closes the step; `Closes()` alone is right in a step of one side and of several.
    An `answer` closes it for everybody, as `done` with an answer does, and so does `everybody`. What happens of itself
    when a step opens is no side's: there it closes the step.
    """

    answer: str = ""
    everybody: bool = False


class Finds(msgspec.Struct, frozen=True):
    """Among the results of a decision: hidden units are searched for, which the decision itself does not see.

    `which`: the ids that come to light for the order's side, asked of the game with nothing hidden; None: the search
    fails. `nothing`: what that side is told where it finds none. The records are as many whatever is found.
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
"""The places beside a place of the map; none where it cannot be said."""
Brought = Callable[[Mapping[str, Any], Mapping[str, Value]], "Title"]
"""The title of one game from the sequence of play that its scenario brought, and the game's options."""
MOST_KEPT = 64
"""Titles of games with a sequence of their own that are kept at hand."""
Rolls = Callable[[Game, Any], RollPlan]
"""Whose dice an order throws, in order; the order is of the type under which the title lists it."""
Offered = Callable[[Game, str], bool]


class Does(msgspec.Struct, frozen=True, kw_only=True):
    """One order of a title: how it is decided, which concrete ones are worth trying, and which tables it needs.

    `does` makes it.
    """

    order: type[Order]
    decide: Decide | None = None
    tries: Suggest | None = None
    tables: tuple[str, ...] = ()
    rolls: Rolls | None = None
    offered: Offered | None = None
    closed: Offered | None = None


def does(
    order: type[Order],
    decide: Decide | None = None,
    *,
    tries: Suggest | None = None,
    tables: tuple[str, ...] = (),
    rolls: Rolls | None = None,
    offered: Offered | None = None,
    closed: Offered | None = None,
) -> Does:
    """A line of a title's table of orders.

    `decide`: left out for a generic order that is decided as everywhere. `tries`: concrete orders worth trying for a
    side now, for the list of what is possible and for random play; an order that needs no arguments is tried as it is.
    `tables`: those of the scenario that the decision looks up; a game whose options let a step be played that allows
    the order cannot be opened without them. `rolls`: whose dice the order throws, in order, where they are several
    units'; the decision throws by the same plan (`throw_all`), and `status` asks for them in its words. `offered`:
    whether the order could be taken from a side now with some arguments, cheaply; left out, it is listed as long as an
    idea of `tries` is not refused, so that those should cover what can be legal at all. `closed`: whether every seat
    can tell that the side cannot give the order again, for instance because its choice is sealed; it reads public
    facts alone, and no seat sees a closed order listed.
    """
    return Does(order=order, decide=decide, tries=tries, tables=tables, rolls=rolls, offered=offered, closed=closed)


def always(game: Game, side: str) -> bool:
    """For `offered`: an order that is never without prospect where its step allows it."""
    return True


def without_arguments(order: type[Order]) -> Suggest | None:
    """How an order that needs no arguments is tried; None for any other."""
    if takes_arguments(order, required=True):
        return None
    return lambda game, side: (order(seat=side),)


def takes_arguments(order: type[Order], *, required: bool = False) -> bool:
    """Whether an order takes anything besides its seat; `required`: whether it cannot be given without."""
    return any(field.required or not required for field in msgspec.structs.fields(order) if field.name != "seat")


class Called(msgspec.Struct, frozen=True):
    """A role or a set with its words: how it is called, and what is said where nobody or nothing is in it."""

    words: str
    none: str
    asks: Callable[..., tuple[str, ...]]

    def __call__(self, *asked: Any) -> tuple[str, ...]:
        return self.asks(*asked)


def called(words: str, asks: Callable[..., tuple[str, ...]], *, none: str) -> Called:
    """A role or a set of a title in a referee's words: "owners of burning ships", `none="no ship burns"`."""
    return Called(words, none, asks)


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
    """How the players of a title write things down; what is left out is written as in a title without a notation.

    `tells`: lines about the game for the turn view. `losses` gets the place of a battle, the units lost there and those
    crippled. `step`: a step as they name it, for the subject of a report.
    """

    tells: Callable[[Game], tuple[str, ...]]
    date: Callable[[Game], str] = _turn
    stack: Callable[[Game, Iterable[Unit]], str] = _by_id
    losses: Callable[[Game, str, Iterable[Unit], Iterable[Unit]], str] = _losses
    step: Callable[[str], str] = _same_step


def owner_by_id(game: Game, word: str) -> str:
    """The side that a word names, or that owns the unit that it names; "" for any other word."""
    unit = game.units.get(word)
    return word if word in game.side_ids else unit.side if unit is not None else ""


class Ruled(msgspec.Struct, frozen=True, kw_only=True):
    """What the rules of a title write, so that no player's generic order does; a name may end in `*`.

    A step opens some of it again by `touches`; the referee records everything by a ruling. `attributes`: of units; a
    title that decides `place` itself checks those of new units itself. `questions`: of `choose`, `seal-choice` and
    `reveal`. `notes`: attributes that the table may write although no unit of the kind has them yet. `instead`: what a
    refusal tells to do, by attribute. `owner`: the side to which a word of an account or marker belongs, the words
    divided by `/`; ids of sides and units if left out. What belongs to another side is touched by nobody else.
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

    A role or a set is a function, or better `called`, which gives it words.

    Every function is guarded (`kit.title_errors`): an exception of its own reaches the caller as a TitleFault.

    `orders`: one line an order, made by `does`. `roles`: the sides that hold a role, in order. `sets` get the game and
    the side that asks ("" if none). `acts`: what happens of itself when a step opens, by step id. `printed`: the
    printed path beside each label where it differs. `options`: every option that a scenario may set, with the value it
    has when the scenario is silent; `readings`: what its values mean, by option. `sides`: ids of sides that the
    sequence names itself. `plays_on`: whether a side is still in the game; one that is not is waited for no longer.
    `notation`: how its players write things down. `next_to`: the places beside a place, for completing a path.
    `names`: names of a kind that only this title has, by the argument of its orders that they stand in, for completion.
    `tables`: those of the scenario that an act looks up, by step id; an order names its own. `ruled`: what its rules
    write and generic orders leave alone. `ours`: the numbers that no printed page gives. `rows`: the type of what a row
    holds, by table, for templates and editors; `victory`: that of the table `victory`. `starter`: a small scenario as
    plain data that a template begins with, everything in it made up; what it leaves out is shown with its default.
    `traits`: what a scenario's units may be marked with, and what it means.
    `forfeits`: what a side would lose by `done`, in words, by step id; asked of the game as a seat knows it. `asides`:
    generic orders that its steps allow beside their own, for what the table agrees on: a step in which nobody can do
    anything else goes by itself (`flow.automatic_moves`). `words`: how its orders are told, and which marks only its
    rules keep.
    `carriers`: attributes that name the unit with which a unit goes along: its ship, its stack, what tows it.
    `brought`: makes the title of a game whose scenario brings its own sequence of play.
    `board`: where the places of its map are and how its counters are marked; no rule asks for it.
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
    orders: tuple[Does, ...] = ()
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
        msgspec.structs.force_setattr(self, "set_up", guard("setting up", self.set_up, list))
        msgspec.structs.force_setattr(self, "plays_on", guard("who plays on", self.plays_on))
        msgspec.structs.force_setattr(self, "next_to", guard("places next to one", self.next_to, tuple))
        msgspec.structs.force_setattr(self, "board", guard("its board", self.board))
        owner = guard("whose a thing is", self.ruled.owner)
        msgspec.structs.force_setattr(self, "ruled", msgspec.structs.replace(self.ruled, owner=owner))
        if self.notation is not None:
            how = {name: guard(f"notation {name}", one) for name, one in msgspec.structs.asdict(self.notation).items()}
            msgspec.structs.force_setattr(self, "notation", Notation(**how))

    def of(self, game: Game) -> "Title":
        """The title as this game plays it: with the sequence that its scenario brought. Raises TitleFault."""
        if not game.sequence or self.brought is None:
            return self
        last = self._brought_last
        if not (last and last[0] is game.sequence and last[1] is game.options):  # else it need not be compared
            made = self.with_sequence(game.sequence, game.options)
            last[:] = [game.sequence, game.options, made]
        return cast(Title, last[2])

    def with_sequence(self, sequence: Mapping[str, Any], options: Mapping[str, Value]) -> "Title":
        """The same of what a game was opened with; the title made of it is kept."""
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
        """The title's own decisions, by order; the generic ones come beside them."""
        return {one.order: one.decide for one in self.orders if one.decide is not None}

    @cached_property
    def lines(self) -> Mapping[type[Order], Does]:
        """The title's own lines, by order."""
        return {one.order: one for one in self.orders}

    @cached_property
    def tries(self) -> Mapping[type[Order], Suggest]:
        """The title's own ideas of what is worth trying, by order."""
        ideas = {one.order: one.tries or without_arguments(one.order) for one in self.orders}
        return {order: idea for order, idea in ideas.items() if idea is not None}

    @cached_property
    def rolls(self) -> Mapping[type[Order], Rolls]:
        """Whose dice the title's orders throw, by order."""
        return {one.order: one.rolls for one in self.orders if one.rolls is not None}

    @cached_property
    def every_order(self) -> Mapping[str, type[Order]]:
        """Every order that may be read, by name: also the generic ones admitted, the table's and the referee's."""
        own = tuple(one.order for one in self.orders)
        anytime = (*COVERS, *ANYTIME_ORDERS, *REFEREE_ORDERS)
        if self.sequence is None:
            return {order.tag(): order for order in (*own, *anytime)}
        allowed = (order for step in self.plan.leaves() for order in step.allows)
        return {order.tag(): order for order in (*own, *allowed, *SEQUENCE_ORDERS, *anytime)}


def played(title_of: Callable[[str], Title | None], game: Game) -> Title | None:
    """The title as a game plays it; None where it is not installed, or its sequence is of another edition."""
    found = title_of(game.title)
    try:
        return found and found.of(game)
    except TitleFault:
        return None


_TABLES: tuple[tuple[str, str, Made], ...] = (
    ("roles", "role", tuple),
    ("sets", "set", tuple),
    ("acts", "act", list),
    ("forfeits", "what is lost on leaving", tuple),
)
"""A title's tables of functions, what each is for, and what is made of its results."""


def _guarded(guard: Callable[..., Any], what: str, one: Any, made: Made) -> Any:
    """A function behind its guard; one with words keeps them."""
    return (
        Called(one.words, one.none, guard(what, one.asks, made)) if isinstance(one, Called) else guard(what, one, made)
    )


def _guarded_order(title: str, one: Does) -> Does:
    tag = one.order.tag()
    return Does(
        order=one.order,
        decide=one.decide and guarded(title, f"order {tag}", one.decide, list),
        tries=one.tries and guarded(title, f"ideas for {tag}", one.tries, list),
        tables=one.tables,
        rolls=one.rolls and guarded(title, f"the dice of {tag}", one.rolls, tuple),
        offered=one.offered and guarded(title, f"prospect of {tag}", one.offered, bool),
        closed=one.closed and guarded(title, f"end of {tag}", one.closed, bool),
    )
