"""Test the audit trail: one plain line for each record, found by any detail that a player remembers."""

from typing import get_args

import pytest

from tests.at_least_one import at_least_one
from tests.face.domain import (
    AnyEvent,
    DiceRolled,
    Event,
    Modifier,
    StepOpened,
    Unreadable,
)
from tests.face.projections import (
    AuditLine,
    Filter,
    audit_lines,
    rolls,
    text_of,
)
from tests.naming import Naming
from tests.projections.table import BLUE, RED, Table, one_of_each

AUDIT_KEYS = {
    *("position", "at", "turn", "step", "seat", "event", "text", "rule", "dice", "cause", "counts", "visible_to"),
}


def look(table: Table, **wanted: object) -> list[AuditLine]:
    return list(audit_lines(table.follow().views.connection, "g", "referee", Filter(**wanted)))  # type: ignore[arg-type]


class TestWords:
    def test_every_event_type_has_its_words(self) -> None:
        silent = {kind for kind in (Unreadable, *get_args(AnyEvent)) if kind.audit_text is Event.audit_text}
        assert not silent

    def test_every_line_is_one_line_and_names_what_it_is_about(self) -> None:
        for event in at_least_one(one_of_each()):
            text = text_of(event)
            assert text == text.strip()
            assert "\n" not in text
            for field in ("unit", "account", "marker", "step", "loop", "dispute", "seat", "question"):
                if named := getattr(event, field, ""):
                    assert named in text, (field, text)

    def test_roll_text_has_dice_modifiers_target_and_outcome(self) -> None:
        (rolled,) = (event for event in one_of_each() if isinstance(event, DiceRolled))
        assert text_of(rolled) == (
            "roll 1, boarding blue-1: 2d6: 4 3, +1 manpower, -2 fatigue = 6 on boarding, row 6..8;"
            " needs 6 or more: captured"
        )

    def test_modifier_in_dice_expression_has_no_source(self) -> None:
        plus = Modifier(amount=1, source="1d6+1")
        rolled = DiceRolled(roll=2, purpose="a ram", dice="1d6+1", pips=(4,), total=5, modifiers=(plus,))
        assert text_of(rolled) == Naming("2, a ram: 1d6+1: 4, +1 = 5")


class TestTrail:
    def test_audit_has_one_line_per_record_with_stable_keys(self, lesson: Table) -> None:
        lines = look(lesson)
        assert [line.position for line in lines] == list(range(1, lesson.size + 1))
        assert set(AuditLine.__struct_fields__) >= AUDIT_KEYS

    def test_record_has_the_step_and_turn_in_which_it_happened(self, lesson: Table) -> None:
        lesson.play(RED, "seal-choice", question="plan", choice="north")
        sealed = look(lesson, event="choice.sealed")
        assert [(line.turn, line.step, line.seat) for line in sealed] == [(1, "1", RED)]

    def test_audit_followed_from_the_middle_is_the_same(self, lesson: Table) -> None:
        """Follow after each order, including a rewind to a position before the follower began."""
        for side in (RED, BLUE):
            lesson.play(side, "seal-choice", question="plan", choice="north").play(side, "done")
        lesson.follow().play(RED, "pick", member="0202").play("referee", "rewind", to="1", why="again").follow()
        lesson.play("referee", "note", text="we are back")
        (note,) = look(lesson, event="note.added")
        assert (note.turn, note.step) == (1, "1")

    def test_record_with_two_open_steps_has_its_authors_step(self, table: Table) -> None:
        table.lay_down(
            StepOpened(step="5-A", name="attack", waits=(RED,)), StepOpened(step="5-B", name="", waits=(BLUE,))
        )
        table.play(BLUE, "note", text="mine").play("referee", "note", text="both")
        assert [line.step for line in look(table, event="note.added")] == ["5-B", "5-A / 5-B"]
        assert [line.text for line in look(table, event="note.added", step="5-A")] == ["note: both"]

    def test_record_with_three_open_steps_has_its_authors_steps(self, table: Table) -> None:
        table.lay_down(
            StepOpened(step="5-A", name="attack", waits=(RED,)),
            StepOpened(step="5-B", name="", waits=(BLUE,)),
            StepOpened(step="5-C", name="", waits=(BLUE,)),
        )
        table.play(BLUE, "note", text="mine").play(RED, "note", text="mine too")
        assert [line.step for line in look(table, event="note.added")] == ["5-B / 5-C", "5-A"]

    def test_rewind_between_two_abandoned_branches_counts(self, table: Table) -> None:
        """Rewind, play on, and rewind again to the record of the first rewind."""
        for place in ("0102", "0103"):
            table.play(RED, "move", unit="red-1", path=[place])
        one = table.size - 1
        table.play("referee", "rewind", to=f"#{one}", why="again")
        rewound = table.size
        table.play(RED, "move", unit="red-1", path=["0104"])
        table.play("referee", "rewind", to=f"#{rewound}", why="and again")
        assert table.ledger.branch("g").stretches == ((1, one), (rewound, rewound), (table.size, table.size))
        counted = [line.position for line in look(table) if line.counts]
        assert counted == [*range(1, one + 1), rewound, table.size]

    def test_cause_is_on_one_record_of_an_order(self, table: Table) -> None:
        table.play(RED, "move", unit="red-1", path=["0102"])
        line = look(table)[-1]
        assert line.cause == {"as": RED, "order": "move", "unit": "red-1", "path": ["0102"]}

    def test_rewound_records_are_shown_on_request_only(self, table: Table) -> None:
        table.play(RED, "move", unit="red-1", path=["0102"]).play(RED, "undo")
        assert look(table, event="unit.moved") == []
        (moved,) = look(table, event="unit.moved", all_lines=True)
        assert not moved.counts


class TestSearch:
    @pytest.fixture
    def fought(self, table: Table) -> Table:
        table.lay_down(*one_of_each())
        table.play("referee", "undo", why="it went on")
        table.play(RED, "roll", dice="1d6", purpose="ramming blue-1", subjects=["red-1"], rule="E.2; 7.3")
        table.play(RED, "roll", dice="1d6", purpose="the wind", rule="E.21")
        table.play(BLUE, "move", unit="blue-1", path=["red-1"], cause="boarded by red-12")
        return table.play(RED, "move", unit="red-1", path=["0505"])

    def test_search_by_unit_is_exact(self, fought: Table) -> None:
        events = [line.event for line in look(fought, unit="red-1")]
        assert events == ["unit.placed", "dice.rolled", "unit.moved"]

    @pytest.mark.parametrize("unit", ["the red ship", "--", "ü-1", "100%"])
    def test_search_by_unit_finds_any_unit_id(self, fought: Table, unit: str) -> None:
        fought.play(RED, "place", unit=unit, side=RED, kind="ship", at="0101")
        assert [line.units for line in look(fought, unit=unit)] == [(unit,)]

    def test_search_by_rule_is_exact(self, fought: Table) -> None:
        assert [line.rule for line in look(fought, rule="E.2")] == ["E.2; 7.3"]
        assert [line.rule for line in look(fought, rule="7.3")] == ["E.2; 7.3"]
        fought.play(RED, "roll", purpose="sinking", rule="G.4 [7.17]")
        assert [line.rule for line in look(fought, rule="7.17")] == ["G.4 [7.17]"]
        assert [line.rule for line in look(fought, rule="G.4 [7.17]")] == ["G.4 [7.17]"]
        assert look(fought, rule="7.1") == []

    def test_search_by_dice_finds_rolls(self, fought: Table) -> None:
        assert {line.event for line in look(fought, dice=True)} == {"dice.rolled"}

    def test_search_by_seat_and_by_side_differ(self, fought: Table) -> None:
        fought.play("referee", "take-seat", taker="anna", side=BLUE).play("anna", "note", text="here")
        assert {line.seat for line in look(fought, seat=BLUE)} == {BLUE}
        assert {line.seat for line in look(fought, side=BLUE)} == {BLUE, "anna"}

    def test_search_by_words_finds_other_forms(self, fought: Table) -> None:
        """Test stemming: `ram` finds `ramming`, and `boarding` finds `boarded`."""
        assert [line.event for line in look(fought, text="rams")] == ["dice.rolled"]
        assert [line.event for line in look(fought, text="boarding")] == ["unit.moved"]
        assert [line.event for line in look(fought, text="boar*")] == ["unit.moved"]

    def test_all_words_must_occur_and_quoted_ones_together(self, fought: Table) -> None:
        assert look(fought, text="wind ramming") == []
        assert len(look(fought, text='"the wind"')) == 1
        assert look(fought, text='"wind the"') == []

    @pytest.mark.parametrize("text", ["AND", "NEAR(", '"', "a-b", "text:", "*", "(", "'; DROP TABLE audit", "ü"])
    def test_search_text_never_raises(self, fought: Table, text: str) -> None:
        assert isinstance(look(fought, text=text), list)

    def test_search_by_positions_finds_a_range(self, fought: Table) -> None:
        assert [line.position for line in look(fought, start=2, stop=4)] == [2, 3, 4]

    def test_newest_first_and_no_more_than_asked_for(self, fought: Table) -> None:
        connection = fought.follow().views.connection
        for wanted in (Filter(), Filter(text="red")):
            every = [line.position for line in audit_lines(connection, "g", RED, wanted)]
            few = [line.position for line in audit_lines(connection, "g", RED, wanted, newest_first=True, limit=2)]
            assert few == every[::-1][:2]

    def test_ranked_search_returns_the_best_hits_first(self, fought: Table) -> None:
        fought.play(RED, "note", text="red red red").play(RED, "note", text="red sails in the sunset of a long evening")
        connection = fought.follow().views.connection
        best = next(audit_lines(connection, "g", RED, Filter(text="red", event="note.added"), ranked=True))
        assert best.text == "note: red red red"

    def test_two_games_are_searched_apart(self, fought: Table) -> None:
        fought.follow()
        assert list(audit_lines(fought.views.connection, "another", RED, Filter(text="ramming"))) == []


class TestDice:
    def test_every_roll_with_everything_it_was_made_of(self, table: Table) -> None:
        table.play(RED, "roll", dice="2d6+1", purpose="a ram", needed="7 or more", rule="E.2")
        (roll,) = rolls(table.follow().views.connection, "g", BLUE)
        assert (roll.roll, roll.purpose, roll.dice, roll.needed, roll.rule) == (1, "a ram", "2d6+1", "7 or more", "E.2")
        assert roll.modifiers == ({"amount": 1, "source": "2d6+1"},)
        assert roll.total == sum(roll.pips) + 1

    def test_rewound_roll_is_kept_among_all_rolls(self, table: Table) -> None:
        table.play(RED, "roll", purpose="a storm").play("referee", "undo", why="a slip").follow()
        assert rolls(table.views.connection, "g", RED) == []
        (roll,) = rolls(table.views.connection, "g", RED, all_lines=True)
        assert not roll.counts
