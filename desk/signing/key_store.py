"""Store a user's keys in `$XDG_CONFIG_HOME/umpire/keys`, else `~/.config/umpire/keys`, readable by that user only.

`NAME.pem` is the secret half (PKCS #8, mode 0600, encrypted if it has a pass-phrase). `NAME.key` is the public half,
one line in the format of `domain/game/seat_keys.py`. No message shows a secret or a pass-phrase.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping
from pathlib import Path

from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.desk.core.text_files import read_bytes
from umpire_ledger.desk.signing.ed25519 import SecretKey, new_secret, read_secret
from umpire_ledger.domain.game.nearest import nearest
from umpire_ledger.domain.game.seat_keys import ED25519, MOST_NAME, SeatKey

RULE = "keys"
SECRET, PUBLIC = ".pem", ".key"
MOST_FILE = 2**14
"""Maximum size of a key file, in bytes."""
Ask = Callable[[str], str]
"""Ask for the pass-phrase of the key with a name, and return it.

Raises:
    WrongUse: When there is no user to ask.
"""


def own_folder(environment: Mapping[str, str]) -> Path:
    """Return the current user's folder of keys."""
    config = environment.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    return Path(config) / "umpire" / "keys"


class KeyFolder:
    """The keys in a folder. `ask`: a function that asks for a pass-phrase."""

    def __init__(self, folder: Path, ask: Ask) -> None:
        self.folder = folder
        self._ask = ask
        self._read: dict[str, SecretKey] = {}

    def new(self, name: str, passphrase: str = "", kind: int = ED25519) -> SeatKey:
        """Make a key and store it.

        Raises:
            WrongUse: When the name is taken or not valid, or the folder cannot be written.
        """
        self._verify_name(name)
        secret = new_secret(name, kind)
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write_new(self._file(name, SECRET), secret.written(passphrase), 0o600)
            _write_new(self._file(name, PUBLIC), f"{secret.key.text()}\n".encode(), 0o644)
        except FileExistsError as error:
            what, remedy = f"key {name} already exists", "choose another name; `umpire key list` shows yours"
            raise WrongUse(what, where=str(error.filename), rule=RULE, remedy=remedy) from error
        except OSError as error:
            what, remedy = f"the key cannot be stored: {error.strerror}", "make the folder writable"
            raise WrongUse(what, where=str(self.folder), rule=RULE, remedy=remedy) from error
        return secret.key

    def names(self) -> list[str]:
        """Return the names of the keys in the folder."""
        return sorted(one.stem for one in self.folder.glob(f"*{SECRET}")) if self.folder.is_dir() else []

    def public(self, name: str) -> SeatKey:
        """Return the public half of a key.

        Raises:
            WrongUse: When there is no such key, or it cannot be read.
        """
        return _read_public(self._file(self._known(name), PUBLIC))

    def secret(self, name: str) -> SecretKey:
        """Return the secret half of a key; ask for its pass-phrase the first time only.

        Raises:
            WrongUse: When there is no such key, or it cannot be used.
        """
        if name not in self._read:
            self._read[name] = self._opened(self._known(name))
        return self._read[name]

    def signer(self, text: str) -> SecretKey | None:
        """Return the secret half of a public key; None if it is not in the folder.

        Raises:
            WrongUse: When the key cannot be used.
        """
        key = SeatKey.read(text)
        if not _is_name(key.name) or not self._file(key.name, SECRET).is_file():
            return None
        return self.secret(key.name) if self.public(key.name) == key else None

    def _opened(self, name: str) -> SecretKey:
        file, public = self._file(name, SECRET), self.public(name)
        pem = _bytes_of(file)
        _verify_own(file)
        try:
            secret = _with_passphrase(name, pem, public.kind, self._ask)
        except ValueError as error:
            what = f"the key {name} cannot be read: the file is damaged, or the pass-phrase is wrong"
            remedy = "enter the pass-phrase of this key"
            raise WrongUse(what, where=str(file), rule=RULE, remedy=remedy) from error
        if secret.key != public:
            what, remedy = f"the two files of {name} belong to different keys", "remove the wrong file"
            raise WrongUse(what, where=str(self.folder), rule=RULE, remedy=remedy)
        return secret

    def _known(self, name: str) -> str:
        if name in self.names():
            return name
        near = nearest(name, self.names())
        remedy = f"did you mean {' or '.join(near)}?" if near else f"create it: umpire key new {name}"
        raise WrongUse(f"there is no key {name}", where=str(self.folder), rule=RULE, remedy=remedy)

    def _verify_name(self, name: str) -> None:
        if not _is_name(name):
            what = f"a key cannot be called {name!r}"
            remedy = f"1 to {MOST_NAME} letters, digits, dots, dashes and underscores, the first a letter or digit"
            raise WrongUse(what, where="keys", rule=RULE, remedy=remedy)

    def _file(self, name: str, suffix: str) -> Path:
        return self.folder / f"{name}{suffix}"


def _is_name(name: str) -> bool:
    """Return whether a name is valid for a file on every system, and for a key in C2SP signed-note."""
    plain = name.replace("-", "").replace("_", "").replace(".", "")
    return 0 < len(name) <= MOST_NAME and name[0].isalnum() and plain.isalnum()


def _with_passphrase(name: str, pem: bytes, kind: int, ask: Ask) -> SecretKey:
    """Return the key in a file; ask for its pass-phrase if it is encrypted.

    Raises:
        ValueError: When it is not a key, or the pass-phrase is wrong or empty.
        WrongUse: When there is no user to ask.
    """
    try:
        return read_secret(name, pem, kind=kind)
    except TypeError:  # it is encrypted
        try:
            return read_secret(name, pem, ask(name), kind)
        except TypeError as error:  # the pass-phrase is empty
            raise ValueError("no pass-phrase was given") from error


def _write_new(file: Path, content: bytes, mode: int) -> None:
    """Write a new file, never over an existing key.

    Raises:
        FileExistsError: When the file exists.
    """
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as out:
        out.write(content)


def _bytes_of(file: Path) -> bytes:
    """Return the contents of a file.

    Raises:
        WrongUse: When it cannot be read.
    """
    with read_bytes(file) as stream:
        return stream.read(MOST_FILE)


def _read_public(file: Path) -> SeatKey:
    try:
        return SeatKey.read(_bytes_of(file).decode().removesuffix("\n"))
    except ValueError as error:
        what, remedy = f"{file} has no valid key: {error}", "restore the line that `umpire key new` printed"
        raise WrongUse(what, where=str(file), rule=RULE, remedy=remedy) from error


def _verify_own(file: Path) -> None:
    """Verify that other users cannot read the file of a secret."""
    if os.name == "posix" and stat.S_IMODE(file.stat().st_mode) & 0o077:
        what = f"other users can read {file}"
        remedy = f"chmod 600 {file}; if another user may have read it, use a new key"
        raise WrongUse(what, where=str(file), rule=RULE, remedy=remedy)
