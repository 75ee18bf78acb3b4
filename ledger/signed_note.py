"""Read and write signed notes: a text, an empty line, and a line for each signature (C2SP signed-note).

    umpire/harbour
    412
    CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

    — athens Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=

The first lines are a checkpoint as `tree.py` writes it. This module does not sign or check signatures.
"""

from __future__ import annotations

import base64
import re
from binascii import Error as Base64Error

import msgspec

from umpire_ledger.ledger.merkle.tree import Checkpoint

KEY_ID = 4
"""Number of bytes of the key id, which precedes the signature itself."""
MOST_SIGNATURES = 100
NOT_A_NOTE = "not a signed note: expected a text, an empty line, and lines of `— name base64`"

_line = re.compile(r"— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})").fullmatch


class Signature(msgspec.Struct, frozen=True):
    """A signature line of a note: the name of the key, its four-byte id, and the bytes of the signature."""

    name: str
    key_id: bytes
    value: bytes

    def line(self) -> str:
        """Return the signature's line in a note, with its line feed."""
        return f"— {self.name} {self.text()}\n"

    def text(self) -> str:
        """Return the key id and the signature in base64."""
        return base64.b64encode(self.key_id + self.value).decode()

    @staticmethod
    def read(line: str) -> Signature:
        """Return the signature in a line without its line feed.

        Raises:
            ValueError: The line is not a signature.
        """
        found = _line(line)
        try:
            raw = base64.b64decode(found[2], validate=True) if found else b""
        except Base64Error as error:
            raise ValueError(NOT_A_NOTE) from error
        if found is None or len(raw) <= KEY_ID:
            raise ValueError(NOT_A_NOTE)
        return Signature(found[1], raw[:KEY_ID], raw[KEY_ID:])


class SignedNote(msgspec.Struct, frozen=True):
    """A text that ends with a line feed, and its signatures. A bare checkpoint has no signatures."""

    text: str
    signatures: tuple[Signature, ...] = ()

    @property
    def checkpoint(self) -> Checkpoint:
        """The checkpoint in the note. It raises ValueError if the text is not a checkpoint."""
        return Checkpoint.read(self.text)

    def written(self) -> str:
        """Return the note as the text of a file."""
        return self.text + ("\n" if self.signatures else "") + "".join(one.line() for one in self.signatures)

    def signed_by(self, *more: Signature) -> SignedNote:
        """Return the note with additional signatures, each only once."""
        new = dict.fromkeys((*self.signatures, *more))
        return SignedNote(self.text, tuple(new))

    @staticmethod
    def read(text: str) -> SignedNote:
        """Return the note in a file, signed or not.

        Raises:
            ValueError: The text is not a note.
        """
        body, empty, below = text.rpartition("\n\n")
        if not empty:
            if not text.endswith("\n"):
                raise ValueError(NOT_A_NOTE)
            return SignedNote(text)
        *lines, rest = below.split("\n")
        if rest or not lines or len(lines) > MOST_SIGNATURES or any(ord(one) < 0x20 for one in body.replace("\n", "")):
            raise ValueError(NOT_A_NOTE)
        return SignedNote(body + "\n", tuple(map(Signature.read, lines)))
