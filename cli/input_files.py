"""Reading what a person typed or wrote in a file: JSON objects, files of orders."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from umpire_ledger.cli.errors import usage
from umpire_ledger.desk.text_files import read_text

_decode = msgspec.json.Decoder(dict[str, Any]).decode


def read_order_json(text: str, *, where: str = "the order") -> dict[str, Any]:
    """One JSON object. Raises Refusal with line and column where it breaks off."""
    try:
        return _decode(text.encode())
    except msgspec.DecodeError as error:
        line, column = _place_of(text)
        place = f"{where}, line {line}, column {column}" if line else where
        remedy = 'write an object such as {"order": "done"}; quote it for the shell with single quotes'
        raise usage(f"this is no order in JSON: {error}", where=place, remedy=remedy) from error


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
            yield number, read_order_json(line, where=f"{file.name}, line {number}")
