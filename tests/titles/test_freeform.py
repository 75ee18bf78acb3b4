"""Freeform: the generic orders on any table, with undo, redo and rewind among two thousand of them."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.at_least_one import at_least_one
from tests.face.domain import (
    GENERIC_ORDERS,
    FreeScenario,
    PlayRewound,
    UnitRemoved,
    freeform_TITLE as TITLE,
    read_scenario,
)
from tests.face.testing import Story

FIXTURES = Path(__file__).parents[2] / "fixtures" / "freeform"
LINES = [json.loads(line) for line in (FIXTURES / "orders" / "ford.jsonl").read_text().splitlines()]


def ford() -> Story:
    """Return the fixture's game, at its opening."""
    return Story(TITLE, read_scenario((FIXTURES / "scenarios" / "ford.toml").read_text(), FreeScenario))


class TestTheFord:
    def test_fixture_plays_to_its_stated_end(self) -> None:
        table = ford().play(*LINES)
        assert dict(table.game.accounts) == {"points/red": 3, "points/blue": 1}
        assert table.game.units["red-horse"].at == "ford"
        assert table.game.units["blue-guard"].fate == "destroyed"
        assert table.game.markers["daylight"] == "evening"

    def test_every_generic_order_is_in_it(self) -> None:
        used = {line["order"] for line in LINES}
        assert {order.tag() for order in GENERIC_ORDERS} | {"undo", "redo", "rewind", "note", "take-seat"} <= used

    def test_move_of_a_destroyed_unit_is_refused(self) -> None:
        table = ford().play(*LINES)
        table.when({"as": "blue", "order": "move", "unit": "blue-guard", "path": ["mill"]}).then_refused(
            "unit-removed", rule="units", unit="blue-guard", fate="destroyed"
        )

    def test_removed_unit_can_be_placed_again(self) -> None:
        table = ford().play(*LINES)
        again = {"as": "blue", "order": "place", "unit": "blue-guard", "side": "blue", "kind": "foot", "at": "mill"}
        table.play(again)
        assert table.game.units["blue-guard"].fate == ""

    def test_there_is_no_step_to_leave(self) -> None:
        ford().when({"as": "red", "order": "done"}).then_refused("no-such-order", rule="orders", name="done")


def scribbles(dice: random.Random, orders: int) -> Iterator[dict[str, Any]]:
    """Yield orders of every kind, half of them moves; one in ten undoes, redoes or rewinds."""
    for number in range(orders):
        seat = dice.choice(("red", "blue"))
        kind = dice.choices(
            ("move", "pay", "mark", "roll", "change", "undo", "redo", "rewind"), (50, 12, 8, 8, 12, 5, 3, 2)
        )[0]
        match kind:
            case "move":
                yield {"as": seat, "order": kind, "unit": "red-horse", "path": [f"field-{number}"]}
            case "pay":
                yield {"as": seat, "order": kind, "account": f"points/{seat}", "amount": dice.randint(-3, 3)}
            case "mark":
                yield {"as": seat, "order": kind, "marker": "daylight", "to": f"hour {number}"}
            case "roll":
                yield {"as": seat, "order": kind, "dice": "1d6", "purpose": "luck", "pips": [dice.randint(1, 6)]}
            case "change":
                yield {"as": seat, "order": kind, "unit": "red-foot", "attribute": "strength", "to": number}
            case "rewind":
                yield {"as": "referee", "order": kind, "to": dice.randint(7, number + 7), "why": "a dispute"}
            case "undo":
                yield {"as": "referee", "order": kind, "why": "a dispute"}
                if dice.random() < 0.5:
                    yield {"as": "referee", "order": "redo"}
            case _:
                yield {"as": "referee", "order": kind}


@pytest.fixture(scope="module")
def scribbled() -> Story:
    """Return a game after two thousand orders; only undo, redo and rewind may have been refused."""
    table = ford()
    for order in scribbles(random.Random(2), 2000):
        table.when(order)
        if table.refusal is not None:
            assert order["order"] in ("undo", "redo", "rewind"), table.refusal.what
    return table


class TestTwoThousandOrders:
    def test_all_three_ways_back_and_forward_are_among_them(self, scribbled: Story) -> None:
        kinds = [event.kind for one in scribbled.taken for event in one.events if isinstance(event, PlayRewound)]
        assert {kind: kinds.count(kind) > 10 for kind in ("undo", "redo", "rewind")} == dict.fromkeys(
            ("undo", "redo", "rewind"), True
        )

    def test_rewind_restores_an_earlier_position(self, scribbled: Story) -> None:
        """Compare all but the dice: a roll number is never used twice."""
        returns = [(one.rewound.to, one.last) for one in scribbled.taken if one.rewound]
        for to, last in at_least_one(returns):
            then, now = scribbled.state(to), scribbled.state(last)
            assert (then.units, then.accounts, then.markers) == (now.units, now.accounts, now.markers)
            assert now.rolls >= then.rolls

    def test_log_after_rewinds_keeps_every_record(self, scribbled: Story) -> None:
        assert [one.first for one in scribbled.taken[1:]] == [one.last + 1 for one in scribbled.taken[:-1]]
        assert not any(isinstance(event, UnitRemoved) for one in scribbled.taken for event in one.events)
