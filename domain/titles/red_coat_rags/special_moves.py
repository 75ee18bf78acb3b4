"""Make the special move of the activated wing's officer (5), and the move of a CO who commands no wing.

The FO, or a CO who acts as one, has one special move a phase. A free CO moves once with each wing.
"""

from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.red_coat_rags.activation import active_unit
from umpire_ledger.domain.titles.red_coat_rags.command import Path
from umpire_ledger.domain.titles.red_coat_rags.pieces import CO, FO, officers, own, phasing, refuse, walked, wing_of
from umpire_ledger.kit import Dice, Game, Order, Result, Unit, UnitName, changed, leave_when_nothing_is_due, replace

RULE = "5"


class SpecialMove(Order, frozen=True, kw_only=True, tag="special-move"):
    """Roll for the special move of the active FO: 1 move on 1 or 2, two on 3 or 4, three on 5 or 6."""

    officer: UnitName


class MoveOfficer(Order, frozen=True, kw_only=True, tag="move-officer"):
    """Move the active FO by the moves it rolled, or a free CO by one; `moves`: the number of them it takes."""

    officer: UnitName
    path: Path
    moves: Annotated[int, msgspec.Meta(ge=1, le=3)] = 1


def active_officer(game: Game) -> Unit | None:
    """Return the officer who commands the wing of the activated unit."""
    wing = wing_of(game, active_unit(game))
    return next((one for one in officers(game, phasing(game)) if wing and one.get("wing") == wing), None)


def _visit(game: Game) -> str:
    """Return the turn and wing of this activation, as recorded for a free CO who has moved."""
    return f"{game.turn} {wing_of(game, active_unit(game))}"


def may_move(game: Game) -> tuple[Unit, ...]:
    """Return free COs who have not moved with this wing in this phase."""
    return tuple(
        one
        for one in officers(game, phasing(game))
        if one.kind == CO and not one.get("wing") and _visit(game) not in one.names("moved_for")
    )


def special_is_open(game: Game, _: str) -> bool:
    """Check whether an officer may still move in this step."""
    officer = active_officer(game)
    waits = officer is not None and (officer.get("special") != game.turn or officer.number("moves_left") > 0)
    return bool(active_unit(game)) and (waits or bool(may_move(game)))


def decide_special_move(game: Game, order: SpecialMove, dice: Dice) -> list[Result]:
    """Roll for an officer's moves, like an activation of a unit; every result gives at least one move.

    Raises:
        RuleViolation: The officer does not command this wing, or has already rolled in this phase.
    """
    officer = own(game, game.side_of(order.seat), order.officer, (CO, FO), RULE)
    active = active_officer(game)
    if active is None or officer.id != active.id:
        who = active.id if active else "nobody"
        raise refuse(game, "other-wings-command", RULE, officer=officer.id, active=who)
    if officer.get("special") == game.turn:
        raise refuse(game, "special-move-taken", RULE, officer=officer.id)
    rolled = dice.roll("1d6", purpose=f"special move of {officer.id}", rule=RULE, subjects=(officer.id,))
    moves = (rolled.total + 1) // 2
    said = f"{moves} move{'s' if moves > 1 else ''}"
    return [
        replace(rolled, outcome=said),
        *changed(officer, "special", game.turn, rule=RULE),
        *changed(officer, "moves_left", moves, said, RULE),
    ]


def decide_move_officer(game: Game, order: MoveOfficer, _: Dice) -> list[Result]:
    """Move an officer with rolled moves, or a free CO with one.

    Raises:
        RuleViolation: The officer has too few rolled moves left, may not move now, has already moved with this wing, or
            moves too far.
    """
    officer = own(game, game.side_of(order.seat), order.officer, (CO, FO), RULE)
    active = active_officer(game)
    if active is not None and officer.id == active.id:
        results = _spends_moves(game, officer, order.moves)
    else:
        results = _moves_along(game, officer, order.moves)
    return leave_when_nothing_is_due(
        game, [walked(game, officer, order.path, "special move", RULE, order.moves), *results], special_is_open
    )


def _spends_moves(game: Game, officer: Unit, moves: int) -> list[Result]:
    left = officer.number("moves_left")
    if moves > left:
        remedy = f"take at most {left}" if left else "roll first: `special-move`"
        if officer.get("special") == game.turn and not left:
            remedy = "end the step: `done`"
        raise refuse(game, "too-many-moves", RULE, officer=officer.id, limit=left, given=moves, remedy=remedy)
    return changed(officer, "moves_left", left - moves, rule=RULE)


def _moves_along(game: Game, officer: Unit, moves: int) -> list[Result]:
    if officer.kind != CO or officer.get("wing"):
        raise refuse(game, "other-wings-move", RULE, officer=officer.id)
    if officer not in may_move(game):
        wing = wing_of(game, active_unit(game))
        raise refuse(game, "moved-with-wing", RULE, officer=officer.id, wing=wing)
    if moves != 1:
        raise refuse(game, "one-move-each-wing", RULE, officer=officer.id, given=moves)
    now = f"{game.turn} "
    kept = tuple(one for one in officer.names("moved_for") if one.startswith(now))
    return changed(officer, "moved_for", (*kept, _visit(game)), rule=RULE)
