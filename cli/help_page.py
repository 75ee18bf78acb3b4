"""`umpire --help`: the commands by what they are for, one line each, none longer than a terminal of 80 columns."""

from collections.abc import Callable, Iterator

import click

SECTIONS: dict[str, dict[str, str]] = {
    "Begin": {
        "titles": "what can be played",
        "sequence": "a title's sequence of play, as on its page",
        "orders": "a title's orders: how they are typed, as JSON too",
        "scenario": "a template, a game's position, faults of a file",
        "new": "open a game",
        "games": "the ledger's games: where they stand, who is waited for",
    },
    "Play": {
        "status": "where the game stands, who must act, what is owed",
        "order": "give one order",
        "done": "leave the step",
        "play": "type all evening, or play a file of orders",
        "note": "write a remark into the record",
        "seat-dice": "a side's share in dice that nobody chose",
    },
    "Look": {
        "audit": "what was ordered, and what came of it",
        "units": "the units, as the seat knows them",
        "map": "a picture of the table",
        "page": "the game as one file to step through in a browser",
        "chart": "dice, accounts, losses or times as a picture",
        "unit": "the life of one unit",
        "account": "the statement of an account, turn by turn",
        "diff": "what differs between two positions",
        "since": "what happened since a seat last looked",
        "sitrep": "the report of a turn",
        "notices": "what each seat should be told",
        "dice": "every roll, with totals",
    },
    "Ask": {
        "why": "why a record is there",
        "knew": "what a seat had seen by a position",
        "conformance": "how each printed label was gone through",
        "refusals": "orders that were refused, and why",
        "times": "how long each side was waited for",
    },
    "Go back": {
        "undo": "take back orders",
        "redo": "return to the line that was left",
        "undo-points": "places to return to, and what that would undo",
        "rewind": "return to an earlier position, step or turn",
        "ask-rewind": "ask the other sides for a rewind",
        "consent": "agree to one",
        "refuse": "refuse it, or take your own question back",
        "lines": "lines that were left, as a tree",
        "amend": "mend one order, and play the rest again",
        "fork": "copy a game, to try what would have been",
    },
    "Judge": {
        "dispute": "contest records, settle and list disputes",
        "rule": "rule on a question, and carry it out",
        "rulings": "find rulings again, in every game",
        "seal": "accept everything so far",
        "key": "keys of your own, with which a seat signs",
        "reveal": "open sealed words; everything, when it is over",
        "witness": "keep others' checkpoints, cosign what extends them",
        "peek": "the referee looks at a seat's secrets",
        "referee": "what the referee did beside the rules",
        "case": "a dispute as a folder for a second judge",
    },
    "Keep": {
        "export": "write a replay log",
        "open": "complete a redacted log with its keys",
        "import": "take a replay log in",
        "verify": "check a log, a proof, or a game",
        "prove": "one record with its path to a checkpoint",
        "verifier": "one page of Python that checks a log without Umpire",
        "backup": "copy the ledger while others write",
        "restored": "play on in a restored backup",
        "rename": "the name that lists show",
        "archive": "write a game's log, and take it out of the list",
        "unarchive": "put it back",
        "views": "what the read models hold, for sqlite3 and Datasette",
        "rebuild": "make the read models anew",
        "doctor": "what is wrong with this machine or this ledger",
        "db": "lay a ledger in PostgreSQL, and bring it up",
    },
    "Serve": {
        "serve": "the ledger over HTTP, for browsers and bots",
        "invite": "let somebody in to a seat",
        "invitations": "who was let in; end it",
    },
    "For authors of titles": {
        "check": "hold a title to its promises",
    },
}
"""Headings and their commands; a command without a heading is listed under "More"."""

EPILOG = (
    "Exit codes: 0 done, 2 wrong usage, 3 refused by the rules, 4 somebody else wrote first, 5 broken or unverifiable "
    "log, 6 no such game, record or title, 7 the store cannot be used, 8 a title is at fault and its author must mend "
    "it, 9 a notice could not be sent. `umpire.toml`, found from here upwards, says ledger, seat and dice; the "
    "environment (UMPIRE_LEDGER, UMPIRE_SEAT, …) is above it, an option above both."
)


def sections_of(names: list[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the headings with those of their commands that exist; "" for a command with its own text."""
    placed = {name for some in SECTIONS.values() for name in some}
    more = {name: "" for name in names if name not in placed}
    for heading, some in (*SECTIONS.items(), ("More", more)):
        here = {name: says for name, says in some.items() if name in names}
        if here:
            yield heading, here


def write_commands(
    formatter: click.HelpFormatter, names: list[str], command: Callable[[str], click.Command | None]
) -> None:
    """Write the commands under their headings."""
    widest = max(map(len, names), default=0)
    for heading, here in sections_of(names):
        with formatter.section(heading):
            formatter.write_dl([(name.ljust(widest), says or _own(command(name))) for name, says in here.items()])


def _own(command: click.Command | None) -> str:
    return command.get_short_help_str(60) if command is not None else ""
