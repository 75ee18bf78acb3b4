"""Check that a ledger shows the same records to all its readers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.face.ledger import Filed, Ledger
from tests.ledger.table import Numbers, number, open_table, play


class TestLedger:
    def test_reader_sees_records_of_another_writer(self, place: str) -> None:
        with open_table(place) as writer, open_table(place) as reader:
            play(writer, "g", [1])
            assert reader.state("g") == (1,)
            play(writer, "g", [2])
            assert reader.state("g") == (1, 2)
            play(reader, "g", [3])
            assert play(writer, "g", [4])[0].prior == reader.checkpoint("g", 3).hex
            writer.append("g", after=4, seat="a", command="back", drafts=[number(5, follows=1)])
            assert reader.state("g") == (1, 5)
            assert reader.verify("g").valid

    def test_library_recorder_returns_the_same_records(self, ledger: Ledger[Numbers]) -> None:
        play(ledger, "g", [1], [2])
        play(ledger, "h", [3])
        assert [filed.record for filed in ledger.events.get("g") if isinstance(filed, Filed)] == list(
            ledger.records("g")
        )
        notices = ledger.notification_log.select(1, 10)
        assert [(notice.originator_id, notice.originator_version) for notice in notices] == [
            ("g", 1),
            ("g", 2),
            ("h", 1),
        ]

        def count(_: object, filed: Iterable[Any]) -> Any:
            return sum(1 for _ in filed)

        assert ledger.repository.get("g", projector_func=count) == 2
