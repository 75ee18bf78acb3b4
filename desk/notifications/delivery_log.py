"""Store the notices sent to each seat on each channel in the metadata of games, so that no notice is sent twice.

Before a notice is sent, an attempt is stored, so that another process finds no new notice. The result is one of these:

- The notice was delivered: the attempt is deleted.
- The notice failed: its records are in the next notice.
- Its delivery is unconfirmed, because the program was killed or no answer came: the notice counts as sent, and is
  listed until a user gives `again`. A lost notice is better than a repeated one.
"""

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

import msgspec

from umpire_ledger.ledger.storage.metadata import MetadataEntry, MetadataStore
from umpire_ledger.projections.reports.notices import Notice, Stretches

replace = msgspec.structs.replace

TOLD = "told"
"""The kind of these metadata entries. The name of an entry is the channel and the seat."""
BROKEN_OFF = timedelta(minutes=10)
"""Age after which an attempt counts as interrupted; a younger one may still be active in another process."""
FAR = 200
"""Number of records without news after which the mark is updated, so that they are not read again."""


class DeliveryAttempt(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt to send a notice: its time and its records. `unsure`: the delivery is unconfirmed.

    `requires`: it names a required action. `reminder`: it repeats an earlier notice.
    """

    token: str
    at: str
    stretches: Stretches
    unsure: bool = False
    requires: bool = False
    reminder: bool = False


class DeliveryMark(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The state of a seat on a channel: the last position in its notices, failed records, and open attempts.

    `edition`: 1 for a mark of a program that sent notice of a required action only if its side had begun to wait.
    `required_at`: the time of the last delivered notice that names a required action. `reminded_at`: the time of the
    last reminder.
    """

    told: int = 0
    unsent: Stretches = ()
    tries: tuple[DeliveryAttempt, ...] = ()
    edition: int = 1
    required_at: str = ""
    reminded_at: str = ""

    @property
    def last_required(self) -> str:
        """Time of the last attempt to notify the seat of a required action; "" if it is not known."""
        return max((self.required_at, *(one.at for one in self.tries if one.requires)))

    def new(self, size: int, again: Iterable[DeliveryAttempt] = ()) -> Stretches:
        """Return the stretches of records for the next notice in a game of this size.

        Args:
            size: The number of records of the game.
            again: The unconfirmed attempts, if they are sent again.
        """
        fresh = ((self.told, size),) if self.told < size else ()
        return (*(one for back in again for one in back.stretches), *self.unsent, *fresh)

    def new_required(self, size: int, waits_since: int, again: Iterable[DeliveryAttempt] = ()) -> Stretches:
        """Return the records in which a required action is new.

        Args:
            size: The number of records of the game.
            waits_since: The position at which the wait of the seat's side began; 0 if it does not wait. A mark of
                edition 1 proves only that the actions which arose with that wait were notified.
            again: The unconfirmed attempts, if they are sent again.
        """
        stretches = self.new(size, again)
        if self.edition >= EDITION or not 0 < waits_since < self.told:
            return stretches
        return (*stretches, (waits_since, size))

    def in_doubt(self, now: datetime) -> tuple[DeliveryAttempt, ...]:
        """Return the unconfirmed attempts that are not active in another process."""
        return tuple(one for one in self.tries if one.unsure or now - datetime.fromisoformat(one.at) > BROKEN_OFF)


EDITION = 2
"""The edition of the marks that are written now."""
_decode = msgspec.json.Decoder(DeliveryMark).decode


def key(way: str, seat: str) -> str:
    """Return the name of a mark."""
    return f"{way} {seat}"


def read(metadata: Iterable[MetadataEntry]) -> dict[str, DeliveryMark]:
    """Return marks by name; a damaged mark counts as new."""
    found: dict[str, DeliveryMark] = {}
    for entry in metadata:
        try:
            found[entry.name] = _decode(entry.value)
        except msgspec.DecodeError:
            continue
    return found


def _write(metadata: MetadataStore, game_id: str, name: str, mark: DeliveryMark) -> None:
    metadata.put(MetadataEntry(game_id, TOLD, name, msgspec.json.encode(mark).decode()))


def now_of(metadata: MetadataStore, game_id: str, name: str) -> DeliveryMark:
    """Return a mark as it is in this transaction."""
    return read(entry for entry in metadata.of(TOLD, game_id) if entry.name == name).get(name, DeliveryMark())


def skip(
    metadata: MetadataStore, game_id: str, name: str, seen: DeliveryMark, size: int, required_at: str = ""
) -> None:
    """Store that a seat had no news up to a position. `required_at`: for a mark of edition 1, which lacks it."""
    if now_of(metadata, game_id, name) == seen:
        required_at = seen.required_at or required_at
        mark = replace(seen, told=max(size, seen.told), unsent=(), edition=EDITION, required_at=required_at)
        _write(metadata, game_id, name, mark)


def begin(
    metadata: MetadataStore,
    game_id: str,
    name: str,
    seen: DeliveryMark,
    sent: Notice,
    again: tuple[DeliveryAttempt, ...],
    at: datetime,
) -> DeliveryAttempt | None:
    """Store an attempt before its notice is sent; return None if another process was faster."""
    if now_of(metadata, game_id, name) != seen:
        return None
    begun = DeliveryAttempt(
        token=secrets.token_hex(8),
        at=at.isoformat(),
        stretches=seen.new(sent.upto, again),
        requires=sent.requires,
        reminder=bool(sent.reminds),
    )
    left = tuple(one for one in seen.tries if one not in again)
    _write(metadata, game_id, name, replace(seen, told=max(sent.upto, seen.told), unsent=(), tries=(*left, begun)))
    return begun


def arrived(metadata: MetadataStore, game_id: str, name: str, begun: DeliveryAttempt) -> None:
    """Store that the notice was delivered."""
    mark = now_of(metadata, game_id, name)
    mark = replace(mark, tries=_without(mark, begun), edition=EDITION)
    mark = replace(mark, required_at=begun.at) if begun.requires else mark
    _write(metadata, game_id, name, replace(mark, reminded_at=begun.at) if begun.reminder else mark)


def failed(metadata: MetadataStore, game_id: str, name: str, begun: DeliveryAttempt) -> None:
    """Store that the notice failed, so that its records are in the next one."""
    mark = now_of(metadata, game_id, name)
    unsent = (*begun.stretches, *mark.unsent)
    _write(metadata, game_id, name, replace(mark, tries=_without(mark, begun), unsent=unsent))


def doubted(metadata: MetadataStore, game_id: str, name: str, begun: DeliveryAttempt) -> None:
    """Store that the delivery is unconfirmed."""
    mark = now_of(metadata, game_id, name)
    doubt = replace(begun, unsure=True)
    _write(metadata, game_id, name, replace(mark, tries=(*_without(mark, begun), doubt), edition=EDITION))


def _without(mark: DeliveryMark, begun: DeliveryAttempt) -> tuple[DeliveryAttempt, ...]:
    return tuple(one for one in mark.tries if one.token != begun.token)
