"""Sign with Ed25519, and check signatures.

Only this module uses `cryptography`, and it is imported only to make or check a signature. Messages are UTF-8 texts;
signatures have 64 bytes (RFC 8032).
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.domain.game.seat_keys import ED25519, SeatKey
from umpire_ledger.ledger.signed_note import Signature

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

EXTRA = "umpire-ledger[keys]"


class SecretKey:
    """A key that signs. Only `written` returns its secret, for the one file that stores it."""

    def __init__(self, name: str, private: Ed25519PrivateKey, kind: int = ED25519) -> None:
        self._private = private
        self.key = SeatKey(name, private.public_key().public_bytes_raw(), kind)

    def sign(self, text: str) -> Signature:
        """Return the signature over a text."""
        return Signature(self.key.name, self.key.id, self._private.sign(text.encode()))

    def written(self, passphrase: str = "") -> bytes:
        """Return the key as PEM, PKCS #8; encrypted if there is a pass-phrase."""
        from cryptography.hazmat.primitives import serialization as s  # noqa: PLC0415 -- 13 ms: few commands need it

        locked = s.BestAvailableEncryption(passphrase.encode()) if passphrase else s.NoEncryption()
        return self._private.private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8, locked)

    def __repr__(self) -> str:
        return f"<SecretKey {self.key.short}>"


def new_secret(name: str, kind: int = ED25519) -> SecretKey:
    """Return a new key.

    Raises:
        WrongUse: When `cryptography` is not installed.
    """
    verify_installed()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415 -- 5 ms: few commands need it

    return SecretKey(name, Ed25519PrivateKey.generate(), kind)


def read_secret(name: str, pem: bytes, passphrase: str = "", kind: int = ED25519) -> SecretKey:
    """Return the key in a file.

    Raises:
        ValueError: When it is not a key, or the pass-phrase is wrong.
        TypeError: When it has a pass-phrase and none is given.
        WrongUse: When `cryptography` is not installed.
    """
    verify_installed()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415 -- 5 ms: few commands need it
    from cryptography.hazmat.primitives.serialization import load_pem_private_key  # noqa: PLC0415 -- 14 ms: few commands need it

    private = load_pem_private_key(pem, passphrase.encode() if passphrase else None)
    if not isinstance(private, Ed25519PrivateKey):
        raise ValueError("expected an Ed25519 key")
    return SecretKey(name, private, kind)


def is_signed(key: SeatKey, text: str, signature: bytes) -> bool:
    """Return whether the key made this signature over the text.

    Raises:
        WrongUse: When `cryptography` is not installed.
    """
    verify_installed()
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 -- 4 ms: few commands need it
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415 -- 5 ms: few commands need it

    try:
        Ed25519PublicKey.from_public_bytes(key.public).verify(signature, text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def is_installed() -> bool:
    """Return whether signatures can be made and checked here."""

    return find_spec("cryptography") is not None


def verify_installed() -> None:
    """Verify that `cryptography` is installed.

    Raises:
        WrongUse: When it is not.
    """
    if not is_installed():
        what, remedy = "signatures need the package cryptography", f"pip install '{EXTRA}'"
        raise WrongUse(what, where="keys", rule="keys", remedy=remedy)
