"""`umpire-verify.py`, the verifier of one page: what lies beside the package, byte for byte.

It is no module of Umpire. It imports nothing of it, runs on Python 3.9 alone, and goes with every case file.
"""

import hashlib
from pathlib import Path

NAME = "umpire-verify.py"
FILE = Path(__file__).resolve().parents[2] / "ledger" / "one_page" / NAME


def verifier() -> bytes:
    """The bytes of `umpire-verify.py`, one page of Python that checks a replay log with nothing of Umpire."""
    return FILE.read_bytes()


def verifier_hash() -> str:
    """Its SHA-256 in hex, which README lists too."""
    return hashlib.sha256(verifier()).hexdigest()
