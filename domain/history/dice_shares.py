"""Decide a side's part in shared and witnessed dice: a commitment, and then its shares."""

from umpire_ledger.domain.game.dice_notation import RULE
from umpire_ledger.domain.game.dice_shares import SHARED, hash_of, takes_shares, unpledged, unshown
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import DicePledged, DiceShared
from umpire_ledger.domain.game.orders import SeatDice
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.history.refusals import REFUSALS


def decide_seat_dice(game: Game, order: SeatDice) -> DicePledged | DiceShared:
    """Commit to a side's first share, or reveal its next share.

    Raises:
        RuleViolation: The dice use no shares; the seat has no side; this copy lacks the seed; the order contains both a
            commitment and a share, or neither; the side has committed already; another side has the same commitment; a
            side has not committed yet; no share of this side is required; or the share does not match.
    """
    side = game.side_of(order.seat)
    if not takes_shares(game):
        raise _refuse(game, "no-shares")
    if not side:
        raise _refuse(game, "no-share", seat=order.seat, side_ids=game.side_ids)
    if not game.seed:
        raise _refuse(game, "seed-not-here")
    if bool(order.pledge) == bool(order.share):
        raise _refuse(game, "neither-pledge-nor-share", game=game.id, side=side)
    return _pledged(game, side, order.pledge) if order.pledge else _shared(game, side, order.share)


def _pledged(game: Game, side: str, pledge: str) -> DicePledged:
    if side in game.pledges:
        raise _refuse(game, "pledged-already", side=side)
    if pledge in {one.pledge for one in game.pledges.values()}:
        raise _refuse(game, "pledge-of-another-side")
    return DicePledged(side=side, pledge=pledge)


def _shared(game: Game, side: str, share: str) -> DiceShared:
    if missing := unpledged(game):
        raise _refuse(game, "pledges-missing", missing=missing, waiting=" and ".join(map(game.side_name, missing)))
    if side not in unshown(game):
        shown = game.scheme == SHARED
        raise _refuse(game, "share-shown-already" if shown else "no-order-waits", side=side)
    before = game.pledges[side].share or game.pledges[side].pledge
    if hash_of(share) != before:
        raise _refuse(game, "wrong-share", side=side, before=before, game=game.id)
    return DiceShared(side=side, share=share)


def _refuse(game: Game, code: str, /, **fields: object) -> RuleViolation:
    return refusal(RuleViolation, REFUSALS, code, fields, where=game.where, rule=RULE, names=game.seat_names)
