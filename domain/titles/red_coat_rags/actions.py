"""4a: the actions of the activated unit, in any order, and the enemy's fire between them.

Each success of 3 is one action of the whole unit: moving, a change of formation, shooting, loading or another special
action. Every piece of the unit may take part once in each action that was taken; what would be the second time needs
another action. `taken` on the table says which actions were taken, `did` on a piece in which it took part.
"""

import math

import msgspec

from umpire_ledger.domain.titles.red_coat_rags.activation import active_unit
from umpire_ledger.domain.titles.red_coat_rags.command import Path
from umpire_ledger.domain.titles.red_coat_rags.ground import distance, hundredths, in_words, unit_of_measure
from umpire_ledger.domain.titles.red_coat_rags.locks import MOST_LOCKS, locks
from umpire_ledger.domain.titles.red_coat_rags.pieces import (
    hostile,
    own,
    phasing,
    pieces_of,
    refuse,
    tied,
    walked,
)
from umpire_ledger.kit import Dice, Game, Name, Order, Result, Unit, UnitName, Words, changed, marked, names_in

RULE = "4a"


class MovePiece(Order, frozen=True, kw_only=True, tag="move-piece"):
    """Move a piece of the activated unit within its movement allowance; `facing` as the table says it."""

    piece: UnitName
    path: Path
    facing: str = ""


class Form(Order, frozen=True, kw_only=True, tag="form"):
    """Change the formation of the activated unit; `places`: where its pieces stand then, those that shift."""

    formation: Name
    places: dict[str, Name] = msgspec.field(default_factory=dict)


class Load(Order, frozen=True, kw_only=True, tag="load"):
    """Load: the red cubes of these pieces of the activated unit go back; of all its unloaded ones if none is named."""

    pieces: tuple[UnitName, ...] = ()


class Special(Order, frozen=True, kw_only=True, tag="special-action"):
    """Another special action of the activated unit, in words; `change` and `roll` record what comes of it."""

    what: Words


class Engage(Order, frozen=True, kw_only=True, tag="engage"):
    """A piece of the activated unit is edge to edge with an enemy: close combat is resolved when all have moved."""

    piece: UnitName
    enemy: UnitName


class LockCorner(Order, frozen=True, kw_only=True, tag="lock-corner"):
    """A piece of the activated unit and an enemy stand corner to corner and are locked."""

    piece: UnitName
    enemy: UnitName


# --- what an action costs -------------------------------------------------------------------------------------------


def taken(game: Game) -> tuple[str, ...]:
    """The actions taken so far under this activation."""
    return names_in(game, "taken")


def actions_left(game: Game) -> int:
    return max(0, game.number("actions") - len(taken(game)))


def actions_left_over(game: Game, side: str) -> tuple[str, ...]:
    """What `finished` in 4a gives up."""
    left = actions_left(game)
    return (f"{left} action{'s' * (left > 1)} of {active_unit(game)}",) if left and side == phasing(game) else ()


def active_piece(game: Game, seat: str, piece: str) -> Unit:
    """A piece of the activated unit; raises RuleViolation for any other, and for the side whose phase it is not."""
    _verify_phasing(game, seat)
    found = own(game, game.side_of(seat), piece, (), RULE)
    unit = active_unit(game)
    if found.get("unit") != unit:
        left = ", ".join(one.id for one in pieces_of(game, unit)) or "none"
        raise refuse(game, f"{piece} is not in the activated unit {unit}", f"name one of: {left}", RULE)
    return found


def active_pieces(game: Game, seat: str) -> tuple[Unit, ...]:
    """All pieces of the activated unit; raises RuleViolation for the side whose phase it is not."""
    _verify_phasing(game, seat)
    found = pieces_of(game, active_unit(game))
    if not found:
        raise refuse(game, "the activated unit has no piece left", "`done` with the answer finished", RULE)
    return found


def _verify_phasing(game: Game, seat: str) -> None:
    side = game.side_of(seat)
    if side != phasing(game):
        what = f"{game.side_name(side)} is not the phasing player: it may only `fire` now"
        raise refuse(game, what, f"wait for {game.side_name(phasing(game))}", RULE)


def takes_part(game: Game, acting: tuple[Unit, ...], action: str) -> list[Result]:
    """Pieces take part in an action of that kind: in one that was taken, or in a new one.

    Raises RuleViolation: a new one is needed and none is left.
    """
    begun = taken(game)
    results: list[Result] = []
    if any(piece.names("did").count(action) >= begun.count(action) for piece in acting):
        if not actions_left(game):
            many = game.number("actions")
            what = f"no action is left for {action}: {many} {'was' if many == 1 else 'were'} rolled"
            remedy = f"pieces that have not taken part in {', '.join(begun) or 'one'} may, or `done` with finished"
            raise refuse(game, what, remedy, RULE)
        results += marked(game, "taken", (*begun, action), "an action", RULE)
    return [
        *results,
        *(event for one in acting for event in changed(one, "did", (*one.names("did"), action), rule=RULE)),
    ]


# --- the actions ------------------------------------------------------------------------------------------------------


def decide_move_piece(game: Game, order: MovePiece, _: Dice) -> list[Result]:
    """A piece takes part in a movement.

    Raises:
        RuleViolation: not of the activated unit, corner locked, too far, no action left.
    """
    piece = active_piece(game, order.seat, order.piece)
    if locks(game, piece):
        what = f"{piece.id} is corner locked and cannot move"
        raise refuse(game, what, "move another piece; a single lock may be broken in 2d of your next phase", RULE)
    return [
        *takes_part(game, (piece,), "move"),
        walked(game, piece, order.path, "", RULE),
        *(changed(piece, "facing", order.facing, rule=RULE) if order.facing else []),
    ]


def decide_form(game: Game, order: Form, _: Dice) -> list[Result]:
    """The whole unit changes its formation; some of its pieces shift.

    Raises:
        RuleViolation: it stands so already, a piece of another unit or a locked one would shift, or one farther than
            it may move, no action left.
    """
    acting = active_pieces(game, order.seat)
    unit = game.units[active_unit(game)]
    if unit.get("formation") == order.formation:
        raise refuse(game, f"{unit.id} is in {order.formation} already", "name another formation", RULE)
    shifts: list[Result] = []
    for name, place in order.places.items():
        piece = active_piece(game, order.seat, name)
        if locks(game, piece):
            raise refuse(game, f"{name} is corner locked and cannot move", "leave it where it stands", RULE)
        shifts.append(walked(game, piece, (place,), order.formation, RULE))
    return [
        *takes_part(game, acting, "formation"),
        *changed(unit, "formation", order.formation, rule=RULE),
        *shifts,
    ]


def decide_load(game: Game, order: Load, _: Dice) -> list[Result]:
    """Red cubes go from the unloaded to the loaded position.

    Raises:
        RuleViolation: a piece that is loaded or cannot fire, not of the activated unit, no action left.
    """
    of_unit = active_pieces(game, order.seat)
    named = tuple(active_piece(game, order.seat, one) for one in dict.fromkeys(order.pieces))
    loading = named or tuple(one for one in of_unit if one.get("red_cube") == "unloaded")
    wrong = [one.id for one in loading if one.get("red_cube") != "unloaded"]
    if wrong or not loading:
        what = f"{', '.join(wrong) or 'nobody in the unit'} has no red cube in the unloaded position"
        can = ", ".join(one.id for one in of_unit if one.get("red_cube") == "unloaded") or "none"
        raise refuse(game, what, f"load one of: {can}", RULE)
    ready = (event for one in loading for event in changed(one, "red_cube", "loaded", "loads", RULE))
    return [*takes_part(game, loading, "load"), *ready]


def decide_special(game: Game, order: Special, _: Dice) -> list[Result]:
    """What the rules leave to the table: it costs an action, and is on record in words.

    Raises:
        RuleViolation: no action left.
    """
    acting = active_pieces(game, order.seat)
    return takes_part(game, acting, order.what)


# --- contact ----------------------------------------------------------------------------------------------------------


def decide_engage(game: Game, order: Engage, _: Dice) -> list[Result]:
    """Edge to edge: both pieces are in contact until 4c. It costs nothing beside the move that led there.

    Raises:
        RuleViolation: not of the activated unit, not an enemy, in contact already.
    """
    return _ties(game, order.seat, order.piece, order.enemy, "contact")


def decide_lock_corner(game: Game, order: LockCorner, _: Dice) -> list[Result]:
    """Corner to corner: both are locked until one of them breaks free or is lost.

    Raises:
        RuleViolation: not of the activated unit, not an enemy, locked already, a third corner.
    """
    return _ties(game, order.seat, order.piece, order.enemy, "locked")


def _ties(game: Game, seat: str, name: str, enemy: str, tie: str) -> list[Result]:
    piece = active_piece(game, seat, name)
    foe = hostile(game, piece.side, enemy, RULE)
    if foe.id in piece.names(tie):
        raise refuse(game, f"{name} and {enemy} are in {_TIES[tie]} already", "name another piece", RULE)
    _verify_touch(game, piece, foe)
    if tie == "locked":
        _verify_corners(game, piece, foe)
    return tie_together(game, piece, foe, tie, RULE)


_TIES = {"contact": "contact", "locked": "a corner lock"}


def _verify_touch(game: Game, piece: Unit, foe: Unit) -> None:
    """Where places and pieces are measured, two that touch have their middles within half the diagonals of both.

    A piece whose width is not given is taken for a square. Whether it is an edge or a corner the table sees.
    """
    apart, bases = distance(piece.at, foe.at), (half_diagonal(piece), half_diagonal(foe))
    if apart is None or not all(bases) or apart <= sum(bases):
        return
    measure = unit_of_measure(game)
    what = f"{piece.id} and {foe.id} do not touch: they are {in_words(apart)} {measure} apart"
    raise refuse(game, what, f"move first: they touch within {in_words(sum(bases))} {measure}", RULE)


def half_diagonal(piece: Unit) -> int:
    """From the middle of a piece to its corner, in hundredths, rounded up; 0 where its length is not given."""
    length = hundredths(piece.get("length"))
    width = hundredths(piece.get("width")) or length
    return math.isqrt(length**2 + width**2) // 2 + 1 if length else 0


def _verify_corners(game: Game, *both: Unit) -> None:
    full = [one.id for one in both if locks(game, one) >= MOST_LOCKS]
    if full:
        what = f"{' and '.join(full)} is locked at two corners already"
        raise refuse(game, what, "a piece has two corners to its front", RULE)


def tie_together(game: Game, piece: Unit, foe: Unit, tie: str, rule: str) -> list[Result]:
    """Both know of each other; whoever is no longer in play is left out."""
    return [
        event
        for one, other in ((piece, foe), (foe, piece))
        for event in changed(one, tie, (*(mate.id for mate in tied(one, game, tie)), other.id), rule=rule)
    ]
