"""List the marks of a time bar: the turns and steps that count, and the rolls and own orders that a seat may see."""

import msgspec

from umpire_ledger.projections.tables.dialect import Tables
from umpire_ledger.projections.tables.undo_points import NOT_PLAY_TAGS
from umpire_ledger.projections.tables.views_file import SEEN, key_of, row_id, typed

MOST_MARKED = 20_000
"""Records of a game up to which rolls and own orders are marked: each page looks through all of them."""


class TimeMarks(msgspec.Struct, frozen=True, kw_only=True):
    """Positions to mark on a time bar, oldest first. `turns`: each with its number; `steps`: each with its words."""

    turns: tuple[tuple[int, int], ...] = ()
    steps: tuple[tuple[int, str], ...] = ()
    rolls: tuple[int, ...] = ()
    own: tuple[int, ...] = ()


def time_marks(connection: Tables, game_id: str, seat: str, size: int) -> TimeMarks:
    """Return the marks up to a position, as a seat sees them."""
    key = key_of(connection, game_id)
    within = {"first": row_id(key, 1), "last": row_id(key, size)}
    opened = connection.execute(
        "SELECT p.opened, p.turn, p.step, p.name FROM undo_point p JOIN audit ON audit.id = p.id"
        " WHERE p.id BETWEEN :first AND :last AND audit.counts ORDER BY p.opened",
        within,
    )
    turns, steps = dict[int, int](), dict[int, str]()
    for at, turn, step, name in typed(opened, tuple[int, int, str, str]):
        turns.setdefault(turn, at)
        if step:
            steps[at] = f"{step} {name}".strip()
    rolls, own = list[int](), list[int]()
    if size <= MOST_MARKED:
        found = connection.execute(
            "SELECT position, event FROM audit WHERE id BETWEEN :first AND :last AND counts"
            f" AND {SEEN} AND (event = 'dice.rolled' OR starts AND seat = :seat AND event NOT IN {NOT_PLAY_TAGS})"
            " ORDER BY id",
            {"game": game_id, "seat": seat, **within},
        )
        for at, event in typed(found, tuple[int, str]):
            (rolls if event == "dice.rolled" else own).append(at)
    return TimeMarks(
        turns=tuple((at, turn) for turn, at in turns.items() if turn),
        steps=tuple(sorted(steps.items())),
        rolls=tuple(rolls),
        own=tuple(own),
    )
