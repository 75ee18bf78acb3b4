"""Build the changes that every title records: valid events, or none if nothing changes.

Each function returns a list, so that results can be joined: `[*changed(ship, "fire", True), *paid(game, "vp/athens",
2)]`.
"""

from collections.abc import Callable, Iterable
from typing import Protocol, overload

from umpire_ledger.domain.game.dice import Dice
from umpire_ledger.domain.game.dice_notation import parse
from umpire_ledger.domain.game.errors import RuleViolation, UnknownName
from umpire_ledger.domain.game.events import (
    AccountChanged,
    DiceRolled,
    MarkerSet,
    Modifier,
    PassBegun,
    RestrictedEvent,
    SideDone,
    UnitChanged,
    UnitMoved,
    UnitRemoved,
    Value,
)
from umpire_ledger.domain.game.evolve import fold
from umpire_ledger.domain.game.refusal_catalogue import Texts, refusal
from umpire_ledger.domain.game.scenario import look_up, table_dice, total_without_row
from umpire_ledger.domain.game.state import Game, Unit, replace
from umpire_ledger.domain.kit.refusals import REFUSALS
from umpire_ledger.domain.kit.title import Closes, Finds, Result

Refuses = Callable[[Game, str, str, str], RuleViolation]


class RefusesByCode(Protocol):
    """A title's refusal function, with its texts in a catalogue."""

    def __call__(self, game: Game, code: str, rule: str, /, **fields: object) -> RuleViolation:
        """Return the refusal with a code of the catalogue, under a rule of the title. The fields fill in its text."""


@overload
def refusing(title: str) -> Refuses: ...


@overload
def refusing(title: str, texts: Texts) -> RefusesByCode: ...


def refusing(title: str, texts: Texts | None = None) -> Refuses | RefusesByCode:
    """Return a title's refusal function, which puts the title's name before each rule.

    With a catalogue: `raise refuse(game, "too-far", "E.2 [7.3]", given=5, limit=4)`. Without one, each call contains
    the words: `raise refuse(game, what, remedy, "E.2 [7.3]")`.
    """

    def refuse(game: Game, what: str, remedy: str, rule: str) -> RuleViolation:
        return RuleViolation(what, where=game.where, rule=f"{title} {rule}", remedy=remedy)

    def refuse_by_code(game: Game, code: str, rule: str, /, **fields: object) -> RuleViolation:
        return refusal(RuleViolation, texts or {}, code, fields, where=game.where, rule=f"{title} {rule}")

    return refuse if texts is None else refuse_by_code


# --- units ------------------------------------------------------------------------------------------------------------


def changed(unit: Unit, attribute: str, after: Value, cause: str = "", rule: str = "") -> list[Result]:
    """Return the change of a unit's attribute; changing `side` transfers the unit to another side.

    1 and true are different values; an absent value and an empty list are the same.
    """
    before = unit.side if attribute == "side" else unit.get(attribute)
    if same(before, after) or (before in (None, ()) and after in (None, ())):
        return []
    return [UnitChanged(unit=unit.id, attribute=attribute, before=before, after=after, cause=cause, rule=rule)]


def moved(unit: Unit, path: tuple[str, ...], cause: str = "", rule: str = "") -> list[Result]:
    """Return the move of a unit along places. The unit's own place is put first if the path does not begin there."""
    whole = path if path[:1] == (unit.at,) else (unit.at, *path)
    return [UnitMoved(unit=unit.id, path=whole, cause=cause, rule=rule)] if len(whole) > 1 else []


def removed(unit: Unit, fate: str, cause: str = "", rule: str = "") -> list[Result]:
    """Return the removal of a unit from play, at its place. `fate`: destroyed, sunk, captured, withdrawn, …"""
    return [UnitRemoved(unit=unit.id, fate=fate, at=unit.at, cause=cause, rule=rule)]


# --- accounts and markers ---------------------------------------------------------------------------------------------


def paid(game: Game, account: str, amount: int, cause: str = "", rule: str = "") -> list[Result]:
    """Return the change of an account by an amount, negative to spend; the account may go below 0."""
    if not amount:
        return []
    before = game.accounts.get(account, 0)
    return [
        AccountChanged(account=account, amount=amount, before=before, after=before + amount, cause=cause, rule=rule)
    ]


def emptied(game: Game, account: str, cause: str = "", rule: str = "") -> list[Result]:
    """Return the change that sets an account to 0."""
    return paid(game, account, -game.accounts.get(account, 0), cause, rule)


def marked(game: Game, marker: str, after: Value, cause: str = "", rule: str = "") -> list[Result]:
    """Return the change of a marker of the whole game; None removes it.

    1 and true are different values. A marker with an empty list is on the board, unlike an absent one.
    """
    before = game.markers.get(marker)
    if same(before, after):
        return []
    return [MarkerSet(marker=marker, before=before, after=after, cause=cause, rule=rule)]


def names_in(game: Game, marker: str) -> tuple[str, ...]:
    """Return the names that a marker lists; () if it is absent or holds something else."""
    value = game.markers.get(marker)
    return value if isinstance(value, tuple) else ()


def word_in(game: Game, marker: str) -> str:
    """Return the name that a marker holds; "" if it is absent or holds something else."""
    value = game.markers.get(marker)
    return value if isinstance(value, str) else ""


def same(before: Value, after: Value) -> bool:
    """Return whether two values are the same; 1 and true are not."""
    return before == after and type(before) is type(after)


# --- steps and tables -------------------------------------------------------------------------------------------------


def step_open(game: Game) -> str:
    """Return the label of the open step. If several are open, a decision gets the label of its order's step."""
    return game.cursor.open[0].step if game.cursor.open else ""


def after(game: Game, results: Iterable[Result]) -> Game:
    """Return the game after some results of a decision."""
    told = (
        one.event if isinstance(one, RestrictedEvent) else one for one in results if not isinstance(one, Closes | Finds)
    )
    return fold(game, told)


def picked_instead(game: Game, loop: str, member: str) -> list[Result]:
    """Return the event that begins a new pass of a loop with another member; the former member counts as not picked.

    The list is empty if the loop is at that member already.

    Raises:
        KeyError: The loop has no pass. This is a fault of the title.
    """
    frame = game.cursor.frame(loop)
    if frame is None or not frame.item:
        raise KeyError(loop)
    if frame.item == member:
        return []
    finished = (*(one for one in frame.finished if one != frame.item), member)
    return [PassBegun(loop=loop, nth=frame.nth + 1, item=member, side=frame.side, finished=finished)]


def leave_when_nothing_is_due(game: Game, results: list[Result], due: Callable[[Game, str], bool]) -> list[Result]:
    """End the part of each side for which nothing is due in the open step; close the step if nothing is due for any."""
    then = after(game, results)
    one = then.cursor.open[0]
    free = [side for side in one.waits if not due(then, side)]
    if len(free) == len(one.waits):
        return [*results, Closes(everybody=True)]
    return [*results, *(SideDone(step=one.step, side=side) for side in free)]


def roll_on_table(
    game: Game,
    dice: Dice,
    table: str,
    *,
    purpose: str,
    rule: str,
    default: str = "1d6",
    subjects: tuple[str, ...] = (),
    modifiers: tuple[Modifier, ...] = (),
) -> tuple[DiceRolled, str | dict[str, Value]]:
    """Return the record of a roll on one of the scenario's tables, and the result in its row.

    `default`: the dice if the scenario's table names none.

    Raises:
        UnknownName: The scenario has no such table, or the table has no row for a total.
        RuleViolation: The dice notation is not valid.
    """
    notation = table_dice(game, table, default)
    verify_rows(game, table, notation, modifiers := tuple(modifiers))
    rolled = dice.roll(notation, purpose=purpose, modifiers=modifiers, rule=rule, subjects=subjects)
    row, result = look_up(game, table, rolled.total)
    return replace(rolled, table=table, row=row, outcome=row_text(result)), result


def verify_rows(game: Game, table: str, dice: str, modifiers: Iterable[Modifier]) -> None:
    """Check that a scenario's table has a row for every possible total, before the ledger rolls.

    With table dice, no check is needed: the group's result is looked up after the roll.

    Raises:
        UnknownName: The scenario has no such table, or a total has no row.
        RuleViolation: The dice notation is not valid.
    """
    if game.dice == "table":
        return
    notation = parse(dice, game.where)
    fixed = notation.plus + sum(one.amount for one in modifiers)
    lowest, highest = fixed + notation.number, fixed + notation.number * notation.faces
    rows = ", ".join(game.tables.get(table, {}).get("rows", {}))
    missing = total_without_row(game, table, lowest, highest)
    if missing is None:
        return
    if not rows:
        look_up(game, table, missing)  # raises its own refusal if there is no such table
    raise refusal(
        UnknownName,
        REFUSALS,
        "total-without-row",
        {"lowest": lowest, "highest": highest, "table": table, "missing": missing, "rows": rows},
        where=game.where,
        rule="the scenario's tables",
    )


def row_text(result: str | dict[str, Value]) -> str:
    """Return the result in a table's row as one line."""
    if isinstance(result, str):
        return result
    return ", ".join(f"{name} {_in_words(value)}" for name, value in result.items())


def _in_words(value: Value) -> str:
    """Return a list in words, and any other value in the form of older logs."""
    return " ".join(map(str, value)) or "nothing" if isinstance(value, list | tuple) else str(value)
