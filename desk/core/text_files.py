"""Read files as UTF-8 text, and write files that appear only when they are complete."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TypeVar

from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.ledger.records.json_keys import repeated_key
from umpire_ledger.ledger.records.limits import said

T = TypeVar("T")

RULE = "files"
OPEN = 0o644
SECRET = 0o600
"""File modes: readable by all, or only by the owner because the file has secrets of a game."""


def read_text(file: Path, most: int) -> str:
    """Return the text of a UTF-8 file of at most `most` bytes.

    Raises:
        WrongUse: When the file cannot be read, is longer, or is not UTF-8.
    """
    with read_bytes(file) as stream:
        raw = stream.read(most + 1)
    if len(raw) > most:
        limit = f"limits: at most {said(most)}"
        raise WrongUse(f"{file} is too large", where=str(file), rule=limit, remedy="split it, or use another file")
    try:
        return raw.decode().replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        what = f"{file} is not UTF-8 text (byte {error.start})"
        raise WrongUse(what, where=str(file), rule="", remedy="save it as UTF-8") from error


@contextmanager
def read_bytes(file: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading.

    Raises:
        WrongUse: When it cannot be opened or read.
    """
    try:
        with file.open("rb") as stream:
            yield stream
    except OSError as error:
        raise cannot("read", file, error) from error


@contextmanager
def whole_file(file: Path, mode: int = OPEN) -> Iterator[IO[bytes]]:
    """Write a file that appears only when it is complete and on the disk.

    A symbolic link stays, and its target is written. A pipe or a device is written directly, never replaced by a file.

    Args:
        mode: The permissions of the file.

    Raises:
        WrongUse: The file cannot be written.
    """
    try:
        target = file.resolve()
        is_stream = target.exists() and not target.is_file() and not target.is_dir()
        with target.open("wb") if is_stream else _appears_whole(target, mode) as out:
            yield out
    except OSError as error:
        raise cannot("written", file, error) from error


@contextmanager
def _appears_whole(file: Path, mode: int) -> Iterator[IO[bytes]]:
    with tempfile.NamedTemporaryFile(dir=file.parent, prefix=f".{file.name}.", delete=False) as out:
        try:
            yield out
            out.flush()
            os.fsync(out.fileno())
            os.chmod(out.name, mode)
            os.replace(out.name, file)
        except BaseException:
            os.unlink(out.name)
            raise
    settle(file.parent)


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """Write a folder that appears only when it is complete and on the disk.

    Raises:
        WrongUse: When it exists and is not empty, or cannot be written.
    """
    if os.path.exists(folder) and (not folder.is_dir() or any(folder.iterdir())):
        what, remedy = f"{folder} already exists", "use a new or empty folder"
        raise WrongUse(what, where=str(folder), rule="", remedy=remedy)
    try:
        made = Path(tempfile.mkdtemp(dir=folder.absolute().parent, prefix=f".{folder.name}."))
    except OSError as error:
        raise cannot("written", folder, error) from error
    try:
        yield made
        made.chmod(0o755)
        for file in sorted(made.iterdir()):
            settle(file)
        settle(made)
        os.replace(made, folder)
        settle(folder.absolute().parent)
    except OSError as error:
        raise cannot("written", folder, error) from error
    finally:
        shutil.rmtree(made, ignore_errors=True)


def verify_not_there(file: Path) -> None:
    """Verify that a file does not exist, because no file is overwritten.

    Raises:
        WrongUse: When it exists.
    """
    if os.path.lexists(file):
        what, remedy = f"{file} already exists", "use another file, or move that one"
        raise WrongUse(what, where=str(file), rule=RULE, remedy=remedy)


def settle(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk. Some file systems cannot do that for folders."""
    try:
        number = os.open(path, os.O_RDONLY)
    except OSError:
        if path.is_dir():
            return
        raise
    try:
        os.fsync(number)
    except OSError:
        if not path.is_dir():
            raise
    finally:
        os.close(number)


def cannot(done: str, file: Path, error: OSError) -> WrongUse:
    """Return the refusal of a file that cannot be read or written. `done`: "read" or "written"."""
    remedy = (
        "check the path and its permissions" if done == "read" else "check the folder, its free space and permissions"
    )
    return WrongUse(f"{file} cannot be {done}: {error.strerror}", where="", rule="", remedy=remedy)


def verify_keys_once(found: T, raw: bytes, where: str) -> T:
    """Verify that no object in JSON has a key twice, and return the decoded value.

    Raises:
        WrongUse: When an object has a key twice, because only one value would count.
    """
    if (key := repeated_key(raw)) is not None:
        what = f'an object has the key "{key}" twice, and only one of its values would count'
        raise WrongUse(what, where=where, rule="JSON", remedy="write each key once")
    return found
