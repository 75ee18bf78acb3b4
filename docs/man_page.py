"""Writes the man page `docs/umpire.1`, which the wheel carries: `python docs/man_page.py`. A test sees to it.

Each command has its line; what it takes is said by `umpire COMMAND --help` alone, so that there is one place for it.
"""

from pathlib import Path

from umpire_ledger.cli.help_page import EPILOG, sections_of
from umpire_ledger.cli.main import COMMANDS
from umpire_ledger.cli.settings import KEYS
from umpire_ledger.desk.core.edition import EDITION

FILE = Path(__file__).parent / "umpire.1"
ABOUT = """Every phase, die roll and unit change of a board wargame is an immutable record in an append-only log. Umpire
knows the sequence of play, says who must act and what is owed, refuses what the rules do not allow, returns to any
earlier step without deleting anything, and exports a replay log that anybody can check."""
OPTIONS = {
    "--version": "Show the version.",
    "--help": "Show the commands; behind a command what it takes, with examples.",
    "--no-pager": "Print long answers straight to the terminal.",
    "--local": "Show times in the zone of this machine, with its offset; JSON stays in UTC.",
    "--debug": "Show where in the code an error comes from, for authors of titles.",
}
ENVIRONMENT = {
    **{variable: f"`{name}` of umpire.toml." for name, variable in KEYS.items()},
    "UMPIRE_DEBUG": "As --debug.",
    "PAGER": "Shows long answers on a terminal; less -FRX where it is not set, nothing where it is empty.",
    "NO_COLOR, CLICOLOR_FORCE": "No colours; colours in pipes too.",
}
FILES = {
    "umpire.db": "The ledger, unless --ledger, UMPIRE_LEDGER or umpire.toml names another.",
    "umpire.views.db": "Its read models, plain tables; they may be deleted at any time.",
    "umpire.toml": "Settings, from the nearest folder above. The environment outdoes it, an option outdoes both.",
}


def man_page() -> str:
    """The page in roff."""
    lines = [
        f'.TH UMPIRE 1 "" "umpire {EDITION}" "User Commands"',
        *(".SH NAME", r"umpire \- a referee's ledger for board wargames"),
        *(".SH SYNOPSIS", ".B umpire", r"[\fIOPTIONS\fR] \fICOMMAND\fR [\fIARGUMENTS\fR]"),
        *(".SH DESCRIPTION", _plain(" ".join(ABOUT.split()))),
        *(".SH OPTIONS", "They may stand before or after a command.", *_listed(OPTIONS)),
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
    """Text that roff takes for nothing else."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace("`", "")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    FILE.write_text(man_page(), encoding="utf-8")
