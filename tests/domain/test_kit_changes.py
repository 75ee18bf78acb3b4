"""The changes that every title writes: what counts as a change, and what is told where nothing changes."""

import pytest
from immutables import Map

from umpire_ledger.domain.game.cursor import Cursor, Open
from umpire_ledger.domain.game.events import AccountChanged, MarkerSet, SideDone, UnitChanged, UnitMoved, Value
from umpire_ledger.domain.game.state import Game, Unit
from umpire_ledger.kit import Closes, changed, emptied, leave_when_nothing_is_due, marked, moved, paid, refusing

SHIP = Unit(id="athens-1", side="athens", kind="trireme", at="0101", attributes={"hits": 1, "sent": 0})


class TestAnAttribute:
    def test_what_is_so_already_is_no_event(self) -> None:
        assert changed(SHIP, "hits", 1) == []
        assert changed(SHIP, "side", "athens") == []

    def test_1_and_true_are_different_values(self) -> None:
        """Two titles told it and three did not."""
        assert changed(SHIP, "hits", True) == [UnitChanged(unit="athens-1", attribute="hits", before=1, after=True)]

    def test_absent_and_an_empty_list_are_the_same(self) -> None:
        assert changed(SHIP, "grappled", ()) == []

    def test_absent_and_0_are_not(self) -> None:
        assert changed(SHIP, "sent", None) == [UnitChanged(unit="athens-1", attribute="sent", before=0, after=None)]

    def test_a_ship_that_changes_sides_was_on_its_own(self) -> None:
        event = UnitChanged(unit="athens-1", attribute="side", before="athens", after="syracuse", cause="captured")
        assert changed(SHIP, "side", "syracuse", "captured") == [event]


class TestAMarker:
    @pytest.mark.parametrize(("before", "after"), [(None, ()), ((), None), (1, True), (None, 0)])
    def test_what_lies_on_the_table_is_told_from_what_does_not(self, before: Value, after: Value) -> None:
        """An empty list on the table is not absent: recorded games lay it down."""
        markers = Map({} if before is None else {"taken": before})
        expected = MarkerSet(marker="taken", before=before, after=after)
        assert marked(Game(markers=markers), "taken", after) == [expected]

    @pytest.mark.parametrize("value", [None, (), 1, "fire"])
    def test_what_is_so_already_is_no_event(self, value: Value) -> None:
        markers = Map({} if value is None else {"taken": value})
        assert marked(Game(markers=markers), "taken", value) == []


class TestAnAccount:
    GAME = Game(accounts=Map({"points/japan": 3}))

    def test_it_is_emptied_of_what_it_holds(self) -> None:
        event = AccountChanged(account="points/japan", amount=-3, before=3, after=0, cause="unused")
        assert emptied(self.GAME, "points/japan", "unused") == [event]

    def test_one_without_anything_is_not_touched(self) -> None:
        assert emptied(self.GAME, "points/allies") == []
        assert paid(self.GAME, "points/japan", 0) == []

    def test_it_may_go_below_0(self) -> None:
        event = AccountChanged(account="points/japan", amount=-5, before=3, after=-2)
        assert paid(self.GAME, "points/japan", -5) == [event]


class TestAPath:
    @pytest.mark.parametrize("path", [("0102",), ("0101", "0102")])
    def test_it_begins_where_the_unit_stands(self, path: tuple[str, ...]) -> None:
        assert moved(SHIP, path) == [UnitMoved(unit="athens-1", path=("0101", "0102"))]

    def test_a_path_to_where_it_stands_is_no_move(self) -> None:
        assert moved(SHIP, ("0101",)) == []


class TestLeavingAStep:
    GAME = Game(cursor=Cursor(open=(Open(step="2b", name="morale", waits=("king", "parliament"), acts=0),)))

    def test_it_closes_when_nobody_has_anything_left_to_do(self) -> None:
        assert leave_when_nothing_is_due(self.GAME, [], lambda game, side: False) == [Closes()]

    def test_a_side_with_nothing_left_is_done_with_it(self) -> None:
        events = leave_when_nothing_is_due(self.GAME, [], lambda game, side: side == "king")
        assert events == [SideDone(step="2b", side="parliament")]

    def test_it_stays_open_while_everybody_has(self) -> None:
        assert leave_when_nothing_is_due(self.GAME, [], lambda game, side: True) == []


def test_a_title_refuses_under_its_own_name() -> None:
    refusal = refusing("War Galley")(Game(), "they are not grappled", "grapple first", "E.2")
    assert (refusal.rule, refusal.what, refusal.remedy) == ("War Galley E.2", "they are not grappled", "grapple first")
