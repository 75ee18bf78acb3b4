"""Play at a terminal (`umpire play GAME`): each line is an order in its short form, or one of these commands.

(empty)          the state of play, required actions, suggested orders
?  ? ORDER       the orders that can be given now; one order explained
u  u 2  u WHY    undo the last order, or the last two; after a roll, the referee gives a reason
status           the whole turn view; also `why 60`, `audit --last 5`, `units` and other commands that read
dispute open 60  a shell command with its options; also `rule`, `amend`, `decline`, `case`
q, Ctrl-D        leave; every acknowledged order is recorded
"""

import shlex
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

import umpire_ledger as umpire
from umpire_ledger.cli.errors import refusal_of
from umpire_ledger.cli.interrupts import Interrupts
from umpire_ledger.cli.line_history import Offer
from umpire_ledger.cli.line_input import LineReader
from umpire_ledger.cli.order_help import help_on_game, help_on_order
from umpire_ledger.cli.outcome_text import end_lines, told_lines
from umpire_ledger.cli.printing import say, say_wrapped
from umpire_ledger.cli.prompt_looks import (
    ALWAYS,
    LOOKS,
    MARKS,
    command_help,
    is_look,
    is_shell_form,
    look,
    no_order,
    run_command,
)
from umpire_ledger.cli.status_text import status_lines
from umpire_ledger.desk.core.errors import EXPECTED, WrongUse
from umpire_ledger.desk.core.tokenizer import split
from umpire_ledger.desk.orders.file_lines import RecordedFile
from umpire_ledger.desk.orders.order_files import read_order_json
from umpire_ledger.domain.game.verb_agreement import counted
from umpire_ledger.projections.record.escaping import inert

LEAVE = ("q", "quit", "exit")
HELP = ("?", "help", "--help")
AT_LENGTH: dict[str, Any] = {
    "sides": (),
    "accounts": {},
    "markers": {},
    "ours": (),
    "choices": (),
    "since": (),
    "last": (),
}
"""Parts of the turn view that only `status` shows."""
MOST_IDEAS = 6


class Conversation:
    """A session at the prompt for a seat of a game. `record`: a file to which every accepted order is written."""

    def __init__(self, seat: umpire.Seat, reader: LineReader, record: Path | None = None) -> None:
        self.seat = seat
        self.game = seat.game
        self.reader = reader
        self.record = RecordedFile(self.game.ledger, self.game.id, record, seat.name) if record else None
        self.seen = self.game.size
        self._own = set[str]()
        """The ids of the orders that were given here."""
        self._interrupts = Interrupts()

    def run(self) -> None:
        """Answer lines until the input ends or the user leaves."""
        with self._interrupts:
            self._run()

    def _run(self) -> None:
        say(f"{self.game.id} · {self.game.name} · you are {self.seat.name}")
        say_wrapped(self._standing())
        say("Empty line: current step · ?: help · u: undo · Tab: complete · Ctrl-D: quit")
        while True:
            self._tell_news()
            try:
                with self._interrupts.allowed():
                    line = self.reader.read(self._label())
            except KeyboardInterrupt:
                say("no order given; Ctrl-D quits")
                continue
            except EOFError:
                say("")
                return
            if not self._answer_all(_lines_in(line)):
                return

    def _answer_all(self, lines: list[str]) -> bool:
        """Answer the lines of a pasted text up to the first error; return False if the user leaves."""
        for number, line in enumerate(lines, 1):
            if line in LEAVE:
                return False
            if not self._answer(line):
                if left := len(lines) - number:
                    say(f"{counted(left, 'line')} after it {'was' if left == 1 else 'were'} skipped", err=True)
                break
        return True

    def _answer(self, line: str) -> bool:
        """Answer a line; print an expected error. Return whether the line was accepted."""
        try:
            word, _, rest = line.partition(" ")
            if not line:
                say_wrapped([*self._standing(), *self._ideas()])
            elif word in HELP or rest.strip() == "?":
                say_wrapped(self._explained(rest.strip() if word in HELP else word), indent=2)
            elif line == "status":
                say_wrapped(status_lines({**msgspec.to_builtins(self.seat.status), "since": ()}))
            elif is_look(self.seat, word, rest):
                with self._interrupts.allowed():
                    look(self.seat, split(line))
            elif not line.startswith("{") and is_shell_form(self.seat, split(line)):
                return self._command(split(line))
            elif said := no_order(self.seat, word):
                say(f"Error: {said}", f"  do:   leave with q, then `umpire {word} {self.game.id} …`", err=True)
                return False
            else:
                self._give(self._order_of(word, line, rest))
        except EXPECTED as error:
            say(*refusal_of(error).lines(), err=True)
            return False
        except KeyboardInterrupt:
            say("interrupted", err=True)
            return False
        return True

    def _order_of(self, word: str, line: str, rest: str) -> dict[str, Any]:
        if line.startswith("{"):
            return {"as": self.seat.name, **read_order_json(line)}
        return self.seat.read(_undo(rest) if word == "u" else split(line))

    def _give(self, raw: dict[str, Any]) -> None:
        """Record one order in the ledger and then in the file. Ctrl-C cannot separate the two."""
        label = self._label()
        outcome = self.seat.order(self.record.with_id(raw) if self.record else raw)
        self._have_shown(outcome)
        unwritten = self._write_down(raw) if outcome.carried_out else ""
        say_wrapped(told_lines(outcome))
        if unwritten:
            say(f"Warning: the order is recorded, but the file lacks it: {unwritten}", err=True)
        say(*end_lines(outcome))
        if warning := self.game.catch_up():
            say(f"Warning: {warning}", err=True)
        outcome.verify_carried_out()
        say_wrapped(self._after(label))

    def _command(self, words: list[str]) -> bool:
        """Run a shell command. An order that it recorded counts as given here, and is written to the file.

        Return False after wrong usage.
        """
        own = self.record.with_id({})["id"] if self.record else uuid.uuid4().hex
        if "--follow" in words:  # it ends with the game, or with Ctrl-C
            with self._interrupts.allowed():
                return run_command(self.seat, words, own) is not None
        ran = run_command(self.seat, words, own)
        if ran is None:
            return False
        given, raw = ran
        outcome = self.seat.answered(given)
        if outcome is None or not outcome.records:
            return True
        self._have_shown(outcome)
        if words[0] == "amend":  # its re-played orders have their own ids
            self.seen = max(self.seen, self.game.size)
        if given == own:
            raw.pop("id", None)
        if raw and (unwritten := self._write_down(raw)):
            say(f"Warning: the order is recorded, but the file lacks it: {unwritten}", err=True)
        return True

    def _have_shown(self, outcome: umpire.Outcome) -> None:
        """Mark an order of this session as shown. If others added records before it, leave those to `_tell_news`."""
        self._own.add(outcome.command)
        mine = [record.position for record in outcome.records]
        if mine and mine[0] == self.seen + 1:
            self.seen = mine[-1]

    def _write_down(self, raw: dict[str, Any]) -> str:
        """Append a recorded order to the file; return the reason if it could not be written, else ""."""
        try:
            if self.record is not None:
                self.record.append(raw)
        except WrongUse as error:
            return error.what
        return ""

    # --- output -------------------------------------------------------------------------------------------------------

    def _standing(self, *, waits: bool = True) -> list[str]:
        """Return the state of play: the sides that must act and since when, required actions and requests."""
        view = {**msgspec.to_builtins(self.seat.status), **AT_LENGTH, **({} if waits else {"waiting": ()})}
        return list(status_lines(view))[1:]

    def _after(self, label: str) -> list[str]:
        """Return the state after an order; if the step is unchanged, only its remaining required actions."""
        lines, view = self._standing(waits=False), self.seat.status
        if label == self._label():
            at = next((nth for nth, line in enumerate(lines) if line.startswith("required:")), len(lines))
            return lines[at:] or [f"nothing else is required here: {self._leaves()} ends the step"] * bool(view.waiting)
        return lines

    def _leaves(self) -> str:
        """Return the command that ends the step, with each possible answer if it needs one."""
        answers = dict.fromkeys(name for one in self.seat.status.answers for name in one.answers)
        return " or ".join(f"`done {shlex.quote(name)}`" for name in answers) or "`done`"

    def _ideas(self) -> Iterator[str]:
        found = self.seat.openings().worth_trying[:MOST_IDEAS]
        if found:
            yield "try:"
            yield from (f"  {one}" for one in found)

    def _explained(self, name: str) -> Iterator[str]:
        if name in ALWAYS:
            yield from command_help(name)
            return
        page = help_on_order(self.seat.order_page(name), "") if name else help_on_game(self.seat.openings(), "")
        yield from (line.replace("umpire order  ", "") for line in page)
        if name in MARKS:
            yield f"The shell form of the command works too: umpire {name} --help"

    def _tell_news(self) -> None:
        """Print records that others added meanwhile, as this seat may see them."""
        size = self.game.size
        if size != self.seen:
            found = self.seat.orders(start=self.seen + 1, stop=size)
            say_wrapped(f"new: #{one.position} {one.text}" for one in found if one.order not in self._own)
            self.seen = size

    def _label(self) -> str:
        """Return a label such as `E.1 athens> `: open steps and seat; for the referee, the sides that must act."""
        view = self.seat.status
        who = "/".join(view.waiting) if self.seat.name == "referee" else self.seat.name
        return inert(" ".join(filter(None, (",".join(view.open), who or self.seat.name)))) + "> "


def _lines_in(text: str) -> list[str]:
    """Return the lines of a typed or pasted text, without empty lines. An order in JSON may have several lines."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    is_one_order = text.lstrip().startswith("{") and not all(line.startswith("{") for line in lines)
    return [text.strip()] if is_one_order or not lines else lines


def _undo(rest: str) -> list[str]:
    """Return the words of the shell command for `u`, `u 2`, `u 2 the wrong ship` or `u the wrong ship`."""
    number, _, why = rest.partition(" ") if rest[:1].isdigit() else ("1", "", rest)
    return ["undo", number, *(["--why", why] if why else [])]


def offers_for(seat: umpire.Seat) -> Offer:
    """Return a function that completes a line for the line reader."""

    def offer(before: str) -> tuple[str, list[tuple[str, str]]]:
        head, _, last = before.rpartition(" ")
        try:
            words = shlex.split(head.removeprefix("?"))
            found = seat.completions(words, last)
        except (ValueError, *EXPECTED):
            return last, []
        shown = [one for one in found if inert(one.word) == one.word]
        behind = " " if len(shown) == 1 and shown[0].ends else ""
        looks = [name for name in LOOKS if not head and name.startswith(last) and is_look(seat, name)]
        looks += [name for name in sorted(ALWAYS) if last and not head and name.startswith(last)]
        more = [
            (f"{name}{' ' if len(looks) == 1 and not shown else ''}", "command" if name in ALWAYS else "look")
            for name in looks
        ]
        return last, [*((shlex.quote(one.word) + ("" if looks else behind), one.says) for one in shown), *more]

    return offer
