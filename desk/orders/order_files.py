"""Read and write orders as JSON objects, and order files with one object per line."""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.desk.core.text_files import cannot, read_text, verify_keys_once, whole_file
from umpire_ledger.ledger.records.limits import (
    MOST_DIGITS,
    MOST_ORDER,
    MOST_ORDER_FILE,
    ORDER_DEPTH,
    fault_of_json,
    said,
)

_decode = msgspec.json.Decoder(dict[str, Any]).decode
LIMITS = f"limits: an order has at most {said(MOST_ORDER)}, {ORDER_DEPTH} levels, numbers of {MOST_DIGITS} digits"
BYTE_ORDER_MARK = "\ufeff"
"""A mark that some editors write before the first line."""
REMEDY = 'write an object such as {"order": "done"}'


def read_order_json(text: str, *, where: str = "the order") -> dict[str, Any]:
    """Return one JSON object.

    Raises:
        WrongUse: When it is not valid JSON (with line and column), or exceeds a limit.
    """
    raw = _bytes_of(text, where)
    try:
        return verify_keys_once(_decode(raw), raw, where)
    except msgspec.DecodeError as error:
        line, column = _place_of(text)
        place = f"{where}, line {line}, column {column}" if line else where
        raise _no_order(error, place, f"{REMEDY}; quote it for the shell with single quotes") from error


def append_order(file: Path, raw: Mapping[str, Any]) -> None:
    """Append an order to a file, and wait until it is on the disk.

    Raises:
        WrongUse: When the file cannot be written.
    """
    try:
        with file.open("ab") as out:
            out.write(msgspec.json.encode(raw) + b"\n")
            out.flush()
            os.fsync(out.fileno())
    except OSError as error:
        raise cannot("written", file, error) from error


def write_orders(file: Path, lines: Iterable[str]) -> None:
    """Write an order file that appears only when it is complete.

    Raises:
        WrongUse: When the file cannot be written.
    """
    with whole_file(file) as out:
        out.write("".join(f"{line}\n" for line in lines).encode())


def _bytes_of(text: str, where: str) -> bytes:
    """Return the text as UTF-8.

    Raises:
        WrongUse: When it is not valid Unicode, or exceeds a limit.
    """
    try:
        raw = text.encode()
    except UnicodeEncodeError as error:
        what = f"this is not UTF-8 text (character {error.start + 1})"
        raise WrongUse(what, where=where, rule="limits: text in UTF-8", remedy="save or send it as UTF-8") from error
    beyond = f"longer than {said(MOST_ORDER)}" if len(raw) > MOST_ORDER else fault_of_json(raw, ORDER_DEPTH)
    if beyond:
        raise WrongUse(f"the order exceeds a limit: {beyond}", where=where, rule=LIMITS, remedy="give a smaller order")
    return raw


def _no_order(error: msgspec.DecodeError, where: str, remedy: str) -> WrongUse:
    return WrongUse(f"this is not an order in JSON: {error}", where=where, rule="", remedy=remedy)


def _place_of(text: str) -> tuple[int, int]:
    """Return line and column, both from 1, of the first error in JSON; (0, 0) if it is valid JSON but not an object."""
    import json  # noqa: PLC0415 -- 1 ms: only a faulty order needs it

    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.lineno, error.colno
    except (ValueError, RecursionError):
        pass
    return 0, 0


def order_lines(file: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the orders of a JSONL file with their line numbers from 1; skip empty lines and lines that begin with #."""
    return orders_in(read_text(file, MOST_ORDER_FILE), file.name)


def orders_in(text: str, name: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the orders of a JSONL text with their line numbers; `name`: its name in refusals."""
    for number, line in enumerate(text.removeprefix(BYTE_ORDER_MARK).split("\n"), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, _order_in(line, f"{name}, line {number}")


def _order_in(line: str, where: str) -> dict[str, Any]:
    raw = _bytes_of(line, where)
    try:
        return verify_keys_once(_decode(raw), raw, where)
    except msgspec.DecodeError as error:
        _, column = _place_of(line)
        raise _no_order(error, f"{where}, column {column}" if column else where, REMEDY) from error
