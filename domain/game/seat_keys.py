"""The public key of a seat, as one line of text: `athens+c74f20a3+AR3P…` (C2SP signed-note, "verifier keys").

Name, key id in hex, and in base64 what kind of key it is with its 32 bytes. Nothing is signed or checked here: the
domain only knows whose key counts.
"""

import base64
import hashlib
import re

import msgspec

ED25519 = 1
"""The kind of key that signs a note, as C2SP signed-note numbers them."""
COSIGNER = 4
"""The kind that cosigns with a time, as C2SP tlog-cosignature numbers it: a witness."""
MOST_NAME = 80
LENGTH = 33
"""Bytes in base64: the kind and the key."""

_parts = re.compile(rf"([^\s+\x00-\x1f\x7f-\x9f]{{1,{MOST_NAME}}})\+([0-9a-f]{{8}})\+([A-Za-z0-9+/]{{44}})").fullmatch


class SeatKey(msgspec.Struct, frozen=True):
    """A public key with its name. `kind`: `ED25519`, or `COSIGNER` of a witness."""

    name: str
    public: bytes
    kind: int = ED25519

    @property
    def id(self) -> bytes:
        """Four bytes that distinguish keys of the same name."""
        return hashlib.sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.public).digest()[:4]

    @property
    def short(self) -> str:
        """Name and id, for people to compare."""
        return f"{self.name}+{self.id.hex()}"

    def text(self) -> str:
        """The whole line."""
        return f"{self.short}+{base64.b64encode(bytes([self.kind]) + self.public).decode()}"

    @staticmethod
    def read(text: str) -> "SeatKey":
        """Return the key in a line.

        Raises:
            ValueError: When the line does not hold a key, or is mistyped.
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
    """Name and id of a key that is known to be one."""
    return "+".join(text.split("+")[:2])
