"""`umpire chart`: dice, accounts, losses and times of a game as a picture."""

from pathlib import Path

import click
import msgspec

from umpire_ledger.cli.options import OUTPUT_FILE, game_argument, json_option, ledger_option, seat_option
from umpire_ledger.cli.printing import print_json, say, say_wrapped
from umpire_ledger.cli.session import looking
from umpire_ledger.desk.pictures.charts import KINDS


@click.command()
@game_argument
@click.argument("kind", type=click.Choice(KINDS), metavar="|".join(KINDS))
@click.option("-o", "--output", type=OUTPUT_FILE, metavar="FILE", help="A .svg or .png file; else SVG is printed.")
@click.option("--text", "in_words", is_flag=True, help="Print the chart in words instead.")
@click.option("--all", "all_lines", is_flag=True, help="For dice: those of abandoned lines too.")
@click.option("--pause", metavar="TIME", help="For time: a gap longer than this is nobody's: 90m, 8h, 3d.")
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
    """Chart GAME as the seat knows it: how dice fell beside what was to be expected (χ², df, p, n), accounts by turn,
    the order of battle and losses by turn, or how long each side was waited for.

    A .png needs the extra `pictures`. Sides are told apart by colour, pattern and letter, as on the map; the whole
    chart in words is inside the SVG. --json prints what is drawn, as data.

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
        say(f"{output}: {kind} of {game_id}, as {seat} knows it")
