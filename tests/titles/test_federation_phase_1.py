"""Check phase 1 of Federation & Empire: bases, counters, survey, money, markers, admirals, missions, lines."""

from typing import Any

import pytest

from tests.face.domain import (
    AccountChanged,
    DiceRolled,
    MarkerSet,
    StepPassed,
    UnitChanged,
    federation_and_empire_TITLE as TITLE,
    offers,
    open_steps,
)
from tests.face.testing import Story
from tests.titles.federation_table import BASE, War, figures, scenario, ship, war

A, C = "alliance", "coalition"
D7, CC = ship("K-D7", "klingon", "1206"), ship("Z-CC", "kzinti", "0902")
ANNEXATION = {"options": {"annexation": True}}
SURVEY = {"options": {"survey": True, "annexation": True}}
COUNTED = {"counters": [{"side": C, "counter": "capture", "place": "province 1401", "turns": 2}]}
PLANET = {"counters": [{"side": C, "counter": "recovery", "place": "1206", "turns": 1}]}
DIPLOMACY = {"options": {"diplomacy": True}}
SURVEYORS = [ship(f"K-SR{n}", "klingon", f"150{n}", survey=points) for n, points in enumerate((2, 1, 2), 1)]
ADMIRALS = {"options": {"admirals": True}}
CODES = {"missions": ["D", "E", "F", "G", "J1"]}


def empires(**more: Any) -> list[dict[str, Any]]:
    """Return the empires of the border war with a changed Klingon entry."""
    return [{**one, **(more if one["id"] == "klingon" else {})} for one in BASE["empires"]]


def next_own_turn(table: War) -> War:
    """Continue to the Coalition's next player turn."""
    return table.to("10D").done(A, C).to("10D").done(A, C)


def said(story: Story) -> tuple[str, list[str]]:
    """Return the province and the numbers in the reason of a refusal."""
    assert story.refusal is not None
    why = str(story.refusal.fields["why"])
    return why.split(maxsplit=1)[0], figures(why)


def passed(table: War, step: str) -> list[str]:
    """Return the reason of each time a step was passed."""
    return [event.why for event in table.events if isinstance(event, StepPassed) and event.step == step]


class Test1Economics:
    def test_economics_come_first_in_every_player_turn(self) -> None:
        table = war(D7, CC)
        assert table.open == ("1A2",)
        table.to("10D").done(A, C)
        assert table.open == ("1A2",)
        assert table.game.cursor.side() == A

    def test_shipyard_purchases_are_refused_in_it(self) -> None:
        table = war(D7, CC).to("1C3")
        early = table.tries(C, "build", unit="K-FF", kind="FF", at="1206", ep=2, empire="klingon")
        early.then_refused("not-allowed-now", rule="1C3", order="build")


class Test1AChecks:
    def test_working_bases_counters_and_supply_precede_income(self) -> None:
        table = war(D7, CC).to("1C3")
        order = [step for step in table.steps() if step.startswith("1")]
        assert order == ["1A3A", "1A3B", "1C1", "1C2", "1C3"]
        late = table.tries(C, "count", counter="recovery", place="1003")
        late.then_refused("not-allowed-now", rule="1C3", order="count")


class Test1A1BasesThatWork:
    BEGUN = ship("K-MB", "klingon", "1206", base=True, operational=False)

    def test_base_begun_on_an_earlier_turn_works_automatically(self) -> None:
        table = war(D7, self.BEGUN, CC)
        assert table.game.units["K-MB"].get("operational") is True

    def test_base_begun_by_the_other_side_waits_for_its_own_turn(self) -> None:
        table = war(D7, CC, ship("Z-MB", "kzinti", "0902", base=True, operational=False))
        assert table.game.units["Z-MB"].get("operational") is False
        table.to("10D").done(A, C)
        assert table.game.units["Z-MB"].get("operational") is True

    def test_base_begun_this_turn_does_not_work_yet(self) -> None:
        table = war(D7, CC).to("3B6").says(C, "deploy", unit="K-NEW", kind="MB", at="1206", empire="klingon")
        table.to("10D").done(A, C)
        assert table.game.units["K-NEW"].get("operational") is False
        table.to("10D").done(A, C)
        assert table.game.units["K-NEW"].get("operational") is True

    def test_base_lost_meanwhile_does_not_work(self) -> None:
        table = war(D7, CC).to("3B6").says(C, "deploy", unit="K-NEW", kind="MB", at="1206", empire="klingon")
        table.to("10D").says(C, "scuttle", unit="K-NEW").done(A, C).to("10D").done(A, C)
        assert table.game.units["K-NEW"].get("operational") is False
        assert table.game.units["K-NEW"].fate == "scuttled"


class Test1A2NobodyNamed:
    def test_check_without_a_unit_says_nothing(self) -> None:
        table = war(D7, CC).to("1A2")
        nobody = table.tries(C, "check-supply")
        nobody.then_refused("supply-not-stated", rule="410.22")
        table.says(C, "check-supply", out=["K-D7"]).says(C, "check-supply")
        assert table.game.units["K-D7"].get("supply") is None


class Test1A2SupplyForCombat:
    def test_both_sides_judge_their_own(self) -> None:
        table = war(D7, CC).says(C, "check-supply", out=["K-D7"]).done(C)
        assert table.game.cursor.waiting() == (A,)
        table.says(A, "check-supply", partial=["Z-CC"])
        assert [table.game.units[one].get("supply") for one in ("K-D7", "Z-CC")] == ["out", "partial"]

    def test_sides_do_not_judge_for_each_other(self) -> None:
        table = war(D7, CC)
        table.tries(C, "check-supply", out=["Z-CC"]).then_refused(
            "unit-of-another-side", rule="410.22", side="Alliance"
        )

    def test_unit_is_named_once(self) -> None:
        twice = war(D7, CC).tries(C, "check-supply", out=["K-D7"], partial=["K-D7"])
        twice.then_refused("in-both-lists", rule="410.22", unit="K-D7")

    @pytest.mark.parametrize("step", ["2A1", "3B1", "6A", "7A"])
    def test_every_later_check_asks_again(self, step: str) -> None:
        table = war(D7, CC).to("2A1").says(C, "check-supply", out=["K-D7"]) if step != "2A1" else war(D7, CC)
        if step == "2A1":
            table.says(C, "check-supply", out=["K-D7"])
        assert table.to(step).game.units["K-D7"].get("supply") is None

    def test_next_check_begins_again(self) -> None:
        table = war(D7, CC).says(C, "check-supply", out=["K-D7"]).done(C).says(A, "check-supply", out=["Z-CC"])
        table.to("2A1")
        assert table.game.units["K-D7"].get("supply") is None, "2A1 judges the phasing side's units"
        assert table.game.units["Z-CC"].get("supply") == "out"
        table.to("10D").done(A, C)
        assert table.game.units["Z-CC"].get("supply") is None, "1A2 judges everybody's"


class Test1A3Counters:
    def test_counters_advance_one_turn_automatically(self) -> None:
        table = war(D7, CC, **COUNTED).to("1C3")
        assert table.game.number("capture province 1401") == 3

    def test_counter_advances_in_the_turn_of_its_side_only(self) -> None:
        table = war(D7, CC, **COUNTED).to("10D").done(A, C).to("1C3")
        assert table.game.number("capture province 1401") == 3
        table.to("10D").done(A, C).to("1C3")
        assert table.game.number("capture province 1401") == 4

    def test_sides_do_not_count_for_each_other(self) -> None:
        table = war(D7, CC, **COUNTED).to("10D").done(A, C).to("1A3B")
        theirs = table.tries(A, "count", counter="capture", place="province 1401")
        theirs.then_refused("counted-by-another", rule="1A3B", owner="Coalition")

    def test_scenario_counter_names_a_side_with_player_turns(self) -> None:
        (fault,) = scenario(D7, CC, counters=[{**COUNTED["counters"][0], "side": "orion"}]).faults()
        assert fault.path == "$.counters[0].side"
        assert "orion" in fault.what


class Test1A3ARecovery:
    HELP = ship("K-HOS", "klingon", "1206", "hospital"), ship("K-ENG", "klingon", "1206", "engineers")

    def test_counter_begins_at_one(self) -> None:
        table = war(D7, CC).to("1A3A")
        more = table.tries(C, "count", counter="recovery", place="1206", turns=3)
        more.then_refused("begins-at-one", rule="508.25")
        table.says(C, "count", counter="recovery", place="1206").story.then(MarkerSet, marker="recovery 1206", after=1)

    def test_counter_is_counted_once_a_turn(self) -> None:
        table = war(D7, CC, **PLANET).to("1A3A")
        again = table.tries(C, "count", counter="recovery", place="1206")
        again.then_refused("counted-this-turn", rule="508.25", turns=2)

    def test_hospital_ships_and_engineers_there_add_to_it_once(self) -> None:
        away = ship("K-ENG2", "klingon", "1306", "engineers")
        table = war(D7, *self.HELP, away, CC, **PLANET).to("1A3A")
        helped = {"counter": "recovery", "place": "1206"}
        table.tries(C, "count", **helped, helped=["K-D7"]).then_refused(
            "does-not-help-counter", rule="508.25", units="hospital or engineers"
        )
        table.tries(C, "count", **helped, helped=["K-ENG2"]).then_refused(
            "helper-elsewhere", rule="541.34B", at="1306", place="1206"
        )
        table.says(C, "count", **helped, helped=["K-HOS", "K-ENG"])
        table.story.then(MarkerSet, after=3, cause="helped by K-HOS, K-ENG")
        table.tries(C, "count", **helped, helped=["K-ENG"]).then_refused(
            "done-this-player-turn", rule="541.34B", remedy="name another unit", reason="worked"
        )

    def test_planet_that_has_recovered_has_no_counter(self) -> None:
        table = war(D7, CC, **PLANET, turns_needed={"recovery": 2}).to("1A3B")
        assert table.game.markers.get("recovery 1206") is None
        assert next_own_turn(table).to("1A3B").game.markers.get("recovery 1206") is None

    def test_table_takes_off_a_counter_of_unknown_length(self) -> None:
        table = war(D7, CC, **PLANET).to("1A3A").says(C, "count", counter="recovery", place="1206", turns=0)
        table.story.then(MarkerSet, marker="recovery 1206", before=2, after=None)
        none = table.tries(C, "count", counter="recovery", place="1206", turns=0)
        none.then_refused("no-such-counter", rule="508.25")


class Test1A3BCapture:
    def test_broken_hold_begins_at_one(self) -> None:
        held = [{"side": C, "counter": "capture", "place": "province Q", "turns": 2}]
        table = war(D7, CC, counters=held).to("1A3B")
        table.says(C, "count", counter="capture", place="province Q", turns=0)
        table.says(C, "count", counter="capture", place="province Q")
        assert next_own_turn(table).to("1B", passed=True).game.number("capture province Q") == 2

    def test_recovery_is_counted_in_its_own_step(self) -> None:
        table = war(D7, CC).to("1A3B")
        table.tries(C, "count", counter="recovery", place="1206").then_refused(
            "counter-not-counted-here", rule="438.1", counter="recovery", step="1A3A"
        )


class Test1A3CAnnexation:
    ENGINEERS = ship("K-ENG", "klingon", "1504", "engineers")

    def test_engineers_work_once_in_a_player_turn_wherever(self) -> None:
        table = war(D7, self.ENGINEERS, CC, **ANNEXATION).to("1A3A")
        table.says(C, "count", counter="recovery", place="1504", helped=["K-ENG"]).to("1A3C")
        again = table.tries(C, "count", counter="annexation", place="1504", helped=["K-ENG"])
        again.then_refused("done-this-player-turn", rule="541.34-C", unit="K-ENG", reason="worked")
        table.says(C, "count", counter="annexation", place="1504")

    def test_hospital_ship_annexes_nothing(self) -> None:
        table = war(D7, ship("K-HOS", "klingon", "1504", "hospital"), CC, **ANNEXATION).to("1A3C")
        wrong = table.tries(C, "count", counter="annexation", place="1504", helped=["K-HOS"])
        wrong.then_refused("does-not-help-counter", rule="541.34-C", counter="annexation", units="engineers")


class Test1A3DDiplomats:
    ENVOY = ship("K-DIP", "klingon", "1603", "diplomat")

    def test_presence_is_counted_where_diplomats_are(self) -> None:
        table = war(D7, self.ENVOY, CC, **DIPLOMACY).to("1A3D")
        nobody = table.tries(C, "count", counter="diplomacy", place="1003")
        nobody.then_refused("no-diplomats-there", rule="540.21", place="1003")
        table.says(C, "count", counter="diplomacy", place="1603")
        assert next_own_turn(table).to("1C3").game.number("diplomacy 1603") == 2

    def test_counter_is_gone_when_diplomats_have_left(self) -> None:
        courier = ship("K-E4", "klingon", "1603")
        table = war(D7, courier, {**self.ENVOY, "aboard": "K-E4"}, CC, **DIPLOMACY).to("1A3D")
        table.says(C, "count", counter="diplomacy", place="1603").to("3B2")
        table.says(C, "move-units", units=["K-E4"], path=["1602"]).to("10D").done(A, C).to("10D").done(A, C).to("1C3")
        assert table.game.markers.get("diplomacy 1603") is None


class Test1BSurvey:
    TEAM = ship("K-PT", "klingon", "1501", "team", aboard="K-SR1")

    def test_survey_ships_of_an_empire_are_added_up(self) -> None:
        table = war(D7, *SURVEYORS, CC, ship("F-S", "kzinti", "0902", survey=3), **SURVEY).to("1B")
        wrong = table.tries(C, "survey", points=9, empire="klingon")
        wrong.then_refused("survey-points-differ", rule="505.21", limit=5, given=9)
        table.says(C, "survey", empire="klingon").story.then(AccountChanged, account="klingon/survey", amount=5)
        again = table.tries(C, "survey", empire="klingon")
        again.then_refused("survey-points-counted", rule="505.21")

    def test_players_state_points_if_no_ship_has_survey(self) -> None:
        table = war(D7, CC, **SURVEY).to("1B")
        table.tries(C, "survey", empire="klingon").then_refused("survey-points-missing", rule="505.21")
        table.says(C, "survey", points=4, empire="klingon").story.then(AccountChanged, amount=4)

    def test_empire_without_survey_ships_has_no_points_if_others_do(self) -> None:
        team = ship("R-PT", "romulan", "1501", "team")
        table = war(D7, *SURVEYORS, team, CC, **SURVEY).to("1B")
        for said in ({"points": 7}, {}):
            none = table.tries(C, "survey", empire="romulan", **said)
            none.then_refused("no-survey-ship", rule="505.21")
        table.says(C, "survey", empire="romulan", team=2, by="R-PT")
        assert table.game.accounts["romulan/survey"] == 2

    def test_team_adds_points_and_rolls_once_for_its_survival(self) -> None:
        table = war(D7, *SURVEYORS, self.TEAM, CC, **SURVEY).to("1B")
        table.tries(C, "survey", team=1, empire="klingon").then_refused("team-and-points-together", rule="522.44")
        other = table.tries(C, "survey", team=1, by="K-D7", empire="klingon")
        other.then_refused("wrong-kind", rule="522.44", unit="K-D7", kind="Prime Team", units="K-PT")
        roman = table.tries(C, "survey", team=1, by="K-PT", empire="romulan")
        roman.then_refused("team-of-another-empire", rule="522.44", team="K-PT", owner="klingon", empire="romulan")
        table.says(C, "survey", team=1, by="K-PT", empire="klingon")
        assert table.game.accounts["klingon/survey"] == 6
        table.must(C, "survive", "K-PT", rule="522.44")
        table.says(C, "survive", 2, team="K-PT", at_least=3).story.then(DiceRolled, outcome="failure")
        assert table.game.units["K-PT"].fate == "lost"

    def test_team_that_added_nothing_does_not_roll(self) -> None:
        table = war(D7, *SURVEYORS, self.TEAM, CC, **SURVEY).to("1B")
        idle = table.tries(C, "survive", 5, team="K-PT", at_least=3)
        idle.then_refused("no-survival-roll", rule="522.44")
        table.says(C, "survey", team=1, by="K-PT", empire="klingon").says(C, "survive", 5, team="K-PT", at_least=3)
        assert not table.game.units["K-PT"].fate
        table.tries(C, "survive", 5, team="K-PT", at_least=3).then_refused("no-survival-roll", rule="522.44")

    def test_province_is_annexed_once_when_its_counter_is_complete(self) -> None:
        counters = [{"side": C, "counter": "annexation", "place": "Q", "turns": 2}]
        table = war(D7, CC, **ANNEXATION, turns_needed={"annexation": 3}, counters=counters).to("1A3C")
        table.says(C, "count", counter="annexation", place="R").to("1B")
        early = table.tries(C, "annex", province="R", empire="klingon")
        early.then_refused("annexation-incomplete", rule="448.23")
        assert said(early) == ("R", ["1", "3"])
        table.says(C, "annex", province="Q", empire="klingon").story.then(
            MarkerSet, marker="province Q", after="klingon"
        )
        again = table.tries(C, "annex", province="Q", empire="klingon")
        again.then_refused("annexation-incomplete", rule="448.23")
        assert said(again) == ("Q", ["0", "3"])

    def test_province_is_transferred_by_its_owner_to_a_friend(self) -> None:
        counters = [{"side": C, "counter": "annexation", "place": "Q", "turns": 2}]
        table = war(D7, CC, **ANNEXATION, counters=counters).to("1B")
        theirs = table.tries(C, "annex", province="Q", empire="klingon", to="romulan")
        theirs.then_refused("not-annexed", rule="448.24", empire="Klingon Empire")
        table.says(C, "annex", province="Q", empire="klingon")
        for nobody in ("kzinti", "gorn", "klingon"):
            foe = table.tries(C, "annex", province="Q", empire="klingon", to=nobody)
            foe.then_refused("not-a-friendly-empire", rule="448.24", empire=nobody)
        table.says(C, "annex", province="Q", empire="klingon", to="romulan")
        assert table.game.markers["province Q"] == "romulan"


RATE = {"interest": {"percent": 10, "source": "made up"}}


class Test1CStatus:
    def test_debt_interest_income_payment_and_loan_in_this_order(self) -> None:
        """Debt 20 at 10 per cent, 12 EP, income of 5, a loan of 8."""
        table = war(D7, CC, **RATE, empires=empires(ep=12, debt=20)).to("1C2")
        assert table.game.accounts["klingon/interest"] == 2
        table.to("1C3").says(C, "income", ep=5, empire="klingon").to("1C4")
        table.says(C, "pay-interest", empire="klingon").to("1C5").says(C, "borrow", ep=8, empire="klingon")
        now = table.game.accounts
        assert (now["klingon/EP"], now["klingon/debt"], now["klingon/interest"]) == (23, 28, 0)


class Test1C1Debt:
    def test_debt_comes_from_the_account_and_is_not_stated(self) -> None:
        table = war(D7, CC).to("1C2")
        assert "1C1" in table.steps()
        assert table.game.accounts["klingon/debt"] == 10


class Test1C2Interest:
    def test_rate_of_the_scenario_sets_interest(self) -> None:
        table = war(D7, CC, **RATE, empires=empires(debt=25)).to("1C2")
        wrong = table.tries(C, "state-interest", amount=3, empire="klingon")
        wrong.then_refused("interest-stated", rule="447.3", debt=25, due=2)
        up = war(D7, CC, interest={**RATE["interest"], "parts": "up"}, empires=empires(debt=25)).to("1C2")
        assert up.game.accounts["klingon/interest"] == 3

    def test_players_state_interest_if_no_rate_sets_it(self) -> None:
        table = war(D7, CC).to("1C2")
        none = table.tries(C, "state-interest", amount=1, empire="romulan")
        none.then_refused("no-debt", rule="447.3", empire="Romulan Star Empire")
        table.says(C, "state-interest", amount=1, empire="klingon")

    def test_step_without_a_debt_is_passed(self) -> None:
        table = war(D7, CC, empires=empires(debt=0)).to("1C5")
        assert len(passed(table, "1C2")) == len(passed(table, "1C4")) == 1


class Test1C3Income:
    def test_empire_of_the_phasing_side_has_its_income_once(self) -> None:
        table = war(D7, CC).to("1C3").says(C, "income", ep=5, xtp=2, empire="klingon")
        assert (table.game.accounts["klingon/EP"], table.game.accounts["klingon/XTP"]) == (65, 6)
        again = table.tries(C, "income", ep=5, empire="klingon")
        again.then_refused("income-stated", rule="430.1")
        table.says(C, "income", ep=5, empire="romulan")
        table.tries(C, "income", ep=5, empire="kzinti").then_refused(
            "not-an-empire-of-the-side", rule="430.1", side="Coalition"
        )

    def test_exhaustion_takes_no_more_than_comes_in(self) -> None:
        table = war(D7, CC).to("1C3")
        table.tries(C, "income", ep=5, exhausted=6, empire="klingon").then_refused(
            "exhaustion-too-large", rule="447.2", limit=5
        )
        table.says(C, "income", ep=5, exhausted=5, xtp=1, empire="klingon")
        assert table.game.accounts["klingon/EP"] == 60

    def test_grid_is_joined_for_what_it_holds_once(self) -> None:
        table = war(D7, CC, accounts={"klingon/grid west": 3}).to("1C3")
        more = table.tries(C, "join-grid", grid="west", ep=4, empire="klingon")
        more.then_refused("grid-too-low", rule="413.44", limit=3)
        table.says(C, "join-grid", grid="west", ep=3, empire="klingon")
        assert (table.game.accounts["klingon/EP"], table.game.accounts["klingon/grid west"]) == (63, 0)
        again = table.tries(C, "join-grid", grid="west", ep=3, empire="klingon")
        again.then_refused("grid-empty", rule="413.44", limit=0)

    def test_ship_is_scrapped_once_and_for_the_price_of_the_scenario(self) -> None:
        old = ship("K-OLD", "klingon", "1206", kind="D6")
        costs = {"costs": {"source": "made up", "of": {"scrap D6": 2}}}
        table = war(D7, old, CC, **costs).to("1C3")
        dear = table.tries(C, "scrap", unit="K-OLD", ep=5)
        dear.then_refused("price-differs", rule="447.5", what="scrap D6", limit=2, given=5)
        table.says(C, "scrap", unit="K-OLD").story.then(AccountChanged, account="klingon/EP", amount=2)
        assert table.game.units["K-OLD"].fate == "scrapped"
        table.tries(C, "scrap", unit="K-OLD").then_refused("unit-removed", rule="1C3", fate="scrapped")
        table.tries(C, "scrap", unit="K-D7").then_refused("price-missing", rule="447.5")

    def test_bases_leaders_and_ships_in_the_depot_are_not_scrapped(self) -> None:
        units = ship("K-SB", "klingon", "1206", base=True), ship("K-ADM", "klingon", "1206", "leader", aboard="K-D7")
        table = war(D7, *units, ship("K-F5", "klingon", "DLR", crippled=True), CC).to("1C3")
        for name, code in (("K-SB", "not-a-ship"), ("K-ADM", "not-a-ship"), ("K-F5", "in-depot-box")):
            table.tries(C, "scrap", unit=name, ep=1).then_refused(code, rule="447.5", unit=name)

    def test_passengers_stay_and_cargo_goes(self) -> None:
        units = (
            ship("K-ADM", "klingon", "1206", "leader", aboard="K-D7"),
            ship("K-GCE", "klingon", "1206", "gce", aboard="K-D7"),
        )
        table = war(D7, *units, CC).to("1C3").says(C, "scrap", unit="K-D7", ep=1)
        assert (table.game.units["K-ADM"].get("aboard"), table.game.units["K-GCE"].fate) == (None, "lost")

    def test_diplomats_roll_once(self) -> None:
        envoy = ship("K-DIP", "klingon", "1603", "diplomat")
        table = war(D7, envoy, CC, **DIPLOMACY).to("1C3")
        nobody = table.tries(C, "negotiate", 4, unit="K-D7", at_least=4)
        nobody.then_refused("wrong-kind", rule="540.251", unit="K-D7", kind="diplomat", units="K-DIP")
        table.says(C, "negotiate", 4, unit="K-DIP", at_least=4).story.then(DiceRolled, outcome="success")
        again = table.tries(C, "negotiate", 4, unit="K-DIP", at_least=4)
        again.then_refused("done-this-player-turn", rule="540.251", unit="K-DIP", reason="negotiated")


class Test1C4Interest:
    def test_purse_never_goes_negative_and_a_loan_comes_too_late(self) -> None:
        table = war(D7, CC, **RATE, empires=empires(ep=1, debt=20)).to("1C4")
        table.says(C, "pay-interest", penalty=1, empire="klingon")
        assert (table.game.accounts["klingon/EP"], table.game.accounts["klingon/debt"]) == (0, 22)
        assert table.open == ("1C4",)
        again = table.tries(C, "pay-interest", empire="klingon")
        again.then_refused("no-interest-due", rule="447.3")

    def test_447_3_only_empires_in_debt_are_named(self) -> None:
        table = war(D7, CC, **RATE, empires=empires(debt=20)).to("1C4")
        refused = table.tries(C, "done").refusal
        assert refused is not None
        assert "2 EP of klingon" in refused.what
        assert " 0 EP" not in refused.what, "an empire of the side that owes nothing"

    def test_full_payment_has_no_penalty(self) -> None:
        table = war(D7, CC, **RATE, empires=empires(debt=20)).to("1C4")
        fined = table.tries(C, "pay-interest", penalty=1, empire="klingon")
        fined.then_refused("interest-paid", rule="447.4", due=2)
        table.must(C, "pay-interest", "2 EP of klingon", rule="447.3")
        table.says(C, "pay-interest", empire="klingon").done(C)
        assert table.open == ("1C5",)


class Test1C5Loans:
    def test_loans_are_limited_by_the_scenario_for_a_turn(self) -> None:
        table = war(D7, CC, empires=empires(borrowing=8)).to("1C5")
        table.says(C, "borrow", ep=5, empire="klingon").says(C, "borrow", ep=3, empire="klingon")
        more = table.tries(C, "borrow", ep=1, empire="klingon")
        more.then_refused("borrowing-limit-reached", rule="430.62", limit="8", borrowed=8)
        assert (table.game.accounts["klingon/EP"], table.game.accounts["klingon/debt"]) == (68, 18)
        next_own_turn(table).to("1C5").says(C, "borrow", ep=8, empire="klingon")

    def test_scenario_without_a_limit_sets_none(self) -> None:
        free = [{name: value for name, value in one.items() if name != "borrowing"} for one in BASE["empires"]]
        table = war(D7, CC, empires=free).to("1C5").says(C, "borrow", ep=500, empire="klingon")
        assert table.game.accounts["klingon/debt"] == 510

    def test_empires_do_not_borrow_for_each_other(self) -> None:
        table = war(D7, CC).to("1C5")
        table.tries(C, "borrow", ep=1, empire="kzinti").then_refused(
            "not-an-empire-of-the-side", rule="1C5", empires="klingon, romulan"
        )


class Test1DReserveMarkers:
    def test_markers_of_the_phasing_side_come_off_automatically(self) -> None:
        table = war(D7, CC).to("9A").says(C, "form-reserve", fleet="Home", units=["K-D7"]).to("10D").done(A, C)
        table.to("9A").says(A, "form-reserve", fleet="Capital", units=["Z-CC"])
        assert table.game.units["K-D7"].get("reserve") == "Home", "it stood there in the Alliance's turn"
        table.to("10D").done(A, C).to("1E", passed=True)
        assert (table.game.units["K-D7"].get("reserve"), table.game.units["Z-CC"].get("reserve")) == (None, "Capital")


class Test1EAdmirals:
    UNITS = ship("K-ADM", "klingon", "1206", "leader", aboard="K-D7"), ship("K-PT", "klingon", "1206", "team")

    def test_admiral_who_is_judged_away_leaves_play_once(self) -> None:
        table = war(D7, *self.UNITS, CC, ship("Z-ADM", "kzinti", "0902", "leader"), **ADMIRALS).to("1E")
        table.tries(C, "lose-leader", leader="Z-ADM").then_refused(
            "unit-of-another-side", rule="316.229", side="Alliance"
        )
        table.tries(C, "lose-leader", leader="K-PT").then_refused(
            "wrong-kind", rule="316.229", unit="K-PT", kind="admiral", units="K-ADM"
        )
        table.says(C, "roll", 2, purpose="does the admiral leave play", subjects=["K-ADM"])
        table.says(C, "lose-leader", leader="K-ADM", fate="retired")
        assert table.game.units["K-ADM"].fate == "retired"
        table.tries(C, "lose-leader", leader="K-ADM").then_refused("unit-removed", rule="316.229", fate="retired")


class Test1FMissions:
    TUGS = ship("K-T1", "klingon", "1206", "tug"), ship("K-T2", "klingon", "1206", "transport")

    def test_transport_has_one_mission(self) -> None:
        table = war(D7, *self.TUGS, CC, **CODES).to("1F").says(C, "assign-mission", unit="K-T1", code="F")
        second = table.tries(C, "assign-mission", unit="K-T1", code="G")
        second.then_refused("mission-given-already", rule="509.32", unit="K-T1", mission="F")
        unknown = table.tries(C, "assign-mission", unit="K-T2", code="Q")
        unknown.then_refused("no-such-mission", rule="509.32", mission="Q", missions=("D", "E", "F", "G", "J1"))
        table.tries(C, "assign-mission", unit="K-D7", code="F").then_refused(
            "wrong-kind", rule="509", kind="tug or transport"
        )
        table.says(C, "assign-mission", unit="K-T2", code="G")

    def test_mission_is_offered_with_the_codes_of_the_scenario(self) -> None:
        """Offer a mission with any codes, for transports as for tugs, until each has a mission of this step."""
        transport = ship("K-T2", "klingon", "1206", "transport")
        table = war(D7, transport, CC, missions=["Q"]).to("1F")
        assert "assign-mission" in offers(TITLE, table.game, open_steps(TITLE, table.game)[0], C)
        table.says(C, "assign-mission", unit="K-T2", code="Q")
        assert "assign-mission" not in offers(TITLE, table.game, open_steps(TITLE, table.game)[0], C)

    def test_last_turns_mission_is_over(self) -> None:
        table = war(D7, *self.TUGS, CC).to("1F").says(C, "assign-mission", unit="K-T1", code="F")
        assert next_own_turn(table).to("1F").game.units["K-T1"].get("mission") is None

    def test_mission_of_the_other_turn_is_kept(self) -> None:
        """Federation & Empire 10C: all players assign missions; those of the Alliance are for its own next turn."""
        table = war(D7, CC, ship("Z-T", "kzinti", "0902", "tug")).to("10C")
        table.says(A, "assign-mission", unit="Z-T", code="F").to("10D").done(A, C).to("1F")
        assert table.game.units["Z-T"].get("mission") == "F"


class Test1GExpeditionaryFleets:
    def test_ship_is_in_the_fleet_named_last(self) -> None:
        base = ship("K-SB", "klingon", "1206", base=True)
        table = war(D7, base, CC).to("1G").says(C, "designate", units=["K-D7"], role="west")
        table.tries(C, "designate", units=["K-D7"], role="west").then_refused("changes-nothing", rule="411.7")
        table.says(C, "designate", units=["K-D7"], role="east")
        table.tries(C, "designate", units=["K-SB"], role="west").then_refused("mission-needs-ships", rule="411.7")
        table.tries(C, "designate", units=["Z-CC"], role="west").then_refused(
            "unit-of-another-side", rule="411.7", side="Alliance"
        )
        assert table.to("8B").game.units["K-D7"].get("fleet") == "east"

    def test_ship_may_be_in_another_fleet_next_turn(self) -> None:
        table = war(D7, CC).to("1G").says(C, "designate", units=["K-D7"], role="west")
        next_own_turn(table).to("1G").says(C, "designate", units=["K-D7"], role="east")
        table.story.then(UnitChanged, attribute="fleet", before="west", after="east")


class Test1HSupportLines:
    HOMELESS = ship("R-WE", "romulan", "1206", "homeless")
    FORWARD = ship("K-FDU", "klingon", "1206", "forward")

    def test_line_is_bought_for_a_homeless_ship_once_a_turn(self) -> None:
        table = war(D7, self.HOMELESS, CC).to("1H")
        home = table.tries(C, "support", unit="K-D7", line="homeless", ep=1)
        home.then_refused("wrong-kind", rule="410.56", unit="K-D7", kind="homeless ship", units="R-WE")
        dear = table.tries(C, "support", unit="R-WE", line="homeless", ep=41)
        dear.then_refused("too-few-economic-points", rule="430.1", limit=40)
        table.says(C, "support", unit="R-WE", line="homeless", ep=3)
        assert table.game.accounts["romulan/EP"] == 37
        again = table.tries(C, "support", unit="R-WE", line="homeless", ep=3)
        again.then_refused("line-given-already", rule="410.56", unit="R-WE")
        assert next_own_turn(table).to("1H").game.units["R-WE"].get("support") is None

    def test_forward_unit_is_named_once(self) -> None:
        table = war(D7, self.FORWARD, CC).to("1H")
        wrong = table.tries(C, "support", unit="K-D7", line="forward defense")
        wrong.then_refused("wrong-kind", rule="536.15", kind="Forward Defense Unit", units="K-FDU")
        table.says(C, "support", unit="K-FDU", line="forward defense")
        again = next_own_turn(table).to("1H").tries(C, "support", unit="K-FDU", line="forward defense")
        again.then_refused("line-given-already", rule="536.15", unit="K-FDU")


class Test1A3Ends:
    HOSPITAL = ship("K-HOS", "klingon", "1503", "hospital")

    def test_help_that_reaches_the_turns_recovers_the_planet(self) -> None:
        standing = [{"side": "coalition", "counter": "recovery", "place": "1503", "turns": 1}]
        table = war(D7, self.HOSPITAL, CC, turns_needed={"recovery": 3}, counters=standing).to("1A3A")
        table.says(C, "count", counter="recovery", place="1503", helped=["K-HOS"])
        table.story.then(MarkerSet, marker="recovery 1503", after=None, cause="recovered after 3 turns")

    def test_capture_ends_with_the_turns_that_the_scenario_names(self) -> None:
        standing = [{"side": "coalition", "counter": "capture", "place": "province 1", "turns": 1}]
        table = war(D7, CC, turns_needed={"capture": 2}, counters=standing).to("1A3B")
        assert "capture province 1" not in [name for name, held in table.game.markers.items() if held]


class Test1BAnnexed:
    """448.23: an empire that has annexed a province does not capture it again, and its counter is gone."""

    STANDING = [  # noqa: RUF012 -- read only
        {"side": C, "counter": "annexation", "place": "1502", "turns": 2},
        {"side": C, "counter": "capture", "place": "1502", "turns": 1},
    ]

    def annexed(self) -> War:
        table = war(D7, CC, **ANNEXATION, turns_needed={"annexation": 3}, counters=self.STANDING).to("1B")
        assert table.game.number("capture 1502") == 2
        return table.says(C, "annex", province="1502", empire="klingon")

    def test_annexed_province_has_no_counters(self) -> None:
        table = self.annexed()
        assert not {"annexation 1502", "capture 1502"} & set(table.game.markers)
        assert next_own_turn(table).to("1C3").game.number("capture 1502") == 0
        assert table.game.markers["province 1502"] == "klingon"

    def test_side_does_not_capture_its_own(self) -> None:
        table = next_own_turn(self.annexed()).to("1A3B")
        own = table.tries(C, "count", counter="capture", place="1502")
        own.then_refused("annexed-already", rule="438.1", place="1502", empire="Klingon Empire")
        table.says(C, "count", counter="capture", place="1503")


class Test1A3COfEnemies:
    def test_hex_of_an_enemy_is_not_annexed(self) -> None:
        table = war(D7, CC, options={"annexation": True}).to("1A3C")
        theirs = table.tries(C, "count", counter="annexation", place="0902")
        theirs.then_refused("place-of-the-enemy", rule="448.17", place="0902")
        table.says(C, "count", counter="annexation", place="1503")
