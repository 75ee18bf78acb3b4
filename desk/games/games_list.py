"""List a ledger's games, filtered and sorted; a faulty game does not break the list."""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from umpire_ledger.desk.core.adapters import find_title
from umpire_ledger.desk.core.edition import EDITION
from umpire_ledger.desk.core.errors import EXPECTED, not_there
from umpire_ledger.desk.core.open_ledger import OpenLedger
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR, Game
from umpire_ledger.ledger.ledger import Ledger, utc_now
from umpire_ledger.ledger.records.errors import StoreUnavailable
from umpire_ledger.ledger.records.ledger_address import is_database
from umpire_ledger.ledger.storage import quick_read
from umpire_ledger.ledger.storage.interface import Away
from umpire_ledger.ledger.storage.metadata import ARCHIVED, DISPLAY_NAME, MetadataEntry
from umpire_ledger.projections.tables.dialect import Tables
from umpire_ledger.projections.tables.listed_games import (
    IsFresh,
    ListedGame,
    by_line,
    by_size,
    from_file,
    listed,
    listed_in,
    ruled_in,
)
from umpire_ledger.projections.tables.waiting import Wait, moment

T = TypeVar("T")


class GameEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A game in the list of games."""

    game: str
    """Id of the game."""
    records: int
    """Number of its records."""
    title: str = ""
    """Id of its title."""
    name: str = ""
    """The scenario's name."""
    display_name: str = ""
    """Its name in this ledger, which is the scenario's unless it was renamed."""
    turn: int = 0
    """Number of the turn."""
    where: str = ""
    """The current step."""
    waiting: tuple[str, ...] = ()
    """The sides that must act."""
    since: str = ""
    """Time since which the first of these sides must act, UTC, RFC 3339."""
    waits: tuple[Wait, ...] = ()
    """Each of these sides with the time and the position since which it must act."""
    ended: str = ""
    """The reason why the game has ended, or ""."""
    disputes: tuple[str, ...] = ()
    """The open disputes."""
    opened_at: str = ""
    """Time of the first record, UTC, RFC 3339."""
    last_at: str = ""
    """Time of the newest record, UTC, RFC 3339."""
    seats: Mapping[str, str] = {}
    """Each seat with a view of the game, with its side."""
    archived: bool = False
    """Whether the game is archived."""
    trouble: str = ""
    """Its fault, or ""."""


class GameFilter(msgspec.Struct, frozen=True, kw_only=True):
    """The filter and the order of the list of games.

    `waiting`: this side, or the side of this seat, must act. `idle`: the game has not ended and has no record for this
    time. `ended`: the game has ended, or has not. `archived`: archived games only; None for all games.
    """

    waiting: str = ""
    title: str = ""
    idle: timedelta | None = None
    ended: bool | None = None
    disputed: bool = False
    archived: bool | None = False
    sort: str = "entered"
    reverse: bool = False


SORTS: dict[str, Callable[[GameEntry], Any]] = {
    "entered": lambda one: 0,
    "opened": lambda one: one.opened_at,
    "last": lambda one: one.last_at,
    "waiting": lambda one: (not one.since, one.since),
    "game": lambda one: one.game,
    "name": lambda one: one.display_name.casefold(),
    "title": lambda one: (one.title, one.game),
    "turn": lambda one: one.turn,
    "disputes": lambda one: -len(one.disputes),
}
"""Sort orders of the list. `entered`: by entry into the ledger; `waiting`: the longest wait first."""


def list_games(
    opened: OpenLedger,
    chosen: GameFilter,
    *,
    among: Collection[str] | None = None,
    away: Away | None = None,
    as_seen: Callable[[GameEntry], GameEntry] = lambda one: one,
) -> list[GameEntry]:
    """Return the games of a ledger that match a filter.

    Args:
        opened: The ledger; the list is read from the file of read models if that is sufficient.
        chosen: The filter, and the order of the list.
        among: Ids of the games to consider; None for all.
        away: Called with each unreachable server, whose games are left out; without it, such a server is an error.
        as_seen: Returns an entry as the caller may see it.

    Raises:
        NotThere: When no game has a name in the filter.
        StoreUnavailable: When the ledger cannot be read.
    """
    gone: list[StoreUnavailable] = []
    found = [as_seen(one) for one in _entries(opened, among, gone.append if away else None)]
    if away:
        for server in gone:
            away(server)
    return wanted(found, chosen, utc_now(), some=bool(gone))


def _entries(opened: OpenLedger, among: Collection[str] | None, away: Away | None) -> list[GameEntry]:
    found = games_from_read_models(opened.where) if opened.is_unopened_file else None
    if found is None:
        with opened.own_tables() as views:
            return list(games_from_ledger(opened.ledger, opened.where, among, views, away))
    return [one for one in found if among is None or one.game in among]


def wanted(entries: Iterable[GameEntry], chosen: GameFilter, now: datetime, *, some: bool = False) -> list[GameEntry]:
    """Return the games that match the filter, sorted.

    Args:
        some: The list is incomplete, so do not check the filter's names.

    Raises:
        NotThere: When no game has the side, seat, title or sort order of the filter.
    """
    every = list(entries)
    if not some:
        _verify_names(every, chosen)
    found = [one for one in every if _fits(one, chosen, now)]
    return sorted(found, key=SORTS[chosen.sort], reverse=chosen.reverse)


def _verify_names(every: list[GameEntry], chosen: GameFilter) -> None:
    seats = sorted({seat for one in every for seat in one.seats} - {REFEREE, SPECTATOR})
    known: tuple[tuple[str, str, Iterable[str]], ...] = (
        ("side or seat", chosen.waiting, seats),
        ("title", chosen.title, sorted({one.title for one in every if one.title})),
        ("sorting", chosen.sort, SORTS),
    )
    for kind, name, names in known:
        if name and name not in names:
            raise not_there(kind, name, names, "the games of this ledger")


def _fits(listed: GameEntry, chosen: GameFilter, now: datetime) -> bool:
    side = listed.seats.get(chosen.waiting, "")
    return (
        chosen.archived in (None, listed.archived)
        and (not chosen.waiting or (bool(side) and side in listed.waiting))
        and chosen.title in ("", listed.title)
        and (chosen.idle is None or _is_idle(listed, chosen.idle, now))
        and chosen.ended in (None, bool(listed.ended))
        and (not chosen.disputed or bool(listed.disputes))
    )


def _is_idle(one: GameEntry, least: timedelta, now: datetime) -> bool:
    last = moment(one.last_at)
    return not one.ended and last is not None and now - last >= least


# --- sources ----------------------------------------------------------------------------------------------------------


def games_from_read_models(where: str) -> list[GameEntry] | None:
    """Return every game of a ledger file from its read models; None if a game requires opening the ledger."""
    if is_database(where):
        return None
    file = Path(where)
    try:
        last = _last_lines(where)
        names, archived = (_by_game(quick_read.metadata_of_kind(file, kind)) for kind in (DISPLAY_NAME, ARCHIVED))
    except (sqlite3.Error, ValueError):  # opening the ledger reports the fault
        return None
    found = from_file(where, lambda views: listed_in(views, by_line(last, EDITION)))
    if found.keys() != last.keys():
        return None
    return [_entry(found[game], names, archived) for game in last]


def games_from_ledger(
    ledger: Ledger[Game],
    where: str,
    among: Collection[str] | None = None,
    views: Tables | None = None,
    away: Away | None = None,
) -> Iterator[GameEntry]:
    """Yield the games of an open ledger, from the read models if possible; a faulty game does not break the list.

    Args:
        among: Yield these games only; None: all.
        views: The read models in the ledger's own database.
        away: Called with each unreachable server, whose games are left out.

    Raises:
        StoreUnavailable: When the ledger cannot be read.
    """
    games = [game for game in ledger.game_ids(away) if among is None or game in among]
    names, archived = _noted(ledger, DISPLAY_NAME), _noted(ledger, ARCHIVED)
    found = _of_read_models(ledger, where, views, listed_in, away)
    for game in games:
        try:
            yield _entry(found.get(game) or listed(ledger, game, find_title), names, archived)
        except Exception as error:  # any fault of a game must not stop the list
            yield GameEntry(game=game, records=_size(ledger, game), trouble=_trouble(error))


def ruled_games(ledger: Ledger[Game], where: str, views: Tables | None = None) -> dict[str, list[int]]:
    """Return the positions of rulings by game, for games with current read models.

    `views`: as for `games_from_ledger`.
    """
    return _of_read_models(ledger, where, views, ruled_in)


def _of_read_models(
    ledger: Ledger[Game],
    where: str,
    views: Tables | None,
    read: Callable[[Tables, IsFresh], dict[str, T]],
    away: Away | None = None,
) -> dict[str, T]:
    """Return data of the games with current read models; an empty dict if the read models cannot be read."""
    if views is not None:
        with suppress(StoreUnavailable, ValueError):  # each game is then read from its records
            return read(views, by_size(ledger.sizes(away and _told_already), EDITION))
    elif not is_database(where):
        with suppress(sqlite3.Error, ValueError):  # each game is then read from its records
            is_fresh = by_line(_last_lines(where), EDITION)
            return from_file(where, lambda views: read(views, is_fresh))
    return {}


def _last_lines(where: str) -> dict[str, tuple[int, str]]:
    return {game: (position, line) for game, position, line in quick_read.last_lines(Path(where))}


def _told_already(_: StoreUnavailable) -> None:
    """Ignore an unreachable server, which was reported when the games were listed."""


def _entry(listed: ListedGame, names: Mapping[str, str], archived: Mapping[str, str]) -> GameEntry:
    return GameEntry(
        game=listed.game,
        records=listed.records,
        title=listed.title,
        name=listed.name,
        display_name=names.get(listed.game, listed.name),
        turn=listed.turn,
        where=listed.where,
        waiting=tuple(wait.side for wait in listed.waits),
        since=min((wait.since for wait in listed.waits), default=""),
        waits=listed.waits,
        ended=listed.ended,
        disputes=listed.disputes,
        opened_at=listed.opened_at,
        last_at=listed.last_at,
        seats=listed.seats,
        archived=listed.game in archived,
        trouble=listed.unreadable,
    )


def _noted(ledger: Ledger[Game], kind: str) -> dict[str, str]:
    """Return the metadata of a kind by game; an empty dict if it is damaged, because the games can still be listed."""
    with suppress(StoreUnavailable):  # the list has ids instead; doctor reports the damage
        return _by_game(ledger.metadata_of_kind(kind))
    return {}


def _by_game(metadata: Iterable[MetadataEntry]) -> dict[str, str]:
    return {entry.game: entry.value for entry in metadata}


def _size(ledger: Ledger[Game], game_id: str) -> int:
    try:
        return ledger.size(game_id)
    except Exception:  # the size is for display only
        return 0


def _trouble(error: Exception) -> str:
    return str(getattr(error, "what", error)) if isinstance(error, EXPECTED) else f"{type(error).__name__}: {error}"
