"""Printing: tables and progress with `rich` on a terminal, plain aligned text in a pipe, JSON where it is asked for.

Everything that a command tells people goes through here, a line, a cell or a value at a time, and is inert when it
leaves: `projections.record.inert` says how. A test sees to it that no command prints in any other way.
"""

import io
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

import click
import msgspec

from umpire_ledger.projections.record.inert import inert, inert_cell, inert_json, inert_markdown

if TYPE_CHECKING:
    from datetime import datetime

    from typing_extensions import Buffer


class Progress(Protocol):
    """Something that shows how far long work has come."""

    def __call__(self, done: int) -> None: ...


def on_terminal() -> bool:
    """Whether a person looks at standard output."""
    return sys.stdout.isatty()


def say(*lines: str, err: bool = False) -> None:
    """Lines for people. Each argument is one line: a line feed in it comes from the log, and is shown."""
    for line in lines:
        click.echo(inert(line), err=err)


def say_wrapped(lines: Iterable[str], indent: int = 10) -> None:
    """The same, on a terminal broken at its width, what follows of a line below its first `indent` characters."""
    if not on_terminal():
        say(*lines)
        return
    import shutil  # noqa: PLC0415 -- a pipe needs neither
    import textwrap  # noqa: PLC0415 -- as above

    width = max(shutil.get_terminal_size().columns, 2 * indent)
    for line in map(inert, lines):
        broken = textwrap.wrap(
            line, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False
        )
        click.echo("\n".join(broken or [""]))


def json_text(value: Any) -> str:
    """One JSON value on one line, readable as UTF-8; characters that nobody sees are escaped."""
    return inert_json(msgspec.json.encode(value).decode("utf-8", "surrogatepass"))


def print_json(value: Any) -> None:
    """One JSON value, laid out on a terminal."""
    text = json_text(value)
    click.echo(msgspec.json.format(text, indent=2) if on_terminal() else text)


class ShownLog(io.BytesIO):
    """A replay log on its way to a terminal: its lines with the same values, characters that nobody sees escaped."""

    def write(self, line: "Buffer") -> int:
        raw = bytes(line)
        click.echo(inert_json(raw.decode("utf-8", "replace").removesuffix("\n")))
        return len(raw)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str = "") -> None:
    """Rows under headings; the last column takes the room that is left."""
    columns = tuple(map(inert, columns))
    cells = [tuple("" if cell is None else inert(str(cell)) for cell in row) for row in rows]
    if on_terminal():
        _print_rich(columns, cells, inert(title))
        return
    if title:
        say(title)
    click.echo(_plain(columns, cells))


def print_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Rows as CSV. Numbers stay what they are; text that a spreadsheet would take for a formula is guarded."""
    import csv  # noqa: PLC0415 -- seldom asked for

    writer = csv.writer(sys.stdout)
    writer.writerow(columns)
    writer.writerows([cell if isinstance(cell, int) else inert_cell(str(cell)) for cell in row] for row in rows)


def print_markdown(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Rows as a Markdown table."""
    click.echo(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for row in rows:
        click.echo(f"| {' | '.join(inert_markdown(str(cell)) for cell in row)} |")


def utc_now() -> "datetime":
    """The time by this machine's clock."""
    from datetime import UTC, datetime  # noqa: PLC0415 -- few commands tell how long ago something was

    return datetime.now(UTC)


def minutes(at: str) -> str:
    """A time of the ledger (UTC) as a table has room for."""
    return at[:16].replace("T", " ")


def _plain(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[at]) for row in (columns, *rows)) for at in range(len(columns))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (columns, *rows))
    return "\n".join(line.rstrip() for line in lines)


def _print_rich(columns: Sequence[str], rows: Sequence[Sequence[str]], title: str) -> None:
    from rich.console import Console  # noqa: PLC0415 -- 40 ms that nothing in a pipe needs
    from rich.table import Table  # noqa: PLC0415 -- as above
    from rich.text import Text  # noqa: PLC0415 -- as above

    heading = Text(title) if title else None
    table = Table(title=heading, title_justify="left", header_style="bold", box=None, pad_edge=False)
    for column in columns:
        table.add_column(Text(column), overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    Console().print(table)


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Progress]:
    """Show long work on a terminal; silent in a pipe. `total` in the same unit as what is reported, None if unknown."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console  # noqa: PLC0415 -- as above
    from rich.markup import escape  # noqa: PLC0415 -- as above
    from rich.progress import Progress as Bar  # noqa: PLC0415 -- as above

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(escape(inert(what)), total=total)
        yield lambda done: bar.update(task, completed=done)
