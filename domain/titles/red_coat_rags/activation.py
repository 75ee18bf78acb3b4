"""3 and 6: one to three dice against the quality of a unit, read on the scenario's activation table.

The printed text names the table and does not print it. A scenario may bring `activation`, or one for each number of
dice (`activation-1` to `activation-3`); rows by the number of successes: `actions`, `fails` (the whole phase is over),
`fewer` (dice that the next activation of this phase must do without). Without a table each success is an action, and
no success at all is a failure. A unit is activated once a phase.
"""

from collections.abc import Mapping

from umpire_ledger.domain.titles.red_coat_rags.leadership import Cubes, roll_led
from umpire_ledger.domain.titles.red_coat_rags.pieces import UNIT, own, phasing, pieces_of, refuse, units
from umpire_ledger.kit import (
    Closes,
    Dice,
    DiceRolled,
    Game,
    Int,
    Name,
    Order,
    Result,
    Unit,
    UnknownName,
    Value,
    after,
    changed,
    look_up,
    marked,
    replace,
    word_in,
)

RULE = "3"
MOST_DICE = 3


class Activate(Order, frozen=True, kw_only=True, tag="activate"):
    """Select a wing, a unit and the number of dice, one for each action that it shall have, at most three.

    `wing` may be left out. `cubes`: white cubes by officer, die by die, for instance [{"rupert": 1}, {}].
    """

    unit: Name
    dice: Int
    wing: str = ""
    cubes: tuple[Cubes, ...] = ()


def can_activate(game: Game, side: str) -> tuple[Unit, ...]:
    """The units of a side that were not tried in this phase."""
    return tuple(one for one in units(game, side) if one.get("activated") != game.turn)


def units_are_left(game: Game, _: str) -> bool:
    return bool(can_activate(game, phasing(game)))


def activation_failed(game: Game, _: str) -> bool:
    """Whether an activation of this phase failed as the table defines it."""
    return bool(game.markers.get("failed"))


def active_unit(game: Game) -> str:
    """The unit whose actions are carried out; "" between activations."""
    return word_in(game, "active_unit")


def unit_is_active(game: Game, _: str) -> bool:
    """Whether a unit is activated and has a piece left."""
    return bool(pieces_of(game, active_unit(game)))


def most_dice(game: Game) -> int:
    """Three, fewer where the table took some away; never below one."""
    return max(1, MOST_DICE - game.number("fewer_dice"))


def decide_activate(game: Game, order: Activate, dice: Dice) -> list[Result]:
    """Each die by itself against the unit's QV; the table says how many actions come of the successes.

    Raises:
        RuleViolation: see `verify_can_activate`; cubes that cannot be spent.
    """
    unit = own(game, game.side_of(order.seat), order.unit, (UNIT,), RULE)
    verify_can_activate(game, unit, order)
    results: list[Result] = []
    successes = 0
    for number in range(1, order.dice + 1):
        rolled, spent = _one_die(after(game, results), unit, order, number, dice)
        successes += rolled.outcome == "success"
        results += [rolled, *spent]
    return [*results, *changed(unit, "activated", game.turn, rule=RULE), *_on_table(game, unit, order.dice, successes)]


def _one_die(game: Game, unit: Unit, order: Activate, number: int, dice: Dice) -> tuple[DiceRolled, list[Result]]:
    """The roll of one die, from 1, and what the officers have left."""
    rolled, spent = roll_led(
        game,
        dice,
        pieces_of(game, unit.id),
        order.cubes[number - 1] if number <= len(order.cubes) else {},
        purpose=f"activating {unit.id}, die {number} of {order.dice}",
        rule=RULE,
        needed=f"{unit.number('qv')} or more",
    )
    return replace(rolled, outcome="success" if rolled.total >= unit.number("qv") else "failure"), spent


def verify_can_activate(game: Game, unit: Unit, order: Activate) -> None:
    """Raises RuleViolation: another wing's, tried already, no piece left, too many dice or none."""
    most = most_dice(game)
    if not 1 <= order.dice <= most:
        why = "one for each action, up to three" if most == MOST_DICE else f"{game.number('fewer_dice')} were lost"
        what = f"{unit.id} cannot be activated with {order.dice} dice: {why}"
        raise refuse(game, what, f"roll 1 to {most}", RULE)
    if order.wing and order.wing != unit.get("wing"):
        what = f"{unit.id} is in the {unit.get('wing')} wing, not in the {order.wing} wing"
        raise refuse(game, what, f"select a unit of that wing, or leave the wing out for {unit.id}", RULE)
    if unit.get("activated") == game.turn or not pieces_of(game, unit.id):
        why = "was tried in this phase" if unit.get("activated") == game.turn else "has no piece left"
        left = ", ".join(one.id for one in can_activate(game, unit.side))
        remedy = f"activate one of: {left}" if left else "`done` with the answer none"
        raise refuse(game, f"{unit.id} {why}", remedy, RULE)
    if len(order.cubes) > order.dice:
        what = f"cubes are given for {len(order.cubes)} dice, and {order.dice} are rolled"
        raise refuse(game, what, "one entry a die, {} for none", RULE)


def _on_table(game: Game, unit: Unit, dice: int, successes: int) -> list[Result]:
    actions, fails, fewer = read_table(game, dice, successes)
    cause = f"{successes} of {dice} dice succeed"
    lost = marked(game, "fewer_dice", fewer or None, cause, RULE)
    if fails:
        return [*lost, *marked(game, "failed", unit.id, cause, RULE), Closes("failed")]
    return [
        *lost,
        *marked(game, "active_unit", unit.id, cause, RULE),
        *marked(game, "actions", actions, cause, RULE),
        *marked(game, "taken", (), cause, RULE),
        Closes("activated"),
    ]


def read_table(game: Game, dice: int, successes: int) -> tuple[int, bool, int]:
    """Actions, whether the activation fails, and how many dice fewer the next one has."""
    for table in (f"activation-{dice}", "activation"):
        if table in game.tables:
            try:
                _, row = look_up(game, table, successes)
            except UnknownName:
                continue
            assert isinstance(row, dict), "the scenario was checked"
            return _number(row, "actions"), bool(row.get("fails")), _number(row, "fewer")
    return successes, successes == 0, 0


def _number(row: Mapping[str, Value], name: str) -> int:
    value = row.get(name, 0)
    return value if isinstance(value, int) else 0


def end_activation(game: Game) -> list[Result]:
    """6: the unit in hand is done; what its officers and pieces did under it is forgotten, and nobody stays engaged."""
    cleared = [event for name in ("active_unit", "actions", "taken") for event in marked(game, name, None, rule="6")]
    done = [
        event
        for one in game.in_play()
        for attribute in ("did", "moves_left", "contact")
        if one.get(attribute)
        for event in changed(one, attribute, None, rule="6")
    ]
    return [*cleared, *done]
