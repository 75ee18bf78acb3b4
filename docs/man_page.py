"""Write the man page `docs/umpire.1`, which the wheel contains: `python docs/man_page.py`. A test compares it.

Each command has one line. Only `umpire COMMAND --help` describes its arguments, so that no description is duplicated.
"""

from pathlib import Path

from umpire_ledger.cli.help_page import EPILOG, sections_of
from umpire_ledger.cli.main import COMMANDS
from umpire_ledger.cli.settings import KEYS
from umpire_ledger.desk.core.edition import EDITION

FILE = Path(__file__).parent / "umpire.1"
ABOUT = """Every phase, die roll and unit change of a board wargame is an immutable record in an append-only log. Umpire
knows the sequence of play, shows who must act and which actions are required, and refuses orders that the rules do not
allow. It returns to any earlier step without deleting a record, and exports a replay log that anyone can check."""
OPTIONS = {
    "--version": "Show the version.",
    "--help": "Show the commands. After a command, show its arguments, options and examples.",
    "--no-pager": "Print long output without a pager.",
    "--local": "Show times in this machine's time zone, with the offset. JSON stays in UTC.",
    "--debug": "Show the source location of an error, for authors of titles.",
}
ENVIRONMENT = {
    **{variable: f"`{name}` of umpire.toml." for name, variable in KEYS.items()},
    "UMPIRE_DEBUG": "Same as --debug.",
    "PAGER": "Program that shows long output on a terminal. Default: less -FRX. If it is empty, there is no pager.",
    "NO_COLOR, CLICOLOR_FORCE": "Turn colours off; use colours in pipes too.",
}
FILES = {
    "umpire.db": "The ledger, unless --ledger, UMPIRE_LEDGER or umpire.toml names another one.",
    "umpire.views.db": "The ledger's read models, which are tables for queries. They can be deleted at any time.",
    "umpire.toml": "Settings, from this folder or the nearest one above it. The environment overrides them, and "
    "options override both.",
}


def man_page() -> str:
    """Return the page in roff."""
    lines = [
        f'.TH UMPIRE 1 "" "umpire {EDITION}" "User Commands"',
        *(".SH NAME", r"umpire \- a referee's ledger for board wargames"),
        *(".SH SYNOPSIS", ".B umpire", r"[\fIOPTIONS\fR] \fICOMMAND\fR [\fIARGUMENTS\fR]"),
        *(".SH DESCRIPTION", _plain(" ".join(ABOUT.split()))),
        *(".SH OPTIONS", "Options can come before or after a command.", *_listed(OPTIONS)),
        ".SH COMMANDS",
    ]
    for heading, commands in sections_of(list(COMMANDS)):
        lines += [f".SS {heading}", *_listed(commands)]
    lines += [".SH ENVIRONMENT", *_listed(ENVIRONMENT), ".SH FILES", *_listed(FILES)]
    lines += [".SH EXIT STATUS", _plain(EPILOG.partition(" `umpire.toml`")[0].removeprefix("Exit codes: "))]
    return "\n".join(lines) + "\n"


def _listed(entries: dict[str, str]) -> list[str]:
    return [line for name, says in entries.items() for line in (".TP", f".B {_plain(name)}", _plain(says))]


def _plain(text: str) -> str:
    """Return text with escapes, so that roff reads none of it as a request."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace("`", "")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    FILE.write_text(man_page(), encoding="utf-8")
