"""Check the signatures in a log: the seats that signed, the records they cover, and the first wrong signature.

A log is read twice, as for its dice: first for the signed positions; then, while its hashes are checked, for the
orders. Every order of a seat with a key must be signed; an order that an amendment repeats must have the signed words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from umpire_ledger.desk.signing.ed25519 import is_installed, is_signed
from umpire_ledger.domain.game.order_json import AGAIN, core_of
from umpire_ledger.domain.game.seat_keys import SeatKey, short
from umpire_ledger.ledger.merkle.tree import Checkpoint
from umpire_ledger.ledger.records.record import UNREADABLE, Record
from umpire_ledger.ledger.signed_orders import MARK, SignedWords, note_text, taken_apart
from umpire_ledger.projections.questions.verification.inconsistent_events import Misfit

HEADER = b'{"umpire":'
AMENDS = ("amend", "amending")

_decode = msgspec.json.Decoder(dict[str, Any]).decode


class WrongSignature(msgspec.Struct, frozen=True, kw_only=True):
    """An order that is not signed correctly. `position` counts from 1."""

    position: int
    why: str
    expected: str
    found: str


class SignedBy(msgspec.Struct, frozen=True, kw_only=True):
    """The signatures of a seat with one key. `orders`: the number of signed orders; `last`: the position of the last.

    `vouches`: the last position that the seat saw when it signed, so that its signature covers every record up to
    there. `copied`: the orders were signed in the game that this one copies. `checked`: False if they were `copied`, or
    if `cryptography` is not installed.
    """

    seat: str
    key: str
    orders: int
    last: int
    vouches: int
    checked: bool = True
    copied: bool = False


class GivenKey(msgspec.Struct, frozen=True, kw_only=True):
    """A key that a log gave to a seat at position `since` and took back at `until`; 0 if it was not taken back."""

    seat: str
    key: str
    since: int
    until: int = 0

    def counts_at(self, size: int) -> bool:
        """Return whether it is the seat's key in a log with `size` records."""
        return self.since <= size and not 0 < self.until <= size


class _SeatEvent(msgspec.Struct):
    type: str = ""
    seat: str = ""
    side: str = ""
    key: str = ""
    at: int = 0
    of: str = ""
    game: str = ""

    @property
    def is_fork(self) -> bool:
        """Whether the game becomes another one here. A game that continues in another ledger keeps keys and roots."""
        return self.type == "game.copied" and self.of != self.game


_event = msgspec.json.Decoder(_SeatEvent).decode


class SignedOn:
    """The first reading of a log: whether any seat has a key, the signed positions, and the copies."""

    def __init__(self) -> None:
        self.keyed = False
        self.saws: set[int] = set()
        self.copied_at = 0

    def watch(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the lines unchanged."""
        for line in lines:
            if b'"seat.keyed"' in line or b'"game.copied"' in line or b"\\u" in line:
                self._see_event(line)
            if MARK in line and (found := _signed_in(line)):
                self.saws.add(found.saw)
            yield line

    def _see_event(self, line: bytes) -> None:
        try:
            record = Record.decode(line)
            event = _event(record.event or b"{}")
        except UNREADABLE:
            return
        self.keyed = self.keyed or event.type == "seat.keyed"
        if event.is_fork and event.at == record.position - 1:
            self.copied_at = max(self.copied_at, event.at)


def _signed_in(line: bytes) -> SignedWords | None:
    try:
        record = Record.decode(line)
    except UNREADABLE:
        return None
    return taken_apart(bytes(record.cause)) if record.cause else None


class Signatures:
    """Watch the lines of a log. `wrong`: the first order that is not signed correctly.

    `withheld`: the number of orders of seats with a key whose words this log withholds. `again`: the number of their
    orders that amendments repeated.
    """

    def __init__(self, signed_on: SignedOn, game_id: str = "") -> None:
        self._signed_on = signed_on
        self._game = game_id
        self._roots: dict[int, bytes] = {}
        self._keys: dict[str, str] = {}
        self._sides: dict[str, str] = {}
        self._saw: dict[str, int] = {}
        self._words: dict[int, tuple[str, bytes]] = {}
        self._amending = self._began = False
        self._asking: set[int] = set()
        self._order: list[Record] = []
        self._by: dict[tuple[str, str, bool], SignedBy] = {}
        self._can_check = not signed_on.keyed or is_installed()
        self.given: list[GivenKey] = []
        """The keys of seats, in the order of the log."""
        self.wrong: WrongSignature | None = None
        self.withheld = 0
        self.again = 0
        self.unsigned: list[Misfit] = []
        """Orders for a side that has a key, given without it."""

    @property
    def by(self) -> tuple[SignedBy, ...]:
        """The signers, one for each key of a seat, in the order of their first signatures."""
        return tuple(self._by.values())

    def watch(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the lines unchanged."""
        if not self._signed_on.keyed:
            yield from lines
            return
        for line in lines:
            if line.startswith(HEADER):
                self._game = str(_header(line))
            else:
                self._see(line)
            yield line
        self._finish()

    def _see(self, line: bytes) -> None:
        try:
            record = Record.decode(line)
            prior = None if record.prior is None else bytes.fromhex(record.prior)
        except UNREADABLE:
            return  # other checks report damage, and the checkpoint line is not a record
        if prior is not None:
            self._finish()
            if record.position - 1 in self._signed_on.saws:
                self._roots[record.position - 1] = prior
        self._order.append(record)

    def _finish(self) -> None:
        """Check a complete order with the keys before it, then update the keys."""
        order, self._order = self._order, []
        if not order:
            return
        key, with_words = self._keys.get(order[0].seat), next((one for one in order if one.cause), None)
        words = _words(bytes(with_words.cause)) if with_words else {}
        if key and self.wrong is None:
            self._check(order, with_words, words, key)
        elif not key and with_words is not None:
            self._check_second_seat(with_words, words)
        self._note_words(order[0], words)
        for record in order:
            self._note_event(record, order[0].position)

    def _note_words(self, first: Record, words: dict[str, Any]) -> None:
        """Store the words of an order, because it may be repeated later, and whether an amendment continues.

        The new order of an amendment is the next one after it.
        """
        if words:
            self._words[first.position] = first.seat, core_of(words)
        began = words.get("order") in AMENDS
        self._amending = began or self._began or (self._amending and AGAIN in words)
        self._began = began

    def _note_event(self, record: Record, first: int) -> None:
        try:
            event = _event(record.event or b"{}")
        except UNREADABLE:
            return
        match event.type:
            case "seat.keyed":
                self._take_back(record.position, event.seat)
                self._keys[event.seat] = event.key
                self.given.append(GivenKey(seat=event.seat, key=event.key, since=record.position))
            case "dice.asked":
                self._asking = {first}
            case "dice.rolled":
                self._asking = set()
            case "seat.taken":
                self._take_back(record.position, event.seat)
                self._sides[event.seat] = event.side
            case "game.copied" if event.is_fork:
                self._take_back(record.position, *self._keys)

    def _take_back(self, position: int, *seats: str) -> None:
        """Remove the keys of these seats from this position on."""
        for seat in seats:
            self._keys.pop(seat, None)
        self.given = [
            replace(one, until=position) if one.seat in seats and not one.until else one for one in self.given
        ]

    def _check(self, order: list[Record], with_words: Record | None, words: dict[str, Any], key: str) -> None:
        if with_words is None:
            if any(one.cause_hash for one in order):
                self.withheld += 1
            else:
                self._found(order[0], "an order has no signed text", f"a text signed by {short(key)}", "none")
            return
        found = taken_apart(bytes(with_words.cause))
        if AGAIN in words and found is None and (self._amending or self._has_asked(words[AGAIN])):
            self._check_again(order[0], with_words, words)
        elif found is None:
            self._found(with_words, "an order is not signed", f"a signature of {short(key)}", "none")
        else:
            self._check_signed(order[0], with_words, found, key)

    def _check_second_seat(self, record: Record, words: dict[str, Any]) -> None:
        """Report an order of a second seat without a key, if its side's own seat has one and signs every order."""
        side = self._sides.get(record.seat, "")
        is_repeated = AGAIN in words and (self._amending or self._has_asked(words[AGAIN]))
        if side in self._keys and not is_repeated:
            what = f"{record.seat} gives an order for {side} without a key; {side} signs with {short(self._keys[side])}"
            self.unsigned.append(Misfit(position=record.position, what=what))

    def _has_asked(self, position: object) -> bool:
        """Return whether the order at a position waited for its dice, because it is then repeated word for word."""
        return isinstance(position, int) and position in self._asking

    def _check_again(self, first: Record, record: Record, words: dict[str, Any]) -> None:
        """Verify that a repeated order has the words that its seat signed, or that it gave before it had a key.

        If the words of that order are withheld, they cannot be compared.
        """
        self.again += 1
        of = words[AGAIN]
        before = self._words.get(of) if isinstance(of, int) else None
        if before is not None and before != (first.seat, core_of(words)):
            self._found(
                record,
                f"it is a re-played order, but its text differs from #{of}",
                f"the text of #{of}",
                "a different text",
            )

    def _check_signed(self, first: Record, record: Record, found: SignedWords, key: str) -> None:
        seat, copied = first.seat, first.position <= self._signed_on.copied_at
        try:
            known = SeatKey.read(key)
        except ValueError:
            self._found(record, "the key of its seat is not valid", "a key", short(key))
            return
        if found.key_id != known.id:
            self._found(record, "an order is signed with another key", known.short, found.key_id.hex())
            return
        root = self._roots.get(found.saw)
        if not copied and (root is None or not self._saw.get(seat, 0) <= found.saw < first.position):
            self._found(
                record, "it is signed at a position that its seat could not have seen last", "", f"#{found.saw}"
            )
            return
        if root is not None and self._can_check and not copied:
            text = note_text(Checkpoint(game=self._game, size=found.saw, root=root), first.command, found.words)
            if not is_signed(known, text, found.signature):
                self._found(record, "its signature is invalid", f"a signature of {known.short}", "a different one")
                return
        self._saw[seat] = found.saw
        self._count(seat, known.short, first.position, found.saw, copied)

    def _count(self, seat: str, key: str, last: int, saw: int, copied: bool) -> None:
        before = self._by.get((seat, key, copied))
        self._by[seat, key, copied] = SignedBy(
            seat=seat,
            key=key,
            orders=before.orders + 1 if before else 1,
            last=last,
            vouches=saw,
            checked=self._can_check and not copied,
            copied=copied,
        )

    def _found(self, record: Record, why: str, expected: str, found: str) -> None:
        seat = f"{why} (an order of {record.seat})"
        self.wrong = WrongSignature(position=record.position, why=seat, expected=expected, found=found)


def _header(line: bytes) -> object:
    try:
        return _decode(line).get("game", "")
    except UNREADABLE:
        return ""


def _words(cause: bytes) -> dict[str, Any]:
    try:
        return _decode(cause)
    except UNREADABLE:
        return {}
