"""Break free from a corner lock (2d). A lock is recorded on both pieces; a piece has at most two locks."""

from typing import Literal

import msgspec

from umpire_ledger.domain.titles.red_coat_rags.ground import (
    POINTS,
    Facing,
    bearing,
    distance,
    hundredths,
    in_words,
    is_facing,
    point,
    points_apart,
)
from umpire_ledger.domain.titles.red_coat_rags.house_values import SLACK, STRAIGHT
from umpire_ledger.domain.titles.red_coat_rags.leadership import Cubes, roll_led
from umpire_ledger.domain.titles.red_coat_rags.pieces import own, phasing, pieces, refuse, tied, untied, verify_place
from umpire_ledger.kit import (
    Dice,
    Game,
    Order,
    PlaceName,
    Reason,
    Result,
    Unit,
    UnitName,
    changed,
    leave_when_nothing_is_due,
    moved,
    number_of,
    replace,
)

RULE = "2d"
MOST_LOCKS = 2
"""The number of front corners of a piece."""


class BreakLock(Order, frozen=True, kw_only=True, tag="break-lock"):
    """Try to free a piece locked at one corner; freed, it goes back one piece length, to `to`.

    `facing`: the direction of its front edge, if it is not on record; back is the opposite direction.
    """

    piece: UnitName
    to: PlaceName
    facing: Facing | Literal[""] = ""
    cubes: Cubes = msgspec.field(default_factory=dict)


def locks(game: Game, piece: Unit) -> int:
    """Count the locked corners of a piece."""
    return len(tied(piece, game, "locked"))


def single_locked(game: Game, side: str) -> tuple[Unit, ...]:
    """Return the pieces of a side that may try to break a lock."""
    return tuple(one for one in pieces(game, side) if locks(game, one) == 1 and one.get("lock_tried") != game.turn)


def lock_may_break(game: Game, _: str) -> bool:
    return bool(single_locked(game, phasing(game)))


def decide_break_lock(game: Game, order: BreakLock, dice: Dice) -> list[Result]:
    """Roll 1d6 against the piece's QV to free it. If it stays locked, it cannot move.

    Raises:
        RuleViolation: The piece is not yours, does not have exactly one lock, or has already tried; it would not go one
            piece length straight back, away from the enemy that locks it; its facing is unknown, or differs from the
            order; or cubes cannot be spent.
    """
    piece = own(game, game.side_of(order.seat), order.piece, (), RULE)
    verify_can_break(game, piece, order.to)
    verify_straight_back(game, piece, order)
    needed = f"{piece.number('qv')} or more"
    rolled, spent = roll_led(
        game, dice, (piece,), order.cubes, purpose=f"corner lock of {piece.id}", rule=RULE, needed=needed
    )
    freed = rolled.total >= piece.number("qv")
    results: list[Result] = [replace(rolled, outcome="free" if freed else "stays locked"), *spent]
    results += changed(piece, "facing", order.facing, rule=RULE) if order.facing else []
    results += _disengaged(game, piece, order.to) if freed else changed(piece, "lock_tried", game.turn, rule=RULE)
    return leave_when_nothing_is_due(game, results, lock_may_break)


def _disengaged(game: Game, piece: Unit, to: str) -> list[Result]:
    return [
        *changed(piece, "locked", None, "disengaged", RULE),
        *untied_locks(game, piece),
        *moved(piece, (to,), "back one piece length", RULE),
    ]


def untied_locks(game: Game, piece: Unit) -> list[Result]:
    """Remove the locks of other pieces with a piece, but keep their contacts with it."""
    return [event for event in untied(game, (piece.id,), f"{piece.id} disengaged", RULE) if _is_lock(event)]


def _is_lock(event: Result) -> bool:
    return getattr(event, "attribute", "") == "locked"


def _nears(piece: Unit, foe: Unit, *, to: str) -> bool:
    """Check whether a move leads towards an enemy or past it, not away from it; False if a place is in words."""
    here, there, front = point(piece.at), point(to), point(foe.at)
    if here is None or there is None or front is None:
        return False
    away = (here[0] - front[0], here[1] - front[1])
    step = (there[0] - here[0], there[1] - here[1])
    return step != (0, 0) and away[0] * step[0] + away[1] * step[1] <= 0


def verify_can_break(game: Game, piece: Unit, to: str) -> None:
    number = locks(game, piece)
    if number != 1:
        twice = Reason("locked-twice", "it is locked at two corners")
        why = twice if number else Reason("not-locked", "it is not locked")
        can = ", ".join(one.id for one in single_locked(game, piece.side)) or "none"
        raise refuse(game, "cannot-disengage", RULE, piece=piece.id, why=why, pieces=can)
    if piece.get("lock_tried") == game.turn:
        raise refuse(game, "disengage-tried-already", RULE, piece=piece.id)
    verify_place(game, to, RULE)
    back, length = distance(piece.at, to), hundredths(piece.get("length"))
    if to == piece.at:
        raise refuse(game, "locked-piece-there", RULE, piece=piece.id, place=to)
    if _nears(piece, *tied(piece, game, "locked"), to=to):
        foe = tied(piece, game, "locked")[0]
        raise refuse(game, "not-away", RULE, place=to, enemy=foe.id, piece=piece.id, enemy_at=foe.at)
    if back is not None and length and abs(back - length) > length * number_of(game, SLACK) // 100:
        raise refuse(
            game, "wrong-distance-back", RULE, place=to, given=in_words(back), piece=piece.id, limit=in_words(length)
        )


def verify_straight_back(game: Game, piece: Unit, order: BreakLock) -> None:
    """Check that a piece goes straight back, opposite to its facing, if places are measured.

    Raises:
        RuleViolation: The facing is unknown or differs from the record, or the direction is not straight back.
    """
    known = str(piece.get("facing")) if is_facing(piece.get("facing")) else ""
    if known and order.facing not in ("", known):
        raise refuse(game, "facing-differs", RULE, piece=piece.id, limit=known, given=order.facing)
    facing, way = known or order.facing, bearing(piece.at, order.to)
    if not way:
        return
    if not facing:
        raise refuse(game, "facing-unknown", RULE, piece=piece.id, example=POINTS[0])
    back = POINTS[(POINTS.index(facing) + len(POINTS) // 2) % len(POINTS)]
    if points_apart(way, back) > number_of(game, STRAIGHT):
        raise refuse(game, "not-straight-back", RULE, place=order.to, way=way, piece=piece.id, facing=facing, back=back)
