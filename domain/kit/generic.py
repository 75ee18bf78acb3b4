"""Decide the generic orders, which are the same for every title, so that any action on the table can be recorded.

`domain/game/orders.py` defines the orders; `domain/play/suggested_orders.py` suggests arguments for each.
"""

from umpire_ledger.domain.game import orders as o
from umpire_ledger.domain.game.dice import Dice
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import (
    AccountChanged,
    ChoiceMade,
    MarkerSet,
    Modifier,
    UnitChanged,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
    Value,
)
from umpire_ledger.domain.game.hidden_units import last_seen, sighting
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.scenario import look_up
from umpire_ledger.domain.game.sealed_choices import reveal, seal
from umpire_ledger.domain.game.state import Game, replace
from umpire_ledger.domain.game.unknown_names import no_such_side
from umpire_ledger.domain.kit.changes import row_text, verify_rows
from umpire_ledger.domain.kit.hide_and_show import decide_hide, decide_show, unit_of
from umpire_ledger.domain.kit.refusals import REFUSALS
from umpire_ledger.domain.kit.title import Decide, Result

MOST = 2**53 - 1


def decide_roll(game: Game, order: o.Roll, dice: Dice) -> list[Result]:
    """Roll dice for a purpose; with `table`, the record also contains the row and its result."""
    modifiers = tuple(Modifier(amount=one.amount, source=one.source) for one in order.modifiers)
    if order.table:
        verify_rows(game, order.table, order.dice, modifiers)
    rolled = dice.roll(
        order.dice,
        purpose=order.purpose,
        modifiers=modifiers,
        rule=order.rule,
        subjects=order.subjects,
        needed=order.needed,
    )
    if not order.table:
        return [rolled]
    row, result = look_up(game, order.table, rolled.total)
    return [replace(rolled, table=order.table, row=row, outcome=row_text(result))]


def decide_move(game: Game, order: o.Move, _: Dice) -> list[Result]:
    """Move a unit along places. The unit's own place is put first if the path does not begin there."""
    unit = unit_of(game, order.unit)
    path = order.path if order.path[0] == unit.at else (unit.at, *order.path)
    if len(path) < 2:
        raise _refuse(game, "already-there", "move", unit=order.unit, at=unit.at)
    return [UnitMoved(unit=order.unit, path=path, cause=order.cause)]


def decide_place(game: Game, order: o.Place, _: Dice) -> list[Result]:
    """Place a new unit, or one that left play."""
    known = game.units.get(order.unit)
    if known is not None and not known.fate:
        raise _refuse(game, "unit-in-play", "place", unit=order.unit, at=known.at)
    if (seen := sighting(game, order.unit)) is not None:
        raise _refuse(game, "unit-out-of-sight", "place", unit=order.unit, last_seen=last_seen(seen))
    if order.side not in game.side_ids:
        raise no_such_side(game, order.side)
    return [
        UnitPlaced(
            unit=order.unit,
            side=order.side,
            kind=order.kind,
            at=order.at,
            attributes=order.attributes,
            cause=order.cause,
        )
    ]


def decide_change(game: Game, order: o.Change, _: Dice) -> list[Result]:
    """Change one attribute of a unit; changing `side` transfers the unit to another side."""
    unit = unit_of(game, order.unit)
    before: Value = unit.side if order.attribute == "side" else unit.get(order.attribute)
    if order.attribute == "side" and order.to not in game.side_ids:
        raise no_such_side(game, str(order.to))
    if before == order.to and type(before) is type(order.to):
        raise _refuse(game, "value-already-set", "change", unit=order.unit, attribute=order.attribute, before=before)
    return [UnitChanged(unit=order.unit, attribute=order.attribute, before=before, after=order.to, cause=order.cause)]


def decide_remove(game: Game, order: o.Remove, _: Dice) -> list[Result]:
    """Remove a unit from play."""
    unit = unit_of(game, order.unit)
    return [UnitRemoved(unit=order.unit, fate=order.fate, at=unit.at, cause=order.cause)]


def decide_pay(game: Game, order: o.Pay, _: Dice) -> list[Result]:
    """Change an account by an amount; the first payment creates it, and it may go below 0."""
    before = game.accounts.get(order.account, 0)
    after = before + order.amount
    if abs(after) > MOST:
        raise _refuse(game, "account-below-limit", "accounts", account=order.account, after=after)
    return [AccountChanged(account=order.account, amount=order.amount, before=before, after=after, cause=order.cause)]


def decide_mark(game: Game, order: o.Mark, _: Dice) -> list[Result]:
    """Set or remove a marker."""
    before = game.markers.get(order.marker)
    return [MarkerSet(marker=order.marker, before=before, after=order.to, cause=order.cause)]


def decide_choose(game: Game, order: o.Choose, _: Dice) -> list[Result]:
    """Record a public answer to a question."""
    return [ChoiceMade(question=order.question, side=_side(game, order), choice=order.choice)]


def decide_seal_choice(game: Game, order: o.SealChoice, _: Dice) -> list[Result]:
    """Record a secret answer to a question."""
    return list(seal(game, _side(game, order), order.question, order.choice))


def decide_reveal(game: Game, order: o.Reveal, _: Dice) -> list[Result]:
    """Reveal a secret answer."""
    return list(reveal(game, _side(game, order), order.question))


def _side(game: Game, order: o.Order) -> str:
    return game.side_of(order.seat) or order.seat


def _refuse(game: Game, code: str, rule: str, /, **fields: object) -> RuleViolation:
    return refusal(RuleViolation, REFUSALS, code, fields, where=game.where, rule=rule)


GENERIC: dict[type[o.Order], Decide] = {
    o.Roll: decide_roll,
    o.Move: decide_move,
    o.Place: decide_place,
    o.Change: decide_change,
    o.Remove: decide_remove,
    o.Pay: decide_pay,
    o.Mark: decide_mark,
    o.Choose: decide_choose,
    o.SealChoice: decide_seal_choice,
    o.Reveal: decide_reveal,
    o.Show: decide_show,
    o.Hide: decide_hide,
}
