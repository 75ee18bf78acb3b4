"""Many games at once: the ledger as a copy, its games as a folder of logs, a folder of logs into a ledger.

One game or log that is bad stops no other: each has its line, with what came of it.
"""

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from umpire_ledger.desk import log_files
from umpire_ledger.desk.errors import BROKEN, DONE, EXPECTED, WrongUse, problem_of
from umpire_ledger.desk.log_names import ENDING, log_names
from umpire_ledger.desk.sitting import open_ledger
from umpire_ledger.desk.text_files import cannot
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.application import Ledger

if TYPE_CHECKING:
    from umpire_ledger.desk.desk import Desk


class LogLine(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one log of many. `code`: 0, or the exit code of what is wrong; `trouble`: that in words.

    `new`: records that the ledger did not have, where it was taken in.
    """

    file: str
    game: str = ""
    verdict: str = ""
    size: int = 0
    root: str = ""
    new: int = 0
    code: int = DONE
    trouble: str = ""
    remedy: str = ""


class BackedUp(msgspec.Struct, frozen=True, kw_only=True):
    """A copy of a ledger that was made and checked. `broken`: games that do not verify in it, and why.

    They do not verify in the ledger either: the copy is what the ledger is.
    """

    file: str
    games: int
    records: int
    bytes: int
    broken: dict[str, str]


# --- out --------------------------------------------------------------------------------------------------------------


def export_all(desk: "Desk", folder: Path, seat: str, *, whole: bool) -> Iterator[LogLine]:
    """Write every game into a folder, one log each, as a seat may see it; each is checked as it lies there.

    Raises WrongUse for a folder that cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot("written", folder, error) from error
    for game, name in log_names(desk.ledger.game_ids()).items():
        yield _exported(desk, game, folder / name, seat, whole=whole)


def _exported(desk: "Desk", game: str, file: Path, seat: str, *, whole: bool) -> LogLine:
    try:
        desk.game(game).export(file, seat=seat, whole=whole)
        return check_log(file)
    except EXPECTED as error:
        return _refused(file, error, game)
    except Exception as error:  # a record that no edition wrote: the next game is exported
        return LogLine(file=str(file), game=game, code=BROKEN, trouble=f"{type(error).__name__}: {error}")


# --- in ---------------------------------------------------------------------------------------------------------------


def logs_in(folder: Path) -> list[Path]:
    """The logs of a folder, by name. Raises WrongUse where there is none, or the folder cannot be read."""
    try:
        found = sorted(file for file in folder.iterdir() if file.name.endswith(ENDING) and file.is_file())
    except OSError as error:
        raise cannot("read", folder, error) from error
    if not found:
        what, remedy = f"there is no log in {folder}", f"name a folder with logs in it: their names end with {ENDING}"
        raise WrongUse(what, where=str(folder), rule="files", remedy=remedy)
    return found


def take_in(desk: "Desk", file: Path) -> LogLine:
    """Check a log and take it in; what the ledger has of it already stays."""
    log = check_log(file)
    if log.code:
        return log
    try:
        before = desk.size_of(log.game)
        game = desk.import_log(file)
        game.catch_up()
        return msgspec.structs.replace(log, new=game.size - before)
    except EXPECTED as error:
        return _refused(file, error, log.game, log.verdict)


def check_log(file: Path) -> LogLine:
    """What a log is worth, without taking it in."""
    try:
        checked = log_files.verify_file(file)
    except EXPECTED as error:
        return _refused(file, error)
    verdict = checked.verdict
    line = LogLine(file=str(file), game=verdict.game, verdict=verdict.verdict, size=verdict.size, root=verdict.root)
    if checked.valid:
        return line
    remedy = f"get an undamaged copy; `umpire verify {shlex.quote(str(file))}` says more"
    return msgspec.structs.replace(line, code=BROKEN, trouble=verdict.reason, remedy=remedy)


def _refused(file: Path, error: Exception, game: str = "", verdict: str = "") -> LogLine:
    said = problem_of(error)
    return LogLine(file=str(file), game=game, verdict=verdict, code=said.code, trouble=said.what, remedy=said.remedy)


# --- the ledger as it is ----------------------------------------------------------------------------------------------


def verified(copy: Path) -> BackedUp:
    """Verify every game of a copy of a ledger."""
    with open_ledger(copy, read_only=True) as ledger:
        return _verified(ledger, copy)


def _verified(ledger: Ledger[Game], file: Path) -> BackedUp:
    broken: dict[str, str] = {}
    records = 0
    games = ledger.game_ids()
    for game in games:
        try:
            verdict = ledger.verify(game)
            records += verdict.size
            if not verdict.valid:
                broken[game] = f"{verdict.verdict}: {verdict.reason}"
        except Exception as error:  # whatever it is, the next game is looked at
            broken[game] = str(error)
    return BackedUp(file=str(file), games=len(games), records=records, bytes=os.path.getsize(file), broken=broken)
