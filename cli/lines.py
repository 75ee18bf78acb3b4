"""List the branches of a game (`umpire branches`)."""

import click

from umpire_ledger.cli.argument_help import Explained
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


@click.command(cls=Explained)
@game_argument
@click.option("--last", type=AT_LEAST_ONE, metavar="N", help="List the N most recently abandoned branches.")
@seat_option
@ledger_option
@table_options
@json_option
def branches(game_id: str, last: int | None, seat: str, where: str, as_json: bool) -> None:
    """List the branches that rewinds created.

    The current branch has the records that count; a rewind leaves the later records on an abandoned branch. A branch is
    named by its tip, its last record. Look at one with `umpire status GAME --at TIP`, compare two with `umpire diff
    GAME TIP TIP`, and return to one with `umpire rewind GAME --to '#TIP' --why REASON`.

    \b
    Example:
      umpire branches harbour
    """
    with looking(where, game_id, seat) as looker:
        found = looker.lines(last)
    if as_json:
        print_json(found)
        return
    rows = [(_name(one), _parts(one), one.orders, one.rolls, _fate(one), one.where) for one in found]
    print_table(("tip", "from", "orders", "rolls", "state", "step"), rows, empty="no branches")


def _name(one: LineOfPlay) -> str:
    return f"{'  ' * (one.depth - 1)}{'└ ' if one.depth else ''}#{one.tip}"


def _parts(one: LineOfPlay) -> str:
    return f"after #{one.parts}" if one.parts else ""


def _fate(line: LineOfPlay) -> str:
    if line.counts:
        return "current"
    why = f": {line.why}" if line.why else ""
    return f"abandoned at #{line.left} by {line.by}, {line.kind}{why}"
