"""Read `umpire-verify.py`, the one-page verifier that the package contains and that is copied into every case file.

It is not a module of Umpire: it imports no other module of Umpire and needs only Python 3.9.
"""

import hashlib
from pathlib import Path

NAME = "umpire-verify.py"
FILE = Path(__file__).resolve().parents[2] / "ledger" / "one_page" / NAME


def verifier() -> bytes:
    """Return the bytes of `umpire-verify.py`, one page of Python that checks a replay log without Umpire."""
    return FILE.read_bytes()


def verifier_hash() -> str:
    """Return the verifier's SHA-256 in hex, as the README lists it."""
    return hashlib.sha256(verifier()).hexdigest()
