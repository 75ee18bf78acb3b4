"""Compare a turn with the printed sequence of play (`umpire conformance`)."""

from collections.abc import Sequence

import click

from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.options import (
    AT_LEAST_NONE,
    game_argument,
    json_option,
    ledger_option,
    seat_option,
    table_options,
)
from umpire_ledger.cli.printing import print_json, print_table, say
from umpire_ledger.cli.session import looking
from umpire_ledger.projections.reports.conformance import Label, counted


@click.command(cls=Explained)
@game_argument
@click.option("--turn", type=AT_LEAST_NONE, metavar="T", help="Turn to compare. Default: the current turn.")
@click.option("--steps", is_flag=True, help="Leave out labels that are not applicable or not reached.")
@seat_option
@ledger_option
@table_options
@json_option
def conformance(game_id: str, turn: int | None, steps: bool, seat: str, where: str, as_json: bool) -> None:
    """Compare a turn with the printed sequence of play.

    Each label of the sequence is done (with its records), declined, excused or overridden by the referee, not
    applicable (with the reason) or not reached.

    \b
    Examples:
      umpire conformance harbour --turn 2
      umpire conformance harbour --steps
    """
    with looking(where, game_id, seat) as looker:
        chosen = looker.game.turn if turn is None else turn
        labels = looker.conformance(chosen)
    shown = [one for one in labels if not steps or one.state not in ("not applicable", "not reached")]
    if as_json:
        print_json({"game": game_id, "turn": chosen, "counts": dict(counted(labels)), "labels": shown})
        return
    say(f"turn {chosen}: {', '.join(f'{number} {state}' for state, number in counted(labels)) or 'no sequence'}")
    print_table(("label", "name", "result", "records", "reason"), map(_row, shown), empty="no labels")


def _row(one: Label) -> Sequence[object]:
    records = ", ".join(f"#{position}" for position in one.positions[:8])
    more = f", … {len(one.positions)} in all" if len(one.positions) > 8 else ""
    return f"{'  ' * one.depth}{one.id}", one.name, one.state, records + more, one.why
