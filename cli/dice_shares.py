"""Give a side's share of shared or witnessed dice (`umpire dice-share`)."""

import os
import time

import click
import msgspec

import umpire_ledger as umpire
from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.errors import usage
from umpire_ledger.cli.options import game_argument, json_option, ledger_option, seat_option
from umpire_ledger.cli.outcome_text import say_outcome
from umpire_ledger.cli.output import reader_is_gone
from umpire_ledger.cli.printing import print_json, say
from umpire_ledger.cli.session import follow, sign_with_own_keys
from umpire_ledger.desk.signing.share_files import own_shares

POLL = 0.5
"""Seconds between two checks of the game."""


@click.command(cls=Explained)
@game_argument
@click.option("--print", "prints", is_flag=True, help="Print the required order instead of recording it.")
@click.option("--follow", "follows", is_flag=True, help="Give each required share until the game ends.")
@seat_option
@ledger_option
@json_option
def dice_share(game_id: str, prints: bool, follows: bool, seat: str, where: str, as_json: bool) -> None:
    """Commit or reveal your side's share of the dice.

    With shared dice, each side commits to a secret share, and then each side reveals it. The shares together make the
    rolls, so no side and no operator can choose them. With witnessed dice, each order that rolls needs a new share from
    another side. Umpire keeps your shares in `~/.config/umpire/dice`; the game needs them. If the ledger is on another
    machine, import the game's log and send the order that --print writes.

    \b
    Examples:
      umpire dice-share harbour --as athens
      umpire dice-share harbour --as athens --follow
    """
    folder = own_shares(os.environ)
    with umpire.open(where, read_only=prints) as desk:
        sign_with_own_keys(desk)
        game = desk.game(game_id)
        own = game.seat(seat)
        given = not prints and game.throw_what_waits()
        if given and not as_json:
            say("An interrupted order had all its shares and is now carried out.")
        if follows:
            _verify_takes_shares(own)
        while True:
            order = own.dice_due(folder)
            if order is not None and prints:
                say(msgspec.json.encode(order).decode())
                return
            if order is not None:
                say_outcome(own.order(order), as_json)
                follow(game)
                given = True
            elif not follows:
                if not given or not as_json:
                    _say_who_is_waited_for(own, given, as_json)
                return
            elif game.ended or reader_is_gone():
                return
            else:
                time.sleep(POLL)


def _verify_takes_shares(own: umpire.Seat) -> None:
    """Check that the game uses dice shares, because a share would otherwise wait forever.

    Raises:
        Refusal: When it uses none.
    """
    if own.status.dice["mode"] not in ("shared", "witnessed"):
        remedy = "only games started with `--dice shared` or `--dice witnessed` need them"
        raise usage("this game's dice need no shares", where=own.game.where, rule="dice", remedy=remedy)


def _say_who_is_waited_for(own: umpire.Seat, given: bool, as_json: bool) -> None:
    _verify_takes_shares(own)
    others = own.dice_wait_for
    if as_json:
        print_json({"due": False, "waits_for": list(others)})
        return
    due = "" if given else f"No share is required from {own.name} now; "
    say(f"{due}{'The dice wait for' if not due else 'the dice wait for'} {' and '.join(others) or 'no side'}")
