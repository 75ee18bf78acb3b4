"""Show the waiting times of each side (`umpire times`)."""

import click

import umpire_ledger as umpire
from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.options import game_argument, ledger_option
from umpire_ledger.cli.printing import minutes, print_csv, print_json, print_markdown, print_table, say, zoned_minutes
from umpire_ledger.projections.questions.times import length_of_time

COLUMNS = ("side", "name", "seats", "waited", "alone", "waits", "longest", "orders", "since")


@click.command(cls=Explained)
@game_argument
@click.option("--pause", metavar="TIME", help="Leave out gaps longer than this: 90m, 8h, 3d.")
@click.option("--csv", "form", flag_value="csv", help="Print CSV, times in seconds.")
@click.option("--markdown", "form", flag_value="markdown", help="Print a Markdown table.")
@click.option("--json", "form", flag_value="json", help="Print JSON, including errors; times in seconds.")
@ledger_option
def times(game_id: str, pause: str | None, form: str | None, where: str) -> None:
    """Show how long each side kept the game waiting.

    Between two orders, Umpire charges the time to each side that had to act. `alone` is the time when no other side had
    to. A late entry counts at the time when it happened. Orders on abandoned branches count. The current wait is not in
    the totals.

    \b
    Examples:
      umpire times harbour
      umpire times harbour --pause 8h --json
    """
    with umpire.open(where, read_only=True) as desk:
        found = desk.game(game_id).times(pause=pause)
    if form == "json":
        print_json(found)
    elif form is None:
        _print(found)
    else:
        rows = ([_cell(getattr(side, name)) for name in COLUMNS] for side in found.sides)
        (print_csv if form == "csv" else print_markdown)(COLUMNS, rows)


def _cell(value: object) -> object:
    return ", ".join(value) if isinstance(value, tuple) else value


def _print(found: umpire.Times) -> None:
    say(f"{found.game}: {zoned_minutes(found.began)} to {zoned_minutes(found.last)}, {length_of_time(found.seconds)}")
    rows = [
        (
            *(
                one.side,
                length_of_time(one.waited),
                length_of_time(one.alone),
                one.waits,
                length_of_time(one.longest),
                one.orders,
            ),
            minutes(one.since),
        )
        for one in found.sides
    ]
    print_table(("side", "waited", "alone", "waits", "longest wait", "orders", "waiting since"), rows, empty="no sides")
    if found.nobody:
        say(f"no side had to act: {length_of_time(found.nobody)}")
    if found.pauses:
        say(f"pauses of more than {length_of_time(found.pause)}: {found.pauses}, {length_of_time(found.paused)}")
