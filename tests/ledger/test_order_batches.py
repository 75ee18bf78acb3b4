"""Check that orders become records, and that records are grouped into orders again."""

from __future__ import annotations

import pytest

from tests.face.ledger import (
    CannotBeWritten,
    CompactRange,
    Draft,
    Ledger,
    PendingOrder,
    batches,
    orders_of,
    write_down,
)
from tests.ledger.table import Numbers, SlowClock, number, play


class TestOrdersOf:
    def test_recorded_orders_are_the_orders_that_were_given(self, ledger: Ledger[Numbers]) -> None:
        secret = Draft(event=b'{"n":2}', cause=b'{"order":"roll"}', visible_to=("athens",))
        ledger.append("g", after=0, seat="athens", command="c1", drafts=[number(1), secret])
        ledger.append("g", after=2, seat="referee", command="c2", drafts=[number(3, follows=0)])
        assert list(orders_of("g", ledger.records("g"))) == [
            PendingOrder(
                seat="athens", command="c1", drafts=[number(1), secret], at="2026-11-21T12:00:01.000000Z"
            ),
            PendingOrder(
                seat="referee", command="c2", drafts=[number(3, follows=0)], at="2026-11-21T12:00:02.000000Z"
            ),
        ]  # fmt: skip

    def test_redacted_record_cannot_be_copied(self, ledger: Ledger[Numbers]) -> None:
        play(ledger, "g", [1], [2])
        records = [record.redact() if record.position == 2 else record for record in ledger.records("g")]
        with pytest.raises(CannotBeWritten, match="#2"):
            list(orders_of("g", records))

    def test_copied_order_keeps_its_time_and_new_order_gets_now(self) -> None:
        drafts, then = [number(1)], "1999-12-31T23:59:59.000000Z"
        kept = PendingOrder(seat="a", command="c", drafts=drafts, at=then)
        assert write_down("g", CompactRange(), kept, SlowClock())[0].at == then
        new = PendingOrder(seat="a", command="c", drafts=drafts)
        assert write_down("g", CompactRange(), new, SlowClock())[0].at == "2026-11-21T12:00:01.000000Z"

    def test_batches_have_the_given_size(self) -> None:
        orders = [PendingOrder(seat="a", command=f"c{n}", drafts=[number(n)]) for n in range(5)]
        assert [len(batch) for batch in batches(orders, 2)] == [2, 2, 1]
        assert list(batches([], 2)) == []
