"""Handle disputes, the records that depend on them, and rulings (`umpire dispute`, `rule`, `rulings`)."""

from collections.abc import Iterable, Sequence
from typing import Any

import click
import msgspec

import umpire_ledger as umpire
from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.options import (
    game_argument,
    json_option,
    ledger_option,
    order_id_option,
    position,
    seat_option,
    table_options,
    whole,
)
from umpire_ledger.cli.order import is_json
from umpire_ledger.cli.outcome_text import say_outcome
from umpire_ledger.cli.printing import print_json, print_table, say
from umpire_ledger.cli.rewinding import dice_option, target
from umpire_ledger.cli.session import giving, looking
from umpire_ledger.desk.orders.order_files import read_order_json
from umpire_ledger.domain.game.events import DicePolicy, Grounds
from umpire_ledger.projections.questions.dependency.model import LAST_TOUCH
from umpire_ledger.projections.questions.record_explanation import DependentOrder
from umpire_ledger.projections.reports.disputes import DisputeLine, RulingLine

GROUNDS: dict[str, Grounds] = {"house": "house rule", "official": "official answer", "printed": "printed rule"}


@click.group()
def dispute() -> None:
    """Open, show, list and settle disputes.

    A dispute is an objection to records, the contested records. Play continues until the referee decides.

    \b
    Examples:
      umpire dispute open harbour '#303' --claim "too far" --as syracuse
      umpire dispute show harbour d1
    """


@dispute.command("open", cls=Explained)
@game_argument
@click.argument("records", nargs=-1, required=True, metavar="#N…")
@click.option("--claim", required=True, metavar="REASON", help="State what is wrong with the records.")
@click.option("--rule", default="", metavar="RULE", help="Rule number in question.")
@click.option("--id", "dispute_id", default="", metavar="ID", help="Id of the dispute. Default: d1, d2, …")
@seat_option
@order_id_option
@ledger_option
@json_option
def open_(
    game_id: str, records: tuple[str, ...], claim: str, rule: str, dispute_id: str, seat: str, where: str, as_json: bool
) -> None:
    """Open a dispute about one or more records.

    The records stay valid and play continues. Umpire shows earlier rulings on the same rule, from every game.

    \b
    Example:
      umpire dispute open harbour '#303' --claim "out of range" --as syracuse
    """
    with giving(where, game_id, seat) as giver:
        contested = [position(one) or 0 for one in records]
        outcome = giver.dispute(contested, claim, rule=rule, dispute=dispute_id)
        precedents = giver.game.desk.precedents(rule)
    say_outcome(outcome, as_json, more={"precedents": precedents})
    if not as_json:
        _say_precedents(precedents)


@dispute.command(cls=Explained)
@game_argument
@click.argument("dispute_id", metavar="DISPUTE")
@click.option(
    "--ruling", default="", metavar="TEXT", help="The referee's answer. Leave it out to withdraw your dispute."
)
@click.option("--why", default="", metavar="REASON", help="State the reason.")
@seat_option
@order_id_option
@ledger_option
@json_option
def settle(game_id: str, dispute_id: str, ruling: str, why: str, seat: str, where: str, as_json: bool) -> None:
    """Settle a dispute without a ruling, or withdraw yours.

    Use `umpire rule` to settle it with a ruling, the referee's decision on a rule.

    \b
    Examples:
      umpire dispute settle harbour d1 --ruling "the roll counts"
      umpire dispute settle harbour d1 --as syracuse
    """
    with giving(where, game_id, seat) as giver:
        outcome = giver.settle(dispute_id, ruling, why=why)
    say_outcome(outcome, as_json)


@dispute.command("list", cls=Explained)
@game_argument
@click.option("--open", "only_open", is_flag=True, help="List open disputes only.")
@seat_option
@ledger_option
@table_options
@json_option
def list_(game_id: str, only_open: bool, seat: str, where: str, as_json: bool) -> None:
    """List disputes, the oldest first.

    Disputes on branches that a rewind abandoned are listed too.

    \b
    Example:
      umpire dispute list harbour --open
    """
    with looking(where, game_id, seat) as looker:
        found = looker.disputes("open" if only_open else None)
    if as_json:
        print_json(found)
        return
    rows = [(one.dispute, _numbers(one.records), one.seat, one.rule, one.claim, _answer(one)) for one in found]
    print_table(("dispute", "records", "seat", "rule", "claim", "answer"), rows, empty="no disputes")


@dispute.command(cls=Explained)
@game_argument
@click.argument("dispute_id", metavar="DISPUTE")
@click.option("--direct", is_flag=True, help="List direct dependents (degree 1) only.")
@seat_option
@ledger_option
@table_options
@json_option
def show(game_id: str, dispute_id: str, direct: bool, seat: str, where: str, as_json: bool) -> None:
    """Show a dispute and the records that depend on it.

    A later order depends on a contested record if its result changes when it is decided without that record. Degree 2
    depends on degree 1, and so on. An order that cannot be decided again is listed by last touch: it changes or names
    the same unit, account, marker or choice.

    \b
    Example:
      umpire dispute show harbour d1
    """
    with looking(where, game_id, seat) as looker:
        page = looker.dispute_page(dispute_id, direct=direct)
    found, later, precedents = page.dispute, page.depends, page.precedents
    if as_json:
        print_json({**msgspec.structs.asdict(found), "depends": later, "precedents": precedents})
        return
    say(f"{found.dispute} · {found.seat} contests {_numbers(found.records)}: {found.claim}")
    say(f"answer: {_answer(found)}")
    _say_precedents(precedents)
    print_table(
        ("records", "degree", "turn", "step", "seat", "order", "reason"), map(listed_row, later), empty="no dependents"
    )


def listed_row(dependent: DependentOrder) -> Sequence[object]:
    """Return the table row of an order that depends on contested records."""
    what = dependent.order or (dependent.text[0] if dependent.text else "")
    because = "; ".join(dependent.why) + (" (by last touch)" if dependent.found_by == LAST_TOUCH else "")
    return (
        span(dependent.positions),
        dependent.degree,
        dependent.turn or "",
        dependent.step,
        dependent.seat,
        what,
        because,
    )


def span(positions: Sequence[int]) -> str:
    """Return the positions of one order as `#12` or `#12-#15`."""
    first, last = positions[0], positions[-1]
    return f"#{first}" if first == last else f"#{first}-#{last}"


def _numbers(positions: Iterable[int]) -> str:
    return ", ".join(f"#{one}" for one in positions)


def _answer(one: DisputeLine) -> str:
    if not one.settled:
        return "open; play continues"
    return f"#{one.settled} {one.ruling}" + (f" ({one.reason})" if one.reason else "")


# --- rulings ----------------------------------------------------------------------------------------------------------


@click.command(cls=Explained)
@game_argument
@click.argument("ruling", metavar="RULING")
@click.option("--why", required=True, metavar="REASON", help="State the reason. The audit trail shows it.")
@click.option(
    "--grounds",
    required=True,
    type=click.Choice(list(GROUNDS)),
    help="Basis of the ruling: house rule, official answer or printed rule.",
)
@click.option(
    "--rule", default="", metavar="RULE", help="Rule number that the ruling is about; `umpire rulings --rule` finds it."
)
@click.option("--overrides", default="", metavar="RULE", help="Step or rule that the ruling overrides.")
@click.option("--remedy", default="", metavar="TEXT", help="Describe the remedy in words.")
@click.option("--dispute", "dispute_id", default="", metavar="ID", help="Settle this dispute.")
@click.option("--order", "orders", multiple=True, metavar="ORDER", help="Carry out this order. Repeatable.")
@click.option("--rewind", "to", default="", metavar="#N|STEP", help="Rewind play to this position or step first.")
@dice_option
@click.option("--pips", default="", metavar="N,N…", help="Dice results from the table, if one of the orders rolls.")
@order_id_option
@ledger_option
@json_option
def rule(
    game_id: str,
    ruling: str,
    why: str,
    grounds: str,
    to: str,
    dice: DicePolicy | None,
    pips: str,
    where: str,
    as_json: bool,
    **more: Any,
) -> None:
    """Make a ruling and carry it out.

    A ruling is the referee's decision on a rules question. One command records the ruling, settles the dispute and
    carries out the remedy. Give each ORDER of the remedy as for `umpire order`, or as JSON. In a remedy, orders such as
    change, move, place, remove, pay, mark, choose and roll skip the rules, and their records are marked as overridden.
    Umpire shows earlier rulings on the same rule, from every game.

    \b
    Examples:
      umpire rule harbour "not burnt" --grounds printed --why "no wind"
      umpire rule harbour sunk --grounds house --why ram --order "remove athens-3"
    """
    carried = [_carried(one, number) for number, one in enumerate(more["orders"], 1)]
    if to:
        carried.insert(0, {"order": "rewind", "to": target(to)})
    with giving(where, game_id, "referee") as referee:
        earlier = referee.game.desk.precedents(more["rule"])
        outcome = referee.rule(
            ruling,
            why=why,
            grounds=GROUNDS[grounds],
            rule=more["rule"],
            overrides=more["overrides"],
            remedy=more["remedy"],
            dispute=more["dispute_id"],
            orders=carried,
            pips=_pips(pips),
            dice=dice,
        )
    say_outcome(outcome, as_json, more={"precedents": earlier})
    if not as_json:
        _say_precedents(earlier)


def _carried(text: str, number: int) -> str | dict[str, Any]:
    return read_order_json(text, where=f"--order {number}") if is_json((text,)) and text != "-" else text


def _pips(text: str) -> list[int] | None:
    if not text:
        return None
    parts = text.replace(",", " ").split()
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise click.BadParameter(f"{text!r} is not a list of dice results; write, for example, 3,5")
    return [whole(part, "a dice result") for part in parts]


def _say_precedents(found: Iterable[RulingLine]) -> None:
    for one in found:
        undone = "" if one.counts else ", since taken back"
        say(f"Earlier ruling on {one.rule or one.overrides}: {one.game} #{one.position}{undone}: {one.ruling}")


@click.command("rulings", cls=Explained)
@click.argument("game_id", metavar="[GAME]", required=False)
@click.option("--rule", default="", metavar="RULE", help="Find rulings on this rule number or step.")
@click.option("--text", default="", metavar="WORDS", help="Find rulings that contain all these words.")
@ledger_option
@table_options
@json_option
def rulings_(game_id: str | None, rule: str, text: str, where: str, as_json: bool) -> None:
    """Search rulings in all games.

    With GAME, search that game only. A ruling shown in parentheses no longer counts, because a rewind took it back.

    \b
    Examples:
      umpire rulings --rule 8.55
      umpire rulings harbour --text "fire"
    """
    with umpire.open(where, read_only=True) as desk:
        asked = desk.game(game_id).referee if game_id else desk
        found = asked.rulings(rule=rule, text=text)
    if as_json:
        print_json(found)
        return
    print_table(
        ("game", "record", "rule", "ruling", "grounds", "reason", "carried out"),
        map(_ruling_row, found),
        empty="no rulings",
    )


def _ruling_row(ruling: RulingLine) -> Sequence[object]:
    number = f"#{ruling.position}" if ruling.counts else f"(#{ruling.position})"
    about = ruling.rule or (f"against {ruling.overrides}" if ruling.overrides else "")
    game = f"{ruling.game} (and {', '.join(ruling.also)})" if ruling.also else ruling.game
    return game, number, about, ruling.ruling, ruling.grounds, ruling.reason, "; ".join(ruling.carried)
