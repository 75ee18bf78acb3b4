"""An order is recorded whole, once, after the last record; a copy is a separate game."""

from __future__ import annotations

import pytest

from tests.face.ledger import (
    EMPTY_ROOT,
    CannotBeWritten,
    Draft,
    GameExists,
    Ledger,
    NoSuchRecord,
    PendingOrder,
    PositionConflict,
)
from tests.ledger.table import Numbers, Tally, number, play


class TestAppend:
    def test_order_is_numbered_timed_and_hashed(self, ledger: Ledger[Numbers]) -> None:
        first = play(ledger, "syracuse-1", [1, 2])
        second = play(ledger, "syracuse-1", [3])
        assert [record.position for record in first + second] == [1, 2, 3]
        assert [record.at for record in first] == ["2026-11-21T12:00:01.000000Z"] * 2
        assert [record.prior for record in first] == [EMPTY_ROOT.hex(), None]
        assert second[0].prior == ledger.checkpoint("syracuse-1", 2).hex
        assert ledger.verify("syracuse-1").valid

    def test_answer_equals_stored_records(self, ledger: Ledger[Numbers]) -> None:
        answer = play(ledger, "g", [1, 2])
        assert tuple(ledger.records("g")) == answer
        assert [record.encode() for record in answer] == list(ledger.lines("g"))

    def test_every_record_has_its_own_salt(self, ledger: Ledger[Numbers]) -> None:
        play(ledger, "g", [1, 1, 1], [1])
        assert len({record.salt for record in ledger.records("g")}) == 4

    def test_repeated_order_id_is_answered_and_not_recorded(self, ledger: Ledger[Numbers]) -> None:
        first = ledger.append("g", after=0, seat="a", command="c1", drafts=[number(1), number(2)])
        ledger.append("g", after=2, seat="a", command="c2", drafts=[number(3)])
        for after in (0, 2, 3):
            again = ledger.append("g", after=after, seat="a", command="c1", drafts=[number(1), number(2)])
            assert again == first
        assert ledger.size("g") == 3

    def test_order_at_another_position_gets_conflict_with_size(self, ledger: Ledger[Numbers]) -> None:
        play(ledger, "g", [1], [2])
        for after in (0, 1, 3, 1000):
            with pytest.raises(PositionConflict) as refusal:
                ledger.append("g", after=after, seat="a", command="late", drafts=[number(9)])
            assert (refusal.value.expected, refusal.value.found) == (after, 2)
            assert f"#{after}" in refusal.value.remedy
        assert ledger.size("g") == 2

    def test_cause_is_stored_with_its_draft(self, ledger: Ledger[Numbers]) -> None:
        drafts = [number(1), Draft(event=b'{"n":2}', cause=b'{"order":"roll"}', visible_to=("athens",))]
        public, secret = ledger.append("g", after=0, seat="athens", command="c", drafts=drafts)
        assert not public.cause
        assert bytes(secret.cause) == b'{"order":"roll"}'
        assert secret.visible_to == ("athens",)

    def test_clock_without_time_zone_is_refused(self) -> None:
        from datetime import datetime  # noqa: PLC0415

        with (
            Ledger.open(":memory:", Tally(), clock=lambda: datetime(2026, 11, 21)) as ledger,
            pytest.raises(ValueError, check=lambda error: type(error) is ValueError),
        ):
            play(ledger, "g", [1])

    def test_games_do_not_mix(self, ledger: Ledger[Numbers]) -> None:
        play(ledger, "g", [1])
        play(ledger, "h", [10], [20])
        play(ledger, "g", [2])
        assert (ledger.state("g"), ledger.state("h")) == ((1, 2), (10, 20))
        assert [(game.id, game.size) for game in ledger.games()] == [("g", 2), ("h", 2)]
        assert ledger.games()[0].opened_at == "2026-11-21T12:00:01.000000Z"
        assert ledger.games()[0].last_at == "2026-11-21T12:00:04.000000Z"


class TestSeveralOrders:
    ORDERS = (
        PendingOrder(seat="a", command="c1", drafts=[number(1), number(2)]),
        PendingOrder(seat="b", command="c2", drafts=[number(3)]),
    )

    def test_several_orders_have_their_own_prior(self, ledger: Ledger[Numbers]) -> None:
        answers = ledger.append_many("g", after=0, orders=self.ORDERS)
        assert [[record.position for record in answer] for answer in answers] == [[1, 2], [3]]
        assert answers[1][0].prior == ledger.checkpoint("g", 2).hex
        assert ledger.verify("g").valid

    def test_all_of_them_again_are_answered_again(self, ledger: Ledger[Numbers]) -> None:
        answers = ledger.append_many("g", after=0, orders=self.ORDERS)
        assert ledger.append_many("g", after=0, orders=self.ORDERS) == answers
        assert ledger.size("g") == 3

    def test_known_order_id_stops_all_orders(self, ledger: Ledger[Numbers]) -> None:
        ledger.append("g", after=0, seat="b", command="c2", drafts=[number(3)])
        with pytest.raises(CannotBeWritten, match=r"\bc2\b"):
            ledger.append_many("g", after=1, orders=self.ORDERS)
        assert ledger.state("g") == (3,)

    def test_order_id_twice_in_a_batch_stops_all_orders(self, ledger: Ledger[Numbers]) -> None:
        with pytest.raises(CannotBeWritten, match=r"\bc1\b"):
            ledger.append_many("g", after=0, orders=[self.ORDERS[0], self.ORDERS[0]])
        assert ledger.games() == ()

    def test_none_of_them_is_nothing(self, ledger: Ledger[Numbers]) -> None:
        assert ledger.append_many("g", after=0, orders=()) == ()
        assert ledger.games() == ()


class TestFork:
    def test_copy_to_a_position_has_same_events_and_own_hashes(self, ledger: Ledger[Numbers]) -> None:
        play(ledger, "g", [1, 2], [3], [4])
        ledger.append("g", after=4, seat="referee", command="back", drafts=[number(5, follows=2)])
        assert ledger.fork("g", 5, "what-if") == 5
        assert ledger.state("what-if") == ledger.state("g") == (1, 2, 5)
        for old, new in zip(ledger.records("g"), ledger.records("what-if"), strict=True):
            assert (old.at, old.seat, old.command, old.follows, bytes(old.event)) == (
                new.at,
                new.seat,
                new.command,
                new.follows,
                bytes(new.event),
            )
            assert old.salt != new.salt
        assert ledger.verify("what-if").valid
        assert ledger.checkpoint("what-if") != ledger.checkpoint("g")

    def test_copy_can_end_inside_an_order(self, ledger: Ledger[Numbers]) -> None:
        play(ledger, "g", [1, 2, 3])
        ledger.fork("g", 2, "h")
        assert play(ledger, "h", [9])[0].position == 3
        assert ledger.state("h") == (1, 2, 9)
        assert ledger.verify("h").valid

    def test_copy_over_an_existing_game_is_refused(self, ledger: Ledger[Numbers]) -> None:
        play(ledger, "g", [1])
        play(ledger, "h", [2])
        for there in ("g", "h"):
            with pytest.raises(GameExists, match=r"\b1\b"):
                ledger.fork("g", 1, there)
        with pytest.raises(NoSuchRecord):
            ledger.fork("g", 2, "i")
        assert ledger.state("h") == (2,)
