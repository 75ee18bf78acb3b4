"""`umpire amend`: one order is mended, and everything after it played again."""

import sys
from collections.abc import Mapping
from typing import Any

import click

from umpire_ledger.cli.errors import usage
from umpire_ledger.cli.input_files import read_order_json
from umpire_ledger.cli.options import game_argument, json_option, ledger_option, position
from umpire_ledger.cli.printing import print_json
from umpire_ledger.cli.rewinding import DICE
from umpire_ledger.cli.session import giving
from umpire_ledger.desk.sitting import Outcome, check_amendment, open_ledger
from umpire_ledger.domain.play.amend import Amended
from umpire_ledger.projections.questions.impact import order_words


@click.command()
@game_argument
@click.argument("at", metavar="#N")
@click.argument("text", metavar="[JSON]", default="")
@click.option("--drop", "how", flag_value="drop", help="Leave the order out.")
@click.option("--before", "how", flag_value="before", help="Put JSON in before it: a forgotten order, back-dated.")
@click.option("--reroll", "how", flag_value="reroll", help="Give the same order again with fresh dice.")
@click.option("--why", required=True, help="The reason; it stays in the audit trail.")
@click.option("--dice", type=click.Choice(DICE), default="keep", show_default=True, help="As for `umpire rewind`.")
@click.option("--check", is_flag=True, help="Only say what would happen.")
@ledger_option
@json_option
def amend(
    game_id: str,
    at: str,
    text: str,
    how: str | None,
    why: str,
    dice: str,
    check: bool,
    where: str,
    as_json: bool,
) -> None:
    """Mend the order at position #N of GAME: on a new line it is replaced by JSON, and all that followed is played
    again by the rules, up to the first order that no longer applies; that one is named with its refusal.

    Nothing of the old line changes (`umpire lines` shows it). What is played again keeps its dice unless --dice says
    otherwise. A forgotten order is given with --before, at the position where it ought to have been.

    \b
    Examples:
      umpire amend syracuse-1 '#412' '{"order": "move", "unit": "a1", "path": ["0203"]}' --why "misread hex"
      umpire amend syracuse-1 '#412' --drop --why "it was not his turn" --check
      umpire amend syracuse-1 '#412' '{"order": "pay", "account": "vp", "amount": 1}' --before --why "forgotten"
      umpire amend syracuse-1 '#412' --reroll --why "a cocked die"
    """
    raw = {
        "as": "referee",
        "order": "amend",
        "at": position(at),
        "how": how or "replace",
        "given": _order(text, how or "replace"),
        "why": why,
        "dice": dice,
    }
    if check:
        with open_ledger(where, read_only=True) as ledger:
            amended = check_amendment(ledger, game_id, raw)
        _say(amended, None, game_id, as_json)
        return
    with giving(where, game_id, raw) as (_, outcome):
        assert outcome.amended is not None
        _say(outcome.amended, outcome, game_id, as_json)


def _order(text: str, how: str) -> dict[str, Any]:
    if not text:
        if how in ("replace", "before"):
            raise usage(f"no order is given to {how}", where="umpire amend", remedy="give it as JSON, or --drop #N")
        return {}
    return read_order_json(sys.stdin.read() if text == "-" else text)


def _say(amended: Amended, outcome: Outcome | None, game_id: str, as_json: bool) -> None:
    if as_json:
        print_json(_as_json(amended, outcome, game_id))
        return
    is_done = outcome is not None
    back = amended.orders[0]
    given = [one for one in amended.orders[1:] if not one.of]
    again = len(amended.orders) - 1 - len(given)
    for one in given:
        click.echo(f"{'given' if is_done else 'would be given'}: {one.seat}: {order_words(dict(one.raw))}")
    click.echo(f"{_orders(again)} played again behind #{back.raw['at']}{'' if is_done else ', if it were done'}")
    if amended.stop is not None:
        stop = amended.stop
        click.echo(f"then #{stop.position} no longer applies: {stop.seat}: {order_words(dict(stop.raw))}")
        click.echo(f"  {stop.refusal.what}\n  at:   {stop.refusal.where}\n  rule: {stop.refusal.rule}")
        click.echo(f"  do:   {stop.refusal.remedy}")
        click.echo(f"{_orders(amended.left)} behind it left on the old line")
    click.echo(f"{'now' if is_done else 'nothing is recorded; it would stand'} · {amended.game.where}")


def _orders(number: int) -> str:
    return f"{number} order{'' if number == 1 else 's'}"


def _as_json(amended: Amended, outcome: Outcome | None, game_id: str) -> Mapping[str, Any]:
    stop = amended.stop
    return {
        "game": game_id,
        "recorded": outcome is not None,
        "position": outcome.records[-1].position if outcome else 0,
        "again": [one.of for one in amended.orders[1:] if one.of],
        "stopped": None
        if stop is None
        else {
            "position": stop.position,
            "as": stop.seat,
            "order": stop.raw,
            "what": stop.refusal.what,
            "where": stop.refusal.where,
            "rule": stop.refusal.rule,
            "remedy": stop.refusal.remedy,
        },
        "left": amended.left,
        "where": amended.game.where,
    }
