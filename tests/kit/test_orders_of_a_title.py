"""Test a title's table of orders: one line for each order, which determines everything else about it."""

from collections.abc import Iterator

from tests.face.domain import suggestions
from umpire_ledger.kit import Dice, Game, Int, Name, Order, OrderDeclaration, Result, Roll, Side, Title, does

GAME = Game(sides=(Side(id="hills", name="The hills"),))


class RollWater(Order, frozen=True, kw_only=True, tag="roll-water"):
    """Roll for the water."""


class Drift(Order, frozen=True, kw_only=True, tag="drift"):
    """A raft drifts."""

    raft: Name


class Wait(Order, frozen=True, kw_only=True, tag="wait"):
    """Wait a number of days."""

    days: Int = 1


def decide_nothing(game: Game, order: Order, dice: Dice) -> list[Result]:
    return []


def wait_a_week(game: Game, side: str) -> Iterator[Order]:
    yield Wait(seat=side, days=7)


def title(*lines: OrderDeclaration) -> Title:
    return Title(id="two-rivers", name="Two Rivers", version="1", set_up=lambda scenario: (), orders=lines)


class TestWhatIsTried:
    def test_order_without_required_arguments_is_suggested(self) -> None:
        mine = title(does(RollWater, decide_nothing), does(Wait, decide_nothing))
        assert list(suggestions(mine, GAME)) == [RollWater(seat="hills"), Wait(seat="hills")]

    def test_order_with_required_arguments_is_not_suggested(self) -> None:
        assert list(suggestions(title(does(Drift, decide_nothing)), GAME)) == []

    def test_suggestions_of_the_title_replace_the_default(self) -> None:
        assert list(suggestions(title(does(Wait, decide_nothing, tries=wait_a_week)), GAME)) == [
            Wait(seat="hills", days=7)
        ]

    def test_generic_order_has_its_usual_suggestion(self) -> None:
        (one,) = suggestions(title(does(Roll)), GAME)
        assert isinstance(one, Roll)


def test_every_order_of_the_table_can_be_read_and_decided() -> None:
    mine = title(does(RollWater, decide_nothing), does(Roll))
    assert mine.every_order["roll-water"] is RollWater
    assert [*mine.decisions] == [RollWater]
    assert mine.decisions[RollWater].__name__ == "decide_nothing"
