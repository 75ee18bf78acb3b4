"""Give one order, typed as words or as JSON, with help and completion from the game itself (`umpire order`)."""

from collections.abc import Sequence
from itertools import islice

import click
from click.shell_completion import CompletionItem

from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.errors import usage
from umpire_ledger.cli.options import (
    game_argument,
    json_option,
    ledger_option,
    order_id_option,
    records_option,
    seat_option,
    typed,
)
from umpire_ledger.cli.outcome_text import say_outcome
from umpire_ledger.cli.printing import say
from umpire_ledger.cli.session import giving, looking
from umpire_ledger.desk.orders.order_files import read_order_json

HELP = ("-h", "--help")


class WordsCommand(Explained):
    """A command whose words belong to an order, except for the command's own options, which may be anywhere."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own, words = _sorted(self.params, args)
        if any(one in HELP for one in own) and words:
            ctx.meta["help"] = True
            own = [one for one in own if one not in HELP]
        return super().parse_args(ctx, [*own, "--", *words])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return completions of the typed order, then the command's own options."""
        words = _complete(ctx, incomplete)
        return [*words, *super().shell_complete(ctx, incomplete)]


def _sorted(params: Sequence[click.Parameter], args: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the command's own options with their values, and all other words in their order."""
    options = {name: one for one in params if isinstance(one, click.Option) for name in one.opts}
    own: list[str] = []
    words: list[str] = []
    left = iter(args)
    for word in left:
        name = word.partition("=")[0]
        if word == "--":
            return own, [*words, word, *left]
        if word in HELP:
            own.append(word)
        elif name not in options or ("=" in word and options[name].is_flag):
            words.append(word)
        else:
            takes_next = name == word and not options[name].is_flag
            own += [word, *(islice(left, 1) if takes_next else ())]
    return own, words


def _complete(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    from umpire_ledger.cli.completion import complete_order  # noqa: PLC0415 -- 0.1 ms: only completion needs it

    return complete_order(ctx, incomplete)


def complete_words(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return completions of the order and its arguments for the shell."""
    return _complete(ctx, incomplete)


@click.command(
    cls=WordsCommand, options_metavar="", context_settings={"help_option_names": list(HELP), "max_content_width": 80}
)
@game_argument
@click.argument("text", metavar="ORDER [ARGUMENTS]… | JSON", nargs=-1, shell_complete=complete_words)
@records_option
@seat_option
@order_id_option
@ledger_option
@json_option
@click.pass_context
def order(
    ctx: click.Context, game_id: str, text: tuple[str, ...], records: bool, seat: str, where: str, as_json: bool
) -> None:
    """Give one order.

    Required arguments come first, in order; the others are options. Separate names with commas. `umpire order GAME`
    with --help lists the orders that you can give now; after an ORDER, --help explains it. With table dice, add the
    results: --pips 3,5. Any order takes --happened-at TIME and --witness NAME for a late entry. You can also give the
    order as JSON, as in an order file; - reads it from standard input. Only the referee may give another seat's order.

    \b
    Examples:
      umpire order harbour roll-wind --pips 3,5 --as athens
      umpire order harbour move-ship athens-3 0610,0611 --as athens
      umpire order harbour '{"order": "roll-wind", "pips": [3, 5]}' --as athens
    """
    said = list(text)
    if ctx.meta.get("help"):
        _explain(where, game_id, seat, said)
        return
    if not said:
        raise usage(
            "the order is missing",
            where=f"umpire order {game_id}",
            remedy=f"`umpire order {game_id} --help` lists the orders that you can give now",
        )
    raw = read_order_json(typed(said[0])) if is_json(said) else None
    with giving(where, game_id, seat) as giver:
        outcome = giver.typed(said) if raw is None else giver.order(raw)
    say_outcome(outcome, as_json, records=records)


def is_json(said: Sequence[str]) -> bool:
    """Return whether the text is, or should be, a JSON object; also for -, which reads standard input."""
    return len(said) == 1 and (said[0] == "-" or said[0].lstrip()[:1] in ("{", "[", '"') or not said[0].strip())


def _explain(where: str, game_id: str, seat: str, said: Sequence[str]) -> None:
    from umpire_ledger.cli.order_help import help_on_game, help_on_order  # noqa: PLC0415 -- 2 ms: only help needs it

    with looking(where, game_id, seat) as looker:
        lines = help_on_order(looker.order_page(said[0]), game_id) if said else help_on_game(looker.openings(), game_id)
        say(*lines)
