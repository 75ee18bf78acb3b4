"""Twilight Imperium: scenario files, what they keep secret, and the fixtures played from end to end."""

import json
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.face.desk import (
    GameStateBuilder,
    find_title,
    new_game,
    open_session,
)
from tests.face.domain import (
    REFEREE,
    GameOpened,
    RestrictedEvent,
    RuleViolation,
    ScenarioError,
    StepClosed,
    StepOpened,
    StepPassed,
    TwilightScenario,
    UnitRemoved,
    read_scenario,
    twilight_imperium_3_TITLE as TITLE,
)
from tests.face.ledger import Ledger
from tests.face.projections import Follower, audit_lines
from tests.face.testing import Story
from tests.naming import Naming
from tests.scenario_remedies import REMEDIES
from tests.titles.twilight_imperium_3_table import (
    BASE,
    FIXTURES,
    GALAXY,
    fixture_orders,
    galaxy,
    here,
    scenario,
    three_players,
)

TEXT = GALAXY.read_text(encoding="utf-8")
FILES = ("full-round", "siege-of-jord", "war-sun-over-lodor")


class TestScenarioFiles:
    @pytest.mark.parametrize(
        ("before", "after", "named", "path"),
        [
            ("combat = 3, dice", "combatt = 3, dice", Naming("combatt"), "$.kinds.war-sun.combatt"),
            ("combat = 3, dice", "combat = 11, dice", Naming(11, 0, 10), "$.kinds.war-sun.combat"),
            ('at = "jord"', 'at = "earth"', Naming("earth"), ".at"),
            ('kind = "carrier"', 'kind = "battleship"', Naming("battleship"), ".kind"),
            ('adjacent = ["home-mentak"]', 'adjacent = ["mars"]', Naming("arnor-space", "mars"), "adjacent"),
            (
                '"Diplomacy", "Technology"',
                '"Diplomacy", "Trade"',
                Naming("Trade"),
                "strategy_cards",
            ),
            ('"Diplomacy", "Technology"', '"Bureaucracy"', Naming("Bureaucracy", "`cards`"), "strategy_cards"),
            ("mines = { mentak = 2 }", "mines = { hacan = 2 }", Naming("hacan"), "$.systems.vefut-space"),
            ('quann = "radiation"', 'jord = "radiation"', Naming("jord"), "$.domains.jord"),
            (
                'owner = "sol"',
                'owner = "hacan"',
                Naming("hacan"),
                "$.systems.wellon-space.planets.wellon.owner",
            ),
            ("[hands]\n", '[hands]\nhacan = ["Plague"]\n', Naming("hacan"), "$.players.hacan"),
            (
                '"cruiser"\nat = "home-sol"',
                '"cruiser"\nat = "jord"',
                Naming("sol-cruiser-1"),
                ".at",
            ),
            ('"cruiser"\nat = "home-sol"', '"cruiser"\nat = "home-letnev"', Naming("home-letnev"), ".at"),
            ("planets.arnor =", "planets.lodor =", Naming("lodor"), "planets.lodor"),
            ("[players.letnev]", "[players.hacan]", Naming("letnev"), "$.players.letnev"),
            ("rounds = 3", "round = 3", Naming("round"), "$.victory"),
        ],
    )
    def test_error_names_the_path_of_a_fault(self, before: str, after: str, named: Naming, path: str) -> None:
        assert before in TEXT
        with pytest.raises(ScenarioError) as refused:
            read_scenario(TEXT.replace(before, after, 1), TwilightScenario)
        assert refused.value.what == named
        assert path in refused.value.where

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("combat = 3, dice", "combatt = 3, dice"),
            ("combat = 3, dice", "combat = 11, dice"),
            ('at = "jord"', 'at = "earth"'),
            ('kind = "carrier"', 'kind = "battleship"'),
        ],
    )
    def test_remedy_begins_with_what_to_write(self, before: str, after: str) -> None:
        with pytest.raises(ScenarioError) as refused:
            read_scenario(TEXT.replace(before, after, 1), TwilightScenario)
        assert refused.value.remedy.startswith(REMEDIES)

    @pytest.mark.parametrize("number", [1, 9])
    def test_two_to_eight_players(self, number: int) -> None:
        sides = [{"id": f"p{at}", "name": "x"} for at in range(number)]
        with pytest.raises(msgspec.ValidationError, match="sides"):
            msgspec.convert({**BASE, "sides": sides}, TwilightScenario)

    def test_neighbours_are_named_on_one_side_only(self) -> None:
        found = scenario().sheets()["systems"]
        assert "home-sol" in found["void"]["adjacent"]
        assert "void" in found["home-sol"]["adjacent"]

    def test_fleet_limit_has_two_readings(self) -> None:
        with pytest.raises(ScenarioError) as refused:
            galaxy(options={"fleet_limit": "none"})
        assert (refused.value.where, refused.value.rule) == ("$.options.fleet_limit", "Twilight Imperium 3 TA.2")
        assert '"moved"' in refused.value.remedy

    def test_unknown_option_is_refused(self) -> None:
        with pytest.raises(ScenarioError) as refused:
            galaxy(options={"tactical_retreats": True})
        assert "fleet_limit" in refused.value.remedy


# --- secrets ----------------------------------------------------------------------------------------------------------


def told_at_opening(**more: Any) -> list[Any]:
    table = galaxy(**more)
    return list(table.told)


class TestSecretsOfTheScenario:
    def test_public_opening_record_has_neither_hands_nor_counters(self) -> None:
        opened = next(event for event in three_players().events if isinstance(event, GameOpened))
        assert b"radiation" not in msgspec.json.encode(opened)
        assert b"Local Unrest" not in msgspec.json.encode(opened)

    def test_hand_is_sent_to_its_owner_and_counter_to_the_referee(self) -> None:
        private = [told for told in three_players().told if isinstance(told, RestrictedEvent) and told.visible_to]
        assert {told.visible_to for told in private} == {(s, REFEREE) for s in ("sol", "letnev", "mentak")} | {
            (REFEREE,)
        }

    def test_counters_closed_to_the_referee_are_known_to_no_seat(self) -> None:
        told = told_at_opening(options={"secrets_closed_to_referee": True})
        counters = [
            one
            for one in told
            if isinstance(one, RestrictedEvent) and getattr(one.event, "question", "").startswith("domain")
        ]
        assert counters
        assert all(one.visible_to == () for one in counters)


NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def known(folder: Path, name: str, text: str, orders: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """Return the game and the audit trail as every seat sees them, after these orders in a ledger."""
    with Ledger.open(folder / f"{name}.db", GameStateBuilder(), clock=lambda: NOON) as ledger:
        new_game(ledger, TITLE, text, game_id="g")
        sitting = open_session(ledger, "g")
        for raw in orders:
            sitting.order(raw)
        with Follower(ledger, ":memory:", find_title) as follower:
            follower.catch_up("g")
            seats = ("sol", "letnev", "mentak", "spectator")
            return {seat: [follower.known_to("g", seat), *trail(follower, seat)] for seat in seats}


def trail(follower: Follower, seat: str) -> Iterator[Any]:
    """Return the audit trail without order ids, which the ledger draws at random."""
    return (msgspec.structs.replace(line, order="") for line in audit_lines(follower.connection, "g", seat))


class TestNobodyLearnsAnothersSecret:
    """Two games that differ in one secret only are the same game for everybody else."""

    def probed(self, tmp_path: Path, counter: str) -> dict[str, list[Any]]:
        text = TEXT.replace('vefut = "natural wealth"', f'vefut = "{counter}"')
        orders = fixture_orders("full-round")
        upto = next(at for at, raw in enumerate(orders) if raw["order"] == "probe") + 1
        return known(tmp_path, counter, text, orders[:upto])

    def test_probe_result_stays_secret(self, tmp_path: Path) -> None:
        one, other = self.probed(tmp_path, "hostage"), self.probed(tmp_path, "biohazard")
        for seat in ("sol", "mentak", "spectator"):
            assert one[seat] == other[seat]
        assert one["letnev"] != other["letnev"]

    def drawn(self, tmp_path: Path, card: str) -> dict[str, list[Any]]:
        orders = [
            {"as": "sol", "order": "take-action", "action": "strategic", "card": "Diplomacy"},
            {"as": "sol", "order": "draw-card", "card": card},
            {"as": "sol", "order": "done"},
        ]
        return known(tmp_path, card, TEXT, orders)

    def test_which_card_was_drawn(self, tmp_path: Path) -> None:
        one, other = self.drawn(tmp_path, "Minelayers"), self.drawn(tmp_path, "Plague")
        for seat in ("letnev", "mentak", "spectator"):
            assert one[seat] == other[seat]
        assert one["sol"] != other["sol"]

    def test_refusal_does_not_depend_on_another_hand(self) -> None:
        texts = []
        for hand in (["Sabotage"], ["Plague"]):
            table = galaxy(hands={"mentak": hand})
            table.when({"as": "sol", "order": "take-action", "action": "card"})
            assert isinstance(table.refusal, RuleViolation)
            texts.append((table.refusal.what, table.refusal.where, table.refusal.rule, table.refusal.remedy))
        assert texts[0] == texts[1]


# --- the fixtures -----------------------------------------------------------------------------------------------------


def played(name: str) -> tuple[Story, list[Any]]:
    """Return the fixture's game after an order file, with all its events."""
    table, events = three_players(), list[Any]()
    for raw in fixture_orders(name):
        table.when(raw).then_accepted()
        events += table.events
    return table, events


class TestTheFixtures:
    def test_every_step_is_opened_in_one_of_the_order_files(self) -> None:
        opened = {event.step for name in FILES for event in played(name)[1] if isinstance(event, StepOpened)}
        by_itself = {"begins"}  # opened with the game
        assert {step.id for step in TITLE.plan.leaves()} - by_itself <= opened

    def test_every_place_is_visited(self) -> None:
        seen: set[str] = set()
        for name in FILES:
            for event in played(name)[1]:
                if isinstance(event, StepOpened | StepClosed | StepPassed):
                    seen.update(TITLE.plan.around(event.step))
        assert set(TITLE.plan.places) - seen == set()

    def test_full_round_plays(self) -> None:
        table, events = played("full-round")
        assert table.game.turn == 2
        assert table.game.cursor.waiting() == ("letnev",)
        owners = {
            planet: table.game.markers.get(f"control/{planet}") for planet in ("lodor", "quann", "vefut", "arnor")
        }
        assert owners == {"lodor": "sol", "quann": "mentak", "vefut": None, "arnor": None}
        lost = {event.unit: event.rule for event in events if isinstance(event, UnitRemoved)}
        assert lost["letnev-ground-force-6"] == "IC.4"  # the last die of the invasion
        assert lost["letnev-pds-2"] == "IC.5"
        assert {lost["letnev-destroyer-1"], lost["sol-destroyer-2"]} == {"SB.3"}  # each other
        assert here(table, "void") == []
        assert table.game.units["letnev-war-sun-1"].get("damaged") is True  # the mine
        assert table.game.accounts["mines/vefut-space/mentak"] == 1

    def test_siege_of_jord_plays(self) -> None:
        table, _ = played("siege-of-jord")
        assert table.game.markers["control/jord"] == "letnev"
        assert here(table, "jord", "sol") == []
        assert len(here(table, "arnor-space", "mentak")) == 4

    @pytest.mark.parametrize("name", FILES)
    def test_order_files_are_plain_lines_with_pips(self, name: str) -> None:
        lines = (FIXTURES / "orders" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        assert all({"as", "order"} <= json.loads(line).keys() for line in lines)
        assert tomllib.loads(TEXT)["dice"] == "table"
