"""Draw dice, accounts, losses and times of a game as a picture (`umpire chart`)."""

from pathlib import Path

import click
import msgspec

from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.options import OUTPUT_FILE, game_argument, json_option, ledger_option, seat_option
from umpire_ledger.cli.printing import print_json, say, say_wrapped
from umpire_ledger.cli.session import looking
from umpire_ledger.desk.pictures.charts import KINDS


@click.command(cls=Explained)
@game_argument
@click.argument("kind", type=click.Choice(KINDS), metavar="|".join(KINDS))
@click.option(
    "-o",
    "--output",
    type=OUTPUT_FILE,
    metavar="FILE",
    help="Write a .svg or .png file (.png needs the extra `pictures`). Default: print SVG.",
)
@click.option("--text", "in_words", is_flag=True, help="Print the chart in words.")
@click.option("--all", "all_lines", is_flag=True, help="dice: include rolls on abandoned branches.")
@click.option("--pause", metavar="TIME", help="time: leave out gaps longer than this: 90m, 8h, 3d.")
@seat_option
@ledger_option
@json_option
def chart(
    game_id: str,
    kind: str,
    output: Path | None,
    in_words: bool,
    all_lines: bool,
    pause: str | None,
    seat: str,
    where: str,
    as_json: bool,
) -> None:
    """Chart dice, accounts, losses or waiting times.

    The dice chart compares the results with the expected counts (χ², degrees of freedom, p and number of rolls).
    Accounts and losses are shown turn by turn. The chart shows only what the seat may see. Sides differ in colour,
    pattern and letter. The SVG contains the chart in words too.

    \b
    Examples:
      umpire chart harbour dice -o dice.svg
      umpire chart harbour losses --as athens --text
      umpire chart harbour time --pause 8h -o time.png
    """
    with looking(where, game_id, seat) as looker:
        found = looker.chart_data(kind, all_lines=all_lines, pause=pause)
        drawn = looker.chart(found, output) if output or not (as_json or in_words) else ""
    if as_json:
        print_json({**msgspec.to_builtins(found), "words": found.words, "file": str(output) if output else None})
    elif in_words:
        say_wrapped(found.words)
    elif output is None:
        say(*drawn.splitlines())
    else:
        say(f"Wrote {output}: {kind} of {game_id} as {seat} sees it.")
