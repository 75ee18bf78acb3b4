"""A dry run rolls dice from a separate seed, reports this, and changes no real dice."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.cli.terminal import Terminal
from tests.desk.game import coded
from tests.face.cli import OTHER_DICE
from tests.face.desk import (
    BATCH,
    SEED,
    DryRunSession,
    Rehearsal,
    event_of,
    open_session,
)
from tests.face.domain import (
    DiceRolled,
    Epoch,
    draw,
    parse,
)
from tests.face.testing import FIXTURES

FORD = FIXTURES / "freeform" / "scenarios" / "ford.toml"
DICE = "20d6"
FIRE = {"as": "red", "order": "roll", "dice": DICE, "purpose": "fire"}
UNDO = {"as": "referee", "order": "undo", "why": "to try it"}


@pytest.fixture
def ford(tmp_path: Path) -> Iterator[umpire.PlayedGame]:
    with umpire.open(tmp_path / "club.ledger") as desk:
        yield desk.new("freeform", FORD, id="ford", dice="ledger")


def pips(outcome: umpire.Outcome) -> list[tuple[int, ...]]:
    return [one.event.pips for one in outcome.records if isinstance(one.event, DiceRolled)]


def of_seed(game: umpire.PlayedGame, seed: str, roll: int) -> tuple[int, ...]:
    return draw(Epoch(seed, game.id), roll, parse(DICE))


def lines(*orders: dict[str, Any]) -> list[tuple[int, dict[str, Any]]]:
    return list(enumerate(orders, 1))


def own_seed(game: umpire.PlayedGame) -> str:
    return game.ledger.state(game.id).seed


class TestPlayCheck:
    @pytest.mark.parametrize("orders", [(FIRE,), (FIRE, UNDO, FIRE)], ids=["play", "play that looks back"])
    def test_play_check_rolls_other_dice_and_reports_it(
        self, ford: umpire.PlayedGame, orders: tuple[dict[str, Any], ...]
    ) -> None:
        assert ford.play(lines(*orders), check=True).other_dice is True
        assert pips(ford.seat("red").order(FIRE)) == [of_seed(ford, own_seed(ford), 1)]
        assert ford.play(lines(FIRE)).other_dice is False

    def test_dry_run_without_dice_reports_no_other_seed(self, ford: umpire.PlayedGame) -> None:
        assert ford.play(lines({"as": "red", "order": "note", "text": "a fine day"}), check=True).other_dice is False

    @pytest.mark.parametrize("kind", [DryRunSession, Rehearsal])
    def test_dry_run_rolls_from_the_dry_run_seed(self, ford: umpire.PlayedGame, kind: type[Rehearsal]) -> None:
        with ford.ledger.tried("ford") as ledger:
            sitting = kind(ledger, "ford")
            sitting.order(FIRE)
            thrown = sitting.game.rolls
            told = (
                sitting._history.newest_first()
                if kind is DryRunSession
                else open_session(ledger, "ford")._history.newest_first()
            )
            shown = next(event.pips for taken in told for event in taken.events if isinstance(event, DiceRolled))
        assert (thrown, shown) == (1, of_seed(ford, SEED, 1))
        assert shown != of_seed(ford, own_seed(ford), 1)

    def test_play_check_reports_other_dice_in_text_and_json(self, terminal: Terminal, tmp_path: Path) -> None:
        terminal.ok("new", "freeform", "--id", "f", "--scenario", str(FORD), "--dice", "ledger")
        file = tmp_path / "orders.jsonl"
        file.write_text(json.dumps(FIRE) + "\n", encoding="utf-8")
        assert terminal.ok("play", "f", str(file), "--check").out.splitlines()[-1] == OTHER_DICE
        assert terminal.ok("play", "f", str(file), "--check", "--json").json["other_dice"] is True
        assert OTHER_DICE not in terminal.ok("play", "f", str(file)).out


class TestAmendCheck:
    def test_amend_check_rolls_other_dice_and_reports_it(self, ford: umpire.PlayedGame) -> None:
        first = pips(ford.seat("red").order(FIRE))
        at = ford.size
        tried = ford.referee.amend(at, how="reroll", why="a cocked die", check=True)
        assert (tried.other_dice, ford.size) == (True, at)
        kept = ford.referee.amend(at, {**FIRE, "rule": "7"}, why="the rule", check=True)
        assert kept.other_dice is False, "old pips that are kept are the game's own"
        done = ford.referee.amend(at, how="reroll", why="a cocked die")
        events = map(event_of, ford.ledger.records("ford"))
        again = [event.pips for event in events if isinstance(event, DiceRolled)]
        assert done.other_dice is False
        assert again == [*first, of_seed(ford, own_seed(ford), 2)]

    def test_amend_check_reports_other_dice_in_text_and_json(self, terminal: Terminal) -> None:
        terminal.ok("new", "freeform", "--id", "f", "--scenario", str(FORD), "--dice", "ledger")
        at = terminal.ok("order", "f", json.dumps(FIRE), "--json").json["position"]
        words = ("amend", "f", f"#{at}", "--reroll", "--why", "a cocked die", "--check")
        assert terminal.ok(*words).out.splitlines()[-1] == OTHER_DICE
        assert terminal.ok(*words, "--json").json["other_dice"] is True


def test_game_seed_differs_from_the_dry_run_seed(tmp_path: Path) -> None:
    # A copy without a seed cannot dry-run what it could not play.
    with umpire.open(tmp_path / "club.ledger") as desk:
        games = [desk.new("freeform", FORD, id=f"g{number}", dice="ledger") for number in range(5)]
        assert all(own_seed(one) != SEED for one in at_least_one(games))
        bare = msgspec.structs.replace(games[0].ledger.state("g0"), seed="")
        sitting = Rehearsal(games[0].ledger, "g0", batch=BATCH)
        sitting.game = bare
        with pytest.raises(umpire.Refused, check=coded("seed-not-here")):
            sitting.order(FIRE)
