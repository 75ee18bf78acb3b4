"""Move officers and line command (2a and 2e), and remove pieces out of command.

A piece is under command within the reach of its unit's line command. If its unit has none, an officer of its wing
commands it, or a CO who commands no wing. If places are words, the players measure and report the pieces with
`out-of-command`.
"""

from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.red_coat_rags.ground import MEASURE
from umpire_ledger.domain.titles.red_coat_rags.pieces import (
    CO,
    COMMAND,
    FO,
    commands_of,
    in_reach,
    officers,
    own,
    phasing,
    pieces,
    refuse,
    struck,
    walked,
    wing_of,
)
from umpire_ledger.kit import (
    Dice,
    Game,
    Order,
    PlaceName,
    Result,
    Unit,
    UnitName,
    changed,
)

OFFICERS, LINE = "2a", "2e"
Path = Annotated[tuple[PlaceName, ...], msgspec.Meta(min_length=1, max_length=20)]


class Reposition(Order, frozen=True, kw_only=True, tag="reposition"):
    """Move an FO or CO within its movement allowance, once a phase."""

    officer: UnitName
    path: Path


class MoveCommand(Order, frozen=True, kw_only=True, tag="move-command"):
    """Move the line command of a unit, once a phase."""

    command: UnitName
    path: Path


class OutOfCommand(Order, frozen=True, kw_only=True, tag="out-of-command"):
    """Remove pieces of yours that are out of command as measured on the table, if places are words."""

    pieces: Annotated[tuple[UnitName, ...], msgspec.Meta(min_length=1)]


def decide_reposition(game: Game, order: Reposition, _: Dice) -> list[Result]:
    """Move an officer, before other actions.

    Raises:
        RuleViolation: The figure is not an officer of yours, moves too far, or has already moved in this phase.
    """
    officer = own(game, game.side_of(order.seat), order.officer, (CO, FO), OFFICERS)
    return _moved_once(game, officer, order.path, OFFICERS)


def decide_move_command(game: Game, order: MoveCommand, _: Dice) -> list[Result]:
    """Move a line command towards its pieces.

    Raises:
        RuleViolation: The figure is not a line command of yours, moves too far, or has already moved in this phase.
    """
    command = own(game, game.side_of(order.seat), order.command, (COMMAND,), LINE)
    return _moved_once(game, command, order.path, LINE)


def officers_wait(game: Game, side: str) -> bool:
    """Check whether a side has an officer that has not repositioned in this phase."""
    return any(one.get("repositioned") != game.turn for one in officers(game, side))


def has_officers(game: Game, _: str) -> bool:
    """Check whether the phasing player has an officer; without one, step 2a is skipped."""
    return bool(officers(game, phasing(game)))


def line_command_matters(game: Game, _: str) -> bool:
    """Check whether the phasing player has line command to move, or must measure on the table who is out of command."""
    side = phasing(game)
    return any(one.kind == COMMAND for one in game.in_play(side)) or is_told_by_the_table(game, side)


def commands_wait(game: Game, side: str) -> bool:
    """Check whether a side has a line command that has not repositioned in this phase."""
    return any(one.kind == COMMAND and one.get("repositioned") != game.turn for one in game.in_play(side))


def is_told_by_the_table(game: Game, side: str) -> bool:
    """Check whether players report pieces out of command, because places are words and the side has pieces."""
    return game.markers.get(MEASURE) == "words" and bool(pieces(game, side))


def _moved_once(game: Game, figure: Unit, path: tuple[str, ...], rule: str) -> list[Result]:
    if figure.get("repositioned") == game.turn:
        raise refuse(game, "repositioned-already", rule, figure=figure.id)
    return [
        walked(game, figure, path, "repositioned", rule),
        *changed(figure, "repositioned", game.turn, rule=rule),
    ]


def commanders(game: Game, piece: Unit) -> tuple[Unit, ...]:
    """Return the figures that can keep a piece under command, wherever they are."""
    unit = str(piece.get("unit"))
    line = commands_of(game, unit)
    return line or tuple(one for one in officers(game, piece.side) if one.get("wing") in ("", wing_of(game, unit)))


def is_commanded(game: Game, piece: Unit) -> bool:
    return any(in_reach(one, piece, one.get("reach")) for one in commanders(game, piece))


def uncommanded(game: Game) -> list[Unit]:
    """Return the pieces of the phasing player that are out of command."""
    return [piece for piece in pieces(game, phasing(game)) if not is_commanded(game, piece)]


def pieces_out_of_command(game: Game, _: str) -> tuple[str, ...]:
    """Describe the pieces out of command, which `done` in 2e forfeits."""
    lost = ", ".join(piece.id for piece in uncommanded(game))
    return (f"pieces out of command: {lost}",) if lost else ()


def drop_uncommanded(game: Game) -> list[Result]:
    """Remove pieces out of command (2e), whether or not the player repositioned line command."""
    return struck(game, uncommanded(game), "casualty", "out of command", LINE)


def decide_out_of_command(game: Game, order: OutOfCommand, _: Dice) -> list[Result]:
    """Remove the pieces that the players measured as out of command, if places are words.

    Raises:
        RuleViolation: A piece is not yours, or the scenario measures places, so that no report is needed.
    """
    side = game.side_of(order.seat)
    lost = tuple(own(game, side, piece, (), LINE) for piece in dict.fromkeys(order.pieces))
    if game.markers.get(MEASURE) != "words":
        raise refuse(game, "limits-are-measured", LINE)
    return struck(game, lost, "casualty", "out of command", LINE)
