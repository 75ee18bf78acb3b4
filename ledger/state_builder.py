"""Define the builder that a caller gives to the ledger, to build states from stored lines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

S = TypeVar("S")


class StateBuilder(Protocol[S]):
    """The caller's way to build a state, because the ledger knows no game. States must not be changed."""

    @property
    def schema(self) -> str:
        """Name of the form of a dumped state. Snapshots of another schema are ignored."""

    def start(self) -> S:
        """Return the state before the first record."""

    def fold(self, state: S, lines: Iterable[bytes]) -> S:
        """Return the state after these stored lines: JSON objects as in FORMAT.md 1, with the event in the field
        `event`.

        The line of a redacted record has no `event` and must be skipped.
        """

    def dump(self, state: S) -> bytes:
        """Return the bytes of a state for a snapshot."""

    def load(self, raw: bytes) -> S:
        """Return the state in the bytes of a snapshot."""
