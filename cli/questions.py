"""`umpire why`, `unit`, `account`, `dice`, `knew`, `since`: questions with one answer."""

from collections.abc import Iterable, Sequence
from typing import Any

import click
import msgspec

from umpire_ledger.cli.disputes import listed_row
from umpire_ledger.cli.errors import UNKNOWN, Refusal
from umpire_ledger.cli.options import game_argument, json_option, ledger_option, position, seat_option
from umpire_ledger.cli.printing import print_json, print_table
from umpire_ledger.cli.session import looking, verify_may_ask
from umpire_ledger.cli.status_text import tell_status
from umpire_ledger.desk.read_models import follower, views_of
from umpire_ledger.desk.wiring import find_title
from umpire_ledger.domain.game.state import Game, Unit
from umpire_ledger.ledger.application import Ledger
from umpire_ledger.projections.questions.chance import Total, totals
from umpire_ledger.projections.questions.deeds import deeds_along, seen_by
from umpire_ledger.projections.questions.knew import knew as knew_by
from umpire_ledger.projections.questions.rolls import ThrownRoll, thrown
from umpire_ledger.projections.questions.statements import TurnStatement, life, statement
from umpire_ledger.projections.questions.why import Explanation
from umpire_ledger.projections.questions.why import why as why_of
from umpire_ledger.projections.tables.file import looked, seats_of
from umpire_ledger.projections.tables.file import since as since_of

EVERYTHING = 2**31
MOST_SHOWN = 20
"""Orders that a record led to, as text; an account that everybody pays into leads to every later payment."""


@click.command()
@game_argument
@click.argument("record", metavar="#N")
@seat_option
@ledger_option
@json_option
def why(game_id: str, record: str, seat: str, where: str, as_json: bool) -> None:
    """Say why a record of GAME is there: the order, who, under which step and rule, its causes and effects.

    Example: umpire why syracuse-1 '#412'
    """
    with looking(where, game_id, seat) as ledger:
        answer = why_of(ledger, game_id, seat, position(record) or 0)
        printed = _printed(ledger.state(game_id), answer.step)
    if as_json:
        print_json({**msgspec.structs.asdict(answer), "printed_rules": printed})
        return
    for line in _why_lines(answer, printed):
        click.echo(line)
    if answer.built_on:
        click.echo("built on:")
        print_table(
            ("record", "about", "what"), [(f"#{c.position}", f"{c.kind} {c.id}", c.text) for c in answer.built_on]
        )
    if answer.led_to:
        click.echo("led to:")
        shown = answer.led_to[:MOST_SHOWN]
        print_table(("records", "degree", "turn", "step", "by", "what", "because"), map(listed_row, shown))
        if len(answer.led_to) > MOST_SHOWN:
            click.echo(f"… {len(answer.led_to)} in all, --json lists them")


def _printed(game: Game, step: str) -> str:
    """The title and the rule numbers printed beside a step."""
    title = find_title(game.title)
    place = title.plan.places.get(step) if title else None
    rules = f" [{', '.join(place.rules)}]" if place and place.rules else ""
    return f"{title.name} {step}{rules}" if title and step else ""


def _why_lines(answer: Explanation, printed: str) -> Iterable[str]:
    order = {name: value for name, value in answer.order.items() if name != "as"}
    yield f"#{answer.position} {answer.record.text}" + ("" if answer.counts else "  (no longer counts)")
    yield f"  by:    {answer.seat}, {answer.at[:19].replace('T', ' ')} UTC"
    yield f"  at:    {answer.where}"
    yield f"  rule:  {answer.record.rule or printed or 'none named'}"
    yield f"  order: {msgspec.json.encode(order).decode() if order else 'not kept, or not for these eyes'}"
    for one in answer.beside:
        yield f"  {'then' if one.position > answer.position else 'after'}:  #{one.position} {one.text}"


@click.command()
@game_argument
@click.argument("unit_id", metavar="ID")
@seat_option
@ledger_option
@json_option
def unit(game_id: str, unit_id: str, seat: str, where: str, as_json: bool) -> None:
    """Tell the life of a unit of GAME: placed, moved, rolled for, changed, removed.

    Example: umpire unit syracuse-1 athens-5
    """
    with looking(where, game_id, seat) as ledger, follower(ledger, where) as following:
        now = following.known_to(game_id, seat).units.get(unit_id)
        moments = life(deeds_along(ledger, game_id, seat), unit_id)
        if not moments:
            raise _unknown(ledger, game_id, "unit", unit_id, sorted(following.known_to(game_id, seat).units))
    if as_json:
        print_json({"id": unit_id, "now": _unit(now), "life": moments})
        return
    if now is not None:
        state = f"{now.fate}, last at {now.at}" if now.fate else f"at {now.at}"
        click.echo(f"{unit_id} · {now.kind} of {now.side} · {state}")
    rows = [(f"#{one.position}", one.turn or "", one.step, one.seat, one.text, one.rule) for one in moments]
    print_table(("record", "turn", "step", "by", "what", "rule"), rows)


def _unit(now: Unit | None) -> dict[str, Any] | None:
    if now is None:
        return None
    return {"side": now.side, "kind": now.kind, "at": now.at, "fate": now.fate, "attributes": dict(now.attributes)}


def _unknown(ledger: Ledger[Game], game_id: str, kind: str, name: str, known: Sequence[str]) -> Refusal:
    near = ", ".join(known[:8]) or "none"
    return Refusal(
        "unknown",
        UNKNOWN,
        what=f"there is no {kind} {name}",
        where=ledger.state(game_id).where,
        rule=f"{kind}s",
        remedy=f"name one of: {near}{', …' if len(known) > 8 else ''}",
    )


@click.command()
@game_argument
@click.argument("account_id", metavar="ID")
@seat_option
@ledger_option
@json_option
def account(game_id: str, account_id: str, seat: str, where: str, as_json: bool) -> None:
    """Give the statement of an account of GAME, by turn: opening balance, every entry, closing balance.

    Example: umpire account syracuse-1 vp/athens
    """
    with looking(where, game_id, seat) as ledger, follower(ledger, where) as following:
        turns = statement(deeds_along(ledger, game_id, seat), account_id)
        if not turns:
            raise _unknown(ledger, game_id, "account", account_id, sorted(following.known_to(game_id, seat).accounts))
    if as_json:
        print_json({"id": account_id, "balance": turns[-1].closing, "turns": turns})
        return
    click.echo(f"{account_id}: {turns[-1].closing}")
    print_table(("turn", "record", "step", "by", "amount", "balance", "for"), _statement_rows(turns))


def _statement_rows(turns: Iterable[TurnStatement]) -> Iterable[Sequence[object]]:
    for turn in turns:
        yield turn.turn or "set-up", "", "", "", "", turn.opening, "brought forward"
        for one in turn.entries:
            yield "", f"#{one.position}", one.step, one.seat, f"{one.amount:+d}", one.after, one.cause


@click.command()
@game_argument
@click.option("--all", "all_lines", is_flag=True, help="Rolls of abandoned lines too.")
@click.option("--by", "author", default="", metavar="SEAT", help="Only rolls by this seat.")
@click.option("--totals", "only_totals", is_flag=True, help="Not every roll, only the totals.")
@seat_option
@ledger_option
@json_option
def dice(game_id: str, all_lines: bool, author: str, only_totals: bool, seat: str, where: str, as_json: bool) -> None:
    """List every roll of GAME, with totals by die, seat and purpose, and whether the dice look fair.

    χ² compares how often each face came up with equal chances; p is how often fair dice would be at least so uneven.
    Where fewer than 5 of each face are expected it says little, and that is said. Pips kept on a rewind count once.

    Example: umpire dice syracuse-1 --totals
    """
    with looking(where, game_id, seat) as ledger:
        found = [one for one in thrown(ledger, game_id, seat) if one.counts or all_lines]
    rolls = [one for one in found if author in ("", one.seat)]
    sums = list(totals([one.judged for one in rolls if not one.kept]))
    if as_json:
        print_json({"rolls": [] if only_totals else [one.plain for one in rolls], "totals": sums})
        return
    if not only_totals:
        print_table(("roll", "record", "turn", "step", "by", "what"), map(_roll_row, rolls))
        click.echo()
    print_table(("of", "name", "rolls", "dice", "faces", "mean", "χ²", "df", "p", ""), map(_total_row, sums))


def _roll_row(one: ThrownRoll) -> Sequence[object]:
    number = f"#{one.position}" if one.counts else f"(#{one.position})"
    kept = f" (kept from #{one.kept})" if one.kept else ""
    return one.roll, number, one.turn or "", one.step, one.seat, f"{one.text}{kept}"


def _total_row(one: Total) -> Sequence[object]:
    f = one.faces
    name = one.name if one.of == "die" else f"{one.name} ({f.die})"
    counts = " ".join(map(str, f.counts)) if len(f.counts) <= 12 else f"{min(f.counts)} to {max(f.counts)} each"
    return (
        one.of,
        name,
        one.rolls,
        f.dice,
        counts,
        f"{f.mean:.2f}",
        f"{f.chi_square:.2f}",
        f.degrees,
        f"{f.p:.3f}",
        f.warning,
    )


@click.command()
@game_argument
@click.argument("who", metavar="SEAT")
@click.argument("at", metavar="#N")
@seat_option
@ledger_option
@json_option
def knew(game_id: str, who: str, at: str, seat: str, where: str, as_json: bool) -> None:
    """Show what SEAT had seen of GAME by a position: the table as it knew it, its secrets, and what was undone since.

    The seat itself may ask, its side, and the referee where secrets are not closed to it. Whether SEAT looked is not
    in the log; that it lay open to it is.

    Example: umpire knew syracuse-1 athens '#412'
    """
    n = position(at) or 0
    with looking(where, game_id, seat) as ledger, follower(ledger, where) as following:
        verify_may_ask(ledger.state(game_id), seat, who)
        view = msgspec.to_builtins(following.turn_view(game_id, who, n))
        records = seen_by(ledger, game_id, who, ledger.lines(game_id, 1, n), at=n)
        found = knew_by(records, ledger.branch(game_id, n).stretches)
    if as_json:
        print_json({"game": game_id, "seat": who, "position": n, "view": view, **msgspec.structs.asdict(found)})
        return
    click.echo(tell_status({**view, "game": game_id, "since": []}))
    for label, learnt in (("for its eyes", found.secrets), ("seen, and undone by then", found.undone)):
        if learnt:
            print_table(("record", "by", label), [(f"#{one.position}", one.seat, one.text) for one in learnt])
    hidden = [f"#{one}" for one in found.hidden]
    click.echo(f"not for its eyes: {', '.join(hidden) or 'nothing'}")


@click.command()
@game_argument
@click.argument("who", metavar="SEAT")
@seat_option
@ledger_option
@json_option
def since(game_id: str, who: str, seat: str, where: str, as_json: bool) -> None:
    """Show what happened in GAME since SEAT last looked (with `umpire status`), as far as it may see it.

    Example: umpire since syracuse-1 athens --as athens
    """
    with looking(where, game_id, seat) as ledger:
        verify_may_ask(ledger.state(game_id), seat, who)
    with views_of(where, game_id) as views:
        start = looked(views, game_id, who) if who in seats_of(views, game_id) else 0
        lines = since_of(views, game_id, who, most=EVERYTHING)
    if as_json:
        print_json({"game": game_id, "seat": who, "looked": start, "since": lines})
        return
    click.echo(f"{who} last looked at #{start}" if start else f"{who} has not looked yet")
    print_table(("record", "by", "what"), [(f"#{one['position']}", one["seat"], one["text"]) for one in lines])
