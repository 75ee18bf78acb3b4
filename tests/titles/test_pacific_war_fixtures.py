"""Check the scenarios and order files of Pacific War: steps, refusals, and hundreds of random months."""

import itertools
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.cli.terminal import Terminal
from tests.face.desk import order_lines
from tests.face.domain import (
    Decision,
    DiceRolled,
    Game,
    GameEnded,
    MarkerSet,
    PacificWarScenario,
    RuleViolation,
    ScenarioError,
    Sent,
    StepOpened,
    decide,
    events_of,
    pacific_war_TITLE as TITLE,
    read_scenario,
    tables_ROWS as ROWS,
)
from tests.face.testing import (
    NO_HISTORY,
    Player,
    Story,
    opened,
)
from tests.titles.pacific_war_table import (
    FIXTURES,
    campaign,
    least,
    operation,
    says,
    scenario,
    step_of,
    until,
)

PLAYED = {
    "solomons-suspended": "solomons",
    "solomons-closing-cycle": "solomons",
    "coral-sea-at-once": "coral-sea",
    "marianas-final-operation": "marianas",
}
every_file = pytest.mark.parametrize("name", PLAYED)


def played(name: str) -> Story:
    """Play an order file to its end."""
    table = Story(TITLE, scenario(PLAYED[name]))
    for _, line in order_lines(FIXTURES / "orders" / f"{name}.jsonl"):
        table.play(line)
    return table


def told(table: Story, kind: type[Any]) -> list[Any]:
    return [event for taken in table.taken for event in taken.events if isinstance(event, kind)]


class TestTheOrderFiles:
    def test_between_them_they_open_every_label(self) -> None:
        seen = {event.step for name in PLAYED for event in told(played(name), StepOpened)}
        assert {step.id for step in TITLE.plan.leaves()} <= seen

    def test_between_them_they_roll_on_every_table(self) -> None:
        rolled = {event.table for name in PLAYED for event in told(played(name), DiceRolled)}
        assert ROWS.keys() <= rolled

    def test_all_three_triggers_and_all_resume_rules_are_in_them(self) -> None:
        steps = {name: {event.step for event in told(played(name), StepOpened)} for name in PLAYED}
        assert {"5.4/when/a", "5.4/when/c", "5.4/resume/a", "5.4/resume/c"} <= steps["solomons-suspended"]
        assert {"5.4/when/b", "5.3/a", "5.4/resume/d", "5.4/resume/o"} <= steps["solomons-closing-cycle"]
        assert {"5.4/when/a", "5.4/when/c", "5.4/resume/b", "5.1.O/claim"} <= steps["coral-sea-at-once"]

    def test_day_marker_enters_in_both_phases_and_passes_through(self) -> None:
        whys = [
            event.after for name in PLAYED for event in told(played(name), MarkerSet) if event.marker == "month_ends"
        ]
        assert set(whys) - {None} == {"entered in 5.1.R", "entered in 5.2.O", "passed in 5.2.O", "no bid"}

    def test_one_contact_phase_is_preempted(self) -> None:
        lines = [line for _, line in order_lines(FIXTURES / "orders" / "solomons-suspended.jsonl")]
        assert [line["as"] for line in lines if line["order"] == "force-end"] == ["allies"]

    def test_both_readings_of_the_operations_end_are_played(self) -> None:
        assert scenario("solomons").options.get("closing_cycle", True) is True
        literal = played("coral-sea-at-once")
        assert literal.game.options["closing_cycle"] is False
        cycles = [event.step for event in told(literal, StepOpened) if event.step in ("5.2.A", "5.2.M", "5.2.O")]
        assert cycles == ["5.2.A", "5.2.M"]

    def test_both_ways_in_which_the_game_ends(self) -> None:
        ends = [event for name in PLAYED for event in told(played(name), GameEnded)]
        assert {(one.winner, *re.findall(r"\d+", one.why)) for one in ends} == {
            ("allies", "3"),
            ("japan", "2"),
            ("", "3"),
        }
        met = {"allies": "the Allies hold Guadalcanal ", "japan": "Japan holds Saipan ", "": ""}
        assert all(one.why.startswith(met[one.winner]) for one in ends)


def test_status_at_an_earlier_position_matches_status_shown_then(tmp_path: Path) -> None:
    """Play an order file by the line, view the game after each tenth line, and look back at the end."""
    terminal = Terminal(tmp_path)
    file = FIXTURES / "scenarios" / "solomons.toml"
    terminal.ok("new", "pacific-war", "--id", "s", "--scenario", str(file))
    lines = [json.dumps(line) for _, line in order_lines(FIXTURES / "orders" / "solomons-suspended.jsonl")][:160]
    then = []
    for at in range(0, len(lines), 20):
        terminal.write(f"from-{at}.jsonl", "\n".join(lines[at : at + 20]) + "\n")
        terminal.ok("play", "s", f"from-{at}.jsonl")
        then.append(shown(terminal))
    assert any("suspended" in view["markers"] for view in then)
    for view in then:
        assert shown(terminal, "--at", str(view["position"])) == view


def shown(terminal: Terminal, *more: str) -> dict[str, Any]:
    """Return the turn view without the news, which depends on when the seat looked last."""
    view = terminal.ok("status", "s", "--json", *more).json
    return {key: value for key, value in view.items() if key != "since"}


class TestTheTurnViewOfAMonthAtSea:
    def test_everything_a_player_asks_is_in_it(self, tmp_path: Path) -> None:
        terminal = Terminal(tmp_path)
        terminal.ok("new", "pacific-war", "--id", "s", "--scenario", str(FIXTURES / "scenarios" / "solomons.toml"))
        orders = [line for _, line in order_lines(FIXTURES / "orders" / "solomons-suspended.jsonl")]
        sailing = next(at for at, line in enumerate(orders) if line["order"] == "advance-day") + 2
        terminal.orders(*orders[:sailing])
        terminal.ok("play", "s", "orders.jsonl")
        view = terminal.ok("status", "s", "--json").json
        shown = {**view["markers"], **view["accounts"]}
        asked = {
            "month": 2,
            "month_name": "September 1942",
            "day": 0,
            "operation": 1,
            "operation_player": "japan",
            "reaction_player": "allies",
            "resumes_in": "5.1.R",
            "points/combined-fleet": 2,
            "points/south-pacific": 12,
        }
        assert {name: shown[name] for name in asked} == asked
        assert shown["suspended"].endswith(" 1 in 5.1.R")
        date, of_operation, suspended, japan, allies = view["tells"]
        assert date == "September 1942, Month Begin"
        assert re.findall("Japan|Allies", of_operation) == ["Japan", "Allies"]
        assert f"{shown['suspended']}; " in suspended
        assert suspended.endswith(" 5.1.R")
        assert re.search("Japan: 0 .*, combined-fleet 2, eighth-fleet 1, .* 0$", japan)
        assert re.search("Allies: 0 .*, south-pacific 12, .* 3$", allies)
        assert suspended in terminal.ok("status", "s").out

    def test_view_shows_lighting_and_advantage_in_a_battle_cycle(self) -> None:
        table = until(operation(campaign(), "chokai"), "5.2.C/move")
        assert TITLE.notation is not None
        told_now = TITLE.notation.tells(table.game)
        assert told_now[0] == "August 1942, day 26"
        assert [one for one in told_now if " 1: " in one and " day, " in one and one.endswith(" Japan")]

    def test_losses_are_written_by_name(self) -> None:
        game = played("solomons-suspended").game
        lost = [unit for unit in game.units.values() if unit.fate == "sunk"]
        assert TITLE.notation is not None
        written = TITLE.notation.losses(game, "guadalcanal", lost, ())
        assert written.startswith("guadalcanal: ")
        assert written.endswith(" chokai, tokyo-express")
        assert TITLE.notation.stack(game, game.in_play("japan")[:2]) == "Japan: combined-fleet, eighth-fleet"


class TestSitrepOfAMonth:
    """The report of a month: its date, the step in which play waits, and damage that sinks no ship."""

    def report(self, tmp_path: Path, orders: int) -> Terminal:
        terminal = Terminal(tmp_path)
        terminal.ok("new", "pacific-war", "--id", "s", "--scenario", str(FIXTURES / "scenarios" / "solomons.toml"))
        every = [line for _, line in order_lines(FIXTURES / "orders" / "solomons-suspended.jsonl")]
        terminal.orders(*(every if not orders else every[:orders]))
        terminal.ok("play", "s", "orders.jsonl")
        return terminal

    def test_running_month_names_the_step_that_waits(self, tmp_path: Path) -> None:
        """Check 5.1.R: the newest step to open is the reaction's, and play waits for the Operation player."""
        orders = [line for _, line in order_lines(FIXTURES / "orders" / "solomons-suspended.jsonl")]
        sailing = next(at for at, line in enumerate(orders) if line["order"] == "advance-day") + 1
        lines = self.report(tmp_path, sailing).ok("sitrep", "s").out.splitlines()
        assert lines[0] == "s 1.5.1.R SITREP"
        assert lines[2] == "August 1942, day 28, all sides"

    def test_month_that_is_over_has_its_own_date(self, tmp_path: Path) -> None:
        lines = self.report(tmp_path, 0).ok("sitrep", "s", "--turn", "2").out.splitlines()
        assert lines[0] == "s 2.5.4 SITREP"
        assert lines[2].startswith("September 1942, day ")

    def test_damage_without_a_loss_is_counted(self, tmp_path: Path) -> None:
        report = self.report(tmp_path, 0).ok("sitrep", "s", "--turn", "2", "--json").json
        losses = {one["place"]: one["losses"] for one in report["battles"]}
        assert losses["ontong-java"] == "ontong-java: hits: shokaku 1"
        assert "hits: henderson-field 1, san-francisco 1" in losses["guadalcanal"]
        assert "steps lost: 1st-marine-division 1" in losses["guadalcanal"]
        assert "chokai" not in losses["guadalcanal"].partition("hits:")[2]


class TestScenariosOnTheWayIn:
    def read(self, old: str, new: str, name: str = "solomons") -> ScenarioError:
        text = (FIXTURES / "scenarios" / f"{name}.toml").read_text(encoding="utf-8")
        assert old in text
        with pytest.raises(ScenarioError) as refused:
            read_scenario(text.replace(old, new, 1), PacificWarScenario)
        return refused.value

    @pytest.mark.parametrize(
        ("old", "new", "where", "names"),
        [
            ('kind = "campaign"', 'kind = "skirmish"', "$.kind", '"skirmish"'),
            ('id = "japan", name', 'id = "nippon", name', "$.sides", ""),
            ("day = 26", "day = 31", "$.day", " 0 to 30"),
            ("sinks = 4", "sink = 4", "$.naval[0].sink", " sink"),
            ("hits = 2\ncrippled = true", "hits = 2", "$.naval[3].crippled", "mogami "),
            ("hits = 2\ncrippled = true", "hits = 9\ncrippled = true", "$.naval[3].hits", "mogami "),
            ('task_force = "kido-butai"', 'task_force = "tf-16"', "$.naval[0].task_force", " tf-16 "),
            ('aboard = "shokaku"', 'aboard = "akagi"', "$.air[0].aboard", " akagi"),
            ('aboard = "shokaku"', 'aboard = "hiei"', "$.air[0].aboard", "hiei "),
            (
                'rows."3 or more" = { points = 24 }',
                'rows."3..8" = { points = 24 }',
                "$.tables.reaction-limits.rows",
                " 9",
            ),
            ("arrives = 2", "arrives = 0", "$.ground[1].arrives", " to-come"),
            ("steps = 1\nfull_steps = 2", "steps = 3\nfull_steps = 2", "$.ground[0].steps", "ichiki "),
            ("[tables.rally]", "[tables.rallies]", "$.tables.rallies", " rallies"),
            ('rows."5 or more" = "rallied"', 'rows."6 or more" = "rallied"', "$.tables.rally.rows", " 5"),
            ('"rallied"', '"brave"', "$.tables.rally.rows.5 or more", '"brave"'),
            ('id = "chokai"', 'id = "hiei"', "$.naval[2].id", " hiei"),
            ("[tables.tied-bids]\ndice", "[tables.tied-bids]\ndices", "$.tables", " dices"),
        ],
    )
    def test_error_names_the_path_of_a_fault(self, old: str, new: str, where: str, names: str) -> None:
        fault = self.read(old, new)
        assert fault.where.startswith(where)
        assert names in fault.what

    def test_strategic_scenario_needs_its_own_tables(self) -> None:
        """Check that Command Points are rolled for in a Campaign that goes by the month."""
        fault = self.read("[tables.merchant-attrition]", "[tables.weather-report]", "marianas")
        assert fault.where == "$.tables.weather-report"
        fault = self.read('kind = "campaign"', 'kind = "strategic"')
        assert fault.where == "$.tables.command-points/japan.dice"

    @pytest.mark.parametrize("month", [1, 2, 3])
    def test_month_without_command_points_is_found_before_the_game(self, month: int) -> None:
        """Check for gaps, which would open a game that is stuck in mid-month."""
        points = {1: 18, 2: 20, 3: 22}
        fault = self.read(f'rows."{month}" = {{ points = {points[month]} }}\n', "")
        assert fault.where == "$.tables.command-points/allies.rows"
        assert fault.what.endswith(f" {month}")

    @pytest.mark.parametrize(("gap", "first"), [('"-2..2"', -2), ('"3 or more"', 3), ('"-3 or less"', -100)])
    def test_gap_in_strategic_initiative_is_found_before_the_game(self, gap: str, first: int) -> None:
        text = (FIXTURES / "scenarios" / "solomons.toml").read_text(encoding="utf-8")
        (line,) = (line for line in text.split("[tables.strategic-initiative]")[1].splitlines() if gap in line)
        fault = self.read(f"{line}\n", "")
        assert fault.where == "$.tables.strategic-initiative.rows"
        assert fault.what.endswith(f" {first}")

    def test_unknown_option_is_refused_when_the_game_is_opened(self) -> None:
        with pytest.raises(ScenarioError) as refused:
            Story(TITLE, scenario("solomons"), options={"literal": True})
        assert refused.value.what.endswith(" literal")


class TestRandomMonths:
    def test_random_players_reach_every_ending_and_resumption(self) -> None:
        """Impatient ones: a side mostly leaves a phase at once, so that months go by."""
        found: Counter[str] = Counter()
        games = [longer(name, closing) for name in ("solomons", "coral-sea", "marianas") for closing in (True, False)]
        for seed in range(22, 28):
            player = Player(TITLE, seed, patience=0.3)
            decision = opened(TITLE, games[seed % len(games)], seed)
            while not decision.game.ended:
                _, decision = player.choose(decision.game)
                found.update(endings(decision))
        assert found["5.4/suspend"] >= 30
        assert {f"5.4/when/{why}" for why in "abc"} <= found.keys()
        assert {"5.4/resume/a", "5.4/resume/o", "5.3/b"} <= found.keys()

    def test_hundreds_of_months_never_get_stuck(self) -> None:
        """Brisk players: no more than a phase asks for, but bids, days at sea and deactivations by chance."""
        found: Counter[str] = Counter()
        for name, closing in itertools.product(("solomons", "coral-sea", "marianas"), (True, False)):
            for seed, months in ((1, 48), (2, 24), *((seed, 2) for seed in range(3, 20))):
                brisk = Brisk(longer(name, closing, months), seed)
                while not brisk.game.ended:
                    found.update(endings(brisk.one_order()))
        assert found["5.4/gameend"] >= 500
        assert {f"5.4/when/{why}" for why in "abc"} <= found.keys()
        assert {"5.3/a", "5.3/b", *(f"5.4/resume/{rule}" for rule in "abcdo")} <= found.keys()


def endings(decision: Decision) -> list[str]:
    """Return the steps of 5.3 and 5.4 that an order opened."""
    steps = (event.step for event in events_of(decision.told) if isinstance(event, StepOpened))
    return [step for step in steps if step[:3] in ("5.3", "5.4")]


class Brisk:
    """A player of every side: required orders, and by chance orders that end operations and months."""

    def __init__(self, of: PacificWarScenario, seed: int) -> None:
        self.game = opened(TITLE, of, seed).game
        self.dice = random.Random(seed)

    def one_order(self) -> Decision:
        tried = [*self._by_chance(), without_pips(least(self))]
        for line in tried:
            try:
                decision = decide(TITLE, self.game, sent(line), NO_HISTORY)
            except RuleViolation as refusal:
                last = refusal
            else:
                self.game = decision.game
                return decision
        raise AssertionError(f"stuck at {last.where}: {last.what}")

    def _by_chance(self) -> Iterator[dict[str, Any]]:
        """Return an order to try here; after a refused one, the smallest."""
        step, chance = step_of(self), self.dice.random()
        side = self.game.cursor.waiting()[0]
        units = [unit for unit in self.game.in_play(side) if "activated" in unit.attributes and unit.at != "to-come"]
        if step == "5.1.O/bid" and chance < 0.3:
            yield says(side, "bid", points=self.dice.randrange(1, 9))
        elif step == "5.1.O/claim" and chance < 0.5:
            yield says(side, "claim-operation")
        elif step in ("5.1.P/activate", "5.1.S") and chance < 0.7 and units:
            unit = self.dice.choice(units).id
            yield from (says(side, "activate", units=[unit], headquarters=one) for one in headquarters(self.game, side))
        elif step in ("5.1.R/move", "5.1.R/search", "5.1.H") and chance < 0.2 and len(units) > 2:
            mine = [unit.id for unit in units if unit.get("activated")]
            yield from (says(side, "remove", unit=unit) for unit in mine[:1])
        elif step == "5.1.R/move" and chance < 0.6:
            yield says(side, "advance-day", days=self.dice.randrange(1, 32 - self.game.number("day")))
        elif step == "5.2.M" and chance < 0.8:
            mine = [unit.id for unit in units if unit.get("activated")]
            yield says(side, "deactivate", units=mine or ["nothing"])
        elif step == "5.1.L" and chance < 0.5 and len(units) < 5:
            new = {"unit": f"new-{len(self.game.units)}", "side": side, "kind": "regiment", "at": "a-beach"}
            attributes = {"arm": "ground", "steps": 1, "full_steps": 1, "activation": 1, "activated": False}
            yield says(side, "place", **new, attributes=attributes)


def headquarters(game: Game, side: str) -> list[str]:
    return [unit.id for unit in game.in_play(side) if unit.get("arm") == "headquarters"]


ORDERS = TITLE.every_order


def sent(line: dict[str, Any]) -> Sent:
    """Return an order read without looking up the other choices."""
    return Sent(order=msgspec.convert(line, ORDERS[line["order"]]))


def without_pips(line: dict[str, Any]) -> dict[str, Any]:
    """Return an order without dice results, for a game with ledger dice."""
    return {name: value for name, value in line.items() if name != "pips"}


def longer(name: str, closing_cycle: bool, months: int = 6) -> PacificWarScenario:
    """Return a fixture's scenario over more months, late in the first, under one of the two readings."""
    whole = msgspec.to_builtins(scenario(name))
    points = {str(number): {"points": 15} for number in range(1, months + 1)}
    for side in ("japan", "allies"):
        steps = {str(number): {"ground": 1} for number in range(1, months + 1)}
        whole["tables"][f"reinforcements/{side}"] = {"rows": steps, "source": "made up"}
        if whole["kind"] == "campaign":
            whole["tables"][f"command-points/{side}"]["rows"] = points
    more = {
        "months": [f"month {number}" for number in range(1, months + 1)],
        "day": 28,
        "final_operation": 0,
        "options": {"closing_cycle": closing_cycle},
    }
    return msgspec.convert({**whole, **more}, PacificWarScenario)
