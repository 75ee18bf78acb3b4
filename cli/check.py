"""Check a title against its contract, for its author (`umpire check-title`)."""

from pathlib import Path

import click

from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.options import CountRange, json_option
from umpire_ledger.cli.printing import print_json, say
from umpire_ledger.desk.core.errors import TITLE

ORDERS = 7500


@click.command(cls=Explained)
@click.argument("title", metavar="MODULE:TITLE")
@click.option(
    "--seed", type=CountRange(min=0), default=1, show_default=True, metavar="N", help="First seed of random play."
)
@click.option(
    "--orders", type=CountRange(min=30), default=ORDERS, show_default=True, metavar="N", help="Number of random orders."
)
@click.option(
    "--fixtures",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Folder with scenarios/ and replays/. Default: `fixtures` next to the module, else Umpire's own.",
)
@json_option
def check_title(title: str, seed: int, orders: int, fixtures: Path | None, as_json: bool) -> None:
    """Run the contract checks on a title.

    The contract lists what every title must do. Umpire checks its declarations, plays it with random orders and reports
    each broken rule; the exit code is then 8. More orders find more faults.

    \b
    Examples:
      umpire check-title my_package:TITLE
      umpire check-title war-galley --orders 20000 --seed 7
    """
    from umpire_ledger.testing import trial_of, verdicts  # noqa: PLC0415 -- 370 ms: nothing else needs the test kit

    trial = trial_of(title, fixtures=fixtures, seed=seed, orders=orders)
    found = []
    for verdict in verdicts(trial):
        found.append(verdict)
        if not as_json:
            say(*verdict.text().splitlines())
    states = [verdict.state for verdict in found]
    if as_json:
        print_json({"title": trial.title.id, "seed": seed, "orders": orders, "promises": found})
    else:
        counted = (f"{states.count('held')} promises held", f"{states.count('broken')} broken")
        say(f"{trial.title.name}: {', '.join(counted)}, {states.count('not asked')} not asked")
    if "broken" in states:
        click.get_current_context().exit(TITLE)
