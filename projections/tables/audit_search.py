"""Search and filter the audit trail, as a seat may see it. Imports only sqlite3 and msgspec.

A record that a seat may not see becomes a line with its position and author, and a note instead of its content. A
filter on content never finds such a record.
"""

import functools
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from umpire_ledger.projections.tables.dialect import Tables, Words, dialect_of
from umpire_ledger.projections.tables.views_file import (
    HIDDEN,
    NO_LIMIT,
    POSITIONS,
    SEEN,
    UNSEEN,
    Pair,
    key_of,
    row_id,
    typed,
)

LATE = (Words("happened at", "cause"), Words("witness", "cause"))
"""Search words that occur in the causes of orders that were entered late."""
MOST_RANKED = 10_000
"""The most hits that a search orders by rank; ranking reads every hit."""

BETWEEN_RULES = ",;()[]"
"""Separators between the rules of a record, such as `G.4 [7.17]`. A search for 7.1 does not find 7.17."""
BLANKS = str.maketrans(dict.fromkeys(BETWEEN_RULES, " "))
RULE_WORDS = functools.reduce(lambda column, sign: f"replace({column}, '{sign}', ' ')", BETWEEN_RULES, "rule")

Row = tuple[int, int, str, int, str, str, str, str, str, str, str, int, str | None, str, str]
"""Whether the seat may see the record, followed by the columns of its line."""

_order = msgspec.json.Decoder(dict[str, Any]).decode
_seats = msgspec.json.Decoder(tuple[str, ...]).decode


class AuditLine(msgspec.Struct, frozen=True, kw_only=True):
    """One record, in words. `order`: the order id, equal for all records of an order. `counts`: on the current branch.

    `cause`: the order as it was entered, on only one of its records. `entered_by`: on the record with the cause, the
    seat that entered the order for its author, or "". `visible_to`: the seats that may see the record, None for
    everyone. `happened_at`, `witness`: on every record of an order that was entered late, its real time and witness.
    """

    position: int
    at: str
    turn: int
    step: str
    seat: str
    event: str
    text: str
    rule: str
    dice: str
    cause: dict[str, Any] | None
    counts: bool
    visible_to: tuple[str, ...] | None
    order: str
    units: tuple[str, ...]
    happened_at: str = ""
    witness: str = ""
    entered_by: str = ""

    @property
    def rules(self) -> list[str]:
        """The rules that the record names, each separately, then all of them as written."""
        return [self.rule, *self.rule.translate(BLANKS).split()] if self.rule else []


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """Conditions of a search; a record must match all of them.

    `side`: records by any seat of this side. `dice`: rolls only. `text`: words that must all occur, in any grammatical
    form; words "in quotes" must occur together, and a word with * at its end may have any ending. `start`, `stop`:
    first and last position. `all_lines`: rewound records too.
    """

    step: str = ""
    unit: str = ""
    seat: str = ""
    side: str = ""
    dice: bool = False
    rule: str = ""
    event: str = ""
    text: str = ""
    all_lines: bool = False
    start: int = 1
    stop: int = POSITIONS - 1


EVERYTHING = Filter()


def audit_lines(
    connection: Tables,
    game_id: str,
    seat: str,
    wanted: Filter = EVERYTHING,
    *,
    newest_first: bool = False,
    limit: int | None = None,
    ranked: bool = False,
    late: dict[str, tuple[str, str]] | None = None,
) -> Iterator[AuditLine]:
    """Yield the matching lines of a game's audit trail, as a seat may see them.

    Args:
        ranked: Sort search hits by rank; newest first if there are more than `MOST_RANKED`.
        late: The result of `late_of` for this seat, if it is already known.
    """
    dialect, (wheres, values) = dialect_of(connection), _wheres(wanted)
    match = dialect.match(_words(wanted))
    key = key_of(connection, game_id)
    values |= {
        "game": game_id,
        "seat": seat,
        "first": row_id(key, max(wanted.start, 1)),
        "last": row_id(key, min(wanted.stop, POSITIONS - 1)),
        "limit": NO_LIMIT if limit is None else limit,
        "match": match,
    }
    seen = "1" if SEEN in wheres else SEEN  # A condition on content matches only visible records.
    order = f"audit.id {'DESC' if newest_first else 'ASC'}"
    source = "audit WHERE audit.id BETWEEN :first AND :last"
    if match:
        source = dialect.hits
        order = f"{dialect.hit} {'DESC' if newest_first else 'ASC'}"
        if ranked:
            order = dialect.rank if _hits(connection, values) <= MOST_RANKED else f"{dialect.hit} DESC"
    select = (
        f"SELECT {seen} AS seen, audit.position, at, turn, step, audit.seat, event, audit.text, rule, dice,"
        f" audit.cause, counts, visible_to, command, audit.units"
        f" FROM {source}{''.join(f' AND {where}' for where in wheres)} ORDER BY {order} LIMIT :limit"
    )
    late = late_entries(connection, values) if late is None else late
    lines = map(_line, typed(connection.execute(select, values), Row))
    return (_with_late(line, late) for line in lines) if late else lines


def late_of(connection: Tables, game_id: str, seat: str) -> dict[str, tuple[str, str]]:
    """Return the real time and witness of each visible order of a game that was entered late, by order id."""
    key = key_of(connection, game_id)
    return late_entries(connection, {"game": game_id, "seat": seat, "first": row_id(key, 1), "last": row_id(key, 1)})


def order_bounds(connection: Tables, game_id: str, position: int) -> tuple[int, int]:
    """Return the first position of the order that contains a record, and that of the next order, 0 if none."""
    key = key_of(connection, game_id)
    span = {"first": row_id(key, 1), "at": row_id(key, position), "end": row_id(key + 1, 0)}
    first = "SELECT max(position) FROM (SELECT position FROM audit WHERE id BETWEEN :first AND :at AND starts"
    behind = "SELECT min(position) FROM (SELECT position FROM audit WHERE id > :at AND id < :end AND starts"
    low = connection.execute(f"{first} ORDER BY id DESC LIMIT 1) AS one", span).fetchone()[0]
    high = connection.execute(f"{behind} ORDER BY id LIMIT 1) AS one", span).fetchone()[0]
    return low or 1, high or 0


def turns_reached(connection: Tables, game_id: str, back: int) -> tuple[int, int]:
    """Return the highest turn of a game, and the first position of its last `back` turns."""
    key = key_of(connection, game_id)
    span = (row_id(key, 1), row_id(key + 1, 0))
    highest = connection.execute("SELECT max(turn) FROM audit WHERE id >= ? AND id < ?", span).fetchone()[0] or 0
    select = "SELECT min(position) FROM audit WHERE id >= ? AND id < ? AND turn > ?"
    first = connection.execute(select, (*span, highest - back)).fetchone()[0]
    return int(highest), int(first or 0)


def late_entries(connection: Tables, values: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Return the real time and witness of each visible order that was entered late, by order id.

    The search index finds these orders by words in their causes.
    """
    dialect = dialect_of(connection)
    select = f"SELECT command, audit.cause FROM {dialect.hits} AND audit.game = :game AND {SEEN}"
    values = {**values, **_whole(values), "match": dialect.match_any(LATE)}
    found: dict[str, tuple[str, str]] = {}
    for command, cause in typed(connection.execute(select, values), Pair):
        order = _order(cause)
        happened_at, witness = order.get("happened_at", ""), order.get("witness", "")
        if happened_at or witness:
            found[command] = (happened_at, witness)
    return found


def _whole(values: dict[str, Any]) -> dict[str, int]:
    """Return the id range of a whole game, because an order's cause may be on a record before the first wanted one."""
    key = values["first"] // POSITIONS
    return {"first": row_id(key, 1), "last": row_id(key, POSITIONS - 1)}


def _with_late(line: AuditLine, late: dict[str, tuple[str, str]]) -> AuditLine:
    if line.event == HIDDEN or line.order not in late:
        return line
    happened_at, witness = late[line.order]
    return msgspec.structs.replace(line, happened_at=happened_at, witness=witness)


def _words(wanted: Filter) -> list[Words]:
    """Return the search words of a filter, or [] for no condition. They contain no NUL, because FTS5 stops at it."""
    said = [quoted or word for quoted, word in re.findall(r'"([^"]*)"|(\S+)', wanted.text.replace("\0", " "))]
    said = said or [" "] * bool(wanted.text.strip())  # Text with only NUL finds nothing.
    words = [Words(one.rstrip("*"), open=one.endswith("*")) for one in said]
    if any(map(str.isalnum, wanted.unit)):
        words.append(Words(wanted.unit.replace("\0", " "), "units"))
    return words


def _wheres(wanted: Filter) -> tuple[list[str], dict[str, Any]]:
    """Return SQL conditions and their values. Conditions on content match only records that the seat may see."""
    conditions = {
        "step": "instr(' / ' || step || ' / ', ' / ' || :step || ' / ') > 0",
        "by": "audit.seat = :by",
        "side": "(audit.seat = :side OR audit.seat IN (SELECT seat FROM seat WHERE game = :game AND side = :side))",
        "unit": "instr(char(10) || audit.units || char(10), char(10) || :unit || char(10)) > 0",
        "event": "event = :event",
    }
    values = {
        "step": wanted.step,
        "by": wanted.seat,
        "side": wanted.side,
        "unit": wanted.unit,
        "event": wanted.event,
    }
    values = {name: value for name, value in values.items() if value}
    wheres = [conditions[name] for name in values]
    for number, word in enumerate(wanted.rule.translate(BLANKS).split()):
        wheres.append(f"instr(' ' || {RULE_WORDS} || ' ', ' ' || :rule{number} || ' ') > 0")
        values[f"rule{number}"] = word
    if wanted.dice:
        wheres.append("dice <> ''")
    if wanted.dice or any((wanted.text, wanted.unit, wanted.rule, wanted.event)):
        wheres.append(SEEN)
    if not wanted.all_lines:
        wheres.append("counts")
    return wheres, values


def _hits(connection: Tables, values: dict[str, Any]) -> int:
    """Return the number of lines that a search finds, up to one more than ranking allows."""
    found = dialect_of(connection).hits
    select = f"SELECT count(*) FROM (SELECT 1 FROM {found} LIMIT {MOST_RANKED + 1}) AS hits"
    return int(connection.execute(select, values).fetchone()[0])


def _line(row: Row) -> AuditLine:
    seen, position, at, turn, step, seat, event, text, rule, dice, cause, counts, visible_to, command, units = row
    order = _order(cause) if seen and cause else None
    return AuditLine(
        position=position,
        at=at,
        turn=turn,
        step=step,
        seat=seat,
        event=event if seen else HIDDEN,
        text=text if seen else UNSEEN,
        rule=rule if seen else "",
        dice=dice if seen else "",
        cause=order,
        counts=bool(counts),
        visible_to=None if visible_to is None else _seats(visible_to),
        order=command,
        units=tuple(units.split("\n")) if seen and units else (),
        entered_by=str(order.get("entered_by", "")) if order else "",
    )
