"""The dice of a test fall alike in every run: a seed hangs on the test's name and on how many it has drawn before.

With seeds of the system's, a test that says `these are other pips` fails one time in six where one die is thrown. What
other programs draw that a test starts is their own.
"""

import secrets
from hashlib import sha256

SEED_BYTES = 32
"""Of a game's dice; nothing else draws so many (`secrets.token_hex`)."""
_of_the_system = secrets.token_hex


class Seeds:
    """Draws them. `begin` is called before each test, with its name."""

    def __init__(self) -> None:
        self._test = ""
        self._drawn = 0

    def begin(self, test: str) -> None:
        self._test, self._drawn = test, 0

    def token_hex(self, nbytes: int | None = None) -> str:
        if nbytes != SEED_BYTES:
            return _of_the_system(nbytes)
        self._drawn += 1
        return sha256(f"{self._test} {self._drawn}".encode()).hexdigest()


SEEDS = Seeds()
