"""Test generic orders in a step: a seat may touch its own things and what no rule governs; the referee may do the rest.

North and South each have a raft. The rules write `water`, `toll/…`, the purses, the bales and the answer `plan`.
"""

import re
import shlex
from typing import Any

import msgspec
import pytest

from tests.domain.teaching import BOTH, NORTH, SOUTH, mark, step, title_of
from tests.face.domain import (
    GENERIC_ORDERS,
    AccountChanged,
    Change,
    ChoiceMade,
    Choose,
    FreePiece,
    FreeScenario,
    Game,
    Mark,
    MarkerSet,
    Move,
    Order,
    Pay,
    Place,
    Remove,
    Reveal,
    Roll,
    Ruled,
    RulingMade,
    SealChoice,
    Side,
    Title,
    Together,
    Touch,
    UnitChanged,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
    check,
    owner_by_id,
    passes_until_dice,
    suggestions,
)
from tests.face.testing import Story

RULED = Ruled(
    attributes=("bales", "sunk"),
    accounts=("purse/*",),
    markers=("water", "toll/*"),
    questions=("plan",),
    notes=("paint*",),
    instead={"bales": "`load` does that"},
)
PIECES = (
    FreePiece(id="heron", side=NORTH, kind="raft", at="bend", attributes={"bales": 2, "crew": 3}),
    FreePiece(id="otter", side=NORTH, kind="raft", at="mill", attributes={"bales": 1}),
    FreePiece(id="pike", side=SOUTH, kind="raft", at="bend", attributes={"bales": 2, "crew": 3}),
)


def at_the_bend(game: Game, side: str) -> tuple[str, ...]:
    """Return the rafts at the bend, of any side, because they may collide there."""
    return tuple(unit.id for unit in game.in_play() if unit.at == "bend")


def table(touches: Touch | None = None, ruled: Ruled = RULED, **more: Any) -> Story:
    """Return a game of one step that allows every generic order, with this scope; North acts."""
    only = step("A", more.pop("by", NORTH), allows=GENERIC_ORDERS, touches=touches or Touch(), **more)
    sets = {"at_the_bend": at_the_bend} if touches and touches.units else {}
    title = title_of(only, step("B"), ruled=ruled, sets=sets)
    sides = tuple(Side(id=side, name=side.title()) for side in BOTH)
    accounts = {"purse/north": 5, "purse/south": 5, "wine/north": 1, "wine/south": 1, "barrels": 2}
    return Story(title, FreeScenario(title=title.id, name="rafts", sides=sides, units=PIECES, accounts=accounts))


class TestUnits:
    @pytest.mark.parametrize(
        "order",
        [
            Move(seat=NORTH, unit="pike", path=("sea",)),
            Remove(seat=NORTH, unit="pike"),
            Change(seat=NORTH, unit="pike", attribute="crew", to=1),
            Place(seat=NORTH, unit="eel", side=SOUTH, kind="raft", at="sea"),
        ],
    )
    def test_those_of_another_side_are_left_alone(self, order: Order) -> None:
        table().when(order).then_refused("belongs-to-another-side", rule="Teaching A", owner="South")

    def test_ones_own_are_moved_changed_removed_and_placed(self) -> None:
        story = table()
        story.when(Move(seat=NORTH, unit="heron", path=("sea",))).then(UnitMoved, path=("bend", "sea"))
        story.when(Change(seat=NORTH, unit="heron", attribute="crew", to=1)).then(UnitChanged, before=3, after=1)
        story.when(Remove(seat=NORTH, unit="heron")).then(UnitRemoved, unit="heron")
        story.when(Place(seat=NORTH, unit="eel", side=NORTH, kind="raft", at="sea", attributes={"crew": 1}))
        story.then(UnitPlaced, unit="eel", side=NORTH)

    def test_id_of_removed_unit_cannot_be_used_again(self) -> None:
        story = table().play(Remove(seat=NORTH, unit="heron"))
        story.when(Place(seat=NORTH, unit="heron", side=NORTH, kind="raft", at="sea"))
        story.then_refused("unit-id-used", rule="A", unit="heron", fate="destroyed")

    def test_side_of_a_unit_cannot_be_changed(self) -> None:
        story = table().when(Change(seat=NORTH, unit="heron", attribute="side", to=SOUTH))
        story.then_refused("written-by-the-rules-alone", rule="A", order="change")
        assert "heron" in str(story.refusal.fields["written"])  # type: ignore[union-attr]

    def test_unknown_unit_is_refused(self) -> None:
        table().when(Change(seat=NORTH, unit="carp", attribute="crew", to=1)).then_refused(
            "no-such-unit", rule="units", unit="carp"
        )


class TestAttributes:
    def test_value_written_by_rules_is_refused(self) -> None:
        story = table().when(Change(seat=NORTH, unit="heron", attribute="bales", to=9))
        story.then_refused("written-by-the-rules", rule="A", written="bales of heron", instead="`load` does that")

    def test_unknown_attribute_is_refused(self) -> None:
        story = table().when(Change(seat=NORTH, unit="heron", attribute="balles", to=9))
        story.then_refused("no-such-attribute", rule="A", kind="raft", attribute="balles", do=": crew")

    def test_attribute_of_the_kind_is_added_to_a_unit(self) -> None:
        story = table().when(Change(seat=NORTH, unit="otter", attribute="crew", to=2))
        story.then(UnitChanged, unit="otter", before=None, after=2)

    def test_unknown_attribute_is_refused_if_rules_write_all(self) -> None:
        story = table(ruled=Ruled(attributes=("*",)))
        story.when(Change(seat=NORTH, unit="heron", attribute="balles", to=9))
        story.then_refused("no-such-attribute", rule="A", kind="raft", attribute="balles")
        assert "crew" not in story.refusal.remedy  # type: ignore[union-attr]

    def test_free_attribute_is_changed(self) -> None:
        story = table().when(Change(seat=NORTH, unit="heron", attribute="paint on the bow", to="red"))
        story.then(UnitChanged, after="red")

    def test_new_unit_with_attribute_written_by_rules_is_refused(self) -> None:
        eel = {"seat": NORTH, "unit": "eel", "side": NORTH, "kind": "raft", "at": "sea"}
        story = table().when(Place(**eel, attributes={"bales": 9}))
        story.then_refused("written-by-the-rules-alone", rule="A", written="bales of eel")
        story.when(Place(**eel, attributes={"balles": 9})).then_refused(
            "no-such-attribute", rule="A", attribute="balles"
        )


class TestAccountsAndMarkers:
    def test_ones_own_and_what_is_nobodys_is_paid(self) -> None:
        story = table().play(Pay(seat=NORTH, account="wine/north", amount=-1))
        story.when(Pay(seat=NORTH, account="barrels", amount=-1)).then(AccountChanged, account="barrels", after=1)

    def test_anothers_is_not(self) -> None:
        story = table().when(Pay(seat=NORTH, account="wine/south", amount=-1))
        story.then_refused("belongs-to-another-side", rule="A", named="wine/south", owner="South", kind="an account")
        story.when(mark("crew of/pike", 2)).then_refused(
            "belongs-to-another-side", rule="A", owner="South", kind="a marker"
        )

    def test_value_written_by_rules_is_refused(self) -> None:
        story = table().when(Pay(seat=NORTH, account="purse/north", amount=1))
        story.then_refused("written-by-the-rules-alone", rule="A", written="purse/north", order="pay")
        story.when(mark("toll/north", 0)).then_refused(
            "written-by-the-rules-alone", rule="A", written="toll/north", order="mark"
        )

    def test_marker_of_another_side_by_title_is_refused(self) -> None:
        def owner(game: Game, word: str) -> str:
            return SOUTH if word == "weir" else owner_by_id(game, word)

        story = table(ruled=Ruled(owner=owner)).when(mark("gate of/weir", "shut"))
        story.then_refused("belongs-to-another-side", rule="A", named="gate of/weir", owner="South")
        story.when(mark("gate of/mill", "shut")).then(MarkerSet, after="shut")


class TestQuestions:
    @pytest.mark.parametrize(
        "order",
        [
            Choose(seat=NORTH, question="plan", choice="sea"),
            SealChoice(seat=NORTH, question="plan", choice="sea"),
            Reveal(seat=NORTH, question="plan"),
        ],
    )
    def test_answer_written_by_rules_is_refused(self, order: Order) -> None:
        table().when(order).then_refused("written-by-the-rules-alone", rule="A", written="plan")

    def test_any_other_is_the_tables(self) -> None:
        table().when(Choose(seat=NORTH, question="who steers", choice="I")).then(ChoiceMade, side=NORTH)


class TestScopeOfStep:
    def test_names_that_the_rules_write(self) -> None:
        opened = Touch(attributes=("bales",), accounts=("purse/*",), markers=("toll/*",), questions=("plan",))
        story = table(opened).play(
            Change(seat=NORTH, unit="heron", attribute="bales", to=9),
            Pay(seat=NORTH, account="purse/north", amount=1),
            mark("toll/north", 0),
            Choose(seat=NORTH, question="plan", choice="sea"),
        )
        story.when(mark("water", 2)).then_refused("written-by-the-rules-alone", rule="A", written="water")

    def test_but_never_what_is_anothers(self) -> None:
        story = table(Touch(accounts=("purse/*",))).when(Pay(seat=NORTH, account="purse/south", amount=-1))
        story.then_refused("belongs-to-another-side", rule="A", named="purse/south", owner="South")

    def test_units_of_a_set_losses_of_anybodys_and_moves_of_ones_own(self) -> None:
        story = table(Touch(units="at_the_bend"))
        story.play(Change(seat=NORTH, unit="pike", attribute="crew", to=1))
        story.when(Move(seat=NORTH, unit="pike", path=("sea",))).then_refused(
            "belongs-to-another-side", rule="A", named="pike", owner="South"
        )
        story.when(Remove(seat=NORTH, unit="pike")).then(UnitRemoved, unit="pike")
        story.play(Move(seat=NORTH, unit="heron", path=("sea",)))

    def test_unit_outside_the_set_is_refused(self) -> None:
        story = table(Touch(units="at_the_bend")).when(Remove(seat=NORTH, unit="otter"))
        story.then_refused("unit-not-in-this-step", rule="A", unit="otter", can="heron, pike")

    def test_generic_order_is_refused_to_a_side_outside_the_scope(self) -> None:
        story = table(Touch(by=NORTH), by=BOTH)
        story.when(Roll(seat=SOUTH, purpose="luck")).then_refused(
            "wait-for-others", rule="A", order="roll", side="South", step="A", may="North"
        )
        assert {order.seat for order in suggestions(story.title, story.game) if isinstance(order, Roll)} == {NORTH}

    def test_generic_order_is_refused_while_no_side_is_in_scope(self) -> None:
        story = table(Touch(by="winner"))
        story.when(Roll(seat=NORTH, purpose="luck"))
        story.then_refused("not-in-this-step", rule="A", side="North", step="A")

    def test_scope_with_unknown_role_or_set_is_a_fault(self) -> None:
        wrong = step("A", allows=GENERIC_ORDERS, touches=Touch(units="nowhere", by="nobody"))
        title = msgspec.structs.replace(title_of(wrong), roles={}, sets={})
        found = [fault.what.split()[-1] for fault in check(title) if fault.place == "A"]
        assert {"nowhere", "nobody"} <= set(found)


class TestTheReferee:
    @pytest.mark.parametrize(
        "order",
        [
            mark("toll/north", 0),
            Pay(seat=NORTH, account="purse/south", amount=-1, cause="he's paid"),
            Change(seat=NORTH, unit="heron", attribute="side", to=SOUTH),
            Choose(seat=NORTH, question="plan", choice="sea"),
            Place(seat=NORTH, unit="eel", side=SOUTH, kind="raft", at="sea"),
        ],
    )
    def test_command_in_refusal_works_for_the_referee(self, order: Order) -> None:
        """Split the command as a shell does; `tests/cli/test_rulings.py` types the whole line."""
        story = table().when(order)
        assert story.refusal is not None
        command = shlex.split(re.search("`(umpire .+)`", story.refusal.remedy)[1])
        assert command[2:4] == ["story", "as agreed"]
        carried = msgspec.json.decode(command[command.index("--order") + 1])
        rule = {"as": "referee", "order": "rule", "ruling": "as agreed", "reason": "so", "grounds": "house rule"}
        story.when({**rule, "orders": [carried]}).then(RulingMade, ruling="as agreed")
        assert [event.overridden for event in story.events if not isinstance(event, RulingMade)] == [True]


class TestTitleWithoutSequence:
    def test_generic_orders_without_sequence_are_free(self) -> None:
        """Allow all generic orders, because without a sequence no rule writes anything and no step limits a side."""
        title: Title = msgspec.structs.replace(title_of(step("A")), sequence=None)
        sides = tuple(Side(id=side, name=side.title()) for side in BOTH)
        story = Story(title, FreeScenario(title=title.id, name="rafts", sides=sides, units=PIECES))
        story.when(Remove(seat=NORTH, unit="pike")).then(UnitRemoved, unit="pike")
        story.when(Place(seat=NORTH, unit="pike", side=SOUTH, kind="raft", at="sea")).then(UnitPlaced, unit="pike")


class TestSeveralStepsAtOnce:
    def test_order_is_judged_in_the_open_step_that_allows_it(self) -> None:
        """Open A and B together; rafts may collide in B only."""
        first = step("A", NORTH, allows=(Mark,))
        second = step("B", NORTH, allows=(Change,), touches=Touch(units="at_the_bend"))
        menu = Together("M", "menu", steps=(first, second))
        title = title_of(menu, ruled=RULED, sets={"at_the_bend": at_the_bend})
        sides = tuple(Side(id=side, name=side.title()) for side in BOTH)
        story = Story(title, FreeScenario(title=title.id, name="rafts", sides=sides, units=PIECES))
        assert passes_until_dice(title, story.game, Change(seat=NORTH, unit="pike", attribute="crew", to=1))
        assert not passes_until_dice(title, story.game, Change(seat=NORTH, unit="otter", attribute="sunk", to=1))

    def test_and_in_the_step_in_which_its_side_acts(self) -> None:
        """Open North's step first, without a scope, and then South's step with the bend as its scope."""
        first = step("A", NORTH, allows=(Change,))
        second = step("B", SOUTH, allows=(Change,), touches=Touch(units="at_the_bend"))
        menu = Together("M", "menu", steps=(first, second))
        title = title_of(menu, ruled=RULED, sets={"at_the_bend": at_the_bend})
        sides = tuple(Side(id=side, name=side.title()) for side in BOTH)
        story = Story(title, FreeScenario(title=title.id, name="rafts", sides=sides, units=PIECES))
        rafts = [Change(seat=SOUTH, unit=unit, attribute="crew", to=1) for unit in ("heron", "otter", "pike")]
        assert [order.unit for order in rafts if passes_until_dice(title, story.game, order)] == ["heron", "pike"]
