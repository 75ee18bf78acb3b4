"""`umpire titles`, `sequence`, `orders`: what can be played, step by step, and what may be asked for."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from umpire_ledger.cli.options import json_option
from umpire_ledger.cli.printing import print_json, print_table
from umpire_ledger.desk.wiring import find_title, need_title, title_references
from umpire_ledger.domain.flow.page import page_of
from umpire_ledger.domain.game.orders import ANYTIME_ORDERS, REFEREE_ORDERS, SEQUENCE_ORDERS, Order, order_schema
from umpire_ledger.domain.kit.title import Title


def complete_title(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Title ids, for the shell."""
    return [title for title in sorted(title_references()) if title.startswith(incomplete)]


title_argument = click.argument("title_id", metavar="TITLE", shell_complete=complete_title)


@click.command()
@json_option
def titles(as_json: bool) -> None:
    """List the titles that can be played.

    Example: umpire titles
    """
    found = [title for title in map(find_title, sorted(title_references())) if title is not None]
    rows = [(title.id, title.name, title.version, title.publisher, len(tuple(title.plan.leaves()))) for title in found]
    if as_json:
        keys = ("id", "name", "version", "publisher", "steps")
        print_json([dict(zip(keys, row, strict=True)) for row in rows])
    else:
        print_table(("title", "name", "rules", "publisher", "steps"), rows)


@click.command()
@title_argument
@json_option
def sequence(title_id: str, as_json: bool) -> None:
    """Print TITLE's whole sequence of play as on its page: labels, who acts, what must be done, rules, where it leads.

    Example: umpire sequence war-galley
    """
    title = need_title(title_id)
    lines = page_of(title)
    if as_json:
        print_json(lines)
        return
    if not lines:
        click.echo(f"{title.name} has no sequence of play: any order at any time.")
        return
    printed = any(line["printed"] != line["id"] for line in lines)
    click.echo(f"{title.name}{f' ({title.publisher})' if title.publisher else ''}: sequence of play, {title.version}")
    columns = ("step", *(("printed",) if printed else ()), "name", "who", "need", "dice", "rules", "leads to", "orders")
    print_table((*columns, "conditions"), [_page_row(line, printed) for line in lines])


def _page_row(line: Mapping[str, Any], printed: bool) -> Sequence[str]:
    indent = "  " * line["depth"]
    secret = " (secret)" if line["secret"] else ""
    return (
        line["id"],
        *((line["printed"] if line["printed"] != line["id"] else "",) if printed else ()),
        f"{indent}{line['name']}{secret}",
        ", ".join(line["by"]).replace("_", " "),
        line["need"],
        line["rolls"],
        ", ".join(line["cites"]),
        ", ".join(line["leads_to"]),
        ", ".join(line["orders"]),
        "; ".join(f"{word}: {line[word]}" for word in ("when", "until", "needs") if line[word]),
    )


@click.command()
@title_argument
@click.argument("order_name", metavar="[ORDER]", required=False)
@json_option
def orders(title_id: str, order_name: str | None, as_json: bool) -> None:
    """List TITLE's orders, or show one ORDER with its JSON Schema.

    \b
    Examples:
      umpire orders war-galley
      umpire orders war-galley board
    """
    title = need_title(title_id)
    known = title.every_order
    if order_name is not None and order_name not in known:
        near = ", ".join(sorted(known))
        raise click.UsageError(f"{title.name} has no order {order_name}; it has: {near}")
    chosen = [known[order_name]] if order_name else list(known.values())
    entries = [_order_entry(title, order) for order in chosen]
    if as_json:
        print_json(entries)
    elif order_name:
        _show_order(chosen[0], entries[0])
    else:
        rows = [(e["order"], ", ".join(e["steps"]), ", ".join(e["by"]), e["help"]) for e in entries]
        print_table(("order", "steps", "by", "what it does"), rows)


def _order_entry(title: Title, order: type[Order]) -> dict[str, Any]:
    steps = [step for step in title.plan.leaves() if order in step.allows]
    by = dict.fromkeys(role for step in steps for role in _who(step.by, step.also))
    return {
        "order": order.tag(),
        "steps": [step.id for step in steps] or [_anywhere(order)],
        "by": list(by) or _default_by(order),
        "help": (order.__doc__ or "").split("\n")[0],
        "schema": order_schema(order),
    }


def _who(*roles: str | tuple[str, ...]) -> list[str]:
    return [role for some in roles for role in ((some,) if isinstance(some, str) else some) if role]


def _anywhere(order: type[Order]) -> str:
    return "open steps" if order in SEQUENCE_ORDERS else "any"


def _default_by(order: type[Order]) -> list[str]:
    if order in REFEREE_ORDERS:
        return ["referee"]
    return ["any seat"] if order in ANYTIME_ORDERS else ["each"]


def _show_order(order: type[Order], entry: Mapping[str, Any]) -> None:
    click.echo(f"{entry['order']}: {entry['help']}")
    click.echo(f"steps: {', '.join(entry['steps'])}")
    click.echo(f"by:    {', '.join(entry['by'])}\n")
    print_json(entry["schema"])
