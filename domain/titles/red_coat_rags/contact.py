"""Make contact (4a): pieces of the activated unit touch an enemy along an edge, or are locked at a corner.

Two pieces touch along an edge or at a corner, never both. So a corner lock does not turn into close combat unless one
of the pieces moves.
"""

import math
from typing import NamedTuple

from umpire_ledger.domain.titles.red_coat_rags.actions import RULE, active_piece
from umpire_ledger.domain.titles.red_coat_rags.ground import (
    BaseRectangle,
    distance,
    hundredths,
    in_words,
    is_facing,
    point,
    touch,
    unit_of_measure,
)
from umpire_ledger.domain.titles.red_coat_rags.house_values import CONTACT
from umpire_ledger.domain.titles.red_coat_rags.locks import MOST_LOCKS, locks
from umpire_ledger.domain.titles.red_coat_rags.pieces import hostile, refuse, tied
from umpire_ledger.kit import Dice, Game, Order, Result, Unit, UnitName, changed, number_of


class Engage(Order, frozen=True, kw_only=True, tag="engage"):
    """Engage an enemy edge to edge with a piece of the activated unit; close combat follows when all have moved."""

    piece: UnitName
    enemy: UnitName


class LockCorner(Order, frozen=True, kw_only=True, tag="lock-corner"):
    """Lock a piece of the activated unit and an enemy that are corner to corner."""

    piece: UnitName
    enemy: UnitName


def decide_engage(game: Game, order: Engage, _: Dice) -> list[Result]:
    """Bring two pieces edge to edge: they are in contact until 4c. The order costs no action of its own.

    Raises:
        RuleViolation: The piece is not in the activated unit, the target is not an enemy, or the two are already in
            contact or locked, or are not edge to edge.
    """
    return _ties(game, order.seat, order.piece, order.enemy, "contact")


def decide_lock_corner(game: Game, order: LockCorner, _: Dice) -> list[Result]:
    """Lock two pieces corner to corner, until either breaks free or is lost.

    Raises:
        RuleViolation: The piece is not in the activated unit, the target is not an enemy, the two are already locked
            or in contact, or are not corner to corner, or one of them already has two locks.
    """
    return _ties(game, order.seat, order.piece, order.enemy, "locked")


def _ties(game: Game, seat: str, name: str, enemy: str, tie: str) -> list[Result]:
    piece = active_piece(game, seat, name)
    foe = hostile(game, piece.side, enemy, RULE)
    for attribute, one in _TIES.items():
        if foe.id in piece.names(attribute):
            raise refuse(game, "contact-already", RULE, piece=name, enemy=enemy, contact=one.said, remedy=one.remedy)
    verify_contact(game, piece, foe, tie)
    if tie == "locked":
        _verify_corners(game, piece, foe)
    return tie_together(game, piece, foe, tie, RULE)


class _Tie(NamedTuple):
    """A kind of tie: its name, the part of the base that touches, its order, and the remedy if it already exists."""

    said: str
    where: str
    order: str
    remedy: str


_TIES = {
    "contact": _Tie("contact", "edge", "engage", "name another piece"),
    "locked": _Tie("a corner lock", "corner", "lock-corner", "name another piece; a lock is broken in 2d"),
}


def verify_contact(game: Game, piece: Unit, foe: Unit, tie: str) -> None:
    """Check that two pieces touch along an edge for a contact, or at a corner for a lock.

    Without facings, check only that their middles are not farther apart than the sum of half their diagonals. A piece
    without a given width counts as a square.

    Raises:
        RuleViolation: The pieces do not touch, or touch in the other way.
    """
    one, other = _base(piece), _base(foe)
    if one is None or other is None:
        _verify_near(game, piece, foe)
        return
    slack = (one.length + other.length) // 2 * number_of(game, CONTACT) // 100
    found = touch(one, other, slack)
    if not found:
        apart = f"{in_words(distance(piece.at, foe.at) or 0)} {unit_of_measure(game)} apart"
        raise refuse(game, "not-touching", RULE, piece=piece.id, enemy=foe.id, apart=apart)
    if found != _TIES[tie].where:
        right = next(one.order for one in _TIES.values() if one.where == found)
        raise refuse(
            game,
            "other-contact",
            RULE,
            piece=piece.id,
            enemy=foe.id,
            contact="an edge" if found == "edge" else "a corner",
            order=right,
        )


def _base(piece: Unit) -> BaseRectangle | None:
    """Return the base of a piece; None if its place, facing or length is unknown."""
    middle, length = point(piece.at), hundredths(piece.get("length"))
    if middle is None or not length or not is_facing(piece.get("facing")):
        return None
    return BaseRectangle(middle, str(piece.get("facing")), length, hundredths(piece.get("width")) or length)


def _verify_near(game: Game, piece: Unit, foe: Unit) -> None:
    apart, bases = distance(piece.at, foe.at), (half_diagonal(piece), half_diagonal(foe))
    if apart is None or not all(bases) or apart <= sum(bases):
        return
    measure = unit_of_measure(game)
    raise refuse(
        game,
        "too-far-apart",
        RULE,
        piece=piece.id,
        enemy=foe.id,
        given=in_words(apart),
        measure=measure,
        limit=in_words(sum(bases)),
    )


def half_diagonal(piece: Unit) -> int:
    """Return the distance from a piece's middle to a corner, in hundredths, rounded up; 0 if its length is unknown."""
    length = hundredths(piece.get("length"))
    width = hundredths(piece.get("width")) or length
    return math.isqrt(length**2 + width**2) // 2 + 1 if length else 0


def _verify_corners(game: Game, *both: Unit) -> None:
    full = [one.id for one in both if locks(game, one) >= MOST_LOCKS]
    if full:
        raise refuse(game, "two-corners-locked", RULE, pieces=" and ".join(full))


def tie_together(game: Game, piece: Unit, foe: Unit, tie: str, rule: str) -> list[Result]:
    """Record a tie on both pieces, and drop their ties to pieces no longer in play."""
    return [
        event
        for one, other in ((piece, foe), (foe, piece))
        for event in changed(one, tie, (*(mate.id for mate in tied(one, game, tie)), other.id), rule=rule)
    ]
