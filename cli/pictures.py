"""Draw the board as a picture (`umpire map`), and the whole game as a page to step through (`umpire replay-page`)."""

from pathlib import Path

import click
import msgspec

from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.options import (
    OUTPUT_FILE,
    at_option,
    game_argument,
    json_option,
    ledger_option,
    position,
    seat_option,
)
from umpire_ledger.cli.printing import print_json, progress, say
from umpire_ledger.cli.session import looking


@click.command("map", cls=Explained)
@game_argument
@at_option
@click.option(
    "-o",
    "--output",
    type=OUTPUT_FILE,
    metavar="FILE",
    help="Write a .svg or .png file (.png needs the extra `pictures`). Default: print SVG.",
)
@click.option("--stacks", is_flag=True, help="List each stack below the map, counter by counter.")
@seat_option
@ledger_option
@json_option
def map_(game_id: str, at: str | None, output: Path | None, stacks: bool, seat: str, where: str, as_json: bool) -> None:
    """Draw the map.

    The map shows units, their moves since the step began, losses and contested units, if the seat may see them.

    \b
    Examples:
      umpire map harbour -o harbour.svg
      umpire map harbour --at 412 --as athens -o then.png
      umpire map border-war --stacks -o stacks.svg
    """
    stood = position(at)
    with looking(where, game_id, seat) as looker:
        picture = looker.picture(stood)
        drawn = "" if as_json and output is None else looker.map(output, at=stood, stacks=stacks)
        size = looker.game.size
    if as_json:
        print_json({**msgspec.to_builtins(picture), "file": str(output) if output else None})
    elif output is None:
        say(*drawn.splitlines())
    else:
        say(f"Wrote {output}: {game_id} at #{size if stood is None else stood} as {seat} sees it.")


@click.command(cls=Explained)
@game_argument
@click.option(
    "-o",
    "--output",
    type=OUTPUT_FILE,
    metavar="FILE",
    required=True,
    help="Write the page to this file, for example game.html.",
)
@click.option("--from", "first", metavar="#N", help="Start with the order of this record.")
@click.option("--to", "last", metavar="#N", help="End with the order of this record.")
@click.option("--with-picture", is_flag=True, help="Include the background picture of the map.")
@seat_option
@ledger_option
@json_option
def replay_page(
    game_id: str,
    output: Path,
    first: str | None,
    last: str | None,
    with_picture: bool,
    seat: str,
    where: str,
    as_json: bool,
) -> None:
    """Write the game as one HTML file you can step through.

    The page has the map, the audit trail, dice and charts. It needs no network. It contains the seat's export and
    checks it; `umpire verify FILE` checks the same records. Records that the seat may not see are withheld.

    \b
    Examples:
      umpire replay-page harbour -o syracuse.html
      umpire replay-page harbour -o athens.html --as athens --from 400 --to 611
    """
    begin, end = position(first), position(last)
    with looking(where, game_id, seat) as looker, progress("writing the page", end or looker.game.size) as tell:
        made = looker.page(output, first=begin, last=end, tell=tell, picture=with_picture)
        name = looker.game.full_name
    if as_json:
        print_json({**msgspec.to_builtins(made), "file": str(output)})
    else:
        say(f"Wrote {output}: #{made.first}-#{made.last} of {name} as {seat} sees it, {made.size:,} bytes.")
        say(f"Root of its log: {made.root}")
