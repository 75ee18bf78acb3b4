"""Rewind by consent: a seat requests a rewind, and it happens without the referee once every other side has consented.

Consent is to the state at the time of the request, so an order of play after the request makes it void.
"""

from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import PlayRewound, RewindAnswered, RewindAsked
from umpire_ledger.domain.game.orders import AskRewind, Consent, Refuse
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.state import REFEREE, Game, RewindRequest
from umpire_ledger.domain.history.history import History
from umpire_ledger.domain.history.refusals import REFUSALS
from umpire_ledger.domain.history.undo_and_rewind import policy_of, rewind_target, rewound
from umpire_ledger.domain.kit.title import Title

RULE = "rewind by consent"


def decide_ask(title: Title, game: Game, order: AskRewind, history: History) -> RewindAsked:
    """Request a rewind from all other sides; a newer request replaces an older one.

    Raises:
        RuleViolation: The seat has no side, there is no other side, or `rewind_target` refuses.
    """
    side = game.side_of(order.seat)
    if not side:
        raise _refuse(game, "no-side", seat=order.seat)
    to = rewind_target(game, order, history)
    if not others(title, game, side):
        raise _refuse(game, "no-other-side")
    dice = policy_of(game, history, to, REFEREE, order.dice)
    return RewindAsked(seat=order.seat, side=side, to=to, why=order.why, dice=dice)


def others(title: Title, game: Game, side: str) -> tuple[str, ...]:
    """Return the sides that must consent: all except the requesting side and sides that are out of the game."""
    return tuple(one for one in game.side_ids if one != side and title.plays_on(game, one))


def decide_consent(title: Title, game: Game, order: Consent, history: History) -> RewindAnswered | PlayRewound:
    """Consent for a side; with the last consent, play returns to the requested position.

    Raises:
        RuleViolation: No rewind is requested, this side need not answer or has consented already, or play has
            continued.
    """
    asked, side = _asked(title, game, order.seat)
    _verify_nothing_played(game, history)
    missing = [one for one in others(title, game, asked.side) if one not in (*asked.consents, side)]
    if missing:
        return RewindAnswered(side=side, consents=True)
    agreed = (asked.side, *asked.consents, side)
    return rewound(game, history, asked.to, "rewind", asked.why, dice=asked.dice, consent=agreed)


def decide_refusal(title: Title, game: Game, order: Refuse) -> RewindAnswered:
    """Decline for a side, which ends the request. The requesting side withdraws its own request in the same way.

    Raises:
        RuleViolation: No rewind is requested, or this side need not answer or has consented already.
    """
    asked = game.asked
    if asked is not None and game.side_of(order.seat) == asked.side:
        return RewindAnswered(side=asked.side, consents=False, why=order.why)
    _, side = _asked(title, game, order.seat)
    return RewindAnswered(side=side, consents=False, why=order.why)


def _asked(title: Title, game: Game, seat: str) -> tuple[RewindRequest, str]:
    asked, side = game.asked, game.side_of(seat)
    if asked is None:
        raise _refuse(game, "no-rewind-asked-for")
    if side not in others(title, game, asked.side):
        names = ", ".join(map(game.side_name, others(title, game, asked.side)))
        raise _refuse(game, "not-asked", seat=seat, side=asked.side, sides=names)
    if side in asked.consents:
        raise _refuse(game, "consented-already", side=side)
    return asked, side


def _verify_nothing_played(game: Game, history: History) -> None:
    for taken in history.newest_first():
        if any(isinstance(event, RewindAsked) for event in taken.events):
            return
        if not taken.is_talk:
            raise _refuse(game, "play-has-continued", first=taken.first)


def _refuse(game: Game, code: str, /, **fields: object) -> RuleViolation:
    return refusal(RuleViolation, REFUSALS, code, fields, where=game.where, rule=RULE, names=game.seat_names)
