"""Repeat a write until the outcome of its commit is known.

This module does not import the store's library, which the verification of a log does not need.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from umpire_ledger.ledger.records.errors import CommitUnknown, ConnectionBroken, StoreUnavailable

TRIES = 3
"""Limit of attempts to commit, if the outcome of the first one is unknown."""
T = TypeVar("T")


def until_known(attempt: Callable[[], T]) -> T:
    """Repeat an attempt while the outcome of its commit is unknown, up to `TRIES` times. It must be idempotent.

    Raises:
        CommitUnknown: No attempt succeeded. This is the first error of unknown outcome, because a later failure of
            another kind does not determine that outcome.
        StoreUnavailable: The store cannot be used. Nothing was recorded.
    """
    unknown: CommitUnknown | None = None
    for left in range(TRIES, 0, -1):
        try:
            return attempt()
        except CommitUnknown as error:
            unknown = unknown or error
        except ConnectionBroken as error:
            if left == 1:
                raise unknown or error from error
        except StoreUnavailable as error:
            raise unknown or error from error
    assert unknown is not None
    raise unknown
