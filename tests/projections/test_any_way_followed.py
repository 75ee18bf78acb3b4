"""Check that rows equal those of a rebuild, whether programs follow a game order by order or in batches."""

import random
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.face.desk import GameStateBuilder
from tests.face.domain import (
    RestrictedEvent,
    RuleViolation,
    SeatTaken,
    UnitChanged,
)
from tests.face.ledger import Ledger
from tests.face.projections import Follower, search_index
from tests.projections.table import BLUE, RED, TITLES, Table, laid, rows, views_of

Order = tuple[str, str, dict[str, Any]]
Way = Callable[[Table], object]

SOME: list[Order] = [
    (RED, "move", {"unit": "red-1", "path": ["0102"]}),
    (BLUE, "move", {"unit": "blue-1", "path": ["0104"]}),
    (RED, "place", {"unit": "red-2", "side": RED, "kind": "galley", "at": "0303"}),
    (RED, "change", {"unit": "red-1", "attribute": "crew", "to": 3}),
    (BLUE, "remove", {"unit": "blue-1", "fate": "sunk"}),
    (RED, "pay", {"account": "vp/red", "amount": 1}),
    (BLUE, "mark", {"marker": "wind", "to": "SW"}),
    (BLUE, "mark", {"marker": "wind", "to": None}),
    (BLUE, "roll", {"purpose": "a storm"}),
    (RED, "seal-choice", {"question": "plan", "choice": "north"}),
    (RED, "reveal", {"question": "plan"}),
    ("referee", "seat", {}),
    (RED, "undo", {}),
    ("referee", "undo", {"why": "a slip", "orders": 2}),
    ("referee", "redo", {}),
    (RED, "hidden", {}),
    ("referee", "rewind", {"to": 6, "why": "from there"}),
]
ORDERS = st.one_of(
    st.sampled_from(SOME),
    st.integers(1, 40).map(lambda to: ("referee", "rewind", {"to": to, "why": "from there"})),
)


def by_another_program(table: Table) -> None:
    views = views_of(table.path)
    with Ledger.open(table.path, GameStateBuilder()) as ledger, Follower(ledger, views, TITLES.get) as other:
        other.follow(table.game)


WAYS: dict[str, Way] = {
    "followed": lambda table: table.views.follow(table.game),
    "looked at": lambda table: table.views.catch_up(table.game),
    "views laid": lambda table: table.views.lay_views(table.game),
    "by another program": by_another_program,
    "not yet": lambda table: None,
}


def given_or_refused(table: Table, seat: str, order: str, arguments: dict[str, Any]) -> None:
    """Give an order that the rules may refuse.

    Order `hidden` is a change that only Red may see; with order `seat`, a player takes a seat.
    """
    if order == "seat":
        table.lay_down(SeatTaken(seat="anna", side=RED, name="Anna"))
        return
    if order == "hidden":
        hidden = UnitChanged(unit="red-1", attribute="decoy", before=None, after=table.size)
        table.lay_down(RestrictedEvent(hidden, (RED, "referee")))
        return
    try:
        table.play(seat, order, **arguments)
    except RuleViolation:
        return


@pytest.mark.parametrize("seed", range(5))
def test_random_orders_followed_on_each_store_match_a_rebuild(table: Table, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(20):
        given_or_refused(table, *chance.choice(SOME))
        WAYS[chance.choice(sorted(WAYS))](table)
    found = settled(table)
    assert len(found[0]["audit"]) == table.size
    table.views.rebuild("g")
    assert settled(table) == found
    table.views.rebuild_all()
    assert settled(table) == found


def settled(table: Table) -> tuple[dict[str, list[tuple[Any, ...]]], list[tuple[Any, ...]]]:
    """Return all rows after the turn views are stored."""
    views = laid(table.views)
    return rows(table.views), views


@examples(30)
@given(st.lists(st.tuples(ORDERS, st.sampled_from(sorted(WAYS))), max_size=25))
def test_random_orders_followed_match_a_rebuild(played: list[tuple[Order, str]]) -> None:
    with TemporaryDirectory() as folder:
        table = Table(Path(folder))
        for order, way in played:
            given_or_refused(table, *order)
            WAYS[way](table)
        found = settled(table)
        assert len(found[0]["audit"]) == table.size
        table.views.rebuild("g")
        assert settled(table) == found
        table.close()


def test_search_index_lags_and_is_filled_for_a_query(table: Table) -> None:
    table.views.catch_up("g")
    for _ in range(3):
        table.play(RED, "pay", account="vp/red", amount=1).views.follow("g")
    assert searched(table) == table.size - 3
    table.views.catch_up("g")
    assert searched(table) == table.size


def test_search_index_lags_by_a_limited_number_of_records(table: Table) -> None:
    table.follow()
    behind: list[int] = []
    for _ in range(search_index.LAG + 3):
        table.play(RED, "pay", account="vp/red", amount=1).views.follow("g")
        behind.append(table.size - searched(table))
    assert max(behind) == search_index.LAG - 1


def test_search_index_is_filled_when_read_models_close(table: Table) -> None:
    table.views.catch_up("g")
    table.play(RED, "pay", account="vp/red", amount=1)
    by_another_program(table)
    assert searched(table) == table.size


def test_followed_order_removes_stored_turn_views(table: Table) -> None:
    assert len(laid(table.views)) == 4
    table.play(RED, "pay", account="vp/red", amount=1).views.follow("g")
    assert table.views.connection.execute("SELECT count(*) FROM turn_view").fetchone() == (0,)
    assert {row[2] for row in laid(table.views)} == {table.size}


def test_cost_of_following_does_not_grow_with_units(file_table: Table) -> None:
    # A unit has one row per group of seats with the same knowledge; rows that no other program can write are not read.
    table = file_table
    table.follow()
    for unit in range(50):
        table.play(RED, "place", unit=f"red-x{unit}", side=RED, kind="ship", at="0101")
    table.follow()
    table.play(RED, "move", unit="red-1", path=["0102"])
    statements: list[str] = []
    table.views.connection.set_trace_callback(statements.append)
    table.views.follow("g")
    table.views.connection.set_trace_callback(None)
    assert len([one for one in statements if "INTO unit" in one]) == 1
    assert not [one for one in statements if one.startswith("SELECT")]


def searched(table: Table) -> int:
    return int(table.views.connection.execute("SELECT searched FROM game").fetchone()[0])
