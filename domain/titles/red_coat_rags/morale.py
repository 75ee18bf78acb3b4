"""Check the morale of units (2b), then rally pieces (2c). Units check first, so pieces lost with them do not roll."""

import msgspec

from umpire_ledger.domain.titles.red_coat_rags.leadership import Cubes, roll_led
from umpire_ledger.domain.titles.red_coat_rags.pieces import (
    UNIT,
    dissolved,
    own,
    phasing,
    pieces,
    pieces_of,
    refuse,
    struck,
    units,
)
from umpire_ledger.kit import (
    Dice,
    DiceRolled,
    Game,
    Modifier,
    Order,
    Reason,
    Result,
    Unit,
    UnitName,
    changed,
    leave_when_nothing_is_due,
    replace,
)

MORALE, RALLY = "2b", "2c"


class CheckMorale(Order, frozen=True, kw_only=True, tag="check-morale"):
    """Roll one die for a unit of yours that has lost too much order; `cubes`: white cubes by officer."""

    unit: UnitName
    cubes: Cubes = msgspec.field(default_factory=dict)


class Rally(Order, frozen=True, kw_only=True, tag="rally"):
    """Roll one die for a disrupted piece of yours; a 1 on the die removes it. `cubes`: white cubes by officer."""

    piece: UnitName
    cubes: Cubes = msgspec.field(default_factory=dict)


# --- 2b -------------------------------------------------------------------------------------------------------------


def over(game: Game, unit: Unit) -> int:
    """Return a unit's number of disrupted pieces minus its casualty value; below 0 it need not check."""
    disrupted = sum(1 for piece in pieces_of(game, unit.id) if piece.get("disrupted"))
    return disrupted - unit.number("casualty_value")


def must_check(game: Game, side: str) -> tuple[Unit, ...]:
    """Return the units of a side that still have to check in this phase."""
    return tuple(one for one in units(game, side) if over(game, one) >= 0 and one.get("morale_checked") != game.turn)


def units_to_check(game: Game, _: str) -> tuple[Unit, ...]:
    """Return the units of the phasing player that still have to check."""
    return must_check(game, phasing(game))


def morale_is_due(game: Game, _: str) -> bool:
    return bool(must_check(game, phasing(game)))


def decide_check_morale(game: Game, order: CheckMorale, dice: Dice) -> list[Result]:
    """Roll 1d6 for a unit, which is removed unless the total is its QV or more.

    The roll has −1 for each disrupted piece above the casualty value.

    Raises:
        RuleViolation: The unit is not yours, need not check or has already checked; or cubes cannot be spent.
    """
    unit = own(game, game.side_of(order.seat), order.unit, (UNIT,), MORALE)
    due = must_check(game, unit.side)
    if unit not in due:
        checked = unit.get("morale_checked") == game.turn
        below = Reason("below-casualty-value", "it has fewer disrupted pieces than its casualty value")
        why = Reason("checked-already", "it has already checked this phase") if checked else below
        left = ", ".join(one.id for one in due)
        raise refuse(
            game, "no-morale-check" if left else "morale-checks-done", MORALE, unit=unit.id, why=why, left=left
        )
    beyond = over(game, unit)
    minus = (Modifier(amount=-beyond, source=f"{beyond} disrupted over the casualty value"),) if beyond else ()
    rolled, spent = roll_led(
        game,
        dice,
        pieces_of(game, unit.id),
        order.cubes,
        purpose=f"morale of {unit.id}",
        rule=MORALE,
        needed=f"{unit.number('qv')} or more",
        minus=minus,
    )
    stays = rolled.total >= unit.number("qv")
    results: list[Result] = [replace(rolled, outcome="stays" if stays else "breaks"), *spent]
    if stays:
        results += changed(unit, "morale_checked", game.turn, rule=MORALE)
    else:
        results += dissolved(game, unit, "failed its morale check", MORALE)
    return leave_when_nothing_is_due(game, results, morale_is_due)


# --- 2c -------------------------------------------------------------------------------------------------------------


def must_rally(game: Game, side: str) -> tuple[Unit, ...]:
    """Return the disrupted pieces of a side that have not rolled in this phase."""
    return tuple(one for one in pieces(game, side) if one.get("disrupted") and one.get("rally_tried") != game.turn)


def pieces_to_rally(game: Game, _: str) -> tuple[Unit, ...]:
    """Return the pieces of the phasing player that still have to roll."""
    return must_rally(game, phasing(game))


def rally_is_due(game: Game, _: str) -> bool:
    return bool(must_rally(game, phasing(game)))


def decide_rally(game: Game, order: Rally, dice: Dice) -> list[Result]:
    """Roll 1d6 against the piece's QV. A 1 on the die removes the piece, regardless of QV and cubes.

    Raises:
        RuleViolation: The piece is not yours, is not disrupted or has already rolled; or cubes cannot be spent.
    """
    piece = own(game, game.side_of(order.seat), order.piece, (), RALLY)
    due = must_rally(game, piece.side)
    if piece not in due:
        rolled_already = Reason("rolled-already", "it has already rolled this phase")
        why = rolled_already if piece.get("disrupted") else Reason("not-disrupted", "it is not disrupted")
        left = ", ".join(one.id for one in due)
        raise refuse(game, "cannot-rally" if left else "none-can-rally", RALLY, piece=piece.id, why=why, left=left)
    rolled, spent = roll_led(
        game,
        dice,
        (piece,),
        order.cubes,
        purpose=f"rallying {piece.id}",
        rule=RALLY,
        needed=f"{piece.number('qv')} or more; a 1 on the die removes it",
    )
    return leave_when_nothing_is_due(game, _rallied(game, piece, rolled, spent), rally_is_due)


def _rallied(game: Game, piece: Unit, rolled: DiceRolled, spent: list[Result]) -> list[Result]:
    lost = rolled.pips[0] == 1
    rallies = not lost and rolled.total >= piece.number("qv")
    outcome = "removed" if lost else "rallied" if rallies else "stays disrupted"
    results: list[Result] = [replace(rolled, outcome=outcome), *spent]
    if lost:
        return [*results, *struck(game, (piece,), "casualty", "a 1 on the die", RALLY)]
    if rallies:
        return [*results, *changed(piece, "disrupted", None, "rallied", RALLY)]
    return [*results, *changed(piece, "rally_tried", game.turn, rule=RALLY)]
