"""Units, accounts and markers as plain rows, at the present position, as each seat knows them."""

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from domain.game import Game, Unit
from domain.title import Title

_json = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode

IN_PLAY = " AND fate = ''"
COLUMNS = {
    "unit": ("game", "knows", "id", "side", "kind", "at", "attributes", "fate"),
    "account": ("game", "knows", "id", "amount"),
    "marker": ("game", "knows", "id", "value"),
}
"""Tables and their columns; the first three are the key. `knows`: the first seat that knows as much."""


def rows_of(game: Game, game_id: str, knows: str) -> dict[str, dict[str, tuple[Any, ...]]]:
    """Table to id to row, of everything that lies on the table or has left it."""
    return {
        "unit": {
            unit.id: (game_id, knows, unit.id, unit.side, unit.kind, unit.at, _text(unit.attributes), unit.fate)
            for unit in game.units.values()
        },
        "account": {account: (game_id, knows, account, amount) for account, amount in game.accounts.items()},
        "marker": {marker: (game_id, knows, marker, _text(value)) for marker, value in game.markers.items()},
    }


def _text(value: object) -> str:
    return str(_json(value), "utf-8")


def write(connection: sqlite3.Connection, game_id: str, known: Iterable[tuple[str, Game]]) -> None:
    """Make the rows of a game what these seats know, touching only those that differ."""
    wanted: dict[str, dict[tuple[str, str], tuple[Any, ...]]] = {table: {} for table in COLUMNS}
    for knows, game in known:
        for table, found in rows_of(game, game_id, knows).items():
            wanted[table].update({(knows, name): row for name, row in found.items()})
    for table in COLUMNS:
        _write_table(connection, table, game_id, wanted[table])


def _write_table(
    connection: sqlite3.Connection, table: str, game_id: str, rows: dict[tuple[str, str], tuple[Any, ...]]
) -> None:
    columns = COLUMNS[table]
    found = connection.execute(f"SELECT {', '.join(columns)} FROM {table} WHERE game = ?", (game_id,))
    there = {(row[1], row[2]): row for row in found}
    connection.executemany(
        f"DELETE FROM {table} WHERE game = ? AND knows = ? AND id = ?",
        [(game_id, *key) for key in there.keys() - rows.keys()],
    )
    connection.executemany(
        f"INSERT OR REPLACE INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})",
        [row for key, row in rows.items() if there.get(key) != row],
    )


def units(connection: sqlite3.Connection, game: str, seat: str, *, gone: bool = False) -> list[dict[str, Any]]:
    """The units in play as a seat knows them, by id; with `gone` those that have left play too, their fate told."""
    rows = connection.execute(
        f"SELECT id, side, kind, at, attributes, fate FROM units WHERE game = ? AND seat = ?{'' if gone else IN_PLAY}"
        " ORDER BY id",
        (game, seat),
    )
    return [
        {"id": name, "side": side, "kind": kind, "at": at, "attributes": _decode(attributes), "fate": fate}
        for name, side, kind, at, attributes, fate in rows
    ]


def stacks(title: Title | None, game: Game, found: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Place by place what stands there, in the title's notation, or by id where it has none."""
    places: dict[str, list[Unit]] = {}
    for row in found:
        unit = Unit(**{name: row[name] for name in ("id", "side", "kind", "at", "attributes")})
        places.setdefault(unit.at, []).append(unit)
    write_down = title.notation.stack if title is not None and title.notation is not None else _by_id
    return [{"at": place, "units": write_down(game, units)} for place, units in sorted(places.items())]


def _by_id(_: Game, units: Iterable[Unit]) -> str:
    return ", ".join(sorted(unit.id for unit in units))
