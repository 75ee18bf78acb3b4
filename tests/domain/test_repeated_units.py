"""Check that a list of units names each unit once, unless its order has an entry for each hit."""

import re
from typing import get_type_hints

import msgspec
import pytest

from tests.face.desk import example_of
from tests.face.domain import (
    AssignHits,
    Game,
    Order,
    RuleViolation,
    Title,
    verify_named_once,
)
from tests.face.testing import titles

UNITS = re.compile(r"tuple\[typing\.Annotated\[str, [^\[]*'names': 'unit'")


def lists_of_units(order: type[Order]) -> list[str]:
    kinds = {name: str(kind) for name, kind in get_type_hints(order, include_extras=True).items()}
    return [name for name, kind in kinds.items() if UNITS.search(kind)]


LISTS = [
    pytest.param(title, order, field, id=f"{title.id}-{name}-{field}")
    for title in titles()
    for name, order in title.every_order.items()
    for field in lists_of_units(order)
    if order is not AssignHits
]


def naming(title: Title, order: type[Order], field: str, units: list[str]) -> Order:
    example = {name: value for name, value in example_of(title, order).items() if name != "pips"}
    return msgspec.convert({**example, "as": "red", field: units}, order)


def test_titles_have_lists_of_units() -> None:
    assert len(LISTS) > 40


@pytest.mark.parametrize(("title", "order", "field"), LISTS)
def test_list_names_a_unit_once(title: Title, order: type[Order], field: str) -> None:
    verify_named_once(Game(), naming(title, order, field, ["a", "b"]), "4b")
    with pytest.raises(RuleViolation) as refused:
        verify_named_once(Game(), naming(title, order, field, ["a", "b", "a"]), "4b")
    assert (refused.value.rule, refused.value.code) == ("4b", "named-twice")
    assert refused.value.fields == {"twice": "a", "field": field}


def test_unit_with_two_hits_is_named_twice() -> None:
    """TI3 SB.3."""
    verify_named_once(Game(), AssignHits(seat="red", to=("a", "a")), "SB.3")
    assert lists_of_units(AssignHits) == ["to"]
