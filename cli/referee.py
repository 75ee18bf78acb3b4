"""Seal, reveal and peek, and list the referee's interventions (`umpire seal`, `reveal`, `peek`, `referee`)."""

import os
from pathlib import Path

import click

from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.errors import usage
from umpire_ledger.cli.options import (
    OUTPUT_FILE,
    game_argument,
    json_option,
    ledger_option,
    order_id_option,
    position,
    seat_option,
    table_options,
)
from umpire_ledger.cli.outcome_text import say_outcome
from umpire_ledger.cli.printing import print_json, print_table, say
from umpire_ledger.cli.session import giving, looking
from umpire_ledger.desk.logs.log_files import referee_acts_in
from umpire_ledger.desk.signing.checkpoints import verify_replaceable
from umpire_ledger.ledger.signed_note import SignedNote
from umpire_ledger.projections.reports.referee import RefereeAct, count_words, counted


@click.command(cls=Explained)
@game_argument
@click.option(
    "-o",
    "--output",
    type=OUTPUT_FILE,
    metavar="FILE",
    help="Write the checkpoint to this file. An older checkpoint without other signatures is replaced.",
)
@seat_option
@order_id_option
@ledger_option
@json_option
def seal(game_id: str, output: Path | None, seat: str, where: str, as_json: bool) -> None:
    """Accept all records so far and get a checkpoint.

    A seal is a seat's agreement to all records so far. After it, only the referee (with a reason) or all sides together
    can take them back. The checkpoint is three lines with the size and root hash of the game's log: keep it, and
    `umpire verify GAME --checkpoint FILE` shows at any time whether the ledger or an export still has that history. If
    the seat has a key, Umpire signs the checkpoint, and others can add signatures with `umpire key cosign`.

    \b
    Example:
      umpire seal harbour --as athens -o athens.checkpoint
    """
    with giving(where, game_id, seat) as giver:
        if output is not None:
            verify_replaceable(output, giver.game.id, seat, giver.signs_with)
        outcome, checkpoint = giver.seal()
        note = giver.game.signed_checkpoint(seat, checkpoint.size)
    if output is not None:
        _keep(output, note)
    file = str(output or "")
    said = {"checkpoint": checkpoint.text(), "size": checkpoint.size, "root": checkpoint.hex, "file": file}
    say_outcome(outcome, as_json, more={**said, **({"note": note.written()} if note.signatures else {})})
    if not as_json:
        signed = f", signed by {seat}" if note.signatures else ""
        say(*([f"Wrote the checkpoint to {output}{signed}."] if output else note.written().splitlines()))


def _keep(file: Path, note: SignedNote) -> None:
    try:
        file.write_text(note.written(), encoding="utf-8")
    except OSError as error:
        remedy = "the seal is recorded; seal again after the next record, with a writable file"
        raise usage(f"{file} cannot be written: {error.strerror}", remedy=remedy) from error


@click.command(cls=Explained)
@game_argument
@click.argument("sealed", metavar="[N]", default="0")
@click.option("--withdraw", is_flag=True, help="Withdraw your own sealed orders, unread.")
@click.option(
    "--all", "everything", is_flag=True, help="Reveal all secrets after the end of the game, except dice seeds."
)
@seat_option
@order_id_option
@ledger_option
@json_option
def reveal(game_id: str, sealed: str, withdraw: bool, everything: bool, seat: str, where: str, as_json: bool) -> None:
    """Reveal sealed orders, or all secrets at the end.

    Without N, list the sealed orders that are still secret. With N, reveal the one at position N to all players. With
    --all, reveal everything after the end of the game: private notes, secret choices and secret rolls. The referee does
    this. If secrets are closed to the referee, each side must agree, and the last side's agreement reveals everything.
    A rewind does not hide revealed secrets. The order `reveal` reveals one secret choice; the order `open-dice` reveals
    a dice seed.

    \b
    Examples:
      umpire reveal harbour
      umpire reveal harbour 412
      umpire reveal harbour 412 --withdraw --as athens
      umpire reveal harbour --all
    """
    at = position(sealed) or 0
    if (everything and (at or withdraw)) or (withdraw and not at):
        what = "--all and N cannot be combined, and --withdraw needs N"
        raise usage(what, where=f"umpire reveal {game_id}", remedy="give only one of them")
    if not (everything or at):
        _list_sealed(where, game_id, seat, as_json)
        return
    with giving(where, game_id, seat) as giver:
        outcome = giver.open_secrets() if everything else giver.open_words(at, withdraw=withdraw)
    say_outcome(outcome, as_json)


def _list_sealed(where: str, game_id: str, seat: str, as_json: bool) -> None:
    with looking(where, game_id, seat) as looker:
        waiting = [one for one in looker.sealed_words() if not one.opened]
    if as_json:
        print_json(waiting)
        return
    rows = [(f"#{one.position}", one.side, one.condition, one.text) for one in waiting]
    print_table(("record", "side", "if", "then"), rows, empty="no sealed orders")


@click.command(cls=Explained)
@game_argument
@click.argument("who", metavar="SEAT")
@click.option("--why", required=True, metavar="REASON", help="State the reason. The audit trail shows it.")
@order_id_option
@ledger_option
@table_options
@json_option
def peek(game_id: str, who: str, why: str, where: str, as_json: bool) -> None:
    """Look at a seat's secrets (this is recorded).

    A public record shows all players that the referee looked, before Umpire shows the secrets. If secrets are closed to
    the referee, this is the referee's only way to see them. Umpire cannot prevent other looks: anyone who can read the
    ledger's file can read its secrets.

    \b
    Example:
      umpire peek harbour athens --why "they say they chose the left flank"
    """
    with giving(where, game_id, "referee") as giver:
        outcome, secrets = giver.peek(who, why=why)
    say_outcome(outcome, as_json, more={"secrets": secrets})
    if not as_json:
        print_table(("record", "seat", f"secrets of {who}"), [(f"#{s.position}", s.seat, s.text) for s in secrets])


@click.command(cls=Explained)
@click.argument("what", metavar="GAME|FILE")
@seat_option
@ledger_option
@table_options
@json_option
def referee(what: str, seat: str, where: str, as_json: bool) -> None:
    """List the referee's overrides, edits and peeks.

    An override goes against a rule; an edit changes the game without one; a peek is a look at a seat's secrets; a
    correction undoes or restores orders. Umpire counts them by side, including undone ones. You can also name a
    replay log.

    \b
    Examples:
      umpire referee harbour
      umpire referee harbour.jsonl
    """
    listed = _acts(what, where, seat)
    totals = counted(listed)
    if as_json:
        print_json({"counts": totals, "acts": listed})
        return
    say(f"{what}: {count_words(totals)}")
    columns = ("side", *totals["all"])
    print_table(columns, [(side, *(number or "" for number in kinds.values())) for side, kinds in totals.items()])
    if listed:
        say("")
        print_table(
            ("record", "kind", "sides", "event", "reason"),
            [(f"#{act.position}", act.kind, ", ".join(act.sides), act.text, act.reason) for act in listed],
        )


def _acts(what: str, where: str, seat: str) -> list[RefereeAct]:
    if os.path.isfile(what):
        return referee_acts_in(Path(what))
    with looking(where, what, seat) as looker:
        return looker.referee_acts()
