"""Amend one past order of the current branch and re-play the rest (`umpire amend`).

Like a rebase, an amendment stops at an order that no longer applies; then the referee continues or aborts it.
"""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

import umpire_ledger as umpire
from umpire_ledger.cli.completion import complete_order
from umpire_ledger.cli.errors import REFUSED, usage
from umpire_ledger.cli.options import (
    OUTPUT_FILE,
    game_argument,
    json_option,
    ledger_option,
    order_id_option,
    position,
    typed,
)
from umpire_ledger.cli.order import WordsCommand, is_json
from umpire_ledger.cli.outcome_text import OTHER_DICE
from umpire_ledger.cli.printing import json_text, print_json, say
from umpire_ledger.cli.rewinding import DICE
from umpire_ledger.cli.session import giving, looking
from umpire_ledger.desk.core.outcomes import AmendedOrder, LeftOrder
from umpire_ledger.desk.orders.order_files import read_order_json, write_orders
from umpire_ledger.desk.seat_orders import AmendMode, ResumeMode
from umpire_ledger.domain.game.events import DicePolicy
from umpire_ledger.domain.game.verb_agreement import counted
from umpire_ledger.projections.questions.rewind_preview import order_words

WHERE = "umpire amend"


class AmendCommand(WordsCommand):
    """A command in which the words of an order follow the position to amend."""

    sections: Mapping[str, str] = {"how": "Amend the order at #N", "on": "Continue after a stop"}

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the arguments of the typed order, then the command's own options."""
        at, said = ctx.params.get("at"), ctx.params.get("text") or ()
        if ctx.params.get("on"):
            said = (at, *said) if at else said
        words = complete_order(ctx, incomplete, said) if at or ctx.params.get("on") else []
        return [*words, *super(WordsCommand, self).shell_complete(ctx, incomplete)]


@click.command(cls=AmendCommand, options_metavar="", context_settings={"max_content_width": 80})
@game_argument
@click.argument("at", metavar="[#N]", default="")
@click.argument("text", metavar="[ORDER [ARGUMENTS]… | JSON]", nargs=-1)
@click.option("--drop", "how", flag_value="drop", help="Remove the order at #N.")
@click.option("--before", "how", flag_value="before", help="Insert a forgotten ORDER before #N.")
@click.option("--reroll", "how", flag_value="reroll", help="Repeat the order at #N with new dice.")
@click.option(
    "--continue", "on", flag_value="continue", help="Continue: try the stopped order again, or give ORDER instead."
)
@click.option("--skip", "on", flag_value="skip", help="Continue without the stopped order.")
@click.option("--quit", "on", flag_value="leave", help="End the amendment without the remaining orders.")
@click.option("--leave", "on", flag_value="leave", hidden=True, help="Former name of --quit.")
@click.option("--abort", "on", flag_value="abort", help="Undo the amendment and return to the old branch.")
@click.option(
    "--why", default="", metavar="REASON", help="State the reason. Required with #N. The audit trail shows it."
)
@click.option(
    "--dice", type=click.Choice(DICE), help="Choose the dice of repeated orders, as in `umpire rewind`. Default: keep."
)
@click.option("-o", "--output", type=OUTPUT_FILE, metavar="FILE", help="Write the remaining orders to an order file.")
@click.option(
    "--check", is_flag=True, help="Show the result and record nothing. The dice use a different seed from the game's."
)
@order_id_option
@ledger_option
@json_option
@click.pass_context
def amend(
    ctx: click.Context,
    game_id: str,
    at: str,
    text: tuple[str, ...],
    how: AmendMode | None,
    on: ResumeMode | None,
    why: str,
    dice: DicePolicy | None,
    output: Path | None,
    check: bool,
    where: str,
    as_json: bool,
) -> None:
    """Replace one past order and play the rest again.

    ORDER replaces the order at #N on a new branch. Umpire plays the later orders again by the rules, with the old dice
    results unless you set --dice. The old records stay on an abandoned branch (`umpire branches`). If a later order is
    no longer valid, Umpire stops before it (exit code 3) and prints the remaining orders. Then use --continue, --skip,
    --quit or --abort, as in a git rebase. Without #N, the command lists the remaining orders.

    \b
    Examples:
      umpire amend harbour '#412' move a1 0203 --why "misread hex"
      umpire amend harbour '#412' pay vp 1 --before --why "forgotten"
      umpire amend harbour '#412' --drop --why "not their turn" --check
      umpire amend harbour --continue move a2 0203 --why "a1 is gone"
    """
    option = "quit" if on == "leave" else on
    if how and on:
        raise usage(f"--{how} and --{option} cannot be combined", where=WHERE, remedy="give only one of them")
    if on and dice:
        remedy = "leave --dice out, or abort and amend again with another policy"
        raise usage(f"--{option} keeps the dice policy of the amendment", where=WHERE, remedy=remedy)
    mended = None if on else position(at or None)
    if mended is None and on is None:
        _say_what_is_left(where, game_id, output, as_json)
        return
    said = _behind_dashes((at, *text) if on and at else text)
    if mended is not None:
        _verify_words(said, how, why)
    with looking(where, game_id, "referee") if check else giving(where, game_id, "referee") as referee:
        given = _order(said)
        if mended is not None:
            amendment = referee.amend(mended, given, why=why, how=how or "replace", dice=dice or "keep", check=check)
        else:
            amendment = referee.go_on_amending(on or "continue", given, why=why, check=check)
        last = 0 if check else referee.game.size
    _tell(amendment, last, game_id, output, on, as_json)
    if amendment.stopped is not None or _failed(amendment):
        ctx.exit(REFUSED)


# --- input ------------------------------------------------------------------------------------------------------------


def _behind_dashes(said: Sequence[str]) -> Sequence[str]:
    """Return the words of the order after --, which may look like options."""
    return said[1:] if said[:1] == ("--",) else said


def _verify_words(said: Sequence[str], how: str | None, why: str) -> None:
    if not why:
        raise usage("an amendment requires a reason", where=WHERE, remedy="add the reason: --why REASON")
    if not said and how in (None, "before"):
        remedy = "type the order after #N, or use --drop"
        raise usage("the new order is missing", where=WHERE, remedy=remedy)


def _order(said: Sequence[str]) -> str | Mapping[str, Any] | None:
    """Return an order in JSON as its object, and a typed order as one line."""
    if not said:
        return None
    return read_order_json(typed(said[0])) if is_json(said) else shlex.join(said)


# --- output -----------------------------------------------------------------------------------------------------------


def _say_what_is_left(where: str, game_id: str, output: Path | None, as_json: bool) -> None:
    with looking(where, game_id, "referee") as referee:
        rest = referee.left_to_amend()
    if not rest:
        what = f"no amendment of {game_id} is in progress"
        raise usage(what, where=WHERE, remedy="name the order to replace by its position: '#412'")
    if as_json:
        print_json({"game": game_id, "rest": rest})
        return
    say(f"The amendment of {game_id} stopped at #{rest[0].position}. Remaining orders:", err=output is None)
    if output is None:
        say(*_lines(rest))
    else:
        _write(rest, output)


def _tell(
    amendment: umpire.Amendment, last: int, game_id: str, output: Path | None, on: ResumeMode | None, as_json: bool
) -> None:
    if as_json:
        print_json(_as_json(amendment, last, game_id))
        if output is not None and amendment.rest:
            write_orders(output, _lines(amendment.rest))
        return
    _say(amendment, on, is_done=bool(last))
    if amendment.stopped is None:
        return
    if last:
        say(f"Next: umpire amend {game_id} --continue [ORDER], or --skip, --quit or --abort")
    _write(amendment.rest, output)


def _say(amendment: umpire.Amendment, on: ResumeMode | None, *, is_done: bool) -> None:
    given = [one for one in amendment.orders if not one.of]
    again = len(amendment.orders) - len(given)
    for one in given:
        say(f"{'recorded' if is_done else 'would be recorded'}: {one.seat}: {order_words(dict(one.order))}")
    unless = "" if is_done else " (dry run)"
    match on:
        case "abort":
            say(f"Amendment aborted: play is on the old branch again{unless}")
        case "leave":
            say(f"Amendment ended: the remaining orders stay on the old branch{unless}")
        case _:
            skipped = f"#{amendment.at} skipped, " if on == "skip" else ""
            say(f"{skipped}{counted(again, 'order')} after #{amendment.at} played again{unless}")
    for one in _failed(amendment):
        say(f"roll recorded, order not carried out: {one.seat}: {order_words(dict(one.order))}")
    if amendment.stopped is not None:
        stop = amendment.stopped
        say(f"Stopped: #{stop.position} is no longer valid: {stop.seat}: {order_words(dict(stop.order))}")
        say(f"  {stop.what}", f"  at:   {stop.where}", f"  rule: {stop.rule}", f"  do:   {stop.remedy}")
        say(
            f"{counted(amendment.left, 'order')} after it {'remains' if amendment.left == 1 else 'remain'} to be played"
        )
    if amendment.dice is not None:
        say(amendment.dice.text)
    say(f"{'now' if is_done else 'Nothing recorded; play would be at'} · {amendment.where}")
    if amendment.other_dice:
        say(OTHER_DICE)


def _write(rest: Sequence[LeftOrder], output: Path | None) -> None:
    """Write the remaining orders to an order file, or print them."""
    if output is None:
        say("Remaining orders:", *_lines(rest))
    else:
        write_orders(output, _lines(rest))
        say(f"Wrote {counted(len(rest), 'order')} to {output}: the remaining orders.")


def _lines(rest: Iterable[LeftOrder]) -> list[str]:
    """Return a line for each order; an order with withheld words becomes a comment."""
    return list(map(_line, rest))


def _line(one: LeftOrder) -> str:
    if one.closed:
        return f"# #{one.position} {one.seat}: {one.order.get('order', 'an order')}, withheld"
    return json_text(one.order)


def _failed(amendment: umpire.Amendment) -> list[AmendedOrder]:
    """Return the orders of an amendment of which only the roll is recorded."""
    return [one for one in amendment.orders if not one.carried_out]


def _as_json(amendment: umpire.Amendment, last: int, game_id: str) -> Mapping[str, Any]:
    stop = amendment.stopped
    return {
        "game": game_id,
        "recorded": bool(last),
        "position": last,
        "again": [one.of for one in amendment.orders if one.of],
        "not_carried_out": [one.of for one in _failed(amendment)],
        "stopped": None
        if stop is None
        else {
            "position": stop.position,
            "as": stop.seat,
            "order": stop.order,
            "what": stop.what,
            "where": stop.where,
            "rule": stop.rule,
            "remedy": stop.remedy,
            "refusal_code": stop.refusal_code,
            "fields": stop.fields,
        },
        "left": amendment.left,
        "rest": amendment.rest,
        "other_dice": amendment.other_dice,
        "dice": amendment.dice,
        "where": amendment.where,
    }
