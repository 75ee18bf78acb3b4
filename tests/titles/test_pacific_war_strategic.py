"""5.1.A to 5.1.N of Pacific War: the phases of a month, which scenarios omit which, and the numbers in them."""

import msgspec
import pytest

from tests.face.domain import (
    AccountChanged,
    DiceRolled,
    MarkerSet,
    RulingMade,
    UnitChanged,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
    pacific_war_TITLE as TITLE,
    with_what_follows,
)
from tests.face.testing import Story
from tests.titles.pacific_war_table import (
    ALLIES,
    JAPAN,
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
from umpire_ledger.kit import removed

STRATEGIC_ONLY = ["5.1.A", "5.1.C", "5.1.D", "5.1.E", "5.1.F"]
ONCE_A_MONTH = ["5.1.B", *(f"5.1.{letter}" for letter in "HIJKLMN")]


def next_month(table: Story, step: str) -> Story:
    """Return the same step of the next month, without any bids."""
    until_gone(until(table, "5.1.O/bid"), "5.1.O/bid")
    return until(table, step)


class Test51WhichPhasesAreOmitted:
    def test_strategic_month_has_all_phases(self) -> None:
        played = opened(until(strategic(), "5.1.O/bid"))
        assert [step for step in played if step in STRATEGIC_ONLY] == STRATEGIC_ONLY
        assert "5.1.G/table" in played
        assert "5.1.G/assigned" not in played

    def test_campaign_omits_five_phases_and_assigns_command_points(self) -> None:
        played = opened(until(campaign(), "5.1.O/bid"))
        assert not set(played) & set(STRATEGIC_ONLY)
        assert [step for step in played if step in ONCE_A_MONTH] == ONCE_A_MONTH
        assert "5.1.G/assigned" in played
        assert "5.1.G/table" not in played

    def test_weather_is_optional(self) -> None:
        assert "5.1.A" not in opened(until(strategic(weather=False), "5.1.C"))

    @pytest.mark.parametrize(
        ("order", "step", "why"),
        [
            (says(ALLIES, "roll-weather", 1, 1, 1, 1), "5.1.A", "Strategic"),
            (says(ALLIES, "bomb-homeland", 5), "5.1.C", "Strategic"),
            (says(JAPAN, "allocate-escorts", escorts=0), "5.1.D", "Strategic"),
            (says(ALLIES, "set-priority", target="escorts"), "5.1.E", "Strategic"),
            (says(ALLIES, "count-attrition", 5), "5.1.F", "Strategic"),
            (says(JAPAN, "receive-points", 5), "5.1.G/table", "Strategic"),
        ],
    )
    def test_refusal_says_that_this_kind_of_scenario_omits_the_phase(
        self, order: dict[str, object], step: str, why: str
    ) -> None:
        table = until(campaign(), "5.1.G/allocate").when(order)
        table.then_refused(
            "not-allowed-now",
            rule="5.1.G/allocate",
            orders=("allocate-points", "done"),
            says=step,
        )
        assert table.refusal is not None
        assert why in table.refusal.what

    def test_option_that_omits_the_weather_is_named_too(self) -> None:
        table = strategic(weather=False).when(says(ALLIES, "roll-weather", 1, 1, 1, 1))
        table.then_refused(
            "not-allowed-now",
            rule="5.1.B [7.0, 9.0]",
            orders=("determine-level",),
            says="5.1.A",
        )
        assert table.refusal is not None
        assert " weather " in table.refusal.what

    def test_weather_is_not_rolled_without_a_weather_table(self) -> None:
        whole = scenario("marianas")
        tables = {name: one for name, one in whole.tables.items() if name != "weather"}
        table = Story(TITLE, msgspec.structs.replace(whole, tables=tables)).when(
            says(JAPAN, "roll-weather", 1, 9, 8, 7)
        )
        table.then_refused("not-allowed-now", rule="5.1.B", orders=("determine-level",))


class TestWrongSideForAPhase:
    @pytest.mark.parametrize(
        ("step", "order", "wait"),
        [
            ("5.1.C", says(JAPAN, "bomb-homeland", 5), "Allies"),
            ("5.1.D", says(ALLIES, "allocate-escorts", escorts=1), "Japan"),
            ("5.1.E", says(JAPAN, "set-priority", target="escorts"), "Allies"),
            ("5.1.F", says(JAPAN, "count-attrition", 5), "Allies"),
        ],
    )
    def test_order_of_the_other_side_is_refused(self, step: str, order: dict[str, object], wait: str) -> None:
        table = until(strategic(), step).when(order)
        table.then_refused("step-of-another-side", rule=f"Pacific War {step}", do=f"wait for {wait}")

    @pytest.mark.parametrize(("step", "side"), [("5.1.C", JAPAN), ("5.1.D", ALLIES), ("5.1.E", JAPAN)])
    def test_nor_may_the_other_side_leave_the_phase(self, step: str, side: str) -> None:
        until(strategic(), step).when(says(side, "done")).then_refused("step-of-another-side", rule=step)


class Test51AWeather:
    def test_every_zone_is_clear_or_foul_each_by_a_roll_of_its_own(self) -> None:
        table = strategic().when(says(JAPAN, "roll-weather", 1, 9, 8, 7))
        weather = [table.game.markers[f"weather/{zone}"] for zone in ("north", "central", "south", "southwest")]
        assert weather == ["clear", "foul", "foul", "clear"]
        table.then(DiceRolled, table="weather", row="8 or more", outcome="foul", subjects=("central",))

    def test_weather_lasts_for_its_month(self) -> None:
        table = until(strategic().play(says(JAPAN, "roll-weather", 9, 9, 9, 9)), "5.1.O/bid")
        assert table.game.markers["weather/north"] == "foul"


class Test51CStrategicBombing:
    def test_bombing_points_add_to_the_roll_and_homeland_points_fall(self) -> None:
        table = until(strategic(), "5.1.C").when(says(ALLIES, "bomb-homeland", 9))
        table.then(DiceRolled, table="strategic-bombing", row="10 or more", total=10)
        assert table.game.accounts["homeland"] == 27

    def test_without_bombing_points_there_is_nothing_to_roll(self) -> None:
        table = until(campaign_with_no_bombers(), "5.1.D").when(says(ALLIES, "bomb-homeland", 9))
        table.then_refused("wait-for-side", rule="5.1.D", sides="Japan", says="5.1.C")


def campaign_with_no_bombers() -> Story:

    return strategic().given(AccountChanged(account="bombing", amount=-1, before=1, after=0))


class Test51DEscorts:
    def test_escorts_are_allocated_and_taken_back(self) -> None:
        table = until(strategic(), "5.1.D").play(says(JAPAN, "allocate-escorts", escorts=4))
        assert (table.game.accounts["escorting"], table.game.accounts["escorts"]) == (4, 2)
        next_month(table, "5.1.D").play(says(JAPAN, "allocate-escorts", escorts=1))
        assert table.game.accounts["escorting"] == 1

    def test_escorts_cannot_exceed_those_available(self) -> None:
        table = until(strategic(), "5.1.D").when(says(JAPAN, "allocate-escorts", escorts=7))
        table.then_refused("too-many-escorts", rule="5.1.D [9.1]", limit=6)


class Test51EPriority:
    def test_phase_does_not_end_without_the_decision(self) -> None:
        table = until(strategic(), "5.1.E").when(says(ALLIES, "done"))
        table.then_refused(
            "orders-required",
            rule="5.1.E [9.2]",
            orders=("set-priority",),
        )

    def test_decision_is_recorded_and_needed_again_next_month(self) -> None:
        table = until(strategic(), "5.1.E").when(says(ALLIES, "set-priority", target="escorts"))
        table.then(MarkerSet, marker="submarine_priority", after="escorts")
        next_month(table, "5.1.E").when(says(ALLIES, "done")).then_refused(
            "orders-required",
            rule="5.1.E",
            orders=("set-priority",),
        )


class Test51FAttrition:
    def test_attrition_uses_submarines_allocated_last_month(self) -> None:
        """Four from the set-up in the first month; three more allocated in its J count from the second month on."""
        table = until(strategic(), "5.1.F")
        first = table.when(says(ALLIES, "count-attrition", 4)).then(DiceRolled, table="merchant-attrition")
        assert [one.amount for one in first.modifiers] == [1, 4, 0]
        until(table, "5.1.J").play(says(ALLIES, "allocate-submarines", to="anti-shipping", points=3))
        second = next_month(table, "5.1.F").when(says(ALLIES, "count-attrition", 1)).then(DiceRolled)
        assert [one.amount for one in second.modifiers][1] == 4 - 1 + 3

    def test_losses_fall_on_shipping_escorts_and_submarines(self) -> None:
        """Check 6, level 1, 4 submarines, 3 escorts: 8. The row costs 3, 2 and 1; escorts are not the target, so 1."""
        table = until(strategic(), "5.1.D").play(says(JAPAN, "allocate-escorts", escorts=3))
        until(table, "5.1.F").play(says(ALLIES, "count-attrition", 6))
        accounts = table.game.accounts
        assert (accounts["merchant"], accounts["escorting"], accounts["anti-shipping"]) == (37, 2, 3)

    def test_priority_moves_the_losses_to_the_escorts(self) -> None:
        table = until(strategic(), "5.1.D").play(says(JAPAN, "allocate-escorts", escorts=3))
        until(table, "5.1.E").play(says(ALLIES, "set-priority", target="escorts"))
        table.play(says(ALLIES, "count-attrition", 6))
        assert (table.game.accounts["merchant"], table.game.accounts["escorting"]) == (39, 1)

    def test_attrition_cannot_be_left_out(self) -> None:
        until(strategic(), "5.1.F").when(says(ALLIES, "done")).then_refused(
            "orders-required", rule="5.1.F [7.0, 9.3]", orders=("count-attrition",)
        )


class Test51GCommandPoints:
    def test_unused_strategic_points_expire_except_for_the_pool(self) -> None:
        """Japan brings 3 on the track and 2 at a headquarters, the Allies 5 in their pool."""
        table = until(strategic(), "5.1.G/table")
        for account in ("points/japan", "points/central-pacific-fleet", "points/allies", "points/pacific-fleet"):
            assert table.game.accounts[account] == 0
        assert table.game.accounts["pool/allies"] == 5
        steps = opened(table)
        assert steps.index("5.1.G/unused") < steps.index("5.1.G/table")

    def test_strategic_new_points_are_rolled_for_by_each_side(self) -> None:
        table = until(strategic(), "5.1.G/table").play(says(JAPAN, "receive-points", 9))
        table.when(says(ALLIES, "receive-points", 1)).then(DiceRolled, table="command-points/allies", row="3 or less")
        assert (table.game.accounts["points/japan"], table.game.accounts["points/allies"]) == (16, 18)

    def test_side_receives_points_once_a_month(self) -> None:
        table = until(strategic(), "5.1.G/table").play(says(JAPAN, "receive-points", 9))
        table.when(says(JAPAN, "receive-points", 9)).then_refused("step-of-another-side", rule="5.1.G/table")

    def test_campaign_points_match_the_scenarios_entry_for_the_month(self) -> None:
        table = until(campaign(), "5.1.G/allocate")
        assert (table.game.accounts["points/japan"], table.game.accounts["points/allies"]) == (20, 18)

    def test_campaign_leftovers_are_kept_and_a_ruling_says_so(self) -> None:
        """Nothing is printed about them."""
        table = until(campaign(), "5.1.G/allocate").play(says(JAPAN, "done"), says(ALLIES, "done"))
        next_month(table, "5.1.G/allocate")
        assert table.game.accounts["points/japan"] == 20 + 16
        rulings = [event for taken in table.taken for event in taken.events if isinstance(event, RulingMade)]
        assert [ruling.ruling.startswith("Command Points ") for ruling in rulings] == [True, True]

    def test_points_are_allocated_to_headquarters_and_the_pool(self) -> None:
        table = until(campaign(), "5.1.G/allocate").play(
            says(JAPAN, "allocate-points", to="combined-fleet", points=12),
            says(JAPAN, "allocate-points", to="pool", points=3),
        )
        accounts = table.game.accounts
        assert (accounts["points/japan"], accounts["points/combined-fleet"], accounts["pool/japan"]) == (5, 12, 3)

    def test_points_cannot_exceed_those_on_the_track(self) -> None:
        table = until(campaign(), "5.1.G/allocate").when(says(JAPAN, "allocate-points", to="pool", points=21))
        table.then_refused("too-few-on-track", rule="5.1.G [10.4]", limit=20)

    def test_only_to_headquarters_of_ones_own(self) -> None:
        table = until(campaign(), "5.1.G/allocate")
        table.when(says(JAPAN, "allocate-points", to="south-pacific", points=1))
        table.then_refused("unit-of-another-side", rule="5.1.G [10.3]", side="Allies")
        table.when(says(JAPAN, "allocate-points", to="chokai", points=1))
        table.then_refused("not-on-map", rule="5.1.G [10.3]", arm="headquarters", units="combined-fleet, eighth-fleet")


class Test51HByHand:
    def test_penalty_is_recorded_by_hand(self) -> None:
        table = until(campaign(), "5.1.H")
        table.when(says(ALLIES, "change", unit="1st-marine-division", attribute="isolated", to=True))
        table.then(UnitChanged, attribute="isolated", before=False, after=True)

    def test_die_for_a_scenario_rule_is_rolled_by_hand(self) -> None:
        table = until(campaign(), "5.1.H")
        table.when(says(JAPAN, "roll", 7, dice="1d10", purpose="Tokyo Express", needed="6 or more"))
        table.then(DiceRolled, purpose="Tokyo Express", pips=(7,), total=7, needed="6 or more", step="5.1.H")
        table.when(says(JAPAN, "roll", 7, dice="1d10")).then_refused(
            "unreadable-order",
            rule="roll",
            name="roll",
            error="Object missing required field `purpose`",
            title="pacific-war",
        )

    def test_sides_change_only_their_own_units(self) -> None:
        table = until(campaign(), "5.1.H")
        table.when(says(JAPAN, "change", unit="1st-marine-division", attribute="isolated", to=True))
        table.then_refused("belongs-to-another-side", rule="5.1.H", owner="Allies", kind="a unit")

    def test_changes_with_an_order_of_their_own_are_not_made_by_hand(self) -> None:
        table = until(campaign(), "5.1.H").when(says(JAPAN, "change", unit="chokai", attribute="activated", to=True))
        table.then_refused(
            "written-by-the-rules",
            rule="5.1.H",
            written="activated of chokai",
            do="`activate` or `deactivate`",
        )


class Test51ITransport:
    def test_ground_and_air_units_and_crippled_ships_move(self) -> None:
        table = until(campaign(), "5.1.I")
        table.when(says(JAPAN, "move", unit="mogami", path=["palau", "kure"]))
        table.then(UnitMoved, unit="mogami", path=("truk", "palau", "kure"))
        table.play(says(ALLIES, "move", unit="cactus-air", path=["noumea"]))

    def test_sound_ship_is_not_transported(self) -> None:
        table = until(campaign(), "5.1.I").when(says(JAPAN, "move", unit="chokai", path=["truk"]))
        table.then_refused("cannot-move", rule="5.1.I [13.0]", unit="chokai", reason="not-transported")
        change(table, "chokai", "crippled", True).play(says(JAPAN, "move", unit="chokai", path=["truk"]))

    def test_crippled_ship_may_be_attacked_by_submarines(self) -> None:
        table = until(campaign(), "5.1.I")
        change(table, "i-boats", "side", ALLIES)
        table.given(
            UnitPlaced(unit="gar", side=ALLIES, kind="submarine-patrol", at="truk", attributes={"arm": "patrol"})
        )
        table.when(says(ALLIES, "attack", 9, units=["gar"], target="mogami"))
        table.then_refused("not-moved-by-transport", rule="5.1.I [13.2.5]", target="mogami")
        table.play(says(JAPAN, "move", unit="mogami", path=["palau"]))
        table.when(says(ALLIES, "attack", 9, units=["gar"], target="mogami"))
        table.then(DiceRolled, table="submarine-combat", rule="5.1.I [13.2.5]")
        table.then(UnitRemoved, unit="mogami", fate="sunk")

    @pytest.mark.parametrize("once", [True, False])
    def test_submarines_attack_once_in_transport(self, once: bool) -> None:
        """Check 5.1.I [13.2.5]: a miss binds the unit, by option."""
        table = change(until(campaign(submarines_attack_once=once), "5.1.I"), "i-boats", "side", ALLIES)
        attack = says(ALLIES, "attack", 1, units=["i-boats"], target="mogami")
        sails = says(JAPAN, "move", unit="mogami", path=["palau"])
        table.play(sails, attack).when(attack)
        table.then_refused("attacked-already", rule="5.1.I [13.2.5]") if once else table.then_accepted()


class Test51JReinforcements:
    def test_points_and_steps_of_the_month_arrive_automatically(self) -> None:
        table = until(next_month(campaign(), "5.1.B"), "5.1.J")
        accounts = table.game.accounts
        assert (accounts["submarines/allies"], accounts["steps/allies/air"], accounts["steps/japan/ground"]) == (
            3,
            2,
            3,
        )

    def test_merchant_shipping_and_bombing_points_arrive_too(self) -> None:
        table = until(next_month(strategic(), "5.1.B"), "5.1.J")
        assert table.game.accounts["bombing"] == 1 + 1 + 2

    def test_unit_enters_in_its_month(self) -> None:
        table = until(campaign(), "5.1.J").when(says(JAPAN, "reinforce", unit="kawaguchi", at="rabaul"))
        table.then_refused("enters-later", rule="5.1.J [14.0]", month=2, units="none this month")
        table = next_month(campaign(), "5.1.J").when(says(JAPAN, "reinforce", unit="kawaguchi", at="rabaul"))
        table.then(UnitMoved, unit="kawaguchi", path=("to-come", "rabaul"))

    def test_submarine_points_go_to_commands_or_against_shipping(self) -> None:
        table = until(campaign(), "5.1.J").play(says(JAPAN, "allocate-submarines", to="sixth-fleet", points=1))
        assert table.game.accounts["submarines/sixth-fleet"] == 3
        table.when(says(JAPAN, "allocate-submarines", to="sixth-fleet", points=1))
        table.then_refused(
            "too-many-points-allocated", rule="5.1.J [14.1 & 14.2]", says=" 0 ", reason="too-few-in-hand"
        )

    def test_japan_has_no_anti_shipping_role(self) -> None:
        table = until(campaign(), "5.1.J").when(says(JAPAN, "allocate-submarines", to="anti-shipping", points=1))
        table.then_refused("only-allies-raid-shipping", rule="5.1.J [14.1 & 14.2]")

    def test_submarine_command_is_built_at_a_linked_port(self) -> None:
        table = until(campaign(), "5.1.J")
        table.when(says(ALLIES, "build-submarine-command", unit="tf-42", port="henderson-field"))
        table.then_refused("port-not-linked", rule="5.1.J [14.6]")
        table.when(says(ALLIES, "build-submarine-command", unit="tf-42", port="noumea-port"))
        table.then(UnitPlaced, unit="tf-42", kind="submarine-command", at="noumea")
        table = until(campaign(), "5.1.J")
        table.when(says(ALLIES, "build-submarine-command", unit="portland", port="noumea-port"))
        table.then_refused("unit-in-play", rule="5.1.J [14.6]", at="noumea")

    def test_emergency_command_links_are_paid_or_given_up_each_month(self) -> None:
        table = until(campaign(), "5.1.J").when(says(ALLIES, "done"))
        table.then_refused("orders-required", rule="5.1.J", orders=("pay-link", "remove"))
        table.when(says(ALLIES, "pay-link", link="henderson-link", headquarters="south-pacific"))
        table.then(UnitChanged, unit="henderson-link", attribute="paid", after=True)
        assert table.game.accounts["points/south-pacific"] == 17
        table.when(says(ALLIES, "pay-link", link="henderson-link", headquarters="south-pacific"))
        table.then_refused("link-paid-for", rule="5.1.J", link="henderson-link")
        next_month(table.play(says(ALLIES, "done")), "5.1.J").when(says(ALLIES, "done"))
        table.then_refused("orders-required", rule="5.1.J", orders=("pay-link", "remove"))


class Test51KRepair:
    def test_ship_repairs_one_hit_in_a_phase(self) -> None:
        table = change(until(campaign(), "5.1.K"), "hiei", "hits", 1)
        table.when(says(JAPAN, "repair-ship", unit="mogami"))
        table.then(UnitChanged, unit="mogami", attribute="hits", before=2, after=1)
        table.then(UnitChanged, unit="mogami", attribute="crippled", before=True, after=False)
        table.when(says(JAPAN, "repair-ship", unit="mogami"))
        table.then_refused("repaired-already", rule="5.1.K [15.0]")

    def test_ship_may_be_repaired_again_next_month(self) -> None:
        table = until(campaign(), "5.1.K").play(says(JAPAN, "repair-ship", unit="mogami"))
        next_month(table, "5.1.K").play(says(JAPAN, "repair-ship", unit="mogami"))
        assert table.game.units["mogami"].get("hits") == 0

    def test_second_hit_is_not_removed_by_hand_either(self) -> None:
        table = change(until(campaign(), "5.1.K"), "hiei", "hits", 1)
        table.play(says(JAPAN, "repair-ship", unit="mogami"))
        table.when(says(JAPAN, "change", unit="mogami", attribute="hits", to=0))
        table.then_refused("not-allowed-now", rule="5.1.K", order="change", orders=("repair-ship", "roll", "done"))
        table = operation(campaign(), "chokai")
        table.when(says(JAPAN, "change", unit="mogami", attribute="hits", to=0))
        table.then_refused("hits-by-repair-only", rule="5.1.K [15.0]")

    def test_only_in_a_dry_dock_port_or_a_holding_box(self) -> None:
        table = until(campaign(), "5.1.K")
        change(table, "chokai", "hits", 1)
        table.when(says(JAPAN, "repair-ship", unit="chokai"))
        table.then_refused("no-repair-there", rule="5.1.K [15.1]")
        table.play(says(ALLIES, "repair-ship", unit="saratoga"))

    def test_ship_without_hits_cannot_be_repaired(self) -> None:
        table = until(campaign(), "5.1.K").when(says(JAPAN, "repair-ship", unit="shokaku"))
        table.then_refused("no-hit-to-repair", rule="5.1.K [15.0]")


class TestLMN:
    def test_replacements_fill_units_up_to_their_full_strength(self) -> None:
        table = until(campaign(), "5.1.L").play(says(JAPAN, "replace-steps", unit="ichiki", steps=1))
        assert table.game.units["ichiki"].get("steps") == 2
        table.when(says(JAPAN, "replace-steps", unit="ichiki", steps=1))
        table.then_refused("too-many-steps", rule="5.1.L [16.0]", limit=0)

    def test_engineers_repair_a_linked_base(self) -> None:
        table = until(strategic(), "5.1.M").when(says(JAPAN, "repair-base", unit="aslito-airbase"))
        table.then(UnitChanged, unit="aslito-airbase", attribute="hits", before=1, after=0)

    def test_not_one_that_is_cut_off(self) -> None:
        table = until(strategic(), "5.1.M")
        change(table, "aslito-airbase", "linked", False)
        table.when(says(JAPAN, "repair-base", unit="aslito-airbase"))
        table.then_refused("no-linked-base", rule="5.1.M [17.0]", kind="base")

    def test_patrols_are_taken_off_and_placed_and_paid_for_again(self) -> None:
        table = until(campaign(), "5.1.N")
        assert table.game.units["i-boats"].fate == "recalled"
        patrol = {"unit": "i-boats", "at": "san-cristobal", "submarines": 2, "headquarters": "combined-fleet"}
        table.when(says(JAPAN, "place-patrol", **patrol)).then(UnitPlaced, unit="i-boats", at="san-cristobal")
        assert table.game.units["i-boats"].get("submarines") == 2
        assert table.game.accounts["points/combined-fleet"] == 19

    def test_unpaid_patrol_stays_off_the_map(self) -> None:
        table = until(campaign(), "5.1.N").when(
            says(JAPAN, "place-patrol", unit="i-boats", at="truk", submarines=1, headquarters="eighth-fleet")
        )
        table.then_refused("command-points-too-few", rule="5.1.N [25.0]", given=1)

    def test_command_points_are_spent_by_hand_downwards_only(self) -> None:
        table = until(campaign(), "5.1.M").when(says(JAPAN, "pay", account="points/combined-fleet", amount=5))
        table.then_refused("not-yours-to-pay", rule="5.1.M", side_pays="Japan pays")
        table.when(says(JAPAN, "pay", account="points/south-pacific", amount=-5))
        table.then_refused("belongs-to-another-side", rule="5.1.M", owner="Allies")
        table.when(says(JAPAN, "pay", account="pool/japan", amount=-99))
        table.then_refused("written-by-the-rules-alone", rule="5.1.M", written="pool/japan")
        table.when(says(JAPAN, "pay", account="points/combined-fleet", amount=-99))
        table.then_refused("account-too-low", rule="5.1.M", account="points/combined-fleet")
        table.play(says(JAPAN, "pay", account="points/combined-fleet", amount=-5, cause="a new airbase"))

    def test_units_do_not_enter_activated(self) -> None:
        new = {"unit": "3rd-marines", "side": ALLIES, "kind": "regiment", "at": "noumea"}
        table = until(campaign(), "5.1.L")
        table.when(says(ALLIES, "place", **new, attributes={"arm": "ground", "activated": True}))
        table.then_refused("enters-not-activated", rule="5.1.L")

    def test_new_unit_is_checked_like_units_of_a_scenario(self) -> None:
        new = {"unit": "3rd-marines", "side": ALLIES, "kind": "regiment", "at": "noumea"}
        table = until(campaign(), "5.1.L").when(says(ALLIES, "place", **new, attributes={"steps": 1}))
        table.then_refused("arm-missing", rule="5.1.L")
        table.when(says(ALLIES, "place", **new, attributes={"arm": "ground", "stepps": 1}))
        table.then_refused("wrong-attributes", rule="5.1.L", unit="3rd-marines", arm="ground", says="`stepps`")
        table.given(AccountChanged(account="steps/allies/ground", amount=2, before=0, after=2))
        table.when(says(ALLIES, "place", **new, attributes={"arm": "ground", "steps": 2, "full_steps": 2}))
        assert table.then(UnitPlaced, unit="3rd-marines").attributes["broken"] is False

    def test_units_of_the_other_side_cannot_be_placed(self) -> None:
        new = {"unit": "3rd-marines", "side": ALLIES, "kind": "regiment", "at": "noumea"}
        table = until(campaign(), "5.1.M").when(says(JAPAN, "place", **new, attributes={"arm": "ground"}))
        table.then_refused("belongs-to-another-side", rule="5.1.M", named="3rd-marines", owner="Allies", kind="a unit")


class TestChangesByHand:
    @pytest.mark.parametrize(
        ("unit", "attribute", "to", "code", "fields"),
        [
            ("ichiki", "stepps", 1, "no-such-attribute", {"kind": "regiment", "attribute": "stepps"}),
            ("rabaul-air", "strength", 2, "no-such-attribute", {"unit": "rabaul-air", "attribute": "strength"}),
            ("rabaul-air", "status", True, "not-a-value", {"unit": "rabaul-air", "given": True, "example": 1}),
            ("rabaul-air", "status", -1, "below-zero", {"attribute": "status", "given": -1}),
            ("ichiki", "steps", 1, "written-by-the-rules", {"written": "steps of ichiki"}),
        ],
    )
    def test_invalid_value_is_refused(
        self, unit: str, attribute: str, to: object, code: str, fields: dict[str, object]
    ) -> None:
        table = until(campaign(), "5.1.L").when(says(JAPAN, "change", unit=unit, attribute=attribute, to=to))
        table.then_refused(code, rule="5.1.L", **fields)

    def test_hits_by_hand_cripple_and_sink_like_any_others(self) -> None:
        table = operation(campaign(), "shokaku").play(says(JAPAN, "change", unit="chokai", attribute="hits", to=2))
        assert table.game.units["chokai"].get("crippled") is True
        table.when(says(JAPAN, "change", unit="chokai", attribute="hits", to=3))
        table.then(UnitRemoved, unit="chokai", fate="sunk")

    def test_task_force_without_ships_is_dissolved(self) -> None:
        table = operation(campaign(), "chokai").play(says(JAPAN, "remove", unit="hiei", fate="sunk"))
        assert not table.game.units["kido-butai"].fate
        table.when(says(JAPAN, "remove", unit="shokaku", fate="sunk"))
        table.then(UnitRemoved, unit="shokaku-air", fate="lost")
        table.then(UnitRemoved, unit="kido-butai", fate="dissolved")

    def test_ships_of_a_task_force_that_is_gone_sail_alone(self) -> None:
        game = campaign().game
        gone = with_what_follows(game, removed(game.units["kido-butai"], "split up"), "23.4")
        left = {event.unit: event.after for event in gone if isinstance(event, UnitChanged)}
        assert left == {"hiei": "", "shokaku": ""}


def test_turn_view_of_a_month_shows_markers_and_accounts() -> None:
    table = mark(until(campaign(), "5.1.O/bid"), "day", 12)
    assert {name: table.game.markers[name] for name in ("month", "month_name", "day")} == {
        "month": 1,
        "month_name": "August 1942",
        "day": 12,
    }
    assert table.game.accounts["points/combined-fleet"] == 20
