"""Check games with a scenario's own sequence of play: they are played, recorded and read back like a title's."""

from pathlib import Path

import msgspec
import pytest

import umpire_ledger as umpire
from tests.face.desk import find_title_of
from tests.face.domain import (
    AccountChanged,
    ChoiceRevealed,
    ChoiceSealed,
    DiceRolled,
    Game,
    GameOpened,
    MarkerSet,
    Scenario,
    ScenarioError,
    StepClosed,
    StepOpened,
    StepPassed,
    UnitChanged,
    UnitMoved,
    UnitRemoved,
    events_of,
    fold,
    freeform_TITLE as TITLE,
    read_scenario,
)
from tests.face.testing import Player, Story, opened
from tests.naming import Naming

SCENARIOS = Path(__file__).parents[2] / "fixtures" / "freeform" / "your-own"
FILES = sorted(SCENARIOS.glob("*.toml"))
FORD = Path(__file__).parents[2] / "fixtures" / "freeform" / "scenarios" / "ford.toml"
MOST = 500
"""Orders of a random game."""


def text_of(name: str, *mended: tuple[str, str]) -> str:
    """Return a scenario's text with some passages replaced."""
    text = (SCENARIOS / f"{name}.toml").read_text(encoding="utf-8")
    for old, new in mended:
        assert old in text
        text = text.replace(old, new)
    return text


def scenario_of(name: str, *mended: tuple[str, str]) -> Scenario:
    return read_scenario(text_of(name, *mended), TITLE.scenario)


def ridge(*mended: tuple[str, str]) -> Story:
    return Story(TITLE, scenario_of("ridge", *mended))


def cup(*mended: tuple[str, str]) -> Story:
    return Story(TITLE, scenario_of("cup", *mended))


def moving(table: Story) -> Story:
    """Move red-1 to 0201, so that blue may react."""
    return table.play(
        {"as": "red", "order": "pick", "member": "red-1"},
        {"as": "red", "order": "move", "unit": "red-1", "path": ["0201"]},
        {"as": "red", "order": "done"},
    )


def test_unit_that_did_not_move_draws_no_reaction() -> None:
    table = ridge().play({"as": "red", "order": "pick", "member": "red-1"})
    table.when({"as": "red", "order": "done"}).then(StepPassed, step="4.2")
    table.then_open("4")


def test_losses_step_opens_after_fire_only() -> None:
    table = ridge().play({"as": "red", "order": "done", "step": "4"}).then_open("5.1")
    table.when({"as": "red", "order": "done"}).then(StepPassed, step="5.2")
    table = ridge().play({"as": "red", "order": "done", "step": "4"})
    table.play({"as": "red", "order": "roll", "purpose": "fire at blue-1", "pips": [5]}, {"as": "red", "order": "done"})
    table.then_open("5.2")


def test_side_without_targets_does_not_fire() -> None:
    table = ridge().given(*(UnitRemoved(unit=one, fate="destroyed") for one in ("blue-1", "blue-2")))
    table.when({"as": "red", "order": "done", "step": "4"}).then(StepPassed, step="5.1", why="one side has no unit")


def mark(unit: str) -> dict[str, object]:
    return {"as": "blue", "order": "change", "unit": unit, "attribute": "fired", "to": True}


FIRE = {"as": "blue", "order": "done", "answer": "fire"}


def first_of(scenario: Scenario) -> GameOpened:
    """Return the event that opens a game."""
    first = next(iter(events_of(opened(TITLE, scenario, 1).told)))
    assert isinstance(first, GameOpened)
    return first


class TestReactionFire:
    def test_first_player_moves_one_unit_at_a_time(self) -> None:
        table = ridge().play({"as": "red", "order": "pick", "member": "red-1"}).then_open("4.1")
        table.when({"as": "red", "order": "move", "unit": "red-2", "path": ["0201"]}).then_refused(
            "unit-not-in-this-step", rule="4.1", unit="red-2", can="red-1"
        )
        table.when({"as": "red", "order": "move", "unit": "red-1", "path": ["0201"]}).then(UnitMoved, unit="red-1")

    def test_reaction_step_opens_after_each_move(self) -> None:
        moving(ridge()).then_open("4.2").when(FIRE).then(StepClosed, step="4.2", answer="fire", to="4.3")

    def test_hit_calls_the_procedure_and_removes_the_unit(self) -> None:
        table = moving(ridge()).play(FIRE)
        table.when({"as": "blue", "order": "throw"}, pips=(6,)).then(
            DiceRolled, table="fire", outcome="hit", rule="4.3"
        )
        table.then(MarkerSet, marker="fire result", after="hit")
        table.then(UnitRemoved, unit="red-1", fate="destroyed", rule="4.3")

    def test_miss_leaves_the_unit_in_play(self) -> None:
        table = moving(ridge()).play(FIRE)
        table.when({"as": "blue", "order": "throw"}, pips=(4,)).then_not(UnitRemoved).then(
            UnitChanged, unit="red-1", attribute="moved", after=True
        )

    def test_only_the_shooters_are_marked_in_the_step_that_says_so(self) -> None:
        table = moving(ridge()).play(FIRE)
        table.when(mark("blue-1")).then_accepted()
        table.when(mark("red-1")).then_refused("belongs-to-another-side", rule="4.3", named="red-1", owner="Red")

    def test_reaction_of_a_unit_that_has_fired_is_passed(self) -> None:
        table = moving(ridge(("and not fired) > 0", "and fired) > 0")))
        table.then(StepPassed, step="4.2", why="no other side has a unit that can still react")

    def test_reaction_by_night_is_passed(self) -> None:
        moving(ridge(("night = false", "night = true"))).then(StepPassed, step="4.2", why=Naming("night"))

    def test_marker_of_the_rules_set_by_a_player_is_refused(self) -> None:
        table = ridge(('allows = ["roll"]\nrolls', 'allows = ["roll", "mark"]\nrolls'))
        table.play({"as": "red", "order": "done"}).then_open("5.1")
        table.when({"as": "red", "order": "mark", "marker": "fire result", "to": "hit"}).then_refused(
            "written-by-the-rules-alone", rule="5.1", written="fire result"
        )


class TestTheCup:
    def test_chit_drawn_gives_its_side_the_turn(self) -> None:
        table = cup().then_open("2")
        table.when({"as": "crown", "order": "draw"}, pips=(3,)).then(DiceRolled, purpose=Naming("cup"), rule="2")
        table.then(MarkerSet, marker="cup", after=("crown", "crown", "rebels", "dusk"))
        table.then(MarkerSet, marker="chit", after="rebels")
        assert table.game.cursor.waiting() == ("rebels",)

    def test_last_chit_is_drawn_without_dice(self) -> None:
        table = cup(('["crown", "crown", "rebels", "rebels", "dusk"]', '["crown"]'))
        table.when({"as": "crown", "order": "draw"}).then_not(DiceRolled).then(MarkerSet, marker="chit", after="crown")

    def test_cup_step_ended_without_a_draw_is_refused(self) -> None:
        cup().when({"as": "crown", "order": "done"}).then_refused(
            "orders-required", rule="2", required=Naming("`draw`"), orders=("draw",)
        )

    def test_draw_from_an_empty_cup_is_refused(self) -> None:
        table = cup(('["crown", "crown", "rebels", "rebels", "dusk"]', "[]"))
        table.when({"as": "crown", "order": "draw"}).then_refused("cup-empty", rule="2", cup="cup")
        table.when({"as": "crown", "order": "done"}).then_accepted()

    def at_night(self) -> Story:
        return cup().play({"as": "crown", "order": "draw", "pips": [5]}).then_open("4")

    def test_both_seal_what_they_do_at_night_and_it_is_read_together(self) -> None:
        table = self.at_night()
        table.when({"as": "crown", "order": "seal-choice", "question": "night", "choice": "rest"}).then(ChoiceSealed)
        table.then_open("4")
        table.when({"as": "rebels", "order": "seal-choice", "question": "night", "choice": "raid"})
        table.then(ChoiceRevealed, side="rebels", choice="raid")
        table.then(AccountChanged, account="supply", amount=-1)

    def test_raid_step_without_a_raid_is_passed(self) -> None:
        table = self.at_night()
        table.play({"as": "crown", "order": "seal-choice", "question": "night", "choice": "rest"})
        table.when({"as": "rebels", "order": "seal-choice", "question": "night", "choice": "rest"})
        table.then(StepPassed, step="4.2", why="nobody raids")

    def test_another_question_or_answer_is_refused(self) -> None:
        table = self.at_night()
        table.when({"as": "crown", "order": "seal-choice", "question": "day", "choice": "rest"}).then_refused(
            "other-question", rule="4", question="night"
        )
        table.when({"as": "crown", "order": "seal-choice", "question": "night", "choice": "sing"}).then_refused(
            "not-an-answer", rule="4", given="sing", choices=("rest", "raid")
        )
        table.when({"as": "crown", "order": "done"}).then_refused(
            "orders-required", rule="4", required=Naming("night", "`seal-choice`")
        )


GAMES = 60
"""Some steps come once in twenty games."""


class TestRandomPlay:
    @pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
    def test_random_play_never_sticks_and_reaches_every_step(self, file: Path) -> None:
        scenario = read_scenario(file.read_text(encoding="utf-8"), TITLE.scenario)
        reached: set[str] = set()
        steps = {step.id for step in TITLE.with_sequence(scenario.sequence(), scenario.options).plan.leaves()}
        ended = 0
        for seed in range(GAMES):
            game = opened(TITLE, scenario, seed).game
            player = Player(TITLE.of(game), seed)
            for _ in range(MOST):
                if game.ended:
                    break
                _, decision = player.choose(game)
                game = decision.game
                reached |= {event.step for event in events_of(decision.told) if isinstance(event, StepOpened)}
            ended += bool(game.ended)
        assert not steps - reached
        assert ended == GAMES


class TestTheLog:
    def test_sequence_is_in_the_first_record_only(self) -> None:
        scenario = scenario_of("ridge")
        first = first_of(scenario)
        assert first.sequence == scenario.sequence()
        assert not first.sequence.keys() & first.scenario.keys()

    def test_game_without_a_sequence_records_none(self) -> None:
        scenario = read_scenario(FORD.read_text(encoding="utf-8"), TITLE.scenario)
        first = first_of(scenario)
        assert b'"sequence"' not in msgspec.json.encode(first)
        assert TITLE.of(opened(TITLE, scenario, 1).game) is TITLE

    def test_log_with_an_unknown_sequence_is_rebuilt(self) -> None:
        first = first_of(scenario_of("ridge"))
        unknown = msgspec.structs.replace(first, sequence={"play": [{"dance": "1"}]})
        assert fold(Game(), [unknown]).name == "The ridge"

    def test_game_with_an_unknown_sequence_has_no_title(self) -> None:
        decided = tuple(events_of(opened(TITLE, scenario_of("ridge"), 1).told))
        later = msgspec.structs.replace(decided[0], sequence={"play": [{"dance": "1"}]})
        assert find_title_of(fold(Game(), [later, *decided[1:]])) is None

    def test_from_a_file_through_the_ledger_and_out_again(self, tmp_path: Path) -> None:
        with umpire.open(tmp_path / "one.db") as desk:
            game = desk.new("freeform", SCENARIOS / "ridge.toml", id="ridge", dice="table")
            red, blue = game.seat("red"), game.seat("blue")
            red.order({"order": "pick", "member": "red-1"})
            red.order({"order": "move", "unit": "red-1", "path": ["0201"]})
            red.done()
            assert blue.status.open == ("4.2",)
            game.referee.rewind("4.1", why="the wrong hex")
            assert red.status.open == ("4.1",)
            red.order({"order": "move", "unit": "red-1", "path": ["0102"]})
            red.done()
            blue.order({"order": "done", "answer": "hold"})
            midway = game.referee.scenario()
            again = desk.new_from_text("freeform", midway, id="again")
            assert again.where == game.where
            game.export(tmp_path / "ridge.jsonl")
        with umpire.open(tmp_path / "two.db") as desk:
            assert desk.import_log(tmp_path / "ridge.jsonl").seat("red").status.open == ("4",)


class TestOpening:
    def test_new_refuses_what_the_checks_fault(self) -> None:
        with pytest.raises(ScenarioError) as refused:
            opened(TITLE, scenario_of("ridge", ('then = [{ to = "casualty"', 'then = [{ to = "casulty"')), 1)
        assert refused.value.where == "$.play[5]"
        assert refused.value.what == Naming("4.3", "casulty")

    def test_option_of_the_file_is_set_on_opening(self) -> None:
        with umpire.open(":memory:") as desk:
            game = desk.new("freeform", SCENARIOS / "ridge.toml", id="r", options={"night": True})
            title = game.title
            assert title is not None
            assert title.options["night"] is True
            with pytest.raises(ScenarioError) as refused:
                desk.new("freeform", SCENARIOS / "ridge.toml", id="s", options={"mist": True})
        assert refused.value.what == Naming("mist")

    def test_its_page_is_printed_from_the_file(self) -> None:
        lines = umpire.sequence(SCENARIOS / "cup.toml")
        assert [line["id"] for line in lines][:4] == ["day", "1", "impulse", "2"]
        assert umpire.orders(SCENARIOS / "cup.toml", "draw")[0].steps == ("2",)
