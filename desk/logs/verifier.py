"""Read `umpire-verify.py`, the one-page verifier that is shipped in the package and goes into every case file.

It is not a module of Umpire: it does not import any other and needs Python 3.9 only.
"""

import hashlib
from pathlib import Path

NAME = "umpire-verify.py"
FILE = Path(__file__).resolve().parents[2] / "ledger" / "one_page" / NAME


def verifier() -> bytes:
    """Return the bytes of `umpire-verify.py`, one page of Python that checks a replay log without Umpire."""
    return FILE.read_bytes()


def verifier_hash() -> str:
    """Return its SHA-256 in hex, as README lists it."""
    return hashlib.sha256(verifier()).hexdigest()
