"""Check that a title refuses orders for another side's units and for cards that a side does not hold.

Random play shows which arguments name only a side's own units, or only cards that it holds (`testing.arguments`). Such
an argument must refuse other units or cards. An argument that named only enemy units is not tried with own units,
because rules may let a side name both, for example in an order about losses from a table.
"""

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

import msgspec

from umpire_ledger.domain.game.orders import Order
from umpire_ledger.domain.game.state import Game, Unit
from umpire_ledger.testing.arguments import HELD, OWN, Field, Invariant, fields_of, holders_of, replaced
from umpire_ledger.testing.examples import Example
from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.promises.names import outcome_of
from umpire_ledger.testing.title_under_test import Trial

SWAPPED = 60
"""The most orders of other sides to give from the wrong seat, for each example."""
UNITS, CARDS = 6, 8
"""The most units and cards to try in one argument of an example."""
_REMEDY = {
    OWN: "refuse a unit whose `side` is not the seat's; if any side's unit is allowed, suggest some in `tries`",
    HELD: "look the name up in what the side holds, and refuse it if it is not there",
}


def kept(trial: Trial) -> Iterator[Finding]:
    """Yield the first finding about each argument that accepts a forbidden name."""
    for kind, examples in sorted(trial.observed.examples.items(), key=lambda pair: pair[0].tag()):
        told: set[str] = set()
        for example in examples:
            for field, invariant, order in planted(trial, kind, example):
                if field.name not in told and outcome_of(trial, example.game, order) is True:
                    told.add(field.name)
                    yield _finding(example, field, invariant, order)


def _finding(example: Example, field: Field, invariant: Invariant, order: dict[str, Any]) -> Finding:
    name, side = example.order.tag(), example.game.side_of(str(order["as"]))
    wrong = {
        OWN: f"which is not a unit of {side}; in every other accepted order, it was",
        HELD: f"which {side} does not hold ({invariant.holder.replace('SIDE', side)})",
    }
    what = f"{name} is accepted with {field.name} {field.value!r}, {wrong[invariant.kind]}"
    return example.finding(what, _REMEDY[invariant.kind], about=f"{name}.{field.name}", order=order)


def planted(trial: Trial, kind: type[Order], example: Example) -> Iterator[tuple[Field, Invariant, dict[str, Any]]]:
    """Yield orders that break a likely invariant, each with the field and the invariant."""
    game, side, raw = example.game, example.game.side_of(example.order.seat), msgspec.to_builtins(example.order)
    likely = {field: trial.observed.arguments.likely(kind, field.name) for field in fields_of(raw, game)}
    for field, invariants in likely.items():
        for invariant in sorted(invariants):
            for value in _opposites(trial, kind, field, invariant, game, side):
                yield field._replace(value=value), invariant, replaced(raw, field, value)
    own = {field.name for field, invariants in likely.items() if Invariant(OWN) in invariants}
    for order in islice(_by_wrong_side(trial, kind, example), SWAPPED if own else 0):
        for field in fields_of(order, game):
            if field.name in own and field.value in _units_of_others(game, side):
                yield field, Invariant(OWN), order


def _opposites(trial: Trial, kind: type[Order], field: Field, invariant: Invariant, game: Game, side: str) -> list[str]:
    """Return values that break an invariant.

    These are units of other sides, the nearest first, or cards that other sides hold or that were used before.
    """
    if invariant.kind == OWN:
        here = game.units[field.value]
        others = sorted(
            _units_of_others(game, side).values(), key=lambda one: (one.at != here.at, one.kind != here.kind)
        )
        return [unit.id for unit in others[:UNITS]]
    held = {one: holders_of(game, one).get(invariant.holder, ()) for one in game.side_ids}
    known = dict.fromkeys((*chain.from_iterable(held.values()), *trial.observed.arguments.values(kind, field.name)))
    return [card for card in known if card not in held[side]][:CARDS]


def _units_of_others(game: Game, side: str) -> dict[str, Unit]:
    return {unit.id: unit for unit in game.in_play() if unit.side not in ("", side)}


def _by_wrong_side(trial: Trial, kind: type[Order], example: Example) -> Iterator[dict[str, Any]]:
    """Yield orders that other sides could give, but from the seat of the example."""
    game, side, tries = example.game, example.game.side_of(example.order.seat), trial.title.tries.get(kind)
    if tries is None:
        return
    for other in game.side_ids:
        if other != side:
            yield from ({**msgspec.to_builtins(order), "as": example.order.seat} for order in tries(game, other))
