"""`umpire export`, `import`, `verify`: replay logs out, in, and checked."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from umpire_ledger.cli.errors import BROKEN, usage
from umpire_ledger.cli.options import game_argument, json_option, ledger_option, seat_option
from umpire_ledger.cli.printing import Progress, print_json, progress
from umpire_ledger.ledger import replay_log
from umpire_ledger.ledger.check import Verdict
from umpire_ledger.ledger.tree import Checkpoint
from umpire_ledger.projections.questions.thrown_again import ThrownAgain, opened_seeds
from umpire_ledger.projections.tables.knowledge import sees

if TYPE_CHECKING:
    from umpire_ledger.ledger.record import Record


@click.command()
@game_argument
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), metavar="FILE", help="Where to; - prints."
)
@click.option(
    "--whole", is_flag=True, help="With what nobody may see yet, the seed of the dice: to move a game, not for players."
)
@seat_option
@ledger_option
@json_option
def export(game_id: str, output: Path, whole: bool, seat: str, where: str, as_json: bool) -> None:
    """Write GAME as a replay log that anybody can check; what the seat may not see is withheld, hashes stay.

    \b
    Examples:
      umpire export syracuse-1 -o syracuse-1.jsonl
      umpire export syracuse-1 -o for-athens.jsonl --as athens
    """
    from umpire_ledger.desk.sitting import open_ledger  # noqa: PLC0415 -- `verify` in this module does without the store
    from umpire_ledger.projections.record.stored_line import decode  # noqa: PLC0415 -- as above
    from umpire_ledger.projections.reports.referee import acts, count_words, counted  # noqa: PLC0415 -- `verify` does without

    with open_ledger(where, read_only=True) as ledger:
        state = ledger.state(game_id)

        def see(record: "Record") -> bool:
            return record.visible_to is None or sees(state, seat, record.visible_to)

        with _whole_file(output) as out:
            checkpoint = replay_log.write(ledger, game_id, out, None if whole else see)
        did = counted(acts(map(decode, ledger.lines(game_id, 1, checkpoint.size))))
    if as_json:
        size, root = checkpoint.size, checkpoint.hex
        print_json({"game": game_id, "file": str(output), "size": size, "root": root, "referee": did})
    else:
        click.echo(f"{output}: {checkpoint.size} records of {game_id}, root {checkpoint.hex}", err=str(output) == "-")
        click.echo(f"  by the referee: {count_words(did)}", err=str(output) == "-")


@contextmanager
def _whole_file(file: Path) -> Iterator[IO[bytes]]:
    """A file that appears only when it is complete. Raises Refusal when it cannot be written."""
    if str(file) == "-":
        yield sys.stdout.buffer
        return
    try:
        with tempfile.NamedTemporaryFile(dir=file.parent, prefix=f".{file.name}.", delete=False) as out:
            try:
                yield out
                out.flush()
                os.fsync(out.fileno())
                os.chmod(out.name, 0o644)
                os.replace(out.name, file)
            except BaseException:
                os.unlink(out.name)
                raise
    except OSError as error:
        raise usage(
            f"{file} cannot be written: {error.strerror}", remedy="check the folder, its space and rights"
        ) from error


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@ledger_option
@json_option
def import_(file: Path, where: str, as_json: bool) -> None:
    """Take a replay log into the ledger; it is checked whole before anything of it counts.

    Example: umpire import syracuse-1.jsonl --ledger club.db
    """
    from umpire_ledger.cli.session import follow  # noqa: PLC0415 -- as above
    from umpire_ledger.desk.sitting import open_ledger  # noqa: PLC0415 -- `verify` in this module does without the store

    with (
        _log(file) as stream,
        open_ledger(where, create=True) as ledger,
        progress("taking in", file.stat().st_size) as tell,
    ):
        game = replay_log.read_into(ledger, _counted(stream, tell))
        ledger.take_snapshots(game)
        follow(ledger, where, game)
        size = ledger.size(game)
    if as_json:
        print_json({"game": game, "size": size})
    else:
        click.echo(f"{game}: {size} records are in {where}")


@contextmanager
def _log(file: Path) -> Iterator[IO[bytes]]:
    try:
        stream = file.open("rb")
    except OSError as error:
        raise usage(f"{file} cannot be read: {error.strerror}", remedy="check the path and its permissions") from error
    with stream:
        yield stream


@click.command()
@click.argument("what", metavar="FILE|GAME")
@click.option(
    "--checkpoint", type=click.Path(path_type=Path), metavar="FILE", help="A three-line checkpoint to hold it against."
)
@ledger_option
@json_option
def verify(what: str, checkpoint: Path | None, where: str, as_json: bool) -> None:
    """Check a replay log, or a game of the ledger: every record, every hash, every die whose seed was opened.

    Prints VALID, VALID WITH REDACTIONS, INCOMPLETE (nothing after #n) or INVALID (the first bad position, expected
    and found). Exit code 5 unless it is valid.

    \b
    Examples:
      umpire verify syracuse-1.jsonl
      umpire verify syracuse-1 --ledger club.db
    """
    held_against = _checkpoint(checkpoint) if checkpoint else None
    file = Path(what)
    verdict, dice = _verify_file(file, held_against) if file.is_file() else _verify_game(what, where, held_against)
    if as_json:
        print_json(_verdict_json(verdict, dice))
    else:
        click.echo(_verdict_text(verdict, dice))
    if not verdict.valid:
        click.get_current_context().exit(BROKEN)


def _checkpoint(file: Path) -> Checkpoint:
    from umpire_ledger.cli.input_files import read_text  # noqa: PLC0415 -- seldom asked for

    try:
        return Checkpoint.read(read_text(file))
    except ValueError as error:
        raise usage(f"{file} is no checkpoint: {error}", remedy="keep the three lines as they were given") from error


def _verify_file(file: Path, checkpoint: Checkpoint | None) -> tuple[Verdict, ThrownAgain]:
    with _log(file) as stream:
        dice = ThrownAgain(opened_seeds(stream))
        stream.seek(0)
        with progress("checking", file.stat().st_size) as tell:
            lines = _counted(stream, tell)
            verdict = replay_log.verify(dice.watch(lines), checkpoint=checkpoint)
    return _with_dice(verdict, dice), dice


def _counted(stream: IO[bytes], tell: Progress) -> Iterator[bytes]:
    read = 0
    for at, line in enumerate(stream):
        read += len(line)
        if at % 1000 == 0:
            tell(read)
        yield line


def _verify_game(game: str, where: str, checkpoint: Checkpoint | None) -> tuple[Verdict, ThrownAgain]:
    from umpire_ledger.desk.sitting import open_ledger  # noqa: PLC0415 -- a log is verified without a store

    with open_ledger(where, read_only=True) as ledger:
        dice = ThrownAgain(opened_seeds(ledger.lines(game)))
        for _ in dice.watch(ledger.lines(game)):
            pass
        verdict = ledger.verify(game, checkpoint=checkpoint)
    return _with_dice(verdict, dice), dice


def _with_dice(verdict: Verdict, dice: ThrownAgain) -> Verdict:
    """A roll that the seed does not give makes a log invalid though every hash is right."""
    wrong = dice.wrong
    if wrong is None or not verdict.valid:
        return verdict
    return Verdict(
        verdict="INVALID",
        game=verdict.game,
        size=wrong.position - 1,
        redacted=verdict.redacted,
        first_bad=wrong.position,
        reason=f"the seed gives other dice for this roll ({wrong.purpose}: {wrong.pips})",
    )


def _verdict_json(verdict: Verdict, dice: ThrownAgain) -> dict[str, object]:
    return {
        "verdict": verdict.verdict,
        "game": verdict.game,
        "size": verdict.size,
        "root": verdict.root,
        "first_bad": verdict.first_bad,
        "reason": verdict.reason,
        "expected": verdict.expected,
        "found": verdict.found,
        "redacted": verdict.redacted,
        "dice_thrown_again": dice.checked,
    }


def _verdict_text(verdict: Verdict, dice: ThrownAgain) -> str:
    lines = [f"{verdict.verdict}: {verdict.game or 'no game'}, {verdict.size} records"]
    if verdict.redacted:
        lines.append(f"  withheld: {verdict.redacted}")
    if verdict.first_bad is not None:
        lines.append(f"  first bad position: #{verdict.first_bad}" if verdict.first_bad else "  the header is bad")
    for name, part in (("why", verdict.reason), ("expected", verdict.expected), ("found", verdict.found)):
        if part:
            lines.append(f"  {name}: {part}")
    if verdict.valid:
        lines.append(f"  root: {verdict.root}")
    if dice.checked and dice.wrong is None:
        lines.append(f"  dice: {dice.checked} rolls thrown again from the opened seed, all as recorded")
    return "\n".join(lines)
