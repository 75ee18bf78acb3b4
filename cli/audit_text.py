"""Print the audit trail as text, Markdown, CSV and JSON: by order for people, by record for programs."""

from collections.abc import Iterator, Sequence
from typing import Any

from umpire_ledger.cli.printing import json_text, print_csv, print_json, print_markdown, print_table, shown_time
from umpire_ledger.projections.questions.order_lines import OrderLine
from umpire_ledger.projections.tables.audit_search import AuditLine

COLUMNS = (
    *("position", "at", "turn", "step", "seat", "event", "text", "rule", "dice", "cause", "counts", "visible_to"),
    *("happened_at", "witness", "entered_by"),
)
ORDER_COLUMNS = (
    *("position", "last", "at", "turn", "step", "seat", "text", "rules", "dice", "cause", "counts"),
    *("happened_at", "witness", "entered_by"),
)


# --- by record --------------------------------------------------------------------------------------------------------


def print_records(lines: Sequence[AuditLine], form: str | None) -> None:
    """Print one line for each record. `form`: json, csv, markdown."""
    if form == "json":
        print_json([_plain(line) for line in lines])
        return
    cells = [[_cell(_cell_value(line, key)) for key in COLUMNS] for line in lines]
    (print_csv if form == "csv" else print_markdown)(COLUMNS, cells)


def _plain(line: AuditLine) -> dict[str, Any]:
    return {key: getattr(line, key) for key in line.__struct_fields__}


TIMES = ("at", "happened_at")


def _cell_value(line: AuditLine | OrderLine, key: str) -> Any:
    """Return the value under a key; if it is a time, in the chosen time zone."""
    found = getattr(line, key)
    return shown_time(found) if key in TIMES and found else found


def _cell(value: Any) -> object:
    """Return a value for a cell: None as "", a dict or tuple as JSON, any other value unchanged."""
    if isinstance(value, dict | tuple):
        return json_text(value)
    return "" if value is None else value


# --- by order ---------------------------------------------------------------------------------------------------------


def print_orders(orders: Sequence[OrderLine], form: str | None, *, records: bool, marks: bool) -> None:
    """Print one line for each order. `records`: with its records; `marks`: also records that only the rules need."""
    if form == "json":
        print_json([_order(one, records=records) for one in orders])
    elif form == "csv":
        print_csv(ORDER_COLUMNS, [[_cell(_value(one, key)) for key in ORDER_COLUMNS] for one in orders])
    else:
        columns, rows = _table(orders, records=records, marks=marks)
        (print_markdown if form else print_table)(columns, rows)


def _order(one: OrderLine, *, records: bool) -> dict[str, Any]:
    plain = {key: getattr(one, key) for key in one.__struct_fields__ if key != "records"}
    return {**plain, **({"records": [_plain(line) for line in one.records]} if records else {})}


def _value(one: OrderLine, key: str) -> Any:
    found = _cell_value(one, key)
    return "; ".join(found) if key in ("rules", "dice") else found


def _table(orders: Sequence[OrderLine], *, records: bool, marks: bool) -> tuple[Sequence[str], list[Sequence[object]]]:
    late = any(one.happened_at or one.witness for one in orders)
    rows: list[Sequence[object]] = []
    for one in orders:
        times = (_cell_value(one, "at"), _cell_value(one, "happened_at"), one.witness) if late else ()
        rule = "; ".join(one.rules)
        rows.append((_number(one.position, one.counts), one.turn or "", one.step, _author(one), one.text, rule, *times))
        if records:
            rows += [(*row, *("" for _ in times)) for row in _records(one, marks=marks)]
    return (
        "record",
        "turn",
        "step",
        "seat",
        "what",
        "rule",
        *(("recorded", "happened", "witness") if late else ()),
    ), rows


def _records(one: OrderLine, *, marks: bool) -> Iterator[tuple[object, ...]]:
    hidden = () if marks else one.marks
    for line in one.records:
        if line.position not in hidden:
            number = _number(line.position, line.counts)
            yield f"  {number}", "", line.step, "", f"  {line.text}", line.rule


def _author(one: OrderLine) -> str:
    return f"{one.seat} (by {one.entered_by})" if one.entered_by else one.seat


def _number(position: int, counts: bool) -> str:
    return f"#{position}" if counts else f"(#{position})"
