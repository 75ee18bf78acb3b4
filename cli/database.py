"""Manage the database of a ledger (`umpire db`), for operators."""

import click

from umpire_ledger.cli.errors import STORE
from umpire_ledger.cli.options import json_option, ledger_option
from umpire_ledger.cli.printing import print_json, say
from umpire_ledger.desk.upkeep.database import MOST_PARTITIONS, StoreState, bring_up_store, lay_store, store_state

role_option = click.option(
    "--role", default="", metavar="NAME", help="Grant this role of the server what playing needs, and no more."
)


@click.group()
def db() -> None:
    """Lay a ledger in PostgreSQL, bring it up to a newer format, and say what there is.

    The tables belong to whoever lays them; games are played as another role, which may add records and never change
    one. A ledger in a file makes itself. docs/how-to/postgresql.md tells all of it.

    \b
    Examples:
      umpire db init --ledger postgresql://owner@host/umpire --role umpire_app
      umpire db status --ledger postgresql://umpire_app@host/umpire
    """


@db.command()
@role_option
@click.option(
    "--partitions",
    type=click.IntRange(2, MOST_PARTITIONS),
    default=None,
    metavar="N",
    help="Spread the tables over N partitions by game; a power of two serves longest.",
)
@ledger_option
@json_option
def init(role: str, partitions: int | None, where: str, as_json: bool) -> None:
    """Lay the tables of a ledger where there are none. Given twice, it grants and changes nothing else.

    Example: umpire db init --ledger postgresql://owner@host/umpire --role umpire_app --partitions 16
    """
    state = lay_store(where, role=role, partitions=partitions or 0)
    _show(state, "laid" if not state.before else "was there", as_json)


@db.command()
@role_option
@ledger_option
@json_option
def upgrade(role: str, where: str, as_json: bool) -> None:
    """Bring the tables of a ledger up to this program's format, in one transaction. Records are not touched.

    Example: umpire db upgrade --ledger postgresql://owner@host/umpire
    """
    state = bring_up_store(where, role=role)
    said = f"brought up from format {state.before}" if state.before != state.format else "nothing to do"
    _show(state, said, as_json)


@db.command()
@ledger_option
@json_option
def status(where: str, as_json: bool) -> None:
    """Say which store a ledger lies in, and whether its format fits this program. Exit code 7 where it does not.

    Example: umpire db status --ledger postgresql://umpire_app@host/umpire
    """
    state = store_state(where)
    _show(state, _fit(state), as_json)
    if not state.fits:
        click.get_current_context().exit(STORE)


def _fit(state: StoreState) -> str:
    if state.fits:
        return "fits this program"
    if not state.format:
        return "no ledger yet: `umpire db init`"
    needs = "`umpire db upgrade`" if state.format < state.program else "update Umpire"
    return f"this program has format {state.program}: {needs}"


def _show(state: StoreState, said: str, as_json: bool) -> None:
    if as_json:
        keys = ("ledger", "store", "format", "program", "before")
        print_json({**{key: getattr(state, key) for key in keys}, "said": said})
    else:
        say(f"{state.ledger}: {state.store}, store format {state.format}, {said}")
