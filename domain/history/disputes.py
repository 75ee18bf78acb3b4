"""Decide disputes: a seat contests records, play continues under protest, and one answer settles it.

A dispute is about the log, not about the state of play: it is outside the tree of branches, so that a rewind neither
ends a dispute nor brings one back.
"""

from collections.abc import Iterable

import msgspec

from umpire_ledger.domain.game.errors import NoSuchPosition, RuleViolation, UnknownName
from umpire_ledger.domain.game.events import AnyEvent, DisputeOpened, DisputeSettled
from umpire_ledger.domain.game.orders import Dispute, Settle
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.history.history import History

RULE = "disputes"
WITHDRAWN = "withdrawn"


class Quarrel(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a dispute: `settled` is None while it is open."""

    opened: DisputeOpened
    settled: DisputeSettled | None = None


def quarrels(said: Iterable[AnyEvent]) -> dict[str, Quarrel]:
    """Return every dispute of a game by id, the oldest first, from the events of all branches."""
    found: dict[str, Quarrel] = {}
    for event in said:
        match event:
            case DisputeOpened(dispute=dispute):
                found[dispute] = Quarrel(opened=event)
            case DisputeSettled(dispute=dispute) if dispute in found:
                found[dispute] = Quarrel(opened=found[dispute].opened, settled=event)
            case _:
                pass
    return found


def decide_dispute(game: Game, order: Dispute, past: History) -> DisputeOpened:
    """Contest records, also those of abandoned branches; play continues.

    Raises:
        NoSuchPosition: When there is no such record.
        RuleViolation: When the id is taken.
    """
    for position in order.records:
        if not 1 <= position <= past.tip:
            raise NoSuchPosition(
                f"there is no record #{position}",
                where=game.where,
                rule=RULE,
                remedy=f"contest records from #1 to #{past.tip}; `umpire audit` lists them",
            )
    known = quarrels(past.said())
    if order.dispute in known:
        raise _refuse(game, f"there is a dispute {order.dispute} already", "choose another id, or leave it out")
    return DisputeOpened(
        dispute=order.dispute or _free_id(known),
        claim=order.claim,
        positions=tuple(sorted(set(order.records))),
        seat=order.seat,
        rule=order.rule,
    )


def _free_id(known: Iterable[str]) -> str:
    taken = set(known)
    return next(name for name in (f"d{number}" for number in range(1, len(taken) + 2)) if name not in taken)


def decide_settle(game: Game, order: Settle, past: History) -> DisputeSettled:
    """Settle a dispute as the referee, or withdraw it as the seat that opened it.

    Raises:
        UnknownName: When there is no such dispute.
        RuleViolation: When it is settled, or the seat may not settle it.
    """
    quarrel = open_quarrel(game, order.dispute, past)
    if order.seat == REFEREE:
        if not order.ruling:
            raise _refuse(game, "a dispute is settled with an answer", 'say it: `--ruling "…"`, in JSON "ruling": "…"')
        return DisputeSettled(dispute=order.dispute, ruling=order.ruling, reason=order.reason)
    if order.seat != quarrel.opened.seat:
        what = f"{order.dispute} is {quarrel.opened.seat}'s dispute"
        raise _refuse(game, what, f"{quarrel.opened.seat} may withdraw it, the referee settles it")
    if order.ruling:
        raise _refuse(game, "a seat withdraws its dispute, it does not rule on it", "leave the answer out")
    return DisputeSettled(dispute=order.dispute, ruling=WITHDRAWN, reason=order.reason)


def open_quarrel(game: Game, dispute: str, past: History) -> Quarrel:
    """Return the open dispute of that id.

    Raises:
        UnknownName: When there is no such dispute.
        RuleViolation: When it is settled.
    """
    known = quarrels(past.said())
    quarrel = known.get(dispute)
    if quarrel is None:
        near = ", ".join(name for name, one in known.items() if one.settled is None) or "none"
        raise UnknownName(
            f"there is no dispute {dispute}", where=game.where, rule=RULE, remedy=f"disputes that are open: {near}"
        )
    if quarrel.settled is not None:
        what = f"{dispute} is settled already: {quarrel.settled.ruling}"
        raise _refuse(game, what, "open another dispute about the same records")
    return quarrel


def _refuse(game: Game, what: str, remedy: str) -> RuleViolation:
    return RuleViolation(what, where=game.where, rule=RULE, remedy=remedy)
