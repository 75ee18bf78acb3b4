"""Arguments and options that many commands share."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])
DEFAULT_LEDGER = "umpire.db"

ledger_option = click.option(
    "--ledger",
    "where",
    envvar="UMPIRE_LEDGER",
    default=DEFAULT_LEDGER,
    show_default=True,
    show_envvar=True,
    metavar="FILE",
    help="The ledger to use.",
)
seat_option = click.option(
    "--as",
    "seat",
    envvar="UMPIRE_SEAT",
    default="referee",
    show_default=True,
    show_envvar=True,
    metavar="SEAT",
    help="The seat you act or look as.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON; errors too.")
at_option = click.option("--at", type=str, metavar="N", help="As it stood at position N (12 or #12).")


def complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Game ids of the ledger, for the shell."""
    from umpire_ledger.desk.glance import game_ids  # noqa: PLC0415 -- only completion needs it here
    from umpire_ledger.projections.record.inert import inert  # noqa: PLC0415 -- as above

    where = ctx.params.get("where") or os.environ.get("UMPIRE_LEDGER", DEFAULT_LEDGER)
    return [game for game in game_ids(str(where)) if game.startswith(incomplete) and inert(game) == game]


game_argument = click.argument("game_id", metavar="GAME", shell_complete=complete_game)


def position(text: str | None) -> int | None:
    """A position as people write it: 12 or #12."""
    if text is None:
        return None
    digits = text.removeprefix("#")
    if not digits.isascii() or not digits.isdigit():
        raise click.BadParameter(f"{text!r} is no position; write 12 or #12")
    return int(digits)
