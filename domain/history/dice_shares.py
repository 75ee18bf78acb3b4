"""Decide a side's part in shared and witnessed dice: a commitment, and the shares after it."""

from umpire_ledger.domain.game.dice_notation import RULE
from umpire_ledger.domain.game.dice_shares import SHARED, hash_of, takes_shares, unpledged, unshown
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import DicePledged, DiceShared
from umpire_ledger.domain.game.orders import SeatDice
from umpire_ledger.domain.game.state import Game


def decide_seat_dice(game: Game, order: SeatDice) -> DicePledged | DiceShared:
    """Commit to a side's first share, or reveal its next one.

    Raises:
        RuleViolation: When the dice use no shares; the seat has no side; this copy lacks the seed; the order has both
            or neither; the side is committed already; others are not yet; no share of this side is due; or the share
            does not match.
    """
    side = game.side_of(order.seat)
    if not takes_shares(game):
        raise _refuse(game, "the dice of this game take no shares", "only `--dice shared` and `witnessed` do")
    if not side:
        raise _refuse(game, f"{order.seat} has no share in the dice", f"act as one of: {', '.join(game.side_ids)}")
    if not game.seed:
        remedy = "give it in the ledger that opened the game; `umpire seat-dice --print` writes the order to send"
        raise _refuse(game, "this copy of the game does not hold the seed of its dice", remedy)
    if bool(order.pledge) == bool(order.share):
        raise _refuse(game, "a side gives a pledge or a share", f"`umpire seat-dice {game.id} --as {side}` knows which")
    return _pledged(game, side, order.pledge) if order.pledge else _shared(game, side, order.share)


def _pledged(game: Game, side: str, pledge: str) -> DicePledged:
    if side in game.pledges:
        what = f"{side} has pledged its share already"
        raise _refuse(game, what, "show that share; who has lost it asks the referee to begin again: `open-dice`")
    if pledge in {one.pledge for one in game.pledges.values()}:
        raise _refuse(game, "another side has pledged this very share", "draw one of your own")
    return DicePledged(side=side, pledge=pledge)


def _shared(game: Game, side: str, share: str) -> DiceShared:
    if missing := unpledged(game):
        what = f"nothing is shown before every side has pledged; still without a pledge: {', '.join(missing)}"
        raise _refuse(game, what, f"wait for {' and '.join(missing)}")
    if side not in unshown(game):
        shown = game.scheme == SHARED
        what = f"{side} has shown its share already" if shown else f"no order waits for a share of {side}"
        raise _refuse(game, what, "keep the next ones secret until they are asked for")
    before = game.pledges[side].share or game.pledges[side].pledge
    if hash_of(share) != before:
        what = f"this is not the share that {side} pledged: its SHA-256 is not {before}"
        raise _refuse(game, what, f"`umpire seat-dice {game.id} --as {side}` finds it where it was drawn")
    return DiceShared(side=side, share=share)


def _refuse(game: Game, what: str, remedy: str) -> RuleViolation:
    return RuleViolation(what, where=game.where, rule=RULE, remedy=remedy)
