"""Printing: tables and progress with `rich` on a terminal, plain aligned text in a pipe, JSON where it is asked for."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import click
import msgspec


class Progress(Protocol):
    """Something that shows how far long work has come."""

    def __call__(self, done: int) -> None: ...


def on_terminal() -> bool:
    """Whether a person looks at standard output."""
    return sys.stdout.isatty()


def print_json(value: Any) -> None:
    """One JSON value, readable as UTF-8."""
    raw = msgspec.json.encode(value)
    click.echo(msgspec.json.format(raw, indent=2) if on_terminal() else raw)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str = "") -> None:
    """Rows under headings; the last column takes the room that is left."""
    cells = [tuple("" if cell is None else str(cell) for cell in row) for row in rows]
    if on_terminal():
        _print_rich(columns, cells, title)
        return
    if title:
        click.echo(title)
    click.echo(_plain(columns, cells))


def _plain(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[at]) for row in (columns, *rows)) for at in range(len(columns))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (columns, *rows))
    return "\n".join(line.rstrip() for line in lines)


def _print_rich(columns: Sequence[str], rows: Sequence[Sequence[str]], title: str) -> None:
    from rich.console import Console  # noqa: PLC0415 -- 40 ms that nothing in a pipe needs
    from rich.table import Table  # noqa: PLC0415 -- as above
    from rich.text import Text  # noqa: PLC0415 -- as above

    table = Table(title=title or None, title_justify="left", header_style="bold", box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
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
    from rich.progress import Progress as Bar  # noqa: PLC0415 -- as above

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)
