"""Export private records, and complete redacted exports with them, without a ledger."""

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


def export_keys(ledger: Ledger[Game], game_id: str, to: Path | IO[bytes], seat: str, *, whole: bool) -> int:
    """Write the private records that a seat may see, or all; return their number.

    Raises:
        WrongUse: When the file cannot be written.
        NoSuchGame: When the ledger has no such game.
    """
    see = None if whole else seen_by(ledger, game_id, seat)
    if not isinstance(to, Path):
        return ledger_keys.write(ledger, game_id, to, see)
    with whole_file(to, SECRET if whole else OPEN) as out:
        return ledger_keys.write(ledger, game_id, out, see)


def open_export(export: str | Path, keys: str | Path, to: str | Path | IO[bytes]) -> Opened:
    """Restore the withheld records of an export from a file of keys; the root stays the same.

    Nothing is written unless every key matches.

    Args:
        keys: A file of `PlayedGame.export_keys`, another log of the game or its page, or a proof.

    Raises:
        BrokenLedger: When a key does not match, or the export is broken.
        WrongUse: When a file cannot be read or written.
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
