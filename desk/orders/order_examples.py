"""Provide an example of every order: one from a recorded game, else one made from its type.

`examples/TITLE.jsonl` has one line for each order; `examples/table.jsonl` has the orders that every title has.
"""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect as shape

from umpire_ledger.desk.orders.order_arguments import arguments_of
from umpire_ledger.domain.game.orders import Order
from umpire_ledger.domain.kit.title import Title

FOLDER = Path(__file__).parent / "examples"
TABLE = "table"
_decode = msgspec.json.Decoder(dict[str, Any]).decode


@cache
def lines_in(name: str) -> dict[str, dict[str, Any]]:
    """Return the examples in a file by order; an empty dict if there is no such file."""
    file = FOLDER / f"{name}.jsonl"
    if not file.is_file():
        return {}
    lines = (_decode(line) for line in file.read_text(encoding="utf-8").splitlines())
    return {line["order"]: line for line in lines}


def example_of(title: Title, order: type[Order]) -> dict[str, Any]:
    """Return an example of an order in the form of an order file."""
    name = order.tag()
    return lines_in(title.id).get(name) or lines_in(TABLE).get(name) or made(order)


def made(order: type[Order]) -> dict[str, Any]:
    """Return an order that has only its required arguments, with placeholders made from their names."""
    return {
        "order": order.tag(),
        **{one.name: _anything(one.type, one.name) for one in arguments_of(order) if one.required},
    }


def _anything(type: shape.Type, name: str) -> Any:
    match type:
        case shape.LiteralType():
            return type.values[0]
        case shape.IntType():
            return max(1, type.ge or 1)
        case shape.BoolType():
            return True
        case shape.VarTupleType():
            return [_anything(type.item_type, name)] * max(1, type.min_length or 1)
        case shape.DictType():
            return {f"{name}-{at + 1}": _anything(type.value_type, name) for at in range(max(1, type.min_length or 1))}
        case shape.StructType():
            return {one.encode_name: _anything(one.type, one.encode_name) for one in type.fields if one.required}
        case shape.Metadata():
            return _anything(type.type, name)
        case shape.StrType() if type.pattern and "[0-9]{4}" in type.pattern:
            return "0101"
        case shape.StrType() if type.pattern:
            return "A1"
        case _:
            return f"{name.replace('_', '-')}-1"
