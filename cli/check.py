"""`umpire check-title`: hold a title to the promises, as its author does."""

from pathlib import Path

import click

from umpire_ledger.cli.options import json_option
from umpire_ledger.cli.printing import print_json, say
from umpire_ledger.desk.core.errors import TITLE

ORDERS = 7500


@click.command()
@click.argument("title", metavar="MODULE:TITLE")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="The first seed of random play.")
@click.option(
    "--orders", type=click.IntRange(min=30), default=ORDERS, show_default=True, help="Orders given at random."
)
@click.option(
    "--fixtures",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Folder with scenarios/ and replays/; `fixtures` next to the title's module, or those that Umpire brings.",
)
@json_option
def check_title(title: str, seed: int, orders: int, fixtures: Path | None, as_json: bool) -> None:
    """Hold a title to the promises, and say what does not hold: `MODULE:TITLE`, or the id of an installed title.

    Runs the static checks and plays the title at random; exit code 8 when a promise is broken. More orders find more.

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
