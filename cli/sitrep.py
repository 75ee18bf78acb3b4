"""`umpire sitrep`: the situation report of a player turn."""

import click

from umpire_ledger.cli.options import AT_LEAST_NONE, game_argument, json_option, ledger_option, seat_option
from umpire_ledger.cli.printing import print_json, say
from umpire_ledger.cli.session import looking
from umpire_ledger.projections.reports.sitrep import lines_of


@click.command()
@game_argument
@click.option("--turn", type=AT_LEAST_NONE, metavar="T", help="Which turn; the present one if left out.")
@click.option("--side", default="", metavar="SIDE", help="Only this side's own player turn.")
@click.option("--markdown", is_flag=True, help="Markdown instead of plain text.")
@seat_option
@ledger_option
@json_option
def sitrep(game_id: str, turn: int | None, side: str, markdown: bool, seat: str, where: str, as_json: bool) -> None:
    """Report a turn of GAME as the seat knows it: battles with their dice and losses, what became of other units,
    production, movements, accounts before and after, rulings.

    Plain text has 78 columns and a subject in its first line, GAME TURN.STEP SITREP, as a mail has.

    \b
    Examples:
      umpire sitrep border-war --turn 1 --side coalition
      umpire sitrep border-war --turn 1 --markdown > report.md
    """
    with looking(where, game_id, seat) as looker:
        report = looker.sitrep(turn, side)
    if as_json:
        print_json(report)
    else:
        say(*lines_of(report, markdown=markdown))
