"""What each seat was told of, by each way: kept beside the games in the ledger's file, so that nothing is told twice.

Before a notice leaves, it is noted that it is about to: whoever comes meanwhile finds nothing left to tell. Then

- it was taken: the try is forgotten;
- it certainly was not: its records are told next time;
- nobody can know, because the program was killed or no answer came: it counts as told, and is named until somebody says
  `again`. A notice is told at most once; rather not at all than twice.
"""

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

import msgspec

from umpire_ledger.ledger.storage.metadata import MetadataEntry, MetadataStore
from umpire_ledger.projections.reports.notices import Notice, Stretches

replace = msgspec.structs.replace

TOLD = "told"
"""The kind of these notes; their name is the way and the seat."""
BROKEN_OFF = timedelta(minutes=10)
"""A try older than that was broken off; a younger one may still be under way in another process."""
FAR = 200
"""Records that may be looked through again before it is noted that there was nothing in them."""


class DeliveryAttempt(msgspec.Struct, frozen=True, kw_only=True):
    """A notice that left, or was about to: when, and what it was about. `unsure`: nobody knows whether it arrived.

    `requires`: it names a required action. `reminder`: it repeats an earlier notice.
    """

    token: str
    at: str
    stretches: Stretches
    unsure: bool = False
    requires: bool = False
    reminder: bool = False


class DeliveryMark(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Up to where a seat was told; what it was not, because that failed; what is under way, or in doubt.

    `edition`: 1 for a mark of a program that notified a required action only if the wait of its side was new.
    `required_at`: when a notice that names a required action was delivered last; `reminded_at`: the last reminder.
    """

    told: int = 0
    unsent: Stretches = ()
    tries: tuple[DeliveryAttempt, ...] = ()
    edition: int = 1
    required_at: str = ""
    reminded_at: str = ""

    @property
    def last_required(self) -> str:
        """When the seat was last notified, perhaps in vain, of a required action; "" if that is not known."""
        return max((self.required_at, *(one.at for one in self.tries if one.requires)))

    def new(self, size: int, again: Iterable[DeliveryAttempt] = ()) -> Stretches:
        """What is to be told in a game of so many records, the tries in doubt among it if they are given."""
        fresh = ((self.told, size),) if self.told < size else ()
        return (*(one for back in again for one in back.stretches), *self.unsent, *fresh)

    def new_required(self, size: int, waits_since: int, again: Iterable[DeliveryAttempt] = ()) -> Stretches:
        """Return the records in which a required action is new.

        Args:
            size: The number of records of the game.
            waits_since: The position at which the wait of the seat's side began; 0 if it does not wait. A mark of
                edition 1 proves only that the actions which arose with that wait were notified.
            again: The tries in doubt, if they are told again.
        """
        stretches = self.new(size, again)
        if self.edition >= EDITION or not 0 < waits_since < self.told:
            return stretches
        return (*stretches, (waits_since, size))

    def in_doubt(self, now: datetime) -> tuple[DeliveryAttempt, ...]:
        """The tries of which nobody knows whether they arrived, and that are not under way any more."""
        return tuple(one for one in self.tries if one.unsure or now - datetime.fromisoformat(one.at) > BROKEN_OFF)


EDITION = 2
"""The edition of the marks that are written now."""
_decode = msgspec.json.Decoder(DeliveryMark).decode


def key(way: str, seat: str) -> str:
    """The name of a mark."""
    return f"{way} {seat}"


def read(notes: Iterable[MetadataEntry]) -> dict[str, DeliveryMark]:
    """Marks by their names; a hurt one counts as new."""
    found: dict[str, DeliveryMark] = {}
    for note in notes:
        try:
            found[note.name] = _decode(note.value)
        except msgspec.DecodeError:
            continue
    return found


def _write(notes: MetadataStore, game: str, name: str, mark: DeliveryMark) -> None:
    notes.put(MetadataEntry(game, TOLD, name, msgspec.json.encode(mark).decode()))


def now_of(notes: MetadataStore, game: str, name: str) -> DeliveryMark:
    """A mark as it is in this transaction."""
    return read(note for note in notes.of(TOLD, game) if note.name == name).get(name, DeliveryMark())


def skip(notes: MetadataStore, game: str, name: str, seen: DeliveryMark, size: int, required_at: str = "") -> None:
    """Note that nothing was new up to here. `required_at`: of a mark of edition 1, which does not say it."""
    if now_of(notes, game, name) == seen:
        required_at = seen.required_at or required_at
        mark = replace(seen, told=max(size, seen.told), unsent=(), edition=EDITION, required_at=required_at)
        _write(notes, game, name, mark)


def begin(
    notes: MetadataStore,
    game: str,
    name: str,
    seen: DeliveryMark,
    sent: Notice,
    again: tuple[DeliveryAttempt, ...],
    at: datetime,
) -> DeliveryAttempt | None:
    """Note that a notice is about to leave; None where another process was faster."""
    if now_of(notes, game, name) != seen:
        return None
    begun = DeliveryAttempt(
        token=secrets.token_hex(8),
        at=at.isoformat(),
        stretches=seen.new(sent.upto, again),
        requires=sent.requires,
        reminder=bool(sent.reminds),
    )
    left = tuple(one for one in seen.tries if one not in again)
    _write(notes, game, name, replace(seen, told=max(sent.upto, seen.told), unsent=(), tries=(*left, begun)))
    return begun


def arrived(notes: MetadataStore, game: str, name: str, begun: DeliveryAttempt) -> None:
    """It was taken."""
    mark = now_of(notes, game, name)
    mark = replace(mark, tries=_without(mark, begun), edition=EDITION)
    mark = replace(mark, required_at=begun.at) if begun.requires else mark
    _write(notes, game, name, replace(mark, reminded_at=begun.at) if begun.reminder else mark)


def failed(notes: MetadataStore, game: str, name: str, begun: DeliveryAttempt) -> None:
    """It certainly was not taken: told next time."""
    mark = now_of(notes, game, name)
    unsent = (*begun.stretches, *mark.unsent)
    _write(notes, game, name, replace(mark, tries=_without(mark, begun), unsent=unsent))


def doubted(notes: MetadataStore, game: str, name: str, begun: DeliveryAttempt) -> None:
    """Nobody knows whether it was taken."""
    mark = now_of(notes, game, name)
    doubt = replace(begun, unsure=True)
    _write(notes, game, name, replace(mark, tries=(*_without(mark, begun), doubt), edition=EDITION))


def _without(mark: DeliveryMark, begun: DeliveryAttempt) -> tuple[DeliveryAttempt, ...]:
    return tuple(one for one in mark.tries if one.token != begun.token)
