"""Define the text that an order's signature covers, and its place in the log (FORMAT.md, section 13).

An order's `cause` ends with the position that its seat saw, and its signature: `…,"saw":412,"signed":"…"}`. Only
`entered_by` may follow. The signed text is a note: the checkpoint of the game at that position, with one additional
line for the order. So every signed order also signs the whole history that its seat saw.
"""

from __future__ import annotations

import base64
import re

import msgspec

from umpire_ledger.ledger.merkle.tree import Checkpoint, sha256
from umpire_ledger.ledger.records.record import text as length_and_text
from umpire_ledger.ledger.signed_note import KEY_ID

MARK = b',"signed":"'
SIGNATURE = 64
"""Length of an Ed25519 signature, in bytes."""

_behind = re.compile(rb'([A-Za-z0-9+/]{91}=)"(?:,"entered_by":"[^"\\]*")?\}').fullmatch


class SignedWords(msgspec.Struct, frozen=True):
    """The parts of a signed order: the signed text, the id of the key, and the signature."""

    words: bytes
    saw: int
    key_id: bytes
    signature: bytes


class _Saw(msgspec.Struct):
    saw: int


def note_text(at: Checkpoint, command: str, words: bytes) -> str:
    """Return the text that a seat signs: the checkpoint that it saw, and a line for the order without its signature."""
    return f"{at.text()}order {sha256(length_and_text(command) + words).hexdigest()}\n"


def signed_member(key_id: bytes, signature: bytes) -> str:
    """Return the value of `signed`, 92 characters."""
    return base64.b64encode(key_id + signature).decode()


def taken_apart(cause: bytes) -> SignedWords | None:
    """Return the parts of a signed order; None if the order is unsigned or not in this form."""
    words, mark, behind = cause.rpartition(MARK)
    found = _behind(behind) if mark else None
    if found is None:
        return None
    raw = base64.b64decode(found[1])
    try:
        saw = msgspec.json.decode(words + b"}", type=_Saw).saw
    except msgspec.DecodeError:
        return None
    return SignedWords(words + b"}", saw, raw[:KEY_ID], raw[KEY_ID:])
