"""The dice policy belongs to one rewind or one amendment, and ends with it."""

from pathlib import Path
from typing import Any

import pytest

import umpire_ledger as umpire
from tests.cli.terminal import Terminal
from tests.desk.game import FORD, DeskGame
from tests.face.domain import REFEREE, DiceRolled, PlayRewound
from tests.face.testing import FIXTURES
from tests.naming import Naming

POLICIES = ("keep", "keep-unless-new")
FIRE: dict[str, Any] = {"as": "red", "order": "roll", "dice": "6d6", "purpose": "fire"}
PAY: dict[str, Any] = {"as": "blue", "order": "pay", "account": "vp/blue", "amount": 1}


def amended(game: DeskGame, dice: str = "keep") -> int:
    """Pay as Blue, fire as Red, and amend the payment, which re-plays the fire. Return the position before both."""
    start = game.size
    game.play(PAY, FIRE)
    at = start + 1
    game.give(REFEREE, "amend", at=at, given={"order": "pay", "account": "vp/blue", "amount": 2}, why="x", dice=dice)
    return start


def ruled_back(game: DeskGame, to: int, **more: Any) -> None:
    back = {"order": "rewind", "to": to, **more}
    game.give(REFEREE, "rule", ruling="again", reason="x", grounds="house rule", orders=[back])


def last_policy(game: DeskGame) -> str:
    return [event.dice for _, event in game.events() if isinstance(event, PlayRewound)][-1]


def fires(game: DeskGame) -> DiceRolled:
    game.play(FIRE)
    return game.rolls()[-1]


class TestAmendment:
    @pytest.mark.parametrize("dice", POLICIES)
    def test_rule_with_rewind_rolls_new_dice(self, ford: DeskGame, dice: str) -> None:
        start = amended(ford, dice)
        ruled_back(ford, start)
        assert last_policy(ford) == "reroll"
        rolled = fires(ford)
        assert (rolled.kept, rolled.roll) == (0, 3)

    def test_rewind_rolls_new_dice(self, ford: DeskGame) -> None:
        start = amended(ford)
        ford.give(REFEREE, "rewind", to=start, why="x")
        assert fires(ford).kept == 0

    def test_undo_rolls_new_dice(self, ford: DeskGame) -> None:
        amended(ford)
        ford.give(REFEREE, "undo", why="x")
        assert fires(ford).kept == 0

    def test_agreed_rewind_rolls_new_dice(self, ford: DeskGame) -> None:
        start = amended(ford)
        ford.give("red", "ask-rewind", to=start, why="x")
        ford.give("blue", "consent")
        assert fires(ford).kept == 0

    def test_order_without_rewind_rolls_new_dice(self, ford: DeskGame) -> None:
        """Check that the replaced roll stays on the old branch; another of the same purpose is a new roll."""
        start = ford.size
        ford.play(FIRE)
        given = {"order": "pay", "account": "vp/red", "amount": 1}
        ford.give(REFEREE, "amend", at=start + 1, given=given, why="x")
        assert fires(ford).kept == 0

    def test_rewind_with_keep_reuses_rolls_of_its_own_branch(self, ford: DeskGame) -> None:
        start = amended(ford)
        ford.give(REFEREE, "rewind", to=start, why="x", dice="keep")
        assert fires(ford).thrown == 1

    def test_redo_of_amendment_rolls_new_dice(self, ford: DeskGame) -> None:
        amended(ford)
        ford.give(REFEREE, "undo", why="x")
        ford.give(REFEREE, "redo")
        assert fires(ford).kept == 0

    def test_restart_changes_nothing(self, desk_file: Path) -> None:
        game = DeskGame(desk_file)
        start = amended(game)
        game.close()
        again = DeskGame(desk_file)
        assert again.game.active_keep is None
        ruled_back(again, start)
        assert fires(again).kept == 0
        again.close()

    def test_table_dice_are_requested_after_an_amendment(self, desk_file: Path) -> None:
        game = DeskGame(desk_file, scenario=FORD, dice="table")
        start = game.size
        game.play(PAY, {**FIRE, "pips": [1, 2, 3, 4, 5, 6]})
        given = {"order": "pay", "account": "vp/blue", "amount": 2}
        game.give(REFEREE, "amend", at=start + 1, given=given, why="x")
        ruled_back(game, start)
        refusal = game.refused("red", "roll", dice="6d6", purpose="fire")
        assert refusal.code == "pips-missing"
        assert [refusal.fields[name] for name in ("purpose", "number", "faces")] == ["fire", 6, 6]
        game.play({**FIRE, "pips": [6, 5, 4, 3, 2, 1]})
        assert game.rolls()[-1].pips == (6, 5, 4, 3, 2, 1)
        game.close()

    def test_roll_in_the_same_ruling_is_new(self, ford: DeskGame) -> None:
        start = amended(ford)
        orders = [{"order": "rewind", "to": start}, {"order": "roll", "dice": "6d6", "purpose": "fire", "as": "red"}]
        ford.give(REFEREE, "rule", ruling="again", reason="x", grounds="house rule", orders=orders)
        assert ford.rolls()[-1].kept == 0

    def test_verify_recomputes_every_roll(self, tmp_path: Path) -> None:
        game = DeskGame(tmp_path / "umpire.db")
        start = amended(game)
        ruled_back(game, start)
        game.play(FIRE)
        game.give(REFEREE, "rewind", to=start, why="x", dice="keep")
        game.play(FIRE)
        game.give(REFEREE, "end", reason="night")
        game.give(REFEREE, "open-dice")
        game.close()
        with umpire.open(tmp_path / "umpire.db") as desk:
            checked = desk.game("g").verify()
            assert (checked.verdict.verdict, checked.dice, checked.findings) == ("VALID", 4, ())


class TestWaitingAmendment:
    """Place r2, fire and move r2 as Red, and drop the placing, so that the move stops the amendment."""

    @pytest.fixture
    def stopped(self, ford: DeskGame) -> DeskGame:
        ford.give("red", "place", unit="r2", side="red", kind="foot", at="0101")
        at = ford.size
        ford.give("red", "move", unit="r2", path=["0201"])
        ford.play(FIRE)
        ford.give(REFEREE, "amend", at=at, how="drop", why="x")
        return ford

    def test_continue_reuses_the_roll_and_then_it_ends(self, stopped: DeskGame) -> None:
        stopped.give(REFEREE, "amending", how="skip")
        assert stopped.rolls()[-1].thrown == 1
        assert (stopped.game.amending, stopped.game.active_keep) == (None, None)
        assert fires(stopped).kept == 0

    def test_order_given_meanwhile_reuses_the_roll(self, stopped: DeskGame) -> None:
        assert fires(stopped).thrown == 1

    def test_undo_meanwhile_keeps_the_policy_of_the_amendment(self, stopped: DeskGame) -> None:
        stopped.play(PAY)
        stopped.give(REFEREE, "undo", why="x")
        stopped.give(REFEREE, "amending", how="skip")
        assert stopped.rolls()[-1].thrown == 1
        assert fires(stopped).kept == 0

    def test_undo_meanwhile_by_seat_ends_with_the_amendment(self, stopped: DeskGame) -> None:
        stopped.play(PAY)
        stopped.give("blue", "undo")
        stopped.give(REFEREE, "amending", how="leave")
        assert fires(stopped).kept == 0

    @pytest.mark.parametrize("how", ["leave", "abort"])
    def test_end_without_the_rest_rolls_new_dice(self, stopped: DeskGame, how: str) -> None:
        stopped.give(REFEREE, "amending", how=how)
        assert stopped.game.active_keep is None
        assert fires(stopped).kept == 0

    def test_rewind_before_it_sets_a_policy_of_its_own(self, stopped: DeskGame) -> None:
        stopped.give(REFEREE, "rewind", to=stopped.opened_at(), why="x")
        assert fires(stopped).kept == 0


class TestNested:
    def test_amendment_ends_the_policy_of_the_rewind_before_it(self, ford: DeskGame) -> None:
        start = ford.size
        ford.play(FIRE)
        ford.give(REFEREE, "rewind", to=start, why="x", dice="keep")
        ford.play(PAY)
        paid = ford.size
        ford.give(REFEREE, "amend", at=paid, how="drop", why="x")
        assert fires(ford).kept == 0

    def test_rewind_inside_another_sets_its_own_policy(self, ford: DeskGame) -> None:
        start = ford.size
        ford.play(FIRE, FIRE)
        ford.give(REFEREE, "rewind", to=start, why="x", dice="keep")
        ford.play(FIRE)
        ford.give(REFEREE, "rewind", to=start, why="x")
        assert [fires(ford).kept, fires(ford).kept] == [0, 0]

    def test_undo_by_seat_keeps_what_the_referee_chose(self, ford: DeskGame) -> None:
        start = ford.size
        ford.play(FIRE)
        ford.give(REFEREE, "rewind", to=start, why="x", dice="keep")
        ford.play(PAY)
        ford.give("blue", "undo")
        assert fires(ford).thrown == 1

    def test_chain_ends_at_a_finished_amendment(self, ford: DeskGame) -> None:
        """Check that a later rewind that keeps dice does not restore a dropped roll."""
        start = ford.size
        ford.play(FIRE)
        given = {"order": "pay", "account": "vp/red", "amount": 1}
        ford.give(REFEREE, "amend", at=start + 1, given=given, why="x")
        ford.give(REFEREE, "rewind", to=start, why="x", dice="keep")
        assert fires(ford).kept == 0


class TestAnswer:
    """Every order that goes back names its policy and the rolls that can be reused."""

    @pytest.fixture
    def fired(self, terminal: Terminal) -> tuple[Terminal, int]:
        """Fire twice as Red; return the position before."""
        text = FORD.replace('dice = "table"', 'dice = "ledger"')
        (terminal.folder / "scenario.toml").write_text(text, encoding="utf-8")
        terminal.new()
        start = terminal.size()
        for purpose in ("fire", "loot"):
            terminal.ok("order", "ford", "roll", "--purpose", purpose, "--dice", "2d6", "--as", "red")
        return terminal, start

    @pytest.mark.parametrize("policy", ["reroll", *POLICIES])
    def test_rewind_and_rule_name_policy_and_rolls(self, fired: tuple[Terminal, int], policy: str) -> None:
        terminal, start = fired
        reusable = [] if policy == "reroll" else [start + 1, start + 2]
        words = ("--dice", policy, "--json")
        said = terminal.ok("rewind", "ford", "--to", str(start), "--why", "x", *words).json
        assert said["dice"] == {"policy": policy, "reused": [], "reusable": reusable}
        terminal.ok("redo", "ford")
        ruling = ("rule", "ford", "again", "--why", "x", "--grounds", "house", "--rewind", str(start))
        assert terminal.ok(*ruling, *words).json["dice"]["reusable"] == reusable
        assert f"dice: {policy}" in said["told"][-1]

    def test_default_of_each_command(self, fired: tuple[Terminal, int]) -> None:
        terminal, start = fired
        rewind = ("rewind", "ford", "--to", str(start), "--why", "x")
        assert terminal.ok(*rewind).out == Naming("reroll")
        assert terminal.ok("redo", "ford", "--json").json["dice"]["policy"] == "reroll"
        assert terminal.ok("undo", "ford", "--why", "x", "--json").json["dice"]["policy"] == "reroll"
        terminal.ok("redo", "ford")
        asked = terminal.ok("ask-rewind", "ford", "--to", str(start), "--why", "x", "--as", "red", "--json").json
        assert asked["dice"]["policy"] == "reroll"
        amend = ("amend", "ford", str(start + 1), "--why", "x", "--", "roll", "--purpose", "fire", "--dice", "2d6")
        assert terminal.ok(*amend).out == Naming("keep", f"#{start + 1}", f"#{start + 2}")

    def test_last_consent_names_policy(self, fired: tuple[Terminal, int]) -> None:
        terminal, start = fired
        terminal.ok("ask-rewind", "ford", "--to", str(start), "--why", "x", "--dice", "keep", "--as", "red")
        said = terminal.ok("consent", "ford", "--as", "blue", "--json").json
        assert said["dice"] == {"policy": "keep", "reused": [], "reusable": [start + 1, start + 2]}

    def test_amendment_json_names_reused_rolls(self, fired: tuple[Terminal, int]) -> None:
        terminal, start = fired
        amend = ("amend", "ford", str(start + 1), "--drop", "--why", "x", "--json")
        for check in (("--check",), ()):
            said = terminal.ok(*amend, *check).json
            assert said["dice"] == {"policy": "keep", "reused": [start + 2], "reusable": []}

    def test_rule_without_rewind_refuses_policy(self, fired: tuple[Terminal, int]) -> None:
        terminal, _ = fired
        words = ("rule", "ford", "no", "--why", "x", "--grounds", "house")
        answer = terminal.type_json(*words, "--dice", "keep")
        assert (answer.code, answer.error["where"], answer.error["rule"]) == (2, "dice", "rulings")
        terminal.ok(*words)

    def test_rule_with_two_policies_is_refused(self, fired: tuple[Terminal, int]) -> None:
        terminal, start = fired
        back = f'{{"order": "rewind", "to": {start}, "dice": "reroll"}}'
        words = ("rule", "ford", "no", "--why", "x", "--grounds", "house", "--order", back)
        answer = terminal.type_json(*words, "--dice", "keep")
        assert (answer.code, answer.error["where"], answer.error["rule"]) == (2, "dice", "rulings")
        assert answer.error["what"] == Naming("reroll", "keep")
        assert terminal.ok(*words, "--dice", "reroll", "--json").json["dice"]["policy"] == "reroll"

    def test_amend_continue_refuses_policy(self, fired: tuple[Terminal, int]) -> None:
        terminal, _ = fired
        answer = terminal.type_json("amend", "ford", "--continue", "--dice", "keep")
        assert (answer.code, answer.error["refusal_code"]) == (2, "usage")
        assert (answer.error["what"], answer.error["remedy"]) == (Naming("--continue"), Naming("--dice"))

    def test_secret_roll_is_listed_for_its_seats_only(self, tmp_path: Path) -> None:
        night = (FIXTURES / "freeform" / "scenarios" / "night-run.toml").read_text(encoding="utf-8")
        with umpire.open(tmp_path / "umpire.db") as desk:
            game = desk.new_from_text("freeform", night, id="night", dice="ledger")
            game.seat("wolves").order("hide", unit="wolves-1")
            start = game.size
            game.seat("wolves").order("roll", dice="1d6", purpose="depth")
            back = game.referee.rewind(start, why="x", dice="keep")
            assert back.dice is not None
            assert back.dice.reusable == (start + 1,)
            for seat in ("wolves", "convoy"):
                told = game.seat(seat).answered(back.command)
                assert told is not None
                assert told.dice == back.dice
