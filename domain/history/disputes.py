"""Decide disputes: a seat contests records, play continues under protest, and one answer settles the dispute.

A dispute is about the log, not about the state of play. It is independent of branches, so a rewind neither ends a
dispute nor restores one.
"""

from collections.abc import Iterable

import msgspec

from umpire_ledger.domain.game.errors import NoSuchPosition, RuleViolation, UnknownName
from umpire_ledger.domain.game.events import AnyEvent, DisputeOpened, DisputeSettled
from umpire_ledger.domain.game.orders import Dispute, Settle
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.history.history import History
from umpire_ledger.domain.history.refusals import REFUSALS

RULE = "disputes"
WITHDRAWN = "withdrawn"


class DisputeState(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a dispute: `settled` is None while it is open."""

    opened: DisputeOpened
    settled: DisputeSettled | None = None


def disputes_by_id(said: Iterable[AnyEvent]) -> dict[str, DisputeState]:
    """Return every dispute of a game by id, oldest first. `said`: the events of all branches."""
    found: dict[str, DisputeState] = {}
    for event in said:
        match event:
            case DisputeOpened(dispute=dispute):
                found[dispute] = DisputeState(opened=event)
            case DisputeSettled(dispute=dispute) if dispute in found:
                found[dispute] = DisputeState(opened=found[dispute].opened, settled=event)
            case _:
                pass
    return found


def decide_dispute(game: Game, order: Dispute, history: History) -> DisputeOpened:
    """Contest records, including records of abandoned branches; play continues.

    Raises:
        NoSuchPosition: There is no such record.
        RuleViolation: The game already has a dispute with this id.
    """
    for position in order.records:
        if not 1 <= position <= history.tip:
            raise refusal(
                NoSuchPosition,
                REFUSALS,
                "no-such-record",
                {"position": position, "tip": history.tip},
                where=game.where,
                rule=RULE,
            )
    known = disputes_by_id(history.said())
    if order.dispute in known:
        raise _refuse(game, "dispute-exists", dispute=order.dispute)
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


def decide_settle(game: Game, order: Settle, history: History) -> DisputeSettled:
    """Settle a dispute as the referee, or withdraw it as the seat that opened it.

    Raises:
        UnknownName: There is no such dispute.
        RuleViolation: The dispute is already settled, the referee gives no answer, or the seat may not settle it.
    """
    contested = open_dispute(game, order.dispute, history)
    if order.seat == REFEREE:
        if not order.ruling:
            raise _refuse(game, "ruling-missing")
        return DisputeSettled(dispute=order.dispute, ruling=order.ruling, reason=order.reason)
    if order.seat != contested.opened.seat:
        raise _refuse(game, "dispute-of-another-seat", dispute=order.dispute, seat=contested.opened.seat)
    if order.ruling:
        raise _refuse(game, "only-the-referee-rules")
    return DisputeSettled(dispute=order.dispute, ruling=WITHDRAWN, reason=order.reason)


def open_dispute(game: Game, dispute: str, history: History) -> DisputeState:
    """Return an open dispute by its id.

    Raises:
        UnknownName: There is no such dispute.
        RuleViolation: The dispute is already settled.
    """
    known = disputes_by_id(history.said())
    found = known.get(dispute)
    if found is None:
        near = ", ".join(name for name, one in known.items() if one.settled is None) or "none"
        raise refusal(
            UnknownName,
            REFUSALS,
            "no-such-dispute",
            {"dispute": dispute, "open_disputes": near},
            where=game.where,
            rule=RULE,
        )
    if found.settled is not None:
        raise _refuse(game, "settled-already", dispute=dispute, ruling=found.settled.ruling)
    return found


def _refuse(game: Game, code: str, /, **fields: object) -> RuleViolation:
    return refusal(RuleViolation, REFUSALS, code, fields, where=game.where, rule=RULE, names=game.seat_names)
