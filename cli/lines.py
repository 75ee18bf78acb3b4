"""`umpire branches`: the log as a tree."""

import click

from umpire_ledger.cli.options import (
    AT_LEAST_ONE,
    game_argument,
    json_option,
    ledger_option,
    seat_option,
    table_options,
)
from umpire_ledger.cli.printing import print_json, print_table
from umpire_ledger.cli.session import looking
from umpire_ledger.projections.questions.branches import LineOfPlay


@click.command()
@game_argument
@click.option("--last", type=AT_LEAST_ONE, metavar="N", help="Only the N that were left last.")
@seat_option
@ledger_option
@table_options
@json_option
def branches(game_id: str, last: int | None, seat: str, where: str, as_json: bool) -> None:
    """List GAME's lines as a tree: the one that counts, and those that were left, by whom and why.

    Each is named by its last record, its tip: look at it with `umpire status --at TIP`, compare two with `umpire diff
    TIP TIP`, take it up again with `umpire rewind --to '#TIP'`.

    Example: umpire branches harbour
    """
    with looking(where, game_id, seat) as looker:
        found = looker.lines(last)
    if as_json:
        print_json(found)
        return
    rows = [(_name(one), _parts(one), one.orders, one.rolls, _fate(one), one.where) for one in found]
    print_table(("line to", "parts", "orders", "rolls", "fate", "where"), rows)


def _name(one: LineOfPlay) -> str:
    return f"{'  ' * (one.depth - 1)}{'└ ' if one.depth else ''}#{one.tip}"


def _parts(one: LineOfPlay) -> str:
    return f"behind #{one.parts}" if one.parts else ""


def _fate(one: LineOfPlay) -> str:
    if one.counts:
        return "counts"
    why = f": {one.why}" if one.why else ""
    return f"left at #{one.left} by {one.by}, {one.kind}{why}"
