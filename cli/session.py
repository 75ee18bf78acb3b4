"""Open the desk for one command: to read a game as a seat, or to give an order and show its outcome.

A command that reads opens the ledger for reading only.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

import umpire_ledger as umpire
from umpire_ledger.cli.options import ORDER_ID
from umpire_ledger.cli.printing import progress, say, table_form
from umpire_ledger.ledger.records.ledger_address import is_database
from umpire_ledger.projections.tables.copies import copy_words

if TYPE_CHECKING:
    from umpire_ledger.desk.signing.ed25519 import SecretKey
    from umpire_ledger.desk.signing.key_store import KeyFolder

SHOWN = frozenset(
    (
        *("audit", "units", "undo-points", "branches", "conformance", "refusals", "referee"),
        *("why", "unit", "account", "dice", "since", "known", "show", "list"),
    )
)
"""Commands whose text begins with a line about a copy. Status and report name the original; others print files."""


GIVEN = "umpire.given"
"""Key in click's `meta` of the order that a command gave, as JSON."""


@contextmanager
def looking(where: str, game_id: str, seat: str) -> Iterator[umpire.Seat]:
    """Open a seat of a game for reading.

    Raises:
        NoSuchGame, NoSuchSeat: When there is no such game or seat.
        StoreUnavailable: When the ledger cannot be read.
    """
    with umpire.open(where, read_only=True) as desk:
        game = desk.game(game_id)
        looker = game.seat(seat)
        if game.unreadable:
            say(f"Note: {game.unreadable}; you can view and rewind the game, but not continue it.", err=True)
        if copied := copy_words(game.copied):
            _say_copy(game.id, copied)
        yield looker
        _say_missing(game)


def _say_copy(game_id: str, copied: str) -> None:
    """Print a heading about a copy, except in output for programs and for commands that report it themselves."""
    context = click.get_current_context()
    asked = context.params
    if context.info_name in SHOWN and not (asked.get("as_json") or asked.get("form") or table_form()):
        say(f"{game_id} ({copied})", err=bool(asked.get("markdown")))


@contextmanager
def giving(where: str, game_id: str, seat: str) -> Iterator[umpire.Seat]:
    """Open a seat of a game for one order; then update the read models.

    The seat's name is not checked here: if the game has no such seat, the order is refused.
    """
    with _opened(where) as desk:
        sign_with_own_keys(desk)
        game = desk.game(game_id)
        giver = umpire.Seat(game, seat)
        giver.order_id = click.get_current_context().meta.get(ORDER_ID, "")
        with _naming_the_option():
            yield giver
        click.get_current_context().meta[GIVEN] = giver.last_order
        follow(game)
        say_archived(game)


@contextmanager
def _opened(where: str) -> Iterator[umpire.Desk]:
    """Open the ledger, or use the one that is open at the prompt."""
    at_prompt = click.get_current_context().find_object(umpire.Seat)
    if at_prompt is not None and at_prompt.game.desk.place == where:
        yield at_prompt.game.desk
        return
    with umpire.open(where) as desk:
        yield desk


@contextmanager
def _naming_the_option() -> Iterator[None]:
    """Add to an error the option with which the command can be repeated."""
    try:
        yield
    except umpire.CommitUnknown as unknown:
        if unknown.order_ids:
            unknown.remedy = f"repeat the command with --order-id {unknown.order_ids[0]}: it is not recorded twice"
        raise


def sign_with_own_keys(desk: umpire.Desk) -> None:
    """Sign orders of seats that have a key, if it is stored on this machine."""
    folders: list[
        KeyFolder
    ] = []  # one folder, opened when it is needed, so that it asks for each pass-phrase only once

    def signer(public: str) -> "SecretKey | None":
        from umpire_ledger.cli.own_keys import own_keys  # noqa: PLC0415 -- 0.3 ms: few games have keys

        if not folders:
            folders.append(own_keys())
        return folders[0].signer(public)

    desk.signer = signer


def say_archived(game: umpire.PlayedGame) -> None:
    """Print a note after an order in an archived game, because lists and notices omit that game."""
    if game.archived:
        what = f"{game.id} is archived: lists and notices omit it, and its archived log lacks this order"
        say(f"Note: {what}; `umpire unarchive {game.id}` lists it again", err=True)


def follow(game: umpire.PlayedGame) -> None:
    """Update the read models with the new records; print a warning if that fails."""
    with progress(f"following {game.id}", game.size) as tell:
        warning = game.catch_up(tell, views=True)
    if warning:
        say(f"Warning: {warning}", err=True)
    _say_missing(game)


def _say_missing(game: umpire.PlayedGame) -> None:
    """Warn that the ledger is an older copy; call it after a query or order, which lets the read models find this."""
    if missing := game.missing:
        say(f"Warning: {missing}", err=True)


def leave_stored(game: umpire.PlayedGame) -> None:
    """Store the turn views, so that the next `umpire status` need not open the ledger.

    In a database, every read is a query to the server, so nothing is stored. A failure is ignored, because the command
    has already printed a warning.
    """
    if not is_database(game.desk.where):
        game.catch_up(views=True)


def between_orders(game: umpire.PlayedGame, asked: int | None) -> int:
    """Return the end of the order at a position (None: the last one); print a note if it is another position."""
    found = game.size if asked is None else game.between_orders(asked)
    say_which(asked, found)
    return found


def say_which(asked: int | str | None, found: int) -> None:
    """Print a note if a position inside an order was replaced by the end of the order before it."""
    number = asked.removeprefix("#") if isinstance(asked, str) else str(asked)
    if number.isdecimal() and int(number) != found:
        say(f"Note: #{number} is inside an order; Umpire uses #{found}, the end of the order before it.", err=True)
