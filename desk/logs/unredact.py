"""A redacted export that is completed later, without a ledger."""

from __future__ import annotations

from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

from umpire_ledger.desk.core.text_files import OPEN, SECRET, whole_file
from umpire_ledger.desk.logs.log_files import log_in, seen_by
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger import unredact as ledger_keys
from umpire_ledger.ledger.records.limits import lines_of
from umpire_ledger.ledger.unredact import Opened

if TYPE_CHECKING:
    from umpire_ledger.ledger.ledger import Ledger


def export_keys(ledger: Ledger[Game], game: str, to: Path | IO[bytes], seat: str, *, whole: bool) -> int:
    """Write the private records that a seat may see, or all; gives how many. Raises WrongUse, NoSuchGame."""
    see = None if whole else seen_by(ledger, game, seat)
    if not isinstance(to, Path):
        return ledger_keys.write(ledger, game, to, see)
    with whole_file(to, SECRET if whole else OPEN) as out:
        return ledger_keys.write(ledger, game, out, see)


def open_export(export: str | Path, keys: str | Path, to: str | Path | IO[bytes]) -> Opened:
    """Fill in what was withheld in an export, as far as the keys go; the root stays.

    `keys`: what `PlayedGame.export_keys` wrote, another log of the game or its page, or a proof. Nothing is written
    unless every key fits. Raises BrokenLedger for wrong keys and for an export that is broken; WrongUse.
    """
    with log_in(Path(export)) as log, log_in(Path(keys)) as known:
        if isinstance(to, str | Path):
            with whole_file(Path(to)) as out:
                return ledger_keys.unredact(lines_of(log), lines_of(known), out)
        with TemporaryFile() as out:
            opened = ledger_keys.unredact(lines_of(log), lines_of(known), out)
            out.seek(0)
            copyfileobj(out, to)
            return opened
