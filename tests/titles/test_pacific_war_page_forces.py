"""Check effects on forces in Pacific War: isolation, recombining, limits, shipping and its points."""

from typing import Any

import msgspec
import pytest

from tests.face.domain import (
    AccountChanged,
    MarkerSet,
    RulingMade,
    SideDone,
    StepClosed,
    StepPassed,
    Table,
    UnitChanged,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
    pacific_war_TITLE as TITLE,
)
from tests.face.testing import Story
from tests.titles.pacific_war_table import (
    ALLIES,
    JAPAN,
    bids,
    campaign,
    change,
    mark,
    opened,
    operation,
    says,
    scenario,
    strategic,
    until,
    until_gone,
)

MARINES = "1st-marine-division"
SHIP = {"arm": "naval", "hits": 0, "cripples": 1, "sinks": 2, "crippled": False, "task_force": "", "activation": 1}


def with_table(name: str, table: str, **rows: dict[str, Any]) -> Story:
    """Return a fixture's scenario with one more table."""
    whole = scenario(name)
    more = Table(rows={key.replace("_", " ").strip(): row for key, row in rows.items()}, source="made up")
    return Story(TITLE, msgspec.structs.replace(whole, tables={**whole.tables, table: more}))


class Test50PhaseTrack:
    """5.0, note: several phases are omitted in a Campaign, as the Phase Track says; without one none of these is."""

    def test_omitted_phases_are_passed_with_their_reason(self) -> None:
        whole = msgspec.structs.replace(scenario("solomons"), omitted_phases=("5.1.M",))
        table = until(Story(TITLE, whole), "5.1.L").play(says(JAPAN, "done"))
        table.when(says(ALLIES, "done")).then(StepPassed, step="5.1.M")
        table.then_open("5.1.N")
        assert "5.1.M" in opened(until(campaign(), "5.1.N"))


class Test51HIsolation:
    """5.1.H: isolated combat units suffer the scenario's penalty, each once a month, before the phase is left."""

    def cut_off(self, steps: int = 1) -> Story:
        table = mark(until(campaign(), "5.1.H"), "isolation_steps", steps)
        return change(table, MARINES, "isolated", True)

    def test_phase_does_not_end_before_isolation_is_settled(self) -> None:
        table = self.cut_off().when(says(ALLIES, "done"))
        table.then_refused("orders-required", rule="5.1.H [12.0]", orders=("isolation-penalty", "change"))
        table.play(says(JAPAN, "isolation-penalty"))

    def test_steps_are_lost_once(self) -> None:
        table = self.cut_off().when(says(ALLIES, "isolation-penalty", unit=MARINES))
        table.then(UnitChanged, unit=MARINES, attribute="steps", before=4, after=3)
        table.when(says(ALLIES, "isolation-penalty", unit=MARINES)).then_refused(
            "not-isolated", rule="5.1.H [12.0]", units="none"
        )
        table.play(says(ALLIES, "done"))

    def test_turn_view_lists_each_side_with_its_losses(self) -> None:
        table = self.cut_off(9)
        assert TITLE.notation is not None
        (line,) = (one for one in TITLE.notation.tells(table.game) if MARINES in one)
        assert " Allies, " in line
        assert line.endswith(f": {MARINES} 4")

    def test_with_the_last_step_goes_the_unit(self) -> None:
        self.cut_off(9).when(says(ALLIES, "isolation-penalty", unit=MARINES)).then(UnitRemoved, unit=MARINES)

    def test_penalty_without_scenario_number_needs_source(self) -> None:
        table = mark(self.cut_off(), "isolation_steps", None)
        for order in ("done", "isolation-penalty"):
            table.when(says(ALLIES, order)).then_refused(rule="5.1.H [12.0]", says=MARINES, do="")
        table.when(says(ALLIES, "isolation-penalty", unit=MARINES)).then_refused(
            "loss-not-in-table", rule="5.1.H [12.0]", reason="no-loss"
        )
        table.when(says(ALLIES, "isolation-penalty", unit=MARINES, loses=1, source="12.2"))
        assert table.then(UnitChanged, unit=MARINES, attribute="steps", after=3).cause.endswith(", 12.2")
        table.play(says(ALLIES, "done"))
        assert table.game.cursor.waiting() == (JAPAN,)

    def test_side_without_isolated_units_states_it(self) -> None:
        """Check 5.1.H: no side is recorded as declining a penalty that was not offered."""
        table = until(campaign(), "5.1.H")
        for seat in (JAPAN, ALLIES):
            table.when(says(seat, "done")).then_refused(
                "orders-required", rule="5.1.H [12.0]", orders=("isolation-penalty", "change")
            )
        table.when(says(JAPAN, "isolation-penalty")).then(SideDone, step="5.1.H", side=JAPAN, how="done")
        table.when(says(ALLIES, "isolation-penalty")).then(StepClosed, step="5.1.H", how="done")

    def test_loss_other_than_the_scenarios_needs_source(self) -> None:
        table = self.cut_off().when(says(ALLIES, "isolation-penalty", unit=MARINES, loses=2))
        table.then_refused("loss-not-in-table", rule="5.1.H [12.0]", says=" 1st-marine-division", reason="other-loss")
        table.when(says(ALLIES, "isolation-penalty", unit=MARINES, loses=0, source="12.4: in supply by air"))
        table.then(UnitChanged, attribute="penalized")

    def test_air_status_is_not_changed_here(self) -> None:
        until(campaign(), "5.1.H").when(
            says(JAPAN, "change", unit="rabaul-air", attribute="status", to=2)
        ).then_refused("written-by-the-rules-alone", rule="5.1.H [12.0]", written="status of rabaul-air")


class Test51KRecombine:
    """5.1.K: certain naval units recombine; hits are not lost, and it is not done in other phases."""

    def flotilla(self, kind: str = "destroyer", at: str = "truk") -> Story:
        table = until(campaign(), "5.1.K")
        attributes = {**SHIP, "hits": 1, "crippled": True}
        table.given(UnitPlaced(unit="kagero", side=JAPAN, kind="destroyer", at="truk", attributes=SHIP))
        return table.given(UnitPlaced(unit="hatsukaze", side=JAPAN, kind=kind, at=at, attributes=attributes))

    def test_two_become_one(self) -> None:
        table = self.flotilla().when(says(JAPAN, "recombine", unit="kagero", units=["hatsukaze"]))
        table.then(UnitRemoved, unit="hatsukaze", fate="recombined")
        found = table.game.units["kagero"]
        assert [found.get(name) for name in ("hits", "cripples", "sinks", "crippled")] == [1, 2, 4, False]

    @pytest.mark.parametrize(
        ("kind", "at", "code"),
        [("cruiser", "truk", "ships-of-several-types"), ("destroyer", "rabaul", "units-apart")],
    )
    def test_unlike_ships_do_not_and_ships_apart(self, kind: str, at: str, code: str) -> None:
        self.flotilla(kind, at).when(says(JAPAN, "recombine", unit="kagero", units=["hatsukaze"])).then_refused(
            code, rule="5.1.K [15.2.3]"
        )

    def test_nor_one_alone(self) -> None:
        self.flotilla().when(says(JAPAN, "recombine", unit="kagero", units=["kagero"])).then_refused(
            "one-unit-alone", rule="5.1.K [15.2.3]"
        )

    def test_nor_in_another_phase(self) -> None:
        until(self.flotilla(), "5.1.M").when(says(JAPAN, "recombine", unit="kagero", units=["hatsukaze"])).then_refused(
            "not-allowed-now",
            rule="5.1.M",
            says="5.1.K",
            orders=("place", "pay", "roll", "change", "done"),
        )


class Test51LRegroup:
    """5.1.L: ground units break down and recombine; steps are neither won nor lost; transports grow by one."""

    def division(self) -> Story:
        table = change(until(campaign(), "5.1.L"), MARINES, "activated", False)
        return table.play(says(ALLIES, "break-down", unit=MARINES, into={"1st-marines": 1, "5th-marines": 3}))

    def test_unit_breaks_down_and_recombines(self) -> None:
        table = self.division()
        assert table.game.units[MARINES].fate == "broken down"
        table.when(says(ALLIES, "recombine", unit=MARINES, units=["1st-marines", "5th-marines"]))
        table.then(UnitPlaced, unit=MARINES, at="guadalcanal")
        assert table.game.units[MARINES].get("steps") == 4

    def test_steps_are_counted(self) -> None:
        table = change(until(campaign(), "5.1.L"), MARINES, "activated", False)
        table.when(says(ALLIES, "break-down", unit=MARINES, into={"1st-marines": 1, "5th-marines": 4})).then_refused(
            "parts-differ-in-steps", rule="5.1.L [16.9]", given=5
        )
        table.when(says(ALLIES, "break-down", unit=MARINES, into={"americal": 1, "5th-marines": 3})).then_refused(
            "part-id-used", rule="5.1.L [16.9]", units=("americal",)
        )

    def test_activated_unit_does_not_break_down(self) -> None:
        until(campaign(), "5.1.L").when(
            says(ALLIES, "break-down", unit=MARINES, into={"1st-marines": 1, "5th-marines": 3})
        ).then_refused("activated-or-aboard", rule="5.1.L [16.9]", unit=MARINES)

    def test_parts_of_one_unit_do_not_make_another(self) -> None:
        table = change(self.division(), "1st-marines", "part_of", "americal")
        table.when(says(ALLIES, "recombine", unit=MARINES, units=["1st-marines", "5th-marines"])).then_refused(
            "not-its-parts", rule="5.1.L [16.9]", units=("1st-marines",)
        )

    def test_unit_absorbs_others_up_to_its_full_strength(self) -> None:
        table = self.division()
        table.when(says(ALLIES, "recombine", unit="1st-marines", units=["5th-marines"])).then_refused(
            "recombined-above-full", rule="5.1.L [16.9]", unit="1st-marines", given=4, limit=1
        )

    def test_steps_do_not_go_up_by_hand(self) -> None:
        more = says(JAPAN, "change", unit="ichiki", attribute="steps", to=2)
        until(campaign(), "5.1.L").when(more).then_refused(
            "written-by-the-rules",
            rule="5.1.L",
            written="steps of ichiki",
            do="`replace-steps`, `isolation-penalty`",
        )
        operation(campaign(), "chokai").when(more).then_refused("steps-by-replacement-only", rule="5.1.L [16.0]")

    def test_broken_unit_does_not_rally_by_hand(self) -> None:
        table = change(until(campaign(), "5.1.L"), "ichiki", "broken", True)
        steady = says(JAPAN, "change", unit="ichiki", attribute="broken", to=False)
        table.when(steady).then_refused("written-by-the-rules", rule="5.1.L", written="broken of ichiki", do="`rally`")
        table = change(operation(campaign(), "chokai"), "ichiki", "broken", True)
        table.when(steady).then_refused("rally-by-roll-only", rule="5.2.J [31.8]")

    def test_amphibious_transport_is_raised_by_one(self) -> None:
        table = until(campaign(), "5.1.L")
        for name, value in (("strength", 1), ("full_strength", 2)):
            change(table, "tokyo-express", name, value)
        table.play(says(JAPAN, "change", unit="tokyo-express", attribute="strength", to=2))
        table.when(says(JAPAN, "change", unit="tokyo-express", attribute="strength", to=3)).then_refused(
            "full-strength", rule="5.1.L [15.2.4]", before=2, limit=2
        )


class Test51SLimits:
    """5.1.S: the Operation Level limits the points that the Reaction player spends, as does the Condition."""

    def reacting(self, level: int) -> Story:
        table = with_table("solomons", "reaction-limits", **{"1": {"points": 3}, "2 or more": {"points": 9}})
        activate = says(JAPAN, "activate", units=["chokai"], headquarters="combined-fleet")
        state = [says(JAPAN, "set-operation-level", level=level)] if level > 1 else []
        return until(table, "5.1.S", plan={**bids(9, 0), "5.1.P/activate": [*state, activate]})

    def order(self, *units: str) -> dict[str, Any]:
        return says(ALLIES, "activate", units=list(units), headquarters="south-pacific")

    def test_level_is_one_by_default(self) -> None:
        self.reacting(1).when(self.order("enterprise")).then_refused(
            "above-activation-limit", rule="5.1.S [22.0]", source="Operation Level 1", limit=3, limit_2=3
        )

    def test_higher_level_allows_more_spending(self) -> None:
        table = self.reacting(2).play(self.order("enterprise", "portland"))
        assert table.game.accounts["spent/allies"] == 6

    def test_condition_still_limits_spending(self) -> None:
        table = with_table("solomons", "reaction-limits", **{"1 or more": {"points": 9}})
        activate = says(JAPAN, "activate", units=["chokai"], headquarters="combined-fleet")
        surprised = {"5.1.Q": [says(ALLIES, "determine-condition", 1)]}
        until(table, "5.1.S", plan={**bids(9, 0), "5.1.P/activate": [activate], **surprised})
        table.when(self.order("enterprise", "portland", "san-francisco")).then_refused(
            "above-activation-limit", rule="5.1.S [22.0]", source="the Condition", limit=6, limit_2=6
        )


class Test51DShipping:
    """5.1.D: merchant shipping affects the Command Points that are received, by the level after attrition."""

    def test_row_of_shipping_left_after_attrition_counts(self) -> None:
        rows = {"37 or less": {"points": 26}, "38 or more": {"points": 30}}
        table = until(with_table("marianas", "command-points-by-shipping", **rows), "5.1.F")
        table.play(says(ALLIES, "count-attrition", 6))
        assert table.game.accounts["merchant"] == 37
        table.when(says(JAPAN, "receive-points")).then(AccountChanged, account="points/japan", amount=26)


class Test51FByTheBook:
    """5.1.F: losses from the group's own table are taken as they are, up to the existing points."""

    def test_outcome_is_not_halved(self) -> None:
        table = until(strategic(), "5.1.D").play(says(JAPAN, "allocate-escorts", escorts=2))
        book = {"outcome": {"merchant": 4, "escorts": 1, "submarines": 9}, "source": "9.3"}
        until(table, "5.1.F").play(says(ALLIES, "count-attrition", 5, by_the_book=book))
        accounts = table.game.accounts
        assert (accounts["merchant"], accounts["escorting"], accounts["anti-shipping"]) == (36, 1, 0)

    def test_losses_missing_from_the_book_are_zero(self) -> None:
        table = until(strategic(), "5.1.D").play(says(JAPAN, "allocate-escorts", escorts=2))
        until(table, "5.1.F").play(
            says(ALLIES, "count-attrition", 5, by_the_book={"outcome": {"merchant": 4}, "source": "9.3"})
        )
        accounts = table.game.accounts
        assert (accounts["merchant"], accounts["escorting"]) == (36, 2)


class Test51ASky:
    """5.1.A: last month's weather is off when the phase begins."""

    def test_month_begins_clear(self) -> None:
        table = strategic().play(says(JAPAN, "roll-weather", 9, 9, 9, 9))
        until_gone(until(table, "5.1.O/bid"), "5.1.O/bid")
        until(table, "5.1.A")
        assert "weather/north" not in table.game.markers


class Test51JCommands:
    """5.1.J: a submarine Command can be built at a linked port: one a month, under an id of its own."""

    def test_second_command_is_built_next_month(self) -> None:
        table = until(campaign(), "5.1.J")
        table.play(says(ALLIES, "build-submarine-command", unit="tf-42", port="noumea-port"))
        table.when(says(ALLIES, "build-submarine-command", unit="tf-51", port="noumea-port")).then_refused(
            "built-this-month", rule="5.1.J [14.6]", built="tf-42"
        )

    def test_ids_of_lost_units_are_not_used_again(self) -> None:
        table = until(campaign(), "5.1.J").given(UnitRemoved(unit="portland", fate="sunk", at="noumea"))
        table.when(says(ALLIES, "build-submarine-command", unit="portland", port="noumea-port")).then_refused(
            "unit-id-used", rule="5.1.J [14.6]", unit="portland"
        )


class Test52HRetreat:
    """5.2.H: ground units that have fought retreat, no others, and not to the enemy."""

    def fought(self) -> Story:
        table = operation(campaign(), "ichiki").given(UnitMoved(unit="ichiki", path=("rabaul", "guadalcanal")))
        until(table, "5.2.H").play(says(ALLIES, "attack", 1, units=[MARINES], target="ichiki"))
        return until(table, "5.2.H/retreat")

    def retreat(self, *path: str, unit: str = "ichiki", seat: str = JAPAN) -> dict[str, Any]:
        return says(seat, "move", unit=unit, path=list(path), cause="retreat")

    def test_once_to_a_place_without_enemies(self) -> None:
        table = self.fought()
        fought = {"arm": "ground", "steps": 1, "fought": table.game.units["ichiki"].get("fought")}
        table.given(UnitPlaced(unit="third", side=JAPAN, kind="regiment", at="guadalcanal", attributes=fought))
        table.when(self.retreat("tulagi")).then(UnitMoved, unit="ichiki", rule="5.2.H [31.0]")
        table.when(self.retreat("buin")).then_refused(
            "cannot-move", rule="5.2.H [31.0]", unit="ichiki", reason="not-in-combat"
        )

    def test_not_to_the_enemy_and_not_without_a_fight(self) -> None:
        table = self.fought().play(says(JAPAN, "done"))
        table.when(self.retreat("rabaul", "guadalcanal", unit=MARINES, seat=ALLIES)).then_refused(
            "retreat-into-enemy", rule="5.2.H [31.0]", enemies=("ichiki",)
        )
        change(table, MARINES, "fought", "")
        table.when(self.retreat("buin", unit=MARINES, seat=ALLIES)).then_refused(
            "cannot-move", rule="5.2.H [31.0]", unit=MARINES, reason="not-in-combat"
        )

    def test_unit_aboard_a_ship_does_not_fight(self) -> None:
        table = operation(campaign(), "ichiki").given(UnitMoved(unit="ichiki", path=("rabaul", "guadalcanal")))
        until(table, "5.2.H")
        change(table, "ichiki", "aboard", "chokai")
        table.when(says(ALLIES, "attack", 9, units=[MARINES], target="ichiki")).then_refused(
            "aboard-ship", rule="5.2.H [31.0]", units=("ichiki",)
        )


class Test53WhatIsLeft:
    """5.3: nothing of an operation that is over counts any longer; its units stay by a logged ruling."""

    def test_roles_bid_and_condition_end_and_a_ruling_lists_units(self) -> None:
        table = operation(campaign(), "chokai")
        change(table, MARINES, "activated", False)
        table.play(says(JAPAN, "remove", unit="chokai", fate="sunk"), says(JAPAN, "count-damage"))
        table.when(says(ALLIES, "count-damage")).then(RulingMade, rule="5.3 [20.5]")
        table.then(MarkerSet, marker="operation_player", after=None)
        for marker in ("operation_player", "reaction_player", "bid", "condition", "naval_movement", "advantage"):
            assert marker not in table.game.markers

    def test_another_number_of_damage_needs_a_source(self) -> None:
        table = operation(campaign(), "chokai")
        change(table, MARINES, "activated", False)
        table.play(says(JAPAN, "remove", unit="chokai", fate="sunk"))
        table.when(says(ALLIES, "count-damage", inflicted=3)).then_refused("damage-differs", rule="5.3 [19.3]", limit=0)
        table.play(says(ALLIES, "count-damage", inflicted=3, source="19.3: Chokai"))


class Test51MBases:
    """5.1.M: bases are repaired and built; the hits of a base may go down by the table's book."""

    def test_base_hits_are_reduced_by_hand_when_bases_are_repaired(self) -> None:
        table = change(until(campaign(), "5.1.M"), "henderson-field", "hits", 2)
        table.play(says(ALLIES, "change", unit="henderson-field", attribute="hits", to=0, cause="17.1"))
        assert table.game.units["henderson-field"].number("hits") == 0

    def test_port_is_built_in_m(self) -> None:
        new = {"unit": "espiritu-port", "side": ALLIES, "kind": "port", "at": "espiritu", "attributes": {"arm": "base"}}
        until(campaign(), "5.1.M").when(says(ALLIES, "place", **new)).then(UnitPlaced, unit="espiritu-port")
