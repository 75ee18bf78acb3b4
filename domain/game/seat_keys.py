"""Read and write the public key of a seat, as one line of text: `athens+c74f20a3+AR3P…` (C2SP "verifier keys").

The line contains the name, the key id in hex, and in base64 the key type with the 32 bytes of the key. This module
neither signs nor verifies. The domain only records which key belongs to which seat.
"""

import base64
import hashlib
import re

import msgspec

ED25519 = 1
"""Key type for signing notes, as numbered by C2SP signed-note."""
COSIGNER = 4
"""Key type of a witness, which cosigns with a time, as numbered by C2SP tlog-cosignature."""
MOST_NAME = 80
LENGTH = 33
"""Length in bytes of the decoded base64: the type and the key."""

_parts = re.compile(rf"([^\s+\x00-\x1f\x7f-\x9f]{{1,{MOST_NAME}}})\+([0-9a-f]{{8}})\+([A-Za-z0-9+/]{{44}})").fullmatch


class SeatKey(msgspec.Struct, frozen=True):
    """A public key with its name. `kind`: `ED25519`, or `COSIGNER` for a witness."""

    name: str
    public: bytes
    kind: int = ED25519

    @property
    def id(self) -> bytes:
        """Key id: four bytes that distinguish keys of the same name."""
        return hashlib.sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.public).digest()[:4]

    @property
    def short(self) -> str:
        """Name and key id, for people to compare."""
        return f"{self.name}+{self.id.hex()}"

    def text(self) -> str:
        """Return the key as one line of text."""
        return f"{self.short}+{base64.b64encode(bytes([self.kind]) + self.public).decode()}"

    @staticmethod
    def read(text: str) -> "SeatKey":
        """Return the key in a line.

        Raises:
            ValueError: The line does not contain a key, or it is mistyped.
        """
        found = _parts(text)
        raw = base64.b64decode(found[3]) if found else b""
        if found is None or len(raw) != LENGTH or raw[0] not in (ED25519, COSIGNER):
            raise ValueError("a key is name+id+base64, one line as `umpire key show` prints it")
        key = SeatKey(found[1], raw[1:], raw[0])
        if key.text() != text:
            raise ValueError("its id does not match the key: a character is mistyped")
        return key


def short(text: str) -> str:
    """Return the name and the key id of a valid key."""
    return "+".join(text.split("+")[:2])
