"""Go back, and preview the cost (`umpire undo`, `redo`, `rewind`, `ask-rewind`, `consent`, `refuse`)."""

from collections.abc import Iterator, Sequence
from typing import Any

import click

from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.options import (
    CountRange,
    game_argument,
    json_option,
    ledger_option,
    order_id_option,
    seat_option,
    verify_digits,
)
from umpire_ledger.cli.outcome_text import say_outcome
from umpire_ledger.cli.printing import print_json, say
from umpire_ledger.cli.session import giving, looking, say_which
from umpire_ledger.domain.game.events import PlayRewound, RewindAsked
from umpire_ledger.domain.game.verb_agreement import counted
from umpire_ledger.projections.questions.rewind_preview import Impact, Undone

MOST_NAMED = 12
"""Maximum number of orders to name by position."""
DICE = ("reroll", "keep", "keep-unless-new")

dice_option = click.option(
    "--dice",
    type=click.Choice(DICE),
    help="Choose the dice for repeated orders: new dice (reroll, the default), the old results for the same roll"
    " (keep), or the old results until the first new order (keep-unless-new). It applies until the next rewind or"
    " amendment.",
)
preview_option = click.option(
    "--preview",
    "only_preview",
    is_flag=True,
    help="Show what it would undo, who has learned which secrets since, and alternatives; record nothing.",
)
to_option = click.option(
    "--to",
    required=True,
    metavar="#N|STEP|TURN",
    help="Position (12 or #12), the latest start of a step or phase (E.2, '5-3D of 0407', '5-3D of this hex') or a"
    " turn ('turn 2').",
)


def _go(where: str, game_id: str, seat: str, order: str, as_json: bool, **arguments: Any) -> None:
    with giving(where, game_id, seat) as giver:
        outcome = giver.order(order, **arguments)
        back = [record.position for record in outcome.records if isinstance(record.event, PlayRewound)]
        undone = [one for position in back for one in giver.taken_back(position)]
    for record in outcome.records:
        if isinstance(record.event, PlayRewound | RewindAsked):
            say_which(arguments.get("to"), record.event.to)
    say_outcome(outcome, as_json, more={"taken_back": undone})
    if not as_json:
        say(*_taken_back(undone))


def _taken_back(undone: Sequence[Undone]) -> Iterator[str]:
    """Yield lines about the newest undone orders, in the order of play."""
    more = len(undone) - MOST_NAMED
    if more > 0:
        yield f"undone:   {counted(more, 'order')}, and"
    yield from _listed("" if more > 0 else "undone:", tuple(undone[-MOST_NAMED:]))


def _preview(where: str, game_id: str, seat: str, order: str, as_json: bool, **arguments: Any) -> None:
    with looking(where, game_id, seat) as looker:
        found = looker.preview(order, **arguments)
    say_which(arguments.get("to"), found.to)
    if as_json:
        print_json(found)
    else:
        say(*_tell(found))


def target(text: str) -> int | str:
    """Return a bare number as a position; return other text unchanged, for the game to read."""
    verify_digits(text, "--to")
    return int(text) if text.isascii() and text.isdigit() else text


@click.command(cls=Explained)
@game_argument
@click.option(
    "-n",
    "--orders",
    type=CountRange(),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of orders to take back.",
)
@click.option(
    "--why",
    default="",
    metavar="REASON",
    help="State the reason. Required from the referee after a roll, reveal or seal.",
)
@dice_option
@preview_option
@seat_option
@order_id_option
@ledger_option
@json_option
def undo(
    game_id: str, orders: int, why: str, dice: str | None, only_preview: bool, seat: str, where: str, as_json: bool
) -> None:
    """Take back the newest orders.

    A seat can undo its own orders up to the last roll, reveal, seal or change of side. The referee can undo any order,
    but must give a reason after any of these. Nothing is deleted: `umpire redo` restores the orders. To go further
    back, use `umpire rewind`.

    \b
    Examples:
      umpire undo harbour --as athens
      umpire undo harbour --orders 3 --preview
    """
    act = _preview if only_preview else _go
    act(where, game_id, seat, "undo", as_json, orders=orders, why=why, dice=dice)


@click.command(cls=Explained)
@game_argument
@seat_option
@order_id_option
@ledger_option
@json_option
def redo(game_id: str, seat: str, where: str, as_json: bool) -> None:
    """Restore what the last undo or rewind took back.

    It works until someone gives another order.

    \b
    Example:
      umpire redo harbour
    """
    _go(where, game_id, seat, "redo", as_json)


@click.command(cls=Explained)
@game_argument
@to_option
@click.option(
    "--why",
    default="",
    metavar="REASON",
    help="State the reason. Required after a roll, reveal, seal or change of side.",
)
@dice_option
@preview_option
@seat_option
@order_id_option
@ledger_option
@json_option
def rewind(
    game_id: str, to: str, why: str, dice: str | None, only_preview: bool, seat: str, where: str, as_json: bool
) -> None:
    """Return to an earlier position, step or turn.

    Later records stay in the log on an abandoned branch, and play continues on the current branch, the records that
    count. Return to an abandoned branch in the same way. A seat can rewind its own orders if it could undo them one by
    one; the referee can go anywhere. `umpire undo-points GAME` lists the steps and the cost.

    \b
    Examples:
      umpire rewind harbour --to '#412' --why "the fleet was set up wrongly"
      umpire rewind harbour --to 'E.1 of demosthenes' --why "too early"
      umpire rewind harbour --to 'turn 2' --preview
      umpire rewind harbour --to '#587' --as syracuse
    """
    act = _preview if only_preview else _go
    act(where, game_id, seat, "rewind", as_json, to=target(to), why=why, dice=dice)


@click.command("ask-rewind", cls=Explained)
@game_argument
@to_option
@click.option("--why", required=True, metavar="REASON", help="State the reason. All sides read it.")
@dice_option
@preview_option
@seat_option
@order_id_option
@ledger_option
@json_option
def ask_rewind(
    game_id: str, to: str, why: str, dice: str | None, only_preview: bool, seat: str, where: str, as_json: bool
) -> None:
    """Ask the other sides to agree to a rewind.

    The rewind happens when the last side agrees with `umpire consent`; it needs no referee. Any other order cancels the
    request.

    \b
    Example:
      umpire ask-rewind harbour --to E.1 --why "I forgot a squadron" --as athens
    """
    act = _preview if only_preview else _go
    act(where, game_id, seat, "ask-rewind", as_json, to=target(to), why=why, dice=dice)


@click.command(cls=Explained)
@game_argument
@seat_option
@order_id_option
@ledger_option
@json_option
def consent(game_id: str, seat: str, where: str, as_json: bool) -> None:
    """Agree to a requested rewind.

    When the last side agrees, the rewind happens. `umpire status GAME` shows the request.

    \b
    Example:
      umpire consent harbour --as syracuse
    """
    _go(where, game_id, seat, "consent", as_json)


@click.command(cls=Explained)
@game_argument
@click.option("--why", default="", metavar="REASON", help="State the reason.")
@seat_option
@order_id_option
@ledger_option
@json_option
def decline(game_id: str, why: str, seat: str, where: str, as_json: bool) -> None:
    """Decline a requested rewind, or withdraw your own.

    The request ends, and play continues.

    \b
    Example:
      umpire decline harbour --why "the dice are known" --as syracuse
    """
    _go(where, game_id, seat, "refuse", as_json, why=why)


def _tell(found: Impact) -> Iterator[str]:
    yield f"A rewind to #{found.to} · {found.where}"
    whose = f" of {', '.join(found.seats)}" if found.seats else ""
    yield f"would take back {counted(len(found.orders), 'order')}{whose}"
    yield from _resting(found)
    if found.regains:
        yield f"would restore {counted(found.regains, 'order')} of an abandoned branch"
    yield from _listed("rolls:", found.rolls)
    yield from _listed("reveals:", found.reveals)
    yield from _listed("seals:", found.seals)
    for learnt in found.learnt:
        yield f"learned:  #{learnt.position} {learnt.what}; {', '.join(learnt.by)} will still know it"
    for seat, orders in found.decided.items():
        yield f"decisions of {seat} since:"
        yield from (f"          {order}" for order in orders)
    yield "alternatives:"
    for remedy in found.remedies:
        yield f"          {remedy.what}"
        yield f"            {remedy.command}"


def _resting(found: Impact) -> Iterator[str]:
    """Yield a line about the orders that depend on the first one. If they are few, `amend` is cheaper than a rewind."""
    if len(found.orders) > 1:
        first, others = found.orders[0], len(found.orders) - 1
        named = ", ".join(f"#{one.position}" for one in found.resting[:MOST_NAMED])
        more = f" and {len(found.resting) - MOST_NAMED} more" if len(found.resting) > MOST_NAMED else ""
        count = f"{len(found.resting)} of the other {others}"
        yield f"dependents of the first, #{first.position}: {count}: {named or 'none'}{more}"


def _listed(label: str, undone: tuple[Undone, ...]) -> Iterator[str]:
    for at, one in enumerate(undone):
        yield f"{label if at == 0 else '':<10}#{one.position} {one.seat}: {one.text}"
