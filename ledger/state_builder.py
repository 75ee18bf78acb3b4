"""Define the builder of states from stored lines that a caller hands to the ledger."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

S = TypeVar("S")


class StateBuilder(Protocol[S]):
    """The caller's way to build a state; handed in, because the ledger knows no game. States must not be altered."""

    @property
    def schema(self) -> str:
        """Names the shape of the dumped state; snapshots kept under another schema are ignored."""

    def start(self) -> S:
        """The state before the first record."""

    def fold(self, state: S, lines: Iterable[bytes]) -> S:
        """Return the state after these stored lines: whole JSON objects as in FORMAT.md 1, the event in field `event`.

        A redacted record's line has no `event`: it must be passed over.
        """

    def dump(self, state: S) -> bytes:
        """Return the bytes of a state for a snapshot."""

    def load(self, raw: bytes) -> S:
        """From a snapshot."""
