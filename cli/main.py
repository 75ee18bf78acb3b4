"""Run `umpire`, the only program. Import a command only when it is called, so that each command starts fast."""

import errno
import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import pairwise
from typing import Any

import click

from umpire_ledger.cli.errors import DONE, EXPECTED, INTERRUPTED, Refusal, refusal_of, usage
from umpire_ledger.cli.output import lasting_output
from umpire_ledger.cli.printing import say
from umpire_ledger.domain.game.nearest import nearest
from umpire_ledger.projections.record.escaping import inert

COMMANDS = {
    "games": "umpire_ledger.cli.games:games",
    "rename": "umpire_ledger.cli.archive:rename",
    "archive": "umpire_ledger.cli.archive:archive",
    "unarchive": "umpire_ledger.cli.archive:unarchive",
    "new": "umpire_ledger.cli.games:new",
    "fork": "umpire_ledger.cli.games:fork",
    "scenario": "umpire_ledger.cli.scenarios:scenario",
    "titles": "umpire_ledger.cli.titles:titles",
    "sequence": "umpire_ledger.cli.titles:sequence",
    "orders": "umpire_ledger.cli.titles:orders",
    "order": "umpire_ledger.cli.order:order",
    "done": "umpire_ledger.cli.play:done",
    "play": "umpire_ledger.cli.play:play",
    "note": "umpire_ledger.cli.play:note",
    "dispute": "umpire_ledger.cli.disputes:dispute",
    "rule": "umpire_ledger.cli.disputes:rule",
    "rulings": "umpire_ledger.cli.disputes:rulings_",
    "key": "umpire_ledger.cli.keys:key",
    "dice-share": "umpire_ledger.cli.dice_shares:dice_share",
    "witness": "umpire_ledger.cli.witness:witness",
    "seal": "umpire_ledger.cli.referee:seal",
    "reveal": "umpire_ledger.cli.referee:reveal",
    "peek": "umpire_ledger.cli.referee:peek",
    "referee": "umpire_ledger.cli.referee:referee",
    "case": "umpire_ledger.cli.case:case",
    "undo": "umpire_ledger.cli.rewinding:undo",
    "redo": "umpire_ledger.cli.rewinding:redo",
    "rewind": "umpire_ledger.cli.rewinding:rewind",
    "ask-rewind": "umpire_ledger.cli.rewinding:ask_rewind",
    "consent": "umpire_ledger.cli.rewinding:consent",
    "decline": "umpire_ledger.cli.rewinding:decline",
    "branches": "umpire_ledger.cli.lines:branches",
    "amend": "umpire_ledger.cli.amend:amend",
    "refusals": "umpire_ledger.cli.refused_orders:refusals",
    "status": "umpire_ledger.cli.status:status",
    "units": "umpire_ledger.cli.status:units",
    "map": "umpire_ledger.cli.pictures:map_",
    "replay-page": "umpire_ledger.cli.pictures:replay_page",
    "chart": "umpire_ledger.cli.charts:chart",
    "diff": "umpire_ledger.cli.diff:diff",
    "audit": "umpire_ledger.cli.status:audit",
    "undo-points": "umpire_ledger.cli.status:undo_points",
    "why": "umpire_ledger.cli.questions:why",
    "unit": "umpire_ledger.cli.questions:unit",
    "account": "umpire_ledger.cli.questions:account",
    "dice": "umpire_ledger.cli.questions:dice",
    "known": "umpire_ledger.cli.questions:known",
    "since": "umpire_ledger.cli.questions:since",
    "conformance": "umpire_ledger.cli.conformance:conformance",
    "sitrep": "umpire_ledger.cli.sitrep:sitrep",
    "notices": "umpire_ledger.cli.notices:notices",
    "times": "umpire_ledger.cli.times:times",
    "export": "umpire_ledger.cli.logs:export",
    "import": "umpire_ledger.cli.logs:import_",
    "verify": "umpire_ledger.cli.logs:verify",
    "unredact": "umpire_ledger.cli.proofs:unredact",
    "prove": "umpire_ledger.cli.proofs:prove",
    "verifier": "umpire_ledger.cli.verifier:verifier",
    "backup": "umpire_ledger.cli.archive:backup",
    "restored": "umpire_ledger.cli.archive:restored",
    "read-models": "umpire_ledger.cli.read_models_command:read_models",
    "rebuild": "umpire_ledger.cli.doctor:rebuild",
    "doctor": "umpire_ledger.cli.doctor:doctor",
    "db": "umpire_ledger.cli.database:db",
    "serve": "umpire_ledger.cli.serving:serve",
    "invite": "umpire_ledger.cli.serving:invite",
    "invitations": "umpire_ledger.cli.serving:invitations",
    "check-title": "umpire_ledger.cli.check:check_title",
}
RENAMED = {
    "check": "check-title",
    "knew": "known",
    "lines": "branches",
    "open": "unredact",
    "page": "replay-page",
    "refuse": "decline",
    "seat-dice": "dice-share",
    "views": "read-models",
}
"""Names of commands in earlier releases, which scripts may still use, and their current names."""

GLOSSARY = "docs/reference/glossary.md"
TERMS = {
    "seal": ("seal", "checkpoint"),
    "rule": ("ruling", "override"),
    "rulings": ("ruling",),
    "dispute": ("dispute", "contested record", "ruling"),
    "branches": ("branch", "current branch", "tip"),
    "rewind": ("rewind", "current branch", "undo point"),
    "amend": ("amend", "remaining orders", "reused rolls"),
    "verify": ("checkpoint", "redact"),
    "prove": ("inclusion proof", "checkpoint"),
}
"""Umpire's own terms in the help of each command, which the glossary defines."""


class Umpire(click.Group):
    """The group of all commands. It turns expected errors into messages and exit codes; no command needs a `try`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = RENAMED.get(cmd_name, cmd_name)
        if name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[name].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        if name in TERMS:
            command.epilog = f"Glossary ({GLOSSARY}): {', '.join(TERMS[name])}."
        if "_UMPIRE_COMPLETE" in os.environ:
            from umpire_ledger.cli.names import with_names  # noqa: PLC0415 -- 325 ms: only completion needs it

            return with_names(command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from umpire_ledger.cli.help_page import write_commands  # noqa: PLC0415 -- 0.2 ms: only help needs it

        write_commands(formatter, self.list_commands(ctx), lambda name: self.get_command(ctx, name))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from umpire_ledger.cli.help_page import EPILOG  # noqa: PLC0415 -- 0.2 ms: only help needs it

        formatter.write_paragraph()
        formatter.write_text(EPILOG)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and RENAMED.get(args[0], args[0]) not in COMMANDS and not args[0].startswith("-"):
            self._no_such_command(ctx, args[0])
        return super().resolve_command(ctx, args)

    def _no_such_command(self, ctx: click.Context, name: str) -> None:
        from umpire_ledger.domain.game.orders import EVERYWHERE, GENERIC_ORDERS  # noqa: PLC0415 -- 5 ms: only a typo needs it

        if name in {order.tag() for order in (*EVERYWHERE, *GENERIC_ORDERS)}:
            raise click.UsageError(f"{name} is an order, not a command: type `umpire order GAME {name}`", ctx)
        near = dict.fromkeys(RENAMED.get(one, one) for one in nearest(name, (*COMMANDS, *RENAMED)))
        hint = f" Did you mean {' or '.join(near)}?" if near else " `umpire --help` lists the commands."
        raise click.UsageError(f"There is no command {name}.{hint}", ctx)

    def main(  # type: ignore[override] # the parent splits this signature into overloads by `standalone_mode`
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> Any:
        """Run the command, print an expected error, and exit with its code."""
        with lasting_output() as out:
            code = self._run(args, prog_name, **extra)
            sys.stdout.flush()
            if code == DONE and out.error is not None and out.error.errno != errno.EPIPE:
                code = _tell(_unwritten(out.error), "--json" in (args or sys.argv))
        sys.exit(code)

    def _run(self, args: Sequence[str] | None, prog_name: str | None, **extra: Any) -> int:
        """Run the command, print an expected error, and return the exit code."""
        extra["standalone_mode"] = False
        words, debug, wishes = _without_wishes(sys.argv[1:] if args is None else list(args))
        as_json = "--json" in words
        try:
            with _settled(words, wishes), _paged(words, wishes):
                _verify_text(words)
                _verify_values(words)
                code = super().main(words, prog_name or "umpire", **extra)
        except EXPECTED as error:
            refusal = refusal_of(error)
            refusal.traceback = _traceback(error) if debug else ""
            return _tell(refusal, as_json)
        except Refusal as error:
            return _tell(error, as_json)
        except click.UsageError as error:
            return _tell_usage(error, as_json)
        except click.ClickException as error:
            say(f"Error: {error.format_message()}", err=True)
            return error.exit_code
        except (KeyboardInterrupt, click.Abort):
            say("Interrupted: every acknowledged order is recorded, and no others.", err=True)
            return INTERRUPTED
        return code if isinstance(code, int) else DONE


def _unwritten(error: OSError) -> Refusal:
    """Return the error of a command that did its work but could not write its answer."""
    what = f"standard output cannot be written: {error.strerror}"
    remedy = "check the output file or program; if the order was accepted, it was recorded (see `umpire audit GAME`)"
    return usage(what, where="standard output", rule="files", remedy=remedy)


def _verify_text(words: Sequence[str]) -> None:
    """Check that the arguments are UTF-8, because other text cannot be recorded, found or printed.

    Raises:
        Refusal: When an argument is not UTF-8.
    """
    given = {f"argument {number}": word for number, word in enumerate(words, 1)}
    given |= {name: os.environ.get(name, "") for name in ("UMPIRE_LEDGER", "UMPIRE_SEAT")}
    for place, word in given.items():
        try:
            word.encode()
        except UnicodeEncodeError:
            what = f"{place} is not UTF-8: {inert(word)}"
            remedy = "type it in UTF-8, or give the file a name in UTF-8"
            raise usage(what, where=place, rule="limits: text in UTF-8", remedy=remedy) from None


def _verify_values(words: Sequence[str]) -> None:
    """Check that no option is empty: with an unset variable, `--to "$ALLY"` would make a private note public.

    Raises:
        Refusal: When an option is empty.
    """
    end = words.index("--") if "--" in words else len(words)
    for word, following in pairwise((*words[:end], ".")):
        name, equals, value = word.partition("=")
        if word[:1] == "-" and word.lstrip("-")[:1].isalpha() and (not value if equals else not following):
            remedy = "add a value or remove the option; a shell variable may be unset"
            raise usage(f"{name} is empty", where=f"option {name}", rule="options have a value", remedy=remedy)


WISHES = ("--debug", "--local", "--no-pager")
"""Options that may come before or after any command."""


def _without_wishes(words: list[str]) -> tuple[list[str], bool, set[str]]:
    """Return the words without `WISHES` and with the command's current name, whether to debug, and the given wishes."""
    end = words.index("--") if "--" in words else len(words)
    before = [word for word in words[:end] if word not in WISHES]
    before[:1] = [RENAMED.get(word, word) for word in before[:1]]
    wishes = {word for word in words[:end] if word in WISHES}
    debug = "--debug" in wishes or os.environ.get("UMPIRE_DEBUG", "") not in ("", "0")
    return [*before, *words[end:]], debug, wishes


@contextmanager
def _settled(words: Sequence[str], wishes: set[str]) -> Iterator[None]:
    """Add the settings of `umpire.toml` and the wishes to the environment of this context.

    Raises:
        Refusal: When `umpire.toml` cannot be used.
    """
    before = dict(os.environ)
    file = "" if {"-h", "--help"} & set(words) else _settings_file()
    try:
        if "--local" in wishes:
            os.environ["UMPIRE_TIMES"] = "local"
        if "--no-pager" in wishes:  # also for queries at the prompt
            os.environ["PAGER"] = ""
        if file:
            from umpire_ledger.cli.settings import read  # noqa: PLC0415 -- 6 ms: most folders have no such file

            os.environ.update({name: value for name, value in read(file).items() if name not in os.environ})
        yield
    finally:
        for name in set(os.environ) ^ set(before):
            os.environ.pop(name, None)
        os.environ.update(before)


def _settings_file() -> str:
    """Return the path of `umpire.toml` in the working directory or its nearest parent; "" if there is none."""
    folder = os.getcwd()
    while not os.path.isfile(file := os.path.join(folder, "umpire.toml")):
        folder, below = os.path.dirname(folder), folder
        if folder == below:
            return ""
    return file


@contextmanager
def _paged(words: list[str], wishes: set[str]) -> Iterator[None]:
    """Show long answers in a pager if standard output is a terminal."""
    if not sys.stdout.isatty() or "--no-pager" in wishes:
        yield
        return
    from umpire_ledger.cli.pager import paged  # noqa: PLC0415 -- 6 ms: nothing in a pipe needs it

    with paged(words):
        yield


def _traceback(error: BaseException) -> str:
    """Return the traceback of an expected error and of its cause."""
    import traceback  # noqa: PLC0415 -- 0.4 ms: only debugging needs it

    return "".join(traceback.format_exception(error))


def _tell(refusal: Refusal, as_json: bool) -> int:
    say(*([refusal.json()] if as_json else refusal.lines()), err=True)
    return refusal.code


def _show(error: click.UsageError) -> None:
    """Print the error as click does, but with escaped control characters in typed text."""
    shown = io.StringIO()
    error.show(shown)
    say(*shown.getvalue().rstrip("\n").expandtabs(4).split("\n"), err=True)
    if isinstance(error, click.MissingParameter) and error.param is not None and "#" in str(error.param.metavar):
        say("In a shell, # begins a comment: write 60, or '#60' in quotation marks.", err=True)


def _tell_usage(error: click.UsageError, as_json: bool) -> int:
    if not as_json:
        _show(error)
        return error.exit_code
    command = error.ctx.command_path if error.ctx else "umpire"
    remedy = f"`{command} --help` shows its options"
    refusal = Refusal("usage", error.exit_code, what=error.format_message(), where=command, rule="", remedy=remedy)
    return _tell(refusal, as_json)


@click.group(cls=Umpire, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80})
@click.version_option(package_name="umpire-ledger", prog_name="umpire")
@click.option("--debug", is_flag=True, expose_value=False, help="Show the source location of an error.")
@click.option(
    "--local", is_flag=True, expose_value=False, help="Show times in this machine's time zone instead of UTC."
)
@click.option("--no-pager", is_flag=True, expose_value=False, help="Print long output without a pager.")
def umpire() -> None:
    """Keep the official record of a board wargame.

    Umpire knows the sequence of play, checks every order and stores each phase, die roll and unit change as an
    immutable event. You can rewind to any step and export a replay log that anyone can check.

    Run `umpire COMMAND --help` for options and examples. The options below can come before or after a command.
    """


if __name__ == "__main__":
    umpire()
