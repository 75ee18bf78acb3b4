"""War Galley as a whole: its labels, the fixture's two turns, and random play that is never stuck."""

import re

import pytest

from tests.at_least_one import at_least_one
from tests.face.domain import (
    PRINTED,
    DiceRolled,
    Done,
    LoopOpened,
    Order,
    PlayJumped,
    RuleViolation,
    Sent,
    StepOpened,
    UnitChanged,
    UnitRemoved,
    WarGalleyScenario,
    check,
    decide,
    fold,
    read_scenario,
    war_galley_TITLE as TITLE,
)
from tests.face.testing import Story
from tests.titles.war_galley_table import (
    BATTLE,
    Wild,
    battle,
    fixture_orders,
    flag,
    great_harbour,
    possible,
    scenario,
    ship,
)

SMALL = (
    flag("athens-1", "0505", "left", admiral=True, command_range=4),
    flag("athens-2", "0805", "right"),
    ship("athens-3", "0306", natural_sails=True),
    flag("syracuse-1", "0508", "foe"),
    ship("syracuse-2", "0808"),
)
LABELS = (
    *("A", "B", "C", "D", "E", "E.1", "E.2", "E.3", "E.4", "F", "F.1", "F.2", "F.3", "F.4", "F.5"),
    *("G", "G.1", "G.2", "G.2a", "G.2b", "G.2c", "G.3", "G.4", "H", "H.a", "H.b"),
)


def opened(table: Story) -> set[str]:
    """Return every step that was open or around an open one."""
    seen: set[str] = set()
    for taken in table.taken:
        for event in taken.events:
            if isinstance(event, StepOpened):
                seen.update((event.step, *event.path))
            elif isinstance(event, LoopOpened):
                seen.add(event.loop)
    return seen


class TestSequence:
    def test_every_printed_label_is_there_in_printed_order(self) -> None:
        assert tuple(place for place in TITLE.plan.places if place in LABELS) == LABELS
        assert tuple(PRINTED) == LABELS

    def test_labels_have_their_printed_paths(self) -> None:
        assert (PRINTED["F"], PRINTED["G.2b"], PRINTED["H.b"]) == ("5.5", "5.5.6.2/b", "5.5.7/b")

    def test_declaration_has_no_fault(self) -> None:
        assert check(TITLE) == ()

    def test_every_order_says_what_it_does_and_has_suggestions(self) -> None:
        assert all(one.order.__doc__ and one.tries for one in at_least_one(TITLE.orders))


@pytest.fixture(scope="module")
def played() -> Story:
    """Give the fixture's orders, none of which is refused."""
    return great_harbour().play(*fixture_orders())


def names(cause: str) -> list[str]:
    """Return the ships that a cause names."""
    return re.findall(r"(?:athens|syracuse)-\d+", cause)


class TestGreatHarbour:
    def test_two_turns_are_played_and_the_third_has_begun(self, played: Story) -> None:
        assert played.game.where == "turn 3 · A the wind · Athens and Syracuse"

    def test_every_label_is_visited(self, played: Story) -> None:
        assert set(TITLE.plan.places) - opened(played) == {"loss", "withdrawal"}, "no Admiral is lost in it"

    def test_fires_name_their_causes(self, played: Story) -> None:
        fires = [one for one in changes(played, "fire") if one.after]
        assert [(one.unit, names(one.cause)) for one in fires] == [
            ("athens-3", ["syracuse-3"]),
            ("syracuse-3", ["athens-3"]),
        ]
        assert not played.game.units["athens-3"].get("fire"), "put out in turn 2"
        assert played.game.units["syracuse-3"].get("fire")

    def test_boardings_name_ships_and_results(self, played: Story) -> None:
        boarded = [one for one in rolls(played) if one.table == "boarding"]
        assert [(one.subjects, one.total, one.outcome.split(",")[0]) for one in boarded] == [
            (("syracuse-1", "syracuse-2", "athens-2"), 10, "result captured"),
            (("athens-5", "syracuse-5"), 5, "result repelled"),
            (("syracuse-7", "athens-8"), 11, "result captured"),
            (("athens-1", "athens-2"), 11, "result captured"),
            (("athens-3", "syracuse-3"), 5, "result repelled"),
            (("athens-5", "syracuse-5"), 3, "result repelled"),
        ]
        assert [(one.unit, one.before, one.after) for one in changes(played, "captured_by")] == [
            ("athens-2", None, "syracuse"),
            ("athens-8", None, "syracuse"),
            ("athens-2", "syracuse", None),
        ]

    def test_sinkings_name_their_causes(self, played: Story) -> None:
        sunk = [event for event in events(played) if isinstance(event, UnitRemoved)]
        assert [(one.unit, one.fate, names(one.cause)) for one in sunk] == [
            ("athens-5", "sunk", []),
            ("syracuse-5", "sunk", ["athens-5"]),
        ]

    def test_points_add_up(self, played: Story) -> None:
        """Count the points: Athens rammed syracuse-7 and -6; Syracuse rammed athens-5, took athens-8, lost athens-2."""
        assert dict(played.game.accounts) == {"vp/athens": 4 + 4, "vp/syracuse": 3 + 5}

    def test_game_after_a_rewind_and_a_redo_is_the_same(self) -> None:
        table = great_harbour().play(*fixture_orders())
        before = table.game
        table.play({"as": "referee", "order": "rewind", "to": "G.1", "why": "quarrel about the fire"})
        assert table.game.turn == 2
        assert table.game.cursor.open[0].step == "G.1"
        table.play({"as": "referee", "order": "redo"})
        assert table.game == before


def events(table: Story) -> list[object]:
    return [event for taken in table.taken for event in taken.events]


def rolls(table: Story) -> list[DiceRolled]:
    return [event for event in events(table) if isinstance(event, DiceRolled)]


def changes(table: Story, attribute: str) -> list[UnitChanged]:
    return [event for event in events(table) if isinstance(event, UnitChanged) and event.attribute == attribute]


def refusal_of(table: Story, order: Order) -> RuleViolation | None:
    """Return the refusal of an order, or None, without giving it; missing dice are a refusal like any other."""
    try:
        decide(TITLE, table.game, Sent(order=order), table)
    except RuleViolation as refusal:
        return refusal
    return None


class TestRandomPlay:
    def test_random_play_never_sticks_and_reaches_every_order(self) -> None:
        seen: set[str] = set()
        given: set[str] = set()
        for seed in range(12):
            scenario = read_scenario(BATTLE.read_text(), WarGalleyScenario)
            table = Story(TITLE, scenario, dice="ledger", options={"withdrawal": True})
            wild = Wild(table, seed)
            wild.play(700)
            seen |= set(wild.seen)
            given |= set(wild.given)
            assert wild.refused, "random play that meets no refusal tries too little"
            whole = fold(table.states[0], (event for taken in table.taken for event in taken.events))
            assert whole == table.game
        assert set(TITLE.plan.places) - seen == set()
        assert {order.tag() for order in TITLE.decisions} - given == set()

    @pytest.mark.parametrize("seed", range(3))
    def test_small_fleets_fight_to_the_end(self, seed: int) -> None:
        table = Story(TITLE, scenario(*SMALL, victory={"turns": 12}), dice="ledger")
        Wild(table, seed).play(1500)
        assert table.game.ended

    def test_suggestions_are_decided_or_refused_with_a_remedy(self) -> None:
        table = great_harbour()
        for line in at_least_one(fixture_orders()):
            table.play(line)
            refusals = [refusal for order in possible(table) if (refusal := refusal_of(table, order))]
            bare = [one for one in refusals if not all((one.what, one.where, one.rule, one.remedy))]
            assert not bare

    def test_orders_never_jump(self) -> None:
        """Play War Galley in printed order: there are no jumps."""
        table = great_harbour().play(*fixture_orders())
        assert not any(isinstance(event, PlayJumped) for event in events(table))

    def test_referee_excuses_a_step_that_cannot_be_played(self) -> None:
        table = battle(*SMALL)
        table.when({"as": "referee", "order": "excuse", "step": "A", "reason": "the wind table is lost"})
        table.then_open("C.roll")
        table.when(Done(seat="referee")).then_refused("referee-has-no-side", rule="C.roll")
