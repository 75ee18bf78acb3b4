"""Roll on tables that no page prints, with modifiers. The results are rows of the scenario, or read from a book.

One mechanism serves every title. A title declares such a table once (`RollTable`), its order is a `TableRoll`, and the
decision calls `on_table`. The roll's own record holds the result: table, row and outcome, or the book from which the
group read it. The outcome may be unknown at the time of the roll: if the ledger rolls, if the group looks the result up
later, or if the scenario has no row for the total. Then a marker records the roll, its step cannot end, and the same
order with `by_the_book` supplies the outcome.
"""

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import msgspec

from umpire_ledger.domain.game.dice import Dice
from umpire_ledger.domain.game.errors import RuleViolation, UnknownName
from umpire_ledger.domain.game.events import DiceRolled, MarkerSet, Modifier, RestrictedEvent, Value
from umpire_ledger.domain.game.orders import ByTheBook, Modified, Order, Plus, ReadOff, TableRoll
from umpire_ledger.domain.game.refusal_catalogue import Reason, refusal
from umpire_ledger.domain.game.scenario import look_up, table_dice
from umpire_ledger.domain.game.state import Game, replace
from umpire_ledger.domain.kit.changes import row_text
from umpire_ledger.domain.kit.refusals import REFUSALS
from umpire_ledger.domain.kit.title import Result

Row = str | dict[str, Value]
UNREAD = "unread/"
"""Prefix of the markers of rolls whose outcome the group has not read yet. The purpose of the roll follows."""


class RollTable(msgspec.Struct, frozen=True):
    """A table that no page prints. `row`: the type of a row's result; `dice`: the dice if a scenario names none."""

    name: str
    row: Any = str
    dice: str = "1d6"


class TableOutcome(msgspec.Struct, frozen=True):
    """The result of a roll on a table: the results to emit, the total with modifiers, and the row.

    The row is None if the group has not read the outcome yet.
    """

    told: tuple[Result, ...]
    total: int
    row: Row | None = None

    @property
    def said(self) -> str:
        """The outcome in one line; "" if the group has not read it yet."""
        return "" if self.row is None else row_text(self.row)

    def value(self, name: str) -> Value:
        """Return a named value of a row with several values; None if the row does not have it."""
        return self.row.get(name) if isinstance(self.row, dict) else None

    def number(self, name: str) -> int:
        """Return a named number of the row; 0 if the row does not have it."""
        found = self.value(name)
        return found if isinstance(found, int) else 0


Outcome = TableOutcome
"""Deprecated name of `TableOutcome`, kept for one release."""


class Unread(msgspec.Struct, frozen=True):
    """A roll that the group has not read off its table yet: its number, total and step, and the side that reads it."""

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
) -> TableOutcome:
    """Roll with all modifiers, and find the outcome in the scenario's table or in the order, which reads it off a book.

    `modifiers`: the modifiers of the rules; those of the order follow. `seen_by`: the only viewers of the roll, None
    for all. If `TableOutcome.row` is None, the decision emits `told` and nothing else, because the roll waits to be
    read.

    Raises:
        RuleViolation: The table cannot have this outcome, the ledger has not rolled its dice yet, or a roll waits to be
            read.
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
) -> TableOutcome | None:
    """Return the outcome that the order reads for an earlier roll; None if the dice can be rolled now.

    This is for a title that makes several rolls for one lookup; call `found` after them.

    Raises:
        RuleViolation: As `on_table` does.
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
) -> TableOutcome:
    """Return the outcome of a roll, with its record: off the book, still to be read, or from the scenario's rows.

    A total without a row is also still to be read, because a refusal after the roll would be a free look.

    Args:
        total: The total to look up.
        before: Words in front of the outcome in the record.
        seen_by: The only viewers of the roll, None for all.
    """
    read, book = order.by_the_book, book_of(game, table.name)
    if read is not None:
        said = before + row_text(read.outcome)
        known = replace(rolled, table=table.name, outcome=said, book=read.source)
        return TableOutcome((_seen(known, seen_by),), total, read.outcome)
    try:
        row, result = look_up(game, table.name, total)
    except UnknownName as none:
        wanted = replace(rolled, table=table.name, book=book)
        return _unread(game, order, wanted, total, f"to be read off {book}" if book else none.what, seen_by)
    known = replace(rolled, table=table.name, row=row, outcome=before + row_text(result))
    return TableOutcome((_seen(known, seen_by),), total, result)


def book_of(game: Game, table: str) -> str:
    """Return the group's source of a table's results; "" if the scenario names none."""
    return str(game.tables.get(table, {}).get("by_the_book", ""))


def modifiers_of(order: Modified | TableRoll) -> tuple[Modifier, ...]:
    """Return the modifiers of an order."""
    return as_modifiers(order.modifiers)


def as_modifiers(given: tuple[Plus, ...]) -> tuple[Modifier, ...]:
    """Return the modifiers of an order as a record holds them."""
    return tuple(Modifier(amount=one.amount, source=one.source) for one in given)


def _seen(event: DiceRolled | MarkerSet, seen_by: tuple[str, ...] | None) -> Result:
    return event if seen_by is None else RestrictedEvent(event, seen_by)


def _unread(
    game: Game, order: ReadOff, rolled: DiceRolled, total: int, why: str, seen_by: tuple[str, ...] | None
) -> TableOutcome:
    """Return the outcome of a roll that waits to be read, with the marker that records this."""
    words = (str(rolled.roll), str(total), rolled.step, game.side_of(order.seat), *rolled.subjects)
    cause = f"roll {rolled.roll} is {total}: {why}"
    waits = MarkerSet(marker=UNREAD + rolled.purpose, before=None, after=words, cause=cause, rule=rolled.rule)
    return TableOutcome((_seen(rolled, seen_by), _seen(waits, seen_by)), total)


def _read(
    game: Game,
    order: ReadOff,
    table: RollTable,
    waiting: Unread,
    subjects: tuple[str, ...],
    rule: str,
    seen_by: tuple[str, ...] | None,
) -> TableOutcome:
    """Return the outcome that the order reads for an earlier roll."""
    read = order.by_the_book
    what, remedy = Reason("", ""), ""
    if read is None:
        what = Reason("not-read-yet", "and its result has not been read off the table")
        remedy = f'give the order again with the result from your table: "by_the_book": {_example(table)}'
    elif isinstance(order, TableRoll) and order.modifiers:
        what, remedy = (
            Reason("modifiers-fixed", "with its modifiers"),
            "leave out `modifiers`; to change them, `undo` the roll",
        )
    elif subjects != waiting.subjects:
        what = Reason("other-subjects", f"for {', '.join(waiting.subjects)}")
        remedy = "repeat the order exactly as you gave it for the roll"
    if read is None or what:
        raise refusal(
            RuleViolation,
            REFUSALS,
            "cannot-be-read-so",
            {"shown": _shown(waiting), "what": what, "remedy": remedy},
            where=game.where,
            rule=rule,
        )
    verify_outcome(game, read, table, waiting.purpose, rule)
    name = UNREAD + waiting.purpose
    cause = f"roll {waiting.roll} is {waiting.total}: {row_text(read.outcome)}, read off {read.source}"
    done = MarkerSet(marker=name, before=game.markers[name], after=None, cause=cause, rule=rule)
    return TableOutcome((_seen(done, seen_by),), waiting.total, read.outcome)


# --- rolls that wait to be read ---------------------------------------------------------------------------------------


def unread_roll(game: Game, purpose: str) -> Unread | None:
    """Return the roll with this purpose that waits to be read; None if there is none."""
    words = game.markers.get(UNREAD + purpose)
    if not isinstance(words, tuple):
        return None
    roll, total, step, side, *subjects = words
    return Unread(purpose, int(roll), int(total), step, side, tuple(subjects))


def unread_rolls(game: Game) -> Iterator[Unread]:
    """Yield every roll that waits to be read."""
    for marker in sorted(game.markers):
        found = unread_roll(game, marker.removeprefix(UNREAD)) if marker.startswith(UNREAD) else None
        if found is not None:
            yield found


def still_to_read(game: Game, orders: tuple[type[Order], ...], step: str, side: str) -> tuple[str, ...]:
    """Return in words the rolls that a side must still read off its table before a step with these orders may end."""
    if not any(issubclass(one, ReadOff) for one in orders):
        return ()
    waiting = (one for one in unread_rolls(game) if (one.step, one.side) == (step, side))
    return tuple(f"{_shown(one)}: read it off your table, `by_the_book`" for one in waiting)


def _shown(waiting: Unread) -> str:
    return f"roll {waiting.roll} for {waiting.purpose} shows {waiting.total}"


# --- checks before the roll -------------------------------------------------------------------------------------------


def _verify_nothing_waits(game: Game, order: ReadOff, purpose: str, rule: str) -> None:
    """Check that no other roll of the side waits to be read here, because its result may end the step."""
    side, here = game.side_of(order.seat), {one.step for one in game.cursor.open}
    other = next((one for one in unread_rolls(game) if one.side == side and one.step in here), None)
    if other is not None:
        raise refusal(
            RuleViolation,
            REFUSALS,
            "read-the-other-first",
            {"shown": _shown(other), "purpose": purpose},
            where=game.where,
            rule=rule,
        )


def verify_outcome(game: Game, read: ByTheBook | None, table: RollTable, purpose: str, rule: str) -> None:
    """Check an outcome against the table.

    Raises:
        RuleViolation: A row of the table cannot hold it.
    """
    if read is None:
        return
    try:
        msgspec.convert(read.outcome, table.row)
    except msgspec.ValidationError as error:
        raise refusal(
            RuleViolation,
            REFUSALS,
            "not-an-outcome",
            {
                "outcome": row_text(read.outcome),
                "purpose": purpose,
                "why": str(error).replace("`", ""),
                "table": table.name,
                "example": _example(table),
            },
            where=game.where,
            rule=rule,
        ) from error


def _verify_thrown(game: Game, read: ByTheBook | None, table: RollTable, purpose: str, rule: str) -> None:
    """Check that the order does not contain an outcome before the ledger has rolled the dice."""
    if read is None or game.dice == "table":
        return
    rows = "" if book_of(game, table.name) else f"the scenario has the rows of {table.name}: "
    raise refusal(
        RuleViolation,
        REFUSALS,
        "not-rolled-yet",
        {"purpose": purpose, "rows": rows, "more": "" if rows else ", then give the result in a second order"},
        where=game.where,
        rule=rule,
    )


def _example(table: RollTable) -> str:
    """Return an example of the outcome of a table, as an order writes it."""
    if isinstance(table.row, type) and issubclass(table.row, msgspec.Struct):
        names = ", ".join(f'"{one.name}": …' for one in msgspec.structs.fields(table.row))
        said = f"{{{names}}}"
    elif get_origin(table.row) is Literal:
        said = " or ".join(f'"{one}"' for one in get_args(table.row))
    else:
        said = '"…"'
    return f'{{"outcome": {said}, "source": "…"}}'
