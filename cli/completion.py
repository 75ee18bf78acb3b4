"""Completion for the shell: what could be typed next, asked of the game as the seat knows it."""

import click
from click.shell_completion import CompletionItem

import umpire_ledger as umpire
from umpire_ledger.cli.options import DEFAULT_LEDGER
from umpire_ledger.desk.errors import EXPECTED
from umpire_ledger.projections.record.inert import inert


def complete_order(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """Orders of the game, their options and values; nothing where the game cannot be looked at."""
    game, words = str(ctx.params.get("game_id") or ""), ctx.params.get("text") or ()
    where, seat = str(ctx.params.get("where") or DEFAULT_LEDGER), str(ctx.params.get("seat") or "referee")
    try:
        with umpire.open(where, read_only=True) as desk:
            found = desk.game(game).seat(seat).completions(words, incomplete)
    except EXPECTED:
        return []
    return [CompletionItem(one.word, help=one.says or None) for one in found if inert(one.word) == one.word]
