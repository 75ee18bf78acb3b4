"""Refuse an order that names a unit twice: it is a typing error, and the record would count one unit as two."""

from collections.abc import Iterator
from functools import cache

import msgspec

from umpire_ledger.domain.flow.refusals import REFUSALS
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.field_types import item_of, limits_of
from umpire_ledger.domain.game.orders import UNIT, Order
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.state import Game


def verify_named_once(game: Game, order: Order, rule: str) -> None:
    """Check that no list of units in an order names the same unit twice.

    Raises:
        RuleViolation: A list names a unit twice, and its type does not allow that (`REPEATS`).
    """
    for field in _lists_of_units(type(order)):
        units = getattr(order, field)
        if twice := next((unit for at, unit in enumerate(units) if unit in units[:at]), ""):
            raise refusal(
                RuleViolation, REFUSALS, "named-twice", {"twice": twice, "field": field}, where=game.where, rule=rule
            )


@cache
def _lists_of_units(order: type[Order]) -> tuple[str, ...]:
    return tuple(_fields(order))


def _fields(order: type[Order]) -> Iterator[str]:
    for field in msgspec.structs.fields(order):
        item = item_of(field.type)
        if item and _extra(item).get("names") == UNIT and not _extra(field.type).get("repeats"):
            yield field.name


def _extra(kind: object) -> dict[str, object]:
    return {key: value for one in limits_of(kind) for key, value in (one.extra or {}).items()}
