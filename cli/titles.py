"""List titles, sequences of play and orders (`umpire titles`, `sequence`, `orders`)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.options import json_option, table_options
from umpire_ledger.cli.order_help import argument_lines
from umpire_ledger.cli.printing import print_json, print_table, say
from umpire_ledger.desk.orders import titles as catalogue


def complete_title(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the title ids that complete a word, for the shell."""
    return [title for title in catalogue.title_ids() if title.startswith(incomplete)]


OF_A_FILE = ".toml"
"""Ending of the name of a scenario file, which no title id has."""


def _meant(word: str) -> str | Path:
    """Return a title id, or the path of a scenario file, which may have its own sequence."""
    return Path(word) if word.endswith(OF_A_FILE) else word


title_or_file = click.argument("title_id", metavar="TITLE|FILE.toml", shell_complete=complete_title)


@click.command(cls=Explained)
@click.argument("title_id", metavar="[TITLE]", required=False, shell_complete=complete_title)
@table_options
@json_option
def titles(title_id: str | None, as_json: bool) -> None:
    """List the titles you can play.

    With TITLE, show its options, the tables of its scenarios, traits of units, and its house values: numbers that no
    rulebook prints and that a scenario can set. A broken title from another package is listed with its fault.

    \b
    Examples:
      umpire titles
      umpire titles war-galley
    """
    if title_id:
        _show_title(catalogue.page(title_id), as_json)
        return
    found = catalogue.titles()
    if as_json:
        print_json(found)
        return
    rows = [(one.id, one.name, one.version, one.publisher, one.steps) for one in found if not one.fault]
    print_table(("title", "name", "version", "publisher", "steps"), rows, empty="no titles")
    for one in found:
        if one.fault:
            say("", one.fault)


def _show_title(page: catalogue.TitlePage, as_json: bool) -> None:
    if as_json:
        print_json(page)
        return
    say(f"{page.id}: {page.name}{f' ({page.publisher})' if page.publisher else ''}, {page.version}")
    say(f"Tables of a scenario: {', '.join(page.tables) or 'none'}", "")
    options = [(name, str(value), page.readings.get(name, "")) for name, value in page.options.items()]
    print_table(("option", "default", "meaning"), options, empty="no options")
    if page.traits:
        say("")
        print_table(("trait of a unit", "meaning"), list(page.traits.items()))
    say("", "House values: no rulebook prints these numbers. A scenario can set them, with their source.")
    rows = [(one.name, one.value, one.rule, one.where or f"numbers.{one.name}", one.says) for one in page.ours]
    print_table(("name", "value", "rule", "entry", "meaning"), rows, empty="no house values")


@click.command(cls=Explained)
@title_or_file
@table_options
@json_option
def sequence(title_id: str, as_json: bool) -> None:
    """Print a title's sequence of play.

    Each step has its label, who acts, required actions, dice, rules and the next steps. For a scenario file, Umpire
    prints the sequence in the file or, if it has none, the sequence of its title.

    \b
    Examples:
      umpire sequence war-galley
      umpire sequence mine.toml
    """
    lines, head = catalogue.sequence(_meant(title_id)), f"{title_id}: sequence of play"
    if not title_id.endswith(OF_A_FILE):
        title = catalogue.title(title_id)
        publisher = f" ({title.publisher})" if title.publisher else ""
        head = f"{title.name}{publisher}: sequence of play, {title.version}"
    if as_json:
        print_json(lines)
        return
    if not lines:
        say(f"{head.partition(':')[0]} has no sequence of play: any order at any time.")
        return
    printed = any(line["printed"] != line["id"] for line in lines)
    say(head)
    columns = ("step", *(("printed",) if printed else ()), "name", "who", "need", "dice", "rules", "leads to", "orders")
    print_table((*columns, "conditions"), [_page_row(line, printed) for line in lines])


CONDITIONS = {"when": "when", "until": "until", "needs": "needs", "first_come": "first come"}
"""Conditions of a step in the last column of a sequence, by key."""


def _page_row(line: Mapping[str, Any], printed: bool) -> Sequence[str]:
    indent = "  " * line["depth"]
    secret = " (secret)" if line["secret"] else ""
    return (
        line["id"],
        *((line["printed"] if line["printed"] != line["id"] else "",) if printed else ()),
        f"{indent}{line['name']}{secret}",
        _roles(line["by"]),
        line["need"],
        line["rolls"],
        ", ".join(line["cites"]),
        ", ".join(line["leads_to"]),
        ", ".join(line["orders"]),
        "; ".join(f"{words}: {line[word]}" for word, words in CONDITIONS.items() if line[word]),
    )


@click.command(cls=Explained)
@title_or_file
@click.argument("order_name", metavar="[ORDER]", required=False)
@table_options
@json_option
def orders(title_id: str, order_name: str | None, as_json: bool) -> None:
    """List a title's orders, or explain one.

    For one ORDER: its arguments, an example, and the JSON Schema of its line in an order file. A scenario file lists
    the orders of a game with that scenario.

    \b
    Examples:
      umpire orders war-galley
      umpire orders war-galley board
    """
    entries = catalogue.orders(_meant(title_id), order_name or "")
    if as_json:
        print_json(entries)
    elif order_name:
        _show_order(title_id, entries[0])
    else:
        rows = [(one.order, ", ".join(one.steps), _roles(one.by), one.help) for one in entries]
        print_table(("order", "steps", "seat", "effect"), rows, empty="no orders")


def _show_order(title_id: str, entry: catalogue.OrderEntry) -> None:
    say(f"{entry.order}: {entry.help}", f"typed:   {entry.usage}", f"example: umpire order GAME {entry.example}")
    say(f"steps:   {', '.join(entry.steps)}", f"by:      {_roles(entry.by)}")
    say(*argument_lines(catalogue.order_page(_meant(title_id), entry.order)), "")
    say(f"as a line of a file: {entry.example_json}", "its JSON Schema:")
    print_json(entry.schema)


def _roles(names: Sequence[str]) -> str:
    """Return roles in words, such as `phasing player`."""
    return ", ".join(names).replace("_", " ")
