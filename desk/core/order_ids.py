"""Answer a repeated order with its first answer if the seat, the order and the order id are the same.

Exports show the ids to all players. So a used id must not reveal an answer to another seat or for another order.
"""

import secrets
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.order_json import SIGNATURE
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.records.record import Record

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, Any]).decode


class OrderIdUsed(RuleViolation):
    """The id belongs to another recorded order. `order_id`: that id, which may be the id of any order of a batch."""

    def __init__(self, order_id: str, where: str) -> None:
        super().__init__(
            f"the order id {order_id} was used for a different order",
            where=where,
            rule="command ids",
            remedy="give each order its own id; the same id with the same order returns the first result",
        )
        self.order_id = order_id


def new_command() -> str:
    """Return a new order id."""
    return secrets.token_hex(8)


def words_of(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return an order as it is stored with its records: without its order id."""
    return {name: value for name, value in raw.items() if name != "id"}


def unsigned(words: Mapping[str, Any]) -> dict[str, Any]:
    """Return an order without its signature: if it is signed again at another position, it is still the same order."""
    return {name: value for name, value in words.items() if name not in SIGNATURE}


def is_same_order(ledger: Ledger[Game], game_id: str, records: Sequence[Record], words: Mapping[str, Any]) -> bool:
    """Return whether these records are the first answer to this order of this seat. Its words name the seat under "as".

    False if this copy withholds the text of the order, because the orders cannot be compared.
    """
    kept = _text_of(records)
    mine = unsigned(_decode(_encode(words)))
    if kept is None:
        return False
    kept = unsigned(kept)
    given = mine.pop("given", None) if mine.get("order") in ("amend", "amending") else None
    return kept == mine and (not given or _was_given(ledger, game_id, records[-1].position + 1, given))


def _text_of(records: Sequence[Record]) -> dict[str, Any] | None:
    cause = next((bytes(record.cause) for record in records if record.cause), b"")
    return _decode(cause) if cause else None


def verify_same_lines(ledger: Ledger[Game], game_id: str, key: str, order_ids: Collection[str], where: str) -> None:
    """Check that a file has every line that was recorded under its key: a shifted line would be recorded twice.

    Args:
        order_ids: The ids of the file's lines, each `KEY/LINE`.

    Raises:
        OrderIdUsed: When a recorded line is not in the file, so that the key belongs to another file.
    """
    prefix = f"{key}/"
    recorded = (order_id for _, order_id in ledger.commands(game_id, prefix))
    for order_id in recorded:
        if order_id.removeprefix(prefix).isdecimal() and order_id not in order_ids:
            raise OrderIdUsed(order_id, where)


def _was_given(ledger: Ledger[Game], game_id: str, position: int, given: Mapping[str, Any]) -> bool:
    """Return whether the order after an amendment has these words. They are stored there, as they may be secret."""
    if position > ledger.size(game_id):
        return False
    text = _text_of(ledger.order_at(game_id, position)) or {}
    return all(text.get(name) == value for name, value in given.items() if name != "id")
