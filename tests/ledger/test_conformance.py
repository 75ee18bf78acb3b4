"""Run the eventsourcing library's own conformance suite on our recorders, mappers and factories of every store."""

from __future__ import annotations

from tests.face.ledger import (
    Filed,
    Record,
    RecordMapper,
    StoredRecord,
)
from tests.ledger.conformance import suite
from tests.ledger.table import open_table, play

globals().update(suite())


class TestMapper:
    def test_record_is_stored_as_its_line_under_one_topic(self) -> None:
        with open_table() as ledger:
            (record,) = play(ledger, "g", [1])
            mapper = ledger.mapper
            assert isinstance(mapper, RecordMapper)
            row = mapper.to_stored_event(Filed("g", record))
            assert row == StoredRecord("g", 1, "record", record.encode(), command="order 1", follows=None)
            assert mapper.to_domain_event(row) == Filed("g", Record.decode(row.state))

    def test_library_insert_writes_same_lines_as_ledger(self) -> None:
        with open_table() as ledger, open_table() as copy:
            play(ledger, "g", [1, 2], [3])
            copy.events.put([Filed("g", record) for record in ledger.records("g")])
            assert list(copy.lines("g")) == list(ledger.lines("g"))
            assert copy.verify("g") == ledger.verify("g")
            assert copy.answer("g", "order 1") == ledger.answer("g", "order 1")
