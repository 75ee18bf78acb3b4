"""List undo points: one for each step that is open when an order ends, with the orders and rolls a rewind would undo.

A rewind cannot end within an order, so a point is at the last record of the order that opened its step. A step that
opens and closes within one order has no point. If no step is open, because the title has no sequence or the game is
over, every order is a point.

The undone records are counted for each request and each seat, from the audit trail. The counts change with every order,
and a seat must not learn of a roll that is hidden from it.
"""

from collections.abc import Iterator

import msgspec

from umpire_ledger.domain.game.events import (
    AmendmentEnded,
    AmendmentStopped,
    DisputeOpened,
    DisputeSettled,
    GameCopied,
    LineSealed,
    NoteAdded,
    NoteOpened,
    NoteSealed,
    PlayRewound,
    RewindAnswered,
    RewindAsked,
    SecretPeeked,
)
from umpire_ledger.projections.tables.dialect import Tables
from umpire_ledger.projections.tables.step_index import StepPlaces
from umpire_ledger.projections.tables.views_file import NO_LIMIT, SEEN, key_of, row_id, typed

NOT_PLAY = (
    NoteAdded,
    NoteSealed,
    NoteOpened,
    LineSealed,
    PlayRewound,
    AmendmentStopped,
    AmendmentEnded,
    GameCopied,
    RewindAsked,
    RewindAnswered,
    DisputeOpened,
    DisputeSettled,
    SecretPeeked,
)
"""First events of orders that change nothing on the board."""
NOT_PLAY_TAGS = tuple(str(event.__struct_config__.tag) for event in NOT_PLAY)

PointRow = tuple[str, int, int, str, str, str, int, int]
"""The columns of table `undo_point` in `catalogue.TABLES`: game, position, turn, place, step, name, opened, id."""


class UndoPoint(msgspec.Struct, frozen=True, kw_only=True):
    """A position to rewind to. `opened`: the record that opened the step.

    `orders`, `rolls`, `reveals`, `seals`: numbers that the rewind would undo; `orders` does not count notes, seals and
    rewinds. `seats`: seats with undone orders or seals, in alphabetical order.
    """

    position: int
    opened: int
    turn: int
    step: str
    name: str
    where: str
    orders: int
    rolls: int
    reveals: int
    seals: int
    seats: tuple[str, ...]


def points_of(key: int, game_id: str, position: int, places: StepPlaces, opened: dict[str, int]) -> Iterator[PointRow]:
    """Yield the undo points of an order that ended at `position`. `opened`: positions of the steps that it opened."""
    now = places.now()
    for one in places.open_of(opened):
        at = opened[one.step]
        yield game_id, position, now.turn, now.where, one.step, one.name, at, row_id(key, at)
    if not now.cursor.open:
        yield game_id, position, now.turn, now.where, "", "", position, row_id(key, position)


def undo_points(connection: Tables, game_id: str, seat: str, limit: int | None = None) -> list[UndoPoint]:
    """Return the newest undo points on the current branch, newest first, at most `limit`, as a seat sees them."""
    key = key_of(connection, game_id)
    rows = connection.execute(
        "SELECT p.position, p.opened, p.turn, p.step, p.name, p.place FROM undo_point p"
        " JOIN audit ON audit.id = p.id"
        " WHERE p.id BETWEEN ? AND ? AND audit.counts ORDER BY p.id DESC LIMIT ?",
        (row_id(key, 1), row_id(key + 1, 0), NO_LIMIT if limit is None else limit),
    )
    points = list(typed(rows, tuple[int, int, int, str, str, str]))
    if not points:
        return []
    lowest = min(position for position, *_ in points)
    marks = _marks(connection, key, game_id, seat, lowest)
    return list(_counted(points, marks))


def _marks(connection: Tables, key: int, game_id: str, seat: str, after: int) -> Iterator[tuple[int, str, int, str]]:
    """Yield the records that undo points count, newest first: (position, seat, whether it starts an order, event)."""
    rows = connection.execute(
        f"SELECT position, seat, starts AND NOT ({SEEN} AND event IN {NOT_PLAY_TAGS}),"
        f" CASE WHEN {SEEN} THEN event ELSE '' END"
        " FROM audit WHERE id BETWEEN :first AND :last AND counts"
        " AND (starts OR event IN ('dice.rolled', 'choice.revealed', 'line.sealed')) ORDER BY id DESC",
        {"game": game_id, "seat": seat, "first": row_id(key, after + 1), "last": row_id(key + 1, 0)},
    )
    return typed(rows, tuple[int, str, int, str])


def _counted(
    points: list[tuple[int, int, int, str, str, str]], marks: Iterator[tuple[int, str, int, str]]
) -> Iterator[UndoPoint]:
    """Yield points with the number of marks after them, which a rewind undoes; points and marks are newest first."""
    counts = {"orders": 0, "dice.rolled": 0, "choice.revealed": 0, "line.sealed": 0}
    seats: set[str] = set()
    mark = next(marks, None)
    for position, opened, turn, step, name, where in points:
        while mark is not None and mark[0] > position:
            _, seat, is_order, event = mark
            counts["orders"] += is_order
            if event in counts:
                counts[event] += 1
            if is_order or event == "line.sealed":
                seats.add(seat)
            mark = next(marks, None)
        yield UndoPoint(
            position=position,
            opened=opened,
            turn=turn,
            step=step,
            name=name,
            where=where,
            orders=counts["orders"],
            rolls=counts["dice.rolled"],
            reveals=counts["choice.revealed"],
            seals=counts["line.sealed"],
            seats=tuple(sorted(seats)),
        )
