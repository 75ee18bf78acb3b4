"""Store and list refused orders: time, seat, order, reason, and the orders that would have been allowed.

Refused orders are not records, because they change nothing. They are not read models, because no log could rebuild
them. So they are stored in the refusal log of the ledger, outside its hash trees. The referee sees all of them; a seat
sees those of its own side.
"""

import contextlib
from collections.abc import Mapping
from typing import Any

import msgspec

from umpire_ledger.domain.game.errors import DeclarationError, DomainError
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.record.refusal import KeptRefusal, RefusalTold, for_the_referee, kept_refusal
from umpire_ledger.projections.tables.turn_view import turn_view

LONGEST = 4000
"""The most bytes of an order's text, and the most characters of each part of its refusal, that are stored."""

_encode = msgspec.json.Encoder(enc_hook=str).encode


def refused(title: Title, game: Game, seat: str, raw: Mapping[str, Any], error: DomainError) -> bytes:
    """Return the stored part of a refusal, as JSON."""
    text = _encode(raw)
    return _encode(
        RefusalTold(
            order=str(raw.get("order", ""))[:80],
            text=text[:LONGEST].decode(errors="ignore"),
            what=error.what[:LONGEST],
            where=error.where[:LONGEST],
            rule=error.rule[:LONGEST],
            remedy=error.remedy[:LONGEST],
            allowed=allowed_to(title, game, seat),
            code=error.code[:LONGEST],
            fields=_short(error.fields),
        )
    )


def _short(fields: Mapping[str, object]) -> Mapping[str, object]:
    """Return the values of a refusal; {} if they are too long to store."""
    return fields if len(_encode(fields)) <= LONGEST else {}


def allowed_to(title: Title, game: Game, seat: str) -> tuple[str, ...]:
    """Return the names of the orders that are available to a seat; () if they are unknown."""
    own = game.side_of(seat) or seat
    with contextlib.suppress(DeclarationError):  # The refusal is stored without them.
        found = (name for one in turn_view(title, game, seat, 0).allowed if one.side == own for name in one.orders)
        return tuple(dict.fromkeys(found))
    return ()


def refusals(ledger: Ledger[Game], game_id: str, seat: str, last: int | None = None) -> list[KeptRefusal]:
    """Return the refused orders that a seat may see, oldest first; with `last`, at most the newest `last`.

    Raises:
        NoSuchGame: When the ledger has no such game.
    """
    state = ledger.state(game_id)
    found = map(kept_refusal, ledger.refusal_log(game_id))
    seen = [one for one in found if _may_see(state, seat, one.seat)]
    seen = [for_the_referee(state, one) for one in seen] if seat == REFEREE else seen
    return seen if last is None else seen[-last:]


def _may_see(game: Game, seat: str, by: str) -> bool:
    if seat == REFEREE:
        return True
    side = game.side_of(seat)
    return seat == by or bool(side and game.side_of(by) == side)
