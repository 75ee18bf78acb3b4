"""Pacific War under fog: hidden units are paid for in the open and activated out of sight (5.1.P, 5.1.S, 5.2.M)."""

import pytest

from tests.face.domain import (
    SPECTATOR,
    AccountChanged,
    HiddenOrdered,
    MarkerSet,
    RestrictedEvent,
    UnitChanged,
    known_to,
)
from tests.face.testing import Story
from tests.titles.pacific_war_table import ALLIES, JAPAN, Line, bids, campaign, says, until

FLEET = ("shokaku", "hiei", "shokaku-air")
"""Worth 8 Activation Points."""
MARINES = "1st-marine-division"


def activates(*units: str, hidden: int = 0) -> Line:
    more = {"hidden": hidden} if hidden else {}
    return says(JAPAN, "activate", units=list(units), headquarters="combined-fleet", **more)


def hidden_fleet(bid: int = 15) -> Story:
    """Hide the carrier fleet; Japan is the Operation player and activates."""
    table = campaign(fog=True)
    table.play(says(JAPAN, "hide", unit="kido-butai", units=list(FLEET)))
    return until(table, "5.1.P/activate", plan=bids(bid, 0))


@pytest.mark.parametrize("seat", [ALLIES, SPECTATOR])
def test_hide_of_activated_ship_counts_what_all_saw(seat: str) -> None:
    """Pacific War 20.1."""
    table = until(campaign(fog=True), "5.1.P/activate", plan=bids(15, 0)).play(activates("chokai"))
    assert known_to(table.game, seat).units["chokai"].number("activation") == 2
    table.when(says(JAPAN, "hide", unit="chokai")).then(AccountChanged, account="activation-hidden/japan", amount=2)
    assert "chokai" not in known_to(table.game, seat).units
    table.when(says(JAPAN, "hide", unit="chokai")).then_refused("hidden-already", rule="")


class Test51PHiddenUnits:
    def test_hidden_units_are_paid_for_then_activated(self) -> None:
        """Check 5.1.P [20.1]."""
        table = hidden_fleet().when(activates(hidden=8))
        table.then(AccountChanged, account="points/combined-fleet", amount=-8)
        table.then(AccountChanged, account="activation-hidden/japan", amount=8)
        table.when(activates(*FLEET))
        assert [type(one) for one in table.told[:2]] == [HiddenOrdered, RestrictedEvent]
        assert all(known_to(table.game, JAPAN).units[one].get("activated") for one in FLEET)
        assert not set(FLEET) & set(known_to(table.game, ALLIES).units)

    def test_hidden_units_worth_more_than_paid_are_refused(self) -> None:
        """Check 5.1.P [20.1]: 8 points, and the next one."""
        table = hidden_fleet().play(activates(hidden=7)).when(activates(*FLEET))
        table.then_refused("hidden-points-exceeded", rule="5.1.P [20.1]", limit=7)
        table.play(activates(hidden=1), activates(*FLEET))

    def test_hidden_points_count_towards_bid_and_cost(self) -> None:
        """Check 5.1.P [20.2.5]: 11 points cost 4 more, and 15 are the bid."""
        table = hidden_fleet().when(activates(hidden=12))
        table.then_refused("above-activation-limit", rule="5.1.P [20.1]", source="the bid", limit=15, limit_2=15)
        table.when(activates(hidden=11)).then(AccountChanged, account="spent/japan", amount=15)

    def test_hidden_and_open_units_are_not_mixed(self) -> None:
        table = hidden_fleet().play(activates(hidden=8)).when(activates("shokaku", "chokai"))
        table.then_refused("hidden-beside-open", rule="5.1.P [20.1]", units=("shokaku",))
        table.when(activates("shokaku", hidden=1)).then_refused(
            "hidden-beside-open", rule="5.1.P [20.1]", units=("shokaku",)
        )

    def test_order_about_no_unit_is_refused(self) -> None:
        table = hidden_fleet().when(activates())
        table.then_refused("no-unit-named", rule="5.1.P [20.1]")
        table.when(activates("chokai", hidden=2)).then(UnitChanged, unit="chokai", after=True)


class Test53HiddenUnits:
    def test_operation_of_hidden_units_is_under_way(self) -> None:
        """Check 5.3 [20.5]: the points are public, but no other side learns which units they pay for."""
        table = hidden_fleet()
        table.given(UnitChanged(unit=MARINES, attribute="activated", before=True, after=False))
        table.play(activates(hidden=8), activates(*FLEET))
        until(table, "5.1.R/move").play(says(JAPAN, "move", unit="kido-butai", path=["ontong-java"]))
        assert known_to(table.game, JAPAN).units["shokaku-air"].at == "ontong-java"

    def test_points_given_up_end_the_operation(self) -> None:
        """Check 5.2.M [20.4]: not one point before the last."""
        table = hidden_fleet()
        table.given(UnitChanged(unit=MARINES, attribute="activated", before=True, after=False))
        until(table.play(activates(hidden=8), activates(*FLEET)), "5.2.M")
        table.when(says(JAPAN, "deactivate", units=[], hidden=9))
        table.then_refused("fewer-hidden-points", rule="5.2.M [20.4, 20.5 & 32.0]", limit=8)
        table.play(says(JAPAN, "deactivate", units=[], hidden=7))
        assert table.game.markers["operation_state"] == "under way"
        table.play(says(JAPAN, "deactivate", units=[], hidden=1), says(JAPAN, "done"))
        table.when(says(ALLIES, "done"))
        table.then(MarkerSet, marker="operation_state", after="over")

    def test_hidden_units_beyond_the_points_do_not_move(self) -> None:
        """Check 5.1.R [23.4]."""
        table = until(hidden_fleet().play(activates(hidden=8), activates(*FLEET)), "5.2.M")
        table.play(says(JAPAN, "deactivate", units=[], hidden=1))
        until(table, "5.2.C/move").when(says(JAPAN, "move", unit="kido-butai", path=["ontong-java"]))
        table.then_refused("cannot-move", rule="5.2.C [23.6]", reason="hidden-units-unpaid")
        until(table, "5.2.M").play(says(JAPAN, "deactivate", units=["shokaku-air"]))
        assert known_to(table.game, JAPAN).units["shokaku-air"].get("activated") is False


class TestHiddenPointsCountOnce:
    """5.1.P [20.1]: points paid for hidden units activate each of them once, even if it is lost."""

    def test_shown_units_are_no_longer_paid_by_hidden_points(self) -> None:
        """Check 5.3 [20.5]: the operation goes by the units that are seen."""
        table = hidden_fleet().play(activates(hidden=8), activates(*FLEET))
        table.when(says(JAPAN, "show", unit="kido-butai", units=list(FLEET)))
        table.then(AccountChanged, account="activation-hidden/japan", before=8, after=0)

    @pytest.mark.parametrize("by", ["show", "deactivate"])
    def test_points_of_a_unit_activate_no_other_one(self, by: str) -> None:
        table = campaign(fog=True).play(says(JAPAN, "hide", unit="chokai"), says(JAPAN, "hide", unit="mogami"))
        until(table, "5.1.P/activate", plan=bids(15, 0)).play(activates(hidden=2), activates("chokai"))
        if by == "show":
            table.play(says(JAPAN, "show", unit="chokai"))
        else:
            until(table, "5.2.M").play(says(JAPAN, "deactivate", units=["chokai"]))
        rule = "5.1.P [20.1]" if by == "show" else "5.2.M [20.4, 20.5 & 32.0]"
        table.when(activates("mogami")).then_refused("hidden-points-exceeded", rule=rule, limit=2)
        table.play(activates(hidden=2), activates("mogami"))

    def test_activated_unit_that_becomes_hidden_counts_its_points(self) -> None:
        """Check 5.3 [20.5]: the operation does not end because all units that take part are hidden."""
        table = campaign(fog=True)
        table.given(UnitChanged(unit=MARINES, attribute="activated", before=True, after=False))
        until(table, "5.1.P/activate", plan=bids(15, 0)).play(activates("chokai"))
        until(table, "5.1.R/move").when(says(JAPAN, "hide", unit="chokai"))
        table.then(AccountChanged, account="activation-hidden/japan", before=0, after=2)
        assert table.game.markers["operation_state"] == "under way"
        table.play(says(JAPAN, "move", unit="chokai", path=["shortland"]))
        table.play(says(JAPAN, "show", unit="chokai"))
        assert table.game.accounts["activation-hidden/japan"] == 0
