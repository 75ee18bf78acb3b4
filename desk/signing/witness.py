"""Run a witness: store the newest checkpoint of each game, and cosign only checkpoints that extend it.

So an operator cannot show two histories of one game with the witness's signature. The requests are those of C2SP
tlog-witness; the signatures are those of C2SP tlog-cosignature. The folder of a witness has its key and a file for each
game. If the witness trusts certain keys only, the folder also has `logs`: each line is an origin and the key that signs
its notes.
"""

from __future__ import annotations

import base64
import hashlib
import re
import time
from binascii import Error as Base64Error
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from umpire_ledger.desk.core.errors import NotWitnessed, WrongUse
from umpire_ledger.desk.core.text_files import cannot, read_text, whole_file
from umpire_ledger.desk.signing.ed25519 import SecretKey, is_signed
from umpire_ledger.desk.signing.key_store import KeyFolder
from umpire_ledger.domain.game.seat_keys import COSIGNER, SeatKey
from umpire_ledger.ledger.merkle.consistency_proof import MOST_HASHES, extends
from umpire_ledger.ledger.merkle.tree import HASH, ORIGIN, Checkpoint
from umpire_ledger.ledger.signed_note import Signature, SignedNote

LOGS = "logs"
MOST_REQUEST = 2**16
"""Maximum size of a request, in bytes."""
STAMP = 8
"""Number of bytes for the time before a cosignature: seconds since 1970, big-endian."""

_old = re.compile(r"old (0|[1-9][0-9]{0,15})").fullmatch


class Submission(msgspec.Struct, frozen=True):
    """A request to a witness: a checkpoint, and the proof that it extends the checkpoint over `old` records."""

    old: int
    path: tuple[bytes, ...]
    note: SignedNote

    def written(self) -> str:
        """Return the request's text."""
        hashes = "".join(f"{base64.b64encode(one).decode()}\n" for one in self.path)
        return f"old {self.old}\n{hashes}\n{self.note.written()}"

    @staticmethod
    def read(text: str) -> Submission:
        """Parse a request.

        Raises:
            NotWitnessed: When the text is not a request.
        """
        head, _, below = text.partition("\n\n")
        first, *lines = head.split("\n")
        size = _old(first)
        try:
            path = tuple(base64.b64decode(one, validate=True) for one in lines)
            note = SignedNote.read(below)
            _ = note.checkpoint
        except (ValueError, Base64Error) as error:
            raise _malformed(f"it cannot be read: {error}") from error
        if size is None or len(path) > MOST_HASHES or any(len(one) != HASH for one in path):
            raise _malformed("it does not begin with `old N` and the hashes of a proof")
        return Submission(int(size[1]), path, note)


class Cosigned(msgspec.Struct, frozen=True, kw_only=True):
    """A valid cosignature. `at`: its time in seconds since 1970."""

    name: str
    key: str
    at: int


class Witness:
    """The witness in a folder; `new_witness` makes one. Several processes may serve one folder."""

    def __init__(self, folder: Path, keys: KeyFolder, clock: Callable[[], float] = time.time) -> None:
        self._folder = folder
        self._clock = clock
        names = keys.names()
        if len(names) != 1:
            what, remedy = f"{folder} has no witness", f"create one: umpire witness new {folder} NAME"
            raise WrongUse(what, where=str(folder), rule="witness", remedy=remedy)
        self._secret: SecretKey = keys.secret(names[0])

    @property
    def key(self) -> SeatKey:
        """Its public key."""
        return self._secret.key

    def newest(self, game_id: str) -> Checkpoint | None:
        """Return the newest checkpoint of a game that the witness has cosigned; None if it has cosigned none."""
        file = self._file(game_id)
        return SignedNote.read(read_text(file, MOST_REQUEST)).checkpoint if file.is_file() else None

    def add(self, asked: Submission) -> Signature:
        """Store the checkpoint as the newest of its game, and return the cosignature.

        Raises:
            NotWitnessed: When the checkpoint is not trusted, or does not extend the stored one.
            WrongUse: When the folder cannot be used.
        """
        said = asked.note.checkpoint
        self._verify_trusted(asked.note, said)
        if asked.old > said.size:
            raise _malformed(f"#{asked.old} is later than the checkpoint at #{said.size}")
        with self._alone():
            _verify_extends(asked, said, self.newest(said.game))
            cosignature = self._cosignature(asked.note.text)
            with whole_file(self._file(said.game)) as out:
                out.write(asked.note.signed_by(cosignature).written().encode())
        return cosignature

    def trust(self, game_id: str, key: str) -> None:
        """Trust a key for a game; from then on, cosign only notes with a signature by a trusted key."""
        try:
            line = f"{ORIGIN}{game_id} {SeatKey.read(key).text()}\n"
        except ValueError as error:
            remedy = "copy the whole line that `umpire key show` prints"
            raise WrongUse(f"this is not a key: {error}", where="keys", rule="keys", remedy=remedy) from error
        try:
            with (self._folder / LOGS).open("a", encoding="utf-8") as out:
                out.write(line)
        except OSError as error:
            raise cannot("written", self._folder / LOGS, error) from error

    def _cosignature(self, text: str) -> Signature:
        at = int(self._clock())
        plain = self._secret.sign(cosigned_text(at, text))
        return Signature(plain.name, plain.key_id, at.to_bytes(STAMP, "big") + plain.value)

    def _verify_trusted(self, note: SignedNote, said: Checkpoint) -> None:
        file = self._folder / LOGS
        if not file.is_file():
            return  # without trusted keys, the witness cosigns any checkpoint that extends the stored one
        lines = (line.split() for line in read_text(file, MOST_REQUEST).splitlines())
        keys = [SeatKey.read(key) for origin, key in lines if origin == f"{ORIGIN}{said.game}"]
        if not keys:
            raise _refuse(404, said, "it does not know this game", "trust a key for the game: umpire witness trust")
        by_id = {(key.name, key.id): key for key in keys}
        signed = ((by_id.get((one.name, one.key_id)), one.value) for one in note.signatures)
        if not any(key is not None and is_signed(key, note.text, value) for key, value in signed):
            named = ", ".join(key.short for key in keys)
            raise _refuse(
                403,
                said,
                "the checkpoint has no signature that it trusts for this game",
                f"get a signature from: {named}",
            )

    def _file(self, game_id: str) -> Path:
        return self._folder / f"{hashlib.sha256(game_id.encode()).hexdigest()}.checkpoint"

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Lock the folder, so that no other process writes while a newer checkpoint is checked and stored."""
        with (self._folder / ".lock").open("w") as lock:
            with suppress(ImportError):  # Windows has no fcntl: only one process may serve a folder there
                import fcntl  # noqa: PLC0415 -- may be missing: few commands need it

                fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def new_witness(folder: Path, name: str, keys: KeyFolder, passphrase: str = "") -> SeatKey:
    """Make a witness in a folder that has none.

    Raises:
        WrongUse: When the folder has one, or cannot be written.
    """
    if keys.names():
        what, remedy = f"{folder} already has a witness", "use another folder"
        raise WrongUse(what, where=str(folder), rule="witness", remedy=remedy)
    return keys.new(name, passphrase, COSIGNER)


def cosigned_text(at: int, text: str) -> str:
    """Return the text that a witness signs at a time in seconds since 1970."""
    return f"cosignature/v1\ntime {at}\n{text}"


def read_witness(text: str) -> SeatKey:
    """Return the key of a witness.

    Raises:
        WrongUse: When the text is not such a key.
    """
    try:
        key = SeatKey.read(text)
    except ValueError as error:
        key, why = None, str(error)
    else:
        why = "it is a seat's key"
    if key is None or key.kind != COSIGNER:
        remedy = "copy the whole line that `umpire witness show` prints"
        raise WrongUse(f"this is not a witness key: {why}", where="keys", rule="witness", remedy=remedy)
    return key


def cosigned_by(note: SignedNote, keys: list[SeatKey]) -> tuple[Cosigned, ...]:
    """Return the cosignatures of the witnesses with these keys under a note.

    Raises:
        NotWitnessed: When a cosignature is missing or wrong.
    """
    return tuple(_cosigned(note, key) for key in keys)


def _cosigned(note: SignedNote, key: SeatKey) -> Cosigned:
    for signature in note.signatures:
        at = int.from_bytes(signature.value[:STAMP], "big")
        is_theirs = (signature.name, signature.key_id) == (key.name, key.id)
        if is_theirs and is_signed(key, cosigned_text(at, note.text), signature.value[STAMP:]):
            return Cosigned(name=key.name, key=key.short, at=at)
    what, remedy = (
        f"{key.short} has not cosigned the checkpoint",
        "send the checkpoint to that witness: `umpire witness ask`",
    )
    raise _refuse(403, note.checkpoint, what, remedy)


def _verify_extends(asked: Submission, said: Checkpoint, newest: Checkpoint | None) -> None:
    known = newest.size if newest else 0
    if asked.old != known:
        raise _refuse(409, said, f"it last cosigned #{known}, not #{asked.old}", f"ask with --old {known}", known)
    root = newest.root if newest else b""
    if known == said.size and newest is not None and root != said.root:
        raise _refuse(409, said, f"it has cosigned a different history up to #{known}", KEEP, known)
    if not extends(known, root, said.size, said.root, asked.path):
        raise _refuse(422, said, f"it does not extend the cosigned history #1-#{known}", KEEP)


KEEP = "keep both checkpoints: together they prove that the log was changed"


def _malformed(what: str) -> NotWitnessed:
    remedy = "send the unchanged output of `umpire witness ask`"
    return NotWitnessed(f"this is not a request to a witness: {what}", where="the request", remedy=remedy, status=400)


def _refuse(status: int, said: Checkpoint, what: str, remedy: str, size: int = 0) -> NotWitnessed:
    where = f"{said.game} #{said.size}"
    return NotWitnessed(f"the witness refuses: {what}", where=where, remedy=remedy, status=status, size=size)
