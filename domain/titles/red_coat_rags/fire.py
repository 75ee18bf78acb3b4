"""Fire: declared in 4a by the activated unit, or by the enemy between its actions, and resolved at once in 4b.

Both pieces roll 1d6 and add their factor for fire; what the scenario's table `fire` says for the difference, firing
piece minus target, becomes of the target. What range and cover add comes with the order,
each with its source.
"""

from typing import Literal

from umpire_ledger.domain.titles.red_coat_rags.actions import active_piece, takes_part
from umpire_ledger.domain.titles.red_coat_rags.activation import active_unit
from umpire_ledger.domain.titles.red_coat_rags.ground import distance, hundredths, in_words, unit_of_measure
from umpire_ledger.domain.titles.red_coat_rags.pieces import hostile, is_piece, own, phasing, pieces_of, refuse, struck
from umpire_ledger.kit import (
    Closes,
    Dice,
    DiceRolled,
    Game,
    Modifier,
    Name,
    Order,
    Plus,
    Result,
    Unit,
    changed,
    look_up,
    marked,
    replace,
    row_text,
)

DECLARED, RESOLVED = "4a", "4b"


class Fire(Order, frozen=True, kw_only=True, tag="fire"):
    """A loaded piece fires at an enemy: of the activated unit as an action, of the other side at the activated unit."""

    piece: Name
    target: Name
    kind: Literal["opportunity", "defensive"] = "opportunity"


class ResolveFire(Order, frozen=True, kw_only=True, tag="resolve-fire"):
    """Throw one die for the firing piece and one for the target, in this order."""

    firing: tuple[Plus, ...] = ()
    target: tuple[Plus, ...] = ()


# --- 4a -------------------------------------------------------------------------------------------------------------


def decide_fire(game: Game, order: Fire, _: Dice) -> list[Result]:
    """Fire is declared; its dice come at once. The enemy's fire costs him no action, only his red cube.

    Raises:
        RuleViolation: see `verify_can_fire`; no action left; the enemy's target is not of the activated unit.
    """
    side = game.side_of(order.seat)
    mine = side == phasing(game)
    piece = active_piece(game, order.seat, order.piece) if mine else own(game, side, order.piece, (), DECLARED)
    target = hostile(game, side, order.target, DECLARED)
    verify_can_fire(game, piece, target)
    if not mine and target.get("unit") != active_unit(game):
        can = ", ".join(one.id for one in pieces_of(game, active_unit(game))) or "none"
        what = f"{target.id} is not in the activated unit: {order.kind} fire answers what that unit does"
        raise refuse(game, what, f"fire at one of: {can}", DECLARED)
    cause = "fire" if mine else f"{order.kind} fire"
    return [
        *(takes_part(game, (piece,), "fire") if mine else []),
        *marked(game, "firing", piece.id, cause, DECLARED),
        *marked(game, "fired_at", target.id, cause, DECLARED),
        Closes("fire"),
    ]


def verify_can_fire(game: Game, piece: Unit, target: Unit) -> None:
    """Raises RuleViolation: its red cube is not in the loaded position; the target is out of range."""
    if piece.get("red_cube") != "loaded":
        why = "it is unloaded" if piece.get("red_cube") == "unloaded" else "it has no red cube"
        remedy = "`load` it with an action of its unit" if "un" in why else "name a piece with a red cube"
        raise refuse(game, f"{piece.id} cannot fire: {why}", remedy, DECLARED)
    apart, reach = distance(piece.at, target.at), hundredths(piece.get("range"))
    if reach and apart is not None and apart > reach:
        measure = unit_of_measure(game)
        what = f"{target.id} is {in_words(apart)} {measure} from {piece.id}, which reaches {in_words(reach)}"
        raise refuse(game, what, "name a nearer target, or move first", DECLARED)


# --- 4b -------------------------------------------------------------------------------------------------------------


def declared(game: Game) -> tuple[Unit, Unit] | None:
    """Who fires at whom, if fire is declared and both are still there."""
    both = [game.units.get(str(game.markers.get(name))) for name in ("firing", "fired_at")]
    there = [one for one in both if one is not None and not one.fate and is_piece(one)]
    return (there[0], there[1]) if len(there) == 2 else None


def fire_is_declared(game: Game, _: str) -> bool:
    return declared(game) is not None


def forget_declared(game: Game) -> list[Result]:
    """4a begins (again): fire that was declared and, by the referee's leave, never resolved is off."""
    return [event for name in ("firing", "fired_at") for event in marked(game, name, None, rule=DECLARED)]


def decide_resolve_fire(game: Game, order: ResolveFire, dice: Dice) -> list[Result]:
    """Either player throws both dice; the firing piece's red cube goes to the unloaded position.

    Raises:
        RuleViolation: what was declared is not on the table any more.
    """
    both = declared(game)
    if both is None:
        raise refuse(game, "no fire is declared", "`done` to go on", RESOLVED)
    piece, target = both
    results, row = compare(game, dice, "fire", piece, target, order.firing, order.target, RESOLVED)
    return [
        *results,
        *changed(piece, "red_cube", "unloaded", "fired", RESOLVED),
        *suffered(game, target, row.get("target"), f"fire of {piece.id}", RESOLVED),
        *marked(game, "firing", None, rule=RESOLVED),
        *marked(game, "fired_at", None, rule=RESOLVED),
        Closes(everybody=True),
    ]


# --- what fire and close combat share ---------------------------------------------------------------------------------


def compare(
    game: Game,
    dice: Dice,
    table: str,
    first: Unit,
    second: Unit,
    first_more: tuple[Plus, ...],
    second_more: tuple[Plus, ...],
    rule: str,
) -> tuple[list[DiceRolled], dict[str, object]]:
    """One die for each piece, plus its factor: the rolls, and the row of the scenario's table for the difference."""
    one = _die(dice, table, first, second, first_more, rule)
    other = _die(dice, table, second, first, second_more, rule)
    apart = one.total - other.total
    row, result = look_up(game, table, apart)
    assert isinstance(result, dict), "the scenario was checked"
    outcome = f"{first.id} {apart:+d}: {row_text(result)}"
    return [one, replace(other, table=table, row=row, outcome=outcome)], dict(result)


def _die(dice: Dice, table: str, piece: Unit, against: Unit, more: tuple[Plus, ...], rule: str) -> DiceRolled:
    factor = piece.number(table)
    modifiers = [Modifier(amount=one.amount, source=one.source) for one in more]
    if factor:
        modifiers.insert(0, Modifier(amount=factor, source=f"{table} factor of {piece.id}"))
    return dice.roll(
        "1d6",
        purpose=f"{table}: {piece.id} against {against.id}",
        modifiers=modifiers,
        rule=rule,
        subjects=(piece.id, against.id),
    )


def suffered(game: Game, piece: Unit, result: object, cause: str, rule: str) -> list[Result]:
    """What a combat does to a piece; one that is disrupted already stays so."""
    if result == "destroyed":
        return struck(game, (piece,), "destroyed", cause, rule)
    return changed(piece, "disrupted", True, cause, rule) if result == "disrupted" else []
