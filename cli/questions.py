"""Answer questions about a game (`umpire why`, `unit`, `account`, `dice`, `known`, `since`)."""

from collections.abc import Iterable, Sequence
from typing import Any

import click
import msgspec

from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.disputes import listed_row
from umpire_ledger.cli.options import game_argument, json_option, ledger_option, position, seat_option, table_options
from umpire_ledger.cli.printing import moment, print_json, print_table, say, say_wrapped, table_form
from umpire_ledger.cli.session import looking
from umpire_ledger.cli.status_text import status_lines
from umpire_ledger.domain.game.state import Unit
from umpire_ledger.domain.game.verb_agreement import counted
from umpire_ledger.projections.questions.dependency.model import DECIDED_AGAIN, Cause
from umpire_ledger.projections.questions.dice_statistics import Total
from umpire_ledger.projections.questions.epochs import DiceEpoch
from umpire_ledger.projections.questions.record_explanation import Explanation
from umpire_ledger.projections.questions.rolls import ThrownRoll
from umpire_ledger.projections.questions.statements import TurnStatement

MOST_SHOWN = 20
"""Maximum number of prerequisites or dependents to print; a payment, for example, leads to all later payments."""
WHY_COLUMNS = ("records", "degree", "turn", "step", "seat", "order", "reason")


@click.command(cls=Explained)
@game_argument
@click.argument("record", metavar="#N")
@seat_option
@ledger_option
@table_options
@json_option
def why(game_id: str, record: str, seat: str, where: str, as_json: bool) -> None:
    """Show what one record depends on.

    Umpire shows the record's order, seat, step and rule, its prerequisites and its dependents. A record is a
    prerequisite if the order's result changes when it is decided without that record. If the order cannot be decided
    again, Umpire lists the last records that touched the same things, and the reason. CSV and Markdown show
    prerequisites and dependents in one table.

    \b
    Example:
      umpire why harbour 412
    """
    with looking(where, game_id, seat) as looker:
        answer = looker.why(position(record) or 0)
        printed = looker.printed_rules(answer.step)
    if as_json:
        print_json({**msgspec.structs.asdict(answer), "printed_rules": printed})
        return
    if table_form():
        print_table(("relation", *WHY_COLUMNS), _why_rows(answer))
        return
    say_wrapped(_why_lines(answer, printed), indent=9)
    _say_causes(answer)
    if answer.led_to:
        say("dependents:")
        shown = answer.led_to[:MOST_SHOWN]
        print_table(WHY_COLUMNS, map(listed_row, shown))
        if len(answer.led_to) > MOST_SHOWN:
            say(f"… {len(answer.led_to)} in all, --json lists them")


def _why_rows(answer: Explanation) -> Iterable[Sequence[object]]:
    """Yield rows for the prerequisites of the record, then for its dependents."""
    for one in answer.built_on:
        yield "prerequisite", f"#{one.position}", "", one.turn or "", one.step, "", one.text, f"for {one.what}"
    for led in answer.led_to:
        yield "dependent", *listed_row(led)


def _say_causes(answer: Explanation) -> None:
    """Print the prerequisites of the record: those from play each with its order, those from the setup in one line."""
    played = [one for one in answer.built_on if not one.set_up]
    given = [f"{one.what} (#{one.position})" for one in answer.built_on if one.set_up]
    if answer.built_on:
        say("depends on:" if answer.found_by == DECIDED_AGAIN else f"by last touch, because {answer.because}:")
    for one in played[:MOST_SHOWN]:
        say_wrapped((f"  #{one.position} {one.text} · for {one.what}", *_of_order(one)), indent=6)
    if len(played) > MOST_SHOWN:
        say(f"  … {len(played)} in all, --json lists them")
    if given:
        say(f"  from the setup: {', '.join(given[:MOST_SHOWN])}")


def _of_order(one: Cause) -> Iterable[str]:
    """Yield the step and the order of a record; nothing for a roll, which belongs to the explained order."""
    where = f"turn {one.turn}, {one.step}".removesuffix(", ") if one.turn else one.step
    if one.sentence and one.kind != "roll":
        yield f"      {f'{where}: ' if where else ''}{one.sentence}"


def _why_lines(answer: Explanation, printed: str) -> Iterable[str]:
    order = {name: value for name, value in answer.order.items() if name != "as"}
    yield f"#{answer.position} {answer.record.text}" + ("" if answer.counts else "  (no longer counts)")
    yield f"  by:    {answer.seat}, {moment(answer.at)}"
    yield f"  at:    {answer.where}"
    yield f"  rule:  {answer.record.rule or printed or 'none named'}"
    if answer.sentence:
        yield f"  text:  {answer.sentence}"
    yield f"  order: {msgspec.json.encode(order).decode() if order else 'not recorded, or not visible to this seat'}"
    for one in answer.beside:
        yield f"  {'then' if one.position > answer.position else 'after'}:  #{one.position} {one.text}"


@click.command(cls=Explained)
@game_argument
@click.argument("unit_id", metavar="ID")
@seat_option
@ledger_option
@table_options
@json_option
def unit(game_id: str, unit_id: str, seat: str, where: str, as_json: bool) -> None:
    """Show the history of one unit.

    It lists each placement, move, roll, change and removal, with seat, step and rule.

    \b
    Example:
      umpire unit harbour athens-5
    """
    with looking(where, game_id, seat) as looker:
        told = looker.unit(unit_id)
    now, moments = told.now, told.life
    if as_json:
        print_json({"id": unit_id, "now": _unit(now), "life": moments})
        return
    if now is not None:
        state = f"{now.fate}, last at {now.at}" if now.fate else f"at {now.at}"
        say(f"{unit_id} · {now.kind} of {now.side} · {state}")
    rows = [(f"#{one.position}", one.turn or "", one.step, one.seat, one.text, one.rule) for one in moments]
    print_table(("record", "turn", "step", "seat", "event", "rule"), rows)


def _unit(now: Unit | None) -> dict[str, Any] | None:
    if now is None:
        return None
    return {"side": now.side, "kind": now.kind, "at": now.at, "fate": now.fate, "attributes": dict(now.attributes)}


@click.command(cls=Explained)
@game_argument
@click.argument("account_id", metavar="ID")
@seat_option
@ledger_option
@table_options
@json_option
def account(game_id: str, account_id: str, seat: str, where: str, as_json: bool) -> None:
    """Show the entries of an account, turn by turn.

    Each turn has an opening balance, its entries and the closing balance. `umpire status GAME` lists the accounts.

    \b
    Example:
      umpire account harbour vp/athens
    """
    with looking(where, game_id, seat) as looker:
        turns = looker.account(account_id)
    if as_json:
        print_json({"id": account_id, "balance": turns[-1].closing, "turns": turns})
        return
    say(f"{account_id}: {turns[-1].closing}")
    print_table(
        ("turn", "record", "step", "seat", "amount", "balance", "reason"), _statement_rows(turns), empty="no entries"
    )


def _statement_rows(turns: Iterable[TurnStatement]) -> Iterable[Sequence[object]]:
    for turn in turns:
        yield turn.turn or "setup", "", "", "", "", turn.opening, "opening balance"
        for one in turn.entries:
            yield "", f"#{one.position}", one.step, one.seat, f"{one.amount:+d}", one.after, one.cause


@click.command(cls=Explained)
@game_argument
@click.option("--all", "all_lines", is_flag=True, help="Include rolls on abandoned branches.")
@click.option("--by", "author", default="", metavar="SEAT", help="List rolls by this seat.")
@click.option("--totals", "only_totals", is_flag=True, help="Print the totals only.")
@seat_option
@ledger_option
@table_options
@json_option
def dice(game_id: str, all_lines: bool, author: str, only_totals: bool, seat: str, where: str, as_json: bool) -> None:
    """List every roll, with totals.

    Totals are by die, seat and purpose. χ² compares the faces with equal chances; p is the chance that fair dice are at
    least this uneven. Umpire warns if a face is expected fewer than five times. Reused rolls, whose old results a
    rewind kept, count once. Below the totals are the dice seeds, and earlier games of the same scenario that no one
    played: opening many games is a way to choose the dice.

    \b
    Example:
      umpire dice harbour --totals
    """
    with looking(where, game_id, seat) as looker:
        found = looker.dice(by=author, all_lines=all_lines)
    rolls, sums = found.rolls, found.totals
    if as_json:
        before = {"openings_before": found.openings_before, "unplayed": found.unplayed}
        listed = [] if only_totals else [one.plain for one in rolls]
        print_json({"rolls": listed, "totals": sums, "seeds": found.seeds, **before})
        return
    if not only_totals:
        print_table(("roll", "record", "turn", "step", "seat", "result"), map(_roll_row, rolls), empty="no rolls")
        say("")
    print_table(
        ("by", "name", "rolls", "dice", "faces", "mean", "χ²", "df", "p", "note"),
        map(_total_row, sums),
        empty="no rolls",
    )
    if found.seeds:
        say("")
        print_table(("seed", "committed", "revealed", "rolls"), map(_seed_row, found.seeds), empty="no seeds")
    if found.openings_before:
        games = f": {', '.join(found.unplayed)}" if found.unplayed else ""
        again = counted(found.openings_before, "opening")
        say("", f"Note: {again} of the same scenario before this one, not played{games}")


def _seed_row(one: DiceEpoch) -> Sequence[object]:
    thrown = f"{one.rolls[0]} to {one.rolls[-1]}" if len(one.rolls) > 1 else "".join(map(str, one.rolls))
    return f"{one.commitment[:16]}…", f"#{one.position}", f"#{one.opened}" if one.opened else "", thrown


def _roll_row(one: ThrownRoll) -> Sequence[object]:
    number = f"#{one.position}" if one.counts else f"(#{one.position})"
    kept = f" (reused from #{one.kept})" if one.kept else ""
    return one.roll, number, one.turn or "", one.step, one.seat, f"{one.text}{kept}"


def _total_row(total: Total) -> Sequence[object]:
    f = total.faces
    name = total.name if total.of == "die" else f"{total.name} ({f.die})"
    counts = " ".join(map(str, f.counts)) if len(f.counts) <= 12 else f"{min(f.counts)} to {max(f.counts)} each"
    return (
        total.of,
        name,
        total.rolls,
        f.dice,
        counts,
        f"{f.mean:.2f}",
        f"{f.chi_square:.2f}",
        f.degrees,
        f"{f.p:.3f}",
        f.warning,
    )


@click.command(cls=Explained)
@game_argument
@click.argument("who", metavar="SEAT")
@click.argument("at", metavar="#N")
@seat_option
@ledger_option
@table_options
@json_option
def known(game_id: str, who: str, at: str, seat: str, where: str, as_json: bool) -> None:
    """Show what a seat knew at a position.

    Umpire shows the game as the seat could see it, the seat's secrets, and records that had been undone by then. The
    log does not show whether the seat looked. The seat, its side and the referee may ask; if secrets are closed to the
    referee, the referee may not.

    \b
    Example:
      umpire known harbour athens '#412'
    """
    n = position(at) or 0
    with looking(where, game_id, seat) as looker:
        asked = looker.knew(who, n)
    view, found = msgspec.to_builtins(asked.view), asked.knew
    if as_json:
        print_json({"game": game_id, "seat": who, "position": n, "view": view, **msgspec.structs.asdict(found)})
        return
    say_wrapped(status_lines({**view, "game": game_id, "since": []}))
    for label, learnt in (("secrets", found.secrets), ("seen, then undone", found.undone)):
        if learnt:
            print_table(("record", "seat", label), [(f"#{one.position}", one.seat, one.text) for one in learnt])
    hidden = [f"#{one}" for one in found.hidden]
    say(f"hidden from {who}: {', '.join(hidden) or 'no records'}")


@click.command(cls=Explained)
@game_argument
@click.argument("who", metavar="[SEAT]", default="")
@seat_option
@ledger_option
@table_options
@json_option
def since(game_id: str, who: str, seat: str, where: str, as_json: bool) -> None:
    """List orders since a seat last looked.

    A seat looks with `umpire status`. Without SEAT, Umpire takes the seat of --as. You see only what that seat may see.

    \b
    Example:
      umpire since harbour athens --as athens
    """
    with looking(where, game_id, seat) as looker:
        news = looker.since(who)
    who = news.seat
    start, lines = news.looked, news.since
    if as_json:
        print_json({"game": game_id, "seat": who, "looked": start, "since": lines})
        return
    say(f"{who} last looked at #{start}" if start else f"{who} has not looked yet")
    print_table(("record", "order"), [(f"#{one.position}", one.text) for one in lines], empty="no orders")
