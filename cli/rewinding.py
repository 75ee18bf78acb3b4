"""Go back, and preview the cost (`umpire undo`, `redo`, `rewind`, `ask-rewind`, `consent`, `refuse`)."""

from collections.abc import Iterator, Sequence
from typing import Any

import click

from umpire_ledger.cli.options import (
    Count,
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
"""Orders that are named by position."""
DICE = ("reroll", "keep", "keep-unless-new")

dice_option = click.option(
    "--dice",
    type=click.Choice(DICE),
    help="Dice for orders that are given again: new dice (reroll, the default), the old results for the same purpose,"
    " subjects and step (keep), or those until the first new order. It lasts until the next rewind or amendment.",
)
preview_option = click.option("--preview", "only_preview", is_flag=True, help="Only say what it would undo.")
to_option = click.option(
    "--to",
    required=True,
    metavar="#N|STEP|TURN",
    help="A position (12 or #12; inside an order: the end of the one before), the newest opening of a step"
    " or heading (E.2, '5-3D of 0407', '5-3D of this hex'), or 'turn 2'.",
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
    """Yield the newest orders that were undone, the oldest of them first."""
    more = len(undone) - MOST_NAMED
    if more > 0:
        yield f"undone:   {more} orders, and"
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
    """Return a bare number as a position; other text is left to the game."""
    verify_digits(text, "--to")
    return int(text) if text.isascii() and text.isdigit() else text


@click.command()
@game_argument
@click.option("-n", "--orders", type=Count(), default=1, show_default=True, help="How many orders, the newest first.")
@click.option("--why", default="", help="The reason; the referee owes one behind a roll, a reveal or a seal.")
@dice_option
@preview_option
@seat_option
@order_id_option
@ledger_option
@json_option
def undo(
    game_id: str, orders: int, why: str, dice: str | None, only_preview: bool, seat: str, where: str, as_json: bool
) -> None:
    """Take back orders. A seat its own only, back to the last roll, reveal, seal or change of side; nothing is deleted.

    \b
    Examples:
      umpire undo harbour --as athens
      umpire undo harbour -n 3 --preview
    """
    act = _preview if only_preview else _go
    act(where, game_id, seat, "undo", as_json, orders=orders, why=why, dice=dice)


@click.command()
@game_argument
@seat_option
@order_id_option
@ledger_option
@json_option
def redo(game_id: str, seat: str, where: str, as_json: bool) -> None:
    """Return to the line that the last undo or rewind left, as long as nothing was played since.

    Example: umpire redo harbour
    """
    _go(where, game_id, seat, "redo", as_json)


@click.command()
@game_argument
@to_option
@click.option("--why", default="", help="The reason; owed behind a roll, a reveal, a seal or a change of side.")
@dice_option
@preview_option
@seat_option
@order_id_option
@ledger_option
@json_option
def rewind(
    game_id: str, to: str, why: str, dice: str | None, only_preview: bool, seat: str, where: str, as_json: bool
) -> None:
    """Return play to an earlier position, step or turn, or to one on an abandoned line.

    The referee's; a seat returns over its own orders, as far as it could undo them one by one.

    With --preview nothing is recorded: it lists the orders, rolls, reveals and seals that would be undone, the
    secrets that were learnt since, what each side decided, and what could be done instead.

    \b
    Examples:
      umpire rewind harbour --to '#412' --why "the fleet was set up wrongly"
      umpire rewind harbour --to 'E.1 of demosthenes' --why "too early"
      umpire rewind harbour --to 'turn 2' --preview
      umpire rewind harbour --to '#587' --as syracuse
    """
    act = _preview if only_preview else _go
    act(where, game_id, seat, "rewind", as_json, to=target(to), why=why, dice=dice)


@click.command("ask-rewind")
@game_argument
@to_option
@click.option("--why", required=True, help="The reason; all sides read it.")
@dice_option
@preview_option
@seat_option
@order_id_option
@ledger_option
@json_option
def ask_rewind(
    game_id: str, to: str, why: str, dice: str | None, only_preview: bool, seat: str, where: str, as_json: bool
) -> None:
    """Ask all other sides of GAME for a rewind; it happens when the last of them has consented, without the referee.

    An order given meanwhile makes the question void: ask again.

    Example: umpire ask-rewind harbour --to E.1 --why "I forgot a squadron" --as athens
    """
    act = _preview if only_preview else _go
    act(where, game_id, seat, "ask-rewind", as_json, to=target(to), why=why, dice=dice)


@click.command()
@game_argument
@seat_option
@order_id_option
@ledger_option
@json_option
def consent(game_id: str, seat: str, where: str, as_json: bool) -> None:
    """Agree, for your side, to the rewind that another has asked for in GAME.

    Example: umpire consent harbour --as syracuse
    """
    _go(where, game_id, seat, "consent", as_json)


@click.command()
@game_argument
@click.option("--why", default="", help="The reason.")
@seat_option
@order_id_option
@ledger_option
@json_option
def decline(game_id: str, why: str, seat: str, where: str, as_json: bool) -> None:
    """Refuse the rewind that another has asked for in GAME, or take your own question back.

    Example: umpire decline harbour --why "the dice are known" --as syracuse
    """
    _go(where, game_id, seat, "refuse", as_json, why=why)


def _tell(found: Impact) -> Iterator[str]:
    yield f"a return to #{found.to} · {found.where}"
    yield f"would undo {counted(len(found.orders), 'order')} of {', '.join(found.seats) or 'nobody'}"
    yield from _resting(found)
    if found.regains:
        yield f"would bring back {counted(found.regains, 'order')} of an abandoned line"
    yield from _listed("rolls:", found.rolls)
    yield from _listed("reveals:", found.reveals)
    yield from _listed("seals:", found.seals)
    for learnt in found.learnt:
        yield f"learnt:   #{learnt.position} {learnt.what}; known to {', '.join(learnt.by)}, and not forgotten"
    for seat, orders in found.decided.items():
        yield f"{seat} has decided since:"
        yield from (f"          {order}" for order in orders)
    yield "what can be done:"
    for remedy in found.remedies:
        yield f"          {remedy.what}"
        yield f"            {remedy.command}"


def _resting(found: Impact) -> Iterator[str]:
    """Yield the orders that depend on the first order: if they are few, `amend` costs less than a rewind."""
    if len(found.orders) > 1:
        first, others = found.orders[0], len(found.orders) - 1
        named = ", ".join(f"#{one.position}" for one in found.resting[:MOST_NAMED])
        more = f" and {len(found.resting) - MOST_NAMED} more" if len(found.resting) > MOST_NAMED else ""
        count = f"{len(found.resting)} of the other {others}"
        yield f"on the first, #{first.position}, rest {count}: {named or 'none'}{more}"


def _listed(label: str, undone: tuple[Undone, ...]) -> Iterator[str]:
    for at, one in enumerate(undone):
        yield f"{label if at == 0 else '':<10}#{one.position} {one.seat}: {one.text}"
