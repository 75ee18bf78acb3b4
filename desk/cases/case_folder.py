"""Write a dispute as a folder: pages, the orders as given, the whole log, the checkpoint, and a manifest.

Every page and picture follows from the log in the folder, so that a judge can make them again, as `case_check` does.
The manifest has the SHA-256 of each file and the program that made them. The folder includes `umpire-verify.py`, which
checks the log without Umpire. Folders of format 1 have no pictures and no verifier; folders of format 2 have no
verifier.
"""

import hashlib
from pathlib import Path
from typing import Any

import msgspec

from umpire_ledger.desk.cases.picture_files import AFTER, BEFORE, DICE
from umpire_ledger.desk.core.edition import EDITION
from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.desk.core.text_files import whole_folder
from umpire_ledger.desk.logs.log_files import write_log
from umpire_ledger.desk.logs.verifier import NAME as VERIFIER, verifier
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.merkle.tree import Checkpoint
from umpire_ledger.projections.record.escaping import inert_json
from umpire_ledger.projections.reports.case_file import Case, case_of, order_lines, page
from umpire_ledger.projections.reports.disputes import DisputeLine
from umpire_ledger.projections.tables.updater import Follower

FORMAT = 3
WITHOUT_PICTURES, WITHOUT_VERIFIER = 1, 2
"""Old formats, which can still be checked."""
FORMATS = (WITHOUT_PICTURES, WITHOUT_VERIFIER, FORMAT)
MANIFEST, LOG, CHECKPOINT = "manifest.json", "replay.jsonl", "checkpoint.txt"
TEXTS = ("case.json", "case.md", "orders.jsonl")
PAGES = (*TEXTS, BEFORE, AFTER, DICE)
FILES = (*PAGES, VERIFIER, CHECKPOINT, LOG)
"""The files of a case file, without its manifest."""
PROGRAM = f"umpire-ledger {EDITION}"


class FileHash(msgspec.Struct, frozen=True, kw_only=True):
    """A file's SHA-256 in hex, and its size in bytes."""

    sha256: str
    bytes: int


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of the folder.

    `program` is the program that wrote it. `title` is the title's id and version; "" if the title is not installed.
    """

    format: int
    game: str
    dispute: str
    seat: str
    program: str
    title: str
    size: int
    root: str
    files: dict[str, FileHash]


class CaseFolder(msgspec.Struct, frozen=True, kw_only=True):
    """A written case: `folder` contains `files`, and its log matches the checkpoint.

    `manifest` is the SHA-256 of the manifest, which identifies the whole folder.
    """

    folder: Path
    files: tuple[str, ...]
    case: Case
    checkpoint: Checkpoint
    manifest: str = ""


def write_case(follower: Follower, ledger: Ledger[Game], dispute: DisputeLine, seat: str, folder: Path) -> CaseFolder:
    """Write the pages, the log as the seat may see it, its checkpoint and the manifest.

    Raises:
        WrongUse: When the folder cannot be written.
    """
    with whole_folder(folder) as made:
        found = case_of_dispute(follower, ledger, dispute, seat)
        for name, text in pages_of(follower, ledger, found).items():
            (made / name).write_bytes(text)
        with (made / LOG).open("wb") as log:
            checkpoint = write_log(ledger, found.game, log, seat)
        (made / CHECKPOINT).write_text(checkpoint.text(), encoding="utf-8")
        manifest = Manifest(
            format=FORMAT,
            game=found.game,
            dispute=dispute.dispute,
            seat=seat,
            program=PROGRAM,
            title=title_words(follower, found.game),
            size=checkpoint.size,
            root=checkpoint.hex,
            files={name: hash_of(made / name) for name in FILES},
        )
        (made / MANIFEST).write_text(_laid_out(manifest), encoding="utf-8")
        named = hash_of(made / MANIFEST).sha256
    files = tuple(sorted(one.name for one in folder.iterdir()))
    return CaseFolder(folder=folder, files=files, case=found, checkpoint=checkpoint, manifest=named)


def case_of_dispute(follower: Follower, ledger: Ledger[Game], dispute: DisputeLine, seat: str) -> Case:
    """Return the case of a dispute.

    Raises:
        WrongUse: When the dispute contests records that are not in the log. Only another program writes such a log.
    """
    if not dispute.records or not all(1 <= one <= ledger.size(dispute.game) for one in dispute.records):
        what = f"dispute {dispute.dispute} contests records that are not in this log"
        raise WrongUse(
            what, where=dispute.game, rule="disputes", remedy="open another dispute about records of this log"
        )
    return case_of(follower, ledger, dispute, seat)


def pages_of(follower: Follower, ledger: Ledger[Game], case: Case, format: int = FORMAT) -> dict[str, bytes]:
    """Return the pages, the pictures and the verifier of a case, by file name.

    Raises:
        NoSuchRecord: When the case needs a record that the game does not have.
    """
    from umpire_ledger.desk.cases.case_pictures import case_pictures  # noqa: PLC0415 -- 34 ms: most looks draw nothing

    drawn = None if format == WITHOUT_PICTURES else case_pictures(follower, ledger, case)
    texts = (_laid_out(case), page(case, drawn.shown if drawn else None), order_lines(case))
    pages = {name: text.encode() for name, text in zip(TEXTS, texts, strict=True)}
    pages |= drawn.files if drawn else {}
    return {**pages, VERIFIER: verifier()} if format == FORMAT else pages


def files_of(format: int) -> tuple[str, ...]:
    """Return the files in a folder of a format, without its manifest."""
    if format == WITHOUT_PICTURES:
        return (*TEXTS, CHECKPOINT, LOG)
    return tuple(name for name in FILES if name != VERIFIER or format != WITHOUT_VERIFIER)


def title_words(follower: Follower, game_id: str) -> str:
    """Return the id and version of the title that makes the pages; "" if it is not installed."""
    title = follower.title_of(game_id)
    return "" if title is None else f"{title.id} {title.version}"


def hash_of(file: Path) -> FileHash:
    """Return the SHA-256 of a file.

    Raises:
        OSError: When the file cannot be read.
    """
    with file.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256")
        return FileHash(sha256=digest.hexdigest(), bytes=stream.tell())


def _laid_out(value: Any) -> str:
    return msgspec.json.format(inert_json(msgspec.json.encode(value).decode()), indent=2) + "\n"
