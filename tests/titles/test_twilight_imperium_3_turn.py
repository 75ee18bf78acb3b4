"""Twilight Imperium, the turn: AP, STRAT, action cards, PASS, ROUND, and what comes between rounds."""

from pathlib import Path
from typing import Any, cast

import pytest

import umpire_ledger
from tests.face.domain import (
    AccountChanged,
    ChoiceMade,
    Dice,
    GameEnded,
    JoinSecondary,
    MarkerSet,
    RuleViolation,
    StepOpened,
    StepPassed,
    UnitChanged,
    UnitMoved,
    UnitRemoved,
    decide_join_secondary,
    offers,
    replace,
    twilight_imperium_3_TITLE as TITLE,
)
from tests.face.testing import Story
from tests.naming import Naming
from tests.titles.twilight_imperium_3_table import BASE, GALAXY, activate, galaxy, here, says, some, systems, unit

SIDES = ("sol", "letnev", "mentak")


def players(**more: Any) -> Story:
    return galaxy(unit("sol-carrier-1", "home-sol"), hands={"sol": ["Sabotage"], "mentak": ["Flank Speed"]}, **more)


def strategic(table: Story, seat: str, *others: str) -> Story:
    """Play a strategic action; no player takes part in its secondary ability."""
    table.play(says(seat, "take-action", action="strategic"), says(seat, "done"))
    return table.play(*(says(other, "done") for other in others))


def everybody_strategic() -> Story:
    table = strategic(players(), "sol", "letnev", "mentak")
    strategic(table, "letnev", "mentak", "sol")
    return strategic(table, "mentak", "sol", "letnev")


class TestAPInitiative:
    def test_lowest_strategy_card_acts_first(self) -> None:
        table = galaxy(sheets={"sol": {"strategy_cards": ["Warfare"]}})
        assert table.game.cursor.waiting() == ("letnev",)

    def test_with_several_cards_the_lowest_counts(self) -> None:
        table = galaxy(sheets={"mentak": {"strategy_cards": ["Imperial", "Diplomacy"]}})
        strategic(table, "sol", "letnev", "mentak")
        assert table.game.cursor.waiting() == ("mentak",)

    def test_players_act_only_in_their_own_turn(self) -> None:
        table = players().when(says("letnev", "take-action", action="tactical"))
        table.then_refused(
            "step-of-another-side", rule="Twilight Imperium 3 AP.turn", seat="letnev", sides="Federation of Sol"
        )

    def test_turn_is_exactly_one_action(self) -> None:
        table = activate(players(), "void").play(says("sol", "done"))
        table.when(says("sol", "done")).then_open("AP.turn")
        assert table.game.cursor.waiting() == ("letnev",)

    def test_turn_does_not_end_without_an_action(self) -> None:
        players().when(says("sol", "done")).then_refused(
            "answer-missing", rule="AP.turn", choices=Naming("take-action")
        )

    def test_without_a_command_counter_there_is_no_tactical_action(self) -> None:
        table = galaxy(sheets={"sol": {"command": 0}}).when(says("sol", "take-action", action="tactical"))
        table.then_refused(
            "cannot-take-tactical-action", rule="TA.1", why=Naming("Command"), reason="no-command-counter"
        )

    def test_counters_in_every_system_rule_out_a_tactical_action(self) -> None:
        full = {name: {**one, "activated": ["sol"]} for name, one in systems().items()}
        table = galaxy(systems=full).when(says("sol", "take-action", action="tactical"))
        table.then_refused(
            "cannot-take-tactical-action", rule="TA.1", side="Federation of Sol", reason="activated-everywhere"
        )

    @pytest.mark.parametrize("number", [2, 8])
    def test_two_to_eight_players_sit_at_the_table(self, number: int) -> None:
        names = [f"player{at}" for at in range(number)]
        table = galaxy(
            sides=[{"id": name, "name": name} for name in names],
            systems={"home": {}, "away": {"adjacent": ["home"]}},
            cards={f"card{at}": at + 1 for at in range(number)},
            sheets={},
            players={name: {"strategy_cards": [f"card{number - at - 1}"]} for at, name in enumerate(names)},
            domains={},
            hands={},
        )
        order = []
        for _ in names:
            (side,) = table.game.cursor.waiting()
            order.append(side)
            table.play(says(side, "take-action", action="strategic"), says(side, "done"))
            while table.game.cursor.open[0].step == "STRAT.offer":
                table.play(says(table.game.cursor.waiting()[0], "done"))
        assert order == names[::-1]


class TestAtTheDesk:
    def test_strategic_action_names_the_card_that_is_left(self, tmp_path: Path) -> None:
        with umpire_ledger.open(tmp_path / "g.db") as desk:
            game = desk.new("twilight-imperium-3", GALAXY, id="g", dice="table")
            for side, card in zip(SIDES, ("Diplomacy", "Political", "Trade"), strict=True):
                told = game.seat(side).order({"order": "take-action", "action": "strategic", "card": card}).told
                assert told[-1].endswith(f"strategic: {card}")
                at = SIDES.index(side)
                for one in (*SIDES[at:], *SIDES[:at]):
                    game.seat(one).done()
            told = game.seat("sol").order({"order": "take-action", "action": "strategic"}).told
        assert told[-1].endswith("Strategy card Technology")

    def test_system_without_units_is_a_place_of_the_map(self, tmp_path: Path) -> None:
        with umpire_ledger.open(tmp_path / "g.db") as desk:
            sol = desk.new("twilight-imperium-3", GALAXY, id="g", dice="table").seat("sol")
            sol.order({"order": "take-action", "action": "tactical"})
            sol.order({"order": "activate", "system": "quann-space"})
            path = ["home-sol", "wellon-space", "quann-space"]
            with pytest.raises(RuleViolation) as refused:
                sol.order({"order": "move-ships", "units": ["sol-carrier-1"], "path": path})
        assert refused.value.rule == "Twilight Imperium 3 TA.2"


class TestSTRAT:
    def test_offers_name_what_the_primary_ability_may_record(self) -> None:
        table, step = players(), TITLE.plan.step("STRAT.primary")
        assert step is not None
        table.play(says("sol", "take-action", action="strategic"))
        assert {"mark", "move", "place", "remove"} <= set(offers(TITLE, table.game, step, "sol"))
        assert "change" not in offers(TITLE, table.game, step, "sol")
        table.when(says("sol", "mark", marker="tech/sol", to=["transfabrication"])).then_accepted()

    def test_primary_ability_is_recorded_and_the_card_is_used(self) -> None:
        table = players().when(says("sol", "take-action", action="strategic"))
        table.then(MarkerSet, marker="used-cards/sol", after=("Initiative",), rule="STRAT")
        table.then_open("STRAT.primary")
        table.when(says("sol", "pay", account="command/sol", amount=1, cause="Initiative"))
        table.then(AccountChanged, account="command/sol", before=3, after=4)

    def test_secondaries_go_clockwise_from_the_active_player(self) -> None:
        table = strategic(players(), "sol", "letnev", "mentak")
        table.play(says("letnev", "take-action", action="strategic"), says("letnev", "done")).then_open("STRAT.offer")
        assert table.game.cursor.waiting() == ("mentak",)
        table.play(says("mentak", "done"))
        assert table.game.cursor.waiting() == ("sol",)

    def test_secondary_costs_one_counter_of_the_strategy_area(self) -> None:
        table = players().play(says("sol", "take-action", action="strategic"), says("sol", "done"))
        table.when(says("letnev", "join-secondary"))
        table.then(AccountChanged, account="strategy/letnev", amount=-1, after=0, rule="STRAT")
        table.then_open("STRAT.secondary")
        table.when(says("letnev", "done")).then_open("STRAT.offer")
        assert table.game.cursor.waiting() == ("mentak",)

    def test_declining_costs_and_earns_nothing(self) -> None:
        table = players().play(says("sol", "take-action", action="strategic"), says("sol", "done"))
        table.when(says("letnev", "done")).then_not(AccountChanged)
        assert table.game.cursor.waiting() == ("mentak",)

    def test_secondary_needs_a_counter(self) -> None:
        table = players(sheets={"mentak": {"strategy": 0}})
        table.play(says("sol", "take-action", action="strategic"), says("sol", "done"))
        table.when(says("letnev", "done")).then(StepPassed, step="STRAT.offer")
        table.then(StepPassed, step="STRAT.secondary")
        table.then_open("AP.turn").when(says("mentak", "join-secondary"))
        table.then_refused("not-allowed-now", rule="AP.turn")

    def test_secondary_with_counter_gone_meanwhile_is_refused(self) -> None:
        table = players().play(says("sol", "take-action", action="strategic"), says("sol", "done"))
        spent = replace(table.game, accounts=table.game.accounts.set("strategy/letnev", 0))
        with pytest.raises(RuleViolation) as refused:
            decide_join_secondary(spent, JoinSecondary(seat="letnev"), cast("Dice", None))
        assert refused.value.rule.endswith("STRAT")

    def test_active_player_takes_no_part_in_the_own_secondary(self) -> None:
        table = players().play(says("sol", "take-action", action="strategic"), says("sol", "done"))
        table.when(says("sol", "join-secondary"))
        table.then_refused("step-of-another-side", rule="STRAT.offer", seat="sol", sides="Barony of Letnev")

    def test_player_takes_part_once_in_each_secondary(self) -> None:
        table = players().play(says("sol", "take-action", action="strategic"), says("sol", "done"))
        table.play(says("letnev", "join-secondary")).when(says("letnev", "join-secondary"))
        table.then_refused("not-allowed-now", rule="STRAT.secondary", order="join-secondary")

    def test_player_with_two_cards_names_the_one_played(self) -> None:
        table = galaxy(sheets={"sol": {"strategy_cards": ["Initiative", "Warfare"]}})
        table.when(says("sol", "take-action", action="strategic"))
        table.then_refused("strategy-card-not-named", rule="STRAT", cards=("Initiative", "Warfare"))

    def test_card_is_played_once_a_round(self) -> None:
        table = everybody_strategic().when(says("sol", "take-action", action="strategic"))
        table.then_refused("strategy-cards-played", rule="STRAT", side_has="Federation of Sol has")

    def test_card_of_another_player_is_not_played(self) -> None:
        table = players().when(says("sol", "take-action", action="strategic", card="Trade"))
        table.then_refused("strategy-card-not-left", rule="STRAT", card="Trade", cards=("Initiative",))

    def test_other_actions_name_no_strategy_card(self) -> None:
        table = players().when(says("sol", "take-action", action="pass", card="Initiative"))
        table.then_refused("names-no-strategy-card", rule="AP", action="pass")


class TestPASS:
    def test_passing_is_locked_until_the_strategic_action_is_done(self) -> None:
        table = players().when(says("sol", "take-action", action="pass"))
        table.then_refused(
            "cannot-pass-before-strategic-action", rule="Twilight Imperium 3 PASS", cards=("Initiative",)
        )

    def test_with_two_cards_it_is_locked_until_both_are_played(self) -> None:
        table = galaxy(sheets={"sol": {"strategy_cards": ["Initiative", "Warfare"]}})
        table.play(says("sol", "take-action", action="strategic", card="Warfare"), says("sol", "done"))
        table.play(says("letnev", "done"), says("mentak", "done"))
        strategic(table, "letnev", "mentak", "sol")
        strategic(table, "mentak", "sol", "letnev")
        table.when(says("sol", "take-action", action="pass")).then_refused(
            "cannot-pass-before-strategic-action", rule="PASS", cards=("Initiative",)
        )

    def test_refusal_before_strategic_action_names_no_pass(self) -> None:
        """Twilight Imperium 3 PASS."""
        table = strategic(players(), "sol", "letnev", "mentak").when(says("letnev", "take-action", action="card"))
        table.then_refused("cannot-take-action", rule="AP", reason="no-card")
        assert table.refusal is not None
        assert "pass" not in table.refusal.remedy

    def test_passed_player_is_skipped(self) -> None:
        table = everybody_strategic().when(says("sol", "take-action", action="pass"))
        table.then(MarkerSet, marker="passed/sol", after=True, rule="PASS")
        activate(table, "void", "letnev").play(says("letnev", "done"), says("letnev", "done"))
        activate(table, "void", "mentak").play(says("mentak", "done"), says("mentak", "done"))
        assert table.game.cursor.waiting() == ("letnev",)

    def test_passed_player_still_takes_part_in_secondaries(self) -> None:
        table = strategic(players(), "sol", "letnev", "mentak")
        strategic(table, "letnev", "mentak", "sol")
        activate(table, "void", "mentak").play(says("mentak", "done"), says("mentak", "done"))
        table.play(says("sol", "take-action", action="pass"), says("letnev", "take-action", action="pass"))
        table.play(says("mentak", "take-action", action="strategic"), says("mentak", "done"))
        table.when(says("sol", "join-secondary"))
        table.then(AccountChanged, account="strategy/sol", before=2, after=1)

    def test_last_player_acts_until_passing(self) -> None:
        table = everybody_strategic()
        table.play(says("sol", "take-action", action="pass"), says("letnev", "take-action", action="pass"))
        for system in ("void", "mecatol"):
            activate(table, system, "mentak").play(says("mentak", "done"), says("mentak", "done"))
            assert table.game.cursor.waiting() == ("mentak",)

    def test_not_in_the_turn_of_the_strategic_action_itself(self) -> None:
        table = galaxy().play(says("sol", "take-action", action="strategic", card="Initiative"))
        table.when(says("sol", "done", answer="pass")).then_refused("no-answer-asked-for", rule="STRAT")


class TestROUND:
    def all_pass(self, **more: object) -> Story:
        table = galaxy(unit("sol-carrier-1", "home-sol"), **more)
        strategic(table, "sol", "letnev", "mentak")
        strategic(table, "letnev", "mentak", "sol")
        strategic(table, "mentak", "sol", "letnev")
        activate(table, "void").play(says("sol", "done"), says("sol", "done"))
        passing = (says(side, "take-action", action="pass") for side in ("letnev", "mentak", "sol"))
        return table.play(*passing)

    def test_round_ends_when_all_players_have_passed(self) -> None:
        self.all_pass().then_open("between")

    def test_last_round_of_the_scenario_ends_the_game(self) -> None:
        self.all_pass(victory={"rounds": 1}).then(GameEnded)

    def test_counters_on_the_board_go_back_between_rounds(self) -> None:
        table = self.all_pass()
        table.then(MarkerSet, marker="activated/void", before=("sol",), after=None)
        table.then(AccountChanged, account="reinforcements/sol", before=5, after=6)

    def test_option_leaves_command_counters_on_the_board(self) -> None:
        table = self.all_pass(options={"board_cleared": False})
        assert table.game.markers["activated/void"] == ("sol",)

    def test_cards_chosen_between_rounds_give_the_next_order(self) -> None:
        table = self.all_pass()
        for side, card in (("sol", "Imperial"), ("letnev", "Trade"), ("mentak", "Initiative")):
            table.play(says(side, "choose-strategy", cards=[card]), says(side, "done"))
        assert table.game.turn == 2
        assert table.game.cursor.waiting() == ("mentak",)
        table.when(says("mentak", "take-action", action="pass")).then_refused(
            "cannot-pass-before-strategic-action", rule="PASS", cards=("Initiative",)
        )

    def test_card_is_chosen_by_one_player(self) -> None:
        table = self.all_pass().play(says("letnev", "choose-strategy", cards=["Imperial"]))
        table.when(says("sol", "choose-strategy", cards=["Imperial"]))
        table.then_refused("chosen-already", rule="between", card="Imperial")

    def test_cards_chosen_again_are_refused(self) -> None:
        table = self.all_pass().play(says("letnev", "choose-strategy", cards=["Imperial"]))
        table.when(says("letnev", "choose-strategy", cards=["Imperial"]))
        table.then_refused("wrong-choice-of-cards", rule="between", why=Naming("Barony of Letnev", "Imperial"))
        table.when(says("letnev", "choose-strategy", cards=["Trade", "Trade"]))
        table.then_refused("named-twice", rule="between", unit="Trade")

    def test_players_without_a_card_must_choose_one(self) -> None:
        table = self.all_pass().given(MarkerSet(marker="strategy-cards/mentak", before=("Imperial",), after=None))
        table.when(says("mentak", "done")).then_refused(
            "orders-required",
            rule="between",
            required=Naming("`choose-strategy`"),
            orders=("choose-strategy",),
        )
        table.play(says("sol", "done"), says("letnev", "done"), says("mentak", "choose-strategy", cards=["Warfare"]))
        table.play(says("mentak", "done"))
        assert table.game.turn == 2

    def test_card_kept_by_a_player_is_not_chosen(self) -> None:
        table = self.all_pass().play(says("letnev", "done")).when(says("sol", "choose-strategy", cards=["Trade"]))
        table.then_refused("chosen-already", rule="between", card="Trade")

    def test_player_whose_card_was_taken_chooses_again(self) -> None:
        table = self.all_pass().play(says("sol", "choose-strategy", cards=["Trade"]))
        table.when(says("letnev", "done")).then_refused(
            "orders-required",
            rule="between",
            required=Naming("`choose-strategy`"),
            orders=("choose-strategy",),
        )
        table.when(says("letnev", "choose-strategy", cards=["Initiative"])).then_accepted()

    def test_card_outside_the_game_is_not_chosen(self) -> None:
        table = self.all_pass().when(says("sol", "choose-strategy", cards=["Bureaucracy"]))
        table.then_refused("no-such-strategy-card", rule="between", card="Bureaucracy")

    def test_new_round_resets_passes_and_used_cards(self) -> None:
        table = self.all_pass().then_open("between")
        while table.game.cursor.opened("between") is not None:
            table.play(says(table.game.cursor.waiting()[0], "done"))
        table.then_open("AP.turn")
        assert table.game.turn == 2
        table.when(says("sol", "take-action", action="pass")).then_refused(
            "cannot-pass-before-strategic-action", rule="PASS"
        )
        table.when(says("sol", "take-action", action="tactical")).then_accepted()


class TestActionCards:
    def test_card_played_as_an_action_uses_the_turn(self) -> None:
        table = players().play(says("sol", "take-action", action="card")).then_open("AP.card.play")
        table.when(says("sol", "play-card", card="Sabotage"))
        table.then(ChoiceMade, question="action card", side="sol", choice="Sabotage")
        table.then(AccountChanged, account="action-cards/sol", before=1, after=0)
        table.when(says("sol", "done")).then_open("AP.turn")
        assert table.game.cursor.waiting() == ("letnev",)

    def test_without_a_card_there_is_no_such_action(self) -> None:
        table = strategic(players(), "sol", "letnev", "mentak").when(says("letnev", "take-action", action="card"))
        table.then_refused("cannot-take-action", rule="AP", side="Barony of Letnev", reason="no-card")

    def test_action_does_not_end_before_a_card_is_played(self) -> None:
        table = players().play(says("sol", "take-action", action="card")).when(says("sol", "done"))
        table.then_refused("orders-required", rule="AP.card.play", orders=("play-card",))

    def test_card_must_be_in_the_players_hand(self) -> None:
        table = players().play(says("sol", "take-action", action="card"))
        table.when(says("sol", "play-card", card="Flank Speed"))
        table.then_refused("card-not-held", rule="AP.card.play", card="Flank Speed", cards=("Sabotage",))

    def test_card_with_another_timing_is_played_then_by_any_player(self) -> None:
        table = activate(players(), "void").when(says("mentak", "play-card", card="Flank Speed"))
        table.then(ChoiceMade, question="action card", side="mentak", choice="Flank Speed")
        table.then_open("TA.2")

    def test_hand_is_shown_to_its_owner_and_the_referee(self) -> None:
        table = players().play(says("sol", "take-action", action="strategic"))
        table.when(says("sol", "draw-card", card="War Footing"))
        secret = [told for told in table.told if getattr(told, "visible_to", None) is not None]
        assert [told.visible_to for told in secret] == [("sol", "referee")]
        table.then(ChoiceMade, question="hand", side="sol", choice=("Sabotage", "War Footing"))
        table.then(AccountChanged, account="action-cards/sol", before=1, after=2)

    def test_closed_secrets_are_shown_to_the_owner_alone(self) -> None:
        table = galaxy(hands={"sol": ["Sabotage"]}, options={"secrets_closed_to_referee": True})
        table.play(says("sol", "take-action", action="strategic")).when(says("sol", "draw-card", card="War Footing"))
        assert {told.visible_to for told in table.told if hasattr(told, "visible_to")} == {("sol",)}


class TestWhatACardSays:
    """The text of a card is not printed here: who has laid one open carries it out until the step is left."""

    def shot(self, seat: str = "sol") -> dict[str, object]:
        return says(seat, "remove", unit="mentak-fighter-1", cause="Sabotage")

    def fleets(self) -> Story:
        units = (unit("sol-carrier-1", "home-sol"), unit("mentak-fighter-1", "quann-space"))
        return galaxy(*units, hands={"sol": ["Sabotage"], "mentak": ["Flank Speed"]})

    def test_as_an_action_it_is_played_before_it_is_carried_out(self) -> None:
        table = self.fleets().play(says("sol", "take-action", action="card"))
        table.when(self.shot())
        table.then_refused("not-in-this-step", rule="AP.card.play", side="Federation of Sol")
        table.play(says("sol", "play-card", card="Sabotage"))
        table.when(self.shot()).then(UnitRemoved, unit="mentak-fighter-1")

    def test_at_any_other_moment_too(self) -> None:
        table = activate(self.fleets(), "void")
        table.when(says("mentak", "pay", account="command/mentak", amount=1))
        table.then_refused("not-in-this-step", rule="Twilight Imperium 3 TA.", side="Mentak Coalition", step="card")
        table.play(says("mentak", "play-card", card="Flank Speed"))
        table.when(says("mentak", "pay", account="command/mentak", amount=1)).then(AccountChanged, amount=1)
        table.play(says("sol", "done"))
        table.when(says("mentak", "pay", account="command/mentak", amount=1)).then_refused(
            "not-in-this-step", rule="TA.7"
        )

    def test_card_does_not_move_units_of_another_player(self) -> None:
        table = self.fleets().play(says("sol", "take-action", action="card"), says("sol", "play-card", card="Sabotage"))
        table.when(says("sol", "move", unit="mentak-fighter-1", path=["void"]))
        table.then_refused("belongs-to-another-side", rule="AP.card.play", named="mentak-fighter-1")


class TestWhatTheGroupRecords:
    """STRAT.primary, where a card's text is not printed here."""

    def primary(self) -> Story:
        table = galaxy(unit("sol-ground-force-1", "jord"), unit("sol-cruiser-1", "home-sol"))
        return table.play(says("sol", "take-action", action="strategic"))

    def test_units_go_to_places_of_the_map_only(self) -> None:
        table = self.primary().when(says("sol", "move", unit="sol-ground-force-1", path=["earth"]))
        table.then_refused("no-such-place", rule="STRAT", place="earth")

    def test_unit_moves_where_a_card_sends_it(self) -> None:
        table = self.primary().when(says("sol", "move", unit="sol-ground-force-1", path=["home-sol"], cause="Warfare"))
        table.then(UnitMoved, unit="sol-ground-force-1", path=("jord", "home-sol"), cause="Warfare")
        assert table.game.units["sol-ground-force-1"].at == "home-sol"

    def test_damaged_ship_is_repaired_by_a_card(self) -> None:
        table = galaxy(unit("sol-dreadnought-1", "home-sol", damaged=True), unit("sol-cruiser-1", "home-sol"))
        table.play(says("sol", "take-action", action="strategic"))
        table.when(says("sol", "change", unit="sol-dreadnought-1", attribute="damaged", to=None, cause="repaired"))
        table.then(UnitChanged, unit="sol-dreadnought-1", attribute="damaged", before=True, after=None)
        table.when(says("sol", "change", unit="sol-cruiser-1", attribute="named", to="Resolute"))
        table.then_refused(
            "no-such-attribute",
            rule="STRAT",
            kind="cruiser",
            attribute="named",
            remedy=Naming("cruiser"),
        )

    def test_units_are_of_kinds_of_the_scenario(self) -> None:
        new = says("sol", "place", unit="sol-battleship-1", side="sol", kind="battleship", at="jord")
        self.primary().when(new).then_refused("no-such-kind", rule="STRAT", kind="battleship")

    def test_spending_cannot_exceed_the_account(self) -> None:
        table = self.primary().when(says("sol", "pay", account="fleet/sol", amount=-5))
        table.then_refused("account-too-low", rule="STRAT", account="fleet/sol", limit=4)

    def test_markers_of_the_sequence_are_not_changed(self) -> None:
        table = self.primary().when(says("sol", "mark", marker="now/player", to="letnev"))
        table.then_refused("written-by-the-rules-alone", rule="STRAT", written="now/player")

    @pytest.mark.parametrize(
        "marker", ["control/quann", "passed/sol", "since/jord", "strategy-cards/sol", "domain/quann"]
    )
    def test_nor_what_the_rules_write(self, marker: str) -> None:
        table = self.primary().when(says("sol", "mark", marker=marker, to="sol"))
        table.then_refused("written-by-the-rules-alone", rule="STRAT", written=marker, order="mark")

    def test_nor_what_is_anothers(self) -> None:
        table = self.primary().when(says("sol", "pay", account="trade-goods/mentak", amount=-1))
        table.then_refused("belongs-to-another-side", rule="STRAT", named="trade-goods/mentak")
        table.when(says("sol", "mark", marker="exhausted/arc-prime", to=True))
        table.then_refused(
            "belongs-to-another-side",
            rule="STRAT",
            named="exhausted/arc-prime",
            owner="Barony of Letnev",
            kind="a marker",
        )
        table.when(says("sol", "choose", question="hand", choice=["Plague"]))
        table.then_refused("written-by-the-rules-alone", rule="STRAT", written="hand")

    def test_only_ones_own_command_counters_leave_the_board(self) -> None:
        table = galaxy(systems=systems(void={"activated": ["sol", "mentak"]}))
        table.play(says("sol", "take-action", action="strategic"))
        table.when(says("sol", "mark", marker="activated/void", to=["sol"]))
        table.then_refused("counter-of-another-side", rule="STRAT", side="Federation of Sol", side_id="sol")
        table.when(says("sol", "mark", marker="activated/void", to=["mentak"], cause="Warfare"))
        table.then(MarkerSet, before=("sol", "mentak"), after=("mentak",))

    def test_unit_enters_play_as_new(self) -> None:
        new = {"unit": "sol-pds-9", "side": "sol", "kind": "pds", "at": "jord"}
        table = self.primary().when(says("sol", "place", **new, attributes={"range": 9}))
        table.then_refused("attributes-not-allowed", rule="STRAT", attributes=("range",))

    @pytest.mark.parametrize(
        ("name", "attribute", "to", "code", "fields"),
        [
            ("sol-cruiser-1", "damaged", True, "wrong-unit", {"reason": "sustains-no-damage"}),
            ("sol-ground-force-1", "damaged", True, "wrong-unit", {"reason": "sustains-no-damage"}),
            ("sol-dreadnought-1", "damaged", "badly", "not-a-value", {"attribute": "damaged", "given": "badly"}),
            ("sol-cruiser-1", "range", 1, "wrong-unit", {"why": Naming("PDS"), "reason": "not-a-pds"}),
            ("sol-pds-1", "range", -1, "not-a-value", {"attribute": "range", "given": -1}),
        ],
    )
    def test_change_of_another_kind_of_unit_is_refused(
        self, name: str, attribute: str, to: Any, code: str, fields: dict[str, Any]
    ) -> None:
        table = galaxy(unit("sol-dreadnought-1", "home-sol"), unit("sol-cruiser-1", "home-sol"), *self.ashore())
        table.play(says("sol", "take-action", action="strategic"))
        table.when(says("sol", "change", unit=name, attribute=attribute, to=to))
        table.then_refused(code, rule="STRAT", unit=name, **fields)

    def test_change_of_the_kind_that_has_it_is_recorded(self) -> None:
        table = galaxy(unit("sol-dreadnought-1", "home-sol"), *self.ashore())
        table.play(says("sol", "take-action", action="strategic"))
        table.when(says("sol", "change", unit="sol-dreadnought-1", attribute="damaged", to=True)).then_accepted()
        table.when(says("sol", "change", unit="sol-pds-1", attribute="range", to=1)).then(UnitChanged, after=1)

    def ashore(self) -> tuple[dict[str, Any], ...]:
        return unit("sol-ground-force-1", "jord"), unit("sol-pds-1", "jord")

    @pytest.mark.parametrize(
        ("name", "to", "code"),
        [("sol-cruiser-1", "jord", "ship-needs-space"), ("sol-space-dock-1", "void", "dock-needs-planet")],
    )
    def test_unit_moved_where_its_kind_is_not_is_refused(self, name: str, to: str, code: str) -> None:
        table = galaxy(unit("sol-cruiser-1", "home-sol"), unit("sol-space-dock-1", "jord"))
        table.play(says("sol", "take-action", action="strategic"))
        table.when(says("sol", "move", unit=name, path=[to])).then_refused(code, rule="STRAT", unit=name)

    @pytest.mark.parametrize(
        ("kind", "at", "code"),
        [("cruiser", "jord", "ship-needs-space"), ("space-dock", "home-sol", "dock-needs-planet")],
    )
    def test_unit_placed_where_its_kind_is_not_is_refused(self, kind: str, at: str, code: str) -> None:
        new = says("sol", "place", unit=f"sol-{kind}-9", side="sol", kind=kind, at=at)
        self.primary().when(new).then_refused(code, rule="STRAT", unit=f"sol-{kind}-9")

    def test_last_ship_moved_away_takes_along_who_is_aboard(self) -> None:
        aboard = ("sol-ground-force-1", "sol-pds-1", "sol-mercenary-1", "sol-fighter-1")
        table = galaxy(unit("sol-carrier-1", "home-sol"), *(unit(name, "home-sol") for name in aboard))
        table.play(says("sol", "take-action", action="strategic"))
        table.when(says("sol", "move", unit="sol-carrier-1", path=["void"], cause="Warfare"))
        for name in aboard:
            table.then(UnitMoved, unit=name, path=("home-sol", "void"), cause="Warfare")
        assert here(table, "home-sol") == []

    def test_troops_alone_do_not_go_into_space(self) -> None:
        units = (unit("sol-carrier-1", "home-sol"), unit("sol-ground-force-1", "home-sol"))
        table = galaxy(*units).play(says("sol", "take-action", action="strategic"))
        table.when(says("sol", "move", unit="sol-ground-force-1", path=["void"]))
        table.then_refused("space-without-ship", rule="STRAT")
        new = says("sol", "place", unit="sol-pds-9", side="sol", kind="pds", at="void")
        table.when(new).then_refused("space-without-ship", rule="STRAT")

    def test_unit_beyond_the_pieces_of_its_kind_is_not_placed(self) -> None:
        units = some("sol-war-sun", BASE["kinds"]["war-sun"]["limit"], "home-sol")
        table = galaxy(*units).play(says("sol", "take-action", action="strategic"))
        new = says("sol", "place", unit="sol-war-sun-9", side="sol", kind="war-sun", at="home-sol")
        table.when(new).then_refused("no-piece-left", rule="STRAT")

    def test_moving_one_of_several_ships_leaves_the_rest(self) -> None:
        units = (
            unit("sol-carrier-1", "home-sol"),
            unit("sol-carrier-2", "home-sol"),
            unit("sol-ground-force-1", "home-sol"),
        )
        table = galaxy(*units).play(says("sol", "take-action", action="strategic"))
        table.when(says("sol", "move", unit="sol-carrier-1", path=["void"])).then_not(
            UnitMoved, unit="sol-ground-force-1"
        )

    @pytest.mark.parametrize("account", ["mines/atlantis/sol", "mines/jord/sol"])
    def test_mines_lie_in_systems_of_the_map(self, account: str) -> None:
        table = self.primary().when(says("sol", "pay", account=account, amount=1))
        table.then_refused("no-such-system", rule="STRAT")
        table.when(says("sol", "pay", account="mines/void/sol", amount=1)).then(
            AccountChanged, account="mines/void/sol"
        )

    def test_everything_else_is_recorded(self) -> None:
        table = self.primary().when(says("sol", "mark", marker="exhausted/jord", to=True, cause="Diplomacy"))
        table.then(MarkerSet, marker="exhausted/jord", before=None, after=True)
        table.when(says("sol", "place", unit="sol-pds-9", side="sol", kind="pds", at="jord")).then_accepted()
        table.when(says("sol", "done")).then(StepOpened, step="STRAT.offer")
