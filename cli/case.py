"""`umpire case`: a dispute as a folder that a second judge can check offline."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec

from umpire_ledger.cli.disputes import need_dispute
from umpire_ledger.cli.errors import usage
from umpire_ledger.cli.options import game_argument, json_option, ledger_option, seat_option
from umpire_ledger.cli.printing import print_json
from umpire_ledger.cli.session import looking
from umpire_ledger.desk.read_models import follower
from umpire_ledger.ledger import replay_log
from umpire_ledger.ledger.record import Record
from umpire_ledger.projections.reports.case_file import case_of, page
from umpire_ledger.projections.tables.knowledge import sees


@click.command()
@game_argument
@click.argument("dispute_id", metavar="DISPUTE")
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), metavar="FOLDER", help="A folder to make."
)
@seat_option
@ledger_option
@json_option
def case(game_id: str, dispute_id: str, output: Path, seat: str, where: str, as_json: bool) -> None:
    """Write a dispute of GAME as a case file: a folder that a second judge can check offline.

    In it: the excerpt, the states before and after, dice, claims, rulings and what depends on the contested records
    (case.md, case.json), the whole replay log as the seat may see it, and the checkpoint.

    Example: umpire case syracuse-1 d1 -o case-d1
    """
    with looking(where, game_id, seat) as ledger, follower(ledger, where) as following, _whole_folder(output) as folder:
        found = case_of(following, ledger, need_dispute(ledger, game_id, dispute_id), seat)
        state = ledger.state(game_id)

        def see(record: Record) -> bool:
            return record.visible_to is None or sees(state, seat, record.visible_to)

        with (folder / "replay.jsonl").open("wb") as log:
            checkpoint = replay_log.write(ledger, game_id, log, see)
        (folder / "checkpoint.txt").write_text(checkpoint.text(), encoding="utf-8")
        (folder / "case.json").write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n")
        (folder / "case.md").write_text(page(found), encoding="utf-8")
    if as_json:
        said = {"game": game_id, "dispute": dispute_id, "folder": str(output), "size": checkpoint.size}
        print_json({**said, "root": checkpoint.hex, "files": sorted(one.name for one in output.iterdir())})
    else:
        click.echo(f"{output}: case.md, case.json, replay.jsonl ({checkpoint.size} records), checkpoint.txt")


@contextmanager
def _whole_folder(folder: Path) -> Iterator[Path]:
    """A folder that appears only when it is complete. Raises Refusal when it is there already or cannot be made."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise usage(f"{folder} is there already", remedy="name a folder that is not there, or an empty one")
    try:
        made = Path(tempfile.mkdtemp(dir=folder.absolute().parent, prefix=f".{folder.name}."))
    except OSError as error:
        raise _cannot(folder, error) from error
    try:
        yield made
        made.chmod(0o755)
        os.replace(made, folder)
    except OSError as error:
        raise _cannot(folder, error) from error
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _cannot(folder: Path, error: OSError) -> Exception:
    return usage(f"{folder} cannot be written: {error.strerror}", remedy="check the folder, its space and rights")
