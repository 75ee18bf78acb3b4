"""`umpire case`: a dispute as a folder that a second judge can check offline."""

from pathlib import Path

import click

from umpire_ledger.cli.options import game_argument, json_option, ledger_option, seat_option
from umpire_ledger.cli.printing import print_json, say
from umpire_ledger.cli.session import looking


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

    In it: the excerpt, the contested units and the states before and after, dice, claims, rulings and what depends on
    the contested records (case.md, case.json), the table before and after and the dice as pictures, the orders as they
    were given (orders.jsonl), the whole replay log as the seat may see it, the checkpoint, and a manifest with the
    SHA-256 of each. `umpire verify case-d1` checks it all; `python umpire-verify.py replay.jsonl --checkpoint
    checkpoint.txt`, which lies there too, checks the log where no Umpire is installed.

    Example: umpire case harbour d1 -o case-d1
    """
    with looking(where, game_id, seat) as looker:
        written = looker.case(dispute_id, output)
    checkpoint = written.checkpoint
    if as_json:
        said = {"game": game_id, "dispute": dispute_id, "folder": str(output), "size": checkpoint.size}
        print_json({**said, "root": checkpoint.hex, "files": written.files, "manifest": written.manifest})
    else:
        say(f"{output}: {', '.join(written.files)}; {checkpoint.size} records")
        say(f"  manifest: {written.manifest}; `umpire verify {output}` checks the whole folder")
