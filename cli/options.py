"""Arguments and options that many commands share."""

import os
import re
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from umpire_ledger.cli.errors import usage
from umpire_ledger.cli.printing import TABLE_FORM
from umpire_ledger.ledger.records.limits import MOST_ORDER, POSITION_DIGITS
from umpire_ledger.projections.record.escaping import inert

if TYPE_CHECKING:
    from pathlib import Path

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
DEFAULT_LEDGER = "umpire.db"

ledger_option = click.option(
    "--ledger",
    "where",
    envvar="UMPIRE_LEDGER",
    default=DEFAULT_LEDGER,
    show_default=True,
    show_envvar=True,
    type=click.Path(),
    metavar="FILE",
    help="Use this ledger: a file or postgresql://…",
)
SEAT_VARIABLE, NOBODY = "UMPIRE_SEAT", "referee"
"""The variable with the user's own seat, and the seat if the variable is not set."""
seat_option = click.option(
    "--as",
    "seat",
    envvar=SEAT_VARIABLE,
    default=NOBODY,
    show_default=True,
    show_envvar=True,
    metavar="SEAT",
    help="Act or look as this seat.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, including errors.")
records_option = click.option("--records", is_flag=True, help="Show each order's records below it.")
at_option = click.option("--at", type=str, metavar="N", help="Show position N, the state after record N (12 or #12).")


ORDER_ID = "umpire.order-id"
"""Key in click's `meta` of the id under which the command gives its order."""


def _note_order_id(ctx: click.Context, param: click.Parameter, order_id: str) -> None:
    if order_id:
        ctx.meta[ORDER_ID] = order_id


order_id_option = click.option(
    "--order-id",
    default="",
    expose_value=False,
    callback=_note_order_id,
    metavar="ID",
    help="Give the order this id. Repeating the order with the same id records nothing.",
)


def own_seat() -> str:
    """Return the user's own seat. With `--as` for another seat, a command only reads."""
    return os.environ.get(SEAT_VARIABLE) or NOBODY


def _note_form(ctx: click.Context, param: click.Parameter, chosen: bool) -> None:
    if chosen and param.name:
        ctx.meta[TABLE_FORM] = param.name


def table_options(command: F) -> F:
    """Add `--csv` and `--markdown` to a command that prints one table; other lines then go to standard error."""
    as_csv = click.option("--csv", is_flag=True, expose_value=False, callback=_note_form, help="Print CSV.")
    as_markdown = click.option(
        "--markdown", is_flag=True, expose_value=False, callback=_note_form, help="Print a Markdown table."
    )
    return as_csv(as_markdown(command))


def complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the ledger's game ids that complete a word, for the shell."""
    from umpire_ledger.desk.games.quick_status import game_ids  # noqa: PLC0415 -- 5 ms: only completion needs it here

    where = ctx.params.get("where") or os.environ.get("UMPIRE_LEDGER", DEFAULT_LEDGER)
    return [game for game in game_ids(str(where)) if game.startswith(incomplete) and inert(game) == game]


def complete_listed(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return sides and seats of the ledger's games, their titles, or the sort orders, depending on the option."""
    from umpire_ledger.desk.games.games_list import SORTS, games_from_read_models  # noqa: PLC0415 -- 211 ms: only completion needs it here

    games = (
        games_from_read_models(str(ctx.params.get("where") or os.environ.get("UMPIRE_LEDGER", DEFAULT_LEDGER))) or []
    )
    found = {
        "sort": list(SORTS),
        "title": sorted({one.title for one in games}),
    }.get(param.name or "", sorted({seat for one in games for seat in one.seats} - {"referee", "spectator"}))
    return [one for one in found if one.startswith(incomplete) and inert(one) == one]


game_argument = click.argument("game_id", metavar="GAME", shell_complete=complete_game)


def typed(text: str) -> str:
    """Return an order as it was typed; read it from standard input for -. The order itself refuses invalid UTF-8."""
    return sys.stdin.buffer.read(MOST_ORDER + 1).decode(errors="surrogateescape") if text == "-" else text


def position(text: str | None) -> int | None:
    """Return a position as people write it: 12 or #12."""
    if text is None:
        return None
    digits = text.removeprefix("#")
    if not digits.isascii() or not digits.isdigit():
        raise click.BadParameter(f"{text!r} is not a position; write 12 or #12")
    return whole(digits, "a position")


def whole(digits: str, what: str) -> int:
    """Return a whole number.

    Raises:
        Refusal: When it has more digits than any position or count.
    """
    verify_digits(digits, what)
    return int(digits)


def verify_digits(text: str, what: str, most: int = POSITION_DIGITS) -> None:
    """Check the length of the numbers in a text.

    Raises:
        Refusal: When a number has too many digits.
    """
    longest = max(map(len, re.findall(r"[0-9]+", text)), default=0)
    if longest > most:
        raise usage(
            f"a number of {longest} digits is too long for {what}",
            where="the arguments",
            rule=f"limits: at most {most} digits",
            remedy="give a smaller number",
        )


def each_once(option: str, pairs: Iterable[tuple[str, T]]) -> dict[str, T]:
    """Return the values of a repeated option NAME=VALUE by name.

    Raises:
        BadParameter: When a name is given twice, because the first value would be lost.
    """
    found: dict[str, T] = {}
    for name, value in pairs:
        if name in found:
            raise click.BadParameter(f"{name} is given twice", param_hint=option)
        found[name] = value
    return found


class CountRange(click.IntRange):
    """A whole number of at least `min`, with a limited number of digits."""

    name = "integer"

    def _describe_range(self) -> str:
        """Return the limits for the help; click prints `x<=None` if there are none."""
        lowest = "" if self.min is None else f"at least {self.min}"
        highest = "" if self.max is None else f"at most {self.max}"
        return ", ".join(filter(None, (lowest, highest)))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str):
            verify_digits(value, param.get_error_hint(ctx) if param and ctx else "a count")
        return super().convert(value, param, ctx)


class FilePath(click.Path):
    """A path, or - for a standard stream. `pathlib` is imported only for a path, because most queries have none."""

    def __init__(self) -> None:
        super().__init__(allow_dash=True)

    def path(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> "Path":
        from pathlib import Path  # noqa: PLC0415 -- 4 ms: only completion needs it here

        return Path(str(super().convert(value, param, ctx)))


class InputFile(FilePath):
    """A file to read. For -, standard input is copied to a temporary file while the command runs."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if str(value) != "-" or ctx is None:
            return self.path(value, param, ctx)
        import shutil  # noqa: PLC0415 -- 2 ms: seldom asked for, and slow to import
        from tempfile import TemporaryDirectory  # noqa: PLC0415 -- 3 ms: seldom asked for, and slow to import

        file = self.path(ctx.with_resource(TemporaryDirectory(prefix="umpire-")), param, ctx) / STANDARD_INPUT
        with file.open("wb") as out:
            shutil.copyfileobj(sys.stdin.buffer, out)
        return file


class OutputFile(FilePath):
    """A file to write; - is None, as without a file, so that the command prints to standard output."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return None if str(value) == "-" else self.path(value, param, ctx)


STANDARD_INPUT = "standard input"
INPUT_FILE = InputFile()
OUTPUT_FILE = OutputFile()
AT_LEAST_ONE = CountRange(min=1)
AT_LEAST_NONE = CountRange(min=0)
