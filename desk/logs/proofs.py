"""Write proofs of single records, and check them without the log and without a ledger."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from umpire_ledger.desk.core.text_files import read_bytes, whole_file
from umpire_ledger.desk.logs.log_files import seen_by
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.merkle import inclusion_proof
from umpire_ledger.ledger.merkle.inclusion_proof import BEGINNING, MOST_PROOF, Proof
from umpire_ledger.ledger.merkle.tree import Checkpoint

if TYPE_CHECKING:
    from umpire_ledger.ledger.ledger import Ledger


def prove(
    ledger: Ledger[Game], game_id: str, position: int, checkpoint: Checkpoint | None, seat: str, file: Path | None
) -> Proof:
    """Return a record's proof as a seat may see it; write it to a file if one is given.

    The errors are those of `PlayedGame.prove`.
    """
    now, lines = ledger.checkpoint(game_id), ledger.first_lines(game_id)
    made = inclusion_proof.prove(now, lines, position, checkpoint, seen_by(ledger, game_id, seat))
    if file is not None:
        with whole_file(file) as out:
            out.write(made.encode())
    return made


def is_proof(file: Path) -> bool:
    """Return whether a file begins like a proof.

    Raises:
        WrongUse: When the file cannot be read.
    """
    with read_bytes(file) as stream:
        return stream.read(len(BEGINNING)) == BEGINNING


def verify_proof(file: str | Path | Proof, checkpoint: Checkpoint) -> Proof:
    """Check that a record is in the history of a checkpoint; return its valid proof, whose `record` is authentic.

    Args:
        checkpoint: A checkpoint from another source than the proof.

    Raises:
        BrokenLedger: When the proof is invalid.
        WrongUse: When the file cannot be read.
    """
    if isinstance(file, Proof):
        found = file
    else:
        with read_bytes(Path(file)) as stream:
            found = Proof.read(stream.read(MOST_PROOF + 1))
    found.verify(checkpoint)
    return found
