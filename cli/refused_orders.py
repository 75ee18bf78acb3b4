"""List refused orders (`umpire refusals`).

The words of a refusal are in the code that raises it: in `domain/flow/admission.py` for an order at the wrong step or
by the wrong seat, in a title's own chapter for any other order.
"""

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
from umpire_ledger.cli.printing import moment, print_json, print_table
from umpire_ledger.cli.session import looking
from umpire_ledger.projections.record.refusal import KeptRefusal


@click.command(cls=Explained)
@game_argument
@click.option("--last", type=AT_LEAST_ONE, metavar="N", help="List the newest N.")
@seat_option
@ledger_option
@table_options
@json_option
def refusals(game_id: str, last: int | None, seat: str, where: str, as_json: bool) -> None:
    """List refused orders with their reasons.

    A seat sees the refused orders of its side; the referee sees all. They are stored in a refusal log next to the game,
    outside the log that `umpire export` writes and `umpire verify` checks. Each has its own hash, so Umpire names one
    that was changed later.

    \b
    Example:
      umpire refusals harbour --as athens --last 5
    """
    with looking(where, game_id, seat) as looker:
        found = looker.refusals(last)
    if as_json:
        print_json(found)
        return
    rows = [(_when(one), f"#{one.after}", one.seat, one.text, _why(one), _names(one.allowed)) for one in found]
    print_table(("time", "after", "seat", "order", "reason", "allowed"), rows, empty="no refused orders")


def _when(one: KeptRefusal) -> str:
    return moment(one.at).removesuffix(" UTC")


def _why(one: KeptRefusal) -> str:
    unprotected = "; from an earlier version, without a hash" if one.kept == "unprotected" else ""
    return f"{one.what}{f' ({one.rule})' if one.rule else ''}{unprotected}"


def _names(allowed: tuple[str, ...]) -> str:
    return ", ".join(allowed) or "none"
