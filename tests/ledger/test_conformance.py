"""The eventsourcing library's own conformance suite, run on our recorders, mapper and factory."""

from __future__ import annotations

import tempfile
from pathlib import Path
from uuid import UUID, uuid4

from eventsourcing.persistence import (
    AggregateRecorder,
    ApplicationRecorder,
    ProcessRecorder,
    TrackingRecorder,
)
from eventsourcing.sqlite import SQLiteTrackingRecorder
from eventsourcing.tests.persistence import (
    AggregateRecorderTestCase,
    ApplicationRecorderTestCase,
    InfrastructureFactoryTestCase,
    NonInterleavingNotificationIDsBaseCase,
    ProcessRecorderTestCase,
    TrackingRecorderTestCase,
)
from eventsourcing.utils import Environment

from tests.ledger.table import open_table, play
from umpire_ledger.ledger.codec import Filed, RecordMapper, StoredRecord
from umpire_ledger.ledger.record import Record
from umpire_ledger.ledger.store_sqlite import (
    Datastore,
    LedgerFactory,
    LedgerProcessRecorder,
    LedgerRecorder,
    SnapshotRecorder,
)


class InAFile:
    """Each test its own ledger file, with text ids."""

    ids = "text"

    def datastore(self) -> Datastore:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)  # type: ignore[attr-defined]
        store = Datastore(str(Path(folder.name) / "umpire.db"), originator_id_type=self.ids)  # type: ignore[arg-type]
        self.addCleanup(store.close)  # type: ignore[attr-defined]
        return store

    def new_originator_id(self) -> UUID | str:
        return f"game-{uuid4()}" if self.ids == "text" else uuid4()


class InMemory(InAFile):
    def datastore(self) -> Datastore:
        store = Datastore(":memory:", originator_id_type=self.ids)  # type: ignore[arg-type]
        self.addCleanup(store.close)  # type: ignore[attr-defined]
        return store


class Recorders(InAFile):
    def create_recorder(self) -> LedgerRecorder:
        recorder = LedgerRecorder(self.datastore())
        recorder.create_table()
        return recorder


class TestSnapshotRecorder(InAFile, AggregateRecorderTestCase):
    def create_recorder(self) -> AggregateRecorder:
        recorder = SnapshotRecorder(self.datastore())
        recorder.create_table()
        return recorder


class TestSnapshotRecorderInMemory(InMemory, TestSnapshotRecorder):
    pass


class TestSnapshotRecorderWithUuids(TestSnapshotRecorder):
    ids = "uuid"


class TestLedgerRecorder(Recorders, ApplicationRecorderTestCase[ApplicationRecorder]):
    pass


class TestLedgerRecorderInMemory(InMemory, Recorders, ApplicationRecorderTestCase[ApplicationRecorder]):
    pass


class TestLedgerRecorderWithUuids(Recorders, ApplicationRecorderTestCase[ApplicationRecorder]):
    ids = "uuid"


class TestNonInterleaving(Recorders, NonInterleavingNotificationIDsBaseCase):
    pass


class TestTracking(InAFile, TrackingRecorderTestCase):
    def create_recorder(self) -> TrackingRecorder:
        store = self.datastore()
        store.prepare()
        recorder = SQLiteTrackingRecorder(store)
        recorder.create_table()
        return recorder


class TestProcessRecorder(InAFile, ProcessRecorderTestCase):
    def create_recorder(self) -> ProcessRecorder:
        recorder = LedgerProcessRecorder(self.datastore())
        recorder.create_table()
        return recorder


class OurTracking(SQLiteTrackingRecorder):
    pass


class TestFactory(InfrastructureFactoryTestCase[LedgerFactory]):
    def setUp(self) -> None:
        self.env = Environment("TestCase")
        self.env[LedgerFactory.PERSISTENCE_MODULE] = "umpire_ledger.ledger.store_sqlite:LedgerFactory"
        self.env[LedgerFactory.SQLITE_DBNAME] = ":memory:"
        super().setUp()

    def expected_factory_class(self) -> type[LedgerFactory]:
        return LedgerFactory

    def expected_aggregate_recorder_class(self) -> type[AggregateRecorder]:
        return SnapshotRecorder

    def expected_application_recorder_class(self) -> type[ApplicationRecorder]:
        return LedgerRecorder

    def expected_tracking_recorder_class(self) -> type[TrackingRecorder]:
        return SQLiteTrackingRecorder

    def tracking_recorder_subclass(self) -> type[TrackingRecorder]:
        return OurTracking

    def expected_process_recorder_class(self) -> type[ProcessRecorder]:
        return LedgerProcessRecorder


class TestMapper:
    def test_a_row_is_the_line_under_one_word_for_ever(self) -> None:
        with open_table() as ledger:
            (record,) = play(ledger, "g", [1])
            mapper = ledger.mapper
            assert isinstance(mapper, RecordMapper)
            row = mapper.to_stored_event(Filed("g", record))
            assert row == StoredRecord("g", 1, "record", record.encode(), command="order 1", follows=None)
            assert mapper.to_domain_event(row) == Filed("g", Record.decode(row.state))

    def test_what_the_mapper_writes_through_the_library_is_what_the_ledger_would_have_written(self) -> None:
        with open_table() as ledger, open_table() as copy:
            play(ledger, "g", [1, 2], [3])
            copy.events.put([Filed("g", record) for record in ledger.records("g")])
            assert list(copy.lines("g")) == list(ledger.lines("g"))
            assert copy.verify("g") == ledger.verify("g")
            assert copy.answer("g", "order 1") == ledger.answer("g", "order 1")


# The suite's base classes are tests too when pytest sees them here.
del (
    AggregateRecorderTestCase,
    ApplicationRecorderTestCase,
    InfrastructureFactoryTestCase,
    NonInterleavingNotificationIDsBaseCase,
    ProcessRecorderTestCase,
    TrackingRecorderTestCase,
)
