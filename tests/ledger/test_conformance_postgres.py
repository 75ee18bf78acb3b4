"""The eventsourcing library's own conformance suite, run on our recorders and factory for PostgreSQL."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest

pytest.importorskip("psycopg")

from eventsourcing.persistence import AggregateRecorder, ApplicationRecorder, ProcessRecorder, TrackingRecorder
from eventsourcing.postgres import PostgresTrackingRecorder
from eventsourcing.tests.persistence import (
    AggregateRecorderTestCase,
    ApplicationRecorderTestCase,
    InfrastructureFactoryTestCase,
    NonInterleavingNotificationIDsBaseCase,
    ProcessRecorderTestCase,
    TrackingRecorderTestCase,
)
from eventsourcing.utils import Environment

from umpire_ledger.ledger.store_postgres import (
    Datastore,
    LedgerFactory,
    LedgerProcessRecorder,
    LedgerRecorder,
    SnapshotRecorder,
)


class InADatabase:
    """Each test its own database, with text ids."""

    ids: Any = "text"
    url: str

    @pytest.fixture(autouse=True)
    def _one(self, database: str) -> None:
        self.url = database

    def datastore(self) -> Datastore:
        store = Datastore(self.url, originator_id_type=self.ids)
        self.addCleanup(store.close)  # type: ignore[attr-defined]
        return store

    def new_originator_id(self) -> UUID | str:
        return f"game-{uuid4()}" if self.ids == "text" else uuid4()


class Recorders(InADatabase):
    def create_recorder(self) -> LedgerRecorder:
        recorder = LedgerRecorder(self.datastore())
        recorder.create_table()
        return recorder


class TestSnapshotRecorder(InADatabase, AggregateRecorderTestCase):
    def create_recorder(self) -> AggregateRecorder:
        recorder = SnapshotRecorder(self.datastore())
        recorder.create_table()
        return recorder


class TestLedgerRecorder(Recorders, ApplicationRecorderTestCase[ApplicationRecorder]):
    pass


class TestLedgerRecorderWithUuids(Recorders, ApplicationRecorderTestCase[ApplicationRecorder]):
    ids = "uuid"


class TestNonInterleaving(Recorders, NonInterleavingNotificationIDsBaseCase):
    pass


class TestTracking(InADatabase, TrackingRecorderTestCase):
    def create_recorder(self) -> TrackingRecorder:
        store = self.datastore()
        store.prepare()
        recorder = PostgresTrackingRecorder(store)
        recorder.create_table()
        return recorder


class TestProcessRecorder(InADatabase, ProcessRecorderTestCase):
    def create_recorder(self) -> ProcessRecorder:
        recorder = LedgerProcessRecorder(self.datastore())
        recorder.create_table()
        return recorder


class OurTracking(PostgresTrackingRecorder):
    pass


class TestFactory(InfrastructureFactoryTestCase[LedgerFactory]):
    @pytest.fixture(autouse=True)
    def _one(self, database: str) -> None:
        self.url = database

    def setUp(self) -> None:
        self.env = Environment("TestCase")
        self.env[LedgerFactory.PERSISTENCE_MODULE] = "umpire_ledger.ledger.store_postgres:LedgerFactory"
        self.env["POSTGRES_URL"] = self.url
        super().setUp()

    def expected_factory_class(self) -> type[LedgerFactory]:
        return LedgerFactory

    def expected_aggregate_recorder_class(self) -> type[AggregateRecorder]:
        return SnapshotRecorder

    def expected_application_recorder_class(self) -> type[ApplicationRecorder]:
        return LedgerRecorder

    def expected_tracking_recorder_class(self) -> type[TrackingRecorder]:
        return PostgresTrackingRecorder

    def tracking_recorder_subclass(self) -> type[TrackingRecorder]:
        return OurTracking

    def expected_process_recorder_class(self) -> type[ProcessRecorder]:
        return LedgerProcessRecorder


# The suite's base classes are tests too when pytest sees them here.
del (
    AggregateRecorderTestCase,
    ApplicationRecorderTestCase,
    InfrastructureFactoryTestCase,
    NonInterleavingNotificationIDsBaseCase,
    ProcessRecorderTestCase,
    TrackingRecorderTestCase,
)
