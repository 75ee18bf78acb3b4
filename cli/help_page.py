"""List the commands by purpose for `umpire --help`, one line each, for a terminal of 80 columns."""

from collections.abc import Callable, Iterator

import click

SECTIONS: dict[str, dict[str, str]] = {
    "Start a game": {
        "titles": "List the titles you can play",
        "sequence": "Print a title's sequence of play",
        "orders": "List a title's orders, or explain one",
        "scenario": "Create, check or export a scenario file",
        "new": "Start a game from a scenario",
        "games": "List games and who must act in each",
    },
    "Play": {
        "status": "Show the current step and who must act",
        "order": "Give one order",
        "done": "End the current step",
        "play": "Play a file of orders, or type them at a prompt",
        "note": "Add a note, private note or courier message",
        "dice-share": "Commit or reveal your side's share of the dice",
    },
    "Look": {
        "audit": "List orders and their results",
        "units": "List the units a seat can see",
        "unit": "Show the history of one unit",
        "account": "Show the entries of an account, turn by turn",
        "map": "Draw the map",
        "chart": "Chart dice, accounts, losses or waiting times",
        "replay-page": "Write the game as one HTML file you can step through",
        "sitrep": "Write a report of one turn",
        "dice": "List every roll, with totals",
        "diff": "Compare two positions or two games",
        "since": "List orders since a seat last looked",
        "notices": "Send each seat its notices, or print them",
    },
    "Explain": {
        "why": "Show what one record depends on",
        "known": "Show what a seat knew at a position",
        "conformance": "Compare a turn with the printed sequence of play",
        "refusals": "List refused orders with their reasons",
        "times": "Show how long each side kept the game waiting",
    },
    "Go back": {
        "undo-points": "List the steps you can rewind to, with the cost",
        "undo": "Take back the newest orders",
        "redo": "Restore what the last undo or rewind took back",
        "rewind": "Return to an earlier position, step or turn",
        "ask-rewind": "Ask the other sides to agree to a rewind",
        "consent": "Agree to a requested rewind",
        "decline": "Decline a requested rewind, or withdraw your own",
        "branches": "List the branches that rewinds created",
        "amend": "Replace one past order and play the rest again",
        "fork": "Copy a game to try an alternative",
    },
    "Judge": {
        "dispute": "Open, show, list and settle disputes",
        "rule": "Make a ruling and carry it out",
        "rulings": "Search rulings in all games",
        "case": "Write a dispute as a folder for a second judge",
        "seal": "Accept all records so far and get a checkpoint",
        "reveal": "Reveal sealed orders, or all secrets at the end",
        "peek": "Look at a seat's secrets (this is recorded)",
        "referee": "List the referee's overrides, edits and peeks",
    },
    "Share and check": {
        "export": "Write a replay log",
        "import": "Import replay logs",
        "unredact": "Restore withheld records in a redacted log",
        "verify": "Check a log, proof, replay page, case or game",
        "prove": "Write a proof that a checkpoint covers a record",
        "verifier": "Print the standalone log verifier",
        "key": "Manage your signing keys",
        "witness": "Run a witness that cosigns checkpoints",
    },
    "Maintain the ledger": {
        "rename": "Change a game's display name",
        "archive": "Export a game and hide it from lists",
        "unarchive": "Show an archived game in lists again",
        "backup": "Copy the ledger while others use it",
        "restored": "Record that this ledger is a restored backup",
        "read-models": "Describe the read models; open them in Datasette",
        "rebuild": "Rebuild snapshots and read models",
        "doctor": "Diagnose this machine and this ledger",
        "db": "Set up, upgrade or inspect a PostgreSQL ledger",
    },
    "Serve": {
        "serve": "Serve the ledger over HTTP",
        "invite": "Create an invitation to a seat",
        "invitations": "List or revoke invitations",
    },
    "Write titles": {
        "check-title": "Run the contract checks on a title",
    },
}
"""Headings and their commands; a command without a heading is listed under "More"."""

EPILOG = (
    "Exit codes: 0 success, 2 wrong usage, 3 refused by the rules, 4 conflict with a newer record, 5 log damaged or "
    "not verifiable, 6 no such game, record or title, 7 ledger not usable, 8 fault in a title, 9 notice not sent, 130 "
    "interrupted. Settings come from options, then environment variables such as UMPIRE_LEDGER and UMPIRE_SEAT, then "
    "the nearest `umpire.toml`."
)


def sections_of(names: list[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each heading with its existing commands; a command outside the sections has "" as its text."""
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
