"""Orders as a person typed them or wrote them in a file: JSON objects, and files with one of them a line."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from umpire_ledger.desk.errors import WrongUse
from umpire_ledger.desk.text_files import read_text

_decode = msgspec.json.Decoder(dict[str, Any]).decode


REMEDY = 'write an object such as {"order": "done"}'


def read_order_json(text: str, *, where: str = "the order") -> dict[str, Any]:
    """One JSON object. Raises WrongUse with line and column where it breaks off."""
    try:
        return _decode(text.encode())
    except msgspec.DecodeError as error:
        line, column = _place_of(text)
        place = f"{where}, line {line}, column {column}" if line else where
        raise _no_order(error, place, f"{REMEDY}; quote it for the shell with single quotes") from error


def _no_order(error: msgspec.DecodeError, where: str, remedy: str) -> WrongUse:
    return WrongUse(f"this is no order in JSON: {error}", where=where, rule="", remedy=remedy)


def _place_of(text: str) -> tuple[int, int]:
    """Line and column, both from 1, where JSON breaks off; (0, 0) where it is JSON but no object."""
    import json  # noqa: PLC0415 -- only a faulty order needs it

    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.lineno, error.colno
    return 0, 0


def order_lines(file: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The orders of a JSONL file with their line numbers from 1; empty lines and lines that begin with # are passed."""
    for number, line in enumerate(read_text(file).split("\n"), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, _order_in(line, f"{file.name}, line {number}")


def _order_in(line: str, where: str) -> dict[str, Any]:
    try:
        return _decode(line.encode())
    except msgspec.DecodeError as error:
        _, column = _place_of(line)
        raise _no_order(error, f"{where}, column {column}" if column else where, REMEDY) from error
