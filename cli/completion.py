"""Complete words for the shell with possible next words, from the game as the seat knows it."""

from collections.abc import Sequence

import click
from click.shell_completion import CompletionItem

import umpire_ledger as umpire
from umpire_ledger.cli.options import DEFAULT_LEDGER
from umpire_ledger.desk.core.errors import EXPECTED
from umpire_ledger.projections.record.escaping import inert


def complete_done(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return answers of the open steps for `--answer`, the open steps for `--step`, every step for `--until`."""
    return complete_order(ctx, incomplete, ("done", param.opts[0]))


def complete_order(ctx: click.Context, incomplete: str, typed: Sequence[str] | None = None) -> list[CompletionItem]:
    """Return orders of the game, their options and values; an empty list if the game cannot be read.

    `typed`: the words of the order, if the command is not `order`.
    """
    game = str(ctx.params.get("game_id") or "")
    words = (ctx.params.get("text") or ()) if typed is None else typed
    where, seat = str(ctx.params.get("where") or DEFAULT_LEDGER), str(ctx.params.get("seat") or "referee")
    try:
        with umpire.open(where, read_only=True) as desk:
            found = desk.game(game).seat(seat).completions(words, incomplete)
    except EXPECTED:
        return []
    return [CompletionItem(one.word, help=one.says or None) for one in found if inert(one.word) == one.word]
