"""`umpire read-models`: the file of read models, for those who open it with another program."""

import click

import umpire_ledger as umpire
from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.options import json_option, ledger_option, table_options
from umpire_ledger.cli.printing import print_json, print_table, say
from umpire_ledger.desk.upkeep.read_models_file import GET_DATASETTE, ForDatasette, ReadModelsFile


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

    The read models are tables for queries, for example with sqlite3 or Datasette. Umpire updates them and lists each
    table and who may read it. The file contains every secret of its games: keep it from the players.

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
    rows = [(one.name, one.rows, "everybody" if one.public else "the referee", one.what) for one in found.tables]
    say(f"{found.file}: the read models of {found.games} game{'s' if found.games != 1 else ''}")
    print_table(("table", "rows", "for", "what"), rows)
    say("`umpire read-models --open` names the command that shows them in a browser")


def _print_command(found: ReadModelsFile, shown: ForDatasette) -> None:
    say(f"wrote {shown.config}", shown.command)
    if not shown.installed:
        say(f"Datasette is not installed here: `{GET_DATASETTE}` brings it, into any virtual environment.")
    say("Every secret of the games is in there: open it for the referee alone.")
