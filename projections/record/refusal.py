"""Read refused orders from the refusal log, and limit them to what the referee may read."""

import contextlib
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from umpire_ledger.domain.game.sealed_choices import CLOSED_TO_REFEREE
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.ledger.storage.interface import LoggedRefusal

WITHHELD = "hidden from this seat"
CHANGED = "this refusal was changed after it was stored"


class RefusalTold(msgspec.Struct, frozen=True, kw_only=True):
    """The stored part of a refusal."""

    order: str
    text: str
    what: str
    where: str
    rule: str
    remedy: str
    allowed: tuple[str, ...]
    code: str = ""
    fields: Mapping[str, Any] = {}


class KeptRefusal(msgspec.Struct, frozen=True, kw_only=True):
    """A refused order. `after`: the last position when it was given; `text`: the order as it was sent.

    `code`, `fields`: the name of the fault and its values, for programs; both are empty in refusals of earlier
    editions.
    """

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
    code: str = ""
    fields: Mapping[str, Any] = {}
    kept: Literal["sound", "unprotected", "changed"] = "sound"
    """Whether the stored refusal is unchanged. `unprotected`: an earlier edition stored it without a hash."""


_read = msgspec.json.Decoder(RefusalTold).decode


def kept_refusal(logged: LoggedRefusal) -> KeptRefusal:
    """Return a stored refusal; for a changed or unreadable row, a notice that only the referee may see."""
    after, at, seat, told, kept = logged
    if kept != "changed":
        with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # reported as changed
            return KeptRefusal(after=after, at=at, seat=seat, kept=kept, **msgspec.structs.asdict(_read(told)))
    nothing: dict[str, Any] = dict.fromkeys(("at", "order", "text", "where", "rule"), "")
    remedy = "restore a backup of the ledger, or ignore this refusal"
    return KeptRefusal(after=0, seat=REFEREE, what=CHANGED, remedy=remedy, allowed=(), kept="changed", **nothing)


def for_the_referee(game: Game, refusal: KeptRefusal) -> KeptRefusal:
    """Return a refusal as the referee may see it.

    In a game whose secrets are closed to the referee, a side's order and the reason of its refusal are withheld,
    because they may contain a secret.
    """
    if refusal.seat == REFEREE or not game.options.get(CLOSED_TO_REFEREE):
        return refusal
    return msgspec.structs.replace(refusal, text=WITHHELD, what=WITHHELD, remedy=WITHHELD, code="", fields={})
