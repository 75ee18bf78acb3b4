"""Limits that a Pacific War scenario may set: distances, days, foul weather, pools, detection (5.1.A to 5.2.N)."""

from typing import Any

import msgspec
import pytest

from tests.face.domain import (
    AccountChanged,
    DiceRolled,
    MarkerSet,
    PacificWarScenario,
    ScenarioError,
    UnitChanged,
    UnitMoved,
    left_to_table,
    may_turn,
    offers,
    pacific_war_TITLE as TITLE,
    read_scenario,
)
from tests.face.testing import Story
from tests.titles.pacific_war_table import (
    ALLIES,
    FIXTURES,
    JAPAN,
    bids,
    campaign,
    change,
    cycle,
    literal,
    mark,
    opened,
    operation,
    says,
    scenario,
    strategic,
    until,
)

FLEET = ("taiho", "yamato", "taiho-air")


def goes(unit: str, *path: str, seat: str = JAPAN) -> dict[str, Any]:
    return says(seat, "move", unit=unit, path=list(path))


def places(number: int, start: str = "a") -> list[str]:
    return [f"{start}{at}" for at in range(number)]


def without(name: str, **more: Any) -> Story:
    """Return a fixture's scenario with other entries."""
    whole = msgspec.to_builtins(scenario(name))
    return Story(TITLE, msgspec.convert({**whole, **more}, PacificWarScenario))


class TestDistances:
    """5.1.R [23.4], 5.2.C [23.6]: the Solomons let ships go 4 places a day, 6 in a phase of the cycle."""

    def test_ship_goes_its_distance_and_no_farther(self) -> None:
        table = operation(campaign(), "chokai").when(goes("chokai", *places(5)))
        table.then_refused("too-far", rule="5.1.R [23.4]", unit="chokai", given=5, limit=4, limit_2=4)
        table.when(goes("chokai", *places(4))).then(UnitMoved, unit="chokai")

    def test_moves_of_a_phase_count_together(self) -> None:
        table = operation(campaign(), "chokai").play(goes("chokai", *places(3)))
        table.when(goes("chokai", *places(2, "b"))).then_refused("too-far", rule="5.1.R [23.4]", limit_2=1)
        table.play(goes("chokai", "b0"))

    def test_days_at_sea_lengthen_it(self) -> None:
        table = operation(campaign(), "chokai").play(says(JAPAN, "advance-day", days=2), goes("chokai", *places(8)))
        table.when(goes("chokai", "b0")).then_refused("too-far", rule="5.1.R [23.4]", limit=8)

    def test_ship_takes_its_distance_into_a_task_force(self) -> None:
        table = operation(campaign(), "chokai", "tokyo-express").play(goes("chokai", *places(3), "rabaul"))
        table.play(says(JAPAN, "form-task-force", task_force="mikawa", ships=["chokai", "tokyo-express"]))
        table.when(goes("mikawa", "b0")).then_refused("too-far", rule="5.1.R [23.4]", limit_2=0)

    def test_next_phase_begins_at_nothing(self) -> None:
        table = operation(campaign(), "chokai").play(goes("chokai", *places(4)))
        until(table, "5.2.C/move").play(goes("chokai", *places(6, "b")))
        table.when(goes("chokai", "c0")).then_refused("too-far", rule="5.2.C [23.6]", limit=6)

    def test_air_and_ground_units_have_their_own(self) -> None:
        table = operation(campaign(), "ichiki", "rabaul-air").when(goes("ichiki", *places(3)))
        table.then_refused("too-far", rule="5.1.R [23.4]", limit=2, limit_2=2)
        table.when(goes("rabaul-air", *places(6), "truk")).then_refused(
            "too-far", rule="5.1.R [23.4]", limit=6, limit_2=6
        )
        table.play(goes("rabaul-air", "truk"))

    def test_silent_scenario_has_no_limit(self) -> None:
        table = operation(without("solomons", distances={}), "chokai").play(goes("chokai", *places(30)))
        assert "went" not in table.game.units["chokai"].attributes


class TestDaysOfAnOperation:
    """5.1.P [20.2.5]: 10 days at sea for each Time multiple."""

    def test_days_beyond_the_multiples_are_refused(self) -> None:
        table = mark(operation(campaign(), "chokai"), "day", 5)
        table.when(says(JAPAN, "advance-day", days=11))
        table.then_refused("too-many-days", rule="5.1.P [20.2.5]", limit=10)
        table.play(says(JAPAN, "advance-day", days=10)).when(says(JAPAN, "advance-day"))
        table.then_refused("no-days-left", rule="5.1.P [20.2.5]", limit=0)

    def test_further_multiple_lengthens_it(self) -> None:
        table = until(campaign(), "5.1.P/activate", plan=bids(15, 0))
        table.play(says(JAPAN, "activate", units=["chokai"], headquarters="combined-fleet"))
        table.play(says(JAPAN, "pay-time", multiples=1, headquarters="combined-fleet"))
        table = mark(until(table, "5.1.R/move"), "day", 5).play(says(JAPAN, "advance-day", days=20))
        assert table.game.number("day") == 25

    def test_advance_is_not_offered_without_a_day(self) -> None:
        table = mark(operation(campaign(), "chokai"), "day", 5)
        step = TITLE.plan.step("5.1.R/move")
        assert step is not None
        assert "advance-day" in offers(TITLE, table.game, step, JAPAN)
        table.play(says(JAPAN, "advance-day", days=10))
        assert "advance-day" not in offers(TITLE, table.game, step, JAPAN)


class TestOperationLevel:
    @pytest.mark.parametrize(("level", "most"), [(0, 12), (2, 18), (9, 24)])
    def test_level_limits_the_reaction_player(self, level: int, most: int) -> None:
        """Check 5.1.S [20.3]."""
        table = until(operation(campaign(), "chokai", level=level), "5.1.S")
        table.given(AccountChanged(account="points/south-pacific", amount=50, before=18, after=68))
        for ship, worth in (("enterprise", most), ("portland", 1)):
            change(table, ship, "activation", worth)
        change(table, "enterprise", "activation", most - 3)  # above 10 the headquarters pays 3
        table.play(says(ALLIES, "activate", units=["enterprise"], headquarters="south-pacific"))
        spent = table.game.accounts["spent/allies"]
        change(table, "portland", "activation", most - spent + 1)
        table.when(says(ALLIES, "activate", units=["portland"], headquarters="south-pacific"))
        table.then_refused(
            "above-activation-limit", rule="5.1.S [22.0]", says=f"Operation Level {max(1, level)} of {most}"
        )


class TestFoulWeather:
    """5.1.A [6.0]: before the Marianas, the zone of Saipan."""

    def fleet(self, sky: str = "foul") -> Story:
        return mark(
            operation(strategic(), *FLEET, bid=13, headquarters="central-pacific-fleet"), "weather/central", sky
        )

    @pytest.mark.parametrize("sky", ["foul", "clear"])
    def test_search_is_modified_in_a_foul_zone(self, sky: str) -> None:
        table = self.fleet(sky)
        force = str(table.game.units["taiho"].get("task_force"))
        table.play(goes(force, "saipan")).when(says(ALLIES, "search", 9, target=force))
        rolled = table.then(DiceRolled, subjects=(force,))
        assert [one.amount for one in rolled.modifiers] == ([-2] if sky == "foul" else [])

    def test_ships_go_less_far_in_a_foul_zone(self) -> None:
        table = self.fleet()
        force = str(table.game.units["taiho"].get("task_force"))
        table.when(goes(force, *places(4), "saipan"))
        table.then_refused(
            "too-far",
            rule="5.1.R [23.4]",
            says="(zone central)",
            limit=4,
            limit_2=4,
        )
        table.play(goes(force, *places(5)))

    @pytest.mark.parametrize("order", ["launch-mission", "attack"])
    def test_mission_into_a_foul_zone_is_refused(self, order: str) -> None:
        air = "first-air-fleet"
        table = until(operation(strategic(), air, bid=13, headquarters="central-pacific-fleet"), "5.2.D")
        table.given(UnitMoved(unit="iowa", path=(table.game.units["iowa"].at, "guam")))
        fly = says(JAPAN, order, units=[air], target="iowa", **({"pips": [5]} if order == "attack" else {}))
        mark(table, "weather/central", "foul").when(fly)
        table.then_refused("foul-weather", rule="5.1.A [6.0]", zone="central")
        mark(table, "weather/central", "clear").when(says(JAPAN, "launch-mission", units=[air], target="iowa"))
        table.then(MarkerSet, marker="mission")

    @pytest.mark.parametrize(
        ("old", "new", "where", "names"),
        [
            ('central = ["saipan"', 'middle = ["saipan"', "$.foul_weather.zones.middle", "middle"),
            ('south = ["palau"]', 'south = ["guam"]', "$.foul_weather.zones.south", " guam"),
            (
                'central = ["saipan", "guam", "philippine-sea"], south = ["palau"]',
                "",
                "$.foul_weather",
                "`zones`",
            ),
            (", search = -2, places = 4, missions = false }", " }", "$.foul_weather", "`search`, `places`"),
            ('kind = "strategic"', 'kind = "campaign"', "$.foul_weather", "5.1.A "),
        ],
    )
    def test_fault_is_named_with_its_path(self, old: str, new: str, where: str, names: str) -> None:
        text = (FIXTURES / "scenarios" / "marianas.toml").read_text(encoding="utf-8")
        assert old in text
        with pytest.raises(ScenarioError) as refused:
            read_scenario(text.replace(old, new, 1), PacificWarScenario)
        assert refused.value.where == where
        assert names in f"{refused.value.what}; {refused.value.remedy}"


class TestFuturePools:
    def test_side_that_is_not_eligible_has_none(self) -> None:
        """Check 5.1.G [10.4]."""
        table = until(strategic(), "5.1.G/allocate").when(says(JAPAN, "allocate-points", to="pool", points=1))
        table.then_refused("no-future-pool", rule="5.1.G [10.4]")
        table.when(says(ALLIES, "allocate-points", to="pool", points=1)).then(AccountChanged, account="pool/allies")

    def test_silent_scenario_lets_either(self) -> None:
        table = until(literal(), "5.1.G/allocate")
        for side in (JAPAN, ALLIES):
            table.play(says(side, "allocate-points", to="pool", points=1))
            assert table.game.accounts[f"pool/{side}"] == 1


class TestDetectionRemoval:
    """5.2.N [32.2]."""

    def detected(self, *conditions: str) -> Story:
        table = cycle(without("solomons", undetected=list(conditions)), "chokai", "shokaku", "hiei", bid=20)
        return change(change(table, "kido-butai", "detected", True), "chokai", "detected", True)

    def turns(self, table: Story, unit: str) -> Story:
        return table.when(says(JAPAN, "undetect", task_forces=[unit]))

    def test_force_next_to_the_enemy_stays_detected(self) -> None:
        table = self.detected("apart")
        table.given(UnitMoved(unit="chokai", path=("rabaul", "noumea")))
        self.turns(until(table, "5.2.N"), "chokai").then_refused(
            "stays-detected", rule="5.2.N [32.2]", units="kido-butai", reason="enemy-there"
        )
        self.turns(table, "kido-butai").then(UnitChanged, unit="kido-butai", attribute="detected", after=False)

    def test_force_at_sea_stays_detected(self) -> None:
        table = self.detected("in-port")
        table.given(UnitMoved(unit="chokai", path=("rabaul", "shortland")))
        self.turns(until(table, "5.2.N"), "chokai").then_refused(
            "stays-detected", rule="5.2.N [32.2]", unit="chokai", says=" shortland", reason="no-base"
        )

    def test_force_that_attacked_stays_detected(self) -> None:
        table = change(self.detected("quiet"), "hiei", "used", "1.1.5.2.F")
        self.turns(until(table, "5.2.N"), "kido-butai").then_refused(
            "stays-detected", rule="5.2.N [32.2]", unit="kido-butai", says=" hiei ", reason="attacked"
        )

    def test_owner_without_an_eligible_force_is_not_asked(self) -> None:
        table = self.detected("in-port")
        for unit in ("chokai", "kido-butai"):
            table.given(UnitMoved(unit=unit, path=(table.game.units[unit].at, "shortland")))
        assert not may_turn(table.game, JAPAN)
        since = table.tip
        until(until(table, "5.2.B"), "5.2.A")
        assert "5.2.N" not in opened(table, since)


class TestLeftToTheTable:
    def unsaid(self, name: str, **more: Any) -> set[str]:
        whole = msgspec.to_builtins(scenario(name))
        return {one.path for one in left_to_table(TITLE, msgspec.convert({**whole, **more}, PacificWarScenario))}

    def test_fixtures_give_distances_days_and_levels(self) -> None:
        given = {f"$.distances.{name}" for name in ("naval_a_day", "naval", "ground", "air")}
        given |= {"$.days_a_multiple", "$.tables.reaction-limits"}
        for name in ("solomons", "coral-sea", "marianas"):
            assert not given & self.unsaid(name)

    def test_silent_scenario_is_listed(self) -> None:
        tables = msgspec.to_builtins(scenario("solomons").tables)
        for name in ("reaction-limits", "strategic-initiative"):
            del tables[name]
        silent = {
            "distances": {},
            "transport": {},
            "days_a_multiple": None,
            "future_pools": None,
            "undetected": [],
            "isolation_steps": 0,
            "tables": tables,
        }
        found = self.unsaid("solomons", **silent) - self.unsaid("solomons")
        assert found == {
            "$.distances.naval_a_day",
            "$.distances.naval",
            "$.distances.ground",
            "$.distances.air",
            "$.transport.ground",
            "$.transport.air",
            "$.days_a_multiple",
            "$.future_pools",
            "$.undetected",
            "$.isolation_steps",
            "$.tables.reaction-limits",
            "$.tables.strategic-initiative",
        }

    def test_foul_weather_is_listed_where_weather_is_played(self) -> None:
        """Check 5.1.A: in Strategic scenarios, unless the option leaves it out."""
        assert "$.foul_weather" in self.unsaid("marianas", foul_weather={})
        assert "$.foul_weather" not in self.unsaid("marianas", foul_weather={}, options={"weather": False})
        assert "$.foul_weather" not in self.unsaid("solomons")

    def test_units_without_entry_ports_are_listed(self) -> None:
        """Check 5.1.J [14.0]."""
        ground = msgspec.to_builtins(scenario("solomons").ground)
        assert "$.ground" in self.unsaid("solomons")
        entering = [{**one, "enters": ["noumea"]} for one in ground]
        assert "$.ground" not in self.unsaid("solomons", ground=entering)
