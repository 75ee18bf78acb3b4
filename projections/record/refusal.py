"""A refused order as it is kept beside its game, and as the referee may read it."""

import contextlib
from typing import Literal

import msgspec

from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.game.visibility import CLOSED_TO_REFEREE
from umpire_ledger.ledger.storage.interface import Aside

WITHHELD = "not for these eyes"
CHANGED = "this refusal was changed since it was kept"


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


def kept_refusal(aside: Aside) -> KeptRefusal:
    """What was kept; of a row that was changed since only that, and for the referee: it may be anybody's words."""
    after, at, seat, told, kept = aside
    if kept != "changed":
        with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # shown as changed
            return KeptRefusal(after=after, at=at, seat=seat, kept=kept, **msgspec.structs.asdict(_read(told)))
    nothing = dict.fromkeys(("at", "order", "text", "where", "rule"), "")
    remedy = "restore a backup of the ledger, or go without it"
    return KeptRefusal(after=0, seat=REFEREE, what=CHANGED, remedy=remedy, allowed=(), kept="changed", **nothing)


def for_the_referee(game: Game, refusal: KeptRefusal) -> KeptRefusal:
    """In a game that is closed to the referee the words of a side's order may hold its secret."""
    if refusal.seat == REFEREE or not game.options.get(CLOSED_TO_REFEREE):
        return refusal
    return msgspec.structs.replace(refusal, text=WITHHELD, what=WITHHELD, remedy=WITHHELD)
