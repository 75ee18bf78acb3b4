"""`umpire status`, `units`, `diff`, `audit`, `undo-points`: what is looked at.

`status` is typed after every order: it reads the stored turn view and imports the rest only when that is not there.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from umpire_ledger.cli.errors import REFUSED, Refusal
from umpire_ledger.cli.options import at_option, game_argument, json_option, ledger_option, position, seat_option
from umpire_ledger.cli.printing import print_json, print_table
from umpire_ledger.cli.status_text import tell_status
from umpire_ledger.desk import EDITION
from umpire_ledger.projections.tables.file import fresh_turn_view, look

if TYPE_CHECKING:
    from umpire_ledger.domain.game.state import Game
    from umpire_ledger.projections.tables.search import AuditLine


@click.command()
@game_argument
@at_option
@seat_option
@ledger_option
@json_option
def status(game_id: str, at: str | None, seat: str, where: str, as_json: bool) -> None:
    """Show where GAME stands, who must act, what is allowed, and what is still owed.

    \b
    Examples:
      umpire status syracuse-1
      umpire status syracuse-1 --at 412 --as athens
    """
    view = (fresh_turn_view(where, game_id, seat, EDITION) if at is None else None) or _turn_view(
        where, game_id, seat, at
    )
    view["game"] = game_id
    if as_json:
        print_json(view)
    else:
        click.echo(tell_status(view))
    if at is None:
        look(where, game_id, seat, view["position"])


def _turn_view(where: str, game_id: str, seat: str, at: str | None) -> dict[str, Any]:
    """The turn view where none is stored, or at an earlier position. Raises NoSuchGame, NoSuchRecord, Refusal."""
    from umpire_ledger.desk.read_models import follower  # noqa: PLC0415 -- as above
    from umpire_ledger.desk.sitting import open_ledger  # noqa: PLC0415 -- only when the stored view is not there
    from umpire_ledger.projections.tables.file import since, stored_turn_view  # noqa: PLC0415 -- as above

    with open_ledger(where, read_only=True) as ledger, follower(ledger, where) as following:
        following.catch_up(game_id)
        _verify_seat(ledger.state(game_id), seat)
        if at is None and (stored := stored_turn_view(following.connection, game_id, seat)) is not None:
            return stored
        import msgspec  # noqa: PLC0415 -- as above

        view: dict[str, Any] = msgspec.to_builtins(following.turn_view(game_id, seat, position(at)))
        return {**view, "since": since(following.connection, game_id, seat) if at is None else []}


def _verify_seat(game: "Game", seat: str) -> None:
    """Raises Refusal for a seat that is a slip of the pen."""
    known = ("referee", *game.side_ids, *game.seats, "spectator")
    if seat not in known:
        raise _no_such_seat(seat, known)


def _no_such_seat(seat: str, known: Iterable[str]) -> Refusal:
    remedy = f"look as one of: {', '.join(known)}"
    return Refusal("refused", REFUSED, what=f"there is no seat {seat}", where="--as", rule="seats", remedy=remedy)


@click.command()
@game_argument
@click.option("--side", default="", metavar="SIDE", help="Only this side's.")
@click.option("--gone", is_flag=True, help="Those too that have left play.")
@click.option("--stacks", is_flag=True, help="One line a place, in the notation of the title's players.")
@at_option
@seat_option
@ledger_option
@json_option
def units(
    game_id: str, side: str, gone: bool, stacks: bool, at: str | None, seat: str, where: str, as_json: bool
) -> None:
    """List GAME's units as the seat knows them.

    \b
    Examples:
      umpire units syracuse-1 --side athens
      umpire units border-war --stacks
    """
    found = [unit for unit in _units(where, game_id, seat, at, gone) if side in ("", unit["side"])]
    if stacks:
        found = _stacks(where, game_id, found)
    if as_json:
        print_json(found)
        return
    if stacks:
        print_table(("at", "units"), [(one["at"], one["units"]) for one in found])
        return
    rows = [(u["id"], u["side"], u["kind"], u["at"], u["fate"], _attributes(u["attributes"])) for u in found]
    print_table(("unit", "side", "kind", "at", "fate", "attributes"), rows)


def _stacks(where: str, game_id: str, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Place by place what stands there; ids where the title has no notation of its own."""
    from umpire_ledger.desk.sitting import open_ledger  # noqa: PLC0415 -- `status` does without
    from umpire_ledger.desk.wiring import find_title  # noqa: PLC0415 -- as above
    from umpire_ledger.projections.tables.pieces import stacks  # noqa: PLC0415 -- as above

    with open_ledger(where, read_only=True) as ledger:
        game = ledger.state(game_id)
    return stacks(find_title(game.title), game, found)


def _units(where: str, game_id: str, seat: str, at: str | None, gone: bool) -> list[dict[str, Any]]:
    from umpire_ledger.desk.read_models import views_of  # noqa: PLC0415 -- `status` does without
    from umpire_ledger.projections.tables.file import seats_of  # noqa: PLC0415 -- as above
    from umpire_ledger.projections.tables.pieces import units as units_of  # noqa: PLC0415 -- as above

    if at is not None:
        return _units_at(where, game_id, seat, at, gone)
    with views_of(where, game_id) as views:
        seats = seats_of(views, game_id)
        if seat not in seats:
            raise _no_such_seat(seat, seats)
        return units_of(views, game_id, seat, gone=gone)


def _units_at(where: str, game_id: str, seat: str, at: str, gone: bool) -> list[dict[str, Any]]:
    from umpire_ledger.desk.read_models import follower  # noqa: PLC0415 -- as above
    from umpire_ledger.desk.sitting import open_ledger  # noqa: PLC0415 -- `status` does without

    with open_ledger(where, read_only=True) as ledger, follower(ledger, where) as following:
        _verify_seat(ledger.state(game_id), seat)
        known = following.known_to(game_id, seat, position(at))
    chosen = (known.units[name] for name in sorted(known.units))
    return [
        {
            "id": unit.id,
            "side": unit.side,
            "kind": unit.kind,
            "at": unit.at,
            "attributes": dict(unit.attributes),
            "fate": unit.fate,
        }
        for unit in chosen
        if gone or not unit.fate
    ]


def _attributes(attributes: Mapping[str, Any]) -> str:
    """What is worth a word: attributes that are set."""
    said = (
        name if value is True else f"{name} {' '.join(value) if isinstance(value, list | tuple) else value}"
        for name, value in attributes.items()
        if value not in (None, False, "", [], ())
    )
    return ", ".join(said)


@click.command()
@game_argument
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@seat_option
@ledger_option
@json_option
def diff(game_id: str, before: str, after: str, seat: str, where: str, as_json: bool) -> None:
    """Show what differs in GAME between positions A and B, as the seat knows them.

    Example: umpire diff syracuse-1 412 430
    """
    from umpire_ledger.desk.read_models import follower  # noqa: PLC0415 -- as above
    from umpire_ledger.desk.sitting import open_ledger  # noqa: PLC0415 -- `status` does without
    from umpire_ledger.projections.questions.differences import differences  # noqa: PLC0415 -- as above
    from umpire_ledger.projections.record.prose import say  # noqa: PLC0415 -- as above

    with open_ledger(where, read_only=True) as ledger, follower(ledger, where) as following:
        _verify_seat(ledger.state(game_id), seat)
        found = differences(*(following.known_to(game_id, seat, position(one)) for one in (before, after)))
    if as_json:
        print_json([{key: getattr(one, key) for key in one.__struct_fields__} for one in found])
        return
    rows = [(one.kind, one.id, one.what, say(one.before), say(one.after)) for one in found]
    print_table(("kind", "id", "what", f"at #{before.lstrip('#')}", f"at #{after.lstrip('#')}"), rows)


@click.command()
@game_argument
@click.option("--unit", default="", help="Records about this unit.")
@click.option("--step", default="", help="Records of this step.")
@click.option("--side", default="", help="Records by any seat of this side.")
@click.option("--by", "author", default="", metavar="SEAT", help="Records by this seat.")
@click.option("--dice", is_flag=True, help="Rolls only.")
@click.option("--rule", default="", help="Records caused by this rule number.")
@click.option("--event", default="", metavar="TAG", help="Records of this kind, for instance unit.moved.")
@click.option(
    "--text", default="", metavar="WORDS", help='Full text; "in quotes" words stand together, wind* any ending.'
)
@click.option("--from", "start", default="1", metavar="N", help="From this position on.")
@click.option("--to", "stop", metavar="N", help="Up to this position.")
@click.option("--last", type=click.IntRange(min=1), metavar="N", help="Only the newest N that fit.")
@click.option("--all", "all_lines", is_flag=True, help="Abandoned lines too.")
@click.option("--csv", "form", flag_value="csv", help="Print CSV.")
@click.option("--markdown", "form", flag_value="markdown", help="Print a Markdown table.")
@click.option("--json", "form", flag_value="json", help="Print JSON; errors too.")
@seat_option
@ledger_option
def audit(game_id: str, form: str | None, seat: str, where: str, last: int | None, **wanted: Any) -> None:
    """Print GAME's audit trail: every record in words, who gave the order, under which step and rule, with its dice.

    \b
    Examples:
      umpire audit syracuse-1 --unit athens-4 --step E.2
      umpire audit syracuse-1 --text "fire" --dice
      umpire audit syracuse-1 --all --csv > trail.csv
    """
    from umpire_ledger.desk.read_models import views_of  # noqa: PLC0415 -- `status` does without
    from umpire_ledger.projections.tables.file import seats_of  # noqa: PLC0415 -- as above
    from umpire_ledger.projections.tables.search import Filter, audit_lines  # noqa: PLC0415 -- as above

    start, stop = position(wanted.pop("start")) or 1, position(wanted.pop("stop"))
    chosen = Filter(seat=wanted.pop("author"), start=start, stop=2**32 - 1 if stop is None else stop, **wanted)
    with views_of(where, game_id) as views:
        seats = seats_of(views, game_id)
        if seat not in seats:
            raise _no_such_seat(seat, seats)
        lines = list(audit_lines(views, game_id, seat, chosen, newest_first=last is not None, limit=last))
    _print_trail(lines[::-1] if last is not None else lines, form)


COLUMNS = (
    *("position", "at", "turn", "step", "seat", "event", "text", "rule", "dice", "cause", "counts", "visible_to"),
    *("happened_at", "witness"),
)


def _print_trail(lines: Sequence["AuditLine"], form: str | None) -> None:
    import json  # noqa: PLC0415 -- `status` does without

    if form == "json":
        print_json([{key: getattr(line, key) for key in line.__struct_fields__} for line in lines])
        return
    if form is None:
        late = any(line.happened_at or line.witness for line in lines)
        rows = [
            (
                *(_number(line), line.turn or "", line.step, line.seat, line.text, line.rule),
                *((line.at, line.happened_at, line.witness) if late else ()),
            )
            for line in lines
        ]
        times = ("recorded", "happened", "witness") if late else ()
        print_table(("record", "turn", "step", "seat", "what", "rule", *times), rows)
        return
    cells = [
        [
            "" if (v := getattr(line, key)) is None else json.dumps(v) if isinstance(v, dict | tuple) else str(v)
            for key in COLUMNS
        ]
        for line in lines
    ]
    _print_csv(cells) if form == "csv" else _print_markdown(cells)


def _number(line: "AuditLine") -> str:
    return f"#{line.position}" if line.counts else f"(#{line.position})"


def _print_csv(rows: Iterable[Sequence[str]]) -> None:
    import csv  # noqa: PLC0415 -- seldom asked for
    import sys  # noqa: PLC0415 -- as above

    writer = csv.writer(sys.stdout)
    writer.writerow(COLUMNS)
    writer.writerows(rows)


def _print_markdown(rows: Iterable[Sequence[str]]) -> None:
    click.echo(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}")
    for row in rows:
        click.echo(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |")


@click.command("undo-points")
@game_argument
@click.option("--last", type=click.IntRange(min=1), metavar="N", help="Only the newest N.")
@seat_option
@ledger_option
@json_option
def undo_points(game_id: str, last: int | None, seat: str, where: str, as_json: bool) -> None:
    """List the places that GAME can be returned to, newest first, and what a return there would undo.

    Example: umpire undo-points syracuse-1 --last 10
    """
    from umpire_ledger.desk.read_models import views_of  # noqa: PLC0415 -- `status` does without
    from umpire_ledger.projections.tables.file import seats_of  # noqa: PLC0415 -- as above
    from umpire_ledger.projections.tables.undo_points import undo_points as points_of  # noqa: PLC0415 -- as above

    with views_of(where, game_id) as views:
        seats = seats_of(views, game_id)
        if seat not in seats:
            raise _no_such_seat(seat, seats)
        points = points_of(views, game_id, seat, last)
    if as_json:
        print_json([{key: getattr(point, key) for key in point.__struct_fields__} for point in points])
        return
    rows = [
        (f"#{p.position}", p.step, p.where, p.orders, p.rolls, p.reveals, p.seals, ", ".join(p.seats)) for p in points
    ]
    print_table(("return to", "step", "where", "orders", "rolls", "reveals", "seals", "seats"), rows)
