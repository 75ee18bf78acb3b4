"""Check a whole case file: the folder against its manifest, the log itself, and each page against the log.

A manifest alone proves nothing, because the author of a changed page can write another manifest. So the log must be
valid and match the checkpoint, and every page is made again from the log and compared byte by byte. If a page differs
and another version of Umpire or of the title wrote the case, the verdict is NOT COMPARED.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import msgspec

from umpire_ledger.desk.cases.case_folder import (
    CHECKPOINT,
    FILES,
    FORMAT,
    FORMATS,
    LOG,
    MANIFEST,
    PROGRAM,
    FileHash,
    Manifest,
    case_of_dispute,
    files_of,
    hash_of,
    pages_of,
    title_words,
)
from umpire_ledger.desk.cases.disputes import need_dispute
from umpire_ledger.desk.core.errors import EXPECTED, no_such_seat, problem_of
from umpire_ledger.desk.core.open_ledger import OpenLedger
from umpire_ledger.desk.core.text_files import read_text, verify_keys_once
from umpire_ledger.desk.logs.log_files import Checked, Kept, Progress, import_log, read_checkpoint, verify_file
from umpire_ledger.desk.logs.verifier import NAME as VERIFIER
from umpire_ledger.domain.game.verb_agreement import counted
from umpire_ledger.ledger.records.limits import MOST_CHECKPOINT
from umpire_ledger.projections.tables.seat_visibility import seats_at
from umpire_ledger.projections.tables.views_file import MEMORY

VALID, INVALID, INCOMPLETE, NOT_COMPARED = "VALID", "INVALID", "INCOMPLETE", "NOT COMPARED"
MOST_FOREIGN = 20
"""Maximum number of foreign files to name individually."""


class FileFault(msgspec.Struct, frozen=True, kw_only=True):
    """A fault of a file in the folder."""

    file: str
    what: str


class CheckedCase(msgspec.Struct, frozen=True, kw_only=True):
    """The result of checking a case file."""

    folder: str
    """The folder of the case file."""
    verdict: str
    """The verdict of a log; or NOT COMPARED if the only differences may be due to another version of the program."""
    faults: tuple[FileFault, ...] = ()
    """The faults of the files."""
    contents: Manifest | None = None
    """The manifest; None if the folder has no valid one."""
    manifest: str = ""
    """SHA-256 of the manifest; "" if there is none."""
    log: Checked | None = None
    """The result of checking the log alone."""
    note: str = ""
    """A remark on the verdict."""

    @property
    def valid(self) -> bool:
        return self.verdict.startswith(VALID)


def is_case_folder(folder: str | Path) -> bool:
    """Return whether a folder contains any of the files of a case."""
    return os.path.isdir(folder) and any(os.path.lexists(os.path.join(folder, name)) for name in (MANIFEST, *FILES))


def verify_case(folder: str | Path, *, checkpoint: Kept | None = None, tell: Progress | None = None) -> CheckedCase:
    """Check a case file. A fault is not an error; each fault in the result names its file.

    Args:
        checkpoint: A checkpoint that was kept elsewhere, signed or not. Without it, the check proves only that the
            folder is consistent.

    Raises:
        BrokenLedger: When a signature of the checkpoint is wrong.
    """
    return _Check(Path(folder), checkpoint, tell).whole()


class _Check:
    """A check of one folder, in steps that depend on the earlier ones."""

    def __init__(self, folder: Path, checkpoint: Kept | None, tell: Progress | None) -> None:
        self._folder = folder
        self._kept = checkpoint
        self._tell = tell
        self._contents: Manifest | None = None
        self._log: Checked | None = None
        self._hash = ""
        self._files: tuple[str, ...] = FILES

    def whole(self) -> CheckedCase:
        self._files = files_of(_format_of(self._folder))
        missing, foreign = self._names()
        if foreign:
            return self._answer(INVALID, *foreign, *missing)
        if missing:
            return self._answer(INCOMPLETE, *missing)
        faults = list(self._manifest_faults())
        if self._contents is not None and self._contents.format not in FORMATS:
            what = f"has format {self._contents.format}, but {PROGRAM} reads formats {FORMATS[0]} to {FORMAT}"
            return self._answer(NOT_COMPARED, FileFault(file=MANIFEST, what=what))
        if faults:
            return self._answer(INVALID, *faults)
        if faults := list(self._log_faults()):
            cut_short = self._log is not None and self._log.verdict.verdict == INCOMPLETE
            return self._answer(INCOMPLETE if cut_short else INVALID, *faults)
        return self._compared()

    def _answer(self, verdict: str, *faults: FileFault, note: str = "") -> CheckedCase:
        return CheckedCase(
            folder=str(self._folder),
            verdict=verdict,
            faults=faults,
            contents=self._contents,
            manifest=self._hash,
            log=self._log,
            note=note,
        )

    # --- the files ----------------------------------------------------------------------------------------------------

    def _names(self) -> tuple[list[FileFault], list[FileFault]]:
        """Return the missing files, and the entries that are not regular files or do not belong there."""
        try:
            there = {entry.name: entry.stat(follow_symlinks=False).st_mode for entry in os.scandir(self._folder)}
        except OSError as error:
            return [FileFault(file=".", what=f"cannot be read: {error.strerror}")], []
        missing = [FileFault(file=name, what="is missing") for name in (MANIFEST, *self._files) if name not in there]
        foreign: list[FileFault] = []
        for name, mode in sorted(there.items()):
            if name not in (MANIFEST, *self._files):
                foreign.append(FileFault(file=name, what="does not belong to the case file"))
            elif not stat.S_ISREG(mode):
                kind = "a symbolic link" if stat.S_ISLNK(mode) else "not a regular file"
                foreign.append(FileFault(file=name, what=f"is {kind}"))
        if len(foreign) > MOST_FOREIGN:
            others = counted(len(foreign) - MOST_FOREIGN, "more file")
            more = FileFault(file=".", what=f"has {others} outside the case file's list")
            foreign = [*foreign[:MOST_FOREIGN], more]
        return missing, foreign

    # --- the manifest -------------------------------------------------------------------------------------------------

    def _manifest_faults(self) -> Iterator[FileFault]:
        file = self._folder / MANIFEST
        try:
            text = read_text(file, MOST_CHECKPOINT)
            self._contents = verify_keys_once(msgspec.json.decode(text, type=Manifest), text.encode(), MANIFEST)
            self._hash = hash_of(file).sha256
        except (msgspec.DecodeError, *EXPECTED) as error:
            yield FileFault(file=MANIFEST, what=f"cannot be read: {_words(error)}")
            return
        listed = self._contents.files
        for name in listed:
            if name not in self._files:
                yield FileFault(file=MANIFEST, what=f"lists {name[:80]}, which does not belong to a case file")
        for name in self._files:
            yield from self._hash_faults(name, listed.get(name))

    def _hash_faults(self, name: str, said: FileHash | None) -> Iterator[FileFault]:
        if said is None:
            yield FileFault(file=name, what="is not listed in the manifest")
            return
        try:
            found = hash_of(self._folder / name)
        except OSError as error:
            yield FileFault(file=name, what=f"cannot be read: {error.strerror}")
            return
        if found != said:
            what = f"differs from the manifest: found SHA-256 {found.sha256[:16]}… and {found.bytes} bytes"
            yield FileFault(file=name, what=f"{what}, expected {said.sha256[:16]}… and {said.bytes}")

    # --- the log ------------------------------------------------------------------------------------------------------

    def _log_faults(self) -> Iterator[FileFault]:
        assert self._contents is not None
        try:
            beside = read_checkpoint(self._folder / CHECKPOINT)
        except EXPECTED as error:
            yield FileFault(file=CHECKPOINT, what=f"cannot be read: {_words(error)}")
            return
        self._log = verify_file(self._folder / LOG, checkpoint=self._kept or beside, tell=self._tell)
        verdict = self._log.verdict
        if not self._log.valid:
            yield FileFault(file=LOG, what=f"{verdict.verdict}: {verdict.reason}")
            return
        if (beside.game, beside.size, beside.hex) != (verdict.game, verdict.size, verdict.root):
            yield FileFault(file=CHECKPOINT, what=f"is not the checkpoint of the log: #{beside.size} of {beside.game}")
        said = self._contents
        if (said.game, said.size, said.root) != (verdict.game, verdict.size, verdict.root):
            yield FileFault(file=MANIFEST, what=f"names another log: {counted(said.size, 'record')} of {said.game}")

    # --- the pages ----------------------------------------------------------------------------------------------------

    def _compared(self) -> CheckedCase:
        assert self._contents is not None
        assert self._log is not None
        try:
            pages, title = self._made_again(self._contents)
        except EXPECTED as error:
            return self._answer(INVALID, FileFault(file=MANIFEST, what=f"does not match the log: {_words(error)}"))
        differ = [name for name, text in pages.items() if not self._holds(name, text)]
        if not differ:
            return self._answer(self._log.verdict.verdict)
        here, there = (PROGRAM, title), (self._contents.program, self._contents.title)
        if here == there:
            faults = (FileFault(file=name, what=_not_made(name)) for name in differ)
            return self._answer(INVALID, *faults)
        faults = (FileFault(file=name, what="differs from the file that this version writes") for name in differ)
        wrote, reads = (" with ".join(filter(None, one)) for one in (there, here))
        note = f"written by {wrote or 'an unknown version'}; this is {reads}, whose texts may differ"
        return self._answer(NOT_COMPARED, *faults, note=f"{note}; check it with that version")

    def _holds(self, name: str, text: bytes) -> bool:
        file = self._folder / name
        return file.stat().st_size == len(text) and file.read_bytes() == text

    def _made_again(self, contents: Manifest) -> tuple[dict[str, bytes], str]:
        """Return the pages made from the log alone, and the id and version of the title that makes them.

        Raises:
            DomainError: When the log cannot be read as this case.
            LedgerError: When the log cannot be imported.
        """
        with OpenLedger(MEMORY) as opened:
            game = import_log(opened, self._folder / LOG)
            seats = seats_at(opened.ledger.state(game))
            if contents.seat not in seats:
                raise no_such_seat(contents.seat, seats)
            dispute = need_dispute(opened, game, contents.dispute)
            with opened.read_models.caught_up(game) as following:
                case = case_of_dispute(following, opened.ledger, dispute, contents.seat)
                pages = pages_of(following, opened.ledger, case, contents.format)
                return pages, title_words(following, game)


def _format_of(folder: Path) -> int:
    """Return the format in a manifest; the current format if the manifest is unreadable, as another check reports."""
    file = folder / MANIFEST
    try:
        if not stat.S_ISREG(file.lstat().st_mode):
            return FORMAT
        return msgspec.json.decode(read_text(file, MOST_CHECKPOINT), type=_Format).format
    except (OSError, msgspec.DecodeError, *EXPECTED):
        return FORMAT


class _Format(msgspec.Struct):
    """The format in a manifest, which is needed to read the rest."""

    format: int


def _not_made(name: str) -> str:
    return "differs from the verifier of this version" if name == VERIFIER else "does not match the log"


def _words(error: Exception) -> str:
    return problem_of(error).what if isinstance(error, EXPECTED) else str(error)
