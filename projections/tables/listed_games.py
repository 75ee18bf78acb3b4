"""List games, each with its step, waits and open disputes.

Games with up-to-date read models are read from them, so that a thousand games cost one query. The entries of other
games are computed from the ledger, and not stored.
"""

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any, TypeVar

import msgspec

from umpire_ledger.domain.flow.available_orders import where_now
from umpire_ledger.domain.game.events import DisputeOpened, DisputeSettled
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import title_as_played
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.tables.dialect import Tables
from umpire_ledger.projections.tables.seat_visibility import seats_at
from umpire_ledger.projections.tables.step_index import order_by_order
from umpire_ledger.projections.tables.turn_view import TitleOf
from umpire_ledger.projections.tables.views_file import StorePath, open_views, typed
from umpire_ledger.projections.tables.waiting import Waiting, Waits, read_names, read_waits


class ListedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game in a list. Times are UTC. `seats`: seats that can see it, with their sides. `disputes`: open disputes."""

    game: str
    records: int
    title: str
    name: str
    turn: int
    where: str
    ended: str
    unreadable: str
    opened_at: str
    last_at: str
    waits: Waits
    disputes: tuple[str, ...]
    seats: dict[str, str]


T = TypeVar("T")
IsFresh = Callable[[tuple[Any, ...]], bool]
"""Returns whether a row shows its game's last record and was made by this edition. Its columns begin as in `SELECT`."""
Row = tuple[str, int, str, str, str, str, int, str, str, str, str, str, str, str]
SELECT = (
    "SELECT id, position, last_line, edition, title, name, turn, place, ended, unreadable, opened_at, last_at, waits,"
    " disputes FROM game"
)


def by_line(last: Mapping[str, tuple[int, str]], edition: str) -> IsFresh:
    """Return a check of rows against the position and line of each game's last record."""
    return lambda row: last.get(row[0]) == (row[1], row[2]) and row[3] == edition


def by_size(sizes: Mapping[str, int], edition: str) -> IsFresh:
    """Return a check of rows against the sizes of games, for read models in the ledger's own database."""
    return lambda row: sizes.get(row[0]) == row[1] and row[3] == edition


def from_file(ledger: StorePath, read: Callable[[Tables], dict[str, T]]) -> dict[str, T]:
    """Return the result of `read` on the read models next to a ledger file; {} if they cannot be read."""
    views = open_views(ledger)
    if views is None:
        return {}
    try:
        with closing(views):
            return read(views)
    except (sqlite3.Error, ValueError, TypeError):
        return {}


def listed_in(views: Tables, is_fresh: IsFresh) -> dict[str, ListedGame]:
    """Return the games with fresh rows; games with damaged rows are omitted. Errors of the store are raised."""
    seats: dict[str, dict[str, str]] = {}
    rows = typed(views.execute("SELECT game, seat, side FROM seat ORDER BY game, nth"), tuple[str, str, str])
    for game, seat, side in rows:
        seats.setdefault(game, {})[seat] = side
    found = (_from_row(row, seats) for row in views.execute(SELECT) if is_fresh(row))
    return {one.game: one for one in found if one is not None}


def ruled_in(views: Tables, is_fresh: IsFresh) -> dict[str, list[int]]:
    """Return the positions of rulings in ascending order, by game, for games with fresh rows.

    Errors of the store are raised.
    """
    rows = views.execute("SELECT id, position, last_line, edition FROM game")
    found: dict[str, list[int]] = {row[0]: [] for row in rows if is_fresh(row)}
    for game, position in typed(views.execute("SELECT game, position FROM rulings ORDER BY id"), tuple[str, int]):
        if game in found:
            found[game].append(position)
    return found


def _from_row(row: tuple[Any, ...], seats: dict[str, dict[str, str]]) -> ListedGame | None:
    try:
        game, records, _, _, title, name, turn, where, ended, unreadable, opened_at, last_at, waits, disputes = (
            msgspec.convert(row, Row)
        )
        return ListedGame(
            game=game,
            records=records,
            title=title,
            name=name,
            turn=turn,
            where=where,
            ended=ended,
            unreadable=unreadable,
            opened_at=opened_at,
            last_at=last_at,
            waits=read_waits(waits),
            disputes=read_names(disputes),
            seats=seats[game],
        )
    except (msgspec.DecodeError, KeyError):
        return None


def listed(ledger: Ledger[Game], game_id: str, title_of: TitleOf) -> ListedGame:
    """Return the list entry of a game from the ledger alone.

    Raises:
        NoSuchGame: When the ledger has no such game.
        BrokenLedger: When the stored records are damaged.
    """
    size = ledger.size(game_id)
    opened_at, last_at = (ledger.record(game_id, position).at for position in (1, size))
    state = ledger.state(game_id)
    waits, disputes = _walked(ledger, game_id, title_of)
    return ListedGame(
        game=game_id,
        records=size,
        title=state.title,
        name=state.name,
        turn=state.turn,
        where=where_now(title_as_played(title_of, state), state),
        ended=state.ended,
        unreadable=state.unreadable,
        opened_at=opened_at,
        last_at=last_at,
        waits=waits,
        disputes=disputes,
        seats=seats_at(state),
    )


def _walked(ledger: Ledger[Game], game_id: str, title_of: TitleOf) -> tuple[Waits, tuple[str, ...]]:
    """Return the waits and the open disputes, from one pass over every record, including rewound records."""
    waiting, disputes = Waiting(title_of), dict[str, bool]()
    for order, place in order_by_order(ledger.lines(game_id), lambda earlier: ledger.state(game_id, earlier)):
        for record in order:
            waiting.see(record)
            if isinstance(record.event, DisputeOpened | DisputeSettled) and record.visible_to is None:
                disputes[record.event.dispute] = isinstance(record.event, DisputeOpened)
        waiting.order_ends(order[-1].position, place)
    return waiting.waits, tuple(dispute for dispute, is_open in disputes.items() if is_open)
