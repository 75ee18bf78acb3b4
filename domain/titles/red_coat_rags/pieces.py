"""Find pieces, officers and units, and return the events that several steps share.

Attributes of officers (kind CO or FO): lv, wing ("" for a CO without a wing), reach, move, cubes (white cubes left).
Attributes of units (kind unit): wing, qv, casualty_value. Attributes of line command (kind line command): unit, reach,
move. Attributes of pieces (any other kind): unit, qv, fire, close, length, width, move, range, red_cube (loaded,
unloaded or none).

From play, each absent until it is set:

    disrupted       the piece is disrupted
    locked          enemies locked with the piece at its corners, on both pieces
    contact         enemies that touch its edges, on both pieces
    close_die       its die in close combat, only in games of an older edition that resolved pair by pair
    did             actions of the piece in the current activation, for instance ("move", "fire")
    formation       formation of a unit, in the players' words
    facing          direction of its front edge, one of sixteen compass points
    repositioned    turn in which an officer or line command repositioned
    morale_checked  turn in which a unit passed its morale check
    rally_tried     turn in which the piece failed to rally
    lock_tried      turn in which the piece failed to break a lock
    activated       turn in which a unit was activated
    special         turn in which an officer rolled for a special move
    moves_left      moves that an officer has left of a special move
    moved_for       wings with which a free CO has moved, each as `turn wing`
"""

from collections.abc import Iterable

from umpire_ledger.domain.titles.red_coat_rags.ground import (
    distance,
    example,
    hundredths,
    in_words,
    is_place,
    path_length,
    unit_of_measure,
)
from umpire_ledger.domain.titles.red_coat_rags.refusals import REFUSALS
from umpire_ledger.kit import (
    Game,
    Result,
    Unit,
    UnitMoved,
    UnitPlaced,
    Value,
    changed,
    refusing,
    removed,
    unit_of,
    word_in,
)

NAME = "In Red Coat Rags Attired"
refuse = refusing(NAME, REFUSALS)

CO, FO, UNIT, COMMAND = "CO", "FO", "unit", "line command"
MARKER, UNIT_MARKER = "casualty marker", "unit casualty marker"
NO_PIECES = (CO, FO, UNIT, COMMAND, MARKER, UNIT_MARKER)
"""Kinds that do not fight."""

PRINTED = (
    *("lv", "wing", "unit", "reach", "move", "cubes", "all_cubes", "qv", "casualty_value"),
    *("fire", "close", "width", "length", "range", "red_cube"),
)
FROM_PLAY = (
    *("disrupted", "locked", "close_die", "contact", "did", "formation", "facing", "moves_left", "moved_for"),
    *("repositioned", "morale_checked", "rally_tried", "lock_tried", "activated", "special"),
)
WRITTEN = (*PRINTED, *FROM_PLAY)
"""Attributes that the scenario sets or the rules write; a special action may record any other attribute."""


# --- sides, units and pieces ----------------------------------------------------------------------------------------


def phasing(game: Game) -> str:
    """Return the side that has the phase; "" between turns."""
    return word_in(game, "phasing")


def other_side(game: Game, side: str) -> str:
    """Return the opponent; a game has two sides."""
    return next((one for one in game.side_ids if one != side), "")


def phasing_player(game: Game) -> tuple[str, ...]:
    """Return the side that has the phase, as a tuple; empty between turns."""
    return (phasing(game),) if phasing(game) else ()


def other_player(game: Game) -> tuple[str, ...]:
    """Return the opponent of the phasing player, as a tuple; empty between turns."""
    return (other_side(game, phasing(game)),) if phasing(game) else ()


def is_piece(unit: Unit) -> bool:
    return unit.kind not in NO_PIECES


def pieces(game: Game, side: str = "") -> tuple[Unit, ...]:
    """Return the combat pieces in play, sorted by id; if no side is named, the pieces of both sides."""
    return tuple(one for one in game.in_play(side) if is_piece(one))


def has_pieces(game: Game, side: str) -> bool:
    return any(is_piece(one) and not one.fate and one.side == side for one in game.units.values())


def pieces_of(game: Game, unit: str) -> tuple[Unit, ...]:
    """Return the pieces of a unit that are in play."""
    return tuple(one for one in pieces(game) if one.get("unit") == unit)


def units(game: Game, side: str = "") -> tuple[Unit, ...]:
    """Return the units in play that have a piece left."""
    return tuple(one for one in game.in_play(side) if one.kind == UNIT and pieces_of(game, one.id))


def officers(game: Game, side: str) -> tuple[Unit, ...]:
    return tuple(one for one in game.in_play(side) if one.kind in (CO, FO))


def commands_of(game: Game, unit: str) -> tuple[Unit, ...]:
    """Return the line command of a unit."""
    return tuple(one for one in game.in_play() if one.kind == COMMAND and one.get("unit") == unit)


def wing_of(game: Game, unit: str) -> str:
    """Return the wing of a unit, even of a lost one."""
    found = game.units.get(unit)
    return str(found.get("wing") or "") if found else ""


def own(game: Game, side: str, name: str, kinds: tuple[str, ...], rule: str) -> Unit:
    """Return a unit of the side that is in play and of one of these kinds; if no kinds are named, a combat piece.

    Raises:
        RuleViolation: The unit is not in play, belongs to another side, or is of another kind.
    """
    found = unit_of(game, name, f"{NAME} {rule}")
    if found.side != side:
        raise refuse(game, "piece-of-another-side", rule, piece=name, owner=game.side_name(found.side))
    if found.kind not in kinds if kinds else not is_piece(found):
        wanted = " or ".join(kinds) or "combat piece"
        raise refuse(game, "wrong-kind", rule, piece=name, wanted=wanted, kind=found.kind)
    return found


def hostile(game: Game, side: str, name: str, rule: str) -> Unit:
    """Return a combat piece of the enemy that is in play.

    Raises:
        RuleViolation: The piece is not in play, belongs to the side itself, or does not fight.
    """
    found = unit_of(game, name, f"{NAME} {rule}")
    if found.side == side:
        raise refuse(game, "own-piece", rule, piece=name)
    if not is_piece(found):
        raise refuse(game, "not-a-combat-piece", rule, piece=name, kind=found.kind)
    return found


# --- places -----------------------------------------------------------------------------------------------------------


def in_reach(here: Unit, there: Unit, limit: Value) -> bool:
    """Check a distance against a limit in the scenario's measure; 0 or an empty value means no limit.

    If places are words, the players measure on the table, so Umpire treats every limit as kept.
    """
    apart, most = distance(here.at, there.at), hundredths(limit)
    return apart is None or not most or apart <= most


def verify_place(game: Game, place: str, rule: str) -> None:
    if not is_place(game, place):
        measure = unit_of_measure(game)
        raise refuse(game, "not-a-point", rule, place=place, measure=measure, example=example(game))


def walked(game: Game, unit: Unit, path: tuple[str, ...], cause: str, rule: str, moves: int = 1) -> UnitMoved:
    """Move a unit along places within `moves` times its movement allowance (0: no limit).

    The path may include or omit the unit's own place.

    Raises:
        RuleViolation: A place is not a point of this table, the path is too long, or the unit would not move.
    """
    for place in path:
        verify_place(game, place, rule)
    whole = path if path[0] == unit.at else (unit.at, *path)
    if len(whole) < 2:
        raise refuse(game, "already-there", rule, unit=unit.id, at=unit.at)
    length, most = path_length(whole), hundredths(unit.get("move")) * moves
    if most and length is not None and length > most:
        measure = unit_of_measure(game)
        raise refuse(game, "too-far", rule, unit=unit.id, given=in_words(length), measure=measure, limit=in_words(most))
    return UnitMoved(unit=unit.id, path=whole, cause=cause, rule=rule)


# --- changes ----------------------------------------------------------------------------------------------------------


def tied(unit: Unit, game: Game, tie: str) -> tuple[Unit, ...]:
    """Return the pieces in play at its corners (`locked`) or edges (`contact`)."""
    found = (game.units.get(one) for one in unit.names(tie))
    return tuple(one for one in found if one is not None and not one.fate)


def untied(game: Game, gone: Iterable[str], cause: str, rule: str) -> list[Result]:
    """Remove locks and contacts with these pieces from all others."""
    lost = set(gone)
    return [
        event
        for piece in pieces(game)
        if piece.id not in lost
        for tie in ("locked", "contact")
        for event in changed(piece, tie, tuple(one for one in piece.names(tie) if one not in lost), cause, rule)
    ]


def parted(game: Game, piece: Unit, rule: str) -> list[Result]:
    """End the contacts of a piece that moves, turns or shifts; only `engage` makes new ones."""
    gone = [event for foe in tied(piece, game, "contact") for event in _let_go(foe, piece, rule)]
    return [*changed(piece, "contact", None, rule=rule), *gone] if gone else []


def _let_go(foe: Unit, piece: Unit, rule: str) -> list[Result]:
    left = tuple(one for one in foe.names("contact") if one != piece.id)
    return changed(foe, "contact", left or None, f"{piece.id} moved", rule)


def struck(game: Game, lost: Iterable[Unit], fate: str, cause: str, rule: str) -> list[Result]:
    """Remove pieces from play, and put a casualty marker in the place of each."""
    gone = tuple(lost)
    results: list[Result] = []
    for piece in gone:
        results += removed(piece, fate, cause, rule)
        results += _casualty_marker(game, piece, piece.at, MARKER, cause, rule)
    return [*results, *untied(game, (piece.id for piece in gone), cause, rule)]


def _casualty_marker(game: Game, unit: Unit, at: str, kind: str, cause: str, rule: str) -> list[Result]:
    marker = f"{unit.id}-casualty"
    if marker in game.units and not game.units[marker].fate:
        return []
    return [UnitPlaced(unit=marker, side=unit.side, kind=kind, at=at, cause=cause, rule=rule)]


def dissolved(game: Game, unit: Unit, cause: str, rule: str) -> list[Result]:
    """Remove a whole unit with its pieces and line command, and replace it with a unit casualty marker."""
    gone = (*pieces_of(game, unit.id), *commands_of(game, unit.id))
    results = [event for one in (*gone, unit) for event in removed(one, "routed", cause, rule)]
    results += _casualty_marker(game, unit, gone[0].at, UNIT_MARKER, cause, rule)
    return [*results, *untied(game, (one.id for one in gone), cause, rule)]
