"""Back up a ledger, export all its games to a folder of logs, and import a folder of logs.

A bad game or log does not stop the others: each has an item with its result.
"""

import os
import shlex
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from umpire_ledger.desk.core.errors import BROKEN, DONE, EXPECTED, USAGE, WrongUse, problem_of
from umpire_ledger.desk.core.open_ledger import OpenLedger, open_ledger
from umpire_ledger.desk.core.text_files import cannot
from umpire_ledger.desk.logs import log_files
from umpire_ledger.desk.logs.log_names import ENDING, log_names
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger

Export = Callable[[str, Path, str, bool], object]
"""Write a game to a file, either as a seat may see it or as the whole log."""
MOST_NAMED = 5
"""Maximum number of folder entries that a refusal names."""
KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class LogLine(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one log of several."""

    file: str
    """The file or entry of the folder."""
    game: str = ""
    """Id of the game."""
    verdict: str = ""
    """The verdict of its check."""
    size: int = 0
    """Number of its records."""
    root: str = ""
    """The Merkle root over them."""
    new: int = 0
    """Number of records that an import added to the ledger."""
    code: int = DONE
    """0, or the exit code of its fault."""
    trouble: str = ""
    """The fault in words."""
    remedy: str = ""
    """The remedy in words."""
    skipped: str = ""
    """The reason why an entry of a folder was not read, such as a name that is not a log's."""


class BackedUp(msgspec.Struct, frozen=True, kw_only=True):
    """A checked copy of a ledger."""

    file: str
    """Path of the copy."""
    games: int
    """Number of its games."""
    records: int
    """Number of its records."""
    bytes: int
    """Size of the file, in bytes."""
    broken: dict[str, str]
    """Games that do not verify, with the reason. The copy is exact, so they do not verify in the ledger either."""


# --- export -----------------------------------------------------------------------------------------------------------


def export_all(games: Iterable[str], export: Export, folder: Path, seat: str, *, whole: bool) -> Iterator[LogLine]:
    """Write each game into a folder as a log, as a seat may see it, and check the written file.

    Raises:
        WrongUse: When the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot("written", folder, error) from error
    for game, name in log_names(games).items():
        yield _exported(export, game, folder / name, seat, whole=whole)


def _exported(export: Export, game_id: str, file: Path, seat: str, *, whole: bool) -> LogLine:
    try:
        export(game_id, file, seat, whole)
        return check_log(file)
    except EXPECTED as error:
        return _refused(file, error, game_id)
    except Exception as error:  # a record that no version wrote does not stop the other games
        return LogLine(file=str(file), game=game_id, code=BROKEN, trouble=f"{type(error).__name__}: {error}")


# --- import -----------------------------------------------------------------------------------------------------------


def take_in_folder(opened: OpenLedger, folder: Path) -> Iterator[LogLine]:
    """Check and import every log of a folder, in order of name; list every other entry as skipped.

    Raises:
        WrongUse: When the folder has no log, or cannot be read.
    """
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise cannot("read", folder, error) from error
    if not any(entry.name.endswith(ENDING) for entry in entries):
        raise WrongUse(
            f"there is no log in {folder}{_contents(entries)}",
            where=str(folder),
            rule="files",
            remedy=f"name a folder with logs in it: their names end with {ENDING}",
        )
    for entry in entries:
        kind = _kind_of(entry)
        if not entry.name.endswith(ENDING):
            yield LogLine(file=str(entry), skipped=kind or f"its name does not end with {ENDING}")
        elif kind:
            remedy = "put a copy of the log in its place, or take it out of the folder"
            what = f"it is {kind}, and was not read"
            yield LogLine(file=str(entry), code=USAGE, trouble=what, remedy=remedy, skipped=kind)
        else:
            yield take_in(opened, entry)


def _contents(entries: Sequence[Path]) -> str:
    """Return the first entries of a folder for a refusal, each with its kind if it is not a file."""
    if not entries:
        return ", it is empty"
    names = [f"{entry.name} ({kind})" if (kind := _kind_of(entry)) else entry.name for entry in entries[:MOST_NAMED]]
    more = f" and {len(entries) - MOST_NAMED} more" if len(entries) > MOST_NAMED else ""
    return f", only {', '.join(names)}{more}"


def _kind_of(entry: Path) -> str:
    """Return the kind of a folder entry; "" for a file, or a link to one. Do not open it: a FIFO would block."""
    try:
        mode = entry.stat().st_mode
    except OSError as error:
        return "a broken link" if entry.is_symlink() else f"not readable: {error.strerror}"
    return "" if stat.S_ISREG(mode) else next((kind for is_one, kind in KINDS if is_one(mode)), "not a file")


def take_in(opened: OpenLedger, file: Path) -> LogLine:
    """Check a log and import it; keep the records that the ledger already has."""
    log = check_log(file)
    if log.code:
        return log
    try:
        before = opened.size_of(log.game)
        game = log_files.import_log(opened, file)
        opened.read_models.follow(game)
        return msgspec.structs.replace(log, new=opened.size_of(game) - before)
    except EXPECTED as error:
        return _refused(file, error, log.game, log.verdict)


def check_log(file: Path) -> LogLine:
    """Return the result of checking a log without importing it."""
    try:
        checked = log_files.verify_file(file)
    except EXPECTED as error:
        return _refused(file, error)
    verdict = checked.verdict
    line = LogLine(file=str(file), game=verdict.game, verdict=verdict.verdict, size=verdict.size, root=verdict.root)
    if checked.valid:
        return line
    remedy = f"get an undamaged copy; `umpire verify {shlex.quote(str(file))}` shows more"
    return msgspec.structs.replace(line, code=BROKEN, trouble=verdict.reason, remedy=remedy)


def _refused(file: Path, error: Exception, game_id: str = "", verdict: str = "") -> LogLine:
    said = problem_of(error)
    return LogLine(file=str(file), game=game_id, verdict=verdict, code=said.code, trouble=said.what, remedy=said.remedy)


# --- backup -----------------------------------------------------------------------------------------------------------


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
        except Exception as error:  # any fault of a game must not stop the check of the others
            broken[game] = str(error)
    return BackedUp(file=str(file), games=len(games), records=records, bytes=os.path.getsize(file), broken=broken)
