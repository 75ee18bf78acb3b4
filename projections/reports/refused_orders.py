"""Refused orders, kept beside the game: when, who, what, why, and which orders would have been allowed.

They are no records: nothing happened. They are no read model either, because no fold could make them again; so they
lie in the ledger's file, outside every game's tree. The referee sees them all, a seat those of its own side.
"""

import contextlib
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from umpire_ledger.domain.game.errors import DeclarationError, DomainError
from umpire_ledger.domain.game.secrets import CLOSED_TO_REFEREE
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.ledger.application import Ledger
from umpire_ledger.ledger.store import Aside
from umpire_ledger.projections.tables.turn_view import turn_view

LONGEST = 4000
"""Bytes of an order's text that are kept."""
WITHHELD = "not for these eyes"
CHANGED = "this refusal was changed since it was kept"

_encode = msgspec.json.Encoder(enc_hook=str).encode


class RefusalTold(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of a refusal."""

    order: str
    text: str
    what: str
    where: str
    rule: str
    remedy: str
    allowed: tuple[str, ...]


class KeptRefusal(msgspec.Struct, frozen=True, kw_only=True):
    """A refused order. `after`: the last position when it was given; `text`: the order as it was sent."""

    after: int
    at: str
    seat: str
    order: str
    text: str
    what: str
    where: str
    rule: str
    remedy: str
    allowed: tuple[str, ...]
    kept: Literal["sound", "unprotected", "changed"] = "sound"
    """Whether it is as it was told then; unprotected: an earlier edition kept it, and nobody would see a change."""


_read = msgspec.json.Decoder(RefusalTold).decode


def refused(title: Title, game: Game, seat: str, raw: Mapping[str, Any], error: DomainError) -> bytes:
    """What is kept of a refusal, as JSON."""
    text = _encode(raw)
    return _encode(
        RefusalTold(
            order=str(raw.get("order", ""))[:80],
            text=text[:LONGEST].decode(errors="ignore"),
            what=error.what,
            where=error.where,
            rule=error.rule,
            remedy=error.remedy,
            allowed=allowed_to(title, game, seat),
        )
    )


def allowed_to(title: Title, game: Game, seat: str) -> tuple[str, ...]:
    """The names of the orders that a seat might have given instead; () where the game cannot say."""
    own = game.side_of(seat) or seat
    with contextlib.suppress(DeclarationError):
        found = (name for one in turn_view(title, game, seat, 0).allowed if one.side == own for name in one.orders)
        return tuple(dict.fromkeys(found))
    return ()


def refusals(ledger: Ledger[Game], game: str, seat: str, last: int | None = None) -> list[KeptRefusal]:
    """The refused orders that a seat may see, the oldest first; with `last` the newest so many. Raises NoSuchGame."""
    state = ledger.state(game)
    found = map(_refusal, ledger.aside(game))
    seen = [_as_seen(state, seat, one) for one in found if _may_see(state, seat, one.seat)]
    return seen if last is None else seen[-last:]


def _refusal(aside: Aside) -> KeptRefusal:
    """What was kept; of a row that was changed since only that, and for the referee: it may be anybody's words."""
    after, at, seat, told, kept = aside
    if kept != "changed":
        with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return KeptRefusal(after=after, at=at, seat=seat, kept=kept, **msgspec.structs.asdict(_read(told)))
    nothing = dict.fromkeys(("at", "order", "text", "where", "rule"), "")
    remedy = "restore a backup of the ledger, or go without it"
    return KeptRefusal(after=0, seat=REFEREE, what=CHANGED, remedy=remedy, allowed=(), kept="changed", **nothing)


def _may_see(game: Game, seat: str, by: str) -> bool:
    if seat == REFEREE:
        return True
    side = game.side_of(seat)
    return seat == by or bool(side and game.side_of(by) == side)


def _as_seen(game: Game, seat: str, refusal: KeptRefusal) -> KeptRefusal:
    """In a game that is closed to the referee the words of a side's order may hold its secret."""
    if seat != REFEREE or refusal.seat == REFEREE or not game.options.get(CLOSED_TO_REFEREE):
        return refusal
    return msgspec.structs.replace(refusal, text=WITHHELD, what=WITHHELD, remedy=WITHHELD)
