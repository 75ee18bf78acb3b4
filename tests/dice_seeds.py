"""Draw the same seeds in every run of a test, from its name and the number of seeds that it has already drawn.

With random seeds, a test that requires two different results of one die would fail one time in six. Other programs that
a test starts draw their own seeds.
"""

import secrets
from hashlib import sha256

SEED_BYTES = 32
"""Size of a game's dice seed; no other caller of `secrets.token_hex` asks for this number of bytes."""
_of_the_system = secrets.token_hex


class Seeds:
    """Draws reproducible seeds. `begin` is called with the name of each test before it runs."""

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
