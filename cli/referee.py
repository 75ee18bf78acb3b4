"""Seal, reveal and peek, and list the referee's interventions (`umpire seal`, `reveal`, `peek`, `referee`)."""

import os
from pathlib import Path

import click

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


@click.command()
@game_argument
@click.option("-o", "--output", type=OUTPUT_FILE, metavar="FILE", help="Keep the checkpoint there.")
@seat_option
@order_id_option
@ledger_option
@json_option
def seal(game_id: str, output: Path | None, seat: str, where: str, as_json: bool) -> None:
    """Accept everything in GAME up to here, and get the three-line checkpoint that you keep.

    What is sealed is undone only by the referee, with a reason, or when all sides consent. Whoever keeps the three
    lines can have `umpire verify GAME --checkpoint FILE` say, now or in years, whether the ledger or an export still
    holds exactly that history. The checkpoint covers the seal itself. A seat with a key signs it: then it is a signed
    note (C2SP), others may sign below (`umpire key cosign`), and `verify` says who vouches. FILE may hold an older
    checkpoint of the game that nobody else has signed; anything else is left as it is, and nothing is sealed.

    Example: umpire seal harbour --as athens -o athens.checkpoint
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
        say(*([f"checkpoint in {output}{signed}"] if output else note.written().splitlines()))


def _keep(file: Path, note: SignedNote) -> None:
    try:
        file.write_text(note.written(), encoding="utf-8")
    except OSError as error:
        remedy = "the seal is recorded; give it again after the next record, with a file that can be written"
        raise usage(f"{file} cannot be written: {error.strerror}", remedy=remedy) from error


@click.command()
@game_argument
@click.argument("sealed", metavar="[N]", default="0")
@click.option("--withdraw", is_flag=True, help="Take your own sealed words back, unread.")
@click.option("--all", "everything", is_flag=True, help="Everything that only some could see; a seed stays closed.")
@seat_option
@order_id_option
@ledger_option
@json_option
def reveal(game_id: str, sealed: str, withdraw: bool, everything: bool, seat: str, where: str, as_json: bool) -> None:
    """Open to everybody the words that were sealed at position N of GAME; without N: list those that wait.

    With --all everything is laid open when the game is over: private words, sealed answers, dice thrown in secret. The
    referee does it; where secrets are closed to the referee, every side for itself, and the last opens all. From then
    on every seat's view and export is whole. What is open stays open, whatever is rewound. A seed of the ledger's dice
    has an order of its own, `open-dice`. One sealed answer is laid open by the order `reveal`, at any time.

    \b
    Examples:
      umpire reveal harbour
      umpire reveal harbour 412
      umpire reveal harbour 412 --withdraw --as athens
      umpire reveal harbour --all
    """
    at = position(sealed) or 0
    if (everything and (at or withdraw)) or (withdraw and not at):
        what = "--all opens everything, N one thing, and --withdraw needs N"
        raise usage(what, where=f"umpire reveal {game_id}", remedy="give one of them")
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
    print_table(("record", "side", "if", "then"), rows)


@click.command()
@game_argument
@click.argument("who", metavar="SEAT")
@click.option("--why", required=True, metavar="WORDS", help="The reason; it stays in the audit trail.")
@order_id_option
@ledger_option
@table_options
@json_option
def peek(game_id: str, who: str, why: str, where: str, as_json: bool) -> None:
    """Let the referee look at what only SEAT may know; that it was done is a record which everybody sees.

    In a game with secrets closed to the referee this is the referee's only way to them. It is recorded before
    anything is shown. Naming a seat with --as is a matter of honour at the command line: whoever holds the ledger's
    file can read it.

    Example: umpire peek harbour athens --why "they say they chose the left flank"
    """
    with giving(where, game_id, "referee") as giver:
        outcome, secrets = giver.peek(who, why=why)
    say_outcome(outcome, as_json, more={"secrets": secrets})
    if not as_json:
        print_table(("record", "by", f"for the eyes of {who}"), [(f"#{s.position}", s.seat, s.text) for s in secrets])


@click.command()
@click.argument("what", metavar="GAME|FILE")
@seat_option
@ledger_option
@table_options
@json_option
def referee(what: str, seat: str, where: str, as_json: bool) -> None:
    """List what the referee did against or beside the rules in a GAME, or in a replay log, and count it by side.

    An override goes against a rule; an edit changes what lies on the table without one; a peek looks at a side's
    secrets; a correction takes orders back or puts them back. Undone ones are listed too: they were done.

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
            ("record", "kind", "sides", "what", "reason"),
            [(f"#{act.position}", act.kind, ", ".join(act.sides), act.text, act.reason) for act in listed],
        )


def _acts(what: str, where: str, seat: str) -> list[RefereeAct]:
    if os.path.isfile(what):
        return referee_acts_in(Path(what))
    with looking(where, what, seat) as looker:
        return looker.referee_acts()
