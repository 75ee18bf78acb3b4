"""Run reading commands at the prompt: `why 60` is `umpire why GAME 60`, with the game, seat and ledger added."""

from collections.abc import Sequence

import click

import umpire_ledger as umpire
from umpire_ledger.cli.main import COMMANDS, RENAMED, umpire as program
from umpire_ledger.cli.pager import paged
from umpire_ledger.cli.printing import say
from umpire_ledger.desk.orders.titles import order_names

LOOKS = (
    *("status", "audit", "units", "unit", "account", "map", "chart", "diff", "since", "sitrep", "dice", "why", "known"),
    *("conformance", "refusals", "times", "undo-points", "branches", "rulings", "referee"),
)
"""Commands that read a game and record nothing. If a title has an order of such a name, the order is meant."""


PREVIEWED = ("undo", "rewind", "ask-rewind")
"""Orders that only show their effects with `--preview`."""


def is_look(seat: umpire.Seat, word: str, rest: str = "") -> bool:
    """Return whether a line that begins so reads the seat's game."""
    if word in PREVIEWED:
        return "--preview" in rest.split()
    return RENAMED.get(word, word) in LOOKS and word not in order_names(seat.game.title or seat.game.title_id)


def look(seat: umpire.Seat, words: Sequence[str]) -> None:
    """Print what the command prints, and a message for wrong usage. An error of the command is raised."""
    name, *rest = RENAMED.get(words[0], words[0]), *words[1:]
    context = click.Context(program, info_name="umpire")
    command = program.get_command(context, name)
    assert command is not None
    options = {option for one in command.params if isinstance(one, click.Option) for option in one.opts}
    given = {word.partition("=")[0] for word in rest}
    own = {"--as": seat.name, "--ledger": seat.game.desk.place}
    more = [word for option, value in own.items() if option in options - given for word in (option, value)]
    try:
        with paged([name]), command.make_context(name, [seat.game.id, *rest, *more], parent=context) as inner:
            command.invoke(inner)
    except click.exceptions.Exit:
        pass
    except click.UsageError as error:
        form = (error.ctx or context).get_usage().removeprefix("Usage: ")
        say(f"Error: {error.format_message()}", f"  do:   {' '.join(form.split())}", err=True)


def no_order(seat: umpire.Seat, word: str) -> str:
    """Return the message for a command that is neither an order nor a look; "" for another word."""
    is_command = RENAMED.get(word, word) in COMMANDS and word not in order_names(seat.game.title or seat.game.title_id)
    return f"{word} is no order: it is a command for a shell" if is_command else ""
