"""Check the limits of `change`, `remove`, `place` and `pay` in each phase of Pacific War (5.1, 5.2)."""

from typing import Any

import pytest

from tests.face.domain import (
    AccountChanged,
    UnitChanged,
    UnitPlaced,
    UnitRemoved,
    leaving,
    offers,
    pacific_war_TITLE as TITLE,
    passes_until_dice,
)
from tests.titles.pacific_war_table import (
    ALLIES,
    JAPAN,
    Line,
    campaign,
    change,
    cycle,
    lose_isolated,
    operation,
    says,
    strategic,
    until,
)

MARINES = "1st-marine-division"


def sets(seat: str, unit: str, attribute: str, to: object) -> Line:
    return says(seat, "change", unit=unit, attribute=attribute, to=to)


def removes(seat: str, unit: str, fate: str = "lost") -> Line:
    return says(seat, "remove", unit=unit, fate=fate)


def builds(unit: str, kind: str = "airbase", at: str = "buna", **attributes: Any) -> Line:
    return says(JAPAN, "place", unit=unit, side=JAPAN, kind=kind, at=at, attributes={"arm": "base", **attributes})


class Test51HIsolation:
    """5.1.H [12.0]: only isolated units suffer, and by the penalty alone."""

    def test_remove_in_place_of_a_penalty_is_refused(self) -> None:
        table = until(campaign(), "5.1.H").when(removes(ALLIES, MARINES))
        table.then_refused(
            "not-allowed-now", rule="5.1.H", order="remove", orders=("isolation-penalty", "roll", "change")
        )

    @pytest.mark.parametrize(("attribute", "to"), [("steps", 3), ("hits", 1), ("linked", False)])
    def test_change_in_place_of_a_penalty_is_refused(self, attribute: str, to: object) -> None:
        unit = {"steps": MARINES, "hits": "portland", "linked": "noumea-port"}[attribute]
        table = until(campaign(), "5.1.H").when(sets(ALLIES, unit, attribute, to))
        code = "written-by-the-rules-alone" if attribute == "linked" else "written-by-the-rules"
        table.then_refused(code, rule="5.1.H [12.0]", written=f"{attribute} of {unit}")

    def test_isolated_unit_breaks_and_another_does_not(self) -> None:
        table = until(campaign(), "5.1.H").when(sets(ALLIES, MARINES, "broken", True))
        table.then_refused(
            "not-changed-here",
            rule="5.1.H",
            says=MARINES,
            do="`isolated`",
            reason="not-isolated",
        )
        table.play(sets(ALLIES, MARINES, "isolated", True))
        table.when(sets(ALLIES, MARINES, "broken", True)).then(UnitChanged, attribute="broken", after=True)

    def test_penalty_of_every_step_removes_the_unit(self) -> None:
        table = until(campaign(), "5.1.H")
        assert lose_isolated(table, ALLIES, MARINES).game.units[MARINES].fate == "lost"


class Test51JLeaving:
    """5.1.J [14.0, 15.0, 11.2.1.3, 20.2.3.F, 11.7]."""

    def test_unpaid_link_is_given_up(self) -> None:
        table = until(campaign(), "5.1.J").when(removes(ALLIES, "henderson-link", "given up"))
        table.then(UnitRemoved, unit="henderson-link")

    def test_paid_link_stays(self) -> None:
        table = until(campaign(), "5.1.J")
        table.play(says(ALLIES, "pay-link", link="henderson-link", headquarters="south-pacific"))
        table.when(removes(ALLIES, "henderson-link", "given up")).then_refused(
            "not-changed-here",
            rule="5.1.J",
            says="henderson-link",
            reason="paid-already",
        )

    @pytest.mark.parametrize("unit", [MARINES, "noumea-port", "enterprise", "cactus-air", "tf-16", "south-pacific"])
    def test_unit_that_is_lost_elsewhere_stays(self, unit: str) -> None:
        table = until(campaign(), "5.1.J").when(removes(ALLIES, unit))
        table.then_refused("not-changed-here", rule="5.1.J", says=f"{unit} ", reason="wrong-fate")
        assert not table.game.units[unit].fate

    @pytest.mark.parametrize(
        ("unit", "fate"), [("saratoga", "repaired"), ("south-pacific", "disbanded"), ("portland", "penalized")]
    )
    def test_unit_that_comes_back_later_leaves(self, unit: str, fate: str) -> None:
        until(campaign(), "5.1.J").when(removes(ALLIES, unit, fate)).then(UnitRemoved, unit=unit, fate=fate)

    @pytest.mark.parametrize(
        ("unit", "fate", "reason"),
        [
            ("portland", "repaired", "no-hits"),
            (MARINES, "disbanded", "wrong-fate"),
            ("noumea-port", "penalized", "wrong-fate"),
        ],
    )
    def test_unit_of_another_kind_or_condition_stays(self, unit: str, fate: str, reason: str) -> None:
        table = until(campaign(), "5.1.J").when(removes(ALLIES, unit, fate))
        table.then_refused("not-changed-here", rule="5.1.J", reason=reason)

    def test_unit_that_is_to_come_stays(self) -> None:
        table = until(campaign(), "5.1.J").when(removes(ALLIES, "americal"))
        table.then_refused("not-changed-here", rule="5.1.J", says="americal ", reason="not-in-play")


class Test51LReplacements:
    """5.1.L [16.0]."""

    def test_remove_is_refused(self) -> None:
        table = until(campaign(), "5.1.L").when(removes(JAPAN, "ichiki"))
        table.then_refused("not-allowed-now", rule="5.1.L", order="remove")

    @pytest.mark.parametrize(("unit", "attribute", "to"), [("rabaul-air", "steps", 1), ("ichiki", "broken", True)])
    def test_losses_by_hand_are_refused(self, unit: str, attribute: str, to: object) -> None:
        table = until(campaign(), "5.1.L").when(sets(JAPAN, unit, attribute, to))
        table.then_refused("written-by-the-rules", rule="5.1.L", written=f"{attribute} of {unit}")

    def test_unit_is_not_formed_among_those_to_come(self) -> None:
        table = until(campaign(), "5.1.L")
        new = {"unit": "japan-5th", "side": JAPAN, "kind": "regiment", "at": "to-come"}
        table.when(says(JAPAN, "place", **new, attributes={"arm": "ground"}))
        table.then_refused("not-a-place", rule="5.1.L")


class Test51MEngineering:
    """5.1.M [17.0, 17.1.A, 11.3.1]: linked bases, resource hexes, Offensive Support Bases."""

    def test_remove_is_refused(self) -> None:
        table = until(campaign(), "5.1.M").when(removes(ALLIES, "henderson-field"))
        table.then_refused("not-allowed-now", rule="5.1.M", order="remove")

    def test_ship_is_not_damaged_by_engineers(self) -> None:
        table = until(campaign(), "5.1.M").when(sets(JAPAN, "chokai", "hits", 1))
        table.then_refused(
            "not-changed-here",
            rule="5.1.M",
            says="chokai is a cruiser",
            do="`done`",
            reason="wrong-arm",
        )

    @pytest.mark.parametrize(("attribute", "to"), [("hits", 3), ("interdicted", True)])
    def test_damage_of_a_base_does_not_go_up(self, attribute: str, to: object) -> None:
        table = until(campaign(), "5.1.M").when(sets(JAPAN, "rabaul-airbase", attribute, to))
        table.then_refused("not-changed-here", rule="5.1.M", do="`done`", reason="only-reduces-damage")
        change(table, "rabaul-airbase", attribute, to)
        table.when(sets(JAPAN, "rabaul-airbase", attribute, type(to)(0))).then(
            UnitChanged, attribute=attribute, before=to
        )

    def test_base_without_a_link_is_not_repaired(self) -> None:
        table = change(until(campaign(), "5.1.M"), "henderson-field", "linked", False)
        mends = sets(ALLIES, "henderson-field", "interdicted", False)
        table.when(mends).then_refused("not-changed-here", rule="5.1.M", says="henderson-field ", reason="not-linked")
        change(table, "henderson-field", "linked", True).play(mends)

    def test_support_base_comes_from_the_hand_alone(self) -> None:
        """Check 11.3.1."""
        table = until(campaign(), "5.1.M").when(builds("osb", "offensive-support-base"))
        table.then_refused("support-base-from-hand", rule="5.1.M [11.3.1]", unit="osb")

    @pytest.mark.parametrize("more", [{"linked": False}, {"hits": 1}, {"interdicted": True}])
    def test_base_is_built_linked_and_whole(self, more: dict[str, object]) -> None:
        """Check 17.1.A."""
        table = until(campaign(), "5.1.M").when(builds("buna-airbase", **more))
        table.then_refused("base-not-linked", rule="5.1.M [17.0]")
        table.when(builds("buna-airbase")).then(UnitPlaced, unit="buna-airbase")

    def test_pool_does_not_pay_engineers(self) -> None:
        """Check 10.4: its points are for operations."""
        table = until(campaign(), "5.1.M").given(AccountChanged(account="pool/japan", amount=5, before=0, after=5))
        table.when(says(JAPAN, "pay", account="pool/japan", amount=-1)).then_refused(
            "written-by-the-rules-alone", rule="5.1.M", written="pool/japan"
        )

    def test_resource_hex_is_repaired_and_not_demolished(self) -> None:
        table = until(strategic(), "5.1.M")
        resource = next(one.id for one in table.game.in_play(JAPAN) if one.get("arm") == "resource")
        table.when(sets(JAPAN, resource, "demolished", True)).then_refused(
            "not-changed-here", rule="5.1.M", do="`done`", reason="only-reduces-damage"
        )
        change(table, resource, "demolished", True).when(sets(JAPAN, resource, "demolished", False))
        table.then(UnitChanged, unit=resource, after=False)


class Test52Losses:
    """5.2.C to 5.2.L: losses of the arms that fight in the phase, and no way round a repair."""

    def test_interdiction_does_not_end_by_hand(self) -> None:
        """Check 5.2.I [31.7]."""
        table = until(cycle(campaign(), "rabaul-air"), "5.2.D").when(
            sets(ALLIES, "henderson-field", "interdicted", False)
        )
        table.then_refused(
            "not-changed-here",
            rule="5.2.D",
            says="henderson-field ",
            do="use `repair-base` in 5.2.I or 5.1.M",
            reason="stays-interdicted",
        )

    def test_headquarters_is_not_lost_in_a_mission(self) -> None:
        table = until(cycle(campaign(), "rabaul-air"), "5.2.D").when(removes(JAPAN, "eighth-fleet"))
        table.then_refused("not-changed-here", rule="5.2.D", says="eighth-fleet is a headquarters", reason="wrong-arm")

    @pytest.mark.parametrize("fate", ["repaired", "disbanded", "penalized"])
    def test_lost_unit_does_not_come_back(self, fate: str) -> None:
        """Check 5.1.J [15.0]: a ship that is lost is not in repair."""
        table = operation(campaign(), "chokai").when(removes(JAPAN, "chokai", fate))
        table.then_refused(
            "not-changed-here", rule="5.1.R", do='"sunk"', says=f"5.1.R cannot be {fate}", reason="wrong-fate"
        )

    def test_only_damaged_airbases_change_in_airbase_repair(self) -> None:
        table = cycle(campaign(), "chokai")
        change(table, "noumea-port", "hits", 1)
        until(table, "5.2.I").when(sets(ALLIES, "noumea-port", "hits", 0))
        table.then_refused(
            "not-changed-here",
            rule="5.2.I",
            says="noumea-port ",
            do="`done`",
            reason="not-a-damaged-airbase",
        )


class TestOffers:
    def test_removals_suggested_in_j_are_taken(self) -> None:
        """Check 5.1.J: links, headquarters, ships; each with a fate that is valid for it."""
        table = until(campaign(), "5.1.J")
        found = list(leaving(table.game, ALLIES))
        assert {one.fate for one in found} == {"given up", "repaired", "disbanded", "penalized"}
        assert all(passes_until_dice(TITLE, table.game, one) for one in found)
        assert "remove" in offers(TITLE, table.game, TITLE.plan.step("5.1.J"), ALLIES)  # type: ignore[arg-type]

    def test_change_is_not_offered_without_such_a_unit(self) -> None:
        """Check 5.1.L: neither an air unit nor a ship is on the map."""
        table = until(campaign(), "5.1.L")
        step = TITLE.plan.step("5.1.L")
        assert step is not None
        assert "change" in offers(TITLE, table.game, step, ALLIES)
        gone = [one for one in table.game.in_play(ALLIES) if one.get("arm") in ("air", "naval")]
        table.given(*(UnitRemoved(unit=one.id, fate="lost", at=one.at) for one in gone))
        assert "change" not in offers(TITLE, table.game, step, ALLIES)

    def test_ship_cannot_move_to_the_box_of_waiting_units(self) -> None:
        table = operation(campaign(), "chokai").when(says(JAPAN, "move", unit="chokai", path=["to-come"]))
        table.then_refused("not-a-place", rule="5.1.R [23.4]")


def test_fog_asks_both_sides_where_units_may_be_hidden() -> None:
    """Check 5.2.I, 5.2.J, 5.2.N: no step shows which bases, broken units and Task Forces are hidden."""
    table = cycle(campaign(fog=True), "chokai")
    until(table, "5.2.I")
    assert {one.step: one.waits for one in table.game.cursor.open}["5.2.I"] == (JAPAN, ALLIES)
    until(table, "5.2.J")
    assert table.game.cursor.waiting() == (JAPAN, ALLIES)
    until(table, "5.2.N")
    assert table.game.cursor.waiting() == (JAPAN, ALLIES)
