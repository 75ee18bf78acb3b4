"""Take the actions of the activated unit in any order (4a), with the enemy's fire between them.

Each action from step 3 is an action of the whole unit: moving, a change of formation, shooting, loading or another
special action. The rules print "one of each action", so a unit takes each action at most once in an activation. With
the option `actions_repeat`, the dice only give a number of actions. Every piece of the unit may take part once in each
action that was taken. The marker `taken` lists the actions of the unit, and the attribute `did` of a piece lists the
actions in which it took part.
"""

from typing import Literal

import msgspec

from umpire_ledger.domain.titles.red_coat_rags.activation import active_unit
from umpire_ledger.domain.titles.red_coat_rags.command import Path
from umpire_ledger.domain.titles.red_coat_rags.ground import POINTS, Facing, is_facing
from umpire_ledger.domain.titles.red_coat_rags.locks import locks
from umpire_ledger.domain.titles.red_coat_rags.pieces import (
    NAME,
    own,
    parted,
    phasing,
    pieces_of,
    refuse,
    walked,
)
from umpire_ledger.kit import (
    REFEREE,
    Change,
    Dice,
    Game,
    Name,
    Order,
    Result,
    Roll,
    Unit,
    UnitName,
    Words,
    changed,
    decide_change,
    decide_roll,
    marked,
    names_in,
    unit_of,
)

RULE = "4a"
ORDINARY = ("move", "formation", "fire", "load")
"""Actions that have orders of their own."""


class MovePiece(Order, frozen=True, kw_only=True, tag="move-piece"):
    """Move a piece of the activated unit within its movement allowance, or turn it in place.

    `facing`: the new direction of its front edge, N for the upper edge of the table; unchanged if left out.
    """

    piece: UnitName
    path: Path
    facing: Facing | Literal[""] = ""


class Form(Order, frozen=True, kw_only=True, tag="form"):
    """Change the formation of the activated unit; `places`: the new places of the pieces that shift."""

    formation: Name
    places: dict[str, Name] = msgspec.field(default_factory=dict)


class Load(Order, frozen=True, kw_only=True, tag="load"):
    """Load pieces of the activated unit; if none is named, all its unloaded pieces."""

    pieces: tuple[UnitName, ...] = ()


class Special(Order, frozen=True, kw_only=True, tag="special-action"):
    """Take another special action with the activated unit, in words; `change` and `roll` record its results."""

    what: Words


# --- the cost of an action ------------------------------------------------------------------------------------------


def taken(game: Game) -> tuple[str, ...]:
    """Return the actions taken so far under this activation."""
    return names_in(game, "taken")


def actions_left(game: Game) -> int:
    return max(0, game.number("actions") - len(taken(game)))


def actions_left_over(game: Game, side: str) -> tuple[str, ...]:
    """Describe the actions that `finished` in 4a forfeits."""
    left = actions_left(game)
    return (f"{left} action{'s' * (left > 1)} of {active_unit(game)}",) if left and side == phasing(game) else ()


def active_piece(game: Game, seat: str, piece: str) -> Unit:
    """Return a piece of the activated unit, for the phasing player.

    Raises:
        RuleViolation: The piece is in another unit, or it is the other side's phase.
    """
    _verify_phasing(game, seat)
    found = own(game, game.side_of(seat), piece, (), RULE)
    unit = active_unit(game)
    if found.get("unit") != unit:
        left = ", ".join(one.id for one in pieces_of(game, unit)) or "none"
        raise refuse(game, "not-in-active-unit", RULE, piece=piece, unit=unit, left=left)
    return found


def active_pieces(game: Game, seat: str) -> tuple[Unit, ...]:
    """Return all pieces of the activated unit, for the phasing player.

    Raises:
        RuleViolation: It is the other side's phase, or the unit has no piece left.
    """
    _verify_phasing(game, seat)
    found = pieces_of(game, active_unit(game))
    if not found:
        raise refuse(game, "unit-has-no-piece-left", RULE)
    return found


def _verify_phasing(game: Game, seat: str) -> None:
    side = game.side_of(seat)
    if side != phasing(game):
        raise refuse(game, "only-fire", RULE, side_is=game.side_does(side, "is"), phasing=game.side_name(phasing(game)))


def takes_part(game: Game, acting: tuple[Unit, ...], action: str) -> list[Result]:
    """Let pieces take part in an action, either one that the unit has already taken or a new one.

    Raises:
        RuleViolation: A piece has already taken part and the action cannot be repeated, or no action is left for a new
            one.
    """
    begun = taken(game)
    results: list[Result] = []
    if any(piece.names("did").count(action) >= begun.count(action) for piece in acting):
        if action in begun and not game.options.get("actions_repeat"):
            again = ", ".join(one.id for one in acting if action in one.names("did"))
            raise refuse(game, "action-taken-already", RULE, pieces=again, action=action)
        if not actions_left(game):
            many = game.number("actions")
            raise refuse(
                game,
                "no-action-left",
                RULE,
                action=action,
                given=many,
                was_rolled="was" if many == 1 else "were",
                pieces=", ".join(begun) or "one",
            )
        results += marked(game, "taken", (*begun, action), "an action", RULE)
    return [
        *results,
        *(event for one in acting for event in changed(one, "did", (*one.names("did"), action), rule=RULE)),
    ]


# --- the actions ------------------------------------------------------------------------------------------------------


def decide_move_piece(game: Game, order: MovePiece, _: Dice) -> list[Result]:
    """Move or turn a piece, as its part in the move action.

    Raises:
        RuleViolation: The piece is not in the activated unit, is corner locked, moves too far, or neither moves nor
            turns; or no action is left.
    """
    piece = active_piece(game, order.seat, order.piece)
    if locks(game, piece):
        raise refuse(game, "corner-locked", RULE, piece=piece.id)
    return [
        *takes_part(game, (piece,), "move"),
        *([] if _turns_in_place(piece, order) else [walked(game, piece, order.path, "", RULE)]),
        *parted(game, piece, RULE),
        *(changed(piece, "facing", order.facing, rule=RULE) if order.facing else []),
    ]


def _turns_in_place(piece: Unit, order: MovePiece) -> bool:
    return set(order.path) == {piece.at} and order.facing not in ("", piece.get("facing"))


def decide_form(game: Game, order: Form, _: Dice) -> list[Result]:
    """Change the formation of the whole unit; some of its pieces shift.

    Raises:
        RuleViolation: The unit already has this formation; a piece that would shift is of another unit, is locked, or
            shifts farther than it may move; or no action is left.
    """
    acting = active_pieces(game, order.seat)
    unit = game.units[active_unit(game)]
    if unit.get("formation") == order.formation:
        raise refuse(game, "formation-already", RULE, unit=unit.id, formation=order.formation)
    shifts: list[Result] = []
    for name, place in order.places.items():
        piece = active_piece(game, order.seat, name)
        if locks(game, piece):
            raise refuse(game, "piece-corner-locked", RULE, piece=name)
        shifts += [walked(game, piece, (place,), order.formation, RULE), *parted(game, piece, RULE)]
    return [
        *takes_part(game, acting, "formation"),
        *changed(unit, "formation", order.formation, rule=RULE),
        *shifts,
    ]


def decide_load(game: Game, order: Load, _: Dice) -> list[Result]:
    """Move red cubes from the unloaded to the loaded position.

    Raises:
        RuleViolation: A piece is loaded, has no red cube, or is not in the activated unit; or no action is left.
    """
    of_unit = active_pieces(game, order.seat)
    named = tuple(active_piece(game, order.seat, one) for one in dict.fromkeys(order.pieces))
    loading = named or tuple(one for one in of_unit if one.get("red_cube") == "unloaded")
    wrong = [one.id for one in loading if one.get("red_cube") != "unloaded"]
    if wrong or not loading:
        can = ", ".join(one.id for one in of_unit if one.get("red_cube") == "unloaded")
        raise refuse(
            game,
            "loaded-already" if can else "all-loaded-already",
            RULE,
            pieces=", ".join(wrong) or "the unit",
            can=can,
        )
    ready = (event for one in loading for event in changed(one, "red_cube", "loaded", "loads", RULE))
    return [*takes_part(game, loading, "load"), *ready]


def decide_special(game: Game, order: Special, _: Dice) -> list[Result]:
    """Record in words a special action that the rules leave to the players. It costs an action.

    Raises:
        RuleViolation: Another order records this action, or no action is left.
    """
    acting = active_pieces(game, order.seat)
    if order.what.strip().casefold() in ORDINARY:
        raise refuse(game, "not-a-special-action", RULE, action=order.what)
    return takes_part(game, acting, order.what)


def decide_change_piece(game: Game, order: Change, dice: Dice) -> list[Result]:
    """Record a result of a special action of the activated unit, or the referee's change after the catch-all.

    Raises:
        RuleViolation: No special action was taken, the facing is not a compass point, or a locked piece would turn.
    """
    unit = unit_of(game, order.unit, f"{NAME} {RULE}")
    _verify_special_taken(game, order.seat, f"has changed {order.unit}")
    if order.attribute == "facing" and not is_facing(order.to):
        raise refuse(game, "not-a-direction", RULE, direction=order.to, directions=POINTS)
    if order.attribute == "facing" and game.side_of(order.seat) and locks(game, unit):
        raise refuse(game, "locked-cannot-turn", RULE, unit=unit.id)
    return decide_change(game, order, dice)


def decide_roll_special(game: Game, order: Roll, dice: Dice) -> list[Result]:
    """Roll a die for the result of a special action of the activated unit.

    Raises:
        RuleViolation: No special action was taken, or the roll itself is refused.
    """
    _verify_special_taken(game, order.seat, "needs a die")
    return decide_roll(game, order, dice)


def _verify_special_taken(game: Game, seat: str, what: str) -> None:
    if game.side_of(seat) and not special_action_taken(game):
        raise refuse(game, "special-action-not-taken", RULE, unit=active_unit(game), does=what)


def can_record(game: Game, side: str) -> bool:
    """Check whether a side may record results: the referee always, the phasing player after a special action."""
    return side == REFEREE or (side == phasing(game) and special_action_taken(game))


def special_action_taken(game: Game) -> bool:
    """Check whether the activated unit has taken a special action."""
    return any(one not in ORDINARY for one in taken(game))
