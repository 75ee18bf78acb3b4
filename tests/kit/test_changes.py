"""Check the shared builders of change events: each event is valid for the game, and there is none without a change."""

import pytest
from immutables import Map

from tests.face.domain import Cursor, Frame, OpenStep
from umpire_ledger.kit import (
    AccountChanged,
    Closes,
    Game,
    MarkerSet,
    RestrictedEvent,
    Result,
    Side,
    SideDone,
    Unit,
    UnitChanged,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
    Value,
    after,
    changed,
    emptied,
    fold,
    leave_when_nothing_is_due,
    marked,
    moved,
    names_in,
    paid,
    refusing,
    removed,
    row_text,
    step_open,
    word_in,
)

SETTING_OUT = (
    UnitPlaced(unit="heron", side="hills", kind="raft", at="spring", attributes={"bales": 1, "holed": True}),
    AccountChanged(account="coins/hills", amount=2, before=0, after=2),
    MarkerSet(marker="water", before=None, after=1),
    MarkerSet(marker="mill", before=None, after="delta"),
    MarkerSet(marker="passed", before=None, after=("hills", "delta")),
)


@pytest.fixture
def game() -> Game:
    """Game in step 2a: the heron is at the spring with one bale, there are two coins, and both sides must act."""
    cursor = Cursor(frames=(Frame(of=""),), open=(OpenStep(step="2a", name="tolls", waits=("hills", "delta")),))
    sides = (Side(id="hills", name="The hills"), Side(id="delta", name="The delta"))
    return fold(Game(sides=sides, cursor=cursor), SETTING_OUT)


@pytest.fixture
def heron(game: Game) -> Unit:
    return game.units["heron"]


class TestChanged:
    def test_change_has_the_value_before_and_after(self, game: Game, heron: Unit) -> None:
        (event,) = changed(heron, "bales", 3, "loaded", "4a")
        assert event == UnitChanged(unit="heron", attribute="bales", before=1, after=3, cause="loaded", rule="4a")
        assert after(game, [event]).units["heron"].get("bales") == 3

    def test_equal_value_makes_no_change_event(self, heron: Unit) -> None:
        assert changed(heron, "bales", 1) == []
        assert changed(heron, "holed", True) == []

    @pytest.mark.parametrize(("attribute", "to"), [("bales", True), ("holed", 1)])
    def test_1_and_true_are_different_values(self, heron: Unit, attribute: str, to: Value) -> None:
        (event,) = changed(heron, attribute, to)
        assert isinstance(event, UnitChanged)
        assert (type(event.before), type(event.after)) == (type(heron.get(attribute)), type(to))

    @pytest.mark.parametrize("nothing", [None, ()])
    def test_absent_and_an_empty_list_are_the_same(self, heron: Unit, nothing: Value) -> None:
        assert changed(heron, "tied", nothing) == []

    @pytest.mark.parametrize("nothing", [False, 0])
    def test_absent_is_neither_false_nor_0(self, game: Game, heron: Unit, nothing: Value) -> None:
        told = changed(heron, "sails", nothing)
        assert told == [UnitChanged(unit="heron", attribute="sails", before=None, after=nothing)]
        assert len(changed(after(game, told).units["heron"], "sails", None)) == 1

    def test_emptied_list_is_a_change(self, game: Game) -> None:
        tied = after(game, changed(game.units["heron"], "tied", ("pike",)))
        (event,) = changed(tied.units["heron"], "tied", ())
        assert event == UnitChanged(unit="heron", attribute="tied", before=("pike",), after=())

    def test_side_gives_it_to_another_side(self, game: Game, heron: Unit) -> None:
        (event,) = changed(heron, "side", "delta", "captured")
        assert event == UnitChanged(unit="heron", attribute="side", before="hills", after="delta", cause="captured")
        assert after(game, [event]).units["heron"].side == "delta"
        assert changed(heron, "side", "hills") == []


class TestMoved:
    def test_path_begins_with_the_place_of_the_unit(self, game: Game, heron: Unit) -> None:
        (event,) = moved(heron, ("bend", "mill"), "drifts", "3a")
        assert event == UnitMoved(unit="heron", path=("spring", "bend", "mill"), cause="drifts", rule="3a")
        assert after(game, [event]).units["heron"].at == "mill"

    def test_place_of_the_unit_is_not_doubled_in_the_path(self, heron: Unit) -> None:
        assert moved(heron, ("spring", "bend")) == [UnitMoved(unit="heron", path=("spring", "bend"))]

    @pytest.mark.parametrize("path", [(), ("spring",)])
    def test_unit_that_stays_makes_no_move_event(self, heron: Unit, path: tuple[str, ...]) -> None:
        assert moved(heron, path) == []


class TestRemoved:
    def test_removed_unit_leaves_play_at_its_place(self, game: Game, heron: Unit) -> None:
        (event,) = removed(heron, "sunk", "rammed", "G.4")
        assert event == UnitRemoved(unit="heron", fate="sunk", at="spring", cause="rammed", rule="G.4")
        assert after(game, [event]).in_play() == ()


class TestPaid:
    def test_payment_changes_an_account(self, game: Game) -> None:
        (event,) = paid(game, "coins/hills", -1, "toll", "3a")
        assert event == AccountChanged(account="coins/hills", amount=-1, before=2, after=1, cause="toll", rule="3a")

    def test_first_payment_makes_the_account_and_may_be_negative(self, game: Game) -> None:
        assert paid(game, "debts", -3) == [AccountChanged(account="debts", amount=-3, before=0, after=-3)]

    def test_payment_of_0_makes_no_event(self, game: Game) -> None:
        assert paid(game, "coins/hills", 0, "nothing to pay") == []

    def test_emptied_account_is_paid_its_whole_amount(self, game: Game) -> None:
        event = AccountChanged(account="coins/hills", amount=-2, before=2, after=0, cause="unused")
        assert emptied(game, "coins/hills", "unused") == [event]
        assert emptied(game, "coins/delta") == []

    def test_second_payment_starts_from_the_first(self, game: Game) -> None:
        first = paid(game, "coins/hills", 3)
        second = paid(after(game, first), "coins/hills", -1)
        assert [*first, *second] == [
            AccountChanged(account="coins/hills", amount=3, before=2, after=5),
            AccountChanged(account="coins/hills", amount=-1, before=5, after=4),
        ]


class TestMarked:
    def test_marker_is_set_and_taken_off(self, game: Game) -> None:
        assert marked(game, "water", 3, rule="1") == [MarkerSet(marker="water", before=1, after=3, rule="1")]
        off = marked(game, "water", None)
        assert off == [MarkerSet(marker="water", before=1, after=None)]
        assert "water" not in after(game, off).markers

    def test_equal_marker_makes_no_event(self, game: Game) -> None:
        assert (
            marked(game, "water", 1) == marked(game, "passed", ("hills", "delta")) == marked(game, "flood", None) == []
        )

    @pytest.mark.parametrize(("before", "to"), [(None, ()), ((), None), (1, True), (None, 0)])
    def test_empty_marker_differs_from_an_absent_marker(self, before: Value, to: Value) -> None:
        """Distinguish an empty list, which recorded games set, from an absent marker, and 1 from true."""
        markers = Map({} if before is None else {"taken": before})
        (event,) = marked(Game(markers=markers), "taken", to)
        assert isinstance(event, MarkerSet)
        assert (event.before, event.after, type(event.after)) == (before, to, type(to))

    def test_lists_and_words_are_read_and_anything_else_is_nothing(self, game: Game) -> None:
        assert (names_in(game, "passed"), word_in(game, "mill")) == (("hills", "delta"), "delta")
        for marker in ("water", "flood"):
            assert (names_in(game, marker), word_in(game, marker)) == ((), "")


class TestAfter:
    def test_secret_event_is_applied_and_an_answer_is_passed_over(self, game: Game) -> None:
        drifts = UnitMoved(unit="heron", path=("spring", "bend"))
        results: list[Result] = [RestrictedEvent(drifts, ("hills",)), Closes("yes")]
        assert after(game, results).units["heron"].at == "bend"


class TestLeaving:
    """Step 2a is open, and waits for both sides."""

    def test_side_with_nothing_due_is_done(self, game: Game) -> None:
        left = leave_when_nothing_is_due(game, [], lambda _, side: side == "delta")
        assert left == [SideDone(step="2a", side="hills")]

    def test_step_closes_if_all_sides_have_nothing_due(self, game: Game) -> None:
        assert leave_when_nothing_is_due(game, [], lambda _, __: False) == [Closes(everybody=True)]

    def test_due_actions_are_read_after_the_events(self, game: Game, heron: Unit) -> None:
        delivered = removed(heron, "delivered")
        assert leave_when_nothing_is_due(game, [], lambda then, _: bool(then.in_play())) == []
        left = leave_when_nothing_is_due(game, delivered, lambda then, _: bool(then.in_play()))
        assert left[-1] == Closes(everybody=True)

    def test_label_of_the_open_step(self, game: Game) -> None:
        assert (step_open(game), step_open(Game())) == ("2a", "")


def test_refusal_of_a_title_has_its_name_and_all_four_parts(game: Game) -> None:
    refuse = refusing("Two Rivers")
    refusal = refuse(game, "the toll is 3, and 2 coins are left", "stop above the mill", "3a")
    assert (refusal.what, refusal.rule, refusal.remedy, refusal.where) == (
        "the toll is 3, and 2 coins are left",
        "Two Rivers 3a",
        "stop above the mill",
        game.where,
    )


def test_list_in_a_table_row_is_written_as_words() -> None:
    assert row_text({"hits": 2, "ports": ("pearl-harbor", "truk"), "broken": True}) == (
        "hits 2, ports pearl-harbor truk, broken True"
    )
    assert row_text("captured") == "captured"
