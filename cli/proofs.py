"""Prove records, verify proofs and restore withheld records (`umpire prove`, `verify`, `unredact`)."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

import umpire_ledger as umpire
from umpire_ledger.cli import printing
from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.errors import usage
from umpire_ledger.cli.options import (
    INPUT_FILE,
    OUTPUT_FILE,
    game_argument,
    json_option,
    ledger_option,
    position as position_of,
    seat_option,
)
from umpire_ledger.cli.printing import ShownLog, print_json, say
from umpire_ledger.domain.game.verb_agreement import counted
from umpire_ledger.ledger.signed_note import SignedNote


@click.command(cls=Explained)
@game_argument
@click.argument("position", metavar="#N")
@click.option(
    "--checkpoint",
    type=INPUT_FILE,
    metavar="FILE",
    help="Prove the record against this checkpoint. Default: a checkpoint of the whole game.",
)
@click.option("-o", "--output", required=True, type=OUTPUT_FILE, metavar="FILE", help="Write to this file; - prints.")
@seat_option
@ledger_option
@json_option
def prove(
    game_id: str, position: str, checkpoint: Path | None, output: Path | None, seat: str, where: str, as_json: bool
) -> None:
    """Write a proof that a checkpoint covers a record.

    A checkpoint has the size and root hash of a game's log. With the proof and a checkpoint from another source, anyone
    can check the record with `umpire verify FILE --checkpoint FILE`, without the ledger or the rest of the log. For a
    record that the seat may not see, the proof contains its hash only.

    \b
    Examples:
      umpire prove harbour '#303' -o 303.proof
      umpire prove harbour '#303' --checkpoint athens.txt --as athens -o -
    """
    number = position_of(position)
    assert number is not None
    said = umpire.read_checkpoint(checkpoint) if checkpoint else None
    with umpire.open(where, read_only=True) as desk:
        proof = desk.game(game_id).prove(number, said, seat=seat, file=output)
    if as_json:
        print_json(_json(proof) | {"file": str(output) if output else None})
    elif output is None:
        (ShownLog() if printing.on_terminal() else sys.stdout.buffer).write(proof.encode())
    else:
        size, root = proof.checkpoint.size, proof.checkpoint.hex
        say(f"Wrote {output}: proof of #{number} of {game_id}, {counted(len(proof.path), 'hash')} to root {root}.")
        say(f"The checkpoint covers {counted(size, 'record')}. The reader must get it from another source.")
        say(*_withheld(proof))


@click.command(cls=Explained)
@click.argument("export", metavar="EXPORT", type=INPUT_FILE)
@click.argument("keys", metavar="KEYS", type=INPUT_FILE)
@click.option("-o", "--output", required=True, type=OUTPUT_FILE, metavar="FILE", help="Write to this file; - prints.")
@json_option
def unredact(export: Path, keys: Path, output: Path | None, as_json: bool) -> None:
    """Restore withheld records in a redacted log.

    EXPORT is a log with withheld records. KEYS is a file from `umpire export --keys`, a more complete log of the game,
    or a proof. Umpire restores the records that KEYS covers; the root hash stays the same. If a key does not match,
    nothing is written.

    \b
    Examples:
      umpire export harbour --keys -o athens.keys --as athens
      umpire unredact harbour.jsonl athens.keys -o opened.jsonl
    """
    out = ShownLog() if printing.on_terminal() else sys.stdout.buffer
    opened = umpire.open_export(export, keys, out if output is None else output)
    size, root = opened.checkpoint.size, opened.checkpoint.hex
    if as_json and output is not None:
        left = {"private_withheld": opened.private, "public_withheld": opened.public}
        said = {"game": opened.checkpoint.game, "file": str(output), "size": size, "root": root}
        print_json(said | {"opened": opened.opened} | left)
    else:
        err = output is None
        say(f"Restored {counted(opened.opened, 'record')} in {output or '-'}; root {root} is unchanged.", err=err)
        say(f"Still withheld: {opened.private} private, {opened.public} public, of {size}.", err=err)


def verify_proof(file: Path, note: SignedNote | None, witnessed: Sequence[object], as_json: bool) -> None:
    """Handle `umpire verify` for a proof.

    The signatures below the checkpoint are counted but not checked, because only the whole log names their seats.

    Raises:
        Refusal: When there is no checkpoint, because a forger can compute a proof for any root.
    """
    if note is None:
        raise usage(
            "a proof needs a checkpoint",
            where=str(file),
            rule="FORMAT.md, section 11: the checkpoint must come from another source",
            remedy="give the one that you kept, with --checkpoint FILE",
        )
    proof = umpire.verify_proof(file, note.checkpoint)
    not_checked = len(note.signatures) - len(witnessed)
    if as_json:
        print_json(
            {"verdict": "VALID"} | _json(proof) | {"witnessed": witnessed, "signatures_not_checked": not_checked}
        )
        return
    say(*_lines(proof))
    if not_checked:
        say(f"  not checked: {counted(not_checked, 'signature')} below the checkpoint; a proof contains no keys")


def _lines(proof: umpire.Proof) -> Iterator[str]:
    record = proof.record
    yield f"VALID: {proof.game}, record #{record.position} is in the history of this checkpoint"
    yield f"  recorded: {record.at} by {record.seat}, order {record.command}"
    if record.visible_to is not None:
        yield f"  for: {', '.join(record.visible_to) or 'no seat yet'}"
    yield from _withheld(proof)
    if not record.redacted:
        yield f"  event: {bytes(record.event).decode()}"
    if record.cause:
        yield f"  cause: {bytes(record.cause).decode()}"
    yield f"  root: {proof.checkpoint.hex} over {counted(proof.checkpoint.size, 'record')}"


def _withheld(proof: umpire.Proof) -> list[str]:
    return ["  withheld: the event; only its hash is proved"] if proof.record.redacted else []


def _json(proof: umpire.Proof) -> dict[str, Any]:
    return {
        "game": proof.game,
        "position": proof.record.position,
        "size": proof.checkpoint.size,
        "root": proof.checkpoint.hex,
        "redacted": proof.record.redacted,
        "record": msgspec.Raw(proof.line),
        "path": [one.hex() for one in proof.path],
    }
