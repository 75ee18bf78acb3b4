"""Continue an amendment that stopped, leave its remaining orders on the old branch, or abort it.

To continue, the order that no longer applied is tried again, replaced or skipped, and the later ones are re-played. The
log and the state record only where it stopped; the remaining orders are read from the old branch. Orders given in the
meantime are on the new branch, and the remaining ones are re-played after them.
"""

from collections.abc import Mapping
from typing import Any

from umpire_ledger.domain.game import orders as o
from umpire_ledger.domain.game.decision import Decision
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import AmendmentEnded, AmendmentStopped, AnyEvent, PlayRewound, RestrictedEvent
from umpire_ledger.domain.game.evolve import evolve
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.state import Game, StoppedAmendment, replace
from umpire_ledger.domain.history.dice_seeds import rewind_with_dice
from umpire_ledger.domain.history.history import History, PlayedOrder
from umpire_ledger.domain.history.undo_and_rewind import verify_same_dice
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.amend import (
    Amended,
    PlayedAgain,
    RemainingOrder,
    Replayed,
    ReplayHistory,
    amended,
    is_play,
    left,
    play_again,
    public_words,
    refuse,
    remaining_orders,
    to_repeat,
    verify_referee,
)
from umpire_ledger.domain.play.refusals import REFUSALS


def go_on(
    title: Title, game: Game, order: o.Amending, raw: Mapping[str, Any], history: History, seed: str = ""
) -> Amended:
    """Return the continued amendment, decided but not recorded. `seed`: as for `amend`.

    Raises:
        RuleViolation: The seat is not the referee; no amendment is waiting; an order is given but not needed; or the
            order at which the amendment stopped, or the one given in its place, is refused. In the last case the
            amendment keeps waiting.
    """
    verify_referee(game, order)
    if game.amending is None:
        raise refuse(game, "no-amendment-waits")
    if order.given and order.how != "continue":
        raise refuse(game, "order-not-needed", how=order.how)
    match order.how:
        case "abort":
            return _alone(game.amending, order, raw, *_aborted(game, game.amending, order, history, seed))
        case "leave":
            ended = AmendmentEnded(how="left", left=game.amending.left, why=order.why)
            return _alone(game.amending, order, raw, (ended,), evolve(game, ended))
        case _:
            return _played_on(title, game, game.amending, order, raw, history)


def waiting(game: Game, history: History) -> tuple[RemainingOrder, ...]:
    """Return the remaining orders of a waiting amendment, beginning with the one at which it stopped."""
    return () if game.amending is None else tuple(left(game, one) for one in _to_come(game.amending, history))


def _to_come(waits: StoppedAmendment, history: History) -> list[PlayedOrder]:
    found: list[PlayedOrder] = []
    for taken in history.newest_first(waits.tip):
        if taken.first < waits.at:
            break
        if is_play(taken):
            found.append(taken)
    return found[::-1]


def _played_on(
    title: Title, game: Game, waits: StoppedAmendment, order: o.Amending, raw: Mapping[str, Any], history: History
) -> Amended:
    later = _to_come(waits, history)
    at_hand, behind = later[:1], later[1:]
    again = [to_repeat(one) for one in behind]
    must = 0
    if order.how == "continue":
        given = [(0, {"as": one.seat, **order.given}) if order.given else to_repeat(one) for one in at_hand]
        again, must = [*given, *again], len(given)
    onward = ReplayHistory(history, history.tip)
    skipped = waits.at if order.how == "skip" else 0
    said: AnyEvent = AmendmentEnded(why=order.why, skipped=skipped)
    decision = Decision(told=(said,), game=evolve(game, said))
    first = Replayed(of=0, raw=public_words(raw), seat=order.seat, decision=decision)
    onward.take(first)
    onward.game = replace(onward.game, amending=waits)  # its dice policy applies until the last order is re-played
    kept = game.active_keep is not None and game.active_keep.policy == "keep"
    strips = game.dice == "table" and not kept
    try:
        played = play_again(title, onward, again, must=must, strips=strips)
    except RuleViolation as refused:
        raise _still_refused(game, waits, refused, is_given=bool(order.given)) from refused
    rest = remaining_orders(game, later, played.stop)
    if played.stop is not None:
        at, seat = played.stop.position, played.stop.seat
        said = AmendmentStopped(at=at, tip=waits.tip, left=len(rest), seat=seat, skipped=skipped, why=order.why)
    return amended(waits.at, first, (said,), played, rest, onward.game)


def _still_refused(game: Game, waits: StoppedAmendment, refused: RuleViolation, *, is_given: bool) -> RuleViolation:
    if is_given:
        return refused
    return refusal(
        RuleViolation,
        REFUSALS,
        "still-refused",
        {"at": waits.at, "what": refused.what, "remedy": refused.remedy},
        where=refused.where,
        rule=refused.rule,
    )


def _aborted(
    game: Game, waits: StoppedAmendment, order: o.Amending, history: History, seed: str
) -> tuple[tuple[AnyEvent | RestrictedEvent, ...], Game]:
    """Return the events of a redo to the tip of the old branch, and the game there.

    Raises:
        RuleViolation: The tip is before this copy was made.
    """
    verify_same_dice(game, waits.tip, history)
    back = PlayRewound(
        to=waits.tip, kind="redo", why=order.why, rolls=game.rolls, tip=history.tip, secrets_open=game.secrets_open
    )
    ended, begun = AmendmentEnded(how="aborted"), rewind_with_dice(game, back, history, seed)
    return (*begun.told, ended), evolve(begun.game, ended)


def _alone(
    waits: StoppedAmendment,
    order: o.Amending,
    raw: Mapping[str, Any],
    told: tuple[AnyEvent | RestrictedEvent, ...],
    game: Game,
) -> Amended:
    first = Replayed(of=0, raw=public_words(raw), seat=order.seat, decision=Decision(told=told, game=game))
    return amended(waits.at, first, told, PlayedAgain((), None), (), game)
