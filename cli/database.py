"""Manage the database of a ledger (`umpire db`), for operators."""

import click

from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.errors import STORE
from umpire_ledger.cli.options import CountRange, json_option, ledger_option
from umpire_ledger.cli.printing import print_json, say
from umpire_ledger.desk.upkeep.database import MOST_PARTITIONS, StoreState, bring_up_store, lay_store, store_state

role_option = click.option(
    "--role", default="", metavar="NAME", help="Grant this database role the rights to play, and no others."
)


@click.group()
def db() -> None:
    """Set up, upgrade or inspect a PostgreSQL ledger.

    One database role owns the tables. Games are played with another role, which can add records but cannot change them.
    A ledger in a file needs none of these commands.

    \b
    Examples:
      umpire db init --ledger postgresql://owner@host/umpire --role umpire_app
      umpire db status --ledger postgresql://umpire_app@host/umpire
    """


@db.command(cls=Explained)
@role_option
@click.option(
    "--partitions",
    type=CountRange(2, MOST_PARTITIONS),
    default=None,
    metavar="N",
    help="Spread the tables over N partitions by game. Prefer a power of two.",
)
@ledger_option
@json_option
def init(role: str, partitions: int | None, where: str, as_json: bool) -> None:
    """Create the tables of a ledger in a database.

    If the tables already exist, Umpire only grants the rights of --role again.

    \b
    Example:
      umpire db init --ledger postgresql://owner@host/umpire --role umpire_app
    """
    state = lay_store(where, role=role, partitions=partitions or 0)
    _show(state, "tables created" if not state.before else "tables exist", as_json)


@db.command(cls=Explained)
@role_option
@ledger_option
@json_option
def upgrade(role: str, where: str, as_json: bool) -> None:
    """Upgrade the tables to this program's format.

    The upgrade is one transaction. Records do not change.

    \b
    Example:
      umpire db upgrade --ledger postgresql://owner@host/umpire
    """
    state = bring_up_store(where, role=role)
    said = f"upgraded from format {state.before}" if state.before != state.format else "already current"
    _show(state, said, as_json)


@db.command(cls=Explained)
@ledger_option
@json_option
def status(where: str, as_json: bool) -> None:
    """Show the store of a ledger and its format.

    If this program cannot use the format, the exit code is 7.

    \b
    Example:
      umpire db status --ledger postgresql://umpire_app@host/umpire
    """
    state = store_state(where)
    _show(state, _fit(state), as_json)
    if not state.fits:
        click.get_current_context().exit(STORE)


def _fit(state: StoreState) -> str:
    if state.fits:
        return "current"
    if not state.format:
        return "no ledger; next: `umpire db init`"
    needs = "`umpire db upgrade`" if state.format < state.program else "update Umpire"
    return f"this program has format {state.program}: {needs}"


def _show(state: StoreState, said: str, as_json: bool) -> None:
    if as_json:
        keys = ("ledger", "store", "format", "program", "before")
        print_json({**{key: getattr(state, key) for key in keys}, "said": said})
    else:
        say(f"{state.ledger}: {state.store}, store format {state.format}, {said}")
