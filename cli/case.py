"""Write a dispute as a folder that a second judge can check offline (`umpire case`)."""

from pathlib import Path

import click

from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.options import game_argument, json_option, ledger_option, seat_option
from umpire_ledger.cli.printing import print_json, say
from umpire_ledger.cli.session import looking
from umpire_ledger.domain.game.verb_agreement import counted


@click.command(cls=Explained)
@game_argument
@click.argument("dispute_id", metavar="DISPUTE")
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), metavar="FOLDER", help="Create this folder."
)
@seat_option
@ledger_option
@json_option
def case(game_id: str, dispute_id: str, output: Path, seat: str, where: str, as_json: bool) -> None:
    """Write a dispute as a folder for a second judge.

    The folder contains the excerpt, the contested units before and after, dice, claims, rulings and dependent orders
    (case.md, case.json), pictures, the orders (orders.jsonl), the replay log as the seat may see it, a checkpoint (the
    size and root hash of the log) and a manifest of file hashes. `umpire verify FOLDER` checks all of it.
    umpire-verify.py, which is in the folder too, checks the log without Umpire.

    \b
    Example:
      umpire case harbour d1 -o case-d1
    """
    with looking(where, game_id, seat) as looker:
        written = looker.case(dispute_id, output)
    checkpoint = written.checkpoint
    if as_json:
        said = {"game": game_id, "dispute": dispute_id, "folder": str(output), "size": checkpoint.size}
        print_json({**said, "root": checkpoint.hex, "files": written.files, "manifest": written.manifest})
    else:
        say(f"Wrote {counted(checkpoint.size, 'record')} to {output}: {', '.join(written.files)}.")
        say(f"Manifest: {written.manifest}. Next: `umpire verify {output}` checks the folder.")
