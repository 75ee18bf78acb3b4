"""Check the chapters that the page of Pacific War names: values of the scenario, and sourced values of the players."""

from typing import Any

import msgspec
import pytest

from tests.face.domain import (
    AccountChanged,
    Costs,
    RulingMade,
    StepPassed,
    Table,
    UnitChanged,
    UnitMoved,
    UnitPlaced,
    pacific_war_TITLE as TITLE,
)
from tests.face.testing import Story
from tests.titles.pacific_war_table import (
    ALLIES,
    JAPAN,
    bids,
    campaign,
    change,
    cycle,
    literal,
    opened,
    operation,
    says,
    scenario,
    strategic,
    until,
    until_gone,
)

MARINES = "1st-marine-division"
BOOK: dict[str, Any] = {"outcome": {"points": 4}, "source": "19.3"}


def next_month(table: Story, step: str) -> Story:
    """Return the same step a month later, without any bids."""
    return until(until_gone(until(table, "5.1.O/bid"), "5.1.O/bid"), step)


class Test51JEntryPorts:
    """5.1.J: a unit of the scenario's list enters at its entry ports; elsewhere by a source."""

    def to_come(self, *ports: str) -> Story:
        """Open Kawaguchi's month, with these entry ports for his brigade."""
        whole = scenario("solomons")
        units = (msgspec.structs.replace(one, enters=ports) if one.id == "kawaguchi" else one for one in whole.ground)
        ground = tuple(units) if ports else whole.ground
        return next_month(Story(TITLE, msgspec.structs.replace(whole, ground=ground)), "5.1.J")

    def enters(self, at: str, **more: Any) -> dict[str, Any]:
        return says(JAPAN, "reinforce", unit="kawaguchi", at=at, **more)

    def test_unit_enters_at_one_of_its_entry_ports(self) -> None:
        self.to_come("truk", "palau").when(self.enters("palau")).then(
            UnitMoved, unit="kawaguchi", cause="reinforcement"
        )

    def test_nowhere_else_without_a_source(self) -> None:
        table = self.to_come("truk", "palau").when(self.enters("rabaul"))
        table.then_refused("enters-at-ports", rule="5.1.J [14.0]", unit="kawaguchi", ports="truk or palau")
        table.when(self.enters("rabaul", source="14.0: Truk is lost")).then(UnitMoved, cause="14.0: Truk is lost")

    def test_without_a_list_unit_enters_away_from_the_enemy(self) -> None:
        table = self.to_come().when(self.enters("guadalcanal"))
        table.then_refused("enemy-at-entry", rule="5.1.J [14.0]", at="guadalcanal")
        table.play(self.enters("buin"))

    def test_entry_port_held_by_the_enemy_is_not_available(self) -> None:
        table = self.to_come("guadalcanal").when(self.enters("guadalcanal"))
        table.then_refused("enemy-at-entry", rule="5.1.J [14.0]")


class Test51JCostOfACommand:
    """5.1.J: the cost of a submarine Command is in the scenario, or comes from the players' rulebook."""

    def costing(self, points: int) -> Story:
        whole = msgspec.structs.replace(scenario("solomons"), costs=Costs(submarine_command=points))
        return until(Story(TITLE, whole), "5.1.J")

    def build(self, **more: Any) -> dict[str, Any]:
        return says(ALLIES, "build-submarine-command", unit="tf-42", port="noumea-port", **more)

    def test_headquarters_pays_for_a_command(self) -> None:
        table = self.costing(3)
        before = table.game.accounts["points/south-pacific"]
        table.when(self.build(headquarters="south-pacific")).then(UnitPlaced, unit="tf-42")
        assert table.game.accounts["points/south-pacific"] == before - 3

    def test_order_names_the_payer(self) -> None:
        table = self.costing(3).when(self.build())
        table.then_refused("payer-missing", rule="5.1.J [14.6]", cost=3)
        table = self.costing(99).when(self.build(headquarters="south-pacific"))
        table.then_refused("command-points-too-few", rule="5.1.J [14.6]", given=99)

    def test_silent_scenario_lets_the_table_pay_by_its_book(self) -> None:
        table = until(campaign(), "5.1.J").when(self.build(cost=2, headquarters="south-pacific"))
        table.then_refused("wrong-cost", rule="5.1.J [14.6]", given=2)
        table.when(self.build(cost=2, source="14.6", headquarters="south-pacific"))
        paid = table.then(AccountChanged, account="points/south-pacific", amount=-2)
        assert paid.cause.endswith(" tf-42, 14.6")


class Test51TNobodyToMove:
    """5.1.T, 5.2.C, 5.2.K: without activated units the movement is passed with its reason; both search all the same."""

    def test_reaction_player_has_no_activated_unit(self) -> None:
        table = until(operation(campaign(), "chokai"), "5.1.S")
        change(table, MARINES, "activated", False)
        table.when(says(ALLIES, "done")).then(StepPassed, step="5.1.T/move")
        table.then_open("5.1.T/search")

    def test_battle_cycle_is_played_without_reaction_moves(self) -> None:
        table = operation(campaign(), "chokai")
        change(table, MARINES, "activated", False)
        steps = opened(until(table, "5.2.L"))
        assert "5.2.C/move" in steps
        assert "5.2.K/move" not in steps
        assert {"5.2.C/search", "5.2.K/search"} <= set(steps)

    def test_optional_submarines_move_without_activated_units(self) -> None:
        """Check 34.1, 34.2: Japan's submarines move in Japan's movement phase."""
        table = Story(TITLE, scenario("solomons"), options={"japanese_submarines": True})
        until(table, "5.1.P/activate", plan=bids(0, 9))
        table.play(says(ALLIES, "activate", units=["portland"], headquarters="south-pacific"))
        boats = {"arm": "patrol", "submarines": 1, "paid": True}
        until(table, "5.2.K/search", "5.2.K/move")
        assert "5.2.K/move" not in opened(table)
        table.given(UnitPlaced(unit="i-19", side=JAPAN, kind="patrol", at="santo", attributes=boats))
        assert "5.2.K/move" in opened(until(until(table, "5.2.A"), "5.2.L"))


class Test52CAirUnitsStay:
    """5.2.C, 5.2.K: air units go with their carriers and nowhere else, not ashore either."""

    def test_air_units_do_not_disembark(self) -> None:
        table = until(operation(campaign(), "shokaku", "hiei", "shokaku-air"), "5.2.C/move")
        table.when(says(JAPAN, "disembark", unit="shokaku-air")).then_refused(
            "stays-aboard", rule="5.2.C [23.6]", unit="shokaku-air", reason="flies-later"
        )


class Test51HEveryCombatUnit:
    """5.1.H: ships and air units can be isolated too; the losses of a ship come with their source."""

    @pytest.mark.parametrize("unit", ["chokai", "rabaul-air"])
    def test_table_isolates_the_unit(self, unit: str) -> None:
        table = until(campaign(), "5.1.H")
        table.when(says(JAPAN, "change", unit=unit, attribute="isolated", to=True, cause="12.0"))
        table.then(UnitChanged, unit=unit, attribute="isolated", after=True)

    def test_isolated_air_unit_loses_steps_and_a_ship_has_none(self) -> None:
        table = until(campaign(), "5.1.H")
        for unit in ("chokai", "rabaul-air"):
            table.play(says(JAPAN, "change", unit=unit, attribute="isolated", to=True))
        table.when(says(JAPAN, "isolation-penalty", unit="chokai")).then_refused(
            "loss-not-in-table", rule="5.1.H [12.0]", says=" chokai", reason="no-loss"
        )
        table.when(says(JAPAN, "isolation-penalty", unit="chokai", loses=1, source="12.3"))
        assert table.then(UnitChanged, unit="chokai", attribute="hits", after=1).cause.endswith(", 12.3")
        table.when(says(JAPAN, "isolation-penalty", unit="rabaul-air")).then(UnitChanged, attribute="steps", after=1)

    def test_headquarters_is_not_a_combat_unit(self) -> None:
        table = until(campaign(), "5.1.H")
        table.when(says(JAPAN, "change", unit="combined-fleet", attribute="isolated", to=True)).then_refused(
            "no-such-attribute", rule="5.1.H", unit="combined-fleet", attribute="isolated"
        )
        table.when(says(JAPAN, "change", unit="chokai", attribute="isolated", to=3)).then_refused(
            "not-a-value", rule="5.1.H", attribute="isolated", unit="chokai", given=3, example=False
        )


class Test51MNotUnderTheEnemy:
    """5.1.M: linked bases are built, but not in a hex with the enemy."""

    def test_base_is_not_built_among_enemies(self) -> None:
        new = {"unit": "airstrip", "side": JAPAN, "kind": "airbase", "attributes": {"arm": "base"}}
        table = until(campaign(), "5.1.M").when(says(JAPAN, "place", at="guadalcanal", **new))
        table.then_refused("enemy-at-site", rule="5.1.M [17.0]", at="guadalcanal")
        table.play(says(JAPAN, "place", at="buin", **new))

    def test_nor_an_offensive_support_base(self) -> None:
        table = until(campaign(), "5.1.P/activate", plan=bids(9, 0))
        table.when(says(JAPAN, "place-osb", unit="osb", at="noumea")).then_refused(
            "enemy-at-site", rule="5.1.M [11.3.1 & 17.0]", at="noumea"
        )
        table.when(says(JAPAN, "place-osb", unit="osb", at="buin")).then(UnitPlaced, unit="osb")


class Test51GJapanByShipping:
    """5.1.G: Japan's Command Points by its shipping, on the scenario's table or as the group reads it off its own."""

    def by_shipping(self) -> Story:
        whole = scenario("marianas")
        rows: dict[str, Any] = {"20 or less": {"points": 5}, "21 or more": {"points": 9}}
        tables = {**whole.tables, "command-points-by-shipping": Table(rows=rows, source="made up")}
        return until(Story(TITLE, msgspec.structs.replace(whole, tables=tables)), "5.1.G/table")

    def test_group_may_read_points_off_its_own_table(self) -> None:
        book = {"outcome": {"points": 7}, "source": "10.0, display"}
        table = self.by_shipping().when(says(JAPAN, "receive-points", by_the_book=book))
        told = table.then(AccountChanged, account="points/japan", amount=7)
        assert told.cause.endswith(" 10.0, display")

    def test_modifiers_without_a_roll_are_refused(self) -> None:
        plus = [{"amount": 1, "source": "10.0"}]
        table = self.by_shipping().when(says(JAPAN, "receive-points", modifiers=plus))
        table.then_refused("no-dice-for-japan", rule="5.1.G [10.0]")
        table.play(says(JAPAN, "receive-points"))


class Test53DamageByTheBook:
    """5.3: Strategic Initiative as the group reads it off its own table, with its source."""

    def over(self, table: Story) -> Story:
        """End the operation, with damage to be counted."""
        for unit in (one.id for one in table.game.in_play() if one.get("activated")):
            table.play(says(table.game.units[unit].side, "deactivate", units=[unit]))
        return until_gone(table, "5.2.M").then_open("5.3/damage")

    def test_last_side_to_count_reads_the_damage(self) -> None:
        table = self.over(until(cycle(campaign(), "chokai"), "5.2.M"))
        table.play(says(JAPAN, "count-damage", inflicted=5, source="19.3"))
        table.when(says(ALLIES, "count-damage", by_the_book=BOOK))
        told = table.then(AccountChanged, account="initiative/japan", amount=4)
        assert " +5 " in told.cause
        assert told.cause.endswith(" 19.3")

    def test_not_before_both_have_counted(self) -> None:
        table = self.over(until(cycle(campaign(), "chokai"), "5.2.M"))
        table.when(says(JAPAN, "count-damage", by_the_book=BOOK)).then_refused(
            "other-side-counts-last", rule="5.3 [19.3]"
        )

    def test_outcome_is_one_that_the_table_can_give(self) -> None:
        table = self.over(until(cycle(campaign(), "chokai"), "5.2.M")).play(says(JAPAN, "count-damage"))
        wrong = {"outcome": {"hits": 4}, "source": "19.3"}
        table.when(says(ALLIES, "count-damage", by_the_book=wrong)).then_refused(
            "not-an-outcome",
            rule="5.3 [19.3]",
            purpose="strategic initiative",
            example='{"outcome": {"points": …}, "source": "…"}',
        )

    def test_scenario_without_the_table_reads_the_book_too(self) -> None:
        whole = scenario("solomons")
        tables = {name: table for name, table in whole.tables.items() if name != "strategic-initiative"}
        table = cycle(Story(TITLE, msgspec.structs.replace(whole, tables=tables)), "chokai")
        self.over(until(table, "5.2.M")).play(says(ALLIES, "count-damage"))
        table.play(says(JAPAN, "count-damage", by_the_book=BOOK))
        assert table.game.accounts["initiative/japan"] == 4


class Test54resumeBWhatIsLeft:
    """5.4: after a claim too, units stay at the place in which the operation ended, by a logged ruling."""

    def test_ruling_is_made_without_a_bid(self) -> None:
        table = operation(literal(), "aoba", bid=4, headquarters="fourth-fleet")
        table.play(says(JAPAN, "remove", unit="aoba", fate="sunk"), says(JAPAN, "advance-day", days=4))
        until(table, "5.1.O/claim").when(says(ALLIES, "claim-operation")).then(RulingMade, rule="5.3 [20.5]")


class Test51JStrategicAlone:
    """5.1.J: bombing and shipping points arrive in Strategic scenarios alone."""

    def test_campaign_has_neither_account(self) -> None:
        accounts = next_month(campaign(), "5.1.J").game.accounts
        assert not {"bombing", "merchant"} & set(accounts)
        assert {"bombing", "merchant"} <= set(until(strategic(), "5.1.J").game.accounts)
