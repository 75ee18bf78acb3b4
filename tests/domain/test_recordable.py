"""Test that an event which would not be read back unchanged is refused before it is recorded."""

import pytest

from tests.face.domain import (
    AccountChanged,
    GameOpened,
    NoteAdded,
    RuleViolation,
    decode,
    recordable,
)


def test_event_read_back_unchanged_is_recorded() -> None:
    note = NoteAdded(text="a fine day")
    assert decode(recordable(note, "turn 1")) == note


def test_number_beyond_reader_limits_is_refused() -> None:
    paid = AccountChanged(account="vp", amount=2**53, before=0, after=2**53)
    with pytest.raises(RuleViolation) as refused:
        recordable(paid, "turn 1")
    assert (refused.value.rule, refused.value.where) == ("events", "turn 1")
    assert (refused.value.code, refused.value.fields["event"]) == ("not-recordable", "account.changed")
    assert "$.amount" in str(refused.value.fields["why"])


def test_names_that_become_one_are_refused() -> None:
    twice = GameOpened(
        game="g", title="freeform", version="1", name="g", sides=(), dice="table", scenario={"a": {1: "x", "1": "y"}}
    )
    with pytest.raises(RuleViolation) as refused:
        recordable(twice, "")
    assert (refused.value.code, refused.value.fields["event"]) == ("not-recordable", "game.opened")
    assert "$" not in str(refused.value.fields["why"])  # no field is at fault
