"""End steps, play orders from a file or a prompt, and add notes (`umpire done`, `play`, `note`)."""

import re
import sys
from pathlib import Path
from typing import Any

import click
import msgspec

import umpire_ledger as umpire
from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.completion import complete_done
from umpire_ledger.cli.errors import usage
from umpire_ledger.cli.options import (
    AT_LEAST_ONE,
    INPUT_FILE,
    STANDARD_INPUT,
    game_argument,
    json_option,
    ledger_option,
    order_id_option,
    position,
    records_option,
    seat_option,
)
from umpire_ledger.cli.outcome_text import OTHER_DICE, say_outcome
from umpire_ledger.cli.printing import print_json, say
from umpire_ledger.cli.session import follow, giving, say_archived, sign_with_own_keys
from umpire_ledger.domain.game.verb_agreement import counted


class Completed(Explained):
    """A command with completion after an option without its value. Click alone would lose the typed words there."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        valued = {name for one in self.params if isinstance(one, click.Option) and not one.is_flag for name in one.opts}
        lacks = ctx.resilient_parsing and bool(args) and args[-1] in valued
        return super().parse_args(ctx, [*args, ""] if lacks else args)


@click.command(cls=Completed)
@game_argument
@click.argument("words", metavar="[ANSWER]", nargs=-1, shell_complete=complete_done)
@click.option(
    "--answer",
    default="",
    metavar="ANSWER",
    shell_complete=complete_done,
    help="Answer to the step's question, as an option.",
)
@click.option(
    "--step", default="", metavar="STEP", shell_complete=complete_done, help="End this step, if several are open."
)
@click.option(
    "--until",
    default="",
    metavar="STEP",
    shell_complete=complete_done,
    help="End all steps before this step or phase.",
)
@click.option("--rest", is_flag=True, help="End all steps to the end of this phase.")
@records_option
@seat_option
@order_id_option
@ledger_option
@json_option
def done(
    game_id: str,
    words: tuple[str, ...],
    answer: str,
    step: str,
    until: str,
    rest: bool,
    records: bool,
    seat: str,
    where: str,
    as_json: bool,
) -> None:
    """End the current step.

    Your side ends its step, with an ANSWER if the step asks a question. With --until or --rest you end several steps in
    one order; `umpire undo` takes all of them back. Umpire stops at the first step that needs an action, an answer, a
    choice or another side and lists what your side forfeits. --until stays in force while other sides act, until
    someone on your side acts or would forfeit something.

    \b
    Examples:
      umpire done harbour --as athens
      umpire done border-war --rest --as coalition
      umpire done border-war --until 3B2 --as coalition
    """
    if words and answer:
        raise click.UsageError(f"give one answer: {' '.join(words)} or --answer {answer}")
    with giving(where, game_id, seat) as giver:
        outcome = giver.done(answer or " ".join(words), step=step, until=until, rest=rest)
    say_outcome(outcome, as_json, records=records)


@click.command(cls=Explained)
@game_argument
@click.argument("file", metavar="[FILE]", required=False, type=INPUT_FILE)
@click.option(
    "--check", is_flag=True, help="Try the orders and record nothing. The dice use a different seed from the game's."
)
@click.option("--from", "first", type=AT_LEAST_ONE, default=1, metavar="LINE", help="Start with this line of the file.")
@click.option("--again", is_flag=True, help="Play all orders of the file again, even recorded ones, with new dice.")
@click.option("--resume", is_flag=True, help="Continue a file that was renamed or moved: skip its recorded orders.")
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write each order accepted at the prompt to this file.",
)
@seat_option
@ledger_option
@json_option
def play(
    game_id: str,
    file: Path | None,
    check: bool,
    first: int,
    again: bool,
    resume: bool,
    record: Path | None,
    seat: str,
    where: str,
    as_json: bool,
) -> None:
    """Play a file of orders, or type them at a prompt.

    FILE has one order per line, in JSON. Umpire stops at the first refused order and names its line; the orders before
    it are recorded. Correct that line and play the file again: recorded orders are skipped and listed. Only the referee
    may play orders of several seats. Without FILE, a prompt takes the commands of the shell, without `umpire` and GAME;
    ? explains them.

    \b
    Examples:
      umpire play harbour orders.jsonl
      umpire play harbour orders.jsonl --from 12
      umpire play harbour moved/orders.jsonl --resume
      umpire play harbour --as athens --record evening.jsonl
    """
    if file is None:
        _verify_prompt(game_id, check or again or resume or as_json or first > 1)
        _converse(where, game_id, seat, record)
        return
    if record is not None:
        raise usage("--record is for the prompt", where=f"umpire play {game_id}", remedy="remove --record or FILE")
    is_stream = file.name == STANDARD_INPUT
    _verify_file_options(game_id, again, resume, is_stream)
    with umpire.open(where, read_only=check) as desk:
        sign_with_own_keys(desk)
        game = desk.game(game_id)
        try:
            played = game.play(
                file, hand=seat, check=check, first=first, again=again, resume=resume, stream=is_stream and not again
            )
        finally:
            if not check:
                follow(game)
                say_archived(game)
    if as_json:
        print_json({"game": game_id, **_plain(played), "recorded": not check})
        return
    _say_played(game_id, file.name, played, check)


def _verify_prompt(game_id: str, for_files: bool) -> None:
    """Check that there is a terminal, and no option that needs a file.

    Raises:
        Refusal: When there is no terminal, or when an option needs a file.
    """
    where = f"umpire play {game_id}"
    if for_files:
        what = "--check, --from, --again, --resume and --json require an order file"
        raise usage(what, where=where, remedy="name the file, or leave them out to use the prompt")
    if not sys.stdin.isatty() or not sys.stdout.isatty():
        what = "there is no order file and no terminal"
        raise usage(what, where=where, remedy="name a file; - is standard input")


def _verify_file_options(game_id: str, again: bool, resume: bool, is_stream: bool) -> None:
    """Check the options for a file.

    Raises:
        Refusal: When options exclude each other.
    """
    if resume and (again or is_stream):
        what = (
            "--resume and --again cannot be combined"
            if again
            else "--resume needs a file: standard input is always played in full"
        )
        raise usage(what, where=f"umpire play {game_id}", remedy="leave one of them out" if again else "name the file")


def _converse(where: str, game_id: str, seat: str, record: Path | None) -> None:
    from umpire_ledger.cli.line_history import history_of  # noqa: PLC0415 -- 0.5 ms: a file needs no prompt
    from umpire_ledger.cli.line_input import reader_for  # noqa: PLC0415 -- 1 ms: a file needs no prompt
    from umpire_ledger.cli.prompt import Conversation, offers_for  # noqa: PLC0415 -- 8 ms: a file needs no prompt

    with umpire.open(where) as desk:
        sign_with_own_keys(desk)
        sits = desk.game(game_id).seat(seat)
        Conversation(sits, reader_for(offers_for(sits), history_of(where, game_id, seat)), record).run()


def _plain(played: umpire.Played) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(played)
    return plain


SKIPPED = {
    "recorded": "recorded from this file before",
    "amended": "amended since it was recorded",
    "rewound": "rewound since it was recorded, while later orders of this file are valid",
    "same id": "recorded before under the same id",
}


def _say_played(game_id: str, name: str, played: umpire.Played, check: bool) -> None:
    for reason, words in SKIPPED.items():
        if lines := [one for one in played.skipped if one.reason == reason]:
            say(f"{name}: skipped {counted(len(lines), 'order')}, {words}: {_lines_text(lines)}")
    said = f"{counted(played.orders, 'order')} {'would be accepted' if check else 'recorded'}"
    again = f", {played.repeated} recorded before" if played.repeated else ""
    say(f"{game_id}: {said}{again}; #{played.position} · {played.where}")
    if played.other_dice:
        say(OTHER_DICE)


def _lines_text(lines: "list[umpire.SkippedLine]") -> str:
    """Return lines with their positions, consecutive lines as a range: `line 1 (#4), lines 3-5 (#6-#9)`."""
    runs: list[list[umpire.SkippedLine]] = []
    for one in lines:
        if runs and one.line == runs[-1][-1].line + 1 and one.position >= runs[-1][-1].position:
            runs[-1].append(one)
        else:
            runs.append([one])
    return ", ".join(_run_text(run[0], run[-1]) for run in runs)


def _run_text(first: "umpire.SkippedLine", last: "umpire.SkippedLine") -> str:
    if first is last:
        return f"line {first.line} (#{first.position})"
    return f"lines {first.line}-{last.line} (#{first.position}-#{last.position})"


@click.command(cls=Explained)
@game_argument
@click.argument("text", metavar="TEXT")
@click.option("--about", default="0", metavar="N", help="Position of the record that the note is about.")
@click.option("--instead-of", default="0", metavar="N", help="Replace your own mistyped note at this position.")
@click.option(
    "--to",
    default="",
    metavar="SEAT,…",
    help="Show the text to these seats only, and to the referee unless secrets are closed to the referee.",
)
@click.option(
    "--arrives", default="", metavar="TURN", help="Deliver it when this turn or step begins: 'turn 4', 'turn 4 E.2'."
)
@click.option(
    "--if", "condition", default="", metavar="CONDITION", help="Seal it as an order that applies under this condition."
)
@seat_option
@order_id_option
@ledger_option
@json_option
def note(
    game_id: str,
    text: str,
    about: str,
    instead_of: str,
    to: str,
    arrives: str,
    condition: str,
    seat: str,
    where: str,
    as_json: bool,
) -> None:
    """Add a note, private note or courier message.

    A note changes nothing in the game. A private note (--to) shows others its author and readers, not its text. A
    courier message (--to, --arrives) reaches its readers when that turn or step begins. Sealed orders (--if) stay
    secret until you reveal them with `umpire reveal`.

    \b
    Examples:
      umpire note harbour "Athens offered a draw" --about 412
      umpire note harbour "We sail at dawn" --to corinth,referee --as athens
      umpire note harbour "Hold on" --to corinth --arrives "turn 4" --as athens
      umpire note harbour "Withdraw to 0608" --if "we are attacked" --as athens
    """
    readers = [one.strip() for one in to.split(",") if one.strip()]
    if to and not readers:
        remedy = "name a seat, or remove --to for a public note"
        raise usage(f"--to {to!r} names no seat", where=f"umpire note {game_id}", remedy=remedy)
    with giving(where, game_id, seat) as giver:
        if condition or arrives:
            _verify_alone(game_id, condition, arrives, to, position(about) or position(instead_of))
            sent = giver.seal_words(text, condition) if condition else None
            outcome = sent or giver.send_message(text, readers, **_arrival_in(game_id, arrives))
        else:
            outcome = giver.note(text, about=position(about) or 0, instead_of=position(instead_of) or 0, to=readers)
    say_outcome(outcome, as_json)


def _verify_alone(game_id: str, condition: str, arrives: str, to: str, place: int | None) -> None:
    """Check the options of a note.

    Raises:
        Refusal: When options exclude each other.
    """
    where = f"umpire note {game_id}"
    if condition and (to or arrives or place):
        raise usage("--if cannot be combined with other options", where=where, remedy="remove the other options")
    if arrives and (not to or place):
        raise usage("--arrives requires --to and no other option", where=where, remedy="name the readers: --to SEAT")


def _arrival_in(game_id: str, said: str) -> dict[str, Any]:
    """Return the turn and the optional step in a text such as `turn 4`, `4` or `turn 4 E.2`.

    Raises:
        Refusal: When it is not a turn.
    """
    found = ARRIVAL.fullmatch(said.strip())
    if found is None:
        remedy = 'name the turn, and a step if you like: --arrives "turn 4", --arrives "turn 4 E.2"'
        raise usage(f"{said} is not a turn", where=f"umpire note {game_id}", remedy=remedy)
    return {"arrives": int(found[1]), "step": found[2] or ""}


ARRIVAL = re.compile(r"(?:turn\s*)?([0-9]{1,15})(?:\s+(?:at\s+)?(\S+))?", re.IGNORECASE)
