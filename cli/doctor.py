"""Rebuild read models, and diagnose this machine and the ledger (`umpire rebuild`, `doctor`)."""

import click

import umpire_ledger as umpire
from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.errors import BROKEN, STORE
from umpire_ledger.cli.options import complete_game, json_option, ledger_option, table_options
from umpire_ledger.cli.printing import print_json, print_table, progress, say
from umpire_ledger.desk.upkeep.doctor import check_up
from umpire_ledger.domain.game.verb_agreement import counted


@click.command(cls=Explained)
@click.argument("games", metavar="[GAME]…", nargs=-1, shell_complete=complete_game)
@ledger_option
@json_option
def rebuild(games: tuple[str, ...], where: str, as_json: bool) -> None:
    """Rebuild snapshots and read models.

    Snapshots (cached states) and read models (tables for queries) come from the records and can be rebuilt at any time.
    Without GAME, all games are rebuilt. A game that cannot be read is skipped and named; the exit code is then 5.

    \b
    Examples:
      umpire rebuild --ledger club.db
      umpire rebuild harbour
    """
    skipped: dict[str, str] = {}
    with umpire.open(where) as desk:
        followed = _rebuilt(desk, games, skipped) if games else _all_rebuilt(desk, skipped)
    if as_json:
        print_json({**followed, **{game: {"skipped": why} for game, why in skipped.items()}})
    else:
        lines = [f"Rebuilt {game}: {counted(records, 'record')} read." for game, records in followed.items()]
        say(*(lines or ["No games."]))
    for game, why in skipped.items():
        say(f"Warning: {game} was skipped: {why}; `umpire verify {game}` shows the first bad record", err=True)
    if skipped:
        click.get_current_context().exit(BROKEN)


def _all_rebuilt(desk: umpire.Desk, skipped: dict[str, str]) -> dict[str, int]:
    total = sum(game.records for game in desk.games(archived=None))
    with progress("reading", total) as tell:
        return desk.rebuild(tell, lambda game, error: skipped.update({game: str(error)}))


def _rebuilt(desk: umpire.Desk, games: tuple[str, ...], skipped: dict[str, str]) -> dict[str, int]:
    followed: dict[str, int] = {}
    for game in [desk.game(name) for name in dict.fromkeys(games)]:
        with progress(f"reading {game.id}", game.size) as tell:
            try:
                followed[game.id] = game.rebuild(tell)
            except umpire.StoreUnavailable:
                raise
            except Exception as error:  # a fault in one game must not stop the rebuild of the others
                skipped[game.id] = str(error)
    return followed


@click.command(cls=Explained)
@click.option(
    "--deep", is_flag=True, help="Rebuild every game and compare snapshots and read models with the result, row by row."
)
@ledger_option
@table_options
@json_option
def doctor(deep: bool, where: str, as_json: bool) -> None:
    """Diagnose this machine and this ledger.

    Umpire checks Python, SQLite, the installed packages, each title's sequence, the ledger's file and its refusal log,
    and verifies every game. Each finding has a remedy. --deep also names a forged row by table and key; it takes as
    long as `umpire rebuild`. Exit code 7: the ledger is not usable. Exit code 5: a game is invalid.

    \b
    Examples:
      umpire doctor --ledger club.db
      umpire doctor --ledger club.db --deep
    """
    with progress("reading", None) as tell:
        found = check_up(where, deep=deep, tell=tell)
    findings = (*found.machine, *found.games)
    if as_json:
        print_json([{key: getattr(one, key) for key in one.__struct_fields__} for one in findings])
    else:
        marks = {"ok": "ok", "warn": "WARN", "bad": "BAD"}
        rows = [(marks[one.state], one.check, one.what, one.remedy) for one in findings]
        print_table(("state", "check", "finding", "do"), rows)
    if not found.usable:
        click.get_current_context().exit(STORE)
    if not found.unbroken:
        click.get_current_context().exit(BROKEN)
