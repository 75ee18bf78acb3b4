"""`umpire rebuild`, `doctor`: read models from zero; is this machine and this file sound."""

import click

import umpire_ledger as umpire
from umpire_ledger.cli.errors import BROKEN, STORE
from umpire_ledger.cli.options import json_option, ledger_option
from umpire_ledger.cli.printing import print_json, print_table, progress, say
from umpire_ledger.desk.check_up import check_up


@click.command()
@ledger_option
@json_option
def rebuild(where: str, as_json: bool) -> None:
    """Throw the read models away and make them anew from the ledger. Safe at any time.

    Example: umpire rebuild --ledger club.db
    """
    with umpire.open(where, read_only=True) as desk:
        total = sum(game.records for game in desk.games())
        with progress("reading", total) as tell:
            followed = desk.rebuild(tell)
    if as_json:
        print_json(followed)
    else:
        say(*[f"{game}: {records} records read" for game, records in followed.items()] or ["no games"])


@click.command()
@ledger_option
@json_option
def doctor(where: str, as_json: bool) -> None:
    """Say what is wrong with this machine or this ledger, and what to do.

    Looks at Python and its SQLite, at the packages, at every title's sequence, at the file, and verifies every game.
    Exit code 7 when the store cannot be used, 5 when a game is broken.

    Example: umpire doctor --ledger club.db
    """
    found = check_up(where)
    findings = (*found.machine, *found.games)
    if as_json:
        print_json([{key: getattr(one, key) for key in one.__struct_fields__} for one in findings])
    else:
        marks = {"ok": "ok", "warn": "WARN", "bad": "BAD"}
        rows = [(marks[one.state], one.check, one.what, one.remedy) for one in findings]
        print_table(("", "check", "what", "do"), rows)
    if not found.usable:
        click.get_current_context().exit(STORE)
    if not found.unbroken:
        click.get_current_context().exit(BROKEN)
