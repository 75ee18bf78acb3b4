"""Draw the same seeds in every run of a test, from its name and the number of seeds it has drawn before.

With random seeds, a test that requires different dice results fails one time in six if one die is rolled. Other
programs that a test starts draw their own seeds.
"""

import secrets
from hashlib import sha256

SEED_BYTES = 32
"""Size of a game's dice seed; no other caller of `secrets.token_hex` asks for this number of bytes."""
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
