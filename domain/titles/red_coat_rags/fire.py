"""Declare fire in 4a and resolve it at once in 4b.

The activated unit fires, or the enemy fires between the unit's actions. The firing piece and its target each roll 1d6
and add their fire factor. The scenario's table `fire` gives the result for the target by the difference: the firing
piece's total minus the target's. The order states modifiers, for example for range and cover, each with its source.
"""

from typing import Literal

from umpire_ledger.domain.titles.red_coat_rags.actions import active_piece, takes_part
from umpire_ledger.domain.titles.red_coat_rags.activation import active_unit
from umpire_ledger.domain.titles.red_coat_rags.ground import distance, hundredths, in_words, unit_of_measure
from umpire_ledger.domain.titles.red_coat_rags.pieces import (
    hostile,
    in_reach,
    is_piece,
    other_side,
    own,
    phasing,
    pieces,
    pieces_of,
    refuse,
    struck,
)
from umpire_ledger.domain.titles.red_coat_rags.tables import ROWS
from umpire_ledger.kit import (
    Closes,
    Dice,
    DiceRolled,
    Game,
    Modifier,
    Order,
    PlannedThrow,
    Plus,
    ReadOff,
    Result,
    RollPlan,
    RollTable,
    TableOutcome,
    Unit,
    UnitName,
    as_modifiers,
    changed,
    found,
    marked,
    read_or_ready,
    replace,
    unread_roll,
)

DECLARED, RESOLVED = "4a", "4b"


class Fire(Order, frozen=True, kw_only=True, tag="fire"):
    """Fire a loaded piece at an enemy: the activated unit's as an action, the other side's at the activated unit."""

    piece: UnitName
    target: UnitName
    kind: Literal["opportunity", "defensive"] = "opportunity"


class ResolveFire(ReadOff, frozen=True, kw_only=True, tag="resolve-fire"):
    """Roll one die for the firing piece and one for the target, in this order."""

    firing: tuple[Plus, ...] = ()
    target: tuple[Plus, ...] = ()


# --- 4a -------------------------------------------------------------------------------------------------------------


def decide_fire(game: Game, order: Fire, _: Dice) -> list[Result]:
    """Declare fire; its dice follow at once. The other player's fire costs no action, only the red cube.

    Raises:
        RuleViolation: See `verify_can_fire`; or no action is left, or the other player's target is not in the activated
            unit.
    """
    side = game.side_of(order.seat)
    mine = side == phasing(game)
    piece = active_piece(game, order.seat, order.piece) if mine else own(game, side, order.piece, (), DECLARED)
    target = hostile(game, side, order.target, DECLARED)
    verify_can_fire(game, piece, target)
    if not mine and target.get("unit") != active_unit(game):
        can = ", ".join(one.id for one in pieces_of(game, active_unit(game))) or "none"
        raise refuse(game, "fire-at-active-unit-only", DECLARED, target=target.id, kind=order.kind, targets=can)
    cause = "fire" if mine else f"{order.kind} fire"
    return [
        *(takes_part(game, (piece,), "fire") if mine else []),
        *marked(game, "firing", piece.id, cause, DECLARED),
        *marked(game, "fired_at", target.id, cause, DECLARED),
        Closes("fire"),
    ]


def verify_can_fire(game: Game, piece: Unit, target: Unit) -> None:
    """Check that a piece can fire at a target.

    Raises:
        RuleViolation: The piece's red cube is not in the loaded position, or the target is out of range.
    """
    if piece.get("red_cube") != "loaded":
        unloaded = piece.get("red_cube") == "unloaded"
        code, why = ("cannot-fire-unloaded", "it is unloaded") if unloaded else ("cannot-fire", "it has no red cube")
        raise refuse(game, code, DECLARED, piece=piece.id, why=why)
    apart, reach = distance(piece.at, target.at), hundredths(piece.get("range"))
    if reach and apart is not None and apart > reach:
        measure = unit_of_measure(game)
        raise refuse(
            game,
            "out-of-range",
            DECLARED,
            target=target.id,
            given=in_words(apart),
            measure=measure,
            piece=piece.id,
            limit=in_words(reach),
        )


def can_answer(game: Game, side: str) -> tuple[Unit, ...]:
    """Return loaded pieces with the activated unit in range; if no side is named, those of the non-phasing player."""
    firing = side or other_side(game, phasing(game))
    targets = pieces_of(game, active_unit(game))
    return tuple(
        one
        for one in pieces(game, firing)
        if one.get("red_cube") == "loaded" and any(in_reach(one, target, one.get("range")) for target in targets)
    )


def may_answer(game: Game, side: str) -> bool:
    return bool(can_answer(game, side))


# --- 4b -------------------------------------------------------------------------------------------------------------


def declared(game: Game) -> tuple[Unit, Unit] | None:
    """Return the firing piece and its target, if fire is declared and both are still in play."""
    both = [game.units.get(str(game.markers.get(name))) for name in ("firing", "fired_at")]
    there = [one for one in both if one is not None and not one.fate and is_piece(one)]
    return (there[0], there[1]) if len(there) == 2 else None


def fire_to_resolve(game: Game, _: str) -> tuple[str, ...]:
    """Describe the declared fire."""
    both = declared(game)
    return (f"{both[0].id} at {both[1].id}",) if both else ()


def fire_is_declared(game: Game, _: str) -> bool:
    return declared(game) is not None


def forget_declared(game: Game) -> list[Result]:
    """Clear fire that the referee left unresolved, when 4a begins again."""
    return [event for name in ("firing", "fired_at") for event in marked(game, name, None, rule=DECLARED)]


def fire_plan(game: Game, _: ResolveFire) -> RollPlan:
    """Plan a die for the firing piece, and one for its target."""
    pair = declared(game)
    if pair is None or unread_roll(game, _purpose("fire", pair[1].id, pair[0].id)) is not None:
        return ()
    one, other = pair
    return tuple(
        PlannedThrow(dice="1d6", purpose=_purpose("fire", first, against), subjects=(first, against), whose=(first,))
        for first, against in ((one.id, other.id), (other.id, one.id))
    )


def decide_resolve_fire(game: Game, order: ResolveFire, dice: Dice) -> list[Result]:
    """Roll both dice, on the order of either player, and move the firing piece's red cube to the unloaded position.

    Raises:
        RuleViolation: No fire is declared, or one of its pieces is no longer in play.
    """
    both = declared(game)
    if both is None:
        raise refuse(game, "no-fire-declared", RESOLVED)
    piece, target = both
    fired = compare(game, dice, order, "fire", (piece, target), (order.firing, order.target), RESOLVED)
    if fired.row is None:
        return list(fired.told)
    return [
        *fired.told,
        *changed(piece, "red_cube", "unloaded", "fired", RESOLVED),
        *suffered(game, target, fired.value("target"), f"fire of {piece.id}", RESOLVED),
        *marked(game, "firing", None, rule=RESOLVED),
        *marked(game, "fired_at", None, rule=RESOLVED),
        Closes(everybody=True),
    ]


# --- for fire and close combat ----------------------------------------------------------------------------------------


def compare(
    game: Game,
    dice: Dice,
    order: ReadOff,
    table: str,
    pair: tuple[Unit, Unit],
    more: tuple[tuple[Plus, ...], tuple[Plus, ...]],
    rule: str,
) -> TableOutcome:
    """Roll one die for each piece, plus its factor, and look up the difference.

    The row is from the scenario's table, or the order states it, as read off the players' own table.
    """
    first, second = pair
    how = RollTable(table, ROWS[table])
    ids = (second.id, first.id)
    read = read_or_ready(game, order, how, purpose=_purpose(table, *ids), rule=rule, subjects=ids)
    if read is not None:
        return read
    dice.expects(tuple((one.id, 1) for one in pair))
    one, other = (
        die_of(dice, table, piece, (against.id,), given, rule)
        for piece, against, given in ((first, second, more[0]), (second, first, more[1]))
    )
    apart = one.total - other.total
    outcome = found(game, order, how, other, apart, before=f"{first.id} {apart:+d}: ")
    return replace(outcome, told=(one, *outcome.told))


def die_of(
    dice: Dice, table: str, piece: Unit, against: tuple[str, ...], more: tuple[Plus, ...], rule: str
) -> DiceRolled:
    """Roll the die of a piece, with its factor and the given modifiers."""
    factor = piece.number(table)
    return dice.roll(
        "1d6",
        purpose=_purpose(table, piece.id, " and ".join(against)),
        modifiers=(
            *((Modifier(amount=factor, source=f"{table} factor of {piece.id}"),) if factor else ()),
            *as_modifiers(more),
        ),
        rule=rule,
        subjects=(piece.id, *against),
    )


def _purpose(table: str, piece: str, against: str) -> str:
    return f"{table}: {piece} against {against}"


def suffered(game: Game, piece: Unit, result: object, cause: str, rule: str) -> list[Result]:
    """Return the events of a combat result for a piece; a disrupted piece stays disrupted."""
    if result == "destroyed":
        return struck(game, (piece,), "destroyed", cause, rule)
    return changed(piece, "disrupted", True, cause, rule) if result == "disrupted" else []
