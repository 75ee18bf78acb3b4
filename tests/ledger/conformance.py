"""Run the eventsourcing library's own conformance suite on the recorders and factories of each store.

A place names a store and provides an empty one for each test; a case is one of the library's test classes.
"""

from __future__ import annotations

import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from eventsourcing.tests.persistence import (
    AggregateRecorderTestCase,
    ApplicationRecorderTestCase,
    InfrastructureFactoryTestCase,
    NonInterleavingNotificationIDsBaseCase,
    ProcessRecorderTestCase,
    TrackingRecorderTestCase,
)
from eventsourcing.utils import Environment


class Place:
    """A store that provides an empty ledger for each test."""

    ids = "text"
    module: str
    tracking: str
    setting: str

    @property
    def store(self) -> Any:
        """Module of the store; the classes have the same names in each module."""
        return import_module(self.module)

    def tracking_class(self) -> Any:
        module, _, name = self.tracking.partition(":")
        return getattr(import_module(module), name)

    def where(self) -> str:
        raise NotImplementedError

    def datastore(self) -> Any:
        datastore = self.store.Datastore(self.where(), originator_id_type=self.ids)
        self.addCleanup(datastore.close)  # type: ignore[attr-defined]
        return datastore

    def created(self, recorder: Any) -> Any:
        recorder.create_table()
        return recorder

    def new_originator_id(self) -> UUID | str:
        return f"game-{uuid4()}" if self.ids == "text" else uuid4()


class InMemory(Place):
    module = "umpire_ledger.ledger.storage.sqlite"
    tracking = "eventsourcing.sqlite:SQLiteTrackingRecorder"
    setting = "SQLITE_DBNAME"

    def where(self) -> str:
        return ":memory:"


class InAFile(InMemory):
    def where(self) -> str:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)  # type: ignore[attr-defined]
        return str(Path(folder.name) / "umpire.db")


class InADatabase(Place):
    module = "umpire_ledger.ledger.storage.postgres"
    tracking = "eventsourcing.postgres:PostgresTrackingRecorder"
    setting = "POSTGRES_URL"
    url: str

    @pytest.fixture(autouse=True)
    def _one(self, database: str) -> None:
        self.url = database

    def where(self) -> str:
        return self.url


class WithUuids:
    ids = "uuid"


class Snapshots(Place, AggregateRecorderTestCase):
    def create_recorder(self) -> Any:
        return self.created(self.store.SnapshotRecorder(self.datastore()))


class Records(Place, ApplicationRecorderTestCase[Any]):
    def create_recorder(self) -> Any:
        return self.created(self.store.LedgerRecorder(self.datastore()))


class Numbers(Place, NonInterleavingNotificationIDsBaseCase):
    def create_recorder(self) -> Any:
        return self.created(self.store.LedgerRecorder(self.datastore()))


class Tracking(Place, TrackingRecorderTestCase):
    def create_recorder(self) -> Any:
        datastore = self.datastore()
        datastore.prepare()
        return self.created(self.tracking_class()(datastore))


class Processes(Place, ProcessRecorderTestCase):
    def create_recorder(self) -> Any:
        return self.created(self.store.LedgerProcessRecorder(self.datastore()))


class Factory(Place, InfrastructureFactoryTestCase[Any]):
    def setUp(self) -> None:
        self.env = Environment("TestCase")
        self.env["PERSISTENCE_MODULE"] = f"{self.module}:LedgerFactory"
        self.env[self.setting] = self.where()
        super().setUp()

    def expected_factory_class(self) -> Any:
        return self.store.LedgerFactory

    def expected_aggregate_recorder_class(self) -> Any:
        return self.store.SnapshotRecorder

    def expected_application_recorder_class(self) -> Any:
        return self.store.LedgerRecorder

    def expected_tracking_recorder_class(self) -> Any:
        return self.tracking_class()

    def tracking_recorder_subclass(self) -> Any:
        return type(f"Our{self.tracking_class().__name__}", (self.tracking_class(),), {})

    def expected_process_recorder_class(self) -> Any:
        return self.store.LedgerProcessRecorder


TOLD: tuple[tuple[type[Place], tuple[type, ...]], ...] = (
    (InAFile, (Snapshots, Records, Numbers, Tracking, Processes)),
    (InMemory, (Snapshots, Records, Factory)),
    (InADatabase, (Snapshots, Records, Numbers, Tracking, Processes, Factory)),
)
"""The library's cases of shared numbers and of processes need a store that several threads open for themselves."""


def suite() -> dict[str, type]:
    """Return the test classes by name: each case in each place, and cases with ids also with UUIDs."""
    found = {f"Test{case.__name__}{place.__name__}": (place, case) for place, cases in TOLD for case in cases}
    uuids = {f"Test{case.__name__}{place.__name__}WithUuids": (WithUuids, place, case) for place, case in (
        (InAFile, Snapshots), (InAFile, Records), (InADatabase, Snapshots), (InADatabase, Records)
    )}  # fmt: skip
    return {name: type(name, bases, {}) for name, bases in (found | uuids).items()}
