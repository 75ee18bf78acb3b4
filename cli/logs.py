"""Export, import and verify replay logs (`umpire export`, `import`, `verify`)."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click
import msgspec
from click.core import ParameterSource

import umpire_ledger as umpire
from umpire_ledger.cli import printing
from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.errors import BROKEN, DONE, usage
from umpire_ledger.cli.options import INPUT_FILE, complete_game, json_option, ledger_option, seat_option
from umpire_ledger.cli.printing import ShownLog, print_json, progress, say
from umpire_ledger.cli.proofs import verify_proof
from umpire_ledger.desk.cases.case_check import is_case_folder
from umpire_ledger.desk.games.quick_status import game_ids
from umpire_ledger.desk.logs.log_files import game_in
from umpire_ledger.desk.logs.proofs import is_proof
from umpire_ledger.desk.signing.checkpoints import read_note
from umpire_ledger.desk.signing.witness import cosigned_by, read_witness
from umpire_ledger.domain.game.verb_agreement import counted
from umpire_ledger.ledger.records.ledger_address import shown
from umpire_ledger.ledger.records.verdict import in_words
from umpire_ledger.ledger.signed_note import SignedNote
from umpire_ledger.projections.reports.referee import count_words
from umpire_ledger.projections.tables.copies import full_name

if TYPE_CHECKING:
    from umpire_ledger.desk.signing.witness import Cosigned


FOR_PLAYERS = "keep it from the players. For them, use --as SEAT."


@click.command(cls=Explained)
@click.argument("game_id", metavar="[GAME]", default="", shell_complete=complete_game)
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write to this file; - prints.")
@click.option(
    "--all",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write logs of all games, including archived ones, to this folder.",
)
@click.option(
    "--whole", is_flag=True, help="Include all secrets and the dice seeds: for moving a game, not for players."
)
@click.option(
    "--keys", is_flag=True, help="Write only the seat's keys for private records, for use with `umpire unredact`."
)
@seat_option
@ledger_option
@json_option
@click.pass_context
def export(
    ctx: click.Context,
    game_id: str,
    output: Path | None,
    folder: Path | None,
    whole: bool,
    keys: bool,
    seat: str,
    where: str,
    as_json: bool,
) -> None:
    """Write a replay log.

    Anyone can check the log. It withholds the records that the seat may not see, but keeps their hashes. A log written
    with --whole contains every secret and the dice seeds, so it is only for the ledger's operator. With --all but no
    --as, the logs are complete, and only you can read the files. With --all, Umpire verifies each log; it exits with
    code 5 if a log does not verify.

    \b
    Examples:
      umpire export harbour -o harbour.jsonl
      umpire export harbour -o for-athens.jsonl --as athens
      umpire export harbour --keys -o athens.keys --as athens
      umpire export --all public-logs --as spectator
    """
    if bool(game_id) == bool(folder):
        raise click.UsageError("Give a game, or --all with a folder.")
    if keys and folder is not None:
        raise click.UsageError("Give --keys with one game, not with --all.")
    if folder is not None:
        whole = whole or ctx.get_parameter_source("seat") is ParameterSource.DEFAULT
        with umpire.open(where, read_only=not whole) as desk:
            _say_each(desk.export_all(folder, seat=seat, whole=whole), as_json)
        if whole:
            say(f"Warning: {folder} contains every secret and the dice seeds; {FOR_PLAYERS}", err=True)
        return
    if output is None:
        raise click.UsageError("Missing option '-o' / '--output'.")
    if keys:
        _export_keys(game_id, output, whole, seat, where, as_json)
    else:
        _export_one(game_id, output, whole, seat, where, as_json)


def _export_keys(game_id: str, output: Path, whole: bool, seat: str, where: str, as_json: bool) -> None:
    to = _out() if str(output) == "-" else output
    with umpire.open(where, read_only=not whole) as desk:
        number = desk.game(game_id).export_keys(to, seat=seat, whole=whole)
    if as_json:
        print_json({"game": game_id, "file": str(output), "keys": number})
    else:
        say(f"Wrote {counted(number, 'key')} for private records of {game_id} to {output}.", err=str(output) == "-")


def _export_one(game_id: str, output: Path, whole: bool, seat: str, where: str, as_json: bool) -> None:
    to = _out() if str(output) == "-" else output
    with umpire.open(where, read_only=not whole) as desk:
        exported = desk.game(game_id).export(to, seat=seat, whole=whole)
        name = desk.game(game_id).full_name
    size, root = exported.checkpoint.size, exported.checkpoint.hex
    if as_json:
        print_json({"game": game_id, "file": str(output), "size": size, "root": root, "referee": exported.referee})
    else:
        say(f"Wrote {counted(size, 'record')} of {name} to {output}, root {root}.", err=str(output) == "-")
        say(f"Referee: {count_words(exported.referee)}", err=str(output) == "-")


def _say_each(lines: Iterable[umpire.LogLine], as_json: bool) -> None:
    """Print the result of each log as it arrives; the exit code is that of the worst result."""
    done: list[umpire.LogLine] = []
    for line in lines:
        done.append(line)
        if not as_json:
            say(*_line_words(line))
    if as_json:
        print_json(done)
    else:
        logs = [line for line in done if line.code or not line.skipped]
        wrong, others = sum(line.code != DONE for line in logs), len(done) - len(logs)
        bad = f", {wrong} with errors" if wrong else ""
        skipped = f"; {counted(others, 'other file')} skipped" if others else ""
        say(f"{counted(len(logs), 'log')}{bad}{skipped}")
    codes = {line.code for line in done} - {DONE}
    if codes:
        click.get_current_context().exit(BROKEN if BROKEN in codes else max(codes))


def _line_words(line: umpire.LogLine) -> Iterator[str]:
    if line.code:
        yield f"{line.file}: {line.verdict or 'failed'}: {line.trouble}"
        if line.remedy:
            yield f"  do:   {line.remedy}"
    elif line.skipped:
        yield f"{line.file}: skipped: {line.skipped}"
    else:
        new = f", {line.new} of them new" if line.new else ""
        yield f"{line.file}: {line.verdict}: {line.game}, {counted(line.size, 'record')}{new}"


def _out() -> IO[bytes]:
    """Return the output stream for a log: exact bytes for a pipe, escaped invisible characters for a terminal."""
    return ShownLog() if printing.on_terminal() else sys.stdout.buffer


@click.command("import", cls=Explained)
@click.argument("file", metavar="FILE|DIR", type=INPUT_FILE)
@ledger_option
@json_option
def import_(file: Path, where: str, as_json: bool) -> None:
    """Import replay logs.

    Umpire checks the whole log before it adds a record. From a folder it imports each *.jsonl file and prints a verdict
    for each; an invalid log does not stop the others. Umpire names other files and skips them. To continue a game,
    import its whole log.

    \b
    Examples:
      umpire import harbour.jsonl --ledger club.db
      umpire import logs --ledger club.db
    """
    if os.path.isdir(file):
        with umpire.open(where) as desk:
            _say_each(desk.import_folder(file), as_json)
        return
    from umpire_ledger.cli.session import follow  # noqa: PLC0415 -- 65 ms: `verify` in this module does without the store

    with umpire.open(where) as desk:
        before = desk.size_of(game_in(file))
        with progress("importing", _size(file)) as tell:
            taken = desk.import_log(file, tell=tell)
        follow(taken)
        game, size, misfits = taken.id, taken.size, taken.misfits()
    if as_json:
        print_json({"game": game, "size": size, "new": size - before, "findings": misfits})
    else:
        new = f", {size - before or 'none'} of them new" if before else ""
        say(f"Imported {game} into {shown(where)}: {counted(size, 'record')}{new}, all checked.")
    if misfits:
        what = f"{counted(misfits, 'event')} cannot be applied to the preceding state"
        say(f"Warning: {what}; `umpire verify {game}` lists them", err=True)


def _size(file: Path) -> int | None:
    """Return the size of a file in bytes; None if it is not a regular file, as the desk will report."""
    return file.stat().st_size if os.path.isfile(file) else None


@click.command(cls=Explained)
@click.argument("what", metavar="FILE|FOLDER|GAME")
@click.option("--checkpoint", type=INPUT_FILE, metavar="FILE", help="Check against this checkpoint, signed or not.")
@click.option(
    "--witness", "witnesses", multiple=True, metavar="KEY", help="Require the cosignature of this witness. Repeatable."
)
@ledger_option
@json_option
def verify(what: str, checkpoint: Path | None, witnesses: tuple[str, ...], where: str, as_json: bool) -> None:
    """Check a log, proof, replay page, case or game.

    Prints VALID, VALID WITH REDACTIONS (private records are withheld), INCOMPLETE (records are missing or withheld),
    INVALID (with the first bad record) or, for a case folder from another program version, NOT COMPARED. The lines
    below the verdict show which checks were done and which were not. Hashes alone cannot show that a history was
    replaced: to check that, give the checkpoint that you kept. A proof always needs one. Exit code 5: not valid.

    \b
    Examples:
      umpire verify harbour.jsonl
      umpire verify harbour --ledger club.db
      umpire verify case-d1 --checkpoint athens.checkpoint
      umpire verify 303.proof --checkpoint athens.checkpoint
    """
    note = read_note(checkpoint) if checkpoint else None
    held_against = note.checkpoint if note else None
    witnessed = _witnessed(note, witnesses)
    if os.path.isdir(what) and _is_case(what, where):
        _verify_folder(what, note, witnessed, as_json)
        return
    file: Path = INPUT_FILE.convert(what, None, click.get_current_context())
    if os.path.isfile(file) and is_proof(file):
        verify_proof(file, note, witnessed, as_json)
        say(*(() if as_json else _witness_lines(witnessed)))
        return
    checked = _verify(what, file, where, note)
    if as_json:
        print_json(_verdict_json(checked) | {"witnessed": witnessed})
    else:
        say(*_verdict_lines(checked, held_against), *_witness_lines(witnessed))
    if not checked.valid:
        click.get_current_context().exit(BROKEN)


def _verify(what: str, file: Path, where: str, checkpoint: SignedNote | None) -> umpire.Checked:
    if os.path.isfile(file):
        with progress("checking", _size(file)) as tell:
            return umpire.verify(file, checkpoint=checkpoint, tell=tell)
    with umpire.open(where, read_only=True) as desk:
        game = desk.game(what)
        if missing := game.missing:
            say(f"Warning: {missing}", err=True)
        return game.verify(checkpoint)


def _is_case(folder: str, where: str) -> bool:
    """Return whether the name of a folder means that folder, because a game may have the same name."""

    return is_case_folder(folder) or folder not in game_ids(where)


def _verify_folder(folder: str, note: SignedNote | None, witnessed: "Sequence[Cosigned]", as_json: bool) -> None:
    with progress("checking", None) as tell:
        checked = umpire.verify_case(folder, checkpoint=note, tell=tell)
    if as_json:
        log = _verdict_json(checked.log) if checked.log else None
        print_json({**msgspec.structs.asdict(checked), "log": log, "witnessed": witnessed})
    else:
        say(*_case_lines(checked, note.checkpoint if note else None), *_witness_lines(witnessed))
    if not checked.valid:
        click.get_current_context().exit(BROKEN)


def _case_lines(checked: umpire.CheckedCase, held_against: umpire.Checkpoint | None) -> Iterator[str]:
    case = checked.contents
    about = f", dispute {case.dispute} of {case.game} as {case.seat} sees it" if case else ""
    yield f"{checked.verdict}: {checked.folder}{about}"
    for one in checked.faults:
        yield f"  {one.file}: {one.what}"
    if checked.note:
        yield f"  note: {checked.note}"
    if checked.valid and case:
        files = counted(len(case.files), "file")
        yield f"  checked: {files} against the manifest; the pages against the log ({case.program})"
        yield f"  manifest: {checked.manifest}"
    if checked.log is not None:
        yield from (f"  log: {line.strip()}" for line in _verdict_lines(checked.log, held_against))


def _verdict_json(checked: umpire.Checked) -> dict[str, object]:
    verdict = checked.verdict
    return {
        "verdict": verdict.verdict,
        "known": checked.known,
        "game": verdict.game,
        "copied": checked.copied,
        "size": verdict.size,
        "root": verdict.root,
        "first_bad": verdict.first_bad,
        "reason": verdict.reason,
        "expected": verdict.expected,
        "found": verdict.found,
        "changed_between": verdict.changed_between,
        "redacted": verdict.redacted,
        "private_withheld": verdict.private_withheld,
        "public_withheld": verdict.public_withheld,
        "public_withheld_at": verdict.public_withheld_at,
        "private_withheld_at": verdict.private_withheld_at,
        "dice_thrown_again": checked.dice,
        "dice_closed": checked.dice_closed,
        "signed": checked.signed,
        "signed_withheld": checked.signed_withheld,
        "signed_again": checked.signed_again,
        "vouching": checked.vouching,
        "findings": [{"position": one.position, "what": one.what} for one in checked.findings],
        "findings_left_out": checked.findings_left_out,
    }


def _in_one_line(checked: umpire.Checked) -> str:
    """Return a line such as `VALID (matches the checkpoint at #303)` or `INVALID from #7`."""
    verdict, known = checked.verdict, checked.known
    if verdict.first_bad:
        return f"{verdict.verdict} from #{verdict.first_bad}"
    if verdict.valid and verdict.redacted:
        known = (f"{counted(verdict.redacted, 'private record')} withheld", *known)
    return f"{verdict.verdict} ({' · '.join(known)})" if known else verdict.verdict


def _verdict_lines(checked: umpire.Checked, held_against: umpire.Checkpoint | None = None) -> list[str]:
    verdict = checked.verdict
    named = full_name(verdict.game, checked.copied) or "no game"
    lines = [f"{_in_one_line(checked)}: {named}, {counted(verdict.size, 'record')}"]
    if verdict.redacted:
        which = f": {in_words(verdict.private_withheld_at)}" if verdict.valid else ""
        lines.append(f"  withheld: {verdict.private_withheld} private, {verdict.public_withheld} public{which}")
    if verdict.first_bad is not None:
        lines.append(f"  first bad position: #{verdict.first_bad}" if verdict.first_bad else "  the header is invalid")
    if verdict.changed_between is not None and verdict.changed_between[0] < verdict.changed_between[1]:
        lines.append("  changed: one or more records between #{} and #{}".format(*verdict.changed_between))
    for name, part in (("fault", verdict.reason), ("expected", verdict.expected), ("found", verdict.found)):
        if part:
            lines.append(f"  {name}: {part}")
    if verdict.valid:
        lines.append(f"  root: {verdict.root}")
        lines += _vouching_lines(checked, held_against)
    if checked.dice:
        lines.append(f"  dice: {counted(checked.dice, 'roll')} recomputed from the revealed seed, all as recorded")
    if checked.dice_closed:
        lines.append(f"  not checked: {counted(checked.dice_closed, 'roll')} (the seed is not revealed)")
    lines += _signed_lines(checked)
    lines += [f"  finding: #{one.position} {one.what}" for one in checked.findings]
    if checked.findings_left_out:
        lines.append(f"  and {counted(checked.findings_left_out, 'more finding')}")
    return lines


def _witnessed(note: SignedNote | None, witnesses: Sequence[str]) -> "tuple[Cosigned, ...]":
    """Return the cosignatures of these witnesses.

    Raises:
        Refusal: When no checkpoint is given.
        NotWitnessed: When a witness has not cosigned the checkpoint.
    """
    if not witnesses:
        return ()

    if note is None:
        remedy = "add the checkpoint that it cosigned: --checkpoint FILE"
        raise usage("--witness requires a checkpoint", where="--witness", remedy=remedy)
    return cosigned_by(note, [read_witness(one) for one in witnesses])


def _witness_lines(witnessed: "Sequence[Cosigned]") -> Iterator[str]:
    for one in witnessed:
        at = datetime.fromtimestamp(one.at, UTC).isoformat().replace("+00:00", "Z")
        yield f"  witnessed by {one.key} at {at}: it saw no other history of this game"


def _vouching_lines(checked: umpire.Checked, held_against: umpire.Checkpoint | None) -> Iterator[str]:
    """Yield the lines about the given checkpoint, and about its signatures."""
    if held_against is None:
        return
    later = counted(checked.verdict.size - held_against.size, "record")
    yield f"  checkpoint: history matches up to #{held_against.size}; {later} after it"
    for vouching in checked.vouching:
        if vouching.seat:
            yield f"  signed by {vouching.seat}, key {vouching.key}"
        elif vouching.elsewhere:
            yield f"  signature ignored: {vouching.key} is a key of {vouching.elsewhere}, not at #{held_against.size}"
        else:
            yield f"  signature of a key unknown to this log: {vouching.key}"


def _signed_lines(checked: umpire.Checked) -> Iterator[str]:
    """Yield the lines about signed orders, and about the records that their signatures cover."""
    size = checked.verdict.size
    for signed in checked.signed:
        of = f"{counted(signed.orders, 'order')} of {signed.seat}, key {signed.key}"
        if signed.copied:
            yield f"  not checked: signatures in the original of the copy: {of}"
        elif not signed.checked:
            yield f"  not checked: signatures, because a package is missing (pip install 'umpire-ledger[keys]'): {of}"
        else:
            later = counted(size - signed.vouches, "record")
            yield f"  signed: {of}; confirms #1-#{signed.vouches}; {later} after it"
    if checked.signed_again:
        yield f"  not signed, because an amendment played them again: {counted(checked.signed_again, 'order')}"
    if checked.signed_withheld:
        yield f"  withheld with their signatures: {counted(checked.signed_withheld, 'order')}"
