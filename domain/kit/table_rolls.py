"""Rolls on tables that no page prints: with modifiers, on the scenario's rows or by the book of the group.

One mechanism for every title. A title declares such a table once (`RollTable`), its order is a `TableRoll`, and the
decision asks `on_table`. What comes of it stands in the roll's own record: table, row, outcome, or the book it was read
off. Where nobody can have read the outcome when the dice are thrown, the roll waits in a marker, its step cannot be
left, and the same order with `by_the_book` reads it: the ledger throws, or the group looks it up afterwards, or the
scenario has no row for the total.
"""

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import msgspec

from umpire_ledger.domain.game.dice import Dice
from umpire_ledger.domain.game.errors import RuleViolation, UnknownName
from umpire_ledger.domain.game.events import DiceRolled, MarkerSet, Modifier, RestrictedEvent, Value
from umpire_ledger.domain.game.orders import ByTheBook, Modified, Order, Plus, ReadOff, TableRoll
from umpire_ledger.domain.game.scenario import look_up, table_dice
from umpire_ledger.domain.game.state import Game, replace
from umpire_ledger.domain.kit.changes import row_text
from umpire_ledger.domain.kit.title import Result

Row = str | dict[str, Value]
UNREAD = "unread/"
"""Markers of rolls whose outcome nobody has read off the group's table yet, by what they were for."""


class RollTable(msgspec.Struct, frozen=True):
    """A table that no page prints. `row`: the type of what a row holds; `dice`: where the scenario names none."""

    name: str
    row: Any = str
    dice: str = "1d6"


class Outcome(msgspec.Struct, frozen=True):
    """What came of a roll on a table: what to tell, pips with modifiers, and the row; None while nobody has read it."""

    told: tuple[Result, ...]
    total: int
    row: Row | None = None

    @property
    def said(self) -> str:
        """The outcome in one line; "" while it is not read."""
        return "" if self.row is None else row_text(self.row)

    def value(self, name: str) -> Value:
        """What stands under a name in a row of several; None where it is silent."""
        return self.row.get(name) if isinstance(self.row, dict) else None

    def number(self, name: str) -> int:
        """A number that stands in the row; 0 where it is silent."""
        found = self.value(name)
        return found if isinstance(found, int) else 0


class Unread(msgspec.Struct, frozen=True):
    """A roll that nobody has read off the group's table yet: its number and total, and which side reads it where."""

    purpose: str
    roll: int
    total: int
    step: str
    side: str
    subjects: tuple[str, ...]


# --- rolling and reading ----------------------------------------------------------------------------------------------


def on_table(
    game: Game,
    dice: Dice,
    order: TableRoll,
    table: RollTable,
    *,
    purpose: str,
    rule: str,
    subjects: tuple[str, ...] = (),
    modifiers: tuple[Modifier, ...] = (),
    seen_by: tuple[str, ...] | None = None,
) -> Outcome:
    """Roll with all modifiers, and find the outcome in the scenario's table or as the order reads it off the book.

    `modifiers`: those of the rules, before the order's own. `seen_by`: who alone sees the roll, None for everybody.
    Where `Outcome.row` is None, the decision tells what is told and nothing else: the roll waits to be read.

    Raises:
        RuleViolation: an outcome that the table cannot have; ledger dice that are not thrown; a roll that waits.
    """
    notation = table_dice(game, table.name, table.dice)
    every = (*modifiers, *modifiers_of(order))
    read = read_or_ready(game, order, table, purpose=purpose, rule=rule, subjects=subjects, seen_by=seen_by)
    if read is not None:
        return read
    rolled = dice.roll(notation, purpose=purpose, modifiers=every, rule=rule, subjects=subjects)
    return found(game, order, table, rolled, rolled.total, seen_by=seen_by)


def read_or_ready(
    game: Game,
    order: ReadOff,
    table: RollTable,
    *,
    purpose: str,
    rule: str,
    subjects: tuple[str, ...] = (),
    seen_by: tuple[str, ...] | None = None,
) -> Outcome | None:
    """What comes before dice are thrown: the outcome of a roll that waited for it, or None where all is ready to throw.

    For a title that throws several dice for one look at a table; `found` is what comes behind them. Raises as
    `on_table` does.
    """
    waiting = unread_roll(game, purpose)
    if waiting is not None:
        return _read(game, order, table, waiting, subjects, rule, seen_by)
    _verify_nothing_waits(game, order, purpose, rule)
    verify_outcome(game, order.by_the_book, table, purpose, rule)
    _verify_thrown(game, order.by_the_book, table, purpose, rule)
    return None


def found(
    game: Game,
    order: ReadOff,
    table: RollTable,
    rolled: DiceRolled,
    total: int,
    *,
    before: str = "",
    seen_by: tuple[str, ...] | None = None,
) -> Outcome:
    """The outcome of dice that are thrown, in their record: off the book, to be read, or from the scenario's rows.

    A total for which the scenario has no row is to be read too: a refusal with dice on the table would be a free look.
    `total`: with which the table is entered. `before`: words that stand before the outcome in the record.
    """
    read, book = order.by_the_book, book_of(game, table.name)
    if read is not None:
        said = before + row_text(read.outcome)
        known = replace(rolled, table=table.name, outcome=said, book=read.source)
        return Outcome((_seen(known, seen_by),), total, read.outcome)
    try:
        row, result = look_up(game, table.name, total)
    except UnknownName as none:
        wanted = replace(rolled, table=table.name, book=book)
        return _unread(game, order, wanted, total, f"to be read off {book}" if book else none.what, seen_by)
    known = replace(rolled, table=table.name, row=row, outcome=before + row_text(result))
    return Outcome((_seen(known, seen_by),), total, result)


def book_of(game: Game, table: str) -> str:
    """Where the group reads a table's results; "" where the scenario has its rows, or nothing."""
    return str(game.tables.get(table, {}).get("by_the_book", ""))


def modifiers_of(order: Modified | TableRoll) -> tuple[Modifier, ...]:
    """The modifiers that come with an order."""
    return as_modifiers(order.modifiers)


def as_modifiers(given: tuple[Plus, ...]) -> tuple[Modifier, ...]:
    """Modifiers as an order gives them, for the record."""
    return tuple(Modifier(amount=one.amount, source=one.source) for one in given)


def _seen(event: DiceRolled | MarkerSet, seen_by: tuple[str, ...] | None) -> Result:
    return event if seen_by is None else RestrictedEvent(event, seen_by)


def _unread(
    game: Game, order: ReadOff, rolled: DiceRolled, total: int, why: str, seen_by: tuple[str, ...] | None
) -> Outcome:
    """The roll is made, and waits for its outcome."""
    words = (str(rolled.roll), str(total), rolled.step, game.side_of(order.seat), *rolled.subjects)
    cause = f"roll {rolled.roll} is {total}: {why}"
    waits = MarkerSet(marker=UNREAD + rolled.purpose, before=None, after=words, cause=cause, rule=rolled.rule)
    return Outcome((_seen(rolled, seen_by), _seen(waits, seen_by)), total)


def _read(
    game: Game,
    order: ReadOff,
    table: RollTable,
    waiting: Unread,
    subjects: tuple[str, ...],
    rule: str,
    seen_by: tuple[str, ...] | None,
) -> Outcome:
    """What a roll made before has brought."""
    read = order.by_the_book
    what, remedy = "", ""
    if read is None:
        what = "and its outcome is not read"
        remedy = f'give the order again with what your table says: "by_the_book": {_example(table)}'
    elif isinstance(order, TableRoll) and order.modifiers:
        what, remedy = "with its modifiers", "read it without `modifiers`; an `undo` of the roll gives it others"
    elif subjects != waiting.subjects:
        what, remedy = f"for {', '.join(waiting.subjects)}", "give the order as it was given for the roll"
    if read is None or what:
        raise RuleViolation(f"{_shown(waiting)} {what}", where=game.where, rule=rule, remedy=remedy)
    verify_outcome(game, read, table, waiting.purpose, rule)
    name = UNREAD + waiting.purpose
    cause = f"roll {waiting.roll} is {waiting.total}: {row_text(read.outcome)}, read off {read.source}"
    done = MarkerSet(marker=name, before=game.markers[name], after=None, cause=cause, rule=rule)
    return Outcome((_seen(done, seen_by),), waiting.total, read.outcome)


# --- what waits -------------------------------------------------------------------------------------------------------


def unread_roll(game: Game, purpose: str) -> Unread | None:
    """The roll for a purpose that waits to be read, or None."""
    words = game.markers.get(UNREAD + purpose)
    if not isinstance(words, tuple):
        return None
    roll, total, step, side, *subjects = words
    return Unread(purpose, int(roll), int(total), step, side, tuple(subjects))


def unread_rolls(game: Game) -> Iterator[Unread]:
    """Every roll that waits to be read."""
    for marker in sorted(game.markers):
        found = unread_roll(game, marker.removeprefix(UNREAD)) if marker.startswith(UNREAD) else None
        if found is not None:
            yield found


def still_to_read(game: Game, orders: tuple[type[Order], ...], step: str, side: str) -> tuple[str, ...]:
    """What a side must still read off its table before a step that allows these orders may be left, in words."""
    if not any(issubclass(one, ReadOff) for one in orders):
        return ()
    waiting = (one for one in unread_rolls(game) if (one.step, one.side) == (step, side))
    return tuple(f"{_shown(one)}: read it off your table, `by_the_book`" for one in waiting)


def _shown(waiting: Unread) -> str:
    return f"roll {waiting.roll} for {waiting.purpose} shows {waiting.total}"


# --- what is verified before anything is thrown -----------------------------------------------------------------------


def _verify_nothing_waits(game: Game, order: ReadOff, purpose: str, rule: str) -> None:
    """One roll is read before the next is thrown: what it brings may end the step."""
    side, here = game.side_of(order.seat), {one.step for one in game.cursor.open}
    other = next((one for one in unread_rolls(game) if one.side == side and one.step in here), None)
    if other is not None:
        raise RuleViolation(
            f"{_shown(other)} and is to be read before {purpose}",
            where=game.where,
            rule=rule,
            remedy="give its order again with `by_the_book`",
        )


def verify_outcome(game: Game, read: ByTheBook | None, table: RollTable, purpose: str, rule: str) -> None:
    """Raises RuleViolation for an outcome that no row of the table could hold."""
    if read is None:
        return
    try:
        msgspec.convert(read.outcome, table.row)
    except msgspec.ValidationError as error:
        raise RuleViolation(
            f"{row_text(read.outcome)} cannot come of {purpose}: {str(error).replace('`', '')}",
            where=game.where,
            rule=rule,
            remedy=f'give the outcome as a row of the table {table.name}: "by_the_book": {_example(table)}',
        ) from error


def _verify_thrown(game: Game, read: ByTheBook | None, table: RollTable, purpose: str, rule: str) -> None:
    """Nobody reads a table before the ledger has thrown the dice."""
    if read is None or game.dice == "table":
        return
    rows = "" if book_of(game, table.name) else f"the scenario has the rows of {table.name}: "
    raise RuleViolation(
        f"the ledger throws the dice of {purpose}, and they are not thrown yet",
        where=game.where,
        rule=rule,
        remedy=f"{rows}give the order without `by_the_book`{'' if rows else ', and read it in a second order'}",
    )


def _example(table: RollTable) -> str:
    """How an outcome of a table is written."""
    if isinstance(table.row, type) and issubclass(table.row, msgspec.Struct):
        names = ", ".join(f'"{one.name}": …' for one in msgspec.structs.fields(table.row))
        said = f"{{{names}}}"
    elif get_origin(table.row) is Literal:
        said = " or ".join(f'"{one}"' for one in get_args(table.row))
    else:
        said = '"…"'
    return f'{{"outcome": {said}, "source": "…"}}'
