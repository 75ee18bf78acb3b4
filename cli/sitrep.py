"""Write the situation report of a turn (`umpire sitrep`)."""

from pathlib import Path

import click

from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.options import (
    AT_LEAST_NONE,
    OUTPUT_FILE,
    game_argument,
    json_option,
    ledger_option,
    seat_option,
)
from umpire_ledger.cli.printing import print_json, say
from umpire_ledger.cli.session import looking
from umpire_ledger.projections.reports.sitrep import lines_of


@click.command(cls=Explained)
@game_argument
@click.option("--turn", type=AT_LEAST_NONE, metavar="T", help="Turn to report. Default: the current turn.")
@click.option("--side", default="", metavar="SIDE", help="Report this side's player turn only.")
@click.option("--markdown", is_flag=True, help="Print Markdown.")
@click.option("--html", "as_html", is_flag=True, help="Write one HTML file with maps and dice as pictures.")
@click.option("-o", "--output", type=OUTPUT_FILE, metavar="FILE", help="Write the HTML to this file. Default: print.")
@seat_option
@ledger_option
@json_option
def sitrep(
    game_id: str,
    turn: int | None,
    side: str,
    markdown: bool,
    as_html: bool,
    output: Path | None,
    seat: str,
    where: str,
    as_json: bool,
) -> None:
    """Write a report of one turn.

    The report has battles with dice and losses, other losses, production, movement, accounts before and after, and
    rulings (the referee's decisions), if the seat may see them. Plain text has 78 columns, and its first line can be
    the subject of a mail. --html writes one file with maps and dice as pictures, which needs no network.

    \b
    Examples:
      umpire sitrep border-war --turn 1 --side coalition
      umpire sitrep border-war --turn 1 --markdown > report.md
      umpire sitrep border-war --turn 1 --html -o report.html
    """
    if output is not None and not as_html:
        raise click.UsageError("-o writes the HTML file: give --html too, or send the text to a file with >")
    with looking(where, game_id, seat) as looker:
        report = looker.sitrep(turn, side)
        page = looker.sitrep_page(turn, side, output) if as_html else ""
    if as_json:
        print_json(report)
    elif output is not None:
        say(f"Wrote {output}: {report.subject} as {seat} sees it.")
    elif as_html:
        say(*page.splitlines())
    else:
        say(*lines_of(report, markdown=markdown))
