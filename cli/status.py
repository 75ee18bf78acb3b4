"""Read a game (`umpire status`, `units`, `audit`, `undo-points`).

`status` is typed after every order, so it reads the stored turn view, and imports the rest only if there is none.
"""

from collections.abc import Mapping
from typing import Any

import click
import msgspec

from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.options import (
    AT_LEAST_ONE,
    at_option,
    game_argument,
    json_option,
    ledger_option,
    own_seat,
    position,
    records_option,
    seat_option,
    table_options,
)
from umpire_ledger.cli.printing import print_json, print_table, say_wrapped, utc_now
from umpire_ledger.cli.status_text import status_lines
from umpire_ledger.desk.games.quick_status import display_name, earlier_news, lag, note_look, stored_status


@click.command(cls=Explained)
@game_argument
@at_option
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Also show accounts and markers that only the rules use, and the house values in use.",
)
@click.option("--looked", is_flag=True, help="Count this as a look by the seat in --as.")
@seat_option
@ledger_option
@json_option
def status(game_id: str, at: str | None, everything: bool, looked: bool, seat: str, where: str, as_json: bool) -> None:
    """Show the current step and who must act.

    Umpire shows the sides that must act and since when, the possible orders, the required actions, and the orders since
    you last looked (each once). Your seat is UMPIRE_SEAT or the seat in umpire.toml, otherwise the referee. --as SEAT
    shows what another seat sees and does not count as its look.

    \b
    Examples:
      umpire status harbour
      umpire status harbour --at 412 --as athens
    """
    view = (stored_status(where, game_id, seat) if at is None else None) or _status(where, game_id, seat, at)
    view["game"] = game_id
    view["display_name"] = view.get("display_name") or display_name(where, game_id) or view["name"]
    if as_json:
        print_json(view)
    else:
        earlier = earlier_news(where, game_id, seat, view)
        now = utc_now() if at is None else None
        say_wrapped(status_lines(view, everything=everything, now=now, earlier=earlier))
    if at is None and (looked or seat == own_seat()):
        note_look(where, game_id, seat, view["position"])


def _status(where: str, game_id: str, seat: str, at: str | None) -> dict[str, Any]:
    """Return the turn view at an earlier position, or now if no stored one is current.

    Raises:
        NoSuchGame, NoSuchRecord, NoSuchSeat: When there is no such game, position or seat.
    """
    from umpire_ledger.cli.session import leave_stored, looking  # noqa: PLC0415 -- 379 ms: only if no view is stored

    with looking(where, game_id, seat) as looker:
        view: dict[str, Any] = msgspec.to_builtins(looker.status if at is None else looker.at(position(at) or 0).status)
        start = looker.looked if at is None else view["position"]
        if at is None and seat != "spectator":
            leave_stored(looker.game)
        since = lag(view["last"], start)
        return {**view, "since": since, "display_name": looker.game.display_name}


@click.command(cls=Explained)
@game_argument
@click.option("--side", default="", metavar="SIDE", help="List units of this side.")
@click.option("--gone", is_flag=True, help="Also list units that have left play.")
@click.option("--stacks", is_flag=True, help="Print one line per place, in the title's usual notation.")
@at_option
@seat_option
@ledger_option
@table_options
@json_option
def units(
    game_id: str, side: str, gone: bool, stacks: bool, at: str | None, seat: str, where: str, as_json: bool
) -> None:
    """List the units a seat can see.

    Each unit has its side, kind, place, fate and attributes. For a hidden unit, the last column shows which seats see
    it.

    \b
    Examples:
      umpire units harbour --side athens
      umpire units border-war --stacks
    """
    from umpire_ledger.cli.session import looking  # noqa: PLC0415 -- 328 ms: `umpire status` does not need it

    with looking(where, game_id, seat) as looker:
        found = looker.plain_units(at=position(at), side=side, gone=gone)
        found = looker.stacks(found) if stacks else found
    if as_json:
        print_json(found)
        return
    if stacks:
        print_table(("at", "units"), [(one["at"], one["units"]) for one in found], empty="no units")
        return
    rows = [(u["id"], u["side"], u["kind"], u["at"], u["fate"], _attributes(u["attributes"]), _sight(u)) for u in found]
    seen = 7 if any(row[6] for row in rows) else 6
    print_table(
        ("unit", "side", "kind", "at", "fate", "attributes", "seen")[:seen],
        [row[:seen] for row in rows],
        empty="no units",
    )


def _sight(unit: Mapping[str, Any]) -> str:
    """Return the seats that see a hidden unit, or the last sighting of a lost unit; "" for any other unit."""
    if "last_seen" in unit:
        turn = f" turn {unit['last_seen']['turn']}" if unit["last_seen"]["turn"] else ""
        return f"last seen{turn} (#{unit['last_seen']['position']})"
    return f"hidden; seen by {', '.join(unit['seen_by'])}" if "seen_by" in unit else ""


def _attributes(attributes: Mapping[str, Any]) -> str:
    """Return the attributes that are set."""
    said = (
        name if value is True else f"{name} {' '.join(value) if isinstance(value, list | tuple) else value}"
        for name, value in attributes.items()
        if value not in (None, False, "", [], ())
    )
    return ", ".join(said)


@click.command(cls=Explained)
@game_argument
@click.option("--unit", default="", metavar="UNIT", help="List orders about this unit.")
@click.option("--step", default="", metavar="STEP", help="List orders of this step.")
@click.option("--side", default="", metavar="SIDE", help="List orders by this side's seats.")
@click.option("--by", "author", default="", metavar="SEAT", help="List orders by this seat.")
@click.option("--dice", is_flag=True, help="List only orders with rolls.")
@click.option("--rule", default="", metavar="RULE", help="List orders under this rule number.")
@click.option("--event", default="", metavar="TAG", help="List orders with this kind of event, for example unit.moved.")
@click.option(
    "--text",
    default="",
    metavar="WORDS",
    help='Search for all these words; "in quotes" for a phrase, wind* for any ending.',
)
@click.option("--from", "start", default="1", metavar="N", help="Start at this position.")
@click.option("--to", "stop", metavar="N", help="End at this position.")
@click.option("--last", type=AT_LEAST_ONE, metavar="N", help="List the newest N matches.")
@click.option(
    "--all", "all_lines", is_flag=True, help="Also list abandoned branches and records that only the rules use."
)
@records_option
@click.option("--orders", is_flag=True, help="With --json or --csv: print one line per order.")
@click.option("--csv", "form", flag_value="csv", help="Print CSV.")
@click.option("--markdown", "form", flag_value="markdown", help="Print a Markdown table.")
@click.option("--json", "form", flag_value="json", help="Print JSON, including errors.")
@seat_option
@ledger_option
def audit(
    game_id: str,
    form: str | None,
    records: bool,
    orders: bool,
    seat: str,
    where: str,
    last: int | None,
    **wanted: Any,
) -> None:
    """List orders and their results.

    Each line is one order: a sentence with the roll and the result, its seat, step and rule. An order matches if one of
    its records matches. Records that only the rules use are left out; --all adds them, and the branches that a rewind
    abandoned. JSON and CSV have one line per record; with --orders, one per order.

    \b
    Examples:
      umpire audit harbour --unit athens-4 --step E.2
      umpire audit harbour --text "fire" --dice --records
      umpire audit harbour --all --csv > trail.csv
    """
    from umpire_ledger.cli.audit_text import print_orders, print_records  # noqa: PLC0415 -- 209 ms: `umpire status` does not need it
    from umpire_ledger.cli.session import looking  # noqa: PLC0415 -- 333 ms: `umpire status` does not need it

    wanted["start"], wanted["stop"] = position(wanted["start"]) or 1, position(wanted["stop"])
    wanted["seat"] = wanted.pop("author")
    by_order = orders or (form in (None, "markdown") and not (form and records))
    with looking(where, game_id, seat) as looker:
        if by_order:
            print_orders(looker.orders(last=last, **wanted), form, records=records, marks=wanted["all_lines"])
        else:
            print_records(looker.audit(last=last, **wanted), form)


@click.command("undo-points", cls=Explained)
@game_argument
@click.option("--last", type=AT_LEAST_ONE, metavar="N", help="List the newest N.")
@seat_option
@ledger_option
@table_options
@json_option
def undo_points(game_id: str, last: int | None, seat: str, where: str, as_json: bool) -> None:
    """List the steps you can rewind to, with the cost.

    The newest comes first. The cost is the number of orders, rolls, reveals and seals (a seat's agreement to all
    records so far) that a rewind would take back.

    \b
    Example:
      umpire undo-points harbour --last 10
    """
    from umpire_ledger.cli.session import looking  # noqa: PLC0415 -- 379 ms: `umpire status` does not need it

    with looking(where, game_id, seat) as looker:
        points = looker.undo_points(last)
    if as_json:
        print_json([{key: getattr(point, key) for key in point.__struct_fields__} for point in points])
        return
    rows = [
        (f"#{p.position}", p.step, p.where, p.orders, p.rolls, p.reveals, p.seals, ", ".join(p.seats)) for p in points
    ]
    print_table(
        ("record", "step", "name", "orders", "rolls", "reveals", "seals", "seats"), rows, empty="no undo points"
    )
