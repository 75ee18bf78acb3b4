"""5.1.O to 5.1.T of Pacific War: bids, activation and what it costs, the Condition, the contact phases."""

import pytest
from immutables import Map

from tests.face.domain import (
    ChoiceMade,
    ChoiceRevealed,
    ChoiceSealed,
    DiceRolled,
    MarkerSet,
    PlayJumped,
    RestrictedEvent,
    UnitChanged,
    UnitMoved,
    UnitPlaced,
    limit,
    replace,
)
from tests.face.testing import Story
from tests.titles.pacific_war_table import (
    ALLIES,
    JAPAN,
    bids,
    campaign,
    change,
    literal,
    mark,
    opened,
    operation,
    says,
    strategic,
    until,
)


def to_bids(**options: object) -> Story:
    return until(campaign(**options), "5.1.O/bid")


def to_activation(bid: int = 15) -> Story:
    return until(campaign(), "5.1.P/activate", plan=bids(bid, 0))


def activate(*units: str, headquarters: str = "combined-fleet", seat: str = JAPAN, **more: object) -> dict[str, object]:
    return says(seat, "activate", units=list(units), headquarters=headquarters, **more)


class Test51OBids:
    def test_sealed_bid_is_announced_but_its_number_is_private(self) -> None:
        table = to_bids().when(says(JAPAN, "bid", points=7))
        table.then(ChoiceSealed, question="bid", side=JAPAN)
        secret = [told for told in table.told if isinstance(told, RestrictedEvent)]
        assert [(told.event.choice, told.visible_to) for told in secret] == [(7, (JAPAN, "referee"))]  # type: ignore[union-attr]

    def test_both_bids_are_revealed_together_and_the_higher_wins(self) -> None:
        table = to_bids().play(says(JAPAN, "bid", points=7))
        table.when(says(ALLIES, "bid", points=9)).then(ChoiceRevealed, side=JAPAN, choice=7)
        table.then(ChoiceRevealed, side=ALLIES, choice=9)
        table.then(MarkerSet, marker="operation_player", after=ALLIES)
        table.then(MarkerSet, marker="reaction_player", after=JAPAN)
        table.then(MarkerSet, marker="bid", after=9)

    def test_by_option_bids_are_open(self) -> None:
        table = until(literal(), "5.1.O/bid").when(says(JAPAN, "bid", points=7))
        table.then(ChoiceMade, question="bid", side=JAPAN, choice=7, sealed=False)
        assert not [told for told in table.told if isinstance(told, RestrictedEvent)]

    def test_bid_cannot_be_changed(self) -> None:
        table = to_bids().play(says(JAPAN, "bid", points=7)).when(says(JAPAN, "bid", points=9))
        table.then_refused("step-of-another-side", rule="5.1.O/bid [18.0]", seat="japan", sides="Allies")

    def test_bid_cannot_exceed_the_points_of_the_bidder(self) -> None:
        to_bids().when(says(JAPAN, "bid", points=21)).then_refused(
            "too-few-command-points", rule="5.1.O [18.0]", limit=20
        )

    def test_phase_does_not_end_without_a_bid(self) -> None:
        to_bids().when(says(JAPAN, "done")).then_refused("orders-required", rule="5.1.O/bid [18.0]", orders=("bid",))

    def test_excused_side_has_no_bid(self) -> None:
        """Check a step in which the game was stuck, because the title looked for a bid that no side had made."""
        excuse = says("referee", "excuse", step="5.1.O/bid", side=JAPAN, reason="asleep")
        table = to_bids().play(excuse).when(says(ALLIES, "bid", points=1))
        table.then(MarkerSet, marker="operation_player", after=ALLIES)
        table.then_open("5.1.P/activate")
        table = to_bids().play(excuse).when(says(ALLIES, "bid", points=0))
        table.then(MarkerSet, marker="month_ends", after="no bid")

    def test_tied_bids_are_settled_on_the_scenarios_table(self) -> None:
        table = until(campaign(), "5.1.O/tie", plan=bids(5, 5))
        table.when(says(JAPAN, "break-tie", 6)).then(DiceRolled, table="tied-bids", row="6 or more", outcome="allies")
        assert table.game.markers["operation_player"] == ALLIES

    def test_winner_receives_one_free_offensive_support_base(self) -> None:
        table = to_activation()
        assert table.game.accounts["osb/japan"] == 1
        assert "osb/allies" not in table.game.accounts
        table.when(says(JAPAN, "place-osb", unit="osb-1", at="rabaul")).then(UnitPlaced, kind="offensive-support-base")
        table.when(says(JAPAN, "place-osb", unit="osb-2", at="truk"))
        table.then_refused("support-base-not-free", rule="5.1.M [11.3.1 & 17.0]", says="Japan ")

    def test_numbered_operation_starts_without_spent_points(self) -> None:
        table = operation(campaign(), "chokai")
        change(table, "1st-marine-division", "activated", False)
        table.play(says(JAPAN, "remove", unit="chokai", fate="sunk"))
        until(table, "5.1.P/activate", plan=bids(0, 4))
        assert table.game.number("operation") == 2
        assert table.game.accounts["spent/japan"] == 0
        assert "condition" not in table.game.markers


class Test51PActivation:
    def test_units_cost_their_activation_points_of_one_headquarters(self) -> None:
        table = to_activation().when(activate("shokaku", "hiei"))
        table.then(UnitChanged, unit="shokaku", attribute="activated", after=True)
        accounts = table.game.accounts
        assert (accounts["activation/japan"], accounts["spent/japan"], accounts["points/combined-fleet"]) == (7, 7, 13)

    def test_at_10_activation_points_the_operation_costs_nothing(self) -> None:
        """Check the costs: shokaku 4, hiei 3, chokai 2, ichiki 1."""
        table = to_activation().play(activate("shokaku", "hiei", "chokai", "ichiki"))
        assert table.game.accounts["activation/japan"] == 10
        assert table.game.accounts["spent/japan"] == 10

    def test_above_10_the_headquarters_pays_its_operation_cost(self) -> None:
        table = to_activation().play(activate("shokaku", "hiei", "chokai", "ichiki", "tokyo-express"))
        assert table.game.accounts["activation/japan"] == 11
        assert table.game.accounts["spent/japan"] == 11 + 4

    def test_cost_is_due_once_with_the_order_that_exceeds_the_limit(self) -> None:
        table = to_activation(20).play(activate("shokaku", "hiei", "chokai", "ichiki"))
        table.play(activate("tokyo-express"))
        assert table.game.accounts["spent/japan"] == 11 + 4
        table.play(activate("shokaku-air"))
        assert table.game.accounts["spent/japan"] == 12 + 4

    def test_bid_is_the_ceiling(self) -> None:
        table = to_activation(6).when(activate("shokaku", "hiei"))
        table.then_refused("above-activation-limit", rule="5.1.P [20.1]", source="the bid", limit=6, limit_2=6)
        assert table.game.accounts["points/combined-fleet"] == 20

    def test_operation_cost_counts_towards_the_bid(self) -> None:
        """Check that 11 Activation Points are within the bid of 14, with the cost of 4 they are not."""
        table = to_activation(14).when(activate("shokaku", "hiei", "chokai", "ichiki", "tokyo-express"))
        table.then_refused("above-activation-limit", rule="5.1.P [20.1]", given=15, limit=14, limit_2=14)

    def test_less_than_the_bid_may_be_spent(self) -> None:
        """Check that there is no minimum, because none is printed."""
        to_activation(15).play(activate("ichiki"), says(JAPAN, "done")).then_open("5.1.Q")

    def test_time_multiples_count_towards_it_too(self) -> None:
        table = to_activation(6).play(activate("shokaku"))
        table.when(says(JAPAN, "pay-time", multiples=1, headquarters="combined-fleet"))
        table.then(MarkerSet, marker="time_multiple", after=2)
        table.when(says(JAPAN, "pay-time", multiples=1, headquarters="combined-fleet"))
        table.then_refused("above-activation-limit", rule="5.1.P", spent=6, source="the bid", limit=6, limit_2=0)

    def test_headquarters_cannot_spend_more_than_it_has(self) -> None:
        table = to_activation().when(activate("chokai", headquarters="eighth-fleet"))
        table.then_refused("too-few-points", rule="5.1.P [20.1]", account="points/eighth-fleet", limit=0)

    def test_future_operation_pool_pays_if_the_order_says_so(self) -> None:
        table = until(strategic(), "5.1.P/activate", plan=bids(0, 5))
        table.play(activate("yorktown", headquarters="pacific-fleet", seat=ALLIES, from_pool=True))
        assert table.game.accounts["pool/allies"] == 1

    def test_unit_is_activated_once(self) -> None:
        table = to_activation().play(activate("shokaku")).when(activate("shokaku", "hiei"))
        table.then_refused("activated-already", rule="5.1.P [20.1]", units=("shokaku",))

    def test_only_combat_units_on_the_map(self) -> None:
        table = to_activation().when(activate("kawaguchi"))
        table.then_refused("not-on-map", rule="5.1.P [20.1]", arm="naval or air or ground")

    def test_reaction_player_does_not_activate_yet(self) -> None:
        table = to_activation().when(activate("portland", headquarters="south-pacific", seat=ALLIES))
        table.then_refused("step-of-another-side", rule="5.1.P/activate", seat="allies", sides="Japan")

    def test_operation_level_is_stated(self) -> None:
        to_activation().when(says(JAPAN, "set-operation-level", level=2)).then(
            MarkerSet, marker="operation_level", after=2
        )

    def test_operation_level_is_stated_once_and_may_be_corrected(self) -> None:
        table = to_activation().play(says(JAPAN, "set-operation-level", level=2))
        table.when(says(JAPAN, "set-operation-level", level=2)).then_refused(
            "level-already", rule="5.1.P [20.3]", level=2
        )
        table.play(says(JAPAN, "set-operation-level", level=3))


class Test51QIntelligence:
    def test_level_of_the_reaction_player_is_added(self) -> None:
        """Check that, with an Allied level of 1, a roll of 4 becomes 5, which intercepts."""
        table = until(campaign(), "5.1.Q", plan={**bids(15, 0), "5.1.P/activate": [activate("chokai")]})
        rolled = table.when(says(ALLIES, "determine-condition", 4)).then(DiceRolled, total=5)
        assert rolled.table == "operational-intelligence"
        table.then(ChoiceMade, question="operational intelligence", choice="intercept", sealed=True)

    def test_intelligence_belongs_to_the_reaction_player_alone(self) -> None:
        table = until(campaign(), "5.1.Q", plan={**bids(15, 0), "5.1.P/activate": [activate("chokai")]})
        table.when(says(JAPAN, "determine-condition", 4)).then_refused("step-of-another-side", rule="5.1.Q")
        table.when(says(ALLIES, "done")).then_refused(
            "orders-required", rule="5.1.Q [21.0]", orders=("determine-condition",)
        )

    @pytest.mark.parametrize(("points", "most"), [(6, 6), ("any number", -1), (None, -1)])
    def test_condition_limits_by_a_number_or_not_at_all(self, points: int | str | None, most: int) -> None:
        game = replace(campaign().game, markers=Map({"condition": "surprise"}))
        row = {"condition": "surprise", **({} if points is None else {"points": points})}
        sheets = {**game.tables, "operational-intelligence": {"rows": {"any": row}}}
        assert limit(replace(game, tables=sheets), "points") == most


class Test51RContact:
    def test_task_force_takes_its_ships_and_their_cargo(self) -> None:
        table = operation(campaign(), "shokaku", "hiei", "shokaku-air")
        table.when(says(JAPAN, "move", unit="kido-butai", path=["truk", "ontong-java"]))
        for unit in ("kido-butai", "shokaku", "hiei", "shokaku-air"):
            table.then(UnitMoved, unit=unit, path=("truk", "ontong-java"))
        table.when(says(JAPAN, "move", unit="hiei", path=["rabaul"]))
        table.then_refused(
            "cannot-move", rule="5.1.R [23.4]", unit="hiei", says=" kido-butai, ", reason="in-task-force"
        )

    def test_only_activated_units_move(self) -> None:
        table = operation(campaign(), "shokaku").when(says(JAPAN, "move", unit="chokai", path=["buin"]))
        table.then_refused("cannot-move", rule="5.1.R [23.4]", unit="chokai", reason="not-activated")

    def test_move_needs_a_destination(self) -> None:
        table = operation(campaign(), "chokai").when(says(JAPAN, "move", unit="chokai", path=["rabaul"]))
        table.then_refused("already-there", rule="5.1.R [23.4]", unit="chokai", at="rabaul")

    def test_reaction_player_does_not_move_yet(self) -> None:
        table = operation(campaign(), "shokaku").when(says(ALLIES, "move", unit="cactus-air", path=["noumea"]))
        table.then_refused("step-of-another-side", rule="5.1.R/move", seat="allies", sides="Japan")

    def test_days_move_both_markers(self) -> None:
        table = operation(campaign(), "shokaku").play(says(JAPAN, "advance-day", days=3))
        assert (table.game.number("day"), table.game.number("naval_movement")) == (29, 3)

    def test_both_sides_search_during_movement(self) -> None:
        table = operation(campaign(), "shokaku").when(says(ALLIES, "search", 6, target="kido-butai"))
        table.then(UnitChanged, unit="kido-butai", attribute="detected", after=True)
        table.then_open("5.1.R/move", "5.1.R/search", "5.1.R/condition")
        table.when(says(ALLIES, "search", 6, target="kido-butai"))
        table.then_refused("detected-already", rule="5.1.R [24.0]")

    def test_only_a_task_force_of_the_enemy_is_searched_for(self) -> None:
        table = operation(campaign(), "shokaku").when(says(ALLIES, "search", 6, target="tf-16"))
        table.then_refused("own-unit", rule="5.1.R [24.0]", unit="tf-16")
        table.when(says(ALLIES, "search", 6, target="rabaul-air"))
        table.then_refused("not-a-task-force", rule="5.1.R [24.0]", unit="rabaul-air")

    def test_ships_that_are_not_activated_form_none(self) -> None:
        table = operation(campaign(), "shokaku")
        table.when(says(JAPAN, "form-task-force", task_force="mikawa", ships=["chokai", "tokyo-express"]))
        table.then_refused("ships-not-activated", rule="5.1.R", ships=("chokai", "tokyo-express"))

    def test_they_join_no_unit_of_another_arm(self) -> None:
        table = operation(campaign(), "chokai")
        table.when(says(JAPAN, "form-task-force", task_force="eighth-fleet", ships=["chokai"]))
        table.then_refused("task-force-exists", rule="5.1.R", unit="eighth-fleet")

    def test_ships_form_a_task_force(self) -> None:
        table = operation(campaign(), "chokai", "tokyo-express", "shokaku")
        table.when(says(JAPAN, "form-task-force", task_force="mikawa", ships=["chokai", "tokyo-express"]))
        table.then(UnitPlaced, unit="mikawa", at="rabaul")
        table.when(says(JAPAN, "form-task-force", task_force="mikawa", ships=["shokaku"]))
        table.then_refused("ships-apart", rule="5.1.R", places=("rabaul", "truk"))

    def test_condition_is_revealed_before_the_phase_ends(self) -> None:
        table = operation(campaign(), "shokaku").when(says(ALLIES, "done", step="5.1.R/condition"))
        table.then_refused(
            "orders-required",
            rule="5.1.R/condition [23.5]",
            orders=("reveal-condition",),
        )
        table.when(says(ALLIES, "reveal-condition")).then(ChoiceRevealed, choice="intercept")
        table.then(MarkerSet, marker="condition", after="intercept")

    def test_condition_is_revealed_once(self) -> None:
        table = operation(campaign(), "shokaku").play(says(ALLIES, "reveal-condition"))
        table.when(says(ALLIES, "reveal-condition")).then_refused("condition-revealed-already", rule="5.1.R [23.5]")

    def test_operation_player_may_continue_while_condition_is_hidden(self) -> None:
        table = operation(campaign(), "shokaku").play(says(JAPAN, "advance-day", days=1))
        assert "condition" not in table.game.markers


class TestThePhaseIsPreEmpted:
    def test_permitting_condition_ends_the_phase_at_any_point(self) -> None:
        table = operation(campaign(), "shokaku").play(says(ALLIES, "reveal-condition"))
        table.when(says(ALLIES, "force-end")).then(PlayJumped, to="5.1.S", broke_off=("5.1.R/move", "5.1.R/search"))
        table.then_open("5.1.S")
        table.when(says(JAPAN, "move", unit="kido-butai", path=["rabaul"]))
        table.then_refused("wait-for-side", rule="5.1.S", order="move", sides="Allies")

    def test_hidden_condition_does_not_end_the_phase(self) -> None:
        table = operation(campaign(), "shokaku").when(says(ALLIES, "force-end"))
        table.then_refused("hidden-condition", rule="5.1.R [23.5]")

    def test_surprise_ends_nothing_either(self) -> None:
        plan = {
            **bids(15, 0),
            "5.1.P/activate": [activate("shokaku")],
            "5.1.Q": [says(ALLIES, "determine-condition", 1)],
        }
        table = until(campaign(), "5.1.R/move", plan=plan).play(says(ALLIES, "reveal-condition"))
        table.when(says(ALLIES, "force-end"))
        table.then_refused("condition-does-not-end", rule="5.1.R [23.5]", condition="surprise")

    def test_operation_player_cannot_preempt_the_phase(self) -> None:
        table = operation(campaign(), "shokaku").when(says(JAPAN, "force-end"))
        table.then_refused("step-of-another-side", rule="5.1.R/condition", seat="japan", sides="Allies")


class Test51SReaction:
    def test_reaction_is_limited_by_own_points_instead_of_a_bid(self) -> None:
        table = until(operation(campaign(), "shokaku"), "5.1.S")
        table.play(activate("enterprise", "portland", headquarters="south-pacific", seat=ALLIES))
        assert table.game.accounts["points/south-pacific"] == 18 - 6

    def test_condition_may_limit_reaction_spending(self) -> None:
        """Surprised, the player spends 6 at most."""
        plan = {
            **bids(15, 0),
            "5.1.P/activate": [activate("shokaku")],
            "5.1.Q": [says(ALLIES, "determine-condition", 1)],
        }
        table = until(campaign(), "5.1.S", plan=plan)
        table.when(activate("enterprise", "portland", "san-francisco", headquarters="south-pacific", seat=ALLIES))
        table.then_refused("above-activation-limit", rule="5.1.S [22.0]", source="the Condition", limit=6, limit_2=6)

    def test_reaction_headquarters_pays_too_above_10(self) -> None:
        table = operation(campaign(), "shokaku", level=2)
        until(table, "5.1.S")
        every = ("enterprise", "portland", "san-francisco", "saratoga")
        table.play(activate(*every, headquarters="south-pacific", seat=ALLIES))
        assert table.game.accounts["spent/allies"] == 12 + 3

    def test_reaction_player_pays_for_no_time(self) -> None:
        table = until(operation(campaign(), "shokaku"), "5.1.S")
        table.when(says(ALLIES, "pay-time", multiples=1, headquarters="south-pacific"))
        table.then_refused("not-allowed-now", rule="5.1.S", says="5.1.P/activate", orders=("activate", "done"))


class Test51TReactionContact:
    def surprised(self) -> Story:
        """Begin 5.1.T under a Condition with 2 places a day, after the Operation player has sailed one day."""
        plan = {
            **bids(15, 0),
            "5.1.P/activate": [activate("shokaku")],
            "5.1.Q": [says(ALLIES, "determine-condition", 1)],
        }
        table = until(campaign(), "5.1.R/move", plan=plan).play(says(JAPAN, "advance-day", days=1))
        until(table, "5.1.S").play(activate("portland", headquarters="south-pacific", seat=ALLIES))
        table.play(says(ALLIES, "form-task-force", task_force="tf-9", ships=["portland"]))
        return until(table, "5.1.T/move")

    def test_reaction_moves_up_to_the_condition_and_the_days(self) -> None:
        table = self.surprised().play(says(ALLIES, "move", unit="tf-9", path=["efate", "santo"]))
        assert table.game.units["tf-9"].at == "santo"

    def test_reaction_cannot_move_beyond_the_limit(self) -> None:
        table = self.surprised().when(says(ALLIES, "move", unit="tf-9", path=["efate", "santo", "tulagi"]))
        table.then_refused("beyond-condition", rule="5.1.T [22.0]", condition="surprise", limit=2)

    def test_several_moves_of_a_unit_count_together(self) -> None:
        table = self.surprised().play(says(ALLIES, "move", unit="tf-9", path=["efate", "santo"]))
        table.when(says(ALLIES, "move", unit="tf-9", path=["tulagi"]))
        table.then_refused("beyond-condition", rule="5.1.T [22.0]", given=3, limit=0)

    def test_day_marker_does_not_move_in_t(self) -> None:
        self.surprised().when(says(ALLIES, "advance-day")).then_refused(
            "not-allowed-now", rule="5.1.T", says="5.1.R/move"
        )

    @pytest.mark.parametrize("side", [JAPAN, ALLIES])
    def test_both_search(self, side: str) -> None:
        target = {JAPAN: "tf-16", ALLIES: "kido-butai"}[side]
        self.surprised().when(says(side, "search", 9, target=target)).then(UnitChanged, attribute="detected")


def test_roles_in_an_operation_can_be_read_from_the_markers() -> None:
    table = mark(operation(campaign(), "chokai"), "day", 4)
    names = ("operation", "operation_player", "reaction_player", "operation_state", "bid", "day")
    assert [table.game.markers[name] for name in names] == [1, JAPAN, ALLIES, "under way", 15, 4]
    assert "5.1.Q" in opened(table)
