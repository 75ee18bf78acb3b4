"""Activate a unit (3 and 6): roll one to three dice against its quality, and look up the successes in a table.

The printed text names the activation table but does not print it. A scenario may have one table `activation`, or one
for each number of dice (`activation-1` to `activation-3`). Each has a row for each number of successes: `actions`,
`fails` (the phase ends), and `fewer` (dice that the next activation of this phase loses). Without a table, each success
is an action, and no success is a failure. A unit is activated at most once a phase.
"""

from umpire_ledger.domain.titles.red_coat_rags.leadership import Cubes, roll_led
from umpire_ledger.domain.titles.red_coat_rags.pieces import UNIT, own, phasing, pieces_of, refuse, units
from umpire_ledger.domain.titles.red_coat_rags.tables import MOST_DICE, ActivationRow
from umpire_ledger.kit import (
    Closes,
    Dice,
    DiceRolled,
    Game,
    Int,
    Reason,
    Result,
    RollTable,
    TableOutcome,
    TableRoll,
    Unit,
    UnitName,
    Value,
    after,
    book_of,
    changed,
    found,
    look_up,
    marked,
    modifiers_of,
    read_or_ready,
    replace,
    word_in,
)

RULE = "3"


class Activate(TableRoll, frozen=True, kw_only=True, tag="activate"):
    """Select a wing, a unit and the number of dice: one for each action that it is to have, at most three.

    `wing` may be left out. `cubes`: white cubes by officer, die by die, for example [{"rupert": 1}, {}]; they are not
    spent again when the dice are read by the book. `modifiers` count for each die.
    """

    unit: UnitName
    dice: Int
    wing: str = ""
    cubes: tuple[Cubes, ...] = ()


def can_activate(game: Game, side: str) -> tuple[Unit, ...]:
    """Return the units of a side that were not tried in this phase."""
    return tuple(one for one in units(game, side) if one.get("activated") != game.turn)


def units_are_left(game: Game, _: str) -> bool:
    return bool(can_activate(game, phasing(game)))


def activation_failed(game: Game, _: str) -> bool:
    """Check whether an activation of this phase failed as the table defines it."""
    return bool(game.markers.get("failed"))


def active_unit(game: Game) -> str:
    """Return the unit that acts now; "" between activations."""
    return word_in(game, "active_unit")


def activated(game: Game, side: str) -> tuple[str, ...]:
    """Return the ids of a side's activated unit: its card and its pieces."""
    unit = active_unit(game)
    found = (one for one in game.in_play(side) if unit and unit in (one.id, one.get("unit")))
    return tuple(one.id for one in found)


def unit_is_active(game: Game, _: str) -> bool:
    """Check whether a unit is activated and has a piece left."""
    return bool(pieces_of(game, active_unit(game)))


def most_dice(game: Game) -> int:
    """Return the most dice that an activation may use: three minus the dice lost by the table, but at least one."""
    return max(1, MOST_DICE - game.number("fewer_dice"))


def decide_activate(game: Game, order: Activate, dice: Dice) -> list[Result]:
    """Roll each die separately against the unit's QV, and look up the actions for the number of successes.

    Raises:
        RuleViolation: See `verify_can_activate`; or cubes cannot be spent.
    """
    unit = own(game, game.side_of(order.seat), order.unit, (UNIT,), RULE)
    verify_can_activate(game, unit, order)
    tried = _tried(game, unit, order, dice)
    if tried.row is None:
        return list(tried.told)
    gone = changed(unit, "activated", game.turn, rule=RULE)
    cause = f"{tried.total} of {order.dice} dice succeed"
    return [*tried.told, *gone, *_comes_of(game, unit, tried, cause)]


def _tried(game: Game, unit: Unit, order: Activate, dice: Dice) -> TableOutcome:
    """Roll the dice; return them with the number of successes as total, and the table's result."""
    table = _table_for(game, order)
    if table is not None:
        led, purpose = tuple(one.id for one in pieces_of(game, unit.id)), _purpose(unit, order.dice, order.dice)
        read = read_or_ready(game, order, table, purpose=purpose, rule=RULE, subjects=led)
        if read is not None:
            return read
    dice.expects(tuple((f"die {number} of {unit.id}", 1) for number in range(1, order.dice + 1)))
    first: list[Result] = []
    successes = 0
    for number in range(1, order.dice + 1):
        last, spent = _one_die(after(game, first), unit, order, number, dice)
        successes += last.outcome == "success"
        first += [last, *spent] if number < order.dice else []
    if table is None or not (order.by_the_book or book_of(game, table.name)):
        return TableOutcome((*first, last, *spent), successes, _row_of(game, table, successes))
    what = f"{last.outcome}; {successes} of {order.dice} dice succeed: "
    outcome = found(game, order, table, last, successes, before=what)
    return replace(outcome, told=(*first, *outcome.told, *spent))


def _table_for(game: Game, order: Activate) -> RollTable | None:
    """Return the table for this number of dice, or else the table for any number; None if each success is an action."""
    names = (f"activation-{order.dice}", "activation")
    name = next((one for one in names if one in game.tables), "activation" if order.by_the_book else "")
    return RollTable(name, ActivationRow) if name else None


def _row_of(game: Game, table: RollTable | None, successes: int) -> dict[str, Value]:
    """Return the result of a number of successes.

    The row is from the scenario. Without a table, each success is an action, and no success is a failure.
    """
    if table is None:
        return {"actions": successes, "fails": successes == 0}
    row = look_up(game, table.name, successes)[1]
    assert isinstance(row, dict), "the scenario was checked"
    return row


def _purpose(unit: Unit, number: int, dice: int) -> str:
    return f"activating {unit.id}, die {number} of {dice}"


def _one_die(game: Game, unit: Unit, order: Activate, number: int, dice: Dice) -> tuple[DiceRolled, list[Result]]:
    """Roll die `number`, counted from 1; return the roll and the events that spend white cubes."""
    rolled, spent = roll_led(
        game,
        dice,
        pieces_of(game, unit.id),
        order.cubes[number - 1] if number <= len(order.cubes) else {},
        purpose=_purpose(unit, number, order.dice),
        rule=RULE,
        needed=f"{unit.number('qv')} or more",
        minus=modifiers_of(order),
    )
    return replace(rolled, outcome="success" if rolled.total >= unit.number("qv") else "failure"), spent


def verify_can_activate(game: Game, unit: Unit, order: Activate) -> None:
    """Check that a unit can be activated with the dice of an order.

    Raises:
        RuleViolation: The unit is of another wing, was already tried in this phase or has no piece left; or the number
            of dice is 0 or too high, or cubes are named for more dice than are rolled.
    """
    most = most_dice(game)
    if not 1 <= order.dice <= most:
        lost = Reason("dice-lost", f"{game.number('fewer_dice')} were lost")
        why = Reason("one-for-each-action", "one for each action, up to three") if most == MOST_DICE else lost
        raise refuse(game, "too-many-dice", RULE, unit=unit.id, given=order.dice, why=why, limit=most)
    if order.wing and order.wing != unit.get("wing"):
        raise refuse(game, "other-wing", RULE, unit=unit.id, unit_wing=unit.get("wing"), wing=order.wing)
    if unit.get("activated") == game.turn or not pieces_of(game, unit.id):
        is_tried = unit.get("activated") == game.turn
        why = (
            Reason("tried-already", "was already tried this phase")
            if is_tried
            else Reason("no-piece", "has no piece left")
        )
        left = ", ".join(one.id for one in can_activate(game, unit.side))
        raise refuse(
            game, "cannot-be-activated" if left else "none-can-be-activated", RULE, unit=unit.id, why=why, left=left
        )
    if len(order.cubes) > order.dice:
        raise refuse(game, "wrong-number-of-cubes", RULE, given=len(order.cubes), limit=order.dice)


def _comes_of(game: Game, unit: Unit, tried: TableOutcome, cause: str) -> list[Result]:
    """Record the actions of the activated unit, or the failure of the activation."""
    lost = marked(game, "fewer_dice", tried.number("fewer") or None, cause, RULE)
    if tried.value("fails"):
        return [*lost, *marked(game, "failed", unit.id, cause, RULE), Closes("failed")]
    return [
        *lost,
        *marked(game, "active_unit", unit.id, cause, RULE),
        *marked(game, "actions", tried.number("actions"), cause, RULE),
        *marked(game, "taken", (), cause, RULE),
        Closes("activated"),
    ]


def end_activation(game: Game) -> list[Result]:
    """End the activation (6): clear the records of its actions and special moves, and end every contact."""
    read = sorted(name for name in game.markers if name.startswith("close/"))
    cleared = [
        event for name in ("active_unit", "actions", "taken", *read) for event in marked(game, name, None, rule="6")
    ]
    done = [
        event
        for one in game.in_play()
        for attribute in ("did", "moves_left", "contact", "close_die")
        if one.get(attribute)
        for event in changed(one, attribute, None, rule="6")
    ]
    return [*cleared, *done]
