"""Store units, accounts and markers as plain rows, at the current position, as each seat knows them."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec
from immutables import Map

from umpire_ledger.domain.game.state import Game, Unit
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.projections.tables.dialect import Tables
from umpire_ledger.projections.tables.views_file import typed

_json = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode

Six = tuple[str, str, str, str, str, str]
IN_PLAY = " AND fate = ''"
COLUMNS = {
    "unit": ("game", "knows", "id", "side", "kind", "at", "attributes", "fate"),
    "account": ("game", "knows", "id", "amount"),
    "marker": ("game", "knows", "id", "value"),
}
"""The columns of each table; the first three are the key. `knows`: the first of the seats with the same knowledge."""
_PUT = {
    table: f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    f" ON CONFLICT (game, knows, id) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in columns[3:])}"
    for table, columns in COLUMNS.items()
}


Piece = tuple[str, str]
"""Table and id of a unit, an account or a marker."""
Rows = dict[tuple[str, str], tuple[Any, ...]]
"""Rows by their columns `knows` and `id`."""


def _things(game: Game) -> dict[str, Map[str, Any]]:
    """Return all pieces by table and id, including units out of play."""
    return {"unit": game.units, "account": game.accounts, "marker": game.markers}


def _rest(table: str, thing: Any) -> tuple[Any, ...]:
    """Return the columns of a piece's row after its id."""
    if table == "unit":
        return thing.side, thing.kind, thing.at, _text(thing.attributes), thing.fate
    return (thing,) if table == "account" else (_text(thing),)


def _text(value: object) -> str:
    return str(_json(value), "utf-8")


def write(
    connection: Tables, game_id: str, known: Mapping[str, Game], touched: Collection[Piece] | None = None
) -> None:
    """Write the pieces of a game as seats know them.

    Args:
        known: The game as the first seat of each group with equal knowledge knows it.
        touched: The pieces that may have changed since the rows were written; None to compare all rows.
    """
    if touched is None:
        _write_all(connection, game_id, known)
        return
    for table in COLUMNS:
        names = sorted(name for of, name in touched if of == table)
        if not names:
            continue
        gone, changed = list[tuple[str, str]](), list[tuple[Any, ...]]()
        for knows, game in known.items():
            things = _things(game)[table]
            for name in names:
                if name in things:
                    changed.append((game_id, knows, name, *_rest(table, things[name])))
                else:
                    gone.append((knows, name))
        _put(connection, table, game_id, gone, changed)


def _write_all(connection: Tables, game_id: str, known: Mapping[str, Game]) -> None:
    wanted: dict[str, Rows] = {table: {} for table in COLUMNS}
    for knows, game in known.items():
        for table, things in _things(game).items():
            rows = wanted[table]
            for name, thing in things.items():
                rows[knows, name] = (game_id, knows, name, *_rest(table, thing))
    for table, rows in wanted.items():
        found = connection.execute(f"SELECT {', '.join(COLUMNS[table])} FROM {table} WHERE game = ?", (game_id,))
        there = {(row[1], row[2]): row for row in found}
        changed = [row for key, row in rows.items() if there.get(key) != row]
        _put(connection, table, game_id, there.keys() - rows.keys(), changed)


def _put(
    connection: Tables,
    table: str,
    game_id: str,
    gone: Collection[tuple[str, str]],
    changed: Collection[tuple[Any, ...]],
) -> None:
    if gone:
        connection.executemany(
            f"DELETE FROM {table} WHERE game = ? AND knows = ? AND id = ?", [(game_id, *key) for key in gone]
        )
    if changed:
        connection.executemany(_PUT[table], changed)


def units(connection: Tables, game_id: str, seat: str, *, gone: bool = False) -> list[dict[str, Any]]:
    """Return the units in play as a seat knows them, sorted by id; with `gone`, units out of play too."""
    rows = connection.execute(
        f"SELECT id, side, kind, at, attributes, fate FROM units WHERE game = ? AND seat = ?{'' if gone else IN_PLAY}"
        " ORDER BY id",
        (game_id, seat),
    )
    return [
        {"id": name, "side": side, "kind": kind, "at": at, "attributes": _decode(attributes), "fate": fate}
        for name, side, kind, at, attributes, fate in typed(rows, Six)
    ]


def stacks(title: Title | None, game: Game, found: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the units at each place, in the title's notation or, if it has none, as ids."""
    places: dict[str, list[Unit]] = {}
    for row in found:
        unit = Unit(**{name: row[name] for name in ("id", "side", "kind", "at", "attributes")})
        places.setdefault(unit.at, []).append(unit)
    write_down = title.notation.stack if title is not None and title.notation is not None else _by_id
    return [{"at": place, "units": write_down(game, units)} for place, units in sorted(places.items())]


def _by_id(_: Game, units: Iterable[Unit]) -> str:
    return ", ".join(sorted(unit.id for unit in units))
