"""The die that was thrown is the one that counts: the damage chart, SAFs, shock, fates; its result is entered once."""

import re
from typing import Any

import pytest

from tests.face.domain import (
    AccountChanged,
    DiceRolled,
    FederationScenario,
    MarkerSet,
    RuleViolation,
    ScenarioError,
    StrikeSaf,
    TableDice,
    UnitChanged,
    UnitRemoved,
    decide_strike_saf,
    federation_and_empire_TITLE as TITLE,
    read_scenario,
    replace,
)
from tests.face.projections import sentence
from tests.titles.federation_table import BASE, FIXTURES, War, battle, figures, ship
from tests.titles.test_federation_after_damage import Test56X2Fates

A, C = "alliance", "coalition"
D7, D6 = ship("K-D7", "klingon", "1105", attack=10, crippled_attack=10), ship("K-D6", "klingon", "1105")
CC, FF = ship("Z-CC", "kzinti", "1105"), ship("Z-FF", "kzinti", "1105")
BATS = ship("Z-BATS", "kzinti", "1105", base=True, attack=12, defense=12, crippled_attack=6, crippled_defense=6)
SCOUT = ship("K-SC", "klingon", "1105", "scout", ew=4, attack=0)
CHART: dict[str, Any] = {
    "source": "made up for a test",
    "columns": [{"bir": 0, "percent": [0, 5, 10]}, {"bir": 5, "percent": [10, 20, 30, 45]}],
}
NO_VARIABLE = {name: table for name, table in BASE["tables"].items() if name != "variable-bir"}


def charted(*units: Any, die: int = 2, bir: int = 5, chart: dict[str, Any] | None = None, **more: Any) -> War:
    """Roll the damage die of the Coalition at a BIR, and open 5-4C4. Its COMPOT is 10 with K-D7 alone."""
    found = units or (D7, CC, FF)
    table = battle(*found, damage_chart=chart or CHART, tables=NO_VARIABLE, **more).to("5-3X2")
    table.says(C, "seal-intensity", bir=bir).to("5-4C3").says(C, "roll-damage", die)
    return table.to("5-4C4")


def scored(table: War) -> int:
    return table.says(C, "score").game.accounts.get(f"{C}/damage", 0)


class Test54C4Chart:
    """302.42, 308.51: the chart of the scenario gives the points of BIR, die and shift."""

    @pytest.mark.parametrize(
        ("bir", "die", "points"), [(0, 1, 0), (4, 3, 1), (4, 6, 1), (5, 1, 1), (5, 2, 2), (5, 4, 4), (10, 6, 4)]
    )
    def test_chart_gives_the_points(self, bir: int, die: int, points: int) -> None:
        """Federation & Empire 5-4C4 (308.51)."""
        assert scored(charted(die=die, bir=bir)) == points

    @pytest.mark.parametrize("seat", [A, C, ""])
    def test_audit_trail_says_how_the_points_come_about(self, seat: str) -> None:
        """Every seat and a spectator read COMPOT, BIR, die, shift and percent."""
        table = charted(D7, SCOUT, CC, FF).says(C, "score")
        said = sentence(TITLE, table.game, seat, {"order": "score"}, list(table.story.events))
        assert re.search(r"COMPOT 10, BIR 5, die 2: 20 \w+, made up for a test", said)
        assert "coalition/damage 0 → 2" in said

    def test_points_of_the_table_are_said_with_their_source(self) -> None:
        table = battle(D7, CC, FF).to("5-4C4").says(C, "score", points=3, source="our chart")
        said = sentence(TITLE, table.game, C, {"order": "score", "points": 3}, list(table.story.events))
        assert "COMPOT 10, our chart" in said

    def test_other_points_than_the_chart_are_refused(self) -> None:
        """Federation & Empire 5-4C4 (308.51)."""
        table = charted()
        for points in (1, 3):
            wrong = table.tries(C, "score", points=points)
            wrong.then_refused("points-differ", rule="308.51", limit=2)
        table.says(C, "score", points=2).story.then(AccountChanged, account=f"{C}/damage", after=2)

    def test_parts_of_a_point_count_as_the_chart_says(self) -> None:
        assert scored(charted(die=4)) == 4
        assert scored(charted(die=4, chart={**CHART, "parts": "up"})) == 5

    def test_modifiers_of_the_die_count(self) -> None:
        table = battle(D7, CC, FF, damage_chart=CHART, tables=NO_VARIABLE).to("5-4C3")
        table.says(C, "roll-damage", 2, modifiers=[{"amount": 1, "source": "admiral"}]).to("5-4C4")
        assert scored(table) == 3

    def test_die_of_an_earlier_round_does_not_count(self) -> None:
        table = charted(die=4).to("5-7A1").to("5-4C3", s5_7A2="stay").says(C, "roll-damage", 1).to("5-4C4")
        assert scored(table) == 1

    def test_both_sides_have_their_own_die_and_rating(self) -> None:
        strong = {**CC, "attack": 20}
        table = battle(D7, strong, damage_chart=CHART, tables=NO_VARIABLE).to("5-3X2")
        table.says(A, "seal-intensity", bir=1).says(C, "seal-intensity", bir=5).to("5-4C3")
        table.says(A, "roll-damage", 3).says(C, "roll-damage", 1).to("5-4C4").says(A, "score").says(C, "score")
        assert (table.game.accounts[f"{A}/damage"], table.game.accounts[f"{C}/damage"]) == (2, 1)

    def test_rating_after_the_variable_die_counts(self) -> None:
        """Federation & Empire 5-3X4: a die of 1 lowers the BIR by 1, into the column before."""
        table = battle(D7, CC, FF, damage_chart=CHART).to("5-3X2").says(C, "seal-intensity", bir=5).to("5-3X4")
        table.says(C, "vary-intensity", 1).to("5-4C3").says(C, "roll-damage", 3).to("5-4C4")
        assert scored(table) == 1

    @pytest.mark.parametrize(("moves", "points"), [("die", 4), ("bir", 1)])
    def test_shift_moves_the_die_or_the_rating(self, moves: str, points: int) -> None:
        """Federation & Empire 308.51: the stating side shifts; die 2 becomes 4, or BIR 3 becomes 5."""
        bir, die = (5, 2) if moves == "die" else (3, 1)
        table = battle(D7, SCOUT, CC, FF, damage_chart={**CHART, "shift": moves}, tables=NO_VARIABLE).to("5-3X2")
        table.says(C, "seal-intensity", bir=bir).to("5-4A2").says(C, "seal-ew", points=4, units=["K-SC"])
        table.says(A, "seal-ew", points=0).says(C, "shift-ew", shift=2).to("5-4C3").says(C, "roll-damage", die)
        assert scored(table.to("5-4C4")) == points

    def test_shift_of_the_other_side_moves_nothing_of_mine(self) -> None:
        table = battle(D7, SCOUT, {**CC, "attack": 20}, damage_chart=CHART, tables=NO_VARIABLE).to("5-4A2")
        table.says(C, "seal-ew", points=4, units=["K-SC"]).says(A, "seal-ew", points=0).says(C, "shift-ew", shift=2)
        table.to("5-4C3").says(A, "roll-damage", 1).to("5-4C4").says(A, "score")
        assert table.game.accounts[f"{A}/damage"] == 2

    def test_undone_score_reads_the_same_die(self) -> None:
        table = charted(die=3)
        assert scored(table) == 3
        table.says("referee", "undo").says(C, "score")
        assert table.game.accounts[f"{C}/damage"] == 3

    def test_second_score_is_refused(self) -> None:
        table = charted().says(C, "score")
        table.tries(C, "score").then_refused("damage-stated-already", rule="302.42")

    def test_pursuit_reads_its_own_die(self) -> None:
        table = charted(die=4).to("5-7A1").done(A, answer="retreat").done(C, answer="stay")
        table.done(C, answer="pursue").to("5-8C").done(C, answer="success").to("5-4C3").says(C, "roll-damage", 1)
        assert scored(table.to("5-4C4")) == 1


class Test54C4RatingThatCounts:
    """302.772, 534.243: the chart is read with the rating at 5-4C4."""

    def test_war_plans_raise_the_rating(self) -> None:
        """Federation & Empire 5-4C2 (534.243): BIR 4 becomes 5."""
        plans = {"accounts": {f"{C}/war-plans": 1}}
        table = battle(D7, CC, FF, damage_chart=CHART, tables=NO_VARIABLE, **plans).to("5-3X2")
        table.says(C, "seal-intensity", bir=4).to("5-4C2").says(C, "adjust-intensity", by=1, why="war-plans")
        assert scored(table.to("5-4C3").says(C, "roll-damage", 4).to("5-4C4")) == 4

    def test_frozen_ship_adds_nothing_to_the_chart(self) -> None:
        """Federation & Empire 5-4C4 (312.20)."""
        table = battle(D7, {**CC, "traits": ["sfg"]}, FF, damage_chart=CHART, tables=NO_VARIABLE).to("5-4A7A")
        table.says(A, "declare-stasis", attempts={"Z-CC": "K-D7"}).says(A, "roll-stasis", 1)
        assert table.game.units["K-D7"].get("frozen")
        assert scored(table.to("5-4C3").says(C, "roll-damage", 4).to("5-4C4")) == 0


class Test54C4WithoutChart:
    """Without a chart the points are entered once, with their source."""

    def test_points_are_entered_with_their_source(self) -> None:
        table = battle(D7, CC, FF).to("5-4C4").says(C, "score", points=3, source="our chart, page 4")
        found = table.story.then(AccountChanged, account=f"{C}/damage", after=3)
        assert found.cause.endswith("our chart, page 4")

    def test_score_without_points_is_refused(self) -> None:
        """Federation & Empire 5-4C4 (302.42)."""
        none = battle(D7, CC, FF).to("5-4C4").tries(C, "score")
        none.then_refused("points-missing", rule="302.42")

    def test_die_is_not_a_marker_of_the_round(self) -> None:
        table = battle(D7, CC, FF).to("5-4C3").says(C, "roll-damage", 4)
        assert not [one for one in table.story.events if isinstance(one, MarkerSet) and "damage die" in one.marker]


class TestDamageChartOfAScenario:
    def test_columns_that_do_not_rise_are_refused(self) -> None:
        columns = [{"bir": 5, "percent": [10]}, {"bir": 5, "percent": [20]}]
        raw = {**BASE, "damage_chart": {"source": "made up", "columns": columns}}
        with pytest.raises(ScenarioError) as error:
            read_scenario(raw, FederationScenario)
        assert figures(error.value.what) == ["5", "5"]
        assert error.value.where == "$.damage_chart.columns[1].bir"


SAF = ship("K-SAF", "klingon", "1105", "saf")
SAF_TABLE = {
    "dice": "1d6",
    "source": "made up for a test",
    "rows": {"2 or less": "missed", "3..5": "crippled", "6 or more": "destroyed"},
}


def aimed(base: Any = BATS, **more: Any) -> War:
    """K-SAF is aimed at the base; 5-5E is open."""
    table = battle(D7, SAF, base, CC, options={"saf": True}, **more).to("5-4A6")
    table.says(C, "announce", units=["K-SAF"], purpose="SAF", target="Z-BATS")
    return table.to("5-5E")


class Test55EDieCounts:
    """520.4: the table sets the result of a SAF; without a table the order states the number before the roll."""

    @pytest.mark.parametrize(("pips", "fate"), [(2, ""), (3, ""), (6, "destroyed")])
    def test_table_gives_the_result(self, pips: int, fate: str) -> None:
        """Federation & Empire 5-5E (520.4)."""
        table = aimed(tables={"saf": SAF_TABLE}).says(C, "strike-saf", pips, unit="K-SAF")
        base = table.game.units["Z-BATS"]
        assert (base.fate, base.get("crippled") is True) == (fate, pips == 3)
        assert table.game.units["K-SAF"].fate == "used up"

    def test_stated_result_is_refused_if_there_is_a_table(self) -> None:
        table = aimed(tables={"saf": SAF_TABLE})
        said = table.tries(C, "strike-saf", 1, unit="K-SAF", result="destroyed")
        said.then_refused("result-given-by-table", rule="520.4")

    @pytest.mark.parametrize(("pips", "hurt"), [(3, False), (4, True)])
    def test_stated_number_decides(self, pips: int, hurt: bool) -> None:
        table = aimed().says(C, "strike-saf", pips, unit="K-SAF", result="crippled", at_least=4)
        assert (table.game.units["Z-BATS"].get("crippled") is True) == hurt
        table.story.then(DiceRolled, outcome="crippled" if hurt else "missed")

    def test_shock_without_a_number_is_refused_before_the_die(self) -> None:
        none = aimed().tries(C, "strike-saf", 6, unit="K-SAF")
        none.then_refused("result-missing", rule="520.4")

    def test_ledger_dice_need_the_number_first(self) -> None:
        """Refuse a result stated before the ledger rolls, because the die would have no effect."""
        blind = replace(aimed().game, dice="ledger")
        order = StrikeSaf(seat=C, unit="K-SAF", result="destroyed")
        with pytest.raises(RuleViolation) as error:
            decide_strike_saf(blind, order, TableDice(blind, (1,)))
        assert error.value.code == "result-missing"
        assert error.value.fields == {"purpose": "SAF K-SAF against Z-BATS"}

    def test_crippling_a_crippled_base_changes_nothing(self) -> None:
        hurt = {**BATS, "crippled": True}
        table = aimed(hurt, tables={"saf": SAF_TABLE}).says(C, "strike-saf", 4, unit="K-SAF")
        assert table.game.units["Z-BATS"].fate == ""
        assert table.game.units["K-SAF"].fate == "used up"

    def test_group_reads_its_chart_after_the_roll(self) -> None:
        table = aimed(tables={"saf": {"by_the_book": "our chart"}}).says(C, "strike-saf", 6, unit="K-SAF")
        table.tries(C, "done").then_refused("orders-required", rule="5-5E")
        table.says(C, "strike-saf", unit="K-SAF", by_the_book={"outcome": "missed", "source": "our chart"}).done(C)


SHOCK = {"dice": "1d6", "source": "made up for a test", "rows": {"2 or less": "failure", "3 or more": "success"}}


def shocked(*pips: int, **more: Any) -> War:
    """K-D7 has announced factors, and its shock die is thrown."""
    table = battle({**D7, "traits": ["shock"]}, D6, CC, FF, tables={"shock": SHOCK}, **more).to("5-4B")
    table.says(C, "announce", units=["K-D7"], purpose="shock", factors=4).to("5-6D")
    return table.says(C, "roll-fate", *pips, unit="K-D7") if pips else table


class Test56DDieCounts:
    """308.42, 311.21: a failed die must be suffered, one that saved the ship ends it."""

    def test_failed_die_must_be_suffered(self) -> None:
        """Federation & Empire 5-6D (311.21)."""
        table = shocked(2)
        table.tries(C, "done").then_refused("orders-required", rule="5-6D", orders=("suffer",))
        table.says(C, "suffer", unit="K-D7", outcome="crippled")
        again = table.tries(C, "suffer", unit="K-D7", outcome="destroyed")
        again.then_refused("fate-used", rule="5-6D", unit="K-D7", reason="lost")
        table.done(C)

    def test_saved_ship_suffers_nothing(self) -> None:
        table = shocked(3)
        table.tries(C, "suffer", unit="K-D7", outcome="crippled").then_refused(
            "fate-used", rule="5-6D", unit="K-D7", reason="saved"
        )
        table.done(C)

    def test_shock_is_not_suffered_before_its_die(self) -> None:
        table = shocked()
        for name in ("K-D7", "K-D6"):
            early = table.tries(C, "suffer", unit=name, outcome="crippled")
            early.then_refused("fate-not-rolled", rule="5-6D", unit=name)

    def test_shock_forces_no_retreat(self) -> None:
        table = shocked(1)
        table.tries(C, "suffer", unit="K-D7", outcome="retreats").then_refused("shock-does-not-retreat", rule="5-6D")
        table.says(C, "suffer", unit="K-D7", outcome="destroyed").story.then(UnitRemoved, unit="K-D7")

    def test_next_round_has_a_die_of_its_own(self) -> None:
        table = shocked(3).to("5-7A1").to("5-4B", s5_7A2="stay")
        table.says(C, "announce", units=["K-D7"], purpose="shock", factors=4).to("5-6D")
        table.says(C, "roll-fate", 1, unit="K-D7").says(C, "suffer", unit="K-D7", outcome="crippled")
        table.story.then(UnitChanged, unit="K-D7", attribute="crippled")


class Test56X2DieFirst:
    """316.31, 316.144A: only survivors of the die transfer, and the die is the only way to be lost."""

    def test_transfer_before_the_die_is_refused(self) -> None:
        """Federation & Empire 5-6X2 (316.144A)."""
        table = Test56X2Fates().lost()
        early = table.tries(A, "transfer-leader", leader="Z-ADM", ship="Z-CC")
        early.then_refused("leader-fate-open", rule="316.144A", leader="Z-ADM")

    def test_survivor_is_not_lost_after_the_die(self) -> None:
        table = Test56X2Fates().lost().says(A, "roll-fate", 5, unit="Z-ADM", at_least=3)
        table.tries(A, "lose-leader", leader="Z-ADM").then_refused("leader-survived", rule="5-6X2")

    def test_leader_of_a_crippled_ship_transfers_without_a_die(self) -> None:
        admiral = ship("Z-ADM", "kzinti", "1105", "leader", aboard="Z-FF")
        hurt = {**FF, "crippled": True}
        table = battle(D7, CC, hurt, admiral, options={"admirals": True}).to("5-6X2")
        table.says(A, "transfer-leader", leader="Z-ADM", ship="Z-CC")


class TestFrontierFixture:
    """The fixture scenario with charts: BIR, die and table give every result of a battle."""

    def fought(self, *, die: int = 3) -> War:
        scenario = read_scenario((FIXTURES / "scenarios" / "frontier.toml").read_text(), FederationScenario)
        table = War(scenario).to("5-2A3").done(A, answer="accept").to("5-3X2").says(C, "seal-intensity", bir=5)
        return table.to("5-4C3").says(C, "roll-damage", die)

    def test_score_of_the_fixture_is_read_off_its_chart(self) -> None:
        """Federation & Empire 5-4C4 (302.42): COMPOT 28 at BIR 5 with a die of 3 brings 20 percent."""
        table = self.fought().to("5-4C4").says(C, "score")
        table.story.then(AccountChanged, account=f"{C}/damage", after=5)
        found = next(one for one in table.story.events if isinstance(one, AccountChanged))
        assert figures(found.cause) == ["28", "5", "3", "20"]
        assert found.cause.endswith(", made up for this example")
