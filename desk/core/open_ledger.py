"""Open a ledger: its location, store and read models. Services take an `OpenLedger`.

The ledger is opened at its first use, and the first game creates a missing file.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Self

from umpire_ledger.desk.core.adapters import GameStateBuilder
from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.desk.core.order_checks import Signer
from umpire_ledger.desk.core.read_models import ReadModels
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.records.ledger_address import is_database, shown
from umpire_ledger.projections.tables.dialect import Tables
from umpire_ledger.projections.tables.views_file import MEMORY

PATIENCE = 5.0
"""Seconds to wait for another program that writes."""


def open_ledger(
    where: str | Path, *, create: bool = False, read_only: bool = False, patience: float = PATIENCE
) -> Ledger[Game]:
    """Open the ledger in a file.

    Raises:
        StoreUnavailable: When it cannot be opened.
    """
    return Ledger.open(where, GameStateBuilder(), create=create, read_only=read_only, lock_timeout=patience)


class OpenLedger:
    """A ledger and its read models, safe for several threads, and for several processes on one file."""

    def __init__(self, where: str | Path, *, read_only: bool = False, patience: float = PATIENCE) -> None:
        self.place = str(where)
        """The location as given, possibly with a password: used to open the ledger, and never shown."""
        self.where = shown(where)
        self.signer: Signer | None = None
        """Returns the secret key that signs a seat's orders, if available; set it before the first order."""
        self.read_only = read_only
        self._patience = patience
        self._closed = False
        self._lock = RLock()
        self._ledger: Ledger[Game] | None = None
        self._read_models: ReadModels | None = None

    @property
    def ledger(self) -> Ledger[Game]:
        """The ledger. For the application layer only: it does not hide secrets from seats.

        Raises:
            StoreUnavailable: When it cannot be opened.
        """
        return self._opened(create=self.where == MEMORY)

    @property
    def ledger_for_writing(self) -> Ledger[Game]:
        """The ledger, created if it is missing.

        Raises:
            StoreUnavailable: When it cannot be opened.
        """
        return self._opened(create=True)

    @property
    def read_models(self) -> ReadModels:
        """The read models of the ledger."""
        with self._lock:
            if self._read_models is None:
                self._read_models = ReadModels(self.ledger, self.where)
            return self._read_models

    @property
    def is_there(self) -> bool:
        """Whether the file exists; always true for a database, whose state shows when it is opened."""
        return self.where == MEMORY or is_database(self.where) or os.path.exists(self.where)

    @property
    def is_unopened_file(self) -> bool:
        """Whether the ledger is a file that is not open yet, so that its games can be listed without opening it."""
        with self._lock:
            return self._ledger is None and not self._closed and os.path.isfile(self.where)

    def size_of(self, game_id: str) -> int:
        """Return the number of records of a game; 0 if there is no such game, or no ledger yet.

        Raises:
            StoreUnavailable: The ledger cannot be opened.
        """
        if is_database(self.where):
            return self.ledger_for_writing.size(game_id)
        return self.ledger.size(game_id) if self.is_there else 0

    @contextmanager
    def own_tables(self) -> Iterator[Tables | None]:
        """Lend the read models in the ledger's own database; None if they are elsewhere."""
        if not is_database(self.where):
            yield None
            return
        with self.read_models.lent() as following:
            yield following.connection if is_database(following.path) else None

    def _opened(self, *, create: bool) -> Ledger[Game]:
        with self._lock:
            if self._closed:
                raise WrongUse(f"the desk over {self.where} is closed", where="desk", rule="", remedy="open a new one")
            if self._ledger is None:
                self._ledger = open_ledger(self.place, create=create, read_only=self.read_only, patience=self._patience)
            return self._ledger

    def close(self) -> None:
        """Close the ledger and its read models; acknowledged orders are on the disk already.

        Later calls raise WrongUse.
        """
        with self._lock:
            self._closed = True
            if self._read_models is not None:
                self._read_models.close()
            if self._ledger is not None:
                self._ledger.close()
            self._ledger = self._read_models = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
