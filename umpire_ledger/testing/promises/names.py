"""Check that a title refuses unknown names in every field of every order."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, get_args

import msgspec

from umpire_ledger.domain.game.board import board_in, joined
from umpire_ledger.domain.game.cells import places_beside
from umpire_ledger.domain.game.decision import Decision
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.order_json import Sent, read_order
from umpire_ledger.domain.game.orders import EVERYWHERE, GENERIC_ORDERS, PLACE, Order
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.testing.arguments import BESIDE, Field, fields_of, replaced
from umpire_ledger.testing.examples import Example, error_text
from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.random_play import NO_HISTORY
from umpire_ledger.testing.title_under_test import Trial

NOBODY = "nobody-knows-this"
OTHERS_TRIED = 3
"""The most existing but wrong names to try: of another side, out of play, or of another kind."""
_REFUSE = "look the name up and refuse it: `unit_of(game, name)`, or `refusing(TITLE)` with the names that are known"
_NO_PLACE = "refuse a place that the map does not have, as other orders of the title do"


def unknown(trial: Trial) -> Iterator[Finding]:
    """Try each kind of order with one of its names replaced, and yield the findings."""
    places = PlaceTrials(trial)
    for kind, examples in sorted(trial.observed.examples.items(), key=lambda pair: pair[0].tag()):
        yield from _of_kind(trial, kind, examples)
        yield from places.accepted(kind)


def _of_kind(trial: Trial, kind: type[Order], examples: list[Example]) -> Iterator[Finding]:
    told: set[str] = set()
    strict = {name for name in _field_names(examples) if _is_text(kind, name) and _names_things(trial, examples, name)}
    for example in examples:
        raw = msgspec.to_builtins(example.order)
        for field, order in _replaced(example.game, kind, raw):
            if field.name in told:
                continue
            outcome = outcome_of(trial, example.game, order)
            unheard = field.value == NOBODY and field.name in strict
            if isinstance(outcome, str):
                what = f"{kind.tag()} with {field.name} {field.value!r} raised {outcome}"
            elif outcome and unheard:
                what = f"{kind.tag()} is accepted with {field.name} {field.value!r}, which names nothing"
            else:
                continue
            told.add(field.name)
            yield example.finding(what, _REFUSE, about=f"{kind.tag()}.{field.name}", order=order)


def outcome_of(trial: Trial, game: Game, raw: dict[str, Any]) -> bool | str:
    """Return whether an order is accepted; if it raises an exception, return the exception in words."""
    try:
        carried_out(trial.title, game, read_order(trial.title, raw))
    except RuleViolation:
        return False
    except Exception as error:
        return error_text(error)
    return True


def carried_out(title: Title, game: Game, sent: Sent) -> Decision:
    """Decide an order; if it is not carried out after its roll, raise the reason, as if it were refused."""
    decision = decide(title, game, sent, NO_HISTORY)
    if decision.failure is not None:
        raise decision.failure
    return decision


def _field_names(examples: list[Example]) -> set[str]:
    return {field.name for one in examples for field in fields_of(msgspec.to_builtins(one.order), one.game)}


def _is_text(kind: type[Order], name: str) -> bool:
    """Return whether a field accepts only names, in contrast to a field for any value."""
    types = (field.type for field in msgspec.structs.fields(kind) if field.encode_name == name.partition(".")[0])
    return not any(_takes(one, bool) for one in types)


def _takes(annotation: Any, kind: type) -> bool:
    return annotation is kind or any(_takes(one, kind) for one in get_args(annotation))


def _names_things(trial: Trial, examples: list[Example], name: str) -> bool:
    """Return whether every value of a field in the examples names a unit in play, a side or a step."""
    places = set(trial.title.plan.places)
    values = [
        (field.value, one.game)
        for one in examples
        for field in fields_of(msgspec.to_builtins(one.order), one.game)
        if field.name == name and field.value
    ]
    return bool(values) and all(
        _in_play(game, value) or value in game.side_ids or value in places for value, game in values
    )


def _in_play(game: Game, name: str) -> bool:
    unit = game.units.get(name)
    return unit is not None and not unit.fate


def _replaced(game: Game, kind: type[Order], raw: dict[str, Any]) -> Iterator[tuple[Field, dict[str, Any]]]:
    """Yield copies of an order, each with one name replaced or with one omitted field filled in."""
    for field in fields_of(raw, game):
        for other in (NOBODY, *_out_of_place(game, field.value)):
            yield field._replace(value=other), replaced(raw, field, other)
    for name in kind.__struct_encode_fields__:
        if name not in raw and name not in BESIDE:
            for value in (NOBODY, [NOBODY], {NOBODY: 1}):
                yield Field(name, (name,), NOBODY), {**raw, name: value}


def _out_of_place(game: Game, value: str) -> Iterator[str]:
    """Yield existing names that may be wrong here: other sides, or units of another side or kind, or out of play."""
    unit = game.units.get(value)
    if unit is not None:
        others = [one for one in sorted(game.units.values(), key=lambda one: one.id) if one.id != value]
        kinds = {(one.side == unit.side, one.kind == unit.kind, bool(one.fate)): one.id for one in others}
        yield from list(kinds.values())[:OTHERS_TRIED]
    elif value in game.side_ids:
        yield from (side for side in game.side_ids if side != value)


# --- places -----------------------------------------------------------------------------------------------------------


class Planted(msgspec.Struct, frozen=True):
    """An example with one place replaced by a place that does not exist, and whether the order was accepted."""

    example: Example
    field: Field
    order: dict[str, Any]
    accepted: bool

    @property
    def at(self) -> tuple[int, type[Order], str]:
        return self.example.scenario, type(self.example.order), self.field.name


class PlaceTrials:
    """Tries every `PlaceName` of the title's own orders with a place that does not exist.

    If Umpire does not know the map, any word may be a place. So an accepted place is a fault only in a scenario whose
    map the title knows: either it knows the neighbors of the place, or another argument refuses unknown places.
    """

    def __init__(self, trial: Trial) -> None:
        self.trial = trial

    @cached_property
    def planted(self) -> list[Planted]:
        kinds = sorted(self.trial.observed.examples.items(), key=lambda pair: pair[0].tag())
        own = ((kind, examples) for kind, examples in kinds if kind not in (*GENERIC_ORDERS, *EVERYWHERE))
        return [one for kind, examples in own for example in examples for one in self._in(kind, example)]

    def _in(self, kind: type[Order], example: Example) -> Iterator[Planted]:
        raw = msgspec.to_builtins(example.order)
        for field in fields_of(raw, example.game):
            if field.value and names_place(kind, field.name):
                order = replaced(raw, field, NOBODY)
                yield Planted(example, field, order, outcome_of(self.trial, example.game, order) is True)

    def accepted(self, kind: type[Order]) -> Iterator[Finding]:
        """Yield the first finding about each argument of a kind of order."""
        told: set[str] = set()
        for one in self.planted:
            name = one.field.name
            if type(one.example.order) is kind and one.accepted and name not in told and self._has_map(one):
                told.add(name)
                what = f"{kind.tag()} is accepted with {name} {NOBODY!r}, which is not a place of the map"
                yield one.example.finding(what, _NO_PLACE, about=f"{kind.tag()}.{name}", order=one.order)

    def _has_map(self, planted: Planted) -> bool:
        return self._has_neighbors(planted) or any(scenario == planted.example.scenario for scenario in self._mapped)

    def _has_neighbors(self, planted: Planted) -> bool:
        title, game, place = self.trial.title, planted.example.game, planted.field.value
        board = joined(title.board(game), board_in(game.tables))
        return bool(title.next_to(game, place) or next(places_beside(board, place), ""))

    @cached_property
    def _mapped(self) -> set[int]:
        """Numbers of the scenarios in which an argument refused all unknown places and accepted another known place."""
        accepted = {one.at for one in self.planted if one.accepted}
        return {one.at[0] for one in self.planted if one.at not in accepted and self._takes_another(one)}

    def _takes_another(self, planted: Planted) -> bool:
        """Return whether an argument accepts another known place; if not, its refusal proves nothing about the map."""
        example, field = planted.example, planted.field
        places = sorted({unit.at for unit in example.game.in_play()} - {field.value})
        raw = msgspec.to_builtins(example.order)
        return any(outcome_of(self.trial, example.game, replaced(raw, field, place)) is True for place in places)


def names_place(kind: type[Order], field: str) -> bool:
    """Return whether an order declares the field at this path as a place of the map."""
    annotation: Any = kind
    for name in field.removesuffix(" (key)").split("."):
        annotation = next((one for inner in _structs(annotation) for one in _types_of(inner, name)), None)
    return annotation is not None and PLACE in _hints(annotation)


def _structs(annotation: Any) -> Iterator[Any]:
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        yield annotation
    for one in get_args(annotation):
        yield from _structs(one)


def _types_of(struct: Any, name: str) -> Iterator[Any]:
    return (field.type for field in msgspec.structs.fields(struct) if field.encode_name == name)


def _hints(annotation: Any) -> Iterator[Any]:
    if isinstance(annotation, msgspec.Meta):
        yield (annotation.extra or {}).get("names")
    for one in get_args(annotation):
        yield from _hints(one)
