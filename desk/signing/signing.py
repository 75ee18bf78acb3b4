"""Sign the orders of a seat that has a key if its secret is available, and refuse wrong signatures.

The signed text is the checkpoint of the game at the position that the seat saw, with a line for the order's id and
words (`ledger/signed_orders.py`). A signature is valid only once, for one order of one game, because it covers the
order id, and an id cannot be used for a second order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from umpire_ledger.desk.core.authorship import ENTERED_BY, hand_of
from umpire_ledger.desk.core.order_checks import SecretHalf, Signer
from umpire_ledger.desk.core.order_ids import new_command, words_of
from umpire_ledger.desk.signing.ed25519 import is_signed
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.order_json import AGAIN, SIGNATURE
from umpire_ledger.domain.game.seat_keys import SeatKey, short
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.merkle.tree import Checkpoint
from umpire_ledger.ledger.records.record import Record
from umpire_ledger.ledger.signed_orders import MARK, SignedWords, note_text, signed_member, taken_apart

RULE = "keys"
CHUNK = 256
"""Number of lines to read at once when reading a log backward."""

_encode = msgspec.json.Encoder().encode


def cause_of(raw: Mapping[str, Any]) -> bytes:
    """Return an order's text as it is stored with its records."""
    return _encode(words_of(raw))


def signed(raw: Mapping[str, Any], secret: SecretHalf, saw: Checkpoint) -> dict[str, Any]:
    """Return the order with an id, the position that its seat saw, and its signature."""
    command = str(raw.get("id") or "") or new_command()
    words = {name: value for name, value in raw.items() if name not in ("id", *SIGNATURE, ENTERED_BY)}
    words = {"as": words.pop("as", secret.key.name), **words, "saw": saw.size}
    signature = secret.sign(note_text(saw, command, cause_of(words)))
    return {"id": command, **words, "signed": signed_member(signature.key_id, signature.value)}


class SignedOrders:
    """Check the signatures of new orders for one game."""

    def __init__(self, ledger: Ledger[Game], game_id: str, signer: Signer | None) -> None:
        self._ledger = ledger
        self._id = game_id
        self._signer = signer
        self._newest: dict[str, tuple[int, int]] = {}

    def with_signature(self, raw: Mapping[str, Any], seat: str, game: Game, size: int) -> Mapping[str, Any]:
        """Return the order as it may be recorded, signed if its seat's secret is available. `size`: the last position.

        Raises:
            RuleViolation: When the seat has a key and the signature is wrong or missing, or when the order is signed
                but the seat has no key.
        """
        key = game.keys.get(seat)
        if key is None:
            verify_side_signs_not(seat, game)
            if "signed" in raw or "saw" in raw:
                what = f"the order is signed, but {seat} has no key in this game"
                remedy = f"leave out `signed` and `saw`, or give {seat} its key: `give-key`"
                raise _refuse("signed-without-a-key", game, what, remedy, seat=seat)
            return raw
        if "signed" not in raw and self._signer is not None and hand_of(raw) == seat:
            secret = self._signer(key)
            if secret is not None:
                return signed(raw, secret, self._ledger.checkpoint(self._id, size))
        self._verify(raw, seat, SeatKey.read(key), game, size)
        return raw

    def verify_given_for(self, seat: str, game: Game) -> None:
        """Verify that an amendment may give an order for a seat.

        Raises:
            RuleViolation: When that seat signs its orders.
        """
        verify_side_signs_not(seat, game)
        if seat in game.keys:
            what = f"{seat} signs its orders with the key {short(game.keys[seat])}, so no other seat can give them"
            remedy = (
                f"rewind to before it and let {seat} give the new order; or carry it out as the referee, with `rule`"
            )
            raise _refuse("signs-itself", game, what, remedy, seat=seat)

    def _verify(self, raw: Mapping[str, Any], seat: str, key: SeatKey, game: Game, size: int) -> None:
        if not raw.get("signed"):
            what = f"{seat} signs its orders with the key {key.short}, but this order is not signed"
            remedy = f"give it as {seat} on the computer with that key (`umpire key list`)"
            raise _refuse("not-signed", game, what, remedy, seat=seat, key=key.short)
        command, found = raw.get("id"), taken_apart(cause_of(raw))
        if found is None or not isinstance(command, str) or not command or AGAIN in raw:
            what = "the signature is malformed"
            remedy = 'end the order with "saw" and "signed", and give it an "id"; `umpire key sign` writes one'
            raise _refuse("malformed-signature", game, what, remedy, seat=seat)
        if found.key_id != key.id:
            what = f"the order is not signed with the key of {seat}, {key.short}"
            remedy = f"sign it with {key.short}; `give-key` changes the key"
            raise _refuse("another-key", game, what, remedy, seat=seat, key=key.short)
        saw = self._seen(found, seat, game, size)
        if not is_signed(key, note_text(saw, command, found.words), found.signature):
            what = f"the signature of {seat} does not match this order, its id and the game at #{saw.size}"
            remedy = "sign the order exactly as sent: no spaces between members, `as` first, `saw` and `signed` last"
            raise _refuse("signature-does-not-match", game, what, remedy, seat=seat, saw=saw.size)

    def _seen(self, found: SignedWords, seat: str, game: Game, size: int) -> Checkpoint:
        """Return the checkpoint at the position that the seat saw.

        Raises:
            RuleViolation: When the seat cannot have seen that position, or has already signed on a later one.
        """
        saw = found.saw
        if not 1 <= saw <= size or (saw < size and self._ledger.record(self._id, saw + 1).prior is None):
            what = f"#{saw} is not the end of an order that {seat} could have seen"
            remedy = f"sign it at #{size}"
            raise _refuse("signed-on-no-order", game, what, remedy, seat=seat, saw=saw, size=size)
        before = self._newest_saw(seat, size)
        if saw < before:
            what = f"this order is signed at #{saw}, but {seat} has since signed an order at #{before}"
            remedy = f"sign it again at #{size}"
            raise _refuse("signed-later-since", game, what, remedy, seat=seat, saw=saw, since=before, size=size)
        return self._ledger.checkpoint(self._id, saw)

    def _newest_saw(self, seat: str, size: int) -> int:
        """Return the position on which a seat signed its newest order in this game; 0 if it signed none."""
        upto, saw = self._newest.get(seat, (0, 0))
        last = size
        while last > upto:
            first = max(upto + 1, last - CHUNK + 1)
            found = [one for line in self._ledger.lines(self._id, first, last) if (one := _saw_in(line, seat))]
            if found:
                saw = max(saw, *found)
                break
            last = first - 1
        self._newest[seat] = size, saw
        return saw


def _saw_in(line: bytes, seat: str) -> int:
    if MARK not in line:
        return 0
    record = Record.decode(line)
    found = taken_apart(bytes(record.cause)) if record.cause and record.seat == seat else None
    return found.saw if found else 0


def verify_side_signs_not(seat: str, game: Game) -> None:
    """Verify that a seat without a key does not evade its side's key.

    A side whose own seat has a key signs every order.

    Raises:
        RuleViolation: When the seat's side has a key, and the seat has none.
    """
    side = game.side_of(seat)
    if side in game.keys and seat not in game.keys:
        what = (
            f"{side} signs its orders with the key {short(game.keys[side])}, but {seat}, a seat of {side}, has no key"
        )
        remedy = f"give {seat} a key of its own, as {side} or as the referee: `umpire order … give-key {seat} KEY`"
        raise _refuse("side-signs", game, what, remedy, seat=seat, side=side)


def _refuse(code: str, game: Game, what: str, remedy: str, **fields: object) -> RuleViolation:
    return RuleViolation(what, where=game.where, rule=RULE, remedy=remedy, code=code, fields=fields)
