"""Sign checkpoints as notes: a seat signs the three lines of its checkpoint, and others add their signatures.

A signed note is one text with a line for each signature (`ledger/signed_note.py`). The log names the seat of each key.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.desk.core.order_checks import SecretHalf
from umpire_ledger.desk.core.text_files import read_text, whole_file
from umpire_ledger.desk.signing.ed25519 import is_signed
from umpire_ledger.desk.signing.log_signatures import GivenKey
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.seat_keys import SeatKey
from umpire_ledger.domain.game.verb_agreement import counted
from umpire_ledger.ledger.merkle.consistency_proof import prove_growth
from umpire_ledger.ledger.merkle.tree import Checkpoint
from umpire_ledger.ledger.records.errors import BrokenLedger
from umpire_ledger.ledger.records.limits import MOST_CHECKPOINT
from umpire_ledger.ledger.signed_note import Signature, SignedNote

if TYPE_CHECKING:
    from umpire_ledger.desk.core.open_game import OpenGame
    from umpire_ledger.desk.signing.witness import Submission


class Vouching(msgspec.Struct, frozen=True, kw_only=True):
    """A signature under a checkpoint. `seat`: the seat whose key it is at that position in the log; "" for none.

    `elsewhere`: the seat whose key it is only at other positions, because the key was given later or replaced before.
    Such a signature covers nothing and is not checked.
    """

    name: str
    key: str
    seat: str = ""
    elsewhere: str = ""


def read_note(file: str | Path) -> SignedNote:
    """Return a checkpoint from its file, with its signatures.

    Raises:
        WrongUse: When the file cannot be read, or is not a checkpoint.
    """
    try:
        note = SignedNote.read(read_text(Path(file), MOST_CHECKPOINT))
        _ = note.checkpoint
    except ValueError as error:
        what, remedy = f"{file} is not a checkpoint: {error}", "use a file with the three unchanged lines"
        raise WrongUse(what, where="", rule="", remedy=remedy) from error
    return note


def signed_checkpoint(checkpoint: Checkpoint, secret: SecretHalf | None) -> SignedNote:
    """Return the note of a checkpoint, signed if there is a secret."""
    note = SignedNote(checkpoint.text())
    return note if secret is None else note.signed_by(secret.sign(note.text))


def own_key(game: OpenGame, seat: str) -> SecretHalf | None:
    """Return the secret half of a seat's key in a game; None if the seat has no key or the secret is not available."""
    key = game.state.keys.get(seat)
    return game.opened.signer(key) if key and game.opened.signer else None


def cosigned(game: OpenGame, note: SignedNote, seat: str) -> SignedNote:
    """Return a game's checkpoint with the signature of a seat added. The errors are those of `PlayedGame.cosigned`."""
    _verify_is_history(game, note.checkpoint)
    secret = own_key(game, seat)
    if secret is None:
        has = seat in game.state.keys
        what = f"the key of {seat} is not on this computer" if has else f"{seat} has no key in this game"
        remedy = (
            "sign on the computer that has the key; `umpire key list` shows the keys"
            if has
            else f"give {seat} a key: `give-key`"
        )
        raise RuleViolation(what, where=game.where, rule="keys", remedy=remedy)
    return note.signed_by(secret.sign(note.text))


def submission(game: OpenGame, note: SignedNote, old: int) -> Submission:
    """Return the request to a witness. The errors are those of `PlayedGame.submission`."""
    from umpire_ledger.desk.signing.witness import Submission  # noqa: PLC0415 -- 0.7 ms: few ask a witness

    _verify_is_history(game, note.checkpoint)
    now, lines = game.ledger.checkpoint(game.id), game.ledger.first_lines(game.id)
    return Submission(old, prove_growth(now, lines, old, note.checkpoint.size), note)


def _verify_is_history(game: OpenGame, said: Checkpoint) -> None:
    now = game.ledger.checkpoint(game.id, said.size) if said.game == game.id and said.size <= game.size else None
    if now != said:
        reason = f"history differs from the checkpoint of {said.game} at #{said.size}"
        found = now.hex if now else f"{counted(game.size, 'record')} of {game.id}"
        raise BrokenLedger(game=game.id, position=said.size, reason=reason, expected=said.hex, found=found)


def keep_note(file: Path, note: SignedNote) -> SignedNote:
    """Write a note to a file, and return it; if the file has the same checkpoint, keep its signatures.

    Raises:
        WrongUse: When the file cannot be written.
    """
    kept = _in(file)
    whole = SignedNote(note.text, kept.signatures).signed_by(*note.signatures) if kept.text == note.text else note
    with whole_file(file) as out:
        out.write(whole.written().encode())
    return whole


def verify_replaceable(file: Path, game_id: str, seat: str, signs_with: str) -> None:
    """Verify that a file has only an older checkpoint without signatures of others, so that a newer one may replace it.

    Args:
        signs_with: The key of the seat.

    Raises:
        WrongUse: When the file has anything else, because it may be the only copy.
    """
    if not file.is_file() or not file.stat().st_size:
        return
    note = _in(file)
    try:
        is_older = note.checkpoint.game == game_id
    except ValueError:
        is_older = False
    own = signs_with.partition("+")[0]
    others = sorted({one.name for one in note.signatures} - {own, seat})
    if is_older and not others:
        return
    holds = f"a checkpoint signed by {', '.join(others)}" if is_older else f"no checkpoint of {game_id}"
    what = f"{file} would be overwritten: it has {holds}" if is_older else f"{file} already exists and has {holds}"
    raise WrongUse(what, where=str(file), rule="seals", remedy="name another file, or move that one")


def _in(file: Path) -> SignedNote:
    """Return the note in a file; an empty one if there is none."""
    if not file.is_file():
        return SignedNote("")
    try:
        return SignedNote.read(read_text(file, MOST_CHECKPOINT))
    except (ValueError, WrongUse):
        return SignedNote("")


def vouching(note: SignedNote, given: Sequence[GivenKey]) -> tuple[Vouching, ...]:
    """Return the signers of a checkpoint.

    A key counts only at positions at which its seat has it: a stolen and replaced key proves nothing about later
    records, and a new key nothing about earlier ones.

    Args:
        given: The keys of seats, with their positions in the log.

    Raises:
        BrokenLedger: When a signature by one of these keys is wrong, and so was made for another checkpoint.
    """
    size = note.checkpoint.size
    known = dict(_known(one for one in given if one.counts_at(size)))
    others = dict(_known(given))
    return tuple(_vouched(note, one, known, others) for one in note.signatures)


Keys = Mapping[tuple[str, bytes], tuple[str, SeatKey]]
"""The seat and the key, by the name and the id of the key."""


def _known(given: Iterable[GivenKey]) -> Iterable[tuple[tuple[str, bytes], tuple[str, SeatKey]]]:
    for one in given:
        try:
            key = SeatKey.read(one.key)
        except ValueError:
            continue
        yield (key.name, key.id), (one.seat, key)


def _vouched(note: SignedNote, signature: Signature, known: Keys, others: Keys) -> Vouching:
    short = f"{signature.name}+{signature.key_id.hex()}"
    seat, key = known.get((signature.name, signature.key_id), ("", None))
    elsewhere, _ = others.get((signature.name, signature.key_id), ("", None)) if key is None else ("", None)
    if key is not None and not is_signed(key, note.text, signature.value):
        said = note.checkpoint
        raise BrokenLedger(
            game=said.game,
            position=said.size,
            reason=f"the signature of {seat} on the checkpoint is invalid",
            expected=f"a signature of {key.short}",
            found="another",
            remedy=f"ask {seat} for the checkpoint that was signed",
        )
    return Vouching(name=signature.name, key=short, seat=seat, elsewhere=elsewhere)
