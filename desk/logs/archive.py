"""Store the display names of a ledger's games, and mark the games that its list leaves out.

Neither is in a game's records: a game is the same under any name, and its checkpoints cover the records only. So both
are game metadata, stored next to the records.
"""

import os
from pathlib import Path

import msgspec

from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.desk.logs import log_files
from umpire_ledger.desk.logs.log_names import log_name, plain_name
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.records.ledger_address import database_in, is_database
from umpire_ledger.ledger.storage.metadata import ARCHIVED, DISPLAY_NAME, MetadataEntry
from umpire_ledger.projections.tables.views_file import MEMORY

LONGEST_NAME = 120
"""Maximum length of a display name, in characters."""


class Archived(msgspec.Struct, frozen=True, kw_only=True):
    """An archived game and its log, which was written and checked."""

    game: str
    """Id of the game."""
    file: str
    """Path of the log."""
    size: int
    """Number of its records."""
    root: str
    """The Merkle root over them, 64 hex digits."""


# --- names ------------------------------------------------------------------------------------------------------------


def display_name(ledger: Ledger[Game], game_id: str) -> str:
    """Return the display name of a game in this ledger; "" if it was not renamed."""
    return next((entry.value for entry in ledger.metadata_of_kind(DISPLAY_NAME, game_id)), "")


def rename(ledger: Ledger[Game], game_id: str, name: str) -> None:
    """Set the display name of a game in this ledger; "" restores the scenario's name. Its id stays.

    Raises:
        WrongUse: When the name is too long.
    """
    name = " ".join(name.split())
    if len(name) > LONGEST_NAME:
        raise WrongUse(
            f"a display name of {len(name)} characters is too long",
            where=game_id,
            rule=f"limits: at most {LONGEST_NAME} characters",
            remedy="give a shorter one",
        )
    with ledger.metadata() as metadata:
        if name:
            metadata.put(MetadataEntry(game_id, DISPLAY_NAME, "", name))
        else:
            metadata.drop(game_id, DISPLAY_NAME)


# --- the archive ------------------------------------------------------------------------------------------------------


def is_archived(ledger: Ledger[Game], game_id: str) -> bool:
    """Return whether a game is left out of the list."""
    return bool(ledger.metadata_of_kind(ARCHIVED, game_id))


def archive(ledger: Ledger[Game], game_id: str, file: Path) -> Archived:
    """Write the whole log of a game, check the file, and take the game out of the list. Nothing is deleted.

    Args:
        file: A path that does not exist.

    Raises:
        WrongUse: When the file cannot be written.
        BrokenLedger: When the log does not verify; then the game stays in the list.
    """
    exported = log_files.export(ledger, game_id, file, "", whole=True)
    checked = log_files.verify_file(file, checkpoint=exported.checkpoint)
    if not checked.valid:
        file.unlink()
        log_files.verify_unbroken(file, checked.verdict)
    done = Archived(game=game_id, file=str(file), size=exported.checkpoint.size, root=exported.checkpoint.hex)
    with ledger.metadata() as metadata:
        metadata.put(MetadataEntry(game_id, ARCHIVED, "", msgspec.json.encode(done).decode()))
    return done


def verify_not_archived(ledger: Ledger[Game], game_id: str) -> None:
    """Verify that a game is not archived.

    Raises:
        WrongUse: When it is.
    """
    found = next((entry.value for entry in ledger.metadata_of_kind(ARCHIVED, game_id)), "")
    if found:
        log = msgspec.json.decode(found, type=Archived)
        what = f"{game_id} is already archived, in {log.file}"
        raise WrongUse(
            what, where=game_id, rule="archive", remedy=f"`umpire unarchive {game_id}` puts it back into the list"
        )


def unarchive(ledger: Ledger[Game], game_id: str) -> None:
    """Put a game back into the list; its log stays in the archive.

    Raises:
        WrongUse: When the game is not archived.
    """
    with ledger.metadata() as metadata:
        if not metadata.drop(game_id, ARCHIVED):
            what = f"{game_id} is not archived"
            raise WrongUse(
                what, where=game_id, rule="archive", remedy="list the archived games: `umpire games --archived`"
            )


def archive_file(where: str, game_id: str, size: int) -> Path:
    """Return the default path for the log of an archived game: in `umpire.archive/` next to `umpire.db`.

    For a ledger in a database, the folder is in the working directory and has the database's name: `club.archive/`. If
    the game was archived before, the file name also has its number of records.

    Raises:
        WrongUse: When the ledger is in memory, or the folder cannot be made.
    """
    if where == MEMORY:
        remedy = "name the file"
        raise WrongUse("a ledger in memory has no folder for its archive", where=where, rule="archive", remedy=remedy)
    stem = plain_name(database_in(where) or "umpire") if is_database(where) else os.path.splitext(where)[0]
    folder = Path(f"{stem}.archive")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        remedy = "name a file elsewhere, or make the ledger's folder writable"
        raise WrongUse(
            f"{folder} cannot be made: {error.strerror}", where=str(folder), rule="files", remedy=remedy
        ) from error
    first = folder / log_name(game_id)
    return folder / log_name(game_id, f"-{size}") if os.path.lexists(first) else first
