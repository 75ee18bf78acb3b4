"""Convert between records and the rows of the `eventsourcing` library.

The library's own Mapper reads `vars()`, which a Struct does not have, and writes import paths into the rows. Here the
topic is one constant word, and the state is the record's line, byte for byte.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import Mapper, MapperDeserialisationError, StoredEvent

from umpire_ledger.ledger.records.record import UNREADABLE, Record

TOPIC = "record"


class Filed(msgspec.Struct, frozen=True):
    """A record and its game, as a domain event of the library."""

    game: str
    record: Record

    @property
    def originator_id(self) -> str:
        """The game id, with the library's name for it."""
        return self.game

    @property
    def originator_version(self) -> int:
        """The position, from 1, with the library's name for it."""
        return self.record.position


@dataclass(frozen=True)
class StoredRecord(StoredEvent):
    """A row with the two additional fields that the store indexes."""

    command: str | None = None
    """Order id, only on an order's first record. It must be unique in the game."""
    follows: int | None = None


class RecordMapper(Mapper[str]):
    """Converts records to rows and back. It does not compress or encrypt, because the rows contain the hashed bytes."""

    def to_stored_event(self, domain_event: DomainEventProtocol[str]) -> StoredRecord:
        """Return the row of a `Filed` record."""
        if not isinstance(domain_event, Filed):
            raise TypeError(f"only records are stored here, not {type(domain_event).__name__}")
        record = domain_event.record
        return StoredRecord(
            originator_id=domain_event.game,
            originator_version=record.position,
            topic=TOPIC,
            state=record.encode(),
            command=record.command if record.prior is not None else None,
            follows=record.follows,
        )

    def to_domain_event(self, stored_event: StoredEvent) -> Filed:
        """Return the record in a row.

        Raises:
            MapperDeserialisationError: The row does not contain a record.
        """
        try:
            return Filed(str(stored_event.originator_id), Record.decode(stored_event.state))
        except UNREADABLE as error:
            raise MapperDeserialisationError(
                f"{stored_event.originator_id} #{stored_event.originator_version}: {error}"
            ) from error
