"""Print tables and progress with `rich` on a terminal, aligned text in a pipe, or JSON on request.

All text of a command for people goes through this module, one line, cell or value at a time. It is made inert as
`projections.record.escaping` describes. A test checks that no command prints in another way.
"""

import io
import os
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import IO, TYPE_CHECKING, Any, Protocol

import click
import msgspec

from umpire_ledger.projections.record.escaping import inert, inert_cell, inert_json, inert_markdown

if TYPE_CHECKING:
    from datetime import datetime

    from typing_extensions import Buffer


class Progress(Protocol):
    """A function that shows the progress of long work."""

    def __call__(self, done: int) -> None: ...


def on_terminal() -> bool:
    """Return whether standard output is a terminal."""
    return sys.stdout.isatty()


def say(*lines: str, err: bool = False) -> None:
    """Print lines for people. Each argument is one line; a line feed in it comes from the log and is escaped.

    If the command prints a table in CSV or Markdown, these lines go to standard error.
    """
    err = err or bool(table_form())
    painted = is_coloured(sys.stderr if err else sys.stdout)
    for line in lines:
        click.echo(paint(inert(line)) if painted else inert(line), err=err, color=painted or None)


MEANINGS = (
    *(
        ("Error:", "red"),
        ("Refused:", "red"),
        ("INVALID", "red"),
        ("INCOMPLETE", "red"),
        ("Warning:", "yellow"),
        ("Note:", "yellow"),
    ),
    *(("VALID", "green"), ("now · ", "cyan"), ("waiting:", "cyan"), ("required:", "yellow"), ("disputes:", "yellow")),
)
"""First words of lines and their colours. A colour only repeats the meaning of its word."""


def is_coloured(stream: IO[str]) -> bool:
    """Return whether to use colours: on a terminal without NO_COLOR, and everywhere with CLICOLOR_FORCE."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("CLICOLOR_FORCE", "0") not in ("", "0"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def paint(line: str) -> str:
    """Return the line with its first word in the colour of its meaning."""
    for word, colour in MEANINGS:
        if line.startswith(word):
            return click.style(word, fg=colour, bold=True) + line[len(word) :]
    return line


def shown_time(at: str) -> str:
    """Return a time of the ledger (RFC 3339, UTC); with `--local` or UMPIRE_TIMES=local, in this machine's zone."""
    if os.environ.get("UMPIRE_TIMES") != "local" or not at:
        return at

    try:
        return datetime.fromisoformat(at).astimezone().isoformat(timespec="seconds")
    except ValueError:
        return at


def moment(at: str) -> str:
    """Return a time of the ledger to the second, in UTC or in local time with its offset."""
    shown = shown_time(at)
    return f"{at[:19].replace('T', ' ')} UTC" if shown is at else shown.replace("T", " ")


def table_form() -> str:
    """Return the requested form of tables: csv, markdown, or "" for people."""
    context = click.get_current_context(silent=True)
    return str(context.meta.get(TABLE_FORM, "")) if context is not None else ""


TABLE_FORM = "umpire.table"
"""Key in click's `meta` under which an option of the command stores the form."""


def say_wrapped(lines: Iterable[str], indent: int = 10) -> None:
    """Print lines, on a terminal wrapped at its width; indent continuation lines by `indent` characters."""
    if not on_terminal():
        say(*lines)
        return
    import shutil  # noqa: PLC0415 -- 3 ms: a pipe needs neither

    width = max(shutil.get_terminal_size().columns, 2 * indent)
    for line in map(inert, lines):
        broken = textwrap.wrap(
            line, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False
        )
        shown = "\n".join(broken or [""])
        click.echo(paint(shown) if is_coloured(sys.stdout) else shown)


def json_text(value: Any) -> str:
    """Return one JSON value on one line, readable as UTF-8; invisible characters are escaped."""
    return inert_json(msgspec.json.encode(value).decode("utf-8", "surrogatepass"))


def print_json(value: Any) -> None:
    """Print one JSON value, indented on a terminal."""
    text = json_text(value)
    click.echo(msgspec.json.format(text, indent=2) if on_terminal() else text)


class JsonList:
    """A JSON list on one line, printed value by value."""

    def __init__(self) -> None:
        self._begun = False

    def add(self, value: Any) -> None:
        """Print the next value."""
        click.echo(f"{',' if self._begun else '['}{json_text(value)}", nl=False)
        self._begun = True

    def end(self) -> None:
        """Print the end of the list."""
        click.echo("]" if self._begun else "[]")


class ShownLog(io.BytesIO):
    """A replay log for a terminal: its lines have equal values, but invisible characters are escaped."""

    def write(self, line: "Buffer") -> int:
        raw = bytes(line)
        click.echo(inert_json(raw.decode("utf-8", "replace").removesuffix("\n")))
        return len(raw)


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str = "", empty: str = "no records"
) -> None:
    """Print rows under headings; the last column takes the remaining width. `empty`: text for a table without rows."""
    form = table_form()
    if form:
        (print_csv if form == "csv" else print_markdown)(
            columns, ([_blank_if_none(cell) for cell in row] for row in rows)
        )
        return
    columns = tuple(map(inert, columns))
    cells = [tuple("" if cell is None else inert(str(cell)) for cell in row) for row in rows]
    if on_terminal():
        _print_rich(columns, cells, inert(title), empty)
        return
    if title:
        say(title)
    click.echo(_plain(columns, cells))
    if not cells:
        click.echo(empty)


def _blank_if_none(cell: object) -> object:
    return "" if cell is None else cell


def print_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows as CSV. Numbers stay numbers; text that a spreadsheet would read as a formula is escaped."""
    import csv  # noqa: PLC0415 -- 0.4 ms: seldom asked for

    writer = csv.writer(sys.stdout)
    writer.writerow(columns)
    writer.writerows([cell if isinstance(cell, int) else inert_cell(str(cell)) for cell in row] for row in rows)


def print_markdown(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows as a Markdown table."""
    click.echo(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for row in rows:
        click.echo(f"| {' | '.join(inert_markdown(str(cell)) for cell in row)} |")


def utc_now() -> "datetime":
    """Return the time by this machine's clock."""

    return datetime.now(UTC)


def minutes(at: str) -> str:
    """Return a time of the ledger for a table, to the minute, in UTC or in local time with its offset."""
    shown = shown_time(at)
    return f"{shown[:16].replace('T', ' ')}{shown[19:] if shown is not at else ''}"


def zoned_minutes(at: str) -> str:
    """Return a time to the minute, always with its zone, for a sentence."""
    shown = minutes(at)
    return f"{shown} UTC" if shown == at[:16].replace("T", " ") else shown


WIDEST = 100
"""Longest cell that sets the width of a column. If a cell is longer, the width suits three quarters of the cells."""


def _plain(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [_width(sorted(len(row[at]) for row in (columns, *rows))) for at in range(len(columns))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (columns, *rows))
    return "\n".join(line.rstrip() for line in lines)


def _width(lengths: Sequence[int]) -> int:
    """Return the width of a column from the sorted lengths of its cells; a longer cell exceeds it in its own line."""
    return lengths[-1] if lengths[-1] <= WIDEST else lengths[len(lengths) * 3 // 4]


def _print_rich(columns: Sequence[str], rows: Sequence[Sequence[str]], title: str, empty: str) -> None:
    from rich.console import Console  # noqa: PLC0415 -- 18 ms: nothing in a pipe needs
    from rich.table import Table  # noqa: PLC0415 -- 15 ms: nothing in a pipe needs
    from rich.text import Text  # noqa: PLC0415 -- 11 ms: nothing in a pipe needs

    heading = Text(title) if title else None
    table = Table(title=heading, title_justify="left", header_style="bold", box=None, pad_edge=False)
    for column in columns:
        table.add_column(Text(column), overflow="fold")
    marks = side_marks(columns, rows)
    for row in rows:
        table.add_row(*(Text(*marks.get((at, cell), (cell, ""))) for at, cell in enumerate(row)))
    forced = os.environ.get("CLICOLOR_FORCE", "0") not in ("", "0")
    Console(no_color=not is_coloured(sys.stdout), force_terminal=True if forced else None).print(table)
    if not rows:
        click.echo(empty)


SIDES = (("▲", "blue"), ("●", "red"), ("■", "green"), ("◆", "magenta"), ("★", "cyan"), ("▼", "yellow"))
"""The marks and colours of sides on a terminal. The mark alone distinguishes a side."""


def side_marks(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[tuple[int, str], tuple[str, str]]:
    """Return the text and style of the cells that name a side, by column and name."""
    found: dict[tuple[int, str], tuple[str, str]] = {}
    for at in (at for at, name in enumerate(columns) if name == "side"):
        names = sorted({row[at] for row in rows} - {""})
        for nth, name in enumerate(names):
            mark, colour = SIDES[nth % len(SIDES)]
            found[at, name] = f"{mark} {name}", colour
    return found


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Progress]:
    """Show the progress of long work on a terminal; in a pipe, show nothing.

    Args:
        what: The name of the work.
        total: The total in the unit of the reports; None if it is unknown.
    """
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console  # noqa: PLC0415 -- 18 ms: nothing in a pipe needs
    from rich.markup import escape  # noqa: PLC0415 -- 12 ms: nothing in a pipe needs
    from rich.progress import Progress as Bar  # noqa: PLC0415 -- 25 ms: nothing in a pipe needs

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(escape(inert(what)), total=total)
        yield lambda done: bar.update(task, completed=done)
