"""Run shell commands at the prompt: `why 60` is `umpire why GAME 60`, with the game, seat and ledger added."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import click

import umpire_ledger as umpire
from umpire_ledger.cli.errors import Refusal
from umpire_ledger.cli.main import COMMANDS, RENAMED, umpire as program
from umpire_ledger.cli.options import ORDER_ID
from umpire_ledger.cli.pager import paged
from umpire_ledger.cli.printing import say
from umpire_ledger.cli.session import GIVEN
from umpire_ledger.desk.orders.titles import order_names
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.state import REFEREE

LOOKS = (
    *("status", "audit", "units", "unit", "account", "map", "chart", "diff", "since", "sitrep", "dice", "why", "known"),
    *("conformance", "refusals", "times", "undo-points", "branches", "rulings", "referee"),
)
"""Commands that read a game and record nothing. An order of the title with the same name takes precedence."""


PREVIEWED = ("undo", "rewind", "ask-rewind")
"""Orders that only show their effects if they have the option `--preview`."""

ALWAYS = frozenset(("case", "decline", "dice-share", "export", "order", "prove", "replay-page"))
"""Shell commands that also work at the prompt and are not orders."""
MARKS = {
    "amend": ("--why", "--continue", "--skip", "--quit", "--leave", "--abort", "--drop", "--before", "--reroll"),
    "ask-rewind": ("--to",),
    "consent": (),
    "dispute": ("open", "settle", "list", "show"),
    "done": (),
    "note": ("--if", "--arrives"),
    "peek": ("--why",),
    "redo": (),
    "reveal": ("--all", "--withdraw"),
    "rewind": ("--to",),
    "rule": ("--grounds", "--why"),
    "seal": ("-o", "--output"),
    "undo": ("-n", "--orders"),
}
"""Orders that are also shell commands, with the words that only the command has."""
COMMON_MARKS = ("--json", "--records", "--order-id")
REFEREE_ONLY = ("amend", "peek", "rule")


def is_shell_form(seat: umpire.Seat, words: Sequence[str]) -> bool:
    """Return whether typed words are a shell command and not the order with that name."""
    name, rest = RENAMED.get(words[0], words[0]), words[1:]
    if words[0] not in order_names(seat.game.title or seat.game.title_id):
        return name in ALWAYS
    if words[0] not in MARKS:
        return False
    if not rest:
        return words[0] in ("amend", "reveal")
    if words[0] == "reveal" and rest[0].removeprefix("#").isdecimal():
        return True
    marks = (*MARKS[words[0]], *COMMON_MARKS)
    return rest[0] in marks or any(one.startswith("-") and one.partition("=")[0] in marks for one in rest)


def run_command(seat: umpire.Seat, words: Sequence[str], order_id: str) -> tuple[str, dict[str, Any]] | None:
    """Run a command that may give an order in this seat's session, and return the order's id and the order.

    Return None after a message about wrong usage.

    Raises:
        RuleViolation: When only the referee may use the command.
    """
    if words[0] in REFEREE_ONLY and seat.name != REFEREE:
        what = f"only the referee may use {words[0]}"
        raise RuleViolation(what, where=seat.game.where, rule=words[0], remedy="ask the referee")
    context = click.Context(program, info_name="umpire", obj=seat)
    context.meta[ORDER_ID] = order_id
    if not _run(seat, words, context):
        return None
    return str(context.meta[ORDER_ID]), dict(context.meta.get(GIVEN, {}))


def command_help(name: str) -> list[str]:
    """Return the help of a shell command, line by line."""
    context = click.Context(program, info_name="umpire")
    command = program.get_command(context, name)
    assert command is not None
    return command.get_help(click.Context(command, info_name=name, parent=context)).split("\n")


def is_look(seat: umpire.Seat, word: str, rest: str = "") -> bool:
    """Return whether a line that begins with this word reads the seat's game."""
    if word in PREVIEWED:
        return "--preview" in rest.split()
    return RENAMED.get(word, word) in LOOKS and word not in order_names(seat.game.title or seat.game.title_id)


def look(seat: umpire.Seat, words: Sequence[str]) -> None:
    """Run a command that reads the game; print a message about wrong usage. Other errors of the command are raised."""
    _run(seat, words, click.Context(program, info_name="umpire"))


def _run(seat: umpire.Seat, words: Sequence[str], context: click.Context) -> bool:
    """Run a command with the game, seat and ledger added; return False after a message about wrong usage.

    Raises:
        RuleViolation: When a seat types a command for another seat.
    """
    name, *rest = RENAMED.get(words[0], words[0]), *words[1:]
    command = program.get_command(context, name)
    while isinstance(command, click.Group):
        found = command.get_command(context, rest[0]) if rest else None
        if found is None:
            say(f"Error: {name} needs one of {', '.join(command.commands)}", err=True)
            return False
        context = click.Context(command, info_name=name, parent=context)
        name, command, rest = rest[0], found, rest[1:]
    assert command is not None
    options = {option for one in command.params if isinstance(one, click.Option) for option in one.opts}
    given = {word.partition("=")[0] for word in rest}
    own = {"--as": seat.name, "--ledger": seat.game.desk.place}
    _verify_own_seat(seat, rest)
    more = [word for option, value in own.items() if option in options - given for word in (option, value)]
    try:
        with paged([name]), command.make_context(name, [seat.game.id, *rest, *more], parent=context) as inner:
            command.invoke(inner)
    except click.exceptions.Exit:
        pass
    except Refusal as error:
        say(*error.lines(), err=True)
        return False
    except click.UsageError as error:
        say(f"Error: {error.format_message()}", f"  do:   {_form(error.ctx or context)}", err=True)
        return False
    return True


def _verify_own_seat(seat: umpire.Seat, words: Sequence[str]) -> None:
    """Refuse a command that a seat types for another seat, like an order for another seat.

    Raises:
        RuleViolation: When `--as` names another seat than the prompt's, and the prompt is not the referee's.
    """
    named = [after for word, after in pairwise((*words, "")) if word == "--as"]
    named += [word.removeprefix("--as=") for word in words if word.startswith("--as=")]
    if seat.name != REFEREE and (others := [one for one in named if one != seat.name]):
        other = others[0] or "SEAT"
        what = f"this is the prompt of {seat.name}, but the command is for {others[0] or 'an unnamed seat'}"
        remedy = f"leave out --as, or open a prompt with --as {other}"
        raise RuleViolation(what, where=seat.game.where, rule="seats", remedy=remedy)


def _form(context: click.Context) -> str:
    """Return the usage of a command at the prompt: without the program and the game."""
    words = context.get_usage().removeprefix("Usage: ").split()
    return " ".join(word for word in words if word not in ("umpire", "GAME", "[GAME]"))


def no_order(seat: umpire.Seat, word: str) -> str:
    """Return the message about a shell command that does not work at the prompt; "" for another word."""
    is_command = RENAMED.get(word, word) in COMMANDS and word not in order_names(seat.game.title or seat.game.title_id)
    return f"{word} is a shell command, not an order" if is_command else ""
