"""`umpire amend`: one order is mended, and everything after it played again."""

from collections.abc import Mapping
from typing import Any

import click

import umpire_ledger as umpire
from umpire_ledger.cli.errors import usage
from umpire_ledger.cli.options import game_argument, json_option, ledger_option, position, typed
from umpire_ledger.cli.printing import print_json, say
from umpire_ledger.cli.rewinding import DICE
from umpire_ledger.cli.session import giving, looking
from umpire_ledger.desk.acts import How
from umpire_ledger.desk.order_files import read_order_json
from umpire_ledger.domain.game.events import DicePolicy
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
    how: How | None,
    why: str,
    dice: DicePolicy,
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
    given = _order(text, how or "replace")
    with looking(where, game_id, "referee") if check else giving(where, game_id, "referee") as referee:
        amendment = referee.amend(
            position(at) or 0, given or None, why=why, how=how or "replace", dice=dice, check=check
        )
        last = 0 if check else referee.game.size
    if as_json:
        print_json(_as_json(amendment, last, game_id))
    else:
        _say(amendment, is_done=not check)


def _order(text: str, how: str) -> dict[str, Any]:
    if not text:
        if how in ("replace", "before"):
            raise usage(f"no order is given to {how}", where="umpire amend", remedy="give it as JSON, or --drop #N")
        return {}
    return read_order_json(typed(text))


def _say(amendment: umpire.Amendment, *, is_done: bool) -> None:
    given = [one for one in amendment.orders if not one.of]
    again = len(amendment.orders) - len(given)
    for one in given:
        say(f"{'given' if is_done else 'would be given'}: {one.seat}: {order_words(dict(one.order))}")
    say(f"{_orders(again)} played again behind #{amendment.at}{'' if is_done else ', if it were done'}")
    if amendment.stopped is not None:
        stop = amendment.stopped
        say(f"then #{stop.position} no longer applies: {stop.seat}: {order_words(dict(stop.order))}")
        say(f"  {stop.what}", f"  at:   {stop.where}", f"  rule: {stop.rule}", f"  do:   {stop.remedy}")
        say(f"{_orders(amendment.left)} behind it left on the old line")
    say(f"{'now' if is_done else 'nothing is recorded; it would stand'} · {amendment.where}")


def _orders(number: int) -> str:
    return f"{number} order{'' if number == 1 else 's'}"


def _as_json(amendment: umpire.Amendment, last: int, game_id: str) -> Mapping[str, Any]:
    stop = amendment.stopped
    return {
        "game": game_id,
        "recorded": bool(last),
        "position": last,
        "again": [one.of for one in amendment.orders if one.of],
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
        },
        "left": amendment.left,
        "where": amendment.where,
    }
