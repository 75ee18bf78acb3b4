"""Describe the file of read models for use with another program (`umpire read-models`)."""

import click

import umpire_ledger as umpire
from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.options import json_option, ledger_option, table_options
from umpire_ledger.cli.printing import print_json, print_table, say
from umpire_ledger.desk.upkeep.read_models_file import GET_DATASETTE, ForDatasette, ReadModelsFile
from umpire_ledger.domain.game.verb_agreement import counted


@click.command(cls=Explained)
@click.option(
    "--open",
    "for_datasette",
    is_flag=True,
    help="Write the settings for Datasette and print the command that starts it.",
)
@ledger_option
@table_options
@json_option
def read_models(for_datasette: bool, where: str, as_json: bool) -> None:
    """Describe the read models; open them in Datasette.

    The read models are tables for queries, for example with sqlite3 or Datasette. Umpire keeps them up to date. This
    command lists each table and who may read it. The file contains every secret of its games: keep it from the players.

    \b
    Examples:
      umpire read-models
      umpire read-models --open
    """
    with umpire.open(where) as desk:
        found = desk.views()
        shown = desk.for_datasette() if for_datasette else None
    for warning in found.behind:
        say(f"Warning: {warning}", err=True)
    if as_json:
        parts = [found] if shown is None else [found, shown]
        print_json({key: getattr(part, key) for part in parts for key in part.__struct_fields__})
    elif shown is None:
        _print_tables(found)
    else:
        _print_command(found, shown)


def _print_tables(found: ReadModelsFile) -> None:
    rows = [(one.name, one.rows, "everyone" if one.public else "the referee", one.what) for one in found.tables]
    say(f"Read models of {counted(found.games, 'game')}: {found.file}")
    print_table(("table", "rows", "for", "contents"), rows)
    say("Next: `umpire read-models --open` prints the command that shows them in a browser.")


def _print_command(found: ReadModelsFile, shown: ForDatasette) -> None:
    say(f"Wrote {shown.config}. Next:", shown.command)
    if not shown.installed:
        say(f"Datasette is not installed here: `{GET_DATASETTE}` installs it.")
    say("Warning: it contains every secret of the games; keep it from the players.")
