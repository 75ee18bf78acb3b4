"""Check that a record is one line, whose stored bytes are the hashed bytes."""

from __future__ import annotations

import msgspec
import pytest
from msgspec import Raw

from tests.face.ledger import (
    CannotBeWritten,
    Draft,
    Ledger,
    Record,
    fault,
)
from tests.ledger.table import Numbers, number

WHOLE = Record(
    position=7,
    at="2026-11-21T01:22:33.123456Z",
    seat="athens",
    command="c1",
    prior="ab" * 32,
    follows=2,
    visible_to=("athens", "referee"),
    salt="cd" * 16,
    cause=Raw(b'{"order": "move"}'),
    event=Raw(b'{"type":"unit.moved",  "to":"0101"}'),
)
BAD_EVENTS = [b"", b"7", b"[]", b'{"n":1', b'{"n":1}}', b'{"n":\n1}', b'{"n":"\xff"}', b" {}", b'{"n":NaN}']


class TestLine:
    def test_fields_have_the_order_of_the_format(self) -> None:
        fields = b"position at seat command prior follows visible_to salt cause event".split()
        places = [WHOLE.encode().index(b'"%s":' % field) for field in fields]
        assert places == sorted(places)

    def test_event_and_cause_keep_their_bytes_blanks_and_all(self) -> None:
        line = WHOLE.encode()
        assert b'"cause":{"order": "move"},"event":{"type":"unit.moved",  "to":"0101"}}' in line
        assert Record.decode(line).encode() == line
        assert not fault(WHOLE, line)

    def test_absent_field_is_omitted_and_empty_visibility_is_kept(self) -> None:
        everybody = Record(position=1, at="", seat="a", command="c", salt="", event=Raw(b"{}")).encode()
        nobody = Record(position=1, at="", seat="a", command="c", salt="", event=Raw(b"{}"), visible_to=()).encode()
        assert b"visible_to" not in everybody
        assert b'"visible_to":[]' in nobody

    def test_unknown_field_is_refused(self) -> None:
        with pytest.raises(msgspec.DecodeError, match="unknown field"):
            Record.decode(WHOLE.encode()[:-1] + b',"more":1}')


class TestRedaction:
    def test_event_cause_and_salt_go_and_the_leaf_stays(self) -> None:
        redacted = WHOLE.redact()
        assert redacted.redacted
        assert not WHOLE.redacted
        assert redacted.leaf("g") == WHOLE.leaf("g")
        for secret in (b"0101", b"move", b"cd" * 16):
            assert secret not in redacted.encode()

    def test_redacted_record_can_be_read_and_redacted_again(self) -> None:
        redacted = WHOLE.redact()
        assert Record.decode(redacted.encode()) == redacted == redacted.redact()
        assert not fault(redacted, redacted.encode())

    @pytest.mark.parametrize(
        "change",
        [
            {"position": 8},
            {"at": "2026-11-21T01:22:33.123457Z"},
            {"seat": "sparta"},
            {"command": "c2"},
            {"prior": "ac" * 32},
            {"prior": None},
            {"follows": 3},
            {"follows": None},
            {"visible_to": ()},
            {"visible_to": None},
            {"visible_to": ("athens",)},
            {"salt": "ce" * 16},
            {"cause": Raw(b"{}")},
            {"event": Raw(b"{}")},
        ],
    )
    def test_every_field_is_in_the_leaf(self, change: dict[str, object]) -> None:
        assert msgspec.structs.replace(WHOLE, **change).leaf("g") != WHOLE.leaf("g")

    def test_game_is_part_of_the_leaf(self) -> None:
        assert WHOLE.leaf("g") != WHOLE.leaf("h")


class TestUnwritableRecords:
    @pytest.mark.parametrize("event", BAD_EVENTS)
    def test_event_other_than_one_json_object_is_refused(self, ledger: Ledger[Numbers], event: bytes) -> None:
        with pytest.raises(CannotBeWritten) as refusal:
            ledger.append("g", after=0, seat="a", command="c", drafts=[Draft(event=event)])
        assert refusal.value.where == "g #1"
        assert ledger.games() == ()

    @pytest.mark.parametrize("game", ["", "two words", "a+b", "a\nb", "\ud800", "x" * 201, "tab\t"])
    def test_game_id_invalid_as_origin_is_refused(self, ledger: Ledger[Numbers], game: str) -> None:
        with pytest.raises(CannotBeWritten) as new:
            ledger.append(game, after=0, seat="a", command="c", drafts=[number(1)])
        ledger.append("g", after=0, seat="a", command="c", drafts=[number(1)])
        with pytest.raises(CannotBeWritten) as copy:
            ledger.fork("g", 1, game)
        assert new.value.what == copy.value.what
        assert repr(game)[1:40] in new.value.what
        assert [one.id for one in ledger.games()] == ["g"]

    @pytest.mark.parametrize(("seat", "command"), [("", "c"), ("a", ""), ("\udc00", "c")])
    def test_seat_or_order_id_without_text_is_refused(self, ledger: Ledger[Numbers], seat: str, command: str) -> None:
        with pytest.raises(CannotBeWritten):
            ledger.append("g", after=0, seat=seat, command=command, drafts=[number(1)])

    def test_visibility_for_invalid_seat_is_refused(self, ledger: Ledger[Numbers]) -> None:
        for seats in (("athens", ""), ("\ud800",)):
            with pytest.raises(CannotBeWritten) as refusal:
                ledger.append("g", after=0, seat="a", command="c", drafts=[number(1, visible_to=seats)])
            assert repr(seats[-1]) in refusal.value.what

    def test_record_following_itself_or_later_is_refused(self, ledger: Ledger[Numbers]) -> None:
        for follows in (1, 2, -1):
            with pytest.raises(CannotBeWritten, match=rf"#1\b.*#{follows}\b"):
                ledger.append("g", after=0, seat="a", command="c", drafts=[number(1, follows=follows)])

    def test_order_without_events_or_with_two_causes_is_refused(self, ledger: Ledger[Numbers]) -> None:
        with pytest.raises(CannotBeWritten):
            ledger.append("g", after=0, seat="a", command="c", drafts=[])
        twice = [Draft(event=b"{}", cause=b"{}"), Draft(event=b"{}", cause=b"{}")]
        with pytest.raises(CannotBeWritten):
            ledger.append("g", after=0, seat="a", command="c", drafts=twice)
        ledger.append("g", after=0, seat="a", command="c", drafts=[twice[0], Draft(event=b"{}")])
