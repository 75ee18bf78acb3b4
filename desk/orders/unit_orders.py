"""Find the orders that begin with a unit or a place, and every target that the rules accept for them now.

Candidates are the title's suggested orders and the completions of an order's first argument. The rules decide each
candidate in a dry run on the seat's knowledge (`desk.orders.legal_orders`), so the answer reveals no secret.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import msgspec

from umpire_ledger.desk.orders.click_choices import (
    ClickableOrder,
    Given,
    RefusedOrder,
    UnitOrder,
    UnitOrders,
    asks_again,
    paid,
)
from umpire_ledger.desk.orders.completion import CompletionContext
from umpire_ledger.desk.orders.dry_run import SEED
from umpire_ledger.desk.orders.legal_orders import trial_of
from umpire_ledger.desk.orders.order_arguments import Argument, arguments_of, commas_in_places, positional
from umpire_ledger.desk.orders.path_search import Way, shortest_ways, way_over
from umpire_ledger.desk.orders.typed_orders import short_form, words_of_arguments
from umpire_ledger.domain.flow.automatic_moves import ahead_of
from umpire_ledger.domain.flow.available_orders import refusal_until_dice
from umpire_ledger.domain.flow.open_steps import acting, acting_anytime, free_members, open_steps, waiting_loop
from umpire_ledger.domain.flow.order_scope import may_give
from umpire_ledger.domain.game.board import board_in, joined
from umpire_ledger.domain.game.cells import places_beside
from umpire_ledger.domain.game.decision import Decision, events_of
from umpire_ledger.domain.game.errors import NotHeldHere, RuleViolation, TitleFault
from umpire_ledger.domain.game.events import DiceRolled
from umpire_ledger.domain.game.order_json import Sent
from umpire_ledger.domain.game.orders import PLACE, UNIT, Order, Pick
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.history.history import History
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.domain.play.suggested_orders import suggested

MOST_RUNS = 400
"""Maximum number of dry runs for one answer."""
MOST_NEAR = 48
"""Maximum number of places or units to try as the target of one order, the nearest first."""
MOST_REFUSED = 6
"""Maximum number of refused orders to list with their reasons."""
MOST_ANSWERS = 1000
"""Maximum number of answers that a seat's candidates keep: a request can name any place."""
HOPEFUL = 8
"""Accepted dry runs in a row after which the next one is decided in full at once: the answer needs that anyway."""
SPENT = "no dry runs are left for this answer"
Refusal = tuple[str, RuleViolation]
"""The target of a refused order, and its refusal."""


class Subject(NamedTuple):
    """The clicked unit or place, or neither. `order`, `over`: only this order, along a path over these places."""

    unit: str = ""
    place: str = ""
    order: str = ""
    over: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The kind of the argument that it fills."""
        return UNIT if self.unit else PLACE if self.place else ""

    @property
    def name(self) -> str:
        """The word of that argument."""
        return self.unit or self.place


class Candidates:
    """The orders to try in a game at one position, sorted once: the kinds that a side may give, and suggestions."""

    def __init__(self, context: CompletionContext, root_at: int) -> None:
        self.title, self.game, self.root_at = context.title, trial_of(context.game, SEED), root_at
        self.answers: dict[Subject, UnitOrders] = {}
        self._kinds: dict[str, dict[type[Order], Game]] = {}
        self._ideas: dict[tuple[type[Order], str], dict[str, list[Order]]] = {}

    def kinds(self, side: str) -> Mapping[type[Order], Game]:
        """Return the kinds of orders that a side may give now, each with the game in which it would be decided."""
        if side not in self._kinds:
            self._kinds[side] = dict(self._found(side))
        return self._kinds[side]

    def _found(self, side: str) -> Iterator[tuple[type[Order], Game]]:
        title, game = self.title, self.game
        if game.ended:
            return
        if title.sequence is None:
            yield from ((one.order, game) for one in title.orders)
            return
        try:
            ahead = ahead_of(title, game, side)
            for at in (*((ahead.game,) if ahead else ()), game):
                yield from ((order, at) for order in _allowed(title, at, side))
        except TitleFault:
            return

    def ideas(self, order: type[Order], stands: Game, side: str, subject: Subject) -> list[Order]:
        """Return the title's suggested orders that begin with the subject; without a subject, every possible pick."""
        key = order, side
        if key not in self._ideas:
            found: dict[str, list[Order]] = {}
            first = first_argument(order)
            for one in _suggested(self.title, stands, order, side):
                for name in (_names(getattr(one, first.name)) if first else ()) or ("",):
                    found.setdefault(name, []).append(one)
            self._ideas[key] = found
        if order is Pick and not subject.name:
            return list(chain.from_iterable(self._ideas[key].values()))
        return self._ideas[key].get(subject.name, [])


def _allowed(title: Title, game: Game, side: str) -> Iterator[type[Order]]:
    for step in open_steps(title, game):
        if side in acting(title, game, step):
            yield from (order for order in step.allows if may_give(title, game, order, side, step))
    for step in title.plan.anytime:
        if side in acting_anytime(title, game, step):
            yield from (order for order in step.allows if may_give(title, game, order, side, step))
    if waiting_loop(title, game) is not None and side in game.cursor.waiting():
        yield Pick


def _suggested(title: Title, game: Game, order: type[Order], side: str) -> list[Order]:
    loop = waiting_loop(title, game)
    if order is Pick and loop is not None:
        return [Pick(seat=side, member=one) for one in free_members(title, game, loop)]
    try:
        return [one for one in suggested(title, game, order, side) if isinstance(one, order)]
    except TitleFault:
        return []


# --- the arguments of an order ----------------------------------------------------------------------------------------


def first_argument(order: type[Order]) -> Argument | None:
    """Return the argument that a click on a unit or a place fills: the first that names one; None if there is none."""
    placed = positional(order)
    return next((one for one in placed if one.names in (UNIT, "member")), None) or next(
        (one for one in placed if one.names == PLACE), None
    )


def _is_named(name: str, text: str) -> bool:
    """Return whether a text contains a name as a whole word."""
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


def _names(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, (list, tuple, dict)) else (str(value),) if value else ()


def _begins_with(order: type[Order], subject: Subject) -> bool:
    first = first_argument(order)
    if first is None or not (subject.name or first.required):
        return not subject.name
    return first.names in (subject.kind, "member")


def _target_of(one: Order) -> tuple[Argument, str] | None:
    """Return the argument for the target of an order, and the target: the end of a path, one place, or one unit.

    An optional list of units is a detail of the order, even if it names one unit.
    """
    first, placed = first_argument(type(one)), positional(type(one))
    rest = (one for one in arguments_of(type(one)) if one not in placed and (one.lists_places or not one.is_many))
    for argument in (*placed, *rest):
        names = _names(getattr(one, argument.name)) if argument.names in (UNIT, PLACE) and argument != first else ()
        if len(names) == 1 or (names and argument.lists_places):
            return argument, names[-1]
    return None


def _target_name(one: Order) -> str:
    found = _target_of(one)
    return found[1] if found is not None else ""


# --- the orders of a unit ---------------------------------------------------------------------------------------------


def unit_orders(context: CompletionContext, candidates: Candidates, subject: Subject, history: History) -> UnitOrders:
    """Return the orders that begin with a unit, with a place, or with neither, and their targets."""
    if subject.order or subject.over:
        return _found(context, candidates, subject, history)
    if subject not in candidates.answers:
        if len(candidates.answers) >= MOST_ANSWERS:
            candidates.answers.clear()
        candidates.answers[subject] = _found(context, candidates, subject, history)
    return candidates.answers[subject]


def _found(context: CompletionContext, candidates: Candidates, subject: Subject, history: History) -> UnitOrders:
    unit = context.game.units.get(subject.unit)
    owner = unit.side if unit is not None else ""
    seats = (*context.sides, REFEREE) if context.seat == REFEREE else context.sides
    sides = sorted(seats, key=lambda side: side != owner) if unit is None or not unit.fate else ()
    kinds = {side: candidates.kinds(side) for side in sides}
    found = [
        (side, order, stands)
        for side in sides
        for order, stands in kinds[side].items()
        if subject.order in ("", order.tag())
        and _begins_with(order, subject)
        and (side == owner or order not in kinds.get(owner, ()))
    ]
    runs = _DryRuns(context, candidates, history)
    by_kind = {}
    for side, order, stands in sorted(found, key=lambda one: any(rest.lists_places for rest in positional(one[1]))):
        tried = _Kind(runs, subject, side, order, stands)
        by_kind[side, order] = list(tried.orders(may_refuse=owner in ("", side)))
    listed = [one for side, order, _ in found for one in by_kind[side, order]]
    greyed = [one for one in listed if one.refused is not None][MOST_REFUSED:]
    return UnitOrders(
        unit=subject.unit,
        place=subject.place,
        side=owner or context.game.side_of(context.seat),
        root_at=candidates.root_at,
        orders=tuple(one for one in listed if one not in greyed),
    )


class _DryRuns:
    """The limited dry runs of one answer."""

    def __init__(self, context: CompletionContext, candidates: Candidates, history: History) -> None:
        self.title, self.game, self.candidates, self._history = context.title, candidates.game, candidates, history
        self.by_referee = context.seat == REFEREE
        self.from_table = context.game.dice == "table"
        self.commas = commas_in_places(context.game)
        self.board = joined(self.title.board(self.game), board_in(self.game.tables))
        self.left = MOST_RUNS
        self._accepted = 0
        self._decided: tuple[Order, Decision] | None = None

    def decide(self, game: Game, one: Order) -> Decision | None:
        """Return the decision of an order in a game; None if it depends on secrets that the seat does not know.

        Raises:
            RuleViolation: When the rules refuse it.
            TitleFault: When the title fails.
        """
        self.left -= 1
        decided, self._decided = self._decided, None
        if decided is not None and decided[0] == one:
            return decided[1]
        try:
            return decide(self.title, game, Sent(order=one), self._history)
        except NotHeldHere:
            return None

    def refusal(self, stands: Game, one: Order) -> str | None:
        """Return in words why an order is refused before its dice, at less cost than `decide`; None if it is not."""
        self.left -= 1
        if self.left <= 0:
            return SPENT
        if self._accepted >= HOPEFUL and self._decides(stands, one):
            return None
        try:
            refused = refusal_until_dice(self.title, stands, one)
        except TitleFault as fault:
            return fault.what
        self._accepted = self._accepted + 1 if refused is None else 0
        return None if refused is None else refused.what

    def _decides(self, stands: Game, one: Order) -> bool:
        """Return whether an order is accepted, and keep its decision for `decide`."""
        try:
            self._decided = one, decide(self.title, stands, Sent(order=one), self._history)
        except (RuleViolation, TitleFault, NotHeldHere):
            return False
        return True


class _Kind(NamedTuple):
    """One kind of order of a side, to try with a subject."""

    runs: _DryRuns
    subject: Subject
    side: str
    order: type[Order]
    stands: Game

    def orders(self, *, may_refuse: bool) -> Iterator[UnitOrder]:
        """Yield the order once with its targets, and once for each way to give it without a target."""
        wholes, targets, refusals, is_tried = (
            list[ClickableOrder](),
            dict[str, ClickableOrder](),
            list[Refusal](),
            False,
        )
        for one in self._candidates():
            if self.runs.left <= 0:
                break
            is_tried = True
            found = self._choice(one)
            if isinstance(found, RuleViolation):
                refusals.append((_target_name(one), found))
            elif found is not None and (target := found.place or found.unit):
                if target not in targets or _rank(found) < _rank(targets[target]):
                    targets[target] = found
            elif found is not None and found.typed not in [whole.typed for whole in wholes]:
                wholes.append(found)
        if targets or not (wholes or is_tried or self.order is Pick):
            yield self._line(None, tuple(targets.values()), None)
        for whole in wholes:
            yield self._line(whole, (), None)
        if not targets and not wholes and refusals and may_refuse:
            yield self._line(None, (), self._reason(refusals))

    def _reason(self, refusals: Sequence[Refusal]) -> RefusedOrder:
        """Return the clearest refusal: if refusals depend on the target, one about the subject, with its target."""
        target, chosen = max(refusals, key=lambda one: _is_named(self.subject.name, one[1].what))
        is_clear = len({one.what for _, one in refusals}) == 1 or _is_named(self.subject.name, chosen.what)
        text = chosen.what if is_clear or _is_named(target, chosen.what) else f"{chosen.what} ({target})"
        return RefusedOrder(code=chosen.code, text=text, remedy=chosen.remedy)

    def _line(
        self, whole: ClickableOrder | None, targets: tuple[ClickableOrder, ...], refused: RefusedOrder | None
    ) -> UnitOrder:
        first = first_argument(self.order)
        form: Given = {first.name: (self.subject.name,)} if first is not None and self.subject.name else {}
        return UnitOrder(
            order=self.order.tag(),
            seat=self.side,
            words=whole.words if whole else _verb(self.order),
            help=(self.order.__doc__ or "").split("\n\n")[0].split(". ")[0].replace("\n", " "),
            form=self._with_seat(form),
            whole=whole,
            targets=targets,
            refused=refused,
        )

    def _with_seat(self, given: Given) -> Given:
        return {**given, "as": (self.side,)} if self.runs.by_referee else given

    # --- dry runs -----------------------------------------------------------------------------------------------------

    def _choice(self, one: Order) -> ClickableOrder | RuleViolation | None:
        """Return an order that the rules accept as a choice, or its refusal; None if the title fails."""
        try:
            decision = self.runs.decide(self.stands, one)
        except RuleViolation as refusal:
            return refusal
        except TitleFault:
            return None
        events = tuple(events_of(decision.told)) if decision is not None else ()
        target = _target_of(one)
        way = self._way(one, target[0]) if target else ()
        dice = sum(len(event.pips) for event in events if isinstance(event, DiceRolled))
        raw: dict[str, Any] = msgspec.to_builtins(one)
        given = words_of_arguments(self.order, raw)
        why = asks_again(events, self.side) if decision is not None else "no undo"
        return ClickableOrder(
            given=self._with_seat(given),
            typed=short_form(self.runs.title, raw, seat=self.runs.by_referee, commas=self.runs.commas, given=given),
            words=self._words(one, target, given),
            asks_again=why,
            dice=dice if self.runs.from_table else 0,
            pays=paid(events) if why == "pays" else {},
            place=target[1] if target and target[0].names == PLACE else "",
            unit=target[1] if target and target[0].names == UNIT else "",
            path=way,
            cost=len(way),
            costs=tuple(range(1, len(way) + 1)),
        )

    def _way(self, one: Order, argument: Argument) -> Way:
        """Return the places of a path after its start."""
        path = _names(getattr(one, argument.name)) if argument.lists_places else ()
        return path[1:] if path[:1] == (self._start,) else path

    def _words(self, one: Order, target: tuple[Argument, str] | None, given: Given) -> str:
        first = first_argument(self.order)
        who = ", ".join(_names(getattr(one, first.name))) if first is not None else ""
        words = f"{_verb(self.order)} {who}".strip()
        if target is not None:
            words = f"{words} {'to' if target[0].names == PLACE else '→'} {target[1]}"
        named = (first.name if first is not None else "", target[0].name if target is not None else "")
        return "".join((words, *self._details({name: said for name, said in given.items() if name not in named})))

    def _details(self, given: Given) -> Iterator[str]:
        """Yield the arguments other than the subject and the target: by position, then the options with their names."""
        placed = [one.name for one in positional(self.order)]
        yield from (f" {word}" for name in placed for word in given.get(name, ()))
        yield from (
            f", {name.replace('_', ' ')}{'' if said == ('true',) else ' ' + ', '.join(said)}"
            for name, said in given.items()
            if name not in placed
        )

    # --- completion ---------------------------------------------------------------------------------------------------

    @property
    def _start(self) -> str:
        unit = self.stands.units.get(self.subject.unit)
        return unit.at if unit is not None else ""

    def _candidates(self) -> Iterator[Order]:
        """Yield the title's suggestions, then the completions of the order's first argument."""
        runs = self.runs
        if not self.subject.over:
            yield from runs.candidates.ideas(self.order, self.stands, self.side, self.subject)
        first = first_argument(self.order)
        if self.order is Pick:
            return
        begun: dict[str, Any] = {"order": self.order.tag(), "as": self.side}
        if first is not None and self.subject.name:
            begun[first.name] = [self.subject.name] if first.is_many else self.subject.name
        missing = [one for one in positional(self.order) if one.required and one != first]
        if not missing:
            yield from self._read(begun)
            missing = self._possible_targets()[:1]
        if len(missing) == 1:
            yield from self._completed(begun, missing[0])

    def _possible_targets(self) -> list[Argument]:
        """Return the optional arguments that could be the target of an order that begins with a subject."""
        own = (one for one in arguments_of(self.order) if one.own and one.names in (UNIT, PLACE))
        single = [one for one in own if one.lists_places or not one.is_many]
        return [one for one in single if one != first_argument(self.order)] if self.subject.name else []

    def _completed(self, begun: Mapping[str, Any], last: Argument) -> Iterator[Order]:
        if last.lists_places:
            yield from self._ways(begun, last)
        if last.lists_places or self.subject.over:
            return
        values = self._values(last)
        samples = self._samples(values)
        for value in values:
            for one in self._read({**begun, last.name: [value] if last.is_many else value}):
                if self.runs.refusal(self.stands, one) is None or value in samples:
                    yield one

    def _samples(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """Return the values whose refusal is shown: the first one and, for units, the first one of another side."""
        units = self.stands.units
        others = (one for one in values if one in units and units[one].side != self.side)
        return (*values[:1], *(one for one in (next(others, None),) if one is not None))

    def _ways(self, begun: Mapping[str, Any], last: Argument) -> Iterator[Order]:
        """Yield the paths that may be accepted; if there are none, one step, so that its refusal can be shown."""

        def refusal(way: Way) -> str | None:
            read = next(self._read({**begun, last.name: way}), None)
            return self.runs.refusal(self.stands, read) if read is not None else SPENT

        beside = self._beside(self._start) if self._start else ()
        if over := self.subject.over:
            way = way_over(self._start, over, self._beside, refusal)
            yield from self._read({**begun, last.name: way}) if way else ()
            return
        ways = shortest_ways(self._start, self._beside, refusal) if beside else ((one,) for one in self._values(last))
        for way in chain(ways, (beside[:1],) if beside else ()):
            yield from self._read({**begun, last.name: way})

    def _read(self, raw: Mapping[str, Any]) -> Iterator[Order]:
        try:
            yield msgspec.convert(raw, self.order)
        except msgspec.ValidationError:
            return

    def _values(self, argument: Argument) -> Sequence[Any]:
        title, game = self.runs.title, self.stands
        if argument.choices:
            return argument.choices
        beside = (self._start, *self._beside(self._start)) if self._start else ()
        if argument.names == UNIT:
            units = [one for one in game.units.values() if not one.fate and one.id != self.subject.unit]
            return [one.id for one in sorted(units, key=lambda one: _place_in(beside, one.at))[:MOST_NEAR]]
        if argument.names == PLACE:
            used = sorted({one.at for one in game.units.values() if not one.fate})
            return list(dict.fromkeys((*beside, *used)))[:MOST_NEAR]
        if argument.names == "side":
            return game.side_ids
        names = title.names_for(self.order, argument.name, argument.names)
        return names(game)[:MOST_NEAR] if names is not None else ()

    def _beside(self, place: str) -> tuple[str, ...]:
        return self.runs.title.next_to(self.stands, place) or tuple(places_beside(self.runs.board, place))


def _place_in(places: Sequence[str], place: str) -> int:
    return min(places.index(place), 1) if place in places else 2


def _rank(one: ClickableOrder) -> tuple[int, int]:
    """Return a sort key for choices with one target: prefer few named units, then a low cost."""
    return sum(len(words) for words in one.given.values()) + one.typed.count(",") - len(one.path), one.cost


def _verb(order: type[Order]) -> str:
    return order.tag().replace("-", " ").capitalize()
