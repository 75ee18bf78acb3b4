"""Play games of six published shapes, each from one scenario: one class for the mechanism of each."""

from typing import Any

import pytest

from tests.cli.terminal import Terminal
from tests.docs import pages
from tests.face.domain import (
    DiceRolled,
    GameEnded,
    MarkerSet,
    StepOpened,
    StepPassed,
    UnitChanged,
    UnitMoved,
    UnitRemoved,
    freeform_TITLE as TITLE,
)
from tests.face.testing import OWN, Story
from tests.naming import Naming
from tests.titles.test_own_sequences import FILES, scenario_of


def table_of(name: str, *mended: tuple[str, str]) -> Story:
    return Story(TITLE, scenario_of(name, *mended))


def order(seat: str, name: str, **more: Any) -> dict[str, Any]:
    return {"as": seat, "order": name, **more}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_own_game_has_a_recording_and_is_on_the_page(file: Any) -> None:
    assert (OWN / "orders" / f"{file.stem}.jsonl").is_file()
    assert (OWN / "replays" / f"{file.stem}.jsonl").is_file()
    assert f"`{file.name}`" in (pages.ROOT / "docs" / "reference" / "scenario-language.md").read_text(encoding="utf-8")
    assert f"`{file.name}`" in (OWN.parent / "SOURCE.md").read_text(encoding="utf-8")


LOOKS = ("status", "audit", "undo-points", "conformance", "dice", "map", "units", "times", "lines", "verify", "sitrep")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_own_game_after_import_answers_every_look_and_continues(file: Any, tmp_path: Any) -> None:
    """Use the recorded game alone, without the scenario's file."""
    terminal, game = Terminal(tmp_path), file.stem
    terminal.ok("import", str(OWN / "replays" / f"{game}.jsonl"))
    for look in LOOKS:
        assert terminal.ok(look, game).out
    points = terminal.ok("undo-points", game, "--json").json
    middle = str(points[len(points) // 2]["position"])
    terminal.ok("scenario", game, "--at", middle, "-o", "midway.toml")
    terminal.ok("scenario", "--check", "midway.toml")
    terminal.ok("new", "freeform", "--id", "again", "--scenario", "midway.toml")
    there = terminal.ok("status", game, "--at", middle, "--json").json
    assert terminal.ok("status", "again", "--json").json["open"] == there["open"]


class TestCardAnswers:
    def played(self) -> Story:
        table = table_of("citadel").play(order("crown", "draw", pips=[4]))
        return table.when(order("crown", "play-card", card="assault"))

    def test_card_stops_play_for_the_other_side(self) -> None:
        table = self.played().then_open("3.1")
        table.then(StepOpened, step="3.1", waits=("town",))

    def test_foil_cancels_the_card_and_play_continues(self) -> None:
        table = self.played().when(order("town", "foil"))
        table.then(MarkerSet, marker="played", before="assault", after="none")
        table.then(StepPassed, step="4.1", why="there is no assault")

    def test_without_an_answer_the_card_takes_effect(self) -> None:
        table = self.played().play(order("town", "done", answer="let")).then_open("4.1")
        table.when(order("crown", "done")).then_refused("orders-required", rule="4.1", orders=("storm",))
        table.when(order("crown", "storm"), pips=(5,)).then(DiceRolled, table="assault", outcome="walls 2, supply 0")
        assert table.game.accounts["walls"] == 4

    def test_answer_without_cards_in_the_hand_is_passed(self) -> None:
        table = table_of("citadel", ('"hand/town" = ["foil"]', '"hand/town" = []')).play(
            order("crown", "draw", pips=[4])
        )
        table.when(order("crown", "play-card", card="assault"))
        table.then(StepPassed, step="3.1", why="the other side has no card to answer with")

    def test_answer_without_a_foil_in_the_hand_is_passed(self) -> None:
        table = table_of("citadel", ('"hand/town" = ["foil"]', '"hand/town" = ["supply"]'))
        table.play(order("crown", "draw", pips=[4])).when(order("crown", "play-card", card="assault"))
        table.then(StepPassed, step="3.1", why="the other side has no card to answer with")

    def test_hand_without_a_card_to_play_is_not_asked(self) -> None:
        table = table_of("citadel", ('"hand/crown" = ["assault"]', '"hand/crown" = []'))
        table.when(order("crown", "draw", pips=[6])).then(
            StepPassed, step="2", why="the active side has no card to play"
        )
        assert table.game.markers["hand/crown"] == ("foil",)

    def test_card_outside_the_hand_is_refused(self) -> None:
        table = table_of("citadel").play(order("crown", "draw", pips=[4]))
        table.when(order("crown", "play-card", card="breach")).then_refused("requirement-not-met", rule="2")

    def test_of_two_cards_that_are_alike_one_is_played(self) -> None:
        table = table_of("citadel").play(order("crown", "draw", pips=[1]))
        table.when(order("crown", "play-card", card="assault")).then(
            MarkerSet, marker="hand/crown", before=("assault", "assault"), after=("assault",)
        )


class TestSimultaneousOrders:
    def read(self) -> Story:
        sealed = (order(side, "seal-choice", question="orders", choice=side) for side in ("north", "south", "east"))
        return table_of("courts").play(*sealed).then_open("3")

    def laid_out(self, *orders: dict[str, Any]) -> Story:
        left = (order(side, "done") for side in ("north", "south", "east"))
        return self.read().play(*orders, *left).then_open("4")

    def test_supported_move_dislodges_the_defender(self) -> None:
        table = self.laid_out(
            order("north", "head-for", unit="n-2", goal="plain"), order("north", "support", unit="n-3", supported="n-2")
        ).when(order("north", "march", unit="n-2"))
        table.then(UnitMoved, unit="n-2", path=("moor", "plain"))
        table.then(UnitChanged, unit="e-2", attribute="driven_out", after=True)
        table.play(order("north", "done")).then_open("5")
        table.when(order("east", "done")).then_refused(
            "orders-required", rule="5", required="retreat with it, or disband it: e-2", orders=("retreat", "disband")
        )
        table.when(order("east", "retreat", unit="e-2", refuge="moor")).then_refused("requirement-not-met", rule="5.1")
        table.when(order("east", "retreat", unit="e-2", refuge="port")).then_refused("requirement-not-met", rule="5")
        table.when(order("east", "retreat", unit="e-2", refuge="steppe")).then(UnitMoved, unit="e-2")

    def test_march_of_equal_strengths_is_refused(self) -> None:
        table = self.laid_out(
            order("north", "head-for", unit="n-2", goal="plain"), order("south", "head-for", unit="s-2", goal="plain")
        )
        table.when(order("north", "march", unit="n-2")).then_refused("requirement-not-met", rule="4.1")

    def test_march_against_an_equal_defender_is_refused(self) -> None:
        table = self.laid_out(order("north", "head-for", unit="n-2", goal="plain"))
        table.when(order("north", "march", unit="n-2")).then_refused("requirement-not-met", rule="4.2")

    def test_march_waits_for_units_that_head_for_a_place(self) -> None:
        table = self.laid_out(order("north", "head-for", unit="n-2", goal="plain"))
        table.then(StepOpened, step="4", waits=("north",))

    def test_side_without_units_is_not_asked_what_they_do(self) -> None:
        table = table_of("courts")
        table.given(UnitRemoved(unit="s-1", fate="disbanded"), UnitRemoved(unit="s-2", fate="disbanded"))
        table.play(*(order(side, "seal-choice", question="orders", choice="hold") for side in ("north", "south")))
        table.when(order("east", "seal-choice", question="orders", choice="hold"))
        table.then(StepOpened, step="3", waits=("north", "east"))

    def test_written_orders_are_hidden_until_all_are_written(self) -> None:
        table = table_of("courts")
        table.when(order("north", "seal-choice", question="orders", choice="n-2 to plain")).then_open("1")
        assert table.told[-1] is not None
        table.when(order("south", "head-for", unit="s-2", goal="plain")).then_refused(
            "not-allowed-now", rule="1", order="head-for", orders=("seal-choice",)
        )


class TestImpulsesOfAreas:
    def test_two_who_pass_end_the_day(self) -> None:
        table = table_of("bridges")
        for side in ("attack", "defence"):
            table.play(order(side, "done", answer="pass"), order(side, "look-at-the-sky", pips=[6, 6]))
        assert table.game.turn == 2

    def test_dusk_falls_on_a_roll_below_the_number_of_impulses(self) -> None:
        table = table_of("bridges")
        for side in ("attack", "defence"):
            table.play(order(side, "activate", area="landing" if side == "attack" else "town"), order(side, "done"))
            table.play(order(side, "look-at-the-sky", pips=[6, 6]))
        table.play(order("attack", "activate", area="landing"), order("attack", "done"))
        table.when(order("attack", "look-at-the-sky"), pips=(1, 1)).then(MarkerSet, marker="dusk", after=True)

    def test_side_without_a_fresh_unit_passes_its_impulse(self) -> None:
        table = table_of("bridges").play(order("attack", "done", answer="pass"))
        table.given(*(UnitChanged(unit=one, attribute="spent", before=False, after=True) for one in ("d-1", "d-2")))
        table.when(order("attack", "look-at-the-sky", pips=[6, 6]))
        table.then(StepPassed, step="2", why="the side whose impulse it is has no fresh unit")
        table.then_open("4")
        assert table.game.markers["passed"] == 2

    def test_only_the_area_of_the_impulse_acts(self) -> None:
        table = table_of("bridges").play(order("attack", "activate", area="landing"))
        table.when(order("attack", "march", who=["d-1"], goal="wood")).then_refused("requirement-not-met", rule="3.1")
        table.when(order("attack", "march", who=["a-1", "a-2"], goal="wood")).then(UnitMoved, unit="a-2")

    def test_both_throw_and_the_loser_is_spent_and_then_lost(self) -> None:
        table = table_of("bridges").play(
            order("attack", "activate", area="landing"), order("attack", "march", who=["a-1"], goal="wood")
        )
        table.play(order("attack", "done"), order("attack", "look-at-the-sky", pips=[6, 6]))
        table.play(order("defence", "done", answer="pass"), order("defence", "look-at-the-sky", pips=[6, 6]))
        table.given(UnitMoved(unit="a-2", path=("landing", "wood")), UnitMoved(unit="a-3", path=("landing", "wood")))
        table.play(order("attack", "activate", area="wood"))
        table.when(order("attack", "assault", unit="a-2", target="d-1"), pips=(6, 6, 1, 1)).then(
            UnitChanged, unit="d-1", attribute="spent", after=True
        )
        table.then_not(UnitRemoved)
        table.when(order("attack", "assault", unit="a-3", target="d-1"), pips=(6, 6, 1, 1)).then(
            UnitRemoved, unit="d-1", fate="destroyed"
        )


class TestMiniaturesFromTheCup:
    def test_hits_are_each_rolled_for_a_second_time(self) -> None:
        table = table_of("farm").play(order("blue", "draw", pips=[2]), order("grey", "pick", member="g-picket"))
        table.when(
            order("grey", "shoot", group="g-picket", target="b-skirmishers", inches=6), pips=(4, 4, 5, 1, 6, 2, 3)
        )
        table.then(DiceRolled, dice="4d6", needed=Naming(4), outcome=Naming(3, 4))
        table.then(DiceRolled, dice="3d6", needed=Naming(5), outcome=Naming(1, 3), purpose=Naming("b-skirmishers"))
        table.then(UnitChanged, unit="b-skirmishers", attribute="figures", before=4, after=3)
        table.then(UnitChanged, unit="b-skirmishers", attribute="shaken", before=0, after=2)

    def test_another_group_waits_for_its_chit(self) -> None:
        table = table_of("farm").play(order("blue", "draw", pips=[2]), order("grey", "pick", member="g-picket"))
        table.when(order("grey", "go", group="g-line", spot="1,1", inches=4)).then_refused(
            "requirement-not-met", rule="3.1"
        )


class TestBattleCycle:
    def test_labels_are_in_printed_order(self) -> None:
        scenario = scenario_of("pacific-cycle")
        steps = [one.id for one in TITLE.with_sequence(scenario.sequence(), {}).plan.leaves()]
        letters = list(dict.fromkeys(one.split("/")[0][:5] for one in steps if one.startswith("5.2.")))
        assert letters[1:] == [f"5.2.{letter}" for letter in "ABCDEFGHIJKLMNO"]

    def test_ships_of_both_sides_make_a_hex_one_of_battle(self) -> None:
        table = table_of("pacific-cycle", ('at = "0305"', 'at = "0803"'))
        table.play(order("allies", "light", pips=[1]), order("allies", "done"))
        table.play(order("allies", "bid-for-advantage", pips=[9, 2]), order("allies", "done"))
        for step in ("5.2.C/move", "5.2.C/search", "5.2.D"):
            table.play(order("allies", "done", step=step))
            if step == "5.2.C/search":
                table.play(order("japan", "done", step=step))
        table.play(order("allies", "pick", member="0803")).then_open("5.2.E.a")

    def test_night_and_surprise_are_modifiers(self) -> None:
        table = table_of("pacific-cycle", ('at = "0305"', 'at = "0803"'), ('lighting = "none"', 'lighting = "night"'))
        table.play(order("allies", "light", pips=[9]), order("allies", "done"))
        table.play(order("allies", "bid-for-advantage", pips=[9, 2]), order("allies", "done"))
        table.play(order("allies", "done", step="5.2.C/move"), order("allies", "done", step="5.2.C/search"))
        table.play(order("japan", "done", step="5.2.C/search"), order("allies", "done", step="5.2.D"))
        table.play(order("allies", "surprise", pips=[9]))
        table.when(order("japan", "salvo", ship="j-cruisers", target="a-carrier"), pips=(4,))
        (rolled,) = (event for event in table.events if isinstance(event, DiceRolled))
        assert [(one.amount, one.source) for one in rolled.modifiers] == [
            (-5, "gunnery of j-cruisers"),
            (2, "night"),
            (-1, "surprise"),
        ]

    def test_operation_ends_when_the_cycle_is_closed(self) -> None:
        table = table_of("pacific-cycle", ("activated = true", "activated = false"))
        for _ in range(30):
            if table.game.ended:
                break
            for step in table.game.cursor.open:
                if step.step == "5.2.A":
                    table.play(order("allies", "light", pips=[1]))
                if step.step == "5.2.B":
                    table.play(order("allies", "bid-for-advantage", pips=[9, 2]))
                for side in step.waits:
                    table.play(order(side, "done", step=step.step))
        table.then(GameEnded, why="both inflicted the same damage", winner="")
        assert table.game.accounts["day"] == 7
